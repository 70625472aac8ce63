package org.brigade.engine;

import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.engine.node.HostAccess;
import org.brigade.engine.node.SharedAccess;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.transport.Link;

/**
 * Barrier, bcast and allreduce of small messages among few ranks, as straight-line code. Every rank sends to every
 * other (up to {@link Link#PACKET_BYTES} bytes share a cache line with their header) and reduces in rank order, so all
 * ranks get the same bits. One round; n - 1 messages a rank (bcast: the root's only).
 *
 * <p>
 * Equal to the schedules {@code direct-exchange} of barrier and allreduce and {@code direct} of bcast. Every rank sends
 * before it receives: if a link is too short for that, {@link LinkMessages} sets aside what has come meanwhile. One
 * object a communicator; under the lock.
 */
public final class FlatCollectives {
    private static final Region NOTHING = new Region();
    private static final String ALLREDUCE = Collective.ALLREDUCE.key();
    private static final String BCAST = Collective.BCAST.key();

    private final ShortMessages messages;
    private final SharedAccess access;
    private final int rank;
    private final int ranks;
    private final Region send = new Region();
    private final Region recv = new Region();
    private NativeMemory ownBytes;
    private Region sum;
    /** Null until a buffer is on a device. */
    private NativeMemory nearBytes;
    private Region near;

    public FlatCollectives(Progress progress, Membership membership) {
        this(new LinkMessages(progress, membership), new HostAccess(), membership.rank, membership.members.length);
    }

    public FlatCollectives(ShortMessages messages, SharedAccess access, int rank, int ranks) {
        this.messages = messages;
        this.access = access;
        this.rank = rank;
        this.ranks = ranks;
    }

    /** The messages of this communicator. */
    public ShortMessages messages() {
        return messages;
    }

    public void barrier(long key) {
        barrierPost(key);
        barrierReceive(key);
    }

    void barrierPost(long key) {
        postAll(key, NOTHING, 0, Collective.BARRIER.key());
    }

    void barrierReceive(long key) {
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != rank) {
                messages.receive(peer, key, NOTHING, 0, Collective.BARRIER.key());
            }
        }
    }

    public void bcast(long key, Call call) {
        if (rank == call.root) {
            bcastPost(key, call);
        } else {
            bcastReceive(key, call);
        }
    }

    /** At the root. */
    void bcastPost(long key, Call call) {
        int bytes = (int) call.recv.blocks.total();
        recv.wrap(call.recv.buffer, call.recv.offset);
        if (recv.isDevice()) {
            near(bytes);
            access.copyIn(recv, 0, nearBytes, 0, bytes);
            postAll(key, near, bytes, BCAST);
        } else {
            postAll(key, recv, bytes, BCAST);
        }
        recv.clear();
    }

    /** Elsewhere. */
    void bcastReceive(long key, Call call) {
        int bytes = (int) call.recv.blocks.total();
        recv.wrap(call.recv.buffer, call.recv.offset);
        if (recv.isDevice()) {
            near(bytes);
            int came = messages.receiveAtMost(call.root, key, near, bytes, BCAST);
            access.copyOut(nearBytes, 0, recv, 0, came);
        } else {
            messages.receiveAtMost(call.root, key, recv, bytes, BCAST);
        }
        recv.clear();
    }

    private void postAll(long key, Region data, int bytes, String call) {
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != rank) {
                messages.send(peer, key, data, bytes, call);
            }
        }
    }

    /** The first half of an allreduce: sends the vector. Work that can wait is done while it travels. */
    public void allreducePost(long key, Call call) {
        allreducePost(key, call, ALLREDUCE);
    }

    /** @param within the call that this is a part of, for those who read of a wait */
    public void allreducePost(long key, Call call, String within) {
        int bytes = (int) call.send.blocks.total();
        allreduceInput(call, bytes);
        postAll(key, send, bytes, within);
    }

    /** Finds this rank's vector; {@link #allreduceFold} needs that if other calls came since the vector was sent. */
    void allreduceInput(Call call, int bytes) {
        send.wrap(call.send.buffer, call.send.offset);
        if (send.isDevice()) {
            near(bytes);
            access.copyIn(send, 0, nearBytes, 0, bytes);
            send.wrap(nearBytes.bytes, 0);
        }
    }

    /**
     * The second half: receives, and reduces in rank order. The combiners: with the local operand on the left, and with
     * the incoming value on the left.
     */
    public void allreduceFold(long key, Call call, Combiner incomingLast, Combiner incomingFirst) {
        allreduceFold(key, call, incomingLast, incomingFirst, ALLREDUCE);
    }

    /** @param within as in {@link #allreducePost(long, Call, String)} */
    public void allreduceFold(long key, Call call, Combiner incomingLast, Combiner incomingFirst, String within) {
        int bytes = (int) call.send.blocks.total();
        recv.wrap(call.recv.buffer, call.recv.offset);
        Region result = recv.isDevice() ? near(bytes) : recv;
        try {
            if (ranks == 2) {
                messages.fold(1 - rank, key, bytes, rank == 0 ? incomingLast : incomingFirst, send, result,
                    within);
            } else {
                foldAll(key, bytes, incomingLast, result, within);
            }
            if (result != recv) {
                access.copyOut(nearBytes, 0, recv, 0, bytes);
            }
        } catch (RuntimeException | Error usersOwn) {
            throw messages.failedIn(within, key, usersOwn);
        } finally {
            send.clear();
            recv.clear();
        }
    }

    /** Host memory for data of a device: each copy to or from a device takes long, however short. */
    private Region near(int bytes) {
        if (nearBytes == null || nearBytes.capacity() < bytes) {
            nearBytes = NativeMemory.allocate(Math.max(64, bytes));
            near = Region.of(nearBytes);
        }
        return near;
    }

    private void foldAll(long key, int bytes, Combiner incomingLast, Region result, String within) {
        if (ownBytes == null || ownBytes.capacity() < bytes) {
            ownBytes = NativeMemory.allocate(Math.max(64, bytes));
            sum = Region.of(NativeMemory.allocate(Math.max(64, bytes)));
        }
        access.copyIn(send, 0, ownBytes, 0, bytes);
        int last = ranks - 1;
        if (rank == 0) {
            access.copyOut(ownBytes, 0, last == 0 ? result : sum, 0, bytes);
        } else {
            messages.receive(0, key, sum, bytes, within);
        }
        for (int peer = 1; peer <= last; peer++) {
            Region target = peer == last ? result : sum;
            if (peer == rank) {
                incomingLast.combine(ownBytes, 0, bytes, sum, 0, target, 0);
            } else {
                messages.fold(peer, key, bytes, incomingLast, sum, target, within);
            }
        }
    }
}
