// A file that is shown: an SVG document or a saved scene, which is read anew when it changes.
#ifndef VIEWER_DOCUMENT_H
#define VIEWER_DOCUMENT_H

#include <stijl/stijl.h>
#include <time.h>

typedef struct document {
  stijl_context *context;
  const char *path;
  stijl_svg *svg;      // NULL: a saved scene
  stijl_scene *scene;  // NULL: it could not be read
  unsigned scenes;     // how many scenes there were
  unsigned char *data;
  size_t bytes;
  double width, height;     // CSS pixels
  stijl_svg_timing timing;  // not animated where there is no document
  double time;              // seconds
  struct timespec changed;  // when the file was, as it was read
  stijl_message message;    // why it could not be read, or moved in time; "": all is well
} document;

void document_open(document *d, stijl_context *context, const char *path, double time);
void document_close(document *d);
// Reads it again if the file has changed; on failure what was read before stays, and the message tells. Returns whether
// there is something new to show.
bool document_follow(document *d);
void document_move(document *d, double seconds);
// Returns how long it goes on, in seconds: to the end of all that ends, and once through what repeats. 0: it does not
// move.
double document_length(const document *d);
// Finds the node at a point of the document that stands for an element, and its box on the canvas. Returns false when
// there is none.
bool document_find(const document *d, float x, float y, stijl_svg_node *node, stijl_rect *box);
// Returns the line in which a byte of the file is, from 1; 0 if the file is compressed.
unsigned document_line(const document *d, uint64_t offset);

#endif
