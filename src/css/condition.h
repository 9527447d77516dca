// Conditions of @media, @supports and @import.
#ifndef SJ_CSS_CONDITION_H
#define SJ_CSS_CONDITION_H

#include "css/selector.h"

// Media Queries Level 4 over text[start, end): does the medium match? An empty list does.
bool sj_css_media_matches(stijl_budget *budget, const stijl_css_medium *medium, const char *text, size_t start,
                          size_t end);

// CSS Conditional Rules Level 4: a declaration counts as supported unless its property or value bears the prefix of
// another engine; `parser` judges selector().
bool sj_css_supports(sj_css_selector_parser *parser, const char *text, size_t start, size_t end);

#endif
