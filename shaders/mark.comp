#version 460
// Which tiles the lines of each draw touch.
#include "flatten.glsl"

layout(set = 0, binding = G_WORDS, scalar) restrict buffer Words { g_word words[]; };

// A unit is a row of tiles.
uint units(k_edge e, Lines l) {
  return uint(max(min((e.y1 - 1) >> 12, high16(l.tile1) - 1) - max(e.y0 >> 12, high16(l.tile0)) + 1, 0));
}

// A line crosses the row between the places where it crosses its borders.
void unit(k_edge e, Lines l, uint index) {
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

void main() { flatten_group(); }
