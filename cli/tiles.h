// What `stijl tiles` was asked for, and what its files share.
#ifndef STIJL_CLI_TILES_H
#define STIJL_CLI_TILES_H

#include <stdatomic.h>
#include <stdint.h>

#include "pyramid.h"
#include "render.h"

// What becomes of a tile of which every pixel is the background.
typedef enum cli_blank { CLI_BLANK_KEEP, CLI_BLANK_SKIP, CLI_BLANK_SHARE } cli_blank;

typedef struct cli_tiles_options {
  cli_options render;  // with the document, its drawing and its limits
  cli_size size;       // of the highest level
  cli_layout layout;
  int tile_size;             // 0: that of the layout
  int overlap;               // -1: that of the layout
  int min_level, max_level;  // -1: the lowest and the highest
  cli_blank blank;
  bool shrink;  // lower levels are made of the one above
  bool resume;
  const char *shard;      // "I/N"; NULL: all
  const char *name;       // of the pyramid; NULL: that of the document
  const char *id;         // of IIIF: the address that the folder gets
  unsigned index, count;  // of the shard, from 0; index == count: of the process that joins what the shards have made
  unsigned join;          // how many shards that process joins; 0: it is none
} cli_tiles_options;

// A pyramid being made.
typedef struct cli_tiles {
  const cli_tiles_options *options;
  cli_pyramid pyramid;
  int first, last;  // levels
  const char *name;
  const cli_drawing *drawing;
  const struct cli_owners *owners;  // --shrink in shards: who makes which tile; NULL: ranges of all levels
  char stamp[17];                   // of all that the bytes of tiles follow from, in hexadecimal digits
} cli_tiles;

// The encoded picture of a tile.
typedef struct cli_tile_picture {
  unsigned char *data;
  size_t bytes, capacity;
  bool blank;
} cli_tile_picture;

// Where tiles go. `has` and `put` are called by any thread, for different tiles.
typedef struct cli_store cli_store;
struct cli_store {
  const cli_tiles *tiles;
  bool (*has)(cli_store *store, cli_tile tile);
  bool (*put)(cli_store *store, cli_tile tile, const cli_tile_picture *picture, cli_failure *failure);
  // The file of a tile that is there; none (0 bytes) where it is blank and left out. Behind `settle`.
  bool (*get)(cli_store *store, cli_tile tile, cli_tile_picture *picture, cli_failure *failure);
  bool (*settle)(cli_store *store, cli_failure *failure);  // a level is complete; no other call is at work
  bool (*finish)(cli_store *store, cli_failure *failure);  // all tiles of the shard are there
  void (*close)(cli_store *store);
  atomic_ullong bytes;  // written
};

// Opens a store of files in folders. Returns NULL with *failure where the folder holds something else.
cli_store *cli_folder_open(const cli_tiles *tiles, cli_failure *failure);
// Opens a part of a PMTiles archive. Where all is made by one process, `finish` makes the archive of it.
cli_store *cli_archive_open(const cli_tiles *tiles, bool *complete, cli_failure *failure);
// Makes the archive of the parts of all shards, and of that of the process which joins them.
bool cli_archive_join(const cli_tiles *tiles, cli_failure *failure);

// The tiles of a shard, one after the other: levels from the lowest up, each along its Hilbert curve. Any number of
// shards have the same tiles in all, and each one belongs to one of them.
typedef struct cli_shard cli_shard;
cli_shard *cli_shard_create(const cli_tiles *tiles, cli_renderer *renderer, cli_failure *failure);
void cli_shard_destroy(cli_shard *shard);
uint64_t cli_shard_tiles(const cli_shard *shard);
// Takes the next tile, from any thread. Returns false behind the last one, and where the next one is of a higher level
// than `last`.
bool cli_shard_next(cli_shard *shard, int last, cli_tile *tile);

