// Animations at one time. What is expected is what Chromium shows with its clock stopped there;
// tests/golden/animations.mjs compares many more with it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "svg/style/interpolate.h"
#include "svg_draw.h"
#include "test.h"

#define SPAN(text) ((sj_span){text, sizeof text - 1})

static const char *between(sj_span a, sj_span b, double t) {
  static char text[200];
  sj_span_buffer out = {0};
  if (!sj_interpolate_values(sj_context(NULL), a, b, t, &out)) return "memory";
  snprintf(text, sizeof text, "%.*s", (int)out.count, out.data ? out.data : "");
  sj_array_finish(sj_context(NULL), &out);
  return text;
}

static const char *identity(sj_span like, bool factors) {
  static char text[200];
  sj_span_buffer out = {0};
  if (!sj_identity_value(sj_context(NULL), like, factors, &out)) return "memory";
  snprintf(text, sizeof text, "%.*s", (int)out.count, out.data ? out.data : "");
  sj_array_finish(sj_context(NULL), &out);
  return text;
}

TEST(values_between_values) {
  CHECK_STR(between(SPAN("1"), SPAN("3"), 0.5), "2");
  CHECK_STR(between(SPAN("10px"), SPAN("20px"), 0.25), "12.5px");
  CHECK_STR(between(SPAN("10px"), SPAN("20%"), 0.25), "calc((10px) * 0.75 + (20%) * 0.25)");
  CHECK_STR(between(SPAN("10px"), SPAN("20%"), 0.75), "calc((10px) * 0.25 + (20%) * 0.75)");
  CHECK_STR(between(SPAN("M0 0l1,1"), SPAN("M2-2l1 3"), 0.5), "M1 -1l1,2");
  CHECK_STR(between(SPAN("a1 1 0 01 4 4"), SPAN("a1 1 0 01 8 8"), 0.5), "a1 1 0 01 6 6");
  CHECK_STR(between(SPAN("red"), SPAN("#00f"), 0.5), "rgba(127.5,0,127.5,1)");
  CHECK_STR(between(SPAN("rotate(0 5 5)"), SPAN("rotate(90,5,5)"), 0.5), "rotate(45 5 5)");
  CHECK_STR(between(SPAN("url(#a1)"), SPAN("url(#a2)"), 0.4), "url(#a1)");
  CHECK_STR(between(SPAN("none"), SPAN("inline"), 0.5), "inline");
  CHECK_STR(between(SPAN(""), SPAN(""), 0.5), "");
  CHECK_STR(between(SPAN("1"), SPAN("2"), 1.5), "2.5");
  CHECK_STR(identity(SPAN("rotate(9deg) scaleX(2)matrix(2 3,4 5 6 7)"), false),
            "rotate(0deg) scaleX(1)matrix(1 0,0 1 0 0)");
  CHECK_STR(identity(SPAN("2 3"), true), "1 1");
  CHECK_STR(identity(SPAN("8px 10%"), false), "0px 0%");
  CHECK_STR(identity(SPAN("((-.5e1x"), false), "((0x");
  CHECK_NEAR(sj_ease_cubic(0.42, 0, 0.58, 1, 0.5), 0.5, 1e-9);
  CHECK_NEAR(sj_ease_cubic(0.25, 0.1, 0.25, 1, 0.5), 0.8024, 1e-4);
}

// A green square of 8 that something happens to.
#define SQUARE(attributes, animation) SVG("<rect width='8' height='8' fill='green' " attributes ">" animation "</rect>")
#define ANIMATE(name, rest) "<animate attributeName='" name "' " rest "/>"
#define WIDE(animation) ROW(animation, 16)
#define PLAIN(animation) ROW(animation, 8)
#define ROW(animation, width)                                \
  do {                                                       \
    CHECK_PIXEL(SQUARE("", animation), (width)-1, 4, GREEN); \
    CHECK_PIXEL(SQUARE("", animation), (width), 4, 0);       \
  } while (0)
