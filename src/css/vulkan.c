// The engine for Vulkan: it uploads, submits and reads back results.
#include "css/vulkan.h"

#include <string.h>

#include "base/trial.h"

#include "base/budget.h"
#include "base/clock.h"

static const uint32_t match_words[] = {
#include "css_match.spv.inc"
};
static const uint32_t scan_words[] = {
#include "css_scan.spv.inc"
};
static const uint32_t gather_words[] = {
#include "css_gather.spv.inc"
};

const sj_vk_shader sj_css_shaders[SJ_CSS_SHADERS] = {[SJ_CSS_MATCH] = {"match", match_words, sizeof match_words},
                                                     [SJ_CSS_SCAN] = {"scan", scan_words, sizeof scan_words},
                                                     [SJ_CSS_GATHER] = {"gather", gather_words, sizeof gather_words}};

#define MIN_SLICE 8u  // elements of a submission
// Of a lane: beyond that the device is slow, and the CPU's engine is not. Lanes side by side, 8 with llvmpipe, take
// SJ_VK_MAX_TURNS together at most.
#define MAX_STEPS (1u << 12)
// Candidates of a first submission, at most: slow devices take microseconds for each.
#define FIRST_WORK ((uint64_t)1 << 22)
#define CONTROL_BYTES SJ_VK_ALIGN  // at the start of the readback buffer

// --- making and ending ---

static stijl_result make_pipelines(sj_css_device *device, stijl_message *message) {
  const uint32_t constants[2] = {device->group, device->window};
  sj_vk *vk = &device->vk;
  stijl_result result = sj_vk_cache_open(vk, &device->cache, message);
  for (int i = 0; i < SJ_CSS_SHADERS && !result; i++) {
    result = sj_vk_bindings_create(vk, &sj_css_shaders[i], &device->bindings[i], message);
    if (!result)
      result = sj_vk_pipeline_create(vk, &device->cache, &sj_css_shaders[i], constants, i == SJ_CSS_MATCH ? 2 : 0,
                                     &device->bindings[i], &device->pipelines[i], message);
  }
  return result;
}

static void destroy_objects(sj_css_device *device) {
  sj_vk *vk = &device->vk;
  for (int i = 0; i < SJ_CSS_SHADERS; i++) {
    if (device->pipelines[i]) vk->DestroyPipeline(vk->device, device->pipelines[i], NULL);
    sj_vk_bindings_destroy(vk, &device->bindings[i]);
  }
  sj_vk_cache_close(vk, &device->cache);
  sj_vk_commands_destroy(vk, &device->commands);
  sj_vk_close(vk);
}

static void close_device(sj_css_device *device) {
  if (!device->vk.stuck) destroy_objects(device);
  sj_free(device->context, device);
}

// Opens the device, with shaders for sheets of that many selectors.
static stijl_result open_device(sj_css_device *device, const char *name, size_t selectors, stijl_message *message) {
  sj_vk_needs needs = {0};
  stijl_result result = STIJL_OK;
  for (int i = 0; i < SJ_CSS_SHADERS && !result; i++) {
    // The smallest variant: what follows fits the device.
    const uint32_t least[2] = {1, 1};
    result = sj_vk_needs_add(device->context, &needs, &sj_css_shaders[i], least, i == SJ_CSS_MATCH ? 2 : 0, message);
  }
  if (!result) result = sj_vk_open(&device->vk, device->context, device->index, name, &needs, message);
  if (result) {
    sj_free(device->context, device);
    return result;
  }
  const VkPhysicalDeviceLimits *limits = &device->vk.properties.limits;
  device->max_range = sj_trial_number("range", limits->maxStorageBufferRange);
  device->group = (uint32_t)sj_trial_number("group", M_GROUP);
  if (device->group > M_GROUP) device->group = M_GROUP;
  if (device->group > limits->maxComputeWorkGroupInvocations) device->group = limits->maxComputeWorkGroupInvocations;
  // One window holds all ranks, where shared memory is large enough.
  uint32_t most = (uint32_t)sj_trial_number("window", M_WINDOW);
  size_t words = (selectors + 31) / 32;
  for (device->window = 1; device->window < words && device->window < most && device->window < M_WINDOW;)
    device->window *= 2;
  result = sj_vk_commands_create(&device->vk, 1, &device->commands, message);
  if (!result) result = make_pipelines(device, message);
  if (result) close_device(device);
  return result;
}

