// Resolves filters.
#ifndef SJ_SVG_RESOLVE_FILTER_H
#define SJ_SVG_RESOLVE_FILTER_H

#include "stijl/filter.h"
#include "svg/resolve/job.h"

// Returns the filter in tree->filters that the value of `filter` asks for; SJ_NONE for none.
uint32_t sj_resolve_filter(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node);

// A result that later primitives can name.
typedef struct sj_filter_result {
  const char *name;  // NULL: none
  size_t length;
  int index;
  stijl_rect region;
} sj_filter_result;

// A filter while it is built from the functions and filter elements of one property.
typedef struct sj_filter_chain {
  sj_resolver *r;
  const sj_resolve_frame *frame;  // of the element that has the property
  uint32_t node;
  stijl_filter *filter;
  int last;             // the number of the result so far
  sj_tree_reach reach;  // of the result so far
} sj_filter_chain;

// A filter element that is being added to a chain.
typedef struct sj_filter_element {
  sj_filter_chain *chain;
  sj_style style;  // of the filter element itself
  bool box_units;  // primitives are in units of the box
  const sj_box *box;
  stijl_rect region;
  int source, alpha;  // SourceGraphic within the region, and its alpha (STIJL_FILTER_NOTHING: not made yet)
  int paints[2];      // FillPaint and StrokePaint (STIJL_FILTER_NOTHING: not made yet, or nothing)
  SJ_ARRAY(sj_filter_result) results;
} sj_filter_element;

// Adds a primitive. Returns false where the resolver has failed.
bool sj_add_primitive(sj_filter_element *f, uint32_t element);

// --- filter_input.c ---

// Returns the number of the input that an attribute names: in or in2. Without the attribute, or where nothing has the
// name, that is the result before.
int sj_filter_input_of(sj_filter_element *f, uint32_t element, const char *attribute);
// Adds what a scene of the filter will show. Returns false on failure.
bool sj_filter_add_image(sj_filter_element *f, const sj_tree_filter_image *image);

// --- filter_attribute.c ---

// Returns an attribute by its name, which has no sj_name since only primitives have it; NULL when absent.
const sj_string *sj_filter_attribute(const sj_filter_element *f, uint32_t element, const char *name);
// Returns a number; `fallback` where the attribute is absent or no number.
float sj_filter_read_number(const sj_filter_element *f, uint32_t element, const char *name, float fallback);
// Reads up to `most` numbers. Returns how many the attribute has, which may be more; -1 where it is absent or no list.
int sj_filter_read_numbers(const sj_filter_element *f, uint32_t element, const char *name, float *out, int most);
// Reads two numbers, of which the second may be left out when both are the same. Returns false for anything else.
bool sj_filter_read_pair(const sj_filter_element *f, uint32_t element, const char *name, float out[2]);
// Reads all numbers of a list. The caller frees *out with the job's context; it is NULL where there is no list. Returns
// false on failure.
bool sj_filter_read_number_list(const sj_filter_element *f, uint32_t element, const char *name, float **out,
                                size_t *count);
// Returns the index of the attribute among `words`, which NULL ends; `fallback` where it is none of them.
int sj_filter_read_word(const sj_filter_element *f, uint32_t element, const char *name, const char *const *words,
                        int fallback);

#endif
