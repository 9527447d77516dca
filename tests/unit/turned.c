// Filters under rotations and skews: their surfaces have what a region asks for and no more, and every region has the
// same bits as the whole.
#include "turned.h"

#include <stdlib.h>

#include "base/irect.h"
#include "gpu/device.h"
#include "kernel/paint.h"
#include "picture.h"
#include "scene/encoder.h"
#include "scene/sampled.h"

enum { W = TURNED_WIDTH, H = TURNED_HEIGHT };
static uint32_t expected[W * H], got[W * H];

static stijl_scene *scene_of(const char *text) {
  stijl_svg *svg;
  stijl_scene *scene = NULL;
  stijl_message message = {""};
  if (stijl_svg_load(NULL, text, strlen(text), NULL, &svg, &message) == STIJL_OK) {
    float width, height;
    stijl_svg_size(svg, &width, &height);
    stijl_svg_scene(svg, width, height, &scene, &message);
    stijl_svg_destroy(svg);
  }
  if (!scene) sj_test_fail(__FILE__, __LINE__, "%s", message.text);
  return scene;
}

static bool have_svg(void) {
  stijl_svg *svg;
  static const char text[] = "<svg xmlns='http://www.w3.org/2000/svg'/>";
  stijl_result result = stijl_svg_load(NULL, text, sizeof text - 1, NULL, &svg, NULL);
  if (result == STIJL_OK) stijl_svg_destroy(svg);
  return result != STIJL_ERROR_UNSUPPORTED;
}

static stijl_renderer *renderer_of(uint64_t layer_bytes) {
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.threads = 1;
  if (layer_bytes) params.max_layer_bytes = layer_bytes;
  stijl_renderer *renderer = NULL;
  CHECK_INT(stijl_renderer_create(NULL, &params, &renderer, NULL), STIJL_OK);
  return renderer;
}

static bool draw(stijl_renderer *renderer, const stijl_scene *scene, stijl_irect region, uint32_t *out) {
  return sj_test_draw(renderer, scene, W, H, region, NULL, out);
}

static bool same(uint64_t n, const char *what) { return sj_test_same_pixels(n, what, got, expected, W, H); }

// Draws in parts of so many pixels.
static bool draw_parts(stijl_renderer *renderer, const stijl_scene *scene, int width, int height) {
  bool ok = true;
  memset(got, 0xcc, sizeof got);
  for (int y = 0; ok && y < H; y += height)
    for (int x = 0; ok && x < W; x += width)
      ok = draw(renderer, scene, (stijl_irect){x, y, k_min(x + width, W), k_min(y + height, H)}, got);
  return ok;
}

// Draws some single pixels, as regions of their own.
static bool draw_pixels(stijl_renderer *renderer, const stijl_scene *scene, sj_random *r, int count) {
  bool ok = true;
  memcpy(got, expected, sizeof got);
  for (int i = 0; ok && i < count; i++) {
    int x = sj_random_int(r, 0, W), y = sj_random_int(r, 0, H);
    got[y * W + x] = 0xcccccccc;
    ok = draw(renderer, scene, (stijl_irect){x, y, x + 1, y + 1}, got);
  }
  return ok;
}

// Checks a dilation that reaches a pixel from afar: what it is computed from need not touch it.
static void check_dilation(stijl_renderer *renderer) {
  stijl_scene *scene = scene_of(
      "<svg xmlns='http://www.w3.org/2000/svg' width='97' height='61'><filter id='f' x='0' y='0' width='97' "
      "height='61' filterUnits='userSpaceOnUse'><feMorphology operator='dilate' radius='5 9'/></filter>"
      "<path d='M40 40h9v1h-9z' fill='red' filter='url(#f)'/></svg>");
  memset(got, 0, sizeof got);
  for (int i = 0; i < 2; i++) {
    int x = i ? 36 : 44, y = i ? 40 : 32;
    CHECK(draw(renderer, scene, (stijl_irect){x, y, x + 1, y + 1}, got));
    CHECK_INT(got[y * W + x], 0xff0000ff);
  }
  stijl_scene_destroy(scene);
}

TEST(dilation) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_renderer *renderer = renderer_of(0);
  check_dilation(renderer);
  stijl_renderer_destroy(renderer);
}

