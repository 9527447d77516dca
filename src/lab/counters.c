// `lab counters` reads a device's hardware counters (VK_KHR_performance_query) while it runs some kernels, or says that
// there are none.
#include <math.h>
#include <string.h>

#include "lab/harness.h"

enum { MOST_COUNTERS = 512, MOST_PASSES = 64, KERNELS = 4 };

typedef struct functions {
  PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR enumerate;
  PFN_vkGetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR passes;
  PFN_vkAcquireProfilingLockKHR acquire;
  PFN_vkReleaseProfilingLockKHR release;
  PFN_vkCmdBeginQuery begin;
  PFN_vkCmdEndQuery end;
} functions;

typedef struct run {
  sj_lab *lab;
  functions f;
  uint32_t offered, count, passes;  // counters of the queue, those that are sampled, and a kernel's runs for them
  VkPerformanceCounterKHR counters[MOST_COUNTERS];
  VkPerformanceCounterDescriptionKHR about[MOST_COUNTERS];
  uint32_t chosen[MOST_COUNTERS];
  VkQueryPool pool;
  double values[KERNELS][MOST_COUNTERS];
} run;

static bool load(sj_lab *lab, functions *f) {
  const sj_vk_instance *instance = &lab->vk.instance;
#define INSTANCE(member, name) f->member = (PFN_vk##name)instance->GetInstanceProcAddr(instance->handle, "vk" #name)
#define DEVICE(member, name) f->member = (PFN_vk##name)instance->GetDeviceProcAddr(lab->vk.device, "vk" #name)
  INSTANCE(enumerate, EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR);
  INSTANCE(passes, GetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR);
  DEVICE(acquire, AcquireProfilingLockKHR);
  DEVICE(release, ReleaseProfilingLockKHR);
  DEVICE(begin, CmdBeginQuery);
  DEVICE(end, CmdEndQuery);
#undef INSTANCE
#undef DEVICE
  return lab->has_counters && f->enumerate && f->passes && f->acquire && f->release && f->begin && f->end;
}

// --- Choosing ---

static stijl_result enumerate(run *r) {
  sj_lab *lab = r->lab;
  for (uint32_t i = 0; i < MOST_COUNTERS; i++) {
    r->counters[i] = (VkPerformanceCounterKHR){.sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_KHR};
    r->about[i] = (VkPerformanceCounterDescriptionKHR){.sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_DESCRIPTION_KHR};
  }
  VkResult result = r->f.enumerate(lab->vk.physical, lab->vk.family, &r->offered, NULL, NULL);
  uint32_t count = r->offered < MOST_COUNTERS ? r->offered : MOST_COUNTERS;
  if (result == VK_SUCCESS && count)
    result = r->f.enumerate(lab->vk.physical, lab->vk.family, &count, r->counters, r->about);
  if (result != VK_SUCCESS && result != VK_INCOMPLETE) return sj_lab_fail(lab, result, "listing counters");
  r->count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (r->counters[i].scope != VK_PERFORMANCE_COUNTER_SCOPE_RENDER_PASS_KHR) r->chosen[r->count++] = i;
  return STIJL_OK;
}

static VkQueryPoolPerformanceCreateInfoKHR chosen_of(const run *r) {
  return (VkQueryPoolPerformanceCreateInfoKHR){.sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR,
                                               .queueFamilyIndex = r->lab->vk.family,
                                               .counterIndexCount = r->count,
                                               .pCounterIndices = r->chosen};
}

// Chooses the counters that are sampled. A device has only some of them at a time, so it runs a kernel several times,
// in passes. Where all counters together would take too many passes, only the first of them are sampled.
static void choose(run *r) {
  for (r->passes = 0; r->count; r->count /= 2) {
    const VkQueryPoolPerformanceCreateInfoKHR info = chosen_of(r);
    r->f.passes(r->lab->vk.physical, &info, &r->passes);
    if (r->passes && r->passes <= MOST_PASSES) return;
  }
}

