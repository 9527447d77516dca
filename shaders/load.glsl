// Shaders load the structures of gpu/layout.h and of the kernel 16 bytes at a time: as members they would take four
// accesses each, since scalar block layout promises a device no more than 4 bytes. Here (and for pens in flatten.comp,
// for paints in fine.comp), and nowhere else, is where the members are in those words: one after the other, as the
// headers declare them. tests/gpu/layout.c compares the offsets. What is loaded and not used costs nothing, as drivers
// leave it out.
g_path g_path_of(uvec4 a, uvec4 b) {
  vec4 m = uintBitsToFloat(a);
  vec2 shift = uintBitsToFloat(b.xy);
  return g_path(k_matrix(m.x, m.y, m.z, m.w, shift.x, shift.y), b.z, b.w);
}
#define g_path_at(i) g_path_of(paths[(i) * G_PATH_QUADS], paths[(i) * G_PATH_QUADS + 1u])

g_record g_record_of(uvec4 a, uvec4 b, uvec4 c) {
  return g_record(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, int(c.z), int(c.w));
}
#define g_record_at(i)                                                                        \
  g_record_of(records[(i) * G_RECORD_QUADS], records[(i) * G_RECORD_QUADS + 1u], \
              records[(i) * G_RECORD_QUADS + 2u])

// The device pixel that is the region's corner, for shaders with the constant SHEET.
#define g_origin_of(record) (SHEET ? ivec2((record).origin_x, (record).origin_y) : ivec2(P.region_x, P.region_y))

g_word g_word_of(uvec4 a) { return g_word(a.x, a.y, a.z, a.w); }
uvec4 g_word_quad(g_word w) { return uvec4(w.touched, w.rank, w.kind0, w.kind1); }
#define g_word_at(i) g_word_of(words[i])

g_tile g_tile_of(uvec4 a, uvec4 b) { return g_tile(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w); }
uvec4 g_tile_quad(uint draw, uint place, uint row_first, uint row_count) {
  return uvec4(draw, place, row_first, row_count);
}
// Without the exits, which are not known before resolve.
#define g_tile_at(i) g_tile_of(tiles[(i) * G_TILE_QUADS], uvec4(0u))
#define g_exits_at(i) tiles[(i) * G_TILE_QUADS + 1u]

g_command g_command_of(uvec4 a) { return g_command(a.x, a.y, a.z, a.w); }
uvec4 g_command_quad(g_command c) { return uvec4(c.info, c.color, c.place, c.draw); }
#define g_command_at(i) g_command_of(commands[i])

// A span has `words` words; the first three are those of a g_span.
#define g_span_at(i, words) \
  g_span(blocks[P.span + (i) * (words)], blocks[P.span + (i) * (words) + 1u], blocks[P.span + (i) * (words) + 2u])
#define g_glyph_word(i, word) blocks[P.span + (i) * G_GLYPH_SPAN_WORDS + (word)]
#define g_glyph_span_at(i)                                                                                   \
  g_glyph_span(g_glyph_word(i, 0u), g_glyph_word(i, 1u), g_glyph_word(i, 2u), int(g_glyph_word(i, 3u)),      \
               int(g_glyph_word(i, 4u)), uintBitsToFloat(g_glyph_word(i, 5u)),                               \
               uintBitsToFloat(g_glyph_word(i, 6u)), uintBitsToFloat(g_glyph_word(i, 7u)),                   \
               uintBitsToFloat(g_glyph_word(i, 8u)))
#define g_small_at(i)                                                             \
  g_small(blocks[P.small_block + (i) * G_SMALL_WORDS],                 \
          blocks[P.small_block + (i) * G_SMALL_WORDS + 1u], \
          blocks[P.small_block + (i) * G_SMALL_WORDS + 2u])

#ifdef WEBGPU
g_params g_params_of(uvec4 a, uvec4 b, uvec4 c, uvec4 d, uvec4 e, uvec4 f, uvec4 g, uvec4 h) {
  return g_params(a.x, a.y, a.z, g_needs(a.w, b.x, b.y, b.z, b.w, c.x, c.y), c.z, c.w, d.x, d.y, d.z, d.w, e.x, e.y,
                  e.z, e.w, f.x, f.y, f.z, f.w, int(g.x), int(g.y), g.z, g.w, h.x, h.y, h.z);
}
#endif