static void leave_device(sj_css_device_list *devices, sj_css_device *device) {
  device->next = atomic_load(devices);
  while (!atomic_compare_exchange_weak(devices, &device->next, device)) {
  }
}

static stijl_result get_device(sj_css_vulkan *v, int index, const char *name, stijl_message *message) {
  if (!name) name = "";
  // Takes the whole list, so that no other thread can take the same device, and puts back those that do not fit.
  sj_css_device *list = atomic_exchange(v->devices, NULL), *next;
  for (; list; list = next) {
    next = list->next;
    if (!v->device && list->index == index && strcmp(list->name, name) == 0)
      v->device = list;
    else
      leave_device(v->devices, list);
  }
  if (v->device) return STIJL_OK;
  sj_css_device *device = sj_alloc_zero(v->context, sizeof *device);
  if (!device) return sj_fail_memory(message);
  device->context = v->context;
  device->index = index;
  bool fits = strlen(name) < sizeof device->name;
  if (fits) strcpy(device->name, name);
  stijl_result result = open_device(device, *name ? name : NULL, v->index.linked->program->selectors.count, message);
  if (result) return result;
  device->failed = !fits;  // not to be found again
  v->device = device;
  return STIJL_OK;
}

void sj_css_devices_close(sj_css_device_list *devices) {
  sj_css_device *list = atomic_exchange(devices, NULL), *next;
  for (; list; list = next) {
    next = list->next;
    close_device(list);
  }
}

static void name_buffers(sj_css_vulkan *v) {
  static const char *const names[SJ_CSS_BUFFERS] = {
      [M_ELEMENTS] = "elements",     [M_DETAILS] = "details", [M_CLASSES] = "classes", [M_ATTRIBUTES] = "attributes",
      [M_FILTERS] = "filters",       [M_SETS] = "sets",       [M_KEYS] = "keys",       [M_WORDS] = "buckets",
      [M_CANDIDATES] = "rules",      [M_NODES] = "nodes",     [M_TESTS] = "tests",     [M_LISTS] = "lists",
      [M_CONTROL] = "sums",          [M_UNITS] = "units",     [M_POOL] = "matches",    [M_OUT] = "result",
      [SJ_CSS_READBACK] = "readback"};
  for (int i = 0; i < SJ_CSS_BUFFERS; i++)
    v->buffers[i] = (sj_buffer){.name = names[i],
                                .kind = i < SJ_CSS_UPLOADS     ? SJ_BUFFER_UPLOAD
                                        : i == SJ_CSS_READBACK ? SJ_BUFFER_READBACK
                                                               : SJ_BUFFER_DEVICE};
}

static stijl_result allocate(sj_css_vulkan *v, const sj_css_job *job) {
  size_t count = job->linked->document->count, sets = v->index.sets.count + v->extras.count;
  double bytes = 8.0 * (double)v->index.set_words * (double)sets + (double)count * M_FILTER * 4;
  if (bytes > (double)job->limits->max_memory)
    return sj_fail(job->message, STIJL_ERROR_LIMIT, "matching needs %.0f bytes, more than max_memory (%llu)", bytes,
                   (unsigned long long)job->limits->max_memory);
  v->sets = sj_alloc_array(v->context, v->index.set_words * sets + 1, sizeof *v->sets);
  v->filters = sj_alloc_array(v->context, count, M_FILTER * sizeof *v->filters);
  m_params *p = &v->params;
  uint32_t window = 32 * v->device->window;
  p->ranks = (uint32_t)job->linked->program->selectors.count;
  p->windows = p->ranks ? (p->ranks - 1) / window + 1 : 1;
  uint64_t units = (uint64_t)p->windows * count;
  if (units > UINT32_MAX / 2)
    return sj_fail(job->message, STIJL_ERROR_LIMIT, "too many elements and selectors for the device");
  p->units = (uint32_t)units;
  p->set_words = (uint32_t)v->index.set_words * 2;
  p->out_first = p->units + 1;
  // Each lane searches its unit, and a unit has as many matches as its window.
  uint32_t most = p->ranks < window ? p->ranks : window;
  p->units_at_once = M_SCAN_GROUP;
  while (p->units_at_once > 1 && (uint64_t)p->units_at_once * most / M_SCAN_GROUP * 10 > SJ_VK_MAX_TURNS)
    p->units_at_once /= 2;
  p->max_steps = (uint32_t)sj_trial_number("steps", MAX_STEPS);
  if (p->windows > 1) v->offsets = sj_alloc_array(v->context, count + 1, sizeof *v->offsets);
  v->capacity = sj_trial_number("matches", 16 * (uint64_t)count + 65536);
  uint64_t slice = FIRST_WORK / ((uint64_t)p->ranks + 1);
  v->slice = slice < MIN_SLICE ? MIN_SLICE : slice > 65536 ? 65536 : (uint32_t)slice;
  return v->sets && v->filters && (p->windows == 1 || v->offsets) ? STIJL_OK : sj_fail_memory(job->message);
}

