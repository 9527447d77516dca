// The part of a PMTiles archive that a shard makes: a file of records, which can be gone on with after its process was
// killed.
#ifndef STIJL_CLI_TILES_PART_H
#define STIJL_CLI_TILES_PART_H

#include "tiles.h"

// A tile in a part.
typedef struct cli_record {
  uint64_t id, hash, offset;  // offset: of its bytes in the file
  uint32_t length;            // 0: left out, because it is blank
  unsigned part;
} cli_record;

typedef struct cli_records {
  cli_record *list;
  size_t count, capacity;
} cli_records;

// Returns a name that the caller frees; NULL when memory is short. The part number `count` is that of the process that
// joins the others.
char *cli_part_path(const cli_tiles *tiles, unsigned index, unsigned count);
char *cli_archive_path(const cli_tiles *tiles);

// Opens a part that is complete, and adds its tiles. The caller closes *fd, which is -1 where there is none.
bool cli_part_read(const cli_tiles *tiles, unsigned index, unsigned count, int *fd, cli_records *out,
                   cli_failure *failure);
void cli_records_sort(cli_records *records);  // by their ids
// Returns whether the archive is there already, of the same tiles.
bool cli_archive_is_complete(const cli_tiles *tiles);

uint64_t cli_get_little(const unsigned char *at, int bytes);
bool cli_read_at(int fd, void *data, size_t bytes, uint64_t offset);

#endif
