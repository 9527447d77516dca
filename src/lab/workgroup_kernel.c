// `lab occupancy MANIFEST` and `lab workgroup MANIFEST` measure how many workgroups of a user's kernel are at work at a
// time, and how long it takes with workgroups of other shapes.
#include <stdio.h>
#include <string.h>

#include "lab/user_kernel.h"

// --- Counting workgroups ---

// Runs a shader that counts its workgroups, and returns the most at work at a time in three runs.
static stijl_result count_groups(sj_lab_user *r, const sj_vk_shader *shader, uint32_t binding,
                                 const uint32_t *constants, const uint32_t *dispatched, uint32_t *peak) {
  sj_lab *lab = r->lab;
  const sj_lab_manifest *m = &r->manifest;
  const sj_buffer *buffers[SJ_VK_MAX_BINDINGS] = {[0] = NULL};
  uint32_t groups = dispatched[0] * dispatched[1] * dispatched[2], *counters = lab->little.mapped;
  sj_lab_user_bind(r, buffers);
  buffers[binding] = &lab->little;
  *peak = 0;
  sj_lab_kernel kernel;
  stijl_result result = sj_lab_kernel_create(lab, shader, constants, m->constant_count, buffers, &kernel);
  sj_lab_case c = {.name = m->shader, .kernel = &kernel};
  memcpy(c.groups, dispatched, sizeof c.groups);
  memcpy(c.push, m->push, sizeof m->push);
  for (int round = 0; round < 3 && result == STIJL_OK; round++) {
    memset(counters, 0, 16);
    result = sj_lab_user_fill(r);
    if (result == STIJL_OK) result = sj_lab_once(lab, &c);
    if (result != STIJL_OK) break;
    if (counters[0] || counters[2] != groups || !counters[1] || counters[1] > groups)
      sj_lab_wrong(lab->page, "%u of %u workgroups were counted, and %u left over", counters[2], groups, counters[0]);
    if (counters[1] > *peak) *peak = counters[1];
  }
  sj_lab_kernel_destroy(lab, &kernel);
  return result;
}

