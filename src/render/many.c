// Many pictures in one call. On a device they are one frame: all scenes become scenes within one, which is kept, and
// each picture is a run of draws with an origin of its own. On the CPU each is a frame, which one thread draws where it
// is small.
#include <limits.h>
#include <string.h>

#include "base/clock.h"
#include "base/irect.h"
#include "base/params.h"
#include "base/sort.h"
#include "cpu/passes.h"
#include "render/renderer.h"
#include "render/state.h"
#include "scene/gather.h"

// Pictures of fewer pixels are drawn by one thread each.
#define LARGE_PIXELS ((uint64_t)1 << 16)

typedef struct {
  stijl_renderer *renderer;
  const stijl_picture *pictures;
  size_t count;
  stijl_irect region;
  const stijl_target *target;  // in memory; or NULL, and the application's:
  const stijl_vulkan_target *vulkan_target;
  const stijl_vulkan_frame *frame;
  stijl_budget *budget;
  const struct survey *survey;
} call;

// The first of the pictures that could not be drawn.
typedef struct {
  stijl_result result;
  size_t index;
  stijl_message why;
} failure;

static uint64_t width_of(stijl_irect r) { return (uint64_t)(r.x1 - r.x0); }
static uint64_t height_of(stijl_irect r) { return (uint64_t)(r.y1 - r.y0); }

// Returns a picture, as this version knows it. Pictures of earlier and later versions have another size.
static const stijl_picture *picture_at(const call *c, size_t index, stijl_picture *known) {
  const void *at = (const char *)c->pictures + index * c->pictures->size;
  if (c->pictures->size == sizeof *known) return at;
  *known = (stijl_picture)STIJL_PICTURE_INIT;
  memcpy(known, at, c->pictures->size < sizeof *known ? c->pictures->size : sizeof *known);
  return known;
}

static stijl_result tell(const failure *f, stijl_message *message) {
  return f->result == STIJL_OK ? STIJL_OK : sj_fail(message, f->result, "picture %zu: %s", f->index, f->why.text);
}

// Notes a failure, if it is the first by its index.
static void note(failure *f, stijl_result result, size_t index, const stijl_message *why) {
  if (result == STIJL_OK || (f->result != STIJL_OK && f->index < index)) return;
  *f = (failure){result, index, *why};
}

// --- What calls check ---

static stijl_result check_picture(const call *c, size_t index, stijl_message *why) {
  const void *at = (const char *)c->pictures + index * c->pictures->size;
  stijl_picture known;
  if (!sj_params_read(at, &known, sizeof known, "stijl_picture", true, why)) return STIJL_ERROR_INVALID_ARGUMENT;
  const stijl_picture *picture = picture_at(c, index, &known);
  if (*(const size_t *)at != c->pictures->size)
    return sj_fail(why, STIJL_ERROR_INVALID_ARGUMENT, "its size differs from that of the first");
  if (!picture->scene) return sj_fail(why, STIJL_ERROR_INVALID_ARGUMENT, "no scene is given");
  stijl_irect place = picture->place, r = c->region;
  if (place.x0 < r.x0 || place.y0 < r.y0 || place.x1 > r.x1 || place.y1 > r.y1 || sj_irect_is_empty(place))
    return sj_fail(why, STIJL_ERROR_INVALID_ARGUMENT, "the place is empty, or not within the target's region");
  return sj_check_scene(picture->scene, picture->transform, why);
}

static int compare_keys(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

// Looks at places from top to bottom. `rows` has a number for each column of the region: where the last place there
// ends. As long as none overlap, all their columns together are no more than the region's pixels.
static stijl_result find_overlap(const call *c, const uint64_t *keys, int *rows, stijl_message *message) {
  for (size_t i = 0; i < c->count; i++) {
    stijl_picture known;
    size_t index = (size_t)(keys[i] & UINT32_MAX);
    stijl_irect place = picture_at(c, index, &known)->place;
    int first = place.x0 - c->region.x0, end = place.x1 - c->region.x0, last = 0;
    for (int x = first; x < end; x++) last = k_max(last, rows[x]);
    if (last > place.y0)
      return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "picture %zu: its place overlaps another", index);
    for (int x = first; x < end; x++) rows[x] = place.y1;
  }
  return STIJL_OK;
}

