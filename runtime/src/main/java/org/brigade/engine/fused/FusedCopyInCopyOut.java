package org.brigade.engine.fused;

import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.algorithm.CopyInCopyOutAlgorithm;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/**
 * Bcast, allgather and allgatherv through a shared buffer ({@link org.brigade.algorithm.CopyInCopyOutAlgorithm}): who
 * sends copies its bytes in, piece by piece, and all others copy each piece out where it lies. A piece has one tick:
 * that it is in, and of a receiver, that it is out.
 */
final class FusedCopyInCopyOut {
    private static final int PIECES = CopyInCopyOutAlgorithm.PIECES;
    private static final int LINE = 64;

    private final BufferCalls calls;
    private final int rank;
    private final int ranks;
    private final StoreWays ways;
    private final Region send = new Region();
    private final Region recv = new Region();

    FusedCopyInCopyOut(BufferCalls calls) {
        this.calls = calls;
        rank = calls.rank;
        ranks = calls.ranks;
        ways = calls.ways();
    }

    void run(long key, Call call) {
        send.wrap(call.send.buffer, call.send.offset);
        recv.wrap(call.recv.buffer, call.recv.offset);
        try {
            if (call.collective == Collective.BCAST) {
                bcast(key, call);
            } else {
                allgather(key, call);
            }
            calls.end();
        } catch (RuntimeException | Error failed) {
            throw calls.failed(key, call, failed);
        } finally {
            send.clear();
            recv.clear();
        }
    }

    private void bcast(long key, Call call) {
        long bytes = call.bytes();
        calls.begin(key, call, bytes, ways);
        calls.requireBytes(bytes);
        int piece = CopyInCopyOutAlgorithm.pieceBytes(bytes); // the same on all ranks
        NativeMemory memory = calls.buffer.half(0);
        int number = 0;
        for (long at = 0; at < bytes; at += piece, number++) {
            int length = (int) Math.min(piece, bytes - at);
            int place = number % PIECES * piece;
            if (call.isRoot()) {
                if (number >= PIECES) {
                    calls.awaitAll(number - PIECES + 1);
                }
                calls.copyIn(recv, at, memory, place, length);
            } else {
                calls.await(call.root, number + 1);
                calls.copyOut(memory, place, recv, at, length);
            }
            calls.publish(number + 1);
        }
    }

    private void allgather(long key, Call call) {
        long own = call.send.blocks.length(0);
        calls.begin(key, call, own, ways);
        long longest = 0;
        for (int peer = 0; peer < ranks; peer++) {
            calls.requireRoom(peer, call.recv.blocks.length(peer));
            longest = Math.max(longest, calls.bytes(peer));
        }
        int piece = calls.buffer.half(0).capacity() / ranks & -LINE;
        int number = 0;
        for (long at = 0; at < longest; at += piece, number++) {
            // Who reads a piece has read all pieces before the last, so that half is free.
            NativeMemory half = calls.buffer.half(number);
            calls.copyIn(send, call.send.blocks.offset(0) + at, half, rank * piece, length(own, at, piece));
            calls.publish(number + 1);
            for (int i = call.inPlace ? 1 : 0; i < ranks; i++) {
                int peer = rank + i < ranks ? rank + i : rank + i - ranks;
                calls.await(peer, number + 1);
                calls.copyOut(half, peer * piece, recv, call.recv.blocks.offset(peer) + at,
                    length(calls.bytes(peer), at, piece));
            }
        }
    }

    private static int length(long bytes, long at, int most) {
        return (int) Math.max(0, Math.min(most, bytes - at));
    }
}
