// Adds the primitives of filter elements (Filter Effects 1, 9).
#include <math.h>
#include <string.h>

#include "base/irect.h"
#include "scene/filter.h"
#include "svg/resolve/attributes.h"
#include "svg/resolve/definitions.h"
#include "svg/resolve/filter.h"
#include "svg/resolve/job.h"
#include "svg/resolve/omit.h"

// A primitive that is being added.
typedef struct {
  sj_filter_element *f;
  stijl_filter *filter;
  uint32_t element;
  const sj_style *style;
  stijl_filter_options options;
  stijl_rect region;     // the primitive's subregion
  float unit_x, unit_y;  // what 1 stands for in numbers that are lengths
} primitive;

// Returns a length in user units, at most far outside of all canvases, since the product may be more than floats hold.
static float in_units(float value, float unit) { return sj_tame(value * unit); }

static stijl_color color_of(const sj_style *style, const sj_style_color *color, float opacity) {
  stijl_color c = color->kind == SJ_COLOR_CURRENT ? style->color : color->color;
  c.a *= opacity;
  return c;
}

static int transparent(const primitive *p) { return stijl_filter_merge(p->filter, &p->options, NULL, 0); }

static int in(const primitive *p) { return sj_filter_input_of(p->f, p->element, "in"); }
static int in2(const primitive *p) { return sj_filter_input_of(p->f, p->element, "in2"); }

static int add_blend(const primitive *p) {
  int mode = STIJL_BLEND_NORMAL;
  const sj_string *a = sj_filter_attribute(p->f, p->element, "mode");
  if (a && !sj_parse_blend(a->text, a->length, &mode)) sj_omit_value(p->f->chain->r, "mode", a->text, a->length);
  return stijl_filter_blend(p->filter, &p->options, in(p), in2(p), (stijl_blend)mode);
}

static int add_color_matrix(const primitive *p) {
  static const char *const types[] = {"matrix", "saturate", "hueRotate", "luminanceToAlpha", NULL};
  float m[20] = {[0] = 1.0f, [6] = 1.0f, [12] = 1.0f, [18] = 1.0f}, values[20];
  int count = sj_filter_read_numbers(p->f, p->element, "values", values, 20);
  switch (sj_filter_read_word(p->f, p->element, "type", types, 0)) {
    case 1:
      if (count == 1) stijl_color_matrix_saturate(values[0] > 0.0f ? values[0] : 0.0f, m);
      break;
    case 2:
      if (count == 1) stijl_color_matrix_hue_rotate(values[0], m);
      break;
    case 3: stijl_color_matrix_luminance_to_alpha(m); break;
    default:
      if (count == 20) memcpy(m, values, sizeof m);
  }
  return stijl_filter_color_matrix(p->filter, &p->options, in(p), m);
}

static bool read_function(const primitive *p, uint32_t element, stijl_transfer *out, float **values) {
  static const char *const types[] = {"identity", "table", "discrete", "linear", "gamma", NULL};
  stijl_transfer t = {.kind = (stijl_transfer_kind)sj_filter_read_word(p->f, element, "type", types, 0)};
  bool ok = true;
  if (t.kind == STIJL_TRANSFER_TABLE || t.kind == STIJL_TRANSFER_DISCRETE) {
    sj_free(p->f->chain->r->job->context, *values);
    ok = sj_filter_read_number_list(p->f, element, "tableValues", values, &t.count);
    t.values = *values;
  } else if (t.kind == STIJL_TRANSFER_LINEAR) {
    t.a = sj_filter_read_number(p->f, element, "slope", 1.0f);
    t.b = sj_filter_read_number(p->f, element, "intercept", 0.0f);
  } else if (t.kind == STIJL_TRANSFER_GAMMA) {
    t.a = sj_filter_read_number(p->f, element, "amplitude", 1.0f);
    t.exponent = sj_filter_read_number(p->f, element, "exponent", 1.0f);
    t.b = sj_filter_read_number(p->f, element, "offset", 0.0f);
  }
  *out = t;
  return ok;
}

