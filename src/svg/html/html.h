// HTML in a foreignObject: its boxes, and what the files share that lay them out (CSS 2, 8 to 17; CSS Flexbox 1).
//
// All lengths are whole 64ths of a CSS pixel, as in browsers, so that the same boxes come out on every machine. They
// are kept below SJ_HTML_MAX, so that no sum of them overflows 64 bits.
#ifndef SJ_SVG_HTML_HTML_H
#define SJ_SVG_HTML_HTML_H

#include "svg/math/math.h"
#include "svg/parse/html_names.h"
#include "svg/resolve/job.h"
#include "svg/resolve/text_content.h"
#include "svg/style/counter_style.h"

typedef int64_t sj_unit64;

#define SJ_HTML_MAX ((sj_unit64)1 << 32)
#define SJ_HTML_AUTO (-SJ_HTML_MAX - 1)  // a length that is not known, or not given

// Converts pixels, clamped to +-SJ_HTML_MAX.
sj_unit64 sj_html_from_pixels(double pixels);  // rounded towards zero
sj_unit64 sj_html_ceil(double pixels);
static inline float sj_html_pixels(sj_unit64 v) { return (float)((double)v / 64.0); }
// Rounds to a whole pixel.
static inline sj_unit64 sj_html_snap(sj_unit64 v) { return (v + 32) & ~(sj_unit64)63; }
// Returns the rectangle of these sides at whole pixels.
static inline stijl_rect sj_html_snapped(sj_unit64 x0, sj_unit64 y0, sj_unit64 x1, sj_unit64 y1) {
  return (stijl_rect){sj_html_pixels(sj_html_snap(x0)), sj_html_pixels(sj_html_snap(y0)),
                      sj_html_pixels(sj_html_snap(x1)), sj_html_pixels(sj_html_snap(y1))};
}
static inline sj_unit64 sj_html_most(sj_unit64 a, sj_unit64 b) { return a > b ? a : b; }
static inline sj_unit64 sj_html_least(sj_unit64 a, sj_unit64 b) { return a < b ? a : b; }

// --- styles (compute.c, style.c) ---

enum { SJ_TOP, SJ_RIGHT, SJ_BOTTOM, SJ_LEFT };  // sides, and corners from the one at the top left

typedef enum sj_html_display {
  SJ_DISPLAY_INLINE,
  SJ_DISPLAY_BLOCK,
  SJ_DISPLAY_INLINE_BLOCK,
  SJ_DISPLAY_FLOW_ROOT,
  SJ_DISPLAY_LIST_ITEM,
  SJ_DISPLAY_FLEX,
  SJ_DISPLAY_INLINE_FLEX,
  SJ_DISPLAY_TABLE,
  SJ_DISPLAY_INLINE_TABLE,
  SJ_DISPLAY_CAPTION,
  SJ_DISPLAY_ROW_GROUP,
  SJ_DISPLAY_HEADER_GROUP,
  SJ_DISPLAY_FOOTER_GROUP,
  SJ_DISPLAY_ROW,
  SJ_DISPLAY_CELL,
  SJ_DISPLAY_CONTENTS,
  SJ_DISPLAY_GRID,
  SJ_DISPLAY_COLUMN,  // what comes from here on has no box among others
  SJ_DISPLAY_COLUMN_GROUP,
  SJ_DISPLAY_NONE
} sj_html_display;

typedef enum sj_html_align {
  SJ_ALIGN_AUTO,
  SJ_ALIGN_STRETCH,  // also normal
  SJ_ALIGN_START,
  SJ_ALIGN_CENTER,
  SJ_ALIGN_END,
  SJ_ALIGN_BASELINE,
  SJ_ALIGN_BETWEEN,
  SJ_ALIGN_AROUND,
  SJ_ALIGN_EVENLY,
  SJ_ALIGN_FLEX_START,
  SJ_ALIGN_FLEX_END,
  SJ_ALIGN_SAFE = 32  // a flag: content that is too large stays at the start
} sj_html_align;

