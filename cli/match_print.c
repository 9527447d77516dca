// What `stijl match` prints and writes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "json.h"
#include "match.h"
#include "print.h"

// Elements by selector: those of selector s are elements[first[s]] to elements[first[s + 1]].
typedef struct inverse {
  size_t *first;
  uint32_t *elements;
} inverse;

static bool invert(const stijl_css *css, const stijl_css_matcher *matcher, uint32_t count, inverse *out) {
  const uint32_t *offsets = NULL, *selectors = NULL;
  size_t pairs = stijl_css_matches_all(matcher, &offsets, &selectors), total = stijl_css_selector_count(css);
  out->first = calloc(total + 2, sizeof *out->first);
  out->elements = malloc((pairs + 1) * sizeof *out->elements);
  if (!out->first || !out->elements) return false;
  for (size_t i = 0; i < pairs; i++) out->first[selectors[i] + 2]++;
  for (size_t s = 2; s < total + 2; s++) out->first[s] += out->first[s - 1];
  for (uint32_t e = 0; e < count; e++)
    for (uint32_t i = offsets[e]; i < offsets[e + 1]; i++) out->elements[out->first[selectors[i] + 1]++] = e;
  return true;
}

// Returns the file that a selector stands in.
static const char *sheet_of(const stijl_css_selector *selector) { return *selector->sheet ? selector->sheet : "-"; }

char *cli_match_text(const stijl_css_selector *selector) {
  char *text = strndup(selector->text, selector->length);
  // A selector may go on over lines; within it white space is all the same.
  for (char *c = text; c && *c; c++)
    if (*c == '\t' || *c == '\n' || *c == '\r' || *c == '\f') *c = ' ';
  return text;
}

static bool print_json(const stijl_css *css, uint32_t elements, const inverse *in) {
  cli_json json = {0};
  cli_json_begin(&json, NULL, '{');
  cli_json_unsigned(&json, "elements", elements);
  cli_json_begin(&json, "rules", '[');
  for (size_t s = 0; s < stijl_css_selector_count(css); s++) {
    stijl_css_selector selector = STIJL_CSS_SELECTOR_INIT;
    stijl_css_selector_get(css, s, &selector);
    if (selector.continuation) continue;
    char *text = strndup(selector.text, selector.length);
    if (!text) json.failed = true;
    cli_json_begin(&json, NULL, '{');
    cli_json_string(&json, "sheet", sheet_of(&selector));
    cli_json_unsigned(&json, "line", selector.line);
    cli_json_string(&json, "selector", text ? text : "");
    cli_json_bool(&json, "active", selector.active);
    cli_json_begin(&json, "matches", '[');
    for (size_t i = in->first[s]; i < in->first[s + 1]; i++) cli_json_unsigned(&json, NULL, in->elements[i]);
    cli_json_end(&json, ']');
    cli_json_end(&json, '}');
    free(text);
  }
  cli_json_end(&json, ']');
  cli_json_end(&json, '}');
  bool good = !json.failed;
  if (good) {
    fwrite(json.text, 1, json.length, stdout);
    putchar('\n');
  }
  cli_json_finish(&json);
  return good;
}

static bool print_counts(const stijl_css *css, const inverse *in) {
  for (size_t s = 0; s < stijl_css_selector_count(css); s++) {
    stijl_css_selector selector = STIJL_CSS_SELECTOR_INIT;
    stijl_css_selector_get(css, s, &selector);
    if (selector.continuation) continue;
    char *text = cli_match_text(&selector);
    if (!text) return false;
    cli_print("%s:%u: %zu %s", sheet_of(&selector), selector.line, in->first[s + 1] - in->first[s], text);
    free(text);
  }
  return true;
}

bool cli_match_print(const cli_match_options *o, const stijl_css *css, const stijl_css_matcher *matcher,
                     uint32_t elements) {
  inverse in = {0};
  bool good =
      invert(css, matcher, elements, &in) && (o->json ? print_json(css, elements, &in) : print_counts(css, &in));
  free(in.first);
  free(in.elements);
  return good;
}

bool cli_match_print_unused(const cli_match_options *o, const stijl_css *css, const unsigned char *used) {
  cli_json json = {0};
  if (o->json) cli_json_begin(&json, NULL, '[');
  for (size_t s = 0; s < stijl_css_selector_count(css); s++) {
    stijl_css_selector selector = STIJL_CSS_SELECTOR_INIT;
    stijl_css_selector_get(css, s, &selector);
    if (selector.continuation || used[s]) continue;
    char *text = o->json ? strndup(selector.text, selector.length) : cli_match_text(&selector);
    if (!text) return false;
    if (o->json) {
      cli_json_begin(&json, NULL, '{');
      cli_json_string(&json, "sheet", sheet_of(&selector));
      cli_json_unsigned(&json, "line", selector.line);
      cli_json_string(&json, "selector", text);
      cli_json_end(&json, '}');
    } else {
      cli_print("%s:%u: %s", sheet_of(&selector), selector.line, text);
    }
    free(text);
  }
  if (o->json) {
    cli_json_end(&json, ']');
    if (!json.failed) printf("%s\n", json.text);
  }
  bool good = !json.failed;
  cli_json_finish(&json);
  return good;
}

bool cli_match_write_stats(const cli_match_options *o, const stijl_css *css, const cli_match_times *t,
                           cli_failure *failure) {
  cli_json json = {0};
  cli_json_begin(&json, NULL, '{');
  static const char *const engines[] = {"reference", "cpu", "vulkan"};
  cli_json_string(&json, "engine", engines[o->engine]);
  cli_json_unsigned(&json, "threads", o->threads ? (uint64_t)o->threads : (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
  cli_json_decimal(&json, "parse_ms", t->parse_ms);
  cli_json_decimal(&json, "build_ms", t->build_ms);
  cli_json_decimal(&json, "index_ms", t->index_ms);
  cli_json_begin(&json, "match_ms", '[');
  for (int i = 0; i < o->repeat; i++) cli_json_decimal(&json, NULL, t->match_ms[i]);
  cli_json_end(&json, ']');
  cli_json_decimal(&json, "upload_ms", t->upload_ms);
  cli_json_decimal(&json, "readback_ms", t->readback_ms);
  if (o->engine == STIJL_CSS_ENGINE_VULKAN) cli_json_unsigned(&json, "on_cpu", t->on_cpu);
  cli_json_unsigned(&json, "elements", t->elements);
  cli_json_unsigned(&json, "selectors", stijl_css_selector_count(css));
  cli_json_unsigned(&json, "pairs", t->pairs);
  cli_json_end(&json, '}');
  cli_output output;
  bool good = !json.failed || cli_fail(failure, "out of memory");
  if (good && (good = cli_output_open(&output, o->stats, failure))) {
    cli_output_write(&output, json.text, json.length);
    cli_output_write(&output, "\n", 1);
    good = cli_output_commit(&output, failure);
  }
  cli_json_finish(&json);
  return good;
}
