// Filters that are the same but for their regions, as those of many elements that refer to one filter are: encoding
// plans them together (encode_plan.c).
#include <string.h>

#include "base/hash.h"
#include "scene/scene.h"
#include "scene/filter.h"

// Larger filters have no shape, so that comparing them takes little beside recording a layer.
#define MOST_NODES 32
#define MOST_BYTES 16384

// What a node has beside its regions.
typedef struct {
  uint32_t kind, linear, input, input_count, data, op;
  float x, y;
  uint32_t color, item, channels[2];
  uint32_t region, tile;  // 1 + the number among the filter's regions, or 0
} node_form;

_Static_assert(sizeof(node_form) == 56, "compared without padding");

typedef struct {
  stijl_rect regions[SJ_SHAPE_REGIONS];
  uint32_t region_count, node_count;
  node_form nodes[MOST_NODES];
} shape;

static uint32_t region_of(shape *s, stijl_rect r) {
  uint32_t i = 0;
  while (i < s->region_count && memcmp(&s->regions[i], &r, sizeof r) != 0) i++;
  if (i == SJ_SHAPE_REGIONS) return UINT32_MAX;
  if (i == s->region_count) s->regions[s->region_count++] = r;
  return i + 1;
}

// Returns false where the filter has no shape.
static bool find_shape(const stijl_filter *filter, shape *out) {
  out->region_count = out->node_count = 0;
  if (filter->nodes.count > MOST_NODES ||
      filter->bytes.count + (filter->floats.count + filter->inputs.count) * sizeof(uint32_t) > MOST_BYTES)
    return false;
  for (size_t i = 0; i < filter->nodes.count; i++) {
    const sj_filter_node *n = &filter->nodes.data[i];
    node_form *form = &out->nodes[out->node_count++];
    if (sj_filter_traits_of[n->kind].placed) return false;
    *form = (node_form){n->kind,
                        n->linear,
                        n->input,
                        n->input_count,
                        n->data,
                        n->op,
                        n->x,
                        n->y,
                        n->color,
                        n->item,
                        {n->channels[0], n->channels[1]},
                        0,
                        0};
    if (n->bounded) form->region = region_of(out, n->region);
    if (n->kind == SJ_FILTER_TILE) form->tile = region_of(out, n->tile);
    if (k_max(form->region, form->tile) == UINT32_MAX) return false;
  }
  return true;
}

static bool same_bytes(const void *a, size_t a_count, const void *b, size_t b_count, size_t size) {
  return a_count == b_count && (!a_count || memcmp(a, b, a_count * size) == 0);
}

static bool same_convolutions(const stijl_filter *a, const stijl_filter *b) {
  bool same = a->convolutions.count == b->convolutions.count;
  for (size_t i = 0; same && i < a->convolutions.count; i++) {
    const stijl_convolution *p = &a->convolutions.data[i], *q = &b->convolutions.data[i];
    same = p->columns == q->columns && p->rows == q->rows && p->target_x == q->target_x && p->target_y == q->target_y &&
           memcmp(&p->bias, &q->bias, sizeof p->bias) == 0 &&
           memcmp(&p->divisor, &q->divisor, sizeof p->divisor) == 0 && p->edge == q->edge &&
           p->preserve_alpha == q->preserve_alpha;
  }
  return same;
}

static bool same_shape(const stijl_filter *a, const shape *as, const stijl_filter *b, const shape *bs) {
  return same_bytes(as->nodes, as->node_count, bs->nodes, bs->node_count, sizeof *as->nodes) &&
         same_bytes(a->inputs.data, a->inputs.count, b->inputs.data, b->inputs.count, sizeof *a->inputs.data) &&
         same_bytes(a->floats.data, a->floats.count, b->floats.data, b->floats.count, sizeof *a->floats.data) &&
         same_bytes(a->bytes.data, a->bytes.count, b->bytes.data, b->bytes.count, 1) && same_convolutions(a, b);
}

// Notes the shape of a filter, or finds the one that it is equal to. Of two shapes with the same hash the second is not
// found again. No two will meet, as hashes have 64 bits and a random key.
static bool note_shape(stijl_scene *scene, sj_pairs *known, sj_hash_key key, uint32_t index, const shape *own) {
  const stijl_filter *filter = scene->filters.data[index].filter;
  uint64_t hash = sj_hash(key, own->nodes, own->node_count * sizeof *own->nodes);
  if (filter->floats.count)
    hash ^= sj_hash(key, filter->floats.data, filter->floats.count * sizeof *filter->floats.data);
  if (filter->bytes.count) hash ^= sj_hash(key, filter->bytes.data, filter->bytes.count);
  uint32_t *to = &scene->filters.data[index].shape, other;
  *to = index;
  if (!sj_pairs_find(known, hash, (uint32_t)(hash >> 32), &other))
    return sj_pairs_add(scene->context, known, hash, (uint32_t)(hash >> 32), index);
  shape s;
  if (find_shape(scene->filters.data[other].filter, &s) &&
      same_shape(scene->filters.data[other].filter, &s, filter, own))
    *to = other;
  return true;
}

void sj_scene_find_shapes(stijl_scene *scene) {
  sj_pairs known = {0};
  sj_hash_key key = {0};
  if (scene->filters.count) key = sj_hash_key_random();
  scene->filter_regions.count = 0;
  bool ok = true;
  shape forms[2];  // of the filter at work, and of the one before, whose shape it mostly has
  sj_layer_filter *last = NULL;
  for (uint32_t i = 0; i < scene->filters.count; i++) {
    sj_layer_filter *filter = &scene->filters.data[i];
    shape *own = &forms[i & 1], *before = &forms[~i & 1];
    filter->shape = SJ_NO_SHAPE;
    filter->regions = (uint32_t)scene->filter_regions.count;
    filter->region_count = filter->result_region = 0;
    bool has = ok && find_shape(filter->filter, own);
    bool same = has && last && same_shape(last->filter, before, filter->filter, own);
    if (same) filter->shape = last->shape;
    last = has ? filter : NULL;
    if (!has) continue;
    // Without memory no plans are shared, that is all.
    ok = sj_array_reserve(scene->context, &scene->filter_regions, own->region_count) &&
         (same || note_shape(scene, &known, key, i, own));
    if (!ok) {
      filter->shape = SJ_NO_SHAPE;
      continue;
    }
    if (own->node_count) filter->result_region = own->nodes[own->node_count - 1].region;
    while (filter->region_count < own->region_count)
      scene->filter_regions.data[scene->filter_regions.count++] = own->regions[filter->region_count++];
  }
  sj_pairs_finish(scene->context, &known);
}
