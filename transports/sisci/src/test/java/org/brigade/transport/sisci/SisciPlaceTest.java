package org.brigade.transport.sisci;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.brigade.setting.Setting;
import org.brigade.transport.sisci.adapter.Adapter;
import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.brigade.transport.sisci.adapter.SisciSettings;
import org.junit.jupiter.api.Test;

/** What a rank says of itself before anything is connected. */
class SisciPlaceTest {
    @Test
    void ranksThatTheSoftwareLibraryCannotJoinAreToldAtOnce() {
        Emulated.begin(null, null);
        SisciEnd end = SisciEnd.listen(
            Adapter.open(new SisciSettings(InboxDescriptor.SMALLEST_RING, 1, 1_000_000_000L, 1_000_000_000L, 0, true)),
            0, 4711);
        byte[] here = end.address();
        byte[] elsewhere = here.clone();
        elsewhere[elsewhere.length - 1] ^= 1;
        String said =
            assertThrows(SisciEnd.UnreachableException.class, () -> end.begin(new byte[][] {here, here, elsewhere}))
                .getMessage();
        assertTrue(said.contains("joins processes of one machine only, but rank 2 has another /dev/shm")
            && said.contains("unset BRIGADE_SISCI"), said);
        end.begin(new byte[][] {here});
        SisciRanks.close(new SisciEnd[] {end});
    }

    @Test
    void theRingsThatMayBeSetAreThoseThatAnInboxMayHave() {
        Setting ring = Setting.of("sisci.ring");
        assertTrue(ring.accepts("" + InboxDescriptor.SMALLEST_RING) && ring.accepts("" + InboxDescriptor.LARGEST_RING));
        assertFalse(ring.accepts("" + (InboxDescriptor.SMALLEST_RING - 1))
            || ring.accepts("" + (InboxDescriptor.LARGEST_RING + 1)));
    }
}
