package org.brigade.launch.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import org.brigade.nightly.Nightly;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Spawn where the job's launcher is not mpjrun: the root starts a launcher beside itself. */
@Timeout(400)
@Tag("once")
class SpawningLaunchersTest extends ProcessJobs {
    @ParameterizedTest
    @CsvSource({"mpirun, 2, 2", "hydra, 2, 1", "alone, 1, 2"})
    void parentsAndChildrenAreJoinedAndPartAgain(String launcher, int parents, int children) throws Exception {
        Job job = by(launcher, parents, SpawningProgram.class, "spawn", "" + children).ended(0);
        job.says(parents, "spawn is right");
        job.says(children, "child is right");
    }

    @Test
    void aChildSpawnsAGrandchild() throws Exception {
        mpirun(1, SpawningProgram.class, "generations", "2").ended(0).says(3, "generations is right");
    }

    @Test
    void severalCommandsMakeOneJob() throws Exception {
        mpirun(2, SpawningProgram.class, "multiple").ended(0).says(3, "told is right");
    }

    @ParameterizedTest
    @ValueSource(strings = "mpirun")
    @Nightly("hydra")
    void whatCannotBeSpawnedIsAnErrorOnAllRanks(String launcher) throws Exception {
        by(launcher, 2, SpawningProgram.class, "wrong").ended(0).says(2, "wrong is right");
    }

    @Test
    void theDeathOfAChildIsAnErrorOfItsParents() throws Exception {
        Job job = mpirun(1, SpawningProgram.class, "mourn");
        assertNotEquals(0, job.process().waitFor());
        job.says(1, "mourn is right");
    }

    @ParameterizedTest
    @ValueSource(strings = "mpirun")
    @Nightly("alone")
    void aBadExitCodeOfAChildIsThatOfTheJob(String launcher) throws Exception {
        by(launcher, 1, SpawningProgram.class, "part").ended(7).says(1, "part is right");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mpirun", "alone"})
    @Nightly("hydra")
    void childrenEndWithTheRootThatHasSpawnedThem(String launcher) throws Exception {
        Job job = by(launcher, 1, SpawningProgram.class, "orphans");
        assertNotEquals(0, job.process().waitFor());
    }

    @ParameterizedTest
    @ValueSource(strings = "hydra")
    @Nightly("mpirun")
    void childrenEndWithAnyRankOfTheJobThatHasSpawnedThem(String launcher) throws Exception {
        Job job = by(launcher, 2, SpawningProgram.class, "bereft");
        assertNotEquals(0, job.process().waitFor());
    }

    /** SIGTERM and SIGKILL. */
    @ParameterizedTest
    @CsvSource({"mpirun, true", "hydra, false", "alone, false"})
    @Nightly({"mpirun, false", "hydra, true"})
    void nobodyOutlivesTheLauncher(String launcher, boolean killed) throws Exception {
        Job job = by(launcher, 1, SpawningProgram.class, "outlive");
        assertEquals(2, job.awaited(2, "pid ").size());
        if (killed) {
            job.process().destroyForcibly();
        } else {
            job.process().destroy();
        }
        job.process().waitFor(); // Hydra says that all is well
    }

    @Test
    void theEndOfTheLauncherBesideIsAnErrorAndTheNextSpawnStartsAnother() throws Exception {
        mpirun(2, SpawningProgram.class, "assassin").ended(0).says(2, "assassin is right");
    }

    /** Parents that compare calls and children that do not would wait for each other. */
    @Test
    void childrenGetTheParentsOptions() throws Exception {
        start(line(List.of(JAVA, "-Dbrigade.check=true", "-cp", CLASS_PATH), SpawningProgram.class,
            "generations", "1")).ended(0).says(2, "generations is right");
    }
}
