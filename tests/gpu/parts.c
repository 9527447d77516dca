// Very many draws, which several threads encode and write for the stages: they become what they become by one thread.
#include <stdlib.h>

#include "base/irect.h"
#include "base/pool.h"
#include "gpu/plan.h"
#include "gpu/records.h"
#include "scene/encode.h"
#include "stijl/stijl.h"
#include "test.h"

enum { SIDE = 2000, DRAWS = 9000, THREADS = 5 };

typedef struct mix {
  const char *name;
  bool strokes, gradients, thin, layers, within, straight;
} mix;

static const mix mixes[] = {
    {.name = "fills"},
    {.name = "small", .straight = true},  // so many small fills that they have a stage of their own
    {.name = "strokes", .strokes = true},
    {.name = "gradients", .strokes = true, .gradients = true},
    // Strokes thinner than a pixel that are not smoothed fade, with gradients in a layer of their own.
    {.name = "thin", .strokes = true, .gradients = true, .thin = true},
    {.name = "layers", .strokes = true, .gradients = true, .layers = true},
    {.name = "within", .strokes = true, .gradients = true, .within = true}};
enum { MIXES = sizeof mixes / sizeof *mixes };

// Adds a shape, of which one in a few is outside of the picture, and one in many is large.
static void add_shape(stijl_scene *scene, stijl_path *path, sj_random *r, const mix *m) {
  float x = sj_random_float(r, -SIDE / 4, SIDE * 1.25f), y = sj_random_float(r, -SIDE / 4, SIDE * 1.25f);
  float size = sj_random_int(r, 0, 99) ? 20 : SIDE / 3;
  stijl_path_clear(path);
  stijl_path_move_to(path, x, y);
  if (!m->straight && sj_random_int(r, 0, 3)) stijl_path_quad_to(path, x + size, y, x, y + size);
  stijl_path_line_to(path, x + size, y + size * sj_random_float(r, 0, 1));
  stijl_path_close(path);
  stijl_paint paint = stijl_paint_solid((stijl_color){sj_random_float(r, 0, 1), 0, 1, 0.5f});
  stijl_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 0.5f}}};
  if (m->gradients && !sj_random_int(r, 0, 4))
    paint = stijl_paint_linear((stijl_point){x, y}, (stijl_point){x + size, y}, stops, 2);
  stijl_matrix moved = stijl_matrix_translate((float)sj_random_int(r, 0, 3), 0);
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = m->thin ? sj_random_float(r, 0.1f, 2) : (float)sj_random_int(r, 1, 4);
  paint.aliased = m->thin;
  if (m->strokes && sj_random_int(r, 0, 2))
    stijl_scene_stroke(scene, path, &stroke, &moved, &paint);
  else
    stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, &moved, &paint);
}

static stijl_scene *record(const mix *m, int draws) {
  stijl_scene *scene = NULL, *whole = NULL;
  stijl_path *path = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  sj_random r = sj_random_seed((uint64_t)draws);
  for (int i = 0; i < draws; i++) {
    if (m->layers && i == 100) stijl_scene_push_layer(scene, &(stijl_layer)STIJL_LAYER_INIT);
    add_shape(scene, path, &r, m);
    if (m->layers && i == draws - 100) stijl_scene_pop_layer(scene);
  }
  stijl_path_destroy(path);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  if (!m->within) return scene;
  CHECK_INT(stijl_scene_create(NULL, NULL, &whole), STIJL_OK);
  stijl_matrix turned = stijl_matrix_rotate(0.1f), small = stijl_matrix_scale(0.5f, 0.5f);
  stijl_scene_add_scene(whole, scene, &turned);
  stijl_scene_add_scene(whole, scene, &small);
  CHECK_INT(stijl_scene_finish(whole), STIJL_OK);
  stijl_scene_destroy(scene);
  return whole;
}

// Returns whether two draws are the same, and so are what they are painted with and their pens.
static bool same_draw(const sj_encoded *a, const sj_encoded *b, size_t i) {
  k_draw p = a->draws.data[i], q = b->draws.data[i];
  bool paints = p.op != K_DRAW_PUSH && p.op != K_DRAW_POP && !(p.flags & K_DRAW_SOLID);
  if (p.op == K_DRAW_STROKE) {
    if (memcmp(&a->pens.data[p.pen], &b->pens.data[q.pen], sizeof(k_pen)) != 0) return false;
    p.pen = q.pen;
  }
  if (paints) {
    if (memcmp(&a->paints.data[p.paint], &b->paints.data[q.paint], sizeof(k_paint)) != 0) return false;
    p.paint = q.paint;
  }
  return memcmp(&p, &q, sizeof p) == 0;
}

static void encode(const stijl_scene *scene, sj_pool *pool, stijl_irect region, sj_encoded *out) {
  out->pool = pool;
  out->canvas = (stijl_irect){0, 0, SIDE, SIDE};
  CHECK_INT(sj_encode(sj_context(NULL), scene, stijl_matrix_identity(), region, out, NULL), STIJL_OK);
}

