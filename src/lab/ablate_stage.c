// `lab ablate shaders/fine.comp` leaves statements out of a stage of the renderer, while it draws a picture.
#include <stdio.h>
#include <string.h>

#include "lab/frames.h"
#include "lab/user.h"

enum { SLOTS = 8 };                // a slot is a renderer with a device of its own
#define PATIENCE_NS 4000000000ull  // a frame takes milliseconds: a version that takes longer may never end

typedef struct run {
  sj_lab *lab;
  sj_stage stage;
  uint32_t first, last;  // lines that are tried
  char name[32], path[512], folder[512], sources[520];
  const char *define;  // that makes the variant of the shader which the picture needs; NULL for none
  char *text;
  size_t bytes;
  sj_vk_shader whole;
  sj_lab_canvas canvas;
  stijl_scene *scene;
  stijl_renderer *renderers[SLOTS];
} run;

// Reads a name such as "shaders/fine.comp:100-140": the stage, SJ_STAGES for none, and the lines, both 0 for all.
static sj_stage parse(const char *file, int *path_length, uint32_t *first, uint32_t *last) {
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  for (int i = 0; i < SJ_STAGES; i++) {
    char source[32];
    int length = snprintf(source, sizeof source, "%s.comp", sj_stage_name((sj_stage)i)), end = 0;
    if (strncmp(name, source, (size_t)length) != 0) continue;
    *path_length = (int)(name - file) + length;
    *first = *last = 0;
    const char *lines = name + length;
    if (!*lines || (sscanf(lines, ":%9u-%9u%n", first, last, &end) == 2 && !lines[end] && *first && *first <= *last))
      return (sj_stage)i;
  }
  return SJ_STAGES;
}

bool sj_lab_is_stage(const char *file) {
  int length;
  uint32_t first, last;
  return parse(file, &length, &first, &last) != SJ_STAGES;
}

// Returns the definition with which src/gpu/meson.build compiles the variant that pipeline.c would choose.
static const char *define_of(const sj_lab *lab, sj_stage stage) {
  switch (stage) {
    case SJ_STAGE_COVER: return lab->vk.wide ? "-DWIDE" : NULL;
    case SJ_STAGE_COARSE: return "-DGROUP=128";
    case SJ_STAGE_FINE: return "-DCHUNK=4";
    default: return NULL;
  }
}

