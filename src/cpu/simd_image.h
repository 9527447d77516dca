// Samples images for runs of pixels, LANES at a time, as sj_image_sample does for one. Included once by each
// instruction set's file.
#include "cpu/pixel.h"

// What the samples of a run share, whose pixels lie in one row.
typedef struct {
  const uint32_t *texels;
  int width, height, stride;
  int size;  // texels of the image
  uint32_t spread_x, spread_y;
  int x, y;      // where the repetition begins that the samples lie in, as far as is known
  bool narrow;   // rows fit a window
  bool close;    // so do the texels of LANES samples that follow one another
  int lines[4];  // level: where the rows of all taps begin, -1 where the image has none
} sampler;

// The texels around LANES samples: one tap for each direction and step.
typedef struct {
  vi columns[4], across[4];  // and which of them the image has
  vi rows[4], down[4];       // of runs that are not level: where rows begin, likewise
  bool within;               // the image has all of them, side by side
  int window;                // level: the column from which on a window has all of them; else -1
} taps;

// The taps of the columns of a draw, which all of its rows share where the matrix does not mix the two. So small
// images, whose wrapping takes longer than looking them up, are wrapped once.
#define KEPT 4  // vectors
typedef struct {
  int column[KEPT];  // where the vector begins; -1: none is kept
  vi fx[KEPT], columns[KEPT][4], across[KEPT][4];
} kept_taps;

// Computes k_wrap for the columns or rows from `first` on, as many as sampling reads. They are within +-2^24, where a
// float holds them, and so the estimate of a quotient is off by one at most. `seen` becomes false where the image is
// transparent.
VEC void wrap_taps(vi first, int count, int size, uint32_t spread, vi at[4], vi seen[4]) {
  if (spread == K_SPREAD_PAD || spread == K_SPREAD_NONE) {
    for (int i = 0; i < count; i++) {
      vi tap = first + i;
      at[i] = v_max(v_set1(0), v_min(tap, v_set1(size - 1)));
      seen[i] = spread == K_SPREAD_PAD ? v_set1(-1) : at[i] == tap;
    }
    return;
  }
  int period = spread == K_SPREAD_REPEAT ? size : 2 * size;
  vi tap = first - period * v_floor(v_float(first) * (1.0f / (float)period));
  tap += (tap < 0) & period;
  tap -= (tap >= period) & period;
  for (int i = 0; i < count; i++) {
    at[i] = v_min(tap, 2 * size - 1 - tap);
    if (spread == K_SPREAD_REPEAT) at[i] = tap;
    seen[i] = v_set1(-1);
    tap += 1;
    tap &= tap != period;
  }
}

// Returns where the repetition begins that has a column or a row.
static int repetition(int tap, int size, uint32_t spread) {
  return spread == K_SPREAD_REPEAT ? tap - k_wrap(tap, size, spread) : 0;
}

// Returns whether none of the numbers x and limit - x is negative.
VEC bool are_within(vi x, int limit) { return !v_mask(x | (limit - x)); }

// Finds the taps of samples in the columns and rows from x and y on.
VEC taps find_taps(sampler *s, vi x, vi y, int count, bool level) {
  taps t = {.window = s->narrow && level ? 0 : -1};
  if (level && s->narrow) {
    wrap_taps(x, count, s->width, s->spread_x, t.columns, t.across);
    return t;
  }
  int last_x = s->width - count, last_y = s->height - count;
  t.within = are_within(x - s->x, last_x) && (level || are_within(y - s->y, last_y));
  if (!t.within) {  // perhaps it is in another repetition
    s->x = repetition(x[0], s->width, s->spread_x);
    if (!level) s->y = repetition(y[0], s->height, s->spread_y);
    t.within = are_within(x - s->x, last_x) && (level || are_within(y - s->y, last_y));
  }
  if (t.within) {
    for (int i = 0; i < count; i++) {
      t.columns[i] = x - s->x + i;
      t.rows[i] = (y - s->y + i) * s->stride;
    }
    if (level && s->close) t.window = k_min(x[0], x[LANES - 1]) - s->x;
    return t;
  }
  wrap_taps(x, count, s->width, s->spread_x, t.columns, t.across);
  if (level) return t;
  wrap_taps(y, count, s->height, s->spread_y, t.rows, t.down);
  for (int i = 0; i < count; i++) t.rows[i] *= s->stride;
  return t;
}

