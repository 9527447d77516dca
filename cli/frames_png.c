// Frames as PNG files, and as chunks of an animated one (PNG 3, 11.3.3: APNG).
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "frames.h"
#include "stijl/image_writer.h"

#define SIGNATURE_BYTES 8
#define CHUNK_BYTES 12  // of length, name and checksum

bool cli_block_add(void *user, const void *data, size_t bytes) {
  cli_block *b = user;
  if (bytes > b->room - b->count) {
    size_t room = (b->count + bytes) * 2;
    unsigned char *larger = realloc(b->data, room);
    if (!larger) return false;
    b->data = larger;
    b->room = room;
  }
  if (bytes) memcpy(b->data + b->count, data, bytes);
  b->count += bytes;
  return true;
}

bool cli_frame_png(const cli_renderer *r, const cli_frames *f, uint64_t frame, const uint32_t *pixels,
                   cli_failure *failure) {
  char *path = NULL;
  if (asprintf(&path, "%s/frame-%0*llu.png", f->options->render.output, f->digits, (unsigned long long)frame) < 0)
    return cli_fail(failure, "out of memory");
  cli_output output;
  bool good = cli_output_open(&output, path, failure);
  free(path);
  if (!good) return false;
  stijl_png_params params = STIJL_PNG_PARAMS_INIT;
  params.level = r->options->png_level;
  params.threads = 1;
  stijl_message message = {""};
  stijl_result result = stijl_png_encode(r->context, f->size.width, f->size.height, f->format, pixels,
                                         (size_t)f->size.width * 4, &params, cli_output_write, &output, &message);
  return cli_output_end(&output, result, message.text, failure);
}

// --- chunks ---

static void put_u32(unsigned char *to, uint32_t value) {
  for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> (24 - 8 * i));
}

