// Lays out scripts, and what stands above and below (MathML Core, 3.4).
#include <math.h>
#include <string.h>

#include "svg/math/formula.h"

// --- scripts at the side ---

typedef struct shifts {
  float up, down;  // of superscripts and subscripts
} shifts;

static float constant(const sj_math_style *s, hb_ot_math_constant_t which, float fallback) {
  return sj_math_constant(s, which, fallback);
}

// Finds how far a pair of scripts moves, of which either may be NULL.
static void add_shifts(const sj_math_node *n, const sj_math_node *base, const sj_math_node *sub,
                       const sj_math_node *sup, shifts *out) {
  const sj_math_style *s = n->style;
  float x = sj_math_x_height(s), up = 0.0f, down = 0.0f;
  if (sub) {
    down = fmaxf(constant(s, HB_OT_MATH_CONSTANT_SUBSCRIPT_SHIFT_DOWN, x / 3.0f),
                 base->descent + constant(s, HB_OT_MATH_CONSTANT_SUBSCRIPT_BASELINE_DROP_MIN, 0.5f * x));
    down = fmaxf(down, sub->ascent - constant(s, HB_OT_MATH_CONSTANT_SUBSCRIPT_TOP_MAX, 0.8f * x));
  }
  if (sup) {
    hb_ot_math_constant_t shift =
        s->cramped ? HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP_CRAMPED : HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP;
    up = fmaxf(constant(s, shift, x),
               base->ascent - constant(s, HB_OT_MATH_CONSTANT_SUPERSCRIPT_BASELINE_DROP_MAX, 0.5f * x));
    up = fmaxf(up, sup->descent + constant(s, HB_OT_MATH_CONSTANT_SUPERSCRIPT_BOTTOM_MIN, 0.25f * x));
  }
  if (sub && sup) {
    float least = constant(s, HB_OT_MATH_CONSTANT_SUB_SUPERSCRIPT_GAP_MIN, s->svg.font_size / 5.0f);
    float missing = least - (down - sub->ascent + up - sup->descent);
    if (missing > 0.0f) {
      // The superscript goes up first, as far as it may.
      float room =
          constant(s, HB_OT_MATH_CONSTANT_SUPERSCRIPT_BOTTOM_MAX_WITH_SUBSCRIPT, 0.8f * x) - (up - sup->descent);
      float raised = fmaxf(0.0f, fminf(room, missing));
      up += raised;
      down += missing - raised;
    }
  }
  out->up = fmaxf(out->up, up);
  out->down = fmaxf(out->down, down);
}

// A pair of scripts: SJ_NONE where there is none.
typedef struct pair {
  uint32_t sub, sup;
} pair;

static bool is_named(const sj_math *m, uint32_t node, const char *name) {
  return strcmp(sj_document_local(m->r->document, sj_math_at(m, node)->element), name) == 0;
}

// Takes the next pair from child *at on. *pre becomes true behind <mprescripts>.
static bool next_pair(const sj_math *m, const sj_math_node *n, uint32_t *at, bool *pre, pair *out) {
  if (*at != SJ_NONE && is_named(m, *at, "mprescripts")) {
    *pre = true;
    *at = sj_math_at(m, *at)->next;
  }
  if (*at == SJ_NONE) return false;
  bool several = !n->has_under && !n->has_over, both = several || (n->has_under && n->has_over);
  *out = (pair){both || n->has_under ? *at : SJ_NONE, both || n->has_under ? SJ_NONE : *at};
  *at = sj_math_at(m, *at)->next;
  if (!both || *at == SJ_NONE || is_named(m, *at, "mprescripts")) return true;
  out->sup = *at;
  *at = sj_math_at(m, *at)->next;
  return true;
}

static const sj_math_node *node_or_null(const sj_math *m, uint32_t node) {
  return node == SJ_NONE ? NULL : sj_math_at(m, node);
}

