// The matching engine for the CPU: runs a document through the network of index.h, family by family (the children of
// one element), from the root down.
#include "css/cpu.h"

#include <string.h>

#include "base/clock.h"

// A task is a run of sibling subtrees with up to this many elements; one thread first matches what lies above them.
// There are many tasks for each thread, so that threads which finish early wait only briefly for the last task.
#define MIN_TASK 128u
#define TASKS_PER_THREAD 64u
// Matching starts on one thread, and others join after this time: what is done sooner would be slower with them,
// because waking a thread takes time too.
#define MS_ALONE 0.4
// A worker compares the time and the number of matches with their limits after this many tests.
#define WORK_PER_LOOK 65536u
// Opening or closing this many gates takes about as long as one test, and is counted as one.
#define GATES_PER_STEP 4

static void fail(sj_css_cpu *c, sj_css_worker *w, stijl_result result) {
  int none = STIJL_OK;
  atomic_compare_exchange_strong(&c->result, &none, (int)result);
  w->failed = true;
}

// --- one element ---

static bool push_matches(sj_css_cpu *c, sj_css_worker *w, const sj_css_node *node) {
  if (!sj_array_reserve(c->context, &w->matches, node->terminal_count)) {
    fail(c, w, STIJL_ERROR_OUT_OF_MEMORY);
    return false;
  }
  const uint32_t *ranks = sj_array_at(&c->index.terminals, node->first_terminal);
  uint32_t *to = sj_array_at(&w->matches, w->matches.count);
  for (uint32_t i = 0; i < node->terminal_count; i++) to[i] = ranks[i];
  w->matches.count += node->terminal_count;
  return true;
}

static void look(sj_css_cpu *c, sj_css_worker *w);

static void scan(sj_css_cpu *c, sj_css_worker *w, uint32_t bucket, uint32_t e) {
  const sj_css_index *x = &c->index;
  sj_css_bucket range = x->buckets.data[bucket];
  if (range.first == range.end) return;
  uint32_t word = range.first >> 6, last = (range.end - 1) >> 6;
  uint64_t mask = ~(uint64_t)0 << (range.first & 63);
  for (; word <= last; word++, mask = ~(uint64_t)0) {
    if (word == last) mask &= ~(uint64_t)0 >> (63 - ((range.end - 1) & 63));
    for (uint64_t bits = w->gates[word] & mask; bits; bits &= bits - 1) {
      uint32_t n = (word << 6) + (uint32_t)__builtin_ctzll(bits);
      const sj_css_node *node = &x->nodes.data[n];
      if (node->test_count) {
        w->work += node->test_count;
        const sj_css_simple *tests = sj_array_at(&x->node_tests, node->first_test);
        bool hold = sj_css_tests_hold(x, c->sets, tests, node->test_count, e, &w->work);
        // A single element can take long when its attributes' values are searched: the limits are looked at in between.
        if (node->searches && w->work >= WORK_PER_LOOK) {
          look(c, w);
          if (w->failed) return;
        }
        if (!hold) continue;
      }
      if (node->terminal_count && !push_matches(c, w, node)) return;
      if (node->gates && !sj_array_push(c->context, &w->opened, n)) fail(c, w, STIJL_ERROR_OUT_OF_MEMORY);
    }
  }
}

// Returns the end of the ascending run that begins at `at`.
static inline uint32_t run_end(const uint32_t *list, uint32_t at, uint32_t count) {
  while (++at < count && list[at - 1] < list[at]) continue;
  return at;
}

// Merges the list's runs two by two, in one pass. Returns how many runs are left.
static uint32_t merge_runs(const uint32_t *from, uint32_t *to, uint32_t count) {
  uint32_t runs = 0;
  for (uint32_t i = 0, k = 0; i < count; runs++) {
    uint32_t middle = run_end(from, i, count), j = middle, end = middle < count ? run_end(from, middle, count) : middle;
    while (i < middle && j < end) to[k++] = from[i] < from[j] ? from[i++] : from[j++];
    while (i < middle) to[k++] = from[i++];
    while (j < end) to[k++] = from[j++];
    i = end;
  }
  return runs;
}

