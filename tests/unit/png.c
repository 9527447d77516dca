// The PNG encoder: what it writes is what it was given, for every format, level and shape of picture.
#include <math.h>
#include <stdlib.h>

#include "image/checksum.h"
#include "image/convert.h"
#include "image/huffman.h"
#include "stijl/image_writer.h"
#include "test.h"

typedef struct file {
  uint8_t *data;
  size_t size, stop;  // refuses to grow beyond `stop`, unless 0
} file;

static bool append(void *user, const void *data, size_t bytes) {
  file *f = user;
  if (f->stop && f->size + bytes > f->stop) return false;
  f->data = realloc(f->data, f->size + bytes);
  if (!f->data) abort();
  memcpy(f->data + f->size, data, bytes);
  f->size += bytes;
  return true;
}

typedef struct picture {
  int width, height;
  stijl_format format;
  size_t stride;
  uint8_t *pixels;
} picture;

// Returns a premultiplied colour no larger than its alpha, as pictures have.
static uint32_t random_pixel(sj_random *r, int kind) {
  uint32_t v = sj_random_u32(r), a = kind & 1 ? 255 : v >> 24;
  if (a == 0) return 0;
  return (v & 255) % (a + 1) | ((v >> 8 & 255) % (a + 1)) << 8 | ((v >> 16 & 255) % (a + 1)) << 16 | a << 24;
}

enum { NOISE, RUNS, SAME_ROWS, FEW_COLOURS, ONE_COLOUR, SMOOTH, KINDS };

static uint32_t to_grey(uint32_t pixel, uint32_t step) {
  return (pixel & 0xff) / step * step * 0x010101 | (pixel & 0xff000000);
}

static void draw(picture *p, sj_random *r) {
  int kind = sj_random_int(r, 0, KINDS), opaque = sj_random_int(r, 0, 2);
  uint32_t colours[300];
  int most = (int[]){1, 2, 4, 6, 16, 17, 256, 257, 300}[sj_random_int(r, 0, 9)];
  // Some are grey, in steps that fewer bits can tell.
  uint32_t grey = (uint32_t[]){0, 0, 1, 17, 85, 255}[sj_random_int(r, 0, 6)];
  for (int i = 0; i < 300; i++) colours[i] = random_pixel(r, opaque);
  size_t bytes = stijl_format_bytes(p->format);
  int left = 0;
  uint32_t pixel = colours[0];
  for (size_t y = 0; y < (size_t)p->height; y++) {
    uint8_t *row = p->pixels + y * p->stride;
    if (kind == SAME_ROWS && y && sj_random_int(r, 0, 4)) {
      memcpy(row, row - p->stride, (size_t)p->width * bytes);
      continue;
    }
    for (size_t x = 0; x < (size_t)p->width; x++) {
      if (kind == NOISE) pixel = random_pixel(r, opaque);
      if (kind == FEW_COLOURS) pixel = colours[sj_random_int(r, 0, most)];
      if (kind == SMOOTH) pixel = (uint32_t)((x + y) / 3 % 90) | (uint32_t)(x / 5 % 90) << 8 | 255u << 24;
      if ((kind == RUNS || kind == SAME_ROWS) && left-- <= 0) {
        pixel = random_pixel(r, opaque);
        left = sj_random_int(r, 0, sj_random_int(r, 1, 3) == 1 ? 5 : 300);
      }
      if (grey) pixel = to_grey(pixel, opaque ? grey : 1);
      if (bytes == 1)
        row[x] = (uint8_t)(pixel >> 24);
      else
        memcpy(row + 4 * x, &pixel, 4);
    }
  }
}

