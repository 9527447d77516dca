// A bin is a group of tiles with the set of draws that coarse must look at for them. Here stages add draws to the sets.
layout(set = 0, binding = G_BINS, scalar) restrict buffer Bins { uint bins[]; };

// Adds a draw to the set of each bin that has one of the tiles first..last of tile row y.
void note(uint draw, int y, int first, int last) {
  uint start = (uint(y) >> G_BIN_Y_SHIFT) * P.bins_x;
  for (uint x = uint(first) >> G_BIN_X_SHIFT; x <= uint(last) >> G_BIN_X_SHIFT; x++)
    atomicOr(bins[(start + x) * bin_words() + (draw >> 5)], 1u << (draw & 31u));
}
