// Where tiles are, in what order, and how PMTiles writes that down.
#include <stdlib.h>
#include <string.h>

#include "hilbert.h"
#include "pmtiles.h"
#include "pyramid.h"
#include "test.h"

// Numbers of the PMTiles specification.
TEST(tile_ids) {
  CHECK(cli_hilbert_id(0, 0, 0) == 0);
  CHECK(cli_hilbert_id(1, 0, 0) == 1);
  CHECK(cli_hilbert_id(1, 0, 1) == 2);
  CHECK(cli_hilbert_id(1, 1, 1) == 3);
  CHECK(cli_hilbert_id(1, 1, 0) == 4);
  CHECK(cli_hilbert_id(2, 0, 0) == 5);
  CHECK(cli_hilbert_id(12, 3423, 1763) == 19078479);
}

TEST(curve_is_connected) {
  for (int order = 0; order < 7; order++) {
    uint32_t x = 0, y = 0, last_x = 0, last_y = 0;
    for (uint64_t p = 0; p < (uint64_t)1 << (2 * order); p++, last_x = x, last_y = y) {
      cli_hilbert_place(order, p, &x, &y);
      CHECK(cli_hilbert_position(order, x, y) == p);
      uint32_t step = (x > last_x ? x - last_x : last_x - x) + (y > last_y ? y - last_y : last_y - y);
      CHECK(step == (p > 0));
    }
    CHECK(y == 0 && x == ((uint32_t)1 << order) - 1);
  }
  uint32_t x, y;
  cli_hilbert_place(31, cli_hilbert_position(31, 2147483647, 1234567890), &x, &y);
  CHECK(x == 2147483647 && y == 1234567890);
}

TEST(positions_inside) {
  static const uint32_t sizes[][2] = {{1, 1}, {3, 5}, {8, 8}, {7, 1}, {1, 8}, {5, 3}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    uint32_t columns = sizes[i][0], rows = sizes[i][1];
    uint64_t expected = 0;
    for (; expected < 64; expected++) {
      uint32_t x, y;
      cli_hilbert_place(3, expected, &x, &y);
      if (x < columns && y < rows) break;
    }
    CHECK(cli_hilbert_inside(3, columns, rows, 0) == expected);
    size_t count = 0;
    for (uint64_t p = 0; (p = cli_hilbert_inside(3, columns, rows, p)) < 64; p++) {
      uint32_t x, y;
      cli_hilbert_place(3, p, &x, &y);
      CHECK(x < columns && y < rows);
      count++;
    }
    CHECK(count == (size_t)columns * rows);
  }
  // A row of a million tiles is gone along without looking at the million rows below.
  uint64_t count = 0, end = (uint64_t)1 << 40;
  for (uint64_t p = 0; (p = cli_hilbert_inside(20, 1000000, 1, p)) < end; p++) count++;
  CHECK(count == 1000000);
}

// As `vips dzsave` has them.
TEST(deep_zoom) {
  cli_pyramid p = cli_pyramid_make(CLI_LAYOUT_DEEP_ZOOM, 1000, 601, 254, 1);
  CHECK(p.levels == 11);
  cli_level l = cli_pyramid_level(&p, 10);
  CHECK(l.width == 1000 && l.height == 601 && l.columns == 4 && l.rows == 3 && l.halvings == 0 && l.order == 2);
  l = cli_pyramid_level(&p, 6);
  CHECK(l.width == 63 && l.height == 38 && l.columns == 1 && l.rows == 1);
  l = cli_pyramid_level(&p, 0);
  CHECK(l.width == 1 && l.height == 1);
  cli_tile_box box = cli_pyramid_box(&p, (cli_tile){10, 0, 0});
  CHECK(box.x0 == 0 && box.y0 == 0 && box.width == 255 && box.height == 255);
  box = cli_pyramid_box(&p, (cli_tile){10, 1, 1});
  CHECK(box.x0 == 253 && box.y0 == 253 && box.width == 256 && box.height == 256);
  box = cli_pyramid_box(&p, (cli_tile){9, 1, 1});
  CHECK(box.width == 247 && box.height == 48);
  CHECK(cli_pyramid_tiles(&p, 0, 10) == 25);
}

TEST(one_size) {
  cli_pyramid p = cli_pyramid_make(CLI_LAYOUT_XYZ, 1000, 601, 256, 0);
  CHECK(p.levels == 3);
  cli_tile_box box = cli_pyramid_box(&p, (cli_tile){2, 3, 2});
  CHECK(box.x1 == 1000 && box.y1 == 601 && box.width == 256 && box.height == 256);
  CHECK(cli_pyramid_level(&p, 2).order == 2);
  CHECK(cli_pyramid_make(CLI_LAYOUT_XYZ, 256, 3, 256, 0).levels == 1);
  CHECK(cli_pyramid_make(CLI_LAYOUT_IIIF, 513, 3, 512, 0).levels == 2);
}

