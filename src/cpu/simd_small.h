// Paints small draws (sj_small), several at a time: alone, each would fill a third of its vectors, and the ends of the
// loops over its few lines could not be predicted. Included once by each instruction set's file.
#if !SJ_PAINTS_SMALL
#define PAINT_SMALL NULL
#else
#define PAINT_SMALL paint_small

// The lines of all draws, moved so that each has rows of its own, one below the other, and begins at column 0.
typedef struct {
  size_t count;
  int32_t x0[SJ_SMALL_ALL_LINES + LANES], y0[SJ_SMALL_ALL_LINES + LANES];
  int32_t x1[SJ_SMALL_ALL_LINES + LANES], y1[SJ_SMALL_ALL_LINES + LANES];
} small_lines;

// Moves a draw's lines, and cuts them to its rows and columns. They never leave these, but so it is seen here that no
// sum beyond is written.
VEC void move_lines(small_lines *to, const sj_lines *lines, const sj_small *draw, int row) {
  int dx = draw->x * K_SUBPIXELS, dy = (draw->y - row) * K_SUBPIXELS;
  vi left = {0}, right = v_set1(draw->width * K_SUBPIXELS);
  vi top = v_set1(row * K_SUBPIXELS), bottom = v_set1((row + draw->rows) * K_SUBPIXELS);
  for (size_t i = 0; i < draw->count; i += LANES) {
    size_t from = draw->first + i, at = to->count + i;
    v_store(to->x0 + at, v_max(left, v_min(right, v_load(lines->x0 + from) - dx)));
    v_store(to->y0 + at, v_max(top, v_min(bottom, v_load(lines->y0 + from) - dy)));
    v_store(to->x1 + at, v_max(left, v_min(right, v_load(lines->x1 + from) - dx)));
    v_store(to->y1 + at, v_max(top, v_min(bottom, v_load(lines->y1 + from) - dy)));
  }
  to->count += draw->count;
}

static void cover_small(int32_t *sums, const small_lines *lines) {
  const sj_cells cells = {.sums = sums, .stride = SJ_BLOCK};
  additions a;
  piece_list list;
  a.cells = &cells;
  a.count = list.count = 0;
  for (size_t i = 0; i < lines->count; i += LANES) {
    vi ax = v_load(lines->x0 + i), ay = v_load(lines->y0 + i), bx = v_load(lines->x1 + i), by = v_load(lines->y1 + i);
    int count = (int)k_min(lines->count - i, LANES);
    edges e;
    e.y0 = v_min(ay, by);
    e.y1 = v_max(ay, by);
    set_slopes(&e, ax, ay, bx, by, true);
    // Most edges have one row, so that the first is worth no list. Those without height add zeros.
    vi row = e.y0 >> 8, last = (e.y1 - 1) >> 8;
    add_pieces(&a, &e, row, count, true);
    uint32_t more = v_mask(row < last) & first_lanes(count);
    if (!more) continue;
    list_edges(&a, &e, &list, more, (row + 1) * LANES + v_iota(), last * LANES + v_iota(), add_listed_small);
    add_listed_small(&a, &e, &list);
  }
  add_up(&a, true);
}

VEC void sweep_small(int32_t *sums, const sj_small *draw, const source_brush *brush, enum source source,
                     size_t stride) {
  uint32_t *pixels = draw->pixels;
  for (int row = draw->top; row < draw->bottom; row++, pixels += stride) {
    vi carry = {0};
    for (int i = 0; i < draw->width; i += LANES) {
      vi sum = v_prefix(v_load(sums + row * SJ_BLOCK + i)) + carry;
      carry = v_last(sum);
      vi m = coverage(sum, draw->evenodd) & (v_iota() + i < draw->width);
      v_store(pixels + i, over(v_load(pixels + i), brush, source, brush->pixel, m));
    }
  }
}

VEC void fill_small(const sj_small *draw, const source_brush *brush, enum source source, size_t stride) {
  int dx = draw->x * K_SUBPIXELS, dy = draw->y * K_SUBPIXELS;
  stijl_irect e = {draw->edges.x0 - dx, draw->edges.y0 - dy, draw->edges.x1 - dx, draw->edges.y1 - dy};
  uint32_t *pixels = draw->pixels;
  vi across[SJ_BLOCK / LANES];
  for (int i = 0; i < SJ_BLOCK / LANES; i++)
    across[i] = widths(e, (stijl_irect){0, 0, draw->width, draw->rows}, i * LANES);
  for (int row = draw->top; row < draw->bottom; row++, pixels += stride) {
    int height = sj_overlap(e.y0, e.y1, row);
    for (int i = 0; i < draw->width; i += LANES) {
      vi m = v_min(across[i / LANES] * height >> 8, v_set1(255));
      v_store(pixels + i, over(v_load(pixels + i), brush, source, brush->pixel, m));
    }
  }
}

static void paint_small(int32_t *sums, const sj_lines *lines, const sj_small *draws, uint32_t count, size_t stride) {
  small_lines moved;
  moved.count = 0;
  int row = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (draws[i].rectangle) continue;
    move_lines(&moved, lines, &draws[i], row);
    row += draws[i].rows;
  }
  cover_small(sums, &moved);
  int32_t *at = sums;
  for (uint32_t i = 0; i < count; i++) {
    const sj_small *draw = &draws[i];
    source_brush brush = brush_of(&(sj_painter){.color = draw->color}, NULL);
    if (draw->rectangle && draw->opaque) {
      fill_small(draw, &brush, SOLID_OPAQUE, stride);
    } else if (draw->rectangle) {
      fill_small(draw, &brush, SOLID, stride);
    } else {
      if (draw->opaque)
        sweep_small(at, draw, &brush, SOLID_OPAQUE, stride);
      else
        sweep_small(at, draw, &brush, SOLID, stride);
      at += draw->rows * SJ_BLOCK;
    }
  }
  memset(sums, 0, (size_t)row * SJ_BLOCK * sizeof *sums);
}
#endif
