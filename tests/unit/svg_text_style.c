// How text of documents is drawn: smoothing, lines, shadows and the case of letters, by fonts of plain boxes
// (tests/fonts/make.py tells their sizes) and nothing else.
#include <string.h>

#include "stijl/fonts.h"
#include "svg_draw.h"
#include "test.h"

static drawn shown;

// Draws the body of a document in the fonts of the tests.
static void draw_text(const char *body) {
  static const char *const files[] = {"stijl.ttc", "dejavu.ttf"};
  stijl_fonts_params fonts = STIJL_FONTS_PARAMS_INIT;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  char text[2048];
  fonts.system = false;
  CHECK_INT(stijl_fonts_create(NULL, &fonts, &params.fonts, NULL), STIJL_OK);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    CHECK_INT(stijl_fonts_add_file(params.fonts, sj_test_font(files[i]), NULL), STIJL_OK);
  snprintf(text, sizeof text, SVG("<g font-family='Stijl Test' font-size='40'>%s</g>"), body);
  draw_svg(text, &params, &shown);
  CHECK_INT(shown.result, STIJL_OK);
  stijl_fonts_destroy(params.fonts);
}

// Returns how many pixels are painted in part.
static int smooth_pixels(const char *body) {
  int count = 0;
  draw_text(body);
  for (int i = 0; i < DRAWN_SIZE * DRAWN_SIZE; i++) count += shown.pixels[i] != 0 && shown.pixels[i] != BLACK;
  return count;
}

TEST(text_rendering_tells_whether_text_is_smooth) {
  if (!have_svg()) SKIP("built without SVG");
#define TURNED(attribute) "<text y='40' transform='rotate(7)' text-decoration='underline' " attribute ">AV</text>"
  int smooth = smooth_pixels(TURNED(""));
  CHECK(smooth > 20);
  CHECK_INT(smooth_pixels(TURNED("shape-rendering='crispEdges'")), smooth);
  CHECK_INT(smooth_pixels(TURNED("text-rendering='geometricPrecision'")), smooth);
  CHECK_INT(smooth_pixels(TURNED("text-rendering='optimizeSpeed'")), 0);
}

TEST(unknown_elements_in_text_are_told) {
  if (!have_svg()) SKIP("built without SVG");
  draw_text("<text y='40'>A<altGlyph>B</altGlyph><altGlyph/><title>B</title></text>");
  CHECK_INT(shown.warnings, 1);
  CHECK(strstr(shown.warning, "<altGlyph>"));
}
