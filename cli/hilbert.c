#include "hilbert.h"

// Turns and mirrors a quadrant of `side` tiles so that its curve begins and ends where the next ones expect it.
static void turn(uint32_t side, uint32_t right, uint32_t low, uint32_t *x, uint32_t *y) {
  if (low) return;
  if (right) {
    *x = side - 1 - *x;
    *y = side - 1 - *y;
  }
  uint32_t swapped = *x;
  *x = *y;
  *y = swapped;
}

uint64_t cli_hilbert_position(int order, uint32_t x, uint32_t y) {
  uint64_t position = 0;
  for (int k = order - 1; k >= 0; k--) {
    uint32_t side = (uint32_t)1 << k, right = x >> k & 1, low = y >> k & 1;
    position = position << 2 | ((3 * right) ^ low);
    x &= side - 1;
    y &= side - 1;
    turn(side, right, low, &x, &y);
  }
  return position;
}

void cli_hilbert_place(int order, uint64_t position, uint32_t *x, uint32_t *y) {
  *x = *y = 0;
  for (int k = 0; k < order; k++, position >>= 2) {
    uint32_t right = (uint32_t)(position >> 1) & 1, low = (uint32_t)(position ^ right) & 1;
    turn((uint32_t)1 << k, right, low, x, y);
    *x |= right << k;
    *y |= low << k;
  }
}

uint64_t cli_hilbert_inside(int order, uint32_t columns, uint32_t rows, uint64_t position) {
  uint64_t end = (uint64_t)1 << (2 * order);
  while (position < end) {
    uint32_t x, y;
    cli_hilbert_place(order, position, &x, &y);
    if (x < columns && y < rows) return position;
    int k = 0;
    while (k < order && (position & (((uint64_t)4 << (2 * k)) - 1)) == 0 &&
           (x >> (k + 1) << (k + 1) >= columns || y >> (k + 1) << (k + 1) >= rows))
      k++;
    position += (uint64_t)1 << (2 * k);
  }
  return end;
}

uint64_t cli_hilbert_first_id(int level) { return (((uint64_t)1 << (2 * level)) - 1) / 3; }

uint64_t cli_hilbert_id(int level, uint32_t x, uint32_t y) {
  return cli_hilbert_first_id(level) + cli_hilbert_position(level, x, y);
}
