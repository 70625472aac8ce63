package org.brigade.transport.shm;

import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.ProcessMemory;
import org.brigade.op.Combiner;
import org.brigade.op.StagedCombine;

/** The receiving end of lent messages; {@link LentSender} describes the protocol. */
final class LentReceiver {
    private enum State { NONE, READING, SHARED, REFUSED }

    private final SharedEndpoint endpoint;
    private final PeerProcesses processes;
    private final int peer;
    private final ChannelReceiver in;
    private State state = State.NONE;
    private ProcessMemory process;
    /** Where a shared message goes, and which of its pieces were read here. */
    private long target;
    private int mine;
    /** Pieces on their way into the heap or into a reduction; allocated on first use. */
    private NativeMemory near;

    /** @param peer its place on the node */
    LentReceiver(SharedEndpoint endpoint, PeerProcesses processes, int peer, ChannelReceiver in) {
        this.endpoint = endpoint;
        this.processes = processes;
        this.peer = peer;
        this.in = in;
    }

    /** Whether the sender may be writing into the caller's memory. */
    boolean isBusy() {
        return state == State.SHARED;
    }

    long tryRecv(Region into, long at) {
        if (state == State.NONE) {
            begin(into, at);
        }
        if (state == State.REFUSED) {
            return waitForRing() ? in.tryRecv(into, at) : 0;
        }
        if (state == State.SHARED) {
            return share() ? end(in.remaining()) : 0;
        }
        int piece = nextPiece();
        if (into.isNative()) {
            read(taken(), into.address() + at, piece);
        } else {
            into.write(at, fetched(piece), 0, piece);
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
        int piece = nextPiece();
        combiner.combine(fetched(piece), 0, piece, operand, operandAt, into, intoAt);
        return end(piece);
    }

    long tryDiscard(long limit) {
        if (state == State.REFUSED) {
            return waitForRing() ? in.tryDiscard(limit) : 0;
        }
        if (state == State.SHARED) {
            stopSender();
            return end(in.remaining());
        }
        state = State.READING;
        return end(limit >= in.remaining() ? in.remaining() : limit & -ChannelDescriptor.GRAIN);
    }

    private void begin(Region into, long at) {
        begin(into.isDevice());
        if (state == State.READING && into.isNative() && taken() == 0) {
            target = into.address() + at;
            mine = 0;
            state = State.SHARED;
            in.shareLoan(target);
        }
    }

    /** @param refused whether the bytes must come through the ring in any case */
    private void begin(boolean refused) {
        process = refused || !processes.tell() ? null : processes.find(peer);
        if (process == null) {
            state = State.REFUSED;
            in.answer(ChannelDescriptor.REFUSED_LOAN);
        } else {
            state = State.READING;
        }
    }

    /** Whether the message has become one in the ring. */
    private boolean waitForRing() {
        if (in.offerByRing()) {
            state = State.NONE;
            return true;
        }
        return false;
    }

    // ---- pieces that only this side copies ----

    private int nextPiece() {
        return (int) Math.min(Loan.PIECE, in.remaining());
    }

    private NativeMemory fetched(int piece) {
        if (near == null) {
            near = NativeMemory.allocate(Loan.PIECE);
        }
        read(taken(), near.address(), piece);
        return near;
    }

    private void read(long from, long to, long bytes) {
        int failed = process.read(in.loanAddress() + from, to, bytes);
        if (failed != 0) {
            end(in.remaining());
            throw unreadable(failed);
        }
    }

    // ---- pieces that both sides copy ----

    /** Reads one piece; true once all are there. */
    private boolean share() {
        int piece = in.claim(Loan.pieces(in.bytes()));
        if (piece >= 0) {
            mine++;
            readTo(piece);
            return false;
        }
        int pushed = in.pushed();
        if (pushed == ChannelDescriptor.CANNOT_PUSH) {
            for (int each = 0; each < Loan.pieces(in.bytes()); each++) {
                readTo(each); // not known which of them the sender has claimed
            }
            return true;
        }
        return mine + pushed == Loan.pieces(in.bytes());
    }

    private void readTo(int piece) {
        long from = Loan.start(in.bytes(), piece);
        int failed = process.read(in.loanAddress() + from, target + from, Loan.length(in.bytes(), piece));
        if (failed != 0) {
            stopSender();
            end(in.remaining());
            throw unreadable(failed);
        }
    }

    /**
     * Claims what is left and waits until the sender has written its last piece: some microseconds. Then nobody writes
     * into the caller's memory.
     */
    private void stopSender() {
        int pieces = Loan.pieces(in.bytes());
        while (in.claim(pieces) >= 0) {
            mine++;
        }
        while (mine + in.pushed() < pieces && endpoint.lost(endpoint.rankAt(peer)) == null) {
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
            + "): its call has failed, or it has freed its buffer; brigade.shm.loans=never avoids such reads");
    }
}