TEST(regions) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_renderer *renderer = renderer_of(0);
  sj_random r = sj_random_seed(1);
  for (int filter = 0; filter < TURNED_FILTERS; filter++)
    for (int transform = 0; transform < TURNED_TRANSFORMS; transform++) {
      static char text[TURNED_TEXT];
      turned_document(filter, transform, text);
      stijl_scene *scene = scene_of(text);
      if (!scene) break;
      const char *name = turned_filters[filter][0];
      uint64_t n = (uint64_t)transform;
      bool ok = draw(renderer, scene, (stijl_irect){0, 0, W, H}, expected);
      ok = ok && draw_parts(renderer, scene, 31, 23) && same(n, name);
      ok = ok && draw_parts(renderer, scene, W, 5) && same(n, name);
      ok = ok && draw_pixels(renderer, scene, &r, 40) && same(n, name);
      stijl_scene_destroy(scene);
    }
  stijl_renderer_destroy(renderer);
}

// On a GPU, whole and in parts.
TEST(gpu) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_renderer *gpu = sj_test_gpu(), *cpu = renderer_of(0);
  sj_random r = sj_random_seed(2);
  for (int i = 0; gpu && i < TURNED_FILTERS * TURNED_TRANSFORMS; i++) {
    static char text[TURNED_TEXT];
    turned_document(i / TURNED_TRANSFORMS, i % TURNED_TRANSFORMS, text);
    stijl_scene *scene = scene_of(text);
    if (!scene) break;
    const char *name = turned_filters[i / TURNED_TRANSFORMS][0];
    bool ok = draw(cpu, scene, (stijl_irect){0, 0, W, H}, expected);
    ok = ok && draw_parts(gpu, scene, W, H) && same((uint64_t)i, name);
    ok = ok && draw_parts(gpu, scene, 53, 37) && same((uint64_t)i, name);
    ok = ok && draw_pixels(gpu, scene, &r, 3) && same((uint64_t)i, name);
    stijl_scene_destroy(scene);
  }
  if (gpu) check_dilation(gpu);
  stijl_renderer_destroy(cpu);
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_renderer_destroy(gpu);
}

static stijl_matrix random_turn(sj_random *r) {
  stijl_matrix m = stijl_matrix_multiply(stijl_matrix_rotate(sj_random_float(r, -180, 180)),
                                         stijl_matrix_skew(sj_random_float(r, -60, 60), sj_random_float(r, -20, 20)));
  m.e = sj_random_float(r, -3000, 3000);
  m.f = sj_random_float(r, -3000, 3000);
  return m;
}

// The pixels that are read are those that the box says, all of them; and what lies in a part is read only by pixels of
// the other box.
TEST(sampled_boxes) {
  for (uint64_t n = 0; sj_test_cases(&n, 400); n++) {
    sj_random r = sj_random_seed(n);
    stijl_matrix m = random_turn(&r);
    int x0 = sj_random_int(&r, -2000, 2000), y0 = sj_random_int(&r, -2000, 2000);
    stijl_irect box = {x0, y0, x0 + sj_random_int(&r, 1, 40), y0 + sj_random_int(&r, 1, 40)},
                read = {9999, 9999, -9999, -9999};
    stijl_irect all = sj_sampled(m, box);
    stijl_irect part = {all.x0 + sj_random_int(&r, 0, 20), all.y0 + sj_random_int(&r, 0, 20), 0, 0};
    part.x1 = part.x0 + sj_random_int(&r, 1, 9);
    part.y1 = part.y0 + sj_random_int(&r, 1, 9);
    stijl_irect readers = sj_sampling(m, part, box);
    for (int y = box.y0; y < box.y1; y++)
      for (int x = box.x0; x < box.x1; x++) {
        int u = k_image_fixed(k_paint_u(sj_to_k(m), (float)x + 0.5f, (float)y + 0.5f), 0.0f) >> 8;
        int v = k_image_fixed(k_paint_v(sj_to_k(m), (float)x + 0.5f, (float)y + 0.5f), 0.0f) >> 8;
        read = (stijl_irect){k_min(read.x0, u), k_min(read.y0, v), k_max(read.x1, u + 2), k_max(read.y1, v + 2)};
        bool reads = u + 2 > part.x0 && u < part.x1 && v + 2 > part.y0 && v < part.y1;
        bool inside = x >= readers.x0 && x < readers.x1 && y >= readers.y0 && y < readers.y1;
        if (reads && !inside)
          sj_test_fail(__FILE__, (int)n, "pixel %d, %d reads the part, but is not of the box", x, y);
      }
    CHECK_INT(all.x0, read.x0);
    CHECK_INT(all.y0, read.y0);
    CHECK_INT(all.x1, read.x1);
    CHECK_INT(all.y1, read.y1);
    CHECK(sj_irect_is_empty(readers) ||
          (readers.x0 >= box.x0 && readers.y0 >= box.y0 && readers.x1 <= box.x1 && readers.y1 <= box.y1));
    if (sj_test_failed()) break;
  }
}

