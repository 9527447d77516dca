// Reads the attributes that only the primitives of filters have.
#include <string.h>

#include "svg/resolve/filter.h"
#include "svg/resolve/job.h"
#include "svg/resolve/omit.h"

const sj_string *sj_filter_attribute(const sj_filter_element *f, uint32_t element, const char *name) {
  return sj_dom_get(f->chain->r->document->dom, element, name);
}

float sj_filter_read_number(const sj_filter_element *f, uint32_t element, const char *name, float fallback) {
  const sj_string *a = sj_filter_attribute(f, element, name);
  float value;
  if (!a || sj_parse_number(a->text, a->length, &value)) return a ? value : fallback;
  sj_omit_value(f->chain->r, name, a->text, a->length);
  return fallback;
}

int sj_filter_read_numbers(const sj_filter_element *f, uint32_t element, const char *name, float *out, int most) {
  const sj_string *a = sj_filter_attribute(f, element, name);
  if (!a) return -1;
  sj_list list = sj_list_begin(f->chain->r->styles.budget, a->text, a->length);
  float value;
  int count = 0;
  while (sj_list_next_number(&list, &value)) {
    if (count < most) out[count] = value;
    count++;
  }
  if (list.failed) sj_omit_value(f->chain->r, name, a->text, a->length);
  return list.failed ? -1 : count;
}

bool sj_filter_read_pair(const sj_filter_element *f, uint32_t element, const char *name, float out[2]) {
  int count = sj_filter_read_numbers(f, element, name, out, 2);
  if (count == 1) out[1] = out[0];
  return count == 1 || count == 2;
}

int sj_filter_read_word(const sj_filter_element *f, uint32_t element, const char *name, const char *const *words,
                        int fallback) {
  const sj_string *a = sj_filter_attribute(f, element, name);
  for (int i = 0; a && words[i]; i++)
    if (strcmp(a->text, words[i]) == 0) return i;
  if (a) sj_omit_value(f->chain->r, name, a->text, a->length);
  return fallback;
}

bool sj_filter_read_number_list(const sj_filter_element *f, uint32_t element, const char *name, float **out,
                                size_t *count) {
  sj_resolver *r = f->chain->r;
  int all = sj_filter_read_numbers(f, element, name, NULL, 0);
  *out = NULL;
  *count = 0;
  if (all <= 0) return true;
  *out = sj_alloc_array(r->job->context, (size_t)all, sizeof **out);
  if (!*out) {
    sj_resolve_fail_memory(r);
    return false;
  }
  // The second reading finds fewer, and perhaps no list, if the budget is spent between the two.
  bool good = sj_filter_read_numbers(f, element, name, *out, all) == all;
  if (good) {
    *count = (size_t)all;
  } else {
    sj_free(r->job->context, *out);
    *out = NULL;
  }
  return good;
}
