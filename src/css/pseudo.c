#include "css/pseudo.h"

#include <string.h>

#include "dom/atoms.h"
#include "stijl/css.h"

#define STATE SJ_CSS_PSEUDO_STATE
#define NEVER SJ_CSS_PSEUDO_NEVER

// What browsers know: an unknown name makes a selector invalid, so the list decides which rules there are.
static const sj_css_pseudo classes[] = {
    {"active", STATE, 1},
    {"active-view-transition", NEVER, 0},
    {"any-link", STATE, 32},
    {"autofill", STATE, 7},
    {"checked", STATE, 33},
    {"default", STATE, 35},
    {"defined", STATE, 47},
    {"disabled", STATE, 36},
    {"empty", SJ_CSS_PSEUDO_EMPTY, 0},
    {"enabled", STATE, 37},
    {"first-child", SJ_CSS_PSEUDO_FIRST_CHILD, 0},
    {"first-of-type", SJ_CSS_PSEUDO_FIRST_OF_TYPE, 0},
    {"focus", STATE, 2},
    {"focus-visible", STATE, 3},
    {"focus-within", STATE, 4},
    {"fullscreen", STATE, 8},
    {"future", NEVER, 0},
    {"has-slotted", NEVER, 0},
    {"host", NEVER, 0},
    {"hover", STATE, 0},
    {"in-range", STATE, 42},
    {"indeterminate", STATE, 34},
    {"invalid", STATE, 39},
    {"last-child", SJ_CSS_PSEUDO_LAST_CHILD, 0},
    {"last-of-type", SJ_CSS_PSEUDO_LAST_OF_TYPE, 0},
    {"link", SJ_CSS_PSEUDO_LINK, 32},
    {"modal", STATE, 9},
    {"only-child", SJ_CSS_PSEUDO_ONLY_CHILD, 0},
    {"only-of-type", SJ_CSS_PSEUDO_ONLY_OF_TYPE, 0},
    {"open", STATE, 46},
    {"optional", STATE, 41},
    {"out-of-range", STATE, 43},
    {"past", NEVER, 0},
    {"paused", STATE, 11},
    {"picture-in-picture", NEVER, 0},
    {"placeholder-shown", STATE, 44},
    {"playing", STATE, 10},
    {"popover-open", STATE, 12},
    {"read-only", SJ_CSS_PSEUDO_NOT_STATE, 45},
    {"read-write", STATE, 45},
    {"required", STATE, 40},
    {"root", SJ_CSS_PSEUDO_ROOT, 0},
    {"scope", SJ_CSS_PSEUDO_SCOPE, 0},
    {"target", STATE, 5},
    {"target-current", NEVER, 0},
    {"target-within", STATE, 15},
    {"user-invalid", STATE, 14},
    {"user-valid", STATE, 13},
    {"valid", STATE, 38},
    {"visited", STATE, 6},
    {"xr-overlay", NEVER, 0},
    {"-webkit-any-link", STATE, 32},
    {"-webkit-autofill", STATE, 7},
    {"-webkit-full-screen", STATE, 8},
    {"-webkit-full-screen-ancestor", NEVER, 0},
    {"-webkit-full-page-media", NEVER, 0},
    {"-webkit-drag", NEVER, 0},
    {"window-inactive", STATE, 16},
    // of scroll bars
    {"horizontal", NEVER, 0},
    {"vertical", NEVER, 0},
    {"start", NEVER, 0},
    {"end", NEVER, 0},
    {"increment", NEVER, 0},
    {"decrement", NEVER, 0},
    {"single-button", NEVER, 0},
    {"double-button", NEVER, 0},
    {"no-button", NEVER, 0},
    {"corner-present", NEVER, 0},
};

