// Masks of gradients, images and several layers, by single pixels: what is drawn is a white square on transparent
// ground.
#include <stdio.h>
#include <string.h>

#include "svg_draw.h"
#include "test.h"

#define MASKED(style) SVG("<rect width='64' height='64' fill='white' style=\"" style "\"/>")

// Checks the alpha at a place, within one step of it.
static void check_alpha(const char *file, int line, const char *text, int x, int y, int expected) {
  static drawn d;
  draw_svg(text, NULL, &d);
  if (d.result) sj_test_fail(file, line, "%s", d.message.text);
  int alpha = (int)(pixel(&d, x, y) & 255u);
  if (d.warnings || alpha < expected - 1 || alpha > expected + 1)
    sj_test_fail(file, line, "alpha at %d %d is %d, expected %d; %d warnings (%s)", x, y, alpha, expected, d.warnings,
                 d.warning);
}

#define CHECK_ALPHA(style, x, y, expected) check_alpha(__FILE__, __LINE__, MASKED(style), x, y, expected)

// A layer that is `value` in the left half, and 0 in the right.
#define LEFT(value) "linear-gradient(90deg, rgb(0 0 0 / " value ") 50%, transparent 50%)"
#define TOP(value) "linear-gradient(rgb(0 0 0 / " value ") 50%, transparent 50%)"

TEST(gradients_mask) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_ALPHA("mask: linear-gradient(90deg, black, transparent)", 15, 30, 193);
  CHECK_ALPHA("mask-image: linear-gradient(to left, black, transparent)", 15, 30, 62);
  CHECK_ALPHA("-webkit-mask-image: linear-gradient(black 32px, transparent 0)", 30, 31, 255);
  CHECK_ALPHA("mask: linear-gradient(black 32px, transparent 0)", 30, 32, 0);
  CHECK_ALPHA("mask: linear-gradient(to bottom right, black 50%, transparent 50%)", 30, 30, 255);
  CHECK_ALPHA("mask: linear-gradient(to bottom right, black 50%, transparent 50%)", 33, 33, 0);
  CHECK_ALPHA("mask: repeating-linear-gradient(90deg, black 0 4px, transparent 4px 8px)", 33, 9, 255);
  CHECK_ALPHA("mask: repeating-linear-gradient(90deg, black 0 4px, transparent 4px 8px)", 37, 9, 0);
  CHECK_ALPHA("mask: radial-gradient(circle 10px at 20px 20px, black 50%, transparent 50%)", 23, 20, 255);
  CHECK_ALPHA("mask: radial-gradient(circle 10px at 20px 20px, black 50%, transparent 50%)", 27, 20, 0);
  CHECK_ALPHA("mask: radial-gradient(closest-side, black 99%, transparent 99%)", 2, 2, 0);
  CHECK_ALPHA("mask: conic-gradient(from 90deg, black 25%, transparent 0)", 50, 50, 255);
  CHECK_ALPHA("mask: conic-gradient(from 90deg, black 25%, transparent 0)", 50, 10, 0);
  CHECK_ALPHA("mask: linear-gradient(90deg, black, 25%, transparent)", 16, 30, 126);
  CHECK_ALPHA("color: rgb(0 0 0 / 0.4); mask: linear-gradient(currentColor)", 16, 30, 102);
}

TEST(what_counts_of_a_layer_is_its_mode) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_ALPHA("mask: linear-gradient(red, red)", 30, 30, 255);
  CHECK_ALPHA("mask: linear-gradient(#0f0, #0f0) luminance", 30, 30, 182);
  CHECK_ALPHA("mask-image: linear-gradient(rgb(255 255 255 / 0.5)); mask-mode: luminance", 30, 30, 128);
#define ELEMENT \
  "<mask id='m'><rect width='32' height='64' fill='#0f0'/></mask><rect width='64' height='64' fill='white' "
  check_alpha(__FILE__, __LINE__, SVG(ELEMENT "mask='url(#m)'/>"), 10, 10, 182);
  check_alpha(__FILE__, __LINE__, SVG(ELEMENT "mask='url(#m) alpha'/>"), 10, 10, 255);
  check_alpha(__FILE__, __LINE__, SVG(ELEMENT "mask='url(#m) alpha'/>"), 40, 10, 0);
  check_alpha(__FILE__, __LINE__, SVG(ELEMENT "style='mask-image: url(#m)'/>"), 10, 10, 182);
}

