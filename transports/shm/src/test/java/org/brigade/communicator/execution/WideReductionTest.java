package org.brigade.communicator.execution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import mpi.NarrowFloat;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.ElementKind;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.Reduction;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;
import mpi.spi.TypeLayout.Numbers;
import org.brigade.communicator.FakeDevices;
import org.brigade.communicator.FakeMemory;
import org.brigade.communicator.ThreadJob;
import org.brigade.op.Combiners;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Averages, premultiplied sums, and sums of 8-bit numbers on the host: all values enter the sum exactly, and the result
 * is rounded once. Values are such that sums of floats are exact, so that there is one right result in any order.
 */
class WideReductionTest {
    private static final int RANKS = 5;
    /** More than a piece, of any type. */
    private static final int LONG = 600_000;

    /** The types with real floating-point numbers. */
    private enum Real {
        F64(TypeLayout.of("MPI.DOUBLE", ElementKind.DOUBLE, 1)), F32(TypeLayout.of("MPI.FLOAT", ElementKind.FLOAT, 1)),
        F16(TypeLayout.of("MPI.FLOAT16", ElementKind.SHORT, 1, Numbers.FLOAT16)),
        BF16(TypeLayout.of("MPI.BFLOAT16", ElementKind.SHORT, 1, Numbers.BFLOAT16)),
        E4M3(TypeLayout.of("MPI.FLOAT8_E4M3", ElementKind.BYTE, 1, Numbers.FLOAT8_E4M3)),
        E5M2(TypeLayout.of("MPI.FLOAT8_E5M2", ElementKind.BYTE, 1, Numbers.FLOAT8_E5M2));

        final TypeLayout type;

        Real(TypeLayout type) {
            this.type = type;
        }

        NarrowFloat format() {
            return Combiners.format(type);
        }

        byte[] bytes(double[] values) {
            ByteBuffer bytes = ByteBuffer.allocate(values.length * type.extent).order(ByteOrder.nativeOrder());
            for (double value : values) {
                switch (type.kind) {
                    case DOUBLE -> bytes.putDouble(value);
                    case FLOAT -> bytes.putFloat((float) value);
                    case SHORT -> bytes.putShort((short) format().fromFloat((float) value));
                    default -> bytes.put((byte) format().fromFloat((float) value));
                }
            }
            return bytes.array();
        }

        /** What this type holds of a value. */
        double held(double value) {
            return switch (this) {
                case F64 -> value;
                case F32 -> (float) value;
                default -> format().toFloat(format().fromFloat((float) value));
            };
        }
    }

    private static double value(Real real, int rank, int i) {
        return real.held((i % 37 - 18) * (rank % 2 == 0 ? 0.25 : 6) + rank);
    }

    private static double[] values(Real real, int rank, int from, int to) {
        double[] values = new double[to - from];
        for (int i = from; i < to; i++) {
            values[i - from] = value(real, rank, i);
        }
        return values;
    }

    private static double factor(Operator operator, int rank) {
        return operator == Operator.PREMULTIPLIED_SUM ? 0.5 * (rank - 1) : 1;
    }

    /** The combination of ranks 0 to last, of items from to to. */
    private static byte[] expected(Real real, Operator operator, int last, int from, int to) {
        double[] result = new double[to - from];
        for (int i = from; i < to; i++) {
            double sum = value(real, 0, i) * factor(operator, 0);
            for (int rank = 1; rank <= last; rank++) {
                sum += value(real, rank, i) * factor(operator, rank);
            }
            result[i - from] = operator != Operator.AVG ? sum
                : real == Real.F64 ? sum / RANKS : (float) sum / RANKS;
        }
        return real.bytes(result);
    }

    private static Reduction operation(Operator operator, int rank) {
        return operator == Operator.PREMULTIPLIED_SUM ? Reduction.premultipliedSum(factor(operator, rank))
            : Reduction.predefined(operator);
    }