#define MOVED(animation)                               \
  do {                                                 \
    CHECK_PIXEL(SQUARE("", animation), 15, 15, GREEN); \
    CHECK_PIXEL(SQUARE("", animation), 7, 7, 0);       \
  } while (0)

TEST(first_values) {
  if (!have_svg()) SKIP("built without SVG");
  WIDE(ANIMATE("width", "from='16' to='4' dur='2s'"));
  WIDE(ANIMATE("width", "values='16;4;99' dur='2s'"));
  WIDE(ANIMATE("width", "from='16' to='4'"));
  WIDE("<set attributeName='width' to='16'/>");
  PLAIN(ANIMATE("width", "to='16' dur='2s'"));
  PLAIN(ANIMATE("width", "by='16' dur='2s'"));
  PLAIN(ANIMATE("width", "from='16' dur='2s'"));
  PLAIN("<set attributeName='width' to='16' begin='1s'/>");
  PLAIN(ANIMATE("width", "values='16;4' dur='2s' begin='click'"));
  PLAIN(ANIMATE("width", "values='16;4' dur='2s' begin='indefinite'"));
  WIDE(ANIMATE("width", "values='16;4' dur='2s' begin='click;0s'"));
  PLAIN(ANIMATE("width", "values='16;4' dur='2s' end='0s'"));
  PLAIN(ANIMATE("width", "values='16;4' keyTimes='0;0.5' dur='2s'"));
  CHECK_PIXEL(SQUARE("", ANIMATE("fill", "from='red' to='blue' dur='2s'")), 4, 4, RED);
  CHECK_PIXEL(SQUARE("style='fill:blue'", ANIMATE("fill", "from='red' to='blue' dur='2s'")), 4, 4, RED);
  CHECK_PIXEL(SQUARE("style='fill:blue!important'", ANIMATE("fill", "from='red' to='blue' dur='2s'")), 4, 4, BLUE);
  CHECK_PIXEL(
      SVG("<style>rect{fill:blue}</style><rect width='8' height='8'><set attributeName='fill' to='red'/></rect>"), 4, 4,
      RED);
  CHECK_PIXEL(SVG("<g fill='blue'><rect width='8' height='8'/><set attributeName='fill' to='red'/></g>"), 4, 4, RED);
  CHECK_PIXEL(SVG("<rect id='a' width='8' height='8'/><set href='#a' attributeName='fill' to='red'/>"), 4, 4, RED);
  CHECK_PIXEL(SQUARE("", "<set attributeName='display' to='none'/>"), 4, 4, 0);
  CHECK_PIXEL(SVG("<linearGradient id='a'><stop stop-color='red'><set attributeName='stop-color' to='blue'/></stop>"
                  "</linearGradient><rect width='8' height='8' fill='url(#a)'/>"),
              4, 4, BLUE);
}

