#version 460
// Large blurs along an axis (kernel/filter_blur.h): the third running sum of the differences of pixels, whatever the
// radius. A workgroup goes along a part of some lines (rows or columns), a tile of them at a time, and begins as far
// before the part as the boxes reach. All lanes load the differences of the tile, neighbours in a row side by side.
// Then each lane sums a chunk of a line up, two channels of it: first as if nothing were before it, so that from all
// chunks' sums follows with what each begins; then again from there.
#include "filter.glsl"

layout(constant_id = 0) const bool WIDE = false;  // sums take 64 bits

const uint LINES = G_BOXES_LINES, PLACES = G_BOXES_PLACES, CHUNK = G_BOXES_CHUNK;
const uint PITCH = PLACES + 1u;  // an odd number of words, so that lines are in different banks of shared memory
const uint LOADS = LINES * PLACES / G_FILTER_GROUP;  // pixels of a lane
const int BIAS = 2048;  // keeps differences, which are within 1020, above zero in the halves of a word

// Differences, and then results, of two channels each: red and blue, green and alpha.
shared uint tile[2u * LINES * PITCH];
shared ivec2 sum1[G_FILTER_GROUP], sum2[G_FILTER_GROUP], sum3[G_FILTER_GROUP];  // of a lane's chunk alone
// What the running sums of each line are after the tile; the upper halves only where sums are wide.
shared ivec2 line1[2u * LINES];
shared uvec2 line2[2u * LINES], line3[2u * LINES], line2_high[2u * LINES], line3_high[2u * LINES];

g_item item;
g_blur_words blur;
bool vertical;
int start;  // nothing is before it
uint mask;  // of a pixel what counts

uint load_input(int line, int place) {
  if (place < start) return 0u;
  if (blur.edge != K_FILTER_EDGE_NONE) place = edge_place(blur.edge, place, blur.from, blur.to);
  return load_pixel(item.from, vertical ? line : place, vertical ? place : line) & mask;
}

uvec2 pair_of(uint p) { return uvec2(p & 0x00ff00ffu, p >> 8 & 0x00ff00ffu); }

// Returns the difference d(i) of kernel/filter_blur.h, two channels in each word.
uvec2 difference(int line, int i) {
  int w = blur.window;
  uvec2 a = pair_of(load_input(line, i)), b = pair_of(load_input(line, i - w));
  uvec2 c = pair_of(load_input(line, i - 2 * w));
  uvec2 bias = uvec2(uint(BIAS) * 0x10001u);
  if ((w & 1) != 0) return bias + a + 3u * c - 3u * b - pair_of(load_input(line, i - 3 * w));
  uvec2 d = pair_of(load_input(line, i - w - 1)), e = pair_of(load_input(line, i - 2 * w - 1));
  return bias + a + c + 2u * e - 2u * b - d - pair_of(load_input(line, i - 3 * w - 1));
}

uint load_at(uint at) { return from_texels[at] & mask; }

// Does the same for a texel where all pixels that it takes are in the picture; `step` is from a place to the next. Most
// tiles are so: without checks and the code for edges a blur of 4096x4096 takes the H200 389 us, not 620.
uvec2 inner_difference(uint at, uint step) {
  uint w = uint(blur.window) * step;
  uvec2 a = pair_of(load_at(at)), b = pair_of(load_at(at - w)), c = pair_of(load_at(at - 2u * w));
  uvec2 bias = uvec2(uint(BIAS) * 0x10001u);
  if ((blur.window & 1) != 0) return bias + a + 3u * c - 3u * b - pair_of(load_at(at - 3u * w));
  uvec2 d = pair_of(load_at(at - w - step)), e = pair_of(load_at(at - 2u * w - step));
  return bias + a + c + 2u * e - 2u * b - d - pair_of(load_at(at - 3u * w - step));
}

// --- Sums, of 32 bits or of two words ---

struct Wide { uvec2 low, high; };

Wide add(Wide a, Wide b) {
  Wide r;
  r.low = a.low + b.low;
  r.high = WIDE ? a.high + b.high + uvec2(lessThan(r.low, b.low)) : uvec2(0u);
  return r;
}

Wide wide(ivec2 v) { return Wide(uvec2(v), WIDE ? uvec2(v >> 31) : uvec2(0u)); }

// Shifts v to the left, of which 8 v and 36 v are made.
Wide shifted(Wide v, uint by) {
  return Wide(v.low << by, WIDE ? v.high << by | v.low >> (32u - by) : uvec2(0u));
}

// Returns the float nearest to a sum, which is not negative: as C converts one of 64 bits.
float nearest(uint low, uint high) {
  if (!WIDE || high == 0u) return WIDE ? float(low) : float(int(low));
  // The upper 32 bits of it, the last of them set where any below is, round to the same 24.
  uint by = uint(findMSB(high)) + 1u;
  uint top = by == 32u ? high : high << (32u - by) | low >> by;
  uint rest = by == 32u ? low : low & ((1u << by) - 1u);
  kfloat f = float(top | (rest != 0u ? 1u : 0u)) * uintBitsToFloat(127u + by << 23);
  return f;
}

uint value_of(Wide s3, uint i) { return k_filter_box_value(nearest(s3.low[i], s3.high[i]), blur.scale); }

struct Sums { ivec2 s1; Wide s2, s3; };

