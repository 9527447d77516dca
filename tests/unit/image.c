// Pictures and their decoders, on the files of tests/fuzz/corpus/image (IMAGES).
#include "image/image.h"

#include <pthread.h>
#include <stdlib.h>

#include "stijl/budget.h"
#include "test.h"

static size_t read_file(const char *name, uint8_t *data, size_t room) {
  char path[4096];
  snprintf(path, sizeof path, IMAGES "%s", name);
  FILE *f = fopen(path, "rb");
  if (!f) {
    sj_test_fail(__FILE__, __LINE__, "%s cannot be read", path);
    return 0;
  }
  size_t bytes = fread(data, 1, room, f);
  fclose(f);
  return bytes;
}

// Returns the picture of a file; NULL after a failure, which is one of the test's, except where the build lacks the
// format.
static stijl_image *decode_file(const char *name) {
  uint8_t data[4096];
  stijl_image *image;
  stijl_message message;
  stijl_result result = stijl_image_decode(NULL, data, read_file(name, data, sizeof data), NULL, &image, &message);
  if (result == STIJL_ERROR_UNSUPPORTED)
    sj_test_skip(message.text);
  else if (result)
    sj_test_fail(__FILE__, __LINE__, "%s: %s", name, message.text);
  return image;
}

typedef void (*expectation)(int x, int y, int *rgba);  // straight

static void expect_pixels(const char *name, expectation expected, int tolerance) {
  stijl_image *image = decode_file(name);
  if (!image) return;
  size_t stride;
  const uint8_t *pixels = stijl_image_pixels(image, &stride);
  CHECK_INT(stijl_image_format(image), STIJL_FORMAT_RGBA8);
  for (int y = 0; y < stijl_image_height(image); y++)
    for (int x = 0; x < stijl_image_width(image); x++) {
      int rgba[4];
      expected(x, y, rgba);
      for (int k = 0; k < 4; k++) {
        int got = pixels[(size_t)y * stride + 4 * (size_t)x + (size_t)k], v = rgba[k];
        if (k < 3) v = (v * rgba[3] * 2 + 255) / 510;
        if (abs(got - v) > tolerance)
          sj_test_fail(__FILE__, __LINE__, "%s: channel %d of (%d, %d) is %d, expected %d", name, k, x, y, got, v);
      }
    }
  stijl_image_destroy(image);
}

static void set(int *rgba, int r, int g, int b, int a) {
  rgba[0] = r;
  rgba[1] = g;
  rgba[2] = b;
  rgba[3] = a;
}

static void rgba_picture(int x, int y, int *rgba) { set(rgba, 30 * x, 30 * y, 100, x < 7 ? 36 * x : 255); }
static void rgb_picture(int x, int y, int *rgba) { set(rgba, 30 * x, 30 * y, 100, 255); }
static void key_picture(int x, int y, int *rgba) { set(rgba, 30 * x, 30 * y, 100, x == 1 && y == 2 ? 0 : 255); }
// Checks that with a palette, or row by row, it is the same picture.
static void expect_same(const char *name, bool indexed) {
  stijl_image *image = decode_file(name), *other = NULL;
  stijl_image_reader *reader = NULL;
  uint8_t data[4096];
  size_t bytes = read_file(name, data, sizeof data);
  if (!image) return;
  CHECK_INT(sj_image_decode(NULL, data, bytes, NULL, 0, &other, NULL), STIJL_OK);
  CHECK_INT(stijl_image_reader_create(NULL, data, bytes, NULL, &reader, NULL), STIJL_OK);
  size_t row_bytes = (size_t)image->width * 4;
  CHECK_INT(stijl_image_reader_width(reader), image->width);
  CHECK_INT(stijl_image_reader_height(reader), image->height);
  CHECK_INT(other->palette != NULL, indexed);
  uint32_t row[64];
  for (int y = 0; y < image->height; y++) {
    const uint8_t *wanted = image->pixels + (size_t)y * image->stride;
    if (memcmp(sj_image_row(other, y, row), wanted, row_bytes) != 0)
      sj_test_fail(__FILE__, __LINE__, "%s: row %d differs with a palette", name, y);
    CHECK_INT(stijl_image_reader_row(reader, row, NULL), STIJL_OK);
    if (memcmp(row, wanted, row_bytes) != 0) sj_test_fail(__FILE__, __LINE__, "%s: row %d differs alone", name, y);
  }
  stijl_message message;
  CHECK_INT(stijl_image_reader_row(reader, row, &message), STIJL_ERROR_INVALID_STATE);
  CHECK_STR(message.text, "all rows have been read");
  CHECK(sj_image_is_opaque(image) || !sj_image_is_opaque(other));
  stijl_image_reader_destroy(reader);
  stijl_image_destroy(image);
  stijl_image_destroy(other);
}

