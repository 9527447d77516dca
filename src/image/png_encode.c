// Writes PNG files. The picture is cut into bands, which several threads filter and compress, and which are
// concatenated. Rows that are handed in singly wait until several bands are whole, so the encoder holds a few bands,
// and never a copy of the picture. Bands depend on the picture's size alone.
//
// Level 1 uses a deflate of our own. libdeflate, tried in its place, has smaller files, but can only compress a whole
// picture with one thread, which took 2.4 times as long at 4096 px. docs/tried.md, "PNG", has the figures.
#include <stdatomic.h>
#include <string.h>

#include "base/params.h"
#include "base/pool.h"
#include "base/processors.h"
#include "image/checksum.h"
#include "image/convert.h"
#include "image/image.h"
#include "image/png_band.h"
#include "image/writer.h"

#define MAX_CHUNK ((size_t)1 << 30)  // bytes of a chunk's data that come from a band; PNG allows 2^31 - 1

// The zlib header (RFC 1950): deflate with a window of 32 KiB, the fastest level, and check bits.
static const uint8_t zlib_header[2] = {0x78, 0x01};

// An encoded band that waits to be written.
typedef struct {
  sj_byte_array output;
  uint32_t adler;
  bool failed, translucent;
} slot;

typedef struct {
  stijl_context *context;
  sj_png_picture picture;
  bool check_opaque;    // rows may break the promise that they are opaque
  uint32_t rows;        // how many rows a band has
  uint32_t bands;       // how many bands the picture has
  uint32_t first;       // the number of the band in slots[0], the next to be encoded
  uint32_t slot_count;  // a batch has so many bands, but for the last one
  slot *slots;
  int threads;
  sj_png_band **workers;  // one for each thread, made when the thread first needs it
  sj_pool *pool;
  uint32_t adler;
  sj_row_runs *runs;  // of the picture's rows, where it was surveyed; those in which bands begin are not seen
  // The batch that is encoded: its first row, with the rows above before it.
  const unsigned char *pixels;
  size_t stride;
  // The two rows above the next batch, and the rows of that batch which are there. NULL while none had to wait.
  unsigned char *held;
  size_t held_stride;
  uint32_t waiting;
  bool (*write)(void *user, const void *data, size_t bytes);
  void *user;
} encoder;

static uint32_t rows_of_band(const encoder *e, uint32_t band) {
  uint32_t height = (uint32_t)e->picture.height, first = band * e->rows;
  return height - first < e->rows ? height - first : e->rows;
}

static uint32_t bands_of_batch(const encoder *e) {
  return e->bands - e->first < e->slot_count ? e->bands - e->first : e->slot_count;
}

static uint32_t rows_of_batch(const encoder *e) {
  uint32_t last = e->first + bands_of_batch(e) - 1;
  return (last - e->first) * e->rows + rows_of_band(e, last);
}

static bool is_opaque(const sj_png_picture *picture, const unsigned char *pixels, size_t stride, uint32_t rows) {
  for (uint32_t i = 0; i < rows; i++)
    if (!sj_row_is_opaque(picture->format, pixels + i * stride, (size_t)picture->width)) return false;
  return true;
}

static void encode_band(void *user, uint32_t index, int thread) {
  encoder *e = user;
  slot *s = &e->slots[index];
  uint32_t band = e->first + index, row = band * e->rows;
  const unsigned char *pixels = e->pixels + (size_t)(index * e->rows) * e->stride;
  s->output.count = 0;
  s->failed = true;
  s->translucent = e->check_opaque && !is_opaque(&e->picture, pixels, e->stride, rows_of_band(e, band));
  if (s->translucent) return;
  if (!e->workers[thread]) e->workers[thread] = sj_png_band_create(e->context, &e->picture, e->rows);
  if (!e->workers[thread]) return;
  s->failed = !sj_png_band_encode(e->workers[thread], pixels, e->stride, rows_of_band(e, band),
                                  row < SJ_PNG_ROWS_ABOVE ? row : SJ_PNG_ROWS_ABOVE, e->runs ? e->runs + row : NULL,
                                  band + 1 == e->bands, &s->output, &s->adler);
}

