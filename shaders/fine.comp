#version 460
// Paints each tile: a workgroup executes the tile's commands in order, on pixels that its lanes hold in registers.
#include "common.glsl"
#include "kernel/composite_float.h"
#include "kernel/paint.h"

// CHUNK is the number of a lane's pixels, 1, 2, 4, 8 or 16, defined on the compiler's command line.
const uint GROUP = G_TILE_PIXELS / CHUNK;
layout(local_size_x = G_TILE_PIXELS / CHUNK) in;
// What the scene uses. The pipeline lacks the code for all else.
layout(constant_id = 0) const bool LAYERS = true;
layout(constant_id = 1) const bool GRADIENTS = true;
layout(constant_id = 2) const bool IMAGES = true;
layout(constant_id = 3) const bool BLENDS = true;
layout(constant_id = 4) const bool OPAQUE = false;  // the background is opaque; so every pixel is, all the time
layout(constant_id = 5) const bool SHEET = false;   // several surfaces at a time, each draw with its own origin
layout(constant_id = 6) const bool CLIPPED = false;  // the target has no room for pixels of tiles outside of the region

layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { uvec4 records[]; };
#ifdef WEBGPU
// A stage has ten buffers there, so paints are in the one of the records, after them.
#define PAINT(quad) records[P.draws * G_RECORD_QUADS + (quad)]
#else
layout(set = 0, binding = G_PAINTS, scalar) readonly restrict buffer Paints { uvec4 paints[]; };
#define PAINT(quad) paints[quad]
#endif
layout(set = 0, binding = G_TEXELS, scalar) readonly restrict buffer Texels { uint texels[]; };
layout(set = 0, binding = G_RAMPS, scalar) readonly restrict buffer Ramps { vec4 ramps[]; };
layout(set = 0, binding = G_LISTS, scalar) readonly restrict buffer Lists {
  g_needs needed;
  g_list lists[];
};
layout(set = 0, binding = G_TILES, scalar) readonly restrict buffer Tiles { uint tiles[]; };
layout(set = 0, binding = G_SUMS, scalar) restrict buffer Sums { ivec4 sums[]; };
layout(set = 0, binding = G_COVERAGE, scalar) readonly restrict buffer Coverage { uint coverage[]; };
layout(set = 0, binding = G_COMMANDS, scalar) readonly restrict buffer Commands { uvec4 commands[]; };
layout(set = 0, binding = G_SPILL, scalar) restrict buffer Spill { uint spill[]; };

// A lane has RUN pixels next to each other, in one or more rows of the tile. Neighbouring lanes then write to
// neighbouring addresses, up to 16 bytes each.
#if CHUNK > 4
#define RUN 4
#else
#define RUN CHUNK
#endif
#if RUN == 4
#define g_run uvec4
#elif RUN == 2
#define g_run uvec2
#else
#define g_run uint
#endif
#ifdef COUNTED
// For the lab: the picture's last row of tiles is not painted. Its first words count the workgroups at work, the most
// of them at a time, and all that there have been.
layout(set = 0, binding = G_TARGET, scalar) buffer Target { g_run target[]; };
layout(set = 0, binding = G_TARGET, scalar) buffer Counters { uint counters[]; };
#else
layout(set = 0, binding = G_TARGET, scalar) restrict buffer Target { g_run target[]; };
#endif

const uint ROWS = CHUNK / RUN;                      // rows in which a lane has pixels
const uint LANES = 16 / RUN;                        // lanes that share a row of the tile
const uint ROW_STEP = GROUP / LANES;                // from one of a lane's rows to its next
const uint USED = 0xffffffffu >> (32u - 8u * RUN);  // the bytes of a word of coverage that belong to a lane's run

int tile_x, tile_y;
uint lane;
int pixel_x, pixel_y;      // the lane's first pixel, in the region
uint own_word, own_shift;  // where its coverage is among the tile's
k_pixel pixels[CHUNK];
// How many layers lie below the open one, and their pixels: the lowest three are in registers, others in `spill`.
uint depth = 0u;
uint below0[CHUNK], below1[CHUNK], below2[CHUNK];
uint spill_base;

