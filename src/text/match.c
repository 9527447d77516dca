#include "text/match.h"

#include <string.h>

#include "base/ascii.h"

bool sj_same_family(const char *a, const char *name, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (!a[i] || sj_to_lower(a[i]) != sj_to_lower(name[i])) return false;
  return !a[length];
}

bool sj_has_family(const char *families, const char *name, size_t length) {
  for (; *families; families += strlen(families) + 1)
    if (sj_same_family(families, name, length)) return true;
  return false;
}

// Returns how far a range lies from the desired value. Ranges on the preferred side are always nearer than others.
static float distance(float low, float high, float desired, bool prefer_lower) {
  if (desired >= low && desired <= high) return 0.0f;
  if (high < desired) return desired - high + (prefer_lower ? 0.0f : 10000.0f);
  return low - desired + (prefer_lower ? 10000.0f : 0.0f);
}

static float weight_distance(const sj_face_description *is, float desired) {
  if (desired >= 400.0f && desired <= 500.0f) {
    // Heavier weights up to 500 come first, then lighter ones, then the rest.
    if (is->weight_min > desired && is->weight_min <= 500.0f) return is->weight_min - desired;
    float d = distance(is->weight_min, is->weight_max, desired, true);
    return d > 0.0f ? d + 200.0f : 0.0f;
  }
  return distance(is->weight_min, is->weight_max, desired, desired < 400.0f);
}

static float slant_distance(const sj_face_description *is, sj_slant desired) {
  bool oblique = is->oblique || (is->has_slant_axis && !is->italic);
  switch (desired) {
    case SJ_SLANT_ITALIC: return is->italic ? 0.0f : oblique ? 1.0f : 2.0f;
    case SJ_SLANT_OBLIQUE: return oblique ? 0.0f : is->italic ? 1.0f : 2.0f;
    default: return is->italic ? 2.0f : is->oblique ? 1.0f : 0.0f;
  }
}

bool sj_is_nearer(const sj_rank *a, const sj_rank *b) {
  if (a->stretch != b->stretch) return a->stretch < b->stretch;
  if (a->slant != b->slant) return a->slant < b->slant;
  return a->weight < b->weight;
}

sj_rank sj_rank_of(const sj_face_description *is, const sj_font_style *style) {
  return (sj_rank){distance(is->stretch_min, is->stretch_max, style->stretch, style->stretch <= 100.0f),
                   slant_distance(is, style->slant), weight_distance(is, style->weight)};
}

// --- lists of families ---

static const struct {
  const char *name;
  stijl_generic_family generic;
} generics[] = {{"serif", STIJL_FAMILY_SERIF},
                {"sans-serif", STIJL_FAMILY_SANS_SERIF},
                {"cursive", STIJL_FAMILY_CURSIVE},
                {"fantasy", STIJL_FAMILY_FANTASY},
                {"monospace", STIJL_FAMILY_MONOSPACE},
                {"system-ui", STIJL_FAMILY_SANS_SERIF},
                {"ui-serif", STIJL_FAMILY_SERIF},
                {"ui-sans-serif", STIJL_FAMILY_SANS_SERIF},
                {"ui-rounded", STIJL_FAMILY_SANS_SERIF},
                {"ui-monospace", STIJL_FAMILY_MONOSPACE},
                {"math", STIJL_FAMILY_SERIF},
                {"fangsong", STIJL_FAMILY_SERIF}};

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void sj_each_family(const char *list, size_t length,
                    bool (*each)(void *user, const char *name, size_t length, int generic), void *user) {
  const char *at = list, *end = list + length;
  while (at < end) {
    char name[SJ_MAX_FAMILY];
    size_t count = 0;
    bool quoted = false;
    while (at < end && is_blank(*at)) at++;
    while (at < end && *at != ',') {
      if (*at == '"' || *at == '\'') {
        char quote = *at++;
        quoted = true;
        for (; at < end && *at != quote; at++) {
          if (*at == '\\' && at + 1 < end) at++;
          if (count < sizeof name - 1) name[count++] = *at;
        }
        if (at < end) at++;
        continue;
      }
      // Several blanks between the words of a name count as one.
      if (is_blank(*at)) {
        while (at < end && is_blank(*at)) at++;
        if (at < end && *at != ',' && count && !quoted && count < sizeof name - 1) name[count++] = ' ';
        continue;
      }
      if (*at == '\\' && at + 1 < end) at++;
      if (count < sizeof name - 1) name[count++] = *at;
      at++;
    }
    if (at < end) at++;
    if (!count) continue;
    int generic = -1;
    for (size_t i = 0; !quoted && i < sizeof generics / sizeof *generics; i++)
      if (sj_same_family(generics[i].name, name, count)) generic = generics[i].generic;
    if (!each(user, name, count, generic)) return;
  }
}

// --- how a face is opened ---

static uint32_t axes_for(const sj_face_description *is, const sj_font_style *style, sj_axis_value *axes) {
  uint32_t count = 0;
  if (is->weight_min < is->weight_max) axes[count++] = (sj_axis_value){HB_TAG('w', 'g', 'h', 't'), style->weight};
  if (is->stretch_min < is->stretch_max) axes[count++] = (sj_axis_value){HB_TAG('w', 'd', 't', 'h'), style->stretch};
  if (is->has_slant_axis && style->slant != SJ_SLANT_NORMAL) {
    axes[count++] = (sj_axis_value){HB_TAG('s', 'l', 'n', 't'), -14.0f};
    axes[count++] = (sj_axis_value){HB_TAG('i', 't', 'a', 'l'), 1.0f};
  }
  if (style->optical_size > 0.0f) axes[count++] = (sj_axis_value){HB_TAG('o', 'p', 's', 'z'), style->optical_size};
  // font-variation-settings overrule what other properties set.
  for (size_t i = 0; i < style->axis_count; i++) {
    uint32_t k = 0;
    while (k < count && axes[k].tag != style->axes[i].tag) k++;
    if (k == SJ_MAX_AXES) break;
    axes[k] = style->axes[i];
    if (k == count) count++;
  }
  return count;
}

sj_instance sj_instance_of(const sj_face_description *is, const sj_font_style *style) {
  sj_instance instance = {0};
  instance.axis_count = axes_for(is, style, instance.axes);
  instance.slanted = style->slant != SJ_SLANT_NORMAL && !is->italic && !is->oblique && !is->has_slant_axis &&
                     !style->no_synthesis_style;
  // As in browsers, weights from 600 on are synthesised if the font's own weight is below that.
  instance.emboldened = style->weight >= 600.0f && is->weight_max < 600.0f && !style->no_synthesis_weight;
  return instance;
}

void sj_instance_reduce(sj_instance *instance, const sj_face *face) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < instance->axis_count; i++) {
    uint32_t k = 0;
    while (k < face->axis_count && face->axes[k] != instance->axes[i].tag) k++;
    if (k < face->axis_count) instance->axes[kept++] = instance->axes[i];
  }
  instance->axis_count = kept;
}

bool sj_same_instance(const sj_instance *a, const sj_instance *b) {
  return a->slanted == b->slanted && a->emboldened == b->emboldened && a->axis_count == b->axis_count &&
         memcmp(a->axes, b->axes, a->axis_count * sizeof *a->axes) == 0;
}
