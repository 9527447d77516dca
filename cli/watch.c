#include "watch.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "report.h"
#include "temporary.h"

#define LEAST_GRACE 0.02
#define GRACE 0.03  // of the limit: ending takes time too
#define NEVER 1e6   // seconds, for which no timer is set

// The handler ends the process only if it takes the state from WATCHING to ENDING.
typedef enum state { IDLE, WATCHING, ENDING } state;

// Of a kind of time.
typedef struct timer {
  int number;    // of the signal
  double grace;  // seconds beyond the limit
  cli_line line;
} timer;

static atomic_int watch_state;
static const stijl_budget *watched;
static double cpu_before;  // of the process, when the watch began
static int exit_status;    // of the process that is ended
static timer by_clock = {.number = SIGALRM};
static timer by_cpu = {.number = SIGPROF};

static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Returns the seconds that are left. The library counts the processor time of its threads when it looks, which is what
// it may have ceased to do: the process, which does nothing else, is asked.
static double seconds_left(const timer *of) {
  if (of == &by_clock) return stijl_budget_seconds_left(watched);
  stijl_budget_params limits = STIJL_BUDGET_PARAMS_INIT;
  stijl_budget_limits(watched, &limits);
  return limits.max_cpu_seconds - (cpu_now() - cpu_before);
}

static void set_timer(const timer *of, double seconds) {
  struct itimerval value = {
      .it_value = {(time_t)seconds, (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6) + 1}};
  setitimer(of == &by_clock ? ITIMER_REAL : ITIMER_PROF, &value, NULL);
}

// Ends the process, unless the limit has grown since the timer was set.
static void on_signal(int number) {
  const timer *of = number == by_clock.number ? &by_clock : &by_cpu;
  int seen = WATCHING;
  if (atomic_load(&watch_state) != WATCHING) return;
  double left = seconds_left(of) + of->grace;
  if (left > 0) {
    set_timer(of, left < NEVER ? left : NEVER);
    return;
  }
  if (!atomic_compare_exchange_strong(&watch_state, &seen, ENDING)) return;
  cli_temporary_end();
  cli_progress_abandon();
  if (write(STDERR_FILENO, of->line.text, strlen(of->line.text)) < 0) _exit(exit_status);
  _exit(exit_status);
}

static void begin(timer *of, const char *subject, const char *text) {
  double left = seconds_left(of);
  if (!(left < NEVER)) return;
  of->grace = fmax(left * GRACE, LEAST_GRACE);
  cli_make_line(&of->line, subject, "%s", text);
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  sigaction(of->number, &action, NULL);
  set_timer(of, left > 0 ? left + of->grace : of->grace);
}

void cli_watch_begin(const stijl_budget *budget, const char *subject, bool cpu, int status) {
  watched = budget;
  exit_status = status;
  cpu_before = cpu_now();
  atomic_store(&watch_state, WATCHING);
  begin(&by_clock, subject, "it takes longer than max_seconds (--max-seconds sets the limit)");
  if (cpu)
    begin(&by_cpu, subject, "it takes more processor time than max_cpu_seconds (--max-cpu-seconds sets the limit)");
}

void cli_watch_writing(const stijl_budget_params *limits) {
  if (!(limits->max_seconds > 0) && !(limits->max_cpu_seconds > 0)) cli_watch_end();
}

void cli_watch_end(void) {
  int seen = WATCHING;
  if (atomic_compare_exchange_strong(&watch_state, &seen, IDLE)) {
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
  }
  while (seen == ENDING) pause();
}
