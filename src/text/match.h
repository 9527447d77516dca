// Font matching: which of some faces is nearest to a style (CSS Fonts 4, 5.2), and how it is opened for it.
#ifndef SJ_TEXT_MATCH_H
#define SJ_TEXT_MATCH_H

#include "text/fonts.h"

// Without regard to ASCII case. `families` are names with a NUL behind each, and one more at the end.
bool sj_same_family(const char *a, const char *name, size_t length);
bool sj_has_family(const char *families, const char *name, size_t length);

// How far a face is from a style: the first that differs decides.
typedef struct sj_rank {
  float stretch, slant, weight;
} sj_rank;

sj_rank sj_rank_of(const sj_face_description *is, const sj_font_style *style);
bool sj_is_nearer(const sj_rank *a, const sj_rank *b);

// The axes that the style sets, and what has to be synthesised.
sj_instance sj_instance_of(const sj_face_description *is, const sj_font_style *style);
bool sj_same_instance(const sj_instance *a, const sj_instance *b);

#endif
