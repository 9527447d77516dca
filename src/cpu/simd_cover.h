// Adds lines to the sums. Included once by each instruction set's file.
//
// A lane takes a piece, the part of a line in one pixel row. All pieces of LANES lines are put into a list, which is
// then worked through in full vectors. What the pieces add to the sums is put into another list, and added in one long
// loop. So loops are long, and the end of one is seldom mispredicted.
#include "cpu/cells.h"

#define BLOCK_SHIFT 4
_Static_assert(1 << BLOCK_SHIFT == SJ_BLOCK, "blocks");

#define PENDING 256

// The list of what has yet to be added: each entry is added to four neighbouring sums, and has the blocks that they are
// in.
typedef struct {
  const sj_cells *cells;
  stijl_irect box;
  bool clips;  // some of the edges leave the box's columns
  int count;
  int32_t values[4][PENDING + LANES], at[PENDING + LANES], block0[PENDING + LANES], block1[PENDING + LANES];
} additions;

// The list of pieces, each of which is a number: its row * LANES + the lane of the edge that it belongs to.
typedef struct {
  int count;
  int32_t piece[PENDING + LANES];
} piece_list;

// Adds what is listed to the sums. Here and below, `small` tells that the edges are those of small draws
// (simd_small.h): they are within the cells, and nobody reads which blocks are touched.
VEC void add_up(additions *a, bool small) {
  int32_t *sums = a->cells->sums;
  uint8_t *touched = a->cells->touched;
  for (int i = 0; i < a->count; i++) {
    int32_t *at = sums + a->at[i];
    for (int k = 0; k < 4; k++) at[k] += a->values[k][i];
    if (small) continue;
    touched[a->block0[i]] = 1;
    touched[a->block1[i]] = 1;
  }
  a->count = 0;
}

// A k_edge in each lane.
typedef struct {
  vi x0, y0, x1, y1, winding;
  vf xstep, ystep;
} edges;

// Computes k_edge_x, for heights within the edge.
VEC vi edge_x(const edges *e, vi y) {
  vf s = v_float(y - e->y0) * e->xstep;
  s = s + 0.5f;
  vi d = v_min(v_trunc(s), v_abs(e->x1 - e->x0));
  vi leftwards = e->x1 < e->x0;
  vi x = e->x0 + ((d ^ leftwards) - leftwards);
  return v_select(y == e->y1, e->x1, x);
}

// Computes k_edge_y without its limits: for verticals that the edge does not cross the result is any finite number.
VEC vi edge_y(const edges *e, vi x) {
  vf s = v_float(v_abs(x - e->x0)) * e->ystep;
  s = v_minf(s + 0.5f, v_set1f(1e9f));
  return e->y0 + v_trunc(s);
}

// Adds one piece that touches more than three columns: a lane takes a column.
VEC void add_long_piece(k_edge edge, int x0, int y0, int x1, int y1, int32_t *sums, uint8_t *touched, bool small) {
  int lo = k_min(x0, x1), hi = k_max(x0, x1), first = lo >> 8, last = (hi - 1) >> 8;
  int sign = x0 <= x1 ? edge.winding : -edge.winding;
  int start = x0 <= x1 ? y0 : y1, end = x0 <= x1 ? y1 : y0;
  int carried_area = 0;
  for (int column = first; column <= last + 1; column += LANES) {
    vi base = (v_iota() + column) * K_SUBPIXELS, border = base + K_SUBPIXELS;
    vf s = v_float(v_abs(border - edge.x0)) * edge.ystep;
    vi y = edge.y0 + v_trunc(v_minf(s + 0.5f, v_set1f(1e9f)));
    y = v_max(v_set1(y0), v_min(v_set1(y1), y));
    y = v_select(border < hi, y, v_set1(end));
    vi cover = (y - v_shift_in(y, start)) * sign;
    vi area = cover * (v_max(base, v_set1(lo)) + v_min(border, v_set1(hi)) - 2 * base);
    vi value = 512 * cover - area + v_shift_in(area, carried_area);
    v_store(sums + column, v_load(sums + column) + value);
    start = y[LANES - 1];
    carried_area = area[LANES - 1];
  }
  for (int block = first / SJ_BLOCK; !small && block <= (last + 1) / SJ_BLOCK; block++) touched[block] = 1;
}

VEC uint32_t first_lanes(int count) { return count >= LANES ? (uint32_t)((1ull << LANES) - 1) : (1u << count) - 1; }

VEC k_edge edge_of(const edges *e, int i) {
  return (k_edge){e->x0[i], e->y0[i], e->x1[i], e->y1[i], e->winding[i], e->xstep[i], e->ystep[i]};
}

