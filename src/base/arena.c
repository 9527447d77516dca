#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

// Each block is twice as large as the one before, up to a maximum. So a small arena takes little memory, and a large
// one calls the allocator seldom.
#define FIRST_BLOCK_BYTES ((size_t)512)
#define MAX_BLOCK_BYTES ((size_t)32 * 1024)

typedef struct sj_arena_block {
  struct sj_arena_block *next;
  alignas(max_align_t) char data[];
} sj_arena_block;

void sj_arena_init(sj_arena *arena, stijl_context *context) { *arena = (sj_arena){.context = context}; }

void sj_arena_finish(sj_arena *arena) { sj_arena_rewind(arena, (sj_arena_mark){0}); }

sj_arena_mark sj_arena_here(const sj_arena *arena) {
  return (sj_arena_mark){arena->blocks, arena->cursor, arena->end, arena->block_bytes};
}

void sj_arena_rewind(sj_arena *arena, sj_arena_mark mark) {
  for (sj_arena_block *block = arena->blocks; block != mark.blocks;) {
    sj_arena_block *next = block->next;
    sj_free(arena->context, block);
    block = next;
  }
  arena->blocks = mark.blocks;
  arena->cursor = mark.cursor;
  arena->end = mark.end;
  arena->block_bytes = mark.block_bytes;
}

// Takes bytes from the arena, at a multiple of `align`, which is a power of two. Returns NULL when memory is short.
static void *take(sj_arena *arena, size_t bytes, size_t align) {
  size_t pad = (align - (uintptr_t)arena->cursor % align) % align;
  size_t left = (size_t)(arena->end - arena->cursor);
  if (arena->cursor && left >= pad && left - pad >= bytes) {
    char *result = arena->cursor + pad;
    arena->cursor = result + bytes;
    return result;
  }
  if (bytes > SIZE_MAX - sizeof(sj_arena_block)) return NULL;
  // A large piece gets a block of its own, so that the rest of the present one stays in use.
  bool own = bytes > MAX_BLOCK_BYTES / 4;
  size_t block_bytes = arena->block_bytes ? arena->block_bytes : FIRST_BLOCK_BYTES;
  while (block_bytes - sizeof(sj_arena_block) < bytes && block_bytes < MAX_BLOCK_BYTES) block_bytes *= 2;
  size_t data = own ? bytes : block_bytes - sizeof(sj_arena_block);
  sj_arena_block *block = sj_alloc(arena->context, sizeof(sj_arena_block) + data);
  if (!block) return NULL;
  block->next = arena->blocks;
  arena->blocks = block;
  if (!own) {
    arena->cursor = block->data + bytes;
    arena->end = block->data + data;
    arena->block_bytes = block_bytes < MAX_BLOCK_BYTES ? block_bytes * 2 : MAX_BLOCK_BYTES;
  }
  return block->data;
}

char *sj_arena_text(sj_arena *arena, const char *text, size_t length) {
  char *copy = length < SIZE_MAX ? take(arena, length + 1, 1) : NULL;
  if (!copy) return NULL;
  if (length) memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}
