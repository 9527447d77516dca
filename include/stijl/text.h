// Text: characters with styles, shaped, broken into lines, measured and drawn.
//
//   stijl_text_create(NULL, fonts, &text);
//   stijl_text_append(text, "Hello", 5, &style);
//   stijl_text_layout(text, NULL, NULL);
//   stijl_scene_text(scene, text, &matrix, &paint);
//
// Text is UTF-8; broken bytes count as U+FFFD. Offsets are bytes of all that was appended. Lengths are those of the
// font size's unit; x goes to the right, y down, and the origin is the top left corner of the box of the lines.
#ifndef STIJL_TEXT_H
#define STIJL_TEXT_H

#include "stijl/fonts.h"
#include "stijl/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stijl_font_slant { STIJL_FONT_NORMAL, STIJL_FONT_ITALIC, STIJL_FONT_OBLIQUE } stijl_font_slant;

// Which palette of a colour font (OpenType, CPAL): the number of one, or the first that is for such a background. The
// font's first stands for one that it does not have.
enum { STIJL_PALETTE_LIGHT = -1, STIJL_PALETTE_DARK = -2 };

// A colour in place of one of a palette. Indices that the palette does not have are ignored.
typedef struct stijl_palette_color {
  uint32_t index;
  stijl_color color;
} stijl_palette_color;

typedef struct stijl_text_style {
  size_t size;           // bytes of this struct; set by the initialiser
  const char *families;  // as CSS writes them: "Noto Sans, 'DejaVu Sans', sans-serif". NULL: the default
  float font_size;       // > 0
  float weight;          // 1..1000
  float stretch;         // percent
  stijl_font_slant slant;
  float letter_spacing, word_spacing;  // added behind each cluster, to each blank
  float line_height;                   // in font sizes; 0: the font's own
  const char *language;                // BCP 47; NULL: none
  const char *features, *variations;   // as CSS writes them: "'smcp' 1", "'wght' 650"; NULL: none
  // Of glyphs with layers or graphs of paints (COLR) and of SVG tables, as font-palette has it for documents.
  int32_t palette;                            // a number, STIJL_PALETTE_LIGHT or STIJL_PALETTE_DARK
  const stijl_palette_color *palette_colors;  // of one index the last counts
  size_t palette_color_count;
} stijl_text_style;

#define STIJL_TEXT_STYLE_INIT                                                                                        \
  {                                                                                                                  \
    sizeof(stijl_text_style), NULL, 16.0f, 400.0f, 100.0f, STIJL_FONT_NORMAL, 0.0f, 0.0f, 0.0f, NULL, NULL, NULL, 0, \
        NULL, 0                                                                                                      \
  }
STIJL_API void stijl_text_style_init(stijl_text_style *style, size_t size);

typedef enum stijl_align {
  STIJL_ALIGN_START,  // where lines begin in the direction of their paragraph
  STIJL_ALIGN_END,
  STIJL_ALIGN_LEFT,
  STIJL_ALIGN_RIGHT,
  STIJL_ALIGN_CENTER,
  STIJL_ALIGN_JUSTIFY  // blanks fill the width, but in the last line of a paragraph
} stijl_align;

typedef enum stijl_direction {
  STIJL_DIRECTION_AUTO,  // that of the first letter of each paragraph that has one
  STIJL_DIRECTION_LTR,
  STIJL_DIRECTION_RTL
} stijl_direction;

typedef struct stijl_text_params {
  size_t size;  // bytes of this struct; set by the initialiser
  float width;  // that lines are broken to fit into, where Unicode allows it, else anywhere; 0: only characters that
                // end lines break
  stijl_align align;
  stijl_direction direction;
  uint32_t max_lines;    // the rest is left out; 0: any number
  const char *ellipsis;  // put behind what is left of the last line where something is left out; NULL: nothing
} stijl_text_params;

#define STIJL_TEXT_PARAMS_INIT \
  { sizeof(stijl_text_params), 0.0f, STIJL_ALIGN_START, STIJL_DIRECTION_AUTO, 0, NULL }
