#include "scene/filter_plan.h"

#include <math.h>
#include <string.h>

#include "geometry/trig.h"
#include "scene/scene.h"

#define FAR (1 << 28)  // boxes without borders reach so far
static const stijl_irect everywhere = {-FAR, -FAR, FAR, FAR};

typedef struct {
  stijl_context *context;
  const stijl_filter *filter;
  const sj_filter_target *target;
  sj_filter_plan *plan;
} planner;

static int clamped(double x) { return x < -FAR ? -FAR : x > FAR ? FAR : (int)x; }

static stijl_irect grown(stijl_irect r, int left, int top, int right, int bottom) {
  if (sj_irect_is_empty(r)) return r;
  stijl_irect g = {clamped((double)r.x0 - left), clamped((double)r.y0 - top), clamped((double)r.x1 + right),
                   clamped((double)r.y1 + bottom)};
  return sj_irect_is_empty(g) ? (stijl_irect){0, 0, 0, 0} : g;
}

static stijl_irect moved(stijl_irect r, int x, int y) {
  return sj_irect_is_empty(r) ? r : sj_irect_intersect(grown(r, -x, -y, x, y), everywhere);
}

static double pixels_x(const sj_filter_target *t, float x) {
  return ((double)x - t->origin_x) * (double)t->scale_x + (double)t->x;
}

static double pixels_y(const sj_filter_target *t, float y) {
  return ((double)y - t->origin_y) * (double)t->scale_y + (double)t->y;
}

// Returns the pixels of a rectangle in user space: all that it touches by more than 1/16. What a shape has there is
// drawn whole, which is far more than that: regions are written as x and width, each rounded to few digits, and so pass
// the edges of shapes by a little.
stijl_irect sj_filter_pixels(const sj_filter_target *t, stijl_rect r) {
  double x0 = pixels_x(t, r.x0), x1 = pixels_x(t, r.x1), y0 = pixels_y(t, r.y0), y1 = pixels_y(t, r.y1);
  const double slack = 1.0 / 16.0;
  stijl_irect box = {clamped(floor(x0 + slack)), clamped(floor(y0 + slack)), clamped(ceil(x1 - slack)),
                     clamped(ceil(y1 - slack))};
  return sj_irect_is_empty(box) ? (stijl_irect){0, 0, 0, 0} : box;
}

static int nearest(double x) { return clamped(floor(x + 0.5)); }
// Halves towards zero, so that moving there and back is symmetric.
static int nearest_offset(double x) {
  return x < 0.0 ? clamped(ceil(x - 0.5) + (floor(x) + 0.5 == x)) : clamped(ceil(x - 0.5));
}

static sj_filter_step *input_of(const planner *p, const sj_filter_step *step, uint32_t i) {
  uint32_t index = p->plan->inputs.data[step->input + i];
  return index == SJ_FILTER_NO_STEP ? NULL : &p->plan->steps.data[index];
}

// --- What each primitive is in pixels -------------------------------------------------------------------------------

static bool set_blur(planner *p, const sj_filter_node *node, sj_filter_step *step) {
  sj_filter_blurs blurs = {sj_filter_blur_of(node->x * p->target->scale_x),
                           sj_filter_blur_of(node->y * p->target->scale_y)};
  step->x = blurs.x.reach;
  step->y = blurs.y.reach;
  step->item = (uint32_t)p->plan->blurs.count;
  return sj_array_push(p->context, &p->plan->blurs, blurs);
}

// Returns a coordinate, or what multiplies one, as kernels get it. Traces would not be seen, but their products can be
// subnormal floats, which some GPUs take for zero, and a spot of a small exponent shines on all that is not behind it.
static float without_trace(float v) { return fabsf(v) < 0x1p-30f ? 0.0f : sj_filter_number(v); }

static k_vec3 vec3_without_traces(float x, float y, float z) {
  return k_vec3_make(without_trace(x), without_trace(y), without_trace(z));
}

