// Writes scenes as vector files: PDF, and plain SVG of paths, gradients, images and groups.
//
// What a format cannot express is drawn by stijl's own renderer, and stands in the file as an image at its place:
// - in both formats layers with a filter, sweep gradients, and layers and masks that are nested more than 32 deep;
// - in PDF layers that are blended by STIJL_BLEND_PLUS_LIGHTER, gradients and images that are repeated in one direction
//   only, joins of the kind STIJL_JOIN_MITER_CLIP, and masks by luminance unless all that they draw is white;
// - in SVG images and scenes that are not repeated alike in both directions.
// Where such a layer needs what is below it in the layer around, because of its blend mode or its filter, that is drawn
// in the image as well. The viewer decides whether edges are smooth, so stijl_paint.aliased has no effect.
//
// In PDF, text of a scene that was made from a document stays text with its characters, and each font is embedded with
// the glyphs that are used. Other glyph runs become paths, and so does all text in SVG.
#ifndef STIJL_EXPORT_H
#define STIJL_EXPORT_H

#include "stijl/budget.h"
#include "stijl/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// The page that a scene is drawn on.
typedef struct stijl_page {
  size_t size;  // bytes of this struct; set by the initialiser
  // In CSS pixels, of which an inch has 96; above 0 and at most 19200, which are the 14400 points that PDF allows.
  float width, height;
  stijl_matrix transform;  // from the scene to the page, in CSS pixels
  stijl_color background;  // drawn below the scene; default transparent
  // Resolution of what is drawn as an image, in pixels per inch: 1..9600, default 300. It is lowered where the whole
  // page would have more than 2^25 pixels.
  float raster_dpi;
  // Bounds the call, and must have been created with the same context. If it is NULL, the call has a budget of its own,
  // with the default limits.
  stijl_budget *budget;
} stijl_page;

#define STIJL_PAGE_INIT STIJL_INIT(stijl_page, .transform = STIJL_MATRIX_IDENTITY, .raster_dpi = 300.0f)
STIJL_API void stijl_page_init(stijl_page *page, size_t size);

// How a PDF file is written.
typedef struct stijl_pdf_params {
  size_t size;        // bytes of this struct; set by the initialiser
  const char *title;  // of the document, in UTF-8; NULL for none
  // How many threads draw the images: 1..256, or 0 for one for each processor that this process may use.
  int threads;
} stijl_pdf_params;

#define STIJL_PDF_PARAMS_INIT STIJL_INIT(stijl_pdf_params, .title = NULL)
STIJL_API void stijl_pdf_params_init(stijl_pdf_params *params, size_t size);

// A PDF file that is being written. One thread at a time may use it.
typedef struct stijl_pdf stijl_pdf;

// Begins a PDF file. `write` receives the file piece by piece and returns false to stop; the result is then
// STIJL_ERROR_IO. `params` and `message` may be NULL. Returns STIJL_ERROR_UNSUPPORTED if this build cannot write PDF,
// or if libcairo2 or FreeType, which the first call opens, is not installed.
STIJL_API stijl_result stijl_pdf_create(stijl_context *context, const stijl_pdf_params *params,
                                        bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                        stijl_pdf **out, stijl_message *message);
// Adds a page with a scene, which must be finished. After a failure each later call fails in the same way.
STIJL_API stijl_result stijl_pdf_add_page(stijl_pdf *pdf, const stijl_scene *scene, const stijl_page *page,
                                          stijl_message *message);
// Writes the rest of the file. Returns STIJL_ERROR_INVALID_STATE if there is no page.
STIJL_API stijl_result stijl_pdf_finish(stijl_pdf *pdf, stijl_message *message);
// Frees the object, finished or not. NULL is allowed.
STIJL_API void stijl_pdf_destroy(stijl_pdf *pdf);

// Writes a scene, which must be finished, as an SVG document. `write` and `message` are as in stijl_pdf_create.
STIJL_API stijl_result stijl_scene_write_svg(stijl_context *context, const stijl_scene *scene, const stijl_page *page,
                                             bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                             stijl_message *message);

#ifdef __cplusplus
}
#endif
#endif
