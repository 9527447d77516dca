// HTML in a foreignObject: where boxes and text go, by fonts of plain boxes (tests/fonts/make.py tells their sizes) and
// nothing else. At 20 pixels a is 8 wide, A and V 12, a space 5; a font reaches 16 above the baseline and 4 below.
#include <stdlib.h>
#include <string.h>

#include "stijl/fonts.h"
#include "svg/html/html.h"
#include "svg/parse/html_names.h"
#include "svg_draw.h"
#include "test.h"

static stijl_fonts *open_fonts(void) {
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  stijl_fonts *fonts = NULL;
  params.system = false;
  CHECK_INT(stijl_fonts_create(NULL, &params, &fonts, NULL), STIJL_OK);
  CHECK_INT(stijl_fonts_add_file(fonts, sj_test_font("stijl.ttc"), NULL), STIJL_OK);
  return fonts;
}

#define HTML(content) \
  "<foreignObject width='300' height='9'><div xmlns='http://www.w3.org/1999/xhtml'>" content "</div></foreignObject>"

// Puts content in a foreignObject of 200 x 100 at 0, 0. Elements c, d, e are there to be found.
static stijl_svg *load(const char *content, stijl_fonts *fonts) {
  static char text[8192];
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.fonts = fonts;
  snprintf(text, sizeof text,
           "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100' style='font: 20px/1 Stijl Test'>"
           "<style>*{--x:0} .b{background:red} .m{margin:10px 0} .i{display:inline-block}</style>"
           "<foreignObject width='200' height='100' style='overflow:visible'>"
           "<div xmlns='http://www.w3.org/1999/xhtml'>%s</div></foreignObject></svg>",
           content);
  stijl_svg *svg = NULL;
  CHECK_INT(stijl_svg_load(NULL, text, strlen(text), &params, &svg, NULL), STIJL_OK);
  return svg;
}

typedef struct place {
  const char *id;
  float x, y, width, height;
} place;

#define MAX_PLACES 6

typedef struct layout {
  const char *content;
  place places[MAX_PLACES];
} layout;

static void check_places(stijl_fonts *fonts, const layout *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    stijl_svg *svg = load(list[i].content, fonts);
    for (const place *p = list[i].places; p < list[i].places + MAX_PLACES && p->id; p++) {
      stijl_rect box = {0};
      bool empty = true;
      uint32_t node = stijl_svg_find(svg, p->id);
      if (node != STIJL_SVG_NO_NODE)
        CHECK_INT(stijl_svg_get_box(svg, node, STIJL_SVG_BOX_OBJECT, true, &box, &empty), STIJL_OK);
      float got[4] = {box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0};
      const float want[4] = {p->x, p->y, p->width, p->height};
      bool same = !empty;
      for (int n = 0; n < 4; n++) same = same && got[n] > want[n] - 0.02f && got[n] < want[n] + 0.02f;
      if (!same)
        printf("# %s: %s is at {%g, %g, %g, %g}%s\n", list[i].content, p->id, (double)got[0], (double)got[1],
               (double)got[2], (double)got[3], empty ? ", or nowhere" : "");
      CHECK(same);
    }
    stijl_svg_destroy(svg);
  }
}
#define CHECK_PLACES(...)                                  \
  do {                                                     \
    if (!have_svg()) SKIP("built without SVG");            \
    static const layout list[] = {__VA_ARGS__};            \
    stijl_fonts *fonts = open_fonts();                     \
    check_places(fonts, list, sizeof list / sizeof *list); \
    stijl_fonts_destroy(fonts);                            \
  } while (0)

// This comes first: nothing has opened the library yet that knows letters.
TEST(letters_change_without_a_font) {
  if (!have_svg()) SKIP("built without SVG");
  static drawn d;
  draw_svg(SVG("<foreignObject width='9' height='9'><p xmlns='http://www.w3.org/1999/xhtml' "
               "style='text-transform:uppercase'>a</p></foreignObject>"),
           NULL, &d);
  CHECK_INT(d.result, STIJL_OK);
}

TEST(blocks_and_their_margins) {
  CHECK_PLACES(
      {"<div id='c' class='b' style='height:10px'/><div id='d' class='b' style='height:5px;width:50%'/>",
       {{"c", 0, 0, 200, 10}, {"d", 0, 10, 100, 5}}},
      // Of margins that meet the larger one counts, also through a box without an edge of its own.
      {"<p class='b' id='c' style='margin:10px 0;height:10px'/><div><p class='b' id='d' style='margin:15px "
       "0;height:9px'/></div>"
       "<div class='b' id='e' style='margin-top:-5px;height:1px'/>",
       {{"c", 0, 10, 200, 10}, {"d", 0, 35, 200, 9}, {"e", 0, 54, 200, 1}}},
      {"<div style='border-top:1px solid'><p class='b' id='c' style='margin:10px 5px;height:10px'/></div>"
       "<div class='m'/><div class='m'/><p class='b' id='d' style='margin:0;height:5px'/>",
       {{"c", 5, 11, 190, 10}, {"d", 0, 31, 200, 5}}},
      {"<div class='b' id='c' style='width:50px;padding:1px 2px 3px 4px;border:5px solid;margin:0 auto;height:10px'/>",
       {{"c", 67, 0, 66, 24}}},
      {"<div class='b' id='c' style='box-sizing:border-box;width:50px;min-height:30px;padding:5px;max-width:40px'/>",
       {{"c", 0, 0, 40, 30}}},
      {"<div style='height:50px'><div class='b' id='c' style='height:50%;width:2em'/></div>", {{"c", 0, 0, 40, 25}}},
      // Sizes by name are HTML's, not SVG's.
      {"<div class='b' id='c' style='font-size:medium;width:1em;height:1em'/>"
       "<font size='6'><div class='b' id='d' style='width:1em;height:1em'/></font>",
       {{"c", 0, 0, 16, 16}, {"d", 0, 16, 32, 32}}});
}

