// A frame's pixels, from the device into the caller's memory: in pieces, so that the threads convert those that have
// arrived while the device still copies the others.
#include "gpu/readback.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "gpu/submit.h"
#include "image/convert.h"

// A submission and its fence cost the device 8 us, the time in which it copies 400 KiB. (2048x2048: 620 us with pieces
// of 2 MiB, 580 with 4, 680 without.)
#define PIECE_BYTES ((VkDeviceSize)3 << 20)  // of a piece, at least
// How much of a piece a thread converts at a time. It is little, so that the last piece is soon done by all threads.
#define SHARE_BYTES ((VkDeviceSize)64 << 10)

stijl_result sj_readback_init(sj_vk *vk, sj_readback *r, stijl_message *message) {
  VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkResult result = VK_SUCCESS;
  for (int i = 0; i < SJ_MAX_PIECES - 1 && result == VK_SUCCESS; i++)
    result = vk->CreateFence(vk->device, &fence, NULL, &r->fences[i]);
  return result == VK_SUCCESS ? STIJL_OK : sj_vk_fail(message, result, "preparing to read pixels");
}

void sj_readback_finish(sj_vk *vk, sj_readback *r) {
  for (int i = 0; i < SJ_MAX_PIECES - 1; i++)
    if (r->fences[i]) vk->DestroyFence(vk->device, r->fences[i], NULL);
}

stijl_result sj_readback_record(sj_gpu *gpu, const sj_band *band, VkCommandBuffer frame, stijl_message *message) {
  sj_vk *vk = &gpu->vk;
  sj_readback *r = &gpu->readback;
  uint32_t height = (uint32_t)(band->region.y1 - band->region.y0);
  VkDeviceSize row = (VkDeviceSize)band->stride * 4;
  r->rows = (uint32_t)k_max(k_min(SHARE_BYTES / row, height), 1);
  uint32_t shares = (height + r->rows - 1) / r->rows;
  uint32_t pieces = (uint32_t)k_max(k_min(row * height / PIECE_BYTES, SJ_MAX_PIECES), 1);
  r->shares = (shares + pieces - 1) / pieces;
  r->pieces = (shares + r->shares - 1) / r->shares;
  sj_vk_barrier(vk, frame, SJ_VK_COMPUTE, SJ_VK_COPY);
  for (uint32_t i = 0; i < r->pieces; i++) {
    VkCommandBuffer commands = i ? gpu->commands.buffers[SJ_PIECES + i - 1] : frame;
    uint32_t first_row = i * r->shares * r->rows, rows = k_min(r->shares * r->rows, height - first_row);
    VkDeviceSize first = first_row * row;
    VkBufferCopy part = {.srcOffset = first, .dstOffset = SJ_PIXELS_OFFSET + first, .size = rows * row};
    stijl_result result =
        i ? sj_vk_begin(vk, commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, message) : STIJL_OK;
    if (result != STIJL_OK) return result;
    vk->CmdCopyBuffer(commands, gpu->buffers[SJ_TARGET].handle, gpu->buffers[SJ_READBACK].handle, 1, &part);
    sj_vk_barrier(vk, commands, SJ_VK_COPY, SJ_VK_HOST);
    if (i) result = sj_vk_end(vk, commands, message);
    if (result != STIJL_OK) return result;
  }
  return STIJL_OK;
}

// One thread at a time asks the device for the next piece, and the others wait for that thread. (Where several threads
// sleep for fences, NVIDIA's driver 580 wakes them 10 ms later: 300 hairlines at 1920x1080 took 10.8 ms with 4 or 16
// threads, and 1.45 with one.)
typedef struct sj_pieces {
  sj_gpu *gpu;
  const sj_band *band;
  atomic_uint arrived;  // how many pieces have arrived, counted from the first
  double last_us;       // when the last one did
  // Guards what follows, and writing `arrived`. `changed`: so it has, or a wait has failed.
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool asking;  // a thread waits for the device
  VkResult failed;
} sj_pieces;

static VkFence fence_of(const sj_gpu *gpu, uint32_t piece) {
  return piece + 1 == gpu->readback.pieces ? gpu->commands.fence : gpu->readback.fences[piece];
}

