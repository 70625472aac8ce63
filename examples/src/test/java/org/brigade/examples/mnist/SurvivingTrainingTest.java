package org.brigade.examples.mnist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.brigade.examples.RealRanks;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rank is killed in the middle of an allreduce, and training ends with the bits that it should have. */
@Tag("slow")
@Tag("once")
class SurvivingTrainingTest {
    private static final String STEPS = "8";

    @TempDir
    Path directory;

    @BeforeEach
    void writeDigits() throws Exception {
        MadeUpDigits.write(directory, 4);
    }

    private List<String> killed(String... options) throws Exception {
        String[] arguments = {directory.toString(), STEPS, "--kill", "1", "4"};
        String[] all = java.util.Arrays.copyOf(arguments, arguments.length + options.length);
        System.arraycopy(options, 0, all, arguments.length, options.length);
        return RealRanks.run(Map.of(), false, 4, SurvivingTraining.class, all);
    }

    private List<String> unharmed(String... options) throws Exception {
        String[] arguments = {directory.toString(), STEPS};
        String[] all = java.util.Arrays.copyOf(arguments, arguments.length + options.length);
        System.arraycopy(options, 0, all, arguments.length, options.length);
        return steps(RealRanks.run(4, SurvivingTraining.class, all));
    }

    /** The last line of each step: a step may have been repeated. */
    private static List<String> steps(List<String> printed) {
        java.util.TreeMap<String, String> last = new java.util.TreeMap<>();
        for (String line : printed) {
            if (line.startsWith("step ")) {
                last.put(line.substring(0, "step 1".length()), line);
            }
        }
        return List.copyOf(last.values());
    }

    private static int resumedAt(List<String> printed) {
        String line = printed.stream().filter(each -> each.startsWith("going on")).findFirst().orElseThrow(
            () -> new AssertionError(printed));
        return Integer.parseInt(line.replaceAll("going on from step (\\d+) .*", "$1"));
    }

    @Test
    void threeOfFourRanksEndWithTheBitsOfThreeRanksFromThatStepOn() throws Exception {
        List<String> printed = killed();
        int step = resumedAt(printed);
        assertTrue(step == 4 || step == 5, printed::toString);
        assertEquals(unharmed("--leave", "1", "" + step), steps(printed), printed::toString);
    }

    @Test
    void withAReplacementTheyEndWithTheBitsOfARunThatLostNobody() throws Exception {
        List<String> printed = killed("--replace");
        resumedAt(printed);
        assertEquals(unharmed(), steps(printed), printed::toString);
    }
}
