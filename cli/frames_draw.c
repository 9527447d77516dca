// Draws frames by several threads, each with a document of its own, which it moves in time, and writes them in order.
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "file.h"
#include "frames.h"
#include "memory.h"
#include "stijl/animation.h"

#define STACK_BYTES ((size_t)4 << 20)
#define PROGRESS_MS 50
#define MAX_THREADS 256

// Where a frame is until it is written. Frames whose numbers differ by the number of slots share one.
typedef struct slot {
  uint32_t *pixels;
  cli_block bytes;
  uint64_t drawn, encoded;  // 1 + the number of the frame; 0: none yet
} slot;

typedef struct run {
  const cli_frames *frames;
  const cli_renderer *first;
  const char *input;
  const unsigned char *data;
  size_t bytes;
  uint64_t slots;
  slot *list;
  // What follows is guarded by the mutex; `changed` is told of each change.
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  uint64_t next, written;
  bool failed;
  cli_failure failure;  // the first
} run;

static void fail_run(run *r, const cli_failure *failure) {
  pthread_mutex_lock(&r->mutex);
  if (!r->failed) r->failure = *failure;
  r->failed = true;
  pthread_cond_broadcast(&r->changed);
  pthread_mutex_unlock(&r->mutex);
}

static slot *slot_of(run *r, uint64_t frame) { return &r->list[frame % r->slots]; }

// --- drawing ---

// What a thread draws with.
typedef struct drawer {
  cli_renderer *renderer;
  stijl_svg *svg;
} drawer;

static bool draw(const run *r, const drawer *d, uint64_t frame, uint32_t *pixels, cli_failure *failure) {
  const cli_frames *f = r->frames;
  stijl_budget *budget = d->renderer->budget;
  stijl_message message = {""};
  stijl_scene *scene = NULL;
  stijl_budget_restart(budget);
  stijl_result result = stijl_svg_set_time(d->svg, cli_frame_time(f, frame), &message);
  if (result == STIJL_OK) result = stijl_svg_scene(d->svg, f->size.exact_width, f->size.exact_height, &scene, &message);
  if (result == STIJL_OK) {
    stijl_target target = STIJL_TARGET_INIT;
    target.width = f->size.width;
    target.height = f->size.height;
    target.format = f->format;
    target.pixels = pixels;
    target.stride = (size_t)f->size.width * 4;
    stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
    params.background = f->background;
    params.budget = budget;
    params.reads = true;
    result = stijl_render(d->renderer->renderer, scene, &target, &params, &message);
  }
  stijl_scene_destroy(scene);
  if (d->renderer->options->strict && atomic_load(&d->renderer->warnings))
    return cli_fail(failure, "frame %llu lacks something (--strict): %.400s", (unsigned long long)frame,
                    d->renderer->first_warning.text);
  if (result == STIJL_OK) return true;
  cli_failure why;
  cli_fail_with_advice(&why, result, message.text);
  return cli_fail(failure, "frame %llu: %.450s", (unsigned long long)frame, why.text);
}

static bool encode(run *r, const drawer *d, uint64_t frame, cli_failure *failure) {
  const cli_frames *f = r->frames;
  slot *s = slot_of(r, frame);
  const uint32_t *before = frame ? slot_of(r, frame - 1)->pixels : NULL;
  switch (f->options->format) {
    case CLI_FRAMES_PNG: return cli_frame_png(d->renderer, f, frame, s->pixels, failure);
    case CLI_FRAMES_APNG: return cli_frame_apng(d->renderer, f, frame, s->pixels, before, &s->bytes, failure);
    case CLI_FRAMES_Y4M: return cli_frame_y4m(f, s->pixels, &s->bytes, failure);
    default: return true;
  }
}

// Takes the next frame and waits for its slot. What was in it has to be written, and so has the frame behind that,
// which may be encoded as what has changed. All frames that are waited for are before this one, so there is always one
// that nothing holds up. Returns false when there is none left.
static bool take(run *r, uint64_t *frame) {
  pthread_mutex_lock(&r->mutex);
  *frame = r->next;
  bool taken = !r->failed && r->next < r->frames->count;
  if (taken) r->next++;
  while (taken && *frame >= r->slots && r->written < *frame - r->slots + 2) {
    if (r->failed)
      taken = false;
    else
      pthread_cond_wait(&r->changed, &r->mutex);
  }
  pthread_mutex_unlock(&r->mutex);
  return taken;
}

