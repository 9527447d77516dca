#include "vulkan/commands.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "base/clock.h"

#define PATIENCE_NS 60000000000ull
// Between two looks at a fence.
#define LEAST_PAUSE_US 50.0
#define MOST_PAUSE_US 1000.0

// --- Command buffers ---

stijl_result sj_vk_commands_create(sj_vk *vk, uint32_t count, sj_vk_commands *out, stijl_message *message) {
  *out = (sj_vk_commands){0};
  VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                  .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                  .queueFamilyIndex = vk->family};
  VkResult result = vk->CreateCommandPool(vk->device, &pool, NULL, &out->pool);
  VkCommandBufferAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = out->pool, .commandBufferCount = count};
  if (result == VK_SUCCESS) result = vk->AllocateCommandBuffers(vk->device, &allocate, out->buffers);
  VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  if (result == VK_SUCCESS) result = vk->CreateFence(vk->device, &fence, NULL, &out->fence);
  if (result == VK_SUCCESS) return STIJL_OK;
  sj_vk_commands_destroy(vk, out);
  return sj_vk_fail(message, result, "preparing command buffers");
}

void sj_vk_commands_destroy(sj_vk *vk, sj_vk_commands *c) {
  if (c->fence) vk->DestroyFence(vk->device, c->fence, NULL);
  if (c->pool) vk->DestroyCommandPool(vk->device, c->pool, NULL);
  *c = (sj_vk_commands){0};
}

void sj_vk_commands_reset(sj_vk *vk, sj_vk_commands *c) {
  if (!vk->stuck) vk->ResetCommandPool(vk->device, c->pool, 0);
}

static stijl_result recorded(sj_vk *vk, VkResult result, stijl_message *message) {
  if (vk->fault_recording && --vk->fault_recording == 0) result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return result == VK_SUCCESS ? STIJL_OK : sj_vk_fail(message, result, "recording commands");
}

stijl_result sj_vk_begin(sj_vk *vk, VkCommandBuffer commands, VkCommandBufferUsageFlags flags, stijl_message *message) {
  VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, .flags = flags};
  return recorded(vk, vk->BeginCommandBuffer(commands, &info), message);
}

stijl_result sj_vk_end(sj_vk *vk, VkCommandBuffer commands, stijl_message *message) {
  return recorded(vk, vk->EndCommandBuffer(commands), message);
}

// --- Submitting ---

VkResult sj_vk_submit(sj_vk *vk, const VkSubmitInfo *info, VkFence fence) {
  if (vk->fault_loss) return VK_ERROR_DEVICE_LOST;
  if (vk->fault_hang) return VK_SUCCESS;
  if (vk->lock_queue) vk->lock_queue(vk->user);
  VkResult result = vk->QueueSubmit(vk->queue, 1, info, fence);
  if (vk->unlock_queue) vk->unlock_queue(vk->user);
  return result;
}

// Whether a thread of this process sleeps in the driver until a fence is signalled.
static atomic_bool asleep;

static void pause_for(double us) { nanosleep(&(struct timespec){.tv_nsec = (long)(us * 1e3)}, NULL); }

// Spins first, since sleeping and being woken takes some 25 us, which is much of a frame; then sleeps, so that other
// threads are not kept from the processor for long. Only one thread of the process sleeps in the driver: where several
// do, NVIDIA's 580 wakes them 10 ms late. The others look at their fence now and then, the less often the longer it
// takes.
VkResult sj_vk_wait(sj_vk *vk, VkFence fence) {
  double start = sj_now_us(), waited = 0;
  for (; waited < SJ_VK_SPIN_US; sched_yield(), waited = sj_now_us() - start) {
    VkResult result = vk->GetFenceStatus(vk->device, fence);
    if (result != VK_NOT_READY) return result;
  }
  uint64_t patience = vk->patience_ns ? vk->patience_ns : PATIENCE_NS;
  uint64_t timeout = vk->stuck || vk->fault_hang ? 0 : patience;
  VkResult result = VK_NOT_READY;
  while (result == VK_NOT_READY) {
    if (!atomic_exchange(&asleep, true)) {
      result = vk->WaitForFences(vk->device, 1, &fence, VK_TRUE, timeout);
      atomic_store(&asleep, false);
      break;
    }
    double pause = waited / 16;
    if (timeout) pause_for(pause < LEAST_PAUSE_US ? LEAST_PAUSE_US : pause > MOST_PAUSE_US ? MOST_PAUSE_US : pause);
    waited = sj_now_us() - start;
    result = vk->GetFenceStatus(vk->device, fence);
    if (result == VK_NOT_READY && waited * 1e3 >= (double)timeout) result = VK_TIMEOUT;
  }
  vk->stuck = result == VK_TIMEOUT;
  return result;
}

stijl_result sj_vk_run(sj_vk *vk, sj_vk_commands *c, const char *what, stijl_message *message) {
  VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = c->buffers};
  stijl_result ended = sj_vk_end(vk, c->buffers[0], message);
  if (ended != STIJL_OK) return ended;
  VkResult result = vk->ResetFences(vk->device, 1, &c->fence);
  if (result == VK_SUCCESS) result = sj_vk_submit(vk, &info, c->fence);
  if (result == VK_SUCCESS) result = sj_vk_wait(vk, c->fence);
  return result == VK_SUCCESS ? STIJL_OK : sj_vk_fail(message, result, what);
}

// --- Timing ---

stijl_result sj_vk_timer_create(sj_vk *vk, uint32_t count, sj_vk_timer *out, stijl_message *message) {
  *out = (sj_vk_timer){.count = count};
  VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = count};
  VkResult result = vk->timestamps ? vk->CreateQueryPool(vk->device, &info, NULL, &out->pool) : VK_SUCCESS;
  return result == VK_SUCCESS ? STIJL_OK : sj_vk_fail(message, result, "preparing timestamps");
}

void sj_vk_timer_destroy(sj_vk *vk, sj_vk_timer *timer) {
  if (timer->pool) vk->DestroyQueryPool(vk->device, timer->pool, NULL);
  *timer = (sj_vk_timer){0};
}

void sj_vk_timer_begin(const sj_vk *vk, VkCommandBuffer commands, const sj_vk_timer *timer) {
  if (timer->pool) vk->CmdResetQueryPool(commands, timer->pool, 0, timer->count);
  sj_vk_stamp(vk, commands, timer, 0);
}

bool sj_vk_times(const sj_vk *vk, const sj_vk_timer *timer, uint32_t count, double *us) {
  uint64_t stamps[SJ_VK_MAX_STAMPS];
  bool good = timer->pool && count >= 2 && count <= SJ_VK_MAX_STAMPS &&
              vk->GetQueryPoolResults(vk->device, timer->pool, 0, count, sizeof stamps, stamps, sizeof *stamps,
                                      VK_QUERY_RESULT_64_BIT) == VK_SUCCESS;
  double period = (double)vk->properties.limits.timestampPeriod * 1e-3;
  for (uint32_t i = 0; i + 1 < count; i++) us[i] = good ? (double)(stamps[i + 1] - stamps[i]) * period : 0.0;
  return good;
}
