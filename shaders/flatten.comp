#version 460
// Turns segments into edges, and marks the tiles that edges touch: an edge is a line in fixed point, turned downwards
// (kernel/coverage.h).
//
// A workgroup takes P.segments_at_once segments, a lane each, and lists what they consist of: the chords of fills, the
// two sides of each chord of a stroke, and corners, which are caps and joins. Then it works in rounds: in each, a lane
// takes one line from the lists, whichever segment it belongs to, so that neither a long curve nor a round cap keeps
// other lanes waiting. A line becomes an edge, which is stored and marks its tiles; a long edge's rows of tiles, except
// for the first, are shared among lanes by a list of their own.
//
// Drivers may end all loops of an invocation before their end (SJ_VK_MAX_TURNS). So each lane notes that it has come to
// the end; where one has not, the host submits the frame again, with more workgroups for the same segments: each then
// makes its share of the chords of each curve, and of the lines of each corner.
#include "common.glsl"
#include "kernel/clip.h"
#include "kernel/coverage.h"
#include "kernel/stroke.h"

#if 2 * G_FLATTEN_CURVED > G_FLATTEN_GROUP || G_FLATTEN_SEGMENTS > G_FLATTEN_GROUP || G_FLATTEN_GROUP > 256
#error "A lane a segment, a lane a corner, and places in lists of 8 bits."
#endif

layout(local_size_x = G_FLATTEN_GROUP) in;
// What the scene has. The pipeline lacks the code for all else, since this stage mostly waits for its instructions.
layout(constant_id = 0) const bool STROKES = true;
layout(constant_id = 1) const bool FAR = true;  // draws that may leave the guard band
layout(constant_id = 2) const bool CURVES = true;
layout(constant_id = 3) const bool ALIASED = true;  // draws without anti-aliasing
layout(constant_id = 4) const bool SHARES = true;   // several workgroups share segments
layout(constant_id = 5) const bool GLYPHS = true;   // glyph runs
layout(constant_id = 6) const bool SHEET = false;   // several surfaces at a time, each draw with its own origin
RESIDENT_CONSTANT(7);
// Whether a segment may become several lines. If not, each lane makes the one line of its segment: there are neither
// lists nor more than one round.
const bool PIECES = STROKES || FAR || CURVES;
// Whether a workgroup may have more to do than drivers let it. A fill within the guard band has too few lines for that.
const bool ENDLESS = STROKES || FAR;

layout(set = 0, binding = G_POINTS, scalar) readonly restrict buffer Points { vec2 points[]; };
layout(set = 0, binding = G_SEGMENTS, scalar) readonly restrict buffer Segments { k_segment segments[]; };
layout(set = 0, binding = G_PATHS, scalar) readonly restrict buffer Paths { uvec4 paths[]; };
layout(set = 0, binding = G_PENS, scalar) readonly restrict buffer Pens { uvec4 pens[]; };
layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { uvec4 records[]; };
layout(set = 0, binding = G_BLOCKS, scalar) readonly restrict buffer Blocks { uint blocks[]; };
layout(set = 0, binding = G_CONTROL, scalar) restrict buffer Control { g_control control; };
layout(set = 0, binding = G_MARKS, scalar) restrict buffer MarkWords { uint mark_words[]; };
layout(set = 0, binding = G_EDGES, scalar) writeonly restrict buffer Edges { ivec4 edges[]; };
layout(set = 0, binding = G_TAGS, scalar) writeonly restrict buffer Tags { uint tags[]; };

#ifdef WEBGPU
const uint SPAN_WORDS = G_GLYPH_SPAN_WORDS;  // src/gpu/web.c writes these, whichever variant reads them
#else
const uint SPAN_WORDS = GLYPHS ? G_GLYPH_SPAN_WORDS : G_SPAN_WORDS;
#endif

// A slot holds what is known of one of the workgroup's segments.
const int SLOTS = STROKES || CURVES ? G_FLATTEN_CURVED : G_FLATTEN_SEGMENTS;
const int STROKED = STROKES ? G_FLATTEN_CURVED : 1;
// tile0, tile1 and word of its draw's g_record, and the draw's index << 2 | its G_PATH_ALIASED and G_PATH_FAR. Until
// the segments are found, the array holds the workgroup's spans (g_span), in which they are searched.
shared uvec4 slot_draw[SLOTS];
shared ivec2 slot_move[GLYPHS ? SLOTS : 1];  // by how much its lines are moved, in 24.8
const int CURVED = PIECES ? SLOTS : 1;
shared uvec2 slot_chords[CURVED];  // the number of its chords, and the bits of the float that is its reciprocal
shared vec4 curve_ab[CURVED], curve_cd[CURVED];
shared vec2 curve_end[CURVED];
shared uint slot_pen[STROKED];
shared vec4 pen_curve_ab[STROKED];
shared vec2 pen_curve_c[STROKED];
shared vec4 slot_tangents[STROKED];  // the unit tangents at its start and at its end

