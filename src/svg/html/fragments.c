// Draws the lines of a block container: the backgrounds of inline boxes, what stands in the lines, and the text.
#include <math.h>

#include "svg/html/html.h"
#include "svg/resolve/job.h"
#include "svg/resolve/resolve.h"
#include "text/bidi.h"

// The part of an inline box in one line that nothing else divides: from one item to another, as they are seen.
typedef struct fragment {
  uint32_t box, line;
  uint32_t first, last;   // as they are seen
  uint32_t least, most;   // the items within, in the order of the text
  sj_unit64 left, right;  // from the content box's left
  bool cut_left, cut_right;
} fragment;

typedef struct atom {
  uint32_t box, line;
  sj_unit64 left;
} atom;

// What stays together in a line: characters of one box and one direction, a box, or the place of an inline box that has
// no content.
typedef struct item {
  uint32_t first, end;  // its characters
  uint32_t owner, box;  // the scope, and the inline box or the container that it is directly in
  uint32_t atom;        // SJ_NONE: it is none
  uint32_t first_open, end_open, first_close, end_close;  // the edges of the flow that open before it, close behind it
  float advance;
  sj_unit64 width, left;
} item;

typedef struct placing {
  sj_html *h;
  uint32_t block;
  sj_html_flow *flow;
  sj_unit64 x, y;  // of the content box
  SJ_ARRAY(fragment) fragments;
  SJ_ARRAY(uint32_t) open;  // fragments of boxes that are open
  SJ_ARRAY(atom) atoms;
  // Of the line at work: its items, their levels, and which is seen where.
  SJ_ARRAY(item) items;
  SJ_ARRAY(uint8_t) levels;
  SJ_ARRAY(uint32_t) seen;
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

static bool rtl_of(const sj_html_box *box) { return box->style->svg.font.right_to_left; }

// --- items of a line ---

// Adds an item before character `at`. It takes the edges that are open.
static item *add_item(placing *p, uint32_t at, uint32_t owner, uint32_t box, uint32_t edge, uint32_t *opens,
                      int level) {
  item one = {.first = at, .end = at, .owner = owner, .box = box, .atom = SJ_NONE};
  one.first_open = *opens;
  one.end_open = one.first_close = one.end_close = edge;
  *opens = SJ_NONE;
  if (one.first_open == SJ_NONE) one.first_open = edge;
  bool good = remember(
      p, sj_array_push(p->h->context, &p->items, one) && sj_array_push(p->h->context, &p->levels, (uint8_t)level));
  return good ? &p->items.data[p->items.count - 1] : NULL;
}

// Passes an edge before character `at`. One that closes belongs to the item before, or to one of its own.
static bool pass_edge(placing *p, uint32_t at, uint32_t edge, uint32_t *opens) {
  const sj_html_edge *e = &p->flow->edges.data[edge];
  if (e->opens) {
    if (*opens == SJ_NONE) *opens = edge;
    return true;
  }
  size_t count = p->items.count;
  const sj_html_flow *f = p->flow;
  int level = count ? p->levels.data[count - 1] : rtl_of(sj_html_at(p->h, p->block));
  if (*opens != SJ_NONE && at < f->text.characters.count) level = f->levels[at];
  if (!count || *opens != SJ_NONE)
    if (!add_item(p, at, SJ_NONE, e->box, edge, opens, level)) return false;
  p->items.data[p->items.count - 1].end_close = edge + 1;
  return true;
}

static bool is_control(uint32_t c) { return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069); }

#define MAX_CONTROLS 64u  // so many in a row are looked behind

// Returns the level of a character of the line. What only directs others stands beside what it opens or closes.
static uint8_t level_of(const placing *p, const sj_html_line *line, uint32_t at) {
  const uint32_t *characters = p->flow->text.characters.data;
  bool closes = characters[at] == 0x202c || characters[at] == 0x2069;
  uint32_t i = at;
  while (!closes && i < line->end && i - at < MAX_CONTROLS && is_control(characters[i])) i++;
  if (closes || i == line->end)
    for (i = at; i > line->first && at - i < MAX_CONTROLS && is_control(characters[i]);) i--;
  return p->flow->levels[i];
}

