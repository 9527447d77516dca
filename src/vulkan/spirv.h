// What a compute shader asks of a device, read from its SPIR-V.
#ifndef SJ_VULKAN_SPIRV_H
#define SJ_VULKAN_SPIRV_H

#include "base/context.h"
#include "base/shared.h"

// A shader's code, and its name for messages.
typedef struct sj_vk_shader {
  const char *name;
  const uint32_t *words;
  size_t bytes;
} sj_vk_shader;

#define SJ_VK_MAX_BINDINGS 32  // binding numbers are below
#define SJ_VK_MAX_CONSTANTS 16

typedef struct sj_vk_interface {
  uint32_t bindings;         // storage buffers of set 0: a bit for each binding
  uint32_t storage_buffers;  // how many these are
  uint32_t push_bytes;       // of push constants
  uint32_t local[3];         // lanes of a workgroup
  uint32_t shared_bytes;     // laid out as Vulkan counts them (std430)
  bool rounds;               // it says that floats of 32 bits are rounded to nearest
} sj_vk_interface;

// Reads a shader's interface. `constants` are the values of the first `count` specialisation constants, numbered from
// 0; others have their defaults. STIJL_ERROR_INVALID_ARGUMENT for what is not the SPIR-V of a compute shader, or binds
// anything else than storage buffers of set 0.
SJ_SHARED stijl_result sj_vk_reflect(stijl_context *context, const sj_vk_shader *shader, const uint32_t *constants,
                                     uint32_t count, sj_vk_interface *out, stijl_message *message);

#endif
