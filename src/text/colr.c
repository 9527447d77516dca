#include "text/colr.h"

#include "base/search.h"
#include "base/sort.h"

// The most regions that the variations of a glyph may read. Tables may have 65,535 for each value.
#define MAX_REGIONS 1000000
#define NO_VARIATION 0xffffffffu

// --- bytes ---

// Adds offsets. Those that are too large become UINT32_MAX, which is outside of every table.
static uint32_t sum(uint32_t a, uint64_t b) { return b < UINT32_MAX - a ? a + (uint32_t)b : UINT32_MAX; }

static bool within(const sj_colr_table *table, uint32_t at, uint32_t bytes) {
  return at <= table->length && bytes <= table->length - at;
}

static uint32_t number(const sj_colr_table *table, uint32_t at, uint32_t bytes) {
  uint32_t value = 0;
  for (uint32_t i = 0; i < bytes; i++) value = value << 8 | table->data[at + i];
  return value;
}

static uint32_t get(sj_colr *t, uint32_t at, uint32_t bytes) {
  if (within(&t->colr, at, bytes)) return number(&t->colr, at, bytes);
  t->broken = true;
  return 0;
}

static double get_signed(sj_colr *t, uint32_t at, uint32_t bytes) {
  uint32_t value = get(t, at, bytes), sign = 1u << (8 * bytes - 1);
  return (double)value - (value & sign ? (double)sign * 2.0 : 0.0);
}

// Returns where the offset at `at`, which is relative to `from`, leads to; 0: it leads nowhere.
static uint32_t follow(sj_colr *t, uint32_t from, uint32_t at, uint32_t bytes) {
  uint32_t offset = get(t, at, bytes);
  return offset ? sum(from, offset) : 0;
}

// --- palettes ---

// The flags of palettes (CPAL 1).
enum { FOR_LIGHT = 1, FOR_DARK = 2 };

uint32_t sj_colr_choose(sj_colr *t, const sj_palette *palette) {
  const sj_colr_table *p = &t->palettes;
  uint32_t count = within(p, 0, 12) ? number(p, 4, 2) : 0, looked = 0;
  t->palette = 0;
  t->replaced = palette->colors;
  t->replaced_count = palette->color_count;
  if (palette->base == SJ_PALETTE_NUMBER) {
    if (palette->number < count) t->palette = palette->number;
    return 1;
  }
  uint32_t header = 12 + 2 * count, flag = palette->base == SJ_PALETTE_LIGHT ? FOR_LIGHT : FOR_DARK;
  bool flags = count && number(p, 0, 2) >= 1 && within(p, header, 4) && number(p, header, 4);
  uint32_t types = flags ? number(p, header, 4) : 0;
  while (flags && looked < count && within(p, sum(types, 4 * (uint64_t)looked), 4)) {
    uint32_t i = looked++;
    if (!(number(p, types + 4 * i, 4) & flag)) continue;
    t->palette = i;
    break;
  }
  return looked;
}

uint32_t sj_straight_color(stijl_color c) {
  const float parts[4] = {c.r, c.g, c.b, c.a};
  uint32_t rgba = 0;
  for (int i = 0; i < 4; i++)
    rgba = rgba << 8 | (uint32_t)((parts[i] >= 1.0f ? 1.0f : parts[i] > 0.0f ? parts[i] : 0.0f) * 255.0f + 0.5f);
  return rgba;
}

static int compare_indices(const void *a, const void *b) {
  uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
  return p < q ? -1 : p > q;
}

bool sj_palette_sort(stijl_context *context, uint32_t *colors, size_t *count) {
  size_t given = *count, kept = 0;
  if (given && !sj_sort(context, colors, given, 2 * sizeof *colors, compare_indices)) return false;
  for (size_t i = 0; i < given; i++) {
    if (kept && colors[2 * kept - 2] == colors[2 * i]) kept--;
    colors[2 * kept] = colors[2 * i];
    colors[2 * kept + 1] = colors[2 * i + 1];
    kept++;
  }
  *count = kept;
  return true;
}

// Finds what replaces a colour of the palette; NULL: nothing does.
static const uint32_t *find_replaced(const sj_colr *t, uint32_t index) {
  size_t low = 0, high = t->replaced_count;
  SJ_SEARCH(low, high, i, t->replaced[2 * i] < index);
  return low < t->replaced_count && t->replaced[2 * low] == index ? &t->replaced[2 * low + 1] : NULL;
}

