// Fonts that a document brings along (@font-face, CSS Fonts 4, 4). They come before those of the application and the
// system.
#ifndef SJ_TEXT_WEB_H
#define SJ_TEXT_WEB_H

#include "base/file.h"
#include "text/fonts.h"

typedef struct sj_web_source {
  bool local;  // `text` is the name of an installed font; otherwise it is an address
  const char *text;
  size_t length;
} sj_web_source;

// An @font-face rule. If a minimum is 0, the rule says nothing: the choice then assumes the normal value, and axes are
// set within the font's own range. What is pointed to must stay as long as the fonts exist.
typedef struct sj_web_face {
  const char *family;
  float weight_min, weight_max, stretch_min, stretch_max;
  bool italic, oblique;
  float size_adjust;                  // a multiple of the font size
  float ascent, descent, line_gap;    // multiples of the font size; negative: the font's own
  const char *features, *variations;  // settings as CSS writes them, which those of the text overrule
  size_t features_length, variations_length;
  uint32_t language_system;      // OpenType's tag, for texts that name none; 0: that of their language
  const sj_web_source *sources;  // the first that can be used counts
  size_t source_count;
  const uint32_t *ranges;  // of the characters that the face is for, as sj_in_ranges takes them; NULL: all
  size_t range_count;
} sj_web_face;

// Reads what an address refers to. out->data is allocated with the fonts' context.
typedef stijl_result (*sj_web_fetch)(void *user, const char *address, size_t length, sj_bytes *out,
                                     stijl_message *message);

// Makes fonts that have these faces, and ask `base` (which may be NULL, and must outlive them) for what the faces lack.
// Nothing is read before a text asks for a family. Unless `quiet`, faces that cannot be used are warned of. They are
// destroyed like other fonts. Returns NULL when memory is short.
stijl_fonts *sj_web_fonts_create(stijl_context *context, stijl_fonts *base, const sj_web_face *faces, size_t count,
                                 bool quiet, sj_web_fetch fetch, void *user);

// --- what the functions of stijl_fonts call for such fonts ---

struct sj_web_fonts;
void sj_web_fonts_finish(struct sj_web_fonts *web);
// Does what sj_fonts_face does, or with characters what sj_fonts_face_for does.
sj_face *sj_web_choose(struct sj_web_fonts *web, const sj_font_style *style, const uint32_t *characters, size_t count,
                       sj_presentation presentation);
stijl_fonts *sj_web_base(const struct sj_web_fonts *web);
unsigned sj_web_refusals(const struct sj_web_fonts *web);

#endif
