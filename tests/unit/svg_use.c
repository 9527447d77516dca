// What use elements show: a tree of its own (SVG 2, 5.6.3), which inherits from the use element, custom properties
// included, and in which selectors are matched anew. The pictures are those of Chromium 156.
#include <stdlib.h>

#include "svg_draw.h"
#include "test.h"

#define TARGET "<rect id='t' class='t' width='64' height='64'/>"
#define CHECK_FILL(style, body, expected) CHECK_PIXEL(SVG("<style>" style "</style>" body), 32, 32, expected)
// The target stands within `around`, which is not drawn; a use element with these attributes shows it.
#define CHECK_USED(style, around, end, attributes, expected) \
  CHECK_FILL(style, "<defs>" around TARGET end "</defs><use href='#t' " attributes "/>", expected)

TEST(custom_properties_are_inherited_from_use) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_FILL(".a{--k:green}",
             "<symbol id='s'><rect width='64' height='64' fill='var(--k,red)'/></symbol>"
             "<use href='#s' class='a'/>",
             GREEN);
  CHECK_USED("rect{fill:var(--k,red)}", "", "", "style='--k:green'", GREEN);
  CHECK_USED("rect{fill:var(--k,green)}", "<g style='--k:red'>", "</g>", "", GREEN);
  CHECK_USED("rect{fill:var(--k,red)} g{--k:red} #u{--k:green}", "<g>", "</g>", "id='u'", GREEN);
  // A property that is declared within the copy is computed there.
  CHECK_FILL(".i{--m:var(--n,red)}",
             "<defs><g id='t' class='i'><rect width='64' height='64' fill='var(--m)'/></g></defs>"
             "<use href='#t' style='--n:green'/>",
             GREEN);
  CHECK_FILL(".i{--m:var(--n,red)}",
             "<defs><g class='i'><rect id='t' width='64' height='64' fill='var(--m,green)'/></g></defs>"
             "<use href='#t' style='--n:red'/>",
             GREEN);
  // Of two use elements of one target each gives its own, and the target itself has neither.
#define THREE                                                                                             \
  SVG("<style>.a{--k:green}.b{--k:blue}</style><rect id='t' width='20' height='64' fill='var(--k,red)'/>" \
      "<use href='#t' x='20' class='a'/><use href='#t' x='40' class='b'/>")
  CHECK_PIXEL(THREE, 10, 32, RED);
  CHECK_PIXEL(THREE, 30, 32, GREEN);
  CHECK_PIXEL(THREE, 50, 32, BLUE);
  // Through use elements in what is shown.
  CHECK_FILL(".a{--k:green}",
             "<defs>" TARGET "<g id='g'><use href='#t' fill='var(--k,red)'/></g></defs><use href='#g' class='a'/>",
             GREEN);
  CHECK_FILL(".a{--k:red}.t{fill:var(--k)}",
             "<defs>" TARGET
             "<g id='g'><use href='#t' style='--k:green'/></g></defs>"
             "<use href='#g' class='a'/>",
             GREEN);
  // Geometry, text and clip paths, too.
  CHECK_FILL(".a{--w:64px}",
             "<defs><rect id='t' style='width:var(--w,1px)' height='64' fill='green'/></defs>"
             "<use href='#t' class='a'/>",
             GREEN);
  CHECK_FILL(
      "path{d:var(--d,path('M0 0h1v1z'))}",
      "<defs><path id='t' fill='green'/></defs><use href='#t'/><use href='#t' style='--d:path(\"M0 0h64v64h-64z\")'/>",
      GREEN);
  CHECK_FILL(".a{--w:64px}",
             "<clipPath id='c'><use href='#t' class='a'/></clipPath><defs><rect id='t' style='width:var(--w,1px)'"
             " height='64'/></defs><rect width='64' height='64' fill='green' clip-path='url(#c)'/>",
             GREEN);
}

