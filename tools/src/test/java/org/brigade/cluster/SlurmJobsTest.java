package org.brigade.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.brigade.cluster.Cluster.Ended;
import org.brigade.communicator.NodesTrial;
import org.brigade.launch.FaultyProgram;
import org.brigade.launch.HostLauncher;
import org.brigade.nightly.Nightly;
import org.brigade.process.TestJava;
import org.brigade.transport.ucx.UcxInventory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose ranks Slurm's srun starts, on two hosts. */
@Tag("once")
@Timeout(300)
class SlurmJobsTest {
    private static final int SECONDS = 120; // a busy machine is no failure

    @TempDir
    static Path directory;

    private static Cluster cluster;
    private static Slurm slurm;

    /** Says what this process has loaded once it has communicated, and where it is. */
    static final class Loaded {
        public static void main(String[] arguments) throws Exception {
            mpi.MPI.Init(arguments);
            mpi.MPI.COMM_WORLD.barrier();
            boolean loaded = Files.readString(Path.of("/proc/self/maps")).contains("/libmpi");
            System.out.println("rank " + System.getenv("SLURM_PROCID") + " on " + System.getenv("SLURMD_NODENAME")
                + (loaded ? ": an MPI" : ": none"));
            mpi.MPI.Finalize();
        }
    }

    @BeforeAll
    static void slurmRuns() throws Exception {
        Cluster.assumePossible();
        Slurm.assumePossible();
        cluster = Cluster.of(2, directory);
        slurm = Slurm.on(cluster, 2, directory);
    }

    @AfterAll
    static void hostsEnd() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static Ended run(String options, Class<?> program, String... arguments) throws Exception {
        List<String> line = new ArrayList<>(List.of(options.split(" ")));
        line.addAll(TestJava.command("-Xmx256m", program.getName()));
        line.addAll(List.of(arguments));
        return Cluster.end(slurm.srun(HostLauncher.ENVIRONMENT, line), SECONDS);
    }

    private static void assumeServed(String kind) throws Exception {
        HostLauncher.of(kind.equals("pmix") ? "openmpi" : "mpich");
        assumeTrue(slurm.kinds().contains(kind), "this Slurm's srun knows no --mpi=" + kind);
    }

    @ParameterizedTest
    @CsvSource({"pmix, -N2 --ntasks-per-node=2 --distribution=cyclic, '0,1,0,1'",
        "pmi2, -N2 --ntasks-per-node=2, '0,0,1,1'"})
    @Nightly({"pmix, -N2 --ntasks-per-node=2, '0,0,1,1'", "pmix, -N2 -n3, '0,0,1'"})
    void everythingIsRightOnTwoNodes(String kind, String options, String mapping) throws Exception {
        assumeServed(kind);
        Ended job = run("--mpi=" + kind + " " + options, NodesTrial.class, mapping, "collectives=commutative",
            "messages", "communicators", "dialects");
        assertEquals(0, job.code(), job::text);
        for (int rank = 0; rank < mapping.split(",").length; rank++) {
            assertTrue(job.lines().contains("rank " + rank + ": all is right"), job::text);
        }
    }

    /** The recipe of docs/hosts.md. */
    @Test
    void everythingIsRightOnTwoNodesWithoutAnMpi() throws Exception {
        String missing = UcxInventory.missing();
        assumeTrue(missing == null, missing);
        Path secret = Files.writeString(directory.resolve("secret"), "known to this step only");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        List<String> line = new ArrayList<>(List.of("--mpi=none", "-N2", "-n3", "sh", "-c",
            "BRIGADE_RANK=$SLURM_PROCID BRIGADE_SIZE=$SLURM_NTASKS BRIGADE_RENDEZVOUS=$(scontrol show hostnames"
                + " \"$SLURM_STEP_NODELIST\" | head -n 1):$((20000 + SLURM_JOB_ID % 10000)) BRIGADE_SECRET_FILE="
                + secret + " exec \"$0\" \"$@\""));
        line.addAll(TestJava.command("-Xmx256m", NodesTrial.class.getName(), "0,0,1", "messages", "communicators"));
        Ended job = Cluster.end(slurm.srun(HostLauncher.ENVIRONMENT, line), SECONDS);
        assertEquals(0, job.code(), job::text);
        for (int rank = 0; rank < 3; rank++) {
            assertTrue(job.lines().contains("rank " + rank + ": all is right"), job::text);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "pmix", "pmi2"})
    void aStepOnOneNodeLoadsNoMpi(String kind) throws Exception {
        assumeTrue(slurm.kinds().contains(kind), "this Slurm's srun knows no --mpi=" + kind);
        Ended job = run("--mpi=" + kind + " -N1 -n2 --nodelist=node2", Loaded.class);
        assertEquals(Set.of("rank 0 on node2: none", "rank 1 on node2: none"), new TreeSet<>(job.lines()));
    }

    @Test
    void aStepOnSeveralNodesThatServesNoMpiIsAnErrorThatSaysHowToStartIt() throws Exception {
        Ended job = run("--mpi=none -N2 -n2", Loaded.class);
        assertNotEquals(0, job.code(), job::text);
        assertTrue(job.text().contains("give srun --mpi=pmix for Open MPI, --mpi=pmi2 for MPICH"), job::text);
    }

    @ParameterizedTest
    @CsvSource({"pmix, kill, bcast", "pmi2, throw, recv"})
    @Nightly({"pmix, throw, recv", "pmix, abort, recv", "pmi2, kill, bcast", "pmi2, abort, recv"})
    void aRankThatDiesEndsTheStep(String kind, String deed, String where) throws Exception {
        assumeServed(kind);
        Ended job = run("--mpi=" + kind + " --kill-on-bad-exit=1 -N2 -n3", FaultyProgram.class, deed, where);
        assertNotEquals(0, job.code(), job::text);
        assertTrue(job.lines().stream().noneMatch(line -> line.endsWith("finalized")), job::text);
    }
}
