// Records the commands of a batch.
#include "gpu/record.h"

#include <stddef.h>
#include <string.h>

#include "gpu/filters.h"
#include "gpu/flight.h"
#include "gpu/resident.h"
#include "gpu/submit.h"
#include "image/convert.h"

#define COMPUTE SJ_VK_COMPUTE
#define COPY SJ_VK_COPY
#define ALL VK_PIPELINE_STAGE_ALL_COMMANDS_BIT

// Returns how many times buffers have been made: it changes when one grows.
static uint32_t count_made(const sj_gpu *gpu) {
  uint32_t made = 0;
  for (int i = 0; i < SJ_BUFFERS; i++) made += gpu->buffers[i].made;
  return made + gpu->resident.buffer.made;
}

void sj_bind(sj_gpu *gpu, const sj_band *band, const sj_frame_layout *l) {
  const sj_buffer *b = gpu->buffers;
  const struct {
    int buffer;
    VkDeviceSize offset, bytes;
  } ranges[G_VK_BINDINGS] = {[G_POINTS] = {SJ_POINTS, 0, b[SJ_POINTS].bytes},
                             [G_SEGMENTS] = {SJ_SEGMENTS, 0, b[SJ_SEGMENTS].bytes},
                             [G_PATHS] = {SJ_FRAME, l->paths, l->records - l->paths},
                             [G_PENS] = {SJ_FRAME, l->pens, l->paints - l->pens},
                             [G_PAINTS] = {SJ_FRAME, l->paints, l->uses - l->paints},
                             [G_USES] = {SJ_FRAME, l->uses, l->paths - l->uses},
                             [G_RECORDS] = {SJ_FRAME, l->records, l->blocks - l->records},
                             [G_BLOCKS] = {SJ_FRAME, l->blocks, l->totals - l->blocks},
                             [G_TOTALS] = {SJ_FRAME, l->totals, l->end - l->totals},
                             [G_RAMPS] = {SJ_RAMPS, 0, b[SJ_RAMPS].bytes},
                             [G_TEXELS] = {SJ_TEXELS, 0, b[SJ_TEXELS].bytes},
                             [G_CONTROL] = {SJ_SCRATCH, 0, sizeof(g_control)},
                             [G_LISTS] = {SJ_SCRATCH, SJ_LISTS_OFFSET, b[SJ_SCRATCH].bytes - SJ_LISTS_OFFSET},
                             [G_MARKS] = {SJ_MARKS, 0, b[SJ_MARKS].bytes},
                             [G_WORDS] = {SJ_WORDS, 0, b[SJ_WORDS].bytes},
                             [G_BINS] = {SJ_BINS, 0, b[SJ_BINS].bytes},
                             [G_TILES] = {SJ_TILES, 0, b[SJ_TILES].bytes},
                             [G_SUMS] = {SJ_SUMS, 0, b[SJ_SUMS].bytes},
                             [G_CARRIES] = {SJ_CARRIES, 0, b[SJ_CARRIES].bytes},
                             [G_COVERAGE] = {SJ_COVERAGE, 0, b[SJ_COVERAGE].bytes},
                             [G_EDGES] = {SJ_EDGES, 0, b[SJ_EDGES].bytes},
                             [G_TAGS] = {SJ_TAGS, 0, b[SJ_TAGS].bytes},
                             [G_COMMANDS] = {SJ_COMMANDS, 0, b[SJ_COMMANDS].bytes},
                             [G_TARGET] = {band->buffer, band->first, band->bytes},
                             [G_SPILL] = {SJ_SPILL, 0, b[SJ_SPILL].bytes},
                             [G_TOLD] = {SJ_READBACK, gpu->chain.count * SJ_VK_ALIGN, sizeof(g_needs)}};
  VkDescriptorBufferInfo infos[G_VK_BINDINGS];
  for (uint32_t i = 0; i < G_VK_BINDINGS; i++) {
    // An empty range is not allowed; nothing is read from it.
    VkDeviceSize bytes = ranges[i].bytes ? ranges[i].bytes : SJ_VK_ALIGN;
    VkDeviceSize offset = ranges[i].bytes ? ranges[i].offset : 0;
    infos[i] = (VkDescriptorBufferInfo){b[ranges[i].buffer].handle, offset, bytes};
  }
  bool resident = gpu->recorded.batch.resident;
  if (resident) infos[G_SOURCES] = (VkDescriptorBufferInfo){gpu->resident.buffer.handle, 0, gpu->resident.buffer.bytes};
  bool direct = gpu->recorded.direct;
  if (direct) infos[G_TARGET] = sj_transfer_range(&gpu->transfer, band->region);
  uint32_t made = count_made(gpu);
  uint32_t number = gpu->chain.count;
  sj_select_sets(gpu, number);
  if (made == gpu->bound_made[number] && memcmp(infos, gpu->bound[number], sizeof infos) == 0) {
    // It is written again for each frame, since a new buffer of the application may have the handle of an old one.
    if (direct) sj_vk_bindings_write(&gpu->vk, &gpu->pipelines.bindings[SJ_STAGE_FINE], infos);
    return;
  }
  memcpy(gpu->bound[number], infos, sizeof infos);
  gpu->bound_made[number] = made;
  for (int stage = 0; stage < SJ_STAGES; stage++)
    sj_vk_bindings_write(&gpu->vk, &gpu->pipelines.bindings[stage], infos);
  if (resident) sj_vk_bindings_write(&gpu->vk, &gpu->resident.bindings, infos);
}

