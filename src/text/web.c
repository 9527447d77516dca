#include "text/web.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/budget.h"
#include "text/match.h"
#include "text/settings.h"
#include "text/web_index.h"

// The most instances of a face. There is one for each weight, style and set of axes that a document asks for.
#define MAX_INSTANCES 64
#define MAX_SETTINGS 16  // of a rule
#define WORK_FACE 100

typedef struct web_instance {
  sj_instance is;
  sj_face *face;
  bool noted;  // stijl_fonts_get_use tells of it
} web_instance;

// A face of the document, and its font once that has been found.
typedef struct web_entry {
  const sj_web_face *rule;
  sj_face_description is;       // by the rule
  bool partial;                 // a later face is of the same family
  bool tried;                   // the font has been looked for
  bool bold, italic;            // of the font itself, whatever the rule says
  const sj_web_source *source;  // the one that was found
  sj_font_bytes font;           // without path and data: no source can be used
  unsigned char *data;          // what was fetched
  uint32_t index;
  SJ_ARRAY(web_instance) instances;
  hb_feature_t features[MAX_SETTINGS];
  sj_axis_value axes[MAX_SETTINGS];
  size_t feature_count, axis_count;
} web_entry;

typedef struct sj_web_fonts {
  stijl_context *context;
  stijl_fonts *base;
  pthread_mutex_t lock;  // a thread that takes those of the base, too, takes this one first
  sj_font_library library;
  web_entry *entries;
  size_t count;
  sj_web_index index;
  bool quiet;
  sj_web_fetch fetch;
  void *user;
} sj_web_fonts;

static void read_settings(web_entry *e) {
  const char *at = e->rule->features, *end = at ? at + e->rule->features_length : NULL, *value;
  uint32_t tag;
  size_t length;
  float number;
  while (at && e->feature_count < MAX_SETTINGS && sj_next_setting(&at, end, &tag, &value, &length))
    e->features[e->feature_count++] = (hb_feature_t){tag, sj_feature_value(value, length), 0, (unsigned)-1};
  at = e->rule->variations;
  end = at ? at + e->rule->variations_length : NULL;
  while (at && e->axis_count < MAX_SETTINGS && sj_next_setting(&at, end, &tag, &value, &length))
    if (sj_setting_number(value, length, &number)) e->axes[e->axis_count++] = (sj_axis_value){tag, number};
}

// Replaces what the rule overrides (CSS Fonts 5, 2).
static void override(sj_face *face, const sj_web_face *rule) {
  sj_face_metrics *m = &face->metrics;
  float em = (float)m->units_per_em;
  // More than a hundred font sizes are of no use.
  if (rule->ascent >= 0.0f) m->ascent = (int)(fminf(rule->ascent, 100.0f) * em + 0.5f);
  if (rule->descent >= 0.0f) m->descent = -(int)(fminf(rule->descent, 100.0f) * em + 0.5f);
  if (rule->line_gap >= 0.0f) m->line_gap = (int)(fminf(rule->line_gap, 100.0f) * em + 0.5f);
  face->size_adjust = fminf(rule->size_adjust, 100.0f);
}

stijl_fonts *sj_web_fonts_create(stijl_context *context, stijl_fonts *base, const sj_web_face *faces, size_t count,
                                 bool quiet, sj_web_fetch fetch, void *user) {
  sj_web_fonts *web = sj_alloc_zero(context, sizeof *web);
  if (!web) return NULL;
  *web = (sj_web_fonts){.context = context, .base = base, .quiet = quiet, .fetch = fetch, .user = user};
  web->entries = sj_alloc_zero(context, (count + 1) * sizeof *web->entries);
  bool indexed = web->entries && sj_web_index_init(context, faces, count, &web->index);
  uint64_t max_bytes, max_memory;
  sj_fonts_limits(base, &max_bytes, &max_memory);
  stijl_fonts *fonts = NULL;
  if (indexed && pthread_mutex_init(&web->lock, NULL) == 0) {
    if (sj_font_library_init(&web->library, context, max_bytes, max_memory)) {
      fonts = sj_fonts_over(context, web);
      if (!fonts) sj_font_library_finish(&web->library);
    }
    if (!fonts) pthread_mutex_destroy(&web->lock);
  }
  if (!fonts) {
    if (indexed) sj_web_index_finish(&web->index);
    sj_free(context, web->entries);
    sj_free(context, web);
    return NULL;
  }
  for (web->count = 0; web->count < count; web->count++) {
    web_entry *e = &web->entries[web->count];
    *e = (web_entry){.rule = &faces[web->count], .is = sj_web_describe(&faces[web->count])};
    const sj_web_family *family = sj_web_index_family(&web->index, e->rule->family, strlen(e->rule->family));
    e->partial = family && web->count < family->last;
    read_settings(e);
  }
  return fonts;
}