static int add_component_transfer(const primitive *p) {
  const sj_document *document = p->f->chain->r->document;
  const sj_node *nodes = document->nodes.data;
  const sj_dom *dom = document->dom;
  stijl_transfer functions[4] = {{.kind = STIJL_TRANSFER_IDENTITY}};
  float *values[4] = {NULL};
  bool ok = true;
  for (uint32_t i = dom->first_child.data[p->element]; ok && i != SJ_NO_ELEMENT; i = dom->next.data[i]) {
    sj_element kind = (sj_element)nodes[i].element;
    int channel = kind == SJ_ELEMENT_FE_FUNC_R   ? 0
                  : kind == SJ_ELEMENT_FE_FUNC_G ? 1
                  : kind == SJ_ELEMENT_FE_FUNC_B ? 2
                  : kind == SJ_ELEMENT_FE_FUNC_A ? 3
                                                 : -1;
    if (channel >= 0) ok = read_function(p, i, &functions[channel], &values[channel]);
  }
  int result = ok ? stijl_filter_transfer(p->filter, &p->options, in(p), functions) : STIJL_FILTER_NOTHING;
  for (int i = 0; i < 4; i++) sj_free(p->f->chain->r->job->context, values[i]);
  return result;
}

static int add_composite(const primitive *p) {
  static const char *const operators[] = {"over", "in", "out", "atop", "xor", "lighter", "arithmetic", NULL};
  int op = sj_filter_read_word(p->f, p->element, "operator", operators, 0), a = in(p), b = in2(p);
  if (op < 6) return stijl_filter_composite(p->filter, &p->options, a, b, (stijl_filter_operator)op);
  const float k[4] = {
      sj_filter_read_number(p->f, p->element, "k1", 0.0f), sj_filter_read_number(p->f, p->element, "k2", 0.0f),
      sj_filter_read_number(p->f, p->element, "k3", 0.0f), sj_filter_read_number(p->f, p->element, "k4", 0.0f)};
  return stijl_filter_arithmetic(p->filter, &p->options, a, b, k);
}

static const char *const edges[] = {"none", "duplicate", "wrap", NULL};

static int add_convolve_matrix(const primitive *p) {
  stijl_convolution c = STIJL_CONVOLUTION_INIT;
  float order[2];
  if (sj_filter_read_pair(p->f, p->element, "order", order) && order[0] >= 1.0f && order[1] >= 1.0f) {
    c.columns = order[0] < 1e6f ? (int)order[0] : 1000000;
    c.rows = order[1] < 1e6f ? (int)order[1] : 1000000;
  }
  float target_x = sj_filter_read_number(p->f, p->element, "targetX", (float)(c.columns / 2));
  float target_y = sj_filter_read_number(p->f, p->element, "targetY", (float)(c.rows / 2));
  c.divisor = sj_filter_read_number(p->f, p->element, "divisor", 0.0f);
  c.bias = sj_filter_read_number(p->f, p->element, "bias", 0.0f);
  c.edge = (stijl_filter_edge)sj_filter_read_word(p->f, p->element, "edgeMode", edges, 1);
  const sj_string *preserve = sj_filter_attribute(p->f, p->element, "preserveAlpha");
  c.preserve_alpha = preserve && strcmp(preserve->text, "true") == 0;
  float *kernel;
  size_t count;
  if (!sj_filter_read_number_list(p->f, p->element, "kernelMatrix", &kernel, &count)) return STIJL_FILTER_NOTHING;
  bool zero = sj_filter_attribute(p->f, p->element, "divisor") && c.divisor == 0.0f;
  bool valid = count == (size_t)c.columns * (size_t)c.rows && target_x >= 0.0f && target_x < (float)c.columns &&
               target_y >= 0.0f && target_y < (float)c.rows && !zero;
  int result;
  if (valid) {
    c.target_x = (int)target_x;
    c.target_y = (int)target_y;
    c.kernel = kernel;
    result = stijl_filter_convolve(p->filter, &p->options, in(p), &c);
  } else {
    result = transparent(p);
  }
  sj_free(p->f->chain->r->job->context, kernel);
  return result;
}

static int add_displacement_map(const primitive *p) {
  static const char *const channels[] = {"R", "G", "B", "A", NULL};
  int x = sj_filter_read_word(p->f, p->element, "xChannelSelector", channels, 3);
  int y = sj_filter_read_word(p->f, p->element, "yChannelSelector", channels, 3);
  float scale = in_units(sj_filter_read_number(p->f, p->element, "scale", 0.0f), (p->unit_x + p->unit_y) * 0.5f);
  return stijl_filter_displace(p->filter, &p->options, in(p), in2(p), scale, (stijl_channel)x, (stijl_channel)y);
}