TEST(layers_are_put_together) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_ALPHA("mask: " LEFT("0.5") ", " TOP("0.5"), 10, 10, 191);
  CHECK_ALPHA("mask: " LEFT("0.5") ", " TOP("0.5"), 10, 50, 128);
  CHECK_ALPHA("mask: " LEFT("0.6") " intersect, " TOP("0.5"), 10, 10, 77);
  CHECK_ALPHA("mask: " LEFT("0.6") " intersect, " TOP("0.5"), 50, 10, 0);
  CHECK_ALPHA("mask: " LEFT("0.6") " subtract, " TOP("0.25"), 10, 10, 115);
  CHECK_ALPHA("mask: " LEFT("0.6") " subtract, " TOP("0.25"), 10, 50, 153);
  CHECK_ALPHA("mask: " LEFT("0.6") " subtract, " TOP("0.25"), 50, 10, 0);
  CHECK_ALPHA("mask: " LEFT("0.6") " exclude, " TOP("0.25"), 10, 10, 140);
  CHECK_ALPHA("mask: " LEFT("0.6") " exclude, " TOP("0.25"), 50, 10, 64);
  CHECK_ALPHA("mask-image: " LEFT("1") ", " TOP("1") "; mask-composite: exclude", 10, 10, 0);
  CHECK_ALPHA("mask: " LEFT("0.5") ", " LEFT("0.6") " intersect, " TOP("0.5"), 10, 10, 166);
  CHECK_ALPHA("mask: " LEFT("0.5") ", " LEFT("0.6") " intersect, " TOP("0.5"), 10, 50, 128);
  CHECK_ALPHA("mask: " LEFT("0.6") ", none", 10, 10, 153);
  CHECK_ALPHA("mask: none intersect, " LEFT("0.6"), 10, 10, 153);
  CHECK_ALPHA("mask: " LEFT("0.6") " intersect, none", 10, 10, 0);
  check_alpha(__FILE__, __LINE__, SVG(ELEMENT "style='mask: url(#m) intersect, " TOP("0.5") "'/>"), 10, 10, 91);
  check_alpha(__FILE__, __LINE__, SVG(ELEMENT "style='mask: url(#m) intersect, " TOP("0.5") "'/>"), 40, 10, 0);
}

TEST(layers_have_sizes_and_places) {
  if (!have_svg()) SKIP("built without SVG");
#define TILE "linear-gradient(90deg, black 50%, transparent 50%)"
  CHECK_ALPHA("mask: " TILE " 0 0 / 8px 8px", 43, 5, 255);
  CHECK_ALPHA("mask: " TILE " 0 0 / 8px 8px", 46, 5, 0);
  CHECK_ALPHA("mask: " TILE " 0 0 / 8px 8px repeat-x", 43, 12, 0);
  CHECK_ALPHA("mask: " TILE " right 4px bottom 6px / 16px 16px no-repeat", 46, 44, 255);
  CHECK_ALPHA("mask: " TILE " right 4px bottom 6px / 16px 16px no-repeat", 46, 41, 0);
  CHECK_ALPHA("mask: " TILE " right 4px bottom 6px / 16px 16px no-repeat", 54, 44, 0);
  CHECK_ALPHA("mask-image: " TILE "; mask-size: 25% auto; mask-position: 50% 0; mask-repeat: no-repeat", 26, 60, 255);
  CHECK_ALPHA("mask-image: " TILE "; mask-size: 25% auto; mask-position: 50% 0; mask-repeat: no-repeat", 34, 60, 0);
  CHECK_ALPHA("mask: " TILE " 0 0 / 20px space", 23, 60, 255);  // three, 2 apart
  CHECK_ALPHA("mask: " TILE " 0 0 / 20px space", 21, 60, 0);
  CHECK_ALPHA("mask: " TILE " 0 0 / 30px round", 33, 60, 255);  // 32 each
  CHECK_ALPHA("mask: linear-gradient(black) fill-box; stroke: white; stroke-width: 8px; width: 40px", 42, 30, 0);
  CHECK_ALPHA("mask: linear-gradient(black); stroke: white; stroke-width: 8px; width: 40px", 42, 30, 255);
}

TEST(images_mask) {
  if (!have_svg()) SKIP("built without SVG");
#define PICTURE                                                                                            \
  "url('data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%2216%22 height=%228%22%3E" \
  "%3Crect width=%228%22 height=%228%22 fill=%22%230f0%22/%3E%3C/svg%3E')"
  CHECK_ALPHA("mask: " PICTURE, 35, 20, 255);
  CHECK_ALPHA("mask: " PICTURE, 43, 20, 0);
  CHECK_ALPHA("mask: " PICTURE " luminance", 35, 20, 182);
  CHECK_ALPHA("mask: " PICTURE " no-repeat", 35, 20, 0);
  CHECK_ALPHA("mask: " PICTURE " center / contain no-repeat", 10, 20, 255);
  CHECK_ALPHA("mask: " PICTURE " center / contain no-repeat", 10, 12, 0);
  CHECK_ALPHA("mask: " PICTURE " center / cover", 30, 2, 255);
  CHECK_ALPHA("mask: " PICTURE " luminance intersect, " LEFT("0.5"), 3, 20, 91);
}

