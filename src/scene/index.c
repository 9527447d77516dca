#include "scene/index.h"

#include <math.h>
#include <string.h>

#include "base/irect.h"
#include "base/search.h"
#include "base/sort.h"
#include "kernel/clip.h"
#include "kernel/composite.h"
#include "scene/filter.h"

static const stijl_rect anywhere = {-INFINITY, -INFINITY, INFINITY, INFINITY};

// Draws that may show further beyond their boxes, times their matrix, than this are looked at always.
#define THICKEST 64.0

// What is in a layer, or outside of all.
typedef struct {
  uint32_t layer;  // 1 + its number; 0: outside of all
  float reach;
  stijl_rect limits;  // beyond which nothing of it is seen
  double pixels;      // that filters may show it beyond the reach
} level;

typedef struct {
  stijl_context *context;
  const stijl_scene *scene;
  const sj_index *inner;
  sj_index *out;
  SJ_ARRAY(level) levels;
  SJ_ARRAY(bool) spread;  // of a filter's primitives, for enter_filter
} builder;

static bool is_number(stijl_rect r) {
  float sum = (r.x0 - r.x0) + (r.y0 - r.y0) + (r.x1 - r.x1) + (r.y1 - r.y1);
  return sum == 0.0f;
}

// Grows a box, and by what rounding may have taken from it.
static stijl_rect grown(stijl_rect r, float reach) {
  if (!is_number(r) || !(reach < INFINITY)) return anywhere;
  float most = fmaxf(fmaxf(fabsf(r.x0), fabsf(r.x1)), fmaxf(fabsf(r.y0), fabsf(r.y1)));
  float by = reach * 1.0001f + most * 0x1p-19f;
  return (stijl_rect){r.x0 - by, r.y0 - by, r.x1 + by, r.y1 + by};
}

// --- How far filters reach ---

// Returns whether a primitive may draw where the filter's source does not, but for what its reach tells. `spread` tells
// it of those before.
static bool spreads(const stijl_filter *filter, const sj_filter_node *node, const bool *spread) {
  const float *f = filter->floats.data ? filter->floats.data + node->data : NULL;
  bool any = false, all = node->input_count > 0, first = false, second = false;
  for (uint32_t i = 0; i < node->input_count; i++) {
    int input = filter->inputs.data[node->input + i];
    bool it = input >= 0 && spread[input];
    any |= it;
    all &= it;
    if (i == 0) first = it;
    if (i == 1) second = it;
  }
  switch (node->kind) {
    case SJ_FILTER_BLUR: return any || node->op != K_FILTER_EDGE_NONE;
    case SJ_FILTER_OFFSET:
    case SJ_FILTER_TINT:
    case SJ_FILTER_ALPHA:
    case SJ_FILTER_BLEND:
    case SJ_FILTER_MERGE:
    case SJ_FILTER_MORPHOLOGY: return any;
    case SJ_FILTER_DISPLACE: return first;
    case SJ_FILTER_MATRIX: return any || f[19] > 0.0f;
    case SJ_FILTER_ARITHMETIC: return any || f[3] > 0.0f;
    case SJ_FILTER_COMPOSITE:
      switch (node->op) {
        case K_FILTER_IN: return all;
        case K_FILTER_OUT: return first;
        case K_FILTER_ATOP: return second;
        default: return any;
      }
    case SJ_FILTER_CONVOLVE:  // at edges, and by its bias
    case SJ_FILTER_FLOOD:
    case SJ_FILTER_TRANSFER:
    case SJ_FILTER_TILE:
    case SJ_FILTER_TURBULENCE:
    case SJ_FILTER_LIGHT:
    case SJ_FILTER_SCENE:
    case SJ_FILTER_BACKDROP:
    case SJ_FILTER_SOURCE: break;
  }
  return true;
}

