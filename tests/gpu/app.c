#include "gpu/app.h"

#include <stdlib.h>

#include "base/trial.h"
#include "gpu/device.h"

void app_must(VkResult result, const char *what) {
  if (result == VK_SUCCESS) return;
  fprintf(stderr, "%s: %d\n", what, (int)result);
  exit(1);
}

void app_lock(void *user) {
  app *a = user;
  pthread_mutex_lock(&a->mutex);
  atomic_fetch_add(&a->locked, 1);
}

void app_unlock(void *user) { pthread_mutex_unlock(&((app *)user)->mutex); }

bool app_open(app *a) {
  if (!getenv("STIJL_TEST_DEVICE")) return false;
  *a = (app){0};
  pthread_mutex_init(&a->mutex, NULL);
  stijl_renderer_params params = sj_test_gpu_params();
  stijl_message message = {""};
  sj_vk *vk = &a->vk;
  const sj_vk_needs needs = {.two_queues = true};
  if (sj_vk_open(vk, sj_context(NULL), params.device, params.device_name, &needs, &message) != STIJL_OK) {
    fprintf(stderr, "STIJL_TEST_DEVICE: %s\n", message.text);
    exit(1);
  }
  a->first = vk->device;
  a->f13 = (VkPhysicalDeviceVulkan13Features){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  a->f12 = (VkPhysicalDeviceVulkan12Features){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                              .pNext = &a->f13};
  a->features = (VkPhysicalDeviceFeatures2){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &a->f12};
  a->f12.timelineSemaphore = VK_TRUE;
  CHECK_INT(stijl_vulkan_enable(&a->features, &message), STIJL_OK);
  a->features.features.shaderInt64 = a->f12.shaderBufferInt64Atomics = vk->wide;
  float priorities[2] = {1, 1};
  VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                   .queueFamilyIndex = vk->family,
                                   .queueCount = vk->queues,
                                   .pQueuePriorities = priorities};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .pNext = &a->features,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queue};
  app_must(vk->instance.CreateDevice(vk->physical, &info, NULL, &vk->device), "opening the application's device");
#define LOAD(name) a->name = (PFN_vk##name)vk->instance.GetDeviceProcAddr(vk->device, "vk" #name);
  APP_FUNCTIONS(LOAD)
  vk->GetDeviceQueue(vk->device, vk->family, 0, &vk->queue);
  a->device = (stijl_vulkan_device)STIJL_VULKAN_DEVICE_INIT;
  a->device.get_instance_proc_addr = vk->instance.GetInstanceProcAddr;
  a->device.instance = vk->instance.handle;
  a->device.physical_device = vk->physical;
  a->device.device = vk->device;
  a->device.queue = vk->queue;
  a->device.queue_family = vk->family;
  a->device.features = &a->features;
  VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                  .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                  .queueFamilyIndex = vk->family};
  app_must(vk->CreateCommandPool(vk->device, &pool, NULL, &a->pool), "making a command pool");
  VkCommandBufferAllocateInfo commands = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = a->pool, .commandBufferCount = 1};
  app_must(vk->AllocateCommandBuffers(vk->device, &commands, &a->commands), "making commands");
  return true;
}

void app_close(app *a) {
  sj_vk *vk = &a->vk;
  vk->DestroyCommandPool(vk->device, a->pool, NULL);
  vk->DestroyDevice(vk->device, NULL);
  vk->device = a->first;
  vk->DestroyDevice = (PFN_vkDestroyDevice)vk->instance.GetDeviceProcAddr(a->first, "vkDestroyDevice");
  sj_vk_close(vk);
  pthread_mutex_destroy(&a->mutex);
}

stijl_renderer *app_renderer(app *a) {
  stijl_renderer *renderer = NULL;
  stijl_message message = {""};
  if (stijl_vulkan_renderer_create(NULL, NULL, &a->device, &renderer, &message) != STIJL_OK) {
    fprintf(stderr, "%s\n", message.text);
    exit(1);
  }
  return renderer;
}

stijl_renderer *app_renderer_with(app *a, const char *name, const char *value) {
  sj_trial_set(name, value);
  stijl_renderer *renderer = app_renderer(a);
  sj_trial_set(name, NULL);
  return renderer;
}

