// Records paints: quantises colours, and turns the stops of gradients into ramps.
#include <string.h>

#include "base/budget.h"
#include "image/image.h"
#include "kernel/composite.h"
#include "scene/scene.h"

static float unit(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

static uint32_t byte(float x) { return (uint32_t)(unit(x) * 255.0f + 0.5f); }

static uint32_t premultiplied(float r, float g, float b, float a) {
  uint32_t alpha = byte(a);
  return k_div255(byte(r) * alpha) | k_div255(byte(g) * alpha) << 8 | k_div255(byte(b) * alpha) << 16 | alpha << 24;
}

uint32_t sj_premultiplied(stijl_color c, float opacity) { return premultiplied(c.r, c.g, c.b, unit(c.a) * opacity); }

static float mix(float a, float b, float t) { return a + (b - a) * t; }

// The offset of a stop as the gradient uses it: within 0..1, and not below that of the stop before.
static float stop_offset(const stijl_stop *stops, size_t i, float before) {
  float offset = unit(stops[i].offset);
  return offset > before ? offset : before;
}

static float ramp_t(int i) { return (float)i / (float)(K_RAMP_SIZE - 1); }

// The first entry at or after an offset, K_RAMP_SIZE where there is none.
static int entry_from(float offset) {
  int i = (int)(offset * (float)(K_RAMP_SIZE - 1));
  while (i > 0 && ramp_t(i - 1) >= offset) i--;
  while (i < K_RAMP_SIZE && ramp_t(i) < offset) i++;
  return i;
}

// A mix of 0..1 as a whole number of 0..255. Rounding may take the mix just outside of 0..1, but not the result.
static float rounded(float a, float b, float f) { return (float)(int32_t)(mix(a, b, f) * 255.0f + 0.5f); }

// Entries from..end - 1, between two stops whose offsets are lo and hi. The loop becomes vectors, also of sets that
// cannot multiply integers: so the products are floats, which hold them exactly.
static void mix_entries(uint32_t *ramp, int from, int end, stijl_color a, stijl_color b, float lo, float hi,
                        float opacity) {
  a = (stijl_color){unit(a.r), unit(a.g), unit(a.b), unit(a.a)};
  b = (stijl_color){unit(b.r), unit(b.g), unit(b.b), unit(b.a)};
  for (int i = from; i < end; i++) {
    float f = (ramp_t(i) - lo) / (hi - lo);
    int32_t alpha = (int32_t)(mix(a.a, b.a, f) * opacity * 255.0f + 0.5f);
    float times = (float)alpha;
    int32_t red = (int32_t)(rounded(a.r, b.r, f) * times);
    int32_t green = (int32_t)(rounded(a.g, b.g, f) * times);
    int32_t blue = (int32_t)(rounded(a.b, b.b, f) * times);
    uint32_t pair = k_div255_pair((uint32_t)red | (uint32_t)blue << 16);
    ramp[i] = pair | k_div255((uint32_t)green) << 8 | (uint32_t)alpha << 24;
  }
}

static void repeat_entry(uint32_t *ramp, int from, int end, uint32_t color) {
  for (int i = from; i < end; i++) ramp[i] = color;
}

static void make_ramp(uint32_t *ramp, const stijl_stop *stops, size_t count, float opacity) {
  float lo = stop_offset(stops, 0, 0.0f);
  int from = entry_from(lo);
  repeat_entry(ramp, 0, from, sj_premultiplied(stops[0].color, opacity));
  for (size_t next = 1; next < count; next++) {
    float hi = stop_offset(stops, next, lo);
    int end = entry_from(hi);
    mix_entries(ramp, from, end, stops[next - 1].color, stops[next].color, lo, hi, opacity);
    from = end;
    lo = hi;
  }
  repeat_entry(ramp, from, K_RAMP_SIZE, sj_premultiplied(stops[count - 1].color, opacity));
}

static bool finite_color(stijl_color c) { return c.r - c.r == 0.0f && c.g - c.g == 0.0f && c.b - c.b == 0.0f && c.a - c.a == 0.0f; }

// How many ramps, the newest first, are searched for one that can be shared.
#define RAMP_MEMORY 16
#define WORK_STOP 4  // for a stop that is looked at, and compared with those of these ramps

static const sj_ramp_source *find_ramp(const stijl_scene *scene, const stijl_paint *paint, float opacity) {
  size_t count = scene->ramp_sources.count;
  for (size_t i = 0; i < count && i < RAMP_MEMORY; i++) {
    const sj_ramp_source *source = &scene->ramp_sources.data[count - 1 - i];
    if (source->stop_count == paint->stop_count && source->opacity == opacity &&
        !memcmp(scene->ramp_stops.data + source->first_stop, paint->stops, paint->stop_count * sizeof *paint->stops))
      return source;
  }
  return NULL;
}

// NULL when memory is short.
static const sj_ramp_source *make_source(stijl_scene *scene, const stijl_paint *paint, float opacity) {
  stijl_context *context = scene->context;
  size_t stops = paint->stop_count;
  if (!sj_array_reserve(context, &scene->ramps, K_RAMP_SIZE) || !sj_array_reserve(context, &scene->ramp_stops, stops) ||
      !sj_array_reserve(context, &scene->ramp_sources, 1))
    return NULL;
  uint32_t *ramp = scene->ramps.data + scene->ramps.count;
  make_ramp(ramp, paint->stops, stops, opacity);
  uint32_t differ = 0;
  for (int i = 1; i < K_RAMP_SIZE; i++) differ |= ramp[i] ^ ramp[0];
  bool shared = differ >> 24 == 0;
  sj_ramp_source *source = &scene->ramp_sources.data[scene->ramp_sources.count++];
  *source = (sj_ramp_source){.first_stop = scene->ramp_stops.count,
                             .stop_count = stops,
                             .opacity = opacity,
                             .ramp = (uint32_t)(scene->ramps.count / K_RAMP_SIZE),
                             .color = shared ? 1 + (ramp[0] >> 24) : 0};
  memcpy(scene->ramp_stops.data + scene->ramp_stops.count, paint->stops, stops * sizeof *paint->stops);
  scene->ramp_stops.count += stops;
  scene->ramps.count += K_RAMP_SIZE;
  return source;
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
  const sj_ramp_source *source = find_ramp(scene, paint, opacity);
  if (!source) source = make_source(scene, paint, opacity);
  if (!source) {
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
    return false;
  }
  made->color = source->color;
  made->opaque = source->color == 256;
  made->source = source->ramp;
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
  if (!finite_paint(paint) || (unsigned)paint->kind > STIJL_PAINT_SCENE ||
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
  float opacity = unit(paint->opacity);
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
    made.color = byte(opacity);
    if (made.color == 0 || !add_image(scene, paint, &made)) return false;
  } else if (paint->kind == STIJL_PAINT_SCENE) {
    made.color = byte(opacity);
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
