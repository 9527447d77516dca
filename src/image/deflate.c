#include "image/deflate.h"

#include "base/wraps.h"
#include "image/checksum.h"
#include "image/deflate_emit.h"
#include "image/pixel.h"
#include "image/png_filter.h"
#include "image/run.h"

// A block ends with the first row that reaches one of these, which makes it long enough to pay for its code tables.
#define BLOCK_SEQUENCES 16384u
#define BLOCK_LITERALS 131072u  // bytes

// These numbers, which the choice of a match depends on, were found by trial: with them 18 documents of many kinds at
// 512 px and docs/picture.svg at 2048 px take 924 kB together.
#define RUN_COST 7      // bits that a run takes; charged to a match that leaves a part of a run behind
#define PIXEL_WORTH 12  // bits that each pixel of a match saves which lies beyond the run
#define ENOUGH 4        // pixels; when a match is this long no better one is looked for
// A run of this many equal pixels is encoded as a run, and a match ends before it, because a run takes only a few bits,
// however long it is. With 32 the documents take 952 kB, with 128 921 kB, with 256 925 kB, without this rule 953 kB.
#define LONG_RUN 64

// Returns the most sequences that a row needs: each pixel may be a match, which may take three parts (258 bytes
// repeated, and a rest that may be split), and there may be literals at the end.
static size_t row_sequences(size_t width) { return 3 * width + 1; }

static size_t at_most(size_t n, size_t most) { return n < most ? n : most; }

sj_deflate *sj_deflate_create(stijl_context *context, stijl_format format, size_t width, size_t rows,
                              size_t pixel_bytes, bool greys, sj_deflate_rows kind) {
  sj_deflate *d = sj_alloc_zero(context, sizeof *d);
  if (!d) return NULL;
  d->context = context;
  d->format = format;
  d->width = width;
  d->pixel_bytes = pixel_bytes;
  d->greys = greys;
  d->max_rows = rows;
  d->kind = kind;
  size_t row_bytes = width * pixel_bytes + 1;
  for (int i = 0; i < 2; i++) {
    d->rows[i] = sj_alloc_zero(context, SJ_FILTER_MARGIN + row_bytes + SJ_FILTER_MARGIN);
    if (!d->rows[i]) {
      sj_deflate_destroy(d);
      return NULL;
    }
  }
  if (sj_deflate_block_init(&d->block, context,
                            at_most(row_sequences(width) * rows, BLOCK_SEQUENCES + row_sequences(width)) + 1,
                            at_most(row_bytes * rows, BLOCK_LITERALS + row_bytes)))
    return d;
  sj_deflate_destroy(d);
  return NULL;
}

void sj_deflate_destroy(sj_deflate *d) {
  if (!d) return;
  if (d->block.context) sj_deflate_block_finish(&d->block);
  for (int i = 0; i < 2; i++) sj_free(d->context, d->rows[i]);
  sj_free(d->context, d->bytes);
  sj_free(d->context, d->places);
  sj_free(d->context, d);
}

SJ_WRAPS static inline uint32_t hash_single(uint32_t pixel) { return pixel * UINT32_C(0x9e3779b1) >> (32 - HASH_BITS); }

SJ_WRAPS static inline uint32_t hash_pair(uint32_t first, uint32_t second) {
  return (uint32_t)(((uint64_t)first << 32 | second) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HASH_BITS));
}

// Adds n matched pixels to the checksum, and returns how many of them the match should keep: it should end with the
// first `shortest` pixels of a long run, which is cheaper as a run.
static inline size_t sum_match(emitter *e, const unsigned char *row, size_t n, size_t pixel_bytes, size_t shortest) {
  for (size_t i = 0; i < n;) {
    uint32_t pixel = sj_load_pixel(row + 4 * i);
    size_t run = 1;
    if (i + 1 < n && sj_load_pixel(row + 4 * i + 4) == pixel) run += sj_run_length(row + 4 * i + 4, n - i - 1, pixel);
    if (run >= LONG_RUN) {
      run = shortest;
      n = i + run;
    }
    sj_adler_pixels(&e->adler, file_pixel(e, pixel), run, pixel_bytes);
    i += run;
  }
  return n;
}

#define NOT_UNIFORM 256