// Places the pairs before or behind the base, from x on. Returns where they end.
static float place_pairs(sj_math *m, sj_math_node *n, bool before, float x, const shifts *s, float italic) {
  float space = constant(n->style, HB_OT_MATH_CONSTANT_SPACE_AFTER_SCRIPT, n->style->svg.font_size / 5.0f);
  uint32_t at = sj_math_at(m, n->first)->next;
  bool pre = false;
  for (pair p; next_pair(m, n, &at, &pre, &p);) {
    if (pre != before) continue;
    sj_math_node *sub = p.sub == SJ_NONE ? NULL : sj_math_at(m, p.sub);
    sj_math_node *sup = p.sup == SJ_NONE ? NULL : sj_math_at(m, p.sup);
    float sub_width = sub ? sub->width - (before ? 0.0f : italic) : 0.0f, sup_width = sup ? sup->width : 0.0f;
    float width = fmaxf(0.0f, fmaxf(sub_width, sup_width));
    if (before) x += space;
    if (sub) {
      sub->x = before ? x + width - sub->width : x - italic;
      sub->y = s->down;
      n->descent = fmaxf(n->descent, s->down + sub->descent);
    }
    if (sup) {
      sup->x = before ? x + width - sup->width : x;
      sup->y = -s->up;
      n->ascent = fmaxf(n->ascent, s->up + sup->ascent);
    }
    x += before ? width : width + space;
    italic = 0.0f;
  }
  return x;
}

// Lays out a base and its scripts. As in Chromium, the base does not learn what the scripts are to cover.
void sj_math_layout_scripts(sj_math *m, uint32_t index) {
  sj_math_node *n = sj_math_at(m, index), *base = sj_math_at(m, n->first);
  for (uint32_t i = n->first; i != SJ_NONE; i = sj_math_at(m, i)->next) sj_math_layout(m, i, NULL);
  shifts s = {0.0f, 0.0f};
  uint32_t at = base->next;
  bool pre = false;
  for (pair p; next_pair(m, n, &at, &pre, &p);) add_shifts(n, base, node_or_null(m, p.sub), node_or_null(m, p.sup), &s);
  n->ascent = fmaxf(0.0f, base->ascent);
  n->descent = fmaxf(0.0f, base->descent);
  float x = place_pairs(m, n, true, 0.0f, &s, 0.0f);
  base->x = x;
  base->y = 0.0f;
  n->width = place_pairs(m, n, false, x + base->width, &s, fminf(base->width, base->italic));
}

// --- scripts above and below ---

typedef struct limits {
  float over_gap, under_gap, over_shift, under_shift, over_extra, under_extra;
  float accent_height;
  bool bars;  // they are placed as bars are
} limits;

static limits find_limits(const sj_math_style *s, const sj_math_node *core) {
  if (core && core->op.large)
    return (limits){.over_gap = constant(s, HB_OT_MATH_CONSTANT_UPPER_LIMIT_GAP_MIN, 0.0f),
                    .under_gap = constant(s, HB_OT_MATH_CONSTANT_LOWER_LIMIT_GAP_MIN, 0.0f),
                    .over_shift = constant(s, HB_OT_MATH_CONSTANT_UPPER_LIMIT_BASELINE_RISE_MIN, 0.0f),
                    .under_shift = constant(s, HB_OT_MATH_CONSTANT_LOWER_LIMIT_BASELINE_DROP_MIN, 0.0f)};
  if (core && core->op.stretchy && !core->op.vertical)
    return (limits){.over_gap = constant(s, HB_OT_MATH_CONSTANT_STRETCH_STACK_GAP_ABOVE_MIN, 0.0f),
                    .under_gap = constant(s, HB_OT_MATH_CONSTANT_STRETCH_STACK_GAP_BELOW_MIN, 0.0f),
                    .over_shift = constant(s, HB_OT_MATH_CONSTANT_STRETCH_STACK_TOP_SHIFT_UP, 0.0f),
                    .under_shift = constant(s, HB_OT_MATH_CONSTANT_STRETCH_STACK_BOTTOM_SHIFT_DOWN, 0.0f)};
  float rule = sj_math_rule(s);
  return (limits){.over_gap = constant(s, HB_OT_MATH_CONSTANT_OVERBAR_VERTICAL_GAP, 3.0f * rule),
                  .under_gap = constant(s, HB_OT_MATH_CONSTANT_UNDERBAR_VERTICAL_GAP, 3.0f * rule),
                  .over_shift = -INFINITY,
                  .under_shift = -INFINITY,
                  .over_extra = constant(s, HB_OT_MATH_CONSTANT_OVERBAR_EXTRA_ASCENDER, rule),
                  .under_extra = constant(s, HB_OT_MATH_CONSTANT_UNDERBAR_EXTRA_DESCENDER, rule),
                  .accent_height = constant(s, HB_OT_MATH_CONSTANT_ACCENT_BASE_HEIGHT, 0.5f * sj_math_x_height(s)),
                  .bars = true};
}