// --- Sampling ---

static double value_of(VkPerformanceCounterStorageKHR storage, const VkPerformanceCounterResultKHR *v) {
  switch (storage) {
    case VK_PERFORMANCE_COUNTER_STORAGE_INT32_KHR: return v->int32;
    case VK_PERFORMANCE_COUNTER_STORAGE_INT64_KHR: return (double)v->int64;
    case VK_PERFORMANCE_COUNTER_STORAGE_UINT32_KHR: return v->uint32;
    case VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR: return (double)v->uint64;
    case VK_PERFORMANCE_COUNTER_STORAGE_FLOAT32_KHR: return (double)v->float32;
    case VK_PERFORMANCE_COUNTER_STORAGE_FLOAT64_KHR: return v->float64;
    default: return (double)NAN;
  }
}

// Resets the query in a submission of its own, since Vulkan forbids it in one that begins the query.
static stijl_result reset(run *r) {
  sj_lab *lab = r->lab;
  VkCommandBuffer list = lab->commands.buffers[0];
  stijl_result result = sj_vk_begin(&lab->vk, list, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, lab->message);
  if (result != STIJL_OK) return result;
  lab->vk.CmdResetQueryPool(list, r->pool, 0, 1);
  return sj_vk_run(&lab->vk, &lab->commands, "resetting counters", lab->message);
}

// Records a kernel within a query. The query has to be the first and the last that is recorded, since some counters are
// about whole command buffers.
static stijl_result record(run *r, const sj_lab_case *c) {
  sj_lab *lab = r->lab;
  VkCommandBuffer list = lab->commands.buffers[0];
  stijl_result result = sj_vk_begin(&lab->vk, list, 0, lab->message);
  if (result != STIJL_OK) return result;
  r->f.begin(list, r->pool, 0, 0);
  sj_vk_use(&lab->vk, list, c->kernel->pipeline, &c->kernel->bindings, c->push);
  lab->vk.CmdDispatch(list, c->groups[0], c->groups[1], c->groups[2]);
  sj_vk_barrier(&lab->vk, list, SJ_VK_COMPUTE, SJ_VK_COMPUTE);
  r->f.end(list, r->pool, 0);
  return sj_vk_end(&lab->vk, list, lab->message);
}

static VkResult submit(run *r, uint32_t pass) {
  sj_vk *vk = &r->lab->vk;
  const sj_vk_commands *c = &r->lab->commands;
  const VkPerformanceQuerySubmitInfoKHR which = {.sType = VK_STRUCTURE_TYPE_PERFORMANCE_QUERY_SUBMIT_INFO_KHR,
                                                 .counterPassIndex = pass};
  const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .pNext = &which, .commandBufferCount = 1, .pCommandBuffers = c->buffers};
  VkResult result = vk->ResetFences(vk->device, 1, &c->fence);
  if (result == VK_SUCCESS) result = sj_vk_submit(vk, &info, c->fence);
  return result == VK_SUCCESS ? sj_vk_wait(vk, c->fence) : result;
}

static stijl_result sample(run *r, const sj_lab_case *c, double *values) {
  sj_lab *lab = r->lab;
  VkPerformanceCounterResultKHR results[MOST_COUNTERS];
  stijl_result result = reset(r);
  if (result == STIJL_OK) result = record(r, c);
  if (result != STIJL_OK) return result;
  VkResult done = VK_SUCCESS;
  for (uint32_t pass = 0; pass < r->passes && done == VK_SUCCESS; pass++) done = submit(r, pass);
  if (done == VK_SUCCESS)
    done = lab->vk.GetQueryPoolResults(lab->vk.device, r->pool, 0, 1, r->count * sizeof *results, results,
                                       r->count * sizeof *results, 0);
  if (done != VK_SUCCESS) return sj_lab_fail(lab, done, "reading counters");
  for (uint32_t i = 0; i < r->count; i++) values[i] = value_of(r->counters[r->chosen[i]].storage, &results[i]);
  return STIJL_OK;
}

