#include "gpu/resident.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/trial.h"
#include "gpu/flight.h"
#include "gpu/turns.h"
#include "gpu/windings.h"
#include "scene/encode_paint.h"
#include "scene/encode_passes.h"
#include "scene/encoder.h"

static const uint32_t encode[] = {
#include "encode.spv.inc"
};
const sj_vk_shader sj_encode_shader = {"encode", encode, sizeof encode};

// With fewer draws the processor is as fast.
#define LEAST_DRAWS 4096
// Pens and paints are computed by the processor, some 60 ns each.
#define MOST_PENS 256
#define MOST_PAINTS 128
// A lane of encode.comp writes for each workgroup of flatten where its segments begin: at most 1,250 turns.
#define MOST_SEGMENTS 16384
// The processor encodes so many frames before a scene that did not fit is tried again.
#define REST 64
// There is room for the transforms of so many draws that change, one in so many of all.
#define LEAST_CHANGES 1024
#define CHANGING_SHARE 4
// A scene is looked at anew after so many changes for each of its draws.
#define CHANGES_A_DRAW 4
// Numbers that are sure to stay finite when matrices are multiplied.
#define MOST_NUMBER 1e9

stijl_result sj_resident_init(sj_gpu *gpu, stijl_message *message) {
  sj_resident *r = &gpu->resident;
  r->buffer = (sj_buffer){.name = "recorded draws", .kind = SJ_BUFFER_UPLOAD};
  r->hash_key = sj_hash_key_random();
  const char *least = getenv("STIJL_VULKAN_RESIDENT");  // for measurements
  r->least = (uint32_t)sj_trial_number("resident", least ? strtoul(least, NULL, 10) : LEAST_DRAWS);
  return sj_vk_bindings_create(&gpu->vk, &sj_encode_shader, &r->bindings, message);
}

void sj_resident_finish(sj_gpu *gpu) {
  sj_resident *r = &gpu->resident;
  if (r->pipeline) gpu->vk.DestroyPipeline(gpu->vk.device, r->pipeline, NULL);
  sj_vk_bindings_destroy(&gpu->vk, &r->bindings);
  sj_buffer_finish(&gpu->vk, &r->buffer);
}

// --- What a scene has ---

// Finds the slot of what a key tells; a new one is number `next`. Returns false when memory is short.
static bool find_slot(stijl_context *context, sj_resident *r, const sj_slot *wanted, uint32_t next, uint32_t *out) {
  const sj_slot *last = sj_array_at(&r->slots, r->last);  // that of the draw before, which most draws share
  bool known = r->slots.count && memcmp(last->key, wanted->key, sizeof last->key) == 0;
  if (!known) {
    uint64_t hash = sj_hash(r->hash_key, wanted->key, sizeof wanted->key);
    uint32_t at = (uint32_t)r->slots.count;
    bool found = sj_pairs_find(&r->numbers, hash, (uint32_t)(hash >> 32), &at);
    // Of two keys with the same hash, which nobody will see, the second is shared by no draws but those in a row.
    known = found && memcmp(r->slots.data[at].key, wanted->key, sizeof wanted->key) == 0;
    r->last = known ? at : (uint32_t)r->slots.count;
    if (!known) {
      sj_slot made = *wanted;
      made.number = next;
      if (!sj_array_push(context, &r->slots, made)) return false;
      if (!found && !sj_pairs_add(context, &r->numbers, hash, (uint32_t)(hash >> 32), r->last)) return false;
    }
  }
  *out = r->slots.data[r->last].number;
  return true;
}

static bool find_pen(sj_gpu *gpu, const stijl_scene *scene, const sj_draw *draw, uint32_t *out) {
  sj_resident *r = &gpu->resident;
  const sj_stroke *s = &scene->strokes.data[draw->stroke];
  stijl_matrix m = draw->transform;
  // Where the draw's transform applies to the pen, what moves it does not.
  if (!s->own_pen) m.e = m.f = 0.0f;
  sj_slot wanted = {
      .key = {[12] = s->half_width, s->miter_limit, (float)s->cap, (float)s->join, s->own_pen ? 2.0f : 1.0f}};
  memcpy(wanted.key, &m, sizeof m);
  memcpy(wanted.key + 6, &s->pen, sizeof s->pen);
  if (!find_slot(gpu->context, r, &wanted, (uint32_t)r->pens.count, out)) return false;
  if (*out == r->pens.count && !sj_array_push(gpu->context, &r->pens, (sj_pen_slot){m, draw->stroke, 0})) return false;
  sj_pen_slot *slot = &r->pens.data[*out];
  if (draw->path.lines != draw->path.segment_count) slot->curved = k_max(slot->curved, draw->path.segment_count);
  return true;
}

