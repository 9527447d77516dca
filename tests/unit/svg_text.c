// SVG text: where glyphs and lines go, by fonts of plain boxes (tests/fonts/make.py tells their sizes) and nothing
// else.
#include <math.h>

#include "libraries/harfbuzz.h"
#include "stijl/path.h"
#include "svg_draw.h"
#include "test.h"
#include "text/svg_layout.h"

#define MAX_CHARACTERS 64

typedef struct fixture {
  stijl_fonts *fonts;
  uint32_t characters[MAX_CHARACTERS], count;
  sj_svg_position positions[MAX_CHARACTERS];
  sj_svg_span span;
  sj_svg_text text;
  sj_svg_placed placed;
} fixture;

static stijl_fonts *open_fonts(void) {
  static const char *const files[] = {"stijl.ttc", "stijl-variable.ttf", "stijl-cff.otf", "stijl-bomb.ttf"};
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  stijl_fonts *fonts = NULL;
  params.system = false;
  if (stijl_fonts_create(NULL, &params, &fonts, NULL)) return NULL;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    CHECK_INT(stijl_fonts_add_file(fonts, sj_test_font(files[i]), NULL), STIJL_OK);
  return fonts;
}

// Begins with one span in "Stijl Test" at 100 user units: a font unit is a tenth.
static void begin(fixture *f, const char *utf8) {
  uint32_t *text;
  *f = (fixture){.fonts = open_fonts()};
  CHECK(sj_decode_utf8(sj_context(NULL), utf8, strlen(utf8), &text, NULL, &f->count) && f->count <= MAX_CHARACTERS);
  memcpy(f->characters, text, f->count * sizeof *text);
  sj_free(sj_context(NULL), text);
  for (uint32_t i = 0; i < f->count; i++) f->positions[i] = (sj_svg_position){NAN, NAN, NAN, NAN, NAN};
  f->span = (sj_svg_span){
      .end = f->count,
      .shape = {.font = {.families = "Stijl Test", .families_length = 10, .weight = 400.0f, .stretch = 100.0f}},
      .font_size = 100.0f};
  f->text = (sj_svg_text){
      .characters = f->characters, .positions = f->positions, .count = f->count, .spans = &f->span, .span_count = 1};
}

static void lay_out(fixture *f) { CHECK(sj_svg_layout(f->fonts, sj_context(NULL), &f->text, &f->placed)); }

static void end(fixture *f) {
  sj_svg_placed_finish(&f->placed);
  stijl_fonts_destroy(f->fonts);
}

static void check_origins(const fixture *f, const float (*expected)[2], size_t count) {
  CHECK_INT(f->placed.glyphs.count, count);
  for (size_t i = 0; i < count && i < f->placed.glyphs.count; i++) {
    CHECK_NEAR(f->placed.glyphs.data[i].matrix.e, expected[i][0], 1e-4);
    CHECK_NEAR(f->placed.glyphs.data[i].matrix.f, expected[i][1], 1e-4);
  }
}
#define CHECK_ORIGINS(f, ...)                                    \
  do {                                                           \
    static const float origins[][2] = __VA_ARGS__;               \
    check_origins(f, origins, sizeof origins / sizeof *origins); \
  } while (0)

TEST(advances_kerning_ligatures) {
  fixture f;
  begin(&f, "ABAVfi");
  f.positions[0].x = 10.0f;
  f.positions[0].y = 20.0f;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{10, 20}, {70, 20}, {120, 20}, {170, 20}, {230, 20}});
  CHECK_NEAR(f.placed.glyphs.data[0].matrix.a, 0.1, 1e-6);
  CHECK_NEAR(f.placed.glyphs.data[0].matrix.d, -0.1, 1e-6);
  end(&f);
}

TEST(letter_spacing_breaks_ligatures) {
  fixture f;
  begin(&f, "fiA");
  f.span.letter_spacing = 5.0f;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{0, 0}, {35, 0}, {60, 0}});
  end(&f);
}

TEST(word_spacing_is_for_blanks) {
  fixture f;
  begin(&f, "A B");
  f.span.word_spacing = 7.0f;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{0, 0}, {60, 0}, {92, 0}});
  end(&f);
}

TEST(chunks_and_anchors) {
  fixture f;
  begin(&f, "ABAB");
  f.span.anchor = SJ_ANCHOR_MIDDLE;
  f.positions[0].x = 100.0f;
  f.positions[2].x = 300.0f;
  f.positions[2].y = 50.0f;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{45, 0}, {105, 0}, {245, 50}, {305, 50}});
  sj_svg_placed_finish(&f.placed);
  f.span.anchor = SJ_ANCHOR_END;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{-10, 0}, {50, 0}, {190, 50}, {250, 50}});
  end(&f);
}

TEST(shifts_add_up_and_glyphs_turn) {
  fixture f;
  begin(&f, "BBB");
  f.positions[1].dx = 3.0f;
  f.positions[1].dy = 4.0f;
  f.positions[2].rotate = 90.0f;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{0, 0}, {53, 4}, {103, 4}});
  CHECK_NEAR(f.placed.glyphs.data[2].matrix.b, 0.1, 1e-6);
  end(&f);
}

TEST(text_length_spaces_or_stretches) {
  fixture f;
  begin(&f, "BBB");
  sj_svg_length length = {.first = 0, .end = 3, .length = 200.0f};
  f.text.lengths = &length;
  f.text.length_count = 1;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{0, 0}, {75, 0}, {150, 0}});
  sj_svg_placed_finish(&f.placed);
  length.glyphs = true;
  length.length = 300.0f;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{0, 0}, {100, 0}, {200, 0}});
  CHECK_NEAR(f.placed.glyphs.data[0].matrix.a, 0.2, 1e-6);
  end(&f);
}

TEST(right_to_left_is_mirrored_and_anchored) {
  fixture f;
  begin(&f, "A\xd7\x90\xd7\x91");  // A, alef, bet
  lay_out(&f);
  CHECK_ORIGINS(&f, {{0, 0}, {60, 0}, {105, 0}});
  CHECK_INT(f.placed.glyphs.data[1].character, 2);
  sj_svg_placed_finish(&f.placed);
  f.text.right_to_left = f.span.right_to_left = true;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{-160, 0}, {-115, 0}, {-60, 0}});
  CHECK_INT(f.placed.glyphs.data[2].character, 0);
  end(&f);
}

// dx counts on in the order of the characters, and the anchor is for what it moved apart; its first does not count
// there.
TEST(shifts_are_in_logical_order) {
  fixture f;
  begin(&f, "A\xd7\x90\xd7\x91");
  f.positions[0].x = 10.0f;
  f.positions[0].dx = 5.0f;
  f.positions[2].dx = 7.0f;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{15, 0}, {82, 0}, {120, 0}});
  sj_svg_placed_finish(&f.placed);
  f.span.anchor = SJ_ANCHOR_END;  // of the alef, the last one seen
  lay_out(&f);
  CHECK_ORIGINS(&f, {{-145, 0}, {-78, 0}, {-40, 0}});
  sj_svg_placed_finish(&f.placed);
  f.span.anchor = SJ_ANCHOR_MIDDLE;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{-65, 0}, {2, 0}, {40, 0}});
  end(&f);
}