static k_vec3 light_position(const sj_filter_target *t, float x, float y, float z) {
  double depth = sqrt(((double)t->scale_x * (double)t->scale_x + (double)t->scale_y * (double)t->scale_y) * 0.5);
  x = (float)((double)x - t->origin_x);
  y = (float)((double)y - t->origin_y);
  return vec3_without_traces(x * t->scale_x + t->x, y * t->scale_y + t->y, (float)((double)z * depth));
}

static bool set_light(planner *p, const sj_filter_node *node, sj_filter_step *step) {
  const stijl_light *given = &p->filter->lights.data[node->item];
  uint32_t c = node->color;
  const uint8_t *table = sj_filter_spaces_get()->to_linear;
  float rgb[3];
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t v = k_channel(c, i);
    rgb[i] = (float)(node->linear ? table[v] : v) * (1.0f / 255.0f);
  }
  k_filter_light light = {.kind = given->kind,
                          .specular = node->op,
                          .surface = without_trace(given->surface_scale * (1.0f / 255.0f)),
                          .constant = without_trace(given->constant),
                          .exponent = k_min(given->exponent, 128.0f),
                          .r = rgb[0],
                          .g = rgb[1],
                          .b = rgb[2],
                          .focus = k_min(given->focus, 128.0f),
                          .cone = -1.0f};
  double sine, cosine, flat, up;
  if (given->kind == STIJL_LIGHT_DISTANT) {
    sj_sincos_degrees((double)given->azimuth, &sine, &cosine);
    sj_sincos_degrees((double)given->elevation, &up, &flat);
    light.position = vec3_without_traces((float)(cosine * flat), (float)(sine * flat), (float)up);
  } else {
    light.position = light_position(p->target, given->x, given->y, given->z);
  }
  if (given->kind == STIJL_LIGHT_SPOT) {
    k_vec3 at = light_position(p->target, given->at_x, given->at_y, given->at_z), from = light.position;
    k_vec3 axis = k_vec3_unit(k_vec3_make(at.x - from.x, at.y - from.y, at.z - from.z));
    light.axis = vec3_without_traces(axis.x, axis.y, axis.z);
    if (given->cone >= 0.0f) {
      sj_sincos_degrees((double)given->cone, &sine, &cosine);
      light.cone = (float)cosine;
    }
  }
  step->item = (uint32_t)p->plan->lights.count;
  return sj_array_push(p->context, &p->plan->lights, light);
}

// Returns the base frequency that fits the tile a whole number of times.
static double stitched(double frequency, double size) {
  if (frequency == 0.0 || !(size > 0.0)) return frequency;
  double low = floor(size * frequency) / size, high = ceil(size * frequency) / size;
  return low > 0.0 && frequency / low < high / frequency ? low : high;
}

// Returns where the noise of the pass's first pixel is: `at`, seen from the origin of user space, which is at `origin`.
// What is far away in a large canvas has few fractions left as a float, but the lattice repeats every 256 cells, unless
// it is stitched.
static float noise_start(double at, double origin, bool stitched) {
  if (origin != 0.0 && !stitched && fabs(origin) < 1e15) origin -= 256.0 * floor(origin / 256.0);
  return without_trace((float)(origin + at));
}

static bool set_noise(planner *p, const sj_filter_node *node, sj_filter_step *step) {
  const stijl_turbulence *given = &p->filter->turbulences.data[node->item];
  const sj_filter_target *t = p->target;
  step->item = (uint32_t)p->plan->noises.count;
  if (!sj_array_reserve(p->context, &p->plan->noises, 1)) return false;
  k_filter_noise *noise = &p->plan->noises.data[p->plan->noises.count++];
  memset(noise, 0, sizeof *noise);
  double fx = (double)given->frequency_x, fy = (double)given->frequency_y;
  if (node->op) {
    double w = (double)node->tile.x1 - (double)node->tile.x0, h = (double)node->tile.y1 - (double)node->tile.y0;
    fx = stitched(fx, w);
    fy = stitched(fy, h);
    noise->params.stitched = 1;
    noise->params.width = clamped(w * fx + 0.5);
    noise->params.height = clamped(h * fy + 0.5);
    noise->params.wrap_x = clamped((double)node->tile.x0 * fx + noise->params.width);
    noise->params.wrap_y = clamped((double)node->tile.y0 * fy + noise->params.height);
  }
  double ix = 1.0 / (double)t->scale_x, iy = 1.0 / (double)t->scale_y;
  noise->params.to_noise = (k_matrix){without_trace((float)(ix * fx)),
                                      0.0f,
                                      0.0f,
                                      without_trace((float)(iy * fy)),
                                      noise_start(-(double)t->x * ix * fx, t->origin_x * fx, node->op),
                                      noise_start(-(double)t->y * iy * fy, t->origin_y * fy, node->op)};
  noise->params.octaves = given->octaves < 0 ? 0 : k_min(given->octaves, K_NOISE_OCTAVES);
  noise->params.fractal = given->fractal;
  return true;
}

