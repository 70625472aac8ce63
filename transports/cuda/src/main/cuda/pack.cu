// The kernels that gather the packed bytes of items with gaps, and scatter them (derived datatypes). They wait for nobody, and may read a peer's memory as mapped here.
#include "device.cuh"

/** Blocks of one length at one distance, within an item: `first` is the packed byte at which they begin. All in bytes. */
struct Run { i64 first, at, stride, length; };

/** What one launch is told; transport.cuda.pack.PackArguments mirrors this struct. */
struct Packing {
    char *memory;              // where the item of packed byte 0 lies
    char *packed;              // the packed bytes of the stretch, side by side
    const Run *runs;           // of an item, in the order of their packed bytes; unused if there is only one
    i64 from, bytes;           // the stretch: its first packed byte, and how many
    i64 item, step;            // packed bytes of an item, and how far apart items lie
    i64 at, stride, length;    // the only run, if there is only one
    int number;                // of runs
    int width;                 // of an access: 16, 8, 4, 2 or 1. All positions, lengths and distances are multiples of it
};

/** Divisions of 64 bits cost several times those of 32. */
DEVICE i64 quotient(i64 a, i64 b) {
    return a < b ? 0 : (((u64)a | (u64)b) >> 32) == 0 ? (i64)((u32)a / (u32)b) : a / b;
}

/** Where a packed byte lies. */
DEVICE char *place(const Packing &packing, i64 position) {
    i64 index = quotient(position, packing.item);
    i64 rest = position - index * packing.item;
    Run run = {0, packing.at, packing.stride, packing.length};
    if (packing.number > 1) {
        int low = 0, high = packing.number - 1;
        while (low < high) {
            int middle = (low + high + 1) >> 1;
            if (packing.runs[middle].first <= rest) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        run = packing.runs[low];
    }
    rest -= run.first;
    i64 block = quotient(rest, run.length);
    return packing.memory + index * packing.step + run.at + block * run.stride + (rest - block * run.length);
}

/** This thread's share of a stretch, in accesses of T, DEEP of them in flight. */
template <class T, bool GATHERS> DEVICE void move_units(const Packing &packing) {
    constexpr int DEEP = 4;
    T *packed = (T *)packing.packed;
    i64 count = packing.bytes / (i64)sizeof(T), stride = (i64)gridDim.x * blockDim.x;
    for (i64 at = (i64)blockIdx.x * blockDim.x + threadIdx.x; at < count; at += DEEP * stride) {
        T held[DEEP];
        T *places[DEEP];
        #pragma unroll
        for (int i = 0; i < DEEP; i++) {
            i64 unit = at + i * stride;
            if (unit < count) {
                places[i] = (T *)place(packing, packing.from + unit * (i64)sizeof(T));
                held[i] = GATHERS ? *places[i] : packed[unit];
            }
        }
        #pragma unroll
        for (int i = 0; i < DEEP; i++) {
            i64 unit = at + i * stride;
            if (unit < count) {
                *(GATHERS ? packed + unit : places[i]) = held[i];
            }
        }
    }
}

template <bool GATHERS> DEVICE void move_stretch(const Packing &packing) {
    switch (packing.width) {
        case 16: move_units<Bits<16>, GATHERS>(packing); break;
        case 8: move_units<u64, GATHERS>(packing); break;
        case 4: move_units<u32, GATHERS>(packing); break;
        case 2: move_units<u16, GATHERS>(packing); break;
        default: move_units<u8, GATHERS>(packing);
    }
}

constexpr int PACK_THREADS = 256;

KERNEL(PACK_THREADS) brigade_gather(const Packing packing) { move_stretch<true>(packing); }
KERNEL(PACK_THREADS) brigade_scatter(const Packing packing) { move_stretch<false>(packing); }