bool sj_is_bound(const sj_gpu *gpu, uint32_t number) { return gpu->bound_made[number] == count_made(gpu); }

stijl_result sj_bind_own_target(sj_gpu *gpu, uint32_t number, stijl_message *message) {
  VkDescriptorBufferInfo *target = &gpu->bound[number][G_TARGET];
  stijl_result result = sj_reserve(gpu, SJ_TARGET, target->range, message);
  if (result != STIJL_OK) return result;
  *target = (VkDescriptorBufferInfo){gpu->buffers[SJ_TARGET].handle, 0, target->range};
  gpu->bound_made[number] = count_made(gpu);
  sj_select_sets(gpu, number);
  sj_vk_bindings_write(&gpu->vk, &gpu->pipelines.bindings[SJ_STAGE_FINE], gpu->bound[number]);
  gpu->recorded.direct = gpu->chain.links[number].recorded.direct = false;
  return STIJL_OK;
}

static void stamp(sj_gpu *gpu, VkCommandBuffer commands, sj_stage after) {
  if (gpu->timed) sj_vk_stamp(&gpu->vk, commands, &gpu->timers[gpu->chain.count], (uint32_t)after + 2);
}

static void use(sj_gpu *gpu, VkCommandBuffer commands, sj_stage stage, VkPipeline pipeline, const g_params *params) {
  sj_vk_use(&gpu->vk, commands, pipeline, &gpu->pipelines.bindings[stage], params);
  gpu->dispatches++;
}

static void dispatch(sj_gpu *gpu, VkCommandBuffer commands, sj_stage stage, VkPipeline pipeline, const g_params *params,
                     uint32_t groups) {
  use(gpu, commands, stage, pipeline, params);
  sj_vk_dispatch(&gpu->vk, commands, groups);
}

static void record_fine(sj_gpu *gpu, VkCommandBuffer commands, VkPipeline pipeline, g_params *params,
                        uint32_t tiles_at_once) {
  uint32_t tiles = sj_tiles(params);
  for (uint32_t first = 0; first < tiles; first += tiles_at_once) {
    // This dispatch of fine spills layers to the same places as the one before.
    if (first && params->spill_levels) sj_vk_barrier(&gpu->vk, commands, COMPUTE, COMPUTE);
    params->first_tile = first;
    uint32_t count = tiles - first < tiles_at_once ? tiles - first : tiles_at_once;
    dispatch(gpu, commands, SJ_STAGE_FINE, pipeline, params, count);
  }
}

// Buffers that are zero between frames: the stage that reads one last sets it back to zero.
static const int zeroed[] = {SJ_SCRATCH, SJ_MARKS, SJ_BINS, SJ_SUMS};
enum { ZEROED = sizeof zeroed / sizeof *zeroed };

