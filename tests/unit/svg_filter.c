// What filters of documents take as their inputs. Each document is drawn beside one without a filter that has to have
// the same pixels.
#include <string.h>

#include "svg_draw.h"
#include "test.h"

static void same_picture(const char *filtered, const char *plain, int line) {
  static drawn a, b;
  draw_svg(filtered, NULL, &a);
  draw_svg(plain, NULL, &b);
  if (a.result || b.result) sj_test_fail(__FILE__, line, "%s%s", a.message.text, b.message.text);
  for (int i = 0; i < DRAWN_SIZE * DRAWN_SIZE; i++)
    if (a.pixels[i] != b.pixels[i]) {
      sj_test_fail(__FILE__, line, "pixel %d, %d is %08x, expected %08x", i % DRAWN_SIZE, i / DRAWN_SIZE, a.pixels[i],
                   b.pixels[i]);
      return;
    }
}
#define CHECK_SAME(filtered, plain) same_picture(filtered, plain, __LINE__)

#define DEFINITIONS                                                                                       \
  "<linearGradient id='g'><stop stop-color='red'/><stop offset='1' stop-color='blue' stop-opacity='.3'/>" \
  "</linearGradient><pattern id='p' width='8' height='8' patternUnits='userSpaceOnUse'>"                  \
  "<rect width='4' height='4' fill='grey'/></pattern>"
#define FILTER(input)                                                                                       \
  "<filter id='f' x='0' y='0' width='1' height='1' color-interpolation-filters='sRGB'><feOffset in='" input \
  "'"                                                                                                       \
  " dx='3' dy='1'/></filter>"
#define CIRCLE "<circle cx='32' cy='32' r='16' filter='url(#f)' "
#define RECT "<rect x='16' y='16' width='32' height='32' "

TEST(fill_paint) {
  if (!have_svg()) SKIP("built without SVG");
  // A colour is everywhere: moving it changes nothing.
  CHECK_SAME(SVG(FILTER("FillPaint") CIRCLE "fill='green'/>"), SVG(RECT "fill='green'/>"));
  CHECK_SAME(SVG(FILTER("FillPaint") CIRCLE "fill='green' fill-opacity='.6'/>"),
             SVG(RECT "fill='green' fill-opacity='.6'/>"));
  // A gradient and a pattern move.
  CHECK_SAME(SVG(DEFINITIONS FILTER("FillPaint") CIRCLE "fill='url(#g)'/>"),
             SVG(DEFINITIONS "<clipPath id='c'>" RECT "/></clipPath><linearGradient id='h' href='#g' x1='16' x2='48' "
                             "gradientUnits='userSpaceOnUse'/><g clip-path='url(#c)'>"
                             "<path fill='url(#h)' transform='translate(3 1)' d='M0 0H64V64H0'/></g>"));
  CHECK_SAME(SVG(DEFINITIONS FILTER("FillPaint") "<g fill='url(#p)' filter='url(#f)'>" RECT "/></g>"),
             SVG(DEFINITIONS "<clipPath id='c'>" RECT "/></clipPath><g clip-path='url(#c)'>"
                             "<path fill='url(#p)' transform='translate(3 1)' d='M0 0H64V64H0'/></g>"));
}

// Numbers rounded for export make a region pass an edge by a little: no row of pixels comes in by that.
TEST(regions_that_pass_an_edge_by_a_little) {
  if (!have_svg()) SKIP("built without SVG");
#define REGION(x, width)                                                                                 \
  SVG("<filter id='f' filterUnits='userSpaceOnUse' x='" x "' y='" x "' width='" width "' height='" width \
      "'>"                                                                                               \
      "<feOffset/></filter><rect x='8' y='8' width='48' height='48' fill='green' filter='url(#f)'/>")
  CHECK_SAME(REGION("15.95", "32.1"), SVG(RECT "fill='green'/>"));
  CHECK_SAME(REGION("15.99", "32.051"), SVG(RECT "fill='green'/>"));
  CHECK_SAME(REGION("15.5", "32.7"), SVG("<rect x='15' y='15' width='34' height='34' fill='green'/>"));
}

TEST(stroke_paint) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_SAME(SVG(FILTER("StrokePaint") CIRCLE "fill='red' stroke='green' stroke-opacity='.4'/>"),
             SVG(RECT "fill='green' fill-opacity='.4'/>"));
}

TEST(no_paint_is_transparent) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_SAME(SVG(FILTER("FillPaint") CIRCLE "fill='none' stroke='red'/>"), SVG(""));
  CHECK_SAME(SVG(FILTER("StrokePaint") CIRCLE "fill='red'/>"), SVG(""));
  CHECK_SAME(SVG(FILTER("FillPaint") CIRCLE "fill='url(#nothing)'/>"), SVG(""));
  CHECK_SAME(SVG(FILTER("BackgroundImage") CIRCLE "fill='red'/>"), SVG(""));
}

