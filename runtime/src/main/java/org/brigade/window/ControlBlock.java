package org.brigade.window;

import org.brigade.memory.NativeMemory;

/**
 * What the origins of a rank's window memory tell each other. It lies in memory that the ranks of the node share if the
 * window's memory does; then each origin on the node uses it itself. Otherwise only the rank uses it, on behalf of the
 * origins.
 *
 * <pre>
 *  0            64           128             192 + 16 p
 *  +------------+------------+---------------+------------------------------+
 *  | lock       | accumulate | arrivals left | posts of p | completes of p |  for each rank p of the window
 *  +------------+------------+---------------+------------------------------+
 *
 *  lock:   | 63 .. 32 origins that wait for an exclusive lock | 31 exclusive | 30 .. 0 shared locks |
 * </pre>
 *
 * The lock belongs to nobody: every change is a compare-and-set. An origin that wants an exclusive lock first counts
 * itself as waiting; while any waits no new shared lock is granted, except to origins that hold one already, so that
 * readers cannot keep a writer out for ever. The accumulate word is 0 or 1; its holder owns the memory against all
 * other accumulates. It is held for one piece of one access, never while waiting.
 *
 * <p>
 * The words of p are written by p, or by this rank on behalf of p: how often p has posted to this rank, and how often p
 * has completed an access epoch here. They only grow; the writer has finished what they announce before it stores them
 * (release), and the reader sees it after it has loaded them (acquire). So it is with arrivals, how often the block's
 * own rank has come to a meeting of all ranks, and with left, which that rank sets when it will touch no block of the
 * window any more.
 */
public final class ControlBlock {
    private static final long SHARED = (1L << 31) - 1;
    private static final long EXCLUSIVE = 1L << 31;
    private static final long WAITING = 1L << 32;

    private static final int LOCK = 0;
    private static final int ACCUMULATE = 64;
    private static final int ARRIVALS = 128;
    private static final int LEFT = 136;
    private static final int ROWS = 192;
    private static final int ROW = 16;

    private final NativeMemory memory;

    public ControlBlock(NativeMemory memory) {
        this.memory = memory;
    }

    /** Bytes of a block, zero at first, in a window of so many ranks. */
    public static int bytes(int ranks) {
        return (ROWS + ROW * ranks + 63) & -64;
    }

    // ---- the window lock ----

    /**
     * Takes a shared lock.
     *
     * @param holds whether the origin holds another lock of the window. It then passes those that wait for an exclusive
     * lock: two such origins, each behind somebody who waits for the other, would wait for ever
     */
    public boolean tryShared(boolean holds) {
        long closed = holds ? EXCLUSIVE : ~SHARED;
        long word = memory.getLongAcquire(LOCK);
        while ((word & closed) == 0) {
            if (memory.compareAndSetLong(LOCK, word, word + 1)) {
                return true;
            }
            word = memory.getLongAcquire(LOCK);
        }
        return false;
    }

    public void releaseShared() {
        add(-1);
    }

    /** Counts an origin as waiting for an exclusive lock. */
    public void announceExclusive() {
        add(WAITING);
    }

    /** An origin that is counted as waiting gives up. */
    public void withdrawExclusive() {
        add(-WAITING);
    }

    /** Takes the lock for an origin that is counted as waiting, and no longer counts it. */
    public boolean tryExclusive() {
        long word = memory.getLongAcquire(LOCK);
        while ((word & (SHARED | EXCLUSIVE)) == 0) {
            if (memory.compareAndSetLong(LOCK, word, word - WAITING + EXCLUSIVE)) {
                return true;
            }
            word = memory.getLongAcquire(LOCK);
        }
        return false;
    }

    public void releaseExclusive() {
        add(-EXCLUSIVE);
    }

    private void add(long what) {
        long word = memory.getLongAcquire(LOCK);
        while (!memory.compareAndSetLong(LOCK, word, word + what)) {
            word = memory.getLongAcquire(LOCK);
        }
    }

    // ---- the accumulate lock ----

    public boolean tryAccumulate() {
        return memory.getLongAcquire(ACCUMULATE) == 0 && memory.compareAndSetLong(ACCUMULATE, 0, 1);
    }

    public void releaseAccumulate() {
        memory.putLongRelease(ACCUMULATE, 0);
    }

    // ---- meetings ----

    /** The block's own rank has come to a meeting, its n-th. */
    void arrive(long n) {
        memory.putLongRelease(ARRIVALS, n);
    }

    long arrivals() {
        return memory.getLongAcquire(ARRIVALS);
    }

    /** The block's own rank touches no block of the window any more. */
    void leave() {
        memory.putLongRelease(LEFT, 1);
    }

    boolean isLeft() {
        return memory.getLongAcquire(LEFT) != 0;
    }

    // ---- posts and completes ----

    long posts(int peer) {
        return memory.getLongAcquire(ROWS + ROW * peer);
    }

    void post(int peer) {
        memory.putLongRelease(ROWS + ROW * peer, posts(peer) + 1);
    }

    long completes(int peer) {
        return memory.getLongAcquire(ROWS + ROW * peer + 8);
    }

    void complete(int peer) {
        memory.putLongRelease(ROWS + ROW * peer + 8, completes(peer) + 1);
    }
}
