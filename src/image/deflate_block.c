#include "image/deflate_block.h"

#include <string.h>

#include "image/huffman.h"

#define END_OF_BLOCK 256
#define LITERAL_SYMBOLS 286
#define CODE_LENGTH_SYMBOLS 19
// The longest code. Four literals are put into the 64-bit accumulator at once, behind up to 7 bits: 7 + 4 * 14 bits.
#define MAX_CODE_BITS 14
#define MAX_CODE_LENGTH_BITS 7

#define UNUSED_COST 12  // bits that a symbol is assumed to cost which the previous block did not use

bool sj_deflate_block_init(sj_deflate_block *d, stijl_context *context, size_t max_sequences, size_t max_literals) {
  *d = (sj_deflate_block){.context = context, .max_sequences = max_sequences, .max_literals = max_literals};
  d->sequences = sj_alloc_array(context, max_sequences, sizeof *d->sequences);
  d->literals = sj_alloc(context, max_literals + 4);
  if (d->sequences && d->literals) return true;
  sj_deflate_block_finish(d);
  return false;
}

void sj_deflate_block_finish(sj_deflate_block *d) {
  sj_free(d->context, d->literals);
  sj_free(d->context, d->sequences);
  d->literals = NULL;
  d->sequences = NULL;
}

// --- writing bits ---

static inline void put_bits(sj_deflate_block *d, uint64_t value, int count) {
  d->bits |= value << d->bit_count;
  d->bit_count += count;
}

// Moves whole bytes from the accumulator to the output, which must have room for eight.
static inline void flush_bits(sj_deflate_block *d) {
  memcpy(d->output->data + d->output->count, &d->bits, 8);
  int bytes = d->bit_count >> 3;
  d->output->count += (size_t)bytes;
  d->bits = bytes < 8 ? d->bits >> 8 * bytes : 0;
  d->bit_count &= 7;
}

// --- symbols of lengths and distances (RFC 1951, 3.2.5) ---

typedef struct {
  int symbol, extra_bits;
  uint32_t extra;
} coded;

static inline coded code_length(uint32_t length) {
  uint32_t l = length - SJ_MIN_MATCH;
  if (length == SJ_MAX_MATCH) return (coded){285, 0, 0};
  if (l < 8) return (coded){(int)(257 + l), 0, 0};
  int e = 29 - __builtin_clz(l);
  return (coded){257 + 4 * (e + 1) + (int)(l >> e & 3), e, l & ((1u << e) - 1)};
}

static inline coded code_distance(uint32_t distance) {
  int e, symbol = sj_distance_symbol(distance, &e);
  return (coded){symbol, e, (distance - 1) & ((1u << e) - 1)};
}

// --- blocks ---

typedef struct {
  uint32_t literal[LITERAL_SYMBOLS], distance[SJ_DISTANCES];
  uint64_t extra_bits;
} frequencies;

static void count_symbols(const sj_deflate_block *d, frequencies *f) {
  memset(f, 0, sizeof *f);
  f->literal[END_OF_BLOCK] = 1;
  // Four tables, so that counting a byte need not wait for the count of an equal neighbour.
  uint32_t tables[4][256] = {{0}};
  size_t whole = d->literal_count & ~(size_t)3;
  for (size_t i = 0; i < whole; i += 4)
    for (size_t k = 0; k < 4; k++) tables[k][d->literals[i + k]]++;
  for (size_t i = whole; i < d->literal_count; i++) tables[0][d->literals[i]]++;
  for (int b = 0; b < 256; b++) f->literal[b] += tables[0][b] + tables[1][b] + tables[2][b] + tables[3][b];
  for (size_t i = 0; i < d->sequence_count; i++) {
    const sj_sequence *s = &d->sequences[i];
    if (!s->length) continue;
    coded length = code_length(s->length), distance = code_distance(s->distance);
    f->literal[length.symbol] += s->repeat;
    f->distance[distance.symbol] += s->repeat;
    f->extra_bits += (uint64_t)s->repeat * (uint64_t)(length.extra_bits + distance.extra_bits);
  }
}

// Writes the lengths of codes as symbols 0..18, some of which repeat a length (RFC 1951, 3.2.7). Each element of
// `packed` has the symbol in its low byte, and the extra bits of a repeat above. Returns the number of elements.
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

