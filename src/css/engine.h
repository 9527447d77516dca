// The interface between the matcher and the engines: what they are given to match, and the result they fill in.
#ifndef SJ_CSS_ENGINE_H
#define SJ_CSS_ENGINE_H

#include "base/pool.h"
#include "css/clock.h"
#include "css/link.h"
#include "css/sheet.h"

// The matches: those of element e are selectors[offsets[e]] to selectors[offsets[e + 1]], ranked by the cascade.
typedef struct sj_css_result {
  uint32_t *offsets;  // elements + 1
  uint32_t *selectors;
} sj_css_result;

// What all engines work on.
typedef struct sj_css_job {
  stijl_context *context;
  const sj_css_linked *linked;
  const uint32_t *order;  // rank to selector
  const uint8_t *used;    // per selector: 1 if it takes part, 0 if its rule's conditions do not hold
  bool rules_only;        // see stijl_css
  const stijl_css_limits *limits;
  const sj_css_clock *clock;
  uint32_t min_parallel;  // documents with as many elements are matched by several threads; 0: when it takes a while
  stijl_message *message;
} sj_css_job;

// Finds what a matcher works on, for those who test single selectors as it does. `clock` and `message` are kept.
void sj_css_matcher_job(const stijl_css_matcher *matcher, const sj_css_clock *clock, stijl_message *message,
                        sj_css_job *out);

// Matches by the reference engine. On failure *result is untouched.
stijl_result sj_css_reference_match(const sj_css_job *job, sj_css_result *result);

typedef struct sj_css_cpu sj_css_cpu;

// Makes the sheets ready for the document. `pool` must outlive it.
stijl_result sj_css_cpu_create(const sj_css_job *job, sj_pool *pool, sj_css_cpu **out);
void sj_css_cpu_destroy(sj_css_cpu *cpu);
// Matches on the processor. `changes` are the elements changed since the last call, which must have been successful and
// have filled *result; NULL matches everything. *looked_at becomes how many elements' matches were determined anew.
stijl_result sj_css_cpu_match(sj_css_cpu *cpu, const sj_css_job *job, const uint32_t *changes, size_t change_count,
                              sj_css_result *result, uint32_t *looked_at);

typedef struct sj_css_vulkan sj_css_vulkan;

// Makes the engine for Vulkan. `device` is -1 for any; `name` is a part of its name, or its type, or NULL. Takes an
// open device from *devices where one fits, and leaves it there in the end.
stijl_result sj_css_vulkan_create(const sj_css_job *job, sj_pool *pool, int device, const char *name,
                                  sj_css_device_list *devices, sj_css_vulkan **out);
void sj_css_vulkan_destroy(sj_css_vulkan *vulkan);
// Matches on a device. `changes` are the elements changed since the last successful call. *result remains the engine's,
// until its next call, and is emptied on failure. Of *stats the times and `on_cpu` are filled in.
stijl_result sj_css_vulkan_match(sj_css_vulkan *vulkan, const sj_css_job *job, const uint32_t *changes,
                                 size_t change_count, sj_css_result *result, stijl_css_stats *stats);

// Counts `work` tests that were made since the last call. Returns false when the time or the budget is spent. It reads
// the clock, which takes longer than a test, so it is called every few thousand.
bool sj_css_may_go_on(const sj_css_job *job, uint64_t work);
stijl_result sj_css_fail_time(const sj_css_job *job);
stijl_result sj_css_fail_matches(const sj_css_job *job);

#endif