// What has no x begins where the one before would have ended without its anchor.
TEST(chunks_follow_each_other) {
  fixture f;
  begin(&f, "AB\xd7\x90\xd7\x91");
  f.span.anchor = SJ_ANCHOR_END;
  f.positions[2].y = 20.0f;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{-110, 0}, {-50, 0}, {10, 20}, {55, 20}});
  sj_svg_placed_finish(&f.placed);
  f.span.anchor = SJ_ANCHOR_START;
  f.span.right_to_left = f.text.right_to_left = true;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{-110, 0}, {-50, 0}, {-210, 20}, {-165, 20}});
  end(&f);
}

// Characters are reordered within chunks, and what is embedded goes on in the next one. Controls take no spacing.
TEST(embeddings_go_on_in_the_next_chunk) {
  fixture f;
  begin(&f,
        "B\xe2\x80\xae"
        "ABAB\xe2\x80\xac");
  sj_svg_embedding embedding = {.first = 1, .end = 6, .controls = {0x202e}};
  f.text.embeddings = &embedding;
  f.text.embedding_count = 1;
  f.positions[4].x = 200.0f;
  f.span.letter_spacing = 1.0f;
  lay_out(&f);
  // B BA, BA
  CHECK_ORIGINS(&f, {{0, 0}, {51, 0}, {102, 0}, {200, 0}, {251, 0}});
  CHECK_INT(f.placed.glyphs.data[1].character, 3);
  CHECK_INT(f.placed.glyphs.data[3].character, 5);
  end(&f);
}

TEST(baselines_move_up_and_down) {
  static const struct {
    sj_baseline baseline;
    float y;
  } cases[] = {{SJ_BASELINE_TEXT_BEFORE_EDGE, 80}, {SJ_BASELINE_TEXT_AFTER_EDGE, -20}, {SJ_BASELINE_MIDDLE, 25},
               {SJ_BASELINE_CENTRAL, 30},          {SJ_BASELINE_HANGING, 64},          {SJ_BASELINE_AUTO, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fixture f;
    begin(&f, "A");
    f.span.dominant = cases[i].baseline;
    lay_out(&f);
    CHECK_NEAR(f.placed.glyphs.data[0].matrix.f, cases[i].y, 1e-4);
    end(&f);
  }
  fixture f;
  begin(&f, "A");
  static const sj_baseline_shift shifts[] = {{SJ_SHIFT_SUPER, 0.0f}, {SJ_SHIFT_LENGTH, 5.0f}};
  f.span.shifts = shifts;
  f.span.shift_count = 2;
  lay_out(&f);
  CHECK_NEAR(f.placed.glyphs.data[0].matrix.f, -40, 1e-4);
  end(&f);
}

TEST(lines_go_with_their_text) {
  fixture f;
  begin(&f, "AB");
  f.span.lines[SJ_LINE_UNDER] = f.span.lines[SJ_LINE_THROUGH] = true;
  f.positions[0].x = 10.0f;
  lay_out(&f);
  CHECK_INT(f.placed.lines.count, 2);
  CHECK_NEAR(f.placed.lines.data[0].rect.x1, 110, 1e-4);
  CHECK_NEAR(f.placed.lines.data[0].rect.y0, 7.5, 1e-4);
  CHECK_NEAR(f.placed.lines.data[0].rect.y1, 12.5, 1e-4);
  CHECK_NEAR(f.placed.lines.data[1].rect.y0, -27.5, 1e-4);
  CHECK_NEAR(f.placed.lines.data[0].matrix.e, 10, 1e-4);
  end(&f);
}

TEST(along_a_path) {
  fixture f;
  begin(&f, "BBBB");
  stijl_path *path;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_move_to(path, 0, 0);
  stijl_path_line_to(path, 100, 0);
  stijl_path_line_to(path, 100, 100);
  sj_svg_track track = {.first = 0, .end = 4, .path = path, .start = 50.0f};
  f.text.tracks = &track;
  f.text.track_count = 1;
  lay_out(&f);
  // The middles are at 75, 125, 175; the fourth's, at 225, is beyond the end.
  CHECK_ORIGINS(&f, {{50, 0}, {100, 0}, {100, 50}});
  CHECK_NEAR(f.placed.glyphs.data[1].matrix.b, 0.1, 1e-6);
  stijl_path_destroy(path);
  end(&f);
}

TEST(lines_of_an_inline_size) {
  fixture f;
  begin(&f, "AB AB  A-B");
  f.positions[0].x = 10.0f;
  f.positions[0].y = 20.0f;
  f.positions[3].x = 500.0f;  // does not count
  f.text.inline_size = 250.0f;
  f.span.line_height = 120.0f;
  lay_out(&f);
  // Two words fit into the first line; the blanks at its end are not drawn.
  CHECK_ORIGINS(&f, {{10, 20}, {70, 20}, {120, 20}, {145, 20}, {205, 20}, {10, 140}, {70, 140}, {100, 140}});
  sj_svg_placed_finish(&f.placed);
  f.text.inline_size = 30.0f;  // too narrow for any word
  f.span.anchor = SJ_ANCHOR_END;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{-100, 20}, {-40, 20}, {-100, 140}, {-40, 140}, {-80, 260}, {-20, 260}, {-40, 380}});
  sj_svg_placed_finish(&f.placed);
  f.text.vertical = true;
  f.text.inline_size = 1000.0f;
  lay_out(&f);
  CHECK_INT(f.placed.glyphs.count, 10);
  end(&f);
}

// The paragraph is the whole text: what ends a line stands as it would within one.
TEST(lines_have_the_levels_of_the_paragraph) {
  fixture f;
  begin(&f, "B \xd7\x90\xd7\x91, \xd7\x90\xd7\x91");
  f.span.line_height = 100.0f;
  f.text.inline_size = 260.0f;
  lay_out(&f);
  CHECK_INT(f.placed.glyphs.data[2].character, 4);  // the comma, left of its word
  CHECK_INT(f.placed.glyphs.data[4].character, 2);
  CHECK(f.placed.glyphs.data[5].matrix.f > f.placed.glyphs.data[4].matrix.f);
  end(&f);
}

// Makes a path of lines between points, which is closed.
static stijl_path *polygon(const float (*points)[2], size_t count) {
  stijl_path *path;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_move_to(path, points[0][0], points[0][1]);
  for (size_t i = 1; i < count; i++) stijl_path_line_to(path, points[i][0], points[i][1]);
  stijl_path_close(path);
  return path;
}

static stijl_path *rectangle(float x0, float y0, float x1, float y1) {
  const float points[][2] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
  return polygon(points, 4);
}

// Begins with areas. A line is 120 high, and its baseline 90 below its top: 80 of the em box, and half of 20.
static void begin_areas(fixture *f, const char *utf8) {
  begin(f, utf8);
  f->span.line_height = 120.0f;
  f->positions[0].x = f->positions[0].y = f->positions[2].x = f->positions[1].dy = 500.0f;  // do not count
}

