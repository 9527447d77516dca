// Matching in the copy of a subtree, which is a tree of its own (SVG 2, 5.6.3): outside of it selectors see nothing.
// Most elements match there what they match in the document, so that only what may differ is tested.
#ifndef SJ_CSS_SUBTREE_H
#define SJ_CSS_SUBTREE_H

#include "css/reference.h"

typedef struct sj_css_subtrees {
  const stijl_css_matcher *matcher;
  stijl_context *context;
  uint8_t *reach;             // per selector: an sj_css_reach
  uint32_t *rank;             // per selector: its place in the cascade
  SJ_ARRAY(uint32_t) unsure;  // the selectors that may match in a copy only
  bool languages;             // some selector asks for a language
  bool differ;                // some selector may match differently in a copy
  sj_css_job job;
  sj_css_clock clock;
} sj_css_subtrees;

// What matches in copies. With `first` of one of them its element root + i has selectors[offsets[first + i]] to
// selectors[offsets[first + i + 1]], ranked by the cascade.
typedef struct sj_css_copies {
  SJ_ARRAY(uint32_t) offsets, selectors;
} sj_css_copies;

// Prepares subtrees, which have to be finished in any case. `matcher` has matched, and must stay. Returns false when
// memory is short.
bool sj_css_subtrees_init(sj_css_subtrees *subtrees, const stijl_css_matcher *matcher, stijl_context *context,
                          stijl_message *message);
void sj_css_subtrees_finish(sj_css_subtrees *subtrees);

// Matches the subtree of the element, and appends to `out` what its copy matches. *first becomes SJ_CSS_NONE, and
// nothing is appended, where that is what the original does.
stijl_result sj_css_subtree_match(sj_css_subtrees *subtrees, uint32_t root, sj_css_copies *out, uint32_t *first);

#endif
