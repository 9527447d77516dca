#include "image/huffman.h"

#include <string.h>

#define MAX_BITS 15

// Sorts symbols by rising frequency, then by number. Shell's sort with Ciura's gaps suits so few symbols, and needs no
// memory.
static void sort_symbols(uint16_t *symbols, int n, const uint32_t *frequencies) {
  static const int gaps[] = {132, 57, 23, 10, 4, 1};
  uint64_t keys[SJ_HUFFMAN_MAX_SYMBOLS];
  for (int i = 0; i < n; i++) keys[i] = (uint64_t)frequencies[symbols[i]] << 16 | symbols[i];
  for (int g = 0; g < 6; g++)
    for (int i = gaps[g]; i < n; i++) {
      uint64_t key = keys[i];
      int j = i;
      for (; j >= gaps[g] && keys[j - gaps[g]] > key; j -= gaps[g]) keys[j] = keys[j - gaps[g]];
      keys[j] = key;
    }
  for (int i = 0; i < n; i++) symbols[i] = (uint16_t)keys[i];
}

// Finds depths by Huffman's algorithm with two queues: one of leaves, in the order of their frequency, and one of inner
// nodes, in the order in which they are made, which is also that of their weights. at[d] becomes the number of leaves
// at depth d; deeper ones count as leaves at max_length.
static void count_depths(const uint16_t *symbols, int n, const uint32_t *frequencies, int max_length, int *at) {
  uint64_t weight[2 * SJ_HUFFMAN_MAX_SYMBOLS];
  uint16_t parent[2 * SJ_HUFFMAN_MAX_SYMBOLS];
  for (int i = 0; i < n; i++) weight[i] = frequencies[symbols[i]];
  int leaf = 0, inner = n;
  for (int node = n; node < 2 * n - 1; node++) {
    weight[node] = 0;
    for (int child = 0; child < 2; child++) {
      int least = leaf < n && (inner >= node || weight[leaf] <= weight[inner]) ? leaf++ : inner++;
      weight[node] += weight[least];
      parent[least] = (uint16_t)node;
    }
  }
  uint16_t depth[2 * SJ_HUFFMAN_MAX_SYMBOLS];
  depth[2 * n - 2] = 0;
  for (int i = 2 * n - 3; i >= 0; i--) {
    depth[i] = (uint16_t)(depth[parent[i]] + 1);
    if (i < n) at[depth[i] < max_length ? depth[i] : max_length]++;
  }
}

// Repairs the depths after codes were shortened to max_length, since all codes together may take more than the whole
// space of codes then. Each step frees one code of max_length: a leaf from there moves beside the deepest leaf above
// it, one level further down.
static void repair_depths(int *at, int max_length) {
  uint32_t used = 0, whole = 1u << max_length;
  for (int d = 1; d <= max_length; d++) used += (uint32_t)at[d] << (max_length - d);
  for (; used > whole; used--) {
    int d = max_length - 1;
    while (!at[d]) d--;
    at[d]--;
    at[d + 1] += 2;
    at[max_length]--;
  }
}

static uint16_t reverse_bits(uint32_t code, int length) {
  code = (code & 0x5555) << 1 | (code >> 1 & 0x5555);
  code = (code & 0x3333) << 2 | (code >> 2 & 0x3333);
  code = (code & 0x0f0f) << 4 | (code >> 4 & 0x0f0f);
  code = (code & 0x00ff) << 8 | (code >> 8 & 0x00ff);
  return (uint16_t)(code >> (16 - length));
}

void sj_huffman_build(sj_huffman *huffman, const uint32_t *frequencies, int count, int max_length) {
  uint16_t symbols[SJ_HUFFMAN_MAX_SYMBOLS];
  int n = 0;
  memset(huffman, 0, sizeof *huffman);
  for (int s = 0; s < count; s++)
    if (frequencies[s]) symbols[n++] = (uint16_t)s;
  if (n < 2) {
    int other = n == 1 && symbols[0] == 0 ? 1 : 0;
    huffman->lengths[other] = 1;
    huffman->lengths[n == 1 ? symbols[0] : 1] = 1;
  } else {
    int at[MAX_BITS + 1] = {0};
    sort_symbols(symbols, n, frequencies);
    count_depths(symbols, n, frequencies, max_length, at);
    repair_depths(at, max_length);
    for (int d = max_length, i = 0; d > 0; d--)
      for (int k = 0; k < at[d]; k++) huffman->lengths[symbols[i++]] = (uint8_t)d;
  }
  // Codes are given in the order of their length, then of the symbols (RFC 1951, 3.2.2).
  uint32_t next[MAX_BITS + 2] = {0}, code = 0;
  int of_length[MAX_BITS + 1] = {0};
  for (int s = 0; s < count; s++) of_length[huffman->lengths[s]]++;
  of_length[0] = 0;
  for (int d = 1; d <= MAX_BITS; d++) {
    code = (code + (uint32_t)of_length[d - 1]) << 1;
    next[d] = code;
  }
  for (int s = 0; s < count; s++) {
    int length = huffman->lengths[s];
    if (length) huffman->codes[s] = reverse_bits(next[length]++, length);
  }
}
