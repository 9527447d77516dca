// Starts the viewer, stijl-view, which is a program of its own since it needs a library for windows.
#include "view.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "parse.h"
#include "report.h"

#define VIEWER "stijl-view"
#define MOST_OPTIONS 16

// Starts the viewer that lies beside this program: in an installation both are in one folder, and in a build in folders
// beside each other.
static void start_beside(char **arguments) {
  static const char *const places[] = {"", "../viewer/"};
  char path[4096];
  ssize_t count = readlink("/proc/self/exe", path, sizeof path - 64);
  if (count <= 0) return;
  path[count] = 0;
  char *name = strrchr(path, '/');
  if (!name) return;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    strcpy(name + 1, places[i]);
    strcat(name + 1, VIEWER);
    execv(path, arguments);
  }
}

int cli_command_view(int argc, char **argv) {
  cli_view_options o = {.width = 960, .height = 720};
  int operands, status;
  if (!cli_parse(&cli_commands[CLI_VIEW], argc, argv, &o, &operands, &status)) return status;
  if (operands == 0) {
    cli_report(NULL, "view takes the files to show (see stijl view --help)");
    return 1;
  }
  char width[16], height[16], threads[16], time[32];
  snprintf(width, sizeof width, "%d", o.width);
  snprintf(height, sizeof height, "%d", o.height);
  snprintf(threads, sizeof threads, "%d", o.threads);
  snprintf(time, sizeof time, "%.9g", o.time);
  const char **arguments = calloc(MOST_OPTIONS + (size_t)operands + 1, sizeof *arguments);
  if (!arguments) {
    cli_report(NULL, "out of memory");
    return 1;
  }
  const char *own[MOST_OPTIONS] = {
      VIEWER, "-w", width, "-h", height, "-j", threads, "-b", o.backend ? "vulkan" : "cpu", "--time", time};
  size_t count = 0;
  while (own[count]) arguments[count] = own[count], count++;
  if (o.plays) arguments[count++] = "--play";
  if (o.device) {
    arguments[count++] = "--device";
    arguments[count++] = o.device;
  }
  arguments[count++] = "--";
  for (int i = 0; i < operands; i++) arguments[count++] = argv[1 + i];
  char **list = (char **)(uintptr_t)arguments;
  start_beside(list);
  execvp(VIEWER, list);
  cli_report(NULL, "%s cannot be started: %s (it is a package of its own, and built where SDL 2 is)", VIEWER,
             strerror(errno));
  free(arguments);
  return 1;
}