TEST(lines_fill_areas) {
  fixture f;
  begin_areas(&f, "AB AB A-B");
  sj_svg_area areas[] = {{.path = rectangle(10, 20, 260, 145)}, {.path = rectangle(300, 0, 420, 500)}};
  f.text.areas = areas;
  f.text.area_count = 2;
  lay_out(&f);
  // Two words fit into the line of the first area. In the second a word stands alone.
  CHECK_ORIGINS(&f, {{10, 110}, {70, 110}, {120, 110}, {145, 110}, {205, 110}, {300, 90}, {360, 90}, {300, 210}});
  sj_svg_placed_finish(&f.placed);
  f.span.align = SJ_ALIGNED_CENTER;
  f.text.area_count = 1;
  lay_out(&f);
  // What is left has no place.
  CHECK_ORIGINS(&f, {{12.5, 110}, {72.5, 110}, {122.5, 110}, {147.5, 110}, {207.5, 110}});
  sj_svg_placed_finish(&f.placed);
  f.span.align = SJ_ALIGNED_JUSTIFY;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{10, 110}, {70, 110}, {120, 110}, {150, 110}, {210, 110}});
  sj_svg_placed_finish(&f.placed);
  f.span.align = SJ_ALIGNED_BY_ANCHOR;
  f.span.anchor = SJ_ANCHOR_END;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{15, 110}, {75, 110}, {125, 110}, {150, 110}, {210, 110}});
  for (int i = 0; i < 2; i++) stijl_path_destroy((stijl_path *)(uintptr_t)areas[i].path);
  end(&f);
}

// What is excluded parts a line, and what begins below its top leaves no room in it.
TEST(lines_keep_out_of_excluded_areas) {
  fixture f;
  begin_areas(&f, "A A A A A");
  sj_svg_area area = {.path = rectangle(0, 0, 200, 500)};
  sj_svg_area excluded[] = {{.path = rectangle(70, 0, 130, 100)}, {.path = rectangle(0, 270, 100, 290)}};
  f.text.areas = &area;
  f.text.area_count = 1;
  f.text.excluded = excluded;
  f.text.excluded_count = 2;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{0, 90}, {130, 90}, {0, 210}, {60, 210}, {85, 210}, {100, 330}});
  sj_svg_placed_finish(&f.placed);
  // Within 15 of its outline no letter stands, so that the first line has no room.
  excluded[0].distance = 15.0f;
  area.distance = 5.0f;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{5, 215}, {65, 215}, {90, 215}, {100, 335}, {5, 455}, {65, 455}, {90, 455}});
  sj_svg_placed_finish(&f.placed);
  // From right to left the right part comes first.
  excluded[0].distance = area.distance = 0.0f;
  f.text.right_to_left = f.span.right_to_left = true;
  lay_out(&f);
  CHECK_NEAR(f.placed.glyphs.data[0].matrix.e, 140, 1e-4);
  CHECK_NEAR(f.placed.glyphs.data[1].matrix.e, 10, 1e-4);
  stijl_path_destroy((stijl_path *)(uintptr_t)area.path);
  for (int i = 0; i < 2; i++) stijl_path_destroy((stijl_path *)(uintptr_t)excluded[i].path);
  end(&f);
}

// A line moves down by its height until a word fits, and a tenth of it may reach beyond the outline.
TEST(lines_in_slanted_areas) {
  static const float triangle[][2] = {{500, 0}, {1000, 1000}, {0, 1000}};
  fixture f;
  begin_areas(&f, "A A A");
  sj_svg_area area = {.path = polygon(triangle, 3)};
  f.text.areas = &area;
  f.text.area_count = 1;
  lay_out(&f);
  // It is as wide as it is high, and 13.5 below the top of a line is the fifth height that is looked at.
  CHECK_ORIGINS(&f, {{433.25, 210}, {373.25, 330}, {433.25, 330}, {458.25, 330}});
  sj_svg_placed_finish(&f.placed);
  stijl_path_destroy((stijl_path *)(uintptr_t)area.path);
  end(&f);
}

TEST(areas_have_a_fill_rule) {
  static const float star[][2] = {{500, 0}, {800, 1000}, {0, 380}, {1000, 380}, {200, 1000}};
  fixture f;
  begin_areas(&f, "A A A A A A A A A A A A A A A A A A A A A A A A A A A A A A");
  sj_svg_area area = {.path = polygon(star, 5)};
  f.text.areas = &area;
  f.text.area_count = 1;
  f.span.line_height = f.span.font_size = 60.0f;
  for (area.rule = STIJL_FILL_NONZERO; area.rule <= STIJL_FILL_EVENODD; area.rule++) {
    lay_out(&f);
    int within = 0;
    for (size_t i = 0; i < f.placed.glyphs.count; i++) {
      stijl_matrix m = f.placed.glyphs.data[i].matrix;
      within += m.e > 420 && m.e < 560 && m.f > 450 && m.f < 600;
    }
    CHECK_INT(within > 0, area.rule == STIJL_FILL_NONZERO);
    CHECK_NEAR(f.placed.glyphs.data[0].matrix.f, 108, 1e-4);
    sj_svg_placed_finish(&f.placed);
  }
  stijl_path_destroy((stijl_path *)(uintptr_t)area.path);
  end(&f);
}

// Each line is as high as the largest of what is in it and of the text element.
TEST(lines_are_as_high_as_what_is_in_them) {
  fixture f;
  begin_areas(&f, "A A A");
  sj_svg_area area = {.path = rectangle(0, 0, 130, 1000)};
  sj_svg_span spans[2] = {f.span, f.span}, strut = f.span;
  spans[0].end = 4;
  spans[0].font_size = 50.0f;
  spans[0].line_height = 50.0f;
  spans[0].paint = 1;
  f.text.spans = spans;
  f.text.span_count = 2;
  f.text.areas = &area;
  f.text.area_count = 1;
  lay_out(&f);
  CHECK_NEAR(f.placed.glyphs.data[0].matrix.f, 40, 1e-4);
  CHECK_NEAR(f.placed.glyphs.data[f.placed.glyphs.count - 1].matrix.f, 50 + 90, 1e-4);
  sj_svg_placed_finish(&f.placed);
  strut.line_height = 200.0f;
  f.text.strut = &strut;
  lay_out(&f);
  CHECK_NEAR(f.placed.glyphs.data[0].matrix.f, 130, 1e-4);
  CHECK_NEAR(f.placed.glyphs.data[f.placed.glyphs.count - 1].matrix.f, 330, 1e-4);
  stijl_path_destroy((stijl_path *)(uintptr_t)area.path);
  end(&f);
}

// Line feeds end lines, and are no glyphs. In vertical text, lines follow each other from right to left.
TEST(line_feeds_and_vertical_lines) {
  fixture f;
  begin_areas(&f, "A\n\nB");
  sj_svg_area area = {.path = rectangle(0, 0, 300, 1000)};
  f.text.areas = &area;
  f.text.area_count = 1;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{0, 90}, {0, 330}});
  CHECK_INT(f.placed.missing, 0);
  sj_svg_placed_finish(&f.placed);
  f.text.vertical = true;
  lay_out(&f);
  CHECK_NEAR(f.placed.glyphs.data[0].matrix.f, 0, 1e-4);
  CHECK_NEAR(f.placed.glyphs.data[0].matrix.e - f.placed.glyphs.data[1].matrix.e, 240, 1e-4);
  stijl_path_destroy((stijl_path *)(uintptr_t)area.path);
  end(&f);
}

