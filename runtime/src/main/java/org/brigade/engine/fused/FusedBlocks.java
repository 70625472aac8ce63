package org.brigade.engine.fused;

import mpi.spi.BlockMap;
import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.engine.FlatCollectives;
import org.brigade.engine.Membership;
import org.brigade.engine.ShortMessages;
import org.brigade.engine.node.HostAccess;
import org.brigade.engine.node.SharedAccess;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;

/**
 * Gather, scatter and alltoall, also their v-forms, allgather, reduce, reduce-scatter and scans of small blocks among
 * few ranks, as straight-line code. Every rank sends each block straight to the rank that needs it, and then receives.
 * One round; n - 1 messages a rank (with a root, n - 1 for the root and one for each other rank):
 * {@code T = (n - 1)(ts + m/B)} for blocks of m bytes, as of the linear algorithms that MPI libraries have for short
 * messages. Blocks of no bytes are not sent. The catalogue limits bytes and ranks, as for {@link FlatCollectives}.
 *
 * <p>
 * Equal to the schedules {@code direct} of gather, scatter and reduce, {@code direct-exchange} of allgather, and
 * {@code pairwise} of alltoall and reduce-scatter, and, of two ranks, {@code recursive-doubling} of the scans: the same
 * messages, reduced in the same order. So a rank whose buffers are on a device, or whose blocks are long, may run those
 * schedules meanwhile. In place no input is lost: a rank has sent all of its blocks before it receives the first. One
 * object a communicator; under the lock. Host memory only.
 */
public final class FusedBlocks {
    private final ShortMessages messages;
    private final SharedAccess access;
    private final int rank;
    private final int ranks;
    private final Region send = new Region();
    private final Region recv = new Region();
    /** The blocks at which the regions begin now, in bytes of their operands. */
    private long sendAt;
    private long recvAt;
    /** Memory for a block of a reduce-scatter; null until one needs it. */
    private NativeMemory spareBytes;
    private Region spare;
    private NativeMemory laterBytes;
    private Region later;

    public FusedBlocks(FlatCollectives flat, Membership membership) {
        this(flat.messages(), new HostAccess(), membership.rank, membership.members.length);
    }

    public FusedBlocks(ShortMessages messages, SharedAccess access, int rank, int ranks) {
        this.messages = messages;
        this.access = access;
        this.rank = rank;
        this.ranks = ranks;
    }

    /**
     * Runs a blocking call.
     *
     * @param incomingLast the reduction with the local operand on the left; null if the collective has none
     * @param incomingFirst the same with the incoming value on the left
     */
    public void run(long key, Call call, Combiner incomingLast, Combiner incomingFirst) {
        send.wrap(call.send.buffer, call.send.offset);
        recv.wrap(call.recv.buffer, call.recv.offset);
        sendAt = 0;
        recvAt = 0;
        try {
            switch (call.collective) {
                case GATHER, GATHERV -> gather(key, call);
                case SCATTER, SCATTERV -> scatter(key, call);
                case ALLGATHER -> allgather(key, call);
                case ALLTOALL, ALLTOALLV -> alltoall(key, call);
                case SCAN, EXSCAN -> scan(key, call, incomingFirst);
                case REDUCE -> reduce(key, call, incomingLast, incomingFirst);
                case REDUCE_SCATTER -> reduceScatter(key, call, incomingLast, incomingFirst);
                default -> throw new IllegalStateException("no fused " + call.collective.key());
            }
        } finally {
            send.clear();
            recv.clear();
        }
    }

    private void gather(long key, Call call) {
        if (rank == call.root) {
            copyOwn(key, call, 0, rank);
            receiveEach(key, call);
        } else {
            post(call.root, key, call, 0);
        }
    }

    private void scatter(long key, Call call) {
        if (rank == call.root) {
            postEach(key, call);
            copyOwn(key, call, rank, 0);
        } else {
            receive(call.root, key, call, 0);
        }
    }

    private void allgather(long key, Call call) {
        for (int distance = 1; distance < ranks; distance++) {
            post((rank + distance) % ranks, key, call, 0);
        }
        copyOwn(key, call, 0, rank);
        receiveEach(key, call);
    }

    private void alltoall(long key, Call call) {
        postEach(key, call);
        copyOwn(key, call, rank, rank);
        receiveEach(key, call);
    }

    /** Lower ranks are put before the sum so far, from the root down, and then higher ones behind it. */
    private void reduce(long key, Call call, Combiner incomingLast, Combiner incomingFirst) {
        int bytes = (int) call.send.blocks.total();
        if (bytes == 0) {
            return;
        }
        if (rank != call.root) {
            messages.send(call.root, key, send, bytes, call.collective.key());
            return;
        }
        Region sum = send;
        for (int lower = rank - 1; lower >= 0; lower--) {
            sum = fold(lower, key, call, bytes, incomingFirst, sum, recv);
        }
        for (int upper = rank + 1; upper < ranks; upper++) {
            sum = fold(upper, key, call, bytes, incomingLast, sum, recv);
        }
        access.copyOwn(recv, 0, sum, 0, bytes);
    }

