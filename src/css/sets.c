// Sets: what :is(), :not(), :has() and :nth-child(of S) with combinators inside mean, each computed for the whole
// document by passes over its elements. The time is the number of compounds times that of elements, however the
// selectors are nested.
#include <string.h>

#include "css/index.h"

bool sj_css_tests_hold(const sj_css_index *x, const uint64_t *sets, size_t set_words, const sj_css_simple *tests,
                       uint32_t count, uint32_t e) {
  const stijl_css_document *d = x->linked->document;
  for (const sj_css_simple *s = tests, *end = tests + count; s < end; s++) {
    if (s->kind == SJ_CSS_SET) {
      bool member = sets[s->a * set_words + (e >> 6)] >> (e & 63) & 1;
      if (member == s->op) return false;  // op 1: negated
      continue;
    }
    if (s->kind != SJ_CSS_IS && s->kind != SJ_CSS_NOT) {
      if (!sj_css_test(d, x->linked->ranges, s, e)) return false;
      continue;
    }
    sj_pool_range options = x->options.data[s->a];
    bool any = false;
    for (uint32_t i = 0; i < options.count && !any; i++) {
      sj_css_tests t = x->compound.data[x->option_pool.data[options.first + i]];
      any = sj_css_tests_hold(x, sets, set_words, x->tests.data + t.first, t.count, e);
    }
    if (any == (s->kind == SJ_CSS_NOT)) return false;
  }
  return true;
}

typedef struct filler {
  const sj_css_index *x;
  const stijl_css_document *d;
  uint64_t *sets;
  size_t set_words;
  uint8_t *from, *to;  // per element
} filler;

static void swap(filler *f) {
  uint8_t *t = f->from;
  f->from = f->to;
  f->to = t;
}

static bool holds(const filler *f, uint32_t compound, uint32_t e) {
  sj_css_tests t = f->x->compound.data[compound];
  return sj_css_tests_hold(f->x, f->sets, f->set_words, f->x->tests.data + t.first, t.count, e);
}

// to[e]: an element that the combinator leads to from e (its parent, an ancestor, ...) is in `from`.
static void step_right(filler *f, sj_css_combinator combinator) {
  const stijl_css_document *d = f->d;
  bool up = combinator == SJ_CSS_DESCENDANT || combinator == SJ_CSS_CHILD;
  bool far = combinator == SJ_CSS_DESCENDANT || combinator == SJ_CSS_SUBSEQUENT;
  const uint32_t *link = up ? d->parent.data : d->previous.data;
  for (uint32_t e = 0; e < d->count; e++) {
    uint32_t p = link[e];
    f->to[e] = p != SJ_NO_NODE && (f->from[p] || (far && f->to[p]));
  }
}

// The other way: to[e]: e is what the combinator leads to from some element in `from`.
static void step_left(filler *f, sj_css_combinator combinator) {
  const stijl_css_document *d = f->d;
  bool up = combinator == SJ_CSS_DESCENDANT || combinator == SJ_CSS_CHILD;
  bool far = combinator == SJ_CSS_DESCENDANT || combinator == SJ_CSS_SUBSEQUENT;
  const uint32_t *link = up ? d->parent.data : d->previous.data;
  memset(f->to, 0, d->count);
  for (uint32_t e = d->count; e-- > 0;) {
    uint32_t p = link[e];
    if (p != SJ_NO_NODE) f->to[p] |= f->from[e] | (far ? f->to[e] : 0);
  }
}

// Leaves the elements that match the complex selector in f->from.
static void match_complex(filler *f, const sj_css_complex *complex) {
  const sj_css_compound *compounds = f->x->linked->program->compounds.data + complex->first_compound;
  const uint32_t *numbers = f->x->number + complex->first_compound;
  for (uint32_t i = 0; i < complex->compound_count; i++) {
    if (i == 0)
      memset(f->to, 1, f->d->count);
    else
      step_right(f, (sj_css_combinator)compounds[i].combinator);
    for (uint32_t e = 0; e < f->d->count; e++) f->to[e] = f->to[e] && holds(f, numbers[i], e);
    swap(f);
  }
}

// Leaves the elements that have what the relative selector asks for in f->from.
static void match_relative(filler *f, const sj_css_complex *complex) {
  const sj_css_compound *compounds = f->x->linked->program->compounds.data + complex->first_compound;
  const uint32_t *numbers = f->x->number + complex->first_compound;
  memset(f->to, 1, f->d->count);
  for (uint32_t i = complex->compound_count; i-- > 0;) {
    for (uint32_t e = 0; e < f->d->count; e++) f->to[e] = f->to[e] && holds(f, numbers[i], e);
    swap(f);
    step_left(f, (sj_css_combinator)compounds[i].combinator);
  }
  swap(f);
}

static void count_members(const filler *f, const sj_css_set *set, uint64_t *members, uint32_t *index) {
  const stijl_css_document *d = f->d;
  bool last = set->op & SJ_CSS_NTH_LAST;
  const uint32_t *before = last ? d->next.data : d->previous.data;
  for (uint32_t i = 0; i < d->count; i++) {
    uint32_t e = last ? d->count - 1 - i : i;
    bool member = members[e >> 6] >> (e & 63) & 1;
    index[e] = (before[e] == SJ_NO_NODE ? 0 : index[before[e]]) + member;
  }
  for (uint32_t e = 0; e < d->count; e++)
    if (!sj_css_nth_holds(set->a, set->b, index[e])) members[e >> 6] &= ~((uint64_t)1 << (e & 63));
}

stijl_result sj_css_sets_fill(const sj_css_index *x, const sj_css_job *job, uint64_t *sets, size_t set_words) {
  const sj_css_program *g = x->linked->program;
  const stijl_css_document *d = x->linked->document;
  if (!x->sets.count) return STIJL_OK;
  filler f = {.x = x, .d = d, .sets = sets, .set_words = set_words};
  uint8_t *bytes = sj_alloc_array(job->context, d->count, 2);
  uint32_t *index = sj_alloc_array(job->context, d->count, sizeof *index);
  stijl_result result = bytes && index ? STIJL_OK : sj_fail_memory(job->message);
  f.from = bytes;
  f.to = bytes ? bytes + d->count : NULL;
  for (size_t i = 0; i < x->sets.count && !result; i++) {
    const sj_css_set *set = &x->sets.data[i];
    const sj_css_list *l = &g->lists.data[set->list];
    uint64_t *members = sets + i * set_words;
    memset(members, 0, set_words * sizeof *members);
    for (uint32_t k = 0; k < l->complex_count && !result; k++) {
      const sj_css_complex *complex = &g->complexes.data[l->first_complex + k];
      if (set->kind == SJ_CSS_SET_HAS)
        match_relative(&f, complex);
      else
        match_complex(&f, complex);
      for (uint32_t e = 0; e < d->count; e++) members[e >> 6] |= (uint64_t)(f.from[e] != 0) << (e & 63);
      if (sj_css_seconds() > job->deadline) result = sj_css_fail_time(job);
    }
    if (set->kind == SJ_CSS_SET_NTH) count_members(&f, set, members, index);
  }
  sj_free(job->context, bytes);
  sj_free(job->context, index);
  return result;
}
