// Records the layers of masks: gradients, images and mask elements, put together as CSS Masking 1, 7.8 says.
//
// Where layers do not just lie upon each other they are numbers, written as greys on black, whose luminance masks. What
// CSS asks for are then blend modes: of a on b, add is screen, intersect is multiply, exclude is exclusion, and
// subtract is a multiplied by the difference of white and b.
#include <math.h>

#include "svg/record/record.h"

static const stijl_color black = {0.0f, 0.0f, 0.0f, 1.0f}, white = {1.0f, 1.0f, 1.0f, 1.0f};

static void fill_rect(sj_recorder *r, const sj_record_place *place, stijl_rect rect, const stijl_paint *paint) {
  stijl_path *path = sj_record_take_path(r);
  if (!path) return;
  sj_add_rect(path, rect);
  stijl_scene_fill(place->scene, path, STIJL_FILL_NONZERO, &place->matrix, paint);
  sj_record_give_path(r, path);
}

static void fill_color(sj_recorder *r, const sj_record_place *place, stijl_rect rect, stijl_color color) {
  stijl_paint paint = stijl_paint_solid(color);
  fill_rect(r, place, rect, &paint);
}

// --- pictures ---

// Draws the gradient or image where the tile is.
static void draw_tile(sj_recorder *r, const sj_record_place *place, const sj_tree_mask_layer *layer) {
  if (layer->is_image) {
    sj_record_picture(r, place, &layer->picture);
    return;
  }
  sj_tree_paint value = {.kind = SJ_TREE_PAINT_SERVER, .server = layer->server};
  stijl_paint paint;
  if (sj_record_paint(r, place, &value, NULL, 1.0f, &paint)) fill_rect(r, place, layer->tile, &paint);
}

// Returns the range of the clip along an axis, reduced to the tile where that is not repeated.
static void cut(float *from, float *to, float tile_from, float tile_to, float step) {
  if (step > 0.0f) return;
  *from = fmaxf(*from, tile_from);
  *to = fminf(*to, tile_to);
}

// Draws a tile that is repeated.
static void draw_tiles(sj_recorder *r, const sj_record_place *place, const sj_tree_mask_layer *layer, stijl_rect rect) {
  float width = layer->step_x > 0.0f ? layer->step_x : layer->tile.x1 - layer->tile.x0;
  float height = layer->step_y > 0.0f ? layer->step_y : layer->tile.y1 - layer->tile.y0;
  int columns, rows;
  stijl_scene *scene;
  if (!sj_tile_pixels(&place->matrix, width, height, &columns, &rows) ||
      !sj_record_check(r, stijl_scene_create(r->context, NULL, &scene)))
    return;
  float to_x = (float)columns / width, to_y = (float)rows / height;
  stijl_matrix corner = stijl_matrix_translate(layer->tile.x0, layer->tile.y0),
               back = stijl_matrix_scale(1.0f / to_x, 1.0f / to_y);
  sj_record_place inner = *place;
  inner.scene = scene;
  inner.matrix =
      stijl_matrix_multiply(stijl_matrix_scale(to_x, to_y), stijl_matrix_translate(-layer->tile.x0, -layer->tile.y0));
  if (stijl_matrix_is_finite(inner.matrix)) draw_tile(r, &inner, layer);
  stijl_result result = stijl_scene_finish(scene);
  if (result != STIJL_OK) sj_record_fail(r, result, "%s", stijl_scene_message(scene));
  stijl_paint paint = stijl_paint_scene(scene, (stijl_rect){0.0f, 0.0f, (float)columns, (float)rows});
  paint.transform = stijl_matrix_multiply(corner, back);
  if (sj_recording(r) && stijl_matrix_is_finite(paint.transform)) fill_rect(r, place, rect, &paint);
  stijl_scene_destroy(scene);
}

// Returns whether one copy of the tile is all that is seen.
static bool is_single(const sj_tree_mask_layer *l) {
  bool x = !(l->step_x > 0.0f) || (l->clip.x0 >= l->tile.x0 && l->clip.x1 <= l->tile.x0 + l->step_x);
  bool y = !(l->step_y > 0.0f) || (l->clip.y0 >= l->tile.y0 && l->clip.y1 <= l->tile.y0 + l->step_y);
  return x && y;
}

