#include "image/deflate.h"

#include "image/checksum.h"
#include "image/huffman.h"
#include "image/pixel.h"
#include "image/run.h"

#define MAX_MATCH 258u
#define MIN_MATCH 3u
#define WINDOW 32768u

#define END_OF_BLOCK 256
#define LITERAL_SYMBOLS 286
#define DISTANCE_SYMBOLS 30
#define CODE_LENGTH_SYMBOLS 19
// Four literals, or a match with its extra bits, are put into the 64-bit accumulator at once: 7 + 4 * 14 bits.
#define MAX_CODE_BITS 14
#define MAX_CODE_LENGTH_BITS 7

// A block ends with the first row that reaches one of these: long enough to pay for its code tables.
#define BLOCK_SEQUENCES 16384u
#define BLOCK_LITERALS 32768u

#define HASH_BITS 12
#define LONG_RUN 64  // pixels; within a match found elsewhere, a run of this length is cut out

// A row has a match for each pixel at most, some in three parts (258 bytes repeated, and a rest that may be split), and
// literals at its end.
static size_t row_sequences(size_t width) { return 3 * width + 1; }

// The zero byte that begins a row, or not, then literal pixels, then `repeat` times the same match.
typedef struct {
  uint16_t literals, length, distance, repeat;
  bool starts_row;
} sequence;

typedef struct {
  uint16_t column, row_plus_one;  // where a pixel, or a pair, was seen last; row 0: nowhere
} hash_entry;

struct sj_deflate {
  stijl_context *context;
  stijl_format format;
  size_t width, pixel_bytes;

  sequence *sequences;  // of the block
  uint32_t *literals;   // as in the file
  size_t sequence_count, literal_count, max_sequences, max_literals;

  sj_bytes *output;
  uint64_t bits;  // not yet in the output, from the lowest
  int bit_count;

  hash_entry pairs[1 << HASH_BITS], singles[1 << HASH_BITS];
};

sj_deflate *sj_deflate_create(stijl_context *context, stijl_format format, size_t width, size_t rows,
                              size_t pixel_bytes) {
  sj_deflate *d = sj_alloc(context, sizeof *d);
  if (!d) return NULL;
  memset(d, 0, offsetof(sj_deflate, pairs));
  d->context = context;
  d->format = format;
  d->width = width;
  d->pixel_bytes = pixel_bytes;
  d->max_sequences = row_sequences(width) * rows;
  if (d->max_sequences > BLOCK_SEQUENCES + row_sequences(width))
    d->max_sequences = BLOCK_SEQUENCES + row_sequences(width);
  d->max_literals = width * rows < BLOCK_LITERALS ? width * rows : BLOCK_LITERALS + width;
  d->sequences = sj_alloc_array(context, d->max_sequences, sizeof *d->sequences);
  d->literals = sj_alloc_array(context, d->max_literals, sizeof *d->literals);
  if (d->sequences && d->literals) return d;
  sj_deflate_destroy(d);
  return NULL;
}

void sj_deflate_destroy(sj_deflate *d) {
  if (!d) return;
  sj_free(d->context, d->literals);
  sj_free(d->context, d->sequences);
  sj_free(d->context, d);
}

// --- writing bits ---

// The output must have room: sj_array_reserve before.
static inline void put_bits(sj_deflate *d, uint64_t value, int count) {
  d->bits |= value << d->bit_count;
  d->bit_count += count;
}

// Leaves at most 7 bits in the accumulator.
static inline void flush_bits(sj_deflate *d) {
  memcpy(d->output->data + d->output->count, &d->bits, 8);
  int bytes = d->bit_count >> 3;
  d->output->count += (size_t)bytes;
  d->bits = bytes < 8 ? d->bits >> 8 * bytes : 0;
  d->bit_count &= 7;
}

// --- RFC 1951, 3.2.5: symbols of lengths and distances ---

typedef struct {
  int symbol, extra_bits;
  uint32_t extra;
} coded;

static inline coded code_length(uint32_t length) {
  uint32_t l = length - MIN_MATCH;
  if (length == MAX_MATCH) return (coded){285, 0, 0};
  if (l < 8) return (coded){(int)(257 + l), 0, 0};
  int e = 29 - __builtin_clz(l);
  return (coded){257 + 4 * (e + 1) + (int)(l >> e & 3), e, l & ((1u << e) - 1)};
}

