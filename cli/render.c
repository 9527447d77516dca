#include "render.h"

#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "encode.h"
#include "file.h"
#include "memory.h"
#include "stream.h"
#include "vector.h"
#include "watch.h"

int cli_usable_processors(void) {
  cpu_set_t set;
  int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return n < 1 ? 1 : n > 256 ? 256 : n;
}

static void on_log(void *user, stijl_log_level level, const char *line) {
  cli_renderer *r = user;
  if (level == STIJL_LOG_DEBUG || (r->heard && !r->heard(r->heard_user, line))) return;
  unsigned before = level == STIJL_LOG_WARNING ? atomic_fetch_add(&r->warnings, 1) : 0;
  if (level == STIJL_LOG_WARNING && before == 0)
    snprintf(r->first_warning.text, sizeof r->first_warning.text, "%s", line);
  if (!r->options->quiet && before < CLI_MAX_WARNINGS)
    cli_report(r->subject, "%s: %s", level == STIJL_LOG_WARNING ? "warning" : "note", line);
}

bool cli_renderer_create(const cli_options *options, int threads, cli_renderer *r, cli_failure *failure) {
  *r = (cli_renderer){.options = options, .threads = threads};
  stijl_context_params context_params = STIJL_CONTEXT_PARAMS_INIT;
  context_params.reallocate = cli_memory_reallocate;
  context_params.log = on_log;
  context_params.user = r;
  stijl_renderer_params params = options->renderer;
  // Where the renderer chooses as many itself, it starts them only if that is worth it.
  params.threads = !options->threads && threads == cli_usable_processors() ? 0 : threads;
  stijl_result result = stijl_context_create(&context_params, &r->context);
  stijl_message message = {""};
  if (result == STIJL_OK) result = stijl_renderer_create(r->context, &params, &r->renderer, &message);
  if (result == STIJL_OK) return true;
  cli_renderer_destroy(r);
  return cli_fail_with_advice(failure, result, message.text);
}

void cli_renderer_destroy(cli_renderer *r) {
  free(r->pixels);
  stijl_renderer_destroy(r->renderer);
  stijl_context_destroy(r->context);
  *r = (cli_renderer){0};
}

// --- size ---

// Chooses the size of a picture. A missing one of -w and -h keeps the ratio.
bool cli_choose_size(const cli_options *o, const cli_size *asked, float width, float height, cli_picture_size *size,
                     cli_failure *failure) {
  stijl_svg_fitted fitted = o->stretch ? stijl_svg_fit(asked->width, asked->height, 0, 0, 1)
                                       : stijl_svg_fit((double)width, (double)height, asked->width, asked->height,
                                                       asked->zoom > 0 ? asked->zoom : 1);
  double w = fitted.pixel_width, h = fitted.pixel_height;
  if (!(w <= INT_MAX && h <= INT_MAX))
    return cli_fail(failure, "a picture of %.0f x %.0f pixels is too large: %d is the most (-w, -h and -z scale it)", w,
                    h, INT_MAX);
  *size = (cli_picture_size){fitted.width, fitted.height, (int)w, (int)h};
  if (cli_formats[o->format].vector) return true;
  if (w * h > (double)o->max_pixels)
    return cli_fail(failure, "a picture of %.0f x %.0f pixels is above %llu in all (%s--max-pixels raises the limit)",
                    w, h, (unsigned long long)o->max_pixels,
                    asked->width || asked->height ? "" : "-w asks for a size, ");
  int side = stijl_file_format_max_side(cli_formats[o->format].file);
  if (!o->tiles && !(w <= side && h <= side))
    return cli_fail(failure, "a picture of %.0f x %.0f pixels is too large for %s, whose sides have %d at most", w, h,
                    cli_formats[o->format].name, side);
  return true;
}

// --- steps ---

typedef struct {
  double parse_ms, style_ms, encode_ms, write_ms;
  double *render_ms;  // one a repeat
  double frame_us;    // GPU: of frames back to back; 0: not measured
  stijl_render_stats render;
} timings;