// --- chunks ---

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
  uint8_t header[13] = {0};
  put_u32(header, (uint32_t)e->picture.width);
  put_u32(header + 4, (uint32_t)e->picture.height);
  header[8] = (uint8_t)e->picture.kind.depth;
  header[9] = (uint8_t)e->picture.kind.type;
  return e->write(e->user, "\x89PNG\r\n\x1a\n", 8) &&
         write_chunk(e, "IHDR", (const void *const[3]){header}, (const size_t[3]){sizeof header});
}

static bool write_palette(encoder *e, const sj_png_palette *palette) {
  uint8_t colours[3 * SJ_PNG_COLOURS], alphas[SJ_PNG_COLOURS];
  if (e->picture.kind.type != SJ_PNG_PALETTE) return true;
  for (uint32_t i = 0; i < palette->count; i++) {
    for (int k = 0; k < 3; k++) colours[3 * i + (uint32_t)k] = (uint8_t)(palette->pixels[i] >> 8 * k);
    alphas[i] = (uint8_t)(palette->pixels[i] >> 24);
  }
  return write_chunk(e, "PLTE", (const void *const[3]){colours}, (const size_t[3]){3 * (size_t)palette->count}) &&
         (!palette->translucent ||
          write_chunk(e, "tRNS", (const void *const[3]){alphas}, (const size_t[3]){palette->translucent}));
}

static bool write_band(encoder *e, uint32_t index, uint32_t adler) {
  const slot *s = &e->slots[index];
  bool first = e->first + index == 0, last = e->first + index + 1 == e->bands;
  uint8_t checksum[4];
  put_u32(checksum, adler);
  size_t at = 0;
  do {
    size_t piece = s->output.count - at < MAX_CHUNK ? s->output.count - at : MAX_CHUNK;
    bool ends = at + piece == s->output.count;
    if (!write_chunk(
            e, "IDAT", (const void *const[3]){zlib_header, s->output.data + at, checksum},
            (const size_t[3]){first && !at ? sizeof zlib_header : 0, piece, last && ends ? sizeof checksum : 0}))
      return false;
    at += piece;
  } while (at < s->output.count);
  return true;
}

// --- rows ---

// Encodes and writes the next batch, whose rows begin at `pixels`.
static stijl_result encode_batch(encoder *e, const unsigned char *pixels, size_t stride, stijl_message *message) {
  uint32_t count = bands_of_batch(e);
  e->pixels = pixels;
  e->stride = stride;
  sj_pool_run(e->pool, count, encode_band, e);
  for (uint32_t i = 0; i < count; i++) {
    if (e->slots[i].translucent)
      return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the picture was said to be opaque, and is not");
    if (e->slots[i].failed) return sj_fail_memory(message);
    uint64_t raw = rows_of_band(e, e->first + i) * ((uint64_t)sj_png_row_bytes(&e->picture) + 1);
    e->adler = sj_adler32_combine(e->adler, e->slots[i].adler, raw);
    if (!write_band(e, i, e->adler)) return sj_write_stopped(message);
  }
  e->first += count;
  return STIJL_OK;
}

// Keeps the rows above the next batch, which end where `end` points to: `rows` of them are in the caller's memory.
static bool hold_above(encoder *e, const unsigned char *end, size_t stride, size_t rows) {
  size_t bytes = e->held_stride;
  if (!e->held) e->held = sj_alloc_array(e->context, SJ_PNG_ROWS_ABOVE + (size_t)e->slot_count * e->rows, bytes);
  if (!e->held) return false;
  for (size_t i = 1; i <= rows && i <= SJ_PNG_ROWS_ABOVE; i++)
    memcpy(e->held + (SJ_PNG_ROWS_ABOVE - i) * bytes, end - i * stride, bytes);
  return true;
}