bool sj_any_fresh(const sj_gpu *gpu) {
  for (int i = 0; i < ZEROED; i++)
    if (gpu->buffers[zeroed[i]].fresh) return true;
  return false;
}

static void clear_fresh(sj_gpu *gpu, VkCommandBuffer commands) {
  for (int i = 0; i < ZEROED; i++) {
    sj_buffer *buffer = &gpu->buffers[zeroed[i]];
    if (buffer->fresh) gpu->vk.CmdFillBuffer(commands, buffer->handle, 0, VK_WHOLE_SIZE, 0);
    buffer->fresh = false;
  }
}

void sj_set_fresh(sj_gpu *gpu) {
  for (int i = 0; i < ZEROED; i++) gpu->buffers[zeroed[i]].fresh = true;
}

// Clears carries. Before the batch's first cover they have to be zero, and the counts of lines so large that their sign
// bit gets set by one more than the limit; a batch that goes in parts has several.
static void clear_carries(sj_gpu *gpu, VkCommandBuffer commands, const sj_recorded *frame) {
  VkDeviceSize bytes = sj_plan_bytes(G_CARRIES, &frame->params, &frame->batch);
  uint32_t value = frame->batch.features & SJ_FEATURE_CROSSINGS ? INT32_MAX - frame->batch.windings : 0;
  if (!bytes) return;
  sj_vk_barrier(&gpu->vk, commands, COMPUTE, COPY);
  gpu->vk.CmdFillBuffer(commands, gpu->buffers[SJ_CARRIES].handle, 0, bytes, value);
  sj_vk_barrier(&gpu->vk, commands, COPY, COMPUTE);
}

// Encodes the draws of a batch.
static void record_encode(sj_gpu *gpu, VkCommandBuffer commands, const sj_recorded *frame) {
  sj_vk *vk = &gpu->vk;
  sj_resident *r = &gpu->resident;
  if (r->upload && r->buffer.staging) {
    sj_vk_barrier(vk, commands, COMPUTE, COPY);
    sj_buffer_copy_staged(vk, commands, &r->buffer, r->buffer.bytes);
    sj_vk_barrier(vk, commands, COPY, COMPUTE);
  }
  r->upload = false;
  g_encoding encoding = frame->encoding;
  uint32_t each = G_ENCODE_GROUP * encoding.turns, groups = (encoding.draws + each - 1) / each;
  for (encoding.write = 0; encoding.write < 2; encoding.write++) {
    sj_vk_use(vk, commands, r->pipeline, &r->bindings, &encoding);
    sj_vk_dispatch(vk, commands, groups);
    gpu->dispatches++;
    sj_vk_barrier(vk, commands, COMPUTE, encoding.write ? COMPUTE | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT : COMPUTE);
  }
}

static void dispatch_indirect(sj_gpu *gpu, VkCommandBuffer commands, sj_stage stage, VkPipeline pipeline,
                              const g_params *params, int buffer, VkDeviceSize groups) {
  use(gpu, commands, stage, pipeline, params);
  gpu->vk.CmdDispatchIndirect(commands, gpu->buffers[buffer].handle, groups);
}

// Returns where in SJ_FRAME the number of workgroups is that encode.comp has found.
static VkDeviceSize groups_at(const sj_recorded *frame, uint32_t quad) {
  return frame->totals + quad * 4 * sizeof(uint32_t);
}

static void record_flatten(sj_gpu *gpu, VkCommandBuffer commands, const sj_recorded *frame) {
  const sj_batch *batch = &frame->batch;
  g_params params = frame->params;
  // Fills and strokes run beside each other. Strokes begin, since their workgroups take longer.
  for (int list = 1; list >= 0; list--) {
    if (!batch->lists[list].items) continue;
    params.items = batch->lists[list].items;
    params.segments_at_once = batch->lists[list].at_once;
    params.flatten_block = sj_flatten_block(batch, list);
    params.span = sj_span_block(batch, list);
    if (batch->resident) {
      params.items = (uint32_t)list;
      dispatch_indirect(gpu, commands, SJ_STAGE_FLATTEN, frame->flatten[list], &params, SJ_FRAME,
                        groups_at(frame, G_GROUPS_OF_FLATTEN + (uint32_t)list));
      continue;
    }
    dispatch(gpu, commands, SJ_STAGE_FLATTEN, frame->flatten[list], &params,
             sj_flatten_groups(batch, list) * sj_flatten_shares(batch, list, &params));
  }
}

