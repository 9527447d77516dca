// `lab ablate MANIFEST` leaves statements out of a user's kernel.
#include <stdio.h>
#include <string.h>

#include "lab/user_kernel.h"

// --- Versions ---

static stijl_result put(void *user, uint32_t slot, const sj_vk_shader *shader, int feature, sj_lab_outcome *outcome) {
  sj_lab_user *r = user;
  sj_lab *lab = r->lab;
  const sj_lab_manifest *m = &r->manifest;
  const sj_buffer *buffers[SJ_VK_MAX_BINDINGS] = {0};
  uint32_t constants[SJ_VK_MAX_CONSTANTS];
  bool same = true;
  if (!shader) shader = &r->whole;
  memcpy(constants, m->constants, sizeof constants);
  if (feature >= 0) constants[m->features[feature].id] = m->features[feature].value;
  sj_lab_user_bind(r, buffers);
  stijl_result result = sj_lab_user_check_interface(r, shader, constants);
  if (result == STIJL_OK)
    result = sj_lab_kernel_create(lab, shader, constants, m->constant_count, buffers, &r->kernels[slot]);
  r->cases[slot] = (sj_lab_case){.name = m->shader, .kernel = &r->kernels[slot]};
  memcpy(r->cases[slot].groups, m->groups, sizeof m->groups);
  memcpy(r->cases[slot].push, m->push, sizeof m->push);
  if (result == STIJL_OK) result = sj_lab_user_fill(r);
  if (result == STIJL_OK) result = sj_lab_once(lab, &r->cases[slot]);
  if (result == STIJL_OK) result = sj_lab_user_compare(r, slot, &same);
  *outcome = same ? SJ_LAB_OUTCOME_SAME : SJ_LAB_OUTCOME_ANOTHER;
  return result;
}

static void clear(void *user, uint32_t slot) {
  sj_lab_user *r = user;
  sj_lab_kernel_destroy(r->lab, &r->kernels[slot]);
  r->kernels[slot] = (sj_lab_kernel){0};
}

static stijl_result time_all(void *user, uint32_t count, sj_lab_estimate *out) {
  sj_lab_user *r = user;
  stijl_result result = sj_lab_user_fill(r);
  if (result == STIJL_OK) result = sj_lab_time(r->lab, r->cases, count);
  for (uint32_t i = 0; i < count && result == STIJL_OK; i++)
    out[i] = (sj_lab_estimate){r->cases[i].us, r->cases[i].low, r->cases[i].high};
  return result;
}

// --- What bounds it ---

// Says what bounds the kernel: too few lanes, few lanes at a time because of registers, or memory.
static void describe(void *user, const sj_lab_estimate *whole) {
  sj_lab_user *r = user;
  sj_lab *lab = r->lab;
  const sj_lab_manifest *m = &r->manifest;
  const sj_lab_statistics *s = &r->statistics;
  sj_vk_interface interface;
  if (sj_vk_reflect(lab->context, &r->whole, m->constants, m->constant_count, &interface, NULL) != STIJL_OK) return;
  uint32_t group = interface.local[0] * interface.local[1] * interface.local[2];
  double lanes = (double)m->groups[0] * m->groups[1] * m->groups[2] * group, room = sj_lab_most_lanes(lab),
         left = sj_lab_lanes_by_registers(lab, s->registers, group), bytes = 0;
  for (uint32_t b = 0; b < m->buffer_count; b++) bytes += (double)m->buffers[b].bytes;
  double rate = bytes / whole->us * 1e6, most = sj_lab_bandwidth(lab, bytes);
  bool few = lanes < room / 2, crowded = left<room / 2, moves = rate> most / 2;
  if (few)
    sj_lab_say(
        lab->page,
        "It has %.0f lanes, which is %.2g %% of the %.0f that the device has room for: more workgroups would use it.",
        lanes, lanes / room * 100, room);
  if (crowded)
    sj_lab_say(
        lab->page,
        "Its %.0f registers leave %.0f of %.0f lanes at work at a time; fewer variables at a time would allow more.",
        s->registers, left, room);
  if (s->spilled > 0) sj_lab_say(lab->page, "The compiler has spilled %.0f of its variables to memory.", s->spilled);
  if (bytes > 0 && most > 0) {
    char moved[32];
    sj_lab_format(moved, sizeof moved, SJ_LAB_RATE, rate);
    sj_lab_say(
        lab->page, "Its buffers' bytes, each counted once, are %s, %.2g %% of what copies of that size move: %s.",
        moved, rate / most * 100,
        moves ? "memory bounds it, and only moving less makes it faster"
        : few || crowded
            ? "memory does not bound it"
            : "memory does not bound it, unless it reads them over and over or in an order that costs (lab access)");
  }
}

// --- All ---

static stijl_result measure(sj_lab_user *r) {
  const sj_lab_manifest *m = &r->manifest;
  char names[SJ_LAB_MAX_FEATURES][48];
  const char *features[SJ_LAB_MAX_FEATURES];
  for (uint32_t i = 0; i < m->feature_count; i++) {
    snprintf(names[i], sizeof names[i], "constant %u = %u", m->features[i].id, m->features[i].value);
    features[i] = names[i];
  }
  stijl_result result = sj_lab_user_load(r);
  if (result == STIJL_OK) result = sj_lab_user_make_buffers(r);
  const sj_lab_subject subject = {.name = m->shader,
                                  .text = r->text,
                                  .bytes = r->bytes,
                                  .slots = SJ_LAB_MAX_SLOTS,
                                  .features = features,
                                  .feature_count = m->feature_count,
                                  .user = r,
                                  .compile = sj_lab_user_compile,
                                  .put = put,
                                  .describe = describe,
                                  .clear = clear,
                                  .time = time_all};
  if (result == STIJL_OK) result = sj_lab_compile(r->lab, &r->whole, m->constants, m->constant_count, &r->statistics);
  return result == STIJL_OK ? sj_lab_ablate(r->lab, &subject) : result;
}

stijl_result sj_lab_run_ablate(sj_lab *lab) {
  const char *file = lab->params->file;
  size_t length = file ? strlen(file) : 0;
  if (!file || (length > 4 && strcmp(file + length - 4, ".svg") == 0)) return sj_lab_ablate_renderer(lab);
  return sj_lab_is_stage(file) ? sj_lab_ablate_stage(lab, file) : sj_lab_with_manifest(lab, file, measure);
}
