package org.brigade.bootstrap.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import mpi.MPIException;
import org.brigade.bootstrap.Job;
import org.junit.jupiter.api.Test;

/** Which job each launcher's environment means. Variables are written as {@code NAME=value NAME=value}. */
class EnvironmentBootstrapTest {
    private static final String BRIGADE =
        "BRIGADE_RANK=1 BRIGADE_SIZE=4 BRIGADE_LOCAL_RANK=1 BRIGADE_LOCAL_SIZE=4 BRIGADE_JOB=j.1_x-2 ";
    private static final String OPEN_MPI =
        "OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_LOCAL_RANK=2 OMPI_COMM_WORLD_LOCAL_SIZE=3 "
            + "PMIX_NAMESPACE=510984193 PMIX_SERVER_TMPDIR=/tmp/ompi.vm.0/pid.29323 PMIX_RANK=2 ";
    private static final String HYDRA = "PMI_RANK=0 PMI_SIZE=2 PMI_FD=6 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=2 ";
    private static final String SLURM =
        "SLURM_JOB_ID=77 SLURM_STEP_ID=3 SLURM_PROCID=5 SLURM_NTASKS=9 SLURM_STEP_NUM_TASKS=7 SLURM_LOCALID=0"
            + " SLURM_NODEID=2 SLURM_STEP_TASKS_PER_NODE=2(x2),3 ";
    private static final String SLURM_ON_ONE =
        "SLURM_JOB_ID=77 SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_NTASKS=2 SLURM_LOCALID=1 SLURM_NODEID=0"
            + " SLURM_TASKS_PER_NODE=2 ";

    private static Job job(String variables) {
        Map<String, String> environment = new HashMap<>();
        for (String variable : variables.trim().split(" +")) {
            int equals = variable.indexOf('=');
            if (equals > 0) {
                environment.put(variable.substring(0, equals), variable.substring(equals + 1));
            }
        }
        return new EnvironmentBootstrap(environment, () -> "123-456").job();
    }

    @Test
    void everyLauncherIsUnderstood() {
        assertEquals(new Job("mpjrun", 1, 4, 1, 4, "j.1_x-2"), job(BRIGADE));
        assertEquals(new Job("Open MPI", 2, 3, 2, 3,
            "ompi-510984193-" + Integer.toHexString("/tmp/ompi.vm.0/pid.29323".hashCode())), job(OPEN_MPI));
        assertEquals(job(OPEN_MPI), job(OPEN_MPI.replace("LOCAL_RANK=2", "LOCAL_RANK=1")),
            "Open MPI 6 counts a node's ranks in an order of its own");
        assertEquals(new Job("PMI", 0, 2, 0, 2, "hydra-123-456"), job(HYDRA));
        assertEquals(new Job("Slurm", 5, 7, 0, 3, "slurm-77.3", 2, 0), job(SLURM));
        assertEquals(new Job("Slurm", 5, 7, 0, 3, "slurm-77.3", 2, 3),
            job(SLURM + "SLURM_STEP_NUM_NODES=3 SLURM_NNODES=9"));
        assertEquals(new Job("mpjrun", 1, 4, 0, 2, "j.1_x-2", 1, 2),
            job(BRIGADE.replace("LOCAL_RANK=1", "LOCAL_RANK=0").replace("LOCAL_SIZE=4", "LOCAL_SIZE=2")
                + "BRIGADE_NODE=1 BRIGADE_NODES=2"));
        assertEquals(new Job("Slurm", 1, 2, 1, 2, "slurm-77.0"), job(SLURM_ON_ONE));
        assertEquals(1, job("HOME=/root").size());
        assertEquals("none", job("HOME=/root").launcher());
    }

