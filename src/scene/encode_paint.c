// Encodes what draws are painted with: transforms, paints and pens.
#include "scene/encode_paint.h"

#include <string.h>

#include "image/image.h"
#include "kernel/flatten.h"
#include "scene/encode_tiles.h"
#include "scene/encoder.h"
#include "scene/matrix64.h"

// Returns the length of the longest vector that the matrix makes of a unit vector.
static double stretch(sj_matrix64 m) {
  double p = m.a * m.a + m.b * m.b, q = m.c * m.c + m.d * m.d, r = m.a * m.c + m.b * m.d;
  return sqrt(0.5 * (p + q + sqrt((p - q) * (p - q) + 4.0 * r * r)));
}

static k_matrix to_rows(sj_matrix64 m) {
  return (k_matrix){(float)m.a, (float)m.b, (float)m.c, (float)m.d, (float)m.e, (float)m.f};
}

// Returns a number of a paint in a space where 1 is seen: so small a part of it is not. What kernels would compute with
// it could be a subnormal float, which some GPUs take for zero, and by whose sign a repeated gradient shows its first
// or its last colour.
static double without_trace(double v) { return fabs(v) < 0x1p-40 ? 0.0 : v; }

// Stores a paint's matrix, which kernels apply to pixel centres. Returns false when it is too large for their
// arithmetic.
static bool store_rows(sj_matrix64 m, k_matrix *out) {
  m = (sj_matrix64){without_trace(m.a), without_trace(m.b), without_trace(m.c),
                    without_trace(m.d), without_trace(m.e), without_trace(m.f)};
  *out = to_rows(m);
  return sj_fits_kernels(m);
}

// Returns the matrix that applies `m` (pixels to paint space), then moves `origin` to zero, and then scales.
static sj_matrix64 centred(sj_matrix64 m, stijl_point origin, double scale) {
  m.e -= (double)origin.x;
  m.f -= (double)origin.y;
  return (sj_matrix64){m.a * scale, m.b * scale, m.c * scale, m.d * scale, m.e * scale, m.f * scale};
}

static bool set_linear(const sj_paint *paint, sj_matrix64 m, k_paint *out) {
  double dx = (double)paint->p1.x - (double)paint->p0.x, dy = (double)paint->p1.y - (double)paint->p0.y;
  double squared = dx * dx + dy * dy;
  if (!(squared > 0.0)) return false;
  squared /= (double)K_RAMP_LAST;
  m = centred(m, paint->p0, 1.0);
  sj_matrix64 t = {(m.a * dx + m.b * dy) / squared, 0.0, (m.c * dx + m.d * dy) / squared, 0.0,
                   (m.e * dx + m.f * dy) / squared, 0.0};
  out->kind = K_PAINT_LINEAR;
  return store_rows(t, &out->m);
}

// A gradient between two circles that are so many pixels large shows one colour only. Squares of what kernels compute
// with would be subnormal floats, which some GPUs take for zero.
#define LEAST_STEP 1e-7

static bool set_radial(const sj_paint *paint, sj_matrix64 m, k_paint *out) {
  double dx = (double)paint->p1.x - (double)paint->p0.x, dy = (double)paint->p1.y - (double)paint->p0.y;
  double r0 = (double)paint->r0, r1 = (double)paint->r1;
  if (dx == 0.0 && dy == 0.0 && r0 == 0.0) {
    out->kind = K_PAINT_CIRCLE;
    return r1 > 0.0 && store_rows(centred(m, paint->p0, (double)K_RAMP_LAST / r1), &out->m);
  }
  double size = fmax(fmax(r0, r1), fmax(fabs(dx), fabs(dy)));
  double scale = 1.0 / size, dr = without_trace((r1 - r0) * scale);
  if (stretch(m) * scale < LEAST_STEP) return false;
  dx = without_trace(dx * scale);
  dy = without_trace(dy * scale);
  if (dx == 0.0 && dy == 0.0 && dr == 0.0) return false;
  double a = dx * dx + dy * dy - dr * dr;
  if (fabs(a) < 1e-7 * (dx * dx + dy * dy + dr * dr)) a = 0.0;
  double last = (double)K_RAMP_LAST;  // between the circles
  out->kind = K_PAINT_RADIAL;
  out->fr = (float)without_trace(r0 * scale);
  out->dx = (float)(dx / last);
  out->dy = (float)(dy / last);
  out->dr = (float)(dr / last);
  out->a = (float)(a / (last * last));
  out->inverse_a = a == 0.0 ? 0.0f : (float)(last * last / a);
  return store_rows(centred(m, paint->p0, scale), &out->m);
}

