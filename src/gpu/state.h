// The backend's state.
#ifndef SJ_GPU_STATE_H
#define SJ_GPU_STATE_H

#include "base/pool.h"
#include "gpu/gpu.h"
#include "gpu/pipeline.h"
#include "gpu/places.h"
#include "gpu/plan.h"
#include "gpu/resident_data.h"
#include "gpu/transfer.h"
#include "vulkan/buffer.h"

enum {
  SJ_POINTS,
  SJ_SEGMENTS,
  SJ_RAMPS,
  SJ_TEXELS,
  SJ_FRAME,    // paths, pens, paints, records, blocks
  SJ_SCRATCH,  // control, lists
  SJ_MARKS,
  SJ_WORDS,
  SJ_BINS,
  SJ_TILES,
  SJ_SUMS,
  SJ_CARRIES,
  SJ_COVERAGE,
  SJ_EDGES,
  SJ_TAGS,
  SJ_COMMANDS,
  SJ_TARGET,
  SJ_SPILL,
  SJ_ITEMS,     // of filters: items, then words
  SJ_READBACK,  // control, then pixels
  SJ_BUFFERS
};

enum { SJ_MAX_PIECES = 16 };

// Batches that may come before the last in a submission.
enum { SJ_MAX_LINKS = SJ_VK_SETS - 1 };

// Command buffers: of a submission, and of those that copy the further pieces of its pixels.
enum { SJ_FRAME_COMMANDS, SJ_PIECES, SJ_GPU_COMMANDS = SJ_PIECES + SJ_MAX_PIECES - 1 };

// A band's pixels on their way into the target's memory. The device copies them in pieces of some rows; while it copies
// the next pieces, threads convert those that have arrived, each piece in as many shares.
typedef struct sj_readback {
  VkFence fences[SJ_MAX_PIECES - 1];  // of all but the last, whose fence is the frame's
  uint32_t pieces, shares;            // of each piece: a thread converts one at a time
  uint32_t rows;                      // of a share
} sj_readback;

// A part of the region, in whole rows, that is rendered at a time: all of it where it fits the device.
typedef struct sj_band {
  const sj_render_job *job;
  stijl_irect region;
  unsigned char *pixels;  // the band's first pixel in the target's memory; NULL where the target is the application's
  bool loaded;            // the device has what the target held, to be drawn over
  bool in_flight;         // the last submission is not waited for
  uint32_t stride;        // pixels of a row on the device
  // The pixels are drawn into this range of that buffer: SJ_TARGET, or SJ_TEXELS where they are a surface's.
  int buffer;
  VkDeviceSize first, bytes;
} sj_band;

// Where a batch's arrays begin in SJ_FRAME.
typedef struct sj_frame_layout {
  VkDeviceSize pens, paints, uses;  // the host writes these, and where it has encoded the draws
  VkDeviceSize paths, records, blocks, totals, end;
} sj_frame_layout;

// What a batch's commands are recorded from.
typedef struct sj_recorded {
  VkPipeline pipelines[SJ_STAGES];  // flatten's place is not used
  VkPipeline flatten[2];            // flatten's, for each list of the batch
  sj_batch batch;
  g_params params;
  g_encoding encoding;  // of a resident batch,
  VkDeviceSize totals;  // and where its G_TOTALS begin in SJ_FRAME
  VkDeviceSize upload_bytes;
  uint32_t tiles_at_once;
  bool direct;  // fine writes the application's buffer
} sj_recorded;

// What the host is told of each batch of a submission, at the beginning of SJ_READBACK, each SJ_VK_ALIGN bytes from the
// one before. Pixels follow at SJ_PIXELS_OFFSET.
typedef struct sj_told {
  g_needs needed;     // coarse writes it there: to copy 20 bytes takes the device 7 us
  g_control control;  // where a batch goes in parts
} sj_told;
#define SJ_PIXELS_OFFSET (SJ_VK_SETS * SJ_VK_ALIGN)

// A batch of a chain, and the runs of filters that come before it.
typedef struct sj_link {
  sj_recorded recorded;
  size_t filters, filters_end;
} sj_link;

// The batches of a frame with surfaces, recorded behind one another and submitted together. How much memory each batch
// needs is known only once the device has drawn it. So a frame of a new kind is drawn batch by batch, each waited for,
// and buffers grow; the next such frame is one chain. If a batch of a chain then does not fit, the frame is drawn batch
// by batch once more.
typedef struct sj_chain {
  bool open;       // batches are being recorded behind one another
  bool leaves;     // the submission is left in flight
  bool possible;   // nothing of the last frame, drawn batch by batch, had to be divided: the next can be a chain
  bool whole;      // the last frame was a chain: it can be repeated
  uint32_t count;  // batches before the one at work
  VkDeviceSize frame_bytes;  // where the arrays of the batch at work begin in SJ_FRAME
  VkDeviceSize wanted;       // the bytes of all arrays of the last frame; 0: it cannot be a chain
  sj_link links[SJ_VK_SETS];
} sj_chain;

// What a chain is given up for, since it has not enough room: no failure, and told to nobody but draw_chain (render.c),
// which has the frame drawn without one.
#define SJ_CHAIN_BROKEN ((stijl_result)0x7fffffff)