uint32_t sj_colr_foreground(sj_colr *t) {
  t->met_foreground = true;
  return t->foreground;
}

bool sj_colr_find_color(sj_colr *t, uint32_t index, uint32_t *out) {
  const sj_colr_table *p = &t->palettes;
  uint32_t first = 12 + 2 * t->palette;  // where the table has the number of the palette's first colour
  if (index == 0xffff) return false;
  t->met_palette = true;
  if (!within(p, first, 2) || index >= number(p, 2, 2) || !number(p, 4, 2)) return false;
  const uint32_t *replaced = find_replaced(t, index);
  if (replaced) {
    *out = *replaced;
    return true;
  }
  uint32_t at = sum(number(p, 8, 4), 4 * ((uint64_t)number(p, first, 2) + index));
  if (!within(p, at, 4)) return false;
  const unsigned char *c = p->data + at;
  *out = (uint32_t)c[2] << 24 | (uint32_t)c[1] << 16 | (uint32_t)c[0] << 8 | c[3];
  return true;
}

uint32_t sj_colr_color(sj_colr *t, uint32_t index) {
  uint32_t color;
  return sj_colr_find_color(t, index, &color) ? color : sj_colr_foreground(t);
}

// --- variations (OpenType, "Item variation stores") ---

// Returns how much of a region's delta counts at the font's place: 0 to 1.
static double region_share(sj_colr *t, uint32_t region, uint32_t axes) {
  double share = 1.0;
  for (uint32_t i = 0; i < axes; i++) {
    uint32_t at = sum(region, 6 * (uint64_t)i);
    double start = get_signed(t, at, 2), peak = get_signed(t, sum(at, 2), 2), end = get_signed(t, sum(at, 4), 2);
    double place = i < t->axis_count ? (double)t->place[i] : 0.0;
    if (peak == 0.0 || start > peak || peak > end || (start < 0.0 && end > 0.0)) continue;
    if (place < start || place > end) return 0.0;
    if (place < peak) share *= (place - start) / (peak - start);
    if (place > peak) share *= (end - place) / (end - peak);
  }
  return share;
}

// Finds where the deltas of a value are: in the row that is returned, of the data with the number *outer.
static uint32_t map_index(sj_colr *t, uint32_t index, uint32_t *outer) {
  uint32_t map = follow(t, 0, 26, 4);
  *outer = index >> 16;
  if (!map) return index & 0xffff;
  uint32_t wide = get(t, map, 1), format = get(t, sum(map, 1), 1), header = wide ? 6 : 4;
  uint32_t count = get(t, sum(map, 2), wide ? 4 : 2), bytes = (format >> 4 & 3) + 1, bits = (format & 15) + 1;
  if (!count) return 0;
  if (index >= count) index = count - 1;
  uint32_t entry = get(t, sum(map, header + (uint64_t)index * bytes), bytes);
  *outer = entry >> bits;
  return entry & ((1u << bits) - 1);
}

// Returns what is added to a value, in the value's own units. Its number is `index` of those that start at `base`.
static double delta(sj_colr *t, uint32_t base, uint32_t index) {
  uint32_t store = t->axis_count && base < NO_VARIATION - index ? follow(t, 0, 30, 4) : 0, outer;
  if (!store) return 0.0;
  uint32_t row = map_index(t, base + index, &outer);
  if (outer >= get(t, sum(store, 6), 2)) return 0.0;
  uint32_t list = follow(t, store, sum(store, 2), 4), data = follow(t, store, sum(store, 8 + 4 * (uint64_t)outer), 4);
  uint32_t axes = get(t, list, 2), regions = get(t, sum(list, 2), 2);
  uint32_t words = get(t, sum(data, 2), 2), used = get(t, sum(data, 4), 2);
  uint32_t large = words & 0x8000 ? 4 : 2, small = large / 2;
  words &= 0x7fff;
  t->broken = t->broken || !list || !data || words > used || axes > 64;
  if (t->broken || row >= get(t, data, 2)) return 0.0;
  t->regions += used * (axes + 1);
  t->broken = t->regions > MAX_REGIONS;
  uint64_t row_bytes = (uint64_t)words * large + (uint64_t)(used - words) * small;
  uint32_t at = sum(data, 6 + 2 * (uint64_t)used + row_bytes * row);
  double added = 0.0;
  for (uint32_t i = 0; i < used && !t->broken; i++) {
    uint32_t bytes = i < words ? large : small, region = get(t, sum(data, 6 + 2 * (uint64_t)i), 2);
    if (region < regions)
      added += region_share(t, sum(list, 4 + 6 * (uint64_t)axes * region), axes) * get_signed(t, at, bytes);
    at = sum(at, bytes);
  }
  return added;
}

