// Makes and destroys the CPU's matching engine.
#include <string.h>

#include "css/cpu.h"

static bool create_worker(sj_css_cpu *c, sj_css_worker *w, uint16_t number) {
  w->number = number;
  w->gates = sj_alloc_array(c->context, c->index.words + SJ_CSS_APART / sizeof *w->gates, sizeof *w->gates);
  w->is_active = sj_alloc_zero(c->context, c->index.nodes.count + SJ_CSS_APART);
  if (w->gates) memcpy(w->gates, c->index.open, c->index.words * sizeof *w->gates);
  return w->gates && w->is_active;
}

stijl_result sj_css_cpu_create(const sj_css_job *job, sj_pool *pool, sj_css_cpu **out) {
  stijl_context *context = job->context;
  uint32_t count = job->linked->document->count;
  *out = NULL;
  sj_css_cpu *c = sj_alloc_zero(context, sizeof *c);
  if (!c) return sj_fail_memory(job->message);
  c->context = context;
  c->pool = pool;
  c->threads = sj_pool_threads(pool);
  stijl_result result = STIJL_OK;
  bool good = sj_css_index_create(&c->index, job);
  if (good) {
    double bytes = 16.0 * (double)c->index.set_words * (double)c->index.sets.count +
                   (double)(c->threads + 1) * ((double)c->index.words * 8 + (double)c->index.nodes.count);
    if (bytes > (double)job->limits->max_memory) {
      result = sj_fail(job->message, STIJL_ERROR_LIMIT, "matching needs %.0f bytes, more than max_memory (%llu)", bytes,
                       (unsigned long long)job->limits->max_memory);
      good = false;
    }
  }
  if (good) {
    size_t words = c->index.set_words * c->index.sets.count + 1;
    c->workers = sj_alloc_zero(context, ((size_t)c->threads + 1) * sizeof *c->workers);
    c->sets = sj_alloc_array(context, words, sizeof *c->sets);
    c->old_sets = sj_alloc_array(context, words, sizeof *c->sets);
    c->places = sj_alloc_array(context, count, sizeof *c->places);
    c->owner = sj_alloc_array(context, count, sizeof *c->owner);
    c->dirty = sj_alloc_zero(context, count);
    good = c->workers && c->sets && c->old_sets && c->places && c->owner && c->dirty;
    for (int i = 0; good && i <= c->threads; i++) good = create_worker(c, &c->workers[i], (uint16_t)i);
  }
  if (good) {
    *out = c;
    return STIJL_OK;
  }
  sj_css_cpu_destroy(c);
  return result ? result : sj_fail_memory(job->message);
}

void sj_css_cpu_destroy(sj_css_cpu *c) {
  if (!c) return;
  stijl_context *context = c->context;
  for (int i = 0; c->workers && i <= c->threads; i++) {
    sj_css_worker *w = &c->workers[i];
    sj_free(context, w->gates);
    sj_free(context, w->is_active);
    sj_arrays_finish(context, &w->active, &w->matches, &w->opened, &w->family, &w->scratch, &w->frames);
  }
  sj_free(context, c->workers);
  sj_free(context, c->sets);
  sj_free(context, c->old_sets);
  sj_free(context, c->places);
  sj_free(context, c->owner);
  sj_free(context, c->dirty);
  sj_arrays_finish(context, &c->old_matches, &c->old_opened, &c->tasks);
  if (c->index.context) sj_css_index_finish(&c->index);
  sj_free(context, c);
}
