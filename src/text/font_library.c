#include "text/font_library.h"

#include <stdlib.h>
#include <string.h>

#include "libraries/freetype.h"
#include FT_SYSTEM_H

// FreeType does not always survive a refusal of memory (2.12 crashes in FT_Done_Face after FT_Get_MM_Var was refused
// some). So a request that the context refuses is counted, and served by the C library; callers fail when they see that
// the count has changed. A request beyond the limit is served, too, and noted, and the font is then closed. Only
// requests beyond twice the limit are refused.

// Precedes each block. All blocks are in a list, because with some broken fonts FreeType loses blocks, which are then
// freed with the library.
typedef struct sj_ft_block {
  struct sj_ft_block *next, **link;  // `link` is where the pointer to this block is
  size_t bytes;                      // how many there is room for; FreeType may have asked for fewer
  size_t from_context;               // 0: the block is from the C library
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

static void *ft_alloc(FT_Memory memory, long bytes) {
  sj_font_library *library = memory->user;
  size_t size = (size_t)bytes;
  if (bytes <= 0 || size > library->max_held || library->held + size > 2 * library->max_held) return NULL;
  if (library->held + size > library->max_held) library->over = true;
  sj_ft_block *block = sj_alloc(library->context, size + sizeof *block);
  bool from_context = block != NULL;
  if (!block) {
    sj_font_refused(library);
    block = malloc(size + sizeof *block);
    if (!block) return NULL;
  }
  *block =
      (sj_ft_block){.next = library->blocks, .link = &library->blocks, .bytes = size, .from_context = from_context};
  if (block->next) block->next->link = &block->next;
  library->blocks = block;
  library->held += size;
  return block + 1;
}

static void ft_free(FT_Memory memory, void *data) {
  sj_font_library *library = memory->user;
  if (!data) return;
  sj_ft_block *block = (sj_ft_block *)data - 1;
  *block->link = block->next;
  if (block->next) block->next->link = block->link;
  library->held -= block->bytes;
  if (block->from_context) {
    sj_free(library->context, block);
  } else {
    free(block);
  }
}

static void *ft_realloc(FT_Memory memory, long old_bytes, long bytes, void *data) {
  (void)old_bytes;
  sj_font_library *library = memory->user;
  if (!data) return ft_alloc(memory, bytes);
  if (bytes <= 0) return NULL;
  sj_ft_block *block = (sj_ft_block *)data - 1;
  size_t size = (size_t)bytes, old = block->bytes;
  // FreeType lets its arrays grow by a few elements at a time, and a glyph of 3 KB has been made that copied 100 GB so.
  // Here they grow by half, or by as much of that as the limit allows, so that all copies together stay proportional to
  // the array.
  if (size <= old && size >= old / 2) return data;
  size_t limit = library->held - old + size <= library->max_held ? library->max_held : 2 * library->max_held;
  size_t room = limit > library->held ? limit - library->held : 0, more = old / 2 < room ? old / 2 : room;
  if (size > old && size < old + more && old + more <= library->max_held) size = old + more;
  if (block->from_context && size <= library->max_held && library->held - old + size <= limit) {
    if (library->held - old + size > library->max_held) library->over = true;
    sj_ft_block *moved = sj_realloc(library->context, block, size + sizeof *block);
    if (moved) {
      moved->bytes = size;
      *moved->link = moved;
      if (moved->next) moved->next->link = &moved->next;
      library->held = library->held - old + size;
      return moved + 1;
    }
  }
  void *copy = ft_alloc(memory, bytes);
  if (!copy) return NULL;
  memcpy(copy, data, old < size ? old : size);
  ft_free(memory, data);
  return copy;
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

void sj_font_library_finish(sj_font_library *library) {
  if (library->library) FT_Done_Library(library->library);
  while (library->blocks) ft_free(library->memory, library->blocks + 1);
  sj_free(library->context, library->memory);
  pthread_mutex_destroy(&library->lock);
}

bool sj_font_library_start(sj_font_library *library) {
  if (library->library) return true;
  if (!library->memory) {
    FT_Memory memory = sj_font_alloc(library, sizeof *memory);
    if (!memory) return false;
    memory->user = library;
    memory->alloc = ft_alloc;
    memory->free = ft_free;
    memory->realloc = ft_realloc;
    library->memory = memory;
  }
  if (FT_New_Library(library->memory, &library->library)) {
    library->library = NULL;
    return false;
  }
  FT_Add_Default_Modules(library->library);
  return true;
}
