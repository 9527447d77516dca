// What the files share that make items of the plan of a filter: filter_items.c step by step, filter_program.c for steps
// that are instructions, filter_axes.c for blurs and morphology, and filter_item.c for items and words themselves.
// Functions that return bool are false when memory is out, or when a filter is too large for the device.
#ifndef SJ_GPU_FILTER_ITEMS_H
#define SJ_GPU_FILTER_ITEMS_H

#include "gpu/places.h"

// A filter whose items are being made.
typedef struct sj_filter_items {
  stijl_context *context;
  const sj_filter_plan *plan;
  sj_places *out;
  sj_moment begin;         // of the level
  uint32_t surface;        // of the result
  uint32_t *place, *data;  // of each step: the place it is in, and the words that its instruction refers to
  bool *stored;            // of each step: its pixels have a place; else they are computed when they are read
  uint8_t *depth;          // of each step: pixels on the stack that its instructions need
  bool shares;             // some words that it added are for other filters, too
  uint32_t blurred;        // 1 + the item of a small blur that only one step reads; 0: there is none
} sj_filter_items;

static inline const sj_filter_step *sj_items_step(const sj_filter_items *items, uint32_t index) {
  return &items->plan->steps.data[index];
}
// Returns the step that is input `i`; SJ_FILTER_NO_STEP where there is none.
static inline uint32_t sj_items_input(const sj_filter_items *items, const sj_filter_step *step, uint32_t i) {
  return i < step->input_count ? items->plan->inputs.data[step->input + i] : SJ_FILTER_NO_STEP;
}
// Returns whether a step needs only one pixel of each input for a pixel of its own, so that it can be instructions.
static inline bool sj_items_is_point(sj_filter_kind kind) {
  return sj_filter_traits_of[kind].reads == SJ_FILTER_READS_POINT;
}

// --- filter_item.c ---

bool sj_items_add_words(sj_filter_items *items, const void *words, size_t count);
// Adds words that the filters before may have added already, which then are not written again; *at is where they are.
bool sj_items_share_words(sj_filter_items *items, const void *words, uint32_t count, uint32_t *at);
// Notes that a word, or the four words of a box, depend on where the filter is, for copies of it (filter_copy.c).
bool sj_items_note(sj_filter_items *items, uint32_t word, sj_note_kind kind);
bool sj_items_note_box(sj_filter_items *items, uint32_t word);
// Adds the words of a picture, whose base is set once all places have memory.
bool sj_items_add_picture(sj_filter_items *items, const sj_source *source);

// An item that is being prepared.
typedef struct sj_item_draft {
  uint32_t kind, word, flags;
  sj_source from;
  uint32_t to;
  size_t fixups;  // pictures that were added from here on are the item's
  int part;       // of blurs by boxes: the places of a workgroup
} sj_item_draft;

// Begins an item of this kind, whose words come next.
sj_item_draft sj_items_begin_item(const sj_filter_items *items, uint32_t kind);
// Adds the item, to draw a place once all that it reads is there.
bool sj_items_add_item(sj_filter_items *items, const sj_item_draft *item);

// --- filter_program.c ---

// Adds an item of instructions that draw a step into the place `to`, in the colour space asked for. `flags` may have
// G_ITEM_TO_SRGB.
bool sj_items_add_program(sj_filter_items *items, uint32_t index, bool linear, uint32_t to, uint32_t flags);
// Finds a place with the pixels of a step in the colour space asked for. Where there is none yet, adds one and the item
// that draws it.
bool sj_items_get_source(sj_filter_items *items, uint32_t index, bool linear, sj_source *out);
// Finds the place that an item draws a step into, and its flags: the filter's result is stored as sRGB.
bool sj_items_begin_output(sj_filter_items *items, uint32_t index, uint32_t *place, uint32_t *flags);

// --- filter_axes.c ---

// Adds a blur or morphology: one item for a small blur; else items along the rows, into a picture that has all rows
// that are read, and then along its columns.
bool sj_items_add_axes(sj_filter_items *items, uint32_t index);

#endif
