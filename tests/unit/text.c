// Paragraphs of text.h, in a font of plain boxes (tests/fonts/make.py tells their sizes) at 10: A is 6 wide, a
// blank 2.5.
#include <math.h>

#include "stijl/stijl.h"
#include "test.h"

static stijl_fonts *fonts;

static stijl_text *make(const char *utf8, const stijl_text_params *params) {
  stijl_fonts_params fonts_params = STIJL_FONTS_PARAMS_INIT;
  fonts_params.system = false;
  stijl_text *text;
  if (stijl_fonts_create(NULL, &fonts_params, &fonts, NULL)) return NULL;
  CHECK_INT(stijl_fonts_add_file(fonts, sj_test_font("stijl.ttc"), NULL), STIJL_OK);
  CHECK_INT(stijl_text_create(NULL, fonts, &text), STIJL_OK);
  stijl_text_style style = STIJL_TEXT_STYLE_INIT;
  style.families = "Stijl Test";
  style.font_size = 10.0f;
  CHECK_INT(stijl_text_append(text, utf8, strlen(utf8), &style), STIJL_OK);
  stijl_message message;
  CHECK_INT(stijl_text_layout(text, params, &message), STIJL_OK);
  return text;
}

static void end(stijl_text *text) {
  stijl_text_destroy(text);
  stijl_fonts_destroy(fonts);
}

static void check_lines(const stijl_text *text, const char *utf8, const char *const *expected, size_t count) {
  const stijl_text_line *lines;
  CHECK_INT(stijl_text_lines(text, &lines), count);
  for (size_t i = 0; i < count && i < stijl_text_lines(text, &lines); i++) {
    char got[64] = "";
    snprintf(got, sizeof got, "%.*s", (int)(lines[i].end - lines[i].start), utf8 + lines[i].start);
    CHECK_STR(got, expected[i]);
  }
}
#define CHECK_LINES(text, utf8, ...)                                 \
  do {                                                               \
    static const char *const lines_[] = {__VA_ARGS__};               \
    check_lines(text, utf8, lines_, sizeof lines_ / sizeof *lines_); \
  } while (0)

TEST(one_line) {
  static const char utf8[] = "AB A";
  stijl_text *text = make(utf8, NULL);
  const stijl_glyph *glyphs;
  const stijl_text_line *lines;
  CHECK_LINES(text, utf8, "AB A");
  CHECK_INT(stijl_text_glyphs(text, &glyphs), 4);
  CHECK_NEAR(glyphs[1].x, 6, 1e-5);
  CHECK_NEAR(glyphs[3].x, 13.5, 1e-5);
  CHECK_NEAR(glyphs[3].y, 8, 1e-5);
  CHECK_INT(glyphs[3].cluster, 3);
  CHECK_STR(stijl_text_font_family(text, glyphs[0].font), "Stijl Test");
  stijl_text_lines(text, &lines);
  CHECK_NEAR(lines[0].width, 19.5, 1e-5);
  float width, height;
  stijl_text_size(text, &width, &height);
  CHECK_NEAR(width, 19.5, 1e-5);
  CHECK_NEAR(height, 10, 1e-5);
  end(text);
}

TEST(lines_are_broken_where_unicode_allows) {
  static const char utf8[] = "AA BB-AA AAAAAA\n\nB";
  stijl_text_params params = STIJL_TEXT_PARAMS_INIT;
  params.width = 26.0f;
  stijl_text *text = make(utf8, &params);
  CHECK_LINES(text, utf8, "AA ", "BB-AA ", "AAAA", "AA", "", "B");
  end(text);
}

// All that Unicode ends lines by (UAX 14, LB4 and LB5).
TEST(lines_end_where_unicode_demands) {
  static const char utf8[] =
      "A\r\nB\rA\vB\fA\xc2\x85"
      "B\xe2\x80\xa8"
      "A\xe2\x80\xa9"
      "B\r\n";
  stijl_text *text = make(utf8, NULL);
  CHECK_LINES(text, utf8, "A", "B", "A", "B", "A", "B", "A", "B", "");
  end(text);
}

