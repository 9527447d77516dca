// What the files that resolve filters share.
#ifndef SJ_SVG_RESOLVE_FILTER_H
#define SJ_SVG_RESOLVE_FILTER_H

#include "stijl/filter.h"
#include "svg/resolve/resolve.h"

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
  const sj_frame *frame;  // of the element that has the property
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
// Returns the number of the input of that name; of an unknown name or NULL, the result before.
int sj_filter_input(sj_filter_element *f, const char *name, size_t length);

// Returns an attribute by its name, which has no sj_name since only primitives have it; NULL when absent.
const sj_string *sj_filter_attribute(const sj_filter_element *f, uint32_t element, const char *name);

#endif
