// Sets: what :is(), :not(), :has() and :nth-child(of S) with combinators inside, and @scope, mean, each computed for
// the whole document by passes over its elements. The time is the number of compounds times that of elements, however
// the selectors are nested. Sets that need no other are computed side by side, then those that need only these, and so
// on.
#include <stdatomic.h>
#include <string.h>

#include "css/index.h"

bool sj_css_tests_hold(const sj_css_index *x, const uint64_t *sets, const sj_css_simple *tests, uint32_t count,
                       uint32_t e, uint64_t *work) {
  const stijl_css_document *d = x->linked->document;
  for (const sj_css_simple *s = tests, *end = tests + count; s < end; s++) {
    if (s->kind == SJ_CSS_SET) {
      bool member = sets[s->a * x->set_words + (e >> 6)] >> (e & 63) & 1;
      if (member == s->op) return false;  // op 1: negated
      continue;
    }
    if (s->kind != SJ_CSS_IS && s->kind != SJ_CSS_NOT) {
      if (!sj_css_test(d, x->linked->ranges, s, e, work)) return false;
      continue;
    }
    sj_pool_range options = x->options.data[s->a];
    bool any = false;
    for (uint32_t i = 0; i < options.count && !any; i++) {
      sj_css_tests t = x->compound.data[x->option_pool.data[options.first + i]];
      any = sj_css_tests_hold(x, sets, sj_array_at(&x->tests, t.first), t.count, e, work);
    }
    if (any == (s->kind == SJ_CSS_NOT)) return false;
  }
  return true;
}

// Tests between two looks at the clock.
#define TESTS_PER_LOOK (1u << 20)
// Elements that are passed over in the time of a test.
#define ELEMENTS_PER_TEST 4
// Sets times elements from which on several threads work.
#define MIN_WORK 200000.0
// Fewer sets than these are not worth a look at which names the document has.
#define MIN_SETS_FOR_NAMES 16

// What names the document uses, per atom.
#define NAME_CLASS 1u
#define NAME_ID 2u
#define NAME_TYPE 4u
#define NAME_ATTRIBUTE 8u

// One call.
typedef struct filling {
  const sj_css_index *x;
  const stijl_css_document *d;
  const sj_css_job *job;
  uint64_t *sets;
  uint8_t *names;   // NULL: not known
  uint32_t *order;  // sets by level
  uint32_t first;   // of the level at work, in `order`
  uint32_t end;
  atomic_uint next;
  atomic_bool late;
  uint8_t *blocks;  // for each worker: two bytes and a number for each element
  size_t block;
} filling;

// Elements that a part of a selector leaves.
typedef struct filler {
  filling *all;
  const sj_css_index *x;
  const stijl_css_document *d;
  uint8_t *from, *to;  // per element
  uint32_t *index;     // per element
  uint64_t tests;      // since the last look at the clock
} filler;

static void swap(filler *f) {
  uint8_t *t = f->from;
  f->from = f->to;
  f->to = t;
}

// Returns whether some element of the document may pass.
static bool is_possible(const filler *f, uint32_t compound) {
  sj_css_tests t = f->x->compound.data[compound];
  const uint8_t *names = f->all->names;
  if (t.never) return false;
  for (uint32_t i = 0; names && i < t.count; i++) {
    const sj_css_simple *s = &f->x->tests.data[t.first + i];
    if ((s->kind == SJ_CSS_CLASS && !(names[s->a] & NAME_CLASS)) || (s->kind == SJ_CSS_ID && !(names[s->a] & NAME_ID)))
      return false;
    if (s->kind == SJ_CSS_TYPE && !((names[s->a] | names[s->b]) & NAME_TYPE)) return false;
    if (s->kind == SJ_CSS_ATTRIBUTE && !((names[s->a] | names[s->b]) & NAME_ATTRIBUTE)) return false;
  }
  return true;
}

// Keeps the elements of `to` that pass; false when none is left.
static bool keep(filler *f, uint32_t compound) {
  const sj_css_index *x = f->x;
  sj_css_tests t = x->compound.data[compound];
  bool any = false;
  f->tests += f->d->count / ELEMENTS_PER_TEST;  // for the pass that made `to`
  for (uint32_t e = 0; e < f->d->count; e++) {
    if (!f->to[e]) continue;
    f->to[e] = sj_css_tests_hold(x, f->all->sets, sj_array_at(&x->tests, t.first), t.count, e, &f->tests);
    any |= f->to[e];
    f->tests += t.weight + 1;
    if (f->tests < TESTS_PER_LOOK) continue;
    uint64_t work = f->tests;
    f->tests = 0;
    if (sj_css_may_go_on(f->all->job, work)) continue;
    atomic_store_explicit(&f->all->late, true, memory_order_relaxed);
    return false;
  }
  return any;
}