// Reads the deviations in user units; both are 0 where the attribute is in error.
static void deviations(const primitive *p, float fallback, float out[2]) {
  out[0] = out[1] = fallback;
  if (sj_filter_attribute(p->f, p->element, "stdDeviation") &&
      !sj_filter_read_pair(p->f, p->element, "stdDeviation", out))
    out[0] = out[1] = 0.0f;
  if (!(out[0] >= 0.0f) || !(out[1] >= 0.0f)) out[0] = out[1] = 0.0f;
  out[0] = in_units(out[0], p->unit_x);
  out[1] = in_units(out[1], p->unit_y);
}

static int add_gaussian_blur(const primitive *p) {
  float deviation[2];
  deviations(p, 0.0f, deviation);
  stijl_filter_edge edge = (stijl_filter_edge)sj_filter_read_word(p->f, p->element, "edgeMode", edges, 0);
  return stijl_filter_blur(p->filter, &p->options, in(p), deviation[0], deviation[1], edge);
}

static int add_drop_shadow(const primitive *p) {
  float deviation[2];
  deviations(p, 2.0f, deviation);
  float dx = in_units(sj_filter_read_number(p->f, p->element, "dx", 2.0f), p->unit_x);
  float dy = in_units(sj_filter_read_number(p->f, p->element, "dy", 2.0f), p->unit_y);
  return stijl_filter_drop_shadow(p->filter, &p->options, in(p), dx, dy, deviation[0], deviation[1],
                                  color_of(p->style, &p->style->flood_color, p->style->flood_opacity));
}

static int add_flood(const primitive *p) {
  return stijl_filter_flood(p->filter, &p->options,
                            color_of(p->style, &p->style->flood_color, p->style->flood_opacity));
}

static int add_offset(const primitive *p) {
  float dx = in_units(sj_filter_read_number(p->f, p->element, "dx", 0.0f), p->unit_x);
  float dy = in_units(sj_filter_read_number(p->f, p->element, "dy", 0.0f), p->unit_y);
  return stijl_filter_offset(p->filter, &p->options, in(p), dx, dy);
}

static int add_merge(const primitive *p) {
  sj_resolver *r = p->f->chain->r;
  const sj_node *nodes = r->document->nodes.data;
  const sj_dom *dom = r->document->dom;
  SJ_ARRAY(int) inputs = {0};
  bool ok = true;
  for (uint32_t i = dom->first_child.data[p->element]; ok && i != SJ_NO_ELEMENT; i = dom->next.data[i])
    if (nodes[i].element == SJ_ELEMENT_FE_MERGE_NODE)
      ok = sj_array_push(r->job->context, &inputs, sj_filter_input_of(p->f, i, "in")) &&
           sj_resolve_spend(r, SJ_WORK_NODE);
  int result = stijl_filter_merge(p->filter, &p->options, inputs.data, inputs.count);
  sj_array_finish(r->job->context, &inputs);
  if (!ok) sj_resolve_fail_memory(r);
  return result;
}

static int add_morphology(const primitive *p) {
  static const char *const operators[] = {"erode", "dilate", NULL};
  float radius[2] = {0.0f, 0.0f};
  if (!sj_filter_read_pair(p->f, p->element, "radius", radius) || !(radius[0] >= 0.0f) || !(radius[1] >= 0.0f))
    radius[0] = radius[1] = 0.0f;
  return stijl_filter_morphology(p->filter, &p->options, in(p),
                                 sj_filter_read_word(p->f, p->element, "operator", operators, 0) == 1,
                                 in_units(radius[0], p->unit_x), in_units(radius[1], p->unit_y));
}

// Returns the subregion of an input; that of SourceGraphic and the like is the filter region.
static stijl_rect region_of(const sj_filter_element *f, int index) {
  for (size_t left = f->results.count; left > 0; left--)
    if (f->results.data[left - 1].index == index) return f->results.data[left - 1].region;
  return f->region;
}

static int add_tile(const primitive *p) {
  int tiled = in(p);
  return stijl_filter_tile(p->filter, &p->options, tiled, region_of(p->f, tiled));
}

