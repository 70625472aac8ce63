// Operations on types: Of<Type, Operation> has Item, what lies in memory, and Accumulator, what sums are kept in. They give what the host's combiners give (org.brigade.op), bit for bit, but
// for the payload of NaNs. Build without contraction of a * b + c.
#pragma once

#include "device.cuh"

// --- types -----------------------------------------------------------------------------------------------------------------------------------------------------------------

struct Half { u16 bits; };
struct Bfloat { u16 bits; };
struct E4m3 { u8 bits; };
struct E5m2 { u8 bits; };
template <class T> struct Complex { T re, im; };
/** A value and its index, of one kind. */
template <class T> struct Pair { T value, index; };
// C's structs of a value and an int. The padding goes where the struct goes.
struct ShortInt { i16 value; u16 padding; int index; };
struct LongInt { i64 value; int index; u32 padding; };
struct FloatInt { float value; int index; };
struct DoubleInt { double value; int index; u32 padding; };

/** What a type is widened to while it is folded: sums of small integers wrap around when they are stored, of small floats are rounded once. */
template <class T> struct Widened {
    typedef T Type;
    static DEVICE T widen(T item) { return item; }
    static DEVICE T narrow(T wide) { return wide; }
};

template <class T, class Wide> struct WidenedInteger {
    typedef Wide Type;
    static DEVICE Wide widen(T item) { return item; }
    static DEVICE T narrow(Wide wide) { return (T)wide; }
};
template <> struct Widened<i8> : WidenedInteger<i8, int> {};
template <> struct Widened<i16> : WidenedInteger<i16, int> {};
template <> struct Widened<u16> : WidenedInteger<u16, u32> {};

template <> struct Widened<Half> {
    typedef float Type;
    static DEVICE float widen(Half item) { return float_of_half(item.bits); }
    static DEVICE Half narrow(float wide) { return {half_of_float(wide)}; }
};
template <> struct Widened<Bfloat> {
    typedef float Type;
    static DEVICE float widen(Bfloat item) { return float_of_bfloat(item.bits); }
    static DEVICE Bfloat narrow(float wide) { return {bfloat_of_float(wide)}; }
};

template <> struct Widened<E4m3> {
    typedef float Type;
    static DEVICE float widen(E4m3 item) { return float_of_octet<3, 7, 0x7e>(item.bits); }
    static DEVICE E4m3 narrow(float wide) { return {octet_of_float<3, 7, 0x7e>(wide)}; }
};
template <> struct Widened<E5m2> {
    typedef float Type;
    static DEVICE float widen(E5m2 item) { return float_of_octet<2, 15, 0x7b>(item.bits); }
    static DEVICE E5m2 narrow(float wide) { return {octet_of_float<2, 15, 0x7b>(wide)}; }
};

// --- operations ------------------------------------------------------------------------------------------------------------------------------------------------------------

struct Sum {
    static DEVICE int of(int a, int b) { return (int)((u32)a + (u32)b); }
    static DEVICE u32 of(u32 a, u32 b) { return a + b; }
    static DEVICE i64 of(i64 a, i64 b) { return (i64)((u64)a + (u64)b); }
    static DEVICE float of(float a, float b) { return a + b; }
    static DEVICE double of(double a, double b) { return a + b; }
    template <class T> static DEVICE Complex<T> of(Complex<T> a, Complex<T> b) { return {a.re + b.re, a.im + b.im}; }
};

