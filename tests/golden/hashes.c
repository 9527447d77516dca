// hashes [--font FILE]... WIDTH FILE...: draws documents without any file beside them, with these fonts and no others,
// and prints for each
//   HASH WIDTH HEIGHT FILE    the pixels' hash (FNV-1a, 64 bits, straight RGBA), or
//   ERROR FILE
// hashes --sizes prints for each of 50 ratios a hash of the sizes of its pictures, 1 to 4096 wide, and the ratio's
// height. What other builds of the library, those for WebAssembly, have to give as well
// (tests/wasm/documents.test.mjs).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stijl/stijl.h"

static unsigned char *read_file(const char *path, size_t *count) {
  static unsigned char data[16 << 20];
  FILE *in = fopen(path, "rb");
  if (!in) return NULL;
  *count = fread(data, 1, sizeof data, in);
  fclose(in);
  return data;
}

// What the SVG suite wants them to stand for.
static const char *const families[] = {"Noto Sans",  "Noto Serif",           "Noto Sans",
                                       "Yellowtail", "Sedgwick Ave Display", "Noto Mono"};

static bool draw(stijl_renderer *renderer, stijl_fonts *fonts, const char *path, int width) {
  size_t count = 0;
  const unsigned char *data = read_file(path, &count);
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.fonts = fonts;
  stijl_svg *svg = NULL;
  if (!data || stijl_svg_load(NULL, data, count, &params, &svg, NULL) != STIJL_OK) return false;
  float w, h;
  stijl_svg_size(svg, &w, &h);
  stijl_svg_fitted fitted = stijl_svg_fit((double)w, (double)h, width, 0, 1);
  stijl_target target = STIJL_TARGET_INIT;
  target.width = width;
  target.height = (int)fmin(fitted.pixel_height, 32767);
  target.format = STIJL_FORMAT_RGBA8_STRAIGHT;
  target.stride = (size_t)width * 4;
  size_t bytes = target.stride * (size_t)target.height;
  target.pixels = malloc(bytes);
  stijl_scene *scene = NULL;
  bool drawn = target.pixels && stijl_svg_scene(svg, fitted.width, fitted.height, &scene, NULL) == STIJL_OK &&
               stijl_render(renderer, scene, &target, NULL, NULL) == STIJL_OK;
  if (drawn) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ ((unsigned char *)target.pixels)[i]) * 0x100000001b3u;
    printf("%016llx %d %d %s\n", (unsigned long long)hash, target.width, target.height, path);
  }
  free(target.pixels);
  stijl_scene_destroy(scene);
  stijl_svg_destroy(svg);
  return drawn;
}

// Prints the sizes of documents 100 wide and of heights of which most are no round numbers.
static void print_sizes(void) {
  for (int i = 0; i < 50; i++) {
    double height = (double)((float)(i + 1) * 7.3f);
    uint64_t hash = 0xcbf29ce484222325u;
    for (int width = 1; width <= 4096; width++) {
      stijl_svg_fitted fitted = stijl_svg_fit(100, height, width, 0, 1);
      double parts[4] = {(double)fitted.width, (double)fitted.height, fitted.pixel_width, fitted.pixel_height};
      for (size_t k = 0; k < sizeof parts; k++) hash = (hash ^ ((unsigned char *)parts)[k]) * 0x100000001b3u;
    }
    printf("%016llx %.17g\n", (unsigned long long)hash, height);
  }
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--sizes") == 0) {
    print_sizes();
    return 0;
  }
  stijl_renderer *renderer = NULL;
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = false;
  stijl_fonts *fonts = NULL;
  stijl_result with_text = stijl_fonts_create(NULL, &params, &fonts, NULL);
  int first = 1;
  for (; first + 1 < argc && strcmp(argv[first], "--font") == 0; first += 2)
    if (stijl_fonts_add_file(fonts, argv[first + 1], NULL) != STIJL_OK) return 1;
  int width = first < argc ? atoi(argv[first]) : 0;
  if (width < 1 || stijl_renderer_create(NULL, NULL, &renderer, NULL) != STIJL_OK ||
      (with_text != STIJL_OK && with_text != STIJL_ERROR_UNSUPPORTED))
    return 1;
  for (int i = 0; fonts && i <= (int)STIJL_FAMILY_MONOSPACE; i++)
    stijl_fonts_set_family(fonts, (stijl_generic_family)i, families[i]);
  for (int i = first + 1; i < argc; i++)
    if (!draw(renderer, fonts, argv[i], width)) printf("ERROR %s\n", argv[i]);
  stijl_renderer_destroy(renderer);
  stijl_fonts_destroy(fonts);
  return 0;
}
