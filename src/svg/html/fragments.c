// Draws the lines of a block container: the backgrounds of inline boxes, what stands in the lines, and the text.
#include <math.h>

#include "svg/html/html.h"
#include "svg/resolve/job.h"
#include "svg/resolve/resolve.h"

// The part of an inline box in one line.
typedef struct fragment {
  uint32_t box, line;
  sj_unit64 left, right;  // from the line's start
  bool cut_left, cut_right;
} fragment;

typedef struct atom {
  uint32_t box, line;
  sj_unit64 left;
} atom;

typedef struct placing {
  sj_html *h;
  uint32_t block;
  sj_html_flow *flow;
  sj_unit64 x, y;  // of the content box
  SJ_ARRAY(fragment) fragments;
  SJ_ARRAY(uint32_t) open;  // fragments of boxes that are open
  SJ_ARRAY(atom) atoms;
  // The text as it is shown.
  SJ_ARRAY(uint32_t) characters;
  SJ_ARRAY(uint32_t) owners;
  SJ_ARRAY(sj_svg_position) positions;
  SJ_ARRAY(uint8_t) kinds;
} placing;

static bool remember(const placing *p, bool pushed) {
  if (!pushed) sj_resolve_fail_memory(p->h->r);
  return pushed;
}

static bool rtl_of(const placing *p) { return sj_html_at(p->h, p->block)->style->svg.font.right_to_left; }

// Where something of that width stands that begins so far from the line's start, from the content box's left.
static sj_unit64 in_block(const placing *p, const sj_html_line *line, sj_unit64 left, sj_unit64 width) {
  return rtl_of(p) ? line->x + line->width - left - width : line->x + left;
}

static bool begin_fragment(placing *p, uint32_t box, uint32_t line, sj_unit64 left, bool cut) {
  fragment f = {.box = box, .line = line, .left = left, .cut_left = cut};
  return remember(p, sj_array_push(p->h->context, &p->fragments, f) &&
                         sj_array_push(p->h->context, &p->open, (uint32_t)p->fragments.count - 1));
}

static bool pass_edge(placing *p, const sj_html_edge *e, uint32_t line, sj_unit64 *x) {
  const sj_html_box *box = sj_html_at(p->h, e->box);
  bool cut = e->opens ? box->cut_before : box->cut_after;
  sj_unit64 width = sj_html_edge_width(p->h, e),
            margin = cut ? 0 : box->margin[e->opens != rtl_of(p) ? SJ_LEFT : SJ_RIGHT];
  *x += width;
  if (e->opens) return begin_fragment(p, e->box, line, *x - width + margin, cut);
  if (!p->open.count) return true;
  fragment *f = &p->fragments.data[p->open.data[--p->open.count]];
  f->right = *x - margin;
  f->cut_right = cut;
  return true;
}

// Adds a character; a position is given for the first of a run.
static bool add_character(placing *p, uint32_t i, float x, float y) {
  stijl_context *context = p->h->context;
  sj_svg_position position = {x, y, NAN, NAN, NAN};
  const sj_text_content *t = &p->flow->text;
  return remember(p, sj_array_push(context, &p->characters, t->characters.data[i]) &&
                         sj_array_push(context, &p->owners, t->owners.data[i]) &&
                         sj_array_push(context, &p->positions, position) &&
                         sj_array_push(context, &p->kinds, t->kinds.data[i]));
}

// Adds what stands behind a line that is cut off, in the style of the block container.
static bool add_ellipsis(placing *p, const sj_html_line *line, sj_unit64 left, bool plain) {
  stijl_context *context = p->h->context;
  float width;
  uint32_t character = sj_html_ellipsis(p->h, p->block, &width);
  sj_svg_position none = {NAN, NAN, NAN, NAN, NAN}, position = none;
  if (!plain) {
    position.x = sj_html_pixels(p->x + in_block(p, line, left, 0));
    position.y = sj_html_pixels(p->y + line->y + line->baseline);
  }
  for (int i = 0; i < (character == '.' ? 3 : 1); i++)
    if (!remember(p, sj_array_push(context, &p->characters, character) && sj_array_push(context, &p->owners, 0) &&
                         sj_array_push(context, &p->positions, i ? none : position) &&
                         sj_array_push(context, &p->kinds, SJ_CHARACTER_OWN)))
      return false;
  return true;
}

