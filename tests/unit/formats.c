// Pictures as files of other formats than PNG (png.c): read back by our decoders or by what the format says, in any
// split of rows, and refused where they are hostile.
#include <stdio.h>
#include <stdlib.h>

#include "image/convert.h"
#include "stijl/budget.h"
#include "stijl/image_writer.h"
#include "test.h"

typedef struct file {
  uint8_t *data;
  size_t size, stop;  // refuses to grow beyond `stop`
} file;

static bool append(void *user, const void *data, size_t bytes) {
  file *f = user;
  if (bytes > f->stop - f->size) return false;
  f->data = realloc(f->data, f->size + bytes + 1);
  if (!f->data) abort();
  memcpy(f->data + f->size, data, bytes);
  f->size += bytes;
  return true;
}

static file empty_file(void) { return (file){.stop = SIZE_MAX}; }

typedef struct picture {
  stijl_image_writer_params params;
  size_t stride;
  uint8_t *pixels;
} picture;

static const stijl_format formats[] = {STIJL_FORMAT_RGBA8, STIJL_FORMAT_BGRA8, STIJL_FORMAT_RGBA8_STRAIGHT,
                                       STIJL_FORMAT_BGRA8_STRAIGHT, STIJL_FORMAT_A8};

// Makes a picture of premultiplied colours no larger than their alpha; some are smooth, some noise, some opaque.
static picture make_picture(sj_random *r, stijl_file_format format) {
  picture p = {.params = STIJL_IMAGE_WRITER_PARAMS_INIT};
  p.params.file_format = format;
  p.params.format = formats[sj_random_int(r, 0, 5)];
  p.params.width = sj_random_int(r, 1, 90);
  p.params.height = sj_random_int(r, 1, 90);
  for (int i = 0; i < 3; i++) p.params.background[i] = (unsigned char)sj_random_int(r, 0, 256);
  size_t bytes = stijl_format_bytes(p.params.format), width = (size_t)p.params.width;
  p.stride = width * bytes + (size_t)sj_random_int(r, 0, 9);
  p.pixels = calloc(p.stride, (size_t)p.params.height);
  uint32_t *row = malloc(width * 4);
  if (!p.pixels || !row) abort();
  int noise = sj_random_int(r, 0, 2), opaque = sj_random_int(r, 0, 2);
  for (int y = 0; y < p.params.height; y++) {
    for (size_t x = 0; x < width; x++) {
      uint32_t v = noise ? sj_random_u32(r) : (uint32_t)(x * 2) | (uint32_t)y << 9 | (uint32_t)(x + (size_t)y) << 24;
      row[x] = opaque ? v | 0xff000000 : v;
    }
    sj_clamp_row(row, row, width);
    sj_convert_row(STIJL_FORMAT_RGBA8, p.params.format, row, p.pixels + (size_t)y * p.stride, width);
  }
  free(row);
  return p;
}

static stijl_result encode(stijl_context *context, const picture *p, file *out, stijl_message *message) {
  return stijl_image_encode(context, &p->params, p->pixels, p->stride, append, out, message);
}

// Hands the rows in, some at a time.
static stijl_result stream(const picture *p, sj_random *r, file *out) {
  stijl_image_writer *writer;
  stijl_result result = stijl_image_writer_create(NULL, &p->params, append, out, &writer, NULL);
  for (int y = 0; !result && y < p->params.height;) {
    int count = 1 + sj_random_int(r, 0, p->params.height - y);
    result = stijl_image_writer_rows(writer, p->pixels + (size_t)y * p->stride, p->stride, count, NULL);
    y += count;
  }
  if (!result) result = stijl_image_writer_finish(writer, NULL);
  stijl_image_writer_destroy(writer);
  return result;
}

// Returns a pixel as the file has it, RGBA: laid on the background where the format is opaque.
static uint32_t file_pixel(const picture *p, int x, int y, bool opaque) {
  uint32_t straight, flat;
  const uint8_t *at = p->pixels + (size_t)y * p->stride + (size_t)x * stijl_format_bytes(p->params.format);
  sj_convert_row(p->params.format, STIJL_FORMAT_RGBA8_STRAIGHT, at, &straight, 1);
  if (!opaque) return straight;
  sj_convert_row(p->params.format, STIJL_FORMAT_RGBA8, at, &flat, 1);
  uint32_t alpha = flat >> 24, pixel = 0xff000000;
  for (int k = 0; k < 3; k++) {
    uint32_t below = (p->params.background[k] * (255 - alpha) * 2 + 255) / 510;  // rounded
    pixel |= ((flat >> 8 * k & 255) + below) << 8 * k;
  }
  return pixel;
}