TEST(lines_break_where_they_may) {
  CHECK_PLACES({"<p id='c' style='margin:0;width:40px'>aa aa aa</p><p id='d' style='margin:0'>aa</p>",
                {{"c", 0, 0, 37, 40}, {"d", 0, 40, 16, 20}}},
               {"<p id='c' style='margin:0;width:20px'>aaaa a</p>", {{"c", 0, 0, 32, 40}}},
               {"<p id='c' style='margin:0;width:20px;overflow-wrap:anywhere'>aaaa a</p>", {{"c", 0, 0, 16, 60}}},
               {"<p id='c' style='margin:0;width:20px;white-space:nowrap'>aa  \n aa</p>", {{"c", 0, 0, 37, 20}}},
               {"<p id='c' style='margin:0;white-space:pre'>a  a\naa</p>", {{"c", 0, 0, 26, 40}}},
               // Tab stops are counted in spaces; in ASCII a slash ends no line.
               {"<p id='c' style='margin:0;white-space:pre'>a&#9;a</p>", {{"c", 0, 0, 51, 20}}},
               {"<p id='c' style='margin:0;white-space:pre;tab-size:4'>a&#9;a\na&#9;</p>", {{"c", 0, 0, 31, 40}}},
               {"<p id='c' style='margin:0;width:40px'>aa aa/aa</p>", {{"c", 0, 0, 42, 40}}},
               // In ASCII lines end where browsers have it.
               {"<p id='c' style='margin:0;width:10px'>aa\\a`A-a?a A-1</p>", {{"c", 0, 0, 62, 100}}},
               {"<p id='c' style='margin:0;text-transform:uppercase'>aa</p>", {{"c", 0, 0, 24, 20}}},
               {"<p id='c' style='margin:0'> <b/> a <br/> <i> a</i> </p>", {{"c", 0, 0, 8, 40}}},
               {"<p id='c' style='margin:0;text-indent:10px;text-align:right'>aa</p>", {{"c", 184, 0, 16, 20}}},
               {"<p id='c' style='margin:0;text-align:center;line-height:2'>aa<br/>aaaa</p>", {{"c", 84, 10, 32, 60}}});
}

// What does not fit is cut off at whole pixels, and images fill whole ones.
TEST(clips_and_images_at_whole_pixels) {
  if (!have_svg()) SKIP("built without SVG");
  static drawn d;
  draw_svg(SVG("<foreignObject x='1.3' y='1.2' width='6.3' height='4.4'><div xmlns='http://www.w3.org/1999/xhtml' "
               "style='background:red;height:50px'/></foreignObject>"
               "<foreignObject x='20' y='20' width='30' height='30'><div xmlns='http://www.w3.org/1999/xhtml' "
               "style='overflow:hidden;width:3.7px;height:3.3px;margin:1.6px 0 0 .4px'><p style='margin:0;background:"
               "red;width:50px;height:50px'/></div></foreignObject>"
               "<foreignObject y='40' width='30' height='24'><div xmlns='http://www.w3.org/1999/xhtml' "
               "style='line-height:0;padding:1.6px 0 0 .4px'><img style='display:block;width:3.7px;height:3.3px' "
               "src=\"data:image/svg+xml,&lt;svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'&gt;&lt;path "
               "d='M0 0H1V1H0'/&gt;&lt;/svg&gt;\"/></div></foreignObject>"),
           NULL, &d);
  for (int x = 0; x < 64; x++) CHECK_INT(pixel(&d, x, 3) & 255, x >= 1 && x < 8 ? 255 : 0);
  for (int y = 0; y < 20; y++) CHECK_INT(pixel(&d, 4, y) & 255, y >= 1 && y < 6 ? 255 : 0);
  for (int x = 0; x < 64; x++) CHECK_INT(pixel(&d, x, 23) & 255, x >= 20 && x < 24 ? 255 : 0);
  for (int y = 20; y < 64; y++) CHECK_INT(pixel(&d, 21, y) & 255, y >= 22 && y < 25 ? 255 : 0);
  for (int x = 0; x < 64; x++) CHECK_INT(pixel(&d, x, 43) & 255, x < 4 ? 255 : 0);
  for (int y = 26; y < 64; y++) CHECK_INT(pixel(&d, 2, y) & 255, y >= 42 && y < 45 ? 255 : 0);
}

TEST(text_stands_at_whole_pixels) {
  CHECK_PLACES(
      {"<div style='height:10.4px'/><p style='margin:0' id='c'>a</p><p style='margin:0.25px 0 0' id='d'>a</p>",
       {{"c", 0, 10, 8, 20}, {"d", 0, 31, 8, 20}}},
      {"<p style='margin:0;line-height:20.4px' id='c'>a<br/>a<br/>a</p><p style='margin:-4.6px 0 0' id='d'>a</p>",
       {{"c", 0, 0, 8, 61}, {"d", 0, 57, 8, 20}}});
}

