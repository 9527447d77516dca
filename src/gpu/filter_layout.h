// What the host and the shaders of filters exchange: an item for each step of a filter that makes a picture, many of
// which one dispatch draws; and words, which items and instructions refer to by index. C and GLSL, as layout.h.
#ifndef SJ_GPU_FILTER_LAYOUT_H
#define SJ_GPU_FILTER_LAYOUT_H

#include "kernel/filter_light.h"
#include "kernel/platform.h"

// Kinds of items, each of which has a pipeline.
#define G_ITEM_PIXELS 0   // runs instructions for each pixel
#define G_ITEM_WEIGHTS 1  // a small blur along an axis
#define G_ITEM_EXTREME 2  // the smallest or largest of some places along an axis
#define G_ITEM_CONVOLVE 3
#define G_ITEM_LIGHT 4
#define G_ITEM_NOISE 5
#define G_ITEM_DISPLACE 6
#define G_ITEM_TILE 7
#define G_ITEM_BOXES 8       // a large blur along an axis (shaders/boxes.comp; the others are in filter.comp)
#define G_ITEM_BOXES_WIDE 9  // the same with sums of 64 bits
#define G_ITEM_BLUR_TINY 10  // a small blur along both axes (shaders/blur.comp) of a small picture
#define G_ITEM_BLUR 11       // and of a larger one
#define G_ITEMS 12

#define G_FILTER_GROUP 256
// A workgroup's pixels: a square, each lane with some rows of a column.
#define G_FILTER_SIDE 32
#define G_FILTER_ROWS 4  // pixels of a lane
// Boxes: lines of a workgroup, places along the axis that it has at least, that are in shared memory at a time, and a
// lane's of these.
#define G_BOXES_LINES 16
#define G_BOXES_PART 512
#define G_BOXES_PLACES 64
#define G_BOXES_CHUNK 8

// Blurs along both axes: weights on one side of a pixel, with its own; pixels of the input and of what the first axis
// makes of it together; and of the result.
#define G_BLUR_TAPS 64
#define G_BLUR_TINY_PIXELS 1536
#define G_BLUR_PIXELS 3800
#define G_BLUR_MOST_PIXELS 8192

// A picture among the texels. Pixel (x, y) is at base + y * stride + x, modulo 2^32; beyond the box all is transparent.
K_STRUCT(g_picture) {
  uint base, stride;
  int x0, y0, x1, y1;
};

K_STRUCT(g_item) {
  uint group;    // its first workgroup
  uint columns;  // workgroups in a row of them; of boxes in a column across their lines
  uint word;     // where the words of its kind begin
  uint flags;    // G_ITEM_*
  g_picture from, to;
};

#define G_ITEM_VERTICAL 1u  // along the columns
#define G_ITEM_ALPHA 2u     // of the input only alpha counts: it is black
#define G_ITEM_LARGER 4u    // G_ITEM_EXTREME: the largest
#define G_ITEM_TO_SRGB 8u   // linear colours are stored as sRGB; not of G_ITEM_PIXELS

// The words begin with the bytes of linear colours for each of sRGB, and then the other way round.
#define G_TO_LINEAR 0u
#define G_TO_SRGB 64u
#define G_SPACES_WORDS 128u

// Instructions of G_ITEM_PIXELS work on a stack of pixels. Of those with two operands the upper one, written t, is
// taken away; the other is u.
#define G_LOAD 0u        // puts a picture's pixel on the stack
#define G_FLOOD 1u       // puts the colour `value` there
#define G_ALPHA 2u       // black with its alpha
#define G_TINT 3u        // the colour `value` with its alpha
#define G_SPACE 4u       // to the colour space whose table is at `value`
#define G_MATRIX 5u      // 20 floats at `value`
#define G_TABLES 6u      // four tables of bytes at `value`
#define G_COMPOSITE 7u   // u `value` t, K_FILTER_*
#define G_ARITHMETIC 8u  // k_filter_arithmetic at `value`, of u and t
#define G_BLEND 9u       // u on t, K_BLEND_* `value`
#define G_OVER 10u       // t on u
#define G_BLURRED 11u    // puts the pixel there that the item has blurred; `base` and `stride` say how far it is moved
#define G_ALPHA_TABLE 12u  // black with the alpha that the tables at `value` have for its alpha
#define G_STACK 4u         // it holds so many

// What is outside of the instruction's box becomes transparent.
K_STRUCT(g_instruction) {
  uint op;  // G_LOAD ..., and from G_DEPTH_SHIFT on how many pixels are on the stack before
  uint value;
  g_picture picture;  // of others than G_LOAD the box alone counts
};
#define G_INSTRUCTION_WORDS 8u
#define G_DEPTH_SHIFT 8

// Words of the other kinds.
// G_ITEM_PIXELS: how many instructions; they follow.
// G_ITEM_WEIGHTS: g_blur_words, then the weights, from the centre outwards.
// G_ITEM_BOXES: g_blur_words.
K_STRUCT(g_blur_words) {
  int reach, window;
  float scale;
  uint edge;     // K_FILTER_EDGE_*
  int from, to;  // the places along the axis that edges belong to
  int part;      // boxes: the places of a workgroup
};
#define G_BLUR_WORDS 7u
// G_ITEM_BLUR, G_ITEM_BLUR_TINY: g_blur_axis of rows, then of columns.
K_STRUCT(g_blur_axis) {
  int reach;
  uint boxes;  // 0: weights sum to 2^K_FILTER_WEIGHT_SHIFT
  float scale;
  uint weights;  // the words from the pixel's own weight outwards
};
#define G_BLUR_AXIS_WORDS 4u
// Then the instructions that make of the blurred picture what is stored, as of G_ITEM_PIXELS, or 0: that is stored
// itself; and from where to where its rows go.
#define G_BLUR_PROGRAM (2u * G_BLUR_AXIS_WORDS)
#define G_BLUR_FROM (2u * G_BLUR_AXIS_WORDS + 1u)
#define G_BLUR_TO (2u * G_BLUR_AXIS_WORDS + 2u)
// G_ITEM_EXTREME: how many places, then how far each is from the pixel.
// G_ITEM_CONVOLVE: g_convolve_words, then the kernel.
K_STRUCT(g_convolve_words) {
  int columns, rows, target_x, target_y;
  float bias;
  uint preserve_alpha, edge;
  int x0, y0, x1, y1;  // what edges belong to
};
#define G_CONVOLVE_WORDS 11u
// G_ITEM_LIGHT: g_light_words.
K_STRUCT(g_light_words) {
  int x0, y0, x1, y1;  // what edges belong to
  k_filter_light light;
};
#define G_LIGHT_WORDS 20u
// G_ITEM_NOISE: k_noise_params, then the lattice and the gradients of k_filter_noise.
#define G_NOISE_WORDS 13u
// G_ITEM_DISPLACE: g_displace_words. The item's input is what is moved.
K_STRUCT(g_displace_words) {
  g_picture map;
  float scale_x, scale_y;
  uint channel_x, channel_y;  // by their number in a pixel
};
#define G_DISPLACE_WORDS 10u
// G_ITEM_TILE: a k_filter_tile for each axis.
#define G_TILE_AXIS_WORDS 5u

// The push constants of all kinds.
K_STRUCT(g_filter_params) {
  uint item, items;  // of the dispatch
  uint groups;       // and its workgroups
};

#endif