// Finds the items of a line, in the order of the text.
static bool find_items(placing *p, const sj_html_line *line) {
  sj_html *h = p->h;
  const sj_html_flow *f = p->flow;
  uint32_t edge = line->first_edge, opens = SJ_NONE;
  item *last = NULL;
  float run = 0.0f;  // of the characters in one box, whose width is rounded up as a whole
  p->items.count = p->levels.count = p->seen.count = 0;
  for (uint32_t i = line->first; i < line->end && sj_resolve_spend(h->r, SJ_WORK_NODE); i++) {
    uint32_t stands = f->atoms.data[i], owner = f->text.owners.data[i];
    bool same = last && last->owner == owner && !stands && last->atom == SJ_NONE;
    for (; edge < line->end_edge && f->edges.data[edge].at <= i; edge++, same = false)
      if (!pass_edge(p, i, edge, &opens)) return false;
    if (!same) run = 0.0f;
    if (stands && stands < SJ_HTML_ATOM) continue;
    uint8_t level = level_of(p, line, i);
    if (!same || !last || level != p->levels.data[p->items.count - 1] || i == line->shown) {
      last = add_item(p, i, owner, f->scope_boxes.data[owner], edge, &opens, level);
      if (!last) return false;
    }
    last->end = i + 1;
    if (stands) {
      const sj_html_box *box = sj_html_at(h, stands - SJ_HTML_ATOM);
      last->atom = stands - SJ_HTML_ATOM;
      last->width = box->width + box->margin[SJ_LEFT] + box->margin[SJ_RIGHT];
      continue;
    }
    sj_unit64 before = sj_html_ceil((double)run);
    run += f->advances[i];
    last->advance += f->advances[i];
    last->width += sj_html_ceil((double)run) - before;
    if (!line->stretch || f->text.characters.data[i] != ' ') continue;
    last->width += line->stretch;
    last = NULL;
  }
  for (; edge < line->end_edge; edge++)
    if (!pass_edge(p, line->end, edge, &opens)) return false;
  if (opens == SJ_NONE) return sj_resolving(h->r);
  uint32_t box = f->edges.data[edge - 1].box;
  return add_item(p, line->end, SJ_NONE, box, edge, &opens, rtl_of(sj_html_at(h, p->block))) != NULL;
}

// Finds which item is seen where, from the left to the right.
static bool find_order(placing *p) {
  for (uint32_t i = 0; i < p->items.count; i++)
    if (!remember(p, sj_array_push(p->h->context, &p->seen, i))) return false;
  if (p->flow->right_to_left) sj_visual_order(p->levels.data, (uint32_t)p->items.count, p->seen.data);
  return sj_resolve_spend(p->h->r, p->items.count * SJ_WORK_NODE);
}

// --- fragments of a line ---

// Returns whether the box is around the item, or the one that it is in.
static bool is_around(const placing *p, uint32_t box, uint32_t inner) {
  while (inner != p->block && inner != SJ_NONE && inner != box) inner = sj_html_at(p->h, inner)->parent;
  return inner == box;
}

// Opens fragments of the boxes around an item that have none open, outer ones first.
static bool open_fragments(placing *p, uint32_t box, uint32_t line, uint32_t at) {
  if (box == p->block || box == SJ_NONE) return true;
  if (p->open.count && p->fragments.data[p->open.data[p->open.count - 1]].box == box) return true;
  if (!open_fragments(p, sj_html_at(p->h, box)->parent, line, at)) return false;
  fragment f = {.box = box, .line = line, .first = at, .least = UINT32_MAX};
  return remember(p, sj_array_push(p->h->context, &p->fragments, f) &&
                         sj_array_push(p->h->context, &p->open, (uint32_t)p->fragments.count - 1));
}

static bool find_fragments(placing *p, uint32_t line) {
  p->open.count = 0;
  for (uint32_t at = 0; at < p->seen.count; at++) {
    uint32_t number = p->seen.data[at], box = p->items.data[number].box;
    while (p->open.count && !is_around(p, p->fragments.data[p->open.data[p->open.count - 1]].box, box)) p->open.count--;
    if (!open_fragments(p, box, line, at)) return false;
    if (!sj_resolve_spend(p->h->r, (p->open.count + 1) * SJ_WORK_NODE)) return false;
    for (size_t i = 0; i < p->open.count; i++) {
      fragment *f = &p->fragments.data[p->open.data[i]];
      f->last = at;
      if (number < f->least) f->least = number;
      if (number > f->most) f->most = number;
    }
  }
  return true;
}

// Returns the edge of a fragment's box at one of its ends; NULL: the box goes on elsewhere.
static const sj_html_edge *edge_of(const placing *p, const fragment *f, bool left) {
  bool opens = left != rtl_of(sj_html_at(p->h, f->box));
  const item *of = &p->items.data[opens ? f->least : f->most];
  for (uint32_t i = opens ? of->first_open : of->first_close; i < (opens ? of->end_open : of->end_close); i++)
    if (p->flow->edges.data[i].box == f->box) return &p->flow->edges.data[i];
  return NULL;
}