float first_x, first_y;  // the centre of the lane's first pixel in device space
void set_centre(ivec2 origin) {
  first_x = float(origin.x + pixel_x) + 0.5f;
  first_y = float(origin.y + pixel_y) + 0.5f;
}
float centre_x(uint k) { return first_x + float(k % RUN); }  // exact
float centre_y(uint k) { return first_y + float(k / RUN * ROW_STEP); }

k_paint paint_at(uint i) {
  uint at = i * G_PAINT_QUADS;
  uvec4 a = PAINT(at), b = PAINT(at + 1u), c = PAINT(at + 2u), d = PAINT(at + 3u), e = PAINT(at + 4u);
  uvec4 f = PAINT(at + 5u);
  vec4 m = uintBitsToFloat(c), n = uintBitsToFloat(d), o = uintBitsToFloat(e), p = uintBitsToFloat(f);
  return k_paint(a.x, a.y, a.z, a.w, b.x, b.y, int(b.z), int(b.w), k_matrix(m.x, m.y, m.z, m.w, n.x, n.y), n.z, n.w,
                 o.x, o.y, o.z, o.w, p.x, p.y, f.z, p.w);
}

// --- Coverage ---

struct Cover {
  uint words[ROWS];  // a word a row, in it a byte a pixel, from the lowest
};

uint alpha_at(Cover c, uint k) { return c.words[k / RUN] >> (8u * (k % RUN)) & 255u; }
float byte_at(Cover c, uint k) { return k_byte(c.words[k / RUN], k % RUN); }

bool is_bare(Cover c) {
  uint any = 0u;
  [[unroll]] for (uint w = 0u; w < ROWS; w++) any |= c.words[w];
  return any == 0u;
}

// --- Colours ---

uint image_pixel(k_paint p, int x, int y) {
  x = k_wrap(x, p.width, p.spread_x);
  y = k_wrap(y, p.height, p.spread_y);
  if (x < 0 || y < 0) return 0u;
  return texels[p.source + uint(y) * p.stride + uint(x)];
}

uint image_bicubic(k_paint p, int x, int y, int fx, int fy) {
  int rows[4][4];  // [channel][row]
  for (int j = 0; j < 4; j++) {
    uint a = image_pixel(p, x - 1, y - 1 + j), b = image_pixel(p, x, y - 1 + j);
    uint c = image_pixel(p, x + 1, y - 1 + j), d = image_pixel(p, x + 2, y - 1 + j);
    for (uint k = 0u; k < 4u; k++) rows[k][j] = k_cubic_row(a, b, c, d, 8u * k, fx);
  }
  int alpha = k_cubic_column(rows[3][0], rows[3][1], rows[3][2], rows[3][3], fy);
  uint r = uint(alpha) << 24;
  for (uint k = 0u; k < 3u; k++)
    r |= uint(min(k_cubic_column(rows[k][0], rows[k][1], rows[k][2], rows[k][3], fy), alpha)) << (8u * k);
  return r;
}

uint image_sample(k_paint p, float u, float v) {
  if (p.sampling == K_SAMPLING_NEAREST) return image_pixel(p, k_floor(k_image_clamp(u)), k_floor(k_image_clamp(v)));
  int fx = k_image_fixed(u, p.fx), fy = k_image_fixed(v, p.fy);
  int x = fx >> 8, y = fy >> 8;
  fx &= 255;
  fy &= 255;
  if (p.sampling == K_SAMPLING_BICUBIC) return image_bicubic(p, x, y, fx, fy);
  return k_bilinear(image_pixel(p, x, y), image_pixel(p, x + 1, y), image_pixel(p, x, y + 1),
                    image_pixel(p, x + 1, y + 1), uint(fx), uint(fy));
}

// Returns d. Where all pixels are opaque and so stay opaque, this tells the compiler that alpha is constant, which
// saves computing it (68,000 strokes: 119 us, not 124).
k_pixel known(k_pixel d) {
  if (OPAQUE) d.a = K_ONES + 255.0f;
  return d;
}