// Places all of a line.
static bool place_line(placing *p, uint32_t number) {
  sj_html *h = p->h;
  const sj_html_flow *f = p->flow;
  const sj_html_line *line = &f->lines.data[number];
  sj_unit64 x = 0;
  float run = 0.0f;
  uint32_t owner = SJ_NONE, edge = line->first_edge;
  bool plain = f->right_to_left, fresh = true;
  // Text in two directions is reordered as a whole, unless something else stands in the line.
  for (uint32_t i = line->first; i < line->end && plain; i++) plain = !f->atoms.data[i];
  for (uint32_t i = line->first_edge; i < line->end_edge && plain; i++)
    plain = !sj_html_edge_width(h, &f->edges.data[i]);
  for (size_t i = 0; i < p->open.count; i++) {
    // The fragments of the line before go on in this one.
    uint32_t before = p->open.data[i];
    fragment next = {.box = p->fragments.data[before].box, .line = number, .cut_left = true};
    if (!remember(p, sj_array_push(h->context, &p->fragments, next))) return false;
    p->open.data[i] = (uint32_t)p->fragments.count - 1;
  }
  for (uint32_t i = line->first; i < line->end && sj_resolve_spend(h->r, SJ_WORK_NODE); i++) {
    bool passed = edge < line->end_edge && f->edges.data[edge].at <= i;
    uint32_t stands = f->atoms.data[i];
    bool hidden = i >= line->shown;
    if (i == line->shown && !add_ellipsis(p, line, x + sj_html_ceil((double)run), plain)) return false;
    if (passed || f->text.owners.data[i] != owner || stands || fresh) {
      x += sj_html_ceil((double)run);
      run = 0.0f;
      if (!plain || owner == SJ_NONE) fresh = true;
      owner = f->text.owners.data[i];
    }
    while (edge < line->end_edge && f->edges.data[edge].at <= i)
      if (!pass_edge(p, &f->edges.data[edge++], number, &x)) return false;
    if (stands >= SJ_HTML_ATOM) {
      const sj_html_box *box = sj_html_at(h, stands - SJ_HTML_ATOM);
      atom made = {stands - SJ_HTML_ATOM, number, x};
      if (!hidden && !remember(p, sj_array_push(h->context, &p->atoms, made))) return false;
      x += box->width + box->margin[SJ_LEFT] + box->margin[SJ_RIGHT];
      fresh = true;
    }
    if (stands) continue;
    float at_x = NAN, at_y = NAN;
    if (hidden) {
      run += f->advances[i];
      continue;
    }
    if (fresh) {
      uint32_t of = f->scope_boxes.data[owner];
      sj_unit64 shift = of == p->block ? 0 : sj_html_shift(h, of, p->block, line);
      at_x = sj_html_pixels(p->x + in_block(p, line, plain ? 0 : x, 0));
      at_y = sj_html_pixels(p->y + line->y + line->baseline + shift);
    }
    if (!add_character(p, i, at_x, at_y)) return false;
    fresh = false;
    run += f->advances[i];
    if (line->stretch && f->text.characters.data[i] == ' ') {
      x += sj_html_ceil((double)run) + line->stretch;
      run = 0.0f;
      fresh = !plain;
    }
  }
  x += sj_html_ceil((double)run);
  while (edge < line->end_edge)
    if (!pass_edge(p, &f->edges.data[edge++], number, &x)) return false;
  for (size_t i = 0; i < p->open.count; i++) {
    fragment *of = &p->fragments.data[p->open.data[i]];
    of->right = x;
    of->cut_right = true;
  }
  return sj_resolving(h->r);
}