// Returns how far away it reads pixels, in user space; INFINITY: however far they are. Pixels are added to *pixels.
static float reach_of(const stijl_filter *filter, const sj_filter_node *node, double *pixels) {
  float x = fabsf(node->x), y = fabsf(node->y);
  *pixels += 4.0;
  switch (node->kind) {
    case SJ_FILTER_TILE:
    case SJ_FILTER_BACKDROP: return INFINITY;
    case SJ_FILTER_BLUR: return node->op == K_FILTER_EDGE_NONE ? 3.0f * (x + y) : INFINITY;
    case SJ_FILTER_OFFSET:
    case SJ_FILTER_MORPHOLOGY:
    case SJ_FILTER_DISPLACE: return x + y;
    case SJ_FILTER_CONVOLVE: {
      const stijl_convolution *c = &filter->convolutions.data[node->item];
      *pixels += c->columns + c->rows;
      return node->op == K_FILTER_EDGE_NONE ? 0.0f : INFINITY;
    }
    case SJ_FILTER_FLOOD:
    case SJ_FILTER_TINT:
    case SJ_FILTER_ALPHA:
    case SJ_FILTER_MATRIX:
    case SJ_FILTER_TRANSFER:
    case SJ_FILTER_COMPOSITE:
    case SJ_FILTER_ARITHMETIC:
    case SJ_FILTER_BLEND:
    case SJ_FILTER_MERGE:
    case SJ_FILTER_TURBULENCE:
    case SJ_FILTER_LIGHT:
    case SJ_FILTER_SCENE:
    case SJ_FILTER_SOURCE: break;
  }
  return 0.0f;
}

// Notes what the filter of a layer changes: `inner` is of the layer, and begins as a copy of what is around it. *draws
// tells whether the filter may draw where its source does not. Returns false when memory is out.
static bool enter_filter(builder *b, const sj_layer_filter *layer, level *inner, bool *draws) {
  const stijl_filter *filter = layer->filter;
  double longest, shortest;
  sj_stretch64(sj_to64(layer->transform), &longest, &shortest);
  float reach = 0.0f;
  *draws = false;
  b->spread.count = 0;
  for (size_t i = 0; i < filter->nodes.count; i++) {
    const sj_filter_node *node = &filter->nodes.data[i];
    reach += reach_of(filter, node, &inner->pixels);
    *draws = spreads(filter, node, b->spread.data);
    if (!sj_array_push(b->context, &b->spread, *draws)) return false;
  }
  const sj_filter_node *last = filter->nodes.count ? &filter->nodes.data[filter->nodes.count - 1] : NULL;
  if (last && last->bounded)
    inner->limits =
        sj_rect_intersect(inner->limits, grown(stijl_matrix_apply_rect(layer->transform, last->region), inner->reach));
  reach = reach > 0.0f ? reach * (float)longest : 0.0f;
  inner->reach = reach < INFINITY && inner->reach < INFINITY ? inner->reach + reach : INFINITY;
  return true;
}

// --- Boxes ---

static bool add(builder *b, uint32_t number, stijl_rect box) {
  sj_index *out = b->out;
  const level *top = &b->levels.data[b->levels.count - 1];
  box = sj_rect_intersect(grown(box, top->reach), top->limits);
  if (!(box.x0 <= box.x1 && box.y0 <= box.y1)) return true;
  if (!is_number(box)) return sj_array_push(b->context, &out->always, number);
  return sj_array_push(b->context, &out->boxes, box) && sj_array_push(b->context, &out->numbers, number);
}

static bool begin_layer(builder *b, uint32_t number, const sj_draw *draw) {
  sj_index *out = b->out;
  level inner = b->levels.data[b->levels.count - 1];
  sj_index_layer made = {.push = number, .outer = inner.layer};
  inner.layer = (uint32_t)out->layers.count + 1;
  if (draw->blend >= K_BLEND_MASK_ALPHA && made.outer) {
    sj_index_layer *outer = &out->layers.data[made.outer - 1];
    made.next_mask = outer->mask;
    outer->mask = inner.layer;
  }
  if (draw->flags & K_DRAW_CLIP)
    inner.limits =
        sj_rect_intersect(inner.limits, grown(stijl_matrix_apply_rect(draw->transform, draw->path.box), inner.reach));
  bool draws = false;
  if (draw->filter && !enter_filter(b, &b->scene->filters.data[draw->filter - 1], &inner, &draws)) return false;
  // What lies below a layer whose filter reads it is shown wherever that shows it.
  if (draw->holds_backdrop) inner.reach = INFINITY;
  made.reach = inner.reach;
  out->pixels = fmax(out->pixels, inner.pixels);
  if (!sj_array_push(b->context, &out->layers, made) || !sj_array_push(b->context, &b->levels, inner)) return false;
  return !draws || add(b, number, anywhere);
}

