// Executes the plan of a filter: from the surface of the source to that of the result. Threads share each step by rows
// or columns.
#ifndef SJ_CPU_FILTER_H
#define SJ_CPU_FILTER_H

#include "base/budget.h"
#include "base/pool.h"
#include "cpu/kernels.h"
#include "scene/filter_plan.h"

// Premultiplied RGBA8 for a box of the target's pixels, which is transparent around.
typedef struct sj_surface {
  uint32_t *pixels;  // NULL: all transparent
  size_t stride;     // pixels
  stijl_irect box;
} sj_surface;

static inline uint32_t *sj_surface_at(const sj_surface *s, int x, int y) {
  return s->pixels + (size_t)(y - s->box.y0) * s->stride + (size_t)(x - s->box.x0);
}

typedef struct sj_surface_block {
  void *memory;
  size_t bytes;
  bool busy;
} sj_surface_block;

// Surfaces, whose memory is kept for the next ones.
typedef struct sj_surfaces {
  stijl_context *context;
  SJ_ARRAY(sj_surface_block) blocks;
  size_t busy_bytes;
  uint64_t max_bytes;
  bool limited;  // a surface was refused for max_bytes
} sj_surfaces;

// Takes memory for the pixels of a box, whose values are undefined. Returns false when memory is out or max_bytes would
// be passed.
bool sj_surface_create(sj_surfaces *surfaces, stijl_irect box, sj_surface *out);
void sj_surface_destroy(sj_surfaces *surfaces, sj_surface *surface);
// Frees the memory of all surfaces that are not in use.
void sj_surfaces_trim(sj_surfaces *surfaces);

typedef struct sj_filter_job {
  const sj_filter_plan *plan;
  const sj_kernels *kernels;
  sj_pool *pool;
  sj_surfaces *surfaces;
  stijl_budget *budget;  // whose clock is read
  // One for each step. Those of the kind SJ_FILTER_SOURCE are the caller's to fill, for the step's box at least; when
  // the job has ended, all are destroyed.
  sj_surface *steps;
  sj_surface result;  // for the box of the plan's result, in sRGB
} sj_filter_job;

// Executes a plan; where it has no result there is nothing to do. On failure the message tells why.
stijl_result sj_filter_execute(sj_filter_job *job, stijl_message *message);

#endif
