// Frames on a GPU, for scripts/gpu-bench:
//
//   bench_gpu DEVICE FILE:WIDTHxHEIGHT[*COUNT] [NAME...]
//
// prints one JSON object, with the measurements named, or all. FILE is an SVG document or a saved scene; "differing"
// are the pixels that the processor draws otherwise. Frames are drawn for a while first: a GPU that was idle raises its
// clock for a second or so. A measurement then is a batch of frames, again and again until the last batches agree. Of
// all values "us" is the median of the last batches, "worst_us" the longest single frame of them where each is waited
// for, "first_us" the first batch, "batches" and "ms" how long it took to agree. But for back_to_back, each frame moves
// the scene a little, so that it is encoded again.
//   back_to_back  one frame submitted many times, without anybody reading it: stijl_renderer_repeat
//   memory        stijl_render: submitted, waited for, the pixels in the caller's memory
//   buffer        stijl_vulkan_render into the application's buffer, waited for
//   one, two      the same left in flight, by one renderer, and by two that take turns, each with a queue of its own
//   device        all commands of a frame, by the device's clock; "filters" those of filters among them
//   copy          as many bytes as the target has, copied from one buffer to another, by the device's clock
//   bus           the same from the device's memory to the host's
//   changed_1, changed_1000  the same as buffer, and so many draws have other transforms than in the frame before
//   changed_all   the same as buffer, of a scene that is another one each time: all of it is uploaded
// With *COUNT a frame is an atlas of so many pictures of this size (stijl_render_many), each of a scene of its own,
// that was made of the file. Then there are also
//   fresh_memory, fresh_buffer  the scenes are others than those of the frame before
//   cpu, cpu_fresh              the processor's threads, into memory
//   beside        four threads, a renderer with a device of its own and one thread each, into memory: a frame of each
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "gpu/state.h"
#include "scene/scene.h"
#include "stijl/stijl.h"
#include "stijl/vulkan.h"

enum {
  MOST_FRAMES = 100,  // of a batch
  LEAST_FRAMES = 8,
  BATCH_US = 30000,  // as long as a batch takes, if these allow it
  AGREEING = 5,      // batches
  WARM_MS = 800,
  MAX_MS = 400,
};
#define AGREE 1.015  // the largest of the last batches to the smallest

static void check(stijl_result result, const char *what, const char *message) {
  if (result == STIJL_OK) return;
  fprintf(stderr, "bench_gpu: %s: %s\n", what, message);
  exit(1);
}

enum { BESIDE = 4 };

// What a thread of its own draws with.
typedef struct beside {
  struct bench *b;
  stijl_renderer *renderer;
  stijl_render_params params;
  void *pixels;
} beside;

typedef struct bench {
  stijl_scene *scene;
  int width, height;
  stijl_render_params params;
  sj_vk vk;  // the application's device
  stijl_vulkan_device device;
  stijl_renderer *renderers[2];
  sj_buffer buffers[2];
  sj_vk_commands commands;
  sj_vk_timer timer;
  char **names;  // of what is to be measured, up to a NULL; none: all
  bool still;
  void *pixels;
  beside beside[BESIDE];
  // Of an atlas: two sets of so many pictures, the one at work, and whether each frame takes the other one.
  stijl_picture *pictures[2];
  size_t count;
  int set;
  bool fresh;
  stijl_renderer *cpu;
  size_t changes, changed;  // how many draws change before each frame, and how many have
  bool anew;                // the scene counts as another one
  int frames;               // of a batch
  double worst_us;          // of the frames of the last batch that were waited for one by one
} bench;

// --- What is measured: microseconds of a frame ---

static double time_back_to_back(bench *b) {
  stijl_message message = {""};
  double us = 0;
  check(stijl_renderer_repeat(b->renderers[0], (uint32_t)b->frames, &us, &message), "repeating frames", message.text);
  return us;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_value);
  return values[count / 2];
}

