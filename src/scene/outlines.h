// Outlines of a scene by the names of glyphs, so that code which draws text adds each of them once.
#ifndef SJ_SCENE_OUTLINES_H
#define SJ_SCENE_OUTLINES_H

#include "stijl/scene.h"

// The name of a glyph: a number of its font, which no other font of this process has, and its number in the font.
typedef struct sj_glyph_name {
  uint64_t font;
  uint32_t glyph;
} sj_glyph_name;

// Lengths of a glyph in the units of its outline.
typedef struct sj_glyph_size {
  float em, advance;  // the em square is the font's
} sj_glyph_size;

// Finds the outline of that name. Returns false if the scene has none yet.
bool sj_scene_find_outline(const stijl_scene *scene, sj_glyph_name name, uint32_t *out);
// Does what stijl_scene_add_outline does, and gives the outline a name.
uint32_t sj_scene_add_glyph(stijl_scene *scene, sj_glyph_name name, sj_glyph_size size, const stijl_path *outline);

// The characters that a glyph of a run stands for, as a range of bytes of UTF-8. If a cluster has several glyphs, one
// of them has all its characters.
typedef struct sj_glyph_text {
  uint32_t first, count;
} sj_glyph_text;

// Does what stijl_scene_fill_glyphs does, and keeps the characters of the run, for files whose text can be searched:
// texts[i] is a range of `utf8`, and belongs to instance i.
void sj_scene_fill_text(stijl_scene *scene, const stijl_glyph_run *run, const sj_glyph_text *texts, const char *utf8,
                        const stijl_matrix *transform, const stijl_paint *paint);

#endif
