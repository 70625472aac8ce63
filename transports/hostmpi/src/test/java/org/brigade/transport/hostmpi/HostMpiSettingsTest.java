package org.brigade.transport.hostmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Properties;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.setting.Setting;
import org.junit.jupiter.api.Test;

class HostMpiSettingsTest {
    @Test
    void theWindowsThatMayBeSetAreThoseThatPacketsCanCount() {
        Setting window = Setting.of("mpi.window");
        assertTrue(
            window.accepts("" + PacketDescriptor.LEAST_WINDOW) && window.accepts("" + PacketDescriptor.MOST_WINDOW));
        assertFalse(window.accepts("" + (PacketDescriptor.LEAST_WINDOW - 1))
            || window.accepts("" + (PacketDescriptor.MOST_WINDOW + 1L)));
    }

    @Test
    void theEnvironmentCountsAsThePropertyDoes() {
        HostMpiSettings set = HostMpiSettings
            .of(new Settings(new Properties(), Map.of("BRIGADE_MPI_WINDOW", "1M", "BRIGADE_MPI_PATIENCE", "5")), 4);
        assertEquals(new HostMpiSettings(1 << 20, 5_000_000_000L, null), set);
        assertEquals("BRIGADE_MPI_PATIENCE=soon must be a number from 0 to 86400, such as 60 (seconds)",
            assertThrows(TuningException.class,
                () -> HostMpiSettings.of(new Settings(new Properties(), Map.of("BRIGADE_MPI_PATIENCE", "soon")), 4))
                .getMessage());
    }
}