// Adds `count` (up to LANES) pieces of the given edges and rows. Nearly all pieces touch one to three columns within
// the box: these are added without a branch, as three columns of which some add nothing. So blocks up to three columns
// past a piece's last one may count as touched. A piece left of the box adds its height to the first column, one right
// of it nothing.
VEC void add_pieces(additions *a, const edges *e, vi row, int count, bool small) {
  const sj_cells *cells = a->cells;
  vi top = row * K_SUBPIXELS;
  vi y = v_max(top, e->y0), next_y = v_min(top + K_SUBPIXELS, e->y1);
  vi x = edge_x(e, y), next_x = edge_x(e, next_y);
  vi lo = v_min(x, next_x), hi = v_max(x, next_x);
  vi column = lo >> 8, border = column * K_SUBPIXELS + K_SUBPIXELS, border2 = border + K_SUBPIXELS;
  vi total = next_y - y, rightwards = x <= next_x;
  // The heights of the piece left of the first border, and left of the second.
  vi cross = v_max(y, v_min(next_y, edge_y(e, border))), cross2 = v_max(y, v_min(next_y, edge_y(e, border2)));
  vi left = v_select(hi > border, v_select(rightwards, cross - y, next_y - cross), total);
  vi left2 = v_select(hi > border2, v_select(rightwards, cross2 - y, next_y - cross2), total);
  vi long_ones = hi > border2 + K_SUBPIXELS;  // touch more than three columns: they add nothing here
  vi added_here = ~long_ones, height_before = {0};
  uint32_t cut = 0;
  if (!small && a->clips) {
    vi x0 = v_set1(a->box.x0 * K_SUBPIXELS), x1 = v_set1(a->box.x1 * K_SUBPIXELS);
    vi within = (lo >= x0) & (hi < x1), before = (lo < x0) & (hi <= x0), behind = lo >= x1;
    cut = v_mask(~(within | before | behind)) & first_lanes(count);
    long_ones = long_ones & within;
    added_here = added_here & within;
    height_before = (total * e->winding) & before;
    column = v_select(within, column, v_set1(a->box.x0));
  }
  vi winding = e->winding & added_here;
  vi middle = (left2 - left) * winding, right = (total - left2) * winding;
  left = left * winding;
  vi left_area = left * (lo + v_min(hi, border) - 2 * border + 2 * K_SUBPIXELS);
  vi middle_area = middle * (v_min(hi, border2) - border);
  vi right_area = right * (hi - border2);
  int n = a->count;
  v_store(a->values[0] + n, 512 * (left + height_before) - left_area);
  v_store(a->values[1] + n, left_area + 512 * middle - middle_area);
  v_store(a->values[2] + n, middle_area + 512 * right - right_area);
  v_store(a->values[3] + n, right_area);
  v_store(a->at + n, (small ? row << BLOCK_SHIFT : row * (int32_t)cells->stride) + column);
  if (!small) {
    vi blocks = row * (int32_t)cells->touched_stride;
    v_store(a->block0 + n, blocks + (column >> BLOCK_SHIFT));
    v_store(a->block1 + n, blocks + ((column + 3) >> BLOCK_SHIFT));
  }
  a->count += count;
  for (uint32_t lanes = v_mask(long_ones) & first_lanes(count); lanes; lanes &= lanes - 1) {
    int i = __builtin_ctz(lanes);
    add_long_piece(edge_of(e, i), x[i], y[i], next_x[i], next_y[i], cells->sums + (size_t)row[i] * cells->stride,
                   cells->touched + (size_t)row[i] * cells->touched_stride, small);
  }
  for (; cut; cut &= cut - 1) {
    int i = __builtin_ctz(cut);
    sj_add_row(cells, a->box, edge_of(e, i), row[i]);
  }
  if (a->count > PENDING) add_up(a, small);
}

VEC void add_list(additions *a, const edges *e, piece_list *list, bool small) {
  for (int i = 0; i < list->count; i += LANES) {
    vi k = v_load(list->piece + i);
    edges picked = {v_pick(e->x0, k),           v_pick(e->y0, k),      v_pick(e->x1, k),
                    v_pick(e->y1, k),           v_pick(e->winding, k), (vf)v_pick((vi)e->xstep, k),
                    (vf)v_pick((vi)e->ystep, k)};
    add_pieces(a, &picked, k >> __builtin_ctz(LANES), k_min(list->count - i, LANES), small);
  }
  list->count = 0;
}

static void add_listed(additions *a, const edges *e, piece_list *list) { add_list(a, e, list, false); }
#if SJ_PAINTS_SMALL
static void add_listed_small(additions *a, const edges *e, piece_list *list) { add_list(a, e, list, true); }
#endif

typedef void listed_adder(additions *a, const edges *e, piece_list *list);

