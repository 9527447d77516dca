// How text of documents is drawn: smoothing, lines, shadows and the case of letters, by fonts of plain boxes
// (tests/fonts/make.py tells their sizes) and nothing else.
#include <string.h>

#include "stijl/fonts.h"
#include "svg_draw.h"
#include "test.h"
#include "text/caps.h"

static drawn shown;

// Draws a document in the fonts of the tests.
static void draw_document(const char *text) {
  static const char *const files[] = {"stijl.ttc", "dejavu.ttf"};
  stijl_fonts_params fonts = STIJL_FONTS_PARAMS_INIT;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  fonts.system = false;
  CHECK_INT(stijl_fonts_create(NULL, &fonts, &params.fonts, NULL), STIJL_OK);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    CHECK_INT(stijl_fonts_add_file(params.fonts, sj_test_font(files[i]), NULL), STIJL_OK);
  draw_svg(text, &params, &shown);
  CHECK_INT(shown.result, STIJL_OK);
  stijl_fonts_destroy(params.fonts);
}

// Draws the body of a document whose text is 40 pixels high.
static void draw_text(const char *body) {
  char text[2048];
  snprintf(text, sizeof text, SVG("<g font-family='Stijl Test' font-size='40'>%s</g>"), body);
  draw_document(text);
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

// Upright letters of a font without metrics for vertical text are as high as its lines, an em here.
TEST(upright_letters_do_not_overlap) {
  if (!have_svg()) SKIP("built without SVG");
  draw_text("<text x='32' font-size='20' writing-mode='vertical-rl' style='text-orientation:upright'>iAi</text>");
  for (int i = 0; i < 3; i++) {
    CHECK_INT(pixel(&shown, 32, 20 * i + 1), 0);
    CHECK_INT(pixel(&shown, 32, 20 * i + 3), BLACK);
    CHECK_INT(pixel(&shown, 32, 20 * i + 15), BLACK);
    CHECK_INT(pixel(&shown, 32, 20 * i + 17), 0);
  }
  CHECK_INT(pixel(&shown, 36, 30), BLACK);
  CHECK_INT(pixel(&shown, 36, 10), 0);
}

// A font without an axis of optical sizes is opened once, however many sizes there are: more than 512 open fonts would
// be too many, and what comes then would be drawn in another font.
TEST(any_number_of_font_sizes) {
  if (!have_svg()) SKIP("built without SVG");
#define LAST "<text y='40' font-family='DejaVu Sans' font-size='40'>Rg</text>"
  static char text[64 * 1024];
  draw_document(SVG(LAST));
  drawn alone = shown;
  size_t length =
      (size_t)snprintf(text, sizeof text, "%s", "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'>");
  for (int i = 0; i < 600; i++)
    length +=
        (size_t)snprintf(text + length, sizeof text - length,
                         "<text x='-99' font-family='Stijl Test' font-size='%d.%02d'>A</text>", 1 + i / 100, i % 100);
  snprintf(text + length, sizeof text - length, "%s", LAST "</svg>");
  draw_document(text);
  CHECK(memcmp(shown.pixels, alone.pixels, sizeof alone.pixels) == 0);
}

TEST(unknown_elements_in_text_are_told) {
  if (!have_svg()) SKIP("built without SVG");
  draw_text("<text y='40'>A<altGlyph>B</altGlyph><altGlyph/><title>B</title></text>");
  CHECK_INT(shown.warnings, 1);
  CHECK(strstr(shown.warning, "<altGlyph>"));
}

static bool same_as(const char *a, const char *b) {
  static drawn first;
  draw_text(a);
  first = shown;
  draw_text(b);
  return memcmp(first.pixels, shown.pixels, sizeof first.pixels) == 0;
}

static int painted(const char *body) {
  int count = 0;
  draw_text(body);
  for (int i = 0; i < DRAWN_SIZE * DRAWN_SIZE; i++) count += shown.pixels[i] != 0;
  return count;
}

#define STYLED(style, words) "<text y='40' style='" style "'>" words "</text>"

TEST(lines_of_text_decoration) {
  if (!have_svg()) SKIP("built without SVG");
#define PLAIN STYLED("text-decoration:underline", "AV")
  CHECK(!same_as(PLAIN, STYLED("", "AV")));
  CHECK(same_as(PLAIN, STYLED("text-decoration-line:underline", "AV")));
  CHECK(same_as(PLAIN, "<g style='text-decoration:underline'>" STYLED("", "AV") "</g>"));
  CHECK(same_as(STYLED("text-decoration:underline red dotted 3px", "AV"),
                STYLED("text-decoration-line:underline;text-decoration-color:red;text-decoration-style:dotted;"
                       "text-decoration-thickness:3px",
                       "AV")));
  CHECK(same_as(STYLED("text-decoration:underline rgb(0, 128, 0)", "AV"),
                STYLED("text-decoration:green underline", "AV")));
  CHECK(same_as(STYLED("text-decoration:underline;text-decoration-line:none", "AV"), STYLED("", "AV")));
  // From 40 down to 56 only the line is there.
  draw_text(STYLED("text-decoration:underline red 6px", "AV"));
  CHECK_INT(shown.warnings, 0);
  int red = 0;
  for (int y = 41; y < 60; y++) red += pixel(&shown, 20, y) == RED;
  CHECK_INT(red, 6);
  draw_text(
      "<g color='green' style='text-decoration:underline currentColor 6px'><text y='40' color='red'>AV</text></g>");
  CHECK(pixel(&shown, 20, 46) == GREEN);
#define KIND(style) STYLED("text-decoration:line-through underline 4px " style, "AV")
  int solid = painted(KIND(""));
  CHECK(painted(KIND("double")) > solid && painted(KIND("dotted")) < solid && painted(KIND("dashed")) < solid);
  CHECK(painted(KIND("wavy")) != solid && painted(STYLED("text-decoration:underline 0px", "AV")) < solid);
  CHECK_INT(shown.warnings, 0);
  // A clip path has the same outline, whatever the line's style.
  draw_text("<clipPath id='c'>" KIND("wavy") "</clipPath><rect width='64' height='64' clip-path='url(#c)'/>");
  CHECK(shown.warnings == 0 && pixel(&shown, 10, 30));
  draw_text(STYLED("text-decoration:underline sideways", "AV"));
  CHECK_INT(shown.warnings, 1);
  draw_text(STYLED("text-decoration:underline;text-underline-offset:auto", "AV"));
  CHECK_INT(shown.warnings, 0);
}

#define LIME 0x00ff00ffu

// The letters are boxes from 2 to 22 and from 36 to 56, which the line crosses if it is moved up.
TEST(lines_leave_room_for_letters) {
  if (!have_svg()) SKIP("built without SVG");
#define CROSSED(style)                                                                     \
  draw_text(                                                                               \
      "<text y='40' style='text-decoration:underline red 2px;text-underline-offset:-10px;" \
      "text-decoration-skip-ink:all;" style "'>A A</text>")
#define CHECK_ROW(y, x1, c1, x2, c2, x3, c3) \
  CHECK_INT(pixel(&shown, x1, y), c1);       \
  CHECK_INT(pixel(&shown, x2, y), c2);       \
  CHECK_INT(pixel(&shown, x3, y), c3)
  CROSSED("");
  CHECK_ROW(30, 10, BLACK, 23, 0, 25, RED);
  CHECK_ROW(31, 33, RED, 35, 0, 57, 0);
  CROSSED("text-decoration-skip-ink:none");
  CHECK_ROW(31, 23, RED, 25, RED, 57, RED);
  // As in browsers.
  CROSSED("text-decoration-skip-ink:auto");
  CHECK_ROW(31, 23, 0, 25, RED, 57, 0);
  CROSSED("text-decoration-style:double");
  CHECK_ROW(31, 23, 0, 29, RED, 57, 0);
  CHECK_ROW(35, 23, 0, 29, RED, 57, 0);
  CROSSED("text-decoration-style:wavy");
  int reds = 0;
  for (int x = 0; x < DRAWN_SIZE; x++)
    for (int y = 27; y < 37; y++) {
      bool colored = (pixel(&shown, x, y) >> 24) > 200;
      reds += colored;
      if (colored && (x < 23 || x > 34)) sj_test_fail(__FILE__, __LINE__, "the wave is at %d", x);
    }
  CHECK(reds > 8);
  // Dashes are cut, and dots that are not whole left out.
  CROSSED("text-decoration-style:dashed");
  CHECK_ROW(31, 23, 0, 35, 0, 57, 0);
  CROSSED("text-decoration-style:dotted");
  CHECK_ROW(31, 23, 0, 35, 0, 57, 0);
  // Lines through the text do not.
  draw_text("<text y='40' style='text-decoration:line-through red 2px'>A A</text>");
  CHECK_ROW(30, 23, RED, 29, RED, 35, RED);
  // What is on top of the letters, or turned with them, is found, too.
  draw_text(
      "<text transform='rotate(90)' y='-24' style='text-decoration:underline red 2px;text-underline-offset:-10px;"
      "text-decoration-skip-ink:all'>A A</text>");
  CHECK_INT(pixel(&shown, 33, 29), RED);
  CHECK_INT(pixel(&shown, 33, 23), 0);
}

TEST(places_of_underlines) {
  if (!have_svg()) SKIP("built without SVG");
#define UNDER(style) draw_text("<text y='40' style='text-decoration:underline red 2px;" style "'>AA</text>")
#define CHECK_LINE(y)                         \
  CHECK_INT(pixel(&shown, 20, (y)-1), 0);     \
  CHECK_INT(pixel(&shown, 20, y), RED);       \
  CHECK_INT(pixel(&shown, 20, (y) + 1), RED); \
  CHECK_INT(pixel(&shown, 20, (y) + 2), 0)
  UNDER("");
  CHECK_LINE(43);
  UNDER("text-underline-offset:5px");
  CHECK_LINE(45);
  UNDER("text-underline-offset:.25em");
  CHECK_LINE(50);
  UNDER("text-underline-offset:calc(10% + 1px)");
  CHECK_LINE(45);
  UNDER("text-underline-offset:5px;text-underline-offset:nonsense");
  CHECK_LINE(45);
  UNDER("text-underline-position:under");
  CHECK_LINE(48);
  UNDER("text-underline-position:left under;text-underline-offset:2px");
  CHECK_LINE(50);
  UNDER("text-underline-position:from-font;text-underline-offset:2px");
  CHECK_LINE(45);
  UNDER("text-underline-position:under under");
  CHECK_LINE(43);
  UNDER("text-underline-offset:5px;text-underline-offset:auto");
  CHECK_LINE(43);
}

TEST(shadows_of_text) {
  if (!have_svg()) SKIP("built without SVG");
  // The box of "A" goes from 2 to 22.
  draw_text(STYLED("text-shadow:10px 0 lime", "A"));
  CHECK(shown.warnings == 0 && pixel(&shown, 10, 30) == BLACK && pixel(&shown, 27, 30) == LIME);
  CHECK_INT(pixel(&shown, 40, 30), 0);
  // The first is on top; without a colour it is that of the text's `color`.
  draw_text("<g color='blue'>" STYLED("text-shadow:10px 0, 20px 0 0 lime", "A") "</g>");
  CHECK(pixel(&shown, 27, 30) == BLUE && pixel(&shown, 38, 30) == LIME);
  draw_text(STYLED("text-shadow:lime 30px 0 8px", "A"));
  uint32_t soft = pixel(&shown, 34, 30);
  CHECK((soft & 0xff) > 0 && (soft & 0xff) < 255 && soft == ((soft & 0xff) << 16 | (soft & 0xff)));
  // It is inherited, in its own em; and a stroke and lines have it.
  CHECK(same_as("<g style='text-shadow:.25em 0 lime' font-size='40'><text y='40' font-size='30'>A</text></g>",
                "<text y='40' style='text-shadow:10px 0 lime' font-size='30'>A</text>"));
  draw_text("<text y='40' fill='none' stroke='black' stroke-width='4' style='text-shadow:30px 0 lime'>A</text>");
  CHECK(pixel(&shown, 32, 30) == LIME && pixel(&shown, 42, 30) == 0);
  draw_text(STYLED("text-shadow:10px 0 lime;visibility:hidden", "A"));
  CHECK_INT(pixel(&shown, 27, 30), 0);
  // A clip path is of the letters alone.
  draw_text("<clipPath id='c'>" STYLED(
      "text-shadow:30px 0 lime",
      "A") "</clipPath>"
           "<rect width='64' height='64' clip-path='url(#c)'/>");
  CHECK(pixel(&shown, 10, 30) == BLACK && pixel(&shown, 40, 30) == 0);
  static const char *const wrong[] = {"1px",          "1px 2px 3px 4px", "red",   "1px red 2px",
                                      "1px 2px -1px", "1px 1px,",        "1% 1px"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char body[200];
    snprintf(body, sizeof body, "<text y='40' style='text-shadow:%s'>A</text>", wrong[i]);
    draw_text(body);
    if (shown.warnings != 1) sj_test_fail(__FILE__, __LINE__, "%s: %d warnings", wrong[i], shown.warnings);
  }
}

// Checks the character that no font has, which the warning names.
static void check_missing(const char *body, const char *name) {
  draw_text(body);
  if (!strstr(shown.warning, name)) sj_test_fail(__FILE__, __LINE__, "%s: \"%s\", not %s", body, shown.warning, name);
}

TEST(text_transform) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK(same_as(STYLED("text-transform:uppercase", "aAv"), STYLED("", "AAV")));
  CHECK(same_as(STYLED("text-transform:lowercase", "aAb"), STYLED("", "aab")));
  CHECK(same_as(STYLED("text-transform:capitalize", "aa ab"), STYLED("", "Aa Ab")));
  CHECK(same_as(STYLED("text-transform:capitalize", "a<tspan>a</tspan>-b"), STYLED("", "A<tspan>a</tspan>-B")));
  CHECK(same_as("<g style='text-transform:uppercase'>" STYLED("text-transform:none", "a") "</g>", STYLED("", "a")));
  CHECK(same_as("<text y='40' text-transform='uppercase'>a</text>", STYLED("", "a")));
  // Attributes count the characters of the document, and what a letter becomes turns with it.
#define LETTERS(attributes, words) \
  "<text y='40' font-family='DejaVu Sans' font-size='20' " attributes ">" words "</text>"
  CHECK(same_as(LETTERS("x='0 40' rotate='9 0' style='text-transform:uppercase'",
                        "\xc3\x9f"
                        "A"),
                LETTERS("x='0' rotate='9'", "SS<tspan x='40' rotate='0'>A</tspan>")));
  CHECK(same_as(LETTERS("style='text-transform:capitalize'", "\xc3\x9f"), LETTERS("", "Ss")));
  draw_text(STYLED("text-transform:full-size-kana", "a"));
  CHECK_INT(shown.warnings, 1);
  check_missing("<text style='text-transform:full-width'>a</text>", "U+FF41");
  check_missing("<text style='text-transform:uppercase full-width'>a</text>", "U+FF21");
  check_missing("<text xml:lang='tr' style='text-transform:uppercase'>i</text>", "U+0130");
  check_missing("<text xml:lang='az-Latn' style='text-transform:lowercase'>I</text>", "U+0131");
  check_missing("<text style='text-transform:lowercase'>A\xce\xa3</text>", "U+03C2");
  check_missing("<text style='text-transform:lowercase'>A\xce\xa3 A</text>", "U+03C2");
  check_missing(
      "<text style='text-transform:lowercase'>A\xce\xa3"
      "A</text>",
      "U+03C3");
  check_missing("<text style='text-transform:lowercase'>A\xce\xa3<tspan>A</tspan></text>", "U+03C3");
  check_missing("<text style='text-transform:lowercase'>\xce\xa3</text>", "U+03C3");
}

