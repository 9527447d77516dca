// Records paints: colours, gradients, and patterns, whose tiles are scenes of their own.
#include <math.h>
#include <string.h>

#include "scene/scene.h"
#include "svg/record/record.h"

// A tile is recorded for the size in pixels that it has in the picture, to which its images are reduced; for no larger
// size than this.
#define MAX_TILE_SIDE 8192.0f
#define MAX_TILE_PIXELS ((float)(1 << 24))
// How many of the newest tiles are searched for one that can be used again.
#define TILE_MEMORY 64

void sj_finish_tiles(sj_recorder *r) {
  for (size_t i = 0; i < r->tiles.count; i++) stijl_scene_destroy(r->tiles.data[i].scene);
  sj_array_finish(r->context, &r->tiles);
}

// --- patterns ---

static stijl_scene *record_tile(sj_recorder *r, const sj_record_place *place, const sj_tree_server *pattern,
                                const sj_pattern_tile *tile) {
  if (pattern->kind == SJ_TREE_SERVER_MESH) return sj_record_mesh_tile(r, place->tree, pattern, tile);
  stijl_scene *scene;
  if (!sj_record_check(r, stijl_scene_create(r->context, NULL, &scene))) return NULL;
  sj_record_place content = sj_place_of_content(place, &tile->matrix);
  content.scene = scene;
  sj_record_nodes(r, &content, pattern->of.nodes);
  stijl_result result = stijl_scene_finish(scene);
  if (result != STIJL_OK) sj_record_fail(r, result, "%s", stijl_scene_message(scene));
  if (sj_recording(r)) return scene;
  stijl_scene_destroy(scene);
  return NULL;
}

// Returns the scene of a tile, an earlier one or a new one; NULL on failure.
static const stijl_scene *tile_scene(sj_recorder *r, const sj_record_place *place, const sj_tree_server *pattern,
                                     const sj_pattern_tile *wanted) {
  size_t count = r->tiles.count, end = count > TILE_MEMORY ? count - TILE_MEMORY : 0;
  for (size_t left = count; left > end; left--) {
    const sj_pattern_tile *tile = &r->tiles.data[left - 1];
    if (tile->server == wanted->server && tile->width == wanted->width && tile->height == wanted->height &&
        memcmp(&tile->matrix, &wanted->matrix, sizeof tile->matrix) == 0)
      return tile->scene;
  }
  sj_pattern_tile tile = *wanted;
  tile.scene = record_tile(r, place, pattern, &tile);
  if (!tile.scene) return NULL;
  if (!sj_array_push(r->context, &r->tiles, tile)) {
    stijl_scene_destroy(tile.scene);
    sj_record_fail_memory(r);
    return NULL;
  }
  return tile.scene;
}

// Returns how many pixels a side of a tile has, at least one. A size just above a whole number comes from rounding, and
// does not need another pixel.
static int whole_pixels(float size) {
  int pixels = (int)ceilf(size - 0.01f);
  return pixels < 1 ? 1 : pixels;
}

bool sj_tile_pixels(const stijl_matrix *seen, float width, float height, int *columns, int *rows) {
  float pixels_x = width * sqrtf(seen->a * seen->a + seen->b * seen->b);
  float pixels_y = height * sqrtf(seen->c * seen->c + seen->d * seen->d);
  if (!(pixels_x > 0.0f) || !(pixels_y > 0.0f) || !isfinite(pixels_x) || !isfinite(pixels_y)) return false;
  if (pixels_x > MAX_TILE_SIDE) pixels_x = MAX_TILE_SIDE;
  if (pixels_y > MAX_TILE_SIDE) pixels_y = MAX_TILE_SIDE;
  if (pixels_x * pixels_y > MAX_TILE_PIXELS) {
    float shrink = sqrtf(MAX_TILE_PIXELS / (pixels_x * pixels_y));
    pixels_x *= shrink;
    pixels_y *= shrink;
  }
  *columns = whole_pixels(pixels_x);
  *rows = whole_pixels(pixels_y);
  return true;
}

// Makes a paint of a tile, with the opacity and transform that *out has.
static void paint_tile(const stijl_scene *scene, const sj_pattern_tile *tile, stijl_paint *out) {
  float opacity = out->opacity;
  stijl_matrix transform = out->transform;
  *out = stijl_paint_scene(scene, (stijl_rect){0.0f, 0.0f, (float)tile->width, (float)tile->height});
  out->opacity = opacity;
  out->transform = transform;
}

