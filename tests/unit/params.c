// Public structs of other versions: older, smaller ones get the defaults for the rest; newer ones pass where they ask
// for nothing new; nothing is written beyond what the caller has.
#include "base/params.h"

#include <stdlib.h>

#include "stijl/stijl.h"
#include "stijl/vulkan.h"
#include "test.h"

// The size of a struct whose last field is this one.
#define UP_TO(type, field) \
  ((offsetof(type, field) + sizeof((type *)0)->field + _Alignof(type) - 1) / _Alignof(type) * _Alignof(type))
// A type's name, its size, and what else its size has been.
#define SIZES(type, ...)                 \
  {                                      \
#type, sizeof(type), { __VA_ARGS__ } \
  }

// Every public struct that begins with its size.
static const struct sizes {
  const char *name;
  size_t now, earlier[6];
} all_sizes[] = {
    SIZES(stijl_budget_params, UP_TO(stijl_budget_params, max_work)),
    SIZES(stijl_canvas, 0),
    SIZES(stijl_context_params, 0),
    SIZES(stijl_convolution, 0),
    SIZES(stijl_css_declaration, 0),
    SIZES(stijl_css_matcher_params, UP_TO(stijl_css_matcher_params, threads),
          UP_TO(stijl_css_matcher_params, device_name)),
    SIZES(stijl_css_params, UP_TO(stijl_css_params, limits), UP_TO(stijl_css_params, files)),
    SIZES(stijl_css_selector, 0),
    SIZES(stijl_css_sheet, 0),
    SIZES(stijl_css_stats, UP_TO(stijl_css_stats, rematched)),
    SIZES(stijl_device, 0),
    SIZES(stijl_filter_options, 0),
    SIZES(stijl_font_face, 0),
    SIZES(stijl_font_use, 0),
    SIZES(stijl_fonts_params, 0),
    SIZES(stijl_glyph_run, 0),
    SIZES(stijl_image_limits, 0),
    SIZES(stijl_image_writer_params, UP_TO(stijl_image_writer_params, opaque)),
    SIZES(stijl_lab_params, UP_TO(stijl_lab_params, file)),
    SIZES(stijl_layer, UP_TO(stijl_layer, clip_transform)),
    SIZES(stijl_light, 0),
    SIZES(stijl_page, 0),
    SIZES(stijl_paint, UP_TO(stijl_paint, transform), UP_TO(stijl_paint, scene), UP_TO(stijl_paint, aliased)),
    SIZES(stijl_pdf_params, 0),
    SIZES(stijl_picture, 0),
    SIZES(stijl_png_params, UP_TO(stijl_png_params, level)),
    SIZES(stijl_render_params, UP_TO(stijl_render_params, keep), UP_TO(stijl_render_params, budget)),
    SIZES(stijl_render_stats, UP_TO(stijl_render_stats, scratch_bytes)),
    SIZES(stijl_renderer_params, UP_TO(stijl_renderer_params, max_layer_bytes)),
    SIZES(stijl_scene_limits, 0),
    SIZES(stijl_stroke, 0),
    SIZES(stijl_svg_node, UP_TO(stijl_svg_node, to_canvas)),
    SIZES(stijl_svg_params, UP_TO(stijl_svg_params, image_limits), UP_TO(stijl_svg_params, style_sheet),
          UP_TO(stijl_svg_params, budget), UP_TO(stijl_svg_params, font_size), UP_TO(stijl_svg_params, time),
          UP_TO(stijl_svg_params, read_user)),
    SIZES(stijl_svg_timing, 0),
    SIZES(stijl_target, 0),
    SIZES(stijl_text_params, 0),
    SIZES(stijl_text_style, UP_TO(stijl_text_style, variations)),
    SIZES(stijl_turbulence, 0),
    SIZES(stijl_vulkan_device, 0),
    SIZES(stijl_vulkan_frame, 0),
    SIZES(stijl_vulkan_target, 0),
    SIZES(stijl_webp_animation_params, 0),
};
#define STRUCTS (sizeof all_sizes / sizeof *all_sizes)
#define MOST (4096 / sizeof(size_t))