TEST(letters_and_their_capitals) {
  uint32_t out[SJ_MAX_CAPITALS], back[SJ_MAX_CAPITALS];
  CHECK(sj_capitals_of(0xdf, out) == 2 && out[0] == 'S' && out[1] == 'S');
  CHECK(sj_capitals_of(0x390, out) == 3 && out[0] == 0x399 && out[1] == 0x308 && out[2] == 0x301);
  CHECK(sj_title_of(0xfb03, out) == 3 && out[0] == 'F' && out[1] == 'f' && out[2] == 'i');
  CHECK(sj_title_of(0x1c6, out) == 1 && out[0] == 0x1c5);
  CHECK(sj_title_of(0x1f1, out) == 1 && out[0] == 0x1f2);
  CHECK(sj_title_of(0x1f80, out) == 1 && out[0] == 0x1f88);
  CHECK(sj_capitals_of(0x1faf, out) == 2 && out[0] == 0x1f6f && out[1] == 0x399);
  CHECK_INT(sj_title_of(0x10d0, out), 0);
  CHECK(sj_small_of(0x3a3) == 0x3c3 && sj_small_of(0x13a0) == 0xab70 && sj_small_of(0x1e9e) == 0xdf);
  CHECK(sj_small_of(0x1c5) == 0x1c6 && sj_small_of('1') == '1' && sj_small_of('a') == 'a');
  // The small letter of a capital has that capital.
  for (uint32_t c = 0; c < 0x20000; c++) {
    if (sj_capitals_of(c, out) != 1) continue;
    uint32_t small = sj_small_of(out[0]);
    if (sj_capitals_of(small, back) != 1 || back[0] != out[0])
      sj_test_fail(__FILE__, __LINE__, "U+%04X: capital U+%04X, small U+%04X", (unsigned)c, (unsigned)out[0],
                   (unsigned)small);
  }
}

