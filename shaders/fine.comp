#version 460
// One workgroup a tile: finds the draws that reach it, in painting order, leaves out what an opaque one hides, and
// paints the rest on pixels in registers. Every lane has CHUNK pixels of a row.
#include "common.glsl"
#include "kernel/composite.h"
#include "kernel/paint.h"

// CHUNK: pixels of a lane; 1, 2, 4, 8 or 16, given to the compiler.
layout(local_size_x = G_TILE_PIXELS / CHUNK) in;
// What the scene uses; the rest is not in the pipeline.
layout(constant_id = 0) const bool LAYERS = true;
layout(constant_id = 1) const bool GRADIENTS = true;
layout(constant_id = 2) const bool IMAGES = true;
layout(constant_id = 3) const bool BLENDS = true;

layout(set = 0, binding = G_PAINTS, scalar) readonly restrict buffer Paints { k_paint paints[]; };
layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { g_record records[]; };
layout(set = 0, binding = G_TEXELS, scalar) readonly restrict buffer Texels { uint texels[]; };
layout(set = 0, binding = G_CONTROL, scalar) readonly restrict buffer Control { g_control control; };
layout(set = 0, binding = G_WORDS, scalar) readonly restrict buffer Words { g_word words[]; };
layout(set = 0, binding = G_BINS, scalar) readonly restrict buffer Bins { uint bins[]; };
layout(set = 0, binding = G_TILES, scalar) readonly restrict buffer Tiles { g_tile tiles[]; };
layout(set = 0, binding = G_COVERAGE, scalar) readonly restrict buffer Coverage { uint coverage[]; };
layout(set = 0, binding = G_TARGET, scalar) restrict buffer Target { uint target[]; };
layout(set = 0, binding = G_SPILL, scalar) restrict buffer Spill { uint spill[]; };

const uint GROUP = G_TILE_PIXELS / CHUNK;
const uint COVER_WORDS = CHUNK > 4 ? CHUNK / 4 : 1;
const uint LIST = 256;  // commands at a time, at least the largest group

// Commands: the record's info without its low bits, which are
#define C_COVER 3u  // where the coverage comes from
#define C_NONE 0u
#define C_FULL 1u
#define C_TILE 2u
#define C_EXIT 3u
#define C_BOX 4u    // and through the record's box
#define C_OP 24u
#define C_PAINT 0u
#define C_PUSH 8u
#define C_POP 16u
#define C_SKIP 24u
shared uint list_info[LIST];
shared uint list_color[LIST];
shared uint list_place[LIST];  // the touched tile
shared uint list_draw[LIST];
shared uint list_first;  // one more than the last command that hides all before it, or 0
shared uint layer_stack[256];
shared uint list_layers;  // whether there are layers in it
shared uint ends[256];
shared uint kept[8];

int tile_x, tile_y;
uint lane;
int pixel_x, pixel_y;  // of the lane's first pixel
uint pixels[CHUNK];
// Layers below the one that is open: three in registers, the others spilled.
uint depth = 0u;
uint below0[CHUNK], below1[CHUNK], below2[CHUNK];
uint spill_base;

// --- Which draws ---

struct Command {
  uint info, place;
  bool kept, hides;
};

