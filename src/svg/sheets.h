// Style sheets for SVG: <style> elements, <?xml-stylesheet?> and a sheet of the application become declarations of
// elements.
#ifndef SJ_SVG_SHEETS_H
#define SJ_SVG_SHEETS_H

#include "svg/convert.h"

// Puts the declarations of style sheets in their place of the cascade of svg->document, and replaces var(). `sheet`
// (may be NULL) comes before the document's own. Does nothing when there is nothing to do.
stijl_result sj_svg_apply_sheets(stijl_svg *svg, const char *sheet, stijl_message *message);

#endif
