// `lab ablate` without a manifest: the renderer's own features, forced on in scenes that do not use them. None should
// cost anything, since stages are specialised by what a scene uses.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gpu/pipeline.h"
#include "lab/ablate.h"
#include "stijl/stijl.h"

enum { FORCED = 6, SCENES = 2, ROUNDS = 15 };

static const struct {
  const char *name;
  uint32_t features;
} forced[FORCED] = {{"none", 0},
                    {"layers", SJ_FEATURE_LAYERS},
                    {"gradients", SJ_FEATURE_GRADIENTS},
                    {"images", SJ_FEATURE_IMAGES},
                    {"blends", SJ_FEATURE_BLENDS},
                    {"all of them", SJ_FEATURE_LAYERS | SJ_FEATURE_GRADIENTS | SJ_FEATURE_IMAGES | SJ_FEATURE_BLENDS}};

typedef struct run {
  sj_lab *lab;
  uint32_t size;
  stijl_renderer *renderers[FORCED];
  uint32_t *first, *pixels;
  stijl_budget *budget;  // the first frame compiles, which can take a while
} run;

// Many small triangles, or some large translucent rectangles: edges, or pixels.
static stijl_result record(run *r, uint32_t which, stijl_scene **out) {
  sj_lab_text text = {.context = r->lab->context};
  uint32_t random = 1;
  sj_lab_add_all(&text, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1024 1024'>");
  for (int i = 0; i < (which ? 24 : r->lab->software ? 300 : 3000); i++) {
    random = random * 1664525u + 1013904223u;
    uint32_t x = random >> 8 & 1023, y = random >> 18 & 1023;
    if (which)
      sj_lab_add(&text, "<rect x='%u' y='%u' width='700' height='700' fill='#28c' fill-opacity='.5'/>", x / 3, y / 3);
    else
      sj_lab_add(&text, "<path d='M%u %ul30 9-11 30z' fill='#%03x'/>", x, y, random >> 4 & 0xfff);
  }
  sj_lab_add_all(&text, "</svg>");
  int size = (int)r->size;
  *out = NULL;
  stijl_result result = text.failed ? sj_fail_memory(r->lab->message)
                                    : sj_lab_record(r->lab, text.data, text.count, size, size, out);
  sj_lab_text_finish(&text);
  return result;
}

static stijl_result make_renderers(run *r) {
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.backend = STIJL_BACKEND_VULKAN;
  params.threads = 1;
  params.device = r->lab->params->device;
  params.device_name = r->lab->params->device_name;
  stijl_result result = STIJL_OK;
  for (uint32_t i = 0; i < FORCED && result == STIJL_OK; i++) {
    sj_pipelines_changed = (sj_pipelines_change){.features = forced[i].features};
    result = stijl_renderer_create(r->lab->context, &params, &r->renderers[i], r->lab->message);
    sj_pipelines_changed = (sj_pipelines_change){0};
  }
  return result;
}

// The same picture by all of them, then their times in turns.
static stijl_result measure(run *r, const stijl_scene *scene, double (*times)[ROUNDS], uint32_t rounds) {
  stijl_target target = STIJL_TARGET_INIT;
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  stijl_message *message = r->lab->message;
  size_t bytes = (size_t)r->size * r->size * 4;
  target.width = target.height = (int)r->size;
  target.stride = (size_t)r->size * 4;
  params.background = (stijl_color){1, 1, 1, 1};
  params.budget = r->budget;
  stijl_result result = STIJL_OK;
  for (uint32_t i = 0; i < FORCED && result == STIJL_OK; i++) {
    target.pixels = i ? r->pixels : r->first;
    result = stijl_render(r->renderers[i], scene, &target, &params, message);
    if (result == STIJL_OK && i && memcmp(r->first, r->pixels, bytes) != 0)
      sj_lab_wrong(r->lab->page, "with %s forced the picture is another", forced[i].name);
  }
  if (result == STIJL_OK) result = sj_lab_warm(r->lab);
  for (uint32_t n = 0; n < rounds; n++)
    for (uint32_t i = 0; i < FORCED && result == STIJL_OK; i++)
      result = stijl_renderer_repeat(r->renderers[i], r->lab->quick ? 1 : 20, &times[i][n], message);
  return result;
}

static stijl_result measure_all(run *r) {
  static const char *const scenes[SCENES] = {"small triangles", "24 rectangles, half the picture each"};
  static const sj_lab_column columns[] = {{"key", "", SJ_LAB_NAME},          {"scene", "scene", SJ_LAB_NAME},
                                          {"forced", "forced", SJ_LAB_NAME}, {"us", "a frame", SJ_LAB_US},
                                          {"low", "95 % from", SJ_LAB_US},   {"high", "to", SJ_LAB_US},
                                          {"cost", "cost", SJ_LAB_SHARE}};
  sj_lab_cell cells[SCENES * FORCED * 7];
  char keys[SCENES * FORCED][32];
  uint32_t rounds = r->lab->quick ? 5 : ROUNDS, rows = 0, named = 0;
  for (uint32_t s = 0; s < SCENES; s++) {
    stijl_scene *scene;
    double times[FORCED][ROUNDS], base = 0, base_high = 0;
    stijl_result result = record(r, s, &scene);
    if (result == STIJL_OK) result = measure(r, scene, times, rounds);
    stijl_scene_destroy(scene);
    if (result != STIJL_OK) return result;
    for (uint32_t i = 0; i < FORCED; i++) {
      double us, low, high;
      sj_lab_median(times[i], rounds, &us, &low, &high);
      if (!i) base = us, base_high = high;
      snprintf(keys[rows], sizeof *keys, "%u_%.20s", s, forced[i].name);
      const sj_lab_cell row[] = {SJ_LAB_TEXT(keys[rows]),     SJ_LAB_TEXT(scenes[s]), SJ_LAB_TEXT(forced[i].name),
                                 SJ_LAB_NUMBER(us),           SJ_LAB_NUMBER(low),     SJ_LAB_NUMBER(high),
                                 SJ_LAB_NUMBER(us / base - 1)};
      memcpy(&cells[rows++ * 7], row, sizeof row);
      if (us <= base * 1.03 || low <= base_high) continue;
      named++;
      sj_lab_say(r->lab->page, "%s would cost %s %.0f %% by mere presence; stages specialised without it save that.",
                 forced[i].name, scenes[s], (us / base - 1) * 100);
    }
  }
  if (!named) sj_lab_say(r->lab->page, "No feature of the renderer costs a scene that does not use it 3 %% or more.");
  sj_lab_table(r->lab->page, "features", "The renderer's features, forced on where nothing uses them", columns, 7,
               cells, rows);
  return STIJL_OK;
}

stijl_result sj_lab_ablate_renderer(sj_lab *lab) {
  run r = {.lab = lab, .size = lab->software ? 128 : 1024};
  size_t bytes = (size_t)r.size * r.size * 4;
  r.first = sj_alloc(lab->context, bytes);
  r.pixels = sj_alloc(lab->context, bytes);
  stijl_result result = r.first && r.pixels ? STIJL_OK : sj_fail_memory(lab->message);
  stijl_budget_params minutes = STIJL_BUDGET_PARAMS_INIT;
  minutes.max_seconds = 600;
  if (result == STIJL_OK) result = stijl_budget_create(lab->context, &minutes, &r.budget);
  sj_lab_write_device(lab);
  if (result == STIJL_OK) result = make_renderers(&r);
  if (result == STIJL_OK) result = measure_all(&r);
  for (uint32_t i = 0; i < FORCED; i++) stijl_renderer_destroy(r.renderers[i]);
  stijl_budget_destroy(r.budget);
  sj_free(lab->context, r.first);
  sj_free(lab->context, r.pixels);
  return result;
}
