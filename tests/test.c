#include "test.h"

#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>

static struct {
  const char *name;
  void (*run)(void);
} tests[512];
static int test_count;

static int reasons;
static const char *skipped;
static bool one_case;
static uint64_t wanted_case;

void sj_test_register(const char *name, void (*run)(void)) {
  if (test_count == (int)(sizeof tests / sizeof *tests)) abort();
  tests[test_count].name = name;
  tests[test_count++].run = run;
}

void sj_test_fail(const char *file, int line, const char *format, ...) {
  if (reasons++ >= 10) return;
  printf("# %s:%d: ", file, line);
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  putchar('\n');
}

void sj_test_skip(const char *why) {
  static char copy[200];  // the reason may lie on the test's stack
  snprintf(copy, sizeof copy, "%s", why);
  skipped = copy;
}

bool sj_test_failed(void) { return reasons > 0; }

uint64_t sj_test_share(uint64_t count) {
  const char *share = getenv("STIJL_TEST_SHARE");
  uint64_t parts = share ? strtoull(share, NULL, 10) : 1;
  return parts ? (count + parts - 1) / parts : count;
}

bool sj_test_cases(uint64_t *n, uint64_t count) {
  if (!one_case) return *n < count;
  if (*n > wanted_case) return false;
  *n = wanted_case;
  return true;
}

bool sj_test_same_pixels(uint64_t n, const char *what, const uint32_t *got, const uint32_t *expected, int width,
                         int height) {
  for (int i = 0; i < width * height; i++)
    if (got[i] != expected[i]) {
      sj_test_fail(what, 0, "case %llu, pixel %d, %d: %08x, expected %08x", (unsigned long long)n, i % width, i / width,
                   got[i], expected[i]);
      return false;
    }
  return true;
}

const char *sj_test_font(const char *name) {
  static char path[512];
  snprintf(path, sizeof path, "%s/tests/fonts/%s", STIJL_SOURCE_ROOT, name);
  return path;
}

const char *sj_test_shared(void) {
  static char path[4096];
  const char *given = getenv("STIJL_SHARED");
  snprintf(path, sizeof path, "%s", given ? given : STIJL_SOURCE_ROOT "/../shared");
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? path : NULL;
}

int main(int argc, char **argv) {
  const char *filter = argc > 1 ? argv[1] : "";
  one_case = argc > 2;
  if (one_case) wanted_case = strtoull(argv[2], NULL, 10);
  setvbuf(stdout, NULL, _IOLBF, 0);
  int number = 0, failed = 0;
  for (int i = 0; i < test_count; i++) {
    if (!strstr(tests[i].name, filter)) continue;
    reasons = 0;
    skipped = NULL;
    tests[i].run();
    number++;
    failed += reasons > 0;
    printf("%s %d - %s", reasons ? "not ok" : "ok", number, tests[i].name);
    if (skipped && !reasons) printf(" # SKIP %s", skipped);
    putchar('\n');
  }
  printf("1..%d\n", number);
  return failed ? 1 : 0;
}
