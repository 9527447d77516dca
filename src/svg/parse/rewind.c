// Documents that are looked at more than once, at different times, come back to what they were when they were parsed.
#include "svg/parse/document.h"

void sj_document_mark(sj_document *document) {
  sj_unstyled *u = &document->unstyled;
  u->known = true;
  u->arena = sj_arena_here(&document->arena);
  u->loose = document->dom->loose.count;
  u->attributes = document->dom->attribute_pool.count;
  u->has_blend = document->has_blend;
  u->has_animation = document->has_animation;
  u->has_linear = document->has_linear;
  u->missing_property = document->missing_property;
}

bool sj_document_note_change(sj_document *document, uint32_t element, sj_atom space, sj_atom name) {
  if (!document->unstyled.known) return true;
  const sj_dom *dom = document->dom;
  sj_attribute_change change = {.element = element, .range = dom->attributes.data[element], .place = SJ_NO_ELEMENT};
  for (uint32_t i = 0; i < change.range.count; i++) {
    const sj_node_attribute *a = &dom->attribute_pool.data[change.range.first + i];
    if (a->name != name || a->space != space) continue;
    change.place = change.range.first + i;
    change.value = a->value;
  }
  return sj_array_push(document->context, &document->unstyled.changes, change);
}

void sj_document_rewind(sj_document *document) {
  sj_unstyled *u = &document->unstyled;
  sj_dom *dom = document->dom;
  for (size_t left = u->changes.count; left > 0; left--) {
    const sj_attribute_change *change = &u->changes.data[left - 1];
    if (change->place != SJ_NO_ELEMENT) dom->attribute_pool.data[change->place].value = change->value;
    dom->attributes.data[change->element] = change->range;
  }
  u->changes.count = 0;
  dom->loose.count = u->loose;
  dom->attribute_pool.count = u->attributes;
  sj_arena_rewind(&document->arena, u->arena);
  for (size_t i = 0; i < document->nodes.count; i++) document->nodes.data[i].first_run = document->nodes.data[i].run_count = 0;
  document->declared.count = document->runs.count = document->cascade.count = 0;
  document->has_blend = u->has_blend;
  document->has_animation = u->has_animation;
  document->has_linear = u->has_linear;
  document->missing_property = u->missing_property;
  document->invalid_count = document->first_invalid = 0;
}
