// The options of `stijl compare`.
#include <stdint.h>

#include "compare.h"

#define AT(member) offsetof(cli_compare_options, member)
#define MAX_PIXELS ((double)((uint64_t)1 << 40))

const cli_option cli_compare_table[] = {
    {CLI_HEADING, .help = "Limits, against hostile files; reaching one is an error that names it"},
    {CLI_U64, 0, "max-pixels", "N", AT(limits.max_pixels), 1, MAX_PIXELS,
     .help = "of each picture (default 268435456)"},
    {CLI_U64, 0, "max-bytes", "N", AT(max_bytes), 1, (double)(SIZE_MAX / 8),
     .help = "of each file (default 268435456)"},
    {CLI_DOUBLE, 0, "max-seconds", "N", AT(budget.max_seconds), 0.001, 1e6,
     .help = "by the clock (default: ten times those of the processor)"},
    {CLI_DOUBLE, 0, "max-cpu-seconds", "N", AT(budget.max_cpu_seconds), 0.001, 1e6,
     .help = "of the processor (default 4, and more for large files; none with --max-seconds)"},
    {CLI_U64, 0, "max-memory", "N", AT(budget.max_memory), 1, CLI_MAX_U64,
     .help = "bytes beside the files (default 301989888)",
     .more = "Pictures are read a row at a time, but interlaced PNG, JPEG, WebP and GIF as a whole."},
    {CLI_HEADING, .help = ""},
    CLI_COMMON_OPTIONS('h')};
