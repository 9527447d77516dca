// What shaders ask of a device, and whether it has it.
#include <stddef.h>
#include <string.h>

#include "base/trial.h"

#include "vulkan/device.h"

bool sj_vk_fault_is(const char *fault) {
  const char *text = sj_trial("fault");
  return text && strcmp(text, fault) == 0;
}

// --- Features ---

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

// Features that are used where a device has all of them.
static const feature wide[] = {
    {"shaderInt64",
     {{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, offsetof(VkPhysicalDeviceFeatures2, features.shaderInt64)}, {0}}},
    {"shaderBufferInt64Atomics",
     {VERSION(2, shaderBufferInt64Atomics),
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
       offsetof(VkPhysicalDeviceShaderAtomicInt64Features, shaderBufferInt64Atomics)}}},
};
#define WIDE (sizeof wide / sizeof *wide)

// Returns where a chain of structures has the feature; NULL where it has not.
static VkBool32 *find_feature(const feature *f, void *chain) {
  for (VkBaseOutStructure *s = chain; s; s = s->pNext)
    for (int i = 0; i < 2; i++)
      if (s->sType == f->places[i].type) return (VkBool32 *)(void *)((char *)s + f->places[i].offset);
  return NULL;
}

static bool has_feature(const feature *f, const void *chain) {
  // find_feature wants a chain that may be written; here it is only read.
  const VkBool32 *place = find_feature(f, (void *)(uintptr_t)chain);
  return place && *place;
}

VkPhysicalDeviceFeatures2 *sj_vk_link_features(sj_vk_features *c) {
  *c = (sj_vk_features){.f = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &c->f12},
                        .f12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &c->f13},
                        .f13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES}};
  return &c->f;
}

stijl_result sj_vk_enable(void *chain, bool also_wide, stijl_message *message) {
  for (size_t i = 0; i < FEATURES; i++) {
    VkBool32 *place = find_feature(&features[i], chain);
    if (!place)
      return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no structure in the chain has the feature %s",
                     features[i].name);
    *place = VK_TRUE;
  }
  for (size_t i = 0; also_wide && i < WIDE; i++) *find_feature(&wide[i], chain) = VK_TRUE;
  return STIJL_OK;
}

const char *sj_vk_not_enabled(const void *chain) {
  for (size_t i = 0; i < FEATURES; i++)
    if (!has_feature(&features[i], chain)) return features[i].name;
  return NULL;
}

bool sj_vk_is_wide(const void *chain) {
  bool all = !sj_vk_fault_is("narrow");
  for (size_t i = 0; i < WIDE; i++) all = all && has_feature(&wide[i], chain);
  return all;
}

// --- Limits ---

static const char *const limit_names[SJ_VK_LIMITS] = {[SJ_VK_BUFFERS] = "maxPerStageDescriptorStorageBuffers",
                                                      [SJ_VK_LANES] = "maxComputeWorkGroupInvocations",
                                                      [SJ_VK_WIDTH] = "maxComputeWorkGroupSize",
                                                      [SJ_VK_SHARED] = "maxComputeSharedMemorySize",
                                                      [SJ_VK_PUSH] = "maxPushConstantsSize"};

stijl_result sj_vk_needs_add(stijl_context *context, sj_vk_needs *needs, const sj_vk_shader *shader,
                             const uint32_t *constants, uint32_t count, stijl_message *message) {
  sj_vk_interface i;
  stijl_result result = sj_vk_reflect(context, shader, constants, count, &i, message);
  if (result != STIJL_OK) return result;
  const uint32_t asks[SJ_VK_LIMITS] = {[SJ_VK_BUFFERS] = i.storage_buffers,
                                       [SJ_VK_LANES] = i.local[0] * i.local[1] * i.local[2],
                                       [SJ_VK_WIDTH] = i.local[0],
                                       [SJ_VK_SHARED] = i.shared_bytes,
                                       [SJ_VK_PUSH] = i.push_bytes};
  for (int k = 0; k < SJ_VK_LIMITS; k++) {
    if (asks[k] <= needs->limits[k].most) continue;
    needs->limits[k].most = asks[k];
    needs->limits[k].shader = shader->name;
  }
  needs->rounding = needs->rounding || i.rounds;
  return STIJL_OK;
}

sj_vk_lack sj_vk_limit(const VkPhysicalDeviceLimits *limits, const sj_vk_needs *needs) {
  const uint32_t has[SJ_VK_LIMITS] = {[SJ_VK_BUFFERS] = limits->maxPerStageDescriptorStorageBuffers,
                                      [SJ_VK_LANES] = limits->maxComputeWorkGroupInvocations,
                                      [SJ_VK_WIDTH] = limits->maxComputeWorkGroupSize[0],
                                      [SJ_VK_SHARED] = limits->maxComputeSharedMemorySize,
                                      [SJ_VK_PUSH] = limits->maxPushConstantsSize};
  for (int k = 0; k < SJ_VK_LIMITS; k++)
    if (has[k] < needs->limits[k].most)
      return (sj_vk_lack){limit_names[k], has[k], needs->limits[k].most, needs->limits[k].shader};
  return (sj_vk_lack){0};
}

// Tests: a device at the limits that Vulkan 1.3 asks for, or one that has only little shared memory.
static void set_limits(VkPhysicalDeviceLimits *limits) {
  bool least = sj_vk_fault_is("minimum");
  if (least || sj_vk_fault_is("shared")) limits->maxComputeSharedMemorySize = 16384;
  if (!least) return;
  limits->maxPerStageDescriptorStorageBuffers = 4;
  limits->maxComputeWorkGroupInvocations = limits->maxComputeWorkGroupSize[0] = 128;
  limits->maxPushConstantsSize = 128;
}

sj_vk_lack sj_vk_missing(const sj_vk_instance *instance, VkPhysicalDevice device, const sj_vk_needs *needs,
                         VkPhysicalDeviceProperties *properties) {
  VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  instance->GetPhysicalDeviceProperties2(device, &p);
  set_limits(&p.properties.limits);
  *properties = p.properties;
  if (properties->apiVersion < VK_API_VERSION_1_3) return (sj_vk_lack){.name = "Vulkan 1.3"};
  // Asked for once it is known that the device has the structure.
  VkPhysicalDeviceVulkan12Properties p12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
  p.pNext = &p12;
  instance->GetPhysicalDeviceProperties2(device, &p);
  if (needs->rounding && (!p12.shaderRoundingModeRTEFloat32 || sj_vk_fault_is("rounding")))
    return (sj_vk_lack){.name = "rounding of 32-bit floats to nearest (shaderRoundingModeRTEFloat32)"};
  sj_vk_features all;
  instance->GetPhysicalDeviceFeatures2(device, sj_vk_link_features(&all));
  if (sj_vk_fault_is("feature")) all.f12.scalarBlockLayout = VK_FALSE;
  const char *name = sj_vk_not_enabled(&all.f);
  if (name) return (sj_vk_lack){.name = name};
  return sj_vk_limit(&properties->limits, needs);
}

stijl_result sj_vk_fail_lack(stijl_message *message, const char *device, sj_vk_lack lack) {
  if (!lack.shader)
    return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the Vulkan device %.128s lacks %s", device, lack.name);
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the Vulkan device %.128s has %u for %s, and the shader %s needs %u",
                 device, lack.has, lack.name, lack.shader, lack.needed);
}
