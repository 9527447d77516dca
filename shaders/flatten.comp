#version 460
// Segments become edges, and edges mark the tiles of their draw that they touch.
//
// A workgroup takes P.segments_at_once segments. Every chord of them is an item, and so are the ends (caps and joins) of
// a segment. Lanes take items and put the lines into a queue in shared memory. Lines become edges; those are stored, cut
// into units, a unit being a row of tiles, and lanes take these: neither long curves nor long lines keep others waiting.
#include "common.glsl"
#include "kernel/clip.h"
#include "kernel/coverage.h"
#include "kernel/flatten.h"
#include "kernel/pen.h"

layout(local_size_x = G_FLATTEN_GROUP) in;
// What the scene has; the rest is not in the pipeline: what this stage waits for most is instructions.
layout(constant_id = 0) const bool STROKES = true;
layout(constant_id = 1) const bool FAR = true;  // draws that may leave the guard band

layout(set = 0, binding = G_POINTS, scalar) readonly restrict buffer Points { k_vec points[]; };
layout(set = 0, binding = G_SEGMENTS, scalar) readonly restrict buffer Segments { k_segment segments[]; };
layout(set = 0, binding = G_DRAWS, scalar) readonly restrict buffer Draws { k_draw draws[]; };
layout(set = 0, binding = G_PENS, scalar) readonly restrict buffer Pens { k_pen pens[]; };
layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { g_record records[]; };
layout(set = 0, binding = G_BLOCKS, scalar) readonly restrict buffer Blocks { uint blocks[]; };
layout(set = 0, binding = G_CONTROL, scalar) restrict buffer Control { g_control control; };
layout(set = 0, binding = G_WORDS, scalar) restrict buffer Words { g_word words[]; };
layout(set = 0, binding = G_EDGES, scalar) writeonly restrict buffer Edges { ivec4 edges[]; };
layout(set = 0, binding = G_TAGS, scalar) writeonly restrict buffer Tags { uint tags[]; };

// What a draw's lines need to know of it.
struct Rows {
  uint tile0, tile1, words, word;
};

shared uint item_start[G_FLATTEN_SEGMENTS + 1];
shared uint item_draw[G_FLATTEN_SEGMENTS];
shared uint item_segment[G_FLATTEN_SEGMENTS];
shared uint item_chords[G_FLATTEN_SEGMENTS];  // 0: a dot
shared Rows item_rows[G_FLATTEN_SEGMENTS];

// Lines: floats as queued, then turned to edges in place.
shared ivec4 queue[G_FLATTEN_QUEUE];
shared float queue_steps[G_FLATTEN_QUEUE];
shared uint queue_tag[G_FLATTEN_QUEUE];    // slot << 1 | runs upwards
shared uint queue_units[G_FLATTEN_QUEUE];
shared uint lane_units[G_FLATTEN_GROUP];   // up to and with each lane
shared uint queue_count;
shared uint unfinished;
shared uint any_far;
shared uint edge_base;
// A line and its units are counted in one number: at most 256 of the one, below 2^23 of the other.
const uint ONE_LINE = 1u << 23;

// Of this lane's item: how many lines earlier rounds have queued, and how many it has met in this round.
uint lines_done, lines_met;
bool queue_full;
uint queue_limit;

