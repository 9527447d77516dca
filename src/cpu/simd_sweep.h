// Turns sums into coverage and paints pixels with it, in vectors. Included once by each instruction set's file.
#include "cpu/simd_blend.h"
#include "cpu/simd_source.h"
#include "kernel/coverage.h"

VEC vi coverage(vi sum, bool evenodd) {
  vi a = v_abs(sum);
  if (evenodd) {
    a = a & (2 * K_FULL_AREA - 1);
    a = v_min(a, 2 * K_FULL_AREA - a);
  }
  return v_min(a >> 9, v_set1(255));
}

// Computes k_over of an opaque colour for LANES pixels. Bytes of the colour and those below it are multiplied and added
// in pairs, so that none are unpacked.
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

// Computes k_over for LANES pixels, whose coverages are m.
VEC vi over(vi below, const source_brush *brush, enum source source, vi pixels, vi m) {
  if (source == SOLID_OPAQUE) return over_opaque(below, brush, m);
  vw mask = v_spread(m);
  vw alpha = source == SOLID ? brush->alpha : v_spread(alpha_of(pixels));
  vw2 s = source == SOLID ? brush->channels : v_unpack(pixels);
  return mix(s, mask, v_unpack(below), 255 - v_div255(alpha * mask));
}

// Returns the product of the coverage and the draw's opacity.
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

// Returns whether a linear gradient's indices are within a small window of the ramp for each vector, which is faster to
// look up than by a gather: without repetition, at full coverage, those of neighbouring pixels rise or fall slowly.
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

// Paints a run of a gradient at full coverage, over whole vectors. An index takes a long chain of operations, of which
// processors have more under way at a time in a loop that does nothing else.
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
    v_store(pixels, v_merge((vw2){v_div255_biased(rb), v_div255_biased(ga)}));
  }
#else
  for (; pixels < end; pixels += LANES) {
    vw2 d = v_unpack(v_load(pixels));
    v_store(pixels, v_pack((vw2){v_div255_biased(add.rb + d.rb * keep), v_div255_biased(add.ga + d.ga * keep)}));
  }
#endif
}

// Paints a run of equal coverage, 1..255, over whole vectors.
VEC void paint_run(const source_brush *brush, enum source source, int x0, int x1, int row, uint32_t *pixels,
                   int alpha) {
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
VEC void paint_run_cut(const source_brush *brush, enum source source, int x0, int x1, int row, uint32_t *pixels,
                       int alpha) {
  int whole = x1 & ~(LANES - 1);
  if (x0 < whole) paint_run(brush, source, x0, whole, row, pixels, alpha);
  if (whole < x0) whole = x0;
  if (whole < x1) paint_cut(brush, source, whole, row, pixels + whole, v_set1(alpha), x1);
}

VEC void sweep_block(const source_brush *brush, enum source source, bool evenodd, int32_t *sums, int column, int row,
                     int x1, uint32_t *pixels, vi *carry) {
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

// Returns the first group of eight blocks, from this one on, that may have a touched one. Groups are looked at four at
// a time as long as there are four, so that no flag behind the last group is read. Of a large thin stroke few blocks of
// a row are touched.
VEC int next_group(const uint8_t *touched, int group, int last) {
  for (; group + 24 <= last; group += 32) {
    uint64_t flags[4];
    memcpy(flags, touched + group, sizeof flags);
    if (flags[0] | flags[1] | flags[2] | flags[3]) break;
  }
  return group;
}

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
    for (int group = next_group(touched, first, last); group <= last; group = next_group(touched, group + 8, last)) {
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

// Computes sj_overlap for LANES columns, which is 0 outside of the box.
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
#define SWEEP(source)                              \
  if (evenodd)                                     \
    sweep_rows(cells, box, true, painter, source); \
  else                                             \
    sweep_rows(cells, box, false, painter, source);
  EACH_SOURCE(SWEEP)
#undef SWEEP
}

static void fill(stijl_irect rectangle, stijl_irect box, const sj_painter *painter) {
#define FILL(source) fill_rows(rectangle, box, painter, source);
  EACH_SOURCE(FILL)
#undef FILL
}

// Does what sj_ramp_entries does.
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