static inline coded code_distance(uint32_t distance) {
  uint32_t d = distance - 1;
  if (d < 4) return (coded){(int)d, 0, 0};
  int e = 30 - __builtin_clz(d);
  return (coded){2 * (e + 1) + (int)(d >> e & 1), e, d & ((1u << e) - 1)};
}

// --- blocks ---

typedef struct {
  uint32_t literal[LITERAL_SYMBOLS], distance[DISTANCE_SYMBOLS];
  uint64_t extra_bits;
} frequencies;

static void count_symbols(const sj_deflate *d, frequencies *f) {
  memset(f, 0, sizeof *f);
  f->literal[END_OF_BLOCK] = 1;
  // A table for each byte of the pixel, so that equal bytes side by side do not wait for each other.
  uint32_t tables[4][256] = {{0}};
  for (size_t i = 0; i < d->literal_count; i++)
    for (size_t k = 0; k < d->pixel_bytes; k++) tables[k][d->literals[i] >> 8 * k & 0xff]++;
  for (int b = 0; b < 256; b++) f->literal[b] += tables[0][b] + tables[1][b] + tables[2][b] + tables[3][b];
  for (size_t i = 0; i < d->sequence_count; i++) {
    const sequence *s = &d->sequences[i];
    f->literal[0] += s->starts_row;
    if (!s->length) continue;
    coded length = code_length(s->length), distance = code_distance(s->distance);
    f->literal[length.symbol] += s->repeat;
    f->distance[distance.symbol] += s->repeat;
    f->extra_bits += (uint64_t)s->repeat * (uint64_t)(length.extra_bits + distance.extra_bits);
  }
}

// The lengths of both codes as symbols 0..18 with repeats (RFC 1951, 3.2.7): symbol in the low byte, repeat count
// above.
static int pack_code_lengths(const uint8_t *lengths, int count, uint16_t *packed) {
  int n = 0;
  for (int i = 0; i < count;) {
    int run = 1;
    while (i + run < count && lengths[i + run] == lengths[i]) run++;
    int left = run;
    if (lengths[i] == 0) {
      while (left >= 3) {
        int piece = left < 138 ? left : 138;
        packed[n++] = (uint16_t)(piece <= 10 ? 17 | (piece - 3) << 8 : 18 | (piece - 11) << 8);
        left -= piece;
      }
    } else {
      packed[n++] = lengths[i];
      left--;
      while (left >= 3) {
        int piece = left < 6 ? left : 6;
        packed[n++] = (uint16_t)(16 | (piece - 3) << 8);
        left -= piece;
      }
    }
    for (; left; left--) packed[n++] = lengths[i];
    i += run;
  }
  return n;
}

