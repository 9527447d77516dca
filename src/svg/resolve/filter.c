// Resolves the property `filter` (Filter Effects 1). Its functions, and the filter elements that it refers to, become
// one filter in the user space of the element that has it.
#include "scene/filter.h"

#include <string.h>

#include "base/irect.h"
#include "svg/parse/scan.h"
#include "svg/resolve/attributes.h"
#include "svg/resolve/filter.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/paint.h"
#include "svg/resolve/resolve.h"

// --- arguments of functions ---

typedef struct {
  const char *text;
  size_t length;
} span;

// Splits arguments at white space. Returns SIZE_MAX if there are more than `most`.
static size_t split(span s, span *out, size_t most) {
  size_t count = 0;
  sj_scan scan = {s.text, s.text + s.length};
  for (span word; sj_scan_word(&scan, &word.text, &word.length);) {
    if (count == most) return SIZE_MAX;
    out[count++] = word;
  }
  return count;
}

static bool length_value(const sj_filter_chain *c, span s, float *out) {
  sj_length length;
  if (!sj_parse_length(s.text, s.length, &length) || length.unit == SJ_UNIT_PERCENT) return false;
  *out = sj_resolve_length(c->r, c->frame, length, SJ_AXIS_DIAGONAL);
  return true;
}

static float larger(float a, float b) { return a > b ? a : b; }

// Lets the result reach as far as a shadow at that distance with that blur. A blur is next to nothing beyond three
// deviations.
static void reach_further(sj_tree_reach *reach, float x, float y, float deviation) {
  float blur = 3.0f * deviation;
  reach->left += larger(blur - x, 0.0f);
  reach->right += larger(blur + x, 0.0f);
  reach->top += larger(blur - y, 0.0f);
  reach->bottom += larger(blur + y, 0.0f);
}

static bool add_blur(sj_filter_chain *c, span arguments) {
  float deviation = 0.0f;
  if (arguments.length && (!length_value(c, arguments, &deviation) || !(deviation >= 0.0f))) return false;
  c->last = stijl_filter_blur(c->filter, NULL, c->last, deviation, deviation, STIJL_FILTER_EDGE_NONE);
  reach_further(&c->reach, 0.0f, 0.0f, deviation);
  return true;
}

static bool add_drop_shadow(sj_filter_chain *c, span arguments) {
  span parts[4];
  size_t count = split(arguments, parts, 4), lengths = 0, colors = 0;
  if (count > 4) return false;
  float values[3] = {0.0f, 0.0f, 0.0f};
  stijl_color color = c->frame->style->color;
  for (size_t i = 0; i < count; i++) {
    if (lengths < 3 && length_value(c, parts[i], &values[lengths])) {
      lengths++;
      continue;
    }
    // The colour comes before or behind all lengths.
    sj_color_kind kind;
    stijl_color read = color;
    if (colors++ || (i != 0 && i + 1 != count) ||
        !sj_parse_color(parts[i].text, parts[i].length, &c->frame->style->color, &kind, &read))
      return false;
    if (kind == SJ_COLOR_RGBA) color = read;
  }
  if (lengths < 2 || !(values[2] >= 0.0f)) return false;
  c->last = stijl_filter_drop_shadow(c->filter, NULL, c->last, values[0], values[1], values[2], values[2], color);
  reach_further(&c->reach, values[0], values[1], values[2]);
  return true;
}

static bool add_hue_rotate(sj_filter_chain *c, span arguments) {
  float degrees = 0.0f;
  if (arguments.length && !sj_parse_angle(arguments.text, arguments.length, &degrees)) return false;
  c->last = stijl_filter_hue_rotate(c->filter, c->last, degrees);
  return true;
}

typedef struct {
  const char *name;
  bool (*add)(sj_filter_chain *c, span arguments);            // for a function with arguments of its own; or
  int (*amount)(stijl_filter *filter, int in, float amount);  // for one with an amount
  bool at_most_one;
} function;

static const function functions[] = {
    {"blur", add_blur, NULL, false},
    {"brightness", NULL, stijl_filter_brightness, false},
    {"contrast", NULL, stijl_filter_contrast, false},
    {"drop-shadow", add_drop_shadow, NULL, false},
    {"grayscale", NULL, stijl_filter_grayscale, true},
    {"hue-rotate", add_hue_rotate, NULL, false},
    {"invert", NULL, stijl_filter_invert, true},
    {"opacity", NULL, stijl_filter_opacity, true},
    {"saturate", NULL, stijl_filter_saturate, false},
    {"sepia", NULL, stijl_filter_sepia, true},
};

