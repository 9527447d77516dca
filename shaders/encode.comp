#version 460
// Encodes draws that the device has as they were recorded: for the frame's view it writes what the host writes of draws
// that it has encoded itself (src/scene/encode.c, src/gpu/records.c), to the bit. What it writes lies in the same
// order, without the draws that are outside of the region.
//
// A workgroup takes consecutive draws, 256 in each turn. In the first dispatch it adds up what they take: tile rows,
// words, segments, ... In the second one every workgroup adds up the totals of those before it, so that it knows where
// its own draws go.
#include "begin.glsl"
#include "gpu/placed.h"

layout(local_size_x = G_ENCODE_GROUP) in;
layout(push_constant, scalar) uniform Encoding { g_encoding E; };
layout(set = 0, binding = G_SOURCES, scalar) readonly restrict buffer Sources { uvec4 sources[]; };
layout(set = 0, binding = G_USES, scalar) readonly restrict buffer Uses { uint uses[]; };
layout(set = 0, binding = G_TOTALS, scalar) restrict buffer Totals { uvec4 totals[]; };
layout(set = 0, binding = G_PATHS, scalar) writeonly restrict buffer Paths { g_path paths[]; };
layout(set = 0, binding = G_RECORDS, scalar) writeonly restrict buffer Records { g_record records[]; };
layout(set = 0, binding = G_BLOCKS, scalar) writeonly restrict buffer Blocks { uint blocks[]; };
layout(set = 0, binding = G_CONTROL, scalar) restrict buffer Control { g_control control; };

// What a draw takes, or what draws before it do: draws, tile rows, words and small fills; and of flatten's lists the
// segments, then the spans.
struct Taken {
  uvec4 a, b;
};
#define DRAWS a.x
#define ROWS a.y
#define WORDS a.z
#define SMALL a.w
#define ITEMS b.xy
#define SPANS b.zw

shared uvec4 scan_a[G_ENCODE_GROUP], scan_b[G_ENCODE_GROUP];

// Returns what the lanes before this one have, and all of them together.
Taken scan(Taken own, out Taken all) {
  uint lane = gl_LocalInvocationID.x;
  Taken sum = own;
  [[dont_unroll]] for (uint step = 1u; step < G_ENCODE_GROUP; step *= 2u) {
    barrier();
    scan_a[lane] = sum.a;
    scan_b[lane] = sum.b;
    barrier();
    if (lane >= step) {
      sum.a += scan_a[lane - step];
      sum.b += scan_b[lane - step];
    }
  }
  barrier();
  scan_a[lane] = sum.a;
  scan_b[lane] = sum.b;
  barrier();
  all = Taken(scan_a[G_ENCODE_GROUP - 1], scan_b[G_ENCODE_GROUP - 1]);
  return Taken(sum.a - own.a, sum.b - own.b);
}

g_source source_at(uint i) {
  uvec4 a = sources[i * G_SOURCE_QUADS], c = sources[i * G_SOURCE_QUADS + 2u];
  vec4 box = uintBitsToFloat(sources[i * G_SOURCE_QUADS + 1u]);
  return g_source(a.x, a.y, a.z, a.w, k_box(box.x, box.y, box.z, box.w), c.x, c.y, c.z, c.w);
}

g_transform transform_at(uint i) {
  uint at = E.draws * G_SOURCE_QUADS + i * G_TRANSFORM_QUADS;
  vec4 a = uintBitsToFloat(sources[at]);
  uvec4 b = sources[at + 1u];
  return g_transform(k_matrix(a.x, a.y, a.z, a.w, uintBitsToFloat(b.x), uintBitsToFloat(b.y)), b.z, b.w);
}

g_pen_use pen_use_at(uint i) { return g_pen_use(uintBitsToFloat(uses[i * 2u]), uses[i * 2u + 1u]); }
g_paint_use paint_use_at(uint i) {
  return g_paint_use(uses[E.paint_use + i * 2u], uses[E.paint_use + i * 2u + 1u]);
}

// A draw that is encoded.
struct Draw {
  bool seen;
  bool small;
  bool second;  // it is in flatten's second list
  uint op, flags;
  k_matrix matrix;
  k_pixels box, tiles;
  uint info, color, row_words, segments;
};

k_pixels intersect(k_pixels a, k_pixels b) {
  return k_pixels(max(a.x0, b.x0), max(a.y0, b.y0), min(a.x1, b.x1), min(a.y1, b.y1));
}