static void put_code_tables(sj_deflate *d, const sj_huffman *literal, const sj_huffman *distance) {
  static const uint8_t order[CODE_LENGTH_SYMBOLS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  int literals = LITERAL_SYMBOLS, distances = DISTANCE_SYMBOLS;
  while (literals > 257 && !literal->lengths[literals - 1]) literals--;
  while (distances > 1 && !distance->lengths[distances - 1]) distances--;
  uint8_t lengths[LITERAL_SYMBOLS + DISTANCE_SYMBOLS];
  memcpy(lengths, literal->lengths, (size_t)literals);
  memcpy(lengths + literals, distance->lengths, (size_t)distances);
  uint16_t packed[LITERAL_SYMBOLS + DISTANCE_SYMBOLS];
  int count = pack_code_lengths(lengths, literals + distances, packed);
  uint32_t used[CODE_LENGTH_SYMBOLS] = {0};
  for (int i = 0; i < count; i++) used[packed[i] & 0xff]++;
  sj_huffman code;
  sj_huffman_build(&code, used, CODE_LENGTH_SYMBOLS, MAX_CODE_LENGTH_BITS);
  int codes = CODE_LENGTH_SYMBOLS;
  while (codes > 4 && !code.lengths[order[codes - 1]]) codes--;
  put_bits(d, (uint64_t)(literals - 257), 5);
  put_bits(d, (uint64_t)(distances - 1), 5);
  put_bits(d, (uint64_t)(codes - 4), 4);
  flush_bits(d);
  for (int i = 0; i < codes; i++) {
    put_bits(d, code.lengths[order[i]], 3);
    flush_bits(d);
  }
  for (int i = 0; i < count; i++) {
    int symbol = packed[i] & 0xff;
    put_bits(d, code.codes[symbol], code.lengths[symbol]);
    put_bits(d, (uint64_t)(packed[i] >> 8), symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
    flush_bits(d);
  }
}

static void put_matches(sj_deflate *d, const sequence *s, const sj_huffman *literal, const sj_huffman *distance) {
  coded l = code_length(s->length), t = code_distance(s->distance);
  uint64_t bits = literal->codes[l.symbol];
  int count = literal->lengths[l.symbol];
  bits |= (uint64_t)l.extra << count;
  count += l.extra_bits;
  bits |= (uint64_t)distance->codes[t.symbol] << count;
  count += distance->lengths[t.symbol];
  bits |= (uint64_t)t.extra << count;
  count += t.extra_bits;
  for (uint32_t left = s->repeat; left; flush_bits(d)) do
      put_bits(d, bits, count);
    while (--left && d->bit_count + count <= 63);
}

static inline void put_sequences(sj_deflate *d, const sj_huffman *literal, const sj_huffman *distance,
                                 size_t pixel_bytes) {
  const uint32_t *pixel = d->literals;
  for (size_t i = 0; i < d->sequence_count; i++) {
    const sequence *s = &d->sequences[i];
    if (s->starts_row) {
      put_bits(d, literal->codes[0], literal->lengths[0]);
      flush_bits(d);
    }
    for (uint32_t k = 0; k < s->literals; k++) {
      uint32_t p = *pixel++;
      for (size_t c = 0; c < pixel_bytes; c++, p >>= 8)
        put_bits(d, literal->codes[p & 0xff], literal->lengths[p & 0xff]);
      flush_bits(d);
    }
    if (s->length) put_matches(d, s, literal, distance);
  }
}

static bool put_block(sj_deflate *d, bool last) {
  frequencies f;
  count_symbols(d, &f);
  sj_huffman literal, distance;
  sj_huffman_build(&literal, f.literal, LITERAL_SYMBOLS, MAX_CODE_BITS);
  sj_huffman_build(&distance, f.distance, DISTANCE_SYMBOLS, MAX_CODE_BITS);
  uint64_t bits = f.extra_bits;
  for (int s = 0; s < LITERAL_SYMBOLS; s++) bits += (uint64_t)f.literal[s] * literal.lengths[s];
  for (int s = 0; s < DISTANCE_SYMBOLS; s++) bits += (uint64_t)f.distance[s] * distance.lengths[s];
  // The code tables take at most 14 + 19 * 3 + 316 * 14 bits; the accumulator is written as eight bytes.
  if (!sj_array_reserve(d->context, d->output, bits / 8 + 1024)) return false;
  put_bits(d, last, 1);
  put_bits(d, 2, 2);
  put_code_tables(d, &literal, &distance);
  switch (d->pixel_bytes) {  // constants, so that the loops over a pixel's bytes are unrolled
    case 3: put_sequences(d, &literal, &distance, 3); break;
    case 4: put_sequences(d, &literal, &distance, 4); break;
    default: put_sequences(d, &literal, &distance, 2); break;
  }
  put_bits(d, literal.codes[END_OF_BLOCK], literal.lengths[END_OF_BLOCK]);
  flush_bits(d);
  d->sequence_count = d->literal_count = 0;
  return true;
}

static bool end_band(sj_deflate *d, bool last) {
  if (!put_block(d, last)) return false;
  if (!sj_array_reserve(d->context, d->output, 32)) return false;
  if (!last) {  // an empty stored block, which begins at a byte
    put_bits(d, 0, 3);
    flush_bits(d);
    if (d->bit_count) put_bits(d, 0, 8 - d->bit_count);
    put_bits(d, 0xffff0000, 32);
  } else if (d->bit_count) {
    put_bits(d, 0, 8 - d->bit_count);
  }
  flush_bits(d);
  return true;
}

// --- matching ---

static inline uint32_t hash_single(uint32_t pixel) { return pixel * UINT32_C(0x9e3779b1) >> (32 - HASH_BITS); }

static inline uint32_t hash_pair(uint32_t first, uint32_t second) {
  return (uint32_t)(((uint64_t)first << 32 | second) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HASH_BITS));
}

typedef struct {
  sj_deflate *deflate;
  const unsigned char *pixels;  // of the band
  size_t stride;
  bool unpremultiply, swap;
  sequence open;  // takes literals until a match closes it
  sequence *next;
  uint32_t *literal;
  sj_adler adler;
} emitter;

// A pixel as in the file.
static inline uint32_t file_pixel(const emitter *e, uint32_t pixel) {
  if (e->unpremultiply && pixel < SJ_ALPHA) pixel = sj_unpremultiply(pixel);
  return e->swap ? sj_swap_red_blue(pixel) : pixel;
}

static inline void emit_literal(emitter *e, uint32_t pixel, size_t pixel_bytes) {
  pixel = file_pixel(e, pixel);
  sj_adler_pixels(&e->adler, pixel, 1, pixel_bytes);
  *e->literal++ = pixel;
  e->open.literals++;
}

static inline void close_sequence(emitter *e, size_t bytes, size_t distance, size_t repeat) {
  e->open.length = (uint16_t)bytes;
  e->open.distance = (uint16_t)distance;
  e->open.repeat = (uint16_t)repeat;
  *e->next++ = e->open;
  e->open = (sequence){0};
}

static inline void emit_match(emitter *e, size_t bytes, size_t distance) {
  if (bytes >= MAX_MATCH) {
    size_t repeat = bytes / MAX_MATCH;
    close_sequence(e, MAX_MATCH, distance, repeat);
    bytes -= repeat * MAX_MATCH;
    if (bytes && bytes < MIN_MATCH) {  // too short for a match: the last one gives some of its own
      sequence *last = &e->next[-1];
      if (--last->repeat == 0) {
        last->length = (uint16_t)(MAX_MATCH - MIN_MATCH);
        last->repeat = 1;
      } else {
        close_sequence(e, MAX_MATCH - MIN_MATCH, distance, 1);
      }
      bytes += MIN_MATCH;
    }
  }
  if (bytes) close_sequence(e, bytes, distance, 1);
}

// Adds pixels that are found elsewhere to the checksum, and returns how many of them to take from there: up to the
// first ones of a long run, which costs less by itself.
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

// Where the entry says that the pixel at column i of row y was seen, how many pixels from there on are the same: 0 when
// none is, or when it is too far back. Notes the new place.
static inline size_t look_up(const emitter *e, hash_entry *entry, const unsigned char *row, size_t y, size_t i,
                             size_t pixel_bytes, size_t *distance) {
  const size_t width = e->deflate->width;
  hash_entry seen = *entry;
  *entry = (hash_entry){(uint16_t)i, (uint16_t)(y + 1)};
  size_t x = seen.column, rows_back = y + 1 - seen.row_plus_one;
  size_t bytes = rows_back * (width * pixel_bytes + 1) + i * pixel_bytes - x * pixel_bytes;
  if (!seen.row_plus_one || bytes > WINDOW) return 0;
  *distance = bytes;
  return sj_match_length(row + 4 * i, row - rows_back * e->stride + 4 * x, x > i ? width - x : width - i);
}

static inline void match_row(emitter *e, size_t y, const size_t pixel_bytes) {
  const size_t width = e->deflate->width, row_bytes = width * pixel_bytes + 1;
  const size_t shortest = pixel_bytes < MIN_MATCH ? 2 : 1;  // pixels of a match
  const unsigned char *row = e->pixels + y * e->stride;
  const unsigned char *above = y && row_bytes <= WINDOW ? row - e->stride : NULL;
  e->open.starts_row = true;
  sj_adler_pixels(&e->adler, 0, 1, 1);
  for (size_t i = 0; i < width;) {
    uint32_t pixel = sj_load_pixel(row + 4 * i);
    if (i && sj_load_pixel(row + 4 * i - 4) == pixel) {
      size_t run = sj_run_length(row + 4 * i, width - i, pixel);
      // A run costs the fewest bits, so what lies above must beat it clearly.
      size_t up = above && run < 32 && sj_load_pixel(above + 4 * i) == pixel
                      ? sj_match_length(row + 4 * i, above + 4 * i, width - i)
                      : 0;
      if (run >= shortest && run + 2 >= up) {
        sj_adler_pixels(&e->adler, file_pixel(e, pixel), run, pixel_bytes);
        emit_match(e, run * pixel_bytes, pixel_bytes);
        i += run;
        continue;
      }
    }
    // Bytes of 0 and 255 are the cheapest literals: a run of them is begun with one, which costs less than the distance
    // to the row above. White behind an opaque pixel repeats that one's last byte.
    if ((pixel & 0x01010101) * 255 == pixel && i) {
      size_t run = sj_run_length(row + 4 * i, width - i, pixel);
      size_t up = above && sj_load_pixel(above + 4 * i) == pixel
                      ? sj_match_length(row + 4 * i, above + 4 * i, width - i)
                      : 0;
      if (run >= 2 && up <= run + 2) {
        if (pixel == UINT32_MAX && pixel_bytes == 4 && sj_load_pixel(row + 4 * i - 4) >= SJ_ALPHA) {
          sj_adler_pixels(&e->adler, pixel, run, pixel_bytes);
          emit_match(e, run * pixel_bytes, 1);
          i += run;
        } else {
          emit_literal(e, pixel, pixel_bytes);
          i++;
        }
        continue;
      }
    }
    size_t length = 0, distance = row_bytes, other, other_distance;
    if (above && sj_load_pixel(above + 4 * i) == pixel) length = sj_match_length(row + 4 * i, above + 4 * i, width - i);
    if (length < 2 && i + 1 < width) {
      hash_entry *pair = &e->deflate->pairs[hash_pair(pixel, sj_load_pixel(row + 4 * i + 4))];
      other = look_up(e, pair, row, y, i, pixel_bytes, &other_distance);
      if (other > 1) {
        length = other;
        distance = other_distance;
      }
    }
    // A pixel alone is worth a match too: edges repeat few colours, whose bytes take nearly eight bits each.
    if (shortest == 1) {
      other = look_up(e, &e->deflate->singles[hash_single(pixel)], row, y, i, pixel_bytes, &other_distance);
      if (length == 0 && other) {
        length = other;
        distance = other_distance;
      }
    }
    if (length >= shortest) {
      length = sum_match(e, row + 4 * i, length, pixel_bytes, shortest);
      emit_match(e, length * pixel_bytes, distance);
      i += length;
    } else {
      emit_literal(e, pixel, pixel_bytes);
      i++;
    }
  }
  if (e->open.starts_row || e->open.literals) close_sequence(e, 0, 0, 0);
}

bool sj_deflate_band(sj_deflate *d, const void *pixels, size_t stride, size_t rows, bool last, sj_bytes *output,
                     uint32_t *adler) {
  d->output = output;
  d->bits = 0;
  d->bit_count = 0;
  d->sequence_count = d->literal_count = 0;
  memset(d->pairs, 0, sizeof d->pairs);
  memset(d->singles, 0, sizeof d->singles);
  emitter e = {.deflate = d,
               .pixels = pixels,
               .stride = stride,
               .unpremultiply = !sj_format_is_straight(d->format),
               .swap = sj_format_is_blue_first(d->format)};
  *adler = 1;
  for (size_t y = 0; y < rows; y++) {
    if (d->max_sequences - d->sequence_count < row_sequences(d->width) ||
        d->max_literals - d->literal_count < d->width) {
      if (!put_block(d, false)) return false;
    }
    e.next = d->sequences + d->sequence_count;
    e.literal = d->literals + d->literal_count;
    e.adler = sj_adler_begin(*adler);
    switch (d->pixel_bytes) {
      case 3: match_row(&e, y, 3); break;
      case 4: match_row(&e, y, 4); break;
      default: match_row(&e, y, 2); break;
    }
    *adler = sj_adler_end(&e.adler);
    d->sequence_count = (size_t)(e.next - d->sequences);
    d->literal_count = (size_t)(e.literal - d->literals);
  }
  return end_band(d, last);
}
