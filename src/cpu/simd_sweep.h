// Turns sums into coverage and paints pixels with it, in vectors. Included once by each instruction set's file.
#include "cpu/pixel.h"
#include "cpu/simd_blend.h"
#include "cpu/simd_image.h"
#include "kernel/coverage.h"

// How the source's pixels are made. Each kind has its own copy of the loops, without branches for the others.
enum source {
  SOLID_OPAQUE,
  SOLID,
  LAYER,
  BLENDED,  // a layer, by another blend mode than normal
  LINEAR,
  CIRCLE,
  RADIAL,
  TURN,  // a sweep
  IMAGE,
  PIXELWISE  // one by one through pixel.h: images of alpha alone, and what is blended without being a layer
};

static enum source source_of(const sj_painter *p) {
  if (p->layer) return p->blend == K_BLEND_NORMAL ? LAYER : BLENDED;
  if (p->blend != K_BLEND_NORMAL) return PIXELWISE;
  if (!p->paint) return p->opaque ? SOLID_OPAQUE : SOLID;
  switch (p->paint->kind) {
    case K_PAINT_LINEAR: return LINEAR;
    case K_PAINT_CIRCLE: return CIRCLE;
    case K_PAINT_RADIAL: return RADIAL;
    case K_PAINT_SWEEP: return TURN;
    case K_PAINT_IMAGE: return p->image->format == STIJL_FORMAT_RGBA8 ? IMAGE : PIXELWISE;
    default: return PIXELWISE;
  }
}

// What is computed once for a draw.
typedef struct {
  const sj_painter *p;
  vi pixel;      // solid
  vw2 channels;  // solid
  vw alpha;      // solid: its alpha everywhere
  vi rb, ga;     // opaque: its bytes less 128, where the bytes are not that are below it
  k_paint paint;  // gradients: a copy, which no store of pixels can change
  const uint32_t *ramp;
  image_sampler *sampler;  // image
  kept_taps *kept;
  bool upon;     // image: its pixels lie upon those below, this far away
  int dx, dy;
} source_brush;

// Bytes with this in them are signed, and less by 128.
#define SIGNED ((int32_t)0x80808080)

VEC source_brush brush_of(const sj_painter *p, kept_taps *kept) {
  vi pixel = v_set1((int32_t)p->color);
  source_brush b = {.p = p, .pixel = pixel, .channels = v_unpack(pixel), .alpha = v_set1w((uint16_t)(p->color >> 24))};
  b.rb = (vi)(b.channels.rb << 8) ^ SIGNED, b.ga = (vi)b.channels.ga ^ SIGNED;
  if (p->image) {
    b.upon = is_upon_pixels(p->paint, &b.dx, &b.dy);
    b.sampler = sampler_of(p->paint);
    b.kept = kept;
    for (int i = 0; i < KEPT; i++) kept->column[i] = -1;
  }
  if (p->ramp) b.paint = *p->paint, b.ramp = p->ramp;
  return b;
}

VEC vi coverage(vi sum, bool evenodd) {
  vi a = v_abs(sum);
  if (evenodd) {
    a = a & (2 * K_FULL_AREA - 1);
    a = v_min(a, 2 * K_FULL_AREA - a);
  }
  return v_min(a >> 9, v_set1(255));
}

// k_ramp_index.
VEC vi ramp_index(vf t, uint32_t spread) {
  vf f = t;
  if (spread == K_SPREAD_REPEAT || spread == K_SPREAD_REFLECT) {
    bool reflect = spread == K_SPREAD_REFLECT;
    float period = reflect ? 2.0f * K_RAMP_LAST : K_RAMP_LAST;
    f = v_maxf(v_set1f(-K_RAMP_FAR), v_minf(v_set1f(K_RAMP_FAR), t));
    vf periods = f * (reflect ? 0.5f * K_RAMP_PERIODS : K_RAMP_PERIODS);
    periods = v_float(v_floor(periods)) * period;
    f = f - periods;
    if (reflect) f = v_minf(f, period - f);
  }
  return v_trunc(v_maxf(v_set1f(0.0f), v_minf(v_set1f(K_RAMP_LAST), f + 0.5f)));
}

