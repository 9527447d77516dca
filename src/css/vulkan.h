// The engine for Vulkan: what the host keeps. docs/css.md tells how it works.
#ifndef SJ_CSS_VULKAN_H
#define SJ_CSS_VULKAN_H

#include "css/engine.h"
#include "css/index.h"
#include "css/layout.h"
#include "vulkan/buffer.h"
#include "vulkan/pipeline.h"

// Buffers that the host fills are numbered as their bindings.
enum { SJ_CSS_UPLOADS = M_CONTROL, SJ_CSS_READBACK = M_BINDINGS, SJ_CSS_BUFFERS };

enum { SJ_CSS_MATCH, SJ_CSS_SCAN, SJ_CSS_GATHER, SJ_CSS_SHADERS };
extern const sj_vk_shader sj_css_shaders[SJ_CSS_SHADERS];

// A simple selector that the device cannot test: the host tests all elements and stores the answers as a set.
typedef struct sj_css_extra {
  sj_css_simple simple;
  bool deep;  // depends on other sets, so that a change of one element may change the answer for others
} sj_css_extra;

// An open device. A matcher that ends leaves it to the next one of the same sheets.
struct sj_css_device {
  struct sj_css_device *next;
  stijl_context *context;
  int index;  // as asked for
  char name[64];
  sj_vk vk;
  sj_vk_cache cache;
  sj_vk_bindings bindings[SJ_CSS_SHADERS];
  VkPipeline pipelines[SJ_CSS_SHADERS];
  sj_vk_commands commands;
  VkDeviceSize max_range;
  uint32_t group, window;  // lanes of a workgroup, words of a window
  bool failed;
};

struct sj_css_vulkan {
  stijl_context *context;
  sj_css_index index;
  sj_pool *pool;
  sj_css_device *device;
  sj_css_device_list *devices;  // where the device is left in the end
  sj_buffer buffers[SJ_CSS_BUFFERS];
  struct {
    VkDeviceSize from, end;  // bytes to be copied from staging
  } dirty[SJ_CSS_UPLOADS];

  // What the host tests: searches in values, and lists within lists. Their sets follow those of the index.
  sj_atoms extra_names;
  SJ_ARRAY(sj_css_extra) extras;
  uint8_t *asked;  // per atom: 1 if some extra tests attributes of that name
  uint64_t *sets;
  uint32_t *filters;  // the host's copy of M_FILTERS, because the device's cannot be read
  m_params params;
  uint32_t slice;     // how many units a submission matches
  uint32_t *offsets;  // per element; NULL where each element is one unit, and the device's offsets serve
  uint64_t capacity;  // how many matches the pool has room for
  bool uploaded;

  // The engine for the CPU, made when the device has given up a matching.
  sj_css_cpu *cpu;
  sj_css_result cpu_result;
};

// Makes the index's arrays for the device, once (vulkan_pack.c).
stijl_result sj_css_pack_index(sj_css_vulkan *v, const sj_css_job *job);
// Makes the document's, all or what changed.
stijl_result sj_css_pack_document(sj_css_vulkan *v, const sj_css_job *job);
stijl_result sj_css_pack_changes(sj_css_vulkan *v, const sj_css_job *job, const uint32_t *changes, size_t count);

// Makes room for `bytes` in a buffer. Fails with a clear message beyond what the device can bind.
stijl_result sj_css_vulkan_reserve(sj_css_vulkan *v, int buffer, uint64_t bytes, stijl_message *message);
// Notes that the host wrote these bytes of a buffer, so that they are uploaded.
void sj_css_vulkan_touch(sj_css_vulkan *v, int buffer, uint64_t from, uint64_t end);

#endif