// Finds the texels of one row of taps.
VEC void find_texels(const sampler *s, const taps *t, int row, int count, bool level, vi texels[4]) {
  int line = level ? s->lines[row] : 0;
  if (level && line < 0) {
    for (int i = 0; i < count; i++) texels[i] = (vi){0};
    return;
  }
  vi start = level ? v_set1(line) : t->rows[row];
  if (V_WINDOW && level && t->window >= 0) {
    int base = k_min(line + t->window, s->size - V_WINDOW);
    for (int i = 0; i < count; i++) texels[i] = v_window(s->texels, base, start + t->columns[i]);
  } else if (t->within && count > 1) {
    for (int i = 0; i < count; i += 2) v_pairs(s->texels, start + t->columns[i], texels + i);
  } else {
    for (int i = 0; i < count; i++) texels[i] = v_gather(s->texels, start + t->columns[i]);
  }
  if (t->within) return;
  for (int i = 0; i < count; i++) texels[i] &= level ? t->across[i] : t->across[i] & t->down[row];
}

// Returns pairs of words for v_dot: the even ones of a and of b; the second function returns the odd ones.
VEC vi even_pair(vw a, vw b) { return ((vi)a & 0xffff) | (vi)b << 16; }
VEC vi odd_pair(vw a, vw b) { return (vi)((vu)a >> 16) | ((vi)b & (int32_t)0xffff0000); }

// Computes k_bilinear. It rounds only at its end, so columns may be mixed first. Their sums fit 16 bits; less 32768,
// they fit the signed words of v_dot.
VEC vi bilinear(const vi top[2], const vi bottom[2], vi fx, vi fy) {
  vw down = v_spread(fy), up = 256 - down;
  vi across = (256 - fx) | fx << 16;
  vw2 sides[2];
  for (int i = 0; i < 2; i++) {
    vw2 a = v_unpack(top[i]), b = v_unpack(bottom[i]);
    sides[i] = (vw2){a.rb * up + b.rb * down - 32768, a.ga * up + b.ga * down - 32768};
  }
  // What the signed words lack, and rounding.
  int32_t rest = 32768 * 256 + 32768;
  vi r = v_dot(even_pair(sides[0].rb, sides[1].rb), across) + rest;
  vi g = v_dot(even_pair(sides[0].ga, sides[1].ga), across) + rest;
  vi b = v_dot(odd_pair(sides[0].rb, sides[1].rb), across) + rest;
  vi a = v_dot(odd_pair(sides[0].ga, sides[1].ga), across) + rest;
  return r >> 16 | (b & 0xff0000) | (g >> 16 | (a & 0xff0000)) << 8;
}

// Computes k_cubic_weight of the taps 0 and 1, and of 2 and 3.
VEC void cubic_weights(vi f, vi pairs[2]) {
  vi f2 = f * f, f3 = f2 * f;
  vi w0 = (-f3 + 512 * f2 - 65536 * f) >> 11;
  vi w2 = (-3 * f3 + 1024 * f2 + 65536 * f) >> 11;
  vi w3 = (f3 - 256 * f2) >> 11;
  pairs[0] = even_pair((vw)w0, (vw)(16384 - w0 - w2 - w3));
  pairs[1] = even_pair((vw)w2, (vw)w3);
}

