// svg2png IN.svg OUT.png [WIDTH]: an SVG file becomes a PNG file, with every failure told in one line.
#include <stdio.h>
#include <stdlib.h>
#include <stijl/stijl.h>

// Reads the whole file, which the caller frees. Returns NULL when it cannot be read.
static void *read_file(const char *name, size_t *size) {
  FILE *in = fopen(name, "rb");
  if (!in) return NULL;
  size_t capacity = 1 << 16, count = 0;
  char *data = malloc(capacity);
  while (data && (count += fread(data + count, 1, capacity - count, in)) == capacity) {
    char *larger = realloc(data, capacity *= 2);
    if (!larger) free(data);
    data = larger;
  }
  if (ferror(in)) {
    free(data);
    data = NULL;
  }
  fclose(in);
  *size = count;
  return data;
}

static bool to_file(void *user, const void *data, size_t bytes) { return fwrite(data, 1, bytes, user) == bytes; }

static void print_warning(void *user, stijl_log_level level, const char *line) {
  (void)user;
  if (level == STIJL_LOG_WARNING) fprintf(stderr, "svg2png: warning: %s\n", line);
}

// Renders the document `width` pixels wide (0: its own size) to the file, which is made once there is a picture.
static stijl_result convert(stijl_context *context, const void *data, size_t size, int width, const char *name,
                            stijl_message *message) {
  stijl_svg *svg = NULL;
  stijl_scene *scene = NULL;
  stijl_renderer *renderer = NULL;
  unsigned char *pixels = NULL;

  stijl_result result = stijl_svg_load(context, data, size, NULL, &svg, message);
  if (result != STIJL_OK) return result;
  float w, h;
  stijl_svg_size(svg, &w, &h);
  stijl_svg_fitted fitted = stijl_svg_fit((double)w, (double)h, width, 0, 1);
  if (!(fitted.pixel_width <= 32767 && fitted.pixel_height <= 32767)) {
    stijl_svg_destroy(svg);
    return STIJL_ERROR_LIMIT;
  }
  stijl_target target = {.size = sizeof target,
                         .width = (int)fitted.pixel_width,
                         .height = (int)fitted.pixel_height,
                         .format = STIJL_FORMAT_RGBA8};
  target.stride = (size_t)target.width * 4;
  target.pixels = pixels = malloc(target.stride * (size_t)target.height);
  if (!pixels) result = STIJL_ERROR_OUT_OF_MEMORY;

  if (result == STIJL_OK) result = stijl_svg_scene(svg, fitted.width, fitted.height, &scene, message);
  if (result == STIJL_OK) result = stijl_renderer_create(context, NULL, &renderer, message);
  if (result == STIJL_OK) result = stijl_render(renderer, scene, &target, NULL, message);
  FILE *out = result == STIJL_OK ? fopen(name, "wb") : NULL;
  if (out)
    result = stijl_png_encode(context, target.width, target.height, target.format, pixels, target.stride, NULL, to_file,
                              out, message);
  bool written = out && fclose(out) == 0;
  if (result == STIJL_OK && !written) {
    snprintf(message->text, sizeof message->text, "%.200s cannot be written", name);
    result = STIJL_ERROR_IO;
  }
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
  stijl_svg_destroy(svg);
  free(pixels);
  return result;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: svg2png IN.svg OUT.png [WIDTH]\n");
    return 1;
  }
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.log = print_warning;
  stijl_context *context = NULL;
  stijl_message message = {""};
  size_t size = 0;
  void *data = read_file(argv[1], &size);
  if (!data) {
    perror(argv[1]);
    return 1;
  }
  stijl_result result = stijl_context_create(&params, &context);
  if (result == STIJL_OK) result = convert(context, data, size, argc > 3 ? atoi(argv[3]) : 0, argv[2], &message);
  if (result != STIJL_OK) fprintf(stderr, "svg2png: %s: %s\n", stijl_result_string(result), message.text);
  stijl_context_destroy(context);
  free(data);
  return result == STIJL_OK ? 0 : 1;
}
