#include "scene/encode.h"

#include <math.h>
#include <string.h>

#include "base/irect.h"
#include "image/image.h"
#include "kernel/clip.h"
#include "kernel/composite.h"
#include "kernel/flatten.h"

// A layer that is open while draws are encoded.
typedef struct {
  uint32_t push;       // its draw in the output
  stijl_irect limits;  // pixels that may be drawn in it
  stijl_irect content; // the box of what has been drawn in it
  bool transparent;    // the output has no layer for it: all it does is to limit what is drawn
  uint32_t depth;      // how many layers of the output are open, this one included
  bool mask;
} level;

typedef struct {
  stijl_context *context;
  const stijl_scene *scene;
  stijl_matrix view;
  sj_encoded *out;
  SJ_ARRAY(level) levels;
  bool failed;  // memory is out
  sj_spender spender;
  // The transform and the stroke of the draw before, and what was computed from them: most draws have the same.
  const stijl_matrix *transform;
  stijl_matrix to_device;
  bool finite;
  const sj_stroke *stroke;  // NULL: no pen was computed for `transform` yet
  bool has_width;
  uint32_t pen;
} encoder;

static stijl_irect unite(stijl_irect a, stijl_irect b) {
  if (sj_irect_is_empty(a)) return b;
  if (sj_irect_is_empty(b)) return a;
  return (stijl_irect){k_min(a.x0, b.x0), k_min(a.y0, b.y0), k_max(a.x1, b.x1), k_max(a.y1, b.y1)};
}

static bool is_far(stijl_rect r) {
  const float edge = K_GUARD - 64.0f;
  return !(r.x0 > -edge && r.y0 > -edge && r.x1 < edge && r.y1 < edge);
}

// Clamps to what ints hold.
static float tame(float x) {
  x = x < 1e8f ? x : 1e8f;
  return x > -1e8f ? x : -1e8f;
}

static inline int round_down(float x) { return (int)x - ((float)(int)x > x); }
static inline int round_up(float x) { return (int)x + ((float)(int)x < x); }

// The pixels that lines may touch whose control points are in a box. Transformed points are within the transformed box,
// since rounding keeps order.
static inline stijl_irect pixels(stijl_rect r) {
  if (is_far(r)) r = (stijl_rect){tame(r.x0), tame(r.y0), tame(r.x1), tame(r.y1)};
  float margin = k_hull_margin(k_max(k_max(-r.x0, r.x1), k_max(-r.y0, r.y1)));
  return (stijl_irect){round_down(r.x0 - margin), round_down(r.y0 - margin), round_up(r.x1 + margin),
                       round_up(r.y1 + margin)};
}

static k_matrix to_k(stijl_matrix m) { return (k_matrix){m.a, m.b, m.c, m.d, m.e, m.f}; }

// Matrices in double for what is inverted and composed; only + - * / are used, exact on every machine.
typedef struct {
  double a, b, c, d, e, f;
} matrix64;

static matrix64 to64(stijl_matrix m) {
  return (matrix64){(double)m.a, (double)m.b, (double)m.c, (double)m.d, (double)m.e, (double)m.f};
}

static matrix64 multiply64(matrix64 o, matrix64 i) {
  return (matrix64){o.a * i.a + o.c * i.b,       o.b * i.a + o.d * i.b,       o.a * i.c + o.c * i.d,
                    o.b * i.c + o.d * i.d,       o.a * i.e + o.c * i.f + o.e, o.b * i.e + o.d * i.f + o.f};
}

static bool invert64(matrix64 m, matrix64 *out) {
  double det = m.a * m.d - m.b * m.c;
  double scale = fabs(m.a * m.d) + fabs(m.b * m.c);
  if (!(fabs(det) > scale * 1e-12) || !(fabs(det) < 1e300)) return false;
  double r = 1.0 / det;
  *out = (matrix64){m.d * r, -m.b * r, -m.c * r, m.a * r, (m.c * m.f - m.d * m.e) * r, (m.b * m.e - m.a * m.f) * r};
  return r - r == 0.0;
}

