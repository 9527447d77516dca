// Draws maps of a picture that show what its tiles cost on the CPU, and what is in them, for `lab scene`.
#ifndef SJ_LAB_HEAT_H
#define SJ_LAB_HEAT_H

#include "lab/harness.h"

// Adds the maps to the page. `pixels` hold the picture, which the renderer, of one thread, has drawn of the scene; they
// are overwritten.
stijl_result sj_lab_draw_heat(sj_lab *lab, stijl_renderer *renderer, const stijl_scene *scene, int width, int height,
                              uint32_t *pixels);

#endif
