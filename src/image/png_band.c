#include "image/png_band.h"

#include <string.h>

#include "image/checksum.h"
#include "image/convert.h"
#include "image/png_filter.h"
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
  uint32_t *units;        // where units are converted: those above the band and of it, for `coder`
  uint32_t *spare;        // a row of pixels
  uint32_t *words[2];     // the units of the row above and of this one, for level 0 and zlib
  uint8_t *raw[2];        // their bytes, behind SJ_FILTER_MARGIN zeros
  uint8_t *bytes;         // a row in the file, with the byte of its filter in front
  bool any_filter;        // a row of the last attempt has one
  sj_byte_array attempt;  // at zlib's levels: the band in another way
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

static bool create_rows(sj_png_band *band) {
  const sj_png_kind *kind = &band->picture.kind;
  size_t width = (size_t)band->picture.width, bytes = sj_png_row_bytes(&band->picture);
  for (int i = 0; i < 2; i++) {
    band->words[i] = sj_alloc_array(band->context, width > kind->units ? width : kind->units, sizeof *band->words[i]);
    band->raw[i] = sj_alloc_zero(band->context, SJ_FILTER_MARGIN + bytes);
    if (!band->words[i] || !band->raw[i]) return false;
  }
  band->bytes = sj_alloc(band->context, 1 + bytes);
  return band->bytes != NULL;
}

