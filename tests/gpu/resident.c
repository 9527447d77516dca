// Scenes that live on the device, which encodes their draws for each frame: the pixels are those of scalar code under
// any view.
#include <math.h>
#include <stdlib.h>

#include "base/pool.h"
#include "base/trial.h"
#include "gpu/device.h"
#include "gpu/job.h"
#include "gpu/resident.h"

enum { WIDTH = 300, HEIGHT = 220 };

typedef struct mix {
  const char *name;
  int draws;
  bool fills, strokes, gradients, images, aliased, straight, far, all;
  bool bent;  // few of the draws, where they are straight
} mix;

static const mix mixes[] = {{.name = "fills", .draws = 300, .fills = true},
                            {.name = "small", .draws = 2600, .fills = true, .straight = true},
                            {.name = "beside", .draws = 2550, .fills = true, .straight = true, .bent = true},
                            {.name = "strokes", .draws = 300, .strokes = true},
                            {.name = "lines", .draws = 500, .strokes = true, .straight = true},
                            {.name = "mixed", .draws = 700, .fills = true, .strokes = true, .all = true},
                            {.name = "gradients", .draws = 200, .fills = true, .strokes = true, .gradients = true},
                            {.name = "images", .draws = 100, .fills = true, .images = true},
                            {.name = "aliased", .draws = 200, .fills = true, .aliased = true},
                            {.name = "far", .draws = 200, .fills = true, .strokes = true, .far = true}};
enum { MIXES = sizeof mixes / sizeof *mixes };

static stijl_paint random_paint(sj_random *r, const mix *m, stijl_image *image, float x, float y, stijl_stop stops[2]) {
  stops[0] = (stijl_stop){0, random_color(r, false)};
  stops[1] = (stijl_stop){1, random_color(r, true)};
  float far = sj_random_float(r, 0, 40);
  stijl_paint paint = stijl_paint_solid(random_color(r, sj_random_int(r, 0, 1)));
  int kind = m->gradients ? sj_random_int(r, 0, 5) : 0;
  // Few of them: each has a place of its own.
  if (kind == 1) paint = stijl_paint_linear((stijl_point){x, y}, (stijl_point){x + far, y + 9}, stops, 2);
  if (kind == 2) paint = stijl_paint_radial((stijl_point){x, y}, far, (stijl_point){x, y}, 0, stops, 2);
  if (kind == 3) paint = stijl_paint_linear((stijl_point){x, y}, (stijl_point){x, y}, stops, 2);
  if (m->images && sj_random_int(r, 0, 3) == 0) paint = stijl_paint_image(image, STIJL_SAMPLING_BILINEAR);
  paint.aliased = m->aliased;
  return paint;
}

static stijl_matrix random_matrix(sj_random *r) {
  stijl_matrix m = stijl_matrix_translate(sj_random_float(r, -9, 9), sj_random_float(r, -9, 9));
  if (sj_random_int(r, 0, 3)) return m;
  return stijl_matrix_multiply(m, stijl_matrix_multiply(stijl_matrix_rotate((float)sj_random_int(r, 0, 3) * 30),
                                                        stijl_matrix_scale(sj_random_int(r, 0, 9) ? 0.5f : 0.0f, 2)));
}

