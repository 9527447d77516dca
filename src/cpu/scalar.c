// The reference: plain loops over the kernels. Slow, short, and the definition of every other instruction set.
#include "cpu/emit.h"
#include "cpu/kernels.h"
#include "cpu/pixel.h"
#include "kernel/coverage.h"

#define K_SINK const sj_emitter *
static inline void k_emit_line(K_SINK sink, k_vec a, k_vec b) { sj_emit(sink, a, b); }
#include "kernel/stroke.h"

// The control points of a segment, the last one repeated up to four.
static void control_points(const sj_encoded *scene, k_segment segment, k_matrix m, bool far, k_vec p[4]) {
  uint32_t kind = segment.flags & K_SEGMENT_KIND;
  for (uint32_t i = 0; i < 4; i++) {
    p[i] = k_transform(m, scene->points[segment.point + (i < kind ? i : kind)]);
    if (far) p[i] = k_pull_in(p[i]);
  }
}

static k_curve curve_of(k_segment segment, const k_vec p[4]) {
  uint32_t kind = segment.flags & K_SEGMENT_KIND;
  return kind == K_SEGMENT_CUBIC  ? k_curve_cubic(p[0], p[1], p[2], p[3])
         : kind == K_SEGMENT_QUAD ? k_curve_quad(p[0], p[1], p[2])
                                  : k_curve_line(p[0], p[1]);
}

static void fill_segment(const sj_encoded *scene, const k_draw *draw, k_segment segment, const sj_emitter *sink) {
  k_vec p[4];
  control_points(scene, segment, draw->matrix, sink->far, p);
  k_curve curve = curve_of(segment, p);
  int n = k_chords(curve.bend, 0.0f);
  float inverse = k_recip((float)n);
  k_vec last = p[0];
  for (int i = 1; i <= n; i++) {
    k_vec next = i == n ? curve.end : k_curve_point(curve, k_chord_t(i, inverse));
    k_emit_line(sink, last, next);
    last = next;
  }
}

static void stroke_segment(const sj_encoded *scene, const k_draw *draw, k_segment segment, const sj_emitter *sink) {
  k_pen pen = scene->pens.data[draw->pen];
  k_vec p[4], q[4];
  control_points(scene, segment, draw->matrix, sink->far, p);
  control_points(scene, segment, pen.from_path, false, q);
  if ((segment.flags & K_SEGMENT_KIND) == K_SEGMENT_DOT) {
    if (pen.cap == K_CAP_BUTT) return;
    k_vec u = k_vec_make(1.0f, 0.0f), o = k_pen_offset(pen, u);
    k_emit_cap(sink, pen, p[0], u, o);
    k_emit_cap(sink, pen, p[0], k_negate(u), k_negate(o));
    return;
  }
  k_curve curve = curve_of(segment, p), pen_curve = curve_of(segment, q);
  k_vec first = k_start_tangent(q[0], q[1], q[2], q[3]), end = k_end_tangent(q[0], q[1], q[2], q[3]);
  int n = k_chords(curve.bend, k_stroke_bend(pen, segment.flags & K_SEGMENT_KIND, q[0], q[1], q[2], q[3]));
  float inverse = k_recip((float)n);
  k_vec last = p[0], last_u = first, last_o = k_pen_offset(pen, first);
  if (segment.flags & K_SEGMENT_CAP_START) k_emit_cap(sink, pen, last, k_negate(last_u), k_negate(last_o));
  for (int i = 1; i <= n; i++) {
    float t = k_chord_t(i, inverse);
    k_vec next = i == n ? curve.end : k_curve_point(curve, t);
    k_vec u = i == n ? end : k_sample_tangent(pen_curve, t, first);
    k_vec o = k_pen_offset(pen, u);
    k_emit_step(sink, pen, last, last_u, last_o, next, u, o);
    last = next;
    last_u = u;
    last_o = o;
  }
  if (segment.flags & K_SEGMENT_CAP_END) k_emit_cap(sink, pen, last, last_u, last_o);
  if (segment.flags & K_SEGMENT_JOIN) {
    k_vec r[4];
    control_points(scene, scene->segments[segment.next], pen.from_path, false, r);
    k_vec u = k_start_tangent(r[0], r[1], r[2], r[3]);
    k_emit_join(sink, pen, pen.join, last, last_u, last_o, u, k_pen_offset(pen, u));
  }
}

