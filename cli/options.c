#include "options.h"

#include <getopt.h>
#include <stdint.h>
#include <string.h>

enum {
  OPTION_HELP = 256,
  OPTION_BACKEND,
  OPTION_DEVICE,
  OPTION_ISA,
  OPTION_THREADS,
  OPTION_STATS,
  OPTION_REPEAT,
  OPTION_PNG_LEVEL,
  OPTION_RESOURCES,
  OPTION_ALL_FILES,
  OPTION_LANGUAGE,
  OPTION_STYLESHEET,
  OPTION_DPI,
  OPTION_MAX_PIXELS,
  OPTION_MAX_BYTES,
  OPTION_MAX_ELEMENTS,
  OPTION_MAX_DEPTH,
  OPTION_MAX_SECONDS,
  OPTION_MAX_IMAGE_PIXELS,
  OPTION_MAX_LAYER_BYTES
};

static const struct option long_options[] = {{"output", required_argument, NULL, 'o'},
                                             {"width", required_argument, NULL, 'w'},
                                             {"height", required_argument, NULL, 'h'},
                                             {"zoom", required_argument, NULL, 'z'},
                                             {"background", required_argument, NULL, 'b'},
                                             {"quiet", no_argument, NULL, 'q'},
                                             {"help", no_argument, NULL, OPTION_HELP},
                                             {"backend", required_argument, NULL, OPTION_BACKEND},
                                             {"device", required_argument, NULL, OPTION_DEVICE},
                                             {"isa", required_argument, NULL, OPTION_ISA},
                                             {"threads", required_argument, NULL, OPTION_THREADS},
                                             {"stats", required_argument, NULL, OPTION_STATS},
                                             {"repeat", required_argument, NULL, OPTION_REPEAT},
                                             {"png-level", required_argument, NULL, OPTION_PNG_LEVEL},
                                             {"resources-dir", required_argument, NULL, OPTION_RESOURCES},
                                             {"allow-all-files", no_argument, NULL, OPTION_ALL_FILES},
                                             {"language", required_argument, NULL, OPTION_LANGUAGE},
                                             {"stylesheet", required_argument, NULL, OPTION_STYLESHEET},
                                             {"dpi", required_argument, NULL, OPTION_DPI},
                                             {"max-pixels", required_argument, NULL, OPTION_MAX_PIXELS},
                                             {"max-bytes", required_argument, NULL, OPTION_MAX_BYTES},
                                             {"max-elements", required_argument, NULL, OPTION_MAX_ELEMENTS},
                                             {"max-depth", required_argument, NULL, OPTION_MAX_DEPTH},
                                             {"max-seconds", required_argument, NULL, OPTION_MAX_SECONDS},
                                             {"max-image-pixels", required_argument, NULL, OPTION_MAX_IMAGE_PIXELS},
                                             {"max-layer-bytes", required_argument, NULL, OPTION_MAX_LAYER_BYTES},
                                             {0}};

static bool parse_whole(const char *text, uint64_t lo, uint64_t hi, uint64_t *out) {
  uint64_t value = 0;
  if (!*text) return false;
  for (; *text; text++) {
    if (*text < '0' || *text > '9') return false;
    uint64_t digit = (uint64_t)(*text - '0');
    if (value > (UINT64_MAX - digit) / 10) return false;
    value = value * 10 + digit;
  }
  *out = value;
  return value >= lo && value <= hi;
}

// Digits with at most one point.
static bool parse_decimal(const char *text, double lo, double hi, double *out) {
  double value = 0, unit = 1;
  bool digits = false, point = false;
  for (; *text; text++) {
    if (*text == '.' && !point) {
      point = true;
    } else if (*text >= '0' && *text <= '9') {
      digits = true;
      value = value * 10 + (*text - '0');
      if (point) unit *= 10;
      if (value > 1e15 || unit > 1e15) return false;
    } else {
      return false;
    }
  }
  *out = value / unit;
  return digits && *out >= lo && *out <= hi;
}