// Sets to[e] where the combinator leads from e to an element in `from`: its parent, an ancestor, a sibling before it.
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

// Does it the other way round: sets to[e] where the combinator leads from some element in `from` to e.
static void step_left(filler *f, sj_css_combinator combinator) {
  const stijl_css_document *d = f->d;
  bool up = combinator == SJ_CSS_DESCENDANT || combinator == SJ_CSS_CHILD;
  bool far = combinator == SJ_CSS_DESCENDANT || combinator == SJ_CSS_SUBSEQUENT;
  const uint32_t *link = up ? d->parent.data : d->previous.data;
  memset(f->to, 0, d->count);
  for (uint32_t left = d->count; left > 0; left--) {
    uint32_t e = left - 1;
    uint32_t p = link[e];
    if (p != SJ_NO_NODE) f->to[p] |= f->from[e] | (far ? f->to[e] : 0);
  }
}

static bool complex_is_possible(const filler *f, const sj_css_complex *complex) {
  for (uint32_t i = 0; i < complex->compound_count; i++)
    if (!is_possible(f, f->x->number[complex->first_compound + i])) return false;
  return true;
}

// Finds the elements that match the complex selector, and leaves them in `from`. Returns false when there is none.
static bool match_complex(filler *f, const sj_css_complex *complex) {
  const sj_css_compound *compounds = sj_array_at(&f->x->linked->program->compounds, complex->first_compound);
  const uint32_t *numbers = f->x->number + complex->first_compound;
  for (uint32_t i = 0; i < complex->compound_count; i++) {
    if (i == 0)
      memset(f->to, 1, f->d->count);
    else
      step_right(f, (sj_css_combinator)compounds[i].combinator);
    if (!keep(f, numbers[i])) return false;
    swap(f);
  }
  return true;
}

// Finds the elements from which the relative selector of :has() leads to some match, and leaves them in `from`. Returns
// false when there is none.
static bool match_relative(filler *f, const sj_css_complex *complex) {
  const sj_css_compound *compounds = sj_array_at(&f->x->linked->program->compounds, complex->first_compound);
  const uint32_t *numbers = f->x->number + complex->first_compound;
  memset(f->to, 1, f->d->count);
  for (uint32_t left = complex->compound_count; left > 0; left--) {
    uint32_t i = left - 1;
    if (!keep(f, numbers[i])) return false;
    swap(f);
    step_left(f, (sj_css_combinator)compounds[i].combinator);
  }
  swap(f);
  return true;
}

static void count_members(const filler *f, const sj_css_set *set, uint64_t *members) {
  const stijl_css_document *d = f->d;
  bool last = set->op & SJ_CSS_NTH_LAST;
  const uint32_t *before = last ? d->next.data : d->previous.data;
  for (uint32_t i = 0; i < d->count; i++) {
    uint32_t e = last ? d->count - 1 - i : i;
    bool member = members[e >> 6] >> (e & 63) & 1;
    f->index[e] = (before[e] == SJ_NO_NODE ? 0 : f->index[before[e]]) + member;
  }
  for (uint32_t e = 0; e < d->count; e++)
    if (!sj_css_nth_holds(set->a, set->b, f->index[e])) members[e >> 6] &= ~((uint64_t)1 << (e & 63));
}

// Adds the elements that match a selector of the list; false when there is none.
static bool add_members(filler *f, uint32_t list, bool relative, uint64_t *members) {
  const sj_css_program *g = f->x->linked->program;
  const sj_css_list *l = &g->lists.data[list];
  bool any = false;
  for (uint32_t k = 0; k < l->complex_count && !atomic_load_explicit(&f->all->late, memory_order_relaxed); k++) {
    const sj_css_complex *complex = &g->complexes.data[l->first_complex + k];
    if (!complex_is_possible(f, complex)) continue;
    if (!(relative ? match_relative(f, complex) : match_complex(f, complex))) continue;
    any = true;
    f->tests += f->d->count;
    for (uint32_t e = 0; e < f->d->count; e++) members[e >> 6] |= (uint64_t)(f->from[e] != 0) << (e & 63);
  }
  return any;
}

#define SCOPE_ROOT 1u
#define SCOPE_BELOW 2u

