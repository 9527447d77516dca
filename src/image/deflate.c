#include "image/deflate.h"

#include "base/wraps.h"
#include "image/checksum.h"
#include "image/deflate_block.h"
#include "image/pixel.h"
#include "image/run.h"

#define WINDOW 32768u  // the largest distance, in bytes

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

#define HASH_BITS 12

// The most sequences that a row needs: each pixel may be a match, which may take three parts (258 bytes repeated, and a
// rest that may be split), and there may be literals at the end.
static size_t row_sequences(size_t width) { return 3 * width + 1; }

// Where a pixel, or a pair of pixels, was seen last. 0 as row_plus_one: nowhere.
typedef struct {
  uint16_t column, row_plus_one;  // the column's lowest bits
} hash_entry;

struct sj_deflate {
  stijl_context *context;
  stijl_format format;
  size_t width, pixel_bytes;
  sj_deflate_block block;
  hash_entry pairs[1 << HASH_BITS], singles[1 << HASH_BITS];
  uint8_t *rows[2];  // for filters: the bytes of the row above and of this row, each behind MAX_PIXEL_BYTES zeros
};

#define MAX_PIXEL_BYTES 4

static size_t at_most(size_t n, size_t most) { return n < most ? n : most; }

sj_deflate *sj_deflate_create(stijl_context *context, stijl_format format, size_t width, size_t rows,
                              size_t pixel_bytes) {
  sj_deflate *d = sj_alloc_zero(context, sizeof *d);
  if (!d) return NULL;
  d->context = context;
  d->format = format;
  d->width = width;
  d->pixel_bytes = pixel_bytes;
  size_t row_bytes = width * pixel_bytes + 1;
  for (int i = 0; i < 2; i++) {
    d->rows[i] = sj_alloc_zero(context, MAX_PIXEL_BYTES + row_bytes + MAX_PIXEL_BYTES);
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
  sj_free(d->context, d);
}

SJ_WRAPS static inline uint32_t hash_single(uint32_t pixel) { return pixel * UINT32_C(0x9e3779b1) >> (32 - HASH_BITS); }

SJ_WRAPS static inline uint32_t hash_pair(uint32_t first, uint32_t second) {
  return (uint32_t)(((uint64_t)first << 32 | second) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HASH_BITS));
}

// Appends literals and matches to the block.
typedef struct {
  sj_deflate *deflate;
  const unsigned char *pixels;  // of the band
  size_t stride;
  bool unpremultiply, swap;     // how source pixels become those of the file
  sj_sequence open;             // takes literals until a match closes it
  sj_sequence *next;            // where the next sequence goes
  uint8_t *literal;             // where the next literal goes
  const unsigned char *follow;  // directly after a match: the pixel with which it would continue; else NULL
  sj_adler adler;
} emitter;

// Returns a pixel as it is in the file.
static inline uint32_t file_pixel(const emitter *e, uint32_t pixel) {
  if (e->unpremultiply && pixel < SJ_ALPHA) pixel = sj_unpremultiply(pixel);
  return e->swap ? sj_swap_red_blue(pixel) : pixel;
}

// Returns the bits in which two pixels differ in the file.
static inline uint32_t difference(const emitter *e, uint32_t a, uint32_t b) {
  return e->unpremultiply && (a & b) < SJ_ALPHA ? file_pixel(e, a) ^ file_pixel(e, b)
         : e->swap                              ? sj_swap_red_blue(a ^ b)
                                                : a ^ b;
}

static inline void emit_byte(emitter *e, uint8_t byte) {
  *e->literal++ = byte;
  e->open.literals++;
}

static inline void emit_literal(emitter *e, uint32_t pixel, size_t pixel_bytes) {
  uint32_t p = file_pixel(e, pixel);
  sj_adler_pixels(&e->adler, p, 1, pixel_bytes);
  size_t skip = 0;
  if (e->follow) {  // the match before it is extended by the first bytes that fit
    uint32_t d = difference(e, pixel, sj_load_pixel(e->follow));
    sj_sequence *last = &e->next[-1];
    if (!(d & 0xff) && last->repeat == 1) {
      skip = d ? (size_t)__builtin_ctz(d) >> 3 : 0;
      if (skip > SJ_MAX_MATCH - last->length) skip = SJ_MAX_MATCH - last->length;
      last->length = (uint16_t)(last->length + skip);
      p >>= 8 * skip;
    }
    e->follow = NULL;
  }
  memcpy(e->literal, &p, 4);
  e->literal += pixel_bytes - skip;
  e->open.literals += (uint32_t)(pixel_bytes - skip);
}

