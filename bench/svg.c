// stijl as an adapter of filters.py: an SVG document, whose scene is drawn again and again.
#include <stdio.h>
#include <stdlib.h>

#include "ours.h"
#include "stijl/svg.h"

static stijl_scene *load(const char *name, int size) {
  stijl_message message = {""};
  FILE *file = fopen(name, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) {
    perror(name);
    exit(1);
  }
  size_t bytes = (size_t)ftell(file);
  char *text = malloc(bytes);
  rewind(file);
  if (!text || fread(text, 1, bytes, file) != bytes) ours_check(STIJL_ERROR_IO, name);
  fclose(file);
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  stijl_svg *svg;
  stijl_scene *scene;
  ours_check(stijl_svg_load(NULL, text, bytes, &params, &svg, &message), message.text);
  ours_check(stijl_svg_scene(svg, (float)size, (float)size, &scene, &message), message.text);
  stijl_svg_destroy(svg);
  free(text);
  return scene;
}

int main(int argc, char **argv) {
  bench_options options = bench_read_options(argc, argv);
  ours o = OURS_INIT;
  o.scene = load(options.file, options.size);
  ours_frames(&o, "stijl", &options);
  return 0;
}
