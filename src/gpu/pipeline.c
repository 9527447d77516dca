#include "gpu/pipeline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- The cache on disk ---
// There is one file for each device and driver. Drivers check the data they are given, and a file that cannot be read
// or written only costs time.

enum { MAX_CACHE_BYTES = 64 << 20, MAX_PATH = 4096 };

static bool cache_path(const sj_vk *vk, char *path, bool make_folder) {
  const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length;
  if (base && *base == '/')
    length = snprintf(path, MAX_PATH, "%s", base);
  else if (home && *home == '/')
    length = snprintf(path, MAX_PATH, "%s/.cache", home);
  else
    return false;
  if (length >= MAX_PATH - 200) return false;
  if (make_folder) mkdir(path, 0700);
  length += snprintf(path + length, (size_t)(MAX_PATH - length), "/stijl");
  if (make_folder && mkdir(path, 0700) != 0 && errno != EEXIST) return false;
  length += snprintf(path + length, (size_t)(MAX_PATH - length), "/pipelines-%04x-%04x-", vk->properties.vendorID,
                     vk->properties.deviceID);
  for (unsigned i = 0; i < VK_UUID_SIZE; i++)
    length += snprintf(path + length, (size_t)(MAX_PATH - length), "%02x", vk->properties.pipelineCacheUUID[i]);
  return true;
}

static void *read_cache(const sj_vk *vk, size_t *bytes) {
  char path[MAX_PATH];
  *bytes = 0;
  FILE *file = cache_path(vk, path, false) ? fopen(path, "rb") : NULL;
  if (!file) return NULL;
  struct stat info;
  void *data = NULL;
  if (fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 && info.st_size <= MAX_CACHE_BYTES)
    data = sj_alloc(vk->context, (size_t)info.st_size);
  if (data) *bytes = fread(data, 1, (size_t)info.st_size, file);
  fclose(file);
  return data;
}

static void write_cache(const sj_vk *vk, VkPipelineCache cache) {
  char path[MAX_PATH], temporary[MAX_PATH + 32];
  size_t bytes = 0;
  if (vk->GetPipelineCacheData(vk->device, cache, &bytes, NULL) != VK_SUCCESS || bytes > MAX_CACHE_BYTES) return;
  void *data = sj_alloc(vk->context, bytes);
  if (data && vk->GetPipelineCacheData(vk->device, cache, &bytes, data) == VK_SUCCESS && cache_path(vk, path, true)) {
    snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(temporary, "wb");
    if (file) {
      bool good = fwrite(data, 1, bytes, file) == bytes;
      good = fclose(file) == 0 && good;
      if (!good || rename(temporary, path) != 0) remove(temporary);
    }
  }
  sj_free(vk->context, data);
}

// --- Pipelines ---

static VkResult make_layouts(sj_vk *vk, sj_pipelines *p) {
  VkDescriptorSetLayoutBinding bindings[G_BINDINGS];
  for (uint32_t i = 0; i < G_BINDINGS; i++)
    bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                 .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                 .descriptorCount = 1,
                                                 .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  VkDescriptorSetLayoutCreateInfo set = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = G_BINDINGS, .pBindings = bindings};
  VkResult result = vk->CreateDescriptorSetLayout(vk->device, &set, NULL, &p->set_layout);
  if (result != VK_SUCCESS) return result;
  VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = sizeof(g_params)};
  VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = 1,
                                       .pSetLayouts = &p->set_layout,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &range};
  result = vk->CreatePipelineLayout(vk->device, &layout, NULL, &p->layout);
  if (result != VK_SUCCESS) return result;
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, G_BINDINGS};
  VkDescriptorPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
  result = vk->CreateDescriptorPool(vk->device, &pool, NULL, &p->pool);
  if (result != VK_SUCCESS) return result;
  VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                          .descriptorPool = p->pool,
                                          .descriptorSetCount = 1,
                                          .pSetLayouts = &p->set_layout};
  return vk->AllocateDescriptorSets(vk->device, &allocate, &p->set);
}

// STIJL_VULKAN_FEATURES, for measurements: "all" or some of these names.
static uint32_t forced_features(void) {
  static const char *const names[] = {"layers", "gradients", "images", "blends"};
  const char *text = getenv("STIJL_VULKAN_FEATURES");
  uint32_t features = 0;
  for (uint32_t i = 0; text && i < sizeof names / sizeof *names; i++)
    if (strcmp(text, "all") == 0 || strstr(text, names[i])) features |= 1u << i;
  return features;
}

