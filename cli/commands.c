#include "commands.h"

#include <stdbool.h>

#include "command.h"
#include "compare.h"
#include "fonts.h"

static const cli_option devices_options[] = {
    {CLI_FLAG, 0, "json", NULL, offsetof(cli_devices_options, json), .help = "as a JSON object"},
    CLI_COMMON_OPTIONS('h')};

static const cli_option plain_options[] = {CLI_COMMON_OPTIONS('h')};

const cli_command cli_commands[CLI_COMMANDS] = {
    [CLI_RENDER] = {.name = "render",
                    .usage = "[OPTION]... IN.svg [OUT.png]\n"
                             "[OPTION]... IN.svg... -o FOLDER\n"
                             "[OPTION]... -r FOLDER... -o FOLDER\n"
                             "[OPTION]... --files-from LIST -o FOLDER\n"
                             "[OPTION]... IN.svg... -o OUT.pdf",
                    .summary = "draws SVG files as pictures",
                    .about = "Draws SVG files as PNG pictures, or as what the name of the picture ends in:\n"
                             ".webp, .jpg, .ppm, .pam, .rgba. Without OUT.png and -o the picture goes to\n"
                             "standard output; without IN.svg, or for -, the document comes from standard\n"
                             "input. Several inputs are drawn side by side into the folder given by -o,\n"
                             "or, in their order, as pages of one PDF file.\n"
                             "A scene that --save-scene has saved is an input like a document.\n"
                             "The word render may be left out.",
                    .options = cli_render_table,
                    .operands = CLI_COMPLETE_SVG,
                    .wrong = 1},
    [CLI_TILES] = {.name = "tiles",
                   .usage = "[OPTION]... IN.svg -o FOLDER",
                   .summary = "draws a document as a pyramid of tiles",
                   .about = "Draws an SVG file, or a saved scene, as tiles at all sizes, for viewers that\n"
                            "show a part at a time: Deep Zoom, XYZ, IIIF, PMTiles. Each level is drawn anew.",
                   .options = cli_tiles_table,
                   .operands = CLI_COMPLETE_SVG,
                   .wrong = 1},
    [CLI_FRAMES] = {.name = "frames",
                    .usage = "[OPTION]... IN.svg -o FOLDER\n"
                             "[OPTION]... IN.svg -o NAME.apng | NAME.webp\n"
                             "[OPTION]... IN.svg --format y4m -o - | ffmpeg -i - NAME.mp4",
                    .summary = "draws an animated document as frames",
                    .about = "Draws an animated SVG file, time after time, as PNG files in a folder, as an\n"
                             "animated PNG or WebP picture, or as raw frames for a video encoder. - is\n"
                             "standard input.",
                    .options = cli_frames_table,
                    .operands = CLI_COMPLETE_SVG,
                    .wrong = 1},
    [CLI_COMPARE] = {.name = "compare",
                     .usage = "[OPTION]... A.png B.png",
                     .summary = "counts the pixels that differ",
                     .about = "Counts the pixels that differ between two pictures (PNG, JPEG, WebP or GIF), and\n"
                              "the largest difference in a channel (of premultiplied colours, 0..255).\n"
                              "Exit status: 0 when they are identical, 1 when they differ, 2 on errors.",
                     .options = cli_compare_table,
                     .operands = CLI_COMPLETE_FILE,
                     .wrong = 2},
    [CLI_MATCH] = {.name = "match",
                   .usage = "[OPTION]... DOCUMENT [SHEET.css]...\n"
                            "--unused [OPTION]... DOCUMENT... [SHEET.css]...\n"
                            "--prune [OPTION]... DOCUMENT... [SHEET.css]...",
                   .summary = "tells which CSS selectors apply to which elements",
                   .about = "Tells which selectors apply to which elements of an HTML, SVG or XML document;\n"
                            "- is standard input. Where no sheet is named, they are those of the document.\n"
                            "With --unused and --prune what ends in .css is a sheet, all else a document:\n"
                            "pages of a site, or one page as it was saved in different states.",
                   .options = cli_match_table,
                   .operands = CLI_COMPLETE_FILE,
                   .wrong = 1},
    [CLI_QUERY] = {.name = "query",
                   .usage = "[OPTION]... IN.svg",
                   .summary = "tells which elements draw, and where",
                   .about = "Tells of each element with an id that draws something where it is on the\n"
                            "canvas, in CSS pixels: ID X Y WIDTH HEIGHT, of what is drawn, with strokes\n"
                            "and markers and within clips. - is standard input.",
                   .options = cli_query_table,
                   .operands = CLI_COMPLETE_SVG,
                   .wrong = 1},
    [CLI_FONTS] = {.name = "fonts",
                   .usage = "[OPTION]... IN.svg",
                   .summary = "tells which fonts a document asks for and gets",
                   .about = "Tells which families the text of a document asks for, and for each the font\n"
                            "that it is drawn with, a line each. - is standard input.",
                   .options = cli_fonts_table,
                   .operands = CLI_COMPLETE_SVG,
                   .wrong = 1},
    [CLI_VIEW] = {.name = "view",
                  .usage = "[OPTION]... FILE...",
                  .summary = "shows files in a window",
                  .about = "Shows SVG files and saved scenes in a window, and anew when they change on disk.\n"
                           "+ - and the wheel zoom, dragging and arrows pan, 0 fits, 1 is 100 %, b changes the\n"
                           "ground, g the CPU for the GPU, h hides the words, space plays, , and . go frame by\n"
                           "frame, Home and End to the ends of time, c copies as PNG, n and p go to the next and\n"
                           "the last file, f fills the screen, q ends. The element below the pointer is marked.",
                  .options = cli_view_table,
                  .operands = CLI_COMPLETE_SVG,
                  .wrong = 1},
    [CLI_DEVICES] = {.name = "devices",
                     .usage = "[--json]",
                     .summary = "lists what can render here",
                     .about = "Lists what can render on this machine: instruction sets, processors, GPUs.",
                     .options = devices_options,
                     .wrong = 1},
    [CLI_LAB] = {.name = "lab",
                 .usage = "[OPTION]... INSTRUMENT [FILE]",
                 .summary = "measures a GPU, and says what it likes",
                 .about = "Measures a Vulkan device, and says in words what it found, with the figures\n"
                          "behind it. Without an instrument it lists them.",
                 .options = cli_lab_table,
                 .operands = CLI_COMPLETE_WORDS,
                 .words = "device access transpose matmul workgroup occupancy aliasing spill isa ablate litmus scene "
                          "counters cpu report",
                 .wrong = 1},
    [CLI_COMPLETIONS] = {.name = "completions",
                         .usage = "bash | zsh | fish",
                         .summary = "prints what makes a shell complete options",
                         .about = "Prints the completions of a shell; an installation has put them in their places.\n"
                                  "For the running shell: eval \"$(stijl completions bash)\"",
                         .options = plain_options,
                         .operands = CLI_COMPLETE_WORDS,
                         .words = "bash zsh fish",
                         .wrong = 1},
    [CLI_HELP_COMMAND] = {.name = "help",
                          .usage = "[COMMAND]",
                          .summary = "tells more about a command",
                          .about = "As stijl COMMAND --help.",
                          .options = plain_options,
                          .operands = CLI_COMPLETE_WORDS,
                          .words = "render tiles frames compare match query fonts devices lab completions",
                          .wrong = 1}};
