// `lab spill` measures where a stack of 16 entries of three words is best kept, if each lane indexes it by numbers of
// its own.
#include <math.h>

#include "lab/variants.h"

enum { WAYS = 6, TURNS = 64, DEPTH = 16 };

// Computes in C what the kernel computes.
static uint32_t expected(const void *user, uint32_t lane) {
  uint32_t random = lane * 2654435761u + 1, depth = 0, sum = 0, stack[DEPTH][3];
  for (uint32_t t = 0; t < TURNS; t++) {
    random = random * 1664525u + 1013904223u;
    if (depth == 0 || (depth < DEPTH && random >> 31 == 0)) {
      stack[depth][0] = random;
      stack[depth][1] = random ^ t;
      stack[depth++][2] = sum;
    } else {
      depth--;
      sum = (sum ^ stack[depth][0]) * 31 + (stack[depth][1] ^ stack[depth][2]);
    }
  }
  return sum + depth;
}

static void say(sj_lab *lab, const sj_lab_variant *variants, const sj_lab_found *f) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < WAYS; i++)
    if (isfinite(f[i].us) && f[i].us < f[best].us) best = i;
  sj_lab_bar bars[WAYS];
  uint32_t shown = 0, worst = best;
  for (uint32_t i = 0; i < WAYS; i++) {
    if (!isfinite(f[i].us)) continue;
    if (f[i].us > f[worst].us) worst = i;
    // The faster one of each place.
    uint32_t other = i ^ 1;
    if (isfinite(f[other].us) && (f[other].us < f[i].us || (f[other].us == f[i].us && other < i))) continue;
    bars[shown++] = (sj_lab_bar){variants[i].name, f[i].us};
  }
  if (sj_lab_changed(SJ_LAB_ESTIMATE(f[worst]), SJ_LAB_ESTIMATE(f[best])) == SJ_LAB_FASTER) {
    sj_lab_like(lab->page, "stacks in %s", variants[best].name);
    sj_lab_card(lab->page, SJ_LAB_US, bars, shown);
    sj_lab_say(lab->page, "A stack that lanes index by their own numbers is fastest here in: %s.", variants[best].name);
  } else {
    sj_lab_say(lab->page,
               "A stack that lanes index by their own numbers takes the same time everywhere, within the noise.");
  }
  sj_lab_say(lab->page, "In shared memory it takes %.2f, in a buffer %.2f of the time that a private array takes.",
             fmin(isfinite(f[2].us) ? f[2].us : (double)INFINITY, f[3].us) / f[0].us, fmin(f[4].us, f[5].us) / f[0].us);
  if (isfinite(f[0].by[0].spilled) && f[0].by[0].spilled > 0)
    sj_lab_say(lab->page, "The private array did not fit registers: the compiler put %.0f bytes a lane into memory.",
               f[0].by[0].spilled);
}

stijl_result sj_lab_run_spill(sj_lab *lab) {
  stijl_result result = sj_lab_measure_ceilings(lab, false);
  if (result != STIJL_OK) return result;
  uint32_t lanes = lab->software ? 1 << 12 : lab->quick ? 1 << 16 : 1 << 20;
  VkDeviceSize bytes = (VkDeviceSize)lanes * DEPTH * 12;
  sj_buffer stacks = {0}, sums = {0}, back = {0};
  result = sj_lab_buffer(lab, &stacks, SJ_BUFFER_DEVICE, "stacks", bytes);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &sums, SJ_BUFFER_DEVICE, "sums", lanes * 4);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &back, SJ_BUFFER_READBACK, "the result", lanes * 4);
  uint32_t shared = lab->vk.properties.limits.maxComputeSharedMemorySize;
#define VARIANT(key, name, shader, group, skipped) \
  { key, name, &shader, {group}, 1, {&sums, &stacks}, skipped }
  const sj_lab_variant variants[WAYS] = {
      VARIANT("private_64", "a private array, workgroups of 64", sj_lab_spill_0, 64, false),
      VARIANT("private_32", "a private array, workgroups of 32", sj_lab_spill_0, 32, false),
      VARIANT("shared_64", "shared memory, workgroups of 64", sj_lab_spill_1, 64, shared < DEPTH * 12 * 64),
      VARIANT("shared_32", "shared memory, workgroups of 32", sj_lab_spill_1, 32, false),
      VARIANT("buffer_64", "a buffer, workgroups of 64", sj_lab_spill_2, 64, false),
      VARIANT("buffer_32", "a buffer, workgroups of 32", sj_lab_spill_2, 32, false)};
  const sj_lab_comparison comparison = {
      .key = "spill",
      .title = "A stack of 16 entries of three words, in three places; every result verified",
      .variants = variants,
      .count = WAYS,
      .common = {.lanes = lanes, .push = {TURNS, lanes}},
      .sums = &sums,
      .back = &back,
      .lanes = lanes,
      .expected = expected};
  sj_lab_found found[SJ_LAB_MAX_VARIANTS];
  if (result == STIJL_OK) result = sj_lab_compare(lab, &comparison, found);
  if (result == STIJL_OK) say(lab, variants, found);
  sj_lab_buffer_finish(lab, &stacks);
  sj_lab_buffer_finish(lab, &sums);
  sj_lab_buffer_finish(lab, &back);
  return result;
}
