// Lighting: Filter Effects Module 1, "feDiffuseLighting" and "feSpecularLighting", with the normals of its table.
#ifndef K_FILTER_LIGHT_H
#define K_FILTER_LIGHT_H

#include "filter.h"

#define K_LIGHT_DISTANT 0u
#define K_LIGHT_POINT 1u
#define K_LIGHT_SPOT 2u

K_STRUCT(k_vec3) { float x, y, z; };

K_FN k_vec3 k_vec3_make(float x, float y, float z) {
  k_vec3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}

K_STRUCT(k_filter_light) {
  uint kind;
  uint specular;    // 1: specular, 0: diffuse
  float surface;    // surfaceScale / 255
  float constant;   // kd or ks
  float exponent;   // of specular light
  float r, g, b;    // the light's colour, 0..1, in the colour space of the primitive
  k_vec3 position;  // in pixels; distant: the direction, of unit length
  k_vec3 axis;      // spot: from the light to where it points, of unit length
  float focus;      // spot: its exponent
  float cone;       // spot: the cosine of the limiting angle; -1: none
};

K_FN float k_vec3_dot(k_vec3 a, k_vec3 b) {
  kfloat r = a.x * b.x, t = a.y * b.y;
  r = r + t;
  t = a.z * b.z;
  r = r + t;
  return r;
}

K_FN k_vec3 k_vec3_unit(k_vec3 v) {
  kfloat scale = k_rsqrt(k_max(k_vec3_dot(v, v), 7.9e-31f));
  kfloat x = v.x * scale, y = v.y * scale, z = v.z * scale;
  return k_vec3_make(x, y, z);
}

// The alphas around a pixel: left, own and right column of the row above, the own and the row below. Where there is no
// such column or row in the image, the flags say so.
#define K_EDGE_LEFT 1u
#define K_EDGE_RIGHT 2u
#define K_EDGE_TOP 4u
#define K_EDGE_BOTTOM 8u

K_STRUCT(k_filter_alphas) {
  int a00, a10, a20, a01, a11, a21, a02, a12, a22;  // a<column><row>
};

// Returns the difference of two weighted triples, of which those beyond an edge are left out.
K_FN int k_filter_slope(int before, int middle, int after, uint no_before, uint no_after) {
  return (no_before != 0u ? 0 : before) + 2 * middle + (no_after != 0u ? 0 : after);
}

// Returns the normal (x, y, 1), which is not of unit length: 2 / (columns weights) of the slopes.
K_FN k_vec3 k_filter_normal(k_filter_alphas p, uint edges, float surface) {
  uint left = edges & K_EDGE_LEFT, right = edges & K_EDGE_RIGHT;
  uint top = edges & K_EDGE_TOP, bottom = edges & K_EDGE_BOTTOM;
  int column = k_filter_slope(p.a10, p.a11, p.a12, top, bottom), row = k_filter_slope(p.a01, p.a11, p.a21, left, right);
  int x1 = right != 0u ? column : k_filter_slope(p.a20, p.a21, p.a22, top, bottom);
  int x0 = left != 0u ? column : k_filter_slope(p.a00, p.a01, p.a02, top, bottom);
  int y1 = bottom != 0u ? row : k_filter_slope(p.a02, p.a12, p.a22, left, right);
  int y0 = top != 0u ? row : k_filter_slope(p.a00, p.a10, p.a20, left, right);
  int columns = (left != 0u ? 0 : 1) + (right != 0u ? 0 : 1), rows = (top != 0u ? 0 : 1) + (bottom != 0u ? 0 : 1);
  // Weights: 4, or 3 at one edge, or 2 at both.
  kfloat fx = columns == 2 ? 1.0f : 2.0f, fy = rows == 2 ? 1.0f : 2.0f;
  kfloat wx = rows == 2 ? 0.25f : rows == 1 ? 0.333333333f : 0.5f;
  kfloat wy = columns == 2 ? 0.25f : columns == 1 ? 0.333333333f : 0.5f;
  fx = fx * wx;
  fy = fy * wy;
  kfloat x = k_float(x0 - x1) * surface, y = k_float(y0 - y1) * surface;
  x = x * fx;
  y = y * fy;
  return k_vec3_make(x, y, 1.0f);
}

K_STRUCT(k_filter_lit) { float r, g, b; };

// Returns the light that a pixel at (x, y) reflects, 0..1. `direction` is that of a distant light; others compute
// theirs.
K_FN k_filter_lit k_filter_shade(k_filter_light light, k_vec3 normal, float height, float x, float y) {
  k_vec3 to = light.position;
  if (light.kind != K_LIGHT_DISTANT) {
    kfloat dx = light.position.x - x, dy = light.position.y - y, dz = light.position.z - height;
    to = k_vec3_unit(k_vec3_make(dx, dy, dz));
  }
  kfloat strength = light.constant;
  if (light.kind == K_LIGHT_SPOT) {
    kfloat cosine = -k_vec3_dot(to, light.axis);
    kfloat inside = k_pow(k_min(k_max(cosine, 0.0f), 1.0f), light.focus);
    strength = k_keep(cosine > 0.0f && cosine >= light.cone, strength * inside);
  }
  kfloat length = k_rsqrt(k_vec3_dot(normal, normal));
  kfloat amount;
  if (light.specular != 0u) {
    kfloat hz = to.z + 1.0f;  // halfway to the eye, (0, 0, 1)
    k_vec3 halfway = k_vec3_make(to.x, to.y, hz);
    kfloat d = k_vec3_dot(halfway, halfway);
    kfloat cosine = k_vec3_dot(normal, halfway) * length;
    cosine = cosine * k_rsqrt(k_max(d, 7.9e-31f));
    amount = k_pow(k_min(k_max(cosine, 0.0f), 1.0f), light.exponent);
    amount = k_keep(cosine > 0.0f, amount);
  } else {
    amount = k_max(k_vec3_dot(normal, to) * length, 0.0f);
  }
  amount = amount * strength;
  k_filter_lit lit;
  kfloat r = light.r * amount, g = light.g * amount, b = light.b * amount;
  lit.r = r;
  lit.g = g;
  lit.b = b;
  return lit;
}

// Returns a lit pixel. Diffuse light is opaque; specular light has the alpha of its strongest channel.
K_FN uint k_filter_light_pixel(k_filter_light light, k_filter_alphas p, uint edges, float x, float y) {
  kfloat height = k_float(p.a11) * light.surface;
  k_filter_lit lit = k_filter_shade(light, k_filter_normal(p, edges, light.surface), height, x, y);
  uint r = k_filter_byte(lit.r), g = k_filter_byte(lit.g), b = k_filter_byte(lit.b);
  uint a = light.specular != 0u ? k_max(r, k_max(g, b)) : 255u;
  return r | g << 8 | b << 16 | a << 24;
}

#endif