static void write_count(sj_lab_user *r, const sj_vk_interface *interface, uint32_t peak) {
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

// Loads the shader, makes its buffers, and compiles a version of it that counts its workgroups in the first binding
// that is free. out->words are to be freed with sj_free.
static stijl_result load_counted(sj_lab_user *r, sj_vk_interface *interface, sj_vk_shader *out, uint32_t *binding) {
  sj_lab *lab = r->lab;
  const sj_lab_manifest *m = &r->manifest;
  uint32_t bound = 0;
  for (uint32_t b = 0; b < m->buffer_count; b++) bound |= 1u << m->buffers[b].binding;
  *out = (sj_vk_shader){0};
  *binding = 0;
  while (bound >> *binding & 1) ++*binding;
  if (*binding >= SJ_LAB_MAX_BUFFERS)
    return sj_fail(lab->message, STIJL_ERROR_LIMIT, "the manifest leaves no binding for the counters");
  stijl_result result = sj_lab_user_load(r);
  if (result == STIJL_OK && !r->text)
    result = sj_fail(lab->message, STIJL_ERROR_UNSUPPORTED, "%.160s is SPIR-V: workgroups are counted in GLSL only",
                     m->shader);
  if (result == STIJL_OK) result = sj_lab_user_make_buffers(r);
  if (result == STIJL_OK) result = sj_lab_user_check_interface(r, &r->whole, m->constants);
  if (result == STIJL_OK)
    result = sj_vk_reflect(lab->context, &r->whole, m->constants, m->constant_count, interface, lab->message);
  if (result == STIJL_OK) result = sj_lab_compile(lab, &r->whole, m->constants, m->constant_count, &r->statistics);
  if (result != STIJL_OK) return result;
  sj_lab_text counted = {.context = lab->context};
  result = sj_lab_count_groups(&counted, r->text, r->bytes, *binding)
               ? sj_lab_user_compile(r, counted.data, counted.count, out)
               : sj_fail_memory(lab->message);
  sj_lab_text_finish(&counted);
  return result;
}

static stijl_result count(sj_lab_user *r) {
  const sj_lab_manifest *m = &r->manifest;
  sj_vk_interface interface;
  sj_vk_shader shader;
  uint32_t binding, peak = 0;
  stijl_result result = load_counted(r, &interface, &shader, &binding);
  if (result == STIJL_OK) result = count_groups(r, &shader, binding, m->constants, m->groups, &peak);
  if (result == STIJL_OK) write_count(r, &interface, peak);
  sj_free(r->lab->context, (void *)(uintptr_t)shader.words);
  return result;
}

stijl_result sj_lab_count_kernel(sj_lab *lab, const char *manifest) {
  return sj_lab_with_manifest(lab, manifest, count);
}

// --- Workgroups of other shapes ---

// A shape of workgroup that divides the dispatch evenly.
typedef struct shape {
  char name[32];
  uint32_t lanes, peak;
  bool same;  // its result is that of the manifest's own shape
} shape;

// Puts a shape into a slot, runs it, and counts its workgroups at work.
static stijl_result put_shape(sj_lab_user *r, uint32_t slot, const uint32_t *size, const uint32_t *items, shape *s,
                              const sj_vk_shader *counted, uint32_t binding) {
  const sj_lab_manifest *m = &r->manifest;
  const sj_buffer *buffers[SJ_VK_MAX_BINDINGS] = {[0] = NULL};
  uint32_t constants[SJ_VK_MAX_CONSTANTS];
  memcpy(constants, m->constants, sizeof constants);
  sj_lab_user_bind(r, buffers);
  sj_lab_case *c = &r->cases[slot];
  *c = (sj_lab_case){.name = s->name, .kernel = &r->kernels[slot], .groups = {0, 0, m->groups[2]}};
  for (int axis = 0; axis < 2; axis++) {
    constants[m->shape[axis]] = size[axis];
    c->groups[axis] = items[axis] / size[axis];
  }
  memcpy(c->push, m->push, sizeof m->push);
  snprintf(s->name, sizeof s->name, "%u x %u", size[0], size[1]);
  stijl_result result =
      sj_lab_kernel_create(r->lab, &r->whole, constants, m->constant_count, buffers, &r->kernels[slot]);
  if (result == STIJL_OK) result = sj_lab_user_fill(r);
  if (result == STIJL_OK) result = sj_lab_once(r->lab, c);
  if (result == STIJL_OK) result = sj_lab_user_compare(r, slot, &s->same);
  s->lanes = r->kernels[slot].group;
  return result == STIJL_OK ? count_groups(r, counted, binding, constants, c->groups, &s->peak) : result;
}

static void write_shapes(sj_lab_user *r, const shape *shapes, uint32_t count) {
  enum { COLUMNS = 8 };
  static const sj_lab_column columns[COLUMNS] = {{"name", "workgroup", SJ_LAB_NAME},
                                                 {"lanes", "lanes", SJ_LAB_COUNT},
                                                 SJ_LAB_TIME_COLUMNS("time"),
                                                 {"factor", "of the best", SJ_LAB_FACTOR},
                                                 {"at_work", "lanes at work", SJ_LAB_COUNT},
                                                 {"result", "result", SJ_LAB_NAME}};
  sj_lab_cell cells[(SJ_LAB_SHAPES + 1) * COLUMNS];
  sj_lab *lab = r->lab;
  const sj_lab_case *c = r->cases;
  uint32_t best = 0, others = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (shapes[i].same && c[i].us < c[best].us) best = i;
    others += !shapes[i].same;
  }
  for (uint32_t i = 0; i < count; i++) {
    const sj_lab_cell row[COLUMNS] = {SJ_LAB_TEXT(c[i].name),
                                      SJ_LAB_NUMBER(shapes[i].lanes),
                                      SJ_LAB_TIME(c[i]),
                                      SJ_LAB_NUMBER(c[i].us / c[best].us),
                                      SJ_LAB_NUMBER((double)shapes[i].peak * shapes[i].lanes),
                                      SJ_LAB_TEXT(shapes[i].same ? "the same" : "another")};
    memcpy(&cells[i * COLUMNS], row, sizeof row);
  }
  sj_lab_say(lab->page, "%s is fastest by workgroups of %s: %.2f of the time that its own %s take.", r->manifest.shader,
             c[best].name, c[best].us / c[0].us, c[0].name);
  if (others)
    sj_lab_say(lab->page, "%u of %u shapes leave another result, and count for nothing: the shader depends on its own.",
               others, count);
  sj_lab_table(lab->page, "shapes", "By the shape of the workgroup; the first is the manifest's", columns, COLUMNS,
               cells, count);
}