TEST(begun_before) {
  if (!have_svg()) SKIP("built without SVG");
  WIDE(ANIMATE("width", "values='8;24' dur='2s' begin='-1s'"));
  WIDE(ANIMATE("width", "to='24' dur='2s' begin='-1s'"));
  WIDE(ANIMATE("width", "by='16' dur='2s' begin='-1s'"));
  WIDE(ANIMATE("width", "from='4' by='24' dur='200ms' begin='-100ms'"));
  WIDE(ANIMATE("width", "values='8;16;4' calcMode='discrete' dur='3s' begin='-1.5s'"));
  WIDE(ANIMATE("width", "values='8;16;4' keyTimes='0;.1;1' dur='2s' begin='-.2s'"));
  WIDE(ANIMATE("width", "values='8;24' calcMode='spline' keySplines='.42 0 .58 1' dur='2s' begin='-1s'"));
  WIDE(ANIMATE("width", "values='8;24' dur='1s' begin='-2.5s' repeatCount='indefinite'"));
  WIDE(ANIMATE("width", "values='0;8' dur='1s' accumulate='sum' repeatCount='3' begin='-2s'"));
  PLAIN(ANIMATE("width", "values='8;24' dur='1s' begin='-2s' fill='freeze'"));
  // One above the other: what began later wins, then what comes later.
  WIDE(ANIMATE("width", "values='16;4' dur='9s'") ANIMATE("width", "values='4;5' dur='9s' begin='-1s'"));
  WIDE(ANIMATE("width", "values='4;4' dur='9s'") ANIMATE("width", "values='16;16' dur='9s'"));
  WIDE(ANIMATE("width", "values='4;4' dur='9s'") ANIMATE("width", "values='12;1' additive='sum' dur='9s'"));
  WIDE(ANIMATE("x", "id='a' values='0;1' dur='2s'") ANIMATE("width", "values='16;4' dur='2s' begin='a.begin'"));
  PLAIN(ANIMATE("x", "id='a' values='0;1' dur='2s'") ANIMATE("width", "values='16;4' dur='2s' begin='a.begin+.1s'"));
  PLAIN(ANIMATE("width", "id='a' values='16;4' begin='b.begin'")
            ANIMATE("width", "id='b' values='16;4' begin='a.begin'"));
}

TEST(transforms_and_motion) {
  if (!have_svg()) SKIP("built without SVG");
#define TURN(type, rest) "<animateTransform attributeName='transform' type='" type "' " rest "/>"
  MOVED(TURN("translate", "from='8 8' to='0 0' dur='2s'"));
  MOVED(TURN("translate", "values='0;16 16' dur='2s' begin='-1s'") TURN("translate", "values='8 8;0' dur='2s'"));
  CHECK_PIXEL(SQUARE("transform='translate(8 0)'", TURN("translate", "from='0 8' to='0 0' dur='2s'")), 4, 12, GREEN);
  CHECK_PIXEL(SQUARE("transform='translate(8 0)'", TURN("translate", "from='0 8' to='0 0' dur='2s' additive='sum'")),
              12, 12, GREEN);
  CHECK_PIXEL(SQUARE("", TURN("rotate", "values='0 8 8;180 8 8' dur='2s' begin='-1s'")), 15, 0, GREEN);
  MOVED("<animateMotion path='M8 8H9' dur='2s'/>");
  MOVED("<animateMotion path='M0 0H8V8H0' keyPoints='.6666666667;1' keyTimes='0;1' calcMode='linear' dur='2s'/>");
  MOVED("<animateMotion values='0,0;8,8;9,9' calcMode='linear' keyPoints='.888888889;.9' keyTimes='0;1' dur='2s'/>");
  MOVED("<animateMotion to='16,16' dur='2s' begin='-1s'/>");
  MOVED("<animateMotion path='M16 8V16' rotate='auto' dur='2s'/>");
  MOVED("<animateMotion dur='2s'><mpath href='#m'/></animateMotion></rect><path id='m' d='M8 8'/><rect>");
#undef TURN
}

#define KEYFRAMES(style, frames) \
  SVG("<style>@keyframes k{" frames "}</style><rect width='8' height='8' fill='green' style='" style "'/>")
#define AT(style, frames, width)                                \
  do {                                                          \
    CHECK_PIXEL(KEYFRAMES(style, frames), (width)-1, 4, GREEN); \
    CHECK_PIXEL(KEYFRAMES(style, frames), (width), 4, 0);       \
  } while (0)

