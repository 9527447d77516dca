// @font-face: which fonts of a document its text is drawn with. The fonts are of plain boxes (tests/fonts/make.py): "A"
// reaches from 50 to 550 of 1000 units, in the bold font to 590.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "svg_draw.h"
#include "test.h"

enum { NOTHING = 0, REGULAR = 33, BOLD = 36, MAX_TEXT = 1 << 16 };

static char text[MAX_TEXT];
static drawn d;

// Returns the address of a font as data.
static const char *data_of(const char *name) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  static char out[MAX_TEXT / 4];
  unsigned char bytes[MAX_TEXT / 8] = {0};
  FILE *file = fopen(sj_test_font(name), "rb");
  size_t count = file ? fread(bytes, 1, sizeof bytes - 3, file) : 0;
  if (file) fclose(file);
  char *at = out + sprintf(out, "data:font/any;base64,");
  for (size_t i = 0; i < count; i += 3) {
    unsigned bits = (unsigned)bytes[i] << 16 | (unsigned)bytes[i + 1] << 8 | bytes[i + 2];
    for (int k = 18; k >= 0; k -= 6) *at++ = letters[bits >> k & 63];
  }
  // What is missing of the last three bytes.
  for (size_t k = 0; k < (3 - count % 3) % 3; k++) at[-1 - (ptrdiff_t)k] = '=';
  *at = 0;
  return out;
}

// Returns where the ink ends in the row above the baseline when `content` is drawn at 60 pixels, with the rules and,
// where `named`, the regular font as one of the application's. 0: nothing is drawn.
static int ink_end_of(const char *rules, const char *content, bool named, const char *folder) {
  stijl_fonts_params fonts_params = STIJL_FONTS_PARAMS_INIT;
  fonts_params.system = false;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  CHECK(!stijl_fonts_create(NULL, &fonts_params, &params.fonts, NULL));
  if (named) CHECK(!stijl_fonts_add_file(params.fonts, sj_test_font("stijl-regular.ttf"), NULL));
  params.base_folder = folder;
  CHECK(snprintf(text, sizeof text, SVG("<style>%s</style><text y='60' font-size='60' font-family='Mine'>%s</text>"),
                 rules, content) < MAX_TEXT);
  draw_svg(text, &params, &d);
  CHECK_INT(d.result, STIJL_OK);
  stijl_fonts_destroy(params.fonts);
  for (int x = DRAWN_SIZE; x > 0; x--)
    if (pixel(&d, x - 1, 58)) return x;
  return 0;
}

static int drawn_with(const char *rules) { return ink_end_of(rules, "A", false, NULL); }

// Draws with the rules, which have the font's data in place of "@".
static int drawn_with_data(const char *rules, const char *font) {
  static char whole[MAX_TEXT / 2];
  const char *at = strstr(rules, "(@)") + 1;
  snprintf(whole, sizeof whole, "%.*s%s%s", (int)(at - rules), rules, data_of(font), at + 1);
  return drawn_with(whole);
}

TEST(fonts_of_all_kinds_as_data) {
  static const char *const files[] = {"stijl-regular.ttf", "stijl-regular.woff", "stijl-regular.woff2",
                                      "stijl.ttc",         "stijl-cff.otf",      "stijl-embedded.otf"};
  if (!have_svg()) SKIP("built without SVG");
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    CHECK_INT(drawn_with_data("@font-face{font-family:Mine;src:url(@)}", files[i]), REGULAR);
    CHECK_INT(drawn_with_data("@font-face{font-family:'mine';src:url(@) format('woff2')}", files[i]), REGULAR);
    CHECK_INT(d.warnings, 0);
  }
}

