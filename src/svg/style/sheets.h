// Style sheets for SVG: <style> elements, <?xml-stylesheet?> and a sheet of the application become declarations of
// elements.
#ifndef SJ_SVG_STYLE_SHEETS_H
#define SJ_SVG_STYLE_SHEETS_H

#include "svg/parse/document.h"
#include "svg/parse/options.h"

// Gathers the declarations of the document's elements, with those of style sheets in their place of the cascade, and
// replaces var(). `sheet` (may be NULL) comes before the document's own.
stijl_result sj_svg_apply_sheets(sj_document *document, const sj_svg_options *options, const char *sheet,
                                 stijl_message *message);

// The address of a sheet, seen from the document, by its name; NULL for those that are part of the document or were
// given: what they name is seen from the document itself.
const char *sj_sheet_address(const char *name);

#endif
