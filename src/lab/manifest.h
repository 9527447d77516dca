// A user's kernel: which shader, with which buffers, how it is dispatched. A file of lines (docs/lab.md, "Manifests").
#ifndef SJ_LAB_MANIFEST_H
#define SJ_LAB_MANIFEST_H

#include "lab/user.h"

enum { SJ_LAB_MAX_BUFFERS = 8, SJ_LAB_MAX_FEATURES = 16, SJ_LAB_MAX_DEFINES = 16 };

typedef enum sj_lab_fill { SJ_LAB_FILL_ZERO, SJ_LAB_FILL_NUMBER, SJ_LAB_FILL_RANDOM } sj_lab_fill;

typedef struct sj_lab_manifest {
  char shader[512], folder[512];  // the shader's path, and the folder it is in
  char defines[SJ_LAB_MAX_DEFINES][64];
  uint32_t define_count;
  uint32_t constants[SJ_VK_MAX_CONSTANTS], constant_count;
  struct {
    uint32_t binding;
    uint64_t bytes;
    sj_lab_fill fill;
  } buffers[SJ_LAB_MAX_BUFFERS];
  uint32_t buffer_count;
  uint32_t push[20], push_count;
  uint32_t groups[3];
  // Specialisation constants to be tried with other values.
  struct {
    uint32_t id, value;
  } features[SJ_LAB_MAX_FEATURES];
  uint32_t feature_count;
  bool has_shape;  // these constants are how many lanes a workgroup has in x and in y
  uint32_t shape[2];
  bool has_check;  // what the buffer of this binding has to hold in the end, as FNV-1a of 64 bits
  uint32_t check_binding;
  uint64_t check_hash;
} sj_lab_manifest;

// Errors name the file and the line.
stijl_result sj_lab_manifest_read(sj_lab *lab, const char *path, sj_lab_manifest *out);

#endif
