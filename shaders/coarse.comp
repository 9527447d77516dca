#version 460
// Writes for each tile the list of commands that fine has to paint there, in painting order, without what an opaque
// draw hides and without layers that change nothing. A workgroup does this for a bin of 8 x 4 tiles.
//
// First a lane takes a draw, and looks at all tiles of the bin at once: a set of tiles is a word with a bit for each, 8
// bits a row. Then these sets are turned round: for each tile and 32 consecutive draws there is a word that tells which
// of the draws are in the tile's list. Counting its bits gives each command its place in the list.
#include "common.glsl"
#include "kernel/composite.h"

// GROUP is the number of lanes, defined on the compiler's command line: there is a variant with many for few bins.
layout(local_size_x = GROUP) in;
layout(constant_id = 0) const bool LAYERS = true;
RESIDENT_CONSTANT(2);

layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { uvec4 records[]; };
layout(set = 0, binding = G_CONTROL, scalar) restrict buffer Control { g_control control; };
layout(set = 0, binding = G_LISTS, scalar) writeonly restrict buffer Lists {
  g_needs needed;
  g_list lists[];
};
layout(set = 0, binding = G_WORDS, scalar) readonly restrict buffer Words { uvec4 words[]; };
layout(set = 0, binding = G_BINS, scalar) restrict buffer Bins { uint bins[]; };
layout(set = 0, binding = G_COMMANDS, scalar) writeonly restrict buffer Commands { uvec4 commands[]; };
#ifndef WEBGPU
layout(set = 0, binding = G_TOLD, scalar) writeonly restrict buffer Told { g_needs told; };
#endif

// Loads what is counted member by member, since WGSL loads no structure that has members which are changed atomically.
g_needs counted() {
  return g_needs(control.counted.tiles, control.counted.edges, control.counted.small, control.counted.commands,
                 control.counted.shares, control.counted.words, control.counted.crowded);
}

const uint SHARES = GROUP / G_BIN_TILES;
const uint RUN = 8;    // words of the bin's set of draws that a lane takes at a time, at most
// A bin's draws are looked at in blocks, of so many draws a lane that 32 KiB of shared memory hold them.
const uint SLOTS = LAYERS ? 2u : 3u;
const uint BLOCK = GROUP * SLOTS;

shared uvec4 numbers[GROUP / 4 + GROUP / 64];  // what scan adds up: a number a lane, then the sums of 16 lanes each
shared uint block_draw[BLOCK];                 // the draws of the block
// For each 32 draws of the block and each tile: which of them are in the tile's list, and how many of the block's draws
// are in it before them.
shared uint members[BLOCK], starts[BLOCK];
shared uint counts[GROUP];  // how many commands each share of the block (see number_block) has for each tile
// Per tile.
shared uint list_from[G_BIN_TILES];  // the last draw that hides all before it, as its number among the bin's draws
shared uint list_at[G_BIN_TILES];    // where the block's commands go
shared uint list_base;

uint lane, tile, share;  // each lane also stands for a tile and a share of the block, for the steps that go by tile
int bin_x, bin_y;        // the bin's first tile
// A lane takes a run of consecutive words of the bin's set, so that the draws of its run are consecutive too.
uint run[RUN];
uint run_word;            // the index of its first word
uint run_start, run_end;  // how many draws the runs of the lanes before it have, and those with its own
uint runs_words;          // how many words the runs of all lanes have

// --- The bin's draws ---

// Returns the sum of 4 * quads numbers, and the sum of those of them that come before number `own`.
uvec2 add_up(uint first, uint quads, uint own) {
  uvec2 sum = uvec2(0u);
  [[unroll]] for (uint q = 0u; q < quads; q++) {
    uvec4 four = numbers[first + q];
    [[unroll]] for (uint k = 0u; k < 4u; k++) sum += uvec2(four[k], q * 4u + k < own ? four[k] : 0u);
  }
  return sum;
}

// Returns the sum of all lanes' counts, and the sum of the counts of the lanes before this one.
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

