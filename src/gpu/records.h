// Turns encoded draws into what the stages read: a record for each draw, which says where its rows of tiles, its words
// and its segments are. Also decides which draws go together in a batch.
#ifndef SJ_GPU_RECORDS_H
#define SJ_GPU_RECORDS_H

#include "base/pool.h"
#include "gpu/layout.h"
#include "gpu/stages.h"
#include "scene/encode.h"

// A run of draws that one submission renders. A scene consists of several where its arrays do not fit the device.
typedef struct sj_batch {
  uint32_t first, end;   // of the encoded draws
  uint32_t rows, words;  // tile rows, without those of small fills, and g_word, of all its draws
  // What flatten works on: segments (items) and the draws they belong to (spans). Fills are in the first list and
  // strokes in the second, where there is much of both; else all are in the first.
  struct {
    uint32_t items, spans;
    uint32_t at_once;  // segments of a workgroup
  } lists[2];
  bool part;                  // it has only some of its segments, all of them in the first list:
  uint32_t skip;              // those after this many others
  uint64_t lines;             // a guess of how many lines its segments become
  uint32_t small;             // fills for the stage of small fills
  uint32_t open, open_after;  // layers open at its begin and at its end
  uint32_t depth;             // layers open at a time, at most
  uint32_t features;          // SJ_FEATURE_*
  uint32_t windings;          // draws that may wind around a pixel more often than this have long sums
  uint32_t pen, pen_count, paint, paint_count;  // the encoded scene's pens and paints that it uses
  uint32_t rows_at_once, edges_at_once;         // of a workgroup of rank, and of cover
  bool resident;                                // the device encodes its draws; numbers are the most there may be
  bool in_parts;                                // the sums of its parts are known
} sj_batch;

// What some draws add up to: those of a batch, while it is found, or those before a part of it.
typedef struct sj_batch_sums {
  sj_batch batch;
  uint64_t rows, words, items, turns;
  // How many of its items and spans are strokes', and how many small fills there are, with their rows and items.
  uint32_t stroke_items, spans, stroke_spans, small, small_rows, small_items;
  uint32_t everywhere;  // turns of draws that are in many bins
} sj_batch_sums;

#define SJ_BATCH_PART 1024  // draws

// Threads that share the work on a batch of very many draws, and the memory for that. A batch has its draws in parts,
// and `sums` those of the draws before each.
typedef struct sj_batch_parts {
  stijl_context *context;
  sj_pool *pool;
  SJ_ARRAY(sj_batch_sums) sums;
} sj_batch_parts;

// Images, or ramps of gradients, of a scene. Where they do not fit the device together, each batch has those it draws.
typedef struct sj_pages {
  uint64_t most;       // how much fits at a time
  uint32_t *batch_of;  // for each image or ramp, the number of the batch that had it last; NULL where all fit
} sj_pages;

// How much a batch may have, of each.
typedef struct sj_batch_limits {
  uint64_t draws, words, rows, items, pens, paints;
  uint64_t glyph_spans;    // spans of batches with glyph runs
  sj_pages images, ramps;  // in pixels, and in ramps
  uint32_t number;         // of the batch that was found last
  // The turns that loops of coarse or fine may take for the draws of a bin (gpu/turns.h); room to count those of each
  // bin; and how many bins are in a row and altogether.
  uint32_t turns, *bin_turns, bins_x, bins;
  uint32_t chunk;         // pixels of a lane of fine, at most
  uint32_t windings;      // how many windings around a pixel sums of 32 bits hold; tests make it small
  sj_batch_parts *parts;  // NULL: the calling thread works alone
  bool few_segments;      // workgroups of flatten have room for as many segments as there may be of curves, and no more
} sj_batch_limits;

// Returns the scene's image or ramp that a draw paints with, or -1.
int64_t sj_image_of(const sj_encoded *scene, const k_draw *draw);
int64_t sj_ramp_of(const sj_encoded *scene, const k_draw *draw);

