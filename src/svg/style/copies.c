#include "svg/style/copies.h"

#include <string.h>

#include "base/pairs.h"
#include "css/document.h"
#include "css/subtree.h"
#include "svg/style/handed.h"

// Returns the element of the document that a use element shows, or SJ_NO_ELEMENT.
static uint32_t target_of(const sj_document *document, uint32_t use) {
  if (document->nodes.data[use].element != SJ_ELEMENT_USE) return SJ_NO_ELEMENT;
  uint32_t target = sj_document_by_href(document, use);
  bool shown = target != SJ_NO_ELEMENT && !sj_document_is_ancestor_or_self(document, target, use);
  return shown ? target : SJ_NO_ELEMENT;
}

// --- matching ---

// An original in a language, 1 and its atom, which its copies inherit; 0: that which itself inherits.
typedef struct variant {
  uint32_t target, language;
} variant;

typedef struct copy_matching {
  sj_document *document;
  sj_css_subtrees *subtrees;
  sj_css_copies *copies;
  stijl_message *message;
  sj_pairs seen;            // originals and languages
  SJ_ARRAY(variant) ahead;  // of those what is still to be matched
} copy_matching;

static bool look_ahead(copy_matching *k, uint32_t target, uint32_t language) {
  uint32_t ignored;
  if (sj_pairs_find(&k->seen, target, language, &ignored)) return true;
  stijl_context *context = k->document->context;
  return sj_pairs_add(context, &k->seen, target, language, 0) &&
         sj_array_push(context, &k->ahead, (variant){target, language});
}

// Returns the key of a use element in what is shown of `target`, or where it stands itself if that is SJ_NO_ELEMENT.
static uint64_t shown_in(uint32_t target, uint32_t use) { return (uint64_t)target << 32 | use; }

// Notes the language of what a use element shows, in the copy `around`, where selectors ask for one. The element's own
// language is at hand; `inherited` is what the document's elements inherit.
static bool note_use(copy_matching *k, uint32_t use, variant around, const sj_atom *inherited) {
  sj_document *document = k->document;
  uint32_t target = target_of(document, use), language = 0;
  if (target == SJ_NO_ELEMENT) return true;
  sj_atom shown = inherited ? document->dom->language.data[use] : 0;
  if (inherited && shown != inherited[target]) language = 1 + shown;
  uint64_t key = shown_in(around.target, use);
  if (language && !sj_pairs_add(document->context, &document->copy_languages, key, around.language, language))
    return false;
  return look_ahead(k, target, language);
}

// Matches what is shown, as if it stood where it has that language, and goes on to what is shown within it.
static stijl_result match_variant(copy_matching *k, variant v, const sj_atom *inherited) {
  sj_document *document = k->document;
  stijl_context *context = document->context;
  sj_dom *dom = document->dom;
  uint32_t first;
  if (v.language) sj_css_set_languages(dom, v.target, v.language - 1);
  stijl_result result = dom->status ? dom->status : sj_css_subtree_match(k->subtrees, v.target, k->copies, &first);
  bool good =
      result || first == SJ_CSS_NONE || sj_pairs_add(context, &document->copy_matches, v.target, v.language, first);
  for (uint32_t e = v.target; e < dom->end.data[v.target] && v.language && good && !result; e++)
    if (document->nodes.data[e].element == SJ_ELEMENT_USE) good = note_use(k, e, v, inherited);
  if (v.language) sj_css_set_languages(dom, v.target, inherited[v.target]);
  if (!result && !good) result = sj_fail_memory(k->message);
  if (!result && !sj_context_check(context, SJ_WORK_NODE * (dom->end.data[v.target] - v.target)))
    result = sj_budget_spent(k->message);
  return result;
}

static stijl_result match_all(copy_matching *k) {
  sj_document *document = k->document;
  size_t count = document->nodes.count;
  sj_atom *inherited = NULL;
  if (k->subtrees->languages) {
    inherited = sj_alloc_array(document->context, count, sizeof *inherited);
    if (!inherited) return sj_fail_memory(k->message);
    for (uint32_t e = 0; e < count; e++) inherited[e] = sj_css_inherited_language(document->dom, e);
  }
  stijl_result result = STIJL_OK;
  for (uint32_t e = 0; e < count && !result; e++)
    if (!note_use(k, e, (variant){SJ_NO_ELEMENT, 0}, inherited)) result = sj_fail_memory(k->message);
  for (size_t i = 0; i < k->ahead.count && !result; i++) result = match_variant(k, k->ahead.data[i], inherited);
  sj_free(document->context, inherited);
  return result;
}