// --- effects within a text ---

static int most_alpha(const char *body) {
  int most = 0;
  draw_text(body);
  for (int i = 0; i < DRAWN_SIZE * DRAWN_SIZE; i++)
    if ((int)(shown.pixels[i] & 255u) > most) most = (int)(shown.pixels[i] & 255u);
  return most;
}

static void check_same(const char *one, const char *other) {
  static uint32_t kept[DRAWN_SIZE * DRAWN_SIZE];
  draw_text(one);
  memcpy(kept, shown.pixels, sizeof kept);
  draw_text(other);
  if (memcmp(kept, shown.pixels, sizeof kept) != 0)
    sj_test_fail(__FILE__, __LINE__, "%s is not drawn as %s", one, other);
}

TEST(elements_within_a_text_have_effects) {
  if (!have_svg()) SKIP("built without SVG");
#define FEW "<text y='50' font-size='20'>"
  CHECK_INT(most_alpha(FEW "<tspan opacity='0.5'>A<tspan dx='-10'>A</tspan></tspan></text>"), 128);
  CHECK_INT(most_alpha(FEW "<tspan opacity='0.5'><tspan opacity='0.5'>A</tspan></tspan></text>"), 64);
  CHECK_INT(most_alpha(FEW "<tspan opacity='0.5'>A</tspan>A</text>"), 255);
  check_same(FEW "A<tspan opacity='0'>A</tspan></text>", FEW "A</text>");
  check_same(FEW "A<tspan opacity='0.5'><tspan opacity='1' fill='red'>A</tspan></tspan>A</text>",
             FEW "A<tspan fill='red' fill-opacity='0.5'>A</tspan>A</text>");
  check_same("<mask id='m'/>" FEW "A<tspan mask='url(#m)'>A</tspan></text>", FEW "A</text>");
  check_same("<filter id='f' y='-1' height='3'><feOffset dy='8'/></filter>" FEW
             "A<tspan filter='url(#f)'>A</tspan></text>",
             FEW "A<tspan dy='8'>A</tspan></text>");
  check_same("<rect width='64' height='64' fill='red'/>" FEW
             "<tspan fill='blue' style='mix-blend-mode: multiply'>A</tspan></text>",
             "<rect width='64' height='64' fill='red'/>" FEW "A</text>");
  // The box is that of the whole text.
#define RIGHT "<clipPath id='c' clipPathUnits='objectBoundingBox'><rect x='0.5' width='0.5' height='1'/></clipPath>"
  check_same(RIGHT FEW "A<tspan clip-path='url(#c)'>A</tspan></text>", FEW "AA</text>");
  check_same(RIGHT FEW "<tspan clip-path='url(#c)'>A</tspan>A</text>", FEW "<tspan opacity='0'>A</tspan>A</text>");
}
