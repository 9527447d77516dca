// Which file is drawn into which.
#ifndef STIJL_CLI_JOBS_H
#define STIJL_CLI_JOBS_H

#include "json.h"
#include "options.h"

typedef struct cli_job {
  char *input;
  size_t kept;   // where the part of the input's name begins that the output in a folder keeps
  char *output;  // NULL: refused, and that has been reported
  size_t base;   // bytes of the output that name the folder of -o; folders behind it are made when needed. 0: none
  cli_json stats;
} cli_job;

typedef struct cli_jobs {
  cli_job *list;
  size_t count, capacity;
  bool failed;  // something was refused or could not be read
} cli_jobs;

// The inputs, with what is below folders where -r asks for it, and their outputs. What concerns one input is reported
// and refuses that one; a failure concerns all.
bool cli_jobs_plan(const cli_options *options, cli_jobs *jobs, cli_failure *failure);
void cli_jobs_finish(cli_jobs *jobs);
// The folders between that of -o and the output.
bool cli_job_make_folders(const cli_job *job, cli_failure *failure);

#endif
