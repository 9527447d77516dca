// Finds the font files of a folder.
#ifndef SJ_TEXT_FOLDER_H
#define SJ_TEXT_FOLDER_H

#include "base/context.h"

// Calls `each` for each file in the folder, or below it, whose name ends like a font's (".ttf" etc.), in the order of
// the names. `each` returns false when memory is short, which ends it.
stijl_result sj_each_font_file(stijl_context *context, const char *folder, bool (*each)(void *user, const char *path),
                               void *user, stijl_message *message);

#endif