// Corners. Who meets one stores its tangents (meet_corner); before the next round list_corner replaces them by what a
// k_corner has.
const int MOST_CORNERS = STROKES ? G_FLATTEN_GROUP : 1;
shared vec4 corner_place[MOST_CORNERS];  // the point, and the second tangent; later the point, and `to` of the k_corner
// The first tangent, `square` of k_join_corner, and slot | kind << 8 | SHARED, where the kind is K_JOIN_* or CAP; later
// `normal` and `turn` of the k_corner, and slot | shape << 8 | SHARED | how many lines run on the inside of the turn
// << 12 | chords << 14.
shared uvec4 corner_turn[MOST_CORNERS];
shared float corner_inside[MOST_CORNERS];  // `inside` of the k_corner
shared uint corners_met;
const uint CAP = 4u;
const uint SHARED = 2048u;  // a corner of a segment, which all workgroups that share the segment meet

shared uint finished;  // lanes that have come to the end

// An edge of more than FEW rows of tiles is long. The list of rows has room for LONG long edges a round; those beyond
// are marked by their own lanes.
const uint FEW = 4u;
const int LONG = 32;
shared ivec4 long_edge[LONG];

// Lists of things that consist of pieces, such as a curve of its chords. An entry has in its upper bits how many pieces
// come before its own, and in its lowest 8 bits the slot or the corner that the pieces belong to.
const uint FILLS = 0u, SIDES = 1u, CORNERS = 2u, ROWS = 3u;  // rounds take turns with two lists of rows, 3 and 4
const int SIDES_FROM = CURVED, CORNERS_FROM = SIDES_FROM + STROKED, ROWS_FROM = CORNERS_FROM + MOST_CORNERS;
shared uint entries[ROWS_FROM + LONG + 1];
shared uint totals[5];  // of each list: the number of its entries * ENTRY + the number of its pieces
const uint ENTRY = 1u << 23;

const uint NO_TILE = ~0u;  // cannot be a tile, as no word has the number G_MAX_WORDS
// For each lane, the last tile that its edge touches in its first row of tiles, numbered as the bits of all g_word are,
// << 4 | the strips it touches there.
shared uint first_tiles[G_FLATTEN_GROUP];
shared uint edge_count[2];  // edges made in an even or an odd round
shared uint edge_base;      // where the edges of the round before begin in the buffer
shared uint any_far;        // whether any of the workgroup's draws is far

// Adds `pieces` pieces of a slot or corner to a list. A single atomic addition both counts the pieces and gives the
// entry its place, so that entries are in the order of their pieces.
void list_add(uint list, int from, uint slot, uint pieces) {
  if (SHARES && pieces == 0u) return;
  uint before = atomicAdd(totals[list], ENTRY + pieces);
  entries[uint(from) + before / ENTRY] = before % ENTRY << 8 | slot;
}

// Adds all rows of an edge but the first to a list of rows. False: there is no room, and the lane has to mark them
// itself. The entry after the last that has room tells how many pieces those have (set_marks).
bool list_rows(uint list, uint slot, ivec4 edge, uint pieces) {
  uint before = atomicAdd(totals[list], ENTRY + pieces), at = before / ENTRY;
  if (at <= LONG) entries[uint(ROWS_FROM) + at] = before % ENTRY << 8 | slot;
  if (at < LONG) long_edge[at] = edge;
  return at < LONG;
}

// Finds the entry that a piece belongs to: the last of the `count` entries that has no more pieces before it.
uint list_find(int from, uint count, uint piece) {
  uint at = 0u, key = piece << 8 | 255u;
  [[dont_unroll]] for (int shift = findMSB(count - 1u); shift >= 0; shift--) {
    uint next = at + (1u << shift);
    if (next < count && entries[uint(from) + next] <= key) at = next;
  }
  return at;
}

// Returns, of `count` things that workgroups share, the first that is this workgroup's, and the first that is the next
// one's.
uvec2 share_of(uint count) {
  if (!SHARES) return uvec2(0u, count);
  uint shares = P.capacity.shares, share = group_number() % shares;
  return uvec2(count * share / shares, count * (share + 1u) / shares);
}

// Returns how many segments the list has. (Where the device has encoded the draws P.items is the list's number.)
uint item_count() { return ENCODED(P.items == 0u ? control.items0 : control.items1, P.items); }

k_vec vec_of(vec2 v) { return k_vec_make(v.x, v.y); }
vec2 xy(k_vec v) { return vec2(v.x, v.y); }