// DejaVu, which has the characters that Stijl Test lacks, reaches 19 above the baseline and 5 below.
TEST(fonts_that_stand_in_make_lines_higher) {
  if (!have_svg()) SKIP("built without SVG");
  static const layout list[] = {
      {"<p style='margin:0;line-height:normal' class='b' id='c'>a&#x436;a<br/>a</p><div id='d' class='b' "
       "style='line-height:normal'><i>a&#x436;</i></div><div id='e' class='b'>&#x436;</div>",
       {{"c", 0, 0, 200, 44}, {"d", 0, 44, 200, 24}, {"e", 0, 68, 200, 20}}}};
  stijl_fonts *fonts = open_fonts();
  CHECK_INT(stijl_fonts_add_file(fonts, sj_test_font("dejavu.ttf"), NULL), STIJL_OK);
  check_places(fonts, list, 1);
  stijl_fonts_destroy(fonts);
}

TEST(what_stands_in_lines) {
  CHECK_PLACES(
      {"<p style='margin:0'>a<span class='b' id='c' style='padding:1px 3px;margin:0 2px;border:1px solid'>a</span>"
       "<span class='b' id='d'>a</span></p>",
       {{"c", 10, -2, 16, 24}, {"d", 28, 0, 8, 20}}},
      {"<p style='margin:0'>a<span class='b i' id='c' style='width:20px;height:30px'/>a<i class='b' id='d'>a</i></p>",
       {{"c", 8, 0, 20, 30}, {"d", 36, 14, 8, 20}}},
      {"<p style='margin:0'><span class='b i' id='c' style='padding:2px'>aa a</span><span class='b i' id='d' "
       "style='vertical-align:top;width:5px;height:5px'/></p>",
       {{"c", 0, 0, 33, 24}, {"d", 33, 0, 5, 5}}},
      {"<p style='margin:0'>a<span style='font-size:10px;line-height:10px;vertical-align:6px'><span id='c' "
       "class='b'>a</span></span></p>",
       {{"c", 8, 2, 4, 10}}},
      // A block within an inline box divides it.
      {"<span class='b' id='c'>a<p id='d' style='margin:5px 0'>a</p>a</span><p class='b' id='e' "
       "style='margin:0;height:1px'/>",
       {{"c", 0, 0, 8, 20}, {"d", 0, 25, 8, 20}, {"e", 0, 70, 200, 1}}});
}

TEST(flex_containers) {
  CHECK_PLACES(
      // As draw.io centres its labels.
      {"<div style='display:flex;align-items:unsafe center;justify-content:unsafe center;width:100px;height:1px;"
       "padding-top:30px;margin-left:10px'><div style='font-size:0'><div class='b i' id='c' style='font-size:20px'>aa "
       "a</div></div></div>",
       {{"c", 46, 21, 29, 20}}},
      {"<div style='display:flex;height:40px'><div class='b' id='c' style='flex:1'/><div class='b' id='d' "
       "style='width:50px'/>"
       "<div class='b' id='e' style='flex:2;align-self:flex-end;height:10px'/></div>",
       {{"c", 0, 0, 50, 40}, {"d", 50, 0, 50, 40}, {"e", 100, 30, 100, 10}}},
      {"<div style='display:flex;justify-content:space-between;width:100px;gap:1px'><p class='b' id='c' "
       "style='width:10px;height:9px;margin:0'/>"
       "<p class='b' id='d' style='width:10px;height:9px;margin:0'/><p class='b' id='e' "
       "style='width:10px;height:9px;margin:0'/></div>",
       {{"c", 0, 0, 10, 9}, {"d", 45, 0, 10, 9}, {"e", 90, 0, 10, 9}}},
      {"<div style='display:flex;flex-direction:column;align-items:center;height:60px;justify-content:flex-end'>"
       "<div class='b' id='c'>aa</div><div class='b' id='d' style='height:5px;align-self:stretch'/></div>",
       {{"c", 92, 35, 16, 20}, {"d", 0, 55, 200, 5}}},
      {"<div style='display:flex;width:60px'><div class='b' id='c' style='width:60px'/><div class='b' id='d' "
       "style='width:60px;height:1px;"
       "flex-shrink:2'/><div class='b' id='e' style='width:15px;flex-shrink:0'/></div>",
       {{"c", 0, 0, 35, 1}, {"d", 35, 0, 10, 1}, {"e", 45, 0, 15, 1}}},
      {"<div style='display:flex;flex-wrap:wrap;width:60px;gap:2px 4px'><div class='b' id='c' "
       "style='width:30px;height:10px'/>"
       "<div class='b' id='d' style='width:30px;height:10px'/></div>",
       {{"c", 0, 0, 30, 10}, {"d", 0, 12, 30, 10}}},
      {"<div style='display:flex;align-items:center;justify-content:flex-end'><div class='b' id='c' "
       "style='height:10px;width:10px'/><div class='b' id='d' style='margin:10px 5px;width:10px;height:20px'/></div>"
       "<div class='b' id='e' style='height:1px'/>",
       {{"c", 170, 15, 10, 10}, {"d", 185, 10, 10, 20}, {"e", 0, 40, 200, 1}}},
      {"<div style='display:flex;flex-direction:column;align-items:flex-end'><div class='b' id='c' "
       "style='height:10px;width:10px;margin:3px 5px 9px'/></div><div class='b' id='d' style='height:1px'/>",
       {{"c", 185, 3, 10, 10}, {"d", 0, 22, 200, 1}}},
      {"<div style='display:flex;justify-content:safe center;width:10px'><div class='b' id='c' "
       "style='width:30px;height:1px;flex:none'/></div>",
       {{"c", 0, 0, 30, 1}}});
}

