// Rows whose bytes repeat at any place, as those do that one of PNG's filters has left small numbers of, and indices of
// smooth colours. So matches are looked for as general encoders do: by chains of places where four bytes have been.
#include "base/wraps.h"
#include "image/deflate_emit.h"
#include "image/png_filter.h"

#define WORD 4u  // bytes that a match has at least

// Found by trial, on 166 documents at three sizes.
#define DEPTH 24        // places of which a match is looked for
#define LAZY 16         // bytes; of a shorter match it is tried whether one that begins a byte later is longer,
#define LAZY_DEPTH 8    // at so many places
#define ENOUGH 32       // bytes; when a match is this long no better one is looked for
#define SURE_MATCH 12   // bytes; a longer one is always worth its symbols
#define SKIP_SHIFT 6    // after so many places without a match, as a power of two, one place more is skipped
#define LONG_RUN 128    // bytes; of a run of so many nothing else is looked for, as its distance takes the fewest bits
#define MATCH_COST 1    // bits that a match costs beside its symbols, for the literals around it
#define GREY_ENOUGH 64  // of filtered greys, which repeat oftener, since their pixels are one or two bytes

SJ_WRAPS static inline uint32_t hash_word(uint32_t word) { return word * UINT32_C(0x9e3779b1) >> (32 - PLACE_BITS); }