// Moves the picture: a frame like the last one would not be encoded again.
static void move(bench *b) {
  const float step = 1.0f / 1024.0f;  // three places, so that two renderers do not get the same one each time
  if (!b->still) b->params.transform.e = b->params.transform.e > step ? 0.0f : b->params.transform.e + step;
  for (size_t i = 0; i < b->changes; i++) {
    // Ends of layers do not change.
    uint32_t draw = (uint32_t)(b->changed++ * 7919 % b->scene->draws.count);
    stijl_matrix m = b->scene->draws.data[draw].transform;
    m.e += b->changed % 2 ? step : -step;
    stijl_scene_set_transform(b->scene, draw, &m, NULL);
  }
  if (b->anew) b->scene->serial = b->scene->arrays = sj_scene_next_serial();
  if (b->fresh) b->set = !b->set;
  for (size_t i = 0; i < b->count; i++) b->pictures[b->set][i].transform = b->params.transform;
}

// Returns the median, and notes the worst.
static double sum_up(bench *b, double *us) {
  double middle = median(us, b->frames);
  b->worst_us = us[b->frames - 1];
  return middle;
}

static void draw_into(bench *b, stijl_renderer *renderer, void *pixels, const stijl_render_params *params) {
  stijl_target target = STIJL_TARGET_INIT;
  target.width = b->width;
  target.height = b->height;
  target.pixels = pixels;
  target.stride = (size_t)b->width * 4;
  stijl_message message = {""};
  check(b->count ? stijl_render_many(renderer, b->pictures[b->set], b->count, &target, NULL, &message)
                 : stijl_render(renderer, b->scene, &target, params, &message),
        "drawing into memory", message.text);
}

static double time_into(bench *b, stijl_renderer *renderer) {
  double us[MOST_FRAMES];
  for (int i = 0; i < b->frames; i++) {
    double start = sj_now_us();
    move(b);
    draw_into(b, renderer, b->pixels, &b->params);
    us[i] = sj_now_us() - start;
  }
  return sum_up(b, us);
}

static double time_memory(bench *b) { return time_into(b, b->renderers[0]); }
static double time_cpu(bench *b) { return time_into(b, b->cpu); }

static void *draw_beside(void *user) {
  beside *own = user;
  for (int i = 0; i < own->b->frames; i++) {
    own->params.transform.e = (float)(i % 3) / 1024;
    draw_into(own->b, own->renderer, own->pixels, &own->params);
  }
  return NULL;
}

static double time_beside(bench *b) {
  pthread_t threads[BESIDE];
  double start = sj_now_us();
  for (int i = 0; i < BESIDE; i++)
    if (pthread_create(&threads[i], NULL, draw_beside, &b->beside[i]) != 0)
      check(STIJL_ERROR_OUT_OF_MEMORY, "four threads", "they do not start");
  for (int i = 0; i < BESIDE; i++) pthread_join(threads[i], NULL);
  return (sj_now_us() - start) / b->frames;
}

static void draw(bench *b, int renderer, int buffer, bool in_flight) {
  stijl_vulkan_target target = STIJL_VULKAN_TARGET_INIT;
  target.width = b->width;
  target.height = b->height;
  target.buffer = b->buffers[buffer].handle;
  target.stride = (uint64_t)b->width * 4;
  stijl_vulkan_frame frame = STIJL_VULKAN_FRAME_INIT;
  frame.in_flight = in_flight;
  stijl_message message = {""};
  move(b);
  check(b->count ? stijl_vulkan_render_many(b->renderers[renderer], b->pictures[b->set], b->count, &target, NULL,
                                            &frame, &message)
                 : stijl_vulkan_render(b->renderers[renderer], b->scene, &target, &b->params, &frame, &message),
        "drawing into a buffer", message.text);
}

static size_t count_differing(bench *b) {
  stijl_message message = {""};
  size_t pixels = (size_t)b->width * (size_t)b->height, differing = 0;
  uint8_t *ours = calloc(pixels, 4), *theirs = b->pixels;
  stijl_renderer *cpu = NULL;
  if (!ours) check(STIJL_ERROR_OUT_OF_MEMORY, "comparing", "out of memory");
  check(stijl_renderer_create(NULL, NULL, &cpu, &message), "comparing", message.text);
  draw_into(b, cpu, ours, &b->params);
  draw_into(b, b->renderers[0], theirs, &b->params);
  for (size_t i = 0; i < pixels; i++) differing += memcmp(ours + 4 * i, theirs + 4 * i, 4) != 0;
  stijl_renderer_destroy(cpu);
  free(ours);
  return differing;
}

