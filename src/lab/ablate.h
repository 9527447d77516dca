// Ablation: a shader is compiled and timed with statements left out, singly and in sets, to find what costs time merely
// by being there.
#ifndef SJ_LAB_ABLATE_H
#define SJ_LAB_ABLATE_H

#include "lab/cases.h"
#include "lab/harness.h"

// --- Which lines can be left out (cuts.c) ---

// The lines from `first` to `last`, numbered from 1, of one statement and of the block behind it if it has one.
typedef struct sj_lab_cut {
  uint32_t first, last;
} sj_lab_cut;

// Finds the statements in function bodies that have lines of their own, up to `most` of them, and returns how many. It
// skips those without which a loop might not end: assignments to anything that a loop's head names, and statements that
// hold a break or a return but not the loop that it ends.
uint32_t sj_lab_find_cuts(const char *text, size_t bytes, sj_lab_cut *out, uint32_t most);
// Overwrites the lines of a cut with blanks, so that all other lines keep their numbers.
void sj_lab_cut_out(char *text, size_t bytes, sj_lab_cut cut);

// Adds the text to `out`, changed so that an invocation leaves every loop once it has taken so many turns in all its
// loops together. Returns false when memory is short.
bool sj_lab_guard_loops(sj_lab_text *out, const char *text, size_t bytes, uint32_t turns);

// Adds the text to `out` with a new main around its own, which counts workgroups in a buffer of three words: how many
// are at work now, the most at a time so far, and how many there have been. Returns false when memory is short.
bool sj_lab_count_groups(sj_lab_text *out, const char *text, size_t bytes, uint32_t binding);

// --- What is ablated ---

typedef enum sj_lab_outcome {
  SJ_LAB_OUTCOME_SAME,     // the same result as the whole shader
  SJ_LAB_OUTCOME_ANOTHER,  // another result
  SJ_LAB_OUTCOME_REFUSED,  // the version does not compile
  SJ_LAB_OUTCOME_LOST      // the device is lost, or does not answer in time
} sj_lab_outcome;

// A shader, and the functions that compile, run and time versions of it. A version is put into a slot; slot 0 has the
// whole shader.
typedef struct sj_lab_subject {
  const char *name;
  const char *text;  // GLSL; NULL for SPIR-V, which has no lines to leave out
  size_t bytes;
  uint32_t first, last;         // the lines whose statements are tried; 0: all
  uint32_t slots;               // how many there are, 2 to SJ_LAB_MAX_SLOTS
  double seconds;               // for trying single statements; sets get up to three quarters more; 0: 60
  const char *const *features;  // names of what else can be changed, such as constants
  uint32_t feature_count;
  void *user;
  // Compiles GLSL; returns STIJL_ERROR_MALFORMED where it does not compile. The caller frees out->words.
  stijl_result (*compile)(void *user, const char *text, size_t bytes, sj_vk_shader *out);
  // Makes a version of `shader` (NULL: the whole one) and runs it once. The shader must stay as it is until the slot is
  // cleared. `feature` is the index of the one that is changed, -1 for none. The outcome compares with what slot 0 left
  // last; for slot 0 itself it is SJ_LAB_OUTCOME_SAME.
  stijl_result (*put)(void *user, uint32_t slot, const sj_vk_shader *shader, int feature, sj_lab_outcome *outcome);
  // Adds what can be said about the whole shader, given its time, to the verdict. May be NULL.
  void (*describe)(void *user, const sj_lab_estimate *whole);
  void (*clear)(void *user, uint32_t slot);  // does nothing for an empty slot
  // Times the versions in slots 0 to count - 1 in turns, so that changes of the clock meet all of them.
  stijl_result (*time)(void *user, uint32_t count, sj_lab_estimate *out);
} sj_lab_subject;

enum { SJ_LAB_MAX_SLOTS = 60 };

// Leaves out one statement at a time, then together all those that the result does not need. Where these cost time and
// no single one of them does, it searches by bisection for the smallest set that costs as much (Zeller, Hildebrandt:
// "Simplifying and Isolating Failure-Inducing Input", 2002). Writes its findings to the lab's page.
stijl_result sj_lab_ablate(sj_lab *lab, const sj_lab_subject *subject);

// The workgroups that are tried: lanes in x and in y (workgroup.c).
#define SJ_LAB_ONE_(x, y) +1
enum { SJ_LAB_SHAPES = 0 SJ_LAB_WORKGROUPS(SJ_LAB_ONE_) };
extern const uint32_t sj_lab_workgroup_shapes[SJ_LAB_SHAPES][2];

// Counts how many workgroups of the kernel in a user's manifest are at work at a time (workgroup_kernel.c).
stijl_result sj_lab_count_kernel(sj_lab *lab, const char *manifest);
// Times that kernel with workgroups of other shapes.
stijl_result sj_lab_sweep_kernel(sj_lab *lab, const char *manifest);

// Returns whether `file` names a stage of the renderer: by its source file, such as shaders/fine.comp, or by lines of
// it, such as shaders/fine.comp:100-140 (ablate_stage.c). The second function tells what the statements there cost.
bool sj_lab_is_stage(const char *file);
stijl_result sj_lab_ablate_stage(sj_lab *lab, const char *file);

#endif
