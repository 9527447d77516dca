// What documents look like: one pixel tells each rule. And what stops documents that would never end.
#include <stdlib.h>

#include "svg_draw.h"
#include "test.h"

#define FULL "<rect width='64' height='64' fill='green'/>"

TEST(shapes) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_PIXEL(SVG("<rect x='10' y='10' width='20' height='20' fill='green'/>"), 10, 10, GREEN);
  CHECK_PIXEL(SVG("<rect x='10' y='10' width='20' height='20' fill='green'/>"), 30, 10, 0);
  CHECK_PIXEL(SVG("<rect width='-5' height='20'/><rect width='20'/><circle r='-4'/><ellipse rx='0' ry='9'/>"), 1, 1, 0);
  // A missing radius is that of the other axis.
  CHECK_PIXEL(SVG("<rect width='64' height='64' ry='32' fill='green'/>"), 2, 2, 0);
  CHECK_PIXEL(SVG("<ellipse cx='32' cy='32' ry='30' fill='green'/>"), 4, 32, GREEN);
  CHECK_PIXEL(SVG("<circle cx='50%' cy='50%' r='50%' fill='green'/>"), 1, 32, GREEN);
  // An odd coordinate at the end is dropped, an error ends the list.
  CHECK_PIXEL(SVG("<polygon points='0,0 64,0 64,64 0,64 9' fill='green'/>"), 3, 60, GREEN);
  CHECK_PIXEL(SVG("<polygon points='0,0 64,0 64,64 x 0,64' fill='green'/>"), 3, 60, 0);
  // Path data is drawn up to the error.
  CHECK_PIXEL(SVG("<path d='M0 0H64V64H0 L 5 x M0 0' fill='green'/>"), 40, 20, GREEN);
  CHECK_PIXEL(SVG("<path d='L0 0H64V64H0' fill='green'/>"), 40, 20, 0);
  CHECK_PIXEL(SVG("<line x2='64' y1='32' y2='32' stroke='green' stroke-width='10'/>"), 32, 30, GREEN);
  CHECK_PIXEL(SVG("<line x2='64' y2='64' fill='red'/>"), 32, 32, 0);
}

// A draw takes the pen of the one before only where stroke and transform are the same.
TEST(strokes_in_turn) {
  if (!have_svg()) SKIP("built without SVG");
#define LINE "<path d='M8 4H56' stroke='green' stroke-width='2' "
  CHECK_PIXEL(SVG(LINE "/>" LINE "transform='scale(1 8)'/>"), 32, 26, GREEN);
  CHECK_PIXEL(SVG(LINE "/>" LINE "transform='scale(1 8)'/>" LINE "/>"), 32, 8, 0);
  CHECK_PIXEL(SVG(LINE "transform='scale(1 0)'/>" LINE "transform='translate(0 9)'/>"), 32, 13, GREEN);
  CHECK_PIXEL(SVG(LINE "/><path d='M8 24H56' stroke='green' stroke-width='8'/>"), 32, 27, GREEN);
  CHECK_PIXEL(SVG(LINE "/><path d='M8 24H56' stroke='green' stroke-width='2' stroke-linecap='square'/>"), 7, 24, GREEN);
  CHECK_PIXEL(SVG(LINE "/>" LINE "vector-effect='non-scaling-stroke' transform='scale(1 8)'/>"), 32, 26, 0);
#undef LINE
}

TEST(cascade_and_inheritance) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_PIXEL(SVG("<g fill='green'><rect width='64' height='64'/></g>"), 5, 5, GREEN);
  CHECK_PIXEL(SVG("<rect width='64' height='64' fill='red' style='fill:green'/>"), 5, 5, GREEN);
  CHECK_PIXEL(SVG("<g fill='green'><rect width='64' height='64' fill='nonsense'/></g>"), 5, 5, GREEN);
  CHECK_PIXEL(SVG("<g fill='green'><rect width='64' height='64' fill='initial'/></g>"), 5, 5, BLACK);
  CHECK_PIXEL(SVG("<g style='fill:green'><rect width='64' height='64' style='fill:red;fill:unset'/></g>"), 5, 5, GREEN);
  CHECK_PIXEL(SVG("<g color='green'><rect width='64' height='64' fill='currentColor'/></g>"), 5, 5, GREEN);
  // opacity is not inherited, unless asked.
  CHECK_PIXEL(SVG("<g opacity='0.5'><rect width='64' height='64' opacity='inherit'/></g>"), 5, 5, 0x00000040);
  CHECK_PIXEL(SVG("<g opacity='0.5'><rect width='64' height='64'/></g>"), 5, 5, 0x00000080);
  CHECK_PIXEL(SVG("<g display='none'>" FULL "</g>"), 5, 5, 0);
  CHECK_PIXEL(SVG("<g visibility='hidden'><rect width='64' height='64' fill='green' visibility='visible'/></g>"), 5, 5,
              GREEN);
  CHECK_PIXEL(SVG("<g font-size='20'><rect width='2em' height='64' fill='green'/></g>"), 39, 5, GREEN);
  CHECK_PIXEL(SVG("<g font-size='20'><rect width='2em' height='64' fill='green'/></g>"), 40, 5, 0);
}

