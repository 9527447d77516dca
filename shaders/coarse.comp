#version 460
// A workgroup a bin of 8 x 4 tiles, a lane a tile and a share of the bin's draws: writes for each tile the list of what
// fine has to paint, in painting order. What an opaque draw hides is left out, and layers that change nothing.
#include "common.glsl"
#include "kernel/composite.h"

// GROUP: lanes, given to the compiler: many where there are few bins, to look at more draws at a time.
layout(local_size_x = GROUP) in;
layout(constant_id = 0) const bool LAYERS = true;

layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { uvec4 records[]; };
layout(set = 0, binding = G_CONTROL, scalar) restrict buffer Control {
  g_control control;
  g_list lists[];
};
layout(set = 0, binding = G_WORDS, scalar) readonly restrict buffer Words { uvec4 words[]; };
layout(set = 0, binding = G_BINS, scalar) restrict buffer Bins { uint bins[]; };
layout(set = 0, binding = G_COMMANDS, scalar) coherent restrict buffer Commands { uvec4 commands[]; };

const uint SHARES = GROUP / G_BIN_TILES;
const uint RUN = 8;    // words of the bin's set that a lane takes at a time, at most
const uint AHEAD = 4;  // draws whose words are loaded together

shared uvec4 numbers[GROUP / 4 + GROUP / 64];  // of the lanes, then of 16 lanes each
shared uint block_draw[GROUP];  // the draws that are looked at together
shared uvec4 block0[GROUP];  // of their records: info, box, first tile
shared uvec4 block1[GROUP];  // end of tiles, colour, words, first word
shared uint counts[GROUP];     // per share and tile
shared uint hides[GROUP];      // one more than the draw that hides all before it, or 0
// Per tile.
shared uint list_first[G_BIN_TILES], list_count[G_BIN_TILES], list_from[G_BIN_TILES];
shared uint list_base;
const uint DEEPEST = LAYERS ? 64u : 1u;  // layers deeper than this stay
shared uint open_layers[G_BIN_TILES * DEEPEST];

uint lane, tile, share;
int tile_x, tile_y;
uint run[RUN];  // the lane's words, side by side: its draws are then side by side too
uint run_word;  // the first of them
uint run_start;  // draws of the runs before it
uint runs_words;  // of all lanes

// Gathers the set bits number `from`.. of all runs.
void gather(uint from) {
  uint position = run_start - from;
  [[unroll]] for (uint k = 0u; k < RUN; k++)
    for (uint word = run[k]; word != 0u; word &= word - 1u) {
      if (position < GROUP) block_draw[position] = (run_word + k) * 32u + uint(findLSB(word));
      position++;
    }
}

bool reaches(uint i) {
  uint first = block0[i].w, end = block1[i].x;
  return tile_x >= low16(first) && tile_x < low16(end) && tile_y >= high16(first) && tile_y < high16(end);
}

uvec4 word_of(uint i) {
  uvec4 begin = block0[i], end = block1[i];
  if (!reaches(i) || end.z == 0u) return uvec4(0u);
  uint b = uint(tile_x - low16(begin.w));
  return words[end.w + uint(tile_y - high16(begin.w)) * end.z + (b >> 5)];
}

struct Found {
  g_command command;
  bool kept, hides;
};

