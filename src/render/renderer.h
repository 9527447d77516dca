// What only tests ask of a renderer.
#ifndef SJ_RENDER_RENDERER_H
#define SJ_RENDER_RENDERER_H

#include "stijl/render.h"

// Frames of the CPU are cut into batches of about `lines` lines, and into smaller ones where they turn out to have twice
// as many; 0: as usual. The pictures do not change.
void sj_renderer_limit_batches(stijl_renderer *renderer, uint32_t lines);

#endif