static bool set_sweep(const sj_paint *paint, sj_matrix64 m, k_paint *out) {
  double turn = ((double)paint->end_angle - (double)paint->start_angle) / 360.0;
  double start = (double)paint->start_angle / 360.0, lead = (double)paint->lead_angle / 360.0;
  if (!(turn != 0.0)) return false;
  double inverse = 1.0 / turn, from = turn > 0.0 ? start - lead : start + lead;
  // The turn is measured clockwise from `from`; a gradient that goes the other way begins where it ends.
  double at_from = (turn > 0.0 ? -lead : lead - 1.0) * inverse;
  out->kind = K_PAINT_SWEEP;
  out->fx = (float)(inverse * (double)K_RAMP_LAST);
  out->fy = (float)(from - floor(from));
  out->fr = (float)(at_from * (double)K_RAMP_LAST);
  // Only directions count: the space is made one where pixels, or how far they are from the centre, are about 1. A
  // power of two changes no digit of them.
  m = centred(m, paint->p0, 1.0);
  if (!sj_fits_kernels(m)) return false;
  int exponent;
  frexp(fmax(stretch(m), 0x1p-24 * fmax(fabs(m.e), fabs(m.f))), &exponent);
  m = centred(m, (stijl_point){0.0f, 0.0f}, ldexp(1.0, -exponent));
  return fabs(inverse) < 1e6 && fabs(at_from) < 1e9 && store_rows(m, &out->m);
}

// A tile of which more than this is seen is drawn smaller and enlarged.
#define MAX_TILE_SIDE 8192.0
#define MAX_TILE_PIXELS ((double)(1 << 24))
// Pixels of a larger tile are not numbered.
#define MAX_WHOLE_SIDE 1e7

// Returns how many pixels a length becomes. What is just above a whole number comes from rounding, and needs no further
// pixel.
static int whole_pixels(double length) {
  int pixels = (int)ceil(length - 0.01);
  return pixels < 1 ? 1 : pixels;
}

// Sampling reads up to two pixels beside the place; and one more, for what rounding moves.
#define TILE_HALO 3.0

// Finds what of `size` pixels in a row can be seen, where the places from..to can: *first and *count, within the
// repetition that begins at *origin. Returns false where more than one repetition is seen.
static bool find_seen(double from, double to, int size, uint32_t spread, int *first, int *count, double *origin) {
  from -= TILE_HALO;
  to += TILE_HALO;
  *origin = spread == K_SPREAD_REPEAT ? floor(from / size) * size : 0.0;
  from -= *origin;
  to -= *origin;
  if ((spread == K_SPREAD_REPEAT || spread == K_SPREAD_REFLECT) && !(from >= 0.0 && to <= size)) return false;
  *first = (int)fmax(0.0, fmin(floor(from), size - 1));
  *count = (int)fmax(*first + 1, fmin(ceil(to), size)) - *first;
  return true;
}

// Finds between which values x * by_x + y * by_y + offset is in a box.
static void find_range(stijl_irect box, double by_x, double by_y, double offset, double *from, double *to) {
  double x0 = by_x * box.x0, x1 = by_x * box.x1, y0 = by_y * box.y0, y1 = by_y * box.y1;
  *from = fmin(x0, x1) + fmin(y0, y1) + offset;
  *to = fmax(x0, x1) + fmax(y0, y1) + offset;
}

// Finds the part of a tile of part->whole_width x part->whole_height pixels that the canvas can show. `m` takes pixels
// of the pass to those of the tile; it is moved to the repetition that is seen. Only parts much smaller than the whole
// are worth it, because draws share the whole wherever they are.
static bool find_part(const sj_encoder *e, const sj_paint *paint, sj_matrix64 *m, sj_tile_part *part) {
  double u0, u1, v0, v1, move_x, move_y;
  find_range(e->canvas, m->a, m->c, m->e, &u0, &u1);
  find_range(e->canvas, m->b, m->d, m->f, &v0, &v1);
  if (!find_seen(u0, u1, part->whole_width, paint->spread_x, &part->x, &part->width, &move_x) ||
      !find_seen(v0, v1, part->whole_height, paint->spread_y, &part->y, &part->height, &move_y))
    return false;
  double pixels = (double)part->width * part->height, whole = (double)part->whole_width * part->whole_height;
  if (part->width > MAX_TILE_SIDE || part->height > MAX_TILE_SIDE || pixels > MAX_TILE_PIXELS || 2.0 * pixels > whole)
    return false;
  m->e -= move_x;
  m->f -= move_y;
  return true;
}

// Returns the matrix from pixels of the pass to those of a tile.
static sj_matrix64 to_tile(sj_matrix64 m, const sj_paint *paint, const sj_tile_part *part) {
  double x = part->whole_width / ((double)paint->p1.x - (double)paint->p0.x);
  double y = part->whole_height / ((double)paint->p1.y - (double)paint->p0.y);
  m = centred(m, paint->p0, 1.0);
  return (sj_matrix64){m.a * x, m.b * y, m.c * x, m.d * y, m.e * x, m.f * y};
}