// Gives the open sequence its match.
static inline void close_sequence(emitter *e, size_t bytes, size_t distance, size_t repeat) {
  e->open.length = (uint16_t)bytes;
  e->open.distance = (uint16_t)distance;
  e->open.repeat = (uint16_t)repeat;
  *e->next++ = e->open;
  e->open = (sj_sequence){0};
}

static inline void emit_match(emitter *e, size_t bytes, size_t distance) {
  if (bytes >= SJ_MAX_MATCH) {
    size_t repeat = bytes / SJ_MAX_MATCH;
    close_sequence(e, SJ_MAX_MATCH, distance, repeat);
    bytes -= repeat * SJ_MAX_MATCH;
    if (bytes && bytes < SJ_MIN_MATCH) {  // the rest is too short for a match, so the last match gives it some bytes
      sj_sequence *last = &e->next[-1];
      if (--last->repeat == 0) {
        last->length = (uint16_t)(SJ_MAX_MATCH - SJ_MIN_MATCH);
        last->repeat = 1;
      } else {
        close_sequence(e, SJ_MAX_MATCH - SJ_MIN_MATCH, distance, 1);
      }
      bytes += SJ_MIN_MATCH;
    }
  }
  if (bytes) close_sequence(e, bytes, distance, 1);
}

// Emits n pixels from `at` on, which is column i, as a match with those from `from` on, which is column x.
static inline void emit_pixels(emitter *e, const unsigned char *at, size_t i, const unsigned char *from, size_t x,
                               size_t n, size_t distance, size_t pixel_bytes) {
  size_t bytes = n * pixel_bytes;
  // The last bytes of the pixel before may match, too.
  if (i && x && e->open.literals) {
    uint32_t d = difference(e, sj_load_pixel(at - 4), sj_load_pixel(from - 4));
    d <<= 32 - 8 * pixel_bytes;
    size_t more = d ? (size_t)__builtin_clz(d) >> 3 : pixel_bytes;
    if (more > e->open.literals) more = e->open.literals;
    e->open.literals -= (uint32_t)more;
    e->literal -= more;
    bytes += more;
  }
  emit_match(e, bytes, distance);
  e->follow = (x > i ? x : i) + n < e->deflate->width ? from + 4 * n : NULL;
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

// If all bytes of the pixel in the file are 0, or all are 255, returns that byte: these are the cheapest literals.
static inline uint32_t uniform_byte(uint32_t pixel, size_t pixel_bytes) {
  if (pixel == UINT32_MAX && pixel_bytes > 2) return 255;
  return pixel == (pixel_bytes == 3 ? SJ_ALPHA : 0) ? 0 : NOT_UNIFORM;
}

// Emits n pixels from `at` on, which is column i, all of whose bytes are `byte`. They repeat the last byte of the pixel
// before, if that is `byte`, or else their own first byte.
static inline void emit_uniform(emitter *e, const unsigned char *at, size_t i, size_t n, uint8_t byte,
                                size_t pixel_bytes) {
  uint32_t before = i ? file_pixel(e, sj_load_pixel(at - 4)) >> (8 * pixel_bytes - 8) & 0xff : 0;
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

// In wide rows: the column with these lowest bits that is nearest before column i of the row, or before the end of a row
// above.
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
    best.distance = width * pixel_bytes + 1;
    best.column = i;
    best.from = above + 4 * i;
    least = rate_match(e, &best, run, pixel_bytes);
  }
  if (best.length < ENOUGH && i + 1 < width) {
    hash_entry *pair = &e->deflate->pairs[hash_pair(pixel, sj_load_pixel(at + 4))];
    match other = look_up(e, pair, row, y, i, pixel_bytes);
    if (other.length > 1) prefer_cheaper(&best, other, &least, rate_match(e, &other, run, pixel_bytes));
  }
  if (pixel_bytes < SJ_MIN_MATCH) return best;
  // A single pixel is worth a match, too: edges repeat few colours, whose bytes take nearly eight bits each.
  match other = look_up(e, &e->deflate->singles[hash_single(pixel)], row, y, i, pixel_bytes);
  if (other.length && best.length < ENOUGH)
    prefer_cheaper(&best, other, &least, rate_match(e, &other, run, pixel_bytes));
  if (best.length <= run || run >= LONG_RUN)
    prefer_cheaper(&best, (match){0}, &least, literal_cost(e, pixel, pixel_bytes) + (run > 1 ? RUN_COST : 0) - 1);
  return best;
}

