// What our own adapters share: a scene, drawn frame by frame by our renderer.
#ifndef BENCH_OURS_H
#define BENCH_OURS_H

#include "frames.h"
#include "stijl/stijl.h"

typedef struct ours {
  stijl_renderer_params renderer;
  stijl_scene *scene;  // finished; destroyed in the end
  stijl_matrix transform;
  // A frame records the scene first, of `what`; NULL: it draws it again.
  void (*record)(stijl_scene *scene, const void *what);
  const void *what;
  bool stats;  // print what the renderer says of the last frame on standard error
} ours;

#define OURS_INIT                                                             \
  {                                                                           \
    .renderer = STIJL_RENDERER_PARAMS_INIT, .transform = { 1, 0, 0, 1, 0, 0 } \
  }

// Ends the program unless the result is good.
void ours_check(stijl_result result, const char *message);

// Reads an option of the command line, --isa NAME or --stats; how many arguments it has, 0: it is another.
int ours_option(ours *o, int argc, char **argv);

// Times frames on white (bench_frames), and dumps the last one.
void ours_frames(ours *o, const char *peer, const bench_options *options);

#endif