    /** Among two ranks. */
    private void scan(long key, Call call, Combiner incomingFirst) {
        int bytes = (int) call.send.blocks.total();
        boolean inclusive = call.collective == Collective.SCAN;
        if (bytes == 0) {
            return;
        }
        if (rank == 0) {
            if (ranks > 1) {
                messages.send(1, key, send, bytes, call.collective.key());
            }
            if (inclusive) {
                access.copyOwn(recv, 0, send, 0, bytes);
            }
        } else if (inclusive) {
            fold(0, key, call, bytes, incomingFirst, send, recv);
        } else {
            messages.receive(0, key, recv, bytes, call.collective.key());
        }
    }

    /** As {@link #reduce}, but the higher ranks' blocks are summed apart, from the last one down, and added last. */
    private void reduceScatter(long key, Call call, Combiner incomingLast, Combiner incomingFirst) {
        call.send.blocks.cut(ranks);
        postEach(key, call);
        int bytes = (int) seekSend(call.send.blocks, rank);
        if (bytes == 0) {
            return;
        }
        Region sum = send;
        if (call.inPlace) { // the result may overlap this rank's block without lying at the same place
            if (spareBytes == null || spareBytes.capacity() < bytes) {
                spareBytes = NativeMemory.allocate(bytes);
                spare = Region.of(spareBytes);
            }
            sum = spare;
            access.copyOwn(sum, 0, send, 0, bytes);
        }
        for (int lower = rank - 1; lower >= 0; lower--) {
            sum = fold(lower, key, call, bytes, incomingFirst, sum, recv);
        }
        int last = ranks - 1;
        if (rank == last) {
            access.copyOwn(recv, 0, sum, 0, bytes);
        } else if (rank == last - 1) {
            fold(last, key, call, bytes, incomingLast, sum, recv);
        } else {
            if (laterBytes == null || laterBytes.capacity() < bytes) {
                laterBytes = NativeMemory.allocate(bytes);
                later = Region.of(laterBytes);
            }
            messages.receive(last, key, later, bytes, call.collective.key());
            for (int upper = last - 1; upper > rank; upper--) {
                fold(upper, key, call, bytes, incomingFirst, later, later);
            }
            try {
                incomingLast.combine(laterBytes, 0, bytes, sum, 0, recv, 0);
            } catch (RuntimeException | Error usersOwn) {
                throw messages.failedIn(call.collective.key(), key, usersOwn);
            }
        }
    }

    /** {@code target = sum op incoming}. @return the target */
    private Region fold(int peer, long key, Call call, int bytes, Combiner combiner, Region sum, Region target) {
        try {
            messages.fold(peer, key, bytes, combiner, sum, target, call.collective.key());
        } catch (RuntimeException | Error usersOwn) {
            throw messages.failedIn(call.collective.key(), key, usersOwn);
        }
        return target;
    }

    // ---- blocks ----

    private void postEach(long key, Call call) {
        for (int distance = 1; distance < ranks; distance++) {
            int peer = (rank + distance) % ranks;
            post(peer, key, call, peer);
        }
    }

    private void receiveEach(long key, Call call) {
        for (int distance = 1; distance < ranks; distance++) {
            int peer = (rank + distance) % ranks;
            receive(peer, key, call, peer);
        }
    }

    private void post(int peer, long key, Call call, int block) {
        int bytes = (int) seekSend(call.send.blocks, block);
        if (bytes > 0) {
            messages.send(peer, key, send, bytes, call.collective.key());
        }
    }

    private void receive(int peer, long key, Call call, int block) {
        int bytes = (int) seekRecv(call.recv.blocks, block);
        if (bytes > 0) {
            messages.receiveAtMost(peer, key, recv, bytes, call.collective.key());
        }
    }

    private void copyOwn(long key, Call call, int from, int to) {
        long bytes = seekSend(call.send.blocks, from);
        long room = seekRecv(call.recv.blocks, to);
        if (bytes > room) {
            throw messages.truncated(call.collective.key(), key, bytes, room);
        }
        access.copyOwn(recv, 0, send, 0, bytes);
    }

    /** Lets the region begin at a block. @return the block's bytes */
    private long seekSend(BlockMap blocks, int block) {
        long to = blocks.offset(block);
        send.skip(to - sendAt);
        sendAt = to;
        return blocks.length(block);
    }

    private long seekRecv(BlockMap blocks, int block) {
        long to = blocks.offset(block);
        recv.skip(to - recvAt);
        recvAt = to;
        return blocks.length(block);
    }
}
