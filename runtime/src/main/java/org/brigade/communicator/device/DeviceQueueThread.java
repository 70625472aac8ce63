package org.brigade.communicator.device;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.brigade.engine.Companions;
import org.brigade.engine.Progress;
import org.brigade.engine.job.JobEnd;
import org.brigade.interrupt.Nap;

/**
 * Makes progress with the nonblocking and persistent calls of this rank on devices. Every wait does so; besides, a
 * thread does while calls wait for members to announce theirs: a rank whose program computes must not let the others'
 * kernels wait, which hold multiprocessors. The thread is a daemon, made at the first such call.
 */
final class DeviceQueueThread implements Companions.Companion, Runnable {
    private static final int YIELDS = 50;
    private static final long SHORTEST_NAP = 20_000;
    private static final long LONGEST_NAP = 500_000;
    /** Without announced calls. A thread that stayed for ever would keep the endpoint's memory. */
    private static final long IDLE_NANOS = 500_000_000;

    private final Progress progress;
    /** Those with calls under way. Under the progress lock. */
    private DeviceQueue[] queues = {};
    private Thread thread;
    /** Those that are being opened. Under the progress lock. */
    private final Set<DeviceQueue> opening = new HashSet<>();

    DeviceQueueThread(Progress progress) {
        this.progress = progress;
    }

    /** A queue has got a call. Under the lock. */
    void serve(DeviceQueue queue) {
        if (!Arrays.asList(queues).contains(queue)) {
            if (queues.length == 0) {
                progress.companions.add(this);
            }
            queues = Arrays.copyOf(queues, queues.length + 1);
            queues[queues.length - 1] = queue;
        }
        if (thread == null) {
            thread = JobEnd.startService(progress.endpoint, "brigade-queues", this);
        } else {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public boolean poll() {
        boolean moved = false;
        for (DeviceQueue queue : queues) {
            moved |= queue.poll();
            queue.lookAtMembers();
            if (queue.isIdle()) {
                forget(queue);
                queue.idles();
            }
        }
        return moved;
    }

    private void forget(DeviceQueue queue) {
        DeviceQueue[] others = new DeviceQueue[queues.length - 1];
        int count = 0;
        for (DeviceQueue each : queues) {
            if (each != queue) {
                others[count++] = each;
            }
        }
        queues = others;
        if (queues.length == 0) {
            progress.companions.remove(this);
        }
    }

    @Override
    public void failLost() {
        for (DeviceQueue queue : queues) {
            queue.failLost(false);
        }
    }

    @Override
    public void run() {
        int turns = 0;
        long nap = SHORTEST_NAP;
        while (true) {
            boolean moved = false;
            boolean waits = true;
            if (progress.lock.tryLock()) { // else another thread makes progress
                try {
                    moved = turn();
                    waits = areAnnounced();
                } finally {
                    progress.lock.unlock();
                }
            }
            if (!waits) {
                Nap.ownThread(IDLE_NANOS);
                if (ends()) {
                    return;
                }
                moved = true;
            }
            if (moved) {
                turns = 0;
                nap = SHORTEST_NAP;
            } else if (++turns < YIELDS) {
                Thread.yield();
            } else {
                Nap.ownThread(nap);
                nap = Math.min(LONGEST_NAP, 2 * nap);
            }
        }
    }

    /** Whether no queue has calls under way: the thread ends, and the next call starts another. */
    private boolean ends() {
        progress.lock.lock();
        try {
            if (queues.length == 0) {
                thread = null;
            }
            return queues.length == 0;
        } finally {
            progress.lock.unlock();
        }
    }

    private boolean turn() {
        boolean moved = progress.companions.poll();
        for (DeviceQueue queue : queues) {
            if (queue.isOpening() && opening.add(queue)) {
                // In a thread for each: opening waits for the members, whose communicators may come in another order.
                JobEnd.startService(progress.endpoint, "brigade-opening", () -> open(queue));
                moved = true;
            }
        }
        return moved;
    }

    private void open(DeviceQueue queue) {
        progress.lock.lock();
        try {
            queue.open();
        } finally {
            opening.remove(queue);
            progress.lock.unlock();
        }
    }

    private boolean areAnnounced() {
        for (DeviceQueue queue : queues) {
            if (queue.hasAnnounced()) {
                return true;
            }
        }
        return false;
    }
}
