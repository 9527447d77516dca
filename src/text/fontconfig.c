// Asks fontconfig. Nothing else calls it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libraries/fontconfig.h"
#include "text/system.h"

#define MAX_CONFIG_BYTES (1 << 20)

// Returns fontconfig's configuration, which is only loaded when something is asked for that is not in the index.
// Returns NULL when fontconfig does not work. The callers hold a lock.
static FcConfig *config_of(void) {
  static FcConfig *config;
  static bool tried;
  if (!tried && !sj_open_fontconfig(NULL)) config = FcInitLoadConfigAndFonts();
  tried = true;
  return config;
}

static float css_weight(double weight) {
  double w = FcWeightToOpenTypeDouble(weight);
  return w < 1.0 ? 400.0f : w > 1000.0 ? 1000.0f : (float)w;
}

// Reads a property: a number, or a range of them in fonts with axes. Returns false when the font does not have it.
static bool get_range(const FcPattern *pattern, const char *object, double *low, double *high) {
  FcRange *range;
  if (FcPatternGetDouble(pattern, object, 0, low) == FcResultMatch) {
    *high = *low;
    return true;
  }
  return FcPatternGetRange(pattern, object, 0, &range) == FcResultMatch && FcRangeGetDouble(range, low, high);
}

static int compare_fonts(const void *a, const void *b) {
  const sj_system_font *x = a, *y = b;
  int by_path = strcmp(x->path, y->path);
  return by_path ? by_path : x->index < y->index ? -1 : x->index > y->index;
}

// Copies all names of one or two kinds to one block, as a list. Returns NULL when memory is short.
static char *copy_names(const FcPattern *pattern, const char *kind, const char *other) {
  const char *const kinds[] = {kind, other};
  FcChar8 *name;
  size_t bytes = 1;
  for (int k = 0; k < 2; k++)
    for (int n = 0; kinds[k] && FcPatternGetString(pattern, kinds[k], n, &name) == FcResultMatch; n++)
      bytes += strlen((const char *)name) + 1;
  char *out = calloc(1, bytes), *at = out;
  for (int k = 0; k < 2 && out; k++) {
    for (int n = 0; kinds[k] && FcPatternGetString(pattern, kinds[k], n, &name) == FcResultMatch; n++) {
      size_t length = strlen((const char *)name) + 1;
      if (length == 1) continue;  // an empty name would end the list
      memcpy(at, name, length);
      at += length;
    }
  }
  return out;
}

// Converts a set of characters to ranges, and returns how many they are. With NULL as `out` it only counts them.
static uint32_t put_ranges(const FcCharSet *set, sj_char_range *out) {
  FcChar32 map[FC_CHARSET_MAP_SIZE], next;
  uint32_t count = 0, last = UINT32_MAX - 1;
  for (FcChar32 page = FcCharSetFirstPage(set, map, &next); page != FC_CHARSET_DONE;
       page = FcCharSetNextPage(set, map, &next)) {
    for (uint32_t bit = 0; bit < 32 * FC_CHARSET_MAP_SIZE; bit++) {
      if (!(map[bit / 32] >> bit % 32 & 1)) continue;
      uint32_t character = page + bit;
      if (character != last + 1) {
        if (out) out[count].first = character;
        count++;
      }
      last = character;
      if (out) out[count - 1].last = last;
    }
  }
  return count;
}

static bool same_ranges(const sj_system *system, const sj_system_font *a, const sj_system_font *b) {
  if (a->range_count != b->range_count) return false;
  const sj_char_range *x = sj_array_at(&system->ranges, a->first_range),
                      *y = sj_array_at(&system->ranges, b->first_range);
  return !a->range_count || memcmp(x, y, a->range_count * sizeof *x) == 0;
}

// Adds the characters of a font, or shares those of a font that has the same. Returns false when memory is short.
static bool add_ranges(sj_system *system, const FcCharSet *set, sj_system_font *font) {
  font->first_range = (uint32_t)system->ranges.count;
  font->range_count = put_ranges(set, NULL);
  if (!sj_array_reserve(sj_context(NULL), &system->ranges, font->range_count)) return false;
  put_ranges(set, sj_array_at(&system->ranges, font->first_range));
  for (size_t i = 0; i < system->count; i++) {
    if (!same_ranges(system, &system->fonts[i], font)) continue;
    font->first_range = system->fonts[i].first_range;
    return true;
  }
  system->ranges.count += font->range_count;
  return true;
}

