package org.brigade.topology.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkPortsTest {
    @TempDir
    private Path root;

    private void put(String file, String text) throws IOException {
        Path path = root.resolve("sys/class").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
    }

    private NetworkPorts ports() {
        return NetworkPorts.of(new SystemFiles(root));
    }

    private void ethernet(String name, String state, String speed, boolean adapter) throws IOException {
        put("net/" + name + "/operstate", state);
        put("net/" + name + "/speed", speed);
        if (adapter) {
            Files.createDirectories(root.resolve("sys/class/net/" + name + "/device"));
        }
    }

    @Test
    void theFastestEthernetAdaptersThatAreUpCount() throws IOException {
        ethernet("eno1", "up", "1000", true);
        ethernet("eno2", "up", "25000", true);
        ethernet("eno3", "up", "25000", true);
        ethernet("eno4", "down", "100000", true);
        ethernet("veth7", "up", "1000000", false);
        assertEquals(new NetworkPorts(25_000_000_000L, 2, false), ports());
    }

    @Test
    void whereThereIsInfiniBandItIsWhatJobsUse() throws IOException {
        ethernet("eno1", "up", "400000", true);
        put("infiniband/mlx5_0/ports/1/state", "4: ACTIVE");
        put("infiniband/mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)");
        put("infiniband/mlx5_1/ports/1/state", "1: DOWN");
        put("infiniband/mlx5_1/ports/1/rate", "200 Gb/sec (4X HDR)");
        assertEquals(new NetworkPorts(100_000_000_000L, 1, true), ports());
    }

    @Test
    void adaptersThatDoNotKnowTheirRateSayNothing() throws IOException {
        ethernet("eth0", "up", "-1", true);
        assertEquals(new NetworkPorts(0, 0, false), ports());
        put("infiniband/x/ports/1/state", "4: ACTIVE");
        put("infiniband/x/ports/1/rate", "fast");
        assertEquals(new NetworkPorts(0, 0, false), ports());
    }
}
