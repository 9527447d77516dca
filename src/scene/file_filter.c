// Filters in saved scenes: their fields, and whether they can be.
#include "kernel/composite.h"
#include "scene/codec.h"
#include "scene/file.h"
#include "scene/filter.h"

#define MOST_KERNEL 1024
#define TABLES 1024  // bytes of a transfer node

static void node(sj_file *f, sj_filter_node *n) {
  uint32_t kind = (uint32_t)n->kind;
  sj_file_word(f, &kind);
  n->kind = (sj_filter_kind)kind;
  sj_file_flags(f, &n->linear, &n->bounded);
  sj_file_rect(f, &n->region);
  sj_file_word(f, &n->input);
  sj_file_word(f, &n->input_count);
  sj_file_word(f, &n->data);
  sj_file_word(f, &n->op);
  sj_file_real(f, &n->x);
  sj_file_real(f, &n->y);
  sj_file_word(f, &n->color);
  sj_file_word(f, &n->item);
  sj_file_word(f, &n->channels[0]);
  sj_file_word(f, &n->channels[1]);
  sj_file_rect(f, &n->tile);
}

static void convolution(sj_file *f, stijl_convolution *c) {
  uint32_t edge = (uint32_t)c->edge;
  bool unused = false;
  sj_file_integer(f, &c->columns);
  sj_file_integer(f, &c->rows);
  sj_file_real(f, &c->divisor);
  sj_file_real(f, &c->bias);
  sj_file_integer(f, &c->target_x);
  sj_file_integer(f, &c->target_y);
  sj_file_word(f, &edge);
  sj_file_flags(f, &c->preserve_alpha, &unused);
  c->edge = (stijl_filter_edge)edge;
}

static void turbulence(sj_file *f, stijl_turbulence *t) {
  bool unused = false;
  sj_file_real(f, &t->frequency_x);
  sj_file_real(f, &t->frequency_y);
  sj_file_integer(f, &t->octaves);
  sj_file_integer(f, &t->seed);
  sj_file_flags(f, &t->fractal, &unused);
}

static void light(sj_file *f, stijl_light *l) {
  uint32_t kind = (uint32_t)l->kind;
  float *const values[] = {&l->azimuth,       &l->elevation, &l->x,       &l->y,     &l->z,
                           &l->at_x,          &l->at_y,      &l->at_z,    &l->focus, &l->cone,
                           &l->surface_scale, &l->constant,  &l->exponent};
  sj_file_word(f, &kind);
  l->kind = (stijl_light_kind)kind;
  sj_file_color(f, &l->color);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) sj_file_real(f, values[i]);
}

// Makes room for what is read, if the file is long enough for it.
static bool make_room(sj_file *f, stijl_filter *filter, const uint32_t n[8]) {
  uint64_t words =
      (uint64_t)n[0] * 20 + n[1] + n[2] + n[3] + (uint64_t)n[4] * 8 + (uint64_t)n[5] * 5 + (uint64_t)n[6] * 18;
  f->failed = f->failed || words * 4 > f->left || n[7] > n[0];
  if (f->failed) return false;
  stijl_context *context = filter->context;
  if (!sj_array_reserve(context, &filter->nodes, n[0]) || !sj_array_reserve(context, &filter->inputs, n[1]) ||
      !sj_array_reserve(context, &filter->floats, n[2]) ||
      !sj_array_reserve(context, &filter->bytes, (size_t)n[3] * 4) ||
      !sj_array_reserve(context, &filter->convolutions, n[4]) ||
      !sj_array_reserve(context, &filter->turbulences, n[5]) || !sj_array_reserve(context, &filter->lights, n[6]) ||
      !sj_array_reserve(context, &filter->scenes, n[7])) {
    filter->status = STIJL_ERROR_OUT_OF_MEMORY;
    f->failed = true;
    return false;
  }
  filter->inputs.count = n[1];
  filter->floats.count = n[2];
  filter->bytes.count = (size_t)n[3] * 4;
  while (filter->nodes.count < n[0]) filter->nodes.data[filter->nodes.count++] = (sj_filter_node){.linear = false};
  while (filter->convolutions.count < n[4])
    filter->convolutions.data[filter->convolutions.count++] = (stijl_convolution)STIJL_CONVOLUTION_INIT;
  while (filter->turbulences.count < n[5])
    filter->turbulences.data[filter->turbulences.count++] = (stijl_turbulence)STIJL_TURBULENCE_INIT;
  while (filter->lights.count < n[6]) filter->lights.data[filter->lights.count++] = (stijl_light)STIJL_LIGHT_INIT;
  // What a filter draws are scenes within the scene that it belongs to; its own references to them are for recording.
  while (filter->scenes.count < n[7]) filter->scenes.data[filter->scenes.count++] = (sj_filter_scene){NULL};
  return true;
}

