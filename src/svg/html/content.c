// Counters, and the content that ::before, ::after and ::marker generate (CSS Generated Content 3; CSS Lists 3).
#include <stdlib.h>
#include <string.h>

#include "svg/html/html.h"
#include "svg/resolve/text_content.h"
#include "svg/style/html_content.h"

// --- counters ---

// Finds the place of a name's innermost counter, which holds its number and 1, 0: none is open. NULL on failure.
static uint32_t *find(sj_html *h, sj_html_counters *c, sj_value_text name, sj_atom *atom) {
  bool good = c->names.context || sj_atoms_init(&c->names, h->context);
  *atom = good ? sj_atoms_intern(&c->names, name.text, name.length) : SJ_ATOM_NONE;
  while (*atom && good && c->innermost.count <= *atom) good = sj_array_push(h->context, &c->innermost, 0);
  if (*atom && good) return &c->innermost.data[*atom];
  sj_resolve_fail_memory(h->r);
  return NULL;
}

static bool open_counter(sj_html *h, sj_html_counters *c, sj_value_text name, uint32_t depth, int32_t value) {
  sj_atom atom;
  uint32_t *place = find(h, c, name, &atom);
  if (!place) return false;
  // One of an element before it with the same parent ends here.
  if (*place && c->open.data[*place - 1].depth == depth) {
    c->open.data[*place - 1].value = value;
    return true;
  }
  if (!sj_array_push(h->context, &c->open, (sj_html_counter){atom, depth, *place, value})) {
    sj_resolve_fail_memory(h->r);
    return false;
  }
  *place = (uint32_t)c->open.count;
  return true;
}

// Changes a counter, which begins at 0 where there is none.
static bool change(sj_html *h, sj_html_counters *c, sj_value_text name, uint32_t depth, bool adds, int32_t number) {
  sj_atom atom;
  uint32_t *place = find(h, c, name, &atom);
  if (!place || (!*place && !open_counter(h, c, name, depth, 0))) return false;
  int32_t *value = &c->open.data[*place - 1].value;
  int64_t sum = adds ? (int64_t)*value + number : number;
  if (sum >= INT32_MIN && sum <= INT32_MAX) *value = (int32_t)sum;
  return true;
}

static const sj_value_text list_item = {"list-item", 9};

// Reads the number that an attribute gives to the items of a list. Returns false when there is none.
static bool number_of(const sj_html *h, uint32_t element, const char *name, int32_t *number) {
  const sj_string *value = sj_dom_get(h->r->document->dom, element, name);
  char *end;
  long read = value ? strtol(value->text, &end, 10) : 0;
  if (!value || end == value->text || read < INT32_MIN || read > INT32_MAX) return false;
  *number = (int32_t)read;
  return true;
}

// Does what an element's counter-reset, -increment or -set asks for. *of_items: that names the counter of list items.
static bool follow(sj_html *h, sj_html_counters *c, const sj_html_style *style, uint32_t depth, sj_html_counting what,
                   bool *of_items) {
  sj_value_text left = style->counts[what], name;
  int32_t number;
  bool valid = true;
  while (sj_counter_next(&left, what == SJ_COUNT_INCREMENT, &name, &number, &valid)) {
    if (!sj_resolve_spend(h->r, SJ_WORK_VALUE)) return false;
    *of_items |= name.length == list_item.length && memcmp(name.text, list_item.text, name.length) == 0;
    bool good = what == SJ_COUNT_RESET ? open_counter(h, c, name, depth, number)
                                       : change(h, c, name, depth, what == SJ_COUNT_INCREMENT, number);
    if (!good) return false;
  }
  return true;
}

bool sj_html_count(sj_html *h, sj_html_counters *c, uint32_t element, const sj_html_style *style, uint32_t depth) {
  static const char *const lists[] = {"ol", "ul", "menu", "dir"};
  const char *local = style->is_part ? "" : sj_document_local(h->r->document, element);
  bool list = false, given = false, counted = false, set = false;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) list |= strcmp(local, lists[i]) == 0;
  int32_t number = 1;
  if (!follow(h, c, style, depth, SJ_COUNT_RESET, &given)) return false;
  if (list && !given) {
    number_of(h, element, "start", &number);
    if (!open_counter(h, c, list_item, depth, number > INT32_MIN ? number - 1 : number)) return false;
  }
  if (!follow(h, c, style, depth, SJ_COUNT_INCREMENT, &counted)) return false;
  bool item = style->display == SJ_DISPLAY_LIST_ITEM;
  if (item && !counted && !change(h, c, list_item, depth, true, 1)) return false;
  if (!follow(h, c, style, depth, SJ_COUNT_SET, &set)) return false;
  bool valued = strcmp(local, "li") == 0 && !set && number_of(h, element, "value", &number);
  return !valued || change(h, c, list_item, depth, false, number);
}

