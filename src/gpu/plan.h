// What a batch's stages are told and how much room they need, whichever API dispatches them.
#ifndef SJ_GPU_PLAN_H
#define SJ_GPU_PLAN_H

#include "gpu/records.h"
#include "image/image.h"
#include "kernel/composite_float.h"
#include "kernel/paint.h"

#define SJ_EDGE_BYTES (4 * sizeof(int32_t))
#define SJ_SUMS_BYTES ((G_TILE_SUMS + G_TILE) * sizeof(int32_t))  // of a tile, extras included
#define SJ_RAMP_BYTES (K_RAMP_SIZE * sizeof(k_pixel))
#define SJ_FIRST_TILES 1024

// Returns how many pixels a row of `width` pixels has where the device draws: whole tiles.
static inline uint32_t sj_row_stride(int width) { return ((uint32_t)width + G_TILE - 1) & ~(uint32_t)(G_TILE - 1); }
static inline uint32_t sj_target_stride(stijl_irect band) { return sj_row_stride(band.x1 - band.x0); }
// Returns the bytes of all rows, of whole tiles too.
static inline uint64_t sj_target_bytes(stijl_irect band) {
  return (uint64_t)sj_target_stride(band) * sj_row_stride(band.y1 - band.y0) * 4;
}

// Returns what a batch may have where storage ranges hold `max_range` bytes; turns, windings and chunk are for the
// caller to set.
sj_batch_limits sj_plan_limits(uint64_t max_range);
// Sets the limits that depend on the region. The caller then sets bin_turns, with room for a number for each bin.
void sj_plan_limit_bins(sj_batch_limits *limits, uint64_t max_range, stijl_irect region);

// Returns the parameters of all stages; those that differ between dispatches are zero. `depth`: layers that are open at
// a time in the pass; `keep`: the batch begins with the target's pixels.
g_params sj_plan_params(stijl_irect region, const sj_batch *batch, uint32_t depth, g_needs capacity,
                        uint32_t background, bool keep);
// Returns how many tiles the region has.
static inline uint32_t sj_tiles(const g_params *params) {
  return params->tiles_x * ((params->height + G_TILE - 1) / G_TILE);
}
// Sets those of flatten for a list; returns how many workgroups it takes.
uint32_t sj_plan_flatten(const sj_batch *batch, int list, g_params *params);

g_needs sj_plan_first_room(g_needs room, uint64_t max_range, uint64_t tiles);
// Returns room for what a frame has counted, and a little more.
g_needs sj_plan_growth(g_needs room, uint64_t max_range, g_needs needed);
// Returns how many draws to try next, after a batch of `draws` draws has needed more than fits.
uint64_t sj_plan_fewer_draws(uint64_t draws, g_needs needed, g_needs capacity);

// Returns the bytes of a binding that depends on the room or the batch; 0 for others.
uint64_t sj_plan_bytes(int binding, const g_params *params, const sj_batch *batch);

// Room for the layers that fine does not keep in registers, of as many tiles at a time as max_layer_bytes allows. Where
// layers outlast the batch that has to be all tiles: `fits` tells whether it is.
typedef struct sj_layer_plan {
  uint64_t bytes;
  uint32_t tiles_at_once;
  bool fits;
} sj_layer_plan;
stijl_result sj_plan_layers(const g_params *params, uint32_t depth, uint64_t max_layer_bytes, uint64_t max_range,
                            sj_layer_plan *out, stijl_message *message);

// Returns the pixels of an image, 0 where it is NULL; and images and ramps as the stages read them.
uint64_t sj_plan_texels(const stijl_image *image);
void sj_plan_image(const stijl_image *image, uint32_t *out);
void sj_plan_ramp(const sj_encoded *scene, uint32_t ramp, k_pixel *out);

#endif