// What Illustrator embeds has neither head, whose unitsPerEm is CFF's FontMatrix, nor hmtx, whose advances are the
// widths of CFF's glyphs (OpenType 1.9, "CFF": "Horizontal advance widths", Adobe Technical Note 5177, 3.1).
TEST(units_and_advances_that_are_in_cff_alone) {
  if (!have_svg()) SKIP("built without SVG");
  static char rules[MAX_TEXT / 2];
  snprintf(rules, sizeof rules, "@font-face{font-family:Mine;src:url(%s)}", data_of("stijl-embedded.otf"));
  CHECK_INT(ink_end_of(rules, "A", false, NULL), REGULAR);
  CHECK_INT(ink_end_of(rules, "iA", false, NULL), 60 * 200 / 1000 + REGULAR);
  CHECK_INT(d.warnings, 0);
}

TEST(the_first_source_that_can_be_used) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_INT(drawn_with_data("@font-face{font-family:Mine;src:url(data:,no) format(woff),url(@) tech(variations)}",
                            "stijl-bold.ttf"),
            BOLD);
  CHECK_INT(drawn_with_data("@font-face{font-family:Mine;src:url(@) format('embedded-opentype')}", "stijl-bold.ttf"),
            NOTHING);
  CHECK_INT(drawn_with_data("@font-face{src:url(@);font-family:Mine;src:url(data:,no)}", "stijl-bold.ttf"), NOTHING);
}

TEST(rules_that_do_not_count) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_INT(drawn_with_data("@media print{@font-face{font-family:Mine;src:url(@)}}", "stijl-bold.ttf"), NOTHING);
  CHECK_INT(drawn_with_data("@media screen{@font-face{font-family:Mine;src:url(@)}}", "stijl-bold.ttf"), BOLD);
  CHECK_INT(drawn_with_data("@font-face{src:url(@)}", "stijl-bold.ttf"), NOTHING);
  CHECK_INT(drawn_with_data("@font-face{font-family:Other;src:url(@)}", "stijl-bold.ttf"), NOTHING);
  CHECK_INT(drawn_with("@font-face{font-family:Mine}"), NOTHING);
  CHECK_INT(drawn_with("@font-face{font-family:Mine;src:}"), NOTHING);
}

// The style chooses among the faces of a family by what the rules say, not by what is in the fonts.
TEST(weights_and_styles_are_those_of_the_rules) {
  if (!have_svg()) SKIP("built without SVG");
  static char rules[MAX_TEXT / 2];
  size_t length = 0;
  static const char *const says[] = {"font-weight:100 500", "font-weight:bold", "font-style:italic"};
  static const char *const files[] = {"stijl-bold.ttf", "stijl-regular.ttf", "stijl-regular.ttf"};
  for (int i = 0; i < 3; i++)
    length += (size_t)snprintf(rules + length, sizeof rules - length, "@font-face{font-family:Mine;%s;src:url(%s)}",
                               says[i], data_of(files[i]));
  CHECK_INT(ink_end_of(rules, "A", false, NULL), BOLD);
  CHECK_INT(ink_end_of(rules, "<tspan font-weight='300'>A</tspan>", false, NULL), BOLD);
  CHECK_INT(ink_end_of(rules, "<tspan font-weight='800'>A</tspan>", false, NULL), REGULAR);
  CHECK_INT(ink_end_of(rules, "<tspan font-style='italic'>A</tspan>", false, NULL), REGULAR);
}

// A font that is bold itself is not made more so, though its rule does not say that it is bold.
TEST(bold_fonts_are_not_made_bolder) {
  if (!have_svg()) SKIP("built without SVG");
  static char rules[MAX_TEXT / 2];
  snprintf(rules, sizeof rules, "@font-face{font-family:Mine;src:url(%s)}", data_of("stijl-bold.ttf"));
  CHECK_INT(ink_end_of(rules, "<tspan font-weight='800'>A</tspan>", false, NULL), BOLD);
}