// Each compared with Chromium.
TEST(encoded_references) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_PIXEL(SVG("<defs><rect id='a b' width='64' height='64' fill='green'/></defs><use href='#a%20b'/>"), 9, 9,
              GREEN);
  CHECK_PIXEL(SVG("<linearGradient id='\xc3\xa9'><stop stop-color='green'/></linearGradient>"
                  "<rect width='64' height='64' fill='url(#%C3%a9)'/>"),
              9, 9, GREEN);
  // An id that has a percent sign itself goes first.
  CHECK_PIXEL(SVG("<defs><rect id='a b' width='64' height='64' fill='red'/>"
                  "<rect id='a%20b' width='64' height='64' fill='green'/></defs><use href='#a%20b'/>"),
              9, 9, GREEN);
  static char text[4096], *at = text;
  at += sprintf(
      at, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><rect height='64' width='64' fill='url(#%%");
  for (int i = 0; i < 1000; i++) *at++ = 'a';
  sprintf(at, ") green'/></svg>");
  CHECK_PIXEL(text, 9, 9, GREEN);
}

TEST(broken_paint_servers) {
  if (!have_svg()) SKIP("built without SVG");
#define PAINTED(server, paint) SVG(server "<g fill='lime'><rect width='64' height='64' fill='" paint "'/></g>")
#define PATTERN(attributes) \
  "<pattern id='p' patternUnits='userSpaceOnUse' " attributes "><path d='M0 0h9v9'/></pattern>"
  CHECK_PIXEL(PAINTED(PATTERN("width='0' height='9'"), "url(#p) blue"), 5, 5, BLUE);
  CHECK_PIXEL(PAINTED(PATTERN("width='0' height='9'"), "url(#p)"), 5, 5, 0);
  CHECK_PIXEL(PAINTED(PATTERN("width='9' height='9' viewBox='0 0 0 0'"), "url(#p) blue"), 5, 5, BLUE);
  CHECK_PIXEL(PAINTED(PATTERN("width='9' height='9' patternTransform='scale(0)'"), "url(#p) blue"), 5, 5, BLUE);
  CHECK_PIXEL(PAINTED("<pattern id='p' width='9' height='9'/>", "url(#p) blue"), 5, 5, BLUE);
#define STOPS "<stop stop-color='red'/><stop offset='1' stop-color='green'/>"
  CHECK_PIXEL(PAINTED("<linearGradient id='p' gradientTransform='scale(0)'>" STOPS "</linearGradient>", "url(#p) blue"),
              5, 5, BLUE);
  CHECK_PIXEL(PAINTED("<linearGradient id='p' gradientTransform='scale(0)'><stop/></linearGradient>", "url(#p) blue"),
              5, 5, BLUE);
  CHECK_PIXEL(PAINTED("<radialGradient id='p' r='-1'>" STOPS "</radialGradient>", "url(#p) blue"), 5, 5, GREEN);
  CHECK_PIXEL(PAINTED("<linearGradient id='a b'>" STOPS "</linearGradient>", "url(#a b) blue"), 5, 5, 0x00ff00ff);
#undef PAINTED
#undef PATTERN
#undef STOPS
}

TEST(miter_limits_and_lone_moves) {
  if (!have_svg()) SKIP("built without SVG");
#define ROOF(limit) \
  SVG("<path d='M0 64L32 32L64 64' fill='none' stroke='green' stroke-width='16' stroke-miterlimit='" limit "'/>")
  CHECK_PIXEL(ROOF("4"), 32, 24, GREEN);
  CHECK_PIXEL(ROOF("0.5"), 32, 24, 0);
  CHECK_PIXEL(ROOF("0"), 32, 24, 0);
  CHECK_PIXEL(ROOF("0"), 32, 29, GREEN);
  CHECK_PIXEL(ROOF("-1"), 32, 24, GREEN);
#undef ROOF
#define MARKED(d)                                                                                       \
  SVG("<marker id='m' markerWidth='8' markerHeight='8' refX='4' refY='4' markerUnits='userSpaceOnUse'>" \
      "<rect width='8' height='8' fill='green'/></marker><path marker-start='url(#m)' d='" d "'/>")
  CHECK_PIXEL(MARKED("M9 9"), 9, 9, 0);
  CHECK_PIXEL(MARKED("M9 9M20 20"), 9, 9, GREEN);
  CHECK_PIXEL(MARKED("M9 9z"), 9, 9, GREEN);
  CHECK_PIXEL(MARKED("M9 9L9 9"), 9, 9, GREEN);
#undef MARKED
}

// Every pixel is painted or it is not, where its centre says so; what lies on a border goes right and down.
TEST(shapes_without_anti_aliasing) {
  if (!have_svg()) SKIP("built without SVG");
  static const char *const shapes[] = {
      SVG("<circle cx='32.3' cy='31.4' r='25.7' fill='green' shape-rendering='crispEdges'/>"),
      SVG("<g style='shape-rendering:optimizeSpeed'><path d='M3 3L60 21 4.5 60' fill='green' stroke='green'/></g>"),
      SVG("<path d='M32 2l20 60-52-38h64l-52 38z' fill='green' fill-rule='evenodd' shape-rendering='crispEdges'/>"),
      SVG("<pattern id='p' width='16' height='16' patternUnits='userSpaceOnUse'><circle cx='8' cy='8' r='6' "
          "fill='green' "
          "shape-rendering='crispEdges'/></pattern><rect width='64' height='64' fill='url(#p)'/>")};
  static drawn d;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    draw_svg(shapes[i], NULL, &d);
    CHECK_INT(d.result, STIJL_OK);
    int painted = 0;
    for (int k = 0; k < DRAWN_SIZE * DRAWN_SIZE; k++) {
      if (d.pixels[k] != 0 && d.pixels[k] != GREEN) sj_test_fail(__FILE__, __LINE__, "shape %zu: %08x", i, d.pixels[k]);
      painted += d.pixels[k] == GREEN;
    }
    CHECK(painted > 400 && painted < 3600);
  }
  // By the area, within the pixels of the outline.
  draw_svg(shapes[0], NULL, &d);
  int painted = 0;
  for (int k = 0; k < DRAWN_SIZE * DRAWN_SIZE; k++) painted += d.pixels[k] != 0;
  CHECK_NEAR(painted, 3.14159265 * 25.7 * 25.7, 20);
