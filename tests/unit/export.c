// Scenes as PDF and as plain SVG: what the files hold, what is refused, and that SVG draws the same picture again.
#include <stdlib.h>

#include "stijl/stijl.h"
#include "test.h"

#define SIDE 64

typedef struct file {
  char *data;
  size_t size, stop;  // refuses to grow beyond `stop`, unless 0
} file;

static bool append(void *user, const void *data, size_t bytes) {
  file *f = user;
  if (f->stop && f->size + bytes > f->stop) return false;
  f->data = realloc(f->data, f->size + bytes + 1);
  if (!f->data) abort();
  memcpy(f->data + f->size, data, bytes);
  f->size += bytes;
  f->data[f->size] = 0;
  return true;
}

static stijl_path *rectangle(float x0, float y0, float x1, float y1) {
  stijl_path *path = NULL;
  if (stijl_path_create(NULL, &path) != STIJL_OK) abort();
  stijl_path_add_rect(path, x0, y0, x1 - x0, y1 - y0);
  return path;
}

static stijl_scene *begin(void) {
  stijl_scene *scene = NULL;
  if (stijl_scene_create(NULL, NULL, &scene) != STIJL_OK) abort();
  return scene;
}

static void fill(stijl_scene *scene, float x0, float y0, float x1, float y1, stijl_paint paint) {
  stijl_path *path = rectangle(x0, y0, x1, y1);
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  stijl_path_destroy(path);
}

static stijl_paint solid(float r, float g, float b, float a) { return stijl_paint_solid((stijl_color){r, g, b, a}); }

// Makes a scene of gradients, strokes, layers that fade, blend, and are clipped and masked: what both formats say.
static stijl_scene *plain(void) {
  static const stijl_stop stops[] = {{0.0f, {1.0f, 0.0f, 0.0f, 1.0f}},
                                     {0.5f, {0.0f, 1.0f, 0.0f, 0.5f}},
                                     {0.5f, {0.0f, 0.0f, 1.0f, 1.0f}},
                                     {1.0f, {1.0f, 1.0f, 0.0f, 1.0f}}};
  stijl_scene *scene = begin();
  fill(scene, 2.0f, 2.0f, 40.0f, 30.0f,
       stijl_paint_linear((stijl_point){2.0f, 2.0f}, (stijl_point){40.0f, 20.0f}, stops, 4));
  fill(scene, 30.0f, 10.0f, 62.0f, 40.0f,
       stijl_paint_radial((stijl_point){46.0f, 25.0f}, 14.0f, (stijl_point){42.0f, 22.0f}, 0.0f, stops, 4));
  stijl_path *clip = rectangle(5.0f, 30.0f, 60.0f, 60.0f);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.opacity = 0.7f;
  layer.blend = STIJL_BLEND_MULTIPLY;
  layer.clip = clip;
  stijl_scene_push_layer(scene, &layer);
  fill(scene, 0.0f, 20.0f, 50.0f, 64.0f, solid(0.2f, 0.6f, 0.9f, 1.0f));
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = 3.0f;
  stroke.join = STIJL_JOIN_ROUND;
  stijl_paint dark = solid(0.1f, 0.0f, 0.3f, 0.8f);
  stijl_scene_stroke(scene, clip, &stroke, &(stijl_matrix){0.8f, 0.1f, -0.2f, 0.7f, 12.0f, 10.0f}, &dark);
  stijl_scene_push_mask(scene, STIJL_MASK_ALPHA);
  fill(scene, 10.0f, 30.0f, 55.0f, 64.0f, solid(0.0f, 0.0f, 0.0f, 0.6f));
  stijl_scene_pop_mask(scene);
  stijl_scene_pop_layer(scene);
  stijl_path_destroy(clip);
  return scene;
}

static void draw(const stijl_scene *scene, uint32_t *pixels) {
  stijl_renderer *renderer = NULL;
  CHECK_INT(stijl_renderer_create(NULL, NULL, &renderer, NULL), STIJL_OK);
  stijl_target target = STIJL_TARGET_INIT;
  target.width = target.height = SIDE;
  target.pixels = pixels;
  target.stride = SIDE * 4;
  CHECK_INT(stijl_render(renderer, scene, &target, NULL, NULL), STIJL_OK);
  stijl_renderer_destroy(renderer);
}

static stijl_page page_of(float width, float height) {
  stijl_page page = STIJL_PAGE_INIT;
  page.width = width;
  page.height = height;
  page.raster_dpi = 96.0f;
  return page;
}