static void draw_picture(sj_recorder *r, const sj_record_place *place, const sj_tree_mask_layer *layer) {
  if (!layer->is_image && layer->server == SJ_NONE) return;
  if (!sj_record_count(r, place, place->level)) return;
  stijl_rect rect = layer->clip;
  cut(&rect.x0, &rect.x1, layer->tile.x0, layer->tile.x1, layer->step_x);
  cut(&rect.y0, &rect.y1, layer->tile.y0, layer->tile.y1, layer->step_y);
  if (!(rect.x0 < rect.x1) || !(rect.y0 < rect.y1)) return;
  if (!is_single(layer)) {
    draw_tiles(r, place, layer, rect);
    return;
  }
  sj_push_clip_rect(r, place, rect, 1.0f);
  draw_tile(r, place, layer);
  stijl_scene_pop_layer(place->scene);
}

// --- numbers ---

// Draws a layer as greys, upon black.
static void draw_number(sj_recorder *r, const sj_record_place *place, const sj_tree_mask_layer *layer,
                        const sj_box *box) {
  if (layer->mask == SJ_NONE && !layer->is_image) {
    draw_picture(r, place, layer);  // is white already, with an alpha
    return;
  }
  size_t first;
  if (layer->mask != SJ_NONE) {
    if (!sj_push_mask(r, place, layer->mask, (stijl_mask)layer->kind, box, &first)) return;
    fill_color(r, place, layer->clip, white);
    sj_pop_layers(r, place, first);
    return;
  }
  stijl_layer group = STIJL_LAYER_INIT;
  stijl_scene_push_layer(place->scene, &group);
  fill_color(r, place, layer->clip, white);
  stijl_scene_push_mask(place->scene, (stijl_mask)layer->kind);
  draw_picture(r, place, layer);
  stijl_scene_pop_mask(place->scene);
  stijl_scene_pop_layer(place->scene);
}

static void push_blend(const sj_record_place *place, stijl_blend blend) {
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.blend = blend;
  stijl_scene_push_layer(place->scene, &layer);
}

static void compose(sj_recorder *r, const sj_record_place *place, const sj_tree_mask *mask,
                    const sj_tree_mask_layer *layer, const sj_box *box) {
  static const stijl_blend blends[] = {[SJ_COMPOSITE_ADD] = STIJL_BLEND_SCREEN,
                                       [SJ_COMPOSITE_SUBTRACT] = STIJL_BLEND_MULTIPLY,
                                       [SJ_COMPOSITE_INTERSECT] = STIJL_BLEND_MULTIPLY,
                                       [SJ_COMPOSITE_EXCLUDE] = STIJL_BLEND_EXCLUSION};
  // A mask that leads back to itself is left out.
  if (layer->mask != SJ_NONE && sj_is_open(r, place, &place->tree->masks.data[layer->mask].of)) return;
  if (layer->composite == SJ_COMPOSITE_SUBTRACT) {
    push_blend(place, STIJL_BLEND_DIFFERENCE);
    fill_color(r, place, mask->region, white);
    stijl_scene_pop_layer(place->scene);
  }
  push_blend(place, blends[layer->composite]);
  fill_color(r, place, mask->region, black);
  draw_number(r, place, layer, box);
  stijl_scene_pop_layer(place->scene);
}

void sj_record_mask_layers(sj_recorder *r, const sj_record_place *place, const sj_tree_mask *mask, const sj_box *box) {
  const sj_tree_mask_layer *layers = place->tree->mask_layers.data;
  if (mask->composes) fill_color(r, place, mask->region, black);
  for (uint32_t i = mask->layers.end; i > mask->layers.first && sj_recording(r); i--) {
    if (mask->composes)
      compose(r, place, mask, &layers[i - 1], box);
    else
      draw_picture(r, place, &layers[i - 1]);
  }
}
