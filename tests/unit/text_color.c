// Colour glyphs in the texts of text.h (tests/fonts/make.py tells what they look like). What they have to look like is
// what SVG documents make of them.
#include <math.h>
#include <pthread.h>
#include <stddef.h>

#include "svg_draw.h"
#include "test.h"

static stijl_fonts *open_fonts(void) {
  static const char *const files[] = {"stijl-color.ttf", "stijl-pixels.ttf", "stijl-strike.ttf", "stijl-broken.ttf",
                                      "stijl-variable.ttf"};
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = false;
  stijl_fonts *fonts = NULL;
  CHECK_INT(stijl_fonts_create(NULL, &params, &fonts, NULL), STIJL_OK);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    CHECK_INT(stijl_fonts_add_file(fonts, sj_test_font(files[i]), NULL), STIJL_OK);
  return fonts;
}

// Numbers that floats have: 1/32 pixel for each of 1000 units.
static stijl_text_style style_of(const char *family) {
  stijl_text_style style = STIJL_TEXT_STYLE_INIT;
  style.families = family;
  style.font_size = 31.25f;
  return style;
}

static stijl_text *make(stijl_fonts *fonts, const char *letters, const stijl_text_style *style) {
  stijl_text *text = NULL;
  stijl_message message = {""};
  CHECK_INT(stijl_text_create(NULL, fonts, &text), STIJL_OK);
  CHECK_INT(stijl_text_append(text, letters, strlen(letters), style), STIJL_OK);
  CHECK_INT(stijl_text_layout(text, NULL, &message), STIJL_OK);
  CHECK_STR(message.text, "");
  return text;
}

static stijl_scene *begin(void) {
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  return scene;
}

static void draw_scene(stijl_scene *scene, uint32_t *out) {
  static unsigned char bytes[DRAWN_SIZE * DRAWN_SIZE * 4];
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  stijl_renderer *renderer = NULL;
  stijl_message message = {""};
  params.threads = 1;
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  CHECK_STR(stijl_scene_message(scene), "");
  CHECK_INT(stijl_renderer_create(NULL, &params, &renderer, &message), STIJL_OK);
  stijl_target target = {.size = sizeof target,
                         .width = DRAWN_SIZE,
                         .height = DRAWN_SIZE,
                         .format = STIJL_FORMAT_RGBA8,
                         .pixels = bytes,
                         .stride = DRAWN_SIZE * 4};
  memset(bytes, 0, sizeof bytes);
  CHECK_INT(stijl_render(renderer, scene, &target, NULL, &message), STIJL_OK);
  stijl_renderer_destroy(renderer);
  for (int i = 0; i < DRAWN_SIZE * DRAWN_SIZE; i++) {
    const unsigned char *p = bytes + 4 * i;
    out[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
  }
}

static const stijl_color green = {0.0f, 128.0f / 255.0f, 0.0f, 1.0f};

// Draws a text with its baseline at (4, 33) of what the matrix takes to the picture.
static void draw_text(stijl_fonts *fonts, const char *letters, const stijl_text_style *style, stijl_matrix matrix,
                      const stijl_paint *paint, uint32_t *out) {
  stijl_text *text = make(fonts, letters, style);
  stijl_scene *scene = begin();
  matrix = stijl_matrix_multiply(matrix, stijl_matrix_translate(4, 8));
  stijl_scene_text(scene, text, &matrix, paint);
  draw_scene(scene, out);
  stijl_scene_destroy(scene);
  stijl_text_destroy(text);
}

static bool is_blank(const uint32_t *pixels) {
  for (int i = 0; i < DRAWN_SIZE * DRAWN_SIZE; i++)
    if (pixels[i]) return false;
  return true;
}

// Compares both ways to draw letters; `css` is what the style has besides.
static void check_same(uint64_t n, stijl_fonts *fonts, const char *letters, const stijl_text_style *style,
                       const char *css) {
  static const stijl_matrix matrices[] = {
      {1, 0, 0, 1, 0, 0}, {0.75f, 0.5f, -0.5f, 0.75f, 20, -4}, {-1.5f, 0, 0, 0.5f, 62, 8}, {0.25f, 0, 0, 0.25f, 9, 9}};
  static uint32_t got[DRAWN_SIZE * DRAWN_SIZE];
  static drawn expected;
  static char document[2048];
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.fonts = fonts;
  for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
    const stijl_matrix *m = &matrices[i];
    for (int k = 0; k < 2; k++) {
      stijl_paint paint = stijl_paint_solid(green);
      paint.opacity = k ? 0.5f : 1.0f;
      draw_text(fonts, letters, style, *m, &paint, got);
      snprintf(document, sizeof document,
               SVG("<style>@font-palette-values --p{font-family:'Stijl Color';base-palette:2;"
                   "override-colors:1 blue,1 #ff00ff80}"
                   "@font-palette-values --q{font-family:'Stijl Broken';override-colors:0 yellow}</style>"
                   "<text transform='matrix(%g %g %g %g %g %g)' x='4' y='33' font-family='%s' font-size='31.25' "
                   "fill='green' fill-opacity='%g' style='%s'>%s</text>"),
               (double)m->a, (double)m->b, (double)m->c, (double)m->d, (double)m->e, (double)m->f, style->families,
               (double)paint.opacity, css, letters);
      draw_svg(document, &params, &expected);
      CHECK_INT(expected.result, STIJL_OK);
      CHECK(!is_blank(got));
      if (!sj_test_same_pixels(n, letters, got, expected.pixels, DRAWN_SIZE, DRAWN_SIZE)) return;
    }
  }
}

