// Strings of Unicode's own test files (Debian: unicode-data), as they are and put together at random, through itemising
// and into lines, compared with what FriBidi and libunibreak say when they are asked directly.
#include <fribidi.h>
#include <linebreak.h>
#include <stdlib.h>

#include "stijl/text.h"
#include "test.h"
#include "text/line_breaks.h"
#include "text/shape.h"

enum { MAX_STRINGS = 16384, MAX_POOL = 1 << 18, MAX_CHARACTERS = 256, MAX_PARTS = 8 };

// --- the strings of the test files ---

static uint32_t pool[MAX_POOL];
static uint32_t pool_count, starts[MAX_STRINGS + 1], string_count;

// Numbers in hexadecimal, whatever stands between them, up to '#' or ';'.
static void read_strings(const char *path) {
  char line[4096];
  FILE *in = fopen(path, "r");
  while (in && fgets(line, sizeof line, in)) {
    line[strcspn(line, "#;\n")] = 0;
    uint32_t first = pool_count;
    bool whole = true;
    for (char *at = line; *at;) {
      char *end;
      unsigned long c = strtoul(at, &end, 16);
      if (end == at) {
        at++;
        continue;
      }
      whole = whole && pool_count < MAX_POOL && !(c >= 0xd800 && c < 0xe000) && c > 0;
      if (whole) pool[pool_count++] = (uint32_t)c;
      at = end;
    }
    if (!whole || pool_count == first || string_count == MAX_STRINGS) {
      pool_count = first;
      continue;
    }
    starts[string_count++] = first;
    starts[string_count] = pool_count;
  }
  if (in) fclose(in);
}

static bool read_all(void) {
  if (string_count) return true;
  read_strings("/usr/share/unicode/auxiliary/LineBreakTest.txt");
  read_strings("/usr/share/unicode/auxiliary/GraphemeBreakTest.txt");
  read_strings("/usr/share/unicode/auxiliary/WordBreakTest.txt");
  if (string_count) return true;
  sj_test_skip("no /usr/share/unicode/auxiliary (unicode-data)");
  return false;
}

static uint32_t put_together(uint64_t n, uint32_t *text) {
  sj_random r = sj_random_seed(n);
  uint32_t count = 0;
  for (int parts = sj_random_int(&r, 1, MAX_PARTS + 1); parts > 0; parts--) {
    int which = sj_random_int(&r, 0, (int)string_count);
    for (uint32_t i = starts[which]; i < starts[which + 1] && count < MAX_CHARACTERS; i++) text[count++] = pool[i];
  }
  return count;
}

static stijl_fonts *open_fonts(void) {
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  stijl_fonts *fonts = NULL;
  params.system = false;
  CHECK(!stijl_fonts_create(NULL, &params, &fonts, NULL));
  CHECK(!stijl_fonts_add_file(fonts, sj_test_font("stijl-regular.ttf"), NULL));
  CHECK(!stijl_fonts_add_file(fonts, sj_test_font("dejavu.ttf"), NULL));
  return fonts;
}

static bool shape(stijl_fonts *fonts, const uint32_t *text, uint32_t count, sj_base_direction direction,
                  sj_shaped *out) {
  sj_shape_span span = {
      .end = count,
      .style = {.font = {.families = "Stijl Test", .families_length = 10, .weight = 400.0f, .stretch = 100.0f}}};
  return sj_shape(fonts, sj_context(NULL), text, count, &span, 1, direction, NULL, false, out);
}

// --- itemising ---

