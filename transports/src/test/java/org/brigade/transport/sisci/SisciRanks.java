package org.brigade.transport.sisci;

import org.brigade.device.Devices;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;
import org.brigade.transport.loopback.LoopbackJob;

/** Ranks of this process whose links all go by the adapter, as if each were a node of its own. */
final class SisciRanks {
    private static final long PATIENCE_NANOS = 30_000_000_000L;
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
                    Quietly.nap(100_000);
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
            all[i] = new Joined(lives[i], ends[i]);
        }
        return all;
    }

    private record Joined(Endpoint life, FabricEnd end) implements Endpoint {
        @Override
        public int rank() {
            return life.rank();
        }

        @Override
        public int size() {
            return life.size();
        }

        @Override
        public Link link(int peer, int lane) {
            return end.link(peer, lane);
        }

        @Override
        public NativeMemory board(int rank) {
            return life.board(rank);
        }

        @Override
        public String lostPeer() {
            return life.lostPeer();
        }

        @Override
        public String lost(int peer) {
            return life.lost(peer);
        }

        @Override
        public String over() {
            return life.over();
        }

        @Override
        public void survives() {
            life.survives();
        }

        @Override
        public void leaving() {
            life.leaving();
        }

        @Override
        public boolean isLeaving(int peer) {
            return life.isLeaving(peer);
        }

        @Override
        public void finished() {
            life.finished();
        }

        @Override
        public void exiting() {
            life.exiting();
        }

        @Override
        public void fail(String why, int code) {
            life.fail(why, code);
        }

        @Override
        public int failureCode() {
            return life.failureCode();
        }

        @Override
        public void close() {
            end.close();
            life.close();
        }
    }
}