// Sorts the ranks of an element. A merge sort of natural runs is fast here, because each node adds an ascending run.
static void sort(sj_css_cpu *c, sj_css_worker *w, uint32_t *list, uint32_t count) {
  if (count <= 16) {
    for (uint32_t i = 1; i < count; i++) {
      uint32_t value = list[i], j = i;
      for (; j > 0 && list[j - 1] > value; j--) list[j] = list[j - 1];
      list[j] = value;
    }
    return;
  }
  if (run_end(list, 0, count) == count) return;
  w->scratch.count = 0;
  if (!sj_array_reserve(c->context, &w->scratch, count)) {
    fail(c, w, STIJL_ERROR_OUT_OF_MEMORY);
    return;
  }
  uint32_t *from = list, *to = w->scratch.data;
  for (uint32_t runs = 2; runs > 1;) {
    runs = merge_runs(from, to, count);
    uint32_t *t = from;
    from = to;
    to = t;
  }
  if (from != list) memcpy(list, from, count * sizeof *list);
}

static inline uint32_t bucket_of(const sj_css_keys *keys, const uint32_t *table, sj_atom atom) {
  return atom < keys->count ? table[atom] : SJ_CSS_NONE;
}

// Compares the time, and what all workers hold together, with the limits.
static void look(sj_css_cpu *c, sj_css_worker *w) {
  uint64_t matches = w->matches.count - w->matches_reported, opened = w->opened.count - w->opened_reported;
  w->matches_reported = w->matches.count;
  w->opened_reported = w->opened.count;
  uint64_t work = w->work;
  w->work = 0;
  matches += atomic_fetch_add(&c->matches, matches);
  opened += atomic_fetch_add(&c->opened, opened);
  // The bytes count twice, because all are copied when the results are put together.
  bool large = opened > c->job->limits->max_memory / (2 * sizeof(uint32_t)) || opened > UINT32_MAX - WORK_PER_LOOK;
  sj_css_reason why = matches > c->job->limits->max_matches ? SJ_CSS_TOO_MANY_MATCHES
                      : large                               ? SJ_CSS_TOO_MUCH_MEMORY
                                                            : SJ_CSS_TOO_LATE;
  if (why != SJ_CSS_TOO_LATE || !sj_css_may_go_on(c->job, work)) {
    atomic_store(&c->reason, why);
    fail(c, w, STIJL_ERROR_LIMIT);
  } else if (atomic_load_explicit(&c->result, memory_order_relaxed) != STIJL_OK) {
    w->failed = true;
  }
}

static void evaluate(sj_css_cpu *c, sj_css_worker *w, uint32_t e) {
  const stijl_css_document *d = c->index.linked->document;
  const sj_css_keys *keys = &c->index.keys;
  sj_css_place *p = &c->places[e];
  p->first_match = (uint32_t)w->matches.count;
  p->first_gate = (uint32_t)w->opened.count;
  scan(c, w, 0, e);
  uint32_t bucket = bucket_of(keys, keys->type, d->name.data[e]);
  if (bucket != SJ_CSS_NONE) scan(c, w, bucket, e);
  if (d->id.data[e] != SJ_ATOM_NONE && (bucket = bucket_of(keys, keys->id, d->id.data[e])) != SJ_CSS_NONE)
    scan(c, w, bucket, e);
  sj_pool_range classes = d->classes.data[e], attributes = d->attributes.data[e];
  for (uint32_t i = 0; i < classes.count; i++)
    if ((bucket = bucket_of(keys, keys->class_, d->class_pool.data[classes.first + i])) != SJ_CSS_NONE)
      scan(c, w, bucket, e);
  for (uint32_t i = 0; i < attributes.count; i++) {
    const sj_node_attribute *a = &d->attribute_pool.data[attributes.first + i];
    if ((bucket = bucket_of(keys, keys->attribute, a->name)) == SJ_CSS_NONE) continue;
    // Attributes of one name in two namespaces have one bucket, which is scanned once. In long lists, which are sorted
    // by name, they are neighbours.
    bool again = i > 0 && a[-1].name == a->name;
    for (uint32_t k = 0; k < i && attributes.count <= SJ_UNSORTED_ATTRIBUTES; k++)
      again |= d->attribute_pool.data[attributes.first + k].name == a->name;
    if (!again) scan(c, w, bucket, e);
  }
  p->match_count = (uint32_t)w->matches.count - p->first_match;
  p->gate_count = (uint32_t)w->opened.count - p->first_gate;
  c->owner[e] = w->number;
  if (p->match_count > 1) sort(c, w, w->matches.data + p->first_match, p->match_count);
  w->looked_at++;
  w->work += 16 + p->match_count + p->gate_count;
  if (w->work >= WORK_PER_LOOK) look(c, w);
}

