// What sj_deflate keeps, and how it appends literals and matches of pixels to a block: functions that its loops over
// pixels hold.
#ifndef SJ_IMAGE_DEFLATE_EMIT_H
#define SJ_IMAGE_DEFLATE_EMIT_H

#include <string.h>

#include "image/checksum.h"
#include "image/deflate.h"
#include "image/deflate_block.h"
#include "image/pixel.h"
#include "image/run.h"

#define WINDOW 32768u  // the largest distance, in bytes

#define HASH_BITS 12
#define PLACE_BITS 14

// Where a pixel, or a pair of pixels, was seen last. 0 as row_plus_one: nowhere.
typedef struct {
  uint16_t column, row_plus_one;  // the column's lowest bits
} hash_entry;

typedef struct {
  hash_entry pairs[1 << HASH_BITS], singles[1 << HASH_BITS];
} hash_tables;

// Where four bytes were seen last, by their hash, and where they, or others of the hash, were before that, by the
// place. Each is a number in the band's bytes, and 1; 0: nowhere.
typedef struct {
  uint32_t last[1 << PLACE_BITS], earlier[WINDOW];
} byte_places;

struct sj_deflate {
  stijl_context *context;
  stijl_format format;
  size_t width, pixel_bytes, max_rows;
  bool greys;
  sj_deflate_rows kind;
  sj_deflate_block block;
  hash_tables tables;
  // The rest is for rows whose bytes are matched. The bytes of the row above and of this row, each behind
  // SJ_FILTER_MARGIN zeros:
  uint8_t *rows[2];
  uint8_t *bytes;  // the band's rows in the stream; those of other kinds are left out; NULL: there was none yet
  byte_places *places;
  bool places_ready;  // for this band
  bool thorough;      // the bytes of all rows are matched, noise, too
};

// Appends literals and matches to the block.
typedef struct {
  sj_deflate *deflate;
  const unsigned char *pixels;  // of the band
  size_t stride;
  const sj_row_runs *runs;      // of its rows, or NULL
  bool unpremultiply, swap;     // how source pixels become those of the file
  uint32_t greys;               // the bits that greys have there; 0: they are colours
  sj_sequence open;             // takes literals until a match closes it
  sj_sequence *next;            // where the next sequence goes
  uint8_t *literal;             // where the next literal goes
  size_t above_distance;        // of a row in the stream that equals the row above, in bytes; 0: there is none
  uint8_t filter;               // of the row, which precedes its bytes
  const unsigned char *follow;  // directly after a match: the pixel with which it would continue; else NULL
  sj_adler adler;
} emitter;

// Returns a pixel as it is in the file.
static inline uint32_t file_pixel(const emitter *e, uint32_t pixel) {
  if (e->unpremultiply && pixel < SJ_ALPHA) pixel = sj_unpremultiply(pixel);
  if (e->greys) return ((pixel & 0xff) | pixel >> 24 << 8) & e->greys;
  return e->swap ? sj_swap_red_blue(pixel) : pixel;
}

// Returns the bits in which two pixels differ in the file.
static inline uint32_t difference(const emitter *e, uint32_t a, uint32_t b) {
  return e->greys || (e->unpremultiply && (a & b) < SJ_ALPHA) ? file_pixel(e, a) ^ file_pixel(e, b)
         : e->swap                                            ? sj_swap_red_blue(a ^ b)
                                                              : a ^ b;
}

static inline void emit_byte(emitter *e, uint8_t byte) {
  *e->literal++ = byte;
  e->open.literals++;
}

static inline void emit_literal(emitter *e, uint32_t pixel, size_t pixel_bytes) {
  uint32_t p = file_pixel(e, pixel);
  sj_adler_pixels(&e->adler, p, 1, pixel_bytes);
  size_t skip = 0;
  if (e->follow) {  // the match before it is extended by the first bytes that fit
    uint32_t d = difference(e, pixel, sj_load_pixel(e->follow));
    sj_sequence *last = &e->next[-1];
    if (!(d & 0xff) && last->repeat == 1) {
      skip = d ? (size_t)__builtin_ctz(d) >> 3 : 0;
      if (skip > SJ_MAX_MATCH - last->length) skip = SJ_MAX_MATCH - last->length;
      last->length = (uint16_t)(last->length + skip);
      p >>= 8 * skip;
    }
    e->follow = NULL;
  }
  memcpy(e->literal, &p, 4);
  e->literal += pixel_bytes - skip;
  e->open.literals += (uint32_t)(pixel_bytes - skip);
}

// Gives the open sequence its match.
static inline void close_sequence(emitter *e, size_t bytes, size_t distance, size_t repeat) {
  e->open.length = (uint16_t)bytes;
  e->open.distance = (uint16_t)distance;
  e->open.repeat = (uint16_t)repeat;
  *e->next++ = e->open;
  e->open = (sj_sequence){0};
}

static inline void emit_match(emitter *e, size_t bytes, size_t distance) {
  if (bytes >= SJ_MAX_MATCH) {
    for (; bytes / SJ_MAX_MATCH > UINT16_MAX; bytes -= UINT16_MAX * SJ_MAX_MATCH)
      close_sequence(e, SJ_MAX_MATCH, distance, UINT16_MAX);
    size_t repeat = bytes / SJ_MAX_MATCH;
    close_sequence(e, SJ_MAX_MATCH, distance, repeat);
    bytes -= repeat * SJ_MAX_MATCH;
    if (bytes && bytes < SJ_MIN_MATCH) {  // the rest is too short for a match, so the last match gives it some bytes
      sj_sequence *last = &e->next[-1];
      if (--last->repeat == 0) {
        last->length = (uint16_t)(SJ_MAX_MATCH - SJ_MIN_MATCH);
        last->repeat = 1;
      } else {
        close_sequence(e, SJ_MAX_MATCH - SJ_MIN_MATCH, distance, 1);
      }
      bytes += SJ_MIN_MATCH;
    }
  }
  if (bytes) close_sequence(e, bytes, distance, 1);
}

// Emits n pixels from `at` on, which is column i, as a match with those from `from` on, which is column x.
static inline void emit_pixels(emitter *e, const unsigned char *at, size_t i, const unsigned char *from, size_t x,
                               size_t n, size_t distance, size_t pixel_bytes) {
  size_t bytes = n * pixel_bytes;
  // The last bytes of the pixel before may match, too.
  if (i && x && e->open.literals) {
    uint32_t d = difference(e, sj_load_pixel(at - 4), sj_load_pixel(from - 4));
    d <<= 32 - 8 * pixel_bytes;
    size_t more = d ? (size_t)__builtin_clz(d) >> 3 : pixel_bytes;
    if (more > e->open.literals) more = e->open.literals;
    e->open.literals -= (uint32_t)more;
    e->literal -= more;
    bytes += more;
  }
  emit_match(e, bytes, distance);
  e->follow = (x > i ? x : i) + n < e->deflate->width ? from + 4 * n : NULL;
}

// Makes room for what bytes need. It must be called before the first row of a band whose bytes are matched. Returns
// false when memory is short.
bool sj_make_room_for_bytes(sj_deflate *deflate);
// Emits the bytes of row y, by the filter that leaves least, and returns the checksum. `has_above`: the row above is in
// memory. `is_loaded`: and it was emitted by this function, too.
uint32_t sj_emit_bytes(emitter *e, size_t y, bool has_above, bool is_loaded);
// Emits what row y differs in from the row above, nearly nothing, and returns the checksum.
uint32_t sj_emit_repeated(emitter *e, size_t y);

#endif