// Finds the surface that has a scene's rectangle, or what can be seen of it, at the scale that it is seen at.
// `paint_to_device` and `m`, its inverse, are matrices of the paint's space.
static bool set_tile(sj_encoder *e, const sj_paint *paint, sj_matrix64 paint_to_device, sj_matrix64 m, k_paint *out) {
  double width = (double)paint->p1.x - (double)paint->p0.x, height = (double)paint->p1.y - (double)paint->p0.y;
  sj_matrix64 p = paint_to_device;
  double x = width * sqrt(p.a * p.a + p.b * p.b), y = height * sqrt(p.c * p.c + p.d * p.d);
  if (!(x > 0.0) || !(y > 0.0)) return false;
  sj_tile_part part = {.whole_width = whole_pixels(k_min(x, MAX_WHOLE_SIDE)),
                       .whole_height = whole_pixels(k_min(y, MAX_WHOLE_SIDE))};
  sj_matrix64 rows = to_tile(m, paint, &part);
  if (!(x < MAX_WHOLE_SIDE) || !(y < MAX_WHOLE_SIDE) || !find_part(e, paint, &rows, &part)) {
    x = k_min(x, MAX_TILE_SIDE);
    y = k_min(y, MAX_TILE_SIDE);
    double shrink = x * y > MAX_TILE_PIXELS ? sqrt(MAX_TILE_PIXELS / (x * y)) : 1.0;
    int w = whole_pixels(x * shrink), h = whole_pixels(y * shrink);
    part = (sj_tile_part){.whole_width = w, .whole_height = h, .width = w, .height = h};
    rows = to_tile(m, paint, &part);
  }
  out->kind = K_PAINT_IMAGE;
  out->width = part.width;
  out->height = part.height;
  rows.e -= part.x;
  rows.f -= part.y;
  if (!store_rows(rows, &out->m)) return false;
  e->failed = !sj_find_tile(e, paint, &part, &out->source);
  out->source += (uint32_t)e->scene->images.count;
  return !e->failed;
}

static bool set_solid(k_draw *draw, uint32_t color) {
  draw->flags |= K_DRAW_SOLID | (color >> 24 == 255 ? K_DRAW_OPAQUE : 0);
  draw->paint = color;
  return color >> 24 != 0;
}

// Returns false where the gradient has no extent.
static bool set_gradient(const sj_paint *paint, sj_matrix64 m, k_paint *out) {
  switch ((stijl_paint_kind)paint->kind) {
    case STIJL_PAINT_LINEAR: return set_linear(paint, m, out);
    case STIJL_PAINT_RADIAL: return set_radial(paint, m, out);
    case STIJL_PAINT_SWEEP: return set_sweep(paint, m, out);
    case STIJL_PAINT_SOLID:
    case STIJL_PAINT_IMAGE:
    case STIJL_PAINT_SCENE: break;
  }
  return false;
}

bool sj_encode_paint(sj_encoder *e, const sj_draw *draw, stijl_matrix to_device, k_draw *out) {
  if (draw->flags & K_DRAW_SOLID) return set_solid(out, draw->paint);
  const sj_paint *paint = &e->scene->paints.data[draw->paint];
  k_paint made = {.color = paint->color,
                  .source = paint->source,
                  .spread_x = paint->spread_x,
                  .spread_y = paint->spread_y,
                  .sampling = paint->sampling};
  sj_matrix64 from_paint = sj_multiply64(sj_to64(to_device), sj_to64(paint->transform)), m;
  if (!sj_invert64(from_paint, &m)) return false;
  if (paint->kind == STIJL_PAINT_SCENE) {
    if (!set_tile(e, paint, from_paint, m, &made)) return false;
  } else if (paint->kind == STIJL_PAINT_IMAGE) {
    const stijl_image *image = e->scene->images.data[paint->source];
    made.kind = K_PAINT_IMAGE;
    made.width = stijl_image_width(image);
    made.height = stijl_image_height(image);
    if (!store_rows(m, &made.m)) return false;
  } else {
    // A gradient without extent is its last colour, as SVG says.
    if (!set_gradient(paint, m, &made)) {
      const sj_ramp *ramp = &e->scene->ramps.data[paint->source];
      return set_solid(out, sj_ramp_last(e->scene->ramp_pieces.data + ramp->first, ramp->count));
    }
  }
  _Static_assert(K_PAINT_KINDS == 6, "whether a new gradient paints every pixel");
  if (paint->opaque && made.kind != K_PAINT_RADIAL) out->flags |= K_DRAW_OPAQUE;
  out->paint = (uint32_t)e->out->paints.count;
  e->failed = !sj_array_push(e->context, &e->out->paints, made);
  return !e->failed;
}

