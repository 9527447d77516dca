// Makes the nodes of a formula, with their styles (MathML Core, 2.1, 4 and appendix A).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "svg/math/formula.h"
#include "svg/parse/html_names.h"
#include "svg/parse/values.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/text_fonts.h"

static const struct {
  const char *name;
  sj_math_kind kind;
} kinds[] = {{"mi", SJ_MATH_TOKEN},
             {"mn", SJ_MATH_TOKEN},
             {"mtext", SJ_MATH_TOKEN},
             {"ms", SJ_MATH_TOKEN},
             {"mo", SJ_MATH_OPERATOR},
             {"mspace", SJ_MATH_SPACE},
             {"mpadded", SJ_MATH_PADDED},
             {"mfrac", SJ_MATH_FRACTION},
             {"mroot", SJ_MATH_ROOT},
             {"msqrt", SJ_MATH_SQUARE_ROOT},
             {"msub", SJ_MATH_SCRIPTS},
             {"msup", SJ_MATH_SCRIPTS},
             {"msubsup", SJ_MATH_SCRIPTS},
             {"munder", SJ_MATH_LIMITS},
             {"mover", SJ_MATH_LIMITS},
             {"munderover", SJ_MATH_LIMITS},
             {"mtable", SJ_MATH_TABLE},
             {"mtr", SJ_MATH_TABLE_ROW},
             {"mmultiscripts", SJ_MATH_SCRIPTS}};

static const char *name_of(const sj_math *m, uint32_t element) { return sj_document_local(m->r->document, element); }

static bool is_named(const sj_math *m, uint32_t element, const char *name) {
  return strcmp(name_of(m, element), name) == 0;
}

static sj_math_kind kind_of(const sj_math *m, uint32_t element) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (is_named(m, element, kinds[i].name)) return kinds[i].kind;
  return SJ_MATH_ROW;
}

bool sj_math_flag(const sj_math *m, uint32_t element, const char *name, bool initial) {
  const sj_string *value = sj_dom_get(m->r->document->dom, element, name);
  if (value && sj_is_keyword(value->text, value->length, "true")) return true;
  if (value && sj_is_keyword(value->text, value->length, "false")) return false;
  return initial;
}

#define MAX_DEPTH 100.0f

// --- styles ---

// Returns by how much the font changes with the depth (CSS Fonts 4 and MathML Core, "math-depth").
static float depth_scale(const sj_math_style *around, int depth) {
  bool smaller = depth > around->depth;
  int low = smaller ? around->depth : depth, steps = (smaller ? depth : around->depth) - low;
  float scale = 1.0f;
  if (steps > 0 && around->has_table) {
    float script = sj_face_math_constant(around->face, HB_OT_MATH_CONSTANT_SCRIPT_PERCENT_SCALE_DOWN) / 100.0f;
    float second = sj_face_math_constant(around->face, HB_OT_MATH_CONSTANT_SCRIPT_SCRIPT_PERCENT_SCALE_DOWN) / 100.0f;
    if (script > 0.0f && second > 0.0f && low <= 0) {
      scale = steps >= 2 ? second : script;
      steps -= steps >= 2 ? 2 : 1;
    } else if (script > 0.0f && second > 0.0f && low == 1) {
      scale = second / script;
      steps--;
    }
  }
  for (; steps > 0 && scale > 0.001f; steps--) scale *= 0.71f;
  return smaller ? scale : 1.0f / scale;
}

// Sets what a child's place in its parent says of its style. *keeps_size becomes true where the font stays as large.
static void place_style(const sj_math *m, uint32_t parent, uint32_t ordinal, sj_math_style *s, bool *keeps_size) {
  sj_math_kind kind = kind_of(m, parent);
  bool first = ordinal == 0, under = is_named(m, parent, "munder") || is_named(m, parent, "munderover");
  bool over = is_named(m, parent, "mover") || is_named(m, parent, "munderover");
  bool accent_over = over && sj_math_flag(m, parent, "accent", false);
  bool accent_under = under && sj_math_flag(m, parent, "accentunder", false);
  switch (kind) {
    case SJ_MATH_FRACTION:
      if (!s->display) s->depth++;
      s->display = false;
      if (ordinal == 1) s->cramped = true;
      break;
    case SJ_MATH_ROOT:
      if (first) break;
      s->depth += 2;
      s->display = false;
      break;
    case SJ_MATH_SCRIPTS:
      if (first) break;
      s->depth++;
      s->display = false;
      if (ordinal == 1 ? !is_named(m, parent, "msup") : ordinal % 2 == 1) s->cramped = true;
      break;
    case SJ_MATH_LIMITS:
      if (first) {
        if (accent_over) s->cramped = true;
        break;
      }
      s->depth++;
      s->display = false;
      if (ordinal == 1 && under) s->cramped = true;
      *keeps_size = ordinal == 1 && under ? accent_under : accent_over;
      break;
    default: break;
  }
}

