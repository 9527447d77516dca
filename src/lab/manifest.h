// A manifest describes a user's kernel: its shader, its buffers, and how it is dispatched. It is a file of lines
// (docs/lab.md, "Manifests").
#ifndef SJ_LAB_MANIFEST_H
#define SJ_LAB_MANIFEST_H

#include "lab/user.h"

enum { SJ_LAB_MAX_BUFFERS = 8, SJ_LAB_MAX_FEATURES = 16, SJ_LAB_MAX_DEFINES = 16 };

typedef enum sj_lab_fill { SJ_LAB_FILL_ZERO, SJ_LAB_FILL_NUMBER, SJ_LAB_FILL_RANDOM } sj_lab_fill;

typedef struct sj_lab_manifest {
  char shader[512], folder[512];  // the shader's path, and the folder in which it and its includes are
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
  // Specialisation constants that `lab ablate` tries with other values.
  struct {
    uint32_t id, value;
  } features[SJ_LAB_MAX_FEATURES];
  uint32_t feature_count;
  bool has_shape;  // `shape` names the constants that set how many lanes a workgroup has in x and in y
  uint32_t shape[2];
  bool has_check;  // the expected FNV-1a hash, of 64 bits, of the buffer of check_binding after a run
  uint32_t check_binding;
  uint64_t check_hash;
} sj_lab_manifest;

// Reads a manifest. Messages of errors name the file and the line.
stijl_result sj_lab_manifest_read(sj_lab *lab, const char *path, sj_lab_manifest *out);

#endif