// Loads the bin's set from word first_word on, a run a lane. Returns how many draws are in it.
uint load_runs(uint set, uint first_word) {
  uint each = runs_words / GROUP, count = 0u;
  run_word = first_word + lane * each;
  [[unroll]] for (uint k = 0u; k < RUN; k++) {
    run[k] = k < each && run_word + k < bin_words() ? bins[set + run_word + k] : 0u;
    count += uint(bitCount(run[k]));
  }
  uvec2 sum = scan(count);
  run_start = sum.y;
  run_end = sum.y + count;
  return sum.x;
}

// Puts the draws of the runs into the block, beginning with number `from` of them, as many as it holds.
void gather(uint from) {
  if (run_end <= from || run_start >= from + BLOCK) return;
  uint position = run_start - from;
  [[unroll]] for (uint k = 0u; k < RUN; k++)
    for (uint word = run[k]; word != 0u; word &= word - 1u) {
      if (position < BLOCK) block_draw[position] = (run_word + k) * 32u + uint(findLSB(word));
      position++;
    }
}

// --- A draw in the bin ---

struct Draw {
  uint info, color;  // of its command; a push has its pop's
  uint masked;       // whether a mask is applied to the layer
  uint tiles;        // in whose lists it belongs
  uint hides;        // where it hides all that is before it
  uint kind0, kind1, touched;  // as in g_word
  uint boxed;        // where the sides of its box cut through a tile
  uvec2 layer;       // what leave_out_layers has to know: the second and third words of layer_draws
  uint rank[1 << G_BIN_Y_SHIFT];  // in each row, the rank of the first touched tile within the bin
};

uint bits_from(int first) { return first < 32 ? 0xffffffffu << first : 0u; }

// Returns the set of the bin's tiles within a rectangle of tiles, x1 and y1 excluded.
uint tiles_in(int x0, int y0, int x1, int y1) {
  ivec4 v = clamp(ivec4(x0, y0, x1, y1) - ivec4(bin_x, bin_y, bin_x, bin_y), ivec4(0), ivec4(8, 4, 8, 4));
  uint row = bits_from(v.x) & ~bits_from(v.z) & 255u;
  return row * 0x01010101u & bits_from(v.y * 8) & ~bits_from(v.w * 8);
}

// Returns the sets of a word: what lines cross, and the two bits of what covers the tiles.
uvec3 sets_of(g_word w) { return uvec3(w.touched, w.kind0, w.kind1); }

// Looks at what a draw does to those of the bin's tiles that are in the set `part`.
Draw look_at(uint at, uint part) {
  g_record record = g_record_at(at);
  uint op = g_draw_of(record.info);
  if (LAYERS && op == K_DRAW_PUSH) {
    // A push looks at its pop, which has the path and the opacity, so that both are left out of the same tiles.
    at = record.color;
    record = g_record_at(at);
  }
  Draw d;
  uint reached = part & tiles_in(g_x(record.tile0), g_y(record.tile0), g_x(record.tile1), g_y(record.tile1));
  d.info = record.info & G_OF_COMMAND;
  d.masked = record.info & G_MASKED;
  d.color = record.color;
  d.kind0 = reached;
  d.kind1 = d.touched = 0u;
  [[unroll]] for (int y = 0; y < 4; y++) d.rank[y] = 0u;
  if ((record.info & G_PATH) != 0u) {
    // A g_word has 32 tiles of the draw's row, from the draw's left tile on. The eight of the bin may be in two words.
    int x = bin_x - g_x(record.tile0), left = max(-x, 0), right = max(x, 0) & 31, step = int(record.words);
    int first = int(record.word) + (bin_y - g_y(record.tile0)) * step + (max(x, 0) >> 5);
    g_word row[4];
    [[unroll]] for (int y = 0; y < 4; y++)
      row[y] = step != 0 && (reached >> (8 * y) & 255u) != 0u ? g_word_at(first + y * step) : g_word_of(uvec4(0u));
    uvec3 bits = uvec3(0u);
    [[unroll]] for (int y = 0; y < 4; y++) {
      bits |= (sets_of(row[y]) >> right << left & 255u) << (8 * y);
      d.rank[y] = row[y].rank + uint(bitCount(row[y].touched & ~bits_from(right)));
    }
    if (right > 24 && (x >> 5) + 1 < step)
      [[unroll]] for (int y = 0; y < 4; y++)
        if ((reached >> (8 * y) & 255u) != 0u)
          bits |= (sets_of(g_word_at(first + y * step + 1)) << (32 - right) & 255u) << (8 * y);
    d.touched = bits.x;
    d.kind0 = bits.y & reached;
    d.kind1 = bits.z & reached;
  }
  d.tiles = d.kind0 | d.kind1;
  int right = g_x(record.box1), bottom = g_y(record.box1);
  uint whole = tiles_in((g_x(record.box0) + G_TILE - 1) / G_TILE, (g_y(record.box0) + G_TILE - 1) / G_TILE,
                        right < int(P.width) ? right / G_TILE : int(P.tiles_x),
                        bottom < int(P.height) ? bottom / G_TILE : int(tiles_y()));
  d.boxed = d.tiles & ~whole;
  uint full = d.kind0 & ~d.kind1 & whole;
  // In a batch that begins inside layers nothing is hidden, since it might be the pop of such a layer, which fine
  // needs.
  bool opaque = (record.info & G_OPAQUE) != 0u && !(LAYERS && P.open != 0u);
  bool in_layer = LAYERS && (record.info & G_IN_LAYER) != 0u;
  d.hides = opaque && !in_layer ? full : 0u;
  d.layer = uvec2(opaque && in_layer ? full : 0u, 0u);
  if (LAYERS && (op == K_DRAW_PUSH || op == K_DRAW_POP)) {
    uint opacity = g_opacity_of(d.info);
    d.layer.x = 0u;
    if ((d.info & G_OPEN) == 0u && g_blend_of(d.info) == K_BLEND_NORMAL) {
      d.layer.x = opacity == 0u ? reached : reached & ~d.tiles;
      if (op == K_DRAW_POP) d.layer.y = reached;
      else if (opacity == 255u) d.layer.y = full;
    }
    d.info |= op == K_DRAW_PUSH ? G_PUSH : G_POP;
    d.tiles = reached;
  }
  return d;
}

