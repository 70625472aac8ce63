package org.brigade.transport.shm;

import java.nio.file.Path;
import org.brigade.bootstrap.Job;
import org.brigade.transport.Endpoint;

/** Opens all ranks of a job from threads of this process. */
final class SegmentRanks {
    private static final SegmentSettings SETTINGS = new SegmentSettings(null, 20_000);

    private SegmentRanks() {
    }

    static Endpoint[] open(Path directory, String key, int ranks) {
        Endpoint[] ends = new Endpoint[ranks];
        RuntimeException[] failures = new RuntimeException[ranks];
        Thread[] threads = new Thread[ranks];
        for (int i = 0; i < ranks; i++) {
            int rank = i;
            threads[i] = new Thread(() -> {
                try {
                    ends[rank] = new ShmTransport(directory, SETTINGS).open(job(rank, ranks, key));
                } catch (RuntimeException e) {
                    failures[rank] = e;
                }
            });
            threads[i].start();
        }
        for (int i = 0; i < ranks; i++) {
            try {
                threads[i].join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        for (RuntimeException failure : failures) {
            if (failure != null) {
                throw failure;
            }
        }
        return ends;
    }

    static Job job(int rank, int ranks, String key) {
        return new Job("test", rank, ranks, rank, ranks, key);
    }
}
