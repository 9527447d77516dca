// Resolves hatches (SVG 2 as it was in 2016, 13.5, which is what Inkscape writes; later drafts have left them out). A
// hatch consists of strips, each as wide as its pitch, beside one another along x. In each the paths of its hatchpath
// elements go on along y: where one ends it begins anew.
#include "svg/resolve/hatch.h"

#include <math.h>
#include <string.h>

#include "svg/resolve/layer.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/resolve.h"
#include "svg/resolve/shapes.h"
#include "svg/resolve/transforms.h"

// Paths of one hatch may have different lengths. A tile has at most so many of the first.
#define MAX_REPEATS 64

static uint32_t next_path(const sj_document *document, uint32_t element) {
  while (element != SJ_NO_ELEMENT && document->nodes.data[element].element != SJ_ELEMENT_HATCH_PATH)
    element = document->dom->next.data[element];
  return element;
}

static uint32_t first_path(const sj_document *document, uint32_t hatch) {
  return next_path(document, document->dom->first_child.data[hatch]);
}

// Adds the data of a hatchpath to `path`. Those that do not begin with a place begin at the origin.
static stijl_result add_data(sj_resolver *r, const sj_string *data, stijl_path *path, size_t *at) {
  const char *text = data->text;
  size_t length = data->length;
  sj_trim(&text, &length);
  if (!length || *text == 'M' || *text == 'm') return stijl_path_add_svg(path, data->text, data->length, at);
  static const char origin[] = "M0 0";
  size_t before = sizeof origin - 1;
  char *whole = sj_alloc(r->job->context, before + data->length);
  if (!whole) return STIJL_ERROR_OUT_OF_MEMORY;
  memcpy(whole, origin, before);
  memcpy(whole + before, data->text, data->length);
  stijl_result result = stijl_path_add_svg(path, whole, before + data->length, at);
  *at = *at > before ? *at - before : 0;
  sj_free(r->job->context, whole);
  return result;
}

// Adds the path of a hatchpath to `path`. Returns how long it is along y: where it ends; 0 for a line without end.
static float read_path(sj_resolver *r, uint32_t element, stijl_path *path) {
  const sj_string *data = sj_document_attribute(r->document, element, SJ_ATTRIBUTE_D);
  if (!data) return 0.0f;
  size_t at = 0;
  stijl_result result = add_data(r, data, path, &at);
  bool ended = at >= data->length;
  if (result == STIJL_ERROR_MALFORMED)
    sj_omit(r, SJ_OMIT_PATH, ended ? "its end" : data->text + at, ended ? 7 : data->length - at);
  else if (!sj_resolve_check(r, result))
    return 0.0f;
  const stijl_point *points;
  size_t count = stijl_path_points(path, &points);
  return count && points[count - 1].y > 0.0f ? points[count - 1].y : 0.0f;
}

// Finds how high a tile has to be so that all paths fit into it some whole times. Returns 0 if none has a length.
static float tile_height(sj_resolver *r, uint32_t hatch) {
  float lengths[MAX_REPEATS];
  int count = 0;
  for (uint32_t i = first_path(r->document, hatch); i != SJ_NO_ELEMENT && sj_resolving(r);
       i = next_path(r->document, r->document->dom->next.data[i])) {
    stijl_path *path = sj_take_path(r);
    if (!path || !sj_resolve_spend(r, r->document->nodes.data[i].work)) return 0.0f;
    float length = read_path(r, i, path);
    sj_give_path(r, path);
    if (length > 0.0f && count < MAX_REPEATS) lengths[count++] = length;
  }
  if (!count) return 0.0f;
  for (int n = 1; n <= MAX_REPEATS; n++) {
    bool fits = true;
    for (int i = 1; i < count && fits; i++) {
      float times = (float)n * lengths[0] / lengths[i];
      fits = nearbyintf(times) >= 1.0f && fabsf(times - nearbyintf(times)) < 1e-3f;
    }
    if (fits) return (float)n * lengths[0];
  }
  sj_omit_value(r, "d", "of hatchpaths that meet nowhere", 31);
  return MAX_REPEATS * lengths[0];
}