static stijl_result sweep_shapes(sj_lab_user *r, const sj_vk_interface *interface, const sj_vk_shader *counted,
                                 uint32_t binding) {
  const VkPhysicalDeviceLimits *l = &r->lab->vk.properties.limits;
  const sj_lab_manifest *m = &r->manifest;
  const uint32_t *own = interface->local, items[2] = {m->groups[0] * own[0], m->groups[1] * own[1]};
  shape shapes[SJ_LAB_SHAPES + 1];
  uint32_t count = 0;
  stijl_result result = STIJL_OK;
  if (own[0] != m->constants[m->shape[0]] || own[1] != m->constants[m->shape[1]])
    return sj_fail(r->lab->message, STIJL_ERROR_INVALID_ARGUMENT,
                   "%.120s has workgroups of %u x %u, which are not the constants that \"shape\" names", m->shader,
                   own[0], own[1]);
  for (uint32_t i = 0; i <= SJ_LAB_SHAPES && result == STIJL_OK; i++) {
    const uint32_t *size = i ? sj_lab_workgroup_shapes[i - 1] : own;
    bool again = i && size[0] == own[0] && size[1] == own[1];
    if (again || size[0] > l->maxComputeWorkGroupSize[0] || size[1] > l->maxComputeWorkGroupSize[1] ||
        size[0] * size[1] * own[2] > l->maxComputeWorkGroupInvocations || items[0] % size[0] || items[1] % size[1] ||
        items[0] / size[0] > l->maxComputeWorkGroupCount[0] || items[1] / size[1] > l->maxComputeWorkGroupCount[1])
      continue;
    result = put_shape(r, count, size, items, &shapes[count], counted, binding);
    count++;
  }
  if (result == STIJL_OK) result = sj_lab_user_fill(r);
  if (result == STIJL_OK) result = sj_lab_time(r->lab, r->cases, count);
  if (result == STIJL_OK) write_shapes(r, shapes, count);
  for (uint32_t i = 0; i < count; i++) sj_lab_kernel_destroy(r->lab, &r->kernels[i]);
  return result;
}

static stijl_result sweep(sj_lab_user *r) {
  if (!r->manifest.has_shape)
    return sj_fail(r->lab->message, STIJL_ERROR_INVALID_ARGUMENT,
                   "the manifest has no line \"shape X Y\": which constants are the lanes of a workgroup");
  sj_vk_interface interface;
  sj_vk_shader counted;
  uint32_t binding;
  stijl_result result = load_counted(r, &interface, &counted, &binding);
  if (result == STIJL_OK) result = sweep_shapes(r, &interface, &counted, binding);
  sj_free(r->lab->context, (void *)(uintptr_t)counted.words);
  return result;
}

stijl_result sj_lab_sweep_kernel(sj_lab *lab, const char *manifest) {
  return sj_lab_with_manifest(lab, manifest, sweep);
}
