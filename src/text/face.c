#include "text/face.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/budget.h"
#include "geometry/path.h"
#include "libraries/freetype.h"
#include "libraries/harfbuzz.h"
#include "text/color_scene.h"
#include "text/file.h"
#include FT_SYSTEM_H
#include FT_TRUETYPE_IDS_H

// Reads of the font that one glyph may cause: a composite glyph reads each of its parts once, and one with variations
// their data, some thousand times in real fonts. Fonts have been made whose glyphs contain each other 10^10 times.
#define MAX_GLYPH_READS 200000
#define WORK_READ 100
#define WORK_OUTLINE 2000
#define MAX_NAMES 4096
#define MAX_NAME_BYTES 512

stijl_result sj_text_open(stijl_message *message) {
  stijl_result result = sj_open_harfbuzz(message);
  return result ? result : sj_open_freetype(message);
}

// --- FreeType's memory, within a limit ---

// FreeType does not always survive that it gets no memory (2.12 crashes in FT_Done_Face after FT_Get_MM_Var was refused
// some). So a request that the context refuses is served by the C library and counted: who sees the count change fails.
// Likewise one that goes beyond the limit: the font is then closed. Only beyond twice the limit is a request refused.

// Before each block stands what it takes to count and to free it. All are in a list, because FreeType loses blocks of
// some broken fonts: they are freed with the library.
typedef struct sj_ft_block {
  struct sj_ft_block *next, **link;  // link: what points to this one
  size_t bytes;                      // there is room for; FreeType may have asked for fewer
  size_t from_context;               // else from the C library
} sj_ft_block;

bool sj_font_refused(sj_font_library *library) {
  atomic_fetch_add(&library->refusals, 1);
  return false;
}

void *sj_font_alloc(sj_font_library *library, size_t bytes) {
  void *block = sj_alloc_zero(library->context, bytes);
  if (!block) sj_font_refused(library);
  return block;
}

static void *ft_alloc(FT_Memory memory, long bytes) {
  sj_font_library *library = memory->user;
  size_t size = (size_t)bytes;
  if (bytes <= 0 || size > library->max_held || library->held + size > 2 * library->max_held) return NULL;
  if (library->held + size > library->max_held) library->over = true;
  sj_ft_block *block = sj_alloc(library->context, size + sizeof *block);
  bool from_context = block != NULL;
  if (!block) {
    sj_font_refused(library);
    block = malloc(size + sizeof *block);
    if (!block) return NULL;
  }
  *block =
      (sj_ft_block){.next = library->blocks, .link = &library->blocks, .bytes = size, .from_context = from_context};
  if (block->next) block->next->link = &block->next;
  library->blocks = block;
  library->held += size;
  return block + 1;
}

static void ft_free(FT_Memory memory, void *data) {
  sj_font_library *library = memory->user;
  if (!data) return;
  sj_ft_block *block = (sj_ft_block *)data - 1;
  *block->link = block->next;
  if (block->next) block->next->link = block->link;
  library->held -= block->bytes;
  if (block->from_context) {
    sj_free(library->context, block);
  } else {
    free(block);
  }
}

static void *ft_realloc(FT_Memory memory, long old_bytes, long bytes, void *data) {
  (void)old_bytes;
  sj_font_library *library = memory->user;
  if (!data) return ft_alloc(memory, bytes);
  if (bytes <= 0) return NULL;
  sj_ft_block *block = (sj_ft_block *)data - 1;
  size_t size = (size_t)bytes, old = block->bytes;
  // FreeType lets its arrays grow by a few elements at a time. They get half as much again, or what is left of it, so
  // that what is copied in all stays proportional to the array: a glyph of 3 KB has been made that copied 100 GB.
  if (size <= old && size >= old / 2) return data;
  size_t limit = library->held - old + size <= library->max_held ? library->max_held : 2 * library->max_held;
  size_t room = limit > library->held ? limit - library->held : 0, more = old / 2 < room ? old / 2 : room;
  if (size > old && size < old + more && old + more <= library->max_held) size = old + more;
  if (block->from_context && size <= library->max_held && library->held - old + size <= limit) {
    if (library->held - old + size > library->max_held) library->over = true;
    sj_ft_block *moved = sj_realloc(library->context, block, size + sizeof *block);
    if (moved) {
      moved->bytes = size;
      *moved->link = moved;
      if (moved->next) moved->next->link = &moved->next;
      library->held = library->held - old + size;
      return moved + 1;
    }
  }
  void *copy = ft_alloc(memory, bytes);
  if (!copy) return NULL;
  memcpy(copy, data, old < size ? old : size);
  ft_free(memory, data);
  return copy;
}

