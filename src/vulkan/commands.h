// Recording, submitting and timing.
#ifndef SJ_VULKAN_COMMANDS_H
#define SJ_VULKAN_COMMANDS_H

#include "base/shared.h"
#include "vulkan/device.h"

enum { SJ_VK_MAX_COMMANDS = 32 };

// Command buffers, and the fence of a submission.
typedef struct sj_vk_commands {
  VkCommandPool pool;
  VkCommandBuffer buffers[SJ_VK_MAX_COMMANDS];
  VkFence fence;
} sj_vk_commands;

// Makes command buffers. Destroying is allowed for what was not made, too.
SJ_SHARED stijl_result sj_vk_commands_create(sj_vk *vk, uint32_t count, sj_vk_commands *out, stijl_message *message);
SJ_SHARED void sj_vk_commands_destroy(sj_vk *vk, sj_vk_commands *commands);
// Resets the command buffers after an error: one may have been left half recorded, and cannot be recorded again as it
// is. None may be in use by the device.
SJ_SHARED void sj_vk_commands_reset(sj_vk *vk, sj_vk_commands *commands);

SJ_SHARED stijl_result sj_vk_begin(sj_vk *vk, VkCommandBuffer commands, VkCommandBufferUsageFlags flags,
                                   stijl_message *message);
SJ_SHARED stijl_result sj_vk_end(sj_vk *vk, VkCommandBuffer commands, stijl_message *message);
SJ_SHARED VkResult sj_vk_submit(sj_vk *vk, const VkSubmitInfo *info, VkFence fence);
// For how long a thread spins before it sleeps.
#define SJ_VK_SPIN_US 300
// Waits for a fence, for vk->patience_ns at most, and not at all once that was in vain: VK_TIMEOUT. The device may
// still use what it was given then, so nothing of that can be destroyed: it is left behind.
SJ_SHARED VkResult sj_vk_wait(sj_vk *vk, VkFence fence);
// Ends the first command buffer, submits it, and waits for it. `what` is for messages.
SJ_SHARED stijl_result sj_vk_run(sj_vk *vk, sj_vk_commands *commands, const char *what, stijl_message *message);

// A turn is one pass through the body of a loop. In each shader, the loops of one invocation should take at most this
// many turns together, because llvmpipe silently ends all loops of an invocation after 65,535; for lanes that it runs
// side by side it counts the turns of the slowest in each loop. (gpu/turns.h tells how the renderer keeps to it.) Loops
// marked
// [[unroll]] are not counted, as compilers unroll them.
// Bounds are on the safe side, so little is left beside them: with 49,152 a workgroup of cover got 64 edges at
// 4096x4096, not 128, and 100 tigers took 668 us instead of 606.
#define SJ_VK_MAX_TURNS 62000

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

#define SJ_VK_COMPUTE VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
#define SJ_VK_COPY VK_PIPELINE_STAGE_TRANSFER_BIT
#define SJ_VK_HOST VK_PIPELINE_STAGE_HOST_BIT

// Records a barrier. All that is written before is seen after, by what these stages do and nothing else: a barrier for
// any access, and for indirect ones, takes 2 us more. (The tiger at 1088x2288: 79 us, not 67.)
static inline void sj_vk_barrier(const sj_vk *vk, VkCommandBuffer commands, VkPipelineStageFlags from,
                                 VkPipelineStageFlags to) {
  VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                            .srcAccessMask = sj_vk_writes(from),
                            .dstAccessMask = sj_vk_reads(to) | sj_vk_writes(to)};
  vk->CmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, NULL, 0, NULL);
}

// --- Timing ---

enum { SJ_VK_MAX_STAMPS = 32 };

// Timestamps: none where the device has no clock.
typedef struct sj_vk_timer {
  VkQueryPool pool;
  uint32_t count;
} sj_vk_timer;

SJ_SHARED stijl_result sj_vk_timer_create(sj_vk *vk, uint32_t count, sj_vk_timer *out, stijl_message *message);
SJ_SHARED void sj_vk_timer_destroy(sj_vk *vk, sj_vk_timer *timer);
// Forgets all stamps, and sets stamp 0.
SJ_SHARED void sj_vk_timer_begin(const sj_vk *vk, VkCommandBuffer commands, const sj_vk_timer *timer);
// Sets a stamp once all commands before have ended.
static inline void sj_vk_stamp(const sj_vk *vk, VkCommandBuffer commands, const sj_vk_timer *timer, uint32_t stamp) {
  if (timer->pool) vk->CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, timer->pool, stamp);
}
// Finds the microseconds between each two of the first `count` stamps, `count` - 1 of them. Returns false, and sets
// zeros, where there are none.
SJ_SHARED bool sj_vk_times(const sj_vk *vk, const sj_vk_timer *timer, uint32_t count, double *us);

#endif
