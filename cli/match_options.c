// The options of `stijl match`.
#include "command.h"
#include "match.h"

#define AT(member) offsetof(cli_match_options, member)
#define LIMIT(member) offsetof(cli_match_options, css.limits.member)

const cli_option cli_match_table[] = {
    {CLI_FLAG, 0, "json", NULL, AT(json),
     .help = "all selectors with the elements they match, numbered in document order"},
    {CLI_FLAG, 0, "unused", NULL, AT(unused),
     .help = "only the selectors that match nothing in any of the documents, with file and line",
     .more = "States such as :hover are then taken for possible, and pseudo-elements for their elements."},
    {CLI_FLAG, 0, "prune", NULL, AT(prune),
     .help = "writes the style sheets without the rules that match nothing in any of the documents",
     .more = "States count as with --unused. Other at-rules stay (@font-face, @keyframes, @layer and so on), and what "
             "stays is as it was written. In a folder sheets that others import are written too."},
    {CLI_TEXT, 'o', "output", "FILE", AT(output), .complete = CLI_COMPLETE_FILE,
     .help = "where --prune writes to; for several sheets a folder (default: standard output)"},
    {CLI_FLAG, 0, "force", NULL, AT(force), .help = "lets an output replace an input"},
    {CLI_LIST, 0, "keep", "REGEX", AT(keep),
     .help = "selectors that match this count as used; may be given several times",
     .more = "A POSIX extended regular expression that is found anywhere in the selector, for classes that only "
             "scripts set."},
    {CLI_FLAG, 0, "page-sheets", NULL, AT(page_sheets),
     .help = "also the sheets that the documents hold and name (default where no sheet is named)",
     .more = "These are style elements, links to files in the document's folder or below it, and xml-stylesheet."},
    {CLI_WORD, 0, "engine", "NAME", AT(engine), .complete = CLI_COMPLETE_WORDS, .words = "reference cpu vulkan",
     .help = "reference, cpu (default) or vulkan; all give the same"},
    {CLI_INT, 0, "device", "N", AT(device), 0, 255,
     .help = "with vulkan: its index as stijl devices lists it (default: the best)"},
    {CLI_INT, 0, "threads", "N", AT(threads), 0, 256, .help = "default: one for each processor"},
    {CLI_FLAG, 0, "applied", NULL, AT(applied),
     .help = "only rules whose @media, @supports and @import conditions hold (default: all)"},
    {CLI_TEXT, 0, "media", "TYPE", AT(css.medium.type), .complete = CLI_COMPLETE_WORDS, .words = "all print screen",
     .help = "the medium for these conditions (default screen)"},
    {CLI_DOUBLE, 0, "width", "PX", AT(css.medium.width), 0, 1e6, .help = "of the viewport (default 1280)"},
    {CLI_DOUBLE, 0, "height", "PX", AT(css.medium.height), 0, 1e6, .help = "of the viewport (default 800)"},
    {CLI_FLAG, 0, "dark", NULL, AT(css.medium.dark), .help = "the medium prefers dark colours"},
    {CLI_FLAG, 0, "allow-all-files", NULL, AT(all_files),
     .help = "sheets may be read that lie outside of the folder of what names them"},
    {CLI_INT, 0, "repeat", "N", AT(repeat), 1, 1000000, .help = "matches N times, to measure"},
    {CLI_TEXT, 0, "stats", "FILE.json", AT(stats), .complete = CLI_COMPLETE_FILE, .help = "times and sizes"},
    {CLI_FLAG, 0, "strict", NULL, AT(strict),
     .help = "a warning is an error: no answer where a rule or a sheet is left out"},
    {CLI_FLAG, 'q', "quiet", NULL, AT(quiet), .help = "no warnings"},

    {CLI_HEADING, .help = "Limits, against hostile files; reaching one is an error that names it"},
    {CLI_U64, 0, "max-bytes", "N", LIMIT(max_bytes), 1, UINT32_MAX - 1, .help = "of each file"},
    {CLI_U32, 0, "max-elements", "N", LIMIT(max_elements), 1, UINT32_MAX / 4, .help = "of a document"},
    {CLI_U32, 0, "max-depth", "N", LIMIT(max_depth), 1, UINT32_MAX / 4, .help = "of a document's nesting"},
    {CLI_U32, 0, "max-selectors", "N", LIMIT(max_selectors), 1, UINT32_MAX / 4, .help = "of all style sheets"},
    {CLI_U64, 0, "max-matches", "N", LIMIT(max_matches), 0, UINT32_MAX - 1, .help = "pairs of selector and element"},
    {CLI_DOUBLE, 0, "max-seconds", "N", AT(budget.max_seconds), 0.001, 1e6,
     .help = "by the clock, for all of it (default: ten times those of the processor; with --repeat any)"},
    {CLI_DOUBLE, 0, "max-cpu-seconds", "N", AT(budget.max_cpu_seconds), 0.001, 1e6,
     .help = "of the processor, for all of it (default 4, and more for large files; none with --max-seconds)"},
    {CLI_U64, 0, "max-memory", "N", AT(budget.max_memory), 1, CLI_MAX_U64,
     .help = "bytes (default 301989888, and more for large files)"},
    {CLI_U64, 0, "max-work", "N", AT(budget.max_work), 1, CLI_MAX_U64,
     .help = "steps, counted the same on every machine (default 2000000000, and more as above)"},
    {CLI_HEADING, .help = ""},
    CLI_COMMON_OPTIONS('h')};
