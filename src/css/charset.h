// The encoding of style sheets and HTML documents, by what their bytes say of it.
#ifndef SJ_CSS_CHARSET_H
#define SJ_CSS_CHARSET_H

#include "markup/decode.h"

// Decodes a sheet by its @charset, else by `*upper`, that of the sheet that imports it (markup/encodings.h; NULL for
// UTF-8). *upper becomes what was taken. Returns false when memory is short.
bool sj_css_decode_sheet(stijl_context *context, const char *data, size_t bytes, const uint16_t **upper,
                         sj_decoded *out);

// Decodes a document by its <meta>. Without one it is UTF-8 when all of it can be that, else windows-1252.
bool sj_css_decode_html(stijl_context *context, const char *data, size_t bytes, sj_decoded *out);

#endif
