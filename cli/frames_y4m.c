// Frames of YUV4MPEG2, which video encoders read. Colours are turned into luma and chroma of the studio range by
// integers alone, so that every machine makes the same bytes.
#include <stdio.h>
#include <stdlib.h>

#include "frames.h"

#define BITS 16

// What one of red, green and blue, 0..255, adds to luma (of 16..235), blue and red chroma (of 16..240), times 2^16. The
// rows add up so that grey has no chroma and white is 235.
typedef struct weights {
  int32_t y[3], u[3], v[3];
} weights;

static const weights of_709 = {{11966, 40254, 4064}, {-6596, -22188, 28784}, {28784, -26145, -2639}};
static const weights of_601 = {{16829, 33039, 6416}, {-9714, -19070, 28784}, {28784, -24103, -4681}};

static inline int32_t red(uint32_t p) { return (int32_t)(p & 255); }
static inline int32_t green(uint32_t p) { return (int32_t)(p >> 8 & 255); }
static inline int32_t blue(uint32_t p) { return (int32_t)(p >> 16 & 255); }

// Weighs a colour. `bits` is that of the weights, and of what the colours were summed over.
static inline unsigned char weigh(const int32_t *w, int32_t r, int32_t g, int32_t b, int bits, int32_t base) {
  return (unsigned char)(((w[0] * r + w[1] * g + w[2] * b + (1 << (bits - 1))) >> bits) + base);
}

// Puts the luma of a row. Neighbours are often the same, and then so is what becomes of them.
static void put_luma(const weights *w, const uint32_t *pixels, size_t count, unsigned char *out) {
  uint32_t last = pixels[0];
  unsigned char luma = weigh(w->y, red(last), green(last), blue(last), BITS, 16);
  for (size_t i = 0; i < count; i++) {
    if (pixels[i] != last) {
      last = pixels[i];
      luma = weigh(w->y, red(last), green(last), blue(last), BITS, 16);
    }
    out[i] = luma;
  }
}

static void put_chroma(const weights *w, const uint32_t *pixels, size_t count, unsigned char *u, unsigned char *v) {
  uint32_t last = ~pixels[0];
  unsigned char blues = 0, reds = 0;
  for (size_t i = 0; i < count; i++) {
    if (pixels[i] != last) {
      last = pixels[i];
      blues = weigh(w->u, red(last), green(last), blue(last), BITS, 128);
      reds = weigh(w->v, red(last), green(last), blue(last), BITS, 128);
    }
    u[i] = blues;
    v[i] = reds;
  }
}

// Puts the mean of four pixels' chroma, in the middle of them. At an odd edge a pixel counts twice.
static void put_chroma_of_four(const weights *w, const uint32_t *above, const uint32_t *below, size_t width,
                               unsigned char *u, unsigned char *v) {
  uint32_t last = 0;
  bool known = false;
  unsigned char blues = 0, reds = 0;
  for (size_t x = 0; x < width; x += 2) {
    size_t next = x + 1 < width ? x + 1 : x;
    uint32_t a = above[x], b = above[next], c = below[x], d = below[next];
    if (a != b || a != c || a != d || !known || a != last) {
      int32_t r = red(a) + red(b) + red(c) + red(d), g = green(a) + green(b) + green(c) + green(d);
      int32_t l = blue(a) + blue(b) + blue(c) + blue(d);
      blues = weigh(w->u, r, g, l, BITS + 2, 128);
      reds = weigh(w->v, r, g, l, BITS + 2, 128);
      known = a == b && a == c && a == d;
      last = a;
    }
    u[x / 2] = blues;
    v[x / 2] = reds;
  }
}

bool cli_y4m_head(const cli_frames *f, cli_block *out) {
  char head[160];
  const cli_frames_options *o = f->options;
  int length = snprintf(head, sizeof head, "YUV4MPEG2 W%d H%d F%u:%u Ip A1:1 %s XCOLORRANGE=LIMITED\n", f->size.width,
                        f->size.height, o->rate, o->scale, o->chroma == CLI_CHROMA_444 ? "C444" : "C420jpeg");
  out->count = 0;
  return cli_block_add(out, head, (size_t)length);
}

bool cli_frame_y4m(const cli_frames *f, const uint32_t *pixels, cli_block *out, cli_failure *failure) {
  static const char head[] = "FRAME\n";
  bool whole = f->options->chroma == CLI_CHROMA_444;
  const weights *w = f->options->luma == CLI_LUMA_601 ? &of_601 : &of_709;
  size_t width = (size_t)f->size.width, height = (size_t)f->size.height;
  size_t columns = whole ? width : (width + 1) / 2, rows = whole ? height : (height + 1) / 2;
  size_t bytes = sizeof head - 1 + width * height + 2 * columns * rows;
  if (out->room < bytes) {
    free(out->data);
    *out = (cli_block){.data = malloc(bytes), .room = bytes};
    if (!out->data) return cli_fail(failure, "out of memory");
  }
  out->count = 0;
  cli_block_add(out, head, sizeof head - 1);
  unsigned char *y = out->data + out->count, *u = y + width * height, *v = u + columns * rows;
  out->count = bytes;
  for (size_t row = 0; row < height; row++) put_luma(w, pixels + row * width, width, y + row * width);
  for (size_t row = 0; row < rows; row++) {
    if (whole) {
      put_chroma(w, pixels + row * width, width, u + row * columns, v + row * columns);
      continue;
    }
    const uint32_t *above = pixels + 2 * row * width, *below = 2 * row + 1 < height ? above + width : above;
    put_chroma_of_four(w, above, below, width, u + row * columns, v + row * columns);
  }
  return true;
}
