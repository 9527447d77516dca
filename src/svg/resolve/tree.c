#include "svg/resolve/tree.h"

#include <math.h>

#include "base/budget.h"
#include "svg/resolve/extent.h"
#include "svg/resolve/load.h"

void sj_tree_finish(sj_tree *tree) {
  stijl_context *context = tree->context;
  for (size_t i = 0; i < tree->images.count; i++) {
    stijl_image_destroy(tree->images.data[i].pixels);
    stijl_scene_destroy(tree->images.data[i].scene);
  }
  sj_tree_cut_geometries(tree, 0);
  for (size_t i = 0; i < tree->embedded.count; i++) sj_loaded_destroy(tree->embedded.data[i]);
  sj_arrays_finish(context, &tree->nodes, &tree->viewports, &tree->shapes, &tree->strokes, &tree->pictures,
                   &tree->texts, &tree->cells, &tree->contexts, &tree->layers, &tree->clip_uses, &tree->marks,
                   &tree->clips, &tree->masks, &tree->mask_layers, &tree->markers, &tree->servers);
  for (size_t i = 0; i < tree->filters.count; i++) stijl_filter_destroy(tree->filters.data[i].filter);
  sj_arrays_finish(context, &tree->filters, &tree->filter_images, &tree->filter_contents, &tree->images,
                   &tree->embedded, &tree->stops, &tree->patches, &tree->numbers, &tree->geometries, &tree->outlines,
                   &tree->glyphs, &tree->utf8, &tree->verbs, &tree->points);
}

void sj_tree_cut_geometries(sj_tree *tree, size_t count) {
  for (size_t i = count; i < tree->geometries.count; i++)
    sj_path_forget(tree->context, &tree->geometries.data[i].findings);
  if (count < tree->geometries.count) tree->geometries.count = count;
}

stijl_path sj_tree_path(const sj_tree *tree, uint32_t geometry) {
  const sj_geometry *g = &tree->geometries.data[geometry];
  stijl_path path = {.context = tree->context};
  path.verbs.data = sj_array_at(&tree->verbs, g->first_verb);
  path.verbs.count = path.verbs.capacity = g->verb_count;
  path.points.data = sj_array_at(&tree->points, g->first_point);
  path.points.count = path.points.capacity = g->point_count;
  path.findings = (sj_path_findings *)(uintptr_t)&g->findings;  // several threads may add to it
  return path;
}

void sj_tree_glyph_path(const sj_tree *tree, uint32_t geometry, stijl_path *out) {
  sj_range glyphs = tree->geometries.data[geometry].glyphs;
  for (uint32_t i = glyphs.first; i < glyphs.end; i++) {
    const sj_tree_glyph *glyph = &tree->glyphs.data[i];
    stijl_path path = sj_tree_path(tree, tree->outlines.data[glyph->outline].geometry);
    stijl_path_add_path(out, &path, &glyph->matrix);
  }
}

static float clamp_coordinate(float v) { return v > -1e9f ? (v < 1e9f ? v : 1e9f) : -1e9f; }

void sj_add_rect(stijl_path *path, stijl_rect rect) {
  float x0 = clamp_coordinate(rect.x0), y0 = clamp_coordinate(rect.y0);
  float x1 = clamp_coordinate(rect.x1), y1 = clamp_coordinate(rect.y1);
  stijl_path_move_to(path, x0, y0);
  stijl_path_line_to(path, x1, y0);
  stijl_path_line_to(path, x1, y1);
  stijl_path_line_to(path, x0, y1);
  stijl_path_close(path);
}

// --- boxes ---

void sj_box_add(sj_box *box, stijl_rect rect) {
  box->known = true;
  // Near the end of floats a box becomes one that is no number, or lies at infinity: nothing of it could be drawn.
  if (!(rect.x0 <= rect.x1 && rect.y0 <= rect.y1)) return;
  if (rect.x0 == INFINITY || rect.y0 == INFINITY || rect.x1 == -INFINITY || rect.y1 == -INFINITY) return;
  if (box->empty) {
    box->rect = rect;
    box->empty = false;
    return;
  }
  if (rect.x0 < box->rect.x0) box->rect.x0 = rect.x0;
  if (rect.y0 < box->rect.y0) box->rect.y0 = rect.y0;
  if (rect.x1 > box->rect.x1) box->rect.x1 = rect.x1;
  if (rect.y1 > box->rect.y1) box->rect.y1 = rect.y1;
}

