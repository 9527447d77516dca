// Encoding resolves a recorded scene for one target, once a frame: transforms are multiplied out, draws outside of it
// dropped, layers get their boxes, paints are converted to device pixels, and scenes that are painted with become
// passes. Its work is for draws only; segments are used as recorded.
#ifndef SJ_SCENE_ENCODE_H
#define SJ_SCENE_ENCODE_H

#include "scene/encoded.h"

// Encodes a scene as it is seen through `view`. Draws outside of `region`, the part of the canvas that is wanted, are
// dropped; what surfaces hold does not depend on it. If `out` was made of the same scene for the same target already,
// only its budget is charged.
SJ_SHARED stijl_result sj_encode(stijl_context *context, const stijl_scene *scene, stijl_matrix view,
                                 stijl_irect region, sj_encoded *out, stijl_message *message);
// Begins with what backends read of the scene itself, without draws, pens, paints and passes. For who encodes these
// otherwise (gpu/resident.h).
void sj_encoded_begin(const stijl_scene *scene, sj_encoded *out);
// Frees the memory of what was encoded.
SJ_SHARED void sj_encoded_finish(stijl_context *context, sj_encoded *encoded);

#endif
