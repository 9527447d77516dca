// Public structs of other versions: older, smaller ones get the defaults for the rest; newer ones pass where they ask
// for nothing new; nothing is written beyond what the caller has.
#include "base/params.h"

#include <stdlib.h>

#include "stijl/stijl.h"
#include "stijl/vulkan.h"
#include "test.h"

// A struct of version 2, whose first two fields are those of version 1.
typedef struct example {
  size_t size;
  int first, second;
  int third, fourth;
} example;

#define EXAMPLE_INIT \
  { sizeof(example), 1, 2, 3, 4 }
#define SIZE_1 offsetof(example, third)

TEST(sizes) {
  stijl_message message = {""};
  example same = EXAMPLE_INIT, older = {SIZE_1, 10, 20, 99, 99}, none = {0, 1, 2, 3, 4};
  const example *given = &same;
  const example *read = SJ_PARAMS(example, EXAMPLE_INIT, given, &message);
  CHECK(read == &same);
  given = NULL;
  read = SJ_PARAMS(example, EXAMPLE_INIT, given, &message);
  CHECK(read && read->third == 3 && read->size == sizeof *read);
  given = &older;
  read = SJ_PARAMS(example, EXAMPLE_INIT, given, &message);
  CHECK(read && read->first == 10 && read->second == 20 && read->third == 3 && read->size == sizeof *read);
  given = &none;
  CHECK(!SJ_PARAMS(example, EXAMPLE_INIT, given, &message));
  CHECK_STR(message.text, "example.size is 0: the struct was not initialised");
  struct {
    example known;
    size_t fifth;  // without padding behind it, in which anything may stand
  } newer = {{sizeof newer, 10, 20, 30, 40}, 0};
  given = &newer.known;
  read = SJ_PARAMS(example, EXAMPLE_INIT, given, &message);
  CHECK(read && read->third == 30 && read->size == sizeof *read);
  newer.fifth = 1;
  CHECK(!SJ_PARAMS(example, EXAMPLE_INIT, given, &message));
}

TEST(results) {
  example known = EXAMPLE_INIT, out = {SIZE_1, -1, -1, -1, -1};
  sj_params_write(&out, &known, sizeof known);
  CHECK(out.size == SIZE_1 && out.first == 1 && out.second == 2 && out.third == -1);
  size_t none = 0;  // and nothing behind it may be touched
  sj_params_write(&none, &known, sizeof known);
  CHECK(none == 0);
}

// Calls `use` with the struct that `init` fills, cut off at its end word by word, each in a block of that size, so that
// the sanitizers see a byte too far.
static void each_size(void (*init)(void *, size_t), size_t bytes, void (*use)(void *)) {
  for (size_t size = bytes; size > sizeof size; size -= 4) {
    void *block = malloc(size);
    init(block, size);
    CHECK(memcmp(block, &size, sizeof size) == 0);
    use(block);
    free(block);
  }
}

static stijl_scene *one_rect(const stijl_paint *paint, const stijl_stroke *stroke, const stijl_layer *layer) {
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
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  return scene;
}

static void use_paint(void *paint) { stijl_scene_destroy(one_rect(paint, NULL, NULL)); }
static void use_stroke(void *stroke) { stijl_scene_destroy(one_rect(NULL, stroke, NULL)); }
static void use_layer(void *layer) { stijl_scene_destroy(one_rect(NULL, NULL, layer)); }

static void use_scene_limits(void *limits) {
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, limits, &scene), STIJL_OK);
  stijl_scene_destroy(scene);
}

static void use_budget_params(void *params) {
  stijl_budget *budget = NULL;
  CHECK_INT(stijl_budget_create(NULL, params, &budget), STIJL_OK);
  stijl_budget_destroy(budget);
}

static void use_context_params(void *params) {
  stijl_context *context = NULL;
  CHECK_INT(stijl_context_create(params, &context), STIJL_OK);
  stijl_context_destroy(context);
}

static void use_renderer_params(void *params) {
  stijl_renderer *renderer = NULL;
  stijl_message message;
  CHECK_INT(stijl_renderer_create(NULL, params, &renderer, &message), STIJL_OK);
  stijl_renderer_destroy(renderer);
}

// Draws a black square of 8 x 8; `params`, `given` and `stats` may be NULL.
static void draw(const stijl_render_params *params, const stijl_target *given, stijl_render_stats *stats) {
  static uint32_t pixels[64];
  stijl_target target = {
      .size = sizeof target, .width = 8, .height = 8, .format = STIJL_FORMAT_RGBA8, .pixels = pixels, .stride = 32};
  stijl_renderer *renderer = NULL;
  stijl_message message;
  stijl_scene *scene = one_rect(NULL, NULL, NULL);
  CHECK_INT(stijl_renderer_create(NULL, NULL, &renderer, &message), STIJL_OK);
  memset(pixels, 0, sizeof pixels);
  // A target without pixels is refused for that, whatever its size.
  if (given) {
    CHECK_INT(stijl_render(renderer, scene, given, params, &message), STIJL_ERROR_INVALID_ARGUMENT);
    CHECK_STR(message.text, "the target has no pixels");
  }
  CHECK_INT(stijl_render(renderer, scene, &target, params, &message), STIJL_OK);
  CHECK(pixels[0] == 0xff000000 && pixels[63] == 0xff000000);
  if (stats) stijl_renderer_stats(renderer, stats);
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
}

static void use_render_params(void *params) { draw(params, NULL, NULL); }
static void use_target(void *target) { draw(NULL, target, NULL); }
static void use_render_stats(void *stats) {
  size_t size = *(size_t *)stats;
  draw(NULL, NULL, stats);
  CHECK(*(size_t *)stats == size);
}

