// Targets of the application, in device memory: its buffers and images.
#ifndef SJ_GPU_TRANSFER_H
#define SJ_GPU_TRANSFER_H

#include "gpu/plan.h"
#include "vulkan/buffer.h"
#include "vulkan/pipeline.h"

typedef struct sj_transfer {
  // Made when first used.
  VkPipeline pipeline;
  sj_vk_bindings bindings;
  // Of this frame.
  const stijl_vulkan_target *target;  // NULL: memory
  bool clamp;                         // sj_render_job's
  stijl_irect region;
  VkImageLayout layout;  // of the image, where the commands recorded so far leave it
} sj_transfer;

extern const sj_vk_shader sj_transfer_shader;

// Begins a frame into `region` of the target, after checking the target.
stijl_result sj_transfer_begin(sj_vk *vk, sj_vk_cache *cache, sj_transfer *transfer, const stijl_vulkan_target *target,
                               stijl_irect region, bool keep, bool clamp, stijl_message *message);
void sj_transfer_finish(sj_vk *vk, sj_transfer *transfer);

// Returns how many rows a band may have, so that its part of the application's buffer fits a storage range.
uint64_t sj_transfer_rows(const sj_transfer *transfer, VkDeviceSize max_range);

#define SJ_LISTS_OFFSET SJ_VK_ALIGN  // of G_LISTS in SJ_SCRATCH, behind the control

// Binds the buffers that a band is drawn with: `own` has its pixels, `scratch` has G_LISTS at SJ_LISTS_OFFSET.
void sj_transfer_bind(sj_vk *vk, sj_transfer *transfer, const sj_buffer *own, const sj_buffer *scratch,
                      stijl_irect band);
// Returns whether a band's pixels lie in the application's buffer as fine writes them; then where they are.
bool sj_transfer_is_direct(const sj_transfer *transfer, stijl_irect band);
VkDescriptorBufferInfo sj_transfer_range(const sj_transfer *transfer, stijl_irect band);
// Records that what the target holds becomes the band's pixels, or the other way round. Storing does nothing when the
// frame needed more than the capacity. Barriers come before and after for all that touches the target; ahead of storing
// the caller makes its pixels available to shaders and copies.
void sj_transfer_load(sj_vk *vk, sj_transfer *transfer, VkCommandBuffer commands, const sj_buffer *own,
                      stijl_irect band);
void sj_transfer_store(sj_vk *vk, sj_transfer *transfer, VkCommandBuffer commands, const sj_buffer *own,
                       stijl_irect band, g_needs capacity);

#endif
