// The fonts of the system, and what it has instead of families that are not there: what fontconfig says, asked once and
// kept. It takes fontconfig longer to read its configuration than a small drawing takes, so what it said is also kept
// on disk, in an index that counts as long as nothing it was made from has changed (index.c). It is written when the
// process ends.
#ifndef SJ_TEXT_SYSTEM_H
#define SJ_TEXT_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

typedef struct sj_char_range {
  uint32_t first, last;
} sj_char_range;

typedef struct sj_system_font {
  const char *path;
  char *families;    // as the font has them, each with a NUL behind it; one more NUL ends them
  char *full_names;  // with the style, and for PostScript, as families
  uint32_t index;    // in the file
  float weight_min, weight_max, stretch_min, stretch_max;
  bool italic, oblique;
  uint32_t first_range, range_count;  // of the characters that it has, ascending
} sj_system_font;

// All of the system's fonts, by path and index. They stay. The first call looks for them; any thread may call.
size_t sj_system_fonts(const sj_system_font **out);
// May be asked once sj_system_fallback has been.
bool sj_system_has_char(const sj_system_font *font, uint32_t character);
// The system's choice for a family that is not there, or a generic one: a name which is there. `exact`: only one that
// has the same widths, such as Liberation Sans for Arial. NULL: none. The name stays.
const char *sj_system_substitute(const char *family, bool exact);
// The fonts that have the character, those first that the system prefers for the family: up to `max` indices.
size_t sj_system_fallback(const char *family, uint32_t character, uint32_t *out, size_t max);
// --- what is kept; system.c fills and reads it under its lock ---

typedef struct sj_system_answer {
  char *family;         // that was asked for
  char *exact, *loose;  // NULL: none
  uint32_t *order;      // of all fonts for fallback; NULL: not asked for
  uint32_t order_count;
} sj_system_answer;

typedef struct sj_system {
  sj_system_font *fonts;
  size_t count;
  void *block;  // of the index: what the fonts' pointers point to; NULL: each was allocated
  // Of all fonts; those that have the same share them. From an index they are read when they are needed.
  SJ_ARRAY(sj_char_range) ranges;
  uint32_t range_count;  // also while they are not read
  uint64_t ranges_sum;   // of the index
  char name[17];         // of the index; "": there is none
  sj_system_answer *answers;
  size_t answer_count, answer_capacity;
  bool changed;   // there are answers that the index lacks
  int64_t since;  // seconds since 1970: what has changed from here on is not in the fonts
} sj_system;

#define SJ_MAX_SYSTEM_ANSWERS 1024

// --- fontconfig.c ---

// Fills the fonts. What fails leaves none.
void sj_fontconfig_scan(sj_system *system);
// Fills all of an answer but its order, or the order alone. False: fontconfig does not work, or memory is short.
bool sj_fontconfig_ask(const sj_system *system, sj_system_answer *answer);
bool sj_fontconfig_sort(const sj_system *system, sj_system_answer *answer);
// Calls for each file and folder whose change may change what fontconfig says, existing or not. False: it cannot be
// told.
bool sj_fontconfig_sources(bool (*each)(void *user, const char *path), void *user);

// --- index.c ---

// All but the ranges. False: there is no index, or it does not count any more.
bool sj_index_read(sj_system *system);
bool sj_index_read_ranges(sj_system *system);
void sj_index_write(const sj_system *system);

#endif