// Returns how far a stroke that is not thinner than a pixel may reach beyond its box, in pixels, times the target's
// matrix.
static double thickened(const builder *b, const sj_draw *draw) {
  const sj_stroke *stroke = &b->scene->strokes.data[draw->stroke];
  if (!stroke->aliased) return 0.0;
  double longest, shortest;
  sj_stretch64(sj_to64(stroke->own_pen ? stroke->pen : draw->transform), &longest, &shortest);
  return shortest > 0.0 ? (double)sj_stroke_reach(stroke) * sqrt(longest / shortest) : (double)INFINITY;
}

static bool add_draw(builder *b, uint32_t number, const sj_draw *draw) {
  sj_index *out = b->out;
  stijl_rect box;
  if (draw->flags & K_DRAW_HIDDEN) return true;
  double thin = draw->op == K_DRAW_STROKE ? thickened(b, draw) : 0.0;
  const sj_index *shown = draw->op == SJ_DRAW_SCENE && b->inner ? &b->inner[draw->paint] : NULL;
  if (shown) {
    double longest, shortest;
    sj_stretch64(sj_to64(draw->transform), &longest, &shortest);
    thin = shown->thin > 0.0 ? shown->thin * (shortest > 0.0 ? sqrt(longest / shortest) : (double)INFINITY) : 0.0;
    out->pixels = fmax(out->pixels, shown->pixels + b->levels.data[b->levels.count - 1].pixels);
  }
  stijl_extent extent = sj_scene_draw_extent(b->scene, draw, &box);
  if (shown) {
    // Of filters, unlike what the scene tells.
    extent = shown->always.count ? STIJL_EXTENT_INFINITE : STIJL_EXTENT_BOUNDED;
    if (!shown->always.count && !shown->numbers.count) return true;
    box = stijl_matrix_apply_rect(draw->transform, shown->box);
  }
  if (extent == STIJL_EXTENT_EMPTY) return true;
  if (extent == STIJL_EXTENT_INFINITE || !(thin < THICKEST))
    box = anywhere;
  else
    out->thin = fmax(out->thin, thin);
  return add(b, number, box);
}

static bool add_all(builder *b, const sj_draw *draws, size_t count) {
  sj_index *out = b->out;
  bool layered = false;
  for (size_t i = 0; i < count; i++) layered |= draws[i].op == K_DRAW_PUSH;
  if (layered && !sj_array_reserve(b->context, &out->outer, count)) return false;
  for (size_t i = 0; i < count; i++) {
    const sj_draw *draw = &draws[i];
    if (layered) out->outer.data[out->outer.count++] = b->levels.data[b->levels.count - 1].layer;
    if (draw->op == K_DRAW_PUSH) {
      if (!begin_layer(b, (uint32_t)i, draw)) return false;
    } else if (draw->op == K_DRAW_POP) {
      out->layers.data[b->levels.data[--b->levels.count].layer - 1].pop = (uint32_t)i;
    } else if (!add_draw(b, (uint32_t)i, draw)) {
      return false;
    }
  }
  return true;
}

// --- The tree ---

typedef struct {
  uint64_t place;
  stijl_rect box;
  uint32_t number;
} leaf;

static int compare_leaves(const void *left, const void *right) {
  const leaf *a = left, *b = right;
  return (a->place > b->place) - (a->place < b->place);
}

