package org.brigade.window;

import java.lang.invoke.VarHandle;
import mpi.MPIException;
import org.brigade.engine.Progress;

/**
 * Synchronization of one rank's window with groups that it names: post and wait at targets, start and complete at
 * origins. Control blocks count both; ranks whose block this process cannot touch are told by messages. Under the
 * progress lock.
 */
final class ActiveTargets {
    private final Progress progress;
    private final int rank;
    private final ControlBlock[] controls;
    private final WindowMessages messages;
    private final Epochs epochs;
    private final WindowWait wait;
    /** Epochs of start and of post, by peer, that this rank has waited for. */
    private final long[] startsSeen;
    private final long[] completesSeen;

    /** @param messages null if there is no rank that this process cannot touch */
    ActiveTargets(Progress progress, int rank, ControlBlock[] controls, WindowMessages messages, Epochs epochs,
        WindowWait wait) {
        this.progress = progress;
        this.rank = rank;
        this.controls = controls;
        this.messages = messages;
        this.epochs = epochs;
        this.wait = wait;
        startsSeen = new long[controls.length];
        completesSeen = new long[controls.length];
    }

    void post(int[] origins) {
        epochs.post("post", origins);
        VarHandle.fullFence();
        tell(origins, WindowPacket.POST);
    }

    /** Counts this rank up in the control blocks of others. */
    private void tell(int[] ranks, int what) {
        for (int each : ranks) {
            if (controls[each] == null) {
                messages.ask(each, what, 0);
            } else if (what == WindowPacket.POST) {
                controls[each].post(rank);
            } else {
                controls[each].complete(rank);
            }
        }
    }

    void start(int[] targets) {
        epochs.start("start", targets);
        try {
            for (int each : targets) {
                wait.until("start", each, () -> controls[rank].posts(each) > startsSeen[each]);
                startsSeen[each]++;
            }
        } catch (RuntimeException e) {
            epochs.completed();
            throw e;
        }
    }

    /** @return the error of an access in the epoch; null if there is none */
    MPIException complete(WindowWait.Drain drain) {
        int[] targets = epochs.started("complete");
        epochs.completed();
        MPIException failed = drain.all("complete");
        VarHandle.fullFence();
        tell(targets, WindowPacket.COMPLETE); // they wait for this rank
        drain.all("complete");
        return failed;
    }

    void await() {
        for (int each : epochs.posted("waitFor")) {
            wait.until("waitFor", each, () -> hasCompleted(each));
        }
        ended();
    }

    private boolean hasCompleted(int origin) {
        return controls[rank].completes(origin) > completesSeen[origin];
    }

    private void ended() {
        for (int each : epochs.posted("waitFor")) {
            completesSeen[each]++;
        }
        epochs.waited();
        VarHandle.fullFence();
    }

    boolean test() {
        int[] origins = epochs.posted("test");
        progress.poll();
        for (int each : origins) {
            if (!hasCompleted(each)) {
                progress.testedInVain();
                return false;
            }
        }
        ended();
        return true;
    }
}