// --- Layers ---

// A layer is "painted plainly" where its pop covers the tile fully, with opacity 255 and normal blending. In a tile the
// commands of these layers are left out, so that deep clips cost only where they cut:
// - A layer whose pop paints nothing there, with all that is drawn in it; and a layer in which nothing is drawn.
// - A layer that is painted plainly while the layer below it is still empty: what it holds becomes just what the layer
//   below holds, so its draws can go there at once.
// - All open layers, where an opaque draw fills the tile and all of them are painted plainly: nothing before that draw
//   shows, and what is drawn over opaque pixels leaves them opaque, so the draws can go to the lowest layer. This does
//   not hold where a mask is applied to one of them.
// A push already knows what its pop does, so this can be told when a layer begins. Of layers that begin or end in
// another batch it cannot: their commands stay, and so do those of the layers below them.

// For each draw of the block four words. Before leave_out_layers: the tiles it is in, then
// - of a push: where its pop paints nothing, and where it paints plainly;
// - of a pop: unused, and where the layer's commands may be left out if nothing was drawn in it;
// - of other draws: where they are opaque and fill the tile;
// last its G_OP, G_OPEN and G_MASKED. After it the first three are: the tiles in whose lists it stays, where the layer
// below is empty (G_ON_EMPTY), and where it hides all before it.
shared uvec4 layer_draws[LAYERS ? BLOCK : 1u];
shared uint block_layers;  // whether the block has a push or a pop

const uint DEEPEST = LAYERS ? 128u : 1u;  // deeper layers are never left out
// For each open layer: where the layer below was empty when it began; where its push is left out, because the layer is
// the same as the one below (where that was empty) or paints nothing (elsewhere); the number of its push.
shared uvec3 open_layers[DEEPEST];
shared uvec2 open_paths[DEEPEST];  // `path` and `merged` as they were when the layer began
// Layers that prove empty when they end, after the block with their push was counted: the tiles in whose lists the push
// was counted in vain, for each such layer.
shared uint removed[DEEPEST];
shared uint removed_count;

// The state of the lane that goes through the draws; all but `open` and `top` are sets of tiles.
uint open;     // how many layers are open
uvec3 top;     // the entry of open_layers for the deepest
uint skipped;  // where an open layer's pop paints nothing
uint empty;    // where nothing is drawn in the open layer so far
uint path;     // where all open layers are painted plainly
uint merged;   // where an opaque draw has hidden all before it, and the open layers' commands with that

