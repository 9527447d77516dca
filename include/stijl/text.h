// Text: characters with styles, which are shaped, broken into lines, measured and drawn.
//
//   stijl_text_create(NULL, fonts, &text);
//   stijl_text_append(text, "Hello", 5, &style);
//   stijl_text_layout(text, NULL, NULL);
//   stijl_scene_text(scene, text, &matrix, &paint);
//
// Text is UTF-8; invalid bytes count as U+FFFD. Offsets are bytes of all that was appended. Lengths have the unit of
// the font size. x goes to the right and y down from the origin, the top left corner of the box of the lines.
#ifndef STIJL_TEXT_H
#define STIJL_TEXT_H

#include "stijl/fonts.h"
#include "stijl/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether a font is upright, as CSS's font-style has it.
typedef enum stijl_font_slant { STIJL_FONT_NORMAL, STIJL_FONT_ITALIC, STIJL_FONT_OBLIQUE } stijl_font_slant;

// Which palette of a colour font (OpenType's CPAL table) is used: the number of one, or the first that is made for a
// light or dark background. If the font lacks it, its first palette is used.
enum { STIJL_PALETTE_LIGHT = -1, STIJL_PALETTE_DARK = -2 };

// A colour in place of one of a palette. An index that the palette does not have is ignored.
typedef struct stijl_palette_color {
  uint32_t index;
  stijl_color color;
} stijl_palette_color;

// How characters look. A value out of range is STIJL_ERROR_INVALID_ARGUMENT.
typedef struct stijl_text_style {
  size_t size;  // bytes of this struct; set by the initialiser
  // As CSS writes them: "Noto Sans, 'DejaVu Sans', sans-serif". NULL stands for the default family.
  const char *families;
  float font_size;  // above 0, at most 1e6; default 16
  float weight;     // 1..1000; default 400
  float stretch;    // in percent of the normal width, above 0; default 100
  stijl_font_slant slant;
  float letter_spacing, word_spacing;  // lengths that are added after each cluster, and to each space
  float line_height;                   // in font sizes; the default, 0, is the font's own
  const char *language;                // a tag of BCP 47; NULL for none
  const char *features, *variations;   // as CSS writes them: "'smcp' 1", "'wght' 650"; NULL for none
  // The palette of glyphs with layers or graphs of paints (COLR) and of SVG tables, as CSS's font-palette chooses it: a
  // number, STIJL_PALETTE_LIGHT or STIJL_PALETTE_DARK.
  int32_t palette;
  const stijl_palette_color *palette_colors;  // of colours with the same index the last counts
  size_t palette_color_count;
} stijl_text_style;

#define STIJL_TEXT_STYLE_INIT \
  STIJL_INIT(stijl_text_style, .font_size = 16.0f, .weight = 400.0f, .stretch = 100.0f, .slant = STIJL_FONT_NORMAL)
STIJL_API void stijl_text_style_init(stijl_text_style *style, size_t size);

// How lines are placed within the width.
typedef enum stijl_align {
  STIJL_ALIGN_START,  // where lines begin in the direction of their paragraph
  STIJL_ALIGN_END,
  STIJL_ALIGN_LEFT,
  STIJL_ALIGN_RIGHT,
  STIJL_ALIGN_CENTER,
  STIJL_ALIGN_JUSTIFY  // spaces fill the width, except in the last line of a paragraph
} stijl_align;

// The direction of paragraphs.
typedef enum stijl_direction {
  STIJL_DIRECTION_AUTO,  // the direction of the first letter of each paragraph that has one
  STIJL_DIRECTION_LTR,
  STIJL_DIRECTION_RTL
} stijl_direction;

// How a text is laid out.
typedef struct stijl_text_params {
  size_t size;  // bytes of this struct; set by the initialiser
  // Lines are broken to fit into this width: where Unicode allows it, else anywhere. With 0 only characters that end
  // lines, such as a newline, break them.
  float width;
  stijl_align align;
  stijl_direction direction;
  uint32_t max_lines;    // further lines are left out; 0 for any number
  const char *ellipsis;  // put after the rest of the last line where text is left out; NULL for nothing
} stijl_text_params;

#define STIJL_TEXT_PARAMS_INIT \
  STIJL_INIT(stijl_text_params, .align = STIJL_ALIGN_START, .direction = STIJL_DIRECTION_AUTO)
STIJL_API void stijl_text_params_init(stijl_text_params *params, size_t size);

// A text. One thread at a time may change it.
typedef struct stijl_text stijl_text;