static stijl_result check_overlaps(const call *c, stijl_message *message) {
  stijl_context *context = c->renderer->context;
  uint64_t *keys = sj_alloc_array(context, c->count, sizeof *keys);
  int *rows = sj_alloc_zero(context, (size_t)width_of(c->region) * sizeof *rows);
  bool sorted = true, memory = keys && rows;
  for (size_t i = 0; memory && i < c->count; i++) {
    stijl_picture known;
    keys[i] = (uint64_t)picture_at(c, i, &known)->place.y0 << 32 | i;
    sorted = sorted && (!i || keys[i - 1] < keys[i]);
  }
  memory = memory && (sorted || sj_sort(context, keys, c->count, sizeof *keys, compare_keys));
  stijl_result result = memory ? find_overlap(c, keys, rows, message) : sj_fail_memory(message);
  sj_free(context, keys);
  sj_free(context, rows);
  return result;
}

// --- What all pictures come to ---

#define SURVEYED_AT_ONCE 512

// What some pictures come to: the first that is not valid, the pixels of all, the bytes of the documents that their
// scenes were made from; and whether all scenes are among those within many->scene.
typedef struct survey {
  failure failure;
  uint64_t pixels, input;
  bool found;
} survey;

typedef struct {
  const call *call;
  survey *parts;
} survey_job;

static sj_picture to_picture(const stijl_picture *picture) {
  return (sj_picture){SJ_ROOT, sj_premultiplied(picture->background, 1.0f), picture->transform, picture->place};
}

// Looks at some pictures, and lists them for encoding where a device draws.
static void survey_part(void *user, uint32_t index, int thread) {
  const survey_job *job = user;
  const call *c = job->call;
  sj_many *many = &c->renderer->many;
  survey *out = &job->parts[index];
  (void)thread;
  *out = (survey){.found = many->scene};
  size_t first = (size_t)index * SURVEYED_AT_ONCE, end = k_min(first + SURVEYED_AT_ONCE, c->count);
  for (size_t i = first; i < end && out->failure.result == STIJL_OK; i++) {
    stijl_picture known;
    stijl_message why = {""};
    note(&out->failure, check_picture(c, i, &why), i, &why);
    if (out->failure.result != STIJL_OK) return;
    const stijl_picture *picture = picture_at(c, i, &known);
    uint64_t input = picture->scene->input_bytes;
    out->pixels += width_of(picture->place) * height_of(picture->place);
    out->input = input > UINT64_MAX - out->input ? UINT64_MAX : out->input + input;
    if (!c->renderer->gpu) continue;
    sj_picture made = to_picture(picture);
    out->found = out->found && sj_pairs_find(&many->scene->embedded, picture->scene->serial, 0, &made.subscene);
    many->pictures.data[i] = made;
  }
}

// Checks all pictures but for overlaps, and lists them.
static stijl_result look_at(const call *c, survey *out, stijl_message *message) {
  stijl_renderer *renderer = c->renderer;
  sj_many *many = &renderer->many;
  *out = (survey){.found = many->scene};
  if (!c->count) return STIJL_OK;
  if (c->count > UINT32_MAX / 2) return sj_fail(message, STIJL_ERROR_LIMIT, "%zu pictures are too many", c->count);
  if (!c->pictures) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "pictures are counted, but not given");
  // Where the others are depends on its size.
  failure first = {.index = 0};
  first.result = check_picture(c, 0, &first.why);
  if (first.result != STIJL_OK) return tell(&first, message);
  uint32_t count = (uint32_t)((c->count + SURVEYED_AT_ONCE - 1) / SURVEYED_AT_ONCE);
  survey_job job = {c, sj_alloc_array(renderer->context, count, sizeof *job.parts)};
  many->pictures.count = 0;
  if (!job.parts || (renderer->gpu && !sj_array_reserve(renderer->frame.context, &many->pictures, c->count))) {
    sj_free(renderer->context, job.parts);
    return sj_fail_memory(message);
  }
  sj_pool_run(renderer->frame.pool, count, survey_part, &job);
  many->pictures.count = renderer->gpu ? c->count : 0;
  for (uint32_t i = 0; i < count; i++) {
    const survey *part = &job.parts[i];
    note(&out->failure, part->failure.result, part->failure.index, &part->failure.why);
    out->pixels += part->pixels;
    out->input = part->input > UINT64_MAX - out->input ? UINT64_MAX : out->input + part->input;
    out->found = out->found && part->found;
  }
  sj_free(renderer->context, job.parts);
  return tell(&out->failure, message);
}

