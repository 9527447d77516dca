// Reads and writes public structs that later versions may extend: see stijl.h, "size".
#ifndef SJ_BASE_PARAMS_H
#define SJ_BASE_PARAMS_H

#include "base/context.h"

// Returns the caller's struct in this version's form. `given` starts with its size in bytes; `known` has this version's
// size, `bytes`, and holds the defaults. The result is `given` itself where the sizes agree, else `known`, into which
// the caller's fields are copied; `known` unchanged where `given` is NULL, unless it is `needed`. It is NULL, with a
// message that names the struct, where the size cannot be one, or where a field is set that this version does not know.
const void *sj_params_read(const void *given, void *known, size_t bytes, const char *name, bool needed,
                           stijl_message *message);

// The same by the type's name and initialiser; the defaults are only made where they are needed. For NULL the first gives
// the defaults, the second an error.
#define SJ_PARAMS(type, INIT, given, message) SJ_PARAMS_READ_(type, given, false, message, INIT)
#define SJ_GIVEN(type, INIT, given, message) SJ_PARAMS_READ_(type, given, true, message, INIT)

// INIT has commas, so it comes last.
#define SJ_PARAMS_READ_(type, given, needed, message, ...) \
  ((const type *)((given) && (given)->size == sizeof(type) \
                      ? (given)                            \
                      : sj_params_read((given), &(type)__VA_ARGS__, sizeof(type), #type, (needed), (message))))

// Fills a caller's struct, whose first field tells its size: never beyond that. It afterwards tells how much was
// filled.
void sj_params_write(void *out, const void *known, size_t bytes);

#endif