static const sj_css_pseudo functions[] = {
    {"active-view-transition-type", SJ_CSS_PSEUDO_NEVER_FUNCTION, 0},
    {"dir", SJ_CSS_PSEUDO_DIR, 48},
    {"has", SJ_CSS_PSEUDO_HAS, 0},
    {"host", SJ_CSS_PSEUDO_NEVER_SELECTORS, 0},
    {"host-context", SJ_CSS_PSEUDO_NEVER_SELECTORS, 0},
    {"is", SJ_CSS_PSEUDO_IS, 0},
    {"lang", SJ_CSS_PSEUDO_LANG, 0},
    {"not", SJ_CSS_PSEUDO_NOT, 0},
    {"nth-child", SJ_CSS_PSEUDO_NTH_CHILD, 0},
    {"nth-last-child", SJ_CSS_PSEUDO_NTH_LAST_CHILD, 0},
    {"nth-last-of-type", SJ_CSS_PSEUDO_NTH_LAST_OF_TYPE, 0},
    {"nth-of-type", SJ_CSS_PSEUDO_NTH_OF_TYPE, 0},
    {"state", SJ_CSS_PSEUDO_NEVER_FUNCTION, 0},
    {"where", SJ_CSS_PSEUDO_WHERE, 0},
    {"-webkit-any", SJ_CSS_PSEUDO_IS, 0},
};

static const char *const elements[] = {"backdrop",
                                       "checkmark",
                                       "column",
                                       "cue",
                                       "details-content",
                                       "file-selector-button",
                                       "grammar-error",
                                       "picker-icon",
                                       "placeholder",
                                       "scroll-marker",
                                       "scroll-marker-group",
                                       "search-text",
                                       "selection",
                                       "spelling-error",
                                       "target-text",
                                       "view-transition"};

static const char *const element_functions[] = {"cue",
                                                "highlight",
                                                "part",
                                                "picker",
                                                "scroll-button",
                                                "slotted",
                                                "view-transition-group",
                                                "view-transition-image-pair",
                                                "view-transition-new",
                                                "view-transition-old"};

static const char parts[] =
    "hover active focus focus-visible focus-within enabled disabled horizontal vertical start end increment "
    "decrement single-button no-button double-button corner-present window-inactive autofill read-only "
    "read-write checked placeholder-shown invalid valid required optional default indeterminate link visited "
    "any-link only-child root target-current first-child last-child empty open";

#define COUNT(table) (sizeof(table) / sizeof *(table))

static bool any_of(const sj_tokens *tokens, const sj_token *name, const char *const *table, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (sj_token_is(tokens, name, table[i])) return true;
  return false;
}

const sj_css_pseudo *sj_css_pseudo_class(const sj_tokens *tokens, const sj_token *name) {
  bool function = name->kind == SJ_TOKEN_FUNCTION;
  const sj_css_pseudo *table = function ? functions : classes;
  size_t count = function ? COUNT(functions) : COUNT(classes);
  for (size_t i = 0; i < count; i++)
    if (sj_token_is(tokens, name, table[i].name)) return &table[i];
  return NULL;
}

bool sj_css_pseudo_class_of_part(const sj_tokens *tokens, const sj_token *name) {
  return sj_token_is_among(tokens, name, parts);
}

// Returns whether a name has this prefix, since any such name may be some part of a form control.
static bool is_webkit(const sj_tokens *tokens, const sj_token *name) {
  static const char prefix[] = "-webkit-";
  size_t length = sizeof prefix - 1;
  return !name->escaped && name->name_end - name->name_start > length &&
         sj_equal_ignoring_case(tokens->text + name->name_start, prefix, length);
}

sj_css_part sj_css_pseudo_element(const sj_tokens *tokens, const sj_token *name) {
  static const char *const known[] = {"before", "after", "marker", "first-letter", "first-line"};  // as in sj_css_part
  bool function = name->kind == SJ_TOKEN_FUNCTION;
  for (size_t i = 0; i < COUNT(known) && !function; i++)
    if (sj_token_is(tokens, name, known[i])) return (sj_css_part)(SJ_CSS_PART_BEFORE + i);
  bool other = function ? any_of(tokens, name, element_functions, COUNT(element_functions))
                        : any_of(tokens, name, elements, COUNT(elements)) || is_webkit(tokens, name);
  return other ? SJ_CSS_PART_OTHER : SJ_CSS_PART_NONE;
}

bool sj_css_pseudo_element_old(const sj_tokens *tokens, const sj_token *name) {
  static const char *const old[] = {"after", "before", "first-letter", "first-line"};
  return name->kind == SJ_TOKEN_IDENT && any_of(tokens, name, old, COUNT(old));
}
