// Draws the texts of stijl/text.h. This is done here, above src/text and src/svg, since some colour glyphs are
// documents.
#include "base/budget.h"
#include "base/params.h"
#include "scene/scene.h"
#include "svg/record/record.h"
#include "svg/resolve/load.h"
#include "text/color_scene.h"
#include "text/fonts.h"
#include "text/paragraph.h"

typedef struct drawing {
  stijl_scene *scene;
  const stijl_text *text;
  const stijl_glyph *glyphs;
  size_t count;
  stijl_matrix matrix;
  uint32_t foreground;   // of colour glyphs
  stijl_budget *budget;  // for making colour glyphs; NULL as long as none is made
} drawing;

static void fail_memory(drawing *d) { sj_scene_fail(d->scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory"); }

static bool drawing_on(const drawing *d) { return d->scene->status == STIJL_OK; }

// Prepares a drawing. Returns false when the scene has failed, or there is nothing to draw.
static bool begin(drawing *d, stijl_scene *scene, const stijl_text *text, const stijl_matrix *matrix,
                  const stijl_paint *paint) {
  *d = (drawing){.scene = scene, .text = text, .matrix = matrix ? *matrix : stijl_matrix_identity()};
  if (!text || !sj_scene_recording(scene) || !sj_scene_check_paint(scene, paint)) return false;
  if (!stijl_matrix_is_finite(d->matrix)) {
    sj_scene_fail(scene, STIJL_ERROR_INVALID_ARGUMENT, "the transform of a text is not finite");
    return false;
  }
  d->count = stijl_text_glyphs(text, &d->glyphs);
  d->foreground =
      sj_straight_color(paint->kind == STIJL_PAINT_SOLID ? paint->color : (stijl_color){0.0f, 0.0f, 0.0f, 1.0f});
  return true;
}

// --- colour glyphs ---

// What was made of a glyph.
typedef struct made_glyph {
  sj_color_uses uses;
  bool has_scale;
  stijl_scene *scene;  // NULL: the glyph has no colours
} made_glyph;

// Makes the scene of a colour glyph, in the memory of the face's library.
static stijl_result make(const drawing *d, sj_face *face, const sj_color_key *key, made_glyph *out,
                         stijl_message *message) {
  stijl_context *context = stijl_budget_context(d->budget);
  sj_color_picture picture;
  unsigned refusals = atomic_load(&face->library->refusals);
  bool colored =
      sj_color_glyph(face, context, face->library->context, key->glyph, key->foreground, &key->palette, &picture);
  out->uses = picture.uses;
  out->scene = picture.scene;
  if (!colored) return atomic_load(&face->library->refusals) == refusals ? STIJL_OK : sj_fail_memory(message);
  if (picture.scene) return STIJL_OK;
  sj_color_document document = picture.document;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  sj_load_totals totals = {0};
  sj_loaded *loaded = NULL;
  params.fonts = sj_text_fonts(d->text);
  sj_budget_add_input(d->budget, document.count);
  stijl_result result =
      sj_load_document(context, document.data, document.count, &params, NULL, &totals, &loaded, message);
  if (result == STIJL_OK) result = sj_load_tree(loaded, &totals, 0, message);
  if (result == STIJL_OK && !loaded->tree.lacks_image) {
    sj_recorder recorder = {.context = context, .message = message};
    sj_glyph_scale scale = {1.0f, 1.0f};
    out->has_scale = sj_glyph_has_scale(&loaded->tree);
    if (out->has_scale) scale = (sj_glyph_scale){key->scale_x, key->scale_y};
    out->scene = sj_record_glyph(&recorder, face->library->context, &loaded->tree, scale);
    sj_recorder_finish(&recorder);
    result = recorder.result;
  }
  sj_loaded_destroy(loaded);
  sj_array_finish(context, &document);
  return result;
}

// Makes it within two budgets: one for all glyphs of this call, and the text's own. A document that is broken counts as
// no document. Returns false when the scene has failed.
static bool make_within(drawing *d, sj_face *face, const sj_color_key *key, made_glyph *out) {
  stijl_message message = {""};
  stijl_context *context = sj_text_context(d->text);
  stijl_result result = STIJL_OK;
  if (!d->budget) result = sj_budget_begin(face->library->context, NULL, 0.0, &d->budget, &message);
  uint64_t before = d->budget ? stijl_budget_work(d->budget) : 0;
  if (result == STIJL_OK) result = make(d, face, key, out, &message);
  bool spent = d->budget && !sj_budget_look(d->budget);
  if (spent) result = sj_budget_result(d->budget, STIJL_ERROR_LIMIT, &message);
  if (!spent && d->budget && !sj_context_check(context, stijl_budget_work(d->budget) - before)) {
    result = sj_budget_result(sj_budget_of(context), STIJL_ERROR_LIMIT, &message);
    spent = true;
  }
  if (result == STIJL_OK) return true;
  if (spent || result == STIJL_ERROR_OUT_OF_MEMORY) {
    stijl_scene_destroy(out->scene);
    sj_scene_fail(d->scene, result, "a colour glyph: %s", message.text);
    return false;
  }
  sj_log(face->library->context, STIJL_LOG_WARNING, "glyph %u of %s is drawn without its colours: %s", key->glyph,
         sj_face_family(sj_text_fonts(d->text), face), message.text);
  return true;
}

// Finds the kept scene of a colour glyph, or makes one. Returns NULL when the scene that is drawn on has failed.
static sj_color_scene *color_scene(drawing *d, sj_face *face, const sj_color_key *key) {
  sj_color_scene *found = sj_color_scene_find(face, key);
  if (found) return found;
  made_glyph made = {{false, false, false}, false, NULL};
  if (!make_within(d, face, key, &made)) return NULL;
  found = sj_color_scene_add(face, key, made.uses, made.has_scale, made.scene);
  if (!found) fail_memory(d);
  return found;
}

// Returns the matrix from the document of a colour glyph to the scene. In the document y goes down, and the baseline is
// not at 0.
static stijl_matrix document_matrix(const drawing *d, size_t index, const sj_text_glyph *of) {
  const stijl_glyph *g = &d->glyphs[index];
  float em = (float)of->face->metrics.units_per_em;
  stijl_matrix place = {of->scale, 0.0f, 0.0f, -of->scale, g->x, g->y},
               down = {1.0f, 0.0f, 0.0f, -1.0f, -em, 2.0f * em};
  return stijl_matrix_multiply(d->matrix, stijl_matrix_multiply(place, down));
}

// Draws a glyph in its colours; not at all with opacity 0. Returns false if it has no colours.
static bool add_color_glyph(drawing *d, size_t index, float opacity) {
  sj_text_glyph of = sj_text_glyph_at(d->text, index);
  if (!of.face->has_color) return false;
  stijl_matrix matrix = document_matrix(d, index, &of);
  sj_glyph_scale scale = sj_glyph_scale_of(&matrix);
  if (!stijl_matrix_is_finite(matrix) || !(scale.x > 0.0f) || !(scale.y > 0.0f)) return true;
  sj_color_key key = {.glyph = d->glyphs[index].id,
                      .foreground = d->foreground,
                      .palette = of.palette,
                      .scale_x = scale.x,
                      .scale_y = scale.y};
  sj_color_scene *found = color_scene(d, of.face, &key);
  if (!found) return true;
  bool colored = found->scene != NULL;
  if (!found->has_scale) scale = (sj_glyph_scale){1.0f, 1.0f};
  if (colored && opacity > 0.0f) sj_add_glyph(d->scene, found->scene, scale, &matrix, opacity);
  sj_color_scene_release(of.face, found);
  return colored;
}

// --- drawing ---

// Returns the scene's number for a glyph's outline in font units, which it adds if needed.
static uint32_t outline_in(drawing *d, sj_face *face, uint32_t glyph, stijl_path *path) {
  static const stijl_matrix identity = STIJL_MATRIX_IDENTITY;
  sj_glyph_name name = {face->serial, glyph};
  uint32_t outline;
  if (sj_scene_find_outline(d->scene, name, &outline)) return outline;
  stijl_path_clear(path);
  sj_face_outline(face, sj_text_context(d->text), glyph, &identity, path);
  return sj_scene_add_glyph(d->scene, name, sj_face_glyph_size(face, glyph), path);
}

static void finish_path(stijl_path *path) { sj_arrays_finish(path->context, &path->verbs, &path->points); }

void stijl_scene_text(stijl_scene *scene, const stijl_text *text, const stijl_matrix *matrix,
                      const stijl_paint *paint) {
  drawing d;
  if (!scene) return;
  paint = SJ_GIVEN(stijl_paint, STIJL_PAINT_INIT, paint, &scene->message);
  if (!begin(&d, scene, text, matrix, paint)) return;
  stijl_context *context = sj_text_context(text);
  SJ_ARRAY(stijl_instance) instances = {0};
  SJ_ARRAY(stijl_matrix) matrices = {0};
  stijl_path path = {.context = context};
  float opacity = paint->opacity < 1.0f ? paint->opacity : 1.0f;
  if (!sj_array_reserve(context, &instances, d.count)) fail_memory(&d);
  for (size_t i = 0; i < d.count && drawing_on(&d); i++) {
    if (add_color_glyph(&d, i, opacity)) continue;
    sj_text_glyph of = sj_text_glyph_at(text, i);
    stijl_matrix m = {of.scale, 0.0f, 0.0f, -of.scale, 0.0f, 0.0f};
    if ((!matrices.count || matrices.data[matrices.count - 1].a != m.a) && !sj_array_push(context, &matrices, m)) {
      fail_memory(&d);
      break;
    }
    uint32_t outline = outline_in(&d, of.face, d.glyphs[i].id, &path);
    instances.data[instances.count++] =
        (stijl_instance){outline, (uint32_t)matrices.count - 1, d.glyphs[i].x, d.glyphs[i].y};
  }
  stijl_glyph_run run = {sizeof run, instances.data, instances.count, matrices.data, matrices.count};
  stijl_scene_fill_glyphs(scene, &run, matrix, paint);
  sj_arrays_finish(context, &matrices, &instances);
  finish_path(&path);
  sj_budget_end(d.budget);
}

void stijl_scene_text_stroke(stijl_scene *scene, const stijl_text *text, const stijl_stroke *stroke,
                             const stijl_matrix *matrix, const stijl_paint *paint) {
  drawing d;
  if (!scene) return;
  paint = SJ_GIVEN(stijl_paint, STIJL_PAINT_INIT, paint, &scene->message);
  if (!begin(&d, scene, text, matrix, paint)) return;
  stijl_path path = {.context = sj_text_context(text)};
  for (size_t i = 0; i < d.count && drawing_on(&d); i++) {
    if (add_color_glyph(&d, i, 0.0f)) continue;
    sj_text_glyph of = sj_text_glyph_at(text, i);
    stijl_matrix place = {of.scale, 0.0f, 0.0f, -of.scale, d.glyphs[i].x, d.glyphs[i].y};
    sj_face_outline(of.face, path.context, d.glyphs[i].id, &place, &path);
  }
  // Where there was no memory for the path, the scene takes over its failure.
  stijl_scene_stroke(scene, &path, stroke, matrix, paint);
  finish_path(&path);
  sj_budget_end(d.budget);
}
