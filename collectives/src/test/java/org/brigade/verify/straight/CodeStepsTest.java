package org.brigade.verify.straight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.junit.jupiter.api.Test;

/** What straight-line code does, operation by operation. */
class CodeStepsTest {
    private static List<String> steps(Collective collective, String name, int ranks, int rank, long bytes) {
        Algorithm algorithm = Catalogue.find(collective, name);
        return CodeSteps.of(algorithm, ranks, 0, bytes).get(rank).stream().map(CodeSteps.Step::text).toList();
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

    /** All code of the catalogue, as long as jobs run it. */
    @Test
    void allCodeHasSteps() {
        for (Algorithm algorithm : Catalogue.all()) {
            if (StraightSuite.isVerified(algorithm)) {
                long bytes = Math.min(4 << 20, algorithm.restrictions().maximumBytes(4));
                List<List<CodeSteps.Step>> steps = CodeSteps.of(algorithm, 4, 1, bytes);
                assertEquals(4, steps.size());
                steps.forEach(own -> assertTrue(!own.isEmpty(), algorithm::toString));
                assertTrue(CodeSteps.print(algorithm, 4, 1, 2, steps.get(2))
                    .startsWith(algorithm + ", rank 2 of 4"), algorithm::toString);
            }
        }
    }
}