void pass_draw(uvec4 draw, uint slot, uint number) {
  uint stay = draw.x & ~skipped, below_empty = 0u, hides = 0u;
  if ((draw.w & G_OP) == G_PUSH) {
    if (open < DEEPEST) {
      uint nothing = stay & draw.y;
      skipped |= nothing;
      stay &= ~nothing;
      below_empty = (draw.w & G_OPEN) != 0u ? 0u : stay & empty;
      uint same = below_empty & draw.z;
      if (open != 0u) open_layers[open - 1u] = top;
      top = uvec3(below_empty, same | nothing, number + slot);
      open_paths[open] = uvec2(path, merged);
      path &= (draw.w & G_MASKED) != 0u ? 0u : draw.z;
      merged = 0u;
      empty |= stay;
      stay &= ~same;
    } else {
      path = 0u;
      empty |= stay;
    }
    open++;
  } else if ((draw.w & G_OP) == G_POP) {
    open--;
    if (open < DEEPEST) {
      below_empty = top.x;
      skipped &= ~(top.y & ~below_empty);
      stay &= ~(top.y & below_empty | merged);
      uint gone = stay & empty & draw.z;
      if (gone != 0u) {
        if (top.z >= number) layer_draws[top.z - number].x &= ~gone;
        else removed[removed_count++] = gone;
      }
      empty = empty & ~stay | gone & below_empty;
      stay &= ~gone;
      path = open_paths[open].x;
      merged |= open_paths[open].y;
      if (open != 0u) top = open_layers[open - 1u];
    } else {
      empty &= ~stay;
    }
  } else {
    hides = stay & draw.y & path;
    merged |= hides;
    empty &= ~stay;
  }
  layer_draws[slot].xyz = uvec3(stay, stay & below_empty, hides);
}

// Sets the state for the begin of the batch, with the layers that the batch before left open.
void begin_layers() {
  open = P.open;
  skipped = empty = merged = 0u;
  path = open == 0u ? 0xffffffffu : 0u;
  top = uvec3(0u);
  for (uint i = 0u; i < min(open, DEEPEST); i++) {
    open_layers[i] = uvec3(0u);
    open_paths[i] = uvec2(i == 0u ? 0xffffffffu : 0u, 0u);
  }
}

// Goes through the block's draws in order. One lane does it, for all tiles at once.
void leave_out_layers(uint number, uint count) {
  // Two draws are loaded together, since what this loop takes is mostly waiting for loads.
  for (uint slot = 0u; slot < count; slot += 2u) {
    uvec4 first = layer_draws[slot], second = layer_draws[slot + 1u];
    pass_draw(first, slot, number);
    if (slot + 1u < count) pass_draw(second, slot + 1u, number);
  }
}

// --- A block of draws ---

// Returns the logarithm of how many lanes share a draw. Where draws are few, four do, each for one row of the bin's
// tiles: that is where a lane then still has at most two turns. (100 tigers: 45 us; with the limit at one turn 48.)
uint lanes_shift(uint count) { return count * 2u <= GROUP ? 2u : 0u; }
uint tiles_of_lane(uint i, uint shift) { return shift == 0u ? 0xffffffffu : 255u << (8u * (i & 3u)); }

void hide(uint tiles, uint number) {
  for (; tiles != 0u; tiles &= tiles - 1u) atomicMax(list_from[findLSB(tiles)], number);
}

// Returns where `members` has the 32 words, one a tile, of the 32 draws that a draw is among.
uint set_of(uint slot) { return slot & ~31u; }

void add_to_lists(uint slot, uint tiles) {
  // Lanes begin with different tiles, so that they seldom add to the same word at a time.
  uint turn = lane & 31u;
  for (uint turned = tiles >> turn | tiles << 1u << (31u - turn); turned != 0u; turned &= turned - 1u)
    atomicOr(members[set_of(slot) + (uint(findLSB(turned)) + turn & 31u)], 1u << (slot & 31u));
}