// Writes one page, and ends the scene.
static stijl_result write_pdf(stijl_scene *scene, const stijl_page *page, file *out, stijl_message *message) {
  stijl_pdf *pdf = NULL;
  stijl_result result = stijl_scene_finish(scene);
  if (result == STIJL_OK) result = stijl_pdf_create(NULL, NULL, append, out, &pdf, message);
  if (result == STIJL_OK) result = stijl_pdf_add_page(pdf, scene, page, message);
  if (result == STIJL_OK) result = stijl_pdf_finish(pdf, message);
  stijl_pdf_destroy(pdf);
  stijl_scene_destroy(scene);
  return result;
}

static bool have_pdf(void) {
  file out = {0};
  stijl_pdf *pdf = NULL;
  stijl_result result = stijl_pdf_create(NULL, NULL, append, &out, &pdf, NULL);
  stijl_pdf_destroy(pdf);
  free(out.data);
  return result != STIJL_ERROR_UNSUPPORTED;
}

// Finds bytes in a file that has zeros.
static bool holds(const file *f, const char *text) { return f->data && memmem(f->data, f->size, text, strlen(text)); }

TEST(pdf_has_a_page_and_no_images) {
  if (!have_pdf()) SKIP("no PDF here");
  file out = {0};
  stijl_message message = {""};
  stijl_page page = page_of(SIDE, 2 * SIDE);
  CHECK_INT(write_pdf(plain(), &page, &out, &message), STIJL_OK);
  CHECK(holds(&out, "%PDF-1.") && holds(&out, "%%EOF"));
  CHECK(holds(&out, "/MediaBox [ 0 0 48 96 ]"));
  CHECK(!holds(&out, "/Subtype /Image"));
  free(out.data);
}

// Makes a scene of what PDF cannot say.
static stijl_scene *with_filter(void) {
  stijl_scene *scene = begin();
  stijl_filter *filter = NULL;
  if (stijl_filter_create(NULL, &filter) != STIJL_OK) abort();
  stijl_filter_blur(filter, NULL, STIJL_FILTER_SOURCE, 2.0f, 2.0f, STIJL_FILTER_EDGE_NONE);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.filter = filter;
  stijl_scene_push_layer(scene, &layer);
  fill(scene, 20.0f, 20.0f, 40.0f, 40.0f, solid(1.0f, 0.0f, 0.0f, 1.0f));
  stijl_scene_pop_layer(scene);
  stijl_filter_destroy(filter);
  return scene;
}

static stijl_scene *with_sweep(void) {
  static const stijl_stop stops[] = {{0.0f, {1.0f, 0.0f, 0.0f, 1.0f}}, {1.0f, {0.0f, 1.0f, 0.0f, 1.0f}}};
  stijl_scene *scene = begin();
  fill(scene, 20.0f, 20.0f, 40.0f, 40.0f, stijl_paint_sweep((stijl_point){30.0f, 30.0f}, 0.0f, 360.0f, stops, 2));
  return scene;
}

static stijl_scene *with_sum(void) {
  stijl_scene *scene = begin();
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.blend = STIJL_BLEND_PLUS_LIGHTER;
  fill(scene, 10.0f, 10.0f, 50.0f, 50.0f, solid(0.5f, 0.0f, 0.0f, 1.0f));
  stijl_scene_push_layer(scene, &layer);
  fill(scene, 20.0f, 20.0f, 60.0f, 60.0f, solid(0.0f, 0.5f, 0.0f, 1.0f));
  stijl_scene_pop_layer(scene);
  return scene;
}

static stijl_scene *with_luminance(void) {
  stijl_scene *scene = begin();
  stijl_layer layer = STIJL_LAYER_INIT;
  stijl_scene_push_layer(scene, &layer);
  fill(scene, 10.0f, 10.0f, 50.0f, 50.0f, solid(0.5f, 0.0f, 0.0f, 1.0f));
  stijl_scene_push_mask(scene, STIJL_MASK_LUMINANCE);
  fill(scene, 20.0f, 20.0f, 60.0f, 60.0f, solid(0.0f, 0.5f, 0.0f, 1.0f));
  stijl_scene_pop_mask(scene);
  stijl_scene_pop_layer(scene);
  return scene;
}

TEST(pdf_shows_the_rest_as_images) {
  if (!have_pdf()) SKIP("no PDF here");
  stijl_scene *(*const scenes[])(void) = {with_filter, with_sweep, with_sum, with_luminance};
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    file out = {0};
    stijl_page page = page_of(SIDE, SIDE);
    CHECK_INT(write_pdf(scenes[i](), &page, &out, NULL), STIJL_OK);
    if (!holds(&out, "/Subtype /Image")) sj_test_fail(__FILE__, __LINE__, "scene %zu has no image", i);
    free(out.data);
  }
}

