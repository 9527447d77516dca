// The public functions of matching: they choose an engine and keep the result.
#include <string.h>

#include "base/budget.h"
#include "base/clock.h"
#include "base/params.h"
#include "base/processors.h"
#include "css/engine.h"
#include "css/sheet.h"

#define MAX_THREADS 256

struct stijl_css_matcher {
  stijl_context *context;
  stijl_css *css;
  stijl_css_document *document;
  stijl_css_matcher_params params;
  sj_css_linked linked;
  uint32_t *order;
  uint8_t *used;
  sj_pool *pool;
  sj_css_cpu *cpu;
  sj_css_vulkan *vulkan;
  sj_css_result result;
  size_t seen;  // how many of the document's changes the result takes into account
  stijl_css_stats stats;
};

static sj_css_job job_of(const stijl_css_matcher *m, const sj_css_clock *clock, stijl_message *message) {
  const stijl_css_limits *limits = &m->css->params.limits;
  return (sj_css_job){.context = m->context,
                      .linked = &m->linked,
                      .order = m->order,
                      .used = m->used,
                      .rules_only = m->css->rules_only,
                      .limits = limits,
                      .min_parallel = m->params.min_parallel,
                      .clock = clock,
                      .message = message};
}

void sj_css_matcher_job(const stijl_css_matcher *m, const sj_css_clock *clock, stijl_message *message,
                        sj_css_job *out) {
  *out = job_of(m, clock, message);
}

static stijl_result prepare(stijl_css_matcher *m, const sj_css_clock *clock, stijl_message *message) {
  const sj_css_program *g = &m->css->program;
  size_t count = g->selectors.count;
  m->order = sj_alloc_array(m->context, count + 1, sizeof *m->order);
  m->used = sj_alloc_array(m->context, count + 1, sizeof *m->used);
  if (!m->order || !m->used || !sj_css_cascade_order(g, m->order)) return sj_fail_memory(message);
  for (size_t i = 0; i < count; i++)
    m->used[i] = m->css->params.all_media || g->rules.data[g->selectors.data[i].rule].active;
  if (!sj_css_link(&m->linked, g, m->document, &m->css->params)) return sj_fail_memory(message);
  if (m->params.engine == STIJL_CSS_ENGINE_REFERENCE) return STIJL_OK;
  m->pool = sj_pool_create(m->context, m->params.threads);
  if (!m->pool) return sj_fail_memory(message);
  sj_css_job job = job_of(m, clock, message);
  if (m->params.engine == STIJL_CSS_ENGINE_VULKAN)
    return sj_css_vulkan_create(&job, m->pool, m->params.device, m->params.device_name, &m->css->devices, &m->vulkan);
  return sj_css_cpu_create(&job, m->pool, &m->cpu);
}

stijl_result stijl_css_matcher_create(const stijl_css *css, stijl_css_document *document,
                                      const stijl_css_matcher_params *params, stijl_css_matcher **out,
                                      stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!out) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no place for the matcher");
  *out = NULL;
  params = SJ_PARAMS(stijl_css_matcher_params, STIJL_CSS_MATCHER_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  if (!css || !document)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no %s to match", css ? "document" : "style sheets");
  if (params->threads < 0)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "%d threads are not 0 or more", params->threads);
  if ((unsigned)params->engine > STIJL_CSS_ENGINE_VULKAN)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "unknown engine %d", (int)params->engine);
  if (css->status) return sj_fail(message, STIJL_ERROR_INVALID_STATE, "a style sheet failed");
  if (!document->finished) return sj_fail(message, STIJL_ERROR_INVALID_STATE, "the document is not finished");
  double start = sj_now_ms();
  stijl_css_matcher *m = sj_alloc_zero(css->context, sizeof *m);
  if (!m) return sj_fail_memory(message);
  m->context = css->context;
  memcpy(&m->css, &css, sizeof css);  // through the const: only the count of its matchers changes
  m->document = document;
  m->params = *params;
  if (m->params.threads == 0) m->params.threads = sj_processors();
  if (m->params.threads > MAX_THREADS) m->params.threads = MAX_THREADS;
  m->css->matchers++;
  sj_css_clock clock;
  stijl_result result = sj_css_clock_begin(&clock, m->context, css->params.limits.max_seconds)
                            ? prepare(m, &clock, message)
                            : sj_fail_memory(message);
  result = sj_budget_result(sj_budget_of(m->context), result, message);
  sj_css_clock_end(&clock);
  m->stats.index_ms = sj_now_ms() - start;
  if (result)
    stijl_css_matcher_destroy(m);
  else
    *out = m;
  return result;
}