// Records a picture in which the stage has work. For the stage of small fills these are small triangles; for the others
// larger ones, strokes with curves, and translucent rectangles. Nothing is a layer, a gradient or an image, since the
// stages are specialised without the code for these.
static stijl_result record(run *r) {
  sj_lab_text text = {.context = r->lab->context};
  uint32_t random = 1, count = r->lab->software ? 200 : 2000;
  sj_lab_add_all(&text, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1024 1024'>");
  for (uint32_t i = 0; i < count; i++) {
    random = random * 1664525u + 1013904223u;
    uint32_t x = random >> 8 & 1023, y = random >> 18 & 1023;
    if (r->stage == SJ_STAGE_SMALL)
      sj_lab_add(&text, "<path d='M%u %ul9 3-3 9z' fill='#%03x'/>", x, y, random >> 4 & 0xfff);
    else if (i % 100 == 0)
      sj_lab_add(&text, "<rect x='%u' y='%u' width='500' height='500' fill='#28c' fill-opacity='.5'/>", x / 2, y / 2);
    else if (i % 10 == 0)
      sj_lab_add(&text, "<path d='M%u %uq40 9 20 60' fill='none' stroke='#%03x' stroke-width='3'/>", x, y, x & 0xfff);
    else
      sj_lab_add(&text, "<path d='M%u %ul30 9-11 30z' fill='#%03x'/>", x, y, random >> 4 & 0xfff);
  }
  sj_lab_add_all(&text, "</svg>");
  int size = r->canvas.size;
  stijl_result result = text.failed ? sj_fail_memory(r->lab->message)
                                    : sj_lab_record(r->lab, text.data, text.count, size, size, &r->scene);
  sj_lab_text_finish(&text);
  return result;
}

static stijl_result compile(void *user, const char *text, size_t bytes, sj_vk_shader *out) {
  run *r = user;
  const char *const folders[] = {r->folder, r->sources, NULL}, *const defines[] = {r->define};
  return sj_lab_compile_glsl(r->lab, r->name, text, bytes, folders, defines, r->define != NULL, out);
}

static stijl_result put(void *user, uint32_t slot, const sj_vk_shader *shader, int feature, sj_lab_outcome *outcome) {
  run *r = user;
  stijl_message failure;
  bool same = false;
  const sj_pipelines_change change = {
      .stage = r->stage, .shader = shader ? *shader : r->whole, .patience_ns = PATIENCE_NS};
  stijl_result result = sj_lab_renderer_create(r->lab, &change, &r->renderers[slot], &failure);
  if (result == STIJL_OK) result = sj_lab_draw(&r->canvas, r->renderers[slot], r->scene, slot == 0, &same, &failure);
  *outcome = result == STIJL_ERROR_DEVICE ? SJ_LAB_OUTCOME_LOST : SJ_LAB_OUTCOME_REFUSED;
  if (result != STIJL_OK && slot && result != STIJL_ERROR_OUT_OF_MEMORY) return STIJL_OK;  // its own device is lost
  if (result != STIJL_OK) {
    *r->lab->message = failure;
    return result;
  }
  *outcome = same ? SJ_LAB_OUTCOME_SAME : SJ_LAB_OUTCOME_ANOTHER;
  return STIJL_OK;
}

static void clear(void *user, uint32_t slot) {
  run *r = user;
  stijl_renderer_destroy(r->renderers[slot]);
  r->renderers[slot] = NULL;
}

// Times frames of the stage's versions. One that never ends without a statement has no time (NAN).
static stijl_result time_all(void *user, uint32_t count, sj_lab_estimate *out) {
  run *r = user;
  return sj_lab_time_frames(r->lab, r->renderers, count, out);
}

static stijl_result load(run *r, const char *file) {
  int length;
  r->stage = parse(file, &length, &r->first, &r->last);
  snprintf(r->path, sizeof r->path, "%.*s", length, file);
  const char *slash = strrchr(r->path, '/');
  snprintf(r->name, sizeof r->name, "%s.comp", sj_stage_name(r->stage));
  snprintf(r->folder, sizeof r->folder, "%.*s", slash ? (int)(slash - r->path) : 1, slash ? r->path : ".");
  snprintf(r->sources, sizeof r->sources, "%s/../src", r->folder);
  r->define = define_of(r->lab, r->stage);
  stijl_result result = sj_lab_read_file(r->lab, r->path, &r->text, &r->bytes);
  return result == STIJL_OK ? compile(r, r->text, r->bytes, &r->whole) : result;
}

stijl_result sj_lab_ablate_stage(sj_lab *lab, const char *file) {
  run *r = sj_alloc_zero(lab->context, sizeof *r);
  if (!r) return sj_fail_memory(lab->message);
  r->lab = lab;
  sj_lab_write_device(lab);
  stijl_result result = load(r, file);
  if (result == STIJL_OK) result = sj_lab_canvas_init(lab, lab->software ? 128 : 1024, &r->canvas);
  if (result == STIJL_OK) result = record(r);
  const sj_lab_subject subject = {.name = r->name,
                                  .text = r->text,
                                  .bytes = r->bytes,
                                  .first = r->first,
                                  .last = r->last,
                                  .slots = SLOTS,
                                  .user = r,
                                  .compile = compile,
                                  .put = put,
                                  .clear = clear,
                                  .time = time_all};
  if (result == STIJL_OK) result = sj_lab_ablate(lab, &subject);
  stijl_scene_destroy(r->scene);
  sj_lab_canvas_finish(lab, &r->canvas);
  sj_free(lab->context, (void *)(uintptr_t)r->whole.words);
  sj_free(lab->context, r->text);
  sj_free(lab->context, r);
  return result;
}