stijl_matrix sj_box_matrix(stijl_rect box) {
  return (stijl_matrix){box.x1 - box.x0, 0.0f, 0.0f, box.y1 - box.y0, box.x0, box.y0};
}

bool sj_box_has_area(const sj_box *box) {
  return !box->empty && box->rect.x1 > box->rect.x0 && box->rect.y1 > box->rect.y0;
}

typedef struct measurer {
  const sj_tree *tree;
  stijl_context *context;
  sj_measure what;
  sj_box *box;
  const sj_tree_boxes *boxes;  // those that are known; may be NULL
  uint32_t depth;              // how deep in markers within markers
  stijl_path *turned;          // scratch, made when it is needed
} measurer;

// Markers are followed this deep into markers, which may go in circles.
#define MAX_MARKERS 16

static void add_everything(sj_box *box) { sj_box_add(box, (stijl_rect){-INFINITY, -INFINITY, INFINITY, INFINITY}); }

// Returns the path in another space; NULL when memory is short.
static const stijl_path *turn(measurer *m, const stijl_path *path, const stijl_matrix *matrix) {
  if (!m->turned && stijl_path_create(m->context, &m->turned) != STIJL_OK) return NULL;
  stijl_path_clear(m->turned);
  stijl_path_add_path(m->turned, path, matrix);
  return stijl_path_status(m->turned) == STIJL_ERROR_OUT_OF_MEMORY ? NULL : m->turned;
}

// Adds a rectangle that surely holds fill and stroke.
static void add_bound(measurer *m, const sj_tree_shape *shape, stijl_rect bounds, const stijl_matrix *matrix) {
  float out = 0.0f;
  if (shape->stroke != SJ_NONE) {
    const sj_tree_stroke *stroke = &m->tree->strokes.data[shape->stroke];
    // Miters reach miter_limit half widths, square caps the square root of 2.
    bool mitered = stroke->join == STIJL_JOIN_MITER || stroke->join == STIJL_JOIN_MITER_CLIP;
    out = 0.5f * stroke->width * (mitered && stroke->miter_limit > 1.5f ? stroke->miter_limit : 1.5f);
    if (stroke->non_scaling) out = INFINITY;
  }
  if (shape->markers.first < shape->markers.end || !isfinite(out)) {
    add_everything(m->box);
    return;
  }
  bounds = (stijl_rect){bounds.x0 - out, bounds.y0 - out, bounds.x1 + out, bounds.y1 + out};
  sj_box_add(m->box, stijl_matrix_apply_rect(*matrix, bounds));
}

static bool add_stroke(measurer *m, const sj_tree_stroke *of, const stijl_path *path, const stijl_matrix *matrix) {
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = of->width;
  stroke.cap = (stijl_cap)of->cap;
  stroke.join = (stijl_join)of->join;
  stroke.miter_limit = of->miter_limit;
  if (!of->non_scaling) {
    sj_stroke_extent(path, &stroke, matrix, m->box);
    return true;
  }
  stijl_matrix pen = stijl_matrix_identity();
  path = turn(m, path, matrix);
  if (path && stijl_path_status(path) == STIJL_OK) sj_stroke_extent(path, &stroke, &pen, m->box);
  return path;
}

static bool add_outline(measurer *m, const sj_geometry *geometry, const stijl_path *path, stijl_rect bounds, bool any,
                        const stijl_matrix *matrix) {
  if (matrix->b == 0.0f && matrix->c == 0.0f) {
    if (any) sj_box_add(m->box, stijl_matrix_apply_rect(*matrix, bounds));
    return true;
  }
  if (!sj_context_check(m->context, geometry->verb_count * SJ_WORK_NODE)) return false;
  const stijl_path *turned = turn(m, path, matrix);
  if (turned && stijl_path_status(turned) == STIJL_OK && stijl_path_bounds(turned, &bounds)) sj_box_add(m->box, bounds);
  return turned;
}

static bool add_nodes(measurer *m, sj_range nodes, const stijl_matrix *outer);

static bool add_markers(measurer *m, const sj_tree_shape *shape, const stijl_matrix *matrix) {
  bool good = true;
  if (m->depth == MAX_MARKERS) return true;
  m->depth++;
  for (uint32_t i = shape->markers.first; i < shape->markers.end && good; i++) {
    const sj_tree_mark *mark = &m->tree->marks.data[i];
    stijl_matrix to = stijl_matrix_multiply(*matrix, mark->place);
    good = !stijl_matrix_is_finite(to) || add_nodes(m, m->tree->markers.data[mark->marker].of.nodes, &to);
  }
  m->depth--;
  return good;
}