static bool create_coder(sj_png_band *band, uint32_t rows) {
  const sj_png_picture *picture = &band->picture;
  const sj_png_kind *kind = &picture->kind;
  size_t width = (size_t)picture->width;
  if (kind->converted && !(band->spare = sj_alloc_array(band->context, width, sizeof *band->spare))) return false;
  if (picture->level && picture->width <= MAX_WIDTH) {
    // Greys of eight bits lie in the source as they are.
    bool greys = kind->filtered && kind->pixel_bytes < 3 && picture->format != STIJL_FORMAT_A8;
    bool converted = kind->converted && !greys;
    stijl_format format = converted ? STIJL_FORMAT_RGBA8_STRAIGHT : picture->format;
    band->coder = sj_deflate_create(band->context, format, kind->units, rows, kind->pixel_bytes, greys,
                                    kind->filtered ? SJ_ROWS_FILTERED
                                    : kind->varied ? SJ_ROWS_OF_BYTES
                                                   : SJ_ROWS_OF_PIXELS);
    if (!band->coder) return false;
    // Converted rows are as wide as the picture before some are put together.
    size_t words = kind->units * (SJ_PNG_ROWS_ABOVE + (size_t)rows) + width;
    if (converted && !(band->units = sj_alloc_array(band->context, words, sizeof *band->units))) return false;
    if (!uses_zlib(picture)) return true;
  }
  if (!create_rows(band)) return false;
#ifdef STIJL_HAVE_ZLIB
  if (uses_zlib(picture)) {
    int level = picture->level < LOWEST_ZLIB_LEVEL    ? LOWEST_ZLIB_LEVEL
                : picture->level > Z_BEST_COMPRESSION ? Z_BEST_COMPRESSION
                                                      : picture->level;
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
  sj_array_finish(band->context, &band->attempt);
  sj_free(band->context, band->units);
  sj_free(band->context, band->spare);
  sj_free(band->context, band->bytes);
  for (int i = 0; i < 2; i++) {
    sj_free(band->context, band->words[i]);
    sj_free(band->context, band->raw[i]);
  }
  sj_free(band->context, band);
}

static void convert_row(const sj_png_band *band, const unsigned char *pixels, uint32_t *units) {
  const sj_png_picture *p = &band->picture;
  size_t width = (size_t)p->width;
  if (p->kind.converted)
    sj_png_units(&p->kind, p->colours, p->format, pixels, width, band->spare, units);
  else
    sj_convert_row(p->format, STIJL_FORMAT_RGBA8_STRAIGHT, pixels, units, width);
}

// Makes the units of a row and their bytes, and those of the row before become those above.
static void load_row(sj_png_band *band, const unsigned char *pixels) {
  size_t pixel_bytes = band->picture.kind.pixel_bytes;
  uint32_t *words = band->words[0];
  uint8_t *raw = band->raw[0], *p = raw + SJ_FILTER_MARGIN;
  band->words[0] = band->words[1];
  band->raw[0] = band->raw[1];
  band->words[1] = words;
  band->raw[1] = raw;
  convert_row(band, pixels, words);
  for (size_t x = 0; x < band->picture.kind.units; x++)
    for (size_t k = 0; k < pixel_bytes; k++) *p++ = (uint8_t)(words[x] >> 8 * k);
}

// How the filters of a band's rows are chosen; from 0 on: the one of that number for all.
enum { WHERE_SMOOTH = -2, LEAST_SUM = -1 };

static int choose_filter(const sj_png_band *band, int way, bool has_above) {
  const sj_png_kind *kind = &band->picture.kind;
  const uint8_t *row = band->raw[1] + SJ_FILTER_MARGIN, *above = has_above ? band->raw[0] + SJ_FILTER_MARGIN : NULL;
  size_t bytes = sj_png_row_bytes(&band->picture);
  if (way >= 0) return has_above || way == SJ_FILTER_SUB ? way : SJ_FILTER_NONE;
  if (way == WHERE_SMOOTH && !sj_row_is_smooth((const unsigned char *)band->words[1],
                                               above ? (const unsigned char *)band->words[0] : NULL, kind->units))
    return SJ_FILTER_NONE;
  int filter = sj_filter_choose(band->bytes, row, above, bytes, kind->pixel_bytes);
  if (way == WHERE_SMOOTH) return filter;
  uint32_t least = sj_filter_row(filter, band->bytes, row, above ? above : row, bytes, kind->pixel_bytes);
  return sj_filter_row(SJ_FILTER_NONE, band->bytes, row, row, bytes, kind->pixel_bytes) <= least ? SJ_FILTER_NONE
                                                                                                 : filter;
}

// Makes the bytes of the row that was loaded, as they are in the file, and returns how many they are.
static size_t make_bytes(sj_png_band *band, int way, bool has_above) {
  const uint8_t *row = band->raw[1] + SJ_FILTER_MARGIN, *above = band->raw[0] + SJ_FILTER_MARGIN;
  size_t bytes = sj_png_row_bytes(&band->picture);
  int filter = choose_filter(band, way, has_above);
  band->bytes[0] = (uint8_t)filter;
  band->any_filter |= filter != SJ_FILTER_NONE;
  sj_filter_row(filter, band->bytes + 1, row, has_above ? above : row, bytes, band->picture.kind.pixel_bytes);
  return 1 + bytes;
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
  const sj_row_runs *runs;
} rows_of_pixels;

// Encodes a band with our own deflate, for level 1, and for the levels above as what zlib has to better.
static bool encode_fast(sj_png_band *band, const rows_of_pixels *from, bool last, sj_byte_array *output,
                        uint32_t *adler) {
  if (!band->units)
    return sj_deflate_band(band->coder, from->pixels, from->stride, from->rows, from->above, from->runs, last, output,
                           adler);
  size_t units = band->picture.kind.units,
         pixels = (size_t)band->picture.width * stijl_format_bytes(band->picture.format);
  uint32_t *first = band->units + SJ_PNG_ROWS_ABOVE * units;
  for (uint32_t i = from->above; i; i--) convert_row(band, from->pixels - i * from->stride, first - i * units);
  for (uint32_t i = 0; i < from->rows; i++) {
    const unsigned char *row = from->pixels + i * from->stride;
    uint32_t *to = first + i * units;
    sj_row_runs runs = from->runs ? from->runs[i] : SJ_ROW_UNSEEN;
    if (runs == SJ_ROW_UNSEEN && (i || from->above) && memcmp(row, row - from->stride, pixels) == 0)
      runs = SJ_ROW_EQUALS;
    if (runs == SJ_ROW_EQUALS)
      memcpy(to, to - units, units * sizeof *to);
    else
      convert_row(band, row, to);
  }
  // The runs are those of the source. The row above a band has to be judged as it was in its own band, where they were
  // known.
  const sj_row_runs *runs = band->picture.kind.depth == 8 ? from->runs : NULL;
  return sj_deflate_band(band->coder, first, units * sizeof *first, from->rows, from->above, runs, last, output, adler);
}

#ifdef STIJL_HAVE_ZLIB
static bool encode_zlib(sj_png_band *band, const rows_of_pixels *from, int way, bool last, sj_byte_array *output,
                        uint32_t *adler) {
  *adler = 1;
  band->any_filter = false;
  if (from->above) load_row(band, from->pixels - from->stride);
  for (uint32_t i = 0; i < from->rows; i++) {
    load_row(band, from->pixels + i * from->stride);
    size_t bytes = make_bytes(band, way, from->above || i);
    *adler = sj_adler32(*adler, band->bytes, bytes);
    bool last_row = i + 1 == from->rows;
    if (!run_zlib(band, bytes, !last_row ? Z_NO_FLUSH : last ? Z_FINISH : Z_FULL_FLUSH, output)) return false;
  }
  return deflateReset(&band->zlib) == Z_OK;
}

// Encodes a band in all ways that are worth their time at its level, and keeps the smallest result.
static bool encode_small(sj_png_band *band, const rows_of_pixels *from, bool last, sj_byte_array *output,
                         uint32_t *adler) {
  // Our own deflate comes last.
  static const int all[] = {WHERE_SMOOTH, SJ_FILTER_NONE,    LEAST_SUM,      SJ_FILTER_SUB,
                            SJ_FILTER_UP, SJ_FILTER_AVERAGE, SJ_FILTER_PAETH};
  bool filtered = band->picture.kind.filtered;
  int level = band->picture.level, ways = !filtered    ? 1
                                          : level < 9  ? 2
                                          : level == 9 ? 3
                                                       : (int)(sizeof all / sizeof *all);
  size_t before = output->count;
  bool none = true;
  for (int i = 0; i < ways + (band->coder != NULL); i++) {
    uint32_t sum;
    if (i < ways && i && all[i] == SJ_FILTER_NONE && !band->any_filter) continue;  // the first way was the same
    band->attempt.count = 0;
    bool good = i == ways ? encode_fast(band, from, last, &band->attempt, &sum)
                          : encode_zlib(band, from, filtered ? all[i] : SJ_FILTER_NONE, last, &band->attempt, &sum);
    if (!good) return false;
    if (!none && band->attempt.count >= output->count - before) continue;
    none = false;
    *adler = sum;
    output->count = before;
    if (!append(band->context, output, band->attempt.data, band->attempt.count)) return false;
  }
  return true;
}
#endif

static bool encode_stored(sj_png_band *band, const rows_of_pixels *from, bool last, sj_byte_array *output,
                          uint32_t *adler) {
  *adler = 1;
  for (uint32_t i = 0; i < from->rows; i++) {
    load_row(band, from->pixels + i * from->stride);
    size_t bytes = make_bytes(band, SJ_FILTER_NONE, false);
    *adler = sj_adler32(*adler, band->bytes, bytes);
    if (!store(band, bytes, last && i + 1 == from->rows, output)) return false;
  }
  return true;
}

bool sj_png_band_encode(sj_png_band *band, const unsigned char *pixels, size_t stride, uint32_t rows,
                        uint32_t rows_above, const sj_row_runs *runs, bool last, sj_byte_array *output,
                        uint32_t *adler) {
  rows_of_pixels from = {pixels, stride, rows, rows_above, runs};
#ifdef STIJL_HAVE_ZLIB
  if (band->zlib_begun) return encode_small(band, &from, last, output, adler);
#endif
  return band->coder ? encode_fast(band, &from, last, output, adler) : encode_stored(band, &from, last, output, adler);
}
