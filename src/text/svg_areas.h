// The areas that wrapped text fills (SVG 2, 11.4), line by line: which parts of a line are free.
#ifndef SJ_TEXT_SVG_AREAS_H
#define SJ_TEXT_SVG_AREAS_H

#include "base/array.h"
#include "text/svg_layout.h"

// A line of an area's outline, from the top down. `turn` is 1 where the outline goes down there, and -1 where up.
typedef struct sj_area_edge {
  stijl_point from, to;
  int turn;
} sj_area_edge;

// An area while lines go down through it.
typedef struct sj_outline {
  const sj_svg_area *area;
  SJ_ARRAY(sj_area_edge) edges;  // sorted by their upper ends
  SJ_ARRAY(uint32_t) active;     // those that may reach into the present line
  size_t next;                   // of the edges: the first that lines have not come to yet
} sj_outline;

// A part of a line.
typedef struct sj_line_part {
  float x0, x1;
} sj_line_part;

typedef SJ_ARRAY(sj_line_part) sj_line_parts;

// Where a height of a line meets an outline.
typedef struct sj_crossing {
  float x;
  int turn;
  uint32_t edge;
} sj_crossing;

// Where something free begins (1) or ends (-1).
typedef struct sj_part_end {
  float x;
  int step;
} sj_part_end;

// What lines are asked with.
typedef struct sj_areas {
  stijl_context *context;
  float tolerance;
  sj_outline inside;  // the area that is being filled
  sj_outline *outside;
  size_t outside_count;  // what it may not cover
  SJ_ARRAY(sj_crossing) crossings;
  sj_line_parts filled, taken;  // at one height
  SJ_ARRAY(sj_part_end) ends;   // at all heights
  sj_line_parts free;           // what comes of it
} sj_areas;

// Opens what lines keep out of. Curves become lines that are no farther from them than `tolerance`. Here and below,
// false is returned when memory is short or the budget is spent; it has to be finished in any case.
bool sj_areas_open(sj_areas *a, stijl_context *context, const sj_svg_area *outside, size_t count, float tolerance);
// Begins to fill an area. *top and *bottom are where lines may begin and have to end.
bool sj_areas_begin(sj_areas *a, const sj_svg_area *inside, float *top, float *bottom);
// Finds the parts of a line that are free, from left to right, in a->free. The tops of lines must not go back. False:
// memory is short or the budget is spent.
bool sj_areas_line(sj_areas *a, float top, float bottom);
void sj_areas_finish(sj_areas *a);

#endif