static const char *name_of(int option) {
  for (const struct option *o = long_options; o->name; o++)
    if (o->val == option) return o->name;
  return "";
}

static bool take_whole(int option, uint64_t lo, uint64_t hi, uint64_t *out, cli_failure *failure) {
  if (parse_whole(optarg, lo, hi, out)) return true;
  return cli_fail(failure, "--%s takes a whole number from %llu to %llu, not \"%s\"", name_of(option),
                  (unsigned long long)lo, (unsigned long long)hi, optarg);
}

static bool take_int(int option, int lo, int hi, int *out, cli_failure *failure) {
  uint64_t value;
  if (!take_whole(option, (uint64_t)lo, (uint64_t)hi, &value, failure)) return false;
  *out = (int)value;
  return true;
}

static bool take_u32(int option, uint32_t *out, cli_failure *failure) {
  uint64_t value;
  if (!take_whole(option, 1, UINT32_MAX, &value, failure)) return false;
  *out = (uint32_t)value;
  return true;
}

static bool take_decimal(int option, double lo, double hi, double *out, cli_failure *failure) {
  if (parse_decimal(optarg, lo, hi, out)) return true;
  return cli_fail(failure, "--%s takes a number from %g to %g, not \"%s\"", name_of(option), lo, hi, optarg);
}

static bool take_isa(stijl_isa *out, cli_failure *failure) {
  for (stijl_isa isa = STIJL_ISA_AUTO; stijl_isa_name(isa); isa = (stijl_isa)((int)isa + 1)) {
    if (strcmp(stijl_isa_name(isa), optarg) != 0) continue;
    *out = isa;
    return isa == STIJL_ISA_AUTO || stijl_isa_available(isa) ||
           cli_fail(failure, "--isa %s is not available here (see stijl devices)", optarg);
  }
  return cli_fail(failure, "no instruction set \"%s\" (see stijl devices)", optarg);
}

static bool take_backend(stijl_backend *out, cli_failure *failure) {
  static const char *const names[] = {
      [STIJL_BACKEND_AUTO] = "auto", [STIJL_BACKEND_CPU] = "cpu", [STIJL_BACKEND_VULKAN] = "vulkan"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], optarg) == 0) {
      *out = (stijl_backend)i;
      return true;
    }
  return cli_fail(failure, "no backend \"%s\" (auto, cpu or vulkan)", optarg);
}

// An index of `stijl devices`, or a part of a name, or a type.
static bool take_device(stijl_renderer_params *out, cli_failure *failure) {
  uint64_t index;
  out->device = -1;
  out->device_name = NULL;
  if (!parse_whole(optarg, 0, UINT64_MAX, &index)) out->device_name = optarg;
  else if (index <= 255) out->device = (int)index;
  else return cli_fail(failure, "--device takes an index from 0 to 255, or a name (see stijl devices)");
  return *optarg || cli_fail(failure, "--device takes an index or a name (see stijl devices)");
}