TEST(from_top_to_bottom) {
  fixture f;
  begin(&f,
        "\xe4\xb8\x80"
        "B");
  f.text.vertical = true;
  f.positions[0].x = 200.0f;
  f.positions[0].y = 10.0f;
  lay_out(&f);
  CHECK_INT(f.placed.glyphs.count, 2);
  // The ideograph stands upright with its middle at x = 200, its cell 100 high; the letter lies on its side below it.
  CHECK_NEAR(f.placed.glyphs.data[0].matrix.a, 0.1, 1e-6);
  CHECK_NEAR(f.placed.glyphs.data[0].matrix.e, 150, 1e-4);
  CHECK_NEAR(f.placed.glyphs.data[1].matrix.b, 0.1, 1e-6);
  CHECK_NEAR(f.placed.glyphs.data[1].matrix.f, 110, 1e-4);
  CHECK_NEAR(f.placed.glyphs.data[1].matrix.e, 170, 1e-4);
  end(&f);
}

TEST(axes_move_outlines_and_advances) {
  stijl_fonts *fonts = open_fonts();
  static const float weights[] = {100.0f, 500.0f, 900.0f};
  for (int i = 0; i < 3; i++) {
    sj_font_style style = {
        .families = "Stijl Variable", .families_length = 14, .weight = weights[i], .stretch = 100.0f};
    sj_face *face = sj_fonts_face(fonts, &style);
    hb_codepoint_t glyph = 0;
    stijl_path *path = NULL;
    stijl_rect box;
    const stijl_matrix identity = STIJL_MATRIX_IDENTITY;
    CHECK(face && hb_font_get_nominal_glyph(face->hb, 'A', &glyph) && !stijl_path_create(NULL, &path));
    CHECK_INT(hb_font_get_glyph_h_advance(face->hb, glyph), 600 + 50 * i);
    CHECK(sj_face_outline(face, sj_context(NULL), glyph, &identity, path) && stijl_path_bounds(path, &box));
    CHECK_NEAR(box.x0, 50, 0);
    CHECK_NEAR(box.x1, 550 + 50 * i, 0);
    stijl_path_destroy(path);
  }
  stijl_fonts_destroy(fonts);
}

TEST(collections_and_packed_fonts_are_the_same) {
  static const char *const files[] = {"stijl-regular.ttf", "stijl-regular.woff", "stijl-regular.woff2", "stijl.ttc",
                                      "stijl-cff.otf"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
    stijl_fonts *fonts;
    stijl_path *path = NULL;
    stijl_rect box;
    const stijl_matrix identity = STIJL_MATRIX_IDENTITY;
    params.system = false;
    CHECK(!stijl_fonts_create(NULL, &params, &fonts, NULL) && !stijl_path_create(NULL, &path));
    CHECK_INT(stijl_fonts_add_file(fonts, sj_test_font(files[i]), NULL), STIJL_OK);
    sj_font_style style = {.weight = 400.0f, .stretch = 100.0f};
    sj_face *face = sj_fonts_face(fonts, &style);
    hb_codepoint_t glyph;
    CHECK(face && hb_font_get_nominal_glyph(face->hb, 'A', &glyph));
    CHECK(face && sj_face_outline(face, sj_context(NULL), glyph, &identity, path) && stijl_path_bounds(path, &box));
    CHECK_NEAR(box.x1, 550, 0);
    CHECK_NEAR(box.y1, 700, 0);
    stijl_path_destroy(path);
    stijl_fonts_destroy(fonts);
  }
}

TEST(glyphs_made_of_each_other_end) {
  stijl_fonts *fonts = open_fonts();
  sj_font_style style = {.families = "Stijl Bomb", .families_length = 10, .weight = 400.0f, .stretch = 100.0f};
  sj_face *face = sj_fonts_face(fonts, &style);
  const stijl_matrix identity = STIJL_MATRIX_IDENTITY;
  stijl_path *path;
  CHECK(face && !stijl_path_create(NULL, &path));
  for (uint32_t glyph = 0; glyph < face->glyph_count; glyph++) {
    sj_face_outline(face, sj_context(NULL), glyph, &identity, path);
    stijl_path_clear(path);
  }
  CHECK(face->broken);
  stijl_path_destroy(path);
  stijl_fonts_destroy(fonts);
}

// Layers, graphs, and a document of the SVG table; a letter without colours beside them. The suite has bitmaps.
TEST(colour_glyphs) {
  stijl_fonts_params fonts_params = STIJL_FONTS_PARAMS_INIT;
  fonts_params.system = false;
  stijl_fonts *fonts;
  CHECK(!stijl_fonts_create(NULL, &fonts_params, &fonts, NULL));
  CHECK(!stijl_fonts_add_file(fonts, sj_test_font("stijl-color.ttf"), NULL));
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.fonts = fonts;
  static drawn d;
  if (!have_svg()) SKIP("built without SVG");
  draw_svg(SVG("<text x='4' y='60' font-size='40'>A</text>"
               "<text x='4' y='28' font-size='40'>V</text><text x='34' y='28' font-size='40' fill='green'>a</text>"),
           &params, &d);
  CHECK_INT(d.result, STIJL_OK);
  CHECK_INT(d.warnings, 0);
  CHECK_INT(pixel(&d, 15, 40), RED);
  CHECK_INT(pixel(&d, 7, 58), GREEN);
  CHECK_INT(pixel(&d, 2, 40), 0);
  CHECK_INT(pixel(&d, 33, 40), 0);
  CHECK_INT(pixel(&d, 16, 14), BLUE);
  CHECK_INT(pixel(&d, 6, 4), 0);
  CHECK_INT(pixel(&d, 40, 20), GREEN);
  // B: a sweep within a box; b: one that goes the other way, where there is nothing below.
  draw_svg(SVG("<text x='4' y='28' font-size='40'>B</text><text x='34' y='28' font-size='40'>b</text>"), &params, &d);
  CHECK_INT(d.result, STIJL_OK);
  CHECK_INT(d.warnings, 0);
  CHECK_INT(pixel(&d, 18, 8), RED);
  CHECK_INT(pixel(&d, 9, 8), GREEN);
  CHECK_INT(pixel(&d, 9, 20), BLUE);
  CHECK_INT(pixel(&d, 18, 20), BLUE);
  CHECK_INT(pixel(&d, 9, 1), 0);
  CHECK_INT(pixel(&d, 23, 20), 0);
  CHECK_INT(pixel(&d, 40, 20), RED);
  CHECK_INT(pixel(&d, 40, 10), 0);
  stijl_fonts_destroy(fonts);
}

