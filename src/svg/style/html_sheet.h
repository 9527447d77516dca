// What HTML elements have without any style sheet (HTML, 15).
#ifndef SJ_SVG_STYLE_HTML_SHEET_H
#define SJ_SVG_STYLE_HTML_SHEET_H

#include "svg/parse/document.h"

// Returns the user agent's style sheet, of the origin below all others.
const char *sj_html_sheet(void);

typedef bool (*sj_html_hint)(void *user, int name, const char *value, size_t length);

// Calls `add` for each declaration that the attributes of an HTML element stand for (HTML, 15.2, "presentational
// hints"). Returns false as soon as it does, or when memory is short.
bool sj_html_hints(sj_document *document, uint32_t element, sj_html_hint add, void *user);

#endif