static int add_turbulence(const primitive *p) {
  static const char *const types[] = {"turbulence", "fractalNoise", NULL}, *const stitches[] = {"noStitch", "stitch",
                                                                                                NULL};
  stijl_turbulence t = STIJL_TURBULENCE_INIT;
  float frequency[2] = {0.0f, 0.0f};
  if (!sj_filter_read_pair(p->f, p->element, "baseFrequency", frequency)) frequency[0] = frequency[1] = 0.0f;
  if (!(frequency[0] >= 0.0f) || !(frequency[1] >= 0.0f)) return transparent(p);
  t.frequency_x = frequency[0];
  t.frequency_y = frequency[1];
  float octaves = sj_filter_read_number(p->f, p->element, "numOctaves", 1.0f),
        seed = sj_filter_read_number(p->f, p->element, "seed", 0.0f);
  t.octaves = octaves > 1e6f ? 1000000 : octaves < 0.0f ? 0 : (int)octaves;
  t.seed = seed > 2e9f ? 2000000000 : seed < -2e9f ? -2000000000 : (int)seed;
  t.fractal = sj_filter_read_word(p->f, p->element, "type", types, 0) == 1;
  if (sj_filter_read_word(p->f, p->element, "stitchTiles", stitches, 0) == 1) t.stitch = &p->region;
  return stijl_filter_turbulence(p->filter, &p->options, &t);
}

// Converts a coordinate to user space from units of the box, if primitives are in these.
static float along_box(const sj_filter_element *f, float value, float unit, float origin) {
  return f->box_units ? sj_tame(origin + value * unit) : value;
}

static float along(const primitive *p, uint32_t element, const char *name, float unit, float origin) {
  return along_box(p->f, sj_filter_read_number(p->f, element, name, 0.0f), unit, origin);
}

static bool read_light(const primitive *p, stijl_light *light) {
  const sj_node *nodes = p->f->chain->r->document->nodes.data;
  const sj_dom *dom = p->f->chain->r->document->dom;
  uint32_t e = dom->first_child.data[p->element];
  while (e != SJ_NO_ELEMENT && nodes[e].element != SJ_ELEMENT_FE_DISTANT_LIGHT &&
         nodes[e].element != SJ_ELEMENT_FE_POINT_LIGHT && nodes[e].element != SJ_ELEMENT_FE_SPOT_LIGHT)
    e = dom->next.data[e];
  if (e == SJ_NO_ELEMENT) return false;
  const sj_filter_element *f = p->f;
  if (nodes[e].element == SJ_ELEMENT_FE_DISTANT_LIGHT) {
    light->kind = STIJL_LIGHT_DISTANT;
    light->azimuth = sj_filter_read_number(f, e, "azimuth", 0.0f);
    light->elevation = sj_filter_read_number(f, e, "elevation", 0.0f);
    return true;
  }
  float x0 = f->box->rect.x0, y0 = f->box->rect.y0;
  float deep = sqrtf((p->unit_x * p->unit_x + p->unit_y * p->unit_y) * 0.5f);
  light->kind = STIJL_LIGHT_POINT;
  light->x = along(p, e, "x", p->unit_x, x0);
  light->y = along(p, e, "y", p->unit_y, y0);
  light->z = along(p, e, "z", deep, 0.0f);
  if (nodes[e].element == SJ_ELEMENT_FE_POINT_LIGHT) return true;
  light->kind = STIJL_LIGHT_SPOT;
  light->at_x = along(p, e, "pointsAtX", p->unit_x, x0);
  light->at_y = along(p, e, "pointsAtY", p->unit_y, y0);
  light->at_z = along(p, e, "pointsAtZ", deep, 0.0f);
  light->focus = sj_filter_read_number(f, e, "specularExponent", 1.0f);
  if (!(light->focus > 0.0f)) light->focus = 1.0f;
  if (sj_filter_attribute(f, e, "limitingConeAngle"))
    light->cone = fabsf(sj_filter_read_number(f, e, "limitingConeAngle", 0.0f));
  return true;
}

static int add_light(const primitive *p, bool specular) {
  stijl_light light = STIJL_LIGHT_INIT;
  light.color = color_of(p->style, &p->style->lighting_color, 1.0f);
  light.color.a = 1.0f;
  light.surface_scale = sj_filter_read_number(p->f, p->element, "surfaceScale", 1.0f);
  light.constant = sj_filter_read_number(p->f, p->element, specular ? "specularConstant" : "diffuseConstant", 1.0f);
  if (!(light.constant >= 0.0f)) light.constant = 0.0f;
  light.exponent = sj_filter_read_number(p->f, p->element, "specularExponent", 1.0f);
  if (!read_light(p, &light) || (specular && !(light.exponent >= 1.0f && light.exponent <= 128.0f)))
    return transparent(p);
  return specular ? stijl_filter_specular_light(p->filter, &p->options, in(p), &light)
                  : stijl_filter_diffuse_light(p->filter, &p->options, in(p), &light);
}