typedef enum sj_html_text_align {
  SJ_TEXT_START,
  SJ_TEXT_END,
  SJ_TEXT_LEFT,
  SJ_TEXT_RIGHT,
  SJ_TEXT_CENTER,
  SJ_TEXT_BLOCK_CENTER,  // blocks, too (HTML's align="center")
  SJ_TEXT_JUSTIFY
} sj_html_text_align;

typedef enum sj_html_vertical {
  SJ_VERTICAL_BASELINE,
  SJ_VERTICAL_SUB,
  SJ_VERTICAL_SUPER,
  SJ_VERTICAL_TOP,
  SJ_VERTICAL_TEXT_TOP,
  SJ_VERTICAL_MIDDLE,
  SJ_VERTICAL_BOTTOM,
  SJ_VERTICAL_TEXT_BOTTOM,
  SJ_VERTICAL_LENGTH
} sj_html_vertical;

typedef enum sj_html_list {
  SJ_LIST_DISC,
  SJ_LIST_CIRCLE,
  SJ_LIST_SQUARE,
  SJ_LIST_DECIMAL,
  SJ_LIST_LOWER_ALPHA,
  SJ_LIST_UPPER_ALPHA,
  SJ_LIST_LOWER_ROMAN,
  SJ_LIST_UPPER_ROMAN,
  SJ_LIST_LEADING_ZERO,
  SJ_LIST_LOWER_GREEK,
  SJ_LIST_NONE,
  SJ_LIST_CUSTOM  // and the index of one that the document defines
} sj_html_list;

// What an element does with counters.
typedef enum sj_html_counting { SJ_COUNT_RESET, SJ_COUNT_INCREMENT, SJ_COUNT_SET, SJ_COUNTS } sj_html_counting;

typedef enum sj_html_border {
  SJ_BORDER_NONE,
  SJ_BORDER_SOLID,
  SJ_BORDER_DASHED,
  SJ_BORDER_DOTTED,
  SJ_BORDER_DOUBLE,
  SJ_BORDER_INSET,
  SJ_BORDER_OUTSET,
  SJ_BORDER_GROOVE,
  SJ_BORDER_RIDGE,
  SJ_BORDER_HIDDEN  // none, and in a table neither any that is shared
} sj_html_border;

// The shorthand, which resets the others.
typedef enum sj_html_background {
  SJ_BACKGROUND_ALL,
  SJ_BACKGROUND_IMAGE,
  SJ_BACKGROUND_POSITION,
  SJ_BACKGROUND_SIZE,
  SJ_BACKGROUND_REPEAT,
  SJ_BACKGROUND_ORIGIN,
  SJ_BACKGROUND_CLIP,
  SJ_BACKGROUNDS
} sj_html_background;

typedef enum sj_html_size {
  SJ_SIZE_AUTO,
  SJ_SIZE_LENGTH,
  SJ_SIZE_MIN_CONTENT,
  SJ_SIZE_MAX_CONTENT,
  SJ_SIZE_FIT_CONTENT
} sj_html_size;

typedef struct sj_html_length {
  sj_html_size kind;
  float pixels, percent;
} sj_html_length;

// What is inherited comes first.
typedef struct sj_html_inherited {
  int text_align;                           // sj_html_text_align
  bool no_wrap, keeps_spaces, keeps_lines;  // white-space
  bool breaks_words, breaks_all;            // overflow-wrap: break-word; word-break: break-all
  bool breaks_anywhere;                     // and this counts for the least width, too
  int list;                                 // sj_html_list
  int tab_size;                             // in spaces, and 1; 0: the initial one, which is 8
  bool collapse;                            // border-collapse
  sj_unit64 spacing[2];
  sj_html_length indent;
  sj_value_text quotes;  // empty: those of the language
} sj_html_inherited;