static void flatten(const sj_encoded *scene, const k_draw *draw, sj_lines *lines) {
  sj_emitter emitter = {lines, (draw->flags & K_DRAW_FAR) != 0};
  for (uint32_t i = 0; i < draw->segment_count && !lines->failed; i++) {
    k_segment segment = scene->segments[draw->segment + i];
    if (draw->op == K_DRAW_STROKE) stroke_segment(scene, draw, segment, &emitter);
    else fill_segment(scene, draw, segment, &emitter);
  }
}

static void accumulate_row(const sj_cells *cells, stijl_irect box, k_edge edge, int row) {
  k_piece piece = k_edge_piece(edge, row);
  int32_t *sums = cells->sums + (size_t)row * cells->stride;
  uint8_t *touched = cells->touched + (size_t)row * cells->touched_stride;
  int first = k_piece_first(piece), last = k_piece_last(piece);
  if (first < box.x0) {
    sums[box.x0] += 512 * k_piece_cover_left(edge, piece, box.x0);
    touched[box.x0 / SJ_BLOCK] = 1;
    first = box.x0;
  }
  if (last >= box.x1) last = box.x1 - 1;
  for (int column = first; column <= last; column++) {
    k_cell cell = k_piece_cell(edge, piece, column);
    sums[column] += 512 * cell.cover - cell.area;
    sums[column + 1] += cell.area;
    touched[column / SJ_BLOCK] = touched[(column + 1) / SJ_BLOCK] = 1;
  }
}

static void accumulate(const sj_cells *cells, stijl_irect box, int x, int y, const sj_lines *lines, size_t first,
                       size_t count) {
  for (size_t i = first; i < first + count; i++) {
    if (lines->y0[i] == lines->y1[i]) continue;
    k_edge edge = k_edge_make(lines->x0[i] - x * K_SUBPIXELS, lines->y0[i] - y * K_SUBPIXELS,
                              lines->x1[i] - x * K_SUBPIXELS, lines->y1[i] - y * K_SUBPIXELS);
    int row = edge.y0 >> 8, last = (edge.y1 - 1) >> 8;
    if (row < box.y0) row = box.y0;
    if (last >= box.y1) last = box.y1 - 1;
    for (; row <= last; row++) accumulate_row(cells, box, edge, row);
  }
}

static void sweep(const sj_cells *cells, stijl_irect box, bool evenodd, const sj_painter *painter) {
  for (int row = box.y0; row < box.y1; row++) {
    int32_t *sums = cells->sums + (size_t)row * cells->stride;
    int sum = 0;
    for (int column = box.x0; column < box.x1; column++) {
      sum += sums[column];
      int alpha = evenodd ? k_alpha_evenodd(sum) : k_alpha_nonzero(sum);
      sj_paint_pixel(painter, column, row, (uint32_t)alpha);
    }
    memset(sums + box.x0, 0, (size_t)(box.x1 - box.x0 + 1) * sizeof *sums);
    memset(cells->touched + (size_t)row * cells->touched_stride + box.x0 / SJ_BLOCK, 0,
           (size_t)(box.x1 / SJ_BLOCK - box.x0 / SJ_BLOCK + 1));
  }
}

static void fill(stijl_irect box, const sj_painter *painter) {
  for (int row = box.y0; row < box.y1; row++)
    for (int column = box.x0; column < box.x1; column++) sj_paint_pixel(painter, column, row, 255);
}

const sj_kernels sj_kernels_scalar = {STIJL_ISA_SCALAR, flatten, accumulate, sweep, fill};
