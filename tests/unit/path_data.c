// Numbers and SVG path data.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "geometry/number.h"
#include "path_text.h"
#include "test.h"

static double number(const char *text, size_t used) {
  double value = -1;
  CHECK_INT(sj_number_parse(text, strlen(text), &value), used);
  return value;
}

TEST(numbers) {
  CHECK(number("0", 1) == 0);
  CHECK(number("+1.5x", 4) == 1.5);
  CHECK(number("-.5e-3-4", 6) == -0.5e-3);
  CHECK(number("1.2.3", 3) == 1.2);
  CHECK(number("1.", 1) == 1);
  CHECK(number("1em", 1) == 1);
  CHECK(number("1e+", 1) == 1);
  CHECK(number("1E2", 3) == 100);
  CHECK(number("59.60784313725490196078431372549", 32) == 59.60784313725490196078431372549);
  CHECK(number("1e999", 5) == DBL_MAX);
  CHECK(number("-1e99999999999999999999", 23) == -DBL_MAX);
  CHECK(number("1e-999", 6) == 0);
  CHECK(number("0e999", 5) == 0);
  CHECK(sj_number_to_float(1e300) == FLT_MAX);
  CHECK(sj_number_to_float(-1e300) == -FLT_MAX);
  double value;
  static const char *const none[] = {"", ".", "-", "+.", "e5", "-e5", " 1", "x", "inf", "nan"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    CHECK_INT(sj_number_parse(none[i], strlen(none[i]), &value), 0);
  // The text need not end in NUL.
  CHECK(sj_number_parse("12345", 3, &value) == 3 && value == 123);
}

// As the C library reads them (which is right to the last bit in the C locale), to within three roundings.
TEST(numbers_are_accurate) {
  for (uint64_t n = 0; sj_test_cases(&n, 20000); n++) {
    sj_random r = sj_random_seed(n);
    char text[64];
    int digits = sj_random_int(&r, 1, 25), at = 0, point = sj_random_int(&r, 0, 25);
    for (int i = 0; i < digits; i++) {
      if (i == point) text[at++] = '.';
      text[at++] = (char)('0' + sj_random_int(&r, 0, 10));
    }
    snprintf(text + at, sizeof text - (size_t)at, "e%d", sj_random_int(&r, -40, 30));
    double got, expected = strtod(text, NULL);
    CHECK_INT(sj_number_parse(text, strlen(text), &got), strlen(text));
    if (!(fabs(got - expected) <= fabs(expected) * 8 * DBL_EPSILON)) {
      sj_test_fail(__FILE__, __LINE__, "case %llu: %s is %.17g, expected %.17g", (unsigned long long)n, text, got,
                   expected);
    }
  }
}

// Returns the drawing of path data; "!" and the offset behind it when the data is malformed there. Good until the call
// after the next.
static const char *draw(const char *data) {
  static char texts[2][20000];
  static int turn;
  char *text = texts[turn ^= 1];
  stijl_path *p;
  if (stijl_path_create(NULL, &p) != STIJL_OK) abort();
  size_t offset = 12345;
  // A copy without NUL, so that a sanitizer sees every byte read beyond the end.
  size_t length = strlen(data);
  char *copy = malloc(length + !length);
  if (!copy) abort();
  memcpy(copy, data, length);
  stijl_result result = stijl_path_add_svg(p, copy, length, &offset);
  free(copy);
  CHECK(result == STIJL_OK || result == STIJL_ERROR_MALFORMED);
  CHECK_INT(stijl_path_status(p), STIJL_OK);
  if (result) {
    snprintf(text, sizeof texts[0], "%s !%zu", path_text(p), offset);
  } else {
    CHECK_INT(offset, 0);
    snprintf(text, sizeof texts[0], "%s", path_text(p));
  }
  stijl_path_destroy(p);
  return text;
}

TEST(every_command) {
  CHECK_STR(draw("M1 2L3 4H5V6Q7 8 9 10C1 2 3 4 5 6Z"), "M1,2 L3,4 L5,4 L5,6 Q7,8 9,10 C1,2 3,4 5,6 Z");
  CHECK_STR(draw("m1 2l3 4h5v6q7 8 9 10c1 2 3 4 5 6z"), "M1,2 L4,6 L9,6 L9,12 Q16,20 18,22 C19,24 21,26 23,28 Z");
  CHECK_STR(draw("M0 0A5 5 0 0 1 10 0"), "M0,0 C0,-2.76142 2.23858,-5 5,-5 C7.76142,-5 10,-2.76142 10,0");
  CHECK_STR(draw("m1 1a5 5 0 0 1 10 0"), "M1,1 C1,-1.76142 3.23858,-4 6,-4 C8.76142,-4 11,-1.76142 11,1");
}

TEST(repeated_arguments) {
  CHECK_STR(draw("M30 40 110 160 150 60"), "M30,40 L110,160 L150,60");
  CHECK_STR(draw("m30 40 110 120 -20 -130"), "M30,40 L140,160 L120,30");
  CHECK_STR(draw("M0 0h1 2 3"), "M0,0 L1,0 L3,0 L6,0");
  CHECK_STR(draw("M0 0T1 1 2 0"), "M0,0 Q0,0 1,1 Q2,2 2,0");
}

TEST(reflection) {
  CHECK_STR(draw("M0 0C1 1 2 2 3 0S5 5 6 0"), "M0,0 C1,1 2,2 3,0 C4,-2 5,5 6,0");
  CHECK_STR(draw("M0 0c1 1 2 2 3 0s5 5 6 0"), "M0,0 C1,1 2,2 3,0 C4,-2 8,5 9,0");
  CHECK_STR(draw("M0 0Q1 1 3 0S5 5 6 0"), "M0,0 Q1,1 3,0 C3,0 5,5 6,0");
  CHECK_STR(draw("M0 0Q1 1 2 0T4 0T6 0"), "M0,0 Q1,1 2,0 Q3,-1 4,0 Q5,1 6,0");
  CHECK_STR(draw("M0 0C1 1 2 2 3 0T5 5"), "M0,0 C1,1 2,2 3,0 Q3,0 5,5");
  CHECK_STR(draw("M1 1T3 3M5 5T6 6"), "M1,1 Q1,1 3,3 M5,5 Q5,5 6,6");
}

TEST(compact_forms) {
  CHECK_STR(draw("M1.2.3-.5e-3-4"), "M1.2,0.3 L-0.0005,-4");
  CHECK_STR(draw("M10 20a1 1 0 00.5.5"), "M10,20 C10.1002,20.222 10.278,20.3998 10.5,20.5");
  CHECK_STR(draw("M0,0 A 5 5 0 0,1,10,0"), draw("M0 0a5 5 0 0110 0"));
  CHECK_STR(draw(" \t\r\n\fM\n1\n,\n2\nL\n3,4\n"), "M1,2 L3,4");
  CHECK_STR(draw("M1-1L+2+3"), "M1,-1 L2,3");
}

TEST(after_close) {
  CHECK_STR(draw("M10 10L10 20L20 10zL100 100l1 1"), "M10,10 L10,20 L20,10 Z M10,10 L100,100 L101,101");
  CHECK_STR(draw("m10 10l5 0zl1 1zm1 1l1 1"), "M10,10 L15,10 Z M10,10 L11,11 Z M11,11 L12,12");
  CHECK_STR(draw("M1 1zz"), "M1,1 Z");
  CHECK_STR(draw("M30 40L100 150M180 30Z"), "M30,40 L100,150 M180,30 Z");
}

TEST(errors_keep_what_came_before) {
  CHECK_STR(draw(""), "");
  CHECK_STR(draw("  "), "");
  CHECK_STR(draw("L1 1"), " !0");
  CHECK_STR(draw("A 5 5 0 0 1 50 50"), " !0");
  CHECK_STR(draw("M1"), " !2");
  CHECK_STR(draw("M1 1L"), "M1,1 !5");
  CHECK_STR(draw("M30 40 L 110 160 L 150"), "M30,40 L110,160 !22");
  CHECK_STR(draw("M1 1L2 2 3 3 4"), "M1,1 L2,2 L3,3 !14");
  CHECK_STR(draw("M1 1C1 2 3 4 5"), "M1,1 !14");
  CHECK_STR(draw("M1 1x2 2L3 3"), "M1,1 !4");
  CHECK_STR(draw("M1 1,L2 2"), "M1,1 !5");
  CHECK_STR(draw("M1 1 2 2,"), "M1,1 L2,2 !9");
  CHECK_STR(draw("M,1 1"), " !1");
  CHECK_STR(draw("M1,,1"), " !3");
  CHECK_STR(draw("M1 1z2 2"), "M1,1 Z !5");
  CHECK_STR(draw("M0 0A5 5 0 2 1 10 0"), "M0,0 !11");
  CHECK_STR(draw("M0 0A5 5 0 0 -1 10 0"), "M0,0 !13");
  CHECK_STR(draw("M0 0L1. 2"), "M0,0 !6");
  CHECK_STR(draw("M0 0#"), "M0,0 !4");
  CHECK_STR(draw("M0 0\xc3\xa4"), "M0,0 !4");
}

TEST(huge_coordinates_move_to_the_limit) {
  CHECK_STR(draw("M1e20 0L-1e20 4"), "M1e+09,0 L-1e+09,4");
  CHECK_STR(draw("M9e8 0l9e8 0l-9e8 0"), "M9e+08,0 L1e+09,0 L1e+08,0");
  CHECK_STR(draw("M0 0L1e99 5"), "M0,0 !5");
  CHECK_STR(draw("M0 0A1e30 1e30 0 0 1 5 5L1 1"), "M0,0 C1.66667,1.66667 3.33333,3.33333 5,5 L1,1");
  // Most of a huge circle: clamped, but the path goes on.
  CHECK(strstr(draw("M0 0A1e30 1e30 0 1 0 0 5L1 1"), "0,5 L1,1") != NULL);
}

// A long chain of small relative steps ends where it should.
TEST(relative_steps_do_not_drift) {
  enum { STEPS = 100000 };
  char *data = malloc(STEPS * 4 + 8);
  if (!data) abort();
  size_t length = (size_t)sprintf(data, "M0 0h");
  for (int i = 0; i < STEPS; i++) length += (size_t)sprintf(data + length, "%s.1", i ? " " : "");
  stijl_path *p;
  if (stijl_path_create(NULL, &p) != STIJL_OK) abort();
  CHECK_INT(stijl_path_add_svg(p, data, length, NULL), STIJL_OK);
  const stijl_point *q;
  size_t count = stijl_path_points(p, &q);
  CHECK_INT(count, STEPS + 1);
  CHECK(q[count - 1].x == 10000.0f);
  stijl_path_destroy(p);
  free(data);
}

TEST(adding_to_a_path) {
  stijl_path *p = path_from("M1 1L2 2");
  CHECK_INT(stijl_path_add_svg(p, "m5 5l1 1", 8, NULL), STIJL_OK);
  CHECK_STR(path_text(p), "M1,1 L2,2 M5,5 L6,6");
  CHECK_INT(stijl_path_add_svg(p, NULL, 0, NULL), STIJL_OK);
  CHECK_INT(stijl_path_add_svg(p, NULL, 1, NULL), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_path_add_svg(NULL, "", 0, NULL), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_path_destroy(p);
}
