// Makes the boxes of a foreignObject (CSS 2, 9.2 and 17.2.1).
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "svg/html/html.h"
#include "svg/resolve/image.h"
#include "svg/resolve/job.h"

// Where content goes that is met next.
typedef struct place {
  uint32_t box;        // whose children are made
  uint32_t anonymous;  // the anonymous box around its inline content, or row, that is open; SJ_NONE
} place;

// An inline element that is open. Its box is made when something is in it, anew behind each block that divides it.
typedef struct open_inline {
  uint32_t element, box;
  const sj_html_style *style;
  bool made;
} open_inline;

// A ::first-letter that is still to come.
typedef struct first_letter {
  uint32_t element, copy;  // SJ_NO_COPY: none
} first_letter;

static const first_letter no_letter = {SJ_NO_ELEMENT, SJ_NO_COPY};

typedef struct builder {
  sj_html *h;
  place *place;
  SJ_ARRAY(open_inline) inlines;
  size_t first_inline;  // of the block container at work
  uint32_t depth;
  sj_html_counters counters;
  first_letter letter;
} builder;

static uint32_t add_box(builder *b, sj_html_kind kind, uint32_t element, const sj_html_style *style, uint32_t parent) {
  sj_html *h = b->h;
  uint32_t index = (uint32_t)h->boxes.count;
  sj_html_box box = {.kind = (uint8_t)kind,
                     .element = element,
                     .style = style,
                     .parent = parent,
                     .first = SJ_NONE,
                     .last = SJ_NONE,
                     .next = SJ_NONE,
                     .marker = SJ_NONE,
                     .anchor = SJ_NONE,
                     .first_column = SJ_NONE,
                     .last_column = SJ_NONE,
                     .first_placed = SJ_NONE,
                     .last_placed = SJ_NONE,
                     .number = 1,
                     .span_rows = 1};
  if (!style || index >= SJ_NONE - 1 || !sj_resolve_spend(h->r, SJ_WORK_ELEMENT) ||
      !sj_array_push(h->context, &h->boxes, box)) {
    sj_resolve_fail_memory(h->r);
    return SJ_NONE;
  }
  if (parent == SJ_NONE) return index;
  sj_html_box *of = sj_html_at(h, parent);
  if (of->last == SJ_NONE)
    of->first = index;
  else
    sj_html_at(h, of->last)->next = index;
  of->last = index;
  return index;
}

static uint32_t add_anonymous(builder *b, sj_html_kind kind, uint32_t parent) {
  const sj_html_box *of = sj_html_at(b->h, parent);
  uint32_t element = of->element;
  uint32_t box = add_box(b, kind, element, sj_html_anonymous(b->h, of->style), parent);
  if (box == SJ_NONE) return box;
  sj_html_at(b->h, box)->is_anonymous = true;
  sj_html_at(b->h, box)->is_root = kind != SJ_HTML_BLOCK;
  return box;
}

static bool is_table_part(const sj_html_box *box) { return box->kind == SJ_HTML_ROW || box->kind == SJ_HTML_TABLE; }

static bool is_container(const sj_html_box *box) { return box->kind == SJ_HTML_BLOCK || box->kind == SJ_HTML_CELL; }

static bool wrap_table_part(builder *b, bool cell, place *inner);

// Returns the anonymous cell around what is no part of a table and stands in one. Neighbours share it.
static uint32_t open_cell(builder *b) {
  place *p = b->place, inner, around = *p;
  if (p->anonymous != SJ_NONE && sj_html_at(b->h, p->anonymous)->kind == SJ_HTML_CELL) return p->anonymous;
  b->place = &around;
  bool good = wrap_table_part(b, true, &inner);
  b->place = p;
  return p->anonymous = good ? add_anonymous(b, SJ_HTML_CELL, inner.box) : SJ_NONE;
}

