#include "svg/style/font_face.h"

#include <string.h>

#include "base/file.h"
#include "base/sort.h"
#include "css/declaration.h"
#include "css/sheet.h"
#include "css/tokens.h"
#include "geometry/number.h"
#include "svg/parse/values.h"
#include "svg/style/font.h"
#include "svg/style/sheets.h"

#define MAX_FACES 4096
#define MAX_RANGES 4096

typedef struct rule {
  stijl_context *context;
  const sj_css_source *sheet;
  sj_text_buffer buffer;
  sj_font_face face;
} rule;

// --- font-family, and the names of local() ---

// Reads a string, or identifiers with a blank between them, up to the end or to a closing parenthesis. *out becomes
// NULL when there is no name. Returns false when memory is short.
static bool read_name(rule *r, sj_tokens *tokens, char **out) {
  SJ_ARRAY(char) name = {0};
  sj_token token = sj_tokens_next_word(tokens);
  bool good = true, string = token.kind == SJ_TOKEN_STRING;
  *out = NULL;
  while (good && (token.kind == SJ_TOKEN_IDENT || (string && token.kind == SJ_TOKEN_STRING && !name.count))) {
    size_t length;
    const char *text = sj_token_name(tokens, &token, r->context, &r->buffer, &length);
    good = text && sj_array_reserve(r->context, &name, length + 2);
    if (!good) break;
    if (name.count) name.data[name.count++] = ' ';
    if (length) memcpy(name.data + name.count, text, length);
    name.count += length;
    token = sj_tokens_next_word(tokens);
  }
  bool ends = token.kind == SJ_TOKEN_END || token.kind == SJ_TOKEN_CLOSE_PAREN;
  if (good && name.count && ends) {
    name.data[name.count] = 0;
    *out = name.data;
  } else {
    sj_array_finish(r->context, &name);
  }
  return good;
}

// --- src ---

static bool is_known_format(const sj_tokens *tokens, const sj_token *token) {
  return sj_token_is_among(tokens, token,
                           "woff woff2 truetype opentype woff-variations woff2-variations truetype-variations "
                           "opentype-variations collection");
}

// Skips what follows an address. Returns false where a format() says that it is of a kind that is not read.
static bool skip_hints(sj_tokens *tokens, sj_token *token) {
  bool known = true;
  for (*token = sj_tokens_next_word(tokens); token->kind != SJ_TOKEN_COMMA && token->kind != SJ_TOKEN_END;
       *token = sj_tokens_next_word(tokens)) {
    if (token->kind != SJ_TOKEN_FUNCTION) continue;
    bool format = sj_token_is(tokens, token, "format");
    uint32_t open = 0;
    for (*token = sj_tokens_next_word(tokens); token->kind != SJ_TOKEN_END && !sj_token_leaves(token->kind, &open);
         *token = sj_tokens_next_word(tokens))
      if (format && (token->kind == SJ_TOKEN_STRING || token->kind == SJ_TOKEN_IDENT))
        known = known && is_known_format(tokens, token);
    if (token->kind == SJ_TOKEN_END) break;
  }
  return known;
}

// Reads an address. In an imported sheet it is relative to that sheet.
static bool read_address(rule *r, const sj_tokens *tokens, const sj_token *token, sj_font_face_source *out) {
  size_t length;
  const char *text = sj_token_name(tokens, token, r->context, &r->buffer, &length);
  if (!text) return false;
  bool in_sheet = text >= tokens->text && text < tokens->text + tokens->end;
  const char *sheet = sj_sheet_address(r->sheet->name);
  bool whole = memchr(text, ':', length) || (length && text[0] == '/');
  *out = (sj_font_face_source){.text = r->sheet->text + (in_sheet ? text - tokens->text : 0), .length = length};
  if (in_sheet && (whole || !sheet)) return true;
  char *copy = sj_strndup(r->context, text, length);
  if (copy && sheet && !whole) {
    char *path = sj_path_beside(r->context, sheet, copy);
    sj_free(r->context, copy);
    copy = path;
  }
  *out = (sj_font_face_source){.text = copy, .length = copy ? strlen(copy) : 0, .own = true};
  return copy != NULL;
}

static void drop_sources(sj_font_face *face, stijl_context *context) {
  for (size_t i = 0; i < face->sources.count; i++)
    if (face->sources.data[i].own) sj_free(context, face->sources.data[i].text);
  face->sources.count = 0;
}