// Copies what fontconfig knows of a font. Returns false when the font cannot be used, or memory is short.
static bool copy_font(const FcPattern *p, sj_system *system, sj_system_font *font) {
  FcChar8 *path, *format;
  FcCharSet *set;
  int index = 0, slant = FC_SLANT_ROMAN;
  if (FcPatternGetString(p, FC_FILE, 0, &path) != FcResultMatch) return false;
  if (FcPatternGetString(p, FC_FONTFORMAT, 0, &format) == FcResultMatch && strcmp((char *)format, "TrueType") != 0 &&
      strcmp((char *)format, "CFF") != 0)
    return false;
  FcPatternGetInteger(p, FC_INDEX, 0, &index);
  // The upper half is the number of a named instance of a font with axes, or 0x8000 for the font as such. Instances are
  // left out.
  if (index >> 16 != 0 && index >> 16 != 0x8000) return false;
  *font = (sj_system_font){.index = (uint32_t)index & 0xffff};
  double low, high;
  font->weight_min = font->weight_max = 400.0f;
  font->stretch_min = font->stretch_max = 100.0f;
  if (get_range(p, FC_WEIGHT, &low, &high)) font->weight_min = css_weight(low), font->weight_max = css_weight(high);
  if (get_range(p, FC_WIDTH, &low, &high)) font->stretch_min = (float)low, font->stretch_max = (float)high;
  FcPatternGetInteger(p, FC_SLANT, 0, &slant);
  font->italic = slant == FC_SLANT_ITALIC;
  font->oblique = slant == FC_SLANT_OBLIQUE;
  char *path_copy = strdup((const char *)path), *families = copy_names(p, FC_FAMILY, NULL);
  char *full_names = copy_names(p, FC_FULLNAME, FC_POSTSCRIPT_NAME);
  bool good = path_copy && families && full_names;
  if (good && FcPatternGetCharSet(p, FC_CHARSET, 0, &set) == FcResultMatch) good = add_ranges(system, set, font);
  font->path = path_copy;
  font->families = families;
  font->full_names = full_names;
  if (good) return true;
  free(path_copy);
  free(families);
  free(full_names);
  return false;
}

void sj_fontconfig_scan(sj_system *system) {
  FcConfig *config = config_of();
  FcFontSet *set = config ? FcConfigGetFonts(config, FcSetSystem) : NULL;
  if (!set || set->nfont <= 0) return;
  system->fonts = calloc((size_t)set->nfont, sizeof *system->fonts);
  if (!system->fonts) return;
  for (int i = 0; i < set->nfont; i++)
    if (copy_font(set->fonts[i], system, &system->fonts[system->count])) system->count++;
  system->range_count = (uint32_t)system->ranges.count;
  // The order in which fontconfig reads folders may change; that of the paths does not.
  qsort(system->fonts, system->count, sizeof *system->fonts, compare_fonts);
}

// Returns whether there is a font of a family.
static bool is_there(const sj_system *system, const FcChar8 *family) {
  for (size_t i = 0; i < system->count; i++) {
    for (const char *name = system->fonts[i].families; *name; name += strlen(name) + 1)
      if (FcStrCmpIgnoreCase((const FcChar8 *)name, family) == 0) return true;
  }
  return false;
}

static FcPattern *pattern_for(FcConfig *config, const char *family) {
  FcPattern *pattern = FcPatternCreate();
  if (!pattern) return NULL;
  FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)family);
  FcConfigSubstitute(config, pattern, FcMatchPattern);
  FcDefaultSubstitute(pattern);
  return pattern;
}

bool sj_fontconfig_ask(const sj_system *system, sj_system_answer *answer) {
  FcConfig *config = config_of();
  FcPattern *pattern = config ? pattern_for(config, answer->family) : NULL;
  if (!pattern) return false;
  bool good = true;
  FcValue value;
  FcValueBinding binding;
  for (int i = 0; FcPatternGetWithBinding(pattern, FC_FAMILY, i, &value, &binding) == FcResultMatch && good; i++) {
    // fontconfig gives a family with the same widths the same binding as the one that was asked for, which is strong.
    bool exact = binding != FcValueBindingWeak;
    if (value.type != FcTypeString || (answer->loose && (answer->exact || !exact)) || !is_there(system, value.u.s))
      continue;
    if (!answer->loose) good = (answer->loose = strdup((const char *)value.u.s)) != NULL;
    if (good && exact && !answer->exact) good = (answer->exact = strdup((const char *)value.u.s)) != NULL;
  }
  FcPatternDestroy(pattern);
  if (good) return true;
  free(answer->exact);
  free(answer->loose);
  answer->exact = answer->loose = NULL;
  return false;
}