static double time_buffer(bench *b) {
  double us[MOST_FRAMES];
  for (int i = 0; i < b->frames; i++) {
    double start = sj_now_us();
    draw(b, 0, 0, false);
    us[i] = sj_now_us() - start;
  }
  return sum_up(b, us);
}

static double time_in_flight(bench *b, int renderers) {
  double start = sj_now_us();
  for (int i = 0; i < b->frames; i++) draw(b, i % renderers, i % 2, true);
  for (int i = 0; i < renderers; i++) {
    bool painted = false;
    stijl_message message = {""};
    check(stijl_vulkan_finish(b->renderers[i], &painted, &message), "waiting for a frame", message.text);
    if (!painted) check(STIJL_ERROR_LIMIT, "waiting for a frame", "it was not painted");
  }
  return (sj_now_us() - start) / b->frames;
}

static double time_one(bench *b) { return time_in_flight(b, 1); }
static double time_two(bench *b) { return time_in_flight(b, 2); }

// Returns the time by the device's clock, of frames one after the other: the last of the stages are those of filters.
static double time_stages(bench *b, bool filters_only) {
  double us[MOST_FRAMES];
  for (int i = 0; i < b->frames; i++) {
    draw(b, 0, 0, false);
    stijl_render_stats stats = {.size = sizeof stats};
    stijl_renderer_stats(b->renderers[0], &stats);
    us[i] = 0;
    for (uint32_t k = 0; k < stats.stage_count; k++)
      if (!filters_only || strcmp(stats.stages[k].name, "filters") == 0) us[i] += stats.stages[k].us;
  }
  return median(us, b->frames);
}

static double time_device(bench *b) { return time_stages(b, false); }
static double time_filters(bench *b) { return time_stages(b, true); }

// Copies the target's bytes from the first buffer to the second, or in turns back again.
static double time_copies(bench *b, const sj_buffer *first, const sj_buffer *second, bool turns) {
  sj_vk *vk = &b->vk;
  enum { COPIES = 20 };
  VkCommandBuffer commands = b->commands.buffers[0];
  stijl_message message = {""};
  check(sj_vk_begin(vk, commands, 0, &message), "copying", message.text);
  VkBufferCopy region = {.size = (VkDeviceSize)b->width * (VkDeviceSize)b->height * 4};
  sj_vk_barrier(vk, commands, SJ_VK_COMPUTE | SJ_VK_COPY, SJ_VK_COPY);
  sj_vk_timer_begin(vk, commands, &b->timer);
  for (int i = 0; i < COPIES; i++) {
    bool back = turns && i % 2;
    vk->CmdCopyBuffer(commands, (back ? second : first)->handle, (back ? first : second)->handle, 1, &region);
    sj_vk_barrier(vk, commands, SJ_VK_COPY, SJ_VK_COPY);
  }
  sj_vk_stamp(vk, commands, &b->timer, 1);
  check(sj_vk_end(vk, commands, &message), "copying", message.text);
  double us = 0;
  VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  vk->ResetFences(vk->device, 1, &b->commands.fence);
  if (sj_vk_submit(vk, &info, b->commands.fence) != VK_SUCCESS || sj_vk_wait(vk, b->commands.fence) != VK_SUCCESS)
    check(STIJL_ERROR_UNSUPPORTED, "copying", "the device is lost");
  sj_vk_times(vk, &b->timer, 2, &us);
  return us / COPIES;
}

static double time_copy(bench *b) { return time_copies(b, &b->buffers[0], &b->buffers[1], true); }

static double time_bus(bench *b) {
  sj_buffer host = {.name = "host", .kind = SJ_BUFFER_READBACK};
  VkDeviceSize bytes = (VkDeviceSize)b->width * (VkDeviceSize)b->height * 4;
  bool grown = false;
  stijl_message message = {""};
  check(sj_buffer_reserve(&b->vk, &host, bytes, &grown, &message), "copying", message.text);
  double us = time_copies(b, &b->buffers[0], &host, false);
  sj_buffer_finish(&b->vk, &host);
  return us;
}

