// Reads the declarations of HTML elements that SVG has not.
#include <math.h>
#include <string.h>

#include "svg/html/html.h"
#include "svg/html/values.h"
#include "svg/style/css_image.h"
#include "svg/style/html_content.h"
#include "svg/style/keyword.h"

static const sj_keyword displays[] = {{"inline", SJ_DISPLAY_INLINE},
                                      {"block", SJ_DISPLAY_BLOCK},
                                      {"inline-block", SJ_DISPLAY_INLINE_BLOCK},
                                      {"flow-root", SJ_DISPLAY_FLOW_ROOT},
                                      {"list-item", SJ_DISPLAY_LIST_ITEM},
                                      {"flex", SJ_DISPLAY_FLEX},
                                      {"-webkit-box", SJ_DISPLAY_FLEX},
                                      {"inline-flex", SJ_DISPLAY_INLINE_FLEX},
                                      {"table", SJ_DISPLAY_TABLE},
                                      {"inline-table", SJ_DISPLAY_INLINE_TABLE},
                                      {"table-caption", SJ_DISPLAY_CAPTION},
                                      {"table-row-group", SJ_DISPLAY_ROW_GROUP},
                                      {"table-header-group", SJ_DISPLAY_HEADER_GROUP},
                                      {"table-footer-group", SJ_DISPLAY_FOOTER_GROUP},
                                      {"table-row", SJ_DISPLAY_ROW},
                                      {"table-cell", SJ_DISPLAY_CELL},
                                      {"table-column", SJ_DISPLAY_COLUMN},
                                      {"table-column-group", SJ_DISPLAY_COLUMN_GROUP},
                                      {"contents", SJ_DISPLAY_CONTENTS},
                                      {"none", SJ_DISPLAY_NONE},
                                      {"grid", SJ_DISPLAY_GRID},
                                      {"inline-grid", SJ_DISPLAY_GRID},
                                      {0}};
static const sj_keyword text_aligns[] = {{"start", SJ_TEXT_START},     {"end", SJ_TEXT_END},
                                         {"left", SJ_TEXT_LEFT},       {"right", SJ_TEXT_RIGHT},
                                         {"center", SJ_TEXT_CENTER},   {"-webkit-center", SJ_TEXT_BLOCK_CENTER},
                                         {"justify", SJ_TEXT_JUSTIFY}, {0}};
static const sj_keyword verticals[] = {{"baseline", SJ_VERTICAL_BASELINE},
                                       {"sub", SJ_VERTICAL_SUB},
                                       {"super", SJ_VERTICAL_SUPER},
                                       {"top", SJ_VERTICAL_TOP},
                                       {"text-top", SJ_VERTICAL_TEXT_TOP},
                                       {"middle", SJ_VERTICAL_MIDDLE},
                                       {"bottom", SJ_VERTICAL_BOTTOM},
                                       {"text-bottom", SJ_VERTICAL_TEXT_BOTTOM},
                                       {0}};
static const sj_keyword borders[] = {{"none", SJ_BORDER_NONE},
                                     {"hidden", SJ_BORDER_HIDDEN},
                                     {"solid", SJ_BORDER_SOLID},
                                     {"dashed", SJ_BORDER_DASHED},
                                     {"dotted", SJ_BORDER_DOTTED},
                                     {"double", SJ_BORDER_DOUBLE},
                                     {"inset", SJ_BORDER_INSET},
                                     {"outset", SJ_BORDER_OUTSET},
                                     {"groove", SJ_BORDER_GROOVE},
                                     {"ridge", SJ_BORDER_RIDGE},
                                     {0}};
static const sj_keyword aligns[] = {{"auto", SJ_ALIGN_AUTO},
                                    {"normal", SJ_ALIGN_STRETCH},
                                    {"stretch", SJ_ALIGN_STRETCH},
                                    {"start", SJ_ALIGN_START},
                                    {"self-start", SJ_ALIGN_START},
                                    {"left", SJ_ALIGN_START},
                                    {"flex-start", SJ_ALIGN_FLEX_START},
                                    {"center", SJ_ALIGN_CENTER},
                                    {"end", SJ_ALIGN_END},
                                    {"self-end", SJ_ALIGN_END},
                                    {"right", SJ_ALIGN_END},
                                    {"flex-end", SJ_ALIGN_FLEX_END},
                                    {"baseline", SJ_ALIGN_BASELINE},
                                    {"space-between", SJ_ALIGN_BETWEEN},
                                    {"space-around", SJ_ALIGN_AROUND},
                                    {"space-evenly", SJ_ALIGN_EVENLY},
                                    {0}};

