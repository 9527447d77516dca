#include "css/document.h"

#include <string.h>

#include "base/budget.h"
#include "base/sort.h"
#include "css/bloom.h"
#include "css/tokens.h"

// --- what follows from the recording ---

static int compare_atoms(const void *a, const void *b) {
  sj_atom x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return (x > y) - (x < y);
}

static void sort_atoms(stijl_css_document *d, sj_atom *a, uint32_t count) {
  if (count > 16) {
    if (!sj_sort(d->context, a, count, sizeof *a, compare_atoms)) sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    sj_atom x = a[i];
    uint32_t j = i;
    for (; j > 0 && a[j - 1] > x; j--) a[j] = a[j - 1];
    a[j] = x;
  }
}

static sj_atom folded(stijl_css_document *d, const char *text, size_t length) {
  sj_atom atom = d->quirks ? sj_atoms_intern_lower(&d->atoms, text, length) : sj_atoms_intern(&d->atoms, text, length);
  if (!atom) sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
  return atom;
}

// Splits the text of the class attribute and appends the classes to the pool, sorted.
static void set_classes(stijl_css_document *d, uint32_t e, sj_atom value) {
  sj_pool_range range = {(uint32_t)d->class_pool.count, 0};
  const char *text = value ? sj_dom_string(d, value)->text : "";
  uint32_t length = value ? sj_dom_string(d, value)->length : 0;
  for (uint32_t i = 0; i < length;) {
    while (i < length && sj_is_css_space(text[i])) i++;
    uint32_t start = i;
    while (i < length && !sj_is_css_space(text[i])) i++;
    if (i == start) break;
    sj_atom atom = folded(d, text + start, i - start);
    if (d->status) return;
    if (d->class_pool.count >= UINT32_MAX - 1 || !sj_array_push(d->context, &d->class_pool, atom)) {
      sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
      return;
    }
  }
  sj_atom *list = sj_array_at(&d->class_pool, range.first);
  uint32_t count = (uint32_t)d->class_pool.count - range.first;
  if (count > 1) sort_atoms(d, list, count);
  for (uint32_t i = 0; i < count; i++)
    if (range.count == 0 || list[range.count - 1] != list[i]) list[range.count++] = list[i];
  d->class_pool.count = range.first + range.count;
  d->classes.data[e] = range;
}

static void set_id(stijl_css_document *d, uint32_t e, sj_atom value) {
  sj_string id = value ? *sj_dom_string(d, value) : (sj_string){0};
  d->id.data[e] = id.length ? folded(d, id.text, id.length) : SJ_ATOM_NONE;
}

static int compare_names(const void *a, const void *b) {
  const sj_node_attribute *x = a, *y = b;
  return (x->name > y->name) - (x->name < y->name);
}

// Sorts a long list of attributes by name, so that a name is found quickly. Of equal names the first stays first,
// because it is the one that counts.
static void sort_attributes(stijl_css_document *d, uint32_t e) {
  sj_pool_range range = d->attributes.data[e];
  sj_node_attribute *a = d->attribute_pool.data ? d->attribute_pool.data + range.first : NULL;
  if (range.count > SJ_UNSORTED_ATTRIBUTES && !sj_sort(d->context, a, range.count, sizeof *a, compare_names))
    sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
}

// Returns the language that the element itself declares: xml:lang, or else lang.
static sj_atom own_language(stijl_css_document *d, uint32_t e) {
  sj_pool_range range = d->attributes.data[e];
  const sj_node_attribute *a = sj_array_at(&d->attribute_pool, range.first);
  sj_atom value = SJ_ATOM_NONE;
  for (uint32_t i = 0; i < range.count; i++) {
    if (a[i].name != d->name_lang) continue;
    if (a[i].space == d->xml_space) {
      value = a[i].value;
      break;
    }
    if (a[i].space == SJ_ATOM_EMPTY) value = a[i].value;
  }
  if (!value) return SJ_ATOM_NONE;
  sj_string language = *sj_dom_string(d, value);
  sj_atom lower = sj_atoms_intern_lower(&d->atoms, language.text, language.length);
  if (!lower) sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
  return lower;
}

void sj_css_set_languages(stijl_css_document *d, uint32_t root, sj_atom inherited) {
  for (uint32_t e = root; e < d->end.data[root] && !d->status; e++) {
    sj_atom own = own_language(d, e);
    d->language.data[e] = own ? own : e == root ? inherited : d->language.data[d->parent.data[e]];
  }
}

sj_atom sj_css_inherited_language(const stijl_css_document *d, uint32_t e) {
  uint32_t parent = d->parent.data[e];
  return parent == SJ_NO_NODE ? SJ_ATOM_NONE : d->language.data[parent];
}

static void find_previous(stijl_css_document *d) {
  for (uint32_t e = 0; e < d->count; e++) {
    uint32_t first = d->first_child.data[e], next = d->next.data[e];
    if (e == 0) d->previous.data[e] = SJ_NO_NODE;
    if (first != SJ_NO_NODE) d->previous.data[first] = SJ_NO_NODE;
    if (next != SJ_NO_NODE) d->previous.data[next] = e;
  }
}