static bool find_paint(sj_gpu *gpu, const sj_draw *draw, uint32_t *out) {
  sj_resident *r = &gpu->resident;
  sj_slot wanted = {.number = 0};  // that of no pen, whose last word is not zero
  memcpy(wanted.key, &draw->transform, sizeof draw->transform);
  memcpy(wanted.key + 6, &draw->paint, sizeof draw->paint);
  if (!find_slot(gpu->context, r, &wanted, (uint32_t)r->paints.count, out)) return false;
  return *out < r->paints.count ||
         sj_array_push(gpu->context, &r->paints, (sj_paint_slot){draw->transform, draw->paint});
}

static double largest(double a, double b) { return fmax(fabs(a), fabs(b)); }

// Adds where a draw is, and how large.
static void add_box(sj_resident_sums *s, const sj_draw *draw) {
  stijl_matrix m = draw->transform;
  stijl_rect b = draw->path.box;
  double x = largest((double)b.x0, (double)b.x1), y = largest((double)b.y0, (double)b.y1);
  double w = (double)b.x1 - (double)b.x0, h = (double)b.y1 - (double)b.y0;
  double ma = fabs((double)m.a), mb = fabs((double)m.b), mc = fabs((double)m.c), md = fabs((double)m.d);
  double across = ma * w + mc * h, down = mb * w + md * h;
  s->reach_x = fmax(s->reach_x, ma * x + mc * y + fabs((double)m.e));
  s->reach_y = fmax(s->reach_y, mb * x + md * y + fabs((double)m.f));
  s->numbers = fmax(s->numbers, fmax(x, y));
  s->w += across;
  s->h += down;
  s->ww += across * across;
  s->wh += across * down;
  s->hh += down * down;
}

static void add_path(sj_resident_sums *s, const sj_draw *draw) {
  bool stroke = draw->op == K_DRAW_STROKE, curved = draw->path.lines != draw->path.segment_count;
  uint32_t segments = draw->path.segment_count;
  s->segments += segments;
  s->lines += stroke ? 2 * (uint64_t)draw->path.lines : draw->path.lines;
  s->work += (uint64_t)segments * (stroke ? SJ_WORK_STROKE_SEGMENT : SJ_WORK_SEGMENT);
  s->stroke_segments += stroke ? segments : 0;
  s->strokes += stroke;
  s->candidates += g_may_be_small(draw->op, draw->flags, segments, draw->path.lines);
  s->features |= (stroke ? SJ_FEATURE_STROKES : 0) | (curved ? SJ_FEATURE_CURVES : 0) |
                 (draw->flags & K_DRAW_ALIASED ? SJ_FEATURE_ALIASED : 0);
  if (!stroke && curved) s->fill_curved = k_max(s->fill_curved, segments);
  if (!stroke && !curved) s->fill = k_max(s->fill, segments);
  if (stroke && !curved) s->stroke = k_max(s->stroke, segments);
}

// Returns whether the device encodes such draws.
static bool may_live(const stijl_scene *scene, const sj_draw *draw) {
  if (draw->op != K_DRAW_FILL && draw->op != K_DRAW_STROKE && draw->op != K_DRAW_ALL) return false;
  if (draw->op != K_DRAW_ALL && (!draw->path.segment_count || draw->path.segment_count > MOST_SEGMENTS)) return false;
  // Strokes that are not smoothed may fade.
  if (draw->op == K_DRAW_STROKE && scene->strokes.data[draw->stroke].aliased) return false;
  return draw->flags & K_DRAW_SOLID || scene->paints.data[draw->paint].kind != STIJL_PAINT_SCENE;
}

