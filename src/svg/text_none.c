// In place of text.c and text_draw.c in a build without text.

#include "svg/convert.h"

void sj_convert_text(sj_convert *c, const sj_frame *frame, uint32_t element) { sj_omit_element(c, frame, element); }

bool sj_text_path(sj_convert *c, const sj_frame *frame, uint32_t element, stijl_path *path) { return false; }
