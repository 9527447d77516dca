// feTurbulence in vectors. Along a row all pixels lie in the same row of the lattice, and neighbours mostly in the same
// cell: its gradients are looked up once, not for each pixel, as long as a cell is wider than a pixel or two. Included
// once by each instruction set's file.
#include "cpu/simd_blend.h"

#define NOISE_RUN 256  // pixels at a time

// A run of pixels, one octave after the other. There is room behind for vectors that begin at any pixel.
typedef struct {
  float x[NOISE_RUN], y[NOISE_RUN];  // of the first octave
  float sums[4][NOISE_RUN + LANES];  // of all octaves so far, by channel
} noise_run;

typedef struct {
  const k_filter_noise *noise;
  float frequency, amplitude;
  int wrap_x, wrap_y, width, height;
} noise_octave;

VEC vf noise_lerp(vf t, vf a, vf b) {
  vf r = b - a;
  r = r * t;
  return r + a;
}

VEC vf noise_share(const noise_octave *o, vf v) { return (o->noise->params.fractal ? v : v_absf(v)) * o->amplitude; }

// The gradients of a cell's corners: x, and y times the place between the rows of the lattice.
typedef struct {
  float x00, x10, x01, x11, y00, y10, y01, y11;
} noise_cell;

static void noise_look_up(const k_filter_noise *noise, k_noise_axis x, k_noise_axis y, noise_cell cells[4]) {
  const int *lattice = noise->lattice;
  int i0 = lattice[x.cell0], i1 = lattice[x.cell1];
  int b00 = lattice[i0 + y.cell0], b10 = lattice[i1 + y.cell0];
  int b01 = lattice[i0 + y.cell1], b11 = lattice[i1 + y.cell1];
  float further = y.f0 - 1.0f;
  for (int c = 0; c < 4; c++) {
    const float *gx = noise->gradients + 2 * c * K_NOISE_TABLE, *gy = gx + K_NOISE_TABLE;
    cells[c] = (noise_cell){gx[b00],        gx[b10],        gx[b01],           gx[b11],
                            y.f0 * gy[b00], y.f0 * gy[b10], further * gy[b01], further * gy[b11]};
  }
}

// Adds an octave, cell by cell.
static void add_cells(const noise_octave *o, noise_run *run, int n) {
  float f[NOISE_RUN + LANES], s[NOISE_RUN + LANES];
  int32_t cell[NOISE_RUN + 1];
  for (int i = 0; i < NOISE_RUN; i += LANES) {
    vf x = v_loadf(run->x + i) * o->frequency;
    vi whole = v_floor(x);
    vf part = x - v_float(whole), weight = 3.0f - 2.0f * part;
    weight = weight * part;
    v_store(cell + i, whole);
    v_store(f + i, (vi)part);
    v_store(s + i, (vi)(weight * part));
  }
  k_noise_axis y = k_noise_at(run->y[0] * o->frequency, o->wrap_y, o->height);
  for (int from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && cell[to] == cell[from];) to++;
    noise_cell cells[4];
    noise_look_up(o->noise, k_noise_at(run->x[from] * o->frequency, o->wrap_x, o->width), y, cells);
    for (int i = from; i < to; i += LANES) {
      vf near = v_loadf(f + i), far = near - 1.0f, t = v_loadf(s + i);
      vi inside = v_iota() < to - i;
      for (int c = 0; c < 4; c++) {
        const noise_cell *g = &cells[c];
        vf above = noise_lerp(t, near * g->x00 + g->y00, far * g->x10 + g->y10);
        vf below = noise_lerp(t, near * g->x01 + g->y01, far * g->x11 + g->y11);
        vf v = noise_share(o, noise_lerp(v_set1f(y.s), above, below));
        float *sum = run->sums[c] + i;
        v_store(sum, (vi)(v_loadf(sum) + (vf)((vi)v & inside)));
      }
    }
  }
}