bool sj_fontconfig_sort(const sj_system *system, sj_system_answer *answer) {
  FcConfig *config = config_of();
  FcPattern *pattern = config ? pattern_for(config, answer->family) : NULL;
  if (!pattern) return false;
  FcResult result;
  FcFontSet *set = FcFontSort(config, pattern, FcFalse, NULL, &result);
  answer->order_count = 0;
  answer->order = set ? calloc((size_t)set->nfont + 1, sizeof *answer->order) : NULL;
  for (int i = 0; answer->order && i < set->nfont; i++) {
    FcChar8 *path;
    int index = 0;
    if (FcPatternGetString(set->fonts[i], FC_FILE, 0, &path) != FcResultMatch) continue;
    FcPatternGetInteger(set->fonts[i], FC_INDEX, 0, &index);
    sj_system_font key = {.path = (const char *)path, .index = (uint32_t)index & 0xffff};
    const sj_system_font *found = bsearch(&key, system->fonts, system->count, sizeof key, compare_fonts);
    if (found) answer->order[answer->order_count++] = (uint32_t)(found - system->fonts);
  }
  if (set) FcFontSetDestroy(set);
  FcPatternDestroy(pattern);
  return answer->order != NULL;
}

// --- what fontconfig's answers depend on ---

// Returns whether a file includes nothing but what fontconfig's own files include, which sj_fontconfig_sources reports
// whether it exists or not.
static bool includes_usual(const char *path) {
  static const char *const usual[] = {"conf.d",          "local.conf",   "fontconfig/conf.d", "fontconfig/fonts.conf",
                                      "~/.fonts.conf.d", "~/.fonts.conf"};
  FILE *file = fopen(path, "rb");
  char *text = file ? malloc(MAX_CONFIG_BYTES) : NULL;
  size_t length = text ? fread(text, 1, MAX_CONFIG_BYTES - 1, file) : 0;
  bool good = text && feof(file);
  if (text) text[length] = 0;
  for (const char *at = text; good && (at = strstr(at, "<include"));) {
    const char *begin = strchr(at, '>'), *end = begin ? strchr(begin, '<') : NULL;
    good = false;
    for (size_t i = 0; end && i < sizeof usual / sizeof *usual; i++)
      good = good ||
             (strlen(usual[i]) == (size_t)(end - begin - 1) && strncmp(begin + 1, usual[i], strlen(usual[i])) == 0);
    at = end;
  }
  free(text);
  if (file) fclose(file);
  return good;
}

// Reports the files and folders of a list. With `files` it is the list of configuration files.
static bool each_of(FcStrList *list, bool files, bool (*each)(void *user, const char *path), void *user) {
  bool good = list != NULL;
  FcChar8 *path;
  while (good && (path = FcStrListNext(list))) {
    const char *text = (const char *)path, *slash = strrchr(text, '/');
    // Relative names may mean something else in another process.
    good = *text == '/' && each(user, text);
    if (!good || !files) continue;
    // The list has folders, too. The folder of a file is reported because another file, such as local.conf, may appear
    // in it.
    char folder[4096];
    size_t length = (size_t)(slash - text);
    bool is_file = strlen(text) > 5 && strcmp(text + strlen(text) - 5, ".conf") == 0;
    if (!is_file) continue;
    good = length < sizeof folder && includes_usual(text);
    if (!good) break;
    memcpy(folder, text, length);
    folder[length] = 0;
    good = each(user, length ? folder : "/");
  }
  if (list) FcStrListDone(list);
  return good;
}

static bool each_at_home(const char *home, const char *below, bool (*each)(void *user, const char *path), void *user) {
  char path[4096];
  int length = snprintf(path, sizeof path, "%s%s", home, below);
  return length > 0 && length < (int)sizeof path && each(user, path);
}

bool sj_fontconfig_sources(bool (*each)(void *user, const char *path), void *user) {
  FcConfig *config = config_of();
  if (!config || getenv("FONTCONFIG_SYSROOT")) return false;
  bool good = each_of(FcConfigGetConfigFiles(config), true, each, user) &&
              each_of(FcConfigGetFontDirs(config), false, each, user);
  const char *home = getenv("HOME"), *own = getenv("XDG_CONFIG_HOME");
  if (good && home && *home == '/')
    good = each_at_home(home, "/.fonts.conf", each, user) && each_at_home(home, "/.fonts.conf.d", each, user);
  const char *base = own && *own == '/' ? own : home, *below = own && *own == '/' ? "" : "/.config";
  char folder[4096];
  if (good && base && *base == '/') {
    good = snprintf(folder, sizeof folder, "%s%s/fontconfig", base, below) < (int)sizeof folder && each(user, folder) &&
           each_at_home(folder, "/fonts.conf", each, user) && each_at_home(folder, "/conf.d", each, user);
  }
  return good;
}