// --- version 0 ---

// Finds the record of a glyph among `count` records of `size` bytes, which are sorted by glyph; 0: it has none.
static uint32_t find_record(sj_colr *t, uint32_t records, uint32_t count, uint32_t size, uint32_t glyph) {
  uint32_t low = 0, high = count;
  SJ_SEARCH(low, high, i, get(t, sum(records, i * (uint64_t)size), 2) < glyph);
  uint32_t at = sum(records, low * (uint64_t)size);
  return low < count && get(t, at, 2) == glyph ? at : 0;
}

uint32_t sj_colr_layers(sj_colr *t, uint32_t glyph, uint32_t *first) {
  uint32_t records = t->colr.length ? get(t, 4, 4) : 0;
  uint32_t record = records ? find_record(t, records, get(t, 2, 2), 6, glyph) : 0;
  if (!record) return 0;
  *first = get(t, sum(record, 2), 2);
  return get(t, sum(record, 4), 2);
}

sj_colr_layer sj_colr_layer_at(sj_colr *t, uint32_t index) {
  uint32_t at = sum(get(t, 8, 4), 4 * (uint64_t)index);
  if (index >= get(t, 12, 2)) t->broken = true;
  return (sj_colr_layer){.glyph = get(t, at, 2), .color = get(t, sum(at, 2), 2)};
}

// --- version 1 ---

static bool has_paints(sj_colr *t) { return t->colr.length && get(t, 0, 2) == 1; }

uint32_t sj_colr_find(sj_colr *t, uint32_t glyph) {
  uint32_t list = has_paints(t) ? follow(t, 0, 14, 4) : 0;
  uint32_t record = list ? find_record(t, sum(list, 4), get(t, list, 4), 6, glyph) : 0;
  return record ? follow(t, list, sum(record, 2), 4) : 0;
}

uint32_t sj_colr_layer_paint(sj_colr *t, uint32_t index) {
  uint32_t list = follow(t, 0, 18, 4);
  return list && index < get(t, list, 4) ? follow(t, list, sum(list, 4 + 4 * (uint64_t)index), 4) : 0;
}

bool sj_colr_clip(sj_colr *t, uint32_t glyph, double box[4]) {
  uint32_t list = has_paints(t) ? follow(t, 0, 22, 4) : 0, lo = 0, hi = list ? get(t, sum(list, 1), 4) : 0;
  while (lo < hi) {
    uint32_t middle = lo + (hi - lo) / 2, at = sum(list, 5 + 7 * (uint64_t)middle);
    if (get(t, at, 2) > glyph) {
      hi = middle;
    } else if (get(t, sum(at, 2), 2) < glyph) {
      lo = middle + 1;
    } else {
      uint32_t clip = follow(t, list, sum(at, 4), 3), base = NO_VARIATION;
      if (!clip) return false;
      if (get(t, clip, 1) == 2) base = get(t, sum(clip, 9), 4);
      for (uint32_t i = 0; i < 4; i++) box[i] = get_signed(t, sum(clip, 1 + 2 * i), 2) + delta(t, base, i);
      return true;
    }
  }
  return false;
}

