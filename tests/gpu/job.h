// A scene that the GPU and scalar code draw, and the comparison of what they drew; shapes for such scenes.
#ifndef TEST_JOB_H
#define TEST_JOB_H

#include "stijl/stijl.h"
#include "test.h"

typedef struct job {
  stijl_scene *scene;
  int width, height;
} job;

job begin(int width, int height);

// Draws as many frames, so that what one leaves behind shows in the next; compare: two. They end the job.
void compare_frames(job *j, stijl_renderer *gpu, const char *name, int frames);
void compare(job *j, stijl_renderer *gpu, const char *name);

// Makes a renderer with one of the backend's environment variables set meanwhile.
stijl_renderer *open_with(const char *name, const char *value);

// Adds curves, filled and stroked in turn.
void add_shapes(job *j, int count, uint64_t seed);
// Compares a job of them.
void compare_shapes(stijl_renderer *gpu, int width, int height, int count, uint64_t seed, const char *name);

void fill_rect(job *j, float x, float y, float w, float h, const stijl_paint *paint);
void fill_ellipse(job *j, float x, float y, float rx, float ry, stijl_color color);
stijl_color random_color(sj_random *r, bool opaque);
stijl_image *random_image(sj_random *r, int width, int height);

#endif
