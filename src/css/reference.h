// The reference engine, one selector and one element at a time.
#ifndef SJ_CSS_REFERENCE_H
#define SJ_CSS_REFERENCE_H

#include "css/engine.h"

typedef struct sj_css_matching {
  const sj_css_program *program;
  const sj_css_linked *linked;
  const stijl_css_document *d;
  uint32_t root;   // of the tree: elements outside its subtree are not there
  uint64_t steps;  // since the last look at the clock
  const sj_css_job *job;
  bool exhausted;  // the time or the budget is spent: no answer counts
} sj_css_matching;

// Returns whether the selector matches the element, which has to be in the subtree of the root.
bool sj_css_reference_test(sj_css_matching *matching, uint32_t selector, uint32_t element);

#endif