// Lays out children. Operators that grow along the text are as wide as what else there is.
static void layout_children(sj_math *m, const sj_math_node *n, const sj_math_target *given) {
  sj_math_target target = {.along = true}, none = {.along = true};
  bool given_any = given && (given->across || given->along), all = true;
  if (given_any) target.width = given->width;
  for (uint32_t i = n->first; i != SJ_NONE; i = sj_math_at(m, i)->next) {
    if (sj_math_grows(m, i, false)) continue;
    sj_math_layout(m, i, i == n->first ? given : NULL);
    target.width = fmaxf(target.width, sj_math_at(m, i)->width);
    all = false;
  }
  for (uint32_t i = n->first; all && !given_any && i != SJ_NONE; i = sj_math_at(m, i)->next) {
    sj_math_layout(m, i, &none);
    target.width = fmaxf(target.width, sj_math_at(m, i)->width);
  }
  for (uint32_t i = n->first; i != SJ_NONE; i = sj_math_at(m, i)->next)
    if (sj_math_grows(m, i, false)) sj_math_layout(m, i, i == n->first && given_any ? given : &target);
}

void sj_math_layout_limits(sj_math *m, uint32_t index, const sj_math_target *target) {
  sj_math_node *n = sj_math_at(m, index), *base = sj_math_at(m, n->first);
  const sj_math_node *core = base->core == SJ_NONE ? NULL : sj_math_at(m, base->core);
  if (!n->style->display && core && core->op.movable) {
    sj_math_layout_scripts(m, index);
    return;
  }
  layout_children(m, n, target);
  limits l = find_limits(n->style, core);
  sj_math_node *under = n->has_under ? sj_math_at(m, base->next) : NULL;
  sj_math_node *over = !n->has_over ? NULL : sj_math_at(m, under ? under->next : base->next);
  n->width = fmaxf(base->width, fmaxf(under ? under->width : 0.0f, over ? over->width : 0.0f));
  n->ascent = base->ascent;
  n->descent = base->descent;
  n->italic = 0.0f;
  base->x = 0.5f * (n->width - base->width);
  base->y = 0.0f;
  if (over) {
    float gap = fmaxf(over->descent + l.over_gap, l.over_shift);
    if (l.bars && sj_math_flag(m, n->element, "accent", false))
      gap = over->descent + fmaxf(0.0f, l.accent_height - base->ascent);
    over->x = 0.5f * (n->width - over->width);
    over->y = -base->ascent - gap;
    n->ascent = fmaxf(0.0f, base->ascent + gap + over->ascent + l.over_extra);
  }
  if (under) {
    float gap = fmaxf(under->ascent + l.under_gap, l.under_shift);
    if (l.bars && sj_math_flag(m, n->element, "accentunder", false)) gap = under->ascent;
    under->x = 0.5f * (n->width - under->width);
    under->y = base->descent + gap;
    n->descent = base->descent + gap + under->descent + l.under_extra;
  }
}
