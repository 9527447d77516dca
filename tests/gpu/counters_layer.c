// A Vulkan layer that adds VK_KHR_performance_query to any driver, for `lab counters` to be tested where no driver has
// it. What it counts it reads from the commands themselves. It keeps one device and one query at a time, and answers
// VK_ERROR_UNKNOWN or VK_NOT_READY where the rules of the extension are broken.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <vulkan/vk_layer.h>

#define NAME(f) #f
#define EXPORT __attribute__((visibility("default")))
enum { COUNTERS = 7, PER_PASS = 2 };

static const struct {
  const char *name;
  VkPerformanceCounterScopeKHR scope;
  VkPerformanceCounterStorageKHR storage;
} counters[COUNTERS] = {
    {"workgroups", VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_KHR, VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR},
    {"draws", VK_PERFORMANCE_COUNTER_SCOPE_RENDER_PASS_KHR, VK_PERFORMANCE_COUNTER_STORAGE_UINT32_KHR},
    {"dispatches", VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_BUFFER_KHR, VK_PERFORMANCE_COUNTER_STORAGE_UINT32_KHR},
    {"negative", VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_KHR, VK_PERFORMANCE_COUNTER_STORAGE_INT32_KHR},
    {"half", VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_KHR, VK_PERFORMANCE_COUNTER_STORAGE_FLOAT64_KHR},
    {"negative half", VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_KHR, VK_PERFORMANCE_COUNTER_STORAGE_FLOAT32_KHR},
    {"twice", VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_KHR, VK_PERFORMANCE_COUNTER_STORAGE_INT64_KHR}};

static PFN_vkGetInstanceProcAddr next_instance;
static PFN_vkGetDeviceProcAddr next_device;
static PFN_vkEnumerateDeviceExtensionProperties next_extensions;
static PFN_vkGetPhysicalDeviceFeatures2 next_features;
static VkInstance instance;
static VkDevice device;

// The query, and the command buffer that it is recorded in.
#define POOL ((VkQueryPool)(uintptr_t)0x5171)
static uint32_t chosen[COUNTERS], chosen_count, passes_done;
static bool locked, is_reset, recording, recorded;
static VkCommandBuffer list;
static uint32_t workgroups, dispatches;

static uint32_t passes_of(uint32_t count) { return (count + PER_PASS - 1) / PER_PASS; }

// --- Physical devices ---

static VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceFeatures2(VkPhysicalDevice p, VkPhysicalDeviceFeatures2 *features) {
  next_features(p, features);
  for (VkBaseOutStructure *s = features->pNext; s; s = s->pNext)
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR)
      ((VkPhysicalDevicePerformanceQueryFeaturesKHR *)(void *)s)->performanceCounterQueryPools = VK_TRUE;
}

