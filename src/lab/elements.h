// The elements of an SVG document by their places in its text, so that they can be left out of it.
#ifndef SJ_LAB_ELEMENTS_H
#define SJ_LAB_ELEMENTS_H

#include "base/array.h"

typedef struct sj_lab_element {
  size_t from, end;   // bytes of the text, tags included
  size_t head;        // where the start tag ends
  uint32_t line;      // of its first byte, from 1
  uint32_t children;  // elements below it come right behind it: `children` of them at all depths
  int parent;         // -1: the root
  bool drawn;         // it draws, or holds what does: not in defs, a clip, a gradient, ...
} sj_lab_element;

typedef struct sj_lab_elements {
  stijl_context *context;
  SJ_ARRAY(sj_lab_element) list;  // in the order of the document
} sj_lab_elements;

// Reads the tags. False where memory is short or the text is not well-formed.
bool sj_lab_elements_find(sj_lab_elements *out, stijl_context *context, const char *text, size_t bytes);
void sj_lab_elements_finish(sj_lab_elements *elements);
// "<rect id="a">" and the like, for people.
void sj_lab_element_name(const char *text, const sj_lab_element *element, char *out, size_t bytes);
// Whether the start tag has this text anywhere.
bool sj_lab_element_has(const char *text, const sj_lab_element *element, const char *part);

#endif
