// Builds filters: each call checks what it is given and appends a node.
#include "scene/filter.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/params.h"
#include "base/power.h"
#include "kernel/composite.h"
#include "scene/ramp.h"

const sj_filter_traits sj_filter_traits_of[] = {
#define TRAITS(name, inputs, reads, black, moves, placed, cost) \
  {inputs, SJ_FILTER_READS_##reads, SJ_FILTER_BLACK_##black, moves, placed, cost},
    SJ_FILTER_KINDS(TRAITS)
#undef TRAITS
};

#define MOST_NODES 100000u
#define MOST_KERNEL 1024

stijl_result stijl_filter_create(stijl_context *context, stijl_filter **out) {
  if (!out) return STIJL_ERROR_INVALID_ARGUMENT;
  *out = NULL;
  context = sj_context(context);
  stijl_filter *filter = sj_alloc_zero(context, sizeof *filter);
  if (!filter) return STIJL_ERROR_OUT_OF_MEMORY;
  filter->context = context;
  atomic_init(&filter->references, 1);
  *out = filter;
  return STIJL_OK;
}

stijl_filter *sj_filter_retain(const stijl_filter *given) {
  stijl_filter *filter = (stijl_filter *)(uintptr_t)given;
  if (!filter) return NULL;
  atomic_store(&filter->used, true);
  atomic_fetch_add(&filter->references, 1);
  return filter;
}

void stijl_filter_destroy(stijl_filter *filter) {
  if (!filter || atomic_fetch_sub(&filter->references, 1) > 1) return;
  stijl_context *context = filter->context;
  for (size_t i = 0; i < filter->scenes.count; i++) stijl_scene_destroy(filter->scenes.data[i].scene);
  sj_arrays_finish(context, &filter->nodes, &filter->inputs, &filter->floats, &filter->bytes, &filter->convolutions,
                   &filter->turbulences, &filter->lights, &filter->scenes);
  sj_free(context, filter->message);
  sj_free(context, filter);
}

stijl_result stijl_filter_status(const stijl_filter *filter) {
  return filter ? filter->status : STIJL_ERROR_INVALID_ARGUMENT;
}
const char *stijl_filter_message(const stijl_filter *filter) {
  if (!filter || filter->status == STIJL_OK) return "";
  return filter->message ? filter->message->text : stijl_result_string(filter->status);
}

__attribute__((format(printf, 3, 4))) static int fail(stijl_filter *filter, stijl_result result, const char *format,
                                                      ...) {
  if (filter->status != STIJL_OK) return STIJL_FILTER_NOTHING;
  filter->status = result;
  filter->message = sj_alloc(filter->context, sizeof *filter->message);
  if (!filter->message) return STIJL_FILTER_NOTHING;
  va_list args;
  va_start(args, format);
  vsnprintf(filter->message->text, sizeof filter->message->text, format, args);
  va_end(args);
  return STIJL_FILTER_NOTHING;
}

static int fail_memory(stijl_filter *filter) { return fail(filter, STIJL_ERROR_OUT_OF_MEMORY, "out of memory"); }

static bool is_finite(float x) { return x - x == 0.0f; }

static bool all_finite(const float *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!is_finite(values[i])) return false;
  return true;
}

static bool is_rect(const stijl_rect *r) { return all_finite((const float[]){r->x0, r->y0, r->x1, r->y1}, 4); }

// Begins a node with its inputs. Returns false when the filter has failed.
static bool begin(stijl_filter *filter, const stijl_filter_options *options, sj_filter_kind kind, const int *inputs,
                  size_t count, sj_filter_node *node) {
  if (!filter || filter->status != STIJL_OK) return false;
  *node = (sj_filter_node){.kind = kind, .input = (uint32_t)filter->inputs.count, .input_count = (uint32_t)count};
  stijl_message message;
  options = SJ_PARAMS(stijl_filter_options, STIJL_FILTER_OPTIONS_INIT, options, &message);
  if (!options) {
    fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "%s", message.text);
  } else if (atomic_load(&filter->used)) {
    fail(filter, STIJL_ERROR_INVALID_STATE, "the filter belongs to a layer, and cannot change any more");
  } else if (filter->nodes.count >= MOST_NODES || count > MOST_NODES) {
    fail(filter, STIJL_ERROR_LIMIT, "a filter has more than %u primitives", MOST_NODES);
  } else if (options->region && !is_rect(options->region)) {
    fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "a filter's region is not finite");
  }
  if (filter->status != STIJL_OK) return false;
  node->linear = options->linear;
  node->bounded = options->region != NULL;
  if (node->bounded) node->region = *options->region;
  for (size_t i = 0; i < count; i++)
    if (inputs[i] < STIJL_FILTER_NOTHING || inputs[i] >= (int)filter->nodes.count) {
      fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "a filter's input, %d, is no earlier result", inputs[i]);
      return false;
    }
  if (count && !sj_array_reserve(filter->context, &filter->inputs, count)) {
    fail_memory(filter);
    return false;
  }
  if (count) memcpy(filter->inputs.data + filter->inputs.count, inputs, count * sizeof *inputs);
  filter->inputs.count += count;
  return true;
}

