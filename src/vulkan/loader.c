// Opening the Vulkan loader, so that a program without it starts all the same.
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "base/library.h"
#include "vulkan/device.h"

SJ_LIBRARY_NOTE(
    "[{\"soname\":[\"libvulkan.so.1\"],\"feature\":\"vulkan\",\"description\":\"Drawing on a "
    "GPU\",\"priority\":\"suggested\"}]");

stijl_result sj_vk_fail(stijl_message *message, VkResult result, const char *what) {
  if (result == VK_ERROR_OUT_OF_HOST_MEMORY) return sj_fail_memory(message);
  const char *why = result == VK_ERROR_DEVICE_LOST             ? "the device was lost"
                    : result == VK_ERROR_OUT_OF_DEVICE_MEMORY  ? "out of device memory"
                    : result == VK_ERROR_INITIALIZATION_FAILED ? "initialisation failed"
                    : result == VK_ERROR_INCOMPATIBLE_DRIVER   ? "no usable driver"
                    : result == VK_TIMEOUT                     ? "the device did not answer in time"
                                                               : NULL;
  if (why) return sj_fail(message, STIJL_ERROR_DEVICE, "Vulkan, %s: %s", what, why);
  return sj_fail(message, STIJL_ERROR_DEVICE, "Vulkan, %s: error %d", what, (int)result);
}

// Returns a function of the library. They come as one type and are cast to their own.
static PFN_vkVoidFunction symbol(void *library, const char *name) {
  void *address = dlsym(library, name);
  PFN_vkVoidFunction function = NULL;
  memcpy(&function, &address, sizeof function);
  return function;
}

static bool load_functions(sj_vk_instance *instance) {
  bool all = true;
#define LOAD(name)                                                                            \
  instance->name = (PFN_vk##name)instance->GetInstanceProcAddr(instance->handle, "vk" #name); \
  all = all && instance->name;
  SJ_VK_INSTANCE(LOAD)
#undef LOAD
  return all;
}

// The process' instance, made by the first who needs it and never destroyed: NVIDIA's driver (580.159) leaves something
// in the process' static thread-local storage each time it is loaded, and cannot be loaded again after some 30 times.
// It also takes 0.1 to 0.6 s to make one.
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;
static sj_vk_instance shared;  // handle NULL: not yet

static stijl_result create_instance(sj_vk_instance *instance, stijl_message *message) {
  // RTLD_NODELETE keeps the loader's own state, for another try after one that found no driver.
  void *library = sj_library_dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE, message);
  if (!library) return STIJL_ERROR_UNSUPPORTED;
  instance->GetInstanceProcAddr = (PFN_vkGetInstanceProcAddr)symbol(library, "vkGetInstanceProcAddr");
  dlclose(library);
  PFN_vkCreateInstance create = NULL;
  PFN_vkEnumerateInstanceVersion version = NULL;
  if (instance->GetInstanceProcAddr) {
    create = (PFN_vkCreateInstance)instance->GetInstanceProcAddr(NULL, "vkCreateInstance");
    version = (PFN_vkEnumerateInstanceVersion)instance->GetInstanceProcAddr(NULL, "vkEnumerateInstanceVersion");
  }
  uint32_t found = 0;
  if (!create || !version || version(&found) != VK_SUCCESS || found < VK_API_VERSION_1_3)
    return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the Vulkan loader is older than version 1.3");
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .pApplicationName = "stijl",
                                   .pEngineName = "stijl",
                                   .apiVersion = VK_API_VERSION_1_3};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
  VkResult result = create(&info, NULL, &instance->handle);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
    return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "no Vulkan driver is installed");
  if (result != VK_SUCCESS) return sj_vk_fail(message, result, "creating the instance");
  if (load_functions(instance)) return STIJL_OK;
  if (instance->DestroyInstance) instance->DestroyInstance(instance->handle, NULL);
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the Vulkan loader lacks functions of version 1.3");
}

stijl_result sj_vk_open_instance(sj_vk_instance *instance, stijl_message *message) {
  stijl_result result = STIJL_OK;
  pthread_mutex_lock(&shared_lock);
  if (!shared.handle) {
    sj_vk_instance made = {0};
    result = create_instance(&made, message);
    if (result == STIJL_OK) shared = made;
  }
  *instance = shared;
  pthread_mutex_unlock(&shared_lock);
  return result;
}

stijl_result sj_vk_adopt_instance(sj_vk_instance *instance, PFN_vkGetInstanceProcAddr get, VkInstance handle,
                                  stijl_message *message) {
  *instance = (sj_vk_instance){.GetInstanceProcAddr = get, .handle = handle};
  if (load_functions(instance)) return STIJL_OK;
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the application's Vulkan instance lacks functions of version 1.3");
}
