#include "svg/style/schedule.h"

#include <math.h>
#include <stdlib.h>

#include "base/budget.h"
#include "base/search.h"

// How many times a list of `begin` or `end` may hold; further ones are ignored.
#define MAX_TIMES 4096
// How often what an interval begins may move it, where animations begin each other before they have begun.
#define MAX_MOVES 16
// An animation that has run so often, begun by others again and again, is taken as one that never ends.
#define MAX_RUNS 1000
#define WORK_STEP 100    // of the budget, for one change of one animation
#define WORK_INSTANCE 4  // for each time that is looked at
#define NO_CONDITION UINT32_MAX
#define NEVER ((double)INFINITY)

// A time at which an animation may begin or end.
typedef struct instance {
  double time;
  uint32_t condition, run;  // what it comes from: a condition, and the run of the animation that it refers to
} instance;

typedef SJ_ARRAY(instance) instances;

typedef enum phase { PENDING, ACTIVE, DONE } phase;

typedef struct animation {
  uint32_t element;
  sj_timing timing;
  instances begins, ends;
  bool has_ends, ends_by_event;          // there are items in `end`; some of them are not known beforehand
  uint32_t first_condition, conditions;  // those that refer to this one
  phase phase;                           // of the interval from `begin` to `end`; DONE: there is none
  double begin, end;
  bool ran;  // there was an interval before, whose times these are
  double last_begin, last_end;
  uint32_t run, moves;  // the number of the interval, and how often it has been moved
  uint32_t stamp;       // of its entry in the heap that counts
  bool waiting;         // is in the queue of those whose times have changed
} animation;

// What one animation tells another.
typedef struct condition {
  uint32_t base, dependent;  // animations
  bool ends;
  sj_timing_kind kind;
  double offset, repeat;
} condition;

typedef struct event {
  double time;
  uint32_t animation, stamp;
} event;

struct sj_schedule {
  stijl_context *context;
  double time, now, end;
  SJ_ARRAY(animation) animations;
  SJ_ARRAY(condition) conditions;  // by what they refer to
  SJ_ARRAY(event) heap;            // the earliest first; entries with an old stamp do not count
  SJ_ARRAY(uint32_t) queue;        // animations whose times have changed, from `taken` on
  size_t taken;
  bool memory, spent;
  bool unending;
};

// --- the heap ---

static bool earlier(const event *a, const event *b) {
  if (a->time != b->time) return a->time < b->time;
  return a->animation < b->animation;
}

