// Noting a draw in the bins of some tiles of a row.
layout(set = 0, binding = G_BINS, scalar) restrict buffer Bins { uint bins[]; };

// Tiles first..last of tile row y.
void note(uint draw, int y, int first, int last) {
  uint start = (uint(y) >> G_BIN_Y_SHIFT) * P.bins_x;
  for (uint x = uint(first) >> G_BIN_X_SHIFT; x <= uint(last) >> G_BIN_X_SHIFT; x++)
    atomicOr(bins[(start + x) * P.bin_words + (draw >> 5)], 1u << (draw & 31u));
}