static bool is_wanted(const bench *b, const char *name) {
  bool wanted = !*b->names;
  for (char **n = b->names; *n && !wanted; n++) wanted = strcmp(*n, name) == 0;
  return wanted;
}

static void measure(bench *b, const char *name, double (*batch)(bench *b)) {
  if (!is_wanted(b, name)) return;
  // The first frame makes buffers, and touches the caller's memory for the first time: 25 ms at 4096 x 4096.
  int frames = b->frames;
  b->frames = 1;
  batch(b);
  b->frames = frames;
  double us[AGREEING], worst_us[AGREEING], first = 0, start = sj_now_us();
  for (int batches = 1;; batches++) {
    b->worst_us = 0;
    double last = batch(b);
    if (batches == 1) first = last;
    us[(batches - 1) % AGREEING] = last;
    worst_us[(batches - 1) % AGREEING] = b->worst_us;
    double least = last, most = last, worst = b->worst_us, ms = (sj_now_us() - start) * 1e-3;
    for (int i = 0; batches >= AGREEING && i < AGREEING; i++) {
      least = us[i] < least ? us[i] : least;
      most = us[i] > most ? us[i] : most;
      worst = worst_us[i] > worst ? worst_us[i] : worst;
    }
    bool agree = batches >= AGREEING && most <= least * AGREE;
    if (!agree && ms < MAX_MS) continue;
    printf("\"%s\": {\"us\": %.1f, \"worst_us\": %.1f, \"first_us\": %.1f, \"batches\": %d, \"ms\": %.0f, ", name,
           median(us, batches < AGREEING ? batches : AGREEING), worst, first, batches, ms);
    printf("\"agree\": %s}, ", agree ? "true" : "false");
    return;
  }
}

// --- Before ---

// Draws frames until the device's clock has risen; how long they take decides how many make a batch.
static void warm(bench *b) {
  int frames = 0;
  double start = sj_now_us(), us = 0;
  for (; us < WARM_MS * 1e3; us = sj_now_us() - start, frames++) draw(b, frames % 2, frames % 2, false);
  double fit = BATCH_US * frames / us;
  b->frames = fit > MOST_FRAMES ? MOST_FRAMES : fit < LEAST_FRAMES ? LEAST_FRAMES : (int)fit;
}

static stijl_scene *make_scene(const char *data, size_t bytes, int width, int height, const char *path) {
  stijl_message message = {""};
  stijl_scene *scene = NULL;
  if (stijl_scene_is_saved(data, bytes)) {
    check(stijl_scene_load(NULL, data, bytes, NULL, &scene, NULL, &message), path, message.text);
    return scene;
  }
  stijl_svg *svg = NULL;
  check(stijl_svg_load(NULL, data, bytes, NULL, &svg, &message), path, message.text);
  check(stijl_svg_scene(svg, (float)width, (float)height, &scene, &message), path, message.text);
  stijl_svg_destroy(svg);
  return scene;
}

// Makes the pictures of an atlas, and its size of that of one.
static void make_pictures(bench *b, const char *data, size_t bytes, const char *path) {
  int width = b->width, height = b->height, columns = 1;
  while ((size_t)columns * (size_t)columns < b->count) columns++;
  for (int set = 0; set < 2; set++) {
    b->pictures[set] = calloc(b->count, sizeof *b->pictures[set]);
    if (!b->pictures[set]) check(STIJL_ERROR_OUT_OF_MEMORY, path, "out of memory");
    for (size_t i = 0; i < b->count; i++) {
      stijl_picture *made = &b->pictures[set][i];
      int x = (int)(i % (size_t)columns) * width, y = (int)(i / (size_t)columns) * height;
      *made = (stijl_picture)STIJL_PICTURE_INIT;
      made->scene = make_scene(data, bytes, width, height, path);
      made->place = (stijl_irect){x, y, x + width, y + height};
    }
  }
  b->width = width * columns;
  b->height = height * (int)((b->count + (size_t)columns - 1) / (size_t)columns);
}

