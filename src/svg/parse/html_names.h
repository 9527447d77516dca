// The properties of CSS that only HTML elements in a foreignObject have. They are numbered behind the names of SVG, so
// that declarations of both kinds stand in one cascade.
#ifndef SJ_SVG_PARSE_HTML_NAMES_H
#define SJ_SVG_PARSE_HTML_NAMES_H

#include "svg/parse/names.h"

// Enumerator, name, and whether it is laid out. They are sorted by name for the binary search; a test checks that.
#define SJ_HTML_PROPERTIES(X)                                       \
  X(WEBKIT_BOX_ALIGN, "-webkit-box-align", false)                   \
  X(WEBKIT_BOX_DIRECTION, "-webkit-box-direction", false)           \
  X(WEBKIT_BOX_FLEX, "-webkit-box-flex", false)                     \
  X(WEBKIT_BOX_ORDINAL_GROUP, "-webkit-box-ordinal-group", false)   \
  X(WEBKIT_BOX_ORIENT, "-webkit-box-orient", false)                 \
  X(WEBKIT_BOX_PACK, "-webkit-box-pack", false)                     \
  X(WEBKIT_BOX_SHADOW, "-webkit-box-shadow", true)                  \
  X(WEBKIT_LINE_CLAMP, "-webkit-line-clamp", false)                 \
  X(WEBKIT_TEXT_FILL_COLOR, "-webkit-text-fill-color", false)       \
  X(WEBKIT_TEXT_SECURITY, "-webkit-text-security", false)           \
  X(WEBKIT_TEXT_STROKE, "-webkit-text-stroke", false)               \
  X(WEBKIT_TEXT_STROKE_COLOR, "-webkit-text-stroke-color", false)   \
  X(WEBKIT_TEXT_STROKE_WIDTH, "-webkit-text-stroke-width", false)   \
  X(ALIGN_CONTENT, "align-content", true)                           \
  X(ALIGN_ITEMS, "align-items", true)                               \
  X(ALIGN_SELF, "align-self", true)                                 \
  X(ALL, "all", false)                                              \
  X(ASPECT_RATIO, "aspect-ratio", false)                            \
  X(BACKGROUND_CLIP, "background-clip", true)                       \
  X(BACKGROUND_IMAGE, "background-image", true)                     \
  X(BACKGROUND_ORIGIN, "background-origin", true)                   \
  X(BACKGROUND_POSITION, "background-position", true)               \
  X(BACKGROUND_REPEAT, "background-repeat", true)                   \
  X(BACKGROUND_SIZE, "background-size", true)                       \
  X(BLOCK_SIZE, "block-size", true)                                 \
  X(BORDER, "border", true)                                         \
  X(BORDER_BLOCK, "border-block", true)                             \
  X(BORDER_BLOCK_COLOR, "border-block-color", false)                \
  X(BORDER_BLOCK_END, "border-block-end", true)                     \
  X(BORDER_BLOCK_END_COLOR, "border-block-end-color", false)        \
  X(BORDER_BLOCK_END_STYLE, "border-block-end-style", false)        \
  X(BORDER_BLOCK_END_WIDTH, "border-block-end-width", false)        \
  X(BORDER_BLOCK_START, "border-block-start", true)                 \
  X(BORDER_BLOCK_START_COLOR, "border-block-start-color", false)    \
  X(BORDER_BLOCK_START_STYLE, "border-block-start-style", false)    \
  X(BORDER_BLOCK_START_WIDTH, "border-block-start-width", false)    \
  X(BORDER_BLOCK_STYLE, "border-block-style", false)                \
  X(BORDER_BLOCK_WIDTH, "border-block-width", false)                \
  X(BORDER_BOTTOM, "border-bottom", true)                           \
  X(BORDER_BOTTOM_COLOR, "border-bottom-color", true)               \
  X(BORDER_BOTTOM_LEFT_RADIUS, "border-bottom-left-radius", true)   \
  X(BORDER_BOTTOM_RIGHT_RADIUS, "border-bottom-right-radius", true) \
  X(BORDER_BOTTOM_STYLE, "border-bottom-style", true)               \
  X(BORDER_BOTTOM_WIDTH, "border-bottom-width", true)               \
  X(BORDER_COLLAPSE, "border-collapse", true)                       \
  X(BORDER_COLOR, "border-color", true)                             \
  X(BORDER_END_END_RADIUS, "border-end-end-radius", false)          \
  X(BORDER_END_START_RADIUS, "border-end-start-radius", false)      \
  X(BORDER_IMAGE, "border-image", false)                            \
  X(BORDER_IMAGE_SOURCE, "border-image-source", false)              \
  X(BORDER_INLINE, "border-inline", true)                           \
  X(BORDER_INLINE_COLOR, "border-inline-color", false)              \
  X(BORDER_INLINE_END, "border-inline-end", true)                   \
  X(BORDER_INLINE_END_COLOR, "border-inline-end-color", false)      \
  X(BORDER_INLINE_END_STYLE, "border-inline-end-style", false)      \
  X(BORDER_INLINE_END_WIDTH, "border-inline-end-width", false)      \
  X(BORDER_INLINE_START, "border-inline-start", true)               \
  X(BORDER_INLINE_START_COLOR, "border-inline-start-color", false)  \
  X(BORDER_INLINE_START_STYLE, "border-inline-start-style", false)  \
  X(BORDER_INLINE_START_WIDTH, "border-inline-start-width", false)  \
  X(BORDER_INLINE_STYLE, "border-inline-style", false)              \
  X(BORDER_INLINE_WIDTH, "border-inline-width", false)              \
  X(BORDER_LEFT, "border-left", true)                               \
  X(BORDER_LEFT_COLOR, "border-left-color", true)                   \
  X(BORDER_LEFT_STYLE, "border-left-style", true)                   \
  X(BORDER_LEFT_WIDTH, "border-left-width", true)                   \
  X(BORDER_RADIUS, "border-radius", true)                           \
  X(BORDER_RIGHT, "border-right", true)                             \
  X(BORDER_RIGHT_COLOR, "border-right-color", true)                 \
  X(BORDER_RIGHT_STYLE, "border-right-style", true)                 \
  X(BORDER_RIGHT_WIDTH, "border-right-width", true)                 \
  X(BORDER_SPACING, "border-spacing", true)                         \
  X(BORDER_START_END_RADIUS, "border-start-end-radius", false)      \
  X(BORDER_START_START_RADIUS, "border-start-start-radius", false)  \
  X(BORDER_STYLE, "border-style", true)                             \
  X(BORDER_TOP, "border-top", true)                                 \
  X(BORDER_TOP_COLOR, "border-top-color", true)                     \
  X(BORDER_TOP_LEFT_RADIUS, "border-top-left-radius", true)         \
  X(BORDER_TOP_RIGHT_RADIUS, "border-top-right-radius", true)       \
  X(BORDER_TOP_STYLE, "border-top-style", true)                     \
  X(BORDER_TOP_WIDTH, "border-top-width", true)                     \
  X(BORDER_WIDTH, "border-width", true)                             \
  X(BOTTOM, "bottom", true)                                         \
  X(BOX_DECORATION_BREAK, "box-decoration-break", false)            \
  X(BOX_SHADOW, "box-shadow", true)                                 \
  X(BOX_SIZING, "box-sizing", true)                                 \
  X(CAPTION_SIDE, "caption-side", false)                            \
  X(CLEAR, "clear", false)                                          \
  X(COLUMN_COUNT, "column-count", false)                            \
  X(COLUMN_GAP, "column-gap", true)                                 \
  X(COLUMN_RULE, "column-rule", false)                              \
  X(COLUMN_RULE_STYLE, "column-rule-style", false)                  \
  X(COLUMN_WIDTH, "column-width", false)                            \
  X(COLUMNS, "columns", false)                                      \
  X(CONTAIN, "contain", false)                                      \
  X(CONTAINER, "container", false)                                  \
  X(CONTAINER_TYPE, "container-type", false)                        \
  X(CONTENT, "content", false)                                      \
  X(CORNER_SHAPE, "corner-shape", false)                            \
  X(COUNTER_INCREMENT, "counter-increment", true)                   \
  X(COUNTER_RESET, "counter-reset", true)                           \
  X(COUNTER_SET, "counter-set", true)                               \
  X(EMPTY_CELLS, "empty-cells", false)                              \
  X(FLEX, "flex", true)                                             \
  X(FLEX_BASIS, "flex-basis", true)                                 \
  X(FLEX_DIRECTION, "flex-direction", true)                         \
  X(FLEX_FLOW, "flex-flow", true)                                   \
  X(FLEX_GROW, "flex-grow", true)                                   \
  X(FLEX_SHRINK, "flex-shrink", true)                               \
  X(FLEX_WRAP, "flex-wrap", true)                                   \
  X(FLOAT, "float", false)                                          \
  X(GAP, "gap", true)                                               \
  X(HYPHENS, "hyphens", false)                                      \
  X(INSET, "inset", true)                                           \
  X(INSET_BLOCK, "inset-block", true)                               \
  X(INSET_BLOCK_END, "inset-block-end", true)                       \
  X(INSET_BLOCK_START, "inset-block-start", true)                   \
  X(INSET_INLINE, "inset-inline", true)                             \
  X(INSET_INLINE_END, "inset-inline-end", true)                     \
  X(INSET_INLINE_START, "inset-inline-start", true)                 \
  X(JUSTIFY_CONTENT, "justify-content", true)                       \
  X(JUSTIFY_SELF, "justify-self", false)                            \
  X(LEFT, "left", true)                                             \
  X(LINE_BREAK, "line-break", false)                                \
  X(LINE_CLAMP, "line-clamp", false)                                \
  X(LIST_STYLE, "list-style", true)                                 \
  X(LIST_STYLE_IMAGE, "list-style-image", false)                    \
  X(LIST_STYLE_POSITION, "list-style-position", false)              \
  X(LIST_STYLE_TYPE, "list-style-type", true)                       \
  X(MARGIN, "margin", true)                                         \
  X(MARGIN_BLOCK, "margin-block", true)                             \
  X(MARGIN_BLOCK_END, "margin-block-end", true)                     \
  X(MARGIN_BLOCK_START, "margin-block-start", true)                 \
  X(MARGIN_BOTTOM, "margin-bottom", true)                           \
  X(MARGIN_INLINE, "margin-inline", true)                           \
  X(MARGIN_INLINE_END, "margin-inline-end", true)                   \
  X(MARGIN_INLINE_START, "margin-inline-start", true)               \
  X(MARGIN_LEFT, "margin-left", true)                               \
  X(MARGIN_RIGHT, "margin-right", true)                             \
  X(MARGIN_TOP, "margin-top", true)                                 \
  X(MATH_DEPTH, "math-depth", true)                                 \
  X(MATH_SHIFT, "math-shift", true)                                 \
  X(MATH_STYLE, "math-style", true)                                 \
  X(MAX_BLOCK_SIZE, "max-block-size", true)                         \
  X(MAX_HEIGHT, "max-height", true)                                 \
  X(MAX_INLINE_SIZE, "max-inline-size", true)                       \
  X(MAX_WIDTH, "max-width", true)                                   \
  X(MIN_BLOCK_SIZE, "min-block-size", true)                         \
  X(MIN_HEIGHT, "min-height", true)                                 \
  X(MIN_INLINE_SIZE, "min-inline-size", true)                       \
  X(MIN_WIDTH, "min-width", true)                                   \
  X(OBJECT_FIT, "object-fit", false)                                \
  X(OBJECT_POSITION, "object-position", false)                      \
  X(OBJECT_VIEW_BOX, "object-view-box", false)                      \
  X(ORDER, "order", false)                                          \
  X(OUTLINE, "outline", true)                                       \
  X(OUTLINE_COLOR, "outline-color", true)                           \
  X(OUTLINE_OFFSET, "outline-offset", true)                         \
  X(OUTLINE_STYLE, "outline-style", true)                           \
  X(OUTLINE_WIDTH, "outline-width", true)                           \
  X(OVERFLOW_BLOCK, "overflow-block", false)                        \
  X(OVERFLOW_INLINE, "overflow-inline", false)                      \
  X(OVERFLOW_WRAP, "overflow-wrap", true)                           \
  X(OVERFLOW_X, "overflow-x", true)                                 \
  X(OVERFLOW_Y, "overflow-y", true)                                 \
  X(PADDING, "padding", true)                                       \
  X(PADDING_BLOCK, "padding-block", true)                           \
  X(PADDING_BLOCK_END, "padding-block-end", true)                   \
  X(PADDING_BLOCK_START, "padding-block-start", true)               \
  X(PADDING_BOTTOM, "padding-bottom", true)                         \
  X(PADDING_INLINE, "padding-inline", true)                         \
  X(PADDING_INLINE_END, "padding-inline-end", true)                 \
  X(PADDING_INLINE_START, "padding-inline-start", true)             \
  X(PADDING_LEFT, "padding-left", true)                             \
  X(PADDING_RIGHT, "padding-right", true)                           \
  X(PADDING_TOP, "padding-top", true)                               \
  X(PLACE_CONTENT, "place-content", true)                           \
  X(PLACE_ITEMS, "place-items", true)                               \
  X(PLACE_SELF, "place-self", true)                                 \
  X(POSITION, "position", true)                                     \
  X(QUOTES, "quotes", true)                                         \
  X(RESIZE, "resize", false)                                        \
  X(RIGHT, "right", true)                                           \
  X(ROW_GAP, "row-gap", true)                                       \
  X(ROW_RULE, "row-rule", false)                                    \
  X(ROW_RULE_STYLE, "row-rule-style", false)                        \
  X(TAB_SIZE, "tab-size", true)                                     \
  X(TABLE_LAYOUT, "table-layout", false)                            \
  X(TEXT_ALIGN_LAST, "text-align-last", false)                      \
  X(TEXT_AUTOSPACE, "text-autospace", false)                        \
  X(TEXT_BOX, "text-box", false)                                    \
  X(TEXT_BOX_TRIM, "text-box-trim", false)                          \
  X(TEXT_INDENT, "text-indent", true)                               \
  X(TEXT_JUSTIFY, "text-justify", false)                            \
  X(TEXT_SPACING_TRIM, "text-spacing-trim", false)                  \
  X(TEXT_WRAP, "text-wrap", true)                                   \
  X(TEXT_WRAP_MODE, "text-wrap-mode", true)                         \
  X(TEXT_WRAP_STYLE, "text-wrap-style", false)                      \
  X(TOP, "top", true)                                               \
  X(VERTICAL_ALIGN, "vertical-align", true)                         \
  X(WHITE_SPACE_COLLAPSE, "white-space-collapse", false)            \
  X(WORD_BREAK, "word-break", true)                                 \
  X(WORD_WRAP, "word-wrap", true)                                   \
  X(Z_INDEX, "z-index", true)

typedef enum sj_html_name {
  SJ_HTML_BEFORE_FIRST_ = SJ_NAME_UNKNOWN,
#define SJ_X(id, name, laid_out) SJ_HTML_##id,
  SJ_HTML_PROPERTIES(SJ_X)
#undef SJ_X
      SJ_HTML_END
} sj_html_name;

// Looks up the name in a style declaration, without regard to case; SJ_NAME_UNKNOWN: it is none of these.
int sj_html_property_find(const char *name, size_t length);
// Returns the name of one of these properties, and whether it is laid out.
const char *sj_html_property_text(int name);
bool sj_html_property_is_laid_out(int name);
// Returns whether this is a property, of one of these, that the box of a document's root has, too.
bool sj_html_property_is_of_root(int name);

#endif
