// Instructions that compute pixels from pixels, on a stack. A lane has G_FILTER_ROWS pixels of a column: x, y, and STEP
// from each to the next; blurred_pixels is what G_BLURRED loads.

uint look_up_tables(uint tables, uint p) {
  uint a = p >> 24, alpha = byte_of(tables, 768u + a), r = alpha << 24;
  [[unroll]] for (uint c = 0u; c < 3u; c++)
    r |= k_div255(byte_of(tables, 256u * c + k_filter_straight(p >> (8u * c) & 255u, a)) * alpha) << (8u * c);
  return r;
}

uint pixel_of(uint op, uint value, uint u, uint t) {
  switch (op) {
    case G_ALPHA: return u & 0xff000000u;
    case G_ALPHA_TABLE: return byte_of(value, 768u + (u >> 24)) << 24;
    case G_TINT: return k_scale(value, u >> 24);
    case G_SPACE: return look_up(value, u);
    case G_TABLES: return look_up_tables(value, u);
    case G_MATRIX: return k_filter_matrix_pixel(k_filter_matrix_at(value), u);
    case G_COMPOSITE: return k_filter_composite(value, u, t);
    case G_ARITHMETIC: return k_filter_arithmetic_pixel(k_filter_arithmetic_at(value), u, t);
    case G_BLEND: return k_blend(value, t, u);
    default: return k_over(u, t, 255u);
  }
}

// The stack's pixels, those of four rows in each.
uvec4 stack0, stack1, stack2, stack3;

uvec4 stack_at(uint i) { return i == 0u ? stack0 : i == 1u ? stack1 : i == 2u ? stack2 : stack3; }

void set_stack(uint i, uvec4 v) {
  if (i == 0u) stack0 = v;
  else if (i == 1u) stack1 = v;
  else if (i == 2u) stack2 = v;
  else stack3 = v;
}

void run_instruction(g_instruction i) {
  uint op = i.op & ((1u << G_DEPTH_SHIFT) - 1u), depth = i.op >> G_DEPTH_SHIFT;
  bvec4 inside;
  [[unroll]] for (int k = 0; k < G_FILTER_ROWS; k++) inside[k] = is_inside(i.picture, x, y + k * STEP);
  uvec4 v = uvec4(0u);
  if (op == G_LOAD) {
    [[unroll]] for (int k = 0; k < G_FILTER_ROWS; k++)
      if (inside[k]) v[k] = from_texels[texel_at(i.picture, x, y + k * STEP)];
    set_stack(depth, v);
    return;
  }
  if (op == G_BLURRED) {
    if (any(inside)) v = blurred_pixels(x - int(i.picture.base), y - int(i.picture.stride));
    [[unroll]] for (int k = 0; k < G_FILTER_ROWS; k++) v[k] = inside[k] ? v[k] : 0u;
    set_stack(depth, v);
    return;
  }
  uint at = depth;
  if (op == G_FLOOD) {
    v = uvec4(i.value);
  } else {
    bool two = op >= G_COMPOSITE && op <= G_OVER;
    at = depth - (two ? 2u : 1u);
    uvec4 u = stack_at(at), t = stack_at(depth - 1u);
    // Turned by a place each time, so that the code is there once.
    [[dont_unroll]] for (int k = 0; k < G_FILTER_ROWS; k++) {
      v = uvec4(v.yzw, pixel_of(op, i.value, u.x, t.x));
      u = u.yzwx;
      t = t.yzwx;
    }
  }
  [[unroll]] for (int k = 0; k < G_FILTER_ROWS; k++) v[k] = inside[k] ? v[k] : 0u;
  set_stack(at, v);
}

// Leaves the pixels in stack0.
void run_program(uint w) {
  uint count = words[w];
  for (uint i = 0u; i < count; i++) run_instruction(g_instruction_at(w + 1u + i * G_INSTRUCTION_WORDS));
}