// Returns a matrix to the space of the draws at work, as one to the space of the pass.
static stijl_matrix placed(const sj_encoder *e, stijl_matrix m) {
  const sj_run *run = &e->runs.data[e->runs.count - 1];
  return run->placed ? stijl_matrix_multiply(run->place, m) : m;
}

// Paths have coordinates up to 2^30, and squares of sums of a stroke's coordinates have to stay below 2^128.
#define MOST_EXPONENT 16

// Returns false when the pen has no width in device space.
static bool encode_pen(sj_encoder *e, const sj_stroke *stroke, k_pen *out) {
  sj_matrix64 path = sj_to64(e->to_device);
  sj_matrix64 pen = stroke->own_pen ? sj_multiply64(sj_to64(e->view), sj_to64(placed(e, stroke->pen))) : path;
  double widest = stretch(pen), half_width = (double)stroke->half_width;
  // A pen squeezed this flat covers nothing that could be seen, and its inverse would leave the range of floats.
  if (!(fabs(pen.a * pen.d - pen.b * pen.c) > 1e-6 * widest * widest)) return false;
  // Lengths in pen space are made about those in pixels, since of small ones squares would be subnormal. A power of two
  // changes no digit of what is computed.
  int exponent;
  frexp(widest, &exponent);
  exponent = k_min(exponent, MOST_EXPONENT);
  double scale = ldexp(1.0, exponent);
  pen = (sj_matrix64){pen.a / scale, pen.b / scale, pen.c / scale, pen.d / scale, pen.e, pen.f};
  widest /= scale;
  half_width *= scale;
  sj_matrix64 back, from_path = {scale, 0.0, 0.0, scale, 0.0, 0.0};
  if (!sj_invert64(pen, &back)) return false;
  if (stroke->own_pen) from_path = sj_multiply64(back, path);
  // Without anti-aliasing what is thinner than a pixel would miss most centres.
  double pixels = 2.0 * half_width * sqrt(fabs(pen.a * pen.d - pen.b * pen.c));
  bool thin = stroke->aliased && pixels < 1.0;
  e->fade = thin ? (uint32_t)(255.0 * pixels + 0.5) : 255;
  if (thin) half_width /= pixels;
  double radius = half_width * widest;
  *out = (k_pen){.a = (float)pen.a,
                 .b = (float)pen.b,
                 .c = (float)pen.c,
                 .d = (float)pen.d,
                 .ia = (float)back.a,
                 .ib = (float)back.b,
                 .ic = (float)back.c,
                 .id = (float)back.d,
                 .from_path = to_rows(from_path),
                 .half_width = (float)half_width,
                 .miter_limit = sj_miter_limit(stroke) * sj_miter_limit(stroke),
                 .radius = (float)radius,
                 .arc_density = (float)sqrt(radius / (8.0 * (double)K_TOLERANCE)),
                 .cap = stroke->cap,
                 .join = stroke->join};
  return sj_fits_kernels(from_path) && radius > 1e-6 && radius < 1e7;
}

// Returns whether two matrices are the same to the bit.
static bool same_matrix(const stijl_matrix *a, const stijl_matrix *b) { return memcmp(a, b, sizeof *a) == 0; }

static bool same_stroke(const sj_stroke *a, const sj_stroke *b) {
  return a->half_width == b->half_width && a->miter_limit == b->miter_limit && a->cap == b->cap && a->join == b->join &&
         a->aliased == b->aliased && a->own_pen == b->own_pen && same_matrix(&a->pen, &b->pen);
}

bool sj_find_transform(sj_encoder *e, const stijl_matrix *transform) {
  if (!e->transform || !same_matrix(e->transform, transform)) {
    e->to_device = sj_from_k(k_multiply(sj_to_k(e->view), sj_to_k(placed(e, *transform))));
    e->finite = stijl_matrix_is_finite(e->to_device);
    e->stroke = NULL;
  }
  e->transform = transform;
  return e->finite;
}

const k_pen *sj_find_pen(sj_encoder *e, const sj_stroke *stroke) {
  if (!e->stroke || !same_stroke(e->stroke, stroke)) {
    k_pen made;
    e->has_width = encode_pen(e, stroke, &made);
    e->pen = (uint32_t)e->out->pens.count;
    e->failed = e->has_width && !sj_array_push(e->context, &e->out->pens, made);
    if (e->failed) return NULL;
  }
  e->stroke = stroke;
  return e->has_width ? &e->out->pens.data[e->pen] : NULL;
}
