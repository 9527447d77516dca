#include "pmtiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GZIP 2
#define UNCOMPRESSED 1
#define LEAST_LEAF 4096   // entries
#define MAX_STORED 65535  // bytes of a block of deflate that is not compressed

// --- bytes ---

void cli_bytes_add(cli_bytes *b, const void *data, size_t count) {
  if (b->failed || !count) return;
  if (count > b->capacity - b->count) {
    size_t capacity = 2 * b->capacity + count;
    unsigned char *larger = realloc(b->data, capacity);
    if (!larger) {
      b->failed = true;
      return;
    }
    b->data = larger;
    b->capacity = capacity;
  }
  memcpy(b->data + b->count, data, count);
  b->count += count;
}

void cli_bytes_finish(cli_bytes *b) {
  free(b->data);
  *b = (cli_bytes){0};
}

static void add_little(cli_bytes *b, uint64_t value, int bytes) {
  unsigned char text[8];
  for (int i = 0; i < bytes; i++) text[i] = (unsigned char)(value >> (8 * i));
  cli_bytes_add(b, text, (size_t)bytes);
}

static void add_varint(cli_bytes *b, uint64_t value) {
  unsigned char text[10];
  size_t count = 0;
  do {
    text[count++] = (unsigned char)((value & 127) | (value > 127 ? 128 : 0));
    value >>= 7;
  } while (value);
  cli_bytes_add(b, text, count);
}

// --- gzip ---

static uint32_t crc32(const unsigned char *data, size_t count) {
  uint32_t crc = UINT32_MAX;
  for (size_t i = 0; i < count; i++) {
    crc ^= data[i];
    for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

void cli_pmtiles_gzip(cli_bytes *out, const void *data, size_t count) {
  static const unsigned char head[10] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255};
  const unsigned char *from = data;
  cli_bytes_add(out, head, sizeof head);
  for (size_t at = 0; at == 0 || at < count;) {
    size_t part = count - at < MAX_STORED ? count - at : MAX_STORED;
    add_little(out, at + part == count, 1);
    add_little(out, part, 2);
    add_little(out, ~part, 2);
    cli_bytes_add(out, from + at, part);
    at += part;
    if (!part) break;
  }
  add_little(out, crc32(from, count), 4);
  add_little(out, count, 4);
}

// --- directories ---

static void add_directory(cli_bytes *out, const cli_pmtiles_entry *e, size_t count) {
  cli_bytes plain = {0};
  add_varint(&plain, count);
  for (size_t i = 0; i < count; i++) add_varint(&plain, e[i].id - (i ? e[i - 1].id : 0));
  for (size_t i = 0; i < count; i++) add_varint(&plain, e[i].run);
  for (size_t i = 0; i < count; i++) add_varint(&plain, e[i].length);
  for (size_t i = 0; i < count; i++)
    add_varint(&plain, i && e[i].offset == e[i - 1].offset + e[i - 1].length ? 0 : e[i].offset + 1);
  cli_pmtiles_gzip(out, plain.data, plain.count);
  out->failed |= plain.failed;
  cli_bytes_finish(&plain);
}

// Leaves of so many entries, and a root of those; false when memory is short.
static bool add_leaves(const cli_pmtiles_entry *entries, size_t count, size_t each, cli_bytes *root,
                       cli_bytes *leaves) {
  size_t n = (count - 1) / each + 1;
  cli_pmtiles_entry *list = malloc(n * sizeof *list);
  for (size_t i = 0; list && i < n; i++) {
    size_t from = i * each, before = leaves->count;
    add_directory(leaves, entries + from, count - from < each ? count - from : each);
    list[i] = (cli_pmtiles_entry){entries[from].id, before, (uint32_t)(leaves->count - before), 0};
  }
  if (list) add_directory(root, list, n);
  free(list);
  return list && !root->failed && !leaves->failed;
}

bool cli_pmtiles_directories(const cli_pmtiles_entry *entries, size_t count, cli_bytes *root, cli_bytes *leaves) {
  const size_t room = CLI_PMTILES_FIRST_BYTES - CLI_PMTILES_HEADER_BYTES;
  // Each entry takes four bytes at least.
  bool good = true;
  if (count < room / 4) add_directory(root, entries, count);
  for (size_t each = LEAST_LEAF; good && !root->failed && (root->count == 0 || root->count > room); each *= 2) {
    root->count = leaves->count = 0;
    good = add_leaves(entries, count, each, root, leaves);
  }
  return good && !root->failed;
}

// --- header ---

static void set_little(unsigned char *at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> (8 * i));
}

static void set_degrees(unsigned char *at, double degrees) {
  set_little(at, (uint64_t)(int64_t)llround(degrees * 1e7), 4);
}

void cli_pmtiles_write_header(const cli_pmtiles_header *h, unsigned char out[CLI_PMTILES_HEADER_BYTES]) {
  const uint64_t sections[] = {h->root_bytes, h->metadata_bytes, h->leaf_bytes, h->tile_bytes};
  uint64_t offset = CLI_PMTILES_HEADER_BYTES;
  memset(out, 0, CLI_PMTILES_HEADER_BYTES);
  memcpy(out, "PMTiles\3", 8);
  for (int i = 0; i < 4; i++) {
    set_little(out + 8 + 16 * i, offset, 8);
    set_little(out + 16 + 16 * i, sections[i], 8);
    offset += sections[i];
  }
  set_little(out + 72, h->addressed, 8);
  set_little(out + 80, h->entries, 8);
  set_little(out + 88, h->contents, 8);
  out[96] = 1;  // tiles lie in the order of their ids
  out[97] = GZIP;
  out[98] = UNCOMPRESSED;  // PNG and WebP are so themselves
  out[99] = (unsigned char)h->tile_type;
  out[100] = (unsigned char)h->min_zoom;
  out[101] = (unsigned char)h->max_zoom;
  set_degrees(out + 102, h->west);
  set_degrees(out + 106, h->south);
  set_degrees(out + 110, h->east);
  set_degrees(out + 114, h->north);
  out[118] = (unsigned char)h->min_zoom;
  set_degrees(out + 119, (h->west + h->east) / 2);
  set_degrees(out + 123, (h->south + h->north) / 2);
}
