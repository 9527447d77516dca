// Lays out formulas (MathML Core, 3): rows, operators, spaces, fractions and roots.
#include <math.h>

#include "svg/math/formula.h"

float sj_math_constant(const sj_math_style *style, hb_ot_math_constant_t constant, float fallback) {
  return style->has_table ? sj_face_math_constant(style->face, constant) * style->scale : fallback;
}

float sj_math_x_height(const sj_math_style *style) {
  return style->face ? (float)sj_face_x_height(style->face) * style->scale : 0.0f;
}

float sj_math_rule(const sj_math_style *style) {
  return style->face ? (float)style->face->metrics.underline_thickness * style->scale : 0.0f;
}

float sj_math_axis(const sj_math_style *style) {
  return sj_math_constant(style, HB_OT_MATH_CONSTANT_AXIS_HEIGHT, 0.5f * sj_math_x_height(style));
}

bool sj_math_grows(const sj_math *m, uint32_t node, bool across) {
  uint32_t core = sj_math_at(m, node)->core;
  return core != SJ_NONE && sj_math_at(m, core)->op.stretchy && sj_math_at(m, core)->op.vertical == across;
}

static void take_text(sj_math_node *n) {
  n->width = n->text_size.width;
  n->ascent = n->text_size.ascent;
  n->descent = n->text_size.descent;
}

// --- operators (MathML Core, 3.2.4.3) ---

// Puts a glyph in place of the text, in the middle of `width`.
static void take_glyph(sj_math_node *n, const sj_stretched *glyph, float width) {
  n->stretched = true;
  n->glyph = *glyph;
  n->glyph_x = 0.5f * (width - glyph->advance);
  n->glyph_y = 0.0f;
  n->width = width;
  n->ascent = glyph->ascent;
  n->descent = glyph->descent;
  n->italic = glyph->italic;
}

// Returns what an operator that grows across the text has to cover, and sets *ascent and *descent to the parts of that.
// It is at least as much as the operator asks for itself.
static float find_target(const sj_math *m, const sj_math_node *n, float *ascent, float *descent) {
  if (n->op.symmetric) {
    float axis = sj_math_axis(n->style), half = fmaxf(*ascent - axis, *descent + axis);
    *ascent = half + axis;
    *descent = half - axis;
  }
  float target = *ascent + *descent;
  float least = fmaxf(0.0f, sj_math_length(m, n, "minsize", target, n->style->svg.font_size));
  float most = fmaxf(least, sj_math_length(m, n, "maxsize", target, INFINITY));
  if (target <= 0.0f) {
    *ascent = 0.5f * least;
    *descent = least - *ascent;
  } else if (target < least || target > most) {
    float wanted = target < least ? least : most;
    *ascent *= wanted / target;
    *descent = wanted - *ascent;
  }
  return *ascent + *descent;
}

static void layout_operator(const sj_math *m, sj_math_node *n, const sj_math_target *target) {
  const sj_math_style *s = n->style;
  uint32_t glyph = n->op.character && s->face ? sj_face_glyph(s->face, n->op.character) : 0;
  bool large = n->op.large && s->display;
  take_text(n);
  if (!glyph || !(s->scale > 0.0f) || (!n->op.stretchy && !large)) return;
  sj_stretched made;
  bool across = n->op.stretchy ? n->op.vertical : true;
  float size = 0.0f, ascent = 0.0f, descent = 0.0f, width;
  if (!n->op.stretchy)
    size = sj_math_constant(s, HB_OT_MATH_CONSTANT_DISPLAY_OPERATOR_MIN_HEIGHT, 0.0f);
  else if (!across && target && target->along)
    size = target->width;
  else if (across && target && target->across) {
    ascent = target->ascent;
    descent = target->descent;
    size = find_target(m, n, &ascent, &descent);
  }
  sj_face_stretch(s->face, glyph, s->scale, across, size, &made);
  if (!sj_resolve_spend(m->r, made.looked_at * SJ_WORK_NODE)) return;
  width = made.advance;
  // In Chromium the box is as wide as the widest glyph that there may be, or as the one that does not grow.
  if (n->op.stretchy && across) {
    width = sj_face_stretched_advance(s->face, glyph, s->scale);
  } else if (n->op.stretchy) {
    sj_stretched least;
    sj_face_stretch(s->face, glyph, s->scale, false, 0.0f, &least);
    width = least.advance;
  }
  take_glyph(n, &made, width);
  if (!n->op.stretchy || !across) return;
  // Its middle is that of what it covers.
  float shift = 0.5f * ((n->ascent - n->descent) - (ascent - descent));
  n->glyph_y = shift;
  n->ascent -= shift;
  n->descent += shift;
}

