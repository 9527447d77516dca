// `stijl lab`: measures a device.
#include "lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "file.h"
#include "parse.h"
#include "print.h"
#include "stijl/stijl.h"
#include "uses.h"

static int list(void) {
  for (size_t i = 0; stijl_lab_name(i); i++) printf("%-12s %s\n", stijl_lab_name(i), stijl_lab_summary(i));
  return 0;
}

static bool write_file(const char *path, const char *text, cli_failure *failure) {
  cli_output output;
  if (!cli_output_open(&output, path, failure)) return false;
  cli_output_write(&output, text, strlen(text));
  return cli_output_commit(&output, failure);
}

// Writes what was asked for; the verdict goes to standard output where nothing else does.
static bool show(const cli_lab_options *o, const stijl_lab_report *report, cli_failure *failure) {
  bool taken = (o->json && strcmp(o->json, "-") == 0) || (o->html && strcmp(o->html, "-") == 0);
  if (!taken) cli_print_lines(stijl_lab_text(report));
  return (!o->json || write_file(o->json, stijl_lab_json(report), failure)) &&
         (!o->html || write_file(o->html, stijl_lab_html(report), failure));
}

int cli_command_lab(int argc, char **argv) {
  cli_lab_options o = {0};
  int operands, status;
  if (!cli_parse(&cli_commands[CLI_LAB], argc, argv, &o, &operands, &status)) return status;
  cli_failure failure = {""};
  if (!operands && !o.json && !o.html) return list();
  cli_use uses[] = {{operands > 1 ? argv[2] : NULL, NULL, false, NULL},
                    {o.against, NULL, false, NULL},
                    {o.json, "--json", true, NULL},
                    {o.html, "--html", true, NULL}};
  if (operands < 1)
    cli_fail(&failure, "lab takes the name of an instrument (stijl lab lists them)");
  else if (operands > 2)
    cli_fail(&failure, "lab takes one instrument and one file, and there is \"%.100s\" too", argv[3]);
  else
    cli_uses_check(uses, sizeof uses / sizeof *uses, false, "", &failure);
  stijl_lab_params params = STIJL_LAB_PARAMS_INIT;
  unsigned long long index;
  params.quick = o.quick;
  params.trace = o.trace;
  params.against = o.against;
  params.file = operands > 1 ? argv[2] : NULL;
  params.device_name = o.device;
  if (o.device && cli_parse_whole(o.device, 0, 255, &index)) {
    params.device = (int)index;
    params.device_name = NULL;
  }
  stijl_lab_report *report = NULL;
  stijl_message message = {""};
  stijl_result result = STIJL_OK;
  if (!*failure.text) result = stijl_lab_run(NULL, argv[1], &params, &report, &message);
  if (result != STIJL_OK)
    cli_fail(&failure, "%s%s", message.text, strstr(message.text, "no instrument") ? " (stijl lab lists them)" : "");
  bool passed = report && show(&o, report, &failure) && stijl_lab_passed(report);
  if (*failure.text)
    cli_report(NULL, "%s", failure.text);
  else if (!passed)
    cli_report(NULL, "the lab found a figure or a result that cannot be right");
  stijl_lab_report_destroy(report);
  // What a driver does at exit may wait for a device that never answers.
  if (result == STIJL_ERROR_DEVICE) _Exit(1);
  return passed ? 0 : 1;
}
