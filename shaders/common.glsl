#include "begin.glsl"
#include "gpu/layout.h"
#include "kernel/scene.h"

#include "load.glsl"

#ifdef WEBGPU
#include "webgpu.glsl"
#define P (g_params_of(params[0], params[1], params[2], params[3], params[4], params[5], params[6], params[7]))
#else
layout(push_constant, scalar) uniform Params { g_params P; };
#define uniform_of(value) (value)
#endif

// Returns how many rows of tiles the region has.
uint tiles_y() { return (P.height + G_TILE - 1u) / G_TILE; }

// Stages with a constant RESIDENT read from the control what P tells otherwise, where the device has encoded the draws:
// ENCODED(there, here). WebGPU's host encodes all, and its compiler has to see that what loops and barriers depend on
// is the same in all lanes, which nothing from the control is.
#ifdef WEBGPU
#define RESIDENT_CONSTANT(number) const bool RESIDENT = false
#define ENCODED(there, here) (here)
#else
#define RESIDENT_CONSTANT(number) layout(constant_id = number) const bool RESIDENT = false
#define ENCODED(there, here) (RESIDENT ? (there) : (here))
#endif

// Returns how many words a bin's set of draws has.
uint bin_words() { return (P.draws + 31u) / 32u; }

// Returns whether the buffers of touched tiles and of edges are large enough, and flatten has left nothing out. Where
// not, the stages skip both, and the host submits the frame again with larger buffers, or more workgroups of flatten.
bool has_room(g_needs needs) {
  return needs.tiles <= P.capacity.tiles && needs.edges <= P.capacity.edges && needs.shares <= P.capacity.shares;
}

// Returns where the extras of a tile's sums are, in ints.
uint extras_of(uint tile) { return P.capacity.tiles * G_TILE_SUMS + tile * G_TILE; }
