// Searching what is sorted.
#ifndef SJ_BASE_SEARCH_H
#define SJ_BASE_SEARCH_H

#include <stddef.h>
#include <string.h>

// Moves the variables `low` and `high` together, to the first index for which `before` is false. `before` is an
// expression of the index `i`; from `low` to `high` it has to be true up to some index, and false from there on.
#define SJ_SEARCH(low, high, i, before)      \
  while ((low) < (high)) {                   \
    size_t i = (low) + ((high) - (low)) / 2; \
    if (before)                              \
      (low) = i + 1;                         \
    else                                     \
      (high) = i;                            \
  }

// Orders texts byte by byte; those that another begins with stand before it.
static inline int sj_compare_texts(const char *a, size_t a_length, const char *b, size_t b_length) {
  int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
  return order ? order : (a_length > b_length) - (a_length < b_length);
}

#endif
