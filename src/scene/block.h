// Canvases of any size. Where a canvas is large, floats cannot hold fractions of a pixel any more. Such a canvas is
// therefore defined by blocks. Each is drawn as a canvas of its own, with a scene that is seen from a place in the
// block: the distance to that place is subtracted in double, before anything is rounded. So a pixel's bits depend on
// its place alone.
#ifndef SJ_SCENE_BLOCK_H
#define SJ_SCENE_BLOCK_H

#include "base/budget.h"
#include "scene/copier.h"
#include "scene/index.h"

// The side of a block in pixels. The part of a pattern that a block shows, even turned by 45 degrees, has no more
// pixels than a tile may have (encode_paint.c), so that no block draws it coarser than the next.
#define SJ_BLOCK_SIDE 2816
// Canvases up to this size are not divided into blocks. No more of a canvas can be drawn at once.
#define SJ_CANVAS_SIDE 32767

// The scenes of blocks, and what is kept to make them.
typedef struct sj_blocks {
  stijl_context *context;
  uint64_t serial;  // of the scene that the indices are of; 0: none
  sj_index root;
  SJ_ARRAY(sj_index) inner;  // for each scene within
  stijl_scene *scene;        // that of the last block, and what it is for
  sj_copier copier;
  uint64_t made_for;
  stijl_matrix view;
  int x, y;
  stijl_irect region;
  uint64_t parts_of;      // the scene of which a part was drawn last
  sj_draw_numbers found;  // and what is seen in a part
  stijl_scene part;       // it has the draws alone; all else is the whole scene's
  // What is used while a scene is made.
  sj_spender spender;
  sj_pairs paths;              // copies of paths that are seen from their own origin, by their first segments
  SJ_ARRAY(uint32_t) open;     // pushes of layers, as indices of the draws that are being made
  struct sj_seen_paint *seen;  // for each paint of the scene: its last copy
} sj_blocks;

// Makes a scene with all that a region of a block shows of a scene whose view is `view`. x and y are the block's first
// pixel of the canvas, and `region` is in pixels of the block. The new scene's view is the identity, and it is valid
// until the next call.
stijl_result sj_block_scene(sj_blocks *blocks, const stijl_scene *scene, stijl_matrix view, int x, int y,
                            stijl_irect region, stijl_budget *budget, const stijl_scene **out, stijl_message *message);
// Returns a scene to draw a part of a canvas with that is not divided into blocks. It is the scene itself, or, if the
// part shows few of its draws, one with only these. The second part of a scene is the first for which an index is
// built. The result is valid until the next call.
const stijl_scene *sj_part_scene(sj_blocks *blocks, const stijl_scene *scene, stijl_matrix view, stijl_irect canvas,
                                 stijl_irect region);
void sj_blocks_finish(sj_blocks *blocks);

#endif
