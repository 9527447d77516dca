#include "svg/parse/document.h"

#include <string.h>

#include "base/file.h"
#include "base/search.h"
#include "base/sort.h"
#include "svg/parse/values.h"

// The most bytes of an identifier whose %XX are decoded; longer ones are only taken as they stand.
#define MAX_ENCODED_ID 512

void sj_document_finish(sj_document *document) {
  stijl_context *context = document->context;
  if (document->matcher) stijl_css_matcher_destroy(document->matcher);  // before what it matches
  document->matcher = NULL;
  stijl_css_document_destroy(document->dom);
  document->dom = NULL;
  sj_arrays_finish(context, &document->nodes, &document->attribute_names, &document->declared, &document->runs,
                   &document->cascade, &document->copies, &document->copy_nodes);
  sj_pairs_finish(context, &document->copy_matches);
  sj_pairs_finish(context, &document->copy_languages);
  sj_arrays_finish(context, &document->copy_offsets, &document->copy_selectors);
  stijl_css_destroy(document->css);
  document->css = NULL;
  sj_arrays_finish(context, &document->unmoved.attribute_changes, &document->unmoved.run_changes, &document->texts,
                   &document->sheet_links, &document->ids, &document->handed);
  sj_pairs_finish(context, &document->handers);
  sj_arena_finish(&document->arena);
}

static bool add_run(sj_document *document, sj_node *node, size_t first, size_t count) {
  stijl_context *context = document->context;
  uint32_t number = (uint32_t)document->runs.count;
  if (!count) return true;
  if (!sj_array_push(context, &document->runs, (sj_declared_run){(uint32_t)first, (uint32_t)count}) ||
      !sj_array_push(context, &document->cascade, number))
    return false;
  node->run_count++;
  return true;
}

bool sj_document_insert_run(sj_document *document, sj_node *node, size_t first) {
  size_t added = document->declared.count - first, count = node->run_count, old = node->first_run;
  if (!added) return true;
  if (!sj_document_note_runs(document, node)) return false;
  if (document->declared.count >= UINT32_MAX - 1 || document->runs.count >= UINT32_MAX - 4 ||
      document->cascade.count + count >= UINT32_MAX - 4)
    return false;
  node->first_run = (uint32_t)document->cascade.count;
  node->run_count = 0;
  bool placed = false;
  for (size_t i = 0; i < count; i++) {
    uint32_t number = document->cascade.data[old + i];
    sj_declared_run run = document->runs.data[number];
    uint32_t normal = 0;
    while (!placed && normal < run.count && !document->declared.data[run.first + normal].important) normal++;
    if (placed || normal == run.count) {
      if (!sj_array_push(document->context, &document->cascade, number)) return false;
      node->run_count++;
      continue;
    }
    // From here on the run's declarations are important, so the run becomes two: one before the new run and one behind
    // it.
    placed = true;
    if (!add_run(document, node, run.first, normal) || !add_run(document, node, first, added) ||
        !add_run(document, node, run.first + normal, run.count - normal))
      return false;
  }
  return placed || add_run(document, node, first, added);
}

bool sj_document_learn_name(sj_document *document, sj_atom atom) {
  size_t known = document->attribute_names.count;
  if (atom >= known) {
    if (!sj_array_reserve(document->context, &document->attribute_names, atom + 1 - known)) return false;
    memset(document->attribute_names.data + known, 0, (atom + 1 - known) * sizeof *document->attribute_names.data);
    document->attribute_names.count = atom + 1;
  }
  uint16_t *found = &document->attribute_names.data[atom];
  if (*found) return true;
  sj_string text = document->dom->atoms.strings.data[atom];
  sj_name name = sj_attribute_find(text.text, text.length);
  *found = (uint16_t)(name + 1);
  if (name != SJ_NAME_UNKNOWN) document->atoms[name] = atom;
  return true;
}

sj_name sj_document_attribute_name(const sj_document *document, const sj_node_attribute *attribute) {
  sj_name name = (sj_name)(document->attribute_names.data[attribute->name] - 1);
  bool known =
      attribute->space == SJ_ATOM_EMPTY || (name == SJ_ATTRIBUTE_HREF && attribute->space == document->xlink_space);
  return known ? name : SJ_NAME_UNKNOWN;
}

const sj_string *sj_document_attribute(const sj_document *document, uint32_t element, sj_name name) {
  const sj_dom *dom = document->dom;
  sj_atom atom = document->atoms[name];
  if (!atom) return NULL;
  sj_atom value = sj_dom_value(dom, element, SJ_ATOM_EMPTY, atom);
  // SVG's own href wins over XLink's.
  if (!value && name == SJ_ATTRIBUTE_HREF) value = sj_dom_value(dom, element, document->xlink_space, atom);
  return value ? sj_dom_string(dom, value) : NULL;
}

bool sj_document_set_attribute(sj_document *document, uint32_t element, sj_atom local, const char *text,
                               size_t length) {
  sj_dom *dom = document->dom;
  const char *kept = sj_arena_text(&document->arena, text, length);
  sj_atom value = kept ? sj_dom_refer(dom, kept, length) : SJ_ATOM_NONE;
  if (!value || !sj_document_learn_name(document, local)) return false;
  // If there is only an XLink href, that is the one to set, since it is the one that is read.
  bool xlink = local == document->atoms[SJ_ATTRIBUTE_HREF] && !sj_dom_value(dom, element, SJ_ATOM_EMPTY, local) &&
               sj_dom_value(dom, element, document->xlink_space, local);
  sj_atom space = xlink ? document->xlink_space : SJ_ATOM_EMPTY;
  return sj_document_note_attribute(document, element, space, local) && sj_dom_set(dom, element, space, local, value);
}

