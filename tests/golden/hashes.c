// hashes [--font FILE]... WIDTH FILE...: draws documents without any file beside them, with these fonts and no others, and
// prints for each
//   HASH WIDTH HEIGHT FILE    the pixels' hash (FNV-1a, 64 bits, straight RGBA), or
//   ERROR FILE
// What other builds of the library, those for WebAssembly, have to give as well (tests/wasm/documents.mjs).
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
static const char *const families[] = {"Noto Sans", "Noto Serif", "Noto Sans", "Yellowtail", "Sedgwick Ave Display", "Noto Mono"};

static bool draw(stijl_renderer *renderer, stijl_fonts *fonts, const char *path, int width) {
  size_t count = 0;
  const unsigned char *data = read_file(path, &count);
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.fonts = fonts;
  stijl_svg *svg = NULL;
  if (!data || stijl_svg_load(NULL, data, count, &params, &svg, NULL) != STIJL_OK) return false;
  float w, h;
  stijl_svg_size(svg, &w, &h);
  float height = h * ((float)width / w);
  stijl_target target = STIJL_TARGET_INIT;
  target.width = width;
  target.height = height >= 1 ? (int)fminf(ceilf(height), 32767) : 1;
  target.format = STIJL_FORMAT_RGBA8_STRAIGHT;
  target.stride = (size_t)width * 4;
  size_t bytes = target.stride * (size_t)target.height;
  target.pixels = malloc(bytes);
  stijl_scene *scene = NULL;
  bool drawn = target.pixels && stijl_svg_scene(svg, (float)width, height, &scene, NULL) == STIJL_OK &&
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

int main(int argc, char **argv) {
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