stijl_result sj_pipelines_init(sj_vk *vk, sj_pipelines *p, stijl_message *message) {
  *p = (sj_pipelines){0};
  const char *chunk = getenv("STIJL_VULKAN_CHUNK");  // for measurements
  if (chunk && atoi(chunk) >= 1 && atoi(chunk) <= 16) p->chunk = (uint32_t)atoi(chunk);
  p->forced = forced_features();
  VkResult result = make_layouts(vk, p);
  if (result == VK_SUCCESS) {
    VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    void *data = read_cache(vk, &info.initialDataSize);
    info.pInitialData = data;
    result = vk->CreatePipelineCache(vk->device, &info, NULL, &p->cache);
    sj_free(vk->context, data);
  }
  if (result == VK_SUCCESS) return STIJL_OK;
  sj_pipelines_finish(vk, p);
  return sj_vk_fail(message, result, "preparing pipelines");
}

void sj_pipelines_finish(sj_vk *vk, sj_pipelines *p) {
  if (p->cache && p->changed) write_cache(vk, p->cache);
  for (int stage = 0; stage < SJ_STAGES; stage++)
    for (uint32_t i = 0; i < SJ_VARIANTS; i++)
      if (p->stages[stage][i]) vk->DestroyPipeline(vk->device, p->stages[stage][i], NULL);
  if (p->cache) vk->DestroyPipelineCache(vk->device, p->cache, NULL);
  if (p->pool) vk->DestroyDescriptorPool(vk->device, p->pool, NULL);
  if (p->layout) vk->DestroyPipelineLayout(vk->device, p->layout, NULL);
  if (p->set_layout) vk->DestroyDescriptorSetLayout(vk->device, p->set_layout, NULL);
  *p = (sj_pipelines){0};
}

stijl_result sj_pipeline_make(sj_vk *vk, sj_pipelines *p, sj_shader shader, const VkSpecializationInfo *special,
                              const char *name, VkPipeline *out, stijl_message *message) {
  *out = VK_NULL_HANDLE;
  VkShaderModuleCreateInfo module_info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = shader.bytes, .pCode = shader.words};
  VkShaderModule module;
  VkResult result = vk->CreateShaderModule(vk->device, &module_info, NULL, &module);
  if (result != VK_SUCCESS) return sj_vk_fail(message, result, name);
  VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                .module = module,
                                                .pName = "main",
                                                .pSpecializationInfo = special},
                                      .layout = p->layout};
  result = vk->CreateComputePipelines(vk->device, p->cache, 1, &info, NULL, out);
  vk->DestroyShaderModule(vk->device, module, NULL);
  if (result != VK_SUCCESS) {
    *out = VK_NULL_HANDLE;
    return sj_vk_fail(message, result, name);
  }
  p->changed = true;
  return STIJL_OK;
}

stijl_result sj_pipelines_get(sj_vk *vk, sj_pipelines *p, sj_stage stage, uint32_t features, VkPipeline *out,
                              stijl_message *message) {
  static const uint32_t used[SJ_STAGES] = {
      [SJ_STAGE_FLATTEN] = SJ_FEATURE_STROKES | SJ_FEATURE_FAR | SJ_FEATURE_CURVES,
      [SJ_STAGE_COVER] = SJ_FEATURE_WIDE | SJ_FEATURE_LONG_SUMS,
      [SJ_STAGE_RESOLVE] = SJ_FEATURE_WIDE | SJ_FEATURE_LONG_SUMS,
      [SJ_STAGE_COARSE] = SJ_FEATURE_LAYERS | SJ_FEATURE_FEW_BINS,
      [SJ_STAGE_FINE] = SJ_FEATURE_LAYERS | SJ_FEATURE_GRADIENTS | SJ_FEATURE_IMAGES | SJ_FEATURE_BLENDS |
                        SJ_FEATURE_OPAQUE};
  features = (features | p->forced) & used[stage];
  if (features & SJ_FEATURE_LAYERS) features &= ~SJ_FEATURE_OPAQUE;
  // With gradients fewer lanes, of more pixels each, are faster: each lane loads the paint once.
  uint32_t chunk = p->chunk ? p->chunk : features & SJ_FEATURE_GRADIENTS ? 8 : 4;
  VkPipeline *slot = &p->stages[stage][features];
  *out = *slot;
  if (*slot) return STIJL_OK;
  enum { CONSTANTS = 5 };
  VkBool32 values[CONSTANTS];
  VkSpecializationMapEntry entries[CONSTANTS];
  uint32_t first = stage == SJ_STAGE_FLATTEN                                ? SJ_FEATURE_FLATTEN
                   : stage == SJ_STAGE_COVER || stage == SJ_STAGE_RESOLVE ? SJ_FEATURE_SUMS
                                                                            : 0;
  for (uint32_t i = 0; i < CONSTANTS; i++) {
    values[i] = features >> (first + i) & 1;
    entries[i] = (VkSpecializationMapEntry){i, i * (uint32_t)sizeof *values, sizeof *values};
  }
  VkSpecializationInfo special = {CONSTANTS, entries, sizeof values, values};
  stijl_result result = sj_pipeline_make(vk, p, sj_shader_of(stage, features, chunk), used[stage] ? &special : NULL,
                                         sj_stage_name(stage), slot, message);
  *out = *slot;
  return result;
}