static void push_event(sj_schedule *s, event e) {
  if (!sj_array_push(s->context, &s->heap, e)) {
    s->memory = true;
    return;
  }
  event *heap = s->heap.data;
  size_t i = s->heap.count - 1;
  for (; i > 0 && earlier(&e, &heap[(i - 1) / 2]); i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
  heap[i] = e;
}

static event pop_event(sj_schedule *s) {
  event *heap = s->heap.data, first = heap[0], last = heap[--s->heap.count];
  size_t i = 0, count = s->heap.count;
  while (2 * i + 1 < count) {
    size_t child = 2 * i + 1;
    if (child + 1 < count && earlier(&heap[child + 1], &heap[child])) child++;
    if (!earlier(&heap[child], &last)) break;
    heap[i] = heap[child];
    i = child;
  }
  if (count) heap[i] = last;
  return first;
}

// --- intervals ---

static bool spend(sj_schedule *s, uint64_t work) {
  if (!s->spent && !sj_context_check(s->context, work)) s->spent = true;
  return !s->spent && !s->memory;
}

// Returns the first time of the list that is not before `from`, or with `after` that is behind it; NEVER where there is
// none. `found` may be NULL.
static double first_time(sj_schedule *s, const instances *list, double from, bool after, bool *found) {
  double best = NEVER;
  if (found) *found = false;
  for (size_t i = 0; i < list->count; i++) {
    double time = list->data[i].time;
    if (after ? !(time > from) : !(time >= from)) continue;
    if (found) *found = true;
    if (time < best) best = time;
  }
  spend(s, list->count * WORK_INSTANCE);
  return best;
}

// Finds when an interval ends that begins at `begin`. Returns false when there is no such interval.
static bool resolve_end(sj_schedule *s, const animation *a, double begin, double *end) {
  double limit = NEVER;
  if (a->has_ends && a->ends.count) {
    bool found;
    limit = first_time(s, &a->ends, begin, false, &found);
    // An end that ended the interval before does not end this one at once, nor does the first at its very begin.
    bool used = a->ran ? limit == a->last_end : limit == begin;
    if (found && used) limit = first_time(s, &a->ends, begin, true, &found);
    if (!found && !a->ends_by_event) return false;
  }
  *end = sj_timing_active_end(&a->timing, begin, limit);
  return true;
}

// Finds the first interval that begins at `from` or later (SMIL 3, 5.4.5: get first, get next interval).
static bool resolve_interval(sj_schedule *s, const animation *a, double from, double *begin, double *end) {
  while (spend(s, WORK_STEP)) {
    *begin = first_time(s, &a->begins, from, false, NULL);
    if (!isfinite(*begin) || !resolve_end(s, a, *begin, end)) return false;
    // The first interval has to last beyond the document's begin.
    if (a->ran || *end > 0.0 || (*begin == 0.0 && *end == 0.0)) {
      // Nothing lasts for no time twice in the same place.
      if (!(a->ran && *begin == a->last_begin && *end == a->last_end)) return true;
    }
    if (a->timing.restart == SJ_RESTART_ALWAYS) {
      double next = first_time(s, &a->begins, *begin, true, NULL);
      from = next < *end ? next : *end > *begin ? *end : next;
    } else {
      from = *end > *begin ? *end : first_time(s, &a->begins, *begin, true, NULL);
    }
    if (!isfinite(from)) return false;
  }
  return false;
}

// Puts the animation's next change into the heap: its begin, its end, or the time at which it is begun anew.
static void plan(sj_schedule *s, uint32_t index) {
  animation *a = &s->animations.data[index];
  a->stamp++;
  if (a->phase == DONE) return;
  double time = a->begin;
  if (a->phase == ACTIVE) {
    time = a->end;
    if (a->timing.restart == SJ_RESTART_ALWAYS) time = fmin(time, first_time(s, &a->begins, a->begin, true, NULL));
  }
  if (time <= s->time && isfinite(time)) push_event(s, (event){time, index, a->stamp});
}

// Sets the time that a condition gives for a run of what it refers to, NEVER for none. Returns whether that changes
// anything.
static bool set_instance(sj_schedule *s, instances *list, uint32_t from, uint32_t run, double time) {
  spend(s, list->count * WORK_INSTANCE);
  for (size_t left = list->count; left > 0; left--) {
    instance *found = &list->data[left - 1];
    if (found->condition != from || found->run != run) continue;
    if (found->time == time) return false;
    if (isfinite(time))
      found->time = time;
    else
      *found = list->data[--list->count];
    return true;
  }
  if (!isfinite(time)) return false;
  if (!sj_array_push(s->context, list, (instance){time, from, run})) s->memory = true;
  return true;
}

// Tells those that refer to the animation of its interval. What they make of it waits in a queue, so that no chain of
// references, however long, takes the thread's stack.
static void tell(sj_schedule *s, uint32_t index) {
  animation *a = &s->animations.data[index];
  for (uint32_t i = 0; i < a->conditions && spend(s, WORK_STEP); i++) {
    const condition *c = &s->conditions.data[a->first_condition + i];
    animation *to = &s->animations.data[c->dependent];
    double time = c->kind == SJ_TIMING_BEGIN ? a->begin : a->end;
    if (c->kind == SJ_TIMING_REPEAT) {
      time = a->begin + c->repeat * a->timing.simple;
      if (!(time < a->end)) time = NEVER;
    }
    time += c->offset;
    if (!set_instance(s, c->ends ? &to->ends : &to->begins, a->first_condition + i, a->run, time) || to->waiting)
      continue;
    to->waiting = true;
    if (!sj_array_push(s->context, &s->queue, c->dependent)) s->memory = true;
  }
}

// Has the animation find its interval again, after its times have changed.
static void reconsider(sj_schedule *s, uint32_t index) {
  animation *a = &s->animations.data[index];
  if (!spend(s, WORK_STEP)) return;
  double begin, end;
  if (a->phase == ACTIVE) {
    if (!resolve_end(s, a, a->begin, &end)) end = a->end;
    if (end < s->now) end = s->now;
    bool changed = end != a->end && ++a->moves <= MAX_MOVES;
    if (changed) a->end = end;
    plan(s, index);
    if (changed) tell(s, index);
    return;
  }
  if (a->ran && a->timing.restart == SJ_RESTART_NEVER) return;
  bool found = resolve_interval(s, a, a->ran ? a->last_end : -NEVER, &begin, &end);
  if (!found) {
    a->phase = DONE;
    plan(s, index);
    return;
  }
  bool changed = a->phase == DONE || begin != a->begin || end != a->end;
  if (changed && a->phase == PENDING && ++a->moves > MAX_MOVES) return;
  a->phase = PENDING;
  a->begin = begin;
  a->end = end;
  plan(s, index);
  if (changed) tell(s, index);
}

// Has all whose times have changed find their intervals.
static void settle(sj_schedule *s) {
  while (s->taken < s->queue.count && spend(s, 1)) {
    uint32_t index = s->queue.data[s->taken++];
    s->animations.data[index].waiting = false;
    reconsider(s, index);
  }
  s->queue.count = s->taken = 0;
}

// Drops times before the begin of the interval that has begun, since no later one asks for them.
static void forget(instances *list, double before) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i].time >= before) list->data[kept++] = list->data[i];
  list->count = kept;
}

