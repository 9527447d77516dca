// Unicode's bidirectional algorithm (UAX 9), by FriBidi.
#include "text/bidi.h"

#include <string.h>

#include "base/budget.h"
#include "libraries/fribidi.h"

// UAX 9, BD2. FriBidi has room for one isolate less, at levels of alternating directions.
#define MAX_LEVEL 125
#define MAX_ISOLATES 124

// Opens FriBidi. Without it all characters get the paragraph's direction, and the log a warning.
static bool open_fribidi(stijl_context *context) {
  stijl_message message;
  if (sj_open_fribidi(&message) == STIJL_OK) return true;
  sj_log(context, STIJL_LOG_WARNING, "text of two directions is not reordered: %s", message.text);
  return false;
}

// Returns how many bytes FriBidi allocates at most, which has no allocator of its users': a node of a list for each run
// of one type (64 bytes, and another one while marks of embedding are taken out) and for each bracket (24 bytes).
static size_t fribidi_bytes(const FriBidiCharType *types, const FriBidiBracketType *brackets, uint32_t count) {
  size_t runs = 2, pairs = 0;
  for (uint32_t i = 0; i < count; i++) {
    runs += !i || types[i] != types[i - 1] || brackets[i] || FRIBIDI_IS_ISOLATE(types[i]);
    pairs += brackets[i] != 0;
  }
  return runs * 2 * 96 + pairs * 64;
}

// The embeddings and isolates that are open (UAX 9, X1 to X8).
typedef struct open_levels {
  uint32_t level[MAX_LEVEL + 2];  // at most, since what an FSI stands for is not looked up
  bool isolate[MAX_LEVEL + 2];
  uint32_t top, isolates, excess_embeddings, excess_isolates;
} open_levels;

// Opens an embedding or an isolate, unless it would be too deep.
static bool open_level(open_levels *o, FriBidiCharType type, bool isolate) {
  uint32_t level = o->level[o->top], odd = FRIBIDI_DIR_TO_LEVEL(type);
  uint32_t next = type == FRIBIDI_TYPE_FSI   ? level + 2
                  : type == FRIBIDI_TYPE_LRI ? (level + 2) & ~1u
                  : type == FRIBIDI_TYPE_RLI ? (level + 1) | 1u
                                             : ((level + odd + 2) & ~1u) - odd;
  if (o->excess_isolates || o->excess_embeddings || next > MAX_LEVEL || (isolate && o->isolates == MAX_ISOLATES)) {
    if (isolate)
      o->excess_isolates++;
    else if (!o->excess_isolates)
      o->excess_embeddings++;
    return false;
  }
  o->isolates += isolate;
  o->level[++o->top] = next;
  o->isolate[o->top] = isolate;
  return true;
}

static void close_embedding(open_levels *o) {
  if (o->excess_isolates) return;
  if (o->excess_embeddings)
    o->excess_embeddings--;
  else if (o->top && !o->isolate[o->top])
    o->top--;
}

static void close_isolate(open_levels *o) {
  if (!o->isolates) return;
  o->excess_embeddings = 0;
  while (!o->isolate[o->top]) o->top--;
  o->top--;
  o->isolates--;
}

// Isolates that are too deep have no effect, so that they and their ends are made neutral characters: FriBidi counts
// them wrong, and reads and writes beyond its arrays.
static void flatten_isolates(FriBidiCharType *types, uint32_t count, uint32_t base_level) {
  open_levels o = {.level = {base_level}};
  for (uint32_t i = 0; i < count && types[i] != FRIBIDI_TYPE_BS; i++) {
    FriBidiCharType type = types[i];
    if (type == FRIBIDI_TYPE_PDI && o.excess_isolates) {
      o.excess_isolates--;
      types[i] = FRIBIDI_TYPE_ON;
    } else if (type == FRIBIDI_TYPE_PDI) {
      close_isolate(&o);
    } else if (FRIBIDI_IS_ISOLATE(type)) {
      if (!open_level(&o, type, true)) types[i] = FRIBIDI_TYPE_ON;
    } else if (type == FRIBIDI_TYPE_PDF) {
      close_embedding(&o);
    } else if (FRIBIDI_IS_EXPLICIT(type)) {
      open_level(&o, type, false);
    }
  }
}

bool sj_find_levels(stijl_context *context, const uint32_t *text, uint32_t count, sj_base_direction direction,
                    uint8_t *out, uint8_t *base_level) {
  bool plain = direction != SJ_BASE_RTL;
  for (uint32_t i = 0; i < count && plain; i++) plain = text[i] < 0x590;
  *base_level = direction == SJ_BASE_RTL;
  if (plain || !open_fribidi(context)) {
    memset(out, *base_level, count);
    return true;
  }
  FriBidiCharType *types = sj_alloc_array(context, count, sizeof *types);
  FriBidiBracketType *brackets = sj_alloc_array(context, count, sizeof *brackets);
  FriBidiLevel *levels = sj_alloc_array(context, count, sizeof *levels);
  bool good = types && brackets && levels;
  if (good) {
    FriBidiParType base = direction == SJ_BASE_LTR   ? FRIBIDI_PAR_LTR
                          : direction == SJ_BASE_RTL ? FRIBIDI_PAR_RTL
                                                     : FRIBIDI_PAR_ON;
    fribidi_get_bidi_types(text, (FriBidiStrIndex)count, types);
    fribidi_get_bracket_types(text, (FriBidiStrIndex)count, types, brackets);
    flatten_isolates(types, count, direction != SJ_BASE_LTR);
    size_t taken = fribidi_bytes(types, brackets, count);
    good = sj_budget_reserve(context, taken);
    if (good) {
      good = fribidi_get_par_embedding_levels_ex(types, brackets, (FriBidiStrIndex)count, &base, levels) != 0;
      sj_budget_release(context, taken);
    }
    *base_level = (uint8_t)(base == FRIBIDI_PAR_RTL || base == FRIBIDI_PAR_WRTL);
    for (uint32_t i = 0; i < count && good; i++) out[i] = (uint8_t)levels[i];
  }
  sj_free(context, types);
  sj_free(context, brackets);
  sj_free(context, levels);
  return good;
}

void sj_visual_order(const uint8_t *levels, uint32_t count, uint32_t *out) {
  uint8_t highest = 0, lowest_odd = 255;
  for (uint32_t i = 0; i < count; i++) {
    out[i] = i;
    if (levels[i] > highest) highest = levels[i];
    if (levels[i] % 2 && levels[i] < lowest_odd) lowest_odd = levels[i];
  }
  for (int level = highest; level >= lowest_odd; level--) {
    for (uint32_t i = 0; i < count; i++) {
      uint32_t end = i;
      while (end < count && levels[out[end]] >= level) end++;
      for (uint32_t a = i, b = end; a + 1 < b; a++) {
        uint32_t other = out[--b];
        out[b] = out[a];
        out[a] = other;
      }
      if (end > i) i = end;
    }
  }
}