bool cli_document_load(const cli_renderer *r, const char *input, const unsigned char *data, size_t bytes,
                       stijl_svg **svg, cli_failure *failure) {
  stijl_svg_params params = r->options->svg;
  params.budget = r->budget;
  if (cli_formats[r->options->format].vector) params.detail = fmax((double)r->options->raster_dpi / 96.0, 1.0);
  char *folder = NULL;
  bool has_folder = r->options->resources_folder || strcmp(input, "-") != 0;
  if (r->options->resources_folder)
    params.base_folder = r->options->resources_folder;
  else if (has_folder)
    params.base_folder = folder = cli_folder_of(input);
  stijl_message message = {""};
  stijl_result result = STIJL_ERROR_OUT_OF_MEMORY;
  if (!has_folder || params.base_folder) result = stijl_svg_load(r->context, data, bytes, &params, svg, &message);
  free(folder);
  return result == STIJL_OK || cli_fail_with_advice(failure, result, message.text);
}

// What is drawn, as it was read.
typedef struct {
  stijl_svg *svg;       // NULL: a saved scene
  uint32_t node;        // of the document, or NO_NODE
  stijl_scene *saved;   // NULL: a document
  float width, height;  // in CSS pixels
} source;

static void release_source(source *s) {
  stijl_svg_destroy(s->svg);
  stijl_scene_destroy(s->saved);
  *s = (source){0};
}

// Chooses the node to draw alone, and its size on the canvas; NO_NODE and the size of the document for all of it.
static bool choose_node(const cli_options *o, const stijl_svg *svg, uint32_t *node, float *width, float *height,
                        cli_failure *failure) {
  *node = STIJL_SVG_NO_NODE;
  stijl_svg_size(svg, width, height);
  if (!o->export_id) return true;
  *node = stijl_svg_find(svg, o->export_id);
  if (*node == STIJL_SVG_NO_NODE)
    return cli_fail(failure, "no element with the id \"%.200s\" draws anything (--export-id)", o->export_id);
  stijl_rect box;
  bool empty;
  stijl_result result = stijl_svg_get_box(svg, *node, STIJL_SVG_BOX_LAYER, true, &box, &empty);
  if (result) return cli_fail_with_advice(failure, result, "");
  if (empty || !(box.x1 > box.x0) || !(box.y1 > box.y0))
    return cli_fail(failure, "the element \"%.200s\" draws nothing (--export-id)", o->export_id);
  *width = box.x1 - box.x0;
  *height = box.y1 - box.y0;
  return true;
}

static bool save_scene(const cli_drawing *d, const char *path, cli_failure *failure) {
  cli_output output;
  if (!cli_output_open(&output, path, failure)) return false;
  stijl_canvas canvas = STIJL_CANVAS_INIT;
  canvas.width = d->size.width;
  canvas.height = d->size.height;
  canvas.background = d->background;
  stijl_message message = {""};
  stijl_result result = stijl_scene_save(d->scene, &canvas, cli_output_write, &output, &message);
  return cli_output_end(&output, result, message.text, failure);
}

// Loads a scene that was saved.
static bool load_scene(const cli_renderer *r, const unsigned char *data, size_t bytes, source *s, cli_drawing *d,
                       cli_failure *failure) {
  stijl_canvas canvas = STIJL_CANVAS_INIT;
  stijl_message message = {""};
  stijl_result result =
      stijl_scene_load(stijl_budget_context(r->budget), data, bytes, NULL, &s->saved, &canvas, &message);
  if (result != STIJL_OK) return cli_fail_with_advice(failure, result, message.text);
  s->width = (float)canvas.width;
  s->height = (float)canvas.height;
  if (!r->options->background_text) d->background = canvas.background;
  return true;
}

// Chooses white for what would be transparent where a format has no alpha.
static void choose_background(const cli_options *o, cli_drawing *d) {
  if (cli_formats[o->format].opaque && !(d->background.a > 0)) d->background = (stijl_color){1, 1, 1, 1};
}

static bool load_source(const cli_renderer *r, const char *input, source *s, cli_drawing *d, timings *t,
                        cli_failure *failure) {
  unsigned char *data;
  size_t bytes;
  *d = (cli_drawing){.transform = stijl_matrix_identity(), .background = r->options->background};
  if (!cli_read(input, r->options->svg.limits.max_bytes, &data, &bytes, failure)) return false;
  stijl_budget_restart(r->budget);  // whoever writes into a pipe may take his time
  if (r->watched) cli_watch_begin(r->budget, r->subject, stijl_renderer_backend(r->renderer) == STIJL_BACKEND_CPU, 1);
  // Text touches some 150 pages of the heap: the fonts' index, the fonts, what shaping needs. Surfaces of filters are
  // as large as the picture.
  if (memmem(data, bytes, "<text", 5) || memmem(data, bytes, "<filter", 7)) cli_memory_enlarge();
  double start = cli_now_ms();
  bool good = stijl_scene_is_saved(data, bytes) ? load_scene(r, data, bytes, s, d, failure)
                                                : cli_document_load(r, input, data, bytes, &s->svg, failure);
  t->parse_ms = cli_now_ms() - start;
  free(data);
  choose_background(r->options, d);
  return good && (!s->svg || choose_node(r->options, s->svg, &s->node, &s->width, &s->height, failure));
}