// A marker's content takes paints of the element that the marker is on.
TEST(context_paint) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_SAME(SVG("<marker id='m' overflow='visible' markerUnits='userSpaceOnUse'>" FILTER(
                 "FillPaint") "<circle r='16' fill='context-stroke' filter='url(#f)'/></marker>"
                              "<path d='M32 32h9' stroke='green' marker-start='url(#m)'/>"),
             SVG(RECT "fill='green'/>"));
}

// A filter element whose inside has animations, beside one with the values at time 0.
#define BLURRED(inside)                                                                              \
  SVG("<filter id='f' x='-1' y='-1' width='3' height='3' color-interpolation-filters='sRGB'>" inside \
      "</filter>" CIRCLE "fill='green'/>")
#define ANIMATE(name, values) "<animate attributeName='" name "' values='" values "' dur='4s'/>"

TEST(animated_primitives) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_SAME(BLURRED("<feGaussianBlur stdDeviation='1'>" ANIMATE("stdDeviation", "4 0;9") "</feGaussianBlur>"),
             BLURRED("<feGaussianBlur stdDeviation='4 0'/>"));
  CHECK_SAME(
      BLURRED("<feGaussianBlur stdDeviation='1'><animate attributeName='stdDeviation' from='2' to='10' begin='-1s' "
              "dur='4s' additive='sum'/></feGaussianBlur>"),
      BLURRED("<feGaussianBlur stdDeviation='5'/>"));
  // One without the attribute, a function's, a light's, and words.
  CHECK_SAME(BLURRED("<feMorphology operator='dilate'>" ANIMATE("radius", "3;1") "</feMorphology>"),
             BLURRED("<feMorphology operator='dilate' radius='3'/>"));
  CHECK_SAME(BLURRED("<feComponentTransfer><feFuncA type='linear' slope='1'>" ANIMATE(
                 "slope", ".25;1") "</feFuncA></feComponentTransfer>"),
             BLURRED("<feComponentTransfer><feFuncA type='linear' slope='.25'/></feComponentTransfer>"));
  CHECK_SAME(BLURRED("<feDiffuseLighting><fePointLight x='9' y='9' z='1'>" ANIMATE(
                 "z", "30;9") "</fePointLight></feDiffuseLighting>"),
             BLURRED("<feDiffuseLighting><fePointLight x='9' y='9' z='30'/></feDiffuseLighting>"));
  CHECK_SAME(
      BLURRED("<feOffset id='o' dx='2'/><feComposite in2='SourceGraphic' operator='over'>"
              "<set attributeName='operator' to='xor'/></feComposite><set href='#o' attributeName='dx' to='7'/>"),
      BLURRED("<feOffset dx='7'/><feComposite in2='SourceGraphic' operator='xor'/>"));
}

#define PIXELS(body, shown)                                                             \
  SVG("<filter id='f' filterUnits='userSpaceOnUse' x='0' y='0' width='64' height='64' " \
      "color-interpolation-filters='sRGB'>" body "</filter><path d='M0 0H64V64H0' filter='url(#f)' " shown "/>")

// A tile is repeated at the distance that it has, also where that is no whole number of pixels.
TEST(tiles_keep_their_distance) {
  if (!have_svg()) SKIP("built without SVG");
#define TILE(x, width)                                                         \
  PIXELS("<feFlood x='" x                                                      \
         "' y='0' width='2' height='64' flood-color='green'/>"                 \
         "<feOffset x='" x "' y='0' width='" width "' height='64'/><feTile/>", \
         "")
  static drawn d;
  static const struct {
    const char *text;
    double first, period;
  } cases[] = {{TILE("0", "5.3333"), 0, 5.3333},
               {TILE("0.2", "5.3333"), 0.2, 5.3333},
               {TILE("10.4", "7"), 3.4, 7},
               {TILE("2", "6"), 2, 6}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    draw_svg(cases[i].text, NULL, &d);
    CHECK_INT(d.result, STIJL_OK);
    // The middle of each flood is painted, and what is far from all of them is not.
    for (double x = cases[i].first; x + 4.0 < DRAWN_SIZE; x += cases[i].period) {
      if (pixel(&d, (int)(x + 1.0), 32) != GREEN || pixel(&d, (int)(x + 3.8), 32) != 0)
        sj_test_fail(__FILE__, __LINE__, "%zu: tile at %g", i, x);
    }
  }
}

// The bias of a convolution counts by the alpha of the result.
TEST(biases) {
  if (!have_svg()) SKIP("built without SVG");
#define BIAS(attributes) "<feConvolveMatrix order='1' kernelMatrix='0' divisor='1' " attributes "/>"
  CHECK_PIXEL(PIXELS(BIAS("bias='0.4'"), "fill='red'"), 32, 32, 0x29292966);
  CHECK_PIXEL(PIXELS(BIAS("bias='0.4' preserveAlpha='true'"), "fill='red' fill-opacity='.6'"), 32, 32, 0x25252599);
  CHECK_PIXEL(PIXELS(BIAS("bias='0.4' preserveAlpha='true'"), "fill='red' fill-opacity='0'"), 32, 32, 0);
  CHECK_PIXEL(PIXELS(BIAS("bias='-0.4'"), "fill='red'"), 32, 32, 0);
}
