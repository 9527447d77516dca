// Frames with surfaces, all batches of which are one submission.
#include "gpu/chain.h"

#include "gpu/flight.h"
#include "gpu/record.h"
#include "scene/watch.h"

stijl_result sj_chain_open(sj_gpu *gpu, const sj_render_job *job, stijl_message *message) {
  sj_chain *chain = &gpu->chain;
  chain->whole = false;
  // The lab asks what each pass takes.
  bool alone = gpu->images_paged || gpu->ramps_paged || gpu->upload || job->keep || job->scene->watch;
  if (!gpu->own_surfaces || !chain->wanted || alone || sj_any_fresh(gpu)) return STIJL_OK;
  stijl_result result = sj_reserve(gpu, SJ_FRAME, chain->wanted, message);
  chain->open = result == STIJL_OK;
  chain->leaves = job->frame && job->frame->in_flight && !gpu->crowded;
  return result;
}

void sj_chain_note(sj_gpu *gpu) {
  sj_chain *chain = &gpu->chain;
  sj_link *link = &chain->links[chain->count];
  *link = (sj_link){.recorded = gpu->recorded, .filters_end = gpu->filters.next};
  if (chain->count) link->filters = link[-1].filters_end;
}

stijl_result sj_chain_add(sj_gpu *gpu, sj_band *band, stijl_message *message) {
  sj_chain *chain = &gpu->chain;
  VkCommandBuffer commands;
  stijl_result result = sj_record_before(gpu, band, &commands, message);
  if (result != STIJL_OK) return result;
  sj_record(gpu, commands, &gpu->recorded, SJ_ALL_STAGES, !chain->leaves);
  sj_chain_note(gpu);
  chain->frame_bytes = gpu->recorded.upload_bytes;
  chain->count++;
  return STIJL_OK;
}

void sj_chain_close(sj_gpu *gpu) {
  gpu->chain.open = false;
  gpu->chain.count = 0;
  gpu->chain.frame_bytes = 0;
  sj_select_sets(gpu, 0);
}
