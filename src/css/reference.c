// The definition of matching: every selector against every element, right to left, trying all that combinators allow.
#include "css/reference.h"

#include "base/budget.h"

// Steps of matching between two looks at the clock: nested :is(), :not() and :has() can ask for exponentially many.
#define STEPS_PER_LOOK ((uint64_t)1 << 16)

// Steps of the budget for each test of an engine.
#define WORK_A_STEP 5

#define NO_ANCHOR SJ_NO_NODE

// Returns the element's neighbour by one of the document's lists; the root has none.
static uint32_t step_from(const sj_css_matching *m, const uint32_t *step, uint32_t e) {
  return e == m->root ? SJ_NO_NODE : step[e];
}

static bool complex_matches(sj_css_matching *m, const sj_css_complex *complex, uint32_t e, uint32_t anchor);

static bool list_matches(sj_css_matching *m, uint32_t list, uint32_t e) {
  const sj_css_list *l = &m->program->lists.data[list];
  for (uint32_t i = 0; i < l->complex_count; i++)
    if (complex_matches(m, &m->program->complexes.data[l->first_complex + i], e, NO_ANCHOR)) return true;
  return false;
}

// Returns whether the list matches any element that a relative selector anchored at e could mean: its descendants, or
// with + and ~ its later siblings and their descendants.
static bool has_matches(sj_css_matching *m, uint32_t list, uint32_t e) {
  const stijl_css_document *d = m->d;
  const sj_css_list *l = &m->program->lists.data[list];
  for (uint32_t i = 0; i < l->complex_count; i++) {
    const sj_css_complex *complex = &m->program->complexes.data[l->first_complex + i];
    sj_css_combinator leading = m->program->compounds.data[complex->first_compound].combinator;
    bool inside = leading == SJ_CSS_DESCENDANT || leading == SJ_CSS_CHILD;
    uint32_t parent = step_from(m, d->parent.data, e);
    uint32_t from = inside ? e + 1 : d->end.data[e];
    uint32_t end = inside ? d->end.data[e] : parent == SJ_NO_NODE ? from : d->end.data[parent];
    for (uint32_t x = from; x < end && !m->exhausted; x++)
      if (complex_matches(m, complex, x, e)) return true;
  }
  return false;
}

static bool nth_of_matches(sj_css_matching *m, const sj_css_simple *s, uint32_t e) {
  if (!list_matches(m, s->c, e)) return false;
  const uint32_t *step = s->op & SJ_CSS_NTH_LAST ? m->d->next.data : m->d->previous.data;
  uint32_t index = 1;
  for (uint32_t x = step_from(m, step, e); x != SJ_NO_NODE && !m->exhausted; x = step_from(m, step, x))
    index += list_matches(m, s->c, x);
  return sj_css_nth_holds((int32_t)s->a, (int32_t)s->b, index);
}

static bool scope_matches(sj_css_matching *m, const sj_css_simple *s, uint32_t e) {
  if (s->op && list_matches(m, s->a, e)) return true;
  for (uint32_t x = e, parent; !m->exhausted; x = parent) {
    parent = step_from(m, m->d->parent.data, x);
    if (parent == SJ_NO_NODE || (s->b != SJ_CSS_NONE && list_matches(m, s->b, x))) return false;
    if (list_matches(m, s->a, parent)) return true;
  }
  return false;
}

static bool simple_matches(sj_css_matching *m, const sj_css_simple *s, uint32_t e) {
  switch (s->kind) {
    case SJ_CSS_IS: return list_matches(m, s->a, e);
    case SJ_CSS_NOT: return !list_matches(m, s->a, e);
    case SJ_CSS_HAS: return has_matches(m, s->a, e);
    case SJ_CSS_SCOPE: return scope_matches(m, s, e);
    case SJ_CSS_NTH:
      if (s->c != SJ_CSS_NONE) return nth_of_matches(m, s, e);
      if (e == m->root) return sj_css_nth_holds((int32_t)s->a, (int32_t)s->b, 1);
      break;
    default: break;
  }
  return sj_css_test(m->d, m->linked->ranges, s, e, &m->steps);
}

