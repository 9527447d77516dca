// Uploads a scene's arrays.
#ifndef SJ_GPU_UPLOAD_H
#define SJ_GPU_UPLOAD_H

#include "gpu/state.h"

// Uploads the scene, and gives each surface that the device draws its place behind the images.
stijl_result sj_upload_scene(sj_gpu *gpu, const sj_encoded *scene, stijl_message *message);
// Uploads the images or ramps that the batch draws, where not all of them fit.
void sj_upload_pages(sj_gpu *gpu, const sj_encoded *scene, const sj_batch *batch);
// Fails unless each image that is drawn fits a storage range.
stijl_result sj_check_images(const sj_gpu *gpu, const sj_encoded *scene, stijl_message *message);

#endif