static picture make_picture(sj_random *r) {
  static const stijl_format formats[] = {STIJL_FORMAT_RGBA8, STIJL_FORMAT_BGRA8, STIJL_FORMAT_RGBA8_STRAIGHT,
                                         STIJL_FORMAT_BGRA8_STRAIGHT, STIJL_FORMAT_A8};
  picture p = {.format = formats[sj_random_int(r, 0, 5)]};
  switch (sj_random_int(r, 0, 8)) {
    case 0:  // rows longer than deflate's window
      p.width = sj_random_int(r, 8000, 32768);
      p.height = sj_random_int(r, 1, 6);
      break;
    case 1:
      p.width = sj_random_int(r, 1, 4);
      p.height = sj_random_int(r, 1, 20000);
      break;
    case 2:
    case 3:
      p.width = sj_random_int(r, 1, 700);
      p.height = sj_random_int(r, 1, 700);
      break;
    default: p.width = sj_random_int(r, 1, 70); p.height = sj_random_int(r, 1, 70);
  }
  p.stride = (size_t)p.width * stijl_format_bytes(p.format) + (size_t)sj_random_int(r, 0, 7);
  p.pixels = calloc(p.stride, (size_t)p.height);
  if (!p.pixels) abort();
  draw(&p, r);
  return p;
}

static stijl_result encode(const picture *p, int level, int threads, file *out) {
  stijl_png_params params = STIJL_PNG_PARAMS_INIT;
  params.level = level;
  params.threads = threads;
  return stijl_png_encode(NULL, p->width, p->height, p->format, p->pixels, p->stride, &params, append, out, NULL);
}

static int colour_type(const file *f) { return f->data[25]; }

static bool is_opaque(const picture *p) {
  for (int y = 0; y < p->height; y++)
    if (!sj_row_is_opaque(p->format, p->pixels + (size_t)y * p->stride, (size_t)p->width)) return false;
  return true;
}

// Checks that the colour type has an alpha channel where one is needed, and nowhere else.
static void check_type(const picture *p, const file *f, uint64_t n) {
  enum { GREY, RGB = 2, PALETTE, GREY_ALPHA, RGBA = 6 };
  int type = colour_type(f);
  bool alpha = type == GREY_ALPHA || type == RGBA;
  if (type != PALETTE && alpha == is_opaque(p))
    sj_test_fail(__FILE__, __LINE__, "case %llu: colour type %d", (unsigned long long)n, type);
}

static void check_file(const picture *p, const file *f, uint64_t n) {
  check_type(p, f, n);
  stijl_image *image;
  stijl_message message;
  stijl_result result = stijl_image_decode(NULL, f->data, f->size, NULL, &image, &message);
  if (result == STIJL_ERROR_UNSUPPORTED)
    sj_test_skip(message.text);
  else if (result)
    sj_test_fail(__FILE__, __LINE__, "case %llu: %s", (unsigned long long)n, message.text);
  if (result) return;
  CHECK_INT(stijl_image_width(image), p->width);
  CHECK_INT(stijl_image_height(image), p->height);
  size_t stride, row_bytes = (size_t)p->width * 4;
  const uint8_t *pixels = stijl_image_pixels(image, &stride);
  uint8_t *expected = malloc(row_bytes);
  for (size_t y = 0; expected && y < (size_t)p->height; y++) {
    sj_convert_row(p->format, STIJL_FORMAT_RGBA8, p->pixels + y * p->stride, expected, (size_t)p->width);
    if (memcmp(expected, pixels + y * stride, row_bytes) != 0) {
      sj_test_fail(__FILE__, __LINE__, "case %llu: row %zu differs", (unsigned long long)n, y);
      break;
    }
  }
  free(expected);
  stijl_image_destroy(image);
}

TEST(round_trip) {
  static const int levels[] = {1, 1, 1, 1, 0, 2, 9, STIJL_PNG_BEST};
  for (uint64_t n = 0; sj_test_cases(&n, 300); n++) {
    sj_random r = sj_random_seed(n);
    picture p = make_picture(&r);
    int level = levels[sj_random_int(&r, 0, 8)];
    file one = {0}, several = {0};
    CHECK_INT(encode(&p, level, 1, &one), STIJL_OK);
    check_file(&p, &one, n);
    CHECK_INT(encode(&p, level, 3, &several), STIJL_OK);
    if (one.size != several.size || memcmp(one.data, several.data, one.size) != 0)
      sj_test_fail(__FILE__, __LINE__, "case %llu: the file depends on the threads", (unsigned long long)n);
    free(one.data);
    free(several.data);
    free(p.pixels);
  }
}