// Returns the box that inline content of the present place is to be added to. Block containers have it as children of
// their own until a block comes; others wrap it.
static uint32_t inline_parent(builder *b) {
  place *p = b->place;
  if (b->inlines.count > b->first_inline) {
    // All open inline boxes are made, from the outermost on.
    uint32_t parent = SJ_NONE;
    for (size_t i = b->first_inline; i < b->inlines.count; i++) {
      open_inline *o = &b->inlines.data[i];
      if (o->box == SJ_NONE) {
        if (parent == SJ_NONE) {
          size_t count = b->inlines.count;
          b->inlines.count = b->first_inline;
          parent = inline_parent(b);
          b->inlines.count = count;
          if (parent == SJ_NONE) return SJ_NONE;
        }
        uint32_t box = add_box(b, SJ_HTML_INLINE, o->element, o->style, parent);
        if (box == SJ_NONE) return SJ_NONE;
        sj_html_at(b->h, box)->cut_before = o->made;
        o->made = true;
        o->box = box;
      }
      parent = o->box;
    }
    return parent;
  }
  const sj_html_box *box = sj_html_at(b->h, p->box);
  if (is_table_part(box)) {
    uint32_t cell = open_cell(b);
    if (cell == SJ_NONE || !sj_html_at(b->h, cell)->has_blocks) return cell;
    uint32_t last = sj_html_at(b->h, cell)->last;
    const sj_html_box *of = sj_html_at(b->h, last);
    return of->is_anonymous && of->kind == SJ_HTML_BLOCK ? last : add_anonymous(b, SJ_HTML_BLOCK, cell);
  }
  if (is_container(box) && !box->has_blocks) return p->box;
  if (p->anonymous == SJ_NONE || sj_html_at(b->h, p->anonymous)->kind == SJ_HTML_TABLE) {
    p->anonymous = add_anonymous(b, SJ_HTML_BLOCK, p->box);
    if (p->anonymous != SJ_NONE && !is_container(sj_html_at(b->h, p->box)))
      sj_html_at(b->h, p->anonymous)->is_root = true;
  }
  return p->anonymous;
}

// Divides the open inline boxes, and wraps what inline content the container has, since a block comes.
static bool begin_block(builder *b) {
  place *p = b->place;
  sj_html *h = b->h;
  for (size_t i = b->first_inline; i < b->inlines.count; i++) {
    if (b->inlines.data[i].box != SJ_NONE) sj_html_at(h, b->inlines.data[i].box)->cut_after = true;
    b->inlines.data[i].box = SJ_NONE;
  }
  p->anonymous = SJ_NONE;
  sj_html_box *box = sj_html_at(h, p->box);
  if (!is_container(box) || box->has_blocks) return true;
  box->has_blocks = true;
  uint32_t first = box->first, last = box->last;
  if (first == SJ_NONE) return true;
  box->first = box->last = SJ_NONE;
  uint32_t wrapper = add_anonymous(b, SJ_HTML_BLOCK, p->box);
  if (wrapper == SJ_NONE) return false;
  sj_html_at(h, wrapper)->first = first;
  sj_html_at(h, wrapper)->last = last;
  for (uint32_t i = first; i != SJ_NONE; i = sj_html_at(h, i)->next) sj_html_at(h, i)->parent = wrapper;
  return true;
}

static bool is_blank(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (!sj_is_space(text[i])) return false;
  return true;
}

static bool add_run(builder *b, uint32_t element, const sj_html_style *style, const char *text, size_t length) {
  place *p = b->place;
  const sj_html_box *box = sj_html_at(b->h, p->box);
  bool open = p->anonymous != SJ_NONE && sj_html_at(b->h, p->anonymous)->kind == SJ_HTML_BLOCK;
  bool flows = is_container(box) && (!box->has_blocks || open);
  // White space between blocks, rows, and the items of a flex container is nothing.
  if (!flows && !style->in.keeps_spaces && is_blank(text, length)) return true;
  if (!flows && !is_container(box) && is_blank(text, length)) return true;
  uint32_t parent = inline_parent(b);
  uint32_t at = parent == SJ_NONE ? SJ_NONE : add_box(b, SJ_HTML_TEXT, element, style, parent);
  if (at == SJ_NONE) return false;
  sj_html_at(b->h, at)->text = text;
  sj_html_at(b->h, at)->length = length;
  return true;
}

// --- first letters (CSS Pseudo 4, 2.2) ---

