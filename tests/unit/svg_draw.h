// Draws small documents for the tests.
#ifndef SVG_DRAW_H
#define SVG_DRAW_H

#include "stijl/stijl.h"

enum { DRAWN_SIZE = 64 };

typedef struct drawn {
  stijl_result result;
  stijl_message message;
  int warnings;                              // logged while loading and recording
  char warning[256];                         // the last one
  uint32_t pixels[DRAWN_SIZE * DRAWN_SIZE];  // 0xRRGGBBAA, premultiplied
} drawn;

// Returns false when this build reads no SVG.
bool have_svg(void);
// Draws a document scaled to DRAWN_SIZE x DRAWN_SIZE, on transparent pixels. `params` NULL: the defaults. The pixels
// are 0 after a failure.
void draw_svg(const char *text, const stijl_svg_params *params, drawn *out);
// Does the same by a scene that was recorded for size x size pixels.
void draw_svg_recorded(const char *text, int size, drawn *out);
uint32_t pixel(const drawn *d, int x, int y);

// Makes a folder of files for one test. Returns false when none can be made.
bool make_folder(void);
void remove_folder(void);
// Returns the path of what is in it; valid until the next call but three. "": the folder.
const char *in_folder(const char *name);
// Makes the folders on the way, too.
void write_file(const char *name, const char *text);

// The usual document: an svg element with a view box of 64 x 64 around the text.
#define SVG(body)                                                                                                \
  "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 64 64'>" body \
  "</svg>"
// Checks one pixel of a document that must load.
#define CHECK_PIXEL(document, x, y, expected)                                                       \
  do {                                                                                              \
    static drawn checked_;                                                                          \
    draw_svg(document, NULL, &checked_);                                                            \
    if (checked_.result) sj_test_fail(__FILE__, __LINE__, "%s", checked_.message.text);             \
    uint32_t got_ = pixel(&checked_, x, y);                                                         \
    if (got_ != (uint32_t)(expected))                                                               \
      sj_test_fail(__FILE__, __LINE__, "pixel is %08x, expected %08x", got_, (uint32_t)(expected)); \
  } while (0)

#define GREEN 0x008000ffu
#define RED 0xff0000ffu
#define BLUE 0x0000ffffu
#define BLACK 0x000000ffu

#endif