static void add_draws(job *j, const mix *m, sj_random *r) {
  stijl_image *image = m->images ? random_image(r, 7, 5) : NULL;
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  for (int i = 0; i < m->draws; i++) {
    float size = sj_random_int(r, 0, 20) ? 12 : m->far ? 90000 : 200;
    float x = sj_random_float(r, -30, WIDTH + 30), y = sj_random_float(r, -30, HEIGHT + 30);
    stijl_path_clear(path);
    stijl_path_move_to(path, x, y);
    for (int k = sj_random_int(r, 1, 4); k > 0; k--) {
      float to[4];
      for (int c = 0; c < 4; c++) to[c] = (c & 1 ? y : x) + sj_random_float(r, -size, size);
      if ((m->straight && (!m->bent || i % 50)) || sj_random_int(r, 0, 1))
        stijl_path_line_to(path, to[0], to[1]);
      else
        stijl_path_quad_to(path, to[0], to[1], to[2], to[3]);
    }
    stijl_stop stops[2];
    stijl_paint paint = random_paint(r, m, image, x, y, stops);
    stijl_matrix matrix = random_matrix(r);
    stijl_stroke stroke = STIJL_STROKE_INIT;
    stroke.width = (float)sj_random_int(r, 0, 5);
    stroke.cap = (stijl_cap)sj_random_int(r, 0, 2);
    stroke.join = (stijl_join)sj_random_int(r, 0, 3);
    if (m->all && i % 250 == 3) {
      paint.color.a = 0.3f;
      stijl_scene_fill_all(j->scene, &paint);
    } else if (m->strokes && (!m->fills || i % 2)) {
      stijl_scene_stroke(j->scene, path, &stroke, m->straight ? NULL : &matrix, &paint);
    } else {
      stijl_scene_fill(j->scene, path, i % 3 ? STIJL_FILL_NONZERO : STIJL_FILL_EVENODD, &matrix, &paint);
    }
  }
  stijl_path_destroy(path);
  stijl_image_destroy(image);
}

static void render(stijl_renderer *renderer, const job *j, stijl_matrix view, stijl_irect region, uint8_t *pixels,
                   const char *name) {
  stijl_target target = {.size = sizeof target,
                         .width = j->width,
                         .height = j->height,
                         .format = STIJL_FORMAT_RGBA8,
                         .pixels = pixels,
                         .stride = (size_t)j->width * 4,
                         .region = region};
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.background = (stijl_color){0.2f, 0.4f, 0.6f, 0.5f};
  params.transform = view;
  stijl_message message = {""};
  if (stijl_render(renderer, j->scene, &target, &params, &message) != STIJL_OK)
    sj_test_fail(name, 0, "%s", message.text);
}

static stijl_matrix around_middle(stijl_matrix m) {
  return stijl_matrix_multiply(stijl_matrix_translate(WIDTH / 2, HEIGHT / 2),
                               stijl_matrix_multiply(m, stijl_matrix_translate(-WIDTH / 2, -HEIGHT / 2)));
}

// Draws the job under many views, or every `step` of them, and ends it. Returns how many frames the device has encoded.
static int compare_views(job *j, stijl_renderer *gpu, const char *name, size_t step) {
  const stijl_matrix views[] = {stijl_matrix_identity(),
                                stijl_matrix_translate(0.3f, -0.7f),
                                around_middle(stijl_matrix_scale(0.05f, 0.05f)),
                                around_middle(stijl_matrix_scale(30, 30)),
                                around_middle(stijl_matrix_rotate(33)),
                                around_middle(stijl_matrix_scale(-1, 3)),
                                stijl_matrix_skew(40, 10),
                                around_middle(stijl_matrix_scale(3000, 3000)),
                                stijl_matrix_translate(-31000, 500),
                                stijl_matrix_translate(1e6f, 1e6f),
                                around_middle(stijl_matrix_scale(1e-5f, 1e-5f)),
                                stijl_matrix_scale(0, 1),
                                {1e20f, 0, 0, 1e20f, 0, 0},
                                stijl_matrix_identity()};
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.isa = STIJL_ISA_SCALAR;
  params.threads = 1;
  stijl_renderer *cpu = NULL;
  CHECK_INT(stijl_scene_finish(j->scene), STIJL_OK);
  CHECK_INT(stijl_renderer_create(NULL, &params, &cpu, NULL), STIJL_OK);
  size_t bytes = (size_t)WIDTH * HEIGHT * 4;
  uint8_t *a = malloc(bytes), *b = malloc(bytes);
  if (!a || !b) abort();
  int encoded = 0;
  for (size_t i = 0; i < 2 * sizeof views / sizeof *views; i += step) {
    stijl_irect region = {0, 0, 0, 0}, part = {13, 40, 250, 201};
    memset(a, 0x5a, bytes);
    memset(b, 0x5a, bytes);
    render(cpu, j, views[i / 2], i & 1 ? part : region, a, name);
    render(gpu, j, views[i / 2], i & 1 ? part : region, b, name);
    encoded += sj_test_gpu_has_encoded(gpu);
    size_t differ = 0;
    for (size_t k = 0; k < bytes; k++) differ += a[k] != b[k];
    if (differ) sj_test_fail(name, (int)i, "%zu bytes differ", differ);
  }
  free(a);
  free(b);
  stijl_renderer_destroy(cpu);
  stijl_scene_destroy(j->scene);
  return encoded;
}

