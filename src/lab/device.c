// `lab device` lists what a device has, measures what it can do at most, and tells which shaders of the renderer fit
// it.
#include <math.h>
#include <stdio.h>

#include "gpu/pipeline.h"
#include "lab/harness.h"

static const sj_lab_column facts[] = {{"name", "", SJ_LAB_NAME}, {"value", "", SJ_LAB_NAME}};

typedef struct fact {
  const char *name;
  char value[96];
} fact;

// --- What it has ---

static void write_facts(sj_lab *lab) {
  const VkPhysicalDeviceLimits *l = &lab->vk.properties.limits;
  enum { MOST = 32 };
  fact all[MOST];
  uint32_t n = 0;
#define FACT(what, ...)                                       \
  do {                                                        \
    all[n].name = what;                                       \
    snprintf(all[n++].value, sizeof all->value, __VA_ARGS__); \
  } while (0)
  FACT("subgroup", "%u lanes, %u to %u by choice", lab->p11.subgroupSize, lab->p13.minSubgroupSize,
       lab->p13.maxSubgroupSize);
  FACT("multiprocessors", lab->multiprocessors ? "%u" : "not told", lab->multiprocessors);
  FACT("lanes a workgroup", "%u, at most %u x %u x %u", l->maxComputeWorkGroupInvocations,
       l->maxComputeWorkGroupSize[0], l->maxComputeWorkGroupSize[1], l->maxComputeWorkGroupSize[2]);
  FACT("workgroups in x", "%u", l->maxComputeWorkGroupCount[0]);
  FACT("shared memory", "%u KiB a workgroup", l->maxComputeSharedMemorySize >> 10);
  FACT("storage buffers", "%u a shader, of %u MiB each", l->maxPerStageDescriptorStorageBuffers,
       l->maxStorageBufferRange >> 20);
  FACT("uniform buffers", "%u KiB each", l->maxUniformBufferRange >> 10);
  FACT("push constants", "%u bytes", l->maxPushConstantsSize);
  FACT("timestamps", lab->vk.timestamps ? "every %.3g ns" : "none", (double)l->timestampPeriod);
  FACT("memory model", "%s",
       !lab->features.f12.vulkanMemoryModel             ? "not there"
       : lab->features.f12.vulkanMemoryModelDeviceScope ? "with device scope"
                                                        : "without device scope");
  FACT("types in buffers", "8 bit: %s, 16 bit: %s, 64-bit atomics: %s",
       lab->features.f12.storageBuffer8BitAccess ? "yes" : "no", lab->f11.storageBuffer16BitAccess ? "yes" : "no",
       lab->features.f12.shaderBufferInt64Atomics ? "yes" : "no");
  FACT("for instruments", "shader clock: %s, compiler statistics: %s, counters: %s", lab->has_clock ? "yes" : "no",
       lab->has_statistics ? "yes" : "no", lab->has_counters ? "yes" : "no");
  const VkPhysicalDeviceMemoryProperties *m = &lab->vk.memory;
  static char heap_names[VK_MAX_MEMORY_HEAPS][16];
  for (uint32_t h = 0; h < m->memoryHeapCount && n < MOST; h++) {
    bool local = m->memoryHeaps[h].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT, visible = false;
    for (uint32_t t = 0; t < m->memoryTypeCount; t++)
      visible = visible || (m->memoryTypes[t].heapIndex == h &&
                            m->memoryTypes[t].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT);
    snprintf(heap_names[h], sizeof *heap_names, "heap %u", h);
    FACT(heap_names[h], "%llu MiB%s%s", (unsigned long long)(m->memoryHeaps[h].size >> 20),
         local ? ", the device's own" : "", visible ? ", the host sees it" : "");
  }
#undef FACT
  sj_lab_cell cells[MOST * 2];
  for (uint32_t i = 0; i < n; i++) {
    cells[i * 2] = SJ_LAB_TEXT(all[i].name);
    cells[i * 2 + 1] = SJ_LAB_TEXT(all[i].value);
  }
  sj_lab_table(lab->page, "facts", "What it has", facts, 2, cells, n);
}

// --- Which shaders fit ---

typedef struct variant {
  sj_stage stage;
  uint32_t features, chunk;
} variant;

static const variant variants[] = {{SJ_STAGE_FLATTEN, 0, 4},
                                   {SJ_STAGE_SMALL, 0, 4},
                                   {SJ_STAGE_RANK, 0, 4},
                                   {SJ_STAGE_COVER, 0, 4},
                                   {SJ_STAGE_COVER, SJ_FEATURE_WIDE, 4},
                                   {SJ_STAGE_RESOLVE, 0, 4},
                                   {SJ_STAGE_COARSE, 0, 4},
                                   {SJ_STAGE_COARSE, SJ_FEATURE_FEW_BINS, 4},
                                   {SJ_STAGE_FINE, 0, 1},
                                   {SJ_STAGE_FINE, 0, 2},
                                   {SJ_STAGE_FINE, 0, 4},
                                   {SJ_STAGE_FINE, 0, 8},
                                   {SJ_STAGE_FINE, 0, 16}};
