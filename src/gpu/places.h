// The surfaces of a frame that the device draws itself, and what filters make of them: where each picture is among the
// texels, and for how long. Filters become items (gpu/filter_layout.h), many of which one dispatch draws.
#ifndef SJ_GPU_PLACES_H
#define SJ_GPU_PLACES_H

#include "gpu/filter_layout.h"
#include "gpu/layout.h"
#include "gpu/records.h"
#include "scene/encode.h"

// When something is drawn: level << 32 | order within the level. A level consists of passes that need nothing of one
// another, after those of lower levels; what has the same moment is drawn side by side.
typedef uint64_t sj_moment;
#define SJ_NEVER_FREE UINT64_MAX
static inline uint64_t sj_level_of(sj_moment moment) { return moment >> 32; }

#define SJ_NO_PLACE UINT32_MAX

typedef struct sj_place {
  stijl_irect box;
  uint32_t stride;  // pixels
  uint64_t texels;
  uint32_t first;        // texel; known once all is planned
  sj_moment from, last;  // when it is drawn first, and read last
  uint32_t level;        // while planning: the level of the last pass so far that draws it
  uint32_t sheet;        // the place it is a part of, beginning at (x, y) in that; or SJ_NO_PLACE
  uint32_t x, y;
  bool unused;  // it needs no texels
} sj_place;

// Small surfaces that the stages draw together.
typedef struct sj_sheet {
  uint32_t place;
  uint32_t level;
  uint32_t first, end;  // of sj_places.sheet_passes
} sj_sheet;

// A picture that is read, moved by whole pixels and cut to a box.
typedef struct sj_source {
  uint32_t place;
  int x, y;
  stijl_irect box;
  bool alpha;  // black: only its alpha counts
} sj_source;

typedef struct sj_filter_item {
  sj_moment moment;
  uint32_t kind;  // G_ITEM_*
  uint32_t groups;
  sj_source from;
  uint32_t to;
  g_item item;
} sj_filter_item;

// Where words have a picture whose base is not known yet.
typedef struct sj_fixup {
  uint32_t word;
  sj_source source;
} sj_fixup;

// A place or an item, by when it is drawn or when it is free again.
typedef struct sj_due {
  sj_moment moment;
  uint32_t place;
} sj_due;
typedef SJ_ARRAY(sj_due) sj_due_list;

// Items that one dispatch draws: those of one kind and moment.
typedef struct sj_filter_run {
  sj_moment moment;
  uint32_t kind, groups;
  uint32_t first, end;  // of sj_places.item_order
} sj_filter_run;

// A block of texels that nobody has.
typedef struct sj_free_place {
  uint32_t first, next;  // the latter in its list, + 1
  uint64_t texels;
} sj_free_place;

enum { SJ_FREE_LISTS = 40, SJ_SHARED_WORDS = 8 };

// Words that several items refer to, among those that were written last.
typedef struct sj_shared_words {
  uint32_t word, count;
} sj_shared_words;

#define SJ_MOST_WORDS ((size_t)1 << 24)

// A word that depends on where a filter is: a place along an axis, or another word's index.
typedef enum sj_note_kind { SJ_NOTE_X, SJ_NOTE_Y, SJ_NOTE_WORD } sj_note_kind;
typedef struct sj_word_note {
  uint32_t word;
  sj_note_kind kind;
} sj_word_note;

// How many of each there are.
typedef struct sj_filter_ends {
  uint32_t words, notes, fixups, items, places;
} sj_filter_ends;

// What a filter has come to, to be copied for others that have its plan.
typedef struct sj_filter_template {
  bool made;
  sj_filter_use use;
  uint32_t surface;       // of its result
  sj_moment moment;       // of its level
  sj_moment source_read;  // when its source is read last; 0: never
  sj_filter_ends begin, end;
} sj_filter_template;

typedef struct sj_places {
  SJ_ARRAY(sj_place) places;  // the scene's surfaces, then what filters need between
  SJ_ARRAY(sj_filter_item) items;
  SJ_ARRAY(uint32_t) item_order;
  SJ_ARRAY(sj_filter_run) filter_runs;
  SJ_ARRAY(uint32_t) words;
  SJ_ARRAY(sj_fixup) fixups;
  SJ_ARRAY(sj_word_note) notes;
  SJ_ARRAY(sj_filter_template) templates;  // by the scene's plans
  sj_shared_words shared[SJ_SHARED_WORDS];
  uint32_t shared_next;       // the one that is forgotten next
  SJ_ARRAY(uint32_t) levels;  // of each pass
  SJ_ARRAY(uint32_t) order;   // passes, by their levels
  uint32_t level_count;
  SJ_ARRAY(sj_sheet) sheets;        // by their levels
  SJ_ARRAY(uint32_t) sheet_passes;  // the passes of each, in their order
  uint64_t texels;                  // up to the end of the last
  // For planning.
  sj_due_list begins, ends, sorting;
  SJ_ARRAY(sj_free_place) free;
  sj_filter_steps steps;          // of the filter at work
  uint32_t lists[SJ_FREE_LISTS];  // of `free`, by the logarithm of their sizes; + 1
} sj_places;

// How much room there is, in texels: where the surfaces may begin, where the texels have to end, and how many surfaces
// may have at a time.
typedef struct sj_places_limits {
  uint64_t first, end, most;
  uint32_t align;  // texels between which bindings may begin
} sj_places_limits;

// Plans a frame. Returns false where the device cannot draw its surfaces: they do not fit, a filter has something for
// which there is no kernel, or memory is out.
bool sj_places_plan(stijl_context *context, const sj_encoded *scene, const sj_places_limits *limits, sj_places *out);
void sj_places_finish(stijl_context *context, sj_places *places);

// Adds a place; SJ_NO_PLACE when memory is out.
uint32_t sj_places_add(stijl_context *context, sj_places *places, stijl_irect box);

// Adds the items of a pass with a filter, on `level` (filter_items.c). Returns false as above.
bool sj_items_add(stijl_context *context, const sj_encoded *scene, const k_pass *pass, uint32_t level, sj_places *out);

// Adds the same as a copy of the template (filter_copy.c). *copied comes out false where that does not fit. Returns
// false as above.
bool sj_items_copy(stijl_context *context, const sj_filter_template *from, const sj_filter_use *use, uint32_t surface,
                   sj_moment begin, sj_places *out, bool *copied);

// --- What the plan comes to, whichever API dispatches it (surfaces.c) ---

// Collects the draws of all passes of a sheet, moved to where their surfaces are on it, and the origin of each. *depth
// becomes how many layers are open at a time, at most. Returns false when memory is out.
bool sj_sheet_draws(stijl_context *context, const sj_encoded *scene, const sj_places *places, const sj_sheet *sheet,
                    sj_draw_list *draws, sj_origin_list *origins, uint32_t *depth);

// Writes all items, in the order of `filter_runs`.
void sj_items_write(const sj_places *places, g_item *out);
// Returns the parameters of a run's dispatch.
static inline g_filter_params sj_run_params(const sj_filter_run *run) {
  return (g_filter_params){.item = run->first, .items = run->end - run->first, .groups = run->groups};
}

#endif