TEST(rows_and_palettes_are_the_same_picture) {
  static const char *const indexed[] = {"grey1.png",    "grey2.png",    "grey4.png",    "grey8.png",   "grey16.png",
                                        "palette1.png", "palette2.png", "palette4.png", "palette8.png"};
  static const char *const others[] = {"rgba8.png",       "rgba8-interlaced.png", "rgba16.png",
                                       "rgb8.png",        "rgb16-interlaced.png", "rgb8-key.png",
                                       "grey8-alpha.png", "key-interlaced.gif"};
  for (size_t i = 0; i < sizeof indexed / sizeof *indexed; i++) expect_same(indexed[i], true);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) expect_same(others[i], false);
}

static void grey(int v, int *rgba) { set(rgba, v, v, v, 255); }
static void grey1(int x, int y, int *rgba) { grey(((x + y) & 1) * 255, rgba); }
static void grey2(int x, int y, int *rgba) { grey(((x + y) & 3) * 85, rgba); }
static void grey4(int x, int y, int *rgba) { grey(((x + y) & 15) * 17, rgba); }
static void grey8(int x, int y, int *rgba) { grey((x + y) * 8, rgba); }
static void grey_alpha(int x, int y, int *rgba) {
  grey((x + y) * 8, rgba);
  rgba[3] = x < 7 ? 36 * x : 255;
}
static void palette(int i, int *rgba) { set(rgba, 17 * i, 255 - 17 * i, 10 * i, 255 - i); }
static void palette1(int x, int y, int *rgba) { palette((x + y) % 2, rgba); }
static void palette2(int x, int y, int *rgba) { palette((x + y) % 4, rgba); }
static void palette15(int x, int y, int *rgba) { palette((x + y) % 15, rgba); }
static void photo(int x, int y, int *rgba) { set(rgba, 200, 100, 50, 255); }
static void grey_photo(int x, int y, int *rgba) { grey(124, rgba); }
static void half_photo(int x, int y, int *rgba) { set(rgba, 200, 100, 50, 128); }

TEST(png_of_every_kind) {
  expect_pixels("rgba8.png", rgba_picture, 0);
  expect_pixels("rgba8-interlaced.png", rgba_picture, 0);
  expect_pixels("rgba16.png", rgba_picture, 0);
  expect_pixels("rgb8.png", rgb_picture, 0);
  expect_pixels("rgb16-interlaced.png", rgb_picture, 0);
  expect_pixels("rgb8-key.png", key_picture, 0);
  expect_pixels("grey1.png", grey1, 0);
  expect_pixels("grey2.png", grey2, 0);
  expect_pixels("grey4.png", grey4, 0);
  expect_pixels("grey8.png", grey8, 0);
  expect_pixels("grey16.png", grey8, 0);
  expect_pixels("grey8-alpha.png", grey_alpha, 0);
  expect_pixels("palette1.png", palette1, 0);
  expect_pixels("palette2.png", palette2, 0);
  expect_pixels("palette4.png", palette15, 0);
  expect_pixels("palette8.png", palette15, 0);
}

TEST(jpeg_of_every_kind) {
  expect_pixels("rgb.jpg", photo, 3);
  expect_pixels("progressive.jpg", photo, 3);
  expect_pixels("grey.jpg", grey_photo, 3);
  expect_pixels("cmyk.jpg", photo, 3);
}