// Makes a drawing. The last one takes over what it is made of: the document is gone when the pixels are made.
static bool make_drawing(const cli_renderer *r, source *s, const cli_size *asked, bool last, cli_drawing *d, timings *t,
                         cli_failure *failure) {
  cli_picture_size *size = &d->size;
  stijl_result result = STIJL_OK;
  stijl_message message = {""};
  bool good = cli_choose_size(r->options, asked, s->width, s->height, size, failure);
  double start = cli_now_ms();
  if (good && s->saved) {
    d->transform = stijl_matrix_scale(size->exact_width / s->width, size->exact_height / s->height);
    d->scene = s->saved;
  } else if (good && s->node == STIJL_SVG_NO_NODE) {
    result = stijl_svg_scene(s->svg, size->exact_width, size->exact_height, &d->scene, &message);
  } else if (good) {
    result = stijl_svg_node_scene(s->svg, s->node, size->exact_width, size->exact_height, &d->scene, &message);
  }
  if (result) good = cli_fail_with_advice(failure, result, message.text);
  if (!s->saved) t->style_ms = cli_now_ms() - start;
  if (last) stijl_svg_destroy(s->svg), s->svg = NULL;
  return good && (!r->options->save_scene || save_scene(d, r->options->save_scene, failure));
}

bool cli_drawing_make(const cli_renderer *r, const char *input, cli_drawing *d, cli_load_times *times,
                      cli_failure *failure) {
  source from = {0};
  timings t = {0};
  bool good = load_source(r, input, &from, d, &t, failure) &&
              make_drawing(r, &from, &r->options->sizes[0], true, d, &t, failure);
  *times = (cli_load_times){t.parse_ms, t.style_ms};
  if (d->scene == from.saved) from.saved = NULL;
  release_source(&from);
  return good;
}

static stijl_render_params params_of(const cli_renderer *r, const cli_drawing *d) {
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.background = d->background;
  params.transform = d->transform;
  params.budget = r->budget;
  params.reads = r->options->repeat == 1;  // what is measured is the picture, else what becomes of it
  return params;
}

static bool draw(const cli_renderer *r, const cli_drawing *d, const stijl_target *target, timings *t,
                 cli_failure *failure) {
  stijl_render_params params = params_of(r, d);
  for (int i = 0; i < r->options->repeat; i++) {
    stijl_message message = {""};
    if (i) stijl_budget_restart(r->budget);
    double start = cli_now_ms();
    stijl_result result = stijl_render(r->renderer, d->scene, target, &params, &message);
    double ms = cli_now_ms() - start;
    if (result) return cli_fail_with_advice(failure, result, message.text);
    t->render.size = sizeof t->render;
    stijl_renderer_stats(r->renderer, &t->render);
    t->encode_ms = t->render.encode_ms;
    t->render_ms[i] = ms > t->encode_ms ? ms - t->encode_ms : 0;
  }
  if (r->options->repeat > 1 && r->options->stats && stijl_renderer_backend(r->renderer) == STIJL_BACKEND_VULKAN &&
      stijl_renderer_repeat(r->renderer, (uint32_t)r->options->repeat, &t->frame_us, NULL) != STIJL_OK)
    t->frame_us = 0;  // a picture in bands cannot be measured so
  return true;
}

// --- statistics ---

static const char *isa_name(stijl_isa isa) {
  if (isa != STIJL_ISA_AUTO) return stijl_isa_name(isa);
  // The sets are listed in rising order.
  for (stijl_isa i = STIJL_ISA_SCALAR; stijl_isa_name(i); i = (stijl_isa)((int)i + 1))
    if (stijl_isa_available(i)) isa = i;
  return stijl_isa_name(isa);
}

static void put_stage(cli_json *json, const char *name, double ms) {
  cli_json_begin(json, NULL, '{');
  cli_json_string(json, "name", name);
  cli_json_decimal(json, "us", ms * 1e3);
  cli_json_end(json, '}');
}

