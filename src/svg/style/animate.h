// Applies SMIL animations (SVG Animations 2). A still picture shows the document as it stands at time 0.
#ifndef SJ_SVG_STYLE_ANIMATE_H
#define SJ_SVG_STYLE_ANIMATE_H

#include "svg/parse/document.h"

// Replaces attributes by the values that animations give them at time 0, and adds declarations behind those that are
// not important. Style sheets have to be applied before. Events never happen, so what waits for one does not run.
stijl_result sj_document_animate(sj_document *document, stijl_message *message);

#endif
