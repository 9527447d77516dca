// The compute pipelines of the stages, made when first used.
#ifndef SJ_GPU_PIPELINE_H
#define SJ_GPU_PIPELINE_H

#include "base/shared.h"
#include "gpu/layout.h"
#include "gpu/stages.h"
#include "vulkan/pipeline.h"

enum { SJ_VARIANTS = 1 << SJ_STAGE_FEATURES };  // of a stage, at most

// What is different in the pipelines of a renderer: for the lab.
typedef struct sj_pipelines_change {
  uint32_t features;  // that all pipelines have, whether or not a scene uses them; as STIJL_VULKAN_FEATURES
  sj_stage stage;
  sj_vk_shader shader;   // in place of this stage's, for all features; words NULL: none. The caller keeps it
  uint64_t patience_ns;  // as in sj_vk
} sj_pipelines_change;

typedef struct sj_pipelines {
  sj_vk_cache cache;
  sj_vk_bindings bindings[SJ_STAGES];  // a stage's variants bind the same
  VkPipeline stages[SJ_STAGES][SJ_VARIANTS];
  uint32_t chunk;   // pixels of a lane in fine, where STIJL_VULKAN_CHUNK asks for a number; else 0
  uint32_t forced;  // features that coarse and fine have even where no scene uses them
  bool few_lanes;   // coarse never has many, which would need more shared memory than there is
  sj_pipelines_change change;
} sj_pipelines;

// Prepares pipelines. Nothing is different if `change` is NULL.
stijl_result sj_pipelines_init(sj_vk *vk, const sj_pipelines_change *change, sj_pipelines *pipelines,
                               stijl_message *message);
// Writes the cache.
void sj_pipelines_finish(sj_vk *vk, sj_pipelines *pipelines);
stijl_result sj_pipelines_get(sj_vk *vk, sj_pipelines *pipelines, sj_stage stage, uint32_t features, VkPipeline *out,
                              stijl_message *message);

// Returns the SPIR-V of a stage (shaders.c). `chunk` is used for fine only.
SJ_SHARED sj_vk_shader sj_shader_of(sj_stage stage, uint32_t features, uint32_t chunk);
SJ_SHARED const char *sj_stage_name(sj_stage stage);
// Returns that of a kind of filter items (gpu/filter_layout.h), which its constant 0 tells; for boxes, that tells
// whether they are wide.
sj_vk_shader sj_filter_shader_of(uint32_t kind);

// Finds what the renderer's shaders ask of a device (devices.c).
SJ_SHARED stijl_result sj_gpu_needs(stijl_context *context, sj_vk_needs *needs, stijl_message *message);

#endif