Command command_for(uint draw) {
  Command c;
  c.kept = false;
  c.hides = false;
  g_record r = records[draw];
  if (tile_x < low16(r.tile0) || tile_x >= low16(r.tile1) || tile_y < high16(r.tile0) || tile_y >= high16(r.tile1))
    return c;
  uint op = r.info & 7u, cover = C_FULL;
  c.info = r.info & ~31u;
  c.place = 0u;
  if (LAYERS && op == K_DRAW_PUSH) {
    c.info = C_PUSH;
    c.kept = true;
    return c;
  }
  if ((r.info & G_PATH) != 0u && r.words == 0u) {
    cover = C_NONE;
  } else if ((r.info & G_PATH) != 0u) {
    uint b = uint(tile_x - low16(r.tile0));
    uint first = r.word + uint(tile_y - high16(r.tile0)) * r.words;
    g_word w = words[first + (b >> 5)];
    uint rank = w.rank + uint(bitCount(w.touched & ((1u << (b & 31u)) - 1u)));
    bool touched = (w.touched >> (b & 31u) & 1u) != 0u;
    uint state = G_EMPTY;
    if (touched) {
      c.place = rank;
      state = tiles[rank].state & 3u;
      cover = C_TILE;
    } else if (rank > ((b >> 5) == 0u ? w.rank : words[first].rank)) {
      c.place = rank - 1u;
      state = tiles[rank - 1u].state >> 2;
      cover = C_EXIT;
    }
    if (state == G_EMPTY) cover = C_NONE;
    if (state == G_SOLID) cover = C_FULL;
  }
  int x = tile_x * G_TILE, y = tile_y * G_TILE;
  bool whole = x >= low16(r.box0) && y >= high16(r.box0) && min(x + G_TILE, int(P.width)) <= low16(r.box1) &&
               min(y + G_TILE, int(P.height)) <= high16(r.box1);
  c.info |= cover | (whole || cover == C_NONE ? 0u : C_BOX);
  if (op == K_DRAW_POP) {
    c.info |= C_POP;
    c.kept = true;
  } else {
    c.kept = cover != C_NONE;
    c.hides = whole && cover == C_FULL && (r.info & G_OPAQUE) != 0u;
  }
  return c;
}

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

// --- Coverage ---

struct Cover {
  uint words[COVER_WORDS];
};

Cover cover_of(uint i) {
  Cover c;
  uint info = list_info[i], cover = info & C_COVER, place = list_place[i];
  [[unroll]] for (uint w = 0u; w < COVER_WORDS; w++) c.words[w] = cover == C_FULL ? 0xffffffffu : 0u;
  if (cover == C_TILE) {
    uint at = place * 64u + (lane * CHUNK >> 2);
    [[unroll]] for (uint w = 0u; w < COVER_WORDS; w++) c.words[w] = coverage[at + w];
    if (CHUNK < 4u) c.words[0] >>= 8u * (lane * CHUNK & 3u);
  } else if (cover == C_EXIT) {
    uint y = lane * CHUNK >> 4;
    uint alpha = (tiles[place].exits[y >> 2] >> (8u * (y & 3u)) & 255u) * 0x01010101u;
    [[unroll]] for (uint w = 0u; w < COVER_WORDS; w++) c.words[w] = alpha;
  }
  if ((info & C_BOX) != 0u) {
    g_record r = records[list_draw[i]];
    bool row = pixel_y >= high16(r.box0) && pixel_y < high16(r.box1);
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) {
      int x = pixel_x + int(k);
      if (!row || x < low16(r.box0) || x >= low16(r.box1)) c.words[k >> 2] &= ~(255u << (8u * (k & 3u)));
    }
  }
  return c;
}

uint alpha_at(Cover c, uint k) { return c.words[k >> 2] >> (8u * (k & 3u)) & 255u; }

// --- Colours ---

uint image_pixel(k_paint p, int x, int y) {
  x = k_wrap(x, p.width, p.spread_x);
  y = k_wrap(y, p.height, p.spread_y);
  if (x < 0 || y < 0) return 0u;
  return texels[p.source + uint(y) * uint(p.width) + uint(x)];
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
  u = k_image_clamp(u);
  v = k_image_clamp(v);
  if (p.sampling == K_SAMPLING_NEAREST) return image_pixel(p, k_floor(u), k_floor(v));
  int fx = k_fixed(u) - 128, fy = k_fixed(v) - 128;
  int x = fx >> 8, y = fy >> 8;
  fx &= 255;
  fy &= 255;
  if (p.sampling == K_SAMPLING_BICUBIC) return image_bicubic(p, x, y, fx, fy);
  return k_bilinear(image_pixel(p, x, y), image_pixel(p, x + 1, y), image_pixel(p, x, y + 1), image_pixel(p, x + 1, y + 1),
                    uint(fx), uint(fy));
}

