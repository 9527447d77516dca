// The backend's state.
#ifndef SJ_GPU_RENDER_H
#define SJ_GPU_RENDER_H

#include "base/pool.h"
#include "gpu/gpu.h"
#include "gpu/pipeline.h"
#include "gpu/places.h"
#include "gpu/plan.h"
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
  VkDeviceSize paths, pens, paints, records, blocks, end;
} sj_frame_layout;

// What a batch's commands are recorded from.
typedef struct sj_recorded {
  VkPipeline pipelines[SJ_STAGES];  // flatten's place is not used
  VkPipeline flatten[2];            // flatten's, for each list of the batch
  sj_batch batch;
  g_params params;
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
  size_t effects, effects_end;
} sj_link;

// The batches of a frame with surfaces, recorded behind one another and submitted together. How much memory each batch
// needs is known only once the device has drawn it. So a frame of a new kind is drawn batch by batch, each waited for,
// and buffers grow; the next such frame is one chain. If a batch of a chain then does not fit, the frame is drawn batch
// by batch once more.
typedef struct sj_chain {
  bool open;                 // batches are being recorded behind one another
  bool leaves;               // the submission is left in flight
  bool possible;             // nothing of the last frame, drawn batch by batch, had to be divided: the next can be a chain
  bool whole;                // the last frame was a chain: it can be repeated
  uint32_t count;            // batches before the one at work
  VkDeviceSize frame_bytes;  // where the arrays of the batch at work begin in SJ_FRAME
  VkDeviceSize wanted;       // the bytes of all arrays of the last frame; 0: it cannot be a chain
  sj_link links[SJ_VK_SETS];
} sj_chain;

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
typedef struct sj_effects {
  sj_vk_bindings bindings;
  VkPipeline pipelines[G_ITEMS];  // made when first used
  size_t next;                    // the first run that is not recorded yet
  uint64_t written;               // the number of the encoding whose items the device has
  uint32_t made;                  // sj_buffer.made of the buffer that they are in; 0: it has none
  bool recorded;                  // the commands that have begun end with filters
  sj_vk_timer timers[SJ_VK_SETS];
  bool timed[SJ_VK_SETS];  // they have been submitted, and their time is not read yet
  double us;               // of the frame
} sj_effects;

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
  sj_effects effects;
  uint32_t first_tiles, first_shares;
  g_needs capacity;
  // The scene whose arrays the device has.
  uint64_t scene_serial;
  SJ_ARRAY(uint32_t) image_texels;  // where each image begins, and each surface
  uint32_t upload;                  // a bit for each buffer of theirs that has yet to be copied
  // Images or ramps that do not fit a storage range together: each batch uploads those it draws.
  bool images_paged, ramps_paged;
  SJ_ARRAY(uint32_t) image_batch;    // of each image, the batch that had it last
  SJ_ARRAY(uint32_t) ramp_batch;     // and of each ramp
  SJ_ARRAY(uint32_t) ramp_places;    // where it is now
  SJ_ARRAY(uint32_t) bin_turns;      // see sj_batch_limits
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
  bool on_sheet;   // they are several surfaces', and have these origins:
  sj_origin_list origins;
  SJ_ARRAY(g_record) open_records;  // of the batch that is being written
  // Statistics of the last frame.
  uint32_t dispatches, submits, retries, batches, bands;
  double latency_us, encode_ms, render_ms, stage_us[SJ_STAGES];
};

static inline const sj_told *sj_told_of(const sj_gpu *gpu, uint32_t number) {
  return (const sj_told *)(const void *)((const char *)gpu->buffers[SJ_READBACK].mapped + number * SJ_VK_ALIGN);
}

// What the batch needed that did not fit, of several the first; or the last one.
static inline g_needs sj_needed(const sj_gpu *gpu) {
  uint32_t number = 0;
  while (number < gpu->links && g_fits(sj_told_of(gpu, number)->needed, gpu->capacity)) number++;
  return sj_told_of(gpu, number)->needed;
}

// Selects the descriptor sets of the batch at work.
static inline void sj_select_sets(sj_gpu *gpu, uint32_t number) {
  for (int stage = 0; stage < SJ_STAGES; stage++) sj_vk_bindings_select(&gpu->pipelines.bindings[stage], number);
}