// Lets up to `rows` rows wait, and encodes the batch if it is whole. *taken becomes how many it has taken.
static stijl_result let_wait(encoder *e, const unsigned char *pixels, size_t stride, uint32_t rows, uint32_t *taken,
                             stijl_message *message) {
  uint32_t batch = rows_of_batch(e), missing = batch - e->waiting;
  *taken = rows < missing ? rows : missing;
  unsigned char *start = e->held + SJ_PNG_ROWS_ABOVE * e->held_stride;
  for (uint32_t i = 0; i < *taken; i++)
    memcpy(start + (e->waiting + i) * e->held_stride, pixels + i * stride, e->held_stride);
  e->waiting += *taken;
  if (e->waiting < batch) return STIJL_OK;
  stijl_result result = encode_batch(e, start, e->held_stride, message);
  memmove(e->held, e->held + batch * e->held_stride, SJ_PNG_ROWS_ABOVE * e->held_stride);
  e->waiting = 0;
  return result;
}

// Encodes rows. A batch is encoded where it lies if all of it does, and the rows above.
static stijl_result encode_rows(void *user, const unsigned char *pixels, size_t stride, uint32_t rows,
                                stijl_message *message) {
  encoder *e = user;
  bool held = e->first || e->waiting;  // whether the rows above are held
  for (uint32_t done = 0; done < rows;) {
    const unsigned char *next = pixels + done * stride;
    uint32_t taken = rows_of_batch(e);
    stijl_result result;
    if (!e->waiting && rows - done >= taken && (!e->first || done >= SJ_PNG_ROWS_ABOVE)) {
      result = encode_batch(e, next, stride, message);
      held = false;
    } else {
      if (!held && !hold_above(e, next, stride, done)) return sj_fail_memory(message);
      held = true;
      result = let_wait(e, next, stride, rows - done, &taken, message);
    }
    if (result) return result;
    done += taken;
  }
  if (!held && e->first < e->bands && !hold_above(e, pixels + rows * stride, stride, rows))
    return sj_fail_memory(message);
  return STIJL_OK;
}

static stijl_result finish(void *user, stijl_message *message) {
  bool good = write_chunk(user, "IEND", (const void *const[3]){NULL}, (const size_t[3]){0});
  return good ? STIJL_OK : sj_write_stopped(message);
}

static void destroy(void *user) {
  encoder *e = user;
  if (!e) return;
  for (uint32_t i = 0; e->slots && i < e->slot_count; i++) sj_array_finish(e->context, &e->slots[i].output);
  for (int i = 0; e->workers && i < e->threads; i++) sj_png_band_destroy(e->workers[i]);
  sj_free(e->context, e->slots);
  sj_free(e->context, e->workers);
  sj_free(e->context, e->held);
  sj_free(e->context, e->runs);
  sj_pool_destroy(e->pool);
  sj_free(e->context, e);
}

static encoder *make(const sj_encoding *encoding) {
  const stijl_image_writer_params *p = &encoding->params;
  encoder *e = sj_alloc_zero(encoding->context, sizeof *e);
  if (!e) return NULL;
  e->context = encoding->context;
  e->picture = (sj_png_picture){.width = p->width, .height = p->height, .format = p->format, .level = p->level};
  sj_png_type type = p->format == STIJL_FORMAT_A8 ? SJ_PNG_GREY_ALPHA : p->opaque ? SJ_PNG_RGB : SJ_PNG_RGBA;
  e->picture.kind = sj_png_kind_of(type, 8, (size_t)p->width);
  e->check_opaque = type == SJ_PNG_RGB;
  e->write = encoding->write;
  e->user = encoding->user;
  e->adler = 1;
  e->held_stride = (size_t)p->width * stijl_format_bytes(p->format);
  e->rows = sj_png_band_rows(&e->picture);
  e->bands = ((uint32_t)p->height + e->rows - 1) / e->rows;
  e->threads = e->bands == 1 ? 1 : p->threads ? p->threads : sj_processors();
  if ((uint32_t)e->threads > e->bands) e->threads = (int)e->bands;
  e->slot_count = e->threads == 1 ? 1 : 2 * (uint32_t)e->threads;
  e->pool = sj_pool_create(e->context, e->threads);
  e->workers = sj_alloc_zero(e->context, (size_t)e->threads * sizeof *e->workers);
  e->slots = sj_alloc_zero(e->context, e->slot_count * sizeof *e->slots);
  if (e->pool && e->workers && e->slots) return e;
  destroy(e);
  return NULL;
}

