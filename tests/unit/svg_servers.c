// Meshes and hatches, by single pixels and beside documents that say the same otherwise.
#include <stdlib.h>
#include <string.h>

#include "svg_draw.h"
#include "test.h"

#define BACK "fill='url(#m)'/>"
#define RECT "<rect width='64' height='64' "
#define MESH(attributes, rows) "<meshgradient id='m' " attributes ">" rows "</meshgradient>"
#define ROW(patches) "<meshrow>" patches "</meshrow>"
#define PATCH(stops) "<meshpatch>" stops "</meshpatch>"
#define STOP(color, path) "<stop stop-color='" color "' path='" path "'/>"
// Black, red, yellow and green at the corners of the box, clockwise.
#define SQUARE ROW(PATCH(STOP("#000", "l1,0") STOP("#f00", "l0,1") STOP("#ff0", "l-1,0") STOP("#0f0", "l0,-1")))

// Checks a pixel, each channel within one step.
static void check_near(const char *file, int line, const char *text, int x, int y, int r, int g, int b, int a) {
  static drawn d;
  draw_svg(text, NULL, &d);
  if (d.result) sj_test_fail(file, line, "%s", d.message.text);
  uint32_t got = pixel(&d, x, y);
  int channels[4] = {r, g, b, a};
  for (int i = 0; i < 4; i++)
    if (abs((int)(got >> (24 - 8 * i) & 255u) - channels[i]) > 1)
      sj_test_fail(file, line, "pixel is %08x, expected %d %d %d %d", got, r, g, b, a);
  if (d.warnings) sj_test_fail(file, line, "warning: %s", d.warning);
}
#define NEAR(text, ...) check_near(__FILE__, __LINE__, text, __VA_ARGS__)

// The channel at the middle of a pixel of 64.
#define SHARE(pixel) ((int)(255.0 * ((pixel) + 0.5) / 64.0 + 0.5))

TEST(a_patch_has_the_colours_of_its_corners) {
  if (!have_svg()) SKIP("built without SVG");
  static const int places[][2] = {{0, 0}, {63, 0}, {63, 63}, {0, 63}, {20, 41}, {32, 5}};
  static const char *const texts[] = {
      SVG(MESH("", SQUARE) RECT BACK),
      SVG(MESH("gradientUnits='userSpaceOnUse' gradientTransform='scale(64)'", SQUARE) RECT BACK),
      // By curves, in absolute places, without the last one, which is known.
      SVG(MESH("", ROW(PATCH(STOP("#000", "C.3333333,0 .6666667,0 1,0") STOP("#f00", "C1,.3333333 1,.6666667 1,1") STOP(
                       "#ff0", "C.6666667,1 .3333333,1 0,1") STOP("#0f0", "C0,.6666667 0,.3333333")))) RECT BACK),
      SVG("<meshgradient id='t'>" SQUARE "</meshgradient>" MESH("href='#t'", "") RECT BACK),
      SVG(MESH("type='bicubic'", SQUARE) RECT BACK)};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
      NEAR(texts[i], places[k][0], places[k][1], SHARE(places[k][0]), SHARE(places[k][1]), 0, 255);
}

// Two rows of two patches, which together are one patch.
TEST(patches_share_sides_and_colours) {
  if (!have_svg()) SKIP("built without SVG");
  static const char text[] =
      SVG(MESH("gradientUnits='userSpaceOnUse'",
               ROW(PATCH(STOP("#000", "l32,0") STOP("rgb(127.5,0,0)", "l0,32") STOP("rgb(127.5,127.5,0)", "l-32,0")
                             STOP("rgb(0,127.5,0)", "l0,-32"))
                       PATCH(STOP("blue", "l32,0") STOP("#f00", "l0,32") STOP("rgb(255,127.5,0)", "l-32,0")))
                   ROW(PATCH(STOP("blue", "l0,32") STOP("rgb(127.5,255,0)", "l-32,0") STOP("#0f0", "l0,-32"))
                           PATCH(STOP("blue", "l0,32") STOP("#ff0", "l-32,0")))) RECT BACK);
  for (int y = 1; y < 64; y += 7)
    for (int x = 1; x < 64; x += 7) NEAR(text, x, y, SHARE(x), SHARE(y), 0, 255);
}

