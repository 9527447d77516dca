// Resolves mesh gradients (SVG 2 as it was in 2016, 13.4.2, which is what Inkscape writes; later drafts have left them
// out): rows of patches, each a stop for each of its sides that no patch before it has. A stop's path is the side, and
// its colour that of the corner where the side begins.
#include "svg/resolve/mesh.h"

#include <string.h>

#include "geometry/path.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/transforms.h"

enum { TOP, RIGHT, BOTTOM, LEFT, SIDES };

typedef struct reader {
  sj_resolver *r;
  sj_style style;  // of the patch that is read
  sj_tree_server *out;
  stijl_point origin;
  uint32_t row, column;
} reader;

static uint32_t next_of(const sj_document *document, uint32_t element, sj_element kind) {
  while (element != SJ_NO_ELEMENT && document->nodes.data[element].element != kind)
    element = document->dom->next.data[element];
  return element;
}

static uint32_t first_of(const sj_document *document, uint32_t parent, sj_element kind) {
  return next_of(document, document->dom->first_child.data[parent], kind);
}

static uint32_t after(const sj_document *document, uint32_t element, sj_element kind) {
  return next_of(document, document->dom->next.data[element], kind);
}

static const sj_tree_patch *patch_at(const reader *m, uint32_t row, uint32_t column) {
  return &m->r->job->tree->patches.data[m->out->patches.first + row * m->out->columns + column];
}

// Takes the sides and corners that the patches above and to the left have.
static void share_sides(const reader *m, sj_tree_patch *patch) {
  if (m->row) {
    const sj_tree_patch *above = patch_at(m, m->row - 1, m->column);
    for (int i = 0; i < 4; i++) patch->points[i] = above->points[9 - i];
    patch->colors[0] = above->colors[3];
    patch->colors[1] = above->colors[2];
  }
  if (m->column) {
    const sj_tree_patch *left = &m->r->job->tree->patches.data[m->r->job->tree->patches.count - 1];
    patch->points[0] = left->points[3];
    for (int i = 9; i < 12; i++) patch->points[i] = left->points[15 - i];
    patch->colors[0] = left->colors[1];
    patch->colors[3] = left->colors[2];
  }
  if (!m->row && !m->column) patch->points[0] = m->origin;
}

static bool is_place(stijl_point p) { return sj_path_coordinate_ok(p.x) && sj_path_coordinate_ok(p.y); }

// Reads a side, which begins at points[3 * side]. Where its end is known, which `closed` tells, it may be left out.
static bool read_side(const reader *m, const sj_string *text, int side, bool closed, sj_tree_patch *patch) {
  const char *data = text->text;
  size_t length = text->length;
  sj_trim(&data, &length);
  char command = length ? *data : 0;
  bool curve = command == 'c' || command == 'C', relative = command == 'c' || command == 'l';
  if (!curve && command != 'l' && command != 'L') return false;
  sj_list list = sj_list_begin(m->r->styles.budget, data + 1, length - 1);
  int most = curve ? 3 : 1, count = 0;
  stijl_point from = patch->points[3 * side], read[3] = {{0}};
  for (float x, y; count < most && sj_list_next_number(&list, &x) && sj_list_next_number(&list, &y); count++)
    read[count] = (stijl_point){relative ? from.x + x : x, relative ? from.y + y : y};
  if (list.failed || count < (closed ? most - 1 : most)) return false;
  stijl_point *to = &patch->points[(3 * side + 3) % 12], *between = &patch->points[3 * side + 1];
  if (!closed) *to = read[most - 1];
  for (int i = 0; i < 2; i++) {
    float share = (float)(i + 1) / 3.0f;
    between[i] = curve ? read[i] : (stijl_point){from.x + share * (to->x - from.x), from.y + share * (to->y - from.y)};
  }
  return is_place(between[0]) && is_place(between[1]) && is_place(*to);
}

static stijl_color stop_color(const reader *m, uint32_t stop) {
  sj_style style;
  sj_style_compute(&m->r->styles, SJ_NO_COPY, stop, &m->style, &style);
  stijl_color color = style.stop_color_kind == SJ_COLOR_CURRENT ? style.color : style.stop_color;
  color.a *= style.stop_opacity;
  return color;
}

