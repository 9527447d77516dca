#version 460
// What compilers make of floats where nothing forbids it: a product and a sum as one operation, and (a + b) - b as a.
// Each beside the same as `precise`, which scripts/wgsl.mjs guards. Numbers are whole ones of 24 bits, scaled.
layout(local_size_x = 64) in;
layout(push_constant, std430) uniform Push { uvec4 params[8]; };  // the count, and a last word that is zero
layout(set = 0, binding = 0, std430) writeonly buffer Out { float results[]; };

float number(uint i) {
  i *= 2654435761u;
  i ^= i >> 15;
  i *= 0x2c1b3c6du;
  i ^= i >> 12;
  return float(int(i >> 8) - 8388608) / 8388608.0;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= params[0].x) return;
  float a = number(i * 3u), b = number(i * 3u + 1u), c = number(i * 3u + 2u), large = 512.0 * b;
  results[i * 4u] = a * b + c;
  results[i * 4u + 2u] = (a + large) - large;
  precise float product = a * b, product_and_sum = product + c, sum = a + large, difference = sum - large;
  results[i * 4u + 1u] = product_and_sum;
  results[i * 4u + 3u] = difference;
}
