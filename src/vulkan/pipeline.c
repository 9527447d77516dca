#include "vulkan/pipeline.h"

#include <stdio.h>

#include "base/cache.h"

// --- What shaders bind ---

stijl_result sj_vk_bindings_create(sj_vk *vk, const sj_vk_shader *shader, sj_vk_bindings *out, stijl_message *message) {
  *out = (sj_vk_bindings){0};
  stijl_result read = sj_vk_reflect(vk->context, shader, NULL, 0, &out->interface, message);
  if (read != STIJL_OK) return read;
  VkDescriptorSetLayoutBinding bindings[SJ_VK_MAX_BINDINGS];
  uint32_t count = 0;
  for (uint32_t b = 0; b < SJ_VK_MAX_BINDINGS; b++)
    if (out->interface.bindings >> b & 1)
      bindings[count++] = (VkDescriptorSetLayoutBinding){.binding = b,
                                                         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                         .descriptorCount = 1,
                                                         .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  VkDescriptorSetLayoutCreateInfo set = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = count, .pBindings = bindings};
  VkResult result = vk->CreateDescriptorSetLayout(vk->device, &set, NULL, &out->set_layout);
  VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = out->interface.push_bytes};
  VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = 1,
                                       .pSetLayouts = &out->set_layout,
                                       .pushConstantRangeCount = range.size ? 1 : 0,
                                       .pPushConstantRanges = &range};
  if (result == VK_SUCCESS) result = vk->CreatePipelineLayout(vk->device, &layout, NULL, &out->layout);
  enum { ALL = 2 * SJ_VK_SETS };
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count ? ALL * count : 1};
  VkDescriptorPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = ALL, .poolSizeCount = 1, .pPoolSizes = &size};
  if (result == VK_SUCCESS) result = vk->CreateDescriptorPool(vk->device, &pool, NULL, &out->pool);
  VkDescriptorSetLayout layouts[ALL];
  for (int i = 0; i < ALL; i++) layouts[i] = out->set_layout;
  VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                          .descriptorPool = out->pool,
                                          .descriptorSetCount = ALL,
                                          .pSetLayouts = layouts};
  if (result == VK_SUCCESS) result = vk->AllocateDescriptorSets(vk->device, &allocate, out->sets[0]);
  if (result == VK_SUCCESS) {
    sj_vk_bindings_select(out, 0);
    return STIJL_OK;
  }
  sj_vk_bindings_destroy(vk, out);
  return sj_vk_fail(message, result, shader->name);
}

void sj_vk_bindings_destroy(sj_vk *vk, sj_vk_bindings *b) {
  if (b->pool) vk->DestroyDescriptorPool(vk->device, b->pool, NULL);
  if (b->layout) vk->DestroyPipelineLayout(vk->device, b->layout, NULL);
  if (b->set_layout) vk->DestroyDescriptorSetLayout(vk->device, b->set_layout, NULL);
  *b = (sj_vk_bindings){0};
}

void sj_vk_bindings_write(sj_vk *vk, sj_vk_bindings *bindings, const VkDescriptorBufferInfo *ranges) {
  VkWriteDescriptorSet writes[SJ_VK_MAX_BINDINGS];
  uint32_t count = 0;
  for (uint32_t b = 0; b < SJ_VK_MAX_BINDINGS; b++)
    if (bindings->interface.bindings >> b & 1)
      writes[count++] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                               .dstSet = bindings->set,
                                               .dstBinding = b,
                                               .descriptorCount = 1,
                                               .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                               .pBufferInfo = &ranges[b]};
  vk->UpdateDescriptorSets(vk->device, count, writes, 0, NULL);
}

// --- The cache on disk ---
// There is one file for each device and driver. Drivers check the data they are given, and a file that cannot be read
// or written only costs time.

enum { MAX_CACHE_BYTES = 64 << 20, MAX_CACHE_NAME = 64 };

static void cache_name(const sj_vk *vk, char name[MAX_CACHE_NAME]) {
  int length = snprintf(name, MAX_CACHE_NAME, "pipelines-%04x-%04x-", vk->properties.vendorID, vk->properties.deviceID);
  for (unsigned i = 0; i < VK_UUID_SIZE; i++)
    length += snprintf(name + length, (size_t)(MAX_CACHE_NAME - length), "%02x", vk->properties.pipelineCacheUUID[i]);
}

static void *read_cache(const sj_vk *vk, size_t *bytes) {
  char name[MAX_CACHE_NAME];
  cache_name(vk, name);
  return sj_cache_read(vk->context, name, MAX_CACHE_BYTES, bytes);
}

