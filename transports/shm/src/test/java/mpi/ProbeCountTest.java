package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.reflect.Array;
import java.util.Arrays;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.spi.Provider;
import org.brigade.communicator.BrigadeProvider;
import org.brigade.communicator.Jobs;
import org.brigade.communicator.ThreadJob;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a status counts after a probe and after a receive: as in MPJ Express. */
@Tag("once")
class ProbeCountTest {
    /** One message that is sent at once, and one that waits for its receiver. */
    private static final int[] COUNTS = {0, 1, 7, 60_000};
    private static final Datatype[] TYPES = {MPI.BYTE, MPI.BOOLEAN, MPI.CHAR, MPI.SHORT, MPI.INT, MPI.LONG, MPI.FLOAT,
        MPI.DOUBLE, MPI.PACKED, MPI.OBJECT};

    /** What a rank does. */
    private interface Program {
        void run(Intracomm world) throws Exception;
    }

    private interface Sender {
        /** Sends {@code count} items from element 0 of a buffer to rank 1. */
        void send(Intracomm world, Object buffer, int count, Datatype type);
    }

    @BeforeAll
    static void begin() {
        JobState.pretend(JobState.RUNNING);
        JobState.pretend(new BrigadeProvider());
    }

    @AfterAll
    static void end() {
        JobState.pretend(JobState.NEW);
        JobState.pretend((Provider) null);
    }

    private static void run(Jobs kind, Program program) throws Exception {
        ThreadJob.run(kind.endpoints(2, 3), (provider, lower) -> {
            provider.attachBuffer(16 << 20);
            program.run(new Intracomm(Handle.of(lower)));
        });
    }

    private static Object buffer(Datatype type, int count) {
        Object buffer = Array.newInstance(type.items.arrayClass.getComponentType(), count);
        if (buffer instanceof Object[] objects) {
            Arrays.setAll(objects, i -> "object " + i);
        }
        return buffer;
    }

    private static final Sender[] SENDERS = {
        (world, buffer, count, type) -> world.Send(buffer, 0, count, type, 1, 5),
        (world, buffer, count, type) -> world.Isend(buffer, 0, count, type, 1, 5).Wait(),
        (world, buffer, count, type) -> world.Ssend(buffer, 0, count, type, 1, 5),
        (world, buffer, count, type) -> world.Bsend(buffer, 0, count, type, 1, 5),
        (world, buffer, count, type) -> {
            Prequest request = world.Send_init(buffer, 0, count, type, 1, 5);
            request.Start();
            request.Wait();
            request.free();
        }};

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void aProbeCountsTheItemsThatWereSent(Jobs kind) throws Exception {
        run(kind, world -> {
            for (int count : COUNTS) {
                for (Datatype type : TYPES) {
                    for (Sender sender : SENDERS) {
                        if (world.Rank() == 0) {
                            sender.send(world, buffer(type, count), count, type);
                        } else {
                            probe(world, count, type);
                        }
                    }
                }
            }
        });
    }

    private static void probe(Intracomm world, int count, Datatype type) {
        String what = count + " of " + type;
        Status status = null;
        while (status == null) {
            status = world.Iprobe(0, 5);
        }
        assertEquals(count, status.count, what);
        assertEquals(count, status.Get_count(type), what);
        status = world.Probe(MPI.ANY_SOURCE, MPI.ANY_TAG);
        assertEquals(count, status.count, what);
        assertEquals(count, status.Get_count(type), what);
        Object got = Array.newInstance(type.items.arrayClass.getComponentType(), status.count);
        status = world.Recv(got, 0, status.count, type, 0, 5);
        assertEquals(count, status.count, what);
        assertEquals(count, status.Get_count(type), what);
        if (got instanceof Object[] objects) {
            assertArrayEquals((Object[]) buffer(type, count), objects);
        }
    }

    @Test
    void aProbeCountsTheBasicElementsOfADerivedType() throws Exception {
        run(Jobs.WIDE, world -> {
            Datatype pairs = Datatype.Vector(2, 1, 3, MPI.SHORT);
            if (world.Rank() == 0) {
                world.Send(new short[50], 0, 5, pairs, 1, 0);
                world.Send(new int[6], 0, 3, MPI.INT2, 1, 1);
                world.Send(new String[] {"a", null, "c"}, 0, 3, MPI.OBJECT, 1, 2);
            } else {
                Status status = world.Probe(0, 0);
                assertEquals(10, status.count);
                assertEquals(5, status.Get_count(pairs));
                assertEquals(10, status.Get_elements(pairs));
                assertEquals(5, world.Recv(new short[50], 0, 5, pairs, 0, 0).count);
                assertEquals(6, world.Probe(0, 1).count);
                world.Recv(new int[6], 0, 3, MPI.INT2, 0, 1);
                Message message = new Message();
                status = message.mProbe(0, 2, world);
                assertEquals(3, status.count);
                assertEquals(3, status.getCount(MPI.OBJECT));
                assertEquals(MPI.UNDEFINED, new Status().getCount(MPI.OBJECT));
                assertFalse(message.isNull());
                Object[] got = new Object[3];
                message.mRecv(got, 3, MPI.OBJECT);
                assertArrayEquals(new Object[] {"a", null, "c"}, got);
            }
        });
    }

    @Test
    void aReceiveOfHalfAnItemCountsNone() throws Exception {
        run(Jobs.WIDE, world -> {
            if (world.Rank() == 0) {
                world.Send(new int[3], 0, 3, MPI.INT, 1, 0);
            } else {
                Status status = world.Recv(new int[4], 0, 2, MPI.INT2, 0, 0);
                assertEquals(MPI.UNDEFINED, status.count);
                assertEquals(MPI.UNDEFINED, status.Get_count(MPI.INT2));
                assertEquals(3, status.Get_elements(MPI.INT2));
            }
        });
    }

    @Test
    void itemsWithoutBytesAreCountedInEachDialectsWay() throws Exception {
        run(Jobs.WIDE, world -> {
            Datatype none = Datatype.Struct(new int[0], new int[0], new Datatype[0]);
            none.Commit();
            if (world.Rank() == 0) {
                world.Send(new int[1], 0, 100, none, 1, 0);
                world.Send(new int[1], 0, 100, none, 1, 0);
            } else {
                for (Status status : new Status[] {world.Recv(new int[1], 0, 100, none, 0, 0),
                    world.Irecv(new int[1], 0, 100, none, 0, 0).Wait()}) {
                    assertEquals(100, status.Get_count(none));
                    assertEquals(MPI.UNDEFINED, status.Get_elements(none));
                    assertEquals(0, status.getCount(none));
                    assertEquals(0, status.getElements(none));
                }
            }
        });
    }
}
