// Choosing and opening a device.
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/params.h"
#include "gpu/layout.h"
#include "gpu/vulkan.h"

enum { MAX_DEVICES = 32 };

static const char *const type_names[] = {"other", "integrated", "discrete", "virtual", "cpu"};

static const char *type_name(VkPhysicalDeviceType type) {
  return (unsigned)type < sizeof type_names / sizeof *type_names ? type_names[type] : "other";
}

// --- What the shaders need ---

// Vulkan has each feature in a structure of its version's and in one of its own.
typedef struct {
  const char *name;
  struct {
    VkStructureType type;
    size_t offset;
  } places[2];
} feature;

#define VERSION(n, member) \
  { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_##n##_FEATURES, offsetof(VkPhysicalDeviceVulkan1##n##Features, member) }

static const feature features[] = {
    {"scalarBlockLayout",
     {VERSION(2, scalarBlockLayout),
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES,
       offsetof(VkPhysicalDeviceScalarBlockLayoutFeatures, scalarBlockLayout)}}},
    // Compilers that target 1.3 write the workgroup's size as maintenance4 allows it.
    {"maintenance4",
     {VERSION(3, maintenance4),
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
       offsetof(VkPhysicalDeviceMaintenance4Features, maintenance4)}}},
};
#define FEATURES (sizeof features / sizeof *features)

// Features that are used where a device has all of them: cover then adds two sums at a time.
static const feature wide[] = {
    {"shaderInt64",
     {{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, offsetof(VkPhysicalDeviceFeatures2, features.shaderInt64)}, {0}}},
    {"shaderBufferInt64Atomics",
     {VERSION(2, shaderBufferInt64Atomics),
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
       offsetof(VkPhysicalDeviceShaderAtomicInt64Features, shaderBufferInt64Atomics)}}},
};
#define WIDE (sizeof wide / sizeof *wide)

// Where a chain of structures has the feature; NULL where it has not.
static VkBool32 *find_feature(const feature *f, void *chain) {
  for (VkBaseOutStructure *s = chain; s; s = s->pNext)
    for (int i = 0; i < 2; i++)
      if (s->sType == f->places[i].type) return (VkBool32 *)(void *)((char *)s + f->places[i].offset);
  return NULL;
}

typedef struct {
  VkPhysicalDeviceFeatures2 f;
  VkPhysicalDeviceVulkan12Features f12;
  VkPhysicalDeviceVulkan13Features f13;
} feature_chain;

static VkPhysicalDeviceFeatures2 *link_features(feature_chain *c) {
  *c = (feature_chain){.f = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &c->f12},
                       .f12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &c->f13},
                       .f13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES}};
  return &c->f;
}

static bool fault_is(const char *fault) {
  const char *text = getenv("STIJL_VULKAN_FAULT");  // for tests
  return text && strcmp(text, fault) == 0;
}

static void set_faults(sj_vk *vk) {
  const char *text = getenv("STIJL_VULKAN_FAULT");
  vk->fault_loss = fault_is("lost");
  vk->fault_hang = fault_is("hang");
  if (text && strncmp(text, "recording", 9) == 0) vk->fault_recording = (uint32_t)strtoul(text + 9, NULL, 10);
}

// Whether a chain has all features of `wide`. It is only read. NULL: no features are known.
static bool has_wide(const void *chain) {
  if (fault_is("narrow")) return false;
  for (size_t i = 0; i < WIDE; i++) {
    const VkBool32 *place = find_feature(&wide[i], (void *)(uintptr_t)chain);
    if (!place || !*place) return false;
  }
  return true;
}

// The name of something that the shaders need and the device lacks; NULL when all is there.
static const char *missing(const sj_vk_instance *instance, VkPhysicalDevice device,
                           VkPhysicalDeviceProperties *properties) {
  VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  instance->GetPhysicalDeviceProperties2(device, &p);
  *properties = p.properties;
  if (properties->apiVersion < VK_API_VERSION_1_3) return "Vulkan 1.3";
  // Asked for once it is known that the device has the structure.
  VkPhysicalDeviceVulkan12Properties p12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
  p.pNext = &p12;
  instance->GetPhysicalDeviceProperties2(device, &p);
  if (fault_is("rounding")) p12.shaderRoundingModeRTEFloat32 = VK_FALSE;
  if (!p12.shaderRoundingModeRTEFloat32)
    return "rounding of 32-bit floats to nearest (shaderRoundingModeRTEFloat32)";
  feature_chain all;
  instance->GetPhysicalDeviceFeatures2(device, link_features(&all));
  if (fault_is("feature")) all.f12.scalarBlockLayout = VK_FALSE;
  for (size_t i = 0; i < FEATURES; i++)
    if (!*find_feature(&features[i], &all.f)) return features[i].name;
  const VkPhysicalDeviceLimits *limits = &properties->limits;
  if (limits->maxPerStageDescriptorStorageBuffers < G_BINDINGS || limits->maxPerStageResources < G_BINDINGS ||
      limits->maxDescriptorSetStorageBuffers < G_BINDINGS)
    return "storage buffers, as many as a shader binds";
  if (limits->maxComputeWorkGroupInvocations < 256 || limits->maxComputeWorkGroupSize[0] < 256)
    return "workgroups of 256";
  return NULL;
}