// Samples the counters of all kernels. The profiling lock keeps others from counting meanwhile. Vulkan demands that it
// is held from before a query is recorded until the query is done.
static stijl_result sample_all(run *r, const sj_lab_case *cases) {
  sj_lab *lab = r->lab;
  const VkQueryPoolPerformanceCreateInfoKHR which = chosen_of(r);
  const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                      .pNext = &which,
                                      .queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR,
                                      .queryCount = 1};
  const VkAcquireProfilingLockInfoKHR lock = {.sType = VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR,
                                              .timeout = 1000000000};
  VkResult made = lab->vk.CreateQueryPool(lab->vk.device, &info, NULL, &r->pool);
  if (made != VK_SUCCESS) return sj_lab_fail(lab, made, "preparing counters");
  VkResult locked = r->f.acquire(lab->vk.device, &lock);
  stijl_result result = locked == VK_SUCCESS ? STIJL_OK : sj_lab_fail(lab, locked, "locking counters");
  for (uint32_t k = 0; k < KERNELS && result == STIJL_OK; k++) {
    result = sj_lab_warm(lab);
    if (result == STIJL_OK) result = sample(r, &cases[k], r->values[k]);
  }
  if (result != STIJL_OK) sj_vk_commands_reset(&lab->vk, &lab->commands);
  if (locked == VK_SUCCESS) r->f.release(lab->vk.device);
  if (!lab->vk.stuck) lab->vk.DestroyQueryPool(lab->vk.device, r->pool, NULL);
  return result;
}

// --- Writing ---

static const char *unit_of(VkPerformanceCounterUnitKHR unit) {
  static const char *const names[] = {"", "%", "ns", "bytes", "bytes/s", "K", "W", "V", "A", "Hz", "cycles"};
  return (unsigned)unit < sizeof names / sizeof *names ? names[unit] : "";
}

static const struct {
  const char *key, *name;
  uint32_t constants[3];  // of transpose.comp: way, tile, pitch
} kernels[KERNELS] = {{"copy", "copy", {0, 1, 1}},
                      {"naive", "naive transpose", {1, 1, 1}},
                      {"padded", "padded transpose", {5, 32, 33}},
                      {"arithmetic", "multiply-adds", {0, 0, 0}}};
enum { COPY, NAIVE, ARITHMETIC = KERNELS - 1 };

// Names the counter in which the naive transpose differs most from the copy, which moves the same bytes.
static void say(const run *r) {
  sj_lab_page *page = r->lab->page;
  sj_lab_say(page, "%s offers %u counters; %u were sampled, in %u %s of each kernel.", r->lab->vk.properties.deviceName,
             r->offered, r->count, r->passes, r->passes == 1 ? "run" : "runs");
  double most = 2;
  uint32_t which = r->count;
  for (uint32_t i = 0; i < r->count; i++) {
    double a = r->values[COPY][i], b = r->values[NAIVE][i];
    if (a > 0 && b > 0 && fmax(a / b, b / a) > most) most = fmax(a / b, b / a), which = i;
  }
  if (which == r->count) return;
  const char *name = r->about[r->chosen[which]].name;
  sj_lab_say(page, "A naive transpose differs from a copy of the same bytes most in \"%s\": %.3g against %.3g.", name,
             r->values[NAIVE][which], r->values[COPY][which]);
}

