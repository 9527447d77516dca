// Reads @font-face rules (CSS Fonts 4, 4), without reading any font.
#ifndef SJ_SVG_STYLE_FONT_FACE_H
#define SJ_SVG_STYLE_FONT_FACE_H

#include "base/array.h"
#include "svg/parse/document.h"
#include "svg/style/font.h"

typedef struct sj_font_face_source {
  bool local;  // `text` is the name of an installed font; else an address relative to the document
  char *text;
  size_t length;
  bool own;  // the text belongs to this; else to a sheet
} sj_font_face_source;

// A minimum of 0 says nothing: then the font's own range counts, and the normal value for choosing a face.
typedef struct sj_font_face {
  char *family;
  float weight_min, weight_max;    // 1..1000
  float stretch_min, stretch_max;  // percent
  bool italic, oblique;
  float size_adjust;                // as a factor of the font size
  float ascent, descent, line_gap;  // in font sizes; negative: the font's own
  sj_value_text features, variations;
  uint32_t language_system;               // as sj_font_values
  SJ_ARRAY(sj_font_face_source) sources;  // in order of preference
  SJ_ARRAY(uint32_t) ranges;              // first and last of each range of characters; empty: all characters
} sj_font_face;

typedef SJ_ARRAY(sj_font_face) sj_font_faces;

// Reads the rules of the document's sheets that have a family and a source. Texts are valid as long as the document.
// Returns false when memory is short.
bool sj_font_faces_init(const sj_document *document, stijl_context *context, sj_font_faces *out);
void sj_font_faces_finish(sj_font_faces *faces, stijl_context *context);

#endif
