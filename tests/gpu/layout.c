// The structures that C and GLSL share: where the shaders' SPIR-V says that members are, and where the C compiler put
// them. A structure's members are named in the shader's debug names; in buffers and push constants they have offsets,
// and elsewhere, where shaders load structures by load.glsl, an order, in which members of 32 bits follow one another.
#include <stddef.h>
#include <stdlib.h>

#include "css/vulkan.h"
#include "gpu/filter_layout.h"
#include "gpu/pipeline.h"
#include "gpu/ramps.h"
#include "gpu/resident.h"
#include "gpu/transfer.h"
#include "kernel/filter.h"
#include "kernel/filter_noise.h"
#include "kernel/paint.h"
#include "kernel/pen.h"
#include "kernel/scene.h"
#include "test.h"

typedef struct member {
  const char *type, *name;
  size_t offset, end;  // of the member, and of the structure
} member;

#define M(type, name) \
  { #type, #name, offsetof(type, name), sizeof(type) }
#define M2(type, a, b) M(type, a), M(type, b)
#define M3(type, a, b, c) M2(type, a, b), M(type, c)
#define M4(type, a, b, c, d) M2(type, a, b), M2(type, c, d)
// clang-format off
static const member members[] = {
    M3(k_segment, flags, point, next),
    M4(k_pen, a, b, c, d), M4(k_pen, ia, ib, ic, id), M3(k_pen, from_path, half_width, miter_limit),
    M4(k_pen, radius, arc_density, cap, join),
    M4(k_paint, kind, spread_x, spread_y, sampling), M4(k_paint, color, source, width, height), M(k_paint, m),
    M4(k_paint, fx, fy, fr, dx), M4(k_paint, dy, dr, a, inverse_a), M2(k_paint, stride, unused),
    M3(k_matrix, a, b, c), M3(k_matrix, d, e, f), M2(k_vec, x, y),
    M3(g_record, info, box0, box1), M3(g_record, tile0, tile1, color), M4(g_record, words, word, row, outer),
    M2(g_record, origin_x, origin_y), M3(g_path, matrix, pen, flags), M3(g_span, draw, item, shift),
    M3(g_glyph_span, draw, item, shift), M2(g_glyph_span, x, y), M4(g_glyph_span, a, b, c, d),
    M3(g_small, draw, segment, segment_count), M4(g_word, touched, rank, kind0, kind1),
    M4(g_tile, draw, place, row_first, row_count), M4(g_tile, exit0, exit1, exit2, exit3),
    M4(g_command, info, color, place, draw), M2(g_list, first, count),
    M4(g_needs, tiles, edges, small, commands), M3(g_needs, shares, words, crowded), M2(g_control, counted, done),
    M3(g_control, cover_x, cover_y, cover_z), M3(g_control, resolve_x, resolve_y, resolve_z),
    M2(g_control, items0, items1), M3(g_control, rows, small, most),
    M4(g_source, draw, segment, segment_count, lines), M4(g_source, box, transform, pen, paint), M(g_source, unused),
    M3(g_transform, matrix, unused0, unused1), M2(g_pen_use, reach, bend), M2(g_paint_use, info, color),
    M4(k_box, x0, y0, x1, y1), M4(k_pixels, x0, y0, x1, y1),
    M4(g_encoding, view, region, draws, turns), M4(g_encoding, write, flags, words, windings),
    M4(g_encoding, most, paint_use, at_once0, at_once1), M3(g_encoding, shares0, shares1, rows_at_once),
    M4(g_encoding, block1, span0, span1, rank_block), M(g_encoding, small_block),
    M4(g_params, draws, items, rows, capacity), M3(g_params, width, height, tiles_x),
    M3(g_params, stride, bins_x, bins), M3(g_params, segments_at_once, rows_at_once, edges_at_once),
    M4(g_params, flatten_block, span, rank_block, small), M4(g_params, small_block, region_x, region_y, background),
    M4(g_params, flags, open, first_tile, spill_levels),
    M2(g_ramp_params, ramps, pieces), M4(g_transfer, width, height, first, stride), M4(g_transfer, format, load, own_stride, capacity),
    M2(g_picture, base, stride), M4(g_picture, x0, y0, x1, y1), M4(g_item, group, columns, word, flags),
    M2(g_item, from, to), M3(g_instruction, op, value, picture), M4(g_blur_words, reach, window, scale, edge),
    M3(g_blur_words, from, to, part), M3(g_filter_params, item, items, groups),
    M4(g_blur_axis, reach, boxes, scale, weights), M4(g_convolve_words, columns, rows, target_x, target_y),
    M3(g_convolve_words, bias, preserve_alpha, edge), M4(g_convolve_words, x0, y0, x1, y1),
    M3(g_displace_words, map, scale_x, scale_y), M2(g_displace_words, channel_x, channel_y),
    M4(g_light_words, x0, y0, x1, y1), M(g_light_words, light), M2(k_filter_light, kind, specular),
    M3(k_filter_light, surface, constant, exponent), M3(k_filter_light, r, g, b),
    M4(k_filter_light, position, axis, focus, cone), M3(k_vec3, x, y, z), M3(k_noise_params, to_noise, octaves, fractal),
    M3(k_noise_params, stitched, wrap_x, wrap_y), M2(k_noise_params, width, height),
    M4(k_filter_tile, from, to, period, first), M(k_filter_tile, bits), M4(k_filter_row, r, g, b, a), M(k_filter_row, one),
    M4(k_filter_matrix, r, g, b, a), M4(k_filter_arithmetic, k1, k2, k3, k4),
    M4(m_element, parent, previous, name, id),
    M4(m_element, first_class, class_count, first_attribute, attribute_count),
    M4(m_detail, space, flags, states_low, states_high), M4(m_detail, index, index_last, type_index, type_index_last),
    M3(m_attribute, space, name, value), M2(m_candidate, rank, node), M4(m_node, first_test, test_count, key_kind, key),
    M3(m_node, parent, combinator, above), M2(m_tests, first, count), M4(m_test, kind, a, b, c), M(m_test, d),
    M3(m_unit, start, count, offset), M4(m_control, total_low, total_high, exhausted, unused),
    M4(m_params, first_unit, end_unit, units, windows), M4(m_params, ranks, atoms, set_words, order_first),
    M4(m_params, capacity, out_first, max_steps, units_at_once), M(m_params, sums),
};
// clang-format on
enum { MEMBERS = sizeof members / sizeof *members };

static bool seen[MEMBERS];

// SPIR-V's OpName, OpMemberName, OpMemberDecorate and OpTypeStruct.
enum { NAME = 5, MEMBER_NAME = 6, MEMBER_DECORATE = 72, TYPE_STRUCT = 30, OFFSET = 35 };

static const char *name_of(const sj_vk_shader *s, uint32_t id) {
  for (size_t i = 5; i < s->bytes / 4; i += s->words[i] >> 16)
    if ((s->words[i] & 0xffff) == NAME && s->words[i + 1] == id) return (const char *)&s->words[i + 2];
  return "";
}

// Returns the name or the offset of a structure's member; NULL: it has none.
static const uint32_t *about(const sj_vk_shader *s, uint32_t operation, uint32_t id, uint32_t index) {
  for (size_t i = 5; i < s->bytes / 4; i += s->words[i] >> 16)
    if ((s->words[i] & 0xffff) == operation && s->words[i + 1] == id && s->words[i + 2] == index &&
        (operation == MEMBER_NAME || s->words[i + 3] == OFFSET))
      return &s->words[i + (operation == MEMBER_NAME ? 3 : 4)];
  return NULL;
}

static void check_member(const sj_vk_shader *s, const char *type, const char *name, bool placed, size_t offset) {
  for (int i = 0; i < MEMBERS; i++) {
    if (strcmp(members[i].type, type) != 0 || strcmp(members[i].name, name) != 0) continue;
    seen[i] = true;
    // What has no offsets is only looked at in its order, as far as members have 32 bits.
    if (members[i].offset != offset)
      sj_test_fail(s->name, 0, "%s.%s is at %zu, %s at %zu", type, name, members[i].offset,
                   placed ? "the shader has it" : "in the shader's order it comes", offset);
    return;
  }
  sj_test_fail(s->name, 0, "%s.%s is not known here", type, name);
}

// Returns where C has the member after the one at `offset`, or the end.
static size_t next_of(const char *type, size_t offset) {
  size_t next = offset;
  for (int i = 0; i < MEMBERS; i++) {
    if (strcmp(members[i].type, type) != 0) continue;
    if (next == offset) next = members[i].end;
    if (members[i].offset > offset && members[i].offset < next) next = members[i].offset;
  }
  return next;
}

// Returns whether a structure crosses: of the kernel's those do that are listed above; others are the shaders' own.
static bool crosses(const char *type) {
  if (strncmp(type, "g_", 2) == 0 || strncmp(type, "m_", 2) == 0) return true;
  for (int i = 0; i < MEMBERS; i++)
    if (strcmp(members[i].type, type) == 0) return true;
  return false;
}

static void check_shader(const sj_vk_shader *s) {
  for (size_t i = 5; i < s->bytes / 4; i += s->words[i] >> 16) {
    const char *type = (s->words[i] & 0xffff) == TYPE_STRUCT ? name_of(s, s->words[i + 1]) : "";
    if (!crosses(type)) continue;
    size_t offset = 0;
    for (uint32_t k = 0; k + 2 < s->words[i] >> 16; k++) {
      const char *name = (const char *)about(s, MEMBER_NAME, s->words[i + 1], k);
      const uint32_t *at = about(s, MEMBER_DECORATE, s->words[i + 1], k);
      if (at) offset = *at;
      check_member(s, type, name ? name : "", at != NULL, offset);
      offset = next_of(type, offset);
    }
  }
}

TEST(offsets) {
  for (int stage = 0; stage < SJ_STAGES; stage++)
    for (uint32_t variant = 0; variant < 2; variant++) {
      sj_vk_shader s =
          sj_shader_of((sj_stage)stage, variant ? SJ_FEATURE_WIDE | SJ_FEATURE_FEW_BINS : 0, variant ? 8 : 4);
      check_shader(&s);
    }
  check_shader(&sj_transfer_shader);
  check_shader(&sj_encode_shader);
  check_shader(&sj_ramp_shader);
  for (uint32_t kind = 0; kind < G_ITEMS; kind++) {
    sj_vk_shader s = sj_filter_shader_of(kind);
    check_shader(&s);
  }
  for (int i = 0; i < SJ_CSS_SHADERS; i++) check_shader(&sj_css_shaders[i]);
  for (int i = 0; i < MEMBERS; i++)
    if (!seen[i]) sj_test_fail(members[i].type, i, "no shader has %s", members[i].name);
}
