// Finds the areas that wrapped text fills: shape-inside and shape-subtract (SVG 2, 11.4), and the regions of flowed
// text as drafts of SVG 1.2 had it and Inkscape wrote it before.
#include "svg/parse/scan.h"
#include "svg/resolve/clip_shape.h"
#include "svg/resolve/job.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/text_content.h"
#include "svg/resolve/transforms.h"
#include "svg/resolve/use.h"

// Returns the length of the first function of a value, url() being one; 0: there is none.
static size_t function_length(const char *text, size_t length) {
  char quote = 0;
  int open = 0;
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    if (quote) {
      if (c == quote) quote = 0;
      if (c == '\\') i++;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(') {
      open++;
    } else if (c == ')' && --open <= 0) {
      return open == 0 ? i + 1 : 0;
    }
  }
  return 0;
}

// Makes the outline of a function, in the user space of the text; NULL if it is none. *margin becomes the shape-margin
// of the element that it names.
static stijl_path *make_shape(sj_text_content *t, const sj_resolve_frame *frame, const sj_value_text *value,
                              stijl_fill_rule *rule, float *margin) {
  sj_resolver *r = t->r;
  const char *url;
  size_t length;
  if (sj_parse_url(value->text, value->length, &url, &length, NULL, NULL)) {
    uint32_t target = sj_find_url(r, url, length);
    sj_style style;
    if (target == SJ_NO_ELEMENT || !sj_element_is((sj_element)r->document->nodes.data[target].element, SJ_IS_SHAPE))
      return NULL;
    sj_style_in_document(&r->styles, target, &style);
    *rule = (stijl_fill_rule)style.fill_rule;
    *margin = style.font.shape_margin;
    return sj_text_shape_path(t, frame, target, &style, NULL);
  }
  stijl_path *path = sj_take_path(r);
  if (path && sj_inside_shape_path(r, frame, value, path, rule)) return path;
  sj_give_path(r, path);
  if (sj_resolving(r)) sj_omit_value(r, "shape-inside", value->text, value->length);
  return NULL;
}

// Adds a path, which becomes the text's, to one of its lists.
static bool add_area(sj_text_content *t, stijl_path *path, stijl_fill_rule rule, float distance, bool inside) {
  sj_resolver *r = t->r;
  stijl_context *context = r->job->context;
  if (t->scopes.data[0].style.font.writing_mode == SJ_WRITING_VERTICAL) {
    static const stijl_matrix turn = {0.0f, -1.0f, 1.0f, 0.0f, 0.0f, 0.0f};
    stijl_path *turned = sj_take_path(r);
    if (turned) stijl_path_add_path(turned, path, &turn);
    sj_give_path(r, path);
    path = turned;
  }
  if (!path || stijl_path_status(path) != STIJL_OK) {
    if (path && stijl_path_status(path) == STIJL_ERROR_OUT_OF_MEMORY) sj_resolve_fail_memory(r);
    sj_give_path(r, path);
    return sj_resolving(r);
  }
  if (!sj_text_remember(t, sj_array_push(context, &t->paths, path))) {
    sj_give_path(r, path);
    return false;
  }
  sj_svg_area area = {.path = path, .rule = rule, .distance = distance};
  return sj_text_remember(
      t, inside ? sj_array_push(context, &t->areas, area) : sj_array_push(context, &t->excluded, area));
}

// Adds the shapes of a list.
static bool add_shapes(sj_text_content *t, const sj_value_text *list, bool inside) {
  if (!list->text) return true;
  sj_resolve_frame frame = t->frame;
  sj_scan s = {list->text, list->text + list->length};
  frame.style = &t->scopes.data[0].style;
  for (size_t next; sj_scan_space(&s), (next = function_length(s.at, (size_t)(s.end - s.at))); s.at += next) {
    stijl_fill_rule rule = STIJL_FILL_NONZERO;
    float margin = frame.style->font.shape_margin;
    sj_value_text value = {.text = s.at, .length = next};
    stijl_path *path = make_shape(t, &frame, &value, &rule, &margin);
    if (path && !add_area(t, path, rule, inside ? frame.style->font.shape_padding : margin, inside)) return false;
    if (!sj_resolve_spend(t->r, SJ_WORK_ELEMENT)) return false;
  }
  return true;
}

// Returns the shape that an element of a region is or, as `use`, shows; NULL: none.
static stijl_path *region_shape(sj_text_content *t, uint32_t element, stijl_fill_rule *rule, float *margin) {
  sj_resolver *r = t->r;
  const sj_node *nodes = r->document->nodes.data;
  bool uses = nodes[element].element == SJ_ELEMENT_USE;
  uint32_t target = uses ? sj_find_href(r, element) : element;
  if (target == SJ_NO_ELEMENT || !sj_element_is((sj_element)nodes[target].element, SJ_IS_SHAPE)) return NULL;
  sj_style style;
  sj_style_in_document(&r->styles, target, &style);
  *rule = (stijl_fill_rule)style.fill_rule;
  *margin = style.font.shape_margin;
  stijl_path *path = sj_text_shape_path(t, &t->frame, target, &style, NULL);
  if (!path || !uses) return path;
  stijl_matrix matrix;
  sj_resolve_frame frame = t->frame;
  frame.copy = SJ_NO_COPY;
  sj_style_in_document(&r->styles, element, &style);
  frame.style = &style;
  stijl_path *moved = NULL;
  if (sj_own_transform(r, &frame, element, SJ_PROPERTY_TRANSFORM, sj_view_reference(&frame), &matrix) &&
      sj_translate_use(r, &frame, element, &matrix))
    moved = sj_take_path(r);
  if (moved) stijl_path_add_path(moved, path, &matrix);
  sj_give_path(r, path);
  return moved;
}

// Adds the shapes of the element's regions, each of which is an area of its own.
static bool add_regions(sj_text_content *t, bool inside) {
  const sj_dom *dom = t->r->document->dom;
  const sj_node *nodes = t->r->document->nodes.data;
  sj_element wanted = inside ? SJ_ELEMENT_FLOW_REGION : SJ_ELEMENT_FLOW_REGION_EXCLUDE;
  uint32_t root = t->scopes.data[0].element;
  for (uint32_t i = dom->first_child.data[root]; i != SJ_NO_ELEMENT; i = dom->next.data[i]) {
    if (nodes[i].element != wanted) continue;
    for (uint32_t k = dom->first_child.data[i]; k != SJ_NO_ELEMENT; k = dom->next.data[k]) {
      stijl_fill_rule rule;
      float margin;
      if (!sj_resolve_count(t->r, t->frame.depth)) return false;
      stijl_path *path = region_shape(t, k, &rule, &margin);
      if (path && !add_area(t, path, rule, inside ? 0.0f : margin, inside)) return false;
    }
  }
  return sj_resolving(t->r);
}

bool sj_text_read_areas(sj_text_content *t) {
  if (t->flows) return add_regions(t, true) && add_regions(t, false);
  const sj_font_values *font = &t->scopes.data[0].style.font;
  return add_shapes(t, &font->shape_inside, true) && (!t->areas.count || add_shapes(t, &font->shape_subtract, false));
}