// Returns the fields of a paint behind its format. P: a paint, T: a transform, L: a colour line, I: the index of a
// glyph or a colour, w: units, u: units that are not negative, f: a fraction. A paint that varies ends with the number
// of its first delta.
static const char *fields_of(uint32_t kind) {
  switch (kind) {
    case SJ_COLR_SOLID: return "If";
    case SJ_COLR_LINEAR: return "Lwwwwww";
    case SJ_COLR_RADIAL: return "Lwwuwwu";
    case SJ_COLR_SWEEP: return "Lwwff";
    case SJ_COLR_GLYPH: return "PI";
    case SJ_COLR_COLR_GLYPH: return "I";
    case SJ_COLR_TRANSFORM: return "PT";
    case SJ_COLR_TRANSLATE: return "Pww";
    case SJ_COLR_SCALE: return "Pff";
    case SJ_COLR_SCALE_ABOUT: return "Pffww";
    case SJ_COLR_SCALE_UNIFORM: return "Pf";
    case SJ_COLR_SCALE_UNIFORM_ABOUT: return "Pfww";
    case SJ_COLR_ROTATE: return "Pf";
    case SJ_COLR_ROTATE_ABOUT: return "Pfww";
    case SJ_COLR_SKEW: return "Pff";
    case SJ_COLR_SKEW_ABOUT: return "Pffww";
    default: return NULL;
  }
}

static void read_transform(sj_colr *t, uint32_t at, bool varies, sj_colr_paint *out) {
  uint32_t base = varies ? get(t, sum(at, 24), 4) : NO_VARIATION;
  for (uint32_t i = 0; i < 6; i++) out->values[i] = (get_signed(t, sum(at, 4 * i), 4) + delta(t, base, i)) / 65536.0;
}

static bool read_fields(sj_colr *t, uint32_t paint, uint32_t format, sj_colr_paint *out) {
  const char *fields = fields_of(out->kind);
  uint32_t at = sum(paint, 1), count = 0;
  double units[6];
  bool varies = format != out->kind;
  if (!fields) return false;
  for (const char *f = fields; *f; f++) {
    if (*f == 'P') {
      out->paint = follow(t, paint, at, 3);
    } else if (*f == 'L') {
      out->line = follow(t, paint, at, 3);
      out->line_varies = varies;
    } else if (*f == 'T') {
      read_transform(t, follow(t, paint, at, 3), varies, out);
      return !t->broken;
    } else if (*f == 'I') {
      out->index = get(t, at, 2);
    } else {
      units[count] = *f == 'f' ? 16384.0 : 1.0;
      out->values[count++] = *f == 'u' ? (double)get(t, at, 2) : get_signed(t, at, 2);
    }
    at = sum(at, *f == 'P' || *f == 'L' ? 3 : 2);
  }
  uint32_t base = varies ? get(t, at, 4) : NO_VARIATION;
  for (uint32_t i = 0; i < count; i++) out->values[i] = (out->values[i] + delta(t, base, i)) / units[i];
  return !t->broken;
}

bool sj_colr_read(sj_colr *t, uint32_t paint, sj_colr_paint *out) {
  uint32_t format = paint ? get(t, paint, 1) : 0;
  bool can_vary = format > SJ_COLR_LAYERS && format != SJ_COLR_COLR_GLYPH && format < SJ_COLR_COMPOSITE;
  *out = (sj_colr_paint){.kind = can_vary ? format & ~1u : format};
  if (t->broken) return false;
  switch (format) {
    case SJ_COLR_LAYERS:
      out->count = get(t, sum(paint, 1), 1);
      out->index = get(t, sum(paint, 2), 4);
      return !t->broken;
    case SJ_COLR_COMPOSITE:
      out->paint = follow(t, paint, sum(paint, 1), 3);
      out->mode = get(t, sum(paint, 4), 1);
      out->backdrop = follow(t, paint, sum(paint, 5), 3);
      return !t->broken;
    default: return read_fields(t, paint, format, out);
  }
}

uint32_t sj_colr_stops(sj_colr *t, uint32_t line, uint32_t *extend) {
  *extend = line ? get(t, line, 1) : 0;
  return line ? get(t, sum(line, 1), 2) : 0;
}

sj_colr_stop sj_colr_stop_at(sj_colr *t, uint32_t line, bool varies, uint32_t index) {
  uint32_t at = sum(line, 3 + (varies ? 10 : 6) * (uint64_t)index),
           base = varies ? get(t, sum(at, 6), 4) : NO_VARIATION;
  return (sj_colr_stop){.offset = (get_signed(t, at, 2) + delta(t, base, 0)) / 16384.0,
                        .color = get(t, sum(at, 2), 2),
                        .alpha = (get_signed(t, sum(at, 4), 2) + delta(t, base, 1)) / 16384.0};
}
