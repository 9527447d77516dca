// Buffers that grow, and those that the host fills.
#ifndef SJ_VULKAN_BUFFER_H
#define SJ_VULKAN_BUFFER_H

#include "base/shared.h"
#include "vulkan/commands.h"

#define SJ_VK_ALIGN 256  // no device asks for more between bindings

typedef enum sj_buffer_kind {
  SJ_BUFFER_DEVICE,   // scratch
  SJ_BUFFER_UPLOAD,   // written by the host, read by shaders
  SJ_BUFFER_READBACK  // copied to, read by the host
} sj_buffer_kind;

typedef struct sj_buffer {
  const char *name;
  sj_buffer_kind kind;
  VkBuffer handle;
  VkDeviceMemory memory;
  VkDeviceSize bytes;
  void *mapped;  // uploads and readbacks
  // Uploads on devices whose own memory the host cannot write: filled here, then copied.
  VkBuffer staging;
  VkDeviceMemory staging_memory;
  bool fresh;     // contents undefined since it was made
  uint32_t made;  // how many times it was made: a handle may be another buffer's later
} sj_buffer;

// Makes the buffer have at least `bytes`. Its contents are lost when it grows, and *grown is set then.
SJ_SHARED stijl_result sj_buffer_reserve(sj_vk *vk, sj_buffer *buffer, VkDeviceSize bytes, bool *grown,
                                         stijl_message *message);
SJ_SHARED void sj_buffer_finish(sj_vk *vk, sj_buffer *buffer);
// Copies the first bytes of what the host has written to where shaders read it, where that is not the same memory. The
// barrier behind it is the caller's.
void sj_buffer_copy_staged(sj_vk *vk, VkCommandBuffer commands, const sj_buffer *buffer, VkDeviceSize bytes);

static inline VkDeviceSize sj_vk_align(VkDeviceSize bytes) {
  return (bytes + SJ_VK_ALIGN - 1) & ~(VkDeviceSize)(SJ_VK_ALIGN - 1);
}

#endif
