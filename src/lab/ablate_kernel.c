// `lab ablate MANIFEST` and `lab occupancy MANIFEST`: a user's kernel, by its manifest.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/ablate.h"
#include "lab/manifest.h"
#include "lab/statistics.h"

typedef struct run {
  sj_lab *lab;
  sj_lab_manifest manifest;
  char *text;  // GLSL; NULL for SPIR-V
  size_t bytes;
  sj_vk_shader whole;
  sj_buffer buffers[SJ_LAB_MAX_BUFFERS], back;  // in the manifest's order
  uint64_t hashes[SJ_LAB_MAX_BUFFERS];          // of what the whole shader leaves
  sj_lab_kernel kernels[SJ_LAB_MAX_SLOTS];
  sj_lab_case cases[SJ_LAB_MAX_SLOTS];
  sj_lab_statistics statistics;  // of the whole shader
} run;

// --- Buffers ---

static uint32_t random_word(uint32_t i) {
  uint32_t h = i * 2654435761u + 1;
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 12;
  h *= 0x297a2d39u;
  return h ^ h >> 15;
}

static stijl_result fill(run *r) {
  stijl_result result = STIJL_OK;
  for (uint32_t i = 0; i < r->manifest.buffer_count && result == STIJL_OK; i++) {
    uint64_t bytes = r->manifest.buffers[i].bytes;
    if (r->manifest.buffers[i].fill == SJ_LAB_FILL_RANDOM) {
      uint32_t *words = r->back.mapped;
      for (uint64_t k = 0; k < bytes / 4; k++) words[k] = random_word((uint32_t)k);
      result = sj_lab_copy(r->lab, &r->back, &r->buffers[i], bytes);
    } else {
      uint32_t factor = r->manifest.buffers[i].fill == SJ_LAB_FILL_NUMBER ? SJ_LAB_WORD : 0;
      result = sj_lab_number_by(r->lab, &r->buffers[i], bytes, factor);
    }
  }
  return result;
}

static stijl_result hash(run *r, uint32_t i, uint64_t *out) {
  stijl_result result = sj_lab_copy(r->lab, &r->buffers[i], &r->back, r->manifest.buffers[i].bytes);
  uint64_t h = 0xcbf29ce484222325u;  // FNV-1a
  const unsigned char *bytes = r->back.mapped;
  for (uint64_t k = 0; result == STIJL_OK && k < r->manifest.buffers[i].bytes; k++) h = (h ^ bytes[k]) * 0x100000001b3u;
  *out = h;
  return result;
}

static stijl_result make_buffers(run *r) {
  uint64_t most = 4;
  stijl_result result = STIJL_OK;
  for (uint32_t i = 0; i < r->manifest.buffer_count && result == STIJL_OK; i++) {
    uint64_t bytes = r->manifest.buffers[i].bytes;
    if (bytes > most) most = bytes;
    if (bytes > r->lab->vk.properties.limits.maxStorageBufferRange)
      return sj_fail(r->lab->message, STIJL_ERROR_LIMIT,
                     "binding %u: the device's storage buffers have %u bytes at most", r->manifest.buffers[i].binding,
                     r->lab->vk.properties.limits.maxStorageBufferRange);
    result = sj_lab_buffer(r->lab, &r->buffers[i], SJ_BUFFER_DEVICE, "a buffer of the manifest", bytes);
  }
  return result == STIJL_OK ? sj_lab_buffer(r->lab, &r->back, SJ_BUFFER_READBACK, "the host's copy", most) : result;
}

// --- Versions ---

static stijl_result compile(void *user, const char *text, size_t bytes, sj_vk_shader *out) {
  run *r = user;
  const sj_lab_manifest *m = &r->manifest;
  const char *defines[SJ_LAB_MAX_DEFINES], *const folders[] = {m->folder, NULL};
  for (uint32_t i = 0; i < m->define_count; i++) defines[i] = m->defines[i];
  return sj_lab_compile_glsl(r->lab, m->shader, text, bytes, folders, defines, m->define_count, out);
}