static bool had(const struct sizes *s, size_t size) {
  if (size == s->now) return true;
  for (int i = 0; i < 6; i++)
    if (size && s->earlier[i] == size) return true;
  return size > s->now && size <= s->now + 1024 && size % sizeof size == 0;
}

// Each size from 0 on: what the library takes is what a version had, or what a later one might have.
TEST(sizes_that_no_version_had) {
  for (size_t i = 0; i < STRUCTS; i++) {
    const struct sizes *s = &all_sizes[i];
    CHECK(s->now + 1100 < MOST * sizeof(size_t));
    for (size_t size = 0; size < s->now + 1100; size++) {
      size_t given[MOST] = {size}, known[MOST] = {s->now}, out[MOST] = {size, ~(size_t)0};
      stijl_message message = {""};
      const void *read = sj_params_read(given, known, s->now, s->name, true, &message);
      if ((read != NULL) != had(s, size) || (!read && !strstr(message.text, "the struct was not initialised")))
        sj_test_fail(__FILE__, __LINE__, "%s of %zu bytes, now %zu: %s", s->name, size, s->now, message.text);
      bool written = sj_params_write(out, known, s->now, s->name);
      if (written != had(s, size) || (!written && (out[0] != size || out[1] != ~(size_t)0)))
        sj_test_fail(__FILE__, __LINE__, "%s of %zu bytes is written", s->name, size);
    }
  }
  size_t huge = SIZE_MAX;  // nothing behind it may be looked at
  CHECK(!sj_params_read(&huge, &huge, 24, "stijl_png_params", true, NULL));
}

#define PAINT_1 UP_TO(stijl_paint, transform)

TEST(fields_and_defaults) {
  stijl_message message = {""};
  stijl_paint same = STIJL_PAINT_INIT, older = STIJL_PAINT_INIT;
  const stijl_paint *given = &same;
  CHECK(SJ_PARAMS(stijl_paint, STIJL_PAINT_INIT, given, &message) == &same);
  given = NULL;
  const stijl_paint *read = SJ_PARAMS(stijl_paint, STIJL_PAINT_INIT, given, &message);
  CHECK(read && read->size == sizeof *read && read->opacity == same.opacity);
  older.size = PAINT_1;
  older.transform.e = 7.0f;
  older.lead_angle = 99.0f;
  given = &older;
  read = SJ_PARAMS(stijl_paint, STIJL_PAINT_INIT, given, &message);
  CHECK(read && read->transform.e == 7.0f && read->lead_angle == same.lead_angle && read->size == sizeof *read);
  struct {
    stijl_target known;
    size_t more;  // without padding before it, in which anything may stand
  } newer = {STIJL_TARGET_INIT, 0};
  newer.known.size = sizeof newer;
  const stijl_target *target = &newer.known, *taken = SJ_PARAMS(stijl_target, STIJL_TARGET_INIT, target, &message);
  CHECK(taken && taken->size == sizeof *taken);
  newer.more = 1;
  CHECK(!SJ_PARAMS(stijl_target, STIJL_TARGET_INIT, target, &message));
  CHECK(strstr(message.text, "stijl_target has a field set that version"));
}

TEST(results) {
  stijl_css_stats known = {.size = sizeof known, .match_ms = 2.0, .rematched = 3, .upload_ms = 4.0};
  stijl_css_stats out = {.size = UP_TO(stijl_css_stats, rematched), .match_ms = -1.0, .upload_ms = -1.0};
  CHECK(SJ_WRITE(stijl_css_stats, &out, &known));
  CHECK(out.size == UP_TO(stijl_css_stats, rematched) && out.match_ms == 2.0 && out.rematched == 3 &&
        out.upload_ms == -1.0);
  size_t none = 0;  // and nothing behind it may be touched
  CHECK(!SJ_WRITE(stijl_css_stats, &none, &known));
  CHECK(none == 0);
}

