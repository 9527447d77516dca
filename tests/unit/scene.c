// Recording: segments against their plain definition, and scenes that are reset.
#include "base/processors.h"
#include "base/wraps.h"
#include "scene/encode.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stijl/stijl.h"
#include "test.h"

enum { MOST = 256 };

// A path's segments as their definition has them, one after the other.
typedef struct {
  k_segment segments[MOST];
  k_vec points[MOST];
  uint32_t count, point_count, lines;
  uint32_t straight[MOST], straight_count;  // segments that are all of an open subpath, and straight
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

// Takes a stroke's open subpath away that is one of the last four lines once more.
static bool expect_repeated(expected_path *e, uint32_t first) {
  uint32_t kind = e->segments[first].flags;
  const k_vec *p = e->points + e->segments[first].point;
  if (e->count != first + 1) return false;
  k_vec v = {p[kind].x - p[0].x, p[kind].y - p[0].y};
  for (uint32_t i = 1; i < kind; i++) {
    k_vec c = {p[i].x - p[0].x, p[i].y - p[0].y};
    if (k_cross(c, v) != 0 || k_dot(c, v) < 0 || k_dot(c, v) > k_dot(v, v)) return false;
  }
  for (uint32_t i = e->straight_count; i > 0 && i + 4 > e->straight_count; i--) {
    const k_segment *line = &e->segments[e->straight[i - 1]];
    const k_vec *q = e->points + line->point, *end = q + (line->flags & K_SEGMENT_KIND);
    bool same = q->x == p[0].x && q->y == p[0].y && end->x == p[kind].x && end->y == p[kind].y;
    bool back = end->x == p[0].x && end->y == p[0].y && q->x == p[kind].x && q->y == p[kind].y;
    if (!same && !back) continue;
    e->count = first;
    e->point_count -= kind + 1;
    e->lines -= kind > K_SEGMENT_LINE ? 24 : 1;
    return true;
  }
  e->straight[e->straight_count++] = first;
  return false;
}

static void end_subpath(expected_path *e, uint32_t first, stijl_point start, stijl_point last, bool drawn, bool closed,
                        bool stroke) {
  if (drawn && (closed || !stroke)) expect_segment(e, first, (stijl_point[]){last, start}, K_SEGMENT_LINE);
  if (!stroke || !drawn || (!closed && expect_repeated(e, first))) return;
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

// Returns a point on a grid: where it is coarse many are the same, where it is fine few.
static stijl_point grid_point(sj_random *r, int fine) {
  float x = (float)sj_random_int(r, 0, 3 * fine), y = (float)sj_random_int(r, 0, 2 * fine);
  return (stijl_point){x, sj_random_int(r, 0, 4) ? y : -y};
}

static stijl_path *random_path(sj_random *r) {
  stijl_path *path;
  if (stijl_path_create(NULL, &path) != STIJL_OK) abort();
  int fine = sj_random_int(r, 0, 2) ? 1 : 50;
  for (int i = sj_random_int(r, 0, 20); i > 0; i--) {
    stijl_point p = grid_point(r, fine), q = grid_point(r, fine), s = grid_point(r, fine);
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
    CHECK(stroke ? sj_scene_add_stroke_path(scene, path, 0.0f, false, &range)
                 : sj_scene_add_fill_path(scene, path, &range));
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

// Strokes a path that goes right and back; returns its segments' flags, 0 for those that are not there.
static uint32_t flags_there_and_back(bool returns, stijl_cap cap, stijl_join join) {
  stijl_path *path;
  if (stijl_path_create(NULL, &path) != STIJL_OK) abort();
  stijl_path_move_to(path, 10, 50.25f);
  stijl_path_line_to(path, 90, 50.25f);
  if (returns) stijl_path_line_to(path, 10, 50.25f);
  stijl_path_close(path);
  stijl_scene *scene = new_scene(NULL);
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.cap = cap;
  stroke.join = join;
  stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  stijl_scene_stroke(scene, path, &stroke, NULL, &paint);
  const k_segment *s = scene->segments.data;
  uint32_t flags = scene->segments.count == 1 ? s[0].flags : s[0].flags | s[1].flags << 8;
  stijl_path_destroy(path);
  stijl_scene_destroy(scene);
  return flags;
}

// A closed line covers the same pixels twice, which would be added, where one line with caps covers them once.
TEST(lines_there_and_back) {
  const uint32_t once = K_SEGMENT_LINE | K_SEGMENT_CAP_START | K_SEGMENT_CAP_END;
  // Where caps look otherwise it becomes the outline of what it covers.
  const uint32_t outline = K_SEGMENT_LINE * 0x101;
  for (int returns = 0; returns < 2; returns++) {
    CHECK_INT(flags_there_and_back(returns, STIJL_CAP_BUTT, STIJL_JOIN_MITER), once);
    CHECK_INT(flags_there_and_back(returns, STIJL_CAP_BUTT, STIJL_JOIN_BEVEL), once);
    CHECK_INT(flags_there_and_back(returns, STIJL_CAP_ROUND, STIJL_JOIN_ROUND), once);
    CHECK_INT(flags_there_and_back(returns, STIJL_CAP_ROUND, STIJL_JOIN_MITER), outline);
    CHECK_INT(flags_there_and_back(returns, STIJL_CAP_SQUARE, STIJL_JOIN_MITER), outline);
    CHECK_INT(flags_there_and_back(returns, STIJL_CAP_BUTT, STIJL_JOIN_ROUND), outline);
  }
}

// Returns how many segments the stroke of an open path has, and the first two of their points.
static size_t segments_of_stroke(const float (*p)[2], size_t count, stijl_cap cap, k_vec ends[2]) {
  stijl_path *path;
  if (stijl_path_create(NULL, &path) != STIJL_OK) abort();
  for (size_t i = 0; i < count; i++) (i ? stijl_path_line_to : stijl_path_move_to)(path, p[i][0], p[i][1]);
  stijl_scene *scene = new_scene(NULL);
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.cap = cap;
  stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  stijl_scene_stroke(scene, path, &stroke, NULL, &paint);
  size_t segments = scene->segments.count;
  for (size_t i = 0; i < 2; i++) ends[i] = scene->points.data[i];
  stijl_path_destroy(path);
  stijl_scene_destroy(scene);
  return segments;
}

// As draw.io has short connectors.
TEST(lines_that_turn_back) {
  k_vec p[2];
  const float back[][2] = {{90, 95}, {110, 95}, {100, 95}, {114.38f, 95}};
  CHECK_INT(segments_of_stroke(back, 4, STIJL_CAP_BUTT, p), 1);
  CHECK(k_min(p[0].x, p[1].x) == 90 && k_max(p[0].x, p[1].x) == 114.38f && p[0].y == 95 && p[1].y == 95);
  CHECK_INT(segments_of_stroke(back, 4, STIJL_CAP_SQUARE, p), 8);  // the outline of what they cover
  const float beyond[][2] = {{10, 10}, {30, 30}, {0, 0}, {5, 5}};
  CHECK_INT(segments_of_stroke(beyond, 4, STIJL_CAP_BUTT, p), 1);
  CHECK(k_max(p[0].x, p[1].x) == 30 && k_min(p[0].x, p[1].x) == 0);
  const float onward[][2] = {{10, 10}, {20, 20}, {30, 30}}, corner[][2] = {{10, 10}, {20, 10}, {15, 10}, {15, 30}};
  CHECK_INT(segments_of_stroke(onward, 3, STIJL_CAP_BUTT, p), 2);
  CHECK_INT(segments_of_stroke(corner, 4, STIJL_CAP_BUTT, p), 3);
  // A spike is a line of its own: two lines are left of four, and it.
  const float spike[][2] = {{0, 10}, {10, 10}, {10, 0}, {10, 10}, {20, 10}},
              bent[][2] = {{0, 10}, {10, 10}, {10, 0}, {10, 10}, {10, 20}};
  CHECK_INT(segments_of_stroke(spike, 5, STIJL_CAP_BUTT, p), 3);
  CHECK(p[0].x == 0 && p[1].x == 10);
  CHECK_INT(segments_of_stroke(spike, 5, STIJL_CAP_SQUARE, p), 4);
  CHECK_INT(segments_of_stroke(bent, 5, STIJL_CAP_BUTT, p), 4);
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

SJ_WRAPS static uint64_t draw(const stijl_scene *scene) {
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

// --- Scenes within scenes ---

static stijl_scene *begin(void) {
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  return scene;
}

static void add_rect(stijl_scene *scene, stijl_rect r, const stijl_paint *paint) {
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_add_rect(path, r.x0, r.y0, r.x1 - r.x0, r.y1 - r.y0);
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, paint);
  stijl_path_destroy(path);
}

static void add_solid(stijl_scene *scene, stijl_rect r, float red, float green, float blue) {
  stijl_paint paint = stijl_paint_solid((stijl_color){red, green, blue, 1});
  add_rect(scene, r, &paint);
}

// Makes a scene of 4 x 4: red on the left, blue on the right.
static stijl_scene *halves(void) {
  stijl_scene *scene = begin();
  add_solid(scene, (stijl_rect){0, 0, 2, 4}, 1, 0, 0);
  add_solid(scene, (stijl_rect){2, 0, 4, 4}, 0, 0, 1);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  return scene;
}

enum { SIDE = 64 };
#define RED 0xff0000ffu
#define BLUE 0xffff0000u
#define GREEN 0xff00ff00u
static uint32_t seen[SIDE][SIDE];

static stijl_result draw_scaled(stijl_scene *scene, float scale, uint64_t max_layer_bytes, stijl_message *message) {
  if (!scene->finished) CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.max_layer_bytes = max_layer_bytes;
  stijl_renderer *renderer;
  CHECK_INT(stijl_renderer_create(NULL, &params, &renderer, NULL), STIJL_OK);
  stijl_target target = {sizeof target, SIDE, SIDE, {0, 0, 0, 0}, STIJL_FORMAT_RGBA8, seen, sizeof seen[0]};
  stijl_render_params how = STIJL_RENDER_PARAMS_INIT;
  how.transform = stijl_matrix_scale(scale, scale);
  stijl_result result = stijl_render(renderer, scene, &target, &how, message);
  stijl_renderer_destroy(renderer);
  return result;
}

// Tiles are drawn with the target's pixels: their edges are sharp at every scale.
TEST(paint_of_a_scene) {
  stijl_scene *tile = halves(), *scene = begin();
  stijl_paint paint = stijl_paint_scene(tile, (stijl_rect){0, 0, 4, 4});
  stijl_scene_fill_all(scene, &paint);
  stijl_scene_destroy(tile);
  for (int scale = 1; scale <= 8; scale *= 2) {
    CHECK_INT(draw_scaled(scene, (float)scale, 1 << 30, NULL), STIJL_OK);
    for (int x = 0; x < SIDE; x++) CHECK_INT(seen[x][x], x / scale % 4 < 2 ? RED : BLUE);
  }
  stijl_scene_destroy(scene);
}

// A rectangle out of the scene's middle, at its own place, without repetition.
TEST(paint_of_a_part) {
  stijl_scene *tile = halves(), *scene = begin();
  stijl_paint paint = stijl_paint_scene(tile, (stijl_rect){1, 1, 3, 3});
  paint.spread_x = paint.spread_y = STIJL_SPREAD_NONE;
  paint.sampling = STIJL_SAMPLING_NEAREST;
  stijl_scene_fill_all(scene, &paint);
  CHECK_INT(draw_scaled(scene, 2, 1 << 30, NULL), STIJL_OK);
  for (int x = 0; x < 10; x++) CHECK_INT(seen[4][x], x < 2 || x >= 6 ? 0 : x < 4 ? RED : BLUE);
  CHECK_INT(seen[1][4], 0);
  stijl_scene_destroy(tile);
  stijl_scene_destroy(scene);
}

// A scene is kept once, and a surface of it, however often they are used; scenes within are drawn first.
TEST(scenes_are_kept_once) {
  stijl_scene *tile = halves(), *middle = begin(), *scene = begin();
  stijl_paint inner = stijl_paint_scene(tile, (stijl_rect){0, 0, 4, 4});
  stijl_scene_fill_all(middle, &inner);
  CHECK_INT(stijl_scene_finish(middle), STIJL_OK);
  stijl_paint outer = stijl_paint_scene(middle, (stijl_rect){0, 0, 8, 8});
  for (int i = 0; i < 10; i++) {
    stijl_matrix m = stijl_matrix_translate((float)i, 0);
    stijl_scene_add_scene(scene, tile, &m);
    add_rect(scene, (stijl_rect){0, (float)i, 9, 19}, &outer);
    add_rect(scene, (stijl_rect){0, (float)i, 9, 19}, &inner);
  }
  inner.transform = stijl_matrix_scale(2, 2);
  add_rect(scene, (stijl_rect){0, 0, 9, 9}, &inner);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  CHECK_INT(scene->segments.count, 21 * 4 + 2 * 4);
  CHECK_INT(scene->subscenes.count, 2);
  sj_encoded encoded = {0};
  stijl_irect region = {0, 0, 16, 16};
  CHECK_INT(sj_encode(sj_context(NULL), scene, stijl_matrix_identity(), region, &encoded, NULL), STIJL_OK);
  // The tile with 4 x 4 pixels, which both the middle and the scene sample, and with 8 x 8; the middle with 8 x 8.
  CHECK_INT(encoded.surfaces.count, 3);
  CHECK_INT(encoded.passes.count, 4);
  CHECK_INT(sj_target_pass(&encoded)->surface, K_TARGET);
  CHECK_INT(sj_target_pass(&encoded)->end, 10 * 4 + 1);
  uint32_t last = encoded.passes.data[2].surface;
  CHECK_INT(encoded.surfaces.data[last].width, 8);
  CHECK_INT(encoded.draws.data[encoded.passes.data[2].first].op, K_DRAW_ALL);
  for (size_t i = 0; i < 3; i++) CHECK_INT(encoded.surfaces.data[i].last, 3);
  CHECK_INT(sj_encoded_surface_bytes(&encoded), (64 + 64 + 16) * 4);
  sj_encoded_finish(sj_context(NULL), &encoded);
  stijl_scene_destroy(tile);
  stijl_scene_destroy(middle);
  stijl_scene_destroy(scene);
}

// However many others were added since.
TEST(many_scenes_are_kept_once) {
  enum { SCENES = 1000 };
  static stijl_scene *tiles[SCENES];
  stijl_scene *scene = begin();
  for (int i = 0; i < SCENES; i++) tiles[i] = halves();
  for (int i = 0; i < 2 * SCENES; i++) stijl_scene_add_scene(scene, tiles[i % SCENES], NULL);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  CHECK_INT(scene->subscenes.count, SCENES);
  CHECK_INT(scene->draws.count, 2 * SCENES);
  for (int i = 0; i < SCENES; i++) stijl_scene_destroy(tiles[i]);
  stijl_scene_destroy(scene);
}

// Makes a scene of 16,000 units each way of stripes that are a unit wide where they are looked at.
static stijl_scene *stripes(void) {
  stijl_scene *scene = begin();
  add_solid(scene, (stijl_rect){0, 0, 16000, 16000}, 0, 0, 1);
  for (int i = 0; i < 100; i++) {
    float at = 9000 + 2.0f * (float)i;
    add_solid(scene, (stijl_rect){at, 0, at + 1, 16000}, 1, 0, 0);
    add_solid(scene, (stijl_rect){0, at, 16000, at + 1}, 0, 1, 0);
  }
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  return scene;
}

// Of a tile much larger than the canvas only what is seen is drawn, as sharp as if it were no tile; and a region of the
// canvas has the same pixels.
TEST(paint_of_what_is_seen) {
  stijl_scene *tile = stripes(), *direct = begin();
  stijl_matrix m = stijl_matrix_translate(-9000, -9000);
  stijl_scene_add_scene(direct, tile, &m);
  CHECK_INT(draw_scaled(direct, 1, 1 << 30, NULL), STIJL_OK);
  static uint32_t expected[SIDE][SIDE];
  memcpy(expected, seen, sizeof seen);
  const float degrees[] = {0, 0, 30};
  for (int i = 0; i < 3; i++) {
    stijl_scene *scene = begin();
    stijl_paint paint = stijl_paint_scene(tile, (stijl_rect){0, 0, 16000, 16000});
    // The repetition before the first has the same pixels.
    float repeated = i == 1 ? -16000 : 0;
    paint.transform =
        stijl_matrix_multiply(stijl_matrix_rotate(degrees[i]), stijl_matrix_translate(repeated - 9000, -9000));
    stijl_scene_fill_all(scene, &paint);
    CHECK_INT(draw_scaled(scene, 1, 16 * SIDE * SIDE, NULL), STIJL_OK);
    if (degrees[i] == 0) CHECK(memcmp(expected, seen, sizeof seen) == 0);
    stijl_renderer *renderer;
    CHECK_INT(stijl_renderer_create(NULL, NULL, &renderer, NULL), STIJL_OK);
    static uint32_t part[20][10];
    stijl_target target = {sizeof target, SIDE, SIDE, {30, 20, 40, 40}, STIJL_FORMAT_RGBA8, part, sizeof part[0]};
    CHECK_INT(stijl_render(renderer, scene, &target, NULL, NULL), STIJL_OK);
    for (int y = 0; y < 20; y++) CHECK(memcmp(part[y], &seen[20 + y][30], sizeof part[y]) == 0);
    stijl_renderer_destroy(renderer);
    stijl_scene_destroy(scene);
  }
  stijl_scene_destroy(direct);
  stijl_scene_destroy(tile);
}

// Each scene shows two others, and both of them show the scene before: what a scene draws is in the last one once,
// however many ways lead to it.
TEST(scenes_reached_two_ways) {
  enum { LEVELS = 20 };
  stijl_paint stops = stijl_paint_linear((stijl_point){0, 0}, (stijl_point){4, 0},
                                         (stijl_stop[]){{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 1}}}, 2);
  stijl_scene *last = begin();
  add_rect(last, (stijl_rect){0, 0, 2, 4}, &stops);
  stijl_path *clip = NULL;
  CHECK_INT(stijl_path_create(NULL, &clip), STIJL_OK);
  stijl_path_add_rect(clip, 2, 0, 8, 8);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.clip = clip;
  stijl_scene_push_layer(last, &layer);
  stijl_path_destroy(clip);
  add_rect(last, (stijl_rect){2, 0, 4, 4}, &stops);
  stijl_scene_pop_layer(last);
  CHECK_INT(stijl_scene_finish(last), STIJL_OK);
  for (int i = 0; i < LEVELS; i++) {
    stijl_scene *ways[2], *made = begin();
    for (int k = 0; k < 2; k++) {
      ways[k] = begin();
      stijl_paint paint = stijl_paint_scene(last, (stijl_rect){0, 0, 4, 4});
      add_rect(ways[k], (stijl_rect){0, 2.0f * (float)k, 4, 2.0f * (float)k + 2}, &paint);
      CHECK_INT(stijl_scene_finish(ways[k]), STIJL_OK);
      stijl_scene_add_scene(made, ways[k], &(stijl_matrix)STIJL_MATRIX_IDENTITY);
      stijl_scene_destroy(ways[k]);
    }
    CHECK_INT(stijl_scene_finish(made), STIJL_OK);
    stijl_scene_destroy(last);
    last = made;
  }
  CHECK_INT(last->subscenes.count, 3 * LEVELS);
  CHECK_INT(last->segments.count, (3 + 2 * LEVELS) * 4);
  CHECK_INT(last->points.count, (3 + 2 * LEVELS) * 5);
  CHECK_INT(last->paints.count, 2 + 2 * LEVELS);
  CHECK_INT(last->ramps.count, 1);
  CHECK_INT(draw_scaled(last, 8, 1 << 30, NULL), STIJL_OK);
  CHECK(seen[31][0] >> 24 == 255 && (seen[31][0] & 0xff) > 0xf0 && (seen[31][31] >> 16 & 0xff) > 0xf0);
  stijl_scene_destroy(last);
}

// Surfaces that only others sample are gone before the next ones are drawn.
TEST(surfaces_are_reused) {
  stijl_scene *chain = halves();
  for (int i = 0; i < 5; i++) {
    stijl_scene *outer = begin();
    stijl_paint paint = stijl_paint_scene(chain, (stijl_rect){0, 0, 32, 32});
    stijl_scene_fill_all(outer, &paint);
    CHECK_INT(stijl_scene_finish(outer), STIJL_OK);
    stijl_scene_destroy(chain);
    chain = outer;
  }
  sj_encoded encoded = {0};
  stijl_irect region = {0, 0, 32, 32};
  CHECK_INT(sj_encode(sj_context(NULL), chain, stijl_matrix_identity(), region, &encoded, NULL), STIJL_OK);
  CHECK_INT(encoded.surfaces.count, 5);
  CHECK_INT(sj_encoded_surface_bytes(&encoded), 2 * 32 * 32 * 4);
  sj_encoded_finish(sj_context(NULL), &encoded);
  stijl_message message;
  CHECK_INT(draw_scaled(chain, 1, 2 * 32 * 32 * 4, &message), STIJL_OK);
  CHECK_INT(seen[1][1], RED);
  CHECK_INT(seen[1][3], BLUE);
  CHECK_INT(seen[1][33], RED);
  CHECK_INT(seen[1][40], 0);
  CHECK_INT(draw_scaled(chain, 1, 2 * 32 * 32 * 4 - 1, &message), STIJL_ERROR_LIMIT);
  CHECK(strstr(message.text, "max_layer_bytes") != NULL);
  stijl_scene_destroy(chain);
}

TEST(nesting_has_a_limit) {
  stijl_scene *chain = halves();
  int deepest = 0;
  for (int i = 1; i < 100; i++) {
    stijl_scene *outer = begin();
    stijl_scene_add_scene(outer, chain, NULL);
    if (stijl_scene_finish(outer) == STIJL_OK) deepest = i;
    stijl_scene_destroy(chain);
    chain = outer;
    if (deepest < i) break;
  }
  CHECK_INT(deepest, 64);
  stijl_scene_destroy(chain);
}

// Scenes that show each other several times soon are more draws than can be drawn, though they take little memory.
TEST(draws_count_each_time) {
  stijl_scene *chain = halves();
  for (int i = 0; i < 30 && stijl_scene_finish(chain) == STIJL_OK; i++) {
    stijl_scene *outer = begin();
    for (int k = 0; k < 10; k++) stijl_scene_add_scene(outer, chain, NULL);
    stijl_scene_destroy(chain);
    chain = outer;
  }
  CHECK_INT(stijl_scene_finish(chain), STIJL_ERROR_LIMIT);
  CHECK(strstr(stijl_scene_message(chain), "max_draws") != NULL);
  stijl_scene_destroy(chain);
}

// A layer's blend mode acts within the layer around it, also where it comes with a scene.
TEST(blends_of_a_scene_within) {
  stijl_scene *inner = begin(), *scene = begin();
  stijl_layer blend = STIJL_LAYER_INIT;
  blend.blend = STIJL_BLEND_MULTIPLY;
  stijl_scene_push_layer(inner, &blend);
  add_solid(inner, (stijl_rect){0, 0, 8, 8}, 1, 0, 0);
  stijl_scene_pop_layer(inner);
  CHECK_INT(stijl_scene_finish(inner), STIJL_OK);
  add_solid(scene, (stijl_rect){0, 0, 8, 8}, 0, 1, 0);
  stijl_path *clip;
  CHECK_INT(stijl_path_create(NULL, &clip), STIJL_OK);
  stijl_path_add_rect(clip, 0, 0, 4, 8);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.clip = clip;
  stijl_scene_push_layer(scene, &layer);
  stijl_scene_add_scene(scene, inner, NULL);
  stijl_scene_pop_layer(scene);
  stijl_path_destroy(clip);
  CHECK_INT(draw_scaled(scene, 1, 1 << 30, NULL), STIJL_OK);
  CHECK_INT(seen[1][1], RED);
  CHECK_INT(seen[1][5], GREEN);
  stijl_scene_destroy(inner);
  stijl_scene_destroy(scene);
}

TEST(no_two_recordings_have_one_serial) {
  stijl_scene *scene = halves();
  uint64_t before = scene->serial;
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  CHECK(scene->serial == before);
  stijl_scene_reset(scene);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  CHECK(scene->serial != before);
  stijl_scene_destroy(scene);
}

// --- Draws without anti-aliasing ---

// Returns whether a point lies in a triangle, exactly.
static bool holds_centre(int p[3][2], int x, int y) {
  bool inside = false;
  for (int i = 0; i < 3; i++) {
    const int *a = p[i], *b = p[(i + 1) % 3];
    if ((a[1] >= y) == (b[1] >= y)) continue;  // a centre on the upper end is outside, one on the lower end inside
    int64_t side = (int64_t)(b[0] - a[0]) * (y - a[1]) - (int64_t)(x - a[0]) * (b[1] - a[1]);
    if ((b[1] > a[1]) ? side < 0 : side > 0) inside = !inside;
  }
  return inside;
}

// Returns the result of filling a rectangle, and checks that it is drawn where that is STIJL_OK.
static stijl_result fill_result(const stijl_paint *paint, const stijl_matrix *transform) {
  stijl_scene *scene = new_scene(NULL);
  stijl_path *path;
  if (stijl_path_create(NULL, &path) != STIJL_OK) abort();
  stijl_path_add_rect(path, 1, 2, 3, 4);
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, transform, paint);
  stijl_result result = stijl_scene_finish(scene);
  CHECK_INT(result == STIJL_OK ? 1 : 0, (int)scene->draws.count);
  stijl_path_destroy(path);
  stijl_scene_destroy(scene);
  return result;
}

// The numbers of a paint are looked at together, and large ones one by one.
TEST(numbers_that_are_none) {
  const float wrong[] = {NAN, -NAN, INFINITY, -INFINITY}, large[] = {1e29f, -1e31f, 3e38f, -0.0f, 1e-40f};
  const size_t places[] = {
      offsetof(stijl_paint, p0),          offsetof(stijl_paint, p0) + 4,      offsetof(stijl_paint, p1),
      offsetof(stijl_paint, p1) + 4,      offsetof(stijl_paint, opacity),     offsetof(stijl_paint, color.r),
      offsetof(stijl_paint, color.a),     offsetof(stijl_paint, start_angle), offsetof(stijl_paint, end_angle),
      offsetof(stijl_paint, transform.a), offsetof(stijl_paint, transform.f), offsetof(stijl_paint, r0),
      offsetof(stijl_paint, r1)};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    for (int k = 0; k < 9; k++) {
      stijl_paint paint = STIJL_PAINT_INIT;
      const float *value = k < 4 ? &wrong[k] : &large[k - 4];
      memcpy((char *)&paint + places[i], value, sizeof *value);
      bool radius = places[i] == offsetof(stijl_paint, r0) || places[i] == offsetof(stijl_paint, r1);
      bool drawn = !(places[i] == offsetof(stijl_paint, opacity) || places[i] == offsetof(stijl_paint, color.a)) ||
                   *value > 0.5f;
      stijl_result expected = k < 4 || (radius && *value < 0.0f) ? STIJL_ERROR_INVALID_ARGUMENT : STIJL_OK;
      if (expected == STIJL_OK && !drawn) continue;
      CHECK_INT(fill_result(&paint, NULL), expected);
    }
  }
  for (int k = 0; k < 9; k++) {
    stijl_matrix m = STIJL_MATRIX_IDENTITY;
    (k % 2 ? &m.a : &m.f)[0] = k < 4 ? wrong[k] : large[k - 4];
    stijl_paint paint = STIJL_PAINT_INIT;
    CHECK_INT(fill_result(&paint, &m), k < 4 ? STIJL_ERROR_INVALID_ARGUMENT : STIJL_OK);
    paint.lead_angle = k < 4 ? (double)wrong[k] : (double)large[k - 4];
    CHECK_INT(fill_result(&paint, NULL), k < 4 ? STIJL_ERROR_INVALID_ARGUMENT : STIJL_OK);
    paint.lead_angle = k % 2 ? 1e300 : -1e300;  // no float
    CHECK_INT(fill_result(&paint, NULL), STIJL_ERROR_INVALID_ARGUMENT);
  }
  // Together they are too large for a float.
  stijl_paint paint = STIJL_PAINT_INIT;
  paint.p0.x = paint.p1.y = 3e38f;
  CHECK_INT(fill_result(&paint, NULL), STIJL_ERROR_INVALID_ARGUMENT);
}

// A pixel is painted, wholly, when its centre is inside; which side a centre on a line is on depends on its rounding.
TEST(aliased_fills) {
  sj_random r = sj_random_seed(3);
  for (int n = 0; n < 300 && !sj_test_failed(); n++) {
    int p[3][2];
    stijl_path *path;
    CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 2; k++) p[i][k] = sj_random_int(&r, -16 * 256, (SIDE + 16) * 256);
      float x = (float)p[i][0] / 256, y = (float)p[i][1] / 256;
      if (i)
        stijl_path_line_to(path, x, y);
      else
        stijl_path_move_to(path, x, y);
    }
    stijl_scene *scene = begin();
    stijl_paint paint = stijl_paint_solid((stijl_color){1, 0, 0, 1});
    paint.aliased = true;
    stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
    stijl_path_destroy(path);
    CHECK_INT(draw_scaled(scene, 1, 1 << 30, NULL), STIJL_OK);
    for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++) {
        // Where a line crosses a row's centre is rounded to 1/256 pixel.
        bool left = holds_centre(p, x * 256 + 127, y * 256 + 128),
             right = holds_centre(p, x * 256 + 129, y * 256 + 128);
        if (seen[y][x] != 0 && seen[y][x] != RED) sj_test_fail(__FILE__, __LINE__, "case %d: %08x", n, seen[y][x]);
        if (left == right && (seen[y][x] == RED) != left)
          sj_test_fail(__FILE__, __LINE__, "case %d: pixel %d, %d is %08x", n, x, y, seen[y][x]);
      }
    stijl_scene_destroy(scene);
  }
}

