// `stijl devices`: what can render here.
#include <stdio.h>
#include <unistd.h>

#include "commands.h"
#include "json.h"
#include "parse.h"
#include "print.h"
#include "render.h"

enum { MAX_DEVICES = 32 };

typedef struct gpus {
  stijl_device devices[MAX_DEVICES];
  size_t count;
  stijl_message message;  // why there are none
} gpus;

static void find_gpus(gpus *g) {
  g->count = 0;
  stijl_device_init(&g->devices[0], sizeof g->devices[0]);
  if (stijl_devices(NULL, g->devices, MAX_DEVICES, &g->count, &g->message) != STIJL_OK) g->count = 0;
  if (g->count > MAX_DEVICES) g->count = MAX_DEVICES;
}

static void print_text(long processors, const gpus *g) {
  cli_print("cpu: %ld processors, %d threads by default", processors, cli_usable_processors());
  for (stijl_isa isa = STIJL_ISA_SCALAR; stijl_isa_name(isa); isa = (stijl_isa)((int)isa + 1))
    cli_print("  %-8s %s", stijl_isa_name(isa), stijl_isa_available(isa) ? "available" : "not available");
  if (!g->count) cli_print("gpu: none (%s)", g->message.text);
  for (size_t i = 0; i < g->count; i++) {
    const stijl_device *d = &g->devices[i];
    cli_print("gpu %d: %s", d->index, d->name);
    cli_print("  type     %s, Vulkan %d.%d", d->type, d->api_major, d->api_minor);
    cli_print("  memory   %llu MiB, %llu MiB a storage buffer, %u KiB shared by a workgroup",
              (unsigned long long)(d->memory_bytes >> 20), (unsigned long long)(d->max_storage_range >> 20),
              d->shared_memory_bytes >> 10);
    if (d->lacks) cli_print("  not usable: lacks %s", d->lacks);
  }
}

static bool print_json(long processors, const gpus *g) {
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
  for (size_t i = 0; i < g->count; i++) {
    const stijl_device *d = &g->devices[i];
    cli_json_begin(&json, NULL, '{');
    cli_json_unsigned(&json, "index", (uint64_t)d->index);
    cli_json_string(&json, "name", d->name);
    cli_json_string(&json, "type", d->type);
    cli_json_bool(&json, "usable", !d->lacks);
    if (d->lacks) cli_json_string(&json, "lacks", d->lacks);
    cli_json_unsigned(&json, "memory_bytes", d->memory_bytes);
    cli_json_unsigned(&json, "max_storage_range", d->max_storage_range);
    cli_json_unsigned(&json, "shared_memory_bytes", d->shared_memory_bytes);
    cli_json_end(&json, '}');
  }
  cli_json_end(&json, ']');
  if (!g->count) cli_json_string(&json, "gpus_note", g->message.text);
  cli_json_end(&json, '}');
  bool good = !json.failed;
  if (good) puts(json.text);
  cli_json_finish(&json);
  return good;
}

int cli_command_devices(int argc, char **argv) {
  cli_devices_options options = {0};
  int operands, status;
  if (!cli_parse(&cli_commands[CLI_DEVICES], argc, argv, &options, &operands, &status)) return status;
  if (operands) {
    cli_report(NULL, "devices takes no file (see stijl devices --help)");
    return 1;
  }
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  static gpus found;
  find_gpus(&found);
  if (options.json && !print_json(processors, &found)) {
    cli_report(NULL, "out of memory");
    return 1;
  }
  if (!options.json) print_text(processors, &found);
  return 0;
}
