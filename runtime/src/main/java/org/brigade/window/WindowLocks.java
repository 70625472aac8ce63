package org.brigade.window;

import java.lang.invoke.VarHandle;

/**
 * The locks of a window's targets, as this rank takes and gives them: in the control blocks that it can reach, else by
 * messages. Under the progress lock.
 */
final class WindowLocks {
    private final ControlBlock[] controls;
    private final WindowMessages messages;
    private final Epochs epochs;
    private final WindowWait wait;

    WindowLocks(ControlBlock[] controls, WindowMessages messages, Epochs epochs, WindowWait wait) {
        this.controls = controls;
        this.messages = messages;
        this.epochs = epochs;
        this.wait = wait;
    }

    /** @param holds whether this rank holds a lock of this window already; see {@link ControlBlock#tryShared} */
    void take(String call, int to, boolean exclusive, boolean holds) {
        ControlBlock control = controls[to];
        try {
            if (control == null) {
                messages.ask(to, WindowPacket.LOCK,
                    (exclusive ? WindowPacket.EXCLUSIVE : 0) | (holds ? WindowPacket.HOLDS : 0));
                wait.until(call, -1, () -> messages.open(to) == 0);
            } else if (!exclusive) {
                wait.until(call, -1, () -> control.tryShared(holds));
            } else {
                control.announceExclusive();
                boolean taken = false;
                try {
                    wait.until(call, -1, control::tryExclusive);
                    taken = true;
                } finally {
                    if (!taken) {
                        control.withdrawExclusive();
                    }
                }
            }
        } catch (RuntimeException e) {
            epochs.unlock(to);
            throw e;
        }
        VarHandle.fullFence();
    }

    /**
     * Takes all shared locks, rank by rank: only the first is asked for by a rank that holds none, and waits behind
     * origins that want an exclusive lock.
     */
    void takeAll() {
        int taken = 0;
        try {
            for (; taken < controls.length; taken++) {
                take("lockAll", taken, false, taken > 0);
            }
        } catch (RuntimeException e) {
            while (taken-- > 0) {
                give(taken);
            }
            epochs.unlockAll();
            throw e;
        }
    }

    /** Gives a lock back; the target's answer is not awaited. */
    void give(int to) {
        byte held = epochs.of(to);
        if (held == Epochs.UNCHECKED) {
            return;
        }
        boolean exclusive = held == Epochs.EXCLUSIVE;
        if (controls[to] == null) {
            messages.ask(to, WindowPacket.UNLOCK, exclusive ? WindowPacket.EXCLUSIVE : 0);
        } else if (exclusive) {
            controls[to].releaseExclusive();
        } else {
            controls[to].releaseShared();
        }
    }

    /** This rank finalizes: it holds nothing that others wait for. Under the lock. */
    void giveUp() {
        for (int each = 0; each < controls.length; each++) {
            if (epochs.of(each) != Epochs.NONE) {
                give(each);
                epochs.unlock(each);
            }
        }
        epochs.unlockAll();
    }
}