// Sets what the element itself says: displaystyle and scriptlevel, and what roots and tables are.
static void own_style(const sj_math *m, uint32_t element, sj_math_style *s) {
  const sj_string *level = sj_dom_get(m->r->document->dom, element, "scriptlevel");
  if (is_named(m, element, "mtable")) s->display = false;
  if (is_named(m, element, "msqrt") || is_named(m, element, "mroot")) s->cramped = true;
  if (is_named(m, element, "math")) {
    const sj_string *display = sj_dom_get(m->r->document->dom, element, "display");
    s->display = display && sj_is_keyword(display->text, display->length, "block");
  }
  s->display = sj_math_flag(m, element, "displaystyle", s->display);
  float number;
  if (!level || !sj_parse_number(level->text, level->length, &number) || !(fabsf(number) < MAX_DEPTH)) return;
  bool relative = level->length && (level->text[0] == '+' || level->text[0] == '-');
  s->depth = (relative ? s->depth : 0) + (int)number;
  if (s->depth > (int)MAX_DEPTH) s->depth = (int)MAX_DEPTH;
  if (s->depth < -(int)MAX_DEPTH) s->depth = -(int)MAX_DEPTH;
}

static void find_font(sj_math *m, sj_math_style *s) {
  s->face = sj_resolver_face(m->r, &s->svg, &s->scale);
  s->has_table = s->face && sj_face_has_math(s->face);
}

// --- declarations ---

static sj_cascade cascade_of(const sj_math *m, uint32_t element) {
  const sj_document *document = m->r->document;
  return sj_cascade_of(document, sj_document_node(document, m->frame.copy, element));
}

// Reads what declarations say of the style of a formula (MathML Core, 4.3 to 4.5).
static void apply_declarations(const sj_math *m, uint32_t element, sj_math_style *s) {
  sj_cascade cascade = cascade_of(m, element);
  for (const sj_declared *d; (d = sj_cascade_next(&cascade));) {
    const char *text = d->value;
    size_t length = d->length;
    float number;
    sj_trim(&text, &length);
    bool compact = sj_is_keyword(text, length, "compact"), normal = sj_is_keyword(text, length, "normal");
    if (d->name == SJ_HTML_MATH_STYLE && (compact || normal)) s->display = normal;
    if (d->name == SJ_HTML_MATH_SHIFT && (compact || normal)) s->cramped = compact;
    if (d->name == SJ_HTML_MATH_DEPTH && sj_parse_number(text, length, &number) && fabsf(number) < MAX_DEPTH)
      s->depth = (int)number;
  }
}

// Reads one to four lengths, or the one of a side.
static void read_padding(const sj_length_base *base, sj_scan s, int side, float out[4]) {
  float values[4];
  int count = 0;
  const char *word;
  size_t length;
  for (sj_length value; count < 4 && sj_scan_word(&s, &word, &length); count++) {
    if (!sj_parse_length(word, length, &value)) return;
    values[count] = fmaxf(0.0f, sj_length_pixels(value, base, 0.0f));
  }
  for (int i = 0; i < 4 && count; i++)
    if (side == i || side < 0) out[i] = values[side < 0 ? sj_side_value(count, i) : 0];
}

// Reads padding, and tells what else of boxes formulas do not have.
static void apply_box(const sj_math *m, sj_math_node *n) {
  sj_length_base base = sj_style_base(&m->r->styles, &n->style->svg);
  sj_cascade cascade = cascade_of(m, n->element);
  for (const sj_declared *d; (d = sj_cascade_next(&cascade));) {
    const char *text = d->value;
    size_t length = d->length;
    sj_trim(&text, &length);
    switch ((int)d->name) {
      case SJ_HTML_PADDING: read_padding(&base, (sj_scan){text, text + length}, -1, n->padding); break;
      case SJ_HTML_PADDING_TOP: read_padding(&base, (sj_scan){text, text + length}, 0, n->padding); break;
      case SJ_HTML_PADDING_RIGHT: read_padding(&base, (sj_scan){text, text + length}, 1, n->padding); break;
      case SJ_HTML_PADDING_BOTTOM: read_padding(&base, (sj_scan){text, text + length}, 2, n->padding); break;
      case SJ_HTML_PADDING_LEFT: read_padding(&base, (sj_scan){text, text + length}, 3, n->padding); break;
      case SJ_HTML_BORDER:
      case SJ_HTML_BORDER_STYLE:
      case SJ_HTML_BORDER_BOTTOM:
      case SJ_HTML_BORDER_TOP:
      case SJ_HTML_BORDER_LEFT:
      case SJ_HTML_BORDER_RIGHT:
      case SJ_HTML_MARGIN:
      case SJ_HTML_MARGIN_LEFT:
      case SJ_HTML_MARGIN_RIGHT:
      case SJ_HTML_POSITION: {
        char detail[64];
        int count = snprintf(detail, sizeof detail, "%s in MathML", sj_html_property_text(d->name));
        bool nothing = sj_is_keyword(text, length, "0") || sj_is_keyword(text, length, "none");
        if (!nothing) sj_omit_named(m->r, SJ_OMIT_HTML, detail, detail, (size_t)count);
        break;
      }
      default: break;
    }
  }
}

