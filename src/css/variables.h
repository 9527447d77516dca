// CSS Custom Properties for Cascading Variables Level 1: var() replaced by values.
#ifndef SJ_CSS_VARIABLES_H
#define SJ_CSS_VARIABLES_H

#include "css/tokens.h"

// The value of a custom property for an element, and the element that it was set on; false when it has none.
typedef bool (*sj_css_lookup)(void *user, uint32_t element, const char *name, size_t length, const char **value,
                              size_t *value_length, uint32_t *owner);

typedef enum sj_css_substitution {
  SJ_CSS_SUBSTITUTED,
  SJ_CSS_INVALID_VALUE,  // a property that is not set, a cycle, or a limit: invalid at computed-value time
  SJ_CSS_NO_MEMORY
} sj_css_substitution;

bool sj_css_has_variables(const char *value, size_t length);
// Appends the value with its variables replaced to `out`, which is the caller's to finish.
sj_css_substitution sj_css_substitute(stijl_context *context, sj_css_lookup lookup, void *user, uint32_t element,
                                      const char *value, size_t length, sj_text_buffer *out);

#endif
