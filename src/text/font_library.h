// What the faces of one set of fonts share, and FreeType with the memory that it takes, which is counted and limited.
#ifndef SJ_TEXT_FONT_LIBRARY_H
#define SJ_TEXT_FONT_LIBRARY_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/context.h"

typedef struct FT_LibraryRec_ *sj_ft_library;

typedef struct sj_font_library {
  stijl_context *context;
  // One thread at a time may call FreeType. The lock is recursive, because outlines are read while the paints of a
  // colour glyph are.
  pthread_mutex_t lock;
  size_t held, max_held;  // bytes that FreeType holds for all faces
  uint64_t max_bytes;     // the largest font file
  atomic_uint refusals;   // how often the context had no memory; whoever sees this change has to fail
} sj_font_library;

// Returns false when there is nothing to finish.
bool sj_font_library_init(sj_font_library *library, stijl_context *context, uint64_t max_bytes, uint64_t max_memory);
// Frees what the library holds. The faces must be closed.
void sj_font_library_finish(sj_font_library *library);

// Allocates zeroed memory for the fonts' own objects, and counts a refusal. Returns NULL when memory is short.
void *sj_font_alloc(sj_font_library *library, size_t bytes);
// Counts a refusal, and returns false.
bool sj_font_refused(sj_font_library *library);

// Counts memory that HarfBuzz is about to take, as sj_budget_reserve does. Returns false when there is no room for it,
// which counts as a refusal.
bool sj_font_reserve(sj_font_library *library, size_t bytes);

// FreeType for one face. It does not always survive a refusal of memory (2.12 crashes in FT_Done_Face after
// FT_Get_MM_Var was refused some), so a refusal leaves it by a long jump, and takes all that it holds from it. That
// costs one face, since each has a FreeType of its own (2.4 KB, and a microsecond to start).
typedef struct sj_ft {
  sj_font_library *library;
  sj_ft_library ft;
  void *memory;                // FT_Memory
  struct sj_ft_block *blocks;  // all that FreeType holds
  void *way_out;               // of sj_ft_run; NULL: FreeType is not being called
  bool lost;                   // it was refused memory, and holds none any more
  bool over;                   // the reason is that the library holds max_held, not that the context has no memory
} sj_ft;

// Starts FreeType. The library's lock is held, as for all functions below. Returns NULL when memory is short.
sj_ft *sj_ft_open(sj_font_library *library);
// Frees all that FreeType holds, faces included. NULL is allowed.
void sj_ft_close(sj_ft *freetype);
// Calls `work`, which calls FreeType, unless FreeType is lost. Returns false when FreeType is lost; if it was refused
// memory by the context, that is counted. `work` may not have come to its end, so what it allocates itself must be
// found in `user`.
bool sj_ft_run(sj_ft *freetype, void (*work)(void *user), void *user);

#endif