// Tiles are repeated in units of this many bits of a pixel, unless they are further away than units can tell.
#define TILE_BITS 8
#define FAR_TILE (1 << 21)

// Makes one axis of a tile. `start` and `end` are the sides of the tile in pixels, from..to - 1 the pixels that it
// touches.
static k_filter_tile tile_axis(double start, double end, int from, int to) {
  k_filter_tile t = {.from = from, .to = to, .period = to - from};
  double unit = 1 << TILE_BITS, first = floor((start - (double)from) * unit),
         period = floor((end - start) * unit + 0.5);
  // Where a side is beyond all pixels, those that it touches do not begin or end at it.
  bool whole = first < unit && period < (double)(to - from + 1) * unit;
  if (from < -FAR_TILE || to > FAR_TILE || period < 1.0 || !whole) return t;
  t.bits = TILE_BITS;
  t.first = first > 0.0 ? (int)first : 0;
  t.period = (int)period;
  return t;
}

// Sets a step's tile. It touches whole pixels, but is repeated at the distance that it has.
static void set_tile(planner *p, const sj_filter_node *node, sj_filter_step *step) {
  const sj_filter_target *t = p->target;
  stijl_irect box = sj_filter_pixels(t, node->tile);
  step->tile_x = tile_axis(pixels_x(t, node->tile.x0), pixels_x(t, node->tile.x1), box.x0, box.x1);
  step->tile_y = tile_axis(pixels_y(t, node->tile.y0), pixels_y(t, node->tile.y1), box.y0, box.y1);
}

// Returns the pixels that are repeated.
static stijl_irect tile_of(const sj_filter_step *step) {
  return (stijl_irect){step->tile_x.from, step->tile_y.from, step->tile_x.to, step->tile_y.to};
}

static bool set_step(planner *p, const sj_filter_node *node, sj_filter_step *step) {
  const sj_filter_target *t = p->target;
  switch (node->kind) {
    case SJ_FILTER_BLUR: return set_blur(p, node, step);
    case SJ_FILTER_OFFSET:
      step->x = nearest_offset((double)node->x * (double)t->scale_x);
      step->y = nearest_offset((double)node->y * (double)t->scale_y);
      return true;
    case SJ_FILTER_MORPHOLOGY:
      step->x = nearest((double)node->x * (double)t->scale_x);
      step->y = nearest((double)node->y * (double)t->scale_y);
      return true;
    case SJ_FILTER_DISPLACE:
      step->scale_x = node->x * t->scale_x;
      step->scale_y = node->y * t->scale_y;
      step->x = clamped(fabs((double)step->scale_x) * 0.5 + 1.0);
      step->y = clamped(fabs((double)step->scale_y) * 0.5 + 1.0);
      return true;
    case SJ_FILTER_TILE: set_tile(p, node, step); return true;
    case SJ_FILTER_TURBULENCE: return set_noise(p, node, step);
    case SJ_FILTER_LIGHT: return set_light(p, node, step);
    case SJ_FILTER_FLOOD:
    case SJ_FILTER_TINT:
    case SJ_FILTER_ALPHA:
    case SJ_FILTER_COMPOSITE:
    case SJ_FILTER_BLEND:
    case SJ_FILTER_MERGE:
    case SJ_FILTER_SCENE:
    case SJ_FILTER_SOURCE: return true;
    case SJ_FILTER_MATRIX:
    case SJ_FILTER_TRANSFER:
    case SJ_FILTER_ARITHMETIC: step->item = node->data; return true;
    case SJ_FILTER_CONVOLVE: step->kernel = node->data; return true;
    case SJ_FILTER_BACKDROP: step->item = SJ_FILTER_BELOW; return true;
  }
  return true;
}