// --- values ---

static bool read_border_width(const char *text, size_t length, const sj_length_base *base, sj_unit64 *out) {
  static const sj_keyword widths[] = {{"thin", 1}, {"medium", 3}, {"thick", 5}, {0}};
  int keyword;
  sj_html_length value;
  if (sj_parse_keyword(widths, text, length, &keyword)) {
    *out = (sj_unit64)keyword * 64;
    return true;
  }
  if (!sj_html_read_length(text, length, base, false, &value) || value.kind != SJ_SIZE_LENGTH) return false;
  // Browsers round to whole pixels, but not down to none.
  sj_unit64 width = sj_html_from_pixels((double)value.pixels);
  *out = width <= 0 ? 0 : width < 64 ? 64 : width / 64 * 64;
  return true;
}

static bool read_color(const sj_html_style *style, const char *text, size_t length, sj_style_color *out) {
  return sj_parse_color(text, length, &style->svg.color, &out->kind, &out->color);
}

// Reads what a word of border, border-left, ... says for the sides from `first` to `last`.
static void read_border_word(sj_html_style *s, const char *text, size_t length, const sj_length_base *base, int side) {
  int border;
  sj_unit64 width;
  sj_style_color color;
  if (sj_parse_keyword(borders, text, length, &border))
    s->border[side] = (sj_html_border)border;
  else if (read_border_width(text, length, base, &width))
    s->border_width[side] = width;
  else if (read_color(s, text, length, &color))
    s->border_color[side] = color;
}

static void read_border(sj_html_style *s, sj_scan w, const sj_length_base *base, int first, int last) {
  const char *text;
  size_t length;
  for (int side = first; side <= last; side++) {
    sj_scan each = w;
    s->border[side] = SJ_BORDER_NONE;
    s->border_width[side] = 3 * 64;
    s->border_color[side].kind = SJ_COLOR_CURRENT;
    while (sj_scan_word(&each, &text, &length)) read_border_word(s, text, length, base, side);
  }
}

// Reads border-width, border-style or border-color: one to four words.
static void read_border_sides(sj_html_style *s, sj_scan w, const sj_length_base *base) {
  const char *texts[4];
  size_t lengths[4];
  int count = 0;
  while (count < 4 && sj_scan_word(&w, &texts[count], &lengths[count])) count++;
  for (int side = 0; count && side < 4; side++) {
    int value = sj_side_value(count, side);
    read_border_word(s, texts[value], lengths[value], base, side);
  }
}

static int read_align(sj_scan w) {
  const char *text;
  size_t length;
  int align = SJ_ALIGN_AUTO, flags = 0;
  while (sj_scan_word(&w, &text, &length)) {
    if (sj_is_keyword(text, length, "safe")) flags = SJ_ALIGN_SAFE;
    sj_parse_keyword(aligns, text, length, &align);
  }
  return align | flags;
}

static void read_white_space(sj_html_inherited *in, const char *text, size_t length) {
  static const char *const names[] = {"normal", "nowrap", "pre", "pre-wrap", "pre-line", "break-spaces"};
  for (int i = 0; i < 6; i++) {
    if (!sj_is_keyword(text, length, names[i])) continue;
    in->no_wrap = i == 1 || i == 2;
    in->keeps_spaces = i == 2 || i == 3 || i == 5;
    in->keeps_lines = i >= 2;
  }
}

static void read_flex(sj_html_style *s, sj_scan w, const sj_length_base *base) {
  const char *text;
  size_t length;
  float number;
  bool grown = false;
  s->grow = 1.0f;
  s->shrink = 1.0f;
  s->basis = (sj_html_length){SJ_SIZE_LENGTH, 0.0f, 0.0f};
  if (sj_is_keyword(w.at, (size_t)(w.end - w.at), "none")) {
    s->grow = s->shrink = 0.0f;
    s->basis = (sj_html_length){0};
    return;
  }
  if (sj_is_keyword(w.at, (size_t)(w.end - w.at), "initial")) s->grow = 0.0f;
  while (sj_scan_word(&w, &text, &length)) {
    if (sj_parse_number(text, length, &number) && number >= 0.0f) {
      *(grown ? &s->shrink : &s->grow) = number;
      grown = true;
    } else {
      sj_html_read_length(text, length, base, false, &s->basis);
    }
  }
}

