// The style sheets that a document holds (<style>) or names (<link>, <?xml-stylesheet?>): noted while it is read, and
// added to the sheets by stijl_css_add_document_sheets.
#ifndef SJ_CSS_EMBEDDED_H
#define SJ_CSS_EMBEDDED_H

#include "dom/dom.h"

// Notes an element that was recorded with its attributes, if it is a <link> to a sheet. `line` is that of the document.
void sj_css_note_link(stijl_css_document *d, uint32_t element, uint32_t line);
// Returns whether the element's text is a style sheet.
bool sj_css_is_style(const stijl_css_document *d, uint32_t element);
// Takes a copy of the text of such an element; `line` is where it begins.
void sj_css_note_style(stijl_css_document *d, uint32_t element, const char *text, size_t bytes, uint32_t line);
// Notes the data of an <?xml-stylesheet?> ("Associating Style Sheets with XML documents 1.0").
void sj_css_note_instruction(stijl_css_document *d, const char *data, uint32_t line);

// Finds the value of name="value" in such data, with its references resolved; *value stays NULL when it is not there.
// Returns false when memory is short.
bool sj_css_pseudo_attribute(stijl_context *context, const char *data, size_t length, const char *name, char **value);

#endif
