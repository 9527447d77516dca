// The fonts that text is drawn with: files and memory that an application adds, and those of the system.
#ifndef STIJL_FONTS_H
#define STIJL_FONTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stijl/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stijl_fonts_params {
  size_t size;  // bytes of this struct; set by the initialiser
  // Whether the system's fonts follow those that are added. They are looked for when the first text asks for them, once
  // a process, by fontconfig; what it says is kept in the user's cache folder until something of it changes.
  bool system;
  uint64_t max_bytes;  // of one font file; a larger one is left out with a warning; default 2^28
  uint32_t max_faces;  // faces added, and faces open at a time; default 4096
  // bytes that FreeType allocates for all open fonts together, and that one table of a font may take to shape with;
  // default 2^28
  uint64_t max_memory;
} stijl_fonts_params;

#define STIJL_FONTS_PARAMS_INIT \
  { sizeof(stijl_fonts_params), true, (uint64_t)1 << 28, 4096, (uint64_t)1 << 28 }
STIJL_API void stijl_fonts_params_init(stijl_fonts_params *params, size_t size);

typedef enum stijl_generic_family {
  STIJL_FAMILY_DEFAULT,  // where no family that the text names is there
  STIJL_FAMILY_SERIF,
  STIJL_FAMILY_SANS_SERIF,
  STIJL_FAMILY_CURSIVE,
  STIJL_FAMILY_FANTASY,
  STIJL_FAMILY_MONOSPACE
} stijl_generic_family;

typedef struct stijl_fonts stijl_fonts;

// `params` NULL: the defaults. STIJL_ERROR_UNSUPPORTED in a build without text.
STIJL_API stijl_result stijl_fonts_create(stijl_context *context, const stijl_fonts_params *params, stijl_fonts **out,
                                          stijl_message *message);
// Not while a document or a text that was made with them is there.
STIJL_API void stijl_fonts_destroy(stijl_fonts *fonts);

// What is added is opened when a text first asks for a font, and left out with a warning when it is none. Fonts may be
// TrueType or OpenType, collections of them, WOFF and WOFF2. What is added later counts after what was before, and the
// system's fonts after all. Nothing may be added while another thread uses the fonts; otherwise any number of threads
// may share them.
//
// STIJL_ERROR_IO when the file or the folder cannot be read.
STIJL_API stijl_result stijl_fonts_add_file(stijl_fonts *fonts, const char *path, stijl_message *message);
// All fonts in a folder and the folders in it, by the endings ttf, otf, ttc, otc, woff and woff2, in the order of their
// names. Links to folders are not followed.
STIJL_API stijl_result stijl_fonts_add_folder(stijl_fonts *fonts, const char *path, stijl_message *message);
// The bytes are copied.
STIJL_API stijl_result stijl_fonts_add_memory(stijl_fonts *fonts, const void *data, size_t bytes,
                                              stijl_message *message);

// The family that a generic one stands for. NULL, as at first: what the system has for it, or any serif.
STIJL_API stijl_result stijl_fonts_set_family(stijl_fonts *fonts, stijl_generic_family generic, const char *family);

typedef enum stijl_font_how {
  STIJL_FONT_NAMED,    // the first family of the list
  STIJL_FONT_INSTEAD,  // a later one, or another that stands for it
  STIJL_FONT_FALLBACK  // for characters that the former lacks
} stijl_font_how;

// A list of families that some text has asked for, and a font that it got.
typedef struct stijl_font_use {
  size_t size;           // bytes of this struct; set by the initialiser
  const char *families;  // as the text has it; valid as long as the fonts, as the next
  float weight;
  const char *family;  // "": there is no font
  const char *path;    // of the file, or the address in a document; "": memory, or data within the document
  stijl_font_how how;
} stijl_font_use;

#define STIJL_FONT_USE_INIT \
  { sizeof(stijl_font_use), "", 0.0f, "", "", STIJL_FONT_NAMED }
STIJL_API void stijl_font_use_init(stijl_font_use *use, size_t size);

// What text has asked for so far, in the order in which it was first asked, 1024 at the most.
// STIJL_ERROR_INVALID_ARGUMENT beyond the last. Not while another thread uses the fonts.
STIJL_API stijl_result stijl_fonts_get_use(const stijl_fonts *fonts, size_t index, stijl_font_use *out);

// A face that is there to be asked for.
typedef struct stijl_font_face {
  size_t size;                     // bytes of this struct; set by the initialiser
  const char *family;              // as the font has it; valid as long as the fonts, as the next
  const char *path;                // of the file; "": memory
  float weight_min, weight_max;    // 1 .. 1000; the same but for variable fonts, as the next
  float stretch_min, stretch_max;  // percent
  bool italic;                     // or oblique
} stijl_font_face;

#define STIJL_FONT_FACE_INIT \
  { sizeof(stijl_font_face), "", "", 400.0f, 400.0f, 100.0f, 100.0f, false }
STIJL_API void stijl_font_face_init(stijl_font_face *face, size_t size);

// The faces of what was added, in its order, then the system's. Opens what was added since text last asked for a font.
// STIJL_ERROR_INVALID_ARGUMENT beyond the last.
STIJL_API stijl_result stijl_fonts_get_face(stijl_fonts *fonts, size_t index, stijl_font_face *out);

#ifdef __cplusplus
}
#endif
#endif
