// Recording: segments against their plain definition, and scenes that are reset.
#include "scene/scene.h"

#include <stdlib.h>

#include "stijl/stijl.h"
#include "test.h"

enum { MOST = 256 };

// A path's segments as their definition has them, one after the other.
typedef struct {
  k_segment segments[MOST];
  k_vec points[MOST];
  uint32_t count, point_count, lines;
} expected_path;

static void expect_segment(expected_path *e, uint32_t first, const stijl_point *p, uint32_t kind) {
  uint32_t still = 1;
  while (still <= kind && p[still].x == p[0].x && p[still].y == p[0].y) still++;
  if (kind && still > kind) return;
  if (e->count == first) e->points[e->point_count++] = k_vec_make(p[0].x, p[0].y);
  e->segments[e->count++] = (k_segment){.flags = kind, .point = e->point_count - 1};
  for (uint32_t i = 1; i <= kind; i++) e->points[e->point_count++] = k_vec_make(p[i].x, p[i].y);
  e->lines += kind > K_SEGMENT_LINE ? 24 : 1;
}

static void end_subpath(expected_path *e, uint32_t first, stijl_point start, stijl_point last, bool drawn, bool closed,
                        bool stroke) {
  if (drawn && (closed || !stroke)) expect_segment(e, first, (stijl_point[]){last, start}, K_SEGMENT_LINE);
  if (!stroke || !drawn) return;
  if (e->count == first) {
    expect_segment(e, first, &start, K_SEGMENT_DOT);
    return;
  }
  for (uint32_t i = first; i < e->count; i++) {
    e->segments[i].flags |= K_SEGMENT_JOIN;
    e->segments[i].next = i + 1 < e->count ? i + 1 : first;
  }
  if (closed) return;
  e->segments[first].flags |= K_SEGMENT_CAP_START;
  e->segments[e->count - 1].flags ^= K_SEGMENT_JOIN | K_SEGMENT_CAP_END;
}

static void expect_path(expected_path *e, const stijl_path *path, bool stroke) {
  const unsigned char *verbs;
  const stijl_point *p;
  size_t count = stijl_path_verbs(path, &verbs);
  stijl_path_points(path, &p);
  *e = (expected_path){0};
  stijl_point start = {0, 0}, last = start;
  uint32_t first = 0;
  bool drawn = false;
  for (size_t i = 0; i < count; i++) {
    if (verbs[i] == STIJL_PATH_MOVE || verbs[i] == STIJL_PATH_CLOSE) {
      bool closed = verbs[i] == STIJL_PATH_CLOSE;
      end_subpath(e, first, start, last, drawn || closed, closed, stroke);
      if (!closed) start = *p++;
      last = start;
      first = e->count;
      drawn = false;
      continue;
    }
    expect_segment(e, first, (stijl_point[]){last, p[0], p[verbs[i] > 1], p[verbs[i] > 2 ? 2 : 0]}, verbs[i]);
    p += verbs[i];
    last = p[-1];
    drawn = true;
  }
  end_subpath(e, first, start, last, drawn, false, stroke);
}

// Points on a coarse grid, so that many are the same.
static stijl_point grid_point(sj_random *r) {
  float x = (float)sj_random_int(r, 0, 3), y = (float)sj_random_int(r, 0, 2);
  return (stijl_point){x, sj_random_int(r, 0, 4) ? y : -y};
}

static stijl_path *random_path(sj_random *r) {
  stijl_path *path;
  if (stijl_path_create(NULL, &path) != STIJL_OK) abort();
  for (int i = sj_random_int(r, 0, 20); i > 0; i--) {
    stijl_point p = grid_point(r), q = grid_point(r), s = grid_point(r);
    switch (sj_random_int(r, 0, 8)) {
      case 0: stijl_path_move_to(path, p.x, p.y); break;
      case 1: stijl_path_close(path); break;
      case 2: stijl_path_quad_to(path, p.x, p.y, q.x, q.y); break;
      case 3: stijl_path_cubic_to(path, p.x, p.y, q.x, q.y, s.x, s.y); break;
      default: stijl_path_line_to(path, p.x, p.y); break;
    }
  }
  return path;
}

static stijl_scene *new_scene(const stijl_scene_limits *limits) {
  stijl_scene *scene;
  if (stijl_scene_create(NULL, limits, &scene) != STIJL_OK) abort();
  return scene;
}

