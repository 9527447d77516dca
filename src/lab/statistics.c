#include "lab/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/nvidia.h"

typedef struct functions {
  PFN_vkGetPipelineExecutablePropertiesKHR properties;
  PFN_vkGetPipelineExecutableStatisticsKHR statistics;
  PFN_vkGetPipelineExecutableInternalRepresentationsKHR representations;
} functions;

static bool load(sj_lab *lab, functions *f) {
  PFN_vkGetDeviceProcAddr get = lab->vk.instance.GetDeviceProcAddr;
  VkDevice d = lab->vk.device;
  f->properties = (PFN_vkGetPipelineExecutablePropertiesKHR)get(d, "vkGetPipelineExecutablePropertiesKHR");
  f->statistics = (PFN_vkGetPipelineExecutableStatisticsKHR)get(d, "vkGetPipelineExecutableStatisticsKHR");
  f->representations = (PFN_vkGetPipelineExecutableInternalRepresentationsKHR)get(
      d, "vkGetPipelineExecutableInternalRepresentationsKHR");
  return lab->has_statistics && f->properties && f->statistics && f->representations;
}

static double value_of(const VkPipelineExecutableStatisticKHR *s) {
  switch (s->format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR: return s->value.b32;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR: return (double)s->value.i64;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR: return (double)s->value.u64;
    default: return s->value.f64;
  }
}

// Finds the statistics that matter most, by the names of NVIDIA's driver, RADV and ANV.
static void recognise(sj_lab_statistics *out) {
  static const struct {
    const char *name;
    size_t at;
  } known[] = {{"Register Count", offsetof(sj_lab_statistics, registers)},
               {"VGPRs", offsetof(sj_lab_statistics, registers)},
               {"Stack Size", offsetof(sj_lab_statistics, spilled)},
               {"Spilled VGPRs", offsetof(sj_lab_statistics, spilled)},
               {"Scratch size", offsetof(sj_lab_statistics, spilled)},
               {"Scratch Memory Size", offsetof(sj_lab_statistics, spilled)},
               {"LDS size", offsetof(sj_lab_statistics, shared_bytes)},
               {"LDS Size", offsetof(sj_lab_statistics, shared_bytes)},
               {"Shared Memory Size", offsetof(sj_lab_statistics, shared_bytes)},
               {"Binary Size", offsetof(sj_lab_statistics, code_bytes)},
               {"Code size", offsetof(sj_lab_statistics, code_bytes)}};
  for (uint32_t i = 0; i < out->count; i++)
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
      if (strcmp(out->all[i].name, known[k].name) == 0)
        *(double *)(void *)((char *)out + known[k].at) = out->all[i].value;
}

static void read_statistics(sj_lab *lab, const functions *f, VkPipeline pipeline, sj_lab_statistics *out) {
  VkPipelineExecutableInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = pipeline};
  VkPipelineExecutableStatisticKHR all[SJ_LAB_MAX_STATISTICS];
  uint32_t count = SJ_LAB_MAX_STATISTICS;
  for (uint32_t i = 0; i < count; i++)
    all[i] = (VkPipelineExecutableStatisticKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
  VkResult result = f->statistics(lab->vk.device, &info, &count, all);
  if (result != VK_SUCCESS && result != VK_INCOMPLETE) return;
  out->count = count;
  for (uint32_t i = 0; i < count; i++) {
    snprintf(out->all[i].name, sizeof out->all[i].name, "%s", all[i].name);
    out->all[i].value = value_of(&all[i]);
  }
  recognise(out);
}

// Reads the last text that the driver has; those before are earlier forms of the shader.
static stijl_result read_assembly(sj_lab *lab, const functions *f, VkPipeline pipeline, sj_lab_statistics *out) {
  enum { MOST = 16, LONGEST = 4 << 20 };
  VkPipelineExecutableInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = pipeline};
  VkPipelineExecutableInternalRepresentationKHR all[MOST];
  uint32_t count = MOST;
  for (uint32_t i = 0; i < MOST; i++)
    all[i] = (VkPipelineExecutableInternalRepresentationKHR){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR};
  VkResult result = f->representations(lab->vk.device, &info, &count, all);
  if (result != VK_SUCCESS && result != VK_INCOMPLETE) return STIJL_OK;
  int last = -1;
  for (uint32_t i = 0; i < count; i++)
    if (all[i].isText && all[i].dataSize && all[i].dataSize < LONGEST) last = (int)i;
  if (last < 0) return STIJL_OK;
  size_t bytes = all[last].dataSize;
  out->assembly = sj_alloc_zero(lab->context, bytes + 1);
  if (!out->assembly) return sj_fail_memory(lab->message);
  for (uint32_t i = 0; i < count; i++) {
    all[i].dataSize = 0;
    all[i].pData = NULL;
  }
  all[last].dataSize = bytes;
  all[last].pData = out->assembly;
  // Drivers write the sizes of the others too, but have no room for their text.
  f->representations(lab->vk.device, &info, &count, all);
  return STIJL_OK;
}

