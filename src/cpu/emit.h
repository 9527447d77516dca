// Converts lines to fixed point and appends them, cut to the guard band where they may leave it.
#ifndef SJ_CPU_EMIT_H
#define SJ_CPU_EMIT_H

#include "cpu/lines.h"
#include "kernel/clip.h"

typedef struct sj_emitter {
  sj_lines *lines;
  bool far;
} sj_emitter;

static inline void sj_emit(const sj_emitter *emitter, k_vec a, k_vec b) {
  if (!emitter->far) {
    sj_lines_push(emitter->lines, k_fixed(a.x), k_fixed(a.y), k_fixed(b.x), k_fixed(b.y));
    return;
  }
  k_cut cut = k_cut_rows(k_pull_in(a), k_pull_in(b));
  if (!cut.visible) return;
  for (int i = 0; i < 3; i++) {
    k_vec p = k_cut_column(cut.a, cut.b, i), q = k_cut_column(cut.a, cut.b, i + 1);
    sj_lines_push(emitter->lines, k_fixed(p.x), k_fixed(p.y), k_fixed(q.x), k_fixed(q.y));
  }
}

#endif