// Hands the rows in, at most `most` at a time.
static stijl_result stream(const picture *p, int level, int threads, int most, bool opaque, sj_random *r, file *out,
                           stijl_message *message) {
  stijl_image_writer_params params = STIJL_IMAGE_WRITER_PARAMS_INIT;
  params.format = p->format;
  params.width = p->width;
  params.height = p->height;
  params.level = level;
  params.threads = threads;
  params.opaque = opaque;
  stijl_image_writer *writer;
  stijl_result result = stijl_image_writer_create(NULL, &params, append, out, &writer, message);
  uint8_t *rows = malloc(p->stride * (size_t)most);  // the caller's memory changes after each call
  for (int y = 0; rows && !result && y < p->height;) {
    int count = most == p->height ? most : sj_random_int(r, 0, most) + 1;
    if (count > p->height - y) count = p->height - y;
    memcpy(rows, p->pixels + (size_t)y * p->stride, p->stride * (size_t)count);
    result = stijl_image_writer_rows(writer, rows, p->stride, count, message);
    memset(rows, 0x55, p->stride * (size_t)count);
    y += count;
  }
  if (!result) result = stijl_image_writer_finish(writer, message);
  stijl_image_writer_destroy(writer);
  free(rows);
  return result;
}

TEST(how_rows_are_handed_in_changes_nothing) {
  static const int levels[] = {1, 1, 0, 6};
  for (uint64_t n = 0; sj_test_cases(&n, 150); n++) {
    sj_random r = sj_random_seed(n);
    picture p = make_picture(&r);
    int level = levels[sj_random_int(&r, 0, 4)], mosts[] = {1, 3, 1 + p.height / 2, 7};
    file whole = {0};
    stijl_message message;
    CHECK_INT(stream(&p, level, 1, p.height, is_opaque(&p), &r, &whole, &message), STIJL_OK);
    file rows = {0};
    int threads = 1 + sj_random_int(&r, 0, 3);
    CHECK_INT(stream(&p, level, threads, mosts[sj_random_int(&r, 0, 4)], is_opaque(&p), &r, &rows, &message), STIJL_OK);
    if (rows.size != whole.size || memcmp(rows.data, whole.data, rows.size) != 0)
      sj_test_fail(__FILE__, __LINE__, "case %llu: the file depends on the calls", (unsigned long long)n);
    free(whole.data);
    free(rows.data);
    free(p.pixels);
  }
}

