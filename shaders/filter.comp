#version 460
// Steps of filters that compute each pixel from some pixels of their inputs. A lane has some pixels of a column.
#include "filter.glsl"

layout(constant_id = 0) const uint KIND = G_ITEM_PIXELS;

g_item item;
int x, y;  // the lane's first pixel
const int STEP = G_FILTER_GROUP / G_FILTER_SIDE;  // from one of a lane's rows to its next

uvec4 blurred_pixels(int at_x, int at_y) { return uvec4(0u); }  // of shaders/blur.comp
#include "program.glsl"

// --- Along an axis ---

uint load_place(int at_x, int at_y, int along) {
  bool vertical = (item.flags & G_ITEM_VERTICAL) != 0u;
  uint p = load_pixel(item.from, vertical ? at_x : along, vertical ? along : at_y);
  return (item.flags & G_ITEM_ALPHA) != 0u ? p & 0xff000000u : p;
}

uint weights_pixel(int at_y) {
  g_blur_words blur = g_blur_words_at(item.word);
  int along = (item.flags & G_ITEM_VERTICAL) != 0u ? at_y : x;
  ivec4 sum = ivec4(1 << (K_FILTER_WEIGHT_SHIFT - 1));
  for (int k = -blur.reach; k <= blur.reach; k++) {
    int weight = word_int(item.word + G_BLUR_WORDS + uint(abs(k))), place = along + k;
    if (blur.edge != K_FILTER_EDGE_NONE) place = edge_place(blur.edge, place, blur.from, blur.to);
    uint p = load_place(x, at_y, place);
    sum += weight * ivec4(p & 255u, p >> 8 & 255u, p >> 16 & 255u, p >> 24);
  }
  sum >>= K_FILTER_WEIGHT_SHIFT;
  return uint(sum.x) | uint(sum.y) << 8 | uint(sum.z) << 16 | uint(sum.w) << 24;
}

uint extreme_pixel(int at_y) {
  uint count = words[item.word];
  int along = (item.flags & G_ITEM_VERTICAL) != 0u ? at_y : x;
  bool larger = (item.flags & G_ITEM_LARGER) != 0u;
  uint r = load_place(x, at_y, along + word_int(item.word + 1u));
  for (uint k = 1u; k < count; k++)
    r = k_filter_extreme(larger, r, load_place(x, at_y, along + word_int(item.word + 1u + k)));
  return r;
}

// --- Neighbours ---

uint convolve_input(g_convolve_words c, int at_x, int at_y) {
  if (c.edge == K_FILTER_EDGE_NONE) {
    if (at_x < c.x0 || at_x >= c.x1 || at_y < c.y0 || at_y >= c.y1) return 0u;
  } else {
    at_x = edge_place(c.edge, at_x, c.x0, c.x1);
    at_y = edge_place(c.edge, at_y, c.y0, c.y1);
  }
  return load_pixel(item.from, at_x, at_y);
}

float convolved(float sum, float add) {
  kfloat v = sum + add;
  v = v + 0.5f;
  return v;
}

uint convolve_byte(float v) { return v < 0.0f ? 0u : v > 255.0f ? 255u : uint(v); }

uint convolve_pixel(int at_y) {
  g_convolve_words c = g_convolve_words_at(item.word);
  kfloat bias = c.bias;
  bool preserve = c.preserve_alpha != 0u;
  kfloat r = 0.0f, g = 0.0f, b = 0.0f, a = 0.0f;
  for (int j = 0; j < c.rows; j++)
    for (int i = 0; i < c.columns; i++) {
      kfloat weight = word_float(item.word + G_CONVOLVE_WORDS + uint(j * c.columns + i));
      if (weight == 0.0f) continue;
      uint p = convolve_input(c, x - c.target_x + i, at_y - c.target_y + j), alpha = p >> 24;
      uint pr = p & 255u, pg = p >> 8 & 255u, pb = p >> 16 & 255u;
      if (preserve) {
        pr = k_filter_straight(pr, alpha);
        pg = k_filter_straight(pg, alpha);
        pb = k_filter_straight(pb, alpha);
      }
      kfloat vr = weight * float(int(pr)), vg = weight * float(int(pg)), vb = weight * float(int(pb));
      kfloat va = weight * float(int(alpha));
      r = r + vr;
      g = g + vg;
      b = b + vb;
      a = a + va;
    }
  uint own = convolve_input(c, x, at_y), alpha = own >> 24;
  kfloat whole = bias * 255.0f;
  kfloat made = a + whole;
  kfloat result = preserve ? float(int(alpha)) : made;
  kfloat add = bias * result;
  uint vr = convolve_byte(convolved(r, add)), vg = convolve_byte(convolved(g, add));
  uint vb = convolve_byte(convolved(b, add)), va = convolve_byte(convolved(result, 0.0f));
  if (preserve) return k_scale(vr | vg << 8 | vb << 16, alpha) | alpha << 24;
  return min(vr, va) | min(vg, va) << 8 | min(vb, va) << 16 | va << 24;
}

int alpha_at(int at_x, int at_y) { return int(load_pixel(item.from, at_x, at_y) >> 24); }

uint light_pixel(int at_y) {
  g_light_words l = g_light_words_at(item.word);
  uint edges = (x == l.x0 ? K_EDGE_LEFT : 0u) | (x == l.x1 - 1 ? K_EDGE_RIGHT : 0u) |
               (at_y == l.y0 ? K_EDGE_TOP : 0u) | (at_y == l.y1 - 1 ? K_EDGE_BOTTOM : 0u);
  k_filter_alphas p = k_filter_alphas(alpha_at(x - 1, at_y - 1), alpha_at(x, at_y - 1), alpha_at(x + 1, at_y - 1),
                                      alpha_at(x - 1, at_y), alpha_at(x, at_y), alpha_at(x + 1, at_y),
                                      alpha_at(x - 1, at_y + 1), alpha_at(x, at_y + 1), alpha_at(x + 1, at_y + 1));
  return k_filter_light_pixel(l.light, p, edges, float(x), float(at_y));
}

