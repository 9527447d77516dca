// Records colour glyphs as scenes: each is recorded once, and added wherever it is drawn. Text in documents and that of
// stijl/text.h use these, so that both have the same pixels.
#include <math.h>

#include "scene/scene.h"
#include "svg/record/record.h"

bool sj_glyph_has_scale(const sj_tree *document) {
  if (document->images.count) return true;
  for (size_t i = 0; i < document->servers.count; i++)
    if (document->servers.data[i].kind >= SJ_TREE_SERVER_MESH) return true;
  return false;
}

// Returns the length of a vector. If it points neither along x nor along y it is rounded to 12 bits, so that glyphs
// which are only turned, as on a path, have one scale.
static float length(float x, float y) {
  float exact = sqrtf(x * x + y * y);
  if (x == 0.0f || y == 0.0f) return exact;
  int exponent;
  float fraction = frexpf(exact, &exponent);
  return ldexpf(nearbyintf(fraction * 4096.0f), exponent - 12);
}

sj_glyph_scale sj_glyph_scale_of(const stijl_matrix *matrix) {
  return (sj_glyph_scale){length(matrix->a, matrix->b), length(matrix->c, matrix->d)};
}

// Returns whether all that the document draws surely lies within its size.
static bool fits(const sj_tree *document, stijl_context *context) {
  static const stijl_matrix identity = STIJL_MATRIX_IDENTITY;
  sj_box box = {.known = true, .empty = true};
  if (!sj_tree_measure(document, context, document->picture, &identity, SJ_MEASURE_LAYER, &box)) return false;
  return box.empty || (box.rect.x0 >= 0.0f && box.rect.y0 >= 0.0f && box.rect.x1 <= document->width &&
                       box.rect.y1 <= document->height);
}

stijl_scene *sj_record_glyph(sj_recorder *r, stijl_context *memory, const sj_tree *document, sj_glyph_scale scale) {
  sj_record_place place = {.matrix = stijl_matrix_scale(scale.x, scale.y), .opacity = 1.0f};
  if (!sj_record_check(r, stijl_scene_create(memory, NULL, &place.scene))) return NULL;
  bool clips = !fits(document, r->context);
  if (clips) sj_push_clip_rect(r, &place, (stijl_rect){0.0f, 0.0f, document->width, document->height}, 1.0f);
  sj_record_tree(r, &place, document, &place.matrix);
  if (clips) stijl_scene_pop_layer(place.scene);
  stijl_result result = stijl_scene_finish(place.scene);
  if (result != STIJL_OK) sj_record_fail(r, result, "%s", stijl_scene_message(place.scene));
  if (sj_recording(r)) return place.scene;
  stijl_scene_destroy(place.scene);
  return NULL;
}

void sj_add_glyph(stijl_scene *scene, const stijl_scene *glyph, sj_glyph_scale scale, const stijl_matrix *matrix,
                  float opacity) {
  stijl_matrix place = {matrix->a / scale.x, matrix->b / scale.x, matrix->c / scale.y,
                        matrix->d / scale.y, matrix->e,           matrix->f};
  // What blends within the glyph does not blend with what is below it.
  bool layered = opacity < 1.0f || glyph->blends || glyph->backdrops;
  if (layered) {
    stijl_layer layer = STIJL_LAYER_INIT;
    layer.opacity = opacity;
    stijl_scene_push_layer(scene, &layer);
  }
  stijl_scene_add_scene(scene, glyph, &place);
  if (layered) stijl_scene_pop_layer(scene);
}

// Returns the scene of a glyph of the tree, an earlier one or a new one; NULL on failure.
static const stijl_scene *scene_of(sj_recorder *r, const sj_tree *tree, uint32_t image, sj_glyph_scale scale) {
  const sj_tree *document = tree->images.data[image].document;
  sj_kept_image *kept = sj_record_image_of(r, tree, image);
  if (!kept) return NULL;
  for (uint32_t i = kept->glyphs; i; i = r->glyphs.data[i - 1].next) {
    const sj_glyph_scene *known = &r->glyphs.data[i - 1];
    if (known->scale.x == scale.x && known->scale.y == scale.y) return known->scene;
  }
  sj_glyph_scene made = {.scale = scale, .scene = sj_record_glyph(r, r->context, document, scale)};
  if (!made.scene) return NULL;
  // Recording it may have moved what is kept.
  kept = sj_record_image_of(r, tree, image);
  made.next = kept->glyphs;
  if (!sj_array_push(r->context, &r->glyphs, made)) {
    stijl_scene_destroy(made.scene);
    sj_record_fail_memory(r);
    return NULL;
  }
  kept->glyphs = (uint32_t)r->glyphs.count;
  return made.scene;
}

void sj_record_glyph_image(sj_recorder *r, const sj_record_place *place, const sj_tree_picture *picture) {
  const sj_tree_image *image = &place->tree->images.data[picture->image];
  stijl_matrix matrix = stijl_matrix_multiply(place->matrix, picture->place);
  sj_glyph_scale scale = sj_glyph_scale_of(&matrix);
  if (!stijl_matrix_is_finite(matrix) || !(scale.x > 0.0f) || !(scale.y > 0.0f)) return;
  if (image->scene || !sj_glyph_has_scale(image->document)) scale = (sj_glyph_scale){1.0f, 1.0f};
  const stijl_scene *scene = image->scene ? image->scene : scene_of(r, place->tree, picture->image, scale);
  if (scene) sj_add_glyph(place->scene, scene, scale, &matrix, place->opacity);
}