// Places one end of a fragment.
static void place_end(placing *p, fragment *f, bool left, sj_unit64 *x) {
  const sj_html_edge *e = edge_of(p, f, left);
  const sj_html_box *box = sj_html_at(p->h, f->box);
  bool cut = !e || (e->opens ? box->cut_before : box->cut_after);
  sj_unit64 width = e ? sj_html_edge_width(p->h, e) : 0, margin = cut ? 0 : box->margin[left ? SJ_LEFT : SJ_RIGHT];
  *(left ? &f->left : &f->right) = left ? *x + margin : *x + width - margin;
  *(left ? &f->cut_left : &f->cut_right) = cut;
  *x += width;
}

// Places items and fragments from the left to the right, which end at the line's right end if that is where it begins.
static void place_all(placing *p, const sj_html_line *line, size_t first) {
  size_t next = first;
  sj_unit64 x = line->x;
  p->open.count = 0;
  for (uint32_t at = 0; at < p->seen.count; at++) {
    item *one = &p->items.data[p->seen.data[at]];
    for (; next < p->fragments.count && p->fragments.data[next].first == at; next++) {
      place_end(p, &p->fragments.data[next], true, &x);
      p->open.data[p->open.count++] = (uint32_t)next;  // as many were open before
    }
    one->left = x;
    x += one->width;
    for (; p->open.count; p->open.count--) {
      fragment *f = &p->fragments.data[p->open.data[p->open.count - 1]];
      if (f->last != at) break;
      place_end(p, f, false, &x);
    }
  }
  if (!rtl_of(sj_html_at(p->h, p->block))) return;
  sj_unit64 more = line->x + line->width - x;
  for (size_t i = 0; i < p->items.count; i++) p->items.data[i].left += more;
  for (size_t i = first; i < p->fragments.count; i++) {
    p->fragments.data[i].left += more;
    p->fragments.data[i].right += more;
  }
}

// --- text ---

// Adds a character, which is the flow's character `i` but for its code; a position is given for the first of a run.
static bool add_character(placing *p, uint32_t i, uint32_t code, float x, float y) {
  stijl_context *context = p->h->context;
  sj_svg_position position = {x, y, NAN, NAN, NAN};
  const sj_text_content *t = &p->flow->text;
  return remember(
      p, sj_array_push(context, &p->characters, code) && sj_array_push(context, &p->owners, t->owners.data[i]) &&
             sj_array_push(context, &p->positions, position) && sj_array_push(context, &p->kinds, t->kinds.data[i]));
}

static bool owner_rtl(const placing *p, uint32_t owner) {
  return p->flow->text.scopes.data[owner].style.font.right_to_left;
}

// Returns where the baseline of a line is. As in browsers, text stands in lines whose top is at a whole pixel, so that
// all of them are as far apart.
static sj_unit64 baseline_of(const placing *p, const sj_html_line *line) {
  return sj_html_snap(p->y + line->y) + line->baseline;
}

// Adds the text of an item: a paragraph of its own, unless the line is one. Marks at its ends give what has no
// direction the one that it has in the line.
static bool add_text(placing *p, uint32_t number, const sj_html_line *line, bool whole) {
  const item *one = &p->items.data[number];
  const sj_html_flow *f = p->flow;
  bool block_rtl = rtl_of(sj_html_at(p->h, p->block)), rtl = owner_rtl(p, one->owner);
  uint32_t of = f->scope_boxes.data[one->owner];
  sj_unit64 shift = of == p->block ? 0 : sj_html_shift(p->h, of, p->block, line);
  bool odd = p->levels.data[number] % 2;
  // Where a line is justified, space is added behind the text.
  sj_unit64 left = p->x + one->left + (odd ? one->width - sj_html_ceil((double)one->advance) : 0);
  float x = sj_html_pixels(left) + (rtl ? one->advance : 0.0f);
  float y = sj_html_pixels(baseline_of(p, line) + shift);
  if (whole) x = number ? NAN : sj_html_pixels(p->x + line->x + (block_rtl ? line->width : 0));
  if (whole && number) y = NAN;
  uint32_t mark = whole || !f->right_to_left ? 0 : odd ? 0x200f : 0x200e;
  if (mark && !add_character(p, one->first, mark, x, y)) return false;
  for (uint32_t i = one->first; i < one->end; i++) {
    bool first = i == one->first && !mark;
    if (!add_character(p, i, f->text.characters.data[i], first ? x : NAN, first ? y : NAN)) return false;
  }
  return !mark || add_character(p, one->end - 1, mark, NAN, NAN);
}

