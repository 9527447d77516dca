// Arenas: many small pieces of memory that are freed together.
#ifndef SJ_BASE_ARENA_H
#define SJ_BASE_ARENA_H

#include "base/context.h"

typedef struct sj_arena {
  stijl_context *context;
  struct sj_arena_block *blocks;  // a list, the newest first
  char *cursor, *end;             // the free part of the newest block that pieces share
  size_t block_bytes;             // the size of the next block that pieces share; 0 before the first
} sj_arena;

void sj_arena_init(sj_arena *arena, stijl_context *context);
// Frees all pieces.
void sj_arena_finish(sj_arena *arena);
// A place of an arena, which sj_arena_rewind comes back to.
typedef struct sj_arena_mark {
  struct sj_arena_block *blocks;
  char *cursor, *end;
  size_t block_bytes;
} sj_arena_mark;
sj_arena_mark sj_arena_here(const sj_arena *arena);
// Frees all pieces that were made since.
void sj_arena_rewind(sj_arena *arena, sj_arena_mark mark);
// Returns a copy of `length` bytes with a NUL behind them; NULL when memory is short.
char *sj_arena_text(sj_arena *arena, const char *text, size_t length);

#endif
