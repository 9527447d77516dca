// What a property is without an animation, where the element has no declaration of it.
#ifndef SJ_SVG_STYLE_UNDERLYING_H
#define SJ_SVG_STYLE_UNDERLYING_H

#include "svg/parse/document.h"
#include "svg/style/interpolate.h"

// Finds the inherited or initial value of a property or an attribute that can be interpolated; text NULL for others.
sj_span sj_underlying_value(const sj_document *document, uint32_t element, sj_name name);
// Finds the element's own `color`, or the one that it inherits.
sj_span sj_underlying_color(const sj_document *document, uint32_t element);

#endif