// Turns the block's draws into sets of draws for each tile. `number`: how many of the bin's draws are before the block.
void note_block(uint number, uint count) {
  uint shift = LAYERS ? 0u : lanes_shift(count);
  for (uint i = lane; i < count << shift; i += GROUP) {
    uint slot = i >> shift;
    Draw d = look_at(block_draw[slot], tiles_of_lane(i, shift));
    hide(d.hides, number + slot);
    if (LAYERS) {
      layer_draws[slot] = uvec4(d.tiles, d.layer, d.info & (G_OP | G_OPEN) | d.masked);
      if ((d.info & G_OP) != G_PAINT) atomicOr(block_layers, 1u);
    } else {
      add_to_lists(slot, d.tiles);
    }
  }
  if (LAYERS) {
    barrier();
    if (lane == 0u && (block_layers != 0u || open != 0u)) leave_out_layers(number, count);
    barrier();
    shift = lanes_shift(count);
    for (uint i = lane; i < count << shift; i += GROUP) {
      uvec4 draw = layer_draws[i >> shift];
      uint tiles = tiles_of_lane(i, shift);
      add_to_lists(i >> shift, draw.x & tiles);
      if ((draw.w & G_OP) == G_PAINT) hide(draw.z & tiles, number + (i >> shift));
    }
  }
}

// Leaves out of the sets what is hidden, and finds where each set's commands begin in the tile's list. A lane does this
// for its tile and its share of the block's sets.
void number_block(uint number, uint count) {
  uint sets = (count + 31u) / 32u, each = (sets + SHARES - 1u) / SHARES, sum = 0u;
  uint from = max(list_from[tile], number) - number;
  for (uint s = share * each; s < min((share + 1u) * each, sets); s++) {
    uint at = s * 32u + tile, set = members[at];
    if (from > s * 32u) set &= bits_from(int(min(from - s * 32u, 32u)));
    members[at] = set;
    starts[at] = sum;
    sum += uint(bitCount(set));
  }
  counts[lane] = sum;
  barrier();
  uint before = 0u;
  for (uint s = 0u; s < share; s++) before += counts[s * G_BIN_TILES + tile];
  for (uint s = share * each; s < min((share + 1u) * each, sets); s++) starts[s * 32u + tile] += before;
}

void write_block(uint count) {
  uint shift = lanes_shift(count);
  for (uint i = lane; i < count << shift; i += GROUP) {
    uint slot = i >> shift, at = block_draw[slot];
    Draw d = look_at(at, tiles_of_lane(i, shift));
    uint on_empty = LAYERS ? layer_draws[slot].y : 0u;
    for (uint left = d.tiles; left != 0u; left &= left - 1u) {
      uint t = uint(findLSB(left)), place = set_of(slot) + t, set = members[place];
      if ((set >> (slot & 31u) & 1u) == 0u) continue;
      uint cover = (d.kind0 >> t & 1u) | (d.kind1 >> t & 1u) << 1, row = t >> 3;
      uint rank = row < 2u ? (row == 0u ? d.rank[0] : d.rank[1]) : row == 2u ? d.rank[2] : d.rank[3];
      rank += uint(bitCount((d.touched & ~bits_from(int(t))) >> (row * 8u))) - (cover == G_EXIT ? 1u : 0u);
      commands[list_at[t] + starts[place] + uint(bitCount(set & ~bits_from(int(slot & 31u))))] =
        g_command_quad(g_command(d.info | cover | ((d.boxed >> t & 1u) != 0u ? G_BOX : 0u) |
                                 ((on_empty >> t & 1u) != 0u ? G_ON_EMPTY : 0u), d.color, rank, at));
    }
  }
}

