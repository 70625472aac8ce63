package org.brigade.examples.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples as the user runs them, on GPUs in software. */
@Tag("once")
class GpuExamplesTest {
    @BeforeAll
    static void buildGpus() throws Exception {
        SoftwareGpus.build();
    }

    @Test
    void gradientsAndStepsAreThoseOfTheDefinition() throws Exception {
        List<String> printed = SoftwareGpus.run(1, NetworkCheck.class);
        assertEquals(2, printed.size(), printed::toString);
        for (String line : printed) {
            assertTrue(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)) < 1e-5, line);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void bothPathsTrainAlikeAndTheLossFalls(int ranks) throws Exception {
        List<String> printed = SoftwareGpus.run(ranks, Training.class, "--steps", "12", "--batch", "16", "--hidden",
            "16", "--ordered", "true");
        assertTrue(printed.contains("The losses of all 12 steps have the same bits on both paths."),
            () -> String.join("\n", printed));
        List<Float> losses = losses(printed, "direct");
        assertEquals(12, losses.size(), () -> String.join("\n", printed));
        assertTrue(
            losses.get(9) + losses.get(10) + losses.get(11) < 0.9f * (losses.get(0) + losses.get(1) + losses.get(2)),
            losses::toString);
    }

    @Test
    void theLossesDoNotDependOnTheFusionBuffer() throws Exception {
        List<Float> fused = losses(
            SoftwareGpus.run(2, Training.class, "--path", "direct", "--steps", "4", "--batch", "8", "--hidden", "8"),
            "direct");
        List<Float> partly = losses(SoftwareGpus.run(2, Training.class, "--path", "direct", "--steps", "4", "--batch",
            "8", "--hidden", "8", "--fusion", "512"), "direct");
        List<Float> alone = losses(SoftwareGpus.run(2, Training.class, "--path", "direct", "--steps", "4", "--batch",
            "8", "--hidden", "8", "--fusion", "0"), "direct");
        assertEquals(fused, partly);
        assertEquals(fused, alone);
    }

    @ParameterizedTest
    @ValueSource(strings = {"64M", "512"})
    void theLossesDoNotDependOnTheOrderInWhichRanksSubmitGradients(String fusion) throws Exception {
        String[] options = {"--path", "direct", "--steps", "4", "--batch", "8", "--hidden", "8", "--fusion", fusion,
            "--named", "false"};
        List<Float> ordered = losses(SoftwareGpus.run(3, Training.class, options), "direct");
        options[options.length - 1] = "true";
        assertEquals(4, ordered.size());
        assertEquals(ordered, losses(SoftwareGpus.run(3, Training.class, options), "direct"));
    }

    private static List<Float> losses(List<String> printed, String path) {
        List<Float> losses = new ArrayList<>();
        for (String line : printed) {
            String[] words = line.split(" ");
            if (line.startsWith(path + " step ")) {
                losses.add(Float.parseFloat(words[4]));
            }
        }
        return losses;
    }

    @Test
    void gradientsThatAreExchangedBesideTheComputationAreTheSame() throws Exception {
        List<String> printed = SoftwareGpus.run(2, OverlappedTraining.class, "--layers", "3", "--hidden", "16",
            "--batch", "4", "--steps", "6");
        assertTrue(printed.contains("All ways end with the same weights, on all ranks."),
            () -> String.join("\n", printed));
    }

    @Test
    void aSmallVgg16ArrivesWholeByEveryPath() throws Exception {
        List<String> printed =
            SoftwareGpus.run(2, Vgg16Exchange.class, "--shrink", "500", "--repeat", "2", "--fusion", "100K");
        assertEquals(4, printed.size(), () -> String.join("\n", printed));
        assertTrue(printed.get(0).startsWith("276733 parameters in 32 tensors, 2 ranks"), printed.get(0));
        assertTrue(printed.get(2).startsWith("direct") && printed.get(3).startsWith("staged"),
            () -> String.join("\n", printed));
    }

    @Test
    void theSmallestExamplesWorkInBothDialects() throws Exception {
        List<String> summed = new ArrayList<>(SoftwareGpus.run(3, DeviceAllreduce.class));
        summed.sort(null);
        assertEquals(List.of("rank 0 has 3.0 3.0 1.5", "rank 1 has 3.0 3.0 1.5", "rank 2 has 3.0 3.0 1.5"), summed);
        List<String> sent = new ArrayList<>(SoftwareGpus.run(3, DeviceBcast.class));
        sent.sort(null);
        assertEquals(List.of("rank 0 has 9 1 2 3", "rank 1 has 0 1 2 3", "rank 2 has 0 1 2 3"), sent);
    }

    @Test
    void callsOnAStreamAndInAGraphCompute() throws Exception {
        List<String> computed = new ArrayList<>(SoftwareGpus.run(2, DeviceStreams.class));
        computed.sort(null);
        assertEquals(List.of("rank 0 has 96.0 ... 96.0", "rank 1 has 96.0 ... 96.0"), computed); // 1 + 2, doubled five
                                                                                                 // times
    }
}
