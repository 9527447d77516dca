// `stijl fonts`: which fonts the text of a document asks for, and which it gets.
#include "fonts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "file.h"
#include "json.h"
#include "parse.h"
#include "print.h"

bool cli_fonts_create(const cli_font_options *options, stijl_context *context, stijl_fonts **out,
                      cli_failure *failure) {
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = !options->skip_system;
  stijl_message message = {""};
  stijl_result result = stijl_fonts_create(context, &params, out, &message);
  for (int i = 0; i < options->files.count && !result; i++)
    result = stijl_fonts_add_file(*out, options->files.items[i], &message);
  for (int i = 0; i < options->folders.count && !result; i++)
    result = stijl_fonts_add_folder(*out, options->folders.items[i], &message);
  for (int i = 0; i <= STIJL_FAMILY_MONOSPACE && !result; i++)
    if (options->families[i]) result = stijl_fonts_set_family(*out, (stijl_generic_family)i, options->families[i]);
  return !result || cli_fail(failure, "%s", *message.text ? message.text : stijl_result_string(result));
}

static void on_log(void *user, stijl_log_level level, const char *line) {
  const cli_fonts_options *o = user;
  if (level == STIJL_LOG_WARNING && !o->quiet) cli_report(NULL, "warning: %s", line);
}

static bool load(const cli_fonts_options *o, stijl_context *context, const char *path, cli_failure *failure) {
  unsigned char *data;
  size_t bytes;
  stijl_svg *svg = NULL;
  if (!cli_read(path, o->svg.limits.max_bytes, &data, &bytes, failure)) return false;
  if (stijl_scene_is_saved(data, bytes)) {
    free(data);
    return cli_fail(failure, "a saved scene, in which there are no fonts any more (stijl render draws it)");
  }
  stijl_svg_params params = o->svg;
  char *folder = strcmp(path, "-") == 0 ? NULL : cli_folder_of(path);
  params.base_folder = folder;
  stijl_message message = {""};
  // Text is laid out as the document is loaded.
  stijl_result result = stijl_svg_load(context, data, bytes, &params, &svg, &message);
  stijl_svg_destroy(svg);
  free(folder);
  free(data);
  return result == STIJL_OK || cli_fail(failure, "%s", *message.text ? message.text : stijl_result_string(result));
}

static void put_json(cli_json *json, const stijl_font_use *use) {
  cli_json_begin(json, NULL, '{');
  cli_json_string(json, "families", use->families);
  cli_json_number(json, "weight", (double)use->weight);
  cli_json_string(json, "family", use->family);
  cli_json_string(json, "file", use->path);
  cli_json_string(json, "how",
                  use->how == STIJL_FONT_NAMED      ? "named"
                  : use->how == STIJL_FONT_FALLBACK ? "fallback"
                                                    : "instead");
  cli_json_end(json, '}');
}

static void print_use(const stijl_font_use *use) {
  static const char *const how[] = {"", " (instead)", " (for characters that others lack)"};
  cli_print("%s, %g: %s%s%s%s", *use->families ? use->families : "no family", (double)use->weight,
            *use->family ? use->family : "nothing", how[use->how], *use->path ? ", " : "", use->path);
}

int cli_command_fonts(int argc, char **argv) {
  cli_fonts_options o = {.svg = STIJL_SVG_PARAMS_INIT};
  int operands, status;
  if (!cli_parse(&cli_commands[CLI_FONTS], argc, argv, &o, &operands, &status)) return status;
  if (operands != 1) {
    cli_report(NULL, "fonts takes one document (see stijl fonts --help)");
    return 1;
  }
  cli_failure failure = {""};
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.log = on_log;
  params.user = &o;
  stijl_context *context = NULL;
  bool good = stijl_context_create(&params, &context) == STIJL_OK || cli_fail(&failure, "out of memory");
  good = good && cli_fonts_create(&o.fonts, context, &o.svg.fonts, &failure) && load(&o, context, argv[1], &failure);
  cli_json json = {0};
  cli_json_begin(&json, NULL, '{');
  cli_json_begin(&json, "fonts", '[');
  stijl_font_use use = STIJL_FONT_USE_INIT;
  for (size_t i = 0; good && stijl_fonts_get_use(o.svg.fonts, i, &use) == STIJL_OK; i++) {
    if (o.json)
      put_json(&json, &use);
    else
      print_use(&use);
  }
  cli_json_end(&json, ']');
  cli_json_end(&json, '}');
  if (good && o.json) puts(json.text);
  cli_json_finish(&json);
  stijl_fonts_destroy(o.svg.fonts);
  stijl_context_destroy(context);
  if (!good) cli_report(argv[1], "%s", failure.text);
  return good ? 0 : 1;
}
