// Scenes as vector files: PDF, and plain SVG of paths, gradients, images and groups.
//
// What a format cannot say is drawn by stijl's own renderer, and is in the file as an image at its place:
// - in PDF layers with a filter, layers that are blended by STIJL_BLEND_PLUS_LIGHTER with all that is below them in the
//   layer around, sweep gradients, gradients and images that are repeated in one direction only, joins of the kind
//   STIJL_JOIN_MITER_CLIP, and masks by luminance unless all that they draw is white;
// - in SVG layers with a filter, sweep gradients, and images and scenes that are not repeated alike in both directions.
// Whether edges are smooth (stijl_paint.aliased) is for the viewer to decide.
//
// Text is text in PDF, with its characters, where the scene was made from a document; each font is embedded, with the
// glyphs that are used. Other glyph runs are paths, as all are in SVG.
#ifndef STIJL_EXPORT_H
#define STIJL_EXPORT_H

#include "stijl/budget.h"
#include "stijl/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a scene is put on.
typedef struct stijl_page {
  size_t size;          // bytes of this struct; set by the initialiser
  float width, height;  // in CSS pixels, of which an inch has 96; 0 < side <= 19200, the 14400 points that PDF allows
  stijl_matrix transform;  // from the scene to the page, in CSS pixels
  stijl_color background;  // default transparent
  // Pixels an inch of what is drawn as an image; 1..9600, default 300. Fewer where the page would have more than 2^25.
  float raster_dpi;
  // Bounds the call; was created with the same context. NULL: one of its own, with the default limits.
  stijl_budget *budget;
} stijl_page;

#define STIJL_PAGE_INIT \
  { sizeof(stijl_page), 0.0f, 0.0f, STIJL_MATRIX_IDENTITY, {0.0f, 0.0f, 0.0f, 0.0f}, 300.0f, NULL }
STIJL_API void stijl_page_init(stijl_page *page, size_t size);

typedef struct stijl_pdf_params {
  size_t size;        // bytes of this struct; set by the initialiser
  const char *title;  // UTF-8; NULL: none
  // Of the renderer that draws images: 1..256; 0: one for each processor this process may use.
  int threads;
} stijl_pdf_params;

#define STIJL_PDF_PARAMS_INIT \
  { sizeof(stijl_pdf_params), NULL, 0 }
STIJL_API void stijl_pdf_params_init(stijl_pdf_params *params, size_t size);

// A PDF file on its way. For one thread at a time.
typedef struct stijl_pdf stijl_pdf;

// `write` gets the file piece by piece, and returns false to stop (STIJL_ERROR_IO). `params` and `message` may be NULL.
// STIJL_ERROR_UNSUPPORTED: this build has no PDF, or libcairo2 is not installed; it is opened by the first call.
STIJL_API stijl_result stijl_pdf_create(stijl_context *context, const stijl_pdf_params *params,
                                        bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                        stijl_pdf **out, stijl_message *message);
// Adds a page with the finished scene. After a failure each call fails in the same way.
STIJL_API stijl_result stijl_pdf_add_page(stijl_pdf *pdf, const stijl_scene *scene, const stijl_page *page,
                                          stijl_message *message);
// Writes what is left. STIJL_ERROR_INVALID_STATE: there is no page.
STIJL_API stijl_result stijl_pdf_finish(stijl_pdf *pdf, stijl_message *message);
// Frees it, finished or not. NULL is allowed.
STIJL_API void stijl_pdf_destroy(stijl_pdf *pdf);

// Writes the finished scene as an SVG document. The rest is as above.
STIJL_API stijl_result stijl_scene_write_svg(stijl_context *context, const stijl_scene *scene, const stijl_page *page,
                                             bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                             stijl_message *message);

#ifdef __cplusplus
}
#endif
#endif
