#include "image/png_band.h"

#include <string.h>

#include "image/checksum.h"
#include "image/convert.h"
#ifdef STIJL_HAVE_ZLIB
#include "libraries/zlib.h"
#endif

// A band has an eighth of the picture's pixels, so that several threads have work, but at least so many that starting a
// band costs little. Beyond the maximum nothing is gained. zlib knows nothing of earlier bands, so its bands are
// larger.
#define MIN_BAND_PIXELS (1u << 16)
#define MAX_BAND_PIXELS (1u << 18)
#define ZLIB_BAND_PIXELS (1u << 20)

#define MAX_BAND_ROWS 32767u  // sj_deflate_band numbers rows with 16 bits

#define MAX_STORED 65535u  // the most bytes of a stored block

struct sj_png_band {
  stijl_context *context;
  sj_png_picture picture;
  sj_deflate *coder;      // our own deflate; NULL at level 0
  uint32_t *grey_pixels;  // of an A8 picture: the band's pixels, for `coder`
  uint32_t *pixels;       // a row of pixels, for level 0 and zlib
  uint8_t *bytes;         // that row in the file
  sj_byte_array fast;     // at zlib's levels: the band by our own deflate
#ifdef STIJL_HAVE_ZLIB
  z_stream zlib;
  bool zlib_begun;
#endif
};

// zlib's levels 1 to 3 give larger files than our own deflate, in more time.
#define LOWEST_ZLIB_LEVEL 4

// Rows so wide are not for our own deflate, whose sums have 64 bits: zlib takes them, or they are stored.
#define MAX_WIDTH (1 << 24)

static bool uses_zlib(const sj_png_picture *picture) {
#ifdef STIJL_HAVE_ZLIB
  return (picture->level >= 2 || (picture->level && picture->width > MAX_WIDTH)) && !sj_open_zlib(NULL);
#else
  (void)picture;
  return false;
#endif
}

uint32_t sj_png_band_rows(const sj_png_picture *picture) {
  uint64_t pixels = (uint64_t)picture->width * (uint64_t)picture->height / 8;
  if (pixels < MIN_BAND_PIXELS) pixels = MIN_BAND_PIXELS;
  if (pixels > MAX_BAND_PIXELS) pixels = MAX_BAND_PIXELS;
  if (uses_zlib(picture)) pixels = ZLIB_BAND_PIXELS;
  uint32_t rows = (uint32_t)(pixels / (uint64_t)picture->width) + 1;
  if (rows > MAX_BAND_ROWS) rows = MAX_BAND_ROWS;
  return rows < (uint32_t)picture->height ? rows : (uint32_t)picture->height;
}

#ifdef STIJL_HAVE_ZLIB
static void *zlib_alloc(void *user, unsigned count, unsigned size) { return sj_alloc_array(user, count, size); }
static void zlib_free(void *user, void *ptr) { sj_free(user, ptr); }
#endif