stijl_result stijl_vulkan_check(PFN_vkGetInstanceProcAddr get, VkInstance instance, VkPhysicalDevice device,
                                stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!get || !instance || !device)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "vkGetInstanceProcAddr, instance or device missing");
  sj_vk_instance functions;
  stijl_result result = sj_vk_adopt_instance(&functions, get, instance, message);
  if (result != STIJL_OK) return result;
  VkPhysicalDeviceProperties p;
  const char *lacks = missing(&functions, device, &p);
  if (!lacks) return STIJL_OK;
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the Vulkan device %.128s lacks %s", p.deviceName, lacks);
}

stijl_result stijl_vulkan_enable(void *chain, stijl_message *message) {
  if (message) message->text[0] = 0;
  for (size_t i = 0; i < FEATURES; i++) {
    VkBool32 *place = find_feature(&features[i], chain);
    if (!place)
      return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no structure in the chain has the feature %s",
                     features[i].name);
    *place = VK_TRUE;
  }
  return STIJL_OK;
}

// --- Listing and choosing ---

static stijl_result enumerate(const sj_vk_instance *instance, VkPhysicalDevice devices[MAX_DEVICES], uint32_t *count,
                              stijl_message *message) {
  *count = MAX_DEVICES;
  VkResult result = instance->EnumeratePhysicalDevices(instance->handle, count, devices);
  if (result != VK_SUCCESS && result != VK_INCOMPLETE) return sj_vk_fail(message, result, "listing devices");
  if (*count == 0) return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "Vulkan finds no device");
  return STIJL_OK;
}

stijl_result stijl_devices(stijl_context *context, stijl_device *out, size_t capacity, size_t *count,
                           stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!count || (capacity && !out)) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no place for the devices");
  *count = 0;
  if (capacity && out->size <= sizeof out->size)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "stijl_device.size is %zu: the struct was not initialised",
                   out->size);
  size_t stride = capacity ? out->size : 0;
  sj_vk_instance instance;
  stijl_result result = sj_vk_open_instance(&instance, message);
  if (result != STIJL_OK) return result;
  VkPhysicalDevice devices[MAX_DEVICES];
  uint32_t found = 0;
  result = enumerate(&instance, devices, &found, message);
  for (uint32_t i = 0; result == STIJL_OK && i < found; i++) {
    VkPhysicalDeviceProperties p;
    const char *lacks = missing(&instance, devices[i], &p);
    ++*count;
    if (i >= capacity) continue;
    VkPhysicalDeviceMemoryProperties memory;
    instance.GetPhysicalDeviceMemoryProperties(devices[i], &memory);
    stijl_device made = {.size = sizeof made, .index = (int)i, .type = type_name(p.deviceType), .lacks = lacks};
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
    sj_params_write(place, &made, sizeof made);
  }
  return result;
}

static bool contains(const char *text, const char *part) {
  size_t length = strlen(part);
  for (; *text; text++)
    if (strncasecmp(text, part, length) == 0) return true;
  return length == 0;
}