static bool add_glyphs(measurer *m, const sj_geometry *geometry, const stijl_matrix *matrix) {
  const sj_tree *tree = m->tree;
  for (uint32_t i = geometry->glyphs.first; i < geometry->glyphs.end; i++) {
    const sj_tree_glyph *glyph = &tree->glyphs.data[i];
    uint32_t outline = tree->outlines.data[glyph->outline].geometry;
    const sj_geometry *of = &tree->geometries.data[outline];
    stijl_path path = sj_tree_path(tree, outline);
    stijl_matrix to = stijl_matrix_multiply(*matrix, glyph->matrix);
    if (!sj_context_check(m->context, SJ_WORK_NODE)) return false;
    if (stijl_matrix_is_finite(to) && !add_outline(m, of, &path, of->bounds.rect, !of->bounds.empty, &to)) return false;
  }
  return true;
}

// Adds the stroke around glyphs.
static bool add_glyph_stroke(measurer *m, const sj_tree_stroke *stroke, uint32_t geometry, const stijl_matrix *matrix) {
  stijl_path path = {.context = m->context};
  sj_range glyphs = m->tree->geometries.data[geometry].glyphs;
  sj_tree_glyph_path(m->tree, geometry, &path);
  bool good = stijl_path_status(&path) != STIJL_ERROR_OUT_OF_MEMORY &&
              sj_context_check(m->context, (uint64_t)(glyphs.end - glyphs.first) * SJ_WORK_NODE);
  if (good && stijl_path_status(&path) == STIJL_OK) good = add_stroke(m, stroke, &path, matrix);
  sj_arrays_finish(m->context, &path.verbs, &path.points);
  return good;
}

static bool add_shape(measurer *m, const sj_tree_shape *shape, const stijl_matrix *matrix) {
  const sj_tree *tree = m->tree;
  const sj_geometry *geometry = &tree->geometries.data[shape->geometry];
  stijl_path path = sj_tree_path(tree, shape->geometry);
  stijl_rect bounds = geometry->bounds.rect;
  bool glyphs = sj_has_glyphs(geometry);
  if (!geometry->verb_count && !glyphs) return true;
  bool any = geometry->bounds.known ? !geometry->bounds.empty : stijl_path_bounds(&path, &bounds);
  if (m->what == SJ_MEASURE_BOUND) {
    if (any) add_bound(m, shape, bounds, matrix);
    return true;
  }
  const sj_tree_stroke *stroke = shape->stroke == SJ_NONE ? NULL : &tree->strokes.data[shape->stroke];
  bool seen_only = m->what == SJ_MEASURE_LAYER;
  if (m->what == SJ_MEASURE_FILL || (seen_only && stroke && stroke->paint.kind == SJ_TREE_PAINT_NONE)) stroke = NULL;
  if (stroke && !(glyphs ? add_glyph_stroke(m, stroke, shape->geometry, matrix) : add_stroke(m, stroke, &path, matrix)))
    return false;
  if (seen_only && !add_markers(m, shape, matrix)) return false;
  if (seen_only && shape->fill.kind == SJ_TREE_PAINT_NONE) return true;
  return glyphs ? add_glyphs(m, geometry, matrix) : add_outline(m, geometry, &path, bounds, any, matrix);
}

static bool add_cells(measurer *m, const sj_tree_text *text, const stijl_matrix *matrix) {
  for (uint32_t i = text->cells.first; i < text->cells.end; i++) {
    const sj_tree_cell *cell = &m->tree->cells.data[i];
    stijl_matrix to = stijl_matrix_multiply(*matrix, cell->matrix);
    if (stijl_matrix_is_finite(to)) sj_box_add(m->box, stijl_matrix_apply_rect(to, cell->rect));
  }
  return sj_context_check(m->context, (uint64_t)(text->cells.end - text->cells.first) * SJ_WORK_NODE);
}

// Cuts the box to the rectangle.
static void cut(sj_box *box, stijl_rect rect) {
  stijl_rect *r = &box->rect;
  if (rect.x0 > r->x0) r->x0 = rect.x0;
  if (rect.y0 > r->y0) r->y0 = rect.y0;
  if (rect.x1 < r->x1) r->x1 = rect.x1;
  if (rect.y1 < r->y1) r->y1 = rect.y1;
  if (!(r->x0 <= r->x1) || !(r->y0 <= r->y1)) *box = (sj_box){.known = true, .empty = true};
}