static void read_flow(sj_html_style *s, sj_scan w) {
  const char *text;
  size_t length;
  while (sj_scan_word(&w, &text, &length)) {
    bool column = sj_is_keyword(text, length, "column"), back = sj_is_keyword(text, length, "column-reverse");
    if (column || back || sj_is_keyword(text, length, "row") || sj_is_keyword(text, length, "row-reverse")) {
      s->column = column || back;
      s->reverse = back || sj_is_keyword(text, length, "row-reverse");
    }
    if (sj_is_keyword(text, length, "nowrap")) s->wraps = false;
    if (sj_is_keyword(text, length, "wrap")) s->wraps = true;
    if (sj_is_keyword(text, length, "wrap-reverse")) s->wraps = s->wraps_reverse = true;
  }
}

static void read_position(sj_html_style *s, const char *text, size_t length) {
  static const sj_keyword positions[] = {{"static", 0}, {"relative", 1}, {"absolute", 2},
                                         {"fixed", 3},  {"sticky", 1},   {0}};
  sj_parse_keyword(positions, text, length, &s->position);
}

#define MAX_TAB 100.0f

// Reads the colour of a background. Where it is alone src/svg/style has read it.
static void read_background(sj_html_style *s, sj_scan w) {
  sj_value_text part;
  sj_style_color color;
  while (sj_css_next_part(&w, &part) || sj_scan_char(&w, ','))
    if (read_color(s, part.text, part.length, &color)) {
      s->svg.background = color.kind == SJ_COLOR_CURRENT ? s->svg.color : color.color;
      s->svg.background_kind = SJ_COLOR_RGBA;
    }
}

static sj_html_background background_of(int name) {
  switch (name) {
    case SJ_HTML_BACKGROUND_CLIP: return SJ_BACKGROUND_CLIP;
    case SJ_HTML_BACKGROUND_IMAGE: return SJ_BACKGROUND_IMAGE;
    case SJ_HTML_BACKGROUND_ORIGIN: return SJ_BACKGROUND_ORIGIN;
    case SJ_HTML_BACKGROUND_POSITION: return SJ_BACKGROUND_POSITION;
    case SJ_HTML_BACKGROUND_REPEAT: return SJ_BACKGROUND_REPEAT;
    default: return SJ_BACKGROUND_SIZE;
  }
}

static bool is_wide(const char *text, size_t length) {
  return sj_is_keyword(text, length, "inherit") || sj_is_keyword(text, length, "initial") ||
         sj_is_keyword(text, length, "unset") || sj_is_keyword(text, length, "revert") ||
         sj_is_keyword(text, length, "revert-layer");
}

// Returns whether a value of a property that is not laid out asks for nothing.
static bool asks_for_nothing(int name, const char *text, size_t length) {
  static const char *const nothing[] = {"none", "auto", "normal", "0"};
  // These words are no such values, though they are above, or are some, though they are not.
  static const struct {
    int name;
    const char *word;
  } others[] = {{SJ_HTML_BOX_DECORATION_BREAK, "slice"},
                {SJ_HTML_CAPTION_SIDE, "top"},
                {SJ_HTML_COLUMN_COUNT, "1"},
                {SJ_HTML_COLUMNS, "1"},
                {SJ_HTML_CONTAIN, "style"},
                {SJ_HTML_CORNER_SHAPE, "round"},
                {SJ_HTML_EMPTY_CELLS, "show"},
                {SJ_HTML_HYPHENS, "auto"},
                {SJ_HTML_HYPHENS, "manual"},
                {SJ_HTML_JUSTIFY_SELF, "stretch"},
                {SJ_HTML_LIST_STYLE_POSITION, "outside"},
                {SJ_HTML_OBJECT_FIT, "fill"},
                {SJ_HTML_TEXT_AUTOSPACE, "no-autospace"},
                {SJ_HTML_TEXT_AUTOSPACE, "normal"},
                {SJ_HTML_TEXT_SPACING_TRIM, "normal"},
                {SJ_HTML_TEXT_SPACING_TRIM, "space-all"},
                {SJ_HTML_WEBKIT_BOX_ALIGN, "stretch"},
                {SJ_HTML_WEBKIT_BOX_ORIENT, "horizontal"},
                {SJ_HTML_WEBKIT_BOX_PACK, "start"},
                {SJ_HTML_WEBKIT_TEXT_STROKE_WIDTH, "0px"},  // as in all that is pasted from Chromium
                {SJ_HTML_WHITE_SPACE_COLLAPSE, "collapse"}};
  if (name == SJ_HTML_ALL) return false;
  if (is_wide(text, length)) return true;
  // What elements show instead of their content are images only.
  if (name == SJ_HTML_CONTENT) return !memchr(text, '(', length);
  if (name == SJ_HTML_CONTAINER) return !memchr(text, '/', length);
  bool any = false;
  for (size_t i = 0; i < sizeof nothing / sizeof *nothing && !any; i++) any = sj_is_keyword(text, length, nothing[i]);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i].name == name && sj_is_keyword(text, length, others[i].word)) return !any;
  return any;
}

