// @import, and where it takes sheets from.
#include <string.h>

#include "base/budget.h"
#include "base/file.h"
#include "css/condition.h"
#include "css/import.h"
#include "css/parser.h"

// A chain of imports is no longer than this: a sheet that imports itself under ever new names ends there.
#define MAX_IMPORT_DEPTH 16
// Steps of the budget for looking for a file.
#define WORK_AN_IMPORT 20000

typedef struct imported_sheet {
  char *name, *text;
  size_t bytes;
} imported_sheet;

static bool imports_itself(const sj_css_sheet_place *place, const char *name) {
  for (; place; place = place->importer)
    if (strcmp(place->name, name) == 0) return true;
  return false;
}

// Reads a file. The folder that files must lie in is that of the outermost sheet.
static stijl_result read_file(const stijl_css *css, const sj_css_sheet_place *place, const char *url,
                              imported_sheet *out) {
  stijl_context *context = css->context;
  char *path, *root = NULL;
  stijl_result result = sj_url_to_path(context, url, strlen(url), &path, NULL);
  if (result) return result;
  out->name = sj_path_beside(context, place->name, path);
  sj_free(context, path);
  if (out->name && imports_itself(place, out->name)) return STIJL_ERROR_INVALID_STATE;
  const sj_css_sheet_place *outermost = place;
  while (outermost->importer) outermost = outermost->importer;
  bool below = css->params.files == STIJL_CSS_FILES_BELOW;
  if (below) root = sj_path_folder(context, outermost->name);
  sj_bytes bytes = {0};
  if (out->name && (root || !below))
    result = sj_file_read(context, root, out->name, css->params.limits.max_bytes, &bytes, NULL);
  else
    result = STIJL_ERROR_OUT_OF_MEMORY;
  sj_free(context, root);
  out->text = (char *)bytes.data;
  out->bytes = bytes.count;
  return result;
}

static void release_sheet(const stijl_css *css, imported_sheet *imported) {
  const stijl_css_params *params = &css->params;
  if (!params->import) {
    sj_free(css->context, imported->name);
    sj_free(css->context, imported->text);
  } else if (params->free_text) {
    if (imported->name) params->free_text(params->user, imported->name);
    if (imported->text) params->free_text(params->user, imported->text);
  }
  *imported = (imported_sheet){0};
}

// Takes what @import of `url` in the sheet at `place` brings, from the application's callback or from a file. Returns
// STIJL_OK, or why it is left out: STIJL_ERROR_UNSUPPORTED when nothing is read at all, STIJL_ERROR_INVALID_STATE when
// that sheet is among those that import this one.
static stijl_result take_sheet(const stijl_css *css, const sj_css_sheet_place *place, const char *url,
                               imported_sheet *out) {
  *out = (imported_sheet){0};
  const stijl_css_params *params = &css->params;
  stijl_result result = STIJL_ERROR_UNSUPPORTED;
  if (params->import)
    result = params->import(params->user, place->name, url, &out->name, &out->text, &out->bytes);
  else if (params->files != STIJL_CSS_FILES_NONE)
    result = read_file(css, place, url, out);
  if (!result && imports_itself(place, out->name ? out->name : url)) result = STIJL_ERROR_INVALID_STATE;
  if (!result) return STIJL_OK;
  // After a failure of its own the callback has left nothing.
  if (params->import && result != STIJL_ERROR_INVALID_STATE) *out = (imported_sheet){0};
  release_sheet(css, out);
  return result;
}

// --- the rule ---

// Loads and parses; `url` is NUL-terminated. `conditions` hold or not.
static stijl_result import(sj_css_parser *s, const char *url, size_t at, uint32_t layer, bool active) {
  const stijl_css_limits *limits = &s->css->params.limits;
  if (s->place->depth >= MAX_IMPORT_DEPTH) {
    sj_css_warn(s, at, s->token.start, "@import left out, the chain of imports is too long");
    return STIJL_OK;
  }
  if (!sj_context_check(s->css->context, WORK_AN_IMPORT)) return sj_budget_spent(s->message);
  imported_sheet imported;
  stijl_result result = take_sheet(s->css, s->place, url, &imported);
  if (result == STIJL_ERROR_OUT_OF_MEMORY) return sj_css_no_memory(s);
  if (result) {
    sj_css_warn(s, at, s->token.start,
                result == STIJL_ERROR_UNSUPPORTED     ? "@import left out, no files are read"
                : result == STIJL_ERROR_INVALID_STATE ? "@import left out, that sheet imports this one"
                                                      : "@import left out, it cannot be read");
    return STIJL_OK;
  }
  if (s->css->imports >= limits->max_imports) {
    release_sheet(s->css, &imported);
    return sj_fail(s->message, STIJL_ERROR_LIMIT, "%.100s:%u: more imports than max_imports (%u)", s->name,
                   sj_css_line_of(s, at), limits->max_imports);
  }
  s->css->imports++;
  sj_css_sheet_place place = {.layer = layer,
                              .active = active,
                              .depth = s->place->depth + 1,
                              .encoding = s->encoding,
                              .importer = s->place,
                              .name = imported.name ? imported.name : url};
  result = sj_css_sheet_parse(s->css, imported.text, imported.bytes, s->origin, &place, s->message);
  release_sheet(s->css, &imported);
  return result;
}

