// Uploads the arrays that the scene itself has, once for each scene.
#include "gpu/upload.h"

#include <string.h>

#include "gpu/flight.h"
#include "gpu/ramps.h"
#include "image/image.h"
#include "kernel/composite_float.h"
#include "kernel/paint.h"

static stijl_result reserve(sj_gpu *gpu, int buffer, uint64_t bytes, stijl_message *message) {
  if (bytes > gpu->max_range)
    return sj_fail(message, STIJL_ERROR_LIMIT, "the device's storage buffers hold %llu bytes, the scene's %s need %llu",
                   (unsigned long long)gpu->max_range, gpu->buffers[buffer].name, (unsigned long long)bytes);
  return sj_reserve(gpu, buffer, bytes, message);
}

typedef struct {
  unsigned char *to;
  const unsigned char *from;
  size_t bytes;
} copy_job;

#define COPIED_AT_ONCE ((size_t)256 << 10)

static void copy_part(void *user, uint32_t index, int thread) {
  const copy_job *job = user;
  size_t first = index * COPIED_AT_ONCE, bytes = k_min(job->bytes - first, COPIED_AT_ONCE);
  (void)thread;
  memcpy(job->to + first, job->from + first, bytes);
}

// Fills a buffer, by all threads.
static void copy(sj_gpu *gpu, int buffer, const void *data, size_t bytes) {
  copy_job job = {gpu->buffers[buffer].mapped, data, bytes};
  if (bytes) sj_pool_run(gpu->threads, (uint32_t)((bytes + COPIED_AT_ONCE - 1) / COPIED_AT_ONCE), copy_part, &job);
}

static void write_ramp(const sj_gpu *gpu, const sj_encoded *scene, uint32_t ramp, uint32_t place) {
  sj_plan_ramp(scene, ramp, (k_pixel *)gpu->buffers[SJ_RAMPS].mapped + (size_t)place * K_RAMP_SIZE);
}

static uint64_t image_texels(const sj_encoded *scene) {
  uint64_t texels = 0;
  for (size_t i = 0; i < scene->scene_image_count; i++) texels += sj_plan_texels(scene->images[i]);
  return (texels + SJ_VK_ALIGN / 4 - 1) & ~(uint64_t)(SJ_VK_ALIGN / 4 - 1);
}

bool sj_gpu_draws_surfaces(sj_gpu *gpu, const sj_encoded *scene) {
  if (gpu->own_surfaces && gpu->planned == scene->number) return true;
  gpu->planned = 0;
  // Surfaces have max_layer_bytes, and so have the pictures within filters, as on the CPU.
  uint64_t budget = k_min(gpu->max_layer_bytes, UINT64_MAX / 2) / 4 * 2;
  sj_places_limits limits = {image_texels(scene), k_min(gpu->max_range / 4, UINT32_MAX), budget,
                             k_max((uint32_t)gpu->vk.properties.limits.minStorageBufferOffsetAlignment / 4, G_TILE)};
  gpu->own_surfaces = scene->surfaces.count && sj_places_plan(gpu->context, scene, &limits, &gpu->places);
  if (gpu->own_surfaces) gpu->planned = scene->number;
  return gpu->own_surfaces || !scene->surfaces.count;
}

// Notes where the surfaces are, behind the scene's images.
static bool place_surfaces(sj_gpu *gpu, const sj_encoded *scene) {
  gpu->image_texels.count = scene->scene_image_count;
  for (size_t i = 0; i < scene->surfaces.count; i++)
    if (!sj_array_push(gpu->context, &gpu->image_texels, gpu->places.places.data[i].first)) return false;
  return true;
}