TEST(largest) {
  cli_pyramid p = cli_pyramid_make(CLI_LAYOUT_DEEP_ZOOM, 2147483647, 2147483647, 254, 1);
  CHECK(p.levels == 32);
  cli_level l = cli_pyramid_level(&p, 31);
  CHECK(l.columns == 8454661 && l.order == 24);
  cli_tile_box box = cli_pyramid_box(&p, (cli_tile){31, 8454660, 0});
  CHECK(box.x1 == 2147483647 && box.x0 == (int64_t)8454660 * 254 - 1);
  p = cli_pyramid_make(CLI_LAYOUT_PMTILES, 2147483647, 1, 1, 0);
  CHECK(p.levels == 32 && cli_pyramid_level(&p, 31).columns == 2147483647);
}

TEST(gzip) {
  // Of "abc", as gzip itself checks it: CRC 352441c2.
  static const unsigned char expected[] = {0x1f, 0x8b, 8,   0,   0,   0,    0,    0,    0,    255, 1, 3, 0,
                                           0xfc, 0xff, 'a', 'b', 'c', 0xc2, 0x41, 0x24, 0x35, 3,   0, 0, 0};
  cli_bytes out = {0};
  cli_pmtiles_gzip(&out, "abc", 3);
  CHECK(out.count == sizeof expected && memcmp(out.data, expected, sizeof expected) == 0);
  cli_bytes_finish(&out);
}

TEST(directory) {
  // Columns: ids as differences, runs, lengths, offsets; 0 where one tile follows the other.
  static const cli_pmtiles_entry entries[] = {{5, 0, 10, 2}, {42, 10, 300, 1}, {43, 0, 10, 1}};
  static const unsigned char expected[] = {3, 5, 37, 1, 2, 1, 1, 10, 0xac, 2, 10, 1, 0, 1};
  cli_bytes root = {0}, leaves = {0};
  CHECK(cli_pmtiles_directories(entries, 3, &root, &leaves));
  CHECK(leaves.count == 0 && root.count == 15 + sizeof expected + 8);
  CHECK(memcmp(root.data + 15, expected, sizeof expected) == 0);
  cli_bytes_finish(&root);
  cli_bytes_finish(&leaves);
}

static uint64_t varint(const unsigned char **at) {
  uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    value |= (uint64_t)(**at & 127) << shift;
    if (!(*(*at)++ & 128)) return value;
  }
}

TEST(leaves) {
  size_t count = 300000;
  cli_pmtiles_entry *entries = malloc(count * sizeof *entries);
  CHECK(entries);
  for (size_t i = 0; i < count; i++) entries[i] = (cli_pmtiles_entry){3 * i, 1000 * i, 999, 1};
  cli_bytes root = {0}, leaves = {0};
  CHECK(cli_pmtiles_directories(entries, count, &root, &leaves));
  CHECK(root.count + CLI_PMTILES_HEADER_BYTES <= CLI_PMTILES_FIRST_BYTES && root.count > 100);
  const unsigned char *at = root.data + 15;
  uint64_t n = varint(&at), id = 0, sum = 0;
  CHECK(n == (count + 4095) / 4096);
  for (uint64_t i = 0; i < n; i++) {
    id += varint(&at);
    CHECK(id == 3 * 4096 * i);
  }
  for (uint64_t i = 0; i < n; i++) CHECK(varint(&at) == 0);
  for (uint64_t i = 0; i < n; i++) sum += varint(&at);
  CHECK(sum == leaves.count);
  cli_bytes_finish(&root);
  cli_bytes_finish(&leaves);
  free(entries);
}

TEST(header) {
  unsigned char h[CLI_PMTILES_HEADER_BYTES];
  cli_pmtiles_header header = {.root_bytes = 300,
                               .metadata_bytes = 5,
                               .tile_bytes = 9,
                               .addressed = 7,
                               .entries = 6,
                               .contents = 5,
                               .tile_type = 2,
                               .min_zoom = 1,
                               .max_zoom = 4,
                               .west = -180,
                               .east = 90};
  cli_pmtiles_write_header(&header, h);
  CHECK(memcmp(h, "PMTiles\3\x7f\0", 10) == 0 && h[16] == 44 && h[17] == 1);
  CHECK(h[24] == 171 && h[25] == 1 && h[32] == 5 && h[56] == 176 && h[64] == 9);
  CHECK(h[72] == 7 && h[80] == 6 && h[88] == 5 && h[96] == 1 && h[97] == 2 && h[98] == 1 && h[99] == 2);
  CHECK(h[100] == 1 && h[101] == 4 && h[102] == 0 && h[103] == 0x2e && h[104] == 0xb6 && h[105] == 0x94);
}