// Returns whether a property that is not laid out is inherited, so that elements around a foreignObject set it, too.
static bool is_inherited(int name) {
  static const int names[] = {SJ_HTML_CAPTION_SIDE,
                              SJ_HTML_EMPTY_CELLS,
                              SJ_HTML_HYPHENS,
                              SJ_HTML_LINE_BREAK,
                              SJ_HTML_LIST_STYLE_IMAGE,
                              SJ_HTML_LIST_STYLE_POSITION,
                              SJ_HTML_TEXT_ALIGN_LAST,
                              SJ_HTML_TEXT_AUTOSPACE,
                              SJ_HTML_TEXT_JUSTIFY,
                              SJ_HTML_TEXT_SPACING_TRIM,
                              SJ_HTML_TEXT_WRAP_STYLE,
                              SJ_HTML_WEBKIT_TEXT_FILL_COLOR,
                              SJ_HTML_WEBKIT_TEXT_SECURITY,
                              SJ_HTML_WEBKIT_TEXT_STROKE,
                              SJ_HTML_WHITE_SPACE_COLLAPSE,
                              SJ_HTML_WEBKIT_TEXT_STROKE_WIDTH};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i] == name) return true;
  return false;
}

// Reads none, auto, or pairs of strings.
static void read_quotes(sj_html_inherited *in, sj_value_text value) {
  sj_value_text left = value;
  int count = 0;
  sj_content_item item = sj_content_next(NULL, &left);
  for (; item.kind == SJ_PIECE_STRING; count++) item = sj_content_next(NULL, &left);
  bool marks = item.kind == SJ_PIECE_END && count > 0 && count % 2 == 0;
  if (marks || sj_is_keyword(value.text, value.length, "none")) in->quotes = value;
  if (sj_is_keyword(value.text, value.length, "auto")) in->quotes = (sj_value_text){0};
}

// Reads what a pseudo-element shows. Of an element, that is left out.
static void read_content(sj_html *h, sj_html_style *s, const char *text, size_t length) {
  sj_value_text value = {text, length};
  if (sj_is_keyword(text, length, "none") || sj_is_keyword(text, length, "normal") || is_wide(text, length))
    s->content = (sj_value_text){0};
  else if (sj_content_is_valid(value))
    s->content = value;
  else
    sj_html_omit(h, "content", text, length);
}

static bool read_counts(sj_html_style *s, sj_html_counting what, const char *text, size_t length) {
  sj_value_text left = {text, length}, name;
  int32_t number;
  bool valid = true;
  if (sj_is_keyword(text, length, "none") || is_wide(text, length)) left.length = length = 0;
  while (sj_counter_next(&left, 0, &name, &number, &valid)) continue;
  if (valid) s->counts[what] = (sj_value_text){text, length};
  return valid;
}

static void read_unknown(sj_html *h, int name, const char *text, size_t length) {
  if (!sj_html_property_is_laid_out(name) && !asks_for_nothing(name, text, length))
    sj_html_omit(h, sj_html_property_text(name), text, length);
}

// --- declarations ---