void paint_image(k_paint p, Cover c) {
  for (uint k = 0u; k < CHUNK; k++) {
    uint alpha = alpha_at(c, k);
    if (alpha == 0u) continue;
    float x = float(P.region_x + pixel_x + int(k)) + 0.5f, y = float(P.region_y + pixel_y) + 0.5f;
    uint s = image_sample(p, k_paint_u(p.m, x, y), k_paint_v(p.m, x, y));
    pixels[k] = k_over(pixels[k], s, k_div255(alpha * p.color));
  }
}

// Source over destination where the source covers the pixel: k_over for m = 255, whose first term is then exact.
uint over_full(uint d, uint s) {
  uint keep = 255u - k_alpha(s);
  uint even = (s & 0x00ff00ffu) + k_div255_pair((d & 0x00ff00ffu) * keep);
  uint odd = ((s >> 8) & 0x00ff00ffu) + k_div255_pair(((d >> 8) & 0x00ff00ffu) * keep);
  return even | odd << 8;
}

void paint_gradient(k_paint p, Cover c, bool full) {
  if (!full && c.words[0] == 0u && (CHUNK <= 4u || c.words[COVER_WORDS / 2u] == 0u) && CHUNK <= 8u) return;
  float y = float(P.region_y + pixel_y) + 0.5f;
  if (p.kind == K_PAINT_LINEAR) {
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) {
      float t = k_paint_u(p.m, float(P.region_x + pixel_x + int(k)) + 0.5f, y);
      uint s = texels[p.source + uint(k_ramp_index(t, p.spread_x))];
      pixels[k] = full ? over_full(pixels[k], s) : k_over(pixels[k], s, alpha_at(c, k));
    }
    return;
  }
  [[unroll]] for (uint k = 0u; k < CHUNK; k++) {
    k_parameter g = k_gradient(p, float(P.region_x + pixel_x + int(k)) + 0.5f, y);
    uint s = g.drawn ? texels[p.source + uint(k_ramp_index(g.t, p.spread_x))] : 0u;
    pixels[k] = full ? over_full(pixels[k], s) : k_over(pixels[k], s, alpha_at(c, k));
  }
}

// --- Layers ---

void push_layer() {
  if (depth == 0u) below0 = pixels;
  else if (depth == 1u) below1 = pixels;
  else if (depth == 2u) below2 = pixels;
  else {
    uint at = spill_base + (depth - 3u) * G_TILE_PIXELS;
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) spill[at + k] = pixels[k];
  }
  [[unroll]] for (uint k = 0u; k < CHUNK; k++) pixels[k] = 0u;
  depth++;
}

void pop_layer(uint info, Cover c) {
  depth--;
  uint below[CHUNK];
  if (depth == 0u) below = below0;
  else if (depth == 1u) below = below1;
  else if (depth == 2u) below = below2;
  else {
    uint at = spill_base + (depth - 3u) * G_TILE_PIXELS;
    [[unroll]] for (uint k = 0u; k < CHUNK; k++) below[k] = spill[at + k];
  }
  uint opacity = info >> 8 & 255u, blend = info >> 16 & 31u;
  [[unroll]] for (uint k = 0u; k < CHUNK; k++) {
    uint m = k_div255(alpha_at(c, k) * opacity);
    uint d = below[k];
    if (!BLENDS || blend == K_BLEND_NORMAL) d = k_over(d, pixels[k], m);
    pixels[k] = d;
  }
}

void pop_blended(uint info, Cover c) {
  uint source[CHUNK] = pixels;
  uint opacity = info >> 8 & 255u, blend = info >> 16 & 31u;
  pop_layer(info, c);
  if (blend == K_BLEND_NORMAL) return;
  for (uint k = 0u; k < CHUNK; k++) {
    uint alpha = alpha_at(c, k);
    if (alpha != 0u) pixels[k] = k_blend(blend, pixels[k], k_scale(source[k], k_div255(alpha * opacity)));
  }
}