void sj_html_end_counters(sj_html_counters *c, uint32_t depth) {
  while (c->open.count && c->open.data[c->open.count - 1].depth > depth) {
    const sj_html_counter *last = &c->open.data[--c->open.count];
    c->innermost.data[last->name] = last->outer;
  }
}

void sj_html_counters_finish(sj_html *h, sj_html_counters *c) {
  if (c->names.context) sj_atoms_finish(&c->names);
  sj_array_finish(h->context, &c->innermost);
  sj_array_finish(h->context, &c->open);
}

int32_t sj_html_item_number(sj_html *h, sj_html_counters *c) {
  sj_atom atom;
  const uint32_t *place = find(h, c, list_item, &atom);
  return place && *place ? c->open.data[*place - 1].value : 0;
}

// --- quotes ---

// Those of languages (CLDR), outer and inner; the first are those of all others.
static const struct {
  const char *language, *marks[4];
} quotes[] = {{"en", {"\u201c", "\u201d", "\u2018", "\u2019"}}, {"cs", {"\u201e", "\u201c", "\u201a", "\u2018"}},
              {"de", {"\u201e", "\u201c", "\u201a", "\u2018"}}, {"es", {"\u00ab", "\u00bb", "\u201c", "\u201d"}},
              {"fi", {"\u201d", "\u201d", "\u2019", "\u2019"}}, {"fr", {"\u00ab", "\u00bb", "\u00ab", "\u00bb"}},
              {"it", {"\u00ab", "\u00bb", "\u201c", "\u201d"}}, {"ja", {"\u300c", "\u300d", "\u300e", "\u300f"}},
              {"pl", {"\u201e", "\u201d", "\u00ab", "\u00bb"}}, {"ru", {"\u00ab", "\u00bb", "\u201e", "\u201c"}},
              {"sv", {"\u201d", "\u201d", "\u2019", "\u2019"}}, {"uk", {"\u00ab", "\u00bb", "\u201e", "\u201c"}}};

// Finds the mark that opens or closes a quotation at a depth from 0 on (CSS Generated Content 3, 3).
static sj_value_text find_mark(sj_html *h, uint32_t element, const sj_html_style *style, uint32_t depth, bool closes) {
  sj_value_text left = style->in.quotes, mark = {0};
  if (sj_is_keyword(left.text, left.length, "none")) return mark;
  if (!left.length) {
    const char *language = sj_text_language(h->r->document, element);
    size_t length = language ? strcspn(language, "-_") : 0, row = 0;
    for (size_t i = 1; i < sizeof quotes / sizeof *quotes; i++)
      if (sj_is_keyword(language, length, quotes[i].language)) row = i;
    const char *text = quotes[row].marks[2 * (depth > 0) + closes];
    return (sj_value_text){text, strlen(text)};
  }
  // Deeper quotations than there are marks for have the innermost ones.
  for (uint32_t i = 0; i <= depth; i++) {
    sj_content_item pair[2];
    for (int n = 0; n < 2; n++) pair[n] = sj_content_next(&h->arena, &left);
    bool short_of_memory = pair[0].kind == SJ_PIECE_INVALID || pair[1].kind == SJ_PIECE_INVALID;
    if (short_of_memory) sj_resolve_fail_memory(h->r);
    if (pair[1].kind != SJ_PIECE_STRING || !sj_resolve_spend(h->r, SJ_WORK_VALUE)) break;
    mark = pair[closes].text;
  }
  return mark;
}

// --- content ---

typedef struct writer {
  sj_html *h;
  sj_html_text text;
} writer;

static void write(writer *w, const char *text, size_t length) { sj_html_append(w->h, &w->text, text, length); }

