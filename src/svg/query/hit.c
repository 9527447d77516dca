// Finds what is at a point: from the topmost node down, each in its own user space.
#include <math.h>

#include "geometry/curve.h"
#include "svg/query/query.h"

// A curve is cut into so many lines.
#define PIECES 24

// Clip paths are followed this deep into the clip paths of what they contain, which may go in circles.
#define MAX_CLIPS 16

// What a path means for a point: how often it winds around it, and whether its stroke covers it.
typedef struct probe {
  stijl_point p;
  float reach;  // half the stroke's width
  bool square;  // square caps: open ends reach further by that much
  bool butt;    // butt caps: open ends do not reach further
  int winding;
  bool on_stroke;
} probe;

// Adds a line. `first` and `last` tell which of its ends are ends of an open subpath.
static void probe_line(probe *b, stijl_point from, stijl_point to, bool first, bool last) {
  stijl_point p = b->p;
  if ((from.y <= p.y) != (to.y <= p.y)) {
    float x = from.x + (p.y - from.y) / (to.y - from.y) * (to.x - from.x);
    if (x > p.x) b->winding += from.y <= p.y ? 1 : -1;
  }
  if (!(b->reach > 0.0f) || b->on_stroke) return;
  float dx = to.x - from.x, dy = to.y - from.y, length = sqrtf(dx * dx + dy * dy);
  float ux = length > 0.0f ? dx / length : 1.0f, uy = length > 0.0f ? dy / length : 0.0f;
  float along = (p.x - from.x) * ux + (p.y - from.y) * uy, across = (p.y - from.y) * ux - (p.x - from.x) * uy;
  float low = first && b->square ? -b->reach : 0.0f, high = last && b->square ? length + b->reach : length;
  float beyond = along < low ? low - along : along > high ? along - high : 0.0f;
  bool flat = b->butt && ((along < low && first) || (along > high && last));
  if (!(flat && beyond > 0.0f) && across * across + beyond * beyond <= b->reach * b->reach) b->on_stroke = true;
}

typedef struct walk {
  probe *b;
  stijl_point start, at;
  bool fresh;  // nothing of the subpath was drawn yet
} walk;

static void walk_line(walk *w, stijl_point to, bool open, bool last) {
  probe_line(w->b, w->at, to, open && w->fresh, open && last);
  w->at = to;
  w->fresh = false;
}

static void walk_cubic(walk *w, stijl_point p1, stijl_point p2, stijl_point p3, bool open, bool last) {
  stijl_point p0 = w->at;
  for (int i = 1; i <= PIECES; i++) {
    bool end = i == PIECES;
    walk_line(w, end ? p3 : sj_cubic_at(p0, p1, p2, p3, (float)i / PIECES), open, last && end);
  }
}

// Closes an open subpath for filling, by a line without stroke.
static void end_subpath(walk *w) {
  float reach = w->b->reach;
  w->b->reach = 0.0f;
  probe_line(w->b, w->at, w->start, false, false);
  w->b->reach = reach;
}

static void probe_path(probe *b, const sj_tree *tree, uint32_t geometry) {
  const sj_geometry *g = &tree->geometries.data[geometry];
  const unsigned char *verbs = sj_array_at(&tree->verbs, g->first_verb);
  const stijl_point *p = sj_array_at(&tree->points, g->first_point);
  walk w = {.b = b, .fresh = true};
  bool open = true;
  for (size_t i = 0; i < g->verb_count; i++) {
    bool last = i + 1 == g->verb_count || verbs[i + 1] == STIJL_PATH_MOVE;
    switch ((stijl_path_verb)verbs[i]) {
      case STIJL_PATH_MOVE: {
        end_subpath(&w);
        w.start = w.at = *p++;
        w.fresh = true;
        size_t end = i + 1;
        while (end < g->verb_count && verbs[end] != STIJL_PATH_MOVE) end++;
        open = verbs[end - 1] != STIJL_PATH_CLOSE;
        break;
      }
      case STIJL_PATH_LINE: walk_line(&w, *p++, open, last); break;
      case STIJL_PATH_QUAD:
        walk_cubic(&w, sj_between(w.at, p[0], 2.0f / 3.0f), sj_between(p[1], p[0], 2.0f / 3.0f), p[1], open, last);
        p += 2;
        break;
      case STIJL_PATH_CUBIC:
        walk_cubic(&w, p[0], p[1], p[2], open, last);
        p += 3;
        break;
      case STIJL_PATH_CLOSE: walk_line(&w, w.start, false, false); break;
    }
  }
  end_subpath(&w);
}

static bool winds(int winding, uint8_t rule) { return rule == STIJL_FILL_EVENODD ? winding & 1 : winding != 0; }

static bool in_outline(const sj_tree *tree, uint32_t geometry, uint8_t rule, stijl_point p) {
  probe b = {.p = p};
  probe_path(&b, tree, geometry);
  return winds(b.winding, rule);
}

static bool in_rect(stijl_rect r, stijl_point p) { return p.x >= r.x0 && p.x <= r.x1 && p.y >= r.y0 && p.y <= r.y1; }

// Takes a point back through a matrix. Returns false if the matrix has no inverse.
static bool enter(const stijl_matrix *matrix, stijl_point *p) {
  stijl_matrix inverse;
  if (!stijl_matrix_invert(*matrix, &inverse)) return false;
  *p = stijl_matrix_apply(inverse, *p);
  return isfinite(p->x) && isfinite(p->y);
}

