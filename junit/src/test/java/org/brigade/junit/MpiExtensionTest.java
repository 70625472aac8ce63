package org.brigade.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mpi.Intracomm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.opentest4j.MultipleFailuresError;

/** What becomes of tests on ranks, as JUnit reports it. */
@Timeout(300)
class MpiExtensionTest {
    private record Reported(String name, TestExecutionResult result) {
        Throwable thrown() {
            return result.getThrowable().orElseThrow();
        }
    }

    private static List<Reported> run(String method, Class<?>... parameters) throws Exception {
        List<Reported> reported = new ArrayList<>();
        LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request()
            .selectors(selectMethod(RankCases.class, RankCases.class.getDeclaredMethod(method, parameters))).build(),
            new TestExecutionListener() {
                @Override
                public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                    if (test.isTest() || result.getStatus() != Status.SUCCESSFUL) {
                        reported.add(new Reported(test.getDisplayName(), result));
                    }
                }
            });
        return reported;
    }

    private static Throwable failure(String method, Class<?>... parameters) throws Exception {
        List<Reported> reported = run(method, parameters);
        assertEquals(1, reported.size(), reported::toString);
        assertEquals(Status.FAILED, reported.get(0).result.getStatus());
        return reported.get(0).thrown();
    }

    private static String frames(Throwable thrown) {
        return Arrays.toString(thrown.getStackTrace());
    }

    @Test
    void aTestRunsOnceForEachNumberOfRanks() throws Exception {
        List<Reported> reported = run("passing", Intracomm.class);
        assertEquals(List.of("1 rank", "3 ranks"), reported.stream().map(Reported::name).toList());
        for (Reported each : reported) {
            assertEquals(Status.SUCCESSFUL, each.result.getStatus(), () -> each.result.toString());
        }
    }

    @Test
    void theFailureOfOneRankHasItsStackTrace() throws Exception {
        RankFailure failure = assertInstanceOf(RankFailure.class, failure("failingOnOne", Intracomm.class));
        assertEquals(1, failure.rank());
        assertTrue(failure.getMessage().contains("rank 1 of 3: ") && failure.getMessage().contains("this is rank 1"),
            failure::getMessage);
        assertTrue(frames(failure).contains("RankCases.assertOnRankOne"), frames(failure));
        assertInstanceOf(AssertionError.class, failure.getCause());
    }

    @Test
    void failuresOfAllRanksAreCollected() throws Exception {
        MultipleFailuresError failure = assertInstanceOf(MultipleFailuresError.class, failure("failingOnAll"));
        assertEquals(3, failure.getFailures().size());
        for (int rank = 0; rank < 3; rank++) {
            String message = failure.getFailures().get(rank).getMessage();
            assertTrue(message.contains("rank " + rank + " of 3") && message.contains("actual " + rank), message);
        }
    }

    @Test
    void aRankThatHangsIsShownWhereItIs() throws Exception {
        MultipleFailuresError all =
            assertInstanceOf(MultipleFailuresError.class, failure("hanging", Intracomm.class));
        assertEquals(2, all.getFailures().size());
        for (Throwable failure : all.getFailures()) {
            assertTrue(failure.getMessage().contains("has not ended within 6 s"), failure::getMessage);
            assertTrue(frames(failure).contains("RankCases.awaitForEver"), frames(failure));
        }
    }

    @Test
    void aRankThatWaitsForOneThatHasEndedFails() throws Exception {
        RankFailure failure =
            assertInstanceOf(RankFailure.class, failure("awaitingOneThatHasEnded", Intracomm.class));
        assertEquals(1, failure.rank());
        assertTrue(failure.getMessage().contains("rank 0 is in MPI.Finalize"), failure::getMessage);
    }

    @Test
    void aRankThatDiesIsTold() throws Exception {
        String death = failure("dying", Intracomm.class).getMessage();
        assertTrue(death.contains("rank 2 of 3 was killed by signal 9"), death);
    }

    @Test
    void anAssumptionThatDoesNotHoldAbortsTheTest() throws Exception {
        List<Reported> reported = run("assuming");
        assertEquals(Status.ABORTED, reported.get(0).result.getStatus());
        assertTrue(reported.get(0).thrown().getMessage().contains("there are six ranks"), reported::toString);
    }

    @Test
    void aWrongNumberOfRanksIsRefused() throws Exception {
        String message = failure("noRanks").getMessage();
        assertTrue(message.contains("ranks = [0]; name one number or several, each 1 or more"), message);
    }

    @Test
    void optionsReachLauncherAndRanks() throws Exception {
        List<Reported> reported = run("withOptions");
        assertEquals(Status.SUCCESSFUL, reported.get(0).result.getStatus(), reported::toString);
    }
}
