// Budgets at work: documents and scenes that end by one, or are cancelled.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "processor.h"
#include "stijl/stijl.h"
#include "test.h"

static stijl_budget *create(double seconds, uint64_t memory, uint64_t work) {
  stijl_budget_params params = STIJL_BUDGET_PARAMS_INIT;
  params.max_seconds = seconds;
  params.max_memory = memory;
  params.max_work = work;
  stijl_budget *budget = NULL;
  CHECK_INT(stijl_budget_create(NULL, &params, &budget), STIJL_OK);
  return budget;
}

// Makes a scene of `count` squares over the whole canvas, on top of one another; turned a little, so that each has
// edges everywhere.
static stijl_scene *squares(int count) {
  stijl_scene *scene = NULL;
  stijl_path *path = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_add_rect(path, -1000, -1000, 3000, 3000);
  stijl_paint paint = stijl_paint_solid((stijl_color){0.5f, 0.1f, 0.9f, 0.01f});
  stijl_matrix turn = stijl_matrix_rotate(1);
  for (int i = 0; i < count; i++) stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, &turn, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_path_destroy(path);
  return scene;
}

#define SIDE 1000

static stijl_result render(const stijl_scene *scene, int threads, stijl_budget *budget, stijl_message *message) {
  static uint8_t pixels[SIDE * SIDE * 4];
  stijl_renderer_params renderer_params = STIJL_RENDERER_PARAMS_INIT;
  renderer_params.threads = threads;
  stijl_renderer *renderer = NULL;
  CHECK_INT(stijl_renderer_create(NULL, &renderer_params, &renderer, NULL), STIJL_OK);
  stijl_target target = STIJL_TARGET_INIT;
  target.width = target.height = SIDE;
  target.pixels = pixels;
  target.stride = SIDE * 4;
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.budget = budget;
  stijl_result result = stijl_render(renderer, scene, &target, &params, message);
  stijl_renderer_destroy(renderer);
  return result;
}

TEST(rendering_ends_in_time) {
  stijl_scene *scene = squares(100000);
  for (int threads = 1; threads <= 3; threads += 2) {
    stijl_budget *budget = create(0.1, 0, UINT64_MAX);
    stijl_message message;
    double start = sj_test_processor_seconds();
    CHECK_INT(render(scene, threads, budget, &message), STIJL_ERROR_LIMIT);
    CHECK(sj_test_processor_seconds() - start < 1.5);  // 0.1 where nothing else runs
    CHECK_STR(message.text, "it takes longer than max_seconds (0.1)");
    // A budget that is spent stays so.
    CHECK_INT(render(scene, threads, budget, &message), STIJL_ERROR_LIMIT);
    stijl_budget_destroy(budget);
  }
  stijl_scene_destroy(scene);
}

TEST(work_is_the_same_for_any_threads) {
  stijl_scene *scene = squares(20);
  uint64_t work[3];
  for (int i = 0; i < 3; i++) {
    stijl_budget *budget = create(0, 0, 0);
    CHECK_INT(render(scene, i + 1, budget, NULL), STIJL_OK);
    work[i] = stijl_budget_work(budget);
    stijl_budget_destroy(budget);
  }
  CHECK(work[0] > SIDE * SIDE);
  CHECK_INT(work[1], work[0]);
  CHECK_INT(work[2], work[0]);
  stijl_budget *budget = create(0, 0, work[0] / 2);
  stijl_message message;
  CHECK_INT(render(scene, 1, budget, &message), STIJL_ERROR_LIMIT);
  CHECK(strstr(message.text, "max_work"));
  stijl_budget_destroy(budget);
  stijl_scene_destroy(scene);
}

TEST(rendering_keeps_to_its_memory) {
  stijl_scene *scene = squares(100000);
  stijl_budget *budget = create(0, 100000, UINT64_MAX);
  stijl_message message;
  CHECK_INT(render(scene, 1, budget, &message), STIJL_ERROR_LIMIT);
  CHECK_STR(message.text, "it takes more memory than max_memory (100000 bytes)");
  stijl_budget_destroy(budget);
  stijl_scene_destroy(scene);
}

// Makes a scene of `count` fills, each with a tile of its own of 1000 x 1000 pixels.
static stijl_scene *tiles(int count) {
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  for (int i = 0; i < count; i++) {
    stijl_scene *tile = squares(1);
    stijl_paint paint = stijl_paint_scene(tile, (stijl_rect){0, 0, SIDE, SIDE});
    stijl_scene_fill_all(scene, &paint);
    stijl_scene_destroy(tile);
  }
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  return scene;
}