static VkDeviceMemory allocate(app *a, VkMemoryRequirements needs, VkMemoryPropertyFlags wanted) {
  const VkPhysicalDeviceMemoryProperties *types = &a->vk.memory;
  VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size};
  for (; info.memoryTypeIndex < types->memoryTypeCount; info.memoryTypeIndex++)
    if (needs.memoryTypeBits >> info.memoryTypeIndex & 1 &&
        (types->memoryTypes[info.memoryTypeIndex].propertyFlags & wanted) == wanted)
      break;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  app_must(a->vk.AllocateMemory(a->vk.device, &info, NULL, &memory), "allocating memory");
  return memory;
}

app_shared app_buffer(app *a, size_t bytes, VkBufferUsageFlags usage) {
  app_shared b;
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = bytes, .usage = usage};
  app_must(a->vk.CreateBuffer(a->vk.device, &info, NULL, &b.handle), "making a buffer");
  VkMemoryRequirements needs;
  a->vk.GetBufferMemoryRequirements(a->vk.device, b.handle, &needs);
  b.memory = allocate(a, needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  app_must(a->vk.BindBufferMemory(a->vk.device, b.handle, b.memory, 0), "binding memory");
  void *bytes_mapped = NULL;
  app_must(a->vk.MapMemory(a->vk.device, b.memory, 0, VK_WHOLE_SIZE, 0, &bytes_mapped), "mapping memory");
  b.bytes = bytes_mapped;
  return b;
}

void app_free_buffer(app *a, app_shared b) {
  a->vk.DestroyBuffer(a->vk.device, b.handle, NULL);
  a->vk.FreeMemory(a->vk.device, b.memory, NULL);
}

app_picture app_image(app *a, int width, int height, VkFormat format) {
  app_picture p = {.width = width, .height = height, .layout = VK_IMAGE_LAYOUT_UNDEFINED};
  VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                            .imageType = VK_IMAGE_TYPE_2D,
                            .format = format,
                            .extent = {(uint32_t)width, (uint32_t)height, 1},
                            .mipLevels = 1,
                            .arrayLayers = 2,
                            .samples = VK_SAMPLE_COUNT_1_BIT,
                            .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
  app_must(a->CreateImage(a->vk.device, &info, NULL, &p.handle), "making an image");
  VkMemoryRequirements needs;
  a->GetImageMemoryRequirements(a->vk.device, p.handle, &needs);
  p.memory = allocate(a, needs, 0);
  app_must(a->BindImageMemory(a->vk.device, p.handle, p.memory, 0), "binding memory");
  return p;
}

void app_free_image(app *a, app_picture p) {
  a->DestroyImage(a->vk.device, p.handle, NULL);
  a->vk.FreeMemory(a->vk.device, p.memory, NULL);
}

void app_begin(app *a) {
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  app_must(a->vk.BeginCommandBuffer(a->commands, &begin), "recording");
}

void app_end(app *a) {
  app_must(a->vk.EndCommandBuffer(a->commands), "recording");
  VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &a->commands};
  app_must(a->vk.QueueSubmit(a->vk.queue, 1, &submit, VK_NULL_HANDLE), "submitting");
  app_must(a->QueueWaitIdle(a->vk.queue), "waiting");
}

void app_copy_image(app *a, app_picture *p, app_shared b, bool to_image) {
  app_begin(a);
  VkBufferImageCopy all = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1},
                           .imageExtent = {(uint32_t)p->width, (uint32_t)p->height, 1}};
  VkImageLayout layout = to_image ? VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  VkImageMemoryBarrier image = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                                .oldLayout = p->layout,
                                .newLayout = layout,
                                .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                .image = p->handle,
                                .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1, 1}};
  if (p->layout != layout)
    a->vk.CmdPipelineBarrier(a->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0,
                             NULL, 1, &image);
  p->layout = layout;
  if (to_image)
    a->vk.CmdCopyBufferToImage(a->commands, b.handle, p->handle, layout, 1, &all);
  else
    a->vk.CmdCopyImageToBuffer(a->commands, p->handle, layout, b.handle, 1, &all);
  app_end(a);
}