static VKAPI_ATTR VkResult VKAPI_CALL EnumerateDeviceExtensionProperties(VkPhysicalDevice p, const char *layer,
                                                                         uint32_t *count, VkExtensionProperties *out) {
  uint32_t room = *count;
  VkResult result = next_extensions(p, layer, count, out);
  if (result != VK_SUCCESS) return result;
  if (out && room == *count) return VK_INCOMPLETE;
  if (out) {
    out[*count] = (VkExtensionProperties){.specVersion = VK_KHR_PERFORMANCE_QUERY_SPEC_VERSION};
    snprintf(out[*count].extensionName, sizeof out->extensionName, "%s", VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME);
  }
  ++*count;
  return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR(
    VkPhysicalDevice p, uint32_t family, uint32_t *count, VkPerformanceCounterKHR *out,
    VkPerformanceCounterDescriptionKHR *about) {
  (void)p, (void)family;
  if (!out && !about) {
    *count = COUNTERS;
    return VK_SUCCESS;
  }
  uint32_t n = *count < COUNTERS ? *count : COUNTERS;
  for (uint32_t i = 0; i < n; i++) {
    out[i].unit = VK_PERFORMANCE_COUNTER_UNIT_GENERIC_KHR;
    out[i].scope = counters[i].scope;
    out[i].storage = counters[i].storage;
    snprintf(about[i].name, sizeof about[i].name, "%s", counters[i].name);
    snprintf(about[i].category, sizeof about[i].category, "a category");
    snprintf(about[i].description, sizeof about[i].description, "a description");
  }
  *count = n;
  return n < COUNTERS ? VK_INCOMPLETE : VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR(
    VkPhysicalDevice p, const VkQueryPoolPerformanceCreateInfoKHR *info, uint32_t *count) {
  (void)p;
  *count = passes_of(info->counterIndexCount);
}

// --- The lock, and queries ---

static VKAPI_ATTR VkResult VKAPI_CALL AcquireProfilingLockKHR(VkDevice d, const VkAcquireProfilingLockInfoKHR *info) {
  (void)d, (void)info;
  if (locked) return VK_TIMEOUT;
  locked = true;
  return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL ReleaseProfilingLockKHR(VkDevice d) {
  (void)d;
  locked = false;
}

static VKAPI_ATTR VkResult VKAPI_CALL CreateQueryPool(VkDevice d, const VkQueryPoolCreateInfo *info,
                                                      const VkAllocationCallbacks *callbacks, VkQueryPool *out) {
  if (info->queryType != VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR)
    return ((PFN_vkCreateQueryPool)next_device(device, "vkCreateQueryPool"))(d, info, callbacks, out);
  const VkQueryPoolPerformanceCreateInfoKHR *which = info->pNext;
  if (!which || which->counterIndexCount > COUNTERS) return VK_ERROR_UNKNOWN;
  chosen_count = which->counterIndexCount;
  memcpy(chosen, which->pCounterIndices, chosen_count * sizeof *chosen);
  is_reset = recorded = false;
  *out = POOL;
  return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL DestroyQueryPool(VkDevice d, VkQueryPool pool, const VkAllocationCallbacks *c) {
  if (pool != POOL) ((PFN_vkDestroyQueryPool)next_device(device, "vkDestroyQueryPool"))(d, pool, c);
}

static VKAPI_ATTR void VKAPI_CALL CmdResetQueryPool(VkCommandBuffer c, VkQueryPool pool, uint32_t first, uint32_t n) {
  if (pool != POOL) {
    ((PFN_vkCmdResetQueryPool)next_device(device, "vkCmdResetQueryPool"))(c, pool, first, n);
    return;
  }
  is_reset = true;
  recorded = false;
  passes_done = 0;
}

static VKAPI_ATTR void VKAPI_CALL CmdBeginQuery(VkCommandBuffer c, VkQueryPool pool, uint32_t query,
                                                VkQueryControlFlags flags) {
  (void)pool, (void)query, (void)flags;
  recording = locked && is_reset;
  list = c;
  workgroups = dispatches = 0;
}

static VKAPI_ATTR void VKAPI_CALL CmdEndQuery(VkCommandBuffer c, VkQueryPool pool, uint32_t query) {
  (void)pool, (void)query;
  recorded = recording && c == list;
  recording = false;
}

static VKAPI_ATTR void VKAPI_CALL CmdDispatch(VkCommandBuffer c, uint32_t x, uint32_t y, uint32_t z) {
  if (recording && c == list) workgroups += x * y * z, dispatches++;
  ((PFN_vkCmdDispatch)next_device(device, "vkCmdDispatch"))(c, x, y, z);
}

static VKAPI_ATTR VkResult VKAPI_CALL QueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos,
                                                  VkFence fence) {
  for (uint32_t i = 0; i < count; i++) {
    const VkPerformanceQuerySubmitInfoKHR *pass = infos[i].pNext;
    if (!pass || pass->sType != VK_STRUCTURE_TYPE_PERFORMANCE_QUERY_SUBMIT_INFO_KHR) continue;
    if (!locked || !recorded || infos[i].pCommandBuffers[0] != list || pass->counterPassIndex != passes_done)
      return VK_ERROR_UNKNOWN;
    passes_done++;
  }
  return ((PFN_vkQueueSubmit)next_device(device, "vkQueueSubmit"))(queue, count, infos, fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL GetQueryPoolResults(VkDevice d, VkQueryPool pool, uint32_t first, uint32_t count,
                                                          size_t bytes, void *data, VkDeviceSize stride,
                                                          VkQueryResultFlags flags) {
  if (pool != POOL)
    return ((PFN_vkGetQueryPoolResults)next_device(device, "vkGetQueryPoolResults"))(d, pool, first, count, bytes, data,
                                                                                     stride, flags);
  VkPerformanceCounterResultKHR *results = data;
  if (bytes < chosen_count * sizeof *results) return VK_ERROR_UNKNOWN;
  if (!recorded || passes_done != passes_of(chosen_count)) return VK_NOT_READY;
  for (uint32_t i = 0; i < chosen_count; i++) switch (chosen[i]) {
      case 0: results[i].uint64 = workgroups; break;
      case 2: results[i].uint32 = dispatches; break;
      case 3: results[i].int32 = -(int32_t)workgroups; break;
      case 4: results[i].float64 = workgroups * 0.5; break;
      case 5: results[i].float32 = (float)workgroups * -0.5f; break;
      case 6: results[i].int64 = (int64_t)workgroups * 2; break;
      default: return VK_ERROR_UNKNOWN;
    }
  return VK_SUCCESS;
}

// --- Instance and device ---

static VKAPI_ATTR VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *c,
                                                     VkInstance *out) {
  VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)(uintptr_t)info->pNext;
  while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO || link->function != VK_LAYER_LINK_INFO))
    link = (VkLayerInstanceCreateInfo *)(uintptr_t)link->pNext;
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  VkResult result = ((PFN_vkCreateInstance)next_instance(NULL, "vkCreateInstance"))(info, c, out);
  if (result != VK_SUCCESS) return result;
  instance = *out;
  // Asked for now: later the loader answers with this layer's own.
  next_extensions =
      (PFN_vkEnumerateDeviceExtensionProperties)next_instance(*out, "vkEnumerateDeviceExtensionProperties");
  next_features = (PFN_vkGetPhysicalDeviceFeatures2)next_instance(*out, "vkGetPhysicalDeviceFeatures2");
  return VK_SUCCESS;
}

// Hides the extension and its features from the driver beneath, which must see neither.
static VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice p, const VkDeviceCreateInfo *info,
                                                   const VkAllocationCallbacks *c, VkDevice *out) {
  const char *names[64];
  VkDeviceCreateInfo mine = *info;
  uint32_t count = 0;
  for (uint32_t i = 0; i < info->enabledExtensionCount && count < 64; i++)
    if (strcmp(info->ppEnabledExtensionNames[i], VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME) != 0)
      names[count++] = info->ppEnabledExtensionNames[i];
  mine.enabledExtensionCount = count;
  mine.ppEnabledExtensionNames = names;
  VkLayerDeviceCreateInfo *link = NULL;
  for (VkBaseOutStructure *s = (VkBaseOutStructure *)&mine; s; s = s->pNext) {
    if (s->pNext && s->pNext->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR)
      s->pNext = s->pNext->pNext;
    VkLayerDeviceCreateInfo *l = (VkLayerDeviceCreateInfo *)(void *)s;
    if (s->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO && l->function == VK_LAYER_LINK_INFO) link = l;
  }
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  VkResult result = ((PFN_vkCreateDevice)get(instance, "vkCreateDevice"))(p, &mine, c, out);
  if (result == VK_SUCCESS) device = *out;
  return result;
}

