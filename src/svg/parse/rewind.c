// Documents that are looked at more than once, at different times, come back to what they were without animations.
#include "svg/parse/document.h"

void sj_document_mark(sj_document *document, bool styled) {
  sj_unmoved *u = &document->unmoved;
  u->known = true;
  u->styled = styled;
  u->arena = sj_arena_here(&document->arena);
  u->loose = document->dom->loose.count;
  u->attributes = document->dom->attribute_pool.count;
  u->declared = document->declared.count;
  u->runs = document->runs.count;
  u->cascade = document->cascade.count;
  u->has_blend = document->has_blend;
  u->has_animation = document->has_animation;
  u->missing_properties = document->missing_properties;
  u->invalid_count = document->invalid_count;
  u->first_invalid = document->first_invalid;
}

bool sj_document_note_attribute(sj_document *document, uint32_t element, sj_atom space, sj_atom name) {
  if (!document->unmoved.known) return true;
  const sj_dom *dom = document->dom;
  sj_attribute_change change = {.element = element, .range = dom->attributes.data[element], .place = SJ_NO_ELEMENT};
  for (uint32_t i = 0; i < change.range.count; i++) {
    const sj_node_attribute *a = &dom->attribute_pool.data[change.range.first + i];
    if (a->name != name || a->space != space) continue;
    change.place = change.range.first + i;
    change.value = a->value;
  }
  document->nodes.data[element].moves = true;
  return sj_array_push(document->context, &document->unmoved.attribute_changes, change);
}

bool sj_document_note_runs(sj_document *document, const sj_node *node) {
  if (!document->unmoved.known) return true;
  sj_run_change change = {.first_run = node->first_run, .run_count = node->run_count};
  const sj_node *nodes = document->nodes.data, *copies = document->copy_nodes.data;
  if (copies && node >= copies && node < copies + document->copy_nodes.count) {
    change.element = (uint32_t)(document->nodes.count + (size_t)(node - copies));
  } else {
    change.element = (uint32_t)(node - nodes);
    document->nodes.data[change.element].moves = true;
  }
  return sj_array_push(document->context, &document->unmoved.run_changes, change);
}

bool sj_document_is_moving(const sj_document *document, const char *text) {
  const sj_dom *dom = document->dom;
  for (size_t i = document->unmoved.loose; document->unmoved.known && i < dom->loose.count; i++)
    if (dom->loose.data[i].text == text) return true;
  return false;
}

void sj_document_rewind(sj_document *document) {
  sj_unmoved *u = &document->unmoved;
  sj_dom *dom = document->dom;
  for (size_t left = u->attribute_changes.count; left > 0; left--) {
    const sj_attribute_change *change = &u->attribute_changes.data[left - 1];
    if (change->place != SJ_NO_ELEMENT) dom->attribute_pool.data[change->place].value = change->value;
    dom->attributes.data[change->element] = change->range;
  }
  for (size_t left = u->run_changes.count; left > 0; left--) {
    const sj_run_change *change = &u->run_changes.data[left - 1];
    size_t count = document->nodes.count;
    sj_node *node = change->element < count ? &document->nodes.data[change->element]
                                            : &document->copy_nodes.data[change->element - count];
    node->first_run = change->first_run;
    node->run_count = change->run_count;
  }
  for (size_t i = 0; i < document->nodes.count && !u->styled; i++)
    document->nodes.data[i].first_run = document->nodes.data[i].run_count = 0;
  u->attribute_changes.count = u->run_changes.count = 0;
  dom->loose.count = u->loose;
  dom->attribute_pool.count = u->attributes;
  sj_arena_rewind(&document->arena, u->arena);
  document->declared.count = u->declared;
  document->runs.count = u->runs;
  document->cascade.count = u->cascade;
  document->has_blend = u->has_blend;
  document->has_animation = u->has_animation;
  document->missing_properties = u->missing_properties;
  document->invalid_count = u->invalid_count;
  document->first_invalid = u->first_invalid;
}