// Makes of a draw what the device reads, but for its transform, and adds where it is and what paints it.
static bool make_source(sj_gpu *gpu, const stijl_scene *scene, const sj_draw *draw, g_source *out) {
  sj_resident *r = &gpu->resident;
  sj_resident_sums *s = &r->sums;
  stijl_matrix m = draw->transform;
  s->numbers = fmax(s->numbers, fmax(fmax(largest((double)m.a, (double)m.b), largest((double)m.c, (double)m.d)),
                                     largest((double)m.e, (double)m.f)));
  uint32_t flags = draw->op == K_DRAW_ALL ? draw->flags & (K_DRAW_SOLID | K_DRAW_HIDDEN) : draw->flags;
  *out = (g_source){.draw = draw->op | flags << G_SOURCE_FLAGS, .paint = draw->paint};
  if (draw->op != K_DRAW_ALL) {
    out->segment = draw->path.segment;
    out->segment_count = draw->path.segment_count;
    out->lines = draw->path.lines;
    out->box = sj_to_box(draw->path.box);
    add_box(s, draw);
  }
  if (draw->op == K_DRAW_STROKE && !find_pen(gpu, scene, draw, &out->pen)) return false;
  if (draw->flags & K_DRAW_SOLID) return true;
  if (!find_paint(gpu, draw, &out->paint)) return false;
  bool image = scene->paints.data[draw->paint].kind == STIJL_PAINT_IMAGE;
  s->features |= image ? SJ_FEATURE_IMAGES : SJ_FEATURE_GRADIENTS;
  return true;
}

static bool has_few_tables(const sj_resident *r) {
  return r->pens.count <= MOST_PENS && r->paints.count <= MOST_PAINTS;
}

// Adds a draw.
static bool add_draw(sj_gpu *gpu, const stijl_scene *scene, const sj_draw *draw) {
  sj_resident *r = &gpu->resident;
  const g_transform *last = r->transforms.count ? &r->transforms.data[r->transforms.count - 1] : NULL;
  g_transform own = {.matrix = sj_to_k(draw->transform)};
  if ((!last || memcmp(last, &own, sizeof own) != 0) && !sj_array_push(gpu->context, &r->transforms, own)) return false;
  g_source made;
  if (!make_source(gpu, scene, draw, &made)) return false;
  made.transform = (uint32_t)r->transforms.count - 1;
  if (draw->op == K_DRAW_ALL)
    r->sums.all++;
  else
    add_path(&r->sums, draw);
  return sj_array_push(gpu->context, &r->sources, made);
}

// Gives the next draw, which has changed, a transform of its own.
static bool change_draw(sj_gpu *gpu, const stijl_scene *scene, const sj_draw *draw) {
  sj_resident *r = &gpu->resident;
  sj_changed_draw changed = {.draw = r->next++, .transform.matrix = sj_to_k(draw->transform)};
  if (!r->own.count) {
    if (!sj_array_reserve(gpu->context, &r->own, r->draws)) return false;
    memset(r->own.data, 0, r->draws * sizeof *r->own.data);
    r->own.count = r->draws;
  }
  uint32_t *own = &r->own.data[changed.draw];
  if (!*own && r->owned == r->room) {
    r->fits = false;
    r->full = true;
    return true;
  }
  if (!*own) *own = ++r->owned;
  r->looked++;
  if (!make_source(gpu, scene, draw, &changed.source)) return false;
  changed.source.transform = r->transform_count + *own - 1;
  return sj_array_push(gpu->context, &r->changed, changed);
}

typedef bool visitor(sj_gpu *gpu, const stijl_scene *scene, const sj_draw *draw);

// Visits a draw as it is placed; of a scene within all that it draws. Where the device cannot encode one, the scene
// does not fit. `place` is that of the scene around; NULL: the whole scene. Returns false when memory is short.
static bool each_draw(sj_gpu *gpu, const stijl_scene *scene, const sj_draw *draw, const stijl_matrix *place,
                      uint32_t hidden, visitor *visit) {
  sj_resident *r = &gpu->resident;
  sj_draw placed = *draw;
  placed.flags |= hidden;
  if (place) placed.transform = stijl_matrix_multiply(*place, draw->transform);  // as the encoder does
  r->fits = stijl_matrix_is_finite(placed.transform);
  if (draw->op == SJ_DRAW_SCENE) {
    const sj_subscene *sub = &scene->subscenes.data[draw->paint];
    r->sums.work += SJ_WORK_NODE;
    for (uint32_t i = 0; i < sub->count && r->fits; i++)
      if (!each_draw(gpu, scene, &scene->inner.data[sub->first + i], &placed.transform, placed.flags & K_DRAW_HIDDEN,
                     visit))
        return false;
    return true;
  }
  // The pens of some strokes in a scene within depend on where that is.
  bool own_pen = draw->op == K_DRAW_STROKE && scene->strokes.data[draw->stroke].own_pen;
  r->fits = r->fits && may_live(scene, draw) && !(place && own_pen);
  if (!r->fits) return true;
  if (!visit(gpu, scene, &placed)) return false;
  r->fits = r->fits && has_few_tables(r);
  return true;
}