// Lists the pieces of one edge, from the first to the last.
VEC void list_pieces(additions *a, const edges *e, piece_list *list, int first, int last, listed_adder *add) {
  while (first <= last) {
    int count = k_min((last - first) / LANES + 1, PENDING - list->count);
    for (int i = 0; i < count; i += LANES) v_store(list->piece + list->count + i, (v_iota() + i) * LANES + first);
    list->count += count;
    first += count * LANES;
    if (list->count == PENDING) add(a, e, list);
  }
}

// Lists the pieces of the edges in `lanes`.
VEC void list_edges(additions *a, const edges *e, piece_list *list, uint32_t lanes, vi first, vi last,
                    listed_adder *add) {
#ifdef V_COMPRESS
  // Take a row of all edges at a time as long as there are several: most edges have few rows, and those of small draws
  // all do.
  int few = add == add_listed ? LANES / 4 : 0;
  for (; __builtin_popcount(lanes) > few; lanes &= v_mask(first <= last)) {
    v_store(list->piece + list->count, v_compress(first, lanes));
    list->count += __builtin_popcount(lanes);
    first += LANES;
    if (list->count >= PENDING) add(a, e, list);
  }
#endif
  int32_t firsts[LANES], lasts[LANES];
  v_store(firsts, first);
  v_store(lasts, last);
  for (; lanes; lanes &= lanes - 1) {
    int k = __builtin_ctz(lanes);
    list_pieces(a, e, list, firsts[k], lasts[k], add);
  }
}

// Sets what an edge's pieces are computed from, for lines whose heights are set already. Those of small draws may have
// no height, and yet get numbers that are finite.
VEC void set_slopes(edges *e, vi ax, vi ay, vi bx, vi by, bool small) {
  vi down = ay < by;
  e->x0 = v_select(down, ax, bx);
  e->x1 = v_select(down, bx, ax);
  e->winding = (down & 2) - 1;
  vf dx = v_float(v_abs(bx - ax)), dy = v_float(e->y1 - e->y0);
  e->xstep = dx * v_recip(small ? v_maxf(dy, v_set1f(1.0f)) : dy);
  e->ystep = dy * v_recip(v_maxf(dx, v_set1f(1.0f)));
}

static void cover(const sj_cells *cells, stijl_irect box, int x, int y, const sj_lines *lines, size_t first,
                  size_t count) {
  additions a;
  piece_list list;
  a.cells = cells;
  a.box = box;
  a.count = list.count = 0;
  for (size_t i = 0; i < count; i += LANES) {
    size_t at = first + i;
    vi ay = v_load(lines->y0 + at) - y * K_SUBPIXELS, by = v_load(lines->y1 + at) - y * K_SUBPIXELS;
    edges e;
    e.y0 = v_min(ay, by);
    e.y1 = v_max(ay, by);
    // Only lines that touch the box's rows count; those past its right side change nothing.
    vi row = v_max(e.y0 >> 8, v_set1(box.y0)), last = v_min((e.y1 - 1) >> 8, v_set1(box.y1 - 1));
    uint32_t valid = first_lanes((int)k_min(count - i, LANES));
    valid &= v_mask((ay != by) & (row <= last));
    if (!valid) continue;
    vi ax = v_load(lines->x0 + at) - x * K_SUBPIXELS, bx = v_load(lines->x1 + at) - x * K_SUBPIXELS;
    vi lo = v_min(ax, bx), hi = v_max(ax, bx);
    valid &= v_mask(lo < box.x1 * K_SUBPIXELS);
    uint32_t inside = v_mask((lo >= box.x0 * K_SUBPIXELS) & (hi < box.x1 * K_SUBPIXELS));
    set_slopes(&e, ax, ay, bx, by, false);
    a.clips = valid & ~inside;
    list_edges(&a, &e, &list, valid, row * LANES + v_iota(), last * LANES + v_iota(), add_listed);
    add_listed(&a, &e, &list);
  }
  add_up(&a, false);
}

// Does what sj_line_box does.
static stijl_irect line_box(const sj_lines *lines, size_t first) {
  vi none = v_set1(INT32_MAX);
  vi x0 = none, y0 = none, x1 = none, y1 = none;  // the least of each; the last two are complemented
  for (size_t i = first; i < lines->count; i += LANES) {
    vi valid = v_iota() < (int32_t)k_min(lines->count - i, LANES);
    vi ax = v_load(lines->x0 + i), ay = v_load(lines->y0 + i), bx = v_load(lines->x1 + i), by = v_load(lines->y1 + i);
    x0 = v_min(x0, v_select(valid, v_min(ax, bx), none));
    y0 = v_min(y0, v_select(valid, v_min(ay, by), none));
    x1 = v_min(x1, v_select(valid, ~v_max(ax, bx), none));
    y1 = v_min(y1, v_select(valid, ~v_max(ay, by), none));
  }
  return (stijl_irect){v_least(x0), v_least(y0), ~v_least(x1), ~v_least(y1)};
}
