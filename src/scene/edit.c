// Changes what a finished scene has recorded.
#include <string.h>

#include "base/floats.h"
#include "image/image.h"
#include "kernel/composite.h"
#include "scene/scene.h"

// So many ramps at least are given up together.
#define LEAST_RAMPS 256

// Returns the draw to change, or NULL where there is none; then *result and the message say why.
static sj_draw *find(stijl_scene *scene, uint32_t number, stijl_message *message, stijl_result *result) {
  *result = STIJL_ERROR_INVALID_ARGUMENT;
  if (!scene) {
    sj_fail(message, *result, "no scene to change");
  } else if (!scene->finished || scene->status != STIJL_OK) {
    *result = sj_fail(message, STIJL_ERROR_INVALID_STATE, "only a finished scene without failure can be changed");
  } else if (number >= scene->draws.count) {
    sj_fail(message, *result, "the scene has %zu draws, and none has number %u", scene->draws.count, number);
  } else {
    sj_draw *draw = &scene->draws.data[number];
    if (draw->op != K_DRAW_POP && draw->blend < K_BLEND_MASK_ALPHA) return draw;
    sj_fail(message, *result, "draw %u is the end of a layer, or a mask, which cannot be changed", number);
  }
  return NULL;
}

// Returns the end of a layer, which has all that its begin has.
static sj_draw *end_of(sj_draw *push) { return push + (sj_layer_end(push) - push); }

// Notes that a draw has changed. Changes that are too many to be looked at one by one are forgotten. Without memory for
// the note all counts as new.
static void note(stijl_scene *scene, uint32_t number) {
  size_t most = scene->draws.count > 1024 ? scene->draws.count : 1024;
  scene->serial = sj_scene_next_serial();
  if (scene->changes.count >= most) {
    scene->changes_before += scene->changes.count;
    scene->changes.count = 0;
  }
  if (!sj_array_push(scene->context, &scene->changes, number)) scene->arrays = scene->serial;
}

stijl_result stijl_scene_set_transform(stijl_scene *scene, uint32_t number, const stijl_matrix *transform,
                                       stijl_message *message) {
  stijl_result result;
  sj_draw *draw = find(scene, number, message, &result);
  if (!draw) return result;
  stijl_matrix m = transform ? *transform : stijl_matrix_identity();
  if (!stijl_matrix_is_finite(m)) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "transform is not finite");
  draw->transform = m;
  if (draw->op == K_DRAW_PUSH) end_of(draw)->transform = m;
  note(scene, number);
  return STIJL_OK;
}

stijl_result stijl_scene_set_hidden(stijl_scene *scene, uint32_t number, bool hidden, stijl_message *message) {
  stijl_result result;
  sj_draw *draw = find(scene, number, message, &result);
  if (!draw) return result;
  if (hidden == ((draw->flags & K_DRAW_HIDDEN) != 0)) return STIJL_OK;
  draw->flags ^= K_DRAW_HIDDEN;
  note(scene, number);
  return STIJL_OK;
}

static bool has_image(const stijl_scene *scene, const sj_draw *draw) {
  return !(draw->flags & K_DRAW_SOLID) && draw->op <= K_DRAW_ALL &&
         scene->paints.data[draw->paint].kind == STIJL_PAINT_IMAGE;
}

stijl_result stijl_scene_set_opacity(stijl_scene *scene, uint32_t number, float opacity, stijl_message *message) {
  stijl_result result;
  sj_draw *draw = find(scene, number, message, &result);
  if (!draw) return result;
  if (opacity != opacity) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "opacity is not a number");
  uint32_t byte = (uint32_t)sj_unit_byte(sj_clamp_unit(opacity));
  if (draw->op == K_DRAW_PUSH) {
    draw->opacity = end_of(draw)->opacity = byte;
  } else if (has_image(scene, draw)) {
    sj_paint *paint = &scene->paints.data[draw->paint];
    paint->color = byte;
    paint->opaque = sj_image_paint_is_opaque(paint, scene->images.data[paint->source]);
  } else {
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT,
                   "draw %u is neither a layer nor an image: its paint has its opacity", number);
  }
  note(scene, number);
  return STIJL_OK;
}

// --- Paints ---