// Tells that the frame is drawn, and waits until the one before is, where it is encoded as what has changed.
static bool wait_for_before(run *r, uint64_t frame) {
  pthread_mutex_lock(&r->mutex);
  slot_of(r, frame)->drawn = frame + 1;
  pthread_cond_broadcast(&r->changed);
  bool waits = r->frames->options->format == CLI_FRAMES_APNG && frame;
  while (waits && !r->failed && slot_of(r, frame - 1)->drawn != frame) pthread_cond_wait(&r->changed, &r->mutex);
  bool good = !r->failed;
  pthread_mutex_unlock(&r->mutex);
  return good;
}

static void work_with(run *r, const drawer *d) {
  cli_failure failure;
  for (uint64_t frame; take(r, &frame);) {
    if (!draw(r, d, frame, slot_of(r, frame)->pixels, &failure)) {
      fail_run(r, &failure);
      return;
    }
    if (!wait_for_before(r, frame)) return;
    if (!encode(r, d, frame, &failure)) {
      fail_run(r, &failure);
      return;
    }
    pthread_mutex_lock(&r->mutex);
    slot_of(r, frame)->encoded = frame + 1;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->mutex);
  }
}

// Draws frames in a thread with a document and a renderer of its own.
static void *work(void *user) {
  run *r = user;
  cli_failure failure;
  cli_renderer renderer;
  if (!cli_renderer_create(r->first->options, 1, &renderer, &failure)) {
    fail_run(r, &failure);
    return NULL;
  }
  renderer.subject = r->first->subject;
  renderer.heard = r->first->heard;
  renderer.heard_user = r->first->heard_user;
  drawer d = {.renderer = &renderer};
  bool good = stijl_budget_create(renderer.context, &renderer.options->budget, &renderer.budget) == STIJL_OK ||
              cli_fail(&failure, "out of memory");
  good = good && cli_document_load(&renderer, r->input, r->data, r->bytes, &d.svg, &failure);
  if (good)
    work_with(r, &d);
  else
    fail_run(r, &failure);
  stijl_svg_destroy(d.svg);
  stijl_budget_destroy(renderer.budget);
  cli_renderer_destroy(&renderer);
  return NULL;
}

typedef struct first_work {
  run *run;
  drawer drawer;
} first_work;

static void *work_as_first(void *user) {
  const first_work *first = user;
  work_with(first->run, &first->drawer);
  return NULL;
}

// --- writing ---

// Where all frames go but those of a folder.
typedef struct sink {
  const cli_frames *frames;
  bool open;
  cli_output output;
  stijl_webp_animation *webp;
} sink;

static int milliseconds(const cli_frames *f, uint64_t frame) {
  return (int)((double)frame * 1000.0 * f->options->scale / f->options->rate + 0.5);
}

static bool open_sink(sink *s, stijl_context *context, cli_failure *failure) {
  const cli_frames *f = s->frames;
  if (f->options->format == CLI_FRAMES_PNG) return true;
  if (f->options->format == CLI_FRAMES_WEBP) {
    stijl_webp_animation_params params = STIJL_WEBP_ANIMATION_PARAMS_INIT;
    params.width = f->size.width;
    params.height = f->size.height;
    params.loops = f->options->loops;
    params.quality = (float)f->options->quality;
    stijl_message message = {""};
    stijl_result result = stijl_webp_animation_create(context, &params, &s->webp, &message);
    if (result) return cli_fail(failure, "%s", message.text);
  }
  s->open = cli_output_open(&s->output, f->options->render.output, failure);
  return s->open;
}

static bool put(sink *s, const void *data, size_t bytes, cli_failure *failure) {
  return cli_output_write(&s->output, data, bytes) || cli_output_fail(&s->output, failure);
}

static bool put_frame(sink *s, uint64_t frame, const slot *from, cli_failure *failure) {
  const cli_frames *f = s->frames;
  size_t stride = (size_t)f->size.width * 4;
  if (f->options->format == CLI_FRAMES_PNG) return true;
  if (f->options->format == CLI_FRAMES_RGBA) return put(s, from->pixels, stride * (size_t)f->size.height, failure);
  if (f->options->format != CLI_FRAMES_WEBP) return put(s, from->bytes.data, from->bytes.count, failure);
  stijl_message message = {""};
  stijl_result result =
      stijl_webp_animation_add(s->webp, f->format, from->pixels, stride, milliseconds(f, frame), &message);
  return result == STIJL_OK || cli_fail(failure, "%s", message.text);
}

static bool put_head(sink *s, cli_failure *failure) {
  cli_block head = {0};
  if (s->frames->options->format != CLI_FRAMES_Y4M) return true;
  bool good =
      (cli_y4m_head(s->frames, &head) || cli_fail(failure, "out of memory")) && put(s, head.data, head.count, failure);
  free(head.data);
  return good;
}

