// What `stijl compare` was asked for.
#ifndef STIJL_CLI_COMPARE_H
#define STIJL_CLI_COMPARE_H

#include "command.h"
#include "stijl/budget.h"
#include "stijl/image.h"

typedef struct cli_compare_options {
  uint64_t max_bytes;         // of each file
  stijl_image_limits limits;  // of each picture
  stijl_budget_params budget;
} cli_compare_options;

extern const cli_option cli_compare_table[];

#endif
