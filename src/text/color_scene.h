// The colour glyphs of a face as scenes, which are kept from draw to draw. Any number of threads may share them.
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
  float scale_x, scale_y;  // at which the glyph is seen
} sj_color_key;

typedef struct sj_color_scene {
  stijl_scene *scene;  // finished; NULL: the glyph has no colours
  bool has_scale;      // the scene is only good for the key's scale
  // What follows is for color_scene.c only.
  sj_color_uses uses;
  sj_color_key key;
  uint32_t *colors;  // the key's colours of the palette
  uint64_t bytes;
  unsigned users;               // the scene is freed when the last of them releases it
  struct sj_color_scene *next;  // another scene of the glyph
} sj_color_scene;

// Finds the scene that is kept for a key. The caller gives it back by sj_color_scene_release. Returns NULL when there
// is none yet.
sj_color_scene *sj_color_scene_find(sj_face *face, const sj_color_key *key);
// Keeps a scene, which it takes over. The scene's memory must be from the face's context. Returns what
// sj_color_scene_find would; NULL: memory is short.
sj_color_scene *sj_color_scene_add(sj_face *face, const sj_color_key *key, sj_color_uses uses, bool has_scale,
                                   stijl_scene *scene);
void sj_color_scene_release(sj_face *face, sj_color_scene *scene);

// Frees all scenes when a face that has some is closed. Nobody may use them any more.
void sj_color_scenes_finish(sj_face *face);

#endif
