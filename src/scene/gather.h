// Makes many scenes scenes within one.
#ifndef SJ_SCENE_GATHER_H
#define SJ_SCENE_GATHER_H

#include "base/pool.h"
#include "scene/scene.h"

// Embeds scenes, some of which may be the same, as sj_scene_embed does one by one; but several threads copy those
// without filters and scenes within. out[i]: the index of others[i] among the scenes within. Returns false when the
// scene has failed.
bool sj_scene_gather(stijl_scene *scene, const stijl_scene *const *others, size_t count, sj_pool *pool, uint32_t *out);

#endif