// Computes k_cubic_row for four channels. Less 16384, they fit 16 bits.
VEC void cubic_row(const vi texels[4], const vi weights[2], vi row[4]) {
  int32_t rounding = 64 - (16384 << 7);
  for (int c = 0; c < 4; c++) row[c] = v_set1(rounding);
  for (int i = 0; i < 2; i++) {
    vw2 a = v_unpack(texels[2 * i]), b = v_unpack(texels[2 * i + 1]);
    row[0] += v_dot(even_pair(a.rb, b.rb), weights[i]);
    row[1] += v_dot(even_pair(a.ga, b.ga), weights[i]);
    row[2] += v_dot(odd_pair(a.rb, b.rb), weights[i]);
    row[3] += v_dot(odd_pair(a.ga, b.ga), weights[i]);
  }
  for (int c = 0; c < 4; c++) row[c] >>= 7;
}

// Computes sj_image_bicubic.
VEC vi bicubic(const sampler *s, const taps *t, vi fx, vi fy, bool level) {
  vi across[2], down[2], sums[4];
  cubic_weights(fx, across);
  cubic_weights(fy, down);
  for (int c = 0; c < 4; c++) sums[c] = v_set1((16384 << 14) + (1 << 20));
  for (int j = 0; j < 2; j++) {
    vi texels[4], upper[4], lower[4];
    find_texels(s, t, 2 * j, 4, level, texels);
    cubic_row(texels, across, upper);
    find_texels(s, t, 2 * j + 1, 4, level, texels);
    cubic_row(texels, across, lower);
    for (int c = 0; c < 4; c++) sums[c] += v_dot(even_pair((vw)upper[c], (vw)lower[c]), down[j]);
  }
  vi channels[4];
  for (int c = 0; c < 4; c++) channels[c] = v_max(v_set1(0), v_min(v_set1(255), sums[c] >> 21));
  vi result = channels[3] << 24;
  for (int c = 0; c < 3; c++) result |= v_min(channels[c], channels[3]) << (8 * c);
  return result;
}

// Returns the first of `side` taps in a direction, from a place in whole texels where there is one tap, and in 24.8
// where there are several.
static int first_tap(int place, int side) { return side == 1 ? place : (place >> 8) - (side / 2 - 1); }
VEC vi first_taps(vi place, int side) { return side == 1 ? place : (place >> 8) - (side / 2 - 1); }

// Computes sj_image_sample for `count` pixels, which are whole vectors, by one kind of sampling. A level run is along a
// row of the image.
VEC void sample_run(const sj_painter *p, kept_taps *kept, int column, int row, int count, uint32_t *out,
                    uint32_t sampling, bool level) {
  const stijl_image *image = p->image;
  const k_paint *paint = p->paint;
  int side = sampling == K_SAMPLING_NEAREST ? 1 : sampling == K_SAMPLING_BILINEAR ? 2 : 4;  // taps in each direction
  float a = paint->m.a, b = paint->m.b;
  sampler s = {.texels = (const uint32_t *)(const void *)image->pixels,
               .width = image->width,
               .height = image->height,
               .stride = (int)(image->stride / sizeof *s.texels),
               .spread_x = paint->spread_x,
               .spread_y = paint->spread_y};
  s.size = s.stride * (s.height - 1) + s.width;
  s.narrow = V_WINDOW && s.width <= V_WINDOW && s.size >= V_WINDOW;
  bool keeps = level && s.narrow && paint->m.c == 0.0f;
  // A step of rounding, and the taps beside the first.
  s.close = k_abs(a) * (float)(LANES - 1) + (float)(1 + side) <= (float)V_WINDOW && s.size >= V_WINDOW;
  float y = (float)(p->y + row) + 0.5f;
  kfloat row_u = paint->m.c * y + paint->m.e, row_v = paint->m.d * y + paint->m.f;
  vi iy = {0}, fy = {0};
  if (level) {
    int v = side == 1 ? k_floor(k_image_clamp(row_v)) : k_image_fixed(row_v, paint->fy);
    fy = v_set1(v & 255);
    for (int j = 0; j < side; j++) {
      int line = k_wrap(first_tap(v, side) + j, s.height, s.spread_y);
      s.lines[j] = line < 0 ? -1 : line * s.stride;
    }
  }
  int corner_x = 128 + 256 * (int)paint->fx, corner_y = 128 + 256 * (int)paint->fy;
  vf x = v_float(v_iota() + (p->x + column)) + 0.5f;  // grows by LANES: exact below 2^23
  vf far = v_set1f(4194304.0f);
  for (int i = 0; i < count; i += LANES, x = x + (float)LANES) {
    taps t;
    vi fx;
    int k = (column + i) / LANES % KEPT;
    if (keeps && kept->column[k] == column + i) {
      t.within = false;
      t.window = 0;
      fx = kept->fx[k];
      for (int j = 0; j < side; j++) t.columns[j] = kept->columns[k][j], t.across[j] = kept->across[k][j];
    } else {
      vf u = v_maxf(-far, v_minf(far, a * x + row_u));
      vi ix = side == 1 ? v_floor(u) : v_fixed(u) - corner_x;
      fx = ix & 255;
      if (!level) {
        vf v = v_maxf(-far, v_minf(far, b * x + row_v));
        iy = side == 1 ? v_floor(v) : v_fixed(v) - corner_y, fy = iy & 255;
        iy = first_taps(iy, side);
      }
      t = find_taps(&s, first_taps(ix, side), iy, side, level);
      if (keeps) {
        kept->column[k] = column + i;
        kept->fx[k] = fx;
        for (int j = 0; j < side; j++) kept->columns[k][j] = t.columns[j], kept->across[k][j] = t.across[j];
      }
    }
    vi pixels, texels[2][4];
    if (side == 4) {
      pixels = bicubic(&s, &t, fx, fy, level);
    } else {
      for (int j = 0; j < side; j++) find_texels(&s, &t, j, side, level, texels[j]);
      pixels = side == 1 ? texels[0][0] : bilinear(texels[0], texels[1], fx, fy);
    }
    v_store(out + i, pixels);
  }
}