// Spreads the bits of a number: every other bit of the result is one of them.
static uint64_t spread(uint32_t v) {
  uint64_t x = v;
  x = (x | x << 16) & 0x0000ffff0000ffffu;
  x = (x | x << 8) & 0x00ff00ff00ff00ffu;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
  x = (x | x << 2) & 0x3333333333333333u;
  return (x | x << 1) & 0x5555555555555555u;
}

static uint32_t cell(float low, float high, double from, double size) {
  double at = (0.5 * (double)low + 0.5 * (double)high - from) / size * 65535.0;
  return at > 0.0 ? (at < 65535.0 ? (uint32_t)at : 65535u) : 0u;
}

// Puts the boxes in the order of a curve that visits what is near together (Morton's). Returns false when memory is
// out.
static bool sort_boxes(builder *b) {
  sj_index *out = b->out;
  size_t count = out->boxes.count;
  if (count <= SJ_INDEX_NODE) return true;
  stijl_rect all = out->boxes.data[0];
  for (size_t i = 1; i < count; i++) all = sj_rect_unite(all, out->boxes.data[i]);
  double width = (double)all.x1 - (double)all.x0, height = (double)all.y1 - (double)all.y0;
  leaf *leaves = sj_alloc_array(b->context, count, sizeof *leaves);
  if (!leaves) return false;
  for (size_t i = 0; i < count; i++) {
    stijl_rect r = out->boxes.data[i];
    uint64_t place = spread(cell(r.x0, r.x1, (double)all.x0, fmax(width, 1e-30))) |
                     spread(cell(r.y0, r.y1, (double)all.y0, fmax(height, 1e-30))) << 1;
    leaves[i] = (leaf){place, r, out->numbers.data[i]};
  }
  bool ok = sj_sort(b->context, leaves, count, sizeof *leaves, compare_leaves);
  for (size_t i = 0; ok && i < count; i++) {
    out->boxes.data[i] = leaves[i].box;
    out->numbers.data[i] = leaves[i].number;
  }
  sj_free(b->context, leaves);
  return ok;
}

static bool add_nodes(builder *b) {
  sj_index *out = b->out;
  size_t first = 0, end = out->boxes.count;
  while (end - first > SJ_INDEX_NODE) {
    for (size_t i = first; i < end; i += SJ_INDEX_NODE) {
      stijl_rect box = out->boxes.data[i];
      for (size_t k = i + 1; k < end && k < i + SJ_INDEX_NODE; k++) box = sj_rect_unite(box, out->boxes.data[k]);
      if (!sj_array_push(b->context, &out->boxes, box)) return false;
    }
    first = end;
    end = out->boxes.count;
  }
  return true;
}

bool sj_index_build(stijl_context *context, const stijl_scene *scene, const sj_draw *draws, size_t count,
                    const sj_index *inner, sj_index *out) {
  builder b = {.context = context, .scene = scene, .inner = inner, .out = out};
  *out = (sj_index){0};
  level outside = {.limits = anywhere};
  bool backdrops = false;
  for (size_t i = 0, depth = 0; i < count; i++) {
    if (draws[i].op == K_DRAW_PUSH && depth++ == 0 && draws[i].filter)
      backdrops |= scene->filters.data[draws[i].filter - 1].filter->reads_backdrop;
    if (draws[i].op == K_DRAW_POP) depth--;
  }
  if (backdrops) outside.reach = INFINITY;
  bool ok = sj_array_push(context, &b.levels, outside) && add_all(&b, draws, count) && sort_boxes(&b) && add_nodes(&b);
  sj_arrays_finish(context, &b.levels, &b.spread);
  out->box = (stijl_rect){0};
  for (size_t i = 0; ok && i < out->numbers.count; i++)
    out->box = i ? sj_rect_unite(out->box, out->boxes.data[i]) : out->boxes.data[i];
  if (!ok) sj_index_finish(context, out);
  return ok;
}

void sj_index_finish(stijl_context *context, sj_index *index) {
  sj_arrays_finish(context, &index->boxes, &index->numbers, &index->always, &index->outer, &index->layers);
}