// Calls `use` with the struct that `init` fills, cut off at its end byte by byte, each in a block of that size, so that
// the sanitizers see a byte too far. Only the sizes that it has had are taken.
static void each_size(const char *name, void (*init)(void *, size_t), stijl_result (*use)(void *)) {
  const struct sizes *s = all_sizes;
  while (strcmp(s->name, name) != 0) s++;
  for (size_t size = s->now; size > sizeof size; size--) {
    void *block = malloc(size);
    init(block, size);
    CHECK(memcmp(block, &size, sizeof size) == 0);
    stijl_result result = use(block);
    if (result == STIJL_ERROR_UNSUPPORTED) {  // the build is without what the struct is for, whatever its size
      free(block);
      return;
    }
    if (result != (had(s, size) ? STIJL_OK : STIJL_ERROR_INVALID_ARGUMENT))
      sj_test_fail(__FILE__, __LINE__, "%s of %zu bytes: %s", name, size, stijl_result_string(result));
    free(block);
  }
}

// Returns the scene, or NULL with *result.
static stijl_scene *one_rect(const stijl_paint *paint, const stijl_stroke *stroke, const stijl_layer *layer,
                             stijl_result *result) {
  stijl_scene *scene = NULL;
  stijl_path *path = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_add_rect(path, 0, 0, 8, 8);
  stijl_paint black = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  if (!paint) paint = &black;
  if (layer) stijl_scene_push_layer(scene, layer);
  if (stroke) {
    stijl_scene_stroke(scene, path, stroke, NULL, paint);
  } else {
    stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, paint);
  }
  if (layer) stijl_scene_pop_layer(scene);
  stijl_path_destroy(path);
  *result = stijl_scene_finish(scene);
  if (*result == STIJL_OK) return scene;
  stijl_scene_destroy(scene);
  return NULL;
}

static stijl_result record(const stijl_paint *paint, const stijl_stroke *stroke, const stijl_layer *layer) {
  stijl_result result;
  stijl_scene_destroy(one_rect(paint, stroke, layer, &result));
  return result;
}

static stijl_result use_paint(void *paint) { return record(paint, NULL, NULL); }
static stijl_result use_stroke(void *stroke) { return record(NULL, stroke, NULL); }
static stijl_result use_layer(void *layer) { return record(NULL, NULL, layer); }

static stijl_result use_scene_limits(void *limits) {
  stijl_scene *scene = NULL;
  stijl_result result = stijl_scene_create(NULL, limits, &scene);
  stijl_scene_destroy(scene);
  return result;
}

static stijl_result use_budget_params(void *params) {
  stijl_budget *budget = NULL;
  stijl_result result = stijl_budget_create(NULL, params, &budget);
  stijl_budget_destroy(budget);
  return result;
}

static stijl_result use_context_params(void *params) {
  stijl_context *context = NULL;
  stijl_result result = stijl_context_create(params, &context);
  stijl_context_destroy(context);
  return result;
}

static stijl_result use_renderer_params(void *params) {
  stijl_renderer *renderer = NULL;
  stijl_message message;
  stijl_result result = stijl_renderer_create(NULL, params, &renderer, &message);
  stijl_renderer_destroy(renderer);
  return result;
}

// Draws a black square of 8 x 8; `params`, `given` and `stats` may be NULL.
static stijl_result draw(const stijl_render_params *params, const stijl_target *given, stijl_render_stats *stats) {
  static uint32_t pixels[64];
  stijl_target target = {
      .size = sizeof target, .width = 8, .height = 8, .format = STIJL_FORMAT_RGBA8, .pixels = pixels, .stride = 32};
  stijl_renderer *renderer = NULL;
  stijl_message message;
  stijl_result result;
  stijl_scene *scene = one_rect(NULL, NULL, NULL, &result);
  CHECK_INT(stijl_renderer_create(NULL, NULL, &renderer, &message), STIJL_OK);
  memset(pixels, 0, sizeof pixels);
  result = stijl_render(renderer, scene, given ? given : &target, params, &message);
  if (given && strcmp(message.text, "the target has no pixels") == 0) result = STIJL_OK;  // what it is refused for
  CHECK(given || result || (pixels[0] == 0xff000000 && pixels[63] == 0xff000000));
  if (stats) stijl_renderer_stats(renderer, stats);
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
  return result;
}

