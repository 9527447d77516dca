// Compiled, never run: the kernel headers are GLSL as well as C.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 64) in;
layout(scalar, binding = 0) buffer Data { float data[]; };
#include "kernel/platform.h"
#include "kernel/clip.h"
#include "kernel/composite_float.h"
#include "kernel/coverage.h"
#include "kernel/filter.h"
#include "kernel/filter_blur.h"
#include "kernel/filter_light.h"
#include "kernel/filter_noise.h"
#include "kernel/paint.h"
#include "kernel/scene.h"
#include "kernel/stroke.h"
layout(scalar, binding = 1) readonly buffer Draws { k_draw draws[]; };
layout(scalar, binding = 2) readonly buffer Paints { k_paint paints[]; };
layout(scalar, binding = 3) readonly buffer Pens { k_pen pens[]; };

void main() {
  int i = int(gl_GlobalInvocationID.x);
  k_vec p = k_transform(draws[i].matrix, k_vec_make(data[i], data[i + 1]));
  k_parameter t = k_gradient(paints[i], p.x, p.y);
  data[i] = t.t + float(k_blend(draws[i].blend, uint(i), 7u)) + float(k_coverage(k_winding_rule(false), i)) +
            k_over_float(k_pixel_unpack(uint(i)), k_pixel_unpack(7u), k_byte(3u, 0u)).r +
            k_corner_point(pens[i], k_cap_corner(pens[i], p, p), i).x;
}
