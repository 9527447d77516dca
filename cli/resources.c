#include "resources.h"

#include <stdlib.h>

#include "file.h"

// Reads the text of the sheet, with a NUL behind it; the caller frees *text.
static bool read_sheet(cli_options *options, char **text, cli_failure *failure) {
  unsigned char *data;
  size_t bytes;
  cli_failure why;
  if (!options->stylesheet) return true;
  if (!cli_read(options->stylesheet, options->svg.limits.max_bytes, &data, &bytes, &why))
    return cli_fail(failure, "%s: %s", options->stylesheet, why.text);
  *text = realloc(data, bytes + 1);
  if (!*text) {
    free(data);
    return cli_fail(failure, "out of memory");
  }
  (*text)[bytes] = 0;
  options->svg.style_sheet = *text;
  return true;
}

static void on_font_log(void *user, stijl_log_level level, const char *line) {
  const cli_options *options = user;
  if (level == STIJL_LOG_WARNING && !options->quiet) cli_report(NULL, "warning: %s", line);
}

// Makes the fonts, or leaves NULL where the options name none.
static bool make_fonts(cli_options *o, stijl_context **context, cli_failure *failure) {
  bool any = o->fonts.files.count || o->fonts.folders.count || o->fonts.skip_system;
  for (int i = 0; i <= STIJL_FAMILY_MONOSPACE; i++) any |= o->fonts.families[i] != NULL;
  if (!any) return true;
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.log = on_font_log;
  params.user = o;
  if (stijl_context_create(&params, context) != STIJL_OK) return cli_fail(failure, "out of memory");
  return cli_fonts_create(&o->fonts, *context, &o->svg.fonts, failure);
}

bool cli_resources_open(cli_options *options, cli_resources *r, cli_failure *failure) {
  *r = (cli_resources){.options = options};
  return make_fonts(options, &r->font_context, failure) && read_sheet(options, &r->sheet, failure);
}

void cli_resources_close(cli_resources *r) {
  stijl_fonts_destroy(r->options->svg.fonts);
  stijl_context_destroy(r->font_context);
  free(r->sheet);
}