TEST(css_animations) {
  if (!have_svg()) SKIP("built without SVG");
#define FRAMES "from{width:16px}to{width:4px}"
  AT("animation:k 2s", FRAMES, 16);
  AT("animation:k 2s 1s", FRAMES, 8);
  AT("animation:k 2s 1s both", FRAMES, 16);
  AT("animation:2s k backwards 1s", FRAMES, 16);
  AT("animation:k 2s -1s linear", FRAMES, 10);
  AT("animation:k 2s -1s ease-in-out", FRAMES, 10);
  AT("animation:k 2s -1s steps(4)", FRAMES, 10);
  AT("animation:k 2s -.3s steps(4,start)", FRAMES, 13);
  AT("animation:k 2s reverse", FRAMES, 4);
  AT("animation:k 2s alternate-reverse infinite", FRAMES, 4);
  AT("animation:k 2s -3s alternate linear infinite", FRAMES, 10);
  AT("animation:k 2s -3s forwards", FRAMES, 4);
  AT("animation:k 2s -3s", FRAMES, 8);
  AT("animation:k", FRAMES, 8);
  AT("animation:k forwards", FRAMES, 4);
  AT("animation:none", FRAMES, 8);
  AT("animation:missing 2s", FRAMES, 8);
  AT("animation:k 2s 1s, k 2s -1s linear", FRAMES, 10);
  AT("animation-name:k;animation-duration:2s", FRAMES, 16);
  AT("animation:k 2s;animation-delay:-1s;animation-timing-function:linear", FRAMES, 10);
  AT("-webkit-animation:k 2s", FRAMES, 16);
  AT("animation:k 2s;width:12px!important", FRAMES, 12);
  AT("animation:k 2s -1s linear", "50%{width:16px}", 16);
  AT("animation:k 2s -1s linear", "to{width:16px}", 12);
  AT("width:4px;animation:k 2s -1s linear", "to{width:16px}", 10);
  AT("animation:k 2s -1s linear", "0%,100%{width:16px}50%{width:4px}", 4);
  AT("animation:k 2s -1s linear", "from{width:16px;animation-timing-function:step-end}to{width:4px}", 16);
  AT("--w:16px;animation:k 2s", "from{width:var(--w)}", 16);
  AT("animation:k 2s", "from{width:16px}from{width:12px}", 12);
#undef FRAMES
  CHECK_PIXEL(KEYFRAMES("animation:k 2s", "from{opacity:0}to{opacity:1}"), 4, 4, 0);
  CHECK_PIXEL(KEYFRAMES("animation:k 2s linear", "from{transform:translate(8px,8px)}"), 15, 15, GREEN);
  CHECK_PIXEL(KEYFRAMES("animation:k 2s -1s linear", "from{translate:0 0}to{translate:16px 16px}"), 15, 15, GREEN);
  CHECK_PIXEL(KEYFRAMES("animation:k 2s -1s linear", "from{fill:red}to{fill:blue}"), 4, 4, 0x800080ff);
  // A missing end is the property's initial value; of transforms that is what does nothing.
  CHECK_PIXEL(KEYFRAMES("animation:k 2s -1s linear", "to{opacity:0}"), 4, 4, 0x00400080);
  CHECK_PIXEL(KEYFRAMES("opacity:.5;animation:k 2s -1s linear", "to{opacity:1}"), 4, 4, 0x006000bf);
  CHECK_PIXEL(KEYFRAMES("animation:k 2s -1.5s linear", "50%{opacity:0}"), 4, 4, 0x00400080);
  AT("animation:k 2s -1s linear", "to{transform:matrix(3,0,0,1,0,0)}", 16);
  AT("animation:k 2s -1s linear", "to{transform:scaleX(3) translate(0,4px)}", 16);
  AT("animation:k 2s -1s linear", "to{transform:scale(3)}", 16);
  AT("transform:none;animation:k 2s -1s linear", "to{transform:scale(3)}", 16);
  AT("animation:k 2s -1s linear", "from{transform:scale(3)}to{transform:none}", 16);
  AT("animation:k 2s -1s linear", "from{scale:3 1}", 16);
  CHECK_PIXEL(KEYFRAMES("animation:k 2s -1s linear", "to{translate:16px 16px}"), 15, 15, GREEN);
  CHECK_PIXEL(KEYFRAMES("animation:k 2s -1s linear", "to{transform:translate(16px,16px)}"), 15, 15, GREEN);
  // The last rule of a name counts, and one whose condition does not hold is none.
  CHECK_PIXEL(SVG("<style>@keyframes k{from{fill:red}}@keyframes k{from{fill:blue}}@media print{@keyframes k{from{"
                  "fill:lime}}}rect{animation:k 1s}</style><rect width='8' height='8'/>"),
              4, 4, BLUE);
}

