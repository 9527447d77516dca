// Gathers the inline content of block containers as one text (CSS Text 3, 4.1), and finds how wide it is.
#include <math.h>
#include <string.h>

#include "libraries/unibreak.h"
#include "svg/html/html.h"
#include "svg/resolve/job.h"
#include "text/line_breaks.h"

// What stands in the text for a box or a forced break: it has no width, and no font needs to have it.
#define PLACEHOLDER 0x200bu
// What lines do not end beside.
#define JOINER 0x2060u

typedef struct gatherer {
  sj_html *h;
  sj_html_flow *flow;
  bool ends_blank;  // the last character is white space that collapses, or a line begins
  uint32_t column;  // how many characters the line has, up to a forced break
} gatherer;

static bool remember(const gatherer *g, bool pushed) {
  if (!pushed) sj_resolve_fail_memory(g->h->r);
  return pushed;
}

static bool add_character(gatherer *g, uint32_t scope, uint32_t character, uint32_t atom) {
  sj_html_flow *f = g->flow;
  if (!sj_text_add_character(&f->text, scope, character, SJ_CHARACTER_OWN)) return false;
  while (f->atoms.count < f->text.characters.count)
    if (!remember(g, sj_array_push(g->h->context, &f->atoms, 0))) return false;
  f->atoms.data[f->atoms.count - 1] = atom;
  g->column++;
  return true;
}

static bool add_break(gatherer *g, uint32_t scope) {
  // A space before the end of a line is not shown; lines.c leaves it out.
  g->ends_blank = true;
  if (!add_character(g, scope, PLACEHOLDER, SJ_HTML_FORCED)) return false;
  g->column = 0;
  return true;
}

// Adds the spaces up to the next tab stop, which is exact where all characters are as wide as a space.
static bool add_tab(gatherer *g, uint32_t scope, int tab_size) {
  uint32_t size = tab_size ? (uint32_t)tab_size - 1 : 8;
  for (uint32_t count = size ? size - g->column % size : 0; count > 0; count--)
    if (!add_character(g, scope, ' ', 0)) return false;
  return true;
}

static bool add_text(gatherer *g, uint32_t scope, const sj_html_box *box) {
  const sj_html_inherited *in = &box->style->in;
  sj_text_content *t = &g->flow->text;
  uint32_t *characters, count;
  if (!sj_resolve_spend(g->h->r, 20 * (uint64_t)box->length)) return false;
  if (!remember(g, sj_decode_utf8(g->h->context, box->text, box->length, &characters, NULL, &count))) return false;
  // What letters become is known by the library that shapes them, which nothing may have opened so far.
  bool good = true, transforms = (box->style->svg.font.transform || t->last_sigma) && sj_text_open(NULL) == STIJL_OK;
  for (uint32_t i = 0; i < count && good; i++) {
    uint32_t c = characters[i];
    if (c == '\r') c = '\n';
    if (c == '\n' && in->keeps_lines) {
      good = add_break(g, scope);
      continue;
    }
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\f';
    if (blank && !in->keeps_spaces && g->ends_blank) continue;
    if (c == '\t' && in->keeps_spaces) {
      g->ends_blank = false;
      good = sj_resolve_spend(g->h->r, 20 * (uint64_t)(in->tab_size + 8)) && add_tab(g, scope, in->tab_size);
      continue;
    }
    if (blank) c = ' ';
    g->ends_blank = blank && !in->keeps_spaces;
    if (!transforms) {
      good = add_character(g, scope, c, 0);
      continue;
    }
    good = sj_text_add_letter(t, scope, c);
    while (good && g->flow->atoms.count < t->characters.count)
      good = remember(g, sj_array_push(g->h->context, &g->flow->atoms, 0));
  }
  sj_free(g->h->context, characters);
  return good;
}

static bool add_edge(gatherer *g, uint32_t box, bool opens) {
  sj_html_edge edge = {(uint32_t)g->flow->text.characters.count, box, opens};
  return remember(g, sj_array_push(g->h->context, &g->flow->edges, edge));
}

static bool add_children(gatherer *g, uint32_t box, uint32_t scope);