sj_server_result sj_resolve_hatch(sj_resolver *r, uint32_t hatch, const sj_resolve_frame *frame, uint32_t node,
                                  sj_tree_server *out, uint32_t *source, bool *depends) {
  const sj_document *document = r->document;
  sj_templates templates;
  sj_templates_collect(r, hatch, SJ_IS_HATCH, &templates);
  if (!sj_templates_spend(r, &templates)) return SJ_SERVER_NONE;
  int with_paths = 0;
  while (with_paths < templates.count && first_path(document, templates.elements[with_paths]) == SJ_NO_ELEMENT)
    with_paths++;
  if (with_paths == templates.count) return SJ_SERVER_INVALID;
  *source = templates.elements[with_paths];
  bool box_units = sj_units_are_box(sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_HATCH_UNITS, 0), true);
  bool box_content =
      sj_units_are_box(sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_HATCH_CONTENT_UNITS, 0), false);

  sj_style style;
  sj_style_in_document(&r->styles, hatch, &style);
  sj_resolve_frame units = *frame;
  units.style = &style;
  stijl_point unit = {1.0f, 1.0f}, content = unit;
  stijl_point corner = {0.0f, 0.0f};
  if (box_units || box_content) {
    *depends = true;
    const sj_box *box = sj_node_box(r, node);
    // A box without an area cannot be a coordinate system (SVG 2, 8.11).
    if (!sj_box_has_area(box)) return SJ_SERVER_INVALID;
    stijl_point size = {box->rect.x1 - box->rect.x0, box->rect.y1 - box->rect.y0};
    if (box_units) unit = size, corner = (stijl_point){box->rect.x0, box->rect.y0}, units.width = units.height = 1.0f;
    if (box_content) content = size;
  }
  float x = corner.x + unit.x * sj_templates_length(r, &templates, &units, SJ_ATTRIBUTE_X, SJ_AXIS_X);
  float y = corner.y + unit.y * sj_templates_length(r, &templates, &units, SJ_ATTRIBUTE_Y, SJ_AXIS_Y);
  float pitch = unit.x * sj_templates_length(r, &templates, &units, SJ_ATTRIBUTE_PITCH, SJ_AXIS_X);
  float height = tile_height(r, *source) * content.y;
  if (!(height > 0.0f)) height = pitch;
  if (!(pitch > 0.0f) || !isfinite(pitch) || !isfinite(height)) return SJ_SERVER_INVALID;
  out->kind = SJ_TREE_SERVER_PATTERN;
  out->tile = (stijl_rect){0.0f, 0.0f, pitch, height};
  // The content has units of its own.
  out->has_view_box = true;
  out->view_box = (sj_view_box){0.0f, 0.0f, pitch / content.x, height / content.y};
  out->aspect = (sj_aspect)SJ_ASPECT_DEFAULT;
  out->aspect.none = true;

  float degrees = 0.0f;
  const sj_string *rotate = sj_templates_attribute(document, &templates, SJ_PROPERTY_ROTATE, 0);
  sj_understood(r, SJ_PROPERTY_ROTATE, rotate, rotate && sj_parse_angle(rotate->text, rotate->length, &degrees));
  // Inkscape has hatchTransform, which later drafts call transform.
  uint32_t transformed = sj_templates_with(document, &templates, SJ_ATTRIBUTE_HATCH_TRANSFORM, SJ_NO_ELEMENT);
  sj_name name = transformed == SJ_NO_ELEMENT ? SJ_PROPERTY_TRANSFORM : SJ_ATTRIBUTE_HATCH_TRANSFORM;
  if (transformed == SJ_NO_ELEMENT) transformed = sj_templates_with(document, &templates, name, hatch);
  if (!sj_own_transform(r, &units, transformed, name, sj_view_reference(frame), &out->transform))
    return SJ_SERVER_INVALID;
  out->transform = stijl_matrix_multiply(
      out->transform, stijl_matrix_multiply(stijl_matrix_translate(x, y), stijl_matrix_rotate(degrees)));
  return SJ_SERVER_PAINTS;
}

