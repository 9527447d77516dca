#include "report.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "print.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool progress_shown;

// Takes away a character of which the end of the text has but a part.
static void leave_out_part(char *text) {
  const char *at = text, *end = text + strlen(text);
  for (const char *from = at; at < end; from = at)
    if (cli_next_character(&at, end) < 0 && end - from < 4) text[from - text] = 0, end = from;
}

bool cli_fail(cli_failure *failure, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = vsnprintf(failure->text, sizeof failure->text, format, args);
  va_end(args);
  if (length >= (int)sizeof failure->text) leave_out_part(failure->text);
  return false;
}

bool cli_fail_with_advice(cli_failure *failure, stijl_result result, const char *text) {
  const char *advice = "";
  if (result == STIJL_ERROR_LIMIT) advice = " (the --max-... options set the limits)";
  if (result == STIJL_ERROR_REFUSED) advice = " (see --resources-dir and --allow-all-files)";
  return cli_fail(failure, "%s%s", *text ? text : stijl_result_string(result), advice);
}

static void erase_progress(void) {
  if (progress_shown) fputs("\r\033[K", stderr);
  progress_shown = false;
}

__attribute__((format(printf, 3, 0))) static void make_line(cli_line *line, const char *subject, const char *format,
                                                            va_list args) {
  cli_line raw;
  int used = snprintf(raw.text, sizeof raw.text, "stijl: %.4096s%s", subject ? subject : "", subject ? ": " : "");
  vsnprintf(raw.text + used, sizeof raw.text - (size_t)used, format, args);
  cli_escape(line->text, sizeof line->text - 1, raw.text, strlen(raw.text));
  strcat(line->text, "\n");
}

void cli_make_line(cli_line *line, const char *subject, const char *format, ...) {
  va_list args;
  va_start(args, format);
  make_line(line, subject, format, args);
  va_end(args);
}

void cli_report(const char *subject, const char *format, ...) {
  cli_line line;
  va_list args;
  va_start(args, format);
  make_line(&line, subject, format, args);
  va_end(args);
  pthread_mutex_lock(&mutex);
  erase_progress();
  fputs(line.text, stderr);
  pthread_mutex_unlock(&mutex);
}

void cli_report_further_warnings(const char *subject, unsigned warnings) {
  if (warnings > CLI_MAX_WARNINGS) cli_report(subject, "warning: %u further warnings", warnings - CLI_MAX_WARNINGS);
}

void cli_progress(uint64_t done, uint64_t count, const char *what) {
  static atomic_int terminal = -1;
  if (terminal < 0) terminal = isatty(STDERR_FILENO);
  if (!terminal) return;
  pthread_mutex_lock(&mutex);
  fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " %s\033[K", done, count, what);
  fflush(stderr);
  progress_shown = true;
  pthread_mutex_unlock(&mutex);
}

void cli_progress_abandon(void) {
  static const char erase[] = "\r\033[K";
  if (atomic_load(&progress_shown) && write(STDERR_FILENO, erase, sizeof erase - 1) < 0) return;
}

void cli_progress_end(void) {
  pthread_mutex_lock(&mutex);
  erase_progress();
  fflush(stderr);
  pthread_mutex_unlock(&mutex);
}
