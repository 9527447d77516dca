#include "css/subtree.h"

#include <string.h>

// How what a selector matches in a copy differs from what it matches in the document.
typedef enum sj_css_reach {
  REACH_ELEMENT,  // by nothing: it looks at the element and what is below
  REACH_AROUND,   // it may match less, as what it looks for around the element may be missing
  REACH_UNSURE    // it may also match more: it counts siblings, or asks that something is not there, or for a language
} sj_css_reach;

// --- how far selectors look ---

// For each list of selectors its reach, and that as the list of :has(). Those within a list come before it.
typedef struct list_reach {
  uint8_t plain, relative;
} list_reach;

static sj_css_reach reach_of_simple(const sj_css_simple *s, const list_reach *lists) {
  sj_css_reach within = REACH_ELEMENT, limit = REACH_ELEMENT;
  uint32_t list = sj_css_simple_list(s);
  if (list != SJ_CSS_NONE) within = s->kind == SJ_CSS_HAS ? lists[list].relative : lists[list].plain;
  if (s->kind == SJ_CSS_SCOPE && s->b != SJ_CSS_NONE) limit = lists[s->b].plain;
  switch (s->kind) {
    case SJ_CSS_LANG:  // what is shown inherits the language of what shows it
    case SJ_CSS_NTH: return REACH_UNSURE;
    case SJ_CSS_NOT: return within == REACH_ELEMENT ? REACH_ELEMENT : REACH_UNSURE;
    case SJ_CSS_SCOPE: return within == REACH_UNSURE || limit != REACH_ELEMENT ? REACH_UNSURE : REACH_AROUND;
    default: return within;
  }
}

static sj_css_reach reach_of_complex(const sj_css_program *g, const sj_css_complex *complex, const list_reach *lists,
                                     bool relative) {
  // What :has() looks at below its element is in the copy, too.
  sj_css_reach most = complex->compound_count > 1 && !relative ? REACH_AROUND : REACH_ELEMENT;
  for (uint32_t i = 0; i < complex->compound_count; i++) {
    const sj_css_compound *compound = &g->compounds.data[complex->first_compound + i];
    bool sibling = compound->combinator == SJ_CSS_NEXT || compound->combinator == SJ_CSS_SUBSEQUENT;
    if (i == 0 && relative && sibling && most < REACH_AROUND) most = REACH_AROUND;
    for (uint32_t k = 0; k < compound->simple_count; k++) {
      sj_css_reach reach = reach_of_simple(&g->simples.data[compound->first_simple + k], lists);
      if (reach > most) most = reach;
    }
  }
  return most;
}

static void find_list_reach(const sj_css_program *g, uint32_t list, list_reach *lists) {
  const sj_css_list *l = &g->lists.data[list];
  for (uint32_t i = 0; i < l->complex_count; i++) {
    const sj_css_complex *complex = &g->complexes.data[l->first_complex + i];
    sj_css_reach plain = reach_of_complex(g, complex, lists, false);
    sj_css_reach relative = reach_of_complex(g, complex, lists, true);
    if (plain > lists[list].plain) lists[list].plain = (uint8_t)plain;
    if (relative > lists[list].relative) lists[list].relative = (uint8_t)relative;
  }
}

static bool find_reach(sj_css_subtrees *s) {
  const sj_css_program *g = s->job.linked->program;
  list_reach *lists = sj_alloc_zero(s->context, (g->lists.count + 1) * sizeof *lists);
  bool good = lists;
  for (size_t i = 0; i < g->simples.count; i++) s->languages |= g->simples.data[i].kind == SJ_CSS_LANG;
  for (uint32_t i = 0; i < g->lists.count && good; i++) find_list_reach(g, i, lists);
  for (uint32_t i = 0; i < g->selectors.count && good; i++) {
    uint32_t selector = s->job.order[i];
    s->rank[selector] = i;
    if (!s->job.used[selector]) continue;
    const sj_css_complex *complex = &g->complexes.data[g->selectors.data[selector].complex];
    sj_css_reach reach = reach_of_complex(g, complex, lists, false);
    s->reach[selector] = (uint8_t)reach;
    s->differ |= reach != REACH_ELEMENT;
    if (reach == REACH_UNSURE) good = sj_array_push(s->context, &s->unsure, selector);
  }
  sj_free(s->context, lists);
  return good;
}