// Sets what text of formulas is laid out by: as HTML's it has the colour, and its lines are not SVG's.
static void make_text_style(sj_style *svg) {
  svg->fill = (sj_paint_value){.kind = SJ_PAINT_VALUE_COLOR, .color = svg->color};
  svg->fill_opacity = svg->opacity;
  svg->stroke = (sj_paint_value){.kind = SJ_PAINT_VALUE_NONE};
}

// Computes an element's style, which belongs to the formula. `around` is the style of the parent; for the formula's
// root it is its own one, which is computed already. Returns NULL when memory is short.
static const sj_math_style *compute_style(sj_math *m, uint32_t element, const sj_math_style *around, uint32_t ordinal,
                                          bool is_root) {
  sj_math_style *s = sj_alloc(m->context, sizeof *s);
  if (!s || !sj_array_push(m->context, &m->styles, s)) {
    sj_free(m->context, s);
    sj_resolve_fail_memory(m->r);
    return NULL;
  }
  *s = *around;
  bool keeps_size = false;
  if (!is_root) place_style(m, m->r->document->dom->parent.data[element], ordinal, s, &keeps_size);
  own_style(m, element, s);
  apply_declarations(m, element, s);
  if (!is_root) {
    sj_style parent = around->svg;
    if (s->depth != around->depth && !keeps_size) parent.font_size *= depth_scale(around, s->depth);
    sj_style_compute(&m->r->styles, m->frame.copy, element, &parent, &s->svg);
    make_text_style(&s->svg);
  }
  find_font(m, s);
  if (s->svg.font.right_to_left) sj_omit_named(m->r, SJ_OMIT_HTML, "math dir", "MathML from right to left", 25);
  return s;
}

// --- nodes ---

static uint32_t add_node(sj_math *m, sj_math_kind kind, uint32_t element, uint32_t parent, const sj_math_style *style) {
  uint32_t index = (uint32_t)m->nodes.count;
  sj_math_node node = {.kind = kind,
                       .element = element,
                       .style = style,
                       .parent = parent,
                       .first = SJ_NONE,
                       .last = SJ_NONE,
                       .next = SJ_NONE,
                       .core = SJ_NONE};
  if (index >= SJ_NONE - 1 || !sj_resolve_spend(m->r, SJ_WORK_ELEMENT) || !sj_array_push(m->context, &m->nodes, node)) {
    sj_resolve_fail_memory(m->r);
    return SJ_NONE;
  }
  if (parent == SJ_NONE) return index;
  sj_math_node *of = sj_math_at(m, parent);
  *(of->last == SJ_NONE ? &of->first : &sj_math_at(m, of->last)->next) = index;
  of->last = index;
  of->count++;
  return index;
}

// Makes elements that have not as many children as they need rows.
static void check_children(const sj_math *m, sj_math_node *n) {
  bool three = is_named(m, n->element, "msubsup") || is_named(m, n->element, "munderover");
  switch (n->kind) {
    case SJ_MATH_SCRIPTS:
      if (is_named(m, n->element, "mmultiscripts")) {
        if (!n->count) n->kind = SJ_MATH_ROW;
        return;
      }
      __attribute__((fallthrough));
    case SJ_MATH_LIMITS:
      n->has_under = three || is_named(m, n->element, "msub") || is_named(m, n->element, "munder");
      n->has_over = three || !n->has_under;
      __attribute__((fallthrough));
    case SJ_MATH_FRACTION:
    case SJ_MATH_ROOT:
      if (n->count != (three ? 3 : 2)) n->kind = SJ_MATH_ROW;
      break;
    default: break;
  }
}