// Finds the batch that begins with draw `first`, where `open` layers are open. It ends where no layer is open, if it
// can. Returns false when one draw alone is beyond the limits.
bool sj_batch_find(const sj_encoded *scene, stijl_irect region, uint32_t first, uint32_t open, sj_batch_limits *limits,
                   sj_batch *batch);

// Each stage takes some microseconds however little it does. So fewer small fills than this have their own stage only
// where they are all there is, and the other stages are not needed.
#define SJ_LEAST_SMALL 2048
// With at least this many items, strokes are flattened by a pipeline of their own, beside that of fills, which then
// needs half of the registers. (100 tigers: 148 us together, 108 apart.)
#define SJ_LEAST_APART 65536

// Decides how many items each workgroup gets.
void sj_batch_share_out(sj_batch *batch, stijl_irect region, const sj_batch_limits *limits);

// Returns the same batch with only `count` of its segments, from number `skip` on.
sj_batch sj_batch_part(const sj_batch *batch, uint32_t skip, uint32_t count);

static inline uint32_t sj_items(const sj_batch *b) { return b->lists[0].items + b->lists[1].items; }

// Returns the features that flatten has to be specialised by for a list.
static inline uint32_t sj_flatten_features(const sj_batch *b, int list) {
  return list == 0 && b->lists[1].items ? b->features & ~SJ_FEATURE_STROKES : b->features;
}

// Returns among how many workgroups flatten shares a run of the list's segments. Fills within the guard band have too
// few lines.
static inline uint32_t sj_flatten_shares(const sj_batch *b, int list, const g_params *params) {
  return sj_flatten_features(b, list) & (SJ_FEATURE_STROKES | SJ_FEATURE_FAR) ? params->capacity.shares : 1;
}

static inline uint32_t sj_span_words(const sj_batch *b) {
  return b->features & SJ_FEATURE_GLYPHS ? G_GLYPH_SPAN_WORDS : G_SPAN_WORDS;
}
static inline uint32_t sj_flatten_groups(const sj_batch *b, int list) {
  return (b->lists[list].items + b->lists[list].at_once - 1) / b->lists[list].at_once;
}
static inline uint32_t sj_rank_groups(const sj_batch *b) { return (b->rows + b->rows_at_once - 1) / b->rows_at_once; }

// Returns where the parts of G_BLOCKS begin, in words: for each of the two lists, and for rank, where its workgroups
// begin, with one entry more than there are workgroups; then the spans of both lists; then the g_small.
static inline uint32_t sj_flatten_block(const sj_batch *b, int list) { return list ? sj_flatten_groups(b, 0) + 1 : 0; }
static inline uint32_t sj_rank_block(const sj_batch *b) { return sj_flatten_block(b, 1) + sj_flatten_groups(b, 1) + 1; }
static inline uint32_t sj_span_block(const sj_batch *b, int list) {
  return sj_rank_block(b) + sj_rank_groups(b) + 1 + (list ? b->lists[0].spans * sj_span_words(b) : 0);
}
static inline uint32_t sj_small_block(const sj_batch *b) {
  return sj_span_block(b, 1) + b->lists[1].spans * sj_span_words(b);
}
static inline uint32_t sj_block_count(const sj_batch *b) { return sj_small_block(b) + b->small * G_SMALL_WORDS; }

// Where a draw on a sheet has its device pixel that is the sheet's corner.
typedef struct sj_origin {
  int x, y;
} sj_origin;
typedef SJ_ARRAY(sj_origin) sj_origin_list;

// Fills in a batch's arrays, which may be memory that the processor reads over the bus: they are only written, each
// record at once.
typedef struct sj_batch_arrays {
  const sj_origin *origins;  // one for each draw of the batch; NULL: the region's corner
  g_record *open;            // room for as many records as the batch has layers open at a time
  g_record *records;
  g_path *paths;
  k_pen *pens;
  uint32_t *blocks;
} sj_batch_arrays;

// Writes a batch. `parts` are those of the limits with which the batch was found.
void sj_batch_write(const sj_encoded *scene, stijl_irect region, const sj_batch *batch, sj_batch_parts *parts,
                    const sj_batch_arrays *arrays);

#endif