// --- gates ---

static inline void open_gate(sj_css_worker *w, uint32_t node) { w->gates[node >> 6] |= (uint64_t)1 << (node & 63); }
static inline void close_gate(sj_css_worker *w, uint32_t node) { w->gates[node >> 6] &= ~((uint64_t)1 << (node & 63)); }

// Opens or closes the gates that the element's nodes have for one combinator.
static void set_gates(const sj_css_cpu *c, sj_css_worker *w, uint32_t e, sj_css_combinator combinator, bool open) {
  const uint32_t *nodes = sj_css_opened_by(c, e);
  const sj_css_index *x = &c->index;
  for (uint32_t i = 0; i < c->places[e].gate_count; i++) {
    if (!(x->nodes.data[nodes[i]].gates & 1u << combinator)) continue;
    const uint32_t *from = x->node_gates.data[nodes[i]].from;
    w->work += (from[combinator] - from[combinator - 1]) / GATES_PER_STEP;
    for (uint32_t k = from[combinator - 1]; k < from[combinator]; k++) {
      if (open)
        open_gate(w, x->gates.data[k]);
      else
        close_gate(w, x->gates.data[k]);
    }
  }
}

static void open_descendants(sj_css_cpu *c, sj_css_worker *w, uint32_t e) {
  const sj_css_index *x = &c->index;
  const uint32_t *nodes = sj_css_opened_by(c, e);
  for (uint32_t i = 0; i < c->places[e].gate_count; i++) {
    uint32_t n = nodes[i];
    if (!(x->nodes.data[n].gates & 1u << SJ_CSS_DESCENDANT) || w->is_active[n]) continue;
    if (!sj_array_push(c->context, &w->active, n)) {
      fail(c, w, STIJL_ERROR_OUT_OF_MEMORY);
      return;
    }
    w->is_active[n] = 1;
    const uint32_t *from = x->node_gates.data[n].from;
    w->work += 2 * (from[1] - from[0]) / GATES_PER_STEP;  // twice: they are closed again
    for (uint32_t k = from[0]; k < from[1]; k++) open_gate(w, x->gates.data[k]);
  }
}

static void close_descendants(const sj_css_cpu *c, sj_css_worker *w, uint32_t down_to) {
  const sj_css_index *x = &c->index;
  while (w->active.count > down_to) {
    uint32_t n = w->active.data[--w->active.count];
    w->is_active[n] = 0;
    const uint32_t *from = x->node_gates.data[n].from;
    for (uint32_t k = from[0]; k < from[1]; k++) close_gate(w, x->gates.data[k]);
  }
}

// Opens gates for all following siblings, and notes them to be closed after the last one.
static void open_subsequent(sj_css_cpu *c, sj_css_worker *w, uint32_t e) {
  const sj_css_index *x = &c->index;
  const uint32_t *nodes = sj_css_opened_by(c, e);
  for (uint32_t i = 0; i < c->places[e].gate_count; i++) {
    if (!(x->nodes.data[nodes[i]].gates & 1u << SJ_CSS_SUBSEQUENT)) continue;
    const uint32_t *from = x->node_gates.data[nodes[i]].from;
    // The gates of a node are opened together, so that one of them tells of all.
    uint32_t first = x->gates.data[from[SJ_CSS_SUBSEQUENT - 1]];
    if (w->gates[first >> 6] >> (first & 63) & 1) continue;
    if (!sj_array_push(c->context, &w->family, nodes[i])) {
      fail(c, w, STIJL_ERROR_OUT_OF_MEMORY);
      return;
    }
    w->work += 2 * (from[SJ_CSS_SUBSEQUENT] - from[SJ_CSS_SUBSEQUENT - 1]) / GATES_PER_STEP;
    for (uint32_t k = from[SJ_CSS_SUBSEQUENT - 1]; k < from[SJ_CSS_SUBSEQUENT]; k++) open_gate(w, x->gates.data[k]);
  }
}

