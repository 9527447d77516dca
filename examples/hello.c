// Draws a gradient disc with a dashed ring and writes hello.png. Build: cc hello.c $(pkg-config --cflags --libs stijl)
#include <stdio.h>
#include <stijl/stijl.h>

static bool to_file(void *user, const void *data, size_t bytes) { return fwrite(data, 1, bytes, user) == bytes; }

int main(int argc, char **argv) {
  stijl_path *disc = NULL;
  stijl_path_create(NULL, &disc);
  stijl_path_add_ellipse(disc, 128, 128, 96, 96);

  stijl_scene *scene = NULL;
  stijl_scene_create(NULL, NULL, &scene);
  stijl_stop stops[] = {{0, {1, 0.8f, 0.2f, 1}}, {1, {0.8f, 0.1f, 0.3f, 1}}};
  stijl_paint glow = stijl_paint_radial((stijl_point){128, 128}, 96, (stijl_point){96, 96}, 0, stops, 2);
  stijl_paint blue = stijl_paint_solid((stijl_color){0.1f, 0.2f, 0.5f, 1});
  stijl_stroke ring = STIJL_STROKE_INIT;
  ring.width = 12, ring.cap = STIJL_CAP_ROUND, ring.dashes = (float[]){24, 18}, ring.dash_count = 2;
  stijl_scene_fill(scene, disc, STIJL_FILL_NONZERO, NULL, &glow);
  stijl_scene_stroke(scene, disc, &ring, NULL, &blue);
  stijl_result result = stijl_scene_finish(scene);  // reports the first error of all calls before

  static unsigned char pixels[256][256 * 4];
  stijl_target target = {.size = sizeof target,
                         .width = 256,
                         .height = 256,
                         .format = STIJL_FORMAT_RGBA8,
                         .pixels = pixels,
                         .stride = 1024};
  stijl_renderer *renderer = NULL;
  if (result == STIJL_OK) result = stijl_renderer_create(NULL, NULL, &renderer, NULL);
  if (result == STIJL_OK) result = stijl_render(renderer, scene, &target, NULL, NULL);

  FILE *out = result == STIJL_OK ? fopen(argc > 1 ? argv[1] : "hello.png", "wb") : NULL;
  if (out) result = stijl_png_encode(NULL, 256, 256, target.format, pixels, target.stride, NULL, to_file, out, NULL);
  if (result == STIJL_OK && !out) result = STIJL_ERROR_IO;
  if (out && fclose(out) != 0) result = STIJL_ERROR_IO;
  if (result != STIJL_OK) fprintf(stderr, "hello: %s\n", stijl_result_string(result));

  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
  stijl_path_destroy(disc);
  return result == STIJL_OK ? 0 : 1;
}
