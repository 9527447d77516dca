// Draws a word in each palette of a colour font, and with a colour of its own, into palettes.png.
// palettes FONT [WORD]: the font has a table COLR, as tests/fonts/stijl-color.ttf has, whose letters are A, B, V, a, b.
// Build: cc palettes.c $(pkg-config --cflags --libs stijl)
#include <stdio.h>
#include <stijl/stijl.h>
#include <stijl/text.h>
#include <string.h>

enum { WIDTH = 720, HEIGHT = 240, ROWS = 4 };

static bool to_file(void *user, const void *data, size_t bytes) { return fwrite(data, 1, bytes, user) == bytes; }

// Draws a line with its top left corner at a point.
static stijl_result draw_line(stijl_scene *scene, stijl_fonts *fonts, const char *words, const stijl_text_style *style,
                              float x, float y, const stijl_paint *ink, stijl_message *message) {
  stijl_text *text = NULL;
  stijl_result result = stijl_text_create(NULL, fonts, &text);
  if (result == STIJL_OK) result = stijl_text_append(text, words, strlen(words), style);
  if (result == STIJL_OK) result = stijl_text_layout(text, NULL, message);
  unsigned missing = result == STIJL_OK ? stijl_text_missing(text) : 0;
  if (missing) {
    snprintf(message->text, sizeof message->text, "the font has no U+%04X: name a WORD of its letters", missing);
    result = STIJL_ERROR_INVALID_ARGUMENT;
  }
  stijl_matrix place = stijl_matrix_translate(x, y);
  if (result == STIJL_OK) stijl_scene_text(scene, text, &place, ink);
  stijl_text_destroy(text);
  return result;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr,
            "usage: palettes FONT [WORD]\n"
            "FONT is a colour font with a table COLR: tests/fonts/stijl-color.ttf of stijl's sources, or Bungee Spice\n"
            "(https://fonts.google.com/specimen/Bungee+Spice)\n");
    return 1;
  }
  stijl_message message = {""};
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = false;
  stijl_fonts *fonts = NULL;
  stijl_result result = stijl_fonts_create(NULL, &params, &fonts, &message);
  if (result == STIJL_OK) result = stijl_fonts_add_file(fonts, argv[1], &message);

  stijl_text_style style = STIJL_TEXT_STYLE_INIT;
  style.font_size = 48;
  stijl_palette_color own[] = {{0, {0.9f, 0.1f, 0.5f, 1}}};
  stijl_paint ink = stijl_paint_solid((stijl_color){0.1f, 0.1f, 0.2f, 1});
  stijl_scene *scene = NULL;
  stijl_scene_create(NULL, NULL, &scene);
  for (int row = 0; row < ROWS && result == STIJL_OK; row++) {
    style.palette = row == 1 ? STIJL_PALETTE_LIGHT : row == 2 ? STIJL_PALETTE_DARK : 0;
    style.palette_colors = own;
    style.palette_color_count = row == 3 ? sizeof own / sizeof *own : 0;
    result = draw_line(scene, fonts, argc > 2 ? argv[2] : "ABVb", &style, 10, 60.0f * (float)row, &ink, &message);
  }
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

  FILE *out = result == STIJL_OK ? fopen("palettes.png", "wb") : NULL;
  if (out)
    result = stijl_png_encode(NULL, WIDTH, HEIGHT, target.format, pixels, target.stride, NULL, to_file, out, NULL);
  if (result == STIJL_OK && !out) result = STIJL_ERROR_IO;
  if (out && fclose(out) != 0) result = STIJL_ERROR_IO;
  if (result != STIJL_OK) fprintf(stderr, "palettes: %s: %s\n", stijl_result_string(result), message.text);

  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
  stijl_fonts_destroy(fonts);
  return result == STIJL_OK ? 0 : 1;
}
