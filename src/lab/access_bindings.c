// The second part of `lab access` does the same loads from what Vulkan has beside storage buffers. The toolkit binds
// storage buffers only, so uniform buffers, textures and images are made here.
#include <stdio.h>
#include <string.h>

#include "lab/access.h"

enum { GROUP = 256, MOST = 24, SMALL_BITS = 12, PUSH_BITS = 4 };

#define FUNCTIONS(f)                                                                                 \
  f(CreateImage) f(DestroyImage) f(GetImageMemoryRequirements) f(BindImageMemory) f(CreateImageView) \
      f(DestroyImageView) f(CreateSampler) f(DestroySampler)

// A uniform buffer and an image that hold numbers.
typedef struct sources {
#define MEMBER(name) PFN_vk##name name;
  FUNCTIONS(MEMBER)
#undef MEMBER
  VkBuffer uniform;
  VkImage image;
  VkDeviceMemory uniform_memory, image_memory;
  VkImageView view;
  VkSampler sampler;
} sources;

typedef enum source { STORAGE, UNIFORM, PUSH, TEXTURE, IMAGE } source;

// --- Making them ---

static VkResult allocate(sj_lab *lab, const VkMemoryRequirements *needs, VkDeviceMemory *out) {
  const VkPhysicalDeviceMemoryProperties *m = &lab->vk.memory;
  for (uint32_t i = 0; i < m->memoryTypeCount; i++) {
    if (!(needs->memoryTypeBits >> i & 1) || !(m->memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT))
      continue;
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs->size, .memoryTypeIndex = i};
    return lab->vk.AllocateMemory(lab->vk.device, &info, NULL, out);
  }
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static VkResult make_uniform(sj_lab *lab, sources *s) {
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .size = 4u << SMALL_BITS,
                             .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  VkMemoryRequirements needs;
  VkResult result = lab->vk.CreateBuffer(lab->vk.device, &info, NULL, &s->uniform);
  if (result != VK_SUCCESS) return result;
  lab->vk.GetBufferMemoryRequirements(lab->vk.device, s->uniform, &needs);
  result = allocate(lab, &needs, &s->uniform_memory);
  return result == VK_SUCCESS ? lab->vk.BindBufferMemory(lab->vk.device, s->uniform, s->uniform_memory, 0) : result;
}

static VkExtent3D extent_of(uint32_t bits) { return (VkExtent3D){1u << ((bits + 1) >> 1), 1u << (bits >> 1), 1}; }

static VkResult make_image(sj_lab *lab, sources *s, uint32_t bits) {
  VkDevice device = lab->vk.device;
  VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = VK_FORMAT_R32_UINT,
      .extent = extent_of(bits),
      .mipLevels = 1,
      .arrayLayers = 1,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
  VkMemoryRequirements needs;
  VkResult result = s->CreateImage(device, &info, NULL, &s->image);
  if (result != VK_SUCCESS) return result;
  s->GetImageMemoryRequirements(device, s->image, &needs);
  result = allocate(lab, &needs, &s->image_memory);
  if (result == VK_SUCCESS) result = s->BindImageMemory(device, s->image, s->image_memory, 0);
  VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                .image = s->image,
                                .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                .format = info.format,
                                .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  if (result == VK_SUCCESS) result = s->CreateImageView(device, &view, NULL, &s->view);
  VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  if (result == VK_SUCCESS) result = s->CreateSampler(device, &sampler, NULL, &s->sampler);
  return result;
}

static void move_image(sj_lab *lab, VkCommandBuffer list, VkImage image, VkImageLayout from, VkImageLayout to) {
  bool first = from == VK_IMAGE_LAYOUT_UNDEFINED;
  VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                  .srcAccessMask = first ? 0 : VK_ACCESS_TRANSFER_WRITE_BIT,
                                  .dstAccessMask = first ? VK_ACCESS_TRANSFER_WRITE_BIT : VK_ACCESS_SHADER_READ_BIT,
                                  .oldLayout = from,
                                  .newLayout = to,
                                  .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                  .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                  .image = image,
                                  .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  lab->vk.CmdPipelineBarrier(list, first ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : SJ_VK_COPY,
                             first ? SJ_VK_COPY : SJ_VK_COMPUTE, 0, 0, NULL, 0, NULL, 1, &barrier);
}