static stijl_result use_render_params(void *params) { return draw(params, NULL, NULL); }
static stijl_result use_target(void *target) { return draw(NULL, target, NULL); }

// Returns, for calls that return nothing, whether they have filled the struct, whose bytes after its size are all 255
// before.
static stijl_result fill(void *out, void (*call)(void *out)) {
  size_t size = *(size_t *)out;
  unsigned char *bytes = out;
  memset(bytes + sizeof size, 255, size - sizeof size);
  call(out);
  CHECK(*(size_t *)out == size);
  bool filled = false;
  for (size_t i = sizeof size; i < size; i++) filled |= bytes[i] != 255;
  return filled ? STIJL_OK : STIJL_ERROR_INVALID_ARGUMENT;
}

static void get_render_stats(void *stats) { draw(NULL, NULL, stats); }
static stijl_result use_render_stats(void *stats) { return fill(stats, get_render_stats); }

static stijl_result use_svg_params(void *params) {
  static const char text[] = "<svg xmlns='http://www.w3.org/2000/svg'/>";
  stijl_svg *svg = NULL;
  stijl_message message;
  stijl_result result = stijl_svg_load(NULL, text, sizeof text - 1, params, &svg, &message);
  stijl_svg_destroy(svg);
  return result;
}

static stijl_result use_image_limits(void *limits) {
  stijl_image *image = NULL;
  stijl_result result = stijl_image_decode(NULL, "no image", 8, limits, &image, NULL);
  return result == STIJL_ERROR_UNSUPPORTED ? STIJL_OK : result;
}

static bool take(void *user, const void *data, size_t bytes) {
  (void)user;
  (void)data;
  return bytes > 0;
}

static stijl_result use_png_params(void *params) {
  static const unsigned char pixels[4] = {1, 2, 3, 255};
  return stijl_png_encode(NULL, 1, 1, STIJL_FORMAT_RGBA8, pixels, 4, params, take, NULL, NULL);
}

static stijl_result use_image_writer_params(void *params) {
  stijl_image_writer *writer;
  stijl_image_writer_params *p = params;
  if (p->size >= UP_TO(stijl_image_writer_params, opaque)) p->width = p->height = 1;
  stijl_result result = stijl_image_writer_create(NULL, params, take, NULL, &writer, NULL);
  stijl_image_writer_destroy(writer);
  return result;
}

static stijl_result use_page(void *page) {
  stijl_page *p = page;
  if (p->size >= sizeof *p) p->width = p->height = 1.0f;
  stijl_scene *scene = NULL;
  stijl_result result = stijl_scene_create(NULL, NULL, &scene);
  if (result == STIJL_OK) result = stijl_scene_finish(scene);
  if (result == STIJL_OK) result = stijl_scene_write_svg(NULL, scene, page, take, NULL, NULL);
  stijl_scene_destroy(scene);
  return result;
}

static stijl_result use_pdf_params(void *params) {
  stijl_pdf *pdf = NULL;
  stijl_message message;
  stijl_result result = stijl_pdf_create(NULL, params, take, NULL, &pdf, &message);
  stijl_pdf_destroy(pdf);
  return result;
}

static stijl_result use_css_params(void *params) {
  stijl_css *css = NULL;
  stijl_result result = stijl_css_create(NULL, params, &css);
  stijl_css_destroy(css);
  return result;
}

