// Resolves images, and loads what they and other references show.
#ifndef SJ_SVG_RESOLVE_IMAGE_H
#define SJ_SVG_RESOLVE_IMAGE_H

#include "svg/resolve/job.h"

// What an image shows, and where, if its element's attributes do not tell.
typedef struct sj_given_image {
  stijl_rect rect;
  const char *url;  // NULL: they tell that. The picture fills the rectangle otherwise
  size_t length;
} sj_given_image;

// Fills in an image node. `given` may be NULL. Returns false if it draws nothing and has no box.
bool sj_resolve_image(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node,
                      const sj_given_image *given);
// Finds or loads the picture of a URL. Returns its index in tree->images, with its size; SJ_NONE where there is none.
uint32_t sj_resolve_picture(sj_resolver *r, const sj_resolve_frame *frame, const char *url, size_t length, float *width,
                            float *height);
// Returns the document that an image in tree->images is; NULL where it is none.
const sj_document *sj_picture_document(const sj_resolver *r, uint32_t image);
// Adds the picture of a colour glyph to tree->images and returns its index: a scene, which is taken over, or where that
// is NULL the document with these bytes. SJ_NONE if it is broken, which has been logged.
uint32_t sj_embed_glyph(sj_resolver *r, stijl_scene *scene, const void *data, size_t bytes);
// Returns the resolver of the document in the file of a URL without fragment; NULL when it cannot be read, or is no
// document. Use elements that are `given` the same custom properties, at the same place in memory, share it.
sj_resolver *sj_external_resolver(sj_resolver *r, const char *url, size_t length, const sj_load_given *given);

// Finds the own size of the picture of a URL. Returns false if there is none.
bool sj_image_size(sj_resolver *r, const char *url, size_t length, float *width, float *height);

#endif
