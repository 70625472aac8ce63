// Large messages that are reduced. It is quick where all send and recv addresses are multiples of 16, as are the blocks of a reduce-scatter. The flag REDUCE_SCATTER makes a
// reduce-scatter of either: slice p is the block for p (sendAt, sendBytes; of this rank too), and the result goes to recv. That one not in place: a block of the grid would overwrite
// what another has still to send.
//
// push-two-phase (allreduce): reduce-scatter and allgather by stores alone. (Loads over a link cost requests in the other direction: 337 GB/s against 362 when both directions are
//     busy, on H200.) Each rank owns a slice. Blocks come in pairs, and a pair has a stretch of every slice: its even block stores windows of the peers' slices into the peers'
//     scratch, its odd block folds the windows of its own slice, in rank order, as soon as they are there, and stores the result into all recvs. So stores of both phases share the links
//     from the first window to the last, and windows stay in the L2 cache. 2 M (n-1)/n bytes over each link. Results are those of pull and two-shot, bit for bit.
// ring (allreduce): P. Patarasu and X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations" (2009). Each block of the grid is a ring of its own over its
//     stretch of all slices: n-1 steps of folding and storing into the right neighbour's scratch, the last one into both recvs, n-2 steps of storing on. The same bytes, all between
//     neighbours: links carry 362 GB/s in a ring, but 349 if all talk to all. Slice p is folded from the left in the order p+1, p+2, ..., p and put into the type at each
//     step: bit-identical on all ranks and in all runs, but for floating-point sums and products not what rank order gives.
#pragma once

#include "bandwidth.cuh"
#include "fold.cuh"

/** The block's fold of sources, in their order, into every target. Targets may be sources. */
template <class Fold> DEVICE void fold_into(const char *const *sources, int n, char *const *targets, int count, i64 bytes) {
    constexpr int UNITS = sizeof(Folding<Fold, 16>::held) > 16 ? 2 : 4;  // in registers at once
    u64 addresses = 0;
    for (int s = 0; s < n; s++) {
        addresses |= (u64)sources[s];
    }
    for (int t = 0; t < count; t++) {
        addresses |= (u64)targets[t];
    }
    int units = in_units(addresses) ? (int)(bytes >> 4) : 0, step = blockDim.x;
    for (int at = threadIdx.x; at < units; at += UNITS * step) {
        Bits<16> first[UNITS], next[UNITS];
        Folding<Fold, 16> folding[UNITS];
        #pragma unroll
        for (int i = 0; i < UNITS; i++) {
            if (at + i * step < units) {
                first[i] = load_peer(sources[0] + 16ll * (at + i * step));
            }
        }
        for (int s = 1; s < n; s++) {
            #pragma unroll
            for (int i = 0; i < UNITS; i++) {
                if (at + i * step < units) {
                    next[i] = load_peer(sources[s] + 16ll * (at + i * step));
                }
            }
            #pragma unroll
            for (int i = 0; i < UNITS; i++) {
                if (s == 1) {
                    folding[i].first(first[i]);
                }
                folding[i].next(next[i]);
            }
        }
        #pragma unroll
        for (int i = 0; i < UNITS; i++) {
            first[i] = folding[i].result();
        }
        for (int t = 0; t < count; t++) {
            #pragma unroll
            for (int i = 0; i < UNITS; i++) {
                if (at + i * step < units) {
                    *(Bits<16> *)(targets[t] + 16ll * (at + i * step)) = first[i];
                }
            }
        }
    }
    for (i64 at = 16ll * (units + (int)threadIdx.x); at < bytes; at += 16 * step) {
        i64 rest = bytes - at;
        Folding<Fold, 16> folding;
        folding.first(gather<16>(sources[0] + at, rest));
        for (int s = 1; s < n; s++) {
            folding.next(gather<16>(sources[s] + at, rest));
        }
        Bits<16> result = folding.result();
        for (int t = 0; t < count; t++) {
            scatter<16>(targets[t] + at, result, rest);
        }
    }
}