TEST(tables) {
  CHECK_PLACES(
      // As Mermaid makes its labels: a cell without a table.
      {"<div id='c' class='b' "
       "style='display:table-cell;white-space:nowrap;line-height:1.5;max-width:200px;text-align:center'>"
       "<span><p id='d' style='margin:0'>aa</p></span></div>",
       {{"c", 0, 0, 16, 30}, {"d", 0, 5, 16, 20}}},
      {"<table><tr><td class='b' id='c'>a</td><td class='b' id='d'>aaa</td></tr><tr><td class='b' id='e' "
       "colspan='2'>a</td></tr></table>",
       {{"c", 2, 2, 10, 22}, {"d", 14, 2, 26, 22}, {"e", 2, 26, 38, 22}}},
      {"<table style='border-collapse:collapse;width:100px' cellpadding='0'><tr><td class='b' id='c' "
       "style='width:30px'>a</td>"
       "<td rowspan='2' class='b' id='d' style='height:50px'/></tr><tr><td class='b' id='e'>a</td></tr></table>",
       {{"c", 0, 0, 30, 25}, {"d", 30, 0, 70, 50}, {"e", 0, 25, 30, 25}}},
      // Columns in percent of the table, as long as the others have what they need.
      {"<table style='border-collapse:collapse;width:100px' cellpadding='0'><tr><td class='b' id='c' "
       "style='width:20%'>a</td><td class='b' id='d' width='30%'>a</td><td class='b' id='e'>aaa</td></tr></table>",
       {{"c", 0, 0, 20, 20}, {"d", 20, 0, 30, 20}, {"e", 50, 0, 50, 20}}},
      // Percents of all columns, which make less than the table, or have no room.
      {"<table style='border-collapse:collapse;width:100px' cellpadding='0'><tr><td class='b' id='c' "
       "style='width:20%'>aaa</td><td class='b' id='d' width='30%'>a</td></tr></table>",
       {{"c", 0, 0, 42, 20}, {"d", 42, 0, 58, 20}}},
      {"<table style='border-collapse:collapse;width:40px' cellpadding='0'><tr><td class='b' id='c' "
       "style='width:50%'>aaa</td><td class='b' id='d' width='50%'>a</td></tr></table>",
       {{"c", 0, 0, 24, 20}, {"d", 24, 0, 16, 20}}},
      // Heads of tables are centred, unless something around them says how text is aligned.
      {"<table style='width:100px'><tr><th><span class='b' id='c'>a</span></th></tr></table>", {{"c", 46, 3, 8, 20}}},
      {"<div style='text-align:left'><table style='width:100px'><tr><th><span class='b' id='c'>a</span></th></tr>"
       "</table></div>",
       {{"c", 3, 3, 8, 20}}},
      {"<table><tbody><tr><td style='height:40px'/><td><span class='b' id='c'>a</span></td><td "
       "style='vertical-align:bottom'><span class='b' "
       "id='d'>a</span></td></tr></tbody></table>",
       {{"c", 7, 13, 8, 20}, {"d", 19, 23, 8, 20}}});
}

// What is no part of a table and stands in one is in cells that neighbours share.
TEST(anonymous_cells) {
  CHECK_PLACES({"<div style='display:table;border-spacing:4px'><span class='b' id='c'>a</span> <span class='b' "
                "id='d'>aa</span><p class='b' id='e' style='margin:0'>a</p></div>",
                {{"c", 4, 4, 8, 20}, {"d", 12, 4, 16, 20}, {"e", 4, 24, 24, 20}}},
               {"<div style='display:table'><div style='display:table-cell'>a</div><i class='b' id='c'>aa</i><i "
                "class='b' id='d'>a</i><div style='display:table-cell'><i class='b' id='e'>a</i></div></div>",
                {{"c", 8, 0, 16, 20}, {"d", 24, 0, 8, 20}, {"e", 32, 0, 8, 20}}});
}

TEST(boxes_with_a_position) {
  CHECK_PLACES(
      {"<div style='position:relative;border:5px solid;padding:10px;height:50px'>a<div class='b' id='c' "
       "style='position:absolute;right:3px;bottom:4px'>aa</div><i><b class='b' id='d' style='position:absolute;"
       "inset:1px 50% 20% 2px;margin:1px'/></i><p class='b' id='e' style='position:absolute;margin:auto;inset:0;"
       "width:10px;height:8px'/></div>",
       {{"c", 176, 51, 16, 20}, {"d", 8, 7, 91, 53}, {"e", 95, 36, 10, 8}}},
      // What comes first stands where its content begins, and takes no place.
      {"<div style='position:relative;padding:3px'><i class='b' id='c' style='position:absolute'>aa</i><span "
       "class='b' id='d'>a</span></div>",
       {{"c", 3, 3, 16, 20}, {"d", 3, 3, 8, 20}}},
      // Without anything around that has a position the foreignObject is the place.
      {"<p style='margin:0 20px'>a</p><p style='margin:30px'><i class='b' id='c' style='position:absolute;left:0;"
       "top:50%'>a</i></p>",
       {{"c", 0, 50, 8, 20}}});
}

