// Filters: Filter Effects 1. They are not applied yet.
#include "svg/resolve/resolve.h"

// What goes here: the value's functions and the children of the filter element it refers to become an entry of
// tree->filters, in which every length is resolved; layers refer to it, and sj_tree_layer.box has the box that its region
// and its units may be relative to (sj_resolve_layer has to ask for it).
uint32_t sj_resolve_filter(sj_resolver *r, const sj_frame *frame) {
  const char *text = frame->style->filter.text, *url;
  size_t length;
  if (!text) return SJ_NONE;
  // A reference to nothing filters nothing.
  if (sj_parse_url(text, frame->style->filter.length, &url, &length, NULL, NULL) &&
      sj_find_url(r, url, length) == SJ_NO_ELEMENT)
    return SJ_NONE;
  sj_omit(r, SJ_OMIT_FILTER, "", 0);
  return SJ_NONE;
}
