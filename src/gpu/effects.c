// Draws the items of filters: a dispatch for those of one kind and moment.
#include "gpu/effects.h"

#include <string.h>

#include "gpu/flight.h"
#include "gpu/record.h"
#include "gpu/state.h"
#include "gpu/submit.h"

static VkDeviceSize item_bytes(const sj_places *places) { return sj_vk_align(places->items.count * sizeof(g_item)); }

static stijl_result get_pipeline(sj_gpu *gpu, uint32_t kind, stijl_message *message) {
  VkPipeline *slot = &gpu->effects.pipelines[kind];
  if (*slot) return STIJL_OK;
  uint32_t constant = kind;
  if (kind == G_ITEM_BOXES || kind == G_ITEM_BOXES_WIDE) constant = kind == G_ITEM_BOXES_WIDE;
  if (kind == G_ITEM_BLUR || kind == G_ITEM_BLUR_TINY)
    constant = kind == G_ITEM_BLUR ? G_BLUR_PIXELS : G_BLUR_TINY_PIXELS;
  sj_vk_shader shader = sj_filter_shader_of(kind);
  return sj_vk_pipeline_create(&gpu->vk, &gpu->pipelines.cache, &shader, &constant, 1, &gpu->effects.bindings, slot,
                               message);
}

static void write_items(sj_gpu *gpu) {
  const sj_places *places = &gpu->places;
  unsigned char *base = gpu->buffers[SJ_ITEMS].mapped;
  sj_items_write(places, (g_item *)(void *)base);
  if (places->words.count)
    memcpy(base + item_bytes(places), places->words.data, places->words.count * sizeof(uint32_t));
}

stijl_result sj_effects_begin(sj_gpu *gpu, stijl_message *message) {
  const sj_places *places = &gpu->places;
  sj_effects *effects = &gpu->effects;
  effects->next = 0;
  effects->recorded = false;
  if (!places->items.count) return STIJL_OK;
  bool written = effects->written == gpu->planned && effects->made == gpu->buffers[SJ_ITEMS].made;
  // The other frame may be reading what is written here.
  stijl_result result = written ? STIJL_OK : sj_flight_settle_other(gpu, message);
  VkDeviceSize items = item_bytes(places), words = places->words.count * sizeof(uint32_t);
  if (result == STIJL_OK && !written) result = sj_reserve(gpu, SJ_ITEMS, items + words, message);
  sj_vk_shader shader = sj_filter_shader_of(G_ITEM_PIXELS);
  if (result == STIJL_OK && !effects->bindings.pool)
    result = sj_vk_bindings_create(&gpu->vk, &shader, &effects->bindings, message);
  for (size_t i = 0; result == STIJL_OK && i < places->effect_runs.count; i++)
    result = get_pipeline(gpu, places->effect_runs.data[i].kind, message);
  if (result != STIJL_OK) return result;
  if (!written) write_items(gpu);
  effects->written = gpu->planned;
  effects->made = gpu->buffers[SJ_ITEMS].made;
  const sj_buffer *texels = &gpu->buffers[SJ_TEXELS], *own = &gpu->buffers[SJ_ITEMS];
  const VkDescriptorBufferInfo ranges[] = {{texels->handle, 0, texels->bytes},
                                           {texels->handle, 0, texels->bytes},
                                           {own->handle, 0, items},
                                           {own->handle, items, words}};
  sj_vk_bindings_write(&gpu->vk, &effects->bindings, ranges);
  return STIJL_OK;
}

// The commands, and the timestamp that filters begin with.
static stijl_result begin_commands(sj_gpu *gpu, VkCommandBuffer *out, stijl_message *message) {
  sj_vk *vk = &gpu->vk;
  stijl_result result = sj_commands_begin(gpu, out, message);
  if (result != STIJL_OK || gpu->effects.recorded) return result;
  gpu->effects.recorded = true;
  sj_vk_timer_begin(vk, *out, &gpu->effects.timers[gpu->chain.count]);
  const sj_buffer *items = &gpu->buffers[SJ_ITEMS];
  if (gpu->effects.next == 0 && items->staging) {
    sj_vk_barrier(vk, *out, SJ_VK_COMPUTE, SJ_VK_COPY);
    sj_copy_upload(vk, *out, items, items->bytes);
    sj_vk_barrier(vk, *out, SJ_VK_COPY, SJ_VK_COMPUTE);
  }
  return STIJL_OK;
}

static void record_run(sj_gpu *gpu, VkCommandBuffer commands, size_t number) {
  const sj_effect_run *run = &gpu->places.effect_runs.data[number];
  g_filter_params params = sj_run_params(run);
  sj_vk_barrier(&gpu->vk, commands, SJ_VK_COMPUTE, SJ_VK_COMPUTE);
  sj_vk_use(&gpu->vk, commands, gpu->effects.pipelines[run->kind], &gpu->effects.bindings, &params);
  sj_vk_dispatch(&gpu->vk, commands, params.groups);
  gpu->dispatches++;
}

void sj_effects_record_runs(sj_gpu *gpu, VkCommandBuffer commands, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) record_run(gpu, commands, i);
  if (first < end) sj_vk_barrier(&gpu->vk, commands, SJ_VK_COMPUTE, SJ_VK_COMPUTE);
}

stijl_result sj_effects_record(sj_gpu *gpu, uint64_t level, stijl_message *message) {
  sj_effects *effects = &gpu->effects;
  const sj_places *places = &gpu->places;
  for (; effects->next < places->effect_runs.count; effects->next++) {
    if (sj_level_of(places->effect_runs.data[effects->next].moment) != level) break;
    VkCommandBuffer commands;
    stijl_result result = begin_commands(gpu, &commands, message);
    if (result != STIJL_OK) return result;
    record_run(gpu, commands, effects->next);
  }
  return STIJL_OK;
}

void sj_effects_end(sj_gpu *gpu, VkCommandBuffer commands) {
  if (!gpu->effects.recorded) return;
  sj_vk_barrier(&gpu->vk, commands, SJ_VK_COMPUTE, SJ_VK_COMPUTE);
  sj_vk_stamp(&gpu->vk, commands, &gpu->effects.timers[gpu->chain.count], 1);
  gpu->effects.recorded = false;
  gpu->effects.timed[gpu->chain.count] = true;
}

void sj_effects_read_time(sj_gpu *gpu) {
  for (int i = 0; i < SJ_VK_SETS; i++) {
    double us = 0.0;
    if (gpu->effects.timed[i]) sj_vk_times(&gpu->vk, &gpu->effects.timers[i], 2, &us);
    gpu->effects.us += us;
    gpu->effects.timed[i] = false;
  }
}

void sj_effects_finish(sj_gpu *gpu) {
  for (int i = 0; i < SJ_VK_SETS; i++) sj_vk_timer_destroy(&gpu->vk, &gpu->effects.timers[i]);
  for (int i = 0; i < G_ITEMS; i++)
    if (gpu->effects.pipelines[i]) gpu->vk.DestroyPipeline(gpu->vk.device, gpu->effects.pipelines[i], NULL);
  sj_vk_bindings_destroy(&gpu->vk, &gpu->effects.bindings);
}
