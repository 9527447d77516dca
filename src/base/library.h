// Libraries that are opened when something first needs them: to link them all takes a process longer than to draw an
// icon. src/libraries makes a header for each of them, after which its functions are called by their own names.
#ifndef SJ_BASE_LIBRARY_H
#define SJ_BASE_LIBRARY_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/context.h"

typedef struct sj_library {
  const char *soname;
  const char *names;  // of what is called of it, each with a NUL behind it; one more NUL ends them
  void *table;        // takes their addresses, one after the other
  atomic_int state;
} sj_library;

// Opens the library and fills its table, once; it stays open. Any thread may call. STIJL_ERROR_UNSUPPORTED: it is not
// installed, or lacks one of the names.
stijl_result sj_library_open(sj_library *library, stijl_message *message);

// What tells packagers of a library that no linker sees: https://uapi-group.org/specifications/specs/elf_dlopen_metadata
#ifdef __clang__
#define SJ_LIBRARY_NOTE_PLAIN __attribute__((no_sanitize("address")))  // which would pad it
#else
#define SJ_LIBRARY_NOTE_PLAIN
#endif
#define SJ_LIBRARY_NOTE(json)                                                                               \
  __attribute__((used, aligned(4), section(".note.dlopen"))) SJ_LIBRARY_NOTE_PLAIN static const struct {    \
    uint32_t name_bytes, json_bytes, type;                                                                  \
    char name[4], text[(sizeof json + 3) / 4 * 4];                                                          \
  } library_note = {4, sizeof json, 0x407c0c0a, "FDO", json}

#endif