TEST(alignment) {
  static const struct {
    stijl_align align;
    float x, second;  // of the first line, and of its second word
  } cases[] = {{STIJL_ALIGN_START, 0, 8.5},
               {STIJL_ALIGN_RIGHT, 5.5, 14},
               {STIJL_ALIGN_END, 5.5, 14},
               {STIJL_ALIGN_CENTER, 2.75, 11.25},
               {STIJL_ALIGN_JUSTIFY, 0, 14}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    stijl_text_params params = STIJL_TEXT_PARAMS_INIT;
    params.width = 20.0f;
    params.align = cases[i].align;
    stijl_text *text = make("A A A", &params);
    const stijl_glyph *glyphs;
    CHECK_INT(stijl_text_glyphs(text, &glyphs), 5);
    CHECK_NEAR(glyphs[0].x, cases[i].x, 1e-5);
    CHECK_NEAR(glyphs[2].x, cases[i].second, 1e-5);
    end(text);
  }
}

TEST(what_is_left_out_is_shown) {
  static const char utf8[] = "AA AA AA AA";
  stijl_text_params params = STIJL_TEXT_PARAMS_INIT;
  params.width = 20.0f;
  params.max_lines = 2;
  params.ellipsis = "\xe2\x80\xa6";
  stijl_text *text = make(utf8, &params);
  const stijl_text_line *lines;
  const stijl_glyph *glyphs;
  CHECK_LINES(text, utf8, "AA ", "AA");
  stijl_text_lines(text, &lines);
  CHECK_NEAR(lines[1].width, 19, 1e-5);
  size_t count = stijl_text_glyphs(text, &glyphs);
  CHECK_NEAR(glyphs[count - 1].x, 12, 1e-5);
  CHECK_NEAR(glyphs[count - 1].advance, 7, 1e-5);
  end(text);
}