    private static Call call(Communicator world, Collective collective, boolean blocking, int root) {
        return new Call(world.rank(), world.size()).begin(collective, blocking).root(root);
    }

    private static void finish(Communicator world, Call call, int form) {
        if (form == 2) {
            PersistentOperation operation = world.prepare(call);
            operation.start();
            operation.await();
            operation.free();
            return;
        }
        Operation begun = world.start(call);
        assertEquals(form == 0, begun == null, "a blocking call leaves nothing to wait for");
        if (begun != null) {
            begun.await();
        }
    }

    private static void allReduce(Communicator world, Real real, Operator operator, int count, int form) {
        int rank = world.rank();
        byte[] mine = real.bytes(values(real, rank, 0, count));
        byte[] result = new byte[mine.length];
        byte[] wanted = expected(real, operator, RANKS - 1, 0, count);
        String what = operator + " of " + count + " " + real + ", form " + form;
        Call call = call(world, Collective.ALLREDUCE, form == 0, 0)
            .reduction(real.type, operation(operator, rank));
        call.recv.vector(result, 0, count, real.type.extent);
        call.send.vector(mine, 0, count, real.type.extent);
        finish(world, call, form);
        assertArrayEquals(wanted, result, what);
        assertArrayEquals(real.bytes(values(real, rank, 0, count)), mine, "the input of " + what);
        call = call(world, Collective.ALLREDUCE, form == 0, 0).reduction(real.type, operation(operator, rank));
        call.recv.vector(mine, 0, count, real.type.extent);
        call.inPlace();
        finish(world, call, form);
        assertArrayEquals(wanted, mine, "in place: " + what);
    }

    private static void reduce(Communicator world, Real real, Operator operator, int count, int form) {
        int rank = world.rank();
        int root = count % RANKS;
        byte[] result = new byte[count * real.type.extent];
        Call call = call(world, Collective.REDUCE, form == 0, root).reduction(real.type, operation(operator, rank));
        if (rank == root) {
            call.recv.vector(result, 0, count, real.type.extent);
        }
        call.send.vector(real.bytes(values(real, rank, 0, count)), 0, count, real.type.extent);
        finish(world, call, form);
        assertArrayEquals(rank == root ? expected(real, operator, RANKS - 1, 0, count) : new byte[result.length],
            result, "reduce, " + operator + " of " + count + " " + real);
    }

    /** Blocks of unequal lengths; the first rank has none. */
    private static void reduceScatter(Communicator world, Real real, Operator operator, int form) {
        int rank = world.rank();
        int[] counts = new int[RANKS];
        Arrays.setAll(counts, peer -> 11 * peer);
        int begin = Arrays.stream(counts, 0, rank).sum();
        int total = Arrays.stream(counts).sum();
        for (boolean inPlace : new boolean[] {false, true}) {
            byte[] mine = real.bytes(values(real, rank, 0, total));
            byte[] result = inPlace ? mine : new byte[counts[rank] * real.type.extent];
            Call call = call(world, Collective.REDUCE_SCATTER, form == 0, 0)
                .reduction(real.type, operation(operator, rank));
            call.send.listed(mine, 0, counts, null, real.type.extent, RANKS);
            call.recv.own(result, 0, (long) counts[rank] * real.type.extent);
            if (inPlace) {
                call.inPlace();
            }
            finish(world, call, form);
            assertArrayEquals(expected(real, operator, RANKS - 1, begin, begin + counts[rank]),
                Arrays.copyOf(result, counts[rank] * real.type.extent),
                "reduce-scatter, " + operator + " of " + real + (inPlace ? " in place" : ""));
        }
    }

