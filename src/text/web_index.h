// Finds, among the faces that a document brings along, those of a family, of a style and for a character, without
// looking at the others: pages with a thousand slices of one family are common (unicode-range).
#ifndef SJ_TEXT_WEB_INDEX_H
#define SJ_TEXT_WEB_INDEX_H

#include "text/face_description.h"
#include "text/web.h"

#define SJ_NO_WEB_FACE UINT32_MAX

// The faces of a family whose rules say the same of their style.
typedef struct sj_web_style {
  sj_face_description is;
  uint32_t first, count;  // of the index's order
  // From the character starts[i] on the last face that is for it is tops[i]. Made when it is first asked for.
  uint32_t *starts, *tops;
  size_t starts_count;
} sj_web_style;

typedef struct sj_web_family {
  const char *name;
  uint32_t first_style, style_count;
  uint32_t last;  // face
} sj_web_family;

typedef struct sj_web_index {
  stijl_context *context;
  const sj_web_face *faces;
  uint32_t *order;  // of the faces, those of a style one after the other, and in the order of their rules
  sj_web_style *styles;
  sj_web_family *families;  // by their names in lower case
  size_t style_count, family_count;
} sj_web_index;

// Returns what a rule says of the style; where it says nothing, that it is normal.
sj_face_description sj_web_describe(const sj_web_face *face);

// Makes the index of faces, which must stay. Returns false when memory is short, and there is nothing to be finished.
bool sj_web_index_init(stijl_context *context, const sj_web_face *faces, size_t count, sj_web_index *out);
void sj_web_index_finish(sj_web_index *index);

// Returns the family of that name, or NULL if the document brings no face of it.
const sj_web_family *sj_web_index_family(const sj_web_index *index, const char *name, size_t length);

// Sets *out to the last face of the style, before the face number `before`, whose ranges have the character:
// SJ_NO_WEB_FACE where there is none. `before` may be SJ_NO_WEB_FACE, too: any. Returns false when memory or the budget
// is spent.
bool sj_web_index_face(sj_web_index *index, sj_web_style *style, uint32_t character, uint32_t before, uint32_t *out);

#endif
