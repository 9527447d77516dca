// The devices there are, and whether they can render.
#include <stdio.h>
#include <string.h>

#include "base/params.h"
#include "gpu/filter_layout.h"
#include "gpu/pipeline.h"
#include "gpu/ramps.h"
#include "gpu/resident.h"
#include "gpu/transfer.h"

stijl_result sj_gpu_needs(stijl_context *context, sj_vk_needs *needs, stijl_message *message) {
  static const uint32_t all[SJ_STAGE_FEATURES] = {1, 1, 1, 1, 1, 1, 1, 1};
  *needs = (sj_vk_needs){0};
  stijl_result result = sj_vk_needs_add(context, needs, &sj_transfer_shader, NULL, 0, message);
  if (result == STIJL_OK) result = sj_vk_needs_add(context, needs, &sj_encode_shader, NULL, 0, message);
  if (result == STIJL_OK) result = sj_vk_needs_add(context, needs, &sj_ramp_shader, NULL, 0, message);
  for (uint32_t kind = 0; kind < G_ITEMS && result == STIJL_OK; kind++) {
    sj_vk_shader shader = sj_filter_shader_of(kind);
    result = sj_vk_needs_add(context, needs, &shader, NULL, 0, message);
  }
  // Without the variant of coarse that has many lanes, because any device can do without.
  for (int stage = 0; stage < SJ_STAGES && result == STIJL_OK; stage++)
    for (uint32_t chunk = 4; chunk <= 8 && result == STIJL_OK; chunk += 4) {
      sj_vk_shader shader = sj_shader_of((sj_stage)stage, 0, chunk);
      result = sj_vk_needs_add(context, needs, &shader, all, SJ_STAGE_FEATURES, message);
    }
  return result;
}

stijl_result stijl_devices(stijl_context *context, stijl_device *out, size_t capacity, size_t *count,
                           stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!count || (capacity && !out)) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no place for the devices");
  *count = 0;
  if (capacity && !sj_params_has_size(out, sizeof *out, "stijl_device", message)) return STIJL_ERROR_INVALID_ARGUMENT;
  size_t stride = capacity ? out->size : 0;
  sj_vk_instance instance;
  sj_vk_needs needs;
  stijl_result result = sj_gpu_needs(sj_context(context), &needs, message);
  if (result == STIJL_OK) result = sj_vk_open_instance(&instance, message);
  if (result != STIJL_OK) return result;
  VkPhysicalDevice devices[SJ_VK_MAX_DEVICES];
  uint32_t found = 0;
  result = sj_vk_enumerate(&instance, devices, &found, message);
  for (uint32_t i = 0; result == STIJL_OK && i < found; i++) {
    VkPhysicalDeviceProperties p;
    sj_vk_lack lack = sj_vk_missing(&instance, devices[i], &needs, &p);
    ++*count;
    if (i >= capacity) continue;
    VkPhysicalDeviceMemoryProperties memory;
    instance.GetPhysicalDeviceMemoryProperties(devices[i], &memory);
    stijl_device made = {
        .size = sizeof made, .index = (int)i, .type = sj_vk_type_name(p.deviceType), .lacks = lack.name};
    stijl_device *d = &made;
    snprintf(d->name, sizeof d->name, "%s", p.deviceName);
    d->api_major = VK_API_VERSION_MAJOR(p.apiVersion);
    d->api_minor = VK_API_VERSION_MINOR(p.apiVersion);
    for (uint32_t h = 0; h < memory.memoryHeapCount; h++)
      if (memory.memoryHeaps[h].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) d->memory_bytes += memory.memoryHeaps[h].size;
    d->max_storage_range = p.limits.maxStorageBufferRange;
    d->shared_memory_bytes = p.limits.maxComputeSharedMemorySize;
    unsigned char *place = (unsigned char *)out + i * stride;
    memcpy(place, &stride, sizeof stride);
    SJ_WRITE(stijl_device, place, &made);
  }
  return result;
}

stijl_result stijl_vulkan_check(PFN_vkGetInstanceProcAddr get, VkInstance instance, VkPhysicalDevice device,
                                stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!get || !instance || !device)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "vkGetInstanceProcAddr, instance or device missing");
  sj_vk_instance functions;
  sj_vk_needs needs;
  stijl_result result = sj_gpu_needs(sj_context(NULL), &needs, message);
  if (result == STIJL_OK) result = sj_vk_adopt_instance(&functions, get, instance, message);
  if (result != STIJL_OK) return result;
  VkPhysicalDeviceProperties p;
  sj_vk_lack lack = sj_vk_missing(&functions, device, &needs, &p);
  return lack.name ? sj_vk_fail_lack(message, p.deviceName, lack) : STIJL_OK;
}

stijl_result stijl_vulkan_enable(void *chain, stijl_message *message) {
  if (message) message->text[0] = 0;
  return sj_vk_enable(chain, false, message);
}
