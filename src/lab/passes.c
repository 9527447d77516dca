#include "lab/passes.h"

#include <math.h>
#include <string.h>

#include "render/renderer.h"
#include "scene/watch.h"

enum { MOST = 24, ROWS = MOST + 3, FRAMES = 3 };

// One or more passes that were drawn together.
typedef struct step {
  const char *what;
  uint32_t passes, draws;
  double pixels, us;
} step;

typedef struct frame {
  double (*clock)(void);
  double last_us, device_us;
  uint32_t passes;  // of the scene
  uint32_t count;
  step steps[ROWS];  // steps beyond MOST share the next entry; behind it come all filters of a GPU, and the target
  step filters;      // the sum of all filters of the scene
} frame;

static void add(step *s, const sj_encoded *scene, uint32_t pass_number) {
  const k_pass *pass = &scene->passes.data[pass_number];
  const k_surface *surface = &scene->surfaces.data[pass->surface];
  s->passes++;
  s->draws += pass->end - pass->first;
  s->pixels += (double)surface->width * surface->height;
}

static void begin(frame *f, const sj_encoded *scene) {
  f->passes = (uint32_t)scene->passes.count;
  f->filters.what = "filters";
  for (uint32_t i = 0; i + 1 < f->passes; i++)
    if (scene->passes.data[i].filter_use) add(&f->filters, scene, i);
}

static void done(void *user, const sj_encoded *scene, const uint32_t *passes, uint32_t count, double device_us) {
  frame *f = user;
  double now = f->clock();
  if (count) {
    bool listed = f->count < MOST;
    step *s = &f->steps[listed ? f->count++ : MOST];
    s->what = !listed ? "others" : scene->passes.data[passes[0]].filter_use ? "a filter" : "a surface";
    if (listed && count > 1) s->what = "surfaces, together";
    for (uint32_t i = 0; i < count; i++) add(s, scene, passes[i]);
    s->us += device_us > 0 ? device_us - f->device_us : now - f->last_us;
  } else {
    begin(f, scene);
  }
  f->device_us = device_us;
  f->last_us = now;
}

// Reads what a GPU's stages have taken, filters apart.
static void device_times(const stijl_renderer *renderer, double *stages, double *filters) {
  stijl_render_stats s;
  stijl_render_stats_init(&s, sizeof s);
  stijl_renderer_stats(renderer, &s);
  *stages = *filters = 0;
  for (uint32_t i = 0; i < s.stage_count && i < STIJL_MAX_STAGES; i++)
    *(strcmp(s.stages[i].name, "filters") == 0 ? filters : stages) += s.stages[i].us;
}

static stijl_result draw(sj_lab *lab, stijl_renderer *renderer, const stijl_scene *scene, const stijl_target *target,
                         frame *f) {
  double stages, filters;
  const sj_watch watch = {done, f};
  sj_renderer_watch(renderer, &watch);
  stijl_result result = stijl_render(renderer, scene, target, NULL, lab->message);
  sj_renderer_watch(renderer, NULL);
  double now = f->clock();
  device_times(renderer, &stages, &filters);
  if (f->steps[MOST].passes) f->count = MOST + 1;
  f->filters.us = filters;
  if (filters > 0) f->steps[f->count++] = f->filters;
  f->steps[f->count++] = (step){.what = "the target",
                                .passes = 1,
                                .pixels = (double)target->width * target->height,
                                .us = stages > 0 ? stages - f->device_us : now - f->last_us};
  return result;
}

static void write(sj_lab *lab, const char *key, const char *title, const frame *f) {
  static const sj_lab_column columns[] = {{"pass", "pass", SJ_LAB_NAME},
                                          {"passes", "passes", SJ_LAB_COUNT},
                                          {"pixels", "pixels", SJ_LAB_COUNT},
                                          {"us", "time", SJ_LAB_US}};
  sj_lab_cell cells[ROWS * 4];
  for (uint32_t i = 0; i < f->count; i++) {
    const step *s = &f->steps[i];
    const sj_lab_cell row[] = {SJ_LAB_TEXT(s->what), SJ_LAB_NUMBER(s->passes), SJ_LAB_NUMBER(s->pixels),
                               SJ_LAB_NUMBER(s->us)};
    memcpy(&cells[i * 4], row, sizeof row);
  }
  sj_lab_table(lab->page, key, title, columns, 4, cells, f->count);
}

stijl_result sj_lab_write_passes(sj_lab *lab, stijl_renderer *renderer, const stijl_scene *scene,
                                 const stijl_target *target, const char *key, const char *title,
                                 double (*clock)(void)) {
  frame best = {0};
  stijl_result result = STIJL_OK;
  double least = INFINITY;
  for (int n = 0; n < FRAMES && result == STIJL_OK; n++) {
    frame one = {.clock = clock};
    double us = 0;
    result = draw(lab, renderer, scene, target, &one);
    for (uint32_t i = 0; i < one.count; i++) us += one.steps[i].us;
    if (us >= least) continue;
    best = one;
    least = us;
  }
  if (result == STIJL_OK && best.passes > 1) write(lab, key, title, &best);
  return result;
}