static uint64_t resident_bytes(const sj_resident *r) {
  return (uint64_t)r->draws * sizeof(g_source) + ((uint64_t)r->transform_count + r->room) * sizeof(g_transform);
}

static bool add_all(sj_gpu *gpu, const stijl_scene *scene) {
  sj_resident *r = &gpu->resident;
  bool nested = scene->subscenes.count;
  r->fits = scene->drawn <= gpu->max_range / sizeof(g_source);
  if (!r->fits) return true;
  if (!sj_array_reserve(gpu->context, &r->sources, scene->draws.count)) return false;
  for (size_t i = 0; i < scene->draws.count && r->fits; i++) {
    if (nested && !sj_array_push(gpu->context, &r->firsts, (uint32_t)r->sources.count)) return false;
    if (!each_draw(gpu, scene, &scene->draws.data[i], NULL, 0, add_draw)) return false;
  }
  return true;
}

// Looks at a new scene. Returns false when memory is short.
static bool survey(sj_gpu *gpu, const stijl_scene *scene) {
  sj_resident *r = &gpu->resident;
  uint32_t moved = r->arrays == scene->arrays ? r->owned : 0;
  r->arrays = 0;
  r->seen = sj_scene_changes(scene);
  r->rest = r->owned = 0;
  r->looked = 0;
  r->full = false;
  r->own.count = r->changed.count = r->firsts.count = 0;
  r->upload = false;
  r->sums = (sj_resident_sums){0};
  r->sources.count = r->transforms.count = r->pens.count = r->paints.count = 0;
  r->slots.count = r->last = 0;
  sj_pairs_clear(&r->numbers);
  if (!add_all(gpu, scene)) return false;
  r->draws = (uint32_t)r->sources.count;
  r->sums.work += (uint64_t)r->draws * (SJ_WORK_NODE + SJ_WORK_DRAW);
  r->transform_count = (uint32_t)r->transforms.count;
  // As many as have changed are likely to change again.
  r->room = k_min(k_max(k_max(r->draws / CHANGING_SHARE, LEAST_CHANGES), 2 * moved), r->draws);
  r->fits = r->fits && r->sums.numbers < MOST_NUMBER && resident_bytes(r) <= gpu->max_range;
  if (!r->fits) sj_arrays_finish(gpu->context, &r->sources, &r->transforms);
  r->arrays = scene->arrays;
  return true;
}

// Looks at the draws that have changed. Returns false when memory is short.
static bool look_at_changes(sj_gpu *gpu, const stijl_scene *scene, size_t first) {
  sj_resident *r = &gpu->resident;
  for (size_t i = first; i < scene->changes.count && r->fits; i++) {
    uint32_t number = scene->changes.data[i];
    r->next = r->firsts.count ? r->firsts.data[number] : number;
    if (!each_draw(gpu, scene, &scene->draws.data[number], NULL, 0, change_draw)) return false;
  }
  r->fits = r->fits && r->sums.numbers < MOST_NUMBER;
  return true;
}

// Looks at what has changed since the last frame, or at the whole scene, if it is another one or too much has. Returns
// false when memory is short.
static bool look(sj_gpu *gpu, const stijl_scene *scene) {
  sj_resident *r = &gpu->resident;
  uint64_t all = sj_scene_changes(scene);
  if (r->arrays == scene->arrays && r->seen == all) return true;
  if (!sj_scene_knows_changes(scene, r->arrays, r->seen)) return survey(gpu, scene);
  if (r->fits && !look_at_changes(gpu, scene, (size_t)(r->seen - scene->changes_before))) return false;
  if (!r->fits) r->looked += all - r->seen;
  r->seen = all;
  // Bounds only grow with each change. And what did not fit may do so now.
  bool enough = r->looked > k_max((uint64_t)CHANGES_A_DRAW * r->draws, LEAST_CHANGES);
  return enough || r->full ? survey(gpu, scene) : true;
}

// --- A frame ---