static void apply_inherited(sj_html *h, sj_html_style *s, const sj_html_inherited *parent, int name, const char *text,
                            size_t length, const sj_length_base *base) {
  sj_html_inherited *in = &s->in;
  static const sj_html_inherited initial = {0};
  const sj_html_inherited *from = sj_is_keyword(text, length, "initial") ? &initial : parent;
  bool wide = is_wide(text, length);
  sj_scan w = {text, text + length};
  switch (name) {
    case SJ_PROPERTY_TEXT_ALIGN:
      if (wide) in->text_align = from->text_align;
      sj_parse_keyword(text_aligns, text, length, &in->text_align);
      // Heads of tables are centred where nothing around them says how text is aligned.
      if (sj_is_keyword(text, length, "-internal-center"))
        in->text_align = parent->text_align == SJ_TEXT_START ? SJ_TEXT_CENTER : parent->text_align;
      break;
    case SJ_PROPERTY_WHITE_SPACE:
      if (wide) {
        in->no_wrap = from->no_wrap;
        in->keeps_spaces = from->keeps_spaces;
        in->keeps_lines = from->keeps_lines;
      }
      read_white_space(in, text, length);
      break;
    case SJ_HTML_TEXT_WRAP:
      if (memmem(text, length, "balance", 7) || memmem(text, length, "pretty", 6))
        sj_html_omit(h, "text-wrap", text, length);
      __attribute__((fallthrough));
    case SJ_HTML_TEXT_WRAP_MODE: in->no_wrap = wide ? from->no_wrap : sj_is_keyword(text, length, "nowrap"); break;
    case SJ_HTML_OVERFLOW_WRAP:
    case SJ_HTML_WORD_WRAP:
      in->breaks_anywhere = wide ? from->breaks_anywhere : sj_is_keyword(text, length, "anywhere");
      in->breaks_words = wide ? from->breaks_words : in->breaks_anywhere || sj_is_keyword(text, length, "break-word");
      break;
    case SJ_HTML_TAB_SIZE: {
      float size;
      if (wide) in->tab_size = from->tab_size;
      if (!wide && sj_parse_number(text, length, &size) && size >= 0.0f) in->tab_size = 1 + (int)fminf(size, MAX_TAB);
      break;
    }
    case SJ_HTML_WORD_BREAK:
      in->breaks_all = wide ? from->breaks_all : sj_is_keyword(text, length, "break-all");
      if (sj_is_keyword(text, length, "break-word")) in->breaks_words = in->breaks_anywhere = true;
      break;
    case SJ_HTML_LIST_STYLE:
    case SJ_HTML_LIST_STYLE_TYPE:
      if (wide) in->list = from->list;
      for (const char *word; sj_scan_word(&w, &word, &length);)
        if (!sj_html_find_list(h, (sj_value_text){word, length}, &in->list) && !wide &&
            !sj_is_keyword(word, length, "outside"))
          sj_html_omit(h, "list-style", word, length);
      break;
    case SJ_HTML_QUOTES:
      if (wide) in->quotes = from->quotes;
      read_quotes(in, (sj_value_text){text, length});
      break;
    case SJ_HTML_BORDER_COLLAPSE: in->collapse = wide ? from->collapse : sj_is_keyword(text, length, "collapse"); break;
    case SJ_HTML_BORDER_SPACING: {
      sj_html_length value[4] = {{0}};
      sj_html_read_sides(w, base, false, value);
      if (value[0].kind == SJ_SIZE_LENGTH) {
        in->spacing[0] = sj_html_resolve(&value[0], 0);
        in->spacing[1] = sj_html_resolve(&value[1], 0);
      }
      break;
    }
    case SJ_HTML_TEXT_INDENT:
      if (wide)
        in->indent = from->indent;
      else if (!sj_html_read_length(text, length, base, true, &in->indent))
        sj_html_omit(h, "text-indent", text, length);
      break;
    default: break;
  }
}