    /** The launcher counts them, the job does not; on which node they are the launcher does not say. */
    @Test
    void aggregatorsAreTheLastOfTheLaunchersProcessesAndNoRanks() {
        String key = job(OPEN_MPI).key();
        String second = OPEN_MPI.replace("_RANK=2", "_RANK=1") + "BRIGADE_AGGREGATION=mpi ";
        assertEquals(new Job("Open MPI", 1, 2, 1, 2, key), job(second));
        assertEquals(new Job("Open MPI", 1, 2, 0, 1, key, 0, 0),
            job(second.replace("LOCAL_RANK=1", "LOCAL_RANK=0").replace("LOCAL_SIZE=3", "LOCAL_SIZE=2")),
            "of one node it is taken for only if it is");
        String last = assertThrows(MPIException.class, () -> job(OPEN_MPI + "BRIGADE_AGGREGATION=mpi:1")).getMessage();
        assertTrue(last.contains(
            "process 2 of the launcher's 3, but BRIGADE_AGGREGATION=mpi:1 says that the last 1 are aggregators; end the"
                + " command line with : -np 1 brigade aggregator --mpi"),
            last);
        assertTrue(assertThrows(MPIException.class, () -> job(second + "BRIGADE_AGGREGATION=mpi:0")).getMessage()
            .contains("must be mpi or mpi:N"));
        assertEquals(4, job(BRIGADE + "BRIGADE_AGGREGATION=mpi").size(), "mpjrun starts none");
    }

    @Test
    void theInnermostLauncherWins() {
        assertEquals("mpjrun", job(SLURM + HYDRA + OPEN_MPI + BRIGADE).launcher());
        assertEquals("Open MPI", job(SLURM + HYDRA + OPEN_MPI).launcher());
        assertEquals("PMI", job(SLURM + HYDRA).launcher());
        assertEquals("Slurm", job(SLURM + "PMI_RANK=5 PMI_SIZE=7").launcher(),
            "srun --mpi=pmi2 says nothing of the node in PMI variables");
    }

    @Test
    void aSlurmJobOutsideAStepIsAJobOfOne() {
        assertEquals(1,
            job("SLURM_JOB_ID=77 SLURM_PROCID=0 SLURM_NTASKS=8 SLURM_LOCALID=0 SLURM_NODEID=0 SLURM_TASKS_PER_NODE=8")
                .size());
        assertEquals(1, job(SLURM.replace("SLURM_STEP_ID=3", "SLURM_STEP_ID=4294967291")).size(),
            "the batch script's own step");
    }

    @Test
    void aRankOfAPmixLauncherThatDoesNotSayHowManyThereAreIsAnError() {
        String error =
            assertThrows(MPIException.class, () -> job("PMIX_RANK=1 PMIX_NAMESPACE=prterun-vm-33@1 PRTE_LAUNCHED=1"))
                .getMessage();
        assertTrue(error.contains("PMIX_RANK=1") && error.contains("--personality ompi"), error);
    }

    @Test
    void ranksMayThinkThemselvesOnSeveralNodesUnderEveryMpisLauncher() {
        for (String launcher : new String[] {HYDRA, SLURM_ON_ONE}) {
            Job job = job(launcher + "BRIGADE_EMULATED_NODES=0,1");
            assertEquals(job.rank(), job.node());
            assertEquals(2, job.nodes());
        }
    }

    @Test
    void emulatedNodesThatMakeNoSenseAreAnError() {
        for (String nodes : new String[] {"0", "0,0", "0,2", "0,x", "0,1,1"}) {
            String error =
                assertThrows(MPIException.class, () -> job(HYDRA + "BRIGADE_EMULATED_NODES=" + nodes)).getMessage();
            assertTrue(error.contains("Init") && error.contains(
                "BRIGADE_EMULATED_NODES=" + nodes + " must list the node of each of the 2 ranks"), error);
        }
    }

    @Test
    void twoJobsAtOnceHaveTwoKeys() {
        assertNotEquals(job(OPEN_MPI).key(), job(OPEN_MPI.replace("pid.29323", "pid.29324")).key());
        assertNotEquals(job(SLURM).key(), job(SLURM.replace("STEP_ID=3", "STEP_ID=4")).key());
    }

