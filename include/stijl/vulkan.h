// Vulkan inside the application: stijl draws on the application's VkDevice, into its buffers and images. Not part of
// stijl.h; needs no header of Vulkan's, and goes before or after one. Without it the renderer opens a device of its
// own.
//
// In a build without the Vulkan backend every function here returns STIJL_ERROR_UNSUPPORTED.
#ifndef STIJL_VULKAN_H
#define STIJL_VULKAN_H

#include "stijl/render.h"

#ifdef __cplusplus
extern "C" {
#endif

// The same types as in vulkan_core.h; both languages allow to declare them again.
typedef struct VkInstance_T *VkInstance;
typedef struct VkPhysicalDevice_T *VkPhysicalDevice;
typedef struct VkDevice_T *VkDevice;
typedef struct VkQueue_T *VkQueue;
#if defined(VK_USE_64_BIT_PTR_DEFINES) ? VK_USE_64_BIT_PTR_DEFINES : UINTPTR_MAX > 0xffffffffu
typedef struct VkBuffer_T *VkBuffer;
typedef struct VkImage_T *VkImage;
typedef struct VkSemaphore_T *VkSemaphore;
#else
typedef uint64_t VkBuffer;
typedef uint64_t VkImage;
typedef uint64_t VkSemaphore;
#endif
typedef void (*PFN_vkVoidFunction)(void);
typedef PFN_vkVoidFunction (*PFN_vkGetInstanceProcAddr)(VkInstance instance, const char *name);

// --- The device ---
//
// What it must be: an instance and a device of Vulkan 1.3 (VkApplicationInfo.apiVersion and the device's own), no
// extensions, and these features enabled when it was created:
//   scalarBlockLayout (VkPhysicalDeviceVulkan12Features), maintenance4 (VkPhysicalDeviceVulkan13Features).
// The two functions below tell and set that in code, so that a later version may ask for more. It is faster where
// shaderInt64 (VkPhysicalDeviceFeatures2) and shaderBufferInt64Atomics (VkPhysicalDeviceVulkan12Features) are enabled
// too, and `features` below tells so.

// Whether the physical device can be used: STIJL_ERROR_UNSUPPORTED, and the message names what it lacks.
STIJL_API stijl_result stijl_vulkan_check(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance,
                                          VkPhysicalDevice physical_device, stijl_message *message);

// Sets what stijl needs in a chain for VkDeviceCreateInfo.pNext, and leaves the rest of it as it is. The chain must
// hold VkPhysicalDeviceVulkan12Features and VkPhysicalDeviceVulkan13Features, or the structures that Vulkan has for the
// single features in their place; STIJL_ERROR_INVALID_ARGUMENT, and the message names the one that is missing.
STIJL_API stijl_result stijl_vulkan_enable(void *features, stijl_message *message);

// The application owns all of it, and keeps it until the renderer is destroyed. stijl submits from within its calls,
// from the calling thread, and makes objects of its own on the device; it waits for fences of its own, never for the
// queue or the device.
typedef struct stijl_vulkan_device {
  size_t size;  // bytes of this struct; set by the initialiser
  PFN_vkGetInstanceProcAddr get_instance_proc_addr;
  VkInstance instance;
  VkPhysicalDevice physical_device;
  VkDevice device;
  // One that computes; several renderers, and the application, may use the same. Frames in flight follow one another
  // fastest on queues of a family that draws no graphics. Those of two renderers run side by side where each has a
  // queue of its own of such a family, and no semaphore orders them.
  VkQueue queue;
  uint32_t queue_family;  // of the queue
  const void *features;  // VkDeviceCreateInfo.pNext as the device was created with, to be checked; NULL: it is trusted.
                         // Read by create only
  // Vulkan allows one thread at a time to submit to a queue. Called around each submission where others use the queue
  // from other threads; NULL where nobody does.
  void (*lock_queue)(void *user);
  void (*unlock_queue)(void *user);
  void *user;
} stijl_vulkan_device;

#define STIJL_VULKAN_DEVICE_INIT \
  { sizeof(stijl_vulkan_device), NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL }
STIJL_API void stijl_vulkan_device_init(stijl_vulkan_device *device, size_t size);

// A renderer like any other, that draws with this device: stijl_render draws into memory. It never falls back to the
// CPU, and backend, device and device_name of the parameters are not looked at. `params` NULL: the defaults.
STIJL_API stijl_result stijl_vulkan_renderer_create(stijl_context *context, const stijl_renderer_params *params,
                                                    const stijl_vulkan_device *device, stijl_renderer **out,
                                                    stijl_message *message);

// --- The target ---
//
// A buffer or an image that belongs to the queue's family, or is shared with it. The bits are those that stijl_render
// writes into memory of the same format.
//
// The commands are ordered against all that is submitted to the same queue before and after them by barriers of their
// own, so that semaphores are for other queues.
typedef struct stijl_vulkan_target {
  size_t size;         // bytes of this struct; set by the initialiser
  int width, height;   // of the whole canvas, 1..32767
  stijl_irect region;  // the part to render, within the canvas; all zero: the whole
  stijl_format format;
  // A buffer made with VK_BUFFER_USAGE_STORAGE_BUFFER_BIT; only pixels of the region change in it. Its size reaches to
  // a multiple of 4 bytes behind the last one. Fastest is one of STIJL_FORMAT_RGBA8 whose offset is a multiple of 256
  // and whose stride is one of 16, with a region that is a multiple of 4 pixels wide: the frame is drawn where it is.
  VkBuffer buffer;
  uint64_t offset;  // of the region's first pixel, a multiple of 4
  uint64_t stride;  // bytes from row to row, a multiple of 4
  // Or an image of one sample and at least the canvas' size, of a colour format of four bytes with the channels in the
  // order of `format`: VK_FORMAT_R8G8B8A8_* or VK_FORMAT_B8G8R8A8_*, made with VK_IMAGE_USAGE_TRANSFER_DST_BIT, and
  // with TRANSFER_SRC too where something is drawn over what it holds. The region is written at its own place.
  VkImage image;
  int image_format;           // VkFormat, so that swapped channels are found
  uint32_t mip_level, layer;  // which part; the level has at least the canvas' size
  int layout_before;          // VkImageLayout when the commands run. VK_IMAGE_LAYOUT_UNDEFINED: what it holds is lost
  int layout_after;           // and afterwards
} stijl_vulkan_target;

#define STIJL_VULKAN_TARGET_INIT \
  { sizeof(stijl_vulkan_target), 0, 0, {0, 0, 0, 0}, STIJL_FORMAT_RGBA8, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
STIJL_API void stijl_vulkan_target_init(stijl_vulkan_target *target, size_t size);

// --- A frame ---

typedef struct stijl_vulkan_semaphore {
  VkSemaphore semaphore;
  uint64_t value;  // of a timeline semaphore; 0 for a binary one
} stijl_vulkan_semaphore;

#define STIJL_VULKAN_MAX_SEMAPHORES 16

typedef struct stijl_vulkan_frame {
  size_t size;  // bytes of this struct; set by the initialiser
  // Waited for before anything touches the target. What signals them must be submitted already. At most
  // STIJL_VULKAN_MAX_SEMAPHORES of either.
  const stijl_vulkan_semaphore *wait;
  uint32_t wait_count;
  // Signalled when the target is painted. When the call fails they are not; those above may have been waited for.
  const stijl_vulkan_semaphore *signal;
  uint32_t signal_count;
  // false: the call returns when the target is painted.
  // true: it returns when all is submitted, and stijl_vulkan_finish tells the rest. Except where `keep` draws over what
  // the target holds: that is always waited for, since it could not be begun again.
  bool in_flight;
} stijl_vulkan_frame;

#define STIJL_VULKAN_FRAME_INIT \
  { sizeof(stijl_vulkan_frame), NULL, 0, NULL, 0, false }
STIJL_API void stijl_vulkan_frame_init(stijl_vulkan_frame *frame, size_t size);

// Draws a frame; the pixels never leave the device. `params` and `frame` NULL: the defaults.
//
// How much memory a frame takes is known when the device has counted. When the buffers turn out too small, nothing is
// painted, they grow to what was counted and a little more, and the frame is submitted again. This happens to the first
// frames of a scene and when a scene comes to touch more pixels than those before it. A frame that is not in flight
// does that within the call: the target is always painted when it returns STIJL_OK. For one in flight,
// stijl_vulkan_finish tells that it was not painted: a buffer is then as it was, an image's pixels are undefined,
// semaphores are signalled all the same, and the application draws the frame again, or goes on to the next, for which
// there is room.
//
// A canvas or scene beyond the device's storage ranges takes several submissions; all but the last are then waited for.
//
// Two frames at a time: while two are in flight, the next call that draws with the same renderer waits for the first of
// them; and for both, where it is not left in flight itself, draws another scene, or needs larger buffers. On failure
// the target's pixels are undefined, and an image's layout is the one before or after.
STIJL_API stijl_result stijl_vulkan_render(stijl_renderer *renderer, const stijl_scene *scene,
                                           const stijl_vulkan_target *target, const stijl_render_params *params,
                                           const stijl_vulkan_frame *frame, stijl_message *message);

// Waits for the frames in flight. *painted is false when one that was left in flight since the last call of this has to
// be drawn again, true also when none is in flight.
STIJL_API stijl_result stijl_vulkan_finish(stijl_renderer *renderer, bool *painted, stijl_message *message);

#ifdef __cplusplus
}
#endif
#endif
