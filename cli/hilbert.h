// The Hilbert curve through a square of 2^order tiles a side, as PMTiles has it: from the upper left to the upper right
// corner. The tiles of each aligned square of 2^k a side are one run of 4^k positions.
#ifndef STIJL_CLI_HILBERT_H
#define STIJL_CLI_HILBERT_H

#include <stdint.h>

#define CLI_HILBERT_MAX_ORDER 31

uint64_t cli_hilbert_position(int order, uint32_t x, uint32_t y);
void cli_hilbert_place(int order, uint64_t position, uint32_t *x, uint32_t *y);

// Returns the first position from `position` on whose tile lies in the first `columns` and `rows`; 4^order without one.
// What is outside is skipped by whole squares.
uint64_t cli_hilbert_inside(int order, uint32_t columns, uint32_t rows, uint64_t position);

// Returns the number of a tile in PMTiles: levels follow one another, each along its curve.
uint64_t cli_hilbert_first_id(int level);
uint64_t cli_hilbert_id(int level, uint32_t x, uint32_t y);

#endif