// Chooses the device that the parameters name, by index, part of the name or type. Without a name it is the first of
// the best type: discrete, integrated, virtual, cpu.
static stijl_result choose(sj_vk *vk, const stijl_renderer_params *params, stijl_message *message) {
  static const int ranks[] = {[VK_PHYSICAL_DEVICE_TYPE_OTHER] = 0,
                              [VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU] = 3,
                              [VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU] = 4,
                              [VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU] = 2,
                              [VK_PHYSICAL_DEVICE_TYPE_CPU] = 1};
  VkPhysicalDevice devices[MAX_DEVICES];
  uint32_t count;
  stijl_result result = enumerate(&vk->instance, devices, &count, message);
  if (result != STIJL_OK) return result;
  int best = -1;
  const char *lacking = NULL;
  VkPhysicalDeviceProperties lacking_properties;
  for (uint32_t i = 0; i < count; i++) {
    VkPhysicalDeviceProperties p;
    const char *lacks = missing(&vk->instance, devices[i], &p);
    if (params->device >= 0 && params->device != (int)i) continue;
    if (params->device_name && !contains(p.deviceName, params->device_name) &&
        strcasecmp(type_name(p.deviceType), params->device_name) != 0)
      continue;
    if (lacks) {
      lacking = lacks;
      lacking_properties = p;
      continue;
    }
    int rank = (unsigned)p.deviceType < sizeof ranks / sizeof *ranks ? ranks[p.deviceType] : 0;
    if (rank <= best) continue;
    best = rank;
    vk->physical = devices[i];
    vk->properties = p;
  }
  if (best >= 0) return STIJL_OK;
  if (lacking)
    return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the Vulkan device %.128s lacks %s", lacking_properties.deviceName,
                   lacking);
  if (params->device_name)
    return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "no Vulkan device is called or is a \"%.64s\"",
                   params->device_name);
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "there is no Vulkan device %d, only %u", params->device, count);
}

static bool choose_family(sj_vk *vk) {
  enum { MAX_FAMILIES = 32 };
  VkQueueFamilyProperties families[MAX_FAMILIES];
  uint32_t count = MAX_FAMILIES;
  vk->instance.GetPhysicalDeviceQueueFamilyProperties(vk->physical, &count, families);
  for (uint32_t i = 0; i < count; i++) {
    if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT)) continue;
    vk->family = i;
    vk->timestamps = families[i].timestampValidBits >= 36;
    return true;
  }
  return false;
}

static bool load_functions(sj_vk *vk) {
  bool all = true;
#define LOAD(name)                                                                 \
  vk->name = (PFN_vk##name)vk->instance.GetDeviceProcAddr(vk->device, "vk" #name); \
  all = all && vk->name;
  SJ_VK_DEVICE(LOAD)
#undef LOAD
  return all;
}

static stijl_result lacks_functions(const sj_vk *vk, stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the Vulkan device %.128s lacks functions of version 1.3",
                 vk->properties.deviceName);
}

static stijl_result open_device(sj_vk *vk, stijl_message *message) {
  if (!choose_family(vk))
    return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the Vulkan device %.128s cannot compute",
                   vk->properties.deviceName);
  vk->instance.GetPhysicalDeviceMemoryProperties(vk->physical, &vk->memory);
  float priority = 1.0f;
  VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                   .queueFamilyIndex = vk->family,
                                   .queueCount = 1,
                                   .pQueuePriorities = &priority};
  feature_chain all, used;
  vk->instance.GetPhysicalDeviceFeatures2(vk->physical, link_features(&all));
  stijl_result enabled = stijl_vulkan_enable(link_features(&used), message);
  if (enabled != STIJL_OK) return enabled;
  vk->wide = has_wide(&all.f);
  for (size_t i = 0; vk->wide && i < WIDE; i++) *find_feature(&wide[i], &used.f) = VK_TRUE;
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .pNext = &used.f,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queue};
  VkResult result = vk->instance.CreateDevice(vk->physical, &info, NULL, &vk->device);
  if (result != VK_SUCCESS) {
    vk->device = NULL;
    return sj_vk_fail(message, result, "opening the device");
  }
  if (!load_functions(vk)) return lacks_functions(vk, message);
  vk->GetDeviceQueue(vk->device, vk->family, 0, &vk->queue);
  return STIJL_OK;
}

stijl_result sj_vk_open(sj_vk *vk, stijl_context *context, const stijl_renderer_params *params,
                        stijl_message *message) {
  *vk = (sj_vk){.context = context};
  set_faults(vk);
  stijl_result result = sj_vk_open_instance(&vk->instance, message);
  if (result == STIJL_OK) result = choose(vk, params, message);
  if (result == STIJL_OK) result = open_device(vk, message);
  if (result != STIJL_OK) sj_vk_close(vk);
  return result;
}

// --- The application's device ---

static stijl_result adopt_queue(sj_vk *vk, const stijl_vulkan_device *device, stijl_message *message) {
  enum { MAX_FAMILIES = 32 };
  VkQueueFamilyProperties families[MAX_FAMILIES];
  uint32_t count = MAX_FAMILIES;
  vk->instance.GetPhysicalDeviceQueueFamilyProperties(vk->physical, &count, families);
  if (device->queue_family >= count)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "there is no queue family %u, only %u", device->queue_family,
                   count);
  if (!(families[device->queue_family].queueFlags & VK_QUEUE_COMPUTE_BIT))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "queues of family %u do not compute", device->queue_family);
  vk->queue = device->queue;
  vk->family = device->queue_family;
  vk->timestamps = families[vk->family].timestampValidBits >= 36;
  return STIJL_OK;
}