static int end(stijl_filter *filter, const sj_filter_node *node) {
  if (!sj_array_push(filter->context, &filter->nodes, *node)) return fail_memory(filter);
  return (int)filter->nodes.count - 1;
}

static bool add_floats(stijl_filter *filter, const float *values, size_t count, sj_filter_node *node) {
  node->data = (uint32_t)filter->floats.count;
  if (!values || !all_finite(values, count)) {
    fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "a filter's value is missing or not finite");
    return false;
  }
  if (!sj_array_reserve(filter->context, &filter->floats, count)) {
    fail_memory(filter);
    return false;
  }
  for (size_t i = 0; i < count; i++) filter->floats.data[filter->floats.count++] = sj_filter_number(values[i]);
  return true;
}

int stijl_filter_blur(stijl_filter *filter, const stijl_filter_options *options, int in, float x, float y,
                      stijl_filter_edge edge) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_BLUR, &in, 1, &node)) return STIJL_FILTER_NOTHING;
  if (!(x >= 0.0f && y >= 0.0f) || !is_finite(x) || !is_finite(y) || (unsigned)edge > STIJL_FILTER_EDGE_WRAP)
    return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "a blur by %g and %g is not possible", (double)x, (double)y);
  node.x = x;
  node.y = y;
  node.op = edge;
  return end(filter, &node);
}

int stijl_filter_offset(stijl_filter *filter, const stijl_filter_options *options, int in, float dx, float dy) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_OFFSET, &in, 1, &node)) return STIJL_FILTER_NOTHING;
  if (!is_finite(dx) || !is_finite(dy)) return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "an offset is not finite");
  node.x = dx;
  node.y = dy;
  return end(filter, &node);
}

int stijl_filter_flood(stijl_filter *filter, const stijl_filter_options *options, stijl_color color) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_FLOOD, NULL, 0, &node)) return STIJL_FILTER_NOTHING;
  node.color = sj_premultiplied(color, 1.0f);
  return end(filter, &node);
}

int stijl_filter_alpha(stijl_filter *filter, const stijl_filter_options *options, int in) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_ALPHA, &in, 1, &node)) return STIJL_FILTER_NOTHING;
  return end(filter, &node);
}

static int tint(stijl_filter *filter, const stijl_filter_options *options, int in, stijl_color color) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_TINT, &in, 1, &node)) return STIJL_FILTER_NOTHING;
  node.color = sj_premultiplied(color, 1.0f);
  return end(filter, &node);
}

int stijl_filter_color_matrix(stijl_filter *filter, const stijl_filter_options *options, int in,
                              const float matrix[20]) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_MATRIX, &in, 1, &node) || !add_floats(filter, matrix, 20, &node))
    return STIJL_FILTER_NOTHING;
  return end(filter, &node);
}

static double at_least(double x, double least) { return x > least ? x : least; }

static double transferred(const stijl_transfer *t, double c) {
  size_t n = t->values ? t->count : 0;
  switch (t->kind) {
    case STIJL_TRANSFER_TABLE: {
      if (!n) return c;
      if (n == 1) return (double)t->values[0];
      size_t k = (size_t)(c * (double)(n - 1));
      if (k > n - 2) k = n - 2;
      double low = (double)t->values[k], high = (double)t->values[k + 1];
      return low + (c * (double)(n - 1) - (double)k) * (high - low);
    }
    case STIJL_TRANSFER_DISCRETE: {
      if (!n) return c;
      size_t k = (size_t)(c * (double)n);
      return (double)t->values[k < n ? k : n - 1];
    }
    case STIJL_TRANSFER_LINEAR: return (double)t->a * c + (double)t->b;
    case STIJL_TRANSFER_GAMMA:
      // 0 to a negative power is infinite.
      if (c == 0.0 && t->exponent < 0.0f) return t->a > 0.0f ? 1.0 : t->a < 0.0f ? 0.0 : (double)t->b;
      return (double)t->a * sj_power(c, (double)t->exponent) + (double)t->b;
    default: return c;
  }
}

