// The lab's module for browsers: what kernels have to leave and what their times say, as the command has them
// (src/lab/expect.h, tell.h). JavaScript (web/npm/lab-told.js) puts pieces of results and times into `room`, and reads
// sentences from there.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lab/expect.h"
#include "lab/plot.h"
#include "lab/tell.h"

#define LAB(name) __attribute__((export_name(#name), visibility("default"))) lab_##name

enum { ROOM = 4 << 20, MOST = 4096, SHAPES = 32 };  // bytes of a piece; rows of a product; shapes of workgroups

static _Alignas(16) char room[ROOM];
static uint64_t vectors[2][MOST];
static sj_lab_product product = {0, vectors[0], vectors[1]};
static char said[8192];
static size_t length;

// Adds a line to what is said: a digit for the kind, and the sentence.
void sj_lab_sentence(sj_lab_page *page, sj_lab_sentence_kind kind, const char *format, ...) {
  char line[512];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  int more = snprintf(said + length, sizeof said - length, "%d%s\n", (int)kind, line);
  if (more > 0 && (size_t)more < sizeof said - length) length += (size_t)more;
}

void sj_lab_card(sj_lab_page *page, sj_lab_unit unit, const sj_lab_bar *bars, uint32_t count) {
}  // browsers have tables

void *LAB(room)(void) { return room; }
uint32_t LAB(room_bytes)(void) { return sizeof room; }

// --- Results, from number `first` on in the room ---

uint32_t LAB(wrong_sums)(uint32_t first, uint32_t count, int pattern, uint32_t step, uint32_t bytes, uint32_t bits,
                         uint32_t lanes, uint32_t turns) {
  const sj_lab_load load = {(sj_lab_pattern)pattern, step, bytes};
  return sj_lab_wrong_sums((const uint32_t *)room, first, count, &load, bits, lanes, turns);
}
uint32_t LAB(wrong_copies)(uint32_t first, uint32_t count) {
  return sj_lab_wrong_copies((const uint32_t *)room, first, count);
}
uint32_t LAB(wrong_fills)(uint32_t first, uint32_t count) {
  return sj_lab_wrong_fills((const uint32_t *)room, first, count);
}
uint32_t LAB(wrong_transposed)(uint32_t row, uint32_t rows, uint32_t n) {
  return sj_lab_wrong_transposed((const uint32_t *)room, row, rows, n);
}
uint32_t LAB(wrong_neighbours)(uint32_t row, uint32_t rows, uint32_t n) {
  return sj_lab_wrong_neighbours((const uint32_t *)room, row, rows, n);
}
// Writes a part of a factor into the room.
void LAB(factor)(uint32_t first, uint32_t count, int second) { sj_lab_factor((float *)room, first, count, second); }
uint32_t LAB(wrong_rows)(uint32_t row, uint32_t rows, uint32_t n) {
  if (n > MOST) return rows;
  if (product.n != n) {
    product.n = n;
    sj_lab_product_begin(&product);
  }
  return sj_lab_wrong_rows((const float *)room, row, rows, &product);
}

// --- Sentences, of times that are in the room: three numbers each ---

static void *tell(void) {
  said[length] = 0;
  length = 0;
  return said;
}
static const sj_lab_estimate *times(void) { return (const sj_lab_estimate *)room; }

// Says what follows from the times of loads, which are in order: orders, widths, layouts.
const char *LAB(tell_loads)(uint32_t orders, uint32_t widths) {
  sj_lab_tell_loads(NULL, times(), times() + orders, times() + orders + widths);
  return tell();
}
const char *LAB(tell_loop)(void) {
  sj_lab_tell_loop(NULL, times()[0], times()[1]);
  return tell();
}
// Says what follows from times, behind which are the shares of a copy's speed, or the shapes.
const char *LAB(tell_transposes)(uint32_t count, double bytes) {
  sj_lab_tell_transposes(NULL, times(), count, bytes, (const double *)(times() + count));
  return tell();
}
const char *LAB(tell_products)(double operations, double fma) {
  sj_lab_tell_products(NULL, times(), operations, fma);
  return tell();
}
const char *LAB(tell_shapes)(uint32_t count, double bytes) {
  const double *given = (const double *)(times() + count);
  uint32_t sides[2 * SHAPES];
  if (count > SHAPES) count = SHAPES;
  for (uint32_t i = 0; i < 2 * count; i++) sides[i] = (uint32_t)given[i];
  sj_lab_tell_shapes(NULL, times(), sides, count, bytes);
  return tell();
}
// Counts what is contracted in four times `count` results in the room.
const char *LAB(tell_contraction)(uint32_t count) {
  static uint32_t differ[4];
  memset(differ, 0, sizeof differ);
  sj_lab_contracted((const float *)room, 0, count, differ);
  memcpy(room, differ, sizeof differ);
  sj_lab_tell_contraction(NULL, differ, count);
  return tell();
}
