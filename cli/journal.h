// What a batch has done, so that a run that was killed can be resumed: a file of JSON lines, to which is only added.
//
//   {"stijl": VERSION, "options": TEXT, "run": TAG}          of each run; a journal begins with one
//   {"input": NAME, "status": "drawn", "bytes": N, "modified": TIME, "outputs": [{"output": NAME, "bytes": N}, ...],
//    "seconds": N}                                           once all pictures of the input are in their places
//   {"input": NAME, "status": "failed", "message": TEXT}
//
// A line is written at once, behind the pictures: a process that is killed in between draws them anew when it is
// resumed. The last line of an input counts. A last line without its end is dropped. Names of files are as
// cli_json_name has them.
#ifndef STIJL_CLI_JOURNAL_H
#define STIJL_CLI_JOURNAL_H

#include <sys/stat.h>

#include "render.h"

typedef struct cli_journal {
  const char *path;
  int fd;      // -1: none
  off_t size;  // up to the end of the last whole line
} cli_journal;

// Opens the journal of the options and takes it for this process, until it is closed. With --resume marks the jobs that
// are done, and removes temporary files that its earlier runs have left beside the pictures of others.
bool cli_journal_open(cli_journal *journal, cli_jobs *jobs, cli_failure *failure);
// Adds a job that has ended. `info` is of the input, before it was read; NULL: there is none. Several threads may not
// call this at a time.
bool cli_journal_add(cli_journal *journal, const cli_job *job, const struct stat *info, const cli_picture *pictures,
                     const uint64_t *bytes, int count, cli_failure *failure);
void cli_journal_close(cli_journal *journal);

#endif