// Registers cannot be indexed by a loop that is not unrolled. So such a loop always works on the first pixel, and then
// rotates them: the others move up, and the finished one becomes the last.
void turn_pixels(k_pixel d) {
  [[unroll]] for (uint i = 0u; i + 1u < CHUNK; i++) pixels[i] = pixels[i + 1u];
  pixels[CHUNK - 1u] = known(d);
}

// Returns whether each of the image's pixels is one of the target's: a surface, mostly.
bool is_upright(k_paint p) {
  return p.sampling == K_SAMPLING_NEAREST && p.spread_x == K_SPREAD_NONE && p.spread_y == K_SPREAD_NONE &&
         p.m.a == 1.0f && p.m.b == 0.0f && p.m.c == 0.0f && p.m.d == 1.0f && p.m.e == floor(p.m.e) &&
         p.m.f == floor(p.m.f) && abs(p.m.e) < 4194304.0f && abs(p.m.f) < 4194304.0f;
}

// Paints such an image, with all loads on their way before the first is used.
void paint_upright(k_paint p, Cover c) {
  uint texel[CHUNK];
  [[unroll]] for (uint k = 0u; k < CHUNK; k++) {
    int x = int(floor(centre_x(k))) + int(p.m.e), y = int(floor(centre_y(k))) + int(p.m.f);
    bool inside = x >= 0 && y >= 0 && x < p.width && y < p.height;
    texel[k] = inside ? texels[p.source + uint(y) * p.stride + uint(x)] : 0u;
  }
  [[unroll]] for (uint k = 0u; k < CHUNK; k++)
    pixels[k] =
        known(k_over_float(pixels[k], k_pixel_unpack(texel[k]), k_byte(k_div255(alpha_at(c, k) * p.color), 0u)));
}

void paint_image(k_paint p, Cover c) {
  if (is_upright(p)) {
    paint_upright(p, c);
    return;
  }
  [[dont_unroll]] for (uint k = 0u; k < CHUNK; k++) {
    k_pixel d = pixels[0];
    float x = centre_x(k), y = centre_y(k);
    uint alpha = alpha_at(c, k);
    if (alpha != 0u)
      d = k_over_float(d, k_pixel_unpack(image_sample(p, k_paint_u(p.m, x, y), k_paint_v(p.m, x, y))),
                       k_byte(k_div255(alpha * p.color), 0u));
    turn_pixels(d);
  }
}

void paint_color(k_pixel s, Cover c) {
  if (s.a == K_ONES + 255.0f) {
    [[unroll]] for (uint k = 0u; k < CHUNK; k++)
      pixels[k] = known(k_over_float_opaque(pixels[k], s, k_part(byte_at(c, k))));
  } else {
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) pixels[k] = known(k_over_float(pixels[k], s, byte_at(c, k)));
  }
}

k_pixel ramp_color(k_paint p, float t) {
  vec4 color = ramps[p.source + uint(k_ramp_index(t, p.spread_x))];
  return k_pixel(color.r, color.g, color.b, color.a);
}

// Paints a gradient. Where a linear one or a circle pads and fills the tile, which is the usual case, it has an
// unrolled loop of its own without the code for all others. These share a loop that is not unrolled, so that it is
// short.
void paint_gradient(k_paint p, Cover c, bool full) {
  if (full && p.spread_x == K_SPREAD_PAD && p.kind == K_PAINT_LINEAR) {
    p.spread_x = K_SPREAD_PAD;
    [[unroll]] for (uint k = 0u; k < CHUNK; k++)
      pixels[k] = known(k_over_float_full(pixels[k], ramp_color(p, k_paint_u(p.m, centre_x(k), centre_y(k)))));
    return;
  }
  if (full && p.spread_x == K_SPREAD_PAD && p.kind == K_PAINT_CIRCLE) {
    p.spread_x = K_SPREAD_PAD;
    p.kind = K_PAINT_CIRCLE;
    [[unroll]] for (uint k = 0u; k < CHUNK; k++)
      pixels[k] = known(k_over_float_full(pixels[k], ramp_color(p, k_gradient(p, centre_x(k), centre_y(k)).t)));
    return;
  }
  [[dont_unroll]] for (uint k = 0u; k < CHUNK; k++) {
    k_parameter g = k_gradient(p, centre_x(k), centre_y(k));
    k_pixel d = pixels[0];
    if (g.drawn) d = k_over_float(d, ramp_color(p, g.t), byte_at(c, k));
    turn_pixels(d);
  }
}