TEST(masks_cascade) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_ALPHA("mask: " LEFT("0.5") "; mask: none", 50, 10, 255);
  CHECK_ALPHA("mask: " LEFT("0.5") "; mask-image: none", 50, 10, 255);
  CHECK_ALPHA("mask: " LEFT("0.5") "; mask-image: initial", 50, 10, 255);
  CHECK_ALPHA("mask-size: 8px; mask: " LEFT("0.5"), 50, 10, 0);
  CHECK_ALPHA("mask: " LEFT("0.5") "; mask-size: 8px", 50, 10, 128);
  CHECK_ALPHA("mask: " LEFT("0.5") " 0 0 / 8px; mask-image: " LEFT("0.25"), 50, 10, 64);
  // The attribute of a longhand is none of SVG's.
  check_alpha(__FILE__, __LINE__, SVG("<rect width='64' height='64' mask-image='linear-gradient(transparent)'/>"), 9, 9,
              255);
  check_alpha(__FILE__, __LINE__,
              SVG("<g style='mask-image: " LEFT("0.5") "'><rect width='64' height='64' "
                                                       "style='mask-image: inherit'/></g>"),
              9, 9, 64);
}

TEST(what_is_no_mask_is_told) {
  if (!have_svg()) SKIP("built without SVG");
  static const char *const values[] = {"mask: linear-gradient(black",
                                       "mask: linear-gradient(20px, black, red)",
                                       "mask: linear-gradient(black, 20%)",
                                       "mask: linear-gradient(45, black, red)",
                                       "mask: linear-gradient(to top top, black, red)",
                                       "mask: radial-gradient(circle 10%, black, red)",
                                       "mask: conic-gradient(from 3px, black, red)",
                                       "mask: linear-gradient(black,, red)",
                                       "mask: linear-gradient(black, red) 0 0 0",
                                       "mask: url(#a) url(#b)",
                                       "mask-size: 3px 4px 5px",
                                       "mask-size: -3px",
                                       "mask-position: top 3px",
                                       "mask-position: left right",
                                       "mask-repeat: repeat-x repeat",
                                       "mask-mode: alpha,",
                                       "mask-composite: over",
                                       "mask-clip: text-box",
                                       "mask-origin: no-clip",
                                       "mask: linear-gradient(black) border-box fill-box view-box",
                                       "mask-image: foo(3)"};
  static drawn d;
  char text[400];
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    snprintf(text, sizeof text, SVG("<rect width='64' height='64' style='%s'/>"), values[i]);
    draw_svg(text, NULL, &d);
    if (d.result || d.warnings != 1 || !strstr(d.warning, "not understood") || pixel(&d, 50, 50) != BLACK)
      sj_test_fail(__FILE__, __LINE__, "%s: %d warnings (%s)", values[i], d.warnings, d.warning);
  }
}

TEST(the_picture_is_not_blended_with_what_is_below_it) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_PIXEL(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64' style='background: white'>"
      "<rect width='64' height='64' fill='blue' style='mix-blend-mode: multiply'/></svg>",
      30, 30, BLUE);
  CHECK_PIXEL(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64' style='background: red'>"
      "<rect width='64' height='64' fill='blue' style='mix-blend-mode: multiply'/></svg>",
      30, 30, BLUE);
}

// An element is masked where its box is a line, and a mask that leads back to itself is left out.
TEST(odd_boxes_and_circles) {
  if (!have_svg()) SKIP("built without SVG");
#define LINE(style) SVG("<path d='M0 30H64' stroke='white' stroke-width='20' style='mask: " style "'/>")
  check_alpha(__FILE__, __LINE__, LINE("linear-gradient(rgb(0 0 0 / 0.4)) 0 0 / 8px 8px"), 20, 30, 102);
  check_alpha(__FILE__, __LINE__, LINE("linear-gradient(rgb(0 0 0 / 0.4))"), 20, 30, 0);
  check_alpha(__FILE__, __LINE__,
              SVG("<mask id='m'><rect width='64' height='64' fill='white' style='mask: url(#m) intersect, " LEFT(
                  "0.6") "'/></mask><rect width='64' height='64' fill='white' mask='url(#m)'/>"),
              20, 30, 153);
}

// Many layers on many elements are within the limits, or end with an error.
TEST(many_layers_end) {
  if (!have_svg()) SKIP("built without SVG");
  enum { LAYERS = 2000, ELEMENTS = 2000 };
  static char text[LAYERS * 28 + ELEMENTS * 32 + 400];
  char *at = text + sprintf(text, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><style>rect{mask:");
  for (int i = 0; i < LAYERS; i++) at += sprintf(at, "%slinear-gradient(#000,#0000)", i ? "," : "");
  at += sprintf(at, "}</style><g opacity='0'>");  // nothing is recorded, but all is resolved
  for (int i = 0; i < ELEMENTS; i++) at += sprintf(at, "<rect width='9' height='9'/>");
  sprintf(at, "</g></svg>");
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  static drawn d;
  params.limits.max_elements = 100000;
  draw_svg(text, &params, &d);
  CHECK_INT(d.result, STIJL_ERROR_LIMIT);
}
