// `stijl devices`: what can render here.
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

#include "commands.h"
#include "json.h"
#include "render.h"

static const char help[] =
    "Usage: stijl devices [--json]\n"
    "Lists what can render on this machine.\n";

static const char no_gpu[] = "this build has no Vulkan backend";

static void print_text(long processors) {
  printf("cpu: %ld processors, %d threads by default\n", processors, cli_usable_processors());
  for (stijl_isa isa = STIJL_ISA_SCALAR; stijl_isa_name(isa); isa = (stijl_isa)((int)isa + 1))
    printf("  %-8s %s\n", stijl_isa_name(isa), stijl_isa_available(isa) ? "available" : "not available");
  printf("gpu: none (%s)\n", no_gpu);
}

static bool print_json(long processors) {
  cli_json json = {0};
  cli_json_begin(&json, NULL, '{');
  cli_json_string(&json, "version", stijl_version());
  cli_json_begin(&json, "cpu", '{');
  cli_json_unsigned(&json, "processors", (uint64_t)processors);
  cli_json_unsigned(&json, "threads", (uint64_t)cli_usable_processors());
  cli_json_begin(&json, "isa", '{');
  for (stijl_isa isa = STIJL_ISA_SCALAR; stijl_isa_name(isa); isa = (stijl_isa)((int)isa + 1))
    cli_json_bool(&json, stijl_isa_name(isa), stijl_isa_available(isa));
  cli_json_end(&json, '}');
  cli_json_end(&json, '}');
  cli_json_begin(&json, "gpus", '[');
  cli_json_end(&json, ']');
  cli_json_string(&json, "gpus_note", no_gpu);
  cli_json_end(&json, '}');
  bool good = !json.failed;
  if (good) puts(json.text);
  cli_json_finish(&json);
  return good;
}

int cli_command_devices(int argc, char **argv) {
  static const struct option long_options[] = {{"help", no_argument, NULL, 'H'}, {"json", no_argument, NULL, 'j'}, {0}};
  bool json = false;
  opterr = 0;
  for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
    if (option == 'H') {
      fputs(help, stdout);
      return 0;
    }
    if (option != 'j') {
      cli_report(NULL, "unknown option %s (see stijl devices --help)", argv[optind - 1]);
      return 1;
    }
    json = true;
  }
  if (optind < argc) {
    cli_report(NULL, "devices takes no file (see stijl devices --help)");
    return 1;
  }
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (json && !print_json(processors)) {
    cli_report(NULL, "out of memory");
    return 1;
  }
  if (!json) print_text(processors);
  return 0;
}