// Returns how wide the green square is at a time, in its middle row.
static int width_at(double time, const char *text) {
  static drawn d;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.time = time;
  draw_svg(text, &params, &d);
  if (d.result != STIJL_OK) return -1;
  int width = 0;
  while (width < 64 && pixel(&d, width, 4) == GREEN) width++;
  return width;
}

TEST(times) {
  if (!have_svg()) SKIP("built without SVG");
#define GROW(rest) SQUARE("", ANIMATE("width", "from='16' to='32' " rest))
  const char *once = GROW("dur='2s' begin='1s' fill='freeze'"), *again = GROW("dur='2s' begin='0;3' fill='remove'");
  CHECK_INT(width_at(0.5, once), 8);
  CHECK_INT(width_at(1, once), 16);
  CHECK_INT(width_at(2, once), 24);
  CHECK_INT(width_at(9, once), 32);
  CHECK_INT(width_at(STIJL_SVG_END, once), 32);
  CHECK_INT(width_at(1, again), 24);
  CHECK_INT(width_at(2.5, again), 8);
  CHECK_INT(width_at(4, again), 24);
  CHECK_INT(width_at(STIJL_SVG_END, again), 8);
  CHECK_INT(width_at(5, GROW("dur='4s' begin='0;3' restart='whenNotActive'")), 8);
  CHECK_INT(width_at(5, GROW("dur='4s' begin='0;3'")), 24);
  CHECK_INT(width_at(5, GROW("dur='2s' begin='0;3' restart='never' fill='freeze'")), 32);
  CHECK_INT(width_at(3, GROW("dur='2s' repeatCount='indefinite'")), 24);
  CHECK_INT(width_at(2, GROW("dur='2s' repeatCount='indefinite'")), 16);
  CHECK_INT(width_at(9, GROW("dur='2s' repeatCount='1.5' fill='freeze'")), 24);
  CHECK_INT(width_at(9, GROW("dur='2s' repeatDur='3s' fill='freeze'")), 24);
  CHECK_INT(width_at(9, GROW("dur='2s' max='1s' fill='freeze'")), 24);
  CHECK_INT(width_at(9, GROW("dur='2s' end='1s' fill='freeze'")), 24);
  CHECK_INT(width_at(2, GROW("dur='1s' min='3s'")), 8);
  // Begun by one another.
#define PAIR(begin)                                                       \
  SQUARE("", ANIMATE("x", "id='a' values='0;0' dur='2s' repeatCount='2'") \
                 ANIMATE("width", "values='16;32' dur='2s' begin='" begin "'"))
  CHECK_INT(width_at(5, PAIR("a.end")), 24);
  CHECK_INT(width_at(3, PAIR("a.repeat(1)")), 24);
  CHECK_INT(width_at(2, PAIR("a.begin + 1s")), 24);
  CHECK_INT(width_at(5.5, PAIR("a.end+1s;a.end+0.5s")), 20);
  CHECK_INT(width_at(1, PAIR("a.end")), 8);
#define LOOP                                                                       \
  SQUARE("", ANIMATE("width", "id='a' from='16' to='32' dur='1s' begin='0;b.end'") \
                 ANIMATE("width", "id='b' from='40' to='56' dur='1s' begin='a.end'"))
  CHECK_INT(width_at(100.5, LOOP), 24);
  CHECK_INT(width_at(101.5, LOOP), 48);
  CHECK(width_at(STIJL_SVG_END, LOOP) >= 16);
  // CSS
#define WIDEN(style) KEYFRAMES("animation:k 2s linear " style, "from{width:16px}to{width:32px}")
  CHECK_INT(width_at(1, WIDEN("")), 24);
  CHECK_INT(width_at(2, WIDEN("")), 8);
  CHECK_INT(width_at(STIJL_SVG_END, WIDEN("forwards")), 32);
  CHECK_INT(width_at(3, WIDEN("infinite alternate")), 24);
  CHECK_INT(width_at(2, WIDEN("1s")), 24);
  CHECK_INT(width_at(1, WIDEN("paused")), 16);
  CHECK_INT(width_at(1, KEYFRAMES("animation:k 2s steps(4,start)", "from{width:16px}to{width:32px}")), 28);
  // What does not end stands as it does when the others have ended: 3 s.
  CHECK_INT(width_at(STIJL_SVG_END, SVG("<style>@keyframes k{from{width:16px}to{width:32px}}</style><rect width='8' "
                                        "height='8' fill='green' style='animation:k 2s linear infinite'/><set "
                                        "attributeName='x' to='1' dur='3s'/>")),
            24);
  CHECK_INT(width_at(-1, once), -1);
  CHECK_INT(width_at((double)NAN, once), -1);
}

