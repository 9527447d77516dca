// Reads what an href points to: data URLs, and files that the application gives or that may be read. The network is
// never used.
#ifndef SJ_SVG_STYLE_FETCH_H
#define SJ_SVG_STYLE_FETCH_H

#include "base/file.h"
#include "svg/parse/options.h"

// Returns STIJL_ERROR_REFUSED for what must not be read. `out` is set on success only; its data are allocated with
// `context`.
stijl_result sj_fetch(stijl_context *context, const sj_svg_options *options, const char *href, size_t length,
                      sj_bytes *out, stijl_message *message);

#endif