// The length of the longest vector that the matrix makes of a unit vector.
static double stretch(matrix64 m) {
  double p = m.a * m.a + m.b * m.b, q = m.c * m.c + m.d * m.d, r = m.a * m.c + m.b * m.d;
  return sqrt(0.5 * (p + q + sqrt((p - q) * (p - q) + 4.0 * r * r)));
}

// Stores a paint's matrix, which kernels apply to pixel centres. False when it is too large for their arithmetic.
static bool store_rows(matrix64 m, k_matrix *out) {
  *out = (k_matrix){(float)m.a, (float)m.b, (float)m.c, (float)m.d, (float)m.e, (float)m.f};
  return fabs(m.a) < 1e9 && fabs(m.b) < 1e9 && fabs(m.c) < 1e9 && fabs(m.d) < 1e9 && fabs(m.e) < 1e12 &&
         fabs(m.f) < 1e12;
}

// The matrix that applies `m` (pixels to paint space), then moves `origin` to zero, and then scales.
static matrix64 centred(matrix64 m, stijl_point origin, double scale) {
  m.e -= (double)origin.x;
  m.f -= (double)origin.y;
  return (matrix64){m.a * scale, m.b * scale, m.c * scale, m.d * scale, m.e * scale, m.f * scale};
}

static bool set_linear(const sj_paint *paint, matrix64 m, k_paint *out) {
  double dx = (double)paint->p1.x - (double)paint->p0.x, dy = (double)paint->p1.y - (double)paint->p0.y;
  double squared = dx * dx + dy * dy;
  if (!(squared > 0.0)) return false;
  m = centred(m, paint->p0, 1.0);
  matrix64 t = {(m.a * dx + m.b * dy) / squared, 0.0, (m.c * dx + m.d * dy) / squared, 0.0,
                (m.e * dx + m.f * dy) / squared, 0.0};
  out->kind = K_PAINT_LINEAR;
  return store_rows(t, &out->m);
}

static bool set_radial(const sj_paint *paint, matrix64 m, k_paint *out) {
  double dx = (double)paint->p1.x - (double)paint->p0.x, dy = (double)paint->p1.y - (double)paint->p0.y;
  double r0 = (double)paint->r0, r1 = (double)paint->r1;
  if (dx == 0.0 && dy == 0.0 && r0 == 0.0) {
    out->kind = K_PAINT_CIRCLE;
    return r1 > 0.0 && store_rows(centred(m, paint->p0, 1.0 / r1), &out->m);
  }
  double size = fmax(fmax(r0, r1), fmax(fabs(dx), fabs(dy)));
  double scale = 1.0 / size, dr = (r1 - r0) * scale;
  dx *= scale;
  dy *= scale;
  if (dx == 0.0 && dy == 0.0 && dr == 0.0) return false;
  double a = dx * dx + dy * dy - dr * dr;
  if (fabs(a) < 1e-7 * (dx * dx + dy * dy + dr * dr)) a = 0.0;
  out->kind = K_PAINT_RADIAL;
  out->fr = (float)(r0 * scale);
  out->dx = (float)dx;
  out->dy = (float)dy;
  out->dr = (float)dr;
  out->a = (float)a;
  out->inverse_a = a == 0.0 ? 0.0f : (float)(1.0 / a);
  return store_rows(centred(m, paint->p0, scale), &out->m);
}

static bool set_sweep(const sj_paint *paint, matrix64 m, k_paint *out) {
  double turn = ((double)paint->end_angle - (double)paint->start_angle) / 360.0;
  double start = (double)paint->start_angle / 360.0;
  if (!(turn != 0.0)) return false;
  out->kind = K_PAINT_SWEEP;
  out->fx = (float)(1.0 / turn);
  out->fy = (float)(start - floor(start));
  return fabs(1.0 / turn) < 1e6 && store_rows(centred(m, paint->p0, 1.0), &out->m);
}

static bool set_solid(k_draw *draw, uint32_t color) {
  draw->flags |= K_DRAW_SOLID | (color >> 24 == 255 ? K_DRAW_OPAQUE : 0);
  draw->paint = color;
  return color >> 24 != 0;
}

