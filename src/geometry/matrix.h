// The structures of the kernel and those of the public interface.
#ifndef SJ_GEOMETRY_MATRIX_H
#define SJ_GEOMETRY_MATRIX_H

#include "kernel/place.h"
#include "stijl/geometry.h"

static inline k_matrix sj_to_k(stijl_matrix m) { return (k_matrix){m.a, m.b, m.c, m.d, m.e, m.f}; }
static inline stijl_matrix sj_from_k(k_matrix m) { return (stijl_matrix){m.a, m.b, m.c, m.d, m.e, m.f}; }
static inline k_box sj_to_box(stijl_rect r) { return (k_box){r.x0, r.y0, r.x1, r.y1}; }

#endif