// What an element of another file shows inherits from the use element, and not from the root of its own.
TEST(custom_properties_of_use_reach_other_files) {
  if (!have_svg()) SKIP("built without SVG");
#define OTHER(style)                                                                   \
  "data:image/svg+xml,%3Csvg xmlns=\"http://www.w3.org/2000/svg\"%3E%3Cstyle%3E" style \
  "%3C/style%3E%3Crect id=\"a\" width=\"64\" height=\"64\" class=\"r\"/%3E%3C/svg%3E"
#define CHECK_OTHER(style, attributes, expected) \
  CHECK_PIXEL(SVG("<g fill='blue'><use href='" OTHER(style) "#a' " attributes "/></g>"), 32, 32, expected)
  CHECK_OTHER(".r{fill:var(--k,red)}", "style='--k:green'", GREEN);
  CHECK_OTHER(".r{fill:var(--k,green)}", "", GREEN);
  CHECK_OTHER(":root{--k:red}.r{fill:var(--k,green)}", "", GREEN);
  CHECK_OTHER(":root{--k:red}.r{fill:var(--k)}", "style='--k:green'", GREEN);
  CHECK_OTHER(".r{--k:green;fill:var(--k)}", "style='--k:red'", GREEN);
  CHECK_OTHER(".r{}", "", BLUE);
  // The whole file has what its root declares.
  CHECK_PIXEL(SVG("<use href='" OTHER(":root{--k:green}.r{fill:var(--k)}") "' style='--k:red'/>"), 32, 32, GREEN);
  // Each of two gives its own, which is computed there, also from within a copy.
#define TWICE \
  SVG("<style>.a{--m:green;--k:var(--m)}.b{--k:blue}</style><g id='g'><use href='" OTHER(".r{fill:var(--k,red)}")     \
      "#a' transform='scale(.3)'/></g><use href='#g' x='20' class='a'/><use href='#g' x='40' class='b'/>")
  CHECK_PIXEL(TWICE, 10, 10, RED);
  CHECK_PIXEL(TWICE, 30, 10, GREEN);
  CHECK_PIXEL(TWICE, 50, 10, BLUE);
}

// What is shown asks for the language of what shows it.
TEST(languages_are_inherited_from_use) {
  if (!have_svg()) SKIP("built without SVG");
#define CHECK_LANGUAGE(around, end, attributes, expected) \
  CHECK_USED("rect{fill:red}rect:lang(de){fill:green}", around, end, attributes, expected)
  CHECK_LANGUAGE("", "", "lang='de'", GREEN);
  CHECK_LANGUAGE("<g lang='de'>", "</g>", "", RED);
  CHECK_LANGUAGE("<g lang='de'>", "</g>", "lang='en'", RED);
  CHECK_LANGUAGE("<g lang='en'>", "</g>", "lang='de-AT'", GREEN);
  CHECK_FILL("rect{fill:red}rect:lang(de){fill:green}",
             "<defs lang='en'>" TARGET "<g id='g'><use href='#t'/></g></defs><use href='#g' lang='de'/>", GREEN);
  CHECK_FILL("rect{fill:red}rect:lang(de){fill:green}",
             "<defs>" TARGET "<g id='g' lang='de'><use href='#t'/></g></defs><use href='#g' lang='en'/>", GREEN);
  CHECK_FILL(
      "rect{fill:red}:lang(en) rect:lang(de){fill:green}",
      "<g id='t' lang='de'><g lang='en'><rect lang='de' width='64' height='64'/></g></g><use href='#t' lang='fr'/>",
      GREEN);
  // Two use elements of one target.
#define TWO                                                                 \
  SVG("<style>rect{fill:red}rect:lang(de){fill:green}</style><defs>" TARGET \
      "</defs>"                                                             \
      "<use href='#t' lang='de'/><use href='#t' x='32' lang='en'/>")
  CHECK_PIXEL(TWO, 10, 32, GREEN);
  CHECK_PIXEL(TWO, 50, 32, RED);
}

