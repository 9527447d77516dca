// Sets the properties of a style from the text of their declarations.
#ifndef SJ_SVG_STYLE_PROPERTY_H
#define SJ_SVG_STYLE_PROPERTY_H

#include "svg/style/style.h"

// Applies `inherit`, `initial`, `unset` and `revert`, which every property takes. Returns false for other values.
// `parent` is NULL for the root.
bool sj_property_apply_wide(sj_name name, const char *text, size_t length, const sj_style *parent, sj_style *out);

// Sets one property, except for `color` and `font-size`, on which others depend. An invalid value leaves what was there
// and returns false. `base` resolves lengths; the budget, which may be NULL, is charged for long lists.
bool sj_property_apply(stijl_budget *budget, const sj_declared *declared, const sj_length_base *base,
                       const sj_style *parent, sj_style *out);

// Returns whether the value of a declaration is valid, as far as that can be told without an element.
bool sj_property_is_valid(stijl_budget *budget, const sj_declared *declared);

// Parses a font-size to pixels; `parent` is the parent's font size. Returns false for an invalid value. HTML's elements
// have other sizes by name than SVG's.
bool sj_parse_font_size(const char *text, size_t length, const sj_length_base *base, bool html, float parent,
                        float *out);

#endif