static void close_subsequent(const sj_css_cpu *c, sj_css_worker *w) {
  const sj_css_index *x = &c->index;
  for (size_t i = 0; i < w->family.count; i++) {
    const uint32_t *from = x->node_gates.data[w->family.data[i]].from;
    for (uint32_t k = from[SJ_CSS_SUBSEQUENT - 1]; k < from[SJ_CSS_SUBSEQUENT]; k++) close_gate(w, x->gates.data[k]);
  }
  w->family.count = 0;
}

// --- families ---

// Matches the element anew and returns the combinators for which it opens other gates than before, as bits like those
// of sj_css_node.gates.
static uint32_t evaluate_again(sj_css_cpu *c, sj_css_worker *w, uint32_t e) {
  bool known = c->has_result && c->owner[e] == SJ_CSS_OLD_OWNER;
  sj_css_place old = c->places[e];
  evaluate(c, w, e);
  const uint32_t *now = sj_css_opened_by(c, e), *before = sj_array_at(&c->old_opened, old.first_gate);
  uint32_t count = c->places[e].gate_count;
  if (!known) return ~0u;
  if (count == old.gate_count && (count == 0 || memcmp(now, before, count * sizeof *now) == 0)) return 0;
  uint32_t kinds = 0;
  for (uint32_t i = 0; i < count; i++) kinds |= c->index.nodes.data[now[i]].gates;
  for (uint32_t i = 0; i < old.gate_count; i++) kinds |= c->index.nodes.data[before[i]].gates;
  return kinds;
}

#define BELOW (1u << SJ_CSS_CHILD | 1u << SJ_CSS_DESCENDANT)
#define BESIDE (1u << SJ_CSS_NEXT | 1u << SJ_CSS_SUBSEQUENT)

// Matches the children of `parent`: with `all` each of them, else those that changed or that a change may affect. Where
// all below a child has to be matched anew, its `dirty` gets 4.
static void match_family(sj_css_cpu *c, sj_css_worker *w, uint32_t parent, bool all) {
  const stijl_css_document *d = c->index.linked->document;
  set_gates(c, w, parent, SJ_CSS_CHILD, true);
  uint32_t previous = SJ_NO_NODE;
  bool beside = all;
  for (uint32_t e = d->first_child.data[parent]; e != SJ_NO_NODE && !w->failed; e = d->next.data[e]) {
    if (all) {
      evaluate(c, w, e);
    } else if (beside || (c->dirty[e] & 1)) {
      uint32_t changed = evaluate_again(c, w, e);
      if (changed & BELOW) c->dirty[e] |= 4;
      if (changed & BESIDE) beside = true;
    }
    if (previous != SJ_NO_NODE) set_gates(c, w, previous, SJ_CSS_NEXT, false);
    previous = SJ_NO_NODE;
    if (d->next.data[e] == SJ_NO_NODE || c->places[e].gate_count == 0) continue;
    set_gates(c, w, e, SJ_CSS_NEXT, true);
    open_subsequent(c, w, e);
    previous = e;
  }
  if (previous != SJ_NO_NODE) set_gates(c, w, previous, SJ_CSS_NEXT, false);
  close_subsequent(c, w);
  set_gates(c, w, parent, SJ_CSS_CHILD, false);
}

static void enter(sj_css_cpu *c, sj_css_worker *w, uint32_t parent, bool all) {
  sj_css_frame f = {parent, c->index.linked->document->first_child.data[parent], (uint32_t)w->active.count, all};
  if (!sj_array_push(c->context, &w->frames, f)) {
    fail(c, w, STIJL_ERROR_OUT_OF_MEMORY);
    return;
  }
  open_descendants(c, w, parent);
  if (!w->failed) match_family(c, w, parent, all);
}

