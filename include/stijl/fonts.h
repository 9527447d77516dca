// Fonts: the files and memory that an application adds, and the fonts of the system.
#ifndef STIJL_FONTS_H
#define STIJL_FONTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stijl/context.h"

#ifdef __cplusplus
extern "C" {
#endif

// Which fonts there are, and bounds on them.
typedef struct stijl_fonts_params {
  size_t size;  // bytes of this struct; set by the initialiser
  // Whether the system's fonts come after those that are added. fontconfig finds them once in a process, when the first
  // text asks for them. What it tells is kept in the user's cache folder until the system's fonts change.
  bool system;
  uint64_t max_bytes;  // of one font file; a larger one is left out with a warning; default 2^28
  uint32_t max_faces;  // how many faces may be added, and how many may be open at the same time; default 4096
  // Bytes that FreeType may allocate for all open fonts together, and bytes that one table of a font may take while
  // text is shaped. Default 2^28.
  uint64_t max_memory;
} stijl_fonts_params;

#define STIJL_FONTS_PARAMS_INIT                                                                     \
  STIJL_INIT(stijl_fonts_params, .system = true, .max_bytes = (uint64_t)1 << 28, .max_faces = 4096, \
             .max_memory = (uint64_t)1 << 28)
STIJL_API void stijl_fonts_params_init(stijl_fonts_params *params, size_t size);

// The families that stand for others, as CSS has them.
typedef enum stijl_generic_family {
  STIJL_FAMILY_DEFAULT,  // what text gets if no family that it names is there
  STIJL_FAMILY_SERIF,
  STIJL_FAMILY_SANS_SERIF,
  STIJL_FAMILY_CURSIVE,
  STIJL_FAMILY_FANTASY,
  STIJL_FAMILY_MONOSPACE
} stijl_generic_family;

// A collection of fonts.
typedef struct stijl_fonts stijl_fonts;

// Creates a collection; if `params` is NULL, the defaults apply. Returns STIJL_ERROR_UNSUPPORTED in a build without
// text.
STIJL_API stijl_result stijl_fonts_create(stijl_context *context, const stijl_fonts_params *params, stijl_fonts **out,
                                          stijl_message *message);
// Frees the fonts. No document or text that was made with them may exist any more. NULL is allowed.
STIJL_API void stijl_fonts_destroy(stijl_fonts *fonts);

// Adds fonts: TrueType, OpenType, collections of them, WOFF and WOFF2. They are opened when a text next asks for a
// font; what is no font is left out then, with a warning. Where several fonts fit, those that were added earlier come
// first, and the system's last. Nothing may be added while another thread uses the fonts; otherwise any number of
// threads may share them.
//
// stijl_fonts_add_file returns STIJL_ERROR_IO if the file cannot be read.
STIJL_API stijl_result stijl_fonts_add_file(stijl_fonts *fonts, const char *path, stijl_message *message);
// Adds all fonts in a folder and in the folders below it, in the order of their names. Their names end in ttf, otf,
// ttc, otc, woff or woff2. Links to folders are not followed. Returns STIJL_ERROR_IO if the folder cannot be read.
STIJL_API stijl_result stijl_fonts_add_folder(stijl_fonts *fonts, const char *path, stijl_message *message);
// Adds a font in memory. The bytes are copied.
STIJL_API stijl_result stijl_fonts_add_memory(stijl_fonts *fonts, const void *data, size_t bytes,
                                              stijl_message *message);

// Sets the family that a generic one stands for. With NULL, as at first, it is the one that the system names, or any
// serif.
STIJL_API stijl_result stijl_fonts_set_family(stijl_fonts *fonts, stijl_generic_family generic, const char *family);

// Why a text got a font.
typedef enum stijl_font_how {
  STIJL_FONT_NAMED,    // it is the first family of the list
  STIJL_FONT_INSTEAD,  // it is a later family of the list, or stands for one
  STIJL_FONT_FALLBACK  // it has characters that the text's other fonts lack
} stijl_font_how;

// A list of families that some text has asked for, and a font that it got.
typedef struct stijl_font_use {
  size_t size;           // bytes of this struct; set by the initialiser
  const char *families;  // as the text names them; all strings are valid as long as the fonts
  float weight;
  const char *family;  // "" if there is no font
  const char *path;    // of the font's file, or its address in a document; "" for memory and for data within a document
  stijl_font_how how;
} stijl_font_use;

#define STIJL_FONT_USE_INIT \
  STIJL_INIT(stijl_font_use, .families = "", .family = "", .path = "", .how = STIJL_FONT_NAMED)
STIJL_API void stijl_font_use_init(stijl_font_use *use, size_t size);

// Sets *out to one of the uses so far, in the order in which text first asked for them; the first 1024 are kept.
// Returns STIJL_ERROR_INVALID_ARGUMENT beyond the last. It must not be called while another thread uses the fonts.
STIJL_API stijl_result stijl_fonts_get_use(const stijl_fonts *fonts, size_t index, stijl_font_use *out);

// A face that text can ask for.
typedef struct stijl_font_face {
  size_t size;                     // bytes of this struct; set by the initialiser
  const char *family;              // as the font names it; both strings are valid as long as the fonts
  const char *path;                // of the font's file; "" for memory
  float weight_min, weight_max;    // 1..1000; a range, like the stretch, only if the font is variable
  float stretch_min, stretch_max;  // percent
  bool italic;                     // or oblique
} stijl_font_face;

#define STIJL_FONT_FACE_INIT                                                                        \
  STIJL_INIT(stijl_font_face, .family = "", .path = "", .weight_min = 400.0f, .weight_max = 400.0f, \
             .stretch_min = 100.0f, .stretch_max = 100.0f)
STIJL_API void stijl_font_face_init(stijl_font_face *face, size_t size);

// Sets *out to one of the faces: those that were added come first, in their order, and then the system's. The call
// opens what was added since a text last asked for a font. Returns STIJL_ERROR_INVALID_ARGUMENT beyond the last.
STIJL_API stijl_result stijl_fonts_get_face(stijl_fonts *fonts, size_t index, stijl_font_face *out);

#ifdef __cplusplus
}
#endif
#endif