static void check_bytes(const picture *p, const file *f, size_t head, bool opaque, uint64_t n) {
  size_t bytes = opaque ? 3 : 4, width = (size_t)p->params.width, height = (size_t)p->params.height;
  CHECK_INT(f->size, head + width * height * bytes);
  for (size_t i = 0; f->size == head + width * height * bytes && i < width * height; i++) {
    uint32_t pixel = file_pixel(p, (int)(i % width), (int)(i / width), opaque);
    if (memcmp(f->data + head + i * bytes, &pixel, bytes) == 0) continue;
    sj_test_fail(__FILE__, __LINE__, "case %llu: pixel %zu differs", (unsigned long long)n, i);
    return;
  }
}

TEST(plain_files) {
  static const stijl_file_format plain[] = {STIJL_FILE_PPM, STIJL_FILE_PAM, STIJL_FILE_RGBA};
  for (uint64_t n = 0; sj_test_cases(&n, 200); n++) {
    sj_random r = sj_random_seed(n);
    picture p = make_picture(&r, plain[n % 3]);
    file f = empty_file(), rows = empty_file();
    char head[128] = "";
    CHECK_INT(encode(NULL, &p, &f, NULL), STIJL_OK);
    if (p.params.file_format == STIJL_FILE_PPM)
      snprintf(head, sizeof head, "P6\n%d %d\n255\n", p.params.width, p.params.height);
    if (p.params.file_format == STIJL_FILE_PAM)
      snprintf(head, sizeof head, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n",
               p.params.width, p.params.height);
    CHECK(f.size > strlen(head) && memcmp(f.data, head, strlen(head)) == 0);
    check_bytes(&p, &f, strlen(head), p.params.file_format == STIJL_FILE_PPM, n);
    CHECK_INT(stream(&p, &r, &rows), STIJL_OK);
    CHECK(rows.size == f.size && memcmp(rows.data, f.data, f.size) == 0);
    free(f.data);
    free(rows.data);
    free(p.pixels);
  }
}

// Returns the largest difference to what should be there, and sets *mean to the mean one of a channel.
static int compare(const picture *p, const stijl_image *image, bool opaque, double *mean) {
  size_t stride;
  const uint8_t *pixels = stijl_image_pixels(image, &stride);
  int most = 0;
  double sum = 0;
  for (int y = 0; y < p->params.height; y++)
    for (int x = 0; x < p->params.width; x++) {
      uint32_t wanted = file_pixel(p, x, y, opaque);
      sj_convert_row(STIJL_FORMAT_RGBA8_STRAIGHT, STIJL_FORMAT_RGBA8, &wanted, &wanted, 1);
      for (int k = 0; k < 4; k++) {
        int d = abs((int)(wanted >> 8 * k & 255) - pixels[(size_t)y * stride + 4 * (size_t)x + (size_t)k]);
        most = d > most ? d : most;
        sum += d;
      }
    }
  *mean = sum / (4.0 * p->params.width * p->params.height);
  return most;
}

// Encodes, decodes and compares; -1: the build has no such files.
static int round_trip(const picture *p, sj_random *r, double *mean, size_t *size) {
  file f = empty_file(), rows = empty_file();
  stijl_message message = {""};
  stijl_image *image = NULL;
  int most = -1;
  stijl_result result = encode(NULL, p, &f, &message);
  if (result == STIJL_ERROR_UNSUPPORTED) {
    sj_test_skip(message.text);
  } else {
    CHECK_INT(result, STIJL_OK);
    CHECK_INT(stijl_image_decode(NULL, f.data, f.size, NULL, &image, &message), STIJL_OK);
    CHECK_INT(stream(p, r, &rows), STIJL_OK);
    CHECK(rows.size == f.size && memcmp(rows.data, f.data, f.size) == 0);
  }
  if (image) {
    CHECK_INT(stijl_image_width(image), p->params.width);
    CHECK_INT(stijl_image_height(image), p->params.height);
    most = compare(p, image, p->params.file_format == STIJL_FILE_JPEG, mean);
  }
  *size = f.size;
  stijl_image_destroy(image);
  free(f.data);
  free(rows.data);
  return most;
}

TEST(webp_is_lossless) {
  for (uint64_t n = 0; sj_test_cases(&n, 60); n++) {
    sj_random r = sj_random_seed(n);
    picture p = make_picture(&r, STIJL_FILE_WEBP);
    double mean;
    size_t size;
    int most = round_trip(&p, &r, &mean, &size);
    free(p.pixels);
    if (most < 0) return;
    if (most) sj_test_fail(__FILE__, __LINE__, "case %llu differs by %d", (unsigned long long)n, most);
  }
}