// ramp[index]. Neighbours mostly have indices that rise or fall slowly: then all lie in a window that begins with the first's
// or the last's.
VEC vi ramp_colors(const uint32_t *ramp, vi index) {
  if (V_WINDOW) {
    int base = k_min(k_min(index[0], index[LANES - 1]), K_RAMP_SIZE - V_WINDOW);
    if (v_all_below(index - base, V_WINDOW)) return v_window(ramp, base, index);
  }
  return v_gather(ramp, index);
}

// k_radial; *drawn is a mask.
VEC vf radial(const k_paint *p, vf x, vf y, vi *drawn) {
  vf px = x - p->fx, py = y - p->fy;
  vf b = px * p->dx + py * p->dy;
  b = b + p->fr * p->dr;
  vf c = px * px + py * py;
  c = c - p->fr * p->fr;
  vf zero = {0};
  if (p->inverse_a == 0.0f) {
    vf twice = 2.0f * b;
    *drawn = v_absf(twice) > v_set1f(1e-20f);
    vf t = c * v_recip(v_selectf(*drawn, twice, v_set1f(1.0f)));
    vf radius = p->fr + t * p->dr;
    *drawn &= radius >= zero;
    return t;
  }
  vf disc = b * b - p->a * c;
  vf root = v_root(v_maxf(disc, zero));
  if (p->a < 0.0f) root = -root;
  vf t0 = (b + root) * p->inverse_a, t1 = (b - root) * p->inverse_a;
  vf r0 = p->fr + t0 * p->dr, r1 = p->fr + t1 * p->dr;
  *drawn = (disc >= zero) & ((r0 >= zero) | (r1 >= zero));
  return v_selectf(r0 >= zero, t0, t1);
}

// k_gradient of a sweep.
VEC vf turn(const k_paint *p, vf x, vf y) {
  vf turns = v_turns(y, x) - p->fy;
  turns = v_less(turns, (vf){0}, turns + 1.0f, turns);
  turns = turns * p->fx;
  return turns + p->fr;
}

VEC const uint32_t *layer_pixels(const sj_painter *p, int column, int row) {
  return p->layer + (size_t)row * p->layer_stride + (size_t)column;
}

// The image's pixels that lie upon LANES of the band's, where they follow one another; else NULL.
VEC const uint32_t *image_row(const source_brush *brush, int column, int row) {
  const stijl_image *image = brush->p->image;
  const k_paint *paint = brush->p->paint;
  int x = brush->p->x + column + brush->dx, y = k_wrap(brush->p->y + row + brush->dy, image->height, paint->spread_y);
  if (paint->spread_x == K_SPREAD_REPEAT) x = k_wrap(x, image->width, K_SPREAD_REPEAT);
  if (x < 0 || x + LANES > image->width || y < 0) return NULL;
  return (const uint32_t *)(const void *)(image->pixels + (size_t)y * image->stride) + x;
}

// The image's pixels for `count` of the band's, whole vectors.
static void image_run(const source_brush *brush, int column, int row, int count, uint32_t *out) {
  if (!brush->upon) {
    brush->sampler(brush->p, brush->kept, column, row, count, out);
    return;
  }
  for (int i = 0; i < count; i += LANES) {
    const uint32_t *pixels = image_row(brush, column + i, row);
    if (pixels) v_store(out + i, v_load(pixels));
    else brush->sampler(brush->p, brush->kept, column + i, row, LANES, out + i);
  }
}

