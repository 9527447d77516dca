// Shapes that wind many times around the same pixels, and what they cover: exactly, by other means than the renderer's.
#ifndef SJ_TEST_WINDINGS_H
#define SJ_TEST_WINDINGS_H

#include <stdlib.h>

#include "scene/scene.h"
#include "stijl/stijl.h"
#include "test.h"

enum { WINDINGS_WIDTH = 24, WINDINGS_HEIGHT = 12 };

typedef enum windings_turn { WINDINGS_FORWARDS, WINDINGS_BACKWARDS, WINDINGS_MIXED, WINDINGS_TURNS } windings_turn;

typedef struct windings {
  uint32_t count;      // of shapes over one another
  windings_turn turn;  // mixed: in turn forwards and backwards
  bool stroke;         // each shape is a straight stroke, whose direction does not matter
  stijl_fill_rule rule;
  bool run;  // they are instances of a glyph run, which winds by the non-zero rule
} windings;

// The rectangle, whose edges lie on 1/256 pixel.
static const stijl_rect windings_rect = {2.25f, 3.5f, 17.75f, 6.125f};

static inline void windings_draw_run(stijl_scene *scene, const windings *w) {
  stijl_instance *instances = calloc(w->count, sizeof *instances);
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_add_rect(path, 0, 0, windings_rect.x1 - windings_rect.x0, windings_rect.y1 - windings_rect.y0);
  const stijl_matrix matrices[] = {{1, 0, 0, 1, windings_rect.x0, windings_rect.y0},
                                   {-1, 0, 0, 1, windings_rect.x1, windings_rect.y0}};
  uint32_t outline = stijl_scene_add_outline(scene, path);
  for (uint32_t i = 0; instances && i < w->count; i++) {
    bool back = w->turn == WINDINGS_MIXED ? i & 1 : w->turn == WINDINGS_BACKWARDS;
    instances[i] = (stijl_instance){outline, back, 0, 0};
  }
  stijl_glyph_run run = {sizeof run, instances, w->count, matrices, 2};
  stijl_paint white = stijl_paint_solid((stijl_color){1, 1, 1, 1});
  stijl_scene_fill_glyphs(scene, &run, NULL, &white);
  stijl_path_destroy(path);
  free(instances);
}

static inline void windings_draw(stijl_scene *scene, const windings *w) {
  if (w->run) {
    windings_draw_run(scene, w);
    return;
  }
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  scene->union_steps = SJ_UNION_STEPS;  // they are not to become the outline of what they cover
  stijl_rect r = windings_rect;
  float middle = 0.5f * (r.y0 + r.y1);
  for (uint32_t i = 0; i < w->count; i++) {
    bool back = w->turn == WINDINGS_MIXED ? i & 1 : w->turn == WINDINGS_BACKWARDS;
    float x0 = back ? r.x1 : r.x0, x1 = back ? r.x0 : r.x1;
    stijl_path_move_to(path, x0, w->stroke ? middle : r.y0);
    if (w->stroke) {  // of two lines, since a line that is repeated would be drawn once
      stijl_path_line_to(path, 0.5f * (x0 + x1), middle);
      stijl_path_line_to(path, x1, middle);
      continue;
    }
    stijl_path_line_to(path, x1, r.y0);
    stijl_path_line_to(path, x1, r.y1);
    stijl_path_line_to(path, x0, r.y1);
    stijl_path_close(path);
  }
  stijl_paint white = stijl_paint_solid((stijl_color){1, 1, 1, 1});
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = r.y1 - r.y0;
  if (w->stroke)
    stijl_scene_stroke(scene, path, &stroke, NULL, &white);
  else
    stijl_scene_fill(scene, path, w->rule, NULL, &white);
  stijl_path_destroy(path);
}

// Renders a region. An empty one is all of it; else `pixels` are those of its upper left corner on. What is not drawn
// stays 0x5a where all is asked for.
static inline void windings_render(stijl_renderer *renderer, const stijl_scene *scene, int width, int height,
                                   stijl_irect region, uint8_t *pixels) {
  stijl_target target = {.size = sizeof target,
                         .width = width,
                         .height = height,
                         .region = region,
                         .format = STIJL_FORMAT_RGBA8,
                         .pixels = pixels,
                         .stride = (size_t)width * 4};
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.background = (stijl_color){0, 0, 0, 0};
  stijl_message message = {""};
  if (region.x0 == region.x1) memset(pixels, 0x5a, (size_t)width * (size_t)height * 4);
  if (stijl_render(renderer, scene, &target, &params, &message) != STIJL_OK)
    sj_test_fail(__FILE__, __LINE__, "%s", message.text);
}

// Returns how many of 256 parts of pixel i lie within from..to.
static inline int64_t windings_overlap(int i, float from, float to) {
  float lo = from > (float)i ? from : (float)i, hi = to < (float)(i + 1) ? to : (float)(i + 1);
  return lo < hi ? (int64_t)((hi - lo) * 256.0f) : 0;
}

static inline int windings_coverage(const windings *w, int x, int y) {
  int64_t turns = w->stroke || w->turn != WINDINGS_MIXED ? w->count : w->count & 1;
  int64_t area = turns * windings_overlap(x, windings_rect.x0, windings_rect.x1) *
                 windings_overlap(y, windings_rect.y0, windings_rect.y1);
  if (!w->stroke && w->rule == STIJL_FILL_EVENODD) {
    area %= 2 * 65536;
    if (area > 65536) area = 2 * 65536 - area;
  }
  return area >= 65536 ? 255 : (int)(area >> 8);
}

static inline void windings_check(const windings *w, const uint8_t *pixels, const char *where) {
  for (int y = 0; y < WINDINGS_HEIGHT; y++)
    for (int x = 0; x < WINDINGS_WIDTH; x++) {
      int got = pixels[(y * WINDINGS_WIDTH + x) * 4 + 3], expected = windings_coverage(w, x, y);
      if (got == expected) continue;
      sj_test_fail(__FILE__, __LINE__, "%s: %u %s, rule %d, turn %d: coverage of %d, %d is %d, expected %d", where,
                   w->count, w->stroke ? "strokes" : "fills", (int)w->rule, (int)w->turn, x, y, got, expected);
      return;
    }
}

#endif
