package org.brigade.transport.sisci;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The short form of {@link SisciTrial}. */
@Tag("slow")
@Tag("once")
class SisciMessagesTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void messagesComeBackAsTheyWentHoweverLateStoresArrive(int seed) throws IOException {
        SisciTrial.Tally tally =
            SisciTrial.run("weak=" + seed, null, seed, 3000, 15, InboxDescriptor.SMALLEST_RING, 12 << 10);
        assertTrue(tally.inline() > 1000 && tally.copied() > 20 && tally.byDma() > 50,
            "not all ways were used: " + tally);
    }

    @Test
    void messagesOfAllSizesComeBackAsTheyWent() throws IOException {
        SisciTrial.run("shifted", null, 11, 1000, 22, 4 << 20, 0);
    }

    @Test
    void messagesOfAllSizesComeBackAsTheyWentByTheClockOfAnAdapter() throws IOException {
        SisciTrial.run("timed", null, 12, 600, 22, 4 << 20, 64 << 10);
    }

    @Test
    void anAdapterThatWantsPagesGetsPages() throws IOException {
        SisciTrial.run("aligned=4096", null, 13, 300, 22, 1 << 20, 20_000);
    }

    @Test
    void messagesComeBackAsTheyWentThoughStoresAreLost() throws IOException {
        SisciTrial.run("weak=5", "sequence=retriable@3,sequence=pending@11", 14, 2000, 18,
            InboxDescriptor.SMALLEST_RING, 48 << 10);
    }

    @Test
    void messagesComeBackAsTheyWentWithoutAnIommu() throws IOException {
        SisciTrial.run(null, "iommu=broken", 15, 600, 22, 1 << 20, 32 << 10);
    }

    @Test
    void messagesComeBackAsTheyWentWhereAddressesMoveNothing() throws IOException {
        SisciTrial.run("weak=6", "address=broken", 16, 600, 18, InboxDescriptor.SMALLEST_RING, 12 << 10);
    }

    @Test
    void messagesComeBackAsTheyWentWhereNoDmaArrives() throws IOException {
        SisciTrial.run("weak=7", "iommu=broken,address=broken", 17, 600, 18, InboxDescriptor.SMALLEST_RING, 12 << 10);
    }
}
