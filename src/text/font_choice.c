// Chooses faces: which one a style asks for (CSS Fonts 4, 5.2), and which one has some characters.
#include <string.h>

#include "libraries/harfbuzz.h"
#include "text/fonts_data.h"
#include "text/match.h"
#include "text/system.h"
#include "text/web.h"

// How many faces may be open at a time. Each may hold a file.
#define MAX_OPEN 512

// --- matching ---

#define NONE UINT32_MAX  // in place of an entry's number
#define WORK_ENTRY 30    // the work of comparing a name with those of an entry

// Finds the entry of a family which is nearest to the style, from `first` to before `end`.
static uint32_t find_between(const stijl_fonts *fonts, size_t first, size_t end, const char *name, size_t length,
                             const sj_font_style *style) {
  uint32_t best = NONE;
  if (!sj_budget_check(style->budget, WORK_ENTRY * (uint64_t)(end - first))) return NONE;
  sj_rank best_rank = {0};
  for (size_t i = first; i < end; i++) {
    const sj_font_entry *e = &fonts->entries.data[i];
    if (!sj_has_family(e->is.families, name, length)) continue;
    sj_rank r = sj_rank_of(&e->is, style);
    if (best != NONE && !sj_is_nearer(&r, &best_rank)) continue;
    best = (uint32_t)i;
    best_rank = r;
  }
  return best;
}

// Finds a family. Fonts that were added come before those of the system.
static uint32_t find_family(const stijl_fonts *fonts, const char *name, size_t length, const sj_font_style *style) {
  uint32_t found = find_between(fonts, 0, fonts->own_count, name, length, style);
  if (found == NONE) found = find_between(fonts, fonts->own_count, fonts->entries.count, name, length, style);
  return found;
}

// Finds what the system has instead of a family. `exact`: only what has the same widths.
static uint32_t find_substitute(const stijl_fonts *fonts, const char *name, size_t length, bool exact,
                                const sj_font_style *style) {
  char family[SJ_MAX_FAMILY];
  if (!fonts->system || length >= sizeof family) return NONE;
  memcpy(family, name, length);
  family[length] = 0;
  const char *other = sj_system_substitute(family, exact);
  return other ? find_family(fonts, other, strlen(other), style) : NONE;
}

static const char *const generic_names[SJ_GENERIC_FAMILIES] = {NULL,      "serif",   "sans-serif",
                                                               "cursive", "fantasy", "monospace"};

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
  const sj_font_entry *e = &fonts->entries.data[at];
  sj_open_face key = {.entry = at, .instance = sj_instance_of(&e->is, style)};
  for (size_t i = 0; i < fonts->open.count; i++) {
    const sj_open_face *o = &fonts->open.data[i];
    if (o->entry != at) continue;
    // A font without an axis of optical sizes is opened once for all sizes.
    sj_instance_reduce(&key.instance, o->face);
    if (!o->face->starved && sj_same_instance(&o->instance, &key.instance)) return o->face;
  }
  if (fonts->open.count >= MAX_OPEN) {
    if (!fonts->warned_open) sj_log(fonts->context, STIJL_LOG_WARNING, "more than %d fonts are open", MAX_OPEN);
    fonts->warned_open = true;
    return fonts->open.data[0].face;
  }
  sj_font_bytes bytes = sj_fonts_bytes(fonts, e);
  stijl_message message = {""};
  unsigned refusals = atomic_load(&fonts->library.refusals);
  key.face = sj_face_open(&fonts->library, &bytes, e->index, &key.instance, &message);
  if (!key.face && atomic_load(&fonts->library.refusals) != refusals) return NULL;
  if (!key.face) {
    sj_log(fonts->context, STIJL_LOG_WARNING, "font %.200s left out: %s", bytes.path ? bytes.path : "in memory",
           message.text);
    return NULL;
  }
  sj_instance_reduce(&key.instance, key.face);
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
  sj_presentation presentation;
  sj_face *face;    // the choice; NULL: none yet
  sj_face *partly;  // the first face that has the first character
} choice;

// Chooses the face of an entry if it has all the characters. Returns true if it has not, so that the search goes on.
static bool try_face(choice *c, uint32_t at) {
  sj_face *face = open_entry(c->fonts, at, c->style);
  if (!face || !sj_face_presents(face, c->presentation)) return true;
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
  // Formulas have the family that browsers ask for on Linux, where it is.
  static const char math[] = "Latin Modern Math";
  bool is_math = generic >= 0 && sj_same_family("math", name, length);
  uint32_t found = is_math       ? find_family(c->fonts, math, sizeof math - 1, c->style)
                   : generic < 0 ? find_family(c->fonts, name, length, c->style)
                                 : NONE;
  if (found == NONE && generic >= 0) found = find_generic(c->fonts, generic, c->style);
  if (found == NONE && generic < 0) found = find_substitute(c->fonts, name, length, true, c->style);
  return found == NONE ? sj_budget_check(c->style->budget, WORK_ENTRY) : try_face(c, found);
}

