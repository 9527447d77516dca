// The toolkit (src/vulkan) as an instrument uses it, and what it reads from shaders.
#include <stdlib.h>

#include "gpu/device.h"
#include "gpu/pipeline.h"
#include "gpu/transfer.h"
#include "vulkan/buffer.h"

static const uint32_t probe_words[] = {
#include "probe.spv.inc"
};
static const sj_vk_shader probe = {"probe", probe_words, sizeof probe_words};

static bool open_device(sj_vk *vk, const sj_vk_needs *needs) {
  if (!getenv("STIJL_TEST_DEVICE")) return false;
  stijl_renderer_params params = sj_test_gpu_params();
  CHECK_INT(sj_vk_open(vk, sj_context(NULL), params.device, params.device_name, needs, NULL), STIJL_OK);
  return true;
}

// Opens a device, and runs a shader: numbers times a factor, plus one in the last workgroup.
TEST(instrument) {
  enum { COUNT = 1000, GROUP = 32 };
  sj_vk vk;
  sj_vk_needs needs = {0};
  CHECK_INT(sj_vk_needs_add(sj_context(NULL), &needs, &probe, NULL, 0, NULL), STIJL_OK);
  if (!open_device(&vk, &needs)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  sj_vk_commands commands;
  sj_vk_timer timer;
  sj_vk_cache cache;
  sj_vk_bindings bindings;
  VkPipeline pipeline;
  sj_buffer in = {.name = "in", .kind = SJ_BUFFER_UPLOAD}, out = {.name = "out", .kind = SJ_BUFFER_READBACK};
  CHECK_INT(sj_vk_commands_create(&vk, 1, &commands, NULL), STIJL_OK);
  CHECK_INT(sj_vk_timer_create(&vk, 2, &timer, NULL), STIJL_OK);
  CHECK_INT(sj_vk_cache_open(&vk, &cache, NULL), STIJL_OK);
  CHECK_INT(sj_vk_bindings_create(&vk, &probe, &bindings, NULL), STIJL_OK);
  const uint32_t constants[] = {GROUP, 3};
  CHECK_INT(sj_vk_pipeline_create(&vk, &cache, &probe, constants, 2, &bindings, &pipeline, NULL), STIJL_OK);
  bool grown;
  CHECK_INT(sj_buffer_reserve(&vk, &in, COUNT * 4, &grown, NULL), STIJL_OK);
  CHECK_INT(sj_buffer_reserve(&vk, &out, COUNT * 4, &grown, NULL), STIJL_OK);
  for (uint32_t i = 0; i < COUNT; i++) ((uint32_t *)in.mapped)[i] = i;
  const VkDescriptorBufferInfo ranges[] = {[0] = {in.handle, 0, in.bytes}, [5] = {out.handle, 0, out.bytes}};
  sj_vk_bindings_write(&vk, &bindings, ranges);
  const uint32_t groups = (COUNT + GROUP - 1) / GROUP, push[2] = {COUNT, groups - 1};
  VkCommandBuffer list = commands.buffers[0];
  CHECK_INT(sj_vk_begin(&vk, list, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, NULL), STIJL_OK);
  sj_buffer_copy_staged(&vk, list, &in, in.bytes);
  sj_vk_barrier(&vk, list, SJ_VK_COPY, SJ_VK_COMPUTE);
  sj_vk_timer_begin(&vk, list, &timer);
  sj_vk_use(&vk, list, pipeline, &bindings, push);
  sj_vk_dispatch(&vk, list, groups);
  sj_vk_stamp(&vk, list, &timer, 1);
  sj_vk_barrier(&vk, list, SJ_VK_COMPUTE, SJ_VK_HOST);
  CHECK_INT(sj_vk_run(&vk, &commands, "the probe", NULL), STIJL_OK);
  double us;
  CHECK(sj_vk_times(&vk, &timer, 2, &us) == vk.timestamps && us >= 0 && us < 1e7);
  for (uint32_t i = 0; i < COUNT; i++) CHECK_INT(((uint32_t *)out.mapped)[i], i * 3 + (i / GROUP == groups - 1));

  vk.DestroyPipeline(vk.device, pipeline, NULL);
  sj_buffer_finish(&vk, &in);
  sj_buffer_finish(&vk, &out);
  sj_vk_bindings_destroy(&vk, &bindings);
  sj_vk_cache_close(&vk, &cache);
  sj_vk_timer_destroy(&vk, &timer);
  sj_vk_commands_destroy(&vk, &commands);
  sj_vk_close(&vk);
}

// A pipeline whose constants ask for more than the device allows is refused by the limit's name.
TEST(limits) {
  sj_vk vk;
  if (!open_device(&vk, &(sj_vk_needs){0})) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  sj_vk_cache cache;
  sj_vk_bindings bindings;
  VkPipeline pipeline;
  stijl_message message = {""};
  CHECK_INT(sj_vk_cache_open(&vk, &cache, NULL), STIJL_OK);
  CHECK_INT(sj_vk_bindings_create(&vk, &probe, &bindings, NULL), STIJL_OK);
  const uint32_t lanes[] = {vk.properties.limits.maxComputeWorkGroupInvocations * 2, 1};
  CHECK_INT(sj_vk_pipeline_create(&vk, &cache, &probe, lanes, 2, &bindings, &pipeline, &message),
            STIJL_ERROR_UNSUPPORTED);
  CHECK(strstr(message.text, "maxComputeWorkGroupInvocations") && strstr(message.text, "probe"));
  const uint32_t words[] = {1, 1, vk.properties.limits.maxComputeSharedMemorySize / 4};
  CHECK_INT(sj_vk_pipeline_create(&vk, &cache, &probe, words, 3, &bindings, &pipeline, &message),
            STIJL_ERROR_UNSUPPORTED);
  CHECK(strstr(message.text, "maxComputeSharedMemorySize") != NULL);
  sj_vk_bindings_destroy(&vk, &bindings);
  sj_vk_cache_close(&vk, &cache);
  sj_vk_close(&vk);
}

// --- What is read from SPIR-V ---

TEST(interface) {
  sj_vk_interface i;
  const uint32_t constants[] = {32, 3, 10};
  CHECK_INT(sj_vk_reflect(sj_context(NULL), &probe, constants, 3, &i, NULL), STIJL_OK);
  CHECK_INT(i.bindings, 1u << 0 | 1u << 5);
  CHECK_INT(i.storage_buffers, 2);
  CHECK_INT(i.push_bytes, 8);
  CHECK_INT(i.local[0] * 10000 + i.local[1] * 100 + i.local[2], 32 * 10000 + 100 + 1);
  // uint[2 * WORDS + 1], uvec3[5] at 16 bytes each, bool: each rounded up to 16.
  CHECK_INT(i.shared_bytes, 96 + 80 + 16);
  CHECK_INT(i.rounds, false);
}

// Every stage runs on devices with 16 KiB of shared memory, 16 storage buffers and workgroups of 256, which is what
// docs/gpu.md promises.
TEST(stages) {
  sj_vk_needs needs;
  CHECK_INT(sj_gpu_needs(sj_context(NULL), &needs, NULL), STIJL_OK);
  static const uint32_t most[SJ_VK_LIMITS] = {16, 256, 256, 16384, 128};
  for (int k = 0; k < SJ_VK_LIMITS; k++)
    if (needs.limits[k].most > most[k])
      sj_test_fail(needs.limits[k].shader, k, "%u, more than %u", needs.limits[k].most, most[k]);
  CHECK(needs.rounding);
}

// Damaged code is refused, or read as something, and never read beyond its end.
TEST(damaged) {
  enum { WORDS = sizeof probe_words / 4 };
  for (uint64_t n = 0; sj_test_cases(&n, 20000); n++) {
    sj_random r = sj_random_seed(n);
    size_t count = n % 4 ? WORDS : (size_t)sj_random_int(&r, 0, WORDS);
    uint32_t *words = malloc(count * 4 + 1);
    memcpy(words, probe_words, count * 4);
    for (int k = 0; count && k < 1 + (int)(n % 3); k++) {
      uint32_t *w = &words[sj_random_int(&r, 0, (int)count - 1)];
      *w = n % 2 ? *w ^ 1u << sj_random_int(&r, 0, 31) : (uint32_t)sj_random_int(&r, 0, 70000);
    }
    sj_vk_interface i;
    sj_vk_reflect(sj_context(NULL), &(sj_vk_shader){"damaged", words, count * 4}, NULL, 0, &i, NULL);
    free(words);
  }
}