void stijl_css_matcher_destroy(stijl_css_matcher *m) {
  if (!m) return;
  m->css->matchers--;
  sj_css_cpu_destroy(m->cpu);
  if (m->vulkan) m->result = (sj_css_result){0};  // the engine frees it
  sj_css_vulkan_destroy(m->vulkan);
  sj_pool_destroy(m->pool);
  sj_css_linked_finish(&m->linked);
  sj_free(m->context, m->order);
  sj_free(m->context, m->used);
  sj_free(m->context, m->result.offsets);
  sj_free(m->context, m->result.selectors);
  sj_free(m->context, m);
}

static stijl_result match(stijl_css_matcher *m, bool everything, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!m) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no matcher");
  if (m->document->status) return sj_fail(message, m->document->status, "a change of the document failed");
  double start = sj_now_ms();
  sj_css_clock clock;
  if (!sj_css_clock_begin(&clock, m->context, m->css->params.limits.max_seconds))
    return sj_budget_result(sj_budget_of(m->context), sj_fail_memory(message), message);
  sj_css_job job = job_of(m, &clock, message);
  size_t changed = m->document->changes.count - m->seen;
  stijl_result result;
  if (!everything && changed == 0 && m->result.offsets) {
    m->stats.rematched = 0;
    result = STIJL_OK;
  } else if (m->params.engine == STIJL_CSS_ENGINE_REFERENCE) {
    result = sj_css_reference_match(&job, &m->result);
    m->stats.rematched = m->document->count;
  } else if (m->params.engine == STIJL_CSS_ENGINE_VULKAN) {
    const uint32_t *changes = m->document->changes.data;
    result = sj_css_vulkan_match(m->vulkan, &job, changes ? changes + m->seen : NULL, changed, &m->result, &m->stats);
    m->stats.rematched = m->document->count;
  } else {
    const uint32_t *changes = everything || !m->result.offsets ? NULL : sj_array_at(&m->document->changes, m->seen);
    result = sj_css_cpu_match(m->cpu, &job, changes, changed, &m->result, &m->stats.rematched);
  }
  if (result == STIJL_OK) m->seen = m->document->changes.count;
  result = sj_budget_result(sj_budget_of(m->context), result, message);
  sj_css_clock_end(&clock);
  m->stats.match_ms = sj_now_ms() - start;
  return result;
}

stijl_result stijl_css_match(stijl_css_matcher *matcher, stijl_message *message) {
  return match(matcher, true, message);
}

stijl_result stijl_css_rematch(stijl_css_matcher *matcher, stijl_message *message) {
  return match(matcher, false, message);
}

size_t stijl_css_matches(const stijl_css_matcher *m, uint32_t element, const uint32_t **selectors) {
  if (selectors) *selectors = NULL;
  if (!m || !m->result.offsets || element >= m->document->count) return 0;
  if (selectors && m->result.selectors) *selectors = m->result.selectors + m->result.offsets[element];
  return m->result.offsets[element + 1] - m->result.offsets[element];
}

size_t stijl_css_matches_all(const stijl_css_matcher *m, const uint32_t **offsets, const uint32_t **selectors) {
  if (offsets) *offsets = NULL;
  if (selectors) *selectors = NULL;
  if (!m || !m->result.offsets) return 0;
  if (offsets) *offsets = m->result.offsets;
  if (selectors) *selectors = m->result.selectors;
  return m->result.offsets[m->document->count];
}

void stijl_css_matcher_stats(const stijl_css_matcher *matcher, stijl_css_stats *out) {
  if (!matcher || !out) return;
  stijl_css_stats stats = matcher->stats;
  SJ_WRITE(stijl_css_stats, out, &stats);
}