static uint32_t get_u32(const unsigned char *from) {
  return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

// Returns the checksum of PNG 3, 5.5, of bytes that follow those of `sum`, four bits at a time.
static uint32_t add_checksum(uint32_t sum, const unsigned char *data, size_t bytes) {
  static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                     0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                     0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  for (size_t i = 0; i < bytes; i++) {
    sum = table[(sum ^ data[i]) & 15] ^ (sum >> 4);
    sum = table[(sum ^ (data[i] >> 4)) & 15] ^ (sum >> 4);
  }
  return sum;
}

// Begins a chunk, whose data follow; returns where it begins, SIZE_MAX without memory.
static size_t begin_chunk(cli_block *out, const char *name) {
  unsigned char head[8] = {0};
  memcpy(head + 4, name, 4);
  size_t at = out->count;
  return cli_block_add(out, head, sizeof head) ? at : SIZE_MAX;
}

static bool end_chunk(cli_block *out, size_t at) {
  unsigned char sum[4];
  put_u32(out->data + at, (uint32_t)(out->count - at - 8));
  put_u32(sum, ~add_checksum(UINT32_MAX, out->data + at + 4, out->count - at - 4));
  return cli_block_add(out, sum, sizeof sum);
}

static bool put_chunk(cli_block *out, const char *name, const unsigned char *data, size_t bytes) {
  size_t at = begin_chunk(out, name);
  return at != SIZE_MAX && cli_block_add(out, data, bytes) && end_chunk(out, at);
}

// --- animated files ---

typedef struct part {
  uint32_t x, y, width, height;
} part;

// Returns the smallest rectangle of what has changed; a single pixel where nothing has.
static part changed_part(const cli_frames *f, const uint32_t *pixels, const uint32_t *before) {
  uint32_t width = (uint32_t)f->size.width, height = (uint32_t)f->size.height;
  if (!before) return (part){0, 0, width, height};
  size_t row = (size_t)width * 4;
  uint32_t top = 0, bottom = height, left = width, right = 0;
  while (top < height && memcmp(pixels + (size_t)top * width, before + (size_t)top * width, row) == 0) top++;
  if (top == height) return (part){0, 0, 1, 1};
  while (memcmp(pixels + (size_t)(bottom - 1) * width, before + (size_t)(bottom - 1) * width, row) == 0) bottom--;
  for (uint32_t y = top; y < bottom; y++) {
    const uint32_t *a = pixels + (size_t)y * width, *b = before + (size_t)y * width;
    uint32_t x = 0, end = width;
    while (x < left && a[x] == b[x]) x++;
    while (end > right && a[end - 1] == b[end - 1]) end--;
    if (x < left) left = x;
    if (end > right) right = end;
  }
  return (part){left, top, right - left, bottom - top};
}

static bool put_control(const cli_frames *f, uint64_t frame, const part *p, cli_block *out) {
  unsigned char data[26] = {0};
  uint32_t numerator = f->options->scale, denominator = f->options->rate;
  while (numerator > 65535 || denominator > 65535) numerator = (numerator + 1) / 2, denominator = (denominator + 1) / 2;
  // Each frame has two numbers in the sequence, for this chunk and for its data, but the first, whose data have none.
  put_u32(data, frame ? (uint32_t)(frame * 2 - 1) : 0);
  put_u32(data + 4, p->width);
  put_u32(data + 8, p->height);
  put_u32(data + 12, p->x);
  put_u32(data + 16, p->y);
  data[20] = (unsigned char)(numerator >> 8), data[21] = (unsigned char)numerator;
  data[22] = (unsigned char)(denominator >> 8), data[23] = (unsigned char)denominator;
  return put_chunk(out, "fcTL", data, sizeof data);
}

static bool put_first(const cli_frames *f, const cli_block *png, size_t ihdr_end, cli_block *out) {
  unsigned char data[8];
  put_u32(data, (uint32_t)f->count);
  put_u32(data + 4, f->options->loops);
  return cli_block_add(out, png->data, ihdr_end) && put_chunk(out, "acTL", data, sizeof data);
}

// Makes a frame's chunks of a PNG file of its own.
static bool put_frame(const cli_frames *f, uint64_t frame, const part *p, const cli_block *png, cli_block *out) {
  bool control = false, good = true;
  size_t data = SIZE_MAX;  // where the chunk of the frame's data begins
  for (size_t at = SIGNATURE_BYTES; good && at + CHUNK_BYTES <= png->count;) {
    const unsigned char *chunk = png->data + at;
    uint32_t length = get_u32(chunk);
    at += length + CHUNK_BYTES;
    bool is_data = memcmp(chunk + 4, "IDAT", 4) == 0;
    if (frame == 0 && memcmp(chunk + 4, "IHDR", 4) == 0)
      good = put_first(f, png, at, out);
    else if (frame == 0 && !is_data && memcmp(chunk + 4, "IEND", 4) != 0)
      good = cli_block_add(out, chunk, length + CHUNK_BYTES);
    if (!is_data || !good) continue;
    if (!control) good = control = put_control(f, frame, p, out);
    if (frame == 0) {
      good = good && cli_block_add(out, chunk, length + CHUNK_BYTES);
      continue;
    }
    unsigned char number[4];
    put_u32(number, (uint32_t)(frame * 2));
    if (good && data == SIZE_MAX) good = (data = begin_chunk(out, "fdAT")) != SIZE_MAX && cli_block_add(out, number, 4);
    good = good && cli_block_add(out, chunk + 8, length);
  }
  return good && (data == SIZE_MAX || end_chunk(out, data));
}

bool cli_frame_apng(const cli_renderer *r, const cli_frames *f, uint64_t frame, const uint32_t *pixels,
                    const uint32_t *before, cli_block *out, cli_failure *failure) {
  part p = changed_part(f, pixels, before);
  stijl_image_writer_params params = STIJL_IMAGE_WRITER_PARAMS_INIT;
  params.format = f->format;
  params.width = (int)p.width;
  params.height = (int)p.height;
  params.level = r->options->png_level;
  params.threads = 1;
  params.opaque = f->opaque;  // all frames have one kind of pixels
  cli_block png = {0};
  stijl_image_writer *writer = NULL;
  stijl_message message = {""};
  stijl_result result = stijl_image_writer_create(r->context, &params, cli_block_add, &png, &writer, &message);
  const uint32_t *from = pixels + (size_t)p.y * (size_t)f->size.width + p.x;
  if (result == STIJL_OK)
    result = stijl_image_writer_rows(writer, from, (size_t)f->size.width * 4, (int)p.height, &message);
  if (result == STIJL_OK) result = stijl_image_writer_finish(writer, &message);
  stijl_image_writer_destroy(writer);
  out->count = 0;
  bool good = result == STIJL_OK && put_frame(f, frame, &p, &png, out);
  if (!good)
    cli_fail_with_advice(failure, result == STIJL_OK || result == STIJL_ERROR_IO ? STIJL_ERROR_OUT_OF_MEMORY : result,
                         result == STIJL_ERROR_IO ? "" : message.text);
  free(png.data);
  return good;
}

bool cli_apng_end(cli_block *out) {
  out->count = 0;
  return put_chunk(out, "IEND", NULL, 0);
}
