// Pipelines: what their shaders bind, their specialisation constants, and the cache that keeps them on disk.
#ifndef SJ_VULKAN_PIPELINE_H
#define SJ_VULKAN_PIPELINE_H

#include "base/shared.h"
#include "vulkan/commands.h"

// --- What shaders bind ---

// Descriptor sets of a submission, each of which may have other ranges.
enum { SJ_VK_SETS = 5 };

// The storage buffers and the push constants of a shader, or of several that have the same; and twice as many
// descriptor sets as a submission uses, so that one half can be written while the device uses the other.
typedef struct sj_vk_bindings {
  sj_vk_interface interface;
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkDescriptorPool pool;
  VkDescriptorSet sets[2][SJ_VK_SETS];
  uint32_t half, number;
  VkDescriptorSet set;  // sets[half][number], which is written and used
} sj_vk_bindings;

// Makes sets of buffers as the shader's code says. Destroying is allowed for what was not made, too.
SJ_SHARED stijl_result sj_vk_bindings_create(sj_vk *vk, const sj_vk_shader *shader, sj_vk_bindings *out,
                                             stijl_message *message);
SJ_SHARED void sj_vk_bindings_destroy(sj_vk *vk, sj_vk_bindings *bindings);
// Puts buffers into the set, for each binding that the shader has: ranges[b] for binding b. The device may not be using
// the set.
SJ_SHARED void sj_vk_bindings_write(sj_vk *vk, sj_vk_bindings *bindings, const VkDescriptorBufferInfo *ranges);

// Makes this set the one that is written and used from now on: of the same half, or, in the second function, of the
// other.
static inline void sj_vk_bindings_select(sj_vk_bindings *bindings, uint32_t number) {
  bindings->number = number;
  bindings->set = bindings->sets[bindings->half][number];
}
static inline void sj_vk_bindings_turn(sj_vk_bindings *bindings) {
  bindings->half = 1 - bindings->half;
  sj_vk_bindings_select(bindings, bindings->number);
}

// --- The cache ---

typedef struct sj_vk_cache {
  VkPipelineCache handle;
  bool changed;  // pipelines were made that the cache on disk may lack
} sj_vk_cache;

// Reads the cache of the device from disk, where there is one.
stijl_result sj_vk_cache_open(sj_vk *vk, sj_vk_cache *out, stijl_message *message);
// Writes it.
SJ_SHARED void sj_vk_cache_close(sj_vk *vk, sj_vk_cache *cache);

// --- Pipelines ---

// Compiles a shader for any layout, without asking whether the device allows what the shader needs. `count` is at most
// SJ_VK_MAX_CONSTANTS; *out is null on failure.
SJ_SHARED VkResult sj_vk_pipeline_compile(const sj_vk *vk, const sj_vk_shader *shader, const uint32_t *constants,
                                          uint32_t count, VkPipelineLayout layout, VkPipelineCache cache,
                                          VkPipelineCreateFlags flags, VkPipeline *out);

// Makes a pipeline of a shader with these bindings, which the caller destroys. `constants` are the values of the
// specialisation constants 0 to `count` - 1. Fails with the limit's name where the device allows less than the shader
// then asks for.
SJ_SHARED stijl_result sj_vk_pipeline_create(sj_vk *vk, sj_vk_cache *cache, const sj_vk_shader *shader,
                                             const uint32_t *constants, uint32_t count, const sj_vk_bindings *bindings,
                                             VkPipeline *out, stijl_message *message);

// Binds a pipeline and its buffers, and sets its push constants, as many bytes as its shader has.
SJ_SHARED void sj_vk_use(const sj_vk *vk, VkCommandBuffer commands, VkPipeline pipeline, const sj_vk_bindings *bindings,
                         const void *push);
static inline void sj_vk_push(const sj_vk *vk, VkCommandBuffer commands, const sj_vk_bindings *b, const void *push) {
  if (b->interface.push_bytes)
    vk->CmdPushConstants(commands, b->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, b->interface.push_bytes, push);
}

#endif