// --- Noise ---

int lattice_at(int i) { return word_int(item.word + G_NOISE_WORDS + uint(i)); }

k_vec gradient_at(uint channel, int i) {
  uint at = item.word + G_NOISE_WORDS + (1u + 2u * channel) * uint(K_NOISE_TABLE) + uint(i);
  return k_vec(word_float(at), word_float(at + uint(K_NOISE_TABLE)));
}

uint noise_pixel(int at_y) {
  k_noise_params n = k_noise_params_at(item.word);
  bool fractal = n.fractal != 0u, stitched = n.stitched != 0u;
  k_vec p = k_transform(n.to_noise, k_vec(float(x), float(at_y)));
  kfloat vx = k_noise_limit(p.x), vy = k_noise_limit(p.y), frequency = 1.0f, amplitude = 1.0f;
  kfloat sums[4] = float[](0.0f, 0.0f, 0.0f, 0.0f);
  for (int o = 0; o < n.octaves; o++) {
    int width = n.width << o, height = n.height << o;
    int wrap_x = stitched ? n.wrap_x << o : 0x7fffffff, wrap_y = stitched ? n.wrap_y << o : 0x7fffffff;
    kfloat fx = vx * frequency, fy = vy * frequency;
    k_noise_axis ax = k_noise_at(fx, wrap_x, width), ay = k_noise_at(fy, wrap_y, height);
    int i0 = lattice_at(ax.cell0), i1 = lattice_at(ax.cell1);
    int b00 = lattice_at(i0 + ay.cell0), b10 = lattice_at(i1 + ay.cell0);
    int b01 = lattice_at(i0 + ay.cell1), b11 = lattice_at(i1 + ay.cell1);
    [[unroll]] for (uint c = 0u; c < 4u; c++) {
      kfloat v = k_noise_mix(ax, ay, gradient_at(c, b00), gradient_at(c, b10), gradient_at(c, b01),
                             gradient_at(c, b11));
      kfloat positive = v < 0.0f ? -v : v;
      v = (fractal ? v : positive) * amplitude;
      sums[c] = sums[c] + v;
    }
    frequency = frequency * 2.0f;
    amplitude = amplitude * 0.5f;
  }
  [[unroll]] for (uint c = 0u; c < 4u; c++) {
    kfloat v = sums[c];
    if (fractal) {
      v = v + 1.0f;
      v = v * 0.5f;
    }
    sums[c] = min(max(v, 0.0f), 1.0f);
  }
  return k_filter_premultiply(sums[0], sums[1], sums[2], sums[3]);
}

// --- Displacement and tiles ---

uint displace_pixel(int at_y) {
  g_displace_words d = g_displace_words_at(item.word);
  uint map = load_pixel(d.map, x, at_y), a = map >> 24;
  uint vx = d.channel_x == 3u ? a : k_filter_straight(map >> (8u * d.channel_x) & 255u, a);
  uint vy = d.channel_y == 3u ? a : k_filter_straight(map >> (8u * d.channel_y) & 255u, a);
  return load_pixel(item.from, x + k_filter_displacement(d.scale_x, vx), at_y + k_filter_displacement(d.scale_y, vy));
}

uint tile_pixel(int at_y) {
  k_filter_tile tx = k_filter_tile_at(item.word), ty = k_filter_tile_at(item.word + G_TILE_AXIS_WORDS);
  if (tx.from >= tx.to || ty.from >= ty.to) return 0u;
  return load_pixel(item.from, k_filter_tile_place(tx, k_filter_in_tile(tx, x)),
                    k_filter_tile_place(ty, k_filter_in_tile(ty, at_y)));
}

uint gathered_pixel(int at_y) {
  if (KIND == G_ITEM_WEIGHTS) return weights_pixel(at_y);
  if (KIND == G_ITEM_EXTREME) return extreme_pixel(at_y);
  if (KIND == G_ITEM_CONVOLVE) return convolve_pixel(at_y);
  if (KIND == G_ITEM_LIGHT) return light_pixel(at_y);
  if (KIND == G_ITEM_NOISE) return noise_pixel(at_y);
  if (KIND == G_ITEM_DISPLACE) return displace_pixel(at_y);
  return tile_pixel(at_y);
}

void main() {
  uint group;
  if (!find_item(item, group)) return;
  uint lane = gl_LocalInvocationID.x;
  x = item.to.x0 + int(group % item.columns * G_FILTER_SIDE + lane % G_FILTER_SIDE);
  y = item.to.y0 + int(group / item.columns * G_FILTER_SIDE + lane / G_FILTER_SIDE);
  if (KIND != G_ITEM_PIXELS) {
    [[dont_unroll]] for (int k = 0; k < G_FILTER_ROWS; k++) {
      int row = y + k * STEP;
      if (!is_inside(item.to, x, row)) continue;
      uint p = gathered_pixel(row);
      to_texels[texel_at(item.to, x, row)] = (item.flags & G_ITEM_TO_SRGB) != 0u ? look_up(G_TO_SRGB, p) : p;
    }
    return;
  }
  run_program(item.word);
  [[unroll]] for (int k = 0; k < G_FILTER_ROWS; k++)
    if (is_inside(item.to, x, y + k * STEP)) to_texels[texel_at(item.to, x, y + k * STEP)] = stack0[k];
}