TEST(logical_properties) {
  CHECK_PLACES({"<div class='b' id='c' style='margin-block:4px 9px;margin-inline:10px;padding-inline-start:7px;"
                "block-size:11px'/><div class='b' id='d' style='inline-size:30px;border-block:2px solid'>a</div>",
                {{"c", 10, 4, 180, 11}, {"d", 0, 24, 30, 24}}},
               {"<div class='b' id='c' style='direction:rtl;margin-inline:10px 30px'>a</div><div class='b' id='d' "
                "style='position:relative;inset:3px 5px'>a</div>",
                {{"c", 30, 0, 160, 20}, {"d", 5, 23, 200, 20}}},
               {"<div style='display:flex;place-items:center;place-content:end;height:40px'><i class='b' "
                "id='c'>a</i></div>",
                {{"c", 192, 10, 8, 20}}});
}

// Attributes that stand for properties.
TEST(attributes) {
  CHECK_PLACES({"<table cellpadding='0' cellspacing='0' width='20' align='right' style='float:none'><tr "
                "height='40'><td nowrap='' "
                "id='c' class='b'>a a</td></tr></table>",
                {{"c", 0, 0, 21, 40}}},
               {"<table cellpadding='0' cellspacing='0' border='5' align='center' width='60'><tr><td id='c' "
                "class='b'>a</td></tr>"
                "</table>",
                {{"c", 75, 5, 50, 22}}},
               {"<font size='7'><i class='b' id='d'>a</i></font>", {{"d", 0, 0, 19, 48}}},
               {"<p hidden='' class='b'>a</p><p dir='rtl' style='margin:0'><i class='b' id='c'>a</i></p>",
                {{"c", 192, 0, 8, 20}}},
               {"<p id='c' style='margin:0;width:20px'>aa<wbr/>aa</p>", {{"c", 0, 0, 16, 40}}});
}

TEST(lists_and_replaced_elements) {
  CHECK_PLACES({"<ol style='margin:0'><li id='c'>a</li><li value='1'><span class='b' id='d'>a</span></li></ol>",
                {{"d", 40, 20, 8, 20}}},
               {"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 2' width='40' style='display:block'><rect "
                "id='c' width='4' height='2'/></svg>",
                {{"c", 0, 0, 40, 20}}},
               {"<img id='c' style='margin:3px' height='12' src='data:image/svg+xml,%3Csvg "
                "xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" "
                "height=\"10\"/%3E'/>",
                {{"c", 3, 3, 24, 12}}});
}

// Returns the size that the root's style gives a document.
static void check_size(const char *attributes, float width, float height) {
  char text[256];
  stijl_svg *svg = NULL;
  snprintf(text, sizeof text, "<svg xmlns='http://www.w3.org/2000/svg' %s/>", attributes);
  CHECK_INT(stijl_svg_load(NULL, text, strlen(text), NULL, &svg, NULL), STIJL_OK);
  float got[2];
  stijl_svg_size(svg, &got[0], &got[1]);
  CHECK_NEAR(got[0], width, 1e-3);
  CHECK_NEAR(got[1], height, 1e-3);
  stijl_svg_destroy(svg);
}

#define DRAWN_HTML(content)                                                       \
  SVG("<style>* { margin: 0 }</style><foreignObject width='64' height='64'><div " \
      "xmlns='http://www.w3.org/1999/xhtml'>" content "</div></foreignObject>")

TEST(the_last_background_counts) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_PIXEL(DRAWN_HTML("<p style='height: 20px; background: transparent; background-color: #00f'/>"), 10, 10, BLUE);
  CHECK_PIXEL(DRAWN_HTML("<p style='height: 20px; background-color: #00f; background: #0f0'/>"), 10, 10, 0x00ff00ffu);
}

// The borders that cells share are seen whatever the backgrounds are.
TEST(backgrounds_hide_no_shared_border) {
  if (!have_svg()) SKIP("built without SVG");
#define TABLE(border)                                                             \
  DRAWN_HTML("<style>td { width: 20px; height: 20px; padding: 0; border: " border \
             "; background: #0f0 } table { "                                      \
             "border-collapse: collapse }</style><table><tr><td/><td/></tr><tr><td/><td/></tr></table>")
  CHECK_PIXEL(TABLE("2px solid #00f"), 22, 10, BLUE);
  CHECK_PIXEL(TABLE("2px solid #00f"), 10, 22, BLUE);
  CHECK_PIXEL(TABLE("2px solid #00f"), 10, 10, 0x00ff00ffu);
  // A shared inset border is a ridge, of which a line of one pixel shows nothing.
  CHECK_PIXEL(TABLE("1px inset #00f"), 10, 0, BLUE);
}

// Cells inherit the colours of their borders.
TEST(borders_of_rows_colour_those_of_cells) {
  if (!have_svg()) SKIP("built without SVG");
#define ROW(style)                                                                    \
  DRAWN_HTML(                                                                         \
      "<style>td { width: 20px; height: 20px; padding: 0 }</style><table border='1' " \
      "style='border-collapse: collapse'><tr style='" style "'><td></td><td></td></tr></table>")
  CHECK_PIXEL(ROW("border: 1px solid #00f"), 10, 0, BLUE);
  CHECK_PIXEL(ROW("border-color: #00f"), 21, 10, BLUE);
  CHECK_PIXEL(ROW("border-bottom: 4px solid #00f"), 10, 21, BLUE);
}

