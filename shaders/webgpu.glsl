// What WGSL has instead of some of GLSL (scripts/wgsl.mjs makes WGSL of the stages, and docs/browser.md tells how).

// There are no push constants in WGSL: parameters are in a uniform buffer. Its last word is zero, by which products are
// guarded against contraction.
layout(set = 0, binding = G_WEB_PARAMS, std140) uniform Params { uvec4 params[G_PARAM_QUADS]; };

// WGSL wants barriers where its compiler can tell that all lanes of a workgroup come to them. It cannot tell of values
// that are in memory or were found by loops. This tells: `value` is the same in all lanes. To wait here for one another
// is part of it, so all lanes have to come.
shared uint uniform_slot;
uint uniform_of(uint value) {
  if (gl_LocalInvocationIndex == 0u) uniform_slot = value;
  barrier();
  return uniform_slot;
}
bool uniform_of(bool value) { return uniform_of(uint(value)) != 0u; }
