// Pixel formats: exact for every pair of colour and alpha, and the same however a row is cut.
#include "image/convert.h"

#include <stdlib.h>

#include "test.h"

static const stijl_format colour_formats[] = {STIJL_FORMAT_RGBA8, STIJL_FORMAT_BGRA8, STIJL_FORMAT_RGBA8_STRAIGHT,
                                              STIJL_FORMAT_BGRA8_STRAIGHT};

static uint8_t premultiplied(int c, int a) {
  int x = c * a + 128;
  return (uint8_t)((x + (x >> 8)) >> 8);
}

static uint8_t straight(int c, int a) {
  if (a == 0) return 0;
  int q = (c * 255 + a / 2) / a;
  return (uint8_t)(q < 255 ? q : 255);
}

// All 65536 pairs, in each of the three channels.
static uint8_t pairs[65536][4], result[65536][4];

static void fill_pairs(int channel) {
  for (int i = 0; i < 65536; i++) {
    int c = i & 255, a = i >> 8;
    for (int k = 0; k < 3; k++) pairs[i][k] = (uint8_t)(k == channel ? c : 255 - c);
    pairs[i][3] = (uint8_t)a;
  }
}

TEST(premultiply_all_pairs) {
  for (int channel = 0; channel < 3; channel++) {
    fill_pairs(channel);
    sj_convert_row(STIJL_FORMAT_RGBA8_STRAIGHT, STIJL_FORMAT_RGBA8, pairs, result, 65536);
    for (int i = 0; i < 65536; i++) {
      for (int k = 0; k < 3; k++) CHECK_INT(result[i][k], premultiplied(pairs[i][k], pairs[i][3]));
      CHECK_INT(result[i][3], pairs[i][3]);
    }
  }
}

TEST(unpremultiply_all_pairs) {
  for (int channel = 0; channel < 3; channel++) {
    fill_pairs(channel);
    sj_convert_row(STIJL_FORMAT_RGBA8, STIJL_FORMAT_RGBA8_STRAIGHT, pairs, result, 65536);
    for (int i = 0; i < 65536; i++) {
      for (int k = 0; k < 3; k++) CHECK_INT(result[i][k], straight(pairs[i][k], pairs[i][3]));
      CHECK_INT(result[i][3], pairs[i][3]);
    }
  }
}

TEST(premultiplied_survives_straight) {
  for (int a = 0; a < 256; a++)
    for (int c = 0; c <= a; c++) CHECK_INT(premultiplied(straight(c, a), a), c);
}

static int channel_at(stijl_format format, int channel) {
  bool swapped = format == STIJL_FORMAT_BGRA8 || format == STIJL_FORMAT_BGRA8_STRAIGHT;
  return swapped && channel < 3 ? 2 - channel : channel;
}

static bool is_straight(stijl_format format) {
  return format == STIJL_FORMAT_RGBA8_STRAIGHT || format == STIJL_FORMAT_BGRA8_STRAIGHT;
}

// Converts one pixel, by the definition.
static void convert_pixel(stijl_format from, stijl_format to, const uint8_t *s, uint8_t *d) {
  int rgba[4] = {0};
  if (from == STIJL_FORMAT_A8)
    rgba[3] = s[0];
  else
    for (int k = 0; k < 4; k++) rgba[k] = s[channel_at(from, k)];
  if (to == STIJL_FORMAT_A8) {
    d[0] = (uint8_t)rgba[3];
    return;
  }
  for (int k = 0; k < 3; k++) {
    int c = rgba[k];
    if (from != STIJL_FORMAT_A8 && is_straight(from) != is_straight(to))
      c = is_straight(to) ? straight(c, rgba[3]) : premultiplied(c, rgba[3]);
    d[channel_at(to, k)] = (uint8_t)c;
  }
  d[3] = (uint8_t)rgba[3];
}

TEST(every_format_and_length) {
  enum { MAX = 70 };
  for (uint64_t n = 0; sj_test_cases(&n, 4000); n++) {
    sj_random r = sj_random_seed(n);
    int pick_from = sj_random_int(&r, 0, 5), pick_to = sj_random_int(&r, 0, 5);
    stijl_format from = pick_from < 4 ? colour_formats[pick_from] : STIJL_FORMAT_A8;
    stijl_format to = pick_to < 4 ? colour_formats[pick_to] : STIJL_FORMAT_A8;
    size_t pixels = (size_t)sj_random_int(&r, 0, MAX), in = stijl_format_bytes(from), out = stijl_format_bytes(to);
    size_t offset = (size_t)sj_random_int(&r, 0, 5);
    uint8_t source[8 + MAX * 4], got[8 + MAX * 4 + 1], expected[MAX * 4];
    int alphas = sj_random_int(&r, 0, 3);  // opaque, clear, anything
    for (size_t i = 0; i < pixels * in; i++) source[offset + i] = (uint8_t)sj_random_u32(&r);
    for (size_t i = 0; i < pixels && in == 4; i++) {
      if (alphas == 0) source[offset + 4 * i + 3] = 255;
      if (alphas == 1) memset(source + offset + 4 * i, 0, 4);
    }
    for (size_t i = 0; i < pixels; i++) convert_pixel(from, to, source + offset + i * in, expected + i * out);
    memset(got, 0xa5, sizeof got);
    sj_convert_row(from, to, source + offset, got + offset, pixels);
    if (memcmp(got + offset, expected, pixels * out) != 0 || got[offset + pixels * out] != 0xa5)
      sj_test_fail(__FILE__, __LINE__, "case %llu: %d to %d, %zu pixels", (unsigned long long)n, from, to, pixels);
    if (in != out) continue;
    sj_convert_row(from, to, source + offset, source + offset, pixels);
    if (memcmp(source + offset, expected, pixels * out) != 0)
      sj_test_fail(__FILE__, __LINE__, "case %llu: in place", (unsigned long long)n);
  }
}

TEST(opaque_rows) {
  uint8_t row[200 * 4];
  for (size_t pixels = 0; pixels <= 200; pixels++) {
    memset(row, 255, sizeof row);
    CHECK(sj_row_is_opaque(STIJL_FORMAT_RGBA8, row, pixels));
    CHECK(sj_row_is_opaque(STIJL_FORMAT_A8, row, pixels));
    if (!pixels) continue;
    row[4 * (pixels - 1) + 3] = 254;
    CHECK(!sj_row_is_opaque(STIJL_FORMAT_BGRA8_STRAIGHT, row, pixels));
    memset(row, 255, sizeof row);
    row[3] = 0;
    CHECK(!sj_row_is_opaque(STIJL_FORMAT_RGBA8, row, pixels));
    row[pixels - 1] = 254;
    CHECK(!sj_row_is_opaque(STIJL_FORMAT_A8, row, pixels));
  }
}
