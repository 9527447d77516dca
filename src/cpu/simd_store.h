// Stores pixels that nothing is blended with. Included once by each instruction set's file.

static void clear(uint32_t *pixels, size_t stride, stijl_irect box, uint32_t color) {
  vi value = v_set1((int32_t)color);
  for (int row = box.y0; row < box.y1; row++) {
    uint32_t *p = pixels + (size_t)row * stride + box.x0, *end = p + (box.x1 - box.x0);
    if (end - p < LANES) {
      for (; p < end; p++) *p = color;
      continue;
    }
    // The first and the last store overlap those between them, so that each of these lies in one cache line.
    v_store(p, value);
    v_store(end - LANES, value);
    for (p += LANES - (uintptr_t)p / sizeof *p % LANES; end - p >= LANES; p += LANES) v_store(p, value);
  }
}

#ifdef V_STREAM
static void stream_row(unsigned char *to, uint32_t *pixels, size_t count, uint32_t color) {
  unsigned char *from = (unsigned char *)pixels;
  size_t past = (uintptr_t)to % sizeof(vi), bytes = count * sizeof *pixels;
  size_t before = k_min(past ? sizeof(vi) - past : 0, bytes), at = before;
  vi value = v_set1((int32_t)color);
  memcpy(to, from, before);
  for (; bytes - at >= sizeof value; at += sizeof value) {
    v_stream(to + at, v_load(from + at));
    v_store(from + at - before, value);  // aligned, and below what is still to be moved
  }
  memcpy(to + at, from + at, bytes - at);
  for (size_t i = (at - before) / sizeof *pixels; i < count; i++) pixels[i] = color;
}

static void stream(void *to, size_t pitch, uint32_t *pixels, size_t stride, int width, int height, uint32_t color) {
  for (int row = 0; row < height; row++)
    stream_row((unsigned char *)to + (size_t)row * pitch, pixels + (size_t)row * stride, (size_t)width, color);
  _mm_sfence();  // so that a thread that is told of the pixels finds them
}
#define STREAM stream
#else
#define STREAM NULL
#endif