// --- Layers ---

uint spilled_at(uint level, uint k) { return spill_base + level * G_TILE_PIXELS + k * GROUP + lane; }

void push_layer(uint info) {
  uint packed[CHUNK];
  [[unroll]] for (uint k = 0u; k < CHUNK; k++) {
    packed[k] = k_pixel_pack(pixels[k]);
    pixels[k] = k_pixel_unpack(0u);
  }
  if ((info & G_ON_EMPTY) != 0u) {
    // The layer below is empty: nothing to keep.
  } else if (depth == 0u) below0 = packed;
  else if (depth == 1u) below1 = packed;
  else if (depth == 2u) below2 = packed;
  else
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) spill[spilled_at(depth, k)] = packed[k];
  depth++;
}

void pop_layer(uint info, Cover c) {
  depth--;
  uint below[CHUNK];
  if ((info & G_ON_EMPTY) != 0u)
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) below[k] = 0u;
  else if (depth == 0u) below = below0;
  else if (depth == 1u) below = below1;
  else if (depth == 2u) below = below2;
  else
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) below[k] = spill[spilled_at(depth, k)];
  uint opacity = g_opacity_of(info), blend = g_blend_of(info);
  [[unroll]] for (uint k = 0u; k < CHUNK; k++) {
    uint m = k_div255(alpha_at(c, k) * opacity);
    k_pixel d = k_pixel_unpack(below[k]);
    if (!BLENDS || blend == K_BLEND_NORMAL)
      pixels[k] = k_over_float(d, pixels[k], k_byte(m, 0u));
    else
      pixels[k] = alpha_at(c, k) == 0u
                      ? d
                      : k_pixel_unpack(k_blend(blend, below[k], k_scale(k_pixel_pack(pixels[k]), m)));
  }
}

// Returns where the spill buffer has the number of a tile's open layers, from one batch to the next: after all spilled
// pixels.
uint depth_at(uint tile) { return P.tiles_x * tiles_y() * P.spill_levels * G_TILE_PIXELS + tile; }

// Loads the layers that the batch before left open.
void resume_layers(uint tile) {
  depth = spill[depth_at(tile)];
  if (depth > 0u)
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) below0[k] = spill[spilled_at(0u, k)];
  if (depth > 1u)
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) below1[k] = spill[spilled_at(1u, k)];
  if (depth > 2u)
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) below2[k] = spill[spilled_at(2u, k)];
}

// Stores the layers that are still open at the end of the batch, for the next one.
void suspend_layers(uint tile) {
  if (depth > 0u)
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) spill[spilled_at(0u, k)] = below0[k];
  if (depth > 1u)
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) spill[spilled_at(1u, k)] = below1[k];
  if (depth > 2u)
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) spill[spilled_at(2u, k)] = below2[k];
  if (lane == 0u) spill[depth_at(tile)] = depth;
}

// --- The list ---

// Commands are painted BATCH at a time. First each lane prepares one command: it puts what all lanes need of it into
// shared memory. Then each lane paints its own pixels, BLOCK commands at a time: while it paints a block it loads the
// coverage for the next, so that the loads of a block are waited for together, and seldom.
const uint BLOCK = 4u;  // 4, 8 or 16
// The less shared memory a workgroup takes, the more of them run at a time, so BATCH is small. (100 tigers: 115 us with
// 64 commands, 98 with 32.)
const uint BATCH = min(GROUP, 32u);
const bool ONLY_COLORS = !LAYERS && !GRADIENTS && !IMAGES;