// Matches one rule; what the calls tell goes into structs of any size.
static stijl_result match(const stijl_css_matcher_params *params, stijl_css_selector *selector,
                          stijl_css_declaration *declaration, stijl_css_stats *stats) {
  stijl_css *css = NULL;
  stijl_css_document *document = NULL;
  stijl_css_matcher *matcher = NULL;
  stijl_message message;
  CHECK_INT(stijl_css_create(NULL, NULL, &css), STIJL_OK);
  CHECK_INT(stijl_css_add(css, "a { b: c }", 10, "sheet", STIJL_CSS_ORIGIN_AUTHOR, &message), STIJL_OK);
  CHECK_INT(stijl_css_document_create(NULL, false, NULL, &document), STIJL_OK);
  stijl_css_document_begin(document, NULL, "a");
  stijl_css_document_end(document);
  CHECK_INT(stijl_css_document_finish(document, &message), STIJL_OK);
  stijl_result result = stijl_css_matcher_create(css, document, params, &matcher, &message);
  if (selector) stijl_css_selector_get(css, 0, selector);
  if (declaration) stijl_css_declaration_get(css, 0, 0, declaration);
  if (stats) stijl_css_matcher_stats(matcher, stats);
  stijl_css_matcher_destroy(matcher);
  stijl_css_document_destroy(document);
  stijl_css_destroy(css);
  return result;
}

static void get_selector(void *selector) { match(NULL, selector, NULL, NULL); }
static void get_declaration(void *declaration) { match(NULL, NULL, declaration, NULL); }
static void get_css_stats(void *stats) { match(NULL, NULL, NULL, stats); }
static stijl_result use_matcher_params(void *params) { return match(params, NULL, NULL, NULL); }
static stijl_result use_selector(void *selector) { return fill(selector, get_selector); }
static stijl_result use_declaration(void *declaration) { return fill(declaration, get_declaration); }
static stijl_result use_css_stats(void *stats) { return fill(stats, get_css_stats); }

static stijl_result use_webp_animation_params(void *params) {
  stijl_webp_animation_params *p = params;
  if (p->size == sizeof *p) p->width = p->height = 1;  // only then does the block hold them
  stijl_webp_animation *animation = NULL;
  stijl_result result = stijl_webp_animation_create(NULL, params, &animation, NULL);
  stijl_webp_animation_destroy(animation);
  return result;
}

static stijl_result use_svg_timing(void *timing) {
  static const char text[] = "<svg xmlns='http://www.w3.org/2000/svg'><rect width='9' height='9'/></svg>";
  stijl_svg *svg = NULL;
  stijl_message message;
  CHECK_INT(stijl_svg_load(NULL, text, sizeof text - 1, NULL, &svg, &message), STIJL_OK);
  stijl_result result = stijl_svg_get_timing(svg, timing, &message);
  stijl_svg_destroy(svg);
  return result;
}

static stijl_result use_svg_node(void *node) {
  static const char text[] = "<svg xmlns='http://www.w3.org/2000/svg'><rect width='9' height='9'/></svg>";
  stijl_svg *svg = NULL;
  stijl_message message;
  CHECK_INT(stijl_svg_load(NULL, text, sizeof text - 1, NULL, &svg, &message), STIJL_OK);
  stijl_result result = stijl_svg_get_node(svg, 0, node);
  stijl_svg_destroy(svg);
  return result;
}

static stijl_result use_canvas(void *canvas) {
  stijl_result result;
  stijl_scene *scene = one_rect(NULL, NULL, NULL, &result);
  result = stijl_scene_save(scene, canvas, take, NULL, NULL);
  stijl_scene_destroy(scene);
  return result;
}

static stijl_result filter(const stijl_filter_options *options, const stijl_convolution *convolution,
                           const stijl_turbulence *turbulence, const stijl_light *light) {
  stijl_filter *filter;
  CHECK_INT(stijl_filter_create(NULL, &filter), STIJL_OK);
  if (options) stijl_filter_alpha(filter, options, STIJL_FILTER_SOURCE);
  if (convolution) stijl_filter_convolve(filter, NULL, STIJL_FILTER_SOURCE, convolution);
  if (turbulence) stijl_filter_turbulence(filter, NULL, turbulence);
  if (light) stijl_filter_diffuse_light(filter, NULL, STIJL_FILTER_SOURCE, light);
  stijl_result result = stijl_filter_status(filter);
  stijl_filter_destroy(filter);
  return result;
}

