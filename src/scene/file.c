// Saves and loads scenes. One function for each structure lists its fields for both directions.
#include "scene/file.h"

#include <stddef.h>

#include "base/budget.h"
#include "image/image.h"
#include "scene/codec.h"
#include "scene/filter.h"

static void draw(sj_file *f, sj_draw *d) {
  bool unused = false;
  sj_file_word(f, &d->op);
  sj_file_word(f, &d->flags);
  sj_file_flags(f, &d->clip_is_rect, &unused);
  sj_file_word(f, &d->path.segment);
  sj_file_word(f, &d->path.segment_count);
  sj_file_matrix(f, &d->transform);
  sj_file_word(f, &d->stroke);
  sj_file_word(f, &d->paint);
  sj_file_word(f, &d->blend);
  sj_file_word(f, &d->opacity);
  sj_file_word(f, &d->filter);
}

static void subscene(sj_file *f, sj_subscene *s) {
  sj_file_word(f, &s->first);
  sj_file_word(f, &s->count);
}

static void outline(sj_file *f, sj_path_range *o) {
  sj_file_word(f, &o->segment);
  sj_file_word(f, &o->segment_count);
}

static void glyph_run(sj_file *f, sj_glyph_run *r) {
  sj_file_word(f, &r->instance);
  sj_file_word(f, &r->instance_count);
  sj_file_word(f, &r->matrix);
  sj_file_word(f, &r->matrix_count);
}

static void stroke(sj_file *f, sj_stroke *s) {
  sj_file_real(f, &s->half_width);
  sj_file_real(f, &s->miter_limit);
  sj_file_word(f, &s->cap);
  sj_file_word(f, &s->join);
  sj_file_flags(f, &s->own_pen, &s->aliased);
  sj_file_matrix(f, &s->pen);
}

static void paint(sj_file *f, sj_paint *p) {
  sj_file_word(f, &p->kind);
  sj_file_word(f, &p->color);
  sj_file_word(f, &p->source);
  sj_file_word(f, &p->spread_x);
  sj_file_word(f, &p->spread_y);
  sj_file_word(f, &p->sampling);
  sj_file_real(f, &p->p0.x);
  sj_file_real(f, &p->p0.y);
  sj_file_real(f, &p->p1.x);
  sj_file_real(f, &p->p1.y);
  sj_file_real(f, &p->r0);
  sj_file_real(f, &p->r1);
  sj_file_real(f, &p->start_angle);
  sj_file_real(f, &p->end_angle);
  if (f->version >= SJ_FILE_LEADS) sj_file_real(f, &p->lead_angle);
  sj_file_matrix(f, &p->transform);
}

static size_t image_bytes(int width, int height, stijl_format format) {
  return ((size_t)width * (size_t)height * stijl_format_bytes(format) + 3) & ~(size_t)3;
}

// Writes an image that has a palette as it would be without.
static void image_with_palette(sj_file *f, stijl_context *context, const stijl_image *image) {
  uint32_t pad = 0, *row = sj_alloc_array(context, (size_t)image->width, sizeof *row);
  if (!row) f->failed = true;
  for (int y = 0; y < image->height && !f->failed; y++) {
    sj_image_row(image, y, row);
    sj_file_block(f, row, (size_t)image->width * sizeof *row);
  }
  sj_file_word(f, &pad);
  sj_free(context, row);
}