// Pictures larger than this have transparent edges.
#define LARGEST_EDGE 65536

// --- Where something can be drawn -----------------------------------------------------------------------------------

// Returns whether the primitive can make something of transparent black.
static bool makes_pixels(const planner *p, const sj_filter_node *node, const sj_filter_step *step) {
  const float *f = p->filter->floats.data ? p->filter->floats.data + node->data : NULL;
  switch (node->kind) {
    case SJ_FILTER_FLOOD: return node->color != 0;
    case SJ_FILTER_MATRIX: return f[19] > 0.0f;
    case SJ_FILTER_TRANSFER: return p->filter->bytes.data[node->data + 3 * 256] != 0;
    case SJ_FILTER_ARITHMETIC: return f[3] > 0.0f;
    case SJ_FILTER_BLUR: return step->op != K_FILTER_EDGE_NONE;
    case SJ_FILTER_CONVOLVE: {
      const stijl_convolution *c = &p->filter->convolutions.data[node->item];
      return step->op != K_FILTER_EDGE_NONE || (c->bias > 0.0f && !c->preserve_alpha);
    }
    case SJ_FILTER_TILE:
    case SJ_FILTER_TURBULENCE:
    case SJ_FILTER_LIGHT:
    case SJ_FILTER_SCENE:
    case SJ_FILTER_BACKDROP:
    case SJ_FILTER_SOURCE: return true;
    case SJ_FILTER_OFFSET:
    case SJ_FILTER_TINT:
    case SJ_FILTER_ALPHA:
    case SJ_FILTER_COMPOSITE:
    case SJ_FILTER_BLEND:
    case SJ_FILTER_MERGE:
    case SJ_FILTER_MORPHOLOGY:
    case SJ_FILTER_DISPLACE: return false;
  }
  return true;
}

static stijl_irect content_of(const planner *p, const sj_filter_node *node, const sj_filter_step *step) {
  stijl_irect nothing = {0, 0, 0, 0};
  const sj_filter_step *a = step->input_count ? input_of(p, step, 0) : NULL;
  const sj_filter_step *b = step->input_count > 1 ? input_of(p, step, 1) : NULL;
  stijl_irect first = a ? a->box : nothing, second = b ? b->box : nothing;
  if (makes_pixels(p, node, step)) return everywhere;
  switch (node->kind) {
    case SJ_FILTER_FLOOD: return nothing;
    case SJ_FILTER_TURBULENCE:
    case SJ_FILTER_TILE:
    case SJ_FILTER_LIGHT:
    case SJ_FILTER_SCENE:
    case SJ_FILTER_BACKDROP:
    case SJ_FILTER_SOURCE: return everywhere;
    case SJ_FILTER_TINT:
    case SJ_FILTER_ALPHA:
    case SJ_FILTER_MATRIX:
    case SJ_FILTER_TRANSFER: return first;
    case SJ_FILTER_BLUR:
    case SJ_FILTER_DISPLACE: return grown(first, step->x, step->y, step->x, step->y);
    case SJ_FILTER_MORPHOLOGY:
      // Whatever is far from all edges of an eroded picture stays; nothing grows.
      return step->op ? grown(first, step->x, step->y, step->x, step->y) : first;
    case SJ_FILTER_CONVOLVE: {
      const stijl_convolution *c = &p->filter->convolutions.data[node->item];
      return grown(first, c->columns - 1 - c->target_x, c->rows - 1 - c->target_y, c->target_x, c->target_y);
    }
    case SJ_FILTER_OFFSET: return moved(first, step->x, step->y);
    case SJ_FILTER_COMPOSITE:
      if (node->op == K_FILTER_IN) return sj_irect_intersect(first, second);
      if (node->op == K_FILTER_OUT) return first;
      if (node->op == K_FILTER_ATOP) return second;
      return sj_irect_unite(first, second);
    case SJ_FILTER_ARITHMETIC:
    case SJ_FILTER_BLEND: return sj_irect_unite(first, second);
    case SJ_FILTER_MERGE: {
      stijl_irect all = nothing;
      for (uint32_t i = 0; i < step->input_count; i++) {
        const sj_filter_step *in = input_of(p, step, i);
        if (in) all = sj_irect_unite(all, in->box);
      }
      return all;
    }
  }
  return everywhere;
}

