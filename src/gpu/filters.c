// Draws the items of filters: a dispatch for those of one kind and moment.
#include "gpu/filters.h"

#include <string.h>

#include "gpu/flight.h"
#include "gpu/submit.h"

static VkDeviceSize item_bytes(const sj_places *places) { return sj_vk_align(places->items.count * sizeof(g_item)); }

static stijl_result get_pipeline(sj_gpu *gpu, uint32_t kind, stijl_message *message) {
  VkPipeline *slot = &gpu->filters.pipelines[kind];
  if (*slot) return STIJL_OK;
  uint32_t constant = kind;
  if (kind == G_ITEM_BOXES || kind == G_ITEM_BOXES_WIDE) constant = kind == G_ITEM_BOXES_WIDE;
  if (kind == G_ITEM_BLUR || kind == G_ITEM_BLUR_TINY)
    constant = kind == G_ITEM_BLUR ? G_BLUR_PIXELS : G_BLUR_TINY_PIXELS;
  sj_vk_shader shader = sj_filter_shader_of(kind);
  return sj_vk_pipeline_create(&gpu->vk, &gpu->pipelines.cache, &shader, &constant, 1, &gpu->filters.bindings, slot,
                               message);
}

static void write_items(sj_gpu *gpu) {
  const sj_places *places = &gpu->places;
  unsigned char *base = gpu->buffers[SJ_ITEMS].mapped;
  sj_items_write(places, (g_item *)(void *)base);
  if (places->words.count)
    memcpy(base + item_bytes(places), places->words.data, places->words.count * sizeof(uint32_t));
}

stijl_result sj_gpu_filters_begin(sj_gpu *gpu, stijl_message *message) {
  const sj_places *places = &gpu->places;
  sj_gpu_filters *filters = &gpu->filters;
  filters->next = 0;
  filters->recorded = false;
  if (!places->items.count) return STIJL_OK;
  bool written = filters->written == gpu->planned && filters->made == gpu->buffers[SJ_ITEMS].made;
  // The other frame may be reading what is written here.
  stijl_result result = written ? STIJL_OK : sj_flight_settle_other(gpu, message);
  VkDeviceSize items = item_bytes(places), words = places->words.count * sizeof(uint32_t);
  if (result == STIJL_OK && !written) result = sj_reserve(gpu, SJ_ITEMS, items + words, message);
  sj_vk_shader shader = sj_filter_shader_of(G_ITEM_PIXELS);
  if (result == STIJL_OK && !filters->bindings.pool)
    result = sj_vk_bindings_create(&gpu->vk, &shader, &filters->bindings, message);
  for (size_t i = 0; result == STIJL_OK && i < places->filter_runs.count; i++)
    result = get_pipeline(gpu, places->filter_runs.data[i].kind, message);
  if (result != STIJL_OK) return result;
  if (!written) write_items(gpu);
  filters->written = gpu->planned;
  filters->made = gpu->buffers[SJ_ITEMS].made;
  const sj_buffer *texels = &gpu->buffers[SJ_TEXELS], *own = &gpu->buffers[SJ_ITEMS];
  const VkDescriptorBufferInfo ranges[] = {{texels->handle, 0, texels->bytes},
                                           {texels->handle, 0, texels->bytes},
                                           {own->handle, 0, items},
                                           {own->handle, items, words}};
  sj_vk_bindings_write(&gpu->vk, &filters->bindings, ranges);
  return STIJL_OK;
}

// Begins the commands with the timestamp that filters begin with.
static stijl_result begin_commands(sj_gpu *gpu, VkCommandBuffer *out, stijl_message *message) {
  sj_vk *vk = &gpu->vk;
  stijl_result result = sj_commands_begin(gpu, out, message);
  if (result != STIJL_OK || gpu->filters.recorded) return result;
  gpu->filters.recorded = true;
  sj_vk_timer_begin(vk, *out, &gpu->filters.timers[gpu->chain.count]);
  const sj_buffer *items = &gpu->buffers[SJ_ITEMS];
  if (gpu->filters.next == 0 && items->staging) {
    sj_vk_barrier(vk, *out, SJ_VK_COMPUTE, SJ_VK_COPY);
    sj_buffer_copy_staged(vk, *out, items, items->bytes);
    sj_vk_barrier(vk, *out, SJ_VK_COPY, SJ_VK_COMPUTE);
  }
  return STIJL_OK;
}

static void record_run(sj_gpu *gpu, VkCommandBuffer commands, size_t number) {
  const sj_filter_run *run = &gpu->places.filter_runs.data[number];
  g_filter_params params = sj_run_params(run);
  sj_vk_barrier(&gpu->vk, commands, SJ_VK_COMPUTE, SJ_VK_COMPUTE);
  sj_vk_use(&gpu->vk, commands, gpu->filters.pipelines[run->kind], &gpu->filters.bindings, &params);
  sj_vk_dispatch(&gpu->vk, commands, params.groups);
  gpu->dispatches++;
}

void sj_gpu_filters_record_runs(sj_gpu *gpu, VkCommandBuffer commands, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) record_run(gpu, commands, i);
  if (first < end) sj_vk_barrier(&gpu->vk, commands, SJ_VK_COMPUTE, SJ_VK_COMPUTE);
}

stijl_result sj_gpu_filters_record(sj_gpu *gpu, uint64_t level, stijl_message *message) {
  sj_gpu_filters *filters = &gpu->filters;
  const sj_places *places = &gpu->places;
  for (; filters->next < places->filter_runs.count; filters->next++) {
    if (sj_level_of(places->filter_runs.data[filters->next].moment) != level) break;
    VkCommandBuffer commands;
    stijl_result result = begin_commands(gpu, &commands, message);
    if (result != STIJL_OK) return result;
    record_run(gpu, commands, filters->next);
  }
  return STIJL_OK;
}

void sj_gpu_filters_end(sj_gpu *gpu, VkCommandBuffer commands) {
  if (!gpu->filters.recorded) return;
  sj_vk_barrier(&gpu->vk, commands, SJ_VK_COMPUTE, SJ_VK_COMPUTE);
  sj_vk_stamp(&gpu->vk, commands, &gpu->filters.timers[gpu->chain.count], 1);
  gpu->filters.recorded = false;
  gpu->filters.timed[gpu->chain.count] = true;
}

void sj_gpu_filters_read_time(sj_gpu *gpu) {
  for (int i = 0; i < SJ_VK_SETS; i++) {
    double us = 0.0;
    if (gpu->filters.timed[i]) sj_vk_times(&gpu->vk, &gpu->filters.timers[i], 2, &us);
    gpu->filters.us += us;
    gpu->filters.timed[i] = false;
  }
}

void sj_gpu_filters_finish(sj_gpu *gpu) {
  for (int i = 0; i < SJ_VK_SETS; i++) sj_vk_timer_destroy(&gpu->vk, &gpu->filters.timers[i]);
  for (int i = 0; i < G_ITEMS; i++)
    if (gpu->filters.pipelines[i]) gpu->vk.DestroyPipeline(gpu->vk.device, gpu->filters.pipelines[i], NULL);
  sj_vk_bindings_destroy(&gpu->vk, &gpu->filters.bindings);
}