// Not inlined, since many loops call them.
typedef void image_sampler(const sj_painter *p, kept_taps *kept, int column, int row, int count, uint32_t *out);
#define SAMPLER(name, sampling, level)                                                                             \
  static __attribute__((noinline)) void name(const sj_painter *p, kept_taps *kept, int column, int row, int count, \
                                             uint32_t *out) {                                                      \
    sample_run(p, kept, column, row, count, out, sampling, level);                                                 \
  }
SAMPLER(nearest_level, K_SAMPLING_NEAREST, true)
SAMPLER(nearest_turned, K_SAMPLING_NEAREST, false)
SAMPLER(bilinear_level, K_SAMPLING_BILINEAR, true)
SAMPLER(bilinear_turned, K_SAMPLING_BILINEAR, false)
SAMPLER(bicubic_level, K_SAMPLING_BICUBIC, true)
SAMPLER(bicubic_turned, K_SAMPLING_BICUBIC, false)

static image_sampler *sampler_of(const k_paint *paint) {
  bool level = paint->m.b == 0.0f;
  switch (paint->sampling) {
    case K_SAMPLING_NEAREST: return level ? nearest_level : nearest_turned;
    case K_SAMPLING_BILINEAR: return level ? bilinear_level : bilinear_turned;
    default: return level ? bicubic_level : bicubic_turned;
  }
}

// Returns whether a number is so small and whole that sums of it and columns are exact.
static bool is_whole(float x) { return k_abs(x) < 1e6f && (float)(int)x == x; }

// Returns whether the image lies pixel upon pixel, and by how far it is moved, as surfaces of filters do. Then nothing
// has to be looked up, and bilinear sampling, whose fractions are zero, gives the pixels themselves.
static bool is_upon_pixels(const k_paint *paint, int *x, int *y) {
  k_matrix m = paint->m;
  if (paint->sampling == K_SAMPLING_BICUBIC || m.a != 1.0f || m.b != 0.0f || m.c != 0.0f || m.d != 1.0f ||
      !is_whole(m.e) || !is_whole(m.f))
    return false;
  bool nearest = paint->sampling == K_SAMPLING_NEAREST;
  *x = (int)m.e - (nearest ? 0 : (int)paint->fx);
  *y = (int)m.f - (nearest ? 0 : (int)paint->fy);
  return true;
}
