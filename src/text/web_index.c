#include "text/web_index.h"

#include <string.h>

#include "base/ascii.h"
#include "base/budget.h"
#include "base/search.h"
#include "base/sort.h"
#include "text/match.h"

#define WORK_FACE 100
#define WORK_RANGE 20
#define MAX_CHARACTER 0x10ffff

// --- making ---

typedef struct entry {
  const char *family;
  float weight_min, weight_max, stretch_min, stretch_max;
  bool italic, oblique;
  uint32_t face;
} entry;

static int compare_names(const char *a, const char *b) {
  while (*a && sj_to_lower(*a) == sj_to_lower(*b)) a++, b++;
  return (unsigned char)sj_to_lower(*a) - (unsigned char)sj_to_lower(*b);
}

static int compare_styles(const entry *a, const entry *b) {
  const float x[] = {a->weight_min, a->weight_max, a->stretch_min, a->stretch_max};
  const float y[] = {b->weight_min, b->weight_max, b->stretch_min, b->stretch_max};
  for (int i = 0; i < 4; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  if (a->italic != b->italic) return a->italic - b->italic;
  return a->oblique - b->oblique;
}

static int compare_entries(const void *a, const void *b) {
  const entry *x = a, *y = b;
  int names = compare_names(x->family, y->family);
  return names ? names : compare_styles(x, y);
}

sj_face_description sj_web_describe(const sj_web_face *face) {
  bool weight = face->weight_min > 0.0f, stretch = face->stretch_min > 0.0f;
  return (sj_face_description){.weight_min = weight ? face->weight_min : 400.0f,
                               .weight_max = weight ? face->weight_max : 400.0f,
                               .stretch_min = stretch ? face->stretch_min : 100.0f,
                               .stretch_max = stretch ? face->stretch_max : 100.0f,
                               .italic = face->italic,
                               .oblique = face->oblique};
}

static entry entry_of(const sj_web_face *face, uint32_t number) {
  sj_face_description is = sj_web_describe(face);
  return (entry){face->family,   is.weight_min, is.weight_max, is.stretch_min,
                 is.stretch_max, is.italic,     is.oblique,    number};
}

// Divides the sorted entries into families and styles.
static void divide(sj_web_index *index, const entry *entries, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t face = entries[i].face;
    bool same = i && compare_names(entries[i - 1].family, entries[i].family) == 0;
    if (!same)
      index->families[index->family_count++] =
          (sj_web_family){.name = entries[i].family, .first_style = (uint32_t)index->style_count};
    sj_web_family *family = &index->families[index->family_count - 1];
    if (!same || compare_styles(&entries[i - 1], &entries[i]) != 0) {
      index->styles[index->style_count++] =
          (sj_web_style){.is = sj_web_describe(&index->faces[face]), .first = (uint32_t)i};
      family->style_count++;
    }
    index->styles[index->style_count - 1].count++;
    index->order[i] = face;
    if (face > family->last) family->last = face;
  }
}

bool sj_web_index_init(stijl_context *context, const sj_web_face *faces, size_t count, sj_web_index *out) {
  *out = (sj_web_index){.context = context, .faces = faces};
  entry *entries = sj_alloc_array(context, count + 1, sizeof *entries);
  out->order = sj_alloc_array(context, count + 1, sizeof *out->order);
  out->styles = sj_alloc_array(context, count + 1, sizeof *out->styles);
  out->families = sj_alloc_array(context, count + 1, sizeof *out->families);
  bool good = entries && out->order && out->styles && out->families;
  for (size_t i = 0; good && i < count; i++) entries[i] = entry_of(&faces[i], (uint32_t)i);
  good = good && sj_sort(context, entries, count, sizeof *entries, compare_entries);
  if (good) divide(out, entries, count);
  sj_free(context, entries);
  if (!good) sj_web_index_finish(out);
  return good;
}

void sj_web_index_finish(sj_web_index *index) {
  for (size_t i = 0; i < index->style_count; i++) {
    sj_free(index->context, index->styles[i].starts);
    sj_free(index->context, index->styles[i].tops);
  }
  sj_free(index->context, index->order);
  sj_free(index->context, index->styles);
  sj_free(index->context, index->families);
  *index = (sj_web_index){0};
}

// --- families ---