// --- The list ---

void paint_command(uint i, Cover c) {
  uint info = list_info[i];
  if (LAYERS && (info & C_OP) == C_PUSH) {
    push_layer();
  } else if (LAYERS && (info & C_OP) == C_POP) {
    if (BLENDS) pop_blended(info, c);
    else pop_layer(info, c);
  } else {
    uint kind = info >> 21 & 7u, color = list_color[i];
    bool full = (info & (C_COVER | C_BOX)) == C_FULL;
    if (!(GRADIENTS || IMAGES) || kind == 0u) {
      if (full && color >> 24 == 255u) {
        [[unroll]] for (uint k = 0u; k < CHUNK; k++) pixels[k] = color;
        return;
      }
      [[unroll]] for (uint k = 0u; k < CHUNK; k++) pixels[k] = k_over(pixels[k], color, alpha_at(c, k));
    } else if (IMAGES && (!GRADIENTS || kind == K_PAINT_IMAGE)) {
      paint_image(paints[color], c);
    } else {
      paint_gradient(paints[color], c, full);
    }
  }
}

// One lane: leaves out layers that change nothing, so that deep clips cost what they clip.
// - A layer of which nothing remains, or in which nothing is drawn.
// - A layer painted fully, plainly and whole on a layer that is still empty is that layer.
// `layer_stack` holds the open layers; the top bit says that the layer below was empty.
void leave_out_layers(uint first, uint count) {
  uint open = 0u;
  bool is_empty = false;
  for (uint i = first; i < count; i++) {
    uint info = list_info[i], op = info & C_OP;
    if (op == C_PUSH) {
      if (open < 256u) layer_stack[open] = i | (is_empty ? 0x80000000u : 0u);
      open++;
      is_empty = true;
    } else if (op == C_POP && open > 0u) {
      open--;
      if (open >= 256u) {
        is_empty = false;
        continue;
      }
      uint push = layer_stack[open] & 0x7fffffffu;
      bool below_empty = layer_stack[open] >> 31 != 0u, plain = (info >> 16 & 31u) == K_BLEND_NORMAL;
      bool whole = (info & (C_COVER | C_BOX)) == C_FULL && (info >> 8 & 255u) == 255u;
      bool nothing = is_empty || (info & C_COVER) == C_NONE || (info >> 8 & 255u) == 0u;
      if (plain && nothing) {
        for (uint k = push; k <= i; k++) list_info[k] = C_SKIP;
        is_empty = below_empty;
      } else {
        if (plain && whole && below_empty) list_info[push] = list_info[i] = C_SKIP;
        is_empty = false;
      }
    } else if (op != C_SKIP) {
      is_empty = false;
    }
  }
}

// All lanes; the list's entries are there for all of them.
void paint_list(uint count) {
  uint first = list_first == 0u ? 0u : list_first - 1u;
  if (first >= count) return;
  if (LAYERS) {
    if (list_layers != 0u && lane == 0u) leave_out_layers(first, count);
    barrier();
  }
  Cover ahead = cover_of(first);  // loaded one command early
  for (uint i = first; i < count; i++) {
    Cover c = ahead;
    if (i + 1u < count) ahead = cover_of(i + 1u);
    if (!LAYERS || (list_info[i] & C_OP) != C_SKIP) paint_command(i, c);
  }
}

