#include "text/fonts.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/params.h"
#include "libraries/harfbuzz.h"
#include "text/file.h"
#include "text/folder.h"
#include "text/match.h"
#include "text/system.h"
#include "text/web.h"

// Faces that are open at a time, each of which may hold a file.
#define MAX_OPEN 512
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
  sj_instance instance;
} open_face;

// What was asked for, and what was found: as stijl_font_use, whose texts it owns.
typedef struct use {
  char *families, *family, *path;
  float weight;
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
  struct sj_web_fonts *web;  // not NULL: they are all that these fonts are
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

static void finish_use(const stijl_fonts *fonts, use *u) {
  sj_free(fonts->context, u->families);
  sj_free(fonts->context, u->family);
  sj_free(fonts->context, u->path);
}

static void finish_entry(const stijl_fonts *fonts, entry *e) {
  if (e->system) return;
  sj_free(fonts->context, e->is.families);
  sj_free(fonts->context, e->is.name);
  sj_free(fonts->context, e->is.full_names);
}

void stijl_fonts_destroy(stijl_fonts *fonts) {
  if (!fonts) return;
  stijl_context *context = fonts->context;
  if (fonts->web) {
    sj_web_fonts_finish(fonts->web);
    sj_free(context, fonts);
    return;
  }
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
  for (size_t i = 0; i < fonts->uses.count; i++) finish_use(fonts, &fonts->uses.data[i]);
  sj_array_finish(context, &fonts->uses);
  pthread_mutex_destroy(&fonts->lock);
  sj_free(context, fonts);
}

stijl_fonts *sj_fonts_over(stijl_context *context, struct sj_web_fonts *web) {
  stijl_fonts *fonts = sj_alloc_zero(context, sizeof *fonts);
  if (!fonts) return NULL;
  fonts->context = context;
  fonts->web = web;
  return fonts;
}

void sj_fonts_limits(const stijl_fonts *fonts, uint64_t *max_bytes, uint64_t *max_memory) {
  const stijl_fonts_params initial = STIJL_FONTS_PARAMS_INIT;
  *max_bytes = fonts ? fonts->library.max_bytes : initial.max_bytes;
  *max_memory = fonts ? fonts->library.max_held : initial.max_memory;
}

unsigned sj_fonts_refusals(const stijl_fonts *fonts) {
  return fonts->web ? sj_web_refusals(fonts->web) : atomic_load(&fonts->library.refusals);
}

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
  if (!sj_font_file_readable(path)) return sj_fail(message, STIJL_ERROR_IO, "the font %.200s cannot be read", path);
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
  finish_entry(fonts, &e);
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
                                                                 .full_names = list[i].full_names,
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

// --- matching ---

#define NONE UINT32_MAX
#define WORK_ENTRY 30  // steps of the budget for comparing a name with an entry's

static uint32_t find_between(const stijl_fonts *fonts, size_t first, size_t end, const char *name, size_t length,
                             const sj_font_style *style) {
  uint32_t best = NONE;
  if (!sj_budget_check(style->budget, WORK_ENTRY * (uint64_t)(end - first))) return NONE;
  sj_rank best_rank = {0};
  for (size_t i = first; i < end; i++) {
    const entry *e = &fonts->entries.data[i];
    if (!sj_has_family(e->is.families, name, length)) continue;
    sj_rank r = sj_rank_of(&e->is, style);
    if (best != NONE && !sj_is_nearer(&r, &best_rank)) continue;
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
  char family[SJ_MAX_FAMILY];
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

// --- open faces; the lock is held ---

static sj_face *open_entry(stijl_fonts *fonts, uint32_t at, const sj_font_style *style) {
  if (at == NONE) return NULL;
  const entry *e = &fonts->entries.data[at];
  open_face key = {.entry = at, .instance = sj_instance_of(&e->is, style)};
  for (size_t i = 0; i < fonts->open.count; i++) {
    const open_face *o = &fonts->open.data[i];
    if (!o->face->starved && o->entry == at && sj_same_instance(&o->instance, &key.instance)) return o->face;
  }
  if (fonts->open.count >= MAX_OPEN) {
    if (!fonts->warned_open) sj_log(fonts->context, STIJL_LOG_WARNING, "more than %d fonts are open", MAX_OPEN);
    fonts->warned_open = true;
    return fonts->open.data[0].face;
  }
  sj_font_bytes bytes = e->system ? (sj_font_bytes){.path = e->system->path} : bytes_of(fonts, e->source);
  stijl_message message = {""};
  unsigned refusals = atomic_load(&fonts->library.refusals);
  key.face = sj_face_open(&fonts->library, &bytes, e->index, &key.instance, &message);
  if (!key.face && atomic_load(&fonts->library.refusals) != refusals) return NULL;
  if (!key.face) {
    sj_log(fonts->context, STIJL_LOG_WARNING, "font %.200s left out: %s", bytes.path ? bytes.path : "in memory",
           message.text);
    return NULL;
  }
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
  return found == NONE ? sj_budget_check(c->style->budget, WORK_ENTRY) : try_face(c, found);
}

// The first family alone.
static bool try_first(void *user, const char *name, size_t length, int generic) {
  try_family(user, name, length, generic);
  return false;
}

static bool try_loose_family(void *user, const char *name, size_t length, int generic) {
  choice *c = user;
  uint32_t found = generic >= 0 ? NONE : find_substitute(c->fonts, name, length, false, c->style);
  return found == NONE ? sj_budget_check(c->style->budget, WORK_ENTRY) : try_face(c, found);
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
static void add_use(stijl_fonts *fonts, const sj_font_style *style, const char *family, const char *path,
                    size_t path_length, stijl_font_how how) {
  size_t length = style->families ? style->families_length : 0;
  for (size_t i = 0; i < fonts->uses.count; i++) {
    const use *u = &fonts->uses.data[i];
    if (u->weight == style->weight && (u->how == STIJL_FONT_FALLBACK) == (how == STIJL_FONT_FALLBACK) &&
        strncmp(u->families, length ? style->families : "", length) == 0 && !u->families[length] &&
        strcmp(u->family, family) == 0 && strncmp(u->path, path, path_length) == 0 && !u->path[path_length])
      return;
  }
  if (fonts->uses.count >= MAX_USES) return;
  use u = {.weight = style->weight, .how = how};
  u.families = sj_strndup(fonts->context, length ? style->families : "", length);
  u.family = sj_strndup(fonts->context, family, strlen(family));
  u.path = sj_strndup(fonts->context, path, path_length);
  if (!u.families || !u.family || !u.path || !sj_array_push(fonts->context, &fonts->uses, u)) finish_use(fonts, &u);
}

static void note_use(stijl_fonts *fonts, const sj_font_style *style, const sj_face *face, bool fallback) {
  uint32_t at = NONE;
  for (size_t i = 0; i < fonts->open.count && at == NONE; i++)
    if (fonts->open.data[i].face == face) at = fonts->open.data[i].entry;
  stijl_font_how how = fallback ? STIJL_FONT_FALLBACK : STIJL_FONT_INSTEAD;
  choice first = {.fonts = fonts, .style = style};
  if (!fallback && at != NONE && style->families) {
    sj_each_family(style->families, style->families_length, try_first, &first);
    if (first.face == face) how = STIJL_FONT_NAMED;
  }
  const entry *e = at == NONE ? NULL : &fonts->entries.data[at];
  const char *path = !e ? NULL : e->system ? e->system->path : fonts->sources.data[e->source].path;
  add_use(fonts, style, e ? e->is.name : "", path ? path : "", path ? strlen(path) : 0, how);
}

void sj_fonts_note(stijl_fonts *fonts, const sj_font_style *style, const char *family, const char *path,
                   size_t path_length, stijl_font_how how) {
  pthread_mutex_lock(&fonts->lock);
  add_use(fonts, style, family, path, path_length, how);
  pthread_mutex_unlock(&fonts->lock);
}

stijl_result stijl_fonts_get_use(const stijl_fonts *fonts, size_t index, stijl_font_use *out) {
  if (!fonts || !out || index >= fonts->uses.count) return STIJL_ERROR_INVALID_ARGUMENT;
  const use *u = &fonts->uses.data[index];
  stijl_font_use known = STIJL_FONT_USE_INIT;
  known.families = u->families;
  known.weight = u->weight;
  known.family = u->family;
  known.path = u->path;
  known.how = u->how;
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
  known->style.budget = NULL;
  if (style->axis_count) memcpy(known->axes, style->axes, style->axis_count * sizeof *style->axes);
  known->style.axes = known->axes;
  fonts->next_known = (fonts->next_known + 1) % KNOWN_STYLES;
}

sj_face *sj_fonts_face(stijl_fonts *fonts, const sj_font_style *style) {
  if (fonts->web) return sj_web_choose(fonts->web, style, NULL, 0);
  choice c = {.fonts = fonts, .style = style};
  pthread_mutex_lock(&fonts->lock);
  load(fonts);
  c.face = known_face(fonts, style);
  if (!c.face) {
    unsigned refusals = atomic_load(&fonts->library.refusals);
    choose(&c);
    for (size_t i = 0; i < fonts->entries.count && !c.face; i++) try_face(&c, (uint32_t)i);
    note_use(fonts, style, c.face, false);
    if (atomic_load(&fonts->library.refusals) == refusals && sj_budget_check(style->budget, 0))
      remember_style(fonts, style, c.face);
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
    sj_face *face = sj_face_open(&fonts->library, &bytes, e->index, NULL, NULL);
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
  sj_rank best_rank = {0};
  for (size_t i = 0; i < fonts->own_count; i++) {
    entry *e = &fonts->entries.data[i];
    sj_rank r = sj_rank_of(&e->is, style);
    if ((best != NONE && !sj_is_nearer(&r, &best_rank)) || !covers(fonts, e, characters, count)) continue;
    best = (uint32_t)i;
    best_rank = r;
  }
  if (best != NONE || !fonts->system_there) return best;
  uint32_t candidates[32];
  char family[SJ_MAX_FAMILY] = "serif";
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
  if (fonts->web) return sj_web_choose(fonts->web, style, characters, count);
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

sj_face *sj_fonts_of_family(stijl_fonts *fonts, const sj_font_style *style, const char *name, size_t length,
                            int generic, const uint32_t *characters, size_t count) {
  choice c = {.fonts = fonts, .style = style, .characters = characters, .count = count};
  pthread_mutex_lock(&fonts->lock);
  load(fonts);
  try_family(&c, name, length, generic);
  if (c.face) note_use(fonts, style, c.face, false);
  pthread_mutex_unlock(&fonts->lock);
  return c.face;
}

bool sj_fonts_by_name(stijl_fonts *fonts, stijl_budget *budget, const char *name, size_t length, sj_font_bytes *out,
                      uint32_t *index) {
  bool found = false;
  pthread_mutex_lock(&fonts->lock);
  load(fonts);
  if (!sj_budget_check(budget, WORK_ENTRY * (uint64_t)fonts->entries.count)) {
    pthread_mutex_unlock(&fonts->lock);
    return false;
  }
  for (size_t i = 0; i < fonts->entries.count && !found; i++) {
    const entry *e = &fonts->entries.data[i];
    found = sj_has_family(e->is.full_names, name, length);
    if (!found) continue;
    *out = e->system ? (sj_font_bytes){.path = e->system->path} : bytes_of(fonts, e->source);
    *index = e->index;
  }
  pthread_mutex_unlock(&fonts->lock);
  return found;
}

static bool take_first(void *user, const char *name, size_t length, int generic) {
  char *out = user;
  if (generic < 0 && length < SJ_MAX_FAMILY) memcpy(out, name, length);
  out[generic < 0 && length < SJ_MAX_FAMILY ? length : 0] = 0;
  return false;
}

const char *sj_fonts_instead(stijl_fonts *fonts, const sj_font_style *style, const sj_face *face,
                             char name[SJ_MAX_FAMILY]) {
  const char *instead = NULL;
  if (fonts->web) fonts = sj_web_base(fonts->web);
  name[0] = 0;
  if (style->families) sj_each_family(style->families, style->families_length, take_first, name);
  if (!fonts || !name[0]) return NULL;
  pthread_mutex_lock(&fonts->lock);
  for (size_t i = 0; i < fonts->open.count && !instead; i++) {
    if (fonts->open.data[i].face != face) continue;
    const entry *e = &fonts->entries.data[fonts->open.data[i].entry];
    if (sj_has_family(e->is.families, name, strlen(name))) break;
    instead = e->is.name;
  }
  pthread_mutex_unlock(&fonts->lock);
  return instead;
}

typedef struct face_names {
  const sj_face *face;
  const char *families;  // of a face that is no document's
  bool among;
} face_names;

static bool is_among(void *user, const char *name, size_t length, int generic) {
  face_names *f = user;
  if (generic < 0)
    f->among =
        f->face->family ? sj_same_family(f->face->family, name, length) : sj_has_family(f->families, name, length);
  return !f->among;
}

bool sj_fonts_is_of(stijl_fonts *fonts, const sj_face *face, const char *families, size_t length) {
  face_names f = {.face = face};
  if (face->family) {
    sj_each_family(families, length, is_among, &f);
    return f.among;
  }
  if (fonts->web) fonts = sj_web_base(fonts->web);
  if (!fonts) return false;
  pthread_mutex_lock(&fonts->lock);
  for (size_t i = 0; i < fonts->open.count && !f.families; i++)
    if (fonts->open.data[i].face == face) f.families = fonts->entries.data[fonts->open.data[i].entry].is.families;
  if (f.families) sj_each_family(families, length, is_among, &f);
  pthread_mutex_unlock(&fonts->lock);
  return f.among;
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
