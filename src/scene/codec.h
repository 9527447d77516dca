// Reads and writes the words of a file by the same calls: a function that lists the fields of a structure serves both
// directions, and so they cannot differ.
#ifndef SJ_SCENE_CODEC_H
#define SJ_SCENE_CODEC_H

#include <string.h>

#include "image/checksum.h"
#include "stijl/scene.h"

#define SJ_FILE_BUFFER 4096  // words

// A file that is read, or written.
typedef struct sj_file {
  bool reading, failed;  // failed: the file ends too early, or writing was stopped
  uint32_t version;
  const unsigned char *at;
  size_t left;
  bool (*write)(void *user, const void *data, size_t bytes);
  void *user;
  uint32_t crc;
  uint32_t buffer[SJ_FILE_BUFFER];
  size_t used;
} sj_file;

static inline void sj_file_put(sj_file *f, const void *data, size_t bytes) {
  f->crc = sj_crc32(f->crc, data, bytes);
  f->failed = f->failed || !f->write(f->user, data, bytes);
}

static inline void sj_file_flush(sj_file *f) {
  if (f->used && !f->failed) sj_file_put(f, f->buffer, f->used * sizeof *f->buffer);
  f->used = 0;
}

// Reads or writes bytes, whose number is a multiple of four.
static inline void sj_file_block(sj_file *f, void *data, size_t bytes) {
  if (f->reading) {
    f->failed = f->failed || bytes > f->left;
    if (f->failed || !bytes) return;
    memcpy(data, f->at, bytes);
    f->at += bytes;
    f->left -= bytes;
    return;
  }
  sj_file_flush(f);
  if (bytes && !f->failed) sj_file_put(f, data, bytes);
}

static inline void sj_file_word(sj_file *f, uint32_t *value) {
  if (f->reading) {
    *value = 0;
    sj_file_block(f, value, sizeof *value);
    return;
  }
  if (f->used == SJ_FILE_BUFFER) sj_file_flush(f);
  f->buffer[f->used++] = *value;
}

static inline void sj_file_real(sj_file *f, float *value) {
  uint32_t bits;
  memcpy(&bits, value, sizeof bits);
  sj_file_word(f, &bits);
  memcpy(value, &bits, sizeof bits);
}

// Reads or writes two flags in one word.
static inline void sj_file_flags(sj_file *f, bool *first, bool *second) {
  uint32_t both = (*first ? 1u : 0u) | (*second ? 2u : 0u);
  sj_file_word(f, &both);
  f->failed = f->failed || both > 3;
  *first = both & 1;
  *second = both & 2;
}

static inline void sj_file_matrix(sj_file *f, stijl_matrix *m) {
  sj_file_real(f, &m->a);
  sj_file_real(f, &m->b);
  sj_file_real(f, &m->c);
  sj_file_real(f, &m->d);
  sj_file_real(f, &m->e);
  sj_file_real(f, &m->f);
}

static inline void sj_file_integer(sj_file *f, int *value) { sj_file_word(f, (uint32_t *)value); }

static inline void sj_file_rect(sj_file *f, stijl_rect *r) {
  sj_file_real(f, &r->x0);
  sj_file_real(f, &r->y0);
  sj_file_real(f, &r->x1);
  sj_file_real(f, &r->y1);
}

static inline void sj_file_color(sj_file *f, stijl_color *c) {
  sj_file_real(f, &c->r);
  sj_file_real(f, &c->g);
  sj_file_real(f, &c->b);
  sj_file_real(f, &c->a);
}

#endif
