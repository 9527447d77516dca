#include "base/budget.h"
#include "image/image.h"

#ifndef STIJL_HAVE_JPEG

stijl_result sj_jpeg_decode(const sj_decode *decode, stijl_image **out) {
  (void)out;
  return sj_fail(decode->message, STIJL_ERROR_UNSUPPORTED, "this build cannot read JPEG images");
}

#else

#include <setjmp.h>
#include <string.h>

#include "libraries/jpeg.h"
// jerror.h needs jpeglib.h before it.
#include <jerror.h>

// Each scan of a progressive file is a pass over the whole picture, and a small file can have very many scans.
#define MAX_SCANS 100
// The most memory that the coefficients of a progressive file may take, beside the picture itself.
#define MAX_LIBRARY_BYTES (1L << 30)

typedef struct {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  struct jpeg_source_mgr source;
  jmp_buf jump;
  const sj_decode *decode;
  stijl_image *image;
  unsigned char *cmyk;            // one row, for images in CMYK
  struct jpeg_memory_mgr memory;  // what libjpeg's own memory manager does
  size_t reserved;                // bytes of the budget for what libjpeg allocates
  bool ended_early, too_many_scans, spent, refused;
} reader;

static void on_error(j_common_ptr jpeg) {
  reader *r = jpeg->client_data;
  longjmp(r->jump, 1);
}

static void on_message(j_common_ptr jpeg) { (void)jpeg; }

// Counts a warning. All of them are reported together at the end.
static void on_warning(j_common_ptr jpeg, int level) {
  if (level < 0) jpeg->err->num_warnings++;
}

// Returns the work for a row of blocks, which libjpeg reads between two calls of on_progress.
static uint64_t jpeg_row_work(const struct jpeg_decompress_struct *jpeg) { return (uint64_t)jpeg->image_width * 16; }

static void on_progress(j_common_ptr jpeg) {
  reader *r = jpeg->client_data;
  r->too_many_scans = r->jpeg.input_scan_number > MAX_SCANS;
  r->spent = !sj_context_check(r->decode->context, jpeg_row_work(&r->jpeg));
  if (!r->too_many_scans && !r->spent) return;
  longjmp(r->jump, 1);
}

// --- memory ---
// libjpeg has no allocator of its users', but calls its own through pointers. They are replaced by functions that count
// first.

static reader *count(j_common_ptr jpeg, size_t items, size_t each) {
  reader *r = jpeg->client_data;
  size_t bytes = items * each;
  r->refused = (each && items > SIZE_MAX / 4 / each) || !sj_budget_reserve(r->decode->context, bytes);
  if (r->refused) longjmp(r->jump, 1);
  r->reserved += bytes;
  return r;
}

static void *alloc_small(j_common_ptr jpeg, int pool, size_t bytes) {
  return count(jpeg, bytes, 1)->memory.alloc_small(jpeg, pool, bytes);
}

static void *alloc_large(j_common_ptr jpeg, int pool, size_t bytes) {
  return count(jpeg, bytes, 1)->memory.alloc_large(jpeg, pool, bytes);
}

static JSAMPARRAY alloc_samples(j_common_ptr jpeg, int pool, JDIMENSION width, JDIMENSION rows) {
  return count(jpeg, rows, width + sizeof(JSAMPROW))->memory.alloc_sarray(jpeg, pool, width, rows);
}

static JBLOCKARRAY alloc_blocks(j_common_ptr jpeg, int pool, JDIMENSION width, JDIMENSION rows) {
  return count(jpeg, rows, width * sizeof(JBLOCK) + sizeof(JBLOCKROW))->memory.alloc_barray(jpeg, pool, width, rows);
}