static bool has_ramp(const sj_paint *paint) {
  return paint->kind != STIJL_PAINT_IMAGE && paint->kind != STIJL_PAINT_SCENE;
}

// Gives up the ramps that no paint has, once as many were added as are kept. Where memory is short they stay.
static void drop_ramps(stijl_scene *scene) {
  size_t count = scene->ramps.count, ramps = 0, pieces = 0;
  if (scene->ramps_added < LEAST_RAMPS || scene->ramps_added < count / 2) return;
  uint32_t *numbers = sj_alloc_array(scene->context, count, sizeof *numbers);
  if (!numbers) return;
  memset(numbers, 0, count * sizeof *numbers);
  for (size_t i = 0; i < scene->paints.count; i++)
    if (has_ramp(&scene->paints.data[i])) numbers[scene->paints.data[i].source] = 1;
  for (size_t i = 0; i < count; i++) {
    sj_ramp ramp = scene->ramps.data[i];
    if (!numbers[i]) continue;
    memmove(scene->ramp_pieces.data + pieces, scene->ramp_pieces.data + ramp.first,
            ramp.count * sizeof *scene->ramp_pieces.data);
    ramp.first = (uint32_t)pieces;
    pieces += ramp.count;
    numbers[i] = (uint32_t)ramps;
    scene->ramps.data[ramps++] = ramp;
  }
  for (size_t i = 0; i < scene->paints.count; i++)
    if (has_ramp(&scene->paints.data[i])) scene->paints.data[i].source = numbers[scene->paints.data[i].source];
  scene->ramps.count = ramps;
  scene->ramp_pieces.count = pieces;
  scene->ramps_added = 0;
  sj_free(scene->context, numbers);
}

// Records a paint for a draw like this one. Returns false where nothing is painted, or *result is a failure.
static bool record(stijl_scene *scene, const stijl_paint *paint, sj_draw *draw, stijl_result *result,
                   stijl_message *message) {
  size_t ramps = scene->ramps.count;
  bool paints = sj_scene_add_paint(scene, paint, draw);
  *result = scene->status;
  if (scene->status != STIJL_OK) sj_fail(message, scene->status, "%s", scene->message.text);
  scene->status = STIJL_OK;  // the scene is as it was
  scene->message.text[0] = 0;
  if (scene->ramps.count > ramps) {  // whether or not its paint found memory
    scene->ramps_added += scene->ramps.count - ramps;
    drop_ramps(scene);
    scene->arrays = sj_scene_next_serial();
  }
  return paints;
}

// Moves the paint that was recorded last to a place that no draw has any more.
static void place_paint(stijl_scene *scene, sj_draw *draw) {
  uint32_t place = scene->free_paints.data[--scene->free_paints.count];
  scene->paints.data[place] = scene->paints.data[draw->paint];
  scene->paints.count--;
  draw->paint = place;
}

stijl_result stijl_scene_set_paint(stijl_scene *scene, uint32_t number, const stijl_paint *paint,
                                   stijl_message *message) {
  stijl_result result;
  sj_draw *draw = find(scene, number, message, &result);
  if (!draw) return result;
  if (draw->op > K_DRAW_ALL && draw->op != SJ_DRAW_GLYPHS)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "draw %u has no paint", number);
  if (paint && (paint->kind == STIJL_PAINT_IMAGE || paint->kind == STIJL_PAINT_SCENE))
    return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "a draw cannot get the paint of an image or a scene later");
  if (!sj_array_reserve(scene->context, &scene->free_paints, 1)) return sj_fail_memory(message);
  sj_draw made = {.op = draw->op};
  bool paints = record(scene, paint, &made, &result, message), solid = draw->flags & K_DRAW_SOLID;
  if (result != STIJL_OK) return result;
  if (!paints) made = (sj_draw){.flags = K_DRAW_SOLID};
  if (!solid) scene->free_paints.data[scene->free_paints.count++] = draw->paint;
  if (!(made.flags & K_DRAW_SOLID) && scene->free_paints.count) place_paint(scene, &made);
  draw->flags = (draw->flags & ~K_DRAW_SOLID) | (made.flags & K_DRAW_SOLID);
  draw->paint = made.paint;
  note(scene, number);
  return STIJL_OK;
}