static void load(bench *b, const char *path) {
  FILE *file = fopen(path, "rb");
  char *data = NULL;
  size_t bytes = 0;
  if (file && fseek(file, 0, SEEK_END) == 0) {
    long end = ftell(file);
    data = end > 0 ? malloc((size_t)end) : NULL;
    rewind(file);
    if (data) bytes = fread(data, 1, (size_t)end, file);
  }
  if (file) fclose(file);
  if (!bytes) check(STIJL_ERROR_IO, path, "it cannot be read");
  if (b->count)
    make_pictures(b, data, bytes, path);
  else
    b->scene = make_scene(data, bytes, b->width, b->height, path);
  free(data);
}

// Opens the device as an application would, so that both kinds of target are measured on the same one.
static void open_device(bench *b, const char *name) {
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  if (*name >= '0' && *name <= '9')
    params.device = atoi(name);
  else
    params.device_name = name;
  stijl_message message = {""};
  sj_vk *vk = &b->vk;
  const sj_vk_needs needs = {.two_queues = true};
  check(sj_vk_open(vk, sj_context(NULL), params.device, params.device_name, &needs, &message), name, message.text);
  static VkPhysicalDeviceVulkan13Features f13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  static VkPhysicalDeviceVulkan12Features f12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .pNext = &f13};
  static VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &f12};
  check(stijl_vulkan_enable(&features, &message), name, message.text);
  features.features.shaderInt64 = f12.shaderBufferInt64Atomics = vk->wide;
  stijl_vulkan_device device = STIJL_VULKAN_DEVICE_INIT;
  device.get_instance_proc_addr = vk->instance.GetInstanceProcAddr;
  device.instance = vk->instance.handle;
  device.physical_device = vk->physical;
  device.device = vk->device;
  device.queue_family = vk->family;
  device.features = &features;
  for (int i = 0; i < 2; i++) {
    vk->GetDeviceQueue(vk->device, vk->family, (uint32_t)i % vk->queues, &device.queue);
    check(stijl_vulkan_renderer_create(NULL, NULL, &device, &b->renderers[i], &message), name, message.text);
    bool grown = false;
    b->buffers[i] = (sj_buffer){.name = "target", .kind = SJ_BUFFER_DEVICE};
    check(sj_buffer_reserve(vk, &b->buffers[i], (VkDeviceSize)b->width * (VkDeviceSize)b->height * 4, &grown, &message),
          name, message.text);
  }
}

static void open_beside(bench *b, const char *name) {
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.backend = STIJL_BACKEND_VULKAN;
  params.threads = 1;
  if (*name >= '0' && *name <= '9')
    params.device = atoi(name);
  else
    params.device_name = name;
  stijl_message message = {""};
  for (int i = 0; i < BESIDE; i++) {
    b->beside[i] = (beside){.b = b, .params = b->params, .pixels = calloc((size_t)b->width * (size_t)b->height, 4)};
    if (!b->beside[i].pixels) check(STIJL_ERROR_OUT_OF_MEMORY, "four threads", "out of memory");
    check(stijl_renderer_create(NULL, &params, &b->beside[i].renderer, &message), "four threads", message.text);
  }
}

static void close_beside(bench *b) {
  for (int i = 0; i < BESIDE; i++) {
    stijl_renderer_destroy(b->beside[i].renderer);
    free(b->beside[i].pixels);
  }
}

static void open_commands(bench *b) {
  stijl_message message = {""};
  check(sj_vk_commands_create(&b->vk, 1, &b->commands, &message), "copying", message.text);
  check(sj_vk_timer_create(&b->vk, 2, &b->timer, &message), "copying", message.text);
}

static void print_stats(const bench *b) {
  stijl_render_stats stats = {.size = sizeof stats};
  stijl_renderer_stats(b->renderers[0], &stats);
  printf("\"stages\": {");
  for (uint32_t i = 0; i < stats.stage_count; i++)
    printf("%s\"%s\": %.1f", i ? ", " : "", stats.stages[i].name, stats.stages[i].us);
  double kib = 0;
  for (uint32_t i = 0; i < stats.buffer_count; i++)
    if (strcmp(stats.buffers[i].name, "target") != 0 && strcmp(stats.buffers[i].name, "readback") != 0)
      kib += (double)stats.buffers[i].bytes / 1024;
  printf("}, \"dispatches\": %u, \"encode_us\": %.1f, \"beside_target_mib\": %.1f, ", stats.dispatches,
         stats.encode_ms * 1e3, kib / 1024);
}