// Each kind of table, and those that are broken; the glyphs beside them have outlines.
TEST(as_in_documents) {
  static const struct {
    const char *family, *letters;
  } cases[] = {{"Stijl Color", "AV"},  {"Stijl Color", "aBf"},  {"Stijl Color", "be"},   {"Stijl Color", "AAi"},
               {"Stijl Pixels", "e"},  {"Stijl Pixels", "eab"}, {"Stijl Strike", "ee"},  {"Stijl Broken", "AB"},
               {"Stijl Broken", "aV"}, {"Stijl Broken", "Ae"},  {"Stijl Variable", "ba"}};
  if (!have_svg()) SKIP("built without SVG");
  stijl_fonts *fonts = open_fonts();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    stijl_text_style style = style_of(cases[i].family);
    check_same(i, fonts, cases[i].letters, &style, "");
  }
  stijl_fonts_destroy(fonts);
}

TEST(palettes) {
  static const stijl_palette_color colors[] = {
      {1, {0, 0, 1, 1}}, {70000, {1, 1, 1, 1}}, {1, {1, 0, 1, 128.0f / 255.0f}}, {65535, {1, 0, 0, 1}}};
  static const struct {
    int32_t palette;
    size_t colors;
    const char *css;
  } cases[] = {{0, 0, ""},
               {STIJL_PALETTE_LIGHT, 0, "font-palette:light"},
               {STIJL_PALETTE_DARK, 0, "font-palette:dark"},
               {2, 4, "font-palette:--p"},
               {77, 0, "font-palette:normal"}};
  if (!have_svg()) SKIP("built without SVG");
  stijl_fonts *fonts = open_fonts();
  stijl_text_style style = style_of("Stijl Color");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    style.palette = cases[i].palette;
    style.palette_colors = cases[i].colors ? colors : NULL;
    style.palette_color_count = cases[i].colors;
    check_same(i, fonts, "ABe", &style, cases[i].css);
  }
  // Programs from before there were palettes.
  static uint32_t got[DRAWN_SIZE * DRAWN_SIZE];
  stijl_paint paint = stijl_paint_solid(green);
  style.size = offsetof(stijl_text_style, palette);
  style.palette = 2;
  draw_text(fonts, "A", &style, stijl_matrix_identity(), &paint, got);
  CHECK_INT(got[20 * DRAWN_SIZE + 10], RED);
  style.size = sizeof style;
  stijl_text *text = make(fonts, "A", &style);
  style.palette = -3;
  CHECK_INT(stijl_text_append(text, "A", 1, &style), STIJL_ERROR_INVALID_ARGUMENT);
  style.palette = 0;
  style.palette_colors = NULL;
  style.palette_color_count = 1;
  CHECK_INT(stijl_text_append(text, "A", 1, &style), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_text_destroy(text);
  stijl_fonts_destroy(fonts);
}

// Styles of one text each have their own, and paints that are no colour stand for black.
TEST(styles_and_paints) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_fonts *fonts = open_fonts();
  stijl_text_style style = style_of("Stijl Color");
  stijl_text *text = make(fonts, "A", &style);
  style.palette = STIJL_PALETTE_DARK;
  CHECK_INT(stijl_text_append(text, "Ae", 2, &style), STIJL_OK);
  CHECK_INT(stijl_text_layout(text, NULL, NULL), STIJL_OK);
  static uint32_t got[DRAWN_SIZE * DRAWN_SIZE];
  stijl_stop stop = {0.0f, {1, 0, 0, 1}};
  stijl_paint paint = stijl_paint_linear((stijl_point){0, 0}, (stijl_point){1, 0}, &stop, 1);
  stijl_scene *scene = begin();
  stijl_scene_text(scene, text, NULL, &paint);
  draw_scene(scene, got);
  CHECK_INT(got[12 * DRAWN_SIZE + 8], RED);
  CHECK_INT(got[12 * DRAWN_SIZE + 27], BLUE);
  CHECK_INT(got[20 * DRAWN_SIZE + 42], BLACK);
  stijl_scene_destroy(scene);
  stijl_text_destroy(text);
  stijl_fonts_destroy(fonts);
}

