// What instruments share: a device opened with all its features, buffers, kernels, timing, and the ceilings that each
// figure is held against. Without Vulkan there is what the CPU's instruments need.
#ifndef SJ_LAB_HARNESS_H
#define SJ_LAB_HARNESS_H

#include "lab/change.h"
#include "lab/expect.h"
#include "lab/page.h"
#include "lab/plot.h"
#include "stijl/stijl.h"
#ifdef STIJL_HAVE_VULKAN
#include "vulkan/buffer.h"
#include "vulkan/pipeline.h"

enum { SJ_LAB_MAX_SIZES = 16, SJ_LAB_MAX_ROUNDS = 32 };

// What a device can do at most, as measured in this run. 0: not measured.
typedef struct sj_lab_ceilings {
  double launch_us, barrier_us;  // of a dispatch that does nothing, without and with a barrier before it
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

// The times of the last runs of one kernel, which tell whether a device's clock has settled.
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
  int index;                         // index for renderers on the same device; -1: the best, or by its name
#ifdef STIJL_HAVE_VULKAN
  sj_vk vk;
  VkDevice own;
  bool said_compilers;
  bool described;      // the page names the device already
  bool compiles_only;  // set before the lab is opened: nothing will be submitted
  // Of the device:
  VkPhysicalDeviceVulkan11Properties p11;
  VkPhysicalDeviceVulkan12Properties p12;
  VkPhysicalDeviceVulkan13Properties p13;
  sj_vk_features features;  // those that are enabled
  VkPhysicalDeviceVulkan11Features f11;
  bool has_clock, has_statistics, has_counters;  // extensions: shader clock, executable properties, performance query
  uint32_t multiprocessors, warps;               // and subgroups that each can hold; 0: the driver does not tell
  char architecture[16];                         // as nvdisasm calls it; empty where nobody tells
  bool asked_architecture;
  sj_vk_cache cache;
  sj_vk_commands commands;
  sj_vk_timer timer;
  sj_lab_ceilings ceilings;
  // The kernel that keeps the device at work until its clock has settled.
  sj_lab_kernel warmer;
  sj_buffer little;
  sj_lab_warmth warmth;
#endif
} sj_lab;

stijl_result sj_lab_open(sj_lab *lab);
void sj_lab_close(sj_lab *lab);
// Reads a whole file of at most 16 MiB and adds a NUL. The caller frees *data with sj_free.
stijl_result sj_lab_read_file(sj_lab *lab, const char *path, char **data, size_t *bytes);
// Records the scene of an SVG document for a picture of that size in pixels.
stijl_result sj_lab_record(sj_lab *lab, const char *svg, size_t bytes, int width, int height, stijl_scene **out);
// Sorts the values, and computes their median and the bounds of its 95 % confidence interval.
void sj_lab_median(double *values, uint32_t count, double *median, double *low, double *high);

// Returns the processor time of this process in microseconds. With one thread it is the time of the work, even while
// the machine is busy with something else.
double sj_lab_processor_us(void);

#ifdef STIJL_HAVE_VULKAN
// Fails with the message of a Vulkan result.
stijl_result sj_lab_fail(sj_lab *lab, VkResult result, const char *what);

// --- Buffers ---

stijl_result sj_lab_buffer(sj_lab *lab, sj_buffer *buffer, sj_buffer_kind kind, const char *name, VkDeviceSize bytes);
// Fills a buffer on the device: word i becomes i * factor. Checks expect the factor SJ_LAB_WORD.
stijl_result sj_lab_number_by(sj_lab *lab, const sj_buffer *buffer, VkDeviceSize bytes, uint32_t factor);
static inline stijl_result sj_lab_number(sj_lab *lab, const sj_buffer *buffer, VkDeviceSize bytes) {
  return sj_lab_number_by(lab, buffer, bytes, SJ_LAB_WORD);
}
void sj_lab_buffer_finish(sj_lab *lab, sj_buffer *buffer);  // leaks it if the device may still be using it
// Copies the first `bytes` of a buffer to another, for shaders or the host to read, and waits.
stijl_result sj_lab_copy(sj_lab *lab, const sj_buffer *from, const sj_buffer *to, VkDeviceSize bytes);
// Returns the largest power of two that is at most `wanted`, fits a storage range, and fits the device's memory 8
// times.
VkDeviceSize sj_lab_size(const sj_lab *lab, VkDeviceSize wanted);

