package org.brigade.jmh;

import java.util.concurrent.TimeUnit;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.brigade.transport.loopback.LoopbackJob;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a link of shared memory costs in instructions: one thread sends at one end and receives at the other, so no
 * cache line ever changes cores. What two processes add to this is the hardware's share.
 *
 * <p>
 * {@code java -jar jmh/target/benchmarks.jar LinkBenchmark}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class LinkBenchmark {
    private static final int KIND = 1;
    private static final long KEY = 42;

    @Param({"8", "48", "1024", "65536"})
    public int bytes;

    private Link sender;
    private Link receiver;
    private Region source;
    private Region target;

    @Setup
    public void open() {
        Endpoint[] ends = LoopbackJob.endpoints(2);
        sender = ends[0].link(1, Endpoint.COLLECTIVE);
        receiver = ends[1].link(0, Endpoint.COLLECTIVE);
        source = Region.of(NativeMemory.allocate(bytes));
        target = Region.of(NativeMemory.allocate(bytes));
    }

    /** A whole message from region to region; pieces as the link grants credit. */
    @Benchmark
    public long message() {
        long sent = 0;
        long taken = 0;
        while (taken < bytes) {
            if (sent < bytes) {
                sent += Math.max(0, sender.trySend(KIND, KEY, source, 0, bytes, sent));
            }
            if (receiver.poll()) {
                taken += receiver.tryRecv(target, taken);
            }
        }
        return taken;
    }

    /** Two words, looked at in place. */
    @Benchmark
    public long words() {
        while (!sender.trySendWords(KIND, KEY, 1, 2)) {
            receiver.poll();
        }
        while (!receiver.poll()) {
            Thread.onSpinWait();
        }
        long word = receiver.word(1);
        receiver.tryDiscard(16);
        return word;
    }
}
