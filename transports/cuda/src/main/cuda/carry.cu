// The kernel that copies short messages: it fetches what a peer's send buffer holds, as mapped here. Its first copy is among its arguments. Then it stays for a while and looks at a line of host
// memory, the doorbell, for the next one, as a resident kernel does (resident.cuh has the reasons): without a launch, a message takes half the time. It waits for nobody but its own host, and not
// long.
#include "device.cuh"

/** What one launch is told; transport.cuda.copy.CarryArguments mirrors this struct. */
struct Carry {
    const char *doorbell;       // host memory, as of a resident kernel: code CARRY or LEAVE, bytes, source and target
    volatile u64 *done;         // host memory: the ticket of the last copy that has ended
    volatile u64 *left;         // host memory: this kernel's last word is number: it has taken no doorbell that it has not answered, and takes no more
    u64 number;                 // of this launch, from 1 on
    i64 idle, most;             // ns without a copy, and in all, after which it leaves
    u64 ticket;                 // of the first copy, which is this:
    const char *source;
    char *target;
    i64 bytes;
};

constexpr int CARRY_THREADS = 512;
constexpr u32 CARRIES = 1, LEAVES = 2;

template <class T> DEVICE T load_past(const T *at) { return *(const volatile T *)at; }
template <> DEVICE Bits<16> load_past(const Bits<16> *at) { return load_peer(at); }

/** A block's copy, in accesses of T, DEEP of them in flight for each thread; count of them. Past the caches of this GPU, which may hold what an earlier message had there. */
template <class T> DEVICE void carry_units(T *target, const T *source, i64 count) {
    constexpr int DEEP = 8;
    for (i64 at = threadIdx.x; at < count; at += DEEP * blockDim.x) {
        T held[DEEP];
        #pragma unroll
        for (int i = 0; i < DEEP; i++) {
            if (at + i * blockDim.x < count) {
                held[i] = load_past(source + at + i * blockDim.x);
            }
        }
        #pragma unroll
        for (int i = 0; i < DEEP; i++) {
            if (at + i * blockDim.x < count) {
                target[at + i * blockDim.x] = held[i];
            }
        }
    }
}

/** In the widest accesses that both ends allow; what is before the first and behind the last of them byte by byte. */
template <class T> DEVICE void carry_as(char *target, const char *source, i64 bytes) {
    i64 head = (i64)(-(u64)target & (u64)(sizeof(T) - 1));
    head = head < bytes ? head : bytes;
    i64 count = (bytes - head) / (i64)sizeof(T), tail = head + count * (i64)sizeof(T);
    carry_units<T>((T *)(target + head), (const T *)(source + head), count);
    if (sizeof(T) > 1) {
        carry_units<u8>((u8 *)target, (const u8 *)source, head);
        carry_units<u8>((u8 *)target + tail, (const u8 *)source + tail, bytes - tail);
    }
}

DEVICE void carry_bytes(char *target, const char *source, i64 bytes) {
    u64 apart = (u64)target ^ (u64)source;
    if ((apart & 15) == 0) {
        carry_as<Bits<16>>(target, source, bytes);
    } else if ((apart & 3) == 0) {
        carry_as<u32>(target, source, bytes);
    } else {
        carry_as<u8>(target, source, bytes);
    }
}

KERNEL(CARRY_THREADS) brigade_carry(const Carry carry) {
    __shared__ u32 words[DOORBELL_WORDS];
    __shared__ volatile int leaving;
    u64 ticket = carry.ticket, born = nanoseconds();
    const char *source = carry.source;
    char *target = carry.target;
    i64 bytes = carry.bytes;
    if (threadIdx.x == 0) {
        leaving = 0;
    }
    while (true) {
        carry_bytes(target, source, bytes);
        __syncthreads();
        if (threadIdx.x == 0) {
            fence_system();
            *carry.done = ticket;
        }
        ticket++;
        u64 since = nanoseconds();
        for (int w = threadIdx.x; w < DOORBELL_WORDS; w += blockDim.x) {
            u64 word = load_acquire_long(carry.doorbell + 8 * w);
            while ((u32)(word >> 32) != (u32)ticket && leaving == 0) {
                if (threadIdx.x == 0) {
                    u64 now = nanoseconds();
                    if (now - since > (u64)carry.idle || now - born > (u64)carry.most) {
                        leaving = 1;
                    }
                }
                other_threads();
                word = load_acquire_long(carry.doorbell + 8 * w);
            }
            words[w] = (u32)word;
        }
        __syncthreads();
        if (leaving != 0 || words[0] != CARRIES) {
            break;
        }
        bytes = words[1];
        source = (const char *)(words[4] | (u64)words[5] << 32);
        target = (char *)(words[6] | (u64)words[7] << 32);
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        fence_system();
        *carry.left = carry.number;
    }
}
