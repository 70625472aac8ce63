package org.brigade.communicator.job;

import org.brigade.memory.NativeMemory;
import org.brigade.waiting.FlightRecorder;

/**
 * The calls that a process makes on communicators with other jobs, among those of its own job. Two threads that call in
 * two jobs at the same moment may lose an entry.
 */
public final class JoinedRecorder extends FlightRecorder {
    /** Set apart the contexts of a union, whose ranks are few, from those of the job. */
    private static final int UNION_SHIFT = 27;
    private static final int UNIONS = 7;
    /** Gives their names other entries than those of the job's first communicators. */
    private static final int OTHER_ENTRY = 8 << 18;

    private final FlightRecorder home;
    private final int union;

    /** @param number of the union, among those of the process */
    public JoinedRecorder(FlightRecorder home, int number) {
        super(NativeMemory.allocate(BYTES + Long.BYTES), 0, BYTES);
        this.home = home;
        this.union = 1 + number % UNIONS << UNION_SHIFT | OTHER_ENTRY;
    }

    @Override
    public synchronized int begins(int code, long key, int peer, long bytes) {
        return home.begins(code, apart(key), peer, bytes);
    }

    /** Written at once: another thread may have entered a call of the job. */
    @Override
    public synchronized int enters(int code, long key, int peer, long bytes) {
        return begins(code, key, peer, bytes);
    }

    @Override
    public void show() {
    }

    @Override
    public synchronized void made(int code, long key, int peer, long bytes) {
        home.made(code, apart(key), peer, bytes);
    }

    private long apart(long key) {
        return key ^ (long) union << Integer.SIZE;
    }

    @Override
    public void ended(int n) {
        home.ended(n);
    }

    @Override
    public long algorithm(String name) {
        return home.algorithm(name);
    }

    @Override
    public void runs(int n, long algorithm) {
        home.runs(n, algorithm);
    }

    @Override
    public void tick(long nanoTime) {
        home.tick(nanoTime);
    }

    @Override
    public void names(int context, String name) {
        home.names(context ^ union, name);
    }
}
