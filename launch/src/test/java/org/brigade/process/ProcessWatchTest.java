package org.brigade.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a rank knows its launcher. The launcher here is a shell that starts the rank and ends or waits. */
@Tag("once")
@Timeout(120)
class ProcessWatchTest {
    /**
     * Says of its launcher whether it has ended, is not seen, or runs; waits first until a shell that is to end has.
     */
    public static final class Rank {
        public static void main(String[] arguments) throws Exception {
            while (arguments[0].equals("ends") && ProcessStat.self().parent() == Long.parseLong(arguments[1])) {
                Thread.sleep(1);
            }
            ProcessWatch launcher = ProcessWatch.ofLauncher();
            System.out.println(launcher == null ? "not seen" : launcher.ended() ? "ended" : "runs");
        }
    }

    @ParameterizedTest
    @CsvSource({"ends, OMPI_COMM_WORLD_RANK, ended", "ends, PMI_RANK, ended", "waits, OMPI_COMM_WORLD_RANK, runs",
        "ends, BRIGADE_RANK, not seen"})
    void aRankWhoseLauncherEndedBeforeItLookedKnowsThat(String launcher, String variable, String expected)
        throws Exception {
        List<String> rank = new ArrayList<>(TestJava.command(Rank.class.getName(), launcher));
        // cat ends when the rank does, and Java reads no longer than the process that it has started runs.
        List<String> command =
            new ArrayList<>(List.of("bash", "-c", "\"$@\" | cat", "until all have ended", "bash", "-c",
                "export " + variable + "=0; \"$@\" $$ & " + (launcher.equals("waits") ? "wait" : ""), "launcher"));
        command.addAll(rank);
        ProcessBuilder shell = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        shell.environment().keySet().removeAll(
            Map.of("OMPI_COMM_WORLD_RANK", "", "PMI_RANK", "", "PMIX_RANK", "", "SLURM_PROCID", "").keySet());
        Process started = shell.start();
        assertEquals(expected, new String(started.getInputStream().readAllBytes()).trim());
    }
}
