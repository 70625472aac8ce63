package org.brigade.communicator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.select.CallMode;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that a communicator remembers ({@link Call#memo}), with other buffers and between other calls. */
@Timeout(300)
class RepeatedCallsTest {
    private static final TypeLayout LONG = TypeLayout.of("MPI.LONG", ElementKind.LONG, 1);
    private static final Reduction SUM = Reduction.predefined(Reduction.Operator.SUM);
    private static final Collective[] REMEMBERED = {Collective.ALLREDUCE, Collective.ALLGATHER, Collective.BARRIER,
        Collective.BCAST, Collective.REDUCE};
    private static final int COUNT = 3;
    private static final int ROOT = 1;

    private static Call described(Collective collective, int rank, int ranks, int count) {
        Call call = new Call(rank, ranks);
        call.repeats = true;
        call.begin(collective, true);
        if (collective.rooted) {
            call.root(ROOT);
        }
        if (collective.reduces) {
            call.reduction(LONG, SUM);
        }
        long bytes = (long) count * Long.BYTES;
        switch (collective) {
            case ALLREDUCE, REDUCE -> {
                call.send.vector(null, 0, count, Long.BYTES);
                if (collective == Collective.ALLREDUCE || rank == ROOT) {
                    call.recv.vector(null, 0, count, Long.BYTES);
                }
            }
            case BCAST -> call.recv.vector(null, 0, count, Long.BYTES);
            case ALLGATHER -> {
                call.send.own(null, 0, bytes);
                call.recv.each(null, 0, bytes, ranks);
            }
            default -> {
            }
        }
        return call;
    }

    /** A buffer of its own for each call, in an array or outside the heap. */
    private static Object buffer(boolean outside, int count, long first) {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = first + i;
        }
        return outside ? ByteBuffer.allocateDirect(count * Long.BYTES).order(ByteOrder.nativeOrder()).asLongBuffer()
            .put(values).flip() : values;
    }

    private static long[] values(Object buffer) {
        if (buffer instanceof long[] longs) {
            return longs;
        }
        long[] values = new long[((LongBuffer) buffer).capacity()];
        ((LongBuffer) buffer).get(0, values);
        return values;
    }

    private static void run(Communicator world, Call call, boolean outside, int round) {
        int rank = world.rank();
        int ranks = world.size();
        Object send = buffer(outside, COUNT, 1000L * round + 10 * rank);
        Object recv = buffer(outside, COUNT * ranks, -1);
        boolean bcast = call.collective == Collective.BCAST;
        call.send.buffer = bcast || call.collective == Collective.BARRIER ? null : send;
        call.recv.buffer = bcast ? send : call.recv.blocks.total() == 0 ? null : recv;
        boolean direct = round % 2 == 1 && call.memo != null;
        if (!direct || !call.memo.again(call)) {
            world.start(call);
        }
        call.clear();
        if (call.collective == Collective.BARRIER) {
            return;
        }
        long[] got = values(bcast ? send : recv);
        for (int i = 0; i < COUNT; i++) {
            long first = 1000L * round + i;
            switch (call.collective) {
                case ALLREDUCE -> assertEquals(ranks * first + 5L * ranks * (ranks - 1), got[i]);
                case REDUCE -> assertEquals(rank == ROOT ? ranks * first + 5L * ranks * (ranks - 1) : i - 1, got[i]);
                case BCAST -> assertEquals(first + 10 * ROOT, got[i]);
                default -> assertEquals(first + 10 * (ranks - 1), got[COUNT * (ranks - 1) + i]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7})
    void givesWhatNewCallsGive(int ranks) throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(ranks), (provider, world) -> {
            for (boolean outside : new boolean[] {false, true}) {
                Call[] calls = new Call[REMEMBERED.length];
                for (int which = 0; which < calls.length; which++) {
                    calls[which] = described(REMEMBERED[which], world.rank(), ranks, COUNT);
                }
                for (int round = 0; round < 30; round++) {
                    for (Call call : calls) {
                        run(world, call, outside, round);
                    }
                }
                assertNotNull(calls[0].memo);
                assertNotNull(calls[2].memo);
            }
        });
    }

    /** The same call by the rule for a job's first calls, and then by the usual one, after as many on all ranks. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void firstCallsOfAJobHaveRulesOfTheirOwn(int ranks) throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(ranks), (provider, world) -> {
            Call call = described(Collective.ALLREDUCE, world.rank(), ranks, COUNT);
            run(world, call, false, 0);
            assertEquals("flat-pull", Diagnostics.lastAlgorithm());
            int round = 1;
            for (Object memo = call.memo; call.memo == memo; round++) {
                run(world, call, false, round);
            }
            assertEquals("fused-flat", Diagnostics.lastAlgorithm());
            assertEquals(CallMode.FIRST_CALLS + 1, round);
            run(world, call, false, round);
        });
    }

    /** One has to agree on something with all members first, and the other has not. */
    @Test
    void ranksInDifferentFirstCallsHearOfIt() throws Exception {
        int ranks = 3;
        ThreadJob.run(LoopbackJob.endpoints(ranks), (provider, world) -> {
            Collective which = world.rank() == ROOT ? Collective.REDUCE : Collective.ALLREDUCE;
            Call call = described(which, world.rank(), ranks, COUNT);
            call.send.buffer = new long[COUNT];
            call.recv.buffer = new long[COUNT];
            MPIException thrown = assertThrows(MPIException.class, () -> world.start(call));
            assertEquals(ErrorClass.TRUNCATE.code, thrown.getErrorClass(), thrown.getMessage());
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 7})
    void failsWhereANewCallFails(int ranks) throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(ranks), (provider, world) -> {
            Call call = described(Collective.ALLREDUCE, world.rank(), ranks, COUNT);
            for (int round = 0; round < 5; round++) {
                run(world, call, false, round);
            }
            Call other = world.rank() == 0 ? described(Collective.ALLREDUCE, 0, ranks, COUNT - 1) : call;
            other.send.buffer = new long[COUNT];
            other.recv.buffer = new long[COUNT];
            assertThrows(MPIException.class, () -> world.start(other));
            run(world, described(Collective.ALLREDUCE, world.rank(), ranks, COUNT), false, 9);
            long[] mine = {world.rank()};
            Call users = described(Collective.ALLREDUCE, world.rank(), ranks, 1);
            users.reduction(LONG, Reduction.user((in, inAt, inout, inoutAt, count) -> {
                for (int i = 0; i < count; i++) {
                    ((long[]) inout)[inoutAt + i] += ((long[]) in)[inAt + i];
                }
            }, true));
            users.send.buffer = mine;
            users.recv.buffer = new long[1];
            world.start(users);
            assertNull(users.memo);
            assertArrayEquals(new long[] {ranks * (ranks - 1L) / 2}, (long[]) users.recv.buffer);
        });
    }
}
