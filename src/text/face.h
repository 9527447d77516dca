// Faces. A face is one font of a file, open, with its variation axes set. HarfBuzz shapes with it, and FreeType reads
// its outlines. Both work in font units, where advances, offsets and points of outlines are integers, so nothing that
// is drawn depends on how a library scales.
#ifndef SJ_TEXT_FACE_H
#define SJ_TEXT_FACE_H

#include <hb.h>

#include "scene/outlines.h"
#include "stijl/path.h"
#include "text/font_library.h"

typedef struct FT_FaceRec_ *sj_ft_face;

// Where a font's bytes are: in a file, which stays open while they are used, or in memory.
typedef struct sj_font_bytes {
  const char *path;  // NULL: memory
  const unsigned char *data;
  uint64_t size;  // of the memory, in bytes
} sj_font_bytes;

// A variation axis, set to a value of the design space.
typedef struct sj_axis_value {
  uint32_t tag;
  float value;
} sj_axis_value;

#define SJ_MAX_AXES 16
// A font with more axes than this is used as it is.
#define SJ_MOST_FONT_AXES 64

// How a face is opened: its axes, and what is synthesised when its outlines are drawn.
typedef struct sj_instance {
  sj_axis_value axes[SJ_MAX_AXES];
  uint32_t axis_count;
  bool slanted, emboldened;
} sj_instance;

// Lengths in font units; y points up.
typedef struct sj_face_metrics {
  int units_per_em;
  int ascent, descent;  // the descent is negative
  int line_gap;
  int typo_ascent, typo_descent;  // of the em box, if the font tells them, else as above
  int x_height, cap_height;
  bool knows_x_height;                          // else it is guessed
  int underline_position, underline_thickness;  // the position is that of the line's middle
  int strike_position, strike_thickness;        // likewise
  int subscript_offset, superscript_offset;  // how far the baseline moves, down for subscripts and up for superscripts
} sj_face_metrics;

// A face of HarfBuzz's, with what is counted for it.
typedef struct sj_tables {
  struct sj_face *face;
  hb_face_t *hb_face;
  size_t reserved;    // bytes, for what HarfBuzz makes of the tables that it has asked for
  size_t plan_bytes;  // for what a plan of shaping takes because of these tables
  bool multiplies;    // by these tables text may get many times as long
} sj_tables;

typedef struct sj_face {
  sj_font_library *library;
  uint64_t serial;  // no other face of this process has it
  sj_ft_face ft;
  struct sj_font_stream *stream;
  uint32_t index;  // of the font in its file
  sj_tables tables;
  hb_face_t *hb_face;        // that of `tables`
  hb_font_t *hb;             // its scale is units_per_em; it is immutable, so that several threads may use it
  struct sj_shaper *shaper;  // of shaper.c; NULL: there is none yet
  sj_face_metrics metrics;
  uint32_t glyph_count;
  uint32_t *widths;                // of a font without hmtx: of each glyph one more than its width; 0: not read yet
  bool has_color;                  // some glyphs may be drawn by sj_color_glyph
  hb_blob_t *colr, *cpal;          // tables of color.c, which reads them when it first needs them
  struct sj_color_scenes *colors;  // of color_scene.c; NULL: there are none yet
  bool has_outlines;
  bool has_vertical;    // it has metrics for vertical text
  atomic_bool starved;  // a table is missing because memory was short, so the face is not used again
  atomic_bool broken;   // a glyph would have taken forever, so no more outlines are read
  uint32_t axes[SJ_MOST_FONT_AXES], axis_count;  // tags of the font's own axes
  bool slanted, emboldened;
  bool bold, italic;  // the font itself

  // What web.c sets for a document's own face, by its @font-face rule.
  const uint32_t *ranges;  // of the characters that the face is for, as sj_in_ranges takes them; NULL: all
  size_t range_count;
  bool partial;                  // for some characters another face of its family comes first
  float size_adjust;             // glyphs are drawn this many times as large as the font size; 1 without a rule
  const hb_feature_t *features;  // come before those of the text
  size_t feature_count;
  uint32_t language_system;  // OpenType's tag; 0: the text's language decides
  const char *family;        // NULL: the face is no document's own
} sj_face;

// Opens HarfBuzz and FreeType, the libraries. Functions that open faces do so themselves; this is for those who need
// the reason of a failure.
stijl_result sj_text_open(stijl_message *message);

// Opens the font number `index` of a file. Of the instance's axes those that the font has are set, limited to its
// range; NULL sets none. NULL, with a message: this is no font, it is too large, or memory is short.
sj_face *sj_face_open(sj_font_library *library, const sj_font_bytes *bytes, uint32_t index, const sj_instance *instance,
                      stijl_message *message);
// Closes a face. NULL is allowed.
void sj_face_close(sj_face *face);

// Returns whether a character is in one of the ranges: the first and the last of each, in ascending order, apart from
// each other.
bool sj_in_ranges(const uint32_t *ranges, size_t count, uint32_t character);

// Makes another face of HarfBuzz's, whose tables are those of an open face. What HarfBuzz takes for them is counted.
// The library's lock is held. Returns false when memory is short, and then there is nothing to close.
bool sj_tables_open(sj_tables *tables, sj_face *face);
void sj_tables_close(sj_tables *tables);
// Makes a font of HarfBuzz's of them, at the scale of units_per_em.
hb_font_t *sj_tables_font(const sj_tables *tables);

// Returns whether the face is for the character, and has a glyph for it.
bool sj_face_has_char(const sj_face *face, uint32_t character);

// Returns the x-height as browsers have it: fonts that do not tell it are measured. In font units.
int sj_face_x_height(const sj_face *face);
// Returns how much of an em box is above the baseline, by the typographic metrics (CSS Inline 3, A.2).
float sj_face_em_ascent(const sj_face *face);
// Returns the advance of a character, in font units; -1: the face does not have it.
int sj_face_advance(const sj_face *face, uint32_t character);

// Returns what scenes keep of a glyph beside its outline.
sj_glyph_size sj_face_glyph_size(const sj_face *face, uint32_t glyph);

// Appends a glyph's outline to `out`. `matrix` takes font units, where y points up, to where the glyph is drawn. The
// work is charged to the context's budget. Returns false when the glyph has no outline, or a broken one, which draws
// nothing. A lack of memory becomes the path's status.
bool sj_face_outline(sj_face *face, stijl_context *context, uint32_t glyph, const stijl_matrix *matrix,
                     stijl_path *out);

#endif