#define CRISP(body) SVG("<g shape-rendering='crispEdges'>" body "</g>")
  CHECK_PIXEL(CRISP("<path d='M0 10H64' stroke='green'/>"), 9, 9, 0);
  CHECK_PIXEL(CRISP("<path d='M0 10H64' stroke='green'/>"), 9, 10, GREEN);
  CHECK_PIXEL(CRISP("<path d='M0 10H64' stroke='green'/>"), 9, 11, 0);
  CHECK_PIXEL(CRISP("<path d='M10 0V64' stroke='green'/>"), 9, 9, 0);
  CHECK_PIXEL(CRISP("<path d='M10 0V64' stroke='green'/>"), 10, 9, GREEN);
  CHECK_PIXEL(CRISP("<rect x='4.4' y='4.4' width='8.2' height='8.2' fill='green'/>"), 4, 12, GREEN);
  CHECK_PIXEL(CRISP("<rect x='4.6' y='4.4' width='8.2' height='8.2' fill='green'/>"), 4, 5, 0);
  CHECK_PIXEL(CRISP("<path d='M0 10.2H64' stroke='green' stroke-width='.5'/>"), 9, 10, 0x00400080);
  CHECK_PIXEL(CRISP("<rect x='-900' y='-900' width='9999' height='9999' fill='green'/>"), 63, 63, GREEN);
  CHECK_PIXEL(CRISP("<rect width='9' height='9' fill='green' transform='scale(0)'/>"), 0, 0, 0);
  CHECK_PIXEL(
      CRISP("<linearGradient id='a'><stop stop-color='red'/><stop offset='.5' stop-color='red'/><stop offset='.5' "
            "stop-color='blue'/></linearGradient><g transform='translate(16)'><rect width='32' height='32' "
            "fill='url(#a)'/></g>"),
      30, 8, RED);
#undef CRISP
}

TEST(path_length) {
  if (!have_svg()) SKIP("built without SVG");
#define DASHED(attributes) \
  SVG("<path d='M0 32H64' stroke='green' stroke-width='8' stroke-dasharray='1' " attributes "/>")
  CHECK_PIXEL(DASHED("pathLength='8'"), 7, 32, GREEN);
  CHECK_PIXEL(DASHED("pathLength='8'"), 8, 32, 0);
  CHECK_PIXEL(DASHED("pathLength='8' stroke-dashoffset='1'"), 8, 32, GREEN);
  CHECK_PIXEL(DASHED("pathLength='0'"), 15, 32, GREEN);
  CHECK_PIXEL(DASHED("pathLength='-8'"), 7, 32, 0);
  CHECK_PIXEL(DASHED("pathLength='1e-38'"), 7, 32, GREEN);
  CHECK_PIXEL(SVG("<rect x='8' y='8' width='48' height='48' fill='none' stroke='green' stroke-width='8' pathLength='4' "
                  "stroke-dasharray='1'/>"),
              40, 8, GREEN);
#undef DASHED
}

TEST(css_values) {
  if (!have_svg()) SKIP("built without SVG");
  // rem on the root is of the initial size (CSS Values 4, 6.1.2).
  CHECK_PIXEL(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64' style='font-size:2rem'>"
      "<rect width='1em' height='64' fill='green'/></svg>",
      23, 5, GREEN);
  CHECK_PIXEL(SVG("<path d='M0 0H64V64z' style='d:none'/>"), 60, 5, 0);
  CHECK_PIXEL(SVG("<rect width='calc(10px + 2em)' height='64' font-size='10' fill='green'/>"), 29, 5, GREEN);
  CHECK_PIXEL(SVG("<rect width='calc(10px + 2em)' height='64' font-size='10' fill='green'/>"), 30, 5, 0);
  CHECK_PIXEL(SVG("<rect style='width:calc(50% - 2px)' height='64' fill='green'/>"), 29, 5, GREEN);
  CHECK_PIXEL(SVG("<rect style='width:calc(50% - 2px)' height='64' fill='green'/>"), 30, 5, 0);
  CHECK_PIXEL(SVG("<path d='M0 32H64' stroke='green' style='stroke-width:calc(10% + 9.6px)'/>"), 9, 24, GREEN);
  CHECK_PIXEL(SVG("<path d='M0 32H64' stroke='green' style='stroke-width:calc(10% + 9.6px)'/>"), 9, 23, 0);
  CHECK_PIXEL(
      SVG("<g color='red'><rect width='64' height='64' style='fill:color-mix(in srgb, currentColor, blue)'/></g>"), 5,
      5, 0x800080ff);
  // Units, where Chromium asks for them.
  CHECK_PIXEL(SVG("<circle style='cx:32;cy:32;r:9' fill='green'/>"), 32, 32, GREEN);
  CHECK_PIXEL(SVG("<rect style='width:64' height='64' fill='green'/>"), 1, 1, 0);
  CHECK_PIXEL(SVG("<rect style='transform:translate(9,9)' width='64' height='64' fill='green'/>"), 1, 1, GREEN);
  // translate, rotate and scale come before transform, about its origin.
  CHECK_PIXEL(SVG("<rect width='8' height='8' fill='green' style='translate:20px 50%'/>"), 27, 39, GREEN);
  CHECK_PIXEL(SVG("<rect width='8' height='8' fill='green' style='rotate:90deg;transform-origin:16px 16px'/>"), 31, 7,
              GREEN);
  CHECK_PIXEL(SVG("<rect width='8' height='8' fill='green' style='scale:2 4'/>"), 15, 31, GREEN);
  CHECK_PIXEL(SVG("<rect width='8' height='8' fill='green' style='scale:2' transform='translate(8)'/>"), 31, 15, GREEN);
  CHECK_PIXEL(SVG("<rect width='8' height='8' fill='green' style='translate:20px;scale:2;transform:translate(8px)'/>"),
              51, 15, GREEN);
  CHECK_PIXEL(SVG("<rect width='8' height='8' fill='green' scale='2' rotate='9' translate='7'/>"), 7, 7, GREEN);
  CHECK_PIXEL(SVG("<rect width='8' height='8' fill='green' style='scale:0'/>"), 1, 1, 0);
}

