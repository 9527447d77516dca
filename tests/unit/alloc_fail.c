// Every allocation fails once: each scenario runs with an allocator that refuses the n-th request, for n = 0, 1, ...
// until nothing is refused any more. The answer must be STIJL_ERROR_OUT_OF_MEMORY, and nothing may be left behind.
#include "allocator.h"
#include "scene/encode.h"
#include "scene/encode_pictures.h"
#include "scene/gather.h"

typedef stijl_result (*scenario)(stijl_context *context);

static stijl_result run_once(scenario run, sj_test_allocator *a) {
  stijl_context *context = sj_test_context(a);
  stijl_result result = context ? run(context) : STIJL_ERROR_OUT_OF_MEMORY;
  stijl_context_destroy(context);
  return result;
}

// What the scenario drew, if it draws.
static uint8_t pixels[64][64 * 4];

// Refuses each request of a scenario in turn, or of a share of them. `degrades`: it may also do without what was
// refused, as long as it draws the same.
static void fail_each(scenario run, bool degrades) {
  enum { MAX_REQUESTS = 100000 };
  static uint8_t expected[sizeof pixels];
  memset(pixels, 0, sizeof pixels);
  CHECK_INT(run_once(run, &(sj_test_allocator){.refused = LONG_MAX}), STIJL_OK);
  memcpy(expected, pixels, sizeof pixels);
  const long all = 1000, step = all / (long)sj_test_share(all);
  for (int forever = 0; forever < 2; forever++) {
    for (long n = 0; !sj_test_failed(); n += n < 8 ? 1 : step) {
      sj_test_allocator a = {.refused = n, .forever = forever};
      memset(pixels, 0, sizeof pixels);
      stijl_result result = run_once(run, &a);
      bool refused = a.requests > n;
      if (a.live != 0) sj_test_fail(__FILE__, __LINE__, "request %ld: %ld blocks leaked", n, (long)a.live);
      if (result == STIJL_OK ? refused && !degrades : result != STIJL_ERROR_OUT_OF_MEMORY || !refused)
        sj_test_fail(__FILE__, __LINE__, "request %ld: %s", n, stijl_result_string(result));
      if (result == STIJL_OK && memcmp(expected, pixels, sizeof pixels) != 0)
        sj_test_fail(__FILE__, __LINE__, "request %ld: another picture", n);
      CHECK(n < MAX_REQUESTS);
      if (!refused) {
        CHECK(n > 1);
        break;
      }
    }
  }
}

static stijl_result build_path(stijl_context *context, stijl_path **out) {
  stijl_result result = stijl_path_create(context, out);
  if (result != STIJL_OK) return result;
  stijl_path *path = *out;
  stijl_path_add_rect(path, 1, 1, 20, 20);
  for (int i = 0; i < 24; i++) stijl_path_line_to(path, (float)(i * 7 % 60), (float)(i * 11 % 60));
  stijl_path_cubic_to(path, 1, 2, 30, 40, 50, 6);
  stijl_path_arc_to(path, 10, 20, 30, true, false, 5, 5);
  stijl_path_close(path);
  stijl_path_add_round_rect(path, 5, 5, 30, 30, 4, 4);
  stijl_path_add_ellipse(path, 30, 30, 10, 20);
  static const char data[] = "M 3 4 h 10 v 5 q 3 4 5 6 t 7 8 z";
  result = stijl_path_add_svg(path, data, sizeof data - 1, NULL);
  if (result == STIJL_OK) {
    stijl_matrix m = stijl_matrix_rotate(30);
    stijl_path_add_path(path, path, &m);
    result = stijl_path_status(path);
  }
  if (result != STIJL_OK) {
    stijl_path_destroy(path);
    *out = NULL;
  }
  return result;
}

static stijl_result path_scenario(stijl_context *context) {
  stijl_path *path = NULL;
  stijl_result result = build_path(context, &path);
  stijl_path_destroy(path);
  return result;
}

TEST(path) { fail_each(path_scenario, false); }