// Tries the first family only.
static bool try_first(void *user, const char *name, size_t length, int generic) {
  try_family(user, name, length, generic);
  return false;
}

// Tries what the system has instead of a family, whatever its widths.
static bool try_loose_family(void *user, const char *name, size_t length, int generic) {
  choice *c = user;
  uint32_t found = generic >= 0 ? NONE : find_substitute(c->fonts, name, length, false, c->style);
  return found == NONE ? sj_budget_check(c->style->budget, WORK_ENTRY) : try_face(c, found);
}

// Tries the named families and what the system has with the same widths, the application's default, what the system has
// instead of the named families, and the system's default.
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

static void note_use(stijl_fonts *fonts, const sj_font_style *style, const sj_face *face, bool fallback) {
  const sj_font_entry *e = sj_fonts_entry_of(fonts, face);
  stijl_font_how how = fallback ? STIJL_FONT_FALLBACK : STIJL_FONT_INSTEAD;
  choice first = {.fonts = fonts, .style = style};
  if (!fallback && e && style->families) {
    sj_each_family(style->families, style->families_length, try_first, &first);
    if (first.face == face) how = STIJL_FONT_NAMED;
  }
  const char *path = e ? sj_fonts_bytes(fonts, e).path : NULL;
  sj_fonts_add_use(fonts, style, e ? e->is.name : "", path ? path : "", path ? strlen(path) : 0, how);
}

static bool same_style(const sj_font_style *a, const sj_font_style *b) {
  return a->families_length == b->families_length && a->weight == b->weight && a->stretch == b->stretch &&
         a->slant == b->slant && a->optical_size == b->optical_size && a->axis_count == b->axis_count &&
         a->no_synthesis_weight == b->no_synthesis_weight && a->no_synthesis_style == b->no_synthesis_style &&
         (!a->families_length || memcmp(a->families, b->families, a->families_length) == 0) &&
         (!a->axis_count || memcmp(a->axes, b->axes, a->axis_count * sizeof *a->axes) == 0);
}

static sj_face *known_face(const stijl_fonts *fonts, const sj_font_style *style) {
  for (int i = 0; i < SJ_KNOWN_STYLES; i++) {
    const sj_known_style *known = &fonts->known[i];
    if (known->face && same_style(&known->style, style)) return known->face->starved ? NULL : known->face;
  }
  return NULL;
}

static void remember_style(stijl_fonts *fonts, const sj_font_style *style, sj_face *face) {
  sj_known_style *known = &fonts->known[fonts->next_known];
  char *families = style->families_length ? sj_strndup(fonts->context, style->families, style->families_length) : NULL;
  if (!face || style->axis_count > SJ_MAX_AXES || (style->families_length && !families)) {
    sj_free(fonts->context, families);
    return;
  }
  sj_free(fonts->context, known->families);
  *known = (sj_known_style){.style = *style, .families = families, .face = face};
  known->style.families = families;
  known->style.budget = NULL;
  if (style->axis_count) memcpy(known->axes, style->axes, style->axis_count * sizeof *style->axes);
  known->style.axes = known->axes;
  fonts->next_known = (fonts->next_known + 1) % SJ_KNOWN_STYLES;
}

