// The options that a document is loaded with. They are kept as long as the document, since files that it names are read
// later.
#ifndef SJ_SVG_PARSE_OPTIONS_H
#define SJ_SVG_PARSE_OPTIONS_H

#include "stijl/svg.h"

typedef struct sj_svg_options {
  stijl_svg_limits limits;
  stijl_image_limits image_limits;
  char *base_folder;  // resolved; NULL: no file is read
  bool allow_all_files;
  float dpi;
  char *language;
  stijl_fonts *fonts;  // NULL: the system's
  float font_size;     // of the root
  double time;         // of animations; INFINITY: their end
  stijl_result (*read)(void *user, const char *url, const void **data, size_t *bytes);  // of stijl_svg_params
  void *read_user;
} sj_svg_options;

#endif