static void record(stijl_scene *scene, const stijl_path *path, const stijl_image *image, const stijl_scene *other) {
  static const stijl_stop stops[] = {{0.0f, {1, 0, 0, 1}}, {0.5f, {0, 1, 0, 0.5f}}, {1.0f, {0, 0, 1, 1}}};
  stijl_paint solid = stijl_paint_solid((stijl_color){0.2f, 0.4f, 0.6f, 0.8f});
  stijl_paint linear = stijl_paint_linear((stijl_point){0, 0}, (stijl_point){60, 60}, stops, 3);
  stijl_paint radial = stijl_paint_radial((stijl_point){30, 30}, 30, (stijl_point){25, 25}, 3, stops, 3);
  stijl_paint sweep = stijl_paint_sweep((stijl_point){30, 30}, 0, 270, stops, 3);
  stijl_paint picture = stijl_paint_image(image, STIJL_SAMPLING_BILINEAR);
  static const float dashes[] = {5, 3, 1};
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = 3;
  stroke.join = STIJL_JOIN_ROUND;
  stroke.cap = STIJL_CAP_ROUND;
  stroke.dashes = dashes;
  stroke.dash_count = 3;

  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &linear);
  stijl_scene_stroke(scene, path, &stroke, NULL, &radial);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.opacity = 0.5f;
  layer.blend = STIJL_BLEND_SOFT_LIGHT;
  layer.clip = path;
  stijl_scene_push_layer(scene, &layer);
  stijl_scene_fill(scene, path, STIJL_FILL_EVENODD, NULL, &sweep);
  stijl_scene_image(scene, image, STIJL_SAMPLING_BICUBIC, 0.7f, NULL);
  stijl_scene_fill_all(scene, &picture);
  stijl_scene_push_mask(scene, STIJL_MASK_LUMINANCE);
  stijl_scene_fill(scene, path, STIJL_FILL_EVENODD, NULL, &solid);
  stijl_scene_pop_mask(scene);
  stijl_scene_pop_layer(scene);
  const stijl_matrix matrices[] = {{0.3f, 0, 0, 0.3f, 0, 0}, {0, 0.2f, -0.2f, 0, 30, 0}};
  uint32_t outline = stijl_scene_add_outline(scene, path);
  stijl_instance instances[6];
  for (uint32_t i = 0; i < 6; i++) instances[i] = (stijl_instance){outline, i % 2, 5.0f * (float)i, 3.0f};
  stijl_glyph_run run = {sizeof run, instances, 6, matrices, 2};
  stijl_scene_fill_glyphs(scene, &run, NULL, &radial);
  stijl_matrix m = stijl_matrix_scale(0.5f, 0.5f);
  stijl_scene_fill_glyphs(scene, &run, &m, &solid);
  if (!other) return;
  stijl_scene_add_scene(scene, other, &m);
  stijl_paint tile = stijl_paint_scene(other, (stijl_rect){0, 0, 20, 20});
  tile.aliased = true;
  stroke.dash_count = 0;
  stroke.width = 0.1f;
  for (int i = 0; i < 3; i++) {
    tile.transform = stijl_matrix_scale(0.3f + 0.2f * (float)i, 0.5f);
    stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &tile);
    stijl_scene_stroke(scene, path, &stroke, &m, i ? &tile : &radial);
  }
}

// Makes a finished scene with all kinds of things in it, one within the other.
static stijl_result build_scene(stijl_context *context, const stijl_scene *other, stijl_scene **out) {
  uint8_t texels[4 * 4 * 4];
  for (size_t i = 0; i < sizeof texels; i++) texels[i] = (uint8_t)(i * 29);
  stijl_path *path = NULL;
  stijl_image *image = NULL;
  stijl_result result = build_path(context, &path);
  if (result == STIJL_OK) result = stijl_image_create(context, 4, 4, STIJL_FORMAT_BGRA8_STRAIGHT, texels, 16, &image);
  if (result == STIJL_OK) result = stijl_scene_create(context, NULL, out);
  if (result == STIJL_OK) {
    record(*out, path, image, other);
    result = stijl_scene_finish(*out);
  }
  stijl_image_destroy(image);
  stijl_path_destroy(path);
  return result;
}

static stijl_result scene_scenario(stijl_context *context) {
  stijl_scene *inner = NULL, *scene = NULL;
  stijl_result result = build_scene(context, NULL, &inner);
  if (result == STIJL_OK) result = build_scene(context, inner, &scene);
  stijl_scene_destroy(inner);
  stijl_scene_destroy(scene);
  return result;
}