sj_face *sj_fonts_face(stijl_fonts *fonts, const sj_font_style *style) {
  if (fonts->web) return sj_web_choose(fonts->web, style, NULL, 0, SJ_PRESENT_ANY);
  choice c = {.fonts = fonts, .style = style};
  pthread_mutex_lock(&fonts->lock);
  sj_fonts_load(fonts);
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

// Returns whether a face has all the characters. The set of an added font's characters is made when it is first asked
// for.
static bool covers(stijl_fonts *fonts, sj_font_entry *e, const uint32_t *characters, size_t count) {
  if (e->system) {
    for (size_t i = 0; i < count; i++)
      if (!sj_system_has_char(e->system, characters[i])) return false;
    return true;
  }
  if (!e->characters) {
    e->characters = hb_set_create();
    sj_font_bytes bytes = sj_fonts_bytes(fonts, e);
    sj_face *face = sj_face_open(&fonts->library, &bytes, e->index, NULL, NULL);
    if (face) hb_face_collect_unicodes(face->hb_face, e->characters);
    sj_face_close(face);
  }
  for (size_t i = 0; i < count; i++)
    if (!hb_set_has(e->characters, characters[i])) return false;
  return true;
}

// Returns whether an entry has all the characters, and presents them so.
static bool serves(stijl_fonts *fonts, uint32_t at, const sj_font_style *style, const uint32_t *characters,
                   size_t count, sj_presentation presentation) {
  if (!covers(fonts, &fonts->entries.data[at], characters, count)) return false;
  if (presentation == SJ_PRESENT_ANY) return true;
  const sj_face *face = open_entry(fonts, at, style);
  return face && sj_face_presents(face, presentation);
}

// Finds an entry that has all the characters: of the added fonts the nearest to the style, else what the system prefers
// for the style's first family, or for emoji.
static uint32_t find_covering(stijl_fonts *fonts, const sj_font_style *style, const uint32_t *characters, size_t count,
                              sj_presentation presentation) {
  uint32_t best = NONE;
  sj_rank best_rank = {0};
  for (size_t i = 0; i < fonts->own_count; i++) {
    sj_rank r = sj_rank_of(&fonts->entries.data[i].is, style);
    if ((best != NONE && !sj_is_nearer(&r, &best_rank)) ||
        !serves(fonts, (uint32_t)i, style, characters, count, presentation))
      continue;
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
  uint32_t for_emoji = NONE;
  if (presentation == SJ_PRESENT_EMOJI_ONLY) for_emoji = find_substitute(fonts, "emoji", 5, false, style);
  if (for_emoji != NONE && serves(fonts, for_emoji, style, characters, count, presentation)) return for_emoji;
  for (size_t i = 0; i < found; i++) {
    uint32_t at = (uint32_t)(fonts->own_count + candidates[i]);
    if (at >= fonts->entries.count || !serves(fonts, at, style, characters, count, presentation)) continue;
    // The nearest face of that family is better, if it has the characters, too.
    const char *name = fonts->entries.data[at].is.name;
    uint32_t nearest = find_family(fonts, name, strlen(name), style);
    if (nearest != NONE && serves(fonts, nearest, style, characters, count, presentation)) return nearest;
    return at;
  }
  return NONE;
}

// Looks for a face that presents the characters as they should be.
static void choose_presentation(choice *c, sj_presentation presentation) {
  const sj_font_style *style = c->style;
  bool emoji = presentation == SJ_PRESENT_EMOJI || presentation == SJ_PRESENT_EMOJI_ONLY;
  // What the style's families have counts, whatever it is, unless the presentation is asked for.
  c->presentation = presentation;
  if (!emoji)
    choose(c);
  else if (style->families)
    sj_each_family(style->families, style->families_length, try_family, c);
  if (c->face) return;
  c->presentation = emoji ? SJ_PRESENT_EMOJI_ONLY : SJ_PRESENT_TEXT_ONLY;
  c->face = open_entry(c->fonts, find_covering(c->fonts, style, c->characters, c->count, c->presentation), style);
  c->presentation = SJ_PRESENT_ANY;
}

sj_face *sj_fonts_face_for(stijl_fonts *fonts, const sj_font_style *style, const uint32_t *characters, size_t count,
                           sj_presentation presentation) {
  if (fonts->web) return sj_web_choose(fonts->web, style, characters, count, presentation);
  choice c = {.fonts = fonts, .style = style, .characters = characters, .count = count};
  pthread_mutex_lock(&fonts->lock);
  sj_fonts_load(fonts);
  if (presentation != SJ_PRESENT_ANY) choose_presentation(&c, presentation);
  if (!c.face) choose(&c);
  if (!c.face) c.face = open_entry(fonts, find_covering(fonts, style, characters, count, SJ_PRESENT_ANY), style);
  if (!c.face) c.face = c.partly;
  if (!c.face && count > 1)
    c.face = open_entry(fonts, find_covering(fonts, style, characters, 1, SJ_PRESENT_ANY), style);
  if (c.face) note_use(fonts, style, c.face, true);
  pthread_mutex_unlock(&fonts->lock);
  return c.face;
}

sj_face *sj_fonts_of_family(stijl_fonts *fonts, const sj_font_style *style, const char *name, size_t length,
                            int generic, const uint32_t *characters, size_t count, sj_presentation presentation) {
  choice c = {.fonts = fonts, .style = style, .characters = characters, .count = count, .presentation = presentation};
  pthread_mutex_lock(&fonts->lock);
  sj_fonts_load(fonts);
  try_family(&c, name, length, generic);
  if (c.face) note_use(fonts, style, c.face, false);
  pthread_mutex_unlock(&fonts->lock);
  return c.face;
}

bool sj_fonts_by_name(stijl_fonts *fonts, stijl_budget *budget, const char *name, size_t length, sj_font_bytes *out,
                      uint32_t *index) {
  bool found = false;
  pthread_mutex_lock(&fonts->lock);
  sj_fonts_load(fonts);
  if (!sj_budget_check(budget, WORK_ENTRY * (uint64_t)fonts->entries.count)) {
    pthread_mutex_unlock(&fonts->lock);
    return false;
  }
  for (size_t i = 0; i < fonts->entries.count && !found; i++) {
    const sj_font_entry *e = &fonts->entries.data[i];
    found = sj_has_family(e->is.full_names, name, length);
    if (!found) continue;
    *out = sj_fonts_bytes(fonts, e);
    *index = e->index;
  }
  pthread_mutex_unlock(&fonts->lock);
  return found;
}