static void step(sj_schedule *s, uint32_t index) {
  animation *a = &s->animations.data[index];
  if (s->now > s->end) s->end = s->now;
  if (a->phase == PENDING) {
    a->phase = ACTIVE;
    forget(&a->begins, a->begin);
    forget(&a->ends, a->begin);
    plan(s, index);
    return;
  }
  bool ends = s->now >= a->end;
  if (!ends) {
    a->end = s->now;  // it is begun anew
    tell(s, index);
  }
  a->ran = true;
  a->last_begin = a->begin;
  a->last_end = a->end;
  a->phase = DONE;
  a->run++;
  a->moves = 0;
  if (a->run >= MAX_RUNS) s->unending = true;
  reconsider(s, index);
}

// --- the document ---

static uint32_t find(const sj_schedule *s, uint32_t element) {
  size_t low = 0, high = s->animations.count;
  SJ_SEARCH(low, high, i, s->animations.data[i].element < element);
  return (uint32_t)low;
}

// Reads a list of begin or end.
static void read_times(sj_schedule *s, const sj_document *document, uint32_t index, bool ends) {
  animation *a = &s->animations.data[index];
  instances *list = ends ? &a->ends : &a->begins;
  sj_span text = sj_timing_attribute(document, a->element, ends ? "end" : "begin"), item;
  if (!text.text && !ends && !sj_array_push(s->context, list, (instance){0.0, NO_CONDITION, 0})) s->memory = true;
  for (int i = 0; i < MAX_TIMES && sj_timing_next(&text, &item) && spend(s, WORK_STEP + item.length); i++) {
    sj_timing_time time;
    if (ends && sj_timing_is_event(item)) a->ends_by_event = true;
    if (!sj_timing_parse_time(document, item, &time)) continue;
    if (ends) a->has_ends = true;
    if (time.kind == SJ_TIMING_OFFSET) {
      if (!sj_array_push(s->context, list, (instance){time.offset, NO_CONDITION, 0})) s->memory = true;
      continue;
    }
    condition c = {find(s, time.base), index, ends, time.kind, time.offset, time.repeat};
    if (s->conditions.count >= UINT32_MAX - 1 || !sj_array_push(s->context, &s->conditions, c)) s->memory = true;
  }
}

static int compare_conditions(const void *left, const void *right) {
  const condition *a = left, *b = right;
  if (a->base != b->base) return a->base < b->base ? -1 : 1;
  if (a->dependent != b->dependent) return a->dependent < b->dependent ? -1 : 1;
  return 0;
}