int stijl_filter_transfer(stijl_filter *filter, const stijl_filter_options *options, int in,
                          const stijl_transfer functions[4]) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_TRANSFER, &in, 1, &node)) return STIJL_FILTER_NOTHING;
  node.data = (uint32_t)filter->bytes.count;
  if (!functions) return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "no transfer functions are given");
  if (!sj_array_reserve(filter->context, &filter->bytes, 1024)) return fail_memory(filter);
  for (int f = 0; f < 4; f++) {
    const stijl_transfer *t = &functions[f];
    if ((unsigned)t->kind > STIJL_TRANSFER_GAMMA || !is_finite(t->a) || !is_finite(t->b) || !is_finite(t->exponent) ||
        (t->values && !all_finite(t->values, t->count)))
      return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "a transfer function is not one, or not finite");
    for (int i = 0; i < 256; i++) {
      double v = at_least(transferred(t, (double)i / 255.0), 0.0);
      filter->bytes.data[filter->bytes.count++] = (uint8_t)((v < 1.0 ? v : 1.0) * 255.0 + 0.5);
    }
  }
  return end(filter, &node);
}

int stijl_filter_composite(stijl_filter *filter, const stijl_filter_options *options, int in, int in2,
                           stijl_filter_operator op) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_COMPOSITE, (int[]){in, in2}, 2, &node)) return STIJL_FILTER_NOTHING;
  if ((unsigned)op > STIJL_FILTER_LIGHTER)
    return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "a filter's operator, %d, is unknown", (int)op);
  node.op = op;
  return end(filter, &node);
}

int stijl_filter_arithmetic(stijl_filter *filter, const stijl_filter_options *options, int in, int in2,
                            const float k[4]) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_ARITHMETIC, (int[]){in, in2}, 2, &node) || !add_floats(filter, k, 4, &node))
    return STIJL_FILTER_NOTHING;
  return end(filter, &node);
}

int stijl_filter_blend(stijl_filter *filter, const stijl_filter_options *options, int in, int in2, stijl_blend mode) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_BLEND, (int[]){in, in2}, 2, &node)) return STIJL_FILTER_NOTHING;
  if ((unsigned)mode >= K_BLEND_MODES)
    return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "a filter's blend mode, %d, is unknown", (int)mode);
  node.op = mode;
  return end(filter, &node);
}

int stijl_filter_merge(stijl_filter *filter, const stijl_filter_options *options, const int *inputs, size_t count) {
  sj_filter_node node;
  if (filter && count && !inputs) return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "no inputs are given");
  if (!begin(filter, options, SJ_FILTER_MERGE, inputs, count, &node)) return STIJL_FILTER_NOTHING;
  return end(filter, &node);
}

int stijl_filter_drop_shadow(stijl_filter *filter, const stijl_filter_options *options, int in, float dx, float dy,
                             float deviation_x, float deviation_y, stijl_color color) {
  stijl_filter_options whole = STIJL_FILTER_OPTIONS_INIT;
  stijl_message message;
  const stijl_filter_options *given = SJ_PARAMS(stijl_filter_options, STIJL_FILTER_OPTIONS_INIT, options, &message);
  if (given) whole.linear = given->linear;
  int shadow = stijl_filter_offset(filter, &whole, stijl_filter_alpha(filter, &whole, in), dx, dy);
  shadow = stijl_filter_blur(filter, &whole, shadow, deviation_x, deviation_y, STIJL_FILTER_EDGE_NONE);
  return stijl_filter_merge(filter, options, (int[]){tint(filter, &whole, shadow, color), in}, 2);
}

int stijl_filter_morphology(stijl_filter *filter, const stijl_filter_options *options, int in, bool dilate,
                            float radius_x, float radius_y) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_MORPHOLOGY, &in, 1, &node)) return STIJL_FILTER_NOTHING;
  if (!(radius_x >= 0.0f && radius_y >= 0.0f) || !is_finite(radius_x) || !is_finite(radius_y))
    return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "a morphology's radius is negative or not finite");
  node.op = dilate;
  node.x = radius_x;
  node.y = radius_y;
  return end(filter, &node);
}

