package org.brigade.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.brigade.cluster.Cluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A short part of bin/soak, always with the same random numbers. The limit only keeps a failure from lasting for ever.
 * The fuzzed calls are ApiFuzzJobsTest's.
 */
@Timeout(300)
@Tag("slow")
@Tag("once")
class SoakTest {
    private static final long SEED = 15;

    private static void passes(Attack attack, String... kinds) throws Exception {
        Trials trials = new Trials(System.out);
        attack.round(new Random(SEED), trials);
        assertEquals(List.of(), trials.wrong());
        for (String kind : kinds) {
            assertTrue(trials.of(kind) > 0, kind + " of\n" + trials.table());
        }
    }

    @Test
    void randomCollectivesGiveWhatThePlainModelGives() throws Exception {
        passes(new CollectivesAttack(120), "collective calls compared");
    }

    @Test
    void everySettingOfRandomCollectivesIsDrawn() {
        Set<String> drawn = new HashSet<>();
        for (int seed = 0; seed < 1000; seed++) {
            drawn.add(CollectivesAttack.setting(new Random(seed)));
        }
        assertEquals(new HashSet<>(CollectivesAttack.SETTINGS), drawn);
    }

    @Test
    void threadsThatMakeAndUseCommunicatorsAtOnceGetWhatThePlainModelGives() throws Exception {
        passes(new ThreadsAttack(30, List.of("shm")), "threads that make and use communicators, by shm");
    }

    @Test
    void theNodesOfThreadsThatMakeAndUseCommunicatorsAtOnceGetItToo() throws Exception {
        passes(new ThreadsAttack(20, List.of("sisci")), "threads that make and use communicators, by sisci");
    }

    @Test
    void aKillWhileCommunicatorsAreMadeLeavesNothing() throws Exception {
        passes(new MakingAttack(List.of("communicators"), List.of("mpjrun")), "kills while there are communicators");
    }

    @Test
    void aKillAtARandomInstantLeavesNothing() throws Exception {
        passes(new KillsAttack(List.of("mpjrun")), "kills of a rank, mpjrun");
    }

    @Test
    void mutatedFilesAreReadOrRefusedByASentence() throws Exception {
        passes(new FilesAttack(150), "mutated files: tuning table", "mutated files: machine file",
            "mutated files: topology file", "mutated files: profile", "mutated files: class file");
    }

    @Test
    void hostileClientsOfAnAggregatorDisturbNoMember() throws Exception {
        passes(new AggregatorAttack(), "attacks on an aggregator");
    }

    @Test
    void aJobWithASmallSegmentIsRightOrSaysWhatItNeeds() throws Exception {
        passes(new LimitsAttack("small segment"), "limits: small segment");
    }

    @Test
    void aJobWithFewFilesEndsWithASentence() throws Exception {
        passes(new LimitsAttack("ulimit -n"), "limits: ulimit -n");
    }

    @Test
    void aLinkThatLosesPacketsHarmsNoResult() throws Exception {
        Cluster.assumePossible();
        Cluster.assumeInstalled("openmpi");
        passes(new HostsAttack(List.of("lost packets"), List.of("openmpi")), "hosts: lost packets, openmpi");
    }

    @Test
    void theRanksOfOtherHostsEndSoonAfterAHostHasDied() throws Exception {
        Cluster.assumePossible();
        Cluster.assumeInstalled("openmpi");
        passes(new HostsAttack(List.of("dead host"), List.of("openmpi")), "hosts: dead host, openmpi");
    }

    @Test
    void onlyRanksThatHydraKilledMayBeNamedInsteadOfTheFirst() {
        ProcessHandle one = ProcessHandle.current();
        Map<Integer, ProcessHandle> running = Map.of(0, ProcessHandle.of(1).orElseThrow(), 1, one);
        String first = "brigade: rank 2 of 3, waiting in recv: rank 0 (pid 1) died; ending the job\n";
        String other =
            "brigade: rank 2 of 3, waiting in recv: rank 1 (pid " + one.pid() + ") died; ending the job\n";
        assertNull(KillsAttack.misnamed(first, "openmpi", 0, running));
        assertEquals("rank 1 is blamed", KillsAttack.misnamed(other, "openmpi", 0, running));
        assertEquals("rank 1 is blamed", KillsAttack.misnamed(first + other, "openmpi", 0, running));
        assertNull(KillsAttack.misnamed(other, "mpich", 0, running));
        assertEquals("rank 1 is blamed",
            KillsAttack.misnamed("brigade: rank 1 of 3, waiting in recv: rank 0 (pid 1) died\n" + other, "mpich", 0,
                running),
            "it has ended by itself");
        assertEquals("rank 1 is blamed",
            KillsAttack.misnamed(other.replace("(pid ", "(pid 1"), "mpich", 0, running), "another process");
        assertEquals("openmpi does not name it", KillsAttack.misnamed(
            "mpirun noticed that process rank 1 with PID 0 on node a exited on signal 9", "openmpi", 0, running));
        assertEquals("mpjrun does not name it", KillsAttack.misnamed(first, "mpjrun", 0, running));
    }

    @Test
    void onlyAJvmThatCannotReadItsOwnSettingsIsNoFailure() {
        String jvm = "Exception in thread \"main\" java.lang.InternalError: Error loading java.security file\n";
        assertFalse(LimitsAttack.isInternal(jvm));
        assertTrue(LimitsAttack.isInternal(jvm + "java.lang.InternalError: another\n"));
        assertTrue(LimitsAttack.isInternal("java.lang.NullPointerException\n"));
    }

    /** A wrong result must not pass: the model is not the library's. */
    @Test
    void elementsKeepWhatIsPutThereInEveryTypeAndForm() {
        for (Elements.Kind kind : Elements.Kind.values()) {
            for (boolean direct : new boolean[] {false, true}) {
                Elements elements = new Elements(kind, 5, direct);
                elements.set(3, -5);
                assertEquals(-5, elements.get(3), kind + " " + direct);
                assertEquals(Elements.CANARY, elements.get(4), kind + " " + direct);
            }
        }
        assertEquals(-128, Elements.Kind.BYTE.narrowed(128));
    }
}
