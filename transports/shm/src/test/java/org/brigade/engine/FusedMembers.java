package org.brigade.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.brigade.engine.node.Members;
import org.brigade.engine.node.PulledBlocks;
import org.brigade.transport.Endpoint;
import org.brigade.transport.loopback.LoopbackJob;

/** Ranks that are threads, each with its engine and under its lock, for tests of straight-line collectives. */
public final class FusedMembers {
    private FusedMembers() {
    }

    public interface Body {
        void run(Member member) throws Exception;
    }

    /** Opens something for a communicator. */
    public interface Opening {
        void open(int which, Members told);
    }

    /** What a rank has. */
    public record Member(int rank, int ranks, Progress progress, Membership membership, FlatCollectives messages,
        CyclicBarrier all, Words words) {
        /** Opens blocks together with the other members; null if there are none. */
        public PulledBlocks open(long name) {
            return progress.pullSlots().open(membership.members, rank, name, words);
        }

        public FusedPull pull(PulledBlocks blocks) {
            return new FusedPull(progress, membership, messages, blocks);
        }

        /**
         * Opens something for communicators 0 and 1 as two threads do at once, every other rank in the other order: all
         * members have chosen for both before anybody hears of it. Only one of them may have more to tell then.
         */
        public void atOnce(Words[] each, Opening opening) {
            int first = rank % 2;
            long[][] told = new long[2][];
            opening.open(first, mine -> {
                if (told[first] != null) {
                    each[first].greatest(mine);
                    return;
                }
                told[first] = mine;
                opening.open(1 - first, others -> {
                    if (told[1 - first] != null) {
                        each[1 - first].greatest(others);
                        return;
                    }
                    told[1 - first] = others;
                    each[0].greatest(told[0]);
                    each[1].greatest(told[1]);
                });
            });
        }

        public Endpoint endpoint() {
            return progress.endpoint;
        }
    }

    /** What members tell each other, of one communicator. All of them hold locks of their own meanwhile. */
    public static final class Words implements Members {
        private final CyclicBarrier all;
        private final AtomicLongArray words = new AtomicLongArray(64);

        public Words(int ranks) {
            all = new CyclicBarrier(ranks);
        }

        @Override
        public void greatest(long[] own) {
            try {
                if (all.await() == 0) {
                    for (int i = 0; i < words.length(); i++) {
                        words.set(i, Long.MIN_VALUE);
                    }
                }
                all.await();
                for (int i = 0; i < own.length; i++) {
                    words.accumulateAndGet(i, own[i], Math::max);
                }
                all.await();
                Arrays.setAll(own, words::get);
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void onAll(int ranks, Body body) throws Exception {
        int[] members = new int[ranks];
        Arrays.setAll(members, rank -> rank);
        Endpoint[] ends = LoopbackJob.endpoints(ranks);
        CyclicBarrier all = new CyclicBarrier(ranks);
        Words words = new Words(ranks);
        ExecutorService threads = Executors.newFixedThreadPool(ranks);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int r = 0; r < ranks; r++) {
                int rank = r;
                done.add(threads.submit(() -> {
                    Progress progress = new Progress(ends[rank], ends[rank].cores());
                    Membership membership = new Membership(rank, members, "the communicator", true);
                    progress.lock.lock();
                    try {
                        body.run(new Member(rank, ranks, progress, membership,
                            new FlatCollectives(progress, membership), all, words));
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