shared uvec4 places[BATCH / 4u];  // a word a command: where its coverage begins, and the flags below
// The coverage of a command whose tile is not touched: a byte for each pixel row, which holds in the columns whose bits
// are set.
shared uvec4 row_bytes[BATCH];
shared uint columns[BATCH];
shared uvec4 brushes[BATCH];               // a colour as a k_pixel; for all else info, index of the paint, draw, zero
shared uint covers[BLOCK * ROWS * GROUP];  // the coverage of a block; each lane has that of its own pixels

const uint PLACE = 0x3fffffc0u;      // the bits of a place, a multiple of 64 words
const uint UNTOUCHED = 0x80000000u;  // row_bytes has its coverage; what is at place 0 is loaded too, to save a branch
const uint NOT_A_COLOR = 0x40000000u;

// Returns a word with bits from..to - 1 set; both are clamped to 0..16.
uint span(int from, int to) { return (1u << clamp(to, 0, G_TILE)) - (1u << clamp(from, 0, G_TILE)); }

// Returns a byte of ones for each of the lowest four bits.
uint bytes_of(uint bits) { return ((bits & 15u) * 0x204081u & 0x01010101u) * 255u; }

// Puts what all lanes need of this lane's command into shared memory.
void prepare(g_command c) {
  bool is_color = ONLY_COLORS || (c.info & (G_OP | G_KIND)) == G_PAINT;
  k_pixel s = k_pixel_unpack(c.color);
  brushes[lane] = is_color ? floatBitsToUint(vec4(s.r, s.g, s.b, s.a)) : uvec4(c.info, c.color, c.draw, 0u);
  uint cover = c.info & G_COVER, place = c.place * 64u;
  if (cover != G_TOUCHED) {
    uvec4 b = uvec4(cover == G_FULL ? 0xffffffffu : 0u);
    uint inside = 0xffffu;
    if (cover == G_EXIT)
      [[unroll]] for (uint w = 0u; w < 4u; w++) b[w] = tiles[c.place * G_TILE_QUADS * 4u + G_TILE_EXITS + w];
    if ((c.info & G_BOX) != 0u) {
      uint box0 = records[c.draw * G_RECORD_QUADS].y, box1 = records[c.draw * G_RECORD_QUADS].z;
      int x = tile_x * G_TILE, y = tile_y * G_TILE;
      uint rows = span(g_y(box0) - y, g_y(box1) - y);
      inside = span(g_x(box0) - x, g_x(box1) - x);
      [[unroll]] for (uint w = 0u; w < 4u; w++) b[w] &= bytes_of(rows >> (4u * w));
    }
    row_bytes[lane] = b;
    columns[lane] = inside;
    place = UNTOUCHED;
  }
  places[lane / 4u][lane % 4u] = place | (is_color ? 0u : NOT_A_COLOR);
}

// Of the block that is being loaded:
uint ahead[BLOCK * ROWS];  // the coverage, which nobody waits for yet
uint untouched;            // bit k: the tile is not touched by command k
uint seen;                 // all commands' places combined by or, to see whether any is NOT_A_COLOR

void load_covers(uint first) {
  untouched = seen = 0u;
  [[unroll]] for (uint k = 0u; k < BLOCK; k += 4u) {
    uvec4 four = places[(first + k) / 4u];
    seen |= four.x | four.y | four.z | four.w;
    [[unroll]] for (uint i = 0u; i < 4u; i++) {
      if (four[i] >= UNTOUCHED) untouched |= 1u << (k + i);
      [[unroll]] for (uint w = 0u; w < ROWS; w++)
        ahead[(k + i) * ROWS + w] = coverage[((four[i] & PLACE) | own_word) + w * ROW_STEP * 4u];
    }
  }
}

uint cover_at(uint k, uint w) { return (k * ROWS + w) * GROUP + lane; }

