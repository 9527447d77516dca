// Gathers the text of a text element: its characters after collapsing white space, their styles and positions, and
// where all is placed.
#ifndef SJ_SVG_RESOLVE_TEXT_CONTENT_H
#define SJ_SVG_RESOLVE_TEXT_CONTENT_H

#include "svg/resolve/job.h"
#include "text/svg_layout.h"

#define SJ_NO_SCOPE UINT32_MAX

// What a character of the text is.
enum {
  SJ_CHARACTER_OWN,      // of the document
  SJ_CHARACTER_CONTROL,  // stands for `direction`
  SJ_CHARACTER_ADDED     // what text-transform makes of the one before, beyond its first
};

// A text, tspan, textPath, tref or a element, which gives characters their style.
typedef struct sj_text_scope {
  uint32_t element, parent;  // parent: a scope; SJ_NO_SCOPE for the text element
  sj_style style;
  uint32_t first, end;  // its characters
  uint32_t first_shift, shift_count;
  uint32_t track;        // of a textPath, also for the scopes in it; SJ_NO_SCOPE: none
  const char *language;  // NULL: none
  uint32_t first_feature, feature_count, first_axis, axis_count;
  float below;  // in HTML: how far its baseline is below that of the text element
} sj_text_scope;

// The open group of a scope.
typedef struct sj_text_group {
  uint32_t scope, node;
} sj_text_group;

typedef struct sj_text_content {
  sj_resolver *r;
  sj_resolve_frame frame;          // of the text element
  SJ_ARRAY(sj_text_scope) scopes;  // in document order
  SJ_ARRAY(uint32_t) characters;
  SJ_ARRAY(uint32_t) owners;  // the scope of each character
  SJ_ARRAY(sj_svg_position) positions;
  SJ_ARRAY(sj_svg_span) spans;
  SJ_ARRAY(uint32_t) span_scopes;
  SJ_ARRAY(sj_svg_length) lengths;
  SJ_ARRAY(sj_svg_track) tracks;
  SJ_ARRAY(sj_svg_embedding) embeddings;
  SJ_ARRAY(sj_baseline_shift) shifts;
  SJ_ARRAY(hb_feature_t) features;
  SJ_ARRAY(sj_axis_value) axes;
  SJ_ARRAY(stijl_path *) paths;
  SJ_ARRAY(sj_svg_area) areas, excluded;
  sj_svg_span strut;               // of the text element
  SJ_ARRAY(uint32_t) order;        // placed glyphs sorted by span: bidirectional text may mix them
  SJ_ARRAY(uint32_t) starts;       // where each span begins in it, and the end
  SJ_ARRAY(uint8_t) clusters;      // for each character and the end: 0: it is within a cluster; 1: one begins
  SJ_ARRAY(sj_text_group) groups;  // outer ones first
  SJ_ARRAY(uint8_t) kinds;         // of the characters: SJ_CHARACTER_...
  bool ends_blank;                 // the last character is white space, so more of it collapses
  bool ends_soft;                  // the last character is white space that collapses
  bool in_word;                    // the last character is of a word, where text-transform looks for words
  uint32_t last_sigma;             // 1 + the last character, if it is a sigma that ends a word unless a letter follows
  bool has_groups;                 // some scope but the first needs one
  bool has_marks;                  // there is text-emphasis
  bool wraps;                      // it is broken into lines
  bool flows;                      // it is flowed text of SVG 1.2
  bool is_html;                    // its decoration lines are as HTML has them
  bool draws;                      // nodes are made, with shadows; else one outline of all
  sj_svg_placed placed;
} sj_text_content;

// Gathers and places the text of an element; frame->style is its own. Returns false if nothing is drawn. The content
// has to be finished in either case.
bool sj_text_content_init(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, sj_text_content *out);
void sj_text_content_finish(sj_text_content *content);

// Opens a scope with that style; `parent` is a scope or SJ_NO_SCOPE. *there becomes false where a textPath has no path.
// Returns false on failure.
bool sj_text_open_scope(sj_text_content *t, uint32_t element, uint32_t parent, const sj_style *style, bool *there);
// Places the characters, whose positions and spans are complete, and tells what no font has. Returns false on failure.
bool sj_text_place(sj_text_content *t, stijl_fonts *fonts);
// Returns the nth control character that `direction` and `unicode-bidi` put before or after an element (CSS Writing
// Modes 4, 2.2), or 0 behind the last one.
uint32_t sj_text_bidi_before(const sj_font_values *font, int nth);
uint32_t sj_text_bidi_after(const sj_font_values *font, int nth);
// Returns the language that an element's text is in; NULL: nothing tells.
const char *sj_text_language(const sj_document *document, uint32_t element);
// Measures the characters in one line. Returns false on failure, or where text cannot be drawn, of which it warns.
bool sj_text_measure(sj_text_content *t, stijl_fonts *fonts, const sj_svg_measures *out);
// Adds the shapes of a placed text to its node (text.c). Returns false on failure.
bool sj_text_draw(sj_text_content *t, uint32_t node);