stijl_result sj_upload_scene(sj_gpu *gpu, const sj_encoded *scene, stijl_message *message) {
  gpu->upload = 0;
  uint64_t drawn = gpu->own_surfaces ? gpu->places.texels : 0;
  // Surfaces that the CPU draws are other images in each frame.
  bool images_change = scene->surfaces.count && !gpu->own_surfaces;
  if (gpu->scene_arrays == scene->arrays && !images_change && gpu->buffers[SJ_TEXELS].bytes >= drawn * 4)
    return !drawn || place_surfaces(gpu, scene) ? STIJL_OK : sj_fail_memory(message);
  stijl_result result = sj_flight_settle_other(gpu, message);
  if (result != STIJL_OK) return result;
  gpu->scene_arrays = 0;
  gpu->capacity.shares = gpu->first_shares;
  gpu->capacity.crowded = 0;
  gpu->image_texels.count = gpu->image_batch.count = gpu->ramp_batch.count = gpu->ramp_places.count = 0;
  size_t images = gpu->own_surfaces ? scene->scene_image_count : scene->image_count;
  uint64_t texels = 0;
  for (size_t i = 0; i < images; i++) {
    if (!sj_array_push(gpu->context, &gpu->image_texels, (uint32_t)texels) ||
        !sj_array_push(gpu->context, &gpu->image_batch, 0))
      return sj_fail_memory(message);
    texels += sj_plan_texels(scene->images[i]);
  }
  if (gpu->own_surfaces && !place_surfaces(gpu, scene)) return sj_fail_memory(message);
  texels = k_max(texels, drawn);
  gpu->images_paged = texels > gpu->max_range / 4 || texels > UINT32_MAX;
  if (gpu->images_paged) texels = gpu->max_range / 4;
  uint64_t ramps = scene->ramp_count, most = gpu->max_range / SJ_RAMP_BYTES;
  for (uint32_t i = 0; i < ramps; i++)
    if (!sj_array_push(gpu->context, &gpu->ramp_batch, 0) || !sj_array_push(gpu->context, &gpu->ramp_places, i))
      return sj_fail_memory(message);
  gpu->ramps_paged = ramps > most && most > 0;
  if (gpu->ramps_paged) ramps = most;
  result = reserve(gpu, SJ_POINTS, scene->point_count * sizeof(k_vec), message);
  if (result == STIJL_OK) result = reserve(gpu, SJ_SEGMENTS, scene->segment_count * sizeof(k_segment), message);
  if (result == STIJL_OK) result = reserve(gpu, SJ_RAMPS, ramps * SJ_RAMP_BYTES, message);
  if (result == STIJL_OK) result = reserve(gpu, SJ_TEXELS, texels * 4, message);
  if (result != STIJL_OK) return result;
  copy(gpu, SJ_POINTS, scene->points, scene->point_count * sizeof(k_vec));
  copy(gpu, SJ_SEGMENTS, scene->segments, scene->segment_count * sizeof(k_segment));
  uint32_t *out = gpu->buffers[SJ_TEXELS].mapped;
  bool made = sj_ramps_are_many(gpu, scene);
  if (made) result = sj_ramps_upload(gpu, scene, message);
  if (result != STIJL_OK) return result;
  for (uint32_t i = 0; !gpu->ramps_paged && !made && i < ramps; i++) write_ramp(gpu, scene, i, i);
  for (size_t i = 0; !gpu->images_paged && i < images; i++)
    if (scene->images[i]) sj_plan_image(scene->images[i], out + gpu->image_texels.data[i]);
  gpu->scene_arrays = images_change ? 0 : scene->arrays;
  gpu->upload = 1u << SJ_POINTS | 1u << SJ_SEGMENTS | 1u << SJ_TEXELS | (made ? SJ_UPLOAD_RAMPS : 1u << SJ_RAMPS);
  return STIJL_OK;
}

void sj_upload_pages(sj_gpu *gpu, const sj_encoded *scene, const sj_batch *batch) {
  const uint32_t WANTED = UINT32_MAX;  // no batch has that number
  uint32_t *image_batch = gpu->image_batch.data, *ramp_batch = gpu->ramp_batch.data,
           *out = gpu->buffers[SJ_TEXELS].mapped;
  uint32_t ramps = 0, texels = 0;
  for (uint32_t i = batch->first; i < batch->end; i++) {
    const k_draw *draw = &gpu->scene.draws.data[i];
    int64_t image = sj_image_of(&gpu->scene, draw), ramp = sj_ramp_of(&gpu->scene, draw);
    if (gpu->ramps_paged && ramp >= 0 && ramp_batch[ramp] != WANTED) {
      ramp_batch[ramp] = WANTED;
      gpu->ramp_places.data[ramp] = ramps;
      write_ramp(gpu, scene, (uint32_t)ramp, ramps++);
    }
    if (gpu->images_paged && image >= 0 && image_batch[image] != WANTED) {
      image_batch[image] = WANTED;
      gpu->image_texels.data[image] = texels;
      sj_plan_image(scene->images[image], out + texels);
      texels += (uint32_t)scene->images[image]->width * (uint32_t)scene->images[image]->height;
    }
  }
  for (uint32_t i = batch->first; i < batch->end; i++) {
    int64_t image = sj_image_of(&gpu->scene, &gpu->scene.draws.data[i]);
    int64_t ramp = sj_ramp_of(&gpu->scene, &gpu->scene.draws.data[i]);
    if (gpu->ramps_paged && ramp >= 0) ramp_batch[ramp] = 0;
    if (gpu->images_paged && image >= 0) image_batch[image] = 0;
  }
  gpu->upload |= (ramps ? 1u << SJ_RAMPS : 0) | (texels ? 1u << SJ_TEXELS : 0);
}

stijl_result sj_check_images(const sj_gpu *gpu, const sj_encoded *scene, stijl_message *message) {
  uint64_t room = gpu->max_range / 4;
  for (size_t i = 0; i < gpu->scene.draws.count; i++) {
    int64_t image = sj_image_of(&gpu->scene, &gpu->scene.draws.data[i]);
    if (image < 0) continue;
    const stijl_image *p = scene->images[image];
    if ((uint64_t)p->width * (uint64_t)p->height > room)
      return sj_fail(message, STIJL_ERROR_LIMIT, "an image of %d x %d pixels: the device's storage buffers hold %llu",
                     p->width, p->height, (unsigned long long)room);
  }
  return STIJL_OK;
}
