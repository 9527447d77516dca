#include "image/png_survey.h"

#include <stdlib.h>
#include <string.h>

#include "base/wraps.h"
#include "image/convert.h"
#include "image/pixel.h"
#include "image/png_filter.h"
#include "image/run.h"

#define SLOTS (4 * SJ_PNG_COLOURS)
#define MANY (SJ_PNG_COLOURS + 1)

// A palette takes four bytes for each colour, which pay off where there are so many more pixels, and where each colour
// comes so often, but for those whose indices are small. All were found by trial.
#define PIXELS_A_PALETTE_BYTE 8
#define CHANGES_A_COLOUR 4
#define PIXELS_A_PALETTE 1024  // for its two chunks: pictures of two colours at 32 px were 1.23 times resvg's
// Greys with alphas have two bytes and PNG's filters, so their colours have to come oftener.
#define CHANGES_A_GREY 128
#define SMALL_PALETTE 16
// Of indices that change oftener than each so many pixels the bytes are matched.
#define VARIED_SHARE 80

sj_png_kind sj_png_kind_of(sj_png_type type, int depth, size_t width) {
  sj_png_kind kind = {.type = type, .depth = depth, .pixel_bytes = 1, .units = width};
  if (type == SJ_PNG_GREY_ALPHA) kind.pixel_bytes = 2;
  if (type == SJ_PNG_RGB) kind.pixel_bytes = 3;
  if (type == SJ_PNG_RGBA) kind.pixel_bytes = 4;
  if (depth < 8) kind.units = (width * (size_t)depth + 7) / 8;
  kind.converted = kind.pixel_bytes < 3;
  kind.filtered = depth == 8 && type != SJ_PNG_PALETTE;
  return kind;
}

// --- colours ---

SJ_WRAPS static inline uint32_t slot_of(uint32_t pixel) { return pixel * UINT32_C(0x9e3779b1) >> 22; }

// Returns the slot that the pixel has, or would get.
static inline uint32_t find(const sj_png_colours *c, uint32_t pixel) {
  uint32_t slot = slot_of(pixel);
  while (c->values[slot] && c->keys[slot] != pixel) slot = (slot + 1) % SLOTS;
  return slot;
}

static void add(sj_png_colours *c, uint32_t pixel) {
  if (c->count == MANY) return;
  uint32_t slot = find(c, pixel);
  if (c->values[slot]) return;
  if (++c->count == MANY) return;
  c->keys[slot] = pixel;
  c->values[slot] = 1;
}

// --- surveys ---

void sj_png_survey_begin(sj_png_survey *s) { *s = (sj_png_survey){.opaque = true, .grey = true}; }

static inline bool is_grey(uint32_t pixel) { return ((pixel ^ pixel >> 8) & 0xffff) == 0; }

static void survey_alphas(sj_png_survey *s, const unsigned char *row, size_t width) {
  for (size_t x = 0; x < width; x++) {
    if (x && row[x] == row[x - 1]) continue;
    s->changes++;
    s->opaque &= row[x] == 255;
    add(&s->colours, (uint32_t)row[x] << 24);
  }
}

bool sj_png_survey_row(sj_png_survey *s, stijl_format format, const unsigned char *row, const unsigned char *above,
                       size_t width) {
  s->runs = SJ_ROW_UNSEEN;
  if (format == STIJL_FORMAT_A8) {
    survey_alphas(s, row, width);
    return true;
  }
  if (s->colours.count == MANY && !s->grey) {
    s->opaque = s->opaque && sj_row_is_opaque(format, row, width);
    return s->opaque;
  }
  if (above && memcmp(row, above, 4 * width) == 0) {
    s->runs = SJ_ROW_EQUALS;
    return true;
  }
  uint64_t before = s->changes;
  for (size_t x = 0; x < width;) {
    uint32_t pixel = sj_load_pixel(row + 4 * x);
    s->changes++;
    s->opaque &= pixel >= SJ_ALPHA;
    s->grey &= is_grey(pixel);
    add(&s->colours, pixel);
    x++;
    if (x < width && sj_load_pixel(row + 4 * x) == pixel) x += sj_run_length(row + 4 * x, width - x, pixel);
  }
  if (above) s->runs = (sj_row_runs)(s->changes - before);
  return true;
}