TEST(scene) { fail_each(scene_scenario, false); }

// Changes the paints of a scene so often that ramps are given up.
static stijl_result change_scenario(stijl_context *context) {
  stijl_scene *scene = NULL;
  stijl_result result = build_scene(context, NULL, &scene);
  for (int i = 0; result == STIJL_OK && i < 600; i++) {
    stijl_stop stops[2] = {{0, {1, 0, 0, 1}}, {1, {0, (float)i / 600, 1, 1}}};
    stijl_paint paint = stijl_paint_solid(stops[1].color);
    if (i % 5) paint = stijl_paint_linear((stijl_point){0, 0}, (stijl_point){9, 0}, stops, 2);
    result = stijl_scene_set_paint(scene, 0, &paint, NULL);
  }
  if (result == STIJL_OK) result = stijl_scene_set_transform(scene, 0, NULL, NULL);
  stijl_scene_destroy(scene);
  return result;
}

TEST(changes) { fail_each(change_scenario, true); }

static struct {
  uint8_t *data;
  size_t count;
} saved;

static bool append_saved(void *user, const void *data, size_t bytes) {
  (void)user;
  saved.data = realloc(saved.data, saved.count + bytes);
  if (!saved.data) abort();
  memcpy(saved.data + saved.count, data, bytes);
  saved.count += bytes;
  return true;
}

static stijl_result load_scenario(stijl_context *context) {
  stijl_scene *scene;
  stijl_message message;
  stijl_result result = stijl_scene_load(context, saved.data, saved.count, NULL, &scene, NULL, &message);
  if (result == STIJL_ERROR_MALFORMED) printf("# %s\n", message.text);
  stijl_scene_destroy(scene);
  return result;
}

TEST(load) {
  stijl_scene *inner = NULL, *scene = NULL;
  CHECK_INT(build_scene(NULL, NULL, &inner), STIJL_OK);
  CHECK_INT(build_scene(NULL, inner, &scene), STIJL_OK);
  CHECK_INT(stijl_scene_save(scene, NULL, append_saved, NULL, NULL), STIJL_OK);
  if (!sj_test_failed()) fail_each(load_scenario, false);
  stijl_scene_destroy(inner);
  stijl_scene_destroy(scene);
  free(saved.data);
}

static stijl_result render(stijl_context *context, const stijl_scene *scene, int threads, stijl_format format) {
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.threads = threads;
  stijl_renderer *renderer = NULL;
  stijl_message message;
  stijl_result result = stijl_renderer_create(context, &params, &renderer, &message);
  stijl_target target = {
      .size = sizeof target, .width = 64, .height = 64, .format = format, .pixels = pixels, .stride = sizeof pixels[0]};
  if (result == STIJL_OK) result = stijl_render(renderer, scene, &target, NULL, &message);
  stijl_renderer_destroy(renderer);
  return result;
}

static const stijl_scene *scene_to_render;

static stijl_result render_scenario(stijl_context *context) {
  return render(context, scene_to_render, 1, STIJL_FORMAT_RGBA8);
}

// Draws with threads. Those that cannot be started are done without.
static stijl_result render_threads_scenario(stijl_context *context) {
  return render(context, scene_to_render, 3, STIJL_FORMAT_RGBA8);
}

static void render_each(scenario run, bool degrades) {
  stijl_scene *inner = NULL, *scene = NULL;
  CHECK_INT(build_scene(NULL, NULL, &inner), STIJL_OK);
  CHECK_INT(build_scene(NULL, inner, &scene), STIJL_OK);
  scene_to_render = scene;
  if (!sj_test_failed()) fail_each(run, degrades);
  stijl_scene_destroy(inner);
  stijl_scene_destroy(scene);
}

TEST(render) { render_each(render_scenario, false); }
TEST(render_threads) { render_each(render_threads_scenario, true); }

