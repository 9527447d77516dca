// The pixels that a draw paints with, in vectors: a colour, a layer's, a gradient's, or an image's. Included by
// simd_sweep.h.
#include "cpu/pixel.h"
#include "cpu/simd_image.h"

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
  PIXELWISE  // one by one through pixel.h: images of alpha alone or with a palette, and what is blended without being a
             // layer
};

static enum source source_of(const sj_painter *p) {
  _Static_assert(K_PAINT_KINDS == 6, "a new gradient is computed here, or one by one");
  if (p->layer) return p->blend == K_BLEND_NORMAL ? LAYER : BLENDED;
  if (p->blend != K_BLEND_NORMAL) return PIXELWISE;
  if (!p->paint) return p->opaque ? SOLID_OPAQUE : SOLID;
  switch (p->paint->kind) {
    case K_PAINT_LINEAR: return LINEAR;
    case K_PAINT_CIRCLE: return CIRCLE;
    case K_PAINT_RADIAL: return RADIAL;
    case K_PAINT_SWEEP: return TURN;
    case K_PAINT_IMAGE: return p->image->format == STIJL_FORMAT_RGBA8 && !p->image->palette ? IMAGE : PIXELWISE;
    default: return PIXELWISE;
  }
}

// What is computed once for a draw.
typedef struct {
  const sj_painter *p;
  vi pixel;       // solid
  vw2 channels;   // solid
  vw alpha;       // solid: its alpha everywhere
  vi rb, ga;      // opaque: its bytes less 128, where the bytes are not that are below it
  k_paint paint;  // gradients: a copy, which no store of pixels can change
  const uint32_t *ramp;
  image_sampler *sampler;  // image
  kept_taps *kept;
  bool upon;  // image: its pixels lie upon those below, this far away
  int dx, dy;
} source_brush;

// Makes bytes signed ones that are less by 128, by exclusive or.
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

// Computes k_ramp_index.
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

// Returns ramp[index]. Neighbours mostly have indices that rise or fall slowly: then all lie in a window that begins
// with the first's or the last's.
VEC vi ramp_colors(const uint32_t *ramp, vi index) {
  if (V_WINDOW) {
    int base = k_min(k_min(index[0], index[LANES - 1]), K_RAMP_SIZE - V_WINDOW);
    if (v_all_below(index - base, V_WINDOW)) return v_window(ramp, base, index);
  }
  return v_gather(ramp, index);
}

// Computes k_radial. *drawn becomes a mask.
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

// Computes k_gradient for a sweep.
VEC vf turn(const k_paint *p, vf x, vf y) {
  vf turns = v_turns(y, x) - p->fy;
  turns = v_less(turns, (vf){0}, turns + 1.0f, turns);
  turns = turns * p->fx;
  return turns + p->fr;
}

VEC const uint32_t *layer_pixels(const sj_painter *p, int column, int row) {
  return p->layer + (size_t)row * p->layer_stride + (size_t)column;
}

VEC void copy_pixels(const uint32_t *from, uint32_t *to, int count) {
  int i = 0;
  for (; i + LANES <= count; i += LANES) v_store(to + i, v_load(from + i));
  memcpy(to + i, from + i, (size_t)(count - i) * sizeof *to);
}

// Finds the image's pixels for `count` of the band's, which are whole vectors.
static void image_run(const source_brush *brush, int column, int row, int count, uint32_t *out) {
  if (!brush->upon) {
    brush->sampler(brush->p, brush->kept, column, row, count, out);
    return;
  }
  const stijl_image *image = brush->p->image;
  const k_paint *paint = brush->p->paint;
  int y = k_wrap(brush->p->y + row + brush->dy, image->height, paint->spread_y);
  const uint32_t *line = (const uint32_t *)(const void *)(image->pixels + (size_t)k_max(y, 0) * image->stride);
  bool repeats = paint->spread_x == K_SPREAD_REPEAT && y >= 0;
  for (int i = 0, n; i < count; i += n) {
    int x = brush->p->x + column + brush->dx + i;
    if (repeats) x = k_wrap(x, image->width, K_SPREAD_REPEAT);
    bool within = y >= 0 && x >= 0 && x + (repeats ? 1 : LANES) <= image->width;
    n = within ? k_min(image->width - x, count - i) : LANES;
    if (within && !repeats) n &= ~(LANES - 1);
    if (within)
      copy_pixels(line + x, out + i, n);
    else
      brush->sampler(brush->p, brush->kept, column + i, row, LANES, out + i);
  }
}

// Returns the ramp's indices for the LANES pixels from a column on. Those of pixels that are not drawn are below 0.
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

// Returns LANES source pixels from a column on.
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
