// The public render tree: nodes, boxes, hits, single elements; and that resolving takes its time once.
#include <math.h>
#include <stdlib.h>

#include "processor.h"
#include "svg_draw.h"
#include "test.h"

static stijl_svg *load(const char *text) {
  stijl_svg *svg = NULL;
  stijl_message message = {""};
  if (stijl_svg_load(NULL, text, strlen(text), NULL, &svg, &message) != STIJL_OK)
    sj_test_fail(__FILE__, __LINE__, "%s", message.text);
  return svg;
}

// Returns the box of an element as text, "-" when it is empty.
static const char *box_of(const stijl_svg *svg, const char *id, stijl_svg_box which, bool on_canvas) {
  static char text[128];
  stijl_rect r = {0};
  bool empty = true;
  uint32_t node = stijl_svg_find(svg, id);
  if (node == STIJL_SVG_NO_NODE) return "none";
  CHECK_INT(stijl_svg_get_box(svg, node, which, on_canvas, &r, &empty), STIJL_OK);
  if (empty) return "-";
  snprintf(text, sizeof text, "%g %g %g %g", (double)r.x0, (double)r.y0, (double)r.x1, (double)r.y1);
  return text;
}

static const char things[] =
    SVG("<marker id='m' markerWidth='4' markerHeight='4' refX='2' refY='2' markerUnits='userSpaceOnUse'>"
        "<rect width='4' height='4'/></marker>"
        "<clipPath id='c'><rect x='0' y='0' width='8' height='20'/></clipPath>"
        "<mask id='k' x='0' y='0' width='4' height='4' maskUnits='userSpaceOnUse'><rect width='9' height='9'/></mask>"
        "<g id='g' transform='translate(10 20)'>"
        "<rect id='a' width='10' height='5' stroke='red' stroke-width='2'/>"
        "<path id='b' d='M0 10h10' fill='none' stroke='red' marker-end='url(#m)'/>"
        "<rect id='h' width='30' height='30' visibility='hidden'/></g>"
        "<g id='t' transform='rotate(90)'><rect id='r' x='1' y='-9' width='2' height='4'/></g>"
        "<rect id='l' width='16' height='16' clip-path='url(#c)'/><rect id='s' width='16' height='16' mask='url(#k)'/>"
        "<svg id='v' x='40' y='40' width='10' height='10'><rect id='w' width='30' height='30'/></svg>"
        "<g id='e'/><g id='o' opacity='0'><rect width='5' height='5'/></g><g id='d' display='none'><rect/></g>"
        "<use id='u' href='#a' x='30' y='50'/>");

TEST(boxes) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_svg *svg = load(things);
  static const struct {
    const char *id;
    const char *object, *stroke, *layer, *canvas;  // canvas: the layer box there
  } cases[] = {{"a", "0 0 10 5", "-1 -1 11 6", "-1 -1 11 6", "9 19 21 26"},
               {"b", "0 10 10 10", "0 9.5 10 10.5", "0 8 12 12", "10 28 22 32"},
               {"h", "0 0 30 30", "0 0 30 30", "-", "-"},
               {"g", "0 0 30 30", "-1 -1 30 30", "-1 -1 12 12", "9 19 22 32"},
               {"r", "1 -9 3 -5", "1 -9 3 -5", "1 -9 3 -5", "5 1 9 3"},
               {"t", "1 -9 3 -5", "1 -9 3 -5", "1 -9 3 -5", "5 1 9 3"},
               {"l", "0 0 16 16", "0 0 16 16", "0 0 8 16", "0 0 8 16"},
               {"s", "0 0 16 16", "0 0 16 16", "0 0 4 4", "0 0 4 4"},
               {"v", "40 40 70 70", "40 40 70 70", "40 40 50 50", "40 40 50 50"},
               {"w", "0 0 30 30", "0 0 30 30", "0 0 30 30", "40 40 70 70"},
               {"e", "-", "-", "-", "-"},
               {"o", "0 0 5 5", "0 0 5 5", "-", "-"},
               {"u", "0 0 10 5", "-1 -1 11 6", "-1 -1 11 6", "29 49 41 56"},
               {"d", "none", "none", "none", "none"},
               {"m", "none", "none", "none", "none"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CHECK_STR(box_of(svg, cases[i].id, STIJL_SVG_BOX_OBJECT, false), cases[i].object);
    CHECK_STR(box_of(svg, cases[i].id, STIJL_SVG_BOX_STROKE, false), cases[i].stroke);
    CHECK_STR(box_of(svg, cases[i].id, STIJL_SVG_BOX_LAYER, false), cases[i].layer);
    CHECK_STR(box_of(svg, cases[i].id, STIJL_SVG_BOX_LAYER, true), cases[i].canvas);
  }
  stijl_svg_destroy(svg);
}