static stijl_result create(const sj_encoding *encoding, void **out, stijl_message *message) {
  encoder *e = make(encoding);
  *out = e;
  if (!e) return sj_fail_memory(message);
  return write_header(e) ? STIJL_OK : sj_write_stopped(message);
}

// --- whole pictures ---

typedef struct {
  const encoder *encoder;
  const unsigned char *pixels;
  size_t stride;
  sj_png_survey **surveys;  // one for each thread
  atomic_bool failed, over;
} survey_run;

static void survey_band(void *user, uint32_t band, int thread) {
  survey_run *s = user;
  const encoder *e = s->encoder;
  if (atomic_load_explicit(&s->over, memory_order_relaxed)) return;
  sj_png_survey *survey = s->surveys[thread];
  if (!survey) {
    survey = s->surveys[thread] = sj_alloc(e->context, sizeof *survey);
    if (!survey) {
      atomic_store(&s->failed, true);
      return;
    }
    sj_png_survey_begin(survey);
  }
  const unsigned char *row = s->pixels + (size_t)band * e->rows * s->stride, *above = NULL;
  sj_row_runs *runs = e->runs + (size_t)band * e->rows;
  for (uint32_t i = rows_of_band(e, band); i; i--, above = row, row += s->stride)
    if (!sj_png_survey_row(survey, e->picture.format, row, above, (size_t)e->picture.width)) {
      atomic_store_explicit(&s->over, true, memory_order_relaxed);
      return;
    } else {
      *runs++ = survey->runs;
    }
}

// Surveys the picture. What it has does not depend on the thread that saw it.
static bool survey_picture(encoder *e, const unsigned char *pixels, size_t stride, sj_png_survey *out) {
  survey_run s = {.encoder = e, .pixels = pixels, .stride = stride};
  s.surveys = sj_alloc_zero(e->context, (size_t)e->threads * sizeof *s.surveys);
  e->runs = sj_alloc_zero(e->context, (size_t)e->picture.height * sizeof *e->runs);
  if (!s.surveys || !e->runs) {
    sj_free(e->context, s.surveys);
    return false;
  }
  sj_pool_run(e->pool, e->bands, survey_band, &s);
  sj_png_survey_begin(out);
  for (int i = 0; i < e->threads; i++) {
    if (s.surveys[i]) sj_png_survey_merge(out, s.surveys[i]);
    sj_free(e->context, s.surveys[i]);
  }
  sj_free(e->context, s.surveys);
  return !atomic_load(&s.failed);
}

static stijl_result encode_as(encoder *e, const unsigned char *pixels, size_t stride, const sj_png_kind *kind,
                              const sj_png_palette *palette, stijl_message *message) {
  for (int i = 0; i < e->threads; i++) {
    sj_png_band_destroy(e->workers[i]);
    e->workers[i] = NULL;
  }
  e->picture.kind = *kind;
  e->check_opaque = false;
  e->adler = 1;
  e->first = 0;
  if (!write_header(e) || !write_palette(e, palette)) return sj_write_stopped(message);
  stijl_result result = encode_rows(e, pixels, stride, (uint32_t)e->picture.height, message);
  return result ? result : finish(e, message);
}

