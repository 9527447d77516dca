// Opens the lab's device with all features that instruments use, also those that the renderer does without.
#include <stdlib.h>
#include <string.h>

#include "lab/harness.h"

// Kernels of instruments take milliseconds: what takes longer than this may never end.
#define PATIENCE_NS 10000000000ull

stijl_result sj_lab_fail(sj_lab *lab, VkResult result, const char *what) {
  return sj_vk_fail(lab->message, result, what);
}

// --- Extensions ---

typedef struct extensions {
  const char *names[8];
  uint32_t count;
} extensions;

static bool take(extensions *used, const VkExtensionProperties *all, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(all[i].extensionName, name) == 0) {
      used->names[used->count++] = name;
      return true;
    }
  return false;
}

static stijl_result find_extensions(sj_lab *lab, extensions *used, bool *has_builtins) {
  const sj_vk_instance *instance = &lab->vk.instance;
  PFN_vkEnumerateDeviceExtensionProperties list =
      (PFN_vkEnumerateDeviceExtensionProperties)instance->GetInstanceProcAddr(instance->handle,
                                                                              "vkEnumerateDeviceExtensionProperties");
  uint32_t count = 0;
  if (!list || list(lab->vk.physical, NULL, &count, NULL) != VK_SUCCESS) return STIJL_OK;
  VkExtensionProperties *all = sj_alloc_array(lab->context, count + 1, sizeof *all);
  if (!all) return sj_fail_memory(lab->message);
  VkResult result = list(lab->vk.physical, NULL, &count, all);
  if (result != VK_SUCCESS && result != VK_INCOMPLETE) count = 0;
  lab->has_clock = take(used, all, count, VK_KHR_SHADER_CLOCK_EXTENSION_NAME);
  lab->has_statistics = take(used, all, count, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
  *has_builtins = take(used, all, count, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME);
  lab->has_counters = take(used, all, count, VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME);
  sj_free(lab->context, all);
  return STIJL_OK;
}

// --- Features ---

// Chooses those features of the device that instruments use.
static void choose_features(sj_lab *lab, const sj_vk_features *has, const VkPhysicalDeviceVulkan11Features *has11) {
  sj_vk_features *f = &lab->features;
  f->f.features.shaderInt16 = has->f.features.shaderInt16;
  f->f.features.shaderInt64 = has->f.features.shaderInt64;
  lab->f11.storageBuffer16BitAccess = has11->storageBuffer16BitAccess;
  f->f12.storageBuffer8BitAccess = has->f12.storageBuffer8BitAccess;
  f->f12.shaderInt8 = has->f12.shaderInt8;
  f->f12.shaderFloat16 = has->f12.shaderFloat16;
  f->f12.shaderBufferInt64Atomics = has->f12.shaderBufferInt64Atomics;
  f->f12.vulkanMemoryModel = has->f12.vulkanMemoryModel;
  f->f12.vulkanMemoryModelDeviceScope = has->f12.vulkanMemoryModelDeviceScope;
  f->f12.scalarBlockLayout = VK_TRUE;
  f->f13.maintenance4 = VK_TRUE;
  f->f13.subgroupSizeControl = has->f13.subgroupSizeControl;
  f->f13.computeFullSubgroups = has->f13.computeFullSubgroups;
}

static VkPhysicalDeviceFeatures2 *link_features(sj_vk_features *f, VkPhysicalDeviceVulkan11Features *f11) {
  VkPhysicalDeviceFeatures2 *first = sj_vk_link_features(f);
  *f11 = (VkPhysicalDeviceVulkan11Features){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  f->f13.pNext = f11;
  return first;
}

static void read_properties(sj_lab *lab, bool has_builtins) {
  VkPhysicalDeviceShaderSMBuiltinsPropertiesNV builtins = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV};
  lab->p11 = (VkPhysicalDeviceVulkan11Properties){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
  lab->p12 = (VkPhysicalDeviceVulkan12Properties){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES,
                                                  .pNext = &lab->p11};
  lab->p13 = (VkPhysicalDeviceVulkan13Properties){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES,
                                                  .pNext = &lab->p12};
  VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &lab->p13};
  if (has_builtins) lab->p11.pNext = &builtins;
  lab->vk.instance.GetPhysicalDeviceProperties2(lab->vk.physical, &all);
  lab->p11.pNext = NULL;
  lab->multiprocessors = builtins.shaderSMCount;
  lab->warps = builtins.shaderWarpsPerSM;
}

// --- Opening ---

static stijl_result create_device(sj_lab *lab, VkQueue *queue, uint32_t family) {
  sj_vk *vk = &lab->vk;
  extensions used = {.count = 0};
  bool has_builtins = false;
  stijl_result result = find_extensions(lab, &used, &has_builtins);
  if (result != STIJL_OK) return result;
  read_properties(lab, has_builtins);
  sj_vk_features has;
  VkPhysicalDeviceVulkan11Features has11;
  VkPhysicalDeviceShaderClockFeaturesKHR clock = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR};
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
  VkPhysicalDevicePerformanceQueryFeaturesKHR counters = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR};
  void *extra = NULL;
  if (lab->has_clock) {
    clock.pNext = extra;
    extra = &clock;
  }
  if (lab->has_statistics) {
    statistics.pNext = extra;
    extra = &statistics;
  }
  if (lab->has_counters) {
    counters.pNext = extra;
    extra = &counters;
  }
  VkPhysicalDeviceFeatures2 *chain = link_features(&has, &has11);
  has11.pNext = extra;
  vk->instance.GetPhysicalDeviceFeatures2(vk->physical, chain);
  chain = link_features(&lab->features, &lab->f11);
  lab->f11.pNext = extra;
  choose_features(lab, &has, &has11);
  clock.shaderDeviceClock = VK_FALSE;
  lab->has_clock = lab->has_clock && clock.shaderSubgroupClock && has.f.features.shaderInt64;
  lab->has_statistics = lab->has_statistics && statistics.pipelineExecutableInfo;
  counters.performanceCounterMultipleQueryPools = VK_FALSE;
  lab->has_counters = lab->has_counters && counters.performanceCounterQueryPools;

  float priority = 1.0f;
  VkDeviceQueueCreateInfo queues = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                    .queueFamilyIndex = family,
                                    .queueCount = 1,
                                    .pQueuePriorities = &priority};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .pNext = chain,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queues,
                             .enabledExtensionCount = used.count,
                             .ppEnabledExtensionNames = used.names};
  VkResult made = vk->instance.CreateDevice(vk->physical, &info, NULL, &lab->own);
  lab->f11.pNext = NULL;
  if (made != VK_SUCCESS) {
    lab->own = NULL;
    return sj_lab_fail(lab, made, "opening the device");
  }
  PFN_vkGetDeviceQueue get = (PFN_vkGetDeviceQueue)vk->instance.GetDeviceProcAddr(lab->own, "vkGetDeviceQueue");
  get(lab->own, family, 0, queue);
  return STIJL_OK;
}