bool sj_css_subtrees_init(sj_css_subtrees *s, const stijl_css_matcher *matcher, stijl_context *context,
                          stijl_message *message) {
  *s = (sj_css_subtrees){.matcher = matcher, .context = context};
  if (!sj_css_clock_begin(&s->clock, context, 0.0)) return false;
  sj_css_matcher_job(matcher, &s->clock, message, &s->job);
  size_t count = s->job.linked->program->selectors.count;
  s->reach = sj_alloc_zero(context, count + 1);
  s->rank = sj_alloc_array(context, count + 1, sizeof *s->rank);
  return s->reach && s->rank && find_reach(s);
}

void sj_css_subtrees_finish(sj_css_subtrees *s) {
  if (!s->context) return;
  sj_css_clock_end(&s->clock);
  sj_free(s->context, s->reach);
  sj_free(s->context, s->rank);
  sj_array_finish(s->context, &s->unsure);
}

// --- matching ---

// Adds a selector to those of the element at work, which begin at `first`, in the order of the cascade.
static bool add_ranked(const sj_css_subtrees *s, sj_css_copies *out, size_t first, uint32_t selector) {
  if (!sj_array_push(s->context, &out->selectors, selector)) return false;
  uint32_t *list = out->selectors.data;
  size_t at = out->selectors.count - 1;
  for (; at > first && s->rank[list[at - 1]] > s->rank[selector]; at--) list[at] = list[at - 1];
  list[at] = selector;
  return true;
}

// Adds what the element matches in the copy. *same becomes false where that differs from the original.
static bool match_element(const sj_css_subtrees *s, sj_css_matching *m, uint32_t e, sj_css_copies *out, bool *same) {
  const uint32_t *originals = NULL;
  size_t count = stijl_css_matches(s->matcher, e, &originals), first = out->selectors.count;
  bool good = true;
  for (size_t i = 0; i < count && good; i++) {
    uint8_t reach = s->reach[originals[i]];
    if (reach == REACH_ELEMENT || (reach == REACH_AROUND && sj_css_reference_test(m, originals[i], e)))
      good = sj_array_push(s->context, &out->selectors, originals[i]);
  }
  for (size_t i = 0; i < s->unsure.count && good; i++)
    if (sj_css_reference_test(m, s->unsure.data[i], e)) good = add_ranked(s, out, first, s->unsure.data[i]);
  size_t found = out->selectors.count - first;
  *same &= found == count && (!count || memcmp(out->selectors.data + first, originals, count * sizeof *originals) == 0);
  return good;
}

stijl_result sj_css_subtree_match(sj_css_subtrees *s, uint32_t root, sj_css_copies *out, uint32_t *first) {
  const stijl_css_document *d = s->job.linked->document;
  size_t offsets = out->offsets.count, selectors = out->selectors.count;
  *first = SJ_CSS_NONE;
  if (!s->differ) return STIJL_OK;
  sj_css_matching m = {
      .program = s->job.linked->program, .linked = s->job.linked, .d = d, .root = root, .job = &s->job};
  bool same = true, good = offsets < SJ_CSS_NONE - 1;
  for (uint32_t e = root; e < d->end.data[root] && good && !m.exhausted; e++)
    good = sj_array_push(s->context, &out->offsets, (uint32_t)out->selectors.count) &&
           match_element(s, &m, e, out, &same) && out->selectors.count < UINT32_MAX;
  if (!sj_css_may_go_on(&s->job, m.steps)) m.exhausted = true;
  if (m.exhausted) return sj_css_fail_time(&s->job);
  if (!good || !sj_array_push(s->context, &out->offsets, (uint32_t)out->selectors.count))
    return sj_fail_memory(s->job.message);
  if (!same) *first = (uint32_t)offsets;
  if (same) out->offsets.count = offsets;
  if (same) out->selectors.count = selectors;
  return STIJL_OK;
}
