// Finding the font files of a folder.
#ifndef SJ_TEXT_FOLDER_H
#define SJ_TEXT_FOLDER_H

#include "base/context.h"

// Calls for each file below the folder whose name ends as a font's does, in the order of the names. False ends it:
// memory is short.
stijl_result sj_each_font_file(stijl_context *context, const char *folder, bool (*each)(void *user, const char *path),
                               void *user, stijl_message *message);

#endif
