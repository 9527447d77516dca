// Outlines of a scene by the names of glyphs, so that who draws text adds each of them once.
#ifndef SJ_SCENE_OUTLINES_H
#define SJ_SCENE_OUTLINES_H

#include "stijl/scene.h"

// The name of a glyph: a number of its font that no other font of this process has, and its number in the font.
typedef struct sj_glyph_name {
  uint64_t font;
  uint32_t glyph;
} sj_glyph_name;

// False where the scene has no outline of that name yet.
bool sj_scene_find_outline(const stijl_scene *scene, sj_glyph_name name, uint32_t *out);
// stijl_scene_add_outline, with a name.
uint32_t sj_scene_add_glyph(stijl_scene *scene, sj_glyph_name name, const stijl_path *outline);

#endif