// Reads NVIDIA's instructions, which its driver tells in no other way, from a cache that holds nothing else.
static stijl_result read_cache(sj_lab *lab, VkPipelineCache cache, sj_lab_statistics *out) {
  size_t bytes = 0, count;
  if (lab->vk.GetPipelineCacheData(lab->vk.device, cache, &bytes, NULL) != VK_SUCCESS || !bytes) return STIJL_OK;
  void *data = sj_alloc(lab->context, bytes), *code = NULL;
  if (!data) return sj_fail_memory(lab->message);
  stijl_result result = STIJL_OK;
  if (lab->vk.GetPipelineCacheData(lab->vk.device, cache, &bytes, data) == VK_SUCCESS)
    result = sj_lab_nvidia_code(lab->context, data, bytes, &code, &count);
  if (result != STIJL_OK) result = sj_fail_memory(lab->message);
  if (code) result = sj_lab_nvidia_disassemble(lab, code, count, &out->assembly);
  sj_free(lab->context, code);
  sj_free(lab->context, data);
  return result;
}

stijl_result sj_lab_compile(sj_lab *lab, const sj_vk_shader *shader, const uint32_t *constants, uint32_t count,
                            sj_lab_statistics *out) {
  const double none = (double)NAN;
  *out = (sj_lab_statistics){.registers = none, .spilled = none, .shared_bytes = none, .code_bytes = none};
  functions f;
  if (!load(lab, &f)) return STIJL_OK;
  sj_vk_bindings bindings;
  stijl_result result = sj_vk_bindings_create(&lab->vk, shader, &bindings, lab->message);
  if (result != STIJL_OK) return result;
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkPipelineCacheCreateInfo empty = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  VkPipelineCache cache = VK_NULL_HANDLE;
  VkResult made = lab->vk.CreatePipelineCache(lab->vk.device, &empty, NULL, &cache);
  const VkPipelineCreateFlags flags =
      VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR | VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  if (made == VK_SUCCESS)
    made = sj_vk_pipeline_compile(&lab->vk, shader, constants, count, bindings.layout, cache, flags, &pipeline);
  if (made == VK_SUCCESS) {
    read_statistics(lab, &f, pipeline, out);
    result = read_assembly(lab, &f, pipeline, out);
    if (result == STIJL_OK && !out->assembly && lab->vk.properties.vendorID == SJ_LAB_NVIDIA)
      result = read_cache(lab, cache, out);
    lab->vk.DestroyPipeline(lab->vk.device, pipeline, NULL);
  } else {
    result = sj_lab_fail(lab, made, shader->name);
  }
  lab->vk.DestroyPipelineCache(lab->vk.device, cache, NULL);
  sj_vk_bindings_destroy(&lab->vk, &bindings);
  return result;
}

double sj_lab_most_lanes(const sj_lab *lab) {
  uint32_t lanes = lab->multiprocessors * lab->warps * lab->p11.subgroupSize;
  return lanes ? lanes : (double)NAN;
}

// Counts by what NVIDIA has: 65,536 registers a multiprocessor, given to subgroups in steps of 8 for each lane (CUDA's
// occupancy calculator).
double sj_lab_lanes_by_registers(const sj_lab *lab, double registers, uint32_t group) {
  uint32_t subgroup = lab->p11.subgroupSize, each = (group + subgroup - 1) / subgroup;
  if (!lab->warps || lab->vk.properties.vendorID != SJ_LAB_NVIDIA || !(registers > 0)) return (double)NAN;
  double warps = fmin(lab->warps, floor(65536 / (ceil(registers / 8) * 8 * subgroup)));
  return floor(warps / each) * each * subgroup * lab->multiprocessors;
}

void sj_lab_statistics_finish(sj_lab *lab, sj_lab_statistics *s) {
  sj_free(lab->context, s->assembly);
  s->assembly = NULL;
}

bool sj_lab_open_compiler(sj_lab *lab, sj_lab *out) {
  static const stijl_lab_params radv = {.size = sizeof radv, .device = -1, .device_name = "RADV", .quick = true};
  static stijl_message unused;
  if (!getenv("RADV_FORCE_FAMILY") || lab->vk.properties.vendorID == 0x1002) return false;
  *out =
      (sj_lab){.context = lab->context, .message = &unused, .params = &radv, .page = lab->page, .compiles_only = true};
  if (sj_lab_open(out) == STIJL_OK && out->has_statistics) return true;
  sj_lab_close(out);
  return false;
}

void sj_lab_say_compilers(sj_lab *lab, bool has_compiler) {
  if (lab->said_compilers) return;
  lab->said_compilers = true;
  if (!lab->has_statistics)
    sj_lab_say(lab->page, "The driver tells nothing about what it compiles (VK_KHR_pipeline_executable_properties).");
  if (!has_compiler)
    sj_lab_say(lab->page,
               "With RADV_FORCE_FAMILY set (navi21, for one), where Mesa's RADV is installed, AMD is added.");
}
