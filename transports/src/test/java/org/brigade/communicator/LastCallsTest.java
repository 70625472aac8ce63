package org.brigade.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import mpi.spi.ElementKind;
import mpi.spi.SendMode;
import mpi.spi.TypeLayout;
import org.brigade.transport.loopback.LoopbackJob;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.LastCalls;
import org.brigade.waiting.RankState;
import org.junit.jupiter.api.Test;

/** What is noted of a rank's calls for the list of last calls. */
class LastCallsTest {
    private static final TypeLayout INT = TypeLayout.of("MPI.INT", ElementKind.INT, 1);

    private static String newest(FlightRecorder recorder) {
        return LastCalls.lines(java.util.List.of(
            new LastCalls.Of(new RankState(0, 0, true, null), recorder.read(FlightRecorder.CALLS))), 1,
            System.nanoTime()).get(0);
    }

    private static void assertBegins(String expected, String line) {
        assertEquals(expected, line.substring(0, Math.min(line.length(), expected.length())), line);
    }

    @Test
    void aCallThatThrewAtItsArgumentsIsListed() throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(1), (provider, world) -> {
            world.threw("send");
            assertBegins("rank 0: after a call on MPI_COMM_WORLD that threw, as its arguments were wrong, ",
                newest(provider.progress().recorder));
        });
    }

    /** Contexts of a union are numbered as those of the job. */
    @Test
    void callsOfAUnionAreListedWithThoseOfTheJobUnderTheirOwnNames() throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(1), (provider, world) -> {
            FlightRecorder recorder = provider.progress().recorder;
            FlightRecorder union = new JoinedRecorder(recorder, 0);
            long context = 1;
            union.names((int) context, "children");
            union.ended(union.begins(FlightRecorder.SEND, context << Integer.SIZE | 5, 2, 4));
            assertBegins("rank 0: after send of children, to rank 2, tag 5, 4 bytes", newest(recorder));
            world.send(new int[1], 0, 1, INT, 0, 7, SendMode.STANDARD);
            assertBegins("rank 0: after send of MPI_COMM_WORLD, to rank 0, tag 7, 4 bytes", newest(recorder));
            union.made(FlightRecorder.IRECV, context << Integer.SIZE | 6, 1, 8);
            assertBegins("rank 0: after irecv of children, from rank 1, tag 6, 8 bytes", newest(recorder));
        });
    }
}
