// A user's shader: SPIR-V from a file, or GLSL that glslc compiles.
#ifndef SJ_LAB_USER_H
#define SJ_LAB_USER_H

#include "lab/harness.h"

// Fills `out`, whose words are to be freed with sj_free; `out->name` is `path`. GLSL needs glslc on PATH. Errors are
// one line: what cannot be read, what glslc says first.
stijl_result sj_lab_load_shader(sj_lab *lab, const char *path, const char *const *defines, uint32_t define_count,
                                sj_vk_shader *out);
// GLSL from memory; `name` is what glslc's messages call it. `folders`, up to 4 and NULL behind them, are where its
// includes are looked for.
stijl_result sj_lab_compile_glsl(sj_lab *lab, const char *name, const char *text, size_t bytes,
                                 const char *const *folders, const char *const *defines, uint32_t define_count,
                                 sj_vk_shader *out);

#endif
