// `stijl compare`: how two pictures differ.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "file.h"
#include "parse.h"
#include "stijl/stijl.h"

#define MAX_FILE_BYTES ((uint64_t)1 << 32)

static stijl_image *read_image(const char *path) {
  unsigned char *data;
  size_t bytes;
  cli_failure failure;
  if (!cli_read(path, MAX_FILE_BYTES, &data, &bytes, &failure)) {
    cli_report(path, "%s", failure.text);
    return NULL;
  }
  stijl_image_limits limits = STIJL_IMAGE_LIMITS_INIT;
  limits.max_pixels = (uint64_t)1 << 30;
  stijl_image *image;
  stijl_message message;
  if (stijl_image_decode(NULL, data, bytes, &limits, &image, &message) != STIJL_OK)
    cli_report(path, "%s", message.text);
  free(data);
  return image;
}

static int compare(const stijl_image *a, const stijl_image *b) {
  int width = stijl_image_width(a), height = stijl_image_height(a);
  if (width != stijl_image_width(b) || height != stijl_image_height(b)) {
    printf("sizes differ: %d x %d and %d x %d\n", width, height, stijl_image_width(b), stijl_image_height(b));
    return 1;
  }
  size_t stride_a, stride_b;
  const unsigned char *rows_a = stijl_image_pixels(a, &stride_a), *rows_b = stijl_image_pixels(b, &stride_b);
  uint64_t pixels = 0;
  int largest = 0;
  for (size_t y = 0; y < (size_t)height; y++) {
    const unsigned char *p = rows_a + y * stride_a, *q = rows_b + y * stride_b;
    if (memcmp(p, q, (size_t)width * 4) == 0) continue;
    for (int x = 0; x < width; x++, p += 4, q += 4) {
      int difference = 0;
      for (int c = 0; c < 4; c++) {
        int d = abs(p[c] - q[c]);
        difference = d > difference ? d : difference;
      }
      pixels += difference > 0;
      largest = difference > largest ? difference : largest;
    }
  }
  printf("%llu differing pixels of %llu, largest difference %d\n", (unsigned long long)pixels,
         (unsigned long long)width * (unsigned long long)height, largest);
  return pixels ? 1 : 0;
}

int cli_command_compare(int argc, char **argv) {
  int pictures, status;
  if (!cli_parse(&cli_commands[CLI_COMPARE], argc, argv, NULL, &pictures, &status)) return status;
  if (pictures != 2) {
    cli_report(NULL, "compare takes two pictures (see stijl compare --help)");
    return 2;
  }
  stijl_image *a = read_image(argv[1]), *b = a ? read_image(argv[2]) : NULL;
  status = a && b ? compare(a, b) : 2;
  stijl_image_destroy(a);
  stijl_image_destroy(b);
  return status;
}
