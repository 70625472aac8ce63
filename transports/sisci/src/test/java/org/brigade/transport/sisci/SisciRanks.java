package org.brigade.transport.sisci;

import org.brigade.device.Devices;
import org.brigade.transport.Endpoint;
import org.brigade.transport.JoinedEndpoint;
import org.brigade.transport.loopback.LoopbackJob;
import org.brigade.transport.sisci.adapter.Adapter;
import org.brigade.transport.sisci.adapter.SisciSettings;
import org.brigade.transport.sisci.adapter.Teardown;

/** Ranks of this process whose links all go by the adapter, as if each were a node of its own. */
final class SisciRanks {
    private static final long PATIENCE_NANOS = 120_000_000_000L;
    private static long jobs = ProcessHandle.current().pid() << 20;

    private SisciRanks() {
    }

    /** Their ends, connected to each other and to themselves. */
    static SisciEnd[] open(int ranks, int ringBytes) {
        return open(ranks, new SisciSettings(ringBytes, 4, 10_000_000_000L, PATIENCE_NANOS, 64 << 10, true));
    }

    /** As the settings have it. */
    static SisciEnd[] open(int ranks, SisciSettings settings) {
        return open(ranks, settings, null);
    }

    /** With these devices. */
    static SisciEnd[] open(int ranks, SisciSettings settings, Devices devices) {
        long job = jobs++;
        SisciEnd[] ends = new SisciEnd[ranks];
        byte[][] addresses = new byte[ranks][];
        for (int rank = 0; rank < ranks; rank++) {
            ends[rank] = SisciEnd.listen(Adapter.open(settings), rank, job, devices);
            addresses[rank] = ends[rank].address();
        }
        for (SisciEnd end : ends) {
            end.begin(addresses);
        }
        for (SisciEnd end : ends) {
            for (int peer = 0; peer < ranks; peer++) {
                end.connection(peer).want();
            }
        }
        long begin = System.nanoTime();
        for (SisciEnd end : ends) {
            for (int peer = 0; peer < ranks; peer++) {
                while (!end.isConnected(peer)) {
                    if (end.lost(peer) != null || System.nanoTime() - begin > PATIENCE_NANOS) {
                        throw new AssertionError("rank " + peer + " was never connected: " + end.lost(peer));
                    }
                    Teardown.nap(100_000);
                }
            }
        }
        return ends;
    }

    static void close(SisciEnd[] ends) {
        Thread[] threads = new Thread[ends.length];
        for (int i = 0; i < ends.length; i++) {
            threads[i] = new Thread(ends[i]::close);
            threads[i].start();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** As the ends of a job whose ranks know of each other's lives by shared memory. */
    static Endpoint[] endpoints(SisciEnd[] ends) {
        Endpoint[] lives = LoopbackJob.endpoints(ends.length);
        Endpoint[] all = new Endpoint[ends.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = new JoinedEndpoint(lives[i], ends[i]);
        }
        return all;
    }
}
