#include <string.h>

#include "base/irect.h"
#include "base/pages.h"
#include "cpu/filter.h"

bool sj_surface_create(sj_surfaces *surfaces, stijl_irect box, sj_surface *out) {
  *out = (sj_surface){.box = box};
  if (sj_irect_is_empty(box)) return true;
  // Rows that are a power of two apart would share few lines of the cache.
  size_t stride = (((size_t)(box.x1 - box.x0) + 15) & ~(size_t)15) + 16, rows = (size_t)(box.y1 - box.y0);
  if (stride > SIZE_MAX / 8 / rows) return false;
  size_t bytes = stride * rows * sizeof(uint32_t) + 64;
  if (bytes > surfaces->max_bytes || surfaces->busy_bytes > surfaces->max_bytes - bytes) {
    surfaces->limited = true;
    return false;
  }
  sj_surface_block *best = NULL;
  for (size_t i = 0; i < surfaces->blocks.count; i++) {
    sj_surface_block *b = &surfaces->blocks.data[i];
    if (!b->busy && b->bytes >= bytes && b->bytes / 2 <= bytes && (!best || b->bytes < best->bytes)) best = b;
  }
  if (!best) {
    if (!sj_array_push(surfaces->context, &surfaces->blocks, (sj_surface_block){0})) return false;
    best = &surfaces->blocks.data[surfaces->blocks.count - 1];
    best->memory = sj_alloc(surfaces->context, bytes);
    if (!best->memory) {
      surfaces->blocks.count--;
      return false;
    }
    best->bytes = bytes;
  }
  best->busy = true;
  surfaces->busy_bytes += best->bytes;
  out->stride = stride;
  out->pixels = (uint32_t *)(((uintptr_t)best->memory + 63) & ~(uintptr_t)63);
  return true;
}

void sj_surface_destroy(sj_surfaces *surfaces, sj_surface *surface) {
  for (size_t i = 0; surface->pixels && i < surfaces->blocks.count; i++) {
    sj_surface_block *b = &surfaces->blocks.data[i];
    uintptr_t pixels = (uintptr_t)surface->pixels, start = (uintptr_t)b->memory;
    if (!b->busy || pixels < start || pixels - start >= b->bytes) continue;
    b->busy = false;
    surfaces->busy_bytes -= b->bytes;
    break;
  }
  *surface = (sj_surface){0};
}

void sj_surfaces_trim(sj_surfaces *surfaces) {
  size_t kept = 0;
  for (size_t i = 0; i < surfaces->blocks.count; i++) {
    if (surfaces->blocks.data[i].busy) {
      surfaces->blocks.data[kept++] = surfaces->blocks.data[i];
    } else {
      sj_free(surfaces->context, surfaces->blocks.data[i].memory);
    }
  }
  surfaces->blocks.count = kept;
  if (!kept) sj_array_finish(surfaces->context, &surfaces->blocks);
}