// Axes go as far as the rule lets them.
TEST(axes_of_a_rule) {
  if (!have_svg()) SKIP("built without SVG");
  static char rules[MAX_TEXT / 2];
  int ends[3];
  static const char *const says[] = {"font-weight:100 900", "font-weight:100 500", "font-style:normal"};
  for (int i = 0; i < 3; i++) {
    snprintf(rules, sizeof rules, "@font-face{font-family:Mine;%s;src:url(%s)}", says[i],
             data_of("stijl-variable.ttf"));
    ends[i] = ink_end_of(rules, "<tspan font-weight='900' font-synthesis='none'>A</tspan>", false, NULL);
  }
  CHECK_INT(ends[0], 39);
  CHECK_INT(ends[1], 36);
  CHECK_INT(ends[2], 39);
}

static int drawn_as(const char *descriptors, const char *font, const char *content) {
  static char rules[MAX_TEXT / 2];
  snprintf(rules, sizeof rules, "@font-face{font-family:Mine;%s;src:url(%s)}", descriptors, data_of(font));
  return ink_end_of(rules, content, false, NULL);
}

// CSS Fonts 5, 2: what a rule says instead of the font.
TEST(descriptors_of_size_and_metrics) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_INT(drawn_as("size-adjust:150%", "stijl-regular.ttf", "A"), 50);
  CHECK_INT(drawn_as("size-adjust:50%", "stijl-regular.ttf", "A"), 17);
  CHECK_INT(drawn_as("size-adjust:150%;size-adjust:-1%", "stijl-regular.ttf", "A"), 50);
  CHECK_INT(drawn_as("size-adjust:200%;size-adjust:normal", "stijl-regular.ttf", "A"), REGULAR);
  // The row that is looked at is in the letters where these stand on the line, and above them where the ascent is 0.
  static const char above[] = "<tspan dominant-baseline='text-before-edge'>A</tspan>";
  CHECK_INT(drawn_as("ascent-override:0%", "stijl-regular.ttf", above), REGULAR);
  CHECK_INT(drawn_as("ascent-override:200%", "stijl-regular.ttf", above), NOTHING);
  static const char below[] = "<tspan dominant-baseline='text-after-edge'>A</tspan>";
  CHECK_INT(drawn_as("descent-override:0%", "stijl-regular.ttf", below), REGULAR);
  CHECK_INT(drawn_as("descent-override:100%", "stijl-regular.ttf", below), NOTHING);
  CHECK_INT(drawn_as("font-display:block;line-gap-override:10%", "stijl-regular.ttf", "A"), REGULAR);
}

// The text's own settings go before those of the rule, and those before its weight.
TEST(descriptors_of_features_and_axes) {
  if (!have_svg()) SKIP("built without SVG");
  static const char bold[] = "<tspan font-weight='900'>A</tspan>";
  CHECK_INT(drawn_as("font-weight:100 900", "stijl-variable.ttf", bold), 39);
  CHECK_INT(drawn_as("font-weight:100 900;font-variation-settings:'wght' 500", "stijl-variable.ttf", bold), 36);
  static const char own[] = "<tspan font-weight='900' font-variation-settings=\"'wght' 900\">A</tspan>";
  CHECK_INT(drawn_as("font-weight:100 900;font-variation-settings:'wght' 500", "stijl-variable.ttf", own), 39);
  int joined = drawn_as("", "stijl-regular.ttf", "fi"),
      apart = drawn_as("font-feature-settings:'liga' 0", "stijl-regular.ttf", "fi");
  CHECK(joined > 0 && apart > joined);
  CHECK_INT(drawn_as("font-feature-settings:'liga' 0", "stijl-regular.ttf",
                     "<tspan font-feature-settings=\"'liga'\">fi</tspan>"),
            joined);
}

