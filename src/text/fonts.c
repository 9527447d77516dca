#include "text/fonts.h"

#include <hb-ot.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/params.h"
#include "text/folder.h"
#include "text/system.h"

// Faces that are open at a time, each of which may hold a file.
#define MAX_OPEN 512
#define MAX_FAMILY 256
#define MAX_USES 1024
#define KNOWN_STYLES 64
#define GENERICS (STIJL_FAMILY_MONOSPACE + 1)

typedef struct source {
  char *path;  // NULL: memory
  unsigned char *data;
  uint64_t size;
} source;

typedef struct entry {
  sj_face_description is;  // of a system's font its names are the system's, else the entry's
  uint32_t source, index;
  const sj_system_font *system;  // NULL: a source
  hb_set_t *characters;          // NULL: not asked for yet, or a system's font
} entry;

typedef struct open_face {
  sj_face *face;
  uint32_t entry;
  bool slanted, emboldened;
  sj_axis_value axes[SJ_MAX_AXES];
  uint32_t axis_count;
} open_face;

// What was asked for, and what was found.
typedef struct use {
  char *families;
  float weight;
  uint32_t entry;  // UINT32_MAX: nothing
  stijl_font_how how;
} use;

// A style that has been asked for, and the face that it got: lists of families are not gone through for each word.
typedef struct known_style {
  sj_font_style style;  // with these families and axes
  char *families;
  sj_axis_value axes[SJ_MAX_AXES];
  sj_face *face;  // NULL: free
} known_style;

struct stijl_fonts {
  stijl_context *context;
  bool system, warned_open;
  uint32_t max_faces;
  pthread_mutex_t lock;  // of all that follows; taken before the library's
  sj_font_library library;
  SJ_ARRAY(source) sources;
  size_t described;  // sources whose faces are among the entries
  bool system_there;
  SJ_ARRAY(entry) entries;  // the sources' first, the system's behind them
  size_t own_count;         // of the sources
  SJ_ARRAY(open_face) open;
  SJ_ARRAY(use) uses;
  char *generic[GENERICS];
  known_style known[KNOWN_STYLES];
  uint32_t next_known;  // the one to be replaced next
};

stijl_result stijl_fonts_create(stijl_context *context, const stijl_fonts_params *params, stijl_fonts **out,
                                stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!out) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "out is NULL");
  *out = NULL;
  params = SJ_PARAMS(stijl_fonts_params, STIJL_FONTS_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  context = sj_context(context);
  stijl_fonts *fonts = sj_alloc_zero(context, sizeof *fonts);
  if (!fonts) return sj_fail_memory(message);
  fonts->context = context;
  fonts->system = params->system;
  fonts->max_faces = params->max_faces;
  if (pthread_mutex_init(&fonts->lock, NULL) != 0 ||
      !sj_font_library_init(&fonts->library, context, params->max_bytes, params->max_memory)) {
    sj_free(context, fonts);
    return sj_fail_memory(message);
  }
  *out = fonts;
  return STIJL_OK;
}

static void forget_styles(stijl_fonts *fonts) {
  for (int i = 0; i < KNOWN_STYLES; i++) {
    sj_free(fonts->context, fonts->known[i].families);
    fonts->known[i] = (known_style){0};
  }
}

static void finish_entry(const stijl_fonts *fonts, entry *e) {
  if (e->system) return;
  sj_free(fonts->context, e->is.families);
  sj_free(fonts->context, e->is.name);
}

void stijl_fonts_destroy(stijl_fonts *fonts) {
  if (!fonts) return;
  stijl_context *context = fonts->context;
  forget_styles(fonts);
  for (size_t i = 0; i < fonts->open.count; i++) sj_face_close(fonts->open.data[i].face);
  for (size_t i = 0; i < fonts->entries.count; i++) {
    hb_set_destroy(fonts->entries.data[i].characters);
    finish_entry(fonts, &fonts->entries.data[i]);
  }
  sj_font_library_finish(&fonts->library);
  for (size_t i = 0; i < fonts->sources.count; i++) {
    sj_free(context, fonts->sources.data[i].path);
    sj_free(context, fonts->sources.data[i].data);
  }
  for (int i = 0; i < GENERICS; i++) sj_free(context, fonts->generic[i]);
  sj_array_finish(context, &fonts->sources);
  sj_array_finish(context, &fonts->entries);
  sj_array_finish(context, &fonts->open);
  for (size_t i = 0; i < fonts->uses.count; i++) sj_free(context, fonts->uses.data[i].families);
  sj_array_finish(context, &fonts->uses);
  pthread_mutex_destroy(&fonts->lock);
  sj_free(context, fonts);
}