TEST(webp_of_every_kind) {
  expect_pixels("lossy.webp", photo, 4);
  expect_pixels("lossless-alpha.webp", half_photo, 0);
  expect_pixels("lossy-alpha.webp", half_photo, 3);
}

static void gif_picture(int x, int y, int *rgba) {
  set(rgba, 60 * ((x + y) % 4), 255 - 60 * ((x + y) % 4), 10, x == 1 && y == 2 ? 0 : 255);
}
static void gif_in_part(int x, int y, int *rgba) {
  bool inside = x >= 2 && x < 6 && y >= 1 && y < 7;
  set(rgba, inside ? 255 : 0, 0, 0, inside ? 255 : 0);
}

TEST(gif_of_every_kind) {
  expect_pixels("key.gif", gif_picture, 0);
  expect_pixels("key-interlaced.gif", gif_picture, 0);
  expect_pixels("animated.gif", gif_in_part, 0);
}

static void expect_failure(const void *data, size_t bytes, const stijl_image_limits *limits, stijl_result expected,
                           const char *said) {
  stijl_image *image = (stijl_image *)1;
  stijl_message message;
  stijl_result result = stijl_image_decode(NULL, data, bytes, limits, &image, &message);
  CHECK_INT(result, expected);
  CHECK(image == NULL);
  if (!strstr(message.text, said)) sj_test_fail(__FILE__, __LINE__, "message \"%s\" lacks \"%s\"", message.text, said);
}

TEST(what_is_refused) {
  uint8_t data[4096];
  stijl_image_limits limits = STIJL_IMAGE_LIMITS_INIT;
  expect_failure("", 0, NULL, STIJL_ERROR_UNSUPPORTED, "not a PNG, JPEG, WebP or GIF");
  expect_failure("GIF88a", 6, NULL, STIJL_ERROR_UNSUPPORTED, "not a PNG, JPEG, WebP or GIF");
  expect_failure(NULL, 5, NULL, STIJL_ERROR_INVALID_ARGUMENT, "");
  CHECK_INT(stijl_image_decode(NULL, data, 0, NULL, NULL, NULL), STIJL_ERROR_INVALID_ARGUMENT);
  limits.size = 0;
  expect_failure(data, 0, &limits, STIJL_ERROR_INVALID_ARGUMENT, "limits");

  limits = (stijl_image_limits)STIJL_IMAGE_LIMITS_INIT;
  static const struct {
    const char *name;
    uint64_t pixels;
  } files[] = {{"rgba8.png", 64}, {"rgb.jpg", 240}, {"lossy.webp", 240}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    stijl_image *image = decode_file(files[i].name);
    if (!image) continue;
    stijl_image_destroy(image);
    size_t bytes = read_file(files[i].name, data, sizeof data);
    limits.max_pixels = files[i].pixels - 1;
    expect_failure(data, bytes, &limits, STIJL_ERROR_LIMIT, "max_pixels");
    limits.max_pixels++;
    CHECK_INT(stijl_image_decode(NULL, data, bytes, &limits, &image, NULL), STIJL_OK);
    stijl_image_destroy(image);
  }
#ifdef STIJL_HAVE_PNG
  expect_failure(data, read_file("huge-header.png", data, sizeof data), NULL, STIJL_ERROR_LIMIT, "32767");
#endif
#ifdef STIJL_HAVE_WEBP
  expect_failure(data, read_file("animated.webp", data, sizeof data), NULL, STIJL_ERROR_UNSUPPORTED, "animated");
#endif
}

#if defined STIJL_HAVE_PNG || defined STIJL_HAVE_JPEG || defined STIJL_HAVE_WEBP
static void count_line(void *user, stijl_log_level level, const char *line) {
  *(int *)user += level == STIJL_LOG_WARNING && *line;
}