TEST(boxes_of_what_is_filtered) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_svg *svg = load(SVG(
      "<filter id='f' x='-1' y='-1' width='3' height='3'><feFlood flood-color='red'/></filter>"
      "<filter id='n' x='0' y='0' width='0' height='3'><feFlood/></filter><clipPath id='c'><rect width='9' height='9'/>"
      "</clipPath><rect id='u' x='10' y='10' width='10' height='10' filter='url(#f)'/>"
      "<rect id='b' x='10' y='10' width='10' height='10' style='filter:blur(2px)'/>"
      "<g transform='scale(2)'><rect id='s' x='10' y='10' width='10' height='10' "
      "style='filter:drop-shadow(4px -5px 1px)'/></g>"
      "<rect id='l' width='10' height='10' filter='url(#f)' clip-path='url(#c)'/>"
      "<rect id='z' width='10' height='10' filter='url(#n)'/>"));
  CHECK_STR(box_of(svg, "u", STIJL_SVG_BOX_LAYER, true), "0 0 30 30");
  CHECK_STR(box_of(svg, "u", STIJL_SVG_BOX_STROKE, true), "10 10 20 20");
  CHECK_STR(box_of(svg, "b", STIJL_SVG_BOX_LAYER, true), "4 4 26 26");
  CHECK_STR(box_of(svg, "s", STIJL_SVG_BOX_LAYER, true), "20 4 54 40");
  CHECK_STR(box_of(svg, "l", STIJL_SVG_BOX_LAYER, true), "0 0 9 9");
  CHECK_STR(box_of(svg, "z", STIJL_SVG_BOX_LAYER, true), "-");
  stijl_svg_destroy(svg);
}

TEST(nodes_are_a_tree) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_svg *svg = load(things);
  uint32_t count = stijl_svg_nodes(svg), with_id = 0;
  CHECK(count > 15);
  for (uint32_t i = 0; i < count; i++) {
    stijl_svg_node node = STIJL_SVG_NODE_INIT, parent = STIJL_SVG_NODE_INIT;
    CHECK_INT(stijl_svg_get_node(svg, i, &node), STIJL_OK);
    CHECK((node.parent == STIJL_SVG_NO_NODE) == (i == 0) && node.end > i && node.end <= count);
    with_id += *node.id != 0;
    if (!i) continue;
    CHECK_INT(stijl_svg_get_node(svg, node.parent, &parent), STIJL_OK);
    CHECK(node.parent < i && node.end <= parent.end);
    stijl_matrix whole = stijl_matrix_multiply(parent.to_canvas, node.transform);
    CHECK(memcmp(&whole, &node.to_canvas, sizeof whole) == 0);
  }
  CHECK_INT(with_id, 14);  // `a` twice
  stijl_svg_node node = STIJL_SVG_NODE_INIT;
  CHECK_INT(stijl_svg_get_node(svg, stijl_svg_find(svg, "b"), &node), STIJL_OK);
  CHECK_STR(node.element, "path");
  CHECK(strncmp(things + node.offset, "<path", 5) == 0);
  CHECK_INT(node.kind, STIJL_SVG_SHAPE);
  CHECK_INT(stijl_svg_get_node(svg, count, &node), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_svg_find(svg, "nothing"), STIJL_SVG_NO_NODE);
  CHECK_INT(stijl_svg_find(NULL, "a"), STIJL_SVG_NO_NODE);
  stijl_svg_destroy(svg);
}

