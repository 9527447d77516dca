// What HarfBuzz's own tests expect of shaping, asked of ours: itemised, shaped, and put in visual order.
//
// STIJL_HARFBUZZ is the folder test/shape/data of HarfBuzz's sources, in the version that is installed
// (scripts/fetch.sh fetches Debian's). A line of its tests is "FONT;OPTIONS;CHARACTERS;GLYPHS". shaping.txt names the
// lines that do not hold here, with the reason; every other has to, and one that is named and holds is to be taken out.
// STIJL_SHAPING_UPDATE=FILE writes what does not hold.
#include <dirent.h>
#include <stdlib.h>

#include "libraries/harfbuzz.h"
#include "test.h"
#include "text/shape.h"

enum { MAX_TEXT = 4096, MAX_FEATURES = 32, MAX_AXES = 64, MAX_LINE = 1 << 16 };

typedef struct line {
  char path[2048];  // of the font
  hb_feature_t features[MAX_FEATURES];
  hb_variation_t variations[MAX_AXES];
  uint32_t text[MAX_TEXT];
  unsigned feature_count, variation_count, before, count, after;  // of the characters around, and of the text
  char language[64];
  int font_size;
  hb_buffer_serialize_flags_t flags;
  char direction;  // 't', 'l', 'r'; 0: that of the characters
  bool no_ignorables;
  const char *expected;
  const char *reason;  // why our interface cannot ask for it; NULL: it can
} line;

static unsigned read_characters(const char *at, uint32_t *out, unsigned room) {
  unsigned count = 0;
  while (*at && count < room) {
    if (at[0] == 'U' && at[1] == '+') at += 2;
    char *end;
    unsigned long c = strtoul(at, &end, 16);
    if (end == at) {
      at++;
      continue;
    }
    out[count++] = (uint32_t)c;
    at = end;
  }
  return count;
}

// Returns the value without the quotes of a shell.
static char *unquoted(char *value) {
  size_t length = strlen(value);
  if (length < 2 || value[0] != '"' || value[length - 1] != '"') return value;
  value[length - 1] = 0;
  return value + 1;
}

static void read_features(line *l, char *value) {
  for (char *save, *word = strtok_r(value, ",", &save); word; word = strtok_r(NULL, ",", &save))
    if (l->feature_count < MAX_FEATURES && hb_feature_from_string(word, -1, &l->features[l->feature_count]))
      l->feature_count++;
}

static void read_variations(line *l, char *value) {
  for (char *save, *word = strtok_r(value, ",", &save); word; word = strtok_r(NULL, ",", &save))
    if (l->variation_count < MAX_AXES && hb_variation_from_string(word, -1, &l->variations[l->variation_count]))
      l->variation_count++;
}

// Reads an option of hb-shape. What follows from the characters here, as script and direction do, cannot be asked for.
static void read_option(line *l, char *option, char *value, uint32_t *before, uint32_t *after) {
  static const struct {
    const char *name;
    int flag;
  } shown[] = {{"--no-glyph-names", HB_BUFFER_SERIALIZE_FLAG_NO_GLYPH_NAMES},
               {"--no-positions", HB_BUFFER_SERIALIZE_FLAG_NO_POSITIONS},
               {"--no-clusters", HB_BUFFER_SERIALIZE_FLAG_NO_CLUSTERS},
               {"--no-advances", HB_BUFFER_SERIALIZE_FLAG_NO_ADVANCES},
               {"--show-extents", HB_BUFFER_SERIALIZE_FLAG_GLYPH_EXTENTS},
               {"--ned", HB_BUFFER_SERIALIZE_FLAG_NO_CLUSTERS | HB_BUFFER_SERIALIZE_FLAG_NO_ADVANCES}};
  for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
    if (strcmp(option, shown[i].name) != 0) continue;
    l->flags |= (hb_buffer_serialize_flags_t)shown[i].flag;
    return;
  }
  if (strcmp(option, "--font-funcs") == 0 || strcmp(option, "--single-par") == 0) return;
  if (strcmp(option, "--shaper") == 0 && strcmp(value, "ot") == 0) return;
  if (strcmp(option, "--remove-default-ignorables") == 0) {
    l->no_ignorables = true;
  } else if (strcmp(option, "--features") == 0) {
    read_features(l, value);
  } else if (strcmp(option, "--variations") == 0) {
    read_variations(l, value);
  } else if (strcmp(option, "--language") == 0) {
    snprintf(l->language, sizeof l->language, "%s", value);
  } else if (strcmp(option, "--font-size") == 0) {
    l->font_size = atoi(value);
  } else if (strcmp(option, "--direction") == 0 && strchr("tlr", value[0])) {
    l->direction = value[0];
  } else if (strcmp(option, "--unicodes-before") == 0) {
    l->before = read_characters(value, before, MAX_TEXT / 4);
  } else if (strcmp(option, "--unicodes-after") == 0) {
    l->after = read_characters(value, after, MAX_TEXT / 4);
  } else {
    l->reason = option[0] == '-' && option[1] == '-' ? option + 2 : "option";
  }
}

