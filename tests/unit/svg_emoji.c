// How emoji are presented (UTS 51; CSS Fonts 4, 6.11), by two fonts of the same characters (tests/fonts/make.py): in
// one they are green boxes, in the other boxes of the text's colour. Chromium 156 chooses the same fonts, but where a
// test says otherwise.
#include <string.h>

#include "stijl/fonts.h"
#include "svg_draw.h"
#include "test.h"

// Returns the colours of the boxes that the text draws, a letter each: e for emoji, t for text, - for nothing.
static const char *presented(const char *families, const char *variant, const char *text, bool emoji, bool symbols) {
  static char out[16];
  static drawn d;
  char document[1024];
  stijl_fonts_params fonts = STIJL_FONTS_PARAMS_INIT;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  fonts.system = false;
  CHECK_INT(stijl_fonts_create(NULL, &fonts, &params.fonts, NULL), STIJL_OK);
  CHECK_INT(stijl_fonts_add_file(params.fonts, sj_test_font("stijl-regular.ttf"), NULL), STIJL_OK);
  if (symbols) CHECK_INT(stijl_fonts_add_file(params.fonts, sj_test_font("stijl-symbols.ttf"), NULL), STIJL_OK);
  if (emoji) CHECK_INT(stijl_fonts_add_file(params.fonts, sj_test_font("stijl-emoji.ttf"), NULL), STIJL_OK);
  snprintf(document, sizeof document,
           SVG("<text y='20' font-size='10' style=\"font-family:%s;font-variant-emoji:%s\">%s</text>"), families,
           variant, text);
  draw_svg(document, &params, &d);
  CHECK_INT(d.result, STIJL_OK);
  for (int i = 0; i < 10; i++) {
    uint32_t color = pixel(&d, 3 + 6 * i, 17);
    out[i] = color == GREEN ? 'e' : color == BLACK ? 't' : '-';
  }
  out[10] = 0;
  stijl_fonts_destroy(params.fonts);
  return out;
}

#define SMILEY "&#x1f600;"
#define HEART "&#x2764;"
#define CLOCK "&#x231a;"
#define AS_EMOJI "&#xfe0f;"
#define AS_TEXT "&#xfe0e;"
#define KEYCAP "&#x20e3;"
// Both fonts are there, and the style names neither.
#define CHECK_BOTH(variant, text, expected) CHECK_STR(presented("Stijl Test", variant, text, true, true), expected)

TEST(default_presentation) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_BOTH("normal", SMILEY HEART CLOCK "&#xa9;1", "etett-----");
  // The families of the style come first, whatever they are.
  CHECK_STR(presented("Stijl Symbols", "normal", SMILEY HEART, true, true), "tt--------");
  CHECK_STR(presented("Stijl Emoji", "normal", SMILEY HEART, true, true), "ee--------");
  CHECK_STR(presented("Stijl Symbols,Stijl Emoji", "normal", SMILEY HEART, true, true), "tt--------");
  // What is there is better than nothing.
  CHECK_STR(presented("Stijl Test", "normal", SMILEY HEART, false, true), "tt--------");
  CHECK_STR(presented("Stijl Test", "normal", SMILEY HEART "1", true, false), "eee-------");
}

TEST(selectors_and_sequences) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_BOTH("normal", HEART AS_EMOJI HEART SMILEY AS_TEXT SMILEY, "ette------");
  CHECK_STR(presented("Stijl Symbols", "normal", HEART AS_EMOJI HEART, true, true), "et--------");
  CHECK_STR(presented("Stijl Emoji", "normal", SMILEY AS_TEXT SMILEY, true, true), "te--------");
  CHECK_STR(presented("Stijl Symbols", "normal", HEART AS_EMOJI, false, true), "t---------");
  CHECK_STR(presented("Stijl Emoji", "normal", SMILEY AS_TEXT, true, false), "e---------");
  // Keycaps, flags, modifiers, joiners. The fonts have no ligatures: a sequence is as many boxes.
  CHECK_STR(presented("Stijl Symbols", "normal", "1" AS_EMOJI KEYCAP "1", true, true), "eet-------");
  CHECK_STR(presented("Stijl Symbols", "normal", "&#x1f1e9;&#x1f1ea;&#x1f1e9;", true, true), "eet-------");
  CHECK_STR(presented("Stijl Symbols", "normal", "&#x1f44d;&#x1f3fd;&#x1f44d;", true, true), "eet-------");
  CHECK_STR(presented("Stijl Symbols", "normal", HEART "&#x200d;&#x1f525;" HEART, true, true), "eet-------");
  CHECK_STR(presented("Stijl Symbols", "normal", "&#x1f3f4;&#xe0067;&#xe007f;&#x1f3f4;", true, true), "et--------");
  // A selector behind what is no emoji says nothing.
  CHECK_BOTH("normal", "A" AS_EMOJI "A", "tt--------");
}

TEST(font_variant_emoji) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_BOTH("text", SMILEY HEART SMILEY AS_EMOJI, "tte-------");
  CHECK_BOTH("emoji", SMILEY HEART HEART AS_TEXT "1", "eett------");
  CHECK_BOTH("unicode", SMILEY HEART, "et--------");
  CHECK_STR(presented("Stijl Symbols", "unicode", SMILEY HEART, true, true), "et--------");
  CHECK_STR(presented("Stijl Symbols", "emoji", SMILEY HEART, true, true), "ee--------");
  CHECK_STR(presented("Stijl Emoji", "text", SMILEY HEART, true, true), "tt--------");
  // Sequences are emoji all the same; Chromium takes some of them apart.
  CHECK_BOTH("text", "&#x1f44d;&#x1f3fd;", "ee--------");
  CHECK_BOTH("normal;font-variant:emoji small-caps", HEART, "e---------");
  CHECK_BOTH("emoji;font-variant:normal", HEART, "t---------");
  CHECK_BOTH("emoji;font-variant-emoji:text emoji", HEART, "e---------");
}

// Fonts of the document are asked in the same way.
TEST(fonts_of_documents) {
  if (!have_svg()) SKIP("built without SVG");
  static drawn d;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", sj_test_font(""));
  params.base_folder = folder;
#define OWN(list, text)                                                                                                \
  SVG("<style>@font-face{font-family:E;src:url(stijl-emoji.ttf)}@font-face{font-family:S;src:url(stijl-symbols.ttf)}<" \
      "/style>"                                                                                                        \
      "<text y='60' font-size='60' font-family='" list "'>" text "</text>")
  draw_svg(OWN("S,E", HEART AS_EMOJI), &params, &d);
  CHECK_INT(pixel(&d, 20, 40), GREEN);
  draw_svg(OWN("E,S", HEART AS_TEXT), &params, &d);
  CHECK_INT(pixel(&d, 20, 40), BLACK);
  draw_svg(OWN("S,E", SMILEY), &params, &d);
  CHECK_INT(pixel(&d, 20, 40), BLACK);
}
