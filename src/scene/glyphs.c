// Glyph runs: outlines that are in a scene once, and are drawn at many places.
#include <string.h>

#include "geometry/path.h"
#include "scene/scene.h"

uint32_t stijl_scene_add_outline(stijl_scene *scene, const stijl_path *outline) {
  if (!sj_scene_recording(scene)) return 0;
  stijl_result status = outline ? stijl_path_status(outline) : STIJL_ERROR_INVALID_ARGUMENT;
  if (status != STIJL_OK) {
    sj_scene_fail(scene, status, "the outline to add is %s", outline ? "in error" : "NULL");
    return 0;
  }
  sj_path_range made;
  if (scene->outlines.count >= UINT32_MAX / 2) {
    sj_scene_fail(scene, STIJL_ERROR_LIMIT, "more than 2^31 outlines");
    return 0;
  }
  if (!sj_scene_add_shape(scene, outline, 0, &(stijl_matrix)STIJL_MATRIX_IDENTITY, &made)) return 0;
  if (!sj_array_push(scene->context, &scene->outlines, made)) {
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
    return 0;
  }
  return (uint32_t)scene->outlines.count - 1;
}

bool sj_scene_find_outline(const stijl_scene *scene, sj_glyph_name name, uint32_t *out) {
  return sj_pairs_find(&scene->names, name.font, name.glyph, out);
}

uint32_t sj_scene_add_glyph(stijl_scene *scene, sj_glyph_name name, sj_glyph_size size, const stijl_path *outline) {
  uint32_t number = stijl_scene_add_outline(scene, outline);
  sj_outline_glyph glyph = {name, size};
  if (scene->status == STIJL_OK && (!sj_pairs_add(scene->context, &scene->names, name.font, name.glyph, number) ||
                                    !sj_scene_name_outline(scene, number, &glyph)))
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
  return scene->status == STIJL_OK ? number : 0;
}

// --- What exported files say of glyphs ---

bool sj_scene_name_outline(stijl_scene *scene, uint32_t outline, const sj_outline_glyph *glyph) {
  size_t before = scene->outline_glyphs.count;
  if (!sj_array_reserve(scene->context, &scene->outline_glyphs, outline + 1 - before)) return false;
  memset(scene->outline_glyphs.data + before, 0, (outline + 1 - before) * sizeof *scene->outline_glyphs.data);
  scene->outline_glyphs.data[outline] = *glyph;
  scene->outline_glyphs.count = outline + 1;
  return true;
}

bool sj_scene_note_text(stijl_scene *scene, uint32_t first, const sj_glyph_text *texts, uint32_t count,
                        const char *utf8) {
  size_t before = scene->texts.count, bytes = 0;
  for (uint32_t i = 0; i < count; i++) bytes += texts[i].count;
  if (!sj_array_reserve(scene->context, &scene->texts, first + count - before) ||
      !sj_array_reserve(scene->context, &scene->utf8, bytes))
    return false;
  memset(scene->texts.data + before, 0, (first - before) * sizeof *scene->texts.data);
  for (uint32_t i = 0; i < count; i++) {
    scene->texts.data[first + i] = (sj_glyph_text){(uint32_t)scene->utf8.count, texts[i].count};
    if (texts[i].count) memcpy(scene->utf8.data + scene->utf8.count, utf8 + texts[i].first, texts[i].count);
    scene->utf8.count += texts[i].count;
  }
  scene->texts.count = first + count;
  return true;
}

void sj_scene_fill_text(stijl_scene *scene, const stijl_glyph_run *run, const sj_glyph_text *texts, const char *utf8,
                        const stijl_matrix *transform, const stijl_paint *paint) {
  size_t runs = scene->runs.count;
  uint32_t first = (uint32_t)scene->instances.count;
  stijl_scene_fill_glyphs(scene, run, transform, paint);
  if (scene->runs.count == runs || !utf8) return;
  if (!sj_scene_note_text(scene, first, texts, (uint32_t)run->instance_count, utf8))
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
}

// --- Runs ---

static void include(stijl_rect *box, stijl_rect other) {
  box->x0 = other.x0 < box->x0 ? other.x0 : box->x0;
  box->y0 = other.y0 < box->y0 ? other.y0 : box->y0;
  box->x1 = other.x1 > box->x1 ? other.x1 : box->x1;
  box->y1 = other.y1 > box->y1 ? other.y1 : box->y1;
}