// Reads an image, or writes it.
static void image(sj_file *f, stijl_context *context, stijl_image **slot) {
  uint32_t width = 0, height = 0, format = 0, pad = 0;
  if (!f->reading) {
    width = (uint32_t)(*slot)->width;
    height = (uint32_t)(*slot)->height;
    format = (uint32_t)(*slot)->format;
  }
  sj_file_word(f, &width);
  sj_file_word(f, &height);
  sj_file_word(f, &format);
  bool known = format == STIJL_FORMAT_RGBA8 || format == STIJL_FORMAT_A8;
  f->failed = f->failed || !known || width < 1 || height < 1 || width > SJ_IMAGE_MAX_SIZE || height > SJ_IMAGE_MAX_SIZE;
  if (f->failed) return;
  size_t bytes = image_bytes((int)width, (int)height, (stijl_format)format);
  if (f->reading) {
    f->failed = bytes > f->left;
    if (!f->failed) *slot = sj_image_create_blank(context, (int)width, (int)height, (stijl_format)format);
    if (f->failed || !*slot) return;
  }
  // Rows have no padding.
  if ((*slot)->palette) {
    image_with_palette(f, context, *slot);
    return;
  }
  size_t used = (*slot)->stride * (size_t)height, whole = used & ~(size_t)3;
  sj_file_block(f, (*slot)->pixels, whole);
  memcpy(&pad, (*slot)->pixels + whole, used - whole);
  sj_file_word(f, &pad);
  if (f->reading) memcpy((*slot)->pixels + whole, &pad, used - whole);
}

static void layer_filter(sj_file *f, sj_layer_filter *filter) {
  sj_file_matrix(f, &filter->transform);
  sj_file_word(f, &filter->scenes);
  sj_file_filter(f, filter->filter);
}

typedef struct {
  uint32_t points, segments, draws, inner, subscenes, strokes, paints, ramps, images, filters, filter_scenes;
  uint32_t outlines, instances, matrices, runs;  // from SJ_FILE_GLYPHS on
  uint32_t pieces;                               // from SJ_FILE_PIECES on
} counts;

_Static_assert(sizeof(k_vec) == 8 && sizeof(k_segment) == 12 && sizeof(stijl_instance) == 16 &&
                   sizeof(stijl_matrix) == 24 && sizeof(counts) == 64 && sizeof(k_ramp_piece) == 36,
               "written as they are");

static size_t counts_bytes(uint32_t version) {
  if (version < SJ_FILE_GLYPHS) return offsetof(counts, outlines);
  return version < SJ_FILE_PIECES ? offsetof(counts, pieces) : sizeof(counts);
}

// Reads or writes a ramp, whose pieces are found again by their numbers. Older files have a ramp's entries instead: the
// pieces of these are added, and there is room for them.
static void ramp(sj_file *f, stijl_scene *s, sj_ramp *ramp) {
  if (f->version >= SJ_FILE_PIECES) {
    sj_file_word(f, &ramp->count);
    return;
  }
  uint32_t entries[K_RAMP_SIZE] = {0};
  sj_file_block(f, entries, sizeof entries);
  ramp->count = (uint32_t)sj_ramp_read(entries, s->ramp_pieces.data + s->ramp_pieces.count);
  s->ramp_pieces.count += ramp->count;
}

static void canvas(sj_file *f, stijl_canvas *c) {
  uint32_t width = (uint32_t)c->width, height = (uint32_t)c->height;
  sj_file_word(f, &width);
  sj_file_word(f, &height);
  c->width = (int)width;
  c->height = (int)height;
  sj_file_color(f, &c->background);
}

// Reads or writes the arrays, for which there is room.
static void arrays(sj_file *f, stijl_scene *s) {
  sj_file_block(f, s->points.data, s->points.count * sizeof *s->points.data);
  sj_file_block(f, s->segments.data, s->segments.count * sizeof *s->segments.data);
  for (size_t i = 0; i < s->draws.count && !f->failed; i++) draw(f, &s->draws.data[i]);
  for (size_t i = 0; i < s->inner.count && !f->failed; i++) draw(f, &s->inner.data[i]);
  for (size_t i = 0; i < s->subscenes.count && !f->failed; i++) subscene(f, &s->subscenes.data[i]);
  for (size_t i = 0; i < s->strokes.count && !f->failed; i++) stroke(f, &s->strokes.data[i]);
  for (size_t i = 0; i < s->paints.count && !f->failed; i++) paint(f, &s->paints.data[i]);
  for (size_t i = 0; i < s->ramps.count && !f->failed; i++) ramp(f, s, &s->ramps.data[i]);
  sj_file_block(f, s->filter_scenes.data, s->filter_scenes.count * sizeof *s->filter_scenes.data);
  for (size_t i = 0; i < s->outlines.count && !f->failed; i++) outline(f, &s->outlines.data[i]);
  sj_file_block(f, s->instances.data, s->instances.count * sizeof *s->instances.data);
  sj_file_block(f, s->matrices.data, s->matrices.count * sizeof *s->matrices.data);
  for (size_t i = 0; i < s->runs.count && !f->failed; i++) glyph_run(f, &s->runs.data[i]);
  if (f->version >= SJ_FILE_PIECES)
    sj_file_block(f, s->ramp_pieces.data, s->ramp_pieces.count * sizeof *s->ramp_pieces.data);
}

