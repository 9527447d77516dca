// Runs a fuzz harness without a fuzzer, as a test: every file of the folder FUZZ_CORPUS, then FUZZ_MUTATIONS seeded
// mutations of these files. `replay_x mutations 1234` runs that mutation alone. STIJL_TEST_MUTATIONS: another number.
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "processor.h"
#include "test.h"

// Seconds of all processors that one input may take, sanitizers included: on a busy machine it takes no more of them.
// (One that waits for ever ends with the test's own limit.)
#define TIME_LIMIT (getenv("STIJL_TEST_DEVICE") || getenv("STIJL_TEST_SOAK") ? 60.0 : 30.0)
enum { MAX_FILES = 4096, MAX_BYTES = 1 << 20 };

static struct {
  char *name;
  uint8_t *data;
  size_t size;
} files[MAX_FILES];
static size_t file_count;

static void load(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *in = fopen(path, "rb");
  if (!in || file_count == MAX_FILES) {
    fprintf(stderr, "%s: cannot be read\n", path);
    exit(1);
  }
  static uint8_t buffer[MAX_BYTES];
  size_t size = fread(buffer, 1, sizeof buffer, in);
  fclose(in);
  files[file_count].name = strdup(name);
  files[file_count].data = malloc(size + 1);
  if (!files[file_count].name || !files[file_count].data) abort();
  memcpy(files[file_count].data, buffer, size);
  files[file_count++].size = size;
}

static void load_folder(const char *folder) {
  if (file_count) return;
  struct dirent **entries;
  int count = scandir(folder, &entries, NULL, alphasort);
  if (count < 0) {
    perror(folder);
    exit(1);
  }
  for (int i = 0; i < count; i++) {
    if (entries[i]->d_name[0] != '.') load(folder, entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
}

// Returns true when the harness came back within the limit. The input gets a block of its own size, so that a sanitizer
// sees every byte read beyond it.
static bool run(const uint8_t *data, size_t size) {
  uint8_t *copy = malloc(size ? size : 1);
  if (!copy) abort();
  if (size) memcpy(copy, data, size);
  double start = sj_test_processor_seconds();
  LLVMFuzzerTestOneInput(copy, size);
  double taken = sj_test_processor_seconds() - start;
  free(copy);
  return taken <= TIME_LIMIT;
}

// Puts a number that arithmetic likes least in place of the first one behind `at`. Returns the new size.
static size_t replace_number(uint8_t *data, size_t size, size_t at, sj_random *r) {
  static const char *const numbers[] = {"0",   "-1",   "1e-7", "1e-15", "1e-20", "1e-30", "1e-38", "1e-45",
                                        "1e7", "1e10", "1e20", "1e30",  "3e38",  "1e40",  "90",    "-180"};
  const char *number = numbers[sj_random_int(r, 0, (int)(sizeof numbers / sizeof *numbers))];
  size_t length = strlen(number), end;
  while (at < size && (data[at] < '0' || data[at] > '9')) at++;
  for (end = at; end < size && ((data[end] >= '0' && data[end] <= '9') || data[end] == '.');) end++;
  if (at == size || size - (end - at) + length > MAX_BYTES) return size;
  memmove(data + at + length, data + end, size - end);
  memcpy(data + at, number, length);
  return size - (end - at) + length;
}

// Makes mutation n: file n modulo their number, changed at 1 to 8 places.
static size_t mutate(uint64_t n, uint8_t *out) {
  size_t file = (size_t)(n % file_count), size = files[file].size;
  memcpy(out, files[file].data, size);
  sj_random r = sj_random_seed(n);
  static const uint8_t telling[] = {0x00, 0xff, 0x7f, 0x80, '-', '.', 'e', '9', '<', '>', '"', '#', '%', ' '};
  for (int change = sj_random_int(&r, 1, 9); change > 0; change--) {
    size_t at = size ? (size_t)sj_random_int(&r, 0, (int)size) : 0;
    size_t length = 1 + (size_t)sj_random_int(&r, 0, 16);
    switch (sj_random_int(&r, 0, 8)) {
      case 0:
        if (size) out[at] = (uint8_t)sj_random_u32(&r);
        break;
      case 1:
        if (size) out[at] = telling[sj_random_int(&r, 0, (int)sizeof telling)];
        break;
      case 2:
        if (size) out[at] ^= (uint8_t)(1 << sj_random_int(&r, 0, 8));
        break;
      case 3:  // remove
        if (length > size - at) length = size - at;
        memmove(out + at, out + at + length, size - at - length);
        size -= length;
        break;
      case 4:  // repeat
        if (length > size - at) length = size - at;
        if (size + length > MAX_BYTES) break;
        memmove(out + at + length, out + at, size - at);
        size += length;
        break;
      case 5:  // cut the end, rarely
        if (sj_random_int(&r, 0, 4) == 0) size = at;
        break;
      default: size = replace_number(out, size, at, &r); break;
    }
  }
  return size;
}

// What runs now, for the one who looks at an abort.
static char running[300];

static void on_abort(int signal_number) {
  (void)signal_number;
  ssize_t written = write(STDOUT_FILENO, running, strlen(running));
  (void)written;
  signal(SIGABRT, SIG_DFL);
}

TEST(corpus) {
  signal(SIGABRT, on_abort);
  load_folder(FUZZ_CORPUS);
  CHECK(file_count > 0);
  for (size_t i = 0; i < file_count; i++) {
    snprintf(running, sizeof running, "# aborted in %s\n", files[i].name);
    if (!run(files[i].data, files[i].size)) sj_test_fail(files[i].name, 0, "took more than %g s", TIME_LIMIT);
  }
}

TEST(mutations) {
  static uint8_t buffer[MAX_BYTES];
  signal(SIGABRT, on_abort);
  load_folder(FUZZ_CORPUS);
  if (file_count == 0) return;
  const char *asked = getenv("STIJL_TEST_MUTATIONS");
  uint64_t count = asked ? strtoull(asked, NULL, 10) : FUZZ_MUTATIONS, n;
  fuzz_complete = 0;
  for (n = 0; sj_test_cases(&n, count); n++) {
    snprintf(running, sizeof running, "# aborted in case %llu\n", (unsigned long long)n);
    if (!run(buffer, mutate(n, buffer)))
      sj_test_fail(FUZZ_CORPUS, 0, "case %llu took more than %g s", (unsigned long long)n, TIME_LIMIT);
  }
  printf("# %llu went all the way\n", (unsigned long long)fuzz_complete);
#ifdef FUZZ_LACKS
  printf("# this build has no %s, without which nothing goes all the way\n", FUZZ_LACKS);
#else
  if (n == count) CHECK(fuzz_complete >= count / 20);
#endif
}
