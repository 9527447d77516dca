// Fonts, itemising and shaping, with the suite's fonts and no others.
#include <stdio.h>
#include <stdlib.h>

#include "base/wasi/characters.h"
#include "libraries/harfbuzz.h"
#include "test.h"
#include "text/shape.h"

static stijl_fonts *open_fonts(void) {
  const char *shared = sj_test_shared();
  char path[512];
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  stijl_fonts *fonts;
  params.system = false;
  if (!shared || stijl_fonts_create(NULL, &params, &fonts, NULL)) return NULL;
  snprintf(path, sizeof path, "%s/svg-suite/fonts", shared);
  if (stijl_fonts_add_folder(fonts, path, NULL) == STIJL_OK) return fonts;
  stijl_fonts_destroy(fonts);
  return NULL;
}

#define WITH_FONTS(fonts)            \
  stijl_fonts *fonts = open_fonts(); \
  if (!fonts) SKIP("the suite's fonts are not here")

static sj_font_style plain(const char *families) {
  return (sj_font_style){
      .families = families, .families_length = strlen(families), .weight = 400.0f, .stretch = 100.0f};
}

static const char *chosen(stijl_fonts *fonts, sj_font_style style) {
  sj_face *face = sj_fonts_face(fonts, &style);
  return face ? sj_face_family(fonts, face) : "none";
}

TEST(families_are_matched) {
  WITH_FONTS(fonts);
  CHECK_STR(chosen(fonts, plain("Noto Serif")), "Noto Serif");
  CHECK_STR(chosen(fonts, plain("noto   SERIF")), "Noto Serif");
  CHECK_STR(chosen(fonts, plain("'No Such', \"Amiri\", Noto Sans")), "Amiri");
  CHECK_STR(chosen(fonts, plain("Noto")), "Amiri");  // no such family: the first font there is
  stijl_fonts_set_family(fonts, STIJL_FAMILY_DEFAULT, "Noto Serif");
  CHECK_STR(chosen(fonts, plain("Noto")), "Noto Serif");
  CHECK_STR(chosen(fonts, plain("")), "Noto Serif");
  stijl_fonts_set_family(fonts, STIJL_FAMILY_MONOSPACE, "Noto Mono");
  CHECK_STR(chosen(fonts, plain("monospace, Amiri")), "Noto Mono");
  CHECK_STR(chosen(fonts, plain("'monospace', Amiri")), "Amiri");
  stijl_fonts_destroy(fonts);
}

// Which of the faces of Noto Sans (100, 300, 400, 700, 900 and an italic) each weight gets.
TEST(weights_are_matched) {
  WITH_FONTS(fonts);
  static const struct {
    float weight;
    bool same_as_bold, same_as_light, same_as_regular;
  } cases[] = {{700, true, false, false}, {600, true, false, false}, {300, false, true, false},
               {350, false, true, false}, {450, false, false, true}, {500, false, false, true},
               {400, false, false, true}};
  sj_font_style style = plain("Noto Sans");
  style.no_synthesis_weight = true;
  style.weight = 700;
  sj_face *bold = sj_fonts_face(fonts, &style);
  style.weight = 300;
  sj_face *light = sj_fonts_face(fonts, &style);
  style.weight = 400;
  sj_face *regular = sj_fonts_face(fonts, &style);
  CHECK(bold && bold != light && light != regular && regular != bold);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    style.weight = cases[i].weight;
    sj_face *face = sj_fonts_face(fonts, &style);
    CHECK_INT(face == bold, cases[i].same_as_bold);
    CHECK_INT(face == light, cases[i].same_as_light);
    CHECK_INT(face == regular, cases[i].same_as_regular);
  }
  style.weight = 400;
  style.slant = SJ_SLANT_ITALIC;
  sj_face *italic = sj_fonts_face(fonts, &style);
  CHECK(italic && italic != regular && !italic->slanted);
  stijl_fonts_destroy(fonts);
}

static bool shape(stijl_fonts *fonts, const char *families, const char *utf8, sj_base_direction direction,
                  sj_shaped *out) {
  uint32_t *text, count;
  if (!sj_decode_utf8(sj_context(NULL), utf8, strlen(utf8), &text, NULL, &count)) return false;
  sj_shape_span span = {.end = count, .style = {.font = plain(families)}};
  bool good = sj_shape(fonts, sj_context(NULL), text, count, &span, 1, direction, NULL, false, out);
  sj_free(sj_context(NULL), text);
  return good;
}

