// `lab ablate`: a kernel with its features and its statements left out one at a time. What costs although the result is
// the same without it costs by its mere presence.
#include "lab/ablate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/manifest.h"

enum { MOST = 60, COLUMNS = 7 };

typedef struct variant {
  char name[96], lines[24];
  sj_vk_shader shader;  // words NULL: those of the whole shader
  uint32_t constants[SJ_VK_MAX_CONSTANTS];
  bool same;  // the buffers hold the same in the end
} variant;

typedef struct run {
  sj_lab *lab;
  sj_lab_manifest manifest;
  char *text;  // GLSL; NULL for SPIR-V
  size_t bytes;
  sj_vk_shader whole;
  sj_buffer buffers[SJ_LAB_MAX_BUFFERS], back;  // in the manifest's order
  uint64_t hashes[SJ_LAB_MAX_BUFFERS];          // of what the whole shader leaves
  variant variants[MOST];
  sj_lab_kernel kernels[MOST];
  sj_lab_case cases[MOST];
  uint32_t count, tried, refused;
} run;

// --- Buffers ---

static uint32_t random_word(uint32_t i) {
  uint32_t h = i * 2654435761u + 1;
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 12;
  h *= 0x297a2d39u;
  return h ^ h >> 15;
}

static stijl_result fill(run *r) {
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

static stijl_result hash(run *r, uint32_t i, uint64_t *out) {
  stijl_result result = sj_lab_copy(r->lab, &r->buffers[i], &r->back, r->manifest.buffers[i].bytes);
  uint64_t h = 0xcbf29ce484222325u;  // FNV-1a
  const unsigned char *bytes = r->back.mapped;
  for (uint64_t k = 0; result == STIJL_OK && k < r->manifest.buffers[i].bytes; k++) h = (h ^ bytes[k]) * 0x100000001b3u;
  *out = h;
  return result;
}

static stijl_result make_buffers(run *r) {
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

// --- Variants ---

// Compiles a variant and runs it once. The shader's words are the run's from when it is *added.
static stijl_result add(run *r, const variant *v, bool *added) {
  sj_lab *lab = r->lab;
  const sj_vk_shader *shader = v->shader.words ? &v->shader : &r->whole;
  const sj_lab_manifest *m = &r->manifest;
  const sj_buffer *buffers[SJ_VK_MAX_BINDINGS] = {0};
  uint32_t bound = 0, i = r->count;
  *added = false;
  for (uint32_t b = 0; b < m->buffer_count; b++) {
    buffers[m->buffers[b].binding] = &r->buffers[b];
    bound |= 1u << m->buffers[b].binding;
  }
  sj_vk_interface interface;
  stijl_result result = sj_vk_reflect(lab->context, shader, v->constants, m->constant_count, &interface, lab->message);
  if (result != STIJL_OK) return result;
  if (interface.bindings & ~bound)
    return sj_fail(lab->message, STIJL_ERROR_INVALID_ARGUMENT, "%.120s binds a buffer that the manifest does not have",
                   m->shader);
  if (interface.push_bytes > m->push_count * 4)
    return sj_fail(lab->message, STIJL_ERROR_INVALID_ARGUMENT,
                   "%.120s has %u bytes of push constants, and the manifest %u", m->shader, interface.push_bytes,
                   m->push_count * 4);
  result = sj_lab_kernel_create(lab, shader, v->constants, m->constant_count, buffers, &r->kernels[i]);
  if (result != STIJL_OK) return result;
  r->cases[i] = (sj_lab_case){.name = r->variants[i].name, .kernel = &r->kernels[i]};
  memcpy(r->cases[i].groups, m->groups, sizeof m->groups);
  memcpy(r->cases[i].push, m->push, sizeof m->push);
  r->variants[i] = *v;
  r->count++;
  *added = true;
  result = fill(r);
  if (result == STIJL_OK) result = sj_lab_once(lab, &r->cases[i]);
  bool same = true;
  for (uint32_t b = 0; b < m->buffer_count && result == STIJL_OK; b++) {
    uint64_t h;
    result = hash(r, b, &h);
    if (!i) r->hashes[b] = h;
    same = same && h == r->hashes[b];
    if (!i && m->has_check && m->buffers[b].binding == m->check_binding && h != m->check_hash)
      sj_lab_wrong(lab->page, "the shader leaves 0x%016llx in binding %u, and the manifest expects 0x%016llx",
                   (unsigned long long)h, m->check_binding, (unsigned long long)m->check_hash);
  }
  r->variants[i].same = same;
  return result;
}

static stijl_result add_features(run *r) {
  const sj_lab_manifest *m = &r->manifest;
  stijl_result result = STIJL_OK;
  bool added;
  for (uint32_t i = 0; i < m->feature_count && result == STIJL_OK; i++) {
    variant v = {.same = false};
    memcpy(v.constants, m->constants, sizeof v.constants);
    v.constants[m->features[i].id] = m->features[i].value;
    snprintf(v.name, sizeof v.name, "constant %u = %u", m->features[i].id, m->features[i].value);
    result = add(r, &v, &added);
  }
  return result;
}

// The beginning of a line of the text, without its indentation.
static void quote(const run *r, uint32_t line, char *out, size_t bytes) {
  const char *at = r->text, *end = r->text + r->bytes;
  for (uint32_t n = 1; n < line && at < end; n++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    at = stop ? stop + 1 : end;
  }
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  const char *stop = memchr(at, '\n', (size_t)(end - at));
  snprintf(out, bytes, "%.*s", (int)((stop ? stop : end) - at), at);
}

static stijl_result add_cuts(run *r) {
  sj_lab_cut cuts[256];
  const sj_lab_manifest *m = &r->manifest;
  const char *defines[SJ_LAB_MAX_DEFINES];
  for (uint32_t i = 0; i < m->define_count; i++) defines[i] = m->defines[i];
  uint32_t count = sj_lab_find_cuts(r->text, r->bytes, cuts, 256);
  char *copy = sj_alloc(r->lab->context, r->bytes + 1);
  stijl_result result = copy ? STIJL_OK : sj_fail_memory(r->lab->message);
  for (uint32_t i = 0; i < count && r->count < MOST && result == STIJL_OK; i++) {
    variant v = {.same = false};
    stijl_message unused, *message = r->lab->message;
    memcpy(v.constants, m->constants, sizeof v.constants);
    memcpy(copy, r->text, r->bytes);
    sj_lab_cut_out(copy, r->bytes, cuts[i]);
    quote(r, cuts[i].first, v.name, sizeof v.name);
    if (cuts[i].first == cuts[i].last)
      snprintf(v.lines, sizeof v.lines, "%u", cuts[i].first);
    else
      snprintf(v.lines, sizeof v.lines, "%u-%u", cuts[i].first, cuts[i].last);
    // What does not compile without it is no candidate.
    r->lab->message = &unused;
    result = sj_lab_compile_glsl(r->lab, m->shader, copy, r->bytes, m->folder, defines, m->define_count, &v.shader);
    r->lab->message = message;
    r->tried++;
    bool added = false;
    if (result == STIJL_OK)
      result = add(r, &v, &added);
    else if (result == STIJL_ERROR_MALFORMED)
      r->refused++, result = STIJL_OK;
    else
      *message = unused;
    if (!added) sj_free(r->lab->context, (void *)(uintptr_t)v.shader.words);
  }
  sj_free(r->lab->context, copy);
  return result;
}

// --- What it says ---

static void say(run *r) {
  const sj_lab_case *base = &r->cases[0];
  uint32_t named = 0;
  char time[32];
  sj_lab_format(time, sizeof time, SJ_LAB_US, base->us);
  sj_lab_say(r->lab->page, "%s takes %s; %u of its statements and %u of its constants were changed one at a time.",
             r->manifest.shader, time, r->tried - r->refused, r->manifest.feature_count);
  for (uint32_t i = 1; i < r->count; i++) {
    const sj_lab_case *c = &r->cases[i];
    const variant *v = &r->variants[i];
    double saved = 1 - c->us / base->us;
    if (saved < 0.03 || c->high >= base->low || !v->same) continue;
    named++;
    sj_lab_say(r->lab->page, "%s%s costs %.0f %% by its mere presence, and the result is the same without: %s",
               *v->lines ? "Line " : "", *v->lines ? v->lines : "A feature", saved * 100, v->name);
  }
  if (!named) sj_lab_say(r->lab->page, "Nothing costs 3 %% or more that the result does not need.");
}

static void write(run *r) {
  const sj_lab_column columns[COLUMNS] = {{"lines", "lines", SJ_LAB_NAME},  {"name", "without", SJ_LAB_NAME},
                                          {"us", "time", SJ_LAB_US},        {"low", "95 % from", SJ_LAB_US},
                                          {"high", "to", SJ_LAB_US},        {"saved", "saved", SJ_LAB_SHARE},
                                          {"result", "result", SJ_LAB_NAME}};
  sj_lab_cell cells[MOST * COLUMNS];
  sj_lab_bar bars[MOST];
  for (uint32_t i = 0; i < r->count; i++) {
    const sj_lab_cell row[COLUMNS] = {SJ_LAB_TEXT(r->variants[i].lines),
                                      SJ_LAB_TEXT(r->variants[i].name),
                                      SJ_LAB_NUMBER(r->cases[i].us),
                                      SJ_LAB_NUMBER(r->cases[i].low),
                                      SJ_LAB_NUMBER(r->cases[i].high),
                                      SJ_LAB_NUMBER(1 - r->cases[i].us / r->cases[0].us),
                                      SJ_LAB_TEXT(r->variants[i].same ? "the same" : "another")};
    memcpy(&cells[i * COLUMNS], row, sizeof row);
    bars[i] = (sj_lab_bar){r->variants[i].name, r->cases[i].us};
  }
  sj_lab_table(r->lab->page, "ablation", "Left out, one at a time", columns, COLUMNS, cells, r->count);
  sj_lab_text plot = {.context = r->lab->context};
  const sj_lab_mark mark = {"the whole shader", r->cases[0].us};
  sj_lab_bars(&plot, SJ_LAB_US, bars, r->count, &mark, 1);
  sj_lab_picture(r->lab->page, "Time without each", &plot);
  sj_lab_text_finish(&plot);
}

// --- All ---

static stijl_result load(run *r) {
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

static stijl_result measure(run *r) {
  stijl_result result = load(r);
  if (result == STIJL_OK) result = make_buffers(r);
  variant whole = {.name = "nothing: the whole shader"};
  memcpy(whole.constants, r->manifest.constants, sizeof whole.constants);
  bool added;
  if (result == STIJL_OK) result = add(r, &whole, &added);
  if (result == STIJL_OK) result = add_features(r);
  if (result == STIJL_OK && r->text) result = add_cuts(r);
  if (result == STIJL_OK && !r->text) sj_lab_say(r->lab->page, "SPIR-V has no lines; give GLSL to have them tried.");
  if (result == STIJL_OK) result = fill(r);
  // Names have their last places now.
  for (uint32_t i = 0; i < r->count; i++) r->cases[i].name = r->variants[i].name;
  if (result == STIJL_OK) result = sj_lab_time(r->lab, r->cases, r->count);
  if (result != STIJL_OK) return result;
  say(r);
  write(r);
  return STIJL_OK;
}

stijl_result sj_lab_run_ablate(sj_lab *lab) {
  if (!lab->params->file) return sj_lab_ablate_renderer(lab);
  run *r = sj_alloc_zero(lab->context, sizeof *r);
  if (!r) return sj_fail_memory(lab->message);
  r->lab = lab;
  stijl_result result = sj_lab_manifest_read(lab, lab->params->file, &r->manifest);
  if (result == STIJL_OK) result = sj_lab_measure_ceilings(lab, false);
  if (result == STIJL_OK) result = measure(r);
  for (uint32_t i = 0; i < r->count; i++) {
    sj_lab_kernel_destroy(lab, &r->kernels[i]);
    sj_free(lab->context, (void *)(uintptr_t)r->variants[i].shader.words);
  }
  for (uint32_t i = 0; i < r->manifest.buffer_count; i++) sj_lab_buffer_finish(lab, &r->buffers[i]);
  sj_lab_buffer_finish(lab, &r->back);
  sj_free(lab->context, (void *)(uintptr_t)r->whole.words);
  sj_free(lab->context, r->text);
  sj_free(lab->context, r);
  return result;
}