void sj_png_survey_merge(sj_png_survey *s, const sj_png_survey *other) {
  s->opaque &= other->opaque;
  s->grey &= other->grey;
  s->changes += other->changes;
  if (other->colours.count == MANY) s->colours.count = MANY;
  for (uint32_t i = 0; i < SLOTS && s->colours.count < MANY; i++)
    if (other->colours.values[i]) add(&s->colours, other->colours.keys[i]);
}

// --- kinds ---

typedef struct {
  uint32_t pixel, key;  // as the file and the source have it
} colour;

// Compares colours, so that those with an alpha below 255 come first, as their alphas alone are written.
static int by_alpha(const void *a, const void *b) {
  const colour *x = a, *y = b;
  if (x->pixel != y->pixel) return x->pixel < y->pixel ? -1 : 1;
  return (x->key > y->key) - (x->key < y->key);
}

static void make_palette(const sj_png_colours *c, stijl_format format, sj_png_palette *palette, colour *list) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < SLOTS; i++) {
    if (!c->values[i]) continue;
    list[n].key = c->keys[i];
    list[n].pixel = c->keys[i];
    if (format != STIJL_FORMAT_A8) sj_convert_row(format, STIJL_FORMAT_RGBA8_STRAIGHT, &list[n].key, &list[n].pixel, 1);
    n++;
  }
  qsort(list, n, sizeof *list, by_alpha);
  palette->count = n;
  palette->translucent = 0;
  for (uint32_t i = 0; i < n; i++) {
    palette->pixels[i] = list[i].pixel;
    palette->translucent += list[i].pixel < SJ_ALPHA;
  }
}

// Returns the fewest bits in which all of the palette's greys can be told: so many are multiples of 255, 85 or 17.
static int grey_depth(const sj_png_palette *palette) {
  int depth = 1;
  for (uint32_t i = 0; i < palette->count; i++)
    while (depth < 8 && (palette->pixels[i] & 255) % (255u / ((1u << depth) - 1))) depth *= 2;
  return depth;
}

static int index_depth(uint32_t count) { return count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8; }

static void number(sj_png_colours *c, const colour *list, uint32_t count, bool grey, int depth) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t value = grey ? (list[i].pixel & 255) / (255u / ((1u << depth) - 1)) : i;
    c->values[find(c, list[i].key)] = (uint16_t)(value + 1);
  }
}

// Returns whether a picture is mostly gradients of many colours, of a size at which filtered colours take less than
// indices. (A radial gradient at 400 px: 11.0 kB, as indices 18.6. At 100 px indices take 0.98 of the bytes, and in
// larger pictures the same index comes several times in a row.)
static bool is_gradient(uint32_t colours, uint64_t changes, uint64_t pixels) {
  return colours > SJ_PNG_COLOURS / 2 && 8 * changes >= pixels && pixels > 1u << 14 && pixels <= 1u << 18;
}