k_pen load_pen(uint index) {
  uint at = index * G_PEN_QUADS;
  vec4 a = uintBitsToFloat(pens[at]), b = uintBitsToFloat(pens[at + 1u]), c = uintBitsToFloat(pens[at + 2u]),
       d = uintBitsToFloat(pens[at + 3u]);
  uvec4 e = pens[at + 4u];
  return k_pen(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, k_matrix(c.x, c.y, c.z, c.w, d.x, d.y), d.z, d.w,
               uintBitsToFloat(e.x), uintBitsToFloat(e.y), e.z, e.w);
}

// The control points of a segment; the last one is repeated where it has fewer than four.
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

  // --- Corners ---

// Stores a corner at the point `p`, where the path turns from unit tangent u0 to u1. A cap uses u0 only. `kind` has its
// place in corner_turn already, and `square` is that of k_join_corner.
void meet_corner(uint slot, uint kind, k_vec p, k_vec u0, k_vec u1, float square) {
  uint at = atomicAdd(corners_met, 1u);
  corner_place[at] = vec4(p.x, p.y, u1.x, u1.y);
  corner_turn[at] = uvec4(floatBitsToUint(xy(u0)), floatBitsToUint(square), slot | kind);
}

// Replaces a corner's tangents by its k_corner, and adds its lines to the list.
void list_corner(uint at) {
  vec4 place = corner_place[at];
  uvec4 t = corner_turn[at];
  uint slot = t.w & 255u, kind = t.w >> 8 & 7u, shared_bit = t.w & SHARED;
  k_pen pen = load_pen(slot_pen[slot]);
  k_vec u0 = vec_of(uintBitsToFloat(t.xy)), u1 = vec_of(place.zw), o0 = k_pen_offset(pen, u0);
  k_corner c;
  uint inside = 0u;  // how many lines run on the inside of the turn
  if (kind == CAP) {
    c = k_cap_corner(pen, u0, o0);
  } else {
    c = k_join_corner(pen, kind, u0, o0, u1, k_pen_offset(pen, u1), uintBitsToFloat(t.z));
    inside = c.shape == K_CORNER_STRAIGHT ? 1u : 2u;
  }
  corner_place[at] = vec4(place.xy, c.to.x, c.to.y);
  corner_inside[at] = c.inside;
  corner_turn[at] = uvec4(floatBitsToUint(xy(c.normal)), floatBitsToUint(c.turn),
                          slot | c.shape << 8 | shared_bit | inside << 12 | uint(c.chords) << 14);
  uint count = uint(c.chords) + inside;
  uvec2 own = shared_bit != 0u ? share_of(count) : uvec2(0u, count);
  list_add(CORNERS, CORNERS_FROM, at, own.y - own.x);
}

struct Line {
  k_vec from, to;
};

// Returns line i of a corner: first those on the outside of the turn, then those on the inside, as in emit_join of
// cpu/segment.h.
Line corner_line(k_pen pen, uint at, uint i) {
  vec4 place = corner_place[at];
  uvec4 t = corner_turn[at];
  k_corner c;
  c.normal = vec_of(uintBitsToFloat(t.xy));
  c.from = k_normal_offset(pen, c.normal);
  c.to = vec_of(place.zw);
  c.turn = uintBitsToFloat(t.z);
  c.inside = corner_inside[at];
  c.shape = t.w >> 8 & 7u;
  c.chords = int(t.w >> 14);
  if (SHARES && (t.w & SHARED) != 0u)
    i += share_of((t.w >> 14) + (t.w >> 12 & 3u)).x;
  Line l;
  [[dont_unroll]] for (int end = 0; end < 2; end++) {
    k_vec o = k_corner_inside(c);
    int point = int(i) + end;
    if (int(i) < c.chords) o = k_corner_point(pen, c, point);
    else if (point == c.chords) o = k_negate(c.to);
    else if (end == 1 && (int(i) > c.chords || c.shape == K_CORNER_STRAIGHT)) o = k_negate(c.from);
    o = k_add(vec_of(place.xy), o);
    if (end == 0) l.from = o;
    else l.to = o;
  }
  return l;
}

  // --- Segments ---