// A stroke thinner than a pixel is one pixel wide at every scale, and fainter; whatever it is painted with.
TEST(aliased_strokes) {
  stijl_scene *tile = begin(), *scene = begin();
  stijl_paint red = stijl_paint_solid((stijl_color){1, 0, 0, 1});
  stijl_scene_fill_all(tile, &red);
  CHECK_INT(stijl_scene_finish(tile), STIJL_OK);
  const stijl_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {1, 0, 0, 1}}};
  stijl_paint paints[] = {red, stijl_paint_linear((stijl_point){0, 0}, (stijl_point){9, 0}, stops, 2),
                          stijl_paint_scene(tile, (stijl_rect){0, 0, 4, 4})};
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = 0.25f;
  for (int i = 0; i < 3; i++) {
    stijl_path *path;
    CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
    stijl_path_move_to(path, 0, 2 + 4 * (float)i);
    stijl_path_line_to(path, 64, 2 + 4 * (float)i);
    paints[i].aliased = true;
    stijl_scene_stroke(scene, path, &stroke, NULL, &paints[i]);
    stijl_path_destroy(path);
  }
  for (int scale = 1; scale <= 4; scale++) {
    CHECK_INT(draw_scaled(scene, (float)scale, 1 << 30, NULL), STIJL_OK);
    uint32_t alpha = (255 * (uint32_t)scale + 2) / 4;
    for (int i = 0; i < 3; i++) {
      uint32_t painted = 0;
      for (int y = 0; y < 4; y++) {
        uint32_t p = seen[(2 + 4 * i) * scale + y - 2][7];
        painted += p != 0;
        if (p) CHECK_INT(p, alpha << 24 | alpha);
      }
      CHECK_INT(painted, 1);
    }
  }
  stijl_scene_destroy(tile);
  stijl_scene_destroy(scene);
}

