// Paths as text, so that a test can compare them with one string.
#ifndef PATH_TEXT_H
#define PATH_TEXT_H

#include "stijl/path.h"

// Returns "M0,0 L10,0 Z", six digits; in a static buffer that the call after the next overwrites. Checks the path's
// invariants.
const char *path_text(const stijl_path *path);
// Makes a path from SVG data that must be good.
stijl_path *path_from(const char *data);

#endif
