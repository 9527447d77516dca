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

layout(set = 0, binding = G_POINTS, scalar) readonly restrict buffer Points { vec2 points[]; };
layout(set = 0, binding = G_SEGMENTS, scalar) readonly restrict buffer Segments { k_segment segments[]; };
layout(set = 0, binding = G_DRAWS, scalar) readonly restrict buffer Draws { k_draw draws[]; };
layout(set = 0, binding = G_PENS, scalar) readonly restrict buffer Pens { uvec4 pens[]; };
layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { uvec4 records[]; };
layout(set = 0, binding = G_BLOCKS, scalar) readonly restrict buffer Blocks { uint blocks[]; };
layout(set = 0, binding = G_CONTROL, scalar) restrict buffer Control { g_control control; };
layout(set = 0, binding = G_WORDS, scalar) restrict buffer Words { g_word words[]; };
layout(set = 0, binding = G_EDGES, scalar) writeonly restrict buffer Edges { ivec4 edges[]; };
layout(set = 0, binding = G_TAGS, scalar) writeonly restrict buffer Tags { uint tags[]; };

// Segments, a slot each. Their curves are made once.
const int STROKED = STROKES ? G_FLATTEN_STROKED : 1;
shared uint item_start[G_FLATTEN_SEGMENTS + 1];
shared uvec4 slot_rows[G_FLATTEN_SEGMENTS];  // tile0, tile1, words and word of its draw
shared uint slot_draw[G_FLATTEN_SEGMENTS];
shared uint slot_chords[G_FLATTEN_SEGMENTS];
shared vec4 curve_ab[G_FLATTEN_SEGMENTS], curve_cd[G_FLATTEN_SEGMENTS];
shared vec2 curve_end[G_FLATTEN_SEGMENTS];
shared uint slot_segment[STROKED];
shared uint slot_pen[STROKED];  // of fills ~0
shared vec4 pen_curve_ab[STROKED];
shared vec2 pen_curve_c[STROKED];
shared vec4 slot_tangents[STROKED];  // at its ends

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

k_vec vec_of(vec2 v) { return k_vec_make(v.x, v.y); }
vec2 xy(k_vec v) { return vec2(v.x, v.y); }

k_pen load_pen(uint index) {
  uvec4 a = pens[index * 5u], b = pens[index * 5u + 1u], c = pens[index * 5u + 2u], d = pens[index * 5u + 3u],
        e = pens[index * 5u + 4u];
  k_pen pen;
  pen.a = uintBitsToFloat(a.x);
  pen.b = uintBitsToFloat(a.y);
  pen.c = uintBitsToFloat(a.z);
  pen.d = uintBitsToFloat(a.w);
  pen.ia = uintBitsToFloat(b.x);
  pen.ib = uintBitsToFloat(b.y);
  pen.ic = uintBitsToFloat(b.z);
  pen.id = uintBitsToFloat(b.w);
  pen.from_path.a = uintBitsToFloat(c.x);
  pen.from_path.b = uintBitsToFloat(c.y);
  pen.from_path.c = uintBitsToFloat(c.z);
  pen.from_path.d = uintBitsToFloat(c.w);
  pen.from_path.e = uintBitsToFloat(d.x);
  pen.from_path.f = uintBitsToFloat(d.y);
  pen.half_width = uintBitsToFloat(d.z);
  pen.miter_limit = uintBitsToFloat(d.w);
  pen.radius = uintBitsToFloat(e.x);
  pen.arc_density = uintBitsToFloat(e.y);
  pen.cap = e.z;
  pen.join = e.w;
  return pen;
}

// Control points, the last one repeated up to four.
struct Points4 {
  k_vec p0, p1, p2, p3;
};

Points4 load_points(k_segment segment) {
  uint kind = segment.flags & K_SEGMENT_KIND, at = segment.point;
  return Points4(vec_of(points[at]), vec_of(points[at + min(1u, kind)]), vec_of(points[at + min(2u, kind)]),
                 vec_of(points[at + kind]));
}

Points4 transform(k_matrix m, Points4 q) {
  return Points4(k_transform(m, q.p0), k_transform(m, q.p1), k_transform(m, q.p2), k_transform(m, q.p3));
}

k_curve curve_of(uint kind, Points4 q) {
  if (kind == K_SEGMENT_CUBIC) return k_curve_cubic(q.p0, q.p1, q.p2, q.p3);
  if (kind == K_SEGMENT_QUAD) return k_curve_quad(q.p0, q.p1, q.p2);
  return k_curve_line(q.p0, q.p1);
}