const sj_web_family *sj_web_index_family(const sj_web_index *index, const char *name, size_t length) {
  char key[SJ_MAX_FAMILY];
  if (length >= sizeof key) return NULL;
  memcpy(key, name, length);
  key[length] = 0;
  size_t low = 0, high = index->family_count;
  SJ_SEARCH(low, high, i, compare_names(index->families[i].name, key) < 0);
  bool found = low < index->family_count && compare_names(index->families[low].name, key) == 0;
  return found ? &index->families[low] : NULL;
}

// --- characters ---

static size_t range_count(const sj_web_face *face) { return face->range_count ? face->range_count : 1; }

static void range_of(const sj_web_face *face, size_t i, uint32_t *first, uint32_t *end) {
  *first = face->range_count ? face->ranges[2 * i] : 0;
  *end = (face->range_count ? face->ranges[2 * i + 1] : MAX_CHARACTER) + 1;
}

static int compare_words(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

// Returns the number of the last start that is not above the character.
static size_t find_start(const uint32_t *starts, size_t count, uint32_t character) {
  size_t next = 1;
  SJ_SEARCH(next, count, i, starts[i] <= character);
  return next - 1;
}

// Gives each part the last face that is for it: the faces are gone through from the last on, and take what is still
// free. next[i] is the first part from i on that may be free.
static void take_parts(const sj_web_index *index, sj_web_style *style, uint32_t *next) {
  for (uint32_t k = style->count; k > 0; k--) {
    uint32_t number = index->order[style->first + k - 1];
    const sj_web_face *face = &index->faces[number];
    for (size_t i = 0; i < range_count(face); i++) {
      uint32_t first, end;
      range_of(face, i, &first, &end);
      uint32_t at = (uint32_t)find_start(style->starts, style->starts_count, first);
      uint32_t last = (uint32_t)find_start(style->starts, style->starts_count, end);
      while (true) {
        while (next[at] != at) at = next[at] = next[next[at]];
        if (at >= last) break;
        style->tops[at] = number;
        next[at] = at + 1;
      }
    }
  }
}

// Makes the table of a style's characters.
static bool make_table(sj_web_index *index, sj_web_style *style) {
  size_t ranges = 0, count = 0, unique = 0;
  for (uint32_t i = 0; i < style->count; i++) ranges += range_count(&index->faces[index->order[style->first + i]]);
  if (!sj_context_check(index->context, WORK_RANGE * (uint64_t)ranges)) return false;
  size_t room = 2 * ranges + 1;
  uint32_t *starts = sj_alloc_array(index->context, room, sizeof *starts);
  if (!starts) return false;
  starts[count++] = 0;
  for (uint32_t i = 0; i < style->count; i++) {
    const sj_web_face *face = &index->faces[index->order[style->first + i]];
    for (size_t k = 0; k < range_count(face); k++, count += 2) range_of(face, k, &starts[count], &starts[count + 1]);
  }
  bool good = sj_sort(index->context, starts, count, sizeof *starts, compare_words);
  for (size_t i = 0; i < count; i++)
    if (!unique || starts[i] != starts[unique - 1]) starts[unique++] = starts[i];
  uint32_t *tops = sj_alloc_array(index->context, unique, sizeof *tops);
  uint32_t *next = sj_alloc_array(index->context, unique, sizeof *next);
  if (good && tops && next) {
    style->starts = starts;
    style->tops = tops;
    style->starts_count = unique;
    for (size_t i = 0; i < unique; i++) {
      tops[i] = SJ_NO_WEB_FACE;
      next[i] = (uint32_t)i;
    }
    take_parts(index, style, next);
  } else {
    sj_free(index->context, starts);
    sj_free(index->context, tops);
  }
  sj_free(index->context, next);
  return style->tops != NULL;
}

bool sj_web_index_face(sj_web_index *index, sj_web_style *style, uint32_t character, uint32_t before, uint32_t *out) {
  *out = SJ_NO_WEB_FACE;
  if (!style->tops && !make_table(index, style)) return false;
  uint32_t top = style->tops[find_start(style->starts, style->starts_count, character)];
  // The last face for the character is mostly the one that is drawn.
  if (top == SJ_NO_WEB_FACE || top < before) {
    *out = top;
    return true;
  }
  for (uint32_t k = style->count; k > 0; k--) {
    uint32_t number = index->order[style->first + k - 1];
    if (number >= before) continue;
    const sj_web_face *face = &index->faces[number];
    if (!sj_context_check(index->context, WORK_FACE)) return false;
    if (face->range_count && !sj_in_ranges(face->ranges, face->range_count, character)) continue;
    *out = number;
    return true;
  }
  return true;
}
