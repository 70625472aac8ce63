package org.brigade.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.brigade.schedule.code.CodeOperations;
import org.brigade.schedule.code.MemoryOperation;
import org.brigade.schedule.code.MemoryOperation.Kind;
import org.brigade.schedule.code.MemoryOperation.Stretch;
import org.brigade.simulate.flow.Clock;
import org.brigade.simulate.flow.Trace;
import org.brigade.simulate.wiring.IdealWiring;
import org.brigade.simulate.wiring.MachineWiring;
import org.brigade.topology.machine.Machine;
import org.brigade.topology.machine.Machines;
import org.junit.jupiter.api.Test;

/** Times of operations, summed by hand. */
class CodeSimulatorTest {
    private static final IdealWiring IDEAL = new IdealWiring(3, 1e9, 1e-6);
    private static final MachineWiring HOST = MachineWiring.of(Machines.find("host-2core"));
    private static final long BYTES = 1000;

    private static MemoryOperation publish(int number) {
        return MemoryOperation.word(Kind.PUBLISH, -1, number, new Stretch("tick", number));
    }

    private static MemoryOperation await(int peer, int number) {
        return MemoryOperation.word(Kind.AWAIT, peer, number, new Stretch("tick", number));
    }

    private static MemoryOperation copy(long fetched, long stored) {
        return new MemoryOperation(Kind.COPY, -1, 0, BYTES, fetched, stored, new Stretch("A", 0), null,
            new Stretch("B", 0));
    }

    private static CodeOperations code(List<List<MemoryOperation>> ranks) {
        return new CodeOperations("bcast/copy-in-copy-out", 0, BYTES, ranks);
    }

    private static double nanos(org.brigade.simulate.wiring.RoutingModel wiring, CodeOperations code) {
        return 1e9 * CodeSimulator.run(wiring, code, null).seconds();
    }

    @Test
    void aRankWaitsUntilItSeesAWordAndThenGoesOn() {
        Simulation run = CodeSimulator.run(IDEAL, code(List.of(List.of(copy(0, BYTES), publish(0)),
            List.of(await(0, 0), copy(BYTES, 0), publish(0)), List.of(await(0, 0), await(1, 0)))), null);
        assertEquals(1000, 1e9 * run.seconds(0), 0.01);
        assertEquals(1000 + 1000 + 1000, 1e9 * run.seconds(1), 0.01);
        assertEquals(3000 + 1000, 1e9 * run.seconds(2), 0.01);
    }

    @Test
    void wordsThatAreThereAreSeenTogether() {
        assertEquals(1000 + 1000, nanos(IDEAL, code(List.of(List.of(publish(0)), List.of(publish(0)),
            List.of(copy(0, 0), await(0, 0), await(1, 0), copy(0, 0))))), 0.01);
    }

    /** Waits are not work: the second rank's begins when it has seen the word. */
    @Test
    void aTraceHearsWhatEachRankDoesAndWhen() {
        List<String> heard = new ArrayList<>();
        CodeSimulator.run(IDEAL,
            code(List.of(List.of(copy(0, BYTES), publish(0)), List.of(await(0, 0), copy(BYTES, 0)))),
            new Trace() {
                @Override
                public void used(int resource, long from, long to, double rate) {
                }

                @Override
                public void worked(int rank, MemoryOperation operation, long from, long to) {
                    heard.add(rank + " " + Math.round(1e9 * Clock.seconds(from)) + ".."
                        + Math.round(1e9 * Clock.seconds(to)));
                }
            });
        assertEquals(List.of("0 0..1000", "1 2000..3000"), heard);
    }

    @Test
    void aSenderDoesNotWaitForItsReceiver() {
        Simulation run = CodeSimulator.run(IDEAL, code(List.of(
            List.of(MemoryOperation.message(Kind.SEND, 1, BYTES), MemoryOperation.message(Kind.SEND, 1, 0)),
            List.of(copy(0, 0), copy(0, 0), copy(0, 0), MemoryOperation.message(Kind.RECEIVE, 0, BYTES),
                MemoryOperation.message(Kind.RECEIVE, 0, 0)))),
            null);
        assertEquals(2000 + 1000, 1e9 * run.seconds(0), 0.01);
        assertEquals(3000 + 1000, 1e9 * run.seconds(1), 0.01);
    }

    /** The figures of host-2core: 36 ns for the call, 7 an operation, 56 until a word is seen. */
    @Test
    void aMachineSaysWhatEachOperationTakes() {
        assertEquals(36 + 7 + BYTES / 69.0, nanos(HOST, code(List.of(List.of(copy(0, 0))))), 0.01);
        assertEquals(36 + 7 + BYTES / 37.0, nanos(HOST, code(List.of(List.of(copy(BYTES, 0))))), 0.01);
        assertEquals(36 + 7 + BYTES / 28.0, nanos(HOST, code(List.of(List.of(copy(BYTES, BYTES))))), 0.01);
        assertEquals(36 + 56, nanos(HOST, code(List.of(List.of(publish(0)), List.of(await(0, 0))))), 0.01);
        MemoryOperation read =
            new MemoryOperation(Kind.READ, 1, 0, BYTES, BYTES, 0, new Stretch("A", 0), null, new Stretch("B", 0));
        assertEquals(36 + 900 + BYTES / 12.4, nanos(HOST, code(List.of(List.of(read)))), 0.01);
    }

    @Test
    void allRanksOfACpuShareWhatItsMemoryMoves() {
        String text = HOST.machine().text().replace("reduce reduce-memory read readv-memory",
            "reduce reduce-memory read readv-memory together line-rate")
            .replace("reduce reduce read readv\n", "reduce reduce read readv together line-rate\n")
            .replace("shared-memory entry", "figure line-rate 46 GB/s \"an example\"\nshared-memory entry");
        Machine limited = org.brigade.topology.machine.MachineReader.read("limited.machine", text);
        CodeOperations both = code(List.of(List.of(copy(0, 0)), List.of(copy(0, 0))));
        assertEquals(36 + 7 + BYTES / 69.0, nanos(HOST, both), 0.01);
        assertEquals(36 + 7 + BYTES / 23.0, nanos(MachineWiring.of(limited), both), 0.01);
    }

    @Test
    void whatWasNotMeasuredIsNotTimed() {
        CodeOperations call = code(List.of(List.of(publish(0)), List.of(await(0, 0))));
        assertTrue(assertThrows(IllegalArgumentException.class,
            () -> nanos(MachineWiring.onHosts(Machines.find("dgx-h100")), call)).getMessage()
            .contains("nothing was measured"));
        assertThrows(IllegalArgumentException.class, () -> nanos(new IdealWiring(1, 1e9, 0), call));
    }

    @Test
    void aWaitForEverIsAnError() {
        assertTrue(assertThrows(IllegalStateException.class,
            () -> nanos(IDEAL, code(List.of(List.of(publish(0)), List.of(await(0, 1)))))).getMessage()
            .contains("rank 1 waits for ever: await tick 1 of rank 0"));
    }
}
