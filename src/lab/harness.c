#include "lab/harness.h"

#include <math.h>

#include "base/clock.h"

// --- Buffers ---

stijl_result sj_lab_buffer(sj_lab *lab, sj_buffer *buffer, sj_buffer_kind kind, const char *name, VkDeviceSize bytes) {
  bool grown;
  *buffer = (sj_buffer){.name = name, .kind = kind};
  return sj_buffer_reserve(&lab->vk, buffer, bytes, &grown, lab->message);
}

void sj_lab_buffer_finish(sj_lab *lab, sj_buffer *buffer) {
  if (!lab->vk.stuck) sj_buffer_finish(&lab->vk, buffer);
}

VkDeviceSize sj_lab_size(const sj_lab *lab, VkDeviceSize wanted) {
  VkDeviceSize most = lab->vk.properties.limits.maxStorageBufferRange, heap = 0;
  for (uint32_t h = 0; h < lab->vk.memory.memoryHeapCount; h++)
    if (lab->vk.memory.memoryHeaps[h].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT &&
        lab->vk.memory.memoryHeaps[h].size > heap)
      heap = lab->vk.memory.memoryHeaps[h].size;
  if (heap / 8 < most) most = heap / 8;
  if (wanted < most) most = wanted;
  VkDeviceSize size = 1;
  while (size * 2 <= most) size *= 2;
  return size;
}

stijl_result sj_lab_copy(sj_lab *lab, const sj_buffer *from, const sj_buffer *to, VkDeviceSize bytes) {
  VkCommandBuffer list = lab->commands.buffers[0];
  stijl_result result = sj_vk_begin(&lab->vk, list, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, lab->message);
  if (result != STIJL_OK) return result;
  VkBufferCopy region = {0, 0, bytes};
  sj_vk_barrier(&lab->vk, list, SJ_VK_COMPUTE | SJ_VK_COPY, SJ_VK_COPY);
  lab->vk.CmdCopyBuffer(list, from->handle, to->handle, 1, &region);
  sj_vk_barrier(&lab->vk, list, SJ_VK_COPY, SJ_VK_COMPUTE | SJ_VK_HOST);
  return sj_vk_run(&lab->vk, &lab->commands, "copying a buffer", lab->message);
}

stijl_result sj_lab_number_by(sj_lab *lab, const sj_buffer *buffer, VkDeviceSize bytes, uint32_t factor) {
  sj_lab_kernel kernel;
  const sj_buffer *buffers[] = {buffer};
  stijl_result result = sj_lab_kernel_create(lab, &sj_lab_number_shader, NULL, 0, buffers, &kernel);
  if (result != STIJL_OK) return result;
  uint32_t words = (uint32_t)(bytes / 4), groups = (words + 255) / 256;
  const sj_lab_case fill = {
      .name = "numbering", .kernel = &kernel, .groups = {groups < 8192 ? groups : 8192, 1, 1}, .push = {words, factor}};
  result = sj_lab_once(lab, &fill);
  sj_lab_kernel_destroy(lab, &kernel);
  return result;
}

// --- Kernels ---

stijl_result sj_lab_kernel_create(sj_lab *lab, const sj_vk_shader *shader, const uint32_t *constants, uint32_t count,
                                  const sj_buffer *const *buffers, sj_lab_kernel *out) {
  *out = (sj_lab_kernel){0};
  stijl_result result = sj_vk_bindings_create(&lab->vk, shader, &out->bindings, lab->message);
  if (result != STIJL_OK) return result;
  VkDescriptorBufferInfo ranges[SJ_VK_MAX_BINDINGS] = {0};
  for (uint32_t b = 0; b < SJ_VK_MAX_BINDINGS; b++)
    if (out->bindings.interface.bindings >> b & 1)
      ranges[b] = (VkDescriptorBufferInfo){buffers[b]->handle, 0, VK_WHOLE_SIZE};
  sj_vk_bindings_write(&lab->vk, &out->bindings, ranges);
  result = sj_vk_pipeline_create(&lab->vk, &lab->cache, shader, constants, count, &out->bindings, &out->pipeline,
                                 lab->message);
  sj_vk_interface interface = {.local = {1, 1, 1}};
  if (result == STIJL_OK) result = sj_vk_reflect(lab->context, shader, constants, count, &interface, lab->message);
  out->group = interface.local[0] * interface.local[1] * interface.local[2];
  if (result != STIJL_OK) sj_lab_kernel_destroy(lab, out);
  return result;
}

void sj_lab_kernel_destroy(sj_lab *lab, sj_lab_kernel *kernel) {
  if (lab->vk.stuck) return;
  if (kernel->pipeline) lab->vk.DestroyPipeline(lab->vk.device, kernel->pipeline, NULL);
  sj_vk_bindings_destroy(&lab->vk, &kernel->bindings);
  *kernel = (sj_lab_kernel){0};
}

// --- Timing ---

// How much longer than the host has waited a device may say that it took, since their clocks differ.
#define HOST_SLACK_US 50.0

