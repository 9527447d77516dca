// What the files of the CPU's matching engine share: cpu.c matches, cpu_gather.c puts the results together, and
// cpu_create.c makes the engine.
#ifndef SJ_CSS_CPU_H
#define SJ_CSS_CPU_H

#include <stdatomic.h>

#include "css/index.h"

// The owner of results that an earlier call has put together.
#define SJ_CSS_OLD_OWNER UINT16_MAX
// Data that different threads write lies this many bytes apart: two cache lines, because processors fetch lines in
// pairs.
#define SJ_CSS_APART 128

typedef SJ_ARRAY(uint32_t) sj_css_numbers;

// Where an element's results are in its worker's arrays: the ranks of its matches, and its nodes that open gates.
typedef struct sj_css_place {
  uint32_t first_match, match_count;
  uint32_t first_gate, gate_count;
} sj_css_place;

// The subtrees of a run of siblings.
typedef struct sj_css_task {
  uint32_t first, end;  // siblings: from `first` up to `end`, which may be SJ_NO_NODE
  uint32_t elements;
  bool all;  // matches every element below, not only those that changed
} sj_css_task;

typedef struct sj_css_frame {
  uint32_t parent, child;  // child: the one whose subtree is next
  uint32_t undo;           // length of `active` before
  bool all;                // matches every element below, not only those that changed
} sj_css_frame;

typedef struct sj_css_worker {
  uint64_t *gates;        // bit per node
  uint8_t *is_active;     // per node: an ancestor has opened its gates to descendants
  sj_css_numbers active;  // the nodes whose is_active is set, in the order in which they opened their gates
  sj_css_numbers matches, opened;
  sj_css_numbers family;  // nodes that opened gates for following siblings: closed after the last sibling
  sj_css_numbers scratch;
  SJ_ARRAY(sj_css_frame) frames;
  uint64_t work;  // since the last look
  size_t matches_reported, opened_reported;
  uint32_t looked_at;
  uint16_t number;
  bool failed;
  char apart[SJ_CSS_APART];  // what threads write all the time must not share a cache line
} sj_css_worker;

// Why matching was given up.
typedef enum sj_css_reason { SJ_CSS_TOO_LATE, SJ_CSS_TOO_MANY_MATCHES, SJ_CSS_TOO_MUCH_MEMORY } sj_css_reason;

struct sj_css_cpu {
  stijl_context *context;
  sj_css_index index;
  sj_pool *pool;
  int threads;
  sj_css_worker *workers;  // threads + 1: the last one does the top of the tree
  uint64_t *sets, *old_sets;
  sj_css_place *places;
  uint16_t *owner;  // per element: the worker with its results; SJ_CSS_OLD_OWNER: they are in old_...
  sj_css_numbers old_matches, old_opened;
  sj_css_numbers last_selectors;  // the array in the caller's result, which owns it
  uint8_t *dirty;  // per element: 1 changed, 2 something below changed, 4 all below is to be matched anew
  bool has_result;
  // These are valid during a call only.
  const sj_css_job *job;
  atomic_int result;
  _Atomic uint64_t matches, opened;  // sums over the workers, each up to its last look
  atomic_int reason;
  SJ_ARRAY(sj_css_task) tasks;
  uint32_t task_size, first_task;
};

// Returns the nodes of an element that open gates; how many is the gate_count of its place.
static inline const uint32_t *sj_css_opened_by(const sj_css_cpu *c, uint32_t e) {
  const sj_css_numbers *list = c->owner[e] == SJ_CSS_OLD_OWNER ? &c->old_opened : &c->workers[c->owner[e]].opened;
  return sj_array_at(list, c->places[e].first_gate);
}

// Puts the workers' results together in document order: in *result, and for the next call. `all` tells that everything
// was matched anew, so that nobody reads earlier results.
stijl_result sj_css_cpu_gather(sj_css_cpu *cpu, const sj_css_job *job, bool all, sj_css_result *result);

#endif
