// Ablation: a shader with statements left out, singly and in sets, to find what costs by its mere presence.
#ifndef SJ_LAB_ABLATE_H
#define SJ_LAB_ABLATE_H

#include "lab/harness.h"

// --- Which lines can be left out (cuts.c) ---

// Lines first to last, numbered from 1: a statement, or one with the block behind it.
typedef struct sj_lab_cut {
  uint32_t first, last;
} sj_lab_cut;

// The statements in function bodies that stand in lines of their own, up to `most` of them. Left out are those without
// which a loop might not end: what assigns to something that a loop's head names, and what holds a break or a return,
// but no loop around it.
uint32_t sj_lab_find_cuts(const char *text, size_t bytes, sj_lab_cut *out, uint32_t most);
// Overwrites these lines with blanks, so that the others keep their numbers.
void sj_lab_cut_out(char *text, size_t bytes, sj_lab_cut cut);

// Adds the text, whose loops end once an invocation has taken so many turns in all of them together. False: out of
// memory.
bool sj_lab_guard_loops(sj_lab_text *out, const char *text, size_t bytes, uint32_t turns);

// Adds the text, whose main is called by another one that counts workgroups in a buffer: at work now, at most at a
// time, and all of them, three words. False: out of memory.
bool sj_lab_count_groups(sj_lab_text *out, const char *text, size_t bytes, uint32_t binding);

// --- What is ablated ---

typedef enum sj_lab_outcome {
  SJ_LAB_OUTCOME_SAME,     // it leaves what the whole shader leaves
  SJ_LAB_OUTCOME_ANOTHER,  // it leaves something else
  SJ_LAB_OUTCOME_REFUSED,  // it does not compile
  SJ_LAB_OUTCOME_LOST      // the device is lost by it, or does not answer in time
} sj_lab_outcome;

// The time of one run, and between which values the median is by 95 %.
typedef struct sj_lab_times {
  double us, low, high;
} sj_lab_times;

// A shader and what runs it. Versions of it are put into slots; slot 0 has the whole.
typedef struct sj_lab_subject {
  const char *name;
  const char *text;  // GLSL; NULL: it has no lines
  size_t bytes;
  uint32_t first, last;         // lines that are tried; 0: all
  uint32_t slots;               // that there are, 2 to SJ_LAB_MAX_SLOTS
  double seconds;               // for trying statements, and three quarters of it for sets of them; 0: 60
  const char *const *features;  // what can be changed besides: names
  uint32_t feature_count;
  void *user;
  // Compiles GLSL; STIJL_ERROR_MALFORMED where it does not compile. The engine frees out->words.
  stijl_result (*compile)(void *user, const char *text, size_t bytes, sj_vk_shader *out);
  // Makes a version and runs it once. `shader` NULL: that of the whole; it stays as it is until the slot is cleared.
  // What is put into slot 0 is what others are compared with, until something else is. `feature`: which is changed, -1
  // for none. The outcome for slot 0 is SJ_LAB_OUTCOME_SAME.
  stijl_result (*put)(void *user, uint32_t slot, const sj_vk_shader *shader, int feature, sj_lab_outcome *outcome);
  // Says what is to be said of the whole, which takes so long; NULL: nothing.
  void (*describe)(void *user, const sj_lab_times *whole);
  void (*clear)(void *user, uint32_t slot);  // good for an empty one
  // Times the versions in slots 0 to count - 1 in turns.
  stijl_result (*time)(void *user, uint32_t count, sj_lab_times *out);
} sj_lab_subject;

enum { SJ_LAB_MAX_SLOTS = 60 };

// Leaves out one statement at a time, then all that the result does not need together; where these cost, and no single
// one of them does, it looks for the smallest set that costs as much by bisection (Zeller, Hildebrandt: "Simplifying
// and Isolating Failure-Inducing Input", 2002). Writes what it finds.
stijl_result sj_lab_ablate(sj_lab *lab, const sj_lab_subject *subject);

// Lanes of a workgroup in x and in y (workgroup.c).
enum { SJ_LAB_SHAPES = 21 };
extern const uint32_t sj_lab_workgroup_shapes[SJ_LAB_SHAPES][2];

// A user's kernel by its manifest: how many of its workgroups are at work at a time (workgroup_kernel.c).
stijl_result sj_lab_count_kernel(sj_lab *lab, const char *manifest);
// And how long it takes by workgroups of other shapes.
stijl_result sj_lab_sweep_kernel(sj_lab *lab, const char *manifest);

// A stage of the renderer by its source, as shaders/fine.comp, or lines of it, as shaders/fine.comp:100-140
// (ablate_stage.c).
bool sj_lab_is_stage(const char *file);
stijl_result sj_lab_ablate_stage(sj_lab *lab, const char *file);

#endif
