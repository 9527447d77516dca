// Memory that is given back all at once.
#ifndef SJ_BASE_ARENA_H
#define SJ_BASE_ARENA_H

#include "base/context.h"

typedef struct sj_arena {
  stijl_context *context;
  struct sj_arena_block *blocks;  // the newest first
  char *cursor, *end;             // what is left of the newest shared one
  size_t block_bytes;             // of the next; 0: there is none yet
} sj_arena;

void sj_arena_init(sj_arena *arena, stijl_context *context);
void sj_arena_finish(sj_arena *arena);
// Aligned for any type; NULL on failure.
void *sj_arena_alloc(sj_arena *arena, size_t bytes);
// A copy of `length` bytes with a NUL behind them; NULL on failure.
char *sj_arena_text(sj_arena *arena, const char *text, size_t length);

#endif
