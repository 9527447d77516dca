// `lab litmus` shows which orders of memory accesses a device lets be seen, and checks that none is one that its memory
// model forbids.
#include <stdio.h>
#include <string.h>

#include "lab/harness.h"

enum { TESTS = 4, MODES = 3, STRIDE = 4 };

static const char *const test_names[TESTS] = {"message passing", "store buffering", "load buffering", "coherence"};
static const char *const weak_names[TESTS] = {"the flag is seen, the message is not", "neither store is seen",
                                              "both later stores are seen", "a value is seen, then the older one"};
static const char *const mode_names[MODES] = {"relaxed", "acquire, release", "coherent, barriers"};
// Whether Vulkan's memory model forbids the weak outcome. Without the model (the last mode) GLSL promises nothing that
// a device could break; the outcome is only reported.
static const bool forbidden[TESTS][MODES] = {
    {false, true, false}, {false, false, false}, {false, true, false}, {true, true, false}};

typedef struct run {
  sj_lab *lab;
  uint32_t tests, rounds;
  sj_buffer memory, results, back;
} run;

typedef struct counts {
  uint64_t all[4];  // indexed by the two results: r0 + 2 * r1
} counts;

static bool is_weak(uint32_t test, uint32_t r0, uint32_t r1) {
  if (test == 1) return r0 == 0 && r1 == 0;
  if (test == 2) return r0 == 1 && r1 == 1;
  return r0 == 1 && r1 == 0;
}

static stijl_result measure(run *r, uint32_t test, uint32_t mode, counts *out) {
  static const sj_vk_shader *const shaders[] = {&sj_lab_litmus_0, &sj_lab_litmus_1, &sj_lab_litmus_2};
  sj_lab *lab = r->lab;
  const sj_buffer *buffers[] = {&r->memory, &r->results};
  sj_lab_kernel kernel;
  stijl_result result = sj_lab_kernel_create(lab, shaders[mode], &test, 1, buffers, &kernel);
  uint32_t random = 12345;
  for (uint32_t round = 0; round < r->rounds && result == STIJL_OK; round++) {
    random = random * 1664525u + 1013904223u;
    // Tests are spread over the memory: multiplying by an odd factor permutes a power of two of them.
    sj_lab_case c = {.name = test_names[test],
                     .kernel = &kernel,
                     .lanes = r->tests,
                     .push = {r->tests - 1, random >> 8 | 1, random >> 16, (random >> 4 | 1) * 5, STRIDE}};
    result = sj_lab_number_by(lab, &r->memory, (VkDeviceSize)r->tests * 2 * STRIDE * 4, 0);
    if (result == STIJL_OK) result = sj_lab_number_by(lab, &r->results, (VkDeviceSize)r->tests * 8, 0x10);
    if (result == STIJL_OK) result = sj_lab_once(lab, &c);
    if (result == STIJL_OK) result = sj_lab_copy(lab, &r->results, &r->back, (VkDeviceSize)r->tests * 8);
    const uint32_t *got = r->back.mapped;
    for (uint32_t i = 0; i < r->tests && result == STIJL_OK; i++) {
      if (got[2 * i] > 1 || got[2 * i + 1] > 1) {
        sj_lab_wrong(lab->page, "%s: test %u was left out", test_names[test], i);
        break;
      }
      out->all[got[2 * i] + 2 * got[2 * i + 1]]++;
    }
  }
  sj_lab_kernel_destroy(lab, &kernel);
  return result;
}