static bool add_inline(gatherer *g, uint32_t index, uint32_t parent) {
  sj_html_box *box = sj_html_at(g->h, index);
  uint32_t scope = (uint32_t)g->flow->text.scopes.count;
  bool there;
  // A part of a line is no layer of its own, so its letters take over the opacity.
  sj_style style = box->style->svg;
  style.fill_opacity = style.opacity * g->flow->text.scopes.data[parent].style.fill_opacity;
  if (!sj_text_open_scope(&g->flow->text, box->element, parent, &style, &there)) return false;
  sj_text_scope *scopes = g->flow->text.scopes.data;
  bool by_line = box->style->vertical == SJ_VERTICAL_TOP || box->style->vertical == SJ_VERTICAL_BOTTOM;
  sj_unit64 shift = by_line ? 0 : sj_html_shift(g->h, index, box->parent, NULL);
  scopes[scope].below = scopes[parent].below + sj_html_pixels(shift);
  // Characters that direct others open and close with it.
  const sj_font_values *font = &style.font;
  bool good = add_edge(g, index, true);
  for (int i = 0; good && sj_text_bidi_before(font, i); i++)
    good = add_character(g, scope, sj_text_bidi_before(font, i), 0);
  good = good && add_children(g, index, scope);
  for (int i = 0; good && sj_text_bidi_after(font, i); i++)
    good = add_character(g, scope, sj_text_bidi_after(font, i), 0);
  return good && add_edge(g, index, false);
}

static bool add_children(gatherer *g, uint32_t box, uint32_t scope) {
  for (uint32_t i = sj_html_at(g->h, box)->first; i != SJ_NONE; i = sj_html_at(g->h, i)->next) {
    const sj_html_box *child = sj_html_at(g->h, i);
    bool good = sj_resolve_spend(g->h->r, SJ_WORK_NODE);
    switch ((sj_html_kind)child->kind) {
      case SJ_HTML_TEXT: good = good && add_text(g, scope, child); break;
      case SJ_HTML_BREAK: good = good && add_break(g, scope); break;
      case SJ_HTML_INLINE: good = good && add_inline(g, i, scope); break;
      default:
        // Where a box would stand that is out of flow nothing does.
        if (!child->is_anchor) g->ends_blank = false;
        good = good && add_character(g, scope, PLACEHOLDER, SJ_HTML_ATOM + i);
        break;
    }
    if (!good) return false;
  }
  return true;
}

// --- measuring ---

const sj_html_inherited *sj_html_text_style(const sj_html *h, const sj_html_flow *flow, uint32_t at) {
  return &sj_html_at(h, flow->scope_boxes.data[flow->text.owners.data[at]])->style->in;
}

static bool is_ascii(uint32_t c) { return c > ' ' && c < 0x7f; }

static bool is_digit(uint32_t c) { return c >= '0' && c <= '9'; }

// Returns whether a line may end between c and `next`, both of ASCII, as browsers have it: addresses stay whole, unlike
// in UAX 14. A hyphen before a digit may be a minus.
static bool ends_in_ascii(uint32_t before, uint32_t c, uint32_t next) {
  bool letter = is_digit(before) || ((before | 32) >= 'a' && (before | 32) <= 'z');
  if (strchr("(<[{", (int)next)) return strchr("!\"#%&)*+,-.:;=>?\\]|}~", (int)c) != NULL;
  if (c == '-') return is_digit(next) ? letter : strchr("!$),./:;?]}", (int)next) == NULL;
  return c == '?' && strchr("!\"'),./:;?]}", (int)next) == NULL;
}

// Finds where lines may end, of what the styles allow.
static bool find_breaks(sj_html *h, sj_html_flow *f) {
  sj_text_content *t = &f->text;
  uint32_t count = (uint32_t)t->characters.count;
  uint32_t *copy = sj_alloc_array(h->context, count, sizeof *copy);
  bool good = copy != NULL;
  for (uint32_t i = 0; i < count && good; i++)
    copy[i] = !f->atoms.data[i]                                           ? t->characters.data[i]
              : f->atoms.data[i] == SJ_HTML_FORCED                        ? '\n'
              : sj_html_at(h, f->atoms.data[i] - SJ_HTML_ATOM)->is_anchor ? JOINER
                                                                          : 0xfffcu;
  good = good && sj_line_breaks(h->context, copy, count, t->scopes.data[0].language, f->breaks);
  for (uint32_t i = 0; i < count && good; i++) {
    const sj_html_inherited *in = sj_html_text_style(h, f, i);
    bool forced = f->atoms.data[i] == SJ_HTML_FORCED;
    char *b = &f->breaks[i];
    if (i + 1 == count) *b = LINEBREAK_NOBREAK;
    // The text breaks lines only where it says so; what a library takes for a paragraph's end may be any character.
    if (*b == LINEBREAK_MUSTBREAK) *b = LINEBREAK_ALLOWBREAK;
    if (i + 1 < count && is_ascii(copy[i]) && is_ascii(copy[i + 1]))
      *b = ends_in_ascii(i ? copy[i - 1] : ' ', copy[i], copy[i + 1]) ? LINEBREAK_ALLOWBREAK : LINEBREAK_NOBREAK;
    bool breakable = in->breaks_all && !sj_continues_cluster(t->characters.data, i + 1 < count ? i + 1 : i);
    if (breakable && i + 1 < count && f->advances[i + 1] > 0.0f && copy[i + 1] != ' ') *b = LINEBREAK_ALLOWBREAK;
    if (in->no_wrap && i + 1 < count && sj_html_text_style(h, f, i + 1)->no_wrap) *b = LINEBREAK_NOBREAK;
    if (forced) *b = LINEBREAK_MUSTBREAK;
  }
  if (!good) sj_resolve_fail_memory(h->r);
  sj_free(h->context, copy);
  return good;
}