// Finds or adds the content of an image. An element is shared by all that show it in one viewport. Returns SJ_NONE for
// nothing, or on failure.
static uint32_t image_content(const primitive *p, uint32_t shown, bool local) {
  sj_resolver *r = p->f->chain->r;
  sj_tree *tree = r->job->tree;
  const sj_resolve_frame *frame = p->f->chain->frame;
  uint32_t index = (uint32_t)tree->filter_contents.count;
  if (local) {
    if (!sj_element_is((sj_element)r->document->nodes.data[shown].element, SJ_IS_DRAWN)) return SJ_NONE;
    bool made;
    sj_known *known = sj_know(r, shown, frame->width, frame->height, &made);
    if (!known || !made) return known ? known->index : SJ_NONE;
    known->index = index;
  }
  sj_tree_filter_content content = {.rect = p->region};
  sj_content_kind kind = local ? SJ_CONTENT_ELEMENT : SJ_CONTENT_FILTER_IMAGE;
  if (!sj_define(r, kind, shown, index, frame->width, frame->height, &content.of)) return SJ_NONE;
  if (index < SJ_NONE && sj_array_push(tree->context, &tree->filter_contents, content)) return index;
  sj_resolve_fail_memory(r);
  return SJ_NONE;
}

// Adds an feImage. What it shows is recorded with the element that has the filter; the filter has a place for it.
static int add_image(const primitive *p) {
  sj_resolver *r = p->f->chain->r;
  const sj_string *href = sj_document_attribute(r->document, p->element, SJ_ATTRIBUTE_HREF);
  const char *id;
  size_t length;
  if (!href || !href->length) return transparent(p);
  bool local = sj_url_fragment(href->text, href->length, &id, &length);
  uint32_t shown = local ? sj_find_url(r, href->text, href->length) : p->element;
  sj_tree_filter_image image = {.content = shown == SJ_NO_ELEMENT ? SJ_NONE : image_content(p, shown, local),
                                .scene = (uint32_t)p->filter->scenes.count,
                                .place = stijl_matrix_identity()};
  if (image.content == SJ_NONE) return transparent(p);
  if (local) image.place = stijl_matrix_translate(p->region.x0, p->region.y0);
  return sj_filter_add_image(p->f, &image) ? sj_filter_add_slot(p->filter, &p->options) : STIJL_FILTER_NOTHING;
}

static int add(const primitive *p, sj_element kind) {
  switch (kind) {
    case SJ_ELEMENT_FE_BLEND: return add_blend(p);
    case SJ_ELEMENT_FE_COLOR_MATRIX: return add_color_matrix(p);
    case SJ_ELEMENT_FE_COMPONENT_TRANSFER: return add_component_transfer(p);
    case SJ_ELEMENT_FE_COMPOSITE: return add_composite(p);
    case SJ_ELEMENT_FE_CONVOLVE_MATRIX: return add_convolve_matrix(p);
    case SJ_ELEMENT_FE_DIFFUSE_LIGHTING: return add_light(p, false);
    case SJ_ELEMENT_FE_DISPLACEMENT_MAP: return add_displacement_map(p);
    case SJ_ELEMENT_FE_DROP_SHADOW: return add_drop_shadow(p);
    case SJ_ELEMENT_FE_FLOOD: return add_flood(p);
    case SJ_ELEMENT_FE_GAUSSIAN_BLUR: return add_gaussian_blur(p);
    case SJ_ELEMENT_FE_IMAGE: return add_image(p);
    case SJ_ELEMENT_FE_MERGE: return add_merge(p);
    case SJ_ELEMENT_FE_MORPHOLOGY: return add_morphology(p);
    case SJ_ELEMENT_FE_OFFSET: return add_offset(p);
    case SJ_ELEMENT_FE_SPECULAR_LIGHTING: return add_light(p, true);
    case SJ_ELEMENT_FE_TILE: return add_tile(p);
    case SJ_ELEMENT_FE_TURBULENCE: return add_turbulence(p);
    default: return transparent(p);
  }
}