// Draws many pictures. What a thread has no memory for is drawn once more by itself.
static stijl_result render_many_scenario(stijl_context *context) {
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.threads = 3;
  stijl_renderer *renderer = NULL;
  stijl_message message;
  stijl_result result = stijl_renderer_create(context, &params, &renderer, &message);
  stijl_target target = {
      .size = sizeof target, .width = 64, .height = 64, .pixels = pixels, .stride = sizeof pixels[0]};
  stijl_picture pictures[2] = {STIJL_PICTURE_INIT, STIJL_PICTURE_INIT};
  for (int i = 0; i < 2; i++) {
    pictures[i].scene = scene_to_render;
    pictures[i].place = (stijl_irect){i * 31, 5, i * 31 + 30, 40};
  }
  if (result == STIJL_OK) result = stijl_render_many(renderer, pictures, 2, &target, NULL, &message);
  stijl_renderer_destroy(renderer);
  return result;
}

TEST(render_many) { render_each(render_many_scenario, true); }

// Encodes what a device draws of many pictures.
static stijl_result encode_many_scenario(stijl_context *context) {
  stijl_scene *plain = NULL, *scene = NULL;
  stijl_message message;
  uint32_t numbers[4];
  sj_encoded encoded = {.pool = sj_pool_create(sj_context(context), 2)};
  stijl_result result = encoded.pool ? stijl_scene_create(context, NULL, &scene) : STIJL_ERROR_OUT_OF_MEMORY;
  if (result == STIJL_OK) result = build_scene(context, NULL, &plain);
  if (result == STIJL_OK) {
    const stijl_scene *scenes[4] = {plain, scene_to_render, plain, scene_to_render};
    sj_scene_gather(scene, scenes, 4, encoded.pool, numbers);
    result = stijl_scene_finish(scene);
  }
  sj_picture pictures[4];
  for (int i = 0; i < 4 && result == STIJL_OK; i++)
    pictures[i] = (sj_picture){numbers[i], 0x80402010, stijl_matrix_scale(0.5f, 0.5f), {i * 9, 3, i * 9 + 9, 40}};
  if (result == STIJL_OK) result = sj_encode_pictures(sj_context(context), scene, pictures, 4, &encoded, &message);
  sj_encoded_finish(sj_context(context), &encoded);
  sj_pool_destroy(encoded.pool);
  stijl_scene_destroy(plain);
  stijl_scene_destroy(scene);
  return result;
}

TEST(encode_many) { render_each(encode_many_scenario, true); }

// More windings than 32 bits hold.
TEST(render_windings) {
  stijl_path *path = NULL;
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  for (int i = 0; i < 16384; i++) stijl_path_add_rect(path, 5.5f, 6.5f, 20, 2);
  stijl_paint paint = stijl_paint_solid((stijl_color){1, 0, 0, 1});
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  scene_to_render = scene;
  fail_each(render_scenario, false);
  stijl_path_destroy(path);
  stijl_scene_destroy(scene);
}

static const char document[] =
    "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 64 64'>"
    "<defs><linearGradient id='g'><stop offset='0' stop-color='red'/><stop offset='1' stop-color='blue'/>"
    "</linearGradient><radialGradient id='h' xlink:href='#g' r='40%'/>"
    "<pattern id='p' width='8' height='8' patternUnits='userSpaceOnUse'><circle r='4' cx='4' cy='4'/></pattern>"
    "<clipPath id='c'><circle cx='32' cy='32' r='30'/></clipPath>"
    "<mask id='m'><rect width='64' height='64' fill='#888'/></mask>"
    "<marker id='k' markerWidth='4' markerHeight='4'><path d='M0 0h4v4z'/></marker>"
    "<symbol id='s'><ellipse cx='9' cy='9' rx='5' ry='7'/></symbol></defs>"
    "<g clip-path='url(#c)' opacity='.5'><rect width='40' height='30' rx='4' fill='url(#g)' stroke='url(#h)'/>"
    "<path d='M3 4C8 9 10 11 12 33L50 2' marker-end='url(#k)' style='fill:none;stroke:green;stroke-dasharray:3 4'/></g>"
    "<use xlink:href='#s' x='10'/><polygon points='1,2 30,40 60,5' fill='url(#p)' mask='url(#m)' "
    "style='mix-blend-mode:multiply'/><image width='9' height='9' xlink:href='data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='/></svg>";

