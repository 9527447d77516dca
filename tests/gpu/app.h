// An application with a Vulkan device of its own, for tests.
#ifndef SJ_TEST_APP_H
#define SJ_TEST_APP_H

#include <pthread.h>
#include <stdatomic.h>

#include "vulkan/device.h"
#include "test.h"

#define APP_FUNCTIONS(f)                                                                             \
  f(CreateImage) f(DestroyImage) f(GetImageMemoryRequirements) f(BindImageMemory) f(CreateSemaphore) \
      f(DestroySemaphore) f(SignalSemaphore) f(GetSemaphoreCounterValue) f(QueueWaitIdle)

typedef struct app {
  sj_vk vk;  // the functions, of a device of the application's own
  VkDevice first;
  VkPhysicalDeviceFeatures2 features;  // that the device was made with
  VkPhysicalDeviceVulkan12Features f12;
  VkPhysicalDeviceVulkan13Features f13;
  stijl_vulkan_device device;
  VkCommandPool pool;
  VkCommandBuffer commands;
  pthread_mutex_t mutex;
  atomic_int locked;
#define MEMBER(name) PFN_vk##name name;
  APP_FUNCTIONS(MEMBER)
} app;

// A buffer that the host sees too.
typedef struct app_shared {
  VkBuffer handle;
  VkDeviceMemory memory;
  uint8_t *bytes;
} app_shared;

typedef struct app_picture {
  VkImage handle;
  VkDeviceMemory memory;
  int width, height;
  VkImageLayout layout;
} app_picture;

// Ends the program.
void app_must(VkResult result, const char *what);
// Locks for stijl_vulkan_device: counts in `locked`.
void app_lock(void *user);
void app_unlock(void *user);
// Opens the device that the tests are asked to use, with features that stijl does not need. Returns false when none is
// asked for.
bool app_open(app *a);
void app_close(app *a);
stijl_renderer *app_renderer(app *a);
// Makes a renderer with one of the backend's environment variables set meanwhile.
stijl_renderer *app_renderer_with(app *a, const char *name, const char *value);
app_shared app_buffer(app *a, size_t bytes, VkBufferUsageFlags usage);
void app_free_buffer(app *a, app_shared b);
// Makes an image of two layers; the second is drawn into.
app_picture app_image(app *a, int width, int height, VkFormat format);
void app_free_image(app *a, app_picture p);
// Records a->commands, and runs them.
void app_begin(app *a);
void app_end(app *a);
// Copies layer 1 of the image to the buffer, or the other way round, without waiting for anything before: what stijl
// submitted to the queue orders itself.
void app_copy_image(app *a, app_picture *p, app_shared b, bool to_image);

#endif
