// Vulkan inside the application: stijl draws on the application's VkDevice, into its buffers and images. This header is
// not part of stijl.h. It needs no header of Vulkan's, and may be included before or after one. An application that
// does not use it can still draw with Vulkan, on a device that the renderer opens by itself.
//
// In a build without Vulkan every function here except the initialisers returns STIJL_ERROR_UNSUPPORTED.
#ifndef STIJL_VULKAN_H
#define STIJL_VULKAN_H

#include "stijl/render.h"

#ifdef __cplusplus
extern "C" {
#endif

// The same types as in vulkan_core.h. C and C++ allow to declare them again.
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
// stijl needs an instance and a device of Vulkan 1.3 (VkApplicationInfo.apiVersion and the device's own), no
// extensions, and these features, enabled when the device was created:
//   scalarBlockLayout (VkPhysicalDeviceVulkan12Features), maintenance4 (VkPhysicalDeviceVulkan13Features).
// The two functions below check and set that in code, so that a later version may need more. stijl is faster if
// shaderInt64 (VkPhysicalDeviceFeatures2) and shaderBufferInt64Atomics (VkPhysicalDeviceVulkan12Features) are enabled
// too, and stijl_vulkan_device.features tells it so.

// Returns STIJL_OK if stijl can use the physical device, or STIJL_ERROR_UNSUPPORTED and a message that names what it
// lacks.
STIJL_API stijl_result stijl_vulkan_check(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance,
                                          VkPhysicalDevice physical_device, stijl_message *message);

// Sets what stijl needs in a chain for VkDeviceCreateInfo.pNext, and leaves the rest of the chain as it is. The chain
// must hold VkPhysicalDeviceVulkan12Features and VkPhysicalDeviceVulkan13Features, or in their place the structures
// that Vulkan has for the single features. Otherwise it returns STIJL_ERROR_INVALID_ARGUMENT, and the message names
// what is missing.
STIJL_API stijl_result stijl_vulkan_enable(void *features, stijl_message *message);

// The application's device. The application owns all of it, and keeps it until the renderer is destroyed. stijl submits
// within its calls, on the calling thread, and makes objects of its own on the device. It waits for fences of its own,
// and never for the queue or the device.
typedef struct stijl_vulkan_device {
  size_t size;  // bytes of this struct; set by the initialiser
  PFN_vkGetInstanceProcAddr get_instance_proc_addr;
  VkInstance instance;
  VkPhysicalDevice physical_device;
  VkDevice device;
  // A queue that computes, which several renderers and the application may share. Frames in flight follow one another
  // fastest on queues of a family that draws no graphics. Those of two renderers run side by side if each renderer has
  // a queue of its own of such a family and no semaphore orders them.
  VkQueue queue;
  uint32_t queue_family;  // the family of the queue
  // The VkDeviceCreateInfo.pNext that the device was created with, which is checked and read only by
  // stijl_vulkan_renderer_create. If it is NULL, the device is trusted to have what stijl needs.
  const void *features;
  // Lock and unlock the queue, because Vulkan allows one thread at a time to submit to a queue. They are called around
  // each submission, and are needed if others use the queue on other threads; else they are NULL.
  void (*lock_queue)(void *user);
  void (*unlock_queue)(void *user);
  // Passed to both.
  void *user;
} stijl_vulkan_device;

#define STIJL_VULKAN_DEVICE_INIT STIJL_INIT(stijl_vulkan_device, .get_instance_proc_addr = NULL)
STIJL_API void stijl_vulkan_device_init(stijl_vulkan_device *device, size_t size);

// Creates a renderer that draws on this device; stijl_render draws into memory with it too. It never falls back to the
// CPU, and ignores the backend, device and device_name of its parameters. If `params` is NULL, the defaults apply.
STIJL_API stijl_result stijl_vulkan_renderer_create(stijl_context *context, const stijl_renderer_params *params,
                                                    const stijl_vulkan_device *device, stijl_renderer **out,
                                                    stijl_message *message);

// --- The target ---
//
// The target is a buffer or an image that belongs to the queue's family, or is shared with it. It gets the same bits
// that stijl_render writes into memory of the same format.
//
// Barriers of stijl's own order its commands against everything that is submitted to the same queue before and after
// them. Semaphores are thus only needed for other queues.
// What a frame is drawn into: either a buffer or an image.
typedef struct stijl_vulkan_target {
  size_t size;         // bytes of this struct; set by the initialiser
  int width, height;   // of the whole canvas in pixels, 1..32767
  stijl_irect region;  // the part that is drawn, within the canvas; all zero for the whole
  stijl_format format;
  // A buffer that was created with VK_BUFFER_USAGE_STORAGE_BUFFER_BIT. Only pixels of the region change in it. It must
  // reach to a multiple of 4 bytes after the last pixel. A buffer of STIJL_FORMAT_RGBA8 is fastest if its offset is a
  // multiple of 256, its stride one of 16 and the width of the region one of 4 pixels, because the frame is then drawn
  // in place.
  VkBuffer buffer;
  uint64_t offset;  // bytes to the region's first pixel, a multiple of 4
  uint64_t stride;  // bytes from row to row, a multiple of 4
  // Or an image of one sample and at least the canvas's size. Its colour format has four bytes with the channels in the
  // order of `format`: VK_FORMAT_R8G8B8A8_* or VK_FORMAT_B8G8R8A8_*. It was created with
  // VK_IMAGE_USAGE_TRANSFER_DST_BIT, and with VK_IMAGE_USAGE_TRANSFER_SRC_BIT too if frames are drawn over what it
  // holds. The region is written at its own place.
  VkImage image;
  int image_format;           // a VkFormat, given so that swapped channels are found
  uint32_t mip_level, layer;  // the part of the image; the level has at least the canvas's size
  // The VkImageLayout when the commands run. With VK_IMAGE_LAYOUT_UNDEFINED what the image holds is lost.
  int layout_before;
  int layout_after;  // the VkImageLayout afterwards
} stijl_vulkan_target;

#define STIJL_VULKAN_TARGET_INIT STIJL_INIT(stijl_vulkan_target, .format = STIJL_FORMAT_RGBA8)
STIJL_API void stijl_vulkan_target_init(stijl_vulkan_target *target, size_t size);

// --- A frame ---

// A semaphore of the application's, and the value to wait for or to signal.
typedef struct stijl_vulkan_semaphore {
  VkSemaphore semaphore;
  uint64_t value;  // of a timeline semaphore; 0 for a binary one
} stijl_vulkan_semaphore;

#define STIJL_VULKAN_MAX_SEMAPHORES 16

// How a frame is ordered against other work.
typedef struct stijl_vulkan_frame {
  size_t size;  // bytes of this struct; set by the initialiser
  // Semaphores that are waited for before anything touches the target. What signals them must have been submitted
  // already. There may be STIJL_VULKAN_MAX_SEMAPHORES of them, and as many of the others.
  const stijl_vulkan_semaphore *wait;
  uint32_t wait_count;
  // Semaphores that are signalled when the target is painted. If the call fails they are not, but those above may have
  // been waited for.
  const stijl_vulkan_semaphore *signal;
  uint32_t signal_count;
  // If it is false, the call returns when the target is painted. If it is true, the call returns when everything is
  // submitted, and stijl_vulkan_finish tells the rest. A frame that stijl_render_params.keep draws over what the target
  // holds is always waited for, because it could not be drawn again.
  bool in_flight;
} stijl_vulkan_frame;

#define STIJL_VULKAN_FRAME_INIT STIJL_INIT(stijl_vulkan_frame, .wait = NULL)
STIJL_API void stijl_vulkan_frame_init(stijl_vulkan_frame *frame, size_t size);

// Draws a frame, whose pixels never leave the device. If `params` or `frame` is NULL, the defaults apply.
//
// How much memory a frame takes is known once the device has counted. If the buffers turn out too small, nothing is
// painted: they grow to what was counted and a little more, and the frame is submitted again. This happens to the first
// frames of a scene, and when a scene comes to touch more pixels than before. A frame that is not in flight is
// submitted again within the call, so that its target is always painted when the call returns STIJL_OK. Of a frame in
// flight stijl_vulkan_finish tells that it was not painted. A buffer is then as it was, the pixels of an image are
// undefined, and the semaphores are signalled all the same. The application draws the frame again, or goes on to the
// next one, for which there is room.
//
// A canvas or scene beyond the device's storage ranges takes several submissions, of which all but the last are waited
// for.
//
// At most two frames are in flight. While two are, the next call that draws with the same renderer waits for the first
// of them. It waits for both if its own frame is not in flight, if it draws another scene, or if it needs larger
// buffers. On failure the target's pixels are undefined, and an image has the layout of before or after.
STIJL_API stijl_result stijl_vulkan_render(stijl_renderer *renderer, const stijl_scene *scene,
                                           const stijl_vulkan_target *target, const stijl_render_params *params,
                                           const stijl_vulkan_frame *frame, stijl_message *message);

// Draws pictures, as stijl_render_many does, into a target on the device: all as one frame, for which the same holds as
// above. Where they are not one frame, because together they are beyond a limit, the call waits for each of them; of a
// buffer of STIJL_FORMAT_A8 that is a failure.
STIJL_API stijl_result stijl_vulkan_render_many(stijl_renderer *renderer, const stijl_picture *pictures, size_t count,
                                                const stijl_vulkan_target *target, stijl_budget *budget,
                                                const stijl_vulkan_frame *frame, stijl_message *message);

// Waits for the frames in flight. *painted becomes false if one that was left in flight since the last such call must
// be drawn again, and else true, also if none is in flight.
STIJL_API stijl_result stijl_vulkan_finish(stijl_renderer *renderer, bool *painted, stijl_message *message);

#ifdef __cplusplus
}
#endif
#endif