// Loads a document, and draws it.
static stijl_result draw_document(stijl_context *context, const char *text, size_t bytes) {
  stijl_svg *svg = NULL;
  stijl_scene *scene = NULL;
  stijl_message message;
  stijl_result result = stijl_svg_load(context, text, bytes, NULL, &svg, &message);
  if (result == STIJL_OK) result = stijl_svg_scene(svg, 64, 64, &scene, &message);
  stijl_svg_destroy(svg);
  if (result == STIJL_OK) result = render(context, scene, 1, STIJL_FORMAT_RGBA8);
  stijl_scene_destroy(scene);
  return result;
}

// Draws a document. Caches that cannot grow are done without.
static stijl_result svg_scenario(stijl_context *context) {
  return draw_document(context, document, sizeof document - 1);
}

// Asks for the boxes of all nodes, one of them turned, and draws a node alone.
static stijl_result query_scenario(stijl_context *context) {
  static const char text[] =
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><marker id='m'><rect width='3' height='3'/></marker>"
      "<clipPath id='c'><circle r='40'/></clipPath><g id='g' transform='rotate(9)' clip-path='url(#c)'>"
      "<path d='M3 4C8 9 10 11 12 33L50 2' stroke='red' marker-end='url(#m)' "
      "vector-effect='non-scaling-stroke'/></g></svg>";
  stijl_svg *svg = NULL;
  stijl_scene *scene = NULL;
  stijl_message message;
  stijl_rect box;
  bool empty;
  stijl_result result = stijl_svg_load(context, text, sizeof text - 1, NULL, &svg, &message);
  uint32_t node = result == STIJL_OK ? stijl_svg_find(svg, "g") : 0;
  if (result == STIJL_OK) result = stijl_svg_get_box(svg, node, STIJL_SVG_BOX_LAYER, true, &box, &empty);
  if (result == STIJL_OK) result = stijl_svg_node_scene(svg, node, 64, 64, &scene, &message);
  stijl_svg_destroy(svg);
  if (result == STIJL_OK) result = render(context, scene, 1, STIJL_FORMAT_RGBA8);
  stijl_scene_destroy(scene);
  return result;
}

// Draws a document that moves.
static stijl_result move_scenario(stijl_context *context) {
  static const char text[] =
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><style>@keyframes k{to{fill:red}}.a{animation:k 2s}"
      "</style><path class='a' d='M3 4V9H20z'/><use href='#p'/><path id='p' d='M9 9H30V40z'>"
      "<animateMotion path='M0 0 9 9' dur='3s'/><set attributeName='stroke' to='red' begin='1s'/></path>"
      "<image width='9' height='9' "
      "href='data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42"
      "mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='/></svg>";
  stijl_svg *svg = NULL;
  stijl_scene *scene = NULL;
  stijl_message message;
  stijl_svg_timing timing = STIJL_SVG_TIMING_INIT;
  stijl_result result = stijl_svg_load(context, text, sizeof text - 1, NULL, &svg, &message);
  if (result == STIJL_OK) result = stijl_svg_get_timing(svg, &timing, &message);
  if (result == STIJL_OK) result = stijl_svg_set_time(svg, 1.5, &message);
  if (result == STIJL_OK) result = stijl_svg_set_time(svg, 0.5, &message);
  if (result == STIJL_OK) result = stijl_svg_scene(svg, 64, 64, &scene, &message);
  stijl_svg_destroy(svg);
  if (result == STIJL_OK) result = render(context, scene, 1, STIJL_FORMAT_RGBA8);
  stijl_scene_destroy(scene);
  return result;
}

static stijl_svg *open_svg(void) {
  stijl_svg *svg = NULL;
  stijl_message message;
  stijl_result result = stijl_svg_load(NULL, document, sizeof document - 1, NULL, &svg, &message);
  if (result == STIJL_OK) return svg;
  CHECK_INT(result, STIJL_ERROR_UNSUPPORTED);
  return NULL;
}

TEST(svg) {
  stijl_svg *svg = open_svg();
  if (!svg) SKIP("built without SVG");
  stijl_svg_destroy(svg);
  fail_each(svg_scenario, true);
}

TEST(svg_times) {
  stijl_svg *svg = open_svg();
  if (!svg) SKIP("built without SVG");
  stijl_svg_destroy(svg);
  fail_each(move_scenario, true);
}