stijl_result sj_match_copies(sj_document *document, stijl_message *message) {
  bool used = false;
  for (uint32_t e = 0; e < document->nodes.count && !used; e++)
    used = document->nodes.data[e].element == SJ_ELEMENT_USE;
  if (!used) return STIJL_OK;
  sj_css_subtrees subtrees;
  sj_css_copies copies = {0};
  stijl_result result = STIJL_OK;
  if (!sj_css_subtrees_init(&subtrees, document->matcher, document->context, message)) result = sj_fail_memory(message);
  copy_matching k = {.document = document, .subtrees = &subtrees, .copies = &copies, .message = message};
  if (!result && subtrees.differ) result = match_all(&k);
  sj_pairs_finish(document->context, &k.seen);
  sj_array_finish(document->context, &k.ahead);
  sj_css_subtrees_finish(&subtrees);
  document->copy_offsets.data = copies.offsets.data;
  document->copy_offsets.count = copies.offsets.count;
  document->copy_offsets.capacity = copies.offsets.capacity;
  document->copy_selectors.data = copies.selectors.data;
  document->copy_selectors.count = copies.selectors.count;
  document->copy_selectors.capacity = copies.selectors.capacity;
  return result;
}

// --- gathering ---

bool sj_begin_copy(sj_document *document, uint32_t target, uint32_t count, uint32_t *copy) {
  stijl_context *context = document->context;
  size_t first = document->copy_nodes.count;
  if (!document->copies.count && !sj_array_push(context, &document->copies, (sj_copy){0})) return false;
  *copy = (uint32_t)document->copies.count;
  if (first + count >= UINT32_MAX ||
      !sj_array_push(context, &document->copies, (sj_copy){target, (uint32_t)first, count}) ||
      !sj_array_reserve(context, &document->copy_nodes, count))
    return false;
  memcpy(document->copy_nodes.data + first, document->nodes.data + target, count * sizeof *document->copy_nodes.data);
  document->copy_nodes.count += count;
  return true;
}

typedef struct copier {
  sj_gatherer *gatherer;
  const stijl_css_matcher *matcher;
  uint32_t max_elements;
  sj_pairs copies;            // the copy by its original and language, and the use element's scope
  SJ_ARRAY(uint32_t) scopes;  // for each of the document's copy_nodes: its scope of variables
} copier;

#define SAME SJ_CSS_NONE  // in place of the first offset: copies match what the originals do

// The copies around the one that is being made.
typedef struct copy_link {
  uint32_t target, language, depth;
  const struct copy_link *outer;
} copy_link;

static stijl_result no_memory(const copier *k) { return sj_fail_memory(k->gatherer->message); }

// Begins the copy: its nodes are those of the originals for now.
static stijl_result begin_copy(copier *k, uint32_t target, uint32_t *copy) {
  sj_document *document = k->gatherer->document;
  stijl_context *context = document->context;
  size_t count = document->dom->end.data[target] - target, first = document->copy_nodes.count;
  if (count > k->max_elements || first > k->max_elements - count)
    return sj_fail(k->gatherer->message, STIJL_ERROR_LIMIT,
                   "the copies that use elements show have more elements than max_elements (%u)", k->max_elements);
  if (!sj_begin_copy(document, target, (uint32_t)count, copy) ||
      !sj_array_reserve(context, &k->scopes, first + count - k->scopes.count))
    return no_memory(k);
  for (size_t i = 0; i < count; i++) document->copy_nodes.data[first + i].copy = SJ_NO_COPY;
  k->scopes.count = first + count;
  return STIJL_OK;
}

// Gathers the declarations of element number `i` of the copy. *differs is set where they are not the original's.
static stijl_result gather_element(copier *k, uint32_t copy, uint32_t i, uint32_t scope, uint32_t matched,
                                   bool *differs) {
  sj_document *document = k->gatherer->document;
  sj_copy c = document->copies.data[copy];
  uint32_t e = c.target + i;
  uint32_t *scopes = k->scopes.data + c.first_node;
  sj_node *node = &document->copy_nodes.data[c.first_node + i];
  sj_node before = *node;
  sj_gathering g = {.element = e, .scope = i ? scopes[document->dom->parent.data[e] - c.target] : scope, .node = node};
  if (matched == SAME) {
    g.selector_count = stijl_css_matches(k->matcher, e, &g.selectors);
  } else {
    const uint32_t *offsets = document->copy_offsets.data + matched + i;
    g.selectors = sj_array_at(&document->copy_selectors, offsets[0]);
    g.selector_count = offsets[1] - offsets[0];
  }
  stijl_result result = sj_gather(k->gatherer, &g);
  scopes[i] = g.scope;
  node = &document->copy_nodes.data[c.first_node + i];
  *differs |= node->copy != SJ_NO_COPY || node->first_run != before.first_run || node->run_count != before.run_count;
  if (!result && !sj_context_check(document->context, SJ_WORK_ELEMENT + g.selector_count * SJ_WORK_VALUE))
    result = sj_budget_spent(k->gatherer->message);
  return result;
}