// --- Finding functions ---

static PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance i, const char *name);
static PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice d, const char *name);

static PFN_vkVoidFunction own(const char *name) {
#define TAKE(f) \
  if (strcmp(name, "vk" NAME(f)) == 0) return (PFN_vkVoidFunction)f
  TAKE(CreateInstance);
  TAKE(CreateDevice);
  TAKE(EnumerateDeviceExtensionProperties);
  TAKE(GetPhysicalDeviceFeatures2);
  TAKE(EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR);
  TAKE(GetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR);
  TAKE(AcquireProfilingLockKHR);
  TAKE(ReleaseProfilingLockKHR);
  TAKE(CreateQueryPool);
  TAKE(DestroyQueryPool);
  TAKE(CmdResetQueryPool);
  TAKE(CmdBeginQuery);
  TAKE(CmdEndQuery);
  TAKE(CmdDispatch);
  TAKE(QueueSubmit);
  TAKE(GetQueryPoolResults);
#undef TAKE
  if (strcmp(name, "vkGetInstanceProcAddr") == 0) return (PFN_vkVoidFunction)get_instance_proc;
  if (strcmp(name, "vkGetDeviceProcAddr") == 0) return (PFN_vkVoidFunction)get_device_proc;
  return NULL;
}

static PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance i, const char *name) {
  PFN_vkVoidFunction f = own(name);
  return f ? f : next_instance ? next_instance(i, name) : NULL;
}

static PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice d, const char *name) {
  PFN_vkVoidFunction f = own(name);
  return f ? f : next_device(d, name);
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *version) {
  if (version->loaderLayerInterfaceVersion < 2) return VK_ERROR_INITIALIZATION_FAILED;
  version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = get_instance_proc;
  version->pfnGetDeviceProcAddr = get_device_proc;
  version->pfnGetPhysicalDeviceProcAddr = NULL;
  return VK_SUCCESS;
}