static int compare_mix(stijl_renderer *gpu, const mix *m, uint64_t seed, size_t step) {
  job j = begin(WIDTH, HEIGHT);
  sj_random r = sj_random_seed(seed);
  add_draws(&j, m, &r);
  return compare_views(&j, gpu, m->name, step);
}

TEST(views) {
  stijl_renderer *gpu = open_with("resident", "1");
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  for (int i = 0; i < MIXES; i++) {
    bool every = i == 4;
    int encoded = compare_mix(gpu, &mixes[i], (uint64_t)i, every ? 1 : 3);
    if (encoded < (every ? 20 : 7)) sj_test_fail(mixes[i].name, 0, "the device has encoded %d frames", encoded);
  }
  stijl_renderer_destroy(gpu);
}

// --- What the device writes, against what the host writes of draws that it has encoded ---

typedef struct written {
  sj_batch batch;
  const g_record *records;
  const g_path *paths;
  const uint32_t *blocks;
} written;

static written written_by_device(const sj_gpu *gpu) {
  const char *frame = gpu->buffers[SJ_FRAME].mapped;
  const VkDescriptorBufferInfo *at = gpu->bound[0];
  return (written){gpu->recorded.batch, (const void *)(frame + at[G_RECORDS].offset),
                   (const void *)(frame + at[G_PATHS].offset), (const void *)(frame + at[G_BLOCKS].offset)};
}

// Returns what the host writes. `like`: the batch whose workgroups get as many items. The caller frees the memory.
static written written_by_host(const sj_encoded *scene, stijl_irect region, const sj_batch *like, void **memory) {
  sj_batch_limits limits = sj_plan_limits(1 << 28);
  sj_plan_limit_bins(&limits, 1 << 28, region);
  limits.turns = UINT32_MAX;
  limits.chunk = 8;
  limits.windings = like->windings;
  written w = {{0}, NULL, NULL, NULL};
  CHECK(sj_batch_find(scene, region, 0, 0, &limits, &w.batch));
  for (int i = 0; i < 2; i++) w.batch.lists[i].at_once = like->lists[i].at_once;
  w.batch.rows_at_once = like->rows_at_once;
  size_t draws = w.batch.end, records = draws * sizeof(g_record), paths = draws * sizeof(g_path);
  size_t pens = w.batch.pen_count * sizeof(k_pen);
  char *base = calloc(1, records + paths + pens + sj_block_count(&w.batch) * sizeof(uint32_t));
  if (!base) abort();
  sj_batch_arrays arrays = {.records = (void *)base,
                            .paths = (void *)(base + records),
                            .pens = (void *)(base + records + paths),
                            .blocks = (void *)(base + records + paths + pens)};
  sj_batch_write(scene, region, &w.batch, NULL, &arrays);
  *memory = base;
  w.records = arrays.records;
  w.paths = arrays.paths;
  w.blocks = arrays.blocks;
  return w;
}