bool sj_font_library_init(sj_font_library *library, stijl_context *context, uint64_t max_bytes, uint64_t max_memory) {
  *library = (sj_font_library){.context = context,
                               .max_bytes = max_bytes,
                               .max_held = max_memory < SIZE_MAX / 4 ? (size_t)max_memory : SIZE_MAX / 4};
  // Outlines are read while the paints of a colour glyph are.
  pthread_mutexattr_t attributes;
  if (pthread_mutexattr_init(&attributes) != 0) return false;
  bool good = pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE) == 0 &&
              pthread_mutex_init(&library->lock, &attributes) == 0;
  pthread_mutexattr_destroy(&attributes);
  return good;
}

void sj_font_library_finish(sj_font_library *library) {
  if (library->library) FT_Done_Library(library->library);
  while (library->blocks) ft_free(library->memory, library->blocks + 1);
  sj_free(library->context, library->memory);
  pthread_mutex_destroy(&library->lock);
}

static bool start_library(sj_font_library *library) {
  if (library->library) return true;
  if (!library->memory) {
    FT_Memory memory = sj_font_alloc(library, sizeof *memory);
    if (!memory) return false;
    memory->user = library;
    memory->alloc = ft_alloc;
    memory->free = ft_free;
    memory->realloc = ft_realloc;
    library->memory = memory;
  }
  if (FT_New_Library(library->memory, &library->library)) {
    library->library = NULL;
    return false;
  }
  FT_Add_Default_Modules(library->library);
  return true;
}

// --- bytes ---

// What FreeType reads through. The memory belongs to the stream when it was unpacked for it.
typedef struct sj_stream {
  FT_StreamRec ft;
  stijl_context *context;
  int fd;  // -1: memory
  const unsigned char *data;
  unsigned char *own;
  uint64_t mapped;   // bytes of the data that are a file's; 0: they are not
  bool only_locate;  // reading notes where the bytes are, and copies none
  const unsigned char *located;
  const atomic_uint *refusals;  // of the library
  uint32_t reads, max_reads;    // 0: any number
  unsigned had_refusals;        // while there is a maximum: reading ends when memory was short since then
} sj_stream;