stijl_result sj_css_vulkan_create(const sj_css_job *job, sj_pool *pool, int device, const char *name,
                                  sj_css_device_list *devices, sj_css_vulkan **out) {
  *out = NULL;
  sj_css_vulkan *v = sj_alloc_zero(job->context, sizeof *v);
  if (!v) return sj_fail_memory(job->message);
  v->context = job->context;
  v->pool = pool;
  v->devices = devices;
  name_buffers(v);
  bool good = sj_atoms_init(&v->extra_names, v->context) && sj_css_index_create(&v->index, job);
  stijl_result result = good ? get_device(v, device, name, job->message) : sj_fail_memory(job->message);
  if (!result) result = sj_css_pack_index(v, job);
  if (!result) result = allocate(v, job);
  if (result)
    sj_css_vulkan_destroy(v);
  else
    *out = v;
  return result;
}

void sj_css_vulkan_destroy(sj_css_vulkan *v) {
  if (!v) return;
  if (v->device) {
    sj_vk *vk = &v->device->vk;
    for (int i = 0; i < SJ_CSS_BUFFERS && !vk->stuck; i++) sj_buffer_finish(vk, &v->buffers[i]);
    if (v->device->failed)
      close_device(v->device);
    else
      leave_device(v->devices, v->device);
  }
  sj_css_cpu_destroy(v->cpu);
  sj_free(v->context, v->cpu_result.offsets);
  sj_free(v->context, v->cpu_result.selectors);
  sj_free(v->context, v->sets);
  sj_free(v->context, v->filters);
  sj_free(v->context, v->asked);
  sj_free(v->context, v->offsets);
  sj_array_finish(v->context, &v->extras);
  sj_atoms_finish(&v->extra_names);
  if (v->index.context) sj_css_index_finish(&v->index);
  sj_free(v->context, v);
}

// --- buffers ---

stijl_result sj_css_vulkan_reserve(sj_css_vulkan *v, int buffer, uint64_t bytes, stijl_message *message) {
  bool grown = false;
  if (buffer != SJ_CSS_READBACK && bytes > v->device->max_range)
    return sj_fail(message, STIJL_ERROR_LIMIT,
                   "the device's storage buffers hold %llu bytes, the %s need %llu: use the engine for the CPU",
                   (unsigned long long)v->device->max_range, v->buffers[buffer].name, (unsigned long long)bytes);
  return sj_buffer_reserve(&v->device->vk, &v->buffers[buffer], bytes, &grown, message);
}

void sj_css_vulkan_touch(sj_css_vulkan *v, int buffer, uint64_t from, uint64_t end) {
  if (from >= end) return;
  if (v->dirty[buffer].end == 0 || from < v->dirty[buffer].from) v->dirty[buffer].from = from;
  if (end > v->dirty[buffer].end) v->dirty[buffer].end = end;
}

static void bind(sj_css_vulkan *v) {
  VkDescriptorBufferInfo ranges[M_BINDINGS];
  for (int i = 0; i < M_BINDINGS; i++)
    ranges[i] = (VkDescriptorBufferInfo){v->buffers[i].handle, 0, v->buffers[i].bytes};
  for (int i = 0; i < SJ_CSS_SHADERS; i++) sj_vk_bindings_write(&v->device->vk, &v->device->bindings[i], ranges);
}

// --- submissions ---

#define COMPUTE SJ_VK_COMPUTE
#define COPY SJ_VK_COPY

static VkCommandBuffer commands_of(const sj_css_vulkan *v) { return v->device->commands.buffers[0]; }

static void barrier(sj_css_vulkan *v, VkPipelineStageFlags from, VkPipelineStageFlags to) {
  sj_vk_barrier(&v->device->vk, commands_of(v), from, to);
}

static stijl_result begin(sj_css_vulkan *v, stijl_message *message) {
  stijl_result result =
      sj_vk_begin(&v->device->vk, commands_of(v), VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, message);
  v->device->failed = v->device->failed || result != STIJL_OK;
  return result;
}