// --- Kernels ---

// Compiles a shader with these specialisation constants; `buffers[b]` goes to binding b. A kernel that was not created,
// or is zeroed, may be destroyed.
stijl_result sj_lab_kernel_create(sj_lab *lab, const sj_vk_shader *shader, const uint32_t *constants, uint32_t count,
                                  const sj_buffer *const *buffers, sj_lab_kernel *out);
void sj_lab_kernel_destroy(sj_lab *lab, sj_lab_kernel *kernel);

// --- Timing ---

// A dispatch to be measured, and what was found.
typedef struct sj_lab_case {
  const char *name;
  const sj_lab_kernel *kernel;
  uint32_t groups[3];
  uint32_t lanes;  // where not 0, as many workgroups as have that many lanes replace `groups`
  uint32_t push[20];
  bool apart;          // there are barriers between repetitions
  bool once;           // a submission has only one dispatch
  double bytes;        // that it has to move at least; 0: it is not about bytes
  double working_set;  // bytes that it touches
  double operations;   // in 32-bit floats; 0: it is not about these
  // Found: how often it was repeated in a submission, the median of the microseconds of one dispatch, and the bounds of
  // its 95 % confidence interval.
  uint32_t repeats;
  double us, low, high;
  // Found: the time as a multiple of the first case's in the same round, which changes of the clock do not disturb.
  double factor, factor_low, factor_high;
} sj_lab_case;

static inline double sj_lab_rate(const sj_lab_case *c) { return c->us > 0 ? c->bytes / c->us * 1e6 : 0; }
static inline double sj_lab_work(const sj_lab_case *c) { return c->us > 0 ? c->operations / c->us * 1e6 : 0; }

// Runs so many dispatches of a case, waits, and returns the microseconds of one of them.
stijl_result sj_lab_run_repeats(sj_lab *lab, const sj_lab_case *c, uint32_t repeats, double *us);
// Runs one dispatch of a case and waits.
stijl_result sj_lab_once(sj_lab *lab, const sj_lab_case *c);
// Records the time of a run, and returns whether the clock has settled: the last six runs differ by less than 0.5 %,
// and are within 2 % of the best ever. That is so because a device which has had nothing to do runs at a steady but low
// clock.
bool sj_lab_is_steady(sj_lab_warmth *warmth, double us);
// Keeps the device at work until its clock has settled, as far as the time of a kernel tells that.
stijl_result sj_lab_warm(sj_lab *lab);
// Returns the multiply-adds that keep it at work; sj_lab_warm has to have run.
sj_lab_case sj_lab_warming(const sj_lab *lab);
// Warms the device, then measures the cases in turns, so that what changes meanwhile changes all of them.
stijl_result sj_lab_time(sj_lab *lab, sj_lab_case *cases, uint32_t count);
// Compares the figures with the ceilings, and reports those that are beyond them as wrong.
void sj_lab_judge(sj_lab *lab, const sj_lab_case *cases, uint32_t count);

// --- Ceilings (ceilings.c) ---

// Writes which device it is, once.
void sj_lab_write_device(sj_lab *lab);
// Measures the ceilings and writes them, once; with `details` for `lab device`.
stijl_result sj_lab_measure_ceilings(sj_lab *lab, bool details);
// Returns the most bytes a second that a working set of so many bytes can move: the best of all that are at least half
// as large.
double sj_lab_bandwidth(const sj_lab *lab, double working_set);
// Returns the bandwidth of the copy that is nearest in size to a working set of so many bytes.
double sj_lab_copy_at(const sj_lab *lab, double working_set);

// --- Shaders (shaders.c) ---

extern const sj_vk_shader sj_lab_number_shader, sj_lab_nothing, sj_lab_stream, sj_lab_compute, sj_lab_compute_clock;
extern const sj_vk_shader sj_lab_transpose_shader, sj_lab_matmul_shader, sj_lab_matmul_blocked;
extern const sj_vk_shader sj_lab_litmus_0, sj_lab_litmus_1, sj_lab_litmus_2, sj_lab_progress;
// The renderer's stage `fine` with counters of workgroups, by the pixels of a lane.
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
