#include "image/image.h"

#ifndef STIJL_HAVE_GIF

stijl_result sj_gif_decode(const sj_decode *decode, stijl_image **out) {
  (void)out;
  return sj_fail(decode->message, STIJL_ERROR_UNSUPPORTED, "this build cannot read GIF images");
}

#else

#include <string.h>

#include "libraries/gif.h"

// Where libgif reads from.
typedef struct source {
  const sj_decode *decode;
  size_t at;  // the index of the next byte
} source;

static int read_bytes(GifFileType *gif, GifByteType *out, int count) {
  source *s = gif->UserData;
  size_t left = s->decode->bytes - s->at, taken = (size_t)count < left ? (size_t)count : left;
  if (taken) memcpy(out, s->decode->data + s->at, taken);
  s->at += taken;
  return (int)taken;
}

static stijl_result damaged(const sj_decode *decode, int error) {
  if (error == D_GIF_ERR_NOT_ENOUGH_MEM) return sj_fail_memory(decode->message);
  const char *why = GifErrorString(error);
  return sj_fail(decode->message, STIJL_ERROR_MALFORMED, "damaged GIF image%s%s", why ? ": " : "", why ? why : "");
}

// Reads up to the description of the first frame. *transparent becomes the index that stands for no colour, or -1.
static stijl_result find_frame(const sj_decode *decode, GifFileType *gif, int *transparent) {
  *transparent = -1;
  for (;;) {
    GifRecordType record;
    if (DGifGetRecordType(gif, &record) != GIF_OK) return damaged(decode, gif->Error);
    if (record == TERMINATE_RECORD_TYPE)
      return sj_fail(decode->message, STIJL_ERROR_MALFORMED, "damaged GIF image: no frame");
    if (record == IMAGE_DESC_RECORD_TYPE) {
      return DGifGetImageDesc(gif) == GIF_OK ? STIJL_OK : damaged(decode, gif->Error);
    }
    if (record != EXTENSION_RECORD_TYPE) continue;
    int code;
    GifByteType *block;
    if (DGifGetExtension(gif, &code, &block) != GIF_OK) return damaged(decode, gif->Error);
    while (block) {
      GraphicsControlBlock control;
      if (code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
        *transparent = control.TransparentColor;
      }
      if (DGifGetExtensionNext(gif, &block) != GIF_OK) return damaged(decode, gif->Error);
    }
  }
}

// Converts row y of the frame from indices to pixels. What lies outside of the image is left out.
static void put_row(const GifFileType *gif, const GifPixelType *indices, int y, int transparent, stijl_image *image) {
  const GifImageDesc *frame = &gif->Image;
  const ColorMapObject *map = frame->ColorMap ? frame->ColorMap : gif->SColorMap;
  if (frame->Top + y >= image->height) return;
  unsigned char *row = image->pixels + (size_t)(frame->Top + y) * image->stride;
  for (int x = 0; x < frame->Width && frame->Left + x < image->width; x++) {
    int index = indices[x];
    if (index == transparent || !map || index >= map->ColorCount) continue;
    const GifColorType *color = &map->Colors[index];
    unsigned char *pixel = row + 4 * (size_t)(frame->Left + x);
    pixel[0] = color->Red, pixel[1] = color->Green, pixel[2] = color->Blue, pixel[3] = 255;
  }
}

// Reads the frame's rows. Returns false when the frame ends early, and the image has the rows before that.
static bool read_rows(GifFileType *gif, GifPixelType *indices, int transparent, stijl_image *image) {
  // The passes of an interlaced frame (GIF89a, appendix E).
  static const int first[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
  for (int pass = 0; pass < (gif->Image.Interlace ? 4 : 1); pass++) {
    int step = gif->Image.Interlace ? steps[pass] : 1;
    for (int y = gif->Image.Interlace ? first[pass] : 0; y < gif->Image.Height; y += step) {
      if (DGifGetLine(gif, indices, gif->Image.Width) != GIF_OK) return false;
      put_row(gif, indices, y, transparent, image);
    }
  }
  return true;
}

static stijl_result decode_frame(const sj_decode *decode, GifFileType *gif, stijl_image **out) {
  int transparent;
  stijl_result result = find_frame(decode, gif, &transparent);
  if (result) return result;
  // In some files the screen has no size, and the frame's counts.
  int width = gif->SWidth > 0 ? gif->SWidth : gif->Image.Left + gif->Image.Width;
  int height = gif->SHeight > 0 ? gif->SHeight : gif->Image.Top + gif->Image.Height;
  result = sj_decode_check_size(decode, (uint64_t)width, (uint64_t)height);
  if (!result) result = sj_decode_check_size(decode, (uint64_t)gif->Image.Width, (uint64_t)gif->Image.Height);
  if (result) return result;
  stijl_image *image = sj_image_create_blank(decode->context, width, height, STIJL_FORMAT_RGBA8);
  GifPixelType *indices = sj_alloc(decode->context, (size_t)gif->Image.Width);
  if (!image || !indices) {
    result = sj_fail_memory(decode->message);
  } else if (!read_rows(gif, indices, transparent, image)) {
    sj_log(decode->context, STIJL_LOG_WARNING, "damaged GIF image: drawn in part");
  }
  sj_free(decode->context, indices);
  if (result)
    stijl_image_destroy(image);
  else
    *out = image;
  return result;
}

stijl_result sj_gif_decode(const sj_decode *decode, stijl_image **out) {
  if (sj_open_gif(decode->message)) return STIJL_ERROR_UNSUPPORTED;
  source s = {.decode = decode};
  int error = 0;
  GifFileType *gif = DGifOpen(&s, read_bytes, &error);
  if (!gif) return damaged(decode, error);
  stijl_result result = decode_frame(decode, gif, out);
  DGifCloseFile(gif, &error);
  return result;
}

#endif