    @Test
    void everyKeyMayBePartOfAFileName() {
        String odd = job(OPEN_MPI.replace("510984193", "prterun-host.example@1/2")).key();
        assertTrue(odd.matches("[A-Za-z0-9._-]+"), odd);
    }

    @Test
    void aMissingVariableIsNamed() {
        for (String launcher : new String[] {BRIGADE, OPEN_MPI, HYDRA, SLURM}) {
            for (String variable : launcher.trim().split(" +")) {
                String name = variable.substring(0, variable.indexOf('='));
                boolean optional = name.equals("PMI_FD") || name.equals("PMIX_RANK")
                    || name.equals("PMIX_SERVER_TMPDIR") || name.equals("SLURM_NODEID")
                    || name.equals("SLURM_NTASKS") || name.equals("SLURM_STEP_NUM_TASKS");
                boolean tells = name.equals("PMI_RANK") || name.equals("SLURM_STEP_ID") || name.equals("SLURM_PROCID");
                if (!optional && !tells) {
                    String error =
                        assertThrows(MPIException.class, () -> job(launcher.replace(variable, "")), name).getMessage();
                    String other = name.equals("PMIX_NAMESPACE") ? "OMPI_MCA_ess_base_jobid"
                        : name.replace("SLURM_STEP_TASKS", "SLURM_TASKS");
                    assertTrue(error.contains(other), "without " + name + ": " + error);
                }
            }
        }
    }

    @Test
    void aContradictionIsNamed() {
        String[][] cases = {
            {BRIGADE.replace("RANK=1 BRIGADE_SIZE", "RANK=4 BRIGADE_SIZE"), "BRIGADE_RANK=4"},
            {BRIGADE.replace("BRIGADE_SIZE=4", "BRIGADE_SIZE=0"), "BRIGADE_SIZE=0"},
            {BRIGADE.replace("BRIGADE_SIZE=4", "BRIGADE_SIZE=four"), "BRIGADE_SIZE=four"},
            {BRIGADE.replace("BRIGADE_SIZE=4", "BRIGADE_SIZE=99999999999"), "BRIGADE_SIZE=99999999999"},
            {BRIGADE.replace("LOCAL_SIZE=4", "LOCAL_SIZE=5"), "BRIGADE_LOCAL_SIZE=5"},
            {BRIGADE.replace("LOCAL_RANK=1", "LOCAL_RANK=2"), "BRIGADE_LOCAL_RANK=2"},
            {BRIGADE.replace("j.1_x-2", "../etc/passwd"), "BRIGADE_JOB=../etc/passwd"},
            {HYDRA.replace("PMI_RANK=0", "PMI_RANK=-1"), "PMI_RANK=-1"},
            {SLURM.replace("2(x2),3", "2(x2)"), "SLURM_STEP_TASKS_PER_NODE=2(x2)"},
            {SLURM.replace("2(x2),3", "2(y2),3"), "SLURM_STEP_TASKS_PER_NODE=2(y2),3"},
            {SLURM.replace("2(x2),3", "2(x,3"), "SLURM_STEP_TASKS_PER_NODE=2(x,3"},
            {SLURM.replace("LOCALID=0", "LOCALID=3"), "SLURM_LOCALID=3"},
        };
        for (String[] one : cases) {
            String error = assertThrows(MPIException.class, () -> job(one[0]), one[1]).getMessage();
            assertTrue(error.startsWith("MPI_ERR_OTHER: Init: ") && error.contains(one[1]), one[1] + ": " + error);
        }
    }

    @Test
    void theAncestorsOfThisProcessAreFound() {
        String launcher = Ancestors.ofThisProcess().launcher();
        assertTrue(launcher.matches("[1-9][0-9]*-[0-9]+"), launcher);
    }
}
