// The options of `stijl render`.
#include "command.h"
#include "options.h"

#define AT(member) offsetof(cli_options, member)
#define MAX_PIXELS ((double)((uint64_t)1 << 40))

const cli_option cli_render_table[] = {
    {CLI_TEXT, 'o', "output", "FILE", AT(output), .aside = true, .complete = CLI_COMPLETE_FILE,
     .help = "where the picture goes; for several inputs a folder, a pattern with {name}, or a PDF file of which each "
             "becomes a page; - is standard output",
     .more =
         "In a pattern, such as icons/{width}/{name}.png, {name} is the input's name without .svg, below the folder "
         "of -r with its folders, and {width}, {height} and {zoom} are the values of -w, -h and -z. Folders are made. "
         "The name's ending says the format, as --format does. In a PDF file of several inputs (-o NAME.pdf, or "
         "--format pdf -o -) pages have the order of the inputs, and each the size that -w, -h and -z give it, of "
         "several "
         "one after the other. An input that fails has no page, and the others have theirs; but if a limit is reached "
         "while a page is written, no file is. One input is held in memory at a time."},
    {CLI_WORD, 0, "format", "NAME", AT(format), .complete = CLI_COMPLETE_WORDS, .words = CLI_FORMAT_WORDS,
     .help = "png, webp, jpeg, ppm, pam, rgba, pdf or svg (default: what the name of -o ends in, else png)",
     .more =
         "rgba is the bytes R G B A of all pixels and nothing else; there and in pam colours are not multiplied by "
         "alpha. jpeg and ppm have no alpha: the picture lies on --background, and that on white. In a folder the "
         "pictures' names get the format's ending. A name that ends in another format's, such as .tif, is an error. "
         "All but webp are written band by band where the picture is large. pdf and svg have paths and no pixels: a "
         "page is as large as the picture, of which a pixel is 1/96 inch. In pdf text is text, with its font; svg "
         "is plain, all text and styles resolved to paths."},
    {CLI_FLOAT, 0, "raster-dpi", "N", AT(raster_dpi), 1, 9600,
     .help =
         "pdf and svg: pixels per inch of what they cannot say, such as filters, which is drawn as an image (default "
         "300)"},
    {CLI_FLAG, 'r', "recursive", NULL, AT(recursive), .aside = true,
     .help = "draws all .svg and .svgz files below the folders named, into the same folders below that of -o",
     .more = "Links to folders are not followed."},
    {CLI_FLAG, 0, "force", NULL, AT(force), .aside = true,
     .help = "lets an output replace an input, and the picture have another format's name",
     .more = "Without it that is an error, also where a link or another name leads to the input."},
    {CLI_FLAG, 0, "strict", NULL, AT(strict), .help = "a warning is an error: no picture that lacks something",
     .more = "The file at fault fails, without a picture; in a batch the others are drawn."},
    {CLI_FLAG, 'q', "quiet", NULL, AT(quiet), .aside = true, .help = "no warnings, no progress, no total, only errors"},

    {CLI_HEADING, .help = "Batches"},
    {CLI_TEXT, 0, "files-from", "LIST", AT(files_from), .aside = true, .complete = CLI_COMPLETE_FILE,
     .help = "draws what this file names, a line each; - is standard input",
     .more =
         "Names are relative to the current folder; empty ones are skipped. Drawing begins when the list has ended."},
    {CLI_FLAG, '0', "null", NULL, AT(null_separated), .aside = true,
     .help = "NUL characters separate the names in LIST, as find -print0 writes them"},
    {CLI_TEXT, 0, "shard", "I/N", AT(shard_text), .aside = true,
     .help = "draws only the I-th of N parts of the inputs, 1/N to N/N",
     .more = "Parts are contiguous and as many inputs long, give or take one; together they draw what one run draws."},
    {CLI_TEXT, 0, "journal", "FILE", AT(journal), .aside = true, .complete = CLI_COMPLETE_FILE,
     .help = "notes in FILE what is done, a JSON line for each input, for --resume",
     .more =
         "A line is written once all pictures of its input are in their places. Only one process at a time can use a "
         "journal: each shard has its own."},
    {CLI_FLAG, 0, "resume", NULL, AT(resume), .aside = true,
     .help = "goes on with the journal: what is done is skipped, what failed is tried again",
     .more =
         "An input is done when neither its size nor its time of change is another one now, and its pictures are "
         "there, as large as they were. What it refers to is not looked at. The run must be for the same pictures: "
         "options that change them may not differ. Temporary files that runs of this journal have left are removed."},
    {CLI_TEXT, 0, "results", "FILE", AT(results), .aside = true, .complete = CLI_COMPLETE_FILE,
     .help = "what became of each picture, a JSON line each; - is standard output",
     .more =
         "They have input, output, status (drawn, skipped or failed), and width, height, bytes, warnings, milliseconds "
         "or message."},

    {CLI_HEADING, .help = "Size"},
    {CLI_WHOLES, 'w', "width", "PX", AT(widths), 1, 2147483647,
     .help = "width; without -h the height follows. -w 16,32,64 draws three pictures of each document",
     .more = "They are named NAME-16.png, NAME-32.png and so on in the folder of -o, or as a pattern there says. The "
             "document is read once."},
    {CLI_WHOLES, 'h', "height", "PX", AT(heights), 1, 2147483647,
     .help = "height; without -w the width follows; with both the picture fits into that box and keeps its ratio",
     .more = "Several are listed as with -w; several of both are pairs, NAME-32x16.png. Without a value -h stands for "
             "--help."},
    {CLI_FLAG, 0, "stretch", NULL, AT(stretch), .help = "with -w and -h: exactly that size, whatever the ratio"},
    {CLI_NUMBERS, 'z', "zoom", "FACTOR", AT(zooms), 0.0001, 10000,
     .help = "a factor to both instead; -z 1,2 draws NAME.png and NAME@2x.png"},

    {CLI_TEXT, 0, "export-id", "ID", AT(export_id),
     .help = "draws the element with this id alone, on a canvas of its size",
     .more =
         "The opacity, clips and masks of what is around it do not count. With -w or -h the element fills that size."},

    {CLI_HEADING, .help = "Drawing"},
    {CLI_TEXT, 'b', "background", "COLOR", AT(background_text),
     .help = "a CSS colour below the picture (default: none)"},
    {CLI_TIME, 0, "time", "SECONDS", AT(svg.time), 0, 1e9,
     .help = "when animations are looked at, or end: when all that end have ended (default 0)",
     .more =
         "Seconds from the document's begin. Animations that never end are drawn as they stand when the others end."},
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
    {CLI_TEXT, 0, "quality", "1..100|lossless", AT(quality_text),
     .help = "of jpeg (default 90) and webp (default lossless)"},
    {CLI_WORD, 0, "png-level", "0..9|best", AT(png_level), .complete = CLI_COMPLETE_WORDS, .words = CLI_PNG_LEVELS,
     .help = "0 stores, 1 is fast (default), 9 is small, best is slow"},

    {CLI_HEADING, .help = "Fonts"},
    CLI_FONT_OPTIONS(cli_options),

    {CLI_HEADING, .help = "Machine"},
    {CLI_WORD, 0, "backend", "NAME", AT(renderer.backend), .aside = true, .complete = CLI_COMPLETE_WORDS,
     .words = "auto cpu vulkan", .help = "auto, cpu or vulkan; all draw the same",
     .more = "With auto the processor draws, or the device that --device names, and the processor where that fails."},
    {CLI_TEXT, 0, "device", "DEVICE", AT(device), .aside = true,
     .help = "of Vulkan: its index as stijl devices lists it, a part of its name, or its type"},
    {CLI_WORD, 0, "isa", "NAME", AT(renderer.isa), .aside = true, .complete = CLI_COMPLETE_WORDS,
     .words = CLI_ISA_WORDS, .help = CLI_ISA_HELP},
    {CLI_INT, 0, "threads", "N", AT(threads), 0, 256, .aside = true, .help = "default: one for each processor"},
    {CLI_INT, 0, "repeat", "N", AT(repeat), 1, 1000000, .aside = true, .help = "draws N times, to measure"},
    {CLI_TEXT, 0, "save-scene", "FILE", AT(save_scene), .aside = true, .complete = CLI_COMPLETE_FILE,
     .help = "saves what is drawn, which stijl render draws again, here or elsewhere: for reports of errors",
     .more = "A saved scene is an input like a document; it holds all images, and may be drawn at any size."},
    {CLI_TEXT, 0, "stats", "FILE.json", AT(stats), .aside = true, .complete = CLI_COMPLETE_FILE,
     .help = "times, sizes and memory"},

    {CLI_HEADING, .help = "Limits, against hostile files; reaching one is an error that names it"},
    {CLI_U64, 0, "max-pixels", "N", AT(max_pixels), 1, MAX_PIXELS, .aside = true,
     .help = "of the picture (default 268435456; 33554432 where the document alone says how large it is)",
     .more = "Default limits grow with pixels that -w, -h and -z ask for, not with those of the document's own size. "
             "A side that follows the other's value may have four times its pixels."},
    {CLI_U64, 0, "max-bytes", "N", AT(svg.limits.max_bytes), 1, (double)(SIZE_MAX / 8), .aside = true,
     .help = "of the document, unpacked (default 268435456)"},
    {CLI_U32, 0, "max-elements", "N", AT(svg.limits.max_elements), 1, UINT32_MAX, .aside = true,
     .help = "drawn, each use of an element counted (default 1048576)"},
    {CLI_U32, 0, "max-depth", "N", AT(svg.limits.max_depth), 1, UINT32_MAX, .aside = true,
     .help = "of nesting (default 256)"},
    {CLI_DOUBLE, 0, "max-seconds", "N", AT(budget.max_seconds), 0.001, 1e6, .aside = true,
     .help = "by the clock, for each file (default: ten times those of the processor)"},
    {CLI_DOUBLE, 0, "max-cpu-seconds", "N", AT(budget.max_cpu_seconds), 0.001, 1e6, .aside = true,
     .help = "of the processor, for each file (default 4, more for large files and pictures; none with --max-seconds)"},
    {CLI_U64, 0, "max-memory", "N", AT(budget.max_memory), 1, CLI_MAX_U64, .aside = true,
     .help = "bytes beside the picture (default 301989888, and more for large files and pictures)"},
    {CLI_U64, 0, "max-work", "N", AT(budget.max_work), 1, CLI_MAX_U64, .aside = true,
     .help = "steps, counted the same on every machine (default 2000000000, and more as above)"},
    {CLI_U64, 0, "max-image-pixels", "N", AT(svg.image_limits.max_pixels), 1, MAX_PIXELS,
     .help = "of each image in the document (default 268435456)"},
    {CLI_U64, 0, "max-layer-bytes", "N", AT(renderer.max_layer_bytes), 0, CLI_MAX_U64, .aside = true,
     .help = "for the pixels of nested layers (default 1073741824)"},
    {CLI_HEADING, .help = ""},
    CLI_COMMON_OPTIONS(0)};