// With a lower quality files are smaller and further from the picture; with a high one they are near to it.
TEST(qualities) {
  static const stijl_file_format lossy[] = {STIJL_FILE_WEBP, STIJL_FILE_JPEG};
  for (int i = 0; i < 2; i++) {
    sj_random r = sj_random_seed(3);
    picture p = make_picture(&r, lossy[i]);
    p.params.width = p.params.height = 80;
    p.params.format = STIJL_FORMAT_RGBA8;
    p.stride = 320;
    free(p.pixels);
    p.pixels = malloc(320 * 80);
    if (!p.pixels) abort();
    for (size_t k = 0; k < 80 * 80; k++) {
      size_t x = k % 80, y = k / 80;
      long dx = (long)x - 40, dy = (long)y - 40;
      bool inside = dx * dx + dy * dy < 900;
      uint32_t pixel = inside ? 0xff2040ff : 0xff000000 | (uint32_t)(x * 3) | (uint32_t)(y * 3) << 8;
      memcpy(p.pixels + 4 * k, &pixel, 4);
    }
    double low, high, usual;
    size_t small, large, middle;
    p.params.quality = 5;
    if (round_trip(&p, &r, &low, &small) < 0) return;
    p.params.quality = 100;
    round_trip(&p, &r, &high, &large);
    p.params.quality = i ? 0 : 90;
    round_trip(&p, &r, &usual, &middle);
    printf("# %s: %zu, %zu, %zu bytes, means %.2f, %.2f, %.2f\n", stijl_file_format_ending(lossy[i]), small, middle,
           large, low, usual, high);
    CHECK(small < middle && middle < large);
    // WebP has a sample of colour for four pixels.
    CHECK(low > usual && usual >= high && high < (i ? 0.5 : 2) && usual < (i ? 1.5 : 3));
    free(p.pixels);
  }
}

TEST(names) {
  static const struct {
    const char *name;
    int format;
  } names[] = {{"a.png", STIJL_FILE_PNG},
               {"A.JPEG", STIJL_FILE_JPEG},
               {"jpg", STIJL_FILE_JPEG},
               {"b.jfif", STIJL_FILE_JPEG},
               {".webp", STIJL_FILE_WEBP},
               {"x/y.ppm", STIJL_FILE_PPM},
               {"PAM", STIJL_FILE_PAM},
               {"rgba", STIJL_FILE_RGBA},
               {"png.tiff", -1},
               {"", -1},
               {"a.", -1},
               {"jpegs", -1}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    stijl_file_format format = STIJL_FILE_PNG;
    CHECK_INT(stijl_file_format_find(names[i].name, &format), names[i].format >= 0);
    if (names[i].format >= 0) CHECK_INT(format, names[i].format);
  }
  CHECK_STR(stijl_file_format_ending(STIJL_FILE_JPEG), "jpg");
  CHECK(!stijl_file_format_ending((stijl_file_format)99) && !stijl_file_format_max_side((stijl_file_format)99));
  CHECK(stijl_file_format_is_opaque(STIJL_FILE_PPM) && !stijl_file_format_is_opaque(STIJL_FILE_PAM) &&
        !stijl_file_format_is_opaque((stijl_file_format)-1));
}

TEST(sides_and_qualities_are_checked) {
  static const struct {
    stijl_file_format format;
    int width, height;
    double quality;
    stijl_result result;
  } wrong[] = {{STIJL_FILE_WEBP, 16384, 1, 0, STIJL_ERROR_LIMIT},
               {STIJL_FILE_WEBP, 1, 16384, 50, STIJL_ERROR_LIMIT},
               {STIJL_FILE_JPEG, 65501, 1, 0, STIJL_ERROR_LIMIT},
               {STIJL_FILE_JPEG, 8, 8, 0.5, STIJL_ERROR_INVALID_ARGUMENT},
               {STIJL_FILE_JPEG, 8, 8, 100.5, STIJL_ERROR_INVALID_ARGUMENT},
               {STIJL_FILE_WEBP, 8, 8, -1, STIJL_ERROR_INVALID_ARGUMENT},
               {(stijl_file_format)6, 8, 8, 0, STIJL_ERROR_INVALID_ARGUMENT},
               {(stijl_file_format)-1, 8, 8, 0, STIJL_ERROR_INVALID_ARGUMENT}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    stijl_image_writer_params params = STIJL_IMAGE_WRITER_PARAMS_INIT;
    params.file_format = wrong[i].format;
    params.width = wrong[i].width;
    params.height = wrong[i].height;
    params.quality = wrong[i].quality;
    file f = empty_file();
    stijl_image_writer *writer;
    stijl_message message = {""};
    stijl_result result = stijl_image_writer_create(NULL, &params, append, &f, &writer, &message);
    if (result == STIJL_ERROR_UNSUPPORTED) continue;
    CHECK_INT(result, wrong[i].result);
    CHECK(!writer && message.text[0] && !f.size);
  }
}

