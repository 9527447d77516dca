// The command's watch ends a process that goes on when a limit of time has passed, and no other.
#include "watch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "temporary.h"
#include "test.h"

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Passes time without looking at the budget.
static void spin(double seconds) {
  for (double end = seconds_now() + seconds; seconds_now() < end;) {
  }
}

static stijl_budget *budget_of(double seconds) {
  stijl_budget_params params = STIJL_BUDGET_PARAMS_INIT;
  params.max_seconds = seconds;
  stijl_budget *budget = NULL;
  CHECK_INT(stijl_budget_create(NULL, &params, &budget), STIJL_OK);
  return budget;
}

// Runs in a process of its own, with what it says on standard error in *said; returns its status.
static int run_apart(void (*run)(const char *), const char *argument, char *said, size_t size) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    run(argument);
    _exit(7);
  }
  close(ends[1]);
  size_t used = 0;
  for (ssize_t n; used < size - 1 && (n = read(ends[0], said + used, size - 1 - used)) > 0;) used += (size_t)n;
  said[used] = 0;
  close(ends[0]);
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void go_on(const char *path) {
  int fd;
  CHECK(cli_temporary_create(path, &fd));
  cli_watch_begin(budget_of(0.05), "a.svg", true, 1);
  spin(5);
}

TEST(work_that_never_looks_at_the_clock_is_ended) {
  char folder[] = "/tmp/stijl-watch-XXXXXX", path[64], said[200];
  CHECK(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/out.png", folder);
  double start = seconds_now();
  CHECK_INT(run_apart(go_on, path, said, sizeof said), 1);
  CHECK(seconds_now() - start < 4);
  CHECK_STR(said, "stijl: a.svg: it takes longer than max_seconds (--max-seconds sets the limit)\n");
  CHECK(rmdir(folder) == 0);  // the file that was not complete is gone
}

// Works for seconds, or sleeps, which takes none of the processor: a machine that is busy with something else ends
// nothing.
static void go_on_by_default(const char *sleeping) {
  stijl_budget_params params = STIJL_BUDGET_PARAMS_INIT;
  params.max_seconds = 1000;
  params.max_cpu_seconds = 0.1;
  stijl_budget *budget = NULL;
  CHECK_INT(stijl_budget_create(NULL, &params, &budget), STIJL_OK);
  cli_watch_begin(budget, "a.svg", true, 1);
  struct timespec pause = {.tv_nsec = 300000000};
  if (sleeping)
    nanosleep(&pause, NULL);
  else
    spin(5);
  cli_watch_end();
}

TEST(processor_time_is_watched) {
  char said[200];
  CHECK_INT(run_apart(go_on_by_default, NULL, said, sizeof said), 1);
  CHECK_STR(said,
            "stijl: a.svg: it takes more processor time than max_cpu_seconds (--max-cpu-seconds sets the limit)\n");
  CHECK_INT(run_apart(go_on_by_default, "sleeping", said, sizeof said), 7);
  CHECK_STR(said, "");
}

static void be_done(const char *argument) {
  (void)argument;
  stijl_budget *budget = budget_of(0.02);
  cli_watch_begin(budget, NULL, true, 1);
  cli_watch_end();
  stijl_budget_destroy(budget);
  spin(0.1);
}

TEST(what_is_done_in_time_is_not_ended) {
  char said[200];
  CHECK_INT(run_apart(be_done, NULL, said, sizeof said), 7);
  CHECK_STR(said, "");
}

static void begin_anew(const char *argument) {
  (void)argument;
  stijl_budget *budget = budget_of(0.5);
  cli_watch_begin(budget, NULL, true, 1);
  for (double end = seconds_now() + 0.8; seconds_now() < end;) stijl_budget_restart(budget);
  cli_watch_end();
}

TEST(the_limit_as_it_stands_counts) {
  char said[200];
  CHECK_INT(run_apart(begin_anew, NULL, said, sizeof said), 7);
  CHECK_STR(said, "");
}