// Reads a patch behind those before it. Returns false where something is wrong with it, which is told, or missing.
static bool read_patch(reader *m, uint32_t element) {
  const sj_document *document = m->r->document;
  sj_tree *tree = m->r->job->tree;
  sj_tree_patch patch = {0};
  share_sides(m, &patch);
  sj_style_in_document(&m->r->styles, element, &m->style);
  uint32_t stop = first_of(document, element, SJ_ELEMENT_STOP);
  for (int side = m->row ? RIGHT : TOP; side < (m->column ? LEFT : SIDES); side++) {
    if (stop == SJ_NO_ELEMENT || !sj_resolve_spend(m->r, document->nodes.data[stop].work)) return false;
    const sj_string *path = sj_document_attribute(document, stop, SJ_ATTRIBUTE_PATH);
    // The last side ends where another begins.
    bool closed = side == LEFT || (side == BOTTOM && m->column);
    bool good = path && read_side(m, path, side, closed, &patch);
    if (!sj_understood(m->r, SJ_ATTRIBUTE_PATH, path, good)) return false;
    bool known = side == TOP ? m->column > 0 : side == RIGHT && m->row;
    if (!known) patch.colors[side] = stop_color(m, stop);
    stop = after(document, stop, SJ_ELEMENT_STOP);
  }
  if (tree->patches.count < SJ_NONE && sj_array_push(tree->context, &tree->patches, patch)) return true;
  sj_resolve_fail_memory(m->r);
  return false;
}

// Reads all rows. One that is shorter than the first, or has a mistake in it, ends the mesh before it.
static void read_rows(reader *m, uint32_t mesh) {
  const sj_document *document = m->r->document;
  sj_tree *tree = m->r->job->tree;
  sj_range *patches = &m->out->patches;
  patches->first = patches->end = (uint32_t)tree->patches.count;
  for (uint32_t row = first_of(document, mesh, SJ_ELEMENT_MESH_ROW); row != SJ_NO_ELEMENT;
       row = after(document, row, SJ_ELEMENT_MESH_ROW), m->row++) {
    m->column = 0;
    for (uint32_t patch = first_of(document, row, SJ_ELEMENT_MESH_PATCH);
         patch != SJ_NO_ELEMENT && (!m->row || m->column < m->out->columns) && read_patch(m, patch);
         patch = after(document, patch, SJ_ELEMENT_MESH_PATCH))
      m->column++;
    if (!m->row) m->out->columns = m->column;
    if (!m->column || m->column < m->out->columns) break;
    patches->end = (uint32_t)tree->patches.count;
  }
  tree->patches.count = patches->end;
}

sj_server_result sj_resolve_mesh(sj_resolver *r, uint32_t mesh, const sj_resolve_frame *frame, sj_tree_server *out) {
  const sj_document *document = r->document;
  sj_templates templates;
  sj_templates_collect(r, mesh, SJ_IS_MESH, &templates);
  if (!sj_templates_spend(r, &templates)) return SJ_SERVER_NONE;
  int with_rows = 0;
  while (with_rows < templates.count &&
         first_of(document, templates.elements[with_rows], SJ_ELEMENT_MESH_ROW) == SJ_NO_ELEMENT)
    with_rows++;
  if (with_rows == templates.count) return SJ_SERVER_INVALID;
  sj_style style;
  sj_style_in_document(&r->styles, mesh, &style);
  sj_resolve_frame units = *frame;
  units.style = &style;
  out->kind = SJ_TREE_SERVER_MESH;
  out->box_units = sj_units_are_box(sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_GRADIENT_UNITS, 0), true);
  if (out->box_units) units.width = units.height = 1.0f;
  const sj_string *type = sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_TYPE, 0);
  out->bicubic = type && strcmp(type->text, "bicubic") == 0;
  uint32_t transformed = sj_templates_with(document, &templates, SJ_ATTRIBUTE_GRADIENT_TRANSFORM, mesh);
  if (!sj_own_transform(r, &units, transformed, SJ_ATTRIBUTE_GRADIENT_TRANSFORM, sj_view_reference(&units),
                        &out->transform))
    return SJ_SERVER_INVALID;
  reader m = {.r = r, .out = out};
  m.origin.x = sj_templates_length(r, &templates, &units, SJ_ATTRIBUTE_X, SJ_AXIS_X);
  m.origin.y = sj_templates_length(r, &templates, &units, SJ_ATTRIBUTE_Y, SJ_AXIS_Y);
  if (!is_place(m.origin)) return SJ_SERVER_NONE;
  read_rows(&m, templates.elements[with_rows]);
  return out->patches.first < out->patches.end ? SJ_SERVER_PAINTS : SJ_SERVER_NONE;
}