// Reads a line. Returns false when it is none.
static bool read_line(line *l, char *text, const char *folder) {  // at most 1023 bytes
  static uint32_t before[MAX_TEXT / 4], after[MAX_TEXT / 4];
  static char nothing[] = "";
  char *fields[4] = {text};
  *l = (line){.font_size = 0};
  text[strcspn(text, "\r\n")] = 0;
  if (!*text || *text == '#') return false;
  for (int i = 1; i < 4; i++) {
    char *end = strchr(fields[i - 1], ';');
    if (!end) return false;
    *end = 0;
    fields[i] = end + 1;
  }
  bool of_system = fields[0][0] == '/' || fields[0][0] == '"';
  snprintf(l->path, sizeof l->path, "%s/%.1000s", folder, fields[0]);
  for (char *save, *word = strtok_r(fields[1], " ", &save); word; word = strtok_r(NULL, " ", &save)) {
    char *value = strchr(word, '=');
    if (value) *value++ = 0;
    if (value) value = unquoted(value);
    if (!value && (strcmp(word, "--language") == 0 || strcmp(word, "--font-ptem") == 0 ||
                   strcmp(word, "--font-funcs") == 0 || strcmp(word, "--direction") == 0))
      value = strtok_r(NULL, " ", &save);
    read_option(l, word, value ? value : nothing, before, after);
  }
  if (of_system) l->reason = "system-font";
  memcpy(l->text, before, l->before * sizeof *before);
  l->count = read_characters(fields[2], l->text + l->before, MAX_TEXT / 2);
  memcpy(l->text + l->before + l->count, after, l->after * sizeof *after);
  l->expected = fields[3];
  return true;
}

// --- fonts: the one of the last line again ---

static stijl_fonts *fonts;
static char fonts_path[2048];
static sj_axis_value axes[MAX_AXES];  // where the font has them itself
static unsigned axis_count;

static void close_fonts(void) {
  stijl_fonts_destroy(fonts);
  fonts = NULL;
  fonts_path[0] = 0;
}

static bool open_fonts(const char *path) {
  if (fonts && strcmp(path, fonts_path) == 0) return true;
  close_fonts();
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = false;
  if (stijl_fonts_create(NULL, &params, &fonts, NULL) || stijl_fonts_add_file(fonts, path, NULL)) return false;
  snprintf(fonts_path, sizeof fonts_path, "%s", path);
  hb_blob_t *blob = hb_blob_create_from_file(path);
  hb_face_t *face = hb_face_create(blob, 0);
  hb_ot_var_axis_info_t infos[MAX_AXES];
  unsigned count = MAX_AXES;
  hb_ot_var_get_axis_infos(face, 0, &count, infos);
  axis_count = count;
  for (unsigned i = 0; i < count; i++) axes[i] = (sj_axis_value){infos[i].tag, infos[i].default_value};
  hb_face_destroy(face);
  hb_blob_destroy(blob);
  return true;
}

// --- shaping, and what came of it in the words of hb-shape ---

// Returns whether a glyph is what is drawn for a character that is not to be seen: a blank without a width.
static bool is_hidden(hb_font_t *font, const sj_glyph *g) {
  hb_codepoint_t space = 0;
  hb_font_get_nominal_glyph(font, ' ', &space);
  return !g->x_advance && !g->y_advance && g->id == space;
}

static bool is_shown(const line *l, const sj_item *item, const sj_glyph *g) {
  return g->cluster >= l->before && g->cluster < l->before + l->count &&
         !(l->no_ignorables && is_hidden(item->face->hb, g));
}

