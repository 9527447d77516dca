// `lab scene FILE.svg` finds out why a picture costs what it costs. It leaves elements out of the document's text,
// large parts first, and measures the picture without them.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "lab/elements.h"
#include "lab/harness.h"
#include "lab/heat.h"
#include "lab/passes.h"

enum { TOP = 10, MAX_TRIES = 160, PARTS = 4, FRAMES = 3, PAIRS = 11, SLOW_US = 50000 };

// The candidates from `first` to `last`, all siblings, and how much less time the picture takes without them; NAN: not
// measured yet.
typedef struct part {
  uint32_t first, last;
  double cost;
} part;

typedef struct costly {
  uint32_t element;
  double cost, low, high, share;  // microseconds, with the bounds of the 95 % interval; a share of the picture's
} costly;

typedef struct run {
  sj_lab *lab;
  const char *path;
  char *text, *copy;
  size_t bytes;
  sj_lab_elements elements;
  stijl_renderer *renderer;
  bool gpu, by_stages;
  int width, height;
  uint32_t *pixels;
  double whole;  // of the whole picture, in microseconds
  uint32_t tries;
  double deadline;  // when the search ends, by search_us
  costly found[TOP * 4];
  uint32_t found_count;
  SJ_ARRAY(uint32_t) candidates;
  SJ_ARRAY(part) queue;
} run;

// --- Measuring ---

// Returns the clock by which the search gives up. On the CPU it is processor time, so that a busy machine does not cut
// it short.
static double search_us(const run *r) { return r->gpu ? sj_now_us() : sj_lab_processor_us(); }

// Returns the time of the last frame by the device's clock, all stages together; by the host's if the device has no
// clock.
static double stages_us(const run *r) {
  stijl_render_stats s;
  stijl_render_stats_init(&s, sizeof s);
  stijl_renderer_stats(r->renderer, &s);
  double us = 0;
  for (uint32_t i = 0; i < s.stage_count && i < STIJL_MAX_STAGES; i++) us += s.stages[i].us;
  return us > 0 ? us : s.latency_us;
}

// Times the last frame on a GPU by drawing it several times, back to back. A frame of several submissions, as of a
// picture with filters, cannot be repeated like that; then the times of its stages are added up. As these are longer,
// that is done from then on for all versions of the picture.
static stijl_result time_frame(run *r, double *us) {
  stijl_result result = STIJL_ERROR_INVALID_STATE;
  if (!r->by_stages) result = stijl_renderer_repeat(r->renderer, r->lab->software ? 1 : 10, us, r->lab->message);
  if (result != STIJL_ERROR_INVALID_STATE) return result;
  *r->lab->message = (stijl_message){""};
  r->by_stages = true;
  *us = stages_us(r);
  return STIJL_OK;
}

static stijl_target target_of(const run *r) {
  stijl_target target = STIJL_TARGET_INIT;
  target.width = r->width;
  target.height = r->height;
  target.pixels = r->pixels;
  target.stride = (size_t)r->width * 4;
  return target;
}

static stijl_result draw(run *r, const stijl_scene *scene, double *us) {
  stijl_target target = target_of(r);
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.background = (stijl_color){1, 1, 1, 1};
  double before = sj_lab_processor_us();
  stijl_result result = stijl_render(r->renderer, scene, &target, &params, r->lab->message);
  *us = sj_lab_processor_us() - before;
  return r->gpu && result == STIJL_OK ? time_frame(r, us) : result;
}

// Records the scene of the text in `copy`.
static stijl_result record(run *r, stijl_scene **out) {
  return sj_lab_record(r->lab, r->copy, r->bytes, r->width, r->height, out);
}

static void leave_out(run *r, uint32_t element) {
  const sj_lab_element *e = &r->elements.list.data[element];
  for (size_t i = e->from; i < e->end; i++)
    if (r->copy[i] != '\n') r->copy[i] = ' ';
}