void queue_line(uint tag, k_vec from, k_vec to) {
  if (lines_met++ < lines_done || queue_full) return;
  uint slot = atomicAdd(queue_count, 1u);
  if (slot >= queue_limit) {
    queue_full = true;
    return;
  }
  queue[slot] = floatBitsToInt(vec4(from.x, from.y, to.x, to.y));
  queue_tag[slot] = tag << 1;
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
  bool far = FAR && (draws[draw].flags & K_DRAW_FAR) != 0u;
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

// Lines right of, above or below the box change nothing.
bool fill_is_outside(uint draw, k_segment segment) {
  k_matrix m = draws[draw].matrix;
  bool far = FAR && (draws[draw].flags & K_DRAW_FAR) != 0u;
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
  item_rows[slot] = Rows(records[lo].tile0, records[lo].tile1, records[lo].words, records[lo].word);
  if (FAR && (draws[lo].flags & K_DRAW_FAR) != 0u) atomicOr(any_far, 1u);
  item_segment[slot] = index;
  uint kind = segment.flags & K_SEGMENT_KIND;
  if (!STROKES || draws[lo].op != K_DRAW_STROKE) {
    if (fill_is_outside(lo, segment)) return 0u;
    k_curve curve = device_curve(lo, segment);
    item_chords[slot] = uint(k_chords(curve.bend, 0.0f));
    return item_chords[slot];
  }
  k_pen pen = pens[draws[lo].pen];
  if (kind == K_SEGMENT_DOT) {
    item_chords[slot] = 0u;
    return pen.cap == K_CAP_BUTT ? 0u : 1u;
  }
  Span s = span_of(lo, segment, pen, 0);
  item_chords[slot] = uint(s.n);
  return uint(s.n) + ((segment.flags & ~K_SEGMENT_KIND) != 0u ? 1u : 0u);
}

// Stroked segments: a chord (`i` below the number of chords), the ends of a segment, or a dot. As cpu/segment.h and
// k_emit_step have it, arranged so that the code of caps, joins and lines is there once: it is what fills the
// instruction cache.
void emit_stroke(uint slot, uint draw, k_segment segment, k_pen pen, uint i, uint n) {
  k_vec zero = k_vec_make(0.0f, 0.0f);
  k_vec p0 = zero, u0 = zero, o0 = zero, p1 = zero, u1 = zero, o1 = zero;  // two places with tangents and offsets
  bool cap0 = false, cap1 = false, join0 = false, join1 = false, sides = false;
  k_vec u = zero, o = zero;  // between the places, or after the second
  uint join = K_JOIN_ROUND;
  if (n == 0u) {
    p0 = control_point(draws[draw].matrix, segment, 0u, FAR && (draws[draw].flags & K_DRAW_FAR) != 0u);
    p1 = p0;
    u1 = k_vec_make(1.0f, 0.0f);
    o1 = k_pen_offset(pen, u1);
    u0 = u1;
    o0 = o1;
    cap0 = cap1 = true;
  } else {
    Span s = span_of(draw, segment, pen, int(n));
    float inverse = k_recip(k_float(n));
    bool ends = i == n;
    int first = ends ? 0 : int(i), last = ends ? s.n : int(i) + 1;
    p0 = span_point(s, first, inverse);
    u0 = span_tangent(s, first, inverse);
    o0 = k_pen_offset(pen, u0);
    p1 = span_point(s, last, inverse);
    u1 = span_tangent(s, last, inverse);
    o1 = k_pen_offset(pen, u1);
    if (ends) {
      cap0 = (segment.flags & K_SEGMENT_CAP_START) != 0u;
      cap1 = (segment.flags & K_SEGMENT_CAP_END) != 0u;
      join1 = (segment.flags & K_SEGMENT_JOIN) != 0u;
      join = pen.join;
      if (join1) {
        k_segment next = segments[segment.next];
        u = k_start_tangent(control_point(pen.from_path, next, 0u, false), control_point(pen.from_path, next, 1u, false),
                            control_point(pen.from_path, next, 2u, false), control_point(pen.from_path, next, 3u, false));
        o = k_pen_offset(pen, u);
      }
    } else {
      sides = true;
      if (!k_step_is_plain(pen, p0, o0, p1, o1)) {
        kfloat cx = p1.x - p0.x, cy = p1.y - p0.y;
        k_vec chord = k_pen_from_device(pen, k_vec_make(cx, cy));
        u = u0;
        if (!k_is_tiny(chord)) u = k_unit_scaled(chord);
        o = k_pen_offset(pen, u);
        join0 = join1 = true;
      }
    }
  }
  if (sides) {
    k_vec a = o0, b = o1;
    if (join0) a = b = o;
    kfloat lx0 = p0.x + a.x, ly0 = p0.y + a.y, lx1 = p1.x + b.x, ly1 = p1.y + b.y;
    kfloat rx0 = p0.x - a.x, ry0 = p0.y - a.y, rx1 = p1.x - b.x, ry1 = p1.y - b.y;
    queue_line(slot, k_vec_make(lx0, ly0), k_vec_make(lx1, ly1));
    queue_line(slot, k_vec_make(rx1, ry1), k_vec_make(rx0, ry0));
  }
  [[dont_unroll]] for (int side = 0; side < 2; side++) {
    if (side == 0 ? cap0 : cap1) {
      k_vec cp = p1, cu = u1, co = o1;
      if (side == 0) {
        cp = p0;
        cu = k_negate(u0);
        co = k_negate(o0);
      }
      k_emit_cap(slot, pen, cp, cu, co);
    }
    if (side == 0 ? join0 : join1) {
      // At the first place to the piece between, at the second from it; at a segment's end from there to the next.
      k_vec jp = p1, ju0 = u, jo0 = o, ju1 = u1, jo1 = o1;
      if (side == 0) {
        jp = p0;
        ju0 = u0;
        jo0 = o0;
        ju1 = u;
        jo1 = o;
      } else if (!sides) {
        ju0 = u1;
        jo0 = o1;
        ju1 = u;
        jo1 = o;
      }
      k_emit_join(slot, pen, join, jp, ju0, jo0, ju1, jo1);
    }
  }
}

void emit_item(uint item) {
  uint slot = 0u;
  [[dont_unroll]] for (uint step = G_FLATTEN_SEGMENTS / 2u; step > 0u; step >>= 1)
    if (item_start[slot + step] <= item) slot += step;
  uint i = item - item_start[slot], draw = item_draw[slot], n = item_chords[slot];
  k_segment segment = segments[item_segment[slot]];
  if (STROKES && draws[draw].op == K_DRAW_STROKE) {
    emit_stroke(slot, draw, segment, pens[draws[draw].pen], i, n);
    return;
  }
  float inverse = k_recip(k_float(n));
  k_curve curve = device_curve(draw, segment);
  k_vec from = curve.d, to = curve.end;
  if (i != 0u) from = k_curve_point(curve, k_chord_t(int(i), inverse));
  if (i + 1u != n) to = k_curve_point(curve, k_chord_t(int(i) + 1, inverse));
  queue_line(slot, from, to);
}

// A unit is a row of tiles.
uint units(k_edge e, Rows l) {
  if (min(e.x0, e.x1) >> 12 >= low16(l.tile1)) return 0u;
  return uint(max(min((e.y1 - 1) >> 12, high16(l.tile1) - 1) - max(e.y0 >> 12, high16(l.tile0)) + 1, 0));
}

// A line crosses the row between the places where it crosses its borders.
void unit(k_edge e, Rows l, uint index) {
  int row = max(e.y0 >> 12, high16(l.tile0)) + int(index);
  int ya = max(e.y0, row * 4096), yb = min(e.y1, row * 4096 + 4096);
  int xa = k_edge_x(e, ya), xb = k_edge_x(e, yb);
  int left = low16(l.tile0), right = low16(l.tile1);
  int first = min(xa, xb) >> 12, last = min(max(xa, xb) >> 12, right - 1);
  if (first >= right) return;
  first = max(first, left) - left;  // what lies further left counts in the first tile
  last = max(last, left) - left;
  uint base = l.word + uint(row - high16(l.tile0)) * l.words;
  for (int w = first >> 5; w <= last >> 5; w++) {
    uint bits = 0xffffffffu;
    if (w == first >> 5) bits &= 0xffffffffu << (first & 31);
    if (w == last >> 5) bits &= 0xffffffffu >> (31 - (last & 31));
    atomicOr(words[base + uint(w)].touched, bits);
  }
}

// Puts an edge in the place of a line. Returns its units.
uint place_edge(uint i, k_vec a, k_vec b, uint tag) {
  int ox = P.region_x * K_SUBPIXELS, oy = P.region_y * K_SUBPIXELS;
  int x0 = k_fixed(a.x) - ox, y0 = k_fixed(a.y) - oy, x1 = k_fixed(b.x) - ox, y1 = k_fixed(b.y) - oy;
  if (y0 == y1) return 0u;
  k_edge e = k_edge_make(x0, y0, x1, y1);
  queue[i] = ivec4(e.x0, e.y0, e.x1, e.y1);
  queue_steps[i] = e.xstep;
  queue_tag[i] = tag | (e.winding < 0 ? 1u : 0u);
  return units(e, item_rows[tag >> 1]);
}

k_vec queued_from(uint i) { return k_vec_make(intBitsToFloat(queue[i].x), intBitsToFloat(queue[i].y)); }
k_vec queued_to(uint i) { return k_vec_make(intBitsToFloat(queue[i].z), intBitsToFloat(queue[i].w)); }

// Lines become edges. Where some must be cut to the guard band, a line gets three places.
void place_lines(uint lane, uint count) {
  if (!FAR || any_far == 0u) {
    for (uint i = lane; i < G_FLATTEN_QUEUE; i += G_FLATTEN_GROUP)
      queue_units[i] = i < count ? place_edge(i, queued_from(i), queued_to(i), queue_tag[i]) : 0u;
    return;
  }
  bool present = lane < count;
  k_vec a = queued_from(lane), b = queued_to(lane);
  uint tag = present ? queue_tag[lane] : 0u;
  for (uint i = lane; i < G_FLATTEN_QUEUE; i += G_FLATTEN_GROUP) queue_units[i] = 0u;
  barrier();
  if (!present) return;
  bool far = (draws[item_draw[tag >> 1]].flags & K_DRAW_FAR) != 0u;
  if (!far) {
    queue_units[lane * 3u] = place_edge(lane * 3u, a, b, tag);
    return;
  }
  k_cut cut = k_cut_rows(k_pull_in(a), k_pull_in(b));
  for (int k = 0; k < 3 && cut.visible; k++) {
    uint i = lane * 3u + uint(k);
    queue_units[i] = place_edge(i, k_cut_column(cut.a, cut.b, k), k_cut_column(cut.a, cut.b, k + 1), tag);
  }
}

// Stores the edges, and lanes take their units.
void take_lines(uint lane) {
  place_lines(lane, min(queue_count, queue_limit));
  barrier();
  // The units up to and with each line, first of a lane's two, then of all; above, how many have units.
  uint first = queue_units[lane * 2u], second = queue_units[lane * 2u + 1u];
  uint present = (first != 0u ? ONE_LINE : 0u) + (second != 0u ? ONE_LINE : 0u);
  lane_units[lane] = first + second + present;
  barrier();
  [[dont_unroll]] for (uint step = 1u; step < G_FLATTEN_GROUP; step *= 2u) {
    uint other = lane >= step ? lane_units[lane - step] : 0u;
    barrier();
    lane_units[lane] += other;
    barrier();
  }
  uint total = lane_units[G_FLATTEN_GROUP - 1u];
  if (total == 0u) return;
  if (lane == 0u) {
    uint count = total / ONE_LINE;
    edge_base = atomicAdd(control.counted.edges, count);
    uint groups = (edge_base + count + P.edges_at_once - 1u) / P.edges_at_once;
    atomicMax(control.cover_x, min(groups, 32768u));
    atomicMax(control.cover_y, (groups + 32767u) / 32768u);
    atomicMax(control.cover_z, 1u);
  }
  uint at = (lane_units[lane] - present) / ONE_LINE;
  barrier();
  at += edge_base;
  for (uint i = lane * 2u; i < lane * 2u + 2u; i++) {
    if (queue_units[i] == 0u) continue;
    uint tag = queue_tag[i];
    if (at < P.capacity.edges) {
      edges[at] = queue[i];
      tags[at] = item_draw[tag >> 1] << 1 | (tag & 1u);
    }
    at++;
  }
  for (uint index = lane; index < total % ONE_LINE; index += G_FLATTEN_GROUP) {
    uint of = 0u;
    [[dont_unroll]] for (uint step = G_FLATTEN_GROUP / 2u; step > 0u; step >>= 1)
      if (lane_units[of + step - 1u] % ONE_LINE <= index) of += step;
    uint rest = index - (of > 0u ? lane_units[of - 1u] % ONE_LINE : 0u), i = of * 2u;
    if (queue_units[i] <= rest) rest -= queue_units[i++];
    ivec4 q = queue[i];
    k_edge e;
    e.x0 = q.x;
    e.y0 = q.y;
    e.x1 = q.z;
    e.y1 = q.w;
    e.xstep = queue_steps[i];
    unit(e, item_rows[queue_tag[i] >> 1], rest);
  }
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint group = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  uint first = group * P.segments_at_once;
  if (lane == 0u) {
    item_start[0] = 0u;
    queue_count = 0u;
    unfinished = 0u;
    any_far = 0u;
  }
  barrier();
  if (lane < G_FLATTEN_SEGMENTS) {
    bool present = lane < P.segments_at_once && first + lane < P.items;
    item_start[lane + 1u] = present ? prepare_segment(lane, first + lane) : 0u;
  }
  barrier();
  [[dont_unroll]] for (uint step = 1u; step < G_FLATTEN_SEGMENTS; step *= 2u) {
    uint other = 0u;
    if (lane >= step && lane < G_FLATTEN_SEGMENTS) other = item_start[lane + 1u - step];
    barrier();
    if (lane < G_FLATTEN_SEGMENTS) item_start[lane + 1u] += other;
    barrier();
  }
  uint total = item_start[G_FLATTEN_SEGMENTS];
  queue_limit = FAR && any_far != 0u ? G_FLATTEN_QUEUE / 3u : G_FLATTEN_QUEUE;
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
      more = unfinished != 0u;
      take_lines(lane);
      barrier();
      if (lane == 0u) {
        queue_count = 0u;
        unfinished = 0u;
      }
      barrier();
    } while (more);
  }
}
