#include "document.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_FILE ((long)1 << 28)

// The longest time that is shown of what repeats in no time that is known.
#define MOST_SECONDS 60.0

static bool read_file(document *d, unsigned char **data, size_t *bytes, struct timespec *changed) {
  FILE *file = fopen(d->path, "rb");
  struct stat info;
  long count = -1;
  if (file && fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode)) count = (long)info.st_size;
  if (count < 0 || count > MAX_FILE) {
    snprintf(d->message.text, sizeof d->message.text, "%s",
             count > MAX_FILE ? "the file is larger than 256 MiB"
             : file           ? "it is no file"
                              : strerror(errno));
    if (file) fclose(file);
    return false;
  }
  *changed = info.st_mtim;
  *data = malloc((size_t)count + 1);
  *bytes = *data ? fread(*data, 1, (size_t)count, file) : 0;
  bool whole = *data && *bytes == (size_t)count;
  if (!whole) {
    snprintf(d->message.text, sizeof d->message.text, "it cannot be read");
    free(*data);
  }
  fclose(file);
  return whole;
}

static stijl_result make_scene(document *d, stijl_svg *svg, stijl_scene **scene) {
  float width, height;
  stijl_svg_size(svg, &width, &height);
  return stijl_svg_scene(svg, width, height, scene, &d->message);
}

static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

static stijl_result load_svg(document *d, const unsigned char *data, size_t bytes, document *made) {
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  char *folder = folder_of(d->path);
  params.base_folder = folder;
  params.time = d->time;
  stijl_result result = stijl_svg_load(d->context, data, bytes, &params, &made->svg, &d->message);
  free(folder);
  if (result == STIJL_OK) result = make_scene(d, made->svg, &made->scene);
  if (result == STIJL_OK) result = stijl_svg_get_timing(made->svg, &made->timing, &d->message);
  float width = 0, height = 0;
  if (result == STIJL_OK) stijl_svg_size(made->svg, &width, &height);
  made->width = (double)width;
  made->height = (double)height;
  return result;
}

static stijl_result load_scene(document *d, const unsigned char *data, size_t bytes, document *made) {
  stijl_canvas canvas = STIJL_CANVAS_INIT;
  stijl_result result = stijl_scene_load(d->context, data, bytes, NULL, &made->scene, &canvas, &d->message);
  made->width = canvas.width;
  made->height = canvas.height;
  return result;
}

static void release(document *d) {
  stijl_scene_destroy(d->scene);
  stijl_svg_destroy(d->svg);
  free(d->data);
  d->scene = NULL;
  d->svg = NULL;
  d->data = NULL;
}

// Reads the file. What was there before stays when that fails.
static bool load(document *d) {
  document made = *d;
  made.svg = NULL;
  made.scene = NULL;
  made.timing = (stijl_svg_timing)STIJL_SVG_TIMING_INIT;
  d->message.text[0] = 0;
  if (!read_file(d, &made.data, &made.bytes, &made.changed)) return false;
  d->changed = made.changed;
  stijl_result result = stijl_scene_is_saved(made.data, made.bytes) ? load_scene(d, made.data, made.bytes, &made)
                                                                    : load_svg(d, made.data, made.bytes, &made);
  if (result != STIJL_OK) {
    if (!*d->message.text) snprintf(d->message.text, sizeof d->message.text, "%s", stijl_result_string(result));
    release(&made);
    return false;
  }
  release(d);
  *d = made;
  d->scenes++;
  d->message.text[0] = 0;
  return true;
}

void document_open(document *d, stijl_context *context, const char *path, double time) {
  *d = (document){
      .context = context, .path = path, .time = time, .timing = STIJL_SVG_TIMING_INIT, .scenes = d->scenes + 1};
  load(d);
}

void document_close(document *d) { release(d); }

bool document_follow(document *d) {
  struct stat info;
  if (stat(d->path, &info) != 0) return false;  // editors replace files; it comes back
  if (info.st_mtim.tv_sec == d->changed.tv_sec && info.st_mtim.tv_nsec == d->changed.tv_nsec) return false;
  load(d);
  return true;
}

void document_move(document *d, double seconds) {
  d->time = seconds;
  if (!d->svg || !d->timing.animated) return;
  stijl_scene *scene = NULL;
  d->message.text[0] = 0;
  stijl_result result = stijl_svg_set_time(d->svg, seconds, &d->message);
  if (result == STIJL_OK) result = make_scene(d, d->svg, &scene);
  if (result != STIJL_OK) return;
  stijl_scene_destroy(d->scene);
  d->scene = scene;
  d->scenes++;
}

double document_length(const document *d) {
  if (!d->timing.animated) return 0.0;
  double repeats = d->timing.period > 0.0 ? d->timing.begun + fmin(d->timing.period, MOST_SECONDS) : 0.0;
  return fmax(d->timing.end, repeats);
}

bool document_find(const document *d, float x, float y, stijl_svg_node *node, stijl_rect *box) {
  uint32_t at = d->svg ? stijl_svg_hit(d->svg, x, y) : STIJL_SVG_NO_NODE;
  for (; at != STIJL_SVG_NO_NODE; at = node->parent) {
    bool empty;
    if (stijl_svg_get_node(d->svg, at, node) != STIJL_OK) return false;
    if (!*node->element) continue;  // a viewport's content; the element is further out
    return stijl_svg_get_box(d->svg, at, STIJL_SVG_BOX_LAYER, true, box, &empty) == STIJL_OK && !empty;
  }
  return false;
}

unsigned document_line(const document *d, uint64_t offset) {
  if (d->bytes >= 2 && d->data[0] == 0x1f && d->data[1] == 0x8b) return 0;
  unsigned line = 1;
  for (size_t i = 0; i < offset && i < d->bytes; i++) line += d->data[i] == '\n';
  return line;
}
