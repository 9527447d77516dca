// Applies CSS animations (CSS Animations 1 and 2) as they stand at one time.
#ifndef SJ_SVG_STYLE_KEYFRAMES_H
#define SJ_SVG_STYLE_KEYFRAMES_H

#include "css/sheet.h"
#include "css/variables.h"
#include "svg/parse/document.h"
#include "svg/style/animation.h"

typedef struct sj_keyframe {
  uint32_t rule;  // the @keyframes rule that it belongs to
  double offset;  // 0..1
  uint32_t first, count;
  uint32_t first_custom, custom_count;
  sj_span easing, composition;  // text NULL: the animation's own
} sj_keyframe;

// A custom property in a keyframe.
typedef struct sj_custom {
  sj_span name, value;
} sj_custom;

typedef SJ_ARRAY(sj_declared) sj_declared_list;

// All @keyframes rules of the sheets.
typedef struct sj_keyframes {
  stijl_context *context;
  sj_arena *arena;                // owns the values that are computed
  const sj_css_program *program;  // names point into its texts
  SJ_ARRAY(sj_keyframe) frames;   // those of a rule together, by their offsets
  bool named;                     // there are names
  sj_atoms names;
  SJ_ARRAY(uint32_t) last_rules;  // for each name: the last rule that has it, which is the one that counts
  sj_declared_list declared;
  SJ_ARRAY(sj_custom) customs;
  sj_span_buffer buffer;
  sj_timeline *line;
  // Of the element at work; set before sj_keyframes_apply.
  sj_css_variables *variables;
  uint32_t scope;
} sj_keyframes;

// Reads the rules. `line` is kept. Returns false when memory is short.
bool sj_keyframes_init(sj_keyframes *keyframes, stijl_context *context, sj_arena *arena, const stijl_css *css,
                       sj_timeline *line);
void sj_keyframes_finish(sj_keyframes *keyframes);

// Returns the frames of the last rule of that name; none where there is no such rule.
const sj_keyframe *sj_keyframes_find(const sj_keyframes *keyframes, sj_span name, size_t *count);

// Replaces variables in a value by those of a scope. A value that is invalid becomes unknown: its text is NULL. Returns
// false when memory is short.
bool sj_keyframes_substitute(sj_keyframes *keyframes, uint32_t scope, sj_span *value);

// Appends to `out` what the animations of an element do to it. `declared` are the element's declarations in
// the order of the cascade, without var(). Returns false when memory is short or the budget is spent.
bool sj_keyframes_apply(sj_keyframes *keyframes, const sj_document *document, uint32_t element,
                        const sj_declared *declared, size_t count, sj_declared_list *out);

#endif