// Computes the frame's pens and paints. Returns false when memory is short.
static bool encode_tables(sj_gpu *gpu, stijl_context *context, const stijl_scene *scene, sj_encoded *out) {
  sj_resident *r = &gpu->resident;
  sj_run run = {0};
  sj_encoder e = {.context = context, .scene = scene, .out = out, .view = r->view, .subscene = SJ_ROOT};
  e.runs.data = &run;
  e.runs.count = e.runs.capacity = 1;
  r->pen_uses.count = r->paint_uses.count = 0;
  for (size_t i = 0; i < r->pens.count; i++) {
    const sj_pen_slot *slot = &r->pens.data[i];
    const sj_stroke *stroke = &scene->strokes.data[slot->stroke];
    g_pen_use use = {.reach = -1.0f};
    e.transform = NULL;
    const k_pen *pen = sj_find_transform(&e, &slot->transform) ? sj_find_pen(&e, stroke) : NULL;
    if (e.failed) return false;
    if (pen) use = (g_pen_use){sj_stroke_reach(stroke) * pen->radius, sj_pen_bend(pen)};
    if (!pen && !sj_array_push(context, &out->pens, (k_pen){0})) return false;
    e.stroke = NULL;
    if (!sj_array_push(gpu->context, &r->pen_uses, use)) return false;
  }
  for (size_t i = 0; i < r->paints.count; i++) {
    const sj_paint_slot *slot = &r->paints.data[i];
    const sj_draw draw = {.op = K_DRAW_FILL, .paint = slot->paint};
    g_paint_use use = {.info = G_USE_NOTHING};
    k_draw made = {0};
    e.transform = NULL;
    bool paints = sj_find_transform(&e, &slot->transform) && sj_encode_paint(&e, &draw, e.to_device, &made);
    if (e.failed) return false;
    if (paints && made.flags & K_DRAW_SOLID) {
      use = (g_paint_use){G_USE_COLOR, made.paint};
    } else if (paints) {
      use.info = out->paints.data[i].kind << G_KIND_SHIFT | (made.flags & K_DRAW_OPAQUE ? G_OPAQUE : 0);
    }
    // One that is not painted with keeps its place.
    const sj_paint *paint = &scene->paints.data[slot->paint];
    k_paint none = {.kind = paint->kind == STIJL_PAINT_IMAGE ? K_PAINT_IMAGE : K_PAINT_LINEAR, .source = paint->source};
    if (out->paints.count == i && !sj_array_push(context, &out->paints, none)) return false;
    if (!sj_array_push(gpu->context, &r->paint_uses, use)) return false;
  }
  return true;
}

// What bounds where a frame's draws are: how far from the origin anything is, and how many pixels all boxes have.
typedef struct {
  double reach, pixels;
} bounds;

static bounds bound_frame(const sj_resident *r, stijl_irect region) {
  const sj_resident_sums *s = &r->sums;
  stijl_matrix v = r->view;
  double a = fabs((double)v.a), b = fabs((double)v.b), c = fabs((double)v.c), d = fabs((double)v.d), pen = 0.0;
  for (size_t i = 0; i < r->pen_uses.count; i++) pen = fmax(pen, (double)r->pen_uses.data[i].reach);
  double x = a * s->reach_x + c * s->reach_y + fabs((double)v.e);
  double y = b * s->reach_x + d * s->reach_y + fabs((double)v.f);
  // Rounding moves what is computed in floats by far less than this share.
  double reach = fmax(x, y) * 1.001 + pen + 1.0;
  double around = 2.0 * (pen + reach / 65536.0 + 2.0);
  double area = (double)(region.x1 - region.x0) * (double)(region.y1 - region.y0);
  double boxes = a * b * s->ww + (a * d + b * c) * s->wh + c * d * s->hh + around * ((a + b) * s->w + (c + d) * s->h) +
                 (double)r->draws * around * around;
  return (bounds){reach, fmin(boxes * 1.01 + s->all * area, (double)r->draws * area)};
}

// Returns whether some draw may need long sums.
static bool may_wind_often(const sj_resident *r, bool far, uint32_t most) {
  const sj_resident_sums *s = &r->sums;
  bool often = g_winds_often(s->fill, g_windings_each(false, false, far, 0), most) ||
               g_winds_often(s->fill_curved, g_windings_each(false, true, far, 0), most) ||
               g_winds_often(s->stroke, g_windings_each(true, false, far, 0), most);
  for (size_t i = 0; i < r->pens.count && !often; i++)
    often = g_winds_often(r->pens.data[i].curved, g_windings_each(true, true, far, r->pen_uses.data[i].bend), most);
  return often;
}