static bool put_end(sink *s, cli_failure *failure) {
  const cli_frames *f = s->frames;
  cli_block end = {0};
  bool good = true;
  stijl_message message = {""};
  if (f->options->format == CLI_FRAMES_APNG) {
    good = (cli_apng_end(&end) || cli_fail(failure, "out of memory")) && put(s, end.data, end.count, failure);
  } else if (f->options->format == CLI_FRAMES_WEBP) {
    stijl_result result =
        stijl_webp_animation_finish(s->webp, milliseconds(f, f->count), cli_output_write, &s->output, &message);
    good = result == STIJL_OK ||
           (result == STIJL_ERROR_IO ? cli_output_fail(&s->output, failure) : cli_fail(failure, "%s", message.text));
  }
  free(end.data);
  return good;
}

// Puts the file in its place, or leaves no trace of it.
static bool close_sink(sink *s, bool good, cli_failure *failure) {
  stijl_webp_animation_destroy(s->webp);
  if (!s->open) return good;
  if (good) return cli_output_commit(&s->output, failure);
  cli_output_abort(&s->output);
  return false;
}

// Writes each frame once it is encoded.
static bool write_all(run *r, sink *s, cli_failure *failure) {
  double told = 0.0;
  bool quiet = r->first->options->quiet;
  for (uint64_t frame = 0; frame < r->frames->count; frame++) {
    slot *from = slot_of(r, frame);
    pthread_mutex_lock(&r->mutex);
    while (!r->failed && from->encoded != frame + 1) pthread_cond_wait(&r->changed, &r->mutex);
    bool good = !r->failed;
    pthread_mutex_unlock(&r->mutex);
    if (!good) return false;
    if (!put_frame(s, frame, from, failure)) {
      fail_run(r, failure);
      return false;
    }
    pthread_mutex_lock(&r->mutex);
    r->written = frame + 1;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->mutex);
    if (quiet || cli_now_ms() < told + PROGRESS_MS) continue;
    cli_progress(frame + 1, r->frames->count, "frames");
    told = cli_now_ms();
  }
  return put_end(s, failure);
}

// --- threads ---

static bool make_slots(run *r, uint64_t threads, cli_failure *failure) {
  size_t bytes = (size_t)r->frames->size.width * (size_t)r->frames->size.height * 4;
  r->slots = threads + 2 < r->frames->count + 2 ? threads + 2 : r->frames->count + 2;
  r->list = calloc(r->slots, sizeof *r->list);
  bool good = r->list != NULL;
  for (uint64_t i = 0; i < r->slots && good; i++) good = (r->list[i].pixels = cli_memory_for_pixels(bytes)) != NULL;
  return good || cli_fail(failure, "out of memory: %llu frames are held at a time (--threads lowers that)",
                          (unsigned long long)r->slots);
}

static bool draw_with(run *r, uint64_t threads, first_work *first, sink *s, cli_failure *failure) {
  pthread_t handles[MAX_THREADS];
  size_t started = 0;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK_BYTES);
  // Those beyond the first only make it faster.
  while (started < threads && started < MAX_THREADS &&
         pthread_create(&handles[started], &attributes, started ? work : work_as_first, started ? (void *)r : first) ==
             0)
    started++;
  pthread_attr_destroy(&attributes);
  if (!started) return cli_fail(failure, "no thread can be started: %s", strerror(EAGAIN));
  bool good = put_head(s, failure);
  if (!good) fail_run(r, failure);
  good = good && write_all(r, s, failure);
  for (size_t i = 0; i < started; i++) pthread_join(handles[i], NULL);
  if (!good && r->failed) *failure = r->failure;
  return good;
}

bool cli_frames_draw(const cli_frames *f, cli_renderer *first, stijl_svg *svg, const char *input,
                     const unsigned char *data, size_t bytes, cli_failure *failure) {
  run r = {.frames = f, .first = first, .input = input, .data = data, .bytes = bytes};
  sink s = {.frames = f};
  first_work work = {&r, {first, svg}};
  uint64_t threads = (uint64_t)(first->options->threads ? first->options->threads : cli_usable_processors());
  if (threads > f->count) threads = f->count;
  pthread_mutex_init(&r.mutex, NULL);
  pthread_cond_init(&r.changed, NULL);
  bool good = make_slots(&r, threads, failure) && open_sink(&s, first->context, failure) &&
              draw_with(&r, threads, &work, &s, failure);
  if (!first->options->quiet) cli_progress_end();
  good = close_sink(&s, good, failure);
  for (uint64_t i = 0; r.list && i < r.slots; i++) {
    free(r.list[i].pixels);
    free(r.list[i].bytes.data);
  }
  free(r.list);
  pthread_cond_destroy(&r.changed);
  pthread_mutex_destroy(&r.mutex);
  return good;
}
