package org.brigade.report;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.brigade.device.DeviceCost;
import org.brigade.select.MemorySpace;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.junit.jupiter.api.Test;

class DeviceReportTest {
    private static final String GPUS = "2 x NVIDIA H200, 143155 MiB; NVLink; driver 580.159.04, CUDA 13.0";

    private static String said(String machine, List<DeviceCost> costs, String... forced) {
        Properties given = new Properties();
        given.put("brigade.report", "info");
        for (int i = 0; i < forced.length; i += 2) {
            given.put(forced[i], forced[i + 1]);
        }
        Settings settings = new Settings(given, Map.of());
        String text = new DeviceReport(Selector.of(MemorySpace.DEVICE, settings), settings).text(2, machine, costs);
        text.lines().forEach(line -> assertTrue(line.length() <= 120, line));
        return text.replaceAll("\\s+", " "); // folded lines are one again
    }

    @Test
    void stepsThatRunTheSameAreOne() {
        String all = said(GPUS, List.of());
        assertTrue(all.contains("GPUs " + GPUS), all);
        assertTrue(all.contains("bcast: below 512 MiB copy-engine; beyond copy-engine, 10 % through host memory"), all);
        assertTrue(all.contains("allreduce: to 96 KiB packets; to "), all);
        assertTrue(all.contains("resident mode off: each call launches a kernel"), all);
        assertFalse(all.contains("costs speed"), all);
    }

    @Test
    void forcedAlgorithmsAreTold() {
        assertTrue(said(GPUS, List.of(), "brigade.bcast.device.algorithm", "push").contains("bcast: push "));
    }

    @Test
    void whatCostsSpeedHasACure() {
        assertTrue(said(GPUS, List.of(new DeviceCost("ranks share a GPU", "they take turns", "start fewer")))
            .contains("costs speed - ranks share a GPU: they take turns. Cure: start fewer"));
        assertTrue(said(null, List.of()).contains("collectives of 2 ranks go through host memory"));
    }
}