unsigned sj_fonts_refusals(const stijl_fonts *fonts) { return atomic_load(&fonts->library.refusals); }

stijl_context *sj_fonts_context(const stijl_fonts *fonts) { return fonts->context; }

// --- what is added ---

static bool add_path(void *user, const char *path) {
  stijl_fonts *fonts = user;
  source s = {.path = sj_strndup(fonts->context, path, strlen(path))};
  if (s.path && sj_array_push(fonts->context, &fonts->sources, s)) return true;
  sj_free(fonts->context, s.path);
  return false;
}

stijl_result stijl_fonts_add_file(stijl_fonts *fonts, const char *path, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!fonts || !path) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "fonts or path is NULL");
  if (access(path, R_OK) != 0) return sj_fail(message, STIJL_ERROR_IO, "the font %.200s cannot be read", path);
  return add_path(fonts, path) ? STIJL_OK : sj_fail_memory(message);
}

stijl_result stijl_fonts_add_folder(stijl_fonts *fonts, const char *path, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!fonts || !path) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "fonts or path is NULL");
  return sj_each_font_file(fonts->context, path, add_path, fonts, message);
}

stijl_result stijl_fonts_add_memory(stijl_fonts *fonts, const void *data, size_t bytes, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!fonts || !data) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "fonts or data is NULL");
  if (bytes > fonts->library.max_bytes)
    return sj_fail(message, STIJL_ERROR_LIMIT, "the font is larger than max_bytes (%llu)",
                   (unsigned long long)fonts->library.max_bytes);
  source s = {.data = sj_alloc(fonts->context, bytes + 1), .size = bytes};
  if (!s.data) return sj_fail_memory(message);
  memcpy(s.data, data, bytes);
  if (sj_array_push(fonts->context, &fonts->sources, s)) return STIJL_OK;
  sj_free(fonts->context, s.data);
  return sj_fail_memory(message);
}

stijl_result stijl_fonts_set_family(stijl_fonts *fonts, stijl_generic_family generic, const char *family) {
  if (!fonts || (unsigned)generic >= GENERICS) return STIJL_ERROR_INVALID_ARGUMENT;
  char *copy = family ? sj_strndup(fonts->context, family, strlen(family)) : NULL;
  if (family && !copy) return STIJL_ERROR_OUT_OF_MEMORY;
  sj_free(fonts->context, fonts->generic[generic]);
  fonts->generic[generic] = copy;
  forget_styles(fonts);
  return STIJL_OK;
}

// --- finding out what there is; the lock is held ---

typedef struct adding {
  stijl_fonts *fonts;
  uint32_t source;
} adding;

static bool add_entry(void *user, uint32_t index, const sj_face_description *description) {
  adding *a = user;
  stijl_fonts *fonts = a->fonts;
  entry e = {.is = *description, .source = a->source, .index = index};
  if (fonts->entries.count < fonts->max_faces && sj_array_push(fonts->context, &fonts->entries, e)) return true;
  sj_free(fonts->context, e.is.families);
  sj_free(fonts->context, e.is.name);
  return fonts->entries.count >= fonts->max_faces || sj_font_refused(&fonts->library);
}

static sj_font_bytes bytes_of(const stijl_fonts *fonts, uint32_t at) {
  const source *s = &fonts->sources.data[at];
  return (sj_font_bytes){.path = s->path, .data = s->data, .size = s->size};
}

static void drop_entries(stijl_fonts *fonts, size_t from) {
  while (fonts->entries.count > from) finish_entry(fonts, &fonts->entries.data[--fonts->entries.count]);
}