// Returns the sums after a chunk, from those before it and those of its own differences. What was s1 before has been
// added to s2 in each of its 8 places, and to s3 1 + 2 + ... + 8 times.
Sums follow(Sums s, ivec2 own1, ivec2 own2, ivec2 own3) {
  Wide s1 = wide(s.s1);
  Sums r;
  r.s1 = s.s1 + own1;
  r.s2 = add(add(s.s2, shifted(s1, 3u)), wide(own2));
  r.s3 = add(add(s.s3, shifted(s.s2, 3u)), add(add(shifted(s1, 5u), shifted(s1, 2u)), wide(own3)));
  return r;
}

ivec2 halves(uint pair) { return ivec2(int(pair & 0xffffu) - BIAS, int(pair >> 16) - BIAS); }

// Finds the line and the place in the tile of a lane's pixel: neighbours in a row side by side.
void find_pixel(uint k, out uint l, out uint p) {
  uint n = k * G_FILTER_GROUP + gl_LocalInvocationID.x;
  l = vertical ? n % LINES : n / PLACES;
  p = vertical ? n / LINES : n % PLACES;
}

void store_difference(uint l, uint p, uvec2 d) {
  tile[l * PITCH + p] = d.x;
  tile[(LINES + l) * PITCH + p] = d.y;
}

void main() {
  uint group, lane = gl_LocalInvocationID.x;
  if (!uniform_of(find_item(item, group))) return;
  blur = g_blur_words_at(item.word);
  vertical = (item.flags & G_ITEM_VERTICAL) != 0u;
  g_picture to = item.to;
  int first = (vertical ? to.y0 : to.x0) + int(group / item.columns) * blur.part;
  int end = min(vertical ? to.y1 : to.x1, first + blur.part);
  int first_line = (vertical ? to.x0 : to.y0) + int(group % item.columns * LINES), end_line = vertical ? to.x1 : to.y1;
  start = first - blur.reach;
  if (blur.edge == K_FILTER_EDGE_NONE) start = max(start, vertical ? item.from.y0 : item.from.x0);
  mask = (item.flags & G_ITEM_ALPHA) != 0u ? 0xff000000u : 0xffffffffu;
  // Between `low` and `high` all places of lines that are inside are in the picture.
  g_picture from = item.from;
  int last_line = min(first_line + int(LINES), end_line) - 1;
  int low = max(start, vertical ? from.y0 : from.x0), high = vertical ? from.y1 : from.x1;
  bool inside = blur.edge == K_FILTER_EDGE_NONE && first_line >= (vertical ? from.x0 : from.y0) &&
                last_line < (vertical ? from.x1 : from.y1);
  // In the second step a lane has these two channels of a line, and a chunk of it.
  uint line = lane % LINES, both = lane / LINES % 2u, chunk = lane / (2u * LINES), own = both * LINES + line;
  uint place = own * PITCH + chunk * CHUNK;
  if (chunk == 0u) {
    line1[own] = ivec2(0);
    line2[own] = line3[own] = line2_high[own] = line3_high[own] = uvec2(0u);
  }
  int i = min(start, first + blur.reach);
  uint tiles = uniform_of(uint(max(end + blur.reach - i + int(PLACES) - 1, 0)) / PLACES);
  for (uint n = 0u; n < tiles; n++, i += int(PLACES)) {
    bool plain = inside && i - 3 * blur.window - 1 >= low && i + int(PLACES) <= high;
    if (plain) {
      [[unroll]] for (uint k = 0u; k < LOADS; k++) {
        uint l, p;
        find_pixel(k, l, p);
        int at_line = min(first_line + int(l), last_line), at = i + int(p);
        uint texel = texel_at(from, vertical ? at_line : at, vertical ? at : at_line);
        store_difference(l, p, inner_difference(texel, vertical ? from.stride : 1u));
      }
    } else {
      for (uint k = 0u; k < LOADS; k++) {
        uint l, p;
        find_pixel(k, l, p);
        store_difference(l, p, difference(first_line + int(l), i + int(p)));
      }
    }
    barrier();
    ivec2 s1 = ivec2(0), s2 = ivec2(0), s3 = ivec2(0);
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) {
      s1 += halves(tile[place + k]);
      s2 += s1;
      s3 += s2;
    }
    sum1[lane] = s1;
    sum2[lane] = s2;
    sum3[lane] = s3;
    barrier();
    Sums s = Sums(line1[own], Wide(line2[own], line2_high[own]), Wide(line3[own], line3_high[own]));
    for (uint c = own; c < lane; c += 2u * LINES) s = follow(s, sum1[c], sum2[c], sum3[c]);
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) {
      s.s1 += halves(tile[place + k]);
      s.s2 = add(s.s2, wide(s.s1));
      s.s3 = add(s.s3, s.s2);
      tile[place + k] = value_of(s.s3, 0u) | value_of(s.s3, 1u) << 16;
    }
    barrier();
    if (chunk == PLACES / CHUNK - 1u) {
      line1[own] = s.s1;
      line2[own] = s.s2.low;
      line3[own] = s.s3.low;
      line2_high[own] = s.s2.high;
      line3_high[own] = s.s3.high;
    }
    [[unroll]] for (uint k = 0u; k < LOADS; k++) {
      uint l, p;
      find_pixel(k, l, p);
      int at = i + int(p) - blur.reach, at_line = first_line + int(l);
      if (at < first || at >= end || at_line >= end_line) continue;
      uint pixel = tile[l * PITCH + p] | tile[(LINES + l) * PITCH + p] << 8;
      if ((item.flags & G_ITEM_TO_SRGB) != 0u) pixel = look_up(G_TO_SRGB, pixel);
      to_texels[vertical ? texel_at(to, at_line, at) : texel_at(to, at, at_line)] = pixel;
    }
    barrier();
  }
}
