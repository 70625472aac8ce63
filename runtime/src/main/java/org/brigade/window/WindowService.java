package org.brigade.window;

import java.util.concurrent.locks.LockSupport;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.engine.job.JobEnd;
import org.brigade.interrupt.Nap;
import org.brigade.waiting.Waiter;

/**
 * The windows of this process that origins use by messages. Every thread that makes progress serves them: they are part
 * of the traffic that {@link Progress} polls, while there are any. As a passive target may compute for hours without a
 * call, a thread of this class makes progress too. It looks often while something happens, and a thousand times a
 * second otherwise. It exists only while there are such windows in which this rank can be a passive target.
 */
public final class WindowService {
    private static final int YIELDS = 50;
    private static final long SHORTEST_NAP = 20_000;
    private static final long LONGEST_NAP = 1_000_000;

    final LeftStretches left = new LeftStretches();
    /** Serves all windows, one access after another; under the progress lock. */
    final MemoryAccess accesses = new MemoryAccess();
    private final Progress progress;
    private RankWindow[] windows = new RankWindow[0];
    private Traffic traffic;
    private Thread thread;

    public WindowService(Progress progress) {
        this.progress = progress;
    }

    /** Adds a window; under the progress lock. */
    void add(RankWindow window) {
        windows = java.util.Arrays.copyOf(windows, windows.length + 1);
        windows[windows.length - 1] = window;
        if (window.usesMessages() && traffic == null) {
            traffic = new Traffic(progress.source());
            progress.attach(traffic);
        }
        if (window.isTarget() && thread == null) {
            thread = JobEnd.startService(progress.endpoint, "brigade-windows", new Passive(traffic));
        }
    }

    /** Removes a window; under the progress lock. */
    void remove(RankWindow window) {
        RankWindow[] others = new RankWindow[windows.length];
        int count = 0;
        boolean messages = false;
        for (RankWindow each : windows) {
            if (each != window) {
                others[count++] = each;
                messages |= each.usesMessages();
            }
        }
        windows = java.util.Arrays.copyOf(others, count);
        if (!messages) {
            end();
        }
    }

    private void end() {
        if (traffic != null) {
            progress.attach(traffic.others);
            traffic.ended = true;
            traffic = null;
            LockSupport.unpark(thread); // null: does nothing
            thread = null;
        }
    }

    /** This rank begins Finalize: gives up the locks that it still holds, for which others may wait. */
    public void leave() {
        progress.lock.lock();
        try {
            for (RankWindow window : windows) {
                window.giveUp();
            }
        } finally {
            progress.lock.unlock();
        }
    }

    /** Nothing is served any more: the endpoint is about to close. */
    public void stop() {
        progress.lock.lock();
        try {
            end();
        } finally {
            progress.lock.unlock();
        }
    }

    /** All other traffic, and the windows' messages. */
    private final class Traffic implements Progress.Source {
        final Progress.Source others;
        /** Under the lock. */
        boolean ended;

        Traffic(Progress.Source others) {
            this.others = others;
        }

        @Override
        public boolean poll() {
            boolean moved = others.poll();
            for (RankWindow window : windows) {
                moved |= window.serve();
            }
            return moved;
        }

        @Override
        public boolean isUnderWay(Waiter butFor) {
            return true;
        }

        @Override
        public void failLost() {
            others.failLost();
        }

        @Override
        public Progress.Sent tell(int peer, Membership membership, int notice, long key, byte[] words) {
            return others.tell(peer, membership, notice, key, words);
        }
    }

    /** Makes progress while the program's threads do something else. */
    private final class Passive implements Runnable {
        private final Traffic served;

        Passive(Traffic served) {
            this.served = served;
        }

        @Override
        public void run() {
            int turns = 0;
            long nap = SHORTEST_NAP;
            while (true) {
                boolean moved = false;
                if (progress.lock.tryLock()) {
                    try {
                        if (served.ended) {
                            return;
                        }
                        moved = served.poll();
                        if (!moved) {
                            progress.endpoint.push();
                        }
                    } finally {
                        progress.lock.unlock();
                    }
                }
                if (moved) {
                    turns = 0;
                    nap = SHORTEST_NAP;
                } else if (++turns < YIELDS) {
                    Thread.yield();
                } else {
                    Nap.ownThread(nap);
                    nap = Math.min(LONGEST_NAP, nap * 2);
                }
            }
        }
    }
}
