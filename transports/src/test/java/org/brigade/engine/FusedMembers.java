package org.brigade.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.brigade.transport.Endpoint;
import org.brigade.transport.loopback.LoopbackJob;

/** Ranks that are threads, each with its engine and under its lock, for tests of straight-line collectives. */
public final class FusedMembers {
    private FusedMembers() {
    }

    public interface Body {
        void run(Member member) throws Exception;
    }

    /** What a rank has. */
    public record Member(int rank, int ranks, Progress progress, Membership party, FusedFlat messages,
        CyclicBarrier all) {
        public FusedPull open(long free, long name) {
            return FusedPull.open(progress, party, messages, free, name);
        }

        public Endpoint endpoint() {
            return progress.endpoint;
        }
    }

    public static void onAll(int ranks, Body body) throws Exception {
        int[] members = new int[ranks];
        Arrays.setAll(members, rank -> rank);
        Endpoint[] ends = LoopbackJob.endpoints(ranks);
        CyclicBarrier all = new CyclicBarrier(ranks);
        ExecutorService threads = Executors.newFixedThreadPool(ranks);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int r = 0; r < ranks; r++) {
                int rank = r;
                done.add(threads.submit(() -> {
                    Progress progress = new Progress(ends[rank], ends[rank].cores());
                    Membership party = new Membership(rank, members, "the communicator", true);
                    progress.lock.lock();
                    try {
                        body.run(new Member(rank, ranks, progress, party, new FusedFlat(progress, party), all));
                    } finally {
                        progress.lock.unlock();
                    }
                    return null;
                }));
            }
            for (Future<?> each : done) {
                each.get(150, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