// Returns whether a segment lies right of, above or below its draw's box, where its lines change nothing in the box.
// (Those to the left do: they wind around it.) They are still to be moved.
bool fill_is_outside(Points4 p, ivec2 move, g_record record) {
  ivec2 origin = g_origin_of(record);
  float left = min(min(p.p0.x, p.p1.x), min(p.p2.x, p.p3.x));
  float top = min(min(p.p0.y, p.p1.y), min(p.p2.y, p.p3.y)), bottom = max(max(p.p0.y, p.p1.y), max(p.p2.y, p.p3.y));
  float x1 = float(origin.x + g_x(record.box1));
  float y0 = float(origin.y + g_y(record.box0)), y1 = float(origin.y + g_y(record.box1));
  if (GLYPHS) {
    x1 -= float(move.x) * (1.0f / K_SUBPIXELS);  // exactly
    y0 -= float(move.y) * (1.0f / K_SUBPIXELS);
    y1 -= float(move.y) * (1.0f / K_SUBPIXELS);
  }
  float largest = K_GUARD;
  if (FAR) {
    float right = max(max(p.p0.x, p.p1.x), max(p.p2.x, p.p3.x));
    largest = max(max(-left, right), max(-top, bottom));
  }
  float margin = k_hull_margin(largest);
  return left - margin >= x1 || top - margin >= y1 || bottom + margin <= y0;
}

// Fills in what a slot of a stroke has beside the curve, and stores the caps and the join. Returns what the turning of
// the pen adds to the number of chords, as k_chords wants it.
float prepare_stroke(uint slot, uint flags, k_pen pen, Points4 q, Points4 next, uint next_kind, k_curve curve) {
  uint kind = flags & K_SEGMENT_KIND;
  q = transform(pen.from_path, q);
  k_curve pen_curve = curve_of(kind, q);
  k_vec u0 = k_start_tangent(q.p0, q.p1, q.p2, q.p3), u1 = k_end_tangent(q.p0, q.p1, q.p2, q.p3);
  pen_curve_ab[slot] = vec4(pen_curve.a.x, pen_curve.a.y, pen_curve.b.x, pen_curve.b.y);
  pen_curve_c[slot] = xy(pen_curve.c);
  slot_tangents[slot] = vec4(u0.x, u0.y, u1.x, u1.y);
  if (kind == K_SEGMENT_DOT) flags = pen.cap == K_CAP_BUTT ? 0u : K_SEGMENT_CAP_START | K_SEGMENT_CAP_END;
  const uint cap = CAP << 8 | SHARED;
  if ((flags & K_SEGMENT_CAP_START) != 0u) meet_corner(slot, cap, curve.d, k_negate(u0), u0, 0.0f);
  if ((flags & K_SEGMENT_CAP_END) != 0u) meet_corner(slot, cap, curve.end, u1, u1, 0.0f);
  if ((flags & K_SEGMENT_JOIN) != 0u) {
    next = transform(pen.from_path, next);
    float square = k_min(k_straight_square(kind, q.p0, q.p1), k_straight_square(next_kind, next.p0, next.p1));
    meet_corner(slot, pen.join << 8 | SHARED, curve.end, u1, k_start_tangent(next.p0, next.p1, next.p2, next.p3),
                square);
  }
  return k_stroke_bend(pen, kind, q.p0, q.p1, q.p2, q.p3);
}

// Finds the draw of an item, the index of its segment in the scene, and its span: searches the spans first..last. They
// are in `slot_draw`, unless there are too many for it.
uvec3 find_segment(uint item, uint first, uint last) {
  bool few = last - first < SLOTS;
  uint lo = first, hi = last;
  while (lo < hi) {
    uint middle = (lo + hi + 1u) >> 1;
    if ((few ? slot_draw[middle - first].y : g_span_at(middle, SPAN_WORDS).item) <= item) lo = middle;
    else hi = middle - 1u;
  }
  uvec3 near = slot_draw[few ? lo - first : 0u].xyz;
  g_span span = g_span(near.x, near.y, near.z);
  if (!few) span = g_span_at(lo, SPAN_WORDS);
  return uvec3(span.draw, item + span.shift, lo);
}

// Returns a draw's matrix; of a glyph run that of the span, and what moves the lines.
k_matrix matrix_of(g_path path, uint span, out ivec2 move) {
  move = ivec2(0);
  if (!GLYPHS || (path.flags & G_PATH_GLYPHS) == 0u) return path.matrix;
  g_glyph_span glyph = g_glyph_span_at(span);
  move = ivec2(glyph.x, glyph.y);
  return k_matrix(glyph.a, glyph.b, glyph.c, glyph.d, 0.0f, 0.0f);
}

// Makes the line of a segment that is a line of a fill: the short way, where no segment needs another. Returns false
// when it changes nothing.
bool segment_line(uint slot, uvec3 place, out Line line) {
  uint point = segments[place.y].point;
  g_record record = g_record_at(place.x);
  g_path path = g_path_at(place.x);
  ivec2 move;
  k_matrix m = matrix_of(path, place.z, move);
  if (GLYPHS) slot_move[slot] = move;
  line = Line(k_transform(m, vec_of(points[point])), k_transform(m, vec_of(points[point + 1u])));
  slot_draw[slot] =
      uvec4(record.tile0, record.tile1, record.word, place.x << 2 | path.flags & (G_PATH_FAR | G_PATH_ALIASED));
  return !fill_is_outside(Points4(line.from, line.to, line.to, line.to), move, record);
}