// Lines in HTML are a tenth of the size thick, on whole pixels, and all by the element that asks for them.
TEST(decoration_lines) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  stijl_fonts *fonts = params.fonts = open_fonts();
  static const struct {
    const char *style, *inner;
    int first, end;  // the rows that the line covers
  } lines[] = {{"text-decoration:underline", "   ", 27, 29},
               {"text-decoration:overline", "   ", 8, 10},
               {"text-decoration:line-through", "   ", 20, 22},
               {"text-decoration:underline 3px", "   ", 28, 31},
               {"text-decoration:underline;text-underline-offset:4px", "   ", 30, 32},
               {"text-decoration:underline", "<sub style='font-size:10px'>   </sub>", 27, 29},
               {"text-decoration:underline", "<span style='display:inline-block'>   </span>", 0, 0}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    static drawn d;
    char text[1024];
    snprintf(
        text, sizeof text,
        SVG("<foreignObject width='64' height='64'><div xmlns='http://www.w3.org/1999/xhtml' style='font:20px/20px "
            "Stijl Test;margin-top:10px;white-space:pre;color:#00f'><span style='%s'>%s</span></div>"
            "</foreignObject>"),
        lines[i].style, lines[i].inner);
    draw_svg(text, &params, &d);
    CHECK_INT(d.result, STIJL_OK);
    for (int y = 0; y < 40; y++) CHECK_INT(pixel(&d, 2, y), y >= lines[i].first && y < lines[i].end ? BLUE : 0);
  }
  stijl_fonts_destroy(fonts);
}

TEST(the_roots_bounds) {
  if (!have_svg()) SKIP("built without SVG");
  check_size("viewBox='0 0 100 50' width='100%' style='max-width: 80px'", 80, 40);
  check_size("viewBox='0 0 100 50' width='100%' height='60' style='max-width: 80px'", 80, 60);
  check_size("viewBox='0 0 100 50' height='30' style='max-width: 80px'", 60, 30);
  check_size("viewBox='0 0 100 50' width='300' height='150' style='max-width: 200px'", 200, 150);
  check_size("viewBox='0 0 100 50' width='300' style='max-width: 50%; min-width: 400px'", 400, 200);
  check_size("viewBox='0 0 100 50' style='max-width: none; max-height: 3'", 100, 50);
}

// The root has a box in the canvas, which is as large as its content, as in Chromium where the document is an image.
TEST(the_roots_box) {
  if (!have_svg()) SKIP("built without SVG");
#define ROOT(style)                                                              \
  "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='64' style='" style \
  "'>"                                                                           \
  "<rect width='100%' height='100%' fill='green'/></svg>"
#define BOXED ROOT("margin:4px;border:6px solid red;padding:10px 8px;background:blue")
  CHECK_PIXEL(BOXED, 2, 2, BLUE);
  CHECK_PIXEL(BOXED, 5, 5, RED);
  CHECK_PIXEL(BOXED, 12, 12, BLUE);
  CHECK_PIXEL(BOXED, 17, 21, BLUE);
  CHECK_PIXEL(BOXED, 18, 20, GREEN);
  CHECK_PIXEL(BOXED, 63, 63, GREEN);
#define BORDER_BOX ROOT("box-sizing:border-box;border:6px solid red")
  CHECK_PIXEL(BORDER_BOX, 57, 57, GREEN);
  CHECK_PIXEL(BORDER_BOX, 58, 32, RED);
  CHECK_PIXEL(ROOT("outline:4px solid red;outline-offset:-10px"), 32, 8, RED);
  CHECK_PIXEL(ROOT("outline:4px solid red;outline-offset:-10px"), 32, 11, GREEN);
  CHECK_PIXEL(ROOT("margin:20px;box-shadow:-6px 0 red"), 15, 30, RED);
  CHECK_PIXEL(ROOT("margin:20px;box-shadow:-6px 0 red"), 10, 30, 0);
  // Its background is the canvas's, too.
#define BACKED(style) "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='64' style='" style "'/>"
  CHECK_PIXEL(BACKED("background:linear-gradient(90deg,red 50%,blue 50%)"), 31, 60, RED);
  CHECK_PIXEL(BACKED("background:linear-gradient(90deg,red 50%,blue 50%)"), 32, 60, BLUE);
  CHECK_PIXEL(BACKED("background-image:linear-gradient(red,red);background-color:blue"), 9, 9, RED);
#define TILES "linear-gradient(red,red) no-repeat 4px 0/8px 100%"
  CHECK_PIXEL(BACKED("background:" TILES ",blue;padding:10px"), 11, 50, RED);
  CHECK_PIXEL(BACKED("background:" TILES ",blue;padding:10px"), 12, 50, BLUE);
  CHECK_PIXEL(BACKED("background:" TILES ",blue;border:10px solid green"), 14, 50, RED);
  CHECK_PIXEL(BACKED("background:" TILES ",blue;border:10px solid green"), 13, 50, BLUE);
  // What others than the root are declared to have has no effect.
  CHECK_PIXEL(SVG("<style>*{outline:2px none}g{border:9px solid red;padding:9px}</style><g><rect width='64' "
                  "height='64' fill='green'/></g>"),
              4, 4, GREEN);
}