// --- clips ---

static bool in_layer(const sj_tree *tree, uint32_t layer, stijl_point p, int depth);

// Returns whether some shape of a clip path contains the point.
static bool in_clip_nodes(const sj_tree *tree, sj_range nodes, stijl_point outer, int depth) {
  for (uint32_t i = nodes.first; i < nodes.end; i = tree->nodes.data[i].end) {
    const sj_tree_node *node = &tree->nodes.data[i];
    stijl_point p = outer;
    if (!enter(&node->transform, &p) || !in_layer(tree, node->layer, p, depth)) continue;
    const sj_tree_shape *shape = node->kind == SJ_TREE_SHAPE ? &tree->shapes.data[node->item] : NULL;
    if (shape ? in_outline(tree, shape->geometry, shape->fill_rule, p)
              : in_clip_nodes(tree, (sj_range){i + 1, node->end}, p, depth))
      return true;
  }
  return false;
}

static bool in_clip(const sj_tree *tree, const sj_tree_clip *clip, const sj_box *box, stijl_point p, int depth) {
  if (clip->nothing || (clip->box_units && !sj_box_has_area(box)) || !enter(&clip->transform, &p)) return false;
  stijl_matrix units = clip->box_units ? sj_box_matrix(box->rect) : stijl_matrix_identity();
  return enter(&units, &p) && in_clip_nodes(tree, clip->of.nodes, p, depth + 1);
}

// Returns whether the layer's clips, and the region of its mask, leave the point, which is in the node's user space.
static bool in_layer(const sj_tree *tree, uint32_t index, stijl_point p, int depth) {
  if (index == SJ_NONE || depth > MAX_CLIPS) return true;
  const sj_tree_layer *layer = &tree->layers.data[index];
  for (uint32_t i = layer->clips.first; i < layer->clips.end; i++) {
    const sj_tree_clip_use *use = &tree->clip_uses.data[i];
    if (use->clip == SJ_NONE ? !in_outline(tree, use->geometry, use->rule, p)
                             : !in_clip(tree, &tree->clips.data[use->clip], &layer->box, p, depth))
      return false;
  }
  if (layer->mask == SJ_NONE) return true;
  const sj_tree_mask *mask = &tree->masks.data[layer->mask];
  if (mask->nothing || ((mask->box_region || mask->box_content) && !sj_box_has_area(&layer->box))) return false;
  return in_rect(
      mask->box_region ? stijl_matrix_apply_rect(sj_box_matrix(layer->box.rect), mask->region) : mask->region, p);
}

// --- nodes ---

static bool on_shape(const sj_tree *tree, const sj_tree_shape *shape, stijl_point p) {
  const sj_tree_stroke *stroke = shape->stroke == SJ_NONE ? NULL : &tree->strokes.data[shape->stroke];
  probe b = {.p = p};
  if (stroke && stroke->paint.kind != SJ_TREE_PAINT_NONE) {
    b.reach = 0.5f * stroke->width;
    b.square = stroke->cap == STIJL_CAP_SQUARE;
    b.butt = stroke->cap != STIJL_CAP_ROUND;
  }
  probe_path(&b, tree, shape->geometry);
  return b.on_stroke || (shape->fill.kind != SJ_TREE_PAINT_NONE && winds(b.winding, shape->fill_rule));
}

static bool on_text(const sj_tree *tree, const sj_tree_text *text, stijl_point outer) {
  for (uint32_t i = text->cells.first; i < text->cells.end; i++) {
    stijl_point p = outer;
    if (enter(&tree->cells.data[i].matrix, &p) && in_rect(tree->cells.data[i].rect, p)) return true;
  }
  return false;
}

// Returns the topmost node that is hit. Siblings are in painting order, so the last hit is the topmost.
static uint32_t hit_nodes(const sj_tree *tree, sj_range nodes, stijl_point outer) {
  uint32_t found = SJ_NONE;
  for (uint32_t i = nodes.first; i < nodes.end; i = tree->nodes.data[i].end) {
    const sj_tree_node *node = &tree->nodes.data[i];
    stijl_point p = outer;
    if (node->invisible || !enter(&node->transform, &p) || !in_layer(tree, node->layer, p, 0)) continue;
    uint32_t hit = SJ_NONE;
    switch ((sj_tree_kind)node->kind) {
      case SJ_TREE_GROUP:
        if (node->item == SJ_NONE || in_rect(tree->viewports.data[node->item].clip, outer))
          hit = hit_nodes(tree, (sj_range){i + 1, node->end}, p);
        break;
      case SJ_TREE_SHAPE:
        if (on_shape(tree, &tree->shapes.data[node->item], p)) hit = i;
        break;
      case SJ_TREE_IMAGE:
        if (in_rect(tree->pictures.data[node->item].rect, p)) hit = i;
        break;
      case SJ_TREE_TEXT:
        if (on_text(tree, &tree->texts.data[node->item], p)) hit = i;
        break;
    }
    if (hit != SJ_NONE) found = hit;
  }
  return found;
}

uint32_t sj_tree_hit(const sj_tree *tree, stijl_point canvas) {
  if (!(canvas.x >= 0.0f) || !(canvas.y >= 0.0f) || !(canvas.x <= tree->width) || !(canvas.y <= tree->height))
    return SJ_NONE;
  return hit_nodes(tree, tree->picture, (stijl_point){canvas.x + tree->left, canvas.y + tree->top});
}
