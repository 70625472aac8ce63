// Long reductions to one root along a chain: root + 1, root + 2, ..., root. Each rank adds its own vector to what comes from the left and sends the sum on to the right, so every link carries the vector
// once, however many ranks there are; a root that loads all vectors has (n - 1) M bytes on its one link. Folded from the left in the order root + 1, ..., root and put into the type at each step: the
// same bits in all runs, but for floating-point sums and products not those of rank order. No peer's buffer is touched, only scratch. In place is safe: the root reads a position before it writes it.
//
// line-chain: lines, as in lines.cuh, in the half of them that belongs to the parity. n - 1 flights of a link deep, at 7/8 of its speed. Where the half is too short for the message its lines are used
//     again, turn by turn: a flag says which turn it is of, and a count in the pipelines' words (TAKEN) how far the reader has come.
// chain: windows through scratch, as in bandwidth.cuh. The full speed of a link, but n - 1 windows deep. A block has 32 KiB under way, in one window or in as many as that
//     is, each by a group of threads of its own. What is measured: docs/design/cuda.md, "Rounds of a chain".
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

/** The first units of this thread's own part of a window, in aligned data. */
DEVICE void fetch_own(Bits<16> *held, const char *own, int units, int thread, int threads) {
    #pragma unroll
    for (int i = 0; i < CHAIN_UNITS; i++) {
        if (thread + i * threads < units) {
            held[i] = load_peer(own + 16ll * (thread + i * threads));
        }
    }
}

/** A window: the sum of what came and what is here, or only this if nothing comes, to its place. held: what fetch_own has found of `units`. */
template <class Fold> DEVICE void pass_window(Bits<16> *held, const char *came, const char *own, char *target, i64 bytes, int units, int thread, int threads) {
    for (int at = thread; at < units; at += CHAIN_UNITS * threads) {
        Bits<16> there[CHAIN_UNITS];
        if (at != thread) {
            fetch_own(held, own, units, at, threads);
        }
        if (came != nullptr) {
            #pragma unroll
            for (int i = 0; i < CHAIN_UNITS; i++) {
                if (at + i * threads < units) {
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
                    folding.next(held[i]);
                    held[i] = folding.result();
                }
                *(Bits<16> *)(target + 16ll * (at + i * threads)) = held[i];
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

/** Lengths of the lanes' first windows: an eighth of a chunk, two, and so on. */
constexpr int CHAIN_STEPS = 8;

/**
 * A lane's windows: in each round the lanes' windows lie side by side. Those of the first round are of unequal lengths: else all blocks would send at the same time and then wait for their fences
 * at the same time, round after round, and the link would be idle meanwhile. Lanes of one block keep step: a fence seems to wait for all that its multiprocessor stores.
 */
struct Rounds {
    i64 bytes, chunk, rounds;
    int groups, lane, lanes;

    DEVICE Rounds(i64 b, i64 c, int g, int l, int all) : bytes(b), chunk(c), groups(g), lane(l), lanes(all) {
        i64 rest = windows_in({0, bytes - first(lanes)}, chunk);
        rounds = rest > 0 ? 1 + (rest - lane + lanes - 1) / lanes : first(lane) < bytes;
    }

    /** Where a lane's first window lies. */
    DEVICE i64 first(int l) const {
        int block = l / groups, turn = block / CHAIN_STEPS, step = block % CHAIN_STEPS;
        int before = groups * (turn * (CHAIN_STEPS * (CHAIN_STEPS + 1) / 2) + step * (step + 1) / 2) + l % groups * (step + 1);
        return chunk / CHAIN_STEPS * before;
    }

    DEVICE Span window(i64 k) const {
        i64 at = k == 0 ? first(lane) : first(lanes) + ((k - 1) * lanes + lane) * chunk;
        i64 length = k == 0 ? chunk / CHAIN_STEPS * (lane / groups % CHAIN_STEPS + 1) : chunk;
        return at >= bytes ? Span{bytes, 0} : Span{at, at + length < bytes ? length : bytes - at};
    }
};

template <class Fold> DEVICE void reduce_chain(const Call &call) {
    __shared__ int lost[GROUPS];
    if (threadIdx.x < GROUPS) {
        lost[threadIdx.x] = 0;
    }
    Pipeline pipeline(call, lost);
    ChainPlace place(pipeline);
    i64 chunk = call.chunk;
    int groups = GROUPS;
    while (groups > 1 && (groups * chunk > CHAIN_UNITS * 16ll * MAX_THREADS || groups * gridDim.x > MAX_BLOCKS)) {
        groups /= 2;
    }
    int threads = blockDim.x / groups, group = threadIdx.x / threads, thread = threadIdx.x % threads, lane = blockIdx.x * groups + group, lanes = gridDim.x * groups;
    pipeline.lost = lost + group;  // of its own, so that all of a group find the same behind their barrier
    // Two threads, so that one looks for the next window while the other waits for its fence.
    bool tells = thread == 0, looks = thread == (threads > WARP ? WARP : 0);
    i64 slots = WINDOWS_BYTES / (lanes * chunk);
    Rounds cut(call.bytes, chunk, groups, lane, lanes);
    bool quick = in_units((u64)call.send | (u64)(place.last ? call.recv : nullptr)), going = true;
    auto units = [&](Span window) { return quick ? (int)(window.bytes >> 4) : 0; };
    auto slot = [&](int at, i64 k) { return pipeline.window_at(at, (k % slots * lanes + lane) * chunk); };
    if ((call.flags & MET) == 0 && tells) {
        if (!place.first) {
            pipeline.tell(place.left, STARTED, lane, 1);
        }
        if (!place.last) {
            pipeline.poll(STARTED, lane, place.right, 1);
        }
    }
    Bits<16> held[CHAIN_UNITS];
    Span window = cut.window(0);
    fetch_own(held, call.send + window.at, units(window), thread, threads);
    for (i64 k = 0; k < cut.rounds && going; k++) {
        if (looks && !place.first) {
            pipeline.poll(ARRIVED, lane, place.left, k + 1);
        }
        if (looks && !place.last && k >= slots) {
            pipeline.poll(TAKEN, lane, place.right, k - slots + 1);
        }
        sync_group(group, threads);
        going = *pipeline.lost == 0;
        if (!going) {
            break;
        }
        pass_window<Fold>(held, place.first ? nullptr : slot(pipeline.rank, k), call.send + window.at, place.last ? call.recv + window.at : slot(place.right, k), window.bytes, units(window), thread,
            threads);
        window = cut.window(k + 1);
        fetch_own(held, call.send + window.at, units(window), thread, threads);  // under way beside the fence
        sync_group(group, threads);
        if (looks && !place.first && cut.rounds > slots) {
            store_relaxed_long(pipeline.word(place.left, TAKEN, lane, pipeline.rank), pipeline.base + k + 1);  // as above
        }
        if (tells && !place.last) {
            pipeline.tell(place.right, ARRIVED, lane, k + 1);
        }
    }
    pipeline.finish();
}

#undef REDUCTION
#define REDUCTION(op, type, Fold)                                                                          \
    KERNEL(MAX_THREADS) brigade_line_chain_##op##_##type(const Call call) { reduce_line_chain<Fold>(call); } \
    KERNEL(MAX_THREADS) brigade_chain_##op##_##type(const Call call) { reduce_chain<Fold>(call); }