bool sj_scene_measure_run(const stijl_scene *scene, sj_glyph_run *run, stijl_rect *box) {
  uint64_t segments = 0;
  uint32_t outline = UINT32_MAX, matrix = UINT32_MAX;  // whose box is known
  stijl_rect shape = {0};
  *box = (stijl_rect){1e30f, 1e30f, -1e30f, -1e30f};
  for (uint32_t i = 0; i < run->instance_count; i++) {
    const stijl_instance *at = &scene->instances.data[run->instance + i];
    if (at->outline >= scene->outlines.count || at->matrix >= run->matrix_count || !sj_path_coordinate_ok(at->x) ||
        !sj_path_coordinate_ok(at->y))
      return false;
    const sj_path_range *path = &scene->outlines.data[at->outline];
    segments += path->segment_count;
    if (!path->segment_count) continue;
    if (at->outline != outline || at->matrix != matrix) {
      outline = at->outline;
      matrix = at->matrix;
      shape = stijl_matrix_apply_rect(scene->matrices.data[run->matrix + matrix], path->box);
    }
    include(box, (stijl_rect){shape.x0 + at->x, shape.y0 + at->y, shape.x1 + at->x, shape.y1 + at->y});
  }
  run->segments = (uint32_t)(segments < UINT32_MAX ? segments : UINT32_MAX);
  return true;
}

static bool add_matrices(stijl_scene *scene, const stijl_glyph_run *from, sj_glyph_run *run) {
  static const stijl_matrix identity = STIJL_MATRIX_IDENTITY;
  const stijl_matrix *matrices = from->matrices ? from->matrices : &identity;
  run->matrix_count = from->matrices ? (uint32_t)from->matrix_count : 1;
  for (uint32_t i = 0; i < run->matrix_count; i++) {
    if (!stijl_matrix_is_finite(matrices[i])) {
      sj_scene_fail(scene, STIJL_ERROR_INVALID_ARGUMENT, "matrix %u of the glyph run is not finite", i);
      return false;
    }
  }
  // Runs mostly have the matrices of the run before.
  const sj_glyph_run *last = scene->runs.count ? &scene->runs.data[scene->runs.count - 1] : NULL;
  size_t bytes = run->matrix_count * sizeof *matrices;
  if (last && last->matrix_count == run->matrix_count &&
      (!bytes || memcmp(scene->matrices.data + last->matrix, matrices, bytes) == 0)) {
    run->matrix = last->matrix;
    return true;
  }
  run->matrix = (uint32_t)scene->matrices.count;
  if (!sj_array_reserve(scene->context, &scene->matrices, run->matrix_count)) {
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
    return false;
  }
  if (bytes) memcpy(scene->matrices.data + scene->matrices.count, matrices, bytes);
  scene->matrices.count += run->matrix_count;
  return true;
}

// Adds the run and its box; what is added stays where the scene fails.
static bool add_run(stijl_scene *scene, const stijl_glyph_run *from, sj_draw *draw) {
  if (from->instance_count > UINT32_MAX / 2 - scene->instances.count ||
      from->matrix_count > UINT32_MAX / 2 - scene->matrices.count) {
    sj_scene_fail(scene, STIJL_ERROR_LIMIT, "more than 2^31 instances of outlines");
    return false;
  }
  sj_glyph_run run = {.instance = (uint32_t)scene->instances.count, .instance_count = (uint32_t)from->instance_count};
  if (!add_matrices(scene, from, &run)) return false;
  if (!sj_array_reserve(scene->context, &scene->instances, run.instance_count) ||
      !sj_array_reserve(scene->context, &scene->runs, 1)) {
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
    return false;
  }
  memcpy(scene->instances.data + run.instance, from->instances, run.instance_count * sizeof *from->instances);
  if (!sj_scene_measure_run(scene, &run, &draw->path.box)) {
    sj_scene_fail(scene, STIJL_ERROR_INVALID_ARGUMENT, "the glyph run has a number out of range");
    return false;
  }
  if (run.segments > scene->limits.max_segments) {
    sj_scene_fail(scene, STIJL_ERROR_LIMIT, "a glyph run of more than %llu path segments (max_segments)",
                  (unsigned long long)scene->limits.max_segments);
    return false;
  }
  if (!run.segments) return true;
  scene->instances.count += run.instance_count;
  draw->run = (uint32_t)scene->runs.count;
  scene->runs.data[scene->runs.count++] = run;
  return sj_scene_add_draw(scene, draw);
}

void stijl_scene_fill_glyphs(stijl_scene *scene, const stijl_glyph_run *run, const stijl_matrix *transform,
                             const stijl_paint *paint) {
  if (!sj_scene_recording(scene)) return;
  run = SJ_GIVEN(stijl_glyph_run, STIJL_GLYPH_RUN_INIT, run, &scene->message);
  if (!run) {
    sj_scene_refuse(scene);
    return;
  }
  sj_draw draw = {.op = SJ_DRAW_GLYPHS, .transform = transform ? *transform : stijl_matrix_identity()};
  if (!stijl_matrix_is_finite(draw.transform) || (run->instance_count && !run->instances)) {
    sj_scene_fail(scene, STIJL_ERROR_INVALID_ARGUMENT,
                  run->instances ? "transform is not finite" : "no instances are given");
    return;
  }
  if (!run->instance_count || !sj_scene_add_paint(scene, paint, &draw)) return;
  add_run(scene, run, &draw);
}
