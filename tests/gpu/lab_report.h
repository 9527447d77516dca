// Runs the lab's instruments on the device of STIJL_TEST_DEVICE, and reads their reports.
#ifndef SJ_TEST_LAB_REPORT_H
#define SJ_TEST_LAB_REPORT_H

#include "gpu/device.h"

#define NEEDS_DEVICE \
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)")
#define NEEDS_GLSLC \
  if (system("glslc --version >/dev/null 2>&1") != 0) SKIP("no glslc")

// Returns parameters for a quick run on the device.
stijl_lab_params lab_params(void);
// Runs an instrument quickly, on a file or, with NULL, on none. The caller destroys the report.
stijl_result lab_try(const char *name, const char *file, stijl_lab_report **report, stijl_message *message);
// Does the same where it has to succeed without a word; NULL, and the test has failed, where it does not.
stijl_lab_report *lab_run(const char *name, const char *file);

// Checks what every report has to be, and that it has a table of so many rows; 0: any number.
void lab_check(const stijl_lab_report *report, const char *table, uint32_t rows);
// Returns whether brackets and quotes are closed in their order.
bool lab_is_balanced(const char *json);

// Writes a text to a new file, whose name is made of `path`, a template as mkstemp takes it. The caller removes it.
void lab_write(char *path, const char *text);

#endif
