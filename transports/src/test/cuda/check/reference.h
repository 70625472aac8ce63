// What reductions must give, written a second time and without the kernels' headers: fold of one element into another, types and operations by name.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace reference {

typedef _Float16 half;
struct bfloat { uint16_t bits; };

inline float wide(bfloat b) { uint32_t bits = (uint32_t)b.bits << 16; float f; memcpy(&f, &bits, 4); return f; }
inline float wide(half h) { return (float)h; }
inline void narrow(float f, half &h) { h = (half)f; }
inline void narrow(float f, bfloat &b) {
    uint32_t bits;
    memcpy(&bits, &f, 4);
    uint32_t low = bits & 0xffff, high = bits >> 16;
    if (f != f) {
        b.bits = 0x7fff;
    } else {
        b.bits = (uint16_t)(high + (low > 0x8000 || (low == 0x8000 && (high & 1))));
    }
}

template <class T> struct pair { T value, index; };
template <class T> struct complex { T re, im; };
struct short_int { int16_t value, padding; int32_t index; };
struct long_int { int64_t value; int32_t index, padding; };
struct float_int { float value; int32_t index; };
struct double_int { double value; int32_t index, padding; };

template <class T> bool nan(T a) { return a != a; }

/** The fold of n values v, in order. */
template <class T> T fold(const std::string &op, const T *v, int n) {
    T held = v[0];
    for (int i = 1; i < n; i++) {
        T a = held, b = v[i];
        if constexpr (std::is_integral_v<T>) {
            typedef std::make_unsigned_t<T> U;
            if (op == "max") held = a > b ? a : b;
            else if (op == "min") held = a < b ? a : b;
            else if (op == "sum") held = (T)(U)((uint64_t)a + (uint64_t)b);
            else if (op == "prod") held = (T)(U)((uint64_t)a * (uint64_t)b);
            else if (op == "land") held = a && b;
            else if (op == "lor") held = a || b;
            else if (op == "lxor") held = !a != !b;
            else if (op == "band") held = a & b;
            else if (op == "bor") held = a | b;
            else held = a ^ b;
        } else {
            if (op == "sum") held = a + b;
            else if (op == "prod") held = a * b;
            else if (nan(a) || nan(b)) held = NAN;
            else if (op == "max") held = a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
            else held = a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
        }
    }
    return held;
}

template <class T> T fold_narrow(const std::string &op, const T *v, int n) {
    float values[64];
    for (int i = 0; i < n; i++) values[i] = wide(v[i]);
    if (n == 1) return v[0];
    T result;
    narrow(fold(op, values, n), result);
    return result;
}

template <class P> P fold_pair(const std::string &op, const P *v, int n) {
    P held = v[0];
    for (int i = 1; i < n; i++) {
        P b = v[i];
        bool equal = held.value == b.value || (nan(held.value) && nan(b.value));
        bool better = nan(b.value) ? !nan(held.value) : nan(held.value) ? false : op == "maxloc" ? b.value > held.value : b.value < held.value;
        if (equal ? b.index < held.index || nan(held.index) || nan(b.index) : better) held = b;
    }
    return held;
}

template <class T> complex<T> fold_complex(const std::string &op, const complex<T> *v, int n) {
    complex<T> a = v[0];
    for (int i = 1; i < n; i++) {
        complex<T> b = v[i];
        volatile T p = a.re * b.re, q = a.im * b.im, r = a.re * b.im, s = a.im * b.re;
        a = op == "sum" ? complex<T>{a.re + b.re, a.im + b.im} : complex<T>{p - q, r + s};
    }
    return a;
}

struct Type {
    const char *name;
    int bytes;
    const char *ops;
    int floats;  // bytes of a float in it at 0 whose NaNs are all alike (and at that distance again, in complex numbers); 0 if none
};

