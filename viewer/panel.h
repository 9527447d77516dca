// What is drawn over the picture: words about it, the box of the element below the pointer, the time line.
#ifndef VIEWER_PANEL_H
#define VIEWER_PANEL_H

#include <stijl/stijl.h>
#include <stijl/text.h>

#define PANEL_TIME_LINE 28  // pixels of the time line at the window's lower edge

typedef struct panel panel;

// Makes a panel. Returns NULL when memory is short.
panel *panel_create(stijl_context *context);
void panel_destroy(panel *p);

// What it shows. Lines are drawn one below the other in the upper left corner; NULL ends them.
typedef struct panel_content {
  const char *lines[6];
  bool failed;            // the last line tells of a failure
  const stijl_rect *box;  // in window pixels; NULL: none
  double position;        // on the time line, 0..1; negative: there is none
} panel_content;

// Records the panel for a window of this size; the scene belongs to the panel and is valid until the next call. NULL:
// it could not be recorded.
const stijl_scene *panel_scene(panel *p, int width, int height, const panel_content *content);

#endif
