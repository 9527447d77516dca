#include "gpu/pipeline.h"

#include <stdlib.h>
#include <string.h>

// Returns the features that STIJL_VULKAN_FEATURES forces, for measurements: "all" or some of these names.
static uint32_t forced_features(void) {
  static const char *const names[] = {"layers", "gradients", "images", "blends"};
  const char *text = getenv("STIJL_VULKAN_FEATURES");
  uint32_t features = 0;
  for (uint32_t i = 0; text && i < sizeof names / sizeof *names; i++)
    if (strcmp(text, "all") == 0 || strstr(text, names[i])) features |= 1u << i;
  return features;
}

// Returns whether the device has too little shared memory for coarse with many lanes.
static bool has_few_lanes(const sj_vk *vk) {
  sj_vk_needs needs = {0};
  sj_vk_shader many = sj_shader_of(SJ_STAGE_COARSE, SJ_FEATURE_FEW_BINS, 0);
  return sj_vk_needs_add(vk->context, &needs, &many, NULL, 0, NULL) != STIJL_OK ||
         sj_vk_limit(&vk->properties.limits, &needs).name;
}

stijl_result sj_pipelines_init(sj_vk *vk, const sj_pipelines_change *change, sj_pipelines *p, stijl_message *message) {
  *p = (sj_pipelines){0};
  const char *chunk = getenv("STIJL_VULKAN_CHUNK");  // for measurements
  if (chunk && atoi(chunk) >= 1 && atoi(chunk) <= 16) p->chunk = (uint32_t)atoi(chunk);
  if (change) p->change = *change;
  if (p->change.patience_ns) vk->patience_ns = p->change.patience_ns;
  p->forced = forced_features() | p->change.features;
  p->few_lanes = has_few_lanes(vk);
  stijl_result result = sj_vk_cache_open(vk, &p->cache, message);
  for (int stage = 0; stage < SJ_STAGES && result == STIJL_OK; stage++) {
    sj_vk_shader shader = sj_shader_of((sj_stage)stage, 0, 4);
    result = sj_vk_bindings_create(vk, &shader, &p->bindings[stage], message);
  }
  if (result != STIJL_OK) sj_pipelines_finish(vk, p);
  return result;
}

void sj_pipelines_finish(sj_vk *vk, sj_pipelines *p) {
  for (int stage = 0; stage < SJ_STAGES; stage++) {
    for (uint32_t i = 0; i < SJ_VARIANTS; i++)
      if (p->stages[stage][i]) vk->DestroyPipeline(vk->device, p->stages[stage][i], NULL);
    sj_vk_bindings_destroy(vk, &p->bindings[stage]);
  }
  if (p->change.shader.words) p->cache.changed = false;  // the lab's variants are not worth being cached
  sj_vk_cache_close(vk, &p->cache);
  *p = (sj_pipelines){0};
}

stijl_result sj_pipelines_get(sj_vk *vk, sj_pipelines *p, sj_stage stage, uint32_t features, VkPipeline *out,
                              stijl_message *message) {
  features |= p->forced;
  if (p->few_lanes) features &= ~SJ_FEATURE_FEW_BINS;
  uint32_t constants[SJ_STAGE_FEATURES], variant = sj_stage_variant(stage, features);
  for (uint32_t i = 0; i < SJ_STAGE_FEATURES; i++) constants[i] = variant >> i & 1;
  VkPipeline *slot = &p->stages[stage][variant];
  *out = *slot;
  if (*slot) return STIJL_OK;
  // With gradients fewer lanes, of more pixels each, are faster: each lane loads the paint once.
  uint32_t chunk = p->chunk ? p->chunk : features & SJ_FEATURE_GRADIENTS ? 8 : 4;
  bool changed = p->change.shader.words && p->change.stage == stage;
  sj_vk_shader shader = changed ? p->change.shader : sj_shader_of(stage, features, chunk);
  stijl_result result =
      sj_vk_pipeline_create(vk, &p->cache, &shader, constants, SJ_STAGE_FEATURES, &p->bindings[stage], slot, message);
  *out = *slot;
  return result;
}