// A document of the SVG table asks for the colour of the text by name and as that of the context, and for colours of
// the palette as variables: what it has instead where the palette lacks them counts.
TEST(colours_of_svg_tables) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_fonts *fonts = open_fonts();
  stijl_text_style style = style_of("Stijl Broken");
  stijl_palette_color yellow = {0, {1, 1, 0, 1}};
  static uint32_t got[DRAWN_SIZE * DRAWN_SIZE];
  stijl_paint paint = stijl_paint_solid(green);
  for (int i = 0; i < 2; i++) {
    style.palette_colors = &yellow;
    style.palette_color_count = (size_t)i;
    draw_text(fonts, "ebf", &style, stijl_matrix_identity(), &paint, got);
    CHECK_INT(got[31 * DRAWN_SIZE + 8], GREEN);
    CHECK_INT(got[26 * DRAWN_SIZE + 8], GREEN);
    CHECK_INT(got[21 * DRAWN_SIZE + 8], i ? 0xffff00ffu : RED);
    CHECK_INT(got[31 * DRAWN_SIZE + 20], i ? 0xffff00ffu : RED);
    CHECK_INT(got[26 * DRAWN_SIZE + 20], BLUE);
    CHECK_INT(got[21 * DRAWN_SIZE + 20], BLACK);
    CHECK_INT(got[31 * DRAWN_SIZE + 32], GREEN);
    CHECK_INT(got[26 * DRAWN_SIZE + 32], BLUE);
    CHECK_INT(got[21 * DRAWN_SIZE + 32], BLACK);
    check_same(0, fonts, "ebf", &style, i ? "font-palette:--q" : "");
  }
  stijl_fonts_destroy(fonts);
}

TEST(strokes_leave_them_out) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_fonts *fonts = open_fonts();
  stijl_text_style style = style_of("Stijl Color");
  stijl_paint paint = stijl_paint_solid(green);
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stijl_rect box = {0}, expected = {0};
  static const char *const letters[] = {"AB", "AfB"};
  for (int i = 0; i < 2; i++) {
    stijl_text *text = make(fonts, letters[i], &style);
    stijl_scene *scene = begin();
    stijl_scene_text_stroke(scene, text, &stroke, NULL, &paint);
    CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
    CHECK_INT(stijl_scene_bounds(scene, &box), i ? STIJL_EXTENT_BOUNDED : STIJL_EXTENT_EMPTY);
    // They have outlines all the same.
    stijl_path *path = NULL;
    CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
    CHECK_INT(stijl_text_outline(text, NULL, path), STIJL_OK);
    CHECK(stijl_path_bounds(path, &expected));
    CHECK(expected.x1 - expected.x0 > box.x1 - box.x0 + 20.0f);
    stijl_path_destroy(path);
    stijl_scene_destroy(scene);
    stijl_text_destroy(text);
  }
  stijl_fonts_destroy(fonts);
}

// A glyph is in a scene once, whatever the sizes and colours of the texts that draw it.
TEST(many_are_small) {
  enum { LETTERS = 1000, TEXTS = 10 };
  if (!have_svg()) SKIP("built without SVG");
  stijl_fonts *fonts = open_fonts();
  static char letters[LETTERS + 1];
  for (int i = 0; i < LETTERS; i++) letters[i] = "ABVb"[i % 4];
  stijl_scene *scene = begin();
  uint64_t first = 0;
  for (int i = 0; i < TEXTS; i++) {
    stijl_text_style style = style_of("Stijl Color");
    style.font_size = 10.0f + (float)i;
    stijl_text *text = make(fonts, letters, &style);
    stijl_paint paint = stijl_paint_solid((stijl_color){(float)i / TEXTS, 0, 0, 1});
    stijl_scene_text(scene, text, NULL, &paint);
    stijl_text_destroy(text);
    if (!i) first = stijl_scene_bytes(scene);
  }
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  CHECK(first < 256 * LETTERS);
  CHECK(stijl_scene_bytes(scene) > 64 * LETTERS * TEXTS);
  CHECK(stijl_scene_bytes(scene) < 128 * LETTERS * TEXTS);
  stijl_scene_destroy(scene);
  stijl_fonts_destroy(fonts);
}

