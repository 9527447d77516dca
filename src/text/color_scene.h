// Colour glyphs of a face as scenes, kept from draw to draw. Any number of threads may share them.
#ifndef SJ_TEXT_COLOR_SCENE_H
#define SJ_TEXT_COLOR_SCENE_H

#include "stijl/scene.h"
#include "text/color.h"
#include "text/face.h"

// What a colour glyph's scene depends on.
typedef struct sj_color_key {
  uint32_t glyph;
  uint32_t foreground;  // straight 0xRRGGBBAA
  sj_palette palette;
  float scale_x, scale_y;  // that it is seen at
} sj_color_key;

typedef struct sj_color_scene {
  stijl_scene *scene;  // finished; NULL: the glyph has no colours
  bool has_scale;      // it was made for the scale
  // What is below is the cache's own.
  sj_color_uses uses;
  sj_color_key key;
  uint32_t *colors;  // of the palette
  uint64_t bytes;
  unsigned users;
  struct sj_color_scene *next;  // of the same glyph
} sj_color_scene;

// What is kept of a glyph; NULL: nothing yet. To be given back by sj_color_scene_release.
sj_color_scene *sj_color_scene_find(sj_face *face, const sj_color_key *key);
// Keeps a scene, which it takes over; its memory is that of the face's context. `has_scale` as above. Returns what
// sj_color_scene_find would; NULL when memory is short.
sj_color_scene *sj_color_scene_add(sj_face *face, const sj_color_key *key, sj_color_uses uses, bool has_scale,
                                   stijl_scene *scene);
void sj_color_scene_release(sj_face *face, sj_color_scene *scene);

// For sj_face_close of a face that has some: nobody uses a scene of the face any more.
void sj_color_scenes_finish(sj_face *face);

#endif