// Scales font units as HarfBuzz does.
static hb_position_t scaled(const line *l, const sj_item *item, int32_t units) {
  if (!l->font_size) return units;
  int64_t factor = ((int64_t)l->font_size << 16) / item->face->metrics.units_per_em;
  return (hb_position_t)((units * factor + (1 << 15)) >> 16);
}

static void put_item(hb_buffer_t *buffer, const line *l, const sj_shaped *shaped, const sj_item *item) {
  for (uint32_t i = 0; i < item->glyph_count; i++) {
    const sj_glyph *g = &shaped->glyphs.data[item->first_glyph + i];
    if (is_shown(l, item, g)) hb_buffer_add(buffer, g->id, g->cluster - l->before);
  }
}

static void put_positions(hb_buffer_t *buffer, const line *l, const sj_shaped *shaped, const sj_item *item,
                          unsigned *at) {
  hb_glyph_position_t *positions = hb_buffer_get_glyph_positions(buffer, NULL);
  for (uint32_t i = 0; i < item->glyph_count; i++) {
    const sj_glyph *g = &shaped->glyphs.data[item->first_glyph + i];
    if (!is_shown(l, item, g)) continue;
    positions[(*at)++] = (hb_glyph_position_t){.x_advance = scaled(l, item, g->x_advance),
                                               .y_advance = scaled(l, item, g->y_advance),
                                               .x_offset = scaled(l, item, g->x_offset),
                                               .y_offset = scaled(l, item, g->y_offset)};
  }
}

// Describes what was shaped into `out`; *items is how many there were. Returns false when it was not shaped.
static bool describe(const line *l, char *out, size_t room, size_t *items) {
  sj_axis_value wanted[2 * MAX_AXES];
  unsigned count = axis_count, total = l->before + l->count + l->after;
  memcpy(wanted, axes, axis_count * sizeof *axes);
  for (unsigned i = 0; i < l->variation_count; i++)
    wanted[count++] = (sj_axis_value){l->variations[i].tag, l->variations[i].value};
  sj_shape_style style = {.font = {.weight = 400.0f,
                                   .stretch = 100.0f,
                                   .axes = wanted,
                                   .axis_count = count,
                                   .no_synthesis_weight = true,
                                   .no_synthesis_style = true},
                          .language = l->language[0] ? l->language : NULL,
                          .features = l->features,
                          .feature_count = l->feature_count,
                          .orientation = SJ_ORIENT_UPRIGHT};
  sj_shape_span spans[] = {{l->before, style}, {l->before + l->count, style}, {total, style}};
  sj_shaped shaped;
  uint32_t order[MAX_TEXT];
  uint8_t levels[MAX_TEXT];
  memset(levels, l->direction == 'r', sizeof levels);
  bool vertical = l->direction == 't', given = l->direction == 'l' || l->direction == 'r';
  bool good = sj_shape(fonts, sj_context(NULL), l->text, total, spans + !l->before, l->before ? 3 : 2, SJ_BASE_AUTO,
                       given ? levels : NULL, vertical, &shaped);
  *items = 0;
  hb_buffer_t *buffer = hb_buffer_create();
  for (size_t i = 0; i < shaped.items.count; i++) {
    const sj_item *item = &shaped.items.data[i];
    levels[i] = item->level;
    *items += item->end > l->before && item->first < l->before + l->count;
  }
  sj_visual_order(levels, (uint32_t)shaped.items.count, order);
  for (size_t i = 0; i < shaped.items.count; i++) put_item(buffer, l, &shaped, &shaped.items.data[order[i]]);
  hb_buffer_set_content_type(buffer, HB_BUFFER_CONTENT_TYPE_GLYPHS);
  unsigned at = 0;
  for (size_t i = 0; i < shaped.items.count; i++) put_positions(buffer, l, &shaped, &shaped.items.data[order[i]], &at);
  unsigned end = 0, length = hb_buffer_get_length(buffer), wrote = 0, first = 0;
  hb_buffer_set_direction(buffer, vertical ? HB_DIRECTION_TTB : HB_DIRECTION_LTR);
  hb_font_t *font = shaped.items.count ? shaped.items.data[0].face->hb : hb_font_get_empty();
  snprintf(out, room, "[]");
  while (first < length && end < room) {
    unsigned done = hb_buffer_serialize_glyphs(buffer, first, length, out + end, (unsigned)(room - end), &wrote, font,
                                               HB_BUFFER_SERIALIZE_FORMAT_TEXT, l->flags);
    if (!done) break;
    first += done;
    end += wrote;
  }
  hb_buffer_destroy(buffer);
  sj_shaped_finish(&shaped);
  return good;
}

