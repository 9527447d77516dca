// The instruction sets, for tests that compare them.
#ifndef SJ_TEST_ISAS_H
#define SJ_TEST_ISAS_H

#include "stijl/render.h"

// Goes through those that this build and this machine have, from `first` on. The library says which there are, so that
// a new one is compared wherever another is.
#define EACH_ISA(isa, first)                                                          \
  for (stijl_isa isa = (first); stijl_isa_name(isa); isa = (stijl_isa)((int)isa + 1)) \
    if (stijl_isa_available(isa))

enum { MOST_ISAS = 32 };  // for arrays that have an element for each

#endif
