#include "watch.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "report.h"
#include "temporary.h"

#define LEAST_GRACE 0.02
#define GRACE 0.03  // of the limit: ending takes time too

// The handler ends the process only if it takes the state from WATCHING to ENDING.
typedef enum state { IDLE, WATCHING, ENDING } state;

static atomic_int watch_state;
static const stijl_budget *watched;
static double grace;
static cli_line line;

static void set_timer(double seconds) {
  struct itimerval timer = {.it_value = {(time_t)seconds, (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6) + 1}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

// The limit may have grown since the timer was set.
static void on_alarm(int number) {
  (void)number;
  int seen = WATCHING;
  if (atomic_load(&watch_state) != WATCHING) return;
  double left = stijl_budget_seconds_left(watched) + grace;
  if (left > 0) {
    set_timer(left);
    return;
  }
  if (!atomic_compare_exchange_strong(&watch_state, &seen, ENDING)) return;
  cli_temporary_end();
  cli_progress_abandon();
  if (write(STDERR_FILENO, line.text, strlen(line.text)) < 0) _exit(1);
  _exit(1);
}

void cli_watch_begin(const stijl_budget *budget, const char *subject) {
  double left = stijl_budget_seconds_left(budget);
  if (!(left < 1e6)) return;
  grace = left * GRACE > LEAST_GRACE ? left * GRACE : LEAST_GRACE;
  watched = budget;
  cli_make_line(&line, subject, "it takes longer than max_seconds (--max-seconds sets the limit)");
  atomic_store(&watch_state, WATCHING);
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  set_timer(left > 0 ? left + grace : grace);
}

void cli_watch_writing(const stijl_budget_params *limits) {
  if (!(limits->max_seconds > 0)) cli_watch_end();
}

void cli_watch_end(void) {
  int seen = WATCHING;
  if (atomic_compare_exchange_strong(&watch_state, &seen, IDLE)) setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
  while (seen == ENDING) pause();
}