TEST(meshes_end_where_their_patches_do) {
  if (!have_svg()) SKIP("built without SVG");
#define HALF \
  ROW(PATCH(STOP("green", "l30.5,0") STOP("green", "l0,64") STOP("green", "l-30.5,0") STOP("green", "l0,-64")))
  static const char text[] = SVG(MESH("gradientUnits='userSpaceOnUse'", HALF) RECT BACK);
  NEAR(text, 3, 3, 0, 128, 0, 255);
  NEAR(text, 29, 63, 0, 128, 0, 255);
  NEAR(text, 30, 40, 0, 64, 0, 128);  // the border is sharp
  NEAR(text, 31, 40, 0, 0, 0, 0);
  NEAR(
      SVG(MESH("", ROW(PATCH("<stop stop-color='red' stop-opacity='.5' path='l1,0'/><stop stop-color='red' path='l0,1' "
                             "stop-opacity='.5'/><stop stop-color='red' stop-opacity='.5' path='l-1,0'/><stop "
                             "stop-color='red' stop-opacity='.5' path='l0,-1'/>"))) RECT BACK),
      30, 30, 128, 0, 0, 128);
  // A curved side: at half of its length it lies 3/4 of 16 inside.
  static const char curved[] = SVG(MESH("gradientUnits='userSpaceOnUse'",
                                        ROW(PATCH(STOP("green", "C20,16 44,16 64,0") STOP("green", "l0,64")
                                                      STOP("green", "l-64,0") STOP("green", "l0,-64")))) RECT BACK);
  NEAR(curved, 32, 10, 0, 0, 0, 0);
  NEAR(curved, 32, 12, 0, 128, 0, 255);
  NEAR(SVG(MESH("", "") RECT "fill='url(#m) green'/>"), 9, 9, 0, 128, 0, 255);
}

// What is wrong ends the mesh before its row, and is told.
TEST(mistakes_in_meshes) {
  if (!have_svg()) SKIP("built without SVG");
  static drawn d;
#define SECOND(path) ROW(PATCH(STOP("green", path) STOP("green", "l-30.5,0") STOP("green", "l0,-9")))
  static const char *const texts[] = {SVG(MESH("gradientUnits='userSpaceOnUse'", HALF SECOND("x9,9")) RECT BACK),
                                      SVG(MESH("gradientUnits='userSpaceOnUse'", HALF SECOND("l9")) RECT BACK),
                                      SVG(MESH("gradientUnits='userSpaceOnUse'", HALF SECOND("c9,9 8,8")) RECT BACK),
                                      SVG(MESH("gradientUnits='userSpaceOnUse'", HALF SECOND("l1e39,0")) RECT BACK)};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    draw_svg(texts[i], NULL, &d);
    CHECK_INT(d.result, STIJL_OK);
    CHECK_INT(pixel(&d, 9, 9), GREEN);
    CHECK(d.warnings == 1 && strstr(d.warning, "path"));
  }
}

// Along a row of three corners black, grey, white of one mesh colours are those of a straight line, however they are
// interpolated; where the middle one is as bright as the last, a bicubic mesh has no edge there.
TEST(bicubic_colours_have_no_edges) {
  if (!have_svg()) SKIP("built without SVG");
#define BAND(type, middle)                                                                                      \
  SVG(MESH("gradientUnits='userSpaceOnUse' type='" type "'",                                                    \
           ROW(PATCH(STOP("#000", "l32,0") STOP(middle, "l0,64") STOP(middle, "l-32,0") STOP("#000", "l0,-64")) \
                   PATCH(STOP("blue", "l32,0") STOP("#fff", "l0,64") STOP("#fff", "l-32,0")))) RECT BACK)
  for (int x = 2; x < 64; x += 10)
    NEAR(BAND("bicubic", "rgb(127.5,127.5,127.5)"), x, 9, SHARE(x), SHARE(x), SHARE(x), 255);
  static drawn linear, cubic;
  draw_svg(BAND("bilinear", "#fff"), NULL, &linear);
  draw_svg(BAND("bicubic", "#fff"), NULL, &cubic);
  for (int x = 40; x < 60; x++) CHECK_INT(pixel(&cubic, x, 30), 0xffffffffu);
  // Near the middle the straight line falls by 8 a pixel, the curve hardly at all.
  CHECK((pixel(&linear, 30, 30) >> 24) < 246 && (pixel(&cubic, 30, 30) >> 24) > 250);
}

static void check_same(const char *file, int line, const char *text, const char *expected) {
  static drawn a, b;
  draw_svg(text, NULL, &a);
  draw_svg(expected, NULL, &b);
  if (a.result || b.result) sj_test_fail(file, line, "%s%s", a.message.text, b.message.text);
  if (a.warnings) sj_test_fail(file, line, "warning: %s", a.warning);
  for (int i = 0; i < DRAWN_SIZE * DRAWN_SIZE; i++)
    if (a.pixels[i] != b.pixels[i]) {
      sj_test_fail(file, line, "at %d, %d %08x, expected %08x", i % DRAWN_SIZE, i / DRAWN_SIZE, a.pixels[i],
                   b.pixels[i]);
      return;
    }
}
#define SAME(text, expected) check_same(__FILE__, __LINE__, text, expected)

#define HATCH(attributes, paths) "<hatch id='m' " attributes ">" paths "</hatch>"
#define USER "hatchUnits='userSpaceOnUse' "
#define LINES "<path d='M1 0V64M17 0V64M33 0V64M49 0V64M65 0V64' stroke='green' stroke-width='4'/>"