TEST(structure) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_PIXEL(SVG("<defs>" FULL "</defs><symbol>" FULL "</symbol><random>" FULL "</random>"), 5, 5, 0);
  CHECK_PIXEL(SVG("<defs><rect id='a' width='9' height='9' fill='green'/></defs><use href='#a' x='20' y='20'/>"), 22,
              22, GREEN);
  CHECK_PIXEL(SVG("<defs><rect id='a' width='9' height='9'/></defs><use xlink:href='#a' fill='green'/>"), 2, 2, GREEN);
  CHECK_PIXEL(SVG("<symbol id='a' viewBox='0 0 2 2'><rect width='1' height='1' fill='green'/></symbol>"
                  "<use href='#a' x='10' width='40' height='40'/>"),
              29, 19, GREEN);
  CHECK_PIXEL(SVG("<svg x='10' y='10' width='20' height='20'>" FULL "</svg>"), 9, 20, 0);
  CHECK_PIXEL(SVG("<svg x='10' y='10' width='20' height='20'>" FULL "</svg>"), 29, 20, GREEN);
  CHECK_PIXEL(SVG("<svg x='10' y='10' width='20' height='20' overflow='visible'>" FULL "</svg>"), 50, 20, GREEN);
  CHECK_PIXEL(SVG("<svg width='0'>" FULL "</svg>"), 5, 5, 0);
  CHECK_PIXEL(SVG("<switch><g requiredExtensions='x'/><rect systemLanguage='fr' width='64' height='64'/>"
                  "<rect systemLanguage='de, en-GB' width='64' height='64' fill='green'/>" FULL "</switch>"),
              5, 5, GREEN);
  CHECK_PIXEL(SVG("<g transform='translate(10 10) scale(2)'><rect width='5' height='5' fill='green'/></g>"), 19, 19,
              GREEN);
  CHECK_PIXEL(SVG("<rect width='10' height='10' fill='green' transform='rotate(90)' transform-origin='5 5' "
                  "style='transform-box:fill-box'/>"),
              2, 2, GREEN);
  CHECK_PIXEL(SVG("<g transform='scale(0)'>" FULL "</g>"), 0, 0, 0);
  CHECK_PIXEL(SVG("<a>" FULL "</a>"), 5, 5, GREEN);
  CHECK_PIXEL(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 1' preserveAspectRatio='xMinYMax'>"
      "<rect width='2' height='1' fill='green'/></svg>",
      5, 62, GREEN);
  CHECK_PIXEL("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1' style='background-color:green'/>", 5, 5,
              GREEN);
}

TEST(paint_servers) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_PIXEL(SVG("<linearGradient id='a'><stop stop-color='green'/></linearGradient>"
                  "<rect width='64' height='64' fill='url(#a)'/>"),
              5, 5, GREEN);
  CHECK_PIXEL(
      SVG("<linearGradient id='a' href='#b' x1='0.5' x2='0.5'/><linearGradient id='b'><stop stop-color='red'/>"
          "<stop offset='1' stop-color='green'/></linearGradient><rect width='64' height='64' fill='url(#a)'/>"),
      5, 5, GREEN);
  CHECK_PIXEL(SVG("<radialGradient id='a' r='0'><stop stop-color='red'/><stop offset='1' stop-color='green'/>"
                  "</radialGradient><rect width='64' height='64' fill='url(#a)'/>"),
              5, 5, GREEN);
  // A focus that rounding has moved out of the circle lies on it, and right of the tangent nothing is painted.
