#include "options.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "describe.h"
#include "file.h"
#include "naming.h"
#include "parse.h"

// How many pixels a picture has at most by default, and at most where a document alone says how large it is.
#define MAX_PIXELS 268435456.0
#define OWN_PIXELS 33554432.0

_Static_assert(STIJL_BACKEND_AUTO == 0 && STIJL_BACKEND_CPU == 1 && STIJL_BACKEND_VULKAN == 2,
               "the words of --backend");

// Returns what follows the last point of the file's name, or "" without one.
static const char *ending_of(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *point = strrchr(name, '.');
  return point && point > name ? point + 1 : "";
}

// Returns whether an ending promises a format which is not written.
static bool is_other_format(const char *ending) {
  static const char *const formats[] = {"avif", "bmp",  "emf", "eps", "exr",  "gif", "heic", "heif",
                                        "ico",  "jp2",  "jxl", "pbm", "pgm",  "pnm", "ps",   "qoi",
                                        "raw",  "svgz", "tga", "tif", "tiff", "wmf", "xpm"};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcasecmp(ending, formats[i]) == 0) return true;
  return false;
}

static bool is_document(const char *path) {
  return strcasecmp(ending_of(path), "svg") == 0 || strcasecmp(ending_of(path), "svgz") == 0;
}

// Returns whether the last of several operands is surely the output: resvg's and cp's habit.
static bool names_output(const char *operand, int count) {
  size_t length = strlen(operand);
  if (cli_is_folder(operand) || (length && operand[length - 1] == '/')) return true;
  if (count > 2 || is_document(operand)) return false;
  return strcmp(operand, "-") == 0 || strncmp(operand, "/dev/", 5) == 0 || cli_format_of(operand) >= 0 ||
         is_other_format(ending_of(operand));
}

static bool input_is_piped(void) {
  struct stat info;
  return fstat(STDIN_FILENO, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) || S_ISREG(info.st_mode));
}

static bool is_saved_scene(const char *path) {
  unsigned char head[16];
  FILE *file = fopen(path, "rb");
  size_t bytes = file ? fread(head, 1, sizeof head, file) : 0;
  if (file) fclose(file);
  return stijl_scene_is_saved(head, bytes);
}

// Fails for several names of which none says where pictures go. One that is neither a document nor a picture may be
// meant as either.
static bool fail_without_output(const cli_options *o, cli_failure *failure) {
  const char *last = o->inputs[o->input_count - 1];
  if (o->recursive) return cli_fail(failure, "-r needs a folder: -o FOLDER");
  if (o->files_from) return cli_fail(failure, "--files-from needs a folder: -o FOLDER");
  struct stat info;
  if (stat(last, &info) != 0 && !is_document(last))
    return cli_fail(
        failure,
        "%.200s is neither an input that is there nor the name of a picture (.png, .jpg, ...): -o NAME takes any "
        "name, and several inputs need a folder, -o FOLDER",
        last);
  for (int i = 0; i < o->input_count; i++)
    if (stat(o->inputs[i], &info) == 0 && S_ISREG(info.st_mode) && !is_document(o->inputs[i]) &&
        !is_saved_scene(o->inputs[i]))
      return cli_fail(
          failure,
          "%.200s is neither a document (.svg, .svgz) nor the name of a picture (.png, .jpg, ...); several inputs "
          "need a folder: -o FOLDER",
          o->inputs[i]);
  return cli_fail(failure, "several inputs need a folder: -o FOLDER");
}

// Chooses the format, by --format, or by the name.
static bool choose_format(cli_options *o, bool named, cli_failure *failure) {
  cli_format of_name = named ? cli_format_of(o->output) : CLI_FORMAT_NONE;
  if (o->format == CLI_FORMAT_NONE) o->format = of_name >= 0 ? of_name : CLI_FORMAT_PNG;
  if (!named || o->force) return true;
  if (is_other_format(ending_of(o->output)))
    return cli_fail(failure, "%s: a picture is written as one of: %s (-o NAME.png, or --format and --force)", o->output,
                    CLI_FORMAT_WORDS);
  return of_name < 0 || of_name == o->format ||
         cli_fail(failure, "%s: its name promises another format than --format %s (--force writes it all the same)",
                  o->output, cli_formats[o->format].name);
}