// Whether the manifest has what the shader binds.
static stijl_result check_interface(const run *r, const sj_vk_shader *shader, const uint32_t *constants) {
  const sj_lab_manifest *m = &r->manifest;
  uint32_t bound = 0;
  for (uint32_t b = 0; b < m->buffer_count; b++) bound |= 1u << m->buffers[b].binding;
  sj_vk_interface interface;
  stijl_result result =
      sj_vk_reflect(r->lab->context, shader, constants, m->constant_count, &interface, r->lab->message);
  if (result != STIJL_OK) return result;
  if (interface.bindings & ~bound)
    return sj_fail(r->lab->message, STIJL_ERROR_INVALID_ARGUMENT,
                   "%.120s binds a buffer that the manifest does not have", m->shader);
  if (interface.push_bytes > m->push_count * 4)
    return sj_fail(r->lab->message, STIJL_ERROR_INVALID_ARGUMENT,
                   "%.120s has %u bytes of push constants, and the manifest %u", m->shader, interface.push_bytes,
                   m->push_count * 4);
  return STIJL_OK;
}

// Compares what a version has left with what the whole shader leaves, which it keeps, and checks, for slot 0.
static stijl_result compare(run *r, uint32_t slot, bool *same) {
  const sj_lab_manifest *m = &r->manifest;
  stijl_result result = STIJL_OK;
  *same = true;
  for (uint32_t b = 0; b < m->buffer_count && result == STIJL_OK; b++) {
    uint64_t h;
    result = hash(r, b, &h);
    if (!slot) r->hashes[b] = h;
    *same = *same && h == r->hashes[b];
    if (!slot && m->has_check && m->buffers[b].binding == m->check_binding && h != m->check_hash)
      sj_lab_wrong(r->lab->page, "the shader leaves 0x%016llx in binding %u, and the manifest expects 0x%016llx",
                   (unsigned long long)h, m->check_binding, (unsigned long long)m->check_hash);
  }
  return result;
}

static stijl_result put(void *user, uint32_t slot, const sj_vk_shader *shader, int feature, sj_lab_outcome *outcome) {
  run *r = user;
  sj_lab *lab = r->lab;
  const sj_lab_manifest *m = &r->manifest;
  const sj_buffer *buffers[SJ_VK_MAX_BINDINGS] = {0};
  uint32_t constants[SJ_VK_MAX_CONSTANTS];
  bool same = true;
  if (!shader) shader = &r->whole;
  memcpy(constants, m->constants, sizeof constants);
  if (feature >= 0) constants[m->features[feature].id] = m->features[feature].value;
  for (uint32_t b = 0; b < m->buffer_count; b++) buffers[m->buffers[b].binding] = &r->buffers[b];
  stijl_result result = check_interface(r, shader, constants);
  if (result == STIJL_OK)
    result = sj_lab_kernel_create(lab, shader, constants, m->constant_count, buffers, &r->kernels[slot]);
  r->cases[slot] = (sj_lab_case){.name = m->shader, .kernel = &r->kernels[slot]};
  memcpy(r->cases[slot].groups, m->groups, sizeof m->groups);
  memcpy(r->cases[slot].push, m->push, sizeof m->push);
  if (result == STIJL_OK) result = fill(r);
  if (result == STIJL_OK) result = sj_lab_once(lab, &r->cases[slot]);
  if (result == STIJL_OK) result = compare(r, slot, &same);
  *outcome = same ? SJ_LAB_OUTCOME_SAME : SJ_LAB_OUTCOME_ANOTHER;
  return result;
}

static void clear(void *user, uint32_t slot) {
  run *r = user;
  sj_lab_kernel_destroy(r->lab, &r->kernels[slot]);
  r->kernels[slot] = (sj_lab_kernel){0};
}

static stijl_result time_all(void *user, uint32_t count, sj_lab_times *out) {
  run *r = user;
  stijl_result result = fill(r);
  if (result == STIJL_OK) result = sj_lab_time(r->lab, r->cases, count);
  for (uint32_t i = 0; i < count && result == STIJL_OK; i++)
    out[i] = (sj_lab_times){r->cases[i].us, r->cases[i].low, r->cases[i].high};
  return result;
}

// --- What bounds it ---

