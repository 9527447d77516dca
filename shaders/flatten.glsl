// Flattening, shared by the two stages that look at lines: mark.comp and cover.comp. Lines are never stored: both
// stages make them anew, which costs less than to write and to read them, and needs no memory that could run out.
//
// A workgroup takes G_FLATTEN_SEGMENTS segments. Every chord of them is an item, and so are the ends (caps and joins)
// of a segment and the slices of a long straight one. Lanes take items, put the lines into a queue in shared memory, and
// then all lanes take lines from the queue: `line(e, draw, slice, slices)` of the including stage.
#include "common.glsl"
#include "kernel/clip.h"
#include "kernel/coverage.h"
#include "kernel/flatten.h"
#include "kernel/pen.h"

layout(local_size_x = G_FLATTEN_GROUP) in;

layout(set = 0, binding = G_POINTS, scalar) readonly restrict buffer Points { k_vec points[]; };
layout(set = 0, binding = G_SEGMENTS, scalar) readonly restrict buffer Segments { k_segment segments[]; };
layout(set = 0, binding = G_DRAWS, scalar) readonly restrict buffer Draws { k_draw draws[]; };
layout(set = 0, binding = G_PENS, scalar) readonly restrict buffer Pens { k_pen pens[]; };
layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { g_record records[]; };
layout(set = 0, binding = G_BLOCKS, scalar) readonly restrict buffer Blocks { uint blocks[]; };

shared uint item_start[G_FLATTEN_SEGMENTS + 1];
shared uint item_draw[G_FLATTEN_SEGMENTS];
shared uint item_segment[G_FLATTEN_SEGMENTS];
shared uint item_chords[G_FLATTEN_SEGMENTS];  // chords | slices << 16
shared vec4 queue[G_FLATTEN_QUEUE];
shared uint queue_tag[G_FLATTEN_QUEUE];  // slot | slice << 5 | slices << 15
shared uint queue_count;
shared uint unfinished;

// Of this lane's item: how many lines earlier rounds have queued, and how many it has met in this round.
uint lines_done, lines_met;
bool queue_full;

void queue_line(uint tag, k_vec from, k_vec to) {
  if (lines_met++ < lines_done || queue_full) return;
  uint slot = atomicAdd(queue_count, 1u);
  if (slot >= G_FLATTEN_QUEUE) {
    queue_full = true;
    return;
  }
  queue[slot] = vec4(from.x, from.y, to.x, to.y);
  queue_tag[slot] = tag;
  lines_done++;
}

#define K_SINK uint
#define k_emit_line(sink, from, to) queue_line(sink, from, to)
#include "kernel/stroke.h"

struct Span {
  k_curve curve, pen_curve;
  k_vec first, end;
  int n;
};

k_vec control_point(k_matrix m, k_segment segment, uint i, bool far) {
  uint kind = segment.flags & K_SEGMENT_KIND;
  k_vec p = k_transform(m, points[segment.point + min(i, kind)]);
  return far ? k_pull_in(p) : p;
}

k_curve curve_of(uint kind, k_vec p0, k_vec p1, k_vec p2, k_vec p3) {
  if (kind == K_SEGMENT_CUBIC) return k_curve_cubic(p0, p1, p2, p3);
  if (kind == K_SEGMENT_QUAD) return k_curve_quad(p0, p1, p2);
  return k_curve_line(p0, p1);
}

k_curve device_curve(uint draw, k_segment segment) {
  k_matrix m = draws[draw].matrix;
  bool far = (draws[draw].flags & K_DRAW_FAR) != 0u;
  return curve_of(segment.flags & K_SEGMENT_KIND, control_point(m, segment, 0u, far), control_point(m, segment, 1u, far),
                  control_point(m, segment, 2u, far), control_point(m, segment, 3u, far));
}

// `n` 0: the chords are counted.
Span span_of(uint draw, k_segment segment, k_pen pen, int n) {
  k_vec q0 = control_point(pen.from_path, segment, 0u, false), q1 = control_point(pen.from_path, segment, 1u, false);
  k_vec q2 = control_point(pen.from_path, segment, 2u, false), q3 = control_point(pen.from_path, segment, 3u, false);
  uint kind = segment.flags & K_SEGMENT_KIND;
  Span s;
  s.curve = device_curve(draw, segment);
  s.pen_curve = curve_of(kind, q0, q1, q2, q3);
  s.first = k_start_tangent(q0, q1, q2, q3);
  s.end = k_end_tangent(q0, q1, q2, q3);
  s.n = n != 0 ? n : k_chords(s.curve.bend, k_stroke_bend(pen, kind, q0, q1, q2, q3));
  return s;
}

