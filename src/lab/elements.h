// Finds the elements of an SVG document in its text, so that they can be left out of it.
#ifndef SJ_LAB_ELEMENTS_H
#define SJ_LAB_ELEMENTS_H

#include "base/array.h"

typedef struct sj_lab_element {
  size_t from, end;   // bytes of the text, tags included
  size_t head;        // where the start tag ends
  uint32_t line;      // of its first byte, counted from 1
  uint32_t children;  // how many elements are below it at all depths; these follow it in the list
  int parent;         // index in the list; -1 for the root
  bool drawn;         // it may draw where it stands, unlike what is in defs, clips or gradients
} sj_lab_element;

typedef struct sj_lab_elements {
  stijl_context *context;
  SJ_ARRAY(sj_lab_element) list;  // in the order of the document
} sj_lab_elements;

// Reads the tags of a text. Returns false where memory is short or the text is not well-formed. The list has to be
// finished in either case.
bool sj_lab_elements_find(sj_lab_elements *out, stijl_context *context, const char *text, size_t bytes);
void sj_lab_elements_finish(sj_lab_elements *elements);
// Writes a name for people, such as "rect #a".
void sj_lab_element_name(const char *text, const sj_lab_element *element, char *out, size_t bytes);
// Returns whether the start tag contains this text anywhere.
bool sj_lab_element_has(const char *text, const sj_lab_element *element, const char *part);

#endif
