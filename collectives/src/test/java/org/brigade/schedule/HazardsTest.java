package org.brigade.schedule;

import mpi.spi.Collective;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.brigade.algorithm.allreduce.RabenseifnerAllreduce;
import org.junit.jupiter.api.Test;

class HazardsTest {
    private static final int BLOCKS = 12;

    /** What a step of a random program reads, if it sends, or writes: blocks of RECV. */
    private record Access(boolean sends, int first, int blocks) {
        boolean conflictsWith(Access other) {
            return (!sends || !other.sends) && first < other.first + other.blocks && other.first < first + blocks;
        }
    }

    /** Steps that the order of the schedule puts before each: by lane and by waits, and what follows from them. */
    private static boolean[][] closure(boolean[][] before) {
        int n = before.length;
        for (int middle = 0; middle < n; middle++) {
            for (int from = 0; from < n; from++) {
                for (int to = 0; to < n && before[from][middle]; to++) {
                    before[from][to] |= before[middle][to];
                }
            }
        }
        return before;
    }

    @Property(tries = 500)
    void stepsFollowAllThatTheyConflictWithAndNothingElse(@ForAll long seed) {
        Random random = new Random(seed);
        ScheduleBuilder builder = new ScheduleBuilder("random", new Geometry(Collective.BCAST, 4, 1, 0, false, 2));
        builder.split(BLOCKS);
        List<Access> accesses = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(14); i++) {
            int first = random.nextInt(BLOCKS);
            Access access = new Access(random.nextBoolean(), first, 1 + random.nextInt(BLOCKS - first));
            Slice slice = builder.recv(Index.of(first), access.blocks);
            if (access.sends) {
                builder.send(2, slice);
            } else {
                builder.receive(0, slice);
            }
            accesses.add(access);
        }
        Schedule schedule = builder.finish();
        int n = accesses.size();
        boolean[][] needed = new boolean[n][n];
        boolean[][] made = new boolean[n][n];
        for (int later = 0; later < n; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                boolean lane = accesses.get(earlier).sends == accesses.get(later).sends;
                needed[earlier][later] = lane || accesses.get(earlier).conflictsWith(accesses.get(later));
                made[earlier][later] = lane;
            }
        }
        for (Lane lane : schedule.lanes()) {
            for (Node node : lane.body()) {
                Step step = (Step) node;
                for (Await await : step.awaits()) {
                    made[await.step()][step.id()] = true;
                }
            }
        }
        closure(needed);
        closure(made);
        for (int earlier = 0; earlier < n; earlier++) {
            for (int later = 0; later < n; later++) {
                assertEquals(needed[earlier][later], made[earlier][later],
                    "step " + later + " after step " + earlier + " of " + accesses);
            }
        }
    }

    @Test
    void aVectorOfMillionsOfBlocksIsHalvedInMemoryForItsLogarithm() {
        Geometry geometry = new Geometry(Collective.ALLREDUCE, 1 << 28, 5, 0, false, 2);
        ScheduleBuilder builder = new ScheduleBuilder("rabenseifner", geometry);
        new RabenseifnerAllreduce().build(geometry, builder);
        assertEquals(4 * 28, builder.finish().steps());
    }
}