// --- What each reads ------------------------------------------------------------------------------------------------

static stijl_irect read_of(const planner *p, const sj_filter_step *step, uint32_t input) {
  stijl_irect box = step->box;
  switch (step->kind) {
    case SJ_FILTER_BLUR:
      if (step->op != K_FILTER_EDGE_NONE) return step->full;
      return grown(box, step->x, step->y, step->x, step->y);
    case SJ_FILTER_MORPHOLOGY: return grown(box, step->x, step->y, step->x, step->y);
    case SJ_FILTER_DISPLACE: return input ? box : grown(box, step->x, step->y, step->x, step->y);
    case SJ_FILTER_OFFSET: return moved(box, -step->x, -step->y);
    case SJ_FILTER_CONVOLVE: {
      if (step->op != K_FILTER_EDGE_NONE) return step->full;
      const stijl_convolution *c = &p->filter->convolutions.data[step->item];
      return sj_irect_intersect(
          step->full, grown(box, c->target_x, c->target_y, c->columns - 1 - c->target_x, c->rows - 1 - c->target_y));
    }
    case SJ_FILTER_LIGHT: return sj_irect_intersect(step->full, grown(box, 1, 1, 1, 1));
    case SJ_FILTER_TILE: return tile_of(step);
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
    case SJ_FILTER_SCENE:
    case SJ_FILTER_BACKDROP:
    case SJ_FILTER_SOURCE: return box;
  }
  return box;
}

static void find_black(const planner *p, sj_filter_step *step) {
  bool all = step->input_count > 0;
  for (uint32_t i = 0; i < step->input_count; i++) {
    const sj_filter_step *in = input_of(p, step, i);
    all = all && (!in || in->black);
  }
  const sj_filter_traits *traits = &sj_filter_traits_of[step->kind];
  switch (traits->black) {
    case SJ_FILTER_BLACK_NEVER: step->black = false; break;
    case SJ_FILTER_BLACK_ALWAYS: step->black = true; break;
    case SJ_FILTER_BLACK_COLOR: step->black = !(step->color & 0xffffff); break;
    case SJ_FILTER_BLACK_INPUTS: step->black = all; break;
  }
  const sj_filter_step *in = step->input_count ? input_of(p, step, 0) : NULL;
  // (A displacement takes its colour space for the map alone.)
  if (step->kind == SJ_FILTER_DISPLACE) step->op = step->linear;
  if (in && traits->moves) step->linear = in->linear;
}

static uint32_t step_of(const planner *p, int input) {
  if (input == STIJL_FILTER_NOTHING) return SJ_FILTER_NO_STEP;
  return input == STIJL_FILTER_SOURCE ? 0 : input == STIJL_FILTER_SOURCE_ALPHA ? 1 : (uint32_t)input + 2;
}

static bool add_inputs(planner *p, const sj_filter_node *node, sj_filter_step *step) {
  step->input = (uint32_t)p->plan->inputs.count;
  step->input_count = node->input_count;
  for (uint32_t i = 0; i < node->input_count; i++)
    if (!sj_array_push(p->context, &p->plan->inputs, step_of(p, p->filter->inputs.data[node->input + i]))) return false;
  return true;
}