k_vec span_point(Span s, int i, float inverse) {
  if (i == 0) return s.curve.d;
  if (i == s.n) return s.curve.end;
  return k_curve_point(s.curve, k_chord_t(i, inverse));
}

k_vec span_tangent(Span s, int i, float inverse) {
  if (i == 0) return s.first;
  if (i == s.n) return s.end;
  return k_sample_tangent(s.pen_curve, k_chord_t(i, inverse), s.first);
}

// Slices only divide work; they need no exact arithmetic.
uint slices_of(k_curve c) {
  float limit = float(max(P.width, P.height));
  float dx = min(abs(c.end.x - c.d.x), limit), dy = min(abs(c.end.y - c.d.y), limit);
  return clamp(uint(max(dx, dy)) / G_SLICE_PIXELS, 1u, uint(G_MAX_SLICES));
}

// Lines right of, above or below the box change nothing.
bool fill_is_outside(uint draw, k_segment segment) {
  k_matrix m = draws[draw].matrix;
  bool far = (draws[draw].flags & K_DRAW_FAR) != 0u;
  k_vec p = control_point(m, segment, 0u, far);
  float left = p.x, top = p.y, bottom = p.y;
  for (uint i = 1u; i <= (segment.flags & K_SEGMENT_KIND); i++) {
    p = control_point(m, segment, i, far);
    left = min(left, p.x);
    top = min(top, p.y);
    bottom = max(bottom, p.y);
  }
  return left > float(draws[draw].x1 + 1) || top > float(draws[draw].y1 + 1) || bottom < float(draws[draw].y0 - 1);
}

uint prepare_segment(uint slot, uint item) {
  uint group = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  uint lo = blocks[group], hi = min(blocks[group + 1u], P.draws - 1u);
  while (lo < hi) {
    uint middle = (lo + hi + 1u) >> 1;
    if (records[middle].item <= item) lo = middle;
    else hi = middle - 1u;
  }
  uint index = draws[lo].segment + (item - records[lo].item);
  k_segment segment = segments[index];
  item_draw[slot] = lo;
  item_segment[slot] = index;
  uint kind = segment.flags & K_SEGMENT_KIND;
  if (draws[lo].op != K_DRAW_STROKE) {
    if (fill_is_outside(lo, segment)) return 0u;
    k_curve curve = device_curve(lo, segment);
    uint n = uint(k_chords(curve.bend, 0.0f));
    uint slices = n == 1u ? slices_of(curve) : 1u;
    item_chords[slot] = n | slices << 16;
    return n * slices;
  }
  k_pen pen = pens[draws[lo].pen];
  if (kind == K_SEGMENT_DOT) {
    item_chords[slot] = 0u;
    return pen.cap == K_CAP_BUTT ? 0u : 1u;
  }
  Span s = span_of(lo, segment, pen, 0);
  uint slices = s.n == 1 ? slices_of(s.curve) : 1u;
  item_chords[slot] = uint(s.n) | slices << 16;
  return uint(s.n) * slices + ((segment.flags & ~K_SEGMENT_KIND) != 0u ? 1u : 0u);
}

void stroke_dot(uint tag, uint draw, k_segment segment, k_pen pen) {
  bool far = (draws[draw].flags & K_DRAW_FAR) != 0u;
  k_vec p = control_point(draws[draw].matrix, segment, 0u, far);
  k_vec u = k_vec_make(1.0f, 0.0f), o = k_pen_offset(pen, u);
  for (int side = 0; side < 2; side++) {
    k_emit_cap(tag, pen, p, u, o);
    u = k_negate(u);
    o = k_negate(o);
  }
}

// As emit_span_ends of cpu/segment.h, with one copy of the cap's code.
void stroke_ends(uint tag, k_segment segment, Span s, k_pen pen) {
  k_vec o0 = k_pen_offset(pen, s.first), o1 = k_pen_offset(pen, s.end);
  for (int side = 0; side < 2; side++) {
    bool start = side == 0;
    if ((segment.flags & (start ? K_SEGMENT_CAP_START : K_SEGMENT_CAP_END)) == 0u) continue;
    k_vec u = s.end, p = s.curve.end, o = o1;
    if (start) {
      u = k_negate(s.first);
      p = s.curve.d;
      o = k_negate(o0);
    }
    k_emit_cap(tag, pen, p, u, o);
  }
  if ((segment.flags & K_SEGMENT_JOIN) != 0u) {
    k_segment next = segments[segment.next];
    k_vec u = k_start_tangent(control_point(pen.from_path, next, 0u, false), control_point(pen.from_path, next, 1u, false),
                              control_point(pen.from_path, next, 2u, false), control_point(pen.from_path, next, 3u, false));
    k_emit_join(tag, pen, pen.join, s.curve.end, s.end, o1, u, k_pen_offset(pen, u));
  }
}

