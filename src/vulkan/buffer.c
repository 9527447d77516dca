#include "vulkan/buffer.h"

// Returns the first memory type with all of `wanted`, or -1.
static int memory_type(const sj_vk *vk, uint32_t allowed, VkMemoryPropertyFlags wanted) {
  for (uint32_t i = 0; i < vk->memory.memoryTypeCount; i++)
    if (allowed >> i & 1 && (vk->memory.memoryTypes[i].propertyFlags & wanted) == wanted) return (int)i;
  return -1;
}

static VkResult make(sj_vk *vk, VkDeviceSize bytes, const VkMemoryPropertyFlags *choices, int count, VkBuffer *buffer,
                     VkDeviceMemory *memory, VkMemoryPropertyFlags *got) {
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .size = bytes,
                             .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                      VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT};
  VkResult result = vk->CreateBuffer(vk->device, &info, NULL, buffer);
  if (result != VK_SUCCESS) {
    *buffer = VK_NULL_HANDLE;
    return result;
  }
  VkMemoryRequirements needs;
  vk->GetBufferMemoryRequirements(vk->device, *buffer, &needs);
  result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  for (int i = 0; i < count && result != VK_SUCCESS; i++) {
    int type = memory_type(vk, needs.memoryTypeBits, choices[i]);
    if (type < 0) continue;
    VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .allocationSize = needs.size,
                                     .memoryTypeIndex = (uint32_t)type};
    result = vk->AllocateMemory(vk->device, &allocate, NULL, memory);
    *got = vk->memory.memoryTypes[type].propertyFlags;
  }
  if (result == VK_SUCCESS) result = vk->BindBufferMemory(vk->device, *buffer, *memory, 0);
  return result;
}

stijl_result sj_buffer_reserve(sj_vk *vk, sj_buffer *buffer, VkDeviceSize bytes, bool *grown, stijl_message *message) {
  if (bytes < SJ_VK_ALIGN) bytes = SJ_VK_ALIGN;
  if (buffer->bytes >= bytes) return STIJL_OK;
  sj_buffer_finish(vk, buffer);
  enum { LOCAL = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, VISIBLE = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT };
  enum { COHERENT = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, CACHED = VK_MEMORY_PROPERTY_HOST_CACHED_BIT };
  static const VkMemoryPropertyFlags device[] = {LOCAL, 0},
                                     upload[] = {LOCAL | VISIBLE | COHERENT, LOCAL, VISIBLE | COHERENT},
                                     readback[] = {VISIBLE | COHERENT | CACHED, VISIBLE | COHERENT};
  const VkMemoryPropertyFlags *choices = buffer->kind == SJ_BUFFER_DEVICE   ? device
                                         : buffer->kind == SJ_BUFFER_UPLOAD ? upload
                                                                            : readback;
  VkMemoryPropertyFlags got = 0;
  VkResult result =
      make(vk, bytes, choices, buffer->kind == SJ_BUFFER_UPLOAD ? 3 : 2, &buffer->handle, &buffer->memory, &got);
  VkDeviceMemory mapped = buffer->memory;
  if (result == VK_SUCCESS && buffer->kind == SJ_BUFFER_UPLOAD && !(got & VISIBLE)) {
    static const VkMemoryPropertyFlags staging[] = {VISIBLE | COHERENT};
    result = make(vk, bytes, staging, 1, &buffer->staging, &buffer->staging_memory, &got);
    mapped = buffer->staging_memory;
  }
  if (result == VK_SUCCESS && buffer->kind != SJ_BUFFER_DEVICE)
    result = vk->MapMemory(vk->device, mapped, 0, VK_WHOLE_SIZE, 0, &buffer->mapped);
  if (result != VK_SUCCESS) {
    sj_buffer_finish(vk, buffer);
    return sj_vk_fail(message, result, buffer->name);
  }
  buffer->bytes = bytes;
  buffer->fresh = true;
  buffer->made++;
  *grown = true;
  return STIJL_OK;
}

void sj_buffer_finish(sj_vk *vk, sj_buffer *buffer) {
  if (buffer->handle) vk->DestroyBuffer(vk->device, buffer->handle, NULL);
  if (buffer->memory) vk->FreeMemory(vk->device, buffer->memory, NULL);
  if (buffer->staging) vk->DestroyBuffer(vk->device, buffer->staging, NULL);
  if (buffer->staging_memory) vk->FreeMemory(vk->device, buffer->staging_memory, NULL);
  *buffer = (sj_buffer){.name = buffer->name, .kind = buffer->kind, .made = buffer->made};
}

void sj_buffer_copy_staged(sj_vk *vk, VkCommandBuffer commands, const sj_buffer *buffer, VkDeviceSize bytes) {
  VkBufferCopy region = {.size = bytes};
  if (buffer->staging) vk->CmdCopyBuffer(commands, buffer->staging, buffer->handle, 1, &region);
}