// A colour glyph is in a scene once, however often it is drawn, in whatever sizes.
TEST(colour_glyphs_are_instances) {
  enum { LINES = 100, LETTERS = 100 };
  if (!have_svg()) SKIP("built without SVG");
  static char text[LINES * (LETTERS + 64)];
  stijl_fonts_params fonts_params = STIJL_FONTS_PARAMS_INIT;
  fonts_params.system = false;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  CHECK(!stijl_fonts_create(NULL, &fonts_params, &params.fonts, NULL));
  CHECK(!stijl_fonts_add_file(params.fonts, sj_test_font("stijl-color.ttf"), NULL));
  stijl_svg *svg = NULL;
  stijl_scene *scene = NULL;
  stijl_message message = {""};
  char *at = text + sprintf(text, "<svg xmlns='http://www.w3.org/2000/svg' font-family='Stijl Color'>");
  for (int i = 0; i < LINES; i++) {
    at += sprintf(at, "<text x='%d' y='%d' font-size='%d'>", i % 7, 10 + 12 * i, 8 + i % 5);
    for (int k = 0; k < LETTERS; k++) *at++ = "ABVb"[(i + k) % 4];
    at += sprintf(at, "</text>");
  }
  strcpy(at, "</svg>");
  CHECK_INT(stijl_svg_load(NULL, text, strlen(text), &params, &svg, &message), STIJL_OK);
  CHECK_INT(stijl_svg_scene(svg, 500, 1300, &scene, &message), STIJL_OK);
  CHECK(stijl_scene_bytes(scene) > 64 * LINES * LETTERS);
  CHECK(stijl_scene_bytes(scene) < 256 * LINES * LETTERS);
  stijl_scene_destroy(scene);
  stijl_svg_destroy(svg);
  stijl_fonts_destroy(params.fonts);
}

// Checks what a text in the colour font is drawn with: A has the first colour of its palette above the second, e that
// of the text.
static void check_palette(stijl_fonts *fonts, const char *rules, const char *text, uint32_t first, uint32_t second,
                          int warnings) {
  static char document[4096];
  static drawn d;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.fonts = fonts;
  snprintf(document, sizeof document, SVG("<style>%s</style><g font-size='40' font-family='Stijl Color'>%s</g>"), rules,
           text);
  draw_svg(document, &params, &d);
  CHECK_INT(d.result, STIJL_OK);
  CHECK_INT(d.warnings, warnings);
  if (pixel(&d, 15, 40) != first || pixel(&d, 7, 58) != second)
    sj_test_fail(rules, 0, "%s has %08x and %08x, not %08x and %08x", text, pixel(&d, 15, 40), pixel(&d, 7, 58), first,
                 second);
}

#define YELLOW 0xffff00ffu
#define WITH(style, letters) "<text x='4' y='60' style='" style "'>" letters "</text>"
#define RULE(name, what) "@font-palette-values " name "{font-family:'Stijl Color';" what "}"

TEST(font_palettes) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_fonts_params fonts_params = STIJL_FONTS_PARAMS_INIT;
  fonts_params.system = false;
  stijl_fonts *fonts;
  CHECK(!stijl_fonts_create(NULL, &fonts_params, &fonts, NULL));
  CHECK(!stijl_fonts_add_file(fonts, sj_test_font("stijl-color.ttf"), NULL));
  static const char named[] = WITH("font-palette:--p", "A");
  static const struct {
    const char *rules, *text;
    uint32_t first, second;
  } cases[] = {
      {"", WITH("font-palette:normal", "A"), RED, GREEN},
      {"", WITH("font-palette:light", "A"), YELLOW, RED},
      {"", WITH("font-palette:DARK", "A"), BLUE, YELLOW},
      {"", "<g font-palette='dark'><text x='4' y='60'>A</text></g>", BLUE, YELLOW},
      // Inherited, set anew, reset by the shorthand.
      {"", WITH("font-palette:dark", "<tspan>A</tspan>"), BLUE, YELLOW},
      {"", WITH("font-palette:dark", "<tspan style=\"font-palette:light\">A</tspan>"), YELLOW, RED},
      {"", WITH("font-palette:dark", "<tspan style=\"font-palette:initial\">A</tspan>"), RED, GREEN},
      {"", WITH("font-palette:dark;font:40px Stijl Color", "A"), RED, GREEN},
      {"", named, RED, GREEN},
      // Rules: by number, by background; a palette that is not there is the first.
      {RULE("--p", "base-palette:1"), named, BLUE, YELLOW},
      {RULE("--p", "base-palette:2"), named, YELLOW, RED},
      {RULE("--p", "base-palette:3"), named, RED, GREEN},
      {RULE("--p", "base-palette:99999999999"), named, RED, GREEN},
      {RULE("--p", "base-palette:light"), named, YELLOW, RED},
      {RULE("--p", "base-palette:dark;base-palette:-1;base-palette:1.0;base-palette:0 0"), named, BLUE, YELLOW},
      {RULE("--p", "base-palette:dark;base-palette:0"), named, RED, GREEN},
      // Of two rules the last counts, and nothing of the other.
      {RULE("--p", "base-palette:1") RULE("--p", "override-colors:1 blue"), named, RED, BLUE},
      {RULE("--p", "base-palette:1") RULE("--P", "base-palette:2"), named, BLUE, YELLOW},
      {RULE("--p", "base-palette:1") "@media print{" RULE("--p", "base-palette:2") "}", named, BLUE, YELLOW},
      {RULE("--p", "base-palette:1") RULE("--p x", "base-palette:2") RULE("'--p'", "base-palette:2"), named, BLUE,
       YELLOW},
      // Only for its families.
      {"@font-palette-values --p{base-palette:1}", named, RED, GREEN},
      {"@font-palette-values --p{font-family:Other;base-palette:1}", named, RED, GREEN},
      {"@font-palette-values --p{font-family:Other, stijl color;base-palette:1}", named, BLUE, YELLOW},
      {RULE("--p", "base-palette:1") "@font-palette-values --p{font-family:Other;base-palette:2}", named, BLUE, YELLOW},
      // Colours in place of the palette's.
      {RULE("--p", "override-colors:0 green"), named, GREEN, GREEN},
      {RULE("--p", "override-colors:1 rgb(0, 0, 255),0 hsl(60 100% 50%)"), named, YELLOW, BLUE},
      {RULE("--p", "base-palette:2;override-colors:1 blue"), named, YELLOW, BLUE},
      {RULE("--p", "override-colors:0 green,1 red,0 blue"), named, BLUE, RED},
      {RULE("--p", "override-colors:3 blue,4000000000 red,65535 blue,1 blue"), named, RED, BLUE},
      {RULE("--p", "override-colors:0 blue;override-colors:0 currentColor"), named, BLUE, GREEN},
      {RULE("--p", "override-colors:0 blue;override-colors:0 green,"), named, BLUE, GREEN},
      {RULE("--p", "override-colors:0 blue;override-colors:-1 green;override-colors:0;override-colors:green"), named,
       BLUE, GREEN},
      {RULE("--p", "override-colors:0 transparent,1 #00f"), named, 0, BLUE},
      // The colour of the text stays.
      {RULE("--p", "override-colors:65535 red"), WITH("font-palette:--p;fill:blue", "e"), BLUE, BLUE},
      // Each palette has its own pictures.
      {RULE("--p", "base-palette:2"),
       "<text x='4' y='28'>A</text><text x='34' y='28' font-palette='dark'>A</text>" WITH("font-palette:--p", "A"),
       YELLOW, RED},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_palette(fonts, cases[i].rules, cases[i].text, cases[i].first, cases[i].second, 0);
  // What is no value changes nothing.
  check_palette(fonts, "", WITH("font-palette:dark;font-palette:dim", "A"), BLUE, YELLOW, 1);
  check_palette(fonts, "", WITH("font-palette:dark;font-palette:--p --q", "A"), BLUE, YELLOW, 1);
  check_palette(fonts, RULE("--", "base-palette:2"), WITH("font-palette:dark;font-palette:--", "A"), BLUE, YELLOW, 1);
  // Of a graph of paints, the colours of its stops.
  static drawn d;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.fonts = fonts;
  draw_svg(SVG("<style>" RULE(
               "--p", "base-palette:2;override-colors:2 blue") "</style>"
                                                               "<text x='4' y='28' font-size='40' font-family='Stijl "
                                                               "Color' font-palette='--p'>B</text>"),
           &params, &d);
  CHECK_INT(pixel(&d, 18, 8), YELLOW);
  CHECK_INT(pixel(&d, 9, 8), RED);
  CHECK_INT(pixel(&d, 9, 20), BLUE);
  stijl_fonts_destroy(fonts);
}

