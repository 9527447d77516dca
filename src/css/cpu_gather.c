// Puts the results of all workers together.
#include "css/cpu.h"

typedef struct assembly {
  sj_css_cpu *c;
  const uint32_t *offsets, *gate_offsets;
  uint32_t *matches, *selectors, *opened;
  uint32_t piece;
} assembly;

// Copies the results of a piece of the document from the workers' arrays to the flat ones, in document order.
static void assemble(void *user, uint32_t number, int thread) {
  const assembly *a = user;
  sj_css_cpu *c = a->c;
  (void)thread;
  uint32_t from = number * a->piece, count = c->index.linked->document->count;
  uint32_t end = count - from < a->piece ? count : from + a->piece;
  for (uint32_t e = from; e < end; e++) {
    sj_css_place *p = &c->places[e];
    bool old = c->owner[e] == SJ_CSS_OLD_OWNER;
    const sj_css_numbers *matched = old ? &c->old_matches : &c->workers[c->owner[e]].matches;
    const uint32_t *matches = sj_array_at(matched, p->first_match), *opened = sj_css_opened_by(c, e);
    uint32_t at = a->offsets[e], gate_at = a->gate_offsets[e];
    for (uint32_t i = 0; i < p->match_count; i++) {
      a->matches[at + i] = matches[i];
      a->selectors[at + i] = c->job->order[matches[i]];
    }
    for (uint32_t i = 0; i < p->gate_count; i++) a->opened[gate_at + i] = opened[i];
    p->first_match = at;
    p->first_gate = gate_at;
    c->owner[e] = SJ_CSS_OLD_OWNER;
  }
}

#define PIECE 16384u

// Returns room for `count` numbers: `data`, if it may be written over and is large enough, or else a new block.
static uint32_t *room_for(sj_css_cpu *c, bool reuse, uint32_t *data, size_t capacity, size_t count) {
  return reuse && data && capacity >= count ? data : sj_alloc_array(c->context, count, sizeof *data);
}

static void put(sj_css_cpu *c, sj_css_numbers *array, uint32_t *data, size_t count) {
  if (array->data == data) return;
  sj_free(c->context, array->data);
  *array = (sj_css_numbers){data, count, count};
}

stijl_result sj_css_cpu_gather(sj_css_cpu *c, const sj_css_job *job, bool all, sj_css_result *result) {
  stijl_context *context = c->context;
  uint32_t count = c->index.linked->document->count;
  uint32_t *offsets = sj_alloc_array(context, (size_t)count + 1, sizeof *offsets);
  uint32_t *gate_offsets = sj_alloc_array(context, (size_t)count + 1, sizeof *gate_offsets);
  uint64_t matches = 0, gates = 0;
  for (uint32_t e = 0; e < count && offsets && gate_offsets; e++) {
    offsets[e] = (uint32_t)matches;
    gate_offsets[e] = (uint32_t)gates;
    matches += c->places[e].match_count;
    gates += c->places[e].gate_count;
  }
  stijl_result failure = STIJL_OK;
  if (matches > job->limits->max_matches || matches > UINT32_MAX || gates > UINT32_MAX)
    failure = sj_css_fail_matches(job);
  size_t match_room = failure ? 1 : (size_t)matches + 1, gate_room = failure ? 1 : (size_t)gates + 1;
  // When everything was matched anew, nobody reads the last results any more. Writing over them saves time, because the
  // kernel clears memory that it gives out.
  sj_css_numbers *last = &c->last_selectors;
  bool known = result->selectors == last->data;
  uint32_t *ranks = room_for(c, all, c->old_matches.data, c->old_matches.capacity, match_room);
  uint32_t *opened = room_for(c, all, c->old_opened.data, c->old_opened.capacity, gate_room);
  uint32_t *selectors = room_for(c, all && known, last->data, last->capacity, match_room);
  if (!failure && (!offsets || !gate_offsets || !ranks || !selectors || !opened))
    failure = sj_fail_memory(job->message);
  if (failure) {
    sj_free(context, offsets);
    sj_free(context, gate_offsets);
    if (ranks != c->old_matches.data) sj_free(context, ranks);
    if (opened != c->old_opened.data) sj_free(context, opened);
    if (selectors != result->selectors) sj_free(context, selectors);
    return failure;
  }
  offsets[count] = (uint32_t)matches;
  assembly a = {c, offsets, gate_offsets, ranks, selectors, opened, PIECE};
  sj_pool_run(c->pool, (count + PIECE - 1) / PIECE, assemble, &a);
  sj_free(context, gate_offsets);
  put(c, &c->old_matches, ranks, match_room);
  put(c, &c->old_opened, opened, gate_room);
  sj_free(context, result->offsets);
  result->offsets = offsets;
  if (selectors != result->selectors) {
    sj_free(context, result->selectors);
    *last = (sj_css_numbers){selectors, match_room, match_room};
  }
  result->selectors = selectors;
  return STIJL_OK;
}