struct Product {
    static DEVICE int of(int a, int b) { return (int)((u32)a * (u32)b); }
    static DEVICE u32 of(u32 a, u32 b) { return a * b; }
    static DEVICE i64 of(i64 a, i64 b) { return (i64)((u64)a * (u64)b); }
    static DEVICE float of(float a, float b) { return a * b; }
    static DEVICE double of(double a, double b) { return a * b; }
    template <class T> static DEVICE Complex<T> of(Complex<T> a, Complex<T> b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
};

/** A zero that is not negative. */
DEVICE bool is_positive_zero(float a) { return bits_of(a) == 0; }
DEVICE bool is_positive_zero(double a) {
    u64 bits;
    memcpy(&bits, &a, 8);
    return bits == 0;
}

/** As Math.max: NaN if either is, and 0 > -0. */
struct Max {
    template <class T> static DEVICE T of(T a, T b) { return a > b ? a : b; }
    template <class T> static DEVICE T of_floats(T a, T b) {
        if (a != a || (a == b && is_positive_zero(a))) {
            return a;
        }
        return a > b ? a : b;
    }
    static DEVICE float of(float a, float b) { return of_floats(a, b); }
    static DEVICE double of(double a, double b) { return of_floats(a, b); }
};

struct Min {
    template <class T> static DEVICE T of(T a, T b) { return a < b ? a : b; }
    template <class T> static DEVICE T of_floats(T a, T b) {
        if (a != a || (a == b && !is_positive_zero(a))) {
            return a;
        }
        return a < b ? a : b;
    }
    static DEVICE float of(float a, float b) { return of_floats(a, b); }
    static DEVICE double of(double a, double b) { return of_floats(a, b); }
};

struct LogicalAnd { template <class T> static DEVICE T of(T a, T b) { return (T)(a != 0 && b != 0); } };
struct LogicalOr { template <class T> static DEVICE T of(T a, T b) { return (T)((a | b) != 0); } };
struct LogicalXor { template <class T> static DEVICE T of(T a, T b) { return (T)((a != 0) != (b != 0)); } };
struct BitwiseAnd { template <class T> static DEVICE T of(T a, T b) { return a & b; } };
struct BitwiseOr { template <class T> static DEVICE T of(T a, T b) { return a | b; } };
struct BitwiseXor { template <class T> static DEVICE T of(T a, T b) { return a ^ b; } };

/** Of equal values the one with the lower index wins; a NaN beats every number. */
template <bool MAX> struct Location {
    template <class P> static DEVICE P of(P a, P b) {
        bool nan = a.value != a.value;
        bool tie = a.value == b.value || (nan && b.value != b.value);
        bool left = nan || (MAX ? a.value > b.value : a.value < b.value);
        return (tie ? a.index <= b.index : left) ? a : b;
    }
};
typedef Location<true> MaxLocation;
typedef Location<false> MinLocation;

/** The contributions to a fold, for operations that ask how many they are; it costs the others nothing. */
struct Uncounted {
    DEVICE void first_one() {}
    DEVICE void one_more() {}
};
struct Counted {
    int contributions;
    DEVICE void first_one() { contributions = 1; }
    DEVICE void one_more() { contributions++; }
};

template <class T, class Operation> struct Of {
    typedef T Item;
    typedef Uncounted Count;
    typedef typename Widened<T>::Type Accumulator;
    static DEVICE Accumulator widen(T item) { return Widened<T>::widen(item); }
    static DEVICE T narrow(Accumulator wide) { return Widened<T>::narrow(wide); }
    static DEVICE Accumulator of(Accumulator a, Accumulator b) { return Operation::of(a, b); }
    static DEVICE Accumulator whole(Accumulator wide, const Count &) { return wide; }
};

/** The sum, divided by the number of contributions: only where all of them are folded at one place, so not in a ring. */
template <class T> struct Average : Of<T, Sum> {
    typedef Counted Count;
    static DEVICE typename Of<T, Sum>::Accumulator whole(typename Of<T, Sum>::Accumulator sum, const Count &count) {
        return sum / (typename Of<T, Sum>::Accumulator)count.contributions;
    }
};

/** A fold over BYTES of items side by side. */
template <class Fold, int BYTES> struct Folding : Fold::Count {
    typedef typename Fold::Item Item;
    static constexpr int ITEMS = BYTES / sizeof(Item);
    typename Fold::Accumulator held[ITEMS];

    DEVICE void first(const Bits<BYTES> &bits) {
        Item items[ITEMS];
        memcpy(items, &bits, BYTES);
        #pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            held[i] = Fold::widen(items[i]);
        }
        this->first_one();
    }

    DEVICE void next(const Bits<BYTES> &bits) {
        Item items[ITEMS];
        memcpy(items, &bits, BYTES);
        #pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            held[i] = Fold::of(held[i], Fold::widen(items[i]));
        }
        this->one_more();
    }

    DEVICE Bits<BYTES> result() const {
        Item items[ITEMS];
        #pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            items[i] = Fold::narrow(Fold::whole(held[i], *this));
        }
        Bits<BYTES> bits;
        memcpy(&bits, items, BYTES);
        return bits;
    }
};
