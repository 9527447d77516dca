#include "text/shaper.h"

#include <string.h>

#include "base/budget.h"
#include "libraries/harfbuzz.h"
#include "text/shaping_memory.h"

#define MAX_PLANS 32
#define MAX_PLAN_BYTES ((size_t)16 << 20)  // beyond the first plan
#define WORK_PLAN 20000
#define WORK_A_BYTE 0.5  // of a plan: a lookup of it, which is sorted, counts as 32

// What a plan has been made for.
typedef struct plan {
  hb_segment_properties_t properties;
  unsigned feature_count;
  hb_feature_t features[];
} plan;

typedef struct sj_shaper {
  sj_tables tables;
  hb_font_t *font;
  unsigned users;  // those who shape with it, and the face as long as new users may come
  plan *plans[MAX_PLANS];
  unsigned plan_count;
  size_t plan_bytes, reserved;  // for one plan; for all of them
} sj_shaper;

// --- the font library's lock is held ---

static void let_go(sj_face *face, sj_shaper *s) {
  if (!s || --s->users) return;
  hb_font_destroy(s->font);
  sj_tables_close(&s->tables);
  for (unsigned i = 0; i < s->plan_count; i++) sj_free(face->library->context, s->plans[i]);
  sj_budget_release(face->library->context, s->reserved);
  sj_free(face->library->context, s);
}

void sj_shaper_finish(sj_face *face) {
  let_go(face, face->shaper);
  face->shaper = NULL;
}

// Makes a shaper. Returns NULL when memory is short.
static sj_shaper *make(sj_face *face) {
  sj_shaper *s = sj_font_alloc(face->library, sizeof *s);
  if (!s) return NULL;
  s->users = 1;
  if (!sj_tables_open(&s->tables, face)) {
    sj_free(face->library->context, s);
    return NULL;
  }
  s->font = sj_tables_font(&s->tables);
  unsigned count;
  const int *coordinates = hb_font_get_var_coords_normalized(face->hb, &count);
  if (count) hb_font_set_var_coords_normalized(s->font, coordinates, count);
  hb_font_make_immutable(s->font);
  // HarfBuzz asks for the tables that it makes plans from, so that it is known what a plan takes.
  hb_ot_layout_table_get_lookup_count(s->tables.hb_face, HB_OT_TAG_GSUB);
  hb_ot_layout_table_get_lookup_count(s->tables.hb_face, HB_OT_TAG_GPOS);
  hb_aat_layout_has_substitution(s->tables.hb_face);
  hb_aat_layout_has_positioning(s->tables.hb_face);
  s->plan_bytes = SJ_PLAN_BYTES + s->tables.plan_bytes;
  if (hb_font_get_face(s->font) == s->tables.hb_face && !face->starved) return s;
  sj_font_refused(face->library);  // HarfBuzz had no memory, and returned its empty font
  let_go(face, s);
  return NULL;
}

static bool has_plan(const sj_shaper *s, const hb_segment_properties_t *properties, const hb_feature_t *features,
                     unsigned count) {
  for (unsigned i = s->plan_count; i > 0; i--) {
    const plan *p = s->plans[i - 1];
    if (p->properties.direction == properties->direction && p->properties.script == properties->script &&
        p->properties.language == properties->language && p->feature_count == count &&
        (!count || memcmp(p->features, features, count * sizeof *features) == 0))
      return true;
  }
  return false;
}

// Makes room for one more plan. Returns false when memory is short.
static bool add_plan(sj_face *face, sj_shaper *s, const hb_segment_properties_t *properties,
                     const hb_feature_t *features, unsigned count) {
  if (!sj_font_reserve(face->library, s->plan_bytes)) return false;
  s->reserved += s->plan_bytes;
  plan *p = sj_font_alloc(face->library, sizeof *p + count * sizeof *features);
  if (!p) return false;
  p->properties = *properties;
  p->feature_count = count;
  if (count) memcpy(p->features, features, count * sizeof *features);
  s->plans[s->plan_count++] = p;
  return true;
}

// Returns a shaper with room for the plan, which let_go gives back. *work becomes what making the plan is charged.
static sj_shaper *find(sj_face *face, const hb_segment_properties_t *properties, const hb_feature_t *features,
                       unsigned count, uint64_t *work) {
  if (!face->shaper) face->shaper = make(face);
  if (!face->shaper) return NULL;
  if (!has_plan(face->shaper, properties, features, count)) {
    size_t bytes = face->shaper->plan_bytes;
    bool full = face->shaper->plan_count == MAX_PLANS || face->shaper->reserved + bytes > MAX_PLAN_BYTES ||
                bytes > sj_budget_memory_left(face->library->context);
    if (full && face->shaper->plan_count) {
      sj_shaper_finish(face);
      if (!(face->shaper = make(face))) return NULL;
    }
    if (!add_plan(face, face->shaper, properties, features, count)) return NULL;
    *work += WORK_PLAN + (uint64_t)((double)face->shaper->plan_bytes * WORK_A_BYTE);
  }
  face->shaper->users++;
  return face->shaper;
}

// --- any thread ---

bool sj_shaper_shape(sj_face *face, stijl_context *context, hb_buffer_t *buffer, uint32_t characters,
                     const hb_feature_t *features, unsigned feature_count) {
  hb_segment_properties_t properties;
  hb_buffer_get_segment_properties(buffer, &properties);
  uint64_t work = 0;
  pthread_mutex_lock(&face->library->lock);
  sj_shaper *s = find(face, &properties, features, feature_count, &work);
  size_t bytes = s ? sj_shaping_bytes(characters, s->tables.multiplies) : 0;
  pthread_mutex_unlock(&face->library->lock);
  if (!s) return false;
  bool good = sj_context_check(context, work) && sj_budget_reserve(context, bytes);
  if (good) {
    hb_shape(s->font, buffer, features, feature_count);
    sj_budget_release(context, bytes);
  }
  pthread_mutex_lock(&face->library->lock);
  let_go(face, s);
  pthread_mutex_unlock(&face->library->lock);
  return good;
}