static void check_levels(uint64_t n, const uint32_t *text, uint32_t count, sj_base_direction direction,
                         const sj_shaped *shaped) {
  static const FriBidiParType bases[] = {FRIBIDI_PAR_LTR, FRIBIDI_PAR_RTL, FRIBIDI_PAR_ON};
  FriBidiCharType types[MAX_CHARACTERS];
  FriBidiBracketType brackets[MAX_CHARACTERS];
  FriBidiLevel levels[MAX_CHARACTERS];
  FriBidiParType base = bases[direction];
  fribidi_get_bidi_types(text, (FriBidiStrIndex)count, types);
  fribidi_get_bracket_types(text, (FriBidiStrIndex)count, types, brackets);
  CHECK(fribidi_get_par_embedding_levels_ex(types, brackets, (FriBidiStrIndex)count, &base, levels));
  for (uint32_t i = 0; i < count; i++)
    if (shaped->levels.data[i] != levels[i])
      sj_test_fail(__FILE__, __LINE__, "case %d: U+%04X, number %u, has level %d, not %d", (int)n, (unsigned)text[i], i,
                   shaped->levels.data[i], levels[i]);
}

// Checks that items follow each other, each as long as it can be, and have all glyphs in the order of their characters.
static void check_items(uint64_t n, const uint32_t *text, uint32_t count, const sj_shaped *shaped) {
  uint32_t at = 0, glyph = 0;
  const sj_item *before = NULL;
  for (size_t k = 0; k < shaped->items.count; k++) {
    const sj_item *item = &shaped->items.data[k];
    bool good = item->first == at && item->end > at && item->first_glyph == glyph;
    for (uint32_t i = item->first; i < item->end && i < count; i++)
      good = good && shaped->levels.data[i] == item->level;
    if (before) {
      good = good && (before->level != item->level || before->script != item->script || before->face != item->face);
      // What belongs together is apart only where its directions differ.
      good = good && (before->level != item->level || !sj_continues_cluster(text, item->first));
    }
    for (uint32_t i = 0; i < item->glyph_count; i++) {
      const sj_glyph *g = &shaped->glyphs.data[glyph + i];
      good = good && g->cluster >= item->first && g->cluster < item->end;
      if (i) good = good && (item->level % 2 ? g->cluster <= g[-1].cluster : g->cluster >= g[-1].cluster);
    }
    if (!good) sj_test_fail(__FILE__, __LINE__, "case %d: item %zu of %zu", (int)n, k, shaped->items.count);
    at = item->end;
    glyph += item->glyph_count;
    before = item;
  }
  CHECK_INT(at, count);
  CHECK_INT(shaped->glyphs.count, glyph);
}

TEST(items) {
  if (!read_all()) return;
  stijl_fonts *fonts = open_fonts();
  uint32_t text[MAX_CHARACTERS];
  for (uint64_t n = 0; sj_test_cases(&n, 3000); n++) {
    uint32_t count = put_together(n, text);
    sj_base_direction direction = (sj_base_direction)(n % 3);
    sj_shaped shaped;
    CHECK(shape(fonts, text, count, direction, &shaped));
    check_levels(n, text, count, direction, &shaped);
    check_items(n, text, count, &shaped);
    sj_shaped_finish(&shaped);
  }
  stijl_fonts_destroy(fonts);
}

// --- the bidirectional algorithm: BidiTest.txt, a sample of whose lines is taken ---

static uint32_t of_class(const char *name) {
  static const struct {
    const char *name;
    uint32_t character;
  } classes[] = {{"L", 'A'},      {"R", 0x5d0},    {"AL", 0x627},   {"EN", '1'},     {"ES", '+'},     {"ET", '#'},
                 {"AN", 0x661},   {"CS", ','},     {"NSM", 0x300},  {"BN", 0xad},    {"B", 0x2029},   {"S", '\t'},
                 {"WS", ' '},     {"ON", '!'},     {"LRE", 0x202a}, {"RLE", 0x202b}, {"PDF", 0x202c}, {"LRO", 0x202d},
                 {"RLO", 0x202e}, {"LRI", 0x2066}, {"RLI", 0x2067}, {"FSI", 0x2068}, {"PDI", 0x2069}};
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (strcmp(classes[i].name, name) == 0) return classes[i].character;
  return 0;
}

// Returns whether a character's level depends on where lines end (rule L1), or it has none.
static bool settled_later(uint32_t c) { return c == '\t' || c == ' ' || c == 0xad || c == 0x2029 || c >= 0x202a; }

