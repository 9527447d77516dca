// What `stijl lab` was asked for.
#ifndef STIJL_CLI_LAB_H
#define STIJL_CLI_LAB_H

#include <stdbool.h>

typedef struct cli_lab_options {
  const char *json, *html;  // files; NULL: none
  const char *against;      // a file with JSON of another run; NULL: none
  const char *device;       // index, part of a name, or type; NULL: not given
  bool quick, trace;
} cli_lab_options;

#endif