// Encodes as encode_shape of src/scene/encode.c does, and as the host then counts it.
Draw encode(g_source source) {
  Draw d;
  d.op = source.draw & (1u << G_SOURCE_FLAGS) - 1u;
  d.flags = source.draw >> G_SOURCE_FLAGS;
  d.matrix = k_multiply(E.view, transform_at(source.transform).matrix);
  d.box = E.region;
  d.seen = (d.flags & K_DRAW_HIDDEN) == 0u;
  d.segments = 0u;
  bool path = d.op != K_DRAW_ALL, stroke = d.op == K_DRAW_STROKE;
  uint bend = 0u;
  if (path) {
    d.segments = source.segment_count;
    k_box r = k_box_of(d.matrix, source.box);
    if (stroke) {
      g_pen_use pen = pen_use_at(source.pen);
      if (pen.reach < 0.0f) d.seen = false;
      bend = pen.bend;
      r = k_box_stroked(r, pen.reach);
    }
    d.box = intersect(d.box, k_pixels_of(r));
    if (k_is_far(r)) d.flags |= K_DRAW_FAR;
  }
  if (d.box.x0 >= d.box.x1 || d.box.y0 >= d.box.y1) d.seen = false;
  d.color = source.paint;
  d.info = d.op;
  bool solid = (d.flags & K_DRAW_SOLID) != 0u;
  if (!solid) {
    g_paint_use use = paint_use_at(source.paint);
    solid = (use.info & G_USE_COLOR) != 0u;
    if (solid) d.color = use.color;
    if ((use.info & G_USE_NOTHING) != 0u) d.seen = false;
    d.info |= use.info & (G_OPAQUE | G_KIND);
  }
  if (solid) {
    if (d.color >> 24 == 0u) d.seen = false;
    if (d.color >> 24 == 255u) d.info |= G_OPAQUE;
  }
  if ((d.flags & K_DRAW_EVENODD) != 0u) d.info |= G_EVENODD;
  if ((d.flags & K_DRAW_ALIASED) != 0u) d.info |= G_ALIASED;
  if (path) d.info |= G_PATH;
  bool far = (d.flags & K_DRAW_FAR) != 0u, curved = source.lines != source.segment_count;
  if (path && g_winds_often(d.segments, g_windings_each(stroke, curved, far, bend), E.windings)) d.info |= G_LONG_SUMS;
  d.tiles = g_tiles_of(d.box, E.region.x0, E.region.y0);
  d.row_words = d.segments != 0u ? g_words_across(d.tiles) : 0u;
  d.small = (E.flags & G_ENCODE_SMALL) != 0u && g_may_be_small(d.op, d.flags, d.segments, source.lines) &&
            g_is_small_at(d.flags, d.box, d.tiles);
  d.second = stroke && (E.flags & G_ENCODE_APART) != 0u;
  return d;
}

Taken taken_by(Draw d) {
  Taken t = Taken(uvec4(0u), uvec4(0u));
  if (!d.seen) return t;
  uint height = uint(d.tiles.y1 - d.tiles.y0);
  t.DRAWS = 1u;
  t.WORDS = height * d.row_words;
  if (d.small) {
    t.SMALL = 1u;
    return t;
  }
  t.ROWS = height;
  uint span = d.segments != 0u ? 1u : 0u;
  t.ITEMS = d.second ? uvec2(0u, d.segments) : uvec2(d.segments, 0u);
  t.SPANS = d.second ? uvec2(0u, span) : uvec2(span, 0u);
  return t;
}

// Returns the first workgroup that begins within the items from `item` on, and the first that begins behind `count` of
// them.
uvec2 groups_in(uint item, uint count, uint at_once) {
  return uvec2((item + at_once - 1u) / at_once, (item + count + at_once - 1u) / at_once);
}

void write_span(uint block, uint spans, uint at_once, uint draw, uint item, uint span, uint segment, uint count) {
  uint at = spans + span * G_SPAN_WORDS;
  blocks[at] = draw;
  blocks[at + 1u] = item;
  blocks[at + 2u] = segment - item;
  uvec2 groups = groups_in(item, count, at_once);
  for (uint g = groups.x; g < groups.y; g++) blocks[block + g] = span;
}