// Copies of elements with styles of their own.
static stijl_result use_scenario(stijl_context *context) {
  static const char text[] =
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><style>.a{--k:red}.b{--k:blue}g rect,"
      "rect:first-child:not(.a){fill:var(--k)}</style><g><path id='p'/><rect id='r' style='x:var(--x)'/>"
      "<g id='g'><use href='#r' class='b'/></g></g><use href='#r'/><use href='#g' class='a'/></svg>";
  stijl_svg *svg = NULL;
  stijl_message message;
  stijl_result result = stijl_svg_load(context, text, sizeof text - 1, NULL, &svg, &message);
  stijl_svg_destroy(svg);
  return result;
}

TEST(copies) {
  stijl_svg *svg = open_svg();
  stijl_svg_destroy(svg);
  if (!svg) SKIP("built without SVG");
  fail_each(use_scenario, true);
}

TEST(svg_queries) {
  stijl_svg *svg = open_svg();
  if (!svg) SKIP("built without SVG");
  stijl_svg_destroy(svg);
  fail_each(query_scenario, true);
}

static const char filter_document[] =
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><filter id='f' x='-1' y='-1' width='3' height='3'>"
    "<feTurbulence baseFrequency='.1' result='t'/><feGaussianBlur in='SourceGraphic' stdDeviation='3' result='b'/>"
    "<feMorphology radius='2'/><feDisplacementMap in2='t' scale='5'/><feImage href='#i'/>"
    "<feConvolveMatrix order='2' kernelMatrix='1 2 3 4'/><feComponentTransfer><feFuncR type='table' tableValues='0 1 "
    "0'/>"
    "</feComponentTransfer><feDropShadow/><feTile result='d'/><feDiffuseLighting in='b'><feSpotLight z='9'/>"
    "</feDiffuseLighting><feMerge><feMergeNode in='d'/><feMergeNode/></feMerge></filter><circle id='i' r='9'/>"
    "<g filter='url(#f) blur(2px)' opacity='.5'><rect width='20' height='10' filter='url(#f)'/></g>"
    "<rect x='30' y='20' width='20' height='10' transform='rotate(20)' filter='sepia() drop-shadow(1px 2px "
    "red)'/></svg>";

static stijl_result filter_scenario(stijl_context *context) {
  return draw_document(context, filter_document, sizeof filter_document - 1);
}

TEST(filter) {
  stijl_svg *svg = open_svg();
  if (!svg) SKIP("built without SVG");
  stijl_svg_destroy(svg);
  fail_each(filter_scenario, true);
}

static const char text_document[] =
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><path id='p' d='M2 60q30 -20 60 0' fill='none'/>"
    "<style>@font-palette-values --p{font-family:Stijl Color;base-palette:1;override-colors:2 red,0 blue}</style>"
    "<text x='2 30' y='20' font-family='Stijl Test' font-size='12' letter-spacing='1' "
    "style='font-feature-settings:\"smcp\"'>"
    "Afi <tspan font-weight='bold' dy='3' style='text-decoration:underline wavy;text-shadow:1px 2px 3px red,1px "
    "1px;text-transform:uppercase'>AV&#x5d0;&#x5d1;</tspan> <tspan "
    "baseline-shift='sub' "
    "textLength='20' font-family='Stijl Variable' font-weight='600'>e&#xe9;</tspan></text>"
    "<text font-size='9' font-family='Stijl CFF'><textPath href='#p' startOffset='10%'>BaB</textPath></text>"
    "<text x='30' y='40' font-size='9' font-family='Stijl Color'>ABV<tspan font-palette='--p'>A</tspan></text></svg>";

