// The database behind stijl_fonts: which faces there are, which one a style asks for, and which one has a character.
#ifndef SJ_TEXT_FONTS_H
#define SJ_TEXT_FONTS_H

#include "base/budget.h"
#include "stijl/fonts.h"
#include "text/face.h"

typedef enum sj_slant { SJ_SLANT_NORMAL, SJ_SLANT_ITALIC, SJ_SLANT_OBLIQUE } sj_slant;

#define SJ_MAX_FAMILY 256  // bytes of a family's name, with its NUL

// What a face is chosen by (CSS Fonts 4, 2).
typedef struct sj_font_style {
  const char *families;  // a CSS list: names, quoted or not, and generic families; "" or NULL: the default
  size_t families_length;
  float weight;   // 1..1000
  float stretch;  // percent
  sj_slant slant;
  float optical_size;         // for the opsz axis; 0: the font's own
  const sj_axis_value *axes;  // font-variation-settings
  size_t axis_count;
  bool no_synthesis_weight, no_synthesis_style;
  stijl_budget *budget;  // charged for looking; NULL: none. Once it is spent no more families are looked for
} sj_font_style;

// The face for a style. It is never NULL but where there is no font at all, or memory is short. Faces belong to the
// fonts and stay open until those are destroyed.
sj_face *sj_fonts_face(stijl_fonts *fonts, const sj_font_style *style);
// A face for the style that has all of the characters, from the list of families first, then from any; the best one for
// the first character where none has all. NULL: no face has it. `count` is small: a cluster.
sj_face *sj_fonts_face_for(stijl_fonts *fonts, const sj_font_style *style, const uint32_t *characters, size_t count);

// As sj_fonts_face_for, but only of one family, or of one that has the same widths; `generic` as below. `characters`
// NULL: whatever it has. NULL: there is none.
sj_face *sj_fonts_of_family(stijl_fonts *fonts, const sj_font_style *style, const char *name, size_t length,
                            int generic, const uint32_t *characters, size_t count);
// The font that has this name with its style, as "Noto Sans Bold" and "NotoSans-Bold". False: there is none, or the
// budget, which may be NULL, is spent.
bool sj_fonts_by_name(stijl_fonts *fonts, stijl_budget *budget, const char *name, size_t length, sj_font_bytes *out,
                      uint32_t *index);
// Notes for stijl_fonts_get_use that a style got a font of a document.
void sj_fonts_note(stijl_fonts *fonts, const sj_font_style *style, const char *family, const char *path,
                   size_t path_length, stijl_font_how how);
void sj_fonts_limits(const stijl_fonts *fonts, uint64_t *max_bytes, uint64_t *max_memory);
// Fonts that ask those of a document (web.h), which they take over. NULL when memory is short.
struct sj_web_fonts;
stijl_fonts *sj_fonts_over(stijl_context *context, struct sj_web_fonts *web);

// Calls for each family that a list names, as it is written, without quotes; generic ones are -1 or a
// stijl_generic_family. False ends it.
void sj_each_family(const char *list, size_t length,
                    bool (*each)(void *user, const char *name, size_t length, int generic), void *user);

// The fonts of those who name none: the system's, made when first asked for; shared by the process. NULL when memory is
// short or in a build without text.
stijl_fonts *sj_fonts_default(void);

// How often memory was short for the fonts. A change while a text is shaped means that it may lack something.
unsigned sj_fonts_refusals(const stijl_fonts *fonts);

// The family of the face that a style got, where that is not the first family that it names, which goes to `name`. NULL:
// it is, or the face is a document's own. Threads that use the fonts meanwhile are no hindrance.
const char *sj_fonts_instead(stijl_fonts *fonts, const sj_font_style *style, const sj_face *face,
                             char name[SJ_MAX_FAMILY]);

// Whether a face that a style got is of one of the families of a CSS list; generic ones do not count.
bool sj_fonts_is_of(stijl_fonts *fonts, const sj_face *face, const char *families, size_t length);

stijl_context *sj_fonts_context(const stijl_fonts *fonts);
// "Noto Sans", for messages.
const char *sj_face_family(const stijl_fonts *fonts, const sj_face *face);

#endif