// What a frame has for itself while it is in flight. There are two: in sj_gpu is the one of the frame that is being
// made, and in `other` that of the frame before, which the device may still draw.
typedef struct sj_flight {
  sj_vk_commands commands;
  sj_buffer frame, readback;
  VkDescriptorBufferInfo bound[SJ_VK_SETS][G_VK_BINDINGS];
  uint32_t bound_made[SJ_VK_SETS];
  uint32_t links;
  bool in_flight;
} sj_flight;

// What draws the filters of a frame.
typedef struct sj_gpu_filters {
  sj_vk_bindings bindings;
  VkPipeline pipelines[G_ITEMS];  // made when first used
  size_t next;                    // the first run that is not recorded yet
  uint64_t written;               // the number of the encoding whose items the device has
  uint32_t made;                  // sj_buffer.made of the buffer that they are in; 0: it has none
  bool recorded;                  // the commands that have begun end with filters
  sj_vk_timer timers[SJ_VK_SETS];
  bool timed[SJ_VK_SETS];  // they have been submitted, and their time is not read yet
  double us;               // of the frame
} sj_gpu_filters;

// What makes ramps (gpu/ramps.h).
typedef struct sj_gpu_ramps {
  sj_vk_bindings bindings;
  VkPipeline pipeline;  // made when first used
  uint32_t least;       // fewer are the processor's
  sj_buffer buffer;     // a scene's pieces
  VkDeviceSize bytes;   // of those
  g_ramp_params params;
} sj_gpu_ramps;

// In sj_gpu.upload, beside a bit for each buffer.
#define SJ_UPLOAD_RAMPS (1u << SJ_BUFFERS)

struct sj_gpu {
  stijl_context *context;
  sj_vk vk;
  sj_pipelines pipelines;
  sj_buffer buffers[SJ_BUFFERS];
  sj_vk_commands commands;
  bool recording;  // commands have begun, and wait for what is submitted with them
  sj_readback readback;
  sj_pool *threads;  // the renderer's
  sj_vk_timer timers[SJ_VK_SETS];
  bool timed;    // the commands that are being recorded have timestamps
  bool crowded;  // the frame that was in flight needs more than fits the device: the next one goes in parts
  sj_recorded recorded;
  sj_chain chain;
  uint32_t links;  // batches before the last of the submission that was made last
  // What the descriptor sets hold, and the sum of all `made` of the buffers at that time.
  VkDescriptorBufferInfo bound[SJ_VK_SETS][G_VK_BINDINGS];
  uint32_t bound_made[SJ_VK_SETS];
  uint64_t max_layer_bytes;
  VkDeviceSize max_range;
  bool own_surfaces;  // the device draws the frame's surfaces
  sj_places places;   // where they are
  uint64_t planned;   // the number of the encoding that they are for; 0: none
  sj_gpu_filters filters;
  sj_resident resident;
  sj_gpu_ramps ramps;
  uint32_t first_tiles, first_shares;
  g_needs capacity;
  // The scene whose arrays the device has.
  uint64_t scene_arrays;
  SJ_ARRAY(uint32_t) image_texels;  // where each image begins, and each surface
  uint32_t upload;  // a bit for each buffer of theirs that has yet to be copied; SJ_UPLOAD_RAMPS: to be made
  // Images or ramps that do not fit a storage range together: each batch uploads those it draws.
  bool images_paged, ramps_paged;
  SJ_ARRAY(uint32_t) image_batch;  // of each image, the batch that had it last
  SJ_ARRAY(uint32_t) ramp_batch;   // and of each ramp
  SJ_ARRAY(uint32_t) ramp_places;  // where it is now
  SJ_ARRAY(uint32_t) bin_turns;    // see sj_batch_limits
  sj_batch_parts parts;
  uint32_t max_turns, max_windings;  // see sj_batch_limits
  sj_transfer transfer;
  const stijl_vulkan_frame *wait;  // its semaphores have yet to be waited for; or NULL
  bool in_flight;                  // the fence has yet to be signalled
  sj_flight other;
  bool missed;  // a frame in flight was not painted, for lack of room, and the application has yet to be told
  bool lacks;   // and buffers have yet to grow to what it needed:
  g_needs lacking;
  // What is drawn: the job's scene, whose draws are replaced by `band_draws` where the band is a part of the region.
  sj_encoded scene;
  sj_draw_list band_draws;
  uint32_t depth;  // layers of the pass that are open at a time, at most
  bool on_sheet;   // they are several surfaces' or pictures', and have these origins:
  sj_origin_list origins;
  SJ_ARRAY(g_record) open_records;  // of the batch that is being written
  // Statistics of the last frame.
  uint32_t dispatches, submits, retries, batches, bands;
  double latency_us, encode_ms, render_ms, encode_us, stage_us[SJ_STAGES];
};

static inline const sj_told *sj_told_of(const sj_gpu *gpu, uint32_t number) {
  return (const sj_told *)(const void *)((const char *)gpu->buffers[SJ_READBACK].mapped + number * SJ_VK_ALIGN);
}

// Returns what the batch needed that did not fit, of several the first; or the last one.
static inline g_needs sj_needed(const sj_gpu *gpu) {
  uint32_t number = 0;
  while (number < gpu->links && g_fits(sj_told_of(gpu, number)->needed, gpu->capacity)) number++;
  return sj_told_of(gpu, number)->needed;
}

// Selects the descriptor sets of the batch at work.
static inline void sj_select_sets(sj_gpu *gpu, uint32_t number) {
  for (int stage = 0; stage < SJ_STAGES; stage++) sj_vk_bindings_select(&gpu->pipelines.bindings[stage], number);
}

#endif