// The widest rows: JPEG has 65,500 pixels at most, WebP 16,383.
TEST(longest_sides) {
  for (int i = 0; i < 4; i++) {
    picture p = {.params = STIJL_IMAGE_WRITER_PARAMS_INIT};
    p.params.file_format = i < 2 ? STIJL_FILE_JPEG : STIJL_FILE_WEBP;
    int side = stijl_file_format_max_side(p.params.file_format);
    p.params.width = i & 1 ? 1 : side;
    p.params.height = i & 1 ? side : 1;
    p.stride = (size_t)p.params.width * 4;
    p.pixels = calloc(p.stride, (size_t)p.params.height);
    file f = empty_file();
    stijl_image *image = NULL;
    stijl_result result = encode(NULL, &p, &f, NULL);
    if (result != STIJL_ERROR_UNSUPPORTED) {
      CHECK_INT(result, STIJL_OK);
      stijl_image_limits limits = STIJL_IMAGE_LIMITS_INIT;
      result = stijl_image_decode(NULL, f.data, f.size, &limits, &image, NULL);
      // Our own images have 32,767 pixels a side at most.
      CHECK_INT(result, side > 32767 ? STIJL_ERROR_LIMIT : STIJL_OK);
    }
    stijl_image_destroy(image);
    free(f.data);
    free(p.pixels);
  }
}

TEST(writing_may_fail) {
  for (int format = 0; format < 6; format++) {
    sj_random r = sj_random_seed(5);
    picture p = make_picture(&r, (stijl_file_format)format);
    file whole = empty_file();
    if (encode(NULL, &p, &whole, NULL) == STIJL_OK)
      for (size_t stop = 0; stop < whole.size; stop += 1 + stop / 4) {
        file f = {.stop = stop};
        stijl_message message = {""};
        CHECK_INT(encode(NULL, &p, &f, &message), STIJL_ERROR_IO);
        CHECK_STR(message.text, "the picture's file could not be written");
        free(f.data);
      }
    free(whole.data);
    free(p.pixels);
  }
}

// What libraries take counts: a budget refuses the whole picture that WebP needs, and a row that JPEG does.
TEST(budgets_bound_memory) {
  static const stijl_file_format bounded[] = {STIJL_FILE_WEBP, STIJL_FILE_JPEG};
  for (int i = 0; i < 2; i++) {
    picture p = {.params = STIJL_IMAGE_WRITER_PARAMS_INIT};
    p.params.file_format = bounded[i];
    p.params.width = i ? 60000 : 1000;
    p.params.height = i ? 1 : 1000;
    p.stride = (size_t)p.params.width * 4;
    p.pixels = calloc(p.stride, (size_t)p.params.height);
    for (int enough = 0; enough < 2; enough++) {
      stijl_budget_params limits = STIJL_BUDGET_PARAMS_INIT;
      limits.max_memory = enough ? 64 << 20 : 8 << 20;
      stijl_budget *budget;
      CHECK_INT(stijl_budget_create(NULL, &limits, &budget), STIJL_OK);
      file f = empty_file();
      stijl_message message = {""};
      stijl_result result = encode(stijl_budget_context(budget), &p, &f, &message);
      if (result != STIJL_ERROR_UNSUPPORTED) CHECK_INT(result == STIJL_OK, enough);
      if (result && result != STIJL_ERROR_UNSUPPORTED) CHECK_INT(result, STIJL_ERROR_LIMIT);
      if (result == STIJL_ERROR_LIMIT) CHECK(strstr(message.text, "more than max_memory leaves room for"));
      stijl_budget_destroy(budget);
      free(f.data);
    }
    free(p.pixels);
  }
}

// A budget that is cancelled ends a WebP file in the midst of it.
TEST(cancelled) {
  picture p = {.params = STIJL_IMAGE_WRITER_PARAMS_INIT};
  p.params.file_format = STIJL_FILE_WEBP;
  p.params.width = p.params.height = 64;
  p.stride = 256;
  p.pixels = calloc(p.stride, 64);
  stijl_budget *budget;
  CHECK_INT(stijl_budget_create(NULL, NULL, &budget), STIJL_OK);
  stijl_budget_cancel(budget);
  file f = empty_file();
  stijl_message message;
  stijl_result result = encode(stijl_budget_context(budget), &p, &f, &message);
  CHECK(result != STIJL_OK && f.size == 0);
  stijl_budget_destroy(budget);
  free(f.data);
  free(p.pixels);
}