// Returns the subregion of a primitive that gives none: the union of those of its inputs. Primitives without inputs,
// and feTile, have the filter region (Filter Effects 1, 9.3).
static stijl_rect default_subregion(const primitive *p, sj_element kind) {
  sj_filter_element *f = p->f;
  const sj_node *nodes = f->chain->r->document->nodes.data;
  const sj_dom *dom = f->chain->r->document->dom;
  if (kind == SJ_ELEMENT_FE_FLOOD || kind == SJ_ELEMENT_FE_IMAGE || kind == SJ_ELEMENT_FE_TURBULENCE ||
      kind == SJ_ELEMENT_FE_TILE)
    return f->region;
  if (kind == SJ_ELEMENT_FE_MERGE) {
    stijl_rect all = f->region;
    bool any = false;
    for (uint32_t i = dom->first_child.data[p->element]; i != SJ_NO_ELEMENT; i = dom->next.data[i]) {
      if (nodes[i].element != SJ_ELEMENT_FE_MERGE_NODE) continue;
      stijl_rect region = region_of(f, sj_filter_input_of(f, i, "in"));
      all = any ? sj_rect_unite(all, region) : region;
      any = true;
    }
    return all;
  }
  stijl_rect region = region_of(f, in(p));
  bool two = kind == SJ_ELEMENT_FE_BLEND || kind == SJ_ELEMENT_FE_COMPOSITE || kind == SJ_ELEMENT_FE_DISPLACEMENT_MAP;
  return two ? sj_rect_unite(region, region_of(f, in2(p))) : region;
}

// Finds the subregion. Returns false if it is empty.
static bool find_subregion(primitive *p, sj_element kind) {
  sj_filter_element *f = p->f;
  sj_resolver *r = f->chain->r;
  sj_resolve_frame units = *f->chain->frame;
  units.style = p->style;
  units.copy = SJ_NO_COPY;
  if (f->box_units) units.width = units.height = 1.0f;
  float x, y, width, height;
  bool has_x = sj_length_attribute(r, &units, p->element, SJ_ATTRIBUTE_X, SJ_AXIS_X, &x);
  bool has_y = sj_length_attribute(r, &units, p->element, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, &y);
  bool has_width = sj_length_attribute(r, &units, p->element, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X, &width);
  bool has_height = sj_length_attribute(r, &units, p->element, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y, &height);
  stijl_rect whole = has_x && has_y && has_width && has_height ? f->region : default_subregion(p, kind);
  x = has_x ? along_box(f, x, p->unit_x, f->box->rect.x0) : whole.x0;
  y = has_y ? along_box(f, y, p->unit_y, f->box->rect.y0) : whole.y0;
  width = has_width ? width * p->unit_x : whole.x1 - whole.x0;
  height = has_height ? height * p->unit_y : whole.y1 - whole.y0;
  p->region = sj_rect_tame((stijl_rect){x, y, x + width, y + height});
  return width > 0.0f && height > 0.0f;
}

bool sj_add_primitive(sj_filter_element *f, uint32_t element) {
  sj_resolver *r = f->chain->r;
  const sj_node *node = &r->document->nodes.data[element];
  if (!sj_resolve_spend(r, SJ_WORK_ELEMENT + node->work)) return false;
  sj_style style;
  sj_style_compute(&r->styles, SJ_NO_COPY, element, &f->style, &style);
  primitive p = {
      .f = f, .filter = f->chain->filter, .element = element, .style = &style, .unit_x = 1.0f, .unit_y = 1.0f};
  if (f->box_units) {
    p.unit_x = f->box->rect.x1 - f->box->rect.x0;
    p.unit_y = f->box->rect.y1 - f->box->rect.y0;
  }
  bool drawn = find_subregion(&p, (sj_element)node->element);
  stijl_rect clip = sj_rect_intersect(p.region, f->region);
  p.options = (stijl_filter_options)STIJL_FILTER_OPTIONS_INIT;
  p.options.linear = style.filter_interpolation == SJ_INTERPOLATION_LINEAR;
  p.options.region = &clip;
  sj_filter_result made = {.region = clip};
  made.index = drawn ? add(&p, (sj_element)node->element) : transparent(&p);
  const sj_string *name = sj_filter_attribute(f, element, "result");
  if (name) {
    made.name = name->text;
    made.length = name->length;
  }
  if (!sj_resolving(r)) return false;
  if (sj_array_push(r->job->context, &f->results, made)) return true;
  sj_resolve_fail_memory(r);
  return false;
}
