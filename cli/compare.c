// `stijl compare`: how two pictures differ.
#include "compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "file.h"
#include "parse.h"
#include "stijl/stijl.h"
#include "watch.h"

#define MAX_BYTES ((uint64_t)1 << 28)
// Reading a file takes so long by default, beside what its bytes take.
#define CPU_SECONDS 4.0
#define CPU_SECONDS_A_BYTE 0.25e-6

// A picture that is read.
typedef struct picture {
  const char *path;
  unsigned char *data;
  size_t bytes;
  stijl_image_reader *reader;
  unsigned char *row;
  int width, height;
} picture;

// What was found.
typedef struct difference {
  uint64_t pixels;
  int largest;  // in a channel
} difference;

static void on_log(void *user, stijl_log_level level, const char *line) {
  (void)user;
  if (level == STIJL_LOG_WARNING) cli_report(NULL, "warning: %s", line);
}

static bool read_file(const cli_compare_options *o, picture *p, const char *path) {
  cli_failure failure;
  p->path = path;
  if (cli_read(path, o->max_bytes, &p->data, &p->bytes, &failure)) return true;
  cli_report(path, "%s", failure.text);
  return false;
}

static bool fail(const picture *p, stijl_result result, const char *text) {
  cli_report(p->path, "%s%s", *text ? text : stijl_result_string(result),
             result == STIJL_ERROR_LIMIT ? " (the --max-... options set the limits)" : "");
  return false;
}

static bool open_picture(const cli_compare_options *o, stijl_context *context, picture *p) {
  stijl_message message = {""};
  stijl_result result = stijl_image_reader_create(context, p->data, p->bytes, &o->limits, &p->reader, &message);
  if (result != STIJL_OK) return fail(p, result, message.text);
  p->width = stijl_image_reader_width(p->reader);
  p->height = stijl_image_reader_height(p->reader);
  p->row = malloc((size_t)p->width * 4);
  return p->row || fail(p, STIJL_ERROR_OUT_OF_MEMORY, "");
}

static void close_picture(picture *p) {
  stijl_image_reader_destroy(p->reader);
  free(p->row);
  free(p->data);
}

static void compare_rows(const unsigned char *p, const unsigned char *q, int width, difference *found) {
  if (memcmp(p, q, (size_t)width * 4) == 0) return;
  for (int x = 0; x < width; x++, p += 4, q += 4) {
    int most = 0;
    for (int c = 0; c < 4; c++) {
      int d = abs(p[c] - q[c]);
      most = d > most ? d : most;
    }
    found->pixels += most > 0;
    found->largest = most > found->largest ? most : found->largest;
  }
}

static bool read_row(picture *p) {
  stijl_message message = {""};
  stijl_result result = stijl_image_reader_row(p->reader, p->row, &message);
  return result == STIJL_OK || fail(p, result, message.text);
}

// Compares two pictures, and returns the exit status.
static int compare(picture *a, picture *b) {
  if (a->width != b->width || a->height != b->height) {
    printf("sizes differ: %d x %d and %d x %d\n", a->width, a->height, b->width, b->height);
    return 1;
  }
  difference found = {0};
  for (int y = 0; y < a->height; y++) {
    if (!read_row(a) || !read_row(b)) return 2;
    compare_rows(a->row, b->row, a->width, &found);
  }
  printf("%llu differing pixels of %llu, largest difference %d\n", (unsigned long long)found.pixels,
         (unsigned long long)a->width * (unsigned long long)a->height, found.largest);
  return found.pixels ? 1 : 0;
}

// Sets the limits. What is decoded is bounded by its time; how much work that is says nothing more.
static void set_limits(cli_compare_options *o, size_t bytes) {
  o->budget.max_work = UINT64_MAX / 2;
  if (!(o->budget.max_seconds > 0) && !(o->budget.max_cpu_seconds > 0))
    o->budget.max_cpu_seconds = CPU_SECONDS + (double)bytes * CPU_SECONDS_A_BYTE;
}

int cli_command_compare(int argc, char **argv) {
  cli_compare_options o = {
      .max_bytes = MAX_BYTES, .limits = STIJL_IMAGE_LIMITS_INIT, .budget = STIJL_BUDGET_PARAMS_INIT};
  int operands, status;
  if (!cli_parse(&cli_commands[CLI_COMPARE], argc, argv, &o, &operands, &status)) return status;
  if (operands != 2) {
    cli_report(NULL, "compare takes two pictures (see stijl compare --help)");
    return 2;
  }
  picture a = {0}, b = {0};
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.log = on_log;
  stijl_context *context = NULL;
  stijl_budget *budget = NULL;
  status = 2;
  if (read_file(&o, &a, argv[1]) && read_file(&o, &b, argv[2])) {
    set_limits(&o, a.bytes + b.bytes);
    if (stijl_context_create(&params, &context) != STIJL_OK ||
        stijl_budget_create(context, &o.budget, &budget) != STIJL_OK) {
      cli_report(NULL, "out of memory");
    } else {
      stijl_context *counting = stijl_budget_context(budget);
      cli_watch_begin(budget, NULL, true, 2);
      if (open_picture(&o, counting, &a) && open_picture(&o, counting, &b)) status = compare(&a, &b);
      cli_watch_end();
    }
  }
  close_picture(&a);
  close_picture(&b);
  stijl_budget_destroy(budget);
  stijl_context_destroy(context);
  return status;
}
