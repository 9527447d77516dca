// What the files share that resolve filters.
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

// A filter as it is built: the chain of functions and filter elements of one property.
typedef struct sj_filter_chain {
  sj_resolver *r;
  const sj_frame *frame;  // of the element that has the property
  uint32_t node;
  stijl_filter *filter;
  int last;  // the result so far
  sj_tree_reach reach;  // of the result so far
} sj_filter_chain;

// A filter element that is being added to a chain.
typedef struct sj_filter_element {
  sj_filter_chain *chain;
  sj_style style;  // the element's own
  bool box_units;  // of primitives
  const sj_box *box;
  stijl_rect region;
  int source, alpha;  // SourceGraphic within the region, and its alpha (STIJL_FILTER_NOTHING: not made yet)
  int paints[2];      // FillPaint and StrokePaint (STIJL_FILTER_NOTHING: not made yet, or nothing)
  SJ_ARRAY(sj_filter_result) results;
} sj_filter_element;

// Adds a primitive. False on failure of the resolver.
bool sj_add_primitive(sj_filter_element *f, uint32_t element);
// The number of the input of that name; an unknown one is the result before.
int sj_filter_input(sj_filter_element *f, const char *name, size_t length);

// The attribute of that name, which the primitives have to themselves; NULL when absent.
const sj_string *sj_filter_attribute(const sj_filter_element *f, uint32_t element, const char *name);

#endif
