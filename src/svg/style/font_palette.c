#include "svg/style/font_palette.h"

#include <string.h>

#include "base/budget.h"
#include "css/declaration.h"
#include "css/sheet.h"
#include "css/tokens.h"

#define MAX_RULES 4096
#define NO_COLOR 0xffff  // OpenType's index for the colour of the text, which cannot be replaced

// Reads a whole number that is not negative. One too large for 32 bits becomes the largest, which is no index.
static bool read_index(const sj_token *token, uint32_t *out) {
  if (token->kind != SJ_TOKEN_NUMBER || !token->integer || token->number < 0.0) return false;
  *out = token->number < (double)UINT32_MAX ? (uint32_t)token->number : UINT32_MAX;
  return true;
}

static void read_base(const sj_declaration *d, sj_font_palette *out) {
  sj_tokens tokens = sj_tokens_begin(d->value, 0, d->value_length, NULL);
  sj_token token = sj_tokens_next_word(&tokens);
  uint32_t number = 0;
  bool light = sj_is_keyword(d->value, d->value_length, "light"),
       dark = sj_is_keyword(d->value, d->value_length, "dark");
  if (!light && !dark && (!read_index(&token, &number) || sj_tokens_next_word(&tokens).kind != SJ_TOKEN_END)) return;
  out->light = light;
  out->dark = dark;
  out->number = number;
}

// Reads what stands before the next comma outside of parentheses, or the end, as a colour that depends on nothing.
static bool read_color(sj_tokens *tokens, sj_token *token, uint32_t *out) {
  size_t start = tokens->at;
  int depth = 0;
  for (*token = sj_tokens_next_word(tokens); token->kind != SJ_TOKEN_END && (depth || token->kind != SJ_TOKEN_COMMA);
       *token = sj_tokens_next_word(tokens)) {
    depth += token->kind == SJ_TOKEN_FUNCTION || token->kind == SJ_TOKEN_OPEN_PAREN;
    depth -= token->kind == SJ_TOKEN_CLOSE_PAREN && depth;
  }
  sj_color_kind kind;
  stijl_color color;
  if (!sj_parse_color(tokens->text + start, token->start - start, NULL, &kind, &color) || kind != SJ_COLOR_RGBA)
    return false;
  const float parts[4] = {color.r, color.g, color.b, color.a};
  *out = 0;
  for (int i = 0; i < 4; i++) *out = *out << 8 | (uint32_t)(parts[i] * 255.0f + 0.5f);
  return true;
}

// Reads colours such as "0 red, 2 rgb(0 0 255)". A malformed list leaves the colours as they are. Returns false when
// memory is short or the budget is spent.
static bool read_colors(stijl_context *context, const sj_declaration *d, sj_font_palette *out) {
  sj_tokens tokens = sj_tokens_begin(d->value, 0, d->value_length, NULL);
  sj_token token = {.kind = SJ_TOKEN_COMMA};
  sj_font_palette read = *out;
  memset(&read.colors, 0, sizeof read.colors);
  bool good = true, valid = true;
  while (good && valid && token.kind == SJ_TOKEN_COMMA) {
    uint32_t index, rgba;
    token = sj_tokens_next_word(&tokens);
    valid = read_index(&token, &index) && read_color(&tokens, &token, &rgba);
    good = sj_context_check(context, SJ_WORK_VALUE);
    if (!valid || !good || index >= NO_COLOR) continue;
    good = sj_array_reserve(context, &read.colors, 2);
    if (!good) break;
    read.colors.data[read.colors.count++] = index;
    read.colors.data[read.colors.count++] = rgba;
  }
  if (valid && good) {
    sj_font_palette old = *out;
    *out = read;
    read = old;
  }
  sj_array_finish(context, &read.colors);
  return good;
}

bool sj_font_palettes_init(const sj_document *document, stijl_context *context, sj_font_palettes *out) {
  *out = (sj_font_palettes){0};
  const sj_css_program *program = document->css ? &document->css->program : NULL;
  bool good = true;
  for (size_t i = 0; program && i < program->font_palettes.count && i < MAX_RULES && good; i++) {
    const sj_css_named_rule *source = &program->font_palettes.data[i];
    const char *text = program->sources.data[source->source].text;
    sj_font_palette rule = {0};
    // Only an identifier with two dashes is a name.
    bool named = sj_parse_font_palette(text + source->name_start, source->name_length, &rule.name) && rule.name.text &&
                 rule.name.text[0] == '-' && rule.name.text[-1] != '"' && rule.name.text[-1] != '\'';
    sj_declarations list = sj_declarations_begin(text + source->start, source->length);
    sj_declaration d;
    while (named && good && sj_declarations_next(&list, &d)) {
      if (sj_is_keyword(d.name, d.name_length, "font-family")) {
        if (d.value_length) rule.families = (sj_value_text){.text = d.value, .length = d.value_length};
      } else if (sj_is_keyword(d.name, d.name_length, "base-palette")) {
        read_base(&d, &rule);
      } else if (sj_is_keyword(d.name, d.name_length, "override-colors")) {
        good = read_colors(context, &d, &rule);
      }
    }
    bool kept = named && good && rule.families.text && (good = sj_array_push(context, out, rule));
    if (!kept) sj_array_finish(context, &rule.colors);
  }
  return good;
}

void sj_font_palettes_finish(sj_font_palettes *palettes, stijl_context *context) {
  for (size_t i = 0; i < palettes->count; i++) sj_array_finish(context, &palettes->data[i].colors);
  sj_array_finish(context, palettes);
}
