// Reads a lossless WebP as far as its groups of prefix codes (RFC 9649, 3).
#include "image/webp_codes.h"

#include <string.h>

#include "base/budget.h"

enum { LITERALS = 256, LENGTHS = 24, DISTANCES = 40, MAX_CACHE_BITS = 11, MAX_BITS = 15, MAX_GROUPS = 65536 };
enum { GREEN, RED, BLUE, ALPHA, DISTANCE, CODES };
#define MAX_SYMBOLS (LITERALS + LENGTHS + (1 << MAX_CACHE_BITS))
#define WORK_A_PIXEL 60

// What libwebp has for each group (src/dec/vp8l_dec.c, kTableSize): tables of 4 bytes an entry, of which the colour
// cache takes at most twice its size, and a table of 64 packed codes.
#define TABLE_ENTRIES 2954
#define GROUP_BYTES 640

typedef struct code {
  uint16_t counts[MAX_BITS + 1];  // of symbols of each length in bits
  uint16_t symbols[MAX_SYMBOLS];  // in the order of their codes
  bool single;                    // there is one symbol, which takes no bits
} code;

typedef struct reader {
  stijl_context *context;
  const unsigned char *data;
  size_t bytes, at;
  uint64_t bits;
  unsigned bit_count;
  bool bad;    // the data end, or are no picture
  bool spent;  // memory is short, or the budget is spent
  code codes[CODES];
  uint32_t cache[1 << MAX_CACHE_BITS];
  unsigned cache_bits;
  uint64_t small_pixels;  // of all small pictures that tell how the large one is to be read
} reader;

// Reads at most 32 bits, the lowest first.
static uint32_t get(reader *r, unsigned count) {
  while (r->bit_count < count) {
    if (r->at == r->bytes) {
      r->bad = true;
      return 0;
    }
    r->bits |= (uint64_t)r->data[r->at++] << r->bit_count;
    r->bit_count += 8;
  }
  uint32_t value = (uint32_t)(r->bits & (((uint64_t)1 << count) - 1));
  r->bits >>= count;
  r->bit_count -= count;
  return value;
}

// --- prefix codes ---

static void build(reader *r, code *c, const uint8_t *lengths, unsigned count) {
  uint16_t offsets[MAX_BITS + 2] = {0};
  memset(c->counts, 0, sizeof c->counts);
  for (unsigned i = 0; i < count; i++) c->counts[lengths[i]]++;
  unsigned used = count - c->counts[0], space = 0;
  c->counts[0] = 0;
  for (unsigned i = 1; i <= MAX_BITS; i++) {
    offsets[i + 1] = (uint16_t)(offsets[i] + c->counts[i]);
    space += (unsigned)c->counts[i] << (MAX_BITS - i);
  }
  for (unsigned i = 0; i < count; i++)
    if (lengths[i]) c->symbols[offsets[lengths[i]]++] = (uint16_t)i;
  c->single = used == 1;
  // A code must be complete, unless it is of one symbol.
  if (!used || (used > 1 && space != 1u << MAX_BITS)) r->bad = true;
}

static uint32_t get_symbol(reader *r, const code *c) {
  if (c->single) return c->symbols[0];
  uint32_t value = 0, first = 0, index = 0;
  for (unsigned length = 1; length <= MAX_BITS && !r->bad; length++) {
    value |= get(r, 1);
    uint32_t count = c->counts[length];
    if (value - first < count) return c->symbols[index + value - first];
    index += count;
    first = (first + count) << 1;
    value <<= 1;
  }
  r->bad = true;
  return 0;
}

