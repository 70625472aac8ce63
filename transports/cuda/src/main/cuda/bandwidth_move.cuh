// Large messages that are only moved. Nothing goes through scratch: data is stored straight into the peers' recv, by windows of call.chunk bytes that words in scratch count. It is quick
// where all addresses of blocks are multiples of 16. Kernels take what any grid gives them: each block works on a stretch of everything.
//
// scatter-allgather (bcast): M. Barnett et al., "Building a high-performance collective communication library" (1994), as one kernel: the root stores piece p into rank p, and each
//     rank stores every window of its piece on into all others as soon as it is there. Out of the root M bytes, out of the others M (n-2)/(n-1), two links deep.
// chain (bcast): root, root + 1, ...: each stores every window on to the next. In and out of all ranks between the ends M bytes, n-1 links deep. Slower than scatter-allgather to fill,
//     faster when filled, as everybody hears one peer and tells one.
// ring (allgather, allgatherv): the own block to the right neighbour, then whatever comes from the left. M (n-1)/n bytes over each link, n-1 links deep.
#pragma once

#include "bandwidth.cuh"

DEVICE void scatter_allgather(const Call &call) {
    __shared__ int lost;
    __shared__ Stretches stretches;
    Pipeline pipeline(call, &lost);
    int n = call.ranks, lane = blockIdx.x, root = call.root;
    // The pieces belong to the ranks in order behind the root.
    auto stretch_of = [&](int piece) { return part_of(part_of({0, call.bytes}, piece, n - 1), lane, gridDim.x); };
    bool going = true, meets = (call.flags & MET) == 0;
    if (call.rank == root) {
        // Each lane begins with another rank, so that no rank gets the windows of all at once.
        auto piece = [&](int i) { return (i + lane) % (n - 1); };
        stretches.cut(n - 1, call.chunk, [&](int i) { return stretch_of(piece(i)); },
                      [&](int i) { return call.peerRecv[(root + 1 + piece(i)) % n] + stretch_of(piece(i)).at; });
        going = !meets || pipeline.await_all(STARTED, lane, 1);
        for (i64 k = 0; k < stretches.rounds && going; k++) {
            deal(call.recv, stretches, call.chunk, k, call.chunk * k);
            __syncthreads();
            pipeline.tell_all(ARRIVED, lane, k + 1);
        }
    } else {
        if (meets) {
            pipeline.tell_all(STARTED, lane, 1);
        }
        Span stretch = stretch_of((call.rank - root - 1 + n) % n);
        i64 rounds = windows_in(stretch, call.chunk);
        going = !meets || pipeline.await_all(STARTED, lane, 1, root);
        for (i64 k = 0; k < rounds && going; k++) {
            going = pipeline.await(ARRIVED, lane, root, k + 1);
            if (!going) {
                break;
            }
            Span window = window_of(stretch, call.chunk, k);
            char *targets[MAX_RANKS];
            int count = 0;
            for (int p = pipeline.next(call.rank); p != call.rank; p = pipeline.next(p)) {
                if (p != root) {
                    targets[count++] = call.peerRecv[p] + window.at;
                }
            }
            spread(call.recv + window.at, targets, count, window.bytes);
        }
        __syncthreads();
        if (going) {
            pipeline.tell_all(ENDED, lane, 1, root);
            pipeline.await_all(ENDED, lane, 1, root);
        }
    }
    pipeline.finish();
}

DEVICE void chain(const Call &call) {
    __shared__ int lost;
    Pipeline pipeline(call, &lost);
    int n = call.ranks, lane = blockIdx.x, place = (call.rank - call.root + n) % n, before = pipeline.previous(call.rank), behind = pipeline.next(call.rank);
    Span stretch = part_of({0, call.bytes}, lane, gridDim.x);
    i64 rounds = windows_in(stretch, call.chunk);
    bool going = true, first = place == 0, last = place == n - 1;
    if ((call.flags & MET) == 0) {
        if (threadIdx.x == 0 && !first) {
            pipeline.tell(before, STARTED, lane, 1);
        }
        going = last || pipeline.await(STARTED, lane, behind, 1);
    }
    if (last) {
        pipeline.await(ARRIVED, lane, before, rounds);
    } else {
        for (i64 k = 0; k < rounds && going; k++) {
            going = first || pipeline.await(ARRIVED, lane, before, k + 1);
            if (!going) {
                break;
            }
            Span window = window_of(stretch, call.chunk, k);
            char *target = call.peerRecv[behind] + window.at;
            spread(call.recv + window.at, &target, 1, window.bytes);
            __syncthreads();
            if (threadIdx.x == 0) {
                pipeline.tell(behind, ARRIVED, lane, k + 1);
            }
        }
    }
    pipeline.finish();
}

DEVICE void ring_gather(const Call &call) {
    __shared__ int lost;
    __shared__ Stretches stretches;
    Pipeline pipeline(call, &lost);
    int n = call.ranks, lane = blockIdx.x, left = pipeline.previous(call.rank), right = pipeline.next(call.rank);
    bool going = true, meets = (call.flags & MET) == 0;
    if (meets && threadIdx.x == 0) {
        pipeline.tell(left, STARTED, lane, 1);
    }
    stretches.cut(n, call.chunk, [&](int p) { return part_of({call.recvAt[p], call.recvBytes[p]}, lane, gridDim.x); }, [](int) { return nullptr; });
    i64 sent = 0, arrived = 0, last = windows_in(stretches.span[right], call.chunk);
    int p = call.rank;
    going = !meets || pipeline.await(STARTED, lane, right, 1);
    for (int step = 0; step < n - 1 && going; step++, p = pipeline.previous(p)) {
        Span stretch = stretches.span[p];
        for (i64 k = 0; call.chunk * k < stretch.bytes && going; k++) {
            if (step > 0) {
                going = pipeline.await(ARRIVED, lane, left, ++arrived);
                if (!going) {
                    break;
                }
            }
            Span window = window_of(stretch, call.chunk, k);
            const char *source = step > 0 ? call.recv + window.at : call.send + call.sendAt[call.rank] + (window.at - call.recvAt[p]);
            char *targets[2] = {call.peerRecv[right] + window.at, call.recv + window.at};
            spread(source, targets, source == targets[1] ? 1 : 2, window.bytes);
            __syncthreads();
            sent++;
            if (threadIdx.x == 0) {
                pipeline.tell(right, ARRIVED, lane, sent);
            }
        }
    }
    if (going) {
        pipeline.await(ARRIVED, lane, left, arrived + last);
    }
    pipeline.finish();
}
