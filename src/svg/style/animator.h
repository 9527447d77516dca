// What SMIL animations do, one by one: their values, and the effects that are then put in place (animate.c).
#ifndef SJ_SVG_STYLE_ANIMATOR_H
#define SJ_SVG_STYLE_ANIMATOR_H

#include "svg/style/schedule.h"

typedef enum sj_effect_kind {
  SJ_EFFECT_REPLACE,
  SJ_EFFECT_ADD,      // adds its value to the one below
  SJ_EFFECT_TOWARDS,  // moves the value below towards its own by `share` of the way
  SJ_EFFECT_PREFIX    // puts its transform before those below
} sj_effect_kind;

// What one animation does to one attribute or property of an element.
typedef struct sj_animation_effect {
  uint32_t target;
  double begin;
  uint32_t animation;  // the animation element
  sj_name name;        // SJ_NAME_UNKNOWN: an attribute of filters
  sj_atom local;       // the attribute's name
  sj_effect_kind kind;
  double share;
  bool replaces;  // of motion: what is below is left out
  sj_span value;
} sj_animation_effect;

typedef struct sj_animator {
  sj_document *document;
  stijl_context *context;
  SJ_ARRAY(sj_animation_effect) effects;
  SJ_ARRAY(sj_span) values;
  SJ_ARRAY(double) distances;  // along the values, from the first, for calcMode="paced"
  sj_span_buffer buffer;
  bool memory;  // memory was short
} sj_animator;

// --- texts ---

// Copies the text in the buffer to memory that lives as long as the document.
sj_span sj_animator_keep(sj_animator *a);
void sj_animator_append(sj_animator *a, const char *text, size_t length);
void sj_animator_append_number(sj_animator *a, double value);
// Returns whether an attribute is that keyword.
bool sj_animator_keyword(const sj_animator *a, uint32_t e, const char *name, const char *keyword);
sj_atom sj_animator_intern(sj_animator *a, sj_span name);

// Numbers between separators, commas and semicolons.
typedef struct sj_number_list {
  sj_span left;
} sj_number_list;
bool sj_number_list_next(sj_number_list *list, double *out);

// --- the values of one animation (animate_values.c) ---

// Splits a list with semicolons into the animator's values.
void sj_animator_split(sj_animator *a, sj_span list);
// Finds where `fraction` lies among `count` values: the value before it, and the share of the way to the next. Returns
// false when keyTimes or keySplines are in error, as the animation then has no effect.
bool sj_animator_locate(sj_animator *a, uint32_t e, size_t count, double fraction, size_t *index, double *share);
// Gathers the animation's values, from its attribute `values`, or from `from`, `to` and `by`, and sets what kind of
// effect it has. Returns false when it is in error or changes nothing.
bool sj_animator_gather(sj_animator *a, uint32_t e, const sj_progress *at, sj_animation_effect *out);
// Computes the value from the gathered values.
bool sj_animator_value(sj_animator *a, uint32_t e, const sj_progress *at, sj_span *out);
void sj_animator_push(sj_animator *a, const sj_animation_effect *e);

// Adds what an animateMotion does (motion.c).
void sj_animate_motion(sj_animator *a, sj_animation_effect *e, const sj_progress *at);

#endif