void sj_web_fonts_finish(sj_web_fonts *web) {
  for (size_t i = 0; i < web->count; i++) {
    web_entry *e = &web->entries[i];
    for (size_t k = 0; k < e->instances.count; k++) sj_face_close(e->instances.data[k].face);
    sj_array_finish(web->context, &e->instances);
  }
  sj_font_library_finish(&web->library);
  for (size_t i = 0; i < web->count; i++) sj_free(web->context, web->entries[i].data);
  pthread_mutex_destroy(&web->lock);
  sj_web_index_finish(&web->index);
  sj_free(web->context, web->entries);
  sj_free(web->context, web);
}

stijl_fonts *sj_web_base(const sj_web_fonts *web) { return web->base; }

unsigned sj_web_refusals(const sj_web_fonts *web) {
  return atomic_load(&web->library.refusals) + (web->base ? sj_fonts_refusals(web->base) : 0);
}

// --- reading; the lock is held ---

// Reads a source. False, with a message: there is no font in it.
static bool take_source(sj_web_fonts *web, web_entry *e, const sj_web_source *source, stijl_message *message) {
  if (source->local) {
    stijl_budget *budget = sj_budget_of(web->context);
    if (!web->base || !sj_fonts_by_name(web->base, budget, source->text, source->length, &e->font, &e->index))
      return sj_fail(message, STIJL_ERROR_IO, "there is no font of that name") == STIJL_OK;
  } else {
    sj_bytes bytes;
    stijl_result result = web->fetch(web->user, source->text, source->length, &bytes, message);
    if (result == STIJL_ERROR_OUT_OF_MEMORY) sj_font_refused(&web->library);
    if (result) return false;
    e->data = bytes.data;
    e->font = (sj_font_bytes){.data = bytes.data, .size = bytes.count};
    e->index = 0;
  }
  sj_face *face = sj_face_open(&web->library, &e->font, e->index, NULL, message);
  if (face) {
    e->bold = face->bold;
    e->italic = face->italic;
    sj_face_close(face);
    return true;
  }
  sj_free(web->context, e->data);
  e->data = NULL;
  e->font = (sj_font_bytes){0};
  return false;
}

// Finds the first source that can be used, the first time that the face is needed. Returns false when there is none, of
// which the log has a warning.
static bool find_source(sj_web_fonts *web, web_entry *e) {
  if (e->tried) return e->font.path || e->font.data;
  const sj_web_face *rule = e->rule;
  stijl_message message = {""};
  unsigned refusals = atomic_load(&web->library.refusals);
  e->tried = true;
  for (size_t i = 0; i < rule->source_count && sj_context_check(web->context, WORK_FACE); i++)
    if (take_source(web, e, e->source = &rule->sources[i], &message)) return true;
  if (atomic_load(&web->library.refusals) != refusals) {
    e->tried = false;  // the next text tries again
  } else if (!web->quiet) {
    const sj_web_source *last = &rule->sources[rule->source_count - 1];
    sj_log(web->context, STIJL_LOG_WARNING, "@font-face \"%.60s\" is left out: %s%.*s: %.150s", rule->family,
           last->local ? "local " : "", last->length < 60 ? (int)last->length : 60, last->text, message.text);
  }
  return false;
}

// Notes, for stijl_fonts_get_use, that a style got the face.
static void note(sj_web_fonts *web, const web_entry *e, const sj_font_style *style, stijl_font_how how) {
  const sj_web_source *source = e->source;
  bool data = !source->local && source->length > 5 && memcmp(source->text, "data:", 5) == 0;
  if (web->base)
    sj_fonts_note(web->base, style, e->rule->family, data ? "" : source->text, data ? 0 : source->length, how);
}

// Returns the face's instance for a style. Returns NULL when memory is short.
static web_instance *open_instance(sj_web_fonts *web, web_entry *e, const sj_font_style *style) {
  sj_font_style own = *style;
  // The rule limits the axes; where it says nothing, only the font does.
  const sj_web_face *rule = e->rule;
  sj_face_description is = e->is;
  if (!(rule->weight_min > 0.0f)) is.weight_max = 1000.0f;
  if (!(rule->stretch_min > 0.0f)) is.stretch_max = 1000.0f;
  if (own.weight < is.weight_min) own.weight = is.weight_min;
  if (own.weight > is.weight_max) own.weight = is.weight_max;
  if (own.stretch < is.stretch_min) own.stretch = is.stretch_min;
  if (own.stretch > is.stretch_max) own.stretch = is.stretch_max;
  // The text's settings overrule the rule's, which overrule what other properties set.
  sj_axis_value axes[SJ_MAX_AXES];
  size_t axis_count = e->axis_count;
  memcpy(axes, e->axes, axis_count * sizeof *axes);
  for (size_t i = 0; i < style->axis_count && axis_count < SJ_MAX_AXES; i++) axes[axis_count++] = style->axes[i];
  own.axes = axes;
  own.axis_count = axis_count;
  web_instance made = {.is = sj_instance_of(&is, &own)};
  // What the rule says, not what the font could do, decides what is synthesised; but as in browsers a font that is bold
  // or italic itself is not made more so.
  sj_instance plain = sj_instance_of(&e->is, style);
  made.is.slanted = plain.slanted && !e->italic;
  made.is.emboldened = plain.emboldened && !e->bold;
  if (e->instances.count) sj_instance_reduce(&made.is, e->instances.data[0].face);
  for (size_t i = 0; i < e->instances.count; i++)
    if (sj_same_instance(&e->instances.data[i].is, &made.is)) return &e->instances.data[i];
  if (e->instances.count >= MAX_INSTANCES) return &e->instances.data[0];
  made.face = sj_face_open(&web->library, &e->font, e->index, &made.is, NULL);
  if (!made.face) return NULL;
  sj_instance_reduce(&made.is, made.face);
  override(made.face, rule);
  made.face->features = e->features;
  made.face->feature_count = e->feature_count;
  made.face->language_system = rule->language_system;
  made.face->family = rule->family;
  made.face->ranges = rule->ranges;
  made.face->range_count = rule->range_count;
  made.face->partial = e->partial;
  if (sj_array_push(web->context, &e->instances, made)) return &e->instances.data[e->instances.count - 1];
  sj_face_close(made.face);
  sj_font_refused(&web->library);
  return NULL;
}