// Returns whether a draw has the same record and path, and the same pen and paint behind other numbers.
static bool same_draw(const written *a, const sj_encoded *as, const written *b, const sj_encoded *bs, uint32_t i) {
  g_record p = a->records[i], q = b->records[i];
  g_path path = a->paths[i], other = b->paths[i];
  if (g_kind_of(p.info)) {
    k_paint paint = as->paints.data[a->batch.paint + p.color];
    if (memcmp(&paint, &bs->paints.data[b->batch.paint + q.color], sizeof paint) != 0) return false;
    p.color = q.color;
  }
  if (g_draw_of(p.info) == K_DRAW_STROKE) {
    k_pen pen = as->pens.data[a->batch.pen + path.pen];
    if (memcmp(&pen, &bs->pens.data[b->batch.pen + other.pen], sizeof pen) != 0) return false;
    path.pen = other.pen;
  }
  // What fills everything has no path.
  bool all = g_draw_of(p.info) == K_DRAW_ALL;
  return memcmp(&p, &q, sizeof p) == 0 && (all || memcmp(&path, &other, sizeof path) == 0);
}

static void compare_written(const written *a, const sj_encoded *as, const written *b, const sj_encoded *bs,
                            const char *name) {
  for (uint32_t i = 0; i < a->batch.end; i++)
    if (!same_draw(a, as, b, bs, i)) {
      sj_test_fail(name, (int)i, "the draw's record or path differs");
      return;
    }
  for (int list = 0; list < 2; list++) {
    uint32_t groups = sj_flatten_groups(&a->batch, list);
    CHECK(memcmp(a->blocks + sj_flatten_block(&a->batch, list), b->blocks + sj_flatten_block(&b->batch, list),
                 (groups + 1) * sizeof(uint32_t)) == 0);
    CHECK(memcmp(a->blocks + sj_span_block(&a->batch, list), b->blocks + sj_span_block(&b->batch, list),
                 a->batch.lists[list].spans * sizeof(g_span)) == 0);
  }
  CHECK(memcmp(a->blocks + sj_rank_block(&a->batch), b->blocks + sj_rank_block(&b->batch),
               sj_rank_groups(&a->batch) * sizeof(uint32_t)) == 0);
  CHECK(memcmp(a->blocks + sj_small_block(&a->batch), b->blocks + sj_small_block(&b->batch),
               a->batch.small * sizeof(g_small)) == 0);
}

static void draw_encoded(sj_gpu *gpu, const sj_encoded *scene, stijl_irect region, uint8_t *pixels) {
  sj_render_job drawn = {
      .scene = scene,
      .region = region,
      .target = {
          .width = WIDTH, .height = HEIGHT, .format = STIJL_FORMAT_RGBA8, .pixels = pixels, .stride = WIDTH * 4}};
  stijl_message message = {""};
  if (sj_gpu_render(gpu, &drawn, &message) != STIJL_OK) sj_test_fail("drawing", 0, "%s", message.text);
}

static void compare_records(sj_gpu *gpu, const mix *m, stijl_matrix view, uint8_t *pixels) {
  stijl_irect region = {16, 5, WIDTH - 7, HEIGHT};
  job j = begin(WIDTH, HEIGHT);
  sj_random r = sj_random_seed((uint64_t)m->draws);
  add_draws(&j, m, &r);
  CHECK_INT(stijl_scene_finish(j.scene), STIJL_OK);
  sj_encoded host = {0}, device = {0};
  host.canvas = device.canvas = (stijl_irect){0, 0, WIDTH, HEIGHT};
  CHECK_INT(sj_encode(sj_context(NULL), j.scene, view, region, &host, NULL), STIJL_OK);
  draw_encoded(gpu, &host, region, pixels);
  bool encodes = sj_gpu_encodes(gpu, sj_context(NULL), j.scene, view, region, &device);
  CHECK(encodes);
  if (encodes) {
    void *memory;
    draw_encoded(gpu, &device, region, pixels);
    CHECK(gpu->recorded.batch.resident);
    written theirs = written_by_device(gpu), ours = written_by_host(&host, region, &theirs.batch, &memory);
    CHECK(ours.batch.end > 20);
    CHECK_INT(ours.batch.small > 0, m->straight);
    CHECK_INT(ours.batch.lists[1].items > 0, m->draws > 10000);
    compare_written(&ours, &host, &theirs, &device, m->name);
    free(memory);
  }
  sj_encoded_finish(sj_context(NULL), &host);
  sj_encoded_finish(sj_context(NULL), &device);
  stijl_scene_destroy(j.scene);
}

