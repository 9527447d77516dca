// The options of `stijl view`.
#include "command.h"
#include "view.h"

#define AT(member) offsetof(cli_view_options, member)

const cli_option cli_view_table[] = {
    {CLI_INT, 'w', "width", "N", AT(width), 1, 16384, .help = "pixels of the window (default 960)"},
    {CLI_INT, 'h', "height", "N", AT(height), 1, 16384, .help = "pixels of the window (default 720)"},
    {CLI_WORD, 'b', "backend", "NAME", AT(backend), .complete = CLI_COMPLETE_WORDS, .words = "cpu vulkan",
     .help = "what draws first (default cpu); g changes it"},
    {CLI_TEXT, 0, "device", "NAME", AT(device), .help = "for vulkan: part of the device's name, or its type"},
    {CLI_INT, 'j', "threads", "N", AT(threads), 0, 256, .help = "of the CPU; 0: one for each processor (default)"},
    {CLI_DOUBLE, 0, "time", "SECONDS", AT(time), 0, 1e9, .help = "when animations are looked at first (default 0)"},
    {CLI_FLAG, 0, "play", NULL, AT(plays), .help = "plays animations from there"},
    {CLI_HEADING, .help = ""},
    CLI_COMMON_OPTIONS(0)};
