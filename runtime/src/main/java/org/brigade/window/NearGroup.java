package org.brigade.window;

import mpi.MPIException;
import mpi.spi.Collective;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.Wait;
import org.brigade.waiting.Waiter;

/**
 * Ranks of one node that all touch each other's control blocks. They meet there: each counts up in its own block and
 * waits for the others' counts. No message is sent, so the window needs no communicator. Its context is a number for
 * reports.
 */
final class NearGroup extends WindowGroup implements Waiter {
    /** Looks at a count before everything else gets a turn. No pause between them: it is a cache line away. */
    private static final int MOST_LOOKS = 512;

    private final Progress progress;
    private final WindowContexts contexts;
    private final long context;
    private final ControlBlock[] controls;
    private final WindowWait wait;
    private long met;
    /** The rank that is waited for. */
    private int awaited;

    NearGroup(Progress progress, Membership membership, WindowContexts contexts, long context,
        ControlBlock[] controls) {
        super(membership);
        this.progress = progress;
        this.contexts = contexts;
        this.context = context;
        this.controls = controls;
        wait = new WindowWait(progress, membership);
        contexts.begins();
        noteName();
    }

    private void noteName() {
        progress.lock.lock();
        try {
            progress.recorder.names((int) context, membership.name());
        } finally {
            progress.lock.unlock();
        }
    }

    /** A number for this meeting, as collectives have one. */
    private long key() {
        return context << Integer.SIZE | met & 0xffffffffL;
    }

    @Override
    void meet(String call) {
        progress.lock.lock();
        int noted = progress.recorder.begins(Collective.BARRIER, true, key(), 0, 0);
        try {
            MPIException gone = progress.losses.lostAlready(call, membership);
            if (gone != null) {
                throw gone;
            }
            controls[membership.rank].arrive(met + 1);
            for (int each = 0; each < controls.length; each++) {
                if (controls[each].arrivals() <= met) {
                    await(each, call);
                }
            }
            met++;
        } finally {
            progress.recorder.ended(noted);
            progress.lock.unlock();
        }
    }

    private void await(int rank, String call) {
        ControlBlock its = controls[rank];
        for (int looks = progress.looks(MOST_LOOKS); looks > 0; looks--) {
            if (its.arrivals() > met) {
                return;
            }
        }
        awaited = rank;
        wait.until(call, rank, () -> its.arrivals() > met, this);
    }

    @Override
    public void describe(Wait described) {
        described.collective(key());
        described.peer(membership.members[awaited]);
    }

    @Override
    void rename(String name) {
        membership.rename(name);
        noteName();
    }

    @Override
    void returnErrors(boolean wish) {
        progress.lock.lock();
        try {
            membership.returnErrors(wish);
            if (wish) {
                progress.losses.tolerate();
            }
        } finally {
            progress.lock.unlock();
        }
    }

    @Override
    void threw(String call) {
        progress.lock.lock();
        try {
            progress.recorder.made(FlightRecorder.REFUSED, context << Integer.SIZE, FlightRecorder.NOBODY, -1);
        } finally {
            progress.lock.unlock();
        }
    }

    @Override
    void end() {
        if (membership.rank == 0) {
            contexts.giveBack(context);
        }
        contexts.ended();
    }
}
