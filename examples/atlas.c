// An atlas of icons, drawn by one call: by the GPU that is named, or by all processors. A loading wheel has twelve
// pictures of one scene, each turned a little further, at three sizes. Writes atlas.png.
//   atlas [atlas.png [DEVICE]]      DEVICE: as `stijl devices` lists it, or "cpu", "discrete", ...
#include <stdio.h>
#include <stijl/stijl.h>

enum { TURNS = 12, SIZES = 3, WIDTH = TURNS * 64, HEIGHT = 16 + 32 + 64 };

static unsigned char pixels[HEIGHT][WIDTH * 4];

// Records eight dots around the middle of a square of one unit, each fainter than the one before.
static stijl_scene *record(void) {
  stijl_path *dot = NULL;
  stijl_scene *scene = NULL;
  stijl_path_create(NULL, &dot);
  stijl_path_add_ellipse(dot, 0, -0.36f, 0.1f, 0.1f);
  stijl_scene_create(NULL, NULL, &scene);
  for (int i = 0; i < 8; i++) {
    stijl_matrix m = stijl_matrix_multiply(stijl_matrix_translate(0.5f, 0.5f), stijl_matrix_rotate((float)i * -45.0f));
    stijl_paint paint = stijl_paint_solid((stijl_color){0.1f, 0.4f, 0.9f, 1.0f - 0.11f * (float)i});
    stijl_scene_fill(scene, dot, STIJL_FILL_NONZERO, &m, &paint);
  }
  stijl_path_destroy(dot);
  if (stijl_scene_finish(scene) == STIJL_OK) return scene;
  fprintf(stderr, "atlas: %s\n", stijl_scene_message(scene));
  stijl_scene_destroy(scene);
  return NULL;
}

static void place(stijl_picture *picture, const stijl_scene *scene, int turn, int x, int y, int side) {
  *picture = (stijl_picture)STIJL_PICTURE_INIT;
  picture->scene = scene;
  picture->background = (stijl_color){1, 1, 1, 1};
  picture->place = (stijl_irect){x, y, x + side, y + side};
  // From the square of one unit to the picture's pixels, around the middle.
  stijl_matrix turned =
      stijl_matrix_multiply(stijl_matrix_rotate(360.0f / TURNS * (float)turn), stijl_matrix_translate(-0.5f, -0.5f));
  turned = stijl_matrix_multiply(stijl_matrix_translate(0.5f, 0.5f), turned);
  picture->transform = stijl_matrix_multiply(stijl_matrix_scale((float)side, (float)side), turned);
}

static bool to_file(void *user, const void *data, size_t bytes) { return fwrite(data, 1, bytes, user) == bytes; }

int main(int argc, char **argv) {
  stijl_scene *scene = record();
  if (!scene) return 1;
  stijl_picture pictures[SIZES * TURNS];
  for (int size = 0, y = 0; size < SIZES; y += 16 << size, size++)
    for (int turn = 0; turn < TURNS; turn++)
      place(&pictures[size * TURNS + turn], scene, turn, turn * (16 << size), y, 16 << size);

  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.device_name = argc > 2 ? argv[2] : NULL;
  stijl_renderer *renderer = NULL;
  stijl_message message = {""};
  stijl_result result = stijl_renderer_create(NULL, &params, &renderer, &message);
  stijl_target target = STIJL_TARGET_INIT;
  target.width = WIDTH;
  target.height = HEIGHT;
  target.pixels = pixels;
  target.stride = sizeof pixels[0];
  if (result == STIJL_OK) result = stijl_render_many(renderer, pictures, SIZES * TURNS, &target, NULL, &message);

  FILE *out = result == STIJL_OK ? fopen(argc > 1 ? argv[1] : "atlas.png", "wb") : NULL;
  if (out)
    result = stijl_png_encode(NULL, WIDTH, HEIGHT, STIJL_FORMAT_RGBA8, pixels, sizeof pixels[0], NULL, to_file, out,
                              &message);
  if (result == STIJL_OK && !out) result = STIJL_ERROR_IO;
  if (out && fclose(out) != 0) result = STIJL_ERROR_IO;
  if (result != STIJL_OK) fprintf(stderr, "atlas: %s: %s\n", stijl_result_string(result), message.text);
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
  return result == STIJL_OK ? 0 : 1;
}
