// Pictures that are too large to be held: they are drawn band by band, and each is written before the next is drawn.
#ifndef STIJL_CLI_STREAM_H
#define STIJL_CLI_STREAM_H

#include "render.h"

// Pictures of more pixels are streamed.
#define CLI_HELD_PIXELS ((uint64_t)1 << 26)

typedef struct cli_stream_times {
  double encode_ms, render_ms, write_ms;
} cli_stream_times;

// Draws the canvas into a file. *stats are those of the last band, with all draws that any band had at most.
bool cli_stream(const cli_renderer *renderer, const stijl_scene *scene, int width, int height,
                const stijl_render_params *params, const char *path, cli_stream_times *times, stijl_render_stats *stats,
                cli_failure *failure);

#endif