static bool add_node(planner *p, const sj_filter_node *node) {
  bool source = node->kind == SJ_FILTER_SCENE || node->kind == SJ_FILTER_BACKDROP;
  sj_filter_step *step = &p->plan->steps.data[p->plan->steps.count++];  // there is room
  *step = (sj_filter_step){.kind = source ? SJ_FILTER_SOURCE : node->kind,
                           .linear = node->linear && !source,
                           .op = node->op,
                           .color = node->color,
                           .item = node->item,
                           .channels = {node->channels[0], node->channels[1]}};
  if (!add_inputs(p, node, step) || !set_step(p, node, step)) return false;
  step->full = node->bounded ? sj_filter_pixels(p->target, node->region) : everywhere;
  // Without a region, the edges of a picture are those of what it is made from.
  const sj_filter_step *in = step->input_count ? input_of(p, step, 0) : NULL;
  if (!node->bounded && in && node->op != K_FILTER_EDGE_NONE &&
      (node->kind == SJ_FILTER_BLUR || node->kind == SJ_FILTER_CONVOLVE))
    step->full = in->full;
  bool edges = node->kind == SJ_FILTER_BLUR || node->kind == SJ_FILTER_CONVOLVE;
  if (edges && (step->full.x1 - step->full.x0 > LARGEST_EDGE || step->full.y1 - step->full.y0 > LARGEST_EDGE))
    step->op = K_FILTER_EDGE_NONE;
  find_black(p, step);
  return true;
}

// Finds what each step can draw of what the source draws.
static void find_contents(planner *p) {
  sj_filter_plan *plan = p->plan;
  for (size_t i = 0; i < plan->steps.count; i++) {
    sj_filter_step *step = &plan->steps.data[i];
    step->readers = 0;
    step->stored = i == 0;
    step->box = p->target->content;
    if (i >= 2) step->box = sj_irect_intersect(step->full, content_of(p, &p->filter->nodes.data[i - 2], step));
  }
}

#define FEW_STEPS 32

// Goes from the result backwards: what is read of each step, in `asked`, cuts the box of what it can draw.
static bool ask(planner *p) {
  sj_filter_plan *plan = p->plan;
  size_t count = plan->steps.count;
  stijl_irect few[FEW_STEPS] = {0};
  stijl_irect *asked = count <= FEW_STEPS ? few : sj_alloc_zero(p->context, count * sizeof *asked);
  if (!asked) return false;
  plan->result = (uint32_t)(count - 1);
  if (count == 2) plan->result = 0;  // an empty filter
  asked[plan->result] = p->target->wanted;
  plan->steps.data[plan->result].readers = 1;
  for (size_t left = count; left > 0; left--) {
    size_t i = left - 1;
    sj_filter_step *step = &plan->steps.data[i];
    step->box = sj_irect_intersect(step->box, asked[i]);
    if (sj_irect_is_empty(step->box)) {
      step->readers = 0;
      continue;
    }
    bool repeated = step->kind == SJ_FILTER_BLUR && step->op != K_FILTER_EDGE_NONE;
    for (uint32_t k = 0; k < step->input_count; k++) {
      uint32_t index = plan->inputs.data[step->input + k];
      if (index == SJ_FILTER_NO_STEP) continue;
      sj_filter_step *in = &plan->steps.data[index];
      asked[index] = sj_irect_unite(asked[index], read_of(p, step, k));
      in->readers++;
      in->stored = in->stored || sj_filter_traits_of[step->kind].reads == SJ_FILTER_READS_AREA || repeated;
    }
  }
  if (asked != few) sj_free(p->context, asked);
  return true;
}

// Returns what a pixel of the step costs, in units of a copied one.
static uint64_t cost_of(const planner *p, const sj_filter_step *step) {
  uint64_t cost = sj_filter_traits_of[step->kind].cost;
  if (step->kind == SJ_FILTER_TURBULENCE) return cost + 16 * (uint64_t)p->plan->noises.data[step->item].params.octaves;
  if (step->kind == SJ_FILTER_MERGE) return cost + step->input_count;
  if (step->kind != SJ_FILTER_CONVOLVE) return cost;
  const stijl_convolution *c = &p->filter->convolutions.data[step->item];
  return cost + 2 * (uint64_t)c->columns * (uint64_t)c->rows;
}

