#include "text/font_stream.h"

#include <string.h>

#include "text/file.h"

// FreeType calls this to read. It returns how many bytes were read; for a count of 0 it returns 0 if the offset is
// valid.
static unsigned long read_stream(FT_Stream ft, unsigned long offset, unsigned char *buffer, unsigned long count) {
  sj_font_stream *s = (sj_font_stream *)ft->descriptor.pointer;
  if (offset > ft->size || count > ft->size - offset) return count ? 0 : 1;
  if (!count) return 0;
  if (s->max_reads && (++s->reads > s->max_reads || atomic_load(s->refusals) != s->had_refusals)) return 0;
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
  s->refusals = &library->refusals;
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

// Opens FreeType's face. Fonts that are not made of tables (SFNT) are refused.
static bool open_ft(sj_font_library *library, sj_font_stream *s, uint32_t index, FT_Face *out) {
  FT_Open_Args args = {.flags = FT_OPEN_STREAM, .stream = &s->ft};
  library->over = false;
  if (FT_Open_Face(library->library, &args, (FT_Long)index, out)) return false;
  if (!library->over && FT_IS_SFNT(*out) && (*out)->num_glyphs > 0 && (*out)->num_glyphs <= 65535) return true;
  FT_Done_Face(*out);
  return false;
}

static void put32(unsigned char *at, uint32_t value) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> (24 - 8 * i));
}

// Makes a plain font of a WOFF or WOFF2 font, whose tables FreeType can read, so that FreeType reads glyphs through
// read_stream, which counts. The packed font is closed afterwards.
static bool unpack(sj_font_library *library, FT_Face face, sj_font_stream *s, uint64_t *bytes, stijl_message *message) {
  FT_ULong tables = 0;
  uint64_t size = 12;
  if (FT_Sfnt_Table_Info(face, 0, NULL, &tables) || !tables || tables > 256)
    return sj_fail(message, STIJL_ERROR_MALFORMED, "the font has no tables") == STIJL_OK;
  for (FT_UInt i = 0; i < tables; i++) {
    FT_ULong tag, length;
    if (FT_Sfnt_Table_Info(face, i, &tag, &length)) length = 0;
    size += 16 + (((uint64_t)length + 3) & ~(uint64_t)3);
  }
  unsigned char *data = size < (uint64_t)1 << 28 ? sj_font_alloc(library, (size_t)size) : NULL;
  if (!data) return sj_fail_memory(message) == STIJL_OK;
  FT_ULong cff_length = 0;
  bool cff = !FT_Load_Sfnt_Table(face, FT_MAKE_TAG('C', 'F', 'F', ' '), 0, NULL, &cff_length) && cff_length;
  put32(data, cff ? 0x4f54544f : 0x00010000);
  data[4] = (unsigned char)(tables >> 8);
  data[5] = (unsigned char)tables;
  uint32_t at = 12 + 16 * (uint32_t)tables;
  for (FT_UInt i = 0; i < tables; i++) {
    FT_ULong tag = 0, length = 0;
    if (FT_Sfnt_Table_Info(face, i, &tag, &length)) length = 0;
    unsigned char *entry = data + 12 + 16 * i;
    FT_ULong loaded = length;
    // If two tables have this name, the first is loaded, which may be longer than this one.
    if (length && FT_Load_Sfnt_Table(face, tag, 0, data + at, &loaded)) length = 0;
    put32(entry, (uint32_t)tag);
    put32(entry + 8, at);
    put32(entry + 12, (uint32_t)length);
    at += ((uint32_t)length + 3) & ~3u;
  }
  s->own = data;
  *bytes = size;
  return true;
}

static bool is_woff(sj_font_stream *s) {
  unsigned char head[4];
  return s->ft.size > 4 && read_stream(&s->ft, 0, head, 4) == 4 &&
         (memcmp(head, "wOFF", 4) == 0 || memcmp(head, "wOF2", 4) == 0);
}

bool sj_font_stream_open(sj_font_library *library, const sj_font_bytes *bytes, uint32_t index, sj_font_stream **stream,
                         sj_ft_face *out, stijl_message *message) {
  if (!sj_font_library_start(library)) return sj_fail_memory(message) == STIJL_OK;
  sj_font_stream *s = open_stream(library, bytes, message);
  if (!s) return false;
  if (is_woff(s)) {
    FT_Face packed;
    uint64_t size = 0;
    bool good = open_ft(library, s, 0, &packed);
    if (good) {
      good = unpack(library, packed, s, &size, message);
      FT_Done_Face(packed);
      close_file(s);
      s->data = s->own;
      s->ft = (FT_StreamRec){.size = (unsigned long)size, .read = read_stream};
      s->ft.descriptor.pointer = s;
    } else {
      sj_fail(message, STIJL_ERROR_MALFORMED, "no font that can be read");
    }
    if (!good) {
      sj_font_stream_close(s);
      return false;
    }
    index = 0;
  }
  if (!open_ft(library, s, index, out)) {
    sj_font_stream_close(s);
    sj_fail(message, STIJL_ERROR_MALFORMED, "no font that can be read");
    return false;
  }
  *stream = s;
  return true;
}