static void load(stijl_fonts *fonts) {
  if (fonts->described == fonts->sources.count && (fonts->system_there || !fonts->system)) return;
  forget_styles(fonts);
  // The system's go to the end again.
  fonts->entries.count = fonts->own_count;
  fonts->system_there = false;
  for (; fonts->described < fonts->sources.count; fonts->described++) {
    adding a = {.fonts = fonts, .source = (uint32_t)fonts->described};
    sj_font_bytes bytes = bytes_of(fonts, a.source);
    stijl_message message = {""};
    unsigned refusals = atomic_load(&fonts->library.refusals);
    size_t before = fonts->entries.count;
    stijl_result result = sj_font_describe(&fonts->library, &bytes, add_entry, &a, &message);
    if (atomic_load(&fonts->library.refusals) != refusals) {
      // The next text tries again.
      drop_entries(fonts, before);
      break;
    }
    if (result != STIJL_OK)
      sj_log(fonts->context, STIJL_LOG_WARNING, "font %.200s left out: %s", bytes.path ? bytes.path : "in memory",
             message.text);
  }
  fonts->own_count = fonts->entries.count;
  if (!fonts->system) return;
  const sj_system_font *list;
  size_t count = sj_system_fonts(&list);
  if (!sj_array_reserve(fonts->context, &fonts->entries, count)) {
    sj_font_refused(&fonts->library);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    fonts->entries.data[fonts->entries.count++] = (entry){.is = {.families = list[i].families,
                                                                 .name = list[i].families,
                                                                 .weight_min = list[i].weight_min,
                                                                 .weight_max = list[i].weight_max,
                                                                 .stretch_min = list[i].stretch_min,
                                                                 .stretch_max = list[i].stretch_max,
                                                                 .italic = list[i].italic,
                                                                 .oblique = list[i].oblique},
                                                          .index = list[i].index,
                                                          .system = &list[i]};
  }
  fonts->system_there = true;
}

// --- matching: CSS Fonts 4, 5.2 ---

static bool same_family(const char *a, const char *name, size_t length) {
  for (size_t i = 0; i < length; i++) {
    char x = a[i], y = name[i];
    if (x >= 'A' && x <= 'Z') x = (char)(x + 32);
    if (y >= 'A' && y <= 'Z') y = (char)(y + 32);
    if (!x || x != y) return false;
  }
  return !a[length];
}

static bool has_family(const entry *e, const char *name, size_t length) {
  for (const char *family = e->is.families; *family; family += strlen(family) + 1)
    if (same_family(family, name, length)) return true;
  return false;
}

// How far a range lies from what is desired, those on the preferred side always nearer.
static float distance(float low, float high, float desired, bool prefer_lower) {
  if (desired >= low && desired <= high) return 0.0f;
  if (high < desired) return desired - high + (prefer_lower ? 0.0f : 10000.0f);
  return low - desired + (prefer_lower ? 10000.0f : 0.0f);
}

