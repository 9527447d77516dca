// What the files of SVG's text layout share: svg_layout.c places the clusters of a chunk, svg_clusters.c makes them,
// and svg_lines.c breaks text into lines.
#ifndef SJ_TEXT_SVG_LAYOUT_DATA_H
#define SJ_TEXT_SVG_LAYOUT_DATA_H

#include "geometry/arc_length.h"
#include "text/svg_layout.h"

#define SJ_SVG_WORK_CLUSTER 300  // the work that a cluster takes

// What is placed as one: a character with its marks, or a ligature.
typedef struct sj_svg_cluster {
  uint32_t character, end;  // its first character, and one past its last
  uint32_t span;
  const sj_item *item;
  uint32_t first_glyph, glyph_count;  // in the chunk's shaped text
  float scale;                        // user units for a font unit
  float width;                        // user units, without spacing
  float advance;                      // user units, with spacing
  float ascent, descent;              // user units; the descent is negative
  double along, across;               // where its baseline begins, measured from the chunk's start
  stijl_matrix transform;  // from the cluster's own space, whose origin is its baseline's start, to user space
  stijl_matrix upright;    // from the space of the glyphs to the cluster's own
  bool hidden;             // it is not drawn
  bool moved;              // it does not stand beside the one before, so a decoration line ends between them
} sj_svg_cluster;

// How far all dx and dy up to a character have moved it.
typedef struct sj_svg_shift {
  double x, y;
} sj_svg_shift;

// Characters up to the next absolute position, or along one path.
typedef struct sj_svg_chunk {
  uint32_t first, end;
  const sj_svg_track *track;  // NULL: no path
  sj_text_anchor anchor;
  const uint8_t *levels;  // if the chunk is of a line of wrapped text: the levels of its characters
  float width;            // if it is positive: blanks are stretched so that the chunk is as wide
} sj_svg_chunk;

typedef struct sj_svg_state {
  stijl_fonts *fonts;
  stijl_context *context;
  const sj_svg_text *text;
  sj_svg_placed *out;
  // The present chunk.
  sj_shaped shaped;
  SJ_ARRAY(sj_svg_cluster) clusters;  // in visual order
  SJ_ARRAY(sj_shape_span) spans;
  uint32_t opening;               // how many control characters open its embeddings
  SJ_ARRAY(uint32_t) characters;  // if there are any: these, and then the chunk's characters
  SJ_ARRAY(sj_svg_shift) shifts;  // of the chunk's characters
  SJ_ARRAY(uint8_t) levels;       // of its items
  SJ_ARRAY(uint32_t) order;       // its items in visual order
  const sj_svg_track *measured;   // whose path `places` is of; NULL: none yet
  sj_measured_path places;
  uint32_t marked;               // 1 and the span that `mark` is of; 0: none yet
  sj_shaped mark;                // how it is shaped
  double end_along, end_across;  // where it would end without its anchor, measured from its start
  float x, y;                    // where the previous chunk ended, in user units
} sj_svg_state;

// svg_clusters.c

// Returns the span that a character is in. *index, which may be NULL, becomes its number.
const sj_svg_span *sj_svg_span_at(const sj_svg_text *text, uint32_t at, uint32_t *index);
// Returns the user units of a font unit, with font-size-adjust (CSS Fonts 5, 2.7).
float sj_svg_scale_of(const sj_svg_state *l, const sj_svg_span *span, const sj_face *face);
// Shapes a chunk, and makes its clusters in visual order, from left to right or from top to bottom. The caller finishes
// l->shaped. Returns false when memory is short or the budget is spent.
bool sj_svg_make_clusters(sj_svg_state *l, const sj_svg_chunk *c);
// Adds letter-spacing and word-spacing to the clusters' advances.
void sj_svg_space_out(sj_svg_state *l);
// Returns whether word-spacing applies to a character.
bool sj_svg_is_separator(uint32_t c);
// Stretches the clusters of elements with textLength.
void sj_svg_adjust_lengths(sj_svg_state *l, const sj_svg_chunk *c);

// Places a chunk (svg_layout.c). Returns false when memory is short or the budget is spent.
bool sj_svg_lay_out_chunk(sj_svg_state *l, const sj_svg_chunk *c);
// Frees what the state holds.
void sj_svg_finish(sj_svg_state *l);

// Adds the marks of the chunk's clusters (svg_marks.c). Returns false when memory is short or the budget is spent.
bool sj_svg_put_marks(sj_svg_state *l);

// Stretches the blanks of a chunk that has a width (svg_lines.c).
void sj_svg_justify(sj_svg_state *l, const sj_svg_chunk *c);
// Places a text in lines of its inline-size or in its areas (svg_lines.c). Returns false when memory is short or the
// budget is spent.
bool sj_svg_lay_out_lines(sj_svg_state *l, const sj_svg_text *given);

#endif