// Returns the byte if all bytes of the pixel in the file are 0, or all are 255, since these are the cheapest literals;
// NOT_UNIFORM otherwise.
static inline uint32_t uniform_byte(uint32_t pixel, size_t pixel_bytes) {
  if (pixel == UINT32_MAX && pixel_bytes > 2) return 255;
  return pixel == (pixel_bytes == 3 ? SJ_ALPHA : 0) ? 0 : NOT_UNIFORM;
}

// Emits n pixels from `at` on, which is column i, all of whose bytes are `byte`. They repeat the last byte of the pixel
// before, if that is `byte`, or else their own first byte.
static inline void emit_uniform(emitter *e, const unsigned char *at, size_t i, size_t n, uint8_t byte,
                                size_t pixel_bytes) {
  uint32_t before = i ? file_pixel(e, sj_load_pixel(at - 4)) >> (8 * pixel_bytes - 8) & 0xff : e->filter;
  size_t bytes = n * pixel_bytes;
  if (before != byte) {
    emit_byte(e, byte);
    bytes--;
  }
  // After the first match a long run uses the distance of all other runs, which has the shortest code.
  size_t first = bytes > 2 * SJ_MAX_MATCH ? SJ_MAX_MATCH : bytes;
  emit_match(e, first, 1);
  if (bytes > first) emit_match(e, bytes - first, pixel_bytes);
  e->follow = i + n < e->deflate->width ? at : NULL;
}

typedef struct {
  size_t length, distance, column;  // pixels, bytes; the column of `from`
  const unsigned char *from;
} match;

#define COLUMNS ((size_t)1 << 16)  // that a hash_entry can tell apart

// Returns, for wide rows, the column with these lowest bits that is nearest before column i of the row, or before the
// end of a row above.
static size_t nearest_column(size_t width, size_t i, size_t column, size_t rows_back) {
  size_t end = rows_back ? width - 1 : i;
  return end - ((end - column) & (COLUMNS - 1));
}

// Returns the match of the pixel at column i of row y with the place that the entry remembers, if that is within the
// window; of length 0 if the pixels differ after all. The entry then remembers this place.
static inline match look_up(const emitter *e, hash_entry *entry, const unsigned char *row, size_t y, size_t i,
                            size_t pixel_bytes) {
  const size_t width = e->deflate->width;
  hash_entry seen = *entry;
  *entry = (hash_entry){(uint16_t)i, (uint16_t)(y + 1)};
  size_t x = seen.column, rows_back = y + 1 - seen.row_plus_one;
  if (width > COLUMNS) x = nearest_column(width, i, x, rows_back);
  size_t bytes = rows_back * (width * pixel_bytes + 1) + i * pixel_bytes - x * pixel_bytes;
  if (!seen.row_plus_one || bytes - 1 >= WINDOW) return (match){0};
  const unsigned char *from = row - rows_back * e->stride + 4 * x;
  return (match){sj_match_length(row + 4 * i, from, x > i ? width - x : width - i), bytes, x, from};
}

static inline int32_t literal_cost(const emitter *e, uint32_t pixel, size_t pixel_bytes) {
  pixel = file_pixel(e, pixel);
  int32_t bits = 0;
  for (size_t k = 0; k < pixel_bytes; k++) bits += e->deflate->block.costs.literal[pixel >> 8 * k & 0xff];
  return bits;
}

static inline int32_t match_cost(const emitter *e, size_t bytes, size_t distance) {
  const sj_deflate_costs *costs = &e->deflate->block.costs;
  int extra_bits;
  return costs->length[bytes] + costs->distance[sj_distance_symbol((uint32_t)distance, &extra_bits)];
}

// Rates a match of a pixel that comes `run` times in a row: its cost less what it saves, in bits. If it is shorter than
// the run, the rest costs a run.
static inline int32_t rate_match(const emitter *e, const match *m, size_t run, size_t pixel_bytes) {
  size_t bytes = run >= LONG_RUN ? 4 : m->length * pixel_bytes;
  int32_t cost = match_cost(e, bytes < SJ_MAX_MATCH ? bytes : SJ_MAX_MATCH, m->distance);
  if (m->length < run || run >= LONG_RUN) return cost + RUN_COST;
  return cost - PIXEL_WORTH * (int32_t)(m->length - run);
}

static inline void prefer_cheaper(match *best, match other, int32_t *least, int32_t cost) {
  if (cost >= *least) return;
  *best = other;
  *least = cost;
}

