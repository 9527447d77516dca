// Text in scenes: characters with styles, laid out.
#include <stijl/text.h>

#include "web.h"

stijl_text *WEB(text_create)(stijl_fonts *fonts) {
  stijl_text *text = NULL;
  web_result = stijl_text_create(web_context, fonts, &text);
  web_error.text[0] = 0;
  return text;
}
void WEB(text_destroy)(stijl_text *text) { stijl_text_destroy(text); }
// Appends to a text. Texts that are absent are NULL.
int WEB(text_append)(stijl_text *text, const char *utf8, size_t length, const char *families, float font_size,
                     float weight, float stretch, int slant, float letter_spacing, float word_spacing,
                     float line_height, const char *language, const char *features, const char *variations,
                     int palette) {
  stijl_text_style style = STIJL_TEXT_STYLE_INIT;
  style.families = families;
  style.font_size = font_size;
  style.weight = weight;
  style.stretch = stretch;
  style.slant = (stijl_font_slant)slant;
  style.letter_spacing = letter_spacing;
  style.word_spacing = word_spacing;
  style.line_height = line_height;
  style.language = language;
  style.features = features;
  style.variations = variations;
  style.palette = palette;
  web_error.text[0] = 0;
  return (int)stijl_text_append(text, utf8, length, &style);
}
int WEB(text_layout)(stijl_text *text, float width, int align, int direction, uint32_t max_lines,
                     const char *ellipsis) {
  stijl_text_params params = STIJL_TEXT_PARAMS_INIT;
  params.width = width;
  params.align = (stijl_align)align;
  params.direction = (stijl_direction)direction;
  params.max_lines = max_lines;
  params.ellipsis = ellipsis;
  return (int)stijl_text_layout(text, &params, &web_error);
}
// Leaves two floats in web_scratch. Returns the first character that no font has.
uint32_t WEB(text_size)(const stijl_text *text) {
  float *out = web_scratch(2 * sizeof *out);
  if (out) stijl_text_size(text, out, out + 1);
  return stijl_text_missing(text);
}
size_t WEB(text_lines)(const stijl_text *text) {
  const stijl_text_line *lines;
  return stijl_text_lines(text, &lines);
}
// Leaves seven doubles in web_scratch: start, end; x, baseline, width, ascent, descent.
int WEB(text_line)(const stijl_text *text, size_t index) {
  const stijl_text_line *lines;
  double *out = web_scratch(7 * sizeof *out);
  if (!out || index >= stijl_text_lines(text, &lines)) return 0;
  const stijl_text_line *line = lines + index;
  const double values[7] = {(double)line->start, (double)line->end,    (double)line->x,      (double)line->baseline,
                            (double)line->width, (double)line->ascent, (double)line->descent};
  for (int i = 0; i < 7; i++) out[i] = values[i];
  return 1;
}
// Leaves five doubles in web_scratch: x, y0, y1, the line, whether what follows runs to the left.
int WEB(text_caret)(const stijl_text *text, size_t offset) {
  stijl_caret caret;
  double *out = web_scratch(5 * sizeof *out);
  if (!out || !stijl_text_caret(text, offset, &caret)) return 0;
  const double values[5] = {(double)caret.x, (double)caret.y0, (double)caret.y1, caret.line, caret.right_to_left};
  for (int i = 0; i < 5; i++) out[i] = values[i];
  return 1;
}
size_t WEB(text_hit)(const stijl_text *text, float x, float y) { return stijl_text_hit(text, x, y); }
int WEB(text_outline)(const stijl_text *text, const stijl_matrix *matrix, stijl_path *path) {
  web_error.text[0] = 0;
  return (int)stijl_text_outline(text, matrix, path);
}
void WEB(scene_text)(stijl_scene *scene, const stijl_text *text, const stijl_matrix *matrix) {
  stijl_scene_text(scene, text, matrix, &web_paint);
}
void WEB(scene_text_stroke)(stijl_scene *scene, const stijl_text *text, const stijl_matrix *matrix, float width,
                            int cap, int join, float miter_limit, const float *dashes, size_t dash_count,
                            float dash_offset, const stijl_matrix *pen) {
  stijl_stroke stroke = web_stroke(width, cap, join, miter_limit, dashes, dash_count, dash_offset, pen);
  stijl_scene_text_stroke(scene, text, &stroke, matrix, &web_paint);
}