void main() {
  if (control.tiles > P.tile_capacity) return;
  uint number = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  uint tile = P.first_tile + number;
  if (tile >= P.tiles_x * P.tiles_y) return;
  lane = gl_LocalInvocationID.x;
  tile_x = int(tile % P.tiles_x);
  tile_y = int(tile / P.tiles_x);
  pixel_x = tile_x * G_TILE + int(lane * CHUNK & 15u);
  pixel_y = tile_y * G_TILE + int(lane * CHUNK >> 4);
  spill_base = number * P.spill_levels * G_TILE_PIXELS + lane * CHUNK;
  uint at = uint(pixel_y) * P.width + uint(pixel_x);
  [[unroll]] for (uint k = 0u; k < CHUNK; k++) pixels[k] = P.background;
  if (P.keep != 0u && pixel_y < int(P.height))
    for (uint k = 0u; k < CHUNK; k++)
      if (pixel_x + int(k) < int(P.width)) pixels[k] = target[at + k];

  uint bin = ((uint(tile_y) >> P.bin_shift) * P.bins_x + (uint(tile_x) >> P.bin_shift)) * P.bin_words;
  uint count = 0u;
  if (lane == 0u) list_first = list_layers = 0u;
  if (lane < 8u) kept[lane] = 0u;
  barrier();
  // Every lane looks at some words of the bin's set; at all of them where they are few.
  bool few = P.bin_words <= 16u;
  uint each = min((P.bin_words + GROUP - 1u) / GROUP, 16u);
  for (uint first_word = 0u; first_word < P.bin_words; first_word += GROUP * each) {
    uint mine = first_word + lane * each, set_bits = 0u;
    uint total = 0u;
    if (few) {
      for (uint w = 0u; w < P.bin_words; w++) total += uint(bitCount(bins[bin + w]));
    } else {
    for (uint w = mine; w < min(mine + each, P.bin_words); w++) set_bits += uint(bitCount(bins[bin + w]));
    ends[lane] = set_bits;
    barrier();
    [[unroll]] for (uint step = 1u; step < GROUP; step *= 2u) {
      uint other = lane >= step ? ends[lane - step] : 0u;
      barrier();
      ends[lane] += other;
      barrier();
    }
    total = ends[GROUP - 1u];
    }
    for (uint base = 0u; base < total; base += GROUP) {
      uint i = base + lane, draw = 0u;
      Command c;
      c.kept = false;
      c.hides = false;
      if (i < total) {
        uint slot = 0u;
        if (!few)
          [[unroll]] for (uint step = GROUP / 2u; step > 0u; step >>= 1)
            if (ends[slot + step - 1u] <= i) slot += step;
        uint rest = i - (slot > 0u ? ends[slot - 1u] : 0u), word = first_word + slot * each;
        uint set = bins[bin + word];
        while (rest >= uint(bitCount(set))) {
          rest -= uint(bitCount(set));
          set = bins[bin + ++word];
        }
        draw = word * 32u + nth_bit(set, rest);
        c = command_for(draw);
        if (c.kept) atomicOr(kept[lane >> 5], 1u << (lane & 31u));
      }
      barrier();
      uint position = count, added = 0u;
      for (uint w = 0u; w < (GROUP + 31u) / 32u; w++) {
        uint set = kept[w];
        uint mine = w < lane >> 5 ? 0xffffffffu : w == lane >> 5 ? (1u << (lane & 31u)) - 1u : 0u;
        position += uint(bitCount(set & mine));
        added += uint(bitCount(set));
      }
      if (count + added > LIST) {
        paint_list(count);
        position -= count;
        count = 0u;
      }
      barrier();
      if (lane < 8u) kept[lane] = 0u;
      if (count == 0u && lane == 0u) list_first = list_layers = 0u;
      barrier();
      if (c.kept) {
        list_info[position] = c.info;
        list_color[position] = records[draw].color;
        list_place[position] = c.place;
        list_draw[position] = draw;
        if (c.hides) atomicMax(list_first, position + 1u);
        if (LAYERS && (c.info & C_OP) == C_PUSH) atomicOr(list_layers, 1u);
      }
      count += added;
      barrier();
    }
    barrier();
  }
  barrier();
  paint_list(count);
  if (pixel_y >= int(P.height)) return;
  [[unroll]] for (uint k = 0u; k < CHUNK; k++)
    if (pixel_x + int(k) < int(P.width)) target[at + k] = pixels[k];
}
