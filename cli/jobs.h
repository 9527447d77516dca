// Which files are drawn into which.
#ifndef STIJL_CLI_JOBS_H
#define STIJL_CLI_JOBS_H

#include "naming.h"

typedef struct cli_job {
  char *input;
  char *refused;  // why it is not drawn; NULL: it is
  uint32_t kept;  // where the part of the input's name begins that pictures are named by
  bool done;      // by an earlier run
} cli_job;

typedef struct cli_jobs {
  const cli_options *options;
  cli_naming naming;
  cli_job *list;
  size_t count, capacity;
  size_t first, end;  // those of the shard
} cli_jobs;

// Gathers the inputs, with what is below folders where -r asks for it. What concerns one input refuses that one; a
// failure concerns all. What is refused does not depend on the shard.
bool cli_jobs_plan(const cli_options *options, cli_jobs *jobs, cli_failure *failure);
void cli_jobs_finish(cli_jobs *jobs);

// Returns the name of the picture at a size; see cli_name_picture.
char *cli_job_output(const cli_jobs *jobs, const cli_job *job, int size, size_t *base);

#endif
