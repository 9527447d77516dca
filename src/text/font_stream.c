#include "text/font_stream.h"

#include <string.h>

#include "base/budget.h"
#include "text/file.h"

// Reads for FreeType. Returns how many bytes were read, and for a count of 0 whether the offset is invalid.
static unsigned long read_stream(FT_Stream ft, unsigned long offset, unsigned char *buffer, unsigned long count) {
  sj_font_stream *s = (sj_font_stream *)ft->descriptor.pointer;
  if (offset > ft->size || count > ft->size - offset) return count ? 0 : 1;
  if (!count) return 0;
  if (s->max_reads && ++s->reads > s->max_reads) return 0;
  if (s->fd < 0) {
    s->located = s->data + offset;
    if (!s->only_locate) memcpy(buffer, s->located, count);
    return count;
  }
  return sj_font_file_read(s->fd, offset, buffer, count) ? count : 0;
}

static void close_file(sj_font_stream *s) {
  if (s->mapped) sj_font_file_unmap(s->data, s->mapped);
  if (s->fd >= 0) sj_font_file_close(s->fd);
  s->mapped = 0;
  s->fd = -1;
}

void sj_font_stream_close(sj_font_stream *s) {
  if (!s) return;
  sj_ft_close(s->freetype);
  close_file(s);
  sj_free(s->context, s->own);
  sj_free(s->context, s);
}

static sj_font_stream *open_stream(sj_font_library *library, const sj_font_bytes *bytes, stijl_message *message) {
  sj_font_stream *s = sj_font_alloc(library, sizeof *s);
  if (!s) {
    sj_fail_memory(message);
    return NULL;
  }
  s->context = library->context;
  s->fd = -1;
  uint64_t size = bytes->size;
  if (bytes->path) {
    s->fd = sj_font_file_open(bytes->path, &size, message);
    if (s->fd < 0) {
      sj_font_stream_close(s);
      return NULL;
    }
  } else {
    s->data = bytes->data;
  }
  if (size > library->max_bytes || size > INT32_MAX) {
    sj_fail(message, STIJL_ERROR_LIMIT, "the font is larger than max_bytes (%llu)",
            (unsigned long long)library->max_bytes);
    sj_font_stream_close(s);
    return NULL;
  }
  if (s->fd >= 0 && (s->data = sj_font_file_map(s->fd, size))) {
    sj_font_file_close(s->fd);
    s->fd = -1;
    s->mapped = size;
  }
  s->ft.size = (unsigned long)size;
  s->ft.descriptor.pointer = s;
  s->ft.read = read_stream;
  return s;
}

// --- FreeType's face ---

typedef struct opening {
  sj_font_stream *stream;
  uint32_t index;
  FT_Face face;
  bool good;
} opening;

bool sj_font_stream_fail(const sj_font_stream *stream, stijl_message *message) {
  const sj_ft *freetype = stream->freetype;
  if (!freetype->over) return sj_fail_memory(message) == STIJL_OK;
  return sj_fail(message, STIJL_ERROR_LIMIT, "the fonts take more than their max_memory (%zu bytes)",
                 freetype->library->max_held) == STIJL_OK;
}

// Opens a face. Fonts that are not made of tables (SFNT) are refused.
static void open_face(void *user) {
  opening *o = user;
  FT_Open_Args args = {.flags = FT_OPEN_STREAM, .stream = &o->stream->ft};
  if (FT_Open_Face(o->stream->freetype->ft, &args, (FT_Long)o->index, &o->face)) return;
  o->good = FT_IS_SFNT(o->face) && o->face->num_glyphs > 0 && o->face->num_glyphs <= 65535;
}

static bool open_ft(sj_font_library *library, sj_font_stream *s, uint32_t index, FT_Face *out, stijl_message *message) {
  opening o = {.stream = s, .index = index};
  s->freetype = sj_ft_open(library);
  if (!s->freetype) return sj_fail_memory(message) == STIJL_OK;
  if (!sj_ft_run(s->freetype, open_face, &o)) return sj_font_stream_fail(s, message);
  *out = o.face;
  return o.good || sj_fail(message, STIJL_ERROR_MALFORMED, "no font that can be read") == STIJL_OK;
}

// --- WOFF and WOFF2 ---

static void put32(unsigned char *at, uint32_t value) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> (24 - 8 * i));
}

// What is made of a packed font.
typedef struct unpacking {
  sj_font_library *library;
  FT_Face face;
  unsigned char *data;
  uint64_t size;
  stijl_result result;
} unpacking;