static bool compound_matches(sj_css_matching *m, const sj_css_compound *compound, uint32_t e) {
  if (++m->steps >= STEPS_PER_LOOK) {
    if (!sj_css_may_go_on(m->job, m->steps)) m->exhausted = true;
    m->steps = 0;
  }
  if (m->exhausted) return false;
  for (uint32_t i = 0; i < compound->simple_count; i++)
    if (!simple_matches(m, &m->linked->simples[compound->first_simple + i], e)) return false;
  return true;
}

// Tells whether e matches the selector's prefix that ends with compound number `last`. With an anchor, the combinator
// of the first compound must lead to it.
static bool prefix_matches(sj_css_matching *m, const sj_css_complex *complex, uint32_t last, uint32_t e,
                           uint32_t anchor) {
  const stijl_css_document *d = m->d;
  const sj_css_compound *compound = &m->program->compounds.data[complex->first_compound + last];
  if (!compound_matches(m, compound, e)) return false;
  if (last == 0 && anchor == NO_ANCHOR) return true;
  bool upwards = compound->combinator == SJ_CSS_DESCENDANT || compound->combinator == SJ_CSS_CHILD;
  bool once = compound->combinator == SJ_CSS_CHILD || compound->combinator == SJ_CSS_NEXT;
  const uint32_t *step = upwards ? d->parent.data : d->previous.data;
  for (uint32_t x = step_from(m, step, e); x != SJ_NO_NODE && !m->exhausted; x = step_from(m, step, x)) {
    if (last == 0 ? x == anchor : prefix_matches(m, complex, last - 1, x, anchor)) return true;
    if (once) return false;
  }
  return false;
}

static bool complex_matches(sj_css_matching *m, const sj_css_complex *complex, uint32_t e, uint32_t anchor) {
  return complex->compound_count && prefix_matches(m, complex, complex->compound_count - 1, e, anchor);
}

bool sj_css_reference_test(sj_css_matching *m, uint32_t selector, uint32_t e) {
  return complex_matches(m, &m->program->complexes.data[m->program->selectors.data[selector].complex], e, NO_ANCHOR);
}

bool sj_css_may_go_on(const sj_css_job *job, uint64_t work) {
  return sj_css_clock_check(job->clock, work * WORK_A_STEP);
}

stijl_result sj_css_fail_time(const sj_css_job *job) {
  stijl_result result = sj_css_clock_fail(job->clock, "matching", job->message);
  return sj_budget_result(sj_budget_of(job->context), result, job->message);
}

stijl_result sj_css_fail_matches(const sj_css_job *job) {
  return sj_fail(job->message, STIJL_ERROR_LIMIT, "more matches than max_matches (%llu)",
                 (unsigned long long)job->limits->max_matches);
}

stijl_result sj_css_reference_match(const sj_css_job *job, sj_css_result *result) {
  const stijl_css_document *d = job->linked->document;
  const sj_css_program *program = job->linked->program;
  stijl_context *context = job->context;
  size_t count = program->selectors.count;
  sj_css_matching m = {.program = program, .linked = job->linked, .d = d, .job = job};
  SJ_ARRAY(uint32_t) found = {0};
  uint32_t *offsets = sj_alloc_array(context, (size_t)d->count + 1, sizeof *offsets);
  stijl_result failure = offsets ? STIJL_OK : sj_fail_memory(job->message);
  for (uint32_t e = 0; e < d->count && !failure; e++) {
    offsets[e] = (uint32_t)found.count;
    for (size_t rank = 0; rank < count && !failure; rank++) {
      uint32_t selector = job->order[rank];
      if (!job->used[selector]) continue;
      if (sj_css_reference_test(&m, selector, e) && !sj_array_push(context, &found, selector))
        failure = sj_fail_memory(job->message);
    }
    if (failure) break;
    if (found.count > job->limits->max_matches) failure = sj_css_fail_matches(job);
    if (m.exhausted) failure = sj_css_fail_time(job);
  }
  if (failure) {
    sj_free(context, offsets);
    sj_array_finish(context, &found);
    return failure;
  }
  offsets[d->count] = (uint32_t)found.count;
  sj_free(context, result->offsets);
  sj_free(context, result->selectors);
  result->offsets = offsets;
  result->selectors = found.data;
  return STIJL_OK;
}