// Decides which steps keep their pixels, counts the work, and forgets inputs that have none.
static void settle(planner *p) {
  sj_filter_plan *plan = p->plan;
  plan->work = 0;
  for (size_t i = 0; i < plan->steps.count; i++) {
    sj_filter_step *step = &plan->steps.data[i];
    uint64_t pixels = (uint64_t)(step->box.x1 - step->box.x0) * (uint64_t)(step->box.y1 - step->box.y0);
    uint32_t chain = 0;
    for (uint32_t k = 0; k < step->input_count; k++) {
      uint32_t *index = &plan->inputs.data[step->input + k];
      if (*index == SJ_FILTER_NO_STEP) continue;
      const sj_filter_step *in = &plan->steps.data[*index];
      if (sj_irect_is_empty(in->box))
        *index = SJ_FILTER_NO_STEP;
      else if (!in->stored)
        chain = k_max(chain, in->chain + 1);
    }
    bool point = sj_filter_traits_of[step->kind].reads == SJ_FILTER_READS_POINT;
    step->stored = step->stored || step->readers > 1 || !point || chain >= SJ_FILTER_CHAIN || i == plan->result;
    step->chain = chain;
    plan->work += 64 + pixels * cost_of(p, step);
  }
}

static void fill_tables(planner *p) {
  for (size_t i = 2; i < p->plan->steps.count; i++) {
    const sj_filter_step *step = &p->plan->steps.data[i];
    if (step->kind != SJ_FILTER_TURBULENCE || sj_irect_is_empty(step->box)) continue;
    int seed = p->filter->turbulences.data[p->filter->nodes.data[i - 2].item].seed;
    sj_filter_noise_tables(seed, &p->plan->noises.data[step->item]);
  }
}

bool sj_filter_plan_begin(stijl_context *context, const stijl_filter *filter, const sj_filter_target *target,
                          sj_filter_plan *out) {
  out->filter = filter;
  out->result = SJ_FILTER_NO_STEP;
  out->steps.count = out->inputs.count = out->blurs.count = out->lights.count = out->noises.count = 0;
  planner p = {.context = context, .filter = filter, .target = target, .plan = out};
  if (!sj_array_reserve(context, &out->steps, filter->nodes.count + 2) || !sj_array_push(context, &out->inputs, 0))
    return false;
  out->steps.data[0] = (sj_filter_step){.kind = SJ_FILTER_SOURCE, .full = everywhere};
  out->steps.data[1] = (sj_filter_step){.kind = SJ_FILTER_ALPHA, .black = true, .input_count = 1, .full = everywhere};
  out->steps.count = 2;
  for (size_t i = 0; i < filter->nodes.count; i++)
    if (!add_node(&p, &filter->nodes.data[i])) return false;
  return true;
}

static void find_last_readers(sj_filter_plan *plan) {
  for (size_t left = plan->steps.count; left > 0; left--) {
    size_t i = left - 1;
    const sj_filter_step *step = &plan->steps.data[i];
    if (sj_irect_is_empty(step->box)) continue;
    uint32_t reader = step->stored ? (uint32_t)i : step->last;
    for (uint32_t k = 0; k < step->input_count; k++) {
      uint32_t in = plan->inputs.data[step->input + k];
      if (in != SJ_FILTER_NO_STEP && plan->steps.data[in].last < reader) plan->steps.data[in].last = reader;
    }
  }
}

static uint64_t bytes_of(stijl_irect box) {
  return sj_irect_is_empty(box) ? 0 : 4 * (uint64_t)(box.x1 - box.x0) * (uint64_t)(box.y1 - box.y0);
}

