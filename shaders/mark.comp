#version 460
// Which tiles the lines of each draw touch.
#include "flatten.glsl"

layout(set = 0, binding = G_WORDS, scalar) restrict buffer Words { g_word words[]; };

// A line crosses the rows of a tile between the places where it crosses their borders.
void mark_row(k_edge e, g_record r, int row) {
  int ya = max(e.y0, row * 4096), yb = min(e.y1, row * 4096 + 4096);
  int xa = k_edge_x(e, ya), xb = k_edge_x(e, yb);
  int left = low16(r.tile0), right = low16(r.tile1);
  int first = min(xa, xb) >> 12, last = min(max(xa, xb) >> 12, right - 1);
  if (first >= right) return;
  first = max(first, left) - left;  // what lies further left counts in the first tile
  last = max(last, left) - left;
  uint base = r.word + uint(row - high16(r.tile0)) * r.words;
  for (int w = first >> 5; w <= last >> 5; w++) {
    uint bits = 0xffffffffu;
    if (w == first >> 5) bits &= 0xffffffffu << (first & 31);
    if (w == last >> 5) bits &= 0xffffffffu >> (31 - (last & 31));
    atomicOr(words[base + uint(w)].touched, bits);
  }
}

void line(k_edge e, uint draw, uint slice, uint slices) {
  g_record r = records[draw];
  int lo = max(e.y0 >> 12, high16(r.tile0)), hi = min((e.y1 - 1) >> 12, high16(r.tile1) - 1);
  int count = hi - lo + 1;
  if (count <= 0) return;
  int from = lo + count * int(slice) / int(slices), to = lo + count * int(slice + 1u) / int(slices);
  for (int row = from; row < to; row++) mark_row(e, r, row);
}

void main() { flatten_group(); }
