// The options of `stijl query`.
#include "command.h"
#include "query.h"

#define AT(member) offsetof(cli_query_options, member)

const cli_option cli_query_table[] = {
    {CLI_TEXT, 0, "id", "ID", AT(id), .help = "only the element with this id; it is an error when it draws nothing"},
    {CLI_TEXT, 0, "at", "X,Y", AT(at), .help = "only the topmost element at that point, in CSS pixels of the document",
     .more = "Without one, nothing is printed, and the exit status is 1."},
    {CLI_FLAG, 0, "json", NULL, AT(json),
     .help = "all elements that draw, also those without an id, and their transforms",
     .more = "Boxes are in the user space of each element, and under canvas in CSS pixels of the document."},
    {CLI_FLAG, 'q', "quiet", NULL, AT(quiet), .help = "no warnings"},
    {CLI_TIME, 0, "time", "SECONDS", AT(svg.time), 0, 1e9,
     .help = "when animations are looked at, or end: when all that end have ended (default 0)",
     .more =
         "Seconds from the document's begin. Animations that never end are drawn as they stand when the others end."},
    {CLI_FLOAT, 0, "dpi", "N", AT(svg.dpi), 1, 10000,
     .help = "pixels per inch for in, cm, mm, Q, pt and pc (default 96)"},
    {CLI_TEXT, 0, "language", "LIST", AT(svg.language),
     .help = "languages for systemLanguage, separated by commas (default en)"},
    {CLI_TEXT, 0, "resources-dir", "FOLDER", AT(resources_folder), .complete = CLI_COMPLETE_FOLDER,
     .help = "the folder that images may come from (default: that of the document)"},
    {CLI_FLAG, 0, "allow-all-files", NULL, AT(svg.allow_all_files), .help = "images may come from any folder"},
    {CLI_U64, 0, "max-bytes", "N", AT(svg.limits.max_bytes), 1, (double)(SIZE_MAX / 8),
     .help = "of the document, unpacked (default 268435456)"},
    {CLI_DOUBLE, 0, "max-seconds", "N", AT(budget.max_seconds), 0.001, 1e6,
     .help = "by the clock, for all of it (default: ten times those of the processor)"},
    {CLI_DOUBLE, 0, "max-cpu-seconds", "N", AT(budget.max_cpu_seconds), 0.001, 1e6,
     .help = "of the processor, for all of it (default 4, and more for large files; none with --max-seconds)"},
    {CLI_U64, 0, "max-memory", "N", AT(budget.max_memory), 1, CLI_MAX_U64,
     .help = "bytes (default 301989888, and more for large files)"},
    {CLI_HEADING, .help = ""},
    CLI_COMMON_OPTIONS('h')};