typedef struct sj_html_style {
  sj_style svg;
  sj_html_inherited in;
  sj_html_display display;
  bool border_box, hides;  // box-sizing; overflow
  bool scrolls;            // a scroll bar is drawn where its content does not fit
  int order;               // z-index; 0 also where it is auto
  int position;            // 0 static, 1 relative, 2 absolute, 3 fixed
  sj_html_length width, height, min_width, min_height, max_width, max_height;  // of max: auto is none
  sj_html_length margin[4], padding[4], inset[4], radius[4];
  sj_html_border border[4];
  sj_unit64 border_width[4];
  sj_style_color border_color[4];
  sj_value_text shadow;                      // box-shadow, of which each is valid; empty: none
  sj_value_text background[SJ_BACKGROUNDS];  // of which each is valid, too
  int vertical;                              // sj_html_vertical
  sj_html_length vertical_length;
  bool column, reverse, wraps, wraps_reverse;  // of flex
  int justify, align_items, align_self, align_content;
  float grow, shrink;
  sj_html_length basis, gap[2];  // gap between rows, between columns
  uint32_t copy;                 // whose declarations these are
  bool is_part;                  // of a pseudo-element
  sj_value_text content;         // of one; empty: normal or none
  sj_value_text counts[SJ_COUNTS];
} sj_html_style;

// --- boxes (boxes.c) ---

typedef enum sj_html_kind {
  SJ_HTML_BLOCK,  // a block container
  SJ_HTML_INLINE,
  SJ_HTML_TEXT,
  SJ_HTML_BREAK,  // <br>
  SJ_HTML_IMAGE,
  SJ_HTML_SVG,
  SJ_HTML_FLEX_BOX,
  SJ_HTML_TABLE,
  SJ_HTML_ROW,
  SJ_HTML_CELL,
  SJ_HTML_MATH  // a formula
} sj_html_kind;

typedef struct sj_html_box {
  uint8_t kind;
  bool is_anonymous, is_inline_level, is_root;  // is_root: a block formatting context of its own
  bool cut_before, cut_after;                   // of an inline box that a block divides
  bool has_blocks;                              // a block container with blocks, not lines
  bool collapsed;                               // a table or a cell whose borders are shared,
  sj_unit64 shared[4];                          // and half of these
  uint32_t element;
  const sj_html_style *style;
  uint32_t parent, first, last, next;  // SJ_NONE
  uint32_t marker;                     // of a list item, out of flow; SJ_NONE
  uint32_t anchor;                     // of a box with a position: what stands where it would in flow; SJ_NONE
  bool is_anchor;                      // it is such a box, without content, for another,
  bool is_below;                       // which would stand below the line
  uint32_t first_placed, last_placed;  // boxes with a position in this one, out of flow, by their `next`; SJ_NONE
  const char *text;                    // TEXT; the URL of an IMAGE
  size_t length;
  uint32_t number;                     // columns that a cell spans, or a column stands for
  uint32_t span_rows;                  // of a cell
  uint32_t column;                     // of a cell: its first, once it is laid out
  uint32_t first_column, last_column;  // of a table, out of flow, by their `next`
  const sj_html_style *group;          // of a row, or a column: that of its group; NULL
  struct sj_html_flow *flow;           // of a block container with lines; NULL: not made yet
  sj_math *math;                       // of a formula; NULL: it draws nothing
  // Used values, once the box is laid out. x and y are of the border box, from that of the box around; for what stands
  // in lines, from that of their block container.
  sj_unit64 x, y, width, height;
  sj_unit64 margin[4], border[4], padding[4];
  sj_unit64 baseline, last_baseline;  // of its first and last line from its top; SJ_HTML_AUTO: it has no line
  // Margins that collapse with those outside: the largest positive and the most negative, of top and bottom.
  sj_unit64 strut[2][2];
  bool collapses;     // it has no height, and its margins are one
  sj_unit64 shift;    // of the content of a cell, down
  sj_unit64 caption;  // the height of the captions above a table, which its border is not around
  bool has_sizes;
  sj_unit64 least, most;    // the widths of its border box with all optional line breaks, and without any
  sj_unit64 content_least;  // the first without its own width
  sj_unit64 natural[2];     // the size of a replaced element, or a formula
  sj_unit64 ascent;         // of a formula
  // What it was laid out for.
  bool is_laid_out;
  sj_unit64 for_width, for_height, for_base, for_own;
  // What flex containers know of it: its height and baseline at a width, without a height of its own.
  bool is_measured;
  sj_unit64 at_width, at_base[2], auto_height, auto_baseline;
} sj_html_box;

