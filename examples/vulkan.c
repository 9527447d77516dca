// The application has a Vulkan device; stijl draws into its image, and the application copies that out and writes
// vulkan.png. Build: cc vulkan.c $(pkg-config --cflags --libs stijl vulkan)
// Ends with 77 where no Vulkan device can do it.
#include <stdio.h>
#include <stdlib.h>
#include <stijl/stijl.h>
#include <stijl/vulkan.h>
#include <vulkan/vulkan.h>

enum { SIZE = 256, BYTES = SIZE * SIZE * 4, SKIP = 77 };

static void fail(int status, const char *what) {
  fprintf(stderr, "vulkan: %s\n", what);
  exit(status);
}

static void check(VkResult result, const char *what) {
  if (result != VK_SUCCESS) fail(1, what);
}

// --- What an application has anyway ---

typedef struct app {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  uint32_t family;
  VkImage image;
  VkBuffer buffer;
  VkDeviceMemory memory[2];
  VkCommandPool pool;
} app;

static bool find_family(app *a) {
  VkQueueFamilyProperties families[16];
  uint32_t count = 16;
  vkGetPhysicalDeviceQueueFamilyProperties(a->physical, &count, families);
  for (a->family = 0; a->family < count; a->family++)
    if (families[a->family].queueFlags & VK_QUEUE_COMPUTE_BIT) return true;
  return false;
}

static void open_device(app *a) {
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
  if (vkCreateInstance(&info, NULL, &a->instance) != VK_SUCCESS) fail(SKIP, "no Vulkan driver");
  VkPhysicalDevice devices[16];
  uint32_t count = 16, i = 0;
  vkEnumeratePhysicalDevices(a->instance, &count, devices);
  stijl_message message = {"no device"};
  for (; i < count; i++) {
    a->physical = devices[i];
    if (find_family(a) && stijl_vulkan_check(vkGetInstanceProcAddr, a->instance, a->physical, &message) == STIJL_OK)
      break;
  }
  if (i == count) fail(SKIP, message.text);

  VkPhysicalDeviceVulkan13Features f13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceVulkan12Features f12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                          .pNext = &f13};
  if (stijl_vulkan_enable(&f12, &message) != STIJL_OK) fail(1, message.text);  // beside what the application wants
  float priority = 1;
  VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                   .queueFamilyIndex = a->family,
                                   .queueCount = 1,
                                   .pQueuePriorities = &priority};
  VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &f12,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue};
  check(vkCreateDevice(a->physical, &device, NULL, &a->device), "opening the device");
  vkGetDeviceQueue(a->device, a->family, 0, &a->queue);
}

static VkDeviceMemory allocate(app *a, VkMemoryRequirements needs, VkMemoryPropertyFlags wanted) {
  VkPhysicalDeviceMemoryProperties types;
  vkGetPhysicalDeviceMemoryProperties(a->physical, &types);
  VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size};
  while (info.memoryTypeIndex < types.memoryTypeCount &&
         (!(needs.memoryTypeBits >> info.memoryTypeIndex & 1) ||
          (types.memoryTypes[info.memoryTypeIndex].propertyFlags & wanted) != wanted))
    info.memoryTypeIndex++;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  check(vkAllocateMemory(a->device, &info, NULL, &memory), "allocating memory");
  return memory;
}

static void make_image(app *a) {
  VkImageCreateInfo image = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                             .imageType = VK_IMAGE_TYPE_2D,
                             .format = VK_FORMAT_R8G8B8A8_UNORM,
                             .extent = {SIZE, SIZE, 1},
                             .mipLevels = 1,
                             .arrayLayers = 1,
                             .samples = VK_SAMPLE_COUNT_1_BIT,
                             .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
  VkMemoryRequirements needs;
  check(vkCreateImage(a->device, &image, NULL, &a->image), "making an image");
  vkGetImageMemoryRequirements(a->device, a->image, &needs);
  a->memory[0] = allocate(a, needs, 0);
  check(vkBindImageMemory(a->device, a->image, a->memory[0], 0), "binding memory");
  VkBufferCreateInfo buffer = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = BYTES, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  check(vkCreateBuffer(a->device, &buffer, NULL, &a->buffer), "making a buffer");
  vkGetBufferMemoryRequirements(a->device, a->buffer, &needs);
  a->memory[1] = allocate(a, needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  check(vkBindBufferMemory(a->device, a->buffer, a->memory[1], 0), "binding memory");
}

// Returns the image, which is in TRANSFER_SRC_OPTIMAL, as pixels.
static void *read_image(app *a) {
  VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = a->family};
  check(vkCreateCommandPool(a->device, &pool, NULL, &a->pool), "making a command pool");
  VkCommandBufferAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = a->pool, .commandBufferCount = 1};
  VkCommandBuffer commands;
  check(vkAllocateCommandBuffers(a->device, &info, &commands), "making commands");
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  vkBeginCommandBuffer(commands, &begin);
  VkBufferImageCopy all = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
  vkCmdCopyImageToBuffer(commands, a->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, a->buffer, 1, &all);
  VkMemoryBarrier to_host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                             .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                             .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0, NULL, 0,
                       NULL);
  vkEndCommandBuffer(commands);
  VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  check(vkQueueSubmit(a->queue, 1, &submit, VK_NULL_HANDLE), "submitting");
  check(vkQueueWaitIdle(a->queue), "waiting");
  void *pixels = NULL;
  check(vkMapMemory(a->device, a->memory[1], 0, VK_WHOLE_SIZE, 0, &pixels), "mapping memory");
  return pixels;
}