// Sets *us to the least time of some frames without the candidates first to last; none are left out if first > last.
static stijl_result time_without(run *r, uint32_t first, uint32_t last, uint32_t frames, double *us) {
  stijl_scene *scene;
  memcpy(r->copy, r->text, r->bytes);
  for (uint32_t i = first; i <= last && first <= last; i++) leave_out(r, r->candidates.data[i]);
  *us = INFINITY;
  r->tries++;
  stijl_result result = record(r, &scene);
  for (uint32_t i = 0; i < frames && result == STIJL_OK; i++) {
    double one;
    result = draw(r, scene, &one);
    *us = fmin(*us, one);
  }
  stijl_scene_destroy(scene);
  return result;
}

// --- Searching ---

// Adds PARTS parts of `count` candidates to the queue, fewer if there are not as many.
static bool add_parts(run *r, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < PARTS; i++) {
    part p = {first + count * i / PARTS, first + count * (i + 1) / PARTS, NAN};
    if (p.first == p.last) continue;
    p.last--;
    if (!sj_array_push(r->lab->context, &r->queue, p)) return false;
  }
  return true;
}

// Adds the children of an element as candidates, and their parts to the queue.
static bool add_children(run *r, int parent) {
  uint32_t first = (uint32_t)r->candidates.count;
  for (size_t i = 0; i < r->elements.list.count; i++)
    if (r->elements.list.data[i].parent == parent && r->elements.list.data[i].drawn &&
        !sj_array_push(r->lab->context, &r->candidates, (uint32_t)i))
      return false;
  return add_parts(r, first, (uint32_t)r->candidates.count - first);
}

// Keeps an element that costs this much, and goes on with its children.
static bool keep(run *r, uint32_t element, double cost) {
  if (r->found_count < TOP * 4) r->found[r->found_count++] = (costly){element, cost, 0, 0, 0};
  return !r->elements.list.data[element].children || add_children(r, (int)element);
}

// Takes a part that has not been measured, or else the one that costs most, until little is left to find.
static stijl_result search(run *r) {
  stijl_result result = STIJL_OK;
  while (r->queue.count && r->tries < MAX_TRIES && search_us(r) < r->deadline && result == STIJL_OK) {
    size_t best = 0;
    for (size_t i = 0; i < r->queue.count; i++) {
      double cost = r->queue.data[i].cost;
      if (isnan(cost) || (!isnan(r->queue.data[best].cost) && cost > r->queue.data[best].cost)) best = i;
      if (isnan(cost)) break;
    }
    part p = r->queue.data[best];
    r->queue.data[best] = r->queue.data[--r->queue.count];
    if (isnan(p.cost)) {
      double us;
      result = time_without(r, p.first, p.last, r->whole > SLOW_US ? 1 : FRAMES, &us);
      p.cost = r->whole - us;
      if (p.cost > r->whole * 0.01 && !sj_array_push(r->lab->context, &r->queue, p))
        return sj_fail_memory(r->lab->message);
    } else if (p.first < p.last ? !add_parts(r, p.first, p.last - p.first + 1)
                                : !keep(r, r->candidates.data[p.first], p.cost)) {
      return sj_fail_memory(r->lab->message);
    }
  }
  return result;
}

