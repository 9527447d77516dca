// Writes PNG files. The picture is cut into bands, which several threads filter and compress, and which are
// concatenated. So the encoder holds a few bands, never a second copy of the picture.
//
// Level 1 uses a deflate of our own. libdeflate, tried in its place, has smaller files, but can only compress a whole
// picture with one thread, which took 2.4 times as long at 4096 px. docs/performance.md, "PNG", has the figures.
#include <stdatomic.h>
#include <string.h>

#include "base/params.h"
#include "base/pool.h"
#include "base/processors.h"
#include "image/checksum.h"
#include "image/convert.h"
#include "image/image.h"
#include "image/png_band.h"

// The zlib header (RFC 1950): deflate with a window of 32 KiB, the fastest level, and check bits.
static const uint8_t zlib_header[2] = {0x78, 0x01};

// An encoded band that waits to be written.
typedef struct {
  sj_byte_array output;
  uint32_t adler;
  bool failed;
} slot;

typedef struct {
  stijl_context *context;
  sj_png_picture picture;
  uint32_t rows;   // how many rows a band has
  uint32_t bands;  // how many bands the picture has
  uint32_t first;  // the number of the band in slots[0]
  slot *slots;
  sj_png_band **workers;  // one for each thread, made when the thread first needs it
  sj_pool *pool;
  atomic_bool transparent;
  bool (*write)(void *user, const void *data, size_t bytes);
  void *user;
} encoder;

static uint32_t rows_of_band(const encoder *e, uint32_t band) {
  uint32_t height = (uint32_t)e->picture.height, first = band * e->rows;
  return height - first < e->rows ? height - first : e->rows;
}

static void look_for_alpha(void *user, uint32_t band, int thread) {
  encoder *e = user;
  (void)thread;
  for (uint32_t i = 0; i < rows_of_band(e, band); i++) {
    if (atomic_load_explicit(&e->transparent, memory_order_relaxed)) return;
    const unsigned char *row = e->picture.pixels + (size_t)(band * e->rows + i) * e->picture.stride;
    if (!sj_row_is_opaque(e->picture.format, row, (size_t)e->picture.width))
      atomic_store_explicit(&e->transparent, true, memory_order_relaxed);
  }
}

static void encode_band(void *user, uint32_t index, int thread) {
  encoder *e = user;
  slot *s = &e->slots[index];
  uint32_t band = e->first + index;
  s->output.count = 0;
  s->failed = true;
  if (!e->workers[thread]) e->workers[thread] = sj_png_band_create(e->context, &e->picture, e->rows);
  if (!e->workers[thread]) return;
  s->failed = !sj_png_band_encode(e->workers[thread], band * e->rows, rows_of_band(e, band), band + 1 == e->bands,
                                  &s->output, &s->adler);
}

static void put_u32(uint8_t *p, uint32_t v) {
  for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> (24 - 8 * i));
}

// Writes a chunk, whose data is made of up to three pieces.
static bool write_chunk(encoder *e, const char *type, const void *const pieces[3], const size_t bytes[3]) {
  uint8_t head[8], tail[4];
  put_u32(head, (uint32_t)(bytes[0] + bytes[1] + bytes[2]));
  memcpy(head + 4, type, 4);
  uint32_t crc = sj_crc32(0, type, 4);
  if (!e->write(e->user, head, 8)) return false;
  for (int i = 0; i < 3; i++) {
    if (!bytes[i]) continue;
    crc = sj_crc32(crc, pieces[i], bytes[i]);
    if (!e->write(e->user, pieces[i], bytes[i])) return false;
  }
  put_u32(tail, crc);
  return e->write(e->user, tail, 4);
}

static bool write_header(encoder *e) {
  enum { GREY_ALPHA = 4, RGB = 2, RGBA = 6 };  // PNG's colour types
  uint8_t header[13] = {0};
  put_u32(header, (uint32_t)e->picture.width);
  put_u32(header + 4, (uint32_t)e->picture.height);
  header[8] = 8;  // bits for each channel
  header[9] = e->picture.pixel_bytes == 2 ? GREY_ALPHA : e->picture.pixel_bytes == 3 ? RGB : RGBA;
  return e->write(e->user, "\x89PNG\r\n\x1a\n", 8) &&
         write_chunk(e, "IHDR", (const void *const[3]){header}, (const size_t[3]){sizeof header});
}