// The ramp's entries for the LANES pixels from a column on; those that are not drawn are below 0.
VEC vi gradient_index(const source_brush *brush, enum source source, int column, int row) {
  const k_paint *paint = &brush->paint;
  vf x = v_float(v_iota() + (brush->p->x + column)) + 0.5f;
  float y = (float)(brush->p->y + row) + 0.5f;
  kfloat row_u = paint->m.c * y + paint->m.e;
  vf u = paint->m.a * x + row_u;
  if (source == LINEAR) return ramp_index(u, paint->spread_x);
  kfloat row_v = paint->m.d * y + paint->m.f;
  vf v = paint->m.b * x + row_v;
  if (source == CIRCLE) {
    vf uu = u * u, vv = v * v;
    return ramp_index(v_root(uu + vv), paint->spread_x);
  }
  if (source == TURN) return ramp_index(turn(paint, u, v), paint->spread_x);
  vi drawn;
  vf t = radial(paint, u, v, &drawn);
  return ramp_index(t, paint->spread_x) | (~drawn & INT32_MIN);
}

VEC vi gradient_pixels(const source_brush *brush, enum source source, vi index) {
  if (source != RADIAL) return ramp_colors(brush->ramp, index);
  return ramp_colors(brush->ramp, index & INT32_MAX) & ~(index >> 31);
}

// LANES source pixels from a column on.
VEC vi source_pixels(const source_brush *brush, enum source source, int column, int row) {
  const sj_painter *p = brush->p;
  if (source == SOLID || source == SOLID_OPAQUE) return brush->pixel;
  if (source == LAYER) return v_load(layer_pixels(p, column, row));
  if (source == IMAGE) {
    uint32_t pixels[LANES];
    image_run(brush, column, row, LANES, pixels);
    return v_load(pixels);
  }
  return gradient_pixels(brush, source, gradient_index(brush, source, column, row));
}

// k_over of an opaque colour for LANES pixels. Bytes of the colour and those below it are multiplied and added in pairs,
// so that none are unpacked.
VEC vi over_opaque(vi below, const source_brush *brush, vi m) {
#ifdef V_BYTES
  vi even = v_set1(0x00ff00ff), odd = ~even, weights = v_spread_byte(m);
  vw bias = v_set1w(128 * 255 + 128);  // what signed bytes lack, and v_div255's own
  vw rb = v_dot_bytes(weights ^ even, (below & even) ^ brush->rb) + bias;
  vw ga = v_dot_bytes(weights ^ odd, (below & odd) ^ brush->ga) + bias;
  return v_pack((vw2){v_div255_biased(rb), v_div255_biased(ga)});
#else
  vw mask = v_spread(m);
  return mix(brush->channels, mask, v_unpack(below), 255 - mask);
#endif
}

// k_over for LANES pixels; m are their coverages.
VEC vi over(vi below, const source_brush *brush, enum source source, vi pixels, vi m) {
  if (source == SOLID_OPAQUE) return over_opaque(below, brush, m);
  vw mask = v_spread(m);
  vw alpha = source == SOLID ? brush->alpha : v_spread(alpha_of(pixels));
  vw2 s = source == SOLID ? brush->channels : v_unpack(pixels);
  return mix(s, mask, v_unpack(below), 255 - v_div255(alpha * mask));
}

// The product of the coverage and the draw's opacity.
VEC vi faded(const source_brush *brush, enum source source, vi m) {
  if (source == SOLID || source == SOLID_OPAQUE || brush->p->opacity == 255) return m;
  return v_div255_wide(m * (int32_t)brush->p->opacity);
}

// Blends LANES pixels. Where nothing is covered, those below stay, which not every mode of masks does by itself.
VEC void blend_vector(const source_brush *brush, int column, int row, uint32_t *pixels, vi m) {
  uint32_t source[LANES], result[LANES];
  v_store(source, scale(v_load(layer_pixels(brush->p, column, row)), faded(brush, BLENDED, m)));
  blend_rows[brush->p->blend](source, pixels, result, LANES);
  v_store(pixels, v_select(m != 0, v_load(result), v_load(pixels)));
}

#define BLEND_RUN 128  // pixels that are scaled at a time

