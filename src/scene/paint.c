// Records paints: quantises colours, and finds the ramps of gradients.
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/floats.h"
#include "image/image.h"
#include "scene/scene.h"

static bool finite_color(stijl_color c) {
  return c.r - c.r == 0.0f && c.g - c.g == 0.0f && c.b - c.b == 0.0f && c.a - c.a == 0.0f;
}

void sj_paint_meet_focus(stijl_paint *p) {
  double dx = (double)p->p0.x - (double)p->p1.x, dy = (double)p->p0.y - (double)p->p1.y;
  double distance = sqrt(dx * dx + dy * dy), inner = (double)p->r1 - (double)p->r0;
  // The tolerance is that of Skia.
  if (inner > 0.0 && distance > inner && distance - inner <= distance / 4096.0)
    p->r1 = (float)((double)p->r0 + distance);
}

// How many ramps, the newest first, are searched for one that can be shared.
#define RAMP_MEMORY 16
#define WORK_STOP 4  // for a stop that is looked at, and whose piece is compared with those of these ramps

// Finds the ramp of these pieces, or adds it. Returns false when memory is short.
static bool find_ramp(stijl_scene *scene, const k_ramp_piece *pieces, size_t count, uint32_t *out) {
  size_t ramps = scene->ramps.count, bytes = count * sizeof *pieces;
  for (size_t i = 0; i < ramps && i < RAMP_MEMORY; i++) {
    *out = (uint32_t)(ramps - 1 - i);
    const sj_ramp *ramp = &scene->ramps.data[*out];
    if (ramp->count == count && !memcmp(scene->ramp_pieces.data + ramp->first, pieces, bytes)) return true;
  }
  sj_ramp made = {(uint32_t)scene->ramp_pieces.count, (uint32_t)count, sj_ramp_alpha(pieces, count)};
  *out = (uint32_t)ramps;
  if (!sj_array_reserve(scene->context, &scene->ramp_pieces, count) ||
      !sj_array_push(scene->context, &scene->ramps, made))
    return false;
  memcpy(scene->ramp_pieces.data + made.first, pieces, bytes);
  scene->ramp_pieces.count += count;
  return true;
}

static bool add_ramp(stijl_scene *scene, const stijl_paint *paint, float opacity, sj_paint *made) {
  if (!sj_context_check(scene->context, paint->stop_count * WORK_STOP)) {
    sj_scene_fail(scene, STIJL_ERROR_LIMIT, "%s", stijl_result_string(STIJL_ERROR_LIMIT));
    return false;
  }
  for (size_t i = 0; i < paint->stop_count; i++)
    if (!finite_color(paint->stops[i].color) || paint->stops[i].offset != paint->stops[i].offset) {
      sj_scene_fail(scene, STIJL_ERROR_INVALID_ARGUMENT, "gradient stop %zu is not a number", i);
      return false;
    }
  k_ramp_piece pieces[K_RAMP_SIZE];
  size_t count = sj_ramp_make(paint->stops, paint->stop_count, opacity, pieces);
  if (!find_ramp(scene, pieces, count, &made->source)) {
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
    return false;
  }
  made->color = scene->ramps.data[made->source].color;
  made->opaque = made->color == 256;
  return true;
}

bool sj_image_paint_is_opaque(const sj_paint *paint, stijl_image *image) {
  return paint->color == 255 && paint->spread_x != STIJL_SPREAD_NONE && paint->spread_y != STIJL_SPREAD_NONE &&
         sj_image_is_opaque(image);
}

static bool add_image(stijl_scene *scene, const stijl_paint *paint, sj_paint *made) {
  if (!paint->image) {
    sj_scene_fail(scene, STIJL_ERROR_INVALID_ARGUMENT, "image paint without an image");
    return false;
  }
  if (!sj_array_push(scene->context, &scene->images, sj_image_retain((stijl_image *)(uintptr_t)paint->image))) {
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
    return false;
  }
  made->source = (uint32_t)scene->images.count - 1;
  made->opaque = sj_image_paint_is_opaque(made, scene->images.data[made->source]);
  return true;
}

