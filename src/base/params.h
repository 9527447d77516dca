// Public structs that grow: see stijl.h, "size".
#ifndef SJ_BASE_PARAMS_H
#define SJ_BASE_PARAMS_H

#include "base/context.h"

// What the caller means, in the struct of this version. `given` starts with its size in bytes; `known` has the `bytes`
// of this version and holds the defaults. Returns `given` itself where the sizes agree, else `known`, into which the
// caller's fields were copied. `given` NULL: `known` as it is. NULL, with a message that names the struct (may be
// NULL): the size is none, or a field that this version does not know is set.
const void *sj_params_read(const void *given, void *known, size_t bytes, const char *name, stijl_message *message);

// The same by the type's name and initialiser; the defaults are only made where they are needed.
#define SJ_PARAMS(type, INIT, given, message)              \
  ((const type *)((given) && (given)->size == sizeof(type) \
                      ? (given)                            \
                      : sj_params_read((given), &(type)INIT, sizeof(type), #type, (message))))

// Fills a caller's struct, whose first field tells its size: never beyond that. It afterwards tells how much was
// filled.
void sj_params_write(void *out, const void *known, size_t bytes);

#endif