static bool add_function(sj_filter_chain *c, const function *f, span arguments) {
  if (f->add) return f->add(c, arguments);
  float amount = 1.0f;
  if (arguments.length && (!sj_parse_number_or_percent(arguments.text, arguments.length, &amount) || !(amount >= 0.0f)))
    return false;
  c->last = f->amount(c->filter, c->last, f->at_most_one && amount > 1.0f ? 1.0f : amount);
  return true;
}

// --- filter elements ---

static float region_length(sj_resolver *r, const sj_resolve_frame *units, const sj_templates *templates, sj_name name,
                           sj_axis axis, float percent) {
  sj_length length;
  const sj_string *a = sj_templates_attribute(r->document, templates, name, 0);
  if (!sj_understood(r, name, a, a && sj_parse_length(a->text, a->length, &length)))
    length = (sj_length){.value = percent, .unit = SJ_UNIT_PERCENT};
  return sj_resolve_length(r, units, length, axis);
}

// Finds the filter region in user space. Returns false if it is empty, or has no box to be relative to.
static bool find_region(sj_filter_element *f, const sj_templates *templates) {
  sj_filter_chain *c = f->chain;
  sj_resolver *r = c->r;
  bool box = sj_units_are_box(sj_templates_attribute(r->document, templates, SJ_ATTRIBUTE_FILTER_UNITS, 0), true);
  f->box_units =
      sj_units_are_box(sj_templates_attribute(r->document, templates, SJ_ATTRIBUTE_PRIMITIVE_UNITS, 0), false);
  f->box = sj_node_box(r, c->node);
  if ((box || f->box_units) && !sj_box_has_area(f->box)) return false;
  sj_resolve_frame units = *c->frame;
  units.style = &f->style;
  units.copy = SJ_NO_COPY;
  if (box) units.width = units.height = 1.0f;
  float x = region_length(r, &units, templates, SJ_ATTRIBUTE_X, SJ_AXIS_X, -10.0f);
  float y = region_length(r, &units, templates, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, -10.0f);
  float width = region_length(r, &units, templates, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X, 120.0f);
  float height = region_length(r, &units, templates, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y, 120.0f);
  if (!(width > 0.0f) || !(height > 0.0f)) return false;
  f->region = (stijl_rect){x, y, x + width, y + height};
  if (box) f->region = stijl_matrix_apply_rect(sj_box_matrix(f->box->rect), f->region);
  f->region = sj_rect_tame(f->region);  // percentages of large numbers may be beyond what floats hold
  return true;
}

static uint32_t with_children(const sj_document *document, const sj_templates *templates) {
  for (int i = 0; i < templates->count; i++)
    if (document->dom->first_child.data[templates->elements[i]] != SJ_NO_ELEMENT) return templates->elements[i];
  return SJ_NO_ELEMENT;
}

// Adds the primitives of a filter element. If it makes nothing, the chain's result is transparent.
static void add_element(sj_filter_chain *c, uint32_t element) {
  sj_resolver *r = c->r;
  sj_filter_element f = {
      .chain = c, .alpha = STIJL_FILTER_NOTHING, .paints = {STIJL_FILTER_NOTHING, STIJL_FILTER_NOTHING}};
  sj_templates templates;
  int before = c->last;
  c->last = STIJL_FILTER_NOTHING;
  c->reach = (sj_tree_reach){.nothing = true};
  if (!sj_templates_collect(r, element, SJ_IS_FILTER, &templates) || !sj_templates_spend(r, &templates)) return;
  uint32_t holder = with_children(r->document, &templates);
  if (holder == SJ_NO_ELEMENT) return;
  sj_style_in_document(&r->styles, holder, &f.style);
  if (!find_region(&f, &templates)) return;
  stijl_filter_options region = STIJL_FILTER_OPTIONS_INIT;
  region.region = &f.region;
  f.source = stijl_filter_offset(c->filter, &region, before, 0.0f, 0.0f);
  const sj_node *nodes = r->document->nodes.data;
  const sj_dom *dom = r->document->dom;
  bool ok = true;
  for (uint32_t i = dom->first_child.data[holder]; ok && i != SJ_NO_ELEMENT; i = dom->next.data[i])
    if (sj_element_is((sj_element)nodes[i].element, SJ_IS_PRIMITIVE)) ok = sj_add_primitive(&f, i);
  if (f.results.count) {
    c->last = f.results.data[f.results.count - 1].index;
    c->reach = (sj_tree_reach){.bounded = true, .region = f.region};
  }
  sj_array_finish(r->job->context, &f.results);
}

