package org.brigade.jmh;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.Combiners;
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
 * What it costs to reduce bytes that have arrived into a caller's buffer, all of it cached: bytes / time is the rate
 * per core that a reducing receive cannot exceed.
 *
 * <p>
 * {@code java -jar jmh/target/benchmarks.jar ReduceBenchmark}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class ReduceBenchmark {
    @Param({"8", "48", "32768"})
    public int bytes;

    @Param({"FLOAT", "DOUBLE", "INT", "BYTE"})
    public ElementKind kind;

    @Param({"SUM", "MAX"})
    public Operator operator;

    @Param({"array", "direct", "heap"})
    public String buffers;

    private NativeMemory incoming;
    private Combiner combiner;
    private Region region;

    /** Fills the operands with zeros, which stay zeros. */
    @Setup
    public void allocate() {
        incoming = NativeMemory.allocate(bytes);
        combiner = Combiners.of(TypeLayout.of("MPI." + kind, kind, 1), Reduction.predefined(operator), false);
        region = new Region().wrap(switch (buffers) {
            case "direct" -> ByteBuffer.allocateDirect(bytes);
            case "heap" -> ByteBuffer.allocate(bytes);
            default -> switch (kind) {
                case FLOAT -> new float[bytes >> 2];
                case DOUBLE -> new double[bytes >> 3];
                case INT -> new int[bytes >> 2];
                default -> new byte[bytes];
            };
        }, 0);
    }

    /** In place, as a reducing receive in a ring does it. */
    @Benchmark
    public void combine() {
        combiner.combine(incoming, 0, bytes, region, 0, region, 0);
    }
}