// Fills in the slot of a segment, and lists its chords and corners.
void prepare_segment(uint slot, uvec3 place) {
  uint draw = place.x;
  k_segment segment = segments[place.y], next = segment;
  if (STROKES && (segment.flags & K_SEGMENT_JOIN) != 0u) next = segments[segment.next];
  g_record record = g_record_at(draw);
  g_path path = g_path_at(draw);
  uint kind = segment.flags & K_SEGMENT_KIND;
  bool far = FAR && (path.flags & G_PATH_FAR) != 0u;
  ivec2 move;
  Points4 q = load_points(segment), next_points = load_points(next), p = transform(matrix_of(path, place.z, move), q);
  if (far) {
    if (GLYPHS && (path.flags & G_PATH_GLYPHS) != 0u) {
      k_vec by = vec_of(intBitsToFloat(move));
      p = Points4(k_add(p.p0, by), k_add(p.p1, by), k_add(p.p2, by), k_add(p.p3, by));
      move = ivec2(0);
    }
    atomicOr(any_far, 1u);
    p = Points4(k_pull_in(p.p0), k_pull_in(p.p1), k_pull_in(p.p2), k_pull_in(p.p3));
  }
  bool stroke = STROKES && g_draw_of(record.info) == K_DRAW_STROKE;
  if (GLYPHS) slot_move[slot] = move;
  if (!stroke && fill_is_outside(p, move, record)) return;
  k_curve curve = curve_of(kind, p);
  slot_draw[slot] =
      uvec4(record.tile0, record.tile1, record.word, draw << 2 | path.flags & (G_PATH_FAR | G_PATH_ALIASED));
  curve_ab[slot] = vec4(curve.a.x, curve.a.y, curve.b.x, curve.b.y);
  curve_cd[slot] = vec4(curve.c.x, curve.c.y, curve.d.x, curve.d.y);
  curve_end[slot] = xy(curve.end);
  float turning = 0.0f;
  if (stroke) {
    slot_pen[slot] = path.pen;
    turning =
        prepare_stroke(slot, segment.flags, load_pen(path.pen), q, next_points, next.flags & K_SEGMENT_KIND, curve);
    if (kind == K_SEGMENT_DOT) return;
  }
  uint n = uint(k_chords(curve.bend, turning));
  slot_chords[slot] = uvec2(n, floatBitsToUint(k_recip(k_float(n))));
  uvec2 own = share_of(n);
  if (stroke) list_add(SIDES, SIDES_FROM, slot, 2u * (own.y - own.x));
  else list_add(FILLS, 0, slot, own.y - own.x);
}

k_vec slot_point(uint slot, uint i, uvec2 chords) {
  vec4 ab = curve_ab[slot], cd = curve_cd[slot];
  vec2 end = curve_end[slot];
  k_curve curve;
  curve.a = vec_of(ab.xy);
  curve.b = vec_of(ab.zw);
  curve.c = vec_of(cd.xy);
  curve.d = vec_of(cd.zw);
  k_vec p = k_curve_point(curve, k_chord_t(int(i), uintBitsToFloat(chords.y)));
  if (i == chords.x) p = vec_of(end);
  return p;
}

k_vec slot_tangent(uint slot, uint i, uvec2 chords) {
  vec4 ends = slot_tangents[slot], ab = pen_curve_ab[slot];
  k_curve curve;
  curve.a = vec_of(ab.xy);
  curve.b = vec_of(ab.zw);
  curve.c = vec_of(pen_curve_c[slot]);
  k_vec u = k_sample_tangent(curve, k_chord_t(int(i), uintBitsToFloat(chords.y)), vec_of(ends.xy));
  if (i == 0u) u = vec_of(ends.xy);
  if (i == chords.x) u = vec_of(ends.zw);
  return u;
}

// A point of a stroke's path in device space, its unit tangent in pen space, and the pen's offset to the left of it.
struct Sample {
  k_vec p, u, o;
};

Sample slot_sample(uint slot, uint i) {
  uvec2 chords = slot_chords[slot];
  k_vec u = slot_tangent(slot, i, chords);
  return Sample(slot_point(slot, i, chords), u, k_pen_offset(load_pen(slot_pen[slot]), u));
}