// --- the chain ---

// Adds a function or a reference. Returns false if the value is not valid.
static bool add_item(sj_filter_chain *c, span name, span arguments, span whole, bool *any) {
  if (sj_is_keyword(name.text, name.length, "url")) {
    const char *url;
    size_t length;
    if (!sj_parse_url(whole.text, whole.length, &url, &length, NULL, NULL)) return false;
    uint32_t element = sj_find_url(c->r, url, length);
    // A reference to nothing filters nothing.
    if (element == SJ_NO_ELEMENT || c->r->document->nodes.data[element].element != SJ_ELEMENT_FILTER) return true;
    *any = true;
    add_element(c, element);
    return true;
  }
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (sj_is_keyword(name.text, name.length, functions[i].name)) {
      *any = true;
      sj_trim(&arguments.text, &arguments.length);
      return add_function(c, &functions[i], arguments);
    }
  return false;
}

// Returns the place behind the closing parenthesis of a function; NULL if it has none.
static const char *function_end(const char *at, const char *end) {
  int depth = 0;
  char quote = 0;
  for (; at < end; at++) {
    if (quote) {
      if (*at == quote) quote = 0;
    } else if (*at == '"' || *at == '\'') {
      quote = *at;
    } else if (*at == '(') {
      depth++;
    } else if (*at == ')' && --depth == 0) {
      return at + 1;
    }
  }
  return NULL;
}

static bool add_value(sj_filter_chain *c, span value, bool *any) {
  sj_scan s = {value.text, value.text + value.length};
  for (;;) {
    sj_scan_space(&s);
    if (sj_scan_done(&s)) return true;
    span name;
    const char *start = s.at;
    name.length = sj_scan_name(&s, &name.text);
    const char *end = name.length && !sj_scan_done(&s) && *s.at == '(' ? function_end(s.at, s.end) : NULL;
    if (!end) return false;
    span arguments = {s.at + 1, (size_t)(end - s.at) - 2}, whole = {start, (size_t)(end - start)};
    if (!sj_resolve_spend(c->r, SJ_WORK_ELEMENT) || !add_item(c, name, arguments, whole, any)) return false;
    s.at = end;
  }
}

uint32_t sj_resolve_filter(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node) {
  sj_value_text value = frame->style->filter;
  sj_tree *tree = r->job->tree;
  if (!value.text) return SJ_NONE;
  sj_tree_filter made = {.images = {(uint32_t)tree->filter_images.count, 0}};
  if (!sj_resolve_check(r, stijl_filter_create(tree->context, &made.filter))) return SJ_NONE;
  sj_filter_chain chain = {.r = r, .frame = frame, .node = node, .filter = made.filter, .last = STIJL_FILTER_SOURCE};
  bool any = false;
  bool valid = add_value(&chain, (span){value.text, value.length}, &any);
  // The last node of a filter is its result.
  if (valid && any && chain.last + 1 != (int)made.filter->nodes.count)
    stijl_filter_offset(made.filter, NULL, chain.last, 0.0f, 0.0f);
  made.images.end = (uint32_t)tree->filter_images.count;
  made.reach = chain.reach;
  stijl_result status = stijl_filter_status(made.filter);
  if (status == STIJL_ERROR_OUT_OF_MEMORY)
    sj_resolve_fail_memory(r);
  else if (status != STIJL_OK)
    sj_resolve_fail(r, status, "%s", stijl_filter_message(made.filter));
  if (!valid) sj_omit(r, SJ_OMIT_FILTER, value.text, value.length);
  if (valid && any && sj_resolving(r)) {
    if (tree->filters.count < SJ_NONE && sj_array_push(tree->context, &tree->filters, made))
      return (uint32_t)tree->filters.count - 1;
    sj_resolve_fail_memory(r);
  }
  stijl_filter_destroy(made.filter);
  return SJ_NONE;
}
