// Two frames in flight: each has its own arrays of draws, commands, descriptor sets and fence; all that the device
// works with they have in common, since its barriers put one behind the other.
#include "gpu/flight.h"

#include "gpu/submit.h"

#define SWAP(type, a, b) \
  do {                   \
    type swap_ = (a);    \
    (a) = (b);           \
    (b) = swap_;         \
  } while (0)

// Changes over to what the other frame has.
static void turn(sj_gpu *gpu) {
  sj_flight *other = &gpu->other;
  SWAP(sj_vk_commands, gpu->commands, other->commands);
  SWAP(sj_buffer, gpu->buffers[SJ_FRAME], other->frame);
  SWAP(sj_buffer, gpu->buffers[SJ_READBACK], other->readback);
  SWAP(uint32_t, gpu->links, other->links);
  SWAP(bool, gpu->in_flight, other->in_flight);
  for (int set = 0; set < SJ_VK_SETS; set++) {
    SWAP(uint32_t, gpu->bound_made[set], other->bound_made[set]);
    for (int i = 0; i < G_VK_BINDINGS; i++) SWAP(VkDescriptorBufferInfo, gpu->bound[set][i], other->bound[set][i]);
  }
  for (int stage = 0; stage < SJ_STAGES; stage++) sj_vk_bindings_turn(&gpu->pipelines.bindings[stage]);
  sj_vk_bindings_turn(&gpu->transfer.bindings);
  sj_vk_bindings_turn(&gpu->filters.bindings);
  sj_vk_bindings_turn(&gpu->resident.bindings);
}

static g_needs larger(g_needs a, g_needs b) {
  return (g_needs){k_max(a.tiles, b.tiles),       k_max(a.edges, b.edges),   k_max(a.small, b.small),
                   k_max(a.commands, b.commands), k_max(a.shares, b.shares), k_max(a.words, b.words),
                   k_max(a.crowded, b.crowded)};
}

stijl_result sj_flight_settle(sj_gpu *gpu, stijl_message *message) {
  if (!gpu->in_flight) return STIJL_OK;
  VkResult waited = sj_submit_wait(gpu);
  if (waited != VK_SUCCESS) return sj_vk_fail(message, waited, "waiting for a frame");
  g_needs needed = sj_needed(gpu);
  if (g_fits(needed, gpu->capacity)) return STIJL_OK;
  gpu->lacking = gpu->lacks ? larger(gpu->lacking, needed) : needed;
  gpu->lacks = gpu->missed = true;
  return STIJL_OK;
}

stijl_result sj_flight_settle_other(sj_gpu *gpu, stijl_message *message) {
  if (!gpu->other.in_flight) return STIJL_OK;
  turn(gpu);
  stijl_result result = sj_flight_settle(gpu, message);
  turn(gpu);
  return result;
}

stijl_result sj_reserve(sj_gpu *gpu, int buffer, VkDeviceSize bytes, stijl_message *message) {
  bool own = buffer == SJ_FRAME || buffer == SJ_READBACK, grown = false;
  if (gpu->chain.open && gpu->buffers[buffer].bytes < bytes)
    return SJ_CHAIN_BROKEN;  // batches before this one use the buffer
  if (!own && gpu->buffers[buffer].bytes < bytes) {
    stijl_result result = sj_flight_settle_other(gpu, message);
    if (result != STIJL_OK) return result;
  }
  return sj_buffer_reserve(&gpu->vk, &gpu->buffers[buffer], bytes, &grown, message);
}

// Grows the buffers to this room.
static stijl_result make_room(sj_gpu *gpu, g_needs room, stijl_message *message) {
  static const struct {
    int buffer, binding;
  } sized[] = {{SJ_TILES, G_TILES}, {SJ_SUMS, G_SUMS}, {SJ_COVERAGE, G_COVERAGE},
               {SJ_EDGES, G_EDGES}, {SJ_TAGS, G_TAGS}, {SJ_COMMANDS, G_COMMANDS}};
  g_params params = {.capacity = room};
  for (size_t i = 0; i < sizeof sized / sizeof *sized; i++) {
    VkDeviceSize bytes = sj_plan_bytes(sized[i].binding, &params, &(sj_batch){0});
    stijl_result result = sj_reserve(gpu, sized[i].buffer, bytes, message);
    if (result != STIJL_OK) return result;
  }
  gpu->capacity = room;
  return STIJL_OK;
}

stijl_result sj_grow_first(sj_gpu *gpu, stijl_message *message) {
  return make_room(gpu, sj_plan_first_room(gpu->capacity, gpu->max_range, gpu->first_tiles), message);
}

stijl_result sj_grow_to(sj_gpu *gpu, g_needs needed, stijl_message *message) {
  if (needed.shares > G_MAX_SHARES)
    return sj_fail(message, STIJL_ERROR_LIMIT, "%s ends loops before their end: too many lines for one segment's shape",
                   gpu->vk.properties.deviceName);
  return make_room(gpu, sj_plan_growth(gpu->capacity, gpu->max_range, needed), message);
}

stijl_result sj_flight_land(sj_gpu *gpu, stijl_message *message) {
  stijl_result result = sj_flight_settle(gpu, message);
  if (result == STIJL_OK) result = sj_flight_settle_other(gpu, message);
  if (result != STIJL_OK || !gpu->lacks) return result;
  gpu->lacks = false;
  gpu->retries++;
  result = sj_grow_to(gpu, gpu->lacking, message);
  gpu->crowded = !g_fits(gpu->lacking, gpu->capacity);
  return result;
}

stijl_result sj_gpu_finish(sj_gpu *gpu, bool *painted, stijl_message *message) {
  stijl_result result = sj_flight_land(gpu, message);
  *painted = !gpu->missed;
  gpu->missed = false;
  return result;
}

stijl_result sj_flight_take_off(sj_gpu *gpu, const sj_render_job *job, stijl_message *message) {
  if (!job->frame || !job->frame->in_flight || job->keep || gpu->crowded) return sj_flight_land(gpu, message);
  turn(gpu);
  stijl_result result = sj_flight_settle(gpu, message);
  return result == STIJL_OK && gpu->lacks ? sj_flight_land(gpu, message) : result;
}

void sj_flight_reset(sj_gpu *gpu) {
  gpu->recording = gpu->filters.recorded = false;
  sj_flight_settle(gpu, NULL);
  sj_flight_settle_other(gpu, NULL);
  if (!gpu->in_flight) sj_vk_commands_reset(&gpu->vk, &gpu->commands);
  if (!gpu->other.in_flight) sj_vk_commands_reset(&gpu->vk, &gpu->other.commands);
}
