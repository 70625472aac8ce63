package org.brigade.transport.shm;

import java.nio.ByteBuffer;
import java.util.ServiceLoader;
import org.brigade.bootstrap.Bootstrap;
import org.brigade.bootstrap.Job;
import org.brigade.memory.Region;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;

/**
 * Two ranks, started by any launcher: nanoseconds one way of 8 bytes and GB/s of 4 MiB messages, by the links alone. A
 * yardstick for work on the protocol, not a test: {@code mpirun -np 2 java -cp ... org.brigade.transport.shm.PingPong}.
 */
public final class PingPong {
    private static final int ROUNDS = 200_000;
    private static final int STREAM = 4 << 20;
    private static final int STREAMED = 400;

    private PingPong() {
    }

    public static void main(String[] arguments) {
        long before = System.nanoTime();
        Job job = ServiceLoader.load(Bootstrap.class).findFirst().orElseThrow().job();
        ShmTransport transport = new ShmTransport();
        String unfit = transport.unfit(job);
        if (unfit != null) {
            throw new IllegalStateException(unfit);
        }
        long found = System.nanoTime();
        Endpoint end = transport.open(job);
        System.out.printf("rank %d of %d by %s: job %.1f ms, open %.1f ms%n", job.rank(), job.size(), job.launcher(),
            (found - before) / 1e6, (System.nanoTime() - found) / 1e6);
        if (job.size() == 2) {
            Link link = end.link(1 - job.rank(), Endpoint.COLLECTIVE);
            for (int repeat = 0; repeat < 3; repeat++) {
                bounce(link, job.rank(), new Region().wrap(new long[1], 0), "long[1]");
                words(link, job.rank());
            }
            for (int repeat = 0; repeat < 3; repeat++) {
                stream(link, job.rank(), new Region().wrap(ByteBuffer.allocateDirect(STREAM), 0), "direct buffers");
                stream(link, job.rank(), new Region().wrap(new byte[STREAM], 0), "byte[]");
            }
        }
        end.finished();
        end.close();
    }

    private static void bounce(Link link, int rank, Region region, String what) {
        long begun = System.nanoTime();
        for (int i = 0; i < ROUNDS; i++) {
            if (rank == 0) {
                send(link, region, 8);
                receive(link, region, 8);
            } else {
                receive(link, region, 8);
                send(link, region, 8);
            }
        }
        if (rank == 0) {
            System.out.printf("8 bytes (%s): %.0f ns one way%n", what, (System.nanoTime() - begun) / 2.0 / ROUNDS);
        }
    }

    private static void words(Link link, int rank) {
        long begun = System.nanoTime();
        for (int i = 0; i < ROUNDS; i++) {
            if (rank == 0) {
                link.trySendWords(1, i, i, i);
            }
            while (!link.poll()) {
                Thread.onSpinWait();
            }
            if (link.word(0) != i) {
                throw new AssertionError("word " + link.word(0) + " in round " + i);
            }
            link.tryDiscard(16);
            if (rank == 1) {
                link.trySendWords(1, i, i, i);
            }
        }
        if (rank == 0) {
            System.out.printf("two words: %.0f ns one way%n", (System.nanoTime() - begun) / 2.0 / ROUNDS);
        }
    }

    private static void stream(Link link, int rank, Region region, String what) {
        long begun = System.nanoTime();
        for (int i = 0; i < STREAMED; i++) {
            if (rank == 0) {
                send(link, region, STREAM);
            } else {
                receive(link, region, STREAM);
            }
        }
        if (rank == 0) {
            receive(link, region, 8);
            System.out.printf("4 MiB (%s): %.1f GB/s%n", what,
                (double) STREAM * STREAMED / (System.nanoTime() - begun));
        } else {
            send(link, region, 8);
        }
    }

    private static void send(Link link, Region region, long bytes) {
        for (long sent = 0; sent < bytes;) {
            long now = link.trySend(1, 1, region, 0, bytes, sent);
            if (now == Link.REFUSED) {
                Thread.onSpinWait();
            } else {
                sent += now;
            }
        }
    }

    private static void receive(Link link, Region region, long bytes) {
        for (long taken = 0; taken < bytes;) {
            long now = link.poll() ? link.tryRecv(region, taken) : 0;
            if (now == 0) {
                Thread.onSpinWait();
            }
            taken += now;
        }
    }
}