static void blend_run(const sj_painter *p, int x0, int x1, int row, uint32_t *pixels, int alpha) {
  const uint32_t *layer = layer_pixels(p, x0, row);
  pixel_row *blend_row = blend_rows[p->blend];
  uint32_t m = k_div255((uint32_t)alpha * p->opacity), scaled[BLEND_RUN];
  for (int at = x0; at < x1; at += BLEND_RUN, layer += BLEND_RUN, pixels += BLEND_RUN) {
    int n = k_min(BLEND_RUN, x1 - at);
    const uint32_t *source = layer;
    if (m != 255) {
      for (int i = 0; i < n; i += LANES) v_store(scaled + i, scale(v_load(layer + i), v_set1((int32_t)m)));
      source = scaled;
    }
    blend_row(source, pixels, pixels, (size_t)n);
  }
}

VEC void paint_vector(const source_brush *brush, enum source source, int column, int row, uint32_t *pixels, vi m) {
  if (source == PIXELWISE) {
    for (int i = 0; i < LANES; i++) sj_paint_pixel(brush->p, column + i, row, (uint32_t)m[i]);
    return;
  }
  if (source == BLENDED) {
    blend_vector(brush, column, row, pixels, m);
    return;
  }
  vi s = source_pixels(brush, source, column, row);
  v_store(pixels, over(v_load(pixels), brush, source, s, faded(brush, source, m)));
}

// Paints LANES pixels, except those from column x1 on.
VEC void paint_cut(const source_brush *brush, enum source source, int column, int row, uint32_t *pixels, vi m, int x1) {
  m = m & (v_iota() + column < x1);
  paint_vector(brush, source, column, row, pixels, m);
}

// Linear gradients without repetition at full coverage: the indices of neighbouring pixels rise or fall slowly, so that
// they are within a small window of the ramp, which is faster to look up than by a gather. x0 is where a vector starts.
VEC bool has_window(const sj_painter *p) {
  float reach = k_abs(p->paint->m.a) * (float)LANES;
  return V_WINDOW && p->paint->spread_x == K_SPREAD_PAD && reach < (float)(V_WINDOW - 2);
}

VEC void paint_linear(const sj_painter *p, int x0, int x1, int row, uint32_t *pixels) {
  const k_paint *paint = p->paint;
  float y = (float)(p->y + row) + 0.5f;
  kfloat row_u = paint->m.c * y + paint->m.e;
  vf x = v_float(v_iota() + (p->x + x0)) + 0.5f;  // grows by LANES: exact below 2^23
  uint32_t shared = paint->color;
  vw keep_all = v_set1w((uint16_t)(256 - shared));
  vi least = v_set1(paint->m.a < 0.0f ? LANES - 1 : 0);  // the lane with the least index
  for (; x0 < x1; x0 += LANES, pixels += LANES, x = x + (float)LANES) {
    vf t = paint->m.a * x + row_u;
    vi index = v_trunc(v_maxf(v_set1f(0.0f), v_minf(v_set1f(K_RAMP_LAST), t + 0.5f)));
    int base = v_pick(index, least)[0];
    vi s = v_window(p->ramp, k_min(base, K_RAMP_SIZE - V_WINDOW), index);
    if (p->opaque) {
      v_store(pixels, s);
    } else {
      v_store(pixels, over_whole(v_load(pixels), s, shared ? keep_all : v_spread(255 - alpha_of(s))));
    }
  }
}

#define GRADIENT_RUN 256  // pixels whose indices are computed at a time

