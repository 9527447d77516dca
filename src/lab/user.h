// Loads a user's shader: SPIR-V from a file, or GLSL that glslc compiles.
#ifndef SJ_LAB_USER_H
#define SJ_LAB_USER_H

#include "lab/harness.h"

// Loads a shader; the caller frees out->words with sj_free, and `out->name` is `path`. GLSL needs glslc on PATH. The
// message of an error is one line: what cannot be read, or the first that glslc says.
stijl_result sj_lab_load_shader(sj_lab *lab, const char *path, const char *const *defines, uint32_t define_count,
                                sj_vk_shader *out);
// Compiles GLSL from memory; glslc's messages call it `name`. `folders`, at most 4 with NULL behind them, are where its
// includes are looked for.
stijl_result sj_lab_compile_glsl(sj_lab *lab, const char *name, const char *text, size_t bytes,
                                 const char *const *folders, const char *const *defines, uint32_t define_count,
                                 sj_vk_shader *out);

// Runs a program of PATH. *output becomes what it writes to standard output, which the caller frees with sj_free; NULL
// where the program is not there or fails. The argument SJ_LAB_INPUT stands for the name of a file with the input.
#define SJ_LAB_INPUT "<input>"
stijl_result sj_lab_run_program(sj_lab *lab, const char *const *arguments, const void *input, size_t bytes,
                                char **output);

#endif