// --- choosing; the lock is held ---

static bool has_all(const sj_face *face, const uint32_t *characters, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!sj_face_has_char(face, characters[i])) return false;
  return true;
}

// Finds the last face, before the face number `before`, of the styles of a family that are nearest, which is for the
// character.
static uint32_t last_face(sj_web_fonts *web, const sj_web_family *family, const sj_font_style *style,
                          const sj_rank *nearest, uint32_t character, uint32_t before) {
  uint32_t last = SJ_NO_WEB_FACE;
  for (uint32_t i = 0; i < family->style_count; i++) {
    sj_web_style *s = &web->index.styles[family->first_style + i];
    sj_rank r = sj_rank_of(&s->is, style);
    uint32_t at;
    if (sj_is_nearer(nearest, &r)) continue;
    if (!sj_web_index_face(&web->index, s, character, before, &at)) {
      sj_font_refused(&web->library);
      return SJ_NO_WEB_FACE;
    }
    if (at != SJ_NO_WEB_FACE && (last == SJ_NO_WEB_FACE || at > last)) last = at;
  }
  return last;
}

// Chooses, of the faces of a family that are nearest to the style, the last one that has the characters: of faces that
// only differ in their ranges, later ones come first (CSS Fonts 4, 5.2). Without characters it is the one for blanks.
// `first` tells that this is the first family that the style names.
static sj_face *choose_in_family(sj_web_fonts *web, const sj_font_style *style, const char *name, size_t length,
                                 const uint32_t *characters, size_t count, sj_presentation presentation, bool first) {
  const sj_web_family *family = sj_web_index_family(&web->index, name, length);
  if (!family || !sj_context_check(web->context, WORK_FACE * (uint64_t)family->style_count)) return NULL;
  sj_rank nearest = sj_rank_of(&web->index.styles[family->first_style].is, style);
  for (uint32_t i = 1; i < family->style_count; i++) {
    sj_rank r = sj_rank_of(&web->index.styles[family->first_style + i].is, style);
    if (sj_is_nearer(&r, &nearest)) nearest = r;
  }
  uint32_t character = characters ? characters[0] : ' ', at = SJ_NO_WEB_FACE;
  while ((at = last_face(web, family, style, &nearest, character, at)) != SJ_NO_WEB_FACE) {
    web_entry *e = &web->entries[at];
    web_instance *found = find_source(web, e) ? open_instance(web, e, style) : NULL;
    if (!found || !has_all(found->face, characters, count) || !sj_face_presents(found->face, presentation)) continue;
    if (!found->noted) note(web, e, style, first ? STIJL_FONT_NAMED : STIJL_FONT_INSTEAD);
    found->noted = true;
    return found->face;
  }
  return NULL;
}

typedef struct search {
  sj_web_fonts *web;
  const sj_font_style *style;
  const uint32_t *characters;
  size_t count;
  sj_presentation presentation;
  sj_face *face;
  bool later;  // the first family has been tried
} search;

static bool try_family(void *user, const char *name, size_t length, int generic) {
  search *s = user;
  if (generic < 0)
    s->face = choose_in_family(s->web, s->style, name, length, s->characters, s->count, s->presentation, !s->later);
  s->later = true;
  if (!s->face && s->web->base)
    s->face =
        sj_fonts_of_family(s->web->base, s->style, name, length, generic, s->characters, s->count, s->presentation);
  return !s->face && sj_context_check(s->web->context, WORK_FACE);
}

sj_face *sj_web_choose(sj_web_fonts *web, const sj_font_style *style, const uint32_t *characters, size_t count,
                       sj_presentation presentation) {
  search s = {.web = web, .style = style, .characters = characters, .count = count, .presentation = presentation};
  pthread_mutex_lock(&web->lock);
  if (style->families) sj_each_family(style->families, style->families_length, try_family, &s);
  pthread_mutex_unlock(&web->lock);
  if (s.face || !web->base) return s.face;
  return characters ? sj_fonts_face_for(web->base, style, characters, count, presentation)
                    : sj_fonts_face(web->base, style);
}
