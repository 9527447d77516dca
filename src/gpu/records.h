// From encoded draws to what the stages read: one record a draw, with the places of its rows, words and segments.
#ifndef SJ_GPU_RECORDS_H
#define SJ_GPU_RECORDS_H

#include "gpu/pipeline.h"
#include "scene/encode.h"

// A run of draws that is rendered at once.
typedef struct sj_batch {
  uint32_t first, end;   // of the encoded draws
  uint32_t rows, words;  // rows without those of small fills
  // What is flattened: segments and the draws they belong to; fills and strokes, or all in the first list.
  struct {
    uint32_t items, spans;
    uint32_t at_once;  // of a workgroup
  } lists[2];
  bool part;                 // only some of its segments, which the first list has,
  uint32_t skip;             // behind so many others
  uint64_t lines;            // a guess of how many its segments become
  uint32_t small;            // fills that a workgroup each makes the coverage of
  uint32_t open, open_after;  // layers open at its begin and at its end
  uint32_t depth;            // layers open at a time
  uint32_t features;
  uint32_t windings;         // draws that may have more have long sums
  uint32_t pen, pen_count, paint, paint_count;  // of the encoded ones
  uint32_t rows_at_once, edges_at_once;         // of a workgroup of rank, and of cover
} sj_batch;

// What draws use of the scene and not all of which fits: images, or ramps.
typedef struct sj_pages {
  uint64_t most;
  uint32_t *batch_of;  // of each, the number of the batch that had it last; NULL: there is room for all
} sj_pages;

typedef struct sj_batch_limits {
  uint64_t draws, words, rows, items, pens, paints;
  sj_pages images, ramps;  // in pixels, and in ramps
  uint32_t number;         // of the batch
  // How often an invocation of coarse or fine may go round for the draws of a bin, a word of each bin, and how many bins
  // are in a row and altogether.
  uint32_t turns, *bin_turns, bins_x, bins;
  uint32_t chunk;     // pixels of a lane of fine, at most
  uint32_t windings;  // around a pixel, that sums of 32 bits hold; tests make it small
} sj_batch_limits;

// The scene's image or ramp that a draw paints with, or -1.
int64_t sj_image_of(const sj_encoded *scene, const k_draw *draw);
int64_t sj_ramp_of(const sj_encoded *scene, const k_draw *draw);

// The batch from draw `first` on, where `open` layers are open. It ends where none is, if it can. False when one draw
// alone is beyond the limits.
bool sj_batch_find(const sj_encoded *scene, stijl_irect region, uint32_t first, uint32_t open, sj_batch_limits *limits,
                   sj_batch *batch);

// Of all segments of a batch only so many, from number `skip` on.
sj_batch sj_batch_part(const sj_batch *batch, uint32_t skip, uint32_t count);

static inline uint32_t sj_items(const sj_batch *b) { return b->lists[0].items + b->lists[1].items; }

// What flatten needs for a list.
static inline uint32_t sj_flatten_features(const sj_batch *b, int list) {
  return list == 0 && b->lists[1].items ? b->features & ~SJ_FEATURE_STROKES : b->features;
}

static inline uint32_t sj_flatten_groups(const sj_batch *b, int list) {
  return (b->lists[list].items + b->lists[list].at_once - 1) / b->lists[list].at_once;
}
static inline uint32_t sj_rank_groups(const sj_batch *b) { return (b->rows + b->rows_at_once - 1) / b->rows_at_once; }

// The blocks: those of the two lists, and of rank, each with one entry more than workgroups; the lists' g_span; g_small.
static inline uint32_t sj_flatten_block(const sj_batch *b, int list) { return list ? sj_flatten_groups(b, 0) + 1 : 0; }
static inline uint32_t sj_rank_block(const sj_batch *b) {
  return sj_flatten_block(b, 1) + sj_flatten_groups(b, 1) + 1;
}
static inline uint32_t sj_span_block(const sj_batch *b, int list) {
  return sj_rank_block(b) + sj_rank_groups(b) + 1 + (list ? b->lists[0].spans * 3 : 0);
}
static inline uint32_t sj_small_block(const sj_batch *b) { return sj_span_block(b, 1) + b->lists[1].spans * 3; }
static inline uint32_t sj_block_count(const sj_batch *b) { return sj_small_block(b) + b->small * 3; }

void sj_batch_write(const sj_encoded *scene, stijl_irect region, const sj_batch *batch, g_record *records,
                    g_path *paths, uint32_t *blocks);

#endif
