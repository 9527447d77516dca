// The toolkit's device: Vulkan's functions, loaded at run time into a table of each device's own, and what shaders may
// ask of it. The toolkit knows no scene; docs/gpu.md, "The toolkit", tells what it offers.
#ifndef SJ_VULKAN_DEVICE_H
#define SJ_VULKAN_DEVICE_H

#include <stdatomic.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "base/context.h"
#include "base/shared.h"
#include "stijl/vulkan.h"
#include "vulkan/spirv.h"

#define SJ_VK_INSTANCE(f)                                                                                      \
  f(DestroyInstance) f(EnumeratePhysicalDevices) f(GetPhysicalDeviceProperties2) f(GetPhysicalDeviceFeatures2) \
      f(GetPhysicalDeviceQueueFamilyProperties) f(GetPhysicalDeviceMemoryProperties) f(CreateDevice)           \
          f(GetDeviceProcAddr)

// clang-format off
#define SJ_VK_DEVICE(f)                                                                                           \
  f(DestroyDevice) f(GetDeviceQueue)                                                                              \
  f(CreateBuffer) f(DestroyBuffer) f(GetBufferMemoryRequirements) f(AllocateMemory) f(FreeMemory)                 \
  f(BindBufferMemory) f(MapMemory)                                                                                \
  f(CreateShaderModule) f(DestroyShaderModule) f(CreateDescriptorSetLayout) f(DestroyDescriptorSetLayout)         \
  f(CreatePipelineLayout) f(DestroyPipelineLayout) f(CreatePipelineCache) f(DestroyPipelineCache)                 \
  f(GetPipelineCacheData) f(CreateComputePipelines) f(DestroyPipeline)                                            \
  f(CreateDescriptorPool) f(DestroyDescriptorPool) f(AllocateDescriptorSets) f(UpdateDescriptorSets)              \
  f(CreateCommandPool) f(DestroyCommandPool) f(ResetCommandPool) f(AllocateCommandBuffers)                        \
  f(BeginCommandBuffer) f(EndCommandBuffer) f(CmdBindPipeline) f(CmdBindDescriptorSets) f(CmdPushConstants)       \
  f(CmdDispatch) f(CmdDispatchIndirect) f(CmdFillBuffer) f(CmdCopyBuffer) f(CmdCopyBufferToImage)                 \
  f(CmdCopyImageToBuffer) f(CmdPipelineBarrier) f(CmdWriteTimestamp) f(CmdResetQueryPool)                         \
  f(CreateQueryPool) f(DestroyQueryPool) f(GetQueryPoolResults)                                                   \
  f(CreateFence) f(DestroyFence) f(GetFenceStatus) f(ResetFences) f(WaitForFences) f(QueueSubmit)
// clang-format on

typedef struct sj_vk_instance {
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
  VkInstance handle;
#define SJ_VK_MEMBER(name) PFN_vk##name name;
  SJ_VK_INSTANCE(SJ_VK_MEMBER)
} sj_vk_instance;

typedef struct sj_vk {
  stijl_context *context;
  sj_vk_instance instance;
  VkPhysicalDevice physical;
  VkPhysicalDeviceProperties properties;
  VkPhysicalDeviceMemoryProperties memory;
  VkDevice device;
  uint32_t family, queues;  // of which so many are opened
  VkQueue queue;            // the first of them
  bool timestamps;
  bool wide;             // adds 64 bits atomically
  atomic_bool stuck;     // it has been waited for in vain, and may be at work still
  uint64_t patience_ns;  // how long it is waited for; 0: a minute
  // Tests: submissions fail as on a lost device; they are never done; so many recordings begin or end before one fails.
  bool fault_loss, fault_hang;
  uint32_t fault_recording;
  bool foreign;  // the device and its queue are the application's
  void (*lock_queue)(void *user);
  void (*unlock_queue)(void *user);
  void *user;
  SJ_VK_DEVICE(SJ_VK_MEMBER)
} sj_vk;

// --- What shaders ask (needs.c) ---

enum { SJ_VK_BUFFERS, SJ_VK_LANES, SJ_VK_WIDTH, SJ_VK_SHARED, SJ_VK_PUSH, SJ_VK_LIMITS };

