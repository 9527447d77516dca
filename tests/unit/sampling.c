// Images as each instruction set samples them, against the scalar definition: random matrices that go along the image's
// rows or turn, sizes around those of registers, and places at its edges.
#include <stdlib.h>

#include "cpu/kernels.h"
#include "image/image.h"
#include "isas.h"
#include "test.h"

enum { WIDTH = 160, ROWS = 3, PIXELS = WIDTH * ROWS };

static int below(sj_random *r, int n) { return sj_random_int(r, 0, n); }

static float pick_scale(sj_random *r) {
  static const float scales[] = {0.0f, 0.3f, 1.0f, 1.5f, 1.85f, 1.9f, 2.0f, 2.5f, 9.0f};
  float scale = scales[below(r, (int)(sizeof scales / sizeof *scales))];
  return below(r, 2) ? scale : -scale;
}

// Makes an image. Its pixels are the last of their memory, so that a sanitizer sees what is read behind them.
static stijl_image random_image(sj_random *r) {
  static const int widths[] = {1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 34, 47, 64, 200};
  stijl_image image = {.width = widths[below(r, (int)(sizeof widths / sizeof *widths))],
                       .height = 1 + below(r, 6),
                       .format = STIJL_FORMAT_RGBA8};
  image.stride = (size_t)image.width * 4;
  size_t bytes = image.stride * (size_t)image.height;
  image.pixels = malloc(bytes);
  for (size_t i = 0; image.pixels && i < bytes; i += 4) {
    uint32_t alpha = below(r, 3) ? (uint32_t)below(r, 256) : 255;
    for (size_t k = 0; k < 3; k++) image.pixels[i + k] = (uint8_t)below(r, (int)alpha + 1);
    image.pixels[i + 3] = (uint8_t)alpha;
  }
  return image;
}

static k_paint random_paint(sj_random *r, const stijl_image *image) {
  k_paint paint = {.kind = K_PAINT_IMAGE,
                   .spread_x = (uint32_t)below(r, 4),
                   .spread_y = (uint32_t)below(r, 4),
                   .sampling = (uint32_t)below(r, 3),
                   .color = 255,
                   .m = {.a = pick_scale(r), .d = pick_scale(r)}};
  bool level = below(r, 2), repeated = below(r, 2);
  if (!level) paint.m.b = pick_scale(r);
  if (below(r, 2)) paint.m.c = pick_scale(r);
  float away = repeated ? 8.0f : 1.0f;
  paint.m.e = ((float)below(r, 1024) / 512.0f - 1.0f) * away * (float)image->width;
  paint.m.f = ((float)below(r, 1024) / 512.0f - 1.0f) * away * (float)image->height;
  if (below(r, 4) == 0)  // pixel upon pixel
    paint.m = (k_matrix){1.0f, 0.0f, 0.0f, 1.0f, (float)(below(r, 900) - 450), (float)(below(r, 40) - 20)};
  if (paint.sampling != K_SAMPLING_NEAREST && below(r, 4) == 0) paint.fx = 7.0f, paint.fy = -2.0f;
  return paint;
}

TEST(instruction_sets) {
  static uint32_t expected[PIXELS] __attribute__((aligned(64))), got[PIXELS] __attribute__((aligned(64)));
  for (uint64_t n = 0; sj_test_cases(&n, 6000); n++) {
    sj_random r = sj_random_seed(n);
    stijl_image image = random_image(&r);
    if (!image.pixels) continue;
    k_paint paint = random_paint(&r, &image);
    sj_painter painter = {.stride = WIDTH,
                          .x = below(&r, 100),
                          .y = below(&r, 100),
                          .paint = &paint,
                          .image = &image,
                          .opacity = below(&r, 4) ? 255 : 100};
    int x0 = below(&r, 40);
    stijl_irect box = {x0, 0, x0 + 1 + below(&r, WIDTH - 40), ROWS};
    EACH_ISA(isa, STIJL_ISA_SCALAR) {
      const sj_kernels *kernels = sj_kernels_for(isa);
      painter.pixels = isa == STIJL_ISA_SCALAR ? expected : got;
      for (int i = 0; i < PIXELS; i++) painter.pixels[i] = 0x80402010;
      kernels->fill((stijl_irect){box.x0 * 256, box.y0 * 256, box.x1 * 256, box.y1 * 256}, box, &painter);
      if (isa != STIJL_ISA_SCALAR) sj_test_same_pixels(n, stijl_isa_name(isa), got, expected, WIDTH, ROWS);
    }
    free(image.pixels);
    if (sj_test_failed()) break;
  }
}
