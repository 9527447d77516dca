// Sheets that others name.
#ifndef SJ_CSS_IMPORT_H
#define SJ_CSS_IMPORT_H

#include "css/sheet.h"

// Adds the sheet that the document at `page` names with `href`, by the rules of @import: a file within the page's
// folder, unless the application reads it. One that cannot be read is left out with a warning, and one that was added
// under the same name before is not added again.
stijl_result sj_css_add_linked(stijl_css *css, const char *href, uint32_t line, bool active,
                               const sj_css_sheet_place *page, stijl_message *message);

#endif