static inline uint32_t load_word(const uint8_t *p) {
  uint32_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

// A row's bytes in the file, with that of the filter, in d->bytes, which has the band's rows one after the other.
typedef struct {
  const uint8_t *bytes;
  size_t count, start;  // where it begins in d->bytes
} byte_row;

typedef struct {
  size_t length, distance;  // bytes; of length 0: none was found
} byte_match;

static inline size_t match_bytes(const uint8_t *a, const uint8_t *b, size_t most) {
  size_t n = 0;
  for (; n + 8 <= most; n += 8) {
    uint64_t x, y;
    memcpy(&x, a + n, 8);
    memcpy(&y, b + n, 8);
    if (x != y) return n + ((size_t)__builtin_ctzll(x ^ y) >> 3);
  }
  while (n < most && a[n] == b[n]) n++;
  return n;
}

// Returns the longest match of the bytes at i with those `distance` before. It ends with the row, and with that of
// those before, behind which there may be a row that is not in d->bytes.
static inline size_t length_at(const byte_row *row, size_t i, size_t distance) {
  size_t most = row->count - i;
  if (distance > i) {
    size_t left = (distance - i - 1) % row->count + 1;  // in the row of those before
    if (left < most) most = left;
  }
  return match_bytes(row->bytes + i, row->bytes + i - distance, most);
}

static inline bool is_grey(const sj_deflate *d) { return d->kind == SJ_ROWS_FILTERED && d->pixel_bytes < 3; }

static inline void remember_place(sj_deflate *d, uint32_t word, size_t at) {
  uint32_t *place = &d->places->last[hash_word(word)];
  d->places->earlier[at % WINDOW] = *place;
  *place = (uint32_t)at + 1;
}

// Looks for the longest match of the bytes at i, longer than `longer`, at up to `depth` places where these four have
// been before, the nearest ones first. i is then remembered.
static inline byte_match find_bytes(sj_deflate *d, const byte_row *row, size_t i, size_t longer, int depth) {
  uint32_t word = load_word(row->bytes + i);
  size_t at = row->start + i, seen = d->places->last[hash_word(word)];
  const uint8_t *bytes = row->bytes + i;
  const size_t enough = is_grey(d) ? GREY_ENOUGH : ENOUGH;
  byte_match best = {longer, 0};
  if (best.length < WORD - 1) best.length = WORD - 1;
  for (; seen && at + 1 - seen <= WINDOW && depth && i + best.length < row->count; depth--) {
    size_t distance = at + 1 - seen;
    seen = d->places->earlier[(seen - 1) % WINDOW];
    const uint8_t *from = bytes - distance;
    if (load_word(from) != word || load_word(from + best.length - 3) != load_word(bytes + best.length - 3)) continue;
    size_t length = length_at(row, i, distance);
    if (length <= best.length) continue;
    best = (byte_match){length, distance};
    if (length >= enough) break;
  }
  remember_place(d, word, at);
  return best.distance ? best : (byte_match){0};
}

// Returns whether a match takes fewer bits than the bytes as literals would.
static inline bool is_worth(const sj_deflate *d, const uint8_t *bytes, byte_match m) {
  const sj_deflate_costs *costs = &d->block.costs;
  if (m.length > SURE_MATCH) return true;
  int extra_bits, bits = 0, symbol = sj_distance_symbol((uint32_t)m.distance, &extra_bits);
  for (size_t k = 0; k < m.length; k++) bits += costs->literal[bytes[k]];
  return costs->length[m.length] + costs->distance[symbol] + MATCH_COST < bits;
}

static inline void emit_bytes(emitter *e, const uint8_t *bytes, size_t count) {
  memcpy(e->literal, bytes, count);
  e->literal += count;
  e->open.literals += (uint32_t)count;
}

static void remember(sj_deflate *d, const byte_row *row, size_t from, size_t to) {
  for (; from < to && from + WORD <= row->count; from++)
    remember_place(d, load_word(row->bytes + from), row->start + from);
}

// Returns how many bytes from `bytes` on, of n, are equal to the first one.
static inline size_t run_of_bytes(const uint8_t *bytes, size_t n) {
  if (n < WORD || load_word(bytes) != bytes[0] * UINT32_C(0x01010101)) return 1;
  return 1 + match_bytes(bytes + 1, bytes, n - 1);
}

// Returns how many of the n bytes of a match come before a long run, which would take the distance of the match, and
// its extra bits, for each 258 bytes.
static size_t before_run(const uint8_t *bytes, size_t n) {
  for (size_t i = 0; i + LONG_RUN / 2 <= n; i += LONG_RUN / 2) {
    size_t end = i + run_of_bytes(bytes + i, n - i), from = i;
    if (end == i + 1) continue;
    while (from && bytes[from - 1] == bytes[i]) from--;
    if (end - from >= LONG_RUN) return from;
  }
  return n;
}

static void emit_row(emitter *e, const byte_row *row) {
  sj_deflate *d = e->deflate;
  size_t literals = 0, misses = 0;  // the literals begin there
  for (size_t i = 0; i + WORD <= row->count;) {
    size_t run = run_of_bytes(row->bytes + i, row->count - i);
    if (run >= LONG_RUN) {
      size_t first = !i || row->bytes[i - 1] != row->bytes[i];  // a literal, which the others repeat
      emit_bytes(e, row->bytes + literals, i + first - literals);
      emit_match(e, run - first, 1);
      i = literals = i + run;
      remember(d, row, i - 3, i);
      misses = 0;
      continue;
    }
    byte_match m = find_bytes(d, row, i, 0, DEPTH);
    if (!m.length || !is_worth(d, row->bytes + i, m)) {
      i += 1 + (misses++ >> SKIP_SHIFT);
      continue;
    }
    misses = 0;
    size_t found = i;
    while (m.length < LAZY && i + 1 + WORD <= row->count) {
      byte_match next = find_bytes(d, row, found = i + 1, m.length, LAZY_DEPTH);
      if (next.length <= m.length) break;
      m = next;
      i++;
    }
    // Indices of colours have long runs of many colours, and rows that repeat them all.
    if (m.length >= LONG_RUN && d->kind == SJ_ROWS_FILTERED) {
      m.length = before_run(row->bytes + i, m.length);
      if (m.length < WORD) {
        i += m.length;
        continue;
      }
    }
    emit_bytes(e, row->bytes + literals, i - literals);
    emit_match(e, m.length, m.distance);
    size_t end = i + m.length;
    remember(d, row, found + 1, m.length < SJ_MAX_MATCH ? end : i + 4);
    if (m.length >= SJ_MAX_MATCH) remember(d, row, end - 3, end);  // of a longer match only the ends are remembered
    i = literals = end;
  }
  emit_bytes(e, row->bytes + literals, row->count - literals);
}

// Writes a row's bytes in the file behind the zeros of `bytes`, and returns where they begin.
static uint8_t *load_bytes(const emitter *e, const unsigned char *row, uint8_t *bytes) {
  size_t pixel_bytes = e->deflate->pixel_bytes;
  bytes += SJ_FILTER_MARGIN;
  for (size_t i = 0; i < e->deflate->width; i++) {
    uint32_t pixel = file_pixel(e, sj_load_pixel(row + 4 * i));
    memcpy(bytes + i * pixel_bytes, &pixel, 4);
  }
  return bytes;
}

// Makes the bytes of a row that is nearly the one above: zeros, but where pixels differ. Returns their checksum.
static uint32_t subtract_above(const emitter *e, const unsigned char *row, uint8_t *to) {
  const sj_deflate *d = e->deflate;
  const unsigned char *above = row - e->stride;
  sj_adler adler = sj_adler_begin(1);
  sj_adler_pixels(&adler, to[0] = SJ_FILTER_UP, 1, 1);
  memset(to + 1, 0, d->width * d->pixel_bytes);
  for (size_t x = 0; x < d->width;) {
    size_t same = sj_match_length(row + 4 * x, above + 4 * x, d->width - x);
    if (same) sj_adler_pixels(&adler, 0, same, d->pixel_bytes);
    if ((x += same) == d->width) break;
    uint32_t pixel = file_pixel(e, sj_load_pixel(row + 4 * x)), before = file_pixel(e, sj_load_pixel(above + 4 * x));
    uint8_t *at = to + 1 + d->pixel_bytes * x++;
    for (size_t k = 0; k < d->pixel_bytes; k++) {
      at[k] = (uint8_t)((int)(pixel >> 8 * k & 255) - (int)(before >> 8 * k & 255));
      sj_adler_pixels(&adler, at[k], 1, 1);
    }
  }
  return sj_adler_end(&adler);
}

// Makes the bytes of row y by the filter that leaves least, or without one where bytes are no amounts. `has_above`: the
// row above is in memory. `is_loaded`: and its bytes are in d->rows[1].
static void make_bytes(const emitter *e, size_t y, bool has_above, bool is_loaded, uint8_t *to) {
  sj_deflate *d = e->deflate;
  size_t bytes = d->width * d->pixel_bytes;
  const unsigned char *pixels = e->pixels + y * e->stride;
  uint8_t *spare = d->rows[0];
  d->rows[0] = d->rows[1];
  d->rows[1] = spare;
  const uint8_t *row = load_bytes(e, pixels, d->rows[1]);
  if (d->kind == SJ_ROWS_OF_BYTES) {
    to[0] = SJ_FILTER_NONE;
    memcpy(to + 1, row, bytes);
    return;
  }
  if (has_above && !is_loaded) load_bytes(e, pixels - e->stride, d->rows[0]);
  const uint8_t *above = has_above ? d->rows[0] + SJ_FILTER_MARGIN : NULL;
  int filter = sj_filter_choose(to + 1, row, above, bytes, d->pixel_bytes);
  to[0] = (uint8_t)filter;
  sj_filter_row(filter, to + 1, row, has_above ? above : row, bytes, d->pixel_bytes);
}

// A filtered row of colours of which fewer pixels, one in so many, equal their neighbour, is noise, in which matches
// are not looked for.
#define NOISE 4

static bool is_noise(const sj_deflate *d, const uint8_t *bytes) {
  size_t same = 0, pixel_bytes = d->pixel_bytes;
  uint32_t mask = UINT32_MAX >> (32 - 8 * pixel_bytes);
  // The last pixels are left out, behind which there may be no memory.
  for (size_t x = 0; x + 4 < d->width; x++, bytes += pixel_bytes)
    same += ((load_word(bytes) ^ load_word(bytes + pixel_bytes)) & mask) == 0;
  return same * NOISE < d->width;
}

bool sj_make_room_for_bytes(sj_deflate *d) {
  // Where a row of another kind would be, a search may look at bytes before it finds that a match ends there.
  if (!d->bytes) d->bytes = sj_alloc_zero(d->context, (d->width * d->pixel_bytes + 1) * d->max_rows);
  if (!d->places) d->places = sj_alloc(d->context, sizeof *d->places);
  if (!d->bytes || !d->places) return false;
  memset(d->places->last, 0, sizeof d->places->last);
  return true;
}

static byte_row row_at(const sj_deflate *d, size_t y) {
  size_t count = d->width * d->pixel_bytes + 1;
  return (byte_row){d->bytes + y * count, count, y * count};
}

uint32_t sj_emit_repeated(emitter *e, size_t y) {
  byte_row row = row_at(e->deflate, y);
  uint32_t sum = subtract_above(e, e->pixels + y * e->stride, e->deflate->bytes + row.start);
  emit_row(e, &row);
  return sum;
}

uint32_t sj_emit_bytes(emitter *e, size_t y, bool has_above, bool is_loaded) {
  const sj_deflate *d = e->deflate;
  byte_row row = row_at(d, y);
  make_bytes(e, y, has_above, is_loaded, d->bytes + row.start);
  // The first of equal rows is worth a search, and so is a small band.
  bool hasty = d->kind == SJ_ROWS_FILTERED && !is_grey(d) && is_loaded && !d->thorough;
  if (hasty && is_noise(d, row.bytes + 1))
    emit_bytes(e, row.bytes, row.count);
  else
    emit_row(e, &row);
  return sj_adler32(1, row.bytes, row.count);
}
