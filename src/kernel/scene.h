// The encoded scene: flat arrays with indices, no pointers, the only thing a backend reads. Every structure is made of
// 32 bit members, so that C and scalar block layout agree. A frame draws its passes one after the other; most scenes
// have one.
#ifndef K_SCENE_H
#define K_SCENE_H

#include "platform.h"

// A piece of a path. Its points follow each other from `point` on; the last is the first of the next piece.
#define K_SEGMENT_DOT 0u  // one point: a subpath without length, of which a stroke shows the caps
#define K_SEGMENT_LINE 1u
#define K_SEGMENT_QUAD 2u
#define K_SEGMENT_CUBIC 3u
#define K_SEGMENT_KIND 3u
#define K_SEGMENT_CAP_START 4u  // strokes: an open subpath begins here
#define K_SEGMENT_CAP_END 8u    // and ends here
#define K_SEGMENT_JOIN 16u      // strokes: its end is joined to the start of the segment `next`

K_STRUCT(k_segment) {
  uint flags;
  uint point;
  uint next;
};

#define K_DRAW_FILL 0u
#define K_DRAW_STROKE 1u
#define K_DRAW_ALL 2u   // the whole box
#define K_DRAW_PUSH 3u  // a layer begins
#define K_DRAW_POP 4u   // it ends: the layer is painted through its clip path, or its box

#define K_DRAW_EVENODD 1u
#define K_DRAW_OPAQUE 2u    // the paint is opaque everywhere and blends normally
#define K_DRAW_FAR 4u       // lines may leave the guard band, and have to be cut to it (kernel/clip.h)
#define K_DRAW_CLIP 8u      // pop: through the path; else the whole box
#define K_DRAW_SOLID 16u    // `paint` is no index but the premultiplied colour
#define K_DRAW_CUT 32u      // the path may leave the draw's box, so that looking for segments outside of it is worth it
#define K_DRAW_ALIASED 64u  // fills and strokes: without anti-aliasing (kernel/coverage.h, "steps")
#define K_DRAW_GLYPHS 128u  // fills: of a glyph run
#define K_DRAW_HIDDEN 256u  // recorded draws alone: it is left out

// An outline of glyph runs under some matrix.
K_STRUCT(k_glyph) {
  uint segment, segment_count;
  uint lines;       // as k_draw.lines
  k_matrix matrix;  // of the outline to device pixels around its origin; it does not move anything
};

// A glyph at some place. Its lines are those of the glyph, in 24.8, moved by this many units: so they are the same
// wherever it is, and need to be made only once. Where lines may leave the guard band (K_DRAW_FAR) the numbers are the
// bits of floats, and what is moved are the control points.
K_STRUCT(k_instance) {
  uint glyph;
  int x, y;
};

// A glyph run: instances that follow one another.
K_STRUCT(k_run) {
  uint instance, instance_count;
  uint crowd;  // how many segments those of them have whose lines may meet within 16 pixels, at most
};

K_STRUCT(k_draw) {
  uint op;
  uint flags;
  uint segment;        // the first; of a glyph run the index of its k_run
  uint segment_count;  // of a glyph run those of all instances
  uint lines;          // a guess of how many lines the segments become; exactly segment_count where all are lines
  k_matrix matrix;     // path to device pixels
  uint pen;            // strokes
  uint paint;          // fills and strokes: index or colour; pops: the index of the push they end
  uint blend;          // pops: K_BLEND_*
  uint opacity;        // pops: 0..255
  int x0, y0, x1, y1;  // the pixels that may change, half open, never empty
};

// A picture that some passes make and later ones sample: the tile of a pattern, a layer with a filter, what the filter
// makes of it. RGBA8, premultiplied.
K_STRUCT(k_surface) {
  int x, y;  // the pixel of the pass in its corner; 0 for tiles
  int width, height;
  uint last;  // the last pass that samples it; after that its memory is free
};

// A step of a frame: draws first..end, on a surface that is transparent before; or a filter. Passes are listed in the
// order in which they are drawn, so that no surface is sampled before it is complete.
K_STRUCT(k_pass) {
  uint first, end;
  uint surface;     // K_TARGET: the target, which the last pass draws, and no other
  uint depth;       // layers open at a time, at most
  uint filter_use;  // 0: draws; else 1 + number of the filter that makes the surface
  uint flags;       // K_PASS_*
};

#define K_PASS_BACKGROUND 1u  // begins with the frame's background
#define K_PASS_CONTINUES 2u   // goes on with a surface that an earlier pass has begun
#define K_PASS_CONTINUED 4u   // a later pass goes on with its surface

#define K_TARGET 0xffffffffu

#endif