// Who makes which tile where lower levels are made of the one above them. The tiles of the highest level are divided as
// above. Below it a shard makes the tiles all of whose pixels come from tiles of its own; what is left is for the
// process that joins the shards.
typedef struct cli_owners cli_owners;
cli_owners *cli_owners_create(const cli_tiles *tiles, cli_renderer *renderer, cli_failure *failure);
void cli_owners_destroy(cli_owners *owners);
// Returns the index of the shard that makes a tile, or how many shards there are if none does.
unsigned cli_owners_find(const cli_owners *owners, cli_tile tile);

// Makes tiles of the level above, whose pixels are read back, for one thread.
typedef struct cli_tile_shrinker cli_tile_shrinker;
cli_tile_shrinker *cli_tile_shrinker_create(const cli_tiles *tiles, cli_store *store, stijl_context *context,
                                            uint32_t background, cli_failure *failure);
void cli_tile_shrinker_destroy(cli_tile_shrinker *shrinker);
// Fills rows of box->width pixels with what the tile shows.
bool cli_tile_shrink(cli_tile_shrinker *shrinker, cli_tile tile, const cli_tile_box *box, uint32_t *pixels,
                     cli_failure *failure);

// Makes and encodes tiles, for one thread.
typedef struct cli_tile_drawer {
  const cli_tiles *tiles;
  cli_renderer *renderer;
  cli_tile_shrinker *shrinker;  // NULL: all levels are drawn
  uint32_t *pixels;
  uint32_t background;  // a pixel of it
} cli_tile_drawer;

bool cli_tile_drawer_create(const cli_tiles *tiles, cli_store *store, cli_renderer *renderer, cli_tile_drawer *out,
                            cli_failure *failure);
void cli_tile_drawer_destroy(cli_tile_drawer *drawer);
// Draws or shrinks a tile, and encodes it.
bool cli_tile_draw(cli_tile_drawer *drawer, cli_tile tile, cli_tile_picture *picture, cli_failure *failure);
// Draws a part of a level, rows of box->width pixels.
bool cli_tile_drawer_paint(cli_tile_drawer *drawer, int level, const cli_tile_box *box, uint32_t *pixels,
                           cli_failure *failure);
// Encodes drawer->pixels, which have what the tile shows of its level.
bool cli_tile_encode(cli_tile_drawer *drawer, cli_tile tile, cli_tile_picture *picture, cli_failure *failure);
// Adds to picture->data; `user` is the picture.
bool cli_tile_picture_append(void *user, const void *data, size_t bytes);

// The lowest levels, of which each tile shows much of the document. They are drawn one after the other, whole where
// they are small enough, and their tiles are cut from that.
typedef struct cli_small cli_small;
// Returns the highest of the small levels; below tiles->first: there is none.
int cli_small_last(const cli_tiles *tiles);
cli_small *cli_small_create(const cli_tiles *tiles);
void cli_small_destroy(cli_small *small);  // NULL is nothing
// Adds a tile of these levels that is to be made, by level; returns false when memory is short. All are added before
// any of them is drawn.
bool cli_small_add(cli_small *small, cli_tile tile);
size_t cli_small_tiles(const cli_small *small);
int cli_small_levels(const cli_small *small);  // that were drawn whole
// Draws levels. Returns true with a tile whose level was not drawn, since it is too large or reaches a limit of one
// tile, and which is to be drawn by itself, and false when there are no more.
bool cli_small_draw(cli_small *small, cli_tile_drawer *drawer, cli_tile *tile);
// Ends drawing: nothing more will be drawn.
void cli_small_end(cli_small *small);
// Takes the next tile, whose pixels are put into drawer->pixels, from any thread, which waits until all is drawn.
bool cli_small_next(cli_small *small, cli_tile_drawer *drawer, cli_tile *tile);

// Returns what takes the scene to the pixels of a level.
stijl_matrix cli_tiles_transform(const cli_tiles *tiles, int halvings);

#endif
