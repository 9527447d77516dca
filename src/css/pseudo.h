// The names of pseudo-classes and pseudo-elements.
#ifndef SJ_CSS_PSEUDO_H
#define SJ_CSS_PSEUDO_H

#include "css/program.h"
#include "css/tokens.h"

typedef enum sj_css_pseudo_kind {
  SJ_CSS_PSEUDO_UNKNOWN,
  SJ_CSS_PSEUDO_STATE,      // bit
  SJ_CSS_PSEUDO_NOT_STATE,  // true when the bit is not set
  SJ_CSS_PSEUDO_LINK,
  SJ_CSS_PSEUDO_NEVER,  // known, but true of no element of a document
  SJ_CSS_PSEUDO_ROOT,
  SJ_CSS_PSEUDO_SCOPE,
  SJ_CSS_PSEUDO_EMPTY,
  SJ_CSS_PSEUDO_FIRST_CHILD,
  SJ_CSS_PSEUDO_LAST_CHILD,
  SJ_CSS_PSEUDO_ONLY_CHILD,
  SJ_CSS_PSEUDO_FIRST_OF_TYPE,
  SJ_CSS_PSEUDO_LAST_OF_TYPE,
  SJ_CSS_PSEUDO_ONLY_OF_TYPE,
  // functions
  SJ_CSS_PSEUDO_NTH_CHILD,
  SJ_CSS_PSEUDO_NTH_LAST_CHILD,
  SJ_CSS_PSEUDO_NTH_OF_TYPE,
  SJ_CSS_PSEUDO_NTH_LAST_OF_TYPE,
  SJ_CSS_PSEUDO_IS,
  SJ_CSS_PSEUDO_WHERE,
  SJ_CSS_PSEUDO_NOT,
  SJ_CSS_PSEUDO_HAS,
  SJ_CSS_PSEUDO_LANG,
  SJ_CSS_PSEUDO_DIR,
  SJ_CSS_PSEUDO_NEVER_FUNCTION,  // of a name
  SJ_CSS_PSEUDO_NEVER_SELECTORS  // of a compound selector
} sj_css_pseudo_kind;

typedef struct sj_css_pseudo {
  const char *name;
  sj_css_pseudo_kind kind;
  int bit;  // of STIJL_CSS_STATE_*
} sj_css_pseudo;

// Returns the pseudo-class, or NULL if there is none of that name.
const sj_css_pseudo *sj_css_pseudo_class(const sj_tokens *tokens, const sj_token *name);
// Returns whether the pseudo-class may stand behind a pseudo-element.
bool sj_css_pseudo_class_of_part(const sj_tokens *tokens, const sj_token *name);
// Returns which pseudo-element it is, or SJ_CSS_PART_NONE if it is none.
sj_css_part sj_css_pseudo_element(const sj_tokens *tokens, const sj_token *name);
// Returns whether it is a pseudo-element of CSS 2, which may be written with one colon.
bool sj_css_pseudo_element_old(const sj_tokens *tokens, const sj_token *name);

#endif