TEST(advances_are_those_of_the_font) {
  WITH_FONTS(fonts);
  sj_shaped shaped;
  CHECK(shape(fonts, "Noto Sans", "AB", SJ_BASE_LTR, &shaped));
  CHECK_INT(shaped.items.count, 1);
  CHECK_INT(shaped.glyphs.count, 2);
  CHECK_INT(shaped.items.data[0].face->metrics.units_per_em, 1000);
  CHECK_INT(shaped.glyphs.data[0].x_advance, 639);
  CHECK_INT(shaped.glyphs.data[1].x_advance, 650);
  sj_shaped_finish(&shaped);
  stijl_fonts_destroy(fonts);
}

TEST(bidi_and_fallback_make_items) {
  WITH_FONTS(fonts);
  sj_shaped shaped;
  CHECK(shape(fonts, "Noto Sans", "ab \xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 cd", SJ_BASE_LTR, &shaped));  // salaam
  CHECK_INT(shaped.items.count, 3);
  if (shaped.items.count == 3) {
    CHECK_INT(shaped.items.data[1].level, 1);
    CHECK_INT(shaped.items.data[1].script, HB_SCRIPT_ARABIC);
    CHECK_STR(sj_face_family(fonts, shaped.items.data[1].face), "Amiri");
    CHECK_STR(sj_face_family(fonts, shaped.items.data[0].face), "Noto Sans");
  }
  CHECK_INT(shaped.missing, 0);
  sj_shaped_finish(&shaped);
  CHECK(shape(fonts, "Noto Sans", "a\xf0\x9f\x80\x80", SJ_BASE_LTR, &shaped));  // a mahjong tile, which no font has
  CHECK_INT(shaped.missing, 0x1f000);
  CHECK_INT(shaped.glyphs.count, 2);
  sj_shaped_finish(&shaped);
  stijl_fonts_destroy(fonts);
}

TEST(outlines_are_whole_font_units) {
  WITH_FONTS(fonts);
  sj_font_style style = plain("RobotoFlex, Roboto Flex");
  style.weight = 637.0f;
  sj_face *face = sj_fonts_face(fonts, &style);
  stijl_path *path;
  stijl_matrix identity = STIJL_MATRIX_IDENTITY;
  CHECK(face && stijl_path_create(NULL, &path) == STIJL_OK);
  hb_codepoint_t glyph = 0;
  if (face) hb_font_get_nominal_glyph(face->hb, 'N', &glyph);
  CHECK(face && glyph && sj_face_outline(face, sj_context(NULL), glyph, &identity, path));
  const stijl_point *points;
  size_t count = stijl_path_points(path, &points);
  CHECK(count > 4);
  for (size_t i = 0; i < count; i++)
    CHECK(points[i].x == (float)(int)points[i].x && points[i].y == (float)(int)points[i].y);
  stijl_path_destroy(path);
  stijl_fonts_destroy(fonts);
}

static void *count_bytes(void *user, void *ptr, size_t bytes) {
  *(uint64_t *)user += bytes;
  if (bytes) return realloc(ptr, bytes);
  free(ptr);
  return NULL;
}

// Returns the bytes that are asked for. FreeType asks for two elements more each time that a glyph has another part,
// and A of this font has 60^6.
static uint64_t asked_for_by_parts(uint64_t max_memory) {
  uint64_t bytes = 0;
  stijl_context_params context_params = STIJL_CONTEXT_PARAMS_INIT;
  context_params.reallocate = count_bytes;
  context_params.user = &bytes;
  stijl_context *context;
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = false;
  params.max_memory = max_memory;
  stijl_fonts *fonts;
  stijl_path *path;
  CHECK(stijl_context_create(&context_params, &context) == STIJL_OK);
  CHECK(stijl_fonts_create(context, &params, &fonts, NULL) == STIJL_OK);
  CHECK(stijl_path_create(NULL, &path) == STIJL_OK);
  CHECK_INT(stijl_fonts_add_file(fonts, sj_test_font("stijl-bomb.ttf"), NULL), STIJL_OK);
  sj_font_style style = plain("Stijl Bomb");
  sj_face *face = sj_fonts_face(fonts, &style);
  hb_codepoint_t glyph = 0;
  CHECK(face && hb_font_get_nominal_glyph(face->hb, 'A', &glyph));
  const stijl_matrix identity = STIJL_MATRIX_IDENTITY;
  CHECK(!face || !sj_face_outline(face, sj_context(NULL), glyph, &identity, path));
  stijl_path_destroy(path);
  stijl_fonts_destroy(fonts);
  stijl_context_destroy(context);
  return bytes;
}

