// A small test harness with TAP output. Each program links tests/test.c and holds any number of
//   TEST(name) { CHECK(condition); CHECK_INT(got, expected); if (...) SKIP("why"); }
// `program`            runs all; `program NAME [CASE]` runs the tests whose name contains NAME, randomised ones
// (those that loop over sj_test_cases) only with the given case number.
#ifndef SJ_TEST_H
#define SJ_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "random.h"

void sj_test_register(const char *name, void (*run)(void));
// Marks the running test as failed and prints the reason; at most 10 reasons a test are printed.
__attribute__((format(printf, 3, 4))) void sj_test_fail(const char *file, int line, const char *format, ...);
void sj_test_skip(const char *why);
bool sj_test_failed(void);

// Goes on to the next case: for (uint64_t n = 0; sj_test_cases(&n, 1000); n++) has cases 0..999, or just the one asked
// for on the command line.
bool sj_test_cases(uint64_t *n, uint64_t count);

// Returns how many of `count` cases are to be run: all, or with STIJL_TEST_SHARE=N, which is for slow devices, the N-th
// part.
uint64_t sj_test_share(uint64_t count);

// Returns the folder of the shared test data (STIJL_SHARED, else ../shared beside the source tree), NULL when absent.
const char *sj_test_shared(void);

// Returns whether two pictures are the same; if not, the test has failed, with the first pixel that differs, in case
// `n` of `what`.
bool sj_test_same_pixels(uint64_t n, const char *what, const uint32_t *got, const uint32_t *expected, int width,
                         int height);

// Returns the path of a file in tests/fonts; valid until the next call.
const char *sj_test_font(const char *name);

#define TEST(name)                                                                                         \
  static void test_##name(void);                                                                           \
  __attribute__((constructor)) static void register_##name(void) { sj_test_register(#name, test_##name); } \
  static void test_##name(void)

#define CHECK(condition)                                                  \
  do {                                                                    \
    if (!(condition)) sj_test_fail(__FILE__, __LINE__, "%s", #condition); \
  } while (0)
#define CHECK_INT(got, expected)                                                                                 \
  do {                                                                                                           \
    long long got_ = (long long)(got), expected_ = (long long)(expected);                                        \
    if (got_ != expected_) sj_test_fail(__FILE__, __LINE__, "%s is %lld, expected %lld", #got, got_, expected_); \
  } while (0)
#define CHECK_STR(got, expected)                                                                \
  do {                                                                                          \
    const char *got_ = (got), *expected_ = (expected);                                          \
    if (strcmp(got_, expected_) != 0)                                                           \
      sj_test_fail(__FILE__, __LINE__, "%s is \"%s\", expected \"%s\"", #got, got_, expected_); \
  } while (0)
#define CHECK_NEAR(got, expected, tolerance)                                                \
  do {                                                                                      \
    double got_ = (double)(got), expected_ = (double)(expected);                            \
    if (!(got_ - expected_ <= (tolerance) && expected_ - got_ <= (tolerance)))              \
      sj_test_fail(__FILE__, __LINE__, "%s is %.9g, expected %.9g", #got, got_, expected_); \
  } while (0)
#define SKIP(why)      \
  do {                 \
    sj_test_skip(why); \
    return;            \
  } while (0)

#endif