static void write_cache(const sj_vk *vk, VkPipelineCache cache) {
  char name[MAX_CACHE_NAME];
  size_t bytes = 0;
  if (vk->GetPipelineCacheData(vk->device, cache, &bytes, NULL) != VK_SUCCESS || bytes > MAX_CACHE_BYTES) return;
  void *data = sj_alloc(vk->context, bytes);
  cache_name(vk, name);
  if (data && vk->GetPipelineCacheData(vk->device, cache, &bytes, data) == VK_SUCCESS)
    sj_cache_write(name, data, bytes);
  sj_free(vk->context, data);
}

stijl_result sj_vk_cache_open(sj_vk *vk, sj_vk_cache *out, stijl_message *message) {
  *out = (sj_vk_cache){0};
  VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  void *data = read_cache(vk, &info.initialDataSize);
  info.pInitialData = data;
  VkResult result = vk->CreatePipelineCache(vk->device, &info, NULL, &out->handle);
  sj_free(vk->context, data);
  return result == VK_SUCCESS ? STIJL_OK : sj_vk_fail(message, result, "preparing pipelines");
}

void sj_vk_cache_close(sj_vk *vk, sj_vk_cache *cache) {
  if (cache->handle && cache->changed) write_cache(vk, cache->handle);
  if (cache->handle) vk->DestroyPipelineCache(vk->device, cache->handle, NULL);
  *cache = (sj_vk_cache){0};
}

// --- Pipelines ---

// Checks whether the device allows what the shader asks for with these constants.
static stijl_result check(sj_vk *vk, const sj_vk_shader *shader, const uint32_t *constants, uint32_t count,
                          stijl_message *message) {
  if (count > SJ_VK_MAX_CONSTANTS)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "%u specialisation constants for %s, at most %d", count,
                   shader->name, SJ_VK_MAX_CONSTANTS);
  sj_vk_needs needs = {0};
  stijl_result result = sj_vk_needs_add(vk->context, &needs, shader, constants, count, message);
  if (result != STIJL_OK) return result;
  sj_vk_lack lack = sj_vk_limit(&vk->properties.limits, &needs);
  return lack.name ? sj_vk_fail_lack(message, vk->properties.deviceName, lack) : STIJL_OK;
}

VkResult sj_vk_pipeline_compile(const sj_vk *vk, const sj_vk_shader *shader, const uint32_t *constants, uint32_t count,
                                VkPipelineLayout layout, VkPipelineCache cache, VkPipelineCreateFlags flags,
                                VkPipeline *out) {
  VkSpecializationMapEntry entries[SJ_VK_MAX_CONSTANTS];
  for (uint32_t i = 0; i < count; i++) entries[i] = (VkSpecializationMapEntry){i, i * 4, 4};
  VkSpecializationInfo special = {count, entries, count * 4, constants};
  VkShaderModuleCreateInfo code = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = shader->bytes, .pCode = shader->words};
  VkShaderModule module;
  *out = VK_NULL_HANDLE;
  VkResult result = vk->CreateShaderModule(vk->device, &code, NULL, &module);
  if (result != VK_SUCCESS) return result;
  VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                      .flags = flags,
                                      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                .module = module,
                                                .pName = "main",
                                                .pSpecializationInfo = count ? &special : NULL},
                                      .layout = layout};
  result = vk->CreateComputePipelines(vk->device, cache, 1, &info, NULL, out);
  vk->DestroyShaderModule(vk->device, module, NULL);
  if (result != VK_SUCCESS) *out = VK_NULL_HANDLE;
  return result;
}

stijl_result sj_vk_pipeline_create(sj_vk *vk, sj_vk_cache *cache, const sj_vk_shader *shader, const uint32_t *constants,
                                   uint32_t count, const sj_vk_bindings *bindings, VkPipeline *out,
                                   stijl_message *message) {
  *out = VK_NULL_HANDLE;
  stijl_result checked = check(vk, shader, constants, count, message);
  if (checked != STIJL_OK) return checked;
  VkResult result = sj_vk_pipeline_compile(vk, shader, constants, count, bindings->layout, cache->handle, 0, out);
  if (result != VK_SUCCESS) return sj_vk_fail(message, result, shader->name);
  cache->changed = true;
  return STIJL_OK;
}

void sj_vk_use(const sj_vk *vk, VkCommandBuffer commands, VkPipeline pipeline, const sj_vk_bindings *bindings,
               const void *push) {
  vk->CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vk->CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, bindings->layout, 0, 1, &bindings->set, 0, NULL);
  sj_vk_push(vk, commands, bindings, push);
}