static stijl_result adopt(sj_vk *vk, const stijl_vulkan_device *device, stijl_message *message) {
  stijl_result result = sj_vk_adopt_instance(&vk->instance, device->get_instance_proc_addr, device->instance, message);
  if (result != STIJL_OK) return result;
  const char *lacks = missing(&vk->instance, device->physical_device, &vk->properties);
  if (lacks)
    return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the Vulkan device %.128s lacks %s", vk->properties.deviceName,
                   lacks);
  for (size_t i = 0; device->features && i < FEATURES; i++) {
    // find_feature wants a chain that may be written; here it is only read.
    const VkBool32 *place = find_feature(&features[i], (void *)(uintptr_t)device->features);
    if (!place || !*place)
      return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the application's device was made without the feature %s",
                     features[i].name);
  }
  vk->wide = has_wide(device->features);
  vk->physical = device->physical_device;
  vk->instance.GetPhysicalDeviceMemoryProperties(vk->physical, &vk->memory);
  result = adopt_queue(vk, device, message);
  if (result != STIJL_OK) return result;
  vk->device = device->device;
  return load_functions(vk) ? STIJL_OK : lacks_functions(vk, message);
}

stijl_result sj_vk_adopt(sj_vk *vk, stijl_context *context, const stijl_vulkan_device *device, stijl_message *message) {
  *vk = (sj_vk){.context = context,
                .foreign = true,
                .lock_queue = device->lock_queue,
                .unlock_queue = device->unlock_queue,
                .user = device->user};
  set_faults(vk);
  if (!device->get_instance_proc_addr || !device->instance || !device->physical_device || !device->device ||
      !device->queue || !device->lock_queue != !device->unlock_queue)
    return sj_fail(
        message, STIJL_ERROR_INVALID_ARGUMENT,
        "the Vulkan device needs vkGetInstanceProcAddr, an instance, a physical device, a device and a queue; "
        "lock and unlock go together");
  stijl_result result = adopt(vk, device, message);
  if (result != STIJL_OK) sj_vk_close(vk);
  return result;
}

// --- Commands ---

#define TIMEOUT_NS 60000000000ull
#define SPIN_US 300

static stijl_result recorded(sj_vk *vk, VkResult result, stijl_message *message) {
  if (vk->fault_recording && --vk->fault_recording == 0) result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  vk->recording_failed |= result != VK_SUCCESS;
  return result == VK_SUCCESS ? STIJL_OK : sj_vk_fail(message, result, "recording commands");
}

stijl_result sj_vk_begin(sj_vk *vk, VkCommandBuffer commands, VkCommandBufferUsageFlags flags, stijl_message *message) {
  VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, .flags = flags};
  if (vk->recording_failed) vk->ResetCommandBuffer(commands, 0);
  return recorded(vk, vk->BeginCommandBuffer(commands, &info), message);
}

stijl_result sj_vk_end(sj_vk *vk, VkCommandBuffer commands, stijl_message *message) {
  return recorded(vk, vk->EndCommandBuffer(commands), message);
}

double sj_gpu_now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

// Waits for a fence: spins first, since sleeping and being woken takes some 25 us, which is much of a frame; then
// sleeps, so that other threads are not kept from the processor for long.
VkResult sj_vk_wait(sj_vk *vk, VkFence fence) {
  for (double end = sj_gpu_now_us() + SPIN_US; sj_gpu_now_us() < end; sched_yield()) {
    VkResult result = vk->GetFenceStatus(vk->device, fence);
    if (result != VK_NOT_READY) return result;
  }
  uint64_t timeout = vk->stuck || vk->fault_hang ? 0 : TIMEOUT_NS;
  VkResult result = vk->WaitForFences(vk->device, 1, &fence, VK_TRUE, timeout);
  vk->stuck = result == VK_TIMEOUT;
  return result;
}

VkResult sj_vk_submit(sj_vk *vk, const VkSubmitInfo *info, VkFence fence) {
  if (vk->fault_loss) return VK_ERROR_DEVICE_LOST;
  if (vk->fault_hang) return VK_SUCCESS;
  if (vk->lock_queue) vk->lock_queue(vk->user);
  VkResult result = vk->QueueSubmit(vk->queue, 1, info, fence);
  if (vk->unlock_queue) vk->unlock_queue(vk->user);
  return result;
}

void sj_vk_close(sj_vk *vk) {
  if (vk->device && !vk->foreign && vk->DestroyDevice) vk->DestroyDevice(vk->device, NULL);
  vk->device = NULL;
}