// Returns whether all numbers that encode.comp computes stay finite.
static bool stays_finite(const sj_resident *r) {
  stijl_matrix v = r->view;
  return fmax(fmax(largest((double)v.a, (double)v.b), largest((double)v.c, (double)v.d)),
              largest((double)v.e, (double)v.f)) < MOST_NUMBER;
}

// Begins a scene whose draws are not encoded here. Returns false when memory is short.
static bool begin_scene(const sj_gpu *gpu, stijl_context *context, const stijl_scene *scene, sj_encoded *out) {
  sj_encoded_begin(scene, out);
  out->beyond = false;
  out->number++;
  k_pass target = {.end = gpu->resident.draws, .surface = K_TARGET, .flags = K_PASS_BACKGROUND};
  return sj_array_push(context, &out->passes, target);
}

bool sj_gpu_encodes(sj_gpu *gpu, stijl_context *context, const stijl_scene *scene, stijl_matrix view,
                    stijl_irect region, sj_encoded *out) {
  sj_resident *r = &gpu->resident;
  out->resident = false;
  // A scene that is drawn for the first time may be so for the last time.
  if (!scene->serial || gpu->scene_arrays != scene->arrays || scene->drawn < r->least || !r->least) return false;
  if (gpu->batches != 1 || gpu->crowded) return false;  // the frame before has not fitted either
  if (gpu->images_paged || gpu->ramps_paged || out->watch || scene->drawn > UINT32_MAX / 2) return false;
  if (!look(gpu, scene)) return false;
  if (!r->fits) return false;
  if (r->rest) {
    r->rest--;
    return false;
  }
  r->view = view;
  if (!stays_finite(r)) return false;
  out->made_for.serial = 0;
  if (!begin_scene(gpu, context, scene, out) || !encode_tables(gpu, context, scene, out)) return false;
  bounds b = bound_frame(r, region);
  bool far = !(b.reach < (double)K_GUARD - 64.0);
  r->features = r->sums.features | (far ? SJ_FEATURE_FAR : 0);
  if (may_wind_often(r, far, gpu->max_windings)) r->features |= SJ_FEATURE_LONG_SUMS;
  // What the processor would charge is not known: this is no less.
  double work = (double)r->sums.work + b.pixels / SJ_PIXELS_A_STEP;
  if (!(work < 0x1p62) || !sj_budget_has(out->budget, (uint64_t)work)) return false;
  out->work = (uint64_t)work;
  sj_budget_check(out->budget, out->work);
  out->resident = true;
  return true;
}

void sj_resident_write(const sj_resident *r, uint32_t *uses) {
  size_t pens = r->pen_uses.count * sizeof(g_pen_use), paints = r->paint_uses.count * sizeof(g_paint_use);
  if (pens) memcpy(uses, r->pen_uses.data, pens);
  if (paints) memcpy((char *)uses + pens, r->paint_uses.data, paints);
}

stijl_result sj_resident_upload(sj_gpu *gpu, stijl_message *message) {
  sj_resident *r = &gpu->resident;
  if (!r->sources.count && !r->changed.count) return STIJL_OK;
  bool grown;
  size_t sources = r->draws * sizeof(g_source), transforms = r->transforms.count * sizeof(g_transform);
  stijl_result result = sj_flight_settle_other(gpu, message);
  if (result == STIJL_OK) result = sj_buffer_reserve(&gpu->vk, &r->buffer, resident_bytes(r), &grown, message);
  if (result != STIJL_OK) return result;
  char *to = r->buffer.mapped;
  if (r->sources.count) {
    memcpy(to, r->sources.data, sources);
    memcpy(to + sources, r->transforms.data, transforms);
    sj_arrays_finish(gpu->context, &r->sources, &r->transforms);
  }
  for (size_t i = 0; i < r->changed.count; i++) {
    const sj_changed_draw *c = &r->changed.data[i];
    memcpy(to + c->draw * sizeof(g_source), &c->source, sizeof(g_source));
    memcpy(to + sources + c->source.transform * sizeof(g_transform), &c->transform, sizeof(g_transform));
  }
  r->changed.count = 0;
  r->upload = true;
  return STIJL_OK;
}