// Turkish has a wider "a" in the font.
TEST(language_systems) {
  if (!have_svg()) SKIP("built without SVG");
  static const struct {
    const char *rule, *content;
    int end;
  } cases[] = {
      {"", "a", 21},
      {"", "<tspan xml:lang='tr'>a</tspan>", 24},
      {"", "<tspan style=\"font-language-override:'TRK'\">a</tspan>", 24},
      {"", "<tspan style='font-language-override:\"TRK \"'>a</tspan>", 24},
      {"", "<tspan xml:lang='tr' style=\"font-language-override:'ENG'\">a</tspan>", 21},
      {"", "<tspan style=\"font-language-override:'TRK'\"><tspan>a</tspan></tspan>", 24},
      {"", "<tspan style=\"font-language-override:'TRK'\"><tspan style='font:60px Mine'>a</tspan></tspan>", 21},
      {"", "<tspan style=\"font-language-override:'TRK';font-language-override:normal\">a</tspan>", 21},
      {"", "<tspan style=\"font-language-override:'TRK';font-language-override:'TRKXX'\">a</tspan>", 24},
      {"", "<tspan style=\"font-language-override:'trk'\">a</tspan>", 21},
      {"font-language-override:'TRK'", "a", 24},
      {"font-language-override:'TRK'", "<tspan style=\"font-language-override:'ENG'\">a</tspan>", 21}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int end = drawn_as(cases[i].rule, "stijl-regular.ttf", cases[i].content);
    if (end != cases[i].end) sj_test_fail(cases[i].content, 0, "ends at %d, not %d", end, cases[i].end);
  }
}

// A document's font is of the family that its rule says.
TEST(palettes_of_families) {
  if (!have_svg()) SKIP("built without SVG");
  static char rules[MAX_TEXT / 2];
  static const char *const families[] = {"mine", "'Stijl Color'"};
  for (int i = 0; i < 2; i++) {
    snprintf(rules, sizeof rules,
             "@font-face{font-family:Mine;src:url(%s)}text{font-palette:--p}"
             "@font-palette-values --p{font-family:%s;base-palette:1}",
             data_of("stijl-color.ttf"), families[i]);
    CHECK(ink_end_of(rules, "A", false, NULL) > 0);
    CHECK_INT(pixel(&d, 15, 30), i ? RED : BLUE);
  }
}

TEST(ranges_of_characters) {
  if (!have_svg()) SKIP("built without SVG");
  static char rules[MAX_TEXT / 2];
  static const struct {
    const char *range;
    int end;
  } cases[] = {{"U+41", BOLD},      {"u+40-5a", BOLD}, {"U+4?", BOLD}, {"U+0,U+2000-20FF,U+0041", BOLD},
               {"U+42", REGULAR},   {"U+5?", REGULAR}, {"U+", BOLD},   {"U+50-30, U+43", REGULAR},
               {"U+0-10FFFF", BOLD}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t length =
        (size_t)snprintf(rules, sizeof rules, "@font-face{font-family:Mine;src:url(%s)}", data_of("stijl-regular.ttf"));
    snprintf(rules + length, sizeof rules - length, "@font-face{font-family:Mine;unicode-range:%s;src:url(%s)}",
             cases[i].range, data_of("stijl-bold.ttf"));
    if (ink_end_of(rules, "A", false, NULL) != cases[i].end) sj_test_fail(__FILE__, __LINE__, "%s", cases[i].range);
  }
}

// Later faces come first; where they lack the character or cannot be read, earlier ones are taken.
TEST(ranges_that_overlap) {
  if (!have_svg()) SKIP("built without SVG");
  static char rules[MAX_TEXT / 2];
  static const char bold[] = "@font-face{font-family:Mine;unicode-range:U+0-FFFF;src:url(stijl-bold.ttf)}",
                    regular[] =
                        "@font-face{font-family:MINE;unicode-range:U+60,U+41-42,U+30-41;"
                        "src:url(stijl-regular.ttf)}",
                    absent[] = "@font-face{font-family:mine;unicode-range:U+41;src:url(absent.ttf)}",
                    italic[] = "@font-face{font-family:Mine;font-style:italic;src:url(stijl-regular.ttf)}";
  snprintf(rules, sizeof rules, "%s%s%s", bold, regular, absent);
  CHECK_INT(ink_end_of(rules, "A", false, sj_test_font("")), REGULAR);
  snprintf(rules, sizeof rules, "%s%s%s", absent, regular, bold);
  CHECK_INT(ink_end_of(rules, "A", false, sj_test_font("")), BOLD);
  snprintf(rules, sizeof rules, "%s%s%s", bold, absent, italic);
  CHECK_INT(ink_end_of(rules, "A", false, sj_test_font("")), BOLD);
  snprintf(rules, sizeof rules, "%s%s", regular, absent);
  CHECK_INT(ink_end_of(rules, "V", false, sj_test_font("")), NOTHING);
}

