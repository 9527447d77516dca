// Faces: one font of a file, opened, with its variation axes set. Shaping reads a face through HarfBuzz, outlines come
// from FreeType; both work in font units, where advances, offsets and outline points are integers. So nothing that is
// drawn depends on how a library scales.
#ifndef SJ_TEXT_FACE_H
#define SJ_TEXT_FACE_H

#include <hb.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/context.h"
#include "stijl/path.h"

typedef struct FT_LibraryRec_ *sj_ft_library;
typedef struct FT_FaceRec_ *sj_ft_face;

// Where a font's bytes come from: a file that stays open, or memory.
typedef struct sj_font_bytes {
  const char *path;  // NULL: memory
  const unsigned char *data;
  uint64_t size;  // of the memory, in bytes
} sj_font_bytes;

// FreeType, with its memory counted. It is used by one thread at a time.
// A block of FreeType's memory.
struct sj_ft_block;

typedef struct sj_font_library {
  stijl_context *context;
  pthread_mutex_t lock;
  sj_ft_library library;       // NULL until it is needed
  void *memory;                // FT_Memory
  struct sj_ft_block *blocks;  // all that FreeType holds
  size_t held, max_held;       // bytes
  bool over;                   // more than max_held was asked for
  uint64_t max_bytes;          // of a file
  atomic_uint refusals;        // how often the context had no memory: who sees it change has to fail
} sj_font_library;

// sj_alloc and the like for the fonts' own objects: a failure counts.
void *sj_font_alloc(sj_font_library *library, size_t bytes);
bool sj_font_refused(sj_font_library *library);  // counts one; false

bool sj_font_library_init(sj_font_library *library, stijl_context *context, uint64_t max_bytes, uint64_t max_memory);
void sj_font_library_finish(sj_font_library *library);

// A variation axis, set to a value of the design space.
typedef struct sj_axis_value {
  uint32_t tag;
  float value;
} sj_axis_value;

#define SJ_MAX_AXES 16

// How a face is opened: its axes, and what is synthesised when outlines are drawn.
typedef struct sj_instance {
  sj_axis_value axes[SJ_MAX_AXES];
  uint32_t axis_count;
  bool slanted, emboldened;
} sj_instance;

// Lengths in font units; y points up.
typedef struct sj_face_metrics {
  int units_per_em;
  int ascent, descent;  // descent is negative
  int line_gap;
  int x_height, cap_height;
  int underline_position, underline_thickness;  // of the middle of the line
  int strike_position, strike_thickness;        // as well
  int subscript_offset, superscript_offset;     // how far the baseline moves; subscript downwards
} sj_face_metrics;

typedef struct sj_face {
  sj_font_library *library;
  uint64_t serial;  // no other face of this process has it
  sj_ft_face ft;
  void *stream;  // sj_stream of face.c
  hb_face_t *hb_face;
  hb_font_t *hb;  // scale: units per em; immutable, so that threads may shape with it at a time
  sj_face_metrics metrics;
  uint32_t glyph_count;
  bool has_color;  // some glyphs are drawn by sj_color_glyph
  hb_blob_t *colr, *cpal;  // tables of color.c, once it has asked for them
  struct sj_color_scenes *colors;  // of color_scene.c; NULL: none yet
  bool has_outlines;
  bool has_vertical;    // metrics for vertical text
  atomic_bool starved;  // a table is missing because memory was short: the face is not to be used again
  atomic_bool broken;   // a glyph has been met that would take forever: no more outlines are read
  bool slanted, emboldened;
  const uint32_t *ranges;  // the first and the last character of each range that it is for; NULL: all
  size_t range_count;
  bool partial;  // another face of its family goes before it for some characters
  float size_adjust;  // what is drawn is this many font sizes large
  const hb_feature_t *features;  // that a document's rule asks for, before those of the text
  size_t feature_count;
  uint32_t language_system;  // that the rule asks for; 0: that of the language
  const char *family;        // of the rule; NULL: the face is no document's
} sj_face;

// Opens HarfBuzz and FreeType. Whatever makes a face does so itself; who needs the reason for failing asks here first.
stijl_result sj_text_open(stijl_message *message);

// NULL, with a message, for what is no font, is too large, or memory being short. `index`: of a collection. Of the axes
// those that the font has are set, clamped to its range; `instance` NULL: none.
sj_face *sj_face_open(sj_font_library *library, const sj_font_bytes *bytes, uint32_t index, const sj_instance *instance,
                      stijl_message *message);
void sj_face_close(sj_face *face);

// Whether it is for the character, and has a glyph for it.
bool sj_face_has_char(const sj_face *face, uint32_t character);

// Appends a glyph's outline, transformed; `matrix` takes font units (y up) to where it is drawn. False: it has none, or
// a broken one, which draws nothing. The work is charged to the context's budget.
bool sj_face_outline(sj_face *face, stijl_context *context, uint32_t glyph, const stijl_matrix *matrix,
                     stijl_path *out);

// What the faces of a file are, without keeping it open.
typedef struct sj_face_description {
  char *families;                  // each with a NUL behind it, one more NUL ends them
  char *name;                      // the first family as written
  char *full_names;                // with the style, and for PostScript: what local() asks for; as families
  float weight_min, weight_max;    // 1..1000
  float stretch_min, stretch_max;  // percent
  bool italic, oblique;
  bool has_slant_axis;
} sj_face_description;

// Calls `add` for each face of the file, which takes over the description's memory (sj_alloc). *count is how many there
// are. A failure of `add` ends it.
stijl_result sj_font_describe(sj_font_library *library, const sj_font_bytes *bytes,
                              bool (*add)(void *user, uint32_t index, const sj_face_description *description),
                              void *user, stijl_message *message);

#endif