TEST(hatches_are_lines) {
  if (!have_svg()) SKIP("built without SVG");
#define LINE "<hatchpath stroke='green' stroke-width='4'/>"
  SAME(SVG(HATCH(USER "x='1' pitch='16'", LINE) RECT BACK), SVG(LINES));
  SAME(SVG(HATCH(USER "pitch='16'", "<hatchpath offset='1' stroke='green' stroke-width='4'/>") RECT BACK), SVG(LINES));
  SAME(SVG(HATCH(USER "pitch='16'", "<hatchpath offset='-15' stroke='green' stroke-width='4'/>") RECT BACK),
       SVG(LINES));
  SAME(SVG(HATCH("x='.015625' pitch='.25'", LINE) RECT BACK), SVG(LINES));
  SAME(SVG(HATCH("x='.015625' pitch='.25' hatchContentUnits='objectBoundingBox'",
                 "<hatchpath stroke='green' stroke-width='.0625'/>") RECT BACK),
       SVG(LINES));
  SAME(SVG("<hatch id='t' " USER "pitch='16'>" LINE "</hatch>" HATCH("href='#t' x='1'", "") RECT BACK), SVG(LINES));
  SAME(SVG(HATCH(USER "y='1' rotate='90' pitch='16'", LINE) RECT BACK),
       SVG("<path d='M0 1H64M0 17H64M0 33H64M0 49H64M0 65H64' stroke='green' stroke-width='4'/>"));
  SAME(SVG(HATCH(USER "x='.5' pitch='8' hatchTransform='scale(2 1)'", "<hatchpath stroke='green' stroke-width='2'/>")
               RECT BACK),
       SVG(LINES));
  SAME(SVG(HATCH(USER "pitch='16'",
                 "<hatchpath stroke='red' visibility='hidden'/><hatchpath display='none' "
                 "stroke='red'/><hatchpath fill='red'/>"
                 "<hatchpath offset='1' stroke='green' "
                 "stroke-width='4'/>") RECT BACK),
       SVG(LINES));
  SAME(SVG(HATCH("", "") RECT "fill='url(#m) green'/>"), SVG(RECT "fill='green'/>"));
  SAME(SVG(HATCH(USER "pitch='0'", LINE) RECT "fill='url(#m) green'/>"), SVG(RECT "fill='green'/>"));
}

// Paths begin anew where they end, without a gap, and two of them may have different lengths.
TEST(paths_of_hatches_repeat) {
  if (!have_svg()) SKIP("built without SVG");
  static const char once[] =
      "M4 -16l8 8l-8 8l8 8l-8 8l8 8l-8 8l8 8l-8 8l8 8l-8 8l8 8l-8 8M20 -16l8 8l-8 8l8 8l-8 8l8 8l-8 8l8 8l-8 8l8 8l-8 "
      "8l8 "
      "8l-8 8M36 -16l8 8l-8 8l8 8l-8 8l8 8l-8 8l8 8l-8 8l8 8l-8 8l8 8l-8 8M52 -16l8 8l-8 8l8 8l-8 8l8 8l-8 8l8 8l-8 "
      "8l8 "
      "8l-8 8l8 8l-8 8";
  char expected[800];
  snprintf(expected, sizeof expected, SVG("<path fill='none' stroke='green' stroke-width='2' d='%s'/>"), once);
  SAME(SVG(HATCH(USER "pitch='16'", "<hatchpath offset='4' stroke='green' stroke-width='2' d='M0 0l8 8l-8 8'/>")
               RECT BACK),
       expected);
  // Without a place at its beginning it begins at the origin.
  SAME(SVG(HATCH(USER "pitch='16'", "<hatchpath offset='4' stroke='green' stroke-width='2' d='L8,8 0,16'/>") RECT BACK),
       expected);
  SAME(SVG(HATCH(USER "pitch='32'",
                 "<hatchpath offset='4' stroke='green' stroke-width='4' d='M0 0v2m0 2v4'/>"
                 "<hatchpath offset='20' stroke='red' stroke-width='4' d='M0 0v3m0 3v6'/>") RECT BACK),
       SVG("<g fill='none' stroke-width='4'><path d='M4 0V2M36 0V2' stroke='green'/><path stroke='green' "
           "d='M4 4V10M4 12V18M4 20V26M4 28V34M4 36V42M4 44V50M4 52V58M4 60V64'/><path stroke='green' "
           "d='M36 4V10M36 12V18M36 20V26M36 28V34M36 36V42M36 44V50M36 52V58M36 60V64'/>"
           "<path stroke='red' d='M20 0V3M20 6V15M20 18V27M20 30V39M20 42V51M20 54V63M52 0V3M52 6V15M52 18V27M52 "
           "30V39M52 "
           "42V51M52 54V63'/></g>"));
}