// The paints of a variable font vary.
TEST(colours_of_variable_fonts) {
  stijl_fonts_params fonts_params = STIJL_FONTS_PARAMS_INIT;
  fonts_params.system = false;
  stijl_fonts *fonts;
  CHECK(!stijl_fonts_create(NULL, &fonts_params, &fonts, NULL));
  CHECK(!stijl_fonts_add_file(fonts, sj_test_font("stijl-variable.ttf"), NULL));
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.fonts = fonts;
  static drawn d;
  if (!have_svg()) SKIP("built without SVG");
  draw_svg(SVG("<g font-size='40'><text y='60' font-weight='100'>b</text><text x='24' y='60' "
               "font-weight='900'>b</text></g>"),
           &params, &d);
  CHECK_INT(d.result, STIJL_OK);
  CHECK_INT(d.warnings, 0);
  CHECK_INT(pixel(&d, 4, 58), GREEN);  // (2, 32) to (14, 60)
  CHECK_INT(pixel(&d, 4, 34), GREEN);
  CHECK_INT(pixel(&d, 30, 58), 0);  // (38, 24) to (54, 52)
  CHECK_INT(pixel(&d, 36, 40), 0);
  CHECK_INT(pixel(&d, 40, 26), GREEN);
  CHECK_INT(pixel(&d, 52, 50), GREEN);
  CHECK_INT(pixel(&d, 56, 40), 0);
  CHECK_INT(pixel(&d, 40, 54), 0);
  stijl_fonts_destroy(fonts);
}

// However many glyphs a document has, their outlines are in its scene once, and each takes at most 64 bytes.
TEST(glyphs_are_instances) {
  enum { LINES = 100, LETTERS = 50 };
  if (!have_svg()) SKIP("built without SVG");
  static char text[LINES * (LETTERS + 64)];
  fixture f = {.fonts = open_fonts()};
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.fonts = f.fonts;
  stijl_svg *svg = NULL;
  stijl_scene *scene = NULL;
  stijl_message message = {""};
  char *at = text + sprintf(text, "<svg xmlns='http://www.w3.org/2000/svg' font-family='Stijl Test' font-size='10'>");
  for (int i = 0; i < LINES; i++) {
    at += sprintf(at, "<text x='%d' y='%d'>", i % 7, 10 + 12 * i);
    for (int k = 0; k < LETTERS; k++) *at++ = "ABV"[(i + k) % 3];
    at += sprintf(at, "</text>");
  }
  strcpy(at, "</svg>");
  CHECK_INT(stijl_svg_load(NULL, text, strlen(text), &params, &svg, &message), STIJL_OK);
  CHECK_INT(stijl_svg_scene(svg, 500, 1300, &scene, &message), STIJL_OK);
  CHECK(stijl_scene_bytes(scene) > 16 * LINES * LETTERS);
  CHECK(stijl_scene_bytes(scene) < 64 * LINES * LETTERS);
  // The box of the ink, which is that of plain boxes.
  stijl_rect text_box, ink;
  bool empty = true;
  stijl_svg_node node = STIJL_SVG_NODE_INIT;
  uint32_t first = 0;
  while (first < stijl_svg_nodes(svg) && !stijl_svg_get_node(svg, first, &node) && node.kind != STIJL_SVG_TEXT) first++;
  CHECK_INT(node.kind, STIJL_SVG_TEXT);
  CHECK_INT(stijl_svg_get_box(svg, first, STIJL_SVG_BOX_OBJECT, false, &text_box, &empty), STIJL_OK);
  CHECK_INT(stijl_svg_get_box(svg, first + 1, STIJL_SVG_BOX_STROKE, false, &ink, &empty), STIJL_OK);
  CHECK(!empty && ink.x0 >= text_box.x0 && ink.x1 <= text_box.x1 && ink.y0 > text_box.y0 && ink.y1 <= text_box.y1);
  CHECK(ink.x1 - ink.x0 > 200.0f && ink.y1 - ink.y0 > 2.0f);
  stijl_scene_destroy(scene);
  stijl_svg_destroy(svg);
  stijl_fonts_destroy(f.fonts);
}

// Draws "a", whose small capital is higher, and tells whether that was taken. Without a font of the system.
static drawn shown;
static void draw_words(const char *style, const char *words) {
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  char text[1024];
  params.fonts = open_fonts();
  snprintf(text, sizeof text, SVG("<text y='60' font-family='Stijl Test' style='font-size:60px;%s'>%s</text>"), style,
           words);
  draw_svg(text, &params, &shown);
  CHECK_INT(shown.result, STIJL_OK);
  stijl_fonts_destroy(params.fonts);
}

static bool is_small_capital(const char *style) {
  draw_words(style, "a");
  return pixel(&shown, 12, 28) != 0;
}

TEST(font_variant_asks_for_features) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK(!is_small_capital(""));
  CHECK(is_small_capital("font-variant:small-caps"));
  CHECK(is_small_capital("font-variant-caps:small-caps"));
  CHECK(is_small_capital("font-variant:no-common-ligatures small-caps tabular-nums"));
  CHECK(is_small_capital("font:small-caps 60px Stijl Test"));
  CHECK(!is_small_capital("font-variant-caps:small-caps;font:60px Stijl Test"));
  CHECK(!is_small_capital("font-variant-caps:small-caps;font-variant:normal"));
  CHECK(!is_small_capital("font-variant-caps:small-caps;font-variant:none"));
  CHECK(is_small_capital("font-variant-caps:small-caps;font-variant-ligatures:none"));
  CHECK(!is_small_capital("font-variant-caps:small-caps;font-feature-settings:\"smcp\" 0"));
  // What is not valid changes nothing, and is told.
  CHECK(is_small_capital("font-variant:small-caps;font-variant:small-caps unicase"));
  CHECK_INT(shown.warnings, 1);
  CHECK(!is_small_capital("font-variant-numeric:small-caps"));
  CHECK_INT(shown.warnings, 1);
}