static stijl_result submit(sj_css_vulkan *v, stijl_message *message) {
  stijl_result result = sj_vk_run(&v->device->vk, &v->device->commands, "matching", message);
  v->device->failed = v->device->failed || result != STIJL_OK;
  return result;
}

// Copies what was written from the staging buffers, on devices whose own memory the host cannot write.
static stijl_result flush(sj_css_vulkan *v, stijl_message *message) {
  bool any = false;
  for (int i = 0; i < SJ_CSS_UPLOADS; i++) {
    VkBufferCopy region = {v->dirty[i].from, v->dirty[i].from, v->dirty[i].end - v->dirty[i].from};
    if (!v->buffers[i].staging || v->dirty[i].end == 0) continue;
    stijl_result begun = any ? STIJL_OK : begin(v, message);
    if (begun) return begun;
    any = true;
    v->device->vk.CmdCopyBuffer(commands_of(v), v->buffers[i].staging, v->buffers[i].handle, 1, &region);
  }
  if (any) {
    barrier(v, COPY, COMPUTE);
    stijl_result result = submit(v, message);
    if (result) return result;
  }
  memset(v->dirty, 0, sizeof v->dirty);
  return STIJL_OK;
}

static void dispatch(sj_css_vulkan *v, int shader, uint32_t groups) {
  sj_css_device *d = v->device;
  sj_vk_use(&d->vk, commands_of(v), d->pipelines[shader], &d->bindings[shader], &v->params);
  sj_vk_dispatch(&d->vk, commands_of(v), groups);
  barrier(v, COMPUTE, COMPUTE | COPY);
}

// Records the units from `from` on; behind the last ones the result is put together.
static stijl_result record(sj_css_vulkan *v, uint32_t from, uint32_t end, stijl_message *message) {
  sj_vk *vk = &v->device->vk;
  m_params *p = &v->params;
  p->first_unit = from;
  p->end_unit = end;
  p->sums = 0;
  stijl_result result = begin(v, message);
  if (result) return result;
  if (from == 0) {
    vk->CmdFillBuffer(commands_of(v), v->buffers[M_CONTROL].handle, 0, sizeof(m_control), 0);
    barrier(v, COPY, COMPUTE);
  }
  dispatch(v, SJ_CSS_MATCH, end - from);
  if (end == p->units) {
    uint32_t blocks = (p->units + M_BLOCK - 1) / M_BLOCK;
    dispatch(v, SJ_CSS_SCAN, blocks);
    p->sums = blocks;
    dispatch(v, SJ_CSS_SCAN, 1);
    dispatch(v, SJ_CSS_GATHER, (p->units + p->units_at_once - 1) / p->units_at_once);
  }
  VkBufferCopy region = {.size = sizeof(m_control)};
  vk->CmdCopyBuffer(commands_of(v), v->buffers[M_CONTROL].handle, v->buffers[SJ_CSS_READBACK].handle, 1, &region);
  barrier(v, COPY, SJ_VK_HOST);
  return STIJL_OK;
}

static m_control control_of(const sj_css_vulkan *v) {
  m_control control;
  memcpy(&control, v->buffers[SJ_CSS_READBACK].mapped, sizeof control);
  return control;
}

// Matches all units, in submissions that each take a fraction of a second, because drivers end longer ones.
static stijl_result run(sj_css_vulkan *v, const sj_css_job *job) {
  uint32_t units = v->params.units;
  for (uint32_t from = 0; from < units;) {
    uint32_t end = units - from < v->slice ? units : from + v->slice;
    double start = sj_now_ms();
    stijl_result result = record(v, from, end, job->message);
    if (!result) result = submit(v, job->message);
    if (result) return result;
    double seconds = (sj_now_ms() - start) * 1e-3;
    if (control_of(v).exhausted) return STIJL_OK;
    if (seconds < 0.05 && end - from == v->slice && v->slice < 1u << 30) v->slice *= 4;
    if (seconds > 1.0 && v->slice > 4 * MIN_SLICE) v->slice /= 4;
    if (!sj_css_clock_check(job->clock, 0) || !sj_budget_look(job->clock->budget)) return sj_css_fail_time(job);
    from = end;
  }
  return STIJL_OK;
}

// --- results ---