// How many siblings of one type were met in a family; `family` tells whether the count is that of an earlier one.
typedef struct type_count {
  uint32_t family, count;
} type_count;

static void count_family(stijl_css_document *d, const uint32_t *type, type_count *counts, uint32_t family,
                         uint32_t first) {
  uint32_t last = first, position = 0;
  for (uint32_t e = first; e != SJ_NO_NODE; e = d->next.data[e]) {
    type_count *c = &counts[type[e]];
    if (c->family != family) *c = (type_count){family, 0};
    d->index.data[e] = ++position;
    d->type_index.data[e] = ++c->count;
    last = e;
  }
  uint32_t members = position;
  for (uint32_t e = last; e != SJ_NO_NODE; e = d->previous.data[e]) {
    d->index_last.data[e] = members - d->index.data[e] + 1;
    d->type_index_last.data[e] = counts[type[e]].count - d->type_index.data[e] + 1;
  }
}

static bool count_siblings(stijl_css_document *d) {
  stijl_context *context = d->context;
  // Siblings are of one type when namespace and name are equal: both together are interned as one string.
  sj_atoms types;
  if (!sj_atoms_init(&types, context)) return false;
  uint32_t *type = sj_alloc_array(context, d->count, sizeof *type);
  bool good = type != NULL;
  for (uint32_t e = 0; good && e < d->count; e++) {
    const sj_atom pair[2] = {d->space.data[e], d->name.data[e]};
    // Siblings are often of one type: comparing with the one before is quicker than hashing.
    uint32_t previous = d->previous.data[e];
    if (previous != SJ_NO_NODE && d->space.data[previous] == pair[0] && d->name.data[previous] == pair[1]) {
      type[e] = type[previous];
      continue;
    }
    type[e] = sj_atoms_intern(&types, (const char *)pair, sizeof pair);
    good = type[e] != SJ_ATOM_NONE;
  }
  type_count *counts = good ? sj_alloc_array(context, types.strings.count, sizeof *counts) : NULL;
  good = counts != NULL;
  if (good) {
    memset(counts, 0xff, types.strings.count * sizeof *counts);
    count_family(d, type, counts, d->count, 0);
    for (uint32_t e = 0; e < d->count; e++)
      if (d->first_child.data[e] != SJ_NO_NODE) count_family(d, type, counts, e, d->first_child.data[e]);
  }
  sj_free(context, counts);
  sj_free(context, type);
  sj_atoms_finish(&types);
  return good;
}

// Finds the atom of each string in lower case. The loop also meets the atoms that it makes, which stand for themselves.
static bool fold(stijl_css_document *d) {
  for (size_t i = d->folded.count; i < d->atoms.strings.count; i++) {
    sj_atom atom = (sj_atom)i;
    sj_atom lower = sj_atoms_lower(&d->atoms, atom);
    if ((!lower && atom) || !sj_array_push(d->context, &d->folded, lower)) return false;
  }
  return true;
}

bool sj_css_document_bloom(stijl_css_document *d) {
  size_t have = d->blooms.count, need = d->atoms.strings.count;
  if (d->folding && !fold(d)) return false;
  need = d->atoms.strings.count;
  if (have >= need) return true;
  if (!sj_array_reserve(d->context, &d->blooms, need - have)) return false;
  sj_spender spender = {.budget = sj_budget_of(d->context)};
  for (size_t i = have; i < need; i++) {
    if (!sj_spend(&spender, SJ_WORK_NODE + d->atoms.strings.data[i].length)) return false;
    const sj_string *string = &d->atoms.strings.data[i];
    d->blooms.data[i] = sj_bloom(string->text, string->length);
  }
  d->blooms.count = need;
  return true;
}

#define RESIZE(array)                            \
  (sj_array_reserve(d->context, &d->array, n) && \
   (memset(d->array.data, 0, n * sizeof *d->array.data), d->array.count = n, true))

static bool allocate(stijl_css_document *d) {
  size_t n = d->count;
  return RESIZE(previous) && RESIZE(id) && RESIZE(states) && RESIZE(language) && RESIZE(classes) && RESIZE(index) &&
         RESIZE(index_last) && RESIZE(type_index) && RESIZE(type_index_last);
}

// Sets the states of elements in XML, where every element is defined, and an <a> with href is a link, as in SVG.
static void xml_states(stijl_css_document *d) {
  sj_atom a = sj_atoms_find(&d->atoms, "a", 1), href = sj_atoms_find(&d->atoms, "href", 4);
  for (uint32_t e = 0; e < d->count; e++) {
    d->states.data[e] = STIJL_CSS_STATE_DEFINED;
    if (!a || !href || d->name.data[e] != a) continue;
    sj_pool_range range = d->attributes.data[e];
    for (uint32_t i = 0; i < range.count; i++)
      if (d->attribute_pool.data[range.first + i].name == href) d->states.data[e] |= STIJL_CSS_STATE_LINK;
  }
}

