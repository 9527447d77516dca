// A plain SVG document on its way.
#ifndef SJ_EXPORT_SVG_H
#define SJ_EXPORT_SVG_H

#include "export/export.h"

// A layer that is open, and the first of the masks that act on it.
typedef struct sj_svg_layer {
  uint32_t masks;  // those that are still to come
  uint32_t mask;   // the number of the next
} sj_svg_layer;

typedef struct sj_svg_writer {
  sj_exporter *x;
  bool (*write)(void *user, const void *data, size_t bytes);
  void *user;
  char buffer[8192];
  size_t used;
  uint32_t next;      // number of the next clip or mask
  uint32_t *painted;  // for each paint of the scene: that its definition is written
  uint32_t *shown;    // for each image, likewise
  double width, height;
  SJ_ARRAY(sj_svg_layer) layers;
  unsigned char tail[3];  // of data in base64: what is not yet three bytes
  size_t tail_count;
} sj_svg_writer;

extern const sj_format sj_svg_format;

static inline sj_svg_writer *sj_svg_of(const sj_exporter *x) { return x->user; }

void sj_svg_put(sj_svg_writer *w, const char *text);
void sj_svg_put_number(sj_svg_writer *w, double value);
void sj_svg_put_count(sj_svg_writer *w, uint32_t value);
// Puts ` name="value"`.
void sj_svg_put_attribute(sj_svg_writer *w, const char *name, double value);
void sj_svg_put_matrix(sj_svg_writer *w, const char *name, const stijl_matrix *m);
// Adds bytes in base64; with none it ends.
bool sj_svg_put_data(void *writer, const void *data, size_t bytes);

// Writes what the paint of a draw refers to, if it is not there yet, before its element (svg_paint.c). Returns false
// when SVG cannot say it.
bool sj_svg_define_paint(sj_exporter *x, const sj_draw *draw, const stijl_matrix *m);
// Puts the attributes of a paint: `property` is "fill" or "stroke".
void sj_svg_put_paint(sj_exporter *x, const sj_draw *draw, const char *property);
// Writes an image of a fill. Returns false when SVG cannot say it.
bool sj_svg_put_image(sj_exporter *x, const sj_draw *draw, const stijl_matrix *m);
// Puts the attribute with the pixels of an image.
void sj_svg_put_pixels(sj_exporter *x, int width, int height, stijl_format format, const void *pixels, size_t stride);
// Puts ` d="..."` (svg_draw.c).
void sj_svg_put_path(sj_exporter *x, const sj_draw *draw, const sj_matrix64 *m);

#endif