TEST(registered_properties) {
  if (!have_svg()) SKIP("built without SVG");
#define REGISTERED(inherits, rest)                                                               \
  SVG("<style>@property --w{syntax:'&lt;length>';inherits:" inherits ";initial-value:16px}" rest \
      " rect{width:var(--w)}</style><g><rect height='8' fill='green'/></g>")
  CHECK_INT(width_at(0, REGISTERED("false", "")), 16);
  CHECK_INT(width_at(0, REGISTERED("false", "g{--w:32px}")), 16);
  CHECK_INT(width_at(0, REGISTERED("true", "g{--w:32px}")), 32);
  CHECK_INT(width_at(1, REGISTERED("true", "@keyframes k{to{--w:32px}}g{animation:k 2s linear}")), 24);
  CHECK_INT(width_at(1, REGISTERED("false", "@keyframes k{to{--w:32px}}rect{animation:k 2s linear}")), 24);
}

TEST(compositions) {
  if (!have_svg()) SKIP("built without SVG");
#define COMPOSED(how) \
  KEYFRAMES("width:10px;animation:k 2s linear;animation-composition:" how, "from{width:6px}to{width:14px}")
  CHECK_INT(width_at(1, COMPOSED("replace")), 10);
  CHECK_INT(width_at(1, COMPOSED("add")), 20);
  CHECK_INT(width_at(1, COMPOSED("accumulate")), 20);
}