stijl_result sj_lab_run_repeats(sj_lab *lab, const sj_lab_case *c, uint32_t repeats, double *us) {
  sj_vk *vk = &lab->vk;
  VkCommandBuffer list = lab->commands.buffers[0];
  stijl_result result = sj_vk_begin(vk, list, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, lab->message);
  if (result != STIJL_OK) return result;
  sj_vk_timer_begin(vk, list, &lab->timer);
  sj_vk_use(vk, list, c->kernel->pipeline, &c->kernel->bindings, c->push);
  for (uint32_t i = 0; i < repeats; i++) {
    if (i && c->apart) sj_vk_barrier(vk, list, SJ_VK_COMPUTE, SJ_VK_COMPUTE);
    if (c->lanes)
      sj_vk_dispatch(vk, list, c->lanes / c->kernel->group);
    else
      vk->CmdDispatch(list, c->groups[0], c->groups[1], c->groups[2]);
  }
  sj_vk_stamp(vk, list, &lab->timer, 1);
  sj_vk_barrier(vk, list, SJ_VK_COMPUTE, SJ_VK_HOST);
  double before = sj_now_us();
  result = sj_vk_run(vk, &lab->commands, c->name, lab->message);
  double waited = sj_now_us() - before;
  if (result != STIJL_OK) {
    sj_vk_commands_reset(vk, &lab->commands);
    return result;
  }
  if (!sj_vk_times(vk, &lab->timer, 2, us)) *us = waited;
  if (*us > waited * 1.01 + HOST_SLACK_US)
    sj_lab_wrong(lab->page, "%s: the device says it took %.1f us, and the host has waited %.1f us for it", c->name, *us,
                 waited);
  *us /= repeats;
  return STIJL_OK;
}

stijl_result sj_lab_once(sj_lab *lab, const sj_lab_case *c) {
  double us;
  return sj_lab_run_repeats(lab, c, 1, &us);
}

stijl_result sj_lab_time(sj_lab *lab, sj_lab_case *cases, uint32_t count) {
  enum { CASES = 64 };
  static const double submission_us = 1500;
  uint32_t rounds = lab->quick ? 5 : 15;
  if (count > CASES) return sj_fail(lab->message, STIJL_ERROR_LIMIT, "more than %d cases at a time", CASES);
  stijl_result result = sj_lab_warm(lab);
  for (uint32_t i = 0; i < count && result == STIJL_OK; i++) {
    double us = 0;
    result = sj_lab_run_repeats(lab, &cases[i], 1, &us);
    if (result == STIJL_OK) result = sj_lab_run_repeats(lab, &cases[i], 1, &us);
    double repeats = cases[i].once || us <= 0 ? 1 : submission_us / us;
    cases[i].repeats = repeats < 1 || lab->software ? 1 : repeats > 200 ? 200 : (uint32_t)repeats;
  }
  double(*times)[SJ_LAB_MAX_ROUNDS] = sj_alloc_array(lab->context, count + 1, sizeof *times);
  if (!times) return sj_fail_memory(lab->message);
  for (uint32_t r = 0; r < rounds; r++)
    for (uint32_t k = 0; k < count && result == STIJL_OK; k++) {
      uint32_t i = (r + k) % count;  // the first of a round takes turns, since it may run at another clock
      result = sj_lab_run_repeats(lab, &cases[i], cases[i].repeats, &times[i][r]);
    }
  // The first case comes last, since taking the median sorts its times, and the others are divided by these round by
  // round.
  for (uint32_t i = count; i-- > 0 && result == STIJL_OK;) {
    double factors[SJ_LAB_MAX_ROUNDS];
    for (uint32_t r = 0; r < rounds; r++) factors[r] = times[i][r] / times[0][r];
    sj_lab_median(factors, rounds, &cases[i].factor, &cases[i].factor_low, &cases[i].factor_high);
    sj_lab_median(times[i], rounds, &cases[i].us, &cases[i].low, &cases[i].high);
  }
  sj_free(lab->context, times);
  return result;
}

void sj_lab_judge(sj_lab *lab, const sj_lab_case *cases, uint32_t count) {
  // A software device shares its processors with all other work, so its ceilings vary from run to run.
  double slack = lab->software ? 10.0 : 1.08;
  for (uint32_t i = 0; i < count; i++) {
    const sj_lab_case *c = &cases[i];
    double bandwidth = sj_lab_bandwidth(lab, lab->software ? 0 : c->working_set), rate = sj_lab_rate(c),
           work = sj_lab_work(c);
    char got[64], most[64];
    if (!(c->us > 0) && lab->vk.timestamps) sj_lab_wrong(lab->page, "%s: it took no time at all", c->name);
    if (c->bytes > 0 && bandwidth > 0 && rate > bandwidth * slack) {
      sj_lab_format(got, sizeof got, SJ_LAB_RATE, rate);
      sj_lab_format(most, sizeof most, SJ_LAB_RATE, bandwidth);
      sj_lab_wrong(lab->page, "%s: %s is more than this device moves, %s", c->name, got, most);
    }
    if (c->operations > 0 && lab->ceilings.fma > 0 && work > lab->ceilings.fma * slack) {
      sj_lab_format(got, sizeof got, SJ_LAB_WORK, work);
      sj_lab_format(most, sizeof most, SJ_LAB_WORK, lab->ceilings.fma);
      sj_lab_wrong(lab->page, "%s: %s is more than this device computes, %s", c->name, got, most);
    }
  }
}