static void put_gpu_stats(const cli_renderer *r, const timings *t, cli_json *json) {
  cli_json_unsigned(json, "dispatches", t->render.dispatches);
  cli_json_unsigned(json, "submits", t->render.submits);
  cli_json_unsigned(json, "retries", t->render.retries);
  cli_json_decimal(json, "latency_us", t->render.latency_us);
  if (t->frame_us > 0) cli_json_decimal(json, "throughput_us", t->frame_us);
  cli_json_begin(json, "buffers", '[');
  for (uint32_t i = 0; i < t->render.buffer_count; i++) {
    cli_json_begin(json, NULL, '{');
    cli_json_string(json, "name", t->render.buffers[i].name);
    cli_json_unsigned(json, "bytes", t->render.buffers[i].bytes);
    cli_json_end(json, '}');
  }
  cli_json_end(json, ']');
}

static void put_stats(const cli_renderer *r, const char *input, const char *output, const cli_picture *picture,
                      const timings *t, cli_json *json) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  cli_json_begin(json, NULL, '{');
  cli_json_string(json, "input", input);
  cli_json_string(json, "output", output);
  bool gpu = stijl_renderer_backend(r->renderer) == STIJL_BACKEND_VULKAN;
  cli_json_string(json, "backend", gpu ? "vulkan" : "cpu");
  cli_json_string(json, "device", stijl_renderer_device(r->renderer));
  cli_json_string(json, "isa", isa_name(r->options->renderer.isa));
  cli_json_unsigned(json, "threads", (uint64_t)r->threads);
  cli_json_unsigned(json, "width", (uint64_t)picture->width);
  cli_json_unsigned(json, "height", (uint64_t)picture->height);
  cli_json_decimal(json, "parse_ms", t->parse_ms);
  cli_json_decimal(json, "style_ms", t->style_ms);
  cli_json_decimal(json, "encode_ms", t->encode_ms);
  cli_json_begin(json, "render_ms", '[');
  for (int i = 0; i < r->options->repeat; i++) cli_json_decimal(json, NULL, t->render_ms[i]);
  cli_json_end(json, ']');
  cli_json_begin(json, "stages", '[');
  if (!gpu) {
    put_stage(json, "flatten", t->render.flatten_ms);
    put_stage(json, "paint", t->render.render_ms - t->render.flatten_ms);
  }
  for (uint32_t i = 0; i < t->render.stage_count; i++)
    put_stage(json, t->render.stages[i].name, t->render.stages[i].us * 1e-3);
  cli_json_end(json, ']');
  if (gpu) put_gpu_stats(r, t, json);
  cli_json_decimal(json, "write_ms", t->write_ms);
  cli_json_unsigned(json, "peak_rss_bytes", (uint64_t)usage.ru_maxrss * 1024);
  cli_json_unsigned(json, "draws", t->render.draws);
  cli_json_unsigned(json, "lines", t->render.lines);
  cli_json_unsigned(json, "bands", t->render.bands);
  cli_json_unsigned(json, "work", stijl_budget_work(r->budget));
  cli_json_unsigned(json, "scratch_bytes", t->render.scratch_bytes);
  cli_json_end(json, '}');
}

static void note_empty(const cli_renderer *r, const timings *t) {
  if (t->render.draws || r->options->quiet) return;
  bool lacks = atomic_load(&r->warnings) > 0;
  cli_report(r->subject, lacks ? "warning: nothing was drawn, the picture is empty" : "note: the picture is empty");
}

// Fails where --strict asks for it: all warnings are known before a picture is written.
static bool check_omissions(const cli_renderer *r, cli_failure *failure) {
  bool lacks = atomic_load(&r->warnings) > 0;
  if (!lacks || !r->options->strict) return true;
  if (!r->options->quiet) return cli_fail(failure, "no picture, because of the warnings (--strict)");
  return cli_fail(failure, "no picture (--strict): %.400s", r->first_warning.text);
}

// Draws it band by band, and writes each.
static bool draw_streamed(const cli_renderer *r, const cli_drawing *d, const char *path, timings *t,
                          cli_failure *failure) {
  if (r->options->repeat > 1)
    return cli_fail(failure, "a picture of more than %llu pixels is drawn once (--repeat)",
                    (unsigned long long)CLI_HELD_PIXELS);
  stijl_render_params params = params_of(r, d);
  cli_stream_times times;
  bool good = cli_stream(r, d->scene, d->size.width, d->size.height, &params, path, &times, &t->render, failure);
  t->encode_ms = times.encode_ms;
  t->render_ms[0] = times.render_ms;
  t->write_ms = times.write_ms;
  return good;
}