static const char *hit(const stijl_svg *svg, float x, float y) {
  stijl_svg_node node = STIJL_SVG_NODE_INIT;
  uint32_t at = stijl_svg_hit(svg, x, y);
  return at != STIJL_SVG_NO_NODE && stijl_svg_get_node(svg, at, &node) == STIJL_OK ? node.id : "-";
}

TEST(hits) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_svg *svg =
      load(SVG("<clipPath id='c'><circle cx='50' cy='50' r='10'/></clipPath>"
               "<rect id='below' width='20' height='20'/><rect id='above' x='10' y='10' width='20' height='20'/>"
               "<circle id='ring' cx='44' cy='10' r='8' fill='none' stroke='red' stroke-width='2'/>"
               "<path id='hole' d='M0 30h20v20h-20zM5 35h10v10h-10z' fill-rule='evenodd'/>"
               "<path id='line' d='M30 40h10' stroke='red' stroke-width='4' stroke-linecap='square'/>"
               "<rect id='clipped' x='40' y='40' width='20' height='20' clip-path='url(#c)'/>"
               "<g transform='translate(0 64) scale(1 -1)'><rect id='turned' y='2' width='6' height='4'/></g>"
               "<rect id='unseen' x='20' y='52' width='10' height='10' visibility='hidden'/>"
               "<g opacity='0'><rect id='faint' x='20' y='52' width='10' height='10'/></g>"));
  static const struct {
    float x, y;
    const char *id;
  } cases[] = {{5, 5, "below"},   {15, 15, "above"}, {44, 10, "-"},       {44, 2.5f, "ring"},  {44, 0.5f, "-"},
               {2, 32, "hole"},   {10, 40, "-"},     {35, 41, "line"},    {29, 40, "line"},    {41.5f, 40, "line"},
               {27, 40, "-"},     {35, 43, "-"},     {50, 50, "clipped"}, {41, 41.9f, "line"}, {59, 59, "-"},
               {3, 60, "turned"}, {3, 63, "-"},      {25, 57, "-"},       {-1, 5, "-"},        {NAN, 5, "-"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) CHECK_STR(hit(svg, cases[i].x, cases[i].y), cases[i].id);
  CHECK_INT(stijl_svg_hit(NULL, 1, 1), STIJL_SVG_NO_NODE);
  stijl_svg_destroy(svg);
}

// What hits say, and where boxes are, is what is drawn.
TEST(hits_and_boxes_are_what_is_drawn) {
  if (!have_svg()) SKIP("built without SVG");
  static const char text[] =
      SVG("<clipPath id='c'><circle cx='30' cy='30' r='28'/></clipPath><g clip-path='url(#c)'>"
          "<path d='M4 4C40 0 60 30 20 60z' transform='rotate(20 30 30)'/>"
          "<path d='M10 50L50 44 30 12' fill='none' stroke='red' stroke-width='6' stroke-linejoin='round'/></g>");
  static drawn d;
  draw_svg(text, NULL, &d);
  stijl_svg *svg = load(text);
  int different = 0;
  for (int y = 0; y < DRAWN_SIZE; y++)
    for (int x = 0; x < DRAWN_SIZE; x++) {
      uint32_t alpha = pixel(&d, x, y) & 0xff;
      bool is_hit = stijl_svg_hit(svg, (float)x + 0.5f, (float)y + 0.5f) != STIJL_SVG_NO_NODE;
      different += (alpha > 250 && !is_hit) || (alpha < 5 && is_hit);
    }
  CHECK_INT(different, 0);
  stijl_svg_destroy(svg);
}

