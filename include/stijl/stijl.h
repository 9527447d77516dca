// All of stijl's public interface.
//
// Structs whose first field is `size` grow with the versions, always at their end. STIJL_NAME_INIT sets the defaults
// and the size, and so does stijl_name_init(&object, sizeof object) where a language has no initialisers. The library
// reads the fields that the caller's size covers and takes the defaults for the rest, so that a program built with an
// older header runs with a newer library. A program built with a newer one is refused (STIJL_ERROR_INVALID_ARGUMENT)
// only where a field that the library does not know is not zero. Structs without `size`, and those held within others,
// never change.
#ifndef STIJL_STIJL_H
#define STIJL_STIJL_H

#include "stijl/budget.h"
#include "stijl/context.h"
#include "stijl/css.h"
#include "stijl/filter.h"
#include "stijl/fonts.h"
#include "stijl/geometry.h"
#include "stijl/image.h"
#include "stijl/lab.h"
#include "stijl/path.h"
#include "stijl/render.h"
#include "stijl/result.h"
#include "stijl/scene.h"
#include "stijl/svg.h"
#include "stijl/text.h"

#endif
