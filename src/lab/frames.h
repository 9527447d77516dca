// The renderer on the lab's device, with its pipelines changed: frames, compared and timed.
#ifndef SJ_LAB_FRAMES_H
#define SJ_LAB_FRAMES_H

#include "gpu/pipeline.h"
#include "lab/ablate.h"

// A renderer on the lab's device, in a device of its own. `change` NULL: as it is.
stijl_result sj_lab_renderer_create(sj_lab *lab, const sj_pipelines_change *change, stijl_renderer **out,
                                    stijl_message *message);

// What a scene is drawn onto, in a square, on white.
typedef struct sj_lab_canvas {
  int size;              // pixels
  uint32_t *expected;    // the frame that others are compared with
  uint32_t *pixels;      // any other
  stijl_budget *budget;  // an hour, as first frames compile, and any work
} sj_lab_canvas;

stijl_result sj_lab_canvas_init(sj_lab *lab, int size, sj_lab_canvas *out);
void sj_lab_canvas_finish(sj_lab *lab, sj_lab_canvas *canvas);  // good for a zeroed one
// Draws the expected frame, or another; *same tells whether they are alike.
stijl_result sj_lab_draw(sj_lab_canvas *canvas, stijl_renderer *renderer, const stijl_scene *scene, bool expected,
                         bool *same, stijl_message *message);

// Times whole frames of what each of them has drawn last, in turns. One that loses its device, as a renderer with an
// ablated shader may, or is 50 times as slow as the first, has no time (NAN); the first must not.
stijl_result sj_lab_time_frames(sj_lab *lab, stijl_renderer *const *renderers, uint32_t count, sj_lab_times *out);

// Writes what is to be said of the renderer's fine, by the pixels of a lane (fine.c).
stijl_result sj_lab_count_fine(sj_lab *lab);

#endif