Found look_at(uint i, uvec4 word) {
  Found f;
  f.kept = f.hides = false;
  uvec4 begin = block0[i], end = block1[i];
  f.command = g_command(0u, end.y, 0u, block_draw[i]);
  if (!reaches(i)) return f;
  uint info = begin.x, op = info & 7u, cover = G_FULL;
  if ((info & G_PATH) != 0u) {
    uint b = uint(tile_x - low16(begin.w)) & 31u;
    cover = (word.z >> b & 1u) | (word.w >> b & 1u) << 1;  // its kinds
    uint before = uint(bitCount(word.x & ((1u << b) - 1u)));
    f.command.place = word.y + before - (cover == G_EXIT ? 1u : 0u);
  }
  int x = tile_x * G_TILE, y = tile_y * G_TILE;
  bool whole = x >= low16(begin.y) && y >= high16(begin.y) && min(x + G_TILE, int(P.width)) <= low16(begin.z) &&
               min(y + G_TILE, int(P.height)) <= high16(begin.z);
  f.command.info = (info & ~31u) | cover | (whole || cover == G_NONE ? 0u : G_BOX);
  if (op == K_DRAW_PUSH || op == K_DRAW_POP) {
    f.command.info |= op == K_DRAW_PUSH ? G_PUSH : G_POP;
    f.kept = LAYERS;
  } else {
    f.kept = cover != G_NONE;
    f.hides = whole && cover == G_FULL && (info & G_OPAQUE) != 0u;
  }
  return f;
}

// The share's part of a block of `count` draws.
uvec2 part_of(uint count) {
  uint each = (count + SHARES - 1u) / SHARES;
  return min(uvec2(share * each, (share + 1u) * each), uvec2(count));
}

// Bit i - part.x: draw i is kept. Counts from the last that hides what is before it.
uint look(uvec2 part, out uint count, out uint hidden) {
  uint mask = 0u;
  count = hidden = 0u;
  for (uint first = part.x; first < part.y; first += AHEAD) {
    uvec4 ahead[AHEAD];
    [[unroll]] for (uint k = 0u; k < AHEAD; k++) ahead[k] = word_of(min(first + k, part.y - 1u));
    [[unroll]] for (uint k = 0u; k < AHEAD; k++) {
      uint i = first + k;
      Found f = look_at(min(i, part.y - 1u), ahead[k]);
      if (i >= part.y || !f.kept) continue;
      mask |= 1u << (i - part.x);
      count++;
      if (f.hides) {
        count = 1u;
        hidden = block_draw[i] + 1u;
      }
    }
  }
  return mask;
}

// The draws of the runs, GROUP at a time, are put into the block. Returns how many there are from `from` on.
uint load_block(uint from, uint total) {
  barrier();
  gather(from);
  barrier();
  uint count = min(total - from, GROUP);
  if (lane < count) {
    uint at = block_draw[lane];
    uvec4 begin = records[at * 3u];
    if (LAYERS && (begin.x & 7u) == K_DRAW_PUSH) {
      // As its end is, so that both tell what is painted.
      at = records[at * 3u + 1u].y;
      begin = records[at * 3u];
      begin.x = (begin.x & ~7u) | K_DRAW_PUSH;
    }
    block0[lane] = begin;
    block1[lane] = records[at * 3u + 1u];
  }
  barrier();
  return count;
}

// The sum of some numbers, four at a time, and of those before number `own`.
uvec2 add_up(uint first, uint quads, uint own) {
  uvec2 sum = uvec2(0u);
  [[unroll]] for (uint q = 0u; q < quads; q++) {
    uvec4 four = numbers[first + q];
    [[unroll]] for (uint k = 0u; k < 4u; k++) sum += uvec2(four[k], q * 4u + k < own ? four[k] : 0u);
  }
  return sum;
}

// The sum of all lanes' counts, and of those before this lane.
uvec2 scan(uint count) {
  barrier();
  numbers[lane >> 2][lane & 3u] = count;
  barrier();
  uvec2 near = add_up((lane >> 4) * 4u, 4u, lane & 15u);
  if ((lane & 15u) == 0u) numbers[GROUP / 4 + (lane >> 6)][lane >> 4 & 3u] = near.x;
  barrier();
  uvec2 all = add_up(GROUP / 4, GROUP / 64, lane >> 4);
  return uvec2(all.x, all.y + near.y);
}

// Words first_word.. of the set at `set`, a run of them a lane. Returns how many draws they have.
uint load_runs(uint set, uint first_word) {
  uint each = runs_words / GROUP, count = 0u;
  run_word = first_word + lane * each;
  [[unroll]] for (uint k = 0u; k < RUN; k++) {
    run[k] = k < each && run_word + k < P.bin_words ? bins[set + run_word + k] : 0u;
    count += uint(bitCount(run[k]));
  }
  uvec2 sum = scan(count);
  run_start = sum.y;
  return sum.x;
}