// Makes one of the lines beside a chord of a stroke, as emit_step of cpu/segment.h makes them. Left lines run along the
// path from `a` to `b`. Right lines run back: then `a` is the chord's end and `b` its start. Where the step is not
// plain, the chord is a straight piece between two round joins; if `meets`, the one at `a` is stored.
Line side_line(uint slot, Sample a, Sample b, bool right, bool meets) {
  k_vec from = a.o, to = b.o;
  if (!k_step_is_plain(load_pen(slot_pen[slot]), a.p, a.o, b.p, b.o)) {
    k_pen pen = load_pen(slot_pen[slot]);
    k_vec p0 = a.p, u0 = a.u, p1 = b.p;
    if (right) {
      p0 = b.p;
      u0 = b.u;
      p1 = a.p;
    }
    k_vec u = k_chord_tangent(pen, p0, u0, p1), u1 = u;
    from = k_pen_offset(pen, u);
    to = from;
    if (right) {
      u0 = u;
      u1 = a.u;
    }
    if (meets) meet_corner(slot, uint(K_JOIN_ROUND) << 8, a.p, u0, u1, 0.0f);
  }
  if (right) {
    from = k_negate(from);
    to = k_negate(to);
  }
  return Line(k_add(a.p, from), k_add(b.p, to));
}

// Makes the lines on both sides of a chord, by two lanes. Each computes one end of it, and gets the other end from its
// neighbour, through the arrays of corners, which are empty in such a round.
Line side_round(bool made, uint slot, uint item, uint lane, uint pieces, bool meets) {
  bool right = (item & 1u) != 0u;
  Sample a, b;
  if (made) {
    a = slot_sample(slot, (item + 1u) >> 1);
    corner_place[lane] = vec4(a.p.x, a.p.y, a.o.x, a.o.y);
    corner_turn[lane].xy = floatBitsToUint(xy(a.u));
  }
  barrier();
  if (made) {
    uint other = right ? lane - pieces : lane + pieces;
    b.p = vec_of(corner_place[other].xy);
    b.o = vec_of(corner_place[other].zw);
    b.u = vec_of(uintBitsToFloat(corner_turn[other].xy));
  }
  barrier();
  Line l;
  if (made) l = side_line(slot, a, b, right, meets);
  return l;
}

Line chord_line(uint slot, uint i) {
  uvec2 chords = slot_chords[slot];
  return Line(slot_point(slot, i, chords), slot_point(slot, i + 1u, chords));
}

  // --- Edges ---

// Returns how many rows of its draw's tiles an edge touches; none where it lies right of them.
uint edge_rows(k_edge e, uvec4 draw) {
  if (min(e.x0, e.x1) >> 12 >= g_x(draw.y)) return 0u;
  return uint(max(min((e.y1 - 1) >> 12, g_y(draw.y) - 1) - max(e.y0 >> 12, g_y(draw.x)) + 1, 0));
}

// The tiles of one row that an edge touches: `word` is the row's first g_word, first..last count from the draw's left
// tile, and `strips` has a bit for each strip of pixel rows that it touches there.
struct Marks {
  uint word;
  int first, last;
  uint strips;
};

uint strip_of(int y) { return uint(y) >> (8 + G_STRIP_SHIFT) & 3u; }

Marks row_marks(k_edge e, uvec4 draw, uint index) {
  int left = g_x(draw.x), right = g_x(draw.y), top = g_y(draw.x);
  int row = max(e.y0 >> 12, top) + int(index);
  // Edges are straight: within the row its columns lie between those at which it enters and leaves the row.
  int ya = max(e.y0, row * 4096), yb = min(e.y1, row * 4096 + 4096);
  int xa = k_edge_x(e, ya), xb = k_edge_x(e, yb);
  Marks m;
  m.word = draw.z + uint((row - top) * ((right - left + 31) >> 5));
  m.first = max(min(xa, xb) >> 12, left) - left;  // what lies further left counts in the first tile
  // A step lies up to half a pixel further right.
  int reach = max(xa, xb) + (ALIASED && (draw.w & G_PATH_ALIASED) != 0u ? K_SUBPIXELS / 2 : 0);
  m.last = max(min(reach >> 12, right - 1), left) - left;
  m.strips = (2u << strip_of(yb - 1)) - (1u << strip_of(ya));
  return m;
}

uint word_bits(Marks m, int word) {
  uint bits = m.strips * 0x11111111u;
  if (word == m.first >> G_MARK_SHIFT) bits &= ~0u << 4 * (m.first & 7);
  if (word == m.last >> G_MARK_SHIFT) bits &= ~0u >> 4 * (7 - (m.last & 7));
  return bits;
}