static bool take(cli_options *o, int option, cli_failure *failure) {
  uint64_t max_pixels = (uint64_t)1 << 40;
  double decimal;
  switch (option) {
    case 'o': o->output = optarg; return true;
    case 'w': return take_int(option, 1, 32767, &o->width, failure);
    case 'h': return take_int(option, 1, 32767, &o->height, failure);
    case 'z': return take_decimal(option, 0.0001, 10000, &o->zoom, failure);
    case 'b':
      return stijl_color_parse(optarg, &o->background) == STIJL_OK ||
             cli_fail(failure, "\"%s\" is no colour (CSS names and notations are known: white, #ff8000, ...)", optarg);
    case 'q': o->quiet = true; return true;
    case OPTION_BACKEND: return take_backend(&o->renderer.backend, failure);
    case OPTION_DEVICE: return take_device(&o->renderer, failure);
    case OPTION_ISA: return take_isa(&o->renderer.isa, failure);
    case OPTION_THREADS: return take_int(option, 0, 256, &o->threads, failure);
    case OPTION_STATS: o->stats = optarg; return true;
    case OPTION_REPEAT: return take_int(option, 1, 1000000, &o->repeat, failure);
    case OPTION_PNG_LEVEL: return take_int(option, 0, 9, &o->png_level, failure);
    case OPTION_RESOURCES: o->resources_folder = optarg; return true;
    case OPTION_ALL_FILES: o->svg.allow_all_files = true; return true;
    case OPTION_LANGUAGE: o->svg.language = optarg; return true;
    case OPTION_STYLESHEET: o->stylesheet = optarg; return true;
    case OPTION_DPI:
      if (!take_decimal(option, 1, 10000, &decimal, failure)) return false;
      o->svg.dpi = (float)decimal;
      return true;
    case OPTION_MAX_PIXELS: return take_whole(option, 1, max_pixels, &o->max_pixels, failure);
    case OPTION_MAX_BYTES: return take_whole(option, 1, SIZE_MAX / 4, &o->svg.limits.max_bytes, failure);
    case OPTION_MAX_ELEMENTS: return take_u32(option, &o->svg.limits.max_elements, failure);
    case OPTION_MAX_DEPTH: return take_u32(option, &o->svg.limits.max_depth, failure);
    case OPTION_MAX_SECONDS: return take_decimal(option, 0.001, 1e6, &o->svg.limits.max_seconds, failure);
    case OPTION_MAX_IMAGE_PIXELS: return take_whole(option, 1, max_pixels, &o->svg.image_limits.max_pixels, failure);
    case OPTION_MAX_LAYER_BYTES: return take_whole(option, 0, UINT64_MAX, &o->renderer.max_layer_bytes, failure);
    default: return cli_fail(failure, "unknown option (see stijl render --help)");
  }
}

static bool check(const cli_options *o, cli_failure *failure) {
  if (o->input_count == 0) return cli_fail(failure, "no input file (- is standard input)");
  if (o->zoom > 0 && (o->width || o->height)) return cli_fail(failure, "-z cannot be used with -w or -h");
  if (o->renderer.backend == STIJL_BACKEND_CPU && (o->renderer.device >= 0 || o->renderer.device_name))
    return cli_fail(failure, "--device names a Vulkan device, not the processor (--backend cpu)");
  if (o->stats && strcmp(o->stats, "-") == 0 && strcmp(o->output, "-") == 0)
    return cli_fail(failure, "--stats and the picture cannot both go to standard output");
  return true;
}

cli_parsed cli_options_parse(cli_options *options, int argc, char **argv, cli_failure *failure) {
  *options = (cli_options){.output = "-",
                           .png_level = ((stijl_png_params)STIJL_PNG_PARAMS_INIT).level,
                           .repeat = 1,
                           .max_pixels = (uint64_t)1 << 28,
                           .svg = STIJL_SVG_PARAMS_INIT,
                           .renderer = STIJL_RENDERER_PARAMS_INIT};
  int option;
  opterr = 0;
  while ((option = getopt_long(argc, argv, ":o:w:h:z:b:q", long_options, NULL)) != -1) {
    if (option == OPTION_HELP) return CLI_PARSED_HELP;
    if (option == ':') {
      cli_fail(failure, "%s needs a value", argv[optind - 1]);
      return CLI_PARSED_WRONG;
    }
    if (option == '?') {
      if (optopt > 0 && optopt < 128)
        cli_fail(failure, "unknown option -%c (see stijl render --help)", optopt);
      else
        cli_fail(failure, "unknown option %s (see stijl render --help)", argv[optind - 1]);
      return CLI_PARSED_WRONG;
    }
    if (!take(options, option, failure)) return CLI_PARSED_WRONG;
  }
  options->inputs = argv + optind;
  options->input_count = argc - optind;
  return check(options, failure) ? CLI_PARSED : CLI_PARSED_WRONG;
}
