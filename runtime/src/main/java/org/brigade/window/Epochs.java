package org.brigade.window;

import mpi.ErrorClass;
import mpi.MPIException;

/**
 * Which accesses MPI allows a rank at the moment (the standard's chapter "One-Sided Communications", section
 * "Synchronization Calls"). An access epoch is one of three: between two fences, between start and complete, or while a
 * lock is held. An exposure epoch lasts from post to wait. Everything else is ERR_RMA_SYNC.
 */
final class Epochs {
    /** The locks that a rank can hold at a target; UNCHECKED stands for one that the program says needs none. */
    static final byte NONE = 0, SHARED = 1, EXCLUSIVE = 2, UNCHECKED = 3;

    private final int rank;
    private final String[] name;
    private final byte[] locks;
    private int locked;
    private boolean all;
    private boolean fenced;
    /** Something was accessed since the last fence. */
    private boolean used;
    private int[] started;
    private boolean[] isStarted;
    private int[] posted;

    /** @param name of the window, for messages: one element, which may change */
    Epochs(int rank, int ranks, String[] name) {
        this.rank = rank;
        this.name = name;
        locks = new byte[ranks];
    }

    MPIException error(ErrorClass errorClass, String call, String what) {
        return errorClass.in(call, rank, locks.length, name[0], what);
    }

    /** The error of memory that was freed before its window, or cannot be reached any more. */
    MPIException lost(String call, int target, String why) {
        return error(ErrorClass.OTHER, call, "the window of rank " + target + " cannot be accessed any more (" + why
            + "); a rank must keep the buffer of its window");
    }

    /** The error of a device that could not copy. */
    MPIException uncopied(String call, int target, MPIException cause) {
        MPIException error = error(ErrorClass.OTHER, call, "the copy between this rank's buffer and the window of rank "
            + target + " failed (" + cause.getMessage() + "); keep both allocated until the access is complete");
        error.initCause(cause);
        return error;
    }

    private MPIException order(String call, String what) {
        return error(ErrorClass.RMA_SYNC, call, what);
    }

    /** What is open, for messages; null if nothing is. */
    private String open() {
        return all ? "lockAll, which unlockAll ends"
            : locked > 0 ? "a lock of rank " + firstLocked() + ", which unlock ends"
                : started != null ? "start, which complete ends" : null;
    }

    private int firstLocked() {
        int first = 0;
        while (locks[first] == NONE) {
            first++;
        }
        return first;
    }

    private void requireNoneOpen(String call) {
        String open = open();
        if (open != null) {
            throw order(call, "an access epoch is open since " + open + "; end it first");
        }
        if (used) {
            throw order(call, "this rank has accessed the window since the last fence; call fence first");
        }
    }

    /** Checks that a target may be accessed now. */
    void access(String call, int target) {
        if (locks[target] != NONE || isStarted != null && isStarted[target]) {
            return;
        }
        if (open() != null || !fenced) {
            throw order(call, "rank " + target + " may not be accessed now; call fence on all ranks, lock(" + target
                + "), lockAll, or start with a group that it is in, before the access");
        }
        used = true;
    }

    void fence(String call, boolean last) {
        used = false;
        requireNoneOpen(call);
        requireNotPosted(call);
        fenced = !last;
    }

    private void requireNotPosted(String call) {
        if (posted != null) {
            throw order(call, "this rank has posted; end that by waitFor, or test until it returns true");
        }
    }

    // ---- locks ----

    void lock(String call, int target, byte kind) {
        if (all || locks[target] != NONE) {
            throw order(call, all ? "lockAll holds all locks already; call unlockAll first"
                : "this rank holds the lock of rank " + target + " already; unlock it first");
        }
        if (started != null || used) {
            requireNoneOpen(call);
        }
        locks[target] = kind;
        locked++;
    }

    void lockAll(String call, byte kind) {
        requireNoneOpen(call);
        java.util.Arrays.fill(locks, kind);
        all = true;
    }

    /** Checks that a lock of this target can be given up. */
    byte held(String call, int target) {
        if (all || locks[target] == NONE) {
            throw order(call, all ? "the locks were taken by lockAll; call unlockAll"
                : "this rank holds no lock of rank " + target + "; call lock first");
        }
        return locks[target];
    }

    void unlock(int target) {
        if (locks[target] != NONE) {
            locks[target] = NONE;
            locked--;
        }
    }

    void requireLockAll(String call) {
        if (!all) {
            throw order(call, "lockAll was not called; call it first");
        }
    }

    void unlockAll() {
        java.util.Arrays.fill(locks, NONE);
        all = false;
    }

    boolean holdsAny() {
        return locked > 0;
    }

    /** The lock of a target that this rank holds. */
    byte of(int target) {
        return locks[target];
    }

    /** Checks that a target, or for -1 any, is locked. */
    void requireLocked(String call, int target) {
        if (target < 0 ? !all && locked == 0 : locks[target] == NONE) {
            throw order(call, (target < 0 ? "this rank holds no lock" : "this rank holds no lock of rank " + target)
                + "; call lock or lockAll before, or complete the accesses by fence or complete");
        }
    }

    // ---- post, start, complete, wait ----

    void post(String call, int[] origins) {
        requireNotPosted(call);
        posted = origins;
    }

    int[] posted(String call) {
        if (posted == null) {
            throw order(call, "this rank has not posted; call post first");
        }
        return posted;
    }

    void waited() {
        posted = null;
    }

    void start(String call, int[] targets) {
        requireNoneOpen(call);
        started = targets;
        isStarted = new boolean[locks.length];
        for (int target : targets) {
            isStarted[target] = true;
        }
    }

    int[] started(String call) {
        if (started == null) {
            throw order(call, "start was not called; call it first");
        }
        return started;
    }

    void completed() {
        started = null;
        isStarted = null;
    }

    // ---- the end ----

    void free(String call) {
        used = false;
        requireNoneOpen(call);
        requireNotPosted(call);
    }
}