// The numbers of a paint from its opacity to its end angle.
#define PAINT_FLOATS ((offsetof(stijl_paint, end_angle) - offsetof(stijl_paint, opacity)) / sizeof(float) + 1)
_Static_assert(PAINT_FLOATS == 13, "a paint's numbers follow one another");

// Returns whether there is no doubt that all numbers of a paint are finite, as of nearly every one there is not.
static bool is_tame(const stijl_paint *p) {
  return sj_floats_are_tame(&p->opacity, PAINT_FLOATS) && sj_floats_are_tame(&p->transform, 6) &&
         p->lead_angle < 1e30 && p->lead_angle > -1e30;
}

static bool finite_paint(const stijl_paint *p) {
  float sum = p->p0.x + p->p0.y + p->p1.x + p->p1.y + p->r0 + p->r1 + p->start_angle + p->end_angle + p->opacity +
              (float)p->lead_angle;
  return sum - sum == 0.0f && stijl_matrix_is_finite(p->transform) && finite_color(p->color);
}

bool sj_scene_check_paint(stijl_scene *scene, const stijl_paint *paint) {
  if (!paint) {
    sj_scene_refuse(scene);
    return false;
  }
  if ((!is_tame(paint) && !finite_paint(paint)) || (unsigned)paint->kind > STIJL_PAINT_SCENE ||
      (unsigned)paint->spread_x > STIJL_SPREAD_NONE || (unsigned)paint->spread_y > STIJL_SPREAD_NONE ||
      (unsigned)paint->sampling > STIJL_SAMPLING_BICUBIC || (paint->stop_count && !paint->stops) || paint->r0 < 0.0f ||
      paint->r1 < 0.0f) {
    sj_scene_fail(scene, STIJL_ERROR_INVALID_ARGUMENT, "paint has a value that is not finite or out of range");
    return false;
  }
  return true;
}

bool sj_scene_add_paint(stijl_scene *scene, const stijl_paint *paint, sj_draw *draw) {
  paint = SJ_GIVEN(stijl_paint, STIJL_PAINT_INIT, paint, &scene->message);
  if (!sj_scene_check_paint(scene, paint)) return false;
  bool lines = draw->op <= K_DRAW_STROKE || draw->op == SJ_DRAW_GLYPHS;
  if (paint->aliased && lines) draw->flags |= K_DRAW_ALIASED;
  float opacity = sj_clamp_unit(paint->opacity);
  if (paint->kind == STIJL_PAINT_SOLID) {
    draw->flags |= K_DRAW_SOLID;
    draw->paint = sj_premultiplied(paint->color, opacity);
    return draw->paint >> 24 != 0;
  }
  sj_paint made = {.kind = paint->kind,
                   .spread_x = paint->spread_x,
                   .spread_y = paint->spread_y,
                   .sampling = paint->sampling,
                   .p0 = paint->p0,
                   .p1 = paint->p1,
                   .r0 = paint->r0,
                   .r1 = paint->r1,
                   .start_angle = paint->start_angle,
                   .end_angle = paint->end_angle,
                   .lead_angle = (float)paint->lead_angle,
                   .transform = paint->transform};
  if (paint->kind == STIJL_PAINT_IMAGE) {
    made.color = (uint32_t)sj_unit_byte(opacity);
    if (made.color == 0 || !add_image(scene, paint, &made)) return false;
  } else if (paint->kind == STIJL_PAINT_SCENE) {
    made.color = (uint32_t)sj_unit_byte(opacity);
    if (!sj_scene_embed(scene, paint->scene, &made.source)) return false;
    bool empty = !(paint->p1.x > paint->p0.x) || !(paint->p1.y > paint->p0.y);
    if (made.color == 0 || empty || !scene->subscenes.data[made.source].count) return false;
  } else {
    if (paint->stop_count == 0) return false;
    if (made.spread_x == STIJL_SPREAD_NONE) made.spread_x = STIJL_SPREAD_PAD;
    if (!add_ramp(scene, paint, opacity, &made)) return false;
  }
  if (!sj_array_push(scene->context, &scene->paints, made)) {
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
    return false;
  }
  draw->paint = (uint32_t)scene->paints.count - 1;
  return true;
}