TEST(writers_keep_their_failure_and_check_rows) {
  uint32_t pixels[6] = {0};
  picture p = {3, 2, STIJL_FORMAT_RGBA8, 12, (uint8_t *)pixels};
  sj_random r = sj_random_seed(1);
  file f = {0};
  stijl_message message;
  CHECK_INT(stream(&p, 1, 1, 1, true, &r, &f, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_STR(message.text, "the picture was said to be opaque, and is not");
  stijl_image_writer_params params = STIJL_IMAGE_WRITER_PARAMS_INIT;
  params.width = 3;
  params.height = 2;
  stijl_image_writer *writer;
  CHECK_INT(stijl_image_writer_create(NULL, &params, append, &f, &writer, NULL), STIJL_OK);
  CHECK_INT(stijl_image_writer_finish(writer, NULL), STIJL_ERROR_INVALID_STATE);
  CHECK_INT(stijl_image_writer_rows(writer, pixels, 12, 3, NULL), STIJL_ERROR_INVALID_STATE);
  f.stop = f.size;
  CHECK_INT(stijl_image_writer_rows(writer, pixels, 12, 2, NULL), STIJL_ERROR_IO);
  CHECK_INT(stijl_image_writer_finish(writer, NULL), STIJL_ERROR_IO);
  stijl_image_writer_destroy(writer);
  free(f.data);
}

// A row has more columns than the tables of matches tell apart.
TEST(wide_pictures) {
  enum { WIDTH = 200000 };
  picture p = {WIDTH, 3, STIJL_FORMAT_RGBA8, WIDTH * 4, calloc(WIDTH * 4, 3)};
  if (!p.pixels) return;
  sj_random r = sj_random_seed(7);
  draw(&p, &r);
  for (size_t i = 0; i < 200; i++) memcpy(p.pixels + 65536 * 4 + 4 * i, p.pixels + 4 * i, 4);
  file f = {0};
  stijl_message message;
  CHECK_INT(stream(&p, 1, 2, 1, false, &r, &f, &message), STIJL_OK);
  CHECK(f.size > 100 && memcmp(f.data + 16, "\0\3\15\100\0\0\0\3", 8) == 0);
  free(f.data);
  free(p.pixels);
}

TEST(flat_pictures_are_small) {
  enum { SIZE = 1024 };
  picture p = {SIZE, SIZE, STIJL_FORMAT_RGBA8, SIZE * 4, calloc(SIZE, SIZE * 4)};
  if (!p.pixels) return;
  for (int level = 1; level <= 9; level++) {
    file f = {0};
    CHECK_INT(encode(&p, level, 0, &f), STIJL_OK);
    CHECK(f.size < 20000);
    free(f.data);
  }
  free(p.pixels);
}

// Without PNG's filters a photograph would take nearly as many bytes as its pixels have.
TEST(photographs_are_filtered) {
  enum { WIDTH = 800, HEIGHT = 600 };
  picture p = {WIDTH, HEIGHT, STIJL_FORMAT_RGBA8, WIDTH * 4, calloc(WIDTH * 4, HEIGHT)};
  if (!p.pixels) return;
  sj_random r = sj_random_seed(1);
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++) {
      uint8_t *pixel = p.pixels + 4 * (y * WIDTH + x);
      pixel[0] = (uint8_t)(x / 4 + sj_random_int(&r, 0, 4));
      pixel[1] = (uint8_t)(y / 3 + sj_random_int(&r, 0, 4));
      pixel[2] = (uint8_t)((x + y) / 6 + sj_random_int(&r, 0, 4));
      // A drawn part between two that are not: bands of both kinds follow each other.
      if (y > 200 && y < 400) memset(pixel, x < 400 ? 0 : 200, 3);
      pixel[3] = 255;
    }
  }
  for (int level = 1; level <= 6; level += 5) {
    file f = {0};
    CHECK_INT(encode(&p, level, 2, &f), STIJL_OK);
    CHECK(2 * f.size < WIDTH * (HEIGHT - 199) * 3);
    check_file(&p, &f, (uint64_t)level);
    printf("# level %d: %zu bytes\n", level, f.size);
    free(f.data);
  }
  free(p.pixels);
}

static picture make_square(int side) {
  picture p = {side, side, STIJL_FORMAT_RGBA8, (size_t)side * 4, calloc((size_t)side * 4, (size_t)side)};
  if (!p.pixels) abort();
  return p;
}

// Colours that change smoothly in a part of the rows, beside flat parts: without a filter each pixel of them takes
// about three bytes.
TEST(smooth_parts_are_filtered) {
  enum { SIDE = 600 };
  picture p = make_square(SIDE);
  size_t inside = 0;
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      int d = (x - 300) * (x - 300) + (y - 300) * (y - 300);
      uint32_t pixel = 0xff604020;
      if (d < 150 * 150) {
        pixel = 0xff000000 | (uint32_t)(d / 100) | (uint32_t)(255 - d / 100) << 8 | (uint32_t)(x / 4) << 16;
        inside++;
      }
      memcpy(p.pixels + 4 * (y * SIDE + x), &pixel, 4);
    }
  file f = {0};
  CHECK_INT(encode(&p, 1, 2, &f), STIJL_OK);
  printf("# %zu bytes for %zu pixels\n", f.size, inside);
  CHECK(f.size < inside / 2);
  check_file(&p, &f, 0);
  free(f.data);
  free(p.pixels);
}