static void close_device(app *a) {
  vkDestroyCommandPool(a->device, a->pool, NULL);
  vkDestroyBuffer(a->device, a->buffer, NULL);
  vkDestroyImage(a->device, a->image, NULL);
  for (int i = 0; i < 2; i++) vkFreeMemory(a->device, a->memory[i], NULL);
  vkDestroyDevice(a->device, NULL);
  vkDestroyInstance(a->instance, NULL);
}

// --- Drawing into its image ---

static stijl_scene *record(void) {
  stijl_path *petal = NULL;
  stijl_scene *scene = NULL;
  stijl_path_create(NULL, &petal);
  stijl_path_add_ellipse(petal, 60, 0, 55, 26);
  stijl_scene_create(NULL, NULL, &scene);
  for (int i = 0; i < 9; i++) {
    stijl_matrix m = stijl_matrix_multiply(stijl_matrix_translate(128, 128), stijl_matrix_rotate((float)i * 40));
    stijl_paint paint = stijl_paint_solid((stijl_color){0.1f * (float)i, 0.5f, 1 - 0.1f * (float)i, 0.6f});
    stijl_scene_fill(scene, petal, STIJL_FILL_NONZERO, &m, &paint);
  }
  stijl_scene_finish(scene);
  stijl_path_destroy(petal);
  return scene;
}

static bool to_file(void *user, const void *data, size_t bytes) { return fwrite(data, 1, bytes, user) == bytes; }

int main(int argc, char **argv) {
  app a = {0};
  open_device(&a);
  make_image(&a);

  stijl_vulkan_device device = STIJL_VULKAN_DEVICE_INIT;
  device.get_instance_proc_addr = vkGetInstanceProcAddr;
  device.instance = a.instance, device.physical_device = a.physical, device.device = a.device;
  device.queue = a.queue, device.queue_family = a.family;
  stijl_vulkan_target target = STIJL_VULKAN_TARGET_INIT;
  target.width = target.height = SIZE;
  target.format = STIJL_FORMAT_RGBA8, target.image = a.image, target.image_format = VK_FORMAT_R8G8B8A8_UNORM;
  target.layout_before = VK_IMAGE_LAYOUT_UNDEFINED, target.layout_after = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  stijl_vulkan_frame frame = STIJL_VULKAN_FRAME_INIT;
  frame.in_flight = true;

  stijl_renderer *renderer = NULL;
  stijl_scene *scene = record();
  stijl_message message = {""};
  stijl_result result = stijl_vulkan_renderer_create(NULL, NULL, &device, &renderer, &message);
  // Nothing waits for the device, but once: a first frame may find its buffers too small, and is drawn again.
  bool painted = false;
  while (result == STIJL_OK && !painted) {
    result = stijl_vulkan_render(renderer, scene, &target, NULL, &frame, &message);
    if (result == STIJL_OK) result = stijl_vulkan_finish(renderer, &painted, &message);
  }
  if (result != STIJL_OK) fail(1, message.text);

  FILE *out = fopen(argc > 1 ? argv[1] : "vulkan.png", "wb");
  if (!out) fail(1, "cannot write the picture");
  result = stijl_png_encode(NULL, SIZE, SIZE, target.format, read_image(&a), SIZE * 4, NULL, to_file, out, NULL);
  if (fclose(out) != 0) result = STIJL_ERROR_IO;
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
  close_device(&a);
  return result == STIJL_OK ? 0 : 1;
}