void sj_record(sj_gpu *gpu, VkCommandBuffer commands, const sj_recorded *frame, uint32_t stages, bool timed) {
  sj_vk *vk = &gpu->vk;
  const sj_buffer *b = gpu->buffers;
  const sj_batch *batch = &frame->batch;
  g_params params = frame->params;
  gpu->timed = timed;
  if (timed) sj_vk_timer_begin(vk, commands, &gpu->timers[gpu->chain.count]);
  // Flatten touches nothing that fine does, and so begins beside that of the frame before: what came earlier has been
  // waited for there, and all other stages wait for fine. (One frame after the other, 100 tigers: 580 us, not 597; the
  // tiger at 4096x4096: 167, not 184.)
  if (stages & SJ_STAGE_BIT(FLATTEN) && b[SJ_FRAME].staging) {
    sj_vk_barrier(vk, commands, COMPUTE | COPY, COPY);
    sj_buffer_copy_staged(vk, commands, &b[SJ_FRAME], frame->upload_bytes);
    sj_vk_barrier(vk, commands, COPY, COMPUTE);
  }
  const uint32_t groups[SJ_STAGES] = {
      [SJ_STAGE_RANK] = sj_rank_groups(batch), [SJ_STAGE_SMALL] = batch->small, [SJ_STAGE_COARSE] = params.bins};
  static const size_t counted[SJ_STAGES] = {
      [SJ_STAGE_COVER] = offsetof(g_control, cover_x), [SJ_STAGE_RESOLVE] = offsetof(g_control, resolve_x)};
  const VkDeviceSize encoded[SJ_STAGES] = {
      [SJ_STAGE_SMALL] = groups_at(frame, G_GROUPS_OF_SMALL), [SJ_STAGE_RANK] = groups_at(frame, G_GROUPS_OF_RANK)};
  if (batch->resident && stages & SJ_ENCODE_BIT) record_encode(gpu, commands, frame);
  if (timed) sj_vk_stamp(vk, commands, &gpu->timers[gpu->chain.count], 1);
  if (stages & SJ_STAGE_BIT(FLATTEN)) record_flatten(gpu, commands, frame);
  stamp(gpu, commands, SJ_STAGE_FLATTEN);
  for (int stage = SJ_STAGE_FLATTEN + 1; stage < SJ_STAGES; stage++) {
    bool any = stage == SJ_STAGE_FINE || groups[stage] || (counted[stage] && sj_items(batch));
    if (any && stages >> stage & 1) {
      if (stage == SJ_STAGE_RANK) clear_carries(gpu, commands, frame);
      // That before cover is also for resolve's indirect dispatch, whose size is known by then. And fine must not write
      // the application's buffer before its earlier commands are done with it.
      sj_vk_barrier(vk, commands, stage == SJ_STAGE_FINE && frame->direct ? ALL : COMPUTE,
                    stage == SJ_STAGE_COVER ? COMPUTE | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT : COMPUTE);
      if (stage == SJ_STAGE_FINE) {
        record_fine(gpu, commands, frame->pipelines[stage], &params, frame->tiles_at_once);
      } else if (counted[stage]) {
        dispatch_indirect(gpu, commands, (sj_stage)stage, frame->pipelines[stage], &params, SJ_SCRATCH, counted[stage]);
      } else if (batch->resident && encoded[stage]) {
        dispatch_indirect(gpu, commands, (sj_stage)stage, frame->pipelines[stage], &params, SJ_FRAME, encoded[stage]);
      } else {
        dispatch(gpu, commands, (sj_stage)stage, frame->pipelines[stage], &params, groups[stage]);
      }
    }
    stamp(gpu, commands, (sj_stage)stage);
  }
}

