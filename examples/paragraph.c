// Lays out a paragraph of two styles, marks the character under a point, and writes paragraph.png. Fonts are the
// system's, or the file that is named first. Build: cc paragraph.c $(pkg-config --cflags --libs stijl)
#include <stdio.h>
#include <stijl/stijl.h>
#include <stijl/text.h>
#include <string.h>

enum { WIDTH = 420, HEIGHT = 200 };

static bool to_file(void *user, const void *data, size_t bytes) { return fwrite(data, 1, bytes, user) == bytes; }

static stijl_result append(stijl_text *text, const char *words, const stijl_text_style *style) {
  return stijl_text_append(text, words, strlen(words), style);
}

int main(int argc, char **argv) {
  stijl_message message = {""};
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = argc < 2;  // with a font that is named, the picture is the same on every machine
  stijl_fonts *fonts = NULL;
  stijl_result result = stijl_fonts_create(NULL, &params, &fonts, &message);
  if (result == STIJL_OK && argc > 1) result = stijl_fonts_add_file(fonts, argv[1], &message);

  stijl_text *text = NULL;
  stijl_text_style plain = STIJL_TEXT_STYLE_INIT, strong;
  plain.families = "DejaVu Serif, serif";
  plain.font_size = 22;
  strong = plain;
  strong.weight = 700;
  stijl_text_params lines = STIJL_TEXT_PARAMS_INIT;
  lines.width = WIDTH - 40;
  lines.align = STIJL_ALIGN_JUSTIFY;
  lines.max_lines = 3;
  lines.ellipsis = "...";
  if (result == STIJL_OK) result = stijl_text_create(NULL, fonts, &text);
  if (result == STIJL_OK) result = append(text, "A paragraph is broken into lines ", &plain);
  if (result == STIJL_OK) result = append(text, "where Unicode allows it, ", &strong);
  if (result == STIJL_OK)
    result = append(
        text, "in both directions (\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d), and what does not fit is left out, as is this.",
        &plain);
  if (result == STIJL_OK) result = stijl_text_layout(text, &lines, &message);
  unsigned missing = result == STIJL_OK ? stijl_text_missing(text) : 0;
  if (missing) fprintf(stderr, "paragraph: no font has U+%04X, in whose place a box is drawn\n", missing);

  // The caret that is nearest to a point, as for a click.
  stijl_caret caret = {0};
  size_t offset = stijl_text_hit(text, 150, 40);
  stijl_path *bar = NULL;
  stijl_path_create(NULL, &bar);
  if (stijl_text_caret(text, offset, &caret)) stijl_path_add_rect(bar, caret.x - 1, caret.y0, 2, caret.y1 - caret.y0);

  stijl_scene *scene = NULL;
  stijl_scene_create(NULL, NULL, &scene);
  stijl_matrix place = stijl_matrix_translate(20, 20);
  stijl_paint ink = stijl_paint_solid((stijl_color){0.1f, 0.1f, 0.2f, 1}),
              red = stijl_paint_solid((stijl_color){0.8f, 0, 0, 1});
  if (result == STIJL_OK) stijl_scene_text(scene, text, &place, &ink);
  stijl_scene_fill(scene, bar, STIJL_FILL_NONZERO, &place, &red);
  if (result == STIJL_OK) result = stijl_scene_finish(scene);

  static unsigned char pixels[HEIGHT][WIDTH * 4];
  stijl_target target = {.size = sizeof target,
                         .width = WIDTH,
                         .height = HEIGHT,
                         .format = STIJL_FORMAT_RGBA8,
                         .pixels = pixels,
                         .stride = WIDTH * 4};
  stijl_render_params white = STIJL_RENDER_PARAMS_INIT;
  white.background = (stijl_color){1, 1, 1, 1};
  stijl_renderer *renderer = NULL;
  if (result == STIJL_OK) result = stijl_renderer_create(NULL, NULL, &renderer, &message);
  if (result == STIJL_OK) result = stijl_render(renderer, scene, &target, &white, &message);

  FILE *out = result == STIJL_OK ? fopen("paragraph.png", "wb") : NULL;
  if (out)
    result = stijl_png_encode(NULL, WIDTH, HEIGHT, target.format, pixels, target.stride, NULL, to_file, out, NULL);
  if (result == STIJL_OK && !out) result = STIJL_ERROR_IO;
  if (out && fclose(out) != 0) result = STIJL_ERROR_IO;
  if (result == STIJL_OK)
    printf("%zu lines, %zu bytes before the caret\n", stijl_text_lines(text, NULL), offset);
  else
    fprintf(stderr, "paragraph: %s: %s\n", stijl_result_string(result), message.text);

  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
  stijl_path_destroy(bar);
  stijl_text_destroy(text);
  stijl_fonts_destroy(fonts);
  return result == STIJL_OK ? 0 : 1;
}
