package org.brigade.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.junit.jupiter.api.Test;

/** The recorded predictions, costs.txt. What it does not name is new since. */
class CostFiguresTest {
    @Test
    void callsAreStillPredictedToTakeWhatWasRecorded() throws IOException {
        CostModel host = new CostModel(250, 12);
        CostModel device = new CostModel(9300, 365);
        try (BufferedReader lines = new BufferedReader(
            new InputStreamReader(CostFiguresTest.class.getResourceAsStream("costs.txt"), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                if (words[0].equals("host")) {
                    check(line, words, host, new long[] {8, 100_000}, 4096, 0);
                } else if (words[0].equals("device")) {
                    check(line, words, device, new long[] {8, 10_000_000}, 64 << 10, 10);
                }
            }
        }
    }

    private static void check(String line, String[] words, CostModel model, long[] sizes, long chunk, int share) {
        Collective collective = Collective.valueOf(words[1].toUpperCase(Locale.ROOT).replace('-', '_'));
        Algorithm algorithm =
            words[0].equals("host") ? Catalogue.find(collective, words[2]) : DeviceCatalogue.find(collective, words[2]);
        assertNotNull(algorithm, line);
        int ranks = Integer.parseInt(words[3]);
        CommunicatorTopology wires = wires(ranks, Integer.parseInt(words[4]));
        int word = 5;
        for (long bytes : sizes) {
            assertEquals(Double.parseDouble(words[word++]),
                algorithm.cost(model, new PredictedCall(ranks, wires, bytes, 0, 2, 0)), 0.001, line);
            assertEquals(Double.parseDouble(words[word++]),
                algorithm.cost(model, new PredictedCall(ranks, wires, bytes, chunk, 4, share)), 0.001, line);
            assertEquals(Long.parseLong(words[word++]), model.bestChunk(algorithm.hops(ranks, wires), bytes), line);
        }
    }

    private static CommunicatorTopology wires(int ranks, int ofANode) {
        if (ofANode == 0) {
            return CommunicatorTopology.NONE;
        }
        int[] nodeOf = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            nodeOf[rank] = rank / ofANode;
        }
        return CommunicatorTopology.ofNodes(null, nodeOf).reducing(nodeOf, 1);
    }
}