static bool read_sources(rule *r, sj_tokens tokens) {
  bool good = true;
  drop_sources(&r->face, r->context);
  sj_token token = {.kind = SJ_TOKEN_COMMA};
  while (good && token.kind != SJ_TOKEN_END) {
    sj_font_face_source source = {0};
    token = sj_tokens_next_word(&tokens);
    if (token.kind == SJ_TOKEN_END) break;
    if (token.kind == SJ_TOKEN_URL) {
      good = read_address(r, &tokens, &token, &source);
    } else if (token.kind == SJ_TOKEN_FUNCTION && sj_token_is(&tokens, &token, "url")) {
      token = sj_tokens_next_word(&tokens);
      if (token.kind == SJ_TOKEN_STRING) good = read_address(r, &tokens, &token, &source);
      while (token.kind != SJ_TOKEN_CLOSE_PAREN && token.kind != SJ_TOKEN_END) token = sj_tokens_next_word(&tokens);
    } else if (token.kind == SJ_TOKEN_FUNCTION && sj_token_is(&tokens, &token, "local")) {
      source.local = source.own = true;
      good = read_name(r, &tokens, &source.text);
      source.length = source.text ? strlen(source.text) : 0;
    }
    bool known = skip_hints(&tokens, &token);
    if (source.text && known && good) good = sj_array_push(r->context, &r->face.sources, source);
    if (source.own && (!known || !good)) sj_free(r->context, source.text);
  }
  return good;
}

// --- ranges ---

static int compare_ranges(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return (x[0] > y[0]) - (x[0] < y[0]);
}

// Sorts the ranges, and joins those that overlap. Returns false when memory is short.
static bool sort_ranges(rule *r) {
  uint32_t *ranges = r->face.ranges.data;
  size_t count = r->face.ranges.count / 2, kept = 0;
  if (!sj_sort(r->context, ranges, count, 2 * sizeof *ranges, compare_ranges)) return false;
  for (size_t i = 0; i < count; i++) {
    uint32_t first = ranges[2 * i], last = ranges[2 * i + 1];
    if (kept && first <= ranges[2 * kept - 1]) {
      if (last > ranges[2 * kept - 1]) ranges[2 * kept - 1] = last;
      continue;
    }
    ranges[2 * kept] = first;
    ranges[2 * kept++ + 1] = last;
  }
  r->face.ranges.count = 2 * kept;
  return true;
}

// Reads ranges such as "U+26, U+0-7F, U+4??" (CSS Syntax 3, 7.1). What is not understood ends them.
static bool read_ranges(rule *r, const char *text, size_t length) {
  const char *at = text, *end = text + length;
  r->face.ranges.count = 0;
  while (at < end && r->face.ranges.count < 2 * MAX_RANGES) {
    while (at < end && (sj_is_space(*at) || *at == ',')) at++;
    if (end - at < 3 || sj_to_lower(at[0]) != 'u' || at[1] != '+') break;
    uint32_t bounds[2] = {0, 0};
    int digits = 0, marks = 0;
    for (at += 2; at < end && digits + marks < 6; at++) {
      int digit = sj_hex_digit(*at);
      if (*at != '?' && (digit < 0 || marks)) break;
      marks += *at == '?';
      digits += *at != '?';
      bounds[0] = bounds[0] << 4 | (*at == '?' ? 0 : (uint32_t)digit);
      bounds[1] = bounds[1] << 4 | (*at == '?' ? 15 : (uint32_t)digit);
    }
    if (!marks && at < end && *at == '-') {
      bounds[1] = 0;
      int count = 0;
      for (at++; at < end && count < 6 && sj_hex_digit(*at) >= 0; at++, count++)
        bounds[1] = bounds[1] << 4 | (uint32_t)sj_hex_digit(*at);
    }
    if (!digits && !marks) break;
    if (bounds[1] > 0x10ffff) bounds[1] = 0x10ffff;
    if (bounds[0] > bounds[1]) continue;
    if (!sj_array_reserve(r->context, &r->face.ranges, 2)) return false;
    r->face.ranges.data[r->face.ranges.count++] = bounds[0];
    r->face.ranges.data[r->face.ranges.count++] = bounds[1];
  }
  return sort_ranges(r);
}

// Reads one value or two, of which the smaller is the minimum.
static void read_span(const char *text, size_t length,
                      bool (*parse)(const char *, size_t, const sj_font_values *, float *), float *low, float *high) {
  const char *word[2];
  size_t word_length[2];
  float values[2];
  int count = 0;
  while (count < 2 && sj_next_word(&text, &length, &word[count], &word_length[count])) count++;
  for (int i = 0; i < count; i++)
    if (!parse(word[i], word_length[i], NULL, &values[i])) return;
  if (!count) return;
  if (count == 1) values[1] = values[0];
  *low = values[0] < values[1] ? values[0] : values[1];
  *high = values[0] < values[1] ? values[1] : values[0];
}

static void read_slant(rule *r, const char *text, size_t length) {
  const char *word;
  size_t word_length;
  if (!sj_next_word(&text, &length, &word, &word_length)) return;
  r->face.italic = sj_is_keyword(word, word_length, "italic");
  r->face.oblique = sj_is_keyword(word, word_length, "oblique");
}

