#include "text/font_library.h"

#include <setjmp.h>
#include <string.h>

#include "base/budget.h"
#include "libraries/freetype.h"
#include FT_SYSTEM_H

// Precedes each block. All blocks are in a list, so that they can be freed without FreeType, which loses some with
// broken fonts.
typedef struct sj_ft_block {
  struct sj_ft_block *next, **link;  // `link` is where the pointer to this block is
  size_t bytes;                      // how many there is room for; FreeType may have asked for fewer
  size_t unused;                     // keeps FreeType's memory aligned to 16 bytes
} sj_ft_block;

bool sj_font_refused(sj_font_library *library) {
  atomic_fetch_add(&library->refusals, 1);
  return false;
}

void *sj_font_alloc(sj_font_library *library, size_t bytes) {
  void *block = sj_alloc_zero(library->context, bytes);
  if (!block) sj_font_refused(library);
  return block;
}

bool sj_font_reserve(sj_font_library *library, size_t bytes) {
  return sj_budget_reserve(library->context, bytes) || sj_font_refused(library);
}

static _Noreturn void leave(sj_ft *freetype) { longjmp(*(jmp_buf *)freetype->way_out, 1); }

// Makes a block larger or smaller, or a new one of NULL. Leaves FreeType where there is no memory.
static sj_ft_block *resize(sj_ft *freetype, sj_ft_block *block, size_t size) {
  sj_font_library *library = freetype->library;
  size_t others = library->held - (block ? block->bytes : 0);
  freetype->over = size > library->max_held || others > library->max_held - size;
  if (freetype->over) leave(freetype);
  sj_ft_block *made = sj_realloc(library->context, block, size + sizeof *made);
  if (!made) {
    sj_font_refused(library);
    leave(freetype);
  }
  if (!block) {
    made->link = &freetype->blocks;
    made->next = freetype->blocks;
  }
  made->bytes = size;
  *made->link = made;
  if (made->next) made->next->link = &made->next;
  library->held = others + size;
  return made;
}

static void *ft_alloc(FT_Memory memory, long bytes) {
  return bytes > 0 ? resize(memory->user, NULL, (size_t)bytes) + 1 : NULL;
}

static void ft_free(FT_Memory memory, void *data) {
  sj_ft *freetype = memory->user;
  if (!data) return;
  sj_ft_block *block = (sj_ft_block *)data - 1;
  *block->link = block->next;
  if (block->next) block->next->link = block->link;
  freetype->library->held -= block->bytes;
  sj_free(freetype->library->context, block);
}

static void *ft_realloc(FT_Memory memory, long old_bytes, long bytes, void *data) {
  (void)old_bytes;
  sj_ft *freetype = memory->user;
  const sj_font_library *library = freetype->library;
  if (!data) return ft_alloc(memory, bytes);
  if (bytes <= 0) return NULL;
  sj_ft_block *block = (sj_ft_block *)data - 1;
  size_t size = (size_t)bytes, old = block->bytes;
  // FreeType lets its arrays grow by a few elements at a time, and a glyph of 3 KB has been made that copied 100 GB so.
  // Here they grow by half, or by as much of that as the limit allows, so that all copies together stay proportional to
  // the array.
  if (size <= old && size >= old / 2) return data;
  size_t room = library->max_held - library->held, more = old / 2 < room ? old / 2 : room;
  if (size > old && size < old + more) size = old + more;
  return resize(freetype, block, size) + 1;
}

bool sj_font_library_init(sj_font_library *library, stijl_context *context, uint64_t max_bytes, uint64_t max_memory) {
  *library = (sj_font_library){.context = context,
                               .max_bytes = max_bytes,
                               .max_held = max_memory < SIZE_MAX / 4 ? (size_t)max_memory : SIZE_MAX / 4};
  pthread_mutexattr_t attributes;
  if (pthread_mutexattr_init(&attributes) != 0) return false;
  bool good = pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE) == 0 &&
              pthread_mutex_init(&library->lock, &attributes) == 0;
  pthread_mutexattr_destroy(&attributes);
  return good;
}

void sj_font_library_finish(sj_font_library *library) { pthread_mutex_destroy(&library->lock); }

// --- FreeType ---

static void free_blocks(sj_ft *freetype) {
  while (freetype->blocks) ft_free(freetype->memory, freetype->blocks + 1);
}

bool sj_ft_run(sj_ft *freetype, void (*work)(void *user), void *user) {
  if (freetype->lost) return false;
  jmp_buf here;
  void *outer = freetype->way_out;
  freetype->way_out = &here;
  if (setjmp(here) == 0) {
    work(user);
    freetype->way_out = outer;
    return true;
  }
  freetype->way_out = NULL;
  freetype->lost = true;
  free_blocks(freetype);
  return false;
}

static void start(void *user) {
  sj_ft *freetype = user;
  if (FT_New_Library(freetype->memory, &freetype->ft)) {
    freetype->lost = true;
    return;
  }
  FT_Add_Default_Modules(freetype->ft);
}

sj_ft *sj_ft_open(sj_font_library *library) {
  sj_ft *freetype = sj_font_alloc(library, sizeof *freetype);
  FT_Memory memory = sj_font_alloc(library, sizeof *memory);
  if (!freetype || !memory) {
    sj_free(library->context, memory);
    sj_free(library->context, freetype);
    return NULL;
  }
  *memory = (struct FT_MemoryRec_){.user = freetype, .alloc = ft_alloc, .free = ft_free, .realloc = ft_realloc};
  *freetype = (sj_ft){.library = library, .memory = memory};
  if (sj_ft_run(freetype, start, freetype) && !freetype->lost) return freetype;
  sj_ft_close(freetype);
  return NULL;
}

void sj_ft_close(sj_ft *freetype) {
  if (!freetype) return;
  stijl_context *context = freetype->library->context;
  free_blocks(freetype);
  sj_free(context, freetype->memory);
  sj_free(context, freetype);
}