// --- rows (MathML Core, 3.3.1) ---

static void add_to_target(const sj_math_node *n, sj_math_target *target) {
  target->ascent = fmaxf(target->ascent, n->ascent);
  target->descent = fmaxf(target->descent, n->descent);
}

// Finds what operators that grow have to cover: they are as high as what else is in the row.
static void find_row_target(sj_math *m, uint32_t index, sj_math_target *target) {
  bool all = true;
  *target = (sj_math_target){.across = true};
  for (uint32_t i = sj_math_at(m, index)->first; i != SJ_NONE; i = sj_math_at(m, i)->next) {
    if (sj_math_grows(m, i, true)) continue;
    sj_math_layout(m, i, NULL);
    add_to_target(sj_math_at(m, i), target);
    all = false;
  }
  sj_math_target none = {.across = true};
  for (uint32_t i = sj_math_at(m, index)->first; all && i != SJ_NONE; i = sj_math_at(m, i)->next) {
    sj_math_layout(m, i, &none);
    add_to_target(sj_math_at(m, i), target);
  }
}

static void layout_row(sj_math *m, uint32_t index, const sj_math_target *given) {
  sj_math_node *n = sj_math_at(m, index);
  bool spaced = n->parent == SJ_NONE || n->core == SJ_NONE, given_any = given && (given->across || given->along);
  sj_math_target target;
  if (given_any)
    target = *given;
  else
    find_row_target(m, index, &target);
  n->width = n->ascent = n->descent = 0.0f;
  for (uint32_t i = n->first; i != SJ_NONE && sj_resolving(m->r); i = sj_math_at(m, i)->next) {
    sj_math_node *child = sj_math_at(m, i);
    bool grows = sj_math_grows(m, i, target.across);
    // The others are laid out already, where the target is of this row.
    if (grows || given_any) sj_math_layout(m, i, grows ? &target : NULL);
    const sj_math_node *core = child->core == SJ_NONE ? NULL : sj_math_at(m, child->core);
    if (core && spaced) n->width += core->op.leading;
    child->x = n->width;
    child->y = 0.0f;
    n->width += child->width;
    if (core && spaced) n->width += core->op.trailing;
    n->ascent = fmaxf(n->ascent, child->ascent);
    n->descent = fmaxf(n->descent, child->descent);
  }
}

static void layout_padded(sj_math *m, uint32_t index, const sj_math_target *target) {
  layout_row(m, index, target);
  sj_math_node *n = sj_math_at(m, index);
  float x = sj_math_length(m, n, "lspace", 0.0f, 0.0f), y = sj_math_length(m, n, "voffset", 0.0f, 0.0f);
  for (uint32_t i = n->first; i != SJ_NONE; i = sj_math_at(m, i)->next) {
    sj_math_at(m, i)->x += fmaxf(0.0f, x);
    sj_math_at(m, i)->y -= y;
  }
  n->width = fmaxf(0.0f, sj_math_length(m, n, "width", n->width, n->width));
  n->ascent = fmaxf(0.0f, sj_math_length(m, n, "height", n->ascent, n->ascent));
  n->descent = fmaxf(0.0f, sj_math_length(m, n, "depth", n->descent, n->descent));
}

static void layout_space(const sj_math *m, sj_math_node *n) {
  n->width = fmaxf(0.0f, sj_math_length(m, n, "width", 0.0f, 0.0f));
  n->ascent = sj_math_length(m, n, "height", 0.0f, 0.0f);
  n->descent = fmaxf(-n->ascent, sj_math_length(m, n, "depth", 0.0f, 0.0f));
}

// --- fractions (MathML Core, 3.3.2) ---

static float bar_thickness(const sj_math *m, const sj_math_node *n) {
  float own = sj_math_constant(n->style, HB_OT_MATH_CONSTANT_FRACTION_RULE_THICKNESS, sj_math_rule(n->style));
  return fmaxf(0.0f, sj_math_length(m, n, "linethickness", own, own));
}