// Lines right of, above or below the box change nothing.
bool fill_is_outside(Points4 p, uint box0, uint box1) {
  float left = min(min(p.p0.x, p.p1.x), min(p.p2.x, p.p3.x));
  float top = min(min(p.p0.y, p.p1.y), min(p.p2.y, p.p3.y)), bottom = max(max(p.p0.y, p.p1.y), max(p.p2.y, p.p3.y));
  int x1 = P.region_x + low16(box1), y0 = P.region_y + high16(box0), y1 = P.region_y + high16(box1);
  return left > float(x1 + 1) || top > float(y1 + 1) || bottom < float(y0 - 1);
}

// Returns the segment's items. Its draw is looked for in shared memory, unless there are too many there.
uint prepare_segment(uint slot, uint item, uint first, uint last) {
  bool few = last - first < G_FLATTEN_GROUP;
  uint lo = first, hi = last;
  while (lo < hi) {
    uint middle = (lo + hi + 1u) >> 1;
    if ((few ? uint(queue[middle - first].x) : records[middle * 3u + 2u].y) <= item) lo = middle;
    else hi = middle - 1u;
  }
  uint index = few ? uint(queue[lo - first].y) + (item - uint(queue[lo - first].x))
                   : draws[lo].segment + (item - records[lo * 3u + 2u].y);
  k_segment segment = segments[index];
  uvec4 begin = records[lo * 3u], end = records[lo * 3u + 1u];
  k_matrix m = draws[lo].matrix;
  uint pen_index = draws[lo].pen, kind = segment.flags & K_SEGMENT_KIND;
  bool far = FAR && (draws[lo].flags & K_DRAW_FAR) != 0u;
  Points4 q = load_points(segment), p = transform(m, q);
  if (far) {
    atomicOr(any_far, 1u);
    p = Points4(k_pull_in(p.p0), k_pull_in(p.p1), k_pull_in(p.p2), k_pull_in(p.p3));
  }
  bool stroke = STROKES && (begin.x & 7u) == K_DRAW_STROKE;
  if (!stroke && fill_is_outside(p, begin.y, begin.z)) return 0u;
  k_curve curve = curve_of(kind, p);
  slot_rows[slot] = uvec4(begin.w, end.x, end.z, end.w);
  slot_draw[slot] = lo;
  curve_ab[slot] = vec4(curve.a.x, curve.a.y, curve.b.x, curve.b.y);
  curve_cd[slot] = vec4(curve.c.x, curve.c.y, curve.d.x, curve.d.y);
  curve_end[slot] = xy(curve.end);
  float turning = 0.0f;
  uint ends = 0u;
  if (STROKES) {
    slot_pen[slot] = stroke ? pen_index : ~0u;
    slot_segment[slot] = index;
  }
  if (stroke) {
    k_pen pen = load_pen(pen_index);
    if (kind == K_SEGMENT_DOT) {
      slot_chords[slot] = 0u;
      return pen.cap == K_CAP_BUTT ? 0u : 1u;
    }
    q = transform(pen.from_path, q);
    k_curve pen_curve = curve_of(kind, q);
    k_vec u0 = k_start_tangent(q.p0, q.p1, q.p2, q.p3), u1 = k_end_tangent(q.p0, q.p1, q.p2, q.p3);
    pen_curve_ab[slot] = vec4(pen_curve.a.x, pen_curve.a.y, pen_curve.b.x, pen_curve.b.y);
    pen_curve_c[slot] = xy(pen_curve.c);
    slot_tangents[slot] = vec4(u0.x, u0.y, u1.x, u1.y);
    turning = k_stroke_bend(pen, kind, q.p0, q.p1, q.p2, q.p3);
    if ((segment.flags & ~K_SEGMENT_KIND) != 0u) ends = 1u;
  }
  uint n = uint(k_chords(curve.bend, turning));
  slot_chords[slot] = n;
  return n + ends;
}

k_curve slot_curve(uint slot) {
  k_curve curve;
  vec4 ab = curve_ab[slot], cd = curve_cd[slot];
  curve.a = vec_of(ab.xy);
  curve.b = vec_of(ab.zw);
  curve.c = vec_of(cd.xy);
  curve.d = vec_of(cd.zw);
  curve.end = vec_of(curve_end[slot]);
  return curve;
}

k_vec slot_point(uint slot, uint i, uint n, float inverse) {
  k_curve curve = slot_curve(slot);
  return i == n ? curve.end : k_curve_point(curve, k_chord_t(int(i), inverse));
}

k_vec slot_tangent(uint slot, uint i, uint n, float inverse) {
  vec4 ends = slot_tangents[slot];
  if (i == 0u) return vec_of(ends.xy);
  if (i == n) return vec_of(ends.zw);
  vec4 ab = pen_curve_ab[slot];
  k_curve curve;
  curve.a = vec_of(ab.xy);
  curve.b = vec_of(ab.zw);
  curve.c = vec_of(pen_curve_c[slot]);
  return k_sample_tangent(curve, k_chord_t(int(i), inverse), vec_of(ends.xy));
}