static void compare_encoded(const mix *m, const sj_encoded *alone, const sj_encoded *together) {
  CHECK_INT(together->draws.count, alone->draws.count);
  CHECK_INT(together->work, alone->work);
  CHECK_INT(sj_target_pass(together)->depth, sj_target_pass(alone)->depth);
  CHECK(together->draws.count > 1000);
  for (size_t i = 0; i < alone->draws.count && i < together->draws.count; i++)
    if (!same_draw(alone, together, i)) {
      sj_test_fail(m->name, 0, "draw %zu differs", i);
      return;
    }
}

TEST(encoded_in_parts) {
  sj_pool *pool = sj_pool_create(sj_context(NULL), THREADS);
  const stijl_irect regions[] = {{0, 0, SIDE, SIDE}, {100, 300, 1500, SIDE}};
  for (int i = 0; i < MIXES; i++) {
    stijl_scene *scene = record(&mixes[i], i == 0 ? 4096 : DRAWS + i);
    sj_encoded alone = {0}, together = {0};
    for (int k = 0; k < 2; k++) {
      encode(scene, NULL, regions[k], &alone);
      encode(scene, pool, regions[k], &together);
      compare_encoded(&mixes[i], &alone, &together);
    }
    CHECK(mixes[i].strokes ? together.pens.count > 0 : together.pens.count == 0);
    CHECK(mixes[i].gradients ? together.paints.count > 0 : together.paints.count == 0);
    sj_encoded_finish(sj_context(NULL), &alone);
    sj_encoded_finish(sj_context(NULL), &together);
    stijl_scene_destroy(scene);
  }
  sj_pool_destroy(pool);
}

// What is written for the stages.
typedef struct written {
  sj_batch batch;
  uint32_t *words;
  size_t count;
} written;

static written write_batch(const sj_encoded *scene, stijl_irect region, uint64_t range, sj_batch_parts *parts) {
  sj_batch_limits limits = sj_plan_limits(range);
  sj_plan_limit_bins(&limits, range, region);
  limits.turns = 4000;  // fewer than all draws take, more than those of a bin
  limits.chunk = 8;
  limits.windings = 16383;
  limits.parts = parts;
  limits.bin_turns = malloc(limits.bins * sizeof *limits.bin_turns);
  written w = {0};
  if (!limits.bin_turns) abort();
  CHECK(sj_batch_find(scene, region, 0, 0, &limits, &w.batch));
  size_t draws = w.batch.end, records = draws * sizeof(g_record) / 4, paths = draws * sizeof(g_path) / 4,
         pens = w.batch.pen_count * sizeof(k_pen) / 4;
  w.count = records + paths + pens + sj_block_count(&w.batch);
  w.words = calloc(w.count, sizeof *w.words);
  g_record *open = calloc(w.batch.depth + 1, sizeof *open);
  if (!w.words || !open) abort();
  sj_batch_arrays arrays = {NULL,
                            open,
                            (g_record *)(void *)w.words,
                            (g_path *)(void *)(w.words + records),
                            (k_pen *)(void *)(w.words + records + paths),
                            w.words + records + paths + pens};
  sj_batch_write(scene, region, &w.batch, parts, &arrays);
  free(open);
  free(limits.bin_turns);
  return w;
}

TEST(written_in_parts) {
  sj_pool *pool = sj_pool_create(sj_context(NULL), THREADS);
  sj_batch_parts parts = {.context = sj_context(NULL), .pool = pool};
  stijl_irect region = {0, 0, SIDE, SIDE};
  // Where the device has less room the batch ends before the last draw, and is found and written by one thread.
  const uint64_t ranges[] = {1 << 28, 200000};
  for (int i = 0; i < 2 * MIXES; i++) {
    const mix *m = &mixes[i / 2];
    stijl_scene *scene = record(m, DRAWS + i);
    sj_encoded encoded = {0};
    encode(scene, NULL, region, &encoded);
    written alone = write_batch(&encoded, region, ranges[i % 2], NULL);
    written together = write_batch(&encoded, region, ranges[i % 2], &parts);
    bool layers = m->layers || m->thin, whole = together.batch.end == encoded.draws.count;
    CHECK_INT(whole, i % 2 == 0);
    CHECK_INT(together.batch.in_parts, whole && !layers);
    together.batch.in_parts = false;
    CHECK(memcmp(&alone.batch, &together.batch, sizeof alone.batch) == 0);
    CHECK_INT(together.count, alone.count);
    if (alone.count == together.count)
      CHECK(memcmp(alone.words, together.words, alone.count * sizeof *alone.words) == 0);
    free(alone.words);
    free(together.words);
    sj_encoded_finish(sj_context(NULL), &encoded);
    stijl_scene_destroy(scene);
  }
  sj_array_finish(parts.context, &parts.sums);
  sj_pool_destroy(pool);
}
