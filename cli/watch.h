// Ends the process where a limit of time has passed and the library goes on: in code that is not its own and cannot be
// interrupted (a driver's compiler, gumbo, FreeType), while it frees much memory, or on a machine that is busy.
#ifndef STIJL_CLI_WATCH_H
#define STIJL_CLI_WATCH_H

#include <stdbool.h>

#include "stijl/budget.h"

// Watches from now on: once the budget's limit of time or of processor time is passed by three hundredths of it, the
// process ends with `status` and the line that the library's own failure would make; files that are not complete are
// removed. Any number of budgets may follow one another, but not two be watched at a time. `subject` (may be NULL) and
// the budget stay valid until the end. `cpu`: whether the processor time of the process counts; not where a device
// works, since the threads of its driver are none of the job's.
void cli_watch_begin(const stijl_budget *budget, const char *subject, bool cpu, int status);
// Tells that what was asked for is made, and is written next. Limits that the user gave cover that, too; the default
// ones end here, as they do not know how slow a disk is, or who reads from a pipe.
void cli_watch_writing(const stijl_budget_params *limits);
// Watches no more. Where the process is just being ended, waits for that.
void cli_watch_end(void);

#endif
