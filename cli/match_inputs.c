// The documents and sheets of `stijl match`.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "file.h"
#include "match.h"
#include "stijl/scene.h"

static bool has_ending(const char *path, const char *ending) {
  size_t length = strlen(path), n = strlen(ending);
  return length > n && strcasecmp(path + length - n, ending) == 0;
}

static bool is_xml_name(const char *path) {
  return has_ending(path, ".svg") || has_ending(path, ".xml") || has_ending(path, ".xhtml");
}

static bool is_document_name(const char *path) {
  return is_xml_name(path) || has_ending(path, ".html") || has_ending(path, ".htm");
}

static bool is_xml(const cli_match_document *in) {
  const unsigned char *data = in->data;
  size_t bytes = in->bytes;
  if (is_xml_name(in->path)) return true;
  if (bytes >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) data += 3, bytes -= 3;
  return (bytes >= 5 && memcmp(data, "<?xml", 5) == 0) || (bytes >= 4 && memcmp(data, "<svg", 4) == 0);
}

static bool check_options(const cli_match_options *o, cli_failure *failure) {
  bool search = o->unused || o->prune;
  if (o->unused && o->prune) return cli_fail(failure, "either --unused or --prune");
  if (search && (o->stats || o->repeat > 1))
    return cli_fail(failure, "--stats and --repeat measure the matching of one document, not %s",
                    o->unused ? "--unused" : "--prune");
  if (o->prune && o->json) return cli_fail(failure, "--prune writes style sheets, not JSON");
  if (o->output && !o->prune) return cli_fail(failure, "-o tells where --prune writes to");
  return search || !o->keep.count || cli_fail(failure, "--keep goes with --unused or --prune");
}

// Fails with what is wrong with the inputs, if anything.
static bool check_inputs(const cli_match_options *o, const cli_match_inputs *in, cli_failure *failure) {
  bool search = o->unused || o->prune;
  for (int i = 1; i < o->input_count && !search; i++) {
    if (has_ending(o->inputs[0], ".css") && !has_ending(o->inputs[i], ".css"))
      return cli_fail(failure, "%s is a style sheet: the document comes first", o->inputs[0]);
    if (is_document_name(o->inputs[i]))
      return cli_fail(failure, "%s is a document: several go with --unused or --prune", o->inputs[i]);
  }
  if (in->sheet_count && !in->document_count)
    return cli_fail(failure, "no document among the files, only style sheets");
  if (!search && has_ending(o->inputs[0], ".css"))
    return cli_fail(failure, "a document and style sheets are needed (see stijl match --help)");
  size_t streams = 0;
  for (int i = 0; i < o->input_count; i++) streams += strcmp(o->inputs[i], "-") == 0;
  return streams < 2 || cli_fail(failure, "standard input (-) can be read only once");
}

bool cli_match_sort(const cli_match_options *o, cli_match_inputs *in, cli_failure *failure) {
  *in = (cli_match_inputs){.documents = calloc((size_t)o->input_count, sizeof *in->documents),
                           .sheets = calloc((size_t)o->input_count, sizeof *in->sheets)};
  if (!in->documents || !in->sheets) return cli_fail(failure, "out of memory");
  for (int i = 0; i < o->input_count; i++) {
    bool sheet = o->unused || o->prune ? has_ending(o->inputs[i], ".css") : i > 0;
    if (sheet)
      in->sheets[in->sheet_count++] = o->inputs[i];
    else
      in->documents[in->document_count++].path = o->inputs[i];
  }
  in->page_sheets = o->page_sheets || !in->sheet_count;
  return check_options(o, failure) && check_inputs(o, in, failure);
}

void cli_match_inputs_finish(cli_match_inputs *in) {
  for (size_t i = 0; in->documents && i < in->document_count; i++) free(in->documents[i].data);
  free(in->documents);
  free(in->sheets);
  *in = (cli_match_inputs){0};
}

bool cli_match_read(const cli_match_options *o, cli_match_document *in, cli_failure *failure) {
  cli_failure why;
  if (in->data) return true;
  if (!cli_read(in->path, o->css.limits.max_bytes, &in->data, &in->bytes, &why))
    return cli_fail(failure, "%s: %s", in->path, why.text);
  if (!stijl_scene_is_saved(in->data, in->bytes)) return true;
  return cli_fail(failure, "%s: a saved scene, in which there are no elements any more (stijl render draws it)",
                  in->path);
}

void cli_match_forget(cli_match_document *in) {
  if (strcmp(in->path, "-") == 0) return;
  free(in->data);
  in->data = NULL;
}

bool cli_match_load(const cli_match_options *o, stijl_context *context, cli_match_document *in,
                    stijl_css_document **out, cli_failure *failure) {
  if (!cli_match_read(o, in, failure)) return false;
  stijl_message message;
  const char *text = (const char *)in->data;
  stijl_result result = is_xml(in)
                            ? stijl_css_document_parse_xml(context, text, in->bytes, &o->css.limits, out, &message)
                            : stijl_css_document_parse_html(context, text, in->bytes, &o->css.limits, out, &message);
  cli_match_forget(in);
  return result == STIJL_OK || cli_fail(failure, "%s: %s", in->path, message.text);
}

// Adds a page's sheets. What comes from standard input has no folder to read from.
bool cli_match_add_page(stijl_css *css, const cli_match_document *in, const stijl_css_document *parsed,
                        cli_failure *failure) {
  stijl_message message;
  const char *name = strcmp(in->path, "-") == 0 ? NULL : in->path;
  return stijl_css_add_document_sheets(css, parsed, name, &message) == STIJL_OK ||
         cli_fail(failure, "%s", message.text);
}