// Finds how far the numerator is moved up, and the denominator down.
static void find_fraction_shifts(const sj_math_node *n, const sj_math_node *top, const sj_math_node *bottom,
                                 float thickness, float *up, float *down) {
  const sj_math_style *s = n->style;
  float rule = sj_math_rule(s), axis = sj_math_axis(s);
#define CONSTANT(shown, other, fallback) \
  sj_math_constant(s, s->display ? HB_OT_MATH_CONSTANT_##shown : HB_OT_MATH_CONSTANT_##other, fallback)
  if (thickness > 0.0f) {
    float gap = s->display ? 3.0f * rule : rule;
    float above = CONSTANT(FRACTION_NUM_DISPLAY_STYLE_GAP_MIN, FRACTION_NUMERATOR_GAP_MIN, gap);
    float below = CONSTANT(FRACTION_DENOM_DISPLAY_STYLE_GAP_MIN, FRACTION_DENOMINATOR_GAP_MIN, gap);
    *up = CONSTANT(FRACTION_NUMERATOR_DISPLAY_STYLE_SHIFT_UP, FRACTION_NUMERATOR_SHIFT_UP, 0.0f);
    *down = CONSTANT(FRACTION_DENOMINATOR_DISPLAY_STYLE_SHIFT_DOWN, FRACTION_DENOMINATOR_SHIFT_DOWN, 0.0f);
    *up = fmaxf(*up, axis + 0.5f * thickness + above + top->descent);
    *down = fmaxf(*down, 0.5f * thickness + below + bottom->ascent - axis);
    return;
  }
  float least = CONSTANT(STACK_DISPLAY_STYLE_GAP_MIN, STACK_GAP_MIN, (s->display ? 7.0f : 3.0f) * rule);
  *up = CONSTANT(STACK_TOP_DISPLAY_STYLE_SHIFT_UP, STACK_TOP_SHIFT_UP, 0.0f);
  *down = CONSTANT(STACK_BOTTOM_DISPLAY_STYLE_SHIFT_DOWN, STACK_BOTTOM_SHIFT_DOWN, 0.0f);
#undef CONSTANT
  float missing = least - (*down - bottom->ascent + *up - top->descent);
  if (missing > 0.0f) {
    *up += 0.5f * missing;
    *down += 0.5f * missing;
  }
}

static void layout_fraction(sj_math *m, uint32_t index) {
  sj_math_node *n = sj_math_at(m, index), *top = sj_math_at(m, n->first), *bottom = sj_math_at(m, top->next);
  sj_math_layout(m, n->first, NULL);
  sj_math_layout(m, top->next, NULL);
  float thickness = bar_thickness(m, n), up, down, width = fmaxf(top->width, bottom->width);
  find_fraction_shifts(n, top, bottom, thickness, &up, &down);
  n->width = width;
  n->ascent = fmaxf(0.0f, fmaxf(up + top->ascent, bottom->ascent - down));
  n->descent = fmaxf(0.0f, fmaxf(top->descent - up, down + bottom->descent));
  top->x = 0.5f * (width - top->width);
  bottom->x = 0.5f * (width - bottom->width);
  top->y = -up;
  bottom->y = down;
  n->bar.x = 0.0f;
  n->bar.y = -sj_math_axis(n->style);
  n->bar.width = width;
  n->bar.thickness = thickness;
}

// --- roots (MathML Core, 3.3.3) ---

#define ROOT_SIGN 0x221a

static void layout_root(sj_math *m, uint32_t index) {
  sj_math_node *n = sj_math_at(m, index), base = {0}, *radicand = &base, *degree = NULL;
  const sj_math_style *s = n->style;
  if (n->kind == SJ_MATH_ROOT) {
    radicand = sj_math_at(m, n->first);
    degree = sj_math_at(m, radicand->next);
    sj_math_layout(m, n->first, NULL);
    sj_math_layout(m, radicand->next, NULL);
  } else {
    layout_row(m, index, NULL);
    base = *n;
  }
  float fallback = sj_math_rule(s), font_size = s->svg.font_size;
  float rule = sj_math_constant(s, HB_OT_MATH_CONSTANT_RADICAL_RULE_THICKNESS, fallback);
  float extra = sj_math_constant(s, HB_OT_MATH_CONSTANT_RADICAL_EXTRA_ASCENDER, rule);
  float gap = s->display ? sj_math_constant(s, HB_OT_MATH_CONSTANT_RADICAL_DISPLAY_STYLE_VERTICAL_GAP,
                                            fallback + 0.25f * sj_math_x_height(s))
                         : sj_math_constant(s, HB_OT_MATH_CONSTANT_RADICAL_VERTICAL_GAP, 1.25f * fallback);
  float before = 0.0f, after = 0.0f, raise = 0.0f;
  if (degree) {
    before = sj_math_constant(s, HB_OT_MATH_CONSTANT_RADICAL_KERN_BEFORE_DEGREE, 5.0f * font_size / 18.0f);
    after = sj_math_constant(s, HB_OT_MATH_CONSTANT_RADICAL_KERN_AFTER_DEGREE, -10.0f * font_size / 18.0f);
    before = fmaxf(0.0f, before);
    after = fmaxf(-degree->width, after);
    raise = s->has_table
                ? sj_face_math_constant(s->face, HB_OT_MATH_CONSTANT_RADICAL_DEGREE_BOTTOM_RAISE_PERCENT) / 100.0f
                : 0.6f;
  }
  float at = before + after + (degree ? degree->width : 0.0f), sign_width = 0.0f, sign_height = 0.0f;
  float base_ascent = radicand->ascent, base_descent = radicand->descent, base_width = radicand->width;
  uint32_t glyph = s->face ? sj_face_glyph(s->face, ROOT_SIGN) : 0;
  float box_width = 0.0f;
  if (glyph && s->scale > 0.0f) {
    sj_stretched sign;
    sj_face_stretch(s->face, glyph, s->scale, true, base_ascent + base_descent + gap + rule, &sign);
    if (!sj_resolve_spend(m->r, sign.looked_at * SJ_WORK_NODE)) return;
    sign_width = sign.advance;
    sign_height = sign.ascent + sign.descent;
    box_width = sj_face_stretched_advance(s->face, glyph, s->scale);
    n->stretched = true;
    n->glyph = sign;
    n->glyph_x = at;
    n->glyph_y = sign.ascent - gap - base_ascent;
  }
  n->ascent = base_ascent + gap + rule + extra;
  n->descent = fmaxf(base_descent, sign_height + extra - n->ascent);
  n->width = at + box_width + base_width;
  if (degree) {
    float raised = raise * sign_height, height = degree->ascent + degree->descent;
    n->ascent = fmaxf(n->ascent, raised + height - n->descent);
    degree->x = before;
    degree->y = n->descent - raised - degree->descent;
  }
  if (n->kind == SJ_MATH_ROOT) {
    radicand->x = at + sign_width;
    radicand->y = 0.0f;
  } else {
    for (uint32_t i = n->first; i != SJ_NONE; i = sj_math_at(m, i)->next) sj_math_at(m, i)->x += sign_width;
  }
  n->bar.x = at + sign_width;
  n->bar.y = -gap - base_ascent;
  n->bar.width = base_width;
  n->bar.thickness = glyph ? rule : 0.0f;
}

static bool is_same(const sj_math_target *a, const sj_math_target *b) {
  return a->across == b->across && a->along == b->along && a->ascent == b->ascent && a->descent == b->descent &&
         a->width == b->width;
}

void sj_math_layout(sj_math *m, uint32_t index, const sj_math_target *target) {
  sj_math_node *n = sj_math_at(m, index);
  sj_math_target wanted = target ? *target : (sj_math_target){0};
  // Nodes around ask for the same again and again, which would take long where they are nested deeply.
  if ((n->is_laid_out && is_same(&n->target, &wanted)) || !sj_resolve_spend(m->r, SJ_WORK_NODE)) return;
  n->is_laid_out = true;
  n->target = wanted;
  switch (n->kind) {
    case SJ_MATH_TOKEN: take_text(n); break;
    case SJ_MATH_OPERATOR: layout_operator(m, n, target); break;
    case SJ_MATH_SPACE: layout_space(m, n); break;
    case SJ_MATH_PADDED: layout_padded(m, index, target); break;
    case SJ_MATH_FRACTION: layout_fraction(m, index); break;
    case SJ_MATH_ROOT:
    case SJ_MATH_SQUARE_ROOT: layout_root(m, index); break;
    case SJ_MATH_SCRIPTS: sj_math_layout_scripts(m, index); break;
    case SJ_MATH_LIMITS: sj_math_layout_limits(m, index, target); break;
    case SJ_MATH_TABLE: sj_math_layout_table(m, index); break;
    default: layout_row(m, index, target); break;
  }
  n->ascent += n->padding[0];
  n->width += n->padding[1] + n->padding[3];
  n->descent += n->padding[2];
}