static bool write_band(encoder *e, uint32_t index, uint32_t adler) {
  const slot *s = &e->slots[index];
  uint32_t band = e->first + index;
  uint8_t checksum[4];
  put_u32(checksum, adler);
  return write_chunk(
      e, "IDAT", (const void *const[3]){zlib_header, s->output.data, checksum},
      (const size_t[3]){band ? 0 : sizeof zlib_header, s->output.count, band + 1 == e->bands ? sizeof checksum : 0});
}

static stijl_result encode(encoder *e, uint32_t slots, stijl_message *message) {
  static const char stopped[] = "the PNG file could not be written";
  if (!write_header(e)) return sj_fail(message, STIJL_ERROR_IO, stopped);
  uint32_t adler = 1;
  for (e->first = 0; e->first < e->bands; e->first += slots) {
    uint32_t count = e->bands - e->first < slots ? e->bands - e->first : slots;
    sj_pool_run(e->pool, count, encode_band, e);
    for (uint32_t i = 0; i < count; i++) {
      if (e->slots[i].failed) return sj_fail_memory(message);
      uint64_t raw = rows_of_band(e, e->first + i) * ((uint64_t)e->picture.width * e->picture.pixel_bytes + 1);
      adler = sj_adler32_combine(adler, e->slots[i].adler, raw);
      if (!write_band(e, i, adler)) return sj_fail(message, STIJL_ERROR_IO, stopped);
    }
  }
  if (!write_chunk(e, "IEND", (const void *const[3]){NULL}, (const size_t[3]){0}))
    return sj_fail(message, STIJL_ERROR_IO, stopped);
  return STIJL_OK;
}

stijl_result stijl_png_encode(stijl_context *context, int width, int height, stijl_format format, const void *pixels,
                              size_t stride, const stijl_png_params *params,
                              bool (*write)(void *user, const void *data, size_t bytes), void *user,
                              stijl_message *message) {
  if (message) message->text[0] = 0;
  params = SJ_PARAMS(stijl_png_params, STIJL_PNG_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  size_t pixel = stijl_format_bytes(format);
  if (!pixel || !pixels || !write || width < 1 || height < 1 || width > SJ_IMAGE_MAX_SIZE ||
      height > SJ_IMAGE_MAX_SIZE || stride < (size_t)width * pixel)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT,
                   "not a picture to encode: it needs pixels, a known format, sides of 1..%d, rows within the stride",
                   SJ_IMAGE_MAX_SIZE);
  if (params->level < 0 || params->level > 9)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "PNG level %d is not 0..9", params->level);
  if (params->threads < 0 || params->threads > 256)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "%d threads are not 0..256", params->threads);

  context = sj_context(context);
  encoder *e = sj_alloc_zero(context, sizeof *e);
  if (!e) return sj_fail_memory(message);
  e->context = context;
  e->picture = (sj_png_picture){
      .width = width, .height = height, .format = format, .pixels = pixels, .stride = stride, .level = params->level};
  e->write = write;
  e->user = user;
  e->rows = sj_png_band_rows(&e->picture);
  e->bands = ((uint32_t)height + e->rows - 1) / e->rows;
  int threads = e->bands == 1 ? 1 : params->threads ? params->threads : sj_processors();
  if ((uint32_t)threads > e->bands) threads = (int)e->bands;
  uint32_t slots = threads == 1 ? 1 : 2 * (uint32_t)threads;
  e->pool = sj_pool_create(context, threads);
  e->workers = sj_alloc_zero(context, (size_t)threads * sizeof *e->workers);
  e->slots = sj_alloc_zero(context, slots * sizeof *e->slots);
  stijl_result result = STIJL_ERROR_OUT_OF_MEMORY;
  if (!e->pool || !e->workers || !e->slots) {
    sj_fail_memory(message);
  } else {
    if (format == STIJL_FORMAT_A8) {
      e->picture.pixel_bytes = 2;
    } else {
      sj_pool_run(e->pool, e->bands, look_for_alpha, e);
      e->picture.pixel_bytes = atomic_load(&e->transparent) ? 4 : 3;
    }
    result = encode(e, slots, message);
  }
  for (uint32_t i = 0; e->slots && i < slots; i++) sj_array_finish(context, &e->slots[i].output);
  for (int i = 0; e->workers && i < threads; i++) sj_png_band_destroy(e->workers[i]);
  sj_free(context, e->slots);
  sj_free(context, e->workers);
  sj_pool_destroy(e->pool);
  sj_free(context, e);
  return result;
}