// Returns what a step takes while it works and, but for the result, until its last reader; 0 where it has no surface of
// its own.
static uint64_t step_bytes(const sj_filter_plan *plan, size_t i, uint64_t *between) {
  const sj_filter_step *step = &plan->steps.data[i];
  *between = 0;
  if (!step->stored || !step->readers || step->kind == SJ_FILTER_SOURCE) return 0;
  uint32_t in = step->input_count ? plan->inputs.data[step->input] : SJ_FILTER_NO_STEP;
  stijl_irect box = step->box;
  if (step->kind == SJ_FILTER_BLUR || step->kind == SJ_FILTER_MORPHOLOGY) {
    // The rows of its input, with columns of its own.
    stijl_irect read = in == SJ_FILTER_NO_STEP ? box : plan->steps.data[in].box;
    if (read.y0 < box.y0) box.y0 = k_max(read.y0, box.y0 - step->y);
    if (read.y1 > box.y1) box.y1 = k_min(read.y1, box.y1 + step->y);
    *between = bytes_of(box);
  } else if (step->kind == SJ_FILTER_CONVOLVE || step->kind == SJ_FILTER_LIGHT) {
    planner p = {.filter = plan->filter};
    *between = bytes_of(read_of(&p, step, 0));
  }
  return i == plan->result ? 0 : bytes_of(step->box);
}

uint64_t sj_filter_plan_bytes(stijl_context *context, const sj_filter_plan *plan, uint64_t enough) {
  uint64_t all = 0, widest = 0, between, live = 0, most = 0;
  for (size_t i = 0; i < plan->steps.count; i++) {
    all += step_bytes(plan, i, &between);
    widest = k_max(widest, between);
  }
  uint64_t *freed = all + widest > enough ? sj_alloc_zero(context, plan->steps.count * sizeof *freed) : NULL;
  if (!freed) return all + widest;
  for (size_t i = 0; i < plan->steps.count; i++) {
    uint64_t own = step_bytes(plan, i, &between);
    live += own;
    most = k_max(most, live + between);
    freed[k_max(plan->steps.data[i].last, (uint32_t)i)] += own;
    live -= freed[i];
  }
  sj_free(context, freed);
  return most;
}

bool sj_filter_plan_fit(stijl_context *context, const sj_filter_target *target, bool executed, sj_filter_plan *plan) {
  planner p = {.context = context, .filter = plan->filter, .target = target, .plan = plan};
  find_contents(&p);
  if (!ask(&p)) return false;
  if (executed) {
    settle(&p);
    find_last_readers(plan);
    fill_tables(&p);
  }
  if (sj_irect_is_empty(plan->steps.data[plan->result].box)) plan->result = SJ_FILTER_NO_STEP;
  plan->source = plan->steps.data[0].box;
  return true;
}

bool sj_filter_plan_make(stijl_context *context, const stijl_filter *filter, const sj_filter_target *target,
                         sj_filter_plan *out) {
  *out = (sj_filter_plan){.result = SJ_FILTER_NO_STEP};
  if (sj_filter_plan_begin(context, filter, target, out) && sj_filter_plan_fit(context, target, true, out)) return true;
  sj_filter_plan_finish(context, out);
  return false;
}

// Moves a side. Those that are infinitely far stay there.
static int moved_side(int side, int by) { return side <= -FAR || side >= FAR ? side : side + by; }

static stijl_irect moved_box(stijl_irect r, int x, int y) {
  return (stijl_irect){moved_side(r.x0, x), moved_side(r.y0, y), moved_side(r.x1, x), moved_side(r.y1, y)};
}

void sj_filter_plan_move(sj_filter_plan *plan, int x, int y) {
  for (size_t i = 0; i < plan->steps.count; i++) {
    sj_filter_step *step = &plan->steps.data[i];
    step->full = moved_box(step->full, x, y);
    step->box = moved_box(step->box, x, y);
    stijl_irect tile = moved_box(tile_of(step), x, y);
    step->tile_x.from = tile.x0;
    step->tile_x.to = tile.x1;
    step->tile_y.from = tile.y0;
    step->tile_y.to = tile.y1;
  }
  plan->source = moved_box(plan->source, x, y);
}

void sj_filter_plan_finish(stijl_context *context, sj_filter_plan *plan) {
  sj_arrays_finish(context, &plan->steps, &plan->inputs, &plan->blurs, &plan->lights, &plan->noises);
  plan->result = SJ_FILTER_NO_STEP;
}