// Decodes every beginning of every file, and every file with each of its bytes wrong.
static void damage(const char *name, bool partial) {
  uint8_t data[4096];
  size_t bytes = read_file(name, data, sizeof data);
  int warnings = 0, shown = 0;
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.log = count_line;
  params.user = &warnings;
  stijl_context *context;
  if (stijl_context_create(&params, &context)) return;
  stijl_image_limits limits = STIJL_IMAGE_LIMITS_INIT;
  limits.max_pixels = 1 << 16;
  for (size_t n = 0; n < bytes; n++) {
    // In a block of its own, so that reading past the end is seen.
    uint8_t *copy = malloc(n ? n : 1);
    if (!copy) break;
    memcpy(copy, data, n);
    stijl_image *image;
    int before = warnings;
    if (stijl_image_decode(context, copy, n, &limits, &image, NULL) == STIJL_OK) {
      shown++;
      // Only the very last bytes can be missing without loss.
      if (partial && n + 16 < bytes) CHECK(warnings > before);
    }
    stijl_image_destroy(image);
    free(copy);
  }
  for (size_t i = 0; i < bytes; i++)
    for (int bit = 0; bit < 8; bit += 3) {
      stijl_image *image;
      data[i] ^= (uint8_t)(1 << bit);
      stijl_image_decode(context, data, bytes, &limits, &image, NULL);
      stijl_image_destroy(image);
      data[i] ^= (uint8_t)(1 << bit);
    }
  if (partial) CHECK(shown > 0);
  stijl_context_destroy(context);
}

#endif

// What libwebp allocates itself is taken into account: 37 MB for these 3000 x 3000 pixels.
TEST(webp_without_loss_takes_more) {
  static const uint8_t data[] = {0x52, 0x49, 0x46, 0x46, 0x14, 0x00, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50,
                                 0x38, 0x4c, 0x08, 0x00, 0x00, 0x00, 0x2f, 0xb7, 0xcb, 0xed, 0x12, 0x88, 0x88, 0x08};
  for (int large = 0; large < 2; large++) {
    stijl_budget_params params = STIJL_BUDGET_PARAMS_INIT;
    params.max_memory = large ? 74000000 : 73000000;
    stijl_budget *budget = NULL;
    CHECK_INT(stijl_budget_create(NULL, &params, &budget), STIJL_OK);
    stijl_image *image = NULL;
    stijl_message message = {""};
    stijl_result result = stijl_image_decode(stijl_budget_context(budget), data, sizeof data, NULL, &image, &message);
    if (result != STIJL_ERROR_UNSUPPORTED) CHECK_INT(result, large ? STIJL_OK : STIJL_ERROR_LIMIT);
    if (result == STIJL_ERROR_LIMIT)
      CHECK_STR(message.text, "image of 3000 x 3000 pixels, more than max_memory leaves room for");
    stijl_image_destroy(image);
    stijl_budget_destroy(budget);
  }
}

TEST(damaged_files) {
#ifdef STIJL_HAVE_PNG
  damage("rgba8.png", true);
  damage("rgba8-interlaced.png", true);
  damage("palette4.png", true);
  damage("rgba16.png", true);
#endif
#ifdef STIJL_HAVE_JPEG
  damage("rgb.jpg", false);
  damage("progressive.jpg", false);
  damage("cmyk.jpg", false);
#endif
#ifdef STIJL_HAVE_WEBP
  damage("lossy-alpha.webp", false);
  damage("lossless-alpha.webp", false);
#endif
#ifdef STIJL_HAVE_GIF
  damage("key.gif", false);
  damage("animated.gif", false);
#endif
#if !defined STIJL_HAVE_PNG && !defined STIJL_HAVE_JPEG && !defined STIJL_HAVE_WEBP && !defined STIJL_HAVE_GIF
  SKIP("this build reads no images");
#endif
}