// --- Looking for draws ---

// Lines may lie outside of the hull of their points by so large a part of how far these are from the block, at most
// (k_hull_margin).
#define HULL (1.0 / (1 << 16))

// What is looked for.
typedef struct {
  stijl_rect rect;
  float slack;  // boxes may be exceeded by this part of their sizes
  float large;  // boxes of this size are looked at always
} query;

static bool touches(const query *q, stijl_rect r) {
  float size = fmaxf(r.x1 - r.x0, r.y1 - r.y0), more = size * q->slack;
  return size >= q->large || (r.x0 - more <= q->rect.x1 && q->rect.x0 <= r.x1 + more && r.y0 - more <= q->rect.y1 &&
                              q->rect.y0 <= r.y1 + more);
}

// Returns the rectangle that a matrix makes of a box.
static stijl_rect rect_of(sj_matrix64 m, double x0, double y0, double x1, double y1) {
  double ax = fmin(m.a * x0, m.a * x1), bx = fmax(m.a * x0, m.a * x1);
  double cx = fmin(m.c * y0, m.c * y1), dx = fmax(m.c * y0, m.c * y1);
  double ay = fmin(m.b * x0, m.b * x1), by = fmax(m.b * x0, m.b * x1);
  double cy = fmin(m.d * y0, m.d * y1), dy = fmax(m.d * y0, m.d * y1);
  return (stijl_rect){(float)(ax + cx + m.e), (float)(ay + cy + m.f), (float)(bx + dx + m.e), (float)(by + dy + m.f)};
}

// How far beyond their boxes draws may show.
typedef struct {
  double pixels;
  double slack;    // a part of their sizes besides
  double longest;  // what the matrix makes of a unit, at most
} overhang;

// Returns false where the matrix is so nearly flat that nothing can be said.
static bool find_overhang(const sj_index *index, sj_matrix64 m, overhang *out) {
  double shortest;
  sj_stretch64(m, &out->longest, &shortest);
  double slack = HULL * out->longest / shortest;
  out->slack = 4.0 * slack;
  out->pixels = 3.0 + index->pixels + index->thin * sqrt(out->longest / shortest);
  return shortest > 0.0 && slack < 0.25;
}

stijl_irect sj_index_pixels(const sj_index *index, sj_matrix64 m, stijl_irect all) {
  overhang over;
  if (index->always.count || !find_overhang(index, m, &over)) return all;
  if (!index->numbers.count) return (stijl_irect){all.x0, all.y0, all.x0, all.y0};
  double x0 = (double)index->box.x0, y0 = (double)index->box.y0, x1 = (double)index->box.x1, y1 = (double)index->box.y1;
  double margin = over.pixels, more = over.slack * fmax(x1 - x0, y1 - y0);
  stijl_rect r = rect_of(m, x0 - more, y0 - more, x1 + more, y1 + more);
  double low[2] = {floor((double)r.x0 - margin), floor((double)r.y0 - margin)};
  double high[2] = {ceil((double)r.x1 + margin), ceil((double)r.y1 + margin)};
  // What is no number leaves the side where it is.
  stijl_irect out = all;
  if (low[0] > out.x0) out.x0 = (int)fmin(low[0], out.x1);
  if (low[1] > out.y0) out.y0 = (int)fmin(low[1], out.y1);
  if (high[0] < out.x1) out.x1 = (int)fmax(high[0], out.x0);
  if (high[1] < out.y1) out.y1 = (int)fmax(high[1], out.y0);
  return out;
}