// --- One by one, into memory ---

static stijl_result draw_alone(const call *c, stijl_renderer *renderer, size_t index, stijl_message *why) {
  stijl_picture known;
  const stijl_picture *picture = picture_at(c, index, &known);
  stijl_irect place = picture->place;
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.transform = picture->transform;
  params.background = picture->background;
  stijl_target target = *c->target;
  target.width = (int)width_of(place);
  target.height = (int)height_of(place);
  target.region = (stijl_irect){0, 0, target.width, target.height};
  target.pixels = (unsigned char *)target.pixels + (size_t)(place.y0 - c->region.y0) * target.stride +
                  (size_t)(place.x0 - c->region.x0) * stijl_format_bytes(target.format);
  return sj_draw_alone(renderer, picture->scene, &target, &params, c->budget, why);
}

#define ROWS_AT_ONCE 64

static void clear_rows(void *user, uint32_t index, int thread) {
  const call *c = user;
  size_t row = (size_t)width_of(c->region) * stijl_format_bytes(c->target->format);
  size_t first = (size_t)index * ROWS_AT_ONCE, end = k_min(first + ROWS_AT_ONCE, (size_t)height_of(c->region));
  (void)thread;
  for (size_t y = first; y < end; y++) memset((unsigned char *)c->target->pixels + y * c->target->stride, 0, row);
}