typedef struct sj_html {
  sj_resolver *r;
  stijl_context *context;
  stijl_fonts *fonts;
  const sj_resolve_frame *frame;  // of the foreignObject
  SJ_ARRAY(sj_html_box) boxes;
  SJ_ARRAY(sj_html_style *) styles;
  sj_arena arena;  // texts that are not of the document
  bool lifts;      // some box is of position: relative
  sj_counter_styles counter_styles;
  bool knows_counter_styles;  // they were read
} sj_html;

static inline sj_html_box *sj_html_at(const sj_html *h, uint32_t box) { return &h->boxes.data[box]; }

// Reads the element's declarations in style->copy; `boxes`: not only those that are inherited (style.c).
void sj_html_apply(sj_html *h, uint32_t element, sj_html_style *style, const sj_html_style *parent, bool boxes);
// Applies a declaration of what is not inherited (style.c).
void sj_html_apply_box(sj_html *h, sj_html_style *style, const sj_html_style *parent, int name, const char *text,
                       size_t length, const sj_length_base *base);
void sj_html_set_initial(sj_html_style *style);
// Computes the style of an element in HTML, or of the pseudo-element of it that `copy` is.
bool sj_html_compute(sj_html *h, uint32_t copy, uint32_t element, const sj_html_style *parent, sj_html_style **out);
// Computes that of the foreignObject itself, with what all elements around it say about HTML.
bool sj_html_root_style(sj_html *h, uint32_t element, sj_html_style **out);
// Makes the style of an anonymous box.
sj_html_style *sj_html_anonymous(sj_html *h, const sj_html_style *parent);
// Returns a length, in units; percentages are of `base`. SJ_HTML_AUTO: it is none, or `base` is not known.
sj_unit64 sj_html_resolve(const sj_html_length *length, sj_unit64 base);

// Reads a box-shadow. Returns false when it is not valid (shadow.c).
bool sj_html_read_shadow(sj_html_style *style, sj_value_text value, const sj_length_base *base);
// Draws the shadows of a box, of this shape, within it (`inset`) or without.
void sj_html_paint_shadows(sj_html *h, const sj_html_box *box, const sj_resolve_frame *frame, const stijl_path *path,
                           bool inset);

// Reads `background` or a longhand. Returns false when it is not valid (background.c).
bool sj_html_read_background(sj_html_style *style, const sj_html_style *parent, sj_html_background which,
                             sj_value_text value);
static inline bool sj_html_has_background(const sj_html_style *s) {
  return s->background[SJ_BACKGROUND_ALL].length || s->background[SJ_BACKGROUND_IMAGE].length;
}
// Draws the images and gradients of a background. Areas are the border box, the padding box and the content box, shapes
// what is seen where it is cut off at these.
typedef struct sj_html_shape {
  stijl_rect rect;
  const stijl_path *path;  // with its corners
} sj_html_shape;
void sj_html_paint_background(sj_html *h, const sj_html_box *box, const sj_resolve_frame *frame,
                              const stijl_rect areas[3], const sj_html_shape shapes[3]);

// Makes the boxes of the foreignObject `element`; box 0 is its own.
bool sj_html_make_boxes(sj_html *h, uint32_t element, sj_html_style *style);

