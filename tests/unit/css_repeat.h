// Matching again and again gives the same bytes. STIJL_TEST_REPEAT: how often (scripts/gpu-check: 1000).
#ifndef SJ_TEST_CSS_REPEAT_H
#define SJ_TEST_CSS_REPEAT_H

#include <stdlib.h>
#include <string.h>

#include "stijl/css.h"
#include "test.h"

static inline int sj_test_repeats(int otherwise) {
  const char *asked = getenv("STIJL_TEST_REPEAT");
  return asked ? atoi(asked) : otherwise;
}

// Matches again and again, and compares, after the matcher has matched once.
static inline void sj_test_match_again(stijl_css_matcher *m, uint32_t elements, int times) {
  const uint32_t *offsets, *selectors;
  size_t pairs = stijl_css_matches_all(m, &offsets, &selectors), bytes = (elements + 1) * sizeof *offsets;
  uint32_t *first = malloc(bytes), *first_selectors = malloc((pairs + 1) * sizeof *selectors);
  if (first && first_selectors) {
    memcpy(first, offsets, bytes);
    if (pairs) memcpy(first_selectors, selectors, pairs * sizeof *selectors);
    for (int i = 0; i < times && !sj_test_failed(); i++) {
      CHECK(stijl_css_match(m, NULL) == STIJL_OK);
      bool same = stijl_css_matches_all(m, &offsets, &selectors) == pairs && memcmp(first, offsets, bytes) == 0 &&
                  (pairs == 0 || memcmp(first_selectors, selectors, pairs * sizeof *selectors) == 0);
      if (!same) sj_test_fail(__FILE__, __LINE__, "matching %d differs from the first", i + 2);
    }
  } else {
    sj_test_fail(__FILE__, __LINE__, "no memory");
  }
  free(first);
  free(first_selectors);
}

#endif