// Sets the marks of the edge that the lane has made, `rows` rows of which `marks` is the first; then those of the
// lane's share of the list of rows, whose total is `more`. All in one loop, so that the code is there only once.
void set_marks(Marks marks, k_edge e, uvec4 draw, uint rows, uint lane, uint more) {
  uint row = 1u, listed = more / ENTRY, pieces = more % ENTRY, piece = lane;
  if (listed > LONG) {
    listed = LONG;
    pieces = entries[ROWS_FROM + LONG] >> 8;
  }
  [[dont_unroll]] for (;; row++) {
    [[dont_unroll]] for (int w = marks.first >> G_MARK_SHIFT; w <= marks.last >> G_MARK_SHIFT; w++)
      atomicOr(mark_words[marks.word * G_MARK_WORDS + uint(w)], word_bits(marks, w));
    if (row >= rows) {
      if (piece >= pieces) break;
      uint k = list_find(ROWS_FROM, listed, piece), entry = entries[uint(ROWS_FROM) + k];
      ivec4 q = long_edge[k];
      e = k_edge_make(q.x, q.y, q.z, q.w);
      draw = slot_draw[entry & 255u];
      rows = row = piece - (entry >> 8) + 1u;
      piece += G_FLATTEN_GROUP;
    }
    marks = row_marks(e, draw, row);
  }
}

// Replaces a line by piece 0, 1 or 2 of it. Cut to the guard band, a line has three (kernel/clip.h): on the side where
// it enters, within the band, and on the side where it leaves; pieces may be points. False: nothing of the line counts.
bool cut_piece(inout Line l, int piece) {
  k_cut cut = k_cut_rows(k_pull_in(l.from), k_pull_in(l.to));
  l = Line(k_cut_column(cut.a, cut.b, piece), k_cut_column(cut.a, cut.b, piece + 1));
  return cut.visible;
}

// The edge that a lane made in a round. It is stored in the next one: its place comes from an atomic addition to
// memory, which nobody has to wait for that way.
struct Made {
  bool stored;
  uint at, tag;
  ivec4 edge;
};

void store_edge(Made m) {
  if (!m.stored) return;
  uint at = edge_base + m.at;
  if (at >= P.capacity.edges) return;
  edges[at] = m.edge;
  tags[at] = m.tag;
}