static counts counts_of(const stijl_scene *s) {
  return (counts){(uint32_t)s->points.count,     (uint32_t)s->segments.count,      (uint32_t)s->draws.count,
                  (uint32_t)s->inner.count,      (uint32_t)s->subscenes.count,     (uint32_t)s->strokes.count,
                  (uint32_t)s->paints.count,     (uint32_t)s->ramps.count,         (uint32_t)s->images.count,
                  (uint32_t)s->filters.count,    (uint32_t)s->filter_scenes.count, (uint32_t)s->outlines.count,
                  (uint32_t)s->instances.count,  (uint32_t)s->matrices.count,      (uint32_t)s->runs.count,
                  (uint32_t)s->ramp_pieces.count};
}

static bool is_canvas(const stijl_canvas *c) {
  float sum = c->background.r + c->background.g + c->background.b + c->background.a;
  return c->width >= 1 && c->height >= 1 && c->width <= SJ_IMAGE_MAX_SIZE && c->height <= SJ_IMAGE_MAX_SIZE &&
         sum - sum == 0.0f;
}

stijl_result stijl_scene_save(const stijl_scene *scene, const stijl_canvas *on,
                              bool (*write)(void *user, const void *data, size_t bytes), void *user,
                              stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!scene || !write)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no %s is given", scene ? "writer" : "scene");
  on = SJ_PARAMS(stijl_canvas, STIJL_CANVAS_INIT, on, message);
  if (!on) return STIJL_ERROR_INVALID_ARGUMENT;
  if (!scene->finished || scene->status != STIJL_OK)
    return sj_fail(message, STIJL_ERROR_INVALID_STATE, "the scene to save is not finished, or in error");
  if (!is_canvas(on)) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the canvas has a value out of range");
  sj_file *f = sj_alloc_zero(scene->context, sizeof *f);
  if (!f) return sj_fail_memory(message);
  f->write = write;
  f->user = user;
  stijl_canvas copy = *on;
  counts number = counts_of(scene);
  f->version = SJ_FILE_VERSION;
  sj_file_put(f, SJ_FILE_MAGIC, SJ_FILE_MAGIC_BYTES);
  sj_file_word(f, &f->version);
  canvas(f, &copy);
  sj_file_block(f, &number, sizeof number);
  // Writing changes nothing.
  arrays(f, (stijl_scene *)(uintptr_t)scene);
  for (size_t i = 0; i < scene->images.count && !f->failed; i++) image(f, scene->context, &scene->images.data[i]);
  for (size_t i = 0; i < scene->filters.count && !f->failed; i++) layer_filter(f, &scene->filters.data[i]);
  sj_file_flush(f);
  uint32_t crc = f->crc;
  sj_file_word(f, &crc);
  sj_file_flush(f);
  bool failed = f->failed;
  sj_free(scene->context, f);
  return failed ? sj_fail(message, STIJL_ERROR_IO, "writing the scene was stopped") : STIJL_OK;
}

bool stijl_scene_is_saved(const void *data, size_t bytes) {
  return data && bytes >= SJ_FILE_MAGIC_BYTES && memcmp(data, SJ_FILE_MAGIC, SJ_FILE_MAGIC_BYTES) == 0;
}

