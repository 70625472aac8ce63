// The fold that the checks use, and the values they send.
#pragma once
struct SumFloat {
  struct Wide {
    float v[4];
  };
  union Both {
    Vector v;
    float f[4];
    __device__ Both() {}
  };
  __device__ static Wide widen(Vector in) {
    Both b;
    b.v = in;
    return {b.f[0], b.f[1], b.f[2], b.f[3]};
  }
  __device__ static void fold(Wide &sum, Vector in) {
    Both b;
    b.v = in;
    for (int i = 0; i < 4; i++) sum.v[i] += b.f[i];
  }
  __device__ static Vector narrow(const Wide &sum) {
    Both b;
    for (int i = 0; i < 4; i++) b.f[i] = sum.v[i];
    return b.v;
  }
};

__device__ inline u32 mixed(u32 seed, u64 index) {
  u64 x = (index + 1) * 0x9E3779B97F4A7C15ull + (u64)seed * 0xD1B54A32D192ED03ull;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9ull;
  return (u32)(x >> 32);
}
__device__ inline float valueOf(u32 seed, int rank, u64 index) { return (float)(int)mixed(seed * 8 + rank, index) * 4.6e-10f; }
