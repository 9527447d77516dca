// Choosing and opening a device.
#include "vulkan/device.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/trial.h"

static const char *const type_names[] = {"other", "integrated", "discrete", "virtual", "cpu"};

const char *sj_vk_type_name(VkPhysicalDeviceType type) {
  return (unsigned)type < sizeof type_names / sizeof *type_names ? type_names[type] : "other";
}

// --- Listing and choosing ---

stijl_result sj_vk_enumerate(const sj_vk_instance *instance, VkPhysicalDevice devices[SJ_VK_MAX_DEVICES],
                             uint32_t *count, stijl_message *message) {
  *count = SJ_VK_MAX_DEVICES;
  VkResult result = instance->EnumeratePhysicalDevices(instance->handle, count, devices);
  if (result != VK_SUCCESS && result != VK_INCOMPLETE) return sj_vk_fail(message, result, "listing devices");
  if (*count == 0) return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "Vulkan finds no device");
  return STIJL_OK;
}

static bool contains(const char *text, const char *part) {
  size_t length = strlen(part);
  for (; *text; text++)
    if (strncasecmp(text, part, length) == 0) return true;
  return length == 0;
}

// Chooses a device by index, part of the name or type. Without a name it is the first of the best type: discrete,
// integrated, virtual, cpu.
static stijl_result choose(sj_vk *vk, int index, const char *name, const sj_vk_needs *needs, stijl_message *message) {
  static const int ranks[] = {[VK_PHYSICAL_DEVICE_TYPE_OTHER] = 0,
                              [VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU] = 3,
                              [VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU] = 4,
                              [VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU] = 2,
                              [VK_PHYSICAL_DEVICE_TYPE_CPU] = 1};
  VkPhysicalDevice devices[SJ_VK_MAX_DEVICES];
  uint32_t count;
  stijl_result result = sj_vk_enumerate(&vk->instance, devices, &count, message);
  if (result != STIJL_OK) return result;
  int best = -1;
  sj_vk_lack lacking = {0};
  VkPhysicalDeviceProperties lacking_properties;
  for (uint32_t i = 0; i < count; i++) {
    VkPhysicalDeviceProperties p;
    sj_vk_lack lacks = sj_vk_missing(&vk->instance, devices[i], needs, &p);
    if (index >= 0 && index != (int)i) continue;
    if (name && !contains(p.deviceName, name) && strcasecmp(sj_vk_type_name(p.deviceType), name) != 0) continue;
    if (lacks.name) {
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
  if (lacking.name) return sj_vk_fail_lack(message, lacking_properties.deviceName, lacking);
  if (name) return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "no Vulkan device is called or is a \"%.64s\"", name);
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "there is no Vulkan device %d, only %u", index, count);
}

// Chooses the first family that computes; where two queues are asked for, the first that draws no graphics, if there is
// one. (On queues of the other kind NVIDIA's driver runs one submission at a time, and takes longer to change over.)
static bool choose_family(sj_vk *vk, bool two_queues) {
  enum { MAX_FAMILIES = 32 };
  VkQueueFamilyProperties families[MAX_FAMILIES];
  uint32_t count = MAX_FAMILIES;
  vk->instance.GetPhysicalDeviceQueueFamilyProperties(vk->physical, &count, families);
  bool found = false, best = false;
  for (uint32_t i = 0; i < count && !best; i++) {
    if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT)) continue;
    best = !two_queues || !(families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT);
    if (found && !best) continue;
    found = true;
    vk->family = i;
    vk->queues = two_queues && families[i].queueCount >= 2 ? 2 : 1;
    vk->timestamps = families[i].timestampValidBits >= 36;
  }
  return found;
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

static stijl_result open_device(sj_vk *vk, bool two_queues, stijl_message *message) {
  if (!choose_family(vk, two_queues))
    return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the Vulkan device %.128s cannot compute",
                   vk->properties.deviceName);
  vk->instance.GetPhysicalDeviceMemoryProperties(vk->physical, &vk->memory);
  static const float priorities[2] = {1.0f, 1.0f};
  VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                   .queueFamilyIndex = vk->family,
                                   .queueCount = vk->queues,
                                   .pQueuePriorities = priorities};
  sj_vk_features all, used;
  vk->instance.GetPhysicalDeviceFeatures2(vk->physical, sj_vk_link_features(&all));
  vk->wide = sj_vk_is_wide(&all.f);
  stijl_result enabled = sj_vk_enable(sj_vk_link_features(&used), vk->wide, message);
  if (enabled != STIJL_OK) return enabled;
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

static void set_faults(sj_vk *vk) {
  const char *text = sj_trial("fault");
  vk->fault_loss = sj_vk_fault_is("lost");
  vk->fault_hang = sj_vk_fault_is("hang");
  if (text && strncmp(text, "recording", 9) == 0) vk->fault_recording = (uint32_t)strtoul(text + 9, NULL, 10);
}

stijl_result sj_vk_open(sj_vk *vk, stijl_context *context, int index, const char *name, const sj_vk_needs *needs,
                        stijl_message *message) {
  *vk = (sj_vk){.context = context};
  set_faults(vk);
  stijl_result result = sj_vk_open_instance(&vk->instance, message);
  if (result == STIJL_OK) result = choose(vk, index, name, needs, message);
  if (result == STIJL_OK) result = open_device(vk, needs->two_queues, message);
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

static stijl_result adopt(sj_vk *vk, const stijl_vulkan_device *device, const sj_vk_needs *needs,
                          stijl_message *message) {
  stijl_result result = sj_vk_adopt_instance(&vk->instance, device->get_instance_proc_addr, device->instance, message);
  if (result != STIJL_OK) return result;
  sj_vk_lack lacks = sj_vk_missing(&vk->instance, device->physical_device, needs, &vk->properties);
  if (lacks.name) return sj_vk_fail_lack(message, vk->properties.deviceName, lacks);
  const char *name = device->features ? sj_vk_not_enabled(device->features) : NULL;
  if (name)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the application's device was made without the feature %s",
                   name);
  vk->wide = sj_vk_is_wide(device->features);
  vk->physical = device->physical_device;
  vk->instance.GetPhysicalDeviceMemoryProperties(vk->physical, &vk->memory);
  result = adopt_queue(vk, device, message);
  if (result != STIJL_OK) return result;
  vk->device = device->device;
  return load_functions(vk) ? STIJL_OK : lacks_functions(vk, message);
}

stijl_result sj_vk_adopt(sj_vk *vk, stijl_context *context, const stijl_vulkan_device *device, const sj_vk_needs *needs,
                         stijl_message *message) {
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
  stijl_result result = adopt(vk, device, needs, message);
  if (result != STIJL_OK) sj_vk_close(vk);
  return result;
}

void sj_vk_close(sj_vk *vk) {
  if (vk->device && !vk->foreign && vk->DestroyDevice) vk->DestroyDevice(vk->device, NULL);
  vk->device = NULL;
}
