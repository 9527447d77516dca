#version 460
// Small blurs, along both axes at once: a workgroup has a whole picture in shared memory. Each pixel is a sum of its
// neighbours by weights, which are those of the three boxes as well (kernel/filter_blur.h): the sums are the same
// integers that boxes.comp finds. It takes longer the larger the deviation is, and so is for small ones. What is computed
// from the blurred picture follows at once.
#include "filter.glsl"

layout(constant_id = 0) const uint PIXELS = G_BLUR_PIXELS;

shared uint pixels[PIXELS];  // the input, then what the first axis makes of it
shared int weights[2 * G_BLUR_TAPS];

g_item item;
bool alpha;
int x, y, STEP;  // of the lane's pixels

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

// What the first axis has made.
Axis down;
uint middle;
int left, top, columns, high;

uint blurred_pixel(int at_x, int at_y) {
  return blurred(down, middle + uint(at_x - left), uint(columns), at_y - top, high);
}

#include "program.glsl"

void main() {
  uint group, lane = gl_LocalInvocationID.x;
  if (!find_item(item, group)) return;
  alpha = (item.flags & G_ITEM_ALPHA) != 0u;
  Axis along = axis_at(item.word, 0u);
  down = axis_at(item.word + G_BLUR_AXIS_WORDS, 1u);
  g_picture from = item.from, to = item.to;
  uint program = words[item.word + G_BLUR_PROGRAM];
  uint wide = uint(from.x1 - from.x0);
  left = word_int(item.word + G_BLUR_FROM);
  columns = word_int(item.word + G_BLUR_TO) - left;
  top = from.y0;
  high = from.y1 - top;
  middle = wide * uint(high);
  if (lane < 2u * G_BLUR_TAPS) {
    uint axis = item.word + lane / G_BLUR_TAPS * G_BLUR_AXIS_WORDS, k = lane % G_BLUR_TAPS;
    if (int(k) <= word_int(axis)) weights[lane] = word_int(words[axis + 3u] + k);
  }
  for (uint i = lane; i < middle; i += G_FILTER_GROUP)
    pixels[i] = from_texels[texel_at(from, from.x0, from.y0) + i / wide * from.stride + i % wide];
  barrier();
  for (uint i = lane; i < uint(columns * high); i += G_FILTER_GROUP)
    pixels[middle + i] =
        blurred(along, i / uint(columns) * wide, 1u, left + int(i % uint(columns)) - from.x0, int(wide));
  barrier();
  uint across = uint(to.x1 - to.x0);
  STEP = (to.y1 - to.y0 + G_FILTER_ROWS - 1) / G_FILTER_ROWS;
  for (uint i = lane; i < across * uint(STEP); i += G_FILTER_GROUP) {
    x = to.x0 + int(i % across);
    y = to.y0 + int(i / across);
    if (program != 0u)
      run_program(program);
    else
      [[unroll]] for (int k = 0; k < G_FILTER_ROWS; k++) stack0[k] = blurred_pixel(x, y + k * STEP);
    [[unroll]] for (int k = 0; k < G_FILTER_ROWS; k++) {
      if (y + k * STEP >= to.y1) continue;
      uint p = stack0[k];
      to_texels[texel_at(to, x, y + k * STEP)] = (item.flags & G_ITEM_TO_SRGB) != 0u ? look_up(G_TO_SRGB, p) : p;
    }
  }
}