void main() {
  uint bin = uniform_of(group_number());
  if (bin >= P.bins) return;
  lane = gl_LocalInvocationID.x;
  tile = lane % G_BIN_TILES;
  share = lane / G_BIN_TILES;
  bin_x = int(bin % P.bins_x << G_BIN_X_SHIFT);
  bin_y = int(bin / P.bins_x << G_BIN_Y_SHIFT);
  uint set = bin * bin_words();
  uint words_at_once = clamp((bin_words() + GROUP - 1u) / GROUP, 1u, RUN) * GROUP;
  runs_words = words_at_once;
  if (uniform_of(has_room(counted()) && control.counted.small <= P.capacity.small && control.counted.crowded == 0u)) {
    if (share == 0u) list_from[tile] = 0u;
    // The list of the lane's tile: where it begins, how many commands it has so far, and the most it had, for which
    // room is taken: a layer that proves empty makes the list shorter again. Only lanes of the first share keep these.
    uint list_first = 0u, list_count = 0u, list_most = 0u;
    uint blocks = 0u, count = 0u;
    // The first pass counts commands, the second writes them.
    [[dont_unroll]] for (uint pass = 0u; pass < 2u; pass++) {
      // Where there was only one block, the second pass finds it still in shared memory.
      bool again = pass == 0u || blocks > 1u;
      if (pass == 1u) {
        // Room for all lists, one after the other.
        uvec2 sum = scan(share == 0u ? list_most : 0u);
        if (lane == 0u) {
          list_base = sum.x != 0u ? atomicAdd(control.counted.commands, sum.x) : 0u;
          if (list_base + sum.x > P.capacity.commands) list_base = 0xffffffffu;
        }
        barrier();
        if (uniform_of(list_base) == 0xffffffffu) break;
        list_first = list_base + sum.y;
        if (again) list_count = 0u;
        if (share == 0u) list_at[tile] = list_first;
        barrier();
      }
      uint number = 0u;
      bool beyond = false;
      if (LAYERS && again && lane == 0u) begin_layers();
      for (uint first_word = 0u; first_word < (again ? bin_words() : 1u); first_word += words_at_once) {
        uint total = again ? uniform_of(load_runs(set, first_word)) : count;
        // The host has not counted what is in a bin. Where loops might be ended before their end, nothing is painted.
        beyond = ENCODED(number + total > control.most, false);
        if (beyond) break;
        for (uint from = 0u; from < total; from += BLOCK) {
          if (again) {
            count = min(total - from, BLOCK);
            barrier();
            gather(from);
            for (uint i = lane; i < (count + 31u & ~31u); i += GROUP) members[i] = 0u;
            if (LAYERS && lane == 0u) {
              removed_count = 0u;
              block_layers = 0u;
            }
            barrier();
            note_block(number, count);
            barrier();
            number_block(number, count);
            if (share == 0u) {
              if (list_from[tile] >= number) list_count = list_most = 0u;
              else if (LAYERS)
                for (uint i = 0u; i < removed_count; i++) list_count -= removed[i] >> tile & 1u;
              list_at[tile] = list_first + list_count;
              for (uint s = 0u; s < SHARES; s++) list_count += counts[s * G_BIN_TILES + tile];
              list_most = max(list_most, list_count);
            }
            barrier();
            number += count;
          }
          if (pass == 0u) blocks++;
          else write_block(count);
        }
      }
      if (RESIDENT && beyond) {
        if (lane == 0u) {
          atomicOr(control.counted.words, ~0u);
          list_base = ~0u;
        }
        barrier();
        break;
      }
    }
    if (list_base != 0xffffffffu) {
      uint x = uint(bin_x) + (tile & 7u), y = uint(bin_y) + (tile >> 3);
      if (share == 0u && x < P.tiles_x && y < tiles_y()) lists[y * P.tiles_x + x] = g_list(list_first, list_count);
    }
  }
  // The set has to be empty when the next frame begins.
  for (uint w = lane; w < bin_words(); w += GROUP) bins[set + w] = 0u;
#ifndef WEBGPU
  // (WebGPU lets no workgroup wait for what another one has written: there the host copies and clears the counters.)
  barrier();
  if (lane == 0u) {
    memoryBarrierBuffer();
    if (atomicAdd(control.done, 1u) + 1u == P.bins) {
      g_needs all = g_needs(atomicExchange(control.counted.tiles, 0u), atomicExchange(control.counted.edges, 0u),
                            atomicExchange(control.counted.small, 0u), atomicExchange(control.counted.commands, 0u),
                            atomicExchange(control.counted.shares, 0u), atomicExchange(control.counted.words, 0u),
                            atomicExchange(control.counted.crowded, 0u));
      needed = all;
      told = all;
      control.cover_x = control.cover_y = control.cover_z = 0u;
      control.resolve_x = control.resolve_y = control.resolve_z = 0u;
      control.done = 0u;
    }
  }
#endif
}
