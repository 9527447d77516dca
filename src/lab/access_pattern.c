// Tells which bytes the patterns of `lab access` touch.
#include "lab/access.h"

enum { LANES = 32, LINE = 128, SECTOR = 32 };

// Adds a number to a set; returns false if it was there already.
static bool insert(uint64_t *set, uint32_t *count, uint64_t value) {
  for (uint32_t i = 0; i < *count; i++)
    if (set[i] == value) return false;
  set[(*count)++] = value;
  return true;
}

// Finds the lines that 32 lanes touch, in the order in which they do, and counts the sectors.
static uint32_t find_lines(const sj_lab_load *load, uint32_t bits, uint64_t lines[LANES * 4], uint32_t *sectors) {
  uint64_t at[4], set[LANES * 4];
  uint32_t count = 0;
  *sectors = 0;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    uint32_t n = sj_lab_words(load, bits, lane, at);
    for (uint32_t k = 0; k < n; k++) {
      insert(lines, &count, at[k] / LINE);
      insert(set, sectors, at[k] / SECTOR);
    }
  }
  return count;
}

sj_lab_touched sj_lab_touch(const sj_lab_load *load, uint32_t bits) {
  uint64_t lines[LANES * 4];
  uint32_t sectors, count = find_lines(load, bits, lines, &sectors);
  return (sj_lab_touched){count, sectors};
}

void sj_lab_draw_trace(sj_lab_text *out, const sj_lab_access *a, uint32_t bits) {
  enum { MOST = 34, CELL = 5, ROW = 12, LEFT = 110, TOP = 24 };
  uint64_t lines[LANES * 4], at[4];
  uint32_t sectors, count = find_lines(&a->load, bits, lines, &sectors), shown = count < MOST ? count : MOST;
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
      uint32_t n = sj_lab_words(&a->load, bits, lane, at);
      for (uint32_t k = 0; k < n; k++)
        if (at[k] / LINE == lines[r])
          sj_lab_add(out, "<rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
                     (double)LEFT + (double)(at[k] % LINE) * CELL + 0.5, TOP + r * ROW + 1, a->load.bytes * CELL - 1.0,
                     ROW - 4, lane % 2 ? "#2166ac" : "#67a9cf");
    }
  }
  sj_lab_add_all(out, "</svg>\n");
}
