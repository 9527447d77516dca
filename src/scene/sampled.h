// Which pixels of an image are sampled.
#ifndef SJ_SCENE_SAMPLED_H
#define SJ_SCENE_SAMPLED_H

#include "scene/encoder.h"

// Returns the pixels of an image that bilinear sampling reads for a box of pixels; the second function returns the
// pixels of a box for which it may read those of a part of the image. The matrix takes pixels of the box to the image.
stijl_irect sj_sampled(stijl_matrix m, stijl_irect box);
stijl_irect sj_sampling(stijl_matrix m, stijl_irect part, stijl_irect box);

#endif