// Loads a page of so many labels, whose letters are in slices of a family, among others that must not be read. Returns
// the work of loading it.
static uint64_t work_of_slices(int slices, int labels) {
  enum { WEIGHTS = 9, ROOM = 1 << 20 };
  static const char letters[] = "ABVa ";
  char *page = malloc(ROOM), *at = page;
  if (!page) abort();
  at += sprintf(at, "<svg xmlns='http://www.w3.org/2000/svg'><style>");
  for (int i = 0; i < slices * WEIGHTS; i++) {
    int slice = i / WEIGHTS, letter = slice < 5 ? letters[slice] : 0;
    at +=
        sprintf(at, "@font-face{font-family:Mine;font-weight:%d;src:url(%s);unicode-range:U+%x",
                100 + i % WEIGHTS * 100, letter ? "stijl-regular.ttf" : "absent.ttf", letter ? letter : 0x4e00 + slice);
    for (int k = 1; k < 20; k++) at += sprintf(at, ",U+%x", 0x4e00 + k * 130 + slice);
    at += sprintf(at, "}");
  }
  at += sprintf(at, "</style>");
  for (int i = 0; i < labels; i++)
    at += sprintf(at, "<text font-family='Mine' font-weight='%d' y='%d'>ABV a</text>", 100 + i % WEIGHTS * 100, i % 60);
  sprintf(at, "</svg>");
  stijl_budget *budget = NULL;
  stijl_fonts_params fonts = STIJL_FONTS_PARAMS_INIT;
  fonts.system = false;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  CHECK(!stijl_budget_create(NULL, NULL, &budget) && !stijl_fonts_create(NULL, &fonts, &params.fonts, NULL));
  params.base_folder = sj_test_font("");
  draw_svg(page, &params, &d);
  CHECK_INT(d.result, STIJL_OK);
  CHECK_STR(d.warning, "");
  params.budget = budget;
  stijl_svg *svg = NULL;
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_svg_load(NULL, page, strlen(page), &params, &svg, NULL), STIJL_OK);
  if (svg) CHECK_INT(stijl_svg_scene(svg, 64, 64, &scene, NULL), STIJL_OK);
  uint64_t work = stijl_budget_work(budget);
  stijl_scene_destroy(scene);
  stijl_svg_destroy(svg);
  stijl_fonts_destroy(params.fonts);
  stijl_budget_destroy(budget);
  free(page);
  return work;
}

// A label takes as much work with 1,116 slices as with 45, and reads those that it needs.
TEST(slices_of_a_family) {
  if (!have_svg()) SKIP("built without SVG");
  uint64_t few = work_of_slices(5, 1000) - work_of_slices(5, 100);
  uint64_t many = work_of_slices(124, 1000) - work_of_slices(124, 100);
  printf("# work of 900 labels: %.0f with few slices, %.0f with many\n", (double)few, (double)many);
  CHECK(many < few + few / 4);
}

TEST(local_fonts_by_their_full_names) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_INT(ink_end_of("@font-face{font-family:Mine;src:local(StijlTest-Regular)}", "A", true, NULL), REGULAR);
  CHECK_INT(d.warnings, 0);
  ink_end_of("@font-face{font-family:Mine;src:local('Nowhere')}", "A", true, NULL);
  CHECK_INT(d.warnings, 1);
  CHECK(strstr(d.warning, "@font-face \"Mine\" is left out: local Nowhere: there is no font of that name"));
}

