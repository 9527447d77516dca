#include "gpu/ramps.h"

#include <string.h>

#include "base/trial.h"

static const uint32_t code[] = {
#include "ramp.spv.inc"
};
const sj_vk_shader sj_ramp_shader = {"ramp", code, sizeof code};

// With fewer the processor is as fast as one more dispatch. (10,000 ramps take it 24 ms, and 160 MiB on the bus.)
#define LEAST_RAMPS 64

_Static_assert(sizeof(k_ramp_piece) == 4 * G_RAMP_PIECE_WORDS, "as shaders/ramp.comp loads them");

// Returns how many pieces there are, up to the last that a ramp has.
static size_t count_pieces(const sj_encoded *scene) {
  size_t pieces = 0;
  for (size_t i = 0; i < scene->ramp_count; i++)
    pieces = k_max(pieces, (size_t)scene->ramps[i].first + scene->ramps[i].count);
  return pieces;
}

static size_t bytes_of(const sj_encoded *scene) {
  return (2 * scene->ramp_count + count_pieces(scene) * G_RAMP_PIECE_WORDS) * sizeof(uint32_t);
}

bool sj_ramps_are_many(const sj_gpu *gpu, const sj_encoded *scene) {
  return !gpu->ramps_paged && scene->ramp_count && scene->ramp_count >= gpu->ramps.least &&
         bytes_of(scene) <= gpu->max_range;
}

stijl_result sj_ramps_upload(sj_gpu *gpu, const sj_encoded *scene, stijl_message *message) {
  sj_gpu_ramps *r = &gpu->ramps;
  size_t count = scene->ramp_count, bytes = bytes_of(scene);
  bool grown;
  stijl_result result = STIJL_OK;
  if (!r->bindings.pool) result = sj_vk_bindings_create(&gpu->vk, &sj_ramp_shader, &r->bindings, message);
  if (result == STIJL_OK && !r->pipeline)
    result = sj_vk_pipeline_create(&gpu->vk, &gpu->pipelines.cache, &sj_ramp_shader, NULL, 0, &r->bindings,
                                   &r->pipeline, message);
  if (result == STIJL_OK) result = sj_buffer_reserve(&gpu->vk, &r->buffer, bytes, &grown, message);
  if (result != STIJL_OK) return result;
  uint32_t *words = r->buffer.mapped;
  for (size_t i = 0; i < count; i++) {
    words[2 * i] = scene->ramps[i].first;
    words[2 * i + 1] = scene->ramps[i].count;
  }
  memcpy(words + 2 * count, scene->ramp_pieces, bytes - 2 * count * sizeof *words);
  r->params = (g_ramp_params){.ramps = (uint32_t)count, .pieces = (uint32_t)(2 * count)};
  r->bytes = bytes;
  return STIJL_OK;
}

void sj_ramps_init(sj_gpu *gpu) {
  gpu->ramps.buffer = (sj_buffer){.name = "pieces of ramps", .kind = SJ_BUFFER_UPLOAD};
  gpu->ramps.least = (uint32_t)sj_trial_number("ramps", LEAST_RAMPS);
}

void sj_ramps_record_copy(sj_gpu *gpu, VkCommandBuffer commands) {
  sj_buffer_copy_staged(&gpu->vk, commands, &gpu->ramps.buffer, gpu->ramps.bytes);
}

void sj_ramps_record(sj_gpu *gpu, VkCommandBuffer commands) {
  sj_gpu_ramps *r = &gpu->ramps;
  const sj_buffer *out = &gpu->buffers[SJ_RAMPS];
  VkDescriptorBufferInfo infos[] = {{r->buffer.handle, 0, r->bytes}, {out->handle, 0, out->bytes}};
  sj_vk_bindings_write(&gpu->vk, &r->bindings, infos);
  sj_vk_use(&gpu->vk, commands, r->pipeline, &r->bindings, &r->params);
  sj_vk_dispatch(&gpu->vk, commands, r->params.ramps);
  sj_vk_barrier(&gpu->vk, commands, SJ_VK_COMPUTE, SJ_VK_COMPUTE);
}

void sj_ramps_finish(sj_gpu *gpu) {
  sj_gpu_ramps *r = &gpu->ramps;
  if (r->pipeline) gpu->vk.DestroyPipeline(gpu->vk.device, r->pipeline, NULL);
  sj_vk_bindings_destroy(&gpu->vk, &r->bindings);
  sj_buffer_finish(&gpu->vk, &r->buffer);
}
