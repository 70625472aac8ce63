package org.brigade.communicator.execution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.Callable;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.communicator.Jobs;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.Endpoint;
import org.brigade.transport.NodeMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls through a shared buffer when something is wrong. */
@Isolated // forces algorithms through system properties
class SharedBufferCallsTest {
    private static final TypeLayout INT = TypeLayout.of("MPI.INT", ElementKind.INT, 1);
    private static final Reduction SUM = Reduction.predefined(Reduction.Operator.SUM);
    /** More than two windows. */
    private static final int COUNT = 700_000;

    @BeforeEach
    void force() {
        System.setProperty("brigade.allreduce.algorithm", "movement-avoiding");
        System.setProperty("brigade.bcast.algorithm", "copy-in-copy-out");
    }

    @AfterEach
    void forceNoMore() {
        System.clearProperty("brigade.allreduce.algorithm");
        System.clearProperty("brigade.bcast.algorithm");
    }

    private static void allreduce(Communicator world, int[] own, int[] sums, Reduction op) {
        Call call = new Call(world.rank(), world.size()).begin(Collective.ALLREDUCE, true).reduction(INT, op);
        call.send.vector(own, 0, own.length, 4);
        call.recv.vector(sums, 0, own.length, 4);
        world.start(call);
    }

    private static void requireSums(Communicator world, Reduction op) {
        int[] own = new int[COUNT];
        Arrays.fill(own, world.rank() + 1);
        int[] sums = new int[COUNT];
        allreduce(world, own, sums, op);
        int[] expected = new int[COUNT];
        Arrays.fill(expected, world.size() * (world.size() + 1) / 2);
        assertArrayEquals(expected, sums);
    }

    /** Rank 1 throws in one of its steps; the others wait for its sums. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void anExceptionOfOneRankEndsTheCallOnAllAndTheNextIsRight(int throwing) throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(4, 5), (provider, world) -> {
            int[] left = {throwing};
            Reduction op = Reduction.user((in, inAt, inout, inoutAt, count) -> {
                if (world.rank() == 1 && --left[0] == 0) {
                    throw new IllegalStateException("thrown on purpose");
                }
                add(in, inAt, inout, inoutAt, count);
            }, true);
            MPIException failed = assertThrows(MPIException.class, () -> requireSums(world, op));
            assertTrue(failed.getMessage().contains("thrown on purpose"), failed.getMessage());
            requireSums(world, op);
            requireSums(world, SUM);
        });
    }

    private static void add(Object in, int inAt, Object inout, int inoutAt, int count) {
        for (int i = 0; i < count; i++) {
            put(inout, inoutAt + i, get(inout, inoutAt + i) + get(in, inAt + i));
        }
    }

    private static int get(Object values, int at) {
        return values instanceof int[] array ? array[at] : ((ByteBuffer) values).getInt(4 * at);
    }

    private static void put(Object values, int at, int value) {
        if (values instanceof int[] array) {
            array[at] = value;
        } else {
            ((ByteBuffer) values).putInt(4 * at, value);
        }
    }

    /** What is wrong on rank 1. */
    enum Lack {
        MEMORY, ROOM, A_FULL_DISK
    }

    @ParameterizedTest
    @EnumSource(Lack.class)
    void withoutRoomForABufferTheSchedulesRun(Lack lack) throws Exception {
        Endpoint[] ends = Jobs.WIDE.endpoints(3, 5);
        int poor = lack == Lack.ROOM ? 0 : 1; // the first makes the file
        ends[poor] = without(lack, ends[poor]);
        ThreadJob.run(ends, (provider, world) -> {
            for (int again = 0; again < 2; again++) {
                requireSums(world, SUM);
                int[] data = new int[COUNT];
                Arrays.fill(data, world.rank() == 2 ? 7 : 0);
                Call call = new Call(world.rank(), 3).begin(Collective.BCAST, true).root(2);
                call.recv.vector(data, 0, COUNT, 4);
                world.start(call);
                assertEquals(7 * COUNT, Arrays.stream(data).sum());
            }
        });
    }

    private static Endpoint without(Lack lack, Endpoint end) {
        NodeMemory memory = lack == Lack.MEMORY ? null : proxy(NodeMemory.class, end.nodeMemory(), (method, own) -> {
            if (lack == Lack.A_FULL_DISK && method.equals("fill")) {
                throw new IOException("No space left on device");
            }
            return lack == Lack.ROOM && method.equals("free") ? 1L << 20 : own.call();
        });
        Endpoint[] made = new Endpoint[1];
        made[0] = proxy(Endpoint.class, end, (method, own) -> switch (method) {
            case "withinNode" -> made[0];
            case "nodeMemory" -> memory;
            default -> own.call();
        });
        return made[0];
    }

    private interface Answer {
        Object to(String method, Callable<Object> own) throws Exception;
    }

    private static <T> T proxy(Class<T> type, T of, Answer answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
            (self, method, arguments) -> answer.to(method.getName(), () -> method.invoke(of, arguments))));
    }
}