// HTML, which needs most of a style sheet's and of a text's memory, and its own.
static const char html_document[] =
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><foreignObject width='64' height='64' "
    "style='font:9px Stijl Test'><style>p::before{content:'\\41' counters(a,'.') open-quote;quotes:'\\42' 'B'}"
    "li::marker{content:'a'}"
    "p::first-letter{color:red}</style><div xmlns='http://www.w3.org/1999/xhtml' "
    "style='display:flex;background:linear-gradient(red,#0000) 0 0/9px 9px,conic-gradient(red,10%,blue)'><p "
    "style='counter-reset:a;background:red;"
    "border:1px dashed;overflow:hidden'>AB <b style='border:1px solid'>a</b></p><table "
    "style='border-collapse:collapse'><tr><td>a</td></tr></table><ol><li>b</li></ol><math "
    "xmlns='http://www.w3.org/1998/Math/MathML' display='block'><mfrac><mn>A</mn><msqrt><mo>a</mo></msqrt></mfrac>"
    "<mtable><mtr><mtd><mn>B</mn></mtd></mtr></mtable></math></div></foreignObject></svg>";

static const char *shown_text = text_document;

static stijl_result text_scenario(stijl_context *context) {
  static const char *const files[] = {"stijl.ttc", "stijl-variable.ttf", "stijl-cff.otf", "stijl-regular.woff2",
                                      "stijl-color.ttf"};
  stijl_fonts_params fonts_params = STIJL_FONTS_PARAMS_INIT;
  fonts_params.system = false;
  stijl_fonts *fonts = NULL;
  stijl_svg *svg = NULL;
  stijl_scene *scene = NULL;
  stijl_message message;
  stijl_result result = stijl_fonts_create(context, &fonts_params, &fonts, &message);
  for (size_t i = 0; i < sizeof files / sizeof *files && result == STIJL_OK; i++)
    result = stijl_fonts_add_file(fonts, sj_test_font(files[i]), &message);
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.fonts = fonts;
  if (result == STIJL_OK) result = stijl_svg_load(context, shown_text, strlen(shown_text), &params, &svg, &message);
  if (result == STIJL_OK) result = stijl_svg_scene(svg, 64, 64, &scene, &message);
  if (result == STIJL_OK) result = render(context, scene, 1, STIJL_FORMAT_RGBA8);
  stijl_scene_destroy(scene);
  stijl_svg_destroy(svg);
  stijl_fonts_destroy(fonts);
  return result;
}

// Draws a document with fonts of its own.
static stijl_result font_face_scenario(stijl_context *context) {
  static const char with_fonts[] =
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><style>"
      "@font-face{font-family:Mine;src:url(nowhere.ttf),url(stijl-regular.woff2) format('woff2')}"
      "@font-face{font-family:'Mi\\6e e';src:url('stijl-\\62 old.ttf');unicode-range:U+42,U+5?}"
      "@font-face{font-family:Mine;font-weight:bold;src:local(StijlTest-Regular)}</style>"
      "<text y='60' font-family='Mine'>AB<tspan font-weight='700'>A</tspan></text></svg>";
  stijl_fonts_params fonts_params = STIJL_FONTS_PARAMS_INIT;
  fonts_params.system = false;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  stijl_svg *svg = NULL;
  stijl_message message;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", sj_test_font(""));
  params.base_folder = folder;
  stijl_result result = stijl_fonts_create(context, &fonts_params, &params.fonts, &message);
  if (result == STIJL_OK) result = stijl_fonts_add_file(params.fonts, sj_test_font("stijl.ttc"), &message);
  if (result == STIJL_OK) result = stijl_svg_load(context, with_fonts, sizeof with_fonts - 1, &params, &svg, &message);
  stijl_svg_destroy(svg);
  stijl_fonts_destroy(params.fonts);
  return result;
}