TEST(selectors_match_in_the_copy) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_USED(".panel rect{fill:red}", "<g class='panel'>", "</g>", "fill='green'", GREEN);
  CHECK_USED(".panel>rect,.other,rect{fill:green} .panel rect{fill:red}", "<g class='panel'>", "</g>", "", GREEN);
  CHECK_USED("#u rect,use rect,:root rect,rect:root,svg rect{fill:red}", "", "", "id='u' fill='green'", GREEN);
  CHECK_USED("g+rect,g~rect{fill:red}", "<g/>", "", "fill='green'", GREEN);
  CHECK_USED("rect:nth-child(2),rect:last-child:not(:first-child){fill:red}", "<g/>", "", "fill='green'", GREEN);
  CHECK_USED("rect{fill:red}rect:first-child:last-child{fill:green}", "<g/>", "<g/>", "", GREEN);
  CHECK_USED("rect{fill:red}rect:only-of-type{fill:green}", "<rect/>", "<rect/>", "", GREEN);
  CHECK_USED("rect{fill:red}rect:nth-last-child(1 of .t){fill:green}", "", "<rect class='t'/>", "", GREEN);
  CHECK_USED("rect:not(.panel *){fill:green}rect:is(.panel *){fill:red}", "<g class='panel'>", "</g>", "", GREEN);
  CHECK_USED("rect:has(+g){fill:red}", "", "<g/>", "fill='green'", GREEN);
  CHECK_USED("@scope(.panel){rect{fill:red}}", "<g class='panel'>", "</g>", "fill='green'", GREEN);
  CHECK_USED(".panel{&amp; rect{fill:red}}", "<g class='panel'>", "</g>", "fill='green'", GREEN);
  CHECK_USED("@media print{rect:first-child{fill:red}}", "<g/>", "", "fill='green'", GREEN);
  // What stands in the copy counts.
  CHECK_FILL(".panel rect:first-child{fill:green}",
             "<defs><g id='g' class='panel'>" TARGET "</g></defs><use href='#g'/>", GREEN);
  CHECK_FILL("g:has(.t) rect+rect{fill:green}", "<defs><g id='g'><rect/>" TARGET "</g></defs><use href='#g'/>", GREEN);
  CHECK_FILL("rect:nth-child(2){fill:green}", "<defs><g id='g'><rect/>" TARGET "</g></defs><use href='#g'/>", GREEN);
  // A use element within a copy shows a tree of its own again.
  CHECK_FILL("#g rect{fill:red}", "<defs>" TARGET "<g id='g'><use href='#t' fill='green'/></g></defs><use href='#g'/>",
             GREEN);
  CHECK_FILL("defs #h use{fill:red}",
             "<defs>" TARGET "<g id='h'><use id='v' href='#t'/></g></defs><use href='#v' fill='green'/>", GREEN);
  // The original stays as it is.
  CHECK_FILL(".panel rect{fill:green}", "<g class='panel'>" TARGET "</g><use href='#t' x='64'/>", GREEN);
  CHECK_FILL(".panel text{font-size:9px}", "<g class='panel'><text id='x'/></g>" TARGET "<use href='#x'/>", BLACK);
}

TEST(animations_of_what_is_shown) {
  if (!have_svg()) SKIP("built without SVG");
#define SET "<defs><rect id='t' width='64' height='64'><set attributeName='fill' to='green'/></rect></defs>"
  CHECK_FILL("g rect,.a{--k:0}", SET "<use href='#t' class='a'/>", GREEN);
  CHECK_FILL(".t{fill:var(--k,red)}",
             "<defs>" TARGET
             "<set href='#t' attributeName='stroke' to='red'/></defs>"
             "<use href='#t' style='--k:green'/>",
             GREEN);
  CHECK_FILL("@keyframes k{from,to{fill:var(--k,red)}} rect{animation:k 9s}",
             "<defs>" TARGET
             "</defs>"
             "<use href='#t' style='--k:green'/>",
             GREEN);
  // The use element comes to show another element than the one that it names.
  CHECK_FILL(".a{--k:red}",
             "<defs>" TARGET
             "<rect id='o' width='64' height='64' fill='green'/></defs>"
             "<use href='#t' class='a'><set attributeName='href' to='#o'/></use>",
             GREEN);
}

// Checks that loading the document is an error of this kind; the message must hold `part`.
static void check_fails(const char *text, const stijl_svg_params *params, const char *part) {
  static drawn d;
  draw_svg(text, params, &d);
  CHECK_INT(d.result, STIJL_ERROR_LIMIT);
  if (!strstr(d.message.text, part)) sj_test_fail(__FILE__, __LINE__, "%s", d.message.text);
}

// Each level shows the one below twice, with other properties: copies of copies.
TEST(copies_are_counted) {
  if (!have_svg()) SKIP("built without SVG");
  static char text[9000], *at = text;
  at += sprintf(at, "<svg xmlns='http://www.w3.org/2000/svg'><style>rect{fill:var(--k0)}</style><defs><rect id='g0'/>");
  for (int i = 1; i <= 40; i++)
    at += sprintf(at, "<g id='g%d'><use href='#g%d' style='--k%d:0'/><use href='#g%d' style='--k%d:1'/></g>", i, i - 1,
                  i, i - 1, i);
  sprintf(at, "</defs><use href='#g40' display='none' style='--k0:red'/></svg>");
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.limits.max_elements = 10000;
  check_fails(text, &params, "copies that use elements show");
  params.limits.max_elements = 10;
  check_fails(
      SVG("<style>.a{--k:0}</style><defs><g id='g'><g/><g/><g fill='var(--k)'/></g></defs><use href='#g' class='a'/>"
          "<use href='#g' class='a' style='--j:0'/><use href='#g' class='a' style='--j:1'/>"),
      &params, "max_elements (10)");
  // References in circles, which grow at each turn, end.
  CHECK_FILL("rect{fill:var(--k,green)}",
             "<rect width='64' height='64'/><defs><g id='a'><use href='#b' style='--k:1'/></g>"
             "<g id='b'><use href='#a' style='--j:1'/></g></defs><use href='#a'/><use href='#b' style='--k:2'/>",
             GREEN);
}
