#include "svg/style/style.h"

#include <stddef.h>
#include <string.h>

#include "base/budget.h"
#include "svg/style/property.h"

// Returns whether SVG 2's user agent style sheet gives the element `overflow: hidden`: all that make a viewport have
// it, except for the root.
static bool starts_hidden(const sj_document *document, uint32_t element) {
  if (element == SJ_NO_ELEMENT || element == 0) return false;
  return sj_element_is((sj_element)document->nodes.data[element].element, SJ_HIDES_OVERFLOW);
}

// Adds the parent's lines to those of all ancestors, which go on in the element.
static void take_decoration(const sj_style *parent, sj_decoration *above) {
  const sj_decoration *own = &parent->font.decoration;
  if (!own->lines) return;
  int lines = above->lines | own->lines;
  *above = *own;
  above->lines = lines;
  if (own->painted && own->color_kind != SJ_COLOR_CURRENT) return;
  above->color = parent->color;
  above->color_kind = SJ_COLOR_RGBA;
}

void sj_style_inherit(const sj_style *parent, sj_style *out) {
  sj_style_initial(out);
  memcpy(out, parent, SJ_INHERITED_BYTES);
  take_decoration(parent, &out->font.above);
}

// An element whose style is being computed, and what an ex and a ch are of an em in its font; 0: not known yet.
typedef struct own_font {
  const sj_style_context *context;
  const sj_node *node;
  const sj_style *parent;
  float font_size, ex, ch;
} own_font;

static bool chooses_font(int name) {
  return name == SJ_PROPERTY_FONT || name == SJ_PROPERTY_FONT_FAMILY || name == SJ_PROPERTY_FONT_WEIGHT ||
         name == SJ_PROPERTY_FONT_STRETCH || name == SJ_PROPERTY_FONT_STYLE || name == SJ_PROPERTY_FONT_OPTICAL_SIZING;
}

// Finds a unit of the element's own font. Declarations of that may stand behind the length, so that they are read
// first, and only for elements that have such a length.
static float own_font_unit(void *own, const void *unused, sj_unit unit) {
  own_font *o = own;
  float *known = unit == SJ_UNIT_EX ? &o->ex : &o->ch;
  (void)unused;
  if (*known != 0.0f) return *known;
  const sj_style_context *context = o->context;
  sj_style style;
  if (o->parent)
    sj_style_inherit(o->parent, &style);
  else
    sj_style_initial(&style);
  style.font_size = o->font_size;
  sj_length_base base = context->base;
  base.font_size = o->font_size;
  base.font_units.find = NULL;
  sj_cascade cascade = sj_cascade_of(context->document, o->node);
  for (const sj_declared *d; (d = sj_cascade_next(&cascade));)
    if (chooses_font(d->name)) sj_property_apply(context->budget, d, &base, o->parent, &style);
  const sj_font_units *units = &context->base.font_units;
  return *known = units->find(units->fonts, &style, unit);
}

void sj_style_compute(const sj_style_context *context, uint32_t copy, uint32_t element, const sj_style *parent,
                      sj_style *out) {
  const sj_document *document = context->document;
  const sj_node *node = sj_document_node(document, copy, element);
  if (parent)
    sj_style_inherit(parent, out);
  else
    sj_style_initial(out);
  sj_cascade cascade = sj_cascade_of(document, node);
  sj_length_base base = context->base;
  if (!parent && context->font_size > 0.0f) out->font_size = context->font_size;
  float parent_size = parent ? parent->font_size : out->font_size;
  base.font_size = parent_size;
  base.font_units.style = out;  // which has the parent's font so far
  if (!parent) base.root_font_size = parent_size;
  bool html = node->is_html;
  // First the properties that other values depend on.
  uint64_t work = SJ_WORK_ELEMENT + node->work;
  for (const sj_declared *d; (d = sj_cascade_next(&cascade));) {
    sj_color_kind kind;
    work += SJ_WORK_VALUE + d->length * SJ_WORK_BYTE;
    stijl_color color;
    switch (d->name) {
      case SJ_PROPERTY_FONT_SIZE:
        if (!sj_property_apply_wide(SJ_PROPERTY_FONT_SIZE, d->value, d->length, parent, out)) {
          sj_parse_font_size(d->value, d->length, &base, html, parent_size, &out->font_size);
        }
        break;
      case SJ_PROPERTY_FONT: {
        sj_font_values ignored = out->font;
        const char *size;
        size_t size_length;
        if (sj_font_shorthand(d->value, d->length, &base, NULL, &ignored, &size, &size_length))
          sj_parse_font_size(size, size_length, &base, html, parent_size, &out->font_size);
        break;
      }
      case SJ_PROPERTY_COLOR:
        if (sj_property_apply_wide(SJ_PROPERTY_COLOR, d->value, d->length, parent, out)) break;
        // currentColor is the parent's colour here (CSS Color 4, 7.2).
        if (!sj_parse_color(d->value, d->length, parent ? &parent->color : NULL, &kind, &color)) break;
        if (kind == SJ_COLOR_RGBA) {
          out->color = color;
        } else {
          sj_property_apply_wide(SJ_PROPERTY_COLOR, "inherit", 7, parent, out);
        }
        break;
      default: break;
    }
  }
  sj_budget_check(context->budget, work);  // if it is spent, drawing the next element finds out
  base.font_size = out->font_size;
  sj_style resolved;
  // Where the element inherits an overflow that its parent does not set, it is the initial one of the parent's kind.
  if (parent && parent->overflow == SJ_OVERFLOW_UNSET) {
    resolved = *parent;
    resolved.overflow =
        starts_hidden(document, document->dom->parent.data[element]) ? SJ_OVERFLOW_HIDDEN : SJ_OVERFLOW_VISIBLE;
    parent = &resolved;
  }
  if (!parent) base.root_font_size = out->font_size;
  own_font own = {.context = context, .node = node, .parent = parent, .font_size = out->font_size};
  if (base.font_units.find) base.font_units = (sj_font_units){.find = own_font_unit, .fonts = &own};
  cascade = sj_cascade_of(document, node);
  for (const sj_declared *d; (d = sj_cascade_next(&cascade));) {
    if (d->name < SJ_PROPERTY_COUNT && d->name != SJ_PROPERTY_COLOR && d->name != SJ_PROPERTY_FONT_SIZE) {
      sj_property_apply(context->budget, d, &base, parent, out);
    }
  }
}

void sj_style_in_document(const sj_style_context *context, uint32_t element, sj_style *out) {
  const uint32_t *parents = context->document->dom->parent.data;
  uint32_t chain[SJ_MAX_DEPTH];
  uint32_t depth = 0;
  for (uint32_t i = element; i != SJ_NO_ELEMENT && depth < SJ_MAX_DEPTH; i = parents[i]) chain[depth++] = i;
  sj_style styles[2];
  int current = 0;
  const sj_style *parent = NULL;
  while (depth > 0) {
    sj_style_compute(context, SJ_NO_COPY, chain[--depth], parent, &styles[current]);
    parent = &styles[current];
    current = 1 - current;
  }
  *out = *parent;
}

sj_length_base sj_style_base(const sj_style_context *context, const sj_style *style) {
  sj_length_base base = context->base;
  base.font_size = style->font_size;
  base.font_units.style = style;
  return base;
}