static void put_code_tables(sj_deflate_block *d, const sj_huffman *literal, const sj_huffman *distance) {
  static const uint8_t order[CODE_LENGTH_SYMBOLS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  int literals = LITERAL_SYMBOLS, distances = SJ_DISTANCES;
  while (literals > 257 && !literal->lengths[literals - 1]) literals--;
  while (distances > 1 && !distance->lengths[distances - 1]) distances--;
  uint8_t lengths[LITERAL_SYMBOLS + SJ_DISTANCES];
  memcpy(lengths, literal->lengths, (size_t)literals);
  memcpy(lengths + literals, distance->lengths, (size_t)distances);
  uint16_t packed[LITERAL_SYMBOLS + SJ_DISTANCES];
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

static void put_matches(sj_deflate_block *d, const sj_sequence *s, const sj_huffman *literal,
                        const sj_huffman *distance) {
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

typedef struct {
  uint16_t code, length;
} literal_code;

static inline void put_sequences(sj_deflate_block *d, const sj_huffman *literal, const sj_huffman *distance) {
  literal_code codes[256];
  for (int b = 0; b < 256; b++) codes[b] = (literal_code){literal->codes[b], literal->lengths[b]};
  const uint8_t *byte = d->literals;
  for (size_t i = 0; i < d->sequence_count; i++) {
    const sj_sequence *s = &d->sequences[i];
    size_t left = s->literals;
    for (; left >= 4; left -= 4, byte += 4) {
      for (int k = 0; k < 4; k++) put_bits(d, codes[byte[k]].code, codes[byte[k]].length);
      flush_bits(d);
    }
    if (left) {
      for (; left; left--, byte++) put_bits(d, codes[*byte].code, codes[*byte].length);
      flush_bits(d);
    }
    if (s->length) put_matches(d, s, literal, distance);
  }
}

static uint8_t symbol_cost(const sj_huffman *code, int symbol) {
  return code->lengths[symbol] ? code->lengths[symbol] : UNUSED_COST;
}

static void learn_costs(sj_deflate_costs *costs, const sj_huffman *literal, const sj_huffman *distance) {
  for (int b = 0; b < 256; b++) costs->literal[b] = symbol_cost(literal, b);
  for (uint32_t l = SJ_MIN_MATCH; l <= SJ_MAX_MATCH; l++) {
    coded length = code_length(l);
    costs->length[l] = (uint8_t)(symbol_cost(literal, length.symbol) + length.extra_bits);
  }
  for (int s = 0; s < SJ_DISTANCES; s++)
    costs->distance[s] = (uint8_t)(symbol_cost(distance, s) + (s < 4 ? 0 : s / 2 - 1));
}

bool sj_deflate_block_put(sj_deflate_block *d, bool last) {
  frequencies f;
  count_symbols(d, &f);
  sj_huffman literal, distance;
  sj_huffman_build(&literal, f.literal, LITERAL_SYMBOLS, MAX_CODE_BITS);
  sj_huffman_build(&distance, f.distance, SJ_DISTANCES, MAX_CODE_BITS);
  uint64_t bits = f.extra_bits;
  for (int s = 0; s < LITERAL_SYMBOLS; s++) bits += (uint64_t)f.literal[s] * literal.lengths[s];
  for (int s = 0; s < SJ_DISTANCES; s++) bits += (uint64_t)f.distance[s] * distance.lengths[s];
  // The code tables take at most 14 + 19 * 3 + 316 * 14 bits, and the accumulator writes eight bytes at a time.
  if (!sj_array_reserve(d->context, d->output, bits / 8 + 1024)) return false;
  put_bits(d, last, 1);
  put_bits(d, 2, 2);
  put_code_tables(d, &literal, &distance);
  put_sequences(d, &literal, &distance);
  put_bits(d, literal.codes[END_OF_BLOCK], literal.lengths[END_OF_BLOCK]);
  flush_bits(d);
  learn_costs(&d->costs, &literal, &distance);
  d->sequence_count = d->literal_count = 0;
  return true;
}

bool sj_deflate_block_end(sj_deflate_block *d, bool last) {
  if (!sj_deflate_block_put(d, last)) return false;
  if (!sj_array_reserve(d->context, d->output, 32)) return false;
  if (!last) {  // an empty stored block, whose length begins at a whole byte
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

void sj_deflate_block_begin(sj_deflate_block *d, sj_byte_array *output) {
  d->output = output;
  d->bits = 0;
  d->bit_count = 0;
  d->sequence_count = d->literal_count = 0;
  // The first block starts with about the costs of drawn pictures, where the bytes 0 and 255 are common, and others
  // not.
  memset(d->costs.literal, 8, sizeof d->costs.literal);
  d->costs.literal[0] = d->costs.literal[255] = 3;
  memset(d->costs.length, UINT8_MAX, SJ_MIN_MATCH);
  for (uint32_t l = SJ_MIN_MATCH; l <= SJ_MAX_MATCH; l++) d->costs.length[l] = (uint8_t)(5 + code_length(l).extra_bits);
  for (int s = 0; s < SJ_DISTANCES; s++) d->costs.distance[s] = (uint8_t)(s < 4 ? 2 : 4 + s / 2 - 1);
}