// Animations that begin with one another, and many on one element.
TEST(hostile_animations) {
  if (!have_svg()) SKIP("built without SVG");
  enum { COUNT = 20000 };
  char *text = malloc(COUNT * 80 + 1000);
  if (!text) return;
  char *at =
      text + sprintf(text, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><rect width='8' height='8'>");
  for (int i = 0; i < COUNT; i++) at += sprintf(at, "<set attributeName='%s' to='1'/>", i % 2 ? "fill" : "rx");
  strcpy(at, "</rect></svg>");
  static drawn d;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.limits.max_seconds = 60;  // on a busy machine; the limit of work holds
  draw_svg(text, &params, &d);
  CHECK_INT(d.result, STIJL_OK);
  at = text + sprintf(text, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'>");
  for (int i = 0; i < 300; i++) {
    at += sprintf(at, "<set id='i%d' attributeName='x' to='1' begin='", i);
    for (int k = 0; k < 100; k++) at += sprintf(at, "i%d.end;", (i * 7 + k) % 300);
    at += sprintf(at, "'/>");
  }
  strcpy(at, "</svg>");
  draw_svg(text, &params, &d);
  CHECK_INT(d.result, STIJL_OK);
  free(text);
}

// A bar of 16 x 4 around the origin.
#define BAR(style, more) SVG("<rect x='-8' y='-2' width='16' height='4' fill='green' style=\"" style "\"/>" more)
#define BAR_AT(style, more, x, y, turned)                            \
  do {                                                               \
    CHECK_PIXEL(BAR(style, more), x, y, GREEN);                      \
    CHECK_PIXEL(BAR(style, more), (x) + 6, y, (turned) ? 0 : GREEN); \
    CHECK_PIXEL(BAR(style, more), x, (y) + 6, (turned) ? GREEN : 0); \
  } while (0)

TEST(motion_paths) {
  if (!have_svg()) SKIP("built without SVG");
  BAR_AT("offset-path:path('M10 20H50')", "", 10, 20, false);
  BAR_AT("offset-path:path('M10 20H50');offset-distance:50%", "", 30, 20, false);
  BAR_AT("offset-path:path('M10 20H50');offset-distance:15px;offset-rotate:90deg", "", 25, 20, true);
  BAR_AT("offset-path:path('M20 10V50');offset-distance:50%", "", 20, 30, true);
  BAR_AT("offset-path:path('M20 10V50');offset-distance:50%;offset-rotate:0deg", "", 20, 30, false);
  BAR_AT("offset-path:path('M20 10V50');offset-distance:50%;offset-rotate:auto 90deg", "", 20, 30, false);
  BAR_AT("offset-path:path('M20 10V50');offset-distance:50%;offset-anchor:0px 10px", "", 30, 30, true);
  BAR_AT("offset-path:path('M10 10H50V50z');offset-distance:-100%", "", 10, 10, false);
  BAR_AT("offset-path:path('M10 10H50');offset-distance:300%", "", 50, 10, false);
  BAR_AT("offset-path:circle(20px at 30px 30px);offset-distance:25%", "", 30, 50, false);
  BAR_AT("offset-path:ray(90deg at 10px 20px);offset-distance:20px", "", 30, 20, false);
  BAR_AT("offset-path:url(#p);offset-distance:25%", "<circle id='p' cx='30' cy='30' r='20' fill='none'/>", 30, 50,
         false);
  BAR_AT("offset:path('M20 10V50') 50% 90deg / 0px 0px", "", 20, 30, true);
  BAR_AT("offset-path:path('M20 10V50 oops');translate:20px 30px", "", 20, 30, false);
  BAR_AT("translate:10px;offset-path:path('M10 20H50');offset-distance:50%", "", 40, 20, false);
}

TEST(registered_properties_take_their_syntax) {
  if (!have_svg()) SKIP("built without SVG");
#define WIDTH(rules, width) PLAIN_WIDTH("<style>" rules "</style><g><rect height='8' fill='green'/></g>", width)
#define PLAIN_WIDTH(inside, width)                 \
  do {                                             \
    CHECK_PIXEL(SVG(inside), (width)-1, 4, GREEN); \
    CHECK_PIXEL(SVG(inside), (width) + 1, 4, 0);   \
  } while (0)
#define REGISTER(syntax, inherits) \
  "@property --w{syntax:'" syntax "';inherits:" inherits ";initial-value:30px}g{--w:20px}"
  WIDTH(REGISTER("&lt;length>", "false") "rect{--w:red;width:var(--w)}", 30);
  WIDTH(REGISTER("&lt;length>", "true") "rect{--w:40px}rect{--w:red;width:var(--w)}", 20);
  WIDTH(REGISTER("&lt;length>", "false") "rect{--w:inherit;width:var(--w)}", 20);
  WIDTH(REGISTER("&lt;length>", "true") "rect{--w:initial;width:var(--w)}", 30);
  WIDTH(REGISTER("&lt;color>|&lt;length>", "true") "rect{--w:40px;width:var(--w)}", 40);
  WIDTH(REGISTER("&lt;lenght>", "false") "rect{width:var(--w)}", 20);
  WIDTH("g{--w:20px}rect{--w:initial;width:var(--w,30px)}", 30);
  WIDTH("g{--w:20px}rect{--w:unset;width:var(--w,30px)}", 20);
}