// Gradients at full coverage, over whole vectors. What an index takes is a long chain of operations, of which processors
// have more at a time under way in a loop that does nothing else.
VEC void paint_gradient(const source_brush *brush, enum source source, int x0, int x1, int row, uint32_t *pixels) {
  uint32_t shared = brush->paint.color;
  vw keep_all = v_set1w((uint16_t)(256 - shared));
  bool opaque = brush->p->opaque;
  _Alignas(64) int32_t index[GRADIENT_RUN];
  for (; x0 < x1; x0 += GRADIENT_RUN) {
    int n = k_min(GRADIENT_RUN, x1 - x0);
    for (int i = 0; i < n; i += LANES) v_store(index + i, gradient_index(brush, source, x0 + i, row));
    for (int i = 0; i < n; i += LANES, pixels += LANES) {
      vi s = gradient_pixels(brush, source, v_load(index + i));
      bool keeps = source != RADIAL && shared;
      v_store(pixels, opaque ? s : over_whole(v_load(pixels), s, keeps ? keep_all : v_spread(255 - alpha_of(s))));
    }
  }
}

#define IMAGE_RUN 256  // pixels of an image that are sampled at a time

// Paints a run of an image at full coverage, over whole vectors.
static void paint_image(const source_brush *brush, int x0, int x1, int row, uint32_t *pixels) {
  if (brush->p->opaque) {
    image_run(brush, x0, row, x1 - x0, pixels);
    return;
  }
  uint32_t source[IMAGE_RUN];
  for (; x0 < x1; x0 += IMAGE_RUN) {
    int count = k_min(IMAGE_RUN, x1 - x0);
    image_run(brush, x0, row, count, source);
    for (int i = 0; i < count; i += LANES, pixels += LANES) {
      vi s = v_load(source + i);
      v_store(pixels, over_whole(v_load(pixels), s, v_spread(255 - alpha_of(s))));
    }
  }
}

// Paints a run of a colour at equal coverage, over whole vectors.
VEC void paint_solid(const source_brush *brush, uint32_t *pixels, const uint32_t *end, int alpha) {
  vw m = v_set1w((uint16_t)alpha), keep = 255 - v_div255(brush->alpha * m);
  vw2 add = {brush->channels.rb * m + 128, brush->channels.ga * m + 128};
#ifdef V_BYTES
  // Every second byte is multiplied without being unpacked: 100 large translucent stars take 0.92 of the time so.
  vi even = (vi)keep, odd = (vi)(keep << 8);
  add.rb += 128 * keep, add.ga += 128 * keep;
  for (; pixels < end; pixels += LANES) {
    vi d = v_load(pixels) ^ SIGNED;
    vw rb = add.rb + v_dot_bytes(even, d), ga = add.ga + v_dot_bytes(odd, d);
    v_store(pixels, v_pack((vw2){v_div255_biased(rb), v_div255_biased(ga)}));
  }
#else
  for (; pixels < end; pixels += LANES) {
    vw2 d = v_unpack(v_load(pixels));
    v_store(pixels, v_pack((vw2){v_div255_biased(add.rb + d.rb * keep), v_div255_biased(add.ga + d.ga * keep)}));
  }
#endif
}

// Paints a run of equal coverage, 1..255, over whole vectors.
VEC void paint_run(const source_brush *brush, enum source source, int x0, int x1, int row, uint32_t *pixels, int alpha) {
  const sj_painter *p = brush->p;
  uint32_t *end = pixels + x1;
  pixels += x0;
  bool whole = alpha == 255 && p->opacity == 255;
  if (source == SOLID_OPAQUE && whole) {
    for (; pixels < end; pixels += LANES) v_store(pixels, brush->pixel);
    return;
  }
  if (source == SOLID || source == SOLID_OPAQUE) {
    paint_solid(brush, pixels, end, alpha);
    return;
  }
  if (source == BLENDED) {
    blend_run(p, x0, x1, row, pixels, alpha);
    return;
  }
  if (source == LINEAR && whole && has_window(p)) {
    paint_linear(p, x0, x1, row, pixels);
    return;
  }
  if (source >= LINEAR && source <= TURN && whole) {
    paint_gradient(brush, source, x0, x1, row, pixels);
    return;
  }
  if (source == IMAGE && whole) {
    paint_image(brush, x0, x1, row, pixels);
    return;
  }
  if (source != PIXELWISE && whole) {
    for (int column = x0; column < x1; column += LANES, pixels += LANES) {
      vi s = source_pixels(brush, source, column, row);
      v_store(pixels, p->opaque ? s : over_whole(v_load(pixels), s, v_spread(255 - alpha_of(s))));
    }
    return;
  }
  for (int column = x0; column < x1; column += LANES, pixels += LANES)
    paint_vector(brush, source, column, row, pixels, v_set1(alpha));
}