// A region of 64 x 64 of a page of 8192 x 8192, all of which the filter fills.
TEST(small_parts_need_little_memory) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_scene *scene = scene_of(
      "<svg xmlns='http://www.w3.org/2000/svg' width='8192' height='8192'>"
      "<filter id='f' x='0' y='0' width='1' height='1'><feGaussianBlur stdDeviation='4'/></filter>"
      "<g transform='rotate(30 4096 4096)' filter='url(#f)'><rect x='-4096' y='-4096' width='16384' height='16384' "
      "fill='red'/><rect x='4000' y='-4096' width='200' height='16384' fill='blue'/></g></svg>");
  stijl_renderer *renderer = renderer_of(200 << 10);
  static uint32_t pixels[64 * 64];
  stijl_target target = STIJL_TARGET_INIT;
  target.width = target.height = 8192;
  target.region = (stijl_irect){4064, 4064, 4128, 4128};
  target.pixels = pixels;
  target.stride = 64 * 4;
  stijl_message message = {""};
  CHECK_INT(stijl_render(renderer, scene, &target, NULL, &message), STIJL_OK);
  CHECK_STR(message.text, "");
  CHECK_INT(pixels[32 * 64 + 32], 0xffff0000);
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
}

// Of a shadow that is enlarged a hundred times, a corner is seen, far from the origin of user space.
TEST(far_from_the_origin) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_scene *scene = scene_of(
      "<svg xmlns='http://www.w3.org/2000/svg' width='97' height='61' viewBox='0 0 .97 .61'>"
      "<filter id='f' color-interpolation-filters='sRGB'><feOffset/></filter>"
      "<g transform='rotate(45 .5 .3)'><rect x='-5000' y='-5000' width='5000.5' height='5000.3' fill='red' "
      "filter='url(#f)'/></g></svg>");
  stijl_renderer *renderer = renderer_of(1 << 20);
  // (.5, .3) is the corner; the rectangle lies above it.
  CHECK(draw(renderer, scene, (stijl_irect){0, 0, W, H}, expected));
  CHECK_INT(expected[10 * W + 40], 0xff0000ff);
  CHECK_INT(expected[25 * W + 50], 0xff0000ff);
  CHECK_INT(expected[30 * W + 40], 0);
  CHECK_INT(expected[30 * W + 55], 0);
  CHECK_INT(expected[40 * W + 50], 0);
  CHECK(draw_parts(renderer, scene, 20, 20));
  same(0, "parts");
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
}

// What feImage shows is drawn for the canvas, also where the filter needs nothing of its source: turned filters, and
// patterns of which only a part is seen.
TEST(images) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_scene *scene = scene_of(
      "<svg xmlns='http://www.w3.org/2000/svg' width='97' height='61'>"
      "<filter id='f' x='0' y='0'><feImage href='#inner'/></filter><filter id='soft'><feGaussianBlur "
      "stdDeviation='1'/></filter>"
      "<pattern id='p' x='-100' y='-100' width='2000' height='2000' patternUnits='userSpaceOnUse'><path d='M0 "
      "0H2000V2000H0z' "
      "fill='red'/>"
      "<path d='M140 0H150V2000H140' fill='blue'/></pattern>"
      "<g display='none'><g id='inner'><path transform='rotate(20)' filter='url(#soft)' d='M5-5h40v30z' fill='lime'/>"
      "<path d='M30 40h50v15h-50' fill='url(#p)'/></g></g><rect width='60' height='60' filter='url(#f)'/></svg>");
  stijl_renderer *renderer = renderer_of(0);
  CHECK(draw(renderer, scene, (stijl_irect){0, 0, W, H}, expected));
  CHECK_INT(expected[16 * W + 28], 0xff00ff00);
  CHECK_INT(expected[45 * W + 35], 0xff0000ff);
  CHECK_INT(expected[45 * W + 45], 0xffff0000);
  CHECK_INT(expected[45 * W + 55], 0xff0000ff);
  CHECK(draw_parts(renderer, scene, 20, 20));
  same(0, "parts");
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
}