// Finds whether a node is an operator, or one with something around it, or takes space only (MathML
// Core, 3.2.3, 3.2.4).
static void find_core(const sj_math *m, uint32_t index) {
  sj_math_node *n = sj_math_at(m, index);
  if (n->kind == SJ_MATH_OPERATOR) n->core = index;
  if (n->kind == SJ_MATH_SPACE || is_named(m, n->element, "mtext")) n->space_like = true;
  if (n->kind == SJ_MATH_SCRIPTS || n->kind == SJ_MATH_LIMITS || n->kind == SJ_MATH_FRACTION)
    n->core = n->first == SJ_NONE ? SJ_NONE : sj_math_at(m, n->first)->core;
  if (!n->is_group) return;
  n->space_like = true;
  uint32_t count = 0;
  for (uint32_t i = n->first; i != SJ_NONE; i = sj_math_at(m, i)->next) {
    if (sj_math_at(m, i)->space_like) continue;
    n->space_like = false;
    n->core = count++ ? SJ_NONE : sj_math_at(m, i)->core;
  }
}

static bool is_group(const sj_math *m, uint32_t element) {
  static const char *const names[] = {"mrow",    "mstyle",    "mphantom",    "merror", "mpadded",
                                      "maction", "semantics", "mprescripts", "none",   "msqrt"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is_named(m, element, names[i])) return true;
  return false;
}

// Adds the node of an element, and those within it. Returns SJ_NONE if it has none, or that failed.
static uint32_t add_with_children(sj_math *m, uint32_t element, uint32_t parent, const sj_math_style *around,
                                  uint32_t ordinal) {
  const sj_dom *dom = m->r->document->dom;
  if (!m->r->document->nodes.data[element].is_math) {
    char detail[40];
    int length = snprintf(detail, sizeof detail, "<%.12s> in MathML", name_of(m, element));
    sj_omit_named(m->r, SJ_OMIT_HTML, "in MathML", detail, (size_t)length);
    return SJ_NONE;
  }
  if (!sj_resolve_count(m->r, m->frame.depth + ++m->depth)) return SJ_NONE;
  const sj_math_style *style = compute_style(m, element, around, ordinal, parent == SJ_NONE);
  sj_math_kind kind = kind_of(m, element);
  uint32_t index = !style || style->svg.display_none ? SJ_NONE : add_node(m, kind, element, parent, style);
  if (index != SJ_NONE) {
    sj_math_at(m, index)->is_group = is_group(m, element);
    if (parent != SJ_NONE) apply_box(m, sj_math_at(m, index));
    bool token = kind == SJ_MATH_TOKEN || kind == SJ_MATH_OPERATOR;
    uint32_t count = 0;
    for (uint32_t i = dom->first_child.data[element]; i != SJ_NO_ELEMENT && sj_resolving(m->r); i = dom->next.data[i]) {
      if (token)
        sj_omit_named(m->r, SJ_OMIT_HTML, "in a token", "elements in a token of MathML", 29);
      else
        add_with_children(m, i, index, style, count++);
    }
    if (token && sj_resolving(m->r)) sj_math_make_text(m, index);
    check_children(m, sj_math_at(m, index));
    find_core(m, index);
  }
  m->depth--;
  return index;
}

sj_math *sj_math_make(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, const sj_style *style,
                      sj_math_size *size) {
  stijl_context *context = r->job->context;
  sj_math *m = sj_alloc_zero(context, sizeof *m);
  *size = (sj_math_size){0};
  if (!m) {
    sj_resolve_fail_memory(r);
    return NULL;
  }
  *m = (sj_math){.r = r, .context = context, .fonts = sj_resolver_fonts(r), .frame = *frame};
  sj_math_style root = {.svg = *style};
  make_text_style(&root.svg);
  uint32_t node = add_with_children(m, element, SJ_NONE, &root, 0);
  if (node != SJ_NONE && sj_resolving(r)) {
    sj_math_layout(m, node, NULL);
    const sj_math_node *n = sj_math_at(m, node);
    *size = (sj_math_size){n->width, n->ascent, n->descent};
  }
  if (sj_resolving(r)) return m;
  sj_math_destroy(m);
  return NULL;
}

void sj_math_destroy(sj_math *m) {
  if (!m) return;
  for (size_t i = 0; i < m->nodes.count; i++) {
    sj_text_content *text = m->nodes.data[i].text;
    if (text) sj_text_content_finish(text);
    sj_free(m->context, text);
  }
  for (size_t i = 0; i < m->styles.count; i++) sj_free(m->context, m->styles.data[i]);
  sj_array_finish(m->context, &m->nodes);
  sj_array_finish(m->context, &m->styles);
  sj_free(m->context, m);
}