// A gradient from left to right within slanted edges, some rows of which change downwards, too, and have a filter.
// Those below repeat them, and have one as well; their zeros are runs, not matches with others far away.
TEST(rows_below_filtered_ones_are_small) {
  enum { SIDE = 800, ROWS_EACH = 64 };
  picture p = make_square(SIDE);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      uint32_t shade = (uint32_t)(x + (y % ROWS_EACH < 4 ? y % ROWS_EACH : 4)) / 2 & 255, pixel = UINT32_MAX;
      if (2 * x > SIDE - y && 2 * x < SIDE + y)
        pixel = 0xff000000 | shade | (255 - shade) << 8 | (shade * 7 & 255) << 16;
      memcpy(p.pixels + 4 * (y * SIDE + x), &pixel, 4);
    }
  file f = {0};
  CHECK_INT(encode(&p, 1, 2, &f), STIJL_OK);
  printf("# %zu bytes\n", f.size);
  CHECK(f.size < 19000);
  check_file(&p, &f, 0);
  free(f.data);
  free(p.pixels);
}

// Returns the bytes of rings of few colours: their indices repeat those of other rows, at other places, and so do
// filtered bytes of a ramp of which each row begins a pixel later. `period`: 0 for rings, else pixels.
static size_t bytes_of_repeats(int period) {
  enum { SIDE = 800 };
  picture p = make_square(SIDE);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      uint32_t shade = period ? (uint32_t)((x + 7 * y) % period * (x + 7 * y) % period)
                              : (uint32_t)sqrt((double)((x - 400) * (x - 400) + (y - 400) * (y - 400))) / 4;
      uint32_t pixel = 0xff000000 | (shade & 255) | (255 - (shade & 255)) << 8 | (period ? shade >> 3 & 255 : 0) << 16;
      memcpy(p.pixels + 4 * (y * SIDE + x), &pixel, 4);
    }
  file f = {0};
  CHECK_INT(encode(&p, 1, 2, &f), STIJL_OK);
  check_file(&p, &f, 0);
  size_t bytes = f.size;
  printf("# %zu bytes\n", bytes);
  free(f.data);
  free(p.pixels);
  return bytes;
}

TEST(bytes_that_repeat_anywhere_are_small) {
  CHECK(bytes_of_repeats(0) < 60000);
  CHECK(bytes_of_repeats(331) < 16000);
}

// Writes the picture at level 1, within so many bytes, and frees it.
static void check_small(picture *p, size_t most) {
  file f = {0};
  CHECK_INT(encode(p, 1, 1, &f), STIJL_OK);
  printf("# %zu bytes\n", f.size);
  CHECK(f.size < most);
  check_file(p, &f, 0);
  free(f.data);
  free(p->pixels);
}

// Of colours that come once or twice no palette is made: it would take more than all pixels.
TEST(ramps_get_no_palette) {
  enum { SIDE = 200 };
  picture p = make_square(SIDE);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      uint32_t pixel = 0xff000000 | (uint32_t)x | (uint32_t)(255 - x) << 8 | 0x400000;
      memcpy(p.pixels + 4 * (y * SIDE + x), &pixel, 4);
    }
  check_small(&p, 700);
}

// Of a soft shadow, whose alphas change smoothly, no palette is made either: filtered greys are smaller.
TEST(shadows_get_no_palette) {
  enum { SIDE = 128 };
  picture p = make_square(SIDE);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      int d = (x - 64) * (x - 64) + (y - 64) * (y - 64);
      uint32_t pixel = (uint32_t)(d < 4096 ? (4096 - d) * 235 / 4096 : 0) << 24;
      memcpy(p.pixels + 4 * (y * SIDE + x), &pixel, 4);
    }
  check_small(&p, 4500);
}

