// Draws a pane of frosted glass over stripes and writes glass.png: a layer whose filter reads what lies below it.
#include <stdio.h>
#include <stijl/stijl.h>

static bool to_file(void *user, const void *data, size_t bytes) { return fwrite(data, 1, bytes, user) == bytes; }

static void fill(stijl_scene *scene, const stijl_path *path, stijl_color color) {
  stijl_paint paint = stijl_paint_solid(color);
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
}

// Makes a filter that shows what is below, blurred, within the alpha of what the layer draws, and the layer itself on
// top, over a shadow of its own.
static stijl_filter *make_glass(void) {
  stijl_filter *f = NULL;
  stijl_filter_create(NULL, &f);
  int below = stijl_filter_blur(f, NULL, stijl_filter_backdrop(f, NULL), 6, 6, STIJL_FILTER_EDGE_NONE);
  below = stijl_filter_saturate(f, below, 1.5f);
  // The pane is translucent: four times its alpha is opaque.
  stijl_transfer opaque[4] = {{.kind = STIJL_TRANSFER_IDENTITY},
                              {.kind = STIJL_TRANSFER_IDENTITY},
                              {.kind = STIJL_TRANSFER_IDENTITY},
                              {.kind = STIJL_TRANSFER_LINEAR, .a = 4}};
  int shape = stijl_filter_transfer(f, NULL, STIJL_FILTER_SOURCE, opaque);
  int pane = stijl_filter_composite(f, NULL, below, shape, STIJL_FILTER_IN);
  pane = stijl_filter_merge(f, NULL, (int[]){pane, STIJL_FILTER_SOURCE}, 2);
  stijl_filter_drop_shadow(f, NULL, pane, 0, 4, 5, 5, (stijl_color){0, 0, 0, 0.5f});
  return f;
}

int main(int argc, char **argv) {
  enum { WIDTH = 320, HEIGHT = 160 };
  stijl_scene *scene = NULL;
  stijl_scene_create(NULL, NULL, &scene);
  stijl_path *path = NULL;
  for (int i = 0; i < 8; i++) {
    stijl_path_create(NULL, &path);
    stijl_path_add_rect(path, (float)i * 40, 0, 40, HEIGHT);
    fill(scene, path, i & 1 ? (stijl_color){0.95f, 0.75f, 0.2f, 1} : (stijl_color){0.1f, 0.35f, 0.6f, 1});
    stijl_path_destroy(path);
  }
  stijl_path_create(NULL, &path);
  stijl_path_add_round_rect(path, 50, 35, 220, 90, 18, 18);
  stijl_filter *glass = make_glass();
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.filter = glass;
  stijl_scene_push_layer(scene, &layer);
  fill(scene, path, (stijl_color){1, 1, 1, 0.25f});
  stijl_scene_pop_layer(scene);
  stijl_filter_destroy(glass);
  stijl_path_destroy(path);
  stijl_result result = stijl_scene_finish(scene);
  if (result != STIJL_OK) fprintf(stderr, "glass: %s\n", stijl_scene_message(scene));

  static unsigned char pixels[HEIGHT][WIDTH * 4];
  stijl_target target = STIJL_TARGET_INIT;
  target.width = WIDTH, target.height = HEIGHT, target.pixels = pixels, target.stride = sizeof pixels[0];
  stijl_renderer *renderer = NULL;
  if (result == STIJL_OK) result = stijl_renderer_create(NULL, NULL, &renderer, NULL);
  if (result == STIJL_OK) result = stijl_render(renderer, scene, &target, NULL, NULL);

  FILE *out = result == STIJL_OK ? fopen(argc > 1 ? argv[1] : "glass.png", "wb") : NULL;
  if (out)
    result = stijl_png_encode(NULL, WIDTH, HEIGHT, target.format, pixels, target.stride, NULL, to_file, out, NULL);
  if (result == STIJL_OK && !out) result = STIJL_ERROR_IO;
  if (out && fclose(out) != 0) result = STIJL_ERROR_IO;
  if (result != STIJL_OK) fprintf(stderr, "glass: %s\n", stijl_result_string(result));
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
  return result == STIJL_OK ? 0 : 1;
}