// --- the list of what does not hold ---

static char *known[4096];
static size_t known_count;

static void read_known(void) {
  FILE *in = fopen(SHAPING_LIST, "r");
  char text[256];
  while (in && fgets(text, sizeof text, in)) {
    text[strcspn(text, "\n")] = 0;
    if (text[0] && text[0] != '#' && known_count < sizeof known / sizeof *known) known[known_count++] = strdup(text);
  }
  if (in) fclose(in);
}

// Returns the entry of a line, "REASON NAME"; NULL: it has none.
static const char *find_known(const char *name) {
  for (size_t i = 0; i < known_count; i++) {
    const char *space = strchr(known[i], ' ');
    if (space && strcmp(space + 1, name) == 0) return known[i];
  }
  return NULL;
}

static FILE *update;
static int tried, left_out;

static void check_line(const line *l, const char *name) {
  static char got[MAX_LINE];
  const char *reason = l->reason, *entry = find_known(name);
  size_t items = 0;
  const char *expected = l->expected[0] == '*' ? NULL : l->expected;  // NULL: it has to end only
  if (!reason && !open_fonts(l->path)) reason = "font";
  bool shaped = false;
  if (!reason) {
    shaped = describe(l, got, sizeof got, &items);
    tried++;
  }
  bool holds = !reason && (!expected || (shaped && strcmp(got, expected) == 0));
  if (holds && entry) sj_test_fail(__FILE__, __LINE__, "%s holds now: take it out of the list", name);
  if (holds) return;
  left_out++;
  if (!reason) reason = !items ? "font" : items > 1 ? "items" : "differs";
  if (update) {
    fprintf(update, "%s %s\n", reason, name);
    if (!l->reason && getenv("STIJL_SHAPING_SHOW")) fprintf(update, "# %s\n# %s\n", l->expected, got);
  } else if (!entry) {
    sj_test_fail(__FILE__, __LINE__, "%s: %s\n#   got      %s\n#   expected %s", name, reason, got, l->expected);
  }
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static int is_list(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return length > 6 && strcmp(entry->d_name + length - 6, ".tests") == 0;
}

static void check_folder(const char *data, const char *name) {
  char folder[1024], path[2048], label[1024];
  static char text[MAX_LINE];
  static line l;
  struct dirent **files = NULL;
  snprintf(folder, sizeof folder, "%s/%s/tests", data, name);
  int count = scandir(folder, &files, is_list, by_name);
  CHECK(count > 0);
  tried = left_out = 0;
  for (int i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, files[i]->d_name);
    FILE *in = fopen(path, "r");
    for (int number = 1; in && fgets(text, sizeof text, in); number++) {
      snprintf(label, sizeof label, "%s/%s:%d", name, files[i]->d_name, number);
      if (read_line(&l, text, folder)) check_line(&l, label);
    }
    if (in) fclose(in);
    free(files[i]);
  }
  free(files);
  close_fonts();
  printf("# %s: %d lines asked, %d in the list of what does not hold or cannot be asked\n", name, tried, left_out);
}

static const char *data_folder(void) {
  const char *data = getenv("STIJL_HARFBUZZ");
  if (!data) {
    sj_test_skip("HarfBuzz's tests are not here (STIJL_HARFBUZZ; scripts/check fetches them)");
    return NULL;
  }
  if (!strstr(data, hb_version_string())) {
    sj_test_skip("HarfBuzz's tests are not of the version that is installed");
    return NULL;
  }
  stijl_message message;
  CHECK(sj_open_harfbuzz(&message) == STIJL_OK);
  if (!known_count) read_known();
  const char *file = getenv("STIJL_SHAPING_UPDATE");
  if (file) update = fopen(file, "a");
  return data;
}

static void check_set(const char *name) {
  const char *data = data_folder();
  if (data) check_folder(data, name);
  if (update) fclose(update);
  update = NULL;
}

TEST(in_house) { check_set("in-house"); }
TEST(text_rendering_tests) { check_set("text-rendering-tests"); }
TEST(aots) { check_set("aots"); }