// Paints a run that may end within a vector.
VEC void paint_run_cut(const source_brush *brush, enum source source, int x0, int x1, int row, uint32_t *pixels, int alpha) {
  int whole = x1 & ~(LANES - 1);
  if (x0 < whole) paint_run(brush, source, x0, whole, row, pixels, alpha);
  if (whole < x0) whole = x0;
  if (whole < x1) paint_cut(brush, source, whole, row, pixels + whole, v_set1(alpha), x1);
}

VEC void sweep_block(const source_brush *brush, enum source source, bool evenodd, int32_t *sums, int column, int row, int x1,
                     uint32_t *pixels, vi *carry) {
  bool cut = column + SJ_BLOCK > x1;
  for (int i = 0; i < SJ_BLOCK; i += LANES) {
    vi sum = v_prefix(v_load(sums + i)) + *carry;
    v_store(sums + i, (vi){0});
    *carry = v_last(sum);
    vi m = coverage(sum, evenodd);
    if (cut) m = m & (v_iota() + (column + i) < x1);
    if (source == PIXELWISE || source == SOLID_OPAQUE || source == SOLID || v_mask(m != 0))
      paint_vector(brush, source, column + i, row, pixels + i, m);
  }
}

#define AHEAD 3  // rows for which pixels are prefetched

VEC void sweep_rows(const sj_cells *cells, stijl_irect box, bool evenodd, const sj_painter *p, enum source source) {
  kept_taps kept;
  source_brush brush = brush_of(p, &kept);
  // Blocks may have been touched up to three columns past the box's last one.
  int first = box.x0 / SJ_BLOCK & ~7, last = (box.x1 + 2) / SJ_BLOCK;
  for (int row = box.y0; row < box.y1; row++) {
    int32_t *sums = cells->sums + (size_t)row * cells->stride;
    uint8_t *touched = cells->touched + (size_t)row * cells->touched_stride;
    uint32_t *pixels = p->pixels + (size_t)row * p->stride;
    // Where a block is touched, mostly one is below it. The processor itself prefetches along rows only.
    size_t ahead = row + AHEAD < box.y1 ? AHEAD * p->stride : 0;
    vi carry = {0};
    int done = box.x0, alpha = 0;  // columns painted, and the coverage from there to the next touched block
    for (int group = first; group <= last; group += 8) {
      uint64_t flags;
      memcpy(&flags, touched + group, 8);
      if (!flags) continue;
      memset(touched + group, 0, 8);
      for (; flags; flags &= flags - 1) {  // each flag is a byte of 1
        int column = (group + (__builtin_ctzll(flags) >> 3)) * SJ_BLOCK;
        if (column >= box.x1) {
          memset(sums + column, 0, SJ_BLOCK * sizeof *sums);
          continue;
        }
        __builtin_prefetch(pixels + column + ahead, 1);
        if (alpha && column > done) paint_run(&brush, source, done, column, row, pixels, alpha);
        sweep_block(&brush, source, evenodd, sums + column, column, row, box.x1, pixels + column, &carry);
        alpha = coverage(carry, evenodd)[0];
        done = column + SJ_BLOCK;
      }
    }
    if (alpha && done < box.x1) paint_run_cut(&brush, source, done, box.x1, row, pixels, alpha);
  }
}

// sj_overlap of LANES columns; 0 outside of the box.
VEC vi widths(stijl_irect rectangle, stijl_irect box, int column) {
  vi at = v_iota() + column, left = at * K_SUBPIXELS, none = {0}, all = v_set1(K_SUBPIXELS);
  vi width = v_max(v_min(rectangle.x1 - left, all), none) - v_max(v_min(rectangle.x0 - left, all), none);
  return width & (at >= box.x0) & (at < box.x1);
}