TEST(pdf_of_several_pages) {
  if (!have_pdf()) SKIP("no PDF here");
  file out = {0};
  stijl_pdf *pdf = NULL;
  stijl_pdf_params params = STIJL_PDF_PARAMS_INIT;
  params.title = "A title";
  CHECK_INT(stijl_pdf_create(NULL, &params, append, &out, &pdf, NULL), STIJL_OK);
  for (int i = 1; i <= 3; i++) {
    stijl_scene *scene = plain();
    stijl_page page = page_of(SIDE, SIDE * (float)i);
    CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
    CHECK_INT(stijl_pdf_add_page(pdf, scene, &page, NULL), STIJL_OK);
    stijl_scene_destroy(scene);
  }
  CHECK_INT(stijl_pdf_finish(pdf, NULL), STIJL_OK);
  stijl_pdf_destroy(pdf);
  CHECK(holds(&out, "/Count 3") && holds(&out, "/MediaBox [ 0 0 48 144 ]") && holds(&out, "(A title)"));
  free(out.data);
}

TEST(pdf_failures) {
  if (!have_pdf()) SKIP("no PDF here");
  file out = {.stop = 100};
  stijl_message message = {""};
  stijl_page page = page_of(SIDE, SIDE);
  CHECK_INT(write_pdf(plain(), &page, &out, &message), STIJL_ERROR_IO);
  out.stop = 0;
  page.width = 30000.0f;
  CHECK_INT(write_pdf(plain(), &page, &out, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK(strstr(message.text, "30000") != NULL);
  stijl_pdf *pdf = NULL;
  CHECK_INT(stijl_pdf_create(NULL, NULL, append, &out, &pdf, &message), STIJL_OK);
  CHECK_INT(stijl_pdf_finish(pdf, &message), STIJL_ERROR_INVALID_STATE);
  stijl_scene *open = begin();
  page.width = SIDE;
  CHECK_INT(stijl_pdf_add_page(pdf, open, &page, &message), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_scene_destroy(open);
  stijl_pdf_destroy(pdf);
  free(out.data);
}

// Images count for the budget, and so does what cairo keeps.
TEST(pdf_within_a_budget) {
  if (!have_pdf()) SKIP("no PDF here");
  stijl_scene *(*const scenes[])(void) = {with_filter, plain};
  const uint64_t limits[] = {16000, 4000};
  for (size_t i = 0; i < 2; i++) {
    file out = {0};
    stijl_message message = {""};
    stijl_budget_params params = STIJL_BUDGET_PARAMS_INIT;
    params.max_memory = limits[i];
    stijl_page page = page_of(1000.0f, 1000.0f);
    CHECK_INT(stijl_budget_create(NULL, &params, &page.budget), STIJL_OK);
    CHECK_INT(write_pdf(scenes[i](), &page, &out, &message), STIJL_ERROR_LIMIT);
    stijl_budget_destroy(page.budget);
    free(out.data);
  }
}

// Returns the scene of an SVG document; NULL where this build has none.
static stijl_scene *load(const char *text, size_t size) {
  stijl_svg *svg = NULL;
  stijl_scene *scene = NULL;
  stijl_message message = {""};
  stijl_result result = stijl_svg_load(NULL, text, size, NULL, &svg, &message);
  if (result == STIJL_ERROR_UNSUPPORTED) return NULL;
  if (result == STIJL_OK) result = stijl_svg_scene(svg, SIDE, SIDE, &scene, &message);
  if (result != STIJL_OK) sj_test_fail(__FILE__, __LINE__, "%s in %s", message.text, text);
  stijl_svg_destroy(svg);
  return scene;
}

// Colours of gradients are rounded once more on their way.
TEST(svg_draws_the_same_again) {
  stijl_scene *(*const scenes[])(void) = {plain, with_filter, with_sum, with_luminance};
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    static uint32_t expected[SIDE * SIDE], got[SIDE * SIDE];
    file out = {0};
    stijl_page page = page_of(SIDE, SIDE);
    stijl_scene *scene = scenes[i]();
    CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
    CHECK_INT(stijl_scene_write_svg(NULL, scene, &page, append, &out, NULL), STIJL_OK);
    draw(scene, expected);
    stijl_scene_destroy(scene);
    scene = load(out.data, out.size);
    free(out.data);
    if (!scene) SKIP("no SVG here");
    draw(scene, got);
    stijl_scene_destroy(scene);
    int most = 0;
    for (size_t p = 0; p < sizeof got; p++) {
      int d = abs(((unsigned char *)got)[p] - ((unsigned char *)expected)[p]);
      if (d > most) most = d;
    }
    if (most > (i ? 0 : 2)) sj_test_fail(__FILE__, __LINE__, "scene %zu differs by %d", i, most);
  }
}
