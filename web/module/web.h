// The module's functions, as JavaScript calls them: numbers in, numbers out. What does not fit into numbers goes
// through the module's memory. Every function that can fail returns a stijl_result, or NULL for a new object; the text
// is then in web_error. Structs are filled here, so that JavaScript knows the layout of none.
#ifndef STIJL_WEB_H
#define STIJL_WEB_H

#include <stijl/stijl.h>

#define WEB(name) __attribute__((export_name(#name), visibility("default"))) web_##name

// Warnings go to JavaScript.
extern stijl_context *web_context;
extern stijl_message web_error;

// The last result of a function that returns an object.
extern stijl_result web_result;

// Returns at least `bytes` that stay until the next call, for what is passed and returned in memory; NULL without
// memory.
void *web_scratch(size_t bytes);

// What the functions of record.c have set up.
extern stijl_paint web_paint;

static inline stijl_stroke web_stroke(float width, int cap, int join, float miter_limit, const float *dashes,
                                      size_t dash_count, float dash_offset, const stijl_matrix *pen) {
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = width;
  stroke.cap = (stijl_cap)cap;
  stroke.join = (stijl_join)join;
  stroke.miter_limit = miter_limit;
  stroke.dashes = dash_count ? dashes : NULL;
  stroke.dash_count = dash_count;
  stroke.dash_offset = dash_offset;
  stroke.pen = pen;
  return stroke;
}

#endif
