// @font-face rules (CSS Fonts 4, 4): what they say, before any font is read.
#ifndef SJ_SVG_STYLE_FONT_FACE_H
#define SJ_SVG_STYLE_FONT_FACE_H

#include "base/array.h"
#include "svg/parse/document.h"
#include "svg/style/font.h"

typedef struct sj_font_source {
  bool local;  // the name of a font that is there; else an address, seen from the document
  char *text;
  size_t length;
  bool own;  // the text was made for it; else it is a sheet's
} sj_font_source;

// 0 in a minimum: nothing is said, so the font's own range counts, and the normal value for the choice.
typedef struct sj_font_face {
  char *family;
  float weight_min, weight_max;    // 1..1000
  float stretch_min, stretch_max;  // percent
  bool italic, oblique;
  float size_adjust;                // of the font size
  float ascent, descent, line_gap;  // font sizes; negative: the font's own
  sj_font_text features, variations;
  uint32_t language_system;  // as sj_font_values
  SJ_ARRAY(sj_font_source) sources;  // the first that can be used counts
  SJ_ARRAY(uint32_t) ranges;         // the first and the last of each range of characters; none: all
} sj_font_face;

typedef SJ_ARRAY(sj_font_face) sj_font_faces;

// Reads the rules of the document's sheets that have a family and a source. Texts are valid as long as the document.
// False when memory is short.
bool sj_font_faces_init(const sj_document *document, stijl_context *context, sj_font_faces *out);
void sj_font_faces_finish(sj_font_faces *faces, stijl_context *context);

#endif
