// SMIL animations (SVG Animations 2): a still picture shows the document as it stands at time 0.
#ifndef SJ_SVG_STYLE_ANIMATE_H
#define SJ_SVG_STYLE_ANIMATE_H

#include "svg/parse/document.h"

// Puts the values that animations have at time 0 in the place of attributes, and behind the declarations that are not
// important. Comes after style sheets were applied. Events never happen: what waits for one does not run.
stijl_result sj_document_animate(sj_document *document, stijl_message *message);

#endif