static bool is_punctuation(int32_t c) {
  if (c < 0x80) return c > ' ' && strchr("!\"#%&'()*,./:;?@[\\]{}", c);
  static const struct {
    int32_t first, last;
  } ranges[] = {{0xa1, 0xa1},     {0xa7, 0xa7},     {0xab, 0xab},     {0xb6, 0xb7},     {0xbb, 0xbb},    {0xbf, 0xbf},
                {0x2016, 0x2027}, {0x2030, 0x205e}, {0x3001, 0x3003}, {0x3008, 0x3011}, {0x3014, 0x301f}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (c >= ranges[i].first && c <= ranges[i].last) return true;
  return false;
}

static bool is_mark(int32_t c) { return (c >= 0x300 && c <= 0x36f) || (c >= 0xfe00 && c <= 0xfe0f); }

// Finds the first letter of a text, with the punctuation before and behind it. Returns false if it has none.
static bool find_letter(const char *text, size_t length, size_t *first, size_t *end) {
  const char *at = text, *stop = text + length, *next;
  while (at < stop && sj_is_space(*at)) at++;
  *first = (size_t)(at - text);
  if (at == stop) return false;
  bool seen = false;
  for (; at < stop; at = next) {
    next = at;
    int32_t c = sj_utf8_next(&next, stop);
    if (!is_punctuation(c) && !(seen && is_mark(c)) && (seen || sj_is_space(*at))) break;
    seen |= !is_punctuation(c);
  }
  *end = (size_t)(at - text);
  return true;
}

// Adds a text, of which the first letter may have a box of its own.
static bool add_text(builder *b, uint32_t element, const sj_html_style *style, const char *text, size_t length) {
  first_letter letter = b->letter;
  size_t first, end;
  sj_html_style *own;
  if (letter.copy == SJ_NO_COPY || !find_letter(text, length, &first, &end))
    return add_run(b, element, style, text, length);
  b->letter = no_letter;
  if (!sj_html_compute(b->h, letter.copy, letter.element, style, &own)) return false;
  if (first && !add_run(b, element, style, text, first)) return false;
  open_inline around = {letter.element, SJ_NONE, own, false};
  if (!sj_array_push(b->h->context, &b->inlines, around)) {
    sj_resolve_fail_memory(b->h->r);
    return false;
  }
  bool good = add_run(b, letter.element, own, text + first, end - first);
  b->inlines.count--;
  return good && (end == length || add_run(b, element, style, text + end, length - end));
}

// Returns the ::first-letter of an element in HTML.
static first_letter letter_of(const builder *b, uint32_t element) {
  const sj_document *document = b->h->r->document;
  if (!document->nodes.data[element].is_html) return no_letter;
  uint32_t copy = sj_part_copy(document, b->h->frame->copy, element, SJ_PART_FIRST_LETTER);
  if (copy == SJ_NO_COPY) return no_letter;
  sj_cascade cascade = sj_cascade_of(document, sj_document_node(document, copy, element));
  return sj_cascade_next(&cascade) ? (first_letter){element, copy} : no_letter;
}

static bool add_element(builder *b, uint32_t element, const sj_html_style *parent);
static bool add_styled(builder *b, uint32_t element, sj_html_style *style);
static bool add_image(builder *b, uint32_t element, sj_html_style *style, sj_value_text url, bool in_line);

// Adds what a pseudo-element says that it shows.
static bool add_generated(builder *b, uint32_t element, const sj_html_style *style) {
  sj_html *h = b->h;
  sj_value_text left = style->content;
  for (sj_html_piece piece; sj_html_next_piece(h, &b->counters, element, style, &left, &piece);) {
    bool good;
    if (piece.is_image) {
      sj_html_style *own = sj_html_anonymous(h, style);
      good = own && add_image(b, element, own, piece.text, true);
    } else {
      good = add_text(b, element, style, piece.text.text, piece.text.length);
    }
    if (!good) return false;
  }
  return sj_resolving(h->r);
}

// Finds the pseudo-element, if it says what it shows. Returns whether it does.
static bool find_part(builder *b, uint32_t element, sj_part part, uint32_t *copy) {
  const sj_document *document = b->h->r->document;
  *copy = sj_part_copy(document, b->h->frame->copy, element, part);
  if (*copy == SJ_NO_COPY) return false;
  sj_cascade cascade = sj_cascade_of(document, sj_document_node(document, *copy, element));
  for (const sj_declared *d; (d = sj_cascade_next(&cascade));)
    if (d->name == SJ_HTML_CONTENT) return true;
  return false;
}

// Adds ::before or ::after.
static bool add_part(builder *b, uint32_t element, const sj_html_style *parent, sj_part part) {
  sj_html *h = b->h;
  uint32_t copy;
  sj_html_style *style;
  if (!find_part(b, element, part, &copy)) return true;
  if (!sj_resolve_count(h->r, h->frame->depth + ++b->depth)) return false;
  bool good = sj_html_compute(h, copy, element, parent, &style);
  if (good && style->content.length && style->display < SJ_DISPLAY_COLUMN)
    good = sj_html_count(h, &b->counters, element, style, b->depth) && add_styled(b, element, style);
  sj_html_end_counters(&b->counters, b->depth--);
  return good;
}

// Walks through the characters and elements within one element, in their order.
static bool add_content(builder *b, uint32_t element, const sj_html_style *style) {
  const sj_document *document = b->h->r->document;
  const sj_dom *dom = document->dom;
  if (style->is_part) return add_generated(b, element, style);
  if (!add_part(b, element, style, SJ_PART_BEFORE)) return false;
  size_t at = sj_document_first_text(document, element);
  for (uint32_t child = dom->first_child.data[element];; child = dom->next.data[child]) {
    uint32_t stop = child == SJ_NO_ELEMENT ? dom->end.data[element] : child;
    for (; at < document->texts.count && document->texts.data[at].before <= stop; at++) {
      const sj_text *text = &document->texts.data[at];
      if (text->parent == element && text->length && !add_text(b, element, style, text->data, text->length))
        return false;
    }
    if (child == SJ_NO_ELEMENT) return add_part(b, element, style, SJ_PART_AFTER);
    if (!add_element(b, child, style)) return false;
    while (at < document->texts.count && document->texts.data[at].parent >= child &&
           document->texts.data[at].parent < dom->end.data[child])
      at++;
  }
}

// Adds what is in an element as the children of its box.
static bool fill(builder *b, uint32_t box, uint32_t element, const sj_html_style *style) {
  place own = {.box = box, .anonymous = SJ_NONE}, *outer = b->place;
  size_t first = b->first_inline;
  const sj_html_box *made = sj_html_at(b->h, box);
  first_letter letter = made->is_root ? no_letter : b->letter, inner = letter;
  if (is_container(made) && !style->is_part) inner = letter_of(b, element);
  bool is_own = inner.copy != SJ_NO_COPY;
  b->letter = is_own ? inner : letter;
  b->place = &own;
  b->first_inline = b->inlines.count;
  bool good = add_content(b, element, style);
  b->place = outer;
  b->first_inline = first;
  // Where no letter came, that of the element around is still to come.
  b->letter = b->letter.copy == SJ_NO_COPY ? no_letter : letter;
  return good;
}

// Adds the marker of a list item: a bullet, which has no content, a number, or what ::marker shows.
static bool add_marker(builder *b, uint32_t box, uint32_t element, const sj_html_style *style) {
  sj_html *h = b->h;
  uint32_t copy = sj_part_copy(h->r->document, h->frame->copy, element, SJ_PART_MARKER);
  sj_html_style *own = NULL;
  if (!style->is_part && copy != SJ_NO_COPY && !sj_html_compute(h, copy, element, style, &own)) return false;
  bool shows = own && own->content.length;
  if (style->in.list == SJ_LIST_NONE && !shows) return true;
  uint32_t marker = add_anonymous(b, SJ_HTML_BLOCK, box);
  sj_html_style *of_box = marker == SJ_NONE ? NULL : sj_html_anonymous(h, own ? own : style);
  if (!of_box) return false;
  of_box->in.no_wrap = of_box->in.keeps_spaces = true;
  of_box->in.indent = (sj_html_length){0};
  sj_html_box *item = sj_html_at(h, box), *made = sj_html_at(h, marker);
  made->style = of_box;
  made->is_root = true;
  item->marker = marker;  // it is out of flow, and so no child
  item->first = item->last = SJ_NONE;
  bool bullet = style->in.list <= SJ_LIST_SQUARE;
  if (bullet && !shows) return true;
  place inside = {.box = marker, .anonymous = SJ_NONE}, *outer = b->place;
  size_t first = b->first_inline;
  first_letter letter = b->letter;
  b->letter = no_letter;
  b->place = &inside;
  b->first_inline = b->inlines.count;
  bool good;
  if (shows) {
    of_box->content = own->content;
    good = add_generated(b, element, of_box);
  } else {
    sj_html_text text = {0};
    sj_html_write_number(h, style->in.list, sj_html_item_number(h, &b->counters), true, &text);
    size_t length = text.count;
    const char *kept = sj_arena_text(&h->arena, length ? text.data : "", length);
    sj_array_finish(h->context, &text);
    if (!kept) sj_resolve_fail_memory(h->r);
    good = kept && add_text(b, element, of_box, kept, length);
  }
  b->place = outer;
  b->first_inline = first;
  b->letter = letter;
  return good && sj_resolving(h->r);
}

static uint32_t span_of(builder *b, uint32_t element, const char *name) {
  const sj_string *value = sj_dom_get(b->h->r->document->dom, element, name);
  long number = value ? strtol(value->text, NULL, 10) : 1;
  return number < 1 ? 1 : number > 1000 ? 1000 : (uint32_t)number;
}

// Makes sure that what is added next is within a table's row, if it is a cell, or within a table, if it is a row. The
// place becomes that of the box around.
static bool wrap_table_part(builder *b, bool cell, place *inner) {
  sj_html *h = b->h;
  place *p = b->place;
  sj_html_kind kind = (sj_html_kind)sj_html_at(h, p->box)->kind;
  if (is_table_part(sj_html_at(h, p->box))) p->anonymous = SJ_NONE;  // a cell of those before ends
  *inner = (place){.box = p->box, .anonymous = SJ_NONE};
  if (kind == SJ_HTML_ROW && cell) return true;
  if (kind != SJ_HTML_TABLE && kind != SJ_HTML_ROW) {
    // Neighbours share one table.
    uint32_t last = p->anonymous;
    if (last == SJ_NONE || sj_html_at(h, last)->kind != SJ_HTML_TABLE) {
      if (!begin_block(b)) return false;
      last = p->anonymous = add_anonymous(b, SJ_HTML_TABLE, p->box);
      if (last == SJ_NONE) return false;
    }
    inner->box = last;
  }
  if (!cell || sj_html_at(h, inner->box)->kind == SJ_HTML_ROW) return true;
  uint32_t row = sj_html_at(h, inner->box)->last;
  if (row == SJ_NONE || !sj_html_at(h, row)->is_anonymous) row = add_anonymous(b, SJ_HTML_ROW, inner->box);
  inner->box = row;
  return row != SJ_NONE;
}

static bool add_cell(builder *b, uint32_t element, sj_html_style *style) {
  place inner, *outer = b->place;
  if (!wrap_table_part(b, true, &inner)) return false;
  uint32_t box = add_box(b, SJ_HTML_CELL, element, style, inner.box);
  if (box == SJ_NONE) return false;
  sj_html_box *cell = sj_html_at(b->h, box);
  cell->is_root = true;
  if (!style->is_part) cell->number = span_of(b, element, "colspan");
  if (!style->is_part) cell->span_rows = span_of(b, element, "rowspan");
  bool good = fill(b, box, element, style);
  b->place = outer;
  return good;
}

static bool add_row(builder *b, uint32_t element, const sj_html_style *style) {
  place inner;
  if (!wrap_table_part(b, false, &inner)) return false;
  uint32_t box = add_box(b, SJ_HTML_ROW, element, style, inner.box);
  return box != SJ_NONE && fill(b, box, element, style);
}

// Adds a group of rows. It has no box: its rows are those of the table.
static bool add_group(builder *b, uint32_t element, const sj_html_style *style) {
  place inner, *outer = b->place;
  if (!wrap_table_part(b, false, &inner)) return false;
  uint32_t table = inner.box, last = sj_html_at(b->h, table)->last;
  b->place = &inner;
  bool good = add_content(b, element, style);
  b->place = outer;
  uint32_t row = last == SJ_NONE ? sj_html_at(b->h, table)->first : sj_html_at(b->h, last)->next;
  for (; row != SJ_NONE; row = sj_html_at(b->h, row)->next) sj_html_at(b->h, row)->group = style;
  return good;
}

// Tells what acts on an inline element as a whole, which has no group. Opacity is that of its letters.
static void omit_effects(const builder *b, const sj_style *s) {
  if (s->filter.text) sj_html_omit(b->h, "filter of an inline element", NULL, 0);
  if (s->clip_path.text) sj_html_omit(b->h, "clip-path of an inline element", NULL, 0);
  if (sj_has_mask(s)) sj_html_omit(b->h, "mask of an inline element", NULL, 0);
  if (s->blend != STIJL_BLEND_NORMAL) sj_html_omit(b->h, "mix-blend-mode of an inline element", NULL, 0);
}

static bool add_inline(builder *b, uint32_t element, const sj_html_style *style) {
  omit_effects(b, &style->svg);
  open_inline own = {element, SJ_NONE, style, false};
  if (!sj_array_push(b->h->context, &b->inlines, own)) {
    sj_resolve_fail_memory(b->h->r);
    return false;
  }
  size_t at = b->inlines.count - 1;
  bool good = add_content(b, element, style);
  // One without content may still have borders.
  if (good && !b->inlines.data[at].made) good = inline_parent(b) != SJ_NONE;
  b->inlines.count = at;
  return good;
}

static sj_html_kind kind_of(const sj_html_style *style) {
  switch (style->display) {
    case SJ_DISPLAY_FLEX:
    case SJ_DISPLAY_INLINE_FLEX: return SJ_HTML_FLEX_BOX;
    case SJ_DISPLAY_TABLE:
    case SJ_DISPLAY_INLINE_TABLE: return SJ_HTML_TABLE;
    default: return SJ_HTML_BLOCK;
  }
}

// Takes a length of an attribute where no declaration gives one.
static void take_attribute(sj_html *h, const sj_html_box *box, sj_name name, sj_html_length *out) {
  const sj_string *text = sj_document_attribute(h->r->document, box->element, name);
  sj_length length;
  if (out->kind != SJ_SIZE_AUTO || !text || !sj_parse_length(text->text, text->length, &length)) return;
  sj_length_base base = sj_style_base(&h->r->styles, &box->style->svg);
  out->kind = SJ_SIZE_LENGTH;
  out->pixels = sj_length_pixels(length, &base, 0.0f);
  out->percent = sj_length_pixels(length, &base, 100.0f) - out->pixels;
}

// Finds the own size of an image or a nested SVG (CSS 2, 10.3.2).
static void set_natural(sj_html *h, sj_html_box *box, sj_html_style *style) {
  float width = 0.0f, height = 0.0f;
  if (box->kind == SJ_HTML_IMAGE) {
    if (box->length) sj_image_size(h->r, box->text, box->length, &width, &height);
  } else {
    width = 300.0f;
    height = 150.0f;
    const sj_string *text = sj_document_attribute(h->r->document, box->element, SJ_ATTRIBUTE_VIEW_BOX);
    sj_view_box view;
    if (text && sj_parse_view_box(text->text, text->length, &view) && view.width > 0.0f && view.height > 0.0f)
      height = width * view.height / view.width;
    take_attribute(h, box, SJ_ATTRIBUTE_WIDTH, &style->width);
    take_attribute(h, box, SJ_ATTRIBUTE_HEIGHT, &style->height);
  }
  box->natural[0] = sj_html_from_pixels((double)width);
  box->natural[1] = sj_html_from_pixels((double)height);
}

// Lays out a formula, whose size depends on nothing else.
static bool set_formula(builder *b, uint32_t box) {
  sj_html *h = b->h;
  sj_math_size size;
  sj_html_box *made = sj_html_at(h, box);
  sj_resolve_frame frame = *h->frame;
  frame.depth += b->depth;
  made->math = sj_math_make(h->r, &frame, made->element, &made->style->svg, &size);
  made->ascent = sj_html_ceil((double)size.ascent);
  made->natural[0] = sj_html_ceil((double)size.width);
  made->natural[1] = made->ascent + sj_html_ceil((double)size.descent);
  return sj_resolving(h->r);
}

// Adds a box that is a block, or stands in a line as one. `url` is an image's.
static bool add_block(builder *b, uint32_t element, sj_html_style *style, sj_html_kind kind, bool in_line,
                      sj_value_text url) {
  sj_html *h = b->h;
  sj_html_kind around = (sj_html_kind)sj_html_at(h, b->place->box)->kind;
  if (around == SJ_HTML_FLEX_BOX) in_line = false;
  bool in_table = around == SJ_HTML_ROW || around == SJ_HTML_TABLE;
  if (in_table && !in_line && (around == SJ_HTML_ROW || style->display != SJ_DISPLAY_CAPTION)) {
    // What stands in a row and is no cell is within one.
    place *outer = b->place;
    uint32_t cell = open_cell(b);
    if (cell == SJ_NONE) return false;
    place of_cell = {.box = cell, .anonymous = SJ_NONE};
    b->place = &of_cell;
    bool good = add_block(b, element, style, kind, in_line, url);
    b->place = outer;
    return good;
  }
  if (in_line || kind != SJ_HTML_BLOCK) b->letter = no_letter;
  if (!in_line && !begin_block(b)) return false;
  uint32_t parent = in_line ? inline_parent(b) : b->place->box;
  uint32_t box = parent == SJ_NONE ? SJ_NONE : add_box(b, kind, element, style, parent);
  if (box == SJ_NONE) return false;
  sj_html_box *made = sj_html_at(h, box);
  made->is_inline_level = in_line;
  made->is_root = in_line || style->display == SJ_DISPLAY_FLOW_ROOT || style->hides || kind != SJ_HTML_BLOCK ||
                  around == SJ_HTML_FLEX_BOX || style->display == SJ_DISPLAY_CAPTION;
  made->text = url.text;
  made->length = url.length;
  if (kind == SJ_HTML_IMAGE || kind == SJ_HTML_SVG) {
    bool rounded = false;
    for (int corner = 0; corner < 4; corner++) rounded |= sj_html_resolve(&style->radius[corner], 64) > 0;
    if (rounded) sj_html_omit(h, "border-radius of an image", NULL, 0);
    set_natural(h, made, style);
    return sj_resolving(h->r);
  }
  if (kind == SJ_HTML_MATH) return set_formula(b, box);
  if (style->display == SJ_DISPLAY_LIST_ITEM) {
    if (!add_marker(b, box, element, style)) return false;
  }
  return fill(b, box, element, style);
}

static bool add_image(builder *b, uint32_t element, sj_html_style *style, sj_value_text url, bool in_line) {
  return add_block(b, element, style, SJ_HTML_IMAGE, in_line, url);
}

static bool is_in_line(sj_html_display display) {
  return display == SJ_DISPLAY_INLINE || display == SJ_DISPLAY_INLINE_BLOCK || display == SJ_DISPLAY_INLINE_FLEX ||
         display == SJ_DISPLAY_INLINE_TABLE;
}

static bool add_break(builder *b, uint32_t element, const sj_html_style *style) {
  uint32_t parent = inline_parent(b);
  b->letter = no_letter;
  return parent != SJ_NONE && add_box(b, SJ_HTML_BREAK, element, style, parent) != SJ_NONE;
}

// Returns the box that one with a position is placed in.
static uint32_t find_around(const builder *b, const sj_html_style *style) {
  const sj_html *h = b->h;
  uint32_t in = b->place->box;
  for (; in != 0; in = sj_html_at(h, in)->parent) {
    const sj_html_box *box = sj_html_at(h, in);
    const sj_style *s = &box->style->svg;
    bool is_placed = style->position == 2 && box->style->position;
    if (!box->is_anonymous && (is_placed || s->transform.text || s->filter.text)) break;
  }
  return in;
}

// Adds a box without content where one with a position would stand in flow. SJ_NONE: that is not known, or it failed.
static uint32_t add_anchor(builder *b, bool in_line) {
  sj_html *h = b->h;
  const sj_html_box *box = sj_html_at(h, b->place->box);
  if (!is_container(box)) return SJ_NONE;
  bool open = b->inlines.count > b->first_inline;
  // What begins a container is no line of its own.
  if (box->first == SJ_NONE && !open && !begin_block(b)) return SJ_NONE;
  bool lines = open || !box->has_blocks || b->place->anonymous != SJ_NONE;
  uint32_t anchor = add_anonymous(b, SJ_HTML_BLOCK, lines ? inline_parent(b) : b->place->box);
  if (anchor == SJ_NONE) return SJ_NONE;
  sj_html_at(h, anchor)->is_anchor = true;
  sj_html_at(h, anchor)->is_below = lines && !in_line;
  sj_html_at(h, anchor)->is_inline_level = lines;
  sj_html_at(h, anchor)->is_root = lines;
  return anchor;
}

static bool is_in_line(sj_html_display display);

// Adds a box that has a position in another, which is not its parent's child. *placed becomes false where it is not
// known where it stands.
static bool add_placed(builder *b, uint32_t element, sj_html_style *style, sj_html_kind kind, sj_value_text url,
                       bool *placed) {
  sj_html *h = b->h;
  const sj_html_length *inset = style->inset;
  *placed = false;
  for (size_t i = b->first_inline; i < b->inlines.count; i++)
    if (b->inlines.data[i].style->position) return true;
  bool begins = sj_html_at(h, b->place->box)->first == SJ_NONE && b->inlines.count == b->first_inline;
  bool given = (inset[SJ_LEFT].kind != SJ_SIZE_AUTO || inset[SJ_RIGHT].kind != SJ_SIZE_AUTO) &&
               (inset[SJ_TOP].kind != SJ_SIZE_AUTO || inset[SJ_BOTTOM].kind != SJ_SIZE_AUTO);
  uint32_t in = find_around(b, style), anchor = SJ_NONE;
  // What comes first in the box that it is placed in stands where its content begins.
  if (!given && !(begins && in == b->place->box)) {
    anchor = add_anchor(b, is_in_line(style->display));
    if (anchor == SJ_NONE) return sj_resolving(h->r);
  }
  *placed = true;
  uint32_t index = add_box(b, kind, element, style, SJ_NONE);
  if (index == SJ_NONE) return false;
  sj_html_box *box = sj_html_at(h, index), *around = sj_html_at(h, in);
  box->parent = in;
  box->anchor = anchor;
  box->is_root = true;
  if (around->last_placed == SJ_NONE)
    around->first_placed = index;
  else
    sj_html_at(h, around->last_placed)->next = index;
  around->last_placed = index;
  box->text = url.text;
  box->length = url.length;
  if (kind == SJ_HTML_IMAGE || kind == SJ_HTML_SVG) {
    set_natural(h, box, style);
    return sj_resolving(h->r);
  }
  first_letter letter = b->letter;
  bool good = (style->display != SJ_DISPLAY_LIST_ITEM || add_marker(b, index, element, style)) &&
              fill(b, index, element, style);
  b->letter = letter;
  return good;
}

// Adds an image or a nested SVG.
static bool add_replaced(builder *b, uint32_t element, sj_html_style *style, sj_html_kind kind, sj_value_text url) {
  bool placed = false;
  if (style->position > 1 && (!add_placed(b, element, style, kind, url, &placed) || placed))
    return sj_resolving(b->h->r);
  if (style->position > 1) sj_html_omit(b->h, "position: absolute beside others", NULL, 0);
  return add_block(b, element, style, kind, is_in_line(style->display), url);
}

static bool add_styled(builder *b, uint32_t element, sj_html_style *style) {
  static const sj_value_text no_url = {"", 0};
  sj_html *h = b->h;
  bool in_line = is_in_line(style->display);
  if (!style->is_part) {
    const sj_node *node = &h->r->document->nodes.data[element];
    const char *name = sj_document_local(h->r->document, element);
    if (node->element == SJ_ELEMENT_SVG) return add_replaced(b, element, style, SJ_HTML_SVG, no_url);
    if (node->is_math && strcmp(name, "math") == 0) return add_block(b, element, style, SJ_HTML_MATH, in_line, no_url);
    if (node->is_math) {
      sj_html_omit_element(h, element);
      return true;
    }
    if (strcmp(name, "img") == 0) {
      const sj_string *url = sj_dom_get(h->r->document->dom, element, "src");
      return add_replaced(b, element, style, SJ_HTML_IMAGE, url ? (sj_value_text){url->text, url->length} : no_url);
    }
    if (strcmp(name, "br") == 0) return add_break(b, element, style);
    if (!sj_html_omit_parts(h, element)) return true;
    if (strcmp(name, "wbr") == 0) return add_text(b, element, style, "\xe2\x80\x8b", 3);
  }
  if (style->position > 1) {
    bool placed, good = add_placed(b, element, style, kind_of(style), no_url, &placed);
    if (placed || !good) return good;
    sj_html_omit(h, "position: absolute beside others", NULL, 0);
  }
  sj_html_kind around = (sj_html_kind)sj_html_at(h, b->place->box)->kind;
  switch (style->display) {
    case SJ_DISPLAY_CONTENTS: return add_content(b, element, style);
    case SJ_DISPLAY_CELL:
      if (around == SJ_HTML_FLEX_BOX) break;
      return add_cell(b, element, style);
    case SJ_DISPLAY_ROW: return add_row(b, element, style);
    case SJ_DISPLAY_ROW_GROUP:
    case SJ_DISPLAY_HEADER_GROUP:
    case SJ_DISPLAY_FOOTER_GROUP: return add_group(b, element, style);
    case SJ_DISPLAY_INLINE:
      if (around == SJ_HTML_FLEX_BOX) break;
      return add_inline(b, element, style);
    case SJ_DISPLAY_GRID: sj_html_omit(h, "display", "grid", 4); break;
    default: break;
  }
  return add_block(b, element, style, kind_of(style), in_line, no_url);
}

// Adds columns to a table, which have no boxes among others.
static bool add_column(builder *b, uint32_t element, const sj_html_style *style, const sj_html_style *group) {
  sj_html *h = b->h;
  uint32_t table = b->place->box, index;
  sj_html_omit_parts(h, element);
  if (sj_html_at(h, table)->kind != SJ_HTML_TABLE) return true;
  index = add_box(b, SJ_HTML_BLOCK, element, style, SJ_NONE);
  if (index == SJ_NONE) return false;
  sj_html_box *of = sj_html_at(h, table), *column = sj_html_at(h, index);
  column->parent = table;
  column->group = group;
  column->number = span_of(b, element, "span");
  *(of->last_column == SJ_NONE ? &of->first_column : &sj_html_at(h, of->last_column)->next) = index;
  of->last_column = index;
  return sj_resolving(h->r);
}

// Adds the columns of a group, which are those of its elements, or its own.
static bool add_column_group(builder *b, uint32_t element, const sj_html_style *style) {
  sj_html *h = b->h;
  const sj_dom *dom = h->r->document->dom;
  bool some = false;
  for (uint32_t i = dom->first_child.data[element]; i != SJ_NO_ELEMENT; i = dom->next.data[i]) {
    sj_html_style *own;
    if (!h->r->document->nodes.data[i].is_html || !sj_html_compute(h, h->frame->copy, i, style, &own)) continue;
    if (own->display != SJ_DISPLAY_COLUMN || own->svg.display_none) continue;
    if (!add_column(b, i, own, style)) return false;
    some = true;
  }
  bool bordered = false;
  for (int side = 0; side < 4; side++) bordered |= some && style->in.collapse && style->border[side];
  if (bordered) sj_html_omit(h, "border of a group of columns", NULL, 0);
  return sj_resolving(h->r) && (some || add_column(b, element, style, NULL));
}

static bool add_element(builder *b, uint32_t element, const sj_html_style *parent) {
  sj_html *h = b->h;
  const sj_node *node = &h->r->document->nodes.data[element];
  if (!node->is_html && node->element != SJ_ELEMENT_SVG) {
    // Unknown elements. SVG's are not drawn outside of an <svg>, in browsers neither.
    if (!node->is_svg) sj_html_omit_element(h, element);
    return true;
  }
  if (!sj_resolve_count(h->r, h->frame->depth + ++b->depth)) return false;
  sj_html_style *style;
  bool good = sj_html_compute(h, h->frame->copy, element, parent, &style);
  bool shown = good && !style->svg.display_none;
  if (shown && style->display == SJ_DISPLAY_COLUMN) good = add_column(b, element, style, NULL);
  if (shown && style->display == SJ_DISPLAY_COLUMN_GROUP) good = add_column_group(b, element, style);
  if (shown && style->display < SJ_DISPLAY_COLUMN)
    good = sj_html_count(h, &b->counters, element, style, b->depth) && add_styled(b, element, style);
  sj_html_end_counters(&b->counters, b->depth--);
  return good;
}

bool sj_html_make_boxes(sj_html *h, uint32_t element, sj_html_style *style) {
  builder b = {.h = h, .letter = no_letter};
  uint32_t root = add_box(&b, SJ_HTML_BLOCK, element, style, SJ_NONE);
  if (root != SJ_NONE) sj_html_at(h, root)->is_root = true;
  bool good = root != SJ_NONE && fill(&b, root, element, style);
  sj_array_finish(h->context, &b.inlines);
  sj_html_counters_finish(h, &b.counters);
  return good && sj_resolving(h->r);
}