// Counts and requests a virtual array. libjpeg allocates these all at once, some time after they were requested.
static jvirt_sarray_ptr request_samples(j_common_ptr jpeg, int pool, boolean zero, JDIMENSION width, JDIMENSION rows,
                                        JDIMENSION most) {
  reader *r = count(jpeg, rows, width + sizeof(JSAMPROW));
  return r->memory.request_virt_sarray(jpeg, pool, zero, width, rows, most);
}

static jvirt_barray_ptr request_blocks(j_common_ptr jpeg, int pool, boolean zero, JDIMENSION width, JDIMENSION rows,
                                       JDIMENSION most) {
  reader *r = count(jpeg, rows, width * sizeof(JBLOCK) + sizeof(JBLOCKROW));
  return r->memory.request_virt_barray(jpeg, pool, zero, width, rows, most);
}

static void count_memory(reader *r) {
  struct jpeg_memory_mgr *memory = r->jpeg.mem;
  r->memory = *memory;
  memory->alloc_small = alloc_small;
  memory->alloc_large = alloc_large;
  memory->alloc_sarray = alloc_samples;
  memory->alloc_barray = alloc_blocks;
  memory->request_virt_sarray = request_samples;
  memory->request_virt_barray = request_blocks;
  memory->max_memory_to_use = MAX_LIBRARY_BYTES;
}

// --- the data ---

static void source_nothing(j_decompress_ptr jpeg) { (void)jpeg; }

// Gives an end-of-image marker to libjpeg where it reads past the end of the data, so that what was read so far is
// shown.
static boolean source_fill(j_decompress_ptr jpeg) {
  static const JOCTET end[2] = {0xff, JPEG_EOI};
  reader *r = jpeg->client_data;
  r->ended_early = true;
  jpeg->src->next_input_byte = end;
  jpeg->src->bytes_in_buffer = sizeof end;
  return TRUE;
}

static void source_skip(j_decompress_ptr jpeg, long bytes) {
  if (bytes <= 0) return;
  if ((size_t)bytes > jpeg->src->bytes_in_buffer) {
    source_fill(jpeg);
    return;
  }
  jpeg->src->next_input_byte += bytes;
  jpeg->src->bytes_in_buffer -= (size_t)bytes;
}

// Returns c k / 255, rounded.
static unsigned char multiply(unsigned c, unsigned k) {
  unsigned x = c * k + 128;
  return (unsigned char)((x + (x >> 8)) >> 8);
}

// Converts a row. Adobe's programs store CMYK inverted, as amounts of light instead of ink. They mark their files.
static void cmyk_to_rgba(const unsigned char *s, unsigned char *d, int pixels, bool inverted) {
  unsigned flip = inverted ? 0 : 255;
  for (int x = 0; x < pixels; x++, s += 4, d += 4) {
    for (int i = 0; i < 3; i++) d[i] = multiply(s[i] ^ flip, s[3] ^ flip);
    d[3] = 255;
  }
}

