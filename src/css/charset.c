#include "css/charset.h"

#include <string.h>

#include "dom/atoms.h"
#include "markup/encodings.h"

// No label stands further behind, as in browsers.
#define HEAD_BYTES ((size_t)1024)

typedef struct piece {
  const char *text;
  size_t length;
} piece;

static bool starts_with(piece p, const char *lower) {
  size_t i = 0;
  while (lower[i] && i < p.length && sj_lower(p.text[i]) == lower[i]) i++;
  return !lower[i];
}

static bool equals(piece p, const char *lower) { return p.length == strlen(lower) && starts_with(p, lower); }

static void skip(piece *p, size_t count) {
  p->text += count;
  p->length -= count;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }

static void skip_space(piece *p) {
  while (p->length && is_space(*p->text)) skip(p, 1);
}

// Returns what stands before the first of the characters `ends` or, if it is among these, white space.
static piece take_until(piece *p, const char *ends) {
  piece taken = {p->text, 0};
  for (; p->length && !(*p->text && strchr(ends, is_space(*p->text) ? ' ' : *p->text)); taken.length++) skip(p, 1);
  return taken;
}

// Finds what a label stands for. Returns false if it is not known, and then it has no effect, as in browsers.
static bool settle(stijl_context *context, piece label, const uint16_t **upper) {
  const uint16_t *found;
  if (sj_encoding_find(label.text, label.length, &found)) {
    *upper = found;
    return true;
  }
  sj_log(context, STIJL_LOG_WARNING, "the encoding \"%.*s\" is not known", (int)(label.length < 40 ? label.length : 40),
         label.text);
  return false;
}

// Decodes a sheet, by the encoding that these exact bytes at its head may name (CSS Syntax 3, 3.2).
bool sj_css_decode_sheet(stijl_context *context, const char *data, size_t bytes, const uint16_t **upper,
                         sj_decoded *out) {
  static const char start[] = "@charset \"";
  if (bytes >= sizeof start - 1 && memcmp(data, start, sizeof start - 1) == 0) {
    piece label = {data + sizeof start - 1, 0};
    const char *end = data + (bytes < HEAD_BYTES ? bytes : HEAD_BYTES);
    const char *quote = memchr(label.text, '"', (size_t)(end - label.text));
    label.length = quote ? (size_t)(quote - label.text) : 0;
    if (quote && quote + 1 < end && quote[1] == ';') settle(context, label, upper);
  }
  return sj_decode(context, data, bytes, *upper, out);
}

// --- HTML: "prescan a byte stream to determine its encoding" ---

static bool next_attribute(piece *p, piece *name, piece *value) {
  while (p->length && (is_space(*p->text) || *p->text == '/')) skip(p, 1);
  *value = (piece){"", 0};
  if (!p->length || *p->text == '>') return false;
  const char *start = p->text;
  skip(p, 1);  // also '='
  *name = take_until(p, " =/>");
  *name = (piece){start, name->length + 1};
  skip_space(p);
  if (!p->length || *p->text != '=') return true;
  skip(p, 1);
  skip_space(p);
  if (p->length && (*p->text == '"' || *p->text == '\'')) {
    const char quote[] = {*p->text, 0};
    skip(p, 1);
    *value = take_until(p, quote);
    if (p->length) skip(p, 1);
  } else {
    *value = take_until(p, " >");
  }
  return true;
}

// Returns the label in "text/html; charset=...". Empty: there is none.
static piece label_of_content(piece p) {
  const piece none = {"", 0};
  do {
    while (p.length && !starts_with(p, "charset")) skip(&p, 1);
    if (!p.length) return none;
    skip(&p, strlen("charset"));
    skip_space(&p);
  } while (p.length && *p.text != '=');
  if (!p.length) return none;
  skip(&p, 1);
  skip_space(&p);
  if (!p.length || (*p.text != '"' && *p.text != '\'')) return take_until(&p, " ;");
  const char quote[] = {*p.text, 0};
  skip(&p, 1);
  piece label = take_until(&p, quote);
  return p.length ? label : none;
}

// Returns the label that a <meta> names, whose text is behind "<meta"; it is empty if it names none.
static piece label_of_meta(piece *p) {
  piece name, value, label = {"", 0}, content = {"", 0};
  bool content_type = false;
  while (next_attribute(p, &name, &value)) {
    if (equals(name, "charset")) label = value;
    if (equals(name, "content")) content = value;
    if (equals(name, "http-equiv")) content_type = equals(value, "content-type");
  }
  return label.length || !content_type ? label : label_of_content(content);
}

static void skip_comment(piece *p) {
  skip(p, 2);  // "<!": of "<!-->" the dashes are the end too
  while (p->length && !starts_with(*p, "-->")) skip(p, 1);
}

static bool is_letter(char c) { return sj_lower(c) >= 'a' && sj_lower(c) <= 'z'; }

static bool html_encoding(stijl_context *context, const char *data, size_t bytes, const uint16_t **upper) {
  piece p = {data, bytes < HEAD_BYTES ? bytes : HEAD_BYTES}, name, value;
  for (; p.length; skip(&p, p.length > 0)) {
    bool end = p.length > 1 && p.text[1] == '/';
    if (starts_with(p, "<!--")) {
      skip_comment(&p);
    } else if (starts_with(p, "<meta") && p.length > 5 && (is_space(p.text[5]) || p.text[5] == '/')) {
      skip(&p, 5);
      piece label = label_of_meta(&p);
      if (label.length && settle(context, label, upper)) return true;
    } else if (*p.text == '<' && p.length > 1u + end && is_letter(p.text[1 + end])) {
      take_until(&p, " >");
      while (next_attribute(&p, &name, &value)) {
      }
    } else if (starts_with(p, "<!") || starts_with(p, "</") || starts_with(p, "<?")) {
      take_until(&p, ">");
    }
  }
  return false;
}

bool sj_css_decode_html(stijl_context *context, const char *data, size_t bytes, sj_decoded *out) {
  static const char fallback[] = "windows-1252";
  const uint16_t *upper = NULL;
  if (!html_encoding(context, data, bytes, &upper) && !sj_is_utf8(data, bytes))
    sj_encoding_find(fallback, sizeof fallback - 1, &upper);
  return sj_decode(context, data, bytes, upper, out);
}