static void copy_font(const char *name, const char *to) {
  unsigned char bytes[MAX_TEXT / 8];
  write_file(to, "");
  FILE *in = fopen(sj_test_font(name), "rb"), *out = fopen(in_folder(to), "wb");
  size_t count = in ? fread(bytes, 1, sizeof bytes, in) : 0;
  CHECK(out && fwrite(bytes, 1, count, out) == count);
  if (in) fclose(in);
  if (out) fclose(out);
}

// Files follow the rules of all others that a document names.
TEST(files_below_the_folder_only) {
  if (!have_svg() || !make_folder()) SKIP("built without SVG, or no folder");
  copy_font("stijl-bold.ttf", "docs/sub/bold.ttf");
  copy_font("stijl-bold.ttf", "secret.ttf");
  write_file("docs/sub/sheet.css", "@font-face{font-family:Mine;src:url(bold.ttf)}");
  CHECK_INT(ink_end_of("@font-face{font-family:Mine;src:url(sub/bold.ttf)}", "A", false, in_folder("docs")), BOLD);
  CHECK_INT(ink_end_of("@import 'sub/sheet.css';", "A", false, in_folder("docs")), BOLD);
  CHECK_INT(ink_end_of("@font-face{font-family:Mine;src:url(../secret.ttf)}", "A", true, in_folder("docs")), REGULAR);
  CHECK(strstr(d.warning, "../secret.ttf: the file lies outside the folder"));
  CHECK_INT(ink_end_of("@font-face{font-family:Mine;src:url(sub/bold.ttf)}", "A", true, NULL), REGULAR);
  CHECK(strstr(d.warning, "may not read files"));
  CHECK_INT(ink_end_of("@font-face{font-family:Mine;src:url(http://localhost/bold.ttf)}", "A", true, in_folder("docs")),
            REGULAR);
  CHECK(strstr(d.warning, "never read"));
  remove_folder();
}

// Documents that share the application's fonts, with fonts of their own, on several threads: the same pictures.
typedef struct worker {
  stijl_fonts *fonts;
  const char *document;
  stijl_svg *svg[16];
} worker;

static void *load_documents(void *user) {
  worker *w = user;
  for (size_t i = 0; i < sizeof w->svg / sizeof *w->svg; i++) {
    stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
    stijl_message message;
    params.fonts = w->fonts;
    if (stijl_svg_load(NULL, w->document, strlen(w->document), &params, &w->svg[i], &message)) w->svg[i] = NULL;
  }
  return NULL;
}

