#include "gpu/transfer.h"

#include "image/pixel.h"

static const uint32_t code[] = {
#include "transfer.spv.inc"
};
const sj_vk_shader sj_transfer_shader = {"transfer", code, sizeof code};

// --- Making and ending ---

static stijl_result make(sj_vk *vk, sj_vk_cache *cache, sj_transfer *t, stijl_message *message) {
  if (t->pipeline) return STIJL_OK;
  stijl_result result = STIJL_OK;
  if (!t->bindings.pool) result = sj_vk_bindings_create(vk, &sj_transfer_shader, &t->bindings, message);
  if (result != STIJL_OK) return result;
  return sj_vk_pipeline_create(vk, cache, &sj_transfer_shader, NULL, 0, &t->bindings, &t->pipeline, message);
}

void sj_transfer_finish(sj_vk *vk, sj_transfer *t) {
  if (t->pipeline) vk->DestroyPipeline(vk->device, t->pipeline, NULL);
  sj_vk_bindings_destroy(vk, &t->bindings);
  *t = (sj_transfer){0};
}

// --- What a target must be ---

static stijl_result bad(stijl_message *message, const char *why) {
  return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "bad Vulkan target: %s", why);
}

static stijl_result check_buffer(sj_vk *vk, const stijl_vulkan_target *t, stijl_irect region, stijl_message *message) {
  uint64_t width = (uint64_t)(region.x1 - region.x0), height = (uint64_t)(region.y1 - region.y0);
  uint64_t row = width * stijl_format_bytes(t->format), words = (row + 3) & ~(uint64_t)3;
  if (t->offset % 4 || t->stride % 4) return bad(message, "offset and stride are multiples of 4");
  if (t->stride < row) return bad(message, "rows overlap: the stride is below a row's bytes");
  VkMemoryRequirements needs;
  vk->GetBufferMemoryRequirements(vk->device, t->buffer, &needs);
  // The buffer's size cannot be asked for, but it is no larger than the memory it needs.
  if (t->offset > needs.size || t->stride > needs.size ||
      t->offset + (height - 1) * t->stride + words > needs.size)  // below 2^16 times a size of memory
    return bad(message, "the buffer ends before the region does");
  return STIJL_OK;
}

static bool blue_first(int format) { return format >= VK_FORMAT_B8G8R8A8_UNORM && format <= VK_FORMAT_B8G8R8A8_SRGB; }

static stijl_result check_image(const stijl_vulkan_target *t, bool keep, stijl_message *message) {
  if (stijl_format_bytes(t->format) != 4) return bad(message, "images have formats of four bytes");
  bool red_first = t->image_format >= VK_FORMAT_R8G8B8A8_UNORM && t->image_format <= VK_FORMAT_R8G8B8A8_SRGB;
  if (!red_first && !blue_first(t->image_format))
    return bad(message, "the image's format is neither VK_FORMAT_R8G8B8A8_* nor VK_FORMAT_B8G8R8A8_*");
  if (blue_first(t->image_format) != sj_format_is_blue_first(t->format))
    return bad(message, "the image's format and the target's have red and blue the other way round");
  if (t->layout_after == VK_IMAGE_LAYOUT_UNDEFINED || t->layout_after == VK_IMAGE_LAYOUT_PREINITIALIZED)
    return bad(message, "no image can be brought to that layout_after");
  if (keep && t->layout_before == VK_IMAGE_LAYOUT_UNDEFINED)
    return bad(message, "drawing over an image needs its layout_before");
  return STIJL_OK;
}

stijl_result sj_transfer_begin(sj_vk *vk, sj_vk_cache *cache, sj_transfer *t, const stijl_vulkan_target *target,
                               stijl_irect region, bool keep, bool clamp, stijl_message *message) {
  t->target = NULL;
  if (!target->buffer == !target->image) return bad(message, "it is either a buffer or an image");
  stijl_result result = target->buffer ? check_buffer(vk, target, region, message) : check_image(target, keep, message);
  if (result == STIJL_OK) result = make(vk, cache, t, message);
  if (result != STIJL_OK) return result;
  t->target = target;
  t->clamp = clamp;
  t->region = region;
  t->layout = (VkImageLayout)target->layout_before;
  return STIJL_OK;
}

uint64_t sj_transfer_rows(const sj_transfer *t, VkDeviceSize max_range) {
  // The binding's offset may have to be rounded down, which takes some of the range.
  return !t->target || t->target->image ? UINT64_MAX : (max_range - SJ_VK_ALIGN) / t->target->stride;
}

// --- A band ---

static VkDeviceSize first_byte(const sj_transfer *t, stijl_irect band) {
  return t->target->offset + (uint64_t)(band.y0 - t->region.y0) * t->target->stride;
}

void sj_transfer_bind(sj_vk *vk, sj_transfer *t, const sj_buffer *own, const sj_buffer *scratch, stijl_irect band) {
  uint64_t width = (uint64_t)(band.x1 - band.x0), height = (uint64_t)(band.y1 - band.y0);
  VkDescriptorBufferInfo infos[3] = {
      {own->handle, 0, own->bytes}, {own->handle, 0, own->bytes}, {scratch->handle, SJ_LISTS_OFFSET, sizeof(g_needs)}};
  if (t->target->buffer) {
    VkDeviceSize first = first_byte(t, band), from = first & ~(VkDeviceSize)(SJ_VK_ALIGN - 1);
    uint64_t row = (width * stijl_format_bytes(t->target->format) + 3) & ~(uint64_t)3;
    infos[1] = (VkDescriptorBufferInfo){t->target->buffer, from, first - from + (height - 1) * t->target->stride + row};
  }
  sj_vk_bindings_write(vk, &t->bindings, infos);
}

