#include "lab/nvidia.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/library.h"
#include "lab/user.h"

SJ_LIBRARY_NOTE(
    "[{\"soname\":[\"libzstd.so.1\"],\"feature\":\"zstd\",\"description\":\"What a GPU's driver made of a "
    "shader\",\"priority\":\"suggested\"}]");

// --- The pipeline cache ---

// Functions of libzstd, which has a stable interface and is opened when it is needed.
typedef struct zstd {
  void *library;
  unsigned long long (*content_size)(const void *from, size_t bytes);
  size_t (*frame_size)(const void *from, size_t bytes);
  size_t (*decompress)(void *to, size_t room, const void *from, size_t bytes);
  unsigned (*is_error)(size_t code);
} zstd;

static bool open_zstd(zstd *z) {
  static const char *const names[] = {"ZSTD_getFrameContentSize", "ZSTD_findFrameCompressedSize", "ZSTD_decompress",
                                      "ZSTD_isError"};
  void *found[4];
  z->library = sj_library_dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL, NULL);
  if (!z->library) return false;
  bool all = true;
  for (int i = 0; i < 4; i++) {
    found[i] = dlsym(z->library, names[i]);
    all = all && found[i];
  }
  // dlsym returns pointers to data, which C does not convert to pointers to functions.
  memcpy(&z->content_size, &found[0], sizeof found[0]);
  memcpy(&z->frame_size, &found[1], sizeof found[0]);
  memcpy(&z->decompress, &found[2], sizeof found[0]);
  memcpy(&z->is_error, &found[3], sizeof found[0]);
  if (!all) dlclose(z->library);
  return all;
}

static uint32_t word_at(const unsigned char *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static const unsigned char *find(const unsigned char *p, size_t bytes, const char *four) {
  for (size_t i = 0; i + 4 <= bytes; i++)
    if (memcmp(p + i, four, 4) == 0) return p + i;
  return NULL;
}

// Finds the code in the driver's object of a shader. The object begins with "NVuc" and has the number of sections in 16
// bits at byte 8. From byte 32 on each section has 32 bytes: its kind, its size, and its place counted from "NVuc" in
// 64 bits. Kind 1 is the code. This was seen in what the driver 580.159 writes for shaders whose statistics tell the
// size of their code.
static bool find_code(const unsigned char *object, size_t bytes, const unsigned char **code, size_t *count) {
  enum { SECTIONS = 32, SECTION = 32 };
  const unsigned char *magic = find(object, bytes, "NVuc");
  size_t room = magic ? bytes - (size_t)(magic - object) : 0;
  if (room < SECTIONS) return false;
  uint32_t sections = word_at(magic + 8) & 0xffff;
  for (uint32_t i = 0; i < sections && (size_t)(i + 1) * SECTION + SECTIONS <= room; i++) {
    const unsigned char *section = magic + SECTIONS + (size_t)i * SECTION;
    size_t size = word_at(section + 4), place = word_at(section + 8);
    if (word_at(section) != 1 || word_at(section + 12) || place > room || size > room - place || !size) continue;
    *code = magic + place;
    *count = size;
    return true;
  }
  return false;
}

stijl_result sj_lab_nvidia_code(stijl_context *context, const void *cache, size_t bytes, void **code, size_t *count) {
  enum { MOST = 64 << 20 };
  const unsigned char *frame = find(cache, bytes, "\x28\xb5\x2f\xfd"), *found = NULL;
  zstd z;
  *code = NULL;
  *count = 0;
  if (!frame || !open_zstd(&z)) return STIJL_OK;
  size_t rest = bytes - (size_t)(frame - (const unsigned char *)cache);
  unsigned long long size = z.content_size(frame, rest);
  size_t packed = z.frame_size(frame, rest);
  bool known = size && size <= MOST && !z.is_error(packed) && packed <= rest;
  unsigned char *object = known ? sj_alloc(context, (size_t)size) : NULL;
  bool memory = !known || object;
  if (object && z.decompress(object, (size_t)size, frame, packed) == size &&
      find_code(object, (size_t)size, &found, count)) {
    *code = sj_alloc(context, *count);
    memory = *code != NULL;
    if (*code) memcpy(*code, found, *count);
  }
  sj_free(context, object);
  dlclose(z.library);
  return memory ? STIJL_OK : STIJL_ERROR_OUT_OF_MEMORY;
}

// --- Disassembling ---

// Finds the name that nvdisasm knows the architecture by, as "SM90" for compute capability 9.0, in what nvidia-smi says
// of the device of that name.
static bool find_architecture(sj_lab *lab, const char *text, char out[16]) {
  const char *device = lab->vk.properties.deviceName;
  size_t length = strlen(device);
  unsigned major, minor;
  for (const char *line = text; line && *line; line = strchr(line, '\n')) {
    if (*line == '\n') line++;
    if (strncmp(line, device, length) != 0 || sscanf(line + length, ", %2u.%1u", &major, &minor) != 2) continue;
    snprintf(out, 16, "SM%u%u", major, minor);
    return true;
  }
  return false;
}

stijl_result sj_lab_nvidia_disassemble(sj_lab *lab, const void *code, size_t bytes, char **assembly) {
  static const char *const ask[] = {"nvidia-smi", "--query-gpu=name,compute_cap", "--format=csv,noheader", NULL};
  *assembly = NULL;
  stijl_result result = STIJL_OK;
  if (!*lab->architecture && !lab->asked_architecture) {
    char *told = NULL;
    lab->asked_architecture = true;
    result = sj_lab_run_program(lab, ask, NULL, 0, &told);
    if (result == STIJL_OK && told) find_architecture(lab, told, lab->architecture);
    sj_free(lab->context, told);
  }
  if (result != STIJL_OK || !*lab->architecture) return result;
  const char *const disassemble[] = {"nvdisasm", "--binary", lab->architecture, SJ_LAB_INPUT, NULL};
  return sj_lab_run_program(lab, disassemble, code, bytes, assembly);
}