// Chooses how to encode the pixel at column i of row y, which no run continues: with a match, or, if the result has the
// length 0, as a literal.
static inline match find_match(const emitter *e, const unsigned char *row, const unsigned char *above, size_t y,
                               size_t i, size_t pixel_bytes) {
  const size_t width = e->deflate->width;
  const unsigned char *at = row + 4 * i;
  uint32_t pixel = sj_load_pixel(at);
  size_t run = 1 + (i + 1 < width ? sj_run_length(at + 4, at_most(width - i - 1, LONG_RUN), pixel) : 0);
  match best = {0};
  int32_t least = INT32_MAX;
  if (above && sj_load_pixel(above + 4 * i) == pixel) {
    best.length = sj_match_length(at, above + 4 * i, width - i);
    best.distance = e->above_distance;
    best.column = i;
    best.from = above + 4 * i;
    least = rate_match(e, &best, run, pixel_bytes);
  }
  if (best.length < ENOUGH && i + 1 < width) {
    hash_entry *pair = &e->deflate->tables.pairs[hash_pair(pixel, sj_load_pixel(at + 4))];
    match other = look_up(e, pair, row, y, i, pixel_bytes);
    if (other.length > 1 && other.length * pixel_bytes >= SJ_MIN_MATCH)
      prefer_cheaper(&best, other, &least, rate_match(e, &other, run, pixel_bytes));
  }
  if (pixel_bytes < SJ_MIN_MATCH) return best;
  // A single pixel is worth a match, too: edges repeat few colours, whose bytes take nearly eight bits each.
  match other = look_up(e, &e->deflate->tables.singles[hash_single(pixel)], row, y, i, pixel_bytes);
  if (other.length && best.length < ENOUGH)
    prefer_cheaper(&best, other, &least, rate_match(e, &other, run, pixel_bytes));
  if (best.length <= run || run >= LONG_RUN)
    prefer_cheaper(&best, (match){0}, &least, literal_cost(e, pixel, pixel_bytes) + (run > 1 ? RUN_COST : 0) - 1);
  return best;
}

// Returns whether the row above is in the stream as pixels, or equals one that is, so that matches may refer to it.
static bool has_above(const emitter *e) { return e->above_distance && e->above_distance <= WINDOW; }

// Emits row y, which the filter has made, with runs, matches and literals. pixel_bytes is a constant at each call, so
// that loops over it unroll.
static inline void match_row(emitter *e, size_t y, uint8_t filter, const size_t pixel_bytes) {
  const size_t width = e->deflate->width;
  const size_t shortest = (SJ_MIN_MATCH + pixel_bytes - 1) / pixel_bytes;  // the least pixels of a match
  const unsigned char *row = e->pixels + y * e->stride;
  const unsigned char *above = has_above(e) ? row - e->stride : NULL;
  emit_byte(e, e->filter = filter);
  e->follow = NULL;
  sj_adler_pixels(&e->adler, filter, 1, 1);
  for (size_t i = 0; i < width;) {
    uint32_t pixel = sj_load_pixel(row + 4 * i);
    if (i && sj_load_pixel(row + 4 * i - 4) == pixel) {
      size_t run = sj_run_length(row + 4 * i, width - i, pixel);
      // A run costs the fewest bits, so a match with the row above must be clearly longer.
      size_t up = above && run < 32 && sj_load_pixel(above + 4 * i) == pixel
                      ? sj_match_length(row + 4 * i, above + 4 * i, width - i)
                      : 0;
      if (run >= shortest && run + 2 >= up) {
        sj_adler_pixels(&e->adler, file_pixel(e, pixel), run, pixel_bytes);
        emit_pixels(e, row + 4 * i, i, row + 4 * i - 4, i - 1, run, pixel_bytes, pixel_bytes);
        i += run;
        continue;
      }
    }
    uint32_t uniform = uniform_byte(pixel_bytes < 3 ? file_pixel(e, pixel) : pixel, pixel_bytes);
    if (uniform != NOT_UNIFORM) {
      size_t n = sj_run_length(row + 4 * i, width - i, pixel);
      size_t up = above && n < 32 && sj_load_pixel(above + 4 * i) == pixel
                      ? sj_match_length(row + 4 * i, above + 4 * i, width - i)
                      : 0;
      if (n > shortest && up <= n + 2) {
        sj_adler_pixels(&e->adler, uniform * 0x01010101, n, pixel_bytes);
        emit_uniform(e, row + 4 * i, i, n, (uint8_t)uniform, pixel_bytes);
        i += n;
        continue;
      }
    }
    match best = find_match(e, row, above, y, i, pixel_bytes);
    if (best.length >= shortest) {
      best.length = sum_match(e, row + 4 * i, best.length, pixel_bytes, shortest);
      emit_pixels(e, row + 4 * i, i, best.from, best.column, best.length, best.distance, pixel_bytes);
      i += best.length;
    } else {
      emit_literal(e, pixel, pixel_bytes);
      i++;
    }
  }
}