// Copies numbers into both from a buffer of them.
static stijl_result fill(sj_lab *lab, const sources *s, const sj_buffer *from, uint32_t bits) {
  VkCommandBuffer list = lab->commands.buffers[0];
  stijl_result result = sj_vk_begin(&lab->vk, list, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, lab->message);
  if (result != STIJL_OK) return result;
  VkBufferCopy region = {0, 0, 4u << SMALL_BITS};
  VkBufferImageCopy picture = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                               .imageExtent = extent_of(bits)};
  lab->vk.CmdCopyBuffer(list, from->handle, s->uniform, 1, &region);
  VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                            .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                            .dstAccessMask = VK_ACCESS_UNIFORM_READ_BIT};
  lab->vk.CmdPipelineBarrier(list, SJ_VK_COPY, SJ_VK_COMPUTE, 0, 1, &memory, 0, NULL, 0, NULL);
  move_image(lab, list, s->image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  lab->vk.CmdCopyBufferToImage(list, from->handle, s->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &picture);
  move_image(lab, list, s->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
  return sj_vk_run(&lab->vk, &lab->commands, "filling an image", lab->message);
}

static stijl_result make_sources(sj_lab *lab, sources *s, const sj_buffer *from, uint32_t bits) {
  bool all = true;
#define LOAD(name)                                                                        \
  s->name = (PFN_vk##name)lab->vk.instance.GetDeviceProcAddr(lab->vk.device, "vk" #name); \
  all = all && s->name;
  FUNCTIONS(LOAD)
#undef LOAD
  if (!all) return sj_fail(lab->message, STIJL_ERROR_UNSUPPORTED, "the device lacks functions for images");
  VkResult made = make_uniform(lab, s);
  if (made == VK_SUCCESS) made = make_image(lab, s, bits);
  return made == VK_SUCCESS ? fill(lab, s, from, bits) : sj_lab_fail(lab, made, "making an image");
}

static void destroy_sources(sj_lab *lab, sources *s) {
  VkDevice device = lab->vk.device;
  if (lab->vk.stuck) return;
  if (s->sampler) s->DestroySampler(device, s->sampler, NULL);
  if (s->view) s->DestroyImageView(device, s->view, NULL);
  if (s->image) s->DestroyImage(device, s->image, NULL);
  if (s->uniform) lab->vk.DestroyBuffer(device, s->uniform, NULL);
  if (s->image_memory) lab->vk.FreeMemory(device, s->image_memory, NULL);
  if (s->uniform_memory) lab->vk.FreeMemory(device, s->uniform_memory, NULL);
}

// --- Kernels that load from them ---

static const VkDescriptorType types[] = {[STORAGE] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         [UNIFORM] = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                         [PUSH] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         [TEXTURE] = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                         [IMAGE] = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};

static VkResult make_layout(sj_lab *lab, source from, sj_vk_bindings *b) {
  VkDevice device = lab->vk.device;
  const VkDescriptorSetLayoutBinding bindings[] = {
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
      {0, types[from], 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
  VkDescriptorSetLayoutCreateInfo set = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                         .bindingCount = from == PUSH ? 1 : 2,
                                         .pBindings = bindings};
  VkResult result = lab->vk.CreateDescriptorSetLayout(device, &set, NULL, &b->set_layout);
  b->interface.push_bytes = from == PUSH ? 12 + (4 << PUSH_BITS) : 12;
  VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, b->interface.push_bytes};
  VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = 1,
                                       .pSetLayouts = &b->set_layout,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &range};
  if (result == VK_SUCCESS) result = lab->vk.CreatePipelineLayout(device, &layout, NULL, &b->layout);
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2}, {types[from], 1}};
  VkDescriptorPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 2, .pPoolSizes = sizes};
  if (result == VK_SUCCESS) result = lab->vk.CreateDescriptorPool(device, &pool, NULL, &b->pool);
  VkDescriptorSetAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = b->pool,
                                            .descriptorSetCount = 1,
                                            .pSetLayouts = &b->set_layout};
  return result == VK_SUCCESS ? lab->vk.AllocateDescriptorSets(device, &allocation, &b->set) : result;
}