// A scene is encoded once for as long as it is drawn in the same way, and costs the budget the same each time.
TEST(encoded_once) {
  stijl_scene *scenes[2];
  for (int i = 0; i < 2; i++) {
    CHECK_INT(stijl_scene_create(NULL, NULL, &scenes[i]), STIJL_OK);
    stijl_paint paint = stijl_paint_solid((stijl_color){1, 0, 0, 1});
    stijl_scene_fill_all(scenes[i], &paint);
    CHECK_INT(stijl_scene_finish(scenes[i]), STIJL_OK);
  }
  sj_encoded e = {.max_surface_bytes = 1 << 20};
  stijl_irect region = {0, 0, 20, 10};
  stijl_matrix same = stijl_matrix_identity(), other = stijl_matrix_scale(2, 2);
  CHECK_INT(sj_encode(sj_context(NULL), scenes[0], same, region, &e, NULL), STIJL_OK);
  uint64_t number = e.number, work = e.work;
  CHECK(work > 0);
  CHECK_INT(sj_encode(sj_context(NULL), scenes[0], same, region, &e, NULL), STIJL_OK);
  CHECK(e.number == number && e.work == work && e.draws.count == 1);
  CHECK_INT(stijl_budget_create(NULL, NULL, &e.budget), STIJL_OK);
  CHECK_INT(sj_encode(sj_context(NULL), scenes[0], same, region, &e, NULL), STIJL_OK);
  CHECK(atomic_load(&e.budget->work) == work);
  stijl_budget_destroy(e.budget);
  e.budget = NULL;
  CHECK_INT(sj_encode(sj_context(NULL), scenes[0], other, region, &e, NULL), STIJL_OK);
  CHECK_INT(sj_encode(sj_context(NULL), scenes[0], other, (stijl_irect){0, 0, 9, 9}, &e, NULL), STIJL_OK);
  CHECK_INT(sj_encode(sj_context(NULL), scenes[1], other, (stijl_irect){0, 0, 9, 9}, &e, NULL), STIJL_OK);
  CHECK(e.number == number + 3 && e.arrays == scenes[1]->arrays);
  sj_encoded_finish(sj_context(NULL), &e);
  for (int i = 0; i < 2; i++) stijl_scene_destroy(scenes[i]);
}