// flight.c
// Changes over to what the other frame has.
void sj_flight_turn(sj_gpu *gpu);
// Waits for this frame, if it is in flight; notes what it has told.
stijl_result sj_flight_settle(sj_gpu *gpu, stijl_message *message);
// The same for the other: then the device uses nothing that frames have in common.
stijl_result sj_flight_settle_other(sj_gpu *gpu, stijl_message *message);
// Waits for all frames, and makes room for what they have needed.
stijl_result sj_flight_land(sj_gpu *gpu, stijl_message *message);
// Makes ready for a frame. One that is left in flight need not wait for the frame before, only for the one before that.
stijl_result sj_flight_take_off(sj_gpu *gpu, const sj_render_job *job, stijl_message *message);
// After an error: no command buffer stays half recorded.
void sj_flight_reset(sj_gpu *gpu);
// Room in a buffer. The other frame is waited for where one that both have in common has to grow.
stijl_result sj_reserve(sj_gpu *gpu, int buffer, VkDeviceSize bytes, stijl_message *message);

// batch.c
// Makes the first buffers, and grows them for what a frame needs, as far as the device's ranges allow.
stijl_result sj_grow_first(sj_gpu *gpu, stijl_message *message);
stijl_result sj_grow_to(sj_gpu *gpu, g_needs needed, stijl_message *message);
// Sets the limits that depend on the band: the number of draws, whose sets bins have, and room to count the turns of
// each bin. False: memory is out.
bool sj_limit_bins(sj_gpu *gpu, const sj_band *band, sj_batch_limits *limits);
// Renders a band; *split is set when it does not fit and must be cut into smaller ones.
stijl_result sj_run_band(sj_gpu *gpu, sj_band *band, sj_batch_limits *limits, bool *split, stijl_message *message);

// upload.c
// And gives each surface that the device draws its place behind the images.
stijl_result sj_upload_scene(sj_gpu *gpu, const sj_encoded *scene, stijl_message *message);
// Where images or ramps do not all fit, uploads those that the batch draws.
void sj_upload_pages(sj_gpu *gpu, const sj_encoded *scene, const sj_batch *batch);
// Whether each image that is drawn fits a storage range.
stijl_result sj_check_images(const sj_gpu *gpu, const sj_encoded *scene, stijl_message *message);

// prepare.c
// Plans what a batch is recorded from; it cannot be drawn where layers->fits is false.
stijl_result sj_plan_batch(sj_gpu *gpu, const sj_band *band, const sj_batch *batch, sj_layer_plan *layers,
                           stijl_message *message);
// Gets its memory and pipelines, and writes its arrays.
stijl_result sj_prepare_batch(sj_gpu *gpu, const sj_band *band, const sj_batch *batch, const sj_layer_plan *layers,
                              stijl_message *message);
// Writes what the stages read of a batch, or of a part of it.
stijl_result sj_write_batch(sj_gpu *gpu, const sj_band *band, const sj_batch *batch, stijl_message *message);

// chain.c
// Begins a chain, if the frame before tells that all batches have room.
stijl_result sj_chain_open(sj_gpu *gpu, const sj_render_job *job, stijl_message *message);
// Records a batch that is submitted together with those behind it.
stijl_result sj_chain_add(sj_gpu *gpu, sj_band *band, stijl_message *message);
// Notes what the batch at work is recorded from, so that sj_gpu_repeat can record it again.
void sj_chain_note(sj_gpu *gpu);
void sj_chain_close(sj_gpu *gpu);
// What a chain is given up for, since it has not enough room: no failure, and told to nobody but draw_chain (render.c),
// which has the frame drawn without one.
#define SJ_CHAIN_BROKEN ((stijl_result)0x7fffffff)

