#include "report.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool progress_shown;

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

// Replaces a character that a terminal would obey by question marks; returns the bytes of it but one. In UTF-8 these
// are, beside those of ASCII, U+0080 to U+009F and what turns the direction of writing: a file's name is anybody's
// text.
static size_t mask_control(unsigned char *p) {
  size_t length = 0;
  if (*p < ' ' || *p == 127) length = 1;
  if (*p == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f) length = 2;
  if (*p == 0xe2 && ((p[1] == 0x80 && ((p[2] >= 0xaa && p[2] <= 0xae) || p[2] == 0x8e || p[2] == 0x8f)) ||
                     (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9)))
    length = 3;
  memset(p, '?', length);
  return length ? length - 1 : 0;
}

__attribute__((format(printf, 3, 0)))
static void make_line(cli_line *line, const char *subject, const char *format, va_list args) {
  size_t room = sizeof line->text - 1;
  int used = snprintf(line->text, room, "stijl: %.4096s%s", subject ? subject : "", subject ? ": " : "");
  vsnprintf(line->text + used, room - (size_t)used, format, args);
  for (unsigned char *p = (unsigned char *)line->text; *p; p++) p += mask_control(p);
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
  if (warnings > CLI_MAX_WARNINGS)
    cli_report(subject, "warning: %u further warnings", warnings - CLI_MAX_WARNINGS);
}

void cli_progress(size_t done, size_t count) {
  if (!isatty(STDERR_FILENO)) return;
  pthread_mutex_lock(&mutex);
  fprintf(stderr, "\r%zu of %zu files\033[K", done, count);
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