// Fine writes 16 bytes at a time, a lane none or all of them.
#define WRITTEN 16

bool sj_transfer_is_direct(const sj_transfer *t, stijl_irect band) {
  return t->target && t->target->buffer && t->target->format == STIJL_FORMAT_RGBA8 &&
         (band.x1 - band.x0) * 4 % WRITTEN == 0 && t->target->stride % WRITTEN == 0 &&
         first_byte(t, band) % SJ_VK_ALIGN == 0;
}

VkDescriptorBufferInfo sj_transfer_range(const sj_transfer *t, stijl_irect band) {
  uint64_t width = (uint64_t)(band.x1 - band.x0), height = (uint64_t)(band.y1 - band.y0);
  return (VkDescriptorBufferInfo){t->target->buffer, first_byte(t, band), (height - 1) * t->target->stride + 4 * width};
}

static uint32_t format_of(stijl_format format) {
  return (sj_format_is_straight(format) ? G_TRANSFER_STRAIGHT : 0) |
         (sj_format_is_blue_first(format) ? G_TRANSFER_BLUE_FIRST : 0) |
         (format == STIJL_FORMAT_A8 ? G_TRANSFER_ALPHA : 0);
}

static void convert(sj_vk *vk, const sj_transfer *t, VkCommandBuffer commands, stijl_irect band, bool load,
                    g_needs capacity) {
  g_transfer params = {.width = (uint32_t)(band.x1 - band.x0),
                       .height = (uint32_t)(band.y1 - band.y0),
                       .format = format_of(t->target->format) | (load && t->clamp ? G_TRANSFER_CLAMP : 0),
                       .load = load,
                       .own_stride = sj_target_stride(band),
                       .capacity = capacity};
  params.stride = params.own_stride;
  if (t->target->buffer) {
    params.first = (uint32_t)(first_byte(t, band) & (SJ_VK_ALIGN - 1)) / 4;
    params.stride = (uint32_t)(t->target->stride / 4);
  }
  uint32_t words = t->target->format == STIJL_FORMAT_A8 ? (params.width + 3) / 4 : params.width;
  uint32_t groups = (words * params.height + G_TRANSFER_GROUP - 1) / G_TRANSFER_GROUP;
  sj_vk_use(vk, commands, t->pipeline, &t->bindings, &params);
  sj_vk_dispatch(vk, commands, groups);
}

static void image_barrier(sj_vk *vk, VkCommandBuffer commands, sj_transfer *t, VkImageLayout layout,
                          VkPipelineStageFlags from, VkPipelineStageFlags to) {
  VkImageMemoryBarrier image = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .srcAccessMask = sj_vk_writes(from),
      .dstAccessMask = sj_vk_reads(to) | sj_vk_writes(to),
      .oldLayout = t->layout,
      .newLayout = layout,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = t->target->image,
      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, t->target->mip_level, 1, t->target->layer, 1}};
  vk->CmdPipelineBarrier(commands, from, to, 0, 0, NULL, 0, NULL, 1, &image);
  t->layout = layout;
}

static VkBufferImageCopy image_part(const sj_transfer *t, stijl_irect band) {
  return (VkBufferImageCopy){.bufferRowLength = sj_target_stride(band),
                             .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, t->target->mip_level, t->target->layer, 1},
                             .imageOffset = {band.x0, band.y0, 0},
                             .imageExtent = {(uint32_t)(band.x1 - band.x0), (uint32_t)(band.y1 - band.y0), 1}};
}

#define ALL VK_PIPELINE_STAGE_ALL_COMMANDS_BIT
#define COMPUTE SJ_VK_COMPUTE
#define COPY SJ_VK_COPY

void sj_transfer_load(sj_vk *vk, sj_transfer *t, VkCommandBuffer commands, const sj_buffer *own, stijl_irect band) {
  sj_vk_barrier(vk, commands, ALL, COMPUTE | COPY);
  if (t->target->image) {
    VkBufferImageCopy part = image_part(t, band);
    image_barrier(vk, commands, t, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, ALL, COPY);
    vk->CmdCopyImageToBuffer(commands, t->target->image, t->layout, own->handle, 1, &part);
    sj_vk_barrier(vk, commands, COPY, COMPUTE);
  }
  if (t->target->buffer || t->target->format != STIJL_FORMAT_RGBA8 || t->clamp)
    convert(vk, t, commands, band, true,
            (g_needs){UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX});
  sj_vk_barrier(vk, commands, COMPUTE | COPY, COMPUTE | COPY);
}

void sj_transfer_store(sj_vk *vk, sj_transfer *t, VkCommandBuffer commands, const sj_buffer *own, stijl_irect band,
                       g_needs capacity) {
  if (t->target->buffer) sj_vk_barrier(vk, commands, ALL, COMPUTE);
  if (t->target->buffer || t->target->format != STIJL_FORMAT_RGBA8) convert(vk, t, commands, band, false, capacity);
  if (t->target->image) {
    VkBufferImageCopy part = image_part(t, band);
    sj_vk_barrier(vk, commands, COMPUTE, COPY);
    image_barrier(vk, commands, t, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, ALL, COPY);
    vk->CmdCopyBufferToImage(commands, own->handle, t->target->image, t->layout, 1, &part);
    image_barrier(vk, commands, t, (VkImageLayout)t->target->layout_after, COPY, ALL);
  } else {
    sj_vk_barrier(vk, commands, COMPUTE, ALL);
  }
}