/** What rank p owns of the vector. */
DEVICE Span slice_of(const Call &call, int p) {
    if (call.flags & REDUCE_SCATTER) {
        return {call.sendAt[p], call.sendBytes[p]};
    }
    return part_of({0, call.bytes}, p, call.ranks);
}

template <class Fold> DEVICE void reduce_push_two_phase(const Call &call) {
    __shared__ int lost;
    __shared__ Stretches stretches;
    Pipeline pipeline(call, &lost);
    int n = call.ranks, rank = call.rank, lanes = gridDim.x / 2, lane = blockIdx.x / 2;
    bool scattered = (call.flags & REDUCE_SCATTER) != 0, going = true;
    i64 chunk = call.chunk;
    // Windows lie in scratch as [lane][from][slot]. Where slots suffice, nobody has to tell that he has taken them.
    i64 slots = WINDOWS_BYTES / ((i64)lanes * (n - 1) * chunk);
    auto slot = [&](int at, int from, i64 k) { return pipeline.window_at(at, (((i64)lane * (n - 1) + from - (from > at)) * slots + k % slots) * chunk); };
    auto stretch_of = [&](int p) { return part_of(slice_of(call, p), lane, lanes); };
    if (lane >= lanes) {
        // The last of an odd grid has nothing to do.
    } else if (blockIdx.x % 2 == 0) {
        bool meets = (call.flags & MET) == 0;  // else a peer's scratch may still have windows of the call before, laid out in another way, from somebody else
        if (meets) {
            pipeline.tell_all(STARTED, lane, 1);
        }
        auto peer = [&](int i) { return (rank + 1 + i) % n; };
        stretches.cut(n - 1, chunk, [&](int i) { return stretch_of(peer(i)); }, [&](int i) { return slot(peer(i), rank, 0); });
        going = !meets || pipeline.await_all(STARTED, lane, 1);
        for (i64 k = 0; k < stretches.rounds && going; k++) {
            if (k >= slots) {
                for (int i = threadIdx.x; i < n - 1; i += blockDim.x) {
                    if (window_of(stretches.span[i], chunk, k).bytes > 0) {
                        pipeline.poll(TAKEN, lane, peer(i), k - slots + 1);
                    }
                }
                going = pipeline.ready();
                if (!going) {
                    break;
                }
            }
            deal(call.send, stretches, chunk, k, k % slots * chunk);
            __syncthreads();
            pipeline.tell_all(ARRIVED, lane, k + 1);
        }
        if (scattered && going) {  // no result comes back that would say that the windows have been taken
            for (int i = threadIdx.x; i < n - 1; i += blockDim.x) {
                pipeline.poll(TAKEN, lane, peer(i), windows_in(stretches.span[i], chunk));
            }
        }
    } else {
        Span stretch = stretch_of(rank);
        i64 rounds = windows_in(stretch, chunk);
        for (i64 k = 0; k < rounds && going; k++) {
            going = pipeline.await_all(ARRIVED, lane, k + 1);
            if (!going) {
                break;
            }
            Span window = window_of(stretch, chunk, k);
            const char *sources[MAX_RANKS];
            char *targets[MAX_RANKS];
            int count = 0;
            for (int p = 0; p < n; p++) {
                sources[p] = p == rank ? call.send + window.at : slot(rank, p, k);
            }
            for (int p = pipeline.next(rank); p != rank && !scattered; p = pipeline.next(p)) {
                targets[count++] = call.peerRecv[p] + window.at;  // who has sent a window has come to this call
            }
            targets[count++] = call.recv + window.at - (scattered ? call.sendAt[rank] : 0);
            fold_into<Fold>(sources, n, targets, count, window.bytes);
            if (scattered || rounds > slots) {
                __syncthreads();
                pipeline.tell_all(TAKEN, lane, k + 1);
            }
        }
        __syncthreads();
        if (going && !scattered) {
            pipeline.tell_all(ENDED, lane, 1);
            pipeline.await_all(ENDED, lane, 1);
        }
    }
    pipeline.finish();
}