// Few lanes, few of them at a time because of registers, memory, or none of these.
static void describe(void *user, const sj_lab_times *whole) {
  run *r = user;
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

static stijl_result load(run *r) {
  sj_lab *lab = r->lab;
  sj_lab_manifest *m = &r->manifest;
  const char *defines[SJ_LAB_MAX_DEFINES];
  for (uint32_t i = 0; i < m->define_count; i++) defines[i] = m->defines[i];
  stijl_result result = sj_lab_load_shader(lab, m->shader, defines, m->define_count, &r->whole);
  if (result == STIJL_OK) result = sj_lab_read_file(lab, m->shader, &r->text, &r->bytes);
  if (result == STIJL_OK && r->bytes >= 4 && memcmp(r->text, "\x03\x02\x23\x07", 4) == 0) {
    sj_free(lab->context, r->text);
    r->text = NULL;
  }
  return result;
}

static stijl_result measure(run *r) {
  const sj_lab_manifest *m = &r->manifest;
  char names[SJ_LAB_MAX_FEATURES][48];
  const char *features[SJ_LAB_MAX_FEATURES];
  for (uint32_t i = 0; i < m->feature_count; i++) {
    snprintf(names[i], sizeof names[i], "constant %u = %u", m->features[i].id, m->features[i].value);
    features[i] = names[i];
  }
  stijl_result result = load(r);
  if (result == STIJL_OK) result = make_buffers(r);
  const sj_lab_subject subject = {.name = m->shader,
                                  .text = r->text,
                                  .bytes = r->bytes,
                                  .slots = SJ_LAB_MAX_SLOTS,
                                  .features = features,
                                  .feature_count = m->feature_count,
                                  .user = r,
                                  .compile = compile,
                                  .put = put,
                                  .describe = describe,
                                  .clear = clear,
                                  .time = time_all};
  if (result == STIJL_OK) result = sj_lab_compile(r->lab, &r->whole, m->constants, m->constant_count, &r->statistics);
  return result == STIJL_OK ? sj_lab_ablate(r->lab, &subject) : result;
}

// Reads a manifest, does something with it, and gives back what that has made.
static stijl_result with_manifest(sj_lab *lab, const char *manifest, stijl_result (*what)(run *r)) {
  run *r = sj_alloc_zero(lab->context, sizeof *r);
  if (!r) return sj_fail_memory(lab->message);
  r->lab = lab;
  stijl_result result = sj_lab_manifest_read(lab, manifest, &r->manifest);
  if (result == STIJL_OK) result = sj_lab_measure_ceilings(lab, false);
  if (result == STIJL_OK) result = what(r);
  sj_lab_statistics_finish(lab, &r->statistics);
  for (uint32_t i = 0; i < r->manifest.buffer_count; i++) sj_lab_buffer_finish(lab, &r->buffers[i]);
  sj_lab_buffer_finish(lab, &r->back);
  sj_free(lab->context, (void *)(uintptr_t)r->whole.words);
  sj_free(lab->context, r->text);
  sj_free(lab->context, r);
  return result;
}

stijl_result sj_lab_run_ablate(sj_lab *lab) {
  const char *file = lab->params->file;
  size_t length = file ? strlen(file) : 0;
  if (!file || (length > 4 && strcmp(file + length - 4, ".svg") == 0)) return sj_lab_ablate_renderer(lab);
  return sj_lab_is_stage(file) ? sj_lab_ablate_stage(lab, file) : with_manifest(lab, file, measure);
}

// --- Counting workgroups ---

// The workgroups of a shader that counts them, at work at a time: the most of three runs.
static stijl_result count_groups(run *r, const sj_vk_shader *shader, uint32_t binding, uint32_t *peak) {
  sj_lab *lab = r->lab;
  const sj_lab_manifest *m = &r->manifest;
  const sj_buffer *buffers[SJ_VK_MAX_BINDINGS] = {[0] = NULL};
  uint32_t groups = m->groups[0] * m->groups[1] * m->groups[2], *counters = lab->little.mapped;
  for (uint32_t b = 0; b < m->buffer_count; b++) buffers[m->buffers[b].binding] = &r->buffers[b];
  buffers[binding] = &lab->little;
  *peak = 0;
  stijl_result result = sj_lab_kernel_create(lab, shader, m->constants, m->constant_count, buffers, &r->kernels[0]);
  sj_lab_case c = {.name = m->shader, .kernel = &r->kernels[0]};
  memcpy(c.groups, m->groups, sizeof m->groups);
  memcpy(c.push, m->push, sizeof m->push);
  for (int round = 0; round < 3 && result == STIJL_OK; round++) {
    memset(counters, 0, 16);
    result = fill(r);
    if (result == STIJL_OK) result = sj_lab_once(lab, &c);
    if (result != STIJL_OK) break;
    if (counters[0] || counters[2] != groups || !counters[1] || counters[1] > groups)
      sj_lab_wrong(lab->page, "%u of %u workgroups were counted, and %u left over", counters[2], groups, counters[0]);
    if (counters[1] > *peak) *peak = counters[1];
  }
  sj_lab_kernel_destroy(lab, &r->kernels[0]);
  return result;
}

static void write_count(run *r, const sj_vk_interface *interface, uint32_t peak) {
  static const sj_lab_column columns[] = {
      {"shader", "shader", SJ_LAB_NAME},        {"group", "lanes of a group", SJ_LAB_COUNT},
      {"dispatched", "groups", SJ_LAB_COUNT},   {"groups", "at work at a time", SJ_LAB_COUNT},
      {"lanes", "lanes at work", SJ_LAB_COUNT}, {"room", "the device has room for", SJ_LAB_COUNT},
      {"registers", "registers", SJ_LAB_COUNT}, {"predicted", "lanes by registers", SJ_LAB_COUNT},
      {"shared", "shared memory", SJ_LAB_BYTES}};
  sj_lab *lab = r->lab;
  const sj_lab_manifest *m = &r->manifest;
  uint32_t group = interface->local[0] * interface->local[1] * interface->local[2];
  uint32_t groups = m->groups[0] * m->groups[1] * m->groups[2];
  double lanes = (double)peak * group, room = sj_lab_most_lanes(lab), registers = r->statistics.registers,
         predicted = sj_lab_lanes_by_registers(lab, registers, group);
  sj_lab_say(lab->page, "At most %u of its %u workgroups of %u were at work at a time: %.0f lanes.", peak, groups,
             group, lanes);
  if (lanes < room && peak == groups)
    sj_lab_say(lab->page, "The device has room for %.0f: there are no more workgroups.", room);
  else if (lanes < room)
    sj_lab_say(lab->page, "The device has room for %.0f: %s.", room,
               predicted <= lanes * 1.05     ? "registers leave no more"
               : interface->shared_bytes > 0 ? "its shared memory leaves no more, or its workgroups end too soon"
                                             : "its workgroups end before more have begun, or are too small");
  const sj_lab_cell row[] = {
      SJ_LAB_TEXT(m->shader),   SJ_LAB_NUMBER(group),     SJ_LAB_NUMBER(groups),
      SJ_LAB_NUMBER(peak),      SJ_LAB_NUMBER(lanes),     SJ_LAB_NUMBER(room),
      SJ_LAB_NUMBER(registers), SJ_LAB_NUMBER(predicted), SJ_LAB_NUMBER(interface->shared_bytes)};
  sj_lab_table(lab->page, "occupancy", "Workgroups at work at the same time, counted by themselves", columns, 9, row,
               1);
}

static stijl_result count(run *r) {
  sj_lab *lab = r->lab;
  const sj_lab_manifest *m = &r->manifest;
  sj_vk_interface interface;
  uint32_t bound = 0, binding = 0, peak = 0;
  for (uint32_t b = 0; b < m->buffer_count; b++) bound |= 1u << m->buffers[b].binding;
  while (bound >> binding & 1) binding++;
  if (binding >= SJ_LAB_MAX_BUFFERS)
    return sj_fail(lab->message, STIJL_ERROR_LIMIT, "the manifest leaves no binding for the counters");
  stijl_result result = load(r);
  if (result == STIJL_OK && !r->text)
    result = sj_fail(lab->message, STIJL_ERROR_UNSUPPORTED, "%.160s is SPIR-V: workgroups are counted in GLSL only",
                     m->shader);
  if (result == STIJL_OK) result = make_buffers(r);
  if (result == STIJL_OK) result = check_interface(r, &r->whole, m->constants);
  if (result == STIJL_OK)
    result = sj_vk_reflect(lab->context, &r->whole, m->constants, m->constant_count, &interface, lab->message);
  if (result == STIJL_OK) result = sj_lab_compile(lab, &r->whole, m->constants, m->constant_count, &r->statistics);
  if (result != STIJL_OK) return result;
  sj_lab_text counted = {.context = lab->context};
  sj_vk_shader shader = {0};
  result = sj_lab_count_groups(&counted, r->text, r->bytes, binding) ? compile(r, counted.data, counted.count, &shader)
                                                                     : sj_fail_memory(lab->message);
  sj_lab_text_finish(&counted);
  if (result == STIJL_OK) result = count_groups(r, &shader, binding, &peak);
  if (result == STIJL_OK) write_count(r, &interface, peak);
  sj_free(lab->context, (void *)(uintptr_t)shader.words);
  return result;
}

stijl_result sj_lab_count_kernel(sj_lab *lab, const char *manifest) { return with_manifest(lab, manifest, count); }
