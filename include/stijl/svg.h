// SVG documents.
#ifndef STIJL_SVG_H
#define STIJL_SVG_H

#include "stijl/budget.h"
#include "stijl/fonts.h"
#include "stijl/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bounds on what one document may ask for; reaching one is STIJL_ERROR_LIMIT and the message names it.
// Nesting takes the calling thread's stack: half a MiB at the default depth, 2 MiB at the most, which is 1024.
typedef struct stijl_svg_limits {
  uint64_t max_bytes;     // of the document, unpacked; default 2^28
  uint32_t max_elements;  // elements drawn, each use of an element counted; default 2^20
  uint32_t max_depth;     // nesting, of XML and through use, pattern, mask, ...; default 256
  double max_seconds;     // for loading and for building a scene, each, where no budget is given; default 0: that of budgets
} stijl_svg_limits;

typedef struct stijl_svg_params {
  size_t size;  // bytes of this struct; set by the initialiser
  // The folder of the document: files below it may be referred to. NULL: no file is read.
  const char *base_folder;
  bool allow_all_files;  // also read files elsewhere. Network addresses never are
  float dpi;             // pixels per inch for absolute units; default 96
  const char *language;  // for systemLanguage, comma separated; default "en"
  stijl_svg_limits limits;
  stijl_image_limits image_limits;
  // A CSS style sheet, NUL-terminated, that goes before the document's own. NULL: none.
  const char *style_sheet;
  // Bounds loading and building scenes together; was created with the same context. The document keeps it. NULL: each
  // call has one of its own.
  stijl_budget *budget;
  // What text is drawn with; has to outlive the document. NULL: the system's fonts.
  stijl_fonts *fonts;
  float font_size;  // of text that has none, in CSS pixels; default 12
} stijl_svg_params;

#define STIJL_SVG_PARAMS_INIT                                                                     \
  {                                                                                               \
    sizeof(stijl_svg_params), NULL, false, 96.0f, "en", {(uint64_t)1 << 28, 1u << 20, 256, 0.0}, \
        STIJL_IMAGE_LIMITS_INIT, NULL, NULL, NULL, 12.0f                                           \
  }
STIJL_API void stijl_svg_params_init(stijl_svg_params *params, size_t size);

typedef struct stijl_svg stijl_svg;

// Parses SVG or gzipped SVG (svgz). Keeps no reference to `data` or `params`. A document that is not well-formed XML is
// STIJL_ERROR_MALFORMED, the message giving the line.
STIJL_API stijl_result stijl_svg_load(stijl_context *context, const void *data, size_t bytes,
                                      const stijl_svg_params *params, stijl_svg **out, stijl_message *message);
STIJL_API void stijl_svg_destroy(stijl_svg *svg);

// The document's exact size in CSS pixels. Of width and height, one that is absent or a percentage follows from the
// viewBox. Where that is missing as well, the size is that of the content with its strokes (100 x 100 without content),
// and the scene begins at the content's corner.
STIJL_API void stijl_svg_size(const stijl_svg *svg, float *width, float *height);

// Records the document, scaled to fill width x height pixels, which need not be whole: draw the scene with an identity
// transform onto a canvas that holds them. Patterns, and whatever else needs pixels, are made for that scale. What the
// document asks for and the picture will lack is logged as a warning, once for each kind.
STIJL_API stijl_result stijl_svg_scene(const stijl_svg *svg, float width, float height, stijl_scene **out,
                                       stijl_message *message);

#ifdef __cplusplus
}
#endif
#endif
