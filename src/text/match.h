// Font matching: which of some faces is nearest to a style (CSS Fonts 4, 5.2), and how it is opened for that style.
#ifndef SJ_TEXT_MATCH_H
#define SJ_TEXT_MATCH_H

#include "text/face_description.h"
#include "text/fonts.h"

// Returns whether two names of families are the same but for the case of ASCII letters.
bool sj_same_family(const char *a, const char *name, size_t length);
// Returns whether a name is in a list of names, each of which has a NUL behind it; one more NUL ends the list.
bool sj_has_family(const char *families, const char *name, size_t length);

// How far a face is from a style. Of two faces the first of these that differs decides which is nearer.
typedef struct sj_rank {
  float stretch, slant, weight;
} sj_rank;

sj_rank sj_rank_of(const sj_face_description *is, const sj_font_style *style);
bool sj_is_nearer(const sj_rank *a, const sj_rank *b);

// Returns how a face is opened for a style: the axes that the style sets, and what has to be synthesised.
sj_instance sj_instance_of(const sj_face_description *is, const sj_font_style *style);
// Takes away the axes that the font does not have, which make no difference.
void sj_instance_reduce(sj_instance *instance, const sj_face *face);
bool sj_same_instance(const sj_instance *a, const sj_instance *b);

#endif
