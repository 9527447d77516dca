// The options of `stijl fonts`.
#include "fonts.h"

const cli_option cli_fonts_table[] = {
    {CLI_FLAG, 0, "json", NULL, offsetof(cli_fonts_options, json), .help = "as a JSON object"},
    {CLI_FLAG, 'q', "quiet", NULL, offsetof(cli_fonts_options, quiet), .help = "no warnings, only errors"},
    CLI_FONT_OPTIONS(cli_fonts_options),
    {CLI_U64, 0, "max-bytes", "N", offsetof(cli_fonts_options, svg.limits.max_bytes), 1, (double)(SIZE_MAX / 8),
     .help = "of the document, unpacked (default 268435456)"},
    CLI_COMMON_OPTIONS('h')};