// Makes room for the arrays, if the file is long enough for them: the smallest form of each is so many bytes.
static stijl_result make_room(sj_file *f, stijl_scene *s, const counts *n, stijl_message *message) {
  bool entries = f->version < SJ_FILE_PIECES;
  uint64_t ramp_bytes = entries ? K_RAMP_SIZE * 4 : 4;
  uint64_t least = (uint64_t)n->points * 8 + (uint64_t)n->segments * 12 + ((uint64_t)n->draws + n->inner) * 64 +
                   (uint64_t)n->subscenes * 8 + (uint64_t)n->strokes * 44 + (uint64_t)n->paints * 80 +
                   n->ramps * ramp_bytes + (uint64_t)n->pieces * sizeof(k_ramp_piece) + (uint64_t)n->images * 16 +
                   (uint64_t)n->filters * 60 + (uint64_t)n->filter_scenes * 4 + (uint64_t)n->outlines * 8 +
                   (uint64_t)n->instances * 16 + (uint64_t)n->matrices * 24 + (uint64_t)n->runs * 16;
  if (least > f->left) return sj_fail(message, STIJL_ERROR_MALFORMED, "the saved scene is damaged: it ends too early");
  if (n->segments > s->limits.max_segments || n->draws > s->limits.max_draws)
    return sj_fail(message, STIJL_ERROR_LIMIT, "the saved scene is larger than max_segments or max_draws");
  stijl_context *context = s->context;
  if (!sj_array_reserve(context, &s->points, n->points) || !sj_array_reserve(context, &s->segments, n->segments) ||
      !sj_array_reserve(context, &s->draws, n->draws) || !sj_array_reserve(context, &s->inner, n->inner) ||
      !sj_array_reserve(context, &s->subscenes, n->subscenes) || !sj_array_reserve(context, &s->strokes, n->strokes) ||
      !sj_array_reserve(context, &s->paints, n->paints) || !sj_array_reserve(context, &s->ramps, n->ramps) ||
      !sj_array_reserve(context, &s->ramp_pieces, entries ? (size_t)n->ramps * K_RAMP_SIZE : n->pieces) ||
      !sj_array_reserve(context, &s->images, n->images) || !sj_array_reserve(context, &s->filters, n->filters) ||
      !sj_array_reserve(context, &s->filter_scenes, n->filter_scenes) ||
      !sj_array_reserve(context, &s->outlines, n->outlines) ||
      !sj_array_reserve(context, &s->instances, n->instances) ||
      !sj_array_reserve(context, &s->matrices, n->matrices) || !sj_array_reserve(context, &s->runs, n->runs))
    return sj_fail_memory(message);
  s->points.count = n->points;
  s->segments.count = n->segments;
  s->draws.count = n->draws;
  s->inner.count = n->inner;
  s->subscenes.count = n->subscenes;
  s->strokes.count = n->strokes;
  s->paints.count = n->paints;
  s->ramps.count = n->ramps;
  s->ramp_pieces.count = n->pieces;
  s->filter_scenes.count = n->filter_scenes;
  s->outlines.count = n->outlines;
  s->instances.count = n->instances;
  s->matrices.count = n->matrices;
  s->runs.count = n->runs;
  if (n->draws) memset(s->draws.data, 0, n->draws * sizeof *s->draws.data);
  if (n->inner) memset(s->inner.data, 0, n->inner * sizeof *s->inner.data);
  if (n->subscenes) memset(s->subscenes.data, 0, n->subscenes * sizeof *s->subscenes.data);
  if (n->strokes) memset(s->strokes.data, 0, n->strokes * sizeof *s->strokes.data);
  if (n->paints) memset(s->paints.data, 0, n->paints * sizeof *s->paints.data);
  if (n->outlines) memset(s->outlines.data, 0, n->outlines * sizeof *s->outlines.data);
  if (n->runs) memset(s->runs.data, 0, n->runs * sizeof *s->runs.data);
  return STIJL_OK;
}

