package org.brigade.examples.patterns;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.brigade.examples.RealRanks;
import org.brigade.examples.patterns.camel.CamelPatterns;
import org.brigade.examples.patterns.capital.CapitalPatterns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The patterns on three ranks, all of a dialect in one job; where there are two texts they print the same. */
@Tag("slow")
@Tag("once")
class PatternsTest {
    private static final List<String> PRINTED = """
        Barrier: the first left after the last had come: true
        Broadcast: rank 0 has [0, 10, 20]
        Broadcast: rank 1 has [0, 10, 20]
        Broadcast: rank 2 has [0, 10, 20]
        MasterWorker: the squares of the tasks add up to 2870
        MessageRing: back at rank 0 with 3
        ParallelLoop: the chunk of rank 0 is [0, 1, 2]
        ParallelLoop: the chunk of rank 1 is [3, 4, 5]
        ParallelLoop: the chunk of rank 2 is [6, 7, 8, 9]
        ParallelLoop: the slices of rank 0 are [0, 3, 6, 9]
        ParallelLoop: the slices of rank 1 are [1, 4, 7]
        ParallelLoop: the slices of rank 2 are [2, 5, 8]
        Reductions: rank 0 knows that 9 is the greatest
        Reductions: rank 1 knows that 9 is the greatest
        Reductions: rank 2 knows that 9 is the greatest
        Reductions: the sum is 14
        ScatterGather: [0.0, 1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 49.0, 64.0]
        Spmd: rank 0 of 3 leads
        Spmd: rank 1 of 3 follows
        Spmd: rank 2 of 3 follows
        Tags: ordinary 1 of rank 1
        Tags: ordinary 2 of rank 2
        Tags: urgent 100 of rank 1
        Tags: urgent 200 of rank 2
        """.lines().toList();

    @Test
    void allPatternsComputeTheirResults() throws Exception {
        assertEquals(PRINTED, RealRanks.run(3, CamelPatterns.class).stream().sorted().toList());
    }

    @Test
    void theOtherDialectPrintsTheSame() throws Exception {
        assertEquals(PRINTED.stream().filter(line -> line.matches("(MasterWorker|ScatterGather|Tags):.*")).toList(),
            RealRanks.run(3, CapitalPatterns.class).stream().sorted().toList());
    }
}