// Makes resolving fail for lack of memory if something was not pushed, and returns whether it was.
static inline bool sj_text_remember(sj_text_content *t, bool pushed) {
  if (!pushed) sj_resolve_fail_memory(t->r);
  return pushed;
}

// Adds a character; `kind` is SJ_CHARACTER_... Returns false on failure.
bool sj_text_add_character(sj_text_content *t, uint32_t scope, uint32_t character, int kind);

// --- text_letters.c, text_lines.c, text_shadow.c ---

// Adds what text-transform makes of a character. Returns false on failure.
bool sj_text_add_letter(sj_text_content *t, uint32_t scope, uint32_t character);
// An element that asks for a line of a span, and how: the scope whose paint it has.
typedef struct sj_line_owner {
  const sj_text_scope *scope;
  sj_decoration decoration;
  uint32_t next;  // the scope to go on from, at first that of the span; is_above: from behind its own decoration
  bool is_above;
} sj_line_owner;

// Finds the next owner of a line, from the innermost on. Returns false when there are no more.
bool sj_text_next_owner(const sj_text_content *t, sj_line line, sj_line_owner *owner);
// Adds the lines of that kind to a path; `owner` is the element that asks for them. A wavy one, if
// `waves`, is to be stroked with *width.
void sj_text_add_lines(sj_text_content *t, uint32_t span, sj_line which, const sj_text_scope *owner,
                       const sj_decoration *decoration, bool waves, stijl_path *path, float *width);
// Begins the node around a span that has shadows; SJ_NONE: it has none. The other ends it.
uint32_t sj_text_begin_shadow(sj_text_content *t, uint32_t span);
void sj_text_end_shadow(sj_text_content *t, uint32_t span, uint32_t node);

// --- text_groups.c ---

// Notes whether an element within the text needs a group.
void sj_text_note_group(sj_text_content *t, const sj_style *style);
// Ends the groups that a span is not in, and begins those that it is in; `text` is the node of the text. Behind the
// last span ends all.
void sj_text_enter_groups(sj_text_content *t, uint32_t span, uint32_t text);

// --- text_ink.c ---

// A part of a decoration line.
typedef struct sj_line_piece {
  float x0, x1;
} sj_line_piece;

typedef SJ_ARRAY(sj_line_piece) sj_line_pieces;

// Finds what is left of the line's band, which is in its space, where the glyphs of its span do not cross it.
// `ideographs`: those are skipped, too. Returns false on failure.
bool sj_text_line_pieces(sj_text_content *t, const sj_placed_line *line, stijl_rect band, float thickness,
                         bool ideographs, sj_line_pieces *out);

// Returns the tree's outline of a glyph, which is made once, or SJ_NONE if there is nothing to draw (text.c).
uint32_t sj_text_outline(sj_text_content *t, const sj_placed_glyph *glyph);

// --- text_spans.c ---

// Reads the lists x, y, dx, dy and rotate of all scopes into the positions of their characters (SVG 2, 11.5).
void sj_text_read_positions(sj_text_content *content);
// Reads the textLength of all scopes. This one and those below return false on failure.
bool sj_text_read_lengths(sj_text_content *content);
// Makes a span of each run of characters of one scope, and that of the text element itself.
bool sj_text_make_spans(sj_text_content *content);
// Sorts the placed glyphs by span.
bool sj_text_order_glyphs(sj_text_content *content);

// Returns the outline of a shape that a text refers to, in the user space of the text, or NULL if it has none
// (text_path.c). `style` is that of the shape. *length, if it is not NULL, becomes how long it is in its own space.
stijl_path *sj_text_shape_path(sj_text_content *t, const sj_resolve_frame *frame, uint32_t target,
                               const sj_style *style, float *length);

// Adds a span without characters for the marks of each span that has some (text_marks.c). Marks may have a colour of
// their own, and so are in a scope of their own. Returns false on failure.
bool sj_text_add_marks(sj_text_content *t);

// Reads shape-inside and shape-subtract of the text element (text_areas.c). Returns false on failure.
bool sj_text_read_areas(sj_text_content *t);

// Adds the track of a textPath (text_path.c). *there becomes whether it has a path, since text along none is not drawn.
// Returns false on failure.
bool sj_text_open_track(sj_text_content *t, sj_text_scope *scope, bool *there);

#endif