static stijl_result make_kernel(sj_lab *lab, const sources *s, source from, const sj_lab_access *a,
                                const sj_buffer *storage, const sj_buffer *sums, sj_lab_kernel *out) {
  *out = (sj_lab_kernel){0};
  const uint32_t constants[] = {GROUP, a->load.pattern, a->load.step};
  VkResult result = make_layout(lab, from, &out->bindings);
  if (result == VK_SUCCESS)
    result = sj_vk_pipeline_compile(&lab->vk, a->shader, constants, 3, out->bindings.layout, lab->cache.handle, 0,
                                    &out->pipeline);
  if (result != VK_SUCCESS) {
    sj_lab_kernel_destroy(lab, out);
    return sj_lab_fail(lab, result, a->name);
  }
  VkDescriptorBufferInfo to = {sums->handle, 0, VK_WHOLE_SIZE},
                         buffer = {from == UNIFORM ? s->uniform : storage->handle, 0, VK_WHOLE_SIZE};
  VkDescriptorImageInfo image = {s->sampler, s->view, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet writes[2] = {{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                     .dstSet = out->bindings.set,
                                     .dstBinding = 1,
                                     .descriptorCount = 1,
                                     .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                     .pBufferInfo = &to}};
  writes[1] = writes[0];
  writes[1].dstBinding = 0;
  writes[1].descriptorType = types[from];
  writes[1].pBufferInfo = &buffer;
  writes[1].pImageInfo = &image;
  lab->vk.UpdateDescriptorSets(lab->vk.device, from == PUSH ? 1 : 2, writes, 0, NULL);
  return STIJL_OK;
}

// --- Measuring ---

typedef struct entry {
  source from;
  uint32_t bits;  // 0: those of the image
  sj_lab_access a;
} entry;

#define SMALL(from, shader, key, name, pattern) \
  {                                             \
    from, SMALL_BITS, {                         \
      key, name, &shader, { pattern, 0, 4 }     \
    }                                           \
  }
#define LARGE(from, shader, key, name, pattern) \
  {                                             \
    from, 0, {                                  \
      key, name, &shader, { pattern, 0, 4 }     \
    }                                           \
  }
static const entry entries[] = {
    SMALL(STORAGE, sj_lab_access_32, "storage_same", "storage buffer, 16 KiB, the same for 32 lanes", SJ_LAB_SAME),
    SMALL(UNIFORM, sj_lab_access_uniform, "uniform_same", "uniform buffer, 16 KiB, the same for 32 lanes", SJ_LAB_SAME),
    {PUSH,
     PUSH_BITS,
     {"push_same", "push constants, 64 bytes, the same for 32 lanes", &sj_lab_access_push, {SJ_LAB_SAME, 0, 4}}},
    SMALL(STORAGE, sj_lab_access_32, "storage_random", "storage buffer, 16 KiB, random", SJ_LAB_RANDOM),
    SMALL(UNIFORM, sj_lab_access_uniform, "uniform_random", "uniform buffer, 16 KiB, random", SJ_LAB_RANDOM),
    {PUSH, PUSH_BITS, {"push_random", "push constants, 64 bytes, random", &sj_lab_access_push, {SJ_LAB_RANDOM, 0, 4}}},
    LARGE(STORAGE, sj_lab_access_32, "storage_rows", "storage buffer, rows", SJ_LAB_LINEAR),
    LARGE(TEXTURE, sj_lab_access_texture, "texture_rows", "sampled texture, rows", SJ_LAB_LINEAR),
    LARGE(IMAGE, sj_lab_access_image, "image_rows", "storage image, rows", SJ_LAB_LINEAR),
    LARGE(STORAGE, sj_lab_access_32, "storage_columns", "storage buffer, columns", SJ_LAB_COLUMNS),
    LARGE(TEXTURE, sj_lab_access_texture, "texture_columns", "sampled texture, columns", SJ_LAB_COLUMNS),
    LARGE(IMAGE, sj_lab_access_image, "image_columns", "storage image, columns", SJ_LAB_COLUMNS),
    LARGE(STORAGE, sj_lab_access_32, "storage_scattered", "storage buffer, random", SJ_LAB_RANDOM),
    LARGE(TEXTURE, sj_lab_access_texture, "texture_scattered", "sampled texture, random", SJ_LAB_RANDOM),
    LARGE(IMAGE, sj_lab_access_image, "image_scattered", "storage image, random", SJ_LAB_RANDOM),
};
enum { ENTRIES = sizeof entries / sizeof *entries, TURNS = 16 };

static void write(sj_lab *lab, const sj_lab_case *cases, double loads) {
  const sj_lab_column columns[] = {{"key", "", SJ_LAB_NAME},
                                   {"name", "loads", SJ_LAB_NAME},
                                   SJ_LAB_TIME_COLUMNS("time"),
                                   {"loads", "loads", SJ_LAB_WORK}};
  sj_lab_cell cells[ENTRIES * 6];
  sj_lab_bar bars[ENTRIES];
  for (uint32_t i = 0; i < ENTRIES; i++) {
    double rate = loads / cases[i].us * 1e6;
    const sj_lab_cell row[] = {SJ_LAB_TEXT(entries[i].a.key), SJ_LAB_TEXT(entries[i].a.name), SJ_LAB_TIME(cases[i]),
                               SJ_LAB_NUMBER(rate)};
    for (uint32_t c = 0; c < 6; c++) cells[i * 6 + c] = row[c];
    bars[i] = (sj_lab_bar){entries[i].a.name, rate};
  }
  char title[96];
  snprintf(title, sizeof title, "Bindings: %.0f loads of 32 bits", loads);
  sj_lab_table(lab->page, "bindings", title, columns, 6, cells, ENTRIES);
  sj_lab_text plot = {.context = lab->context};
  sj_lab_bars(&plot, SJ_LAB_WORK, bars, ENTRIES, NULL, 0);
  sj_lab_picture(lab->page, "Loads a second by what is loaded from", &plot);
  sj_lab_text_finish(&plot);
  sj_lab_say(
      lab->page,
      "Bindings: a word that 32 lanes share takes %.2f of a storage buffer's time from a uniform buffer, and %.2f from "
      "push constants; words at random %.2f and %.2f.",
      cases[1].us / cases[0].us, cases[2].us / cases[0].us, cases[4].us / cases[3].us, cases[5].us / cases[3].us);
  sj_lab_say(lab->page, "A texture takes %.2f of a storage buffer's time for rows, %.2f for columns, %.2f at random.",
             cases[7].us / cases[6].us, cases[10].us / cases[9].us, cases[13].us / cases[12].us);
}

static stijl_result prepare(sj_lab *lab, const sources *s, uint32_t i, uint32_t image_bits, uint32_t lanes,
                            const sj_buffer *from, const sj_buffer *sums, const sj_buffer *back, sj_lab_kernel *kernel,
                            sj_lab_case *c) {
  const entry *e = &entries[i];
  uint32_t bits = e->bits ? e->bits : image_bits;
  stijl_result result = make_kernel(lab, s, e->from, &e->a, from, sums, kernel);
  if (result != STIJL_OK) return result;
  *c =
      (sj_lab_case){.name = e->a.name, .kernel = kernel, .groups = {lanes / GROUP, 1, 1}, .push = {bits, TURNS, lanes}};
  for (uint32_t k = 0; k < 1u << PUSH_BITS; k++) c->push[3 + k] = k * SJ_LAB_WORD;
  result = sj_lab_number_by(lab, sums, lanes * 4, 1);
  if (result == STIJL_OK) result = sj_lab_once(lab, c);
  if (result == STIJL_OK) result = sj_lab_copy(lab, sums, back, lanes * 4);
  uint32_t wrong = result == STIJL_OK ? sj_lab_wrong_sums(back->mapped, 0, lanes, &e->a.load, bits, lanes, TURNS) : 0;
  if (wrong) sj_lab_wrong(lab->page, "%s: %u sums are wrong", e->a.name, wrong);
  return result;
}

stijl_result sj_lab_access_bindings(sj_lab *lab, const sj_buffer *from, const sj_buffer *sums, const sj_buffer *back,
                                    uint32_t bits) {
  sources s = {0};
  sj_lab_kernel kernels[ENTRIES] = {0};
  sj_lab_case cases[ENTRIES];
  uint32_t image_bits = bits < 24 ? bits : 24, lanes = (1u << bits) / TURNS;
  stijl_result result = make_sources(lab, &s, from, image_bits);
  for (uint32_t i = 0; i < ENTRIES && result == STIJL_OK; i++)
    result = prepare(lab, &s, i, image_bits, lanes, from, sums, back, &kernels[i], &cases[i]);
  if (result == STIJL_OK) result = sj_lab_time(lab, cases, ENTRIES);
  if (result == STIJL_OK) {
    sj_lab_judge(lab, cases, ENTRIES);
    write(lab, cases, (double)lanes * TURNS);
  }
  for (uint32_t i = 0; i < ENTRIES; i++) sj_lab_kernel_destroy(lab, &kernels[i]);
  destroy_sources(lab, &s);
  return result;
}
