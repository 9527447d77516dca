// The compute pipelines of the stages, made when first used.
#ifndef SJ_GPU_PIPELINE_H
#define SJ_GPU_PIPELINE_H

#include "gpu/layout.h"
#include "vulkan/pipeline.h"

typedef enum sj_stage {
  SJ_STAGE_FLATTEN,
  SJ_STAGE_SMALL,
  SJ_STAGE_RANK,
  SJ_STAGE_COVER,
  SJ_STAGE_RESOLVE,
  SJ_STAGE_COARSE,
  SJ_STAGE_FINE,
  SJ_STAGES
} sj_stage;

// What a scene uses, a bit each. Stages are specialised by these (pipeline.c has which).
#define SJ_FEATURE_LAYERS 1u  // coarse and fine
#define SJ_FEATURE_GRADIENTS 2u
#define SJ_FEATURE_IMAGES 4u
#define SJ_FEATURE_BLENDS 8u
#define SJ_FEATURE_OPAQUE 16u   // fine: the background is opaque, and there are no layers
#define SJ_FEATURE_STROKES 32u  // flatten
#define SJ_FEATURE_FAR 64u
#define SJ_FEATURE_CURVES 128u
#define SJ_FEATURE_FEW_BINS 256u  // coarse: more lanes a workgroup
#define SJ_FEATURE_WIDE 512u      // cover and resolve: the device adds 64 bits at a time
#define SJ_FEATURE_LONG_SUMS 1024u
#define SJ_FEATURE_ALIASED 2048u                                       // flatten and cover: draws without anti-aliasing
#define SJ_FEATURE_SHARES 4096u                                        // flatten: several workgroups share segments
enum { SJ_STAGE_FEATURES = 5, SJ_VARIANTS = 1 << SJ_STAGE_FEATURES };  // of a stage, at most

typedef struct sj_pipelines {
  sj_vk_cache cache;
  sj_vk_bindings bindings[SJ_STAGES];  // a stage's variants bind the same
  VkPipeline stages[SJ_STAGES][SJ_VARIANTS];
  uint32_t chunk;   // pixels of a lane in fine, where STIJL_VULKAN_CHUNK asks for a number; else 0
  uint32_t forced;  // features that coarse and fine have even where no scene uses them
  bool few_lanes;   // coarse never has many, which would need more shared memory than there is
} sj_pipelines;

// Features that the pipelines made next by this thread have in any case, as those of STIJL_VULKAN_FEATURES: for the lab.
extern _Thread_local uint32_t sj_pipelines_force;
stijl_result sj_pipelines_init(sj_vk *vk, sj_pipelines *pipelines, stijl_message *message);
// Writes the cache.
void sj_pipelines_finish(sj_vk *vk, sj_pipelines *pipelines);
stijl_result sj_pipelines_get(sj_vk *vk, sj_pipelines *pipelines, sj_stage stage, uint32_t features, VkPipeline *out,
                              stijl_message *message);

// shaders.c: the SPIR-V of a stage. `chunk` is used for fine only.
sj_vk_shader sj_shader_of(sj_stage stage, uint32_t features, uint32_t chunk);
const char *sj_stage_name(sj_stage stage);

// devices.c: what the renderer's shaders ask of a device.
stijl_result sj_gpu_needs(stijl_context *context, sj_vk_needs *needs, stijl_message *message);

#endif
