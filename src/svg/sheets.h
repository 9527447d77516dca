// Style sheets for SVG: <style> elements and a sheet of the application become declarations of elements.
#ifndef SJ_SVG_SHEETS_H
#define SJ_SVG_SHEETS_H

#include "svg/document.h"

// Puts the declarations of style sheets in their place of the cascade, and replaces var(). `sheet` (may be NULL) comes
// before the document's own. Does nothing when there is nothing to do.
stijl_result sj_document_apply_sheets(sj_document *document, const char *sheet, const stijl_svg_limits *limits,
                                      stijl_message *message);

#endif
