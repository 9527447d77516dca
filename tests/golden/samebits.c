// Whole documents come out the same, bit for bit, on every instruction set and on 1, 2 and 7 threads, also after they
// were saved and loaded: the files of the SVG suite with its fonts (STIJL_SVG_SUITE, else svg-suite in the shared
// folder) and the tiger (STIJL_TIGER, a file). STIJL_TEST_SHARE=N takes every N-th file of the suite.
#include <ftw.h>
#include <math.h>
#include <stdlib.h>

#include "gpu/device.h"
#include "isas.h"
#include "stijl/stijl.h"
#include "test.h"

enum { SUITE_WIDTH = 300, MAX_FILES = 20000, MAX_SIDE = 4096 };
static const int thread_counts[] = {1, 2, 7};
enum { THREAD_COUNTS = 3 };

// Made once: renderers keep their threads and memory from file to file.
static stijl_renderer *renderers[MOST_ISAS][THREAD_COUNTS];
static stijl_renderer *gpu;  // where one is asked for: then it alone is compared with scalar code

static void open_renderers(void) {
  gpu = sj_test_gpu();
  EACH_ISA(isa, STIJL_ISA_SCALAR) {
    for (int t = 0; t < THREAD_COUNTS; t++) {
      if (renderers[isa][t]) continue;
      if (gpu && (isa != STIJL_ISA_SCALAR || t > 0)) continue;
      stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
      params.isa = isa;
      params.threads = thread_counts[t];
      CHECK_INT(stijl_renderer_create(NULL, &params, &renderers[isa][t], NULL), STIJL_OK);
    }
  }
}

static void close_renderers(void) {
  stijl_renderer_destroy(gpu);
  gpu = NULL;
  for (int isa = 0; isa < MOST_ISAS; isa++) {
    for (int t = 0; t < THREAD_COUNTS; t++) {
      stijl_renderer_destroy(renderers[isa][t]);
      renderers[isa][t] = NULL;
    }
  }
}

// The suite's own, so that text is the same on every machine.
static stijl_fonts *suite_fonts;

static void open_fonts(const char *suite) {
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = false;
  if (stijl_fonts_create(NULL, &params, &suite_fonts, NULL) != STIJL_OK) return;  // built without text
  char folder[4096 + sizeof "/fonts"];
  snprintf(folder, sizeof folder, "%s/fonts", suite);
#ifndef __wasm__  // where no folder can be read; the package's own tests draw text there
  CHECK_INT(stijl_fonts_add_folder(suite_fonts, folder, NULL), STIJL_OK);
#endif
  static const char *const families[] = {
      [STIJL_FAMILY_DEFAULT] = "Noto Serif",           [STIJL_FAMILY_SERIF] = "Noto Serif",
      [STIJL_FAMILY_SANS_SERIF] = "Noto Sans",         [STIJL_FAMILY_CURSIVE] = "Yellowtail",
      [STIJL_FAMILY_FANTASY] = "Sedgwick Ave Display", [STIJL_FAMILY_MONOSPACE] = "Noto Mono"};
  for (int i = STIJL_FAMILY_DEFAULT; i <= STIJL_FAMILY_MONOSPACE; i++)
    CHECK_INT(stijl_fonts_set_family(suite_fonts, (stijl_generic_family)i, families[i]), STIJL_OK);
}

static stijl_svg *load(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in) return NULL;
  static char data[8 << 20];
  size_t size = fread(data, 1, sizeof data, in);
  fclose(in);
  char folder[4096];
  snprintf(folder, sizeof folder, "%s", path);
  char *slash = strrchr(folder, '/');
  if (slash) *slash = 0;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.base_folder = folder;
  params.allow_all_files = true;  // the suite refers to ../../../resources
  params.fonts = suite_fonts;
  stijl_svg *svg = NULL;
  return stijl_svg_load(NULL, data, size, &params, &svg, NULL) == STIJL_OK ? svg : NULL;
}

// Pictures without anything in them, which would be equal whatever went wrong.
static int blank;

static bool is_blank(const uint8_t *pixels, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (pixels[i]) return false;
  return true;
}

typedef struct {
  uint8_t *data;
  size_t count, capacity;
} saved_file;

static bool append(void *user, const void *data, size_t bytes) {
  saved_file *f = user;
  if (f->count + bytes > f->capacity) f->data = realloc(f->data, f->capacity = 2 * (f->count + bytes));
  if (!f->data) abort();
  memcpy(f->data + f->count, data, bytes);
  f->count += bytes;
  return true;
}

// Returns the scene, saved and loaded again.
static stijl_scene *replayed(const char *path, const stijl_scene *scene) {
  saved_file file = {0};
  stijl_scene *loaded = NULL;
  stijl_message message = {""};
  stijl_result result = stijl_scene_save(scene, NULL, append, &file, &message);
  if (result == STIJL_OK) result = stijl_scene_load(NULL, file.data, file.count, NULL, &loaded, NULL, &message);
  if (result != STIJL_OK) sj_test_fail(path, 0, "saving and loading: %s", message.text);
  free(file.data);
  return loaded;
}

