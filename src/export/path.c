// Goes along what scenes hold of paths and gradients.
#include "export/export.h"
#include "kernel/composite.h"

static void put_point(const sj_matrix64 *m, k_vec p, double *out) {
  out[0] = m->a * (double)p.x + m->c * (double)p.y + m->e;
  out[1] = m->b * (double)p.x + m->d * (double)p.y + m->f;
}

// Puts a dot as a short line along the x axis, since formats may leave out what has no length, or not know which way
// its caps look.
static void put_dot(const sj_matrix64 *m, const double *p, const sj_pen_ops *ops, void *user) {
  double length = sqrt(m->a * m->a + m->b * m->b), scale = length > 0.0 ? ops->dot / length : 0.0;
  ops->line(user, p[0] + m->a * scale, p[1] + m->b * scale);
}

static void put_segment(const stijl_scene *scene, const k_segment *s, const sj_matrix64 *m, const sj_pen_ops *ops,
                        void *user) {
  const k_vec *p = scene->points.data + s->point;
  double q[8];
  uint32_t kind = s->flags & K_SEGMENT_KIND;
  for (uint32_t i = 0; i <= kind; i++) put_point(m, p[i], q + 2 * i);
  if (kind == K_SEGMENT_DOT) put_dot(m, q, ops, user);
  if (kind == K_SEGMENT_LINE) ops->line(user, q[2], q[3]);
  if (kind == K_SEGMENT_CUBIC) ops->curve(user, q + 2);
  if (kind != K_SEGMENT_QUAD) return;
  if (ops->quad) {
    ops->quad(user, q + 2);
    return;
  }
  double c[6] = {q[0] + (q[2] - q[0]) * (2.0 / 3.0),
                 q[1] + (q[3] - q[1]) * (2.0 / 3.0),
                 q[4] + (q[2] - q[4]) * (2.0 / 3.0),
                 q[5] + (q[3] - q[5]) * (2.0 / 3.0),
                 q[4],
                 q[5]};
  ops->curve(user, c);
}

// Returns whether a segment goes on where the one before ends; else it begins a subpath.
static bool follows(const k_segment *s) { return s->point == s[-1].point + (s[-1].flags & K_SEGMENT_KIND); }

void sj_export_path(const stijl_scene *scene, const sj_path_range *path, const sj_matrix64 *m, bool strokes,
                    const sj_pen_ops *ops, void *user) {
  const k_segment *s = sj_array_at(&scene->segments, path->segment), *end = s + path->segment_count;
  while (s < end) {
    double start[2];
    put_point(m, scene->points.data[s->point], start);
    ops->move(user, start[0], start[1]);
    do put_segment(scene, s, m, ops, user);
    while (++s < end && follows(s));
    if (!strokes || (s[-1].flags & K_SEGMENT_JOIN)) ops->close(user);
  }
}

void sj_export_run(const stijl_scene *scene, uint32_t number, const sj_matrix64 *m, const sj_pen_ops *ops, void *user) {
  const sj_glyph_run *run = &scene->runs.data[number];
  for (uint32_t i = 0; i < run->instance_count; i++) {
    const stijl_instance *at = &scene->instances.data[run->instance + i];
    sj_matrix64 own = sj_to64(scene->matrices.data[run->matrix + at->matrix]);
    own.e += (double)at->x;
    own.f += (double)at->y;
    own = sj_multiply64(*m, own);
    sj_export_path(scene, &scene->outlines.data[at->outline], &own, false, ops, user);
  }
}

sj_export_stop sj_export_color(uint32_t color) {
  double a = (double)(color >> 24), s = a > 0.0 ? 1.0 / a : 0.0;
  return (sj_export_stop){0.0, k_channel(color, 0) * s, k_channel(color, 1) * s, k_channel(color, 2) * s, a / 255.0};
}

static double unit(double channel) {
  double v = (channel - 0.5) / 255.0;
  return v < 0.0 ? 0.0 : v > 1.0 ? 1.0 : v;
}

// Returns the colour of a piece at entry i of the ramp.
static sj_export_stop stop_at(const k_ramp_piece *p, double i) {
  double n = i - (double)p->first;
  return (sj_export_stop){i / (double)K_RAMP_LAST, unit((double)p->r + (double)p->dr * n),
                          unit((double)p->g + (double)p->dg * n), unit((double)p->b + (double)p->db * n),
                          unit((double)p->a + (double)p->da * n)};
}

static bool near(const sj_export_stop *p, const sj_export_stop *q) {
  const double most = 1.5 / 255.0;
  return fabs(p->r - q->r) < most && fabs(p->g - q->g) < most && fabs(p->b - q->b) < most && fabs(p->a - q->a) < most;
}

size_t sj_export_stops(const stijl_scene *scene, const sj_paint *paint, sj_export_stop *out) {
  const sj_ramp *ramp = &scene->ramps.data[paint->source];
  const k_ramp_piece *pieces = scene->ramp_pieces.data + ramp->first;
  size_t made = 0;
  out[made++] = stop_at(&pieces[0], 0.0);
  for (uint32_t i = 1; i < ramp->count; i++) {
    const k_ramp_piece *p = &pieces[i];
    sj_export_stop before = stop_at(p - 1, (double)p->first), after = stop_at(p, (double)p->first);
    // Where the colour jumps, it does so between two entries.
    bool jumps = !near(&before, &after);
    if (jumps) out[made++] = stop_at(p - 1, (double)p->first - 0.5);
    out[made++] = stop_at(p, (double)p->first - (jumps ? 0.5 : 0.0));
  }
  out[made++] = stop_at(&pieces[ramp->count - 1], (double)K_RAMP_LAST);
  return made;
}

bool sj_export_has_extent(const sj_paint *paint) {
  bool moves = paint->p0.x != paint->p1.x || paint->p0.y != paint->p1.y;
  switch ((stijl_paint_kind)paint->kind) {
    case STIJL_PAINT_LINEAR: return moves;
    case STIJL_PAINT_RADIAL: return moves || paint->r0 != paint->r1;
    case STIJL_PAINT_SWEEP: return paint->start_angle != paint->end_angle;
    case STIJL_PAINT_SOLID:
    case STIJL_PAINT_IMAGE:
    case STIJL_PAINT_SCENE: break;
  }
  return true;
}

bool sj_export_within_image(const sj_draw *draw, const sj_paint *paint, double width, double height) {
  const double slack = 1e-2;  // pixels of the image
  sj_matrix64 inverse;
  if (draw->op != K_DRAW_FILL || !sj_invert64(sj_to64(paint->transform), &inverse)) return false;
  stijl_rect box = stijl_matrix_apply_rect(sj_from64(inverse), draw->path.box);
  return (double)box.x0 >= -slack && (double)box.y0 >= -slack && (double)box.x1 <= width + slack &&
         (double)box.y1 <= height + slack;
}