enum { VARIANTS = sizeof variants / sizeof *variants };

static stijl_result write_variants(sj_lab *lab) {
  const sj_lab_column columns[] = {{"shader", "shader", SJ_LAB_NAME},
                                   {"lanes", "lanes", SJ_LAB_COUNT},
                                   {"shared", "shared memory", SJ_LAB_BYTES},
                                   {"buffers", "buffers", SJ_LAB_COUNT},
                                   {"verdict", "", SJ_LAB_NAME}};
  sj_lab_cell cells[VARIANTS * 5];
  char lacks[VARIANTS][128];
  uint32_t fit = 0;
  for (uint32_t i = 0; i < VARIANTS; i++) {
    const variant *v = &variants[i];
    sj_vk_shader shader = sj_shader_of(v->stage, v->features, v->chunk);
    sj_vk_needs needs = {0};
    stijl_result result = sj_vk_needs_add(lab->context, &needs, &shader, NULL, 0, lab->message);
    if (result != STIJL_OK) return result;
    sj_vk_lack lack = sj_vk_limit(&lab->vk.properties.limits, &needs);
    bool wide = v->stage == SJ_STAGE_COVER && v->features && !lab->features.f12.shaderBufferInt64Atomics;
    snprintf(lacks[i], sizeof *lacks, "fits");
    if (lack.name)
      snprintf(lacks[i], sizeof *lacks, "%s is %u, and it needs %u", lack.name, lack.has, lack.needed);
    else if (wide)
      snprintf(lacks[i], sizeof *lacks, "needs atomics of 64 bits");
    else
      fit++;
    cells[i * 5] = SJ_LAB_TEXT(shader.name);
    cells[i * 5 + 1] = SJ_LAB_NUMBER(needs.limits[SJ_VK_LANES].most);
    cells[i * 5 + 2] = SJ_LAB_NUMBER(needs.limits[SJ_VK_SHARED].most);
    cells[i * 5 + 3] = SJ_LAB_NUMBER(needs.limits[SJ_VK_BUFFERS].most);
    cells[i * 5 + 4] = SJ_LAB_TEXT(lacks[i]);
  }
  sj_vk_needs needs;
  VkPhysicalDeviceProperties properties;
  stijl_result result = sj_gpu_needs(lab->context, &needs, lab->message);
  if (result != STIJL_OK) return result;
  sj_vk_lack lack = sj_vk_missing(&lab->vk.instance, lab->vk.physical, &needs, &properties);
  if (lack.name)
    sj_lab_say(lab->page, "stijl cannot render here: the device lacks %s.", lack.name);
  else
    sj_lab_say(lab->page, "stijl renders here; %u of the %u variants of its shaders fit%s.", fit, (uint32_t)VARIANTS,
               fit == VARIANTS ? "" : ", and the others have one that does");
  sj_lab_table(lab->page, "shaders", "Which shaders of the renderer fit", columns, 5, cells, VARIANTS);
  return STIJL_OK;
}

// --- The verdict ---

static void say(sj_lab *lab) {
  const sj_lab_ceilings *c = &lab->ceilings;
  char copy[64], best[64], work[64], size[64];
  double most = 0, at = 0;
  for (uint32_t i = 0; i < c->sizes; i++)
    if (c->copy[i] > most) most = c->copy[i], at = c->bytes[i];
  sj_lab_format(copy, sizeof copy, SJ_LAB_RATE, c->copy[c->sizes - 1]);
  sj_lab_format(best, sizeof best, SJ_LAB_RATE, most);
  sj_lab_format(work, sizeof work, SJ_LAB_WORK, c->fma);
  sj_lab_format(size, sizeof size, SJ_LAB_BYTES, at);
  if (most > 1.1 * c->copy[c->sizes - 1])
    sj_lab_say(lab->page, "Memory: %s copied (read and written); buffers of %s, which caches hold, reach %s.", copy,
               size, best);
  else
    sj_lab_say(lab->page, "Memory: %s copied (read and written); smaller buffers are hardly faster.", copy);
  sj_lab_say(lab->page,
             "Arithmetic: %s of 32-bit floats, so %.0f operations for each byte that is copied are free: a kernel with "
             "fewer waits for memory.",
             work, c->fma / c->copy[c->sizes - 1]);
  sj_lab_say(
      lab->page,
      "Launches: %.2f us each, %.2f us behind a barrier: a stage that takes less is not worth a dispatch of its own.",
      c->launch_us, c->barrier_us);
}

stijl_result sj_lab_run_device(sj_lab *lab) {
  stijl_result result = sj_lab_measure_ceilings(lab, true);
  if (result != STIJL_OK) return result;
  say(lab);
  write_facts(lab);
  return write_variants(lab);
}
