// Mistakes on purpose, which the validation layer must report: see validate.sh. Not a test by itself.
#include <stdlib.h>

#include "gpu/app.h"
#include "gpu/transfer.h"

// Two writes to the same place without a barrier.
TEST(core) {
  app a;
  if (!app_open(&a)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  app_shared b = app_buffer(&a, 256, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  app_begin(&a);
  a.vk.CmdFillBuffer(a.commands, b.handle, 0, 256, 1);
  a.vk.CmdFillBuffer(a.commands, b.handle, 0, 256, 2);
  app_end(&a);
  app_free_buffer(&a, b);
  app_close(&a);
}

// A shader that leaves what is bound, though not what is allocated.
TEST(gpu) {
  app a;
  if (!app_open(&a)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  enum { SIZE = 64, BYTES = SIZE * SIZE * 4, CONTROL_BYTES = 256 };
  sj_vk *vk = &a.vk;
  sj_vk_cache cache;
  sj_transfer transfer = {0};
  CHECK_INT(sj_vk_cache_open(vk, &cache, NULL), STIJL_OK);
  app_shared own = app_buffer(&a, BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  app_shared other = app_buffer(&a, BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  app_shared control = app_buffer(&a, CONTROL_BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  memset(control.bytes, 0, CONTROL_BYTES);
  sj_buffer bound = {.handle = own.handle, .bytes = BYTES / 2};
  sj_buffer scratch = {.handle = control.handle, .bytes = CONTROL_BYTES};
  stijl_irect all = {0, 0, SIZE, SIZE};
  stijl_vulkan_target target = STIJL_VULKAN_TARGET_INIT;
  target.width = target.height = SIZE;
  target.buffer = other.handle;
  target.stride = (size_t)SIZE * 4;
  CHECK_INT(sj_transfer_begin(vk, &cache, &transfer, &target, all, false, false, NULL), STIJL_OK);
  sj_transfer_bind(vk, &transfer, &bound, &scratch, all);
  app_begin(&a);
  sj_transfer_store(vk, &transfer, a.commands, &bound, all, (g_needs){1, 1, 1, 1, 1, 1, 1});
  app_end(&a);
  sj_transfer_finish(vk, &transfer);
  sj_vk_cache_close(vk, &cache);
  app_free_buffer(&a, own);
  app_free_buffer(&a, other);
  app_free_buffer(&a, control);
  app_close(&a);
}