// Lets this thread wait for the next piece. The mutex is held.
static void ask_device(sj_pieces *pieces) {
  uint32_t next = atomic_load(&pieces->arrived);
  pieces->asking = true;
  pthread_mutex_unlock(&pieces->mutex);
  VkResult waited = sj_vk_wait(&pieces->gpu->vk, fence_of(pieces->gpu, next));
  pthread_mutex_lock(&pieces->mutex);
  pieces->asking = false;
  if (waited == VK_SUCCESS) {
    if (next + 1 == pieces->gpu->readback.pieces) pieces->last_us = sj_now_us();
    atomic_store(&pieces->arrived, next + 1);
  } else {
    pieces->failed = waited;
  }
  pthread_cond_broadcast(&pieces->changed);
}

// Waits until a piece has arrived; false where the device fails. Who finds another thread asking spins first, as that
// one does (sj_vk_wait).
static bool await_piece(sj_pieces *pieces, uint32_t piece) {
  if (atomic_load(&pieces->arrived) > piece) return true;
  pthread_mutex_lock(&pieces->mutex);
  bool other = pieces->asking;
  if (other) {
    pthread_mutex_unlock(&pieces->mutex);
    for (double end = sj_now_us() + SJ_VK_SPIN_US; sj_now_us() < end; sched_yield())
      if (atomic_load(&pieces->arrived) > piece) return true;
    pthread_mutex_lock(&pieces->mutex);
  }
  while (atomic_load(&pieces->arrived) <= piece && pieces->failed == VK_SUCCESS) {
    if (pieces->asking)
      pthread_cond_wait(&pieces->changed, &pieces->mutex);
    else
      ask_device(pieces);
  }
  pthread_mutex_unlock(&pieces->mutex);
  return atomic_load(&pieces->arrived) > piece;
}

// Converts a share of a piece, once the piece has arrived. Where the frame did not fit the device's buffers nothing was
// painted, and nothing is converted: the target's pixels may still be needed.
static void take_share(void *user, uint32_t index, int thread) {
  (void)thread;
  sj_pieces *pieces = user;
  sj_gpu *gpu = pieces->gpu;
  const sj_band *band = pieces->band;
  const sj_readback *r = &gpu->readback;
  if (!await_piece(pieces, index / r->shares) || !g_fits(sj_needed(gpu), gpu->capacity)) return;
  const unsigned char *from = (const unsigned char *)gpu->buffers[SJ_READBACK].mapped + SJ_PIXELS_OFFSET;
  size_t width = (size_t)(band->region.x1 - band->region.x0), height = (size_t)(band->region.y1 - band->region.y0);
  size_t first = (size_t)index * r->rows, end = k_min(first + r->rows, height);
  for (size_t y = first; y < end; y++)
    sj_convert_row(STIJL_FORMAT_RGBA8, band->job->target.format, from + y * band->stride * 4,
                   band->pixels + y * band->job->target.stride, width);
}

// Copies the pixels in pieces. Each has a fence and so a submission of its own; the device takes them one after the
// other.
stijl_result sj_readback_run(sj_gpu *gpu, const sj_band *band, stijl_message *message) {
  sj_vk *vk = &gpu->vk;
  sj_readback *r = &gpu->readback;
  stijl_result ended = sj_commands_end(gpu, message);
  if (ended != STIJL_OK) return ended;
  double start = sj_now_us();
  VkResult result = vk->ResetFences(vk->device, 1, &gpu->commands.fence);
  if (result == VK_SUCCESS && r->pieces > 1) result = vk->ResetFences(vk->device, r->pieces - 1, r->fences);
  uint32_t submitted = 0;
  for (; submitted < r->pieces && result == VK_SUCCESS; submitted++) {
    int commands = submitted ? SJ_PIECES + (int)submitted - 1 : SJ_FRAME_COMMANDS;
    result = sj_submit_with(gpu, &gpu->commands.buffers[commands], 1, NULL, fence_of(gpu, submitted));
    if (result != VK_SUCCESS) break;
  }
  if (result != VK_SUCCESS) {
    if (submitted) sj_vk_wait(vk, fence_of(gpu, submitted - 1));
    return sj_vk_fail(message, result, "running a frame");
  }
  uint32_t height = (uint32_t)(band->region.y1 - band->region.y0), shares = (height + r->rows - 1) / r->rows;
  sj_pieces pieces = {
      .gpu = gpu, .band = band, .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
  sj_pool_run(gpu->threads, shares, take_share, &pieces);
  result = sj_submit_wait(gpu);
  if (result == VK_SUCCESS) result = pieces.failed;
  gpu->latency_us += pieces.last_us - start;
  gpu->submits++;
  return result == VK_SUCCESS ? STIJL_OK : sj_vk_fail(message, result, "running a frame");
}