size_t sj_document_first_text(const sj_document *document, uint32_t element) {
  size_t low = 0, high = document->texts.count;
  SJ_SEARCH(low, high, i, document->texts.data[i].before <= element);
  return low;
}

// Returns whether a style declaration asks for the initial value: `auto`, and no path data.
static bool is_initial(const sj_declared *declared) {
  return sj_is_keyword(declared->value, declared->length, "initial") ||
         sj_is_keyword(declared->value, declared->length, "unset");
}

// Returns whether a style declaration is valid for a geometry property. In CSS, unlike in attributes, width and height
// other than 0 need a unit, and path data are a function. Browsers take the other properties, which are SVG's own,
// without a unit.
static bool is_css_geometry(const sj_declared *declared) {
  if (is_initial(declared)) return true;
  if (declared->name == SJ_ATTRIBUTE_D) {
    return sj_is_keyword(declared->value, declared->length, "none") ||
           (declared->length > 5 && sj_is_keyword(declared->value, 5, "path("));
  }
  bool units = declared->name == SJ_ATTRIBUTE_WIDTH || declared->name == SJ_ATTRIBUTE_HEIGHT;
  sj_length length;
  return sj_is_keyword(declared->value, declared->length, "auto") ||
         (sj_parse_length(declared->value, declared->length, &length) &&
          (!units || length.unit != SJ_UNIT_NONE || length.value == 0.0f));
}

bool sj_document_geometry(const sj_document *document, uint32_t copy, uint32_t element, sj_name name, const char **text,
                          size_t *length) {
  const sj_node *node = sj_document_node(document, copy, element);
  const sj_declared *last = NULL;
  sj_cascade cascade = sj_cascade_of(document, node);
  for (const sj_declared *d; (d = sj_cascade_next(&cascade));)
    if (d->name == name && is_css_geometry(d)) last = d;
  if (last) {
    bool initial = is_initial(last);
    *text = initial ? "auto" : last->value;
    *length = initial ? 4 : last->length;
    return true;
  }
  const sj_string *attribute = sj_document_attribute(document, element, name);
  if (!attribute) return false;
  *text = attribute->text;
  *length = attribute->length;
  return true;
}

static int compare_ids(const void *left, const void *right) {
  const sj_id *a = left, *b = right;
  return sj_compare_texts(a->text, a->length, b->text, b->length);
}

bool sj_document_index_ids(sj_document *document) {
  for (uint32_t i = 0; i < document->nodes.count; i++) {
    const sj_string *id = sj_document_attribute(document, i, SJ_ATTRIBUTE_ID);
    if (id && id->length &&
        !sj_array_push(document->context, &document->ids,
                       ((sj_id){.text = id->text, .length = id->length, .element = i})))
      return false;
  }
  return sj_sort(document->context, document->ids.data, document->ids.count, sizeof *document->ids.data, compare_ids);
}

uint32_t sj_document_by_id(const sj_document *document, const char *id, size_t length) {
  const sj_id *ids = document->ids.data;
  size_t low = 0, high = document->ids.count;
  SJ_SEARCH(low, high, i, sj_compare_texts(ids[i].text, ids[i].length, id, length) < 0);
  bool found = low < document->ids.count && sj_compare_texts(ids[low].text, ids[low].length, id, length) == 0;
  return found ? ids[low].element : SJ_NO_ELEMENT;
}

uint32_t sj_document_by_url(const sj_document *document, const char *url, size_t length) {
  const char *id;
  size_t id_length;
  if (!sj_url_fragment(url, length, &id, &id_length)) return SJ_NO_ELEMENT;
  uint32_t element = sj_document_by_id(document, id, id_length);
  char decoded[MAX_ENCODED_ID];
  if (element != SJ_NO_ELEMENT || id_length > sizeof decoded || !memchr(id, '%', id_length)) return element;
  // Browsers look for the id as it stands, and then with %XX decoded (HTML, 7.4.6.4).
  return sj_document_by_id(document, decoded, sj_percent_decode(id, id_length, decoded));
}

uint32_t sj_document_by_href(const sj_document *document, uint32_t element) {
  const sj_string *href = sj_document_attribute(document, element, SJ_ATTRIBUTE_HREF);
  return href ? sj_document_by_url(document, href->text, href->length) : SJ_NO_ELEMENT;
}

bool sj_document_is_ancestor_or_self(const sj_document *document, uint32_t ancestor, uint32_t element) {
  return ancestor <= element && element < document->dom->end.data[ancestor];
}

void sj_document_note(sj_document *document, sj_name known, const char *name, size_t name_length, const char *value,
                      size_t length, bool at_root) {
  if (known == SJ_PROPERTY_MIX_BLEND_MODE) document->has_blend = true;
  bool animates = known == SJ_PROPERTY_ANIMATION || known == SJ_PROPERTY_ANIMATION_NAME;
  if (known != SJ_NAME_UNKNOWN && !animates) return;
  int missing = animates ? -1 : sj_property_missing(name, name_length, at_root);
  if (!animates && missing < 0) return;
  // To `all` even the words for all properties mean something, and to outlines `auto`.
  static const char *const nothing[] = {"initial", "unset", "revert", "inherit", "none",
                                        "0",       "1",     "normal", "visible", "auto"};
  size_t count = sizeof nothing / sizeof *nothing;
  if (name_length == 3 && !animates) count = 0;
  if (name_length >= 7 && (*name | 32) == 'o' && (name[1] | 32) == 'u') count--;
  for (size_t i = 0; i < count; i++)
    if (sj_is_keyword(value, length, nothing[i])) return;
  document->has_animation |= animates;
  if (missing >= 0) document->missing_properties |= (uint64_t)1 << missing;
}
