#include "lab/user.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAGIC 0x07230203u
enum { MAX_DEFINES = 32, MAX_FOLDERS = 4 };
extern char **environ;

// Takes over SPIR-V, whose memory becomes the shader's.
static stijl_result take_words(sj_lab *lab, const char *name, char *data, size_t bytes, sj_vk_shader *out) {
  uint32_t magic = 0;
  if (bytes >= sizeof magic) memcpy(&magic, data, sizeof magic);
  if (magic != MAGIC || bytes % 4) {
    sj_free(lab->context, data);
    return sj_fail(lab->message, STIJL_ERROR_MALFORMED, "%.160s is no SPIR-V", name);
  }
  *out = (sj_vk_shader){name, (const uint32_t *)(const void *)data, bytes};
  return STIJL_OK;
}

// --- glslc ---

typedef struct work {
  char folder[64], source[96], code[96], messages[96];
} work;

static bool make_folder(work *w) {
  const char *base = getenv("TMPDIR");
  if (!base || strlen(base) > 30) base = "/tmp";
  snprintf(w->folder, sizeof w->folder, "%s/stijl-lab-XXXXXX", base);
  if (!mkdtemp(w->folder)) return false;
  snprintf(w->source, sizeof w->source, "%s/shader.comp", w->folder);
  snprintf(w->code, sizeof w->code, "%s/code", w->folder);
  snprintf(w->messages, sizeof w->messages, "%s/messages", w->folder);
  return true;
}

static void remove_folder(const work *w) {
  remove(w->source);
  remove(w->code);
  remove(w->messages);
  rmdir(w->folder);
}

static bool write_source(const work *w, const char *text, size_t bytes) {
  FILE *file = fopen(w->source, "wb");
  bool good = file && (!bytes || fwrite(text, 1, bytes, file) == bytes);
  return file && fclose(file) == 0 && good;
}

// Runs a program and returns its exit status, or -1 where it cannot be run.
static int spawn(const char *const *arguments, const char *out, const char *err) {
  posix_spawn_file_actions_t actions;
  pid_t child;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  // posix_spawnp is declared with arguments that may be written, but only reads them.
  int failed = posix_spawnp(&child, arguments[0], &actions, NULL, (char **)(uintptr_t)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

stijl_result sj_lab_run_program(sj_lab *lab, const char *const *arguments, const void *input, size_t bytes,
                                char **output) {
  enum { MOST = 8 };
  const char *words[MOST + 1] = {NULL};
  work w;
  stijl_result result = STIJL_OK;
  *output = NULL;
  if (!make_folder(&w)) return STIJL_OK;
  for (int i = 0; i < MOST && arguments[i]; i++)
    words[i] = strcmp(arguments[i], SJ_LAB_INPUT) == 0 ? w.source : arguments[i];
  if (write_source(&w, input, bytes) && spawn(words, w.code, "/dev/null") == 0) {
    size_t count;
    result = sj_lab_read_file(lab, w.code, output, &count);
  }
  remove_folder(&w);
  return result;
}

// Runs glslc and returns its exit status, or -1 where it cannot be run.
static int run_glslc(const work *w, const char *const *folders, const char *const *defines, uint32_t count) {
  const char *arguments[MAX_DEFINES + 2 * MAX_FOLDERS + 8] = {"glslc", "-O0", "--target-env=vulkan1.3",
                                                              "-fshader-stage=compute"};
  uint32_t n = 4;
  for (uint32_t i = 0; folders[i] && i < MAX_FOLDERS; i++) {
    arguments[n++] = "-I";
    arguments[n++] = folders[i];
  }
  for (uint32_t i = 0; i < count && i < MAX_DEFINES; i++) arguments[n++] = defines[i];
  arguments[n++] = "-o";
  arguments[n++] = w->code;
  arguments[n++] = w->source;
  return spawn(arguments, "/dev/null", w->messages);
}

// Fails with the first line that glslc said, with the shader's own name in place of the copy's.
static stijl_result fail_glsl(sj_lab *lab, const work *w, const char *name) {
  char line[200] = "";
  FILE *file = fopen(w->messages, "r");
  if (file && !fgets(line, sizeof line, file)) line[0] = 0;
  if (file) fclose(file);
  line[strcspn(line, "\n")] = 0;
  const char *said = strncmp(line, w->source, strlen(w->source)) == 0 ? line + strlen(w->source) : line;
  return sj_fail(lab->message, STIJL_ERROR_MALFORMED, "%.100s%s%.140s", name, *said == ':' ? "" : ": ", said);
}

stijl_result sj_lab_compile_glsl(sj_lab *lab, const char *name, const char *text, size_t bytes,
                                 const char *const *folders, const char *const *defines, uint32_t count,
                                 sj_vk_shader *out) {
  work w;
  *out = (sj_vk_shader){0};
  if (!make_folder(&w))
    return sj_fail(lab->message, STIJL_ERROR_IO, "no place for temporary files: %s", strerror(errno));
  stijl_result result = STIJL_OK;
  int status = write_source(&w, text, bytes) ? run_glslc(&w, folders, defines, count) : -2;
  if (status == -2)
    result = sj_fail(lab->message, STIJL_ERROR_IO, "%s cannot be written", w.source);
  else if (status == -1 || status == 127)
    result = sj_fail(lab->message, STIJL_ERROR_UNSUPPORTED,
                     "%.100s is GLSL, and glslc is not on PATH: install it (Debian: glslc), or give SPIR-V", name);
  else if (status)
    result = fail_glsl(lab, &w, name);
  char *code = NULL;
  size_t length = 0;
  if (result == STIJL_OK) result = sj_lab_read_file(lab, w.code, &code, &length);
  if (result == STIJL_OK) result = take_words(lab, name, code, length, out);
  remove_folder(&w);
  return result;
}

stijl_result sj_lab_load_shader(sj_lab *lab, const char *path, const char *const *defines, uint32_t count,
                                sj_vk_shader *out) {
  char *data = NULL, folder[512];
  size_t bytes = 0;
  *out = (sj_vk_shader){0};
  stijl_result result = sj_lab_read_file(lab, path, &data, &bytes);
  if (result != STIJL_OK) return result;
  uint32_t magic = 0;
  if (bytes >= sizeof magic) memcpy(&magic, data, sizeof magic);
  if (magic == MAGIC) return take_words(lab, path, data, bytes, out);
  snprintf(folder, sizeof folder, "%s", path);
  char *slash = strrchr(folder, '/');
  if (slash)
    *slash = 0;
  else
    snprintf(folder, sizeof folder, ".");
  const char *const folders[] = {*folder ? folder : "/", NULL};
  result = sj_lab_compile_glsl(lab, path, data, bytes, folders, defines, count, out);
  sj_free(lab->context, data);
  return result;
}