static stijl_result read_image(reader *r) {
  struct jpeg_decompress_struct *jpeg = &r->jpeg;
  if (setjmp(r->jump)) {
    if (r->too_many_scans)
      return sj_fail(r->decode->message, STIJL_ERROR_LIMIT, "JPEG image of more than %d scans", MAX_SCANS);
    if (r->spent) return sj_budget_spent(r->decode->message);
    if (r->refused)
      return sj_fail(r->decode->message, STIJL_ERROR_LIMIT,
                     "JPEG image of %u x %u pixels, more than max_memory leaves room for", jpeg->image_width,
                     jpeg->image_height);
    // The library would continue with a temporary file.
    if (jpeg->err->msg_code == JERR_NO_BACKING_STORE)
      return sj_fail(r->decode->message, STIJL_ERROR_LIMIT,
                     "JPEG image of %u x %u pixels, whose scans need more than %ld bytes", jpeg->image_width,
                     jpeg->image_height, jpeg->mem->max_memory_to_use);
    return jpeg->err->msg_code == JERR_OUT_OF_MEMORY ? STIJL_ERROR_OUT_OF_MEMORY : STIJL_ERROR_MALFORMED;
  }
  jpeg_create_decompress(jpeg);
  jpeg->client_data = r;
  count_memory(r);
  jpeg->src = &r->source;
  jpeg->progress = &r->progress;
  jpeg_read_header(jpeg, TRUE);
  stijl_result result = sj_decode_check_size(r->decode, jpeg->image_width, jpeg->image_height);
  if (result) return result;
  bool cmyk = jpeg->num_components == 4;
  jpeg->out_color_space = cmyk ? JCS_CMYK : JCS_EXT_RGBA;
  // The picture comes first, so that the coefficients of all its scans are refused what it does not leave.
  int width = (int)jpeg->image_width, height = (int)jpeg->image_height;
  r->image = sj_image_create_blank(r->decode->context, width, height, STIJL_FORMAT_RGBA8);
  if (!r->image) return STIJL_ERROR_OUT_OF_MEMORY;
  jpeg_start_decompress(jpeg);
  if ((int)jpeg->output_width != width || (int)jpeg->output_height != height) return STIJL_ERROR_MALFORMED;
  if (cmyk && !(r->cmyk = sj_alloc_array(r->decode->context, (size_t)width, 4))) return STIJL_ERROR_OUT_OF_MEMORY;
  while (jpeg->output_scanline < jpeg->output_height) {
    unsigned char *row = r->image->pixels + jpeg->output_scanline * r->image->stride;
    JSAMPROW target = cmyk ? r->cmyk : row;
    if (jpeg_read_scanlines(jpeg, &target, 1) != 1) break;
    if (cmyk) cmyk_to_rgba(r->cmyk, row, width, jpeg->saw_Adobe_marker);
  }
  return STIJL_OK;
}

stijl_result sj_jpeg_decode(const sj_decode *decode, stijl_image **out) {
  if (sj_open_jpeg(decode->message)) return STIJL_ERROR_UNSUPPORTED;
  reader *r = sj_alloc_zero(decode->context, sizeof *r);
  if (!r) return sj_fail_memory(decode->message);
  r->decode = decode;
  r->jpeg.err = jpeg_std_error(&r->errors);
  r->jpeg.client_data = r;
  r->errors.error_exit = on_error;
  r->errors.output_message = on_message;
  r->errors.emit_message = on_warning;
  r->progress.progress_monitor = on_progress;
  r->source = (struct jpeg_source_mgr){.next_input_byte = decode->data,
                                       .bytes_in_buffer = decode->bytes,
                                       .init_source = source_nothing,
                                       .fill_input_buffer = source_fill,
                                       .skip_input_data = source_skip,
                                       .resync_to_restart = jpeg_resync_to_restart,
                                       .term_source = source_nothing};
  stijl_result result = read_image(r);
  char error[JMSG_LENGTH_MAX] = "";
  if (result == STIJL_ERROR_MALFORMED) r->errors.format_message((j_common_ptr)&r->jpeg, error);
  bool damaged = result == STIJL_ERROR_MALFORMED || r->ended_early || r->errors.num_warnings;
  if (result == STIJL_ERROR_MALFORMED && r->image && r->jpeg.output_scanline) result = STIJL_OK;
  if (result == STIJL_OK) {
    if (damaged) sj_log(decode->context, STIJL_LOG_WARNING, "damaged JPEG image, shown as far as it can be read");
    *out = r->image;
  } else {
    stijl_image_destroy(r->image);
    if (result == STIJL_ERROR_OUT_OF_MEMORY) sj_fail_memory(decode->message);
    if (result == STIJL_ERROR_MALFORMED) sj_fail(decode->message, result, "damaged JPEG image: %s", error);
  }
  jpeg_destroy_decompress(&r->jpeg);
  sj_budget_release(decode->context, r->reserved);
  sj_free(decode->context, r->cmyk);
  sj_free(decode->context, r);
  return result;
}

#endif
