// Libraries that are opened when something first needs them, because linking them all takes a process longer than
// drawing an icon. src/libraries makes a header for each, which lets its functions be called by their own names.
#ifndef SJ_BASE_LIBRARY_H
#define SJ_BASE_LIBRARY_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/context.h"
#include "base/shared.h"

typedef struct sj_library {
  const char *soname;
  const char *names;  // the functions that are called, each name with a NUL behind it; one more NUL ends the list
  void *table;        // an array of pointers, which becomes their addresses
  atomic_int state;
} sj_library;

// Opens the library and fills its table, unless an earlier call did. The library stays open. Any thread may call this.
// Fails with STIJL_ERROR_UNSUPPORTED where the library is not installed, or lacks one of the functions.
stijl_result sj_library_open(sj_library *library, stijl_message *message);

// Calls dlopen. Fails with a message (may be NULL) in programs that are linked statically: glibc's would bring a second
// C library into the process, and crash where that is of another version than the first. musl's fails in any case.
SJ_SHARED void *sj_library_dlopen(const char *soname, int flags, stijl_message *message);

// What tells packagers of a library that no linker sees:
// https://uapi-group.org/specifications/specs/elf_dlopen_metadata
#ifdef __clang__
#define SJ_LIBRARY_NOTE_PLAIN __attribute__((no_sanitize("address")))  // which would pad the note
#else
#define SJ_LIBRARY_NOTE_PLAIN
#endif
#define SJ_LIBRARY_NOTE(json)                                                                            \
  __attribute__((used, aligned(4), section(".note.dlopen"))) SJ_LIBRARY_NOTE_PLAIN static const struct { \
    uint32_t name_bytes, json_bytes, type;                                                               \
    char name[4], text[(sizeof json + 3) / 4 * 4];                                                       \
  } library_note = {4, sizeof json, 0x407c0c0a, "FDO", json}

#endif
