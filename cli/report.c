#include "report.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool progress_shown;

bool cli_fail(cli_failure *failure, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(failure->text, sizeof failure->text, format, args);
  va_end(args);
  return false;
}

static void erase_progress(void) {
  if (progress_shown) fputs("\r\033[K", stderr);
  progress_shown = false;
}

void cli_report(const char *subject, const char *format, ...) {
  char line[5000];
  int used = snprintf(line, sizeof line, "stijl: %.4096s%s", subject ? subject : "", subject ? ": " : "");
  va_list args;
  va_start(args, format);
  vsnprintf(line + used, sizeof line - (size_t)used, format, args);
  va_end(args);
  for (char *p = line; *p; p++)
    if ((unsigned char)*p < ' ' || *p == 127) *p = '?';
  pthread_mutex_lock(&mutex);
  erase_progress();
  fprintf(stderr, "%s\n", line);
  pthread_mutex_unlock(&mutex);
}

void cli_progress(size_t done, size_t count) {
  if (!isatty(STDERR_FILENO)) return;
  pthread_mutex_lock(&mutex);
  fprintf(stderr, "\r%zu of %zu files\033[K", done, count);
  fflush(stderr);
  progress_shown = true;
  pthread_mutex_unlock(&mutex);
}

void cli_progress_end(void) {
  pthread_mutex_lock(&mutex);
  erase_progress();
  fflush(stderr);
  pthread_mutex_unlock(&mutex);
}
