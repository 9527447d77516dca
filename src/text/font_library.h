// FreeType, and the memory that it takes, which is counted and limited. One thread at a time may call FreeType, under
// the library's lock.
#ifndef SJ_TEXT_FONT_LIBRARY_H
#define SJ_TEXT_FONT_LIBRARY_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/context.h"

typedef struct FT_LibraryRec_ *sj_ft_library;

typedef struct sj_font_library {
  stijl_context *context;
  pthread_mutex_t lock;        // recursive, because outlines are read while the paints of a colour glyph are
  sj_ft_library library;       // NULL until it is needed
  void *memory;                // FT_Memory
  struct sj_ft_block *blocks;  // all that FreeType holds
  size_t held, max_held;       // bytes
  bool over;                   // FreeType has asked for more than max_held
  uint64_t max_bytes;          // the largest font file
  atomic_uint refusals;        // how often the context had no memory; whoever sees this change has to fail
} sj_font_library;

// False: there is nothing to finish.
bool sj_font_library_init(sj_font_library *library, stijl_context *context, uint64_t max_bytes, uint64_t max_memory);
// Frees all that FreeType holds. Its faces must be closed.
void sj_font_library_finish(sj_font_library *library);
// Starts FreeType, unless it has started. The lock is held. False: memory is short.
bool sj_font_library_start(sj_font_library *library);

// Allocates zeroed memory for the fonts' own objects, and counts a refusal. NULL: memory is short.
void *sj_font_alloc(sj_font_library *library, size_t bytes);
// Counts a refusal, and returns false.
bool sj_font_refused(sj_font_library *library);

#endif