// Finds a style of counters by its name: one that the document defines, or of those that are known (counter_style.c,
// numbers.c).
bool sj_html_find_list(sj_html *h, sj_value_text name, int *list);
bool sj_html_find_known_list(sj_value_text name, int *list);
#define SJ_HTML_NUMBER_BYTES 24
// Writes a counter in a style that is known, and returns its length.
size_t sj_html_number(int list, int32_t number, char out[SJ_HTML_NUMBER_BYTES]);
typedef SJ_ARRAY(char) sj_html_text;
// Appends a counter in any style, or the marker of a list item with what stands around its number.
void sj_html_write_number(sj_html *h, int list, int32_t number, bool marker, sj_html_text *out);
// Appends a text; it counts for the budget.
void sj_html_append(sj_html *h, sj_html_text *out, const char *text, size_t length);

// --- generated content (content.c) ---

typedef struct sj_html_counter {
  sj_atom name;
  uint32_t depth;  // of the element that it began with
  uint32_t outer;  // the number, and 1, of that of the same name around it; 0: there is none
  int32_t value;
} sj_html_counter;

// The counters whose scopes are open, and the quotations.
typedef struct sj_html_counters {
  sj_atoms names;                // without a context until there is one
  SJ_ARRAY(uint32_t) innermost;  // for each name: the number of its innermost counter, and 1
  SJ_ARRAY(sj_html_counter) open;
  uint32_t quotes;
} sj_html_counters;

// Counts an element, or a pseudo-element, that has a box.
bool sj_html_count(sj_html *h, sj_html_counters *c, uint32_t element, const sj_html_style *style, uint32_t depth);
// Ends what began with elements below that depth.
void sj_html_end_counters(sj_html_counters *c, uint32_t depth);
void sj_html_counters_finish(sj_html *h, sj_html_counters *c);
// Returns the number of the list item that was counted last.
int32_t sj_html_item_number(sj_html *h, sj_html_counters *c);

// A piece of generated content: a text, or an image's URL.
typedef struct sj_html_piece {
  bool is_image;
  sj_value_text text;
} sj_html_piece;

// Takes the next piece of the style's content, of which `left` is left. Returns false at the end.
bool sj_html_next_piece(sj_html *h, sj_html_counters *c, uint32_t element, const sj_html_style *style,
                        sj_value_text *left, sj_html_piece *out);

// --- layout ---

// The space that a box is laid out in. A width or height that is given is that of the border box.
typedef struct sj_html_space {
  sj_unit64 base_width, base_height;  // of the containing block, which percentages refer to; SJ_HTML_AUTO
  sj_unit64 width, height;            // given by the box around; SJ_HTML_AUTO
} sj_html_space;

// Lays out a box of any kind but INLINE, TEXT and BREAK (block.c).
void sj_html_layout(sj_html *h, uint32_t box, const sj_html_space *space);
// Finds used margins, borders and padding; margins that are auto become 0.
void sj_html_edges(sj_html_box *box, sj_unit64 base_width);
// Returns the width of border and padding; their height if `vertical`.
sj_unit64 sj_html_frame(const sj_html_box *box, bool vertical);
// Applies min-width and max-width, or those of height, to a border box's size.
sj_unit64 sj_html_clamp(const sj_html_box *box, bool vertical, sj_unit64 size, sj_unit64 base);
// Returns the border box's size that width or height asks for; SJ_HTML_AUTO: none.
sj_unit64 sj_html_given(const sj_html_box *box, bool vertical, sj_unit64 base);
// Returns the height that the box's percentages refer to, if it has any, so that others do not matter.
sj_unit64 sj_html_height_base(const sj_html_box *box, sj_unit64 base_height);
// Lays out a box with a position in another, which is laid out (placed.c).
void sj_html_layout_placed(sj_html *h, uint32_t box);
// Finds box->least and box->most, of the border box, and returns them with the margins (sizes.c).
void sj_html_sizes(sj_html *h, uint32_t box, sj_unit64 *least, sj_unit64 *most);

void sj_html_layout_flex(sj_html *h, uint32_t box, const sj_html_space *space, sj_unit64 width);
void sj_html_layout_table(sj_html *h, uint32_t box, const sj_html_space *space);
// Finds the least and most width of a table's border box.
void sj_html_table_sizes(sj_html *h, uint32_t box, sj_unit64 *least, sj_unit64 *most);