static unsigned long read_stream(FT_Stream ft, unsigned long offset, unsigned char *buffer, unsigned long count) {
  sj_stream *s = (sj_stream *)ft->descriptor.pointer;
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

static void close_file(sj_stream *s) {
  if (s->mapped) sj_font_file_unmap(s->data, s->mapped);
  if (s->fd >= 0) sj_font_file_close(s->fd);
  s->mapped = 0;
  s->fd = -1;
}

static void close_stream(sj_stream *s) {
  if (!s) return;
  close_file(s);
  sj_free(s->context, s->own);
  sj_free(s->context, s);
}

static sj_stream *open_stream(sj_font_library *library, const sj_font_bytes *bytes, stijl_message *message) {
  sj_stream *s = sj_font_alloc(library, sizeof *s);
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
      close_stream(s);
      return NULL;
    }
  } else {
    s->data = bytes->data;
  }
  if (size > library->max_bytes || size > INT32_MAX) {
    sj_fail(message, STIJL_ERROR_LIMIT, "the font is larger than max_bytes (%llu)",
            (unsigned long long)library->max_bytes);
    close_stream(s);
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

static bool open_ft(sj_font_library *library, sj_stream *s, uint32_t index, FT_Face *out) {
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

// Unpacks a WOFF or WOFF2 font, whose tables FreeType has unpacked, to one with the tables as they are, so that reading
// it goes through read_stream and is counted. FreeType is done with the packed one afterwards.
static bool unpack(sj_font_library *library, FT_Face face, sj_stream *s, uint64_t *bytes, stijl_message *message) {
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
    // Of two tables with one name the first is what is loaded, and may be longer than this one.
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

static bool is_woff(sj_stream *s) {
  unsigned char head[4];
  return s->ft.size > 4 && read_stream(&s->ft, 0, head, 4) == 4 &&
         (memcmp(head, "wOFF", 4) == 0 || memcmp(head, "wOF2", 4) == 0);
}

// Opens the face and its stream, unpacked. The lock is held.
static bool open_face(sj_font_library *library, const sj_font_bytes *bytes, uint32_t index, sj_stream **stream,
                      FT_Face *out, stijl_message *message) {
  if (!start_library(library)) return sj_fail_memory(message) == STIJL_OK;
  sj_stream *s = open_stream(library, bytes, message);
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
      close_stream(s);
      return false;
    }
    index = 0;
  }
  if (!open_ft(library, s, index, out)) {
    close_stream(s);
    sj_fail(message, STIJL_ERROR_MALFORMED, "no font that can be read");
    return false;
  }
  *stream = s;
  return true;
}

// --- HarfBuzz ---

typedef struct table_bytes {
  stijl_context *context;
  unsigned char *data;
} table_bytes;

static void free_table(void *user) {
  table_bytes *t = user;
  sj_free(t->context, t->data);
  sj_free(t->context, t);
}

static hb_blob_t *copy_table(sj_face *face, hb_tag_t tag, FT_ULong length) {
  stijl_context *context = face->library->context;
  table_bytes *t = sj_font_alloc(face->library, sizeof *t);
  unsigned char *data = sj_font_alloc(face->library, length);
  if (t && data && !FT_Load_Sfnt_Table(face->ft, tag, 0, data, &length)) {
    *t = (table_bytes){context, data};
    return hb_blob_create((const char *)data, (unsigned)length, HB_MEMORY_MODE_READONLY, t, free_table);
  }
  face->starved = !t || !data;
  sj_free(context, data);
  sj_free(context, t);
  return NULL;
}

// Of a font in memory; it tells where a table is by reading it.
static hb_blob_t *find_table(sj_face *face, hb_tag_t tag, FT_ULong length) {
  sj_stream *stream = face->stream;
  unsigned char none;
  stream->only_locate = true;
  bool good = !FT_Load_Sfnt_Table(face->ft, tag, 0, &none, &length);
  stream->only_locate = false;
  const char *data = (const char *)stream->located;
  return good ? hb_blob_create(data, (unsigned)length, HB_MEMORY_MODE_READONLY, NULL, NULL) : NULL;
}

// HarfBuzz asks for a table when it first needs it, from any thread.
static hb_blob_t *reference_table(hb_face_t *hb_face, hb_tag_t tag, void *user) {
  (void)hb_face;
  sj_face *face = user;
  const sj_stream *stream = face->stream;
  hb_blob_t *blob = NULL;
  if (tag == HB_TAG_NONE) return NULL;
  pthread_mutex_lock(&face->library->lock);
  FT_ULong length = 0;
  if (!FT_Load_Sfnt_Table(face->ft, tag, 0, NULL, &length) && length && length <= stream->ft.size)
    blob = stream->fd < 0 ? find_table(face, tag, length) : copy_table(face, tag, length);
  pthread_mutex_unlock(&face->library->lock);
  return blob;
}

// --- metrics ---

static void read_metrics(sj_face *face) {
  FT_Face ft = face->ft;
  sj_face_metrics *m = &face->metrics;
  const TT_OS2 *os2 = FT_Get_Sfnt_Table(ft, FT_SFNT_OS2);
  const TT_HoriHeader *hhea = FT_Get_Sfnt_Table(ft, FT_SFNT_HHEA);
  const TT_Postscript *post = FT_Get_Sfnt_Table(ft, FT_SFNT_POST);
  if (os2 && os2->version == 0xffff) os2 = NULL;
  // FreeType tells none for fonts of bitmaps.
  const TT_Header *head = FT_Get_Sfnt_Table(ft, FT_SFNT_HEAD);
  int em = head ? head->Units_Per_EM : ft->units_per_EM;
  m->units_per_em = em >= 16 && em <= 16384 ? em : 1000;
  // As CSS Inline 3, A.1 has it: the typographic metrics where the font says so, else those of hhea, else any.
  if (os2 && (os2->fsSelection & 128)) {
    m->ascent = os2->sTypoAscender;
    m->descent = os2->sTypoDescender;
    m->line_gap = os2->sTypoLineGap;
  } else if (hhea) {
    m->ascent = hhea->Ascender;
    m->descent = hhea->Descender;
    m->line_gap = hhea->Line_Gap;
  }
  if (!m->ascent && !m->descent && os2) {
    m->ascent = os2->sTypoAscender ? os2->sTypoAscender : os2->usWinAscent;
    m->descent = os2->sTypoAscender ? os2->sTypoDescender : -(int)os2->usWinDescent;
  }
  if (!m->ascent && !m->descent) {
    m->ascent = m->units_per_em * 4 / 5;
    m->descent = m->ascent - m->units_per_em;
  }
  if (m->descent > 0) m->descent = -m->descent;
  if (m->line_gap < 0) m->line_gap = 0;
  m->x_height = os2 && os2->version >= 2 && os2->sxHeight > 0 ? os2->sxHeight : (m->ascent - m->descent) * 45 / 100;
  m->cap_height = os2 && os2->version >= 2 && os2->sCapHeight > 0 ? os2->sCapHeight : m->ascent * 7 / 10;
  m->underline_thickness = post && post->underlineThickness > 0 ? post->underlineThickness : m->units_per_em / 12;
  m->underline_position =
      post && post->underlineThickness > 0 ? post->underlinePosition : -m->underline_thickness * 3 / 2;
  bool strike = os2 && os2->yStrikeoutSize > 0;
  m->strike_thickness = strike ? os2->yStrikeoutSize : m->underline_thickness;
  m->strike_position = strike ? os2->yStrikeoutPosition : m->x_height / 2;
  m->subscript_offset = os2 && os2->ySubscriptYOffset ? os2->ySubscriptYOffset : m->units_per_em / 5;
  m->superscript_offset = os2 && os2->ySuperscriptYOffset ? os2->ySuperscriptYOffset : m->units_per_em * 2 / 5;
}

// Sets the axes for FreeType and HarfBuzz alike.
static void set_axes(sj_face *face, const sj_axis_value *axes, size_t axis_count) {
  hb_variation_t set[64];
  unsigned count = 0;
  FT_MM_Var *variations = NULL;
  pthread_mutex_lock(&face->library->lock);
  if (FT_HAS_MULTIPLE_MASTERS(face->ft) && !FT_Get_MM_Var(face->ft, &variations)) {
    FT_Fixed coordinates[64];
    count = variations->num_axis <= 64 ? variations->num_axis : 0;
    for (unsigned i = 0; i < count; i++) {
      const FT_Var_Axis *axis = &variations->axis[i];
      FT_Fixed value = axis->def;
      for (size_t k = 0; k < axis_count; k++) {
        if (axes[k].tag != axis->tag) continue;
        float v = axes[k].value < -32000.0f ? -32000.0f : axes[k].value > 32000.0f ? 32000.0f : axes[k].value;
        value = (FT_Fixed)(v * 65536.0f);
      }
      if (value > axis->maximum) value = axis->maximum;
      if (value < axis->minimum) value = axis->minimum;
      coordinates[i] = value;
      set[i] = (hb_variation_t){(hb_tag_t)axis->tag, (float)value / 65536.0f};
    }
    if (count) FT_Set_Var_Design_Coordinates(face->ft, count, coordinates);
    FT_Done_MM_Var(face->library->library, variations);
  }
  pthread_mutex_unlock(&face->library->lock);
  // HarfBuzz reads tables meanwhile, for which reference_table takes the lock.
  if (count) hb_font_set_variations(face->hb, set, count);
}

// --- open and close ---

static bool has_table(FT_Face ft, FT_ULong tag) {
  FT_ULong bytes = 0;
  return !FT_Load_Sfnt_Table(ft, tag, 0, NULL, &bytes) && bytes;
}

sj_face *sj_face_open(sj_font_library *library, const sj_font_bytes *bytes, uint32_t index, const sj_instance *instance,
                      stijl_message *message) {
  if (sj_text_open(message)) return NULL;
  sj_face *face = sj_font_alloc(library, sizeof *face);
  if (!face) {
    sj_fail_memory(message);
    return NULL;
  }
  static _Atomic uint64_t last;
  face->library = library;
  face->size_adjust = 1.0f;
  face->serial = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
  face->slanted = instance && instance->slanted;
  face->emboldened = instance && instance->emboldened;
  sj_stream *stream = NULL;
  pthread_mutex_lock(&library->lock);
  bool good = open_face(library, bytes, index, &stream, &face->ft, message);
  if (good) {
    face->stream = stream;
    face->glyph_count = (uint32_t)face->ft->num_glyphs;
    face->has_color = FT_HAS_COLOR(face->ft) || has_table(face->ft, FT_MAKE_TAG('S', 'V', 'G', ' ')) ||
                      has_table(face->ft, FT_MAKE_TAG('C', 'O', 'L', 'R'));
    // FreeType tells of no outlines in fonts that have sbix, too, but reads them.
    face->has_outlines = FT_IS_SCALABLE(face->ft) || has_table(face->ft, FT_MAKE_TAG('g', 'l', 'y', 'f'));
    face->has_vertical = FT_HAS_VERTICAL(face->ft);
    read_metrics(face);
  }
  pthread_mutex_unlock(&library->lock);
  if (!good) {
    sj_free(library->context, face);
    return NULL;
  }
  // HarfBuzz asks for tables as soon as it likes, so the lock is open here.
  face->hb_face = hb_face_create_for_tables(reference_table, face, NULL);
  hb_face_set_index(face->hb_face, index);
  hb_face_set_upem(face->hb_face, (unsigned)face->metrics.units_per_em);
  hb_face_set_glyph_count(face->hb_face, face->glyph_count);
  face->hb = hb_font_create(face->hb_face);
  hb_font_set_scale(face->hb, face->metrics.units_per_em, face->metrics.units_per_em);
  if (instance && instance->axis_count) set_axes(face, instance->axes, instance->axis_count);
  hb_font_make_immutable(face->hb);
  if (hb_font_get_face(face->hb) != face->hb_face) {  // the empty font: memory was short
    sj_face_close(face);
    sj_fail_memory(message);
    return NULL;
  }
  return face;
}

void sj_face_close(sj_face *face) {
  if (!face) return;
  if (face->colors) sj_color_scenes_finish(face);
  hb_font_destroy(face->hb);
  hb_blob_destroy(face->colr);
  hb_blob_destroy(face->cpal);
  hb_face_destroy(face->hb_face);
  pthread_mutex_lock(&face->library->lock);
  FT_Done_Face(face->ft);
  pthread_mutex_unlock(&face->library->lock);
  close_stream(face->stream);
  sj_free(face->library->context, face);
}

bool sj_face_has_char(const sj_face *face, uint32_t character) {
  hb_codepoint_t glyph;
  bool within = !face->ranges;
  for (size_t i = 0; i < face->range_count && !within; i++)
    within = character >= face->ranges[2 * i] && character <= face->ranges[2 * i + 1];
  return within && hb_font_get_nominal_glyph(face->hb, character, &glyph) && glyph;
}

// --- outlines ---

typedef struct sink {
  stijl_path *path;
  const stijl_matrix *matrix;
  bool open;
} sink;

static stijl_point place(const sink *s, const FT_Vector *v) {
  return stijl_matrix_apply(*s->matrix, (stijl_point){(float)v->x, (float)v->y});
}

static int sink_move(const FT_Vector *to, void *user) {
  sink *s = user;
  if (s->open) stijl_path_close(s->path);
  s->open = true;
  stijl_point p = place(s, to);
  stijl_path_move_to(s->path, p.x, p.y);
  return 0;
}

static int sink_line(const FT_Vector *to, void *user) {
  sink *s = user;
  stijl_point p = place(s, to);
  stijl_path_line_to(s->path, p.x, p.y);
  return 0;
}

static int sink_quad(const FT_Vector *control, const FT_Vector *to, void *user) {
  sink *s = user;
  stijl_point a = place(s, control), p = place(s, to);
  stijl_path_quad_to(s->path, a.x, a.y, p.x, p.y);
  return 0;
}

static int sink_cubic(const FT_Vector *c1, const FT_Vector *c2, const FT_Vector *to, void *user) {
  sink *s = user;
  stijl_point a = place(s, c1), b = place(s, c2), p = place(s, to);
  stijl_path_cubic_to(s->path, a.x, a.y, b.x, b.y, p.x, p.y);
  return 0;
}

// Slants by tan(14 degrees), CSS Fonts 4, 2.6: "oblique" is 14 degrees.
#define SLANT 0.2493f

bool sj_face_outline(sj_face *face, stijl_context *context, uint32_t glyph, const stijl_matrix *matrix,
                     stijl_path *out) {
  static const FT_Outline_Funcs funcs = {sink_move, sink_line, sink_quad, sink_cubic, 0, 0};
  if (!face->has_outlines || face->broken || glyph >= face->glyph_count) return false;
  stijl_matrix m = *matrix;
  if (face->slanted) m = stijl_matrix_multiply(m, (stijl_matrix){1.0f, 0.0f, SLANT, 1.0f, 0.0f, 0.0f});
  sink s = {.path = out, .matrix = &m};
  sj_stream *stream = face->stream;
  pthread_mutex_lock(&face->library->lock);
  unsigned refusals = atomic_load(&face->library->refusals);
  stream->reads = 0;
  stream->had_refusals = refusals;
  stream->max_reads = MAX_GLYPH_READS;
  // In font units the points are integers, those of variable fonts rounded from FreeType's fixed point.
  bool good = !FT_Load_Glyph(face->ft, glyph, FT_LOAD_NO_SCALE | FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) &&
              face->ft->glyph->format == FT_GLYPH_FORMAT_OUTLINE;
  uint32_t reads = stream->reads;
  if (atomic_load(&face->library->refusals) != refusals && stijl_path_status(out) == STIJL_OK)
    out->status = STIJL_ERROR_OUT_OF_MEMORY;
  stream->max_reads = 0;
  // A font that has such a glyph has others.
  if (reads > MAX_GLYPH_READS) face->broken = true;
  if (good) {
    FT_Outline *outline = &face->ft->glyph->outline;
    // What FT_GlyphSlot_Embolden adds, without its rounding to pixels.
    if (face->emboldened) FT_Outline_Embolden(outline, face->metrics.units_per_em / 24);
    good = !FT_Outline_Decompose(outline, &funcs, &s);
    if (s.open) stijl_path_close(out);
  }
  pthread_mutex_unlock(&face->library->lock);
  sj_context_check(context, WORK_OUTLINE + (uint64_t)reads * WORK_READ);
  return good && s.open;
}

// --- descriptions ---

static void put_utf8(uint32_t c, char *out, size_t *length) {
  if (c < 0x80) {
    out[(*length)++] = (char)c;
  } else if (c < 0x800) {
    out[(*length)++] = (char)(0xc0 | c >> 6);
    out[(*length)++] = (char)(0x80 | (c & 63));
  } else if (c < 0x10000) {
    out[(*length)++] = (char)(0xe0 | c >> 12);
    out[(*length)++] = (char)(0x80 | (c >> 6 & 63));
    out[(*length)++] = (char)(0x80 | (c & 63));
  } else {
    out[(*length)++] = (char)(0xf0 | c >> 18);
    out[(*length)++] = (char)(0x80 | (c >> 12 & 63));
    out[(*length)++] = (char)(0x80 | (c >> 6 & 63));
    out[(*length)++] = (char)(0x80 | (c & 63));
  }
}

// A name in UTF-8, at most MAX_NAME_BYTES; 0 for an encoding that nobody uses any more.
static size_t decode_name(const FT_SfntName *name, char out[MAX_NAME_BYTES]) {
  size_t length = 0;
  bool utf16 = name->platform_id == TT_PLATFORM_APPLE_UNICODE || name->platform_id == TT_PLATFORM_MICROSOFT;
  if (!utf16 && !(name->platform_id == TT_PLATFORM_MACINTOSH && name->encoding_id == 0)) return 0;
  for (FT_UInt i = 0; i + (utf16 ? 1 : 0) < name->string_len && length + 4 < MAX_NAME_BYTES; i += utf16 ? 2 : 1) {
    uint32_t c = utf16 ? (uint32_t)name->string[i] << 8 | name->string[i + 1] : name->string[i];
    if (utf16 && c >= 0xd800 && c < 0xdc00 && i + 3 < name->string_len) {
      uint32_t low = (uint32_t)name->string[i + 2] << 8 | name->string[i + 3];
      if (low >= 0xdc00 && low < 0xe000) {
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        i += 2;
      }
    }
    if (!c || (c >= 0xd800 && c < 0xe000) || (!utf16 && c > 126)) return 0;
    put_utf8(c, out, &length);
  }
  return length;
}

typedef SJ_ARRAY(char) text_array;

// Adds a name in lower case.
static bool add_name(stijl_context *context, text_array *families, const char *name, size_t length) {
  if (!length || families->count > 1 << 16) return true;
  char lower[MAX_NAME_BYTES];
  for (size_t i = 0; i < length; i++) lower[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] + 32 : name[i]);
  // Each once.
  for (size_t at = 0; at < families->count; at += strlen(families->data + at) + 1) {
    if (strlen(families->data + at) == length && memcmp(families->data + at, lower, length) == 0) return true;
  }
  if (!sj_array_reserve(context, families, length + 1)) return false;
  memcpy(families->data + families->count, lower, length);
  families->data[families->count + length] = 0;
  families->count += length + 1;
  return true;
}