// Puts the coverage of commands first..first + count - 1 where paint_block finds it. Returns which of them the lane has
// to paint, a bit each.
uint put_covers(uint first, uint count) {
  uint painted = 0u, present = (1u << count) - 1u;
  [[unroll]] for (uint k = 0u; k < BLOCK; k++) {
    uint any = 0u;
    [[unroll]] for (uint w = 0u; w < ROWS; w++) {
      uint word = ahead[k * ROWS + w];
      if (RUN < 4) word = word >> own_shift & USED;
      covers[cover_at(k, w)] = word;
      any |= word;
    }
    if (any != 0u) painted |= 1u << k;
  }
  painted &= ~untouched;
  [[dont_unroll]] for (uint rest = untouched & present; rest != 0u; rest &= rest - 1u) {
    uint k = uint(findLSB(rest)), i = first + k, any = 0u;
    uint inside = bytes_of(columns[i] >> (lane % LANES * RUN)) & USED;
    [[unroll]] for (uint w = 0u; w < ROWS; w++) {
      uint y = lane / LANES + w * ROW_STEP;
      uint word = (row_bytes[i][y >> 2] >> (8u * (y & 3u)) & 255u) * 0x01010101u & inside;
      covers[cover_at(k, w)] = word;
      any |= word;
    }
    if (any != 0u) painted |= 1u << k;
  }
  // A lane skips commands that do not cover its pixels, so neighbouring lanes may paint different commands at a time.
  // For 50,000 polygons, 32 lanes that run together take 0.51 turns a command that way, and would take 0.73 if each
  // went through all commands that any of them has to paint. But where a command of the block is not a colour, its code
  // is so long that lanes had better run it at the same time: then all go through all commands.
  return !ONLY_COLORS && (seen & NOT_A_COLOR) != 0u ? present : painted;
}

void paint_other(uint info, uint paint, uint draw, Cover cover) {
  if (LAYERS && (info & G_OP) != G_PAINT) {
    if ((info & G_OP) == G_PUSH) push_layer(info);
    else pop_layer(info, cover);
    return;
  }
  if (is_bare(cover)) return;
  if (SHEET) set_centre(g_origin_of(g_record_at(draw)));
  uint kind = g_kind_of(info);
  bool full = (info & (G_COVER | G_BOX)) == G_FULL;
  if (IMAGES && (!GRADIENTS || kind == K_PAINT_IMAGE)) paint_image(paint_at(paint), cover);
  else if (GRADIENTS) paint_gradient(paint_at(paint), cover, full);
}

void paint_block(uint first, uint painted) {
  [[dont_unroll]] for (; painted != 0u; painted &= painted - 1u) {
    uint k = uint(findLSB(painted));
    Cover cover;
    [[unroll]] for (uint w = 0u; w < ROWS; w++) cover.words[w] = covers[cover_at(k, w)];
    uvec4 brush = brushes[first + k];
    vec4 color = uintBitsToFloat(brush);
    if (ONLY_COLORS) paint_color(k_pixel(color.r, color.g, color.b, color.a), cover);
    else if (brush.w == 0u) paint_other(brush.x, brush.y, brush.z, cover);
    else if (!is_bare(cover)) paint_color(k_pixel(color.r, color.g, color.b, color.a), cover);
  }
}

void paint_list(g_list list) {
  if (list.count == 0u) return;
  uint last = list.first + list.count - 1u;
  g_command command = g_command_at(min(list.first + lane, last)), begin = g_command_at(list.first);
  // Lists often begin with an opaque colour that fills the tile, and often have nothing else. It needs no compositing.
  if ((begin.info & (G_COVER | G_BOX | G_OP | G_KIND)) == G_FULL && k_alpha(begin.color) == 255u) {
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) pixels[k] = known(k_pixel_unpack(begin.color));
    if (list.count == 1u) return;
    if (lane == 0u) command.info ^= G_FULL ^ G_NONE;
  }
  for (uint done = 0u; done < list.count; done += BATCH) {
    uint count = min(list.count - done, BATCH);
    if (done != 0u) {
      command = g_command_at(min(list.first + done + lane, last));
      barrier();  // shared memory is written again once all lanes have painted the batch before
    }
    if (lane < count) prepare(command);
    else if (lane < BATCH) places[lane / 4u][lane % 4u] = UNTOUCHED;
    barrier();
    load_covers(0u);
    for (uint first = 0u; first < count; first += BLOCK) {
      uint painted = put_covers(first, min(count - first, BLOCK));
      if (first + BLOCK < count) load_covers(first + BLOCK);
      paint_block(first, painted);
    }
  }
}