// Adds an octave, pixel by pixel.
static __attribute__((noinline, flatten)) void add_pixels(const noise_octave *o, noise_run *run) {
  float fx[NOISE_RUN], fy[NOISE_RUN], sx[NOISE_RUN], sy[NOISE_RUN];
  int b00[NOISE_RUN], b10[NOISE_RUN], b01[NOISE_RUN], b11[NOISE_RUN];
  const int *lattice = o->noise->lattice;
  for (int i = 0; i < NOISE_RUN; i++) {
    k_noise_axis x = k_noise_at(run->x[i] * o->frequency, o->wrap_x, o->width);
    k_noise_axis y = k_noise_at(run->y[i] * o->frequency, o->wrap_y, o->height);
    fx[i] = x.f0;
    fy[i] = y.f0;
    sx[i] = x.s;
    sy[i] = y.s;
    int i0 = lattice[x.cell0], i1 = lattice[x.cell1];
    b00[i] = lattice[i0 + y.cell0];
    b10[i] = lattice[i1 + y.cell0];
    b01[i] = lattice[i0 + y.cell1];
    b11[i] = lattice[i1 + y.cell1];
  }
  bool fractal = o->noise->params.fractal != 0;
  for (int c = 0; c < 4; c++) {
    const float *gx = o->noise->gradients + 2 * c * K_NOISE_TABLE, *gy = gx + K_NOISE_TABLE;
    float *sum = run->sums[c];
    for (int i = 0; i < NOISE_RUN; i++) {
      k_noise_axis x = {0, 0, fx[i], sx[i]}, y = {0, 0, fy[i], sy[i]};
      kfloat v = k_noise_mix(x, y, k_vec_make(gx[b00[i]], gy[b00[i]]), k_vec_make(gx[b10[i]], gy[b10[i]]),
                             k_vec_make(gx[b01[i]], gy[b01[i]]), k_vec_make(gx[b11[i]], gy[b11[i]]));
      float positive = v < 0.0f ? -v : v;
      v = (fractal ? v : positive) * o->amplitude;
      sum[i] = sum[i] + v;
    }
  }
}

VEC vi noise_pixels(const noise_run *run, int i, bool fractal) {
  vf v[4];
  for (int c = 0; c < 4; c++) {
    v[c] = v_loadf(run->sums[c] + i);
    if (fractal) v[c] = (v[c] + 1.0f) * 0.5f;
    v[c] = v_minf(v_maxf(v[c], (vf){0}), v_set1f(1.0f));
  }
  return byte_of(v[0] * v[3]) | byte_of(v[1] * v[3]) << 8 | byte_of(v[2] * v[3]) << 16 | byte_of(v[3]) << 24;
}

static void filter_noise(const k_filter_noise *noise, uint32_t *out, size_t n, int x, int y) {
  k_matrix m = noise->params.to_noise;
  vf limit = v_set1f(524288.0f);  // k_noise_limit
  for (size_t from = 0; from < n; from += NOISE_RUN) {
    noise_run run;
    memset(run.sums, 0, sizeof run.sums);
    float fy = (float)y;
    for (int i = 0; i < NOISE_RUN; i += LANES) {
      vf fx = v_float(v_iota() + (x + (int)from + i));
      vf u = m.a * fx + m.c * fy, v = m.b * fx + m.d * fy;
      u = u + m.e;
      v = v + m.f;
      v_store(run.x + i, (vi)v_maxf(v_minf(u, limit), -limit));
      v_store(run.y + i, (vi)v_maxf(v_minf(v, limit), -limit));
    }
    int count = (int)k_min(n - from, NOISE_RUN);
    noise_octave o = {noise, 1.0f, 1.0f, INT32_MAX, INT32_MAX, 0, 0};
    for (int k = 0; k < noise->params.octaves; k++, o.frequency *= 2.0f, o.amplitude *= 0.5f) {
      o.width = (int)((uint32_t)noise->params.width << k);
      o.height = (int)((uint32_t)noise->params.height << k);
      if (noise->params.stitched) {
        o.wrap_x = (int)((uint32_t)noise->params.wrap_x << k);
        o.wrap_y = (int)((uint32_t)noise->params.wrap_y << k);
      }
      if (m.b == 0.0f && k_abs(m.a) * o.frequency < 0.4f) {
        add_cells(&o, &run, count);
      } else {
        add_pixels(&o, &run);
      }
    }
    for (int i = 0; i < count; i += LANES) {
      vi pixels = noise_pixels(&run, i, noise->params.fractal != 0);
      memcpy(out + from + i, &pixels, (size_t)k_min(LANES, count - i) * sizeof *out);
    }
  }
}