    private static void scans(Communicator world, Real real, Operator operator, int form) {
        int rank = world.rank();
        for (Collective collective : new Collective[] {Collective.SCAN, Collective.EXSCAN}) {
            byte[] result = new byte[50 * real.type.extent];
            Call call = call(world, collective, form == 0, 0).reduction(real.type, operation(operator, rank));
            call.recv.vector(result, 0, 50, real.type.extent);
            call.send.vector(real.bytes(values(real, rank, 0, 50)), 0, 50, real.type.extent);
            finish(world, call, form);
            int last = collective == Collective.SCAN ? rank : rank - 1;
            assertArrayEquals(last < 0 ? new byte[result.length] : expected(real, operator, last, 0, 50), result,
                collective + ", " + operator + " of " + real);
        }
    }

    @ParameterizedTest
    @EnumSource
    void valuesAreAddedAsFloatsAndRoundedOnce(Real real) throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(RANKS), true, (provider, world) -> {
            for (Operator operator : new Operator[] {Operator.AVG, Operator.PREMULTIPLIED_SUM, Operator.SUM}) {
                if (operator == Operator.SUM && !real.type.numbers.isFloat8()) {
                    continue;
                }
                for (int form = 0; form < (real == Real.E4M3 || real == Real.F32 ? 3 : 1); form++) {
                    allReduce(world, real, operator, 0, form);
                    allReduce(world, real, operator, 1, form);
                    allReduce(world, real, operator, 333, form);
                    reduce(world, real, operator, 77, form);
                    reduceScatter(world, real, operator, form);
                    if (operator != Operator.AVG) {
                        scans(world, real, operator, form);
                    }
                }
            }
            if (real == Real.E4M3 || real == Real.F64) {
                allReduce(world, real, Operator.AVG, LONG, 0);
            }
        });
    }

    /** 8 bits hold no sum of 448 and 448, nor their product; floats do. */
    @ParameterizedTest
    @ValueSource(strings = {"SUM", "PROD"})
    void partialResultsMayBeBeyondTheType(String operator) throws Exception {
        float[] contributions = operator.equals("SUM") ? new float[] {448, 448, 1, -448, -416}
            : new float[] {448, 448, 0.001953125f, 0.015625f, 1.5f};
        float wanted = operator.equals("SUM") ? 33 : 9.1875f;
        ThreadJob.run(LoopbackJob.endpoints(RANKS), true, (provider, world) -> {
            byte[] data = {(byte) NarrowFloat.FLOAT8_E4M3.fromFloat(contributions[world.rank()])};
            Call call = call(world, Collective.ALLREDUCE, true, 0).reduction(Real.E4M3.type,
                Reduction.predefined(Operator.valueOf(operator)));
            call.recv.vector(data, 0, 1, 1);
            call.inPlace();
            world.start(call);
            assertEquals(NarrowFloat.FLOAT8_E4M3.toFloat(NarrowFloat.FLOAT8_E4M3.fromFloat(wanted)),
                NarrowFloat.FLOAT8_E4M3.toFloat(data[0]));
        });
    }

    /** Data on devices whose kernels do not serve the call: read once, written once. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void dataOnDevicesGoesThroughTheHost(boolean blocking) throws Exception {
        FakeDevices[] devices = FakeDevices.ofJob(RANKS);
        ThreadJob.run(LoopbackJob.endpoints(RANKS), false, devices, (provider, world) -> {
            int count = 3000;
            FakeDevices mine = devices[world.rank()];
            FakeMemory send = mine.allocate(0, count);
            FakeMemory recv = mine.allocate(0, count);
            send.memory().put(0, Real.E5M2.bytes(values(Real.E5M2, world.rank(), 0, count)));
            Call call = call(world, Collective.ALLREDUCE, blocking, 0).reduction(Real.E5M2.type,
                Reduction.predefined(Operator.AVG));
            call.recv.vector(recv, 0, count, 1);
            call.send.vector(send, 0, count, 1);
            finish(world, call, blocking ? 0 : 1);
            byte[] result = new byte[count];
            recv.memory().get(0, result);
            assertArrayEquals(expected(Real.E5M2, Operator.AVG, RANKS - 1, 0, count), result);
            assertEquals("1 1", send.copies + " " + recv.copies, "copies of the input and of the result");
        });
    }
}