TEST(carets_and_hits_agree) {
  static const char utf8[] = "Afi \xd7\x90\xd7\x91 B\nA";  // a ligature, two letters from right to left
  stijl_text *text = make(utf8, NULL);
  static const struct {
    size_t offset;
    float x;
  } cases[] = {{0, 0}, {1, 6}, {2, 8.25}, {3, 10.5}, {4, 23}, {6, 17.5}, {8, 23}, {9, 25.5}, {10, 30.5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    stijl_caret caret;
    CHECK(stijl_text_caret(text, cases[i].offset, &caret));
    CHECK_INT(caret.line, 0);
    CHECK_NEAR(caret.x, cases[i].x, 1e-4);
    CHECK_NEAR(caret.y1 - caret.y0, 10, 1e-4);
  }
  CHECK_INT(stijl_text_hit(text, -5, 3), 0);
  CHECK_INT(stijl_text_hit(text, 8.5, 3), 2);
  CHECK_INT(stijl_text_hit(text, 17, 3), 6);
  CHECK_INT(stijl_text_hit(text, 99, 3), 10);
  CHECK_INT(stijl_text_hit(text, 99, 13), 12);
  stijl_caret caret;
  CHECK(stijl_text_caret(text, 12, &caret));
  CHECK_INT(caret.line, 1);
  CHECK_NEAR(caret.x, 6, 1e-4);
  end(text);
}

TEST(paragraphs_from_right_to_left) {
  stijl_text_params params = STIJL_TEXT_PARAMS_INIT;
  params.width = 50.0f;
  stijl_text *text = make("\xd7\x90\xd7\x91 A", &params);  // alef 5.5, bet 4.5
  const stijl_glyph *glyphs;
  CHECK_INT(stijl_text_glyphs(text, &glyphs), 4);
  CHECK_NEAR(glyphs[0].x, 31.5, 1e-4);
  CHECK_INT(glyphs[0].cluster, 5);
  CHECK_INT(glyphs[3].cluster, 0);
  CHECK_NEAR(glyphs[3].x, 44.5, 1e-4);
  end(text);
}

TEST(outlines_are_drawn) {
  stijl_text *text = make("A", NULL);
  stijl_path *path;
  stijl_rect box;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  CHECK_INT(stijl_text_outline(text, NULL, path), STIJL_OK);
  CHECK(stijl_path_bounds(path, &box));
  CHECK_NEAR(box.x0, 0.5, 1e-5);
  CHECK_NEAR(box.x1, 5.5, 1e-5);
  CHECK_NEAR(box.y0, 1, 1e-5);
  CHECK_NEAR(box.y1, 8, 1e-5);
  stijl_path_destroy(path);
  stijl_scene *scene;
  stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  stijl_stroke stroke = STIJL_STROKE_INIT;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  stijl_scene_text(scene, text, NULL, &paint);
  stijl_scene_text_stroke(scene, text, &stroke, NULL, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  CHECK_INT(stijl_scene_bounds(scene, &box), STIJL_EXTENT_BOUNDED);
  stijl_scene_destroy(scene);
  end(text);
}

TEST(hostile_arguments) {
  stijl_text_style style = STIJL_TEXT_STYLE_INIT;
  stijl_text *text = make("", NULL);
  CHECK_INT(stijl_text_lines(text, NULL), 0);
  style.font_size = NAN;
  CHECK_INT(stijl_text_append(text, "a", 1, &style), STIJL_ERROR_INVALID_ARGUMENT);
  style.font_size = 1.0f;
  style.weight = 0.0f;
  CHECK_INT(stijl_text_append(text, "a", 1, &style), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_text_params params = STIJL_TEXT_PARAMS_INIT;
  params.width = -1.0f;
  CHECK_INT(stijl_text_layout(text, &params, NULL), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_text_hit(text, 1, 1), 0);
  end(text);
}

// Random characters at random widths: every glyph in a line, every offset with a caret, every character in some line.
TEST(random_text) {
  static const char *const parts[] = {
      "A", "B ",   "fi",           "\xd7\x90",     "\xd7\x91 ",        "e\xcc\x81", "\n", "\xe4\xb8\x80",
      "-", "\xff", "\xe2\x80\xae", "\xe2\x80\xac", "\xf0\x9f\x98\x80", " ",         "1"};
  for (uint64_t n = 0; sj_test_cases(&n, 200); n++) {
    sj_random r = sj_random_seed(n);
    char utf8[256] = "";
    for (int i = sj_random_int(&r, 0, 40); i > 0; i--)
      strcat(utf8, parts[sj_random_int(&r, 0, sizeof parts / sizeof *parts)]);
    stijl_text_params params = STIJL_TEXT_PARAMS_INIT;
    params.width = sj_random_float(&r, 0.0f, 60.0f);
    params.align = (stijl_align)sj_random_int(&r, 0, 6);
    params.direction = (stijl_direction)sj_random_int(&r, 0, 3);
    params.max_lines = (uint32_t)sj_random_int(&r, 0, 4);
    params.ellipsis = sj_random_int(&r, 0, 2) ? "..." : NULL;
    stijl_text *text = make(utf8, &params);
    const stijl_text_line *lines;
    const stijl_glyph *glyphs;
    size_t count = stijl_text_lines(text, &lines), at = 0;
    for (size_t i = 0; i < count; i++) {
      CHECK_INT(lines[i].first_glyph, at);
      CHECK(lines[i].start <= lines[i].end && lines[i].end <= strlen(utf8));
      if (i && lines[i].start < lines[i - 1].end)
        sj_test_fail(__FILE__, __LINE__, "case %d: line %zu of \"%s\" starts at %zu before %zu", (int)n, i, utf8,
                     lines[i].start, lines[i - 1].end);
      at += lines[i].glyph_count;
    }
    CHECK_INT(stijl_text_glyphs(text, &glyphs), at);
    for (size_t i = 0; i < at; i++) CHECK(isfinite(glyphs[i].x) && isfinite(glyphs[i].y));
    for (size_t i = 0; i <= strlen(utf8); i++) {
      stijl_caret caret;
      CHECK_INT(stijl_text_caret(text, i, &caret), count > 0);
    }
    end(text);
  }
}

// The faces of what was added, whether or not text has asked for any.
TEST(faces_of_fonts) {
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = false;
  CHECK_INT(stijl_fonts_create(NULL, &params, &fonts, NULL), STIJL_OK);
  stijl_font_face face = STIJL_FONT_FACE_INIT;
  CHECK_INT(stijl_fonts_get_face(fonts, 0, &face), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_fonts_add_file(fonts, sj_test_font("stijl-bold.ttf"), NULL), STIJL_OK);
  CHECK_INT(stijl_fonts_get_face(fonts, 0, &face), STIJL_OK);
  CHECK_STR(face.family, "Stijl Test");
  CHECK_STR(face.path, sj_test_font("stijl-bold.ttf"));
  CHECK_NEAR(face.weight_min, 700, 0);
  CHECK(!face.italic);
  CHECK_INT(stijl_fonts_get_face(fonts, 1, &face), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_fonts_add_file(fonts, sj_test_font("stijl-variable.ttf"), NULL), STIJL_OK);
  CHECK_INT(stijl_fonts_get_face(fonts, 1, &face), STIJL_OK);
  CHECK(face.weight_min < face.weight_max);
  face.size = 0;
  CHECK_INT(stijl_fonts_get_face(fonts, 1, &face), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_fonts_destroy(fonts);
}