static query make_query(const sj_index *index, sj_matrix64 m, stijl_irect pixels, double reach) {
  sj_matrix64 back;
  overhang over;
  // Where the matrix is nearly flat all is looked at.
  query q = {.rect = anywhere, .large = INFINITY};
  if (!find_overhang(index, m, &over) || !sj_invert64(m, &back)) return q;
  double margin = reach + over.pixels;
  q.rect = grown(rect_of(back, pixels.x0 - margin, pixels.y0 - margin, pixels.x1 + margin, pixels.y1 + margin), 0.0f);
  q.slack = (float)over.slack;
  // What is further away than K_FAR is moved there along both axes of the pixels. Where these are not those of the
  // boxes it may come to lie anywhere, unless it is small.
  bool upright = (m.b == 0.0 && m.c == 0.0) || (m.a == 0.0 && m.d == 0.0);
  if (!upright) q.large = (float)((double)K_FAR / 16.0 / over.longest);
  return q;
}

// Adds the layers that a draw is in, those around them, and the masks of all, which may be there already. Returns false
// when memory is out.
static bool add_layers(stijl_context *context, sj_index *index, uint32_t number, sj_draw_numbers *out) {
  uint32_t at = index->outer.count ? index->outer.data[number] : 0;
  while (at) {
    sj_index_layer *layer = &index->layers.data[at - 1];
    if (layer->query == index->query) return true;
    layer->query = index->query;
    if (!sj_array_reserve(context, out, 2)) return false;
    out->data[out->count++] = layer->push;
    out->data[out->count++] = layer->pop;
    for (uint32_t m = layer->mask; m; m = index->layers.data[m - 1].next_mask) {
      if (!sj_array_reserve(context, out, 2)) return false;
      out->data[out->count++] = index->layers.data[m - 1].push;
      out->data[out->count++] = index->layers.data[m - 1].pop;
    }
    at = layer->outer;
  }
  return true;
}

// Adds a draw that was found, and the layers around it. A layer that draws by itself is found by the draw that begins
// it.
static bool add_found(stijl_context *context, sj_index *index, uint32_t number, sj_draw_numbers *out) {
  size_t low = 0, high = index->layers.count;
  SJ_SEARCH(low, high, i, index->layers.data[i].push < number);
  bool layer = low < index->layers.count && index->layers.data[low].push == number;
  if (!layer) return sj_array_push(context, out, number) && add_layers(context, index, number, out);
  // As a draw in it would be.
  return add_layers(context, index, number + 1, out);
}

static int compare_numbers(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

bool sj_index_find(stijl_context *context, sj_index *index, sj_matrix64 m, stijl_irect pixels, double reach,
                   sj_draw_numbers *out) {
  const query q = make_query(index, m, pixels, reach);
  out->count = 0;
  index->query++;
  for (size_t i = 0; i < index->always.count; i++)
    if (!add_found(context, index, index->always.data[i], out)) return false;
  // From the root on: the nodes of each level, as first..end.
  size_t starts[32], ends[32], levels = 0, first = 0, end = index->numbers.count;
  starts[0] = 0;
  ends[0] = end;
  while (end - first > SJ_INDEX_NODE) {
    size_t nodes = (end - first + SJ_INDEX_NODE - 1) / SJ_INDEX_NODE;
    first = end;
    end = first + nodes;
    starts[++levels] = first;
    ends[levels] = end;
  }
  // A stack of what is left of each level.
  size_t at[32], until[32], depth = levels;
  at[depth] = starts[depth];
  until[depth] = ends[depth];
  for (;;) {
    if (at[depth] == until[depth]) {
      if (depth++ == levels) break;
      continue;
    }
    size_t node = at[depth]++;
    if (!touches(&q, index->boxes.data[node])) continue;
    if (depth == 0) {
      if (!add_found(context, index, index->numbers.data[node], out)) return false;
      continue;
    }
    size_t child = starts[depth - 1] + (node - starts[depth]) * SJ_INDEX_NODE;
    depth--;
    at[depth] = child;
    until[depth] = child + SJ_INDEX_NODE < ends[depth] ? child + SJ_INDEX_NODE : ends[depth];
  }
  if (!sj_sort(context, out->data, out->count, sizeof *out->data, compare_numbers)) return false;
  size_t count = 0;
  for (size_t i = 0; i < out->count; i++)
    if (!count || out->data[count - 1] != out->data[i]) out->data[count++] = out->data[i];
  out->count = count;
  return true;
}