static stijl_result measure_all(run *r) {
  const sj_lab_column columns[] = {{"test", "test", SJ_LAB_NAME},   {"mode", "accesses", SJ_LAB_NAME},
                                   {"both", "1 1", SJ_LAB_COUNT},   {"first", "1 0", SJ_LAB_COUNT},
                                   {"second", "0 1", SJ_LAB_COUNT}, {"none", "0 0", SJ_LAB_COUNT},
                                   {"weak", "weak", SJ_LAB_COUNT},  {"verdict", "", SJ_LAB_NAME}};
  sj_lab *lab = r->lab;
  bool has_model = lab->features.f12.vulkanMemoryModel && lab->features.f12.vulkanMemoryModelDeviceScope;
  sj_lab_cell cells[TESTS * MODES * 8];
  char verdicts[TESTS * MODES][64];
  uint64_t weak_all = 0, forbidden_seen = 0;
  uint32_t rows = 0;
  for (uint32_t test = 0; test < TESTS; test++)
    for (uint32_t mode = 0; mode < MODES; mode++) {
      if (mode < 2 && !has_model) continue;
      counts n = {{0}};
      stijl_result result = measure(r, test, mode, &n);
      if (result != STIJL_OK) return result;
      uint64_t weak = 0;
      for (uint32_t k = 0; k < 4; k++) weak += is_weak(test, k & 1, k >> 1) ? n.all[k] : 0;
      bool wrong = weak && forbidden[test][mode];
      if (wrong) {
        sj_lab_wrong(lab->page, "%s with %s: %llu times %s, which the memory model forbids", test_names[test],
                     mode_names[mode], (unsigned long long)weak, weak_names[test]);
        forbidden_seen += weak;
      }
      weak_all += weak;
      snprintf(verdicts[rows], sizeof *verdicts, "%s",
               forbidden[test][mode] ? wrong ? "forbidden" : "forbidden, not seen"
               : weak                ? weak_names[test]
                                     : "allowed, not seen");
      const sj_lab_cell row[] = {SJ_LAB_TEXT(test_names[test]), SJ_LAB_TEXT(mode_names[mode]), SJ_LAB_NUMBER(n.all[3]),
                                 SJ_LAB_NUMBER(n.all[1]),       SJ_LAB_NUMBER(n.all[2]),       SJ_LAB_NUMBER(n.all[0]),
                                 SJ_LAB_NUMBER(weak),           SJ_LAB_TEXT(verdicts[rows])};
      memcpy(&cells[rows++ * 8], row, sizeof row);
    }
  if (!has_model) sj_lab_say(lab->page, "The device has no memory model, so that only barriers could be tried.");
  sj_lab_say(lab->page, "%llu weak outcomes in %llu tests%s.", (unsigned long long)weak_all,
             (unsigned long long)rows * r->tests * r->rounds,
             forbidden_seen ? "" : ", none of them one that the memory model forbids");
  sj_lab_table(lab->page, "litmus", "Results of two threads, by how they access memory", columns, 8, cells, rows);
  return STIJL_OK;
}

// Runs chains of workgroups that each wait for the one before, or for the one behind.
static stijl_result measure_progress(run *r) {
  sj_lab *lab = r->lab;
  const sj_buffer *buffers[] = {&r->memory, &r->results};
  sj_lab_kernel kernel;
  stijl_result result = sj_lab_kernel_create(lab, &sj_lab_progress, NULL, 0, buffers, &kernel);
  uint32_t groups = lab->software ? 64 : 32768, seen[2] = {0, 0};
  for (uint32_t backward = 0; backward < 2 && result == STIJL_OK; backward++) {
    const sj_lab_case c = {.name = "progress",
                           .kernel = &kernel,
                           .groups = {groups, 1, 1},
                           .push = {lab->software ? 100 : 2000, backward}};
    result = sj_lab_number_by(lab, &r->memory, groups * 4, 0);
    if (result == STIJL_OK) result = sj_lab_once(lab, &c);
    if (result == STIJL_OK) result = sj_lab_copy(lab, &r->results, &r->back, groups * 4);
    for (uint32_t i = 0; i < groups && result == STIJL_OK; i++) seen[backward] += ((uint32_t *)r->back.mapped)[i] == 1;
  }
  sj_lab_kernel_destroy(lab, &kernel);
  if (result != STIJL_OK) return result;
  sj_lab_say(lab->page,
             "Of %u workgroups that waited a bounded time for a neighbour, %.1f %% met the one before them and %.1f %% "
             "the one "
             "behind: %s",
             groups, 100.0 * seen[0] / groups, 100.0 * seen[1] / groups,
             seen[0] == groups ? "those before have begun earlier here, which Vulkan does not promise."
                               : "workgroups are not begun in their order.");
  return STIJL_OK;
}

stijl_result sj_lab_run_litmus(sj_lab *lab) {
  stijl_result result = sj_lab_measure_ceilings(lab, false);
  if (result != STIJL_OK) return result;
  run r = {.lab = lab, .tests = lab->software ? 1 << 12 : 1 << 18, .rounds = lab->quick ? 4 : 100};
  VkDeviceSize memory = (VkDeviceSize)r.tests * 2 * STRIDE * 4;
  result = sj_lab_buffer(lab, &r.memory, SJ_BUFFER_DEVICE, "locations", memory);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &r.results, SJ_BUFFER_DEVICE, "results", r.tests * 8);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &r.back, SJ_BUFFER_READBACK, "the host's copy", r.tests * 8);
  if (result == STIJL_OK) result = measure_all(&r);
  if (result == STIJL_OK) result = measure_progress(&r);
  sj_lab_buffer_finish(lab, &r.memory);
  sj_lab_buffer_finish(lab, &r.results);
  sj_lab_buffer_finish(lab, &r.back);
  return result;
}
