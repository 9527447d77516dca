// The options of `stijl render`.
#include "command.h"
#include "options.h"

#define AT(member) offsetof(cli_options, member)
#define MAX_PIXELS ((double)((uint64_t)1 << 40))
#define MAX_U64 18446744073709549568.0  // the largest double below 2^64

const cli_option cli_render_table[] = {
    {CLI_TEXT, 'o', "output", "FILE", AT(output), .complete = CLI_COMPLETE_FILE,
     .help = "where the picture goes; for several inputs a folder; - is standard output",
     .more = "A name that ends in the name of another format, such as .jpg, is an error: only PNG is written."},
    {CLI_FLAG, 'r', "recursive", NULL, AT(recursive),
     .help = "draws all .svg and .svgz files below the folders named, into the same folders below that of -o",
     .more = "Links to folders are not followed."},
    {CLI_FLAG, 0, "force", NULL, AT(force), .help = "lets the picture replace an input, or have another format's name",
     .more = "Without it that is an error, also where a link or another name leads to the input."},
    {CLI_FLAG, 0, "strict", NULL, AT(strict), .help = "a warning is an error: no picture that lacks something",
     .more = "The file at fault fails, without a picture; in a batch the others are drawn."},
    {CLI_FLAG, 'q', "quiet", NULL, AT(quiet), .help = "no warnings, no progress, only errors"},

    {CLI_HEADING, .help = "Size"},
    {CLI_INT, 'w', "width", "PX", AT(width), 1, 32767, .help = "width; without -h the height follows"},
    {CLI_INT, 'h', "height", "PX", AT(height), 1, 32767,
     .help = "height; without -w the width follows; with both the picture fits into that box and keeps its ratio",
     .more = "Without a value -h stands for --help."},
    {CLI_FLAG, 0, "stretch", NULL, AT(stretch), .help = "with -w and -h: exactly that size, whatever the ratio"},
    {CLI_DOUBLE, 'z', "zoom", "FACTOR", AT(zoom), 0.0001, 10000, .help = "a factor to both instead"},

    {CLI_HEADING, .help = "Drawing"},
    {CLI_TEXT, 'b', "background", "COLOR", AT(background_text),
     .help = "a CSS colour below the picture (default: none)"},
    {CLI_FLOAT, 0, "dpi", "N", AT(svg.dpi), 1, 10000,
     .help = "pixels per inch for in, cm, mm, Q, pt and pc (default 96)"},
    {CLI_TEXT, 0, "language", "LIST", AT(svg.language),
     .help = "languages for systemLanguage, separated by commas (default en)"},
    {CLI_TEXT, 0, "stylesheet", "FILE", AT(stylesheet), .complete = CLI_COMPLETE_FILE,
     .help = "CSS that goes before the documents' own style sheets"},
    {CLI_TEXT, 0, "resources-dir", "FOLDER", AT(resources_folder), .complete = CLI_COMPLETE_FOLDER,
     .help = "the folder that images may come from (default: that of the document)",
     .more = "Their names are relative to it. A document from standard input has none by default."},
    {CLI_FLAG, 0, "allow-all-files", NULL, AT(svg.allow_all_files), .help = "images may come from any folder",
     .more = "Nothing is ever read from a network."},
    {CLI_INT, 0, "png-level", "0..9", AT(png_level), 0, 9, .complete = CLI_COMPLETE_WORDS,
     .words = "0 1 2 3 4 5 6 7 8 9", .help = "0 stores, 1 is fast (default), 9 is small"},

    {CLI_HEADING, .help = "Machine"},
    {CLI_WORD, 0, "backend", "NAME", AT(renderer.backend), .complete = CLI_COMPLETE_WORDS, .words = "auto cpu vulkan",
     .help = "auto, cpu or vulkan; all draw the same",
     .more = "With auto the processor draws, or the device that --device names, and the processor where that fails."},
    {CLI_TEXT, 0, "device", "DEVICE", AT(device),
     .help = "of Vulkan: its index as stijl devices lists it, a part of its name, or its type"},
    {CLI_WORD, 0, "isa", "NAME", AT(renderer.isa), .complete = CLI_COMPLETE_WORDS,
     .words = "auto scalar sse avx2 avx512 neon",
     .help = "instruction set: scalar, sse, avx2, avx512 or neon (default: the best); all draw the same"},
    {CLI_INT, 0, "threads", "N", AT(threads), 0, 256, .help = "default: one for each processor"},
    {CLI_INT, 0, "repeat", "N", AT(repeat), 1, 1000000, .help = "draws N times, to measure"},
    {CLI_TEXT, 0, "stats", "FILE.json", AT(stats), .complete = CLI_COMPLETE_FILE, .help = "times, sizes and memory"},

    {CLI_HEADING, .help = "Limits, against hostile files; reaching one is an error that names it"},
    {CLI_U64, 0, "max-pixels", "N", AT(max_pixels), 1, MAX_PIXELS, .help = "of the picture (default 268435456)"},
    {CLI_U64, 0, "max-bytes", "N", AT(svg.limits.max_bytes), 1, (double)(SIZE_MAX / 8),
     .help = "of the document, unpacked (default 268435456)"},
    {CLI_U32, 0, "max-elements", "N", AT(svg.limits.max_elements), 1, UINT32_MAX,
     .help = "drawn, each use of an element counted (default 1048576)"},
    {CLI_U32, 0, "max-depth", "N", AT(svg.limits.max_depth), 1, UINT32_MAX, .help = "of nesting (default 256)"},
    {CLI_DOUBLE, 0, "max-seconds", "N", AT(svg.limits.max_seconds), 0.001, 1e6,
     .help = "for loading, and for preparing to draw, each (default 20)"},
    {CLI_U64, 0, "max-image-pixels", "N", AT(svg.image_limits.max_pixels), 1, MAX_PIXELS,
     .help = "of each image in the document (default 268435456)"},
    {CLI_U64, 0, "max-layer-bytes", "N", AT(renderer.max_layer_bytes), 0, MAX_U64,
     .help = "for the pixels of nested layers (default 1073741824)"},
    {CLI_HEADING, .help = ""},
    CLI_COMMON_OPTIONS(0)};
