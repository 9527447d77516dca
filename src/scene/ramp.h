// The ramps of a scene's gradients. A scene stores the pieces that they are made of (kernel/ramp.h). Code that looks
// colours up makes the entries when they are needed, because that takes less time than to fetch them from memory.
#ifndef SJ_SCENE_RAMP_H
#define SJ_SCENE_RAMP_H

#include "kernel/paint.h"
#include "kernel/ramp.h"
#include "stijl/scene.h"

// Returns x, moved into 0..1. NaN becomes 0.
static inline float sj_clamp_unit(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

static inline int32_t sj_unit_byte(float x) { return (int32_t)(sj_clamp_unit(x) * 255.0f + 0.5f); }

// Returns a colour in the format of pixels, times an opacity of 0..1.
uint32_t sj_premultiplied(stijl_color color, float opacity);

typedef struct sj_ramp {
  uint32_t first, count;  // its pieces, among the scene's
  uint32_t color;         // as k_paint.color
} sj_ramp;

// Returns where piece i of a ramp ends.
static inline uint32_t sj_piece_end(const k_ramp_piece *pieces, size_t count, size_t i) {
  return i + 1 < count ? pieces[i + 1].first : K_RAMP_SIZE;
}

// Computes all entries of a ramp.
void sj_ramp_entries(const k_ramp_piece *pieces, size_t count, uint32_t *out);
// Returns the last entry of a ramp.
uint32_t sj_ramp_last(const k_ramp_piece *pieces, size_t count);

// Makes the pieces of stops; `out` has room for K_RAMP_SIZE. Returns their number.
size_t sj_ramp_make(const stijl_stop *stops, size_t count, float opacity, k_ramp_piece *out);
// Makes the pieces of the entries that older saved scenes have. Returns their number.
size_t sj_ramp_read(const uint32_t *entries, k_ramp_piece *out);
// Returns whether pieces that were read could have been made of stops.
bool sj_ramp_check(const k_ramp_piece *pieces, size_t count);
// Returns what k_paint.color is for a ramp.
uint32_t sj_ramp_alpha(const k_ramp_piece *pieces, size_t count);

#endif