static stijl_result use_filter_options(void *options) { return filter(options, NULL, NULL, NULL); }
static stijl_result use_convolution(void *given) {
  static const float cells[9] = {1};
  stijl_convolution *convolution = given;
  if (convolution->size == sizeof *convolution) convolution->kernel = cells;
  return filter(NULL, convolution, NULL, NULL);
}
static stijl_result use_turbulence(void *turbulence) { return filter(NULL, NULL, turbulence, NULL); }
static stijl_result use_light(void *light) { return filter(NULL, NULL, NULL, light); }

static stijl_result use_glyph_run(void *run) {
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  stijl_paint black = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  stijl_scene_fill_glyphs(scene, run, NULL, &black);
  stijl_result result = stijl_scene_finish(scene);
  stijl_scene_destroy(scene);
  return result;
}

static stijl_result use_fonts_params(void *params) {
  stijl_fonts *fonts = NULL;
  stijl_result result = stijl_fonts_create(NULL, params, &fonts, NULL);
  stijl_fonts_destroy(fonts);
  return result;
}

// Runs an instrument by a name that none has: what is wrong with the struct is told first.
static stijl_result use_lab_params(void *params) {
  stijl_lab_report *report = NULL;
  stijl_message message;
  stijl_result result = stijl_lab_run(NULL, "none", params, &report, &message);
  return strstr(message.text, "the struct was not initialised") ? result : STIJL_OK;
}

// `type##_init` as a function of untyped blocks.
#define EACH_SIZE(type, use)                  \
  do {                                        \
    each_size(#type, type##_init_any, (use)); \
  } while (0)
#define ANY(type) \
  static void type##_init_any(void *out, size_t size) { type##_init(out, size); }

ANY(stijl_budget_params)
ANY(stijl_context_params)
ANY(stijl_image_limits)
ANY(stijl_image_writer_params)
ANY(stijl_png_params)
ANY(stijl_page)
ANY(stijl_paint)
ANY(stijl_pdf_params)
ANY(stijl_stroke)
ANY(stijl_layer)
ANY(stijl_scene_limits)
ANY(stijl_renderer_params)
ANY(stijl_render_params)
ANY(stijl_target)
ANY(stijl_render_stats)
ANY(stijl_svg_params)
ANY(stijl_svg_node)
ANY(stijl_webp_animation_params)
ANY(stijl_svg_timing)
ANY(stijl_css_params)
ANY(stijl_css_matcher_params)
ANY(stijl_css_selector)
ANY(stijl_css_declaration)
ANY(stijl_css_stats)
ANY(stijl_canvas)
ANY(stijl_filter_options)
ANY(stijl_convolution)
ANY(stijl_turbulence)
ANY(stijl_light)
ANY(stijl_glyph_run)
ANY(stijl_fonts_params)
ANY(stijl_lab_params)

TEST(every_call_takes_the_sizes_that_its_struct_had) {
  EACH_SIZE(stijl_budget_params, use_budget_params);
  EACH_SIZE(stijl_context_params, use_context_params);
  EACH_SIZE(stijl_image_limits, use_image_limits);
  EACH_SIZE(stijl_image_writer_params, use_image_writer_params);
  EACH_SIZE(stijl_png_params, use_png_params);
  EACH_SIZE(stijl_page, use_page);
  EACH_SIZE(stijl_pdf_params, use_pdf_params);
  EACH_SIZE(stijl_paint, use_paint);
  EACH_SIZE(stijl_stroke, use_stroke);
  EACH_SIZE(stijl_layer, use_layer);
  EACH_SIZE(stijl_scene_limits, use_scene_limits);
  EACH_SIZE(stijl_renderer_params, use_renderer_params);
  EACH_SIZE(stijl_render_params, use_render_params);
  EACH_SIZE(stijl_target, use_target);
  EACH_SIZE(stijl_render_stats, use_render_stats);
  if (use_svg_params(NULL) != STIJL_ERROR_UNSUPPORTED) {  // a build without expat
    EACH_SIZE(stijl_svg_params, use_svg_params);
    EACH_SIZE(stijl_svg_node, use_svg_node);
    EACH_SIZE(stijl_svg_timing, use_svg_timing);
  }
  stijl_webp_animation_params webp = STIJL_WEBP_ANIMATION_PARAMS_INIT;
  if (use_webp_animation_params(&webp) != STIJL_ERROR_UNSUPPORTED)
    EACH_SIZE(stijl_webp_animation_params, use_webp_animation_params);
  EACH_SIZE(stijl_css_params, use_css_params);
  EACH_SIZE(stijl_css_matcher_params, use_matcher_params);
  EACH_SIZE(stijl_css_selector, use_selector);
  EACH_SIZE(stijl_css_declaration, use_declaration);
  EACH_SIZE(stijl_css_stats, use_css_stats);
  EACH_SIZE(stijl_canvas, use_canvas);
  EACH_SIZE(stijl_filter_options, use_filter_options);
  EACH_SIZE(stijl_convolution, use_convolution);
  EACH_SIZE(stijl_turbulence, use_turbulence);
  EACH_SIZE(stijl_light, use_light);
  EACH_SIZE(stijl_glyph_run, use_glyph_run);
  EACH_SIZE(stijl_fonts_params, use_fonts_params);
  EACH_SIZE(stijl_lab_params, use_lab_params);
}

// Without a device there is nothing to look for; what is wrong with the struct is told first.
TEST(devices_have_a_size) {
  stijl_device device;
  size_t count = 0, sizes[] = {0, 4, 13, sizeof device - sizeof(size_t), sizeof device + 1};
  stijl_message message = {""};
  stijl_result none = stijl_devices(NULL, NULL, 0, &count, &message);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && none != STIJL_ERROR_UNSUPPORTED; i++) {
    device.size = sizes[i];
    CHECK_INT(stijl_devices(NULL, &device, 1, &count, &message), STIJL_ERROR_INVALID_ARGUMENT);
    CHECK(strstr(message.text, "the struct was not initialised"));
  }
}

