#version 460
// Draws small fills of straight lines in one stage: a workgroup takes one fill from its lines to its coverage. The sums
// are in shared memory, for some rows of the fill at a time: the less shared memory a workgroup takes, the more of them
// run at once.
#include "common.glsl"
#include "bins.glsl"
#include "kernel/coverage.h"

layout(local_size_x = G_SMALL_GROUP) in;
layout(constant_id = 0) const bool SHEET = false; // several surfaces at a time, each draw with its own origin
RESIDENT_CONSTANT(1);

layout(set = 0, binding = G_POINTS, scalar) readonly restrict buffer Points { vec2 points[]; };
layout(set = 0, binding = G_SEGMENTS, scalar) readonly restrict buffer Segments { k_segment segments[]; };
layout(set = 0, binding = G_PATHS, scalar) readonly restrict buffer Paths { g_path paths[]; };
layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { uvec4 records[]; };
layout(set = 0, binding = G_BLOCKS, scalar) readonly restrict buffer Blocks { uint blocks[]; };
layout(set = 0, binding = G_CONTROL, scalar) restrict buffer Control { g_control control; };
layout(set = 0, binding = G_WORDS, scalar) writeonly restrict buffer Words { uvec4 words[]; };
layout(set = 0, binding = G_COVERAGE, scalar) writeonly restrict buffer Coverage { uvec4 coverage[]; };

shared int sums[G_SMALL_CELLS];  // those of the box's rows top..bottom - 1
shared uint first_tile;
// For each tile row a bit a tile: in `some` where any pixel is covered, in `partly` where any pixel is not fully
// covered.
shared uint some[G_SMALL_TILES], partly[G_SMALL_TILES];

int left, top, right, bottom;  // the pixels that `sums` has at present
ivec2 origin;                  // the draw's
int pitch;                     // from the sum of a pixel to that of the pixel below

void add(int x, int y, int value) {
  if (value != 0 && x < right) atomicAdd(sums[(y - top) * pitch + x - left], value);
}

void add_row(k_edge e, int row) {
  k_piece piece = k_edge_piece(e, row);
  int first = k_piece_first(piece), last = min(k_piece_last(piece), right - 1), area = 0;
  if (first < left) {
    add(left, row, 512 * k_piece_cover_left(e, piece, left));
    first = left;
  }
  if (first > last) return;
  int y_left = k_piece_y_left(e, piece, first);
  for (int column = first; column <= last; column++) {
    int y_right = k_piece_y_right(e, piece, column);
    k_cell cell = k_piece_cell(e, piece, column, y_left, y_right);
    add(column, row, 512 * cell.cover - cell.area + area);
    area = cell.area;
    y_left = y_right;
  }
  add(last + 1, row, area);
}

k_vec load_point(k_matrix m, uint at) { return k_transform(m, k_vec_make(points[at].x, points[at].y)); }

// Adds a line to the sums. `shares` lanes work on it together: this one takes every shares-th row, beginning with
// number `share`.
void add_line(k_matrix m, uint segment, int share, int shares) {
  uint at = segments[segment].point;
  k_vec from = load_point(m, at), to = load_point(m, at + 1u);
  int ox = origin.x * K_SUBPIXELS, oy = origin.y * K_SUBPIXELS;
  int x0 = k_fixed(from.x) - ox, y0 = k_fixed(from.y) - oy, x1 = k_fixed(to.x) - ox, y1 = k_fixed(to.y) - oy;
  if (y0 == y1 || min(x0, x1) >> 8 >= right) return;
  k_edge e = k_edge_make(x0, y0, x1, y1);
  int end = min((e.y1 - 1) >> 8, bottom - 1);
  for (int row = max(e.y0 >> 8, top) + share; row <= end; row += shares) add_row(e, row);
}

