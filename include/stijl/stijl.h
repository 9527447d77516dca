// All of stijl's public interface.
//
// Structs whose first field is `size` grow with the versions, always at their end. STIJL_NAME_INIT sets the defaults
// and the size, and so does stijl_name_init(&object, sizeof object) where a language has no initialisers. The library
// reads the fields that the caller's size covers and takes the defaults for the rest, so that a program built with an
// older header runs with a newer library. A program built with a newer one is refused (STIJL_ERROR_INVALID_ARGUMENT)
// only where a field that the library does not know is not zero. A size that the struct had in no version, such as 0,
// is STIJL_ERROR_INVALID_ARGUMENT: the struct was not initialised. That is a smaller one than today's that none of the
// versions before had, one that is no multiple of sizeof(size_t), and one more than 1024 bytes above today's. Calls
// that fill a struct leave one of such a size as it is, also where they return nothing. Structs without `size`, and
// those held within others, never change.
#ifndef STIJL_STIJL_H
#define STIJL_STIJL_H

#include "stijl/animation.h"
#include "stijl/budget.h"
#include "stijl/context.h"
#include "stijl/css.h"
#include "stijl/export.h"
#include "stijl/filter.h"
#include "stijl/fonts.h"
#include "stijl/geometry.h"
#include "stijl/image.h"
#include "stijl/image_writer.h"
#include "stijl/lab.h"
#include "stijl/path.h"
#include "stijl/render.h"
#include "stijl/result.h"
#include "stijl/scene.h"
#include "stijl/svg.h"
#include "stijl/text.h"

#endif
