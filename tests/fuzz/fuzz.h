// A fuzz harness is one file with this function. It links with libFuzzer (meson -Dfuzz=true, clang), or with replay.c,
// which runs a folder of inputs and seeded mutations of them as an ordinary test.
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

// Returns 0. A finding is a crash, an abort, a sanitizer's report, or an input that takes too long.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Counts what an input went all the way through: parsed, drawn, compared. Where hardly any does the harness tests
// nothing, and replay.c fails.
extern uint64_t fuzz_complete;

#endif
