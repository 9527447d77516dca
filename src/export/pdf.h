// A PDF file, drawn with cairo.
#ifndef SJ_EXPORT_PDF_H
#define SJ_EXPORT_PDF_H

#include "export/export.h"
#include "libraries/cairo.h"

// A layer that is open.
typedef struct sj_pdf_layer {
  bool group;
  double opacity;
  uint32_t blend;
} sj_pdf_layer;

// What a scene's paint or outline has become on this page.
typedef struct sj_pdf_tile {
  cairo_surface_t *surface;
  int width, height;
} sj_pdf_tile;

typedef struct sj_pdf_font {
  uint64_t serial;
  uint32_t blank;  // a glyph that shows nothing, for spaces
  float em;
  cairo_font_face_t *face;  // NULL: there is none, its glyphs are paths
} sj_pdf_font;

// A page at work, or a tile of a pattern on it.
typedef struct sj_pdf_page {
  cairo_t *cr;
  sj_matrix64 device;  // from the page as the walk has it to cairo's device space
  struct sj_pdf_shared *shared;
  SJ_ARRAY(sj_pdf_layer) layers;
  SJ_ARRAY(cairo_pattern_t *) masked;  // what the open masks act on
} sj_pdf_page;

// What a page and its tiles share.
typedef struct sj_pdf_shared {
  cairo_surface_t **images;  // for each image of the scene; NULL: not made yet
  sj_pdf_tile *tiles;        // for each paint
  SJ_ARRAY(sj_pdf_font) fonts;
  uint32_t *glyphs;  // for each outline its number in its font
  size_t reserved;   // bytes, for what cairo keeps of the page
} sj_pdf_shared;

extern const sj_format sj_pdf_format;

static inline sj_pdf_page *sj_pdf_of(const sj_exporter *x) { return x->user; }

// Sets the matrix that takes the draws' space, or a paint's, to the page. Returns false when it flattens everything.
bool sj_pdf_set_matrix(sj_exporter *x, const sj_matrix64 *m);
// Counts memory that cairo takes. Returns false when there is no room.
bool sj_pdf_reserve(sj_exporter *x, size_t bytes);

typedef enum sj_pdf_source {
  SJ_PDF_NOTHING,  // nothing is painted
  SJ_PDF_SET,
  SJ_PDF_UNKNOWN  // PDF cannot say it
} sj_pdf_source;

// Sets what a draw is painted with, and *opacity, by which that is to be multiplied (pdf_paint.c).
sj_pdf_source sj_pdf_set_source(sj_exporter *x, const sj_draw *draw, const stijl_matrix *m, double *opacity);
// Makes an image of pixels (BGRA8, premultiplied), which it takes over. NULL on failure.
cairo_surface_t *sj_pdf_image(sj_exporter *x, unsigned char *pixels, int width, int height);

// Shows a glyph run as text, in what the source is (pdf_text.c). Returns false when it has to be a path.
bool sj_pdf_text(sj_exporter *x, const sj_draw *draw, const stijl_matrix *m);

// Makes an OpenType font of the outlines in a scene that are of the font `serial`, and numbers them in `glyphs`
// (font.c). The last glyph, *blank, is blank. The caller frees the font by free(). Returns NULL when they are no glyphs
// of a font, or memory is short.
unsigned char *sj_make_font(const stijl_scene *scene, uint64_t serial, uint32_t *glyphs, uint32_t *blank, float *em,
                            size_t *bytes);

#endif