void sj_file_filter(sj_file *f, stijl_filter *filter) {
  uint32_t n[8] = {(uint32_t)filter->nodes.count,        (uint32_t)filter->inputs.count,
                   (uint32_t)filter->floats.count,       (uint32_t)filter->bytes.count / 4,
                   (uint32_t)filter->convolutions.count, (uint32_t)filter->turbulences.count,
                   (uint32_t)filter->lights.count,       (uint32_t)filter->scenes.count};
  for (int i = 0; i < 8; i++) sj_file_word(f, &n[i]);
  if (f->reading && !make_room(f, filter, n)) return;
  for (uint32_t i = 0; i < n[0] && !f->failed; i++) {
    node(f, &filter->nodes.data[i]);
    if (filter->nodes.data[i].kind == SJ_FILTER_BACKDROP) filter->reads_backdrop = true;
  }
  sj_file_block(f, filter->inputs.data, filter->inputs.count * sizeof *filter->inputs.data);
  sj_file_block(f, filter->floats.data, filter->floats.count * sizeof *filter->floats.data);
  sj_file_block(f, filter->bytes.data, filter->bytes.count);
  for (uint32_t i = 0; i < n[4] && !f->failed; i++) convolution(f, &filter->convolutions.data[i]);
  for (uint32_t i = 0; i < n[5] && !f->failed; i++) turbulence(f, &filter->turbulences.data[i]);
  for (uint32_t i = 0; i < n[6] && !f->failed; i++) light(f, &filter->lights.data[i]);
}

// --- Checking ---

static bool is_finite(float x) { return x - x == 0.0f; }
static bool is_number(float x) { return sj_filter_number(x) == x; }
static bool is_rect(stijl_rect r) { return is_finite(r.x0) && is_finite(r.y0) && is_finite(r.x1) && is_finite(r.y1); }

static bool is_convolution(const stijl_convolution *c) {
  return c->columns >= 1 && c->rows >= 1 && c->columns <= MOST_KERNEL && c->rows <= MOST_KERNEL && c->target_x >= 0 &&
         c->target_y >= 0 && c->target_x < c->columns && c->target_y < c->rows &&
         (unsigned)c->edge <= STIJL_FILTER_EDGE_WRAP && is_finite(c->divisor) && is_number(c->bias);
}

static bool is_turbulence(const stijl_turbulence *t) {
  return t->frequency_x >= 0.0f && t->frequency_y >= 0.0f && is_finite(t->frequency_x) && is_finite(t->frequency_y);
}

static bool is_light(const stijl_light *l) {
  float sum = l->azimuth + l->elevation + l->x + l->y + l->z + l->at_x + l->at_y + l->at_z + l->focus + l->cone +
              l->surface_scale + l->constant + l->exponent + l->color.r + l->color.g + l->color.b + l->color.a;
  return (unsigned)l->kind <= STIJL_LIGHT_SPOT && l->constant >= 0.0f && l->exponent >= 0.0f && l->focus >= 0.0f &&
         is_finite(sum);
}

// What else a kind of node has: the largest `op`, numbers of which it has its own.