void emit_item(uint item) {
  uint slot = 0u;
  [[unroll]] for (uint step = G_FLATTEN_SEGMENTS / 2u; step > 0u; step >>= 1)
    if (item_start[slot + step] <= item) slot += step;
  uint index = item - item_start[slot], draw = item_draw[slot];
  uint n = item_chords[slot] & 0xffffu, slices = item_chords[slot] >> 16;
  k_segment segment = segments[item_segment[slot]];
  if (n == 0u) {
    stroke_dot(slot | 1u << 15, draw, segment, pens[draws[draw].pen]);
    return;
  }
  uint i = index / slices, slice = index - i * slices;
  uint tag = slot | slice << 5 | slices << 15;
  float inverse = k_recip(k_float(n));
  if (draws[draw].op != K_DRAW_STROKE) {
    k_curve curve = device_curve(draw, segment);
    k_vec from = curve.d, to = curve.end;
    if (i != 0u) from = k_curve_point(curve, k_chord_t(int(i), inverse));
    if (i + 1u != n) to = k_curve_point(curve, k_chord_t(int(i) + 1, inverse));
    queue_line(tag, from, to);
    return;
  }
  k_pen pen = pens[draws[draw].pen];
  Span s = span_of(draw, segment, pen, int(n));
  if (i == n) {
    stroke_ends(slot | 1u << 15, segment, s, pen);
    return;
  }
  k_vec u0 = span_tangent(s, int(i), inverse), u1 = span_tangent(s, int(i) + 1, inverse);
  k_emit_step(tag, pen, span_point(s, int(i), inverse), u0, k_pen_offset(pen, u0), span_point(s, int(i) + 1, inverse), u1,
              k_pen_offset(pen, u1));
}

void line(k_edge e, uint draw, uint slice, uint slices);

void fixed_line(k_vec a, k_vec b, uint draw, uint slice, uint slices) {
  int x0 = k_fixed(a.x), y0 = k_fixed(a.y), x1 = k_fixed(b.x), y1 = k_fixed(b.y);
  if (y0 == y1) return;
  int ox = P.region_x * K_SUBPIXELS, oy = P.region_y * K_SUBPIXELS;
  line(k_edge_make(x0 - ox, y0 - oy, x1 - ox, y1 - oy), draw, slice, slices);
}

void queued_line(uint i) {
  vec4 l = queue[i];
  uint tag = queue_tag[i], draw = item_draw[tag & 31u];
  k_vec a = k_vec_make(l.x, l.y), b = k_vec_make(l.z, l.w);
  bool far = (draws[draw].flags & K_DRAW_FAR) != 0u;
  int pieces = 1;
  k_cut cut;
  if (far) {
    cut = k_cut_rows(k_pull_in(a), k_pull_in(b));
    pieces = cut.visible ? 3 : 0;
  }
  for (int k = 0; k < pieces; k++) {
    if (far) {
      a = k_cut_column(cut.a, cut.b, k);
      b = k_cut_column(cut.a, cut.b, k + 1);
    }
    fixed_line(a, b, draw, tag >> 5 & 1023u, tag >> 15);
  }
}

void flatten_group() {
  uint lane = gl_LocalInvocationID.x;
  uint group = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  uint first = group * G_FLATTEN_SEGMENTS;
  if (lane == 0u) item_start[0] = 0u;
  if (lane < G_FLATTEN_SEGMENTS) item_start[lane + 1u] = first + lane < P.items ? prepare_segment(lane, first + lane) : 0u;
  if (lane == 0u) {
    queue_count = 0u;
    unfinished = 0u;
  }
  barrier();
  [[unroll]] for (uint step = 1u; step < G_FLATTEN_SEGMENTS; step *= 2u) {
    uint other = 0u;
    if (lane >= step && lane < G_FLATTEN_SEGMENTS) other = item_start[lane + 1u - step];
    barrier();
    if (lane < G_FLATTEN_SEGMENTS) item_start[lane + 1u] += other;
    barrier();
  }
  uint total = item_start[G_FLATTEN_SEGMENTS];
  for (uint base = 0u; base < total; base += G_FLATTEN_GROUP) {
    uint item = base + lane;
    lines_done = 0u;
    bool busy = item < total;
    bool more;
    do {
      lines_met = 0u;
      queue_full = false;
      if (busy) emit_item(item);
      busy = queue_full;
      if (busy) atomicOr(unfinished, 1u);
      barrier();
      uint count = min(queue_count, G_FLATTEN_QUEUE);
      more = unfinished != 0u;
      for (uint i = lane; i < count; i += G_FLATTEN_GROUP) queued_line(i);
      barrier();
      if (lane == 0u) {
        queue_count = 0u;
        unfinished = 0u;
      }
      barrier();
    } while (more);
  }
}
