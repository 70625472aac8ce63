// Kernels as C++: a block is a thread of the system, of one thread of the device. Finds errors of protocol, not of memory order.
#pragma once
#include <sched.h>
#include <string.h>
#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __shared__ static thread_local
#define __restrict__
struct Index3 {
  int x;
};
inline thread_local Index3 threadIdx{0}, blockIdx{0}, blockDim{1}, gridDim{1};
inline void __syncthreads() {}
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline u32 atomicAdd(u32 *at, u32 by) { return __atomic_fetch_add(at, by, __ATOMIC_SEQ_CST); }
struct alignas(16) Vector {
  u32 x, y, z, w;
};
inline u64 loadAcquire(const u64 *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
inline void storeRelease(u64 *word, u64 value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
inline Vector loadVector(const void *at) { return *(const Vector *)at; }
inline void storeVector(void *at, Vector v) { *(Vector *)at = v; }
inline byte_t loadByte(const void *at) { return *(const byte_t *)at; }
inline void relax() { sched_yield(); }