// In documents of a page ex and ch are of the element's own font, wherever that is declared; in others half an em.
// DejaVu has an x-height of 1120, which it does not tell, and a 0 that is 1303 wide, of 2048.
TEST(lengths_of_a_font) {
  if (!have_svg()) SKIP("built without SVG");
  static const struct {
    const char *root, *content;
    double width;
  } cases[] = {
      {"", "<rect id='c' width='10ex' height='1' style='font-family: DejaVu Sans'/>", 100},
      {"", "<rect id='c' width='10ch' height='1' style='font-family: DejaVu Sans'/>", 100},
      {"max-width: 300px", "<rect id='c' width='10ex' height='1' style='font-family: DejaVu Sans'/>", 110},
      {"max-width: 300px", "<rect id='c' width='calc(10ch + 1px)' height='1' style='font-family: DejaVu Sans'/>",
       1 + 10 * 20 * 1303 / 2048.0},
      {"max-width: 300px", "<rect id='c' width='1em' height='1' style='font: 10ch DejaVu Sans'/>", 100},
      {"max-width: 300px; font-family: DejaVu Sans", "<rect id='c' width='1em' height='1' font-size='10ex'/>", 110},
      {"", HTML("<p id='c' style='width: 10ex; background: red; height: 1px; font-family: DejaVu Sans'/>"), 110},
      {"", HTML("<p id='c' style='width: 10ch; background: red; height: 1px'/>"), 100},
  };
  stijl_fonts *fonts = open_fonts();
  CHECK_INT(stijl_fonts_add_file(fonts, sj_test_font("dejavu.ttf"), NULL), STIJL_OK);
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.fonts = fonts;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[600];
    stijl_svg *svg = NULL;
    stijl_rect box = {0};
    bool empty = true;
    snprintf(text, sizeof text,
             "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='99' style='font: 20px Stijl Test; %s'>%s"
             "</svg>",
             cases[i].root, cases[i].content);
    CHECK_INT(stijl_svg_load(NULL, text, strlen(text), &params, &svg, NULL), STIJL_OK);
    CHECK_INT(stijl_svg_get_box(svg, stijl_svg_find(svg, "c"), STIJL_SVG_BOX_OBJECT, true, &box, &empty), STIJL_OK);
    CHECK_NEAR(box.x1 - box.x0, cases[i].width, 0.02);
    stijl_svg_destroy(svg);
  }
  // A stroke's width is inherited as it was computed, and the font may be declared behind it. HTML's boxes are whole
  // pixels.
  static drawn d;
  draw_svg(SVG("<g style='stroke-width: .2ex; font: 100px DejaVu Sans'><path d='M32 0V64' stroke='red' "
               "font-size='99'/></g>" HTML("<p/>")),
           &params, &d);
  CHECK_NEAR((pixel(&d, 37, 9) & 255) / 255.0, 10 * 1120 / 2048.0 - 5, 0.01);
  stijl_fonts_destroy(fonts);
}

TEST(names_are_sorted) {
  for (int i = SJ_HTML_BEFORE_FIRST_ + 1; i < SJ_HTML_END; i++) {
    const char *name = sj_html_property_text(i);
    CHECK_INT(sj_html_property_find(name, strlen(name)), i);
  }
  CHECK_INT(sj_html_property_find("zoom", 4), SJ_NAME_UNKNOWN);
}

TEST(items_have_numbers) {
  static const struct {
    int list;
    int32_t number;
    const char *text;
  } items[] = {{SJ_LIST_DECIMAL, 0, "0"},
               {SJ_LIST_DECIMAL, INT32_MIN, "-2147483648"},
               {SJ_LIST_LEADING_ZERO, -7, "-07"},
               {SJ_LIST_LEADING_ZERO, 123, "123"},
               {SJ_LIST_LOWER_ALPHA, 0, "0"},
               {SJ_LIST_LOWER_ALPHA, 26, "z"},
               {SJ_LIST_LOWER_ALPHA, INT32_MAX, "fxshrxw"},
               {SJ_LIST_UPPER_ALPHA, 703, "AAA"},
               {SJ_LIST_LOWER_GREEK, 17, "\u03c1"},
               {SJ_LIST_LOWER_GREEK, 18, "\u03c3"},
               {SJ_LIST_LOWER_GREEK, 25, "\u03b1\u03b1"},
               {SJ_LIST_LOWER_ROMAN, 3888, "mmmdccclxxxviii"},
               {SJ_LIST_UPPER_ROMAN, 9, "IX"},
               {SJ_LIST_UPPER_ROMAN, -1, "-1"},
               {SJ_LIST_UPPER_ROMAN, 4000, "4000"},
               {SJ_LIST_CIRCLE, 1, "\u25e6"},
               {SJ_LIST_NONE, 1, ""}};
  for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
    char text[SJ_HTML_NUMBER_BYTES];
    size_t length = sj_html_number(items[i].list, items[i].number, text);
    CHECK(length == strlen(items[i].text) && memcmp(text, items[i].text, length) == 0);
  }
}

