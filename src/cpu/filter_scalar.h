// Blur along an axis, one channel at a time: the definition.
#include "cpu/filter_loops.h"

static inline void blur_weights(const k_filter_blur *blur, const sj_filter_axis *axis) {
  for (int i = 0; i < axis->out_count; i++)
    for (int lane = 0; lane < SJ_STRIP; lane++) {
      uint32_t pixel = 0;
      for (uint32_t c = 0; c < 4; c++) {
        int32_t sum = 1 << (K_FILTER_WEIGHT_SHIFT - 1);
        for (int k = -blur->reach; k <= blur->reach; k++)
          sum += blur->weights[k < 0 ? -k : k] * (int32_t)k_channel(filter_strip(axis, axis->first + i + k)[lane], c);
        pixel |= (uint32_t)(sum >> K_FILTER_WEIGHT_SHIFT) << (8 * c);
      }
      axis->out[(size_t)i * SJ_STRIP + (size_t)lane] = pixel;
    }
}

// Finds the places of the differences, and their factors. Returns how many there are.
static int box_taps(int w, int at[6], int factor[6]) {
  if (w & 1) {
    memcpy(at, (int[]){0, w, 2 * w, 3 * w}, 4 * sizeof *at);
    memcpy(factor, (int[]){1, -3, 3, -1}, 4 * sizeof *at);
    return 4;
  }
  memcpy(at, (int[]){0, w, 2 * w, w + 1, 2 * w + 1, 3 * w + 1}, 6 * sizeof *at);
  memcpy(factor, (int[]){1, -2, 1, -1, 2, -1}, 6 * sizeof *at);
  return 6;
}

// Returns where the running sums begin: strips before are all transparent, or what they count for ends before the first
// result.
static int box_start(const k_filter_blur *blur, const sj_filter_axis *axis) {
  int start = axis->first - blur->reach;
  return axis->edge == K_FILTER_EDGE_NONE && start < 0 ? 0 : start;
}

// Blurs by sums of 64 bits, which hold windows of any size.
static void blur_boxes_wide(const k_filter_blur *blur, const sj_filter_axis *axis) {
  int at[6], factor[6], taps = box_taps(blur->window, at, factor), start = box_start(blur, axis);
  int64_t s1[SJ_STRIP * 4] = {0}, s2[SJ_STRIP * 4] = {0}, s3[SJ_STRIP * 4] = {0};
  for (int i = 0; i < axis->out_count && axis->first + i + blur->reach < start; i++)
    memset(axis->out + (size_t)i * SJ_STRIP, 0, sizeof filter_nothing);
  for (int i = start; i < axis->first + axis->out_count + blur->reach; i++) {
    const unsigned char *in[6];
    for (int t = 0; t < taps; t++)
      in[t] = (const unsigned char *)(i - at[t] < start ? filter_nothing : filter_strip(axis, i - at[t]));
    for (int c = 0; c < SJ_STRIP * 4; c++) {
      int d = 0;
      for (int t = 0; t < taps; t++) d += factor[t] * in[t][c];
      s1[c] += d;
      s2[c] += s1[c];
      s3[c] += s2[c];
    }
    int to = i - blur->reach - axis->first;
    if (to < 0) continue;
    unsigned char *out = (unsigned char *)(axis->out + (size_t)to * SJ_STRIP);
    for (int c = 0; c < SJ_STRIP * 4; c++) out[c] = (unsigned char)k_filter_box_value((float)s3[c], blur->scale);
  }
}
