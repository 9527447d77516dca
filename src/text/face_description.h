// Describes the faces of a font file, so that one can be chosen without keeping the file open.
#ifndef SJ_TEXT_FACE_DESCRIPTION_H
#define SJ_TEXT_FACE_DESCRIPTION_H

#include "text/face.h"

typedef struct sj_face_description {
  char *families;    // the families' names in lower case, each with a NUL behind it; one more NUL ends the list
  char *name;        // the first family as it is written
  char *full_names;  // full names and PostScript names, which local() asks for: a list like `families`
  float weight_min, weight_max;    // 1..1000
  float stretch_min, stretch_max;  // percent
  bool italic, oblique;
  bool has_slant_axis;
} sj_face_description;

// Calls `add` for each face of the file. It takes over the memory of the description, which is from sj_alloc. When
// `add` returns false, memory is short, and the function fails.
stijl_result sj_font_describe(sj_font_library *library, const sj_font_bytes *bytes,
                              bool (*add)(void *user, uint32_t index, const sj_face_description *description),
                              void *user, stijl_message *message);

#endif