// DejaVu's subset has no small capitals: capitals stand for them, 0.7 as large.
TEST(small_capitals_are_made) {
  fixture f;
  begin(&f,
        "Asl\xc3\x9f"
        "d");
  CHECK_INT(stijl_fonts_add_file(f.fonts, sj_test_font("dejavu.ttf"), NULL), STIJL_OK);
  f.span.shape.font.families = "DejaVu Sans";
  f.span.shape.font.families_length = 11;
  f.span.shape.caps = SJ_CAPS_SMALL;
  lay_out(&f);
  // "A", a small "S", "l" and "d", whose capitals the subset lacks, and between them a small "SS" for the sharp s.
  CHECK_INT(f.placed.glyphs.count, 6);
  float size = f.placed.glyphs.data[0].matrix.a, small = f.placed.glyphs.data[1].matrix.a;
  CHECK_NEAR(small, 0.7f * size, 1e-6);
  CHECK_NEAR(f.placed.glyphs.data[2].matrix.a, size, 0);
  CHECK_NEAR(f.placed.glyphs.data[3].matrix.a, small, 0);
  CHECK_INT(f.placed.glyphs.data[3].glyph, f.placed.glyphs.data[1].glyph);
  CHECK_INT(f.placed.glyphs.data[4].glyph, f.placed.glyphs.data[1].glyph);
  CHECK_INT(f.placed.glyphs.data[4].character, 3);
  CHECK_NEAR(f.placed.glyphs.data[5].matrix.a, size, 0);
  CHECK_INT(f.placed.cells.count, 5);
  uint32_t s = f.placed.glyphs.data[1].glyph;
  sj_svg_placed_finish(&f.placed);
  f.span.shape.caps = SJ_CAPS_ALL_SMALL;
  lay_out(&f);
  CHECK_NEAR(f.placed.glyphs.data[0].matrix.a, small, 0);
  CHECK_NEAR(f.placed.glyphs.data[5].matrix.a, small, 0);
  sj_svg_placed_finish(&f.placed);
  f.span.shape.no_synthesis_caps = true;
  lay_out(&f);
  CHECK_INT(f.placed.glyphs.count, 5);
  CHECK(f.placed.glyphs.data[1].glyph != s);
  end(&f);
}

TEST(font_variant_ligatures) {
  if (!have_svg()) SKIP("built without SVG");
  // "fi" is one box, or two with a gap.
  draw_words("", "fi");
  CHECK(pixel(&shown, 18, 50));
  draw_words("font-variant-ligatures:no-common-ligatures", "fi");
  CHECK(!pixel(&shown, 18, 50));
  draw_words("font-variant:none", "fi");
  CHECK(!pixel(&shown, 18, 50));
}

TEST(font_size_adjust) {
  if (!have_svg()) SKIP("built without SVG");
  draw_words("", "A");
  static drawn plain;
  plain = shown;
  draw_words("font-size:30px;font-size-adjust:cap-height 1.4", "A");
  CHECK(memcmp(plain.pixels, shown.pixels, sizeof plain.pixels) == 0);
  draw_words("font-size-adjust:from-font", "A");
  CHECK(memcmp(plain.pixels, shown.pixels, sizeof plain.pixels) == 0);
  draw_words("font-size-adjust:cap-height 1.4;font-size-adjust:none", "A");
  CHECK(memcmp(plain.pixels, shown.pixels, sizeof plain.pixels) == 0);
  draw_words("font-size-adjust:0", "A");
  CHECK(!pixel(&shown, 12, 50));
}

TEST(inline_size_and_line_height) {
  if (!have_svg()) SKIP("built without SVG");
  // Two lines of 24 pixels, where the second begins at y = 60 - 4 * 6 + 24.
  draw_words("font-size:24px;inline-size:30px;line-height:1;transform:translateY(-24px)", "A B");
  CHECK(pixel(&shown, 5, 30) && pixel(&shown, 5, 55) && !pixel(&shown, 5, 40) && !pixel(&shown, 24, 30));
  draw_words("font-size:24px;inline-size:60px;line-height:1;transform:translateY(-24px)", "A B");
  CHECK(pixel(&shown, 5, 30) && !pixel(&shown, 5, 55) && pixel(&shown, 24, 30));
  draw_words("inline-size:30px;line-height:2em;font:24px/1 Stijl Test;transform:translateY(-24px)", "A B");
  CHECK(pixel(&shown, 5, 30) && pixel(&shown, 5, 55));
}

// Draws text elements in "Stijl Test" at 20 pixels, where a letter is 10 or 12 wide.
static void draw_texts(const char *body) {
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  char text[2048];
  params.fonts = open_fonts();
  snprintf(text, sizeof text, SVG("<g font-family='Stijl Test' font-size='20' style='line-height:1'>%s</g>"), body);
  draw_svg(text, &params, &shown);
  CHECK_INT(shown.result, STIJL_OK);
  stijl_fonts_destroy(params.fonts);
}

// The positions beside shape-inside are for those who do not know it.
TEST(shape_inside) {
  if (!have_svg()) SKIP("built without SVG");
  static drawn lines;
  draw_texts("<text y='16'><tspan x='4' y='16'>AB</tspan><tspan x='4' y='36'>BA</tspan></text>");
  lines = shown;
#define TWO_LINES                                                                             \
  CHECK(memcmp(lines.pixels, shown.pixels, sizeof lines.pixels) == 0 && shown.warnings == 0); \
  CHECK(pixel(&lines, 5, 10) && pixel(&lines, 5, 30))
#define RECT "<defs><rect id='r' x='4' width='30' height='60'/><circle id='c' cx='19' cy='80' r='21'/></defs>"
  draw_texts(RECT "<text style='shape-inside:url(#r)'><tspan x='30' y='60'>AB BA</tspan></text>");
  TWO_LINES;
  draw_texts("<text style='shape-inside:polygon(4px 0, 34px 0, 34px 60px, 4px 60px)'>AB BA</text>");
  TWO_LINES;
  // Of a transform only that of the shape itself counts.
  draw_texts(
      "<g transform='scale(9)'><rect id='r' width='30' height='60' transform='translate(4 0)'/></g>"
      "<path d='M0 0h64v64h-64z' fill='#fff'/><text style='shape-inside:url(#r)'>AB BA</text>");
  CHECK(pixel(&shown, 5, 10) == BLACK && pixel(&shown, 5, 30) == BLACK && pixel(&shown, 5, 50) != BLACK);
  // Each area is filled, in their order, and what is below goes to the next.
  draw_texts(
      "<text style='shape-inside:polygon(4px 20px, 34px 20px, 34px 40px, 4px 40px)polygon(4px 0, 34px 0, 34px "
      "20px, 4px 20px)'>BA AB AA</text>");
  TWO_LINES;
  draw_texts(RECT "<text style='shape-inside:url(#r);shape-subtract:url( \"#c\" )'>AB BA AA</text>");
  CHECK(pixel(&shown, 5, 10) && pixel(&shown, 5, 30) && pixel(&shown, 5, 50));
  draw_texts(RECT
             "<text style='shape-inside:url(#r);shape-subtract:url(#c)'>AB BA AA</text>"
             "<style>#c{shape-margin:9px}</style>");
  TWO_LINES;
  draw_texts(
      "<rect id='r' y='-4' width='38' height='68' fill='none'/>"
      "<text style='shape-inside:url(#r);shape-padding:4px'>AB BA</text>");
  TWO_LINES;
  // Without a shape the positions count.
  draw_texts(
      "<text style='shape-inside:url(#q)' y='16'><tspan x='4' y='16'>AB</tspan><tspan x='4' "
      "y='36'>BA</tspan></text>");
  CHECK(memcmp(lines.pixels, shown.pixels, sizeof lines.pixels) == 0);
  draw_texts(
      "<text style='shape-inside:inset(1px)' y='16'><tspan x='4' y='16'>AB</tspan><tspan x='4' "
      "y='36'>BA</tspan></text>");
  CHECK(memcmp(lines.pixels, shown.pixels, sizeof lines.pixels) == 0 && shown.warnings == 1);
}