#define FOCUS(fx)                                                                                           \
  SVG("<radialGradient id='a' gradientUnits='userSpaceOnUse' cx='32' cy='32' r='20' fx='" fx                \
      "'>"                                                                                                  \
      "<stop stop-color='green'/><stop offset='.9' stop-color='green'/><stop offset='1' stop-color='red'/>" \
      "</radialGradient><rect width='64' height='64' fill='url(#a)'/>")
  CHECK_PIXEL(FOCUS("52"), 40, 32, GREEN);
  CHECK_PIXEL(FOCUS("52.001"), 40, 32, GREEN);
  CHECK_PIXEL(FOCUS("52.001"), 60, 32, 0);
  CHECK_PIXEL(FOCUS("52.1"), 40, 32, RED);
  // Templates that go round end where they meet themselves.
  CHECK_PIXEL(SVG("<linearGradient id='a' href='#b'/><linearGradient id='b' href='#a'><stop stop-color='green'/>"
                  "</linearGradient><rect width='64' height='64' fill='url(#a)'/>"),
              5, 5, GREEN);
  CHECK_PIXEL(SVG("<rect width='64' height='64' fill='url(#none) green'/>"), 5, 5, GREEN);
  CHECK_PIXEL(SVG("<rect width='64' height='64' fill='url(#none)'/>"), 5, 5, 0);
  // A box without height is no coordinate system.
  CHECK_PIXEL(SVG("<linearGradient id='a'><stop stop-color='red'/></linearGradient>"
                  "<path d='M0 5H64' stroke-width='6' stroke='url(#a) green'/>"),
              5, 5, GREEN);
  static const char pattern[] =
      SVG("<pattern id='p' x='2' y='2' width='8' height='8' patternUnits='userSpaceOnUse'>"
          "<rect width='4' height='4' fill='green'/></pattern>"
          "<rect width='64' height='64' fill='url(#p)'/>");
  CHECK_PIXEL(pattern, 10, 10, GREEN);
  CHECK_PIXEL(pattern, 13, 13, GREEN);
  CHECK_PIXEL(pattern, 14, 14, 0);
  CHECK_PIXEL(SVG("<pattern id='p' width='1' height='1'><rect width='64' height='64' fill='url(#p)'/>"
                  "<rect width='32' height='64' fill='green'/></pattern><rect width='64' height='64' fill='url(#p)'/>"),
              5, 5, GREEN);
}

TEST(clips_and_masks) {
  if (!have_svg()) SKIP("built without SVG");
#define CLIPPED(clip) SVG(clip "<g clip-path='url(#c)'>" FULL "</g>")
  CHECK_PIXEL(CLIPPED("<clipPath id='c'><rect width='10' height='64'/></clipPath>"), 9, 9, GREEN);
  CHECK_PIXEL(CLIPPED("<clipPath id='c'><rect width='10' height='64'/></clipPath>"), 10, 9, 0);
  CHECK_PIXEL(
      CLIPPED("<clipPath id='c'><rect width='10' height='64'/><rect x='20' width='10' height='64'/></clipPath>"), 25, 9,
      GREEN);
  CHECK_PIXEL(
      CLIPPED("<clipPath id='c'><rect width='10' height='64'/><rect x='20' width='10' height='64'/></clipPath>"), 15, 9,
      0);
  CHECK_PIXEL(CLIPPED("<clipPath id='c' clipPathUnits='objectBoundingBox'><rect width='.5' height='1'/></clipPath>"),
              31, 9, GREEN);
  CHECK_PIXEL(CLIPPED("<clipPath id='c' clipPathUnits='objectBoundingBox'><rect width='.5' height='1'/></clipPath>"),
              32, 9, 0);
  // Percentages are of the viewport in units of the box, too.
  CHECK_PIXEL(CLIPPED("<clipPath id='c' clipPathUnits='objectBoundingBox'><rect width='1%' height='9%'/></clipPath>"),
              39, 9, GREEN);
  CHECK_PIXEL(CLIPPED("<clipPath id='c' clipPathUnits='objectBoundingBox'><rect width='1%' height='9%'/></clipPath>"),
              42, 9, 0);
  CHECK_PIXEL(CLIPPED("<clipPath id='c'/>"), 9, 9, 0);
  CHECK_PIXEL(CLIPPED("<g id='c'/>"), 9, 9, GREEN);
  CHECK_PIXEL(CLIPPED("<clipPath id='c' clip-path='url(#c)'><rect width='10' height='64'/></clipPath>"), 9, 9, GREEN);
  CHECK_PIXEL(CLIPPED("<clipPath id='d'><rect width='64' height='10'/></clipPath>"
                      "<clipPath id='c' clip-path='url(#d)'><rect width='10' height='64'/></clipPath>"),
              9, 10, 0);
  CHECK_PIXEL(SVG("<rect width='64' height='64' fill='green' clip-path='inset(10px)'/>"), 10, 10, GREEN);
  CHECK_PIXEL(SVG("<rect width='64' height='64' fill='green' clip-path='inset(10px)'/>"), 9, 10, 0);
  CHECK_PIXEL(SVG("<rect width='64' height='64' fill='green' clip-path='inset('/>"), 9, 10, GREEN);
#define MASKED(mask) SVG(mask "<g mask='url(#m)'>" FULL "</g>")
  CHECK_PIXEL(MASKED("<mask id='m'><rect width='10' height='64' fill='white'/></mask>"), 9, 9, GREEN);
  CHECK_PIXEL(MASKED("<mask id='m'><rect width='10' height='64' fill='white'/></mask>"), 10, 9, 0);
  CHECK_PIXEL(MASKED("<mask id='m'><rect width='10' height='64' fill='black'/></mask>"), 9, 9, 0);
  CHECK_PIXEL(MASKED("<mask id='m' mask-type='alpha'><rect width='10' height='64'/></mask>"), 9, 9, GREEN);
  CHECK_PIXEL(MASKED("<mask id='m' width='.1' x='0'><rect width='64' height='64' fill='white'/></mask>"), 32, 9, 0);
  CHECK_PIXEL(
      MASKED("<mask id='m' maskContentUnits='objectBoundingBox'><rect width='.5' height='1' fill='white'/></mask>"), 31,
      9, GREEN);
  CHECK_PIXEL(
      MASKED("<mask id='m' maskContentUnits='objectBoundingBox'><rect width='1%' height='9%' fill='white'/></mask>"),
      39, 9, GREEN);
  CHECK_PIXEL(MASKED("<mask id='m'><rect width='64' height='64' fill='white' mask='url(#m)'/></mask>"), 9, 9, GREEN);
  CHECK_PIXEL(SVG(FULL "<rect width='64' height='64' fill='red' mask='url(#none)' clip-path='url(#none)'/>"), 9, 9,
              RED);
  // Half of the light is a fifth of the energy.
  static drawn d;
  draw_svg(MASKED("<mask id='m' color-interpolation='linearRGB'><rect width='64' height='64' fill='#808080'/></mask>"),
           NULL, &d);
  CHECK_INT(d.result, STIJL_OK);
  CHECK_NEAR(pixel(&d, 9, 9) & 0xff, 0.2158605 * 255.0, 1.0);
}