void write(uvec2 part, uint mask) {
  // What is hidden goes.
  for (uint set = mask; set != 0u; set &= set - 1u) {
    uint bit = uint(findLSB(set));
    if (block_draw[part.x + bit] < list_from[tile]) mask &= ~(1u << bit);
  }
  counts[lane] = uint(bitCount(mask));
  barrier();
  uint at = list_first[tile] + list_count[tile];
  for (uint s = 0u; s < share; s++) at += counts[s * G_BIN_TILES + tile];
  for (; mask != 0u; mask &= mask - 1u) {
    uint i = part.x + uint(findLSB(mask));
    g_command c = look_at(i, word_of(i)).command;
    commands[at++] = uvec4(c.info, c.color, c.place, c.draw);
  }
  barrier();
  if (share == SHARES - 1u) list_count[tile] = at - list_first[tile];
  barrier();
}

// One lane a tile: leaves out layers that change nothing, so that deep clips cost what they clip.
// - A layer of which nothing is painted, or in which nothing is.
// - A layer painted fully, plainly and whole on a layer that is still empty is that layer.
// A push carries what its pop does, so that this is known when a layer begins.
const uint BELOW_EMPTY = 0x80000000u, SAME = 0x40000000u;  // of an entry of open_layers, whose rest is the push's place

struct Walk {
  uint out_at, open, skipped;  // skipped: layers open within one that is left out, and that one
  bool is_empty;               // nothing was painted in the open layer so far
};

void walk(inout Walk w, uvec4 c) {
  uint op = c.x & G_OP, opacity = c.x >> 8 & 255u, stack = tile * DEEPEST;
  if (w.skipped != 0u) {
    w.skipped += op == G_PUSH ? 1u : op == G_POP ? 0xffffffffu : 0u;
    return;
  }
  bool plain = (c.x >> 16 & 31u) == K_BLEND_NORMAL;
  if (op == G_PUSH) {
    if (plain && ((c.x & G_COVER) == G_NONE || opacity == 0u)) {
      w.skipped = 1u;
      return;
    }
    bool same = w.is_empty && plain && (c.x & (G_COVER | G_BOX)) == G_FULL && opacity == 255u && w.open < DEEPEST;
    if (w.open < DEEPEST) open_layers[stack + w.open] = w.out_at | (w.is_empty ? BELOW_EMPTY : 0u) | (same ? SAME : 0u);
    w.open++;
    if (same) return;
    if (w.is_empty && w.open <= DEEPEST) c.x |= G_ON_EMPTY;
    w.is_empty = true;
  } else if (op == G_POP) {
    w.open--;
    uint layer = w.open < DEEPEST ? open_layers[stack + w.open] : 0u;
    if ((layer & SAME) != 0u) return;
    if ((layer & BELOW_EMPTY) != 0u) c.x |= G_ON_EMPTY;
    if (w.open < DEEPEST && plain && w.is_empty) {
      w.out_at = layer & ~(BELOW_EMPTY | SAME);
      w.is_empty = (layer & BELOW_EMPTY) != 0u;
      return;
    }
    w.is_empty = false;
  } else {
    w.is_empty = false;
  }
  commands[w.out_at++] = c;
}

void leave_out_layers() {
  uint begin = list_first[tile], end = begin + list_count[tile];
  if (begin == end) return;
  Walk w = Walk(begin, 0u, 0u, false);
  // Four are loaded together, and before the last four are looked at: latencies are what this loop waits for.
  uvec4 next[4];
  [[unroll]] for (uint k = 0u; k < 4u; k++) next[k] = commands[min(begin + k, end - 1u)];
  for (uint i = begin; i < end; i += 4u) {
    uvec4 four[4] = next;
    [[unroll]] for (uint k = 0u; k < 4u; k++) next[k] = commands[min(i + 4u + k, end - 1u)];
    [[unroll]] for (uint k = 0u; k < 4u; k++)
      if (i + k < end) walk(w, four[k]);
  }
  list_count[tile] = w.out_at - begin;
}