// The most that some shaders ask of each limit, and which of them does. All zero: nothing. Every device also has to
// have Vulkan 1.3, scalar block layout and maintenance4.
typedef struct sj_vk_needs {
  struct {
    uint32_t most;
    const char *shader;
  } limits[SJ_VK_LIMITS];
  bool rounding;    // floats of 32 bits rounded to nearest
  bool two_queues;  // are opened, where the device has two of a family; of one that draws no graphics, if it can be
} sj_vk_needs;

// Adds a shader with these values of its first specialisation constants; others have their defaults.
SJ_SHARED stijl_result sj_vk_needs_add(stijl_context *context, sj_vk_needs *needs, const sj_vk_shader *shader,
                                       const uint32_t *constants, uint32_t count, stijl_message *message);

// What a device lacks: nothing where `name` is NULL, else a feature or a limit by its name in Vulkan. Of a limit also
// how much the device has, how much is needed, and by which shader.
typedef struct sj_vk_lack {
  const char *name;
  uint32_t has, needed;
  const char *shader;
} sj_vk_lack;

SJ_SHARED sj_vk_lack sj_vk_missing(const sj_vk_instance *instance, VkPhysicalDevice device, const sj_vk_needs *needs,
                                   VkPhysicalDeviceProperties *properties);
stijl_result sj_vk_fail_lack(stijl_message *message, const char *device, sj_vk_lack lack);
// Returns the first of the limits that does not allow what is needed.
SJ_SHARED sj_vk_lack sj_vk_limit(const VkPhysicalDeviceLimits *limits, const sj_vk_needs *needs);
// Sets the features that every device has to have, in a chain of structures, and with `wide` those for adding 64 bits.
// The second function returns the name of one that every device has to have and that is not set, or NULL, and the third
// returns whether those for adding 64 bits are set, all of them.
stijl_result sj_vk_enable(void *chain, bool wide, stijl_message *message);
const char *sj_vk_not_enabled(const void *chain);
bool sj_vk_is_wide(const void *chain);

typedef struct sj_vk_features {
  VkPhysicalDeviceFeatures2 f;
  VkPhysicalDeviceVulkan12Features f12;
  VkPhysicalDeviceVulkan13Features f13;
} sj_vk_features;
// Empties the chain, and returns its beginning.
SJ_SHARED VkPhysicalDeviceFeatures2 *sj_vk_link_features(sj_vk_features *features);

// Returns whether the trial "fault" (base/trial.h), with which tests make things fail, has this value.
bool sj_vk_fault_is(const char *fault);

// --- Instances (loader.c) ---

// Opens the library, and an instance with its functions: the process' own, which nobody destroys.
SJ_SHARED stijl_result sj_vk_open_instance(sj_vk_instance *instance, stijl_message *message);
// Takes the application's instance, with its functions.
stijl_result sj_vk_adopt_instance(sj_vk_instance *instance, PFN_vkGetInstanceProcAddr get, VkInstance handle,
                                  stijl_message *message);
// Fails with what a result of Vulkan means: "device lost", "out of device memory" and so on.
SJ_SHARED stijl_result sj_vk_fail(stijl_message *message, VkResult result, const char *what);

// --- Devices (device.c) ---

enum { SJ_VK_MAX_DEVICES = 32 };
SJ_SHARED stijl_result sj_vk_enumerate(const sj_vk_instance *instance, VkPhysicalDevice devices[SJ_VK_MAX_DEVICES],
                                       uint32_t *count, stijl_message *message);
SJ_SHARED const char *sj_vk_type_name(VkPhysicalDeviceType type);

// Opens a device that has what is needed: the one of that index, where it is not negative; one whose name or type is
// called so, where `name` is not NULL; of several the best. STIJL_ERROR_UNSUPPORTED where there is no loader, no driver
// or no such device. `vk` must be closed only where this succeeds.
SJ_SHARED stijl_result sj_vk_open(sj_vk *vk, stijl_context *context, int index, const char *name,
                                  const sj_vk_needs *needs, stijl_message *message);
// Takes the application's device.
SJ_SHARED stijl_result sj_vk_adopt(sj_vk *vk, stijl_context *context, const stijl_vulkan_device *device,
                                   const sj_vk_needs *needs, stijl_message *message);
SJ_SHARED void sj_vk_close(sj_vk *vk);

#endif