// Returns whether each of red, green and blue differs by 2 at most from that of the colour; Chromium's differ by as
// much.
static bool is_near(uint32_t got, uint32_t color) {
  for (int shift = 0; shift < 32; shift += 8) {
    int difference = (int)(got >> shift & 255) - (int)(color >> shift & 255);
    if (difference > 2 || difference < -2) return false;
  }
  return true;
}

TEST(gradients_in_linear_light) {
  if (!have_svg()) SKIP("built without SVG");
  static drawn d;
#define LINEAR(attributes, content, fill)                                              \
  SVG("<linearGradient id='g' color-interpolation='linearRGB' " attributes ">" content \
      "</linearGradient>"                                                              \
      "<rect width='64' height='64' fill='" fill "'/>")
#define TWO "<stop stop-color='red'/><stop offset='1' stop-color='lime'/>"
  draw_svg(LINEAR("", TWO, "url(#g)"), NULL, &d);
  const int xs[] = {2, 16, 32, 48, 62};
  const uint32_t expected[] = {0xfa3800ff, 0xe08b00ff, 0xbbbc00ff, 0x88e200ff, 0x2afc00ff};
  for (int i = 0; i < 5; i++)
    if (!is_near(pixel(&d, xs[i], 32), expected[i]))
      sj_test_fail(__FILE__, __LINE__, "at %d: %08x", xs[i], pixel(&d, xs[i], 32));
  // A gradient takes stops of another, but not its property; and stops have an alpha.
  draw_svg(SVG("<linearGradient id='g' color-interpolation='linearRGB'>" TWO
               "</linearGradient><linearGradient id='h' href='#g'/>"
               "<rect width='64' height='64' fill='url(#h)'/>"),
           NULL, &d);
  CHECK(is_near(pixel(&d, 32, 32), 0x7e8100ff));
  draw_svg(LINEAR("", "<stop stop-color='red' stop-opacity='0'/><stop offset='1' stop-color='white'/>", "url(#g)"),
           NULL, &d);
  CHECK(is_near(pixel(&d, 32, 32), 0x825f5f82));
}

// Patterns and masks have the pixels of the target, whatever size the scene was recorded for.
TEST(scenes_have_no_resolution) {
  if (!have_svg()) SKIP("built without SVG");
  static const char *const documents[] = {
      SVG("<pattern id='p' width='8' height='8' patternUnits='userSpaceOnUse'><rect width='4' height='8' fill='red'/>"
          "<circle cx='6' cy='4' r='2' fill='blue'/></pattern><rect width='64' height='64' fill='url(#p)'/>"),
      SVG("<pattern id='q' width='2' height='2' patternUnits='userSpaceOnUse'><rect width='1' height='1'/></pattern>"
          "<pattern id='p' width='16' height='16' patternUnits='userSpaceOnUse'><path d='M0 0h16L0 16z' "
          "fill='url(#q)'/>"
          "</pattern><circle cx='32' cy='32' r='32' fill='url(#p)'/>"),
      SVG("<mask id='m' color-interpolation='linearRGB'><path d='M0 0L64 40H0z' fill='gray'/></mask>"
          "<rect width='64' height='64' fill='green' mask='url(#m)'/>")};
  for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
    static drawn whole, scaled;
    draw_svg(documents[i], NULL, &whole);
    for (int size = 4; size <= 1024; size *= 4) {
      draw_svg_recorded(documents[i], size, &scaled);
      CHECK_INT(scaled.result, STIJL_OK);
      for (int at = 0; at < DRAWN_SIZE * DRAWN_SIZE; at++)
        if (whole.pixels[at] != scaled.pixels[at]) {
          sj_test_fail(__FILE__, __LINE__, "document %zu recorded for %d: pixel %d, %d is %08x, expected %08x", i, size,
                       at % DRAWN_SIZE, at / DRAWN_SIZE, scaled.pixels[at], whole.pixels[at]);
          break;
        }
    }
  }
}