TEST(segments) {
  for (uint64_t n = 0; sj_test_cases(&n, 20000) && !sj_test_failed(); n++) {
    sj_random r = sj_random_seed(n);
    bool stroke = sj_random_int(&r, 0, 2);
    stijl_path *path = random_path(&r);
    stijl_scene *scene = new_scene(NULL);
    expected_path e;
    expect_path(&e, path, stroke);
    sj_path_range range;
    CHECK((stroke ? sj_scene_add_stroke_path : sj_scene_add_fill_path)(scene, path, &range));
    CHECK_INT(range.segment_count, e.count);
    CHECK_INT(range.lines, e.lines);
    CHECK_INT(scene->points.count, e.point_count);
    stijl_rect box = {1e30f, 1e30f, -1e30f, -1e30f};
    for (uint32_t i = 0; i < e.point_count && !sj_test_failed(); i++) {
      k_vec p = e.points[i];
      CHECK(scene->points.data[i].x == p.x && scene->points.data[i].y == p.y);
      box = (stijl_rect){k_min(box.x0, p.x), k_min(box.y0, p.y), k_max(box.x1, p.x), k_max(box.y1, p.y)};
    }
    CHECK(range.box.x0 == box.x0 && range.box.y0 == box.y0 && range.box.x1 == box.x1 && range.box.y1 == box.y1);
    for (uint32_t i = 0; i < e.count && !sj_test_failed(); i++) {
      const k_segment *s = &scene->segments.data[i];
      CHECK_INT(s->flags, e.segments[i].flags);
      CHECK_INT(s->point, e.segments[i].point);
      if (s->flags & K_SEGMENT_JOIN) CHECK_INT(s->next, e.segments[i].next);
    }
    if (sj_test_failed()) printf("# case %llu\n", (unsigned long long)n);
    stijl_path_destroy(path);
    stijl_scene_destroy(scene);
  }
}

TEST(segments_have_a_limit) {
  stijl_scene_limits limits = STIJL_SCENE_LIMITS_INIT;
  limits.max_segments = 7;
  stijl_path *path;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_add_rect(path, 0, 0, 1, 1);
  stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  stijl_scene *scene = new_scene(&limits);
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  CHECK_STR(stijl_scene_message(scene), "");
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_ERROR_LIMIT);
  // Seven are allowed, and an error does not outlive a reset.
  stijl_scene_reset(scene);
  CHECK_STR(stijl_scene_message(scene), "");
  stijl_path_line_to(path, 5, 5);
  stijl_path_line_to(path, 5, 0);
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_scene_destroy(scene);
  stijl_path_destroy(path);
}

// --- Reset -----------------------------------------------------------------------------------------------------------

static size_t allocated;  // calls for memory

static void *count_memory(void *user, void *ptr, size_t bytes) {
  if (!bytes) {
    free(ptr);
    return NULL;
  }
  allocated++;
  return realloc(ptr, bytes);
}

static void record(stijl_scene *scene, const stijl_image *image, int kind) {
  stijl_path *path;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_add_ellipse(path, 8, 8, 7, 5);
  const stijl_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, kind ? 0.5f : 1}}};
  stijl_paint paint = stijl_paint_linear((stijl_point){0, 0}, (stijl_point){16, 16}, stops, 2);
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.clip = path;
  stijl_scene_push_layer(scene, &layer);
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  stijl_scene_image(scene, image, STIJL_SAMPLING_NEAREST, 0.5f, NULL);
  stijl_scene_pop_layer(scene);
  if (kind) stijl_scene_stroke(scene, path, &stroke, NULL, &paint);
  stijl_path_destroy(path);
}

static uint64_t draw(const stijl_scene *scene) {
  stijl_renderer *renderer;
  CHECK_INT(stijl_renderer_create(NULL, NULL, &renderer, NULL), STIJL_OK);
  uint8_t pixels[16 * 16 * 4];
  stijl_target target = STIJL_TARGET_INIT;
  target.width = target.height = 16;
  target.format = STIJL_FORMAT_RGBA8;
  target.pixels = pixels;
  target.stride = 64;
  CHECK_INT(stijl_render(renderer, scene, &target, NULL, NULL), STIJL_OK);
  stijl_renderer_destroy(renderer);
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < sizeof pixels; i++) hash = (hash ^ pixels[i]) * 1099511628211u;
  return hash;
}

TEST(reset) {
  const uint8_t texel[4] = {0, 255, 0, 255};
  stijl_image *image;
  CHECK_INT(stijl_image_create(NULL, 1, 1, STIJL_FORMAT_RGBA8, texel, 4, &image), STIJL_OK);
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.reallocate = count_memory;
  stijl_context *context;
  CHECK_INT(stijl_context_create(&params, &context), STIJL_OK);
  stijl_scene *scene;
  CHECK_INT(stijl_scene_create(context, NULL, &scene), STIJL_OK);
  uint64_t hashes[2];
  size_t memory = 0;
  for (int i = 0; i < 6; i++) {
    if (i == 3) memory = allocated;  // both kinds have been recorded
    stijl_scene_reset(scene);
    record(scene, image, i & 1);
    CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
    uint64_t hash = draw(scene);
    if (i < 2) hashes[i] = hash;
    CHECK(hash == hashes[i & 1]);
  }
  CHECK(hashes[0] != hashes[1]);
  // Each image draw makes a path of its own.
  CHECK(allocated - memory <= 3 * 4);
  // An unfinished recording is forgotten, too, with its open layers.
  stijl_scene_reset(scene);
  stijl_scene_push_layer(scene, &(stijl_layer)STIJL_LAYER_INIT);
  stijl_scene_reset(scene);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_rect bounds;
  CHECK(!stijl_scene_bounds(scene, &bounds));
  stijl_scene_reset(NULL);
  stijl_scene_destroy(scene);
  stijl_context_destroy(context);
  stijl_image_destroy(image);
}