static stijl_result read_file(sj_file *f, stijl_scene *s, stijl_canvas *on, stijl_message *message) {
  counts number = {0};
  sj_file_word(f, &f->version);
  if (!f->failed && (f->version < 1 || f->version > SJ_FILE_VERSION))
    return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "a saved scene of version %u; this library reads versions 1 to %u",
                   f->version, SJ_FILE_VERSION);
  canvas(f, on);
  sj_file_block(f, &number, counts_bytes(f->version));
  if (f->failed) return sj_fail(message, STIJL_ERROR_MALFORMED, "the saved scene is damaged: it ends too early");
  stijl_result result = make_room(f, s, &number, message);
  if (result != STIJL_OK) return result;
  arrays(f, s);
  for (uint32_t i = 0; i < number.images && !f->failed; i++) {
    stijl_image *made = NULL;
    image(f, s->context, &made);
    if (!f->failed && !made) return sj_fail_memory(message);
    if (made) s->images.data[s->images.count++] = made;
  }
  for (uint32_t i = 0; i < number.filters && !f->failed; i++) {
    sj_layer_filter made = {0};
    if (stijl_filter_create(s->context, &made.filter) != STIJL_OK) return sj_fail_memory(message);
    s->filters.data[s->filters.count++] = made;
    layer_filter(f, &s->filters.data[i]);
    if (made.filter->status == STIJL_ERROR_OUT_OF_MEMORY) return sj_fail_memory(message);
  }
  if (f->failed || f->left)
    return sj_fail(message, STIJL_ERROR_MALFORMED, "the saved scene is damaged: its parts do not fit its length");
  return sj_scene_check(s, message);
}

// Begins to read a saved scene. The checksum is compared first: it tells a damaged file from one that was made wrong.
static stijl_result begin_reading(sj_file *f, const void *data, size_t bytes, stijl_message *message) {
  uint32_t crc;
  if (!stijl_scene_is_saved(data, bytes)) return sj_fail(message, STIJL_ERROR_MALFORMED, "this is no saved scene");
  if (bytes < SJ_FILE_MAGIC_BYTES + sizeof crc || bytes % 4)
    return sj_fail(message, STIJL_ERROR_MALFORMED, "the saved scene is damaged: it ends too early");
  f->reading = true;
  f->at = (const unsigned char *)data + SJ_FILE_MAGIC_BYTES;
  f->left = bytes - SJ_FILE_MAGIC_BYTES - sizeof crc;
  memcpy(&crc, f->at + f->left, sizeof crc);
  if (sj_crc32(0, data, bytes - sizeof crc) != crc)
    return sj_fail(message, STIJL_ERROR_MALFORMED, "the saved scene is damaged: its checksum is wrong");
  return STIJL_OK;
}

static stijl_result load(stijl_context *context, const void *data, size_t bytes, const stijl_scene_limits *limits,
                         stijl_scene **out, stijl_canvas *on, stijl_message *message) {
  stijl_scene *scene;
  stijl_result result = stijl_scene_create(context, limits, &scene);
  if (result != STIJL_OK) return sj_fail(message, result, "making the scene: %s", stijl_result_string(result));
  sj_file *f = sj_alloc_zero(scene->context, sizeof *f);
  stijl_canvas read = STIJL_CANVAS_INIT;
  result = f ? begin_reading(f, data, bytes, message) : sj_fail_memory(message);
  if (result == STIJL_OK) result = read_file(f, scene, &read, message);
  sj_free(scene->context, f);
  if (result == STIJL_OK && !is_canvas(&read))
    result = sj_fail(message, STIJL_ERROR_MALFORMED, "the saved scene is damaged: its canvas is no canvas");
  if (result == STIJL_OK) {
    scene->input_bytes = bytes;
    result = stijl_scene_finish(scene);
  }
  if (result != STIJL_OK) {
    stijl_scene_destroy(scene);
    return result;
  }
  if (on) SJ_WRITE(stijl_canvas, on, &read);
  *out = scene;
  return STIJL_OK;
}

stijl_result stijl_scene_load(stijl_context *context, const void *data, size_t bytes, const stijl_scene_limits *limits,
                              stijl_scene **out, stijl_canvas *on, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!out || !data) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no data or no place for the scene");
  *out = NULL;
  if (on && !sj_params_has_size(on, sizeof *on, "stijl_canvas", message)) return STIJL_ERROR_INVALID_ARGUMENT;
  stijl_budget *budget = sj_budget_of(sj_context(context));
  sj_budget_enter(budget);
  stijl_result result = load(context, data, bytes, limits, out, on, message);
  sj_budget_leave(budget);
  return result;
}
