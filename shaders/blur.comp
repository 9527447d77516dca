#version 460
// Small blurs, along both axes at once: a workgroup has a whole picture in shared memory. Each pixel is a sum of its
// neighbours by weights, which are those of the three boxes as well (kernel/filter_blur.h): the sums are the same
// integers that boxes.comp finds. It takes longer the larger the deviation is, and so is for small ones.
#include "filter.glsl"

layout(constant_id = 0) const uint PIXELS = G_BLUR_PIXELS;

shared uint pixels[PIXELS];  // the input, then what the first axis makes of it
shared int weights[2 * G_BLUR_TAPS];

g_item item;
bool alpha;

struct Axis {
  int reach;
  bool boxes;
  float scale;
  uint weights;
};

Axis axis_at(uint w, uint number) {
  return Axis(word_int(w), words[w + 1u] != 0u, word_float(w + 2u), number * G_BLUR_TAPS);
}

uint value_of(Axis a, int sum) {
  return a.boxes ? k_filter_box_value(float(sum), a.scale) : uint(sum + (1 << (K_FILTER_WEIGHT_SHIFT - 1)) >> K_FILTER_WEIGHT_SHIFT);
}

// The pixel at `place` of a line of `count` pixels, which begins at `at`; `step`: from each to the next.
uint blurred(Axis a, uint at, uint step, int place, int count) {
  int first = max(-a.reach, -place), last = min(a.reach, count - 1 - place);
  uint from = at + uint(place + first) * step;
  if (alpha) {
    int sum = 0;
    for (int k = first; k <= last; k++, from += step) sum += weights[a.weights + uint(abs(k))] * int(pixels[from] >> 24);
    return value_of(a, sum) << 24;
  }
  ivec4 sum = ivec4(0);
  for (int k = first; k <= last; k++, from += step) {
    uint p = pixels[from];
    sum += weights[a.weights + uint(abs(k))] * ivec4(p & 255u, p >> 8 & 255u, p >> 16 & 255u, p >> 24);
  }
  return value_of(a, sum.x) | value_of(a, sum.y) << 8 | value_of(a, sum.z) << 16 | value_of(a, sum.w) << 24;
}

void main() {
  uint group, lane = gl_LocalInvocationID.x;
  if (!find_item(item, group)) return;
  alpha = (item.flags & G_ITEM_ALPHA) != 0u;
  Axis x = axis_at(item.word, 0u), y = axis_at(item.word + G_BLUR_AXIS_WORDS, 1u);
  g_picture from = item.from, to = item.to;
  uint wide = uint(from.x1 - from.x0), high = uint(from.y1 - from.y0), columns = uint(to.x1 - to.x0), rows = uint(to.y1 - to.y0);
  if (lane < 2u * G_BLUR_TAPS) {
    uint axis = item.word + lane / G_BLUR_TAPS * G_BLUR_AXIS_WORDS, k = lane % G_BLUR_TAPS;
    if (int(k) <= word_int(axis)) weights[lane] = word_int(words[axis + 3u] + k);
  }
  for (uint i = lane; i < wide * high; i += G_FILTER_GROUP)
    pixels[i] = from_texels[texel_at(from, from.x0, from.y0) + i / wide * from.stride + i % wide];
  barrier();
  uint middle = wide * high;
  for (uint i = lane; i < columns * high; i += G_FILTER_GROUP)
    pixels[middle + i] = blurred(x, i / columns * wide, 1u, to.x0 + int(i % columns) - from.x0, int(wide));
  barrier();
  for (uint i = lane; i < columns * rows; i += G_FILTER_GROUP) {
    uint column = i % columns, row = i / columns;
    uint p = blurred(y, middle + column, columns, to.y0 + int(row) - from.y0, int(high));
    if ((item.flags & G_ITEM_TO_SRGB) != 0u) p = look_up(G_TO_SRGB, p);
    to_texels[texel_at(to, to.x0 + int(column), to.y0 + int(row))] = p;
  }
}
