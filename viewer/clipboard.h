// Gives a picture to the clipboard, which SDL 2 does for text only, by the programs that desktops have for it.
#ifndef VIEWER_CLIPBOARD_H
#define VIEWER_CLIPBOARD_H

#include <stijl/stijl.h>

// Copies pixels as a PNG file. Returns false when it cannot; the message tells what is missing.
bool clipboard_copy(stijl_context *context, int width, int height, stijl_format format, const void *pixels,
                    size_t stride, stijl_message *message);

#endif
