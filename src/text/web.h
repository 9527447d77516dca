// Fonts that a document brings along (@font-face, CSS Fonts 4, 4), before those of an application and the system.
#ifndef SJ_TEXT_WEB_H
#define SJ_TEXT_WEB_H

#include "base/file.h"
#include "text/fonts.h"

typedef struct sj_web_source {
  bool local;  // the name of a font that is there; else an address
  const char *text;
  size_t length;
} sj_web_source;

// 0 in a minimum: the document says nothing, so the font's own range counts, and the normal value for the choice. What
// is pointed to has to stay as long as the fonts.
typedef struct sj_web_face {
  const char *family;
  float weight_min, weight_max, stretch_min, stretch_max;
  bool italic, oblique;
  float size_adjust;                // of the font size
  float ascent, descent, line_gap;  // font sizes; negative: the font's own
  const char *features, *variations;  // settings as CSS writes them; they go before those of the text
  size_t features_length, variations_length;
  uint32_t language_system;  // OpenType's, for texts that name none; 0: that of their language
  const sj_web_source *sources;  // the first that can be used counts
  size_t source_count;
  const uint32_t *ranges;  // the first and the last of each range of characters; NULL: all
  size_t range_count;
} sj_web_face;

// Reads what an address names; out->data is allocated with the fonts' context.
typedef stijl_result (*sj_web_fetch)(void *user, const char *address, size_t length, sj_bytes *out,
                                     stijl_message *message);

// Fonts over others: `base` (may be NULL) is asked for what the faces do not have, and has to outlive them. Nothing is
// read before a text asks for a family. `quiet`: a face that cannot be used is not told. NULL when memory is short.
// Destroyed as other fonts.
stijl_fonts *sj_web_fonts_create(stijl_context *context, stijl_fonts *base, const sj_web_face *faces, size_t count,
                                 bool quiet, sj_web_fetch fetch, void *user);

// --- for fonts.c ---

struct sj_web_fonts;
void sj_web_fonts_finish(struct sj_web_fonts *web);
// As sj_fonts_face, and with characters as sj_fonts_face_for.
sj_face *sj_web_choose(struct sj_web_fonts *web, const sj_font_style *style, const uint32_t *characters, size_t count);
stijl_fonts *sj_web_base(const struct sj_web_fonts *web);
unsigned sj_web_refusals(const struct sj_web_fonts *web);

#endif