// Gives the edges of a round their place in the buffer. Also counts the workgroups that cover needs, in blocks of
// edges: only who stores the first edge of a block updates them, which saves atomic operations.
void place_edges(uint base, uint count) {
  const uint BLOCK = 1024u;
  edge_base = base;
  uint end = (base + count + BLOCK - 1u) / BLOCK;
  if (end == (base + BLOCK - 1u) / BLOCK) return;
  uvec2 groups = groups_xy(end * (BLOCK / P.edges_at_once));
  atomicMax(control.cover_x, groups.x);
  atomicMax(control.cover_y, groups.y);
  if (base == 0u) control.cover_z = 1u;
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint group = uniform_of(group_number()) / (SHARES ? P.capacity.shares : 1u);
  uint first_item = group * P.segments_at_once;
  uint items = item_count();
  if (first_item >= items) return;
  uint first_span = blocks[P.flatten_block + group], last_span = blocks[P.flatten_block + group + 1u];
  if (lane < SLOTS && lane <= last_span - first_span) {
    g_span span = g_span_at(first_span + lane, SPAN_WORDS);
    slot_draw[lane].xyz = uvec3(span.draw, span.item, span.shift);
  }
  if (lane < 5u) totals[lane] = 0u;
  if (lane < 2u) edge_count[lane] = 0u;
  if (lane == 0u) corners_met = any_far = finished = 0u;
  barrier();
  bool made = lane < P.segments_at_once && first_item + lane < items;
  Line line;
  uvec3 place = made ? find_segment(first_item + lane, first_span, last_span) : uvec3(0u);
  barrier();
  if (PIECES) {
    if (made) prepare_segment(lane, place);
    barrier();
  } else if (made) {
    made = segment_line(lane, place, line);
  }
  // Where lines may have to be cut, three lanes make the same line, and each takes one of its pieces.
  uint pieces = FAR && uniform_of(any_far) != 0u ? 3u : 1u, piece = FAR ? lane % pieces : 0u;
  uint lines = pieces == 1u ? G_FLATTEN_GROUP : G_FLATTEN_GROUP / 6u * 2u;
  uint fills_done = 0u, sides_done = 0u, corners_done = 0u;
  uint base = 0u, count = 0u;  // lane 0 has here where the edges of the round before go, and how many they are
  Made edge = Made(false, 0u, 0u, ivec4(0));
  for (uint odd = 0u;; odd ^= 1u) {
    uint list = FILLS, total = 0u, slot = lane;
    if (PIECES) {
      if (STROKES && uniform_of(corners_met) != 0u) {
        if (lane < corners_met) list_corner(lane);
        barrier();
        if (lane == 0u) corners_met = 0u;
      }
      // Corners are made into lines before all else, so that there is room for those that sides meet.
      uint begin = corners_done;
      list = CORNERS;
      if (STROKES) total = uniform_of(totals[CORNERS]);
      if (begin < total % ENTRY) {
        corners_done += lines;
      } else {
        list = FILLS;
        total = uniform_of(totals[FILLS]);
        begin = fills_done;
        fills_done += lines;
        if (begin >= total % ENTRY) {
          if (!STROKES) {
            if (ENDLESS) atomicAdd(finished, 1u);
            break;
          }
          list = SIDES;
          total = uniform_of(totals[SIDES]);
          begin = sides_done;
          sides_done += lines;
          if (begin >= total % ENTRY) {
            atomicAdd(finished, 1u);
            break;
          }
        }
      }
      uint item = begin + (FAR ? lane / pieces : lane);
      made = item < total % ENTRY && (pieces == 1u || lane < lines * 3u);
      int from = list == FILLS ? 0 : list == SIDES ? SIDES_FROM : CORNERS_FROM;
      if (made) {
        bool single = total / ENTRY == total % ENTRY;  // each entry has one piece: nothing to search
        uint entry = entries[uint(from) + (single ? item : list_find(from, total / ENTRY, item))];
        slot = entry & 255u;
        item -= entry >> 8;
        if (SHARES && list != CORNERS)
          item += share_of(slot_chords[slot].x).x << (list == SIDES ? 1 : 0);
      }
      if (list == FILLS) {
        if (made) line = chord_line(slot, item);
      } else if (STROKES && list == SIDES) {
        line = side_round(made, slot, item, lane, pieces, piece == 0u);
      } else if (STROKES && made) {
        uint corner = slot;
        slot = corner_turn[corner].w & 255u;
        line = corner_line(load_pen(slot_pen[slot]), corner, item);
      }
    }
    uvec4 draw;
    k_edge e;
    uint rows = 0u;
    Made next = Made(false, 0u, 0u, ivec4(0));
    Marks marks = Marks(0u, 0, -1, 0u);
    uint tile = NO_TILE;
    if (made) {
      draw = slot_draw[slot];
      if (FAR && pieces != 1u) made = (draw.w & G_PATH_FAR) != 0u ? cut_piece(line, int(piece)) : piece == 0u;
    }
    if (made) {
      ivec2 o = g_origin_of(g_record_at(draw.w >> 2)) * K_SUBPIXELS;
      if (GLYPHS) o -= slot_move[slot];
      int x0 = k_fixed(line.from.x) - o.x, y0 = k_fixed(line.from.y) - o.y;
      int x1 = k_fixed(line.to.x) - o.x, y1 = k_fixed(line.to.y) - o.y;
      if (y0 != y1) {
        e = k_edge_make(x0, y0, x1, y1);
        rows = edge_rows(e, draw);
      }
      if (rows > 0u) {
        next = Made(true, atomicAdd(edge_count[odd], 1u), g_tag(draw.w >> 2, e.winding < 0),
                    ivec4(e.x0, e.y0, e.x1, e.y1));
        marks = row_marks(e, draw, 0u);
        if (marks.first <= marks.last) tile = (marks.word * 32u + uint(marks.last)) << 4 | marks.strips;
      }
      if (rows > FEW && list_rows(ROWS + odd, slot, next.edge, rows - 1u)) rows = 1u;
    }
    first_tiles[lane] = tile;
    if (lane == 0u) place_edges(base, count);
    barrier();
    store_edge(edge);
    edge = next;
    uint more = totals[ROWS + odd];
    if (lane == 0u) {
      count = edge_count[odd];
      if (count != 0u) base = atomicAdd(control.counted.edges, count);
      edge_count[odd ^ 1u] = 0u;
      totals[ROWS + (odd ^ 1u)] = 0u;
      if (list == CORNERS && corners_done >= total % ENTRY) totals[CORNERS] = 0u;
    }
    if (list == CORNERS && corners_done >= total % ENTRY) corners_done = 0u;
    // Most lines touch a single tile which the neighbouring lane's line touches too (five of six in the tiger). Then
    // that lane sets the mark.
    if (lane > 0u && marks.first == marks.last) {
      uint before = first_tiles[lane - 1u];
      if (before >> 4 == tile >> 4 && (marks.strips & ~before) == 0u) marks.last = -1;
    }
    set_marks(marks, e, draw, rows, lane, more);
    if (!PIECES) break;
    barrier();
  }
  if (lane == 0u) place_edges(base, count);
  barrier();
  store_edge(edge);
  // (Looking at the lists instead would not do: a compiler knows how they are where a loop ends as written.)
  if (ENDLESS && lane == 0u && finished != G_FLATTEN_GROUP) atomicMax(control.counted.shares, 4u * P.capacity.shares);
}
