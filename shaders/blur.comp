#version 460
// Small blurs, along both axes at once: a workgroup has a whole picture in shared memory. Each pixel is a sum of its
// neighbours by weights, which are those of the three boxes as well (kernel/filter_blur.h): the sums are the same
// integers that boxes.comp finds. It takes longer the larger the deviation is, and so is for small ones. What is
// computed from the blurred picture follows at once.
#include "filter.glsl"

layout(constant_id = 0) const uint PIXELS = G_BLUR_PIXELS;

const uint WEIGHTS = 2u * G_BLUR_TAPS + 5u;  // of both sides, and three zeros beyond each

shared uint pixels[PIXELS];  // the input, then what the first axis makes of it; rows have an odd number of words
shared int weights[2u * WEIGHTS];

g_item item;
bool alpha;
int x, y;  // of the lane's pixels
const int STEP = 1;

struct Axis {
  int reach;
  bool boxes;
  float scale;
  uint weights;  // of the first zero
};

Axis axis_at(uint w, uint number) {
  g_blur_axis a = g_blur_axis_at(w);
  return Axis(a.reach, a.boxes != 0u, a.scale, number * WEIGHTS);
}

uint value_of(Axis a, int sum) {
  const int HALF = 1 << (K_FILTER_WEIGHT_SHIFT - 1);
  return a.boxes ? k_filter_box_value(float(sum), a.scale) : uint(sum + HALF >> K_FILTER_WEIGHT_SHIFT);
}

uvec4 values_of(Axis a, ivec4 sums) {
  return uvec4(value_of(a, sums.x), value_of(a, sums.y), value_of(a, sums.z), value_of(a, sums.w));
}

// Returns four pixels from `place` on, of a line of `count` pixels, which begins at `at`; `step`: from each to the
// next. They share what is loaded: the weight of one is that of the next one place later.
uvec4 blurred(Axis a, uint at, uint step, int place, int count) {
  int first = max(0, place - a.reach), last = min(count - 1, place + G_FILTER_ROWS - 1 + a.reach);
  uint from = at + uint(first) * step, w = a.weights + uint(first - place + a.reach + 3);
  if (first > last) w = a.weights + 3u;
  ivec4 weight = ivec4(0, weights[w - 1u], weights[w - 2u], weights[w - 3u]);
  ivec4 s0 = ivec4(0), s1 = s0, s2 = s0, s3 = s0;
  if (alpha) {
    for (int i = first; i <= last; i++, from += step, w++) {
      weight.x = weights[w];
      s3 += weight * int(pixels[from] >> 24);
      weight = weight.xxyz;
    }
    return values_of(a, s3) << 24;
  }
  for (int i = first; i <= last; i++, from += step, w++) {
    weight.x = weights[w];
    uint p = pixels[from];
    s0 += weight * int(p & 255u);
    s1 += weight * int(p >> 8 & 255u);
    s2 += weight * int(p >> 16 & 255u);
    s3 += weight * int(p >> 24);
    weight = weight.xxyz;
  }
  return values_of(a, s0) | values_of(a, s1) << 8 | values_of(a, s2) << 16 | values_of(a, s3) << 24;
}

// What the first axis has made.
Axis down;
uint middle;
int left, top, columns, high;

uint pitch_of(int n) { return uint(n) | 1u; }

uvec4 blurred_pixels(int at_x, int at_y) {
  return blurred(down, middle + uint(at_x - left), pitch_of(columns), at_y - top, high);
}

#include "program.glsl"

void main() {
  uint group, lane = gl_LocalInvocationID.x;
  if (!uniform_of(find_item(item, group))) return;
  alpha = (item.flags & G_ITEM_ALPHA) != 0u;
  Axis along = axis_at(item.word, 0u);
  down = axis_at(item.word + G_BLUR_AXIS_WORDS, 1u);
  g_picture from = item.from, to = item.to;
  uint program = words[item.word + G_BLUR_PROGRAM];
  int wide = from.x1 - from.x0;
  left = word_int(item.word + G_BLUR_FROM);
  columns = word_int(item.word + G_BLUR_TO) - left;
  top = from.y0;
  high = from.y1 - top;
  middle = pitch_of(wide) * uint(high);
  for (uint i = lane; i < 2u * WEIGHTS; i += G_FILTER_GROUP) {
    g_blur_axis axis = g_blur_axis_at(item.word + i / WEIGHTS * G_BLUR_AXIS_WORDS);
    int k = abs(int(i % WEIGHTS) - 3 - axis.reach);
    weights[i] = k <= axis.reach ? word_int(axis.weights + uint(k)) : 0;
  }
  for (uint i = lane; i < uint(wide * high); i += G_FILTER_GROUP) {
    uint row = i / uint(wide), column = i % uint(wide);
    pixels[row * pitch_of(wide) + column] = from_texels[texel_at(from, from.x0, from.y0) + row * from.stride + column];
  }
  barrier();
  // Lanes side by side have rows below each other, which are in different banks of shared memory.
  uint quads = uint(columns + G_FILTER_ROWS - 1) / G_FILTER_ROWS;
  for (uint i = lane; i < quads * uint(high); i += G_FILTER_GROUP) {
    uint row = i % uint(high), column = i / uint(high) * G_FILTER_ROWS;
    uvec4 v = blurred(along, row * pitch_of(wide), 1u, left + int(column) - from.x0, wide);
    [[unroll]] for (uint k = 0u; k < G_FILTER_ROWS; k++)
      if (column + k < uint(columns)) pixels[middle + row * pitch_of(columns) + column + k] = v[k];
  }
  barrier();
  uint across = uint(to.x1 - to.x0), fours = uint(to.y1 - to.y0 + G_FILTER_ROWS - 1) / G_FILTER_ROWS;
  for (uint i = lane; i < across * fours; i += G_FILTER_GROUP) {
    x = to.x0 + int(i % across);
    y = to.y0 + int(i / across) * G_FILTER_ROWS;
    if (program != 0u)
      run_program(program);
    else
      stack0 = blurred_pixels(x, y);
    [[unroll]] for (int k = 0; k < G_FILTER_ROWS; k++) {
      if (y + k >= to.y1) continue;
      uint p = stack0[k];
      to_texels[texel_at(to, x, y + k)] = (item.flags & G_ITEM_TO_SRGB) != 0u ? look_up(G_TO_SRGB, p) : p;
    }
  }
}