static void apply_border(sj_html_style *s, const sj_html_style *parent, int name, sj_scan w,
                         const sj_length_base *base) {
  const char *text = w.at;
  size_t length = (size_t)(w.end - w.at);
  bool inherits = sj_is_keyword(text, length, "inherit") && parent;
  static const struct {
    int all, width, style, color;
  } sides[4] = {
      {SJ_HTML_BORDER_TOP, SJ_HTML_BORDER_TOP_WIDTH, SJ_HTML_BORDER_TOP_STYLE, SJ_HTML_BORDER_TOP_COLOR},
      {SJ_HTML_BORDER_RIGHT, SJ_HTML_BORDER_RIGHT_WIDTH, SJ_HTML_BORDER_RIGHT_STYLE, SJ_HTML_BORDER_RIGHT_COLOR},
      {SJ_HTML_BORDER_BOTTOM, SJ_HTML_BORDER_BOTTOM_WIDTH, SJ_HTML_BORDER_BOTTOM_STYLE, SJ_HTML_BORDER_BOTTOM_COLOR},
      {SJ_HTML_BORDER_LEFT, SJ_HTML_BORDER_LEFT_WIDTH, SJ_HTML_BORDER_LEFT_STYLE, SJ_HTML_BORDER_LEFT_COLOR}};
  for (int side = 0; side < 4; side++) {
    if (name == sides[side].all) read_border(s, w, base, side, side);
    if (inherits && (name == sides[side].color || name == SJ_HTML_BORDER_COLOR))
      s->border_color[side] = parent->border_color[side];
    if (name == sides[side].width || name == sides[side].style || name == sides[side].color)
      read_border_word(s, text, length, base, side);
  }
}

static bool apply_logical(sj_html *h, sj_html_style *s, const sj_html_style *parent, int name, sj_scan w,
                          const sj_length_base *base) {
  sj_html_logical l;
  if (!sj_html_find_logical(name, s->svg.font.right_to_left, &l)) return false;
  const char *text[2] = {w.at, w.at};
  size_t length[2] = {(size_t)(w.end - w.at), (size_t)(w.end - w.at)};
  if (l.divided && sj_scan_word(&w, &text[0], &length[0]) && !sj_scan_word(&w, &text[1], &length[1])) {
    text[1] = text[0];
    length[1] = length[0];
  }
  sj_html_apply_box(h, s, parent, l.first, text[0], length[0], base);
  if (l.last != l.first) sj_html_apply_box(h, s, parent, l.last, text[1], length[1], base);
  return true;
}

