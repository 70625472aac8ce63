package org.brigade.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Random;
import org.brigade.engine.Membership;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Agreements among ranks that are objects, whose messages and deaths come in random order. */
class ConsensusTest {
    /** One rank: it hears of others' deaths one by one, and of nothing more when it has ended. */
    private static final class Rank {
        final int number;
        final BitSet dead = new BitSet();
        Consensus consensus;
        boolean begun;
        Ballot result;

        Rank(int number) {
            this.number = number;
        }
    }

    /** Ranks and the links between them. */
    private static final class Job {
        private final Random random;
        private final Rank[] ranks;
        private final BitSet died = new BitSet();
        /** By sender and receiver, in order. */
        private final ArrayDeque<byte[]>[][] links;

        @SuppressWarnings("unchecked")
        Job(int size, long seed) {
            random = new Random(seed);
            ranks = new Rank[size];
            links = new ArrayDeque[size][size];
            for (int from = 0; from < size; from++) {
                Rank rank = new Rank(from);
                ranks[from] = rank;
                rank.consensus = new Consensus((member, ballot) -> {
                    links[rank.number][member].add(ballot);
                    return () -> true;
                }, member -> false);
                for (int to = 0; to < size; to++) {
                    links[from][to] = new ArrayDeque<>();
                }
            }
        }

        void run(String text) {
            int deaths = random.nextInt(ranks.length);
            int steps = 0;
            while (anythingLeft()) {
                Rank rank = ranks[random.nextInt(ranks.length)];
                if (died.cardinality() < deaths && random.nextInt(20) == 0) {
                    died.set(rank.number);
                    for (ArrayDeque<byte[]> link : links[rank.number]) {
                        for (int lost = link.isEmpty() ? 0 : random.nextInt(link.size() + 1); lost > 0; lost--) {
                            link.removeLast();
                        }
                    }
                }
                if (!died.get(rank.number)) {
                    act(rank);
                }
                assertTrue(steps++ < 100_000, () -> text + ": some rank never ends");
            }
            Ballot first = null;
            for (Rank each : ranks) {
                if (each.result != null) {
                    first = first == null ? each.result : first;
                    assertEquals(first.flags, each.result.flags, text);
                    assertEquals(first.failed, each.result.failed, text);
                }
            }
        }

        private boolean anythingLeft() {
            for (Rank each : ranks) {
                if (each.result == null && !died.get(each.number)) {
                    return true;
                }
            }
            return false;
        }

        private void act(Rank rank) {
            int other = random.nextInt(ranks.length);
            if (!rank.begun) {
                if (random.nextInt(4) == 0) {
                    begin(rank);
                }
            } else if (died.get(other) && !rank.dead.get(other) && random.nextInt(3) == 0) {
                hearOfDeath(rank, other);
            } else if (!links[other][rank.number].isEmpty()) {
                deliver(other, rank.number);
            }
            if (random.nextBoolean()) {
                look(rank);
            }
        }

        void begin(Rank rank) {
            int[] members = new int[ranks.length];
            for (int i = 0; i < members.length; i++) {
                members[i] = i;
            }
            rank.begun = true;
            rank.consensus.begin(new Membership(rank.number, members, "test", true),
                new Ballot(Ballot.OWN, Ballot.AGREE, ~(1 << rank.number), new long[0], (BitSet) rank.dead.clone(),
                    new BitSet()),
                rank.dead);
        }

        /** All that the dead rank has sent is taken first. */
        void hearOfDeath(Rank rank, int other) {
            while (!links[other][rank.number].isEmpty()) {
                deliver(other, rank.number);
            }
            rank.dead.set(other);
            rank.consensus.step(rank.dead);
        }

        void deliver(int from, int to) {
            byte[] ballot = links[from][to].remove();
            if (ranks[to].result == null && !ranks[to].dead.get(from)) {
                ranks[to].consensus.came(from, Ballot.isWord(ballot), Ballot.of(ballot), ranks[to].dead);
            }
        }

        void look(Rank rank) {
            if (rank.begun && rank.result == null) {
                rank.result = rank.consensus.result(rank.dead);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void allThatAreLeftEndAndAllThatEndHaveTheSame(int size) {
        for (long seed = 0; seed < 20_000; seed++) {
            new Job(size, seed).run("seed " + seed);
        }
    }

    /**
     * Rank 0 proposes and dies. Rank 1 goes on to its own round; the others end by the first one, which all have
     * adopted, and answer no more.
     */
    @Test
    void aCoordinatorEndsByAnEarlierRoundThatTheOthersHaveEndedBy() {
        Job job = new Job(3, 0);
        for (Rank each : job.ranks) {
            job.begin(each);
        }
        job.deliver(1, 0);
        job.deliver(2, 0);
        job.deliver(0, 1);
        job.deliver(0, 2);
        job.died.set(0);
        job.hearOfDeath(job.ranks[2], 0);
        job.deliver(1, 2);
        job.look(job.ranks[2]);
        assertNotNull(job.ranks[2].result);
        job.hearOfDeath(job.ranks[1], 0);
        while (!job.links[2][1].isEmpty()) {
            job.deliver(2, 1);
        }
        job.look(job.ranks[1]);
        assertNotNull(job.ranks[1].result);
        assertEquals(job.ranks[2].result.flags, job.ranks[1].result.flags);
    }
}
