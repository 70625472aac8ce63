package org.brigade.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class CatalogueVerificationTest {
    @Test
    void everyScheduleOfUpTo17RanksIsRight() throws InterruptedException {
        VerifySuite.Report report = new VerifySuite(1, 17, null, null).run(null);
        assertEquals(List.of(), report.failures());
        assertTrue(report.verified() > 3000, report.summary());
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 31, 32, 33})
    void everyScheduleOfManyRanksIsRight(int ranks) throws InterruptedException {
        assertEquals(List.of(), new VerifySuite(ranks, ranks, null, null).run(null).failures());
    }

    @Test
    void aReportEndsWithItsCounts() throws InterruptedException {
        int[] calls = new int[1];
        VerifySuite.Report report =
            new VerifySuite(4, 4, Collective.BARRIER, "dissemination").run((done, parts, label) -> {
                calls[0]++;
                assertEquals("barrier/dissemination, 4 ranks", label);
            });
        assertEquals(1, calls[0]);
        assertEquals("1 schedules verified, 0 failed", report.summary());
    }

    @Test
    void namesAreUniqueWithinACollective() {
        for (Algorithm algorithm : Catalogue.all()) {
            assertEquals(algorithm, Catalogue.find(algorithm.collective(), algorithm.name()));
        }
    }
}
