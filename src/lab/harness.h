// What instruments share: a device with all that it can do, buffers, kernels, timing, and the ceilings that each figure
// is held against. In a build without Vulkan there is what the CPU's instruments need.
#ifndef SJ_LAB_HARNESS_H
#define SJ_LAB_HARNESS_H

#include "lab/page.h"
#include "lab/plot.h"
#include "stijl/stijl.h"
#ifdef STIJL_HAVE_VULKAN
#include "vulkan/buffer.h"
#include "vulkan/pipeline.h"

enum { SJ_LAB_MAX_SIZES = 16, SJ_LAB_MAX_ROUNDS = 32 };

// What a device can do at most, as measured in this run. 0: not measured.
typedef struct sj_lab_ceilings {
  double launch_us, barrier_us;  // a dispatch that does nothing, and one behind a barrier
  double fma;                    // operations a second, two for each multiply-add in 32 bits
  double clock_mhz;              // 0: the driver does not tell
  uint32_t sizes;
  double bytes[SJ_LAB_MAX_SIZES], copy[SJ_LAB_MAX_SIZES], fill[SJ_LAB_MAX_SIZES], read[SJ_LAB_MAX_SIZES];
} sj_lab_ceilings;

typedef struct sj_lab_kernel {
  sj_vk_bindings bindings;
  VkPipeline pipeline;
  uint32_t group;  // lanes of a workgroup
} sj_lab_kernel;
#endif

// Runs of one kernel, which tell whether a device's clock stands.
typedef struct sj_lab_warmth {
  double last[6], best;  // microseconds; the best of all runs of this device so far, 0: there were none
  uint32_t count;
} sj_lab_warmth;

typedef struct sj_lab {
  stijl_context *context;
  stijl_message *message;
  const stijl_lab_params *params;
  sj_lab_page *page;
  bool has_device, software, quick;  // software: of the device
  int index;                         // of the device, for renderers on the same; -1: the best, or by its name
#ifdef STIJL_HAVE_VULKAN
  sj_vk vk;
  VkDevice own;
  bool said_compilers;
  bool described;      // the page says which device it is
  bool compiles_only;  // set before it is opened: nothing is ever submitted
  // Of the device:
  VkPhysicalDeviceVulkan11Properties p11;
  VkPhysicalDeviceVulkan12Properties p12;
  VkPhysicalDeviceVulkan13Properties p13;
  sj_vk_features features;  // those that are enabled
  VkPhysicalDeviceVulkan11Features f11;
  bool has_clock, has_statistics, has_counters;  // extensions: shader clock, executable properties, performance query
  uint32_t multiprocessors, warps;               // and subgroups each of them holds; 0: the driver does not tell
  char architecture[16];                         // as nvdisasm calls it; empty where nobody tells
  bool asked_architecture;
  sj_vk_cache cache;
  sj_vk_commands commands;
  sj_vk_timer timer;
  sj_lab_ceilings ceilings;
  // What keeps the device at work until its clock stands.
  sj_lab_kernel warmer;
  sj_buffer little;
  sj_lab_warmth warmth;
#endif
} sj_lab;

stijl_result sj_lab_open(sj_lab *lab);
void sj_lab_close(sj_lab *lab);
// A whole file of at most 16 MiB with a NUL behind it, to be freed with sj_free.
stijl_result sj_lab_read_file(sj_lab *lab, const char *path, char **data, size_t *bytes);
// The scene of a document for a picture of that size.
stijl_result sj_lab_record(sj_lab *lab, const char *svg, size_t bytes, int width, int height, stijl_scene **out);
// The median of values, which are sorted, and the bounds of its confidence interval.
void sj_lab_median(double *values, uint32_t count, double *median, double *low, double *high);

#ifdef STIJL_HAVE_VULKAN
stijl_result sj_lab_fail(sj_lab *lab, VkResult result, const char *what);

// --- Buffers ---

stijl_result sj_lab_buffer(sj_lab *lab, sj_buffer *buffer, sj_buffer_kind kind, const char *name, VkDeviceSize bytes);
// Fills a device's buffer: word i becomes i times a factor, SJ_LAB_WORD where checks begin with it.
#define SJ_LAB_WORD 2654435761u
stijl_result sj_lab_number_by(sj_lab *lab, const sj_buffer *buffer, VkDeviceSize bytes, uint32_t factor);
static inline stijl_result sj_lab_number(sj_lab *lab, const sj_buffer *buffer, VkDeviceSize bytes) {
  return sj_lab_number_by(lab, buffer, bytes, SJ_LAB_WORD);
}
void sj_lab_buffer_finish(sj_lab *lab, sj_buffer *buffer);  // none that the device may be using still
// Copies the first bytes of a buffer to another, for shaders or the host to read.
stijl_result sj_lab_copy(sj_lab *lab, const sj_buffer *from, const sj_buffer *to, VkDeviceSize bytes);
// The largest power of two that is no more than `wanted`, fits a storage range, and of which 8 fit the device's memory.
VkDeviceSize sj_lab_size(const sj_lab *lab, VkDeviceSize wanted);

// --- Kernels ---

// `buffers[b]` is for binding b; destroying is good for what was not made.
stijl_result sj_lab_kernel_create(sj_lab *lab, const sj_vk_shader *shader, const uint32_t *constants, uint32_t count,
                                  const sj_buffer *const *buffers, sj_lab_kernel *out);