bool cli_options_check_format(cli_options *o, cli_failure *failure) {
  const cli_format_row *f = &cli_formats[o->format];
  unsigned long long quality = 0;
  if (o->png_level >= 0 && o->format != CLI_FORMAT_PNG)
    return cli_fail(failure, "--png-level is of png, and the format is %s", f->name);
  if (o->png_level < 0) o->png_level = ((stijl_png_params)STIJL_PNG_PARAMS_INIT).level;
  if (!o->quality_text) return true;
  if (!f->lossy) return cli_fail(failure, "--quality is of webp and jpeg, and the format is %s", f->name);
  bool lossless = strcmp(o->quality_text, "lossless") == 0;
  if (lossless && o->format == CLI_FORMAT_JPEG) return cli_fail(failure, "jpeg is never lossless (--quality 1 to 100)");
  if (!lossless && !cli_parse_whole(o->quality_text, 1, 100, &quality))
    return cli_fail(failure, "--quality takes a whole number from 1 to 100, or lossless, not \"%.100s\"",
                    o->quality_text);
  o->quality = (double)quality;
  return true;
}

bool cli_is_batch(const cli_options *o) { return o->input_count > 1 || o->recursive || o->files_from; }

// Returns whether several inputs go into one PDF file, since -o names one.
static bool are_pages(const cli_options *o) {
  if (!cli_is_batch(o) || cli_is_pattern(o->output) || cli_is_folder(o->output)) return false;
  if (strcmp(o->output, "-") == 0) return o->format == CLI_FORMAT_PDF;
  return cli_format_of(o->output) == CLI_FORMAT_PDF && (o->format == CLI_FORMAT_NONE || o->format == CLI_FORMAT_PDF);
}

static bool check_pages(cli_options *o, cli_failure *failure) {
  const char *other = o->journal ? "--journal" : o->shard_text ? "--shard" : NULL;
  o->format = CLI_FORMAT_PDF;
  if (other) return cli_fail(failure, "%s is of many files, and one is written: %s", other, o->output);
  return cli_options_check_format(o, failure);
}

static bool check_output(cli_options *o, cli_failure *failure) {
  o->pages = are_pages(o);
  if (o->pages) return check_pages(o, failure);
  bool several = cli_is_batch(o) && !cli_is_pattern(o->output);
  if (several && strcmp(o->output, "-") == 0) return fail_without_output(o, failure);
  bool folder = cli_is_folder(o->output);
  if (!folder && !cli_check_pattern(o, failure)) return false;
  if (!folder && several && (is_other_format(ending_of(o->output)) || cli_format_of(o->output) >= 0))
    return cli_fail(failure, "%s is no folder, and several inputs need one", o->output);
  return choose_format(o, !folder && !several, failure) && cli_options_check_format(o, failure);
}

// Takes an index of `stijl devices`, or a part of a name, or a type.
static bool take_device(cli_options *o, cli_failure *failure) {
  unsigned long long index;
  if (!cli_parse_whole(o->device, 0, 1e18, &index))
    o->renderer.device_name = o->device;
  else if (index <= 255)
    o->renderer.device = (int)index;
  else
    return cli_fail(failure, "--device takes an index from 0 to 255, or a name (see stijl devices)");
  return o->renderer.backend != STIJL_BACKEND_CPU ||
         cli_fail(failure, "--device names a Vulkan device, not the processor (--backend cpu)");
}

// Returns the pixels that the user asks for; all others are a document's wish. Where one side is given, the document
// says what the other is, which may be four times as long.
static double asked_pixels(const cli_size *size) {
  double side = size->width + size->height;
  if (size->width && size->height) return (double)size->width * size->height;
  if (side > 0) return 4 * side * side;
  return size->zoom > 1 ? (size->zoom * size->zoom - 1) * OWN_PIXELS : 0;
}

// Limits pixels. A document alone gets a picture of a moderate size, and default limits do not grow with that: it would
// raise its own.
void cli_options_limit_pixels(cli_options *o) {
  const double most = o->tiles ? 0x1p62 : MAX_PIXELS;
  double asked = (double)o->max_pixels;
  for (int i = 0; i < o->size_count && !o->max_pixels; i++) asked = fmax(asked, asked_pixels(&o->sizes[i]));
  if (!o->max_pixels) asked = fmin(asked, most);
  o->budget.asked_pixels = asked >= 1 && !o->tiles ? (uint64_t)asked : 1;  // 0 would stand for all
  if (!o->max_pixels) o->max_pixels = (uint64_t)fmin(asked + OWN_PIXELS, most);
}

// Makes the sizes. Widths and heights go together one by one, or one of them with all.
static bool make_sizes(cli_options *o, cli_failure *failure) {
  int w = o->widths.count, h = o->heights.count, z = o->zooms.count;
  if (z && (w || h)) return cli_fail(failure, "-z cannot be used with -w or -h");
  if (w > 1 && h > 1 && w != h)
    return cli_fail(failure, "-w has %d values and -h has %d: as many, or one for all, are paired", w, h);
  o->size_count = w > h ? w : h > z ? h : z ? z : 1;
  for (int i = 0; i < o->size_count; i++) {
    if (w) o->sizes[i].width = (int)o->widths.items[w > 1 ? i : 0];
    if (h) o->sizes[i].height = (int)o->heights.items[h > 1 ? i : 0];
    if (z) o->sizes[i].zoom = o->zooms.items[i];
  }
  return true;
}

