// The values of properties that only HTML has.
#ifndef SJ_SVG_HTML_VALUES_H
#define SJ_SVG_HTML_VALUES_H

#include "svg/html/html.h"
#include "svg/parse/scan.h"

// Reads a length, a size such as min-content, or auto.
bool sj_html_read_length(const char *text, size_t length, const sj_length_base *base, bool negative,
                         sj_html_length *out);
// Reads one to four values: top, right, bottom, left. Those that are not understood change nothing.
void sj_html_read_sides(sj_scan w, const sj_length_base *base, bool negative, sj_html_length out[4]);

// What a property stands for that is named by how text flows: one or two physical properties, the starting one first,
// and whether each word of its value is for one of them.
typedef struct sj_html_logical {
  int first, last;
  bool divided;
} sj_html_logical;

// Returns whether the property is such a one. Text flows from the top, and from the left unless `right_to_left`.
bool sj_html_find_logical(int name, bool right_to_left, sj_html_logical *out);

#endif
