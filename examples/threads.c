// One finished scene, drawn by several threads at a time: each thread has its own renderer and draws tiles of the
// canvas, straight into the shared picture. Writes threads.png. (A renderer can also use several threads itself.)
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stijl/stijl.h>

enum { SIZE = 512, TILE = 64, TILES = (SIZE / TILE) * (SIZE / TILE), THREADS = 4 };

static unsigned char pixels[SIZE][SIZE * 4];

typedef struct job {
  const stijl_scene *scene;
  atomic_int next_tile;
  atomic_int result;
} job;

static void *work(void *user) {
  job *j = user;
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.threads = 1;
  stijl_renderer *renderer = NULL;
  stijl_result result = stijl_renderer_create(NULL, &params, &renderer, NULL);
  for (int tile; result == STIJL_OK && (tile = atomic_fetch_add(&j->next_tile, 1)) < TILES;) {
    int x = tile % (SIZE / TILE) * TILE, y = tile / (SIZE / TILE) * TILE;
    stijl_target target = {.size = sizeof target,
                           .width = SIZE,
                           .height = SIZE,
                           .region = {x, y, x + TILE, y + TILE},
                           .format = STIJL_FORMAT_RGBA8,
                           .pixels = &pixels[y][x * 4],
                           .stride = sizeof pixels[0]};
    result = stijl_render(renderer, j->scene, &target, NULL, NULL);
  }
  if (result != STIJL_OK) atomic_store(&j->result, (int)result);
  stijl_renderer_destroy(renderer);
  return NULL;
}

// Records a rosette of translucent petals, blended by multiplication.
static stijl_scene *record(void) {
  stijl_path *petal = NULL;
  stijl_scene *scene = NULL;
  stijl_path_create(NULL, &petal);
  stijl_path_add_ellipse(petal, 110, 0, 110, 42);
  stijl_scene_create(NULL, NULL, &scene);
  stijl_paint white = stijl_paint_solid((stijl_color){1, 1, 1, 1});
  stijl_scene_fill_all(scene, &white);
  for (int i = 0; i < 12; i++) {
    stijl_layer layer = STIJL_LAYER_INIT;
    layer.blend = STIJL_BLEND_MULTIPLY;
    stijl_scene_push_layer(scene, &layer);
    stijl_matrix m =
        stijl_matrix_multiply(stijl_matrix_translate(SIZE / 2, SIZE / 2), stijl_matrix_rotate((float)i * 30.0f));
    float t = (float)i / 11.0f;
    stijl_paint paint = stijl_paint_solid((stijl_color){1 - 0.8f * t, 0.5f, 0.3f + 0.7f * t, 1});
    stijl_scene_fill(scene, petal, STIJL_FILL_NONZERO, &m, &paint);
    stijl_scene_pop_layer(scene);
  }
  stijl_path_destroy(petal);
  if (stijl_scene_finish(scene) == STIJL_OK) return scene;
  fprintf(stderr, "threads: %s\n", stijl_scene_message(scene));
  stijl_scene_destroy(scene);
  return NULL;
}

static bool to_file(void *user, const void *data, size_t bytes) { return fwrite(data, 1, bytes, user) == bytes; }

int main(int argc, char **argv) {
  stijl_scene *scene = record();
  if (!scene) return 1;
  job j = {.scene = scene};
  pthread_t threads[THREADS];
  int started = 0;
  while (started < THREADS && pthread_create(&threads[started], NULL, work, &j) == 0) started++;
  if (started == 0) work(&j);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);

  stijl_result result = (stijl_result)j.result;
  FILE *out = result == STIJL_OK ? fopen(argc > 1 ? argv[1] : "threads.png", "wb") : NULL;
  if (out)
    result = stijl_png_encode(NULL, SIZE, SIZE, STIJL_FORMAT_RGBA8, pixels, sizeof pixels[0], NULL, to_file, out, NULL);
  if (result == STIJL_OK && !out) result = STIJL_ERROR_IO;
  if (out && fclose(out) != 0) result = STIJL_ERROR_IO;
  if (result != STIJL_OK) fprintf(stderr, "threads: %s\n", stijl_result_string(result));
  stijl_scene_destroy(scene);
  return result == STIJL_OK ? 0 : 1;
}