#ifdef STIJL_HAVE_JPEG
TEST(jpeg_cut_short_is_shown_in_part) {
  uint8_t data[4096];
  size_t bytes = read_file("rgb.jpg", data, sizeof data);
  int warnings = 0;
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.log = count_line;
  params.user = &warnings;
  stijl_context *context;
  CHECK_INT(stijl_context_create(&params, &context), STIJL_OK);
  stijl_image *image;
  CHECK_INT(stijl_image_decode(context, data, bytes - 4, NULL, &image, NULL), STIJL_OK);
  CHECK_INT(warnings, 1);
  stijl_image_destroy(image);
  stijl_context_destroy(context);
}
#endif

TEST(create_copies_and_converts) {
  static const uint8_t bgra[2][12] = {{1, 2, 3, 255, 10, 20, 30, 128}, {0, 0, 0, 0, 200, 100, 50, 255}};
  stijl_image *image;
  CHECK_INT(stijl_image_create(NULL, 2, 2, STIJL_FORMAT_BGRA8_STRAIGHT, bgra, 12, &image), STIJL_OK);
  size_t stride;
  const uint8_t *p = stijl_image_pixels(image, &stride);
  static const uint8_t expected[2][8] = {{3, 2, 1, 255, 15, 10, 5, 128}, {0, 0, 0, 0, 50, 100, 200, 255}};
  for (size_t y = 0; y < 2; y++) CHECK(memcmp(p + y * stride, expected[y], 8) == 0);
  CHECK_INT(stijl_image_width(image), 2);
  CHECK_INT(stijl_image_height(image), 2);
  CHECK_INT(stijl_image_format(image), STIJL_FORMAT_RGBA8);
  stijl_image_destroy(image);

  CHECK_INT(stijl_image_create(NULL, 8, 1, STIJL_FORMAT_A8, bgra, 8, &image), STIJL_OK);
  CHECK_INT(stijl_image_format(image), STIJL_FORMAT_A8);
  CHECK(memcmp(stijl_image_pixels(image, NULL), bgra, 8) == 0);
  stijl_image_destroy(image);

  CHECK_INT(stijl_image_create(NULL, 0, 1, STIJL_FORMAT_A8, bgra, 8, &image), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_image_create(NULL, 1, 32768, STIJL_FORMAT_A8, bgra, 8, &image), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_image_create(NULL, 3, 1, STIJL_FORMAT_RGBA8, bgra, 11, &image), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_image_create(NULL, 1, 1, STIJL_FORMAT_RGBA8, NULL, 4, &image), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_image_create(NULL, 1, 1, (stijl_format)99, bgra, 4, &image), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK(image == NULL);
  CHECK_INT(stijl_format_bytes((stijl_format)99), 0);
  stijl_image_destroy(NULL);
}

TEST(opacity) {
  uint8_t pixels[3 * 5 * 4];
  memset(pixels, 255, sizeof pixels);
  stijl_image *image;
  for (int last = 255; last >= 254; last--) {
    pixels[sizeof pixels - 1] = (uint8_t)last;
    CHECK_INT(stijl_image_create(NULL, 3, 5, STIJL_FORMAT_RGBA8_STRAIGHT, pixels, 12, &image), STIJL_OK);
    for (int i = 0; i < 2; i++) CHECK_INT(sj_image_is_opaque(image), last == 255);
    stijl_image_destroy(image);
  }
}

static void *retain_and_release(void *user) {
  for (int i = 0; i < 10000; i++) stijl_image_destroy(sj_image_retain(user));
  stijl_image_destroy(user);
  return NULL;
}

TEST(owners_on_several_threads) {
  enum { THREADS = 4 };
  static const uint8_t pixel[4] = {1, 2, 3, 4};
  stijl_image *image;
  CHECK_INT(stijl_image_create(NULL, 1, 1, STIJL_FORMAT_RGBA8, pixel, 4, &image), STIJL_OK);
  pthread_t threads[THREADS];
  int started = 0;
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[started], NULL, retain_and_release, sj_image_retain(image)) == 0) started++;
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
  CHECK_INT(started, THREADS);
  CHECK_INT(atomic_load(&image->references), 1);
  CHECK(sj_image_retain(NULL) == NULL);
  stijl_image_destroy(image);
}
