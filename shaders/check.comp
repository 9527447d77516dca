#version 460
// Tells whether a device's arithmetic is the one that all others have (gpu/check.h): a lane computes one check.
#include "common.glsl"
#include "gpu/check.h"

layout(local_size_x = G_CHECK_GROUP) in;

layout(set = 0, binding = 0, scalar) writeonly restrict buffer Results { uint results[]; };

void main() { results[gl_GlobalInvocationID.x] = g_check(gl_GlobalInvocationID.x); }