// Returns the memory of the picture before, or other memory where it is too small. In a batch it is touched already,
// for which the system takes a tenth of the time of icons of 1024 px. NULL without memory.
static void *pixels_for(cli_renderer *r, size_t bytes) {
  if (r->pixel_bytes >= bytes) return r->pixels;
  free(r->pixels);
  r->pixels = cli_memory_for_pixels(bytes);
  r->pixel_bytes = r->pixels ? bytes : 0;
  return r->pixels;
}

// Draws one of the pictures of a file: number `i`.
static bool render_size(cli_renderer *r, source *s, cli_drawing *d, int i, size_t base, timings *t,
                        cli_picture *picture, cli_failure *failure) {
  bool last = i == r->options->size_count - 1, streamed = false, vector = cli_formats[r->options->format].vector;
  stijl_target target = {.size = sizeof target, .format = STIJL_FORMAT_RGBA8};
  bool good = make_drawing(r, s, &r->options->sizes[i], last, d, t, failure);
  if (good) {
    target.width = picture->width = d->size.width;
    target.height = picture->height = d->size.height;
    target.stride = (size_t)target.width * 4;
    streamed =
        (uint64_t)target.width * (uint64_t)target.height > CLI_HELD_PIXELS && cli_formats[r->options->format].streams;
  }
  if (good && vector) {
    double start = cli_now_ms();
    good = check_omissions(r, failure) && (!base || cli_make_folders(picture->output, base, failure)) &&
           (r->pages ? cli_pages_add : cli_write_vector)(r, d, picture->output, failure);
    t->write_ms = cli_now_ms() - start;
  } else if (good && streamed) {
    good = check_omissions(r, failure) && (!base || cli_make_folders(picture->output, base, failure)) &&
           draw_streamed(r, d, picture->output, t, failure);
  } else if (good) {
    target.pixels = pixels_for(r, target.stride * (size_t)target.height);
    good = target.pixels ? draw(r, d, &target, t, failure) : cli_fail(failure, "out of memory");
  }
  if (good && !i && !vector) note_empty(r, t);
  if (!s->saved) stijl_scene_destroy(d->scene);
  if (s->saved && last) stijl_scene_destroy(s->saved), s->saved = NULL;
  d->scene = NULL;
  cli_watch_writing(&r->options->budget);
  good = good && (streamed || vector || check_omissions(r, failure));
  if (good && !streamed && !vector) {
    double start = cli_now_ms();
    good = (!base || cli_make_folders(picture->output, base, failure)) &&
           cli_write_picture(r, &target, picture->output, failure);
    t->write_ms = cli_now_ms() - start;
  }
  return good;
}

bool cli_render(cli_renderer *r, const cli_jobs *jobs, const cli_job *job, cli_picture *pictures, cli_json *json) {
  const char *input = job->input;
  bool all = true;
  cli_failure failure;
  source from = {0};
  cli_drawing d;
  double start = cli_now_ms();
  timings t = {.render_ms = malloc((size_t)r->options->repeat * sizeof *t.render_ms)};
  r->subject = strcmp(input, "-") == 0 ? "standard input" : input;
  atomic_store(&r->warnings, 0);
  bool ready = (t.render_ms && stijl_budget_create(r->context, &r->options->budget, &r->budget) == STIJL_OK) ||
               cli_fail(&failure, "out of memory");
  bool loaded = ready && load_source(r, input, &from, &d, &t, &failure);
  for (int i = 0; i < r->options->size_count; i++) {
    cli_picture *p = &pictures[i];
    size_t base;
    *p = (cli_picture){.output = cli_job_output(jobs, job, i, &base)};
    if (i && loaded) stijl_budget_restart(r->budget), t.parse_ms = 0;
    if (!p->output) cli_fail(&p->failure, "out of memory");
    if (!loaded) p->failure = failure;
    p->drawn = loaded && p->output && render_size(r, &from, &d, i, base, &t, p, &p->failure);
    if (p->drawn && json) put_stats(r, input, p->output, p, &t, json);
    p->warnings = atomic_load(&r->warnings);
    p->ms = cli_now_ms() - start;
    start += p->ms;
    all = all && p->drawn;
  }
  cli_watch_end();
  release_source(&from);
  if (!r->options->quiet) cli_report_further_warnings(r->subject, atomic_load(&r->warnings));
  stijl_budget_destroy(r->budget);
  r->budget = NULL;
  free(t.render_ms);
  return all;
}