static uint32_t largest_op(const stijl_filter *filter, const sj_filter_node *n) {
  switch (n->kind) {
    case SJ_FILTER_BLUR: return STIJL_FILTER_EDGE_WRAP;
    case SJ_FILTER_COMPOSITE: return STIJL_FILTER_LIGHTER;
    case SJ_FILTER_BLEND: return K_BLEND_MODES - 1;
    case SJ_FILTER_CONVOLVE: return (uint32_t)filter->convolutions.data[n->item].edge;
    case SJ_FILTER_MORPHOLOGY:
    case SJ_FILTER_TURBULENCE:
    case SJ_FILTER_LIGHT: return 1;
    case SJ_FILTER_OFFSET:
    case SJ_FILTER_FLOOD:
    case SJ_FILTER_TINT:
    case SJ_FILTER_ALPHA:
    case SJ_FILTER_MATRIX:
    case SJ_FILTER_TRANSFER:
    case SJ_FILTER_ARITHMETIC:
    case SJ_FILTER_MERGE:
    case SJ_FILTER_DISPLACE:
    case SJ_FILTER_TILE:
    case SJ_FILTER_SCENE:
    case SJ_FILTER_BACKDROP:
    case SJ_FILTER_SOURCE: return 0;
  }
  return 0;
}

static bool has_data(const stijl_filter *filter, const sj_filter_node *n) {
  switch (n->kind) {
    case SJ_FILTER_MATRIX: return (uint64_t)n->data + 20 <= filter->floats.count;
    case SJ_FILTER_ARITHMETIC: return (uint64_t)n->data + 4 <= filter->floats.count;
    case SJ_FILTER_TRANSFER: return (uint64_t)n->data + TABLES <= filter->bytes.count;
    case SJ_FILTER_CONVOLVE: {
      if (n->item >= filter->convolutions.count) return false;
      const stijl_convolution *c = &filter->convolutions.data[n->item];
      return is_convolution(c) && n->data + (uint64_t)c->columns * (uint64_t)c->rows <= filter->floats.count;
    }
    case SJ_FILTER_TURBULENCE:
      return n->item < filter->turbulences.count && is_turbulence(&filter->turbulences.data[n->item]);
    case SJ_FILTER_LIGHT: return n->item < filter->lights.count && is_light(&filter->lights.data[n->item]);
    case SJ_FILTER_SCENE: return n->item < filter->scenes.count;
    case SJ_FILTER_SOURCE: return false;
    case SJ_FILTER_BLUR:
    case SJ_FILTER_OFFSET:
    case SJ_FILTER_FLOOD:
    case SJ_FILTER_TINT:
    case SJ_FILTER_ALPHA:
    case SJ_FILTER_COMPOSITE:
    case SJ_FILTER_BLEND:
    case SJ_FILTER_MERGE:
    case SJ_FILTER_MORPHOLOGY:
    case SJ_FILTER_DISPLACE:
    case SJ_FILTER_TILE:
    case SJ_FILTER_BACKDROP: return true;
  }
  return false;
}

static bool is_node(const stijl_filter *filter, const sj_filter_node *n, int earlier) {
  if ((unsigned)n->kind >= SJ_FILTER_SOURCE || !is_rect(n->region) || !is_rect(n->tile) || !is_finite(n->x) ||
      !is_finite(n->y) || n->channels[0] > STIJL_CHANNEL_A || n->channels[1] > STIJL_CHANNEL_A)
    return false;
  bool lengths = n->kind == SJ_FILTER_BLUR || n->kind == SJ_FILTER_MORPHOLOGY;
  uint32_t inputs = sj_filter_traits_of[n->kind].inputs, alpha = n->color >> 24;
  if ((lengths && !(n->x >= 0.0f && n->y >= 0.0f)) || (inputs != SJ_FILTER_ANY && n->input_count != inputs))
    return false;
  for (int k = 0; k < 3; k++)
    if ((n->color >> 8 * k & 255) > alpha) return false;
  for (uint32_t i = 0; i < n->input_count; i++) {
    int in = filter->inputs.data[n->input + i];
    if (in < STIJL_FILTER_NOTHING || in >= earlier) return false;
  }
  return has_data(filter, n) && n->op <= largest_op(filter, n);
}

bool sj_filter_check(const stijl_filter *filter) {
  for (size_t i = 0; i < filter->floats.count; i++)
    if (!is_number(filter->floats.data[i])) return false;
  uint64_t inputs = 0;
  for (size_t i = 0; i < filter->nodes.count; i++) {
    const sj_filter_node *n = &filter->nodes.data[i];
    // Each node's inputs follow those of the node before.
    if (n->input != inputs || inputs + n->input_count > filter->inputs.count || !is_node(filter, n, (int)i))
      return false;
    inputs += n->input_count;
  }
  return true;
}
