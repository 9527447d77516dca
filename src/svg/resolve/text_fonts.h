// The fonts of a document's texts.
#ifndef SJ_SVG_RESOLVE_TEXT_FONTS_H
#define SJ_SVG_RESOLVE_TEXT_FONTS_H

#include "svg/resolve/job.h"

struct sj_face;
struct sj_font_style;
struct sj_palette;

// Returns the fonts that the document's text is drawn with; NULL when memory for any is short.
stijl_fonts *sj_resolver_fonts(sj_resolver *r);
// Returns by what a style's font is chosen; its axes are not among that.
struct sj_font_style sj_resolver_font_style(const sj_resolver *r, const sj_style *style);
// Returns the first face of a style, and by what its font units are multiplied; NULL: there is none.
struct sj_face *sj_resolver_face(sj_resolver *r, const sj_style *style, float *scale);
// Returns what an ex or a ch is of an em in the font of a style, an sj_style (CSS Values 4, 6.1.1). `resolver` is one.
float sj_resolver_font_unit(void *resolver, const void *style, sj_unit unit);
// Finds the palette that a font-palette stands for with a face, and returns its identity, which no other palette of the
// job has.
uint32_t sj_resolver_palette(sj_resolver *r, const struct sj_face *face, const sj_value_text *value,
                             struct sj_palette *out);
void sj_resolver_fonts_finish(sj_resolver *r);

#endif