static bool measure(sj_html *h, sj_html_flow *f) {
  size_t count = f->text.characters.count;
  f->advances = sj_alloc_zero(h->context, (count + 1) * sizeof *f->advances);
  f->breaks = sj_alloc_zero(h->context, count + 1);
  f->levels = sj_alloc_zero(h->context, count + 1);
  f->faces = sj_alloc_zero(h->context, (count + 1) * sizeof *f->faces);
  if (!f->advances || !f->breaks || !f->levels || !f->faces) {
    sj_resolve_fail_memory(h->r);
    return false;
  }
  if (!count) return true;
  sj_svg_measures measures = {f->advances, f->levels, f->faces};
  if (!sj_text_make_spans(&f->text) || !sj_text_measure(&f->text, h->fonts, &measures)) return false;
  for (size_t i = 0; i < count; i++) {
    if (f->atoms.data[i]) f->advances[i] = 0.0f;
    f->right_to_left |= f->levels[i] % 2;
  }
  return find_breaks(h, f);
}

// Names the box of each scope: scope 0 is the container's, and the others follow in the order of their edges.
static bool name_scopes(gatherer *g, uint32_t box) {
  if (!remember(g, sj_array_push(g->h->context, &g->flow->scope_boxes, box))) return false;
  for (size_t i = 0; i < g->flow->edges.count; i++) {
    const sj_html_edge *e = &g->flow->edges.data[i];
    if (e->opens && !remember(g, sj_array_push(g->h->context, &g->flow->scope_boxes, e->box))) return false;
  }
  return true;
}

sj_html_flow *sj_html_flow_of(sj_html *h, uint32_t index) {
  sj_html_box *box = sj_html_at(h, index);
  if (box->flow) return box->flow->measured ? box->flow : NULL;
  sj_html_flow *f = box->flow = sj_alloc_zero(h->context, sizeof *f);
  if (!f) {
    sj_resolve_fail_memory(h->r);
    return NULL;
  }
  f->text = (sj_text_content){.r = h->r, .frame = *h->frame, .placed = {.context = h->context}, .is_html = true};
  gatherer g = {.h = h, .flow = f, .ends_blank = true};
  bool there;
  f->measured = sj_text_open_scope(&f->text, box->element, SJ_NO_SCOPE, &box->style->svg, &there) &&
                add_children(&g, index, 0) && name_scopes(&g, index) && measure(h, f);
  return f->measured ? f : NULL;
}

void sj_html_flow_destroy(sj_html *h, sj_html_flow *f) {
  if (!f) return;
  sj_text_content_finish(&f->text);
  sj_array_finish(h->context, &f->atoms);
  sj_array_finish(h->context, &f->edges);
  sj_array_finish(h->context, &f->lines);
  sj_array_finish(h->context, &f->scope_boxes);
  sj_free(h->context, f->advances);
  sj_free(h->context, f->breaks);
  sj_free(h->context, f->levels);
  sj_free(h->context, f->faces);
  sj_free(h->context, f);
}

// --- widths ---

sj_unit64 sj_html_edge_width(const sj_html *h, const sj_html_edge *edge) {
  sj_html_box *box = sj_html_at(h, edge->box);
  int side = edge->opens != (bool)box->style->svg.font.right_to_left ? SJ_LEFT : SJ_RIGHT;
  if (edge->opens ? box->cut_before : box->cut_after) return 0;
  return box->margin[side] + box->border[side] + box->padding[side];
}

