// The GPU where something fails: devices that lack something, are lost, or never answer, and commands that cannot be
// recorded. All of it is made up by the backend itself (base/trial.h).
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../windings.h"
#include "base/trial.h"
#include "gpu/device.h"
#include "gpu/pipeline.h"

// A clock that can be stopped, for the library as well.
static bool stopped;

int clock_gettime(clockid_t clock, struct timespec *out) {
  *out = (struct timespec){1, 0};
  return stopped ? 0 : (int)syscall(SYS_clock_gettime, clock, out);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int notices;

static void count_notice(void *user, stijl_log_level level, const char *line) {
  (void)user, (void)line;
  notices += level == STIJL_LOG_NOTICE;
}

// Checks that a device that fails while it is opened or while it draws makes an error that says so, or the CPU's
// picture.
static void fail_with(const char *fault, const char *told, stijl_result opened, stijl_result drawn) {
  stijl_renderer_params params = sj_test_gpu_params();
  stijl_renderer *renderer = NULL;
  stijl_message message = {""};
  uint8_t pixel[4] = {0};
  stijl_target target = {
      .size = sizeof target, .width = 1, .height = 1, .format = STIJL_FORMAT_RGBA8, .pixels = pixel, .stride = 4};
  stijl_render_params white = STIJL_RENDER_PARAMS_INIT;
  white.background = (stijl_color){1, 1, 1, 1};
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  sj_trial_set("fault", fault);
  CHECK_INT(stijl_renderer_create(NULL, &params, &renderer, &message), opened);
  if (opened == STIJL_OK) CHECK_INT(stijl_render(renderer, scene, &target, &white, &message), drawn);
  if (!strstr(message.text, told)) sj_test_fail(fault, 0, "told: %s", message.text);
  stijl_renderer_destroy(renderer);
  renderer = NULL;

  params.backend = STIJL_BACKEND_AUTO;
  stijl_context_params context_params = STIJL_CONTEXT_PARAMS_INIT;
  context_params.log = count_notice;
  stijl_context *context = NULL;
  CHECK_INT(stijl_context_create(&context_params, &context), STIJL_OK);
  notices = 0;
  CHECK_INT(stijl_renderer_create(context, &params, &renderer, &message), STIJL_OK);
  CHECK_INT(stijl_render(renderer, scene, &target, &white, &message), STIJL_OK);
  CHECK_INT(stijl_renderer_backend(renderer), STIJL_BACKEND_CPU);
  CHECK_INT(pixel[0], 255);
  CHECK_INT(notices, 1);
  stijl_renderer_destroy(renderer);
  stijl_context_destroy(context);
  stijl_scene_destroy(scene);
  sj_trial_set("fault", NULL);
}

TEST(failures) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  fail_with("feature", "scalarBlockLayout", STIJL_ERROR_UNSUPPORTED, STIJL_OK);
  fail_with("rounding", "rounding", STIJL_ERROR_UNSUPPORTED, STIJL_OK);
  fail_with("minimum", "maxPerStageDescriptorStorageBuffers", STIJL_ERROR_UNSUPPORTED, STIJL_OK);
  fail_with("lost", "lost", STIJL_OK, STIJL_ERROR_DEVICE);
  fail_with("recording1", "recording", STIJL_OK, STIJL_ERROR_DEVICE);
  // Else destroying a renderer would wait for the frame, a minute or for ever.
  double start = seconds();
  fail_with("hang", "in time", STIJL_OK, STIJL_ERROR_DEVICE);
  CHECK(seconds() - start < 20.0);
}

TEST(no_such_device) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_renderer_params params = sj_test_gpu_params();
  stijl_renderer *renderer = NULL;
  stijl_message message = {""};
  params.device = 99;
  CHECK_INT(stijl_renderer_create(NULL, &params, &renderer, &message), STIJL_ERROR_UNSUPPORTED);
  params.device = -1;
  params.device_name = "no such device";
  CHECK_INT(stijl_renderer_create(NULL, &params, &renderer, &message), STIJL_ERROR_UNSUPPORTED);
  CHECK(strstr(message.text, "no such device") != NULL);
}

// NVIDIA's driver cannot be loaded more than some 30 times.
TEST(one_after_the_other) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_message message = {""};
  for (int i = 0; i < 40 && !sj_test_failed(); i++) {
    stijl_device device = STIJL_DEVICE_INIT;
    size_t count = 0;
    CHECK_INT(stijl_devices(NULL, &device, 1, &count, &message), STIJL_OK);
    stijl_renderer *renderer = NULL;
    stijl_renderer_params params = sj_test_gpu_params();
    if (i % 8 == 0) CHECK_INT(stijl_renderer_create(NULL, &params, &renderer, &message), STIJL_OK);
    stijl_renderer_destroy(renderer);
  }
}

