// The options of `stijl lab`.
#include "command.h"
#include "lab.h"

#define AT(member) offsetof(cli_lab_options, member)

const cli_option cli_lab_table[] = {
    {CLI_TEXT, 0, "json", "FILE.json", AT(json), .complete = CLI_COMPLETE_FILE,
     .help = "all figures (- is standard output)"},
    {CLI_TEXT, 0, "html", "FILE.html", AT(html), .complete = CLI_COMPLETE_FILE,
     .help = "a page with plots, which needs nothing beside it (- is standard output)"},
    {CLI_TEXT, 0, "against", "FILE.json", AT(against), .complete = CLI_COMPLETE_FILE,
     .help = "compares the times with those of another run"},
    {CLI_TEXT, 0, "device", "NAME", AT(device),
     .help = "the device's index as stijl devices lists it, part of its name, or its type (default: the best)"},
    {CLI_FLAG, 0, "quick", NULL, AT(quick), .help = "small problems and few repetitions, as on software devices"},
    {CLI_FLAG, 0, "trace", NULL, AT(trace),
     .help = "access: the page has pictures of the addresses that 32 lanes touch"},
    CLI_COMMON_OPTIONS('h')};
