// Applies style sheets: those of <style> elements, of <?xml-stylesheet?> and of the application.
#ifndef SJ_SVG_STYLE_SHEETS_H
#define SJ_SVG_STYLE_SHEETS_H

#include "svg/parse/document.h"
#include "svg/parse/options.h"
#include "svg/style/animation.h"

// Reads the document's style sheets, and finds which rules apply to which elements; both stay in the document. `sheet`
// (may be NULL) comes before the document's own sheets.
stijl_result sj_svg_match_sheets(sj_document *document, const sj_svg_options *options, const char *sheet,
                                 stijl_message *message);
// Gathers the declarations of the document's elements, with those of style sheets in their place of the cascade, and
// replaces var(). `line` is the time that CSS animations are looked at; its end becomes that of the last one, where
// that is later. What use elements show may have `max_elements` elements whose styles are their own.
stijl_result sj_svg_apply_sheets(sj_document *document, sj_timeline *line, uint32_t max_elements,
                                 stijl_message *message);
bool sj_svg_has_keyframes(const sj_document *document);
// Frees what was found of rules and elements, which nothing asks for any more.
void sj_svg_end_matching(sj_document *document);

// Returns the address of a sheet, relative to the document, by its name. NULL for sheets that are part of the document
// or were given: addresses in them are relative to the document itself.
const char *sj_sheet_address(const char *name);

#endif