// Emits row y with runs, matches and literals. pixel_bytes is a constant at each call, so that loops over it unroll.
static inline void match_row(emitter *e, size_t y, bool has_above, const size_t pixel_bytes) {
  const size_t width = e->deflate->width, row_bytes = width * pixel_bytes + 1;
  const size_t shortest = pixel_bytes < SJ_MIN_MATCH ? 2 : 1;  // the least pixels of a match
  const unsigned char *row = e->pixels + y * e->stride;
  const unsigned char *above = has_above && row_bytes <= WINDOW ? row - e->stride : NULL;
  emit_byte(e, 0);
  e->follow = NULL;
  sj_adler_pixels(&e->adler, 0, 1, 1);
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
    uint32_t uniform = uniform_byte(pixel, pixel_bytes);
    if (uniform != NOT_UNIFORM) {
      size_t n = sj_run_length(row + 4 * i, width - i, pixel);
      size_t up = above && n < 32 && sj_load_pixel(above + 4 * i) == pixel
                      ? sj_match_length(row + 4 * i, above + 4 * i, width - i)
                      : 0;
      if (n >= 2 && up <= n + 2) {
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

// --- filters (PNG, 9) ---

enum { FILTER_SUB = 1, FILTER_UP, FILTER_AVERAGE, FILTER_PAETH, FILTERS };

// Predicts a byte from those of the pixel to the left (a), of the pixel above (b), and of the pixel above left (c).
static inline int prediction(int filter, int a, int b, int c) {
  if (filter == FILTER_SUB) return a;
  if (filter == FILTER_UP) return b;
  if (filter == FILTER_AVERAGE) return (a + b) >> 1;
  int pa = b > c ? b - c : c - b, pb = a > c ? a - c : c - a, pc = a + b - 2 * c;
  pc = pc < 0 ? -pc : pc;
  int other = pb <= pc ? b : c;
  return pa <= (pb < pc ? pb : pc) ? a : other;
}

// Filters a row, and returns the sum of what is left, as signed bytes. The less that is, the better it will compress.
static inline uint32_t filter_by(int filter, uint8_t *restrict to, const uint8_t *row, const uint8_t *above,
                                 size_t bytes, size_t pixel_bytes) {
  const uint8_t *before = row - pixel_bytes, *above_before = above - pixel_bytes;
  uint32_t sum = 0;
  for (size_t i = 0; i < bytes; i++) {
    int left = row[i] - prediction(filter, before[i], above[i], above_before[i]);
    to[i] = (uint8_t)(left & 255);
    sum += (uint32_t)(to[i] < 128 ? to[i] : 256 - to[i]);
  }
  return sum;
}

static uint32_t filter_row(int filter, uint8_t *to, const uint8_t *row, const uint8_t *above, size_t bytes,
                           size_t pixel_bytes) {
  switch (filter) {
    case FILTER_SUB: return filter_by(FILTER_SUB, to, row, row, bytes, pixel_bytes);
    case FILTER_UP: return filter_by(FILTER_UP, to, row, above, bytes, pixel_bytes);
    case FILTER_AVERAGE: return filter_by(FILTER_AVERAGE, to, row, above, bytes, pixel_bytes);
    default: return filter_by(FILTER_PAETH, to, row, above, bytes, pixel_bytes);
  }
}

// Writes a row's bytes in the file behind the zeros of `bytes`, and returns where they begin.
static uint8_t *load_bytes(const emitter *e, const unsigned char *row, uint8_t *bytes) {
  size_t pixel_bytes = e->deflate->pixel_bytes;
  bytes += MAX_PIXEL_BYTES;
  for (size_t i = 0; i < e->deflate->width; i++) {
    uint32_t pixel = file_pixel(e, sj_load_pixel(row + 4 * i));
    memcpy(bytes + i * pixel_bytes, &pixel, 4);
  }
  return bytes;
}

// Emits row y as literals, with the filter that leaves least, and returns the checksum. `has_above`: the row above is
// in memory.
static uint32_t emit_filtered(emitter *e, size_t y, bool has_above, uint32_t adler) {
  sj_deflate *d = e->deflate;
  size_t bytes = d->width * d->pixel_bytes;
  const unsigned char *pixels = e->pixels + y * e->stride;
  const uint8_t *above = has_above ? load_bytes(e, pixels - e->stride, d->rows[0]) : NULL;
  const uint8_t *row = load_bytes(e, pixels, d->rows[1]);
  uint8_t *to = e->literal;
  int best = FILTER_SUB, last = FILTER_SUB;
  uint32_t least = filter_row(FILTER_SUB, to + 1, row, above, bytes, d->pixel_bytes);
  for (int filter = FILTER_UP; filter < FILTERS && has_above; filter++) {
    uint32_t sum = filter_row(last = filter, to + 1, row, above, bytes, d->pixel_bytes);
    if (sum >= least) continue;
    least = sum;
    best = filter;
  }
  if (best != last) filter_row(best, to + 1, row, above, bytes, d->pixel_bytes);
  to[0] = (uint8_t)best;
  e->literal += 1 + bytes;
  e->open.literals += (uint32_t)(1 + bytes);
  return sj_adler32(adler, to, 1 + bytes);
}

// Whether row y is like a photograph's: less than a quarter of its pixels equal the one to the left or above.
// rows_above rows above row 0 are in memory. Drawn pictures would be larger with filters, and photographs twice as
// large without.
static bool is_photographic(const emitter *e, ptrdiff_t y, size_t rows_above) {
  size_t width = e->deflate->width, same = 0;
  if (e->deflate->pixel_bytes < 3) return false;
  const unsigned char *row = e->pixels + y * (ptrdiff_t)e->stride;
  const unsigned char *above = y + (ptrdiff_t)rows_above > 0 ? row - e->stride : row - 4;
  for (size_t x = 1; x < width; x++) {
    uint32_t pixel = sj_load_pixel(row + 4 * x);
    // Of both, so that a processor need not guess.
    size_t left = pixel == sj_load_pixel(row + 4 * x - 4), up = pixel == sj_load_pixel(above + 4 * x);
    same += left | up;
  }
  return width > 1 && 4 * same < width;
}

bool sj_deflate_band(sj_deflate *d, const void *pixels, size_t stride, size_t rows, size_t rows_above, bool last,
                     sj_byte_array *output, uint32_t *adler) {
  sj_deflate_block *block = &d->block;
  sj_deflate_block_begin(block, output);
  memset(d->pairs, 0, sizeof d->pairs);
  memset(d->singles, 0, sizeof d->singles);
  emitter e = {.deflate = d,
               .pixels = pixels,
               .stride = stride,
               .unpremultiply = !sj_format_is_straight(d->format),
               .swap = sj_format_is_blue_first(d->format)};
  *adler = 1;
  // In the stream, filtered rows are not what they are in memory, so matches must not refer to them.
  bool filtered = rows_above && is_photographic(&e, -1, rows_above);
  for (size_t y = 0; y < rows; y++) {
    bool in_memory = rows_above || y, has_above = in_memory && !filtered;
    filtered = is_photographic(&e, (ptrdiff_t)y, rows_above);
    if (block->max_sequences - block->sequence_count < row_sequences(d->width) + 1 ||
        block->max_literals - block->literal_count < d->width * d->pixel_bytes + 1) {
      if (!sj_deflate_block_put(block, false)) return false;
    }
    e.next = block->sequences + block->sequence_count;
    e.literal = block->literals + block->literal_count;
    e.adler = sj_adler_begin(*adler);
    switch (filtered ? 0 : d->pixel_bytes) {
      case 0: *adler = emit_filtered(&e, y, in_memory, *adler); break;
      case 3: match_row(&e, y, has_above, 3); break;
      case 4: match_row(&e, y, has_above, 4); break;
      default: match_row(&e, y, has_above, 2); break;
    }
    if (e.open.literals) close_sequence(&e, 0, 0, 0);
    if (!filtered) *adler = sj_adler_end(&e.adler);
    block->sequence_count = (size_t)(e.next - block->sequences);
    block->literal_count = (size_t)(e.literal - block->literals);
  }
  return sj_deflate_block_end(block, last);
}
