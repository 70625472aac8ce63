package org.brigade.verify.straight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.schedule.FlatSchedule;
import org.brigade.schedule.Opcode;
import org.brigade.schedule.Schedule;
import org.brigade.schedule.code.MemoryOperation;
import org.brigade.verify.Verifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What straight-line code does, operation by operation. */
class CodeRecorderTest {
    private static List<String> steps(Collective collective, String name, int ranks, int rank, long bytes) {
        Algorithm algorithm = Catalogue.find(collective, name);
        return CodeRecorder.of(algorithm, ranks, 0, bytes).ranks().get(rank).stream().map(MemoryOperation::toString)
            .toList();
    }

    @Test
    void aBroadcastGoesThroughSharedMemoryPieceByPiece() {
        List<String> root = steps(Collective.BCAST, "copy-in-copy-out", 2, 0, 20_000);
        assertEquals(List.of("publish block", "await block of rank 1", "publish tick 0",
            "SHARED[0..8192] = RECV[0..8192]", "publish tick 1",
            "SHARED[8192..16384] = RECV[8192..16384]", "publish tick 2",
            "SHARED[16384..20000] = RECV[16384..20000]", "publish tick 3"), root);
        List<String> other = steps(Collective.BCAST, "copy-in-copy-out", 2, 1, 20_000);
        assertEquals("await tick 1 of rank 0", other.get(3));
        assertEquals("RECV[0..8192] = SHARED[0..8192]", other.get(4));
    }

    @Test
    void blocksAreReadInTheOthersMemory() {
        assertTrue(steps(Collective.ALLTOALL, "single-copy", 3, 1, 100)
            .contains("RECV[200..300] = SEND of rank 2[100..200]"));
    }

    @Test
    void shortMessagesAreSentToAll() {
        assertEquals(List.of("send 8 bytes to 1", "receive 8 bytes from 1 and reduce"),
            steps(Collective.ALLREDUCE, "fused-flat", 2, 0, 8));
    }

    /** Copied and reduced bytes of the busiest rank are those that the heads of the algorithms' classes say. */
    @ParameterizedTest
    @CsvSource({"BCAST,copy-in-copy-out,1,0", "ALLGATHER,copy-in-copy-out,5,0", "ALLREDUCE,movement-avoiding,1.25,0.75",
        "REDUCE,movement-avoiding,1.25,0.75", "ALLREDUCE,partitioned,2.25,0.75", "ALLGATHER,single-copy,4,0",
        "ALLTOALL,single-copy,4,0", "ALLREDUCE,pull,5,3", "ALLGATHER,pull,5,0"})
    void bytesAreThoseOfTheEquations(Collective collective, String name, double copied, double reduced) {
        Algorithm algorithm = Catalogue.find(collective, name);
        long bytes = name.equals("pull") ? 4 << 10 : 64 << 10;
        double mostCopied = 0;
        double mostReduced = 0;
        for (List<MemoryOperation> steps : CodeRecorder.of(algorithm, 4, 0, bytes).ranks()) {
            mostCopied = Math.max(mostCopied, bytes(steps, MemoryOperation.Kind.COPY)
                + bytes(steps, MemoryOperation.Kind.READ));
            mostReduced = Math.max(mostReduced, bytes(steps, MemoryOperation.Kind.REDUCE));
        }
        assertEquals(copied, mostCopied / bytes, 0.001);
        assertEquals(reduced, mostReduced / bytes, 0.001);
    }

    private static long bytes(List<MemoryOperation> steps, MemoryOperation.Kind kind) {
        return steps.stream().filter(step -> step.kind() == kind).mapToLong(MemoryOperation::bytes).sum();
    }

    /** So the simulator may time the schedule in its place. */
    @Test
    void fusedFlatSendsTheMessagesOfItsSchedule() {
        int compared = 0;
        for (Algorithm algorithm : Catalogue.all()) {
            for (int ranks = 2; StraightSuite.isVerified(algorithm) && algorithm.wireUse() == WireUse.NONE
                && ranks <= Math.min(9, algorithm.restrictions().maximumRanks()); ranks++) {
                int root = algorithm.collective().rooted ? 1 : 0;
                Schedule[] schedules = Verifier.build(algorithm.schedule(), ranks, root, false, 2);
                List<List<MemoryOperation>> code = CodeRecorder.of(algorithm, ranks, root, 8L * ranks).ranks();
                for (int rank = 0; rank < ranks; rank++) {
                    List<Integer> expected = new ArrayList<>();
                    FlatSchedule flat = new FlatSchedule(schedules[rank]);
                    for (int step = 0; step < flat.steps.length; step++) {
                        for (int i = 0; flat.steps[step].opcode() == Opcode.SEND && i < flat.runs(step, 1); i++) {
                            expected.add(flat.peers[step].at(i));
                        }
                    }
                    List<Integer> sent = new ArrayList<>();
                    code.get(rank).stream().filter(step -> step.kind() == MemoryOperation.Kind.SEND)
                        .forEach(step -> sent.add(step.peer()));
                    Collections.sort(expected);
                    Collections.sort(sent);
                    assertEquals(expected, sent, algorithm + ", rank " + rank + " of " + ranks);
                    compared += sent.size();
                }
            }
        }
        assertTrue(compared > 1000, compared + " messages");
    }

    /** All code of the catalogue, as long as jobs run it. */
    @Test
    void allCodeHasSteps() {
        for (Algorithm algorithm : Catalogue.all()) {
            if (StraightSuite.isVerified(algorithm)) {
                int ranks = Math.min(4, algorithm.restrictions().maximumRanks());
                long bytes = Math.min(4 << 20, algorithm.restrictions().maximumBytes(ranks));
                List<List<MemoryOperation>> steps = CodeRecorder.of(algorithm, ranks, 1, bytes).ranks();
                assertEquals(ranks, steps.size());
                steps.forEach(own -> assertTrue(!own.isEmpty(), algorithm::toString));
                assertTrue(CodeRecorder.of(algorithm, ranks, 1, bytes).text(1)
                    .startsWith(algorithm + ", rank 1 of " + ranks), algorithm::toString);
            }
        }
    }
}