TEST(arrays_of_glyphs_grow_by_shares) { CHECK(asked_for_by_parts(256 << 20) < 64 << 20); }

// Where there is no room for half as much again they get what there is, and none is copied for every two elements.
TEST(arrays_of_glyphs_grow_by_shares_up_to_the_limit) {
  for (uint64_t max_memory = 1 << 20; max_memory < 40 << 20; max_memory += max_memory / 5)
    CHECK(asked_for_by_parts(max_memory) < 100 * max_memory);
}

TEST(visual_order_is_that_of_rule_L2) {
  // "car means CAR." with its levels, from UAX 9.
  static const uint8_t levels[] = {0, 1, 1, 2, 2, 1, 0};
  static const uint32_t expected[] = {0, 5, 3, 4, 2, 1, 6};
  uint32_t order[7];
  sj_visual_order(levels, 7, order);
  for (int i = 0; i < 7; i++) CHECK_INT(order[i], expected[i]);
}

TEST(utf8_is_decoded) {
  uint32_t *text, *offsets, count;
  CHECK(sj_decode_utf8(sj_context(NULL), "a\xc3\xa9\xff\xf0\x9f\x98\x80\xe2\x82", 10, &text, &offsets, &count));
  static const uint32_t expected[] = {'a', 0xe9, 0xfffd, 0x1f600, 0xfffd, 0xfffd};
  CHECK_INT(count, 6);
  for (uint32_t i = 0; i < count && i < 6; i++) CHECK_INT(text[i], expected[i]);
  CHECK_INT(offsets[3], 4);
  CHECK_INT(offsets[count], 10);
  sj_free(sj_context(NULL), text);
  sj_free(sj_context(NULL), offsets);
}

// Returns whether levels are settled line by line (rule L1), or not at all: those of blanks, separators and what is
// removed.
static bool settled_later(uint32_t c) {
  return c <= 0x20 || (c >= 0x7f && c <= 0xa0) || (c >= 0x2000 && c <= 0x200f) || (c >= 0x2028 && c <= 0x202f) ||
         (c >= 0x205f && c <= 0x206f) || c == 0x3000 || c == 0x1680 || c == 0xfeff || c == 0xad;
}

// Every third line of Unicode's own test of the bidirectional algorithm (Debian: unicode-data).
TEST(levels_are_unicodes) {
  FILE *in = fopen("/usr/share/unicode/BidiCharacterTest.txt", "r");
  if (!in) SKIP("no BidiCharacterTest.txt (unicode-data)");
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = false;
  stijl_fonts *fonts;
  CHECK(!stijl_fonts_create(NULL, &params, &fonts, NULL));
  CHECK(!stijl_fonts_add_file(fonts, sj_test_font("stijl-regular.ttf"), NULL));
  char line[4096];
  int tested = 0, number = 0;
  while (fgets(line, sizeof line, in)) {
    if (line[0] == '#' || line[0] == '\n' || ++number % 3) continue;
    uint32_t text[256], count = 0;
    char *at = line;
    for (; *at && *at != ';' && count < 256; count++) text[count] = (uint32_t)strtoul(at, &at, 16), at += *at == ' ';
    long direction = strtol(at + 1, &at, 10), base = strtol(at + 1, &at, 10);
    sj_shape_span span = {.end = count, .style = {.font = plain("Stijl Test")}};
    sj_shaped shaped;
    CHECK(sj_shape(fonts, sj_context(NULL), text, count, &span, 1, (sj_base_direction)direction, NULL, false, &shaped));
    CHECK_INT(shaped.base_level, base);
    at++;
    for (uint32_t i = 0; i < count; i++) {
      long level = *at == 'x' ? -1 : strtol(at, &at, 10);
      at += *at == 'x';
      at += *at == ' ';
      if (level >= 0 && !settled_later(text[i]) && shaped.levels.data[i] != level)
        sj_test_fail(__FILE__, __LINE__, "line %d: U+%04X has level %d, not %ld", number, (unsigned)text[i],
                     shaped.levels.data[i], level);
    }
    sj_shaped_finish(&shaped);
    tested++;
  }
  CHECK(tested > 1000);
  fclose(in);
  stijl_fonts_destroy(fonts);
}

