// What the parts of the window cost to draw: blocks of it are drawn one by one, by one thread of the CPU, whatever
// draws the window. As that takes longer than a frame, it goes on between frames.
#ifndef VIEWER_COSTS_H
#define VIEWER_COSTS_H

#include <stijl/stijl.h>

#define COSTS_BLOCK 64  // pixels a side

// What a map shows.
enum { COSTS_TIME, COSTS_DRAWS, COSTS_EDGES, COSTS_MAPS };

typedef struct costs_block {
  double of[COSTS_MAPS];  // microseconds; how many draws and lines there are
} costs_block;

typedef struct costs costs;

// Makes costs of nothing yet. Returns NULL when memory is short.
costs *costs_create(stijl_context *context);
void costs_destroy(costs *c);
// Forgets what was measured; what follows is about a window of this size. Returns false when memory is short.
bool costs_begin(costs *c, int width, int height);
// Measures for some milliseconds the blocks of a scene that is drawn so. Returns false when it cannot; the message
// tells why.
bool costs_measure(costs *c, const stijl_scene *scene, const stijl_render_params *params, double ms,
                   stijl_message *message);
bool costs_done(const costs *c);
bool costs_size_is(const costs *c, int width, int height);
// Returns the block at a pixel of the window, or NULL if it has not been measured yet.
const costs_block *costs_at(const costs *c, double x, double y);
void costs_find(const costs *c, int map, double *most, double *mean);
// Returns a scene of red blocks, the redder the more there is in them; it belongs to `c` and is valid until the next
// call. Returns NULL when it could not be recorded.
const stijl_scene *costs_scene(costs *c, int map);

#endif