TEST(records) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  static const mix written_mixes[] = {
      {.name = "mixed", .draws = 200, .fills = true, .strokes = true, .gradients = true, .all = true},
      {.name = "small", .draws = 6000, .fills = true, .straight = true},
      {.name = "far", .draws = 201, .fills = true, .strokes = true, .far = true},
      {.name = "two lists", .draws = 48000, .fills = true, .strokes = true}};
  const stijl_matrix views[] = {stijl_matrix_translate(0.3f, -0.7f), stijl_matrix_scale(0.6f, 0.5f)};
  stijl_renderer_params params = sj_test_gpu_params();
  sj_pool *pool = sj_pool_create(sj_context(NULL), 1);
  uint8_t *pixels = malloc((size_t)WIDTH * HEIGHT * 4);
  sj_gpu *gpu = NULL;
  stijl_message message = {""};
  if (!pixels) abort();
  sj_trial_set("resident", "1");
  if (sj_gpu_create(sj_context(NULL), &params, NULL, NULL, pool, &gpu, &message) != STIJL_OK)
    sj_test_fail("records", 0, "%s", message.text);
  sj_trial_set("resident", NULL);
  bool visible = gpu != NULL;
  for (size_t i = 0; i < 8 && visible; i++) {
    if (i == 6) continue;  // too few of these are seen
    compare_records(gpu, &written_mixes[i / 2], views[i % 2], pixels);
    visible = !gpu->buffers[SJ_FRAME].staging;  // else what the device writes is its own
  }
  sj_gpu_destroy(gpu);
  sj_pool_destroy(pool);
  free(pixels);
}

// Where buffers are small at first, sums are all long, workgroups share segments, or bins may have few draws.
TEST(tight) {
  static const struct {
    const char *name, *value;
    int least;  // frames that the device encodes all the same
  } trials[] = {{"tiles", "1", 7}, {"windings", "1", 7}, {"shares", "3", 7}, {"turns", "3000", 0}};
  for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
    sj_trial_set("resident", "1");
    stijl_renderer *gpu = open_with(trials[i].name, trials[i].value);
    sj_trial_set("resident", NULL);
    if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
    int encoded = 0;
    for (int k = 0; k < MIXES; k += 2) encoded = compare_mix(gpu, &mixes[k], 100 + (uint64_t)k, 3);
    if (encoded < trials[i].least) sj_test_fail(trials[i].name, 0, "the device has encoded %d frames", encoded);
    stijl_renderer_destroy(gpu);
  }
}

// Scenes that the device has no room for are encoded by the processor, and then tried again. Of many small fills in one
// place (the third view) the lines are too many for their edges, which they do not have.
TEST(ranges) {
  static const char *const ranges[] = {"200000", "124000"};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    sj_trial_set("resident", "1");
    stijl_renderer *gpu = open_with("range", ranges[i]);
    sj_trial_set("resident", NULL);
    if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
    for (int k = 0; k < MIXES; k++)
      if (!mixes[k].images) compare_mix(gpu, &mixes[k], 200 + (uint64_t)k, 4);
    stijl_renderer_destroy(gpu);
  }
}

// What the device does not encode, and scenes with few draws.
TEST(left_out) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  CHECK_INT(compare_mix(gpu, &mixes[0], 1, 5), 0);
  stijl_renderer_destroy(gpu);
  gpu = open_with("resident", "1");
  mix thin = {.name = "aliased strokes", .draws = 100, .strokes = true, .aliased = true};
  CHECK_INT(compare_mix(gpu, &thin, 2, 5), 0);
  job layers = begin(WIDTH, HEIGHT);
  sj_random r = sj_random_seed(3);
  add_draws(&layers, &mixes[0], &r);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.opacity = 0.5f;
  stijl_scene_push_layer(layers.scene, &layer);
  add_draws(&layers, &mixes[2], &r);
  stijl_scene_pop_layer(layers.scene);
  CHECK_INT(compare_views(&layers, gpu, "layers", 5), 0);
  stijl_renderer_destroy(gpu);
}
