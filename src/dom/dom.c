#include "dom/dom.h"

#include <math.h>
#include <string.h>

#include "markup/namespaces.h"

static const char html_address[] = SJ_SPACE_HTML;
static const char xml_address[] = SJ_SPACE_XML;

// Interns a text, and notes the failure.
static sj_atom intern(stijl_css_document *d, const char *text, size_t length) {
  sj_atom atom = sj_atoms_intern(&d->atoms, text, length);
  if (!atom) sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
  return atom;
}

stijl_result stijl_css_document_create(stijl_context *context, bool html, const stijl_css_limits *limits,
                                       stijl_css_document **out) {
  if (!out) return STIJL_ERROR_INVALID_ARGUMENT;
  *out = NULL;
  if (limits && isnan(limits->max_seconds)) return STIJL_ERROR_INVALID_ARGUMENT;
  context = sj_context(context);
  stijl_css_document *d = sj_alloc_zero(context, sizeof *d);
  if (!d) return STIJL_ERROR_OUT_OF_MEMORY;
  d->context = context;
  d->html = html;
  d->open = SJ_NO_NODE;
  d->limits = limits ? *limits : (stijl_css_limits)STIJL_CSS_LIMITS_INIT;
  if (sj_atoms_init(&d->atoms, context)) {
    d->html_space = intern(d, html_address, sizeof html_address - 1);
    d->xml_space = intern(d, xml_address, sizeof xml_address - 1);
    d->name_id = intern(d, "id", 2);
    d->name_class = intern(d, "class", 5);
    d->name_lang = intern(d, "lang", 4);
    if (d->status == STIJL_OK) {
      *out = d;
      return STIJL_OK;
    }
  }
  stijl_css_document_destroy(d);
  return STIJL_ERROR_OUT_OF_MEMORY;
}

void sj_dom_end_matching(sj_dom *d) {
  stijl_context *context = d->context;
  sj_arrays_finish(context, &d->previous, &d->id, &d->states, &d->language, &d->classes, &d->index, &d->index_last,
                   &d->type_index, &d->type_index_last, &d->class_pool, &d->blooms, &d->folded, &d->changes);
  d->finished = d->folding = false;
}

void sj_dom_sheet_finish(stijl_context *context, sj_dom_sheet *sheet) {
  sj_free(context, sheet->href);
  sj_free(context, sheet->text);
  sj_free(context, sheet->media);
}

void stijl_css_document_destroy(stijl_css_document *d) {
  if (!d) return;
  stijl_context *context = d->context;
  sj_dom_end_matching(d);
  sj_atoms_finish(&d->atoms);
  sj_arrays_finish(context, &d->loose, &d->parent, &d->next, &d->first_child, &d->end, &d->space, &d->name, &d->flags,
                   &d->attributes, &d->attribute_pool);
  for (size_t i = 0; i < d->sheets.count; i++) sj_dom_sheet_finish(context, &d->sheets.data[i]);
  sj_array_finish(context, &d->sheets);
  sj_free(context, d);
}

void sj_dom_fail(stijl_css_document *d, stijl_result result) {
  if (d->status == STIJL_OK) d->status = result;
}

// --- recording ---

// Begins an element. While it is open, its `end` holds the number of its last child so far.
void sj_dom_begin(stijl_css_document *d, const char *space, size_t space_length, const char *name, size_t length) {
  if (d->status) return;
  if (d->finished || (d->count && d->open == SJ_NO_NODE)) {
    sj_dom_fail(d, STIJL_ERROR_INVALID_STATE);
    return;
  }
  if (d->count >= d->limits.max_elements || d->depth >= d->limits.max_depth) {
    sj_dom_fail(d, STIJL_ERROR_LIMIT);
    return;
  }
  stijl_context *context = d->context;
  uint32_t e = d->count, last = e ? d->end.data[d->open] : SJ_NO_NODE;
  // Most elements are in the namespace of their parent, which is faster to compare than to look up.
  sj_atom space_atom = e ? d->space.data[d->open] : SJ_ATOM_NONE;
  if (!e || sj_atoms_length(&d->atoms, space_atom) != space_length ||
      memcmp(sj_atoms_text(&d->atoms, space_atom), space, space_length) != 0)
    space_atom = intern(d, space, space_length);
  sj_atom name_atom = intern(d, name, length);
  if (d->status) return;
  uint8_t flags = d->html && space_atom == d->html_space ? SJ_NODE_HTML : 0;
  sj_pool_range attributes = {(uint32_t)d->attribute_pool.count, 0};
  if (!sj_array_push(context, &d->parent, d->open) || !sj_array_push(context, &d->next, SJ_NO_NODE) ||
      !sj_array_push(context, &d->first_child, SJ_NO_NODE) || !sj_array_push(context, &d->end, SJ_NO_NODE) ||
      !sj_array_push(context, &d->space, space_atom) || !sj_array_push(context, &d->name, name_atom) ||
      !sj_array_push(context, &d->flags, flags) || !sj_array_push(context, &d->attributes, attributes)) {
    sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
    return;
  }
  if (d->html && !flags) d->has_foreign = true;
  if (last != SJ_NO_NODE)
    d->next.data[last] = e;
  else if (e)
    d->first_child.data[d->open] = e;
  if (e) d->end.data[d->open] = e;
  d->open = e;
  d->count++;
  if (++d->depth > d->deepest) d->deepest = d->depth;
}

