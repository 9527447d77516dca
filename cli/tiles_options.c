// The options of `stijl tiles`.
#include "command.h"
#include "many_options.h"
#include "tiles.h"

#define AT(member) offsetof(cli_tiles_options, member)
#define MAX_SIDE 2147483647.0
#define MAX_PIXELS ((double)((uint64_t)1 << 62))

_Static_assert(CLI_LAYOUT_DEEP_ZOOM == 0 && CLI_LAYOUT_XYZ == 1 && CLI_LAYOUT_IIIF == 2 && CLI_LAYOUT_PMTILES == 3,
               "the words of --layout");
_Static_assert(CLI_BLANK_KEEP == 0 && CLI_BLANK_SKIP == 1 && CLI_BLANK_SHARE == 2, "the words of --blank");

const cli_option cli_tiles_table[] = {
    {CLI_TEXT, 'o', "output", "FOLDER", AT(render.output), .complete = CLI_COMPLETE_FOLDER,
     .help = "where the pyramid goes; made where it is missing",
     .more = "A folder of tiles takes no others than those of the same document, drawn with the same options."},
    {CLI_WORD, 0, "layout", "NAME", AT(layout), .complete = CLI_COMPLETE_WORDS, .words = "dzi xyz iiif pmtiles",
     .help =
         "dzi (default): NAME.dzi and NAME_files; xyz: Z/X/Y.png; iiif: Image API 3, level 0; pmtiles: NAME.pmtiles",
     .more = "As vips dzsave has them. With xyz and pmtiles all tiles have one size, and the picture lies in the upper "
             "left of its map."},
    {CLI_TEXT, 0, "name", "NAME", AT(name), .help = "of the pyramid (default: that of the document)"},
    {CLI_INT, 0, "tile-size", "PX", AT(tile_size), 1, 8192,
     .help = "a side (default 254 for dzi, 512 for iiif, else 256)"},
    {CLI_INT, 0, "overlap", "PX", AT(overlap), 0, 4096,
     .help = "what a tile of dzi shows of each neighbour (default 1)"},
    {CLI_INT, 0, "min-level", "N", AT(min_level), 0, 31, .help = "draws no lower levels; 0 is the smallest"},
    {CLI_INT, 0, "max-level", "N", AT(max_level), 0, 31, .help = "draws no higher levels"},
    {CLI_WORD, 0, "blank", "WHAT", AT(blank), .complete = CLI_COMPLETE_WORDS, .words = "keep skip share",
     .help =
         "tiles that show the background alone: keep (default) writes, skip leaves out, share links them to one file",
     .more = "Viewers of xyz and pmtiles take a missing tile for an empty one, those of dzi report it, and iiif "
             "promises all of its tiles. PMTiles archives hold equal tiles once in any case."},
    {CLI_FLAG, 0, "shrink", NULL, AT(shrink),
     .help = "makes lower levels of the one above, the mean of each four pixels, and does not draw them"},
    {CLI_TEXT, 0, "id", "URL", AT(id), .help = "with iiif: the address that the folder will have",
     .more = "The default, https://example.com/iiif/NAME, stands for one that is put into info.json later."},
    {CLI_FLAG, 0, "resume", NULL, AT(resume), .help = "keeps the tiles that are there and draws the rest"},
    {CLI_TEXT, 0, "shard", "I/N", AT(shard), .help = "draws the I-th of N parts, each on a machine of its own",
     .more = "Each tile belongs to one part, and all have the bytes that one process gives them."},
    {CLI_U32, 0, "join", "N", AT(join), 1, 1000000,
     .help = "with pmtiles or --shrink: makes of N parts that are drawn what is missing",
     .more = "The archive; and the lower tiles that show something of several parts."},
    {CLI_FLAG, 0, "strict", NULL, AT(render.strict), .help = "a warning is an error: no tiles that lack something"},
    {CLI_FLAG, 'q', "quiet", NULL, AT(render.quiet), .help = "no warnings, no progress, only errors"},

    {CLI_HEADING, .help = "Size of the highest level"},
    {CLI_INT, 'w', "width", "PX", AT(size.width), 1, MAX_SIDE, .help = "width; without -h the height follows"},
    {CLI_INT, 'h', "height", "PX", AT(size.height), 1, MAX_SIDE,
     .help = "height; without -w the width follows; with both the picture fits into that box and keeps its ratio",
     .more = "Without a value -h stands for --help."},
    {CLI_FLAG, 0, "stretch", NULL, AT(render.stretch), .help = "with -w and -h: exactly that size, whatever the ratio"},
    {CLI_DOUBLE, 'z', "zoom", "FACTOR", AT(size.zoom), 0.0001, 1000000, .help = "a factor to both instead"},

    {CLI_HEADING, .help = "Drawing"},
    {CLI_TEXT, 0, "export-id", "ID", AT(render.export_id), .help = "draws the element with this id alone"},
    {CLI_TEXT, 'b', "background", "COLOR", AT(render.background_text),
     .help = "a CSS colour below the picture (default: none)"},
    {CLI_FLOAT, 0, "dpi", "N", AT(render.svg.dpi), 1, 10000,
     .help = "pixels per inch for in, cm, mm, Q, pt and pc (default 96)"},
    {CLI_TEXT, 0, "language", "LIST", AT(render.svg.language),
     .help = "languages for systemLanguage, separated by commas (default en)"},
    {CLI_TEXT, 0, "stylesheet", "FILE", AT(render.stylesheet), .complete = CLI_COMPLETE_FILE,
     .help = "CSS that goes before the document's own style sheets"},
    {CLI_TEXT, 0, "resources-dir", "FOLDER", AT(render.resources_folder), .complete = CLI_COMPLETE_FOLDER,
     .help = "the folder that images may come from (default: that of the document)"},
    {CLI_FLAG, 0, "allow-all-files", NULL, AT(render.svg.allow_all_files), .help = "images may come from any folder"},
    {CLI_WORD, 0, "format", "NAME", AT(render.format), .complete = CLI_COMPLETE_WORDS, .words = CLI_TILE_FORMAT_WORDS,
     .help = "of the tiles: png (default), webp or jpeg",
     .more = "jpeg has no alpha: tiles lie on --background, and that on white."},
    {CLI_TEXT, 0, "quality", "1..100|lossless", AT(render.quality_text),
     .help = "of jpeg (default 90) and webp (default lossless)"},
    {CLI_WORD, 0, "png-level", "0..9|best", AT(render.png_level), .complete = CLI_COMPLETE_WORDS,
     .words = CLI_PNG_LEVELS, .help = "0 stores, 1 is fast (default), 9 is small, best is slow"},

    {CLI_HEADING, .help = "Fonts"},
    CLI_FONT_OPTIONS_OF(cli_tiles_options, render.),

    {CLI_HEADING, .help = "Machine"},
    CLI_DEVICE_OPTIONS(cli_tiles_options),
    {CLI_INT, 0, "threads", "N", AT(render.threads), 0, 256, .help = "default: one for each processor"},
    {CLI_TEXT, 0, "stats", "FILE.json", AT(render.stats), .complete = CLI_COMPLETE_FILE,
     .help = "times, sizes and memory"},

    {CLI_HEADING, .help = "Limits, against hostile files; reaching one is an error that names it"},
    {CLI_U64, 0, "max-pixels", "N", AT(render.max_pixels), 1, MAX_PIXELS,
     .help = "of the highest level (default 33554432 where the document alone says how large it is)"},
    CLI_LIMIT_OPTIONS(cli_tiles_options, "tile"),
    {CLI_HEADING, .help = ""},
    CLI_COMMON_OPTIONS(0)};