static bool describe_full_names(sj_font_library *library, FT_Face ft, sj_face_description *out) {
  text_array names = {0};
  FT_UInt count = FT_Get_Sfnt_Name_Count(ft);
  bool good = true;
  char text[MAX_NAME_BYTES];
  for (FT_UInt i = 0; i < count && i < MAX_NAMES && good; i++) {
    FT_SfntName name;
    if (FT_Get_Sfnt_Name(ft, i, &name) || (name.name_id != TT_NAME_ID_FULL_NAME && name.name_id != TT_NAME_ID_PS_NAME))
      continue;
    good = add_name(library->context, &names, text, decode_name(&name, text));
  }
  if (good && sj_array_push(library->context, &names, 0)) {
    out->full_names = names.data;
    return true;
  }
  sj_array_finish(library->context, &names);
  return sj_font_refused(library);
}

// The typographic family (16) goes before that of four styles (1).
static bool describe_names(sj_font_library *library, FT_Face ft, sj_face_description *out) {
  stijl_context *context = library->context;
  static const FT_UShort ids[] = {TT_NAME_ID_TYPOGRAPHIC_FAMILY, TT_NAME_ID_FONT_FAMILY, TT_NAME_ID_WWS_FAMILY};
  text_array families = {0};
  FT_UInt count = FT_Get_Sfnt_Name_Count(ft);
  bool good = true;
  char text[MAX_NAME_BYTES];
  for (int k = 0; k < 3; k++) {
    for (FT_UInt i = 0; i < count && i < MAX_NAMES && good; i++) {
      FT_SfntName name;
      if (FT_Get_Sfnt_Name(ft, i, &name) || name.name_id != ids[k]) continue;
      size_t length = decode_name(&name, text);
      bool english =
          name.platform_id != TT_PLATFORM_MICROSOFT || name.language_id == TT_MS_LANGID_ENGLISH_UNITED_STATES;
      if (length && english && !out->name) good = (out->name = sj_strndup(context, text, length)) != NULL;
      good = good && add_name(context, &families, text, length);
    }
  }
  if (good && !families.count) {
    const char *name = ft->family_name ? ft->family_name : "";
    good = add_name(context, &families, name, strnlen(name, MAX_NAME_BYTES - 1));
  }
  if (good && !out->name) {
    const char *name = families.count ? families.data : "";
    good = (out->name = sj_strndup(context, name, strlen(name))) != NULL;
  }
  if (good && sj_array_push(context, &families, 0)) {
    out->families = families.data;
    return true;
  }
  sj_free(context, out->name);
  sj_array_finish(context, &families);
  return sj_font_refused(library);
}