// Backgrounds and borders of inline boxes.
static void paint_fragments(placing *p, const sj_resolve_frame *frame) {
  sj_html *h = p->h;
  for (size_t i = 0; i < p->fragments.count && sj_resolving(h->r); i++) {
    const fragment *f = &p->fragments.data[i];
    const sj_html_line *line = &p->flow->lines.data[f->line];
    const sj_html_box *box = sj_html_at(h, f->box);
    sj_html_extent e = sj_html_font_extent(h, box->style);
    sj_unit64 top = line->y + line->baseline + sj_html_shift(h, f->box, p->block, line) - e.above -
                    box->padding[SJ_TOP] - box->border[SJ_TOP];
    bool rtl = rtl_of(p);
    sj_html_paint_frame(h, box, frame, p->x + in_block(p, line, f->left, f->right - f->left), p->y + top,
                        f->right - f->left, e.above + e.below + sj_html_frame(box, true),
                        rtl ? f->cut_right : f->cut_left, rtl ? f->cut_left : f->cut_right);
  }
}

static void paint_atoms(placing *p, const sj_resolve_frame *frame) {
  sj_html *h = p->h;
  for (size_t i = 0; i < p->atoms.count && sj_resolving(h->r); i++) {
    const atom *a = &p->atoms.data[i];
    const sj_html_line *line = &p->flow->lines.data[a->line];
    sj_html_box *box = sj_html_at(h, a->box);
    sj_unit64 width = box->width + box->margin[SJ_LEFT] + box->margin[SJ_RIGHT];
    sj_unit64 above = sj_html_above(h, a->box);
    box->x = in_block(p, line, a->left, width) + box->margin[SJ_LEFT];
    box->y = line->y + line->baseline + sj_html_shift(h, a->box, p->block, line) - above + box->margin[SJ_TOP];
    sj_html_paint(h, a->box, frame, p->x, p->y);
  }
}

static void paint_text(placing *p, const sj_resolve_frame *frame) {
  sj_resolver *r = p->h->r;
  sj_text_content *t = &p->flow->text;
  if (!p->characters.count || !sj_resolve_count(r, frame->depth)) return;
  uint32_t node = sj_node_begin(r, SJ_TREE_TEXT, frame, sj_html_at(p->h, p->block)->element);
  if (node == SJ_NONE) return;
    // The text takes over what is shown, and gives back what it was measured by.
#define SWAP(type, a, b)                               \
  do {                                                 \
    type *data = (a).data;                             \
    size_t count = (a).count, capacity = (a).capacity; \
    (a).data = (b).data;                               \
    (a).count = (b).count;                             \
    (a).capacity = (b).capacity;                       \
    (b).data = data;                                   \
    (b).count = count;                                 \
    (b).capacity = capacity;                           \
  } while (0)
  SWAP(uint32_t, t->characters, p->characters);
  SWAP(uint32_t, t->owners, p->owners);
  SWAP(sj_svg_position, t->positions, p->positions);
  SWAP(uint8_t, t->kinds, p->kinds);
#undef SWAP
  t->spans.count = t->span_scopes.count = 0;
  t->frame = *frame;
  t->frame.depth++;
  bool drawn = sj_text_make_spans(t) && sj_text_place(t, p->h->fonts) && sj_text_draw(t, node);
  if (drawn)
    sj_node_end(r, node);
  else
    sj_node_drop(r, node);
}

void sj_html_paint_lines(sj_html *h, uint32_t block, const sj_resolve_frame *frame, sj_unit64 x, sj_unit64 y) {
  const sj_html_box *box = sj_html_at(h, block);
  if (!box->flow || !box->flow->measured) return;
  placing p = {.h = h, .block = block, .flow = box->flow};
  p.x = x + box->border[SJ_LEFT] + box->padding[SJ_LEFT];
  p.y = y + box->border[SJ_TOP] + box->padding[SJ_TOP] + box->shift;
  bool good = true;
  for (uint32_t i = 0; i < box->flow->lines.count && good; i++) good = place_line(&p, i);
  if (good) {
    paint_fragments(&p, frame);
    paint_atoms(&p, frame);
    paint_text(&p, frame);
  }
  sj_array_finish(h->context, &p.fragments);
  sj_array_finish(h->context, &p.open);
  sj_array_finish(h->context, &p.atoms);
  sj_array_finish(h->context, &p.characters);
  sj_array_finish(h->context, &p.owners);
  sj_array_finish(h->context, &p.positions);
  sj_array_finish(h->context, &p.kinds);
}