// Returns how many threads run; 0: the system does not tell.
static int running_threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  int count = 0;
  for (struct dirent *e; tasks && (e = readdir(tasks));) count += e->d_name[0] != '.';
  if (tasks) closedir(tasks);
  return count;
}

static bool starts_threads(int threads, int size, int draws) {
  stijl_scene *scene;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  stijl_paint paint = stijl_paint_solid((stijl_color){1, 0, 0, 0.5f});
  for (int i = 0; i < draws; i++) stijl_scene_fill_all(scene, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.threads = threads;
  int before = running_threads();
  stijl_renderer *renderer;
  CHECK_INT(stijl_renderer_create(NULL, &params, &renderer, NULL), STIJL_OK);
  stijl_target target = STIJL_TARGET_INIT;
  target.width = target.height = size;
  target.stride = (size_t)size * 4;
  target.pixels = malloc(target.stride * (size_t)size);
  CHECK_INT(stijl_render(renderer, scene, &target, NULL, NULL), STIJL_OK);
  bool started = running_threads() > before;
  free(target.pixels);
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
  // The system may count a thread for a moment after it was joined.
  for (int i = 0; i < 2000 && running_threads() > before; i++) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  return started;
}

// Threads are started when there is enough to do for them, or when their number was asked for.
TEST(threads_started) {
  if (!running_threads()) return;
  CHECK(!starts_threads(0, 200, 1));
  CHECK(!starts_threads(0, 400, 1));
  CHECK(starts_threads(3, 200, 1));
  CHECK(!starts_threads(1, 1000, 50));
  bool several = sj_processors() > 1;
  CHECK_INT(starts_threads(0, 1000, 1), several);
  CHECK_INT(starts_threads(0, 300, 20), several);
}