static stijl_result write(const run *r) {
  enum { COLUMNS = 3 + KERNELS + 1 };
  sj_lab_column columns[COLUMNS] = {{"name", "counter", SJ_LAB_NAME},
                                    {"category", "category", SJ_LAB_NAME},
                                    {"unit", "unit", SJ_LAB_NAME},
                                    [COLUMNS - 1] = {"description", "what it counts", SJ_LAB_NAME}};
  for (uint32_t k = 0; k < KERNELS; k++)
    columns[3 + k] = (sj_lab_column){kernels[k].key, kernels[k].name, SJ_LAB_COUNT};
  sj_lab_cell *cells = sj_alloc_array(r->lab->context, r->count + 1, COLUMNS * sizeof *cells);
  if (!cells) return sj_fail_memory(r->lab->message);
  for (uint32_t i = 0; i < r->count; i++) {
    const VkPerformanceCounterDescriptionKHR *about = &r->about[r->chosen[i]];
    sj_lab_cell *row = &cells[i * COLUMNS];
    row[0] = SJ_LAB_TEXT(about->name);
    row[1] = SJ_LAB_TEXT(about->category);
    row[2] = SJ_LAB_TEXT(unit_of(r->counters[r->chosen[i]].unit));
    for (uint32_t k = 0; k < KERNELS; k++) row[3 + k] = SJ_LAB_NUMBER(r->values[k][i]);
    row[COLUMNS - 1] = SJ_LAB_TEXT(about->description);
  }
  say(r);
  sj_lab_table(r->lab->page, "counters", "What the hardware counted", columns, COLUMNS, cells, r->count);
  sj_free(r->lab->context, cells);
  return STIJL_OK;
}

// --- All ---

static stijl_result measure(run *r) {
  sj_lab *lab = r->lab;
  uint32_t n = lab->software ? 256 : lab->quick ? 2048 : 8192;
  while ((VkDeviceSize)n * n * 4 > sj_lab_size(lab, (VkDeviceSize)n * n * 4)) n /= 2;
  VkDeviceSize bytes = (VkDeviceSize)n * n * 4;
  sj_buffer from = {0}, to = {0};
  sj_lab_kernel made[KERNELS] = {0};
  sj_lab_case cases[KERNELS];
  stijl_result result = sj_lab_warm(lab);  // makes the kernel of multiply-adds
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &from, SJ_BUFFER_DEVICE, "a matrix", bytes);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &to, SJ_BUFFER_DEVICE, "its transpose", bytes);
  const sj_buffer *buffers[] = {&from, &to};
  for (uint32_t k = 0; k < ARITHMETIC && result == STIJL_OK; k++) {
    result = sj_lab_kernel_create(lab, &sj_lab_transpose_shader, kernels[k].constants, 3, buffers, &made[k]);
    cases[k] = (sj_lab_case){.name = kernels[k].name, .kernel = &made[k], .groups = {n / 32, n / 32, 1}, .push = {n}};
  }
  cases[ARITHMETIC] = sj_lab_warming(lab);
  if (result == STIJL_OK) result = sample_all(r, cases);
  if (result == STIJL_OK) result = write(r);
  for (uint32_t k = 0; k < ARITHMETIC; k++) sj_lab_kernel_destroy(lab, &made[k]);
  sj_lab_buffer_finish(lab, &from);
  sj_lab_buffer_finish(lab, &to);
  return result;
}

stijl_result sj_lab_run_counters(sj_lab *lab) {
  run *r = sj_alloc_zero(lab->context, sizeof *r);
  if (!r) return sj_fail_memory(lab->message);
  r->lab = lab;
  const char *device = lab->vk.properties.deviceName;
  stijl_result result = STIJL_OK;
  bool there = load(lab, &r->f);
  sj_lab_write_device(lab);
  if (there) result = enumerate(r);
  if (there && result == STIJL_OK) choose(r);
  if (!there)
    sj_lab_say(lab->page, "%s offers no counters (VK_KHR_performance_query is absent).", device);
  else if (result == STIJL_OK && !r->count)
    sj_lab_say(lab->page, "%s has VK_KHR_performance_query, and no counter that can be sampled on this queue.", device);
  else if (result == STIJL_OK)
    result = measure(r);
  sj_free(lab->context, r);
  return result;
}