// Writes the innermost counter of a name, or all from the outermost on; 0 where there is none.
static void write_counters(writer *w, sj_html_counters *c, const sj_content_item *item) {
  sj_html *h = w->h;
  int list = SJ_LIST_DECIMAL;
  if (item->style.length && !sj_html_find_list(h, item->style, &list))
    sj_html_omit(h, "counter style", item->style.text, item->style.length);
  sj_atom atom;
  const uint32_t *place = find(h, c, item->name, &atom);
  SJ_ARRAY(int32_t) values = {0};
  bool good = place != NULL;
  for (uint32_t i = place ? *place : 0; i && good; i = c->open.data[i - 1].outer) {
    good = sj_resolve_spend(h->r, SJ_WORK_NODE) && sj_array_push(h->context, &values, c->open.data[i - 1].value);
    if (item->kind == SJ_PIECE_COUNTER) break;
  }
  if (good && !values.count) good = sj_array_push(h->context, &values, 0);
  if (!good) sj_resolve_fail_memory(h->r);
  for (size_t left = good ? values.count : 0; left > 0; left--) {
    sj_html_write_number(h, list, values.data[left - 1], false, &w->text);
    if (left > 1) write(w, item->text.text, item->text.length);
  }
  sj_array_finish(h->context, &values);
}

static void write_attribute(writer *w, uint32_t element, const sj_content_item *item) {
  const sj_dom *dom = w->h->r->document->dom;
  const char *name = sj_arena_text(&w->h->arena, item->name.text, item->name.length);
  if (!name) {
    sj_resolve_fail_memory(w->h->r);
    return;
  }
  const sj_string *value = sj_dom_get(dom, element, name);
  write(w, value ? value->text : item->text.text, value ? value->length : item->text.length);
}

static void write_quote(writer *w, sj_html_counters *c, uint32_t element, const sj_html_style *style,
                        const sj_content_item *item) {
  bool closes = item->kind == SJ_PIECE_CLOSE_QUOTE || item->kind == SJ_PIECE_NO_CLOSE_QUOTE;
  bool open = c->quotes > 0;
  if (closes && open) c->quotes--;
  if (item->kind <= SJ_PIECE_CLOSE_QUOTE && (open || !closes)) {
    sj_value_text mark = find_mark(w->h, element, style, c->quotes, closes);
    write(w, mark.text, mark.length);
  }
  if (!closes && c->quotes < UINT32_MAX) c->quotes++;
}

bool sj_html_next_piece(sj_html *h, sj_html_counters *c, uint32_t element, const sj_html_style *style,
                        sj_value_text *left, sj_html_piece *out) {
  writer w = {.h = h};
  bool more = true;
  *out = (sj_html_piece){.is_image = false};
  while (more && sj_resolve_spend(h->r, SJ_WORK_VALUE)) {
    sj_value_text rest = *left;
    sj_content_item item = sj_content_next(&h->arena, &rest);
    // An image is a piece of its own, and so is what stands before it.
    if (item.kind == SJ_PIECE_IMAGE && w.text.count) break;
    *left = rest;
    switch (item.kind) {
      case SJ_PIECE_STRING: write(&w, item.text.text, item.text.length); break;
      case SJ_PIECE_ATTRIBUTE: write_attribute(&w, element, &item); break;
      case SJ_PIECE_COUNTER:
      case SJ_PIECE_COUNTERS: write_counters(&w, c, &item); break;
      case SJ_PIECE_OPEN_QUOTE:
      case SJ_PIECE_CLOSE_QUOTE:
      case SJ_PIECE_NO_OPEN_QUOTE:
      case SJ_PIECE_NO_CLOSE_QUOTE: write_quote(&w, c, element, style, &item); break;
      case SJ_PIECE_IMAGE: *out = (sj_html_piece){true, item.text}; return sj_resolving(h->r);
      // What is not valid was no declaration, so that memory is short.
      case SJ_PIECE_INVALID: sj_resolve_fail_memory(h->r); break;
      case SJ_PIECE_END: more = false; break;
    }
  }
  if (w.text.count) {
    out->text = (sj_value_text){sj_arena_text(&h->arena, w.text.data, w.text.count), w.text.count};
    if (!out->text.text) sj_resolve_fail_memory(h->r);
  }
  sj_array_finish(h->context, &w.text);
  return out->text.length && sj_resolving(h->r);
}
