// Tells the lab which passes of a frame are done, on the thread that draws the frame.
#ifndef SJ_SCENE_WATCH_H
#define SJ_SCENE_WATCH_H

#include "scene/encode.h"

typedef struct sj_watch {
  // It is called when some passes are done, which were drawn together, and with no passes when the first begins. The
  // target's pass, the last one, is not told. `device_us` is the time that the stages of a GPU have taken for the frame
  // so far, without filters; it is 0 on the CPU.
  void (*done)(void *user, const sj_encoded *scene, const uint32_t *passes, uint32_t count, double device_us);
  void *user;
} sj_watch;

static inline void sj_watch_passes(const sj_encoded *scene, const uint32_t *passes, uint32_t count, double device_us) {
  if (scene->watch) scene->watch->done(scene->watch->user, scene, passes, count, device_us);
}

#endif
