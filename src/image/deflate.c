#include "image/deflate.h"

#include "image/huffman.h"
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

// The byte that begins a row, if any, then literal pixels, then a match, if any.
typedef struct {
  uint16_t start;  // 1 + the byte, 0: none
  uint16_t literals;
  uint16_t length;  // bytes; 0: none
  uint16_t distance;
} sequence;

typedef struct {
  uint32_t pixel, row;  // where a pair was seen last: index into the band, 1 + its row (0: nowhere)
} hash_entry;

struct sj_deflate {
  stijl_context *context;
  size_t width, max_rows, pixel_bytes;
  size_t row;        // of the band, 0 for the first
  uint32_t *pixels;  // of the band

  sequence *sequences;  // of the block
  uint32_t *literals;
  size_t sequence_count, literal_count, max_sequences, max_literals;

  sj_bytes *output;
  uint64_t bits;  // not yet in the output, from the lowest
  int bit_count;

  hash_entry hash[1 << HASH_BITS];
};

sj_deflate *sj_deflate_create(stijl_context *context, size_t width, size_t rows, size_t pixel_bytes) {
  sj_deflate *d = sj_alloc(context, sizeof *d);
  if (!d) return NULL;
  memset(d, 0, offsetof(sj_deflate, hash));
  d->context = context;
  d->width = width;
  d->max_rows = rows;
  d->pixel_bytes = pixel_bytes;
  // A row has at most one sequence a pixel, or as many as its matches have pieces.
  size_t row_sequences = width * pixel_bytes / (MAX_MATCH - MIN_MATCH) + width + 2, small = row_sequences * rows;
  d->max_sequences = small < BLOCK_SEQUENCES ? small : BLOCK_SEQUENCES + row_sequences;
  d->max_literals = width * rows < BLOCK_LITERALS ? width * rows : BLOCK_LITERALS + width;
  d->pixels = sj_alloc_array(context, width * rows, sizeof *d->pixels);
  d->sequences = sj_alloc_array(context, d->max_sequences, sizeof *d->sequences);
  d->literals = sj_alloc_array(context, d->max_literals, sizeof *d->literals);
  if (d->pixels && d->sequences && d->literals) return d;
  sj_deflate_destroy(d);
  return NULL;
}

void sj_deflate_destroy(sj_deflate *d) {
  if (!d) return;
  sj_free(d->context, d->literals);
  sj_free(d->context, d->sequences);
  sj_free(d->context, d->pixels);
  sj_free(d->context, d);
}

void sj_deflate_begin(sj_deflate *d, sj_bytes *output) {
  d->row = 0;
  d->sequence_count = d->literal_count = 0;
  d->output = output;
  d->bits = 0;
  d->bit_count = 0;
  memset(d->hash, 0, sizeof d->hash);
}

uint32_t *sj_deflate_next_row(sj_deflate *d) { return d->pixels + d->row * d->width; }

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
    if (s->start) f->literal[s->start - 1]++;
    if (!s->length) continue;
    coded length = code_length(s->length), distance = code_distance(s->distance);
    f->literal[length.symbol]++;
    f->distance[distance.symbol]++;
    f->extra_bits += (uint64_t)(length.extra_bits + distance.extra_bits);
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

