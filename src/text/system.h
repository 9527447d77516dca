// The fonts of the system, and what it has instead of families that are missing. fontconfig is asked once in a process.
// Since reading its configuration takes it longer than a small drawing takes, its answers are also kept on disk, in an
// index that is valid as long as nothing it was made from has changed (index.c). It is written when the process ends.
#ifndef SJ_TEXT_SYSTEM_H
#define SJ_TEXT_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

// A range of characters.
typedef struct sj_char_range {
  uint32_t first, last;
} sj_char_range;

typedef struct sj_system_font {
  const char *path;
  char *families;    // the names as the font has them, each with a NUL behind it; one more NUL ends the list
  char *full_names;  // full names and PostScript names: a list like `families`
  uint32_t index;    // the font's number in the file
  float weight_min, weight_max, stretch_min, stretch_max;
  bool italic, oblique;
  uint32_t first_range, range_count;  // the characters that it has: ascending elements of sj_system.ranges
} sj_system_font;

// Any thread may call these. What they return stays where it is as long as the process runs.

// Finds all fonts of the system, in the order of their paths and indices, and returns how many they are.
size_t sj_system_fonts(const sj_system_font **out);
// Returns whether a font has a character. Only valid after a call of sj_system_fallback, which reads the fonts'
// characters.
bool sj_system_has_char(const sj_system_font *font, uint32_t character);
// Returns the name of the family that the system has instead of one that is missing, or for a generic one. `exact`:
// only a family with the same widths, as Liberation Sans has for Arial. Returns NULL when there is none.
const char *sj_system_substitute(const char *family, bool exact);
// Finds up to `max` fonts that have the character, in the order in which the system prefers them for the family, and
// returns how many they are. `out` takes their indices in sj_system_fonts.
size_t sj_system_fallback(const char *family, uint32_t character, uint32_t *out, size_t max);

// --- what system.c, fontconfig.c and index.c share; system.c holds a lock while it is used ---

// What fontconfig says about a family.
typedef struct sj_system_answer {
  char *family;
  char *exact;      // the family that the system has with the same widths; NULL: none
  char *loose;      // the family that it has instead; NULL: none
  uint32_t *order;  // the fonts' indices in the order for fallback; NULL: nobody has asked for it yet
  uint32_t order_count;
} sj_system_answer;

typedef struct sj_system {
  sj_system_font *fonts;
  size_t count;
  void *block;  // the index that was read, which all pointers of the fonts point into; NULL: each was allocated
  // The characters of all fonts; fonts with the same characters share them. Those of an index are read when they are
  // needed.
  SJ_ARRAY(sj_char_range) ranges;
  uint32_t range_count;  // how many there are, even if they have not been read yet
  uint64_t ranges_sum;   // the index's checksum of them
  char name[17];         // of the index; "": there is none
  sj_system_answer *answers;
  size_t answer_count, answer_capacity;
  bool changed;   // the index lacks something
  int64_t since;  // when the fonts were looked for, in seconds since 1970; later changes are not in them
} sj_system;

#define SJ_MAX_SYSTEM_ANSWERS 1024

// fontconfig.c

// Finds the fonts; none where fontconfig fails.
void sj_fontconfig_scan(sj_system *system);
// Fills an answer except for its order. Returns false when fontconfig does not work, or memory is short.
bool sj_fontconfig_ask(const sj_system *system, sj_system_answer *answer);
// Fills an answer's order. Returns false when fontconfig does not work, or memory is short.
bool sj_fontconfig_sort(const sj_system *system, sj_system_answer *answer);
// Calls `each` for each file and folder whose change may change what fontconfig says, whether it exists or not. Returns
// false when not all of them are known, or `each` has returned false.
bool sj_fontconfig_sources(bool (*each)(void *user, const char *path), void *user);

// index.c

// Reads the index, except for the ranges. Returns false when there is none, or it is no longer valid.
bool sj_index_read(sj_system *system);
// Reads the ranges. Returns false when they are missing, or do not belong to the index.
bool sj_index_read_ranges(sj_system *system);
// Writes the index, if everything that it depends on is known.
void sj_index_write(const sj_system *system);

#endif