static bool record_pattern(sj_recorder *r, const sj_record_place *place, const sj_tree_server *pattern,
                           const sj_box *box, stijl_paint *out) {
  stijl_matrix fit;
  stijl_rect rect = sj_tree_tile(pattern, box, &fit);
  float width = rect.x1 - rect.x0, height = rect.y1 - rect.y0;
  stijl_matrix seen = stijl_matrix_multiply(place->matrix, pattern->transform);
  sj_pattern_tile tile = {.server = pattern};
  if (!sj_tile_pixels(&seen, width, height, &tile.width, &tile.height)) return false;
  float to_x = (float)tile.width / width, to_y = (float)tile.height / height;
  tile.matrix = stijl_matrix_multiply(stijl_matrix_scale(to_x, to_y), fit);
  out->transform = stijl_matrix_multiply(
      pattern->transform,
      stijl_matrix_multiply(stijl_matrix_translate(rect.x0, rect.y0), stijl_matrix_scale(1.0f / to_x, 1.0f / to_y)));
  if (!stijl_matrix_is_finite(tile.matrix) || !stijl_matrix_is_finite(out->transform)) return false;
  // A pattern that leads back to itself paints nothing there.
  if (!sj_record_count(r, place, place->level + 1) || !sj_open_definition(r, place, &pattern->of)) return false;
  const stijl_scene *scene = tile_scene(r, place, pattern, &tile);
  sj_close_definition(r, place, &pattern->of);
  if (!scene) return false;
  paint_tile(scene, &tile, out);
  return true;
}

static bool record_mesh(sj_recorder *r, const sj_record_place *place, const sj_tree_server *mesh, const sj_box *box,
                        stijl_paint *out) {
  stijl_rect rect;
  stijl_matrix matrix = mesh->transform, back;
  if (mesh->box_units) matrix = stijl_matrix_multiply(sj_box_matrix(box->rect), matrix);
  stijl_matrix seen = stijl_matrix_multiply(place->matrix, matrix);
  sj_pattern_tile tile = {.server = mesh};
  if (!sj_mesh_rect(place->tree, mesh, &rect) || !sj_mesh_pixels(&seen, &rect, &tile) ||
      !stijl_matrix_invert(tile.matrix, &back))
    return false;
  out->transform = stijl_matrix_multiply(matrix, back);
  const stijl_scene *scene = stijl_matrix_is_finite(out->transform) ? tile_scene(r, place, mesh, &tile) : NULL;
  if (!scene) return false;
  paint_tile(scene, &tile, out);
  out->spread_x = out->spread_y = STIJL_SPREAD_NONE;
  return true;
}

// --- servers ---

static bool record_server(sj_recorder *r, const sj_record_place *place, const sj_tree_server *server, const sj_box *box,
                          stijl_paint *out) {
  switch (server->kind) {
    case SJ_TREE_SERVER_COLOR: out->color = server->color; return server->color.a > 0.0f;
    case SJ_TREE_SERVER_PATTERN: return record_pattern(r, place, server, box, out);
    case SJ_TREE_SERVER_MESH: return record_mesh(r, place, server, box, out);
    case SJ_TREE_SERVER_LINEAR: out->kind = STIJL_PAINT_LINEAR; break;
    case SJ_TREE_SERVER_RADIAL: out->kind = STIJL_PAINT_RADIAL; break;
    case SJ_TREE_SERVER_SWEEP: out->kind = STIJL_PAINT_SWEEP; break;
  }
  out->p0 = server->p0;
  out->p1 = server->p1;
  out->r0 = server->r0;
  out->r1 = server->r1;
  out->start_angle = server->start_angle;
  out->end_angle = server->end_angle;
  out->lead_angle = (double)server->lead_angle;
  out->spread_x = server->spread;
  out->stops = sj_array_at(&place->tree->stops, server->stops.first);
  out->stop_count = server->stops.end - server->stops.first;
  out->transform = server->transform;
  if (out->kind == STIJL_PAINT_RADIAL) sj_paint_meet_focus(out);
  if (server->box_units) out->transform = stijl_matrix_multiply(sj_box_matrix(box->rect), out->transform);
  return stijl_matrix_is_finite(out->transform);
}

// Moves the paint from the context element's user space to that of the painted element.
static bool move_paint(const sj_record_place *from, const sj_record_place *to, stijl_matrix *transform) {
  stijl_matrix inverse;
  if (!stijl_matrix_invert(to->matrix, &inverse)) return false;
  *transform = stijl_matrix_multiply(stijl_matrix_multiply(inverse, from->matrix), *transform);
  return stijl_matrix_is_finite(*transform);
}

bool sj_record_paint(sj_recorder *r, const sj_record_place *place, const sj_tree_paint *value, const sj_box *box,
                     float opacity, stijl_paint *out) {
  if (value->kind == SJ_TREE_PAINT_NONE || !(opacity > 0.0f)) return false;
  *out = (stijl_paint)STIJL_PAINT_INIT;
  out->opacity = opacity;
  // A context paint is that of the context element, in its own space.
  const sj_record_place *owner = place;
  while (value->kind == SJ_TREE_PAINT_CONTEXT_FILL || value->kind == SJ_TREE_PAINT_CONTEXT_STROKE) {
    const sj_context_element *context = owner->context;
    if (!context) return false;
    owner = &context->place;
    box = &context->box;
    value = value->kind == SJ_TREE_PAINT_CONTEXT_FILL ? context->fill : context->stroke;
  }
  if (value->kind == SJ_TREE_PAINT_COLOR) {
    out->color = value->color;
    return true;
  }
  return value->kind == SJ_TREE_PAINT_SERVER &&
         record_server(r, owner, &owner->tree->servers.data[value->server], box, out) &&
         (owner == place || move_paint(owner, place, &out->transform));
}
