// Resident mode: a kernel that stays on the GPU and serves small blocking collectives without a launch. Its first thread block watches a line of host memory, the doorbell, on which the host
// writes calls; it does what packets_place and the packets kernels of its type do, answers in host memory, and watches again.
//
// It leaves when the doorbell is still for a while, when it has been there for long, so that whoever waits for the device in the meantime (cuMemFree, cuCtxSynchronize) gets it, and when the
// host says so. The doorbell is a state, not an event: it stands until the next call is written over it, which is not before this one is answered. So a host that rings while the
// kernel leaves has lost nothing. It sees `left` without its answer, and launches the next kernel, which finds the call on the doorbell. Nobody has to agree with anybody on who was first.
//
// A call takes as long as it would in a kernel of its own: until the peers' packets are there, or the abort word is raised.
//
// Memory order. The caller has waited for whatever wrote its buffers before it made the call, and the host wrote the doorbell after that; the doorbell's words are loaded with acquire
// semantics, which a barrier carries on to the block's other threads. (A fence would do, too, but takes a third of the whole call.) What other blocks see comes by way of a fence in block 0
// and acquiring loads of their own. Answers come after a fence, as in every kernel.
#pragma once

#include "even.cuh"

/** What a resident kernel without reductions does. */
struct Placing {
    static DEVICE void serve(int, Member &member) { place_blocks(member); }
};

/** A kernel's knowledge of its doorbell, in each of its threads. */
struct Doorman {
    const Resident &resident;
    char *own;        // scratch
    u32 epoch;        // block 0: calls that have ended; other blocks learn it with each call, as they may begin when block 0 has already served some
    u32 sequence;     // block 0: of the next call
    u32 passed;       // calls of all blocks
    u64 born, since;  // when the kernel began, and the last call ended

    DEVICE explicit Doorman(const Resident &r)
        : resident(r), own(r.call.scratch[r.call.rank]), epoch(load_relaxed(own + EPOCH_AT)), sequence(r.sequence), passed(r.passed), born(nanoseconds()), since(born) {
    }

    /** Block 0: whether it is time to go. */
    DEVICE bool has_waited() const {
        u64 now = nanoseconds();
        return now - since > (u64)resident.idle || now - born > (u64)resident.most;
    }

    /**
     * After a call. Whichever block was the last in a call of all has answered it, and then written the epoch. Block 0 does nothing before it sees that: neither end a call after it, whose
     * epoch that one would overwrite, nor leave, which the host must not see before the answer.
     */
    DEVICE void served(bool one) {
        epoch = Member::after(epoch);
        sequence++;
        if (!one) {
            passed++;
            while (blockIdx.x == 0 && threadIdx.x == 0 && load_acquire(own + EPOCH_AT) != epoch) {
                other_threads();
            }
        }
        since = nanoseconds();
    }

    /**
     * Waits for the next call, or for the end. Its words are watched by as many threads side by side, so that one read of the line brings all.
     *
     * @param leaving shared by the block: set when the kernel takes no more calls
     */
    DEVICE void watch(u32 *words, volatile int *leaving) {
        bool first = blockIdx.x == 0;
        const char *bell = first ? resident.doorbell : own + PASSED_ON_AT;
        u32 awaited = first ? sequence : passed + 1;
        for (int w = threadIdx.x; w < DOORBELL_WORDS; w += blockDim.x) {
            u64 word = load_acquire_long(bell + 8 * w);
            while ((u32)(word >> 32) != awaited && *leaving == 0) {
                if (threadIdx.x == 0 && (first ? has_waited() : load_relaxed(own + LEAVING_AT) == (u32)resident.number)) {
                    *leaving = 1;
                }
                other_threads();
                word = load_acquire_long(bell + 8 * w);
            }
            words[w] = (u32)word;
        }
        __syncthreads();
    }

    /** Block 0: a call for all blocks. */
    DEVICE void pass_on(const u32 *words) const {
        fence_device();
        for (int w = threadIdx.x; w < DOORBELL_WORDS; w += blockDim.x) {
            u32 word = w == 2 ? sequence : w == 3 ? epoch : words[w];
            store_relaxed_long(own + PASSED_ON_AT + 8 * w, word | (u64)(passed + 1) << 32);
        }
    }

    /** Other blocks: what block 0 knows. */
    DEVICE void hear(const u32 *words) {
        sequence = words[2];
        epoch = words[3];
    }

    /** The last thing a kernel does. */
    DEVICE void leave() const {
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            store_relaxed(own + LEAVING_AT, (u32)resident.number);
            fence_system();
            *resident.left = resident.number;
        }
    }
};

/** The call that the words tell of; all threads take part. */
DEVICE void read_doorbell(Call &call, const u32 *words, u64 ticket) {
    u32 code = words[0];
    i64 bytes = words[1];
    for (int p = threadIdx.x; p < call.ranks; p += blockDim.x) {
        call.sendAt[p] = (code & SEND_SIDE_BY_SIDE) != 0 ? p * bytes : 0;
        call.recvAt[p] = (code & RECV_SIDE_BY_SIDE) != 0 ? p * bytes : 0;
        call.sendBytes[p] = (code >> (16 + p) & 1) != 0 ? bytes : 0;
        call.recvBytes[p] = (code >> (24 + p) & 1) != 0 ? bytes : 0;
    }
    if (threadIdx.x == blockDim.x - 1) {
        u32 all = (1u << call.ranks) - 1;
        bool even = (code >> 16 & 255) == all && code >> 24 == all && (bytes & 3) == 0 && (code >> 8 & OVERLAPS) == 0;
        call.block = even ? bytes : 0;
        call.sendStep = (code & SEND_SIDE_BY_SIDE) != 0 ? bytes : 0;
        call.recvStep = (code & RECV_SIDE_BY_SIDE) != 0 ? bytes : 0;
    }
    if (threadIdx.x == 0) {
        call.send = (char *)(words[4] | (u64)words[5] << 32);
        call.recv = (char *)(words[6] | (u64)words[7] << 32);
        call.flags = code >> 8 & 255;
        call.ticket = ticket;
    }
    __syncthreads();
}

template <class Service> DEVICE void stay(const Resident &resident) {
    __shared__ Call call;
    __shared__ u32 words[DOORBELL_WORDS];
    __shared__ volatile int leaving;
    if (threadIdx.x == 0) {
        call = resident.call;
        leaving = 0;
    }
    Doorman doorman(resident);
    __syncthreads();
    while (true) {
        doorman.watch(words, &leaving);
        int operation = words[0] & 63;
        if (leaving != 0 || operation == OP_LEAVE) {
            break;
        }
        bool first = blockIdx.x == 0, one = first && words[2] == 0;
        if (!first) {
            doorman.hear(words);
        } else if (!one) {
            doorman.pass_on(words);
        }
        read_doorbell(call, words, resident.call.ticket + (u32)(doorman.sequence - resident.sequence));
        Member member(call, doorman.epoch, one);
        Service::serve(operation, member);
        doorman.served(one);
    }
    doorman.leave();
}

/** Threads of a block: with 512 a thread has 128 registers, too few for all operations of a type in one kernel. An allreduce of 8 bytes between 2 H200s took 5.4 us so, and takes 5.0. */
constexpr int RESIDENT_THREADS = 256;

#define RESIDENT(name, Service) \
    KERNEL(RESIDENT_THREADS) name(const Resident resident) { stay<Service>(resident); }