static bool take_shard(cli_options *o, cli_failure *failure) {
  const char *slash = strchr(o->shard_text, '/');
  char first[24];
  unsigned long long shard, shards;
  size_t length = slash ? (size_t)(slash - o->shard_text) : sizeof first;
  bool good = length < sizeof first;
  if (good) {
    memcpy(first, o->shard_text, length);
    first[length] = 0;
    good = cli_parse_whole(slash + 1, 1, 1e9, &shards) && cli_parse_whole(first, 1, (double)shards, &shard);
  }
  if (!good) return cli_fail(failure, "--shard takes I/N, with I from 1 to N, not \"%.100s\"", o->shard_text);
  o->shard = shard;
  o->shards = shards;
  return true;
}

// Checks what concerns batches.
static bool check_batch(cli_options *o, cli_failure *failure) {
  if (o->null_separated && !o->files_from) return cli_fail(failure, "-0 is of the list that --files-from names");
  if (o->resume && !o->journal) return cli_fail(failure, "--resume needs the journal: --journal FILE");
  if (o->journal && strcmp(o->journal, "-") == 0) return cli_fail(failure, "a journal is a file (--journal FILE)");
  for (int i = 0; i < o->input_count && strcmp(o->inputs[i], "-") == 0; i++) {
    if (o->journal) return cli_fail(failure, "--journal is of files, not of standard input");
    if (o->files_from && strcmp(o->files_from, "-") == 0)
      return cli_fail(failure, "standard input cannot be the list (--files-from) and a document too");
  }
  if (o->save_scene && (cli_is_batch(o) || o->size_count > 1))
    return cli_fail(failure, "--save-scene takes one input%s, not several", o->size_count > 1 ? " and one size" : "");
  return !o->shard_text || take_shard(o, failure);
}

bool cli_options_check_drawing(cli_options *o, cli_failure *failure) {
  if (o->background_text && stijl_color_parse(o->background_text, &o->background) != STIJL_OK)
    return cli_fail(failure, "\"%.200s\" is no colour (CSS names and notations are known: white, #ff8000, ...)",
                    o->background_text);
  if (o->renderer.isa != STIJL_ISA_AUTO && !stijl_isa_available(o->renderer.isa))
    return cli_fail(failure, "--isa %s is not available here (see stijl devices)", stijl_isa_name(o->renderer.isa));
  return !o->device || take_device(o, failure);
}

static bool check(cli_options *o, cli_failure *failure) {
  if (!o->output && !o->recursive && !o->files_from && o->input_count > 1 &&
      names_output(o->inputs[o->input_count - 1], o->input_count))
    o->output = o->inputs[--o->input_count];
  if (!o->output) o->output = "-";
  if (o->input_count == 0 && !o->files_from) {
    static char standard_input[] = "-";
    static char *piped[] = {standard_input};
    if (!input_is_piped() || o->recursive) return cli_fail(failure, "no input (- is standard input; see stijl --help)");
    o->inputs = piped;
    o->input_count = 1;
  }
  for (int i = 0; i < o->input_count; i++)
    if (!*o->inputs[i]) return cli_fail(failure, "the name of an input is empty");
  if (o->stretch && !(o->widths.count && o->heights.count)) return cli_fail(failure, "--stretch needs both -w and -h");
  return cli_options_check_drawing(o, failure) && check_batch(o, failure) && check_output(o, failure);
}

cli_options cli_options_defaults(void) {
  return (cli_options){.format = CLI_FORMAT_NONE,
                       .png_level = -1,
                       .repeat = 1,
                       .raster_dpi = ((stijl_page)STIJL_PAGE_INIT).raster_dpi,
                       .svg = STIJL_SVG_PARAMS_INIT,
                       .renderer = STIJL_RENDERER_PARAMS_INIT,
                       .budget = STIJL_BUDGET_PARAMS_INIT,
                       .shard = 1,
                       .shards = 1};
}

bool cli_options_parse(cli_options *options, int argc, char **argv, int *status) {
  const cli_options defaults = cli_options_defaults();
  *options = defaults;
  if (!cli_parse(&cli_commands[CLI_RENDER], argc, argv, options, &options->input_count, status)) return false;
  options->inputs = argv + 1;
  cli_failure failure;
  bool good = !options->journal || (options->described = cli_describe(cli_render_table, options, &defaults)) ||
              cli_fail(&failure, "out of memory");
  good = good && make_sizes(options, &failure);
  if (good) cli_options_limit_pixels(options);
  if (good && check(options, &failure)) return true;
  cli_report(NULL, "%s", failure.text);
  free(options->described);
  *status = 1;
  return false;
}