stijl_result stijl_css_document_finish(stijl_css_document *d, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!d) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no document");
  if (d->finished || d->open != SJ_NO_NODE || d->count == 0) sj_dom_fail(d, STIJL_ERROR_INVALID_STATE);
  if (!d->status && !allocate(d)) sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
  if (!d->status) find_previous(d);
  sj_spender spender = {.budget = sj_budget_of(d->context)};
  for (uint32_t e = 0; e < d->count && !d->status; e++) {
    sort_attributes(d, e);
    if (!sj_spend(&spender, SJ_WORK_NODE * (1 + (uint64_t)d->attributes.data[e].count)))
      sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
    if (d->status) break;
    set_classes(d, e, sj_dom_value(d, e, SJ_ATOM_EMPTY, d->name_class));
    if (!d->status) set_id(d, e, sj_dom_value(d, e, SJ_ATOM_EMPTY, d->name_id));
  }
  if (!d->status && d->count) sj_css_set_languages(d, 0, SJ_ATOM_NONE);
  if (!d->status && !d->html) xml_states(d);
  if (!d->status && (!count_siblings(d) || (d->html && !sj_css_html_states(d)) || !sj_css_document_bloom(d)))
    sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
  if (!d->status) {
    d->finished = true;
    return STIJL_OK;
  }
  if (d->status == STIJL_ERROR_LIMIT)
    return d->depth >= d->limits.max_depth
               ? sj_fail(message, d->status, "the document is deeper than max_depth (%u)", d->limits.max_depth)
               : sj_fail(message, d->status, "the document has more elements than max_elements (%u)",
                         d->limits.max_elements);
  if (d->status == STIJL_ERROR_INVALID_STATE)
    return sj_fail(message, d->status, "the calls that make a document came out of order");
  return sj_fail(message, d->status, "%s", stijl_result_string(d->status));
}

// --- access and changes ---

uint32_t stijl_css_document_elements(const stijl_css_document *document) { return document ? document->count : 0; }

uint32_t stijl_css_document_parent(const stijl_css_document *document, uint32_t element) {
  return document && element < document->count ? document->parent.data[element] : SJ_NO_NODE;
}

const char *stijl_css_document_name(const stijl_css_document *document, uint32_t element) {
  return document && element < document->count ? sj_atoms_text(&document->atoms, document->name.data[element]) : "";
}

const char *stijl_css_document_get_attribute(const stijl_css_document *document, uint32_t element, const char *name) {
  if (!document || !name || element >= document->count) return NULL;
  const sj_string *value = sj_dom_get(document, element, name);
  return value ? value->text : NULL;
}

static bool note_change(stijl_css_document *d, uint32_t element) {
  return sj_array_push(d->context, &d->changes, element);
}

stijl_result stijl_css_document_set_attribute(stijl_css_document *document, uint32_t element, const char *name,
                                              const char *value) {
  stijl_css_document *d = document;
  if (!d || !name || element >= d->count) return STIJL_ERROR_INVALID_ARGUMENT;
  if (!d->finished) return STIJL_ERROR_INVALID_STATE;
  size_t length = strlen(name);
  sj_atom atom = d->flags.data[element] & SJ_NODE_HTML ? sj_atoms_intern_lower(&d->atoms, name, length)
                                                       : sj_atoms_intern(&d->atoms, name, length);
  sj_atom value_atom = value ? sj_atoms_intern(&d->atoms, value, strlen(value)) : SJ_ATOM_NONE;
  if (!atom || (value && !value_atom) || !note_change(d, element)) return STIJL_ERROR_OUT_OF_MEMORY;
  if (!sj_dom_set(d, element, SJ_ATOM_EMPTY, atom, value_atom)) return STIJL_ERROR_OUT_OF_MEMORY;
  if (value) sort_attributes(d, element);
  if (atom == d->name_class) set_classes(d, element, value_atom);
  if (atom == d->name_id) set_id(d, element, value_atom);
  if (atom == d->name_lang) {
    uint32_t end = d->end.data[element];
    sj_css_set_languages(d, element, sj_css_inherited_language(d, element));
    for (uint32_t e = element + 1; e < end; e++)
      if (!note_change(d, e)) return STIJL_ERROR_OUT_OF_MEMORY;
  }
  if (d->status == STIJL_OK && !sj_css_document_bloom(d)) sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
  return d->status;
}

stijl_result stijl_css_document_set_state(stijl_css_document *document, uint32_t element, uint64_t states, bool on) {
  if (!document || element >= document->count) return STIJL_ERROR_INVALID_ARGUMENT;
  if (!document->finished) return STIJL_ERROR_INVALID_STATE;
  uint64_t *old = &document->states.data[element], changed = on ? *old | states : *old & ~states;
  if (changed == *old) return STIJL_OK;
  if (!note_change(document, element)) return STIJL_ERROR_OUT_OF_MEMORY;
  *old = changed;
  return STIJL_OK;
}