// Returns the coverage of a tile's 16 pixels of a row, from x on: a byte a pixel.
uvec4 row_bytes(int x, int row, bool evenodd) {
  uvec4 bytes = uvec4(0u);
  if (row < top || row >= bottom) return bytes;
  int at = (row - top) * pitch - left, sum = 0;
  for (int before = left; before < x; before++) sum += sums[at + before];
  k_winding rule = k_winding_rule(evenodd);
  [[dont_unroll]] for (int w = 0; w < 4; w++) {
    uint word = 0u;
    [[unroll]] for (int k = 0; k < 4; k++, x++)
      if (x >= left && x < right) {
        sum += sums[at + x];
        word |= k_coverage(rule, sum) << (8 * k);
      }
    bytes = uvec4(bytes.yzw, word);
  }
  return bytes;
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint group = uniform_of(group_number());
  if (group >= ENCODED(control.small, P.small)) return;
  if (lane < G_SMALL_TILES) some[lane] = partly[lane] = 0u;
  g_small small = g_small_at(group);
  g_record record = g_record_at(small.draw);
  k_matrix m = paths[small.draw].matrix;
  origin = g_origin_of(record);
  left = g_x(record.box0);
  right = g_x(record.box1);
  pitch = g_small_pitch(right - left);
  // All tiles of the box count as touched; so neither marks nor ranks are needed.
  int x0 = g_x(record.tile0), y0 = g_y(record.tile0);
  int tiles_x = g_x(record.tile1) - x0, tiles_y = g_y(record.tile1) - y0;
  uint tiles = uint(tiles_x * tiles_y), claimed = 0u;
  if (lane == 0u) claimed = atomicAdd(control.counted.small, tiles);
  // Where there are fewer lines than lanes, two or four lanes share a line.
  uint shares = small.segment_count * 4u <= G_SMALL_GROUP ? 4u : small.segment_count * 2u <= G_SMALL_GROUP ? 2u : 1u;
  int box_top = g_y(record.box0), box_bottom = g_y(record.box1);
  int step = G_SMALL_CELLS / g_small_pitch(g_x(record.box1) - g_x(record.box0));
  for (int part = box_top; part < box_bottom; part += step) {
    top = part;
    bottom = min(top + step, box_bottom);
    [[unroll]] for (uint i = 0u; i < G_SMALL_CELLS; i += G_SMALL_GROUP) sums[i + lane] = 0;
    barrier();
    for (uint i = lane / shares; i < small.segment_count; i += G_SMALL_GROUP / shares)
      add_line(m, small.segment + i, int(lane % shares), int(shares));
    if (lane == 0u) first_tile = claimed;
    barrier();
    bool fits = first_tile + tiles <= P.capacity.small;  // if not, the host grows the buffer and submits again
    uint first = P.capacity.tiles + first_tile;
    // A tile's coverage has 16 rows: those outside of the box are written too, as zeros.
    int from = top == box_top ? y0 * G_TILE : top;
    int rows = (bottom == box_bottom ? (y0 + tiles_y) * G_TILE : bottom) - from;
    for (int i = int(lane); i < rows * tiles_x; i += G_SMALL_GROUP) {
      int t = i / rows, row = from + i - t * rows, y = row / G_TILE - y0;
      uvec4 bytes = row_bytes((x0 + t) * G_TILE, row, (record.info & G_EVENODD) != 0u);
      if ((bytes.x | bytes.y | bytes.z | bytes.w) != 0u) atomicOr(some[y], 1u << t);
      if ((bytes.x & bytes.y & bytes.z & bytes.w) != 0xffffffffu) atomicOr(partly[y], 1u << t);
      if (fits) coverage[(first + uint(y * tiles_x + t)) * 16u + uint(row & 15)] = bytes;
    }
    barrier();
  }
  if (lane < uint(tiles_y)) {
    uint any = some[lane], part = partly[lane];
    uint rank = P.capacity.tiles + first_tile + lane * uint(tiles_x);
    words[record.word + lane] = g_word_quad(g_word((1u << tiles_x) - 1u, rank, any & ~part, any & part));
    if (any != 0u) note(small.draw, y0 + int(lane), x0 + findLSB(any), x0 + findMSB(any));
  }
}
