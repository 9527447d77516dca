// Encodes several pictures that are drawn side by side into one target.
#ifndef SJ_SCENE_ENCODE_PICTURES_H
#define SJ_SCENE_ENCODE_PICTURES_H

#include "scene/encoder.h"

// A picture: what a frame of its own, as large as its place, would show.
typedef struct sj_picture {
  uint32_t subscene;    // what it shows: a scene within, or SJ_ROOT, all of the scene
  uint32_t background;  // premultiplied
  stijl_matrix view;    // from that to its own pixels
  stijl_irect place;    // in the target
} sj_picture;

// Encodes pictures that do not overlap, by out->pool's threads. The target is transparent where there are none.
stijl_result sj_encode_pictures(stijl_context *context, const stijl_scene *scene, const sj_picture *pictures,
                                size_t count, sj_encoded *out, stijl_message *message);

// --- What encode.c does of it ---

// Begins with the memory of the frame before. Returns NULL when there is none.
sj_encoder *sj_encoder_begin(stijl_context *context, const stijl_scene *scene, sj_encoded *out);
// Encodes the pass at work; `region` is its pixels.
bool sj_encode_pass(sj_encoder *e, stijl_irect region);
// Makes the passes, of which `target`, that of all draws so far, is the last. `ok`: there was memory for all.
stijl_result sj_encoder_end(sj_encoder *e, k_pass target, bool ok, stijl_message *message);
// Returns a failure where the surfaces need more memory than there is.
stijl_result sj_encoded_check(sj_encoded *out, stijl_message *message);

// Frees what sj_encode_pictures keeps of the encoder.
void sj_picture_parts_finish(sj_encoder *e);

#endif
