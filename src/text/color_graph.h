// Records what COLR says of a glyph, layers (version 0) or a graph of paints (version 1), as a scene.
#ifndef SJ_TEXT_COLOR_GRAPH_H
#define SJ_TEXT_COLOR_GRAPH_H

#include "text/colr.h"
#include "text/face.h"

// Records a glyph in the space of sj_color_picture. The scene's memory is from `memory`, everything else from
// `context`. Returns the finished scene; NULL: COLR has nothing of the glyph, it is broken, memory is short (then the
// library's refusals count), or it is too large (then *too_large is set).
stijl_scene *sj_color_graph(sj_face *face, stijl_context *context, stijl_context *memory, sj_colr *tables,
                            uint32_t glyph, bool *too_large);

#endif
