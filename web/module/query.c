// Tells what a document draws, node by node.
#include "web.h"

#include <string.h>

uint32_t WEB(svg_nodes)(const stijl_svg *svg) { return stijl_svg_nodes(svg); }
uint32_t WEB(svg_find)(const stijl_svg *svg, const char *id) { return stijl_svg_find(svg, id); }
uint32_t WEB(svg_hit)(const stijl_svg *svg, float x, float y) { return stijl_svg_hit(svg, x, y); }

// Leaves in web_scratch: kind, end, parent, addresses of the element's name and of its id; the two matrices, as floats.
int WEB(svg_node)(const stijl_svg *svg, uint32_t node) {
  stijl_svg_node n = STIJL_SVG_NODE_INIT;
  web_error.text[0] = 0;
  stijl_result result = stijl_svg_get_node(svg, node, &n);
  uint32_t *out = web_scratch(5 * sizeof *out + 2 * sizeof(stijl_matrix));
  if (!out) return (int)STIJL_ERROR_OUT_OF_MEMORY;
  const uint32_t words[5] = {(uint32_t)n.kind, n.end, n.parent, (uint32_t)(uintptr_t)n.element,
                             (uint32_t)(uintptr_t)n.id};
  memcpy(out, words, sizeof words);
  memcpy(out + 5, &n.transform, sizeof n.transform);
  memcpy(out + 11, &n.to_canvas, sizeof n.to_canvas);
  return (int)result;
}

// Returns 1 and leaves four floats in web_scratch if there is a box; 0 if there is none; -1 on failure.
int WEB(svg_box)(const stijl_svg *svg, uint32_t node, int which, int on_canvas) {
  stijl_rect *out = web_scratch(sizeof *out);
  bool empty = true;
  web_error.text[0] = 0;
  web_result =
      out ? stijl_svg_get_box(svg, node, (stijl_svg_box)which, on_canvas, out, &empty) : STIJL_ERROR_OUT_OF_MEMORY;
  return web_result != STIJL_OK ? -1 : !empty;
}

stijl_scene *WEB(svg_node_scene)(const stijl_svg *svg, uint32_t node, float width, float height) {
  stijl_scene *scene = NULL;
  web_result = stijl_svg_node_scene(svg, node, width, height, &scene, &web_error);
  return scene;
}