static void match_row_of(emitter *e, size_t y, uint8_t filter) {
  switch (e->deflate->pixel_bytes) {
    case 1: match_row(e, y, filter, 1); break;
    case 2: match_row(e, y, filter, 2); break;
    case 3: match_row(e, y, filter, 3); break;
    default: match_row(e, y, filter, 4); break;
  }
}

// --- rows ---

// Returns whether row y equals the one above it, which is in memory. Such a row is a run of zeros with the filter that
// leaves what differs from the row above, unless it is one anyhow.
static bool is_equal(const emitter *e, const unsigned char *row, sj_row_runs runs) {
  size_t width = e->deflate->width;
  if (runs != SJ_ROW_UNSEEN && runs != SJ_ROW_EQUALS) return false;
  if (runs == SJ_ROW_UNSEEN && memcmp(row, row - e->stride, 4 * width) != 0) return false;
  uint32_t pixel = sj_load_pixel(row);
  return file_pixel(e, pixel) << (32 - 8 * e->deflate->pixel_bytes) || sj_run_length(row, width, pixel) < width;
}

// How a row stands in the stream: what is matched are its pixels; its bytes, filtered where they are amounts; or what
// differs from the row above, which it equals nearly everywhere, or everywhere.
typedef enum { PIXELS, BYTES, REPEATED, EQUAL } row_kind;

// Returns how row y will stand, of whose rows above rows_above + y are in memory. Bytes are matched where colours
// change smoothly, of indices of colours that change often, and where a row would need pixels of the row above that are
// not in the stream, since that row is filtered.
static row_kind kind_of(const emitter *e, ptrdiff_t y, size_t rows_above) {
  const sj_deflate *d = e->deflate;
  if (d->thorough) return BYTES;
  const unsigned char *row = e->pixels + y * (ptrdiff_t)e->stride;
  const unsigned char *above = y + (ptrdiff_t)rows_above > 0 ? row - e->stride : NULL;
  sj_row_runs runs = y >= 0 && e->runs ? e->runs[y] : SJ_ROW_UNSEEN;
  if (above && is_equal(e, row, runs)) return EQUAL;
  if (above && sj_row_repeats_above(row, above, d->width, runs)) return REPEATED;
  if (d->kind != SJ_ROWS_FILTERED) return d->kind == SJ_ROWS_OF_BYTES ? BYTES : PIXELS;
  if (runs == SJ_ROW_EQUALS || (runs != SJ_ROW_UNSEEN && sj_is_flat(runs, d->width))) return PIXELS;
  bool smooth = sj_row_is_smooth(row, above, d->width);
  return smooth || (above && !has_above(e) && sj_row_follows(row, above, d->width)) ? BYTES : PIXELS;
}

static uint32_t emit_equal(emitter *e) {
  const sj_deflate *d = e->deflate;
  sj_adler adler = sj_adler_begin(1);
  sj_adler_pixels(&adler, SJ_FILTER_UP, 1, 1);
  sj_adler_pixels(&adler, 0, d->width, d->pixel_bytes);
  emit_byte(e, SJ_FILTER_UP);
  emit_byte(e, 0);
  size_t bytes = d->width * d->pixel_bytes - 1;
  if (bytes >= SJ_MIN_MATCH) emit_match(e, bytes, 1);
  for (; bytes < SJ_MIN_MATCH && bytes; bytes--) emit_byte(e, 0);
  return sj_adler_end(&adler);
}

static uint32_t emit_row_of_pixels(emitter *e, size_t y) {
  e->adler = sj_adler_begin(1);
  match_row_of(e, y, SJ_FILTER_NONE);
  return sj_adler_end(&e->adler);
}