int stijl_filter_convolve(stijl_filter *filter, const stijl_filter_options *options, int in,
                          const stijl_convolution *given) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_CONVOLVE, &in, 1, &node)) return STIJL_FILTER_NOTHING;
  stijl_message message;
  given = SJ_GIVEN(stijl_convolution, STIJL_CONVOLUTION_INIT, given, &message);
  if (!given) return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "%s", message.text);
  stijl_convolution c = *given;
  if (c.columns < 1 || c.rows < 1 || c.columns > MOST_KERNEL || c.rows > MOST_KERNEL)
    return fail(filter, STIJL_ERROR_LIMIT, "a kernel of %d x %d is not within 1..%d", c.columns, c.rows, MOST_KERNEL);
  if (c.target_x < -1 || c.target_y < -1 || c.target_x >= c.columns || c.target_y >= c.rows ||
      (unsigned)c.edge > STIJL_FILTER_EDGE_WRAP || !is_finite(c.divisor) || !is_finite(c.bias))
    return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "a convolution's target, edge, divisor or bias is out of range");
  size_t cells = (size_t)c.columns * (size_t)c.rows;
  if (!add_floats(filter, c.kernel, cells, &node)) return STIJL_FILTER_NOTHING;
  float *kernel = filter->floats.data + node.data;
  double divisor = (double)c.divisor;
  for (size_t i = 0; c.divisor == 0.0f && i < cells; i++) divisor += (double)kernel[i];
  if (divisor == 0.0) divisor = 1.0;
  for (size_t i = 0; i < (cells + 1) / 2; i++) {
    float other = kernel[cells - 1 - i];
    kernel[cells - 1 - i] = (float)((double)kernel[i] / divisor);
    kernel[i] = (float)((double)other / divisor);
  }
  for (size_t i = 0; i < cells; i++) kernel[i] = sj_filter_number(kernel[i]);
  c.bias = sj_filter_number(c.bias);
  if (c.target_x < 0) c.target_x = c.columns / 2;
  if (c.target_y < 0) c.target_y = c.rows / 2;
  c.kernel = NULL;
  node.item = (uint32_t)filter->convolutions.count;
  node.op = c.edge;
  if (!sj_array_push(filter->context, &filter->convolutions, c)) return fail_memory(filter);
  return end(filter, &node);
}

int stijl_filter_displace(stijl_filter *filter, const stijl_filter_options *options, int in, int map, float scale,
                          stijl_channel x, stijl_channel y) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_DISPLACE, (int[]){in, map}, 2, &node)) return STIJL_FILTER_NOTHING;
  if (!is_finite(scale) || (unsigned)x > STIJL_CHANNEL_A || (unsigned)y > STIJL_CHANNEL_A)
    return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "a displacement's scale or channel is out of range");
  node.x = node.y = scale;
  node.channels[0] = x;
  node.channels[1] = y;
  return end(filter, &node);
}

int stijl_filter_tile(stijl_filter *filter, const stijl_filter_options *options, int in, stijl_rect tile) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_TILE, &in, 1, &node)) return STIJL_FILTER_NOTHING;
  if (!is_rect(&tile)) return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "a tile is not finite");
  node.tile = tile;
  return end(filter, &node);
}

int stijl_filter_turbulence(stijl_filter *filter, const stijl_filter_options *options, const stijl_turbulence *given) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_TURBULENCE, NULL, 0, &node)) return STIJL_FILTER_NOTHING;
  stijl_message message;
  given = SJ_GIVEN(stijl_turbulence, STIJL_TURBULENCE_INIT, given, &message);
  if (!given) return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "%s", message.text);
  stijl_turbulence t = *given;
  if (!(t.frequency_x >= 0.0f && t.frequency_y >= 0.0f) || !is_finite(t.frequency_x) || !is_finite(t.frequency_y) ||
      (t.stitch && !is_rect(t.stitch)))
    return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "a turbulence's frequency or tile is out of range");
  if (t.stitch) node.tile = *t.stitch;
  node.op = t.stitch != NULL;
  t.stitch = NULL;
  node.item = (uint32_t)filter->turbulences.count;
  if (!sj_array_push(filter->context, &filter->turbulences, t)) return fail_memory(filter);
  return end(filter, &node);
}