// Returns whether a subtree is small enough for a task; larger ones are split into those of their children.
static bool is_small(const sj_css_cpu *c, uint32_t e) {
  return c->index.linked->document->end.data[e] - e <= c->task_size;
}

// Adds the subtree below e to the last task if it belongs to a sibling and the task stays small; else makes a new task.
static void add_task(sj_css_cpu *c, sj_css_worker *w, uint32_t e, bool all) {
  const stijl_css_document *d = c->index.linked->document;
  uint32_t elements = d->end.data[e] - e, after = d->next.data[e];
  sj_css_task *last = c->tasks.count ? &c->tasks.data[c->tasks.count - 1] : NULL;
  if (last && d->parent.data[last->first] == d->parent.data[e] && last->all == all &&
      last->elements + elements <= c->task_size) {
    last->end = after;
    last->elements += elements;
  } else if (!sj_array_push(c->context, &c->tasks, (sj_css_task){e, after, elements, all})) {
    fail(c, w, STIJL_ERROR_OUT_OF_MEMORY);
  }
}

// Tells whether some family below e has to be matched; *all becomes true when all of its elements have to.
static bool has_work_below(const sj_css_cpu *c, uint32_t e, bool *all) {
  *all = *all || (c->dirty[e] & 4);
  return c->index.linked->document->first_child.data[e] != SJ_NO_NODE && (*all || (c->dirty[e] & 2));
}

// Matches all families below `root`. With make_tasks it only goes down to subtrees that are small, and makes tasks of
// these.
static void match_below(sj_css_cpu *c, sj_css_worker *w, uint32_t root, bool all, bool make_tasks) {
  const stijl_css_document *d = c->index.linked->document;
  enter(c, w, root, all);
  while (w->frames.count && !w->failed) {
    sj_css_frame *f = &w->frames.data[w->frames.count - 1];
    uint32_t e = f->child;
    if (e == SJ_NO_NODE) {
      close_descendants(c, w, f->undo);
      w->frames.count--;
      continue;
    }
    f->child = d->next.data[e];
    bool all_below = f->all;
    if (!has_work_below(c, e, &all_below)) continue;
    if (make_tasks && is_small(c, e))
      add_task(c, w, e, all_below);
    else
      enter(c, w, e, all_below);
  }
}

static void run_task(void *user, uint32_t number, int thread) {
  sj_css_cpu *c = user;
  sj_css_worker *w = &c->workers[thread];
  if (atomic_load_explicit(&c->result, memory_order_relaxed) != STIJL_OK) return;
  const stijl_css_document *d = c->index.linked->document;
  sj_css_task t = c->tasks.data[c->first_task + number];
  for (uint32_t a = d->parent.data[t.first]; a != SJ_NO_NODE && !w->failed; a = d->parent.data[a])
    open_descendants(c, w, a);
  for (uint32_t e = t.first; e != t.end && !w->failed; e = d->next.data[e]) {
    bool all = t.all;
    if (is_small(c, e) && has_work_below(c, e, &all)) match_below(c, w, e, all, false);
  }
  close_descendants(c, w, 0);
}

// --- the whole ---

static void reset_workers(sj_css_cpu *c) {
  for (int i = 0; i <= c->threads; i++) {
    sj_css_worker *w = &c->workers[i];
    w->matches.count = w->opened.count = w->family.count = 0;
    // After a failure gates may have been left open.
    if (w->failed || w->active.count) {
      memcpy(w->gates, c->index.open, c->index.words * sizeof *w->gates);
      memset(w->is_active, 0, c->index.nodes.count);
    }
    w->active.count = w->frames.count = 0;
    w->failed = false;
    w->work = w->looked_at = 0;
    w->matches_reported = w->opened_reported = 0;
  }
}

// Marks the changed element with 1, and its ancestors with 2, so that the walk from the root finds it.
static void mark_dirty(sj_css_cpu *c, uint32_t e) {
  const stijl_css_document *d = c->index.linked->document;
  c->dirty[e] |= 1;
  for (uint32_t p = d->parent.data[e]; p != SJ_NO_NODE && !(c->dirty[p] & 2); p = d->parent.data[p]) c->dirty[p] |= 2;
}