TEST(fonts_are_shared_by_threads) {
  if (!have_svg()) SKIP("built without SVG");
  enum { THREADS = 4 };
  static const char *const files[] = {"stijl.ttc", "stijl-variable.ttf", "stijl-color.ttf", "dejavu.ttf"};
  static worker workers[THREADS];
  pthread_t threads[THREADS];
  stijl_fonts_params fonts_params = STIJL_FONTS_PARAMS_INIT;
  stijl_fonts *fonts;
  fonts_params.system = false;
  CHECK(!stijl_fonts_create(NULL, &fonts_params, &fonts, NULL));
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    CHECK(!stijl_fonts_add_file(fonts, sj_test_font(files[i]), NULL));
  snprintf(text, sizeof text,
           SVG("<style>@font-face{font-family:Mine;src:url(%s);unicode-range:U+42}</style>"
               "<text y='20' font-size='20' font-family='Mine, Stijl Test'>ABAB&#xe9;"
               "<tspan font-family='Stijl Variable' font-weight='300'>AV</tspan></text>"
               "<text y='50' font-size='20' font-family='Stijl Color'>AVa<tspan font-family='DejaVu "
               "Sans'>Af</tspan></text>"),
           data_of("stijl-bold.ttf"));
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){.fonts = fonts, .document = text};
    CHECK(pthread_create(&threads[i], NULL, load_documents, &workers[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  static uint8_t pixels[2][DRAWN_SIZE * DRAWN_SIZE * 4];
  stijl_renderer *renderer;
  CHECK(!stijl_renderer_create(NULL, NULL, &renderer, NULL));
  for (int i = 0; i < THREADS; i++) {
    for (size_t k = 0; k < sizeof workers[i].svg / sizeof *workers[i].svg; k++) {
      stijl_scene *scene = NULL;
      uint8_t *to = pixels[i || k];
      stijl_target target = {.size = sizeof target,
                             .width = DRAWN_SIZE,
                             .height = DRAWN_SIZE,
                             .format = STIJL_FORMAT_RGBA8,
                             .pixels = to,
                             .stride = DRAWN_SIZE * 4};
      memset(to, 0, sizeof pixels[0]);
      CHECK(workers[i].svg[k] && !stijl_svg_scene(workers[i].svg[k], DRAWN_SIZE, DRAWN_SIZE, &scene, NULL));
      CHECK(!stijl_render(renderer, scene, &target, NULL, NULL));
      if (i || k) CHECK(memcmp(pixels[0], pixels[1], sizeof pixels[0]) == 0);
      stijl_scene_destroy(scene);
      stijl_svg_destroy(workers[i].svg[k]);
    }
  }
  CHECK(pixels[0][(10 * DRAWN_SIZE + 4) * 4 + 3]);
  stijl_renderer_destroy(renderer);
  stijl_fonts_destroy(fonts);
}

static char notices[512];

static void keep_notice(void *user, stijl_log_level level, const char *line) {
  (void)user;
  if (level == STIJL_LOG_NOTICE) snprintf(notices + strlen(notices), sizeof notices - strlen(notices), "%s\n", line);
}

// A family that another stands for is told, once.
TEST(substitutes_are_told) {
  if (!have_svg()) SKIP("built without SVG");
  static const struct {
    const char *families, *notice;
  } cases[] = {{"Stijl Test", ""},
               {"stijl test, Arial", ""},
               {"serif", ""},
               {"Arial, Stijl Test",
                "the font family Arial is not there: Stijl Test is drawn instead (`stijl fonts` lists all)\n"}};
  stijl_context_params context_params = STIJL_CONTEXT_PARAMS_INIT;
  context_params.log = keep_notice;
  stijl_context *context;
  stijl_fonts_params fonts_params = STIJL_FONTS_PARAMS_INIT;
  fonts_params.system = false;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  CHECK(!stijl_context_create(&context_params, &context));
  CHECK(!stijl_fonts_create(context, &fonts_params, &params.fonts, NULL));
  CHECK(!stijl_fonts_add_file(params.fonts, sj_test_font("stijl-regular.ttf"), NULL));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    stijl_svg *svg = NULL;
    notices[0] = 0;
    snprintf(text, sizeof text, SVG("<g font-family='%s'><text y='9'>AB</text><text font-size='2'>A</text></g>"),
             cases[i].families);
    CHECK(!stijl_svg_load(context, text, strlen(text), &params, &svg, NULL));
    if (strcmp(notices, cases[i].notice) != 0) sj_test_fail(__FILE__, __LINE__, "%s: %s", cases[i].families, notices);
    stijl_svg_destroy(svg);
  }
  stijl_fonts_destroy(params.fonts);
  stijl_context_destroy(context);
}

// What a document brings is within its limits.
TEST(limits_count) {
  if (!have_svg()) SKIP("built without SVG");
  static char rules[MAX_TEXT / 2];
  stijl_budget *budget = NULL;
  stijl_budget_params limits = STIJL_BUDGET_PARAMS_INIT;
  limits.max_memory = 200000;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  CHECK(!stijl_budget_create(NULL, &limits, &budget));
  params.budget = budget;
  snprintf(rules, sizeof rules, "@font-face{font-family:Mine;src:url(%s)}", data_of("stijl-bomb.ttf"));
  snprintf(text, sizeof text, SVG("<style>%s</style><text font-family='Mine'>AB</text>"), rules);
  stijl_svg *svg = NULL;
  stijl_message message;
  CHECK_INT(stijl_svg_load(NULL, text, strlen(text), &params, &svg, &message), STIJL_ERROR_LIMIT);
  stijl_svg_destroy(svg);
  stijl_budget_destroy(budget);
}
