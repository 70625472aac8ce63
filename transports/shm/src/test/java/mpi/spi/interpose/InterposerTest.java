package mpi.spi.interpose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.ElementKind;
import mpi.spi.Envelope;
import mpi.spi.InterCommunicator;
import mpi.spi.Operation;
import mpi.spi.SendMode;
import mpi.spi.TypeLayout;
import mpi.spi.window.WindowEnd;
import mpi.spi.window.WindowKind;
import mpi.spi.window.WindowMaker;
import org.brigade.communicator.ThreadJob;
import org.brigade.recording.CallRecording;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.Test;

/** What a tool between a program and its MPI sees and may change. */
class InterposerTest {
    private static final TypeLayout LONG = TypeLayout.of("MPI.LONG", ElementKind.LONG, 1);
    private static final int TAG = 5;

    /** Notes the calls of one rank, and sends one more than it is asked to. */
    static final class Witness extends Interposer {
        final List<String> seen = new ArrayList<>();

        @Override
        public Operation start(Communicator below, Call call) {
            seen.add(call.collective.key() + " of " + below.size());
            return below.start(call);
        }

        @Override
        public void send(Communicator below, Object buffer, long offset, int count, TypeLayout type, int destination,
            int tag, SendMode mode) {
            seen.add("send");
            long[] more = ((long[]) buffer).clone();
            more[0]++;
            below.send(more, offset, count, type, destination, tag, mode);
        }

        @Override
        public Operation irecv(Communicator below, Object buffer, long offset, int count, TypeLayout type, int source,
            int tag, String call) {
            seen.add("irecv");
            return new ForwardingOperation(below.irecv(buffer, offset, count, type, source, tag, call)) {
                @Override
                public void await() {
                    super.await();
                    seen.add("received");
                }
            };
        }

        @Override
        public WindowEnd window(WindowMaker below, WindowKind kind, Object buffer, long bytes, int unit, boolean locks,
            String name, RuntimeException wrong) {
            return new ForwardingWindow(super.window(below, kind, buffer, bytes, unit, locks, name, wrong)) {
                @Override
                public void fence(boolean nothingBefore, boolean nothingAfter) {
                    seen.add("fence");
                    super.fence(nothingBefore, nothingAfter);
                }
            };
        }
    }

    private static void barrier(Communicator comm) {
        int others = comm instanceof InterCommunicator inter ? inter.remoteMembers().length : comm.size();
        comm.start(new Call(comm.rank(), others).begin(Collective.BARRIER, true));
    }

    @Test
    void aToolSeesCallsOfEveryCommunicatorThatTheProgramMakesAndNoneOfTheLibrarys() throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(4), (provider, lower) -> {
            Witness tool = new Witness();
            Communicator world = InterposedCommunicator.wrap(tool, lower);
            assertSame(lower, world.core());
            Communicator half = world.split(world.rank() / 2, 0);
            Communicator[] later = new Communicator[1];
            world.iduplicate(later).await();
            InterCommunicator inter = half.connect("createIntercomm", 0, world, world.rank() < 2 ? 2 : 0, TAG, null);
            Communicator merged = inter.merge(world.rank() >= 2);
            assertEquals(List.of(), tool.seen, "messages by which the library makes communicators");
            barrier(half);
            barrier(later[0]);
            barrier(inter);
            barrier(merged);
            assertEquals(List.of("barrier of 2", "barrier of 4", "barrier of 2", "barrier of 4"), tool.seen);
        });
    }

    @Test
    void aToolMayChangeAMessageAndSeeTheEndOfAnOperation() throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(2), (provider, lower) -> {
            Witness inner = new Witness();
            Witness outer = new Witness();
            Communicator world = InterposedCommunicator.wrap(outer, InterposedCommunicator.wrap(inner, lower));
            long[] word = {40};
            if (world.rank() == 0) {
                world.send(word, 0, 1, LONG, 1, TAG, SendMode.STANDARD);
            } else {
                Operation receive = world.irecv(word, 0, 1, LONG, 0, TAG, "iRecv");
                assertEquals(0, provider.awaitAny(new Operation[] {receive}, 1),
                    "it completes for those who test, too");
                receive.await();
                Envelope envelope = new Envelope();
                receive.describe(envelope);
                assertEquals(8, envelope.bytes());
                assertEquals(42, word[0], "each of the two tools has added 1");
                assertEquals(List.of("irecv", "received"), outer.seen);
            }
            assertEquals(outer.seen, inner.seen);
            WindowEnd window =
                ((WindowMaker) world).window(WindowKind.ALLOCATED, null, 8, 1, true, "a window", null);
            window.fence(false, false);
            window.free();
            assertTrue(inner.seen.contains("fence") && outer.seen.contains("fence"), outer.seen.toString());
        });
    }

    /** A call that a tool cannot override would pass it by. */
    @Test
    void everyCallOfACommunicatorHasAMethodOfTheTool() {
        Set<String> silent = Set.of("rank", "size", "members", "name", "rename", "returnErrors", "refused", "levels",
            "core", "remoteMembers", "isRevoked", "failed", "threw", "sharesProcessor");
        Set<String> calls = new TreeSet<>();
        for (Class<?> type : List.of(Communicator.class, InterCommunicator.class, WindowMaker.class)) {
            Stream.of(type.getDeclaredMethods()).filter(method -> !method.isSynthetic())
                .forEach(method -> calls.add(method.getName()));
        }
        calls.removeAll(silent);
        Stream.of(Interposer.class.getDeclaredMethods()).forEach(method -> calls.remove(method.getName()));
        assertEquals(Set.of(), calls);
    }

    @Test
    void withoutToolsAndRecordingNothingIsWrapped() throws Exception {
        assertTrue(Interposers.none());
        assertFalse(CallRecording.ON);
        ThreadJob.run(LoopbackJob.endpoints(1), (provider, lower) -> assertSame(lower, Interposers.wrap(lower)));
    }

    @Test
    void aNameThatIsNoToolIsAnErrorWithItsCure() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Interposers.addNamed("no.such.Tool")).getMessage()
            .contains("brigade.interpose names class 'no.such.Tool', which is not on the class path"));
        assertTrue(
            assertThrows(IllegalArgumentException.class, () -> Interposers.addNamed("java.lang.Object")).getMessage()
                .contains("is no subclass of mpi.spi.interpose.Interposer"));
        assertTrue(Interposers.none());
    }
}
