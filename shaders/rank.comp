#version 460
// Numbers the touched tiles, which are those that an edge crosses: from the marks that flatten has set, each gets its
// rank, its place among all touched tiles of the frame. The tiles of one draw's tile row have consecutive ranks. Also
// notes for each bin which draws coarse has to look at.
//
// A lane takes a row of tiles of a draw.
#include "common.glsl"
#include "bins.glsl"

layout(local_size_x = G_RANK_GROUP) in;
RESIDENT_CONSTANT(0);

layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { uvec4 records[]; };
layout(set = 0, binding = G_BLOCKS, scalar) readonly restrict buffer Blocks { uint blocks[]; };
layout(set = 0, binding = G_CONTROL, scalar) restrict buffer Control { g_control control; };
layout(set = 0, binding = G_MARKS, scalar) restrict buffer Marks { uvec4 marks[]; };
layout(set = 0, binding = G_WORDS, scalar) writeonly restrict buffer Words { uvec4 words[]; };
layout(set = 0, binding = G_TILES, scalar) writeonly restrict buffer Tiles { uvec4 tiles[]; };

shared uint first_rows[G_RANK_GROUP];  // the first row of each draw that the group's rows may belong to
// The following are kept for each row, so that the lanes that write its tiles do not load them again. (68,000 strokes:
// 28 us, not 31.)
shared uint ends[G_RANK_GROUP];  // how many touched tiles the rows up to this one have, itself included
shared uint draw_of[G_RANK_GROUP];
shared uint place_of[G_RANK_GROUP];    // its first tile, touched or not: a g_place
shared uint word_of[G_RANK_GROUP];     // the index of its first g_word
shared uvec4 marks_of[G_RANK_GROUP];   // the marks of its first g_word
shared uint base;

uint first_row(uint draw) { return g_record_at(draw).row; }

// Searches the draws first..last for the one that a row belongs to.
uint find_draw(uint first, uint last, uint row) {
  bool few = last - first < G_RANK_GROUP;
  uint lo = first, hi = last;
  while (lo < hi) {
    uint middle = (lo + hi + 1u) >> 1;
    if ((few ? first_rows[middle - first] : first_row(middle)) <= row) lo = middle;
    else hi = middle - 1u;
  }
  return lo;
}

// Returns one bit for each of 32 tiles, set where any of its four bits of marks is: a tile has one for each of its
// strips. They are combined into every fourth bit, which then are moved together.
uint touched_tiles(uvec4 m) {
  m |= m >> 2;
  m = (m | m >> 1) & 0x11111111u;
  m = (m | m >> 3) & 0x03030303u;
  m = (m | m >> 6) & 0x000f000fu;
  m = (m | m >> 12) & 0xffu;
  return m.x | m.y << 8 | m.z << 16 | m.w << 24;
}

// Returns the position of the n-th bit of `v` that is set, counting from 0. Halves what is searched in each step.
uint nth_bit(uint v, uint n) {
  uint at = 0u;
  [[unroll]] for (uint width = 16u; width > 0u; width >>= 1) {
    uint count = uint(bitCount(bitfieldExtract(v, int(at), int(width))));
    if (n >= count) {
      n -= count;
      at += width;
    }
  }
  return at;
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint group = uniform_of(group_number());
  uint rows = ENCODED(control.rows, P.rows);
  if (group * P.rows_at_once >= rows) return;
  uint row = group * P.rows_at_once + lane;
  bool present = lane < P.rows_at_once && row < rows;
  uint first_draw = blocks[P.rank_block + group], last_draw = min(blocks[P.rank_block + group + 1u], P.draws - 1u);
  if (lane <= last_draw - first_draw) first_rows[lane] = first_row(first_draw + lane);
  barrier();
  uint count = 0u, row_words = 0u;
  if (present) {
    uint draw = find_draw(first_draw, last_draw, row);
    g_record record = g_record_at(draw);
    uint of_draw = row - record.row;
    int x0 = g_x(record.tile0), y = g_y(record.tile0) + int(of_draw);
    bool path = (record.info & G_PATH) != 0u && g_draw_of(record.info) != K_DRAW_POP;
    if (!path) note(draw, y, x0, g_x(record.tile1) - 1);
    int first = -1, last = -1;
    row_words = record.words;
    uint word = record.word + of_draw * row_words;
    for (uint w = 0u; w < row_words; w++) {
      uvec4 m = marks[word + w];
      if (w == 0u) marks_of[lane] = m;
      uint touched = touched_tiles(m);
      if (touched == 0u) continue;
      if (first < 0) first = int(w) * 32 + findLSB(touched);
      last = int(w) * 32 + findMSB(touched);
      count += uint(bitCount(touched));
    }
    if (first >= 0) note(draw, y, x0 + first, x0 + last);
    draw_of[lane] = draw;
    place_of[lane] = g_place(uint(x0), uint(y), 0u);
    word_of[lane] = word;
  }
  ends[lane] = count;
  barrier();
  for (uint step = 1u; step < P.rows_at_once; step *= 2u) {
    uint other = lane >= step ? ends[lane - step] : 0u;
    barrier();
    ends[lane] += other;
    barrier();
  }
  uint total = ends[P.rows_at_once - 1u];
  if (lane == 0u && total != 0u) {
    base = atomicAdd(control.counted.tiles, total);
    uvec2 groups = groups_xy((base + total + G_RESOLVE_TILES - 1u) / G_RESOLVE_TILES);
    atomicMax(control.resolve_x, groups.x);
    atomicMax(control.resolve_y, groups.y);
    atomicMax(control.resolve_z, 1u);
  }
  barrier();
  uint rank = base + ends[lane] - count;
  for (uint w = 0u; w < row_words; w++) {
    uint word = word_of[lane] + w;
    uint touched = touched_tiles(w == 0u ? marks_of[lane] : marks[word]);
    words[word] = g_word_quad(g_word(touched, rank, 0u, 0u));
    rank += uint(bitCount(touched));
  }
  // Rows have different numbers of tiles, so the lanes share the tiles of all rows evenly.
  uint limit = base < P.capacity.tiles ? min(total, P.capacity.tiles - base) : 0u;
  for (uint i = lane; i < limit; i += G_RANK_GROUP) {
    uint slot = 0u;
    for (uint step = P.rows_at_once / 2u; step > 0u; step >>= 1)
      if (ends[slot + step - 1u] <= i) slot += step;
    uint before = slot > 0u ? ends[slot - 1u] : 0u, left = i - before;
    uint w = 0u;
    uvec4 m = marks_of[slot];
    uint touched = touched_tiles(m);
    while (left >= uint(bitCount(touched))) {
      left -= uint(bitCount(touched));
      m = marks[word_of[slot] + ++w];
      touched = touched_tiles(m);
    }
    uint bit = nth_bit(touched, left), strips = m[bit >> G_MARK_SHIFT] >> 4u * (bit & 7u) & 15u;
    uint place = place_of[slot] + g_place(w * 32u + bit, 0u, strips);
    tiles[(base + i) * G_TILE_QUADS] = g_tile_quad(draw_of[slot], place, base + before, ends[slot] - before);
  }
  // Marks have to be zero when the next frame begins. They are cleared here, after all lanes have read them.
  barrier();
  for (uint w = 0u; w < row_words; w++)
    if ((w == 0u ? marks_of[lane] : marks[word_of[lane] + w]) != uvec4(0u)) marks[word_of[lane] + w] = uvec4(0u);
}
