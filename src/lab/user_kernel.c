#include "lab/user_kernel.h"

#include <string.h>

// --- Buffers ---

static uint32_t random_word(uint32_t i) {
  uint32_t h = i * 2654435761u + 1;
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 12;
  h *= 0x297a2d39u;
  return h ^ h >> 15;
}

stijl_result sj_lab_user_fill(sj_lab_user *r) {
  stijl_result result = STIJL_OK;
  for (uint32_t i = 0; i < r->manifest.buffer_count && result == STIJL_OK; i++) {
    uint64_t bytes = r->manifest.buffers[i].bytes;
    if (r->manifest.buffers[i].fill == SJ_LAB_FILL_RANDOM) {
      uint32_t *words = r->back.mapped;
      for (uint64_t k = 0; k < bytes / 4; k++) words[k] = random_word((uint32_t)k);
      result = sj_lab_copy(r->lab, &r->back, &r->buffers[i], bytes);
    } else {
      uint32_t factor = r->manifest.buffers[i].fill == SJ_LAB_FILL_NUMBER ? SJ_LAB_WORD : 0;
      result = sj_lab_number_by(r->lab, &r->buffers[i], bytes, factor);
    }
  }
  return result;
}

static stijl_result hash(sj_lab_user *r, uint32_t i, uint64_t *out) {
  stijl_result result = sj_lab_copy(r->lab, &r->buffers[i], &r->back, r->manifest.buffers[i].bytes);
  uint64_t h = 0xcbf29ce484222325u;  // FNV-1a
  const unsigned char *bytes = r->back.mapped;
  for (uint64_t k = 0; result == STIJL_OK && k < r->manifest.buffers[i].bytes; k++) h = (h ^ bytes[k]) * 0x100000001b3u;
  *out = h;
  return result;
}

stijl_result sj_lab_user_make_buffers(sj_lab_user *r) {
  uint64_t most = 4;
  stijl_result result = STIJL_OK;
  for (uint32_t i = 0; i < r->manifest.buffer_count && result == STIJL_OK; i++) {
    uint64_t bytes = r->manifest.buffers[i].bytes;
    if (bytes > most) most = bytes;
    if (bytes > r->lab->vk.properties.limits.maxStorageBufferRange)
      return sj_fail(r->lab->message, STIJL_ERROR_LIMIT,
                     "binding %u: the device's storage buffers have %u bytes at most", r->manifest.buffers[i].binding,
                     r->lab->vk.properties.limits.maxStorageBufferRange);
    result = sj_lab_buffer(r->lab, &r->buffers[i], SJ_BUFFER_DEVICE, "a buffer of the manifest", bytes);
  }
  return result == STIJL_OK ? sj_lab_buffer(r->lab, &r->back, SJ_BUFFER_READBACK, "the host's copy", most) : result;
}

void sj_lab_user_bind(const sj_lab_user *r, const sj_buffer **buffers) {
  const sj_lab_manifest *m = &r->manifest;
  for (uint32_t b = 0; b < m->buffer_count; b++) buffers[m->buffers[b].binding] = &r->buffers[b];
}

// --- Versions ---

stijl_result sj_lab_user_compile(void *user, const char *text, size_t bytes, sj_vk_shader *out) {
  sj_lab_user *r = user;
  const sj_lab_manifest *m = &r->manifest;
  const char *defines[SJ_LAB_MAX_DEFINES], *const folders[] = {m->folder, NULL};
  for (uint32_t i = 0; i < m->define_count; i++) defines[i] = m->defines[i];
  return sj_lab_compile_glsl(r->lab, m->shader, text, bytes, folders, defines, m->define_count, out);
}

stijl_result sj_lab_user_check_interface(const sj_lab_user *r, const sj_vk_shader *shader, const uint32_t *constants) {
  const sj_lab_manifest *m = &r->manifest;
  uint32_t bound = 0;
  for (uint32_t b = 0; b < m->buffer_count; b++) bound |= 1u << m->buffers[b].binding;
  sj_vk_interface interface;
  stijl_result result =
      sj_vk_reflect(r->lab->context, shader, constants, m->constant_count, &interface, r->lab->message);
  if (result != STIJL_OK) return result;
  if (interface.bindings & ~bound)
    return sj_fail(r->lab->message, STIJL_ERROR_INVALID_ARGUMENT,
                   "%.120s binds a buffer that the manifest does not have", m->shader);
  if (interface.push_bytes > m->push_count * 4)
    return sj_fail(r->lab->message, STIJL_ERROR_INVALID_ARGUMENT,
                   "%.120s has %u bytes of push constants, and the manifest %u", m->shader, interface.push_bytes,
                   m->push_count * 4);
  return STIJL_OK;
}

stijl_result sj_lab_user_compare(sj_lab_user *r, uint32_t slot, bool *same) {
  const sj_lab_manifest *m = &r->manifest;
  stijl_result result = STIJL_OK;
  *same = true;
  for (uint32_t b = 0; b < m->buffer_count && result == STIJL_OK; b++) {
    uint64_t h;
    result = hash(r, b, &h);
    if (!slot) r->hashes[b] = h;
    *same = *same && h == r->hashes[b];
    if (!slot && m->has_check && m->buffers[b].binding == m->check_binding && h != m->check_hash)
      sj_lab_wrong(r->lab->page, "the shader leaves 0x%016llx in binding %u, and the manifest expects 0x%016llx",
                   (unsigned long long)h, m->check_binding, (unsigned long long)m->check_hash);
  }
  return result;
}

// --- All ---

stijl_result sj_lab_user_load(sj_lab_user *r) {
  sj_lab *lab = r->lab;
  sj_lab_manifest *m = &r->manifest;
  const char *defines[SJ_LAB_MAX_DEFINES];
  for (uint32_t i = 0; i < m->define_count; i++) defines[i] = m->defines[i];
  stijl_result result = sj_lab_load_shader(lab, m->shader, defines, m->define_count, &r->whole);
  if (result == STIJL_OK) result = sj_lab_read_file(lab, m->shader, &r->text, &r->bytes);
  if (result == STIJL_OK && r->bytes >= 4 && memcmp(r->text, "\x03\x02\x23\x07", 4) == 0) {
    sj_free(lab->context, r->text);
    r->text = NULL;
  }
  return result;
}

stijl_result sj_lab_with_manifest(sj_lab *lab, const char *manifest, stijl_result (*what)(sj_lab_user *r)) {
  sj_lab_user *r = sj_alloc_zero(lab->context, sizeof *r);
  if (!r) return sj_fail_memory(lab->message);
  r->lab = lab;
  stijl_result result = sj_lab_manifest_read(lab, manifest, &r->manifest);
  if (result == STIJL_OK) result = sj_lab_measure_ceilings(lab, false);
  if (result == STIJL_OK) result = what(r);
  sj_lab_statistics_finish(lab, &r->statistics);
  for (uint32_t i = 0; i < r->manifest.buffer_count; i++) sj_lab_buffer_finish(lab, &r->buffers[i]);
  sj_lab_buffer_finish(lab, &r->back);
  sj_free(lab->context, (void *)(uintptr_t)r->whole.words);
  sj_free(lab->context, r->text);
  sj_free(lab->context, r);
  return result;
}