// Masks and patterns that cover a large canvas take no memory beforehand.
TEST(full_masks_of_a_large_canvas) {
  if (!have_svg()) SKIP("built without SVG");
  static const char text[] =
      SVG("<mask id='m' color-interpolation='linearRGB'><circle cx='32' cy='32' r='30' fill='white'/></mask>"
          "<g mask='url(#m)'><g mask='url(#m)'><g mask='url(#m)'><rect width='64' height='64' "
          "mask='url(#m)'/></g></g></g>");
  stijl_svg *svg;
  stijl_scene *scene;
  stijl_message message;
  CHECK_INT(stijl_svg_load(NULL, text, sizeof text - 1, NULL, &svg, &message), STIJL_OK);
  CHECK_INT(stijl_svg_scene(svg, 8192, 8192, &scene, &message), STIJL_OK);
  stijl_renderer *renderer;
  CHECK_INT(stijl_renderer_create(NULL, NULL, &renderer, &message), STIJL_OK);
  static uint32_t pixels[16][16];
  stijl_target target = {sizeof target,   8192, 8192, {4096, 4096, 4112, 4112}, STIJL_FORMAT_RGBA8, pixels,
                         sizeof pixels[0]};
  CHECK_INT(stijl_render(renderer, scene, &target, NULL, &message), STIJL_OK);
  CHECK_INT(pixels[3][3], 0xff000000u);
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
  stijl_svg_destroy(svg);
}

TEST(layers) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_PIXEL(SVG(FULL "<rect width='64' height='64' fill='red' style='mix-blend-mode:multiply'/>"), 5, 5, BLACK);
  CHECK_PIXEL(SVG(FULL "<g style='isolation:isolate'><rect width='64' height='64' fill='red' "
                       "style='mix-blend-mode:multiply'/></g>"),
              5, 5, RED);
  // Folding the opacity into a single draw changes nothing, and overlaps within a group do not show.
  CHECK_PIXEL(SVG("<rect width='64' height='64' opacity='.5'/>"), 5, 5, 0x00000080);
  CHECK_PIXEL(SVG("<g opacity='.5'><rect width='64' height='64'/><rect width='64' height='64'/></g>"), 5, 5,
              0x00000080);
  CHECK_PIXEL(SVG("<rect x='10' y='10' width='40' height='40' stroke='black' stroke-width='20' opacity='.5'/>"), 15, 15,
              0x00000080);
  CHECK_PIXEL(SVG("<rect x='10' y='10' width='40' height='40' fill='red' stroke='green' stroke-width='10' "
                  "paint-order='stroke'/>"),
              12, 20, RED);
  CHECK_PIXEL(
      SVG("<g style='isolation:isolate'><rect width='64' height='64' fill='#f01000' fill-opacity='.5'/>"
          "<rect width='64' height='64' fill='#00f000' fill-opacity='.6' style='mix-blend-mode:plus-lighter'/></g>"),
      32, 32, 0x789800ffu);
}

TEST(markers) {
  if (!have_svg()) SKIP("built without SVG");
#define MARKED(marker, path) SVG("<marker id='m' " marker "><rect width='4' height='4' fill='green'/></marker>" path)
  CHECK_PIXEL(MARKED("markerWidth='4' markerHeight='4'", "<path d='M8 8H40' marker-end='url(#m)'/>"), 42, 10, GREEN);
  CHECK_PIXEL(MARKED("markerWidth='4' markerHeight='4' refX='4'", "<path d='M8 8H40' marker-end='url(#m)'/>"), 38, 10,
              GREEN);
  CHECK_PIXEL(MARKED("markerWidth='4' markerHeight='4' orient='auto'", "<path d='M40 40V8' marker-end='url(#m)'/>"), 42,
              6, GREEN);
  CHECK_PIXEL(MARKED("markerWidth='2' markerHeight='4'", "<path d='M8 8H40' marker-end='url(#m)'/>"), 43, 10, 0);
  CHECK_PIXEL(MARKED("markerWidth='4' markerHeight='4'", "<path d='M8 8H40' stroke-width='3' marker-end='url(#m)'/>"),
              51, 19, GREEN);
  CHECK_PIXEL(
      MARKED("markerWidth='4' markerHeight='4'", "<rect width='9' height='9' fill='none' marker-end='url(#m)'/>"), 2, 2,
      0);
  // An arc is several curves but one segment: no marker in its middle.
  CHECK_PIXEL(MARKED("markerWidth='4' markerHeight='4'",
                     "<path d='M8 32A24 24 0 1 1 56 32' fill='none' marker-mid='url(#m)'/>"),
              34, 10, 0);
  CHECK_PIXEL(MARKED("markerWidth='4' markerHeight='4'",
                     "<path d='M8 32a24 24 0 0 1 24-24 24 24 0 0 1 24 24' fill='none' marker-mid='url(#m)'/>"),
              34, 10, GREEN);
  // Where the path turns straight back, the marker points to the left of the way.
  CHECK_PIXEL(MARKED("markerWidth='4' markerHeight='4' refY='2' orient='auto'",
                     "<path d='M8 32h24h-24' fill='none' marker-mid='url(#m)'/>"),
              32, 30, GREEN);
}

static void expect_limit(const char *text, const char *name) {
  static drawn d;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.limits.max_elements = 20000;
  params.limits.max_depth = 64;
  draw_svg(text, &params, &d);
  CHECK_INT(d.result, STIJL_ERROR_LIMIT);
  if (!strstr(d.message.text, name)) sj_test_fail(__FILE__, __LINE__, "%s", d.message.text);
}

