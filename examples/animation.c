// An animation: the same renderer draws frame after frame. Here each frame is a tile of one picture, animation.png; a
// program with a window shows it, and waits for the next. Build: cc animation.c $(pkg-config --cflags --libs stijl)
#include <stdio.h>
#include <stijl/stijl.h>

enum { SIZE = 96, COLUMNS = 6, ROWS = 2, FRAMES = COLUMNS * ROWS };

// Records what stays as it is once, around the origin.
static stijl_result record_planet(stijl_scene *scene) {
  stijl_path *disc = NULL;
  stijl_path_create(NULL, &disc);
  stijl_path_add_ellipse(disc, 0, 0, 12, 12);
  stijl_stop stops[] = {{0, {1, 0.9f, 0.6f, 1}}, {1, {0.8f, 0.3f, 0.1f, 1}}};
  stijl_paint light = stijl_paint_radial((stijl_point){0, 0}, 12, (stijl_point){-4, -4}, 0, stops, 2);
  stijl_scene_fill(scene, disc, STIJL_FILL_NONZERO, NULL, &light);
  stijl_path_destroy(disc);
  return stijl_scene_finish(scene);
}

// Records a frame anew, in the memory that the one before took. Time goes from 0 to 1, and begins again.
static stijl_result record_frame(stijl_scene *scene, const stijl_scene *planet, stijl_path *path, float time) {
  stijl_scene_reset(scene);
  stijl_path_clear(path);
  stijl_path_add_ellipse(path, SIZE / 2, SIZE / 2, 32, 32);
  stijl_stroke dashes = STIJL_STROKE_INIT;
  float pattern[] = {4, 4};
  dashes.dashes = pattern, dashes.dash_count = 2;
  stijl_paint grey = stijl_paint_solid((stijl_color){0.6f, 0.6f, 0.7f, 1});
  stijl_scene_stroke(scene, path, &dashes, NULL, &grey);
  stijl_matrix turn =
      stijl_matrix_multiply(stijl_matrix_translate(SIZE / 2, SIZE / 2), stijl_matrix_rotate(time * 360));
  stijl_matrix place = stijl_matrix_multiply(turn, stijl_matrix_translate(32, 0));
  stijl_scene_add_scene(scene, planet, &place);
  return stijl_scene_finish(scene);
}

static bool to_file(void *user, const void *data, size_t bytes) { return fwrite(data, 1, bytes, user) == bytes; }

int main(int argc, char **argv) {
  static unsigned char pixels[ROWS * SIZE][COLUMNS * SIZE * 4];
  stijl_message message = {""};
  stijl_scene *planet = NULL, *scene = NULL;
  stijl_path *path = NULL;
  stijl_renderer *renderer = NULL;
  stijl_result result = stijl_renderer_create(NULL, NULL, &renderer, &message);
  if (result == STIJL_OK) result = stijl_path_create(NULL, &path);
  if (result == STIJL_OK) result = stijl_scene_create(NULL, NULL, &planet);
  if (result == STIJL_OK) result = stijl_scene_create(NULL, NULL, &scene);
  if (result == STIJL_OK) result = record_planet(planet);

  stijl_target target = STIJL_TARGET_INIT;
  target.width = target.height = SIZE;
  target.stride = sizeof pixels[0];
  stijl_render_params night = STIJL_RENDER_PARAMS_INIT;
  night.background = (stijl_color){0.05f, 0.05f, 0.15f, 1};
  for (int i = 0; i < FRAMES && result == STIJL_OK; i++) {
    result = record_frame(scene, planet, path, (float)i / FRAMES);
    target.pixels = &pixels[i / COLUMNS * SIZE][i % COLUMNS * SIZE * 4];
    if (result == STIJL_OK) result = stijl_render(renderer, scene, &target, &night, &message);
  }

  FILE *out = result == STIJL_OK ? fopen(argc > 1 ? argv[1] : "animation.png", "wb") : NULL;
  if (out)
    result = stijl_png_encode(NULL, COLUMNS * SIZE, ROWS * SIZE, target.format, pixels, target.stride, NULL, to_file,
                              out, &message);
  if (result == STIJL_OK && !out) result = STIJL_ERROR_IO;
  if (out && fclose(out) != 0) result = STIJL_ERROR_IO;
  if (result != STIJL_OK) fprintf(stderr, "animation: %s\n", stijl_result_string(result));
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
  stijl_scene_destroy(planet);
  stijl_path_destroy(path);
  return result == STIJL_OK ? 0 : 1;
}
