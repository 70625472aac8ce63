package org.brigade.transport.sisci;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The short form of {@link SisciTrial}. */
class SisciMessagesTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void messagesComeBackAsTheyWentHoweverLateStoresArrive(int seed) throws IOException {
        SisciTrial.run("weak=" + seed, null, seed, 3000, 13, InboxDescriptor.SMALLEST_RING);
    }

    @Test
    void messagesOfAllSizesComeBackAsTheyWent() throws IOException {
        SisciTrial.run("shifted", null, 11, 1000, 22, 4 << 20);
    }

    @Test
    void messagesOfAllSizesComeBackAsTheyWentByTheClockOfAnAdapter() throws IOException {
        SisciTrial.run("timed", null, 12, 600, 22, 4 << 20);
    }

    @Test
    void anAdapterThatWantsPagesGetsPages() throws IOException {
        SisciTrial.run("aligned=4096", null, 13, 300, 22, 1 << 20);
    }

    @Test
    void messagesComeBackAsTheyWentThoughStoresAreLost() throws IOException {
        SisciTrial.run("weak=5", "sequence=retriable@3,sequence=pending@11", 14, 2000, 18, InboxDescriptor.SMALLEST_RING);
    }

    @Test
    void messagesComeBackAsTheyWentWithoutAnIommu() throws IOException {
        SisciTrial.run(null, "iommu=broken", 15, 600, 22, 1 << 20);
    }
}