// Reads a percentage as a share; "normal" becomes -1.
static void read_share(const char *text, size_t length, float *out) {
  sj_length value;
  if (sj_is_keyword(text, length, "normal")) {
    *out = -1.0f;
  } else if (sj_parse_length(text, length, &value) && value.unit == SJ_UNIT_PERCENT && value.value >= 0.0f) {
    *out = value.value / 100.0f;
  }
}

static void read_settings(const char *text, size_t length, sj_value_text *out) {
  *out = sj_is_keyword(text, length, "normal") ? (sj_value_text){0} : (sj_value_text){.text = text, .length = length};
}

// --- rules ---

// font-display is ignored: all of a document is there when it is drawn.

static bool read_descriptor(rule *r, const sj_declaration *d) {
  sj_tokens tokens = sj_tokens_begin(d->value, 0, d->value_length, NULL);
  const char *name = d->name;
  size_t length = d->name_length;
  if (sj_is_keyword(name, length, "font-family")) {
    char *family;
    bool good = read_name(r, &tokens, &family);
    if (!family) return good;
    sj_free(r->context, r->face.family);
    r->face.family = family;
  } else if (sj_is_keyword(name, length, "src")) {
    // Addresses point into the text of the sheet, so the tokens have to be those of the sheet.
    size_t start = (size_t)(d->value - r->sheet->text);
    return read_sources(r, sj_tokens_begin(r->sheet->text, start, start + d->value_length, sj_budget_of(r->context)));
  } else if (sj_is_keyword(name, length, "unicode-range")) {
    return read_ranges(r, d->value, d->value_length);
  } else if (sj_is_keyword(name, length, "font-weight")) {
    read_span(d->value, d->value_length, sj_parse_font_weight, &r->face.weight_min, &r->face.weight_max);
  } else if (sj_is_keyword(name, length, "font-stretch") || sj_is_keyword(name, length, "font-width")) {
    read_span(d->value, d->value_length, sj_parse_font_stretch, &r->face.stretch_min, &r->face.stretch_max);
  } else if (sj_is_keyword(name, length, "font-style")) {
    read_slant(r, d->value, d->value_length);
  } else if (sj_is_keyword(name, length, "size-adjust")) {
    read_share(d->value, d->value_length, &r->face.size_adjust);
    if (r->face.size_adjust < 0.0f) r->face.size_adjust = 1.0f;
  } else if (sj_is_keyword(name, length, "ascent-override")) {
    read_share(d->value, d->value_length, &r->face.ascent);
  } else if (sj_is_keyword(name, length, "descent-override")) {
    read_share(d->value, d->value_length, &r->face.descent);
  } else if (sj_is_keyword(name, length, "line-gap-override")) {
    read_share(d->value, d->value_length, &r->face.line_gap);
  } else if (sj_is_keyword(name, length, "font-feature-settings")) {
    read_settings(d->value, d->value_length, &r->face.features);
  } else if (sj_is_keyword(name, length, "font-variation-settings")) {
    read_settings(d->value, d->value_length, &r->face.variations);
  } else if (sj_is_keyword(name, length, "font-language-override")) {
    sj_parse_language_system(d->value, d->value_length, &r->face.language_system);
  }
  return true;
}

static void finish_face(sj_font_face *face, stijl_context *context) {
  drop_sources(face, context);
  sj_arrays_finish(context, &face->sources, &face->ranges);
  sj_free(context, face->family);
}

bool sj_font_faces_init(const sj_document *document, stijl_context *context, sj_font_faces *out) {
  *out = (sj_font_faces){0};
  const sj_css_program *program = document->css ? &document->css->program : NULL;
  bool good = true;
  for (size_t i = 0; program && i < program->font_faces.count && i < MAX_FACES && good; i++) {
    const sj_css_font_face *source = &program->font_faces.data[i];
    rule r = {.context = context,
              .sheet = &program->sources.data[source->source],
              .face = {.size_adjust = 1.0f, .ascent = -1.0f, .descent = -1.0f, .line_gap = -1.0f}};
    sj_declarations list = sj_declarations_begin(r.sheet->text + source->start, source->length);
    sj_declaration d;
    while (good && sj_declarations_next(&list, &d)) good = read_descriptor(&r, &d);
    bool whole = good && r.face.family && r.face.sources.count;
    good = good && (!whole || sj_array_push(context, out, r.face));
    if (!whole || !good) finish_face(&r.face, context);
    sj_array_finish(context, &r.buffer);
  }
  return good;
}

void sj_font_faces_finish(sj_font_faces *faces, stijl_context *context) {
  for (size_t i = 0; i < faces->count; i++) finish_face(&faces->data[i], context);
  sj_array_finish(context, faces);
}
