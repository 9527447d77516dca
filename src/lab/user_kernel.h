// What all instruments that run a user's kernel share.
#ifndef SJ_LAB_USER_KERNEL_H
#define SJ_LAB_USER_KERNEL_H

#include "lab/ablate.h"
#include "lab/manifest.h"
#include "lab/statistics.h"

// A user's kernel by its manifest, its buffers, what it leaves in them, and versions of it.
typedef struct sj_lab_user {
  sj_lab *lab;
  sj_lab_manifest manifest;
  char *text;  // GLSL; NULL for SPIR-V
  size_t bytes;
  sj_vk_shader whole;
  sj_buffer buffers[SJ_LAB_MAX_BUFFERS], back;  // in the manifest's order
  uint64_t hashes[SJ_LAB_MAX_BUFFERS];          // of what the whole shader leaves
  sj_lab_kernel kernels[SJ_LAB_MAX_SLOTS];
  sj_lab_case cases[SJ_LAB_MAX_SLOTS];
  sj_lab_statistics statistics;  // of the whole shader
} sj_lab_user;

// Reads a manifest, calls `what` with it, and frees all that was made for it.
stijl_result sj_lab_with_manifest(sj_lab *lab, const char *manifest, stijl_result (*what)(sj_lab_user *r));
// Compiles the shader, and keeps its text where it is GLSL.
stijl_result sj_lab_user_load(sj_lab_user *r);
stijl_result sj_lab_user_make_buffers(sj_lab_user *r);
// Sets buffers[b] to the buffer of binding b; other entries stay as they are.
void sj_lab_user_bind(const sj_lab_user *r, const sj_buffer **buffers);
// Fills the buffers as the manifest says.
stijl_result sj_lab_user_fill(sj_lab_user *r);
// Compiles GLSL with the manifest's definitions. `user` is a sj_lab_user; the caller frees out->words.
stijl_result sj_lab_user_compile(void *user, const char *text, size_t bytes, sj_vk_shader *out);
// Fails where the manifest lacks a buffer or push constants that the shader uses.
stijl_result sj_lab_user_check_interface(const sj_lab_user *r, const sj_vk_shader *shader, const uint32_t *constants);
// Compares what a version has left in the buffers with what the whole shader leaves. That is slot 0's, which is kept,
// and held against the manifest's check.
stijl_result sj_lab_user_compare(sj_lab_user *r, uint32_t slot, bool *same);

#endif