// Returns whether attributes of the open element may be recorded. They must come before its first child, so that the
// attributes of each element lie together in the pool.
static bool takes_attributes(sj_dom *d) {
  if (d->status) return false;
  if (d->open == d->count - 1 && d->count && !d->finished) return true;
  sj_dom_fail(d, STIJL_ERROR_INVALID_STATE);
  return false;
}

static void add_attribute(sj_dom *d, const char *space, size_t space_length, const char *name, size_t length,
                          sj_atom value) {
  sj_node_attribute a = {intern(d, space, space_length), intern(d, name, length), value};
  if (d->status) return;
  if (d->attribute_pool.count >= UINT32_MAX - 1 || !sj_array_push(d->context, &d->attribute_pool, a)) {
    sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
    return;
  }
  d->attributes.data[d->open].count++;
}

void sj_dom_attribute(sj_dom *d, const char *space, size_t space_length, const char *name, size_t length,
                      const char *value, size_t value_length) {
  if (takes_attributes(d)) add_attribute(d, space, space_length, name, length, intern(d, value, value_length));
}

// Returns a copy of the text as a loose value; SJ_ATOM_NONE when memory is short.
static sj_atom keep(sj_dom *d, const char *text, size_t length) {
  if (!length) return SJ_ATOM_EMPTY;
  if (length >= UINT32_MAX || d->loose.count >= SJ_LOOSE) return SJ_ATOM_NONE;
  const char *kept = sj_arena_text(&d->atoms.texts, text, length);
  return kept ? sj_dom_refer(d, kept, length) : SJ_ATOM_NONE;
}

sj_atom sj_dom_refer(sj_dom *d, const char *text, size_t length) {
  if (!length) return SJ_ATOM_EMPTY;
  if (length >= UINT32_MAX || d->loose.count >= SJ_LOOSE) return SJ_ATOM_NONE;
  if (!sj_array_push(d->context, &d->loose, (sj_string){text, (uint32_t)length, 0})) return SJ_ATOM_NONE;
  return SJ_LOOSE | (sj_atom)(d->loose.count - 1);
}

void sj_dom_attribute_loose(sj_dom *d, const char *space, size_t space_length, const char *name, size_t length,
                            const char *value, size_t value_length) {
  if (!takes_attributes(d)) return;
  sj_atom kept = keep(d, value, value_length);
  if (kept)
    add_attribute(d, space, space_length, name, length, kept);
  else
    sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
}

void stijl_css_document_begin(stijl_css_document *document, const char *space, const char *name) {
  if (!document || !name) return;
  sj_dom_begin(document, space ? space : "", space ? strlen(space) : 0, name, strlen(name));
}

void stijl_css_document_attribute(stijl_css_document *document, const char *space, const char *name,
                                  const char *value) {
  if (!document || !name || !value) return;
  sj_dom_attribute(document, space ? space : "", space ? strlen(space) : 0, name, strlen(name), value, strlen(value));
}

void stijl_css_document_text(stijl_css_document *document) {
  if (!document || document->status) return;
  if (document->open == SJ_NO_NODE) {
    sj_dom_fail(document, STIJL_ERROR_INVALID_STATE);
    return;
  }
  document->flags.data[document->open] |= SJ_NODE_TEXT;
}

void stijl_css_document_end(stijl_css_document *document) {
  if (!document || document->status) return;
  if (document->open == SJ_NO_NODE) {
    sj_dom_fail(document, STIJL_ERROR_INVALID_STATE);
    return;
  }
  document->end.data[document->open] = document->count;
  document->open = document->parent.data[document->open];
  document->depth--;
}

// --- access and changes ---

const sj_string *sj_dom_get(const sj_dom *d, uint32_t element, const char *name) {
  sj_atom atom = sj_atoms_find(&d->atoms, name, strlen(name));
  sj_atom value = atom ? sj_dom_value(d, element, SJ_ATOM_EMPTY, atom) : SJ_ATOM_NONE;
  return value ? sj_dom_string(d, value) : NULL;
}

// Makes room for one more attribute behind the element's others. For that they move to the end of the pool, unless they
// are there already.
static bool make_room(sj_dom *d, uint32_t element) {
  sj_pool_range *range = &d->attributes.data[element];
  size_t pool = d->attribute_pool.count, count = range->count;
  if (pool >= UINT32_MAX - 1 - count || !sj_array_reserve(d->context, &d->attribute_pool, count + 1)) return false;
  if (range->first + count == pool) return true;
  if (count)
    memcpy(d->attribute_pool.data + pool, d->attribute_pool.data + range->first,
           count * sizeof *d->attribute_pool.data);
  d->attribute_pool.count += count;
  range->first = (uint32_t)pool;
  return true;
}

bool sj_dom_set(sj_dom *d, uint32_t element, sj_atom space, sj_atom name, sj_atom value) {
  sj_pool_range *range = &d->attributes.data[element];
  sj_node_attribute *a = sj_array_at(&d->attribute_pool, range->first), *end = a ? a + range->count : a;
  while (a != end && !(a->name == name && a->space == space)) a++;
  if (a != end && value) {
    a->value = value;
  } else if (a != end) {
    memmove(a, a + 1, (size_t)(end - (a + 1)) * sizeof *a);
    range->count--;
  } else if (value) {
    if (!make_room(d, element)) return false;
    d->attribute_pool.data[d->attribute_pool.count++] = (sj_node_attribute){space, name, value};
    range->count++;
  }
  return true;
}