static stijl_result paragraph_scenario(stijl_context *context) {
  static const char utf8[] = "Afi A \xd7\x90\xd7\x91 VA B\nB";
  stijl_fonts_params fonts_params = STIJL_FONTS_PARAMS_INIT;
  fonts_params.system = false;
  stijl_fonts *fonts = NULL;
  stijl_text *text = NULL;
  stijl_scene *scene = NULL;
  stijl_message message;
  stijl_result result = stijl_fonts_create(context, &fonts_params, &fonts, &message);
  if (result == STIJL_OK) result = stijl_fonts_add_file(fonts, sj_test_font("stijl.ttc"), &message);
  if (result == STIJL_OK) result = stijl_fonts_add_file(fonts, sj_test_font("stijl-color.ttf"), &message);
  if (result == STIJL_OK) result = stijl_text_create(context, fonts, &text);
  stijl_text_style style = STIJL_TEXT_STYLE_INIT;
  style.features = "'smcp' 1";
  stijl_palette_color color = {1, {0, 0, 1, 1}};
  stijl_text_style colored = style;
  colored.families = "Stijl Color";
  colored.palette_colors = &color;
  colored.palette_color_count = 1;
  if (result == STIJL_OK) result = stijl_text_append(text, "A", 1, &colored);
  if (result == STIJL_OK) result = stijl_text_append(text, utf8, sizeof utf8 - 1, &style);
  stijl_text_params params = STIJL_TEXT_PARAMS_INIT;
  params.width = 60.0f;
  params.max_lines = 3;
  params.ellipsis = "...";
  if (result == STIJL_OK) result = stijl_text_layout(text, &params, &message);
  if (result == STIJL_OK) result = stijl_scene_create(context, NULL, &scene);
  if (result == STIJL_OK) {
    stijl_paint paint = stijl_paint_solid((stijl_color){1, 0, 0, 1});
    stijl_scene_text(scene, text, NULL, &paint);
    result = stijl_scene_finish(scene);
  }
  if (result == STIJL_OK) result = render(context, scene, 1, STIJL_FORMAT_RGBA8);
  stijl_scene_destroy(scene);
  stijl_text_destroy(text);
  stijl_fonts_destroy(fonts);
  return result;
}

TEST(text) {
  stijl_fonts *fonts = NULL;
  stijl_svg *svg = open_svg();
  stijl_svg_destroy(svg);
  if (!svg || stijl_fonts_create(NULL, NULL, &fonts, NULL) != STIJL_OK) SKIP("built without SVG or text");
  stijl_fonts_destroy(fonts);
  fail_each(text_scenario, true);
  shown_text = html_document;
  fail_each(text_scenario, true);
  fail_each(font_face_scenario, true);
  fail_each(paragraph_scenario, true);
}

typedef struct buffer {
  uint8_t data[1 << 16];
  size_t size;
} buffer;

static buffer file;

static bool append(void *user, const void *data, size_t bytes) {
  buffer *b = user;
  if (bytes > sizeof b->data - b->size) return false;
  memcpy(b->data + b->size, data, bytes);
  b->size += bytes;
  return true;
}

static stijl_result encode(stijl_context *context) {
  uint8_t texels[16 * 16 * 4];
  for (size_t i = 0; i < sizeof texels; i++) texels[i] = (uint8_t)(i * i >> 3);
  file.size = 0;
  return stijl_png_encode(context, 16, 16, STIJL_FORMAT_RGBA8_STRAIGHT, texels, 64, NULL, append, &file, NULL);
}

static stijl_result decode(stijl_context *context) {
  stijl_image *image = NULL;
  stijl_result result = stijl_image_decode(context, file.data, file.size, NULL, &image, NULL);
  stijl_image_destroy(image);
  return result;
}

static stijl_image_writer_params write_as = STIJL_IMAGE_WRITER_PARAMS_INIT;

static stijl_result write_file(stijl_context *context) {
  uint8_t texels[16 * 16 * 4];
  for (size_t i = 0; i < sizeof texels; i++) texels[i] = (uint8_t)(i % 4 == 3 ? 200 : i / 64 * 10);
  write_as.width = write_as.height = 16;
  file.size = 0;
  return stijl_image_encode(context, &write_as, texels, 64, append, &file, NULL);
}

TEST(formats_of_files) {
  for (int format = 0; stijl_file_format_ending((stijl_file_format)format); format++) {
    write_as.file_format = (stijl_file_format)format;
    write_as.level = STIJL_PNG_BEST;
    stijl_result result = write_file(NULL);
    if (result == STIJL_ERROR_UNSUPPORTED) continue;
    CHECK_INT(result, STIJL_OK);
    fail_each(write_file, false);
  }
}

TEST(png) {
  stijl_result result = encode(NULL);
  if (result == STIJL_ERROR_UNSUPPORTED) SKIP("built without PNG");
  CHECK_INT(result, STIJL_OK);
  fail_each(encode, false);
  CHECK_INT(encode(NULL), STIJL_OK);
  if (decode(NULL) == STIJL_ERROR_UNSUPPORTED) SKIP("this build cannot read PNG images");
  fail_each(decode, false);
}