TEST(use_bombs_meet_the_limit) {
  if (!have_svg()) SKIP("built without SVG");
  char text[8192] = "<svg xmlns='http://www.w3.org/2000/svg'><defs><rect id='a0' width='1' height='1'/>";
  char masks[8192] = "<svg xmlns='http://www.w3.org/2000/svg'><defs><mask id='a0'><rect width='1' height='1'/></mask>";
  for (int i = 1; i < 20; i++) {
    char each[256];
    snprintf(each, sizeof each, "<g id='a%d'><use href='#a%d'/><use href='#a%d'/><use href='#a%d'/></g>", i, i - 1,
             i - 1, i - 1);
    strcat(text, each);
    snprintf(each, sizeof each,
             "<mask id='a%d'><path d='M0 0h9v9' mask='url(#a%d)'/><path d='M0 0h9v9' mask='url(#a%d)'/></mask>", i,
             i - 1, i - 1);
    strcat(masks, each);
  }
  strcat(text, "</defs><use href='#a19'/></svg>");
  strcat(masks, "</defs><path d='M0 0h9v9' mask='url(#a19)'/></svg>");
  expect_limit(text, "max_elements");
  expect_limit(masks, "max_elements");
}

TEST(long_chains_meet_the_limit) {
  if (!have_svg()) SKIP("built without SVG");
  static char text[100000];
  strcpy(text, "<svg xmlns='http://www.w3.org/2000/svg'><defs>");
  char *at = text + strlen(text);
  for (int i = 0; i < 500; i++) at += sprintf(at, "<g id='a%d'><use href='#a%d'/></g>", i, i + 1);
  strcpy(at, "<rect id='a500' width='9' height='9'/></defs><use href='#a0'/></svg>");
  expect_limit(text, "max_depth");
}

TEST(circles_of_references_end) {
  if (!have_svg()) SKIP("built without SVG");
  static const char *const circles[] = {
      SVG("<g id='a'><use href='#a'/></g>"),
      SVG("<use id='a' href='#b'/><use id='b' href='#a'/>"),
      SVG("<pattern id='p' width='1' height='1'><rect width='9' height='9' fill='url(#q)'/></pattern>"
          "<pattern id='q' width='1' height='1'><rect width='9' height='9' fill='url(#p)'/></pattern>"
          "<rect width='9' height='9' fill='url(#p)'/>"),
      SVG("<mask id='m' mask='url(#n)'><rect width='9' height='9'/></mask>"
          "<mask id='n' mask='url(#m)'><rect width='9' height='9'/></mask><rect width='9' height='9' mask='url(#m)'/>"),
      SVG("<clipPath id='c'><rect width='9' height='9' clip-path='url(#d)'/></clipPath>"
          "<clipPath id='d'><use href='#r' clip-path='url(#c)'/></clipPath>"
          "<rect id='r' width='9' height='9' clip-path='url(#c)'/>"),
      SVG("<marker id='m'><path d='M0 0H9' marker-end='url(#n)'/></marker>"
          "<marker id='n'><path d='M0 0H9' marker-end='url(#m)'/></marker><path d='M0 0H9' marker-start='url(#m)'/>"),
      SVG("<rect id='a' width='9' height='9' fill='context-fill'/><use id='u' href='#v' fill='context-fill'/>"
          "<use id='v' href='#u' fill='context-stroke'/>"),
      SVG("<radialGradient id='a' href='#b'/><linearGradient id='b' href='#a'/><rect width='9' height='9' "
          "fill='url(#a)'/>"),
      SVG("<mask id='m'><use href='#r'/></mask><rect id='r' width='9' height='9' mask='url(#m)'/>"),
      SVG("<pattern id='p' width='1' height='1'><use href='#r'/></pattern><rect id='r' width='9' height='9' "
          "fill='url(#p)'/>"),
  };
  for (size_t i = 0; i < sizeof circles / sizeof *circles; i++) {
    static drawn d;
    draw_svg(circles[i], NULL, &d);
    if (d.result != STIJL_OK) sj_test_fail(__FILE__, __LINE__, "case %zu: %s", i, d.message.text);
  }
}

TEST(numbers_of_any_size) {
  if (!have_svg()) SKIP("built without SVG");
  static const char *const texts[] = {
      SVG("<rect x='-1e38' y='1e38' width='3e38' height='3e38'/>"),
      SVG("<g transform='scale(1e38)'><g transform='scale(1e38)'>" FULL "</g></g>"),
      SVG("<circle r='1e30' stroke='red' stroke-width='1e30' stroke-dasharray='1e-30 1e30'/>"),
      SVG("<path d='M1e38 1e38L-1e38-1e38A1e30 1e-30 1e30 0 1 1e38 0' stroke='red'/>"),
      SVG("<pattern id='p' width='1e30' height='1e-30' patternUnits='userSpaceOnUse'>" FULL "</pattern>"
          "<rect width='64' height='64' fill='url(#p)'/>"),
      SVG("<linearGradient id='a' x1='-1e38' x2='1e38'><stop/><stop offset='1e38'/></linearGradient>"
          "<rect width='64' height='64' fill='url(#a)'/>"),
      "<svg xmlns='http://www.w3.org/2000/svg' width='1e-38' height='1e38' viewBox='0 0 1e38 1e-38'>" FULL "</svg>",
      SVG("<svg viewBox='1e38 1e38 1e-38 1e-38'>" FULL "</svg>"),
      SVG("<mask id='m' x='-1e38' width='1e38' height='1e38'>" FULL "</mask><g mask='url(#m)'>" FULL "</g>"),
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    static drawn d;
    draw_svg(texts[i], NULL, &d);
    if (d.result != STIJL_OK) sj_test_fail(__FILE__, __LINE__, "case %zu: %s", i, d.message.text);
  }
}
