// The fonts behind stijl_fonts: which faces there are, which one a style asks for, and which one has a character.
#ifndef SJ_TEXT_FONTS_H
#define SJ_TEXT_FONTS_H

#include "base/budget.h"
#include "stijl/fonts.h"
#include "text/characters.h"
#include "text/face.h"

typedef enum sj_slant { SJ_SLANT_NORMAL, SJ_SLANT_ITALIC, SJ_SLANT_OBLIQUE } sj_slant;

#define SJ_MAX_FAMILY 256  // the most bytes of a family's name, including its NUL

// The properties by which a face is chosen (CSS Fonts 4, 2).
typedef struct sj_font_style {
  const char *families;  // a list as in CSS: names, quoted or not, and generic families; "" or NULL: the default
  size_t families_length;
  float weight;   // 1..1000
  float stretch;  // percent
  sj_slant slant;
  float optical_size;         // the value of the axis opsz; 0: the font's own
  const sj_axis_value *axes;  // font-variation-settings
  size_t axis_count;
  bool no_synthesis_weight, no_synthesis_style;
  stijl_budget *budget;  // is charged for the search, which ends when it is spent; NULL: nothing is charged
} sj_font_style;

// font-variant-emoji (CSS Fonts 4, 6.11).
typedef enum sj_emoji_variant { SJ_EMOJI_NORMAL, SJ_EMOJI_TEXT, SJ_EMOJI_EMOJI, SJ_EMOJI_UNICODE } sj_emoji_variant;

// Which faces are for a cluster: those with colours for emoji, others for text.
typedef enum sj_presentation {
  SJ_PRESENT_ANY,        // it is no emoji
  SJ_PRESENT_TEXT,       // text, unless the style's families say otherwise
  SJ_PRESENT_EMOJI,      // an emoji, unless they do
  SJ_PRESENT_TEXT_ONLY,  // text, if any face has it as that
  SJ_PRESENT_EMOJI_ONLY  // an emoji, if any face has it as that
} sj_presentation;

// Returns how a cluster is presented (UTS 51; emoji.c). Most characters are told by sj_may_be_emoji to be no emoji.
sj_presentation sj_presentation_of(const uint32_t *text, uint32_t count, sj_emoji_variant variant);
static inline bool sj_may_be_emoji(const uint32_t *text, uint32_t count) {
  return text[0] >= 0x203c || text[0] == 0xa9 || text[0] == 0xae || (text[0] < 0x3a && count > 1);
}

// Returns the face for a style. Returns NULL when there is no font at all, or memory is short. Faces belong to the
// fonts, and stay open until those are destroyed.
sj_face *sj_fonts_face(stijl_fonts *fonts, const sj_font_style *style);
// Returns a face that has all the characters: of the style's families if one of them has, else any face. Where no face
// has all, it has the first character. Returns NULL when no face has that, or memory is short. The characters are those
// of a cluster, so they are few.
sj_face *sj_fonts_face_for(stijl_fonts *fonts, const sj_font_style *style, const uint32_t *characters, size_t count,
                           sj_presentation presentation);
// Does the same, but only looks at one family, and at what the system has with the same widths instead of it. `generic`
// is that of sj_each_family. With NULL as characters any face of the family will do. A face that does not have the
// characters as they have to be presented (SJ_PRESENT_..._ONLY) is not taken.
sj_face *sj_fonts_of_family(stijl_fonts *fonts, const sj_font_style *style, const char *name, size_t length,
                            int generic, const uint32_t *characters, size_t count, sj_presentation presentation);
// Finds a font by its full name or PostScript name, such as "Noto Sans Bold" or "NotoSans-Bold". Returns false when
// there is none, or the budget, which may be NULL, is spent.
bool sj_fonts_by_name(stijl_fonts *fonts, stijl_budget *budget, const char *name, size_t length, sj_font_bytes *out,
                      uint32_t *index);

// Returns whether a face may have a cluster that is presented in this way and no other.
static inline bool sj_face_presents(const sj_face *face, sj_presentation presentation) {
  return presentation < SJ_PRESENT_TEXT_ONLY || face->has_color == (presentation == SJ_PRESENT_EMOJI_ONLY);
}

// Notes, for stijl_fonts_get_use, that a style got a document's own font.
void sj_fonts_note(stijl_fonts *fonts, const sj_font_style *style, const char *family, const char *path,
                   size_t path_length, stijl_font_how how);
// Returns the limits of the fonts; the default ones for NULL.
void sj_fonts_limits(const stijl_fonts *fonts, uint64_t *max_bytes, uint64_t *max_memory);

// Makes fonts that stand for those of a document (web.h), and own them. NULL: memory is short.
struct sj_web_fonts;
stijl_fonts *sj_fonts_over(stijl_context *context, struct sj_web_fonts *web);

// Calls `each` for each family of a list as in CSS, until it returns false. The name is passed without quotes and
// escapes. `generic` is a stijl_generic_family, or -1 for a name.
void sj_each_family(const char *list, size_t length,
                    bool (*each)(void *user, const char *name, size_t length, int generic), void *user);

// Returns the fonts that are used where an application passes none: the system's. They are made by the first call, and
// belong to the process. Returns NULL when memory is short.
stijl_fonts *sj_fonts_default(void);

// Returns how often memory was short for the fonts. If that changes while a text is shaped, the text may lack
// something.
unsigned sj_fonts_refusals(const stijl_fonts *fonts);

// Returns the face's family if the face that a style got is not of the first family that the style names, and copies
// that of the style to `name`. Otherwise, and for a document's own face, returns NULL. Other threads may use the fonts
// meanwhile.
const char *sj_fonts_instead(stijl_fonts *fonts, const sj_font_style *style, const sj_face *face,
                             char name[SJ_MAX_FAMILY]);

// Returns whether a face is of one of the families of a list as in CSS. Generic families do not count.
bool sj_fonts_is_of(stijl_fonts *fonts, const sj_face *face, const char *families, size_t length);

// Returns the name of a face's family, for messages; "" if the face is not of these fonts.
const char *sj_face_family(const stijl_fonts *fonts, const sj_face *face);

#endif