// Returns true when the document could be drawn; reports every combination that differs from scalar code on one thread.
static bool compare(const char *path, const stijl_svg *svg, int width) {
  float w, h;
  stijl_svg_size(svg, &w, &h);
  float height = ceilf((float)width * ceilf(h) / ceilf(w));
  if (!(height >= 1 && height <= MAX_SIDE)) return false;
  stijl_scene *scene = NULL;
  if (stijl_svg_scene(svg, (float)width, height, &scene, NULL) != STIJL_OK) return false;
  stijl_target target = {.size = sizeof target, .width = width, .height = (int)height, .format = STIJL_FORMAT_RGBA8};
  target.stride = (size_t)width * 4;
  size_t bytes = target.stride * (size_t)target.height;
  uint8_t *scalar = malloc(bytes), *other = malloc(bytes);
  if (!scalar || !other) abort();
  target.pixels = scalar;
  bool drawn = stijl_render(renderers[STIJL_ISA_SCALAR][0], scene, &target, NULL, NULL) == STIJL_OK;
  blank += drawn && is_blank(scalar, bytes);
  // All others draw what was saved.
  stijl_scene *loaded = replayed(path, scene);
  if (loaded) {
    stijl_scene_destroy(scene);
    scene = loaded;
  }
  target.pixels = other;
  stijl_message message = {""};
  if (drawn && gpu) {
    memset(other, 0x5a, bytes);
    stijl_result result = stijl_render(gpu, scene, &target, NULL, &message);
    if (result != STIJL_OK || memcmp(scalar, other, bytes) != 0)
      sj_test_fail(path, 0, "%d px, GPU: %s", width, result == STIJL_OK ? "differs" : message.text);
  }
  for (int isa = STIJL_ISA_SCALAR; drawn && !gpu && isa < MOST_ISAS; isa++) {
    for (int t = 0; t < THREAD_COUNTS; t++) {
      if (!renderers[isa][t]) continue;
      memset(other, 0x5a, bytes);
      stijl_result result = stijl_render(renderers[isa][t], scene, &target, NULL, NULL);
      if (result != STIJL_OK || memcmp(scalar, other, bytes) != 0)
        sj_test_fail(path, 0, "%d px, %s, %d threads: %s", width, stijl_isa_name((stijl_isa)isa), thread_counts[t],
                     result == STIJL_OK ? "differs" : stijl_result_string(result));
    }
  }
  free(scalar);
  free(other);
  stijl_scene_destroy(scene);
  return drawn;
}

static char *files[MAX_FILES];
static int file_count;

static int note_file(const char *path, const struct stat *info, int kind, struct FTW *where) {
  (void)info, (void)where;
  size_t length = strlen(path);
  if (kind == FTW_F && length > 4 && strcmp(path + length - 4, ".svg") == 0 && file_count < MAX_FILES)
    files[file_count++] = strdup(path);
  return 0;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

TEST(svg_suite) {
  char folder[4096];
  const char *given = getenv("STIJL_SVG_SUITE"), *shared = sj_test_shared(), *share = getenv("STIJL_TEST_SHARE");
  snprintf(folder, sizeof folder, "%s%s", given ? given : shared ? shared : "", given ? "" : "/svg-suite");
  if (nftw(folder, note_file, 16, FTW_PHYS) != 0 || file_count == 0) SKIP("the SVG suite is not here");
  qsort(files, (size_t)file_count, sizeof *files, by_name);
  open_renderers();
  open_fonts(folder);
  blank = 0;
  int step = share && atoi(share) > 1 ? atoi(share) : 1, tried = 0, drawn = 0;
  for (int i = 0; i < file_count; i += step) {
    stijl_svg *svg = load(files[i]);
    tried++;
    if (svg) drawn += compare(files[i], svg, SUITE_WIDTH);
    stijl_svg_destroy(svg);
  }
  printf("# %d of %d files drawn, %d without anything to see\n", drawn, tried, blank);
  CHECK(drawn > tried * 3 / 4);
  CHECK(blank < drawn / 10);
  for (int i = 0; i < file_count; i++) free(files[i]);
  stijl_fonts_destroy(suite_fonts);
  suite_fonts = NULL;
  close_renderers();
}

TEST(tiger) {
  const char *path = getenv("STIJL_TIGER");
  stijl_svg *svg = path ? load(path) : NULL;
  if (!svg) SKIP("the tiger is not here (STIJL_TIGER)");
  open_renderers();
  static const int sizes[] = {64, 777, 2048};
  blank = 0;
  for (int i = 0; i < 3; i++) CHECK(compare(path, svg, sizes[i]));
  CHECK_INT(blank, 0);
  stijl_svg_destroy(svg);
  close_renderers();
}