void sj_html_apply_box(sj_html *h, sj_html_style *s, const sj_html_style *parent, int name, const char *text,
                       size_t length, const sj_length_base *base) {
  sj_scan w = {text, text + length};
  bool good = true;
  switch (name) {
    case SJ_PROPERTY_DISPLAY: {
      int display = (int)s->display;
      good = sj_parse_keyword(displays, text, length, &display) || is_wide(text, length);
      s->display = (sj_html_display)display;
      if (sj_is_keyword(text, length, "inherit") && parent) s->display = parent->display;
      break;
    }
    case SJ_PROPERTY_OVERFLOW:
    case SJ_HTML_OVERFLOW_X:
    case SJ_HTML_OVERFLOW_Y:
      s->hides = !sj_is_keyword(text, length, "visible") && !is_wide(text, length);
      s->scrolls = memmem(text, length, "auto", 4) != NULL;
      if (memmem(text, length, "scroll", 6)) sj_html_omit(h, "a scroll bar", NULL, 0);
      break;
    case SJ_HTML_CONTENT:
      if (s->is_part)
        read_content(h, s, text, length);
      else
        read_unknown(h, name, text, length);
      break;
    case SJ_HTML_COUNTER_RESET: good = read_counts(s, SJ_COUNT_RESET, text, length); break;
    case SJ_HTML_COUNTER_INCREMENT: good = read_counts(s, SJ_COUNT_INCREMENT, text, length); break;
    case SJ_HTML_COUNTER_SET: good = read_counts(s, SJ_COUNT_SET, text, length); break;
    case SJ_HTML_Z_INDEX: {
      float number;
      bool given = sj_parse_number(text, length, &number) && fabsf(number) < 1e9f;
      s->order = given ? (int)number : 0;
      break;
    }
    case SJ_HTML_BOX_SHADOW:
    case SJ_HTML_WEBKIT_BOX_SHADOW:
      s->shadow = (sj_value_text){0};
      good = is_wide(text, length) || sj_html_read_shadow(s, (sj_value_text){text, length}, base);
      break;
    case SJ_HTML_BOX_SIZING: s->border_box = sj_is_keyword(text, length, "border-box"); break;
    case SJ_HTML_INSET: sj_html_read_sides(w, base, true, s->inset); break;
    case SJ_HTML_PLACE_CONTENT: s->align_content = s->justify = read_align(w); break;
    case SJ_HTML_PLACE_ITEMS: s->align_items = read_align(w); break;
    case SJ_HTML_PLACE_SELF: s->align_self = read_align(w); break;
    case SJ_HTML_POSITION: read_position(s, text, length); break;
    case SJ_ATTRIBUTE_WIDTH: good = sj_html_read_length(text, length, base, false, &s->width); break;
    case SJ_ATTRIBUTE_HEIGHT: good = sj_html_read_length(text, length, base, false, &s->height); break;
    case SJ_HTML_MIN_WIDTH: good = sj_html_read_length(text, length, base, false, &s->min_width); break;
    case SJ_HTML_MIN_HEIGHT: good = sj_html_read_length(text, length, base, false, &s->min_height); break;
    case SJ_HTML_MAX_WIDTH: good = sj_html_read_length(text, length, base, false, &s->max_width); break;
    case SJ_HTML_MAX_HEIGHT: good = sj_html_read_length(text, length, base, false, &s->max_height); break;
    case SJ_HTML_MARGIN: sj_html_read_sides(w, base, true, s->margin); break;
    case SJ_HTML_MARGIN_TOP: good = sj_html_read_length(text, length, base, true, &s->margin[SJ_TOP]); break;
    case SJ_HTML_MARGIN_RIGHT: good = sj_html_read_length(text, length, base, true, &s->margin[SJ_RIGHT]); break;
    case SJ_HTML_MARGIN_BOTTOM: good = sj_html_read_length(text, length, base, true, &s->margin[SJ_BOTTOM]); break;
    case SJ_HTML_MARGIN_LEFT: good = sj_html_read_length(text, length, base, true, &s->margin[SJ_LEFT]); break;
    case SJ_HTML_PADDING: sj_html_read_sides(w, base, false, s->padding); break;
    case SJ_HTML_PADDING_TOP: good = sj_html_read_length(text, length, base, false, &s->padding[SJ_TOP]); break;
    case SJ_HTML_PADDING_RIGHT: good = sj_html_read_length(text, length, base, false, &s->padding[SJ_RIGHT]); break;
    case SJ_HTML_PADDING_BOTTOM: good = sj_html_read_length(text, length, base, false, &s->padding[SJ_BOTTOM]); break;
    case SJ_HTML_PADDING_LEFT: good = sj_html_read_length(text, length, base, false, &s->padding[SJ_LEFT]); break;
    case SJ_HTML_TOP: good = sj_html_read_length(text, length, base, true, &s->inset[SJ_TOP]); break;
    case SJ_HTML_RIGHT: good = sj_html_read_length(text, length, base, true, &s->inset[SJ_RIGHT]); break;
    case SJ_HTML_BOTTOM: good = sj_html_read_length(text, length, base, true, &s->inset[SJ_BOTTOM]); break;
    case SJ_HTML_LEFT: good = sj_html_read_length(text, length, base, true, &s->inset[SJ_LEFT]); break;
    case SJ_HTML_BORDER: read_border(s, w, base, 0, 3); break;
    case SJ_HTML_BORDER_WIDTH:
    case SJ_HTML_BORDER_STYLE:
    case SJ_HTML_BORDER_COLOR:
      read_border_sides(s, w, base);
      apply_border(s, parent, name, w, base);
      break;
    case SJ_HTML_BORDER_RADIUS: {
      const char *slash = memchr(text, '/', length);
      if (slash) w.end = slash;
      sj_html_read_sides(w, base, false, s->radius);
      break;
    }
    case SJ_HTML_BORDER_TOP_LEFT_RADIUS: good = sj_html_read_length(text, length, base, false, &s->radius[0]); break;
    case SJ_HTML_BORDER_TOP_RIGHT_RADIUS: good = sj_html_read_length(text, length, base, false, &s->radius[1]); break;
    case SJ_HTML_BORDER_BOTTOM_RIGHT_RADIUS:
      good = sj_html_read_length(text, length, base, false, &s->radius[2]);
      break;
    case SJ_HTML_BORDER_BOTTOM_LEFT_RADIUS: good = sj_html_read_length(text, length, base, false, &s->radius[3]); break;
    case SJ_PROPERTY_BACKGROUND:
      good = sj_html_read_background(s, parent, SJ_BACKGROUND_ALL, (sj_value_text){text, length});
      if (!good || is_wide(text, length)) break;
      s->svg.background = (stijl_color){0};
      s->svg.background_kind = SJ_COLOR_RGBA;
      read_background(s, w);
      break;
    case SJ_PROPERTY_BACKGROUND_COLOR: read_background(s, w); break;
    case SJ_HTML_BACKGROUND_CLIP:
    case SJ_HTML_BACKGROUND_IMAGE:
    case SJ_HTML_BACKGROUND_ORIGIN:
    case SJ_HTML_BACKGROUND_POSITION:
    case SJ_HTML_BACKGROUND_REPEAT:
    case SJ_HTML_BACKGROUND_SIZE:
      good = sj_html_read_background(s, parent, background_of(name), (sj_value_text){text, length});
      break;
    // Masks know the boxes of SVG's elements only.
    case SJ_PROPERTY_MASK_CLIP:
    case SJ_PROPERTY_MASK_ORIGIN:
      good = sj_is_keyword(text, length, "border-box") || sj_is_keyword(text, length, "no-clip");
      break;
    case SJ_HTML_VERTICAL_ALIGN: {
      sj_html_length value;
      if (sj_is_keyword(text, length, "inherit") && parent) {
        s->vertical = parent->vertical;
        s->vertical_length = parent->vertical_length;
      } else if (!sj_parse_keyword(verticals, text, length, &s->vertical) &&
                 sj_html_read_length(text, length, base, true, &value) && value.kind == SJ_SIZE_LENGTH) {
        s->vertical = SJ_VERTICAL_LENGTH;
        s->vertical_length = value;
      }
      break;
    }
    case SJ_HTML_JUSTIFY_CONTENT: s->justify = read_align(w); break;
    case SJ_HTML_ALIGN_ITEMS: s->align_items = read_align(w); break;
    case SJ_HTML_ALIGN_SELF: s->align_self = read_align(w); break;
    case SJ_HTML_ALIGN_CONTENT: s->align_content = read_align(w); break;
    case SJ_HTML_FLEX: read_flex(s, w, base); break;
    case SJ_HTML_FLEX_GROW: sj_parse_number(text, length, &s->grow); break;
    case SJ_HTML_FLEX_SHRINK: sj_parse_number(text, length, &s->shrink); break;
    case SJ_HTML_FLEX_BASIS: good = sj_html_read_length(text, length, base, false, &s->basis); break;
    case SJ_HTML_FLEX_DIRECTION:
    case SJ_HTML_FLEX_WRAP:
    case SJ_HTML_FLEX_FLOW: read_flow(s, w); break;
    case SJ_HTML_GAP: {
      sj_html_length value[4] = {{0}};
      sj_html_read_sides(w, base, false, value);
      s->gap[0] = value[0];
      s->gap[1] = value[1];
      break;
    }
    case SJ_HTML_ROW_GAP: good = sj_html_read_length(text, length, base, false, &s->gap[0]); break;
    case SJ_HTML_COLUMN_GAP: good = sj_html_read_length(text, length, base, false, &s->gap[1]); break;
    default:
      if (apply_logical(h, s, parent, name, w, base)) break;
      if (name > SJ_HTML_BEFORE_FIRST_) read_unknown(h, name, text, length);
      apply_border(s, parent, name, w, base);
      break;
  }
  // What is for other browsers is no loss.
  if (!good && !is_wide(text, length) && !sj_is_keyword(text, length < 5 ? length : 5, "-moz-"))
    sj_html_omit(h, name > SJ_HTML_BEFORE_FIRST_ ? sj_html_property_text(name) : sj_name_text((sj_name)name), text,
                 length);
}

void sj_html_apply(sj_html *h, uint32_t element, sj_html_style *s, const sj_html_style *parent, bool boxes) {
  sj_html_inherited inherited = s->in;
  sj_length_base base = sj_style_base(&h->r->styles, &s->svg);
  sj_cascade cascade = sj_cascade_of(h->r->document, sj_document_node(h->r->document, s->copy, element));
  for (const sj_declared *d; (d = sj_cascade_next(&cascade));) {
    const char *text = d->value;
    size_t length = d->length;
    sj_trim(&text, &length);
    apply_inherited(h, s, &inherited, d->name, text, length, &base);
    if (boxes)
      sj_html_apply_box(h, s, parent, d->name, text, length, &base);
    else if (is_inherited(d->name))
      read_unknown(h, d->name, text, length);
  }
}