template <class Fold> DEVICE void reduce_ring(const Call &call) {
    __shared__ int lost;
    __shared__ Stretches stretches;
    Pipeline pipeline(call, &lost);
    int n = call.ranks, rank = call.rank, lane = blockIdx.x, left = pipeline.previous(rank), right = pipeline.next(rank);
    bool scattered = (call.flags & REDUCE_SCATTER) != 0, going = true, meets = (call.flags & MET) == 0;
    i64 chunk = call.chunk, slots = WINDOWS_BYTES / ((i64)gridDim.x * chunk);
    auto slot = [&](int at, i64 message) { return pipeline.window_at(at, ((i64)lane * slots + message % slots) * chunk); };
    if (meets && threadIdx.x == 0) {
        pipeline.tell(left, STARTED, lane, 1);
    }
    stretches.cut(n, chunk, [&](int p) { return part_of(slice_of(call, p), lane, gridDim.x); }, [](int) { return nullptr; });
    i64 rounds = stretches.rounds;
    going = !meets || pipeline.await(STARTED, lane, right, 1);
    // To the right go two kinds of messages, each counted by itself, empty ones too: sums in the making into its scratch (ARRIVED, given back by TAKEN), and results (ENDED).
    i64 sums = 0, taken = 0, results = 0, placed = 0;
    for (i64 k = 0; k < rounds && going; k++) {
        int p = rank;
        for (int step = 0; step < n && going; step++) {
            p = pipeline.previous(p);  // the own slice last
            Span window = window_of(stretches.span[p], chunk, k);
            bool last = step == n - 1;
            if (threadIdx.x == 0) {
                if (!last && sums >= slots) {
                    pipeline.poll(TAKEN, lane, right, sums - slots + 1);
                }
                if (step > 0) {
                    pipeline.poll(ARRIVED, lane, left, taken + 1);
                }
            }
            going = pipeline.ready();
            if (!going) {
                break;
            }
            const char *own = call.send + window.at;
            char *targets[2];
            int count = 0;
            if (!last) {
                targets[count++] = slot(right, sums);
            } else {
                if (!scattered) {
                    targets[count++] = call.peerRecv[right] + window.at;
                }
                targets[count++] = call.recv + window.at - (scattered ? call.sendAt[rank] : 0);
            }
            if (step == 0) {
                spread(own, targets, count, window.bytes);
            } else {
                const char *sources[2] = {slot(rank, taken), own};
                fold_into<Fold>(sources, 2, targets, count, window.bytes);
            }
            __syncthreads();
            taken += step > 0;
            sums += !last;
            results += last;
            if (threadIdx.x == 0) {
                if (!last) {
                    pipeline.tell(right, ARRIVED, lane, sums);
                } else if (!scattered) {
                    pipeline.tell(right, ENDED, lane, results);
                }
                if (step > 0) {
                    pipeline.tell(left, TAKEN, lane, taken);
                }
            }
        }
        for (int step = 0; step < n - 1 && going && !scattered; step++) {
            p = pipeline.previous(p);
            Span window = window_of(stretches.span[p], chunk, k);
            going = pipeline.await(ENDED, lane, left, ++placed);
            if (!going || step == n - 2) {
                break;
            }
            char *target = call.peerRecv[right] + window.at;
            spread(call.recv + window.at, &target, 1, window.bytes);
            __syncthreads();
            results++;
            if (threadIdx.x == 0) {
                pipeline.tell(right, ENDED, lane, results);
            }
        }
    }
    if (scattered && going && threadIdx.x == 0) {
        pipeline.poll(TAKEN, lane, right, sums);
    }
    pipeline.finish();
}
