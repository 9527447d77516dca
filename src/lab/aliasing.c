// `lab aliasing` measures what a compiler loses by a store that never happens. One kernel is compiled with its buffers
// declared in seven ways; all variants compute the same.
#include <math.h>

#include "lab/variants.h"

enum { WAYS = 7, SAME = 2, TURNS = 64 };

typedef struct shape {
  uint32_t lanes, mask;
} shape;

static uint32_t expected(const void *user, uint32_t lane) {
  const shape *s = user;
  uint32_t sum = 0;
  for (uint32_t t = 0; t < TURNS; t++)
    for (uint32_t k = 0; k < 4; k++) {
      uint32_t i = (lane + t * s->lanes + k * 64) & s->mask;
      sum += i * SJ_LAB_WORD * (k * SJ_LAB_WORD);
    }
  return sum;
}

static void say(sj_lab *lab, const sj_lab_found *f) {
  // A variant counts as slower if it is by 5 %, and if its confidence interval lies above 1.
  double worst = 1;
  for (uint32_t i = 1; i < 4; i++)
    if (f[i].factor_low > 1 && f[i].factor > 1.05) worst = fmax(worst, f[i].factor);
  if (worst > 1)
    sj_lab_say(
        lab->page,
        "A store behind a branch that is never taken costs %.2f times the time where it goes to the buffer that is "
        "read (two bindings of one buffer: %.2f), since the compiler has to load again what it might have changed.",
        f[SAME].factor, f[3].factor);
  else
    sj_lab_say(
        lab->page,
        "This driver does not mind a store behind a branch that is never taken to the buffer that is read: %.2f of the "
        "time of readonly restrict (two bindings of one buffer: %.2f), no more than 5 %% beyond the noise.",
        f[SAME].factor, f[3].factor);
  sj_lab_say(lab->page, "coherent takes %.2f, volatile %.2f, and loads at the device's scope %.2f of the time without.",
             f[4].factor, f[5].factor, f[6].factor);
  if (worst > 1) {
    sj_lab_like(lab->page, "buffers that are readonly restrict, and scratch in others (%.2f times as fast)", worst);
    sj_lab_card(
        lab->page, SJ_LAB_US,
        (const sj_lab_bar[]){
            {"readonly restrict", f[0].us}, {"the same binding", f[SAME].us}, {"two bindings of one buffer", f[3].us}},
        3);
  }
  const sj_lab_compiled *before = f[0].by, *after = f[SAME].by;
  for (int d = 0; d < 2; d++)
    if (isfinite(before[d].loads_in_loops) &&
        (before[d].loads_in_loops != after[d].loads_in_loops || before[d].loads_outside != after[d].loads_outside))
      sj_lab_say(
          lab->page,
          "The instructions%s show it: %.0f loads in the loop and %.0f outside of it, where readonly restrict has "
          "%.0f and %.0f: what the store may have changed is loaded again in each turn.",
          d ? " for AMD" : "", after[d].loads_in_loops, after[d].loads_outside, before[d].loads_in_loops,
          before[d].loads_outside);
}

stijl_result sj_lab_run_aliasing(sj_lab *lab) {
  stijl_result result = sj_lab_measure_ceilings(lab, false);
  if (result != STIJL_OK) return result;
  shape s = {.lanes = lab->software ? 1 << 10 : lab->quick ? 1 << 16 : 1 << 20};
  // 4 MiB fit into caches: the test is about instructions and not about memory.
  s.mask = (lab->software ? 1 << 12 : 1 << 20) - 1;
  VkDeviceSize bytes = ((VkDeviceSize)s.mask + 1) * 4;
  sj_buffer data = {0}, sums = {0}, back = {0};
  result = sj_lab_buffer(lab, &data, SJ_BUFFER_DEVICE, "numbers", bytes);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &sums, SJ_BUFFER_DEVICE, "sums", s.lanes * 4);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &back, SJ_BUFFER_READBACK, "the result", s.lanes * 4);
  if (result == STIJL_OK) result = sj_lab_number(lab, &data, bytes);
  bool has_model = lab->features.f12.vulkanMemoryModel && lab->features.f12.vulkanMemoryModelDeviceScope;
#define VARIANT(key, name, shader, skipped) \
  { key, name, &shader, {0}, 0, {&data, &sums, &data}, skipped }
  const sj_lab_variant variants[WAYS] = {
      VARIANT("separate", "readonly restrict, stores elsewhere", sj_lab_aliasing_0, false),
      VARIANT("plain", "no qualifiers, stores elsewhere", sj_lab_aliasing_1, false),
      VARIANT("same", "the same binding read and written", sj_lab_aliasing_2, false),
      VARIANT("twice", "two bindings of one buffer", sj_lab_aliasing_3, false),
      VARIANT("coherent", "the same binding, coherent", sj_lab_aliasing_4, false),
      VARIANT("volatile", "the same binding, volatile", sj_lab_aliasing_5, false),
      VARIANT("scoped", "loads at the device's scope", sj_lab_aliasing_6, !has_model)};
  const sj_lab_comparison comparison = {
      .key = "aliasing",
      .title = "One kernel, its buffers declared in seven ways; every result verified",
      .variants = variants,
      .count = WAYS,
      .common = {.lanes = s.lanes, .push = {TURNS, s.lanes, s.mask, 12345}},
      .sums = &sums,
      .back = &back,
      .lanes = s.lanes,
      .expected = expected,
      .user = &s,
      .beside = SAME};
  sj_lab_found found[SJ_LAB_MAX_VARIANTS];
  if (result == STIJL_OK) result = sj_lab_compare(lab, &comparison, found);
  if (result == STIJL_OK) say(lab, found);
  sj_lab_buffer_finish(lab, &data);
  sj_lab_buffer_finish(lab, &sums);
  sj_lab_buffer_finish(lab, &back);
  return result;
}
