// What makes a CUDA kernel C++: included before every kernel that is built for the software driver. A block is a thread
// of the system whose fibers are the block's threads, so what is __shared__ is thread_local; a dynamic array must be
// called dynamic_shared. Operations of warps are not there: a block may have any number of threads.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#define BRIGADE_SOFTWARE 1
#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ thread_local

struct uint3 { unsigned x, y, z; };
struct dim3 { unsigned x, y, z; };

/** Where a thread is; the driver sets it whenever it lets a fiber go on. */
struct SoftwarePlace { uint3 thread, block; dim3 blockSize, gridSize; };

extern thread_local SoftwarePlace software_place;
extern "C" void software_yield();                       // lets other threads go on: in every loop that waits
// how: 0 the number of threads whose value is not 0, 1 whether all are, 2 whether any is
extern "C" int software_barrier(int value, int how);
extern "C" [[noreturn]] void software_trap();
extern thread_local unsigned char dynamic_shared[];

#define threadIdx (software_place.thread)
#define blockIdx (software_place.block)
#define blockDim (software_place.blockSize)
#define gridDim (software_place.gridSize)

inline void __syncthreads() { software_barrier(0, 0); }
inline int __syncthreads_count(int value) { return software_barrier(value, 0); }
inline int __syncthreads_and(int value) { return software_barrier(value, 1); }
inline int __syncthreads_or(int value) { return software_barrier(value, 2); }
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __nanosleep(unsigned) { software_yield(); }
[[noreturn]] inline void __trap() { software_trap(); }
inline long long clock64() { return (long long) __builtin_ia32_rdtsc(); }

// ---- atomics ----

template <class T> T atomicAdd(T* at, std::common_type_t<T> value) {
    if constexpr (std::is_integral_v<T>) {
        return __atomic_fetch_add(at, value, __ATOMIC_ACQ_REL);
    } else {
        T old, sum;
        __atomic_load(at, &old, __ATOMIC_RELAXED);
        do {
            sum = old + value;
        } while (!__atomic_compare_exchange(at, &old, &sum, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
        return old;
    }
}
template <class T> T atomicSub(T* at, std::common_type_t<T> value) {
    return __atomic_fetch_sub(at, value, __ATOMIC_ACQ_REL);
}
template <class T> T atomicOr(T* at, std::common_type_t<T> value) {
    return __atomic_fetch_or(at, value, __ATOMIC_ACQ_REL);
}
template <class T> T atomicAnd(T* at, std::common_type_t<T> value) {
    return __atomic_fetch_and(at, value, __ATOMIC_ACQ_REL);
}
template <class T> T atomicXor(T* at, std::common_type_t<T> value) {
    return __atomic_fetch_xor(at, value, __ATOMIC_ACQ_REL);
}
template <class T> T atomicExch(T* at, std::common_type_t<T> value) {
    T old;
    __atomic_exchange(at, &value, &old, __ATOMIC_ACQ_REL);
    return old;
}
template <class T> T atomicCAS(T* at, std::common_type_t<T> expected, std::common_type_t<T> value) {
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return expected;
}
template <class T> T atomicMax(T* at, std::common_type_t<T> value) {
    T old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (old < value && !__atomic_compare_exchange_n(at, &old, value, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    }
    return old;
}
template <class T> T atomicMin(T* at, std::common_type_t<T> value) {
    T old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (value < old && !__atomic_compare_exchange_n(at, &old, value, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    }
    return old;
}
template <class T> T atomicAdd_system(T* at, std::common_type_t<T> value) { return atomicAdd(at, value); }
template <class T> T atomicExch_system(T* at, std::common_type_t<T> value) { return atomicExch(at, value); }
template <class T> T atomicCAS_system(T* at, std::common_type_t<T> expected, std::common_type_t<T> value) {
    return atomicCAS(at, expected, value);
}
template <class T> T __ldg(const T* at) { return *at; }

// ---- arithmetic ----

template <class A, class B> inline std::common_type_t<A, B> min(A a, B b) { return b < a ? b : a; }
template <class A, class B> inline std::common_type_t<A, B> max(A a, B b) { return a < b ? b : a; }

template <class To, class From> inline To software_bits(From value) {
    static_assert(sizeof(To) == sizeof(From), "one form of the same bits");
    To bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
inline unsigned __float_as_uint(float value) { return software_bits<unsigned>(value); }
inline int __float_as_int(float value) { return software_bits<int>(value); }
inline float __uint_as_float(unsigned bits) { return software_bits<float>(bits); }
inline float __int_as_float(int bits) { return software_bits<float>(bits); }
inline long long __double_as_longlong(double value) { return software_bits<long long>(value); }
inline double __longlong_as_double(long long bits) { return software_bits<double>(bits); }
inline float __expf(float value) { return expf(value); }
inline float __fdividef(float a, float b) { return a / b; }
// Without contraction into a fused multiply-add, as the build forbids it.
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fadd_rn(float a, float b) { return a + b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __dadd_rn(double a, double b) { return a + b; }

// ---- vectors ----

#define SOFTWARE_VECTOR2(name, type, bytes) \
    struct alignas(bytes) name { type x, y; }; \
    inline name make_##name(type x, type y) { return {x, y}; }
#define SOFTWARE_VECTOR4(name, type, bytes) \
    struct alignas(bytes) name { type x, y, z, w; }; \
    inline name make_##name(type x, type y, type z, type w) { return {x, y, z, w}; }
SOFTWARE_VECTOR2(char2, signed char, 2)
SOFTWARE_VECTOR2(short2, short, 4)
SOFTWARE_VECTOR2(ushort2, unsigned short, 4)
SOFTWARE_VECTOR2(int2, int, 8)
SOFTWARE_VECTOR2(uint2, unsigned, 8)
SOFTWARE_VECTOR2(float2, float, 8)
SOFTWARE_VECTOR2(longlong2, long long, 16)
SOFTWARE_VECTOR2(ulonglong2, unsigned long long, 16)
SOFTWARE_VECTOR2(double2, double, 16)
SOFTWARE_VECTOR4(uchar4, unsigned char, 4)
SOFTWARE_VECTOR4(int4, int, 16)
SOFTWARE_VECTOR4(uint4, unsigned, 16)
SOFTWARE_VECTOR4(float4, float, 16)

// ---- how the driver finds and calls a kernel ----

extern "C" void software_register(const char* name, void (*run)(void* const* arguments), const size_t* sizes,
    int parameters, const void* library);

template <auto F> struct SoftwareKernel;
template <class... A, void (*F)(A...)> struct SoftwareKernel<F> {
    static constexpr size_t sizes[sizeof...(A) + 1] = {sizeof(A)..., 0};

    template <size_t... I> static void call(void* const* arguments, std::integer_sequence<size_t, I...>) {
        (void) arguments;
        F(*(std::remove_const_t<A>*) arguments[I]...);
    }

    static void run(void* const* arguments) { call(arguments, std::make_integer_sequence<size_t, sizeof...(A)>()); }

    explicit SoftwareKernel(const char* name) { software_register(name, run, sizes, sizeof...(A), sizes); }
};