void sj_resident_decline(sj_resident *r) { r->rest = REST; }

// --- Its batch ---

// Returns turns of a draw in a bin, at most.
static uint32_t most_turns(const sj_gpu *gpu, uint32_t chunk) {
  uint32_t most = sj_turns_of(NULL, chunk);
  for (size_t i = 0; i < gpu->resident.paints.count; i++)
    most = k_max(most, sj_turns_of(&gpu->scene.paints.data[i], chunk));
  return most;
}

bool sj_resident_batch(sj_gpu *gpu, stijl_irect region, const sj_batch_limits *limits, sj_batch *out) {
  sj_resident *r = &gpu->resident;
  const sj_resident_sums *s = &r->sums;
  uint64_t across = ((uint64_t)(region.x1 - region.x0) + 31) / G_TILE,
           down = ((uint64_t)(region.y1 - region.y0) + 31) / G_TILE;
  // Sums of words have 32 bits.
  if ((uint64_t)r->draws * down > UINT32_MAX / (across / 32 + 1)) return false;
  if (r->draws > limits->draws || s->segments > limits->items || s->lines > gpu->max_range / SJ_EDGE_BYTES)
    return false;
  // What the processor has counted in the frame before is known to be about enough.
  const sj_batch *last = &gpu->recorded.batch;
  uint64_t words = last->resident ? 0 : (uint64_t)k_max(last->words, last->rows) * 17 / 16;
  gpu->capacity.words = (uint32_t)k_min(k_max(k_max(words, 1024), gpu->capacity.words), limits->words);
  bool small = s->candidates >= SJ_LEAST_SMALL || s->candidates == r->draws;
  bool apart = s->segments >= SJ_LEAST_APART && s->stroke_segments && s->segments > s->stroke_segments;
  sj_batch b = {.end = r->draws,
                .rows = gpu->capacity.words,
                .words = gpu->capacity.words,
                .lines = s->lines,
                .small = small ? s->candidates : 0,
                .features = r->features | SJ_FEATURE_RESIDENT,
                .windings = gpu->max_windings,
                .pen_count = (uint32_t)r->pens.count,
                .paint_count = (uint32_t)r->paints.count,
                .resident = true};
  uint32_t fills = r->draws - s->all - s->strokes;
  b.lists[0].items = (uint32_t)(s->segments - (apart ? s->stroke_segments : 0));
  b.lists[0].spans = fills + (apart ? 0 : s->strokes);
  b.lists[1].items = apart ? (uint32_t)s->stroke_segments : 0;
  b.lists[1].spans = apart ? s->strokes : 0;
  sj_batch_share_out(&b, region, limits);
  if ((uint64_t)sj_block_count(&b) * sizeof(uint32_t) > gpu->max_range) return false;
  r->most = UINT32_MAX;
  uint32_t turns = most_turns(gpu, limits->chunk);
  if ((uint64_t)r->draws * turns > limits->turns) r->most = limits->turns / turns;
  *out = b;
  return true;
}

g_encoding sj_resident_encoding(const sj_gpu *gpu, stijl_irect region, const sj_batch *b, const g_params *params) {
  const sj_resident *r = &gpu->resident;
  return (g_encoding){.view = sj_to_k(r->view),
                      .region = {region.x0, region.y0, region.x1, region.y1},
                      .draws = r->draws,
                      .turns = (r->draws + G_ENCODE_GROUP * G_ENCODE_GROUP - 1) / (G_ENCODE_GROUP * G_ENCODE_GROUP),
                      .flags = (b->lists[1].items ? G_ENCODE_APART : 0) | (b->small ? G_ENCODE_SMALL : 0),
                      .words = b->words,
                      .windings = b->windings,
                      .most = r->most,
                      .paint_use = 2 * (uint32_t)r->pen_uses.count,
                      .at_once0 = b->lists[0].at_once,
                      .at_once1 = b->lists[1].at_once,
                      .shares0 = sj_flatten_shares(b, 0, params),
                      .shares1 = sj_flatten_shares(b, 1, params),
                      .rows_at_once = b->rows_at_once,
                      .block1 = sj_flatten_block(b, 1),
                      .span0 = sj_span_block(b, 0),
                      .span1 = sj_span_block(b, 1),
                      .rank_block = sj_rank_block(b),
                      .small_block = sj_small_block(b)};
}
