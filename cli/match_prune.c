// Writes style sheets without what no document needs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "match.h"
#include "uses.h"

typedef struct pruned {
  size_t sheet;
  char *path;   // where it goes; NULL: nowhere
  size_t base;  // bytes of it that name the folder of -o
} pruned;

// Returns whether a path is relative and leads nowhere else: sheets name those that they import, and may name anything.
static bool stays_below(const char *path) {
  if (*path == '/') return false;
  for (const char *at = path; at; at = strchr(at, '/'), at = at ? at + 1 : NULL)
    if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || !at[2])) return false;
  return true;
}

// Returns where a sheet lies below the folder of what was named on the command line, or NULL if it is not below that.
static const char *place_of(const stijl_css_sheet *sheet) {
  const char *slash = strrchr(sheet->root, '/');
  size_t folder = slash ? (size_t)(slash + 1 - sheet->root) : 0;
  const char *name = sheet->name;
  if (strncmp(name, sheet->root, folder) != 0) return NULL;
  return stays_below(name + folder) ? name + folder : NULL;
}

// The style elements of the page at hand, so far. Those of one page come one after the other.
typedef struct elements {
  const char *page;
  size_t count;
} elements;

// Places a sheet in FOLDER/NAME, and the style elements of a page in FOLDER/PAGE.html.N.css.
static bool place_in(const stijl_css *css, const char *folder, pruned *p, elements *e, cli_failure *failure) {
  stijl_css_sheet sheet = STIJL_CSS_SHEET_INIT;
  stijl_css_sheet_get(css, p->sheet, &sheet);
  const char *place = *sheet.name ? place_of(&sheet) : "standard-input";
  if (sheet.embedded && (!e->page || strcmp(e->page, sheet.name) != 0)) *e = (elements){sheet.name, 0};
  e->count += sheet.embedded;
  if (!place) {
    cli_report(NULL, "warning: %s lies outside of the folder of %s, and is not written", sheet.name, sheet.root);
    return true;
  }
  const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
  p->base = strlen(folder) + strlen(slash);
  int length = sheet.embedded ? asprintf(&p->path, "%s%s%s.%zu.css", folder, slash, place, e->count)
                              : asprintf(&p->path, "%s%s%s", folder, slash, place);
  if (length >= 0) return true;
  p->path = NULL;
  return cli_fail(failure, "out of memory");
}

static bool check(const cli_match_options *o, const stijl_css *css, const cli_match_inputs *in, const pruned *list,
                  size_t count, cli_failure *failure) {
  size_t sheets = stijl_css_sheet_count(css);
  cli_use *uses = calloc(in->document_count + sheets + count, sizeof *uses), *use = uses;
  if (!uses) return cli_fail(failure, "out of memory");
  for (size_t i = 0; i < in->document_count; i++) *use++ = (cli_use){in->documents[i].path, NULL, false, NULL};
  for (size_t i = 0; i < sheets; i++) {
    stijl_css_sheet sheet = STIJL_CSS_SHEET_INIT;
    stijl_css_sheet_get(css, i, &sheet);
    if (*sheet.name) *use++ = (cli_use){sheet.name, NULL, false, NULL};
  }
  for (size_t i = 0; i < count; i++) *use++ = (cli_use){list[i].path, "two sheets", true, NULL};
  bool good = cli_uses_check(uses, (size_t)(use - uses), o->force, " (--force does so)", failure);
  free(uses);
  return good;
}

static bool write_one(const stijl_css *css, const pruned *p, const unsigned char *used, cli_failure *failure) {
  cli_output output;
  stijl_message message = {""};
  if (p->base && !cli_make_folders(p->path, 1, failure)) return false;
  if (!cli_output_open(&output, p->path, failure)) return false;
  stijl_result result = stijl_css_prune(css, p->sheet, used, cli_output_write, &output, &message);
  if (result == STIJL_OK) return cli_output_commit(&output, failure);
  cli_fail(failure, "%s: %s", p->path, output.error ? strerror(output.error) : message.text);
  cli_output_abort(&output);
  return false;
}

bool cli_match_prune(const cli_match_options *o, const stijl_css *css, const cli_match_inputs *in,
                     const unsigned char *used, cli_failure *failure) {
  size_t sheets = stijl_css_sheet_count(css), count = 0, outermost = 0, length = o->output ? strlen(o->output) : 0;
  pruned *list = calloc(sheets + 1, sizeof *list);
  if (!list) return cli_fail(failure, "out of memory");
  for (size_t i = 0; i < sheets; i++) {
    stijl_css_sheet sheet = STIJL_CSS_SHEET_INIT;
    stijl_css_sheet_get(css, i, &sheet);
    outermost += sheet.importer == STIJL_CSS_NO_SHEET;
  }
  bool stream = !o->output || strcmp(o->output, "-") == 0, good = true;
  bool folder = !stream && (outermost > 1 || o->output[length - 1] == '/' || cli_is_folder(o->output));
  if (stream && outermost > 1) good = cli_fail(failure, "%zu style sheets need a folder: -o FOLDER", outermost);
  elements e = {NULL, 0};
  // One that goes elsewhere alone leaves those that it imports where they are.
  for (size_t i = 0; good && i < (folder ? sheets : 1); i++) {
    list[count].sheet = i;
    if (folder)
      good = place_in(css, o->output, &list[count], &e, failure);
    else
      good = (list[count].path = strdup(stream ? "-" : o->output)) || cli_fail(failure, "out of memory");
    count += list[count].path != NULL;
  }
  good = good && check(o, css, in, list, count, failure);
  for (size_t i = 0; good && i < count; i++) good = write_one(css, &list[i], used, failure);
  for (size_t i = 0; i < count; i++) free(list[i].path);
  free(list);
  return good;
}