// A path's lines are made some at a time: those of this one take 200 MB.
TEST(long_paths_keep_to_their_memory) {
  stijl_scene *scene = NULL;
  stijl_path *path = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  for (int i = 0; i < 200000; i++) {
    float x = (float)(i % 1000), y = (float)(i % 997);
    stijl_path_move_to(path, x, y);
    stijl_path_cubic_to(path, y, 1000 - x, 1000 - y, x, 990 - x, 1000 - y);
  }
  stijl_paint paint = stijl_paint_solid((stijl_color){0.5f, 0.1f, 0.9f, 0.5f});
  stijl_scene_fill(scene, path, STIJL_FILL_EVENODD, NULL, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_path_destroy(path);
  for (int threads = 1; threads <= 3; threads += 2) {
    stijl_budget *budget = create(1000, 110 << 20, UINT64_MAX);
    stijl_message message = {""};
    CHECK_INT(render(scene, threads, budget, &message), STIJL_OK);
    CHECK_STR(message.text, "");
    stijl_budget_destroy(budget);
  }
  stijl_scene_destroy(scene);
}

// Surfaces count: their memory, their pixels, and what is drawn into them.
TEST(surfaces_belong_to_the_budget) {
  stijl_scene *scene = tiles(8), *one = tiles(1);
  stijl_message message;
  uint64_t work[2];
  for (int i = 0; i < 2; i++) {
    stijl_budget *budget = create(0, 0, 0);
    CHECK_INT(render(i ? scene : one, 1 + i, budget, NULL), STIJL_OK);
    work[i] = stijl_budget_work(budget);
    stijl_budget_destroy(budget);
  }
  CHECK(work[0] > SIDE * SIDE / 4);
  CHECK(work[1] > 7 * work[0]);
  stijl_budget *budget = create(0, 0, work[1] / 2);
  CHECK_INT(render(scene, 1, budget, &message), STIJL_ERROR_LIMIT);
  CHECK(strstr(message.text, "max_work"));
  stijl_budget_destroy(budget);
  budget = create(0, 8 * SIDE * SIDE * 4, 0);
  CHECK_INT(render(scene, 1, budget, &message), STIJL_ERROR_LIMIT);
  CHECK(strstr(message.text, "max_memory"));
  stijl_budget_destroy(budget);
  stijl_scene_destroy(scene);
  stijl_scene_destroy(one);
}

// Scenes that paint with each other in many sizes: more surfaces than could ever be drawn, of which the budget hears
// before that is tried.
TEST(surfaces_of_surfaces) {
  stijl_scene *chain = squares(1);
  for (int level = 0; level < 12; level++) {
    stijl_scene *outer = NULL;
    CHECK_INT(stijl_scene_create(NULL, NULL, &outer), STIJL_OK);
    for (int i = 0; i < 30; i++) {
      stijl_paint paint = stijl_paint_scene(chain, (stijl_rect){0, 0, 10, 10});
      paint.transform = stijl_matrix_scale(1 + 0.11f * (float)i, 1 + 0.07f * (float)(i * 7 % 30));
      stijl_scene_fill_all(outer, &paint);
    }
    CHECK_INT(stijl_scene_finish(outer), STIJL_OK);
    stijl_scene_destroy(chain);
    chain = outer;
  }
  stijl_budget *budget = create(20, (uint64_t)1 << 28, 100000000);
  stijl_message message;
  double start = sj_test_processor_seconds();
  CHECK_INT(render(chain, 1, budget, &message), STIJL_ERROR_LIMIT);
  CHECK(strstr(message.text, "max_"));
  CHECK(sj_test_processor_seconds() - start < 5);
  stijl_budget_destroy(budget);
  stijl_scene_destroy(chain);
}

static void *cancel_later(void *budget) {
  struct timespec pause = {.tv_nsec = 50000000};
  nanosleep(&pause, NULL);
  stijl_budget_cancel(budget);
  return NULL;
}

TEST(cancelled_by_another_thread) {
  stijl_scene *scene = squares(100000);
  stijl_budget *budget = create(1000, 0, UINT64_MAX);
  pthread_t thread;
  double start = sj_test_processor_seconds();
  CHECK_INT(pthread_create(&thread, NULL, cancel_later, budget), 0);
  stijl_message message;
  CHECK_INT(render(scene, 2, budget, &message), STIJL_ERROR_CANCELLED);
  CHECK(sj_test_processor_seconds() - start < 1.5);
  CHECK_STR(message.text, "cancelled");
  pthread_join(thread, NULL);
  stijl_budget_restart(budget);
  stijl_scene *small = squares(1);
  CHECK_INT(render(small, 2, budget, &message), STIJL_OK);
  stijl_scene_destroy(small);
  stijl_budget_destroy(budget);
  stijl_scene_destroy(scene);
}

// As deep as scenes allow.
TEST(nested_layers) {
  stijl_scene *scene = NULL;
  stijl_path *path = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_add_rect(path, 1, 1, 2, 2);
  stijl_paint paint = stijl_paint_solid((stijl_color){0.5f, 0.1f, 0.9f, 1.0f});
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.opacity = 0.999f;
  enum { LAYERS = 60000 };
  for (int i = 0; i < LAYERS; i++) stijl_scene_push_layer(scene, &layer);
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  for (int i = 0; i < LAYERS; i++) stijl_scene_pop_layer(scene);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  static uint8_t pixels[16 * 16 * 4];
  stijl_renderer *renderer = NULL;
  CHECK_INT(stijl_renderer_create(NULL, NULL, &renderer, NULL), STIJL_OK);
  stijl_target target = STIJL_TARGET_INIT;
  target.width = target.height = 16;
  target.pixels = pixels;
  target.stride = 64;
  double start = sj_test_processor_seconds();
  stijl_message message;
  CHECK_INT(stijl_render(renderer, scene, &target, NULL, &message), STIJL_OK);
  CHECK(sj_test_processor_seconds() - start < 2.0);  // once 7 s for encoding alone
  stijl_renderer_destroy(renderer);
  stijl_path_destroy(path);
  stijl_scene_destroy(scene);
}

// --- documents ---

static const char squares_text[] =
    "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>"
    "<defs><g id='a'><rect width='9' height='9'/><rect width='8' height='8'/></g>"
    "<g id='b'><use href='#a'/><use href='#a'/><use href='#a'/><use href='#a'/><use href='#a'/><use href='#a'/></g>"
    "<g id='c'><use href='#b'/><use href='#b'/><use href='#b'/><use href='#b'/><use href='#b'/><use href='#b'/></g>"
    "<g id='d'><use href='#c'/><use href='#c'/><use href='#c'/><use href='#c'/><use href='#c'/><use href='#c'/></g>"
    "</defs><use href='#d'/><use href='#d'/><use href='#d'/></svg>";

static stijl_result load(const char *text, stijl_context *context, stijl_budget *budget, stijl_svg **out,
                         stijl_message *message) {
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.budget = budget;
  return stijl_svg_load(context, text, strlen(text), &params, out, message);
}

TEST(one_budget_over_load_scene_and_render) {
  stijl_svg *svg;
  stijl_message message;
  stijl_budget *budget = create(0, 0, 0);
  stijl_result result = load(squares_text, NULL, budget, &svg, &message);
  if (result == STIJL_ERROR_UNSUPPORTED) {
    stijl_budget_destroy(budget);
    SKIP("built without SVG");
  }
  CHECK_INT(result, STIJL_OK);
  uint64_t loaded = stijl_budget_work(budget);
  stijl_scene *scene;
  CHECK_INT(stijl_svg_scene(svg, 100, 100, &scene, &message), STIJL_OK);
  uint64_t recorded = stijl_budget_work(budget);
  CHECK_INT(render(scene, 1, budget, &message), STIJL_OK);
  uint64_t drawn = stijl_budget_work(budget);
  CHECK(loaded > 0 && recorded > loaded && drawn > recorded);
  stijl_scene_destroy(scene);
  // The document keeps the budget, and what is left of it.
  stijl_budget_cancel(budget);
  stijl_budget_destroy(budget);
  CHECK_INT(stijl_svg_scene(svg, 100, 100, &scene, &message), STIJL_ERROR_CANCELLED);
  stijl_svg_destroy(svg);
  // Enough for loading, not for the scene.
  budget = create(0, 0, (loaded + recorded) / 2);
  CHECK_INT(load(squares_text, NULL, budget, &svg, &message), STIJL_OK);
  CHECK_INT(stijl_svg_scene(svg, 100, 100, &scene, &message), STIJL_ERROR_LIMIT);
  stijl_svg_destroy(svg);
  stijl_budget_destroy(budget);
}

TEST(a_budget_belongs_to_its_context) {
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  stijl_context *context = NULL;
  CHECK_INT(stijl_context_create(&params, &context), STIJL_OK);
  stijl_budget *budget = create(0, 0, 0);
  stijl_svg *svg;
  stijl_message message;
  CHECK_INT(load(squares_text, context, budget, &svg, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_STR(message.text, "the budget was created with another context");
  stijl_budget_destroy(budget);
  stijl_context_destroy(context);
}

// Stops of gradients are looked at for each use, but are no elements that are drawn.
TEST(stops_are_no_elements) {
  enum { STOPS = 600, USES = 2000 };
  static char text[STOPS * 40 + USES * 60 + 1000];
  char *at = text;
  at += sprintf(at, "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><linearGradient id='g'>");
  for (int i = 0; i < STOPS; i++) at += sprintf(at, "<stop offset='.%03d'/>", i);
  at += sprintf(at, "</linearGradient>");
  for (int i = 0; i < USES; i++) at += sprintf(at, "<rect width='1' height='1' fill='url(#g)'/>");
  sprintf(at, "</svg>");
  stijl_svg *svg;
  stijl_message message;
  stijl_result result = load(text, NULL, NULL, &svg, &message);
  if (result == STIJL_ERROR_UNSUPPORTED) SKIP("built without SVG");
  CHECK_INT(result, STIJL_OK);
  stijl_scene *scene;
  CHECK_INT(stijl_svg_scene(svg, 9, 9, &scene, &message), STIJL_OK);
  stijl_scene_destroy(scene);
  stijl_svg_destroy(svg);
}

// Filters are kept from resolving on, one for each element.
TEST(filters_are_small) {
  enum { FILTERS = 20000 };
  static char text[FILTERS * 120];
  char *at = text;
  at += sprintf(at, "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>");
  for (int i = 0; i < FILTERS; i++)
    at += sprintf(at, "<filter id='a%d'><feOffset/></filter><rect filter='url(#a%d)' width='1' height='1'/>", i, i);
  sprintf(at, "</svg>");
  stijl_svg *svg;
  stijl_message message;
  stijl_budget *budget = create(0, 40 << 20, UINT64_MAX);
  stijl_result result = load(text, NULL, budget, &svg, &message);
  if (result == STIJL_ERROR_UNSUPPORTED) {
    stijl_budget_destroy(budget);
    SKIP("built without SVG");
  }
  CHECK_INT(result, STIJL_OK);
  stijl_scene *scene;
  CHECK_INT(stijl_svg_scene(svg, 9, 9, &scene, &message), STIJL_OK);
  stijl_scene_destroy(scene);
  stijl_svg_destroy(svg);
  stijl_budget_destroy(budget);
}

// A warning, not an error: the document is drawn.
TEST(dashes_beyond_all_measure) {
  static const char text[] =
      "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>"
      "<path d='M0 4H9' stroke='red' stroke-width='4' stroke-dasharray='1e-30'/></svg>";
  stijl_svg *svg;
  stijl_message message;
  stijl_result result = load(text, NULL, NULL, &svg, &message);
  if (result == STIJL_ERROR_UNSUPPORTED) SKIP("built without SVG");
  CHECK_INT(result, STIJL_OK);
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_svg_scene(svg, 9, 9, &scene, &message), STIJL_OK);
  stijl_rect box;
  CHECK(stijl_scene_bounds(scene, &box));
  stijl_scene_destroy(scene);
  stijl_svg_destroy(svg);
}

// The memory for lines is taken at once, as strokes have several for each segment: growing would take twice as much.
TEST(strokes_hold_their_lines_once) {
  stijl_scene *scene = NULL;
  stijl_path *path = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_stroke pen = STIJL_STROKE_INIT;
  pen.width = 0.5f;
  stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  for (int i = 0; i < 2000; i++) {
    stijl_path_clear(path);
    stijl_path_move_to(path, 10.0f, (float)(10 + i % 40));
    for (int k = 1; k <= 100; k++) stijl_path_line_to(path, 10.0f + 0.4f * (float)k, (float)(10 + i % 40 + k % 2));
    stijl_scene_stroke(scene, path, &pen, NULL, &paint);
  }
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.threads = 1;
  stijl_renderer *renderer = NULL;
  CHECK_INT(stijl_renderer_create(NULL, &params, &renderer, NULL), STIJL_OK);
  static uint32_t pixels[64][64];
  stijl_target target = STIJL_TARGET_INIT;
  target.width = target.height = 64;
  target.pixels = pixels;
  target.stride = sizeof pixels[0];
  CHECK_INT(stijl_render(renderer, scene, &target, NULL, NULL), STIJL_OK);
  stijl_render_stats stats = {.size = sizeof stats};
  stijl_renderer_stats(renderer, &stats);
  CHECK(stats.lines > 800000 && stats.scratch_bytes < stats.lines * 16 * 5 / 4);
  stijl_renderer_destroy(renderer);
  stijl_path_destroy(path);
  stijl_scene_destroy(scene);
}