// Creates an empty text. `fonts` must outlive it; NULL stands for the system's. Returns STIJL_ERROR_UNSUPPORTED in a
// build without text.
STIJL_API stijl_result stijl_text_create(stijl_context *context, stijl_fonts *fonts, stijl_text **out);
// Frees the text. NULL is allowed.
STIJL_API void stijl_text_destroy(stijl_text *text);
// Appends a copy of the characters, in a style; if `style` is NULL, the defaults apply. The layout is empty until the
// next stijl_text_layout. Returns STIJL_ERROR_LIMIT where the text would have more than 2^24 characters or 4 GiB.
STIJL_API stijl_result stijl_text_append(stijl_text *text, const char *utf8, size_t length,
                                         const stijl_text_style *style);
// Shapes the text and breaks it into lines. If `params` is NULL, the defaults apply. It may be called again with
// others. Afterwards several threads may read and draw the text at the same time.
STIJL_API stijl_result stijl_text_layout(stijl_text *text, const stijl_text_params *params, stijl_message *message);

// A line of the layout.
typedef struct stijl_text_line {
  size_t start, end;         // offsets; what was left out for an ellipsis is not within
  float x, baseline, width;  // of the glyphs, without spaces at the end
  float ascent, descent;     // how far the line's box reaches above and below the baseline, both positive
  size_t first_glyph, glyph_count;
} stijl_text_line;

// A glyph and its place. Those of a line are in visual order.
typedef struct stijl_glyph {
  uint32_t id;     // the number of the glyph in its font
  uint32_t font;   // the fonts of a text are numbered in the order in which the text first uses them
  size_t cluster;  // the offset where the characters begin that the glyph stands for
  float x, y;      // of the glyph's origin
  // How far the glyph moves those after it.
  float advance;
  float font_size;
} stijl_glyph;

// Sets *out to the lines or the glyphs, and returns how many there are. The arrays belong to the text and are valid
// until it changes.
STIJL_API size_t stijl_text_lines(const stijl_text *text, const stijl_text_line **out);
STIJL_API size_t stijl_text_glyphs(const stijl_text *text, const stijl_glyph **out);
// Returns the family of the font with the number that glyphs have, or "" for another number.
STIJL_API const char *stijl_text_font_family(const stijl_text *text, uint32_t font);
// Sets the size of the box of all lines: the width of the longest or the width that was asked for, and the height.
STIJL_API void stijl_text_size(const stijl_text *text, float *width, float *height);
// Returns the code point of the first character that no font has, so that it is drawn as a box, or 0 if there is none.
STIJL_API uint32_t stijl_text_missing(const stijl_text *text);

// A place between characters: a vertical line at x, from y0 to y1.
typedef struct stijl_caret {
  float x, y0, y1;
  uint32_t line;
  bool right_to_left;  // the text after it runs to the left
} stijl_caret;

// Sets *out to the caret before the character at an offset, or after the last character. Returns false if the text has
// no lines.
STIJL_API bool stijl_text_caret(const stijl_text *text, size_t offset, stijl_caret *out);
// Returns the offset of the caret that is nearest to a point, within the line at its height.
STIJL_API size_t stijl_text_hit(const stijl_text *text, float x, float y);

// Appends the outlines of all glyphs to a path, including those that colour glyphs have as well. If `matrix` is NULL,
// they are not transformed.
STIJL_API stijl_result stijl_text_outline(const stijl_text *text, const stijl_matrix *matrix, stijl_path *path);
// Draws all of the text with a paint. Failures stick to the scene.
//
// Glyphs of colour fonts (COLR, SVG tables, bitmaps) are drawn as in SVG documents: below all other glyphs of the text,
// in their own colours, with the opacity of the paint. Where a font asks for the colour of the text, it gets that of a
// solid paint, and black with another kind. A glyph whose table is invalid is drawn by its outline, and so is each in a
// build without SVG. A scene stores each of them once, however often it is drawn, and those that hold pixels once for
// each size. The fonts keep what was made for later draws, at most 32 MiB for each font. Strokes leave colour glyphs
// out.
STIJL_API void stijl_scene_text(stijl_scene *scene, const stijl_text *text, const stijl_matrix *matrix,
                                const stijl_paint *paint);
STIJL_API void stijl_scene_text_stroke(stijl_scene *scene, const stijl_text *text, const stijl_stroke *stroke,
                                       const stijl_matrix *matrix, const stijl_paint *paint);

#ifdef __cplusplus
}
#endif
#endif
