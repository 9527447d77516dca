// What times of the lab's kernels say, in sentences, for the command and for the lab in browsers (src/lab/web.c).
#ifndef SJ_LAB_TELL_H
#define SJ_LAB_TELL_H

#include "lab/change.h"

// Tells what was seen of loads. The times are in the order of the lists of cases.h, here and below, and NAN where there
// is none.
void sj_lab_tell_loads(sj_lab_page *page, const sj_lab_estimate *orders, const sj_lab_estimate *widths,
                       const sj_lab_estimate *layouts);
// Tells what a loop costs where a compiler counts its turns: loads side by side with four turns written out, and
// without.
void sj_lab_tell_loop(sj_lab_page *page, sj_lab_estimate written_out, sj_lab_estimate loop);
// Tells what a tile is worth, what bank conflicts cost, and what storing in the order of loading does. `bytes` are what
// each transpose moves, copy_share[i] is case i's part of a copy's speed.
void sj_lab_tell_transposes(sj_lab_page *page, const sj_lab_estimate *times, uint32_t count, double bytes,
                            const double *copy_share);
// Tells what was seen of products, each of so many `operations`. `fma`: how many the device does a second at most.
void sj_lab_tell_products(sj_lab_page *page, const sj_lab_estimate *times, double operations, double fma);
// Tells what was seen of workgroups of sides[2 * i] x sides[2 * i + 1] lanes, which move so many bytes each.
void sj_lab_tell_shapes(sj_lab_page *page, const sj_lab_estimate *times, const uint32_t *sides, uint32_t count,
                        double bytes);
// Tells whether results are contracted. `differ` is as sj_lab_contracted counts.
void sj_lab_tell_contraction(sj_lab_page *page, const uint32_t differ[4], uint32_t count);

#endif