static int add_light(stijl_filter *filter, const stijl_filter_options *options, int in, const stijl_light *light,
                     bool specular) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_LIGHT, &in, 1, &node)) return STIJL_FILTER_NOTHING;
  stijl_message message;
  light = SJ_GIVEN(stijl_light, STIJL_LIGHT_INIT, light, &message);
  if (!light) return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "%s", message.text);
  if ((unsigned)light->kind > STIJL_LIGHT_SPOT || !(light->constant >= 0.0f) || !(light->exponent >= 0.0f) ||
      !(light->focus >= 0.0f) ||
      !all_finite((const float[]){light->azimuth, light->elevation, light->x, light->y, light->z, light->at_x,
                                  light->at_y, light->at_z, light->focus, light->cone, light->surface_scale,
                                  light->constant, light->exponent},
                  13))
    return fail(filter, STIJL_ERROR_INVALID_ARGUMENT, "a light has a value out of range");
  node.op = specular;
  node.color = sj_premultiplied(light->color, 1.0f);
  node.item = (uint32_t)filter->lights.count;
  if (!sj_array_push(filter->context, &filter->lights, *light)) return fail_memory(filter);
  return end(filter, &node);
}

int stijl_filter_diffuse_light(stijl_filter *filter, const stijl_filter_options *options, int in,
                               const stijl_light *light) {
  return add_light(filter, options, in, light, false);
}

int stijl_filter_specular_light(stijl_filter *filter, const stijl_filter_options *options, int in,
                                const stijl_light *light) {
  return add_light(filter, options, in, light, true);
}

int sj_filter_add_slot(stijl_filter *filter, const stijl_filter_options *options) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_SCENE, NULL, 0, &node)) return STIJL_FILTER_NOTHING;
  node.item = (uint32_t)filter->scenes.count;
  if (!sj_array_push(filter->context, &filter->scenes, (sj_filter_scene){0})) return fail_memory(filter);
  return end(filter, &node);
}

stijl_result sj_filter_fill(stijl_filter *filter, uint32_t slot, const stijl_scene *scene,
                            const stijl_matrix *transform) {
  stijl_scene *own;
  if (stijl_scene_create(filter->context, NULL, &own) != STIJL_OK) {
    fail_memory(filter);
    return filter->status;
  }
  stijl_scene_add_scene(own, scene, transform);
  stijl_result result = stijl_scene_finish(own);
  if (result == STIJL_OK) {
    filter->scenes.data[slot].scene = own;
  } else {
    fail(filter, result, "%s", stijl_scene_message(own));
    stijl_scene_destroy(own);
  }
  return filter->status;
}

int stijl_filter_scene(stijl_filter *filter, const stijl_filter_options *options, const stijl_scene *scene,
                       const stijl_matrix *transform) {
  int result = sj_filter_add_slot(filter, options);
  if (result < 0) return result;
  stijl_result filled = sj_filter_fill(filter, (uint32_t)filter->scenes.count - 1, scene, transform);
  return filled == STIJL_OK ? result : STIJL_FILTER_NOTHING;
}

int stijl_filter_backdrop(stijl_filter *filter, const stijl_filter_options *options) {
  sj_filter_node node;
  if (!begin(filter, options, SJ_FILTER_BACKDROP, NULL, 0, &node)) return STIJL_FILTER_NOTHING;
  filter->reads_backdrop = true;
  return end(filter, &node);
}

#define COPY(to, from, name)                                                                       \
  (sj_array_reserve((to)->context, &(to)->name, (from)->name.count) &&                             \
   ((from)->name.count == 0 ||                                                                     \
    memcpy((to)->name.data, (from)->name.data, (from)->name.count * sizeof *(from)->name.data)) && \
   ((to)->name.count = (from)->name.count, true))

stijl_filter *sj_filter_copy(const stijl_filter *filter) {
  stijl_filter *copy;
  if (stijl_filter_create(filter->context, &copy) != STIJL_OK) return NULL;
  bool ok = COPY(copy, filter, nodes) && COPY(copy, filter, inputs) && COPY(copy, filter, floats) &&
            COPY(copy, filter, bytes) && COPY(copy, filter, convolutions) && COPY(copy, filter, turbulences) &&
            COPY(copy, filter, lights);
  for (size_t i = 0; ok && i < filter->scenes.count; i++)
    ok = sj_array_push(copy->context, &copy->scenes, (sj_filter_scene){0});
  copy->reads_backdrop = filter->reads_backdrop;
  if (ok) return copy;
  stijl_filter_destroy(copy);
  return NULL;
}
