// Long reductions to one root along a chain: root + 1, root + 2, ..., root. Each rank adds its own vector to what comes from the left and sends the sum on to the right, so every link carries the vector
// once, however many ranks there are; a root that loads all vectors has (n - 1) M bytes on its one link. Folded from the left in the order root + 1, ..., root and put into the type at each step: the
// same bits in all runs, but for floating-point sums and products not those of rank order. No peer's buffer is touched, only scratch. In place is safe: the root reads a position before it writes it.
//
// line-chain: lines, as in lines.cuh, in the half of them that belongs to the parity. n - 1 flights of a link deep, at 7/8 of its speed. Where the half is too short for the message its lines are used
//     again, turn by turn: a flag says which turn it is of, and a count in the pipelines' words (TAKEN) how far the reader has come.
// chain: windows through scratch, as in bandwidth.cuh. The full speed of a link, but n - 1 windows deep. A window takes as long for its fences as for its bytes, so a block works in groups of threads,
//     each with a lane of its own, and one's fences are under way together with another's bytes.
#pragma once

#include "reduce.cuh"

/** A rank's place in the chain. */
struct ChainPlace {
    int left, right;
    bool first, last;

    DEVICE explicit ChainPlace(const Pipeline &pipeline)
        : left(pipeline.previous(pipeline.rank)), right(pipeline.next(pipeline.rank)), first(left == pipeline.call.root), last(pipeline.rank == pipeline.call.root) {}
};

/** Lines between two looks at how far the reader has come, and how many of a thread's are under way at once. */
constexpr int STEP_LINES = 128, CHAIN_LINES = 2;

template <class Fold> DEVICE void reduce_line_chain(const Call &call) {
    __shared__ int lost;
    Pipeline pipeline(call, &lost);
    Member &member = pipeline.member;
    ChainPlace place(pipeline);
    bool met = (call.flags & MET) != 0, whole = (call.flags & WHOLE_LINES) != 0;
    if (!met && blockIdx.x == 0 && threadIdx.x == blockDim.x - 1) {
        member.acknowledge(member.epoch);  // as in send_packets
    }
    int lane = threadIdx.x % LINE_LANES, line = threadIdx.x / LINE_LANES, lines = blockDim.x / LINE_LANES;
    i64 all = (call.bytes + LINE_DATA - 1) / LINE_DATA, share = (all + gridDim.x - 1) / gridDim.x, begin = share * blockIdx.x;
    i64 mine = begin + share < all ? share : all > begin ? all - begin : 0, steps = (mine + STEP_LINES - 1) / STEP_LINES;
    // This block's part of the half, in whole steps.
    int turn = (int)(LINES_BYTES / 2 / LINE_BYTES / gridDim.x) / STEP_LINES;
    i64 base = LINES_AT + (member.epoch & 1) * (LINES_BYTES / 2) + (i64)blockIdx.x * turn * STEP_LINES * LINE_BYTES;
    const char *from = call.scratch[call.rank] + base;
    char *to = call.scratch[place.right] + base;
    if (!met && !place.last) {
        member.await_parity(place.right, member.acknowledged(place.right));
    }
    for (i64 step = 0; step < steps; step++) {
        if (threadIdx.x == 0 && !place.last && step >= turn) {
            pipeline.poll(TAKEN, blockIdx.x, place.right, step - turn + 1);
        }
        if (!pipeline.ready()) {
            break;
        }
        if (threadIdx.x == 0 && !place.first && step > 0) {
            // No fence: what was loaded has been used.
            store_relaxed_long(pipeline.word(place.left, TAKEN, blockIdx.x, call.rank), pipeline.base + step);
        }
        int slot = (int)(step % turn) * STEP_LINES;
        u32 number = (u32)(step / turn) + 1;
        #pragma unroll 1
        for (int at = line; at - (int)(threadIdx.x % WARP) / LINE_LANES < STEP_LINES; at += CHAIN_LINES * lines) {
            Bits<16> own[CHAIN_LINES][LINE_UNITS], units[CHAIN_LINES][LINE_UNITS];
            #pragma unroll
            for (int i = 0; i < CHAIN_LINES; i++) {
                i64 index = step * STEP_LINES + at + i * lines;
                bool wanted = at + i * lines < STEP_LINES && index < mine;
                #pragma unroll
                for (int u = 0; u < LINE_UNITS; u++) {
                    i64 place_in = (begin + index) * LINE_DATA + 16 * (LINE_LANES == 1 ? u : lane);
                    own[i][u] = {{0, 0, 0, 0}};
                    if (wanted && place_in < call.bytes && (LINE_LANES == 1 || lane < LINE_LANES - 1)) {
                        own[i][u] = load_own<16>(call.send + place_in, call.bytes - place_in);
                    }
                }
                if (wanted && !place.first) {
                    load_line(from + (slot + at + i * lines) * LINE_BYTES, lane, units[i]);
                }
            }
            #pragma unroll
            for (int i = 0; i < CHAIN_LINES; i++) {
                i64 index = step * STEP_LINES + at + i * lines;
                bool wanted = at + i * lines < STEP_LINES && index < mine;
                if (!place.first) {
                    await_numbered_line(from + (slot + at + i * lines) * LINE_BYTES, lane, units[i], member.flag(), number, wanted, whole, [&] { return member.again(); });
                    #pragma unroll
                    for (int u = 0; u < LINE_UNITS; u++) {
                        Folding<Fold, 16> folding;
                        folding.first(units[i][u]);
                        folding.next(own[i][u]);
                        own[i][u] = folding.result();
                    }
                }
                if (!place.last) {
                    store_numbered_line(to + (slot + at + i * lines) * LINE_BYTES, lane, own[i], member.flag(), number, wanted, whole);
                } else {
                    #pragma unroll
                    for (int u = 0; u < LINE_UNITS; u++) {
                        i64 place_in = (begin + index) * LINE_DATA + 16 * (LINE_LANES == 1 ? u : lane);
                        if (wanted && place_in < call.bytes && (LINE_LANES == 1 || lane < LINE_LANES - 1)) {
                            store_own<16>(call.recv + place_in, own[i][u], call.bytes - place_in);
                        }
                    }
                }
            }
        }
    }
    pipeline.finish();
}

