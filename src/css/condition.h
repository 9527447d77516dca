// Conditions of @media, @supports and @import.
#ifndef SJ_CSS_CONDITION_H
#define SJ_CSS_CONDITION_H

#include "css/selector.h"

// Returns whether the medium matches text[start, end) by Media Queries Level 4. An empty list does.
bool sj_css_media_matches(stijl_budget *budget, const stijl_css_medium *medium, const char *text, size_t start,
                          size_t end);

// Returns whether a condition of @supports holds (CSS Conditional Rules Level 4). A declaration counts as supported
// unless its property or value bears the prefix of another engine; `parser` judges selector().
bool sj_css_supports(sj_css_selector_parser *parser, const char *text, size_t start, size_t end);

#endif