static bool describe(sj_font_library *library, FT_Face ft, sj_face_description *out) {
  static const float widths[] = {50.0f, 62.5f, 75.0f, 87.5f, 100.0f, 112.5f, 125.0f, 150.0f, 200.0f};
  *out = (sj_face_description){.weight_min = 400.0f, .stretch_min = 100.0f};
  const TT_OS2 *os2 = FT_Get_Sfnt_Table(ft, FT_SFNT_OS2);
  if (os2 && os2->version == 0xffff) os2 = NULL;
  out->italic = (ft->style_flags & FT_STYLE_FLAG_ITALIC) != 0;
  if (os2) {
    if (os2->usWeightClass >= 1 && os2->usWeightClass <= 1000) out->weight_min = os2->usWeightClass;
    if (os2->usWeightClass >= 1 && os2->usWeightClass <= 9) out->weight_min = 100.0f * os2->usWeightClass;
    if (os2->usWidthClass >= 1 && os2->usWidthClass <= 9) out->stretch_min = widths[os2->usWidthClass - 1];
    out->italic = (os2->fsSelection & 1) != 0;
    out->oblique = (os2->fsSelection & 512) != 0;
  } else if (ft->style_flags & FT_STYLE_FLAG_BOLD) {
    out->weight_min = 700.0f;
  }
  out->weight_max = out->weight_min;
  out->stretch_max = out->stretch_min;
  FT_MM_Var *variations;
  if (FT_HAS_MULTIPLE_MASTERS(ft) && !FT_Get_MM_Var(ft, &variations)) {
    for (FT_UInt i = 0; i < variations->num_axis; i++) {
      const FT_Var_Axis *axis = &variations->axis[i];
      float low = (float)axis->minimum / 65536.0f, high = (float)axis->maximum / 65536.0f;
      if (axis->tag == FT_MAKE_TAG('w', 'g', 'h', 't')) out->weight_min = low, out->weight_max = high;
      if (axis->tag == FT_MAKE_TAG('w', 'd', 't', 'h')) out->stretch_min = low, out->stretch_max = high;
      if (axis->tag == FT_MAKE_TAG('s', 'l', 'n', 't') || axis->tag == FT_MAKE_TAG('i', 't', 'a', 'l'))
        out->has_slant_axis = true;
    }
    FT_Done_MM_Var(library->library, variations);
  }
  if (!describe_names(library, ft, out)) return false;
  if (describe_full_names(library, ft, out)) return true;
  sj_free(library->context, out->families);
  sj_free(library->context, out->name);
  return false;
}

stijl_result sj_font_describe(sj_font_library *library, const sj_font_bytes *bytes,
                              bool (*add)(void *user, uint32_t index, const sj_face_description *description),
                              void *user, stijl_message *message) {
  stijl_result result = sj_text_open(message);
  if (result) return result;
  pthread_mutex_lock(&library->lock);
  long count = 1;
  for (long i = 0; i < count && result == STIJL_OK; i++) {
    FT_Face ft;
    sj_stream *stream;
    if (!open_face(library, bytes, (uint32_t)i, &stream, &ft, message)) {
      if (i == 0) result = STIJL_ERROR_MALFORMED;
      continue;
    }
    if (i == 0) count = ft->num_faces < 256 ? ft->num_faces : 256;
    sj_face_description description;
    if (!describe(library, ft, &description) || !add(user, (uint32_t)i, &description)) result = sj_fail_memory(message);
    FT_Done_Face(ft);
    close_stream(stream);
  }
  pthread_mutex_unlock(&library->lock);
  return result;
}