STIJL_API void stijl_text_params_init(stijl_text_params *params, size_t size);

typedef struct stijl_text stijl_text;

// `fonts` NULL: the system's. Fonts have to outlive the text. STIJL_ERROR_UNSUPPORTED in a build without text.
STIJL_API stijl_result stijl_text_create(stijl_context *context, stijl_fonts *fonts, stijl_text **out);
STIJL_API void stijl_text_destroy(stijl_text *text);
// Adds characters; all is copied. `style` NULL: the defaults. What has been laid out is void until the next layout.
STIJL_API stijl_result stijl_text_append(stijl_text *text, const char *utf8, size_t length,
                                         const stijl_text_style *style);
// Shapes the text and breaks it into lines. `params` NULL: the defaults. May be called again with others; afterwards
// the text may be read and drawn by several threads at a time.
STIJL_API stijl_result stijl_text_layout(stijl_text *text, const stijl_text_params *params, stijl_message *message);

typedef struct stijl_text_line {
  size_t start, end;         // bytes; what was left out for an ellipsis does not count
  float x, baseline, width;  // of the glyphs, blanks at the end apart
  float ascent, descent;     // of the line's box, from the baseline, both positive
  size_t first_glyph, glyph_count;
} stijl_text_line;

// A glyph as it is placed; those of a line are in visual order.
typedef struct stijl_glyph {
  uint32_t id;     // of its font
  uint32_t font;   // fonts of the text are numbered in the order in which they are first met
  size_t cluster;  // the byte where the characters begin that it stands for
  float x, y;      // its origin
  float advance;
  float font_size;
} stijl_glyph;

// Valid until the text changes. Both return the number.
STIJL_API size_t stijl_text_lines(const stijl_text *text, const stijl_text_line **out);
STIJL_API size_t stijl_text_glyphs(const stijl_text *text, const stijl_glyph **out);
// The family of a font that glyphs name; "" for other numbers.
STIJL_API const char *stijl_text_font_family(const stijl_text *text, uint32_t font);
// The box of all lines: the width of the longest, or that asked for, and the height.
STIJL_API void stijl_text_size(const stijl_text *text, float *width, float *height);
// The first character that no font has, and that is drawn as a box; 0: none.
STIJL_API uint32_t stijl_text_missing(const stijl_text *text);

typedef struct stijl_caret {
  float x, y0, y1;
  uint32_t line;
  bool right_to_left;  // what follows runs to the left
} stijl_caret;

// Where the caret stands before the character at an offset, or behind the last. False without lines.
STIJL_API bool stijl_text_caret(const stijl_text *text, size_t offset, stijl_caret *out);
// The offset of the caret that is nearest to a point.
STIJL_API size_t stijl_text_hit(const stijl_text *text, float x, float y);

// Appends all outlines, also those that colour glyphs have besides; `matrix` NULL is the identity.
STIJL_API stijl_result stijl_text_outline(const stijl_text *text, const stijl_matrix *matrix, stijl_path *path);
// Draw all of the text, with any paint; failures stick to the scene.
//
// Glyphs of colour fonts (COLR, SVG tables, bitmaps) are drawn as in SVG documents, below all others of the text: in
// their own colours, with the opacity of the paint. Where a font asks for the colour of the text, it is that of a solid
// paint, and black with another. A glyph whose table is broken is drawn by its outline, as all are in a build without
// SVG. Each is in the scene once, however often it is drawn; those that hold pixels, once for each size. The fonts keep
// what was made of it for later draws, at most 32 MiB for each font. Strokes leave colour glyphs out.
STIJL_API void stijl_scene_text(stijl_scene *scene, const stijl_text *text, const stijl_matrix *matrix,
                                const stijl_paint *paint);
STIJL_API void stijl_scene_text_stroke(stijl_scene *scene, const stijl_text *text, const stijl_stroke *stroke,
                                       const stijl_matrix *matrix, const stijl_paint *paint);

#ifdef __cplusplus
}
#endif
#endif