// Stores the draw's colour or its paint. False when it draws nothing, or when memory is out and e->failed set.
static bool encode_paint(encoder *e, const sj_draw *draw, stijl_matrix to_device, k_draw *out) {
  if (draw->flags & K_DRAW_SOLID) return set_solid(out, draw->paint);
  const sj_paint *paint = &e->scene->paints.data[draw->paint];
  k_paint made = {.color = paint->color,
                  .source = paint->source,
                  .spread_x = paint->spread_x,
                  .spread_y = paint->spread_y,
                  .sampling = paint->sampling};
  matrix64 m;
  if (!invert64(multiply64(to64(to_device), to64(paint->transform)), &m)) return false;
  if (paint->kind == STIJL_PAINT_IMAGE) {
    const stijl_image *image = e->scene->images.data[paint->source];
    made.kind = K_PAINT_IMAGE;
    made.width = stijl_image_width(image);
    made.height = stijl_image_height(image);
    if (!store_rows(m, &made.m)) return false;
  } else {
    bool extent = paint->kind == STIJL_PAINT_LINEAR   ? set_linear(paint, m, &made)
                  : paint->kind == STIJL_PAINT_RADIAL ? set_radial(paint, m, &made)
                                                      : set_sweep(paint, m, &made);
    // A gradient without extent is its last colour, as SVG says.
    if (!extent) return set_solid(out, e->scene->ramps.data[(size_t)(paint->source + 1) * K_RAMP_SIZE - 1]);
  }
  if (paint->opaque && made.kind != K_PAINT_RADIAL) out->flags |= K_DRAW_OPAQUE;
  out->paint = (uint32_t)e->out->paints.count;
  e->failed = !sj_array_push(e->context, &e->out->paints, made);
  return !e->failed;
}

// False when the pen has no width in device space.
static bool encode_pen(const encoder *e, const sj_stroke *stroke, k_pen *out) {
  matrix64 path = to64(e->to_device);
  matrix64 pen = stroke->own_pen ? multiply64(to64(e->view), to64(stroke->pen)) : path;
  matrix64 back;
  if (!invert64(pen, &back)) return false;
  // A pen squeezed this flat covers nothing that could be seen, and its inverse would leave the range of floats.
  double widest = stretch(pen);
  if (!(fabs(pen.a * pen.d - pen.b * pen.c) > 1e-6 * widest * widest)) return false;
  matrix64 from_path = multiply64(back, path);
  double radius = (double)stroke->half_width * widest;
  *out = (k_pen){.a = (float)pen.a, .b = (float)pen.b, .c = (float)pen.c, .d = (float)pen.d,
                 .ia = (float)back.a, .ib = (float)back.b, .ic = (float)back.c, .id = (float)back.d,
                 .from_path = STIJL_MATRIX_IDENTITY,
                 .half_width = stroke->half_width,
                 .miter_limit = stroke->miter_limit * stroke->miter_limit,
                 .radius = (float)radius,
                 .arc_density = (float)sqrt(radius / (8.0 * (double)K_TOLERANCE)),
                 .cap = stroke->cap,
                 .join = stroke->join};
  if (stroke->own_pen && !store_rows(from_path, &out->from_path)) return false;
  return radius > 1e-6 && radius < 1e7;
}

// Whether two matrices are the same to the bit.
static bool same_matrix(const stijl_matrix *a, const stijl_matrix *b) { return memcmp(a, b, sizeof *a) == 0; }

static bool same_stroke(const sj_stroke *a, const sj_stroke *b) {
  return a->half_width == b->half_width && a->miter_limit == b->miter_limit && a->cap == b->cap && a->join == b->join &&
         a->own_pen == b->own_pen && same_matrix(&a->pen, &b->pen);
}

// Finds the matrix from a draw's path to device pixels. False when it is not finite.
static bool find_transform(encoder *e, const stijl_matrix *transform) {
  if (!e->transform || !same_matrix(e->transform, transform)) {
    e->to_device = stijl_matrix_multiply(e->view, *transform);
    e->finite = stijl_matrix_is_finite(e->to_device);
    e->stroke = NULL;
  }
  e->transform = transform;
  return e->finite;
}