// Stroked segments: a chord (`i` below the number of chords), the ends of a segment, or a dot. As cpu/segment.h and
// k_emit_step have it, arranged so that the code of caps, joins and lines is there once: it is what fills the
// instruction cache.
void emit_stroke(uint slot, k_pen pen, uint i, uint n) {
  k_vec zero = k_vec_make(0.0f, 0.0f);
  k_vec p0 = zero, u0 = zero, o0 = zero, p1 = zero, u1 = zero, o1 = zero;  // two places with tangents and offsets
  bool cap0 = false, cap1 = false, join0 = false, join1 = false, sides = false;
  k_vec u = zero, o = zero;  // between the places, or after the second
  uint join = K_JOIN_ROUND;
  if (n == 0u) {
    p0 = slot_point(slot, 0u, 0u, 0.0f);
    p1 = p0;
    u1 = k_vec_make(1.0f, 0.0f);
    o1 = k_pen_offset(pen, u1);
    u0 = u1;
    o0 = o1;
    cap0 = cap1 = true;
  } else {
    float inverse = k_recip(k_float(n));
    bool ends = i == n;
    uint first = ends ? 0u : i, last = ends ? n : i + 1u;
    p0 = slot_point(slot, first, n, inverse);
    u0 = slot_tangent(slot, first, n, inverse);
    o0 = k_pen_offset(pen, u0);
    p1 = slot_point(slot, last, n, inverse);
    u1 = slot_tangent(slot, last, n, inverse);
    o1 = k_pen_offset(pen, u1);
    if (ends) {
      k_segment segment = segments[slot_segment[slot]];
      cap0 = (segment.flags & K_SEGMENT_CAP_START) != 0u;
      cap1 = (segment.flags & K_SEGMENT_CAP_END) != 0u;
      join1 = (segment.flags & K_SEGMENT_JOIN) != 0u;
      join = pen.join;
      if (join1) {
        k_segment next_segment = segments[segment.next];
        Points4 next = transform(pen.from_path, load_points(next_segment));
        u = k_start_tangent(next.p0, next.p1, next.p2, next.p3);
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
  uint i = item - item_start[slot], n = slot_chords[slot];
  if (STROKES && slot_pen[slot] != ~0u) {
    emit_stroke(slot, load_pen(slot_pen[slot]), i, n);
    return;
  }
  float inverse = k_recip(k_float(n));
  queue_line(slot, slot_point(slot, i, n, inverse), slot_point(slot, i + 1u, n, inverse));
}

// A unit is a row of tiles.
uint units(k_edge e, uvec4 rows) {
  if (min(e.x0, e.x1) >> 12 >= low16(rows.y)) return 0u;
  return uint(max(min((e.y1 - 1) >> 12, high16(rows.y) - 1) - max(e.y0 >> 12, high16(rows.x)) + 1, 0));
}

// A line crosses the row between the places where it crosses its borders.
void unit(k_edge e, uvec4 rows, uint index) {
  int row = max(e.y0 >> 12, high16(rows.x)) + int(index);
  int ya = max(e.y0, row * 4096), yb = min(e.y1, row * 4096 + 4096);
  int xa = k_edge_x(e, ya), xb = k_edge_x(e, yb);
  int left = low16(rows.x), right = low16(rows.y);
  int first = min(xa, xb) >> 12, last = min(max(xa, xb) >> 12, right - 1);
  if (first >= right) return;
  first = max(first, left) - left;  // what lies further left counts in the first tile
  last = max(last, left) - left;
  uint base = rows.w + uint(row - high16(rows.x)) * rows.z;
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
  return units(e, slot_rows[tag >> 1]);
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
  bool far = (draws[slot_draw[tag >> 1]].flags & K_DRAW_FAR) != 0u;
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
      tags[at] = slot_draw[tag >> 1] << 1 | (tag & 1u);
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
    unit(e, slot_rows[queue_tag[i] >> 1], rest);
  }
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint group = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  uint first = group * P.segments_at_once;
  if (first >= P.items) return;
  if (lane == 0u) {
    item_start[0] = 0u;
    queue_count = 0u;
    unfinished = 0u;
    any_far = 0u;
  }
  // The queue serves to find the draws.
  uint first_draw = blocks[group], last_draw = min(blocks[group + 1u], P.draws - 1u);
  if (lane <= last_draw - first_draw)
    queue[lane] = ivec4(int(records[(first_draw + lane) * 3u + 2u].y), int(draws[first_draw + lane].segment), 0, 0);
  barrier();
  if (lane < G_FLATTEN_SEGMENTS) {
    bool present = lane < P.segments_at_once && first + lane < P.items;
    item_start[lane + 1u] = present ? prepare_segment(lane, first + lane, first_draw, last_draw) : 0u;
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
