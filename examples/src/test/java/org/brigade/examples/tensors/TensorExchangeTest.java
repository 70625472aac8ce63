package org.brigade.examples.tensors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.brigade.examples.RealRanks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TensorExchangeTest {
    private List<String> told;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void sumsHaveTheBitsOfSeparateAllreducesWhateverTheOrders(int ranks) throws Exception {
        List<String> printed = RealRanks.run(ranks, RandomOrders.class);
        assertEquals(ranks, printed.size(), printed::toString);
        for (String line : printed) {
            assertTrue(line.contains(": 0 of 1800 sums wrong, "), line);
            int allreduces = Integer.parseInt(line.replaceAll(".* (\\d+) allreduces", "$1"));
            assertTrue(allreduces < 1800 * 3 / 4, line); // some are fused, though not those that are too long
        }
    }

    /** What each of the three ranks is told in this case. */
    private void assertTold(String what, String... byRank) throws Exception {
        if (told == null) {
            told = RealRanks.run(3, WrongSubmissions.class);
        }
        for (int rank = 0; rank < 3; rank++) {
            String line = rank + " " + what + ": " + byRank[byRank.length == 1 ? 0 : rank];
            assertTrue(told.contains(line), () -> line + "\nis not in\n" + String.join("\n", told));
        }
    }

    @Test
    void lengthsAndTypesThatDifferFailOnAllRanksAndMayBeMended() throws Exception {
        assertTold("length", "allreduce of tensor bias: it is float[10] on ranks 0, 1 and float[12] on rank 2;"
            + " give it the same type and length on all ranks");
        assertTold("type", "allreduce of tensor weight: it is double[4] on rank 1 and float[4] on ranks 0, 2;"
            + " give it the same type and length on all ranks");
        assertTold("mended", "sum 3.0");
        assertTold("other length", "sum 3.0");
    }

    @Test
    void aNameThatWaitsIsRefusedAndTheFirstOneIsSummed() throws Exception {
        assertTold("twice", "null", "submit: rank 1 gives tensor double a second time before it is summed;"
            + " wait for its sum first, or give the two different names", "null");
        assertTold("once", "sum 3.0");
    }

    @Test
    void aTensorThatARankDoesNotSubmitIsReportedAndHoldsUpNoOther() throws Exception {
        assertTold("beside", "sum 3.0");
        assertTold("late", "sum 3.0");
        List<String> reported = told.stream().filter(line -> line.startsWith("  tensor ")).toList();
        assertTrue(reported.contains("  tensor late: submitted by ranks 1, 2, missing on rank 0"), told::toString);
        assertTrue(told.contains("Tensors have waited for some ranks for more than 0.3 s. Look whether those ranks"
            + " leave out a layer, or hang (jstack shows where):"), told::toString);
    }

    @Test
    void closingNamesTheRankThatDidItAndTheTensorThatWaits() throws Exception {
        String closed = "rank 2 closed the exchange; wait for the sums of all tensors on all ranks before any rank"
            + " closes it";
        assertTold("lost", "null", "allreduce of tensor lost: rank 1 still waits for it, but " + closed, "null");
        assertTold("closed", "submit: rank 0 gives tensor behind, but " + closed,
            "submit: rank 1 gives tensor behind, but " + closed, "submit: rank 2 gives tensor behind, but " + closed);
    }
}
