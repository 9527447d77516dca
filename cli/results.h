// What becomes of the files of a batch: its journal, results, statistics and total.
#ifndef STIJL_CLI_RESULTS_H
#define STIJL_CLI_RESULTS_H

#include <pthread.h>

#include "file.h"
#include "journal.h"

typedef struct cli_results {
  const cli_options *options;
  const cli_jobs *jobs;
  pthread_mutex_t mutex;
  cli_journal journal;
  int fd;  // of the results; -1: none
  cli_output stats;
  bool stats_open, stats_begun;
  cli_json *waiting;  // statistics of the shard's jobs that are drawn behind one that is not yet
  bool *ended;        // jobs whose statistics are whole
  size_t next;        // the first job whose statistics are not written
  size_t drawn, skipped, failed;
  double start;
  bool opened;
  bool broken;  // a journal or the like could not be written: nothing further is begun
  cli_failure failure;
} cli_results;

// Opens what the options name.
bool cli_results_open(cli_results *results, cli_jobs *jobs, cli_failure *failure);
// Adds a job that has ended, from any thread. `pictures` NULL: the job is refused or was done before. `info`: of the
// input, before it was read; may be NULL. `json` is taken over, and may be NULL. Returns how many jobs have ended by
// now; 0: nothing further is to be begun.
size_t cli_results_add(cli_results *results, const cli_job *job, const struct stat *info, const cli_picture *pictures,
                       cli_json *json);
// Tells the total; false when something failed.
bool cli_results_close(cli_results *results);

#endif