static void mark_changes(sj_css_cpu *c, const uint32_t *changes, size_t count) {
  uint32_t elements = c->index.linked->document->count;
  memset(c->dirty, 0, elements);
  for (size_t i = 0; i < count; i++) mark_dirty(c, changes[i]);
  for (size_t s = 0; s < c->index.sets.count; s++)
    for (size_t word = 0; word < c->index.set_words; word++) {
      uint64_t differing = c->sets[s * c->index.set_words + word] ^ c->old_sets[s * c->index.set_words + word];
      for (; differing; differing &= differing - 1)
        mark_dirty(c, (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(differing));
    }
}

static stijl_result fill_sets(sj_css_cpu *c, const sj_css_job *job) {
  uint64_t *t = c->sets;
  c->sets = c->old_sets;
  c->old_sets = t;
  return sj_css_sets_fill(&c->index, job, c->pool, c->sets);
}

// Runs all tasks: until the time `alone_until` on the calling thread, then on all threads.
static void run_tasks(sj_css_cpu *c, double alone_until) {
  for (c->first_task = 0; c->first_task < c->tasks.count; c->first_task++) {
    if (sj_now_ms() > alone_until) break;
    run_task(c, 0, 0);
  }
  sj_pool_run(c->pool, (uint32_t)c->tasks.count - c->first_task, run_task, c);
}

static stijl_result run(sj_css_cpu *c, const sj_css_job *job, bool all) {
  const stijl_css_document *d = c->index.linked->document;
  sj_css_worker *top = &c->workers[c->threads];
  double start = sj_now_ms();
  uint32_t share = d->count / ((uint32_t)c->threads * TASKS_PER_THREAD);
  c->task_size = share > MIN_TASK ? share : MIN_TASK;
  c->tasks.count = 0;
  bool all_below = all;
  if (all) {
    evaluate(c, top, 0);
  } else if (c->dirty[0] & 1) {
    all_below = evaluate_again(c, top, 0) & BELOW;
  }
  bool work_below = d->first_child.data[0] != SJ_NO_NODE && (all_below || (c->dirty[0] & 2));
  bool several = c->threads > 1 && d->count >= (job->min_parallel ? job->min_parallel : 2 * MIN_TASK);
  if (!top->failed && work_below) match_below(c, top, 0, all_below, several);
  if (!top->failed) run_tasks(c, job->min_parallel ? 0 : start + MS_ALONE);
  stijl_result result = (stijl_result)atomic_load(&c->result);
  if (result == STIJL_ERROR_OUT_OF_MEMORY) return sj_fail_memory(job->message);
  if (result != STIJL_ERROR_LIMIT) return result;
  switch ((sj_css_reason)atomic_load(&c->reason)) {
    case SJ_CSS_TOO_MANY_MATCHES: return sj_css_fail_matches(job);
    case SJ_CSS_TOO_MUCH_MEMORY:
      return sj_fail(job->message, result, "matching needs more than max_memory (%llu bytes)",
                     (unsigned long long)job->limits->max_memory);
    default: return sj_css_fail_time(job);
  }
}

stijl_result sj_css_cpu_match(sj_css_cpu *c, const sj_css_job *job, const uint32_t *changes, size_t change_count,
                              sj_css_result *result, uint32_t *looked_at) {
  bool all = !changes || !c->has_result;
  c->job = job;
  atomic_store(&c->result, STIJL_OK);
  atomic_store(&c->matches, 0);
  atomic_store(&c->opened, 0);
  *looked_at = 0;
  reset_workers(c);
  stijl_result failure = fill_sets(c, job);
  if (!failure) {
    if (all)
      memset(c->dirty, 0, c->index.linked->document->count);
    else
      mark_changes(c, changes, change_count);
    failure = run(c, job, all);
  }
  if (!failure) failure = sj_css_cpu_gather(c, job, all, result);
  for (int i = 0; i <= c->threads; i++) *looked_at += c->workers[i].looked_at;
  c->has_result = !failure;
  c->job = NULL;
  return failure;
}