static void put_sequences(sj_deflate *d, const sj_huffman *literal, const sj_huffman *distance) {
  const uint32_t *pixel = d->literals;
  for (size_t i = 0; i < d->sequence_count; i++) {
    const sequence *s = &d->sequences[i];
    if (s->start) {
      put_bits(d, literal->codes[s->start - 1], literal->lengths[s->start - 1]);
      flush_bits(d);
    }
    for (uint32_t k = 0; k < s->literals; k++) {
      uint32_t p = *pixel++;
      for (size_t c = 0; c < d->pixel_bytes; c++, p >>= 8)
        put_bits(d, literal->codes[p & 0xff], literal->lengths[p & 0xff]);
      flush_bits(d);
    }
    if (s->length) {
      coded l = code_length(s->length), t = code_distance(s->distance);
      put_bits(d, literal->codes[l.symbol], literal->lengths[l.symbol]);
      put_bits(d, l.extra, l.extra_bits);
      put_bits(d, distance->codes[t.symbol], distance->lengths[t.symbol]);
      put_bits(d, t.extra, t.extra_bits);
      flush_bits(d);
    }
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
  put_sequences(d, &literal, &distance);
  put_bits(d, literal.codes[END_OF_BLOCK], literal.lengths[END_OF_BLOCK]);
  flush_bits(d);
  d->sequence_count = d->literal_count = 0;
  return true;
}

bool sj_deflate_end(sj_deflate *d, bool last) {
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

static inline uint32_t hash_pair(uint32_t first, uint32_t second) {
  return (uint32_t)(((uint64_t)first << 32 | second) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HASH_BITS));
}

typedef struct {
  sequence open;  // takes literals until a match closes it
  sequence *next;
  uint32_t *literal;
} emitter;

static inline void emit_literal(emitter *e, uint32_t pixel) {
  *e->literal++ = pixel;
  e->open.literals++;
}

static inline void emit_match(emitter *e, size_t bytes, size_t distance) {
  while (bytes) {
    size_t piece = bytes < MAX_MATCH ? bytes : MAX_MATCH;
    if (bytes - piece && bytes - piece < MIN_MATCH) piece -= MIN_MATCH;  // the rest must be a match too
    e->open.length = (uint16_t)piece;
    e->open.distance = (uint16_t)distance;
    *e->next++ = e->open;
    e->open = (sequence){0};
    bytes -= piece;
  }
}

bool sj_deflate_row(sj_deflate *d, uint8_t filter) {
  const size_t width = d->width, pixel_bytes = d->pixel_bytes, row_bytes = width * pixel_bytes + 1;
  const size_t shortest = pixel_bytes < MIN_MATCH ? 2 : 1;  // pixels of a match
  const uint32_t *row = d->pixels + d->row * width;
  const uint32_t *above = d->row && row_bytes <= WINDOW ? row - width : NULL;
  emitter e = {{.start = (uint16_t)(1 + filter)}, d->sequences + d->sequence_count, d->literals + d->literal_count};

  for (size_t i = 0; i < width;) {
    uint32_t pixel = row[i];
    size_t run = i && row[i - 1] == pixel ? sj_run_length(row + i, width - i, pixel) : 0;
    // A run costs the fewest bits, so what lies above must beat it clearly.
    size_t up = above && above[i] == pixel && run < 32 ? sj_match_length(row + i, above + i, width - i) : 0;
    if (run >= shortest && run + 2 >= up) {
      emit_match(&e, run * pixel_bytes, pixel_bytes);
      i += run;
      continue;
    }
    size_t length = up, distance = row_bytes;
    if (i + 1 < width) {
      hash_entry *entry = &d->hash[hash_pair(pixel, row[i + 1])];
      if (up < 2 && entry->row) {
        size_t rows_back = d->row + 1 - entry->row;
        size_t at = entry->pixel, back = (size_t)(row - d->pixels) + i - at;
        size_t seen_at = at - (size_t)(entry->row - 1) * width;
        size_t bytes_back = back * pixel_bytes + rows_back;
        if (bytes_back <= WINDOW) {
          size_t limit = seen_at > i ? width - seen_at : width - i;
          size_t same = sj_match_length(row + i, d->pixels + at, limit);
          if (same >= 2 && same > length) {
            length = same;
            distance = bytes_back;
          }
        }
      }
      entry->pixel = (uint32_t)((size_t)(row - d->pixels) + i);
      entry->row = (uint32_t)d->row + 1;
    }
    if (length >= shortest) {
      emit_match(&e, length * pixel_bytes, distance);
      i += length;
    } else {
      emit_literal(&e, pixel);
      i++;
    }
  }
  if (e.open.start || e.open.literals) *e.next++ = e.open;
  d->sequence_count = (size_t)(e.next - d->sequences);
  d->literal_count = (size_t)(e.literal - d->literals);
  d->row++;
  bool full = d->max_sequences - d->sequence_count < width * pixel_bytes / (MAX_MATCH - MIN_MATCH) + width + 2 ||
              d->max_literals - d->literal_count < width;
  return !full || d->row == d->max_rows || put_block(d, false);
}