// --- shared borders (collapse.c) ---

// A border that is drawn between two cells, or at the edge of a table; style NULL: none.
typedef struct sj_html_rule {
  const sj_html_style *style;
  int side;
} sj_html_rule;

// The rules between the rows and columns of a table: rows + 1 lines of those that go across, and for each row
// columns + 1 of those that go down.
typedef struct sj_html_grid {
  size_t rows, columns;
  SJ_ARRAY(sj_html_rule) across, down;
} sj_html_grid;

typedef struct sj_html_area {
  size_t row, column, rows, columns;
} sj_html_area;

bool sj_html_grid_begin(sj_html *h, sj_html_grid *grid, size_t rows, size_t columns);
void sj_html_grid_finish(sj_html *h, sj_html_grid *grid);
// Adds the border around an area: those of cells first, then those of what is around them.
bool sj_html_grid_add(sj_html *h, sj_html_grid *grid, const sj_html_style *style, const sj_html_area *area);
// Takes away what goes through a cell.
bool sj_html_grid_join(sj_html *h, sj_html_grid *grid, const sj_html_area *area);
// Finds half of the widest rule at each side of an area.
void sj_html_grid_widths(const sj_html_grid *grid, const sj_html_area *area, sj_unit64 out[4]);

// A line of rules that look alike.
typedef struct sj_html_grid_line {
  sj_html_rule rule;
  bool is_down;
  sj_unit64 box[4];  // its sides
} sj_html_grid_line;

typedef struct sj_html_grid_walk {
  int is_down;
  size_t line, at;
} sj_html_grid_walk;

// Finds the next line; columns begin at `xs`, and rows at `ys`. Returns false at the end.
bool sj_html_grid_next(sj_html *h, const sj_html_grid *grid, const sj_unit64 *xs, const sj_unit64 *ys,
                       sj_html_grid_walk *walk, sj_html_grid_line *out);

// The shared borders of a table that is laid out: where rows and columns begin and end, and what is between (table.c).
typedef struct sj_html_shared {
  sj_html_grid grid;
  SJ_ARRAY(sj_unit64) xs, ys;
} sj_html_shared;
bool sj_html_table_shared(sj_html *h, uint32_t box, sj_html_shared *out);

// --- lines (flow.c, lines.c) ---

// The start or end of an inline box, before character `at`.
typedef struct sj_html_edge {
  uint32_t at, box;
  bool opens;
} sj_html_edge;

typedef struct sj_html_line {
  uint32_t first, end, raw_end;  // its characters; those from `end` on are not shown
  uint32_t shown;                // where it is cut off, and an ellipsis stands; `end` if it is not
  uint32_t first_edge, end_edge;
  sj_unit64 stretch;                        // that each space gets where the line is justified
  sj_unit64 x, y, width, height, baseline;  // y and baseline from the content box's top
} sj_html_line;

// What a character of a flow stands for.
#define SJ_HTML_FORCED 1u  // the end of a line
#define SJ_HTML_ATOM 2u    // this, and more: the box with the number less this

// The inline content of a block container.
typedef struct sj_html_flow {
  sj_text_content text;      // its characters, before lines are made
  SJ_ARRAY(uint32_t) atoms;  // for each character: 0, or what it stands for
  SJ_ARRAY(sj_html_edge) edges;
  float *advances;
  char *breaks;  // for each character: what line_breaks.h says, of all styles
  uint8_t *levels;
  const sj_face **faces;  // that draws it; NULL: none
  bool measured, right_to_left;
  SJ_ARRAY(sj_html_line) lines;
  SJ_ARRAY(uint32_t) scope_boxes;  // for each scope of the text: its box
} sj_html_flow;