void main() {
  uint bin = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  if (bin >= P.bins) return;
  lane = gl_LocalInvocationID.x;
  tile = lane % G_BIN_TILES;
  share = lane / G_BIN_TILES;
  tile_x = int((bin % P.bins_x << G_BIN_X_SHIFT) + (tile & 7u));
  tile_y = int((bin / P.bins_x << G_BIN_Y_SHIFT) + (tile >> 3));
  bool inside = tile_x < int(P.tiles_x) && tile_y < int(P.tiles_y);
  uint set = bin * P.bin_words;
  runs_words = min((P.bin_words + GROUP - 1u) / GROUP, RUN) * GROUP;
  if (has_room(control.counted)) {
    if (share == 0u) list_count[tile] = list_from[tile] = 0u;
    uvec2 part = uvec2(0u);
    uint mask = 0u, blocks = 0u;
    for (uint first_word = 0u; first_word < P.bin_words; first_word += runs_words) {
      uint total = load_runs(set, first_word);
      for (uint from = 0u; from < total; from += GROUP) {
        part = part_of(load_block(from, total));
        blocks++;
        uint count, hidden;
        mask = look(part, count, hidden);
        counts[lane] = count;
        hides[lane] = hidden;
        barrier();
        if (share == 0u)
          for (uint s = 0u; s < SHARES; s++) {
            uint at = s * G_BIN_TILES + tile;
            if (hides[at] != 0u) {
              list_from[tile] = hides[at] - 1u;
              list_count[tile] = 0u;
            }
            list_count[tile] += counts[at];
          }
      }
    }
    barrier();
    if (share == 0u) {
      uint before = 0u, total = 0u;
      [[unroll]] for (uint t = 0u; t < G_BIN_TILES; t++) {
        uint count = list_count[t];
        before += t < tile ? count : 0u;
        total += count;
      }
      list_first[tile] = before;
      if (lane == 0u) {
        list_base = total != 0u ? atomicAdd(control.counted.commands, total) : 0u;
        if (list_base + total > P.capacity.commands) list_base = 0xffffffffu;
      }
    }
    barrier();
    if (list_base != 0xffffffffu) {
      if (share == 0u) {
        list_first[tile] += list_base;
        list_count[tile] = 0u;
      }
      barrier();
      if (blocks == 1u) {
        write(part, mask);  // the block is still there
      } else if (blocks > 1u) {
        for (uint first_word = 0u; first_word < P.bin_words; first_word += runs_words) {
          uint total = load_runs(set, first_word);
          for (uint from = 0u; from < total; from += GROUP) {
            part = part_of(load_block(from, total));
            uint count, hidden;
            mask = look(part, count, hidden);
            write(part, mask);
          }
        }
      }
      if (LAYERS) {
        memoryBarrierBuffer();
        barrier();
        if (share == 0u) leave_out_layers();
      }
      if (share == 0u && inside) lists[uint(tile_y) * P.tiles_x + uint(tile_x)] = g_list(list_first[tile], list_count[tile]);
    }
  }
  // Zero for the next frame.
  for (uint w = lane; w < P.bin_words; w += GROUP) bins[set + w] = 0u;
  barrier();
  if (lane == 0u) {
    memoryBarrierBuffer();
    if (atomicAdd(control.done, 1u) + 1u == P.bins) {
      control.needed = g_needs(atomicExchange(control.counted.tiles, 0u), atomicExchange(control.counted.edges, 0u),
                               atomicExchange(control.counted.commands, 0u));
      control.cover_x = control.cover_y = control.cover_z = 0u;
      control.resolve_x = control.resolve_y = control.resolve_z = 0u;
      control.done = 0u;
    }
  }
}