static bool is_added(const stijl_css *css, const char *name) {
  for (size_t i = 0; i < css->program.sources.count; i++) {
    const sj_css_source *source = &css->program.sources.data[i];
    if (!source->embedded && source->importer == SJ_CSS_NONE && strcmp(source->name, name) == 0) return true;
  }
  return false;
}

stijl_result sj_css_add_linked(stijl_css *css, const char *href, uint32_t line, bool active,
                               const sj_css_sheet_place *page, stijl_message *message) {
  if (!sj_context_check(css->context, WORK_AN_IMPORT)) return sj_budget_spent(message);
  imported_sheet linked = {0};
  // A document without a name is in no folder.
  bool placed = *page->name || css->params.import;
  stijl_result result = placed ? take_sheet(css, page, href, &linked) : STIJL_ERROR_UNSUPPORTED;
  if (result == STIJL_ERROR_OUT_OF_MEMORY) return sj_fail_memory(message);
  if (result) {
    sj_log(css->context, STIJL_LOG_WARNING, "%s:%u: style sheet left out, %s: %.100s", page->name, line,
           result == STIJL_ERROR_UNSUPPORTED ? "no files are read"
           : result == STIJL_ERROR_REFUSED   ? "it is not in the document's folder, or in a network"
                                             : "it cannot be read",
           href);
    return STIJL_OK;
  }
  const char *name = linked.name ? linked.name : href;
  if (!is_added(css, name)) {
    if (css->imports++ >= css->params.limits.max_imports)
      result = sj_fail(message, STIJL_ERROR_LIMIT, "%.100s:%u: more sheets than max_imports (%u)", page->name, line,
                       css->params.limits.max_imports);
    sj_css_sheet_place place = {.active = active, .depth = 1, .importer = page, .name = name};
    if (!result) result = sj_css_sheet_parse(css, linked.text, linked.bytes, STIJL_CSS_ORIGIN_AUTHOR, &place, message);
  }
  release_sheet(css, &linked);
  return result;
}

stijl_result sj_css_parse_import(sj_css_parser *s, const sj_css_surroundings *around, size_t at) {
  sj_css_skip_space(s);
  bool function = s->token.kind == SJ_TOKEN_FUNCTION && sj_token_is(&s->tokens, &s->token, "url");
  if (function) {
    sj_css_advance(s);
    sj_css_skip_space(s);
  }
  stijl_context *context = s->css->context;
  char *url = NULL;
  uint32_t layer = around->layer;
  bool active = around->active;
  stijl_result result = STIJL_OK;
  size_t start, end;
  if (s->token.kind == SJ_TOKEN_STRING || s->token.kind == SJ_TOKEN_URL) {
    size_t length;
    const char *name = sj_token_name(&s->tokens, &s->token, context, &s->selectors.buffer, &length);
    url = name ? sj_strndup(context, name, length) : NULL;
    if (!url) return sj_css_no_memory(s);
    sj_css_advance(s);
    sj_css_skip_space(s);
    if (function && s->token.kind == SJ_TOKEN_CLOSE_PAREN) sj_css_advance(s);
    sj_css_skip_space(s);
    if (s->token.kind == SJ_TOKEN_IDENT && sj_token_is(&s->tokens, &s->token, "layer")) {
      layer = sj_css_layer_get(s->program, around->layer, SJ_ATOM_NONE);
      if (layer == SJ_CSS_NONE) result = sj_css_no_memory(s);
      sj_css_advance(s);
    } else if (s->token.kind == SJ_TOKEN_FUNCTION && sj_token_is(&s->tokens, &s->token, "layer")) {
      sj_css_advance(s);
      sj_css_skip_space(s);
      result = sj_css_parse_layer_name(s, around->layer, &layer);
      if (s->token.kind == SJ_TOKEN_CLOSE_PAREN) sj_css_advance(s);
      if (layer == SJ_CSS_NONE) layer = around->layer;
    }
    sj_css_skip_space(s);
    if (s->token.kind == SJ_TOKEN_FUNCTION && sj_token_is(&s->tokens, &s->token, "supports")) {
      size_t inner = s->token.end;
      if (!result) result = sj_css_skip_component(s);
      size_t close = s->token.start;
      while (close > inner && s->tokens.text[close - 1] != ')') close--;
      close = close > inner ? close - 1 : inner;
      // A bare declaration is allowed as well: with its parentheses it is a condition.
      bool holds = sj_css_supports(&s->selectors, s->tokens.text, inner, close) ||
                   sj_css_supports(&s->selectors, s->tokens.text, inner - 1, close + 1);
      active = active && holds;
    }
  }
  if (!result) result = sj_css_skip_prelude(s, around, &start, &end);
  if (!result) {
    if (!url || !s->head || s->token.kind == SJ_TOKEN_OPEN_BRACE) {
      sj_css_warn(s, at, s->token.start, url ? "@import left out, it comes too late" : "@import left out");
    } else {
      active = active && sj_css_media_matches(s->tokens.budget, &s->css->params.medium, s->tokens.text, start, end);
      result = import(s, url, at, layer, active);
    }
  }
  sj_free(context, url);
  return result ? result : sj_css_skip_rule_end(s);
}