void sj_html_walk_begin(sj_html *h, sj_html_walk *w, const sj_html_flow *flow, uint32_t at, size_t edge) {
  *w = (sj_html_walk){.h = h, .flow = flow, .at = at, .edge = edge, .owner = SJ_NONE};
}

// Returns whether an edge at a character's place is still before the break in front of it: those that close are.
static bool stays_behind(const sj_html_walk *w, const sj_html_edge *e) {
  return !e->opens && w->at > 0 && e->at == w->at;
}

static void pass_edges(sj_html_walk *w, bool closing) {
  const sj_html_flow *f = w->flow;
  while (w->edge < f->edges.count && f->edges.data[w->edge].at <= w->at) {
    const sj_html_edge *e = &f->edges.data[w->edge];
    if (closing && !stays_behind(w, e)) return;
    w->width += sj_html_edge_width(w->h, e);
    w->edge++;
  }
}

sj_unit64 sj_html_walk_width(const sj_html_walk *w) { return w->width + sj_html_ceil((double)w->run); }

void sj_html_walk_next(sj_html_walk *w) {
  const sj_html_flow *f = w->flow;
  uint32_t owner = f->text.owners.data[w->at];
  size_t edge = w->edge;
  pass_edges(w, false);
  uint32_t atom = f->atoms.data[w->at];
  if (edge != w->edge || owner != w->owner || atom) {
    w->width += sj_html_ceil((double)w->run);
    w->run = 0.0f;
    w->owner = owner;
  }
  if (atom >= SJ_HTML_ATOM) {
    const sj_html_box *box = sj_html_at(w->h, atom - SJ_HTML_ATOM);
    w->width += w->atom_width ? w->atom_width(w->h, atom - SJ_HTML_ATOM)
                              : box->width + box->margin[SJ_LEFT] + box->margin[SJ_RIGHT];
  }
  w->run += f->advances[w->at];
  w->at++;
  pass_edges(w, true);
}

static sj_unit64 least_of(sj_html *h, uint32_t box) {
  sj_unit64 least, most;
  sj_html_sizes(h, box, &least, &most);
  return least;
}

static sj_unit64 most_of(sj_html *h, uint32_t box) {
  sj_unit64 least, most;
  sj_html_sizes(h, box, &least, &most);
  return most;
}

void sj_html_flow_edges(sj_html *h, const sj_html_flow *f, sj_unit64 base) {
  for (size_t i = 0; i < f->edges.count; i++) sj_html_edges(sj_html_at(h, f->edges.data[i].box), base);
}

// Finds the widest piece between two breaks, forced ones only if not `all`.
static sj_unit64 widest(sj_html *h, sj_html_flow *f, bool all) {
  sj_html_walk w;
  sj_unit64 most = 0, blank = 0;
  uint32_t count = (uint32_t)f->text.characters.count;
  sj_html_walk_begin(h, &w, f, 0, 0);
  w.atom_width = all ? least_of : most_of;
  while (w.at < count && sj_resolve_spend(h->r, SJ_WORK_NODE)) {
    uint32_t i = w.at;
    sj_unit64 before = sj_html_walk_width(&w);
    sj_html_walk_next(&w);
    const sj_html_inherited *in = sj_html_text_style(h, f, i);
    bool collapses = f->text.characters.data[i] == ' ' && !in->keeps_spaces;
    sj_unit64 width = sj_html_walk_width(&w);
    // A space at the end of a line counts for nothing.
    blank = collapses ? width - before : f->atoms.data[i] == SJ_HTML_FORCED ? blank : 0;
    bool anywhere = all && in->breaks_anywhere && !in->no_wrap;
    bool ends = f->breaks[i] == LINEBREAK_MUSTBREAK || (all && (f->breaks[i] == LINEBREAK_ALLOWBREAK || anywhere));
    most = sj_html_most(most, width - blank);
    if (ends) {
      w.width = 0;
      w.run = 0.0f;
      blank = 0;
    }
  }
  if (!count) {
    pass_edges(&w, false);
    most = w.width;
  }
  return most;
}

void sj_html_flow_sizes(sj_html *h, uint32_t box, sj_unit64 *least, sj_unit64 *most) {
  sj_html_flow *f = sj_html_flow_of(h, box);
  *least = *most = 0;
  if (!f) return;
  sj_html_flow_edges(h, f, SJ_HTML_AUTO);
  *least = widest(h, f, true);
  *most = sj_html_most(*least, widest(h, f, false));
}
