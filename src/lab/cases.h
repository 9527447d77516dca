// The cases of `lab access`, `transpose`, `matmul` and `workgroup`, a line each. The lab in browsers has the same:
// scripts/lab-cases.mjs reads these lists.
#ifndef SJ_LAB_CASES_H
#define SJ_LAB_CASES_H

// The patterns of loads, in the order of the numbers that shaders/lab/access.comp knows them by.
#define SJ_LAB_PATTERNS(CASE) \
  CASE(LINEAR)                \
  CASE(STRIDED)               \
  CASE(RANDOM)                \
  CASE(SAME)                  \
  CASE(STRUCTS)               \
  CASE(ONE_FIELD)             \
  CASE(FIELDS)                \
  CASE(PADDED)                \
  CASE(COLUMNS)

// Loads: key, name, pattern, step, bits of an element.
#define SJ_LAB_ORDERS(CASE)                              \
  CASE("linear", "side by side", LINEAR, 0, 32)          \
  CASE("offset_1", "1 word off", LINEAR, 1, 32)          \
  CASE("offset_4", "4 words off", LINEAR, 4, 32)         \
  CASE("offset_8", "8 words off", LINEAR, 8, 32)         \
  CASE("offset_16", "16 words off", LINEAR, 16, 32)      \
  CASE("stride_2", "every 2nd word", STRIDED, 1, 32)     \
  CASE("stride_4", "every 4th word", STRIDED, 2, 32)     \
  CASE("stride_8", "every 8th word", STRIDED, 3, 32)     \
  CASE("stride_16", "every 16th word", STRIDED, 4, 32)   \
  CASE("stride_32", "every 32nd word", STRIDED, 5, 32)   \
  CASE("stride_64", "every 64th word", STRIDED, 6, 32)   \
  CASE("columns", "columns of a square", COLUMNS, 0, 32) \
  CASE("random", "random", RANDOM, 0, 32)                \
  CASE("same", "the same for 32 lanes", SAME, 0, 32)
#define SJ_LAB_WIDTHS(CASE)                                        \
  CASE("linear_8", "8 bits, side by side", LINEAR, 0, 8)           \
  CASE("linear_16", "16 bits, side by side", LINEAR, 0, 16)        \
  CASE("linear_32", "32 bits, side by side", LINEAR, 0, 32)        \
  CASE("linear_64", "vectors of 2, side by side", LINEAR, 0, 64)   \
  CASE("linear_128", "vectors of 4, side by side", LINEAR, 0, 128) \
  CASE("random_8", "8 bits, random", RANDOM, 0, 8)                 \
  CASE("random_32", "32 bits, random", RANDOM, 0, 32)              \
  CASE("random_128", "vectors of 4, random", RANDOM, 0, 128)
#define SJ_LAB_LAYOUTS(CASE)                                        \
  CASE("structs", "array of structures of 3 words", STRUCTS, 0, 32) \
  CASE("padded", "the same, padded to 4 words", PADDED, 0, 32)      \
  CASE("fields", "an array for each of the 3 words", FIELDS, 0, 32) \
  CASE("one_field", "one word of each structure", ONE_FIELD, 0, 32)

// Transposes: key, name, number in shaders/lab/transpose.comp; tile, its pitch, lanes. The last one takes more lanes
// than some devices have.
#define SJ_LAB_TRANSPOSES(CASE)                                                 \
  CASE("copy", "copy, no transpose", 0, 1, 1, 256)                              \
  CASE("naive_read", "naive, reads rows", 1, 1, 1, 256)                         \
  CASE("naive_write", "naive, writes rows", 2, 1, 1, 256)                       \
  CASE("same_lanes", "tile, stored in the order loaded", 3, 32, 32, 256)        \
  CASE("tiled", "tile 32x32", 4, 32, 32, 256)                                   \
  CASE("padded", "tile 32x32, rows of 33", 5, 32, 33, 256)                      \
  CASE("padded_128", "the same by 128 lanes, not 256", 5, 32, 33, 128)          \
  CASE("swizzled", "tile 32x32, columns swizzled", 6, 32, 32, 256)              \
  CASE("registers", "4x4 in the registers of each lane, no tile", 8, 1, 1, 256) \
  CASE("wide", "tile 64x64 in halves, rows of 33, vectors of 4", 7, 64, 33, 512)

// Products: key, name, number in shaders/lab/matmul.comp (3: blocked.comp); pitch of a tile, words of the result a
// side.
#define SJ_LAB_PRODUCTS(CASE)                                \
  CASE("naive", "naive, no tiles", 0, 1, 16)                 \
  CASE("tiled", "tiles 16x16", 1, 16, 16)                    \
  CASE("padded", "tiles 16x16, rows of 17", 1, 17, 16)       \
  CASE("wide", "tiles 64x64, vectors, 4x4 a lane", 2, 1, 64) \
  CASE("blocked", "tiles 128x128, 8x8 a lane, two buffers", 3, 1, 128)

// Workgroups: lanes to the right, and down.
#define SJ_LAB_WORKGROUPS(CASE) \
  CASE(8, 1)                    \
  CASE(16, 1)                   \
  CASE(32, 1)                   \
  CASE(64, 1)                   \
  CASE(128, 1)                  \
  CASE(256, 1)                  \
  CASE(512, 1)                  \
  CASE(1024, 1)                 \
  CASE(8, 8)                    \
  CASE(16, 4)                   \
  CASE(32, 4)                   \
  CASE(32, 8)                   \
  CASE(64, 4)                   \
  CASE(16, 16)                  \
  CASE(8, 32)                   \
  CASE(32, 16)                  \
  CASE(32, 32)                  \
  CASE(4, 64)                   \
  CASE(1, 32)                   \
  CASE(1, 64)                   \
  CASE(1, 256)

#endif
