package org.brigade.matching;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class RankIndexTest {
    /** Members of a job of 40 ranks, in rank order in half of the tries. */
    private static int[] members(Random random, int count) {
        List<Integer> all = IntStream.range(0, 40).boxed().collect(Collectors.toList());
        Collections.shuffle(all, random);
        int[] members = all.subList(0, count).stream().mapToInt(Integer::intValue).toArray();
        if (random.nextBoolean()) {
            Arrays.sort(members);
        }
        return members;
    }

    @Property(tries = 500)
    void itIsTheInverseOfTheMembers(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int count) {
        int[] members = members(new Random(seed), count);
        RankIndex index = RankIndex.of(members);
        for (int world = 0; world < 40; world++) {
            int expected = -1;
            for (int rank = 0; rank < count; rank++) {
                expected = members[rank] == world ? rank : expected;
            }
            assertEquals(expected, index.of(world), "rank " + world + " of the job in " + Arrays.toString(members));
        }
    }
}
