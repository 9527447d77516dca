#include "text/shaping_memory.h"

#define TAG(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

// HarfBuzz (hb-ot-layout-gsubgpos.hh, hb-ot-map.hh, hb-aat-layout-common.hh) has an accelerator for each lookup, with
// some pointers and digests for each subtable of it, and, in version 11, with caches for pairs and ligatures. A plan
// lists the lookups of its features, in arrays that grow by half.
#define LOOKUP_BYTES 128
#define SUBTABLE_BYTES 192
#define CACHED_SUBTABLE_BYTES 2048
#define PLANNED_LOOKUP_BYTES 32
// For a subtable of Apple's tables, HarfBuzz 10 keeps three sets of glyphs, of up to 65,536 bits in pages.
#define AAT_SUBTABLE_BYTES (30 << 10)
#define AAT_CHAIN_BYTES 128
// The largest number of things that are looked at in a table. No font has nearly as many.
#define MAX_STEPS (1u << 20)

typedef struct table {
  const unsigned char *data;
  size_t bytes;
  bool substitutes;  // it is GSUB
  uint32_t steps;
} table;

// Reads big-endian numbers. Beyond the end there are zeros, as HarfBuzz has them.
static uint32_t get16(const table *t, size_t at) {
  return t->bytes >= 2 && at <= t->bytes - 2 ? (uint32_t)t->data[at] << 8 | t->data[at + 1] : 0;
}

static uint32_t get32(const table *t, size_t at) { return get16(t, at) << 16 | get16(t, at + 2); }

// Adds up subtables of all lookups. Several lookups may share one table, but HarfBuzz has accelerators for each.
static void add_lookups(table *t, size_t list, sj_table_memory *out) {
  uint32_t count = get16(t, list), multiple = 2, extension = t->substitutes ? 7 : 9, cached = t->substitutes ? 4 : 2;
  out->face += (size_t)count * LOOKUP_BYTES;
  for (uint32_t i = 0; i < count; i++) {
    size_t lookup = list + get16(t, list + 2 + 2 * (size_t)i);
    uint32_t type = get16(t, lookup), subtables = get16(t, lookup + 4);
    // Extensions are all of one type.
    if (type == extension && subtables) type = get16(t, lookup + get16(t, lookup + 6) + 2);
    out->face += (size_t)subtables * (type == cached ? CACHED_SUBTABLE_BYTES : SUBTABLE_BYTES);
    out->multiplies |= t->substitutes && type == multiple;
  }
  t->steps += count;
}

// Adds the lookups that a plan may list: those of each feature, once for a tag. Tags are sorted, so that the same ones
// follow each other.
static void add_features(table *t, size_t list, sj_table_memory *out) {
  uint32_t count = get16(t, list), most = 0, required = 0;
  size_t lookups = 0;
  for (uint32_t i = 0; i < count; i++) {
    size_t record = list + 2 + 6 * (size_t)i;
    uint32_t own = get16(t, list + get16(t, record + 4) + 2);
    if (own > most) most = own;
    if (own > required) required = own;
    if (i + 1 < count && get32(t, record) == get32(t, record + 6)) continue;
    lookups += most;
    most = 0;
  }
  t->steps += count;
  out->plan += (lookups + required) * PLANNED_LOOKUP_BYTES;
}

// Adds what feature variations put in place of features. One of their records is in force at a time.
static void add_variations(table *t, size_t at, sj_table_memory *out) {
  uint32_t count = get32(t, at + 4);
  size_t most = 0;
  for (uint32_t i = 0; i < count && t->steps < MAX_STEPS; i++) {
    size_t record = at + 8 + 8 * (size_t)i, list = at + get32(t, record + 4), lookups = 0;
    if (record >= t->bytes) break;
    uint32_t substitutions = get16(t, list + 4);
    for (uint32_t k = 0; k < substitutions && t->steps < MAX_STEPS; k++, t->steps++)
      lookups += get16(t, list + get32(t, list + 6 + 6 * (size_t)k + 2) + 2);
    t->steps++;
    if (lookups > most) most = lookups;
  }
  out->plan += most * PLANNED_LOOKUP_BYTES;
}

static bool add_layout(table *t, sj_table_memory *out) {
  if (get16(t, 0) != 1) return false;
  add_features(t, get16(t, 6), out);
  add_lookups(t, get16(t, 8), out);
  if (get16(t, 2) && get32(t, 10)) add_variations(t, get32(t, 10), out);
  return true;
}

// Chains of subtables: morx, whose numbers have 32 bits, and mort.
static void add_chains(table *t, bool wide, sj_table_memory *out) {
  uint32_t chains = get32(t, 4);
  size_t at = 8;
  for (uint32_t i = 0; i < chains && at < t->bytes && t->steps < MAX_STEPS; i++, t->steps++) {
    uint32_t length = get32(t, at + 4), subtables = wide ? get32(t, at + 12) : get16(t, at + 10);
    // Each takes a header of 8 bytes, so that a table cannot have more of them than bytes allow.
    if (subtables > t->bytes / 8) subtables = (uint32_t)(t->bytes / 8);
    out->face += (size_t)subtables * AAT_SUBTABLE_BYTES;
    out->plan += AAT_CHAIN_BYTES;
    if (length < 12) break;
    at += length;
  }
  out->multiplies = true;  // subtables may insert glyphs
}

static void add_kerning(table *t, bool extended, sj_table_memory *out) {
  uint32_t subtables = extended || get16(t, 0) ? get32(t, 4) : get16(t, 2);
  if (subtables > t->bytes / 6) subtables = (uint32_t)(t->bytes / 6);
  out->face += (size_t)subtables * AAT_SUBTABLE_BYTES;
}

bool sj_table_memory_of(uint32_t tag, const unsigned char *data, size_t bytes, sj_table_memory *out) {
  table t = {.data = data, .bytes = bytes, .substitutes = tag == TAG('G', 'S', 'U', 'B')};
  bool good = true;
  // HarfBuzz copies a table when it has to correct it.
  *out = (sj_table_memory){.face = bytes};
  switch (tag) {
    case TAG('G', 'S', 'U', 'B'):
    case TAG('G', 'P', 'O', 'S'): good = add_layout(&t, out); break;
    case TAG('m', 'o', 'r', 'x'): add_chains(&t, true, out); break;
    case TAG('m', 'o', 'r', 't'): add_chains(&t, false, out); break;
    case TAG('k', 'e', 'r', 'x'): add_kerning(&t, true, out); break;
    case TAG('k', 'e', 'r', 'n'): add_kerning(&t, false, out); break;
    default: break;
  }
  return good && t.steps < MAX_STEPS;
}

size_t sj_shaping_bytes(uint32_t characters, bool multiplies) {
  // HarfBuzz (hb-limits.hh) lets a text grow to 64 times its length, or 16,384 glyphs, if that is more. Unless the font
  // says so, only normalisation, marks without a base and split vowels make it longer, by less than 8 times. A glyph
  // takes 40 bytes in a buffer's two arrays, which grow by half.
  size_t glyphs = (size_t)characters * (multiplies ? 64 : 8);
  if (multiplies && glyphs < 16384) glyphs = 16384;
  return (glyphs + 64) * 60;
}
