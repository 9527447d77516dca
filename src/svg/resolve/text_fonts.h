// The fonts of a document's texts.
#ifndef SJ_SVG_RESOLVE_TEXT_FONTS_H
#define SJ_SVG_RESOLVE_TEXT_FONTS_H

#include "svg/resolve/job.h"

struct sj_face;
struct sj_palette;

// Returns the fonts that the document's text is drawn with; NULL when memory for any is short.
stijl_fonts *sj_resolver_fonts(sj_resolver *r);
// Finds the palette that a font-palette stands for with a face, and returns its identity, which no other palette of the
// job has.
uint32_t sj_resolver_palette(sj_resolver *r, const struct sj_face *face, const sj_value_text *value,
                             struct sj_palette *out);
void sj_resolver_fonts_finish(sj_resolver *r);

#endif
