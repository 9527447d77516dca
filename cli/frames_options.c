// The options of `stijl frames`.
#include "command.h"
#include "frames.h"
#include "many_options.h"

#define AT(member) offsetof(cli_frames_options, member)
#define MAX_SIDE 32767.0
#define MAX_PIXELS ((double)((uint64_t)1 << 30))

_Static_assert(CLI_FRAMES_BY_NAME == 0 && CLI_FRAMES_PNG == 1 && CLI_FRAMES_APNG == 2 && CLI_FRAMES_WEBP == 3 &&
                   CLI_FRAMES_RGBA == 4 && CLI_FRAMES_Y4M == 5,
               "the words of --format");
_Static_assert(CLI_CHROMA_420 == 0 && CLI_CHROMA_444 == 1, "the words of --chroma");
_Static_assert(CLI_LUMA_709 == 0 && CLI_LUMA_601 == 1, "the words of --matrix");

const cli_option cli_frames_table[] = {
    {CLI_TEXT, 'o', "output", "NAME", AT(render.output), .complete = CLI_COMPLETE_FILE,
     .help =
         "a folder for frame-00000.png and so on, or NAME.apng, NAME.webp, NAME.y4m, NAME.rgba; - is standard output"},
    {CLI_TEXT, 0, "fps", "N", AT(rate_text), .help = "frames in a second, also as a fraction: 30000/1001 (default 30)"},
    {CLI_DOUBLE, 0, "from", "SECONDS", AT(from), 0, 1e9, .help = "the time of the first frame (default 0)"},
    {CLI_DOUBLE, 0, "duration", "SECONDS", AT(duration), 0.001, 1e9,
     .help = "how much is drawn (default: until all has ended that ends, or one period of what repeats for ever)",
     .more =
         "The period of several animations is the time in which all of them come back to where they were; it begins "
         "when the last of them has begun, and the others have ended. What ends gets one frame more, which shows how "
         "it stands then. More than 600 seconds are an error without this option."},
    {CLI_WORD, 0, "format", "NAME", AT(format), .complete = CLI_COMPLETE_WORDS, .words = "auto png apng webp rgba y4m",
     .help =
         "png (files in a folder), apng, webp, rgba (bytes R G B A, frame after frame) or y4m (default: by the name)",
     .more = "Colours of rgba are not premultiplied. A file of y4m, YUV4MPEG2, says its size and rate itself, so that "
             "ffmpeg -i reads it."},
    {CLI_WORD, 0, "chroma", "NAME", AT(chroma), .complete = CLI_COMPLETE_WORDS, .words = "420 444",
     .help = "of y4m: 420 (default) has a sample of colour for four pixels, in the middle of them, 444 for each one"},
    {CLI_WORD, 0, "matrix", "NAME", AT(luma), .complete = CLI_COMPLETE_WORDS, .words = "709 601",
     .help = "of y4m: colours are turned by ITU-R BT.709 (default) or BT.601, to the studio range 16..235"},
    {CLI_U32, 0, "loop", "N", AT(loops), 0, 65535, .help = "how often apng and webp are shown (default 0: for ever)"},
    {CLI_DOUBLE, 0, "quality", "0..100", AT(quality), 0, 100, .help = "of webp (default: lossless)"},
    {CLI_FLAG, 0, "strict", NULL, AT(render.strict), .help = "a warning is an error: no frames that lack something"},
    {CLI_FLAG, 'q', "quiet", NULL, AT(render.quiet), .help = "no warnings, no progress, only errors"},

    {CLI_HEADING, .help = "Size"},
    {CLI_INT, 'w', "width", "PX", AT(size.width), 1, MAX_SIDE, .help = "width; without -h the height follows"},
    {CLI_INT, 'h', "height", "PX", AT(size.height), 1, MAX_SIDE,
     .help = "height; without -w the width follows; with both the picture fits into that box and keeps its ratio",
     .more = "Without a value -h stands for --help."},
    {CLI_FLAG, 0, "stretch", NULL, AT(render.stretch), .help = "with -w and -h: exactly that size, whatever the ratio"},
    {CLI_DOUBLE, 'z', "zoom", "FACTOR", AT(size.zoom), 0.0001, 1000000, .help = "a factor to both instead"},

    {CLI_HEADING, .help = "Drawing"},
    {CLI_TEXT, 'b', "background", "COLOR", AT(render.background_text),
     .help = "a CSS colour below the frames (default: none; white for y4m)"},
    {CLI_FLOAT, 0, "dpi", "N", AT(render.svg.dpi), 1, 10000,
     .help = "pixels per inch for in, cm, mm, Q, pt and pc (default 96)"},
    {CLI_TEXT, 0, "language", "LIST", AT(render.svg.language),
     .help = "languages for systemLanguage, separated by commas (default en)"},
    {CLI_TEXT, 0, "stylesheet", "FILE", AT(render.stylesheet), .complete = CLI_COMPLETE_FILE,
     .help = "CSS that goes before the document's own style sheets"},
    {CLI_TEXT, 0, "resources-dir", "FOLDER", AT(render.resources_folder), .complete = CLI_COMPLETE_FOLDER,
     .help = "the folder that images may come from (default: that of the document)"},
    {CLI_FLAG, 0, "allow-all-files", NULL, AT(render.svg.allow_all_files), .help = "images may come from any folder"},
    {CLI_WORD, 0, "png-level", "0..9|best", AT(render.png_level), .complete = CLI_COMPLETE_WORDS,
     .words = CLI_PNG_LEVELS, .help = "of png and apng: 0 stores, 1 is fast (default), 9 is small, best is slow"},

    {CLI_HEADING, .help = "Fonts"},
    CLI_FONT_OPTIONS_OF(cli_frames_options, render.),

    {CLI_HEADING, .help = "Machine"},
    CLI_DEVICE_OPTIONS(cli_frames_options),
    {CLI_INT, 0, "threads", "N", AT(render.threads), 0, 256,
     .help = "how many frames are drawn at a time (default: one for each processor)"},

    {CLI_HEADING, .help = "Limits, against hostile files; reaching one is an error that names it"},
    {CLI_U64, 0, "max-pixels", "N", AT(render.max_pixels), 1, MAX_PIXELS,
     .help = "of a frame (default 33554432 where the document alone says how large it is)"},
    CLI_LIMIT_OPTIONS(cli_frames_options, "frame"),
    {CLI_HEADING, .help = ""},
    CLI_COMMON_OPTIONS(0)};