// record.c
void sj_bind(sj_gpu *gpu, const sj_band *band, const sj_frame_layout *layout);
// Whether a descriptor set has the buffers that there are: none has grown since it was written.
bool sj_is_bound(const sj_gpu *gpu, uint32_t number);
// Where fine has drawn into the application's buffer, it draws into the renderer's own from now on.
stijl_result sj_bind_own_target(sj_gpu *gpu, uint32_t number, stijl_message *message);
void sj_copy_upload(sj_vk *vk, VkCommandBuffer commands, const sj_buffer *buffer, VkDeviceSize bytes);
#define SJ_STAGE_BIT(name) (1u << SJ_STAGE_##name)
#define SJ_ALL_STAGES ((1u << SJ_STAGES) - 1)
// With the descriptor sets and timestamps of gpu->chain.count.
void sj_record(sj_gpu *gpu, VkCommandBuffer commands, const sj_recorded *frame, uint32_t stages, bool timed);
// Begins the commands, if they have not begun, and records what has to come before a batch's stages.
stijl_result sj_record_before(sj_gpu *gpu, sj_band *band, VkCommandBuffer *out, stijl_message *message);
// What has to come after them, and where the batch is the `last`, after the band's. An application's target that is
// drawn over is not written here, but once its pixels are known to be right.
void sj_record_after(sj_gpu *gpu, const sj_band *band, VkCommandBuffer commands, bool last);
// Copies the control to where the host reads it, which then knows what the stages so far have counted.
void sj_record_control(sj_gpu *gpu, VkCommandBuffer commands);
// Sets the number of edges to zero, between the parts of a batch.
void sj_clear_edges(sj_gpu *gpu, VkCommandBuffer commands);
// Some buffers have to be zero between frames, which the stages see to. Those are "fresh" when they are new, or when a
// frame has not run to its end: then they are cleared before the next frame.
bool sj_any_fresh(const sj_gpu *gpu);
void sj_set_fresh(sj_gpu *gpu);   // a frame has not run to its end: they may not be zero
void sj_read_times(sj_gpu *gpu);  // of the batches that were recorded last with timestamps

// effects.c
// Makes ready for the frame's filters: pipelines, items, bindings.
stijl_result sj_effects_begin(sj_gpu *gpu, stijl_message *message);
// Records the filters of a level, to be submitted before the next batch.
stijl_result sj_effects_record(sj_gpu *gpu, uint64_t level, stijl_message *message);
// Records some runs of filters, with barriers around.
void sj_effects_record_runs(sj_gpu *gpu, VkCommandBuffer commands, size_t first, size_t end);
// Ends what is recorded of filters, if anything.
void sj_effects_end(sj_gpu *gpu, VkCommandBuffer commands);
// Adds what the last submission's took, which has been waited for.
void sj_effects_read_time(sj_gpu *gpu);
void sj_effects_finish(sj_gpu *gpu);

// submit.c
// The commands of the next submission, which begin with uploads of the scene where there are any.
stijl_result sj_commands_begin(sj_gpu *gpu, VkCommandBuffer *out, stijl_message *message);
stijl_result sj_commands_end(sj_gpu *gpu, stijl_message *message);
// Ends the commands and submits them. Without `frame` the call waits for the submission; with it, the submission is left
// in flight and signals the frame's semaphores.
stijl_result sj_submit(sj_gpu *gpu, const stijl_vulkan_frame *frame, stijl_message *message);
// Submits these.
stijl_result sj_submit_list(sj_gpu *gpu, const VkCommandBuffer *commands, uint32_t count,
                            const stijl_vulkan_frame *frame, stijl_message *message);
// The same without waiting: the caller waits for the fence.
VkResult sj_submit_with(sj_gpu *gpu, const VkCommandBuffer *commands, uint32_t count, const stijl_vulkan_frame *frame,
                        VkFence fence);
VkResult sj_submit_wait(sj_gpu *gpu);
// Submits nothing but the signals of the frame's semaphores.
VkResult sj_submit_signal(sj_gpu *gpu, const stijl_vulkan_frame *frame);

// readback.c
stijl_result sj_readback_init(sj_vk *vk, sj_readback *readback, stijl_message *message);
void sj_readback_finish(sj_vk *vk, sj_readback *readback);
// Records the copies of a band's pixels: the first piece behind the frame's stages.
stijl_result sj_readback_record(sj_gpu *gpu, const sj_band *band, VkCommandBuffer frame, stijl_message *message);
// Submits the frame and then the copies, and waits; when the frame had room, its pixels are in the caller's memory.
stijl_result sj_readback_run(sj_gpu *gpu, const sj_band *band, stijl_message *message);

#endif
