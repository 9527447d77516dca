// What the command says on standard error.
#ifndef STIJL_CLI_REPORT_H
#define STIJL_CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stijl/result.h"

// What went wrong, in one line.
typedef struct cli_failure {
  char text[512];
} cli_failure;

// Fills *failure and returns false.
__attribute__((format(printf, 2, 3))) bool cli_fail(cli_failure *failure, const char *format, ...);
// Does the same with the library's text, or the result's where that is empty. Says which option helps, where one does.
bool cli_fail_with_advice(cli_failure *failure, stijl_result result, const char *text);

// What cli_report writes, to be written later.
typedef struct cli_line {
  char text[5000];
} cli_line;

__attribute__((format(printf, 3, 4))) void cli_make_line(cli_line *line, const char *subject, const char *format, ...);

// "stijl: SUBJECT: text" as one line (control characters escaped, see print.h); `subject` may be NULL. From any thread.
__attribute__((format(printf, 2, 3))) void cli_report(const char *subject, const char *format, ...);

// Warnings of a file, or of a command for several, that are shown one by one.
#define CLI_MAX_WARNINGS 100
// Says how many more there were, if there were.
void cli_report_further_warnings(const char *subject, unsigned warnings);

// Shows a line that is overwritten by the next one, and gives way to reports; nothing when standard error is no
// terminal.
void cli_progress(uint64_t done, uint64_t count, const char *what);
void cli_progress_end(void);
// Takes the line of progress away without waiting for anything, so that signal handlers may call it.
void cli_progress_abandon(void);

#endif
