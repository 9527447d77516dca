// Any bytes as a font: described, matched, shaped with, along a line and from top to bottom, and drawn.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "stijl/fonts.h"
#include "stijl/text.h"

uint64_t fuzz_complete;

#ifdef STIJL_HAVE_TEXT
#include "base/budget.h"
#include "text/color.h"
#include "text/shape.h"

static stijl_context *context;  // of this input

static void demand(bool condition) {
  if (!condition) abort();
}

static void draw(sj_face *face, uint32_t glyph, stijl_path *path) {
  const stijl_matrix matrix = {0.01f, 0.0f, 0.0f, -0.01f, 3.0f, 4.0f};
  stijl_path_clear(path);
  bool drawn = sj_face_outline(face, context, glyph, &matrix, path);
  const stijl_point *points;
  size_t count = stijl_path_points(path, &points);
  demand(!drawn || count > 0);
  static const uint32_t colors[] = {1, 0x0000ffffu, 300, 0xffu};
  static const sj_palette palettes[] = {
      {0}, {.base = SJ_PALETTE_LIGHT}, {.base = SJ_PALETTE_DARK}, {.number = 2, .colors = colors, .color_count = 2}};
  sj_color_picture picture;
  for (size_t i = 0; face->has_color && i < sizeof palettes / sizeof *palettes; i++) {
    if (!sj_color_glyph(face, context, context, glyph, 0x80ff00ffu, &palettes[i], &picture)) continue;
    demand(!picture.scene == (picture.document.count > 0));
    stijl_scene_destroy(picture.scene);
    sj_array_finish(context, &picture.document);
  }
  for (size_t i = 0; i < count; i++) demand(fabsf(points[i].x) <= 1e9f && fabsf(points[i].y) <= 1e9f);
}

static void shape(stijl_fonts *fonts, const char *utf8, const sj_shape_style *style, bool vertical, stijl_path *path) {
  uint32_t *text, count;
  if (!sj_decode_utf8(context, utf8, strlen(utf8), &text, NULL, &count)) return;
  sj_shape_span span = {.end = count, .style = *style};
  sj_shaped shaped;
  bool good = sj_shape(fonts, context, text, count, &span, 1, SJ_BASE_LTR, NULL, vertical, &shaped);
  demand(good || sj_budget_memory_left(context) < 1 << 25 || sj_fonts_refusals(fonts));
  uint32_t at = 0;
  for (size_t i = 0; i < shaped.items.count && good; i++) {
    const sj_item *item = &shaped.items.data[i];
    demand(item->first == at && item->end > at && item->end <= count);
    at = item->end;
    for (uint32_t g = 0; g < item->glyph_count; g++) {
      const sj_glyph *glyph = &shaped.glyphs.data[item->first_glyph + g];
      demand(glyph->cluster >= item->first && glyph->cluster < item->end);
      if (g < 64) draw(item->face, glyph->id, path);
    }
  }
  demand(!good || !shaped.items.count || at == count);
  sj_shaped_finish(&shaped);
  sj_free(context, text);
}

// Draws a text as an application does.
static void draw_text(stijl_fonts *fonts) {
  static const char letters[] = "ABVabefi.";
  stijl_text *text;
  stijl_scene *scene;
  if (stijl_text_create(context, fonts, &text)) return;
  if (stijl_scene_create(context, NULL, &scene)) {
    stijl_text_destroy(text);
    return;
  }
  stijl_text_style style = STIJL_TEXT_STYLE_INIT;
  style.palette = STIJL_PALETTE_DARK;
  stijl_paint paint = stijl_paint_solid((stijl_color){0.5f, 1.0f, 0.0f, 0.5f});
  if (!stijl_text_append(text, letters, sizeof letters - 1, &style) && !stijl_text_layout(text, NULL, NULL)) {
    stijl_scene_text(scene, text, NULL, &paint);
    stijl_scene_text(scene, text, &(stijl_matrix){0.5f, 0.25f, -0.5f, 0.5f, 1.0f, 2.0f}, &paint);
  }
  stijl_result result = stijl_scene_finish(scene);
  demand(result == STIJL_OK || result == STIJL_ERROR_LIMIT || result == STIJL_ERROR_INVALID_ARGUMENT ||
         result == STIJL_ERROR_OUT_OF_MEMORY);
  stijl_scene_destroy(scene);
  stijl_text_destroy(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = false;
  params.max_memory = 1 << 26;
  stijl_fonts *fonts = NULL;
  stijl_path *path = NULL;
  fuzz_memory memory;
  context = fuzz_memory_begin(&memory, (size_t)1 << (20 + size % 6));
  if (stijl_fonts_create(context, &params, &fonts, NULL) || stijl_path_create(context, &path) ||
      stijl_fonts_add_memory(fonts, data, size, NULL)) {
    stijl_path_destroy(path);
    stijl_fonts_destroy(fonts);
    fuzz_memory_end(&memory);
    return 0;
  }
  static const sj_axis_value axes[] = {{HB_TAG('w', 'g', 'h', 't'), 637.0f}, {HB_TAG('s', 'l', 'n', 't'), -5.0f}};
  static const hb_feature_t features[] = {{HB_TAG('s', 'm', 'c', 'p'), 1, 0, (unsigned)-1}};
  sj_shape_style style = {.font = {.families = "Stijl Test, serif",
                                   .families_length = 17,
                                   .weight = (float)(size % 10 * 100 + 1),
                                   .stretch = 100.0f,
                                   .slant = (sj_slant)(size % 3),
                                   .axes = axes,
                                   .axis_count = size % 2 ? 2 : 0},
                          .features = features,
                          .feature_count = size % 4 == 1};
  sj_face *face = sj_fonts_face(fonts, &style.font);
  if (face) {
    fuzz_complete++;
    shape(fonts, "Stijl draws text: Bb fi ffi AVA Va \xc3\xa9 e\xcc\x81 0123", &style, false, path);
    shape(fonts, "A \xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xd7\x90\xd7\x91.", &style, false,
          path);
    shape(fonts, "A\xe4\xb8\x80\xe3\x80\x81 e", &style, true, path);
    for (uint32_t glyph = 0; glyph < face->glyph_count && glyph < 64; glyph++) draw(face, glyph, path);
    draw_text(fonts);
  }
  stijl_path_destroy(path);
  stijl_fonts_destroy(fonts);
  fuzz_memory_end(&memory);
  return 0;
}
#else
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return 0; }
#endif
