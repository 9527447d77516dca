// Renderers on the lab's device with changed pipelines; their frames are compared and timed.
#ifndef SJ_LAB_FRAMES_H
#define SJ_LAB_FRAMES_H

#include "gpu/pipeline.h"
#include "lab/ablate.h"

// Creates a renderer on the lab's physical device, with a logical device of its own. `change` may be NULL.
stijl_result sj_lab_renderer_create(sj_lab *lab, const sj_pipelines_change *change, stijl_renderer **out,
                                    stijl_message *message);

// A square white canvas that scenes are drawn on.
typedef struct sj_lab_canvas {
  int size;              // pixels
  uint32_t *expected;    // RGBA8 of the frame that others are compared with
  uint32_t *pixels;      // RGBA8 of the last other frame
  stijl_budget *budget;  // allows an hour, since first frames compile shaders, and any amount of work
} sj_lab_canvas;

stijl_result sj_lab_canvas_init(sj_lab *lab, int size, sj_lab_canvas *out);
void sj_lab_canvas_finish(sj_lab *lab, sj_lab_canvas *canvas);  // does nothing for a zeroed one
// Draws the expected frame or another one; *same becomes whether both are alike.
stijl_result sj_lab_draw(sj_lab_canvas *canvas, stijl_renderer *renderer, const stijl_scene *scene, bool expected,
                         bool *same, stijl_message *message);

// Times frames of what each renderer has drawn last, in turns. A renderer that loses its device, as one with an ablated
// shader may, or that is 50 times as slow as the first, gets the time NAN; for the first one that is an error.
stijl_result sj_lab_time_frames(sj_lab *lab, stijl_renderer *const *renderers, uint32_t count, sj_lab_estimate *out);

// Measures the renderer's stage `fine` by the pixels of a lane, and writes the results (fine.c).
stijl_result sj_lab_count_fine(sj_lab *lab);

#endif