// Returns the index of the device to open. Under RADV_FORCE_FAMILY RADV offers a device that can only compile; unless a
// device was asked for, the first other one is taken.
static int choose(sj_lab *lab) {
  int index = lab->params->device;
  if (index >= 0 || lab->params->device_name || !getenv("RADV_FORCE_FAMILY")) return index;
  sj_vk_instance instance;
  VkPhysicalDevice devices[SJ_VK_MAX_DEVICES];
  uint32_t count = 0;
  if (sj_vk_open_instance(&instance, lab->message) != STIJL_OK) return index;
  if (sj_vk_enumerate(&instance, devices, &count, lab->message) != STIJL_OK) return index;
  for (uint32_t i = 0; i < count; i++) {
    VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    instance.GetPhysicalDeviceProperties2(devices[i], &p);
    if (!strstr(p.properties.deviceName, "RADV")) return (int)i;
  }
  return index;
}

stijl_result sj_lab_open(sj_lab *lab) {
  // The toolkit chooses and opens a device; the lab opens the same one again with more features, and has the toolkit
  // adopt that.
  const sj_vk_needs needs = {0};
  const char *name = lab->params->device_name;
  lab->index = choose(lab);
  stijl_result result = sj_vk_open(&lab->vk, lab->context, lab->index, name, &needs, lab->message);
  if (result != STIJL_OK) return result;
  uint32_t family = lab->vk.family;
  sj_vk_close(&lab->vk);
  stijl_vulkan_device device = STIJL_VULKAN_DEVICE_INIT;
  result = create_device(lab, &device.queue, family);
  if (result != STIJL_OK) return result;
  device.get_instance_proc_addr = lab->vk.instance.GetInstanceProcAddr;
  device.instance = lab->vk.instance.handle;
  device.physical_device = lab->vk.physical;
  device.device = lab->own;
  device.queue_family = family;
  device.features = &lab->features.f;
  result = sj_vk_adopt(&lab->vk, lab->context, &device, &needs, lab->message);
  VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  if (result == STIJL_OK) {
    VkResult made = lab->vk.CreatePipelineCache(lab->own, &cache, NULL, &lab->cache.handle);
    if (made != VK_SUCCESS) result = sj_lab_fail(lab, made, "preparing pipelines");
  }
  lab->vk.patience_ns = PATIENCE_NS;
  lab->software = lab->vk.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  lab->quick = lab->software || lab->params->quick;
  if (lab->compiles_only) return result;
  if (result == STIJL_OK) result = sj_vk_commands_create(&lab->vk, 1, &lab->commands, lab->message);
  if (result == STIJL_OK) result = sj_vk_timer_create(&lab->vk, 2, &lab->timer, lab->message);
  return result;
}

void sj_lab_close(sj_lab *lab) {
  sj_vk *vk = &lab->vk;
  // Nothing that the device may still be using can be destroyed.
  if (!lab->own || vk->stuck) return;
  if (vk->device) {
    sj_lab_kernel_destroy(lab, &lab->warmer);
    sj_buffer_finish(vk, &lab->little);
    sj_vk_timer_destroy(vk, &lab->timer);
    sj_vk_commands_destroy(vk, &lab->commands);
    lab->cache.changed = false;  // it is not saved, since what a run times it has to compile itself
    sj_vk_cache_close(vk, &lab->cache);
  }
  PFN_vkDestroyDevice destroy = (PFN_vkDestroyDevice)vk->instance.GetDeviceProcAddr(lab->own, "vkDestroyDevice");
  sj_vk_close(vk);
  if (destroy) destroy(lab->own, NULL);
  lab->own = NULL;
}