// Goes through a flow from a character on, and adds up widths. Runs of characters in one box are rounded up together.
typedef struct sj_html_walk {
  sj_html *h;
  const sj_html_flow *flow;
  uint32_t at, owner;
  size_t edge;
  sj_unit64 width;  // without the present run
  float run;
  sj_unit64 (*atom_width)(sj_html *h, uint32_t box);  // NULL: as it was laid out
} sj_html_walk;

void sj_html_walk_begin(sj_html *h, sj_html_walk *w, const sj_html_flow *flow, uint32_t at, size_t edge);
// Passes a character, the edges before it, and those behind it that close.
void sj_html_walk_next(sj_html_walk *w);
sj_unit64 sj_html_walk_width(const sj_html_walk *w);
sj_unit64 sj_html_edge_width(const sj_html *h, const sj_html_edge *edge);
// Finds margins, borders and padding of all inline boxes in a flow.
void sj_html_flow_edges(sj_html *h, const sj_html_flow *flow, sj_unit64 base);
// Returns the style of the box that a character is in.
const sj_html_inherited *sj_html_text_style(const sj_html *h, const sj_html_flow *flow, uint32_t at);

// Gathers and measures the flow of a block container, once. NULL on failure, or where there are no fonts.
sj_html_flow *sj_html_flow_of(sj_html *h, uint32_t box);
void sj_html_flow_destroy(sj_html *h, sj_html_flow *flow);
// Finds the widths of the content without any optional break, and with all.
void sj_html_flow_sizes(sj_html *h, uint32_t box, sj_unit64 *least, sj_unit64 *most);
// Makes lines of that width, and returns their height. Percentages of heights are of `base_height`.
sj_unit64 sj_html_make_lines(sj_html *h, uint32_t box, sj_unit64 width, sj_unit64 base_height);

// Cuts a line off, where its block container asks for it, if it is longer than `room` (ellipsis.c).
void sj_html_cut_line(sj_html *h, uint32_t block, const sj_html_flow *flow, sj_html_line *line, sj_unit64 room);
// Returns the character that stands behind what is cut off, and how wide it is. A dot stands there three times.
uint32_t sj_html_ellipsis(const sj_html *h, uint32_t block, float *width);

// A metric of an inline box or text: how far it reaches above and below the baseline.
typedef struct sj_html_extent {
  sj_unit64 above, below;
} sj_html_extent;

// Returns font metrics, rounded to whole pixels, without leading.
sj_html_extent sj_html_font_extent(sj_html *h, const sj_html_style *style);
// Returns how far the baseline of an inline-level box lies below that of the line. Where vertical-align is top or
// bottom, of the box or of one around it, that follows from the line's height.
sj_unit64 sj_html_shift(sj_html *h, uint32_t box, uint32_t block, const sj_html_line *line);

// Returns how far a box that stands in a line reaches above its baseline, with its margin.
sj_unit64 sj_html_above(const sj_html *h, uint32_t box);

// --- painting (paint.c, fragments.c) ---

// Adds the nodes of a box whose parent's border box is at x, y.
void sj_html_paint(sj_html *h, uint32_t box, const sj_resolve_frame *frame, sj_unit64 x, sj_unit64 y);
void sj_html_paint_lines(sj_html *h, uint32_t box, const sj_resolve_frame *frame, sj_unit64 x, sj_unit64 y);
// Paints the background and the border of a border box. `cut` tells which sides have none.
void sj_html_paint_frame(sj_html *h, const sj_html_box *box, const sj_resolve_frame *frame, sj_unit64 x, sj_unit64 y,
                         sj_unit64 width, sj_unit64 height, bool cut_left, bool cut_right);
// --- omissions (omit.c) ---

// Warns of an element that is not drawn, or otherwise.
void sj_html_omit_element(const sj_html *h, uint32_t element);
// Warns of the element if that is so, and of its attributes. Returns whether it is drawn.
bool sj_html_omit_parts(const sj_html *h, uint32_t element);
// Warns of what is not laid out or drawn.
void sj_html_omit(const sj_html *h, const char *what, const char *value, size_t length);

#endif