// The stroke's pen under the last transform; NULL when it has no width in device space, or when memory is out and
// e->failed set.
static const k_pen *find_pen(encoder *e, const sj_stroke *stroke) {
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

// The work that drawing takes, roughly. It is charged before drawing begins, so that every machine refuses the same
// scenes.
#define WORK_DRAW 64
#define WORK_SEGMENT 16
#define WORK_STROKE_SEGMENT 64
#define PIXELS_A_STEP 8

static bool spend(encoder *e, const k_draw *draw) {
  uint64_t pixels = (uint64_t)(draw->x1 - draw->x0) * (uint64_t)(draw->y1 - draw->y0);
  uint64_t segments = (uint64_t)draw->segment_count * (draw->op == K_DRAW_STROKE ? WORK_STROKE_SEGMENT : WORK_SEGMENT);
  return sj_spend(&e->spender, WORK_DRAW + segments + pixels / PIXELS_A_STEP);
}

static bool push_draw(encoder *e, const k_draw *draw) {
  if (!spend(e, draw)) return false;
  level *top = &e->levels.data[e->levels.count - 1];
  top->content = unite(top->content, (stijl_irect){draw->x0, draw->y0, draw->x1, draw->y1});
  return sj_array_push(e->context, &e->out->draws, *draw);
}

static void set_box(k_draw *draw, stijl_irect box) {
  draw->x0 = box.x0;
  draw->y0 = box.y0;
  draw->x1 = box.x1;
  draw->y1 = box.y1;
}

static void set_path(k_draw *draw, const sj_draw *from, stijl_matrix m, bool far) {
  draw->flags = from->flags | (far ? K_DRAW_FAR : 0);
  draw->segment = from->path.segment;
  draw->segment_count = from->path.segment_count;
  draw->lines = from->path.lines;
  draw->matrix = to_k(m);
}

static bool encode_shape(encoder *e, const sj_draw *draw) {
  stijl_irect limits = e->levels.data[e->levels.count - 1].limits;
  if (sj_irect_is_empty(limits)) return true;
  if (!find_transform(e, &draw->transform)) return true;
  stijl_matrix m = e->to_device;
  k_draw made = {.op = draw->op};
  stijl_irect box = limits;
  if (draw->op != K_DRAW_ALL) {
    stijl_rect r = stijl_matrix_apply_rect(m, draw->path.box);
    if (draw->op == K_DRAW_STROKE) {
      const sj_stroke *stroke = &e->scene->strokes.data[draw->stroke];
      const k_pen *pen = find_pen(e, stroke);
      if (!pen) return !e->failed;
      float reach = sj_stroke_reach(stroke) * pen->radius;
      r = (stijl_rect){r.x0 - reach, r.y0 - reach, r.x1 + reach, r.y1 + reach};
    }
    stijl_irect whole = pixels(r);
    box = sj_irect_intersect(limits, whole);
    if (sj_irect_is_empty(box)) return true;
    set_path(&made, draw, m, is_far(r));
    if (!sj_irect_equal(box, whole)) made.flags |= K_DRAW_CUT;
  }
  if (!encode_paint(e, draw, m, &made)) return !e->failed;
  set_box(&made, box);
  made.pen = draw->op == K_DRAW_STROKE ? e->pen : 0;
  return push_draw(e, &made);
}

static bool is_whole(float x) {
  int fixed = k_fixed(x);
  return (fixed & 255) == 0;
}

// Whether a clip path is a rectangle whose edges lie on pixel borders. Then limits clip exactly, without a layer.
static bool clips_whole_pixels(const sj_draw *draw, stijl_matrix m, stijl_rect r) {
  bool upright = (m.b == 0.0f && m.c == 0.0f) || (m.a == 0.0f && m.d == 0.0f);
  return draw->clip_is_rect && upright && !is_far(r) && is_whole(r.x0) && is_whole(r.y0) && is_whole(r.x1) &&
         is_whole(r.y1);
}

static bool encode_push(encoder *e, const sj_draw *draw) {
  level made = e->levels.data[e->levels.count - 1];
  made.push = (uint32_t)e->out->draws.count;
  made.content = (stijl_irect){0, 0, 0, 0};
  made.mask = draw->blend >= K_BLEND_MASK_ALPHA;
  made.transparent = false;
  if (draw->opacity == 0) made.limits = (stijl_irect){0, 0, 0, 0};
  if (draw->flags & K_DRAW_CLIP) {
    bool drawn = find_transform(e, &draw->transform) && draw->path.segment_count;
    stijl_matrix m = e->to_device;
    stijl_rect r = stijl_matrix_apply_rect(m, draw->path.box);
    stijl_irect box = drawn ? pixels(r) : (stijl_irect){0, 0, 0, 0};
    if (drawn && draw->opacity == 255 && draw->blend == K_BLEND_NORMAL && !draw->holds_mask && !draw->holds_blend &&
        clips_whole_pixels(draw, m, r)) {
      made.transparent = true;
      box = (stijl_irect){k_fixed(r.x0) >> 8, k_fixed(r.y0) >> 8, k_fixed(r.x1) >> 8, k_fixed(r.y1) >> 8};
    }
    made.limits = sj_irect_intersect(made.limits, box);
  }
  made.depth += !made.transparent;
  if (!sj_array_push(e->context, &e->levels, made)) return false;
  if (made.transparent) return sj_spend(&e->spender, WORK_DRAW);
  if (made.depth > e->out->depth) e->out->depth = made.depth;
  return sj_array_push(e->context, &e->out->draws, (k_draw){.op = K_DRAW_PUSH});
}

static bool encode_pop(encoder *e, const sj_draw *draw) {
  level ended = e->levels.data[--e->levels.count];
  level *below = &e->levels.data[e->levels.count - 1];
  if (ended.transparent) {
    below->content = unite(below->content, ended.content);
    return true;
  }
  stijl_irect box = ended.mask ? below->content : ended.content;
  if (sj_irect_is_empty(box)) {
    e->out->draws.count = ended.push;
    return true;
  }
  k_draw made = {.op = K_DRAW_POP, .paint = ended.push, .blend = draw->blend, .opacity = draw->opacity};
  if (draw->flags & K_DRAW_CLIP) {
    find_transform(e, &draw->transform);
    set_path(&made, draw, e->to_device, is_far(stijl_matrix_apply_rect(e->to_device, draw->path.box)));
    made.flags |= K_DRAW_CUT;
  }
  set_box(&made, box);
  // The box of what a mask draws may be larger than that of what it is applied to.
  set_box(&e->out->draws.data[ended.push], unite(box, ended.content));
  return push_draw(e, &made);
}

bool sj_encode(stijl_context *context, const stijl_scene *scene, stijl_matrix view, stijl_irect region, sj_encoded *out) {
  out->points = scene->points.data;
  out->segments = scene->segments.data;
  out->ramps = scene->ramps.data;
  out->images = scene->images.data;
  out->draws.count = out->pens.count = out->paints.count = 0;
  out->depth = 0;
  encoder e = {.context = context, .scene = scene, .view = view, .out = out, .spender = {.budget = out->budget}};
  bool ok = sj_array_push(context, &e.levels, (level){.limits = region});
  for (size_t i = 0; ok && i < scene->draws.count; i++) {
    const sj_draw *draw = &scene->draws.data[i];
    ok = sj_spend(&e.spender, SJ_WORK_NODE);
    if (!ok) break;
    ok = draw->op == K_DRAW_PUSH ? encode_push(&e, draw) : draw->op == K_DRAW_POP ? encode_pop(&e, draw) : encode_shape(&e, draw);
  }
  sj_array_finish(context, &e.levels);
  ok = ok && sj_budget_check(out->budget, e.spender.work);
  return ok;
}

void sj_encoded_finish(stijl_context *context, sj_encoded *encoded) {
  sj_array_finish(context, &encoded->draws);
  sj_array_finish(context, &encoded->pens);
  sj_array_finish(context, &encoded->paints);
}
