// Writes a table of the passes of a frame and the time of each.
#ifndef SJ_LAB_PASSES_H
#define SJ_LAB_PASSES_H

#include "lab/harness.h"

// Draws a scene on a target, where it has to have been drawn before, and writes the time of each pass; nothing if there
// is only one. `clock` returns microseconds.
stijl_result sj_lab_write_passes(sj_lab *lab, stijl_renderer *renderer, const stijl_scene *scene,
                                 const stijl_target *target, const char *key, const char *title, double (*clock)(void));

#endif
