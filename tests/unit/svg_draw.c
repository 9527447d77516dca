#include "svg_draw.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "test.h"

static void count_warning(void *user, stijl_log_level level, const char *line) {
  drawn *d = user;
  if (level != STIJL_LOG_WARNING) return;
  d->warnings++;
  strncpy(d->warning, line, sizeof d->warning - 1);
}

bool have_svg(void) {
  static const char text[] = "<svg xmlns='http://www.w3.org/2000/svg'/>";
  stijl_svg *svg;
  stijl_result result = stijl_svg_load(NULL, text, sizeof text - 1, NULL, &svg, NULL);
  if (result == STIJL_OK) stijl_svg_destroy(svg);
  return result != STIJL_ERROR_UNSUPPORTED;
}

static stijl_result draw(stijl_context *context, const char *text, const stijl_svg_params *params, float size,
                         drawn *out) {
  stijl_svg *svg;
  stijl_result result = stijl_svg_load(context, text, strlen(text), params, &svg, &out->message);
  if (result != STIJL_OK) return result;
  stijl_scene *scene;
  result = stijl_svg_scene(svg, size, size, &scene, &out->message);
  stijl_svg_destroy(svg);
  if (result != STIJL_OK) return result;
  stijl_renderer_params renderer_params = STIJL_RENDERER_PARAMS_INIT;
  renderer_params.threads = 1;
  stijl_renderer *renderer;
  static unsigned char bytes[DRAWN_SIZE * DRAWN_SIZE * 4];
  result = stijl_renderer_create(context, &renderer_params, &renderer, &out->message);
  if (result == STIJL_OK) {
    stijl_target target = {.size = sizeof target,
                           .width = DRAWN_SIZE,
                           .height = DRAWN_SIZE,
                           .format = STIJL_FORMAT_RGBA8,
                           .pixels = bytes,
                           .stride = DRAWN_SIZE * 4};
    stijl_render_params how = STIJL_RENDER_PARAMS_INIT;
    how.transform = stijl_matrix_scale(DRAWN_SIZE / size, DRAWN_SIZE / size);
    result = stijl_render(renderer, scene, &target, &how, &out->message);
    stijl_renderer_destroy(renderer);
  }
  stijl_scene_destroy(scene);
  for (int i = 0; i < DRAWN_SIZE * DRAWN_SIZE && result == STIJL_OK; i++) {
    const unsigned char *p = bytes + 4 * i;
    out->pixels[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
  }
  return result;
}

static void draw_logged(const char *text, const stijl_svg_params *params, int size, drawn *out) {
  memset(out, 0, sizeof *out);
  stijl_context_params context_params = STIJL_CONTEXT_PARAMS_INIT;
  context_params.log = count_warning;
  context_params.user = out;
  stijl_context *context;
  out->result = stijl_context_create(&context_params, &context);
  if (out->result != STIJL_OK) return;
  out->result = draw(context, text, params, (float)size, out);
  stijl_context_destroy(context);
}

void draw_svg(const char *text, const stijl_svg_params *params, drawn *out) {
  draw_logged(text, params, DRAWN_SIZE, out);
}

void draw_svg_recorded(const char *text, int size, drawn *out) { draw_logged(text, NULL, size, out); }

uint32_t pixel(const drawn *d, int x, int y) { return d->pixels[y * DRAWN_SIZE + x]; }

// --- files ---

static char root[64];

bool make_folder(void) {
  strcpy(root, "/tmp/stijl-test-XXXXXX");
  return mkdtemp(root) != NULL;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
  (void)info, (void)kind, (void)where;
  return remove(path);
}

void remove_folder(void) { nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

const char *in_folder(const char *name) {
  static char paths[4][256];
  static unsigned turn;
  char *path = paths[turn++ % 4];
  snprintf(path, sizeof paths[0], "%s%s%s", root, *name ? "/" : "", name);
  return path;
}

void write_file(const char *name, const char *text) {
  char path[256];
  strcpy(path, in_folder(name));
  for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
    *slash = 0;
    mkdir(path, 0700);
  }
  FILE *file = fopen(path, "wb");
  if (!file) {
    sj_test_fail(__FILE__, __LINE__, "cannot write %s", path);
    return;
  }
  fputs(text, file);
  fclose(file);
}