// Adds the letters with one capital that UnicodeData.txt has (Debian: unicode-data).
static bool read_capitals(uint32_t (*capitals)[SJ_MAX_CAPITALS]) {
  FILE *file = fopen("/usr/share/unicode/UnicodeData.txt", "r");
  char line[1024];
  if (!file) return false;
  while (fgets(line, sizeof line, file)) {
    char *field = line;
    for (int i = 0; i < 12 && field; i++) field = strchr(field + 1, ';');
    if (field && field[1] != ';') capitals[strtoul(line, NULL, 16)][0] = (uint32_t)strtoul(field + 1, NULL, 16);
  }
  fclose(file);
  return true;
}

// Adds those with several that SpecialCasing.txt has, unless it has them for a language alone: "00DF; 00DF; 0053 0073;
// 0053 0053; # name" without a fifth field.
static bool read_special_capitals(uint32_t (*capitals)[SJ_MAX_CAPITALS]) {
  FILE *file = fopen("/usr/share/unicode/SpecialCasing.txt", "r");
  char line[1024];
  if (!file) return false;
  while (fgets(line, sizeof line, file)) {
    char *field = line, *end;
    for (int i = 0; i < 3 && field; i++) field = strchr(field + 1, ';');
    char *rest = field ? strchr(field + 1, ';') : NULL;
    if (*line == '#' || !rest || rest[2] != '#') continue;
    uint32_t *of_letter = capitals[strtoul(line, NULL, 16)];
    field++;
    if (strtoul(field, NULL, 16) == strtoul(line, NULL, 16)) continue;
    for (int i = 0; i < SJ_MAX_CAPITALS; i++, field = end) of_letter[i] = (uint32_t)strtoul(field, &end, 16);
  }
  fclose(file);
  return true;
}

// As Unicode's own tables have them.
TEST(capitals_are_unicodes) {
  static uint32_t expected[0x110000][SJ_MAX_CAPITALS];
  if (!read_capitals(expected) || !read_special_capitals(expected)) SKIP("no Unicode tables in /usr/share/unicode");
  unsigned letters = 0, several = 0;
  for (uint32_t c = 0; c < 0x110000; c++) {
    uint32_t capitals[SJ_MAX_CAPITALS], count = sj_capitals_of(c, capitals), known = 0;
    while (known < SJ_MAX_CAPITALS && expected[c][known]) known++;
    letters += known != 0;
    several += known > 1;
    if (count != known || memcmp(capitals, expected[c], count * sizeof *capitals) != 0)
      sj_test_fail(__FILE__, __LINE__, "U+%04X: %u capitals, expected %u", (unsigned)c, (unsigned)count,
                   (unsigned)known);
  }
  CHECK(letters > 1000 && several > 90);
}

// Unicode's own table (Debian: unicode-data), for each character.
TEST(upright_in_vertical_text) {
  FILE *file = fopen("/usr/share/unicode/VerticalOrientation.txt", "r");
  if (!file) SKIP("no /usr/share/unicode/VerticalOrientation.txt");
  char line[256], kind[8];
  unsigned first, last, compared = 0, wrong = 0;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "%x..%x ; %7s", &first, &last, kind) != 3) {
      if (sscanf(line, "%x ; %7s", &first, kind) != 2) continue;
      last = first;
    }
    bool upright = strcmp(kind, "U") == 0 || strcmp(kind, "Tu") == 0, transformed = strcmp(kind, "Tr") == 0;
    for (unsigned c = first; c <= last; c++, compared++)
      wrong += sj_is_upright(c) != upright || sj_is_transformed(c) != transformed;
  }
  fclose(file);
  CHECK(compared > 100000);
  CHECK_INT(wrong, 0);
}

// What the module for the web knows of characters without Unicode's tables.
TEST(common_characters_are_as_harfbuzz_has_them) {
  stijl_message message;
  CHECK(sj_open_harfbuzz(&message) == STIJL_OK);
  hb_unicode_funcs_t *unicode = hb_unicode_funcs_get_default();
  uint32_t known = 0;
  for (uint32_t c = 0; c < 0x110000; c++) {
    hb_unicode_general_category_t category;
    hb_script_t script;
    if (!sj_common_character(c, &category, &script)) continue;
    known++;
    if (category == hb_unicode_general_category(unicode, c) && script == hb_unicode_script(unicode, c)) continue;
    sj_test_fail(__FILE__, __LINE__, "U+%04X", (unsigned)c);
  }
  CHECK_INT(known, 21972);
}