static stijl_result find_copy(copier *k, uint32_t use, uint32_t scope, const copy_link *outer, uint32_t *copy);

// Makes the copy of an element that inherits this scope. *made becomes SJ_NO_COPY where nothing in it differs.
static stijl_result make_copy(copier *k, uint32_t target, uint32_t language, uint32_t scope, uint32_t matched,
                              const copy_link *outer, uint32_t *made) {
  sj_document *document = k->gatherer->document;
  uint32_t copy = SJ_NO_COPY;
  stijl_result result = begin_copy(k, target, &copy);
  if (result) return result;
  uint32_t first = document->copies.data[copy].first_node, count = document->dom->end.data[target] - target;
  bool differs = false;
  for (uint32_t i = 0; i < count && !result; i++) result = gather_element(k, copy, i, scope, matched, &differs);
  copy_link link = {target, language, outer ? outer->depth + 1 : 1, outer};
  for (uint32_t i = 0; i < count && !result; i++) {
    uint32_t within = SJ_NO_COPY;
    bool hands = false;
    if (document->nodes.data[target + i].element != SJ_ELEMENT_USE) continue;
    result = find_copy(k, target + i, k->scopes.data[first + i], &link, &within);
    document->copy_nodes.data[first + i].copy = within;
    if (!result && sj_shows_file(document, target + i))
      result = sj_hand_over(k->gatherer, copy, target + i, k->scopes.data[first + i], &hands);
    differs |= within != SJ_NO_COPY || hands;
  }
  *made = differs ? copy : SJ_NO_COPY;
  if (!differs) {
    document->copies.count = copy;
    document->copy_nodes.count = k->scopes.count = first;
  }
  return result;
}

// Finds the copy that a use element with this scope shows, or makes it.
static stijl_result find_copy(copier *k, uint32_t use, uint32_t scope, const copy_link *outer, uint32_t *copy) {
  sj_document *document = k->gatherer->document;
  uint32_t target = target_of(document, use), matched = SAME;
  *copy = SJ_NO_COPY;
  if (target == SJ_NO_ELEMENT) return STIJL_OK;
  if (outer && outer->depth >= SJ_MAX_DEPTH) return STIJL_OK;  // drawing it is an error
  for (const copy_link *link = outer; link; link = link->outer)
    if (link->target == target) return STIJL_OK;  // the references form a circle
  uint32_t language = 0;
  uint64_t place = shown_in(outer ? outer->target : SJ_NO_ELEMENT, use);
  sj_pairs_find(&document->copy_languages, place, outer ? outer->language : 0, &language);
  sj_pairs_find(&document->copy_matches, target, language, &matched);
  if (!language && matched == SAME && scope == k->gatherer->scopes[document->dom->parent.data[target]]) return STIJL_OK;
  uint64_t key = (uint64_t)language << 32 | target;
  if (sj_pairs_find(&k->copies, key, scope, copy)) return STIJL_OK;
  stijl_result result = make_copy(k, target, language, scope, matched, outer, copy);
  if (!result && !sj_pairs_add(document->context, &k->copies, key, scope, *copy)) result = no_memory(k);
  return result;
}

static stijl_result find_all(copier *k) {
  sj_document *document = k->gatherer->document;
  stijl_result result = STIJL_OK;
  for (uint32_t e = 0; e < document->nodes.count && !result; e++) {
    uint32_t copy = SJ_NO_COPY;
    if (document->nodes.data[e].element != SJ_ELEMENT_USE) continue;
    result = find_copy(k, e, k->gatherer->scopes[e], NULL, &copy);
    document->nodes.data[e].copy = copy;
    if (!result && !sj_context_check(document->context, SJ_WORK_NODE)) result = sj_budget_spent(k->gatherer->message);
  }
  return result;
}

// Returns whether not all elements see the same custom properties.
static bool scopes_differ(const sj_gatherer *c) {
  for (size_t e = 1; e < c->document->nodes.count; e++)
    if (c->scopes[e] != c->scopes[0]) return true;
  return false;
}

stijl_result sj_gather_copies(sj_gatherer *gatherer, const stijl_css_matcher *matcher, uint32_t max_elements) {
  sj_document *document = gatherer->document;
  copier k = {.gatherer = gatherer, .matcher = matcher, .max_elements = max_elements};
  if (!document->copy_matches.entries.count && !scopes_differ(gatherer)) return STIJL_OK;
  stijl_result result = find_all(&k);
  sj_pairs_finish(document->context, &k.copies);
  sj_array_finish(document->context, &k.scopes);
  return result;
}
