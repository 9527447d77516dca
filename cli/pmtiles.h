// The format of PMTiles archives, version 3: directories and the header. Tiles and files are the caller's.
#ifndef STIJL_CLI_PMTILES_H
#define STIJL_CLI_PMTILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLI_PMTILES_HEADER_BYTES 127
// What readers fetch first: the header and the root directory.
#define CLI_PMTILES_FIRST_BYTES 16384

typedef struct cli_pmtiles_entry {
  uint64_t id,
      offset;       // of the first tile; of its bytes in the section of tiles, or of a leaf directory in that of leaves
  uint32_t length;  // at least 1
  uint32_t run;     // how many tiles in a row are this one; 0: a leaf directory
} cli_pmtiles_entry;

typedef struct cli_bytes {
  unsigned char *data;
  size_t count, capacity;
  bool failed;  // memory was short
} cli_bytes;

void cli_bytes_add(cli_bytes *bytes, const void *data, size_t count);
void cli_bytes_finish(cli_bytes *bytes);

// Serialises entries in the order of their ids as the root directory and, where it would be too large, the leaves that
// it leads to. False when memory is short.
bool cli_pmtiles_directories(const cli_pmtiles_entry *entries, size_t count, cli_bytes *root, cli_bytes *leaves);

// Adds data as directories and metadata are stored: gzip, whose blocks are not compressed.
void cli_pmtiles_gzip(cli_bytes *out, const void *data, size_t count);

typedef struct cli_pmtiles_header {
  uint64_t root_bytes, metadata_bytes, leaf_bytes, tile_bytes;  // the sections, in this order
  uint64_t addressed, entries, contents;
  int tile_type;  // 2: PNG, 4: WebP
  int min_zoom, max_zoom;
  double west, south, east, north;  // degrees
} cli_pmtiles_header;

void cli_pmtiles_write_header(const cli_pmtiles_header *header, unsigned char out[CLI_PMTILES_HEADER_BYTES]);

#endif
