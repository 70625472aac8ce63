package org.brigade.transport.packet;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.brigade.setting.Setting;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacketWindowsTest {
    @ParameterizedTest
    @ValueSource(strings = {"mpi.window", "ucx.window"})
    void theWindowsThatMayBeSetAreThoseThatPacketsCanCount(String name) {
        Setting window = Setting.of(name);
        assertTrue(
            window.accepts("" + PacketDescriptor.LEAST_WINDOW) && window.accepts("" + PacketDescriptor.MOST_WINDOW));
        assertFalse(window.accepts("" + (PacketDescriptor.LEAST_WINDOW - 1))
            || window.accepts("" + (PacketDescriptor.MOST_WINDOW + 1L)));
    }
}
