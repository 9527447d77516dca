// The inside of stijl_fonts, which its files share: fonts.c knows which faces there are, font_choice.c chooses among
// them and opens them, font_uses.c tells what was chosen.
#ifndef SJ_TEXT_FONTS_DATA_H
#define SJ_TEXT_FONTS_DATA_H

#include "base/array.h"
#include "text/face_description.h"
#include "text/fonts.h"

#define SJ_GENERIC_FAMILIES (STIJL_FAMILY_MONOSPACE + 1)
#define SJ_KNOWN_STYLES 64

// A font that was added, which may have several faces.
typedef struct sj_font_source {
  char *path;  // NULL: memory
  unsigned char *data;
  uint64_t size;
} sj_font_source;

// A face that can be opened.
typedef struct sj_font_entry {
  sj_face_description is;               // the entry owns its names, unless it is one of the system's
  uint32_t source, index;               // the number of its source, and the face's number within that
  const struct sj_system_font *system;  // NULL: the face is from a source
  hb_set_t *characters;                 // what the face has; NULL: nobody has asked yet, or it is one of the system's
} sj_font_entry;

typedef struct sj_open_face {
  sj_face *face;
  uint32_t entry;  // its number
  sj_instance instance;
} sj_open_face;

// What a style asked for, and got: a stijl_font_use that owns its texts.
typedef struct sj_font_use {
  char *families, *family, *path;
  float weight;
  stijl_font_how how;
} sj_font_use;

// A style, and the face that it got, so that not every word has to go through lists of families.
typedef struct sj_known_style {
  sj_font_style style;  // points to the families and axes below
  char *families;
  sj_axis_value axes[SJ_MAX_AXES];
  sj_face *face;  // NULL: this place is free
} sj_known_style;

struct stijl_fonts {
  stijl_context *context;
  struct sj_web_fonts *web;  // not NULL: the object only stands for these fonts, and uses nothing that follows
  bool system;               // the system's fonts are used, too
  bool warned_open;          // the log has the warning of too many open faces
  uint32_t max_faces;
  pthread_mutex_t lock;  // guards all that follows; a thread that takes the library's lock, too, takes this one first
  sj_font_library library;
  SJ_ARRAY(sj_font_source) sources;
  size_t described;                 // how many sources have their faces among the entries
  bool system_there;                // the system's fonts are among the entries
  SJ_ARRAY(sj_font_entry) entries;  // first those of the sources, then the system's
  size_t own_count;                 // how many are the sources'
  SJ_ARRAY(sj_open_face) open;
  SJ_ARRAY(sj_font_use) uses;
  char *generic[SJ_GENERIC_FAMILIES];  // the families that stand for generic ones; NULL: the system decides
  sj_known_style known[SJ_KNOWN_STYLES];
  uint32_t next_known;  // the place that is used next
};

// In all of these the lock is held.

// Makes the entries of what was added since the last call, and of the system's fonts (fonts.c). A lack of memory is
// counted as the library's refusal, and the next call tries again.
void sj_fonts_load(stijl_fonts *fonts);
// Returns where an entry's font is (fonts.c).
sj_font_bytes sj_fonts_bytes(const stijl_fonts *fonts, const sj_font_entry *entry);

// Notes what a style got, for stijl_fonts_get_use, unless it is noted already (font_uses.c). When memory is short, or
// too much is noted, it is not.
void sj_fonts_add_use(stijl_fonts *fonts, const sj_font_style *style, const char *family, const char *path,
                      size_t path_length, stijl_font_how how);
// Frees the uses (font_uses.c).
void sj_fonts_finish_uses(stijl_fonts *fonts);
// Returns the entry of an open face, or NULL if it is another's face (font_uses.c).
const sj_font_entry *sj_fonts_entry_of(const stijl_fonts *fonts, const sj_face *face);

#endif
