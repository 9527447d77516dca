// The passes of a frame, and what each takes.
#ifndef SJ_LAB_PASSES_H
#define SJ_LAB_PASSES_H

#include "lab/harness.h"

// Draws a scene on a target, which it has been drawn on before, and writes what its passes take; nothing where it has
// but one. `clock` tells microseconds.
stijl_result sj_lab_write_passes(sj_lab *lab, stijl_renderer *renderer, const stijl_scene *scene,
                                 const stijl_target *target, const char *key, const char *title, double (*clock)(void));

#endif