// Adds what stands behind a line that is cut off before item `number`, in the style of the block container.
static bool add_ellipsis(placing *p, uint32_t number, const sj_html_line *line, bool whole) {
  stijl_context *context = p->h->context;
  float width;
  uint32_t character = sj_html_ellipsis(p->h, p->block, &width);
  bool rtl = rtl_of(sj_html_at(p->h, p->block));
  sj_svg_position none = {NAN, NAN, NAN, NAN, NAN}, position = none;
  if (!whole || !number) {
    const item *before = number ? &p->items.data[number - 1] : NULL;
    sj_unit64 left = before ? before->left + (rtl ? 0 : before->width) : line->x + (rtl ? line->width : 0);
    position.x = sj_html_pixels(p->x + left);
    position.y = sj_html_pixels(baseline_of(p, line));
  }
  for (int i = 0; i < (character == '.' ? 3 : 1); i++)
    if (!remember(p, sj_array_push(context, &p->characters, character) && sj_array_push(context, &p->owners, 0) &&
                         sj_array_push(context, &p->positions, i ? none : position) &&
                         sj_array_push(context, &p->kinds, SJ_CHARACTER_OWN)))
      return false;
  return true;
}

// Returns whether text in two directions is one paragraph, since nothing else stands in the line.
static bool is_whole(const placing *p, const sj_html_line *line) {
  bool rtl = rtl_of(sj_html_at(p->h, p->block)), whole = p->flow->right_to_left;
  for (size_t i = 0; i < p->items.count && whole; i++) {
    const item *one = &p->items.data[i];
    whole = one->atom == SJ_NONE && one->owner != SJ_NONE && owner_rtl(p, one->owner) == rtl;
    for (uint32_t e = one->first_open; e < one->end_open && whole; e++)
      whole = !sj_html_edge_width(p->h, &p->flow->edges.data[e]);
    for (uint32_t e = one->first_close; e < one->end_close && whole; e++)
      whole = !sj_html_edge_width(p->h, &p->flow->edges.data[e]);
    uint32_t of = whole ? p->flow->scope_boxes.data[one->owner] : p->block;
    whole = whole && (of == p->block || !sj_html_shift(p->h, of, p->block, line));
  }
  return whole;
}

// Places all of a line.
static bool place_line(placing *p, uint32_t number) {
  const sj_html_line *line = &p->flow->lines.data[number];
  size_t first = p->fragments.count;
  if (!find_items(p, line) || !find_order(p) || !find_fragments(p, number)) return false;
  place_all(p, line, first);
  bool whole = !line->stretch && is_whole(p, line);
  bool cut = false;
  for (uint32_t i = 0; i < p->items.count; i++) {
    const item *one = &p->items.data[i];
    if (line->shown < line->end && one->first >= line->shown) {
      if (!cut && !add_ellipsis(p, i, line, whole)) return false;
      cut = true;
    } else if (one->atom != SJ_NONE) {
      if (!remember(p, sj_array_push(p->h->context, &p->atoms, (atom){one->atom, number, one->left}))) return false;
    } else if (one->end > one->first && !add_text(p, i, line, whole)) {
      return false;
    }
  }
  return sj_resolving(p->h->r);
}

// Paints the backgrounds and borders of inline boxes.
static void paint_fragments(placing *p, const sj_resolve_frame *frame) {
  sj_html *h = p->h;
  for (size_t i = 0; i < p->fragments.count && sj_resolving(h->r); i++) {
    const fragment *f = &p->fragments.data[i];
    const sj_html_line *line = &p->flow->lines.data[f->line];
    const sj_html_box *box = sj_html_at(h, f->box);
    sj_html_extent e = sj_html_font_extent(h, box->style);
    sj_unit64 top = line->y + line->baseline + sj_html_shift(h, f->box, p->block, line) - e.above -
                    box->padding[SJ_TOP] - box->border[SJ_TOP];
    sj_html_paint_frame(h, box, frame, p->x + f->left, p->y + top, f->right - f->left,
                        e.above + e.below + sj_html_frame(box, true), f->cut_left, f->cut_right);
  }
}

static void paint_atoms(placing *p, const sj_resolve_frame *frame) {
  sj_html *h = p->h;
  for (size_t i = 0; i < p->atoms.count && sj_resolving(h->r); i++) {
    const atom *a = &p->atoms.data[i];
    const sj_html_line *line = &p->flow->lines.data[a->line];
    sj_html_box *box = sj_html_at(h, a->box);
    if (box->is_anchor) {
      bool below = box->is_below && a->left > line->x;
      box->x = below ? 0 : a->left;
      box->y = line->y + (below ? line->height : 0);
      continue;
    }
    sj_unit64 above = sj_html_above(h, a->box);
    box->x = a->left + box->margin[SJ_LEFT];
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
  sj_array_finish(h->context, &p.items);
  sj_array_finish(h->context, &p.levels);
  sj_array_finish(h->context, &p.seen);
  sj_array_finish(h->context, &p.characters);
  sj_array_finish(h->context, &p.owners);
  sj_array_finish(h->context, &p.positions);
  sj_array_finish(h->context, &p.kinds);
}