static void measure_fresh(bench *b) {
  stijl_message message = {""};
  check(stijl_renderer_create(NULL, NULL, &b->cpu, &message), "cpu", message.text);
  measure(b, "cpu", time_cpu);
  b->fresh = true;
  measure(b, "cpu_fresh", time_cpu);
  measure(b, "fresh_memory", time_memory);
  measure(b, "fresh_buffer", time_buffer);
  b->fresh = false;
  stijl_renderer_destroy(b->cpu);
}

static void measure_changed(bench *b) {
  b->changes = 1;
  measure(b, "changed_1", time_buffer);
  b->changes = 1000;
  measure(b, "changed_1000", time_buffer);
  b->changes = 0;
  b->anew = true;
  measure(b, "changed_all", time_buffer);
  b->anew = false;
}

int main(int argc, char **argv) {
  bench b = {.params = STIJL_RENDER_PARAMS_INIT};
  char *colon = argc >= 3 ? strrchr(argv[2], ':') : NULL;
  if (!colon || sscanf(colon, ":%dx%d*%zu", &b.width, &b.height, &b.count) < 2 || b.width < 1 || b.height < 1) {
    fprintf(stderr, "usage: bench_gpu DEVICE FILE:WIDTHxHEIGHT[*COUNT] [NAME...]\n");
    return 2;
  }
  b.params.background = (stijl_color){1, 1, 1, 1};
  *colon = 0;
  b.names = argv + 3;
  b.still = *b.names && is_wanted(&b, "still");
  load(&b, argv[2]);
  size_t bytes = (size_t)b.width * (size_t)b.height * 4;
  b.pixels = malloc(bytes);
  if (!b.pixels) check(STIJL_ERROR_OUT_OF_MEMORY, argv[2], "out of memory");
  memset(b.pixels, 0, bytes);  // its pages are there before anything is timed
  open_device(&b, argv[1]);
  open_commands(&b);
  // Buffers grow to what the scene needs.
  for (int i = 0; i < 2; i++) draw(&b, i, i, false);
  printf("{\"scene\": \"%s\", \"width\": %d, \"height\": %d, \"gpu\": \"%s\", ", argv[2], b.width, b.height,
         stijl_renderer_device(b.renderers[0]));
  if (is_wanted(&b, "differing")) printf("\"differing\": %zu, ", count_differing(&b));
  warm(&b);
  // A frame of several submissions cannot be repeated as it is.
  double us = 0;
  if (stijl_renderer_repeat(b.renderers[0], 1, &us, NULL) == STIJL_OK) measure(&b, "back_to_back", time_back_to_back);
  print_stats(&b);
  measure(&b, "device", time_device);
  measure(&b, "filters", time_filters);
  measure(&b, "copy", time_copy);
  measure(&b, "bus", time_bus);
  measure(&b, "memory", time_memory);
  measure(&b, "buffer", time_buffer);
  measure(&b, "one", time_one);
  measure(&b, "two", time_two);
  if (b.count)
    measure_fresh(&b);
  else
    measure_changed(&b);
  if (is_wanted(&b, "beside") && !b.count) {
    open_beside(&b, argv[1]);
    measure(&b, "beside", time_beside);
    close_beside(&b);
  }
  printf("\"threads\": %d}\n", stijl_renderer_threads(b.renderers[0]));
  for (int i = 0; i < 2; i++) {
    stijl_renderer_destroy(b.renderers[i]);
    sj_buffer_finish(&b.vk, &b.buffers[i]);
  }
  sj_vk_timer_destroy(&b.vk, &b.timer);
  sj_vk_commands_destroy(&b.vk, &b.commands);
  sj_vk_close(&b.vk);
  stijl_scene_destroy(b.scene);
  for (int set = 0; set < 2; set++) {
    for (size_t i = 0; i < b.count; i++) stijl_scene_destroy((void *)(uintptr_t)b.pictures[set][i].scene);
    free(b.pictures[set]);
  }
  free(b.pixels);
}