static void use_svg_params(void *params) {
  static const char text[] = "<svg xmlns='http://www.w3.org/2000/svg'/>";
  stijl_svg *svg = NULL;
  stijl_message message;
  stijl_result result = stijl_svg_load(NULL, text, sizeof text - 1, params, &svg, &message);
  CHECK(result == STIJL_OK || result == STIJL_ERROR_UNSUPPORTED);  // a build without expat
  stijl_svg_destroy(svg);
}

static void use_image_limits(void *limits) {
  stijl_image *image = NULL;
  CHECK_INT(stijl_image_decode(NULL, "no image", 8, limits, &image, NULL), STIJL_ERROR_UNSUPPORTED);
}

static bool take(void *user, const void *data, size_t bytes) {
  (void)user;
  (void)data;
  return bytes > 0;
}

static void use_png_params(void *params) {
  static const unsigned char pixels[4] = {1, 2, 3, 255};
  CHECK_INT(stijl_png_encode(NULL, 1, 1, STIJL_FORMAT_RGBA8, pixels, 4, params, take, NULL, NULL), STIJL_OK);
}

static void use_css_params(void *params) {
  stijl_css *css = NULL;
  CHECK_INT(stijl_css_create(NULL, params, &css), STIJL_OK);
  stijl_css_destroy(css);
}

// Matches one rule; what the calls tell goes into structs of any size.
static void match(const stijl_css_matcher_params *params, stijl_css_selector *selector,
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
  CHECK_INT(stijl_css_matcher_create(css, document, params, &matcher, &message), STIJL_OK);
  if (selector) stijl_css_selector_get(css, 0, selector);
  if (declaration) stijl_css_declaration_get(css, 0, 0, declaration);
  if (stats) stijl_css_matcher_stats(matcher, stats);
  stijl_css_matcher_destroy(matcher);
  stijl_css_document_destroy(document);
  stijl_css_destroy(css);
}

static void use_matcher_params(void *params) { match(params, NULL, NULL, NULL); }
static void use_selector(void *selector) { match(NULL, selector, NULL, NULL); }
static void use_declaration(void *declaration) { match(NULL, NULL, declaration, NULL); }
static void use_css_stats(void *stats) { match(NULL, NULL, NULL, stats); }

static void use_svg_node(void *node) {
  static const char text[] = "<svg xmlns='http://www.w3.org/2000/svg'><rect width='9' height='9'/></svg>";
  stijl_svg *svg = NULL;
  stijl_message message;
  stijl_result result = stijl_svg_load(NULL, text, sizeof text - 1, NULL, &svg, &message);
  CHECK(result == STIJL_OK || result == STIJL_ERROR_UNSUPPORTED);
  CHECK_INT(stijl_svg_get_node(svg, 0, node), result == STIJL_OK ? STIJL_OK : STIJL_ERROR_INVALID_ARGUMENT);
  stijl_svg_destroy(svg);
}

static void use_device(void *device) {
  size_t count = 0;
  stijl_message message;
  stijl_result result = stijl_devices(NULL, device, 1, &count, &message);
  CHECK(result == STIJL_OK || result == STIJL_ERROR_UNSUPPORTED || result == STIJL_ERROR_DEVICE);
}

// `type##_init` as a function of untyped blocks.
#define EACH_SIZE(type, use)                         \
  do {                                               \
    each_size(type##_init_any, sizeof(type), (use)); \
  } while (0)
#define ANY(type) \
  static void type##_init_any(void *out, size_t size) { type##_init(out, size); }

ANY(stijl_budget_params)
ANY(stijl_context_params)
ANY(stijl_image_limits)
ANY(stijl_png_params)
ANY(stijl_paint)
ANY(stijl_stroke)
ANY(stijl_layer)
ANY(stijl_scene_limits)
ANY(stijl_renderer_params)
ANY(stijl_render_params)
ANY(stijl_target)
ANY(stijl_render_stats)
ANY(stijl_svg_params)
ANY(stijl_svg_node)
ANY(stijl_css_params)
ANY(stijl_css_matcher_params)
ANY(stijl_css_selector)
ANY(stijl_css_declaration)
ANY(stijl_css_stats)

TEST(every_struct_may_be_older) {
  EACH_SIZE(stijl_budget_params, use_budget_params);
  EACH_SIZE(stijl_context_params, use_context_params);
  EACH_SIZE(stijl_image_limits, use_image_limits);
  EACH_SIZE(stijl_png_params, use_png_params);
  EACH_SIZE(stijl_paint, use_paint);
  EACH_SIZE(stijl_stroke, use_stroke);
  EACH_SIZE(stijl_layer, use_layer);
  EACH_SIZE(stijl_scene_limits, use_scene_limits);
  EACH_SIZE(stijl_renderer_params, use_renderer_params);
  EACH_SIZE(stijl_render_params, use_render_params);
  EACH_SIZE(stijl_target, use_target);
  EACH_SIZE(stijl_render_stats, use_render_stats);
  EACH_SIZE(stijl_svg_params, use_svg_params);
  EACH_SIZE(stijl_svg_node, use_svg_node);
  EACH_SIZE(stijl_css_params, use_css_params);
  EACH_SIZE(stijl_css_matcher_params, use_matcher_params);
  EACH_SIZE(stijl_css_selector, use_selector);
  EACH_SIZE(stijl_css_declaration, use_declaration);
  EACH_SIZE(stijl_css_stats, use_css_stats);
}

// Looking for devices takes a while each time.
TEST(devices_may_be_older) {
  stijl_device device;
  stijl_device_init(&device, sizeof device);
  use_device(&device);
  size_t size = offsetof(stijl_device, lacks);
  void *block = malloc(size);
  stijl_device_init(block, size);
  use_device(block);
  free(block);
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
  stijl_scene *scene = one_rect(NULL, NULL, NULL);
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