// Returns whether an element has attributes that make a group cost more than what it holds.
static bool has_layer(const run *r, uint32_t element) {
  static const char *const names[] = {"clip-path", "mask", "filter", "opacity", "mix-blend-mode", "isolation"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (sj_lab_element_has(r->text, &r->elements.list.data[element], names[i])) return true;
  return false;
}

// Confirms the elements that were found. Where a child costs nearly as much as its parent, only the one that is the
// cause is kept. Then the elements are sorted, the first ten are measured once more, and those whose interval includes
// no cost are dropped.
static stijl_result confirm(run *r, uint32_t *count) {
  for (uint32_t i = 0; i < r->found_count; i++)
    for (uint32_t k = 0; k < r->found_count; k++)
      if (r->elements.list.data[r->found[k].element].parent == (int)r->found[i].element &&
          r->found[k].cost > 0.7 * r->found[i].cost)
        r->found[has_layer(r, r->found[i].element) ? k : i].cost = -1;
  for (uint32_t i = 0; i < r->found_count; i++)
    for (uint32_t k = i + 1; k < r->found_count; k++)
      if (r->found[k].cost > r->found[i].cost) {
        costly other = r->found[i];
        r->found[i] = r->found[k];
        r->found[k] = other;
      }
  *count = 0;
  while (*count < r->found_count && *count < TOP && r->found[*count].cost > 0) ++*count;
  stijl_result result = STIJL_OK;
  for (uint32_t i = 0; i < *count && result == STIJL_OK; i++) {
    double differences[PAIRS], shares[PAIRS], low, high;
    r->candidates.data[0] = r->found[i].element;
    for (uint32_t n = 0; n < PAIRS && result == STIJL_OK; n++) {
      double with = 0, without = 0;
      result = time_without(r, 1, 0, 2, &with);
      if (result == STIJL_OK) result = time_without(r, 0, 0, 2, &without);
      differences[n] = with - without;
      shares[n] = 1 - without / with;
    }
    if (result != STIJL_OK) break;
    sj_lab_median(differences, PAIRS, &r->found[i].cost, &r->found[i].low, &r->found[i].high);
    sj_lab_median(shares, PAIRS, &r->found[i].share, &low, &high);
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < *count && result == STIJL_OK; i++)
    if (r->found[i].low > 0 && r->found[i].cost > 0) r->found[kept++] = r->found[i];
  *count = kept;
  return result;
}

// --- What it says ---

// Guesses from the start tag what makes an element costly.
static const char *advice(const run *r, const sj_lab_element *e) {
  static const char *const known[][2] = {
      {"stroke-dasharray", "dashes: each is a stroke of its own; make them longer, or a pattern"},
      {"mix-blend-mode", "blending needs a layer as large as what it holds; make that small, or blend shapes singly"},
      {"filter", "a filter computes each pixel of its region; make the region small"},
      {"mask", "a mask is drawn beside what it masks; a clip is cheaper where it is a shape"},
      {"clip-path", "clips within clips are layers within layers; join them into one path"},
      {"opacity", "opacity of a group needs a layer; give it to the shapes where they do not overlap"},
      {"stroke", "its stroke; fewer segments or a fill instead are cheaper"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (sj_lab_element_has(r->text, e, known[i][0])) return known[i][1];
  return e->children ? "what it holds, together" : "its size or its number of segments";
}

static void write_costly(run *r, uint32_t count, const char *backend) {
  const sj_lab_column columns[] = {{"line", "line", SJ_LAB_COUNT},
                                   {"element", "element", SJ_LAB_NAME},
                                   SJ_LAB_TIME_COLUMNS("cost"),
                                   {"share", "of the picture", SJ_LAB_SHARE},
                                   {"advice", "because of", SJ_LAB_NAME}};
  sj_lab_cell cells[TOP * 7];
  char names[TOP][80], key[32], title[96];
  for (uint32_t i = 0; i < count; i++) {
    const costly *c = &r->found[i];
    const sj_lab_element *e = &r->elements.list.data[c->element];
    sj_lab_element_name(r->text, e, names[i], sizeof names[i]);
    const sj_lab_cell row[] = {SJ_LAB_NUMBER(e->line),   SJ_LAB_TEXT(names[i]),  SJ_LAB_NUMBER(c->cost),
                               SJ_LAB_NUMBER(c->low),    SJ_LAB_NUMBER(c->high), SJ_LAB_NUMBER(c->share),
                               SJ_LAB_TEXT(advice(r, e))};
    memcpy(&cells[i * 7], row, sizeof row);
  }
  if (count)
    sj_lab_say(r->lab->page, "%s: line %u, %s, costs %.0f %% of the picture's %.3g ms: %s.", backend,
               r->elements.list.data[r->found[0].element].line, names[0], r->found[0].share * 100, r->whole / 1e3,
               advice(r, &r->elements.list.data[r->found[0].element]));
  else
    sj_lab_say(r->lab->page, "%s: the picture takes %.3g ms, and %s.", backend, r->whole / 1e3,
               r->queue.count ? "there was no time to find what costs most of it: try it with parts of the document"
                              : "no element costs 1 % of it by itself");
  snprintf(key, sizeof key, "costly_%s", r->gpu ? "gpu" : "cpu");
  snprintf(title, sizeof title, "%s: the elements that cost most, each confirmed by leaving it out", backend);
  sj_lab_table(r->lab->page, key, title, columns, 7, cells, count);
}

static void write_stages(run *r, const char *backend) {
  stijl_render_stats s;
  stijl_render_stats_init(&s, sizeof s);
  stijl_renderer_stats(r->renderer, &s);
  const sj_lab_column columns[] = {{"stage", "stage", SJ_LAB_NAME}, {"us", "time", SJ_LAB_US}};
  sj_lab_cell cells[(STIJL_MAX_STAGES + 3) * 2];
  uint32_t rows = 0;
  cells[rows * 2] = SJ_LAB_TEXT("encode");
  cells[rows++ * 2 + 1] = SJ_LAB_NUMBER(s.encode_ms * 1e3);
  if (!s.stage_count) {
    cells[rows * 2] = SJ_LAB_TEXT("flatten");
    cells[rows++ * 2 + 1] = SJ_LAB_NUMBER(s.flatten_ms * 1e3);
    cells[rows * 2] = SJ_LAB_TEXT("paint");
    cells[rows++ * 2 + 1] = SJ_LAB_NUMBER((s.render_ms - s.flatten_ms) * 1e3);
  }
  for (uint32_t i = 0; i < s.stage_count && i < STIJL_MAX_STAGES; i++, rows++) {
    cells[rows * 2] = SJ_LAB_TEXT(s.stages[i].name);
    cells[rows * 2 + 1] = SJ_LAB_NUMBER(s.stages[i].us);
  }
  char key[32], title[96];
  snprintf(key, sizeof key, "stages_%s", r->gpu ? "gpu" : "cpu");
  snprintf(title, sizeof title, "%s: %u x %u pixels, %u draws, %llu lines", backend, (unsigned)r->width,
           (unsigned)r->height, s.draws, (unsigned long long)s.lines);
  sj_lab_table(r->lab->page, key, title, columns, 2, cells, rows);
}

static stijl_result write_passes(run *r, const stijl_scene *scene, const char *backend) {
  stijl_target target = target_of(r);
  char title[96];
  snprintf(title, sizeof title, "%s: its passes", backend);
  return sj_lab_write_passes(r->lab, r->renderer, scene, &target, r->gpu ? "passes_gpu" : "passes_cpu", title,
                             r->gpu ? sj_now_us : sj_lab_processor_us);
}

// Draws the whole picture, and writes its passes and, for the CPU, maps.
static stijl_result show_whole(run *r, const char *backend) {
  stijl_scene *scene;
  double us;
  memcpy(r->copy, r->text, r->bytes);
  stijl_result result = record(r, &scene);
  if (result == STIJL_OK) result = draw(r, scene, &us);
  if (result == STIJL_OK) result = write_passes(r, scene, backend);
  if (result == STIJL_OK && !r->gpu)
    result = sj_lab_draw_heat(r->lab, r->renderer, scene, r->width, r->height, r->pixels);
  stijl_scene_destroy(scene);
  return result;
}

// --- All ---

static stijl_result look(run *r, bool gpu) {
  sj_lab *lab = r->lab;
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.backend = gpu ? STIJL_BACKEND_VULKAN : STIJL_BACKEND_CPU;
  params.threads = 1;
  params.device = lab->index;
  params.device_name = lab->params->device_name;
  r->gpu = gpu;
  r->by_stages = false;
  r->tries = r->found_count = 0;
  r->candidates.count = r->queue.count = 0;
  const char *backend = gpu ? "GPU" : "CPU, one thread";
  stijl_result result = stijl_renderer_create(lab->context, &params, &r->renderer, lab->message);
  if (result == STIJL_OK) result = time_without(r, 1, 0, 3 * FRAMES, &r->whole);
  if (result == STIJL_OK) write_stages(r, backend);
  // The search begins with the root's children.
  if (result == STIJL_OK && !add_children(r, 0)) result = sj_fail_memory(lab->message);
  r->deadline = search_us(r) + (gpu && lab->software ? 20e6 : lab->params->quick ? 6e6 : 10e6);
  if (result == STIJL_OK) result = search(r);
  uint32_t count = 0;
  if (result == STIJL_OK) result = confirm(r, &count);
  if (result == STIJL_OK) write_costly(r, count, backend);
  if (result == STIJL_OK) result = show_whole(r, backend);
  stijl_renderer_destroy(r->renderer);
  r->renderer = NULL;
  return result;
}

static stijl_result open_document(run *r) {
  sj_lab *lab = r->lab;
  stijl_result result = sj_lab_read_file(lab, r->path, &r->text, &r->bytes);
  if (result != STIJL_OK) return result;
  if (r->bytes >= 2 && memcmp(r->text, "\x1f\x8b", 2) == 0)
    return sj_fail(lab->message, STIJL_ERROR_UNSUPPORTED,
                   "%.160s is compressed: gunzip it, so that its lines can be named", r->path);
  stijl_svg *document = NULL;
  float width, height;
  result = stijl_svg_load(lab->context, r->text, r->bytes, NULL, &document, lab->message);
  if (result != STIJL_OK) return result;
  stijl_svg_size(document, &width, &height);
  stijl_svg_destroy(document);
  float most = fmaxf(width, height), longest = lab->params->quick ? 256 : 1024, scale = most > 0 ? longest / most : 1;
  r->width = (int)fmaxf(1, ceilf(width * scale));
  r->height = (int)fmaxf(1, ceilf(height * scale));
  r->copy = sj_alloc(lab->context, r->bytes + 1);
  r->pixels = sj_alloc_array(lab->context, (size_t)r->width * (size_t)r->height, sizeof *r->pixels);
  if (!r->copy || !r->pixels) return sj_fail_memory(lab->message);
  if (!sj_lab_elements_find(&r->elements, lab->context, r->text, r->bytes))
    return sj_fail(lab->message, STIJL_ERROR_MALFORMED, "%.160s: its elements cannot be told apart", r->path);
  return STIJL_OK;
}

stijl_result sj_lab_run_scene(sj_lab *lab) {
  if (!lab->params->file)
    return sj_fail(lab->message, STIJL_ERROR_INVALID_ARGUMENT, "scene takes the name of an SVG file");
  run *r = sj_alloc_zero(lab->context, sizeof *r);
  if (!r) return sj_fail_memory(lab->message);
  r->lab = lab;
  r->path = lab->params->file;
  r->elements.context = lab->context;
  stijl_result result = open_document(r);
  if (result == STIJL_OK) result = look(r, false);
  // A software device only repeats, slowly, what the CPU shows, so it is used only if it was asked for.
  bool asked = lab->params->device >= 0 || lab->params->device_name;
  bool has_gpu = result == STIJL_OK && lab->has_device && (!lab->software || asked);
  if (has_gpu) result = look(r, true);
  sj_lab_elements_finish(&r->elements);
  sj_arrays_finish(lab->context, &r->candidates, &r->queue);
  sj_free(lab->context, r->pixels);
  sj_free(lab->context, r->copy);
  sj_free(lab->context, r->text);
  sj_free(lab->context, r);
  return result;
}