// Clears the region, unless the pictures are all over it.
static void clear_region(call *c) {
  if (c->survey->pixels == width_of(c->region) * height_of(c->region)) return;
  uint32_t parts = (uint32_t)((height_of(c->region) + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE);
  sj_pool_run(c->renderer->frame.pool, parts, clear_rows, c);
}

// Makes a renderer with one thread for each of the pool's. Returns false where memory is short.
static bool make_workers(stijl_renderer *renderer) {
  sj_many *many = &renderer->many;
  int threads = sj_pool_threads(renderer->frame.pool);
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.backend = STIJL_BACKEND_CPU;
  params.threads = 1;
  params.max_layer_bytes = renderer->max_layer_bytes / (uint64_t)threads;
  while (many->workers.count < (size_t)threads) {
    stijl_renderer *made;
    if (!sj_array_reserve(renderer->context, &many->workers, 1)) return false;
    if (stijl_renderer_create(renderer->context, &params, &made, NULL) != STIJL_OK) return false;
    many->workers.data[many->workers.count++] = made;
  }
  return true;
}

typedef struct {
  const call *call;
  bool *drawn;  // of each picture
} small_job;

static bool is_small(const call *c, size_t index) {
  stijl_picture known;
  stijl_irect place = picture_at(c, index, &known)->place;
  return width_of(place) * height_of(place) < LARGE_PIXELS;
}

static void draw_small(void *user, uint32_t index, int thread) {
  const small_job *job = user;
  const call *c = job->call;
  stijl_message why;
  if (!is_small(c, index)) return;
  job->drawn[index] = draw_alone(c, c->renderer->many.workers.data[thread], index, &why) == STIJL_OK;
}

// Lets each thread draw small pictures. Those that it has not enough room for are left.
static void draw_all_small(const call *c, bool *drawn) {
  sj_many *many = &c->renderer->many;
  sj_pool *pool = c->renderer->frame.pool;
  if (sj_pool_threads(pool) == 1 || c->count < 2 || !make_workers(c->renderer)) return;
  for (size_t i = 0; i < many->workers.count; i++) {
    stijl_renderer *worker = many->workers.data[i];
    worker->frame.kernels = c->renderer->frame.kernels;
    sj_renderer_share_memory(worker, c->budget);
  }
  small_job job = {c, drawn};
  sj_pool_run(pool, (uint32_t)c->count, draw_small, &job);
}

static stijl_result draw_one_by_one(call *c, stijl_message *message) {
  stijl_renderer *renderer = c->renderer;
  failure f = {.result = STIJL_OK};
  bool *drawn = sj_alloc_zero(renderer->context, c->count + 1);
  if (!drawn) return sj_fail_memory(message);
  clear_region(c);
  if (!renderer->gpu) draw_all_small(c, drawn);
  for (size_t i = 0; i < c->count && sj_budget_check(c->budget, 0); i++) {
    stijl_message why = {""};
    if (!drawn[i]) note(&f, draw_alone(c, renderer, i, &why), i, &why);
  }
  sj_free(renderer->context, drawn);
  if (f.result == STIJL_OK && !sj_budget_check(c->budget, 0)) return sj_budget_spent(message);
  return tell(&f, message);
}

// --- Together, on a device ---

// Fills many->scene with the scenes of all pictures.
static bool fill_scene(const call *c) {
  stijl_renderer *renderer = c->renderer;
  sj_many *many = &renderer->many;
  const stijl_scene **scenes = sj_alloc_array(renderer->frame.context, c->count + 1, sizeof *scenes);
  uint32_t *numbers = sj_alloc_array(renderer->frame.context, c->count + 1, sizeof *numbers);
  bool filled = scenes && numbers;
  for (size_t i = 0; filled && i < c->count; i++) {
    stijl_picture known;
    scenes[i] = picture_at(c, i, &known)->scene;
  }
  if (filled)
    filled = sj_scene_gather(many->scene, scenes, c->count, renderer->frame.pool, numbers);
  else
    sj_scene_fail(many->scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
  for (size_t i = 0; filled && i < c->count; i++) many->pictures.data[i].subscene = numbers[i];
  sj_free(renderer->frame.context, scenes);
  sj_free(renderer->frame.context, numbers);
  return filled;
}

// Makes many->scene of the scenes of all pictures.
static stijl_result gather_scenes(const call *c, stijl_message *message) {
  sj_many *many = &c->renderer->many;
  if (c->survey->found) return STIJL_OK;
  stijl_scene_limits limits = STIJL_SCENE_LIMITS_INIT;
  limits.max_segments = limits.max_draws = UINT32_MAX / 2;
  if (many->scene) stijl_scene_reset(many->scene);
  if (!many->scene && stijl_scene_create(c->renderer->frame.context, &limits, &many->scene) != STIJL_OK)
    return sj_fail_memory(message);
  fill_scene(c);
  stijl_result result = stijl_scene_finish(many->scene);
  if (result == STIJL_OK) return STIJL_OK;
  sj_fail(message, result, "%s", stijl_scene_message(many->scene));
  stijl_scene_destroy(many->scene);
  many->scene = NULL;
  return result;
}

// Encodes pictures of a scene, unless they were just encoded.
static stijl_result encode(const call *c, const stijl_scene *scene, const sj_picture *pictures, size_t count,
                           stijl_message *message) {
  stijl_renderer *renderer = c->renderer;
  sj_encoded *encoded = &renderer->scene;
  double start = sj_now_ms();
  encoded->budget = c->budget;
  encoded->pool = sj_pool_threads(renderer->frame.pool) > 1 ? renderer->frame.pool : NULL;
  encoded->watch = renderer->watch;
  encoded->max_surface_bytes = renderer->max_layer_bytes;
  encoded->canvas = (stijl_irect){0, 0, 0, 0};
  encoded->keep = false;
  renderer->frame.max_layer_bytes = renderer->max_layer_bytes;
  stijl_result result = sj_encode_pictures(renderer->frame.context, scene, pictures, count, encoded, message);
  renderer->encode_ms += sj_now_ms() - start;
  return result;
}

// Encodes all pictures of the call, unless they are what was encoded last.
static stijl_result encode_all(const call *c, stijl_message *message) {
  sj_many *many = &c->renderer->many;
  size_t bytes = c->count * sizeof *many->pictures.data;
  stijl_result result = gather_scenes(c, message);
  if (result != STIJL_OK) return result;
  bool same = many->number && many->number == c->renderer->scene.number &&
              c->renderer->scene.arrays == many->scene->arrays && many->encoded.count == c->count &&
              (!bytes || memcmp(many->encoded.data, many->pictures.data, bytes) == 0);
  if (same) {
    c->renderer->scene.budget = c->budget;
    return sj_budget_check(c->budget, c->renderer->scene.work) ? STIJL_OK : sj_budget_spent(message);
  }
  many->number = 0;
  result = encode(c, many->scene, many->pictures.data, c->count, message);
  if (result != STIJL_OK) return result;
  many->encoded.count = 0;
  if (!sj_array_reserve(c->renderer->frame.context, &many->encoded, c->count)) return sj_fail_memory(message);
  if (bytes) memcpy(many->encoded.data, many->pictures.data, bytes);
  many->encoded.count = c->count;
  many->number = c->renderer->scene.number;
  return STIJL_OK;
}

// Draws what is encoded into a part of the region. *begun is set once the device may have waited for semaphores.
static stijl_result draw_encoded(const call *c, const stijl_vulkan_target *target, const stijl_vulkan_frame *frame,
                                 stijl_irect region, bool *begun, stijl_message *message) {
  stijl_renderer *renderer = c->renderer;
  sj_render_job job = {.scene = &renderer->scene, .region = region, .budget = c->budget};
  if (c->target) job.target = *c->target;
  job.target.region = region;
  stijl_result result = sj_renderer_surfaces(renderer, &job, message);
  job.vulkan_target = target;
  job.frame = frame;
  if (result == STIJL_OK) {
    *begun = true;
    result = sj_gpu_render(renderer->gpu, &job, message);
  }
  sj_surfaces_finish(&renderer->scene);
  return result;
}

static stijl_result draw_together(const call *c, bool *begun, stijl_message *message) {
  stijl_result result = encode_all(c, message);
  return result == STIJL_OK ? draw_encoded(c, c->vulkan_target, c->frame, c->region, begun, message) : result;
}

// Returns where a place begins in the application's buffer.
static uint64_t first_byte(const call *c, stijl_irect place) {
  const stijl_vulkan_target *t = c->vulkan_target;
  return t->offset + (uint64_t)(place.y0 - c->region.y0) * t->stride +
         (uint64_t)(place.x0 - c->region.x0) * stijl_format_bytes(t->format);
}

// Draws one picture after the other into the application's target, each of which is waited for.
static stijl_result draw_frames(const call *c, stijl_message *message) {
  stijl_vulkan_target target = *c->vulkan_target;
  stijl_vulkan_frame frame = *c->frame, none = STIJL_VULKAN_FRAME_INIT;
  failure f = {.result = STIJL_OK};
  bool begun;
  frame.in_flight = false;
  frame.signal_count = 0;
  // First what is between the pictures: none of them, whatever the scene is.
  stijl_picture known;
  stijl_result result = encode(c, picture_at(c, 0, &known)->scene, NULL, 0, message);
  if (result == STIJL_OK) result = draw_encoded(c, &target, &frame, c->region, &begun, message);
  if (result != STIJL_OK) return result;
  target.layout_before = target.layout_after;
  frame.wait_count = 0;
  for (size_t i = 0; i < c->count && sj_budget_check(c->budget, 0); i++) {
    const stijl_picture *at = picture_at(c, i, &known);
    sj_picture picture = to_picture(at);
    stijl_message why = {""};
    if (i + 1 == c->count && f.result == STIJL_OK) none.signal_count = c->frame->signal_count;
    none.signal = c->frame->signal;
    result = encode(c, at->scene, &picture, 1, &why);
    target.offset = first_byte(c, at->place);
    if (result == STIJL_OK) result = draw_encoded(c, &target, &none, at->place, &begun, &why);
    note(&f, result, i, &why);
  }
  if (f.result == STIJL_OK && !sj_budget_check(c->budget, 0)) return sj_budget_spent(message);
  return tell(&f, message);
}

// --- Calls ---

static stijl_result draw(call *c, stijl_message *message) {
  stijl_renderer *renderer = c->renderer;
  stijl_message why = {""};
  bool begun = false;
  if (!renderer->gpu) return draw_one_by_one(c, message);
  stijl_result result = draw_together(c, &begun, &why);
  if (result == STIJL_OK) return STIJL_OK;
  bool room = result == STIJL_ERROR_LIMIT || result == STIJL_ERROR_OUT_OF_MEMORY;
  // What was waited for once may not be waited for again.
  bool again = c->target ? room || renderer->may_fall : room && (!begun || !c->frame->wait_count);
  // Places of buffers begin at multiples of 4 bytes.
  again = again && (c->target || c->vulkan_target->image || stijl_format_bytes(c->vulkan_target->format) == 4);
  if (!again || !c->count || !sj_budget_look(c->budget)) return sj_fail(message, result, "%s", why.text);
  return c->target ? draw_one_by_one(c, message) : draw_frames(c, message);
}

static stijl_result draw_within_budget(call *c, stijl_budget *budget, stijl_message *message) {
  survey all;
  stijl_result result = look_at(c, &all, message);
  if (result == STIJL_OK && c->count) result = check_overlaps(c, message);
  if (result != STIJL_OK) return result;
  c->survey = &all;
  result =
      sj_begin_budget(c->renderer, all.input, width_of(c->region) * height_of(c->region), budget, &c->budget, message);
  // Where memory is short, the list may be gone again.
  bool listed = !c->renderer->gpu || c->renderer->many.pictures.count == c->count;
  if (result == STIJL_OK && !listed) result = look_at(c, &all, message);
  if (result == STIJL_OK) result = draw(c, message);
  return sj_end_budget(c->renderer, c->budget, result, message);
}

stijl_result stijl_render_many(stijl_renderer *renderer, const stijl_picture *pictures, size_t count,
                               const stijl_target *target, stijl_budget *budget, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!renderer) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no renderer is given");
  target = SJ_GIVEN(stijl_target, STIJL_TARGET_INIT, target, message);
  if (!target) return STIJL_ERROR_INVALID_ARGUMENT;
  call c = {.renderer = renderer, .pictures = pictures, .count = count, .region = target->region, .target = target};
  stijl_result result = sj_check_pixels(target, message);
  if (result == STIJL_OK) result = sj_refuse_large(target->width, target->height, message);
  if (result == STIJL_OK) result = sj_find_region(target->width, target->height, target->format, &c.region, message);
  return result == STIJL_OK ? draw_within_budget(&c, budget, message) : result;
}

stijl_result stijl_vulkan_render_many(stijl_renderer *renderer, const stijl_picture *pictures, size_t count,
                                      const stijl_vulkan_target *target, stijl_budget *budget,
                                      const stijl_vulkan_frame *frame, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!renderer) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no renderer is given");
  if (!renderer->gpu) return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the renderer draws on the CPU");
  target = SJ_GIVEN(stijl_vulkan_target, STIJL_VULKAN_TARGET_INIT, target, message);
  frame = SJ_PARAMS(stijl_vulkan_frame, STIJL_VULKAN_FRAME_INIT, frame, message);
  if (!target || !frame) return STIJL_ERROR_INVALID_ARGUMENT;
  call c = {.renderer = renderer,
            .pictures = pictures,
            .count = count,
            .region = target->region,
            .vulkan_target = target,
            .frame = frame};
  stijl_result result = sj_find_region(target->width, target->height, target->format, &c.region, message);
  if (result == STIJL_OK) result = sj_refuse_large(target->width, target->height, message);
  if (result == STIJL_OK) result = sj_check_semaphores(frame, message);
  return result == STIJL_OK ? draw_within_budget(&c, budget, message) : result;
}

void sj_many_finish(stijl_renderer *renderer) {
  sj_many *many = &renderer->many;
  stijl_scene_destroy(many->scene);
  for (size_t i = 0; i < many->workers.count; i++) stijl_renderer_destroy(many->workers.data[i]);
  sj_arrays_finish(renderer->frame.context, &many->pictures, &many->encoded);
  sj_array_finish(renderer->context, &many->workers);
  many->scene = NULL;
  many->number = 0;
}
