package org.brigade.transport.shm;

import java.util.function.BooleanSupplier;
import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.ProcessMemory;
import org.brigade.op.Combiner;
import org.brigade.op.StagedCombine;

/** The receiving end of lent messages; {@link LentSender} describes the protocol. */
final class LentReceiver {
    /** Bytes that are read at once before they go on into the heap or into a reduction: they stay in the cache. */
    private static final int NEAR_BYTES = 128 << 10;

    private enum State { NONE, READING, SHARED, ABANDONED, REFUSED }

    private final SharedEndpoint endpoint;
    private final PeerProcesses processes;
    private final int peer;
    private final ChannelReceiver in;
    /** Whether this side lends a message to the peer, too. */
    private final BooleanSupplier lends;
    private State state = State.NONE;
    private ProcessMemory process;
    /** Where a shared message goes, and how many of its pieces were claimed here. */
    private long target;
    private int mine;
    /** Pieces read because the sender cannot write. */
    private int reread;
    private boolean peerDied;
    /** Pieces on their way into the heap or into a reduction; allocated on first use. */
    private NativeMemory near;

    /**
     * @param peer its place on the node
     * @param lends whether this side lends a message to the peer at present
     */
    LentReceiver(SharedEndpoint endpoint, PeerProcesses processes, int peer, ChannelReceiver in,
        BooleanSupplier lends) {
        this.lends = lends;
        this.endpoint = endpoint;
        this.processes = processes;
        this.peer = peer;
        this.in = in;
    }

    /** Whether only the receiver that has begun to take the message may go on. */
    boolean isBusy() {
        return state == State.SHARED || state == State.ABANDONED;
    }

    long tryRecv(Region into, long at) {
        if (state == State.NONE) {
            begin(into, at);
        }
        if (state == State.REFUSED) {
            return waitForRing() ? in.tryRecv(into, at) : 0;
        }
        if (state == State.SHARED) {
            return share() && state == State.SHARED ? end(in.remaining()) : 0;
        }
        if (state == State.ABANDONED) {
            return end(in.remaining());
        }
        int piece = read(into.isNative() ? into.address() + at : near().address());
        if (piece > 0 && !into.isNative()) {
            into.write(at, near, 0, piece);
        }
        return end(piece);
    }