TEST(an_element_alone) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_svg *svg =
      load(SVG("<g opacity='.5' transform='translate(7 9)'>"
               "<g id='a' transform='scale(2)'><rect width='4' height='8' fill='red'/>"
               "<rect x='4' width='4' height='8' fill='blue'/></g></g><rect width='64' height='64'/>"));
  stijl_scene *scene;
  stijl_message message;
  CHECK_INT(stijl_svg_node_scene(svg, stijl_svg_find(svg, "a"), 16, 16, &scene, &message), STIJL_OK);
  stijl_renderer *renderer;
  static uint32_t pixels[16][16];
  stijl_target target = {.size = sizeof target,
                         .width = 16,
                         .height = 16,
                         .format = STIJL_FORMAT_RGBA8,
                         .pixels = pixels,
                         .stride = sizeof pixels[0]};
  CHECK_INT(stijl_renderer_create(NULL, NULL, &renderer, &message), STIJL_OK);
  CHECK_INT(stijl_render(renderer, scene, &target, NULL, &message), STIJL_OK);
  CHECK_INT(pixels[0][0], 0xff0000ffu);
  CHECK_INT(pixels[15][7], 0xff0000ffu);
  CHECK_INT(pixels[0][8], 0xffff0000u);
  CHECK_INT(pixels[15][15], 0xffff0000u);
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
  CHECK_INT(stijl_svg_node_scene(svg, STIJL_SVG_NO_NODE, 16, 16, &scene, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_svg_node_scene(svg, 0, 0, 16, &scene, &message), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_svg_destroy(svg);
}

// Returns the shortest time of three to load nested groups around many leaves, with a style sheet.
static double time_nested(int depth, int leaves, const char *sheet) {
  size_t capacity = (size_t)leaves * 64 + (size_t)depth * 16 + 1024, length;
  char *text = malloc(capacity);
  length = (size_t)snprintf(text, capacity,
                            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 99 99'><style>%s</style>", sheet);
  for (int i = 0; i < depth; i++) length += (size_t)snprintf(text + length, capacity - length, "<g>");
  for (int i = 0; i < leaves; i++)
    length +=
        (size_t)snprintf(text + length, capacity - length, "<path d='M%d %dh5v5c1 1 2 3 0 4z'/>", i % 90, i / 12 % 90);
  for (int i = 0; i < depth; i++) length += (size_t)snprintf(text + length, capacity - length, "</g>");
  snprintf(text + length, capacity - length, "</svg>");
  double best = 1e9;
  for (int i = 0; i < 3; i++) {
    double start = sj_test_processor_seconds();
    stijl_svg *svg = load(text);
    stijl_scene *scene;
    stijl_message message;
    CHECK_INT(stijl_svg_scene(svg, 99, 99, &scene, &message), STIJL_OK);
    if (sj_test_processor_seconds() - start < best) best = sj_test_processor_seconds() - start;
    stijl_scene_destroy(scene);
    stijl_svg_destroy(svg);
  }
  free(text);
  return best;
}

// Measuring once doubled with each level, and ended with max_elements.
TEST(boxes_of_nested_groups_take_no_time) {
  if (!have_svg()) SKIP("built without SVG");
  static const int depths[] = {10, 60, 200};
  for (int i = 0; i < 3; i++) {
    double with = time_nested(depths[i], 1100, "*{transform-box:fill-box;transform-origin:center}");
    double without = time_nested(depths[i], 1100, "*{}");
    printf("# %d levels: %.1f ms beyond %.1f\n", depths[i], (with - without) * 1e3, without * 1e3);
    CHECK(with - without < 0.02 + 0.5 * without);  // the latter for sanitizers and emulators
  }
}