// Spreads a scope: `members` holds its roots, and becomes the elements within it.
static void spread_scope(filler *f, const sj_css_set *set, uint64_t *members) {
  const stijl_css_document *d = f->d;
  for (uint32_t e = 0; e < d->count; e++) f->index[e] = members[e >> 6] >> (e & 63) & 1;
  memset(members, 0, f->x->set_words * sizeof *members);
  if (set->limits != SJ_CSS_NONE) add_members(f, set->limits, false, members);
  for (uint32_t e = 0; e < d->count; e++) {  // parents first
    uint32_t parent = d->parent.data[e];
    bool limit = members[e >> 6] >> (e & 63) & 1;
    if (!limit && parent != SJ_NO_NODE && f->index[parent]) f->index[e] |= SCOPE_BELOW;
  }
  uint32_t wanted = set->op ? SCOPE_ROOT | SCOPE_BELOW : SCOPE_BELOW;
  memset(members, 0, f->x->set_words * sizeof *members);
  for (uint32_t e = 0; e < d->count; e++) members[e >> 6] |= (uint64_t)((f->index[e] & wanted) != 0) << (e & 63);
}

static void fill_set(filler *f, uint32_t number) {
  const sj_css_set *set = &f->x->sets.data[number];
  uint64_t *members = f->all->sets + number * f->x->set_words;
  memset(members, 0, f->x->set_words * sizeof *members);
  if (!add_members(f, set->list, set->kind == SJ_CSS_SET_HAS, members)) return;
  if (set->kind == SJ_CSS_SET_NTH) count_members(f, set, members);
  if (set->kind == SJ_CSS_SET_SCOPE) spread_scope(f, set, members);
}

static void work(void *user, uint32_t number, int thread) {
  filling *all = user;
  uint8_t *bytes = all->blocks + number * all->block;
  uint32_t count = all->d->count;
  filler f = {.all = all, .x = all->x, .d = all->d, .from = bytes, .to = bytes + count};
  size_t behind = 2 * (size_t)count;
  f.index = (uint32_t *)(void *)(bytes + (behind + 3) / 4 * 4);
  (void)thread;
  for (uint32_t i; (i = all->first + atomic_fetch_add(&all->next, 1)) < all->end;) fill_set(&f, all->order[i]);
}

static bool look_at_names(filling *all) {
  const stijl_css_document *d = all->d;
  if (all->x->sets.count < MIN_SETS_FOR_NAMES) return true;
  all->names = sj_alloc_zero(all->job->context, d->atoms.strings.count);
  if (!all->names) return false;
  for (uint32_t e = 0; e < d->count; e++) {
    sj_pool_range c = d->classes.data[e], a = d->attributes.data[e];
    all->names[d->id.data[e]] |= NAME_ID;
    all->names[d->name.data[e]] |= NAME_TYPE;
    for (uint32_t i = 0; i < c.count; i++) all->names[d->class_pool.data[c.first + i]] |= NAME_CLASS;
    for (uint32_t i = 0; i < a.count; i++) all->names[d->attribute_pool.data[a.first + i].name] |= NAME_ATTRIBUTE;
  }
  return true;
}

// Sorts the sets by level; those of one level stay in order.
static bool put_in_order(filling *all) {
  const sj_css_index *x = all->x;
  size_t count = x->sets.count;
  all->order = sj_alloc_array(all->job->context, count, sizeof *all->order);
  size_t at = 0;
  for (uint32_t level = 1; all->order && at < count; level++)
    for (size_t i = 0; i < count; i++)
      if (x->sets.data[i].level == level) all->order[at++] = (uint32_t)i;
  return all->order;
}

stijl_result sj_css_sets_fill(const sj_css_index *x, const sj_css_job *job, sj_pool *pool, uint64_t *sets) {
  size_t count = x->sets.count;
  if (!count) return STIJL_OK;
  filling all = {.x = x, .d = x->linked->document, .job = job, .sets = sets};
  all.block = (6 * (size_t)all.d->count + 4 + 127) / 128 * 128;
  uint32_t workers = (uint32_t)sj_pool_threads(pool);
  if (workers > count) workers = (uint32_t)count;
  if ((double)count * all.d->count < MIN_WORK && !job->min_parallel) workers = 1;
  while (workers > 1 && (double)workers * (double)all.block > (double)job->limits->max_memory / 4) workers--;
  all.blocks = sj_alloc_array(job->context, workers, all.block);
  bool good = all.blocks && put_in_order(&all) && look_at_names(&all);
  for (size_t from = 0; good && from < count && !atomic_load(&all.late); from = all.end) {
    all.first = all.end = (uint32_t)from;
    while (all.end < count && x->sets.data[all.order[all.end]].level == x->sets.data[all.order[from]].level) all.end++;
    atomic_store(&all.next, 0);
    sj_pool_run(pool, workers < all.end - all.first ? workers : all.end - all.first, work, &all);
  }
  sj_free(job->context, all.blocks);
  sj_free(job->context, all.order);
  sj_free(job->context, all.names);
  if (!good) return sj_fail_memory(job->message);
  return atomic_load(&all.late) ? sj_css_fail_time(job) : STIJL_OK;
}