// Adds a path as often as the tile shows it: begun one length above the tile and ended one below, since strokes are
// wide, and in each strip beside it that its stroke may reach out of.
static void repeat_path(sj_resolver *r, const stijl_path *path, float length, float offset, float width,
                        stijl_rect tile, stijl_path *out) {
  const unsigned char *verbs;
  const stijl_point *points;
  size_t verb_count = stijl_path_verbs(path, &verbs), point_count = stijl_path_points(path, &points);
  float pitch = tile.x1, left = 0.0f, right = 0.0f;
  for (size_t i = 0; i < point_count; i++) left = fminf(left, points[i].x), right = fmaxf(right, points[i].x);
  double from = floor(((double)left - (double)right - 2.0 * (double)width) / (double)pitch);
  double to = -from, above = -1.0, below = length > 0.0f ? ceil((double)tile.y1 / (double)length) + 1.0 : 0.0;
  // Where the strip itself begins.
  double home = floor(((double)offset + 0.5 * ((double)left + (double)right)) / (double)pitch) * (double)pitch;
  for (double strip = from; strip <= to; strip++) {
    float x = (float)((double)offset - home + strip * (double)pitch);
    if (!sj_resolve_spend(r, (uint64_t)fmin((below - above) * (double)verb_count + 1.0, 1e12) * SJ_WORK_VALUE)) return;
    if (!(length > 0.0f)) {
      stijl_path_move_to(out, x, -tile.y1);
      stijl_path_line_to(out, x, 2.0f * tile.y1);
      continue;
    }
    for (double n = above; n < below; n++) {
      float y = (float)(n * (double)length);
      const stijl_point *p = points;
      for (size_t i = 0; i < verb_count; i++) {
        switch (verbs[i]) {
          case STIJL_PATH_MOVE:
            // It goes on from where it has ended.
            if (i || n == above) stijl_path_move_to(out, x + p->x, y + p->y);
            p++;
            break;
          case STIJL_PATH_LINE: stijl_path_line_to(out, x + p->x, y + p->y), p++; break;
          case STIJL_PATH_QUAD: stijl_path_quad_to(out, x + p->x, y + p->y, x + p[1].x, y + p[1].y), p += 2; break;
          case STIJL_PATH_CUBIC:
            stijl_path_cubic_to(out, x + p->x, y + p->y, x + p[1].x, y + p[1].y, x + p[2].x, y + p[2].y), p += 3;
            break;
          default: stijl_path_close(out); break;
        }
      }
    }
  }
}

static uint32_t path_geometry(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_rect tile) {
  stijl_path *once = sj_take_path(r), *path = once ? sj_take_path(r) : NULL;
  uint32_t geometry = SJ_NONE;
  if (path) {
    float offset = 0.0f, width = sj_resolve_computed(frame, frame->style->stroke_width, SJ_AXIS_DIAGONAL);
    sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_OFFSET, SJ_AXIS_X, &offset);
    float length = read_path(r, element, once);
    if (isfinite(offset) && isfinite(width)) repeat_path(r, once, length, offset, width, tile, path);
    if (sj_resolve_check(r, stijl_path_status(path))) geometry = sj_add_geometry(r, path);
  }
  sj_give_path(r, path);
  sj_give_path(r, once);
  return geometry;
}

void sj_hatch_content(sj_resolver *r, const sj_content *content, const sj_resolve_frame *outer) {
  sj_tree *tree = r->job->tree;
  sj_view_box box = tree->servers.data[content->index].view_box;
  stijl_rect tile = {0.0f, 0.0f, box.width, box.height};
  for (uint32_t i = first_path(r->document, content->element); i != SJ_NO_ELEMENT && sj_resolving(r);
       i = next_path(r->document, r->document->dom->next.data[i])) {
    sj_style style;
    sj_style_compute(&r->styles, SJ_NO_COPY, i, outer->style, &style);
    sj_resolve_frame frame = *outer;
    frame.style = &style;
    if (style.display_none || !sj_resolve_count(r, frame.depth)) continue;
    style.fill.kind = SJ_PAINT_VALUE_NONE;
    uint32_t geometry = path_geometry(r, &frame, i, tile);
    uint32_t node = geometry == SJ_NONE ? SJ_NONE : sj_node_begin(r, SJ_TREE_SHAPE, &frame, i);
    if (node == SJ_NONE) continue;
    tree->nodes.data[node].counts = true;
    if (!sj_add_shape(r, &frame, i, node, geometry)) {
      sj_node_drop(r, node);
      continue;
    }
    sj_node_end(r, node);
    sj_resolve_layer(r, &frame, node, true);
  }
}
