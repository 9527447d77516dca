// Custom properties: those that @property registers (CSS Properties and Values 1), and those that animations change.
#ifndef SJ_SVG_STYLE_REGISTERED_H
#define SJ_SVG_STYLE_REGISTERED_H

#include "svg/style/keyframes.h"

#define SJ_NO_SET UINT32_MAX

typedef struct sj_registered {
  sj_span name, initial, syntax;
  bool inherits, interpolates;
} sj_registered;

typedef struct sj_registry {
  SJ_ARRAY(sj_registered) properties;
  uint32_t scope;   // that of the root's parent: all initial values
  uint32_t resets;  // the set of initial values of those that are not inherited; SJ_NO_SET: none
} sj_registry;

// Reads the @property rules. Returns false when memory is short; it is to be finished in any case.
bool sj_registry_init(sj_registry *registry, stijl_context *context, const stijl_css *css, sj_css_variables *variables);
void sj_registry_finish(sj_registry *registry, stijl_context *context);

// Returns what stands for a declared value: itself, unless a registered property does not take it, or it is a keyword
// of all properties. What inherits becomes `inherit`.
// *work becomes what that takes, in steps of the budget.
sj_span sj_registry_value(const sj_registry *registry, sj_span name, sj_span value, uint64_t *work);
// Makes the set of custom properties that the animations of an element set, SJ_NO_SET for none. `declared` are the
// element's declarations, and `scope` is what it would see without them. Returns false when memory is short.
bool sj_registry_animate(const sj_registry *registry, sj_keyframes *keyframes, const sj_declared *declared,
                         size_t count, uint32_t scope, uint32_t *set);

#endif