TEST(line_feeds_in_wrapped_text) {
  if (!have_svg()) SKIP("built without SVG");
  static const char *const spaces[] = {"pre", "pre-line", "normal"};
  for (int i = 0; i < 3; i++) {
    char text[512];
    snprintf(text, sizeof text, RECT "<text style='shape-inside:url(#r);white-space:%s'>A\n  B</text>", spaces[i]);
    draw_texts(text);
    CHECK(pixel(&shown, 5, 10));
    CHECK_INT(pixel(&shown, 5, 30) != 0, i == 1);  // after two blanks in `pre`
    CHECK_INT(pixel(&shown, 15, 30) != 0, i == 0);
  }
}

// Marks are half as large, and their em boxes stand on those of the letters; blanks have none.
TEST(marks_of_emphasis) {
  fixture f;
  begin(&f, "A B");
  sj_svg_span spans[2] = {f.span, f.span};
  spans[0].mark = 'A';
  spans[0].mark_span = 1;
  f.text.spans = spans;
  f.text.span_count = 2;
  f.text.has_marks = true;
  lay_out(&f);
  CHECK_ORIGINS(&f, {{0, 0}, {60, 0}, {85, 0}, {15, -90}, {95, -90}});
  CHECK_NEAR(f.placed.glyphs.data[3].matrix.a, 0.05, 1e-6);
  CHECK_INT(f.placed.glyphs.data[3].span, 1);
  CHECK_INT(f.placed.glyphs.data[4].character, 2);
  sj_svg_placed_finish(&f.placed);
  spans[0].mark_under = true;
  lay_out(&f);
  CHECK_NEAR(f.placed.glyphs.data[3].matrix.f, 60, 1e-4);
  end(&f);
}

// They have the paint of the text unless they have a colour, and are inherited.
TEST(text_emphasis) {
  if (!have_svg()) SKIP("built without SVG");
#define MARKS(style, x, y, expected)                                                                         \
  draw_texts("<g style=\"" style "\"><text y='40' fill='green' color='blue'>A<tspan> A</tspan></text></g>"); \
  CHECK_INT(pixel(&shown, x, y), expected);                                                                  \
  CHECK_INT(shown.warnings, 0)
  MARKS("text-emphasis:none", 6, 19, 0);
  MARKS("text-emphasis:'A'", 6, 19, GREEN);
  MARKS("text-emphasis:'A'", 23, 19, GREEN);
  MARKS("text-emphasis:red 'A B'", 6, 19, RED);
  MARKS("text-emphasis:'\\41'currentcolor", 6, 19, BLUE);
  MARKS("text-emphasis-style:'A';text-emphasis-color:red;text-emphasis-position:left under", 6, 19, 0);
  MARKS("text-emphasis-style:'A';text-emphasis-color:red;text-emphasis-position:left under", 6, 50, RED);
  MARKS("text-emphasis:'A';text-emphasis:initial", 6, 19, 0);
  static const char *const wrong[] = {"filled 'A'", "dot circle", "'A' red blue", "''", "'A", "open filled", "dot 1"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[256];
    snprintf(text, sizeof text, "<text y='40' style=\"text-emphasis:%s\">A</text>", wrong[i]);
    draw_texts(text);
    CHECK_INT(shown.warnings, 1);
  }
}

// Text of one line is cut off at its inline-size.
TEST(text_overflow) {
  fixture f;
  begin(&f, "AB AB A");
  f.span.no_wrap = true;
  f.text.inline_size = 250.0f;
  lay_out(&f);
  CHECK_INT(f.placed.glyphs.count, 7);  // on one line
  CHECK_NEAR(f.placed.glyphs.data[6].matrix.f, 0, 0);
  sj_svg_placed_finish(&f.placed);
  f.text.ellipsis = true;
  lay_out(&f);
  // The fourth character is left out, since an ellipsis that no font here has counts as an em.
  CHECK_ORIGINS(&f, {{0, 0}, {60, 0}, {110, 0}, {135, 0}});
  sj_svg_placed_finish(&f.placed);
  f.text.inline_size = 1.0f;  // the first letter stays
  lay_out(&f);
  CHECK_INT(f.placed.glyphs.count, 2);
  sj_svg_placed_finish(&f.placed);
  f.text.inline_size = 330.0f;
  lay_out(&f);
  CHECK_INT(f.placed.glyphs.count, 7);
  end(&f);
}

TEST(flowed_text) {
  if (!have_svg()) SKIP("built without SVG");
  draw_texts(
      "<rect id='r' x='4' width='9' height='60' fill='none' transform='scale(5 1)'/><flowRoot> x <flowRegion>"
      "<use href='#r' x='-20'/></flowRegion><flowDiv><flowPara> A</flowPara><flowPara/>\n"
      "<flowPara style='text-align:end'>A <flowSpan fill='red'>B</flowSpan></flowPara></flowDiv></flowRoot>");
  CHECK_INT(shown.warnings, 0);
  CHECK(pixel(&shown, 5, 10) && !pixel(&shown, 17, 10) && !pixel(&shown, 5, 30) && !pixel(&shown, 5, 50));
  CHECK_INT(pixel(&shown, 41, 50), RED);
  // It is in its regions or nowhere.
  draw_texts("<flowRoot><flowPara>A</flowPara></flowRoot>");
  CHECK(!pixel(&shown, 5, 10));
  draw_texts(
      "<flowRoot><flowRegion><rect x='4' width='60' height='60'/></flowRegion><flowRegionExclude>"
      "<path d='M0 0h40v40h-40z'/></flowRegionExclude><flowPara>A<flowLine>B</flowLine>A</flowPara></flowRoot>");
  CHECK(!pixel(&shown, 5, 10) && pixel(&shown, 41, 10) && pixel(&shown, 53, 10) && pixel(&shown, 41, 30));
  CHECK(!pixel(&shown, 53, 30) && !pixel(&shown, 5, 50));
}

TEST(font_synthesis) {
  if (!have_svg()) SKIP("built without SVG");
  // Of a family without italics.
  draw_words("font-family:Stijl CFF;font-style:italic", "A");
  CHECK(!pixel(&shown, 4, 30));
  draw_words("font-family:Stijl CFF;font-style:italic;font-synthesis-style:none", "A");
  CHECK(pixel(&shown, 4, 30));
  draw_words("font-family:Stijl CFF;font-style:italic;font-synthesis:weight", "A");
  CHECK(pixel(&shown, 4, 30));
  draw_words("font-family:Stijl CFF;font-style:italic;font-synthesis:none;font-synthesis-style:auto", "A");
  CHECK(!pixel(&shown, 4, 30));
}