// Writes a draw, where those before it take what `at` says.
void write_draw(g_source source, Draw d, Taken at) {
  uint draw = at.DRAWS;
  int x = E.region.x0, y = E.region.y0;
  g_record record;
  record.info = d.info;
  record.box0 = g_pair(d.box.x0 - x, d.box.y0 - y);
  record.box1 = g_pair(d.box.x1 - x, d.box.y1 - y);
  record.tile0 = g_pair(d.tiles.x0, d.tiles.y0);
  record.tile1 = g_pair(d.tiles.x1, d.tiles.y1);
  record.color = d.color;
  record.words = d.row_words;
  record.word = at.WORDS;
  record.row = at.ROWS;
  record.outer = ~0u;
  record.origin_x = x;
  record.origin_y = y;
  records[draw] = record;
  uint flags = ((d.flags & K_DRAW_FAR) != 0u ? G_PATH_FAR : 0u) |
               ((d.flags & K_DRAW_ALIASED) != 0u ? G_PATH_ALIASED : 0u);
  paths[draw] = g_path(d.matrix, d.op == K_DRAW_STROKE ? source.pen : 0u, flags);
  if (d.small) {
    uint small = E.small_block + at.SMALL * G_SMALL_WORDS;
    blocks[small] = draw;
    blocks[small + 1u] = source.segment;
    blocks[small + 2u] = source.segment_count;
    return;
  }
  if (d.segments != 0u) {
    if (d.second)
      write_span(E.block1, E.span1, E.at_once1, draw, at.ITEMS.y, at.SPANS.y, source.segment, d.segments);
    else
      write_span(0u, E.span0, E.at_once0, draw, at.ITEMS.x, at.SPANS.x, source.segment, d.segments);
  }
  uvec2 groups = groups_in(at.ROWS, uint(d.tiles.y1 - d.tiles.y0), E.rows_at_once);
  for (uint g = groups.x; g < groups.y; g++) blocks[E.rank_block + g] = draw;
}

// Returns what an indirect dispatch reads.
uvec4 groups_of(uint groups) { return uvec4(groups_xy(groups), min(groups, 1u), 0u); }

uint divided(uint count, uint at_once) { return (count + at_once - 1u) / at_once; }

// Ends the lists, and tells the stages how much there is. Where there is no room there is nothing.
void write_control(Taken all, bool fits) {
  atomicMax(control.counted.words, max(all.WORDS, all.ROWS));
  if (!fits) all = Taken(uvec4(0u), uvec4(0u));
  uvec2 groups = uvec2(divided(all.ITEMS.x, E.at_once0), divided(all.ITEMS.y, E.at_once1));
  uint rank = divided(all.ROWS, E.rows_at_once);
  if (fits) {
    blocks[groups.x] = max(all.SPANS.x, 1u) - 1u;
    blocks[E.block1 + groups.y] = max(all.SPANS.y, 1u) - 1u;
    blocks[E.rank_block + rank] = max(all.DRAWS, 1u) - 1u;
  }
  control.items0 = all.ITEMS.x;
  control.items1 = all.ITEMS.y;
  control.rows = all.ROWS;
  control.small = all.SMALL;
  control.most = E.most;
  totals[G_GROUPS_OF_FLATTEN] = groups_of(groups.x * E.shares0);
  totals[G_GROUPS_OF_FLATTEN + 1u] = groups_of(groups.y * E.shares1);
  totals[G_GROUPS_OF_SMALL] = groups_of(all.SMALL);
  totals[G_GROUPS_OF_RANK] = groups_of(rank);
}

void main() {
  uint lane = gl_LocalInvocationID.x, group = gl_WorkGroupID.x;
  Taken at = Taken(uvec4(0u), uvec4(0u)), all;
  bool writes = E.write != 0u;
  if (writes) {
    // What the draws of the workgroups before take: each lane looks at one of them.
    Taken own = Taken(uvec4(0u), uvec4(0u));
    if (lane < gl_NumWorkGroups.x) own = Taken(totals[lane * 2u], totals[lane * 2u + 1u]);
    scan(own, all);
    bool fits = max(all.WORDS, all.ROWS) <= E.words;
    if (group == 0u && lane == 0u) write_control(all, fits);
    if (!fits) return;
    if (group != 0u) at = Taken(scan_a[group - 1u], scan_b[group - 1u]);
  }
  for (uint turn = 0u; turn < E.turns; turn++) {
    uint i = (group * E.turns + turn) * G_ENCODE_GROUP + lane;
    bool present = i < E.draws;
    g_source source;
    Draw d;
    d.seen = false;
    if (present) {
      source = source_at(i);
      d = encode(source);
    }
    Taken sum, before = scan(taken_by(d), sum);
    if (writes && d.seen) write_draw(source, d, Taken(at.a + before.a, at.b + before.b));
    at.a += sum.a;
    at.b += sum.b;
  }
  if (!writes && lane == 0u) {
    totals[group * 2u] = at.a;
    totals[group * 2u + 1u] = at.b;
  }
}
