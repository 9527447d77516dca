// What `stijl match` was asked for.
#ifndef STIJL_CLI_MATCH_H
#define STIJL_CLI_MATCH_H

#include <stdatomic.h>

#include "report.h"
#include "stijl/budget.h"
#include "stijl/css.h"

typedef struct cli_match_options {
  bool json, unused, quiet, all_files, applied, strict;
  int repeat, threads, device;
  stijl_css_engine engine;
  const char *stats;
  stijl_css_params css;
  stijl_budget_params budget;  // of the whole command
  char **inputs;
  int input_count;
} cli_match_options;

typedef struct cli_match_times {
  double parse_ms, build_ms, index_ms, *match_ms;
  uint32_t elements;
  uint64_t pairs;
  double upload_ms, readback_ms;
  uint32_t on_cpu;
} cli_match_times;

// Prints each selector with the number of elements it matches, or with --json which they are. False: out of memory.
bool cli_match_print(const cli_match_options *o, const stijl_css *css, const stijl_css_matcher *matcher,
                     uint32_t elements);
// Prints the selectors that no element of any document matches.
bool cli_match_print_unused(const cli_match_options *o, const stijl_css *css, const atomic_uchar *used);
bool cli_match_write_stats(const cli_match_options *o, const stijl_css *css, const cli_match_times *t,
                           cli_failure *failure);

#endif