TEST(bidi_test) {
  enum { EACH = 61 };
  FILE *in = fopen("/usr/share/unicode/BidiTest.txt", "r");
  if (!in) SKIP("no BidiTest.txt (unicode-data)");
  stijl_fonts *fonts = open_fonts();
  char line[1024];
  int levels[MAX_CHARACTERS], level_count = 0, number = 0, tested = 0;
  while (fgets(line, sizeof line, in)) {
    if (strncmp(line, "@Levels:", 8) == 0) {
      level_count = 0;
      for (char *save, *word = strtok_r(line + 8, " \t\n", &save); word && level_count < MAX_CHARACTERS;
           word = strtok_r(NULL, " \t\n", &save))
        levels[level_count++] = *word == 'x' ? -1 : atoi(word);
    }
    char *semicolon = strchr(line, ';');
    if (line[0] == '#' || line[0] == '@' || !semicolon || ++number % EACH) continue;
    int directions = atoi(semicolon + 1);  // bits: from the letters, left to right, right to left
    uint32_t text[MAX_CHARACTERS], count = 0;
    bool ends = false;  // a paragraph
    *semicolon = 0;
    for (char *save, *word = strtok_r(line, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
      ends = ends || (count && text[count - 1] == 0x2029);
      text[count++] = of_class(word);
      CHECK(text[count - 1]);
    }
    CHECK_INT(count, level_count);
    static const sj_base_direction which[] = {SJ_BASE_AUTO, SJ_BASE_LTR, SJ_BASE_RTL};
    for (int k = 0; k < 3 && !ends; k++) {
      if (!(directions >> k & 1)) continue;
      sj_shaped shaped;
      CHECK(shape(fonts, text, count, which[k], &shaped));
      for (uint32_t i = 0; i < count; i++)
        if (levels[i] >= 0 && !settled_later(text[i]) && shaped.levels.data[i] != levels[i])
          sj_test_fail(__FILE__, __LINE__, "data line %d, direction %d: U+%04X has level %d, not %d", number, k,
                       (unsigned)text[i], shaped.levels.data[i], levels[i]);
      sj_shaped_finish(&shaped);
      tested++;
    }
  }
  CHECK(tested > 5000);
  fclose(in);
  stijl_fonts_destroy(fonts);
}

// --- lines ---

static size_t encode(const uint32_t *text, uint32_t count, char *out, uint32_t *offsets) {
  size_t at = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t c = text[i];
    offsets[i] = (uint32_t)at;
    if (c < 0x80) {
      out[at++] = (char)c;
      continue;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    out[at++] = (char)((more == 1 ? 0xc0u : more == 2 ? 0xe0u : 0xf0u) | c >> 6 * more);
    for (int k = more - 1; k >= 0; k--) out[at++] = (char)(0x80u | (c >> 6 * k & 63));
  }
  offsets[count] = (uint32_t)at;
  return at;
}

static uint32_t number_of(const uint32_t *offsets, uint32_t count, size_t offset) {
  uint32_t i = 0;
  while (i < count && offsets[i] < offset) i++;
  return i;
}

// No character ends the process, and flags stay whole.
TEST(all_characters_in_lines) {
  stijl_message message;
  char breaks[5];
  int flags = 0;
  CHECK(!sj_text_open(&message));
  for (uint32_t c = 1; c < 0x110000; c++) {
    uint32_t text[] = {'A', c, c, ' ', c};
    CHECK(sj_line_breaks(sj_context(NULL), text, 5, c % 2 ? "de" : NULL, breaks));
    if (c < 0x1f1e6 || c > 0x1f1ff) continue;
    flags++;
    CHECK_INT(breaks[0], LINEBREAK_ALLOWBREAK);
    CHECK_INT(breaks[1], LINEBREAK_NOBREAK);
    CHECK_INT(breaks[3], LINEBREAK_ALLOWBREAK);
  }
  CHECK_INT(flags, 26);
  static const uint32_t three[] = {0x1f1e6, 0x1f1e6, 0x1f1e6, 0x1f1e6, 0x1f1e6};
  CHECK(sj_line_breaks(sj_context(NULL), three, 5, NULL, breaks));
  static const char expected[] = {LINEBREAK_NOBREAK, LINEBREAK_ALLOWBREAK, LINEBREAK_NOBREAK, LINEBREAK_ALLOWBREAK};
  CHECK(memcmp(breaks, expected, sizeof expected) == 0);
}

// Breaks a text paragraph by paragraph, as they are laid out: a blank at the beginning is another one than within.
static void break_paragraphs(const uint32_t *text, uint32_t count, char *breaks) {
  for (uint32_t first = 0, end; first < count; first = end + 1) {
    for (end = first; end < count && !sj_ends_line(text[end]);) end++;
    if (end > first) set_linebreaks_utf32(text + first, end - first, "", breaks + first);
    if (end > first && end < count) breaks[end - 1] = LINEBREAK_NOBREAK;
    if (end < count) breaks[end] = LINEBREAK_MUSTBREAK;
    if (end + 1 < count && text[end] == '\r' && text[end + 1] == '\n') breaks[end] = LINEBREAK_NOBREAK;
  }
}

static bool may_break(char at) { return at == LINEBREAK_ALLOWBREAK || at == LINEBREAK_MUSTBREAK; }

// Lines end where libunibreak lets them. One that ends elsewhere has no such place within it: a word that is too long.
TEST(lines) {
  if (!read_all()) return;
  stijl_fonts *fonts = open_fonts();
  uint32_t text[MAX_CHARACTERS], offsets[MAX_CHARACTERS + 1];
  char utf8[4 * MAX_CHARACTERS + 1], breaks[MAX_CHARACTERS];
  init_linebreak();
  for (uint64_t n = 0; sj_test_cases(&n, 1500); n++) {
    sj_random r = sj_random_seed(n + 7);
    uint32_t count = put_together(n, text);
    size_t length = encode(text, count, utf8, offsets);
    bool flags = false;
    for (uint32_t i = 0; i < count; i++) flags = flags || (text[i] >= 0x1f1e6 && text[i] <= 0x1f1ff);
    if (flags) continue;  // which libunibreak 1 does not survive
    break_paragraphs(text, count, breaks);
    stijl_text *shown;
    stijl_text_params params = STIJL_TEXT_PARAMS_INIT;
    const stijl_text_line *lines;
    params.width = sj_random_float(&r, 1.0f, 200.0f);
    CHECK(!stijl_text_create(NULL, fonts, &shown));
    CHECK(!stijl_text_append(shown, utf8, length, NULL));
    CHECK(!stijl_text_layout(shown, &params, NULL));
    size_t line_count = stijl_text_lines(shown, &lines);
    for (size_t i = 0; i < line_count; i++) {
      uint32_t first = number_of(offsets, count, lines[i].start), end = number_of(offsets, count, lines[i].end);
      uint32_t next = i + 1 < line_count ? number_of(offsets, count, lines[i + 1].start) : count;
      bool inside = false, must = false;
      for (uint32_t k = first; k + 1 < end; k++) {
        // A blank and a mark on it are one, although lines might end between them.
        inside = inside || (may_break(breaks[k]) && !sj_continues_cluster(text, k + 1));
        must = must || breaks[k] == LINEBREAK_MUSTBREAK;
      }
      bool empty = next == first && first == count && i + 1 == line_count;  // behind what ends a line
      bool good = (next > first || empty) && !must && (next == count || may_break(breaks[next - 1]) || !inside);
      if (!good)
        sj_test_fail(__FILE__, __LINE__, "case %d: line %zu from %u to %u, the next from %u", (int)n, i, first, end,
                     next);
    }
    stijl_text_destroy(shown);
  }
  stijl_fonts_destroy(fonts);
}
