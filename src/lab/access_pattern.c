// Tells which bytes the patterns of `lab access` touch.
#include "lab/access.h"

enum { LANES = 32, LINE = 128, SECTOR = 32 };

static uint32_t scatter(uint32_t i) {
  i *= 2654435761u;
  i ^= i >> 15;
  i *= 0x2c1b3c6du;
  return i ^ i >> 12;
}

uint32_t sj_lab_place(sj_lab_pattern pattern, uint32_t step, uint32_t bits, uint32_t i) {
  uint32_t mask = (1u << bits) - 1;
  switch (pattern) {
    case SJ_LAB_LINEAR: return (i + step) & mask;
    case SJ_LAB_STRIDED: return (i << step & mask) | (i & mask) >> (bits - step);
    case SJ_LAB_RANDOM: return scatter(i) & mask;
    case SJ_LAB_SAME: return i >> 5 & mask;
    case SJ_LAB_COLUMNS: return (i << (bits >> 1) & mask) | (i & mask) >> ((bits + 1) >> 1);
    default: return i & mask;
  }
}

uint32_t sj_lab_words(const sj_lab_access *a, uint32_t bits, uint32_t i, uint64_t bytes[4]) {
  uint64_t at = sj_lab_place(a->pattern, a->step, bits, i), count = (uint64_t)1 << bits;
  switch (a->pattern) {
    case SJ_LAB_STRUCTS:
      for (uint32_t k = 0; k < 3; k++) bytes[k] = (3 * at + k) * 4;
      return 3;
    case SJ_LAB_FIELDS:
      for (uint32_t k = 0; k < 3; k++) bytes[k] = (at + k * count) * 4;
      return 3;
    case SJ_LAB_PADDED:
      for (uint32_t k = 0; k < 3; k++) bytes[k] = (4 * at + k) * 4;
      return 3;
    case SJ_LAB_ONE_FIELD: bytes[0] = 3 * at * 4; return 1;
    default: bytes[0] = at * a->bytes; return 1;
  }
}

// Returns the number that a lane adds for the element at this byte.
static uint32_t element(uint64_t at, uint32_t bytes) {
  uint32_t word = (uint32_t)(at / 4), value = word * SJ_LAB_WORD;
  if (bytes == 1) return value >> at % 4 * 8 & 0xff;
  if (bytes == 2) return value >> at % 4 * 8 & 0xffff;
  uint32_t sum = 0;
  for (uint32_t k = 0; k < bytes / 4; k++) sum += (word + k) * SJ_LAB_WORD;
  return sum;
}

uint32_t sj_lab_sum(const sj_lab_access *a, uint32_t bits, uint32_t lane, uint32_t lanes, uint32_t turns) {
  uint32_t sum = 0;
  uint64_t at[4];
  for (uint32_t t = 0; t < turns; t++) {
    uint32_t n = sj_lab_words(a, bits, lane + t * lanes, at);
    for (uint32_t k = 0; k < n; k++) sum += element(at[k], a->bytes);
  }
  return sum;
}

// Adds a number to a set; returns false if it was there already.
static bool insert(uint64_t *set, uint32_t *count, uint64_t value) {
  for (uint32_t i = 0; i < *count; i++)
    if (set[i] == value) return false;
  set[(*count)++] = value;
  return true;
}

// Finds the lines that 32 lanes touch, in the order in which they do, and counts the sectors.
static uint32_t find_lines(const sj_lab_access *a, uint32_t bits, uint64_t lines[LANES * 4], uint32_t *sectors) {
  uint64_t at[4], set[LANES * 4];
  uint32_t count = 0;
  *sectors = 0;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    uint32_t n = sj_lab_words(a, bits, lane, at);
    for (uint32_t k = 0; k < n; k++) {
      insert(lines, &count, at[k] / LINE);
      insert(set, sectors, at[k] / SECTOR);
    }
  }
  return count;
}

sj_lab_touched sj_lab_touch(const sj_lab_access *a, uint32_t bits) {
  uint64_t lines[LANES * 4];
  uint32_t sectors, count = find_lines(a, bits, lines, &sectors);
  return (sj_lab_touched){count, sectors};
}

void sj_lab_draw_trace(sj_lab_text *out, const sj_lab_access *a, uint32_t bits) {
  enum { MOST = 34, CELL = 5, ROW = 12, LEFT = 110, TOP = 24 };
  uint64_t lines[LANES * 4], at[4];
  uint32_t sectors, count = find_lines(a, bits, lines, &sectors), shown = count < MOST ? count : MOST;
  int height = TOP + (int)shown * ROW + 8, width = LEFT + LINE * CELL + 10;
  sj_lab_add(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
             "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n"
             "<text x=\"0\" y=\"14\" font-size=\"13\" fill=\"#222222\">",
             width, height, width, height, width, height);
  sj_lab_add_xml(out, a->name);
  sj_lab_add(out, ": %u line%s, %u sector%s for 32 lanes</text>\n", count, count == 1 ? "" : "s", sectors,
             sectors == 1 ? "" : "s");
  for (uint32_t r = 0; r < shown; r++) {
    sj_lab_add(out, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\" fill=\"#888888\">byte %llu</text>\n", LEFT - 8,
               TOP + r * ROW + 9, (unsigned long long)(lines[r] * LINE));
    for (uint32_t s = 0; s < LINE / SECTOR; s++)
      sj_lab_add(out, "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" fill=\"#eeeeee\" stroke=\"#bbbbbb\"/>\n",
                 LEFT + s * SECTOR * CELL, TOP + r * ROW, SECTOR * CELL, ROW - 2);
    for (uint32_t lane = 0; lane < LANES; lane++) {
      uint32_t n = sj_lab_words(a, bits, lane, at);
      for (uint32_t k = 0; k < n; k++)
        if (at[k] / LINE == lines[r])
          sj_lab_add(out, "<rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
                     (double)LEFT + (double)(at[k] % LINE) * CELL + 0.5, TOP + r * ROW + 1, a->bytes * CELL - 1.0,
                     ROW - 4, lane % 2 ? "#2166ac" : "#67a9cf");
    }
  }
  sj_lab_add_all(out, "</svg>\n");
}