// Copies the tables that FreeType has unpacked into a plain font.
static void copy_tables(void *user) {
  unpacking *u = user;
  FT_Face face = u->face;
  FT_ULong tables = 0;
  u->result = STIJL_ERROR_MALFORMED;
  u->size = 12;
  if (FT_Sfnt_Table_Info(face, 0, NULL, &tables) || !tables || tables > 256) return;
  for (FT_UInt i = 0; i < tables; i++) {
    FT_ULong tag, length;
    if (FT_Sfnt_Table_Info(face, i, &tag, &length)) length = 0;
    u->size += 16 + (((uint64_t)length + 3) & ~(uint64_t)3);
  }
  u->result = STIJL_ERROR_OUT_OF_MEMORY;
  if (u->size >= (uint64_t)1 << 28 || !(u->data = sj_font_alloc(u->library, (size_t)u->size))) return;
  u->result = STIJL_OK;
  FT_ULong cff_length = 0;
  bool cff = !FT_Load_Sfnt_Table(face, FT_MAKE_TAG('C', 'F', 'F', ' '), 0, NULL, &cff_length) && cff_length;
  put32(u->data, cff ? 0x4f54544f : 0x00010000);
  u->data[4] = (unsigned char)(tables >> 8);
  u->data[5] = (unsigned char)tables;
  uint32_t at = 12 + 16 * (uint32_t)tables;
  for (FT_UInt i = 0; i < tables; i++) {
    FT_ULong tag = 0, length = 0;
    if (FT_Sfnt_Table_Info(face, i, &tag, &length)) length = 0;
    unsigned char *entry = u->data + 12 + 16 * i;
    FT_ULong loaded = length;
    // If two tables have this name, the first is loaded, which may be longer than this one.
    if (length && FT_Load_Sfnt_Table(face, tag, 0, u->data + at, &loaded)) length = 0;
    put32(entry, (uint32_t)tag);
    put32(entry + 8, at);
    put32(entry + 12, (uint32_t)length);
    at += ((uint32_t)length + 3) & ~3u;
  }
}

// Reads a number of WOFF2's directory, at most 5 bytes of 7 bits each. Returns false when the data end.
static bool read_base128(sj_font_stream *s, uint64_t *at, uint64_t *out) {
  unsigned char byte = 0x80;
  *out = 0;
  for (int i = 0; i < 5 && byte & 0x80; i++) {
    if (*at >= s->ft.size || !read_stream(&s->ft, (unsigned long)(*at)++, &byte, 1)) return false;
    *out = *out << 7 | (byte & 0x7f);
  }
  return true;
}

// Returns how much memory brotli may take, for which FreeType calls it without an allocator: its window, which is as
// large as what it unpacks or 16 MiB, and its tables of prefix codes (RFC 7932, 9.1 and 7.1: 3 times 256 codes).
static size_t brotli_bytes(sj_font_stream *s) {
  enum { TABLES = 4 << 20, WINDOW = 16 << 20 };
  unsigned char head[14], flags, tag[4];
  uint64_t at = 48, sum = 0, length;
  if (read_stream(&s->ft, 0, head, sizeof head) != sizeof head) return TABLES;
  int tables = head[12] << 8 | head[13];
  for (int i = 0; i < tables; i++) {
    if (!read_stream(&s->ft, (unsigned long)at++, &flags, 1)) break;
    int index = flags & 63, version = flags >> 6;
    if (index == 63 && !read_stream(&s->ft, (unsigned long)at, tag, 4)) break;
    bool outlines = index == 10 || index == 11 || (index == 63 && (!memcmp(tag, "glyf", 4) || !memcmp(tag, "loca", 4)));
    at += index == 63 ? 4 : 0;
    if (!read_base128(s, &at, &length)) break;
    if (outlines ? version != 3 : version != 0) {  // it is transformed, to this length
      if (!read_base128(s, &at, &length)) break;
    }
    sum += length;
  }
  return TABLES + (sum < WINDOW / 2 ? 2 * (size_t)sum : WINDOW);
}

// Makes a plain font of a WOFF or WOFF2 font, whose tables FreeType can read, so that FreeType reads glyphs through
// read_stream, which counts. The packed font is closed afterwards.
static bool unpack(sj_font_library *library, sj_font_stream *s, bool woff2, stijl_message *message) {
  unpacking u = {.library = library};
  size_t brotli = woff2 ? brotli_bytes(s) : 0;
  if (!sj_budget_reserve(library->context, brotli)) {
    sj_font_refused(library);
    return sj_fail_memory(message) == STIJL_OK;
  }
  bool good = open_ft(library, s, 0, &u.face, message);
  sj_budget_release(library->context, brotli);
  if (good && !sj_ft_run(s->freetype, copy_tables, &u)) good = sj_font_stream_fail(s, message);
  sj_ft_close(s->freetype);
  s->freetype = NULL;
  close_file(s);
  s->own = u.data;
  s->data = u.data;
  s->ft = (FT_StreamRec){.size = (unsigned long)u.size, .read = read_stream};
  s->ft.descriptor.pointer = s;
  if (good && u.result)
    good = sj_fail(message, u.result, "%s",
                   u.result == STIJL_ERROR_MALFORMED ? "the font has no tables" : stijl_result_string(u.result)) ==
           STIJL_OK;
  return good;
}

bool sj_font_stream_open(sj_font_library *library, const sj_font_bytes *bytes, uint32_t index, sj_font_stream **stream,
                         sj_ft_face *out, stijl_message *message) {
  sj_font_stream *s = open_stream(library, bytes, message);
  if (!s) return false;
  unsigned char head[4];
  bool good = true;
  if (s->ft.size > 4 && read_stream(&s->ft, 0, head, 4) == 4 &&
      (memcmp(head, "wOFF", 4) == 0 || memcmp(head, "wOF2", 4) == 0)) {
    good = unpack(library, s, head[3] == '2', message);
    index = 0;
  }
  if (good && open_ft(library, s, index, out, message)) {
    *stream = s;
    return true;
  }
  sj_font_stream_close(s);
  return false;
}