/** Units of a thread that are under way at once. */
constexpr int CHAIN_UNITS = 4;

/** A group's window: the sum of what came and what is here, or only this, to its place. */
template <class Fold> DEVICE void pass_window(const char *came, const char *own, char *target, i64 bytes, int thread, int threads) {
    bool quick = in_units((u64)came | (u64)own | (u64)target);
    int units = quick ? (int)(bytes >> 4) : 0;
    for (int at = thread; at < units; at += CHAIN_UNITS * threads) {
        Bits<16> here[CHAIN_UNITS], there[CHAIN_UNITS];
        #pragma unroll
        for (int i = 0; i < CHAIN_UNITS; i++) {
            if (at + i * threads < units) {
                here[i] = load_peer(own + 16ll * (at + i * threads));
                if (came != nullptr) {
                    there[i] = load_peer(came + 16ll * (at + i * threads));
                }
            }
        }
        #pragma unroll
        for (int i = 0; i < CHAIN_UNITS; i++) {
            if (at + i * threads < units) {
                if (came != nullptr) {
                    Folding<Fold, 16> folding;
                    folding.first(there[i]);
                    folding.next(here[i]);
                    here[i] = folding.result();
                }
                *(Bits<16> *)(target + 16ll * (at + i * threads)) = here[i];
            }
        }
    }
    for (i64 at = 16ll * (units + thread); at < bytes; at += 16 * threads) {
        Bits<16> unit = gather<16>(own + at, bytes - at);
        if (came != nullptr) {
            Folding<Fold, 16> folding;
            folding.first(gather<16>(came + at, bytes - at));
            folding.next(unit);
            unit = folding.result();
        }
        scatter<16>(target + at, unit, bytes - at);
    }
}

template <class Fold> DEVICE void reduce_chain(const Call &call) {
    __shared__ int lost;
    Pipeline pipeline(call, &lost);
    ChainPlace place(pipeline);
    int threads = blockDim.x / GROUPS, group = threadIdx.x / threads, thread = threadIdx.x % threads;
    int lane = blockIdx.x * GROUPS + group, lanes = gridDim.x * GROUPS;
    i64 chunk = call.chunk, slots = WINDOWS_BYTES / (lanes * chunk);
    Span stretch = part_of({0, call.bytes}, lane, lanes);
    i64 rounds = windows_in(stretch, chunk);
    auto slot = [&](int at, i64 k) { return pipeline.window_at(at, ((i64)lane * slots + k % slots) * chunk); };
    auto ready = [&] {
        sync_group(group, threads);
        return *pipeline.lost == 0;
    };
    bool going = true;
    if ((call.flags & MET) == 0) {
        if (thread == 0 && !place.first) {
            pipeline.tell(place.left, STARTED, lane, 1);
        }
        if (thread == 0 && !place.last) {
            pipeline.poll(STARTED, lane, place.right, 1);
        }
        going = ready();
    }
    for (i64 k = 0; k < rounds && going; k++) {
        if (thread == 0 && !place.first) {
            pipeline.poll(ARRIVED, lane, place.left, k + 1);
        }
        if (thread == 0 && !place.last && k >= slots) {
            pipeline.poll(TAKEN, lane, place.right, k - slots + 1);
        }
        going = ready();
        if (!going) {
            break;
        }
        Span window = window_of(stretch, chunk, k);
        pass_window<Fold>(place.first ? nullptr : slot(pipeline.rank, k), call.send + window.at, place.last ? call.recv + window.at : slot(place.right, k), window.bytes, thread, threads);
        sync_group(group, threads);
        if (thread == 0 && !place.first && rounds > slots) {
            store_relaxed_long(pipeline.word(place.left, TAKEN, lane, pipeline.rank), pipeline.base + k + 1);  // as above
        }
        if (thread == 0 && !place.last) {
            pipeline.tell(place.right, ARRIVED, lane, k + 1);
        }
    }
    pipeline.finish();
}

#undef REDUCTION
#define REDUCTION(op, type, Fold)                                                                          \
    KERNEL(MAX_THREADS) brigade_line_chain_##op##_##type(const Call call) { reduce_line_chain<Fold>(call); } \
    KERNEL(MAX_THREADS) brigade_chain_##op##_##type(const Call call) { reduce_chain<Fold>(call); }
