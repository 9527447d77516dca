// What `stijl match` was asked for, and how its parts work together: match_inputs.c reads documents, match_search.c
// finds the selectors that several of them need, match_prune.c writes sheets, match_print.c tells.
#ifndef STIJL_CLI_MATCH_H
#define STIJL_CLI_MATCH_H

#include <pthread.h>
#include <stdatomic.h>

#include "command.h"
#include "report.h"
#include "stijl/budget.h"
#include "stijl/css.h"

typedef struct cli_match_options {
  bool json, unused, prune, page_sheets, force, quiet, all_files, applied, strict;
  int repeat, threads, device;
  stijl_css_engine engine;
  const char *stats;
  const char *output;  // of pruned sheets: a file, a folder, or "-"; NULL: standard output
  cli_list keep;       // regular expressions
  stijl_css_params css;
  stijl_budget_params budget;  // of the whole command
  char **inputs;
  int input_count;
} cli_match_options;

// --- match_inputs.c ---

typedef struct cli_match_document {
  const char *path;
  unsigned char *data;  // NULL until it is read
  size_t bytes;
} cli_match_document;

typedef struct cli_match_inputs {
  cli_match_document *documents;
  const char **sheets;
  size_t document_count, sheet_count;
  bool page_sheets;  // those that the documents hold and name belong to them
} cli_match_inputs;

// Tells documents and sheets apart, and refuses what cannot be asked for. To be finished, also after a failure.
bool cli_match_sort(const cli_match_options *o, cli_match_inputs *inputs, cli_failure *failure);
void cli_match_inputs_finish(cli_match_inputs *inputs);
// Reads the bytes of a document; does nothing where it has them.
bool cli_match_read(const cli_match_options *o, cli_match_document *document, cli_failure *failure);
// Frees them, unless they come from standard input, which cannot be read again.
void cli_match_forget(cli_match_document *document);
// Reads and parses.
bool cli_match_load(const cli_match_options *o, stijl_context *context, cli_match_document *document,
                    stijl_css_document **out, cli_failure *failure);
// Adds the sheets that a document holds and names.
bool cli_match_add_page(stijl_css *css, const cli_match_document *document, const stijl_css_document *parsed,
                        cli_failure *failure);

// --- match.c ---

typedef struct cli_match_times {
  double parse_ms, build_ms, index_ms, *match_ms;
  uint32_t elements;
  uint64_t pairs;
  double upload_ms, readback_ms;
  uint32_t on_cpu;
} cli_match_times;

// Matches a document as often as is asked for; the caller destroys *matcher. `times` may be NULL.
bool cli_match_run(const cli_match_options *o, const stijl_css *css, stijl_css_document *document, int threads,
                   stijl_css_matcher **matcher, cli_match_times *times, cli_failure *failure);

// --- match_search.c ---

// Finds which selectors match an element of any document, or are kept (--keep): a byte for each, which the caller
// frees.
bool cli_match_search(const cli_match_options *o, stijl_budget *budget, const stijl_css *css, cli_match_inputs *inputs,
                      unsigned char **used, cli_failure *failure);

// --- match_prune.c ---

// Writes the sheets without the selectors that are not used.
bool cli_match_prune(const cli_match_options *o, const stijl_css *css, const cli_match_inputs *inputs,
                     const unsigned char *used, cli_failure *failure);

// --- match_print.c ---

// Returns the selector on one line, which the caller frees; NULL when memory is short.
char *cli_match_text(const stijl_css_selector *selector);
// Prints each selector with the number of elements it matches, or with --json which they are. Returns false when memory
// is short.
bool cli_match_print(const cli_match_options *o, const stijl_css *css, const stijl_css_matcher *matcher,
                     uint32_t elements);
// Prints the selectors that are not used.
bool cli_match_print_unused(const cli_match_options *o, const stijl_css *css, const unsigned char *used);
bool cli_match_write_stats(const cli_match_options *o, const stijl_css *css, const cli_match_times *t,
                           cli_failure *failure);

#endif