    long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region into, long intoAt) {
        if (state == State.NONE) {
            begin(StagedCombine.isNeeded(operand, into));
        }
        if (state == State.REFUSED) {
            return waitForRing() ? in.tryRecvReduce(combiner, operand, operandAt, into, intoAt) : 0;
        }
        if (state == State.ABANDONED) {
            return end(in.remaining());
        }
        int piece = read(near().address());
        if (piece > 0) {
            combiner.combine(near, 0, piece, operand, operandAt, into, intoAt);
        }
        return end(piece);
    }

    long tryDiscard(long limit) {
        boolean whole = limit >= in.remaining();
        if (state == State.NONE && !whole) {
            begin(false);
        }
        if (state == State.REFUSED) {
            return waitForRing() ? in.tryDiscard(limit) : 0;
        }
        abandon();
        if (state == State.ABANDONED) {
            return end(in.remaining());
        }
        return end(whole ? in.remaining() : limit & -ChannelDescriptor.GRAIN);
    }

    /** Waits, a few microseconds, until the sender has written its last piece. */
    void abandon() {
        if (state == State.SHARED) {
            stopSender();
            state = State.ABANDONED;
        }
    }

    /**
     * Shares the work, unless one read does it and there is a message the other way: then both sides have enough to
     * copy, and would only wait for each other's answers.
     */
    private void begin(Region into, long at) {
        begin(into.isDevice());
        boolean alone = in.bytes() <= NEAR_BYTES && lends.getAsBoolean();
        if (state == State.READING && into.isNative() && taken() == 0 && !alone) {
            target = into.address() + at;
            mine = 0;
            reread = 0;
            peerDied = false;
            state = State.SHARED;
            in.shareLoan(target);
        }
    }

    /** @param byRing whether the bytes must come through the ring in any case */
    private void begin(boolean byRing) {
        process = processes.tell() ? processes.find(peer) : null;
        state = State.READING;
        if (process == null) {
            in.cannotRead();
        }
        if (process == null || byRing) {
            refuse();
        }
    }

    /** Has the whole message sent through the ring. Nothing of it has been taken. */
    private void refuse() {
        state = State.REFUSED;
        in.answer(ChannelDescriptor.REFUSED_LOAN);
    }

    /** Whether the message has become one in the ring. */
    private boolean waitForRing() {
        if (in.offerByRing()) {
            state = State.NONE;
            return true;
        }
        return false;
    }

    /** Reads from the lent memory, again if the sender has lent other memory meanwhile. 0, or the system's error. */
    private int read(long from, long to, long bytes) {
        while (true) {
            long lent = in.loanAddress();
            int failed = process.read(lent + from, to, bytes);
            if (in.loanAddress() == lent) {
                return failed;
            }
        }
    }

    // ---- pieces that only this side copies ----

    /** Bytes of the next piece that have been read to an address here; 0 if none could be. */
    private int read(long to) {
        int piece = (int) Math.min(NEAR_BYTES, in.remaining());
        int failed = read(taken(), to, piece);
        if (failed == 0) {
            return piece;
        }
        if (failed != ProcessMemory.NO_PROCESS) { // else the peer is dead, and nothing comes
            if (taken() > 0) {
                state = State.ABANDONED;
                throw unreadable(failed);
            }
            refuse();
        }
        return 0;
    }

    private NativeMemory near() {
        if (near == null) {
            near = NativeMemory.allocate(NEAR_BYTES);
        }
        return near;
    }

    // ---- pieces that both sides copy ----

    /** Reads one piece; true once all are there. If the peer dies, they never are. */
    private boolean share() {
        int pieces = ChannelDescriptor.pieces(in.bytes());
        int piece = in.claim(pieces);
        if (piece >= 0) {
            mine++;
            readTo(piece);
            return false;
        }
        int pushed = in.pushed();
        if (pushed == ChannelDescriptor.CANNOT_PUSH && reread < pieces) {
            readTo(reread++); // which pieces the sender has claimed is not known
            return false;
        }
        return !peerDied && (pushed == ChannelDescriptor.CANNOT_PUSH || mine + pushed == pieces);
    }

    private void readTo(int piece) {
        long from = ChannelDescriptor.pieceStart(in.bytes(), piece);
        int failed = read(from, target + from, ChannelDescriptor.pieceLength(in.bytes(), piece));
        peerDied |= failed == ProcessMemory.NO_PROCESS;
        if (failed != 0 && failed != ProcessMemory.NO_PROCESS) {
            stopSender();
            refuse();
        }
    }

    /** Claims what is left, and waits until the sender has written its last piece, or is dead. */
    private void stopSender() {
        int others = in.claimAll(ChannelDescriptor.pieces(in.bytes())) - mine;
        while (in.pushed() < others
            && process.read(in.loanAddress(), near().address(), 1) != ProcessMemory.NO_PROCESS) {
            Thread.onSpinWait();
        }
    }

    // ---- ending ----

    private long taken() {
        return in.bytes() - in.remaining();
    }

    private long end(long now) {
        if (now == in.remaining()) {
            if (state != State.NONE) {
                in.tellTime(CopyWays.LOAN);
            }
            state = State.NONE;
            in.answer(ChannelDescriptor.TAKEN);
        }
        return in.takeElsewhere(now);
    }

    private MPIException unreadable(int errno) {
        return ErrorClass.OTHER.in("receive", "cannot read the message of rank " + endpoint.rankAt(peer)
            + " in its memory (the system's error " + errno
            + "): has it freed its buffer? brigade.shm.loans=never avoids such reads");
    }
}