TEST(initialisers_agree_with_macros) {
  stijl_paint paint = STIJL_PAINT_INIT, other;
  stijl_paint_init(&other, sizeof other);
  CHECK(paint.opacity == other.opacity && paint.transform.a == other.transform.a && paint.color.a == other.color.a);
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT, same;
  stijl_renderer_params_init(&same, sizeof same);
  CHECK(params.device == same.device && params.max_layer_bytes == same.max_layer_bytes);
  // A newer program's struct: what this version does not know is zero.
  struct {
    stijl_target target;
    uint64_t unknown;
  } newer;
  memset(&newer, 255, sizeof newer);
  stijl_target_init(&newer.target, sizeof newer);
  CHECK(newer.unknown == 0);
}

TEST(a_struct_without_size_is_named) {
  stijl_message message;
  stijl_png_params params = {.level = 1};
  CHECK_INT(stijl_png_encode(NULL, 1, 1, STIJL_FORMAT_RGBA8, "rgba", 4, &params, take, NULL, &message),
            STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_STR(message.text, "stijl_png_params.size is 0: the struct was not initialised");
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  stijl_scene_push_layer(scene, &(stijl_layer){.opacity = 1});
  CHECK_INT(stijl_scene_finish(scene), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_STR(stijl_scene_message(scene), "stijl_layer.size is 0: the struct was not initialised");
  stijl_scene_destroy(scene);
}

TEST(bounds_tell_empty_from_infinite) {
  stijl_rect box;
  stijl_result result;
  stijl_scene *scene = one_rect(NULL, NULL, NULL, &result);
  CHECK_INT(stijl_scene_bounds(scene, &box), STIJL_EXTENT_BOUNDED);
  CHECK(box.x0 <= 0 && box.x1 >= 8);
  stijl_scene_destroy(scene);
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_scene_bounds(scene, &box), STIJL_EXTENT_EMPTY);
  stijl_paint black = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  stijl_scene_fill_all(scene, &black);
  CHECK_INT(stijl_scene_bounds(scene, &box), STIJL_EXTENT_INFINITE);
  CHECK(box.x0 == 0 && box.x1 == 0);
  stijl_scene_destroy(scene);
}
