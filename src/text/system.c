// The system's fonts, through fontconfig: it knows the names, styles and characters of all of them without opening any.

#include <fontconfig/fontconfig.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "text/fonts.h"

static struct {
  FcConfig *config;
  sj_system_font *fonts;
  size_t count;
} sys;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static float css_weight(double weight) {
  double w = FcWeightToOpenTypeDouble(weight);
  return w < 1.0 ? 400.0f : w > 1000.0 ? 1000.0f : (float)w;
}

// A number, or a range of them for fonts with axes. False: absent.
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

static void scan(void) {
  sys.config = FcInitLoadConfigAndFonts();
  FcFontSet *set = sys.config ? FcConfigGetFonts(sys.config, FcSetSystem) : NULL;
  if (!set || set->nfont <= 0) return;
  sys.fonts = calloc((size_t)set->nfont, sizeof *sys.fonts);
  if (!sys.fonts) return;
  for (int i = 0; i < set->nfont; i++) {
    FcPattern *p = set->fonts[i];
    FcChar8 *path, *format;
    int index = 0, slant = FC_SLANT_ROMAN;
    if (FcPatternGetString(p, FC_FILE, 0, &path) != FcResultMatch) continue;
    if (FcPatternGetString(p, FC_FONTFORMAT, 0, &format) == FcResultMatch && strcmp((char *)format, "TrueType") != 0 &&
        strcmp((char *)format, "CFF") != 0)
      continue;
    FcPatternGetInteger(p, FC_INDEX, 0, &index);
    // The upper half tells a named instance of a font with axes; what counts is the font, for which it is 0x8000.
    if (index >> 16 != 0 && index >> 16 != 0x8000) continue;
    sj_system_font *font = &sys.fonts[sys.count++];
    *font = (sj_system_font){.path = (const char *)path, .index = (uint32_t)index & 0xffff, .pattern = p};
    double low, high;
    font->weight_min = font->weight_max = 400.0f;
    font->stretch_min = font->stretch_max = 100.0f;
    if (get_range(p, FC_WEIGHT, &low, &high)) font->weight_min = css_weight(low), font->weight_max = css_weight(high);
    if (get_range(p, FC_WIDTH, &low, &high)) font->stretch_min = (float)low, font->stretch_max = (float)high;
    FcPatternGetInteger(p, FC_SLANT, 0, &slant);
    font->italic = slant == FC_SLANT_ITALIC;
    font->oblique = slant == FC_SLANT_OBLIQUE;
  }
  // The order in which folders are read is not told; that of the names is the same each time.
  qsort(sys.fonts, sys.count, sizeof *sys.fonts, compare_fonts);
}

size_t sj_system_fonts(const sj_system_font **out) {
  pthread_once(&once, scan);
  *out = sys.fonts;
  return sys.count;
}

const char *sj_system_family(const sj_system_font *font, int n) {
  FcChar8 *family;
  return FcPatternGetString(font->pattern, FC_FAMILY, n, &family) == FcResultMatch ? (const char *)family : NULL;
}

bool sj_system_has_char(const sj_system_font *font, uint32_t character) {
  FcCharSet *set;
  return FcPatternGetCharSet(font->pattern, FC_CHARSET, 0, &set) == FcResultMatch && FcCharSetHasChar(set, character);
}

static bool is_there(const FcChar8 *family) {
  for (size_t i = 0; i < sys.count; i++) {
    const char *name;
    for (int n = 0; (name = sj_system_family(&sys.fonts[i], n)); n++) {
      if (FcStrCmpIgnoreCase((const FcChar8 *)name, family) == 0) return true;
    }
  }
  return false;
}

static FcPattern *pattern_for(const char *family) {
  FcPattern *pattern = FcPatternCreate();
  if (!pattern) return NULL;
  FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)family);
  FcConfigSubstitute(sys.config, pattern, FcMatchPattern);
  FcDefaultSubstitute(pattern);
  return pattern;
}

bool sj_system_substitute(const char *family, bool exact, char *out, size_t bytes) {
  pthread_once(&once, scan);
  if (!sys.config || !sys.count) return false;
  FcPattern *pattern = pattern_for(family);
  bool found = false;
  if (!pattern) return false;
  // fontconfig binds a family of the same widths as closely as the one asked for.
  FcValue value;
  FcValueBinding binding;
  for (int i = 0; !found && FcPatternGetWithBinding(pattern, FC_FAMILY, i, &value, &binding) == FcResultMatch; i++) {
    if (value.type != FcTypeString || (exact && binding != FcValueBindingSame) || !is_there(value.u.s)) continue;
    size_t length = strlen((const char *)value.u.s);
    if (length >= bytes) continue;
    memcpy(out, value.u.s, length + 1);
    found = true;
  }
  FcPatternDestroy(pattern);
  return found;
}

size_t sj_system_fallback(const char *family, uint32_t character, uint32_t *out, size_t max) {
  pthread_once(&once, scan);
  if (!sys.config || !sys.count) return 0;
  FcPattern *pattern = pattern_for(family);
  if (!pattern) return 0;
  FcResult result;
  FcFontSet *set = FcFontSort(sys.config, pattern, FcFalse, NULL, &result);
  size_t count = 0;
  for (int i = 0; set && i < set->nfont && count < max; i++) {
    FcCharSet *characters;
    FcChar8 *path;
    int index = 0;
    if (FcPatternGetCharSet(set->fonts[i], FC_CHARSET, 0, &characters) != FcResultMatch ||
        !FcCharSetHasChar(characters, character) ||
        FcPatternGetString(set->fonts[i], FC_FILE, 0, &path) != FcResultMatch)
      continue;
    FcPatternGetInteger(set->fonts[i], FC_INDEX, 0, &index);
    sj_system_font key = {.path = (const char *)path, .index = (uint32_t)index & 0xffff};
    const sj_system_font *found = bsearch(&key, sys.fonts, sys.count, sizeof key, compare_fonts);
    if (found) out[count++] = (uint32_t)(found - sys.fonts);
  }
  if (set) FcFontSetDestroy(set);
  FcPatternDestroy(pattern);
  return count;
}
