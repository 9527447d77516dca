// Draws a chart with an axis, bars, a line and labels, and writes chart.png. Fonts are the system's, or the file that
// is named first. Build: cc chart.c $(pkg-config --cflags --libs stijl)
#include <stdio.h>
#include <stijl/stijl.h>
#include <string.h>

enum { WIDTH = 480, HEIGHT = 240, LEFT = 40, TOP = 20, BOTTOM = 200, FIRST = 2020, YEARS = 4, TOP_VALUE = 30 };

static const float sold[YEARS] = {12, 17, 23, 29};  // thousands
static const float grown[YEARS] = {8, 19, 16, 25};  // tons

// --- From data to places ---

static float year_x(int year) { return LEFT + (WIDTH - 2 * LEFT) * ((float)year + 0.5f) / YEARS; }
static float value_y(float value) { return BOTTOM - (BOTTOM - TOP) * value / TOP_VALUE; }

// --- The parts ---

// Draws the grid. Lines upon whole pixels and a half are sharp.
static void draw_grid(stijl_scene *scene, stijl_path *path) {
  stijl_path_clear(path);
  for (int value = 0; value <= TOP_VALUE; value += 10) {
    float y = value_y((float)value) - 0.5f;
    stijl_path_move_to(path, LEFT, y);
    stijl_path_line_to(path, WIDTH - LEFT, y);
  }
  stijl_stroke hair = STIJL_STROKE_INIT;
  stijl_paint grey = stijl_paint_solid((stijl_color){0.85f, 0.85f, 0.85f, 1});
  stijl_scene_stroke(scene, path, &hair, NULL, &grey);
}

// Draws the bars, which are one path, whose gradient goes over the whole chart.
static void draw_bars(stijl_scene *scene, stijl_path *path) {
  stijl_path_clear(path);
  for (int i = 0; i < YEARS; i++)
    stijl_path_add_round_rect(path, year_x(i) - 30, value_y(sold[i]), 60, BOTTOM - value_y(sold[i]), 3, 3);
  stijl_stop stops[] = {{0, {0.2f, 0.5f, 0.9f, 1}}, {1, {0.7f, 0.85f, 1, 1}}};
  stijl_paint water = stijl_paint_linear((stijl_point){0, TOP}, (stijl_point){0, BOTTOM}, stops, 2);
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &water);
}

static void draw_line(stijl_scene *scene, stijl_path *path) {
  stijl_path_clear(path);
  stijl_path_move_to(path, year_x(0), value_y(grown[0]));
  for (int i = 1; i < YEARS; i++) stijl_path_line_to(path, year_x(i), value_y(grown[i]));
  stijl_stroke line = STIJL_STROKE_INIT;
  line.width = 3;
  line.join = STIJL_JOIN_ROUND;
  line.cap = STIJL_CAP_ROUND;
  stijl_paint red = stijl_paint_solid((stijl_color){0.85f, 0.2f, 0.2f, 1});
  stijl_scene_stroke(scene, path, &line, NULL, &red);
}

// Draws a label, which is centred by its own width.
static stijl_result draw_label(stijl_scene *scene, stijl_fonts *fonts, const char *words, float x, float y,
                               stijl_message *message) {
  stijl_text_style style = STIJL_TEXT_STYLE_INIT;
  style.families = "DejaVu Sans, sans-serif";
  style.font_size = 14;
  stijl_text *text = NULL;
  stijl_result result = stijl_text_create(NULL, fonts, &text);
  if (result == STIJL_OK) result = stijl_text_append(text, words, strlen(words), &style);
  if (result == STIJL_OK) result = stijl_text_layout(text, NULL, message);
  float width = 0;
  if (result == STIJL_OK) stijl_text_size(text, &width, NULL);
  stijl_matrix place = stijl_matrix_translate(x - width / 2, y);
  stijl_paint ink = stijl_paint_solid((stijl_color){0.2f, 0.2f, 0.2f, 1});
  if (result == STIJL_OK) stijl_scene_text(scene, text, &place, &ink);
  stijl_text_destroy(text);
  return result;
}

// --- The picture ---

static stijl_result record(stijl_scene *scene, stijl_fonts *fonts, stijl_message *message) {
  stijl_path *path = NULL;
  stijl_path_create(NULL, &path);
  draw_grid(scene, path);
  draw_bars(scene, path);
  draw_line(scene, path);
  stijl_path_destroy(path);
  stijl_result result = STIJL_OK;
  char words[16];
  for (int value = 0; value <= TOP_VALUE && result == STIJL_OK; value += 10) {
    snprintf(words, sizeof words, "%d", value);
    result = draw_label(scene, fonts, words, LEFT / 2, value_y((float)value) - 8, message);
  }
  for (int i = 0; i < YEARS && result == STIJL_OK; i++) {
    snprintf(words, sizeof words, "%d", FIRST + i);
    result = draw_label(scene, fonts, words, year_x(i), BOTTOM + 8, message);
  }
  return result == STIJL_OK ? stijl_scene_finish(scene) : result;
}

static bool to_file(void *user, const void *data, size_t bytes) { return fwrite(data, 1, bytes, user) == bytes; }

static stijl_result write_png(const char *name, const stijl_scene *scene, stijl_message *message) {
  static unsigned char pixels[HEIGHT][WIDTH * 4];
  stijl_target target = STIJL_TARGET_INIT;
  target.width = WIDTH, target.height = HEIGHT, target.pixels = pixels, target.stride = sizeof pixels[0];
  stijl_render_params white = STIJL_RENDER_PARAMS_INIT;
  white.background = (stijl_color){1, 1, 1, 1};
  stijl_renderer *renderer = NULL;
  stijl_result result = stijl_renderer_create(NULL, NULL, &renderer, message);
  if (result == STIJL_OK) result = stijl_render(renderer, scene, &target, &white, message);
  stijl_renderer_destroy(renderer);
  FILE *out = result == STIJL_OK ? fopen(name, "wb") : NULL;
  if (result == STIJL_OK && !out) return STIJL_ERROR_IO;
  if (out)
    result = stijl_png_encode(NULL, WIDTH, HEIGHT, target.format, pixels, target.stride, NULL, to_file, out, message);
  if (out && fclose(out) != 0) result = STIJL_ERROR_IO;
  return result;
}

int main(int argc, char **argv) {
  stijl_message message = {""};
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = argc < 2;
  stijl_fonts *fonts = NULL;
  stijl_scene *scene = NULL;
  stijl_result result = stijl_fonts_create(NULL, &params, &fonts, &message);
  if (result == STIJL_OK && argc > 1) result = stijl_fonts_add_file(fonts, argv[1], &message);
  if (result == STIJL_OK) result = stijl_scene_create(NULL, NULL, &scene);
  if (result == STIJL_OK) result = record(scene, fonts, &message);
  if (result == STIJL_OK) result = write_png("chart.png", scene, &message);
  if (result != STIJL_OK) fprintf(stderr, "chart: %s: %s\n", stijl_result_string(result), message.text);
  stijl_scene_destroy(scene);
  stijl_fonts_destroy(fonts);
  return result == STIJL_OK ? 0 : 1;
}