static void read_document(sj_schedule *s, const sj_document *document) {
  for (uint32_t e = 0; e < document->nodes.count && !s->memory; e++) {
    if (!sj_element_is((sj_element)document->nodes.data[e].element, SJ_IS_ANIMATION)) continue;
    animation a = {.element = e, .timing = sj_timing_of(document, e), .phase = DONE};
    if (!sj_array_push(s->context, &s->animations, a)) s->memory = true;
    spend(s, SJ_WORK_ELEMENT + document->nodes.data[e].work);
  }
  for (uint32_t i = 0; i < s->animations.count && !s->memory && !s->spent; i++) {
    read_times(s, document, i, false);
    read_times(s, document, i, true);
  }
  if (s->conditions.count)
    qsort(s->conditions.data, s->conditions.count, sizeof *s->conditions.data, compare_conditions);
  for (uint32_t i = 0; i < s->conditions.count; i++) {
    animation *base = &s->animations.data[s->conditions.data[i].base];
    if (!base->conditions++) base->first_condition = i;
  }
}

stijl_result sj_schedule_create(const sj_document *document, double time, sj_schedule **out, stijl_message *message) {
  sj_schedule *s = sj_alloc_zero(document->context, sizeof *s);
  *out = s;
  if (!s) return sj_fail_memory(message);
  *s = (sj_schedule){.context = document->context, .time = time, .now = -INFINITY};
  read_document(s, document);
  for (uint32_t i = 0; i < s->animations.count && !s->memory && !s->spent; i++) reconsider(s, i);
  settle(s);
  while (s->heap.count && !s->memory && spend(s, WORK_STEP)) {
    event e = pop_event(s);
    if (e.stamp != s->animations.data[e.animation].stamp) continue;
    if (e.time > s->now) s->now = e.time;
    step(s, e.animation);
    settle(s);
    if (s->unending && !isfinite(time)) break;
  }
  if (!isfinite(time)) s->time = s->end;
  if (s->memory) return sj_fail_memory(message);
  return s->spent ? sj_budget_spent(message) : STIJL_OK;
}

void sj_schedule_destroy(sj_schedule *s) {
  if (!s) return;
  for (size_t i = 0; i < s->animations.count; i++) {
    sj_arrays_finish(s->context, &s->animations.data[i].begins, &s->animations.data[i].ends);
  }
  sj_arrays_finish(s->context, &s->animations, &s->conditions, &s->heap, &s->queue);
  sj_free(s->context, s);
}

double sj_schedule_end(const sj_schedule *s) { return s->end; }

void sj_schedule_tell(const sj_schedule *s, sj_timeline *line) {
  line->end = fmax(line->end, s->end);
  for (size_t i = 0; i < s->animations.count; i++) {
    const animation *a = &s->animations.data[i];
    bool repeats = a->phase == ACTIVE && !isfinite(a->end) && isfinite(a->timing.simple);
    if (repeats && !isfinite(sj_timing_repeating(&a->timing))) sj_timeline_repeats(line, a->begin, a->timing.simple);
  }
  if (s->unending) {  // animations begin each other for ever
    line->unending = true;
    line->period = SJ_NO_PERIOD;
  }
}

uint32_t sj_schedule_count(const sj_schedule *s) { return (uint32_t)s->animations.count; }
uint32_t sj_schedule_element(const sj_schedule *s, uint32_t i) { return s->animations.data[i].element; }

bool sj_schedule_at(const sj_schedule *s, uint32_t i, sj_progress *out) {
  const animation *a = &s->animations.data[i];
  // Where `min` makes it last longer than its repetitions, it is as if it had ended.
  bool runs = s->time - a->begin < sj_timing_repeating(&a->timing) || a->timing.freeze;
  if (a->phase == ACTIVE && s->time < a->end && !runs) return false;
  if (a->phase == ACTIVE && s->time < a->end) {
    *out = sj_timing_progress(&a->timing, a->begin, a->end, s->time);
    return true;
  }
  if (!a->timing.freeze || !(a->ran || a->phase == ACTIVE)) return false;
  double begin = a->phase == ACTIVE ? a->begin : a->last_begin, end = a->phase == ACTIVE ? a->end : a->last_end;
  *out = sj_timing_progress(&a->timing, begin, end, s->time);
  return true;
}