#define INTEGER_OPS "max min sum prod land lor lxor band bor bxor"
static const Type TYPES[] = {
    {"i8", 1, INTEGER_OPS, 0}, {"bool", 1, "land lor lxor band bor bxor", 0}, {"u16", 2, INTEGER_OPS, 0}, {"i16", 2, INTEGER_OPS, 0}, {"i32", 4, INTEGER_OPS, 0},
    {"i64", 8, INTEGER_OPS, 0}, {"f16", 2, "max min sum prod", 2}, {"bf16", 2, "max min sum prod", 3}, {"f32", 4, "max min sum prod", 4}, {"f64", 8, "max min sum prod", 8},
    {"c32", 8, "sum prod", 4}, {"c64", 16, "sum prod", 8}, {"i16x2", 4, "maxloc minloc", 0}, {"i32x2", 8, "maxloc minloc", 0}, {"i64x2", 16, "maxloc minloc", 0},
    {"f32x2", 8, "maxloc minloc", 4}, {"f64x2", 16, "maxloc minloc", 8}, {"short_int", 8, "maxloc minloc", 0}, {"int_int", 8, "maxloc minloc", 0},
    {"long_int", 16, "maxloc minloc", 0}, {"float_int", 8, "maxloc minloc", 0}, {"double_int", 16, "maxloc minloc", 0},
};

template <class T, class F> void apply(F f, const std::string &op, const char *const *v, int n, char *out) {
    T values[64];
    for (int i = 0; i < n; i++) memcpy(&values[i], v[i], sizeof(T));
    T result = f(op, values, n);
    memcpy(out, &result, sizeof(T));
}

/** out = v[0] op v[1] op ... of elements at any address. */
inline void reduce(const std::string &type, const std::string &op, const char *const *v, int n, char *out) {
    if (type == "i8" || type == "bool") {
        std::string logical = type == "bool" && op[0] == 'b' ? "l" + op.substr(1) : op;
        apply<int8_t>(fold<int8_t>, logical, v, n, out);
    }
    else if (type == "u16") apply<uint16_t>(fold<uint16_t>, op, v, n, out);
    else if (type == "i16") apply<int16_t>(fold<int16_t>, op, v, n, out);
    else if (type == "i32") apply<int32_t>(fold<int32_t>, op, v, n, out);
    else if (type == "i64") apply<int64_t>(fold<int64_t>, op, v, n, out);
    else if (type == "f16") apply<half>(fold_narrow<half>, op, v, n, out);
    else if (type == "bf16") apply<bfloat>(fold_narrow<bfloat>, op, v, n, out);
    else if (type == "f32") apply<float>(fold<float>, op, v, n, out);
    else if (type == "f64") apply<double>(fold<double>, op, v, n, out);
    else if (type == "c32") apply<complex<float>>(fold_complex<float>, op, v, n, out);
    else if (type == "c64") apply<complex<double>>(fold_complex<double>, op, v, n, out);
    else if (type == "i16x2") apply<pair<int16_t>>(fold_pair<pair<int16_t>>, op, v, n, out);
    else if (type == "i32x2" || type == "int_int") apply<pair<int32_t>>(fold_pair<pair<int32_t>>, op, v, n, out);
    else if (type == "i64x2") apply<pair<int64_t>>(fold_pair<pair<int64_t>>, op, v, n, out);
    else if (type == "f32x2") apply<pair<float>>(fold_pair<pair<float>>, op, v, n, out);
    else if (type == "f64x2") apply<pair<double>>(fold_pair<pair<double>>, op, v, n, out);
    else if (type == "short_int") apply<short_int>(fold_pair<short_int>, op, v, n, out);
    else if (type == "long_int") apply<long_int>(fold_pair<long_int>, op, v, n, out);
    else if (type == "float_int") apply<float_int>(fold_pair<float_int>, op, v, n, out);
    else apply<double_int>(fold_pair<double_int>, op, v, n, out);
}

inline bool is_nan(const char *at, int floats) {
    uint64_t bits = 0;
    memcpy(&bits, at, floats == 3 ? 2 : floats);
    switch (floats) {
        case 2: return (bits & 0x7fff) > 0x7c00;
        case 3: return (bits & 0x7fff) > 0x7f80;
        case 4: return (bits & 0x7fffffff) > 0x7f800000;
        default: return (bits & 0x7fffffffffffffffull) > 0x7ff0000000000000ull;
    }
}

/** Bit for bit, but a NaN is a NaN. */
inline bool same(const Type &type, const char *a, const char *b) {
    int step = type.floats == 0 ? type.bytes : type.floats == 3 ? 2 : type.floats;
    for (int at = 0; at < type.bytes; at += step) {
        if (memcmp(a + at, b + at, step) != 0 && !(type.floats != 0 && is_nan(a + at, type.floats) && is_nan(b + at, type.floats))) return false;
    }
    return true;
}

}  // namespace reference