// Checks squares side by side within a slanted edge: a row differs from the one above at the edge alone, so that it
// costs what that does, and not a run for each square. With many colours it is written as colours, else as indices of a
// palette.
static void check_repeated(uint32_t colours, size_t most) {
  enum { SIDE = 1000, SQUARE = 20 };
  picture p = make_square(SIDE);
  for (uint32_t y = 0; y < SIDE; y++)
    for (uint32_t x = 0; x < SIDE; x++) {
      uint32_t square = (x / SQUARE * 7 + y / SQUARE * 53) % colours;
      uint32_t pixel = 0xff000000 | (square & 15) << 4 | (square >> 4) << 12 | (x / SQUARE % 3) << 20;
      if (x < y / 4) pixel = x + 1 < y / 4 ? UINT32_MAX : UINT32_MAX - 0x101010 * (y % 4 + 1);
      memcpy(p.pixels + 4 * (y * SIDE + x), &pixel, 4);
    }
  check_small(&p, most);
}

TEST(rows_that_repeat_those_above_are_small) {
  check_repeated(200, 20000);
  check_repeated(40, 16000);
}

// A row that equals the one above costs some bytes, whatever is in it.
TEST(equal_rows_are_small) {
  enum { SIDE = 700 };
  picture p = make_square(SIDE);
  sj_random r = sj_random_seed(2);
  for (size_t x = 0; x < SIDE; x++) {
    uint32_t pixel = random_pixel(&r, 1);
    memcpy(p.pixels + 4 * x, &pixel, 4);
  }
  for (size_t y = 1; y < SIDE; y++) memcpy(p.pixels + y * p.stride, p.pixels, p.stride);
  file f = {0};
  CHECK_INT(encode(&p, 1, 2, &f), STIJL_OK);
  printf("# %zu bytes\n", f.size);
  CHECK(f.size < 10 * SIDE);
  check_file(&p, &f, 0);
  free(f.data);
  free(p.pixels);
}

// Bands, and so where the search begins anew, are not the same at all levels.
TEST(higher_levels_are_not_larger) {
  for (uint64_t n = 0; sj_test_cases(&n, 40); n++) {
    sj_random r = sj_random_seed(n);
    picture p = make_picture(&r);
    size_t fast = 0;
    for (int level = 1; level <= STIJL_PNG_BEST; level += level == 1 ? 1 : 2) {
      file f = {0};
      CHECK_INT(encode(&p, level, 0, &f), STIJL_OK);
      if (level == 1) fast = f.size;
      if (f.size > fast + fast / 50 + 64)
        sj_test_fail(__FILE__, __LINE__, "case %llu: %zu bytes at level %d, %zu at level 1", (unsigned long long)n,
                     f.size, level, fast);
      free(f.data);
    }
    free(p.pixels);
  }
}

TEST(writing_may_fail) {
  sj_random r = sj_random_seed(1);
  picture p = {50, 50, STIJL_FORMAT_RGBA8, 200, calloc(50, 200)};
  if (!p.pixels) return;
  for (int i = 0; i < 10000; i++) p.pixels[i] = (uint8_t)sj_random_u32(&r);
  file whole = {0};
  CHECK_INT(encode(&p, 1, 1, &whole), STIJL_OK);
  for (size_t stop = 1; stop < whole.size; stop += 1 + stop / 8) {
    file f = {.stop = stop};
    stijl_message message;
    CHECK_INT(stijl_png_encode(NULL, 50, 50, p.format, p.pixels, 200, NULL, append, &f, &message), STIJL_ERROR_IO);
    CHECK(message.text[0]);
    free(f.data);
  }
  free(whole.data);
  free(p.pixels);
}

