// Vulkan's functions, loaded at run time into a table of each device's own, and what the backend holds of a device.
#ifndef SJ_GPU_VULKAN_H
#define SJ_GPU_VULKAN_H

#include <stdatomic.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "base/context.h"
#include "stijl/vulkan.h"

#define SJ_VK_INSTANCE(f)                                                                                      \
  f(DestroyInstance) f(EnumeratePhysicalDevices) f(GetPhysicalDeviceProperties2) f(GetPhysicalDeviceFeatures2) \
      f(GetPhysicalDeviceQueueFamilyProperties) f(GetPhysicalDeviceMemoryProperties) f(CreateDevice)           \
          f(GetDeviceProcAddr)

#define SJ_VK_DEVICE(f)                                                                                                \
  f(DestroyDevice) f(GetDeviceQueue) f(CreateBuffer) f(DestroyBuffer) f(GetBufferMemoryRequirements) \
      f(AllocateMemory) f(FreeMemory) f(BindBufferMemory) f(MapMemory) f(CreateShaderModule) f(DestroyShaderModule)    \
          f(CreateDescriptorSetLayout) f(DestroyDescriptorSetLayout) f(CreatePipelineLayout) f(DestroyPipelineLayout)  \
              f(CreatePipelineCache) f(DestroyPipelineCache) f(GetPipelineCacheData) f(CreateComputePipelines)         \
                  f(DestroyPipeline) f(CreateDescriptorPool) f(DestroyDescriptorPool) f(AllocateDescriptorSets)        \
                      f(UpdateDescriptorSets) f(CreateCommandPool) f(DestroyCommandPool) f(AllocateCommandBuffers)     \
                          f(BeginCommandBuffer) f(EndCommandBuffer) f(CmdBindPipeline) f(CmdBindDescriptorSets)        \
                              f(CmdPushConstants) f(CmdDispatch) f(CmdDispatchIndirect) f(CmdFillBuffer)               \
                                  f(CmdCopyBuffer) f(CmdCopyBufferToImage) f(CmdCopyImageToBuffer)                     \
                                      f(CmdPipelineBarrier) f(CmdWriteTimestamp) f(CmdResetQueryPool)                  \
                                          f(CreateQueryPool) f(DestroyQueryPool) f(GetQueryPoolResults) f(CreateFence) \
                                              f(DestroyFence) f(GetFenceStatus) f(ResetFences) f(WaitForFences) f(QueueSubmit) f(ResetCommandBuffer)

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
  uint32_t family;
  VkQueue queue;
  bool timestamps;
  bool wide;          // adds 64 bits atomically
  atomic_bool stuck;  // it has been waited for in vain, and may be at work still
  // Tests: submissions fail as on a lost device; they are never done; so many recordings begin or end before one fails.
  bool fault_loss, fault_hang;
  bool recording_failed;  // some time: a command buffer may have been left half recorded
  uint32_t fault_recording;
  bool foreign;       // the device and its queue are the application's
  void (*lock_queue)(void *user);
  void (*unlock_queue)(void *user);
  void *user;
  SJ_VK_DEVICE(SJ_VK_MEMBER)
} sj_vk;

// loader.c: the library, and an instance with its functions. The process' own, which nobody destroys.
stijl_result sj_vk_open_instance(sj_vk_instance *instance, stijl_message *message);
// The application's, with its functions.
stijl_result sj_vk_adopt_instance(sj_vk_instance *instance, PFN_vkGetInstanceProcAddr get, VkInstance handle,
                                  stijl_message *message);

// device.c
stijl_result sj_vk_open(sj_vk *vk, stijl_context *context, const stijl_renderer_params *params, stijl_message *message);
// The application's device.
stijl_result sj_vk_adopt(sj_vk *vk, stijl_context *context, const stijl_vulkan_device *device, stijl_message *message);
void sj_vk_close(sj_vk *vk);
stijl_result sj_vk_begin(sj_vk *vk, VkCommandBuffer commands, VkCommandBufferUsageFlags flags, stijl_message *message);
stijl_result sj_vk_end(sj_vk *vk, VkCommandBuffer commands, stijl_message *message);
VkResult sj_vk_submit(sj_vk *vk, const VkSubmitInfo *info, VkFence fence);
// Waits for a fence, for a minute at most, and not at all once that was in vain: VK_TIMEOUT. The device may still use
// what it was given then, so nothing of that can be destroyed: it is left behind. Several threads may wait at a time.
VkResult sj_vk_wait(sj_vk *vk, VkFence fence);
double sj_gpu_now_us(void);

// Dispatches the bound pipeline: this many workgroups in x, and the others in further rows of them, in y.
#define SJ_VK_MAX_GROUPS 32768u

static inline void sj_vk_dispatch(const sj_vk *vk, VkCommandBuffer commands, uint32_t groups) {
  vk->CmdDispatch(commands, groups < SJ_VK_MAX_GROUPS ? groups : SJ_VK_MAX_GROUPS,
                  (groups + SJ_VK_MAX_GROUPS - 1) / SJ_VK_MAX_GROUPS, 1);
}

static inline VkAccessFlags sj_vk_writes(VkPipelineStageFlags stages) {
  return (stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT ? VK_ACCESS_SHADER_WRITE_BIT : 0) |
         (stages & VK_PIPELINE_STAGE_TRANSFER_BIT ? VK_ACCESS_TRANSFER_WRITE_BIT : 0) |
         (stages & VK_PIPELINE_STAGE_ALL_COMMANDS_BIT ? VK_ACCESS_MEMORY_WRITE_BIT : 0);
}

static inline VkAccessFlags sj_vk_reads(VkPipelineStageFlags stages) {
  return (stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT ? VK_ACCESS_SHADER_READ_BIT : 0) |
         (stages & VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT ? VK_ACCESS_INDIRECT_COMMAND_READ_BIT : 0) |
         (stages & VK_PIPELINE_STAGE_TRANSFER_BIT ? VK_ACCESS_TRANSFER_READ_BIT : 0) |
         (stages & VK_PIPELINE_STAGE_HOST_BIT ? VK_ACCESS_HOST_READ_BIT : 0) |
         (stages & VK_PIPELINE_STAGE_ALL_COMMANDS_BIT ? VK_ACCESS_MEMORY_READ_BIT : 0);
}

// All that is written before is seen after, by what these stages do and nothing else: a barrier for any access, and for
// indirect ones, takes 2 us more. (The tiger at 1088x2288: 79 us, not 67.)
static inline void sj_vk_barrier(const sj_vk *vk, VkCommandBuffer commands, VkPipelineStageFlags from,
                                 VkPipelineStageFlags to) {
  VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                            .srcAccessMask = sj_vk_writes(from),
                            .dstAccessMask = sj_vk_reads(to) | sj_vk_writes(to)};
  vk->CmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, NULL, 0, NULL);
}

// "device lost", "out of device memory", ... as an error.
stijl_result sj_vk_fail(stijl_message *message, VkResult result, const char *what);

#endif