static stijl_result reserve_result(sj_css_vulkan *v, stijl_message *message) {
  m_params *p = &v->params;
  uint64_t units = p->units, blocks = (units + M_BLOCK - 1) / M_BLOCK;
  p->capacity = v->capacity < UINT32_MAX ? (uint32_t)v->capacity : UINT32_MAX;
  stijl_result result = sj_css_vulkan_reserve(v, M_CONTROL, sizeof(m_control) + blocks * 4, message);
  if (!result) result = sj_css_vulkan_reserve(v, M_UNITS, units * sizeof(m_unit), message);
  if (!result) result = sj_css_vulkan_reserve(v, M_POOL, v->capacity * 4, message);
  if (!result) result = sj_css_vulkan_reserve(v, M_OUT, (p->out_first + v->capacity) * 4, message);
  if (!result && !v->buffers[SJ_CSS_READBACK].mapped)
    result = sj_css_vulkan_reserve(v, SJ_CSS_READBACK, CONTROL_BYTES, message);
  return result;
}

static stijl_result read_back(sj_css_vulkan *v, const sj_css_job *job, uint32_t total, sj_css_result *result) {
  uint64_t bytes = ((uint64_t)v->params.out_first + total) * 4;
  stijl_result failure = sj_css_vulkan_reserve(v, SJ_CSS_READBACK, CONTROL_BYTES + bytes, job->message);
  if (!failure) failure = begin(v, job->message);
  if (failure) return failure;
  VkBufferCopy region = {.dstOffset = CONTROL_BYTES, .size = bytes};
  v->device->vk.CmdCopyBuffer(commands_of(v), v->buffers[M_OUT].handle, v->buffers[SJ_CSS_READBACK].handle, 1, &region);
  barrier(v, COPY, SJ_VK_HOST);
  failure = submit(v, job->message);
  if (failure) return failure;
  uint32_t *words = (uint32_t *)(void *)((unsigned char *)v->buffers[SJ_CSS_READBACK].mapped + CONTROL_BYTES);
  uint32_t count = job->linked->document->count, windows = v->params.windows;
  if (windows > 1)
    for (uint32_t e = 0; e <= count; e++) v->offsets[e] = words[(size_t)e * windows];
  *result = (sj_css_result){windows > 1 ? v->offsets : words, words + v->params.out_first};
  return STIJL_OK;
}

// Matches on the processor, since a candidate asks for many ancestors or siblings; the engine for the CPU has no such
// candidates.
static stijl_result match_on_cpu(sj_css_vulkan *v, const sj_css_job *job, sj_css_result *result,
                                 stijl_css_stats *stats) {
  uint32_t looked_at;
  stijl_result failure = v->cpu ? STIJL_OK : sj_css_cpu_create(job, v->pool, &v->cpu);
  if (!failure) failure = sj_css_cpu_match(v->cpu, job, NULL, 0, &v->cpu_result, &looked_at);
  if (failure) return failure;
  *result = v->cpu_result;
  stats->on_cpu++;
  return STIJL_OK;
}

static stijl_result match(sj_css_vulkan *v, const sj_css_job *job, sj_css_result *result, stijl_css_stats *stats) {
  for (;;) {
    stijl_result failure = reserve_result(v, job->message);
    if (failure) return failure;
    bind(v);
    failure = run(v, job);
    if (failure) return failure;
    m_control control = control_of(v);
    if (control.exhausted) return match_on_cpu(v, job, result, stats);
    uint64_t total = (uint64_t)control.total_high << 32 | control.total_low;
    if (total > job->limits->max_matches || total > UINT32_MAX) return sj_css_fail_matches(job);
    if (total > v->params.capacity) {
      v->capacity = total + total / 16;
      continue;
    }
    double start = sj_now_ms();
    failure = read_back(v, job, (uint32_t)total, result);
    stats->readback_ms = sj_now_ms() - start;
    return failure;
  }
}

static stijl_result upload(sj_css_vulkan *v, const sj_css_job *job, const uint32_t *changes, size_t count,
                           stijl_css_stats *stats) {
  if (v->uploaded && !count) return STIJL_OK;
  double start = sj_now_ms();
  stijl_result result = v->uploaded ? sj_css_pack_changes(v, job, changes, count) : sj_css_pack_document(v, job);
  if (!result) result = flush(v, job->message);
  v->uploaded = !result;
  stats->upload_ms = sj_now_ms() - start;
  return result;
}

stijl_result sj_css_vulkan_match(sj_css_vulkan *v, const sj_css_job *job, const uint32_t *changes, size_t change_count,
                                 sj_css_result *result, stijl_css_stats *stats) {
  *result = (sj_css_result){0};
  stijl_result failure = upload(v, job, changes, change_count, stats);
  return failure ? failure : match(v, job, result, stats);
}