static bool is_full(const sj_deflate *d) {
  const sj_deflate_block *block = &d->block;
  return block->max_sequences - block->sequence_count < row_sequences(d->width) + 1 ||
         block->max_literals - block->literal_count < d->width * d->pixel_bytes + 1;
}

// Encodes a band. *unsure becomes whether its rows may be better off as bytes, all of them: colours, and greys of which
// a quarter were.
static bool encode(sj_deflate *d, const void *pixels, size_t stride, size_t rows, size_t rows_above,
                   const sj_row_runs *runs, bool last, sj_byte_array *output, uint32_t *adler, bool *unsure) {
  const size_t row_bytes = d->width * d->pixel_bytes + 1;
  sj_deflate_block *block = &d->block;
  sj_deflate_block_begin(block, output);
  memset(&d->tables, 0, sizeof d->tables);
  d->places_ready = false;
  emitter e = {.deflate = d,
               .pixels = pixels,
               .stride = stride,
               .runs = runs,
               .unpremultiply = !sj_format_is_straight(d->format),
               .greys = !d->greys             ? 0
                        : d->pixel_bytes == 1 ? 0xff
                                              : 0xffff,
               .swap = sj_format_is_blue_first(d->format)};
  *adler = 1;
  size_t of_kind[4] = {0};
  row_kind kind = rows_above ? kind_of(&e, -1, rows_above) : PIXELS;
  // In the stream, filtered rows are not what they are in memory: rows of one kind never refer to those of the other.
  // What kind the row above the band has may depend on the rows above it: PIXELS are those that are so in any case.
  if (rows_above && kind == PIXELS) e.above_distance = row_bytes;
  for (size_t y = 0; y < rows; y++) {
    row_kind before = kind;
    kind = kind_of(&e, (ptrdiff_t)y, rows_above);
    bool bytes = kind == BYTES || kind == REPEATED;
    of_kind[kind]++;
    if (bytes && !d->places_ready && !(d->places_ready = sj_make_room_for_bytes(d))) return false;
    if (is_full(d) && !sj_deflate_block_put(block, false)) return false;
    e.next = block->sequences + block->sequence_count;
    e.literal = block->literals + block->literal_count;
    uint32_t sum = kind == EQUAL      ? emit_equal(&e)
                   : kind == REPEATED ? sj_emit_repeated(&e, y)
                   : kind == BYTES    ? sj_emit_bytes(&e, y, rows_above || y, y && before == BYTES)
                                      : emit_row_of_pixels(&e, y);
    *adler = sj_adler32_combine(*adler, sum, row_bytes);
    if (e.open.literals) close_sequence(&e, 0, 0, 0);
    block->sequence_count = (size_t)(e.next - block->sequences);
    block->literal_count = (size_t)(e.literal - block->literals);
    // Below equal rows the first of them is what a row may refer to.
    e.above_distance = kind == PIXELS                      ? row_bytes
                       : kind == EQUAL && e.above_distance ? e.above_distance + row_bytes
                                                           : 0;
  }
  *unsure = d->pixel_bytes > 2 || (of_kind[PIXELS] && 4 * of_kind[BYTES] >= rows);
  return sj_deflate_block_end(block, last);
}

// A band of at most so many bytes, those of 64 x 64 pixels, may be encoded in a second way, since rows of one kind
// never refer to those of the other. (Of 821 documents at 32 px eleven were larger than 1.2 of resvg's for that, up
// to 1.6.)
#define SMALL 16448u

bool sj_deflate_band(sj_deflate *d, const void *pixels, size_t stride, size_t rows, size_t rows_above,
                     const sj_row_runs *runs, bool last, sj_byte_array *output, uint32_t *adler) {
  size_t before = output->count;
  bool unsure;
  if (!encode(d, pixels, stride, rows, rows_above, runs, last, output, adler, &unsure)) return false;
  if (!unsure || d->kind != SJ_ROWS_FILTERED || rows * (d->width * d->pixel_bytes + 1) > SMALL) return true;
  sj_byte_array other = {0};
  uint32_t sum;
  d->thorough = true;
  bool good = encode(d, pixels, stride, rows, rows_above, runs, last, &other, &sum, &unsure);
  d->thorough = false;
  if (good && other.count < output->count - before) {
    memcpy(output->data + before, other.data, other.count);
    output->count = before + other.count;
    *adler = sum;
  }
  sj_array_finish(d->context, &other);
  return good;
}