void sj_lab_kernel_destroy(sj_lab *lab, sj_lab_kernel *kernel);

// --- Timing ---

// A dispatch to be measured.
typedef struct sj_lab_case {
  const char *name;
  const sj_lab_kernel *kernel;
  uint32_t groups[3];
  uint32_t lanes;  // not 0: as many workgroups as have that many lanes, in place of `groups`
  uint32_t push[20];
  bool apart;          // repetitions are separated by barriers
  bool once;           // a submission has one dispatch
  double bytes;        // that it has to move at least; 0: not a matter of bytes
  double working_set;  // bytes that it touches
  double operations;   // in 32-bit floats; 0: not a matter of these
  // Found: microseconds a dispatch: the median, and between which values the median is by 95 %.
  uint32_t repeats;
  double us, low, high;
  // And how many times the first case's of the same round that is, which no change of the clock disturbs.
  double factor, factor_low, factor_high;
} sj_lab_case;

static inline double sj_lab_rate(const sj_lab_case *c) { return c->us > 0 ? c->bytes / c->us * 1e6 : 0; }
static inline double sj_lab_work(const sj_lab_case *c) { return c->us > 0 ? c->operations / c->us * 1e6 : 0; }

// So many dispatches of a case, waited for; the time of each.
stijl_result sj_lab_run_repeats(sj_lab *lab, const sj_lab_case *c, uint32_t repeats, double *us);
// One dispatch, waited for.
stijl_result sj_lab_once(sj_lab *lab, const sj_lab_case *c);
// Takes a run; whether the last six differ by less than 0.5 %, and are as fast as the best was, but for 2 %: a clock
// that stands low, as where a device has had nothing to do, is none to measure by.
bool sj_lab_is_steady(sj_lab_warmth *warmth, double us);
// Keeps the device at work until its clock stands, as far as the time of a kernel tells that.
stijl_result sj_lab_warm(sj_lab *lab);
// The multiply-adds that keep it at work, once it has been warmed.
sj_lab_case sj_lab_warming(const sj_lab *lab);
// Measures cases in turns, so that whatever changes meanwhile changes all of them. The device is warmed before.
stijl_result sj_lab_time(sj_lab *lab, sj_lab_case *cases, uint32_t count);
// Holds what was found against the ceilings, and says what is beyond them.
void sj_lab_judge(sj_lab *lab, const sj_lab_case *cases, uint32_t count);

// --- Ceilings (ceilings.c) ---

// Writes down which device it is.
void sj_lab_write_device(sj_lab *lab);
// Measures the ceilings and writes them down, in `details` for the instrument that is about these; once.
stijl_result sj_lab_measure_ceilings(sj_lab *lab, bool details);
// The most bytes a second that so large a working set can move: the best of those at least half as large.
double sj_lab_bandwidth(const sj_lab *lab, double working_set);
// The copy bandwidth nearest to so large a working set.
double sj_lab_copy_at(const sj_lab *lab, double working_set);

// --- Shaders (shaders.c) ---

extern const sj_vk_shader sj_lab_number_shader, sj_lab_nothing, sj_lab_stream, sj_lab_compute, sj_lab_compute_clock;
extern const sj_vk_shader sj_lab_transpose_shader, sj_lab_matmul_shader, sj_lab_matmul_blocked;
extern const sj_vk_shader sj_lab_litmus_0, sj_lab_litmus_1, sj_lab_litmus_2, sj_lab_progress;
// The renderer's fine with counters, by the pixels of a lane.
extern const sj_vk_shader sj_lab_fine_1, sj_lab_fine_2, sj_lab_fine_4, sj_lab_fine_8, sj_lab_fine_16;
extern const sj_vk_shader sj_lab_occupancy, sj_lab_shapes, sj_lab_spill_0, sj_lab_spill_1, sj_lab_spill_2;
extern const sj_vk_shader sj_lab_aliasing_0, sj_lab_aliasing_1, sj_lab_aliasing_2, sj_lab_aliasing_3, sj_lab_aliasing_4,
    sj_lab_aliasing_5, sj_lab_aliasing_6;
extern const sj_vk_shader sj_lab_access_8, sj_lab_access_16, sj_lab_access_32, sj_lab_access_64, sj_lab_access_128;
extern const sj_vk_shader sj_lab_access_push, sj_lab_access_uniform, sj_lab_access_texture, sj_lab_access_image;
#endif

// --- Instruments ---

stijl_result sj_lab_run_device(sj_lab *lab);
stijl_result sj_lab_run_access(sj_lab *lab);
stijl_result sj_lab_run_transpose(sj_lab *lab);
stijl_result sj_lab_run_matmul(sj_lab *lab);
stijl_result sj_lab_run_workgroup(sj_lab *lab);
stijl_result sj_lab_run_occupancy(sj_lab *lab);
stijl_result sj_lab_run_aliasing(sj_lab *lab);
stijl_result sj_lab_run_spill(sj_lab *lab);
stijl_result sj_lab_run_isa(sj_lab *lab);
stijl_result sj_lab_run_cpu(sj_lab *lab);
stijl_result sj_lab_run_counters(sj_lab *lab);
stijl_result sj_lab_run_scene(sj_lab *lab);
stijl_result sj_lab_run_ablate(sj_lab *lab);
stijl_result sj_lab_ablate_renderer(sj_lab *lab);
stijl_result sj_lab_run_litmus(sj_lab *lab);

#endif
