package org.brigade.transport.sisci.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AdapterSlotTest {
    @Test
    void theWordIsBusDeviceAndFunction() {
        assertEquals(new AdapterSlot(0, "1b:00.0", 63_016), AdapterSlot.of(0, 0x1b00, 8, 3));
        assertEquals(new AdapterSlot(1, "af:1f.7", 252_064), AdapterSlot.of(1, 0xafff, 16, 4));
        assertEquals("01:02.0", AdapterSlot.of(0, 0x0110, 8, 3).address());
    }

    @Test
    void whatTheLibraryDoesNotSayIsUnknown() {
        assertEquals(-1, AdapterSlot.of(0, 0x1b00, -1, 3).megabits());
        assertEquals(-1, AdapterSlot.of(0, 0x1b00, 8, 9).megabits());
    }
}