// More colours of a text than are kept: what is forgotten is made again.
TEST(more_than_is_kept) {
  enum { COLORS = 5000 };
  if (!have_svg()) SKIP("built without SVG");
  stijl_fonts *fonts = open_fonts();
  stijl_text_style style = style_of("Stijl Broken");
  stijl_text *text = make(fonts, "A", &style);
  stijl_scene *scene = begin();
  for (int i = 0; i < COLORS; i++) {
    stijl_paint paint = stijl_paint_solid((stijl_color){(float)(i & 255) / 255.0f, (float)(i >> 8) / 255.0f, 0, 1});
    stijl_scene_reset(scene);
    stijl_scene_text(scene, text, NULL, &paint);
  }
  static uint32_t got[DRAWN_SIZE * DRAWN_SIZE];
  draw_scene(scene, got);
  // Half of (135, 19, 0).
  CHECK_INT(got[20 * DRAWN_SIZE + 8], 0x440a0080u);
  stijl_scene_destroy(scene);
  stijl_text_destroy(text);
  stijl_fonts_destroy(fonts);
}

typedef struct job {
  const stijl_text *text;
  stijl_scene *scene;
} job;

static void *record(void *user) {
  job *j = user;
  for (int i = 0; i < 50; i++) {
    stijl_paint paint = stijl_paint_solid((stijl_color){(float)i / 50.0f, 0, 0, 1});
    stijl_matrix matrix = stijl_matrix_scale(1.0f + (float)i / 50.0f, 1);
    stijl_scene_text(j->scene, j->text, &matrix, &paint);
  }
  return NULL;
}

// Threads draw one text at a time, and get the same.
TEST(threads) {
  enum { THREADS = 4 };
  if (!have_svg()) SKIP("built without SVG");
  stijl_fonts *fonts = open_fonts();
  stijl_text_style style = style_of("Stijl Color");
  stijl_text *text = make(fonts, "ABVbe", &style);
  style.families = "Stijl Pixels";
  CHECK_INT(stijl_text_append(text, "ei", 2, &style), STIJL_OK);
  CHECK_INT(stijl_text_layout(text, NULL, NULL), STIJL_OK);
  static uint32_t got[THREADS][DRAWN_SIZE * DRAWN_SIZE];
  pthread_t threads[THREADS];
  job jobs[THREADS];
  for (int i = 0; i < THREADS; i++) {
    jobs[i] = (job){text, begin()};
    CHECK_INT(pthread_create(&threads[i], NULL, record, &jobs[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    draw_scene(jobs[i].scene, got[i]);
    stijl_scene_destroy(jobs[i].scene);
  }
  CHECK(!is_blank(got[0]));
  for (int i = 1; i < THREADS; i++) CHECK(memcmp(got[i], got[0], sizeof got[0]) == 0);
  stijl_text_destroy(text);
  stijl_fonts_destroy(fonts);
}

// What cannot be drawn fails the scene; a budget that has ended ends drawing.
TEST(failures) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_fonts *fonts = open_fonts();
  stijl_text_style style = style_of("Stijl Color");
  stijl_text *text = make(fonts, "AB", &style);
  stijl_paint paint = stijl_paint_solid(green);
  stijl_matrix broken = {0, 0, 0, 0, INFINITY, 0};
  stijl_scene *scene = begin();
  stijl_scene_text(scene, text, &broken, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_scene_reset(scene);
  paint.opacity = NAN;
  stijl_scene_text(scene, text, NULL, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_scene_reset(scene);
  stijl_scene_text(scene, text, NULL, NULL);
  CHECK_INT(stijl_scene_finish(scene), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_scene_reset(scene);
  paint.opacity = 1.0f;
  broken = (stijl_matrix){0, 0, 0, 0, 0, 0};
  stijl_scene_text(scene, text, &broken, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_text_destroy(text);

  stijl_budget *budget = NULL;
  CHECK_INT(stijl_budget_create(NULL, NULL, &budget), STIJL_OK);
  CHECK_INT(stijl_text_create(stijl_budget_context(budget), fonts, &text), STIJL_OK);
  CHECK_INT(stijl_text_append(text, "ABVb", 4, &style), STIJL_OK);
  CHECK_INT(stijl_text_layout(text, NULL, NULL), STIJL_OK);
  stijl_budget_cancel(budget);
  stijl_scene_reset(scene);
  stijl_scene_text(scene, text, NULL, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_ERROR_CANCELLED);
  stijl_budget_restart(budget);
  stijl_scene_reset(scene);
  stijl_scene_text(scene, text, NULL, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_text_destroy(text);
  stijl_budget_destroy(budget);
  stijl_scene_destroy(scene);
  stijl_fonts_destroy(fonts);
}
