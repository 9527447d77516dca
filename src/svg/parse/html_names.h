// The properties of CSS that only HTML elements in a foreignObject have. They are numbered behind the names of SVG, so
// that declarations of both kinds stand in one cascade.
#ifndef SJ_SVG_PARSE_HTML_NAMES_H
#define SJ_SVG_PARSE_HTML_NAMES_H

#include "svg/parse/names.h"

// Enumerator, name, and whether it is laid out. They are sorted by name for the binary search; a test checks that.
#define SJ_HTML_PROPERTIES(X)                                       \
  X(ALIGN_CONTENT, "align-content", true)                           \
  X(ALIGN_ITEMS, "align-items", true)                               \
  X(ALIGN_SELF, "align-self", true)                                 \
  X(BACKGROUND_IMAGE, "background-image", false)                    \
  X(BORDER, "border", true)                                         \
  X(BORDER_BOTTOM, "border-bottom", true)                           \
  X(BORDER_BOTTOM_COLOR, "border-bottom-color", true)               \
  X(BORDER_BOTTOM_LEFT_RADIUS, "border-bottom-left-radius", true)   \
  X(BORDER_BOTTOM_RIGHT_RADIUS, "border-bottom-right-radius", true) \
  X(BORDER_BOTTOM_STYLE, "border-bottom-style", true)               \
  X(BORDER_BOTTOM_WIDTH, "border-bottom-width", true)               \
  X(BORDER_COLLAPSE, "border-collapse", true)                       \
  X(BORDER_COLOR, "border-color", true)                             \
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
  X(BORDER_STYLE, "border-style", true)                             \
  X(BORDER_TOP, "border-top", true)                                 \
  X(BORDER_TOP_COLOR, "border-top-color", true)                     \
  X(BORDER_TOP_LEFT_RADIUS, "border-top-left-radius", true)         \
  X(BORDER_TOP_RIGHT_RADIUS, "border-top-right-radius", true)       \
  X(BORDER_TOP_STYLE, "border-top-style", true)                     \
  X(BORDER_TOP_WIDTH, "border-top-width", true)                     \
  X(BORDER_WIDTH, "border-width", true)                             \
  X(BOTTOM, "bottom", true)                                         \
  X(BOX_SHADOW, "box-shadow", false)                                \
  X(BOX_SIZING, "box-sizing", true)                                 \
  X(CLEAR, "clear", false)                                          \
  X(COLUMN_COUNT, "column-count", false)                            \
  X(COLUMN_GAP, "column-gap", true)                                 \
  X(COLUMNS, "columns", false)                                      \
  X(FLEX, "flex", true)                                             \
  X(FLEX_BASIS, "flex-basis", true)                                 \
  X(FLEX_DIRECTION, "flex-direction", true)                         \
  X(FLEX_FLOW, "flex-flow", true)                                   \
  X(FLEX_GROW, "flex-grow", true)                                   \
  X(FLEX_SHRINK, "flex-shrink", true)                               \
  X(FLEX_WRAP, "flex-wrap", true)                                   \
  X(FLOAT, "float", false)                                          \
  X(GAP, "gap", true)                                               \
  X(JUSTIFY_CONTENT, "justify-content", true)                       \
  X(LEFT, "left", true)                                             \
  X(LIST_STYLE, "list-style", true)                                 \
  X(LIST_STYLE_TYPE, "list-style-type", true)                       \
  X(MARGIN, "margin", true)                                         \
  X(MARGIN_BOTTOM, "margin-bottom", true)                           \
  X(MARGIN_LEFT, "margin-left", true)                               \
  X(MARGIN_RIGHT, "margin-right", true)                             \
  X(MARGIN_TOP, "margin-top", true)                                 \
  X(MAX_HEIGHT, "max-height", true)                                 \
  X(MAX_WIDTH, "max-width", true)                                   \
  X(MIN_HEIGHT, "min-height", true)                                 \
  X(MIN_WIDTH, "min-width", true)                                   \
  X(OBJECT_FIT, "object-fit", false)                                \
  X(ORDER, "order", false)                                          \
  X(OUTLINE, "outline", false)                                      \
  X(OVERFLOW_WRAP, "overflow-wrap", true)                           \
  X(OVERFLOW_X, "overflow-x", true)                                 \
  X(OVERFLOW_Y, "overflow-y", true)                                 \
  X(PADDING, "padding", true)                                       \
  X(PADDING_BOTTOM, "padding-bottom", true)                         \
  X(PADDING_LEFT, "padding-left", true)                             \
  X(PADDING_RIGHT, "padding-right", true)                           \
  X(PADDING_TOP, "padding-top", true)                               \
  X(POSITION, "position", true)                                     \
  X(RIGHT, "right", true)                                           \
  X(ROW_GAP, "row-gap", true)                                       \
  X(TAB_SIZE, "tab-size", true)                                     \
  X(TEXT_ALIGN, "text-align", true)                                 \
  X(TEXT_INDENT, "text-indent", true)                               \
  X(TEXT_OVERFLOW, "text-overflow", false)                          \
  X(TOP, "top", true)                                               \
  X(VERTICAL_ALIGN, "vertical-align", true)                         \
  X(WORD_BREAK, "word-break", true)                                 \
  X(WORD_WRAP, "word-wrap", true)

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

#endif