VEC void fill_rows(stijl_irect rectangle, stijl_irect box, const sj_painter *p, enum source source) {
  kept_taps kept;
  source_brush brush = brush_of(p, &kept);
  box.x0 = k_max(box.x0, rectangle.x0 >> 8);
  box.y0 = k_max(box.y0, rectangle.y0 >> 8);
  box.x1 = k_min(box.x1, (rectangle.x1 + 255) >> 8);
  box.y1 = k_min(box.y1, (rectangle.y1 + 255) >> 8);
  if (box.x0 >= box.x1) return;
  // Each row is whole vectors of the same coverage, and at most one vector before and one behind them.
  int first = box.x0 & ~(LANES - 1), whole = (k_max(box.x0, (rectangle.x0 + 255) >> 8) + LANES - 1) & ~(LANES - 1);
  int last = k_max(whole, k_min(box.x1, rectangle.x1 >> 8) & ~(LANES - 1));
  vi first_widths = widths(rectangle, box, first), last_widths = widths(rectangle, box, last);
  for (int row = box.y0; row < box.y1; row++) {
    uint32_t *pixels = p->pixels + (size_t)row * p->stride;
    int top = row * K_SUBPIXELS, height = k_min(rectangle.y1, top + K_SUBPIXELS) - k_max(rectangle.y0, top);
    vi most = v_set1(255);
    if (first < whole)
      paint_vector(&brush, source, first, row, pixels + first, v_min(first_widths * height >> 8, most));
    if (whole < last) paint_run(&brush, source, whole, last, row, pixels, k_min(height, 255));
    if (last < box.x1) paint_vector(&brush, source, last, row, pixels + last, v_min(last_widths * height >> 8, most));
  }
}

#define EACH_SOURCE(apply)                        \
  switch (source_of(painter)) {                   \
    case SOLID_OPAQUE: apply(SOLID_OPAQUE) break; \
    case SOLID: apply(SOLID) break;               \
    case LAYER: apply(LAYER) break;               \
    case BLENDED: apply(BLENDED) break;           \
    case LINEAR: apply(LINEAR) break;             \
    case CIRCLE: apply(CIRCLE) break;             \
    case RADIAL: apply(RADIAL) break;             \
    case TURN: apply(TURN) break;                 \
    case IMAGE: apply(IMAGE) break;               \
    case PIXELWISE: apply(PIXELWISE) break;       \
  }

static void sweep(const sj_cells *cells, stijl_irect box, bool evenodd, const sj_painter *painter) {
#define SWEEP(source)                                             \
  if (evenodd) sweep_rows(cells, box, true, painter, source);     \
  else sweep_rows(cells, box, false, painter, source);
  EACH_SOURCE(SWEEP)
#undef SWEEP
}

static void fill(stijl_irect rectangle, stijl_irect box, const sj_painter *painter) {
#define FILL(source) fill_rows(rectangle, box, painter, source);
  EACH_SOURCE(FILL)
#undef FILL
}

// sj_ramp_entries.
static void ramp(const k_ramp_piece *pieces, size_t count, uint32_t *out) {
  for (size_t i = 0; i < count; i++) {
    k_ramp_piece p = pieces[i];
    int n = (int)(sj_piece_end(pieces, count, i) - p.first);
    bool opaque = p.a >= 255.0f && p.da == 0.0f;
    vf entry = v_float(v_iota());
    for (int k = 0; k < n; k += LANES, entry = entry + (float)LANES) {
      vi color = v_trunc(p.r + p.dr * entry) | v_trunc(p.g + p.dg * entry) << 8 | v_trunc(p.b + p.db * entry) << 16 |
                 (int32_t)0xff000000;
      v_store(out + k, opaque ? color : scale(color, v_trunc(p.a + p.da * entry)));
    }
    out += n;
  }
}
