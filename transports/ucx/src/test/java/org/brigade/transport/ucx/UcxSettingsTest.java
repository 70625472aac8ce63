package org.brigade.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Properties;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.junit.jupiter.api.Test;

class UcxSettingsTest {
    @Test
    void theEnvironmentCountsAsThePropertyDoes() {
        UcxSettings set = UcxSettings
            .of(new Settings(new Properties(), Map.of("BRIGADE_UCX_WINDOW", "1M", "BRIGADE_UCX_PATIENCE", "5")), 4);
        assertEquals(new UcxSettings(1 << 20, 5_000_000_000L, 3_000_000_000L), set);
        assertEquals("BRIGADE_UCX_PATIENCE=soon must be a number from 0 to 86400, such as 60 (seconds)",
            assertThrows(TuningException.class,
                () -> UcxSettings.of(new Settings(new Properties(), Map.of("BRIGADE_UCX_PATIENCE", "soon")), 4))
                .getMessage());
    }
}
