// The transposes of `stijl lab transpose` as plain CUDA kernels: nvcc -O3 -arch=sm_90 transpose.cu && ./a.out
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>
typedef uint32_t u;
__global__ void number(u *d, size_t n, u f) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    d[i] = (u)i * f;
}
__global__ void count_wrong(const u *d, u n, bool copied, u *wrong) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < (size_t)n * n;
       i += (size_t)gridDim.x * blockDim.x) {
    u y = i / n, x = i % n;
    if (d[i] != (copied ? y * n + x : x * n + y) * 2654435761u) atomicAdd(wrong, 1);
  }
}
__global__ void copy(const u *__restrict__ a, u *__restrict__ b, u n) {
  u x = blockIdx.x * 32 + (threadIdx.x & 31), y = blockIdx.y * 32 + (threadIdx.x >> 5);
#pragma unroll
  for (u r = 0; r < 32; r += 8) b[(y + r) * n + x] = a[(y + r) * n + x];
}
__global__ void copy4(const uint4 *__restrict__ a, uint4 *__restrict__ b) {
  u i = blockIdx.x * 1024 + threadIdx.x;
  uint4 v[4];
#pragma unroll
  for (u k = 0; k < 4; k++) v[k] = a[i + k * 256];
#pragma unroll
  for (u k = 0; k < 4; k++) b[i + k * 256] = v[k];
}
template <bool READ>
__global__ void naive(const u *__restrict__ a, u *__restrict__ b, u n) {
  u x = blockIdx.x * 32 + (threadIdx.x & 31), y = blockIdx.y * 32 + (threadIdx.x >> 5);
#pragma unroll
  for (u r = 0; r < 32; r += 8)
    if (READ)
      b[x * n + y + r] = a[(y + r) * n + x];
    else
      b[(y + r) * n + x] = a[x * n + y + r];
}
template <int PITCH, bool SAME, bool SWIZZLE, int LANES = 256>
__global__ void tiled(const u *__restrict__ a, u *__restrict__ b, u n) {
  __shared__ u t[32 * PITCH];
  u x = threadIdx.x & 31, y = threadIdx.x >> 5, cx = blockIdx.x * 32, cy = blockIdx.y * 32;
#define AT(r, c) t[(r)*PITCH + (SWIZZLE ? (c) ^ (r) : (c))]
#pragma unroll
  for (u r = 0; r < 32; r += LANES / 32) AT(y + r, x) = a[(cy + y + r) * n + cx + x];
  __syncthreads();
#pragma unroll
  for (u r = 0; r < 32; r += LANES / 32)
    if (SAME)
      b[(cx + x) * n + cy + y + r] = AT(y + r, x);
    else
      b[(cx + y + r) * n + cy + x] = AT(x, y + r);
}
// 64 rows of 64 words in halves, by 512 lanes.
__global__ void wide(const uint4 *__restrict__ a, uint4 *__restrict__ b, u n) {
  __shared__ u tile[64 * 33];
  u lane = threadIdx.x, row = lane >> 3, x = lane & 7, column = lane >> 4, y = lane & 15;
  u cx = blockIdx.x * 64, cy = blockIdx.y * 64;
  u from = (cy + row) * (n / 4) + cx / 4 + x, to = (cx + column) * (n / 4) + cy / 4 + y;
  uint4 half[2] = {a[from], a[from + 8]};
#pragma unroll
  for (u s = 0; s < 2; s++) {
    u *put = &tile[row * 33 + x * 4];
    const u *take = &tile[y * 4 * 33 + column];
    if (s) __syncthreads();
    put[0] = half[s].x, put[1] = half[s].y, put[2] = half[s].z, put[3] = half[s].w;
    __syncthreads();
    b[to + s * 32 * (n / 4)] = make_uint4(take[0], take[33], take[66], take[99]);
  }
}
// The same tile whole, by 256 lanes: with 64 KiB of shared memory for a multiprocessor, as Vulkan's driver has it,
// three at a time.
__global__ void whole(const uint4 *__restrict__ a, uint4 *__restrict__ b, u n) {
  __shared__ u tile[64 * 65];
  u x = threadIdx.x & 15, y = threadIdx.x >> 4, cx = blockIdx.x * 64, cy = blockIdx.y * 64;
  uint4 v[4];
#pragma unroll
  for (u r = 0; r < 4; r++) v[r] = a[((cy + y + r * 16) * n + cx) / 4 + x];
#pragma unroll
  for (u r = 0; r < 4; r++) {
    u *p = &tile[(y + r * 16) * 65 + x * 4];
    p[0] = v[r].x, p[1] = v[r].y, p[2] = v[r].z, p[3] = v[r].w;
  }
  __syncthreads();
#pragma unroll
  for (u r = 0; r < 4; r++) {
    const u *p = &tile[x * 4 * 65 + y + r * 16];
    b[((cx + y + r * 16) * n + cy) / 4 + x] = make_uint4(p[0], p[65], p[130], p[195]);
  }
}
// 4x4 words in the registers of each lane; down the columns.
__global__ void registers(const uint4 *__restrict__ a, uint4 *__restrict__ b, u n) {
  u i = blockIdx.y * gridDim.x + blockIdx.x, cx = i / gridDim.y * 64, cy = i % gridDim.y * 64;
  u lane = threadIdx.x, part = lane >> 5, x = (part & 1) * 8 + (lane & 7), y = (part >> 1) * 4 + (lane >> 3 & 3);
  u from = (cy + y * 4) * (n / 4) + cx / 4 + x, to = (cx + x * 4) * (n / 4) + cy / 4 + y;
  uint4 v[4];
#pragma unroll
  for (u k = 0; k < 4; k++) v[k] = a[from + k * (n / 4)];
#define PUT(k, c) b[to + k * (n / 4)] = make_uint4(v[0].c, v[1].c, v[2].c, v[3].c)
  PUT(0, x);
  PUT(1, y);
  PUT(2, z);
  PUT(3, w);
}
int main() {
  const u n = 8192;
  size_t count = (size_t)n * n;
  u *a, *b, *wrong;
  cudaMalloc(&a, count * 4), cudaMalloc(&b, count * 4), cudaMalloc(&wrong, 4);
  number<<<4096, 256>>>(a, count, 2654435761u);
  const uint4 *wa = (const uint4 *)a;
  uint4 *wb = (uint4 *)b;
  dim3 g32(n / 32, n / 32), g64(n / 64, n / 64);
  struct kernel {
    std::string name;
    bool copied;
    std::function<void()> launch;
  };
  std::vector<kernel> k;
  k.push_back({"copy", true, [=] { copy<<<g32, 256>>>(a, b, n); }});
  k.push_back({"copy4", true, [=] { copy4<<<(u)(count / 4096), 256>>>(wa, wb); }});
  k.push_back({"naive_read", false, [=] { naive<true><<<g32, 256>>>(a, b, n); }});
  k.push_back({"naive_write", false, [=] { naive<false><<<g32, 256>>>(a, b, n); }});
  k.push_back({"same_lanes", false, [=] { tiled<32, true, false><<<g32, 256>>>(a, b, n); }});
  k.push_back({"tiled", false, [=] { tiled<32, false, false><<<g32, 256>>>(a, b, n); }});
  k.push_back({"padded", false, [=] { tiled<33, false, false><<<g32, 256>>>(a, b, n); }});
  k.push_back({"padded_128", false, [=] { tiled<33, false, false, 128><<<g32, 128>>>(a, b, n); }});
  k.push_back({"swizzled", false, [=] { tiled<32, false, true><<<g32, 256>>>(a, b, n); }});
  k.push_back({"wide", false, [=] { wide<<<g64, 512>>>(wa, wb, n); }});
  k.push_back({"registers", false, [=] { registers<<<g64, 256>>>(wa, wb, n); }});
  k.push_back({"whole", false, [=] { whole<<<g64, 256>>>(wa, wb, n); }});
  // Of dynamic memory, which it does not use, so much that three fit.
  cudaFuncSetAttribute(whole, cudaFuncAttributeMaxDynamicSharedMemorySize, 58000);
  k.push_back({"whole, 3 at a time", false, [=] { whole<<<g64, 256, 55000>>>(wa, wb, n); }});
  size_t K = k.size(), ROUNDS = 15, REPEATS = 8;
  std::vector<u> bad(K);
  for (size_t i = 0; i < K; i++) {
    cudaMemset(b, 0, count * 4), cudaMemset(wrong, 0, 4);
    k[i].launch();
    count_wrong<<<4096, 256>>>(b, n, k[i].copied, wrong);
    cudaMemcpy(&bad[i], wrong, 4, cudaMemcpyDeviceToHost);
  }
  for (size_t i = 0; i < 600; i++) k[i % K].launch();  // warm
  std::vector<std::vector<float>> t(K);
  cudaEvent_t e0, e1;
  cudaEventCreate(&e0), cudaEventCreate(&e1);
  for (size_t r = 0; r < ROUNDS; r++)
    for (size_t j = 0; j < K; j++) {
      size_t i = (r + j) % K;
      cudaEventRecord(e0);
      for (size_t q = 0; q < REPEATS; q++) k[i].launch();
      cudaEventRecord(e1);
      cudaEventSynchronize(e1);
      float ms;
      cudaEventElapsedTime(&ms, e0, e1);
      t[i].push_back(ms * 1e3f / REPEATS);
    }
  for (size_t i = 0; i < K; i++) {
    std::sort(t[i].begin(), t[i].end());
    printf("cuda %-28s %8.1f us %7.0f GB/s wrong %u\n", k[i].name.c_str(), t[i][ROUNDS / 2],
           2.0 * count * 4 / t[i][ROUNDS / 2] * 1e-3, bad[i]);
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