static float weight_distance(const sj_face_description *is, float desired) {
  if (desired >= 400.0f && desired <= 500.0f) {
    // Heavier ones up to 500, then lighter ones, then the rest.
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

typedef struct rank {
  float stretch, slant, weight;
} rank;

static bool is_nearer(const rank *a, const rank *b) {
  if (a->stretch != b->stretch) return a->stretch < b->stretch;
  if (a->slant != b->slant) return a->slant < b->slant;
  return a->weight < b->weight;
}

static rank rank_of(const entry *e, const sj_font_style *style) {
  return (rank){distance(e->is.stretch_min, e->is.stretch_max, style->stretch, style->stretch <= 100.0f),
                slant_distance(&e->is, style->slant), weight_distance(&e->is, style->weight)};
}

#define NONE UINT32_MAX

static uint32_t find_between(const stijl_fonts *fonts, size_t first, size_t end, const char *name, size_t length,
                             const sj_font_style *style) {
  uint32_t best = NONE;
  rank best_rank = {0};
  for (size_t i = first; i < end; i++) {
    const entry *e = &fonts->entries.data[i];
    if (!has_family(e, name, length)) continue;
    rank r = rank_of(e, style);
    if (best != NONE && !is_nearer(&r, &best_rank)) continue;
    best = (uint32_t)i;
    best_rank = r;
  }
  return best;
}

// Fonts that were added go before those of the system.
static uint32_t find_family(const stijl_fonts *fonts, const char *name, size_t length, const sj_font_style *style) {
  uint32_t found = find_between(fonts, 0, fonts->own_count, name, length, style);
  if (found == NONE) found = find_between(fonts, fonts->own_count, fonts->entries.count, name, length, style);
  return found;
}

static uint32_t find_substitute(const stijl_fonts *fonts, const char *name, size_t length, bool exact,
                                const sj_font_style *style) {
  char family[MAX_FAMILY];
  if (!fonts->system || length >= sizeof family) return NONE;
  memcpy(family, name, length);
  family[length] = 0;
  const char *other = sj_system_substitute(family, exact);
  return other ? find_family(fonts, other, strlen(other), style) : NONE;
}

static const char *const generic_names[GENERICS] = {NULL, "serif", "sans-serif", "cursive", "fantasy", "monospace"};

static uint32_t find_generic(const stijl_fonts *fonts, int generic, const sj_font_style *style) {
  const char *name = fonts->generic[generic];
  uint32_t found = NONE;
  if (name) {
    found = find_family(fonts, name, strlen(name), style);
    if (found == NONE) found = find_substitute(fonts, name, strlen(name), true, style);
  }
  if (found == NONE && generic != STIJL_FAMILY_DEFAULT)
    found = find_substitute(fonts, generic_names[generic], strlen(generic_names[generic]), false, style);
  if (found == NONE && generic == STIJL_FAMILY_DEFAULT) found = find_generic(fonts, STIJL_FAMILY_SERIF, style);
  return found;
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
    char name[MAX_FAMILY];
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
      // Runs of blanks count as one.
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
      if (same_family(generics[i].name, name, count)) generic = generics[i].generic;
    if (!each(user, name, count, generic)) return;
  }
}

// --- open faces; the lock is held ---

static uint32_t axes_for(const entry *e, const sj_font_style *style, sj_axis_value *axes) {
  uint32_t count = 0;
  if (e->is.weight_min < e->is.weight_max) axes[count++] = (sj_axis_value){HB_TAG('w', 'g', 'h', 't'), style->weight};
  if (e->is.stretch_min < e->is.stretch_max)
    axes[count++] = (sj_axis_value){HB_TAG('w', 'd', 't', 'h'), style->stretch};
  if (e->is.has_slant_axis && style->slant != SJ_SLANT_NORMAL) {
    axes[count++] = (sj_axis_value){HB_TAG('s', 'l', 'n', 't'), -14.0f};
    axes[count++] = (sj_axis_value){HB_TAG('i', 't', 'a', 'l'), 1.0f};
  }
  if (style->optical_size > 0.0f) axes[count++] = (sj_axis_value){HB_TAG('o', 'p', 's', 'z'), style->optical_size};
  // What the text sets itself goes before what its style does.
  for (size_t i = 0; i < style->axis_count; i++) {
    uint32_t k = 0;
    while (k < count && axes[k].tag != style->axes[i].tag) k++;
    if (k == SJ_MAX_AXES) break;
    axes[k] = style->axes[i];
    if (k == count) count++;
  }
  return count;
}

static sj_face *open_entry(stijl_fonts *fonts, uint32_t at, const sj_font_style *style) {
  if (at == NONE) return NULL;
  const entry *e = &fonts->entries.data[at];
  open_face key = {.entry = at};
  key.axis_count = axes_for(e, style, key.axes);
  key.slanted = style->slant != SJ_SLANT_NORMAL && !e->is.italic && !e->is.oblique && !e->is.has_slant_axis &&
                !style->no_synthesis_style;
  // As browsers do: from 600 on, where the font's own weight is below that.
  key.emboldened = style->weight >= 600.0f && e->is.weight_max < 600.0f && !style->no_synthesis_weight;
  for (size_t i = 0; i < fonts->open.count; i++) {
    const open_face *o = &fonts->open.data[i];
    if (!o->face->starved && o->entry == at && o->slanted == key.slanted && o->emboldened == key.emboldened &&
        o->axis_count == key.axis_count && memcmp(o->axes, key.axes, key.axis_count * sizeof *key.axes) == 0)
      return o->face;
  }
  if (fonts->open.count >= MAX_OPEN) {
    if (!fonts->warned_open) sj_log(fonts->context, STIJL_LOG_WARNING, "more than %d fonts are open", MAX_OPEN);
    fonts->warned_open = true;
    return fonts->open.data[0].face;
  }
  sj_font_bytes bytes = e->system ? (sj_font_bytes){.path = e->system->path} : bytes_of(fonts, e->source);
  stijl_message message = {""};
  unsigned refusals = atomic_load(&fonts->library.refusals);
  key.face = sj_face_open(&fonts->library, &bytes, e->index, key.axes, key.axis_count, &message);
  if (!key.face && atomic_load(&fonts->library.refusals) != refusals) return NULL;
  if (!key.face) {
    sj_log(fonts->context, STIJL_LOG_WARNING, "font %.200s left out: %s", bytes.path ? bytes.path : "in memory",
           message.text);
    return NULL;
  }
  key.face->slanted = key.slanted;
  key.face->emboldened = key.emboldened;
  if (sj_array_push(fonts->context, &fonts->open, key)) return key.face;
  sj_face_close(key.face);
  sj_font_refused(&fonts->library);
  return NULL;
}

// --- choosing ---

typedef struct choice {
  stijl_fonts *fonts;
  const sj_font_style *style;
  const uint32_t *characters;  // NULL: any face will do
  size_t count;
  sj_face *face, *partly;  // partly: has the first character
} choice;

// True: go on.
static bool try_face(choice *c, uint32_t at) {
  sj_face *face = open_entry(c->fonts, at, c->style);
  if (!face) return true;
  for (size_t i = 0; c->characters && i < c->count; i++) {
    if (sj_face_has_char(face, c->characters[i])) {
      if (!c->partly) c->partly = face;
    } else {
      return true;
    }
  }
  c->face = face;
  return false;
}

static bool try_family(void *user, const char *name, size_t length, int generic) {
  choice *c = user;
  uint32_t found =
      generic >= 0 ? find_generic(c->fonts, generic, c->style) : find_family(c->fonts, name, length, c->style);
  if (found == NONE && generic < 0) found = find_substitute(c->fonts, name, length, true, c->style);
  return found == NONE || try_face(c, found);
}

// The first family alone.
static bool try_first(void *user, const char *name, size_t length, int generic) {
  try_family(user, name, length, generic);
  return false;
}

static bool try_loose_family(void *user, const char *name, size_t length, int generic) {
  choice *c = user;
  uint32_t found = generic >= 0 ? NONE : find_substitute(c->fonts, name, length, false, c->style);
  return found == NONE || try_face(c, found);
}

// The named families, what the system has instead of one of them, the default, anything.
static void choose(choice *c) {
  const sj_font_style *style = c->style;
  if (style->families) sj_each_family(style->families, style->families_length, try_family, c);
  if (c->face) return;
  if (c->fonts->generic[STIJL_FAMILY_DEFAULT] && !try_face(c, find_generic(c->fonts, STIJL_FAMILY_DEFAULT, style)))
    return;
  if (style->families) sj_each_family(style->families, style->families_length, try_loose_family, c);
  if (c->face) return;
  uint32_t found = find_generic(c->fonts, STIJL_FAMILY_DEFAULT, style);
  if (found != NONE) try_face(c, found);
}

// Notes what a style got, for stijl_fonts_get_use; without memory, or beyond 1024, nothing. The lock is held.
static void note_use(stijl_fonts *fonts, const sj_font_style *style, const sj_face *face, bool fallback) {
  uint32_t at = NONE;
  for (size_t i = 0; i < fonts->open.count && at == NONE; i++)
    if (fonts->open.data[i].face == face) at = fonts->open.data[i].entry;
  size_t length = style->families ? style->families_length : 0;
  for (size_t i = 0; i < fonts->uses.count; i++) {
    const use *u = &fonts->uses.data[i];
    if (u->entry == at && u->weight == style->weight && (u->how == STIJL_FONT_FALLBACK) == fallback &&
        strncmp(u->families, style->families ? style->families : "", length) == 0 && !u->families[length])
      return;
  }
  use u = {.weight = style->weight, .entry = at, .how = fallback ? STIJL_FONT_FALLBACK : STIJL_FONT_INSTEAD};
  choice first = {.fonts = fonts, .style = style};
  if (!fallback && at != NONE && length) {
    sj_each_family(style->families, length, try_first, &first);
    if (first.face == face) u.how = STIJL_FONT_NAMED;
  }
  if (fonts->uses.count >= MAX_USES ||
      !(u.families = sj_strndup(fonts->context, length ? style->families : "", length)))
    return;
  if (!sj_array_push(fonts->context, &fonts->uses, u)) sj_free(fonts->context, u.families);
}

stijl_result stijl_fonts_get_use(const stijl_fonts *fonts, size_t index, stijl_font_use *out) {
  if (!fonts || !out || index >= fonts->uses.count) return STIJL_ERROR_INVALID_ARGUMENT;
  const use *u = &fonts->uses.data[index];
  stijl_font_use known = STIJL_FONT_USE_INIT;
  known.families = u->families;
  known.weight = u->weight;
  known.how = u->how;
  if (u->entry < fonts->entries.count) {
    const entry *e = &fonts->entries.data[u->entry];
    const char *path = e->system ? e->system->path : fonts->sources.data[e->source].path;
    known.family = e->is.name;
    known.path = path ? path : "";
  }
  sj_params_write(out, &known, sizeof known);
  return STIJL_OK;
}

static bool same_style(const sj_font_style *a, const sj_font_style *b) {
  return a->families_length == b->families_length && a->weight == b->weight && a->stretch == b->stretch &&
         a->slant == b->slant && a->optical_size == b->optical_size && a->axis_count == b->axis_count &&
         a->no_synthesis_weight == b->no_synthesis_weight && a->no_synthesis_style == b->no_synthesis_style &&
         (!a->families_length || memcmp(a->families, b->families, a->families_length) == 0) &&
         (!a->axis_count || memcmp(a->axes, b->axes, a->axis_count * sizeof *a->axes) == 0);
}

static sj_face *known_face(const stijl_fonts *fonts, const sj_font_style *style) {
  for (int i = 0; i < KNOWN_STYLES; i++) {
    const known_style *known = &fonts->known[i];
    if (known->face && same_style(&known->style, style)) return known->face->starved ? NULL : known->face;
  }
  return NULL;
}

static void remember_style(stijl_fonts *fonts, const sj_font_style *style, sj_face *face) {
  known_style *known = &fonts->known[fonts->next_known];
  char *families = style->families_length ? sj_strndup(fonts->context, style->families, style->families_length) : NULL;
  if (!face || style->axis_count > SJ_MAX_AXES || (style->families_length && !families)) {
    sj_free(fonts->context, families);
    return;
  }
  sj_free(fonts->context, known->families);
  *known = (known_style){.style = *style, .families = families, .face = face};
  known->style.families = families;
  if (style->axis_count) memcpy(known->axes, style->axes, style->axis_count * sizeof *style->axes);
  known->style.axes = known->axes;
  fonts->next_known = (fonts->next_known + 1) % KNOWN_STYLES;
}

sj_face *sj_fonts_face(stijl_fonts *fonts, const sj_font_style *style) {
  choice c = {.fonts = fonts, .style = style};
  pthread_mutex_lock(&fonts->lock);
  load(fonts);
  c.face = known_face(fonts, style);
  if (!c.face) {
    unsigned refusals = atomic_load(&fonts->library.refusals);
    choose(&c);
    for (size_t i = 0; i < fonts->entries.count && !c.face; i++) try_face(&c, (uint32_t)i);
    note_use(fonts, style, c.face, false);
    if (atomic_load(&fonts->library.refusals) == refusals) remember_style(fonts, style, c.face);
  }
  pthread_mutex_unlock(&fonts->lock);
  return c.face;
}

// Whether a font that was added has all of the characters; its set is made when it is first asked for.
static bool covers(stijl_fonts *fonts, entry *e, const uint32_t *characters, size_t count) {
  if (e->system) {
    for (size_t i = 0; i < count; i++)
      if (!sj_system_has_char(e->system, characters[i])) return false;
    return true;
  }
  if (!e->characters) {
    e->characters = hb_set_create();
    sj_font_bytes bytes = bytes_of(fonts, e->source);
    sj_face *face = sj_face_open(&fonts->library, &bytes, e->index, NULL, 0, NULL);
    if (face) hb_face_collect_unicodes(face->hb_face, e->characters);
    sj_face_close(face);
  }
  for (size_t i = 0; i < count; i++)
    if (!hb_set_has(e->characters, characters[i])) return false;
  return true;
}

static uint32_t find_covering(stijl_fonts *fonts, const sj_font_style *style, const uint32_t *characters,
                              size_t count) {
  uint32_t best = NONE;
  rank best_rank = {0};
  for (size_t i = 0; i < fonts->own_count; i++) {
    entry *e = &fonts->entries.data[i];
    rank r = rank_of(e, style);
    if ((best != NONE && !is_nearer(&r, &best_rank)) || !covers(fonts, e, characters, count)) continue;
    best = (uint32_t)i;
    best_rank = r;
  }
  if (best != NONE || !fonts->system_there) return best;
  uint32_t candidates[32];
  char family[MAX_FAMILY] = "serif";
  if (style->families_length && style->families_length < sizeof family) {
    size_t length = strcspn(style->families, ",");
    if (length > style->families_length) length = style->families_length;
    memcpy(family, style->families, length);
    family[length] = 0;
  }
  size_t found = sj_system_fallback(family, characters[0], candidates, 32);
  for (size_t i = 0; i < found; i++) {
    uint32_t at = (uint32_t)(fonts->own_count + candidates[i]);
    if (at >= fonts->entries.count || !covers(fonts, &fonts->entries.data[at], characters, count)) continue;
    // The family's face that is nearest to the style, if it has the characters too.
    const char *name = fonts->entries.data[at].is.name;
    uint32_t nearest = find_family(fonts, name, strlen(name), style);
    if (nearest != NONE && covers(fonts, &fonts->entries.data[nearest], characters, count)) return nearest;
    return at;
  }
  return NONE;
}

sj_face *sj_fonts_face_for(stijl_fonts *fonts, const sj_font_style *style, const uint32_t *characters, size_t count) {
  choice c = {.fonts = fonts, .style = style, .characters = characters, .count = count};
  pthread_mutex_lock(&fonts->lock);
  load(fonts);
  choose(&c);
  if (!c.face) c.face = open_entry(fonts, find_covering(fonts, style, characters, count), style);
  if (!c.face) c.face = c.partly;
  if (!c.face && count > 1) c.face = open_entry(fonts, find_covering(fonts, style, characters, 1), style);
  if (c.face) note_use(fonts, style, c.face, true);
  pthread_mutex_unlock(&fonts->lock);
  return c.face;
}

const char *sj_face_family(const stijl_fonts *fonts, const sj_face *face) {
  for (size_t i = 0; i < fonts->open.count; i++) {
    if (fonts->open.data[i].face == face) return fonts->entries.data[fonts->open.data[i].entry].is.name;
  }
  return "";
}

// --- the process's own ---

static stijl_fonts *process_fonts;
static pthread_once_t process_once = PTHREAD_ONCE_INIT;

static void make_process_fonts(void) { stijl_fonts_create(NULL, NULL, &process_fonts, NULL); }

stijl_fonts *sj_fonts_default(void) {
  pthread_once(&process_once, make_process_fonts);
  return process_fonts;
}
