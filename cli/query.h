// What `stijl query` was asked for.
#ifndef STIJL_CLI_QUERY_H
#define STIJL_CLI_QUERY_H

#include "report.h"
#include "stijl/stijl.h"

typedef struct cli_query_options {
  bool json, quiet;
  const char *id;                // NULL: all
  const char *at;                // "X,Y"; NULL: not given
  const char *resources_folder;  // NULL: the folder of the document
  stijl_svg_params svg;
  stijl_budget_params budget;
} cli_query_options;

#endif