// Pseudo-elements are boxes, of their own styles, at both ends of what is in their element. At 20 pixels a is 8 wide.
TEST(generated_content) {
  CHECK_PLACES({"<style>p{margin:0}p::before{content:'a' 'a'}p::after{content:'';display:block;height:7px}</style>"
                "<p class='b' id='c'><i id='d' class='i b' style='width:5px;height:5px'/></p><p class='b' id='e'/>",
                {{"c", 0, 0, 200, 27}, {"d", 16, 11, 5, 5}, {"e", 0, 27, 200, 27}}},
               {"<style>.f{display:flex}.f::before{content:attr(id);width:30px}.f::after{content:'';flex:1}"
                ".n::before{content:none}</style><div id='c' class='f'><i class='b' id='d'>a</i></div>"
                "<div id='e' class='f n'><i class='b' id='f'>a</i></div>",
                {{"d", 30, 0, 8, 20}, {"f", 0, 20, 8, 20}}},
               {"<style>p{margin:0;counter-increment:n 8}p::before{content:counter(n, lower-alpha)'a';padding-left:1px}"
                "p+p::before{font-size:10px}.u{counter-increment:n}</style>"
                "<p class='u'><i id='d' class='i b' style='width:5px;height:5px'/></p>"
                "<p class='u' style='counter-set:n 1'><i id='e' class='i b' style='width:5px;height:5px'/></p>",
                {{"d", 17, 11, 5, 5}, {"e", 9, 31, 5, 5}}},
               {"<style>#c::marker{content:'aaa'}</style><ul style='padding:0 0 0 40px;margin:0'><li id='c'/></ul>",
                {{"c", 16, 0, 24, 20}}});
}

#define MATH(content) \
  "<math xmlns='http://www.w3.org/1998/Math/MathML' style='font-family: Stijl Test'>" content "</math>"
#define MARKED "mathbackground='red'"

// The font has no MATH table, so that all constants are those that MathML Core falls back to. Its boxes of letters are
// 10 high. Backgrounds are at whole pixels.
TEST(formulas) {
  CHECK_PLACES({MATH("<mn id='c' " MARKED ">aa</mn><mspace width='1em'/><mn id='d' " MARKED ">V</mn>"),
                {{"c", 0, 6, 16, 10}, {"d", 36, 2, 12, 14}}},
               {MATH("<mn>a</mn><mo id='c' " MARKED ">V</mo><mn id='d' " MARKED ">a</mn>"),
                {{"c", 14, 2, 12, 14}, {"d", 31, 6, 8, 10}}});
}

// What is in a foreignObject `depth` deep.
typedef struct nest {
  const char *opening, *closing;
  size_t depth;
} nest;

// Loads a document in which `middle` is within a nest, within the element `around`, which ends with `end`.
static void load_nest(const char *around, const nest *n, const char *middle, const char *end) {
  static char text[60000];
  size_t at = (size_t)snprintf(
      text, sizeof text,
      "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><foreignObject width='9' height='9'>%s", around);
  for (size_t i = 0; i < n->depth; i++) at += (size_t)snprintf(text + at, sizeof text - at, "%s", n->opening);
  at += (size_t)snprintf(text + at, sizeof text - at, "%s", middle);
  for (size_t i = 0; i < n->depth; i++) at += (size_t)snprintf(text + at, sizeof text - at, "%s", n->closing);
  at += (size_t)snprintf(text + at, sizeof text - at, "%s</foreignObject></svg>", end);
  stijl_svg *svg = NULL;
  stijl_message message = {{0}};
  CHECK_INT(stijl_svg_load(NULL, text, at, NULL, &svg, &message), STIJL_OK);
  if (message.text[0]) printf("# %s\n", message.text);
  stijl_svg_destroy(svg);
}

// Nodes that grow with what is around them are not asked again and again.
TEST(deep_formulas_end) {
  if (!have_svg()) SKIP("built without SVG");
  static const nest nests[] = {{"<mrow><mfrac>", "<mn>2</mn></mfrac></mrow>", 110},
                               {"<munder><mo>&#x2192;</mo>", "</munder>", 220},
                               {"<msup><mrow>", "</mrow><mn>2</mn></msup>", 110},
                               {"<mover>", "<mo>^</mo></mover>", 220}};
  for (size_t i = 0; i < sizeof nests / sizeof *nests; i++)
    load_nest("<math xmlns='http://www.w3.org/1998/Math/MathML'>", &nests[i], "<mo>(</mo>", "</math>");
}

// Nested flex containers ask for the size of what is in them again and again.
TEST(deep_layouts_end) {
  if (!have_svg()) SKIP("built without SVG");
  static const nest nests[] = {{"<div style='display:flex'>", "</div>", 240},
                               {"<table><tr><td>", "</td></tr></table>", 80},
                               {"<div style='display:inline-flex'>", "</div>", 240}};
  for (size_t i = 0; i < sizeof nests / sizeof *nests; i++)
    load_nest("<div xmlns='http://www.w3.org/1999/xhtml'>", &nests[i], "a", "</div>");
}

// What a foreignObject has acts on it once, and in units of its rectangle.
TEST(effects_of_the_element_count_once) {
  if (!have_svg()) SKIP("built without SVG");
#define BLUE_HALF                                                                                       \
  "width='64' height='64'><div xmlns='http://www.w3.org/1999/xhtml' style='width: 32px; height: 64px; " \
  "background: blue'></div></foreignObject>"
  CHECK_PIXEL(SVG("<foreignObject opacity='0.4' " BLUE_HALF), 8, 30, 0x00006666u);
  CHECK_PIXEL(SVG("<foreignObject style='mask: linear-gradient(90deg, black 24px, transparent 24px)' " BLUE_HALF), 20,
              30, BLUE);
  CHECK_PIXEL(SVG("<foreignObject style='mask: linear-gradient(90deg, black 75%, transparent 75%)' " BLUE_HALF), 28, 30,
              BLUE);
}
