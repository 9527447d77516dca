// `lab ablate` without a manifest forces the renderer's own features on in scenes that do not use them, or in a picture
// of the user's. None should cost anything, since stages are specialised by what a scene uses.
#include <stdio.h>
#include <string.h>

#include "lab/frames.h"

enum { FORCED = 6, SCENES = 2 };

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
  sj_lab_canvas canvas;
  stijl_renderer *renderers[FORCED];
} run;

// Records the user's picture, as large as the scenes that are measured otherwise.
static stijl_result record_file(run *r, stijl_scene **out) {
  char *svg = NULL;
  size_t bytes = 0;
  *out = NULL;
  stijl_result result = sj_lab_read_file(r->lab, r->lab->params->file, &svg, &bytes);
  if (result == STIJL_OK) result = sj_lab_record(r->lab, svg, bytes, r->canvas.size, r->canvas.size, out);
  sj_free(r->lab->context, svg);
  return result;
}

// Records many small triangles, whose cost is in edges, or some large translucent rectangles, whose cost is in pixels.
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
  int size = r->canvas.size;
  *out = NULL;
  stijl_result result =
      text.failed ? sj_fail_memory(r->lab->message) : sj_lab_record(r->lab, text.data, text.count, size, size, out);
  sj_lab_text_finish(&text);
  return result;
}

static stijl_result make_renderers(run *r) {
  stijl_result result = STIJL_OK;
  for (uint32_t i = 0; i < FORCED && result == STIJL_OK; i++) {
    const sj_pipelines_change change = {.features = forced[i].features};
    result = sj_lab_renderer_create(r->lab, &change, &r->renderers[i], r->lab->message);
  }
  return result;
}

// Draws the same picture with all of them, compares, and then times them.
static stijl_result measure(run *r, const stijl_scene *scene, sj_lab_estimate *times) {
  stijl_result result = STIJL_OK;
  for (uint32_t i = 0; i < FORCED && result == STIJL_OK; i++) {
    bool same;
    result = sj_lab_draw(&r->canvas, r->renderers[i], scene, i == 0, &same, r->lab->message);
    if (result == STIJL_OK && !same)
      sj_lab_wrong(r->lab->page, "with %s forced the picture is another", forced[i].name);
  }
  return result == STIJL_OK ? sj_lab_time_frames(r->lab, r->renderers, FORCED, times) : result;
}

static stijl_result measure_all(run *r) {
  static const char *const scenes[SCENES] = {"small triangles", "24 rectangles, half the picture each"};
  static const sj_lab_column columns[] = {{"key", "", SJ_LAB_NAME},
                                          {"scene", "scene", SJ_LAB_NAME},
                                          {"forced", "forced", SJ_LAB_NAME},
                                          SJ_LAB_TIME_COLUMNS("a frame"),
                                          {"cost", "cost", SJ_LAB_SHARE}};
  const char *file = r->lab->params->file;
  sj_lab_cell cells[SCENES * FORCED * 7];
  char keys[SCENES * FORCED][32];
  uint32_t rows = 0, named = 0;
  for (uint32_t s = 0; s < (file ? 1 : SCENES); s++) {
    const char *name = file ? file : scenes[s];
    stijl_scene *scene;
    sj_lab_estimate times[FORCED];
    stijl_result result = file ? record_file(r, &scene) : record(r, s, &scene);
    if (result == STIJL_OK) result = measure(r, scene, times);
    stijl_scene_destroy(scene);
    if (result != STIJL_OK) return result;
    for (uint32_t i = 0; i < FORCED; i++) {
      double us = times[i].us, low = times[i].low, high = times[i].high, cost = us / times[0].us - 1;
      snprintf(keys[rows], sizeof *keys, "%u_%.20s", s, forced[i].name);
      const sj_lab_cell row[] = {SJ_LAB_TEXT(keys[rows]), SJ_LAB_TEXT(name),  SJ_LAB_TEXT(forced[i].name),
                                 SJ_LAB_NUMBER(us),       SJ_LAB_NUMBER(low), SJ_LAB_NUMBER(high),
                                 SJ_LAB_NUMBER(cost)};
      memcpy(&cells[rows++ * 7], row, sizeof row);
      if (r->lab->software || sj_lab_changed(times[0], times[i]) != SJ_LAB_SLOWER) continue;
      named++;
      sj_lab_say(r->lab->page, "%s would cost %s %.0f %% by mere presence; stages specialised without it save that.",
                 forced[i].name, name, cost * 100);
    }
  }
  if (r->lab->software)
    sj_lab_say(
        r->lab->page,
        "What features cost by their mere presence is not judged here: a software device takes turns with whatever "
        "else the processors do, which changes frames by more than that.");
  else if (!named)
    sj_lab_say(r->lab->page, "No feature of the renderer costs a scene that does not use it 3 %% or more.");
  sj_lab_table(r->lab->page, "features", "The renderer's features, forced on where nothing uses them", columns, 7,
               cells, rows);
  return STIJL_OK;
}

stijl_result sj_lab_ablate_renderer(sj_lab *lab) {
  run r = {.lab = lab};
  sj_lab_write_device(lab);
  stijl_result result = sj_lab_canvas_init(lab, lab->software ? 128 : 2048, &r.canvas);
  if (result == STIJL_OK) result = make_renderers(&r);
  if (result == STIJL_OK) result = measure_all(&r);
  for (uint32_t i = 0; i < FORCED; i++) stijl_renderer_destroy(r.renderers[i]);
  sj_lab_canvas_finish(lab, &r.canvas);
  return result;
}