// Cuts the box to what a clip leaves.
static bool cut_by_clip(measurer *m, const sj_tree_clip_use *use, const sj_box *box, stijl_matrix matrix) {
  const sj_tree *tree = m->tree;
  sj_box clip = {.known = true, .empty = true}, *outer = m->box;
  sj_measure what = m->what;
  bool good = true;
  m->box = &clip;
  m->what = SJ_MEASURE_FILL;
  if (use->clip == SJ_NONE) {
    sj_tree_shape shape = {.geometry = use->geometry, .stroke = SJ_NONE};
    good = add_shape(m, &shape, &matrix);
  } else {
    const sj_tree_clip *of = &tree->clips.data[use->clip];
    matrix = stijl_matrix_multiply(matrix, of->transform);
    if (of->box_units) matrix = stijl_matrix_multiply(matrix, sj_box_matrix(box->rect));
    if (!of->nothing && (!of->box_units || sj_box_has_area(box)) && stijl_matrix_is_finite(matrix))
      good = add_nodes(m, of->of.nodes, &matrix);
  }
  m->box = outer;
  m->what = what;
  if (clip.empty)
    *m->box = clip;
  else
    cut(m->box, clip.rect);
  return good;
}

// Replaces the box of a filter's input by that of its result.
static void filter_box(sj_box *box, const sj_tree_reach *reach, const stijl_matrix *m) {
  if (reach->bounded) *box = (sj_box){.known = true, .rect = stijl_matrix_apply_rect(*m, reach->region)};
  if (reach->nothing) *box = (sj_box){.known = true, .empty = true};
  if (box->empty) return;
  stijl_matrix linear = {m->a, m->b, m->c, m->d, 0.0f, 0.0f};
  stijl_rect more = {-reach->left, -reach->top, reach->right, reach->bottom};
  more = stijl_matrix_apply_rect(linear, more);
  box->rect =
      (stijl_rect){box->rect.x0 + more.x0, box->rect.y0 + more.y0, box->rect.x1 + more.x1, box->rect.y1 + more.y1};
}

// Cuts the box to what the layer of a node and its viewport leave.
static bool cut_by_layer(measurer *m, const sj_tree_node *node, const stijl_matrix *outer, const stijl_matrix *matrix) {
  const sj_tree *tree = m->tree;
  if (node->kind == SJ_TREE_GROUP && node->item != SJ_NONE)
    cut(m->box, stijl_matrix_apply_rect(*outer, tree->viewports.data[node->item].clip));
  if (node->layer == SJ_NONE) return true;
  const sj_tree_layer *layer = &tree->layers.data[node->layer];
  if (layer->filter != SJ_NONE) filter_box(m->box, &tree->filters.data[layer->filter].reach, matrix);
  for (uint32_t i = layer->clips.first; i < layer->clips.end && !m->box->empty; i++)
    if (!cut_by_clip(m, &tree->clip_uses.data[i], &layer->box, *matrix)) return false;
  if (layer->mask == SJ_NONE || m->box->empty) return true;
  const sj_tree_mask *mask = &tree->masks.data[layer->mask];
  stijl_rect region = mask->region;
  if (mask->box_region) region = stijl_matrix_apply_rect(sj_box_matrix(layer->box.rect), region);
  if (mask->nothing || ((mask->box_region || mask->box_content) && !sj_box_has_area(&layer->box)))
    *m->box = (sj_box){.known = true, .empty = true};
  else
    cut(m->box, stijl_matrix_apply_rect(*matrix, region));
  return true;
}

