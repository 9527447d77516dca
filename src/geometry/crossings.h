// Whether parts of a path meet.
#ifndef SJ_GEOMETRY_CROSSINGS_H
#define SJ_GEOMETRY_CROSSINGS_H

#include "stijl/path.h"
#include "stijl/scene.h"

// What a segment of a path is. SJ_COARSE_CHORDS chords over equal steps of its parameter stand for it; a bit for each,
// from the lowest on, tells whether that part of the segment may meet others, and SJ_BESIDE whether other parts of the
// path lie between it and the line that joins its ends.
typedef uint16_t sj_crossing_mark;

#define SJ_COARSE_CHORDS 8
#define SJ_BESIDE (1u << 15)
#define SJ_MEETING (SJ_BESIDE | ((1u << SJ_COARSE_CHORDS) - 1))

// Finds out whether contours of a fill may touch or cross themselves or one another. It takes time in proportion to the
// path's size; where it cannot tell within that, they may. Then `marks`, of as many entries as the path has verbs,
// tells what each is; it may be NULL. *steps becomes how many of a union's steps took as long. Returns false when
// memory is short.
bool sj_fill_may_overlap(const stijl_path *path, sj_crossing_mark *marks, bool *may, uint64_t *steps);

// Finds out whether the lines and curves of a stroke, of which there are several, meet elsewhere than at their joins,
// turn back along themselves, or come, of different subpaths, nearer to one another than the stroke is wide. Lines that
// are repeated, or with `unfolds` run there and back, do not count, as recording leaves them out (scene.h). It takes as
// long; where it cannot tell, they do not. Returns false when memory is short.
bool sj_stroke_overlaps(const stijl_path *path, const stijl_stroke *stroke, bool unfolds, bool *overlaps);

#endif