TEST(arguments_are_checked) {
  static const uint8_t pixels[16] = {0};
  file f = {0};
  stijl_png_params params = STIJL_PNG_PARAMS_INIT;
  static const struct {
    int width, height;
    stijl_format format;
    size_t stride;
    int level, threads;
  } wrong[] = {{0, 1, STIJL_FORMAT_RGBA8, 16, 1, 1},  {1, -1, STIJL_FORMAT_RGBA8, 16, 1, 1},
               {3, 1, STIJL_FORMAT_A8, 2, 1, 1},      {2, 1, STIJL_FORMAT_RGBA8, 7, 1, 1},
               {1, 1, (stijl_format)77, 16, 1, 1},    {1, 1, STIJL_FORMAT_RGBA8, 16, 11, 1},
               {1, 1, STIJL_FORMAT_RGBA8, 16, -1, 1}, {1, 1, STIJL_FORMAT_RGBA8, 16, 1, 257}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    params.level = wrong[i].level;
    params.threads = wrong[i].threads;
    CHECK_INT(stijl_png_encode(NULL, wrong[i].width, wrong[i].height, wrong[i].format, pixels, wrong[i].stride, &params,
                               append, &f, NULL),
              STIJL_ERROR_INVALID_ARGUMENT);
  }
  CHECK_INT(stijl_png_encode(NULL, 1, 1, STIJL_FORMAT_RGBA8, NULL, 4, NULL, append, &f, NULL),
            STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_png_encode(NULL, 1, 1, STIJL_FORMAT_RGBA8, pixels, 4, NULL, NULL, &f, NULL),
            STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(f.size, 0);
}

TEST(checksums) {
  // The check values of the catalogue of CRC algorithms, and of RFC 1950's Adler-32 as commonly published.
  CHECK_INT(sj_crc32(0, "123456789", 9), 0xcbf43926);
  CHECK_INT(sj_crc32(sj_crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
  CHECK_INT(sj_adler32(1, "Wikipedia", 9), 0x11e60398);
  CHECK_INT(sj_adler32_combine(sj_adler32(1, "Wiki", 4), sj_adler32(1, "pedia", 5), 5), 0x11e60398);

  for (uint64_t n = 0; sj_test_cases(&n, 200); n++) {
    sj_random r = sj_random_seed(n);
    size_t pixels = (size_t)sj_random_int(&r, 1, 32768), bytes = (size_t)sj_random_int(&r, 2, 5);
    uint32_t pixel = n % 3 ? sj_random_u32(&r) : UINT32_MAX, start = n % 2 ? 1 : 0xfff0fff0 % 65521 << 16 | 65520;
    uint8_t *data = malloc(pixels * bytes);
    if (!data) return;
    for (size_t i = 0; i < pixels; i++) memcpy(data + i * bytes, &pixel, bytes);
    sj_adler adler = sj_adler_begin(start);
    size_t first = pixels / 3;
    sj_adler_pixels(&adler, pixel, first, bytes);
    sj_adler_pixels(&adler, pixel, pixels - first, bytes);
    CHECK_INT(sj_adler_end(&adler), sj_adler32(start, data, pixels * bytes));
    size_t cut = (size_t)sj_random_int(&r, 0, (int)(pixels * bytes));
    CHECK_INT(sj_adler32_combine(sj_adler32(start, data, cut), sj_adler32(1, data + cut, pixels * bytes - cut),
                                 pixels * bytes - cut),
              sj_adler32(start, data, pixels * bytes));
    free(data);
  }
}

TEST(huffman_codes_are_complete) {
  for (uint64_t n = 0; sj_test_cases(&n, 2000); n++) {
    sj_random r = sj_random_seed(n);
    int count = sj_random_int(&r, 2, 287), max_length = count <= 19 ? 7 : 14;
    uint32_t frequencies[SJ_HUFFMAN_MAX_SYMBOLS] = {0}, fibonacci = 1, before = 0;
    for (int i = 0; i < count; i++) {
      switch (n % 4) {
        case 0: frequencies[i] = sj_random_u32(&r) % 1000; break;
        case 1: frequencies[i] = sj_random_int(&r, 0, 20) ? 0 : 1; break;
        case 2: frequencies[i] = UINT32_C(1) << sj_random_int(&r, 0, 31); break;
        default:  // the deepest tree there is
          frequencies[i] = fibonacci;
          if (i < 40) {
            fibonacci += before;
            before = fibonacci - before;
          }
      }
    }
    sj_huffman code;
    sj_huffman_build(&code, frequencies, count, max_length);
    uint32_t used = 0;
    for (int i = 0; i < count; i++) {
      if (frequencies[i]) CHECK(code.lengths[i] > 0);
      CHECK(code.lengths[i] <= max_length);
      if (code.lengths[i]) used += UINT32_C(1) << (max_length - code.lengths[i]);
    }
    CHECK_INT(used, UINT32_C(1) << max_length);
  }
}