TEST(devices) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_device devices[4] = {STIJL_DEVICE_INIT};
  size_t count = 0;
  CHECK_INT(stijl_devices(NULL, devices, 4, &count, NULL), STIJL_OK);
  CHECK(count > 0 && devices[0].name[0] && devices[0].api_major == 1);
}

static stijl_renderer *open_with_fault(const char *fault, const char *range) {
  sj_trial_set("fault", fault);
  if (range) sj_trial_set("range", range);
  stijl_renderer *renderer = sj_test_gpu();
  sj_trial_set("fault", NULL);
  sj_trial_set("range", NULL);
  return renderer;
}

static stijl_result draw(stijl_renderer *renderer, const stijl_scene *scene, uint8_t *pixels, stijl_message *message) {
  stijl_target target = {.size = sizeof target,
                         .width = WINDINGS_WIDTH,
                         .height = WINDINGS_HEIGHT,
                         .format = STIJL_FORMAT_RGBA8,
                         .pixels = pixels,
                         .stride = WINDINGS_WIDTH * 4};
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.background = (stijl_color){0, 0, 0, 0};
  return stijl_render(renderer, scene, &target, &params, message);
}

// Fails each command buffer's begin and end once: an error, and the next frame is right. Returns how many there are.
static int fail_recordings(const windings *w, const char *range) {
  static uint8_t pixels[WINDINGS_WIDTH * WINDINGS_HEIGHT * 4];
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  windings_draw(scene, w);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  int number = 1;
  for (bool failed = true; failed && number < 200; number++) {
    char fault[32];
    snprintf(fault, sizeof fault, "recording%d", number);
    stijl_renderer *gpu = open_with_fault(fault, range);
    stijl_message message = {""};
    stijl_result result = draw(gpu, scene, pixels, &message);
    failed = result != STIJL_OK;
    if (failed) {
      CHECK_INT(result, STIJL_ERROR_DEVICE);
      CHECK(strstr(message.text, "recording commands") != NULL);
      CHECK_INT(draw(gpu, scene, pixels, &message), STIJL_OK);
    }
    windings_check(w, pixels, fault);
    stijl_renderer_destroy(gpu);
  }
  stijl_scene_destroy(scene);
  return number - 2;
}

TEST(recordings) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  CHECK(fail_recordings(&(windings){3, WINDINGS_MIXED, false, STIJL_FILL_NONZERO, false}, NULL) >= 2);
  // In parts, with more submissions.
  CHECK(fail_recordings(&(windings){2500, WINDINGS_MIXED, true, STIJL_FILL_NONZERO, false}, "62000") >= 6);
}

// Another scene at the address of the last one, finished at the same time, is another scene.
TEST(scenes_alike) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  static uint8_t pixels[WINDINGS_WIDTH * WINDINGS_HEIGHT * 4];
  const stijl_scene *last = NULL;
  int alike = 0;
  for (int i = 0; i < 20; i++) {
    windings w = {1, WINDINGS_FORWARDS, i & 1, STIJL_FILL_NONZERO, false};
    stijl_scene *scene = NULL;
    stopped = true;
    CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
    if (i % 3) windings_draw(scene, &w);
    CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
    stopped = false;
    alike += scene == last;
    last = scene;
    memset(pixels, 0, sizeof pixels);
    CHECK_INT(draw(gpu, scene, pixels, NULL), STIJL_OK);
    if (i % 3) windings_check(&w, pixels, "a scene like the last one");
    stijl_scene_destroy(scene);
  }
  if (!alike) printf("# no scene came to lie where another had been\n");
  stijl_renderer_destroy(gpu);
}

// Shaders that have floats ask for their rounding: OpExecutionMode RoundingModeRTE for 32 bits.
TEST(rounding) {
  for (int stage = 0; stage < SJ_STAGES; stage++) {
    sj_vk_shader shader = sj_shader_of((sj_stage)stage, 0, 4);
    bool asks = false;
    for (size_t i = 5; i < shader.bytes / 4 && shader.words[i] >> 16; i += shader.words[i] >> 16)
      asks = asks || ((shader.words[i] & 0xffff) == 16 && shader.words[i + 2] == 4462 && shader.words[i + 3] == 32);
    if (!asks) sj_test_fail(sj_stage_name((sj_stage)stage), 0, "does not say how floats are rounded");
  }
}