// A file in memory.
typedef struct {
  stijl_context *context;
  sj_byte_array bytes;
  bool failed;
} memory_file;

static bool put(void *user, const void *data, size_t bytes) {
  memory_file *f = user;
  f->failed = !sj_array_reserve(f->context, &f->bytes, bytes);
  if (f->failed) return false;
  memcpy(f->bytes.data + f->bytes.count, data, bytes);
  f->bytes.count += bytes;
  return true;
}

// Writes the smallest of the files that the kinds give.
static stijl_result encode_best(encoder *e, const unsigned char *pixels, size_t stride, const sj_png_kind *kinds,
                                int count, const sj_png_palette *palette, stijl_message *message) {
  memory_file files[2] = {{.context = e->context}, {.context = e->context}};
  int best = 0;
  bool (*write)(void *, const void *, size_t) = e->write;
  void *user = e->user;
  stijl_result result = STIJL_OK;
  e->write = put;
  for (int i = 0; i < count && !result; i++) {
    memory_file *f = &files[i ? !best : best];
    f->bytes.count = 0;
    e->user = f;
    result = encode_as(e, pixels, stride, &kinds[i], palette, message);
    if (f->failed) result = sj_fail_memory(message);
    if (!result && f->bytes.count < files[best].bytes.count) best = !best;
  }
  if (!result && !write(user, files[best].bytes.data, files[best].bytes.count)) result = sj_write_stopped(message);
  for (int i = 0; i < 2; i++) sj_array_finish(e->context, &files[i].bytes);
  return result;
}

static stijl_result encode_whole(encoder *e, const unsigned char *pixels, size_t stride, stijl_message *message) {
  sj_png_kind kinds[4];
  sj_png_palette palette;
  sj_png_survey *survey = sj_alloc(e->context, sizeof *survey);
  stijl_result result = survey && survey_picture(e, pixels, stride, survey) ? STIJL_OK : sj_fail_memory(message);
  if (!result) {
    const sj_png_picture *p = &e->picture;
    int count = sj_png_survey_kinds(survey, p->format, (size_t)p->width, (size_t)p->height, kinds, &palette);
    e->picture.colours = &survey->colours;
    result = p->level == STIJL_PNG_BEST ? encode_best(e, pixels, stride, kinds, count, &palette, message)
                                        : encode_as(e, pixels, stride, &kinds[0], &palette, message);
  }
  sj_free(e->context, survey);
  return result;
}

static stijl_result write_whole(const sj_encoding *encoding, const unsigned char *pixels, size_t stride,
                                stijl_message *message) {
  encoder *e = make(encoding);
  if (!e) return sj_fail_memory(message);
  stijl_result result = encode_whole(e, pixels, stride, message);
  destroy(e);
  return result;
}

const sj_image_encoder sj_png_encoder = {create, encode_rows, finish, destroy, write_whole};

stijl_result stijl_png_encode(stijl_context *context, int width, int height, stijl_format format, const void *pixels,
                              size_t stride, const stijl_png_params *params,
                              bool (*write)(void *user, const void *data, size_t bytes), void *user,
                              stijl_message *message) {
  if (message) message->text[0] = 0;
  params = SJ_PARAMS(stijl_png_params, STIJL_PNG_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  sj_encoding encoding = {sj_context(context), STIJL_IMAGE_WRITER_PARAMS_INIT, write, user};
  encoding.params.format = format;
  encoding.params.width = width;
  encoding.params.height = height;
  encoding.params.level = params->level;
  encoding.params.threads = params->threads;
  stijl_result result = sj_check_encoding(&encoding.params, message);
  if (result) return result;
  if (!pixels || !write || stride < (size_t)width * stijl_format_bytes(format))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT,
                   "not a picture to encode: it needs pixels, within the stride, and a callback");
  return write_whole(&encoding, pixels, stride, message);
}