static bool add_node(measurer *m, uint32_t index, const stijl_matrix *matrix) {
  const sj_tree *tree = m->tree;
  const sj_tree_node *node = &tree->nodes.data[index];
  switch ((sj_tree_kind)node->kind) {
    case SJ_TREE_SHAPE: {
      const sj_tree_shape *shape = &tree->shapes.data[node->item];
      return sj_context_check(m->context, SJ_WORK_NODE + tree->geometries.data[shape->geometry].verb_count) &&
             add_shape(m, shape, matrix);
    }
    case SJ_TREE_IMAGE:
      sj_box_add(m->box, stijl_matrix_apply_rect(*matrix, tree->pictures.data[node->item].rect));
      return true;
    case SJ_TREE_TEXT:
      if (m->what == SJ_MEASURE_FILL) return add_cells(m, &tree->texts.data[node->item], matrix);
      break;
    case SJ_TREE_GROUP: break;
  }
  // Where the box of a group is known, its nodes are skipped; unless the matrix turns or skews it, which would make the
  // box of the box too large.
  const sj_box *known = m->what == SJ_MEASURE_FILL ? &node->box : NULL;
  if (m->boxes && m->what <= SJ_MEASURE_LAYER && index < tree->picture.end) known = &m->boxes[index].of[m->what];
  if (known && known->known && matrix->b == 0.0f && matrix->c == 0.0f) {
    if (!known->empty) sj_box_add(m->box, stijl_matrix_apply_rect(*matrix, known->rect));
    return true;
  }
  return add_nodes(m, (sj_range){index + 1, node->end}, matrix);
}

// Adds a node as it is drawn, within its own layer and viewport.
static bool add_drawn(measurer *m, uint32_t index, const stijl_matrix *outer, const stijl_matrix *matrix) {
  const sj_tree_node *node = &m->tree->nodes.data[index];
  if (node->invisible) return true;
  sj_box inner = {.known = true, .empty = true}, *box = m->box;
  m->box = &inner;
  bool filtered = node->layer != SJ_NONE && m->tree->layers.data[node->layer].filter != SJ_NONE;
  bool good = add_node(m, index, matrix) && ((inner.empty && !filtered) || cut_by_layer(m, node, outer, matrix));
  m->box = box;
  if (!inner.empty) sj_box_add(box, inner.rect);
  return good;
}

static bool add_nodes(measurer *m, sj_range nodes, const stijl_matrix *outer) {
  uint32_t i = nodes.first;
  while (i < nodes.end) {
    const sj_tree_node *node = &m->tree->nodes.data[i];
    stijl_matrix matrix = stijl_matrix_multiply(*outer, node->transform);
    if (!sj_context_check(m->context, SJ_WORK_NODE)) return false;
    if (stijl_matrix_is_finite(matrix) &&
        !(m->what == SJ_MEASURE_LAYER ? add_drawn(m, i, outer, &matrix) : add_node(m, i, &matrix)))
      return false;
    i = node->end;
  }
  return true;
}

bool sj_tree_measure(const sj_tree *tree, stijl_context *context, sj_range nodes, const stijl_matrix *matrix,
                     sj_measure what, sj_box *box) {
  measurer m = {.tree = tree, .context = context, .what = what, .box = box};
  bool good = add_nodes(&m, nodes, matrix);
  stijl_path_destroy(m.turned);
  return good;
}

bool sj_tree_measure_in(const sj_tree *tree, stijl_context *context, uint32_t node, const stijl_matrix *matrix,
                        sj_measure what, const sj_tree_boxes *boxes, sj_box *box) {
  measurer m = {.tree = tree, .context = context, .what = what, .boxes = boxes, .box = box};
  stijl_matrix outer;
  bool good = true;
  if (what != SJ_MEASURE_LAYER)
    good = add_node(&m, node, matrix);
  else if (stijl_matrix_invert(tree->nodes.data[node].transform, &outer)) {
    outer = stijl_matrix_multiply(*matrix, outer);
    good = add_drawn(&m, node, &outer, matrix);
  }
  stijl_path_destroy(m.turned);
  return good;
}

bool sj_tree_measure_node(const sj_tree *tree, stijl_context *context, uint32_t node, sj_measure what, sj_box *box) {
  stijl_matrix identity = stijl_matrix_identity();
  return sj_tree_measure_in(tree, context, node, &identity, what, NULL, box);
}

// --- patterns ---

stijl_rect sj_tree_tile(const sj_tree_server *pattern, const sj_box *box, stijl_matrix *content) {
  stijl_rect tile = pattern->tile;
  if (pattern->box_units) tile = stijl_matrix_apply_rect(sj_box_matrix(box->rect), tile);
  // The content's origin is the tile's corner, as in all implementations.
  *content = stijl_matrix_identity();
  if (pattern->has_view_box)
    *content = sj_view_box_matrix(&pattern->view_box, &pattern->aspect, tile.x1 - tile.x0, tile.y1 - tile.y0, NULL);
  else if (pattern->box_content)
    *content = stijl_matrix_scale(box->rect.x1 - box->rect.x0, box->rect.y1 - box->rect.y0);
  return tile;
}