static bool create_coder(sj_png_band *band, uint32_t rows) {
  const sj_png_picture *picture = &band->picture;
  size_t width = (size_t)picture->width;
  if (picture->level && picture->width <= MAX_WIDTH) {
    bool grey = picture->format == STIJL_FORMAT_A8;
    stijl_format format = grey ? STIJL_FORMAT_RGBA8_STRAIGHT : picture->format;
    band->coder = sj_deflate_create(band->context, format, width, rows, picture->pixel_bytes);
    if (grey) band->grey_pixels = sj_alloc_array(band->context, width * rows, sizeof *band->grey_pixels);
    if (!band->coder || (grey && !band->grey_pixels)) return false;
    if (!uses_zlib(picture)) return true;
  }
  band->pixels = sj_alloc_array(band->context, width, sizeof *band->pixels);
  band->bytes = sj_alloc(band->context, 1 + width * picture->pixel_bytes);
  if (!band->pixels || !band->bytes) return false;
#ifdef STIJL_HAVE_ZLIB
  if (uses_zlib(picture)) {
    int level = picture->level > LOWEST_ZLIB_LEVEL ? picture->level : LOWEST_ZLIB_LEVEL;
    band->zlib.zalloc = zlib_alloc;
    band->zlib.zfree = zlib_free;
    band->zlib.opaque = band->context;
    band->zlib_begun =
        deflateInit2(&band->zlib, level, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
    return band->zlib_begun;
  }
#endif
  return true;
}

sj_png_band *sj_png_band_create(stijl_context *context, const sj_png_picture *picture, uint32_t rows) {
  sj_png_band *band = sj_alloc_zero(context, sizeof *band);
  if (!band) return NULL;
  band->context = context;
  band->picture = *picture;
  if (create_coder(band, rows)) return band;
  sj_png_band_destroy(band);
  return NULL;
}

void sj_png_band_destroy(sj_png_band *band) {
  if (!band) return;
#ifdef STIJL_HAVE_ZLIB
  if (band->zlib_begun) deflateEnd(&band->zlib);
#endif
  sj_deflate_destroy(band->coder);
  sj_array_finish(band->context, &band->fast);
  sj_free(band->context, band->grey_pixels);
  sj_free(band->context, band->bytes);
  sj_free(band->context, band->pixels);
  sj_free(band->context, band);
}

// Converts a row to words whose lowest bytes are those of the pixel in the file.
static void convert_row(const sj_png_picture *picture, const unsigned char *pixels, uint32_t *row) {
  size_t width = (size_t)picture->width;
  sj_convert_row(picture->format, STIJL_FORMAT_RGBA8_STRAIGHT, pixels, row, width);
  if (picture->format == STIJL_FORMAT_A8)
    for (size_t x = 0; x < width; x++) row[x] >>= 16;  // leaves a grey of 0, and the alpha
}

// Makes the bytes of a row in the file, with the byte of its filter in front, and returns how many they are.
static size_t make_bytes(sj_png_band *band, const unsigned char *pixels) {
  size_t width = (size_t)band->picture.width, pixel_bytes = band->picture.pixel_bytes;
  convert_row(&band->picture, pixels, band->pixels);
  uint8_t *p = band->bytes;
  *p++ = 0;
  for (size_t x = 0; x < width; x++)
    for (size_t k = 0; k < pixel_bytes; k++) *p++ = (uint8_t)(band->pixels[x] >> 8 * k);
  return 1 + width * pixel_bytes;
}

static bool append(stijl_context *context, sj_byte_array *output, const void *data, size_t bytes) {
  if (!sj_array_reserve(context, output, bytes)) return false;
  memcpy(output->data + output->count, data, bytes);
  output->count += bytes;
  return true;
}

// Appends a row as stored blocks (RFC 1951, 3.2.4).
static bool store(sj_png_band *band, size_t bytes, bool last, sj_byte_array *output) {
  for (size_t at = 0; at < bytes;) {
    size_t piece = bytes - at < MAX_STORED ? bytes - at : MAX_STORED;
    uint8_t head[5] = {last && at + piece == bytes, (uint8_t)piece, (uint8_t)(piece >> 8), (uint8_t)~piece,
                       (uint8_t)(~piece >> 8)};
    if (!append(band->context, output, head, sizeof head) || !append(band->context, output, band->bytes + at, piece))
      return false;
    at += piece;
  }
  return true;
}

#ifdef STIJL_HAVE_ZLIB
static bool run_zlib(sj_png_band *band, size_t bytes, int flush, sj_byte_array *output) {
  z_stream *z = &band->zlib;
  z->next_in = band->bytes;
  z->avail_in = 0;
  for (size_t left = bytes;;) {
    if (!z->avail_in) {
      z->avail_in = left < UINT32_MAX ? (uInt)left : UINT32_MAX;
      left -= z->avail_in;
    }
    if (!sj_array_reserve(band->context, output, 4096)) return false;
    size_t room = output->capacity - output->count;
    z->next_out = output->data + output->count;
    z->avail_out = room < UINT32_MAX ? (uInt)room : UINT32_MAX;
    uInt given = z->avail_out;
    int status = deflate(z, left ? Z_NO_FLUSH : flush);
    output->count += given - z->avail_out;
    if (status == Z_STREAM_END || (z->avail_out && !left)) return true;
  }
}
#endif

// The rows of a band, with the rows above before them.
typedef struct {
  const unsigned char *pixels;
  size_t stride;
  uint32_t rows, above;
} rows_of_pixels;

// Encodes a band with our own deflate, for level 1, and for the levels above as what zlib has to better.
static bool encode_fast(sj_png_band *band, const rows_of_pixels *from, bool last, sj_byte_array *output,
                        uint32_t *adler) {
  const sj_png_picture *picture = &band->picture;
  if (!band->grey_pixels)
    return sj_deflate_band(band->coder, from->pixels, from->stride, from->rows, from->above, last, output, adler);
  size_t width = (size_t)picture->width;
  for (uint32_t i = 0; i < from->rows; i++)
    convert_row(picture, from->pixels + i * from->stride, band->grey_pixels + i * width);
  return sj_deflate_band(band->coder, band->grey_pixels, width * sizeof *band->grey_pixels, from->rows, 0, last,
                         output, adler);
}

#ifdef STIJL_HAVE_ZLIB
// Encodes a band with zlib and with our own deflate, and keeps the smaller result: zlib is worst where the other is
// best.
static bool encode_small(sj_png_band *band, const rows_of_pixels *from, bool last, sj_byte_array *output,
                         uint32_t *adler) {
  size_t before = output->count;
  uint32_t sum = 1, fast_sum;  // they differ where our own deflate filters rows
  for (uint32_t i = 0; i < from->rows; i++) {
    size_t bytes = make_bytes(band, from->pixels + i * from->stride);
    sum = sj_adler32(sum, band->bytes, bytes);
    bool last_row = i + 1 == from->rows;
    if (!run_zlib(band, bytes, !last_row ? Z_NO_FLUSH : last ? Z_FINISH : Z_FULL_FLUSH, output)) return false;
  }
  band->fast.count = 0;
  *adler = sum;
  if (deflateReset(&band->zlib) != Z_OK) return false;
  if (!band->coder) return true;
  if (!encode_fast(band, from, last, &band->fast, &fast_sum)) return false;
  bool smaller = band->fast.count < output->count - before;
  *adler = smaller ? fast_sum : sum;
  if (!smaller) return true;
  output->count = before;
  return append(band->context, output, band->fast.data, band->fast.count);
}
#endif

static bool encode_stored(sj_png_band *band, const rows_of_pixels *from, bool last, sj_byte_array *output,
                          uint32_t *adler) {
  *adler = 1;
  for (uint32_t i = 0; i < from->rows; i++) {
    size_t bytes = make_bytes(band, from->pixels + i * from->stride);
    *adler = sj_adler32(*adler, band->bytes, bytes);
    if (!store(band, bytes, last && i + 1 == from->rows, output)) return false;
  }
  return true;
}

bool sj_png_band_encode(sj_png_band *band, const unsigned char *pixels, size_t stride, uint32_t rows,
                        uint32_t rows_above, bool last, sj_byte_array *output, uint32_t *adler) {
  rows_of_pixels from = {pixels, stride, rows, rows_above};
#ifdef STIJL_HAVE_ZLIB
  if (band->zlib_begun) return encode_small(band, &from, last, output, adler);
#endif
  return band->coder ? encode_fast(band, &from, last, output, adler)
                     : encode_stored(band, &from, last, output, adler);
}