static void read_lengths(reader *r, uint8_t *lengths, unsigned count) {
  static const uint8_t order[] = {17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  uint8_t own[sizeof order] = {0}, last = 8;
  code c;
  unsigned given = get(r, 4) + 4, most = count;
  if (given > sizeof order) r->bad = true;
  for (unsigned i = 0; i < given && !r->bad; i++) own[order[i]] = (uint8_t)get(r, 3);
  build(r, &c, own, sizeof order);
  if (get(r, 1)) {
    unsigned bits = 2 + 2 * get(r, 3);
    most = 2 + get(r, bits);
    if (most > count) r->bad = true;
  }
  for (unsigned i = 0; i < count && most && !r->bad; most--) {
    uint32_t symbol = get_symbol(r, &c), repeat = 1;
    if (symbol == 16) repeat = 3 + get(r, 2);
    if (symbol == 17) repeat = 3 + get(r, 3);
    if (symbol == 18) repeat = 11 + get(r, 7);
    if (repeat > count - i) r->bad = true;
    if (symbol && symbol < 16) last = (uint8_t)symbol;
    uint8_t length = symbol == 16 ? last : symbol < 16 ? (uint8_t)symbol : 0;
    for (; repeat && i < count; repeat--) lengths[i++] = length;
  }
}

static void read_code(reader *r, code *c, unsigned count) {
  uint8_t lengths[MAX_SYMBOLS] = {0};
  if (get(r, 1)) {
    bool two = get(r, 1);
    lengths[get(r, get(r, 1) ? 8 : 1)] = 1;
    if (two) lengths[get(r, 8)] = 1;
  } else {
    read_lengths(r, lengths, count);
  }
  // Simple codes name symbols of 8 bits, which the distances do not all have.
  build(r, c, lengths, count > LITERALS ? count : LITERALS);
}

// --- small pictures ---

// Returns the size that a number of tiles of 2^bits pixels has.
static uint32_t tiles(uint32_t size, unsigned bits) { return (size + (1u << bits) - 1) >> bits; }

// Reads a length or a distance, of which the symbol is the first part.
static uint32_t get_number(reader *r, uint32_t symbol) {
  if (symbol < 4) return symbol + 1;
  unsigned extra = (symbol - 2) >> 1;
  if (extra > 20) r->bad = true;
  return r->bad ? 1 : ((2 + (symbol & 1)) << extra) + get(r, extra) + 1;
}

// Returns the distance of a number, the first 120 of which stand for distances to pixels nearby.
static uint32_t to_distance(uint32_t number, uint32_t width) {
  static const int8_t near[120][2] = {
      {0, 1},  {1, 0},  {1, 1},  {-1, 1}, {0, 2},  {2, 0},  {1, 2},  {-1, 2}, {2, 1},  {-2, 1}, {2, 2}, {-2, 2},
      {0, 3},  {3, 0},  {1, 3},  {-1, 3}, {3, 1},  {-3, 1}, {2, 3},  {-2, 3}, {3, 2},  {-3, 2}, {0, 4}, {4, 0},
      {1, 4},  {-1, 4}, {4, 1},  {-4, 1}, {3, 3},  {-3, 3}, {2, 4},  {-2, 4}, {4, 2},  {-4, 2}, {0, 5}, {3, 4},
      {-3, 4}, {4, 3},  {-4, 3}, {5, 0},  {1, 5},  {-1, 5}, {5, 1},  {-5, 1}, {2, 5},  {-2, 5}, {5, 2}, {-5, 2},
      {4, 4},  {-4, 4}, {3, 5},  {-3, 5}, {5, 3},  {-5, 3}, {0, 6},  {6, 0},  {1, 6},  {-1, 6}, {6, 1}, {-6, 1},
      {2, 6},  {-2, 6}, {6, 2},  {-6, 2}, {4, 5},  {-4, 5}, {5, 4},  {-5, 4}, {3, 6},  {-3, 6}, {6, 3}, {-6, 3},
      {0, 7},  {7, 0},  {1, 7},  {-1, 7}, {5, 5},  {-5, 5}, {7, 1},  {-7, 1}, {4, 6},  {-4, 6}, {6, 4}, {-6, 4},
      {2, 7},  {-2, 7}, {7, 2},  {-7, 2}, {3, 7},  {-3, 7}, {7, 3},  {-7, 3}, {5, 6},  {-5, 6}, {6, 5}, {-6, 5},
      {8, 0},  {4, 7},  {-4, 7}, {7, 4},  {-7, 4}, {8, 1},  {8, 2},  {6, 6},  {-6, 6}, {8, 3},  {5, 7}, {-5, 7},
      {7, 5},  {-7, 5}, {8, 4},  {6, 7},  {-6, 7}, {7, 6},  {-7, 6}, {8, 5},  {7, 7},  {-7, 7}, {8, 6}, {8, 7}};
  if (number > 120) return number - 120;
  int64_t distance = near[number - 1][0] + (int64_t)near[number - 1][1] * width;
  return distance > 0 ? (uint32_t)distance : 1;
}

static unsigned read_cache_bits(reader *r) {
  unsigned bits = get(r, 1) ? get(r, 4) : 0;
  if (bits > MAX_CACHE_BITS) r->bad = true;
  return r->bad ? 0 : bits;
}

static void put_pixel(reader *r, uint32_t *pixels, size_t at, uint32_t value) {
  pixels[at] = value;
  if (r->cache_bits) r->cache[(0x1e35a7bdu * value) >> (32 - r->cache_bits)] = value;
}

// Copies pixels that came before. Returns how many.
static uint32_t copy_pixels(reader *r, uint32_t *pixels, size_t at, size_t count, uint32_t symbol, uint32_t width) {
  uint32_t length = get_number(r, symbol - LITERALS);
  uint32_t distance = to_distance(get_number(r, get_symbol(r, &r->codes[DISTANCE])), width);
  if (distance > at || length > count - at) r->bad = true;
  for (uint32_t i = 0; i < length && pixels && !r->bad; i++) put_pixel(r, pixels, at + i, pixels[at + i - distance]);
  return length;
}

// Reads a picture of one group of codes. Its pixels may be NULL, to pass it by.
static void read_small(reader *r, uint32_t width, uint32_t height, uint32_t *pixels) {
  static const unsigned sizes[CODES] = {LITERALS + LENGTHS, LITERALS, LITERALS, LITERALS, DISTANCES};
  r->cache_bits = read_cache_bits(r);
  memset(r->cache, 0, sizeof r->cache);
  for (int i = 0; i < CODES && !r->bad; i++)
    read_code(r, &r->codes[i], sizes[i] + (i == GREEN && r->cache_bits ? 1u << r->cache_bits : 0));
  size_t count = (size_t)width * height;
  r->small_pixels += count;
  sj_spender spender = {.budget = sj_budget_of(r->context)};
  for (size_t at = 0; at < count && !r->bad && !r->spent;) {
    r->spent = !sj_spend(&spender, WORK_A_PIXEL);
    uint32_t green = get_symbol(r, &r->codes[GREEN]);
    if (green < LITERALS) {
      uint32_t red = get_symbol(r, &r->codes[RED]), blue = get_symbol(r, &r->codes[BLUE]);
      uint32_t alpha = get_symbol(r, &r->codes[ALPHA]);
      if (pixels) put_pixel(r, pixels, at, alpha << 24 | red << 16 | green << 8 | blue);
      at++;
    } else if (green < LITERALS + LENGTHS) {
      at += copy_pixels(r, pixels, at, count, green, width);
    } else {
      if (pixels) put_pixel(r, pixels, at, r->cache[green - LITERALS - LENGTHS]);
      at++;
    }
  }
}

// --- the large picture, up to its codes ---

// Passes the transforms by. *width becomes that of the picture whose pixels they take.
static void read_transforms(reader *r, uint32_t *width, uint32_t height) {
  for (unsigned seen = 0; get(r, 1) && !r->bad;) {
    unsigned kind = get(r, 2);
    if (seen >> kind & 1) r->bad = true;
    seen |= 1u << kind;
    if (kind < 2) {  // predictors, and how colours depend on each other
      unsigned bits = get(r, 3) + 2;
      if (!r->bad) read_small(r, tiles(*width, bits), tiles(height, bits), NULL);
    } else if (kind == 3) {  // a palette, by which several pixels may be in one
      uint32_t colors = get(r, 8) + 1;
      if (!r->bad) read_small(r, colors, 1, NULL);
      *width = tiles(*width, colors <= 2 ? 3 : colors <= 4 ? 2 : colors <= 16 ? 1 : 0);
    }
  }
}

// Returns the number of groups. libwebp has tables for all up to the last, or only for those that are used.
static uint32_t read_groups(reader *r, uint32_t width, uint32_t height) {
  uint32_t groups = 1;
  if (!get(r, 1) || r->bad) return groups;
  unsigned bits = get(r, 3) + 2;
  uint32_t columns = tiles(width, bits), rows = tiles(height, bits);
  size_t count = (size_t)columns * rows;
  uint32_t *pixels = sj_alloc_array(r->context, count, sizeof *pixels);
  if (!pixels) r->spent = true;
  if (pixels) read_small(r, columns, rows, pixels);
  for (size_t i = 0; i < count && pixels && !r->bad && !r->spent; i++) {
    uint32_t group = pixels[i] >> 8 & 0xffff;
    if (group >= groups) groups = group + 1;
  }
  sj_free(r->context, pixels);
  return groups;
}

// Returns the bytes for a stream of lossless pixels.
static uint64_t stream_bytes(reader *r, const unsigned char *data, size_t bytes, uint32_t width, uint32_t height) {
  r->data = data;
  r->bytes = bytes;
  r->at = r->bit_count = 0;
  r->bits = r->small_pixels = 0;
  r->bad = false;
  uint64_t pixels = (uint64_t)width * height + 17 * (uint64_t)width;  // and rows that are being converted
  read_transforms(r, &width, height);
  unsigned cache_bits = read_cache_bits(r);
  uint32_t groups = read_groups(r, width, height);
  if (r->bad) {
    groups = MAX_GROUPS;
    cache_bits = MAX_CACHE_BITS;
  }
  uint64_t entries = TABLE_ENTRIES + (cache_bits ? (uint64_t)2 << cache_bits : 0);
  return 4 * (pixels + r->small_pixels) + groups * (4 * entries + GROUP_BYTES);
}

// --- the file ---

static uint32_t little32(const unsigned char *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t chunk_bytes(reader *r, const unsigned char *name, const unsigned char *data, size_t bytes,
                            uint32_t width, uint32_t height) {
  // Compressed transparency (1 in the lowest bits) is a lossless picture without a header.
  if (memcmp(name, "ALPH", 4) == 0 && bytes > 1)
    return (uint64_t)width * height + ((data[0] & 3) == 1 ? stream_bytes(r, data + 1, bytes - 1, width, height) : 0);
  if (memcmp(name, "VP8L", 4) == 0 && bytes > 5) return stream_bytes(r, data + 5, bytes - 5, width, height);
  return 0;
}

bool sj_webp_memory(stijl_context *context, const unsigned char *data, size_t bytes, uint32_t width, uint32_t height,
                    uint64_t *out) {
  reader *r = sj_alloc_zero(context, sizeof *r);
  if (!r) return false;
  r->context = context;
  uint64_t most = 0;
  for (size_t at = 12; at + 8 <= bytes && !r->spent;) {
    const unsigned char *name = data + at;
    size_t length = little32(name + 4), left = bytes - at - 8, used = length < left ? length : left;
    uint64_t own = chunk_bytes(r, name, name + 8, used, width, height);
    if (own > most) most = own;
    if (memcmp(name, "VP8", 3) == 0 && name[3] != 'X') break;
    r->spent |= !sj_context_check(context, 100);
    at += 8 + used + used % 2;
  }
  bool good = !r->spent;
  sj_free(context, r);
  *out = most + 256 * (uint64_t)width + (64 << 10);  // the rest is for rows of blocks of a picture with loss
  return good;
}
