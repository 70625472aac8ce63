package org.brigade.transport.hostmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Properties;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.junit.jupiter.api.Test;

class HostMpiSettingsTest {
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
