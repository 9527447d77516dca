// From encoded draws to what the stages read: one record a draw, with the places of its rows, words and segments.
#ifndef SJ_GPU_RECORDS_H
#define SJ_GPU_RECORDS_H

#include "gpu/pipeline.h"
#include "scene/encode.h"

// A run of draws that is rendered at once; no layer is open at either end.
typedef struct sj_batch {
  uint32_t first, end;  // of the encoded draws
  uint32_t rows, words;  // rows without those of small fills
  // What is flattened: segments and the draws they belong to; fills and strokes, or all in the first list.
  struct {
    uint32_t items, spans;
  } lists[2];
  uint32_t small;  // fills that a workgroup each makes the coverage of
  uint32_t depth;  // layers open at a time
  uint32_t features;
} sj_batch;

typedef struct sj_batch_limits {
  uint64_t draws, words, rows, items;
  // Pixels of different images. `batch_of` has a word for each image of the scene, and changes; NULL: no limit.
  uint64_t pixels;
  uint32_t *batch_of, number;
} sj_batch_limits;

// The scene's image that a draw paints with, or -1.
int64_t sj_image_of(const sj_encoded *scene, const k_draw *draw);

// The batch from draw `first` on. False when not even the shortest is within the limits.
bool sj_batch_find(const sj_encoded *scene, stijl_irect region, uint32_t first, sj_batch_limits *limits,
                   sj_batch *batch);

static inline uint32_t sj_items(const sj_batch *b) { return b->lists[0].items + b->lists[1].items; }

// What flatten needs for a list.
static inline uint32_t sj_flatten_features(const sj_batch *b, int list) {
  return list == 0 && b->lists[1].items ? b->features & ~SJ_FEATURE_STROKES : b->features;
}

// Few segments a workgroup as long as the device is not busy, and where they become many lines each.
static inline uint32_t sj_segments_at_once(const sj_batch *b, int list) {
  bool curved = sj_flatten_features(b, list) & (SJ_FEATURE_STROKES | SJ_FEATURE_CURVES);
  uint32_t n = sj_items(b) / 1024, most = curved ? G_FLATTEN_CURVED : G_FLATTEN_SEGMENTS;
  return n < 4 ? 4 : n > most ? most : n;
}

// Likewise, few edges where they are few and long; a power of two.
static inline uint32_t sj_edges_at_once(const sj_batch *b) { return sj_items(b) < 8192 ? 16 : G_COVER_EDGES; }

// And few rows, which then have many tiles.
static inline uint32_t sj_rows_at_once(const sj_batch *b) { return b->rows < 16384 ? 16 : G_RANK_GROUP; }

static inline uint32_t sj_flatten_groups(const sj_batch *b, int list) {
  return (b->lists[list].items + sj_segments_at_once(b, list) - 1) / sj_segments_at_once(b, list);
}
static inline uint32_t sj_rank_groups(const sj_batch *b) {
  return (b->rows + sj_rows_at_once(b) - 1) / sj_rows_at_once(b);
}

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
