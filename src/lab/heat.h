// What the tiles of a picture cost on the CPU, and what is in them, drawn over it: for `lab scene`.
#ifndef SJ_LAB_HEAT_H
#define SJ_LAB_HEAT_H

#include "lab/harness.h"

// `pixels` hold the picture, which the renderer, of one thread, has drawn of the scene; they are drawn anew.
stijl_result sj_lab_draw_heat(sj_lab *lab, stijl_renderer *renderer, const stijl_scene *scene, int width, int height,
                              uint32_t *pixels);

#endif