g_run run_of(uint w) {
#if RUN == 4
  return uvec4(k_pixel_pack(pixels[w * 4u]), k_pixel_pack(pixels[w * 4u + 1u]), k_pixel_pack(pixels[w * 4u + 2u]),
               k_pixel_pack(pixels[w * 4u + 3u]));
#elif RUN == 2
  return uvec2(k_pixel_pack(pixels[0]), k_pixel_pack(pixels[1]));
#else
  return k_pixel_pack(pixels[0]);
#endif
}

uint channel_of(g_run run, uint i) {
#if RUN == 1
  return run;
#else
  return run[i];
#endif
}

// Clears the extras of the sums, which have to be zero when the next frame begins. Every workgroup clears a part of
// them.
void clean(uint tile) {
  uint step = P.tiles_x * tiles_y() * GROUP;
  if (!has_room(needed)) return;  // then cover has added nothing
  uint extras = extras_of(0u) / 4u;
  for (uint i = tile * GROUP + lane; i < needed.tiles * (G_TILE / 4); i += step) sums[extras + i] = ivec4(0);
}

#ifdef COUNTED
void count(bool begins) {
  uint at = (tiles_y() - 1u) * G_TILE * P.stride;
  barrier();
  if (lane != 0u) return;
  uint before = atomicAdd(counters[at], begins ? 1u : 0xffffffffu);
  if (!begins) return;
  atomicMax(counters[at + 1u], before + 1u);
  atomicAdd(counters[at + 2u], 1u);
}
#endif

void main() {
  uint number = uniform_of(group_number());
  uint tile = P.first_tile + number;
  if (tile >= P.tiles_x * tiles_y()) return;
  lane = gl_LocalInvocationID.x;
  g_list list = lists[tile];
  clean(tile);
  if (!g_fits(needed, P.capacity)) return;
#ifdef COUNTED
  count(true);
#endif
  tile_x = int(tile % P.tiles_x);
  tile_y = int(tile / P.tiles_x);
  pixel_x = tile_x * G_TILE + int(lane % LANES * RUN);
  pixel_y = tile_y * G_TILE + int(lane / LANES);
  set_centre(ivec2(P.region_x, P.region_y));
  own_word = lane / LANES * 4u + lane % LANES * RUN / 4u;
  own_shift = lane % LANES * RUN % 4u * 8u;
  // Layers that are in registers have room in the spill buffer only where batches begin or end inside layers.
  spill_base = number * P.spill_levels * G_TILE_PIXELS;
  if ((P.flags & (G_RESUME | G_SUSPEND)) == 0u) spill_base -= G_REGISTER_LEVELS * G_TILE_PIXELS;
  uint at = (uint(pixel_y) * P.stride + uint(pixel_x)) / RUN, step = ROW_STEP * P.stride / RUN;
  if ((P.flags & G_KEEP) != 0u) {
    [[unroll]] for (uint w = 0u; w < ROWS; w++) {
      g_run run = target[at + w * step];
      [[unroll]] for (uint k = 0u; k < RUN; k++) pixels[w * RUN + k] = k_pixel_unpack(channel_of(run, k));
    }
  } else {
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) pixels[k] = known(k_pixel_unpack(P.background));
  }
  if (LAYERS && (P.flags & G_RESUME) != 0u) resume_layers(tile);
  paint_list(list);
  if (LAYERS && (P.flags & G_SUSPEND) != 0u) suspend_layers(tile);
#ifdef COUNTED
  count(false);
  if (uint(tile_y) + 1u == tiles_y()) return;
#endif
  if (CLIPPED && uint(pixel_x) >= P.width) return;
  [[unroll]] for (uint w = 0u; w < ROWS; w++) {
    if (CLIPPED && uint(pixel_y) + w * ROW_STEP >= P.height) return;
    target[at + w * step] = run_of(w);
  }
}