void sj_clear_edges(sj_gpu *gpu, VkCommandBuffer commands) {
  VkBuffer control = gpu->buffers[SJ_SCRATCH].handle;
  sj_vk_barrier(&gpu->vk, commands, COMPUTE, COPY);
  gpu->vk.CmdFillBuffer(commands, control, offsetof(g_control, counted.edges), sizeof(uint32_t), 0);
  gpu->vk.CmdFillBuffer(commands, control, offsetof(g_control, cover_x), 3 * sizeof(uint32_t), 0);
  sj_vk_barrier(&gpu->vk, commands, COPY, COMPUTE);
}

void sj_read_times(sj_gpu *gpu) {
  double us[SJ_STAGES + 1];
  for (uint32_t number = 0; number <= gpu->links; number++) {
    sj_vk_times(&gpu->vk, &gpu->timers[number], SJ_STAGES + 2, us);
    if (gpu->recorded.batch.resident) gpu->encode_us += us[0];
    for (int i = 0; i < SJ_STAGES; i++) gpu->stage_us[i] += us[i + 1];
  }
}

// --- Before and after the stages ---

static uint32_t region_width(const sj_band *band) { return (uint32_t)(band->region.x1 - band->region.x0); }
static uint32_t region_height(const sj_band *band) { return (uint32_t)(band->region.y1 - band->region.y0); }

static void load_target(sj_gpu *gpu, sj_band *band, VkCommandBuffer commands) {
  const sj_render_job *job = band->job;
  sj_buffer *b = gpu->buffers;
  if (gpu->transfer.target) {
    sj_transfer_load(&gpu->vk, &gpu->transfer, commands, &b[SJ_TARGET], band->region);
  } else {
    unsigned char *pixels = (unsigned char *)b[SJ_READBACK].mapped + SJ_PIXELS_OFFSET;
    for (uint32_t y = 0; y < region_height(band); y++) {
      unsigned char *row = pixels + (size_t)y * band->stride * 4;
      sj_convert_row(job->target.format, STIJL_FORMAT_RGBA8, band->pixels + (size_t)y * job->target.stride, row,
                     region_width(band));
      if (job->clamp) sj_clamp_row(row, row, region_width(band));
    }
    VkBufferCopy region = {.srcOffset = SJ_PIXELS_OFFSET, .size = band->bytes};
    gpu->vk.CmdCopyBuffer(commands, b[SJ_READBACK].handle, b[SJ_TARGET].handle, 1, &region);
  }
  band->loaded = true;
}

stijl_result sj_record_before(sj_gpu *gpu, sj_band *band, VkCommandBuffer *out, stijl_message *message) {
  bool load = band->job->keep && !band->loaded, clear = sj_any_fresh(gpu);
  stijl_result result = load || clear ? sj_flight_settle_other(gpu, message) : STIJL_OK;
  if (result == STIJL_OK) result = sj_commands_begin(gpu, out, message);
  if (result != STIJL_OK) return result;
  sj_gpu_filters_end(gpu, *out);
  if (load) load_target(gpu, band, *out);
  if (clear) clear_fresh(gpu, *out);
  if (load || clear) sj_vk_barrier(&gpu->vk, *out, COPY, COMPUTE | COPY);
  return STIJL_OK;
}

void sj_record_control(sj_gpu *gpu, VkCommandBuffer commands) {
  VkBufferCopy told = {.dstOffset = offsetof(sj_told, control), .size = sizeof(g_control)};
  sj_vk_barrier(&gpu->vk, commands, COMPUTE, COPY);
  gpu->vk.CmdCopyBuffer(commands, gpu->buffers[SJ_SCRATCH].handle, gpu->buffers[SJ_READBACK].handle, 1, &told);
  sj_vk_barrier(&gpu->vk, commands, COPY, SJ_VK_HOST);
}

void sj_record_after(sj_gpu *gpu, const sj_band *band, VkCommandBuffer commands, bool last) {
  bool direct = gpu->recorded.direct;
  if (last && gpu->transfer.target && !band->job->keep && !direct) {
    sj_vk_barrier(&gpu->vk, commands, COMPUTE, COMPUTE);
    sj_transfer_store(&gpu->vk, &gpu->transfer, commands, &gpu->buffers[SJ_TARGET], band->region, gpu->capacity);
  }
  sj_vk_barrier(&gpu->vk, commands, COMPUTE, direct ? ALL | SJ_VK_HOST : SJ_VK_HOST);
}
