package org.brigade.transport.sisci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.HashSet;
import java.util.Set;
import org.brigade.transport.Multicast;
import org.brigade.transport.Multicasts;
import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which slots the multicasts of a rank have. Another leader is only a voice here: one process is one node. */
@Tag("once")
class SisciMulticastsTest {
    private static final int[] ALONE = {0};
    private static final Multicasts.Words NOBODY_ELSE = words -> {
    };

    private SisciEnd[] ends;
    private SisciMulticasts multicasts;

    @BeforeEach
    void oneRank() {
        Emulated.begin(null, null);
        ends = SisciRanks.open(1, InboxDescriptor.SMALLEST_RING);
        multicasts = (SisciMulticasts) ends[0].multicasts();
    }

    @AfterEach
    void close() {
        SisciRanks.close(ends);
    }

    private static int slot(Multicast multicast) {
        return ((MulticastGroup) multicast).slot;
    }

    private Multicast open(Multicasts.Words words) {
        return multicasts.open(ALONE, ALONE, 0, words);
    }

    @Test
    void whatThreadsOpenAtOnceNeverSharesASlot() {
        Multicast[] meanwhile = new Multicast[1];
        Multicast opened = open(words -> {
            if (meanwhile[0] == null) { // another thread runs while the ranks tell each other
                meanwhile[0] = open(NOBODY_ELSE);
            }
        });
        assertNotEquals(slot(meanwhile[0]), slot(opened));
    }

    /** Another leader says, by the word of its own, that it has none. */
    @Test
    void aSlotThatWasTakenInVainIsGivenBack() {
        int[] both = {0, 1};
        for (int i = 0; i < 2 * multicasts.groups(); i++) {
            assertNull(multicasts.open(both, both, 0, words -> words[1] = -1));
        }
        Set<Integer> slots = new HashSet<>();
        for (int i = 0; i < multicasts.groups(); i++) {
            slots.add(slot(open(NOBODY_ELSE)));
        }
        assertEquals(multicasts.groups(), slots.size());
        assertNull(open(NOBODY_ELSE), "all are taken");
    }
}