int sj_png_survey_kinds(sj_png_survey *s, stijl_format format, size_t width, size_t height, sj_png_kind kinds[4],
                        sj_png_palette *palette) {
  int n = 0;
  colour list[SJ_PNG_COLOURS];
  palette->count = palette->translucent = 0;
  if (s->colours.count < MANY) make_palette(&s->colours, format, palette, list);
  uint64_t pixels = (uint64_t)width * height;
  uint64_t bytes = 24 + 4 * (uint64_t)palette->count, each = s->grey ? CHANGES_A_GREY : CHANGES_A_COLOUR;
  bool worth = bytes * PIXELS_A_PALETTE_BYTE + PIXELS_A_PALETTE <= pixels &&
               !is_gradient(palette->count, s->changes, pixels) &&
               (palette->count <= SMALL_PALETTE || s->changes >= each * (uint64_t)palette->count);
  int depth = palette->count ? grey_depth(palette) : 8;
  bool plain = s->grey && s->opaque;
  if (plain && palette->count && depth < 8) {
    number(&s->colours, list, palette->count, true, depth);
    kinds[n++] = sj_png_kind_of(SJ_PNG_GREY, depth, width);
    palette->count = 0;
  } else if (palette->count && (!plain || palette->count <= SMALL_PALETTE)) {
    number(&s->colours, list, palette->count, false, 8);
    depth = index_depth(palette->count);
    kinds[n] = sj_png_kind_of(SJ_PNG_PALETTE, depth, width);
    kinds[n++].varied = s->changes * VARIED_SHARE >= pixels;
    if (depth < 8) kinds[n++] = sj_png_kind_of(SJ_PNG_PALETTE, 8, width);
  }
  int indexed = n;
  if (s->grey) kinds[n++] = sj_png_kind_of(s->opaque ? SJ_PNG_GREY : SJ_PNG_GREY_ALPHA, 8, width);
  if (format != STIJL_FORMAT_A8) kinds[n++] = sj_png_kind_of(s->opaque ? SJ_PNG_RGB : SJ_PNG_RGBA, 8, width);
  if (palette->count && !worth && indexed < n) {
    sj_png_kind first = kinds[0];
    kinds[0] = kinds[indexed];
    kinds[indexed] = first;
  }
  return n;
}

// --- rows ---

// Puts the number of a run of pixels into units, several into one where they are small, the first in its highest bits.
typedef struct {
  uint32_t *next;  // unit
  uint32_t bits;   // of the pixels that wait for the unit to be full
  int depth, used;
} packer;

static inline void put_run(packer *p, uint32_t value, size_t run) {
  const int depth = p->depth;
  for (; run && p->used; run--) {
    p->bits |= value << (8 - p->used - depth);
    p->used += depth;
    if (p->used < 8) continue;
    *p->next++ = p->bits;
    p->bits = 0;
    p->used = 0;
  }
  size_t each = 8 / (size_t)depth;
  uint32_t full = 0;
  for (int i = 0; i < 8; i += depth) full |= value << i;
  for (; run >= each; run -= each) *p->next++ = full;
  for (; run; run--, p->used += depth) p->bits |= value << (8 - p->used - depth);
}

static void pack(const sj_png_kind *kind, const sj_png_colours *colours, const unsigned char *row, size_t width,
                 uint32_t *units) {
  packer p = {.next = units, .depth = kind->depth};
  for (size_t x = 0; x < width;) {
    uint32_t pixel = sj_load_pixel(row + 4 * x);
    size_t run = 1;
    if (x + 1 < width && sj_load_pixel(row + 4 * x + 4) == pixel)
      run += sj_run_length(row + 4 * x + 4, width - x - 1, pixel);
    put_run(&p, colours->values[find(colours, pixel)] - 1u, run);
    x += run;
  }
  if (p.used) *p.next = p.bits;
}

void sj_png_units(const sj_png_kind *kind, const sj_png_colours *colours, stijl_format format, const unsigned char *row,
                  size_t width, uint32_t *spare, uint32_t *units) {
  if (kind->type == SJ_PNG_PALETTE || kind->depth < 8) {
    if (format == STIJL_FORMAT_A8) {
      for (size_t x = 0; x < width; x++) spare[x] = (uint32_t)row[x] << 24;
      row = (const unsigned char *)spare;
    }
    pack(kind, colours, row, width, units);
    return;
  }
  sj_convert_row(format, STIJL_FORMAT_RGBA8_STRAIGHT, row, units, width);
  if (kind->type == SJ_PNG_GREY)
    for (size_t x = 0; x < width; x++) units[x] &= 255;
  if (kind->type == SJ_PNG_GREY_ALPHA)
    for (size_t x = 0; x < width; x++) units[x] = (units[x] & 255) | units[x] >> 24 << 8;
}
