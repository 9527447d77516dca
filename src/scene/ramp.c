#include "scene/ramp.h"

#include "kernel/composite.h"

static uint32_t premultiplied(float r, float g, float b, float a) {
  float channels[4] = {r, g, b, a};
  int32_t bytes[4];
  for (int i = 0; i < 4; i++) bytes[i] = sj_unit_byte(channels[i]);
  uint32_t alpha = (uint32_t)bytes[3], color = alpha << 24;
  if (alpha == 255) return color | (uint32_t)(bytes[0] | bytes[1] << 8 | bytes[2] << 16);
  for (int i = 0; i < 3; i++) color |= k_div255((uint32_t)bytes[i] * alpha) << (8 * i);
  return color;
}

uint32_t sj_premultiplied(stijl_color c, float opacity) {
  return premultiplied(c.r, c.g, c.b, sj_clamp_unit(c.a) * opacity);
}

// Returns the offset of a stop as the gradient uses it: within 0..1, and not below that of the stop before.
static float stop_offset(const stijl_stop *stops, size_t i, float before) {
  float offset = sj_clamp_unit(stops[i].offset);
  return offset > before ? offset : before;
}

static float ramp_t(uint32_t i) { return (float)i / K_RAMP_LAST; }

// Returns the first entry at or after an offset, K_RAMP_SIZE where there is none.
static uint32_t entry_from(float offset) {
  uint32_t i = (uint32_t)(offset * K_RAMP_LAST);
  while (i > 0 && ramp_t(i - 1) >= offset) i--;
  while (i < K_RAMP_SIZE && ramp_t(i) < offset) i++;
  return i;
}

// Returns a piece whose entries all have a stop's colour.
static k_ramp_piece even_piece(uint32_t first, stijl_color c, float opacity) {
  return (k_ramp_piece){.first = first,
                        .r = sj_clamp_unit(c.r) * 255.0f + 0.5f,
                        .g = sj_clamp_unit(c.g) * 255.0f + 0.5f,
                        .b = sj_clamp_unit(c.b) * 255.0f + 0.5f,
                        .a = sj_clamp_unit(c.a) * opacity * 255.0f + 0.5f};
}

// Makes the entries first..end - 1, between two stops whose offsets are lo and hi. Where there is but one, hi - lo may
// be as good as nothing, and so is not divided by again.
static k_ramp_piece mixed_piece(uint32_t first, uint32_t end, stijl_color from, stijl_color to, float lo, float hi,
                                float opacity) {
  k_ramp_piece a = even_piece(first, from, opacity), b = even_piece(first, to, opacity);
  float f = (ramp_t(first) - lo) / (hi - lo), step = end - first > 1 ? 1.0f / (K_RAMP_LAST * (hi - lo)) : 0.0f;
  float r = b.r - a.r, g = b.g - a.g, blue = b.b - a.b, alpha = b.a - a.a;
  return (k_ramp_piece){.first = first,
                        .r = a.r + r * f,
                        .g = a.g + g * f,
                        .b = a.b + blue * f,
                        .a = a.a + alpha * f,
                        .dr = r * step,
                        .dg = g * step,
                        .db = blue * step,
                        .da = alpha * step};
}

size_t sj_ramp_make(const stijl_stop *stops, size_t count, float opacity, k_ramp_piece *out) {
  size_t made = 0;
  float lo = stop_offset(stops, 0, 0.0f);
  uint32_t from = entry_from(lo);
  if (from > 0) out[made++] = even_piece(0, stops[0].color, opacity);
  for (size_t next = 1; next < count; next++) {
    float hi = stop_offset(stops, next, lo);
    uint32_t end = entry_from(hi);
    if (end > from) out[made++] = mixed_piece(from, end, stops[next - 1].color, stops[next].color, lo, hi, opacity);
    from = end;
    lo = hi;
  }
  if (from < K_RAMP_SIZE) out[made++] = even_piece(from, stops[count - 1].color, opacity);
  return made;
}

size_t sj_ramp_read(const uint32_t *entries, k_ramp_piece *out) {
  size_t made = 0;
  for (uint32_t i = 0; i < K_RAMP_SIZE; i++) {
    uint32_t color = entries[i], alpha = color >> 24, straight[3];
    if (i > 0 && color == entries[i - 1]) continue;
    for (uint32_t c = 0; c < 3; c++) straight[c] = alpha ? (k_channel(color, c) * 255 + alpha / 2) / alpha : 0;
    out[made++] = (k_ramp_piece){.first = i,
                                 .r = (float)straight[0] + 0.5f,
                                 .g = (float)straight[1] + 0.5f,
                                 .b = (float)straight[2] + 0.5f,
                                 .a = (float)alpha + 0.5f};
  }
  return made;
}

void sj_ramp_entries(const k_ramp_piece *pieces, size_t count, uint32_t *out) {
  for (size_t i = 0; i < count; i++) {
    k_ramp_piece piece = pieces[i];
    int n = (int)(sj_piece_end(pieces, count, i) - piece.first);
    for (int k = 0; k < n; k++) out[k] = k_ramp_color(piece, k);
    out += n;
  }
}

uint32_t sj_ramp_last(const k_ramp_piece *pieces, size_t count) {
  const k_ramp_piece *last = &pieces[count - 1];
  return k_ramp_color(*last, (int)(K_RAMP_SIZE - 1 - last->first));
}

uint32_t sj_ramp_alpha(const k_ramp_piece *pieces, size_t count) {
  uint32_t alpha = (uint32_t)pieces[0].a;
  for (size_t i = 0; i < count; i++) {
    const k_ramp_piece *p = &pieces[i];
    uint32_t last = k_ramp_color(*p, (int)(sj_piece_end(pieces, count, i) - p->first - 1)) >> 24;
    if ((uint32_t)p->a != alpha || last != alpha) return 0;
  }
  return 1 + alpha;
}

// Returns whether a channel stays within 0..255 in n entries; both ends tell, since it changes evenly.
static bool fits(float at_first, float step, float n) {
  float at_last = at_first + step * (n - 1.0f);
  return at_first >= 0.0f && at_first < 256.0f && at_last >= 0.0f && at_last < 256.0f;
}

bool sj_ramp_check(const k_ramp_piece *pieces, size_t count) {
  if (count == 0 || pieces[0].first != 0) return false;
  for (size_t i = 0; i < count; i++) {
    const k_ramp_piece *p = &pieces[i];
    uint32_t end = sj_piece_end(pieces, count, i);
    if (end <= p->first || end > K_RAMP_SIZE) return false;
    float n = (float)(end - p->first);
    if (!fits(p->r, p->dr, n) || !fits(p->g, p->dg, n) || !fits(p->b, p->db, n) || !fits(p->a, p->da, n)) return false;
  }
  return true;
}
